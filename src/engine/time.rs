//! From a clock to a budget: how long a move may take. Only the own side's clock counts.
//!
//! Called once a search by `worker`; `deepening` scales the soft limit as it goes.

use super::limits::Clock;
use std::time::Duration;

/// How long to think. Times count from the start of the move (for pondering: from the ponder hit).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Start no new iteration after this, scaled by how settled the best move is.
    pub soft: Option<Duration>,
    /// Give up the running iteration after this.
    pub hard: Option<Duration>,
}

/// The share of the clock that one move of a game without time controls may use.
const SUDDEN_DEATH_MOVES: u32 = 20;

impl Budget {
    /// The budget for an exact time per move.
    pub fn exact(time: Duration, overhead: Duration) -> Budget {
        // Short times would be eaten by the overhead: keep at least half of what is asked for.
        let time = time.saturating_sub(overhead).max(time / 2);
        Budget { soft: None, hard: Some(time) }
    }

    /// The budget with a later soft limit, for an engine whose guesses save time.
    #[must_use]
    pub fn relaxed(self) -> Budget {
        let soft = self.soft.map(|soft| soft.mul_f64(1.2));
        Budget { soft: soft.map(|soft| self.hard.map_or(soft, |hard| soft.min(hard))), ..self }
    }

    /// The budget for one move on `clock`.
    pub fn share(clock: &Clock, overhead: Duration) -> Budget {
        let moves = clock.moves_to_go.unwrap_or(SUDDEN_DEATH_MOVES).clamp(1, 50);
        // What may be used without ever falling below the overhead of three moves; a little for a clock at zero.
        let reserve = overhead.saturating_mul(3) + clock.remaining / 50;
        let safe = clock.remaining.saturating_sub(reserve);
        if safe.is_zero() {
            let least = clock.remaining / 4;
            return Budget { soft: Some(least), hard: Some(least) };
        }
        // Later moves bring an increment each. Their overhead is not set aside now: it is a margin that few moves use up,
        // and for twenty moves it would be a quarter of a clock of 0.8 s.
        let fund = safe.saturating_add(clock.increment.saturating_mul(moves - 1));
        let soft = fund / moves;
        let (soft_cap, hard_cap) = match moves {
            1 => (0.85, 0.98),
            2..=4 => (0.55, 0.7),
            _ => (0.3, 0.4),
        };
        let hard = soft.saturating_mul(4).min(safe.mul_f64(hard_cap));
        Budget { soft: Some(soft.min(safe.mul_f64(soft_cap))), hard: Some(hard) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
            opponent: None,
        }
    }

    #[test]
    fn no_budget_exceeds_the_clock() {
        for remaining in [0, 1, 2, 5, 10, 11, 20, 50, 100, 1_000, 60_000, 36_000_000] {
            for increment in [0, 1, 10, 600, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [0, 10, 100, 5_000].map(Duration::from_millis) {
                        let clock = clock(remaining, increment, moves);
                        let budget = Budget::share(&clock, overhead);
                        let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                        assert!(soft <= hard, "{clock:?} {budget:?}");
                        assert!(budget.relaxed().soft.unwrap() <= hard, "{clock:?} {budget:?}");
                        let left = clock.remaining.saturating_sub(overhead);
                        assert!(
                            hard <= left || hard <= clock.remaining / 4,
                            "{clock:?} {budget:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_last_move_before_the_control_may_use_most_of_the_clock() {
        let budget = Budget::share(&clock(10_000, 0, Some(1)), Duration::from_millis(10));
        assert!(budget.soft.unwrap() > Duration::from_secs(6));
    }

    #[test]
    fn a_game_without_controls_lasts_many_moves() {
        let (mut left, overhead) = (Duration::from_secs(60), Duration::from_millis(10));
        for _ in 0..60 {
            let soft = Budget::share(&clock(left.as_millis() as u64, 0, None), overhead).soft;
            left -= soft.unwrap() + overhead;
        }
        assert!(left > Duration::from_secs(1), "{left:?}");
    }

    #[test]
    fn short_clocks_are_used_like_long_ones_and_last() {
        for scale in [1, 10, 100] {
            let (increment, overhead) = (8 * scale, Duration::from_millis(10));
            let mut left = Duration::from_millis(800 * scale);
            for number in 0..120 {
                let clock = clock(left.as_millis() as u64, increment, None);
                let soft = Budget::share(&clock, overhead).soft.unwrap();
                assert!(number > 0 || soft * 100 > left * 5 && soft * 100 < left * 6, "{soft:?}");
                left = left - soft - Duration::from_millis(1) + clock.increment;
                assert!(left > 4 * overhead, "move {number}: {left:?}");
            }
        }
    }

    #[test]
    fn an_exact_time_is_shortened_by_the_overhead() {
        let ms = Duration::from_millis;
        assert_eq!(Budget::exact(ms(1000), ms(10)).hard, Some(ms(990)));
        assert_eq!(Budget::exact(ms(10), ms(50)).hard, Some(ms(5)));
    }
}
