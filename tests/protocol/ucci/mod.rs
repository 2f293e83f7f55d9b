//! UCCI over real pipes: what needs clocks, many searches, or checks of every move. The dialogues are in
//! `tests/transcripts`.
//!
//! `searches` tests clocks, pondering and `info` lines, `pipeline` commands sent without waiting for answers.

mod pipeline;
mod searches;

use crate::common::pipe::{self, LEAVING, Pipe, SILENCE, check_ucci_line, dither};
use crate::protocol::dialogue::Dialogue;
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;
use tabiya::xiangqi::{Board, Position};

/// The initial position.
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// Red mates in one ply, on b9.
const MATE_IN_ONE: &str = "5k3/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1";
/// Every move of Black allows mate: mated in two plies.
const LOST: &str = "4k4/R8/1R7/9/9/9/9/9/9/3K5 b - - 0 1";
/// Black is mated.
const MATED: &str = "1R3k3/R8/9/9/9/9/9/9/9/3K5 b - - 0 1";

/// UCCI.
pub struct Ucci;

#[rustfmt::skip]
impl Dialogue for Ucci {
    type Board = Board;
    const HELLO: [&'static str; 2] = ["ucci", "ucciok"];
    const FAREWELL: Option<&'static str> = Some("bye");
    const NO_MOVE: &'static str = "nobestmove";
    const MOVE: &'static str = "h2e2";
    const SHUFFLE: &'static str = "h0g2 h9g7 g2h0 g7h9 ";
    const NEW_GAME: &'static str = "setoption newgame";
    const SMALL_HASH: &'static str = "setoption hashsize 1";
    const ENDLESS: &'static [&'static str] = &[
        "go infinite", "go", "go ponder", "go ponder time 1000 increment 0", "setoption batch true\ngo infinite",
    ];
    const LASTING: &'static [&'static str] = &[
        "go infinite", "setoption batch true\ngo depth 200", "go ponder time 1 increment 0",
        "go time 600000 movestogo 1",
    ];
    const WORDS: &'static [&'static str] = &[
        "ucci", "isready", "setoption", "position", "banmoves", "go", "stop", "ponderhit", "probe", "help",
        "fen", "startpos", "moves", "h2e2", "h9g7", "a0a9", "0000", "9/9/9/9/9/9/9/9/9/9", START, "w", "b", "-",
        "depth", "infinite", "nodes", "time", "movestogo", "increment", "opptime", "oppmovestogo",
        "oppincrement", "ponder", "draw", "0", "1", "2", "-1", "99999999999999999999", "-99999999999999999999",
        "usemillisec", "debug", "hashsize", "threads", "repetition", "newgame",
        "true", "false", "asianrule", "alwaysdraw", "value", "name",
        "\t", "\u{e9}", "\0", "炮二平五",
    ];
    const BEGINNINGS: &'static [&'static str] =
        &["", "position startpos moves ", "banmoves ", "probe startpos moves ", "setoption repetition "];
    const LONG: &'static [&'static str] = &[
        "LONG", "setoption LONG 1", "setoption repetition LONG", "position fen LONG",
        "position startpos\nbanmoves LONG",
        "position startpos moves LONG",
    ];
    const POSITIONS: &'static [&'static str] = &[START, MATE_IN_ONE, LOST, MATED];

    fn start() -> Pipe {
        ucci()
    }
    fn threads(count: usize) -> String {
        format!("setoption threads {count}")
    }
}

/// Starts the program and completes the `ucci` handshake; times are in milliseconds, and the book is off.
fn ucci() -> Pipe {
    ucci_with("1")
}

/// The same with limits of time that are divided by `divisor`, such as that before the first report of a search's
/// current move.
fn ucci_with(divisor: &str) -> Pipe {
    let mut pipe = Pipe::start_with(&[("TABIYA_TIME_LIMIT_DIVISOR", divisor)]);
    pipe.ask("ucci", "ucciok");
    pipe.send("setoption usemillisec true\nsetoption usebook false");
    pipe
}

/// The last line.
fn last(lines: &[String]) -> &str {
    lines.last().map_or("", String::as_str)
}

/// The word after `name` in the last line that has it.
fn found<'a>(lines: &'a [String], name: &str) -> Option<&'a str> {
    lines.iter().rev().find_map(|line| {
        let mut words = line.split(' ').skip_while(|word| *word != name);
        words.next()?;
        words.next()
    })
}

/// The number after `name` in the last line that has it.
fn number(lines: &[String], name: &str) -> Option<i64> {
    found(lines, name)?.parse().ok()
}

/// [`pipe::legal_best`] of xiangqi.
fn legal_best(fen: &str, lines: &[String]) -> String {
    pipe::legal_best::<Board>(fen, lines)
}
