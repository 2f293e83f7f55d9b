//! Packed positions: a xiangqi position in 32 bytes, and the packed positions after its moves.
//!
//! As in chess, a packed position is the set of occupied squares, and four bits for each of them, in the order of the
//! squares: three for the type of piece and one for its side. Each of the four bits of all pieces together is a
//! *plane*.

use super::Board;
use super::movegen::{ALL, ChecksAndPins, generate};
use super::tables::Cpu;
use crate::base::bits::BitSet;
use crate::game::count::packing::{self, Child, Children, HashWords, Packing};
use crate::game::position::side::by_side;
use crate::game::{Side, Sink};
use crate::xiangqi::types::{Bitboard, Black, Move, Red, Square, Us};

/// The pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Packed {
    /// The low and the high half of the set of occupied squares: a `u128` would be aligned to 16 bytes.
    occupied: [u64; 2],
    planes: [u32; 4],
}

/// The planes as sets of squares: the bits of the index of a piece's type, and the black pieces.
type Planes = [u128; 4];

fn halves(word: u128) -> [u64; 2] {
    [word as u64, (word >> 64) as u64]
}

#[inline(always)]
fn planes(board: &Board) -> Planes {
    let bit = |i: usize| {
        let kinds = board.kinds.iter().enumerate().filter(|(kind, _)| kind >> i & 1 != 0);
        kinds.fold(0, |plane, (_, set)| plane | set.0)
    };
    [bit(0), bit(1), bit(2), board.sides[Side::Second.index()].0]
}

impl Packed {
    #[inline(always)]
    fn of<C: Cpu>(cpu: C, occupied: u128, planes: Planes) -> Packed {
        // No position has more: each type has its largest number.
        debug_assert!(occupied.count_ones() <= u32::BITS);
        let mut packed = Packed { occupied: halves(occupied), planes: [0; 4] };
        if C::FAST_PEXT {
            let [low, high] = packed.occupied;
            let shift = low.count_ones();
            let compress = |[a, b]: [u64; 2]| cpu.pext(a, low) | cpu.pext(b, high) << (shift & 63);
            packed.planes = planes.map(|plane| compress(halves(plane)) as u32);
            return packed;
        }
        for (place, square) in Bitboard(occupied).into_iter().enumerate() {
            for (to, from) in packed.planes.iter_mut().zip(planes) {
                *to |= ((from >> square.index() & 1) as u32) << place;
            }
        }
        packed
    }

    fn occupied(&self) -> u128 {
        u128::from(self.occupied[0]) | u128::from(self.occupied[1]) << 64
    }

    /// The planes as sets of squares.
    #[inline(always)]
    fn planes<C: Cpu>(&self, cpu: C) -> Planes {
        if C::FAST_PEXT {
            let [low, high] = self.occupied;
            let shift = low.count_ones();
            return self.planes.map(u64::from).map(|plane| {
                u128::from(cpu.pdep(plane, low)) | u128::from(cpu.pdep(plane >> (shift & 63), high)) << 64
            });
        }
        let mut planes = [0; 4];
        for (place, square) in Bitboard(self.occupied()).into_iter().enumerate() {
            for (to, from) in planes.iter_mut().zip(self.planes) {
                *to |= u128::from(from >> place & 1) << square.index();
            }
        }
        planes
    }

    /// The board with these planes.
    #[inline(always)]
    fn board(&self, [a, b, c, black]: Planes, side: Side) -> Board {
        let occupied = self.occupied();
        let kinds = std::array::from_fn(|kind| {
            let [a, b, c] = [(0, a), (1, b), (2, c)].map(|(i, plane)| if kind >> i & 1 != 0 { plane } else { !plane });
            Bitboard(occupied & a & b & c)
        });
        Board { kinds, sides: [occupied & !black, black].map(Bitboard), side }
    }
}

impl Packing for Packed {
    type Board = Board;
    type Move = Move;
    type Half = Half;

    #[inline]
    fn after(board: &Board, m: Move) -> Packed {
        let mut child = *board;
        child.make(m);
        Packed::pack(&child)
    }
    fn pieces(&self, side: Side) -> usize {
        let black = self.planes[3].count_ones();
        let pieces = if side == Side::First { self.occupied().count_ones() - black } else { black };
        pieces as usize
    }
    #[inline(always)]
    fn pack_with<C: Cpu>(cpu: C, board: &Board) -> Packed {
        Packed::of(cpu, board.occupied().0, planes(board))
    }
    #[inline(always)]
    fn unpack_with<C: Cpu>(&self, cpu: C, side: Side) -> Board {
        self.board(self.planes(cpu), side)
    }
    #[inline(always)]
    fn join_with<C: Cpu>(cpu: C, [red, black]: [&Half; 2]) -> Packed {
        let [a, b, c] = [0, 1, 2].map(|bit| red.plane(cpu, bit) | black.plane(cpu, bit));
        let occupied = red.squares() | black.squares();
        Packed::of(cpu, occupied.0, [a, b, c, black.squares().0])
    }
    #[inline(always)]
    fn resting_with<C: Cpu>(&self, cpu: C, side: Side) -> Half {
        let planes = self.planes(cpu);
        let squares = if side == Side::First { self.occupied() & !planes[3] } else { planes[3] };
        Half::of(cpu, squares, planes)
    }
    #[inline(always)]
    fn list_with<C: Cpu>(&self, cpu: C, side: Side, children: &mut Children<Packed>) -> (Board, Half) {
        let planes = self.planes(cpu);
        let board = self.board(planes, side);
        let rest = by_side!(side, U = Red | Black => list::<U, C>(cpu, &board, planes, children));
        (board, rest)
    }
}

/// Every third bit: one for each of the 16 pieces of a side.
const THIRDS: u64 = 0o1111_1111_1111_1111;

/// What one side has: its squares, in two halves as in [`Packed`], and three bits for each of its pieces, in the order
/// of the squares: the index of its type.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Half {
    squares: [u64; 2],
    codes: u64,
}

impl Half {
    #[inline(always)]
    fn of<C: Cpu>(cpu: C, squares: u128, [a, b, c, _]: Planes) -> Half {
        debug_assert!(squares.count_ones() <= 16);
        let [low, high] = halves(squares);
        let mut codes = 0;
        if C::FAST_PEXT {
            let shift = low.count_ones() & 63;
            for (bit, plane) in [a, b, c].into_iter().enumerate() {
                let [below, above] = halves(plane);
                let plane = cpu.pext(below, low) | cpu.pext(above, high) << shift;
                codes |= cpu.pdep(plane, THIRDS << bit);
            }
        } else {
            for (place, square) in Bitboard(squares).into_iter().enumerate() {
                let code = [a, b, c].map(|plane| (plane >> square.index() & 1) as u64);
                codes |= (code[0] | code[1] << 1 | code[2] << 2) << (3 * place);
            }
        }
        Half { squares: [low, high], codes }
    }

    /// The squares of the pieces that have this bit in their code.
    #[inline(always)]
    fn plane<C: Cpu>(&self, cpu: C, bit: u32) -> u128 {
        if C::FAST_PEXT {
            let [low, high] = self.squares;
            let plane = cpu.pext(self.codes, THIRDS << bit);
            let above = plane >> (low.count_ones() & 63);
            return u128::from(cpu.pdep(plane, low)) | u128::from(cpu.pdep(above, high)) << 64;
        }
        let squares = self.squares().into_iter().enumerate();
        squares.fold(0, |set, (place, square)| {
            set | u128::from(self.codes >> (3 * place as u32 + bit) & 1) << square.index()
        })
    }

    fn squares(&self) -> Bitboard {
        Bitboard(u128::from(self.squares[0]) | u128::from(self.squares[1]) << 64)
    }

    /// The number of pieces before `square`.
    #[inline(always)]
    fn before(&self, square: Square) -> u32 {
        (self.squares().0 & (Bitboard::of(square).0 - 1)).count_ones()
    }

    /// The half without the piece on `square`, and the code of that piece.
    #[inline(always)]
    fn without(self, square: Square) -> (Half, u64) {
        let shift = 3 * self.before(square);
        let below = (1 << shift) - 1;
        let [low, high] = halves(Bitboard::of(square).0);
        let squares = [self.squares[0] & !low, self.squares[1] & !high];
        (Half { squares, codes: self.codes & below | self.codes >> 3 & !below }, self.codes >> shift & 7)
    }

    /// The half with a piece of this code on `square`, which is empty.
    #[inline(always)]
    fn with(self, square: Square, code: u64) -> Half {
        let shift = 3 * self.before(square);
        let below = (1 << shift) - 1;
        let [low, high] = halves(Bitboard::of(square).0);
        let codes = self.codes & below | code << shift | (self.codes & !below) << 3;
        Half { squares: [self.squares[0] | low, self.squares[1] | high], codes }
    }
}

impl packing::Half for Half {
    #[inline(always)]
    fn hash(&self, words: &HashWords) -> u64 {
        words.hash([self.squares[0], self.squares[1], self.codes, 0])
    }
    #[inline(always)]
    fn pieces(&self) -> usize {
        self.squares().count() as usize
    }
    fn without_place(&self, place: usize) -> Half {
        let square = self.squares().into_iter().nth(place);
        square.map_or(*self, |square| self.without(square).0)
    }
}

#[inline(always)]
fn list<U: Us, C: Cpu>(cpu: C, board: &Board, planes: Planes, children: &mut Children<Packed>) -> Half {
    let [half, rest] = [U::SIDE, U::Them::SIDE].map(|side| Half::of(cpu, board.side_set(side).0, planes));
    let sink = &mut ChildSink { half, rest, children };
    generate::<U, ALL, C, _>(board, &ChecksAndPins::of::<U>(board), cpu, Bitboard::ALL, sink);
    rest
}

/// Collects moves with what they change.
struct ChildSink<'a> {
    half: Half,
    rest: Half,
    children: &'a mut Children<Packed>,
}

impl Sink<Move> for ChildSink<'_> {
    const COUNTS_ONLY: bool = false;
    #[inline(always)]
    fn take<B: BitSet>(&mut self, targets: B, build: impl Fn(B::Square) -> Move) {
        let mut last = None;
        for square in targets.squares() {
            let m = build(square);
            // Most often all moves are those of one piece.
            let (half, code) = match last {
                Some((from, without)) if from == m.from() => without,
                _ => self.half.without(m.from()),
            };
            last = Some((m.from(), (half, code)));
            let captures = self.rest.squares().contains(m.to());
            let victim = u32::from(captures) * (self.rest.before(m.to()) + 1);
            self.children.push(Child { m, half: half.with(m.to(), code), victim });
        }
    }
}
