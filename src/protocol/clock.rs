//! The clocks of a `go`, made sane: [`clock`].
//!
//! Called by `session` for each search. Numbers are as the other program sent them, so nothing here trusts
//! them.

use super::command::Go;
use crate::engine::Clock;
use crate::game::Side;
use std::time::Duration;

/// Milliseconds, none if negative.
pub fn milliseconds(ms: i64) -> Duration {
    Duration::from_millis(ms.max(0).unsigned_abs())
}

/// The clock of `side`. Clocks may be negative, absurd, or given for one side only: then the other's has to
/// do, because an answer is expected in finite time.
pub fn clock(go: &Go<'_>, side: Side) -> Option<Clock> {
    /// A century; keeps sums of times far from overflow.
    const MOST: i64 = 3_155_760_000_000;
    let sane = |ms: i64| milliseconds(ms.min(MOST));
    let remaining = go.time[side].or(go.time[side.flip()])?;
    Some(Clock {
        remaining: sane(remaining),
        increment: sane(go.increment[side].unwrap_or(0)),
        moves_to_go: go
            .moves_to_go
            .filter(|&n| n > 0)
            .map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PerSide;

    #[test]
    fn clocks_survive_every_number() {
        let mut go = Go::default();
        assert_eq!(clock(&go, Side::First), None);
        go.time = PerSide([Some(-12), None]);
        assert_eq!(clock(&go, Side::First).map(|c| c.remaining), Some(Duration::ZERO));
        assert_eq!(clock(&go, Side::Second).map(|c| c.remaining), Some(Duration::ZERO));
        go.time = PerSide([Some(i64::MAX), Some(100)]);
        go.increment = PerSide([Some(i64::MAX), Some(i64::MIN)]);
        for moves in [0, -5, i64::MIN] {
            go.moves_to_go = Some(moves);
            assert_eq!(clock(&go, Side::First).and_then(|c| c.moves_to_go), None);
        }
        let black = clock(&go, Side::Second).unwrap();
        assert_eq!(black.remaining, Duration::from_millis(100));
        assert_eq!(black.increment, Duration::ZERO);
        let white = clock(&go, Side::First).unwrap();
        assert!(white.remaining.checked_mul(1000).is_some());
    }
}
