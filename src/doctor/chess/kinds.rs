//! What is said of a move of chess, and boards that no game can reach.

use crate::chess::Position;
use crate::chess::types::{Kind, Square};
use crate::doctor::faults::MoveClass::{Capture, Castling, Promotion, Quiet};
use crate::doctor::faults::MoveKind;
use crate::doctor::setup::Setup;
use crate::explain::chess::attack::attackers;
use crate::explain::chess::mailbox::Mailbox;
use crate::game::Side;

/// The kind of a move, legal or not.
pub(super) fn kind(pos: &Position, text: &str) -> MoveKind {
    let board = Mailbox::new(pos);
    let square = |at: usize| text.get(at..at + 2).and_then(|name| Square::parse(name.as_bytes()));
    let (Some(from), Some(to)) = (square(0), square(2)) else { return MoveKind::new(Quiet, "a move") };
    let Some((side, kind)) = board.at(from) else { return MoveKind::new(Quiet, "a move from an empty square") };
    if side != pos.side() {
        return MoveKind::new(Quiet, format!("a move of the opponent's {kind}"));
    }
    let (files, ranks) = ((to.file() - from.file()).abs(), (to.rank() - from.rank()).abs());
    let target = board.at(to);
    let is_own_rook = target == Some((side, Kind::Rook)) && board.chess960;
    if kind == Kind::King && (is_own_rook || files == 2 && ranks == 0) {
        let wing = if to.file() > from.file() { "king" } else { "queen" };
        return MoveKind::new(Castling, format!("castling {wing} side"));
    }
    if kind != Kind::Pawn {
        let (class, word) = if target.is_some() { (Capture, "capture") } else { (Quiet, "move") };
        return MoveKind::new(class, format!("a {kind} {word}"));
    }
    let captures = target.is_some() && files > 0;
    let (class, words) = if files == 1 && ranks == 1 && target.is_none() {
        if pos.en_passant() == Some(to) {
            (Capture, "capturing en passant")
        } else {
            (Quiet, "a diagonal pawn step to an empty square")
        }
    } else if files > 1 {
        (Quiet, "a pawn move around the edge")
    } else if text.len() > 4 {
        (Promotion, if captures { "promotion by capture" } else { "promotion" })
    } else if matches!(to.rank(), 0 | 7) {
        (Quiet, "a pawn move to the last rank without promotion")
    } else if ranks == 2 {
        (Quiet, "a double step")
    } else if captures {
        (Capture, "a pawn capture")
    } else {
        (Quiet, "a pawn step")
    };
    MoveKind::new(class, words)
}

/// Any setup as a board.
pub(super) fn board_of(setup: &Setup) -> Mailbox {
    let mut squares = [None; 64];
    for (square, letter) in setup.men() {
        squares[square] = Kind::from_fen_letter(letter as u8);
    }
    let square = |index: usize| Square::wrapping(index as u32);
    let chess960 = setup.rights.chars().any(|letter| !"KQkq".contains(letter));
    let usual = |side: Side| (Square::E1.seen_by(side), [Square::H1, Square::A1].map(|rook| Some(rook.seen_by(side))));
    let mut rights = [[None; 2]; 2];
    for letter in setup.rights.chars() {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        let [king_side, queen_side] = usual(side).1;
        let lower = letter.to_ascii_lowercase();
        let rook = match lower {
            'k' => king_side,
            'q' => queen_side,
            file => king_side.map(|rook| rook.with_file(i32::from(file as u8) - i32::from(b'a'))),
        };
        let king = setup.king(if side == Side::First { 'w' } else { 'b' }).map(square);
        let wing = match lower {
            'k' => 0,
            'q' => 1,
            _ => usize::from(rook < king),
        };
        rights[side.index()][wing] = rook;
    }
    let homes = |side: Side| {
        if chess960 {
            let king = setup.king(if side == Side::First { 'w' } else { 'b' }).map(square);
            (king.unwrap_or(Square::E1), rights[side.index()])
        } else {
            usual(side)
        }
    };
    Mailbox {
        squares,
        side: if setup.side == 'w' { Side::First } else { Side::Second },
        rights,
        homes: Side::BOTH.map(homes),
        en_passant: setup.passed.map(square),
        chess960,
    }
}

/// Whether the position can arise in a game, as far as its en passant square tells.
pub(super) fn arises(pos: &Position) -> bool {
    let Some(passed) = pos.en_passant() else { return true };
    let (board, us) = (Mailbox::new(pos), pos.side());
    let (pawn, home) = (passed.step(0, -us.forward()), passed.step(0, us.forward()));
    let (Some(pawn), Some(home), Some(king)) = (pawn, home, board.king(us)) else { return true };
    let mut squares = board.squares;
    squares[home.index()] = squares[pawn.index()].take();
    attackers(&squares, king, us.flip()).is_empty()
}
