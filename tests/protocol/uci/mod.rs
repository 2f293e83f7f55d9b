//! UCI over real pipes: scripted dialogues, each step named by the row of the requirements it stands for,
//! hostile input, and races.
//!
//! `commands` has transport, options, positions and the example dialogue, `states` what is heard when, `go`
//! the rows about `go` and its results, `clocks` those about time, `info` those about `info` lines,
//! `compliance` what match runners check, `games` whole games judged strictly, `hostile` what no GUI should
//! send, `positions` those that no game brings about, `pipeline` batches of commands sent without waiting for
//! answers, `races` thousands of stops and ponder hits at random moments, `xiangqi` the same protocol with
//! `UCI_Variant`, `ranks` how its ranks are counted.
//!
//! Rows that ask nothing of this engine:
//!
//! | rows | why there is no test |
//! |---|---|
//! | UCI-31, 65, 68, 93 | duties of the GUI |
//! | UCI-64, 66, 67 | no copy protection, no registration: that nothing of it is printed is tested (UCI-30) |
//! | UCI-86, 87 | `sbhits` and `cpuload` are optional and not sent; `tbhits` is, always 0 (UCI-85) |
//! | UCI-101, 102, 113 | no endgame bases, so their options are not announced (tested under UCI-91) |

mod clocks;
mod commands;
mod compliance;
mod games;
mod go;
mod hostile;
mod info;
mod pipeline;
mod positions;
mod races;
mod ranks;
mod states;
mod xiangqi;

use crate::dialogue::Dialogue;
use crate::pipe::{self, Pipe};
use crate::rows;
use tabiya::chess::Position;
use tabiya::game::Notation;

/// UCI, playing chess.
struct Uci;

impl Dialogue for Uci {
    const HELLO: &'static str = "uci";
    const WELCOME: &'static str = "uciok";
    const FAREWELL: Option<&'static str> = None;
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

/// Every row but those of the table above is claimed by the name of a test, and asserted by it.
#[test]
fn every_row_has_a_test() {
    let tested = rows::asserted_rows("protocol/uci", "UCI");
    let nothing_to_test = [31, 64, 65, 66, 67, 68, 86, 87, 93, 101, 102, 113];
    let missing: Vec<u32> =
        (1..=120).filter(|row| !tested.contains(row) && !nothing_to_test.contains(row)).collect();
    assert_eq!(missing, [0; 0], "rows without a test");
}
