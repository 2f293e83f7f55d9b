//! The one legal move generator, specialised at compile time by colour, selection, CPU and sink.
//!
//! `generate` sends all, noisy or quiet moves to a sink; everything else is a method of the contract `Rules`
//! on top of it. What binds the side to move is found before any piece is looked at (`ChecksAndPins`): the moves of
//! the king, of pieces that shield it and answers to a check are tried one by one, all others are legal
//! as they are. Callers: `contract`, `perft`.

use super::attacks::{king_is_attacked, reach};
use super::position::Position;
use super::tables::{self, Cpu, SliderAttacks, Task};
use crate::game::{Side, Sink};
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::moves::{Move, MoveKind};
use crate::xiangqi::types::piece::{Black, Kind, Red, Us};
use crate::xiangqi::types::square::Square;

pub(in crate::xiangqi) use crate::game::rules::{ALL, NOISY, QUIET};

/// What binds the side to move: checks, shields, and cannons with nothing before them.
pub(in crate::xiangqi) struct ChecksAndPins {
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// Own pieces that cannot leave their place freely: alone before a chariot or the enemy king, one of
    /// two before a cannon, on the leg of a horse.
    pub bound: Bitboard,
    /// Empty squares between the king and an enemy cannon: a piece that enters becomes its screen.
    pub hollow: Bitboard,
    /// Where a move must end to answer all checks, for pieces that are no screen of a checking cannon.
    pub evasion: Bitboard,
    /// Own screens of checking cannons.
    pub screens: Bitboard,
}

impl ChecksAndPins {
    /// The pins of `U`, whose king stands on `king`.
    #[inline(always)]
    pub fn of<U: Us>(pos: &Position, king: Square) -> ChecksAndPins {
        let (us, them) = (pos.side_set(U::SIDE), pos.side_set(U::Them::SIDE));
        let occupied = us | them;
        let mut pins = ChecksAndPins {
            checkers: Bitboard::EMPTY,
            bound: Bitboard::EMPTY,
            hollow: Bitboard::EMPTY,
            evasion: Bitboard::ALL,
            screens: Bitboard::EMPTY,
        };
        let lined = tables::cross(king) & them;
        for slider in lined & (pos.kind_set(Kind::Chariot) | pos.kind_set(Kind::King)) {
            let path = tables::between(king, slider);
            let blockers = path & occupied;
            if blockers.is_empty() {
                pins.check(slider, path);
            } else if !blockers.several() {
                pins.bound |= blockers & us;
            }
        }
        for cannon in lined & pos.kind_set(Kind::Cannon) {
            let path = tables::between(king, cannon);
            let blockers = path & occupied;
            if blockers.is_empty() {
                pins.hollow |= path;
            } else if !blockers.several() {
                pins.check(cannon, path & !blockers);
                pins.screens |= blockers & us;
            } else if !blockers.without_lowest().several() {
                pins.bound |= blockers & us;
            }
        }
        for horse in tables::horse_back(king, Bitboard::EMPTY) & pos.kind_set(Kind::Horse) & them {
            let leg = horse_leg(king, horse);
            if leg.meets(occupied) {
                pins.bound |= leg & us;
            } else {
                pins.check(horse, leg);
            }
        }
        let soldiers = pos.kind_set(Kind::Soldier) & them;
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

/// The leg over which a horse on `horse` attacks `king`, one knight's jump away: the square beside the
/// horse on the way.
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

/// Whether the king of `U` on `king` is safe after the piece on `from`, not the king, has gone to `to`.
#[inline(always)]
fn is_safe_after<U: Us>(pos: &Position, king: Square, from: Square, to: Square) -> bool {
    let (from, to) = (Bitboard::of(from), Bitboard::of(to));
    let occupied = pos.occupied() & !from | to;
    let enemies = pos.side_set(U::Them::SIDE) & !to;
    !king_is_attacked(pos, U::Them::SIDE, enemies, king, occupied)
}

/// Whether the king of `U` on `king` may step to `to`.
#[inline(always)]
fn king_may_step<U: Us>(pos: &Position, king: Square, to: Square) -> bool {
    let occupied = pos.occupied() & !Bitboard::of(king) | Bitboard::of(to);
    let enemies = pos.side_set(U::Them::SIDE) & !Bitboard::of(to);
    !king_is_attacked(pos, U::Them::SIDE, enemies, to, occupied)
}

/// Sends the legal moves of `U`, who is to move, to `sink`; only those of pieces on `movers`.
#[inline(always)]
pub(in crate::xiangqi) fn generate<U: Us, const SELECT: u8, C: Cpu, S: Sink<Move>>(
    pos: &Position,
    cpu: C,
    movers: Bitboard,
    sink: &mut S,
) {
    let wanted = match SELECT {
        NOISY => pos.side_set(U::Them::SIDE),
        QUIET => Bitboard::ALL & !pos.occupied(),
        _ => Bitboard::ALL & !pos.side_set(U::SIDE),
    };
    let king = pos.king(U::SIDE);
    let pins = ChecksAndPins::of::<U>(pos, king);
    let pieces = pos.side_set(U::SIDE) & movers;
    let visit = &mut |kind: Kind, from: Square, targets: Bitboard| {
        sink.take(targets, |to| Move::new(from, to, MoveKind::of(kind)));
    };
    let wish = Wish { pieces, targets: wanted, merge: S::COUNTS_ONLY };
    legal_sets::<U, C>(pos, cpu, &pins, wish, visit);
}

/// Which moves are asked for.
pub(in crate::xiangqi) struct Wish {
    /// The pieces that may move, and where to.
    pub pieces: Bitboard,
    pub targets: Bitboard,
    /// Only numbers matter: all soldiers are visited at once, by direction, on no particular square.
    pub merge: bool,
}

/// Calls `visit` with kind, place and legal targets of each piece of `U` that is asked for. `pins` are those
/// of its king.
#[inline(always)]
pub(in crate::xiangqi) fn legal_sets<U: Us, C: Cpu>(
    pos: &Position,
    cpu: C,
    pins: &ChecksAndPins,
    wish: Wish,
    visit: &mut impl FnMut(Kind, Square, Bitboard),
) {
    let Wish { pieces, targets: wanted, merge } = wish;
    let king = pos.king(U::SIDE);
    if pieces.contains(king) {
        let mut steps = tables::king(king) & wanted;
        for to in steps {
            if !king_may_step::<U>(pos, king, to) {
                steps &= !Bitboard::of(to);
            }
        }
        visit(Kind::King, king, steps);
    }
    if pins.checkers.is_empty() {
        let targets = wanted & !pins.hollow;
        free_pieces::<U, C>(pos, cpu, pieces & !pins.bound, targets, merge, visit);
        tried_pieces::<U, C>(pos, cpu, king, pieces & pins.bound, targets, visit);
    } else {
        let screens = pieces & pins.screens;
        let others = pieces & !pins.screens;
        tried_pieces::<U, C>(pos, cpu, king, others, wanted & pins.evasion, visit);
        tried_pieces::<U, C>(pos, cpu, king, screens, wanted, visit);
    }
}

/// Moves to `targets` of pieces that nothing binds; the king is left out.
#[inline(always)]
pub(in crate::xiangqi) fn free_pieces<U: Us, C: Cpu>(
    pos: &Position,
    cpu: C,
    pieces: Bitboard,
    targets: Bitboard,
    merge: bool,
    visit: &mut impl FnMut(Kind, Square, Bitboard),
) {
    let occupied = pos.occupied();
    for from in pos.kind_set(Kind::Chariot) & pieces {
        visit(Kind::Chariot, from, cpu.lines(from, occupied).0 & targets);
    }
    for from in pos.kind_set(Kind::Cannon) & pieces {
        visit(Kind::Cannon, from, cpu.lines(from, occupied).1 & targets);
    }
    for from in pos.kind_set(Kind::Horse) & pieces {
        visit(Kind::Horse, from, tables::horse(from, occupied) & targets);
    }
    for from in pos.kind_set(Kind::Elephant) & pieces {
        visit(Kind::Elephant, from, tables::elephant(from, occupied) & targets);
    }
    for from in pos.kind_set(Kind::Advisor) & pieces {
        visit(Kind::Advisor, from, tables::advisor(from) & targets);
    }
    let soldiers = pos.kind_set(Kind::Soldier) & pieces;
    if merge {
        // Each way has one origin for every target, so three populations are the number of moves.
        let crossed = soldiers & !U::HOME;
        let west = Bitboard((crossed & !Bitboard::file(0)).0 >> 1);
        let east = Bitboard((crossed & !Bitboard::file(8)).0 << 1);
        for set in [U::forward(soldiers), west, east] {
            visit(Kind::Soldier, Square::wrapping(0), set & targets);
        }
    } else {
        for from in soldiers {
            visit(Kind::Soldier, from, tables::soldier(U::SIDE, from) & targets);
        }
    }
}

/// Moves to `targets` of pieces whose every move must be tried; the king is left out.
#[inline(always)]
pub(in crate::xiangqi) fn tried_pieces<U: Us, C: Cpu>(
    pos: &Position,
    cpu: C,
    king: Square,
    pieces: Bitboard,
    targets: Bitboard,
    visit: &mut impl FnMut(Kind, Square, Bitboard),
) {
    if (pieces & !Bitboard::of(king)).is_empty() || targets.is_empty() {
        return;
    }
    for &kind in &Kind::ALL[..Kind::King.index()] {
        for from in pos.kind_set(kind) & pieces {
            let set = reach(cpu, U::SIDE, kind, from, pos.occupied()) & targets;
            visit(kind, from, safe_targets::<U>(pos, king, from, set));
        }
    }
}

/// The members of `targets` to which the piece on `from` can go without leaving its king attacked.
#[inline(always)]
fn safe_targets<U: Us>(pos: &Position, king: Square, from: Square, targets: Bitboard) -> Bitboard {
    let mut legal = targets;
    for to in targets {
        if !is_safe_after::<U>(pos, king, from, to) {
            legal &= !Bitboard::of(to);
        }
    }
    legal
}

/// Runs the generator for whoever is to move on the best instructions there are.
struct Generate<'a, const SELECT: u8, S> {
    pos: &'a Position,
    movers: Bitboard,
    sink: &'a mut S,
}

impl<const SELECT: u8, S: Sink<Move>> Task for Generate<'_, SELECT, S> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        match self.pos.side() {
            Side::First => generate::<Red, SELECT, C, S>(self.pos, cpu, self.movers, self.sink),
            Side::Second => generate::<Black, SELECT, C, S>(self.pos, cpu, self.movers, self.sink),
        }
    }
}

/// [`generate`] for whoever is to move, of the piece on the square of index `from` or of all.
pub(in crate::xiangqi) fn run<const SELECT: u8, S: Sink<Move>>(
    pos: &Position,
    from: Option<usize>,
    sink: &mut S,
) {
    let movers = from.map_or(Bitboard::ALL, |i| Bitboard::of(Square::wrapping(i as u32)));
    tables::dispatch(Generate::<SELECT, S> { pos, movers, sink });
}
