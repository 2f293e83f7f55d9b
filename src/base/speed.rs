//! Speed: a number for each second.

use std::time::Duration;

/// `n` in `time`, as a number a second. No time counts as a microsecond.
pub fn per_second(n: u128, time: Duration) -> f64 {
    n as f64 / time.as_secs_f64().max(1e-6)
}
