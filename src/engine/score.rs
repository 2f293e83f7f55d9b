//! Scores in centipawns of the evaluation, seen from the side to move, and mate distances inside the same number.
//! What a protocol shows may be on another scale (`game::win_model`).
//!
//! Used by every file of the engine and by whoever prints a score. Nothing here knows a game.

/// A score in centipawns; positive is good for the side to move.
pub type Score = i32;

/// Deepest line that is ever searched, in plies from the root.
pub const MAX_PLY: usize = 240;
/// Delivering mate on the spot would score this; a mate in `n` plies scores `MATE - n`.
pub const MATE: Score = 32_000;
/// Larger than every score.
pub const INFINITE: Score = 32_001;
/// "No score", for tables; never the result of a search.
pub const NONE: Score = 32_002;
/// Scores of at least this size are mates.
pub const MATE_BOUND: Score = MATE - MAX_PLY as Score;
/// A game that the rules about repetition decide `n` plies on scores `FORFEIT - n`: worth less than any mate,
/// and nothing that a table may claim, because it depends on the moves that led to the position.
pub const FORFEIT: Score = 30_000;
/// A position that endgame tables call won, `n` plies from the root, scores `TABLE_WIN - n`: worth less than a mate
/// that was seen.
pub const TABLE_WIN: Score = 28_000;
/// Scores of at least this size are decided games: mates, forfeits and wins by tables.
pub const DECIDED_BOUND: Score = TABLE_WIN - MAX_PLY as Score;
/// Evaluations stay strictly below this size, clear of the mates.
pub const EVAL_BOUND: Score = 20_000;
/// The score of a drawn game.
pub const DRAW: Score = 0;

/// What a score says about the true value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the score: the search failed low.
    #[default]
    Upper = 1,
    /// The true value is at least the score: the search failed high.
    Lower = 2,
    /// The score is the value.
    Exact = 3,
}

/// The score of a side that mates `ply` plies from now.
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// The score of a side that is mated `ply` plies from now.
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// The score of a side to which the rules about repetition give the game `ply` plies from now.
pub const fn forfeit_in(ply: usize) -> Score {
    FORFEIT - ply as Score
}

/// The score of a side that wins, by endgame tables, the position reached `ply` plies from now.
pub const fn table_win_in(ply: usize) -> Score {
    TABLE_WIN - ply as Score
}

/// Whether the score is a game won or lost: by mate, by the rules about repetition, or by tables.
pub const fn is_decided(score: Score) -> bool {
    score >= DECIDED_BOUND && score <= MATE || score <= -DECIDED_BOUND && score >= -MATE
}

/// Whether the score is a game decided by the rules about repetition.
pub const fn is_forfeit(score: Score) -> bool {
    let size = score.abs();
    size >= FORFEIT - MAX_PLY as Score && size <= FORFEIT
}

/// Whether the score is a game decided by endgame tables.
const fn is_table_win(score: Score) -> bool {
    let size = score.abs();
    size >= DECIDED_BOUND && size <= TABLE_WIN
}

/// Whether the score is a mate for either side.
pub const fn is_mate(score: Score) -> bool {
    score >= MATE_BOUND && score <= MATE || score <= -MATE_BOUND && score >= -MATE
}

/// Plies to mate: positive if the side to move mates, negative or zero if it is mated (zero: it is mate
/// already). `None` if the score is no mate.
pub const fn mate_plies(score: Score) -> Option<i32> {
    if !is_mate(score) {
        None
    } else if score > 0 {
        Some(MATE - score)
    } else {
        Some(-(MATE + score))
    }
}

/// Full moves to mate as protocols count them: the mating side's moves if positive, the mated side's own
/// moves if negative, zero if it is mate already.
pub const fn mate_moves(score: Score) -> Option<i32> {
    match mate_plies(score) {
        Some(plies) if plies > 0 => Some((plies + 1) / 2),
        Some(plies) => Some(plies / 2),
        None => None,
    }
}

/// A score as the table keeps it: mates and wins by tables counted from the stored position instead of the root.
pub const fn to_table(score: Score, ply: usize) -> Score {
    if is_mate(score) || is_table_win(score) {
        score + score.signum() * ply as Score
    } else {
        score
    }
}

/// A score from the table, `ply` plies from the root.
pub const fn from_table(score: Score, ply: usize) -> Score {
    if is_mate(score) || is_table_win(score) {
        score - score.signum() * ply as Score
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_side_concerned() {
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
    fn forfeits_lie_between_evaluations_and_mates() {
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
    fn wins_by_tables_lie_between_evaluations_and_forfeits() {
        for ply in [0, 1, MAX_PLY] {
            for score in [table_win_in(ply), -table_win_in(ply)] {
                assert!(is_decided(score) && !is_forfeit(score) && !is_mate(score));
                assert!(score.abs() > EVAL_BOUND && score.abs() < forfeit_in(MAX_PLY));
            }
            assert!(is_forfeit(forfeit_in(ply)) && !is_table_win(forfeit_in(ply)));
        }
    }

    #[test]
    fn table_form_is_undone_at_the_same_ply() {
        for ply in [0, 1, 17, MAX_PLY - 1] {
            let win = table_win_in(ply);
            for score in [0, 55, -7_000, mate_in(ply), mated_in(ply), mate_in(ply + 1), win, -win] {
                assert_eq!(from_table(to_table(score, ply), ply), score);
            }
        }
        assert_eq!(to_table(mate_in(9), 4), mate_in(5));
        assert_eq!(to_table(mated_in(9), 4), mated_in(5));
    }
}
