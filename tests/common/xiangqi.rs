//! Suites, seeded random positions and counts by another program, for the xiangqi tests.
//!
//! Used by `perft_xiangqi.rs`, `reference_xiangqi.rs` and `invariants_xiangqi.rs`; it checks nothing itself.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tabiya::base::rng::SplitMix64;
use tabiya::game::{Notation as _, Rules as _};
use tabiya::xiangqi::{Position, XiangqiList};

/// One line of a suite: where it stands, its FEN and the expected counts by depth.
pub struct Case {
    pub place: String,
    pub fen: String,
    pub counts: Vec<(u32, u64)>,
}

/// Reads `perft-suites/xiangqi/NAME`.
pub fn suite(name: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("perft-suites/xiangqi").join(name);
    let text = std::fs::read_to_string(&path).expect("the suite is in the tree");
    let mut cases = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut parts = line.split(';');
        let fen = parts.next().expect("a FEN").trim().to_string();
        let counts: Vec<(u32, u64)> = parts
            .map(|part| {
                let (depth, count) = part.trim()[1..].split_once(' ').expect("`Dn count`");
                (depth.parse().expect("a depth"), count.trim().parse().expect("a count"))
            })
            .collect();
        assert!(!counts.is_empty(), "{name}:{}: no counts", number + 1);
        cases.push(Case { place: format!("{name}:{}", number + 1), fen, counts });
    }
    cases
}

/// The FENs of both suites.
pub fn suite_fens() -> Vec<String> {
    ["standard.epd", "tricky.epd"].into_iter().flat_map(suite).map(|case| case.fen).collect()
}

/// `wanted` positions met on seeded random walks from the positions of both suites.
pub fn random_positions(seed: u64, wanted: usize) -> Vec<Position> {
    let fens = suite_fens();
    let mut rng = SplitMix64::new(seed);
    let mut found = Vec::new();
    while found.len() < wanted {
        // Half of the walks begin at the start position and run long, so that all phases are met.
        let (fen, longest) = if rng.below(2) == 0 {
            (Position::START_FEN.to_string(), 160)
        } else {
            (fens[rng.below(fens.len())].clone(), 40)
        };
        let mut pos = Position::from_fen(&fen).expect("a suite position");
        for _ in 0..1 + rng.below(longest) {
            let mut list = XiangqiList::new();
            pos.legal_moves(&mut list);
            if list.is_empty() {
                break;
            }
            pos.make(list[rng.below(list.len())]);
        }
        found.push(pos);
    }
    found
}

/// Fairy-Stockfish over pipes.
pub struct Fairy {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Fairy {
    /// Starts the program, if it is installed (`fairy-stockfish` on PATH or in `/usr/games`).
    pub fn start() -> Option<Fairy> {
        ["fairy-stockfish", "/usr/games/fairy-stockfish"].into_iter().find_map(|program| {
            let mut child =
                Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
            let mut to = child.stdin.take()?;
            let from = BufReader::new(child.stdout.take()?);
            writeln!(to, "setoption name UCI_Variant value xiangqi").ok()?;
            Some(Fairy { child, to, from })
        })
    }

    /// Its `go perft DEPTH` of a position.
    pub fn perft(&mut self, fen: &str, depth: u32) -> u64 {
        writeln!(self.to, "position fen {fen}\ngo perft {depth}").expect("the program reads");
        loop {
            let mut line = String::new();
            let read = self.from.read_line(&mut line).expect("the program answers");
            assert!(read > 0, "the program has ended at {fen}");
            if let Some(count) = line.strip_prefix("Nodes searched: ") {
                return count.trim().parse().expect("a count");
            }
        }
    }
}

impl Drop for Fairy {
    fn drop(&mut self) {
        let _ = writeln!(self.to, "quit");
        let _ = self.child.wait();
    }
}
