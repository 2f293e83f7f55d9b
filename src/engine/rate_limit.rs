//! A rate limit for the output lines of a search: a burst of 100 lines, then one line per millisecond.
//!
//! In decided positions hundreds of iterations can finish within a millisecond, and some GUIs read slowly. Nothing here
//! reads a clock or prints.

use std::time::Duration;

/// Burst size: lines allowed at once after a pause.
const BURST: i64 = 100;

/// Tracks how many lines are allowed (a token bucket).
pub(super) struct RateLimit {
    left: i64,
    /// Time of the last update of `left`, in milliseconds of the search.
    at: u128,
}

impl RateLimit {
    pub(super) fn new() -> Self {
        RateLimit { left: BURST, at: 0 }
    }

    /// Counts lines that are printed at `time` in any case. `left` can become negative.
    pub(super) fn spend(&mut self, lines: usize, time: Duration) {
        let now = time.as_millis();
        let passed = i64::try_from(now.saturating_sub(self.at)).unwrap_or(i64::MAX);
        self.left = self.left.saturating_add(passed).min(BURST);
        self.at = now;
        self.left -= lines as i64;
    }

    /// Whether `lines` lines are allowed at `time`; counts them if so. A group larger than the burst is allowed when
    /// the full burst is available.
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

    /// Number of lines allowed, in groups of `lines`, with `tries` attempts in each of `milliseconds`.
    fn allowed_lines(lines: usize, tries: usize, milliseconds: u64) -> usize {
        let mut limit = RateLimit::new();
        (0..milliseconds)
            .flat_map(|ms| std::iter::repeat_n(Duration::from_millis(ms), tries))
            .filter(|&time| limit.allows(lines, time))
            .count()
            * lines
    }

    #[test]
    fn burst_then_one_line_per_millisecond() {
        assert_eq!(allowed_lines(1, 500, 1), 100);
        assert_eq!(allowed_lines(1, 500, 51), 150);
        assert_eq!(allowed_lines(5, 500, 101), 200);
        assert_eq!(allowed_lines(1, 1, 5_000), 5_000);
    }

    #[test]
    fn a_pause_refills_the_burst_only() {
        let mut limit = RateLimit::new();
        let later = Duration::from_secs(60);
        assert_eq!((0..1_000).filter(|_| limit.allows(1, later)).count(), 100);
    }

    #[test]
    fn large_groups_are_allowed_and_charged() {
        let mut limit = RateLimit::new();
        let ms = Duration::from_millis;
        assert!(limit.allows(218, ms(0)));
        assert!(!limit.allows(1, ms(118)) && limit.allows(1, ms(119)));
        assert!(!limit.allows(218, ms(200)) && limit.allows(218, ms(300)));
        limit.spend(1_000, ms(300));
        assert!(!limit.allows(1, ms(1_000)));
    }
}
