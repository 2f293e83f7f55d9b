//! The legal move generator, specialised at compile time by side, selection and sink; and the test of single moves.
//!
//! `generate` sends all, noisy or quiet moves to a sink. The lists are methods of `game::Position`. Checks and pins are
//! computed first (`ChecksAndPins`). Moves of the king, moves of pinned pieces and check evasions are tested one by
//! one; all other moves are legal. `is_legal` is faster for one move; `tests/games/invariants.rs` compares it with the
//! generator for every packed move.

use super::Board;
use super::attacks::{king_is_attacked, reach};
use super::tables;
use crate::base::cpu::with_bits;
use crate::game::{CountSink, Sink};
use crate::xiangqi::types::{Bitboard, Kind, Move, MoveKind, Square, Us};

pub(in crate::xiangqi) use crate::game::moves::{ALL, NOISY, QUIET};

/// Checks, pins, and enemy cannons with an open line to the king.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChecksAndPins {
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// Own pieces that may not move freely: a single blocker of a chariot or the enemy king, one of two blockers of a
    /// cannon, or a piece on a horse's leg.
    pub pinned: Bitboard,
    /// Empty squares between the king and an enemy cannon with nothing in between (a hollow cannon): a piece that
    /// moves there becomes its screen.
    pub hollow: Bitboard,
    /// Targets that answer all checks, for pieces other than the screen of a checking cannon.
    pub evasion: Bitboard,
    /// Own screens of checking cannons.
    pub screens: Bitboard,
}

impl ChecksAndPins {
    pub(super) const NONE: ChecksAndPins = ChecksAndPins {
        checkers: Bitboard::EMPTY,
        pinned: Bitboard::EMPTY,
        hollow: Bitboard::EMPTY,
        evasion: Bitboard::ALL,
        screens: Bitboard::EMPTY,
    };

    /// The checks and pins of `U`, whose king is on `king`.
    #[inline(always)]
    pub fn of<U: Us>(board: &Board) -> ChecksAndPins {
        let king = board.king(U::SIDE);
        let (us, them) = (board.side_set(U::SIDE), board.side_set(U::Them::SIDE));
        let occupied = us | them;
        let mut pins = ChecksAndPins::NONE;
        let lined = tables::cross(king) & them;
        for slider in lined & (board.kind_set(Kind::Chariot) | board.kind_set(Kind::King)) {
            let path = tables::between(king, slider);
            let blockers = path & occupied;
            if blockers.is_empty() {
                pins.check(slider, path);
            } else if !blockers.several() {
                pins.pinned |= blockers & us;
            }
        }
        for cannon in lined & board.kind_set(Kind::Cannon) {
            let path = tables::between(king, cannon);
            let blockers = path & occupied;
            if blockers.is_empty() {
                pins.hollow |= path;
            } else if !blockers.several() {
                pins.check(cannon, path - blockers);
                pins.screens |= blockers & us;
            } else if !blockers.without_lowest().several() {
                pins.pinned |= blockers & us;
            }
        }
        for horse in tables::horse_back(king, Bitboard::EMPTY) & board.kind_set(Kind::Horse) & them {
            let leg = horse_leg(king, horse);
            if leg.meets(occupied) {
                pins.pinned |= leg & us;
            } else {
                pins.check(horse, leg);
            }
        }
        let soldiers = board.kind_set(Kind::Soldier) & them;
        for soldier in tables::soldier_back(U::Them::SIDE, king) & soldiers {
            pins.check(soldier, Bitboard::EMPTY);
        }
        pins
    }

    #[inline(always)]
    fn check(&mut self, checker: Square, path: Bitboard) {
        self.checkers |= Bitboard::of(checker);
        self.evasion &= path | Bitboard::of(checker);
    }
}

/// The leg of a horse on `horse` that attacks `king` a horse's move away: the square next to the horse on the way.
#[inline(always)]
pub(in crate::xiangqi) fn horse_leg(king: Square, horse: Square) -> Bitboard {
    let difference = king.index() as i32 - horse.index() as i32;
    // ±19 and ±17 are two ranks and a file, ±11 and ±7 two files and a rank.
    let step = match difference {
        17 | 19 => 9,
        -17 | -19 => -9,
        -7 | 11 => 1,
        _ => -1,
    };
    Bitboard::of(Square::wrapping((horse.index() as i32 + step) as u32))
}

/// Whether the king of `U` on `king` is safe after the piece on `from` (not the king) has moved to `to`.
#[inline(always)]
pub(super) fn is_safe_after<U: Us>(board: &Board, king: Square, from: Square, to: Square) -> bool {
    let (from, to) = (Bitboard::of(from), Bitboard::of(to));
    let occupied = (board.occupied() - from) | to;
    let them = board.side_set(U::Them::SIDE) - to;
    !king_is_attacked(board, U::Them::SIDE, them, king, occupied)
}

/// Whether the king of `U` may move from `king` to `to`.
#[inline(always)]
pub(super) fn king_may_step<U: Us>(board: &Board, king: Square, to: Square) -> bool {
    let occupied = (board.occupied() - Bitboard::of(king)) | Bitboard::of(to);
    let them = board.side_set(U::Them::SIDE) - Bitboard::of(to);
    !king_is_attacked(board, U::Them::SIDE, them, to, occupied)
}

/// Generates the legal moves of `U`, the side to move, into `sink`.
#[inline(always)]
pub(in crate::xiangqi) fn generate<U: Us, const SELECT: u8, S: Sink<Move>>(
    board: &Board,
    pins: &ChecksAndPins,
    sink: &mut S,
) {
    let wanted = match SELECT {
        NOISY => board.side_set(U::Them::SIDE),
        QUIET => !board.occupied(),
        _ => !board.side_set(U::SIDE),
    };
    let pieces = board.side_set(U::SIDE);
    let visit = &mut |kind: Kind, from: Square, targets: Bitboard| {
        sink.take(targets, |to| Move::new(from, to, MoveKind::of(kind)));
    };
    let selection = Selection { pieces, targets: wanted, merge: S::COUNTS_ONLY };
    legal_sets::<U>(board, pins, selection, visit);
}

/// The moves to generate.
pub(in crate::xiangqi) struct Selection {
    /// Pieces and targets to include.
    pub pieces: Bitboard,
    pub targets: Bitboard,
    /// If only the number of moves matters: all soldiers are visited together, by direction, with no particular
    /// square.
    pub merge: bool,
}

/// Calls `visit` with type, square and legal targets of each selected piece of `U`. `pins` are those of its king.
#[inline(always)]
pub(in crate::xiangqi) fn legal_sets<U: Us>(
    board: &Board,
    pins: &ChecksAndPins,
    selection: Selection,
    visit: &mut impl FnMut(Kind, Square, Bitboard),
) {
    let Selection { pieces, targets: wanted, merge } = selection;
    let king = board.king(U::SIDE);
    if pieces.contains(king) {
        let mut steps = tables::king(king) & wanted;
        for to in steps {
            if !king_may_step::<U>(board, king, to) {
                steps -= Bitboard::of(to);
            }
        }
        visit(Kind::King, king, steps);
    }
    if pins.checkers.is_empty() {
        let targets = wanted - pins.hollow;
        free_pieces::<U>(board, pieces - pins.pinned, targets, merge, visit);
        tested_pieces::<U>(board, king, pieces & pins.pinned, targets, visit);
    } else {
        let screens = pieces & pins.screens;
        let others = pieces - pins.screens;
        tested_pieces::<U>(board, king, others, wanted & pins.evasion, visit);
        tested_pieces::<U>(board, king, screens, wanted, visit);
    }
}

/// Moves to `targets` of pieces that are not pinned, without the king.
#[inline(always)]
pub(in crate::xiangqi) fn free_pieces<U: Us>(
    board: &Board,
    pieces: Bitboard,
    targets: Bitboard,
    merge: bool,
    visit: &mut impl FnMut(Kind, Square, Bitboard),
) {
    let occupied = board.occupied();
    for from in board.kind_set(Kind::Chariot) & pieces {
        visit(Kind::Chariot, from, tables::lines(from, occupied).0 & targets);
    }
    for from in board.kind_set(Kind::Cannon) & pieces {
        visit(Kind::Cannon, from, tables::lines(from, occupied).1 & targets);
    }
    for from in board.kind_set(Kind::Horse) & pieces {
        visit(Kind::Horse, from, tables::horse(from, occupied) & targets);
    }
    for from in board.kind_set(Kind::Elephant) & pieces {
        visit(Kind::Elephant, from, tables::elephant(from, occupied) & targets);
    }
    for from in board.kind_set(Kind::Advisor) & pieces {
        visit(Kind::Advisor, from, tables::advisor(from) & targets);
    }
    let soldiers = board.kind_set(Kind::Soldier) & pieces;
    if merge {
        // In each direction a target has one origin, so the three population counts give the number of moves.
        let crossed = soldiers - U::HOME;
        let west = Bitboard((crossed - Bitboard::file(0)).0 >> 1);
        let east = Bitboard((crossed - Bitboard::file(8)).0 << 1);
        for set in [U::forward(soldiers), west, east] {
            visit(Kind::Soldier, Square::wrapping(0), set & targets);
        }
    } else {
        for from in soldiers {
            visit(Kind::Soldier, from, tables::soldier(U::SIDE, from) & targets);
        }
    }
}

/// Moves to `targets` of pieces whose every move must be tested, without the king.
#[inline(always)]
pub(in crate::xiangqi) fn tested_pieces<U: Us>(
    board: &Board,
    king: Square,
    pieces: Bitboard,
    targets: Bitboard,
    visit: &mut impl FnMut(Kind, Square, Bitboard),
) {
    if (pieces - Bitboard::of(king)).is_empty() || targets.is_empty() {
        return;
    }
    for &kind in &Kind::ALL[..Kind::King.index()] {
        for from in board.kind_set(kind) & pieces {
            let set = reach(U::SIDE, kind, from, board.occupied()) & targets;
            visit(kind, from, safe_targets::<U>(board, king, from, set));
        }
    }
}

/// The squares of `targets` to which the piece on `from` can move without leaving its king in check.
#[inline(always)]
fn safe_targets<U: Us>(board: &Board, king: Square, from: Square, targets: Bitboard) -> Bitboard {
    let mut legal = targets;
    for to in targets {
        if !is_safe_after::<U>(board, king, from, to) {
            legal -= Bitboard::of(to);
        }
    }
    legal
}

with_bits! {
    /// The number of legal moves of `U`, who is to move.
    pub(in crate::xiangqi) fn count_legal<U: Us>(board: &Board, pins: &ChecksAndPins) -> u64 {
        let mut count = CountSink::default();
        generate::<U, ALL, _>(board, pins, &mut count);
        count.0
    }
}

/// Whether `m`, any sixteen bits, is legal; `U` is to move and has these checks and pins.
///
/// Whether the piece reaches its target takes one or two table look-ups. What it must not do to its king, the checks
/// and pins say; only moves that they leave open are tried.
#[inline(always)]
pub(in crate::xiangqi) fn is_legal<U: Us>(board: &Board, pins: &ChecksAndPins, m: Move) -> bool {
    let (us, occupied) = (board.side_set(U::SIDE), board.occupied());
    let (from, to) = (m.from(), m.to());
    if !us.contains(from) || us.contains(to) {
        return false;
    }
    let is = |kind| board.kind_set(kind).contains(from);
    let king = board.king(U::SIDE);
    let reaches = match m.kind() {
        MoveKind::Horse => is(Kind::Horse) && tables::horse(from, occupied).contains(to),
        MoveKind::Chariot | MoveKind::Cannon if !tables::cross(from).contains(to) => false,
        MoveKind::Chariot => is(Kind::Chariot) && !tables::between(from, to).meets(occupied),
        MoveKind::Cannon => {
            let screens = (tables::between(from, to) & occupied).count();
            is(Kind::Cannon) && screens == u32::from(board.is_capture(m))
        }
        MoveKind::Step if from == king => {
            return tables::king(from).contains(to) && king_may_step::<U>(board, king, to);
        }
        MoveKind::Step => {
            is(Kind::Soldier) && tables::soldier(U::SIDE, from).contains(to)
                || is(Kind::Advisor) && tables::advisor(from).contains(to)
                || is(Kind::Elephant) && tables::elephant(from, occupied).contains(to)
        }
    };
    let (allowed, is_free) = if pins.checkers.is_empty() {
        (!pins.hollow.contains(to), !pins.pinned.contains(from))
    } else {
        (pins.screens.contains(from) || pins.evasion.contains(to), false)
    };
    reaches && allowed && (is_free || is_safe_after::<U>(board, king, from, to))
}
