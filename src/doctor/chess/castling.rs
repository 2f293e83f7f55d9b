//! Castling of the generator with faults, Chess960 included.

use super::generator::Generator;
use super::tables::ChessFault::*;
use crate::chess::types::{Kind, Square};
use crate::explain::chess::attack::{attackers, between};
use crate::explain::chess::mailbox::{Step, What, castled_rook};

impl Generator<'_> {
    /// Castling on one wing.
    pub(super) fn castle(&mut self, wing: usize) {
        let board = self.board;
        let (home, rooks) = board.homes[self.us.index()];
        let Some(rook) = rooks[wing] else { return };
        if board.at(home) != Some((self.us, Kind::King)) {
            return;
        }
        let king = home.with_file([6, 2][wing]);
        let by_wing = |king_side, queen_side| [king_side, queen_side][wing];
        // The squares that king and rook cross or reach, other than their own.
        let path = |from: Square, to: Square| {
            let squares = between(from, to).chain([to]);
            squares.filter(|&s| s != home && s != rook && board.at(s).is_some()).count()
        };
        let over_piece = by_wing(CastlesOverPieceKingSide, CastlesOverPieceQueenSide);
        let (of_king, of_rook) = (path(home, king), path(rook, castled_rook(king, wing)));
        let is_free = match (of_king, of_rook) {
            (0, 0) => true,
            (0, _) => self.on(over_piece) || self.on(RookPathIgnored),
            _ => self.on(over_piece),
        };
        let step = Step { from: home, to: king, what: What::Castle(rook, wing) };
        if is_free
            && (board.rights[self.us.index()][wing].is_some() || self.on(CastlesWithoutRight))
            && (board.at(rook) == Some((self.us, Kind::Rook)) || self.on(CastlesWithoutRook))
            && self.castles_safely(step, wing, rook)
            && !self.on(by_wing(CastlingKingSideMissing, CastlingQueenSideMissing))
        {
            self.add(step);
        }
    }

    /// Whether the engine finds castling safe.
    fn castles_safely(&self, step: Step, wing: usize, rook: Square) -> bool {
        let board = self.board;
        let them = self.us.flip();
        let by_wing = |king_side, queen_side| self.on([king_side, queen_side][wing]);
        // Whether an engine overlooks an attack on a square of the king's way.
        let unseen = |kind: Kind, passes: bool| {
            self.is_unseen(kind)
                || match kind {
                    Kind::Pawn if passes => self.on(CastlesThroughPawn),
                    Kind::King if passes => self.on(CastlesThroughKing),
                    _ => false,
                }
        };
        let out_of_check = || by_wing(CastlesOutOfCheckKingSide, CastlesOutOfCheckQueenSide);
        let mut is_safe = true;
        for &(_, kind) in &self.checkers {
            is_safe &= out_of_check() || unseen(kind, false);
        }
        for square in between(step.from, step.to) {
            for (_, kind) in attackers(&board.squares, square, them) {
                let through = by_wing(CastlesThroughAttackKingSide, CastlesThroughAttackQueenSide);
                is_safe &= through || unseen(kind, true);
            }
        }
        let before = attackers(&board.squares, step.to, them);
        for attacker in attackers(&board.pieces_after(step), step.to, them) {
            let is_overlooked = self.checkers.contains(&attacker) && out_of_check()
                || if before.contains(&attacker) {
                    by_wing(CastlesIntoCheckKingSide, CastlesIntoCheckQueenSide)
                } else {
                    self.on(RookShields)
                };
            is_safe &= is_overlooked || unseen(attacker.1, true);
        }
        let attacked = |square: Square| !attackers(&board.squares, square, them).is_empty();
        let on_kings_way = |square| between(step.from, step.to).any(|s| s == square);
        let mut rook_path = between(rook, castled_rook(step.to, wing));
        let is_rook_path_attacked =
            rook_path.any(|s| s != step.from && s != step.to && !on_kings_way(s) && attacked(s));
        is_safe
            && !(attacked(rook) && self.on(CastlingRookAttacked))
            && !(is_rook_path_attacked && self.on(CastlingRookPathAttacked))
    }
}
