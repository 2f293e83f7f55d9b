//! How many lines a search may say: a reader gets about a hundred at once, and then one a millisecond.
//!
//! Kept by the reporting thread of a search. Where the game is decided, hundreds of iterations end within a
//! millisecond, and some programs are slow readers. Nothing here reads a clock or prints.

use std::time::Duration;

/// Lines that may be said at once, after a silence.
const BURST: i64 = 100;

/// What may be said by now.
pub(super) struct RateLimit {
    left: i64,
    /// When `left` was last looked at, in milliseconds of the search.
    at: u128,
}

impl RateLimit {
    pub(super) fn new() -> Self {
        RateLimit { left: BURST, at: 0 }
    }

    /// Counts lines that have to be said at `time`, whatever was said before.
    pub(super) fn spend(&mut self, lines: usize, time: Duration) {
        let now = time.as_millis();
        let passed = i64::try_from(now.saturating_sub(self.at)).unwrap_or(i64::MAX);
        self.left = self.left.saturating_add(passed).min(BURST);
        self.at = now;
        self.left -= lines as i64;
    }

    /// Whether so many lines may be said at `time`; counts them if so. More than can be had at once are let
    /// through after a silence.
    pub(super) fn allows(&mut self, lines: usize, time: Duration) -> bool {
        self.spend(0, time);
        let allowed = self.left >= (lines as i64).min(BURST);
        if allowed {
            self.left -= lines as i64;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What of groups of `lines` gets through, asked for `tries` times in each of `milliseconds`.
    fn said(lines: usize, tries: usize, milliseconds: u64) -> usize {
        let mut limit = RateLimit::new();
        (0..milliseconds)
            .flat_map(|ms| std::iter::repeat_n(Duration::from_millis(ms), tries))
            .filter(|&time| limit.allows(lines, time))
            .count()
            * lines
    }

    #[test]
    fn a_hundred_at_once_and_one_a_millisecond() {
        assert_eq!(said(1, 500, 1), 100);
        assert_eq!(said(1, 500, 51), 150);
        assert_eq!(said(5, 500, 101), 200);
        assert_eq!(said(1, 1, 5_000), 5_000);
    }

    #[test]
    fn a_silence_saves_up_a_hundred_and_no_more() {
        let mut limit = RateLimit::new();
        let later = Duration::from_secs(60);
        assert_eq!((0..1_000).filter(|_| limit.allows(1, later)).count(), 100);
    }

    #[test]
    fn large_groups_are_paid_for_afterwards() {
        let mut limit = RateLimit::new();
        let ms = Duration::from_millis;
        assert!(limit.allows(218, ms(0)));
        assert!(!limit.allows(1, ms(118)) && limit.allows(1, ms(119)));
        assert!(!limit.allows(218, ms(200)) && limit.allows(218, ms(300)));
        limit.spend(1_000, ms(300));
        assert!(!limit.allows(1, ms(1_000)));
    }
}
