//! Explains castling, legal or not, in chess and Chess960.

use super::attack::{attackers, between};
use super::mailbox::{Step, WINGS, What, castled_rook};
use super::{Case, Reason, Rule, of, on};
use crate::chess::types::{Kind, MoveKind, Square};

const WING_NAMES: [&str; 2] = ["king side", "queen side"];

impl Case<'_> {
    /// Why the king may not castle, if the move from `from` to `to` is castling: two steps or more along the rank from
    /// the king's home square, or the capture of an own rook.
    pub(super) fn castling(&self, from: Square, to: Square) -> Option<Reason> {
        let (home, rooks) = self.board.homes[self.us.index()];
        if self.board.at(from) != Some((self.us, Kind::King)) || from.rank() != to.rank() {
            return None;
        }
        let on_back_rank = to.seen_by(self.us).rank() == 0;
        let had_right = self.before.iter().any(|(earlier, _)| earlier.castling().contains(to));
        let takes_rook = on_back_rank && (had_right || self.board.at(to) == Some((self.us, Kind::Rook)));
        let castles =
            |wing: usize| from == home && to == home.with_file([6, 2][wing]) && from.file().abs_diff(to.file()) >= 2;
        let wing = if takes_rook { usize::from(to < from) } else { WINGS.into_iter().find(|&wing| castles(wing))? };
        if takes_rook && (from.file() - to.file()).abs() == 1 && !self.board.chess960 {
            return None;
        }
        let rook = if takes_rook { to } else { rooks[wing].unwrap_or(to) };
        Some(self.may_not_castle(from, rook, wing))
    }

    pub(super) fn may_not_castle(&self, from: Square, rook: Square, wing: usize) -> Reason {
        let them = self.us.flip();
        let to = from.with_file([6, 2][wing]);
        if !self.pos.castling().contains(rook) {
            return (Rule::CastlingRightLost, self.lost_right(from, rook, wing));
        }
        let end = castled_rook(to, wing);
        let blocker = |from_square: Square, to_square: Square| {
            let mut way = between(from_square, to_square).chain([to_square]);
            way.find(|&s| s != from && s != rook && self.board.at(s).is_some())
        };
        if let Some(square) = blocker(from, to) {
            return (Rule::CastlesOverPiece, format!("{} is in the way of the king", self.piece(square)));
        }
        if let Some(square) = blocker(rook, end) {
            return (Rule::RookOverPiece, format!("{} is in the way of the rook", self.piece(square)));
        }
        if let Some(&checker) = self.checkers.first() {
            return (
                Rule::CastlesOutOfCheck,
                format!("{} is in check by {} and cannot castle", self.piece(from), on(checker)),
            );
        }
        for square in between(from, to) {
            if let Some(&attacker) = attackers(&self.board.squares, square, them).first() {
                return (
                    Rule::CastlesThroughAttack,
                    format!("castling, the king passes {square}, which {} attacks", on(attacker)),
                );
            }
        }
        if let Some(&attacker) = attackers(&self.board.squares, to, them).first() {
            return (
                Rule::CastlesIntoCheck,
                format!("castling, the king arrives on {to}, which {} attacks", on(attacker)),
            );
        }
        let after = self.board.pieces_after(Step { from, to, what: What::Castle(rook, wing) });
        let attacker = attackers(&after, to, them).first().map_or(String::new(), |&a| on(a));
        (Rule::RookShields, format!("the rook on {rook} shields {to}, where the king arrives, from {attacker}"))
    }

    /// How the right to castle was lost, as far as the history tells.
    fn lost_right(&self, king: Square, rook: Square, wing: usize) -> String {
        let side = format!("{} has no right to castle {}", of(self.us), WING_NAMES[wing]);
        let lost = self.before.iter().rev().find(|(earlier, _)| earlier.castling().contains(rook));
        match lost {
            Some((earlier, m)) if earlier.side() != self.us => {
                format!("{side}: the rook on {rook} was captured with {m}")
            }
            Some((_, m)) if m.is(MoveKind::Castle) => format!("{side}: it has castled already"),
            Some((_, m)) if m.is(MoveKind::King) => format!("{side}: the king moved with {m}"),
            Some((_, m)) => format!("{side}: the rook moved with {m}"),
            None if self.board.at(rook) != Some((self.us, Kind::Rook)) => {
                format!("{side}: there is no rook to castle with")
            }
            None => format!("{side}: the king on {king} or the rook on {rook} has moved, or a rook was captured there"),
        }
    }

    /// Why castling is legal.
    pub(super) fn may_castle(&self, from: Square, rook: Square) -> Reason {
        let wing = usize::from(rook < from);
        let to = from.with_file([6, 2][wing]);
        let them = self.us.flip();
        let attacked = |square: Square| attackers(&self.board.squares, square, them).first().copied();
        let only_rook = between(rook, castled_rook(to, wing)).chain([rook]);
        let mut only_rook = only_rook.filter(|&s| s != from && s != to && !between(from, to).any(|way| way == s));
        let remark = only_rook.find_map(|square| {
            let attacker = on(attacked(square)?);
            Some(if square == rook {
                format!("; that {attacker} attacks the rook on {rook} does not matter")
            } else {
                format!("; that {attacker} attacks {square} does not matter, since only the rook passes it")
            })
        });
        (
            Rule::Castling,
            format!(
                "{} may castle {}: it has the right, the way is free, and no square on the king's way is attacked{}",
                of(self.us),
                WING_NAMES[wing],
                remark.unwrap_or_default()
            ),
        )
    }
}
