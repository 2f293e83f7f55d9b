//! The program's own limits of time, such as 10 seconds for another engine's answer, which no user needs to set.

use std::sync::LazyLock;
use std::time::Duration;

/// By how much all these limits are divided: 1, or the value of the environment variable. Tests set it, so that they
/// need not wait for so long.
static DIVISOR: LazyLock<u64> = LazyLock::new(|| {
    let given = std::env::var("TABIYA_TIME_LIMIT_DIVISOR").ok().and_then(|text| text.parse().ok());
    given.unwrap_or(1).max(1)
});

/// A limit of `milliseconds`, divided by `TABIYA_TIME_LIMIT_DIVISOR`.
pub fn time_limit(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds / *DIVISOR)
}
