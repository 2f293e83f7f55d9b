//! What the integration tests share: suites, other engines over pipes, random play.
//!
//! The suite reader is deliberately smaller than `perft::suite` and independent of it. Nothing here skips work
//! silently: a test whose reference program is missing reports it through [`skip_or_fail`].

pub mod endings;
pub mod engine;
pub mod faulty;
pub mod game;
pub mod mailbox;
pub mod own;
pub mod pipe;
pub mod play;
pub mod program;
pub mod walk;
pub mod watchdog;
pub mod xiangqi;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};
use tabiya::game::{Counting, Position, Rules};

/// A rank of a FEN: the letters of `pieces`, with numbers for runs of `empty`.
pub fn fen_row(pieces: impl Iterator<Item = char>, empty: char) -> String {
    let (mut row, mut squares) = (String::new(), 0);
    for piece in pieces.map(Some).chain([None]) {
        if piece == Some(empty) {
            squares += 1;
            continue;
        }
        if squares > 0 {
            row += &squares.to_string();
            squares = 0;
        }
        row.extend(piece);
    }
    row
}

/// One line of a suite: a position and its counts.
#[derive(Clone, Debug)]
pub struct Entry {
    /// File name without folder and ending.
    pub suite: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// From the comment `# name: …` above the line, or empty.
    pub name: String,
    /// The position as written.
    pub fen: String,
    /// Depth and node count, as written.
    pub counts: Vec<(u32, u64)>,
}

impl Entry {
    /// Suite, line, name and FEN, for messages.
    pub fn place(&self) -> String {
        format!("{}:{} {} {}", self.suite, self.line, self.name, self.fen)
    }
}

/// The project's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every entry of every chess suite, in the order of file names and lines.
pub fn chess_suites() -> Vec<Entry> {
    suites("chess")
}

/// Every entry of every xiangqi suite, in the order of file names and lines.
pub fn xiangqi_suites() -> Vec<Entry> {
    suites("xiangqi")
}

/// Every entry of every suite of a game.
///
/// # Panics
/// If there is no suite or a line cannot be understood.
fn suites(game: &str) -> Vec<Entry> {
    let folder = root().join("perft-suites").join(game);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|x| x == "epd"))
        .collect();
    files.sort();
    let entries: Vec<Entry> = files
        .iter()
        .flat_map(|path| {
            let suite = path.file_stem().unwrap().to_string_lossy();
            read_suite(&suite, &fs::read_to_string(path).unwrap())
        })
        .collect();
    assert!(entries.len() >= 6, "{} holds only {} positions", folder.display(), entries.len());
    entries
}

/// The entry called `name` in the suite `standard`.
pub fn standard(name: &str) -> Entry {
    chess_suites()
        .into_iter()
        .find(|entry| entry.suite == "standard" && entry.name == name)
        .unwrap_or_else(|| panic!("no position {name:?} in perft-suites/chess/standard.epd"))
}

/// Reads `FEN ;D1 n ;D2 n ;c0 "comment"` lines; other comments begin with `#`, of which `# name: …` names the next
/// position.
///
/// # Panics
/// At the first line that cannot be understood: suites are our own data.
pub fn read_suite(suite: &str, text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut name = String::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix('#') {
            if let Some(value) = comment.trim().strip_prefix("name:") {
                name = value.trim().to_string();
            }
        } else if !line.is_empty() {
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().unwrap_or_default().to_string();
            // A comment of EPD says which faults the position catches.
            let counts: Vec<(u32, u64)> = parts
                .filter(|part| !part.starts_with("c0 "))
                .map(|part| {
                    let (depth, nodes) = part
                        .strip_prefix('D')
                        .and_then(|part| part.split_once(char::is_whitespace))
                        .unwrap_or_else(|| panic!("{suite}:{}: {part:?}", index + 1));
                    (depth.parse().unwrap(), nodes.trim().parse().unwrap())
                })
                .collect();
            assert!(!counts.is_empty(), "{suite}:{}: no counts", index + 1);
            let entry = Entry { suite: suite.into(), line: index + 1, name, fen, counts };
            entries.push(entry);
            name = String::new();
        }
    }
    entries
}

/// Counts every entry at every depth for which `wanted(count)` is true; returns the number of counts compared.
///
/// # Panics
/// With a list of all wrong counts.
pub fn check_counts<B: Counting>(entries: &[Entry], wanted: impl Fn(u64) -> bool) -> usize {
    let mut wrong = Vec::new();
    let mut counted = 0;
    for entry in entries {
        let pos = Position::<B>::from_fen(&entry.fen).unwrap_or_else(|e| panic!("{}: {e}", entry.place()));
        for &(depth, expected) in entry.counts.iter().filter(|&&(_, nodes)| wanted(nodes)) {
            let nodes = pos.perft(depth);
            counted += 1;
            if nodes != expected {
                wrong.push(format!("{} D{depth}: {nodes}, expected {expected}", entry.place()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong counts:\n{}", wrong.len(), wrong.join("\n"));
    counted
}

/// Every letter in the other case: the pieces of a FEN with their colours exchanged.
pub fn swap_case(text: &str) -> String {
    let swap = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    text.chars().map(swap).collect()
}

/// The position with the colours exchanged and the board turned upside down.
pub fn mirrored<B: Rules>(pos: &Position<B>) -> Position<B> {
    let fen = pos.to_fen();
    let [board, side, castling, passed, counters @ ..] = &fen.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{fen}")
    };
    let board: Vec<String> = board.split('/').rev().map(swap_case).collect();
    let side = if *side == "w" { "b" } else { "w" };
    let passed = passed.replace('3', "x").replace('6', "3").replace('x', "6");
    let (board, castling) = (board.join("/"), swap_case(castling));
    let text = format!("{board} {side} {castling} {passed} {}", counters.join(" "));
    Position::<B>::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The mates of `tests/data/FILE`: positions with the number of moves to the mate, lines `FEN ;mate N`.
///
/// # Panics
/// At the first line that cannot be understood.
pub fn mates<B: Rules>(file: &str) -> Vec<(Position<B>, u32)> {
    let text = fs::read_to_string(root().join("tests/data").join(file)).expect("it is in the tree");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let read = |line: &str| {
        let (fen, moves) = line.split_once(" ;mate ")?;
        Some((Position::<B>::from_fen(fen).ok()?, moves.parse().ok()?))
    };
    lines.map(|line| read(line).unwrap_or_else(|| panic!("{file}: {line:?}"))).collect()
}

/// Reports that `test` is skipped because the program `peer` is missing. Fails where `CI` is set, so that a
/// missing program never looks like a pass there.
pub fn skip_or_fail(peer: &str, test: &str) {
    assert!(env::var_os("CI").is_none(), "{test}: {peer} is missing, and CI must not skip");
    // Not `eprintln!`: the test harness would swallow it.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {test}: {peer} is missing");
}

/// The size of a test: `usual`, or `large` if `TABIYA_LARGE` is set, as in `.ci/nightly large`.
pub fn sample<T>(usual: T, large: T) -> T {
    if env::var_os("TABIYA_LARGE").is_some() { large } else { usual }
}

/// `release` in an optimised build without assertions, else `debug`.
pub const fn by_build<T: Copy>(release: T, debug: T) -> T {
    if cfg!(debug_assertions) { debug } else { release }
}
