//! Another UCI engine as a child process, spoken to over pipes with timeouts.
//!
//! A reference for counts, moves and FENs. A silent or dead engine fails the test with the last lines of the
//! dialogue (`pipe`); the test never hangs.

use super::pipe::{self, Pipe};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The time-out for one answer.
const PATIENCE: Duration = Duration::from_secs(300);

/// A running engine.
pub struct Engine {
    pipe: Pipe,
    chess960: Option<bool>,
}

impl Engine {
    /// Starts `command` and waits for `uciok`.
    ///
    /// # Errors
    /// If the program cannot be started.
    ///
    /// # Panics
    /// If it does not answer `uci`.
    pub fn start(command: &mut Command) -> io::Result<Engine> {
        let mut pipe = Pipe::of(command.stderr(Stdio::null()))?;
        pipe.ask("uci", "uciok");
        Ok(Engine { pipe, chess960: None })
    }

    /// Stockfish, from `PATH` or from where Debian puts it.
    pub fn stockfish() -> Option<Engine> {
        Engine::installed("stockfish")
    }

    /// Fairy-Stockfish, playing xiangqi.
    pub fn fairy_stockfish() -> Option<Engine> {
        let mut engine = Engine::installed("fairy-stockfish")?;
        engine.pipe.send("setoption name UCI_Variant value xiangqi");
        Some(engine)
    }

    fn installed(name: &str) -> Option<Engine> {
        Engine::start(&mut Command::new(name)).ok().or_else(|| {
            let debian = Path::new("/usr/games").join(name);
            if debian.exists() { Engine::start(&mut Command::new(debian)).ok() } else { None }
        })
    }

    /// Sets up a position; `chess960` selects Chess960 notation for castling.
    pub fn position(&mut self, fen: &str, chess960: bool) {
        if self.chess960 != Some(chess960) {
            self.pipe.send(&format!("setoption name UCI_Chess960 value {chess960}"));
            self.chess960 = Some(chess960);
        }
        self.pipe.send(&format!("position fen {fen}"));
    }

    /// Moves of the position with the nodes below each, sorted by move.
    pub fn divide(&mut self, fen: &str, chess960: bool, depth: u32) -> Vec<(String, u64)> {
        self.position(fen, chess960);
        self.pipe.send(&format!("go perft {depth}"));
        let lines = self.pipe.until_within("Nodes", PATIENCE);
        let (total, lines) = lines.split_last().expect("at least one line");
        let mut moves: Vec<(String, u64)> = lines
            .iter()
            .filter_map(|line| {
                let (name, nodes) = line.split_once(": ")?;
                Some((name.to_string(), nodes.trim_end().parse().ok()?))
            })
            .collect();
        moves.sort();
        let sum: u64 = moves.iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(total.trim_end(), format!("Nodes searched: {sum}"), "{fen}: {moves:?}");
        moves
    }

    /// The number of leaves at `depth`.
    pub fn perft(&mut self, fen: &str, chess960: bool, depth: u32) -> u64 {
        self.divide(fen, chess960, depth).iter().map(|(_, nodes)| nodes).sum()
    }

    /// The FEN that the engine's `d` shows after `moves` from `fen`.
    pub fn fen_after(&mut self, fen: &str, chess960: bool, moves: &[String]) -> String {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.position(&format!("{fen}{moves}"), chess960);
        pipe::fen(&mut self.pipe)
    }
}
