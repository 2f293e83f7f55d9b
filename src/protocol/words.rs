//! Splits lines into words and parses what the protocols have in common.
//!
//! No input makes this code panic.

use super::bench::{Bench, BenchLimit};
use super::dialect::{Command, Oddity, PositionText};
use crate::game::text::fault::quoted;

/// The words of a line that have not been read yet.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The words of `line`.
    pub fn new(line: &'a str) -> Self {
        Words { rest: line }
    }

    /// The rest of the line, trimmed.
    pub fn rest(&self) -> &'a str {
        self.rest.trim()
    }

    /// The next word, without consuming it.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The next word if it is a number; numbers out of range are clamped.
    pub fn number(&mut self) -> Option<i64> {
        let word = self.peek()?;
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        self.next();
        let negative = word.starts_with('-');
        // Parsing can only fail on size here.
        Some(word.parse().unwrap_or(if negative { i64::MIN } else { i64::MAX }))
    }

    /// The number after `word`, the word that was read last, for `place`. A word without its number is ignored, and the
    /// word after it is parsed again.
    pub fn number_of(&mut self, word: &str, place: &mut Option<i64>, odd: &mut Vec<Oddity>) {
        match self.number() {
            Some(number) => *place = Some(number),
            None => {
                let found = self.peek().map_or(String::new(), |next| format!(", not {}", quoted(next)));
                let text = format!("go: {word} expects a whole number{found}");
                odd.push(Oddity { word: word.to_string(), text });
            }
        }
    }

    /// Skips `word`, which is unknown to the command `command`, and the words after it up to one that `is_known`.
    pub fn skip_unknown(&mut self, command: &str, word: &str, is_known: impl Fn(&str) -> bool, odd: &mut Vec<Oddity>) {
        let (start, mut skipped) = (self.rest, word.to_string());
        while let Some(next) = self.peek().filter(|next| !is_known(next)) {
            skipped.push(' ');
            skipped.push_str(next);
            self.next();
        }
        // Said already, if it stands where a number was expected.
        let is_said = odd.last().is_some_and(|last| last.text.ends_with(&quoted(word)));
        if !is_said || self.rest != start {
            let text = format!("{command}: {} is not understood and ignored", quoted(&skipped));
            odd.push(Oddity { word: word.to_string(), text });
        }
    }

    /// `bench [<depth>]`, or as in Stockfish `bench <hash> <threads> [<limit> [default [depth | nodes | movetime]]]`.
    fn bench(mut self, odd: &mut Vec<Oddity>) -> Command<'a> {
        let mut bench = match [self.number(), self.number(), self.number()] {
            [limit, None, _] => Bench { limit, ..Bench::default() },
            [hash, threads, limit] => Bench { hash, threads, limit, ..Bench::default() },
        };
        while let Some(word) = self.next() {
            match word {
                "depth" => bench.kind = BenchLimit::Depth,
                "nodes" => bench.kind = BenchLimit::Nodes,
                "movetime" => bench.kind = BenchLimit::Time,
                // The only positions; and the evaluation, of which there is one too.
                "default" | "mixed" | "classical" | "NNUE" => {}
                _ => self.skip_unknown("bench", word, |_| false, odd),
            }
        }
        Command::Bench(bench)
    }

    /// The rest of a line with `command`, of those that are the same in both protocols.
    pub fn common(mut self, command: &str, odd: &mut Vec<Oddity>) -> Command<'a> {
        match command {
            "isready" => Command::IsReady,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit { draw: self.any(|word| word == "draw") },
            "quit" => Command::Quit,
            "d" => Command::Diagram,
            "eval" => Command::Evaluate,
            "bench" => self.bench(odd),
            "compiler" => Command::Compiler,
            "help" => Command::Help,
            // `register` needs no action.
            _ => Command::Nothing,
        }
    }

    /// The next words that look like moves.
    pub fn moves(&mut self) -> Vec<&'a str> {
        let mut moves = Vec::new();
        while let Some(word) = self.peek().filter(|word| looks_like_move(word)) {
            moves.push(word);
            self.next();
        }
        moves
    }

    /// `[fen <FEN> | startpos] [moves <list>]` for `command`; other words are skipped. The word `fen` may be missing.
    pub fn position(mut self, command: &str, odd: &mut Vec<Oddity>) -> PositionText<'a> {
        let (mut fen, mut is_missing) = (None, true);
        if self.peek().is_some_and(|word| word.contains('/')) {
            let text = format!("{command}: the word fen before the FEN is missing");
            odd.push(Oddity { word: "fen".to_string(), text });
            (fen, is_missing) = (Some(self.fen()), false);
        }
        while let Some(word) = self.next() {
            match word {
                "moves" => {
                    let moves = self.filter(|word| !is_move_number(word)).collect();
                    return PositionText { fen, moves, ..PositionText::default() };
                }
                "startpos" => (fen, is_missing) = (None, false),
                "fen" => {
                    (fen, is_missing) = (Some(self.fen()), false);
                }
                _ if looks_like_move(word) => {
                    self.skip_unknown(command, word, |next| next == "moves", odd);
                    if let Some(last) = odd.last_mut() {
                        last.text.push_str("; the word moves must come before the moves");
                    }
                }
                _ => self.skip_unknown(command, word, |next| ["moves", "startpos", "fen"].contains(&next), odd),
            }
        }
        PositionText { fen, is_missing, ..PositionText::default() }
    }

    /// The words up to `moves`.
    fn fen(&mut self) -> String {
        let mut words = Vec::new();
        while let Some(word) = self.peek().filter(|word| *word != "moves") {
            words.push(word);
            self.next();
        }
        words.join(" ")
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Whether a word is the number of a move, as in `1. e4 e5 2. Nf3`.
fn is_move_number(word: &str) -> bool {
    word.ends_with('.') && word.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit())
}

/// Whether a word has the form of a move in coordinates in some game.
pub(super) fn looks_like_move(word: &str) -> bool {
    // The length of a square name; rank 10 has two digits.
    let square = |text: &[u8]| match text {
        [b'a'..=b'i', b'1', b'0', ..] => 3,
        [b'a'..=b'i', b'0'..=b'9', ..] => 2,
        _ => 0,
    };
    let text = word.as_bytes();
    let from = square(text);
    let to = square(&text[from..]);
    let promotion = &text[from + to..];
    text == b"0000" || from > 0 && to > 0 && matches!(promotion, [] | [b'a'..=b'z' | b'A'..=b'Z'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_clamped_and_other_words_are_kept() {
        let mut words = Words::new("12 -3 +4 99999999999999999999 -99999999999999999999 1.5 x");
        for expected in [12, -3, 4, i64::MAX, i64::MIN] {
            assert_eq!(words.number(), Some(expected));
        }
        assert_eq!((words.number(), words.next()), (None, Some("1.5")));
        assert_eq!((words.number(), words.rest()), (None, "x"));
        assert_eq!(Words::new("").number(), None);
        assert_eq!(Words::new("- +").number(), None);
    }

    #[test]
    fn moves_are_distinguished_from_other_words() {
        for word in ["e2e4", "a7a8q", "0000", "h2e2", "i9i0", "a10a9", "i9i10", "b10d10"] {
            assert!(looks_like_move(word), "{word}");
        }
        for word in ["", "e2", "e2e4qq", "e2e44", "j1j2", "depth", "e-e4", "E2E4", "ä2e4", "a11a1", "a1", "a10"] {
            assert!(!looks_like_move(word), "{word}");
        }
        let mut words = Words::new(" h2e2\th9g7 nodes 5");
        assert_eq!(words.moves(), ["h2e2", "h9g7"]);
        assert_eq!(words.rest(), "nodes 5");
    }
}
