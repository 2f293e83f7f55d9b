//! Simultaneous perturbation stochastic approximation (Spall 1992) over search parameters.
//!
//! In every pair one player has each parameter a step up or down at random, the other one the opposite; the result
//! moves all parameters. Steps and gains shrink as usual. The step of the last pair is the one given on the command
//! line.

use super::params::{NAMES, by_name};
use std::fmt;
use tabiya::base::files::path_of;
use tabiya::base::rng::SplitMix64;
use tabiya::game::SearchParams;

/// Exponents by which gains and steps shrink.
const GAIN_EXPONENT: f64 = 0.602;
const STEP_EXPONENT: f64 = 0.101;

/// A parameter that is tuned.
struct Tuned {
    name: String,
    value: f64,
    low: f64,
    high: f64,
    /// The step of the last pair.
    step: f64,
}

/// The state of the tuning.
pub struct Tuning {
    /// The other parameters.
    played: SearchParams,
    tuned: Vec<Tuned>,
    /// Gain of the last pair, in units of the squared step.
    rate: f64,
    pairs: u64,
    done: u64,
}

impl Tuning {
    /// Tunes the parameters of `list` (`NAME:LOW:HIGH:STEP,…`) over so many pairs, starting from `played`.
    pub fn new(mut played: SearchParams, list: &str, rate: f64, pairs: u64) -> Result<Tuning, String> {
        let mut tuned = Vec::new();
        for part in list.split(',') {
            let fault = |expected| format!("--params: {part:?}: expected {expected}");
            let fields: Vec<&str> = part.split(':').collect();
            let [name, limits @ ..] = fields.as_slice() else { return Err(fault("a name")) };
            let Some(default) = by_name(&mut played, name).copied() else {
                return Err(fault(&format!("one of {}", NAMES.join(", "))));
            };
            let numbers: Option<Vec<f64>> = limits.iter().map(|text| text.parse().ok()).collect();
            let (value, Some(&[low, high, step])) = (f64::from(default), numbers.as_deref()) else {
                return Err(fault("NAME:LOW:HIGH:STEP"));
            };
            if !(low <= value && value <= high && step > 0.0 && high < 1e9 && low > -1e9) {
                return Err(fault(&format!("LOW <= {value} <= HIGH and a step above 0")));
            }
            tuned.push(Tuned { name: (*name).to_string(), value, low, high, step });
        }
        Ok(Tuning { played, tuned, rate, pairs, done: 0 })
    }

    /// Continues from the state in the file; unchanged if there is no file.
    pub fn resumed(mut self, file: &str) -> Result<Tuning, String> {
        let fault = |reason: String| format!("--state {file}: {reason}");
        let text = match std::fs::read_to_string(path_of(file)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(self),
            other => other.map_err(|error| fault(error.to_string()))?,
        };
        let mut fields = text.split_whitespace();
        let expected = || fault("expected what this program writes, with the same parameters".into());
        let done = fields.next().filter(|word| *word == "pairs").and(fields.next());
        self.done = done.and_then(|text| text.parse().ok()).ok_or_else(expected)?;
        for tuned in &mut self.tuned {
            let value = fields.next().and_then(|field| field.split_once('='));
            let value = value.filter(|(name, _)| *name == tuned.name);
            let value = value.and_then(|(_, value)| value.parse::<f64>().ok());
            let value = value.filter(|value| (tuned.low..=tuned.high).contains(value));
            tuned.value = value.ok_or_else(expected)?;
        }
        if fields.next().is_some() { Err(expected()) } else { Ok(self) }
    }

    /// Pairs played so far.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The signs of a pair's steps, drawn from `seed`, and the parameters of both players.
    pub fn begin(&self, seed: u64) -> (Vec<bool>, [SearchParams; 2]) {
        let mut rng = SplitMix64::new(seed);
        let mut params = [self.played; 2];
        let mut signs = Vec::with_capacity(self.tuned.len());
        for tuned in &self.tuned {
            let up = rng.below(2) == 1;
            let step = tuned.step * self.progress().powf(-STEP_EXPONENT).max(1.0);
            let signed = if up { step } else { -step };
            // Rounded up or down at random, so that small changes of the value have an effect.
            let fraction = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            for (params, value) in params.iter_mut().zip([tuned.value + signed, tuned.value - signed]) {
                let value = (value.clamp(tuned.low, tuned.high) + fraction).floor();
                if let Some(param) = by_name(params, &tuned.name) {
                    *param = value.min(tuned.high) as i32;
                }
            }
            signs.push(up);
        }
        (signs, params)
    }

    /// Moves the parameters by a result: half-points, 0 to 4, of the player with the steps added.
    pub fn learn(&mut self, signs: &[bool], points: u32) {
        let progress = self.progress();
        for (tuned, &up) in self.tuned.iter_mut().zip(signs) {
            // Spall's gain sequence: rate * step² for the last pair, more before.
            let step = tuned.step * progress.powf(-STEP_EXPONENT).max(1.0);
            let gain = self.rate * tuned.step * tuned.step * progress.powf(-GAIN_EXPONENT).max(1.0);
            let change = gain * (f64::from(points) - 2.0) / step;
            let signed = if up { change } else { -change };
            tuned.value = (tuned.value + signed).clamp(tuned.low, tuned.high);
        }
        self.done += 1;
    }

    /// The share of the run that is done, with Spall's tenth of the run added to both.
    fn progress(&self) -> f64 {
        let tenth = 0.1 * self.pairs as f64;
        (self.done as f64 + 1.0 + tenth) / (self.pairs as f64 + tenth)
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pairs {}", self.done)?;
        self.tuned.iter().try_for_each(|tuned| write!(f, " {}={:.3}", tuned.name, tuned.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::game::Searchable as _;

    fn params() -> SearchParams {
        tabiya::chess::Board::PARAMS
    }

    const LIST: &str = "futility_margin:20:300:12,null_base:1:6:0.5";

    #[test]
    fn values_move_to_the_optimum() {
        // The player nearer to 120 wins, so the value must come near 120.
        let mut tuning = Tuning::new(params(), LIST, 0.02, 4_000).unwrap();
        for pair in 0..4_000 {
            let (signs, [mut first, mut second]) = tuning.begin(pair);
            let away = |params: &mut SearchParams| (*by_name(params, "futility_margin").unwrap() - 120).abs();
            let points = match away(&mut first).cmp(&away(&mut second)) {
                std::cmp::Ordering::Less => 3,
                std::cmp::Ordering::Equal => 2,
                std::cmp::Ordering::Greater => 1,
            };
            tuning.learn(&signs, points);
        }
        assert!((tuning.tuned[0].value - 120.0).abs() < 12.0, "{tuning}");
        assert!((1.0..=6.0).contains(&tuning.tuned[1].value), "{tuning}");
    }

    #[test]
    fn tuning_continues_from_its_file() {
        let path = std::env::temp_dir().join(format!("tabiya-spsa-{}", std::process::id()));
        let file = path.to_str().unwrap();
        let fresh = || Tuning::new(params(), LIST, 0.002, 100).unwrap();
        assert_eq!(fresh().resumed(file).unwrap().done(), 0);
        let mut tuning = fresh();
        (0..7).for_each(|pair| tuning.learn(&[true, pair % 2 == 0], 3));
        std::fs::write(&path, tuning.to_string()).unwrap();
        assert_eq!(fresh().resumed(file).unwrap().to_string(), tuning.to_string());
        for bad in ["", "pairs", "pairs 3 null_base=2", "pairs 3 futility_margin=9999 null_base=2"] {
            std::fs::write(&path, bad).unwrap();
            assert!(fresh().resumed(file).is_err(), "{bad}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
