//! What `tabiya perft` can be asked for: its modes, its options and what goes with what, in two tables.
//!
//! [`Options::read`] reads the arguments once; `cli::perft` and the files beside it work with the result. Help and
//! refusals are made from the tables. Prints nothing.

use super::args::{self, Flag, number, on, text};
use super::failure::{Failure, Outcome};
use super::games::{Game, Offered};
use crate::game::Kernel;
use crate::game::notation::{FenReader, quoted};
use crate::perft::MAX_DEPTH;
use crate::perft::count::Settings;
use crate::perft::distinct::MIN_MEGABYTES;
use std::slice;

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mode {
    /// Total, divide and statistics.
    #[default]
    Count,
    Against,
    Compare,
    Suite,
    Unique,
    Split,
    Units,
    Merge,
    Bench,
}

use Mode::{Against, Bench, Compare, Count, Merge, Split, Suite, Unique, Units};

/// How much `--stats` prints.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stats {
    /// The columns of the chess programming wiki.
    Wiki,
    /// All.
    Full,
}

/// What the arguments ask for. What the mode has no use for is as it is without arguments.
#[derive(Default)]
pub(super) struct Options {
    pub mode: Mode,
    pub depth: u32,
    /// The files of `--suite`, the results of `--merge`.
    pub files: Vec<String>,
    /// The file of `--compare`, `--units` or `--merge`.
    pub file: String,
    /// The command of `--against`.
    pub command: String,
    /// The plies of `--split`.
    pub plies: u32,
    pub game: Option<Game>,
    /// A FEN or name, and moves behind that.
    pub fen: String,
    pub moves: String,
    pub divide: bool,
    pub stats: Option<Stats>,
    pub chess960: bool,
    pub json: bool,
    pub strict: bool,
    pub verified: bool,
    /// 0 for all cores.
    pub threads: usize,
    /// Megabytes; 0 for no table.
    pub hash: usize,
    pub seed: Option<u64>,
    /// `None` for the fastest.
    pub kernel: Option<Kernel>,
    pub checkpoint: Option<String>,
    pub max_nodes: u128,
    pub memory: Option<usize>,
    pub range: Option<String>,
}

/// A mode, what stands before and behind the word that chooses it, and that word with what it sets.
type ModeRow = (Mode, &'static str, Flag<Options>, &'static str);

#[rustfmt::skip]
const MODES: [ModeRow; 9] = [
    (Count, "DEPTH ", Flag("[options]", |_, _| Ok(()), "count the move sequences of DEPTH plies"), ""),
    (Against, "DEPTH ", Flag("--against CMD", |o, v| text(&mut o.command, v),
        "find the position where another UCI engine counts differently"), ""),
    (Compare, "DEPTH ", Flag("--compare FILE", |o, v| text(&mut o.file, v),
        "compare with the divide that another program printed; - is stdin"), ""),
    (Suite, "", Flag("--suite", |_, _| Ok(()), "run EPD suites of lines `FEN ;D1 20 ;D2 400`"), " FILE..."),
    (Unique, "DEPTH ", Flag("--unique", |_, _| Ok(()), "distinct positions after 0, 1, ... DEPTH plies"), ""),
    (Split, "DEPTH ", Flag("--split PLIES", |o, v| number(&mut o.plies, v, 0..=u128::from(MAX_DEPTH)),
        "the run as work units for many machines, to stdout"), ""),
    (Units, "", Flag("--units FILE", |o, v| text(&mut o.file, v),
        "count work units (- for stdin), a result line each to stdout"), ""),
    (Merge, "", Flag("--merge FILE", |o, v| text(&mut o.file, v),
        "check the results of all units and add them up"), " RESULTS..."),
    (Bench, "", Flag("bench [--game NAME]", |_, _| Ok(()),
        "speed of every leaf counter on the standard positions"), ""),
];

/// How a mode is called for.
fn form((_, before, Flag(form, ..), behind): &ModeRow) -> String {
    format!("tabiya perft {before}{form}{behind}")
}

/// Modes that begin with a position, those that count, and those that use threads and keys.
const ROOTED: &[Mode] = &[Count, Against, Compare, Unique, Split];
const COUNTING: &[Mode] = &[Count, Against, Compare, Suite, Units];
const WORKING: &[Mode] = &[Count, Against, Compare, Suite, Unique, Split, Units];

/// More threads or megabytes than any machine has.
const MAX_THREADS: u128 = 1024;
const MAX_MEGABYTES: u128 = 1 << 24;

/// Every other option with the modes that it goes with.
#[rustfmt::skip]
const ROWS: &[(&[Mode], Flag<Options>)] = &[
    (ROOTED, Flag("--fen FEN|NAME", |o, v| text(&mut o.fen, v),
        "the position, or the name of a standard one (default startpos); `moves e2e4 ...` may follow")),
    (ROOTED, Flag("--moves MOVES", |o, v| text(&mut o.moves, v),
        "moves to make first, as in \"e2e4 e7e5\"")),
    (&[Count, Against, Compare, Suite, Unique, Split, Units, Merge, Bench],
        Flag("--game NAME", |o, v| Game::read(v).map(|game| o.game = Some(game)),
        "chess (default) or xiangqi (moves with ranks 0 to 9, whatever the other engine's are); \
         units know their game")),
    (&[Count, Against, Split, Merge], Flag("--divide", |o, _| on(&mut o.divide),
        "a count for every move, in the form of Stockfish's `go perft`")),
    (&[Count, Suite, Units, Merge], Flag("--stats[=full]", |o, v| stats(v).map(|stats| o.stats = Some(stats)),
        "captures, en passant, castles, promotions, checks and mates of the last ply, with the chess \
         programming wiki's columns; full: all fifteen, each sort of check and mate apart (a check that \
         mates counts among the mates only); with --suite: compare `;C` columns")),
    (&[Count, Against, Compare, Split], Flag("--chess960", |o, _| on(&mut o.chess960),
        "write castling as king takes rook")),
    (&[Count, Suite, Unique, Merge], Flag("--json", |o, _| on(&mut o.json),
        "one JSON object on a line instead of text")),
    (WORKING, Flag("--threads N", |o, v| number(&mut o.threads, v, 0..=MAX_THREADS),
        "threads; 0 = all cores (default)")),
    (COUNTING, Flag("--hash MB", |o, v| number(&mut o.hash, v, 0..=MAX_MEGABYTES),
        "hash table of this size, at least 5; 0 = none (default)")),
    (WORKING, Flag("--seed N", |o, v| number(o.seed.insert(0), v, 0..=u128::from(u64::MAX)),
        "other keys for the hash table, to verify a total a second time")),
    (&[Count, Against, Compare, Suite, Unique, Units],
        Flag("--kernel NAME", |o, v| kernel(v).map(|kernel| o.kernel = kernel),
        "leaf counter: auto (default: the fastest), avx512, avx2, portable, scalar")),
    (&[Count], Flag("--checkpoint FILE", checkpoint,
        "keep finished parts in FILE, every half second; killed at any moment, the same command goes on from there")),
    (&[Suite], Flag("--max-nodes N", |o, v| number(&mut o.max_nodes, v, 0..=u128::MAX),
        "leave out counts above N")),
    (&[Unique, Split], Flag("--memory MB",
        |o, v| number(o.memory.insert(0), v, MIN_MEGABYTES as u128..=MAX_MEGABYTES),
        "memory to stay within (default: half of what is free)")),
    (&[Units], Flag("--range A..B", |o, v| text(o.range.insert(String::new()), v),
        "units A to B-1 only; several ranges are separated by commas")),
    (&[Merge], Flag("--verified", |o, _| on(&mut o.verified),
        "demand two results with different seeds for every unit")),
    (&[Count, Against, Compare, Suite, Unique, Split], Flag("--strict", |o, _| on(&mut o.strict),
        "refuse FENs whose meaning is plain but which no game could bring about, as with castling rights \
         without a rook; without it they are read as Stockfish reads them, with a warning")),
];

/// Reads the name of a leaf counter.
fn kernel(text: &str) -> Result<Option<Kernel>, String> {
    match Kernel::ALL.into_iter().find(|kernel| kernel.name() == text) {
        None if text != "auto" => {
            let names = Kernel::ALL.map(Kernel::name).join(", ");
            Err(format!("{} is none of auto, {names}", quoted(text)))
        }
        found => Ok(found),
    }
}

/// How much of the statistics is wanted.
fn stats(text: &str) -> Result<Stats, String> {
    match text {
        "" => Ok(Stats::Wiki),
        "full" => Ok(Stats::Full),
        other => Err(format!("{} is unknown; expected --stats or --stats=full", quoted(other))),
    }
}

/// Takes the name of a file that may have to be made.
fn checkpoint(options: &mut Options, path: &str) -> Result<(), String> {
    options.checkpoint = Some(path.into());
    if path.is_empty() { Err("expected the name of a file".into()) } else { Ok(()) }
}

/// The words that choose these modes, as in "--unique or --split".
fn either(modes: &[Mode]) -> String {
    let rows = MODES.iter().filter(|row| modes.contains(&row.0));
    Vec::from_iter(rows.map(|row| row.2.name())).join(" or ")
}

/// What `tabiya perft --help` prints; options that do not go with a plain count say what they go with.
pub(super) fn help() -> String {
    let forms =
        MODES.each_ref().map(|row @ &(.., Flag(_, _, help), _)| (form(row), help.to_string()));
    let row = |(modes, Flag(form, _, help)): &(&[Mode], Flag<Options>)| match modes.contains(&Count)
    {
        true => (form.to_string(), help.to_string()),
        false => (form.to_string(), format!("with {}: {help}", either(modes))),
    };
    args::help(&forms, &Vec::from_iter(ROWS.iter().map(row)))
}

/// All options with the modes that they go with.
fn rows() -> impl Iterator<Item = (&'static [Mode], &'static Flag<Options>)> + Clone {
    // The first mode has no word of its own.
    let choosers = MODES.iter().skip(1).map(|row| (slice::from_ref(&row.0), &row.2));
    choosers.chain(ROWS.iter().map(|(modes, flag)| (*modes, flag)))
}

impl Options {
    /// Reads the arguments behind `perft`; what would do nothing is refused.
    pub fn read(arguments: &[String]) -> Outcome<Options> {
        let fen = "startpos".to_string();
        let mut options = Options { fen, max_nodes: u128::MAX, ..Options::default() };
        let (given, words) = args::read("perft", rows().map(|row| row.1), arguments, &mut options)?;
        let mut names = given.iter().copied().chain(words.first().map(String::as_str));
        let chosen = names.find_map(|name| MODES.iter().find(|row| row.2.name() == name));
        let row @ &(mode, before, ref chooser, behind) = chosen.unwrap_or(&MODES[0]);
        options.mode = mode;
        let fault = |reason: String| Err(Failure::Usage(reason));
        let mut refused = rows().filter(|(modes, _)| !modes.contains(&mode));
        if let Some((modes, flag)) = refused.find(|(_, flag)| given.contains(&flag.name())) {
            return fault(match mode {
                Count => format!("{} needs {}", flag.name(), either(modes)),
                _ => format!("{} does not go with {}", flag.name(), chooser.name()),
            });
        }
        if options.game == Some(Game::Xiangqi) && options.chess960 {
            // There is no castling.
            return fault("--chess960 does not go with --game xiangqi".into());
        }
        // Elsewhere positions are told apart, or results by their seeds.
        let has_table = options.hash > 0 || options.checkpoint.is_some();
        if options.seed.is_some() && !has_table && !matches!(mode, Unique | Split | Units) {
            return fault("--seed needs --hash".into());
        }
        let missing = |what: &str| format!("{what} is missing: {}", form(row));
        let (last, extra) = match (before, behind) {
            // `bench` is a word itself.
            ("", "") => (chooser.0, words.get(usize::from(mode == Bench))),
            ("", files) if words.is_empty() => return fault(missing(files.trim_start())),
            ("", _) => {
                let depth = |w: &&String| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit());
                if let (Suite, Some(word)) = (mode, words.iter().find(depth)) {
                    let reason = "--suite takes no DEPTH, its files say how deep to count";
                    return fault(format!("{reason}; a file of that name is ./{word}"));
                }
                options.files = words;
                return Ok(options);
            }
            _ => {
                let depth = words.first().ok_or_else(|| missing("DEPTH"))?;
                // There is nothing to compare at depth 0.
                let least = u128::from(mode == Compare);
                number(&mut options.depth, depth, least..=u128::from(MAX_DEPTH))
                    .map_err(|reason| format!("DEPTH: {reason}"))?;
                ("DEPTH", words.get(1))
            }
        };
        match extra {
            Some(word) => fault(format!("{} follows {last}, expected an option", quoted(word))),
            None => Ok(options),
        }
    }

    /// The settings of the counter.
    pub fn settings<P: Offered>(&self) -> Outcome<Settings> {
        let available = P::kernels();
        let kernel = self.kernel.unwrap_or(available[0]);
        if !available.contains(&kernel) {
            let name = kernel.name();
            return Err(format!("--kernel: this CPU or game has no {name} kernel").into());
        }
        let (threads, seed) = (args::threads(self.threads), self.seed.unwrap_or_default());
        Ok(Settings { threads, hash_megabytes: self.hash, seed, kernel })
    }

    /// How FENs are to be read.
    pub fn reader(&self) -> FenReader {
        if self.strict { FenReader::strict() } else { FenReader::lenient() }
    }
}
