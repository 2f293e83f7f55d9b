//! The command line: subcommands, arguments, output. The only floor that picks a game.
//!
//! Called by `main` with the arguments; `perft` and `perft_bench` hold one subcommand, `bench`, `probe` and
//! `genfens` the others, `games` knows what can be played, `args` reads options, `json` writes objects,
//! `shown` prints counts, `failure` is how commands end badly. Without arguments the protocols take over.
//! Every fault is one line on stderr and exit code 2; nothing here panics on input.

mod args;
pub mod bench;
mod datagen;
mod failure;
mod games;
mod genfens;
mod json;
mod perft;
mod perft_bench;
mod perft_compare;
mod perft_options;
mod probe;
mod progress;
mod shown;
mod unique;
mod units;

use crate::game::notation::quoted;
use args::Flag;
use failure::{Failure, Outcome, tell};
use games::{Game, by_game};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Stdout, Write};
use std::process::ExitCode;

/// A subcommand: its name, what follows that, and what it does.
struct Command {
    name: &'static str,
    form: &'static str,
    about: &'static str,
    help: fn(&Command) -> String,
    run: fn(&[String], &mut Stdout) -> Outcome,
}

#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    Command {
        name: "perft", form: "DEPTH [options]", run: perft::run, help: |_| perft_options::help(),
        about: "count the move sequences of DEPTH plies; divide, statistics, suites, other engines, many machines",
    },
    Command {
        name: "bench", form: "[DEPTH] [--game NAME]", run: search_bench, help: |this| this.help(BENCH_FLAGS),
        about: "nodes and speed of the search on fixed positions",
    },
    Command {
        name: "probe", form: "FEN|- [options]", run: probe::run, help: |this| this.help(probe::FLAGS),
        about: "what endgame tablebases say about a position, or about every line of stdin",
    },
    Command {
        name: "datagen", form: "--out FILE [options]", run: datagen::run, help: |this| this.help(datagen::FLAGS),
        about: "games of the engine against itself, as training data",
    },
    Command {
        name: "genfens", form: "N seed S book FILE", run: genfens::run, help: |this| this.help::<()>(&[]),
        about: "N openings as OpenBench asks for them; FILE may be None",
    },
];

/// What else the program can be asked for.
#[rustfmt::skip]
const OTHER_FORMS: [(&str, &str); 3] = [
    ("tabiya", "speak UCI or UCCI, as GUIs and match runners expect; the first word decides"),
    ("tabiya help COMMAND", "all options of a command; so does tabiya COMMAND --help"),
    ("tabiya -V, --version", "the version"),
];

impl Command {
    fn named(name: &str) -> Outcome<&'static Command> {
        COMMANDS.iter().find(|command| command.name == name).ok_or_else(|| {
            let names = COMMANDS.iter().map(|command| command.name);
            let all = Vec::from_iter(names.clone()).join(", ");
            let names = names.chain(["help", "--help", "--version"]);
            let hint = args::hint(name, names, &format!("expected {all}, help or --version"));
            format!("{} is no command; {hint}", quoted(name)).into()
        })
    }

    /// Form and meaning.
    fn row(&self) -> (String, String) {
        (format!("tabiya {} {}", self.name, self.form), self.about.into())
    }

    /// What `--help` says of a command of one form.
    fn help<T>(&self, flags: &[Flag<T>]) -> String {
        let rows: Vec<_> =
            flags.iter().map(|Flag(form, _, help)| (form.to_string(), help.to_string())).collect();
        args::help(&[self.row()], &rows)
    }
}

/// What `tabiya --help` prints.
fn help() -> String {
    let own = OTHER_FORMS.iter().map(|&(form, about)| (form.into(), about.into()));
    let rows: Vec<_> = COMMANDS.iter().map(Command::row).chain(own).collect();
    format!(
        "Tabiya, a chess and xiangqi engine built around raw perft speed\n\nusage:\n{}\n\
         Counts go to stdout, everything else to stderr. Exit code 0: done, or the\n\
         reader of stdout has left; 1: a count differs; 2: bad input.\n",
        args::columns(&rows)
    )
}

/// Runs the command that `arguments` (without the program's name) ask for.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let outcome = args::utf8(arguments).and_then(|arguments| command(&arguments));
    let reason = match outcome {
        Ok(code) => return code,
        Err(Failure::Difference) => return ExitCode::from(1),
        // The reader has seen enough, as in `| head`; whether all was written before he left is a matter of chance.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Failure::Output(error)) => format!("cannot write the output: {error}"),
        Err(Failure::Usage(reason)) => reason,
    };
    tell(&format!("tabiya: {reason}"));
    ExitCode::from(2)
}

fn command(arguments: &[String]) -> Outcome<ExitCode> {
    let Some((word, rest)) = arguments.split_first() else {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let tools = crate::protocol::Tools { bench: Some(bench_of), is_terminal };
        return Ok(crate::protocol::serve(io::stdin(), io::stdout(), tools));
    };
    let mut out = io::stdout();
    let asks = |word: &&String| matches!(word.as_str(), "-h" | "--help");
    match (word.as_str(), rest) {
        ("-h" | "--help" | "help", _) => {
            let text = match rest.iter().find(|word| !asks(word) && *word != "help") {
                None => help(),
                Some(name) => Command::named(name).map(|command| (command.help)(command))?,
            };
            out.write_all(text.as_bytes())?;
        }
        ("-V" | "--version", []) => writeln!(out, "tabiya {}", env!("CARGO_PKG_VERSION"))?,
        ("-V" | "--version", [extra, ..]) => {
            return Err(format!("{} follows {word}, expected nothing", quoted(extra)).into());
        }
        _ => {
            // OpenBench gives `genfens` and its words as one argument.
            let mut words = Vec::from_iter(word.split_whitespace().map(String::from));
            if words.first().is_none_or(|name| name != "genfens") {
                words = vec![word.clone()];
            }
            words.extend_from_slice(rest);
            let command = Command::named(&words[0])?;
            match rest.iter().any(|word| asks(&word)) {
                true => out.write_all((command.help)(command).as_bytes())?,
                false => (command.run)(&words[1..], &mut out)?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The search benchmark of the game called `name`, for the protocols.
fn bench_of(name: &str, depth: Option<u32>, say: &mut dyn FnMut(&str)) {
    let game = Game::read(name).unwrap_or_default();
    by_game!(game, P => bench::lines::<P>)(depth, &mut |line| {
        say(line);
        true
    });
}

/// The options of the search benchmark.
#[rustfmt::skip]
const BENCH_FLAGS: &[Flag<Game>] = &[
    Flag("--game NAME", |game, v| Game::read(v).map(|read| *game = read), "chess (default) or xiangqi"),
];

/// `tabiya bench [DEPTH] [--game NAME]`
fn search_bench(arguments: &[String], out: &mut Stdout) -> Outcome {
    let mut game = Game::default();
    let (_, words) = args::read("bench", BENCH_FLAGS.iter(), arguments, &mut game)?;
    let mut depth = None;
    if let Some(word) = words.first() {
        args::number(depth.insert(0), word, 1..=100).map_err(|e| format!("bench DEPTH: {e}"))?;
    }
    if let Some(extra) = words.get(1) {
        return Err(format!("bench: {} follows DEPTH, expected nothing", quoted(extra)).into());
    }
    let mut written = Ok(());
    by_game!(game, P => bench::lines::<P>)(depth, &mut |line| {
        written = writeln!(out, "{line}");
        written.is_ok()
    });
    Ok(written?)
}
