//! Static exchange evaluation (SEE): whether the captures on one square win enough. Both sides capture with their least
//! valuable piece and may stop at any time.
//!
//! Attackers are recomputed after each capture, because a piece that leaves can be a cannon's screen or block a horse's
//! leg. Pins are ignored.

use crate::game::Side;
use crate::xiangqi::board::Board;
use crate::xiangqi::board::tables;
use crate::xiangqi::types::{Bitboard, Kind, Move, Square};

/// Exchange values in centipawns by piece type. Horse and cannon are equal, and so are elephant and advisor, so that
/// trading one for the other is even.
pub const VALUES: [i32; 7] = [100, 400, 200, 200, 900, 400, 0];

/// Piece types in the order in which they capture.
const ORDER: [Kind; 7] =
    [Kind::Soldier, Kind::Elephant, Kind::Advisor, Kind::Cannon, Kind::Horse, Kind::Chariot, Kind::King];

impl Board {
    /// The type of the piece captured by the legal move `m`.
    #[inline]
    pub(in crate::xiangqi) fn taken(&self, m: Move) -> Option<Kind> {
        let to = Bitboard::of(m.to());
        if !self.occupied().meets(to) {
            return None;
        }
        Kind::ALL.into_iter().find(|&kind| self.kind_set(kind).meets(to))
    }

    /// The immediate material gain of `m`.
    #[inline]
    pub(in crate::xiangqi) fn material_gain(&self, m: Move) -> i32 {
        self.taken(m).map_or(0, |kind| VALUES[kind.index()])
    }

    /// Whether the exchange started by the legal move `m` gains at least `limit` centipawns.
    #[inline]
    pub(super) fn exchange_gains(&self, m: Move, limit: i32) -> bool {
        // What the side that has just captured has above the limit: if nobody captures again, and if its piece is lost.
        let mut balance = self.material_gain(m) - limit;
        if balance < 0 {
            return false;
        }
        balance -= VALUES[self.moved_kind(m).index()];
        if balance >= 0 {
            return true;
        }
        let mut occupied = (self.occupied() - Bitboard::of(m.from())) | Bitboard::of(m.to());
        let mut side = self.side().flip();
        // `balance` is negative and that of `side.flip()`; `side` captures with its least valuable piece, or gives up.
        loop {
            let own = self.takers(side, m.to(), occupied);
            if own.is_empty() {
                break;
            }
            let Some(kind) = ORDER.into_iter().find(|&kind| self.kind_set(kind).meets(own)) else { break };
            let Some(from) = (self.kind_set(kind) & own).lowest() else { break };
            occupied -= Bitboard::of(from);
            side = side.flip();
            balance = -balance - 1 - VALUES[kind.index()];
            if balance >= 0 {
                // The last capture decides, unless it was a king's capture of a defended piece.
                if kind == Kind::King && !self.takers(side, m.to(), occupied).is_empty() {
                    side = side.flip();
                }
                break;
            }
        }
        side != self.side()
    }

    /// The pieces of `side` that can capture on `square`, with the pieces on `occupied`.
    #[inline(always)]
    fn takers(&self, side: Side, square: Square, occupied: Bitboard) -> Bitboard {
        let (chariots, cannons) = tables::lines(square, occupied);
        let set = chariots & self.kind_set(Kind::Chariot)
            | cannons & self.kind_set(Kind::Cannon)
            | tables::horse_back(square, occupied) & self.kind_set(Kind::Horse)
            | tables::soldier_back(side, square) & self.kind_set(Kind::Soldier)
            | tables::elephant(square, occupied) & self.kind_set(Kind::Elephant)
            | tables::advisor(square) & self.kind_set(Kind::Advisor)
            | tables::king(square) & self.kind_set(Kind::King);
        set & occupied & self.side_set(side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::base::sample;
    use crate::xiangqi::Position;

    use crate::game::random_play;

    type Board = [Option<(Side, Kind)>; 90];

    /// Whether a piece of `side` and `kind` on `from` can capture on `to`, found by walking over the board.
    fn takes(board: &Board, side: Side, kind: Kind, from: Square, to: Square) -> bool {
        let (df, dr) = (to.file() - from.file(), to.rank() - from.rank());
        let at = |files: i32, ranks: i32| from.step(files, ranks).and_then(|s| board[s.index()]);
        let forward = if side == Side::First { 1 } else { -1 };
        let own_half = |square: Square| (square.rank() < 5) == (side == Side::First);
        let palace = |square: Square| (3..=5).contains(&square.file()) && (square.rank() <= 2 || square.rank() >= 7);
        let between = || {
            let steps = df.abs().max(dr.abs());
            (1..steps).filter(|i| at(df.signum() * i, dr.signum() * i).is_some()).count()
        };
        match kind {
            Kind::Soldier => (df, dr) == (0, forward) || dr == 0 && df.abs() == 1 && !own_half(from),
            Kind::Horse => match (df.abs(), dr.abs()) {
                (1, 2) => at(0, dr / 2).is_none(),
                (2, 1) => at(df / 2, 0).is_none(),
                _ => false,
            },
            Kind::Elephant => (df.abs(), dr.abs()) == (2, 2) && own_half(to) && at(df / 2, dr / 2).is_none(),
            Kind::Advisor => (df.abs(), dr.abs()) == (1, 1) && palace(to) && own_half(to),
            Kind::Chariot => df * dr == 0 && between() == 0,
            Kind::Cannon => df * dr == 0 && between() == 1,
            Kind::King => df.abs() + dr.abs() == 1 && palace(to) && own_half(to),
        }
    }

    /// The least valuable piece of `side` that can capture on `square`; of equal ones, the one on the lowest square.
    fn least_taker(board: &Board, square: Square, side: Side) -> Option<(Square, Kind)> {
        ORDER.into_iter().find_map(|kind| {
            Square::all()
                .find(|&from| {
                    from != square
                        && board[from.index()] == Some((side, kind))
                        && takes(board, side, kind, from, square)
                })
                .map(|from| (from, kind))
        })
    }

    /// The best gain of `side` from capturing a piece of value `standing` on `square`, or not capturing.
    fn exchange(board: &mut Board, square: Square, side: Side, standing: i32) -> i32 {
        let Some((from, kind)) = least_taker(board, square, side) else { return 0 };
        let piece = board[from.index()].take();
        let defended = least_taker(board, square, side.flip()).is_some();
        let value = if kind == Kind::King && defended {
            0
        } else {
            standing - exchange(board, square, side.flip(), VALUES[kind.index()])
        };
        board[from.index()] = piece;
        value.max(0)
    }

    fn slow(pos: &Position, m: Move) -> i32 {
        let mut board: Board = std::array::from_fn(|i| pos.piece_on(Square::wrapping(i as u32)));
        let Some((side, kind)) = board[m.from().index()].take() else { panic!("nothing moves") };
        let gain = board[m.to().index()].map_or(0, |(_, kind)| VALUES[kind.index()]);
        board[m.to().index()] = Some((side, kind));
        gain - exchange(&mut board, m.to(), side.flip(), VALUES[kind.index()])
    }

    #[test]
    fn agrees_with_a_walk_over_the_board() {
        let mut rng = SplitMix64::new(11);
        let (mut lost, mut positions) = (0, 0);
        for _ in 0..sample(25, 60) {
            for pos in random_play::positions(Position::default(), 100, &mut rng) {
                let list = pos.legal_moves();
                positions += usize::from(!list.is_empty());
                for &m in &list {
                    let value = slow(&pos, m);
                    lost += u32::from(value < 0);
                    for limit in [value - 1, value, value + 1, 0, 1, -100, 250] {
                        assert_eq!(
                            pos.exchange_gains(m, limit),
                            value >= limit,
                            "{pos:?} {m:?}: {value}, limit {limit}"
                        );
                    }
                }
            }
        }
        assert!(lost > sample(4_000, 10_000) && positions > sample(1_200, 3_000));
    }
}
