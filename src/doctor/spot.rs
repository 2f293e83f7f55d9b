//! Places where another generator is asked: [`Spot`], a position with moves made from it.

use crate::doctor::faults::Diagnosis;
use crate::explain::Explanation;
use crate::game::Position;
use std::collections::BTreeSet;

/// A position that is set up by its FEN, and moves made from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot<B: Diagnosis> {
    pub root: Position<B>,
    pub moves: Vec<String>,
}

/// Positions and the moves made in them, oldest first.
pub type Line<B> = Vec<(Position<B>, <B as crate::game::Rules>::Move)>;

impl<B: Diagnosis> Spot<B> {
    /// The position itself.
    pub fn at(root: Position<B>) -> Spot<B> {
        Spot { root, moves: Vec::new() }
    }

    /// The positions and moves on the way, and the position at the end; `None` if a move is not legal.
    pub fn line(&self) -> Option<(Line<B>, Position<B>)> {
        let (mut line, mut position) = (Vec::new(), self.root);
        for text in &self.moves {
            let m = position.parse_coordinates(text).ok()?;
            line.push((position, m));
            position = position.play_unchecked(m);
        }
        Some((line, position))
    }

    /// The position at the end.
    pub fn end(&self) -> Option<Position<B>> {
        self.line().map(|(_, end)| end)
    }

    /// The same with one more move.
    pub fn then(&self, text: &str) -> Spot<B> {
        let mut next = self.clone();
        next.moves.push(text.into());
        next
    }

    /// The same without the first move.
    pub fn from_second(&self) -> Option<Spot<B>> {
        let (first, rest) = self.moves.split_first()?;
        let root = self.root.play_unchecked(self.root.parse_coordinates(first).ok()?);
        Some(Spot { root, moves: rest.to_vec() })
    }

    /// As a UCI command.
    pub fn command(&self) -> String {
        let moves = if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        format!("position fen {}{moves}", self.root.to_fen())
    }

    /// Why the move `text` is legal or not at the end.
    pub fn explain(&self, text: &str) -> Option<Explanation<B::Rule>> {
        let (line, end) = self.line()?;
        B::explain(&end, text, &line).ok()
    }
}

/// The legal moves as text.
pub fn texts<B: Diagnosis>(position: &Position<B>) -> BTreeSet<String> {
    position.legal_moves().iter().map(|&m| position.move_text(m).to_string()).collect()
}
