//! The numbers that the engine computes with: centipawns from the side to move's point of view, with mate distances
//! encoded in the same number. What users see is made of them: `search::Score`, and the scores of the protocols, on
//! the scale of `game::search::win_model`.
//!
//! Used throughout the engine and by everything that prints scores. Depends on no game.

use crate::game::TableResult;

/// A score as the engine has it, in centipawns; positive is good for the side to move.
pub type Value = i32;

/// Maximum ply of a search.
pub const MAX_PLY: usize = 240;
/// Base of mate scores: a mate in `n` plies scores `MATE - n`.
pub const MATE: Value = 32_000;
/// Greater than every score.
pub const INFINITE: Value = 32_001;
/// "No score", for tables; never the result of a search.
pub const NONE: Value = 32_002;
/// Scores of at least this absolute value are mates.
pub const MATE_BOUND: Value = MATE - MAX_PLY as Value;
/// Base of forfeit scores: a game decided by the repetition rules after `n` plies scores `FORFEIT - n`. Less than any
/// mate. Such scores depend on the moves that led to the position, so table entries with them must not cause cutoffs.
pub const FORFEIT: Value = 30_000;
/// Base of tablebase scores: a tablebase win reached `n` plies from the root scores `TABLEBASE_WIN - n`. Less than a
/// mate that the search has found.
pub const TABLEBASE_WIN: Value = 28_000;
/// Scores of at least this absolute value are decided games: mates, forfeits and tablebase wins.
pub const DECIDED_BOUND: Value = TABLEBASE_WIN - MAX_PLY as Value;
/// Evaluations have an absolute value strictly below this.
pub const EVAL_BOUND: Value = 20_000;
/// The score of a drawn game.
pub const DRAW: Value = 0;

/// The bound type of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Bound {
    /// Upper bound: the search failed low.
    #[default]
    Upper = 1,
    /// Lower bound: the search failed high.
    Lower = 2,
    /// The exact value.
    Exact = 3,
}

/// The score for giving mate `ply` plies from the root.
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// The score for being mated `ply` plies from the root.
pub const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// The score for winning by the repetition rules `ply` plies from the root.
pub const fn forfeit_in(ply: usize) -> Value {
    FORFEIT - ply as Value
}

/// The score for reaching a tablebase win `ply` plies from the root.
pub const fn tablebase_win_in(ply: usize) -> Value {
    TABLEBASE_WIN - ply as Value
}

/// Whether the score is a decided game: a mate, a forfeit or a tablebase win, for either side.
pub const fn is_decided(score: Value) -> bool {
    score >= DECIDED_BOUND && score <= MATE || score <= -DECIDED_BOUND && score >= -MATE
}

/// Whether the score is a decided loss: the side to move is mated, forfeits, or loses by the tablebases.
pub const fn is_lost(score: Value) -> bool {
    score <= -DECIDED_BOUND && score >= -MATE
}

/// Whether the score is a game decided by the repetition rules.
pub const fn is_forfeit(score: Value) -> bool {
    let size = score.abs();
    size >= FORFEIT - MAX_PLY as Value && size <= FORFEIT
}

/// Whether the score is a tablebase win for either side.
const fn is_tablebase_win(score: Value) -> bool {
    let size = score.abs();
    size >= DECIDED_BOUND && size <= TABLEBASE_WIN
}

/// Whether the score is a mate for either side.
pub const fn is_mate(score: Value) -> bool {
    score >= MATE_BOUND && score <= MATE || score <= -MATE_BOUND && score >= -MATE
}

/// Plies to mate: positive if the side to move mates, negative if it is mated, zero if it is mated already. `None` if
/// the score is not a mate.
pub const fn mate_plies(score: Value) -> Option<i32> {
    if !is_mate(score) {
        None
    } else if score > 0 {
        Some(MATE - score)
    } else {
        Some(-(MATE + score))
    }
}

/// Moves to mate as protocols count them: positive if the side to move mates, negative if it is mated, zero if it is
/// mated already. Counts the moves of the side to move. `None` if the score is not a mate.
pub const fn mate_moves(score: Value) -> Option<i32> {
    match mate_plies(score) {
        Some(plies) if plies > 0 => Some((plies + 1) / 2),
        Some(plies) => Some(plies / 2),
        None => None,
    }
}

/// Converts a score to table form: mates and tablebase wins are counted from the stored position instead of the root.
pub const fn to_tt(score: Value, ply: usize) -> Value {
    if is_mate(score) || is_tablebase_win(score) { score + score.signum() * ply as Value } else { score }
}

/// Converts a score from table form, for a position `ply` plies from the root.
pub const fn from_tt(score: Value, ply: usize) -> Value {
    if is_mate(score) || is_tablebase_win(score) { score - score.signum() * ply as Value } else { score }
}

/// The score of a tablebase result `ply` plies from the root, and its bound type. A win is a lower bound, because it
/// may be a mate, which scores more.
pub fn of_result(result: TableResult, ply: usize, ignores_fifty_moves: bool) -> (Value, Bound) {
    let win = tablebase_win_in(ply);
    match result {
        TableResult::Win => (win, Bound::Lower),
        TableResult::Loss => (-win, Bound::Upper),
        TableResult::CursedWin if ignores_fifty_moves => (win, Bound::Lower),
        TableResult::BlessedLoss if ignores_fifty_moves => (-win, Bound::Upper),
        // Slightly better than a draw: opponents make mistakes.
        TableResult::CursedWin => (DRAW + 1, Bound::Exact),
        TableResult::BlessedLoss => (DRAW - 1, Bound::Exact),
        TableResult::Draw => (DRAW, Bound::Exact),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_moves_count_those_of_the_side_to_move() {
        assert_eq!(mate_moves(mate_in(1)), Some(1));
        assert_eq!(mate_moves(mate_in(3)), Some(2));
        assert_eq!(mate_moves(mated_in(0)), Some(0));
        assert_eq!(mate_moves(mated_in(2)), Some(-1));
        assert_eq!(mate_moves(mated_in(4)), Some(-2));
        for score in [0, 1, -1, EVAL_BOUND, -EVAL_BOUND, NONE, INFINITE] {
            assert_eq!(mate_plies(score), None, "{score}");
        }
        assert_eq!(mate_plies(mate_in(MAX_PLY)), Some(MAX_PLY as i32));
    }

    #[test]
    fn forfeits_are_between_evaluations_and_mates() {
        for ply in [0, 1, MAX_PLY] {
            for score in [forfeit_in(ply), -forfeit_in(ply)] {
                assert!(is_forfeit(score) && is_decided(score) && !is_mate(score));
                assert!(score.abs() > EVAL_BOUND && score.abs() < MATE_BOUND);
                assert_eq!(mate_moves(score), None);
            }
            assert!(is_decided(mate_in(ply)) && !is_forfeit(mate_in(ply)));
        }
        for score in [0, EVAL_BOUND, -EVAL_BOUND, NONE, INFINITE] {
            assert!(!is_decided(score) && !is_forfeit(score));
        }
    }

    #[test]
    fn tablebase_wins_are_between_evaluations_and_forfeits() {
        for ply in [0, 1, MAX_PLY] {
            for score in [tablebase_win_in(ply), -tablebase_win_in(ply)] {
                assert!(is_decided(score) && !is_forfeit(score) && !is_mate(score));
                assert!(score.abs() > EVAL_BOUND && score.abs() < forfeit_in(MAX_PLY));
            }
            assert!(is_forfeit(forfeit_in(ply)) && !is_tablebase_win(forfeit_in(ply)));
        }
    }

    #[test]
    fn table_form_round_trips_at_the_same_ply() {
        for ply in [0, 1, 17, MAX_PLY - 1] {
            let win = tablebase_win_in(ply);
            for score in [0, 55, -7_000, mate_in(ply), mated_in(ply), mate_in(ply + 1), win, -win] {
                assert_eq!(from_tt(to_tt(score, ply), ply), score);
            }
        }
        assert_eq!(to_tt(mate_in(9), 4), mate_in(5));
        assert_eq!(to_tt(mated_in(9), 4), mated_in(5));
    }
}
