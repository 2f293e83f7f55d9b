//! The protocols: thin translators between a program that plays and [`crate::engine`].
//!
//! [`serve`] is the whole of it for callers: it runs one program over a pair of streams, normally stdin and
//! stdout.
//!
//! * `input` reads, numbers the lines, and never waits; `console` is what the threads share.
//! * `session` holds the state and is the same for every protocol; `position` is a part of it. `limits` makes a
//!   search's limits of a `go`, `perft` counts, `printer` hears what a search reports, `ranks` finds out how the other
//!   program counts ranks, `options` has all options.
//! * `uci` and `ucci` know words and formats, a [`dialect::Dialect`] each: `command` says what a line can mean, `words`
//!   splits it, `text` has what both write alike.
//! * `games` lists the games, `variant` is what a game must tell a protocol.
//! * `tools` are lent by the floor above.
//!
//! ```text
//! stdin ─▶ input thread ──lines──▶ session ──go──▶ engine ──Report──▶ uci, ucci ──▶ stdout
//!              └──── stop, isready while thinking ────▶┘
//! ```

pub mod command;
pub mod console;
pub mod dialect;
mod games;
pub mod input;
mod limits;
pub mod options;
mod perft;
mod position;
mod printer;
mod ranks;
pub mod session;
pub mod text;
pub mod tools;
pub mod ucci;
pub mod uci;
pub mod variant;
pub mod words;

use crate::base::reader;
use console::{Console, Message};
use dialect::Dialect;
use input::Last;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::time::Duration;
pub use tools::{Bench, Tools};
use ucci::Ucci;
use uci::FirstUci;

/// How often the input thread looks, after its end, how the session gets on.
const LOOK: Duration = Duration::from_millis(500);
/// So often it may see the session busy with one command, say with clearing a large table.
const PATIENT_LOOKS: u32 = 10;

/// Whether some protocol has this command. Words in front of a command are skipped (and ignored).
pub fn is_command(word: &str) -> bool {
    FirstUci::has_command(word) || Ucci::has_command(word)
}

/// After the end of the input the session may take its time to finish what was asked for, as long as there is
/// somebody to read it. A search finds out when it writes; a perft writes nothing before its end.
fn watch_reader(console: &Console) {
    while !console.is_unread() && !reader::is_gone() {
        std::thread::sleep(LOOK);
    }
    console.hang_up();
}

/// Ends the process when the session does not get on with leaving: it may hang on a reader that does not
/// read, or on a benchmark. Normally the process has ended before this looks a second time.
fn leave_if_stuck(console: &Console) {
    let (mut before, mut looks) = (None, 0);
    loop {
        std::thread::sleep(LOOK);
        let now = console.progress();
        looks = if now.is_some() && now == before { looks + 1 } else { 0 };
        if looks == PATIENT_LOOKS || console.aborted() {
            std::process::exit(0);
        }
        before = now;
    }
}

/// Talks over `input` and `output` until `quit`, or until what was asked for before the end of the input is
/// answered.
///
/// The first command decides the protocol: `ucci` opens the Universal Chinese Chess Interface; everything
/// else belongs to the Universal Chess Interface, where every command is welcome as the first one, as there is
/// nothing that `uci` would have to prepare.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    tools: Tools,
) -> ExitCode {
    let (sender, queue) = mpsc::channel();
    let console = Arc::new(Console::new(Box::new(output), sender));
    let listener = Arc::clone(&console);
    let spawned = std::thread::Builder::new().name("input".into()).spawn(move || {
        if input::listen(input, &listener, is_command, tools.is_terminal) == Last::End {
            watch_reader(&listener);
        }
        leave_if_stuck(&listener);
    });
    if let Err(error) = spawned {
        console.say(&FirstUci::fault(&format!("no input thread: {error}")));
        return ExitCode::FAILURE;
    }
    if tools.is_terminal {
        console.say(tools::GREETING);
    }
    loop {
        match queue.recv() {
            Ok(Message::Line(line)) => match input::command_of(&line.text, is_command) {
                Some("ucci") => return ucci::serve(&console, tools, line, &queue),
                Some(_) => return uci::serve(&console, tools, line, &queue),
                None => {
                    session::report_unknown::<FirstUci>(&console, &line.text);
                    console.done(&line);
                }
            },
            Ok(Message::TooLong(length)) => session::report_too_long::<FirstUci>(&console, length),
            // Nothing is in progress yet.
            Ok(Message::Full | Message::Answered) => {}
            Ok(Message::End | Message::Quit) | Err(_) => return ExitCode::SUCCESS,
        }
    }
}
