//! Simultaneous perturbation stochastic approximation (Spall 1992) over parameters of the search.
//!
//! Used by `main`. Every pair of games is played by the parameters with a step added against the same with it taken
//! away, up or down by lot for each parameter; the result moves all of them. Steps and gains shrink as usual, so that
//! the last steps are the ones that were asked for.

use std::fmt;
use tabiya::base::rng::SplitMix64;
use tabiya::game::SearchParams;

/// How fast gains and steps shrink.
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

/// Where the tuning stands.
pub struct Tuning {
    /// What plays, but for what is tuned.
    played: SearchParams,
    tuned: Vec<Tuned>,
    /// Gain of the last pair, in squares of the step.
    rate: f64,
    pairs: u64,
    done: u64,
}

impl Tuning {
    /// Parameters as `NAME:LOW:HIGH:STEP,…`, from those of `played` on, over so many pairs of games.
    pub fn new(
        mut played: SearchParams,
        list: &str,
        rate: f64,
        pairs: u64,
    ) -> Result<Tuning, String> {
        let mut tuned = Vec::new();
        for part in list.split(',') {
            let fault = |expected| format!("--params: {part:?}: expected {expected}");
            let fields: Vec<&str> = part.split(':').collect();
            let [name, limits @ ..] = fields.as_slice() else { return Err(fault("a name")) };
            let Some(default) = played.by_name(name).copied() else {
                return Err(fault(&format!("one of {}", SearchParams::NAMES.join(", "))));
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

    /// The same, as far as the file tells that it has come; unchanged if there is no file.
    pub fn resumed(mut self, file: &str) -> Result<Tuning, String> {
        let fault = |reason: String| format!("--state {file}: {reason}");
        let text = match std::fs::read_to_string(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(self),
            other => other.map_err(|error| fault(error.to_string()))?,
        };
        let mut fields = text.split_whitespace();
        let expected =
            || fault("expected what this program writes, with the same parameters".into());
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

    /// Pairs that have been learnt from.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The parameters of a pair, with the signs of the steps: drawn from `seed`.
    pub fn begin(&self, seed: u64) -> (Vec<bool>, [SearchParams; 2]) {
        let mut rng = SplitMix64::new(seed);
        let mut params = [self.played; 2];
        let mut signs = Vec::with_capacity(self.tuned.len());
        for tuned in &self.tuned {
            let up = rng.below(2) == 1;
            let step = tuned.step * self.left().powf(-STEP_EXPONENT).max(1.0);
            let signed = if up { step } else { -step };
            // Rounded up or down by lot, so that small changes of the value are felt as well.
            let lot = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            for (params, value) in
                params.iter_mut().zip([tuned.value + signed, tuned.value - signed])
            {
                let value = (value.clamp(tuned.low, tuned.high) + lot).floor();
                if let Some(param) = params.by_name(&tuned.name) {
                    *param = value.min(tuned.high) as i32;
                }
            }
            signs.push(up);
        }
        (signs, params)
    }

    /// Learns the half-points, 0 to 4, of the side with the steps added.
    pub fn learn(&mut self, signs: &[bool], points: u32) {
        let left = self.left();
        for (tuned, &up) in self.tuned.iter_mut().zip(signs) {
            // In the shape of Spall's gains: rate * step² at the end, more before.
            let step = tuned.step * left.powf(-STEP_EXPONENT).max(1.0);
            let gain = self.rate * tuned.step * tuned.step * left.powf(-GAIN_EXPONENT).max(1.0);
            let change = gain * (f64::from(points) - 2.0) / step;
            let signed = if up { change } else { -change };
            tuned.value = (tuned.value + signed).clamp(tuned.low, tuned.high);
        }
        self.done += 1;
    }

    /// The part of the run that is done, with Spall's tenth added, as a share of the whole.
    fn left(&self) -> f64 {
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
    use tabiya::game::Playable as _;

    fn params() -> SearchParams {
        tabiya::chess::Position::PARAMS
    }

    const LIST: &str = "futility_margin:20:300:12,null_base:1:6:0.5";

    #[test]
    fn faults_are_named() {
        for (list, expected) in [
            ("no_such:1:2:3", "expected one of"),
            ("null_base:1:6", "NAME:LOW:HIGH:STEP"),
            ("null_base:5:6:1", "LOW <= 4 <= HIGH"),
            ("null_base:1:x:1", "NAME:LOW:HIGH:STEP"),
            ("", "expected one of"),
        ] {
            let error = Tuning::new(params(), list, 0.002, 10).err().unwrap();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_hill_is_climbed() {
        // Whoever is nearer to 120 wins: the value must come near it.
        let mut tuning = Tuning::new(params(), LIST, 0.02, 4_000).unwrap();
        for pair in 0..4_000 {
            let (signs, [mut first, mut second]) = tuning.begin(pair);
            let away = |params: &mut SearchParams| {
                (*params.by_name("futility_margin").unwrap() - 120).abs()
            };
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
    fn a_file_tells_where_to_go_on() {
        let path = std::env::temp_dir().join(format!("tabiya-spsa-{}", std::process::id()));
        let file = path.to_str().unwrap();
        let fresh = || Tuning::new(params(), LIST, 0.002, 100).unwrap();
        assert_eq!(fresh().resumed(file).unwrap().done(), 0);
        let mut tuning = fresh();
        (0..7).for_each(|pair| tuning.learn(&[true, pair % 2 == 0], 3));
        std::fs::write(&path, tuning.to_string()).unwrap();
        assert_eq!(fresh().resumed(file).unwrap().to_string(), tuning.to_string());
        for bad in ["", "pairs", "pairs 3 null_base=2", "pairs 3 futility_margin=9999 null_base=2"]
        {
            std::fs::write(&path, bad).unwrap();
            assert!(fresh().resumed(file).is_err(), "{bad}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
