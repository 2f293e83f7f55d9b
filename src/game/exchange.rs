//! The static exchange: who wins when two sides take on one square in turn, always with the least valuable
//! piece, and stop when they like.
//!
//! Called by each game's `eval/see.rs`, which knows what attacks a square and what a piece is worth. The loop
//! asks only whether a limit is kept, so it ends as soon as one side may stop; it looks at no pins.

use super::side::Side;

/// A square on which pieces are taken in turn.
pub trait Exchange {
    /// Lets the least valuable piece of `side` that can take do so, off its own square; `None` if none can.
    fn take(&mut self, side: Side) -> Option<Taker>;
    /// Whether a piece of `side` could take now.
    fn can_take(&self, side: Side) -> bool;
}

/// The piece that has just taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taker {
    /// What it is worth in centipawns; 0 for a king.
    pub value: i32,
    /// Whether it is a king, which may not take what is defended.
    pub is_king: bool,
}

/// Whether a first capture keeps its limit. `surplus` is what it wins at once above the limit, `standing` the
/// value of the piece that stands on the square afterwards (0 for a king, which cannot be lost), and
/// `goes_on` answers with [`first_mover_keeps`], given its `balance`, where that does not decide.
#[inline(always)]
pub fn keeps_limit(surplus: i32, standing: i32, goes_on: impl FnOnce(i32) -> bool) -> bool {
    if surplus < 0 {
        return false;
    }
    // Even if the piece is lost for nothing the limit is kept.
    let risk = standing - surplus;
    risk <= 0 || goes_on(-risk)
}

/// Whether `mover`, who has just taken, keeps the limit whatever follows. `balance` is how far `mover` is
/// above the limit if the piece that took is lost; negative.
#[inline(always)]
pub fn first_mover_keeps(mover: Side, mut balance: i32, exchange: &mut impl Exchange) -> bool {
    debug_assert!(balance < 0);
    let mut side = mover.flip();
    // In every turn `balance` is negative and belongs to `side.flip()`: `side` is to take or give up.
    while let Some(taker) = exchange.take(side) {
        side = side.flip();
        balance = -balance - 1 - taker.value;
        if balance >= 0 {
            // The last capture decides, unless a king has taken a defended piece.
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

    /// The values of the pieces of either side that can take, in the order in which they do; 0 is a king.
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

    /// What `side` wins at most by taking a piece of value `standing`, or leaving it.
    fn slow(queues: &Queues, side: Side, standing: i32) -> i32 {
        let mut rest = queues.clone();
        let Some(taker) = rest.take(side) else { return 0 };
        if taker.is_king && rest.can_take(side.flip()) {
            return 0;
        }
        (standing - slow(&rest, side.flip(), taker.value)).max(0)
    }

    #[test]
    fn agrees_with_looking_at_every_way_to_stop() {
        let sets = [vec![], vec![0], vec![100], vec![100, 300], vec![300, 500, 0], vec![900, 0]];
        for (own, other) in sets.iter().flat_map(|a| sets.iter().map(move |b| (a, b))) {
            let queues = Queues([own.clone(), other.clone()]);
            for (victim, standing) in [(0, 300), (100, 900), (500, 300), (300, 300), (900, 100)] {
                let value = victim - slow(&queues, Side::Second, standing);
                for limit in [value - 1, value, value + 1, 0, 150] {
                    let keeps = keeps_limit(victim - limit, standing, |balance| {
                        first_mover_keeps(Side::First, balance, &mut queues.clone())
                    });
                    assert_eq!(keeps, value >= limit, "{own:?} {other:?} {victim} {standing}");
                }
            }
        }
    }
}
