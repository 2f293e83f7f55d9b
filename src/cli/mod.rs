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

use crate::{chess, xiangqi};
use failure::Failure;
use games::{Game, Offered};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

const HELP: &str = "\
Tabiya, a chess and xiangqi engine built around raw perft speed

usage:
  tabiya perft DEPTH [options]        count the move sequences of DEPTH plies
  tabiya perft DEPTH --against CMD    find the position where another UCI engine counts differently
  tabiya perft DEPTH --unique         distinct positions after 0, 1, ... DEPTH plies
  tabiya perft DEPTH --split PLIES    the run as work units for many machines, to stdout
  tabiya perft --units FILE           count work units (- for stdin), a result line each to stdout
  tabiya perft --merge FILE RESULTS...  check the results of all units and add them up
  tabiya perft DEPTH --compare FILE   compare with the divide that another program printed; - is stdin
  tabiya perft --suite FILE...        run EPD suites of lines `FEN ;D1 20 ;D2 400`
  tabiya perft bench                  speed of every leaf counter on the standard positions
  tabiya bench [DEPTH] [--game NAME]  nodes and speed of the search on fixed positions
  tabiya datagen --out FILE [options] games of the engine against itself as training data for an evaluation
  tabiya probe FEN|- [--syzygy FOLDER] [--json]
                                      what endgame tablebases say about a position, or about every line of stdin
  tabiya                              speak UCI or UCCI on stdin and stdout, as GUIs and match runners expect:
                                      the first command, `uci` or `ucci`, decides; UCCI is for xiangqi, UCI
                                      for chess or, with `setoption name UCI_Variant value xiangqi`, xiangqi
  tabiya \"genfens N seed S book None|FILE\" quit
                                      N openings for OpenBench, as lines `info string genfens FEN`
  tabiya --help | --version

perft options:
  --fen FEN|NAME     the position, or the name of a standard one (default startpos)
  --game NAME        chess (default) or xiangqi (moves with ranks 0 to 9, whatever the other engine's are)
  --divide           a count for every move, in the form of Stockfish's `go perft`
  --stats[=full]     captures, en passant, castles, promotions, checks and mates of the last ply, with the
                     chess programming wiki's columns; full: all fifteen, each sort of check and mate apart
                     (a check that mates counts among the mates only); with --suite: compare `;C` columns
  --chess960         write castling as king takes rook
  --json             one JSON object on a line instead of text
  --threads N        threads; 0 = all cores (default)
  --hash MB          hash table of this size, at least 5; 0 = none (default)
  --seed N           other keys for the hash table, to verify a total a second time
  --kernel NAME      leaf counter: auto (default: the fastest), avx512, avx2, portable, scalar
  --checkpoint FILE  keep finished parts in FILE, every half second; killed at any moment, the same command
                     goes on from there
  --max-nodes N      with --suite: leave out counts above N
  --memory MB        with --unique and --split: memory to stay within (default: half of what is free)
  --range A..B       with --units: units A to B-1 only; several ranges are separated by commas
  --verified         with --merge: demand two results with different seeds for every unit
  --strict           refuse FENs whose meaning is plain but which no game could bring about, as with castling
                     rights without a rook; without it they are read as Stockfish reads them, with a warning

datagen options:
  --out FILE         where to write; a file of an earlier run with the same options is continued
  --games N          games that FILE is to hold in the end (default 1000)
  --nodes N          nodes of a search after which no iteration is begun (default 5000)
  --random-plies N   random moves before a game; every other game has one more (default 8)
  --seed N           other games (default 1)
  --threads N        games at a time; 0 = all cores (default); the file does not depend on it
  --hash MB          hash table of each thread (default 8)
  --game NAME        chess (default) or xiangqi

Counts go to stdout, everything else to stderr. Exit code 0: done; 1: a count differs; 2: bad input.
";

/// Runs the command that `arguments` (without the program's name) ask for.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let outcome = args::utf8(arguments).and_then(|arguments| command(&arguments));
    match outcome {
        Ok(code) => code,
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

fn command(arguments: &[String]) -> Result<ExitCode, Failure> {
    if arguments.is_empty() {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let tools = crate::protocol::Tools { bench: Some(bench_of), is_terminal };
        return Ok(crate::protocol::serve(io::stdin(), io::stdout(), tools));
    }
    subcommand(arguments, &mut io::stdout()).map(|()| ExitCode::SUCCESS)
}

fn subcommand(arguments: &[String], out: &mut (impl Write + Send)) -> Result<(), Failure> {
    match arguments.split_first() {
        Some((word, rest))
            if word == "--help" || word == "help" || rest.iter().any(|word| word == "--help") =>
        {
            Ok(out.write_all(HELP.as_bytes())?)
        }
        Some((word, rest)) if word.split_whitespace().next() == Some("genfens") => {
            genfens::run(word, rest, out)
        }
        Some((word, rest)) if word == "perft" => perft::run(rest, out),
        Some((word, rest)) if word == "bench" => search_bench(rest, out),
        Some((word, rest)) if word == "datagen" => datagen::run(rest, out),
        Some((word, rest)) if word == "probe" => probe::run(rest, out),
        Some((word, [])) if word == "--version" => {
            Ok(writeln!(out, "tabiya {}", env!("CARGO_PKG_VERSION"))?)
        }
        Some((word, [extra, ..])) if word == "--version" => {
            let shown = crate::game::notation::quoted(extra);
            Err(Failure::Usage(format!("{shown} follows --version, expected nothing")))
        }
        Some((word, _)) => Err(Failure::Usage(format!(
            "{} is no command; expected perft, bench, datagen, genfens, probe, --help or --version",
            crate::game::notation::quoted(word)
        ))),
        None => Ok(()),
    }
}

/// The search benchmark of the game called `name`, for the protocols.
fn bench_of(name: &str, depth: Option<u32>, say: &mut dyn FnMut(&str)) {
    let lines = match name {
        <xiangqi::Position as Offered>::NAME => bench::lines::<xiangqi::Position>,
        _ => bench::lines::<chess::Position>,
    };
    lines(depth, say);
}

/// `tabiya bench [DEPTH] [--game NAME]`
fn search_bench(arguments: &[String], out: &mut impl Write) -> Result<(), Failure> {
    let args = args::Args::read(arguments, &[], &["--game"])?;
    let depth = match args.words() {
        [] => None,
        [depth] => Some(args::number("bench DEPTH", depth, 1..=100)? as u32),
        [_, extra, ..] => {
            let shown = crate::game::notation::quoted(extra);
            return Err(Failure::Usage(format!("bench: {shown} follows DEPTH, expected nothing")));
        }
    };
    let lines = match games::game(&args)? {
        Game::Chess => bench::lines::<chess::Position>,
        Game::Xiangqi => bench::lines::<xiangqi::Position>,
    };
    let mut written = Ok(());
    lines(depth, &mut |line| {
        if written.is_ok() {
            written = writeln!(out, "{line}");
        }
    });
    Ok(written?)
}
