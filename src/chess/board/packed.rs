//! Packed positions: a chess position in 24 bytes, and the packed positions after its moves.
//!
//! A packed position is the set of occupied squares, and four bits for each of them, in the order of the squares: three
//! for the kind of piece and one for its side. Two more kinds stand for rights: a rook that may castle, and a pawn that
//! can be captured en passant. Each of the four bits of all pieces together is a *plane*. A set of squares becomes a
//! plane by PEXT, and a plane a set by PDEP.

use super::movegen::{ALL, ChecksAndPins, generate, has_legal_en_passant};
use super::tables::Cpu;
use super::{Board, castled};
use crate::base::bits::BitSet;
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
use crate::game::count::packing::{self, Child, Children, HashWords, Packing};
use crate::game::position::side::by_side;
use crate::game::{Side, Sink};
use std::marker::PhantomData;

/// The pieces, the castling rights, and the en passant square if a capture there is legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Packed {
    occupied: u64,
    planes: [u32; 4],
}

/// The planes as sets of squares: the bits of the code of a piece (0 to 5 for its kind, 6 for a rook that may castle, 7
/// for a pawn that can be captured en passant), and the black pieces.
type Planes = [u64; 4];

#[inline(always)]
fn planes(board: &Board) -> Planes {
    let [_, knights, bishops, rooks, queens, kings] = board.kinds.map(|set| set.0);
    let (castling, mut pawn) = (board.castling.0, 0);
    if has_legal_en_passant(board) {
        let passed = board.en_passant;
        pawn = match board.side {
            Side::First => Black::forward(passed).0,
            Side::Second => White::forward(passed).0,
        };
    }
    [
        (knights | rooks | kings) ^ castling | pawn,
        bishops | rooks | pawn,
        queens | kings | castling | pawn,
        board.sides[Side::Second.index()].0,
    ]
}

impl Packed {
    #[inline(always)]
    fn of<C: Cpu>(cpu: C, occupied: u64, planes: Planes) -> Packed {
        // No position has more: see `Position::set_up`.
        debug_assert!(occupied.count_ones() <= u32::BITS);
        if C::FAST_PEXT {
            return Packed { occupied, planes: planes.map(|plane| cpu.pext(plane, occupied) as u32) };
        }
        let mut packed = Packed { occupied, planes: [0; 4] };
        let (mut rest, mut place) = (occupied, 0);
        while rest != 0 {
            let square = rest.trailing_zeros();
            rest &= rest - 1;
            for (to, from) in packed.planes.iter_mut().zip(planes) {
                *to |= ((from >> square & 1) as u32) << place;
            }
            place += 1;
        }
        packed
    }

    /// The planes as sets of squares.
    #[inline(always)]
    fn planes<C: Cpu>(&self, cpu: C) -> Planes {
        if C::FAST_PEXT {
            return self.planes.map(|plane| cpu.pdep(u64::from(plane), self.occupied));
        }
        let (mut planes, mut rest, mut place) = ([0; 4], self.occupied, 0);
        while rest != 0 {
            let square = rest.trailing_zeros();
            rest &= rest - 1;
            for (to, from) in planes.iter_mut().zip(self.planes) {
                *to |= u64::from(from >> place & 1) << square;
            }
            place += 1;
        }
        planes
    }

    /// The board with these planes.
    #[inline(always)]
    fn board(&self, [a, b, c, black]: Planes, side: Side) -> Board {
        let occupied = self.occupied;
        let (castling, victim) = (!a & b & c, a & b & c);
        let kinds = [
            occupied & !(a | b | c) | victim,
            a & !b & !c,
            !a & b & !c,
            a & b & !c | castling,
            !a & !b & c,
            a & !b & c,
        ];
        let victim = Bitboard(victim);
        let en_passant = by_side!(side, U = White | Black => U::forward(victim));
        let sides = [occupied & !black, black].map(Bitboard);
        Board { kinds: kinds.map(Bitboard), sides, castling: Bitboard(castling), en_passant, side }
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
        let pieces = if side == Side::First { self.occupied.count_ones() - black } else { black };
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
    fn join_with<C: Cpu>(cpu: C, [white, black]: [&Half; 2]) -> Packed {
        let [a, b, c] = [0, 1, 2].map(|bit| white.plane(cpu, bit) | black.plane(cpu, bit));
        Packed::of(cpu, white.squares | black.squares, [a, b, c, black.squares])
    }
    /// The half of `side` without the right to be captured en passant.
    #[inline(always)]
    fn resting_with<C: Cpu>(&self, cpu: C, side: Side) -> Half {
        let planes = self.planes(cpu);
        let squares = if side == Side::First { self.occupied & !planes[3] } else { planes[3] };
        Half::lasting(cpu, squares, planes)
    }
    #[inline(always)]
    fn list_with<C: Cpu>(&self, cpu: C, side: Side, children: &mut Children<Packed>) -> (Board, Half) {
        let planes = self.planes(cpu);
        let board = self.board(planes, side);
        let rest = by_side!(side, U = White | Black => list::<U, C>(cpu, &board, planes, children));
        (board, rest)
    }
}

/// The code of a pawn that can be captured en passant.
const PASSED: u64 = 7;

/// Every third bit: one for each of the 16 pieces that a side may have.
const THIRDS: u64 = 0o1111_1111_1111_1111;

/// What one side has: its squares, and three bits for each of its pieces, in the order of the squares: the code.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Half {
    squares: u64,
    codes: u64,
}

impl Half {
    #[inline(always)]
    fn of<C: Cpu>(cpu: C, squares: u64, [a, b, c, _]: Planes) -> Half {
        debug_assert!(squares.count_ones() <= 16);
        let mut codes = 0;
        if C::FAST_PEXT {
            for (shift, plane) in [a, b, c].into_iter().enumerate() {
                codes |= cpu.pdep(cpu.pext(plane, squares), THIRDS << shift);
            }
        } else {
            for (place, square) in Bitboard(squares).into_iter().enumerate() {
                let code = [a, b, c].map(|plane| plane >> square.index() & 1);
                codes |= (code[0] | code[1] << 1 | code[2] << 2) << (3 * place);
            }
        }
        Half { squares, codes }
    }

    /// The squares of the pieces that have this bit in their code.
    #[inline(always)]
    fn plane<C: Cpu>(&self, cpu: C, bit: u32) -> u64 {
        if C::FAST_PEXT {
            return cpu.pdep(cpu.pext(self.codes, THIRDS << bit), self.squares);
        }
        let squares = Bitboard(self.squares).into_iter().enumerate();
        squares.fold(0, |set, (place, square)| set | (self.codes >> (3 * place as u32 + bit) & 1) << square.index())
    }

    /// The same without the right to be captured en passant.
    #[inline(always)]
    fn lasting<C: Cpu>(cpu: C, squares: u64, [a, b, c, black]: Planes) -> Half {
        let others = !(a & b & c);
        Half::of(cpu, squares, [a & others, b & others, c & others, black])
    }

    /// The number of pieces before `square`.
    #[inline(always)]
    fn before(&self, square: Square) -> u32 {
        (self.squares & ((1 << square.index()) - 1)).count_ones()
    }

    /// The half without the piece on `square`.
    #[inline(always)]
    fn without(self, square: Square) -> Half {
        let shift = 3 * self.before(square);
        let low = self.codes & ((1 << shift) - 1);
        Half { squares: self.squares & !(1 << square.index()), codes: low | (self.codes ^ low) >> 3 & !0 << shift }
    }

    /// The half with a piece of this code on `square`, which is empty.
    #[inline(always)]
    fn with(self, square: Square, code: u64) -> Half {
        let shift = 3 * self.before(square);
        let low = self.codes & ((1 << shift) - 1);
        Half { squares: self.squares | 1 << square.index(), codes: low + (self.codes - low) * 8 + (code << shift) }
    }

    /// The half without the right to castle.
    #[inline(always)]
    fn without_rights(self) -> Half {
        let [a, b, c] = [0, 1, 2].map(|bit| self.codes >> bit & THIRDS);
        let castling = !a & b & c;
        Half { squares: self.squares, codes: self.codes ^ (castling | castling << 2) }
    }
}

impl packing::Half for Half {
    #[inline(always)]
    fn hash(&self, words: &HashWords) -> u64 {
        words.hash_two(self.squares, self.codes)
    }
    #[inline(always)]
    fn pieces(&self) -> usize {
        self.squares.count_ones() as usize
    }
    fn without_place(&self, place: usize) -> Half {
        let square = Bitboard(self.squares).into_iter().nth(place);
        square.map_or(*self, |square| self.without(square))
    }
}

#[inline(always)]
fn list<U: Us, C: Cpu>(cpu: C, board: &Board, planes: Planes, children: &mut Children<Packed>) -> Half {
    let [own, rest] = [U::SIDE, U::Them::SIDE].map(|side| board.side_set(side).0);
    let (half, rest) = (Half::of(cpu, own, planes), Half::lasting(cpu, rest, planes));
    let sink = &mut ChildSink::<U> { board, half, rest, children, us: PhantomData };
    generate::<U, ALL, C, _>(board, &ChecksAndPins::of::<U>(board), cpu, Bitboard::ALL, sink);
    rest
}

/// Collects moves with what they change.
struct ChildSink<'a, U> {
    board: &'a Board,
    half: Half,
    rest: Half,
    children: &'a mut Children<Packed>,
    us: PhantomData<U>,
}

impl<U: Us> Sink<Move> for ChildSink<'_, U> {
    const COUNTS_ONLY: bool = false;
    #[inline(always)]
    fn take<B: BitSet>(&mut self, targets: B, build: impl Fn(B::Square) -> Move) {
        let Some(first) = targets.squares().next() else { return };
        // Constant for most callers.
        let (first, code) = (build(first), build(first).code());
        if code == MoveKind::Pawn as u16 || code > MoveKind::King as u16 {
            for square in targets.squares() {
                let m = build(square);
                let passed = || Square::wrapping((m.to().index() as i32 - U::FORWARD) as u32);
                let victim = if m.is(MoveKind::EnPassant) { passed() } else { m.to() };
                self.children.push(Child { m, half: self.half_after(m), victim: self.victim(victim) });
            }
            return;
        }
        // All moves are those of one piece.
        let half = if code == MoveKind::King as u16 { self.half.without_rights() } else { self.half };
        let half = half.without(first.from());
        for square in targets.squares() {
            let m = build(square);
            let child = Child { m, half: half.with(m.to(), u64::from(code)), victim: self.victim(m.to()) };
            self.children.push(child);
        }
    }
}

impl<U: Us> ChildSink<'_, U> {
    /// The mover's half after a move that is not just one of a knight, bishop, rook, queen or king.
    #[inline(always)]
    fn half_after(&self, m: Move) -> Half {
        if m.is(MoveKind::Castle) {
            let (king, rook) = castled(m.from(), m.to());
            let half = self.half.without_rights().without(m.from()).without(m.to());
            return half.with(king, Kind::King as u64).with(rook, Kind::Rook as u64);
        }
        let passes = m.is(MoveKind::DoublePush) && self.board.has_enemy_pawn_beside(m.to());
        let code =
            if passes { code_after_double_push(self.board, m) } else { m.promotion().unwrap_or(Kind::Pawn) as u64 };
        self.half.without(m.from()).with(m.to(), code)
    }

    /// What the other side loses by a capture on `square`, as [`Child::victim`].
    #[inline(always)]
    fn victim(&self, square: Square) -> u32 {
        let captures = self.rest.squares >> square.index() & 1;
        captures as u32 * (self.rest.before(square) + 1)
    }
}

/// The code of the pawn after a double step that may be answered en passant.
#[cold]
#[inline(never)]
fn code_after_double_push(board: &Board, m: Move) -> u64 {
    let mut child = *board;
    child.make(m);
    if has_legal_en_passant(&child) { PASSED } else { Kind::Pawn as u64 }
}
