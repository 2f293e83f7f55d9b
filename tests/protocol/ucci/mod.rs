//! UCCI over real pipes: scripted dialogues, hostile input, and races. A test's name gives the numbers of the
//! requirements ("rows") that it checks.
//!
//! `states` tests transport and states, `options` the options, `positions` positions and moves, `searches` the
//! command `go` and its results, `examples` the dialogues of the protocol's document, `hostile` input that no GUI
//! should send, `races` thousands of stops and ponder hits at random moments, `pipeline` batches of commands sent
//! without waiting for answers, `programs` what programs send beyond the document.
//!
//! Options of the protocol that this program does not announce, because they would do nothing:
//!
//! | rows | option |
//! |---|---|
//! | UCCI-32, 34 | `useegtb`, `egtbpaths`: there are no tablebases for xiangqi |
//! | UCCI-35 | `evalapi`: the evaluation is part of the program |
//! | UCCI-39 | `promotion`: a rule of another game |
//! | UCCI-41 | `knowledge`: there is only one level |
//!
//! UCCI-47 tests that these are accepted silently.

mod examples;
mod hostile;
mod options;
mod pipeline;
mod positions;
mod programs;
mod races;
mod searches;
mod states;

use crate::dialogue::Dialogue;
use crate::pipe::Pipe;
use crate::{rows, ucci_pipe};

/// UCCI.
struct Ucci;

impl Dialogue for Ucci {
    const HELLO: &'static str = "ucci";
    const WELCOME: &'static str = "ucciok";
    const FAREWELL: Option<&'static str> = Some("bye");
    const ANSWERS_IDLE_STOP: bool = true;
    const REMARK: &'static str = "info message";
    const FAULT: &'static str = "info message ERROR:";
    const START: &'static str = ucci_pipe::START;

    fn start() -> Pipe {
        ucci_pipe::ucci()
    }
    fn threads(count: usize) -> String {
        format!("setoption threads {count}")
    }
    fn until_answer(pipe: &Pipe) -> Vec<String> {
        ucci_pipe::until_answer(pipe)
    }
    fn no_move(answer: &str) -> bool {
        answer == "nobestmove"
    }
    fn legal(fen: &str, lines: &[String]) {
        ucci_pipe::legal_best(fen, lines);
    }
    fn check_line(line: &str) {
        ucci_pipe::check_line(line);
    }
    fn check_dialogue(pipe: &Pipe) {
        ucci_pipe::check_dialogue(pipe);
    }
    fn quit(pipe: Pipe) {
        ucci_pipe::quit(pipe);
    }
}

/// Every row is in the name of a test, which has an assertion for it.
#[test]
fn every_row_has_a_test() {
    let tested = rows::asserted_rows("protocol/ucci", "UCCI");
    let missing: Vec<u32> = (1..=91).filter(|row| !tested.contains(row)).collect();
    assert_eq!(missing, [0; 0], "rows without a test");
}
