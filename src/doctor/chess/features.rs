//! What can be said of a move of chess in its position, legal or not, in words that can be put one behind another; and
//! whether a position can arise in a game.

use crate::chess::explain::attack::{DIRECTIONS, attackers, slides};
use crate::chess::explain::board::{Board, WINGS};
use crate::chess::types::{Kind, Square};
use crate::chess::{Move, Position};
use crate::doctor::faults::Feature;
use crate::game::Side;

/// The names of the kinds of pieces.
const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// The order in which features are told.
#[derive(Clone, Copy)]
enum Order {
    Move,
    Piece,
    Side,
    Pin,
    Origin,
    Target,
    Check,
    Last,
    History,
    Rights,
    Square,
    Draw,
}

/// A position with the moves that led to it.
struct Sight<'a> {
    board: Board,
    before: &'a [(Position, Move)],
    found: Vec<Feature>,
}

/// See `Diagnosis::features`.
pub(super) fn features(pos: &Position, before: &[(Position, Move)], text: &str) -> Vec<Feature> {
    let square = |at: usize| text.get(at..at + 2).and_then(|name| Square::parse(name.as_bytes()));
    let (Some(from), Some(to)) = (square(0), square(2)) else { return Vec::new() };
    let mut sight = Sight { board: Board::new(pos), before, found: Vec::new() };
    sight.of_move(pos, from, to, text.get(4..).unwrap_or_default());
    sight.of_king(from, to);
    sight.of_history(pos);
    sight.of_state(pos);
    sight.found
}

impl Sight<'_> {
    fn add(&mut self, order: Order, words: impl Into<String>) {
        self.found.push(Feature(order as u8, words.into()));
    }

    fn of_move(&mut self, pos: &Position, from: Square, to: Square, promotion: &str) {
        let us = self.board.side;
        let Some((owner, kind)) = self.board.at(from) else { return self.add(Order::Piece, "from an empty square") };
        self.add(Order::Piece, format!("of a {}", NAMES[kind.index()]));
        if owner != us {
            self.add(Order::Piece, "of a piece of the opponent");
        }
        self.add(Order::Side, ["of White", "of Black"][us.index()]);
        let (files, ranks) = (to.file() - from.file(), (to.rank() - from.rank()).abs());
        let target = self.board.at(to);
        let castles = kind == Kind::King && ranks == 0 && (files.abs() == 2 || target == Some((us, Kind::Rook)));
        if castles {
            self.add(Order::Move, "castling");
            self.add(Order::Move, if files > 0 { "castling king side" } else { "castling queen side" });
            self.of_castling(from, files);
        } else if target.is_some_and(|(side, _)| side != us) {
            self.add(Order::Move, "captures");
            self.add(Order::Target, format!("that take a {}", NAMES[target.map_or(0, |(_, kind)| kind.index())]));
        } else if kind == Kind::Pawn && files != 0 {
            self.add(
                Order::Move,
                if pos.en_passant() == Some(to) { "en passant captures" } else { "captures of nothing" },
            );
        } else {
            self.add(Order::Move, "moves without a capture");
        }
        if kind == Kind::Pawn && ranks == 2 {
            self.add(Order::Move, "double steps");
        }
        if !promotion.is_empty() {
            self.add(Order::Move, "promotions");
            self.add(Order::Move, format!("promotions to {promotion}"));
        }
        for (square, order, word) in [(from, Order::Origin, "from"), (to, Order::Target, "to")] {
            let (edge, last) = (square.file() == 0 || square.file() == 7, square.rank() == 0 || square.rank() == 7);
            let names = [(edge && last, "a corner"), (edge, "the a- or h-file"), (last, "the first or last rank")];
            for (_, name) in names.into_iter().filter(|name| name.0) {
                self.add(order, format!("{word} {name}"));
            }
            self.add(order, format!("{word} the {}-file", char::from(b'a' + square.file() as u8)));
        }
    }

    /// What stands on the way to the corner, and what attacks the squares of the king.
    fn of_castling(&mut self, from: Square, files: i32) {
        let us = self.board.side;
        for square in (1..8).map_while(|n| from.step(n * files.signum(), 0)) {
            let is_corner = square.file() == 0 || square.file() == 7;
            match self.board.at(square).filter(|_| !is_corner) {
                Some((side, _)) if side == us => self.add(Order::Pin, "over an own piece"),
                Some(_) => self.add(Order::Pin, "over a piece of the opponent"),
                None => {}
            }
            if (square.file() - from.file()).abs() <= 2 {
                for (_, kind) in attackers(&self.board.squares, square, us.flip()) {
                    self.add(Order::Pin, format!("through or to a square that a {} attacks", NAMES[kind.index()]));
                }
            }
        }
    }

    /// Checks and pins.
    fn of_king(&mut self, from: Square, to: Square) {
        let (us, them) = (self.board.side, self.board.side.flip());
        let Some(king) = self.board.king(us) else { return };
        let checkers = attackers(&self.board.squares, king, them);
        self.add(Order::Check, if checkers.is_empty() { "not in check" } else { "in check" });
        if checkers.len() > 1 {
            self.add(Order::Check, "in double check");
        }
        let last = self.before.last().map(|(_, m)| m.to());
        for (square, kind) in checkers {
            self.add(Order::Check, format!("in check by a {}", NAMES[kind.index()]));
            if last.is_some_and(|last| last != square) {
                self.add(Order::Check, "in check that was opened by the last move");
            }
        }
        let way = |direction: (i32, i32)| (1..8).map_while(move |n| king.step(direction.0 * n, direction.1 * n));
        for line in DIRECTIONS {
            let mut pieces = way(line).filter(|&square| self.board.at(square).is_some());
            let (Some(first), Some(second)) = (pieces.next(), pieces.next()) else { continue };
            let pins = self.board.at(second).is_some_and(|(side, kind)| side == them && slides(kind, line));
            if first == from && self.board.at(first).is_some_and(|(side, _)| side == us) && pins {
                self.add(Order::Pin, "of a pinned piece");
                let along = way(line).any(|square| square == to);
                self.add(Order::Pin, if along { "along the line of its pin" } else { "off the line of its pin" });
            }
        }
    }

    /// The moves that led here.
    fn of_history(&mut self, pos: &Position) {
        let us = pos.side();
        let Some((parent, last)) = self.before.last() else {
            return self.add(Order::History, "in a position read from a FEN");
        };
        self.add(Order::History, "in a position reached by moves");
        let text = parent.move_text(*last).to_string();
        for feature in features(parent, &[], &text) {
            let words = match feature.1.as_str() {
                "castling" => "castling",
                "captures" => "a capture",
                "en passant captures" => "an en passant capture",
                "double steps" => "a double step",
                "promotions" => "a promotion",
                "of a king" => "a move of the king",
                "of a rook" => "a move of a rook",
                _ => continue,
            };
            self.add(Order::Last, format!("after {words} by the opponent"));
        }
        for (before, m) in self.before {
            let (mover, side) = (before.side(), if before.side() == us { "its" } else { "the opponent's" });
            let board = Board::new(before);
            let piece = board.at(m.from()).map(|(_, kind)| kind);
            let text = before.move_text(*m).to_string();
            let is = |name: &str| features(before, &[], &text).iter().any(|feature| feature.1 == name);
            let had = board.rights[mover.index()].iter().any(Option::is_some);
            if is("castling") {
                self.add(Order::History, format!("after {side} castling"));
            } else if piece == Some(Kind::King) && had {
                self.add(Order::History, format!("after {side} king has moved"));
            }
            for wing in WINGS {
                let homes = [board.homes[mover.index()].1[wing], board.homes[mover.flip().index()].1[wing]];
                let rights = [board.rights[mover.index()][wing], board.rights[mover.flip().index()][wing]];
                for (square, home, right, what) in [
                    (m.from(), homes[0], rights[0], "was left"),
                    (m.to(), homes[1], rights[1], "was captured on"),
                    (m.to(), homes[0], rights[0], "was moved to"),
                ] {
                    if home == Some(square) && (piece == Some(Kind::Rook) || what == "was captured on") {
                        let held = if right.is_some() { "with its right" } else { "whose right was gone" };
                        self.add(Order::History, format!("after a corner {held} {what}"));
                    }
                }
            }
        }
    }

    /// Rights, the e.p. square, and draws.
    fn of_state(&mut self, pos: &Position) {
        let rights = |side: Side| self.board.rights[side.index()].iter().flatten().count();
        let (own, theirs) = (rights(pos.side()), rights(pos.side().flip()));
        self.add(
            Order::Rights,
            ["with no castling right", "with one castling right", "with both castling rights"][own],
        );
        if theirs == 0 {
            self.add(Order::Rights, "while the opponent has no castling right");
        }
        let square = if pos.en_passant().is_some() {
            "while an en passant square is set"
        } else {
            "without an en passant square"
        };
        self.add(Order::Square, square);
        let fen = pos.to_fen();
        let field = |at: usize| fen.split(' ').nth(at).unwrap_or_default();
        if field(4).parse::<u32>().is_ok_and(|plies| plies >= 100) {
            self.add(Order::Draw, "after fifty moves");
        }
        if field(0).chars().filter(char::is_ascii_alphabetic).count() == 2 {
            self.add(Order::Draw, "with bare kings");
        }
    }
}

/// Whether a position with this e.p. square can arise: before the double step, whose side was to move then, the king of
/// the other side cannot have been in check.
pub(super) fn arises(pos: &Position) -> bool {
    let Some(passed) = pos.en_passant() else { return true };
    let (board, us) = (Board::new(pos), pos.side());
    let (pawn, home) = (passed.step(0, -us.forward()), passed.step(0, us.forward()));
    let (Some(pawn), Some(home), Some(king)) = (pawn, home, board.king(us)) else { return true };
    let mut squares = board.squares;
    squares[home.index()] = squares[pawn.index()].take();
    attackers(&squares, king, us.flip()).is_empty()
}
