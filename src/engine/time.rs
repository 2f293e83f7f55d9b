//! From a clock to a budget: how long a move may take. Only the own side's clock counts.
//!
//! Called once a search by `worker`; `deepening` scales the soft limit as it goes.

use super::limits::Clock;
use std::time::Duration;

/// How long to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Start no new iteration after this, scaled by how settled the best move is. Counts from the start of the search:
    /// what was thought while pondering need not be thought again.
    pub soft: Option<Duration>,
    /// Give up the running iteration after this. Counts from the start of the own clock, for pondering from the hit.
    pub hard: Option<Duration>,
}

/// Later moves of a game without time controls whose increments are counted on.
const MOVES_AHEAD: u32 = 40;
/// The share of clock and increments that one move of such a game may use: of the first move, for each move played,
/// and at most. So moves have about the same time while games are decided, and later live on increments.
const FIRST_SHARE: f64 = 0.038;
const SHARE_BY_MOVE: f64 = 0.0006;
const LARGEST_SHARE: f64 = 0.06;

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

    /// The budget for one move on `clock`, when each side has made about so many moves in the game.
    pub fn share(clock: &Clock, played: u32, overhead: Duration) -> Budget {
        // What may be used without ever falling below the overhead of three moves; a little for a clock at zero.
        let reserve = overhead.saturating_mul(3) + clock.remaining / 50;
        let safe = clock.remaining.saturating_sub(reserve);
        if safe.is_zero() {
            let least = clock.remaining / 4;
            return Budget { soft: Some(least), hard: Some(least) };
        }
        // Later moves bring an increment each. Their overhead is not set aside now: it is a margin that few moves use up,
        // and for all of them it would be a good part of a clock of 0.8 s.
        let fund = |moves: u32| safe.saturating_add(clock.increment.saturating_mul(moves));
        let (soft, soft_cap, hard_cap) = match clock.moves_to_go.map(|moves| moves.clamp(1, 50)) {
            None => {
                let share = FIRST_SHARE + SHARE_BY_MOVE * f64::from(played);
                (fund(MOVES_AHEAD).mul_f64(share.min(LARGEST_SHARE)), 0.2, 0.4)
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
                        for played in [0, 30, u32::MAX] {
                            let budget = Budget::share(&clock, played, overhead);
                            let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                            let left = clock.remaining.saturating_sub(overhead);
                            let safe = hard <= left || hard <= clock.remaining / 4;
                            let ordered = soft <= hard && budget.relaxed().soft.unwrap() <= hard;
                            assert!(ordered && safe, "{clock:?} {budget:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_last_move_before_the_control_may_use_most_of_the_clock() {
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
    fn short_clocks_are_used_like_long_ones_and_last() {
        for scale in [1, 10, 100] {
            let (increment, overhead) = (8 * scale, Duration::from_millis(10));
            let mut left = Duration::from_millis(800 * scale);
            let mut times = Vec::new();
            for number in 0..120 {
                let clock = clock(left.as_millis() as u64, increment, None);
                let soft = Budget::share(&clock, number, overhead).soft.unwrap();
                times.push(soft);
                assert!(number > 0 || soft * 100 > left * 5 && soft * 100 < left * 6, "{soft:?}");
                left = left - soft - Duration::from_millis(1) + clock.increment;
                assert!(left > 4 * overhead, "move {number}: {left:?}");
            }
            assert!(times[20] * 10 > times[0] * 6 && times[60] * 2 < times[0], "{times:?}");
        }
    }

    #[test]
    fn an_exact_time_is_shortened_by_the_overhead() {
        let ms = Duration::from_millis;
        assert_eq!(Budget::exact(ms(1000), ms(10)).hard, Some(ms(990)));
        assert_eq!(Budget::exact(ms(10), ms(50)).hard, Some(ms(5)));
    }
}
