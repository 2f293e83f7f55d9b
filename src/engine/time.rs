//! Time management: turns the clock into soft and hard limits for one move. Only the engine's own clock counts.
//!
//! The soft limit is scaled during the search, by how stable the best move is.

use super::limits::Clock;
use std::time::Duration;

/// The time limits of one search; `None` for no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// No new iteration starts after this time, scaled by how stable the best move is. Counted from the start of the
    /// search: time spent pondering counts.
    pub soft: Option<Duration>,
    /// The search is stopped after this time. Counted from the start of the clock, which with pondering is the ponder
    /// hit.
    pub hard: Option<Duration>,
}

/// Without moves to go: number of later moves whose increments are included in the available time.
const INCREMENT_MOVES: u32 = 40;
/// Without moves to go: the share of the available time for one move. It is the first value for the first move,
/// increases by the second for each move played, and is at most the third. So moves get about the same time while the
/// game is decided, and later moves live on the increment.
const FIRST_SHARE: f64 = 0.038;
const SHARE_BY_MOVE: f64 = 0.0006;
const LARGEST_SHARE: f64 = 0.06;
/// Without moves to go: number of later moves whose overhead is set aside, as far as the increment does not cover it.
/// With this value games of 120 moves finish without time losses on the clocks on which Stockfish finishes them.
const OVERHEAD_MOVES: u32 = 55;
/// Cap on the moves to go.
const MAX_MOVES_TO_GO: u32 = 50;
/// Least reserve, in overheads, for moves that take longer than planned.
const RESERVE_OVERHEADS: u32 = 4;
/// Minimum overhead: sending an answer always takes some time.
const MIN_OVERHEAD: Duration = Duration::from_millis(1);

/// Longest wait for a disk; one that needs more is asleep.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// A share or a multiple of a time, at most [`Duration::MAX`]: a clock may be that long.
pub(super) fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

impl Budget {
    /// How long to wait for the disk: the time for this move divided by `share`, at most [`LONGEST_WAIT`].
    pub(super) fn longest_wait(&self, share: u32) -> Duration {
        let time = self.soft.or(self.hard);
        time.map_or(LONGEST_WAIT, |time| (time / share).min(LONGEST_WAIT))
    }

    /// The budget for an exact time per move: all of it, but at most what is left on the clock, if there is one.
    pub fn exact(time: Duration, clock: Option<&Clock>, overhead: Duration) -> Budget {
        let left = clock.map_or(time, |clock| clock.remaining.saturating_sub(overhead));
        Budget { soft: None, hard: Some(time.min(left)) }
    }

    /// The same budget with a later soft limit, for an engine that ponders and so saves time.
    #[must_use]
    pub fn relaxed(self) -> Budget {
        let soft = self.soft.map(|soft| scaled(soft, 1.2));
        Budget { soft: soft.map(|soft| self.hard.map_or(soft, |hard| soft.min(hard))), ..self }
    }

    /// The budget for one move on `clock`, after `played` moves of each side. Both limits increase with the clock and
    /// the increment, and decrease with the overhead, without jumps.
    pub fn share(clock: &Clock, played: u32, overhead: Duration) -> Budget {
        let &Clock { remaining, increment, moves_to_go } = clock;
        let overhead = overhead.max(MIN_OVERHEAD);
        let moves_to_go = moves_to_go.map(|moves| moves.clamp(1, MAX_MOVES_TO_GO));
        // Set aside the overhead of this move, and for later moves the part that the increment does not cover.
        let later = moves_to_go.map_or(OVERHEAD_MOVES, |moves| moves - 1);
        let unpaid = overhead.saturating_sub(increment);
        // Leave some time for this move, whatever the overhead is.
        let spare = overhead.saturating_mul(RESERVE_OVERHEADS).min(remaining / (later + 3) * (later + 2));
        let set_aside = overhead.saturating_add(unpaid.saturating_mul(later)).max(spare);
        // If everything is set aside, the move still gets a little time, provided the clock has more than one
        // overhead.
        let kept = set_aside.saturating_add(remaining / 50);
        let safe = remaining.saturating_sub(kept).max(remaining / 200);
        // Discount the increment: the part that the overhead uses up is no gain.
        let gain = increment.saturating_sub(unpaid);
        let fund = |moves: u32| safe.saturating_add(gain.saturating_mul(moves));
        let (soft, soft_cap, hard_cap) = match moves_to_go {
            None => {
                let share = FIRST_SHARE + SHARE_BY_MOVE * f64::from(played);
                (scaled(fund(INCREMENT_MOVES), share.min(LARGEST_SHARE)), 0.2, 0.4)
            }
            Some(moves) => {
                let (soft_cap, hard_cap) = match moves {
                    1 => (0.85, 0.98),
                    2..=4 => (0.55, 0.7),
                    _ => (0.3, 0.4),
                };
                (fund(moves - 1) / moves, soft_cap, hard_cap)
            }
        };
        let left = remaining.saturating_sub(overhead);
        let hard = soft.saturating_mul(4).min(scaled(safe, hard_cap)).min(left);
        Budget { soft: Some(soft.min(scaled(safe, soft_cap)).min(hard)), hard: Some(hard) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock { remaining: Duration::from_millis(remaining), increment: Duration::from_millis(increment), moves_to_go }
    }

    const TO_GO: [Option<u32>; 9] =
        [None, Some(0), Some(1), Some(2), Some(4), Some(5), Some(10), Some(40), Some(u32::MAX)];

    /// Soft and hard limit.
    fn share(clock: &Clock, played: u32, overhead: u64) -> [Duration; 2] {
        let budget = Budget::share(clock, played, Duration::from_millis(overhead));
        [budget.soft, budget.hard].map(Option::unwrap)
    }

    #[test]
    fn budgets_never_exceed_the_clock() {
        let ms = |times: &[u64]| -> Vec<Duration> {
            times.iter().map(|&ms| Duration::from_millis(ms)).chain([Duration::MAX]).collect()
        };
        for &remaining in &ms(&[0, 1, 2, 5, 10, 11, 20, 50, 100, 1_000, 60_000, 36_000_000, u64::MAX]) {
            for &increment in &ms(&[0, 1, 10, 600, 60_000]) {
                for moves_to_go in TO_GO {
                    for &overhead in &ms(&[0, 10, 100, 5_000]) {
                        let clock = Clock { remaining, increment, moves_to_go };
                        for played in [0, 30, u32::MAX] {
                            let budget = Budget::share(&clock, played, overhead);
                            let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                            let safe = hard <= clock.remaining.saturating_sub(overhead);
                            let ordered = soft <= hard && budget.relaxed().soft.unwrap() <= hard;
                            assert!(ordered && safe, "{clock:?} {budget:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn budgets_are_monotonic_in_clock_increment_and_overhead() {
        let clocks = (0..60).map(|i| i * 7).chain((0..40).map(|i| 420 << (i / 2) | (i % 2) << (i / 2 + 7)));
        let clocks: Vec<u64> = clocks.collect();
        let increments = [0, 1, 9, 10, 11, 60, 99, 100, 101, 1_000, 9_000];
        let overheads = [0, 1, 9, 10, 11, 30, 60, 100, 101, 300, 1_000, 5_000];
        assert!(clocks.is_sorted() && *clocks.last().unwrap() > 3_600_000);
        let not_above = |less: [Duration; 2], more: [Duration; 2], what: &str| {
            assert!(less[0] <= more[0] && less[1] <= more[1], "{what}: {less:?} {more:?}");
        };
        for (moves, played) in TO_GO.into_iter().zip([0, 25, 200, 0, 25, 200, 0, 25, 200]) {
            for &remaining in &clocks {
                for increment in increments {
                    let row = overheads.map(|ov| share(&clock(remaining, increment, moves), played, ov));
                    row.windows(2).for_each(|pair| not_above(pair[1], pair[0], "overhead"));
                }
                for overhead in overheads {
                    let row = increments.map(|inc| share(&clock(remaining, inc, moves), played, overhead));
                    row.windows(2).for_each(|pair| not_above(pair[0], pair[1], "increment"));
                    let to_go = [1, 2, 3, 4, 5, 6, 20, 40, 60].map(Some);
                    let row = to_go.map(|moves| share(&clock(remaining, 0, moves), played, overhead));
                    row.windows(2).for_each(|pair| not_above(pair[1], pair[0], "moves to go"));
                }
            }
            for increment in increments {
                for overhead in overheads {
                    let row = clocks.iter().map(|&ms| share(&clock(ms, increment, moves), played, overhead));
                    let row: Vec<_> = row.collect();
                    row.windows(2).for_each(|pair| not_above(pair[0], pair[1], "clock"));
                }
            }
        }
    }

    #[test]
    fn one_more_millisecond_adds_at_most_one_to_the_budget() {
        let ms = Duration::from_millis(1);
        for moves in TO_GO {
            for (increment, overhead) in [(0, 0), (0, 10), (10, 10), (60, 100), (0, 1_000), (100, 30)] {
                let mut last = [Duration::ZERO; 2];
                for remaining in 0..12_000 {
                    let budget = share(&clock(remaining, increment, moves), 30, overhead);
                    let smooth = (0..2).all(|i| budget[i] <= last[i] + ms);
                    assert!(smooth, "{remaining}+{increment} {moves:?} {overhead}: {last:?} {budget:?}");
                    last = budget;
                }
            }
        }
    }

    #[test]
    fn without_time_left_moves_are_immediate() {
        for (remaining, overhead) in [(0, 0), (0, 10), (10, 10), (90, 100), (1_000, 1_000), (1, 5_000)] {
            for moves in TO_GO {
                for increment in [0, 10, 1_000] {
                    let clock = clock(remaining, increment, moves);
                    assert_eq!(share(&clock, 30, overhead), [Duration::ZERO; 2], "{clock:?}");
                }
            }
        }
        // Almost the whole clock is set aside for the overhead of later moves.
        for (remaining, overhead) in [(290, 100), (320, 100), (2_900, 1_000), (3_200, 1_000), (5_000, 100)] {
            let [soft, hard] = share(&clock(remaining, 0, None), 30, overhead);
            let little = Duration::from_millis(remaining) / 1_000;
            assert!(soft < little && hard < 4 * little, "{remaining} {overhead}: {soft:?} {hard:?}");
        }
    }

    /// Plays 120 moves with a lag of `lag` after each answer. Returns the number of the move that loses on time, if
    /// any.
    fn flag(base: u64, increment: u64, control: Option<u32>, overhead: u64, lag: u64) -> Option<u32> {
        // Minimum time of an answer, and the fraction of the soft limit that moves take. One in ten runs into the
        // hard limit.
        const ANSWER: Duration = Duration::from_micros(700);
        const FACTORS: [f64; 10] = [0.7, 0.8, 1.1, 0.7, 0.9, 1.6, 0.7, 1.0, 0.8, 9.0];
        let [base_time, increment_time, lag] = [base, increment, lag].map(Duration::from_millis);
        let mut left = base_time;
        for number in 0..120 {
            let to_go = control.map(|moves| moves - number % moves);
            // GUIs send whole milliseconds.
            let clock = clock(left.as_millis() as u64, increment, to_go);
            let [soft, hard] = share(&clock, number, overhead);
            let used = soft.mul_f64(FACTORS[number as usize % FACTORS.len()]).min(hard);
            let Some(rest) = left.checked_sub(used.max(ANSWER) + lag) else {
                return Some(number + 1);
            };
            left = rest + increment_time;
            if to_go == Some(1) {
                left += base_time;
            }
        }
        None
    }

    type Row = (u64, u64, Option<u32>, u64, &'static [u64]);

    #[test]
    fn no_time_losses_with_lag_where_stockfish_has_none() {
        // Base and increment in milliseconds, moves to go, `Move Overhead`, and (in tenths of the overhead) the lags
        // with which Stockfish 15.1 still has time, or nearly, after 120 moves.
        let rows: [Row; 29] = [
            (500, 0, None, 10, &[0]),
            (500, 0, None, 100, &[0]),
            (1000, 0, None, 10, &[0, 4]),
            (1000, 0, None, 100, &[0]),
            (1000, 10, None, 0, &[0]),
            (1000, 10, None, 10, &[0, 4, 8]),
            (1000, 10, None, 30, &[0, 4]),
            (1000, 10, None, 100, &[0]),
            (8000, 80, None, 0, &[0]),
            (8000, 80, None, 10, &[0, 4, 8]),
            (8000, 80, None, 30, &[0, 4, 8]),
            (8000, 80, None, 100, &[0, 4, 8]),
            (10000, 0, None, 0, &[0]),
            (10000, 0, None, 10, &[0, 4]),
            (10000, 0, None, 30, &[0, 4]),
            (10000, 0, None, 100, &[0, 4]),
            (10000, 60, None, 0, &[0]),
            (10000, 60, None, 10, &[0, 4, 8]),
            (10000, 60, None, 30, &[0, 4, 8]),
            (10000, 60, None, 100, &[0, 4, 8]),
            (60000, 0, None, 100, &[0, 4, 8]),
            (60000, 0, None, 1000, &[0, 4]),
            (60000, 600, None, 1000, &[0, 4, 8]),
            (1000, 0, Some(40), 10, &[0, 4, 8]),
            (1000, 0, Some(40), 30, &[0, 4, 8]),
            (10000, 0, Some(40), 10, &[0, 4, 8]),
            (10000, 0, Some(40), 30, &[0, 4, 8]),
            (10000, 0, Some(40), 100, &[0, 4, 8]),
            (60000, 0, Some(40), 100, &[0, 4, 8]),
        ];
        for (base, increment, control, overhead, tenths) in rows {
            for lag in tenths.iter().map(|tenths| overhead * tenths / 10) {
                let flag = flag(base, increment, control, overhead, lag);
                assert_eq!(flag, None, "{base}+{increment} {control:?}, {overhead}, lag {lag}");
            }
        }
    }

    #[test]
    fn the_last_move_before_the_time_control_uses_most_of_the_clock() {
        let budget = Budget::share(&clock(10_000, 0, Some(1)), 0, Duration::from_millis(10));
        assert!(budget.soft.unwrap() > Duration::from_secs(6));
    }

    #[test]
    fn a_game_without_controls_lasts_many_moves() {
        let (mut left, overhead) = (Duration::from_secs(60), Duration::from_millis(10));
        for number in 0..60 {
            let clock = clock(left.as_millis() as u64, 0, None);
            let soft = Budget::share(&clock, number, overhead).soft;
            left -= soft.unwrap() + overhead;
        }
        assert!(left > Duration::from_secs(1), "{left:?}");
    }

    #[test]
    fn short_clocks_are_managed_like_long_ones() {
        for scale in [1, 10, 100] {
            let (increment, overhead) = (10 * scale, Duration::from_millis(10));
            let mut left = Duration::from_millis(1000 * scale);
            let mut times = Vec::new();
            for number in 0..120 {
                let clock = clock(left.as_millis() as u64, increment, None);
                let soft = Budget::share(&clock, number, overhead).soft.unwrap();
                times.push(soft);
                assert!(number > 0 || soft * 1000 > left * 45 && soft * 1000 < left * 60, "{soft:?}");
                left = left - soft - Duration::from_millis(1) + clock.increment;
                assert!(left > 4 * overhead, "move {number}: {left:?}");
            }
            assert!(times[20] * 10 > times[0] * 6 && times[60] * 2 < times[0], "{times:?}");
        }
    }

    #[test]
    fn an_exact_time_is_used_in_full_within_the_clock() {
        let ms = Duration::from_millis;
        assert_eq!(Budget::exact(ms(1000), None, ms(30)).hard, Some(ms(1000)));
        assert_eq!(Budget::exact(ms(1000), Some(&clock(5000, 0, None)), ms(30)).hard, Some(ms(1000)));
        assert_eq!(Budget::exact(ms(1000), Some(&clock(500, 0, None)), ms(30)).hard, Some(ms(470)));
        assert_eq!(Budget::exact(ms(1000), Some(&clock(20, 0, None)), ms(30)).hard, Some(ms(0)));
    }
}
