//! The command line: subcommands, arguments and output.
//!
//! `main` calls [`run`] with the arguments. Without arguments the program speaks UCI or UCCI (`crate::protocol`).
//! Subcommands:
//! * `perft`: options in `perft_options`, counts and suites in `perft`, other modes in `perft_bench`, `unique`,
//!   `crate::doctor::cli` and `crate::farm::cli`. `counts` prints counts, `progress_line` the progress of long runs.
//! * `check`, in `crate::doctor::cli`; `probe` and `genfens`, each in the file of its name; `bench`, here.
//!
//! Shared helpers: `args` reads options and files and prints help, `positions` has a game's standard positions,
//! `failure` maps errors to exit codes, and `prelude` is what nearly all of them import.
//! An error is one line on stderr and exit code 2; a count that differs is exit code 1. No input makes this code panic.

pub(crate) mod args;
pub(crate) mod counts;
mod failure;
mod genfens;
mod perft;
pub(crate) mod perft_bench;
pub(crate) mod perft_options;
pub(crate) mod positions;
pub(crate) mod prelude;
mod probe;
pub(crate) mod progress_line;
mod unique;

use crate::base::signals;
use crate::base::text::hint;
use crate::doctor::cli::check;
use crate::game::text::fault::quoted;
use crate::protocol::games::{Bench, Variant, by_game};
use crate::protocol::output::{Output, while_read};
use args::Flag;
use failure::{CommandResult, Failure, print_err, warn};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Stdout, Write};
use std::process::ExitCode;

/// A subcommand: its name, its arguments, one line of help, and the functions that write its help and run it.
struct Command {
    name: &'static str,
    form: &'static str,
    about: &'static str,
    help: fn(&Command) -> String,
    run: fn(&[String], &mut Stdout) -> CommandResult,
}

#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    Command { name: "perft", form: "DEPTH [options]", about: "count legal move sequences and compare counts",
        help: |_| perft_options::help(), run: perft::run },
    Command { name: "check", form: "ENGINE [options]", about: "find bugs in another engine's move generator",
        help: |this| this.help(check::FLAGS, check::NOTES), run: check::run },
    Command { name: "bench", form: "[DEPTH] [--game NAME]", about: "search fixed positions; print nodes and speed",
        help: |this| this.help(BENCH_FLAGS, ""), run: search_bench },
    Command { name: "probe", form: "FEN|- [options]", about: "look up positions in Syzygy tablebases",
        help: |this| this.help(probe::FLAGS, ""), run: probe::run },
    Command { name: "genfens", form: "N seed S book FILE",
        about: "print N random openings for OpenBench; FILE may be None",
        help: |this| this.help::<()>(&[], ""), run: genfens::run },
];

impl Command {
    fn named(name: &str) -> CommandResult<&'static Command> {
        if let Some(command) = COMMANDS.iter().find(|command| command.name == name) {
            return Ok(command);
        }
        let names = Vec::from_iter(COMMANDS.iter().map(|command| command.name));
        let expected = format!("expected {}, help or --version", names.join(", "));
        let others = ["help", "--help", "--version"];
        let hint = hint(name, names.into_iter().chain(others), &expected);
        Err(format!("unknown command {}; {hint}", quoted(name)).into())
    }

    /// Its command line and what it does.
    fn row(&self) -> (String, String) {
        (format!("tabiya {} {}", self.name, self.form), self.about.into())
    }

    /// The help of a command with a single form.
    fn help<T>(&self, flags: &[Flag<T>], notes: &str) -> String {
        let options = Vec::from_iter(flags.iter().map(Flag::row));
        args::help(&[self.row()], &options, notes)
    }
}

/// What `tabiya --help` prints.
fn help() -> String {
    let mut rows = Vec::from_iter(COMMANDS.iter().map(Command::row));
    for (form, about) in [
        ("tabiya [--game NAME]", "start the engine, for chess (default) or xiangqi; it speaks UCI and UCCI"),
        ("tabiya help COMMAND", "print the options of COMMAND"),
        ("tabiya -V, --version", "print the version"),
    ] {
        rows.push((form.into(), about.into()));
    }
    format!(
        "{}\nusage:\n{}\n{}",
        args::fitted("Tabiya, a chess and xiangqi engine built around raw perft speed"),
        args::columns(&rows),
        args::fitted(
            "Counts go to stdout, everything else to stderr.\n\
             Exit code: 0 success, also if the reader of stdout exits early; 1 a count\n\
             differs; 2 bad input, or the output cannot be written."
        )
    )
}

/// Runs the command line `arguments` (without the program's name) and returns the exit code.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    signals::report_full_files();
    let reason = match command(&args::texts(arguments)) {
        Ok(code) => return code,
        Err(Failure::Difference) => return ExitCode::from(1),
        // The reader closed the pipe, as `| head` does. Success whether or not all output was written by then.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Failure::Output(error)) => format!("cannot write the output: {error}"),
        Err(Failure::Usage(reason)) => reason,
    };
    print_err(&format!("tabiya: {reason}"));
    ExitCode::from(2)
}

/// Runs UCI or UCCI; UCI begins with `game`.
fn play(game: Variant) -> CommandResult<ExitCode> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    crate::protocol::serve(io::stdin(), io::stdout(), crate::protocol::Console { game, is_terminal });
    Ok(ExitCode::SUCCESS)
}

/// `tabiya --game NAME` or `tabiya --game=NAME`
fn play_named(arguments: &[String]) -> CommandResult<ExitCode> {
    let (name, rest) = match arguments {
        [word, rest @ ..] if word.starts_with("--game=") => (&word["--game=".len()..], rest),
        [_, name, rest @ ..] => (name.as_str(), rest),
        _ => return Err("--game needs a value: --game NAME".into()),
    };
    let game = Variant::read(name).map_err(|reason| format!("--game: {reason}"))?;
    if let Some(extra) = rest.first() {
        let reason = "a command's options follow the command";
        return Err(format!("unexpected argument {} after --game {name}; {reason}", quoted(extra)).into());
    }
    play(game)
}

fn is_help(word: &str) -> bool {
    matches!(word, "-h" | "--help")
}

fn command(arguments: &[String]) -> CommandResult<ExitCode> {
    let Some((word, rest)) = arguments.split_first() else { return play(Variant::default()) };
    if word == "--game" || word.starts_with("--game=") {
        return play_named(arguments);
    }
    let mut out = io::stdout();
    match (word.as_str(), rest) {
        ("-h" | "--help" | "help", _) => {
            let text = match rest.iter().find(|word| !is_help(word) && *word != "help") {
                None => help(),
                Some(name) => Command::named(name).map(|command| (command.help)(command))?,
            };
            out.write_all(text.as_bytes())?;
        }
        ("-V" | "--version", []) => writeln!(out, "tabiya {}", env!("CARGO_PKG_VERSION"))?,
        ("-V" | "--version", [extra, ..]) => {
            return Err(format!("unexpected argument {} after {word}", quoted(extra)).into());
        }
        _ => {
            let words = openbench_words(arguments).unwrap_or_else(|| arguments.to_vec());
            let command = Command::named(&words[0])?;
            if words[1..].iter().take_while(|word| *word != "--").any(|word| is_help(word)) {
                out.write_all((command.help)(command).as_bytes())?;
            } else {
                (command.run)(&words[1..], &mut out)?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The words of the arguments that OpenBench's client passes: `genfens` with its own as one argument, and before it,
/// for an engine with a private network, a `setoption`, which has no effect here.
fn openbench_words(arguments: &[String]) -> Option<Vec<String>> {
    let options = arguments.iter().take_while(|word| word.starts_with("setoption ")).count();
    let (line, rest) = arguments[options..].split_first()?;
    let mut words = Vec::from_iter(line.split_whitespace().map(String::from));
    if words.first()? != "genfens" {
        return None;
    }
    for option in &arguments[..options] {
        warn(&format!("genfens: {} has no effect", quoted(option)));
    }
    words.extend(rest.iter().cloned());
    Some(words)
}

/// The options of `tabiya bench`.
#[rustfmt::skip]
const BENCH_FLAGS: &[Flag<Variant>] = &[
    Flag("--game NAME", |game, v| Variant::read(v).map(|read| *game = read), "chess (default) or xiangqi"),
];

/// `tabiya bench [DEPTH] [--game NAME]`
fn search_bench(arguments: &[String], _: &mut Stdout) -> CommandResult {
    let mut game = Variant::default();
    let (_, words) = args::read("bench", BENCH_FLAGS.iter(), arguments, &mut game)?;
    let mut request = Bench::default();
    if let Some(word) = words.first() {
        args::number(request.limit.insert(0), word, 1..=100).map_err(|e| format!("bench DEPTH: {e}"))?;
    }
    if let Some(extra) = words.get(1) {
        return Err(format!("bench: unexpected argument {} after DEPTH", quoted(extra)).into());
    }
    let output = Output::new(io::stdout());
    let done = while_read(|| by_game!(game, B => request.run::<B>(|line| output.say(line))));
    done.map_err(|error| format!("bench: {error}"))?;
    Ok(())
}
