//! A UCI engine with faults on purpose: the faulty generators of the crate behind `go perft`.
//!
//! [`serve`] is the engine; a test program that wants to drive it starts itself again ([`command`]). The words that say
//! which game and faults are the names of the kinds, `PinnedPawn`, or with a side `PinnedPawn:1` (0 the first, 1 the
//! second side). An engine of the game `chess:searchmoves` has no `go perft` but obeys `go searchmoves`,
//! `chess:refusal` ignores illegal moves in `position`, `chess:blind` believes everything that it is told, `chess:ends`
//! counts finished positions. `chess:refusal:a1a1` has that word for no move; `silence` says nothing, `again` repeats
//! the last answer.

use std::io::{self, BufRead as _, Write as _};
use tabiya::doctor::faults::{Diagnosis, Fault, FaultKind as _, Faults, FaultyBoard as _};
use tabiya::game::{Position, Side};
use tabiya::{chess, xiangqi};

/// The fault called `word`.
pub fn fault<B: Diagnosis>(word: &str) -> Fault<B::Fault> {
    let (name, side) = word.split_once(':').unwrap_or((word, ""));
    let kind = B::Fault::ALL.iter().find(|kind| format!("{kind:?}") == name);
    let kind = *kind.unwrap_or_else(|| panic!("no fault {name}"));
    let side = match side {
        "0" => Some(Side::First),
        "1" => Some(Side::Second),
        _ => None,
    };
    Fault { kind, side }
}

/// The command that runs `test`, an ignored test of this program that calls [`serve_environment`], as an engine.
pub fn command(test: &str) -> String {
    let this = std::env::current_exe().unwrap();
    format!("'{}' {test} --exact --ignored --nocapture --test-threads 1", this.display())
}

/// The variable that holds the words for [`serve`].
pub const WORDS: &str = "TABIYA_FAULTY_ENGINE";

/// Speaks UCI if the environment asks for it.
pub fn serve_environment() {
    if let Ok(words) = std::env::var(WORDS) {
        serve(&words);
    }
}

/// Speaks UCI as an engine of the game and with the faults that `words` name: `chess PinIgnored`.
pub fn serve(words: &str) {
    let (game, faults) = words.split_once(' ').unwrap_or((words, ""));
    let (game, manner) = game.split_once(':').unwrap_or((game, "perft"));
    match game {
        "chess" => Engine::<chess::Board>::new(faults).run(manner),
        "xiangqi" => Engine::<xiangqi::Board>::new(faults).run(manner),
        _ => panic!("no game {game}"),
    }
}

/// A faulty engine.
pub struct Engine<B: Diagnosis> {
    faults: Faults,
    board: B::Faulty,
    /// It was told a move that it does not know.
    is_lost: bool,
    /// It counts a position without a move as one more sequence.
    counts_ends: bool,
    /// It makes no move that it would not generate.
    refuses: bool,
}

impl<B: Diagnosis> Engine<B> {
    /// With the faults named in `faults`, separated by blanks.
    pub fn new(faults: &str) -> Self {
        let faults: Vec<_> = faults.split_whitespace().map(fault::<B>).collect();
        let start = Position::<B>::from_fen(B::START_FEN).unwrap();
        Engine {
            faults: Faults::of(&faults),
            board: B::sound_board(&start),
            is_lost: false,
            counts_ends: false,
            refuses: false,
        }
    }

    /// The board after the move `text`, if the engine or a right one generates it.
    fn after(&self, board: &B::Faulty, text: &str) -> Option<B::Faulty> {
        let mut moves = board.moves(&self.faults);
        if !self.refuses {
            moves.extend(board.moves(&Faults::default()));
        }
        let m = moves.into_iter().find(|m| board.move_text(*m).as_str() == text)?;
        Some(board.make(m, &self.faults))
    }

    fn perft(&self, board: &B::Faulty, depth: u32) -> u64 {
        let moves = board.moves(&self.faults);
        if depth == 0 || moves.is_empty() && self.counts_ends {
            return 1;
        }
        match depth {
            1 => moves.len() as u64,
            _ => moves.into_iter().map(|m| self.perft(&board.make(m, &self.faults), depth - 1)).sum(),
        }
    }

    /// Sets the position of a UCI command.
    pub fn position(&mut self, words: &str) {
        let (fen, moves) = words.split_once(" moves").unwrap_or((words, ""));
        let fen = fen.strip_prefix("fen ").unwrap_or(B::START_FEN);
        let pos = Position::<B>::from_fen(fen).unwrap();
        self.board = B::sound_board(&pos).read(&self.faults);
        self.is_lost = false;
        for text in moves.split_whitespace() {
            match self.after(&self.board, text) {
                Some(board) => self.board = board,
                None => self.is_lost = true,
            }
        }
    }

    /// The moves with their counts.
    pub fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let count = |m| {
            let count = self.perft(&self.board.make(m, &self.faults), depth - 1);
            (self.board.move_text(m).to_string(), count)
        };
        self.board.moves(&self.faults).into_iter().map(count).collect()
    }

    /// The answer to `go` of an engine without perft: `rest` if it can be searched, or else any move.
    fn best_move(&self, rest: &str, manner: &str, none: &str) -> String {
        let moves: Vec<String> = self.divide(1).into_iter().map(|(text, _)| text).collect();
        match rest.split_once("searchmoves ") {
            None if manner == "blind" && self.is_lost => none.to_string(),
            Some((_, wanted)) if manner == "blind" || moves.iter().any(|m| m == wanted) => wanted.to_string(),
            Some(_) if manner == "searchmoves" => none.to_string(),
            _ => moves.first().map_or(none.to_string(), String::clone),
        }
    }

    fn run(mut self, manner: &str) {
        let (manner, none) = manner.split_once(':').unwrap_or((manner, "(none)"));
        let mut last = String::new();
        self.counts_ends = manner == "ends";
        self.refuses = !matches!(manner, "perft" | "ends");
        // A test harness may have begun a line.
        println!();
        for line in io::stdin().lock().lines() {
            let line = line.unwrap();
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match word {
                "uci" => println!("id name Faulty\nuciok"),
                "isready" => println!("readyok"),
                "position" => self.position(rest),
                "go" if !matches!(manner, "perft" | "ends") => {
                    let best = self.best_move(rest, manner, none);
                    let best = if best == "again" { last.clone() } else { best };
                    last.clone_from(&best);
                    // One that says nothing at all.
                    if best != "silence" {
                        println!("bestmove {best}");
                    }
                }
                "go" => {
                    let depth = rest.split(' ').nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
                    let counts = self.divide(depth);
                    for (text, count) in counts.iter() {
                        println!("{text}: {count}");
                    }
                    let total: u64 = counts.iter().map(|(_, count)| count).sum();
                    println!("\nNodes searched: {total}\n");
                }
                "quit" => return,
                _ => {}
            }
            io::stdout().flush().unwrap();
        }
    }
}
