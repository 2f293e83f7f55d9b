//! UCI over real pipes: scripted dialogues, hostile input, and races. A test's name gives the numbers of the
//! requirements ("rows") that it checks.
//!
//! `commands` tests transport, options, positions and the example dialogue, `states` which commands work when, `go`
//! the command `go` and its results, `clocks` time, `info` the `info` lines, `compliance` what match runners check,
//! `games` whole games with strict checks, `memory` what is kept from search to search, `hostile` input that no GUI
//! should send, `positions` impossible positions, `pipeline` batches of commands sent without waiting for answers,
//! `races` thousands of stops and ponder hits at random moments, `tasks` `go perft` and `bench`, `words` what is not
//! understood in a line, `programs` what adapters and GUIs send that no document asks for, `xiangqi` the same protocol
//! with `UCI_Variant`, `ranks` how its ranks are numbered.
//!
//! Rows without a requirement for this engine:
//!
//! | rows | why there is no test |
//! |---|---|
//! | UCI-31, 65, 68, 93 | duties of the GUI |
//! | UCI-64, 66, 67 | no copy protection and no registration; UCI-30 tests that nothing is printed about them |
//! | UCI-86, 87 | `sbhits` and `cpuload` are optional and not sent |
//! | UCI-101, 102, 113 | no Nalimov or Shredder bases; UCI-91 tests that their options are not announced |

mod clocks;
mod commands;
mod compliance;
mod games;
mod go;
mod hostile;
mod info;
mod memory;
mod pipeline;
mod positions;
mod programs;
mod races;
mod ranks;
mod states;
mod tasks;
mod words;
mod xiangqi;

use crate::dialogue::Dialogue;
use crate::pipe::{self, Pipe};
use crate::rows;
use tabiya::chess::Position;

/// UCI, playing chess.
struct Uci;

impl Dialogue for Uci {
    const HELLO: &'static str = "uci";
    const WELCOME: &'static str = "uciok";
    const FAREWELL: Option<&'static str> = None;
    const ANSWERS_IDLE_STOP: bool = false;
    const REMARK: &'static str = "info string";
    const FAULT: &'static str = "info string ERROR:";
    const START: &'static str = Position::START_FEN;

    fn start() -> Pipe {
        Pipe::uci()
    }
    fn threads(count: usize) -> String {
        format!("setoption name Threads value {count}")
    }
    fn until_answer(pipe: &Pipe) -> Vec<String> {
        pipe.until("bestmove")
    }
    fn no_move(answer: &str) -> bool {
        answer == "bestmove (none)"
    }
    fn legal(fen: &str, lines: &[String]) {
        pipe::legal_best::<Position>(fen, lines);
    }
    fn check_line(line: &str) {
        pipe::check_line(line);
    }
    fn check_dialogue(pipe: &Pipe) {
        pipe.check_dialogue();
    }
    fn quit(pipe: Pipe) {
        pipe.quit();
    }
}

/// Every row except those of the table above is in the name of a test, which has an assertion for it.
#[test]
fn every_row_has_a_test() {
    let tested = rows::asserted_rows("protocol/uci", "UCI");
    let nothing_to_test = [31, 64, 65, 66, 67, 68, 86, 87, 93, 101, 102, 113];
    let missing: Vec<u32> = (1..=120).filter(|row| !tested.contains(row) && !nothing_to_test.contains(row)).collect();
    assert_eq!(missing, [0; 0], "rows without a test");
}
