//! Packed positions: a chess position in 24 bytes, and the packed positions after its moves.
//!
//! A packed position is the set of occupied squares, and four bits for each of them, in the order of the squares: three
//! for the kind of piece and one for its side. Two more kinds stand for rights: a rook that may castle, and a pawn that
//! can be captured en passant. Each of the four bits of all pieces together is a *plane*. A set of squares becomes a
//! plane by PEXT, and a plane a set by PDEP.

use super::bare::Board;
use super::movegen::{ChecksAndPins, NOISY, QUIET, generate, has_legal_en_passant};
use super::position::Position;
use super::tables::{self, Cpu, Task};
use crate::base::bits::BitSet;
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
use crate::game::packing::{HashWords, NoisyMoves, QuietMoves};
use crate::game::{ListSink, Moves, Side, Sink};
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
        let en_passant = match side {
            Side::First => White::forward(victim),
            Side::Second => Black::forward(victim),
        };
        let sides = [occupied & !black, black].map(Bitboard);
        Board { kinds: kinds.map(Bitboard), sides, castling: Bitboard(castling), en_passant, side }
    }

    /// The board with `side` to move.
    #[inline]
    pub fn unpacked(&self, side: Side) -> Board {
        struct Unpack<'a>(&'a Packed, Side);
        impl Task for Unpack<'_> {
            type Output = Board;
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> Board {
                self.0.board(self.0.planes(cpu), self.1)
            }
        }
        tables::dispatch(Unpack(self, side))
    }

    /// The packed form of a board.
    pub fn new(board: &Board) -> Packed {
        struct Pack<'a>(&'a Board);
        impl Task for Pack<'_> {
            type Output = Packed;
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> Packed {
                Packed::of(cpu, self.0.occupied().0, planes(self.0))
            }
        }
        tables::dispatch(Pack(board))
    }

    /// A hash of the whole.
    #[inline(always)]
    pub fn hash(&self, words: &HashWords) -> u64 {
        let [a, b, c, black] = self.planes.map(u64::from);
        words.hash([self.occupied, a | b << 32, c | black << 32, 0])
    }

    /// The packed position after a legal move.
    #[inline]
    pub fn after(board: &Board, m: Move) -> Packed {
        let mut child = *board;
        child.make(m);
        Packed::new(&child)
    }

    /// The half of `mover`, who has just moved, and the other half without the right to be captured en passant.
    #[inline]
    pub fn halves(&self, mover: Side) -> (Half, Half) {
        struct Halves<'a>(&'a Packed, Side);
        impl Task for Halves<'_> {
            type Output = (Half, Half);
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> (Half, Half) {
                let Halves(packed, mover) = self;
                let planes = packed.planes(cpu);
                let (white, black) = (packed.occupied & !planes[3], planes[3]);
                let (own, rest) = if mover == Side::First { (white, black) } else { (black, white) };
                (Half::of(cpu, own, planes), Half::lasting(cpu, rest, planes))
            }
        }
        tables::dispatch(Halves(self, mover))
    }

    /// The board with `side` to move, and its captures and promotions.
    #[inline]
    pub fn noisy(&self, side: Side) -> (Board, Moves<Move>) {
        struct List<'a>(&'a Packed, Side);
        impl Task for List<'_> {
            type Output = (Board, Moves<Move>);
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> (Board, Moves<Move>) {
                let List(packed, side) = self;
                let board = packed.board(packed.planes(cpu), side);
                let (pins, mut moves) = (ChecksAndPins::of_mover(&board), Moves::new());
                let sink = &mut ListSink(&mut moves);
                match side {
                    Side::First => generate::<White, NOISY, C, _>(&board, &pins, cpu, Bitboard::ALL, sink),
                    Side::Second => generate::<Black, NOISY, C, _>(&board, &pins, cpu, Bitboard::ALL, sink),
                }
                (board, moves)
            }
        }
        tables::dispatch(List(self, side))
    }

    /// Adds the quiet moves of `side`, who is to move, to `moves`. Returns the board and what lasts of the other half.
    #[inline]
    pub fn list_quiet(&self, side: Side, moves: &mut QuietMoves<Position>) -> (Board, Half) {
        struct List<'a>(&'a Packed, Side, &'a mut QuietMoves<Position>);
        impl Task for List<'_> {
            type Output = (Board, Half);
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> (Board, Half) {
                let List(packed, side, moves) = self;
                let planes = packed.planes(cpu);
                let board = packed.board(planes, side);
                let rest = match side {
                    Side::First => list::<White, C>(cpu, &board, planes, moves),
                    Side::Second => list::<Black, C>(cpu, &board, planes, moves),
                };
                (board, rest)
            }
        }
        tables::dispatch(List(self, side, moves))
    }
}

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
        // Every third bit.
        const THIRDS: u64 = 0o1111_1111_1111_1111;
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

    /// The same without the right to be captured en passant.
    #[inline(always)]
    fn lasting<C: Cpu>(cpu: C, squares: u64, [a, b, c, black]: Planes) -> Half {
        let others = !(a & b & c);
        Half::of(cpu, squares, [a & others, b & others, c & others, black])
    }

    /// A hash.
    #[inline(always)]
    pub fn hash(&self, words: &HashWords) -> u64 {
        words.hash_two(self.squares, self.codes)
    }

    /// The half without the piece on `square`.
    #[inline(always)]
    fn without(self, square: Square) -> Half {
        let bit = 1 << square.index();
        let shift = 3 * (self.squares & (bit - 1)).count_ones();
        let below = (1 << shift) - 1;
        Half { squares: self.squares & !bit, codes: self.codes & below | self.codes >> 3 & !below }
    }

    /// The half with a piece of this code on `square`, which is empty.
    #[inline(always)]
    fn with(self, square: Square, code: u64) -> Half {
        let bit = 1 << square.index();
        let shift = 3 * (self.squares & (bit - 1)).count_ones();
        let below = (1 << shift) - 1;
        let codes = self.codes & below | code << shift | (self.codes & !below) << 3;
        Half { squares: self.squares | bit, codes }
    }
}

#[inline(always)]
fn list<U: Us, C: Cpu>(cpu: C, board: &Board, planes: Planes, moves: &mut QuietMoves<Position>) -> Half {
    let [own, rest] = [U::SIDE, U::Them::SIDE].map(|side| board.side_set(side).0);
    let half = Half::of(cpu, own, planes);
    let sink = &mut QuietSink::<U> { board, half, moves, us: PhantomData };
    generate::<U, QUIET, C, _>(board, &ChecksAndPins::of::<U>(board), cpu, Bitboard::ALL, sink);
    Half::lasting(cpu, rest, planes)
}

/// Collects quiet moves with the mover's half after each. Most of them only move a piece.
struct QuietSink<'a, U> {
    board: &'a Board,
    half: Half,
    moves: &'a mut QuietMoves<Position>,
    us: PhantomData<U>,
}

impl<U: Us> Sink<Move> for QuietSink<'_, U> {
    const COUNTS_ONLY: bool = false;
    #[inline(always)]
    fn take<B: BitSet>(&mut self, targets: B, build: impl Fn(B::Square) -> Move) {
        for square in targets.squares() {
            let m = build(square);
            let half = self.half_after(m);
            self.moves.push((m, half));
        }
    }
}

impl<U: Us> QuietSink<'_, U> {
    #[inline(always)]
    fn half_after(&self, m: Move) -> Half {
        let (board, code) = (self.board, m.code());
        let moves_a_piece =
            code <= MoveKind::King as u16 || m.is(MoveKind::DoublePush) && !board.has_enemy_pawn_beside(m.to());
        let loses_a_right = board.castling.meets(Bitboard::of(m.from()))
            || code == MoveKind::King as u16 && board.castling.meets(board.side_set(U::SIDE));
        if !moves_a_piece || loses_a_right {
            return half_after_rare_move(board, m);
        }
        // A double step arrives as a pawn.
        let kind = if m.is(MoveKind::DoublePush) { Kind::Pawn as u64 } else { u64::from(code) };
        self.half.without(m.from()).with(m.to(), kind)
    }
}

/// The mover's half after a move that does more than move a piece.
#[cold]
#[inline(never)]
fn half_after_rare_move(board: &Board, m: Move) -> Half {
    halves_after_rare_move(board, m).0
}

/// Adds the captures and promotions of the side to move to `moves`, with both halves after each. `rest` is what
/// lasts of the other half.
#[inline]
pub fn list_noisy(board: &Board, rest: &Half, moves: &mut NoisyMoves<Position>) {
    struct List<'a>(&'a Board, &'a Half, &'a mut NoisyMoves<Position>);
    impl Task for List<'_> {
        type Output = ();
        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) {
            let List(board, &rest, moves) = self;
            let half = Half::of(cpu, board.side_set(board.side()).0, planes(board));
            let sink = &mut NoisySink { board, half, rest, moves };
            match board.side() {
                Side::First => {
                    generate::<White, NOISY, C, _>(board, &ChecksAndPins::of::<White>(board), cpu, Bitboard::ALL, sink)
                }
                Side::Second => {
                    generate::<Black, NOISY, C, _>(board, &ChecksAndPins::of::<Black>(board), cpu, Bitboard::ALL, sink)
                }
            }
        }
    }
    tables::dispatch(List(board, rest, moves));
}

/// Collects captures and promotions with both halves after each.
struct NoisySink<'a> {
    board: &'a Board,
    half: Half,
    rest: Half,
    moves: &'a mut NoisyMoves<Position>,
}

impl Sink<Move> for NoisySink<'_> {
    const COUNTS_ONLY: bool = false;
    #[inline(always)]
    fn take<B: BitSet>(&mut self, targets: B, build: impl Fn(B::Square) -> Move) {
        for square in targets.squares() {
            let m = build(square);
            let (half, rest) = self.halves_after(m);
            self.moves.push((m, half, rest));
        }
    }
}

impl NoisySink<'_> {
    #[inline(always)]
    fn halves_after(&self, m: Move) -> (Half, Half) {
        let (board, code) = (self.board, m.code());
        let loses_a_right = board.castling.meets(Bitboard::of(m.from()) | Bitboard::of(m.to()))
            || code == MoveKind::King as u16 && board.castling.meets(board.side_set(board.side()));
        if code > MoveKind::King as u16 || loses_a_right {
            return halves_after_rare_move(board, m);
        }
        (self.half.without(m.from()).with(m.to(), u64::from(code)), self.rest.without(m.to()))
    }
}

/// Both halves after a move that does more than capture.
#[cold]
#[inline(never)]
fn halves_after_rare_move(board: &Board, m: Move) -> (Half, Half) {
    Packed::after(board, m).halves(board.side())
}
