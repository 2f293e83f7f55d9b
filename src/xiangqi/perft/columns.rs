//! Perft statistics of xiangqi: the columns of the last ply, counted by square sets where possible.
//!
//! Moves and captures are population counts. A move is made only if it may give check: if its target attacks the king
//! or is between the king and a cannon without a screen, or if its origin blocked a chariot, was one blocker too many
//! for a cannon, or blocked a horse's leg. There are no en passant captures, castling moves or promotions.
//!
//! A side without a legal move loses even if not in check, so there is a column of stalemates. Single moves need not
//! be tested for it if the opponent has two pieces with steps that none of our moves can make illegal.
//!
//! The slow reference is `game::columns_one_by_one`.

use super::walk::walk;
use crate::base::cpu::with_bits;
use crate::game::{CheckKind, Columns, Kernel, Side, columns_one_by_one};
use crate::xiangqi::Position;
use crate::xiangqi::board::Board;
use crate::xiangqi::board::movegen::{self, ChecksAndPins};
use crate::xiangqi::board::tables;
use crate::xiangqi::types::{Bitboard, Black, Kind, Red, Square, Us};

/// The columns over all sequences of exactly `depth` plies, counted with `kernel`.
pub(super) fn columns(pos: &Position, depth: u32, kernel: Kernel) -> Columns {
    if depth == 0 || kernel == Kernel::Scalar {
        return columns_one_by_one(pos, depth);
    }
    let mut columns = Columns::default();
    walk(pos, depth - 1, &mut |board| add_columns(board, &mut columns));
    columns
}

with_bits! {
    /// Adds the columns of all legal moves.
    fn add_columns(board: &Board, columns: &mut Columns) {
        match board.side {
            Side::First => count::<Red>(board, columns),
            Side::Second => count::<Black>(board, columns),
        }
    }
}

/// How the side to move can give check.
struct CheckSets {
    /// Squares from which a chariot, cannon, horse or soldier attacks the enemy king.
    chariot: Bitboard,
    cannon: Bitboard,
    horse: Bitboard,
    soldier: Bitboard,
    /// Empty squares where any piece would be the screen of a cannon.
    hollow: Bitboard,
    /// Pieces that may give check by leaving their square, whatever their target.
    discoverers: Bitboard,
}

impl CheckSets {
    /// For `U`, the side to move; the enemy king is on `king`.
    #[inline(always)]
    fn of<U: Us>(board: &Board, king: Square) -> CheckSets {
        let (own, occupied) = (board.side_set(U::SIDE), board.occupied());
        let near = tables::lines(king, occupied).0;
        let far = tables::lines(king, occupied - near).0;
        let cross = tables::cross(king);
        let cannons = board.kind_set(Kind::Cannon) & own & cross;
        let mut sets = CheckSets {
            chariot: near,
            cannon: far - near,
            horse: tables::horse_back(king, occupied),
            soldier: tables::soldier_back(U::SIDE, king),
            hollow: Bitboard::EMPTY,
            // A cannon on such a line may itself be the blocker or screen that another piece on it needs.
            discoverers: cannons,
        };
        for cannon in cannons {
            let path = tables::between(king, cannon);
            let blockers = path & occupied;
            if blockers.is_empty() {
                sets.hollow |= path;
            } else if !blockers.without_lowest().several() {
                sets.discoverers |= blockers & own;
            }
        }
        for chariot in board.kind_set(Kind::Chariot) & own & cross {
            let blockers = tables::between(king, chariot) & occupied;
            if !blockers.several() {
                sets.discoverers |= blockers & own;
            }
        }
        for horse in tables::horse_back(king, Bitboard::EMPTY) & board.kind_set(Kind::Horse) & own {
            sets.discoverers |= movegen::horse_leg(king, horse) & own;
        }
        sets
    }

    /// The targets where a piece of this type, moving from `from`, may give check.
    #[inline(always)]
    fn targets(&self, kind: Kind, from: Square) -> Bitboard {
        if self.discoverers.contains(from) {
            return Bitboard::ALL;
        }
        self.hollow
            | match kind {
                Kind::Chariot => self.chariot,
                Kind::Cannon => self.cannon,
                Kind::Horse => self.horse,
                Kind::Soldier => self.soldier,
                _ => Bitboard::EMPTY,
            }
    }
}

/// Adds the columns of all legal moves of `U`, the side to move.
#[inline(always)]
fn count<U: Us>(board: &Board, columns: &mut Columns) {
    let (own, foes) = (board.side_set(U::SIDE), board.side_set(U::Them::SIDE));
    let pins = ChecksAndPins::of::<U>(board);
    let sets = CheckSets::of::<U>(board, board.king(U::Them::SIDE));
    let stalemates = !always_has_a_move::<U::Them>(board);
    let visit = &mut |kind: Kind, from: Square, targets: Bitboard| {
        columns.nodes += u64::from(targets.count());
        columns.captures += u64::from((targets & foes).count());
        let made = if stalemates { targets } else { targets & sets.targets(kind, from) };
        for to in made {
            note::<U>(board, kind, from, to, columns);
        }
    };
    let wanted = !own;
    let selection = movegen::Selection { pieces: own, targets: wanted, merge: false };
    movegen::legal_sets::<U>(board, &pins, selection, visit);
}

/// Makes a move of `U` and counts the check, mate or stalemate that it gives.
#[inline(always)]
fn note<U: Us>(board: &Board, kind: Kind, from: Square, to: Square, columns: &mut Columns) {
    let mut child = *board;
    child.move_piece::<U>(kind, from, to);
    let checkers = child.attackers(U::SIDE, child.king(U::Them::SIDE));
    let direct = checkers.contains(to);
    let check = CheckKind::of(direct, checkers.count() - u32::from(direct));
    match (check, movegen::count_legal::<U::Them>(&child, &ChecksAndPins::of::<U::Them>(&child))) {
        (Some(kind), 0) => columns.mates[kind as usize] += 1,
        (Some(kind), _) => columns.checks[kind as usize] += 1,
        (None, 0) => columns.stalemates += 1,
        (None, _) => {}
    }
}

/// Whether `T`, the side not to move, certainly has a legal move after any move that does not give check.
///
/// Pieces on their king's lines or diagonally next to the king may be pinned. Any other soldier or chariot that has a
/// step to a square outside this area, empty or with an enemy on it, keeps a legal step unless it is captured. So two
/// of them are enough.
#[inline(always)]
fn always_has_a_move<T: Us>(board: &Board) -> bool {
    let king = board.king(T::SIDE);
    let own = board.side_set(T::SIDE);
    let mut beside = tables::cross(king);
    for horse in tables::horse_back(king, Bitboard::EMPTY) {
        beside |= movegen::horse_leg(king, horse);
    }
    let open = !own - beside;
    let soldiers = board.kind_set(Kind::Soldier) & (own - beside);
    let mut safe_movers = 0;
    for soldier in soldiers {
        safe_movers += u32::from(tables::soldier(T::SIDE, soldier).meets(open));
    }
    if safe_movers < 2 {
        for chariot in board.kind_set(Kind::Chariot) & (own - beside) {
            let next = |&to: &Square| tables::between(chariot, to).is_empty();
            safe_movers += u32::from((tables::cross(chariot) & open).into_iter().any(|to| next(&to)));
        }
    }
    safe_movers >= 2
}
