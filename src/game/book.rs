//! Opening books: the trait that each game's book implements, books as texts, and the draw by weight.
//!
//! A line of a text has one of two forms. `WEIGHT | NAME | MOVES` is a game from the starting position; every move of
//! it gets the weight, and the name may be omitted. `MOVE WEIGHT FEN` is one move of a position, the format of
//! ElephantEye before version 2.0. Empty lines and `#` comments are ignored. Weights of the same move in a position add
//! up. Files are untrusted, and every fault is reported with its line.

use super::board::Board;
use super::board::Position;
use super::movetext;
use super::notation::{FenReader, quoted};
use super::rules::GameMove;
use crate::base::rng::SplitMix64;
use std::collections::BTreeMap;

/// An opening book of the game of `B`.
pub trait OpeningBook<B: Board>: Sized + 'static {
    /// The book inside the program.
    fn embedded() -> Self;

    /// Opens a book file, or several where the game allows it.
    ///
    /// # Errors
    /// If a file cannot be read or is not a book, in one line.
    fn open(files: &str) -> Result<Self, String>;

    /// The number of entries.
    fn entries(&self) -> u64;

    /// The entries of a position, as they are in the book.
    fn entries_of(&mut self, pos: &Position<B>) -> Vec<(B::Move, u16)>;

    /// The legal book moves of a position with their weights, each move once. Moves of weight 0 are not played.
    fn candidates(&mut self, pos: &Position<B>) -> Vec<(B::Move, u16)> {
        let mut moves: Vec<(B::Move, u16)> = Vec::new();
        for (m, weight) in self.entries_of(pos).into_iter().filter(|&(m, weight)| weight > 0 && pos.is_legal(m)) {
            match moves.iter_mut().find(|(other, _)| *other == m) {
                Some((_, sum)) => *sum = sum.saturating_add(weight),
                None => moves.push((m, weight)),
            }
        }
        moves
    }

    /// Draws one of the book's moves, with a probability proportional to its weight.
    fn choose(&mut self, pos: &Position<B>, dice: &mut SplitMix64) -> Option<Choice<B::Move>> {
        draw(&self.candidates(pos), dice)
    }
}

/// A move drawn from a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<M> {
    /// The move, legal in the position.
    pub m: M,
    /// Its weight.
    pub weight: u16,
    /// The sum of the weights of all moves of the position.
    pub total: u32,
}

/// Draws one of the moves with a probability proportional to its weight; `None` if all weights are zero.
fn draw<M: Copy>(moves: &[(M, u16)], dice: &mut SplitMix64) -> Option<Choice<M>> {
    let total: u32 = moves.iter().map(|&(_, weight)| u32::from(weight)).sum();
    if total == 0 {
        return None;
    }
    let mut left = dice.below(total as usize) as u32;
    moves.iter().find_map(|&(m, weight)| {
        let chosen = left < u32::from(weight);
        left = left.wrapping_sub(u32::from(weight));
        chosen.then_some(Choice { m, weight, total })
    })
}

/// The weights of moves, by the key of their position.
#[derive(Default, Debug)]
pub struct Text<M>(BTreeMap<(u64, M), u16>);

impl<M: GameMove> Text<M> {
    /// Adds what a text says.
    ///
    /// # Errors
    /// The first fault with its line.
    pub fn read<B: Board<Move = M>>(&mut self, text: &str) -> Result<(), String> {
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            let read = match line.split_once('|') {
                _ if line.is_empty() => Ok(()),
                // The name may be omitted.
                Some((weight, rest)) => self.read_game::<B>(weight, rest.split_once('|').map_or(rest, |parts| parts.1)),
                None => self.read_position::<B>(line),
            };
            read.map_err(|reason| format!("line {number}: {reason}"))?;
        }
        Ok(())
    }

    fn read_game<B: Board<Move = M>>(&mut self, weight: &str, moves: &str) -> Result<(), String> {
        let weight = read_weight(weight.trim())?;
        let mut pos = Position::<B>::from_fen(B::START_FEN).map_err(|error| error.to_string())?;
        if moves.contains('|') {
            return Err("more than two |, expected WEIGHT | NAME | MOVES".to_string());
        }
        for word in movetext::moves(moves) {
            let (_, text) = word.map_err(|error| error.to_string())?;
            let m = self.add(&pos, text, weight)?;
            pos.make(m);
        }
        Ok(())
    }

    fn read_position<B: Board<Move = M>>(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.splitn(3, char::is_whitespace).map(str::trim);
        let (Some(text), Some(weight), Some(fen)) = (words.next(), words.next(), words.next()) else {
            return Err("expected WEIGHT | NAME | MOVES or MOVE WEIGHT FEN".to_string());
        };
        let weight = read_weight(weight)?;
        let pos = Position::<B>::read_fen(fen, &mut FenReader::lenient()).map_err(|error| error.to_string())?;
        self.add(&pos, text, weight).map(|_| ())
    }

    fn add<B: Board<Move = M>>(&mut self, pos: &Position<B>, text: &str, weight: u16) -> Result<M, String> {
        let m = pos.parse_move(text).map_err(|error| error.to_string())?;
        let sum = self.0.entry((pos.key(), m)).or_default();
        *sum = sum.saturating_add(weight);
        Ok(m)
    }

    /// The number of moves, each once in a position.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// The moves of a position.
    pub fn entries_of(&self, pos: &Position<impl Board<Move = M>>) -> Vec<(M, u16)> {
        let [first, last] = [0, u16::MAX].map(|raw| (pos.key(), M::from_raw(raw)));
        self.0.range(first..=last).map(|(&(_, m), &weight)| (m, weight)).collect()
    }
}

fn read_weight(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("the weight {} is not a number up to {}", quoted(text), u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut dice = SplitMix64::new(4);
        for _ in 0..200 {
            let choice = draw(&[('a', 0), ('b', 3), ('c', 0)], &mut dice);
            assert_eq!(choice, Some(Choice { m: 'b', weight: 3, total: 3 }));
        }
        assert_eq!(draw(&[('a', 0)], &mut dice), None);
        assert_eq!(draw::<char>(&[], &mut dice), None);
    }

    #[cfg(feature = "xiangqi")]
    mod texts {
        use super::super::*;
        use crate::xiangqi::{Board, Move, Position};

        const POSITION: &str = "b2e2 5895 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

        fn read(text: &str) -> Result<Text<Move>, String> {
            let mut book = Text::default();
            book.read::<Board>(text).map(|()| book)
        }

        fn shown(book: &Text<Move>, moves: &str) -> Vec<String> {
            let mut pos = Position::default();
            moves.split_whitespace().for_each(|text| pos.make(pos.parse_move(text).unwrap()));
            book.entries_of(&pos).iter().map(|(m, weight)| format!("{m} {weight}")).collect()
        }

        #[test]
        fn both_line_formats_are_read() {
            let text = "# a book\r\n\r\n10 | with a name | h2e2 h9g7\r\n7|b2e2\n0 | none | a3a4\n";
            let book = read(&format!("{text}{POSITION} # the same")).unwrap();
            assert_eq!(book.count(), 4);
            assert_eq!(shown(&book, ""), ["a3a4 0", "b2e2 5902", "h2e2 10"]);
            assert_eq!(shown(&book, "h2e2"), ["h9g7 10"]);
            assert_eq!(read("").map(|book| book.count()), Ok(0));
        }

        #[test]
        fn weights_add_up_to_the_largest() {
            let book = read("3 | h2e2 h9g7\n4 | h2e2 b9c7\n65535 | h2e2 h9g7").unwrap();
            assert_eq!(shown(&book, ""), ["h2e2 65535"]);
            assert_eq!(shown(&book, "h2e2").len(), 2);
            assert!(shown(&book, "h2e2").contains(&"b9c7 4".to_string()));
            assert!(shown(&book, "b2e2").is_empty());
        }

        #[test]
        fn faults_are_reported_with_their_line() {
            for (text, word) in [
                ("# fine\nwhat is", "line 2: expected WEIGHT | NAME | MOVES or MOVE WEIGHT FEN"),
                ("x | a | h2e2", "line 1: the weight \"x\" is not a number up to 65535"),
                ("65536 | a | h2e2", "line 1: the weight"),
                ("-1 | a | h2e2", "line 1: the weight"),
                ("1 | a | h2e2 h2e2", "line 1: "),
                ("1 | a | b | h2e2", "line 1: more than two |"),
                ("b2e2 1 9/9/9 w", "line 1: FEN"),
                ("a0i9 1 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "line 1: "),
                ("b2e2 1", "line 1: expected"),
            ] {
                let fault = read(text).expect_err(text);
                assert!(fault.starts_with(word) && !fault.contains('\n'), "{text}: {fault}");
            }
        }
    }
}
