//! The legal move generator, specialised at compile time by colour, selection and sink; and the test of single moves.
//!
//! `generate` sends all, noisy or quiet moves to a sink. The lists are methods of `game::Position`. Only legal moves
//! are generated: checks and pins are turned into masks of allowed squares before any piece is looked at. `is_legal`
//! is faster for one move; `tests/games/invariants.rs` compares it with the generator for every packed move.

use super::Board;
use super::attacks::{attacked_by, attackers};
use super::tables;
use crate::base::cpu::with_bits;
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
use crate::game::{CountSink, ListSink, Moves, Side, Sink};

pub(in crate::chess) use crate::game::moves::{ALL, NOISY, QUIET};

/// What restricts the side to move: checks and pins.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChecksAndPins {
    pub checkers: Bitboard,
    /// The squares of all pins along ranks and files, from next to the king up to and including the pinner.
    pub straight: Bitboard,
    /// The same for diagonals. One set for all pins is enough, because a piece pinned on one line cannot reach the
    /// squares of another pin of the same type by moving along its own.
    pub diagonal: Bitboard,
}

impl ChecksAndPins {
    pub(super) const NONE: ChecksAndPins =
        ChecksAndPins { checkers: Bitboard::EMPTY, straight: Bitboard::EMPTY, diagonal: Bitboard::EMPTY };

    #[inline(always)]
    pub fn of<U: Us>(board: &Board) -> ChecksAndPins {
        let king = board.king(U::SIDE);
        let (us, them) = (board.side_set(U::SIDE), board.side_set(U::Them::SIDE));
        let queens = board.kind_set(Kind::Queen);
        let leapers = tables::knight(king) & board.kind_set(Kind::Knight)
            | tables::pawn(U::SIDE, king) & board.kind_set(Kind::Pawn);
        let mut pins = ChecksAndPins { checkers: leapers & them, ..ChecksAndPins::NONE };
        let straight = tables::rook_lines(king) & them & (board.kind_set(Kind::Rook) | queens);
        let diagonal = tables::bishop_lines(king) & them & (board.kind_set(Kind::Bishop) | queens);
        for slider in straight {
            let pin = pins.check_or_pin(us, us | them, king, slider);
            pins.straight |= pin;
        }
        for slider in diagonal {
            let pin = pins.check_or_pin(us, us | them, king, slider);
            pins.diagonal |= pin;
        }
        pins
    }

    /// Adds `slider` to the checkers if it gives check, or returns the squares of its pin.
    #[inline(always)]
    fn check_or_pin(&mut self, us: Bitboard, occupied: Bitboard, king: Square, slider: Square) -> Bitboard {
        let path = tables::between(king, slider);
        let blockers = path & occupied;
        if blockers.is_empty() {
            self.checkers |= Bitboard::of(slider);
        } else if !blockers.several() && blockers.meets(us) {
            return path | Bitboard::of(slider);
        }
        Bitboard::EMPTY
    }
}

/// Sends the legal moves of `U`, who is to move, to `sink`; only moves of pieces on `movers`.
#[inline(always)]
pub(in crate::chess) fn generate<U: Us, const SELECT: u8, S: Sink<Move>>(
    board: &Board,
    pins: &ChecksAndPins,
    movers: Bitboard,
    sink: &mut S,
) {
    let us = board.side_set(U::SIDE);
    let occupied = board.occupied();
    let wanted = match SELECT {
        NOISY => board.side_set(U::Them::SIDE),
        QUIET => !occupied,
        _ => !us,
    };
    let king = board.king(U::SIDE);
    if movers.contains(king) {
        let steps = tables::king(king) & wanted;
        let castling =
            if SELECT == NOISY || !pins.checkers.is_empty() { Bitboard::EMPTY } else { board.castling & U::BACK_RANK };
        if !(steps | castling).is_empty() {
            let danger = attacked_by::<U::Them>(board, occupied ^ Bitboard::of(king));
            sink.take(steps & !danger, |to| Move::new(king, to, MoveKind::King));
            for rook in castling {
                let castles = castle_is_legal(king, rook, occupied, danger, pins.straight);
                let target = if castles { Bitboard::of(rook) } else { Bitboard::EMPTY };
                sink.take(target, |to| Move::new(king, to, MoveKind::Castle));
            }
        }
    }
    if pins.checkers.several() {
        return;
    }

    let evasion = match pins.checkers.lowest() {
        Some(checker) => tables::between(king, checker) | pins.checkers,
        None => Bitboard::ALL,
    };
    let targets = wanted & evasion;
    let pieces = us & movers;
    let free = pieces & !(pins.straight | pins.diagonal);
    for from in board.kind_set(Kind::Knight) & free {
        sink.take(tables::knight(from) & targets, |to| Move::new(from, to, MoveKind::Knight));
    }

    let (bishops, rooks) = (board.kind_set(Kind::Bishop), board.kind_set(Kind::Rook));
    let queens = board.kind_set(Kind::Queen);
    let diagonal = |from| tables::bishop(from, occupied) & targets;
    let straight = |from| tables::rook(from, occupied) & targets;
    if S::COUNTS_ONLY {
        // A queen moves like a bishop and a rook, and when counting it does not matter which piece moves.
        let [bishops, rooks] = [bishops | queens, rooks | queens];
        slide(bishops & pieces, MoveKind::Queen, pins.straight, pins.diagonal, diagonal, sink);
        slide(rooks & pieces, MoveKind::Queen, pins.diagonal, pins.straight, straight, sink);
    } else {
        for (sliders, kind) in [(bishops, MoveKind::Bishop), (queens, MoveKind::Queen)] {
            slide(sliders & pieces, kind, pins.straight, pins.diagonal, diagonal, sink);
        }
        for (sliders, kind) in [(rooks, MoveKind::Rook), (queens, MoveKind::Queen)] {
            slide(sliders & pieces, kind, pins.diagonal, pins.straight, straight, sink);
        }
    }
    pawns::<U, SELECT, S>(board, pieces, evasion, pins, sink);
    if SELECT != QUIET && !board.en_passant.is_empty() {
        en_passant::<U, S>(board, pieces, king, sink);
    }
}

/// Moves of sliders along their lines. Pieces pinned `along` such a line stay on the pin; pieces pinned `across` it
/// do not move.
#[inline(always)]
fn slide<S: Sink<Move>>(
    sliders: Bitboard,
    kind: MoveKind,
    across: Bitboard,
    along: Bitboard,
    reach: impl Fn(Square) -> Bitboard,
    sink: &mut S,
) {
    for from in sliders & !(across | along) {
        sink.take(reach(from), |to| Move::new(from, to, kind));
    }
    for from in sliders & along {
        sink.take(reach(from) & along, |to| Move::new(from, to, kind));
    }
}

/// Whether the king may castle with `rook`. The king is not in check.
///
/// `danger` was computed without the king, but with the rook where it is. So it does not show that a rook that is
/// pinned along the back rank (possible only in Chess960) exposes the king's new square when it leaves.
#[inline(always)]
pub(in crate::chess) fn castle_is_legal(
    king: Square,
    rook: Square,
    occupied: Bitboard,
    danger: Bitboard,
    straight_pins: Bitboard,
) -> bool {
    let (path, king_path) = tables::castling_paths(king, rook);
    !path.meets(occupied) && !king_path.meets(danger) && !straight_pins.contains(rook)
}

/// The targets of pawns by kind of step, without en passant.
pub(in crate::chess) struct PawnTargets {
    pub single: Bitboard,
    pub double: Bitboard,
    pub west: Bitboard,
    pub east: Bitboard,
}

impl PawnTargets {
    /// The legal targets of the pawns of `U` among `pieces`.
    #[inline(always)]
    pub fn of<U: Us>(board: &Board, pieces: Bitboard, evasion: Bitboard, pins: &ChecksAndPins) -> PawnTargets {
        let pawns = board.kind_set(Kind::Pawn) & pieces;
        let empty = !board.occupied();
        let victims = board.side_set(U::Them::SIDE) & evasion;
        // A pawn pinned on a diagonal may capture along it; one pinned on a file may advance.
        let pushers = pawns & !pins.diagonal;
        let single = U::forward(pushers & !pins.straight) | U::forward(pushers & pins.straight) & pins.straight;
        let single = single & empty;
        let double = U::forward(single & U::THIRD_RANK) & empty & evasion;
        let takers = pawns & !pins.straight;
        let (free, pinned) = (takers & !pins.diagonal, takers & pins.diagonal);
        let west = U::pawn_attacks_west(free) | U::pawn_attacks_west(pinned) & pins.diagonal;
        let east = U::pawn_attacks_east(free) | U::pawn_attacks_east(pinned) & pins.diagonal;
        PawnTargets { single: single & evasion, double, west: west & victims, east: east & victims }
    }
}

/// Pushes and captures of all pawns at once, without en passant.
#[inline(always)]
pub(in crate::chess) fn pawns<U: Us, const SELECT: u8, S: Sink<Move>>(
    board: &Board,
    pieces: Bitboard,
    evasion: Bitboard,
    pins: &ChecksAndPins,
    sink: &mut S,
) {
    let PawnTargets { single, double, west, east } = PawnTargets::of::<U>(board, pieces, evasion, pins);
    let (ahead, ahead_west, ahead_east) = (U::FORWARD, U::FORWARD - 1, U::FORWARD + 1);
    let last = U::LAST_RANK;
    if SELECT != NOISY {
        sink.take(single & !last, |to| pawn_move(to, ahead, MoveKind::Pawn));
        sink.take(double, |to| pawn_move(to, 2 * ahead, MoveKind::DoublePush));
    }
    if SELECT != QUIET {
        sink.take(west & !last, |to| pawn_move(to, ahead_west, MoveKind::Pawn));
        sink.take(east & !last, |to| pawn_move(to, ahead_east, MoveKind::Pawn));
        if (single | west | east).meets(last) {
            for kind in PROMOTIONS {
                sink.take(single & last, |to| pawn_move(to, ahead, kind));
                sink.take(west & last, |to| pawn_move(to, ahead_west, kind));
                sink.take(east & last, |to| pawn_move(to, ahead_east, kind));
            }
        }
    }
}

/// The promotion moves, the best first.
pub(in crate::chess) const PROMOTIONS: [MoveKind; 4] =
    [MoveKind::PromoteQueen, MoveKind::PromoteKnight, MoveKind::PromoteRook, MoveKind::PromoteBishop];

/// The pawn move to `to` by a step that adds `delta` to the square index.
#[inline(always)]
pub(in crate::chess) fn pawn_move(to: Square, delta: i32, kind: MoveKind) -> Move {
    Move::new(Square::wrapping((to.index() as i32 - delta) as u32), to, kind)
}

/// En passant captures. They remove two pawns from the board's lines at once, which no pin mask describes. So each
/// capture is tried (they are rare): it is legal if nothing attacks the king afterwards.
#[inline(always)]
pub(in crate::chess) fn en_passant<U: Us, S: Sink<Move>>(board: &Board, pieces: Bitboard, king: Square, sink: &mut S) {
    let passed = board.en_passant;
    let victim = U::Them::forward(passed);
    let capturers = U::Them::pawn_attacks(passed) & board.kind_set(Kind::Pawn) & pieces;
    for from in capturers {
        let after = (board.occupied() ^ Bitboard::of(from) ^ victim) | passed;
        let them = board.side_set(U::Them::SIDE) & !victim;
        if !attackers(board, king, after).meets(them) {
            sink.take(passed, |to| Move::new(from, to, MoveKind::EnPassant));
        }
    }
}

/// Whether an en passant capture is legal.
pub(super) fn has_legal_en_passant(board: &Board) -> bool {
    if board.en_passant.is_empty() {
        return false;
    }
    let mut count = CountSink::default();
    let (us, king) = (board.side_set(board.side), board.king(board.side));
    match board.side {
        Side::First => en_passant::<White, _>(board, us, king, &mut count),
        Side::Second => en_passant::<Black, _>(board, us, king, &mut count),
    }
    count.0 != 0
}

with_bits! {
    /// The number of legal moves of `U`, who is to move.
    pub(in crate::chess) fn count_legal<U: Us>(board: &Board, pins: &ChecksAndPins) -> u64 {
        let mut count = CountSink::default();
        generate::<U, ALL, _>(board, pins, Bitboard::ALL, &mut count);
        count.0
    }
}

/// Whether `m`, any sixteen bits, is legal; `U` is to move and has these checks and pins.
///
/// Whether the piece reaches its target takes one or two table look-ups; whether the king is safe afterwards, the
/// checks and pins say. Neither needs slider attacks, so it is compiled without special instructions.
#[inline(always)]
pub(in crate::chess) fn is_legal<U: Us>(board: &Board, pins: &ChecksAndPins, m: Move) -> bool {
    let (us, them) = (board.side_set(U::SIDE), board.side_set(U::Them::SIDE));
    let (from, to, occupied, king) = (m.from(), m.to(), us | them, board.king(U::SIDE));
    let (origin, target) = (Bitboard::of(from), Bitboard::of(to));
    if !(board.kind_set(m.piece()) & us).contains(from) {
        return false;
    }
    // Nothing is between the squares of a step of knight or king.
    if m.is_plain() && !m.is(MoveKind::Pawn) {
        let reaches = (tables::reach(m.piece(), from) & !us).contains(to);
        if !reaches || tables::between(from, to).meets(occupied) {
            return false;
        }
        if m.is(MoveKind::King) {
            return !is_attacked::<U>(board, to, (occupied ^ origin) | target, them & !target);
        }
    } else {
        let single = U::forward(origin) & !occupied;
        let reach = match m.kind() {
            Some(MoveKind::DoublePush) => U::forward(single & U::THIRD_RANK) & !occupied,
            Some(MoveKind::EnPassant | MoveKind::Castle) => return is_generated::<U>(board, pins, m),
            None => return false,
            Some(kind) => {
                let ends = if kind == MoveKind::Pawn { !U::LAST_RANK } else { U::LAST_RANK };
                (single | U::pawn_attacks(origin) & them) & ends
            }
        };
        if !reach.contains(to) {
            return false;
        }
    }
    let ends_checks = match pins.checkers.lowest() {
        None => true,
        Some(checker) => !pins.checkers.several() && (tables::between(king, checker) | pins.checkers).contains(to),
    };
    let is_pinned = (pins.straight | pins.diagonal).contains(from);
    ends_checks && (!is_pinned || tables::line(king, from).contains(to))
}

/// Whether one of `them` attacks `square`, given the occupied squares.
#[inline(always)]
fn is_attacked<U: Us>(board: &Board, square: Square, occupied: Bitboard, them: Bitboard) -> bool {
    let leapers = tables::knight(square) & board.kind_set(Kind::Knight)
        | tables::pawn(U::SIDE, square) & board.kind_set(Kind::Pawn)
        | tables::king(square) & board.kind_set(Kind::King);
    let queens = board.kind_set(Kind::Queen);
    let sliders = tables::rook_lines(square) & (board.kind_set(Kind::Rook) | queens)
        | tables::bishop_lines(square) & (board.kind_set(Kind::Bishop) | queens);
    leapers.meets(them) || (sliders & them).into_iter().any(|slider| !tables::between(square, slider).meets(occupied))
}

/// Whether the generator lists `m`, a move of a rare kind.
#[cold]
#[inline(never)]
fn is_generated<U: Us>(board: &Board, pins: &ChecksAndPins, m: Move) -> bool {
    let mut list = Moves::new();
    generate::<U, ALL, _>(board, pins, Bitboard::of(m.from()), &mut ListSink(&mut list));
    list.as_slice().contains(&m)
}
