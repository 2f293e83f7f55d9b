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
//! * `session` executes lines and keeps the state, the same for both protocols. `play` has the game that is played,
//!   with its engine, book, position and searches; `options` is the table of options.
//! * `uci` and `ucci` have a parser and a formatter each. `command` reads what both protocols have, `output` reads and
//!   writes lines and has the texts that both share.
//! * `games` lists the games of the program, and has its search benchmark.

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
