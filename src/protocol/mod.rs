//! The protocols UCI and UCCI: they translate between a GUI or match runner and [`crate::engine`].
//!
//! [`serve`] is the entry point. It runs one program over a pair of streams, normally stdin and stdout.
//!
//! * `input` reads and numbers the lines and never waits for a search. `console` is the state that the threads share.
//! * `session` keeps the state of a session, the same for both protocols; `position` is a part of it. `go` reads a
//!   `go` into search limits, `perft` runs `go perft`, `printer` prints what a search reports, `ranks` detects how the
//!   other program numbers ranks, `option_table` has the options, `options` the values of some.
//! * `uci` and `ucci` have the words and formats, each a [`dialect::Dialect`]. `command` is a parsed line, `words`
//!   splits lines, `text` has the output that both share.
//! * `games` lists the games, with what protocols and command line need from each; `library` is a game's opening book.
//!   `bench` is the search benchmark. `tools` is what `cli`, the layer above, passes in.
//!
//! ```text
//! stdin ─▶ input thread ──lines──▶ session ──go──▶ engine ──Report──▶ uci, ucci ──▶ stdout
//!              └──── stop, isready while searching ───▶┘
//! ```

pub mod bench;
pub mod command;
pub mod console;
pub mod dialect;
pub mod games;
mod go;
pub mod input;
mod library;
mod option_table;
pub mod options;
mod perft;
mod position;
mod printer;
mod ranks;
pub mod session;
#[cfg(test)]
mod tests;
#[doc(hidden)]
pub mod text;
pub mod tools;
pub mod ucci;
pub mod uci;
pub mod words;

use crate::base::patience::patience;
use crate::base::reader;
use console::{Console, Message, Phase};
use dialect::Dialect;
use input::EndReason;
use std::io::{self, ErrorKind, Read, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
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
    let (sender, queue) = mpsc::channel();
    let console = Arc::new(Console::new(Box::new(output), sender));
    let code = converse(input, &console, tools, &queue);
    console.take_fault().map_or(Ok(code), Err)
}

/// [`serve`] with its console and the lines of its input.
fn converse(
    input: impl Read + Send + 'static,
    console: &Arc<Console>,
    tools: Tools,
    queue: &Receiver<Message>,
) -> ExitCode {
    let listener = Arc::clone(console);
    let spawned = std::thread::Builder::new().name("input".into()).spawn(move || {
        if input::listen(input, &listener, is_command, tools.is_terminal) == EndReason::End {
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
    loop {
        match queue.recv() {
            Ok(Message::Line(line)) => match input::command_of(&line.text, is_command) {
                Some("ucci") => return ucci::serve(console, tools, line, queue),
                Some(_) => return uci::serve(console, tools, line, queue),
                None => {
                    session::report_unknown::<FirstUci>(console, &line.text);
                    console.done(&line);
                }
            },
            Ok(Message::TooLong(length)) => session::report_too_long::<FirstUci>(console, length),
            // Nothing runs yet.
            Ok(Message::Full | Message::Answered) => {}
            Ok(Message::End | Message::Quit) | Err(_) => return ExitCode::SUCCESS,
        }
    }
}
