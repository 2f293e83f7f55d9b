//! Castling of the generator with faults, Chess960 included.

use super::generator::Generator;
use super::tables::ChessFault::*;
use crate::chess::explain::attack::{attackers, between};
use crate::chess::explain::board::{Step, What, castled_rook};
use crate::chess::types::{Kind, Square};
use crate::doctor::faults::Engines;

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
        let mut who = !self.on(by_wing(CastlingKingSideMissing, CastlingQueenSideMissing))
            & self.on_if(board.rights[self.us.index()][wing].is_none(), CastlesWithoutRight)
            & self.on_if(board.at(rook) != Some((self.us, Kind::Rook)), CastlesWithoutRook);
        // The squares that king and rook cross or reach, other than their own.
        let path = |from: Square, to: Square| {
            let squares = between(from, to).chain([to]);
            squares.filter(|&s| s != home && s != rook && board.at(s).is_some()).count()
        };
        let over_piece = self.on(by_wing(CastlesOverPieceKingSide, CastlesOverPieceQueenSide));
        let (of_king, of_rook) = (path(home, king), path(rook, castled_rook(king, wing)));
        if of_king > 0 {
            who &= over_piece;
        } else if of_rook > 0 {
            who &= over_piece | self.on(RookPathIgnored);
        }
        if who & self.engines != 0 {
            let step = Step { from: home, to: king, what: What::Castle(rook, wing) };
            let who = who & self.castles_safely(step, wing, rook);
            self.add(who, step);
        }
    }

    /// The engines that find castling safe.
    fn castles_safely(&self, step: Step, wing: usize, rook: Square) -> Engines {
        let board = self.board;
        let them = self.us.flip();
        let by_wing = |king_side, queen_side| self.on([king_side, queen_side][wing]);
        // What an engine may overlook about an attack on a square of the king's way.
        let unseen = |kind: Kind, passes: bool| {
            self.unseen(kind)
                | match kind {
                    Kind::Pawn if passes => self.on(CastlesThroughPawn),
                    Kind::King if passes => self.on(CastlesThroughKing),
                    _ => 0,
                }
        };
        let mut who = !0;
        for &(_, kind) in &self.checkers {
            let excuse = by_wing(CastlesOutOfCheckKingSide, CastlesOutOfCheckQueenSide);
            who &= excuse | unseen(kind, false);
        }
        for square in between(step.from, step.to) {
            for (_, kind) in attackers(&board.squares, square, them) {
                let excuse = by_wing(CastlesThroughAttackKingSide, CastlesThroughAttackQueenSide);
                who &= excuse | unseen(kind, true);
            }
        }
        let before = attackers(&board.squares, step.to, them);
        for attacker in attackers(&board.pieces_after(step), step.to, them) {
            let out_of_check = match self.checkers.contains(&attacker) {
                true => by_wing(CastlesOutOfCheckKingSide, CastlesOutOfCheckQueenSide),
                false => 0,
            };
            // Otherwise the rook has opened the line, in Chess960.
            let into_check = match before.contains(&attacker) {
                true => by_wing(CastlesIntoCheckKingSide, CastlesIntoCheckQueenSide),
                false => self.on(RookShields),
            };
            who &= out_of_check | into_check | unseen(attacker.1, true);
        }
        let attacked = |square: Square| !attackers(&board.squares, square, them).is_empty();
        if attacked(rook) {
            who &= !self.on(CastlingRookAttacked);
        }
        let on_kings_way = |square| between(step.from, step.to).any(|s| s == square);
        let mut rook_path = between(rook, castled_rook(step.to, wing));
        if rook_path.any(|s| s != step.from && s != step.to && !on_kings_way(s) && attacked(s)) {
            who &= !self.on(CastlingRookPathAttacked);
        }
        who
    }
}
