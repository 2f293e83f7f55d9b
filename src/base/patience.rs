//! The program's own limits of time, such as 10 seconds for another engine's answer, which no user needs to set.

use std::sync::LazyLock;
use std::time::Duration;

/// By how much all these limits are divided: 1, or what `TABIYA_HASTE` says. Tests set it, so that they need not wait
/// for so long.
static HASTE: LazyLock<u64> = LazyLock::new(|| {
    let given = std::env::var("TABIYA_HASTE").ok().and_then(|text| text.parse().ok());
    given.unwrap_or(1).max(1)
});

/// A limit of `milliseconds`, or of the part of them that `TABIYA_HASTE` asks for.
pub fn patience(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds / *HASTE)
}
