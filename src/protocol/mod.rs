//! The protocols UCI and UCCI: they translate between a GUI or match runner and [`crate::engine`].
//!
//! [`serve`] is the entry point. It runs one program over a pair of streams, normally stdin and stdout, in one loop:
//! the thread that reads a line executes it. A search runs on threads of its own and prints what it finds.
//!
//! ```text
//! stdin ─▶ input ─▶ session ──go──▶ engine ──Event──▶ uci, ucci ─▶ output ─▶ stdout
//! ```
//!
//! * `input` splits the input into lines. `session` executes them and keeps the state, the same for both protocols;
//!   `position` is a part of it. `output` writes whole lines.
//! * `uci` and `ucci` have the words and formats, each a [`dialect::Dialect`]. `words` splits lines, `text` has the
//!   output that both share.
//! * `go` reads a `go` into search limits, `ranks` detects how the other program numbers ranks, `option_table` has the
//!   options, `options` the values of some.
//! * `games` lists the games, with what protocols and command line need from each; `own_book` is the opening book that
//!   the engine plays from. `bench` is the search benchmark. `console` is what `cli`, the layer above, passes in.

pub mod bench;
pub mod dialect;
pub mod games;
mod go;
pub mod input;

pub mod console;
mod option_table;
pub mod options;
pub mod output;
mod own_book;
mod position;
mod ranks;
pub mod session;
#[doc(hidden)]
pub mod text;
pub mod ucci;
pub mod uci;
pub mod words;

pub use console::Console;
use dialect::{Dialect, Protocol};
use games::by_game;
use input::Lines;
use output::Output;
use session::{Session, Start};
use std::io::{Read, Write};
use std::sync::Arc;
use ucci::Ucci;
use uci::{FirstUci, Uci};

/// Whether either protocol has this command. Unknown words before a command are skipped.
pub fn is_command(word: &str) -> bool {
    FirstUci::has_command(word) || Ucci::has_command(word)
}

/// Runs a protocol over `input` and `output` until `quit`, or until all lines of the input are executed. Ends the
/// program if the output cannot be written, also because its reader has gone.
///
/// It begins with UCI, where every command works as the first one; `ucci` changes to UCCI. In UCI the option
/// `UCI_Variant` changes the game: options are kept, the position and everything learnt are lost. A FEN of the other
/// game does the same, for GUIs that do not set `UCI_Variant`.
pub fn serve(input: impl Read + 'static, output: impl Write + Send + 'static, console: Console) {
    let (mut lines, output) = (Lines::new(input), Arc::new(Output::new(output)));
    if console.is_terminal {
        output.say(console::GREETING);
    }
    let mut next = Some(Start::new(Protocol::Uci, console.game));
    while let Some(start) = next {
        let output = Arc::clone(&output);
        next = match start.protocol {
            Protocol::Uci => by_game!(start.game, B => Session::<Uci<B>>::new(output, console).run(start, &mut lines)),
            Protocol::Ucci => Session::<Ucci>::new(output, console).run(start, &mut lines),
        };
    }
}
