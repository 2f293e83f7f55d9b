//! UCI over real pipes: what needs clocks, many searches, or checks of every move. The dialogues are in
//! `tests/transcripts`.
//!
//! `clocks` tests time, `go` pondering, endless searches and lines of analysis, `info` the `info` lines, `games` whole
//! games with strict checks, `pipeline` commands sent without waiting for answers.

mod clocks;
mod games;
mod go;
mod info;
mod pipeline;

use crate::common::pipe::*;
use crate::common::sample;
use crate::protocol::dialogue::Dialogue;
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{Board, Position};

const SHORT: Duration = Duration::from_millis(150);
const START: &str = Position::START_FEN;
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
const MATED_IN_ONE: &str = "8/8/8/8/8/6k1/r7/7K w - - 0 1";
const MATED: &str = "R6k/6pp/8/8/8/8/8/K7 b - - 0 1";
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const ONE_MOVE: &str = "7k/8/8/8/8/8/8/K5R1 b - - 0 1";
const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 9";

/// UCI, playing chess.
pub struct Uci;

#[rustfmt::skip]
impl Dialogue for Uci {
    type Board = Board;
    const HELLO: [&'static str; 2] = ["uci", "uciok"];
    const FAREWELL: Option<&'static str> = None;
    const NO_MOVE: &'static str = "bestmove (none)";
    const MOVE: &'static str = "e2e4";
    const SHUFFLE: &'static str = "g1f3 g8f6 f3g1 f6g8 ";
    const NEW_GAME: &'static str = "ucinewgame";
    const SMALL_HASH: &'static str = "setoption name Hash value 1";
    const ENDLESS: &'static [&'static str] = &[
        "go infinite", "go infinite depth 60", "go", "go searchmoves e2e4 d2d4", "go ponder wtime 1000 btime 1000",
        "go ponder movetime 60000",
    ];
    const LASTING: &'static [&'static str] =
        &["go infinite", "go depth 60", "bench 60", if cfg!(target_os = "linux") { "go perft 20" } else { "go" }];
    const WORDS: &'static [&'static str] = &[
        "uci", "debug", "on", "off", "isready", "setoption", "name", "value", "Hash", "1", "-1", "0", "MultiPV",
        "Clear", "register", "later", "ucinewgame", "position", "startpos", "fen", "moves", "e2e4", "e7e5",
        "0000", "a1a1", "e7e8q", "8/8/8/8/8/8/8/8", "w", "KQkq", "-", "go", "depth", "searchmoves", "ponder",
        "wtime", "btime", "winc", "binc", "movestogo", "nodes", "mate", "movetime", "infinite", "stop",
        "ponderhit", "99999999999999999999", "Threads", "2", "UCI_Elo", "UCI_Opponent", "Move",
        "Overhead", "OwnBook", "true", "eval", "\t", "\u{e9}", "\0",
    ];
    const BEGINNINGS: &'static [&'static str] =
        &["", "position startpos moves ", "go searchmoves ", "setoption name Hash value "];
    const LONG: &'static [&'static str] =
        &["LONG", "setoption name BookFile value LONG", "setoption name LONG value 1", "position fen LONG"];
    const POSITIONS: &'static [&'static str] = &[START, MATE_IN_ONE, ONE_MOVE, MATED, STALEMATE];

    fn start() -> Pipe {
        Pipe::uci()
    }
    fn threads(count: usize) -> String {
        format!("setoption name Threads value {count}")
    }
}
