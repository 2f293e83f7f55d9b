//! The command line: subcommands, arguments, output. The only floor that picks a game.
//!
//! Called by `main` with the arguments; `perft` and `perft_bench` hold the one subcommand, `args` reads
//! options, `json` writes objects. Every fault is one line on stderr and exit code 2; nothing here panics on input.

mod args;
mod json;
mod perft;
mod perft_bench;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// How a command ended, if not well.
#[derive(Debug)]
enum Failure {
    /// Wrong arguments, unreadable input: exit code 2, the text on stderr.
    Usage(String),
    /// The command did its work and found a difference: exit code 1. It has said so already.
    Difference,
    /// Standard output is closed or full.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

const HELP: &str = "\
Tabiya, a chess engine built around raw perft speed

usage:
  tabiya perft DEPTH [options]        count the move sequences of DEPTH plies
  tabiya perft DEPTH --against CMD    find the position where another UCI engine counts differently
  tabiya perft --suite FILE...        run EPD suites of lines `FEN ;D1 20 ;D2 400`
  tabiya perft bench                  speed of every leaf counter on the standard positions
  tabiya --help | --version

perft options:
  --fen FEN|NAME     the position, or the name of a standard one (default startpos)
  --game chess       the game
  --divide           a count for every move, in the form of Stockfish's `go perft`
  --stats            captures, en passant, castles, promotions, checks and mates of the last ply
  --chess960         write castling as king takes rook
  --json             one JSON object on a line instead of text
  --threads N        threads; 0 = all cores (default)
  --hash MB          hash table, rounded down to a power of two, at least 4; 0 = none (default)
  --seed N           other keys for the hash table, to verify a total a second time
  --kernel NAME      leaf counter: auto (default), portable, scalar
  --checkpoint FILE  keep finished parts in FILE; the same command goes on where it was stopped
  --max-nodes N      with --suite: leave out counts above N

Counts go to stdout, everything else to stderr. Exit code 0: done; 1: a count differs; 2: bad input.
";

/// Runs the command that `arguments` (without the program's name) ask for.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let outcome = args::utf8(arguments).and_then(|arguments| command(&arguments));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Difference) => ExitCode::from(1),
        Err(Failure::Usage(reason)) => complain(&reason),
        // The reader has left; there is nobody to tell.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::from(2)
        }
        Err(Failure::Output(error)) => complain(&format!("cannot write the output: {error}")),
    }
}

fn complain(reason: &str) -> ExitCode {
    // One line whatever names of files and programs hold. If stderr is closed as well, the exit code has
    // to do.
    let reason: String = reason.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    let _ = writeln!(io::stderr(), "tabiya: {reason}");
    ExitCode::from(2)
}

fn command(arguments: &[String]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match arguments.split_first() {
        Some((word, rest)) if word == "--help" || rest.iter().any(|word| word == "--help") => {
            Ok(out.write_all(HELP.as_bytes())?)
        }
        Some((word, rest)) if word == "perft" => perft::run(rest, &mut out),
        Some((word, [])) if word == "--version" => {
            Ok(writeln!(out, "tabiya {}", env!("CARGO_PKG_VERSION"))?)
        }
        Some((word, [extra, ..])) if word == "--version" => {
            let shown = crate::game::notation::quoted(extra);
            Err(Failure::Usage(format!("{shown} follows --version, expected nothing")))
        }
        Some((word, _)) => Err(Failure::Usage(format!(
            "{} is no command; expected perft, --help or --version",
            crate::game::notation::quoted(word)
        ))),
        None => Err(Failure::Usage("expected a command: perft, --help or --version".into())),
    }
}
