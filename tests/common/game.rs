//! A game with what the rules on repetition need of its earlier positions.

use tabiya::game::{Position, Rules, Verdict};

/// A game in progress.
#[derive(Clone)]
pub struct Game<B: Rules> {
    pub start: Position<B>,
    pub pos: Position<B>,
    pub moves: Vec<B::Move>,
    trail: Vec<B::Past>,
}

impl<B: Rules> Game<B> {
    pub fn new(start: Position<B>) -> Self {
        Game { start, pos: start, moves: Vec::new(), trail: Vec::new() }
    }

    /// The game after the moves of a text.
    pub fn after(start: Position<B>, moves: &str) -> Self {
        let mut game = Game::new(start);
        game.play_text(moves);
        game
    }

    pub fn play_text(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            let m = self.pos.parse_move(text).unwrap_or_else(|error| panic!("{}: {error}", self.pos.to_fen()));
            self.play(m);
        }
    }

    pub fn play(&mut self, m: B::Move) {
        assert!(self.pos.is_legal(m), "{m:?}, move {} of the game", self.moves.len() + 1);
        self.trail.push(B::past(&self.pos, m));
        self.moves.push(m);
        self.pos.make(m);
    }

    pub fn play_all(&mut self, moves: &[B::Move]) {
        for &m in moves {
            self.play(m);
        }
    }

    /// What the rules say, for a search that began `searched` plies before; 0: there was none.
    pub fn verdict(&self, searched: usize) -> Option<Verdict> {
        B::verdict(&self.pos, &self.trail, searched)
    }
}

pub fn position<B: Rules>(fen: &str) -> Position<B> {
    Position::<B>::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}
