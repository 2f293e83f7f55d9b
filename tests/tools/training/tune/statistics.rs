//! Statistics of a match: Elo with its error, and the sequential probability ratio test.
//!
//! Games come in pairs with the same opening, so the pair is the unit (the pentanomial model of match runners): its
//! five outcomes have less variance than two independent games.

use std::fmt;

/// Numbers of pairs by the half-points of the first player, 0 to 4.
#[derive(Default)]
pub struct Tally([u64; 5]);

/// The expected score of a player who is `elo` points stronger.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference of an expected score.
fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(1e-6, 1.0 - 1e-6) - 1.0).log10()
}

impl Tally {
    pub fn add(&mut self, points: u32) {
        self.0[points.min(4) as usize] += 1;
    }

    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean score of a pair, 0 to 1, and its variance.
    fn moments(&self) -> (f64, f64) {
        let pairs = self.pairs().max(1) as f64;
        let over = |value: &dyn Fn(f64) -> f64| -> f64 {
            (0..5).map(|i| self.0[i] as f64 * value(i as f64 / 4.0)).sum::<f64>() / pairs
        };
        let mean = over(&|score| score);
        (mean, over(&|score| (score - mean).powi(2)))
    }

    /// The decision of the sequential probability ratio test of the Elo differences `bounds`, or `None`.
    ///
    /// Uses the log-likelihood ratio in the normal approximation; both error rates are 5 %.
    pub fn sprt(&self, bounds: [f64; 2]) -> Option<String> {
        let (mean, variance) = self.moments();
        if variance == 0.0 {
            return None;
        }
        let [low, high] = bounds.map(expected);
        let pairs = self.pairs() as f64;
        let ratio = (high - low) * (2.0 * mean - low - high) * pairs / (2.0 * variance);
        let limit = (0.95f64 / 0.05).ln();
        let [low, high] = bounds;
        if ratio >= limit {
            Some(format!("SPRT [{low}, {high}]: accepted"))
        } else if ratio <= -limit {
            Some(format!("SPRT [{low}, {high}]: refused"))
        } else {
            None
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, variance) = self.moments();
        let error = 1.96 * (variance / self.pairs().max(1) as f64).sqrt();
        let margin = (elo(mean + error) - elo(mean - error)) / 2.0;
        write!(
            f,
            "{} games, pairs {:?}, {:.1} %, Elo {:+.1} +- {margin:.1}",
            2 * self.pairs(),
            self.0,
            100.0 * mean,
            elo(mean)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5]) -> Tally {
        Tally(pairs)
    }

    #[test]
    fn the_sequential_test_waits_accepts_and_refuses() {
        let bounds = [0.0, 10.0];
        assert_eq!(tally([0; 5]).sprt(bounds), None);
        assert_eq!(tally([10, 20, 40, 21, 10]).sprt(bounds), None);
        let strong = tally([100, 200, 500, 300, 160]).sprt(bounds);
        assert_eq!(strong.as_deref(), Some("SPRT [0, 10]: accepted"));
        let weak = tally([400, 600, 1_000, 560, 380]).sprt(bounds);
        assert_eq!(weak.as_deref(), Some("SPRT [0, 10]: refused"));
    }
}
