//! The program's own limits of time, such as 20 seconds for another engine's answer, which nobody needs to set.

use std::time::Duration;

/// Tests set it, so that they need not wait for so long: by how much all these limits are divided.
const HASTE: &str = "TABIYA_HASTE";

/// A limit of `milliseconds`, or of the part of them that `TABIYA_HASTE` asks for.
pub fn patience(milliseconds: u64) -> Duration {
    let haste = std::env::var(HASTE).ok().and_then(|text| text.parse().ok());
    Duration::from_millis(milliseconds / haste.unwrap_or(1).max(1))
}
