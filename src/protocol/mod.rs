//! The protocols UCI and UCCI: they translate between a GUI or match runner and [`crate::engine`].
//!
//! [`serve`] is the entry point. It runs one program over a pair of streams, normally stdin and stdout. Two threads
//! share the work, besides those of the search:
//!
//! * The input thread reads and numbers the lines, and applies `stop`, `ponderhit` and `quit` as soon as they are read.
//!   It never waits for a search.
//! * The session (`session`) executes the lines in order, and waits for the answer of a search before those that need
//!   it. It keeps the state, the same for both protocols; `position` is a part of it.
//!
//! `console` is what they share: the queue between them, the phase of the program, and the output. The other files:
//!
//! * `input` splits the input into lines. `go` reads a `go` into search limits, `ranks` detects how the other program
//!   numbers ranks, `option_table` has the options, `options` the values of some.
//! * `uci` and `ucci` have the words and formats, each a [`dialect::Dialect`]; `dialect` also prints what a search
//!   reports. `command` is a parsed line, `words` splits lines, `text` has the output that both share.
//! * `games` lists the games, with what protocols and command line need from each; `own_book` is the opening book that
//!   the engine plays from. `bench` is the search benchmark. `tools` is what `cli`, the layer above, passes in.
//!
//! ```text
//! stdin ─▶ input thread ──queue──▶ session ──go──▶ engine ──Report──▶ uci, ucci ──▶ stdout
//!              └──────── stop, ponderhit ─────────────▶┘
//! ```

pub mod bench;
pub mod command;
pub mod console;
pub mod dialect;
pub mod games;
mod go;
pub mod input;

mod option_table;
pub mod options;
mod own_book;
mod position;
mod ranks;
pub mod session;
#[doc(hidden)]
pub mod text;
pub mod tools;
pub mod ucci;
pub mod uci;
pub mod words;

use crate::base::patience::patience;
use crate::base::reader;
use console::{Console, IsCommand, Message, Phase, command_of};
use dialect::Dialect;
use std::io::{self, ErrorKind, Read, Write};
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::time::Duration;
pub use tools::Tools;
use ucci::Ucci;
use uci::FirstUci;

/// How often the input thread, after the end of input, checks the session.
fn check_interval() -> Duration {
    patience(500)
}
/// Time for a task to end after `quit`. A perft takes some milliseconds; a benchmark finishes the search of a position.
const TASK_END: Duration = Duration::from_millis(100);
/// The session may be busy with one command, such as clearing a large table, for this many checks.
const MAX_STUCK_CHECKS: u32 = 10;

/// Whether either protocol has this command. Unknown words before a command are skipped.
pub fn is_command(word: &str) -> bool {
    FirstUci::has_command(word) || Ucci::has_command(word)
}

/// The commands of the protocol that `first` selects, the first command of the input.
fn commands_of(first: &str) -> IsCommand {
    if first == "ucci" { Ucci::has_command } else { FirstUci::has_command }
}

/// Waits, after the end of input, until the output is closed, while the session finishes the commands it has read. A
/// search notices a closed output when it writes; a perft writes nothing before its end, so this checks for it.
fn watch_reader(console: &Console) {
    while !console.is_output_closed() && !reader::is_gone() {
        std::thread::sleep(check_interval());
    }
    console.close_output();
}

/// Ends the process after `quit` if the session does not terminate: it may be blocked by a reader that does not read,
/// or by a task that does not end soon. Normally the process has ended before the second check.
fn leave_if_stuck(console: &Arc<Console>) {
    let (mut before, mut checks) = (None, 0);
    loop {
        if !console.wait_for_end_of(Phase::Task, TASK_END) && console.aborted() {
            // The task may be blocked in writing, and so may this.
            let (done, said) = mpsc::channel();
            let console = Arc::clone(console);
            let speaker = std::thread::Builder::new().spawn(move || {
                console.say_farewell();
                done.send(())
            });
            let _ = speaker.map(|_| said.recv_timeout(check_interval()));
            std::process::exit(0);
        }
        std::thread::sleep(check_interval());
        let now = console.progress();
        checks = if now.is_some() && now == before { checks + 1 } else { 0 };
        if checks == MAX_STUCK_CHECKS || console.is_output_closed() {
            let fault = console.take_fault().filter(|fault| fault.kind() != ErrorKind::BrokenPipe);
            std::process::exit(if fault.is_some() { 2 } else { 0 });
        }
        before = now;
    }
}

/// Runs a protocol over `input` and `output` until `quit`, or until all commands before the end of input are done.
///
/// The first command selects the protocol: `ucci` selects UCCI, any other command UCI. UCI needs no `uci` first; every
/// command works as the first one.
///
/// # Errors
/// If the output cannot be written, also because its reader has gone.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    tools: Tools,
) -> io::Result<ExitCode> {
    let console = Arc::new(Console::new(Box::new(output)));
    let code = converse(input, &console, tools);
    console.take_fault().map_or(Ok(code), Err)
}

/// [`serve`] with its console.
fn converse(input: impl Read + Send + 'static, console: &Arc<Console>, tools: Tools) -> ExitCode {
    let listener = Arc::clone(console);
    let spawned = std::thread::Builder::new().name("input".into()).spawn(move || {
        if !listener.listen(input, is_command, commands_of, tools.is_terminal) {
            watch_reader(&listener);
        }
        leave_if_stuck(&listener);
    });
    if let Err(error) = spawned {
        console.say(&FirstUci::fault(&format!("cannot start the input thread: {error}")));
        return ExitCode::from(2);
    }
    if tools.is_terminal {
        console.say(tools::GREETING);
    }
    while let Some(message) = console.take() {
        let is_line_with = |command| match &message {
            Message::Line(line) => command_of(&line.text, is_command) == command,
            _ => false,
        };
        let serve = if is_line_with(Some("ucci")) { ucci::serve } else { uci::serve };
        let is_unknown = is_line_with(None);
        match message {
            Message::Fault(text) => console.say(&FirstUci::fault(&text)),
            Message::Line(line) if is_unknown => session::report_unknown::<FirstUci>(console, &line.text),
            message => {
                console.put_back(message);
                return serve(console, tools);
            }
        }
    }
    ExitCode::SUCCESS
}
