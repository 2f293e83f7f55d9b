//! The command line: subcommands, arguments and output.
//!
//! `main` calls [`run`] with the arguments. Without arguments the program speaks UCI or UCCI (`crate::protocol`).
//! Subcommands:
//! * `perft`: options in `perft_options`, counts and suites in `perft`, other modes in `perft_bench`, `unique`,
//!   `crate::doctor::cli` and `crate::farm::cli`. `output` prints counts, `progress` the progress of long runs.
//! * `check`, in `crate::doctor::cli`; `bench`, `probe` and `genfens`, each in the file of its name.
//!
//! Shared helpers: `args` reads options and prints help, `games` has a game's suites, `input` reads files, `manual` the
//! manual page and completions, `failure` maps errors to exit codes, and `prelude` is what nearly all of them import.
//! An error is one line on stderr and exit code 2; a count that differs is exit code 1. No input makes this code panic.

pub(crate) mod args;
mod failure;
pub(crate) mod games;
mod genfens;
mod input;
mod manual;
pub(crate) mod output;
mod perft;
pub(crate) mod perft_bench;
pub(crate) mod perft_options;
pub(crate) mod prelude;
mod probe;
mod progress;
mod unique;

use crate::base::text::hint;
use crate::doctor::cli::check;
use crate::game::text::fault::quoted;
use crate::protocol::bench::{self, Bench};
use crate::protocol::output::{Output, while_read};
use args::{Flag, Help};
use failure::{Failure, Outcome, print_err, warn};
use games::{ProgramGame as _, Variant, by_game};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Stdout, Write};
use std::process::ExitCode;

/// A subcommand: its name, its arguments, one line of help, and the functions that print its help and run it.
struct Command {
    name: &'static str,
    form: &'static str,
    about: &'static str,
    help: fn(&Command) -> Help,
    run: fn(&[String], &mut Stdout) -> Outcome,
}

#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    Command { name: "perft", form: "DEPTH [options]", about: "count legal move sequences, compare them",
        help: |_| perft_options::help(), run: perft::run },
    Command { name: "check", form: "ENGINE [options]", about: "name the faults of another generator",
        help: |this| Help { notes: check::NOTES, ..this.help(check::FLAGS) }, run: check::run },
    Command { name: "bench", form: "[DEPTH] [--game NAME]", about: "search fixed positions; nodes and speed",
        help: |this| this.help(BENCH_FLAGS), run: search_bench },
    Command { name: "probe", form: "FEN|- [options]", about: "look up positions in Syzygy tablebases",
        help: |this| this.help(probe::FLAGS), run: probe::run },
    Command { name: "genfens", form: "N seed S book FILE",
        about: "print N random openings for OpenBench; FILE may be None",
        help: |this| this.help::<()>(&[]), run: genfens::run },
    Command { name: "completions", form: "SHELL", about: "print completions for bash, zsh or fish",
        help: |this| Help { flags: manual::SHELLS.to_vec(), ..this.help::<()>(&[]) }, run: completions },
];

/// The other ways to call the program.
#[rustfmt::skip]
const OTHER_FORMS: [(&str, &str); 4] = [
    ("tabiya [--game NAME]", "start the engine, for chess (default) or xiangqi; it speaks UCI and UCCI"),
    ("tabiya help COMMAND", "print the options of COMMAND"),
    ("tabiya help --man", "print the manual page, for man -l -"),
    ("tabiya -V, --version", "print the version"),
];

impl Command {
    fn named(name: &str) -> Outcome<&'static Command> {
        COMMANDS.iter().find(|command| command.name == name).ok_or_else(|| {
            let names = COMMANDS.iter().map(|command| command.name);
            let all = Vec::from_iter(names.clone()).join(", ");
            let names = names.chain(["help", "--help", "--version"]);
            let hint = hint(name, names, &format!("expected {all}, help or --version"));
            format!("unknown command {}; {hint}", quoted(name)).into()
        })
    }

    /// The two columns of this command's row in `tabiya --help`.
    fn row(&self) -> (String, String) {
        (format!("tabiya {} {}", self.name, self.form), self.about.into())
    }

    /// The help of a command with a single form.
    fn help<T>(&self, flags: &[Flag<T>]) -> Help {
        let row = |Flag(form, _, help): &Flag<T>| (form.to_string(), help.to_string());
        let options = flags.iter().map(row).collect();
        let flags = flags.iter().map(|flag| flag.0).collect();
        Help { forms: vec![self.row()], options, flags, notes: "" }
    }
}

/// What the program is.
const ABOUT: &str = "a chess and xiangqi engine built around raw perft speed";

/// All command lines, in short.
fn rows() -> Vec<(String, String)> {
    let others = OTHER_FORMS.iter().map(|&(form, about)| (form.into(), about.into()));
    COMMANDS.iter().map(Command::row).chain(others).collect()
}

/// The commands with their help.
fn helps() -> Vec<(&'static str, Help)> {
    COMMANDS.iter().map(|command| (command.name, (command.help)(command))).collect()
}

/// What `tabiya --help` prints.
fn help() -> String {
    format!(
        "{}\nusage:\n{}\n{}",
        args::fitted(&format!("Tabiya, {ABOUT}")),
        args::columns(&rows()),
        args::fitted(
            "Counts go to stdout, everything else to stderr.\n\
             Exit code: 0 success, also if the reader of stdout exits early; 1 a count\n\
             differs; 2 bad input, or the output cannot be written."
        )
    )
}

/// Runs the command line `arguments` (without the program's name) and returns the exit code.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
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

/// The value of a leading `--game NAME` or `--game=NAME`, and the arguments after it; `None` if `word` is another one.
fn game_option<'a>(word: &'a str, rest: &'a [String]) -> Option<(Option<&'a str>, &'a [String])> {
    match word.strip_prefix("--game")?.strip_prefix('=') {
        Some(name) => Some((Some(name), rest)),
        None => (word == "--game").then(|| (rest.first().map(String::as_str), rest.get(1..).unwrap_or_default())),
    }
}

/// Runs UCI or UCCI; UCI begins with `game`.
fn play(game: Variant) -> Outcome<ExitCode> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    crate::protocol::serve(io::stdin(), io::stdout(), crate::protocol::Console { game, is_terminal });
    Ok(ExitCode::SUCCESS)
}

fn command(arguments: &[String]) -> Outcome<ExitCode> {
    let Some((word, rest)) = arguments.split_first() else { return play(Variant::default()) };
    if let Some((name, rest)) = game_option(word, rest) {
        let name = name.ok_or("--game needs a value: --game NAME")?;
        let game = Variant::read(name).map_err(|reason| format!("--game: {reason}"))?;
        return match rest.first() {
            None => play(game),
            Some(extra) => Err(format!(
                "unexpected argument {} after --game {name}; a command's options follow the command",
                quoted(extra)
            )
            .into()),
        };
    }
    let mut out = io::stdout();
    let is_help = |word: &&String| matches!(word.as_str(), "-h" | "--help");
    match (word.as_str(), rest) {
        ("help", [option]) if option == "--man" => {
            out.write_all(manual::page(ABOUT, &rows(), &helps()).as_bytes())?;
        }
        ("-h" | "--help" | "help", _) => {
            let text = match rest.iter().find(|word| !is_help(word) && *word != "help") {
                None => help(),
                Some(name) => Command::named(name).map(|command| (command.help)(command).text())?,
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
            match words[1..].iter().take_while(|word| *word != "--").any(|word| is_help(&word)) {
                true => out.write_all((command.help)(command).text().as_bytes())?,
                false => (command.run)(&words[1..], &mut out)?,
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
    let words = line.split_whitespace().map(String::from).chain(rest.iter().cloned());
    let words = Some(Vec::from_iter(words)).filter(|words| words.first().is_some_and(|name| name == "genfens"));
    if words.is_some() {
        arguments[..options].iter().for_each(|option| warn(&format!("genfens: {} has no effect", quoted(option))));
    }
    words
}

/// `tabiya completions SHELL`
fn completions(arguments: &[String], out: &mut Stdout) -> Outcome {
    match arguments {
        [shell] if manual::SHELLS.contains(&shell.as_str()) => {
            Ok(out.write_all(manual::completions(shell, &helps()).as_bytes())?)
        }
        _ => {
            let given = arguments.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
            let shells = manual::SHELLS.join(", ");
            Err(format!("completions SHELL: {given} is not one of {shells}").into())
        }
    }
}

/// The options of `tabiya bench`.
#[rustfmt::skip]
const BENCH_FLAGS: &[Flag<Variant>] = &[
    Flag("--game NAME", |game, v| Variant::read(v).map(|read| *game = read), "chess (default) or xiangqi"),
];

/// `tabiya bench [DEPTH] [--game NAME]`
fn search_bench(arguments: &[String], _: &mut Stdout) -> Outcome {
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
    let done = while_read(|| {
        by_game!(game, B => {
            bench::run::<B>(B::BENCH, B::BENCH_DEPTH, &request, |line| output.say(line))
        })
    });
    Ok(done.map(|_| ()).map_err(|error| format!("bench: {error}"))?)
}
