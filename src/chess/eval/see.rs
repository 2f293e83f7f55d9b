//! Static exchange evaluation (SEE): whether a sequence of captures on one square wins enough. Both sides capture with
//! their least valuable piece and may stop at any time.
//!
//! Promotions within the exchange are not counted, and pins are ignored.

use crate::chess::board::Board;
use crate::chess::board::attacks::attackers;
use crate::chess::board::tables;
use crate::chess::types::{Bitboard, Kind, Move, MoveKind};

/// Exchange values in centipawns: pawn, knight, bishop, rook, queen, king. Knight and bishop are equal, so that an
/// exchange of one for the other is even.
pub const VALUES: [i32; 6] = [100, 325, 325, 500, 975, 0];

impl Board {
    /// The kind of piece that the legal move `m` captures.
    #[inline]
    pub(in crate::chess) fn taken(&self, m: Move) -> Option<Kind> {
        if m.is(MoveKind::EnPassant) {
            Some(Kind::Pawn)
        } else if m.is(MoveKind::Castle) {
            None
        } else {
            let to = Bitboard::of(m.to());
            if !self.occupied().meets(to) {
                return None;
            }
            Kind::ALL.into_iter().find(|&kind| self.kind_set(kind).meets(to))
        }
    }

    /// The material that `m` wins before any reply, including promotion.
    #[inline]
    pub(in crate::chess) fn material_gain(&self, m: Move) -> i32 {
        let promotion = m.promotion().map_or(0, |kind| VALUES[kind.index()] - VALUES[0]);
        self.taken(m).map_or(0, |kind| VALUES[kind.index()]) + promotion
    }

    /// Whether the exchange that starts with the legal move `m` wins at least `limit` centipawns.
    #[inline]
    pub(super) fn exchange_gains(&self, m: Move, limit: i32) -> bool {
        // Castling starts no exchange: the king does not pass through attacked squares.
        if m.is(MoveKind::Castle) {
            return limit <= 0;
        }
        // What the side that has just captured has above the limit: if nobody captures again, and if its piece is lost.
        let mut balance = self.material_gain(m) - limit;
        if balance < 0 {
            return false;
        }
        balance -= VALUES[m.promotion().unwrap_or(m.piece()).index()];
        if balance >= 0 {
            return true;
        }
        let square = m.to();
        let mut occupied = self.occupied() & !Bitboard::of(m.from()) | Bitboard::of(square);
        if m.is(MoveKind::EnPassant) {
            occupied &= !Bitboard::of(square.with_rank_of(m.from()));
        }
        let queens = self.kind_set(Kind::Queen);
        let (diagonal, straight) = (self.kind_set(Kind::Bishop) | queens, self.kind_set(Kind::Rook) | queens);
        let mut attackers = attackers(self, square, occupied) & occupied;
        let mut side = self.side().flip();
        // `balance` is negative and that of `side.flip()`; `side` captures with its least valuable piece, or gives up.
        while let Some(kind) =
            Kind::ALL.into_iter().find(|&kind| self.kind_set(kind).meets(attackers & self.side_set(side)))
        {
            let Some(from) = (self.kind_set(kind) & attackers & self.side_set(side)).lowest() else { break };
            occupied &= !Bitboard::of(from);
            // Behind the piece that leaves there may be another attacker.
            if matches!(kind, Kind::Pawn | Kind::Bishop | Kind::Queen) {
                attackers |= tables::bishop(square, occupied) & diagonal;
            }
            if matches!(kind, Kind::Rook | Kind::Queen) {
                attackers |= tables::rook(square, occupied) & straight;
            }
            attackers &= occupied;
            side = side.flip();
            balance = -balance - 1 - VALUES[kind.index()];
            if balance >= 0 {
                // The last capture decides, unless it was a king's capture of a defended piece.
                if kind == Kind::King && attackers.meets(self.side_set(side)) {
                    side = side.flip();
                }
                break;
            }
        }
        side != self.side()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::chess::Position;
    use crate::chess::types::Square;
    use crate::game::Side;

    use crate::game::random_play;

    /// The least valuable piece of `side` that attacks `square`, found by steps over a mailbox board.
    fn least_attacker(board: &[Option<(Side, Kind)>; 64], square: Square, side: Side) -> Option<(Square, Kind)> {
        let mut best: Option<(Square, Kind)> = None;
        let mut note = |from: Square, kind: Kind| {
            // Of two equal pieces the one on the lower square captures: the pieces behind them may differ.
            if best.is_none_or(|(square, k)| (kind, from.index()) < (k, square.index())) {
                best = Some((from, kind));
            }
        };
        let back = if side == Side::First { -1 } else { 1 };
        let holds = |from: Option<Square>, kind| from.filter(|from| board[from.index()] == Some((side, kind)));
        for file in [-1, 1] {
            if let Some(from) = holds(square.step(file, back), Kind::Pawn) {
                note(from, Kind::Pawn);
            }
        }
        for (a, b) in [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)] {
            if let Some(from) = holds(square.step(a, b), Kind::Knight) {
                note(from, Kind::Knight);
            }
        }
        for (a, b) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
            if let Some(from) = holds(square.step(a, b), Kind::King) {
                note(from, Kind::King);
            }
            let slider = if a * b == 0 { Kind::Rook } else { Kind::Bishop };
            let mut at = square;
            while let Some(next) = at.step(a, b) {
                at = next;
                if let Some((owner, kind)) = board[at.index()] {
                    if owner == side && (kind == slider || kind == Kind::Queen) {
                        note(at, kind);
                    }
                    break;
                }
            }
        }
        best
    }

    /// The most that `side` wins by capturing the piece of value `standing` on `square`; 0 if it is better not to.
    fn exchange(board: &mut [Option<(Side, Kind)>; 64], square: Square, side: Side, standing: i32) -> i32 {
        let Some((from, kind)) = least_attacker(board, square, side) else { return 0 };
        let piece = board[from.index()].take();
        let defended = least_attacker(board, square, side.flip()).is_some();
        let value = if kind == Kind::King && defended {
            0
        } else {
            standing - exchange(board, square, side.flip(), VALUES[kind.index()])
        };
        board[from.index()] = piece;
        value.max(0)
    }

    fn slow(pos: &Position, m: Move) -> i32 {
        if m.is(MoveKind::Castle) {
            return 0;
        }
        let mut board: [_; 64] = std::array::from_fn(|i| pos.piece_on(Square::wrapping(i as u32)));
        board[m.from().index()] = None;
        if m.is(MoveKind::EnPassant) {
            board[m.to().with_rank_of(m.from()).index()] = None;
        }
        let next = m.promotion().unwrap_or(m.piece());
        board[m.to().index()] = Some((pos.side(), next));
        pos.material_gain(m) - exchange(&mut board, m.to(), pos.side().flip(), VALUES[next.index()])
    }

    #[test]
    fn agrees_with_a_mailbox_implementation() {
        let mut rng = SplitMix64::new(11);
        let mut lost = 0;
        for _ in 0..200 {
            for pos in random_play::positions(Position::default(), 80, &mut rng) {
                for m in pos.legal_moves() {
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
        assert!(lost > 10_000);
    }
}
