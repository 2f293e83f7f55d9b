//! Piece attacks by square and occupancy, and the attackers of a square.

use super::Board;
use super::tables;
use crate::game::Side;
use crate::xiangqi::types::{Bitboard, Kind, Square};

/// The squares a piece can reach with the given occupancy. Own pieces that it defends are included; for a cannon, so
/// are the empty squares in front of it, where it can move.
#[inline(always)]
pub(in crate::xiangqi) fn reach(side: Side, kind: Kind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Soldier => tables::soldier(side, square),
        Kind::Horse => tables::horse(square, occupied),
        Kind::Elephant => tables::elephant(square, occupied),
        Kind::Advisor => tables::advisor(square),
        Kind::Chariot => tables::lines(square, occupied).0,
        Kind::Cannon => tables::lines(square, occupied).1,
        Kind::King => tables::king(square),
    }
}

/// Whether a piece of `enemy` within `enemies` attacks the king's square `at` with the given occupancy: chariots,
/// cannons, horses and soldiers, and the enemy king on an open file. Advisors and elephants never reach the other
/// palace.
#[inline(always)]
pub(super) fn king_is_attacked(board: &Board, enemy: Side, enemies: Bitboard, at: Square, occupied: Bitboard) -> bool {
    let lined = tables::cross(at) & enemies;
    for slider in lined & (board.kind_set(Kind::Chariot) | board.kind_set(Kind::King)) {
        if !tables::between(at, slider).meets(occupied) {
            return true;
        }
    }
    for cannon in lined & board.kind_set(Kind::Cannon) {
        let screens = tables::between(at, cannon) & occupied;
        if !screens.is_empty() && !screens.several() {
            return true;
        }
    }
    (tables::horse_back(at, occupied) & board.kind_set(Kind::Horse)
        | tables::soldier_back(enemy, at) & board.kind_set(Kind::Soldier))
    .meets(enemies)
}

/// The squares that a piece of `side` and `kind` on `square` attacks with the given occupancy: where it captures if an
/// enemy is there. Squares of own pieces are included (those pieces are defended). A cannon attacks the squares behind
/// the first piece, up to and including the second.
///
/// ```
/// use tabiya::xiangqi::{Bitboard, Kind, Side, Square, attacks};
///
/// let occupied: Bitboard = [Square::E5, Square::E8, Square::C2].into_iter().collect();
/// assert_eq!(attacks(Side::RED, Kind::Cannon, Square::E2, occupied).to_string(), "\
/// . . . . . . . . .
/// . . . . x . . . .
/// . . . . x . . . .
/// . . . . x . . . .
/// . . . . . . . . .
/// . . . . . . . . .
/// . . . . . . . . .
/// x x . . . . . . .
/// . . . . . . . . .
/// . . . . . . . . .");
/// assert_eq!(attacks(Side::RED, Kind::Horse, Square::D2, occupied).to_string(), "\
/// . . . . . . . . .
/// . . . . . . . . .
/// . . . . . . . . .
/// . . . . . . . . .
/// . . . . . . . . .
/// . . x . x . . . .
/// . . . . . x . . .
/// . . . . . . . . .
/// . . . . . x . . .
/// . . x . x . . . .");
/// ```
#[inline]
#[must_use]
pub fn attacks(side: Side, kind: Kind, square: Square, occupied: Bitboard) -> Bitboard {
    if kind != Kind::Cannon {
        return reach(side, kind, square, occupied);
    }
    let (seen, _) = tables::lines(square, occupied);
    let (beyond, _) = tables::lines(square, occupied - seen);
    beyond - seen
}

impl Bitboard {
    /// The squares that soldiers of `side` on the squares of the set attack: one step forward, beyond the river also
    /// sideways.
    ///
    /// ```
    /// use tabiya::xiangqi::{Bitboard, Side, Square};
    ///
    /// let soldiers: Bitboard = [Square::A3, Square::E5].into_iter().collect();
    /// let attacked: Bitboard = [Square::A4, Square::E6, Square::D5, Square::F5].into_iter().collect();
    /// assert_eq!(soldiers.soldier_attacks(Side::RED), attacked);
    /// ```
    #[must_use]
    pub fn soldier_attacks(self, side: Side) -> Bitboard {
        let forward = if side == Side::First { 1 } else { -1 };
        let crossed = self - Bitboard::half_of(side);
        self.step(0, forward) | crossed.step(-1, 0) | crossed.step(1, 0)
    }
}

impl Board {
    /// The squares that any piece of `side` attacks, own pieces included.
    ///
    /// ```
    /// use tabiya::xiangqi::{Position, Side, Square};
    ///
    /// let start = Position::default();
    /// let attacked = start.attacked_by(Side::RED);
    /// assert!(attacked.contains(Square::E4) && attacked.contains(Square::H9) && !attacked.contains(Square::H5));
    /// ```
    #[must_use]
    pub fn attacked_by(&self, side: Side) -> Bitboard {
        let attacked = |kind| {
            let own = self.pieces(side, kind);
            own.into_iter().fold(Bitboard::EMPTY, |set, at| set | attacks(side, kind, at, self.occupied()))
        };
        Kind::ALL.into_iter().fold(Bitboard::EMPTY, |set, kind| set | attacked(kind))
    }

    /// The pieces of `side` that attack or defend `square`; if a king is on it, also the enemy king that faces it.
    ///
    /// ```
    /// use tabiya::xiangqi::{Position, Side, Square};
    ///
    /// let start = Position::default();
    /// assert_eq!(start.attackers(Side::RED, Square::H9), Square::H2.into());
    /// ```
    #[must_use]
    pub fn attackers(&self, side: Side, square: Square) -> Bitboard {
        let occupied = self.occupied();
        let own = self.side_set(side);
        let mut set = tables::horse_back(square, occupied) & self.kind_set(Kind::Horse)
            | tables::soldier_back(side, square) & self.kind_set(Kind::Soldier)
            | tables::king(square) & self.kind_set(Kind::King)
            | tables::advisor(square) & self.kind_set(Kind::Advisor)
            | tables::elephant(square, occupied) & self.kind_set(Kind::Elephant);
        let lined = tables::cross(square) & own;
        let facing =
            if self.kind_set(Kind::King).contains(square) { self.kind_set(Kind::King) } else { Bitboard::EMPTY };
        for slider in lined & (self.kind_set(Kind::Chariot) | facing) {
            if !tables::between(square, slider).meets(occupied) {
                set |= Bitboard::of(slider);
            }
        }
        for cannon in lined & self.kind_set(Kind::Cannon) {
            if (tables::between(square, cannon) & occupied).count() == 1 {
                set |= Bitboard::of(cannon);
            }
        }
        set & (own - Bitboard::of(square))
    }

    /// Whether the king of the side to move is attacked.
    #[inline]
    pub(super) fn king_is_in_check(&self) -> bool {
        let enemy = self.side.flip();
        king_is_attacked(self, enemy, self.side_set(enemy), self.king(self.side), self.occupied())
    }
}
