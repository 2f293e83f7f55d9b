//! UCCI over real pipes: what needs clocks, many searches, or checks of every move. The dialogues are in
//! `tests/transcripts`.
//!
//! `options` tests options with such effects, `searches` clocks, pondering and `info` lines, `examples` games,
//! `pipeline` commands sent without waiting for answers.

mod examples;
mod options;
mod pipeline;
mod searches;

use crate::common::pipe::{self, LEAVING, Pipe, SILENCE, check_ucci_line, dither};
use crate::common::sample;
use crate::protocol::dialogue::Dialogue;
use crate::protocol::ucci_pipe::*;
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;
use tabiya::xiangqi::{Board, Position};

/// UCCI.
pub struct Ucci;

#[rustfmt::skip]
impl Dialogue for Ucci {
    type Board = Board;
    const HELLO: [&'static str; 2] = ["ucci", "ucciok"];
    const IDS: &'static [&'static str] = &["name Tabiya ", "copyright ", "author ", "user "];
    const FAREWELL: Option<&'static str> = Some("bye");
    const NO_MOVE: &'static str = "nobestmove";
    const FAULT: &'static str = "info message ERROR:";
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
        "usemillisec", "debug", "hashsize", "threads", "idle", "pruning", "randomness", "style", "newgame",
        "true", "false", "none", "small", "large", "solid", "risky", "value", "name",
        "\t", "\u{e9}", "\0", "炮二平五",
    ];
    const END: &'static str = "stop\nsetoption batch false\nsetoption idle none\nsetoption threads 1\n\
        setoption newgame\nposition startpos\ngo perft 1";
    const BEGINNINGS: &'static [&'static str] =
        &["", "position startpos moves ", "banmoves ", "probe startpos moves ", "setoption style "];
    const LONG: &'static [&'static str] = &[
        "LONG", "setoption LONG 1", "setoption style LONG", "position fen LONG", "position startpos\nbanmoves LONG",
        "position startpos moves LONG",
    ];
    const REFUSED: &'static [&'static str] = &[
        "",
        "9/9/9/9/9/9/9/9/9/9 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "k8/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/B8/4K4 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/9/RRR1K4 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/9/3RK4 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/9/4K4 w - - -1 0",
        "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 more words",
        "\u{5c07}8/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    ];
    const STRANGE: &'static [&'static str] = &[
        "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 119 9999",
        "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 500 9999",
        "3akab2/9/4b4/9/9/9/9/4B4/4A4/2BAK4 b",
    ];
    const POSITIONS: &'static [&'static str] = &[START, MATE_IN_ONE, LOST, MATED];

    fn start() -> Pipe {
        ucci()
    }
    fn threads(count: usize) -> String {
        format!("setoption threads {count}")
    }
}
