//! What can be said of a move of chess in its position, legal or not, in words that can be put one behind another; and
//! whether a position can arise in a game.

use crate::chess::explain::attack::{DIRECTIONS, attackers, between, direction, slides};
use crate::chess::explain::board::{Board, WINGS, castled_rook};
use crate::chess::types::{Kind, MoveKind, Square};
use crate::chess::{Move, Position};
use crate::doctor::faults::{Feature, Order};
use crate::game::Side;
use std::borrow::Cow;

/// How likely a generator is to go wrong by a feature, the less the more: by what the rules of chess mention; by what
/// they do not, as the side; by a file, which hardly any generator looks at.
const RULE: u8 = 1;
const OTHER: u8 = 2;
const FILE: u8 = 4;

/// A move in its position, with the moves that led there.
struct Sight<'a> {
    pos: &'a Position,
    board: Board,
    before: &'a [(Position, Move)],
    from: Square,
    to: Square,
    found: Vec<Feature>,
}

/// See `Diagnosis::features`.
pub(super) fn features(pos: &Position, before: &[(Position, Move)], text: &str) -> Vec<Feature> {
    let square = |at: usize| text.get(at..at + 2).and_then(|name| Square::parse(name.as_bytes()));
    let (Some(from), Some(to)) = (square(0), square(2)) else { return Vec::new() };
    let mut sight = Sight { pos, board: Board::new(pos), before, from, to, found: Vec::new() };
    sight.of_move(text.get(4..).unwrap_or_default());
    sight.of_king();
    sight.of_history();
    sight.of_state();
    sight.found
}

impl Sight<'_> {
    fn add(&mut self, order: Order, cost: u8, words: impl Into<Cow<'static, str>>) {
        self.found.push(Feature { order, cost, words: words.into() });
    }

    fn of_move(&mut self, promotion: &str) {
        let (us, from, to) = (self.board.side, self.from, self.to);
        let Some((owner, kind)) = self.board.at(from) else { return };
        self.add(Order::Piece, RULE, format!("of a {kind}"));
        if kind != Kind::King {
            self.add(Order::Piece, RULE, "of another piece than the king");
        }
        if owner != us {
            self.add(Order::Piece, RULE, "of a piece of the opponent");
        }
        self.add(Order::Side, OTHER, ["of White", "of Black"][us.index()]);
        let (files, ranks) = (to.file() - from.file(), (to.rank() - from.rank()).abs());
        let target = self.board.at(to);
        let takes_rook = self.board.chess960 && target == Some((us, Kind::Rook));
        if kind == Kind::King && ranks == 0 && (files.abs() == 2 || takes_rook) {
            self.add(Order::Move, RULE, "castling");
            self.add(Order::Move, RULE, if files > 0 { "castling king side" } else { "castling queen side" });
            self.of_castling(files);
        } else if let Some((_, victim)) = target.filter(|&(side, _)| side != us) {
            self.add(Order::Target, RULE, "that capture");
            self.add(Order::Target, RULE, format!("that capture a {victim}"));
        } else if kind == Kind::Pawn && files != 0 {
            let is_en_passant = self.pos.en_passant() == Some(to);
            self.add(
                Order::Move,
                RULE,
                if is_en_passant { "en passant captures" } else { "captures of an empty square" },
            );
        } else {
            self.add(Order::Target, RULE, "without a capture");
        }
        if self.pos.en_passant() == Some(to) && kind != Kind::Pawn {
            self.add(Order::Target, RULE, "to the en passant square");
        }
        if kind == Kind::Pawn && (files, ranks) == (0, 2) {
            self.add(Order::Move, RULE, "double steps");
        }
        if !promotion.is_empty() {
            self.add(Order::Move, RULE, "promotions");
            self.add(Order::Move, OTHER, format!("promotions to {promotion}"));
        }
        for (square, order, word) in [(from, Order::Origin, "from"), (to, Order::Target, "to")] {
            let (edge, last) = (square.file() == 0 || square.file() == 7, square.rank() == 0 || square.rank() == 7);
            let names = [(edge && last, "a corner"), (edge, "the a- or h-file"), (last, "the first or last rank")];
            for (_, name) in names.into_iter().filter(|name| name.0) {
                self.add(order, OTHER, format!("{word} {name}"));
            }
            self.add(order, FILE, format!("{word} the {}-file", char::from(b'a' + square.file() as u8)));
        }
    }

    /// What stands on the way to the corner, and what attacks the squares of the king.
    fn of_castling(&mut self, files: i32) {
        let (us, from) = (self.board.side, self.from);
        let mut attacking = Vec::new();
        for square in (1..8).map_while(|n| from.step(n * files.signum(), 0)) {
            let is_corner = square.file() == 0 || square.file() == 7;
            match self.board.at(square).filter(|_| !is_corner) {
                Some((side, _)) if side == us => self.add(Order::Pin, RULE, "over an own piece"),
                Some(_) => self.add(Order::Pin, RULE, "over a piece of the opponent"),
                None => {}
            }
            if (square.file() - from.file()).abs() <= 2 {
                attacking.extend(attackers(&self.board.squares, square, us.flip()).iter().map(|a| a.1));
            }
        }
        self.of_attackers(&attacking, "through or to a square", "through or to squares that are not attacked");
        let other = (1..3).filter_map(|n| from.step(-n * files.signum(), 0));
        let is_attacked = |square| !attackers(&self.board.squares, square, us.flip()).is_empty();
        self.add(
            Order::Square,
            OTHER,
            match other.into_iter().any(is_attacked) {
                true => "while the king's way on the other wing is attacked",
                false => "while the king's way on the other wing is not attacked",
            },
        );
    }

    /// By which kinds a square of the king is attacked.
    fn of_attackers(&mut self, kinds: &[Kind], which: &str, none: &'static str) {
        match kinds.first() {
            None => self.add(Order::Pin, RULE, none),
            Some(first) if kinds.iter().all(|kind| kind == first) => {
                self.add(Order::Pin, RULE, format!("{which} that only a {first} attacks"));
            }
            _ => {}
        }
    }

    /// Checks and pins.
    fn of_king(&mut self) {
        let (us, them, from, to) = (self.board.side, self.board.side.flip(), self.from, self.to);
        let Some(king) = self.board.king(us) else { return };
        let checkers = attackers(&self.board.squares, king, them);
        let last = self.before.last().map(|(_, m)| (m.from(), m.to()));
        match checkers[..] {
            [] => self.add(Order::Check, RULE, "not in check"),
            [(square, kind)] => {
                self.add(Order::Check, RULE, format!("in check by a {kind}"));
                if last.is_some_and(|(_, to)| to != square) {
                    self.add(Order::Check, RULE, "in check that was opened by the last move");
                }
                if last.is_some_and(|(from, _)| between(king, square).any(|other| other == from)) {
                    self.add(Order::Check, RULE, "in check over the square that the last move has left");
                }
                // A square in a packed move may have its lowest bit set by the field beside it.
                if last.is_none() {
                    let files = ["a-, c-, e- or g", "b-, d-, f- or h"][square.index() % 2];
                    self.add(Order::Check, OTHER, format!("in check from the {files}-file as read from a FEN"));
                }
                let (at, beside) = (to == square, to.index() == square.index() + 1);
                for (is, which) in [(at, "of"), (beside, "after that of")] {
                    if is {
                        self.add(Order::Target, RULE, format!("to the square {which} the piece that gives check"));
                    }
                }
            }
            _ => {
                self.add(Order::Check, RULE, "in double check");
                for &(square, kind) in checkers.iter().filter(|_| from != king) {
                    if square == to || between(king, square).any(|other| other == to) {
                        self.add(Order::Target, RULE, "that answer one of two checks");
                        self.add(Order::Target, RULE, format!("that answer only the check by a {kind}"));
                        // Who takes one bit of a set takes the lowest.
                        let is_first = checkers.iter().all(|(other, _)| square.index() <= other.index());
                        let which = if is_first { "first" } else { "last" };
                        let words =
                            format!("that answer only the check by the {which} piece in the order a1, b1 to h8");
                        self.add(Order::Target, RULE, words);
                    }
                }
            }
        }
        if !checkers.is_empty() {
            self.add(Order::Check, RULE, "in check");
        }
        if self.is_attacked_around_edge(king) {
            self.add(Order::Check, RULE, "while a pawn attacks the king around the edge of the board");
        }
        let is_own = self.board.at(from).is_some_and(|(side, _)| side == us);
        let mut is_pinned = false;
        for line in DIRECTIONS {
            let way = (1..8).map_while(|n| king.step(line.0 * n, line.1 * n));
            let is_slider = |&(_, side, kind): &(Square, Side, Kind)| side == them && slides(kind, line);
            let pieces = Vec::from_iter(way.filter_map(|s| self.board.at(s).map(|(side, kind)| (s, side, kind))));
            let Some(end) = pieces.iter().position(is_slider) else { continue };
            let is_along = direction(king, to) == Some(line);
            let way = if is_along { "along the line of its pin" } else { "off the line of its pin" };
            match pieces[..end] {
                [(pinned, ..)] if pinned == from && is_own => {
                    is_pinned = true;
                    self.add(Order::Pin, RULE, "of a pinned piece");
                    self.add(Order::Target, RULE, way);
                }
                [(_, side, kind)] if side == them => {
                    self.add(Order::Square, RULE, format!("while only a {kind} of the opponent shields the king"));
                    if is_along {
                        self.add(Order::Pin, RULE, "to a line on which a piece of the opponent shields the king");
                    }
                }
                [(a, side, kind), (b, other, kind_b)] if (a == from) != (b == from) && is_own => {
                    let (side, kind) = if a == from { (other, kind_b) } else { (side, kind) };
                    let whose = if side == us { "an own" } else { "an enemy" };
                    self.add(Order::Pin, RULE, format!("of a piece that is pinned only through {whose} {kind}"));
                    self.add(Order::Target, RULE, way);
                }
                _ => {}
            }
        }
        if is_own && !is_pinned && from != king {
            self.add(Order::Pin, RULE, "of a piece that is not pinned");
        }
        if from == king && (to.file() - king.file()).abs() < 2 {
            let mut squares = self.board.squares;
            squares[king.index()] = None;
            let kinds = Vec::from_iter(attackers(&squares, to, them).iter().map(|a| a.1));
            self.of_attackers(&kinds, "to a square", "to a square that is not attacked");
            if self.is_attacked_around_edge(to) {
                self.add(Order::Target, RULE, "to a square that a pawn attacks only around the edge of the board");
            }
        }
    }

    /// Whether a pawn of the opponent would capture on a square if the board had no edge between the h- and a-file.
    fn is_attacked_around_edge(&self, square: Square) -> bool {
        let (us, them) = (self.board.side, self.board.side.flip());
        let pawns = [7, 9].map(|step| square.index() as i32 + us.forward() * step);
        let around = pawns.iter().filter(|&&from| (from % 8 - square.file()).abs() == 7);
        let mut pieces = around.filter_map(|&from| self.board.squares.get(usize::try_from(from).ok()?));
        pieces.any(|piece| *piece == Some((them, Kind::Pawn)))
    }

    /// The moves that led here.
    fn of_history(&mut self) {
        let us = self.pos.side();
        let Some(&(parent, last)) = self.before.last() else {
            return self.add(Order::History, RULE, "in a position read from a FEN");
        };
        self.add(Order::History, OTHER, "in a position reached by moves");
        let captures = parent.piece_on(last.to()).is_some_and(|(side, _)| side == us);
        for (is, cost, what) in [
            (last.is(MoveKind::Castle), RULE, "castling"),
            (last.is(MoveKind::EnPassant), RULE, "an en passant capture"),
            (last.is(MoveKind::DoublePush), RULE, "a double step"),
            (last.promotion().is_some(), RULE, "a promotion"),
            (captures, OTHER, "a capture"),
            (parent.moved_kind(last) == Kind::King, OTHER, "a move of the king"),
            (parent.moved_kind(last) == Kind::Rook, OTHER, "a move of a rook"),
        ] {
            if is {
                self.add(Order::Last, cost, format!("after {what} by the opponent"));
            }
        }
        if parent.en_passant().is_some() && !last.is(MoveKind::EnPassant) {
            self.add(Order::Last, RULE, "after a move that made no use of the en passant square");
        }
        let behind = last.to().step(0, us.forward());
        if let Some(square) = behind.filter(|_| captures && parent.moved_kind(last) == Kind::Pawn) {
            self.of_square(square, "the square behind a pawn that has just captured");
        }
        for (ply, (before, m)) in self.before.iter().enumerate() {
            // A move or a FEN has shown the double step, whether a pawn could capture or not.
            let pawn = match ply.checked_sub(1).map(|last| self.before[last].1) {
                Some(double) => Some(double.to()).filter(|_| double.is(MoveKind::DoublePush)),
                None => before.en_passant().and_then(|passed| passed.step(0, -before.side().forward())),
            };
            if let Some(pawn) = pawn.filter(|_| !m.is(MoveKind::EnPassant)) {
                self.of_square(pawn, "the square of a pawn after its double step");
            }
            let (mover, side) = (before.side(), if before.side() == us { "its" } else { "the opponent's" });
            let (board, kind) = (Board::new(before), before.moved_kind(*m));
            if m.is(MoveKind::Castle) {
                self.add(Order::History, RULE, format!("after {side} castling"));
                let wing = usize::from(m.to() < m.from());
                self.of_square(m.from().with_file([7, 0][wing]), "the corner that the rook has left");
                self.of_square(castled_rook(m.from(), wing), "the square of the castled rook");
            } else if kind == Kind::King && board.rights[mover.index()].iter().any(Option::is_some) {
                self.add(Order::History, RULE, format!("after {side} king has moved"));
            }
            for wing in WINGS {
                let homes = [board.homes[mover.index()].1[wing], board.homes[mover.flip().index()].1[wing]];
                let rights = [board.rights[mover.index()][wing], board.rights[mover.flip().index()][wing]];
                for (square, home, right, what) in [
                    (m.from(), homes[0], rights[0], "was left"),
                    (m.to(), homes[1], rights[1], "was captured on"),
                    (m.to(), homes[0], rights[0], "was moved to"),
                ] {
                    if home == Some(square) {
                        let held = if right.is_some() { "with its right" } else { "whose right was gone" };
                        self.add(Order::History, RULE, format!("after a move from or to a corner {held}"));
                        if kind == Kind::Rook || what == "was captured on" {
                            self.add(Order::History, RULE, format!("after a corner {held} {what}"));
                        }
                    }
                }
            }
        }
    }

    /// A corner may be square 0, which some take for no square, as where no en passant square is set.
    fn of_corners(&mut self, board: &Board) {
        let (us, forward) = (board.side, board.side.forward());
        for corner in [Square::A8, Square::H8].map(|corner| corner.seen_by(us)) {
            let Some(behind) = corner.step(0, -forward) else { continue };
            let pawn = behind.step(if corner.file() == 0 { 1 } else { -1 }, 0);
            let is_capture = board.at(corner).is_some_and(|(owner, _)| owner != us);
            if is_capture && pawn.and_then(|pawn| board.at(pawn)) == Some((us, Kind::Pawn)) {
                self.of_square(behind, &format!("{behind}, behind {corner}, where a pawn could capture"));
            }
        }
    }

    /// What the move and the king have to do with a square on which some see another piece, or none.
    fn of_square(&mut self, square: Square, name: &str) {
        let (from, to, them) = (self.from, self.to, self.board.side.flip());
        if let Some(king) = self.board.king(self.board.side) {
            let (king, mut squares) = (if from == king { to } else { king }, self.board.squares);
            let seen = attackers(&squares, king, them).len();
            squares[square.index()] = None;
            match attackers(&squares, king, them).len() {
                without if without > seen => {
                    self.add(Order::Check, RULE, format!("while a piece on {name} shields the king"));
                }
                0 if seen > 0 => self.add(Order::Check, RULE, format!("while only a piece on {name} attacks the king")),
                _ => {}
            }
        }
        let mut others = between(from, to).filter(|&other| other != square);
        if from == square {
            self.add(Order::Origin, RULE, format!("from {name}"));
        } else if others.all(|other| self.board.at(other).is_none()) {
            let is_over = between(from, to).any(|other| other == square);
            if is_over || to == square {
                self.add(Order::Target, RULE, format!("to or over {name}"));
            }
            if is_over {
                self.add(Order::Target, RULE, format!("over {name}"));
            }
        }
    }

    /// Rights, squares that count as none, the e.p. square, and draws.
    fn of_state(&mut self) {
        let rights = |side: Side| self.board.rights[side.index()].iter().flatten().count();
        let (own, theirs) = (rights(self.pos.side()), rights(self.pos.side().flip()));
        let held = ["with no castling right", "with one castling right", "with both castling rights"][own];
        self.add(Order::Rights, OTHER, held);
        if theirs == 0 {
            self.add(Order::Rights, OTHER, "while the opponent has no castling right");
        }
        for pos in self.before.iter().map(|(before, _)| before).chain([self.pos]) {
            self.of_corners(&Board::new(pos));
        }
        if self.pos.en_passant().is_some() {
            self.add(Order::Square, RULE, "while an en passant square is set");
        } else {
            self.add(Order::Square, OTHER, "without an en passant square");
        }
        let is_near = |side: Side| {
            let is_pawn = |square: &Square| self.board.at(*square) == Some((side, Kind::Pawn));
            Square::all().filter(is_pawn).any(|square| square.step(0, 2 * side.forward()).is_none())
        };
        let near = [self.pos.side().flip(), self.pos.side()].map(is_near);
        if near.contains(&true) {
            self.add(Order::Square, OTHER, "while a pawn is a step from promotion");
        }
        if near[0] {
            self.add(Order::Square, OTHER, "while a pawn of the opponent is a step from promotion");
        }
        let fen = self.pos.to_fen();
        let field = |at: usize| fen.split(' ').nth(at).unwrap_or_default();
        if field(4).parse::<u32>().is_ok_and(|plies| plies >= 100) {
            self.add(Order::Draw, RULE, "after fifty moves");
        }
        if field(0).chars().filter(char::is_ascii_alphabetic).count() == 2 {
            self.add(Order::Draw, RULE, "with bare kings");
        }
        if self.before.iter().any(|(earlier, _)| earlier.same_position(self.pos)) {
            self.add(Order::Draw, RULE, "in a position that has been there before");
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
