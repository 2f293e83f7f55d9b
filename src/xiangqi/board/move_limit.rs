//! The move limit: how many moves without a capture end the game, and which of them count.
//!
//! `make` counts checks here if the rules ask for that. Plain perft reads none of it.

use super::Board;
use crate::game::Position;
use crate::xiangqi::types::{CheckCount, Ruleset};

/// The checks of a side that count.
const TEN: u8 = 10;

impl Position<Board> {
    /// The same position under other rules on repetition and the move limit. Checks are counted from here on.
    ///
    /// ```
    /// use tabiya::xiangqi::{Position, Ruleset};
    ///
    /// let position: Position = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 100 90".parse()?;
    /// assert!(!position.is_sixty_move_draw());
    /// let fifty = Ruleset { move_limit: 50, ..position.ruleset() };
    /// assert!(position.with_ruleset(fifty).is_sixty_move_draw());
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[must_use]
    pub const fn with_ruleset(mut self, ruleset: Ruleset) -> Self {
        if !ruleset.ten_checks {
            self.extra.check_count = CheckCount::NONE;
        }
        self.extra.ruleset = ruleset;
        self
    }

    /// The rules on repetition and the move limit.
    pub const fn ruleset(&self) -> Ruleset {
        self.extra.ruleset
    }

    /// Counts the check that a move gave, and the plies that do not count: `capture` says whether it was a capture,
    /// `in_check` whether the side that made it was in check.
    pub(super) fn count_check(&mut self, capture: bool, in_check: bool) {
        if capture {
            self.extra.check_count = CheckCount::NONE;
            return;
        }
        let (us, them) = (self.side().index(), self.side().flip().index());
        let gives_check = self.in_check();
        let count = &mut self.extra.check_count;
        // The reply to a check that does not count.
        let mut free = in_check && count.checks[us] > TEN;
        if gives_check {
            count.checks[them] = count.checks[them].saturating_add(1);
            free |= count.checks[them] > TEN;
        }
        count.free = count.free.saturating_add(u16::from(free));
    }

    /// Plies until the move limit (sixty moves, unless the [rules](Ruleset::move_limit) have another) ends the game, if
    /// nothing is captured; 65,535 if there is no limit.
    pub fn plies_to_sixty_move_draw(&self) -> u32 {
        let counted = u32::from(self.halfmove.saturating_sub(self.extra.check_count.free));
        match self.extra.ruleset.move_limit {
            0 => u32::from(u16::MAX),
            moves => (2 * u32::from(moves)).saturating_sub(counted),
        }
    }

    /// Whether the move limit ends the game here; having no legal move takes precedence.
    pub fn is_sixty_move_draw(&self) -> bool {
        self.plies_to_sixty_move_draw() == 0 && self.count_legal() > 0
    }

    /// A number that is the same where the move limit is as near, and stays so by the same moves.
    #[cfg(feature = "search")]
    pub(in crate::xiangqi) fn move_limit_state(&self) -> u64 {
        let [red, black] = self.extra.check_count.checks.map(|checks| u64::from(checks.min(TEN + 1)));
        u64::from(self.plies_to_sixty_move_draw()) | red << 32 | black << 40
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::Position;

    /// The position after `cycle`, made until it is a draw by the move limit or `most` moves have been made, and the
    /// number of moves.
    fn until_limit(fen: &str, cycle: &str, ruleset: Ruleset, most: usize) -> (Position, usize) {
        let mut pos = Position::from_fen(fen).unwrap().with_ruleset(ruleset);
        let mut made = 0;
        for text in cycle.split(' ').cycle() {
            if pos.is_sixty_move_draw() || made == most {
                break;
            }
            pos.make(pos.parse_move(text).unwrap());
            made += 1;
        }
        (pos, made)
    }

    #[test]
    fn the_limit_counts_moves_of_both_sides() {
        let fen = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1";
        let quiet = "a1a2 d9d8 a2a1 d8d9";
        for (move_limit, plies) in [(60, 120), (50, 100), (1, 2), (0, 500)] {
            for ten_checks in [false, true] {
                let ruleset = Ruleset { move_limit, ten_checks, ..Ruleset::default() };
                assert_eq!(until_limit(fen, quiet, ruleset, 500).1, plies, "{ruleset:?}");
            }
        }
    }

    #[test]
    fn of_checks_beyond_ten_neither_they_nor_the_replies_count() {
        let fen = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
        let checks = "e1d1 d9e9 d1e1 e9d9";
        let every = Ruleset::default();
        assert_eq!(until_limit(fen, checks, every, 500).1, 120);
        let ten = Ruleset { ten_checks: true, ..every };
        let (pos, made) = until_limit(fen, checks, ten, 500);
        // Ten checks and ten replies have counted.
        assert_eq!((made, pos.plies_to_sixty_move_draw()), (500, 100));
        assert_eq!(pos.halfmove_clock(), 500, "the clock of the FEN counts all plies");
        // Two checks in eight plies: all of the first 40 plies count, then half of 160.
        let mixed = "e1d1 d9e9 d1d2 e9e8 d2e2 e8d8 e2e1 d8d9";
        assert_eq!(until_limit(fen, mixed, ten, 500).1, 200);
    }

    #[test]
    fn a_capture_begins_anew() {
        let fen = "3k5/9/9/9/9/9/9/9/p3R4/5K3 w - - 0 1";
        let ten = Ruleset { ten_checks: true, ..Ruleset::default() };
        let (mut pos, _) = until_limit(fen, "e1d1 d9e9 d1e1 e9d9", ten, 60);
        assert_eq!((pos.plies_to_sixty_move_draw(), pos.extra.check_count.free), (100, 40));
        pos.make(pos.parse_move("e1a1").unwrap());
        assert_eq!((pos.plies_to_sixty_move_draw(), pos.extra.check_count), (120, CheckCount::NONE));
    }

    #[test]
    #[cfg(feature = "search")]
    fn checks_so_far_are_part_of_the_state() {
        let fen = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
        let (quiet, checks) = ("e1e2 d9d8 e2e1 d8d9", "e1d1 d9e9 d1e1 e9d9");
        let after = |cycle, ten_checks| {
            let ruleset = Ruleset { ten_checks, ..Ruleset::default() };
            until_limit(fen, cycle, ruleset, 8).0
        };
        for (ten_checks, same) in [(false, true), (true, false)] {
            let [one, other] = [quiet, checks].map(|cycle| after(cycle, ten_checks));
            assert!(one.same_position(&other));
            assert_eq!(one.plies_to_sixty_move_draw(), other.plies_to_sixty_move_draw());
            assert_eq!(one.move_limit_state() == other.move_limit_state(), same);
        }
        // Without the rule nothing is left of the count.
        let reset = after(checks, true).with_ruleset(Ruleset::default());
        assert_eq!(reset, after(checks, false));
    }
}
