//! The loop of the static exchange evaluation (SEE): both sides capture in turn on one square, always with the least
//! valuable piece, and may stop at any time.
//!
//! The loop only decides whether a limit is reached, so it ends as soon as one side can afford to stop. Pins are
//! ignored.

use crate::game::position::side::Side;

/// The captures on one square after the first.
pub trait Exchange {
    /// Captures with the least valuable attacker of `side` and removes it from its square; `None` if there is no
    /// attacker.
    fn take(&mut self, side: Side) -> Option<Taker>;
    /// Whether `side` has an attacker left.
    fn can_take(&self, side: Side) -> bool;
}

/// The piece that has just captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taker {
    /// Its value in centipawns; 0 for a king.
    pub value: i32,
    /// Whether it is a king, which may not capture a defended piece.
    pub is_king: bool,
}

/// Whether `mover`, who captures first, reaches a limit against best play. `surplus` is the gain of the first capture
/// minus the limit, `standing` the value of the piece that is then on the square (0 for a king, which cannot be
/// captured). `exchange` is asked for only if these do not decide.
#[inline(always)]
pub fn reaches_limit<E: Exchange>(mover: Side, surplus: i32, standing: i32, exchange: impl FnOnce() -> E) -> bool {
    if surplus < 0 {
        return false;
    }
    // The limit is reached even if the piece is lost for nothing.
    if standing <= surplus {
        return true;
    }
    let mut exchange = exchange();
    let (mut balance, mut side) = (surplus - standing, mover.flip());
    // In each iteration `balance` is negative and seen from `side.flip()`; `side` captures or gives up.
    while let Some(taker) = exchange.take(side) {
        side = side.flip();
        balance = -balance - 1 - taker.value;
        if balance >= 0 {
            // The last capture decides, unless it was a king's capture of a defended piece.
            if taker.is_king && exchange.can_take(side) {
                side = side.flip();
            }
            break;
        }
    }
    side != mover
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of each side's attackers in capture order; 0 is a king.
    #[derive(Clone)]
    struct Queues([Vec<i32>; 2]);

    impl Exchange for Queues {
        fn take(&mut self, side: Side) -> Option<Taker> {
            let queue = &mut self.0[side.index()];
            let taker = queue.first().map(|&value| Taker { value, is_king: value == 0 });
            if taker.is_some() {
                queue.remove(0);
            }
            taker
        }
        fn can_take(&self, side: Side) -> bool {
            !self.0[side.index()].is_empty()
        }
    }

    /// The best gain of `side` from capturing a piece of value `standing`, or not capturing.
    fn slow(queues: &Queues, side: Side, standing: i32) -> i32 {
        let mut rest = queues.clone();
        let Some(taker) = rest.take(side) else { return 0 };
        if taker.is_king && rest.can_take(side.flip()) {
            return 0;
        }
        (standing - slow(&rest, side.flip(), taker.value)).max(0)
    }

    #[test]
    fn agrees_with_a_full_minimax() {
        let sets = [vec![], vec![0], vec![100], vec![100, 300], vec![300, 500, 0], vec![900, 0]];
        for (own, other) in sets.iter().flat_map(|a| sets.iter().map(move |b| (a, b))) {
            let queues = Queues([own.clone(), other.clone()]);
            for (victim, standing) in [(0, 300), (100, 900), (500, 300), (300, 300), (900, 100)] {
                let value = victim - slow(&queues, Side::Second, standing);
                for limit in [value - 1, value, value + 1, 0, 150] {
                    let reaches = reaches_limit(Side::First, victim - limit, standing, || queues.clone());
                    assert_eq!(reaches, value >= limit, "{own:?} {other:?} {victim} {standing}");
                }
            }
        }
    }
}
