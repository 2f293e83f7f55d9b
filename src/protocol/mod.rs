//! The protocols UCI and UCCI: they translate between a GUI or match runner and [`crate::engine`].
//!
//! [`serve`] is the entry point. It talks to one program over a pair of streams, normally stdin and stdout. A thread
//! reads lines. They and the reports of the search come to the session through one channel, so that it goes on reading
//! during a search.
//!
//! ```text
//! stdin ─▶ thread that reads ─line─▶ session ──go──▶ engine
//!                                    │   ▲             │
//!                          stdout ◀──┘   └──info, answer┘
//! ```
//!
//! * `session` executes commands and keeps the state, the same for both protocols. `play` has the game that is played,
//!   with its engine, book and searches; `options` is the table of options.
//! * `uci` and `ucci` parse lines, each into a `Command` (`command`, which parses what both have), and format what
//!   differs between the protocols. `output` reads and writes lines and has the texts that both share.
//! * `games` lists the games of the program, and has its search benchmark.
//!
//! The way of `go depth 10`, from the start of the program to the answer:
//!
//! 1. `main` calls `run`, which without arguments calls `play` (both in `cli/mod.rs`), and that calls [`serve`].
//! 2. `Session::run` receives the line. `take` has `uci::read` parse it, by `Go::read` (`command`), and puts the
//!    command into the queue, unless it is for the search that runs; `execute_waiting` takes it from there for
//!    `execute`.
//! 3. `Playing::go` (`play`) looks for a book move if `OwnBook` is on, then calls `Engine::go` (`engine/mod.rs`), which
//!    gives the job to the first search thread and returns.
//! 4. There `run_search` calls `search_in_parallel`, which makes a `Searcher` (`engine/searcher.rs`) for each thread.
//!    `deepen` runs its iterations, and `aspiration_search` each of them (all in `engine/deepening.rs`); `search_node`
//!    (`engine/alpha_beta.rs`) searches the tree.
//! 5. What is found goes from the `Reporter` (`engine/report.rs`) to a `SearchPrinter` (`play`). It formats the line
//!    with `uci::format` and sends it to `Session::run`, which prints it.
//!
//! The way of `setoption name Hash value 64`: `uci::read` finds name and value, and `Session::execute` calls
//! `set_option` (`options`). That finds the row of the option and calls `Row::set`, which calls the row's setter: here
//! `resize_hash`, which calls `Engine::set_hash`.

pub mod command;
pub mod games;
pub mod options;
pub mod output;
pub mod play;
pub mod session;
pub mod ucci;
pub mod uci;

pub use command::Protocol;
pub use session::Console;

use output::Output;
use session::Session;
use std::io::{Read, Write};

/// The first line on a terminal.
const GREETING: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"), ": type uci, ucci or help");

/// Whether either protocol has this command.
pub fn is_command(word: &str) -> bool {
    Protocol::Uci.has_command(word) || Protocol::Ucci.has_command(word)
}

/// Runs a protocol over `input` and `output` until `quit`, or until all lines of the input are executed. Ends the
/// program if the output cannot be written, also because its reader has gone.
///
/// It begins with UCI, where every command works as the first one; `ucci` changes to UCCI. In UCI the option
/// `UCI_Variant` changes the game: options are kept, the position and everything learnt are lost. A FEN of the other
/// game does the same, for GUIs that do not set `UCI_Variant`.
pub fn serve(input: impl Read + Send + 'static, output: impl Write + 'static, console: Console) {
    let output = Output::new(output);
    if console.is_terminal {
        output.say(GREETING);
    }
    Session::new(output, console).run(input);
}
