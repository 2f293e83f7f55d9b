//! What `tabiya perft` can be asked for: its modes, its options and what goes with what, in one table.
//!
//! [`Options::read`] reads the arguments once; `cli::perft` and the files beside it work with the result. Help and
//! refusals are made from the table. Prints nothing.

use super::args::{self, Flag, flag, number, on, text};
use super::failure::Failure;
use super::games::{Game, Offered};
use crate::game::Kernel;
use crate::game::notation::quoted;
use crate::perft::MAX_DEPTH;
use crate::perft::count::Settings;
use crate::perft::distinct::MIN_MEGABYTES;

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

/// Every mode with its name, which is that of the option that chooses it if there is one, its form and its help.
#[rustfmt::skip]
const MODES: [(Mode, &str, &str, &str); 9] = [
    (Count, "perft DEPTH", "DEPTH [options]", "count the move sequences of DEPTH plies"),
    (Against, "--against", "DEPTH --against CMD", "find the position where another UCI engine counts differently"),
    (Compare, "--compare", "DEPTH --compare FILE", "compare with the divide that another program printed; - is stdin"),
    (Suite, "--suite", "--suite FILE...", "run EPD suites of lines `FEN ;D1 20 ;D2 400`"),
    (Unique, "--unique", "DEPTH --unique", "distinct positions after 0, 1, ... DEPTH plies"),
    (Split, "--split", "DEPTH --split PLIES", "the run as work units for many machines, to stdout"),
    (Units, "--units", "--units FILE", "count work units (- for stdin), a result line each to stdout"),
    (Merge, "--merge", "--merge FILE RESULTS...", "check the results of all units and add them up"),
    (Bench, "perft bench", "bench [--game NAME]", "speed of every leaf counter on the standard positions"),
];

impl Mode {
    /// What messages call it.
    fn name(self) -> &'static str {
        MODES.iter().find(|mode| mode.0 == self).map_or("", |mode| mode.1)
    }
}

/// How much `--stats` prints.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stats {
    /// The columns of the chess programming wiki.
    Wiki,
    /// All.
    Full,
}

/// What the arguments ask for.
#[derive(Default)]
pub(super) struct Options {
    pub mode: Mode,
    /// 0 in modes without a depth.
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
    /// The FEN or name behind `--fen`, and moves behind that.
    pub fen: Option<String>,
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
    pub seed: u64,
    /// `None` for the fastest.
    pub kernel: Option<Kernel>,
    pub checkpoint: Option<String>,
    pub max_nodes: Option<u128>,
    pub memory: Option<usize>,
    pub range: Option<String>,
}

/// An option and the modes that it goes with.
type Row = (&'static [Mode], Flag<Options>);

/// Modes that begin with a position, those that count, and those that use threads and keys.
const ROOTED: &[Mode] = &[Count, Against, Compare, Unique, Split];
const COUNTING: &[Mode] = &[Count, Against, Compare, Suite, Units];
const WORKING: &[Mode] = &[Count, Against, Compare, Suite, Unique, Split, Units];

/// More threads or megabytes than any machine has.
const MAX_THREADS: u128 = 1024;
const MAX_MEGABYTES: u128 = 1 << 24;

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // What these do is said by the modes.
    (&[Against], flag("--against CMD", |o, v| text(&mut o.command, v), "")),
    (&[Compare], flag("--compare FILE", |o, v| text(&mut o.file, v), "")),
    (&[Suite], flag("--suite", |_, _| Ok(()), "")),
    (&[Unique], flag("--unique", |_, _| Ok(()), "")),
    (&[Split], flag("--split PLIES", |o, v| number(&mut o.plies, v, 0..=u128::from(MAX_DEPTH)), "")),
    (&[Units], flag("--units FILE", |o, v| text(&mut o.file, v), "")),
    (&[Merge], flag("--merge FILE", |o, v| text(&mut o.file, v), "")),
    (ROOTED, flag("--fen FEN|NAME", |o, v| some(&mut o.fen, v.into()),
        "the position, or the name of a standard one (default startpos); `moves e2e4 ...` may follow")),
    (ROOTED, flag("--moves MOVES", |o, v| text(&mut o.moves, v),
        "moves to make first, as in \"e2e4 e7e5\"")),
    (&[Count, Against, Compare, Suite, Unique, Split, Units, Merge, Bench],
        flag("--game NAME", |o, v| some(&mut o.game, Game::read(v)?),
        "chess (default) or xiangqi (moves with ranks 0 to 9, whatever the other engine's are); \
         units know their game")),
    (&[Count, Against, Split, Merge], flag("--divide", |o, _| on(&mut o.divide),
        "a count for every move, in the form of Stockfish's `go perft`")),
    (&[Count, Suite, Units, Merge], flag("--stats[=full]", |o, v| stats(&mut o.stats, v),
        "captures, en passant, castles, promotions, checks and mates of the last ply, with the chess \
         programming wiki's columns; full: all fifteen, each sort of check and mate apart (a check that \
         mates counts among the mates only); with --suite: compare `;C` columns")),
    (&[Count, Against, Compare, Split], flag("--chess960", |o, _| on(&mut o.chess960),
        "write castling as king takes rook")),
    (&[Count, Suite, Unique, Merge], flag("--json", |o, _| on(&mut o.json),
        "one JSON object on a line instead of text")),
    (WORKING, flag("--threads N", |o, v| number(&mut o.threads, v, 0..=MAX_THREADS),
        "threads; 0 = all cores (default)")),
    (COUNTING, flag("--hash MB", |o, v| number(&mut o.hash, v, 0..=MAX_MEGABYTES),
        "hash table of this size, at least 5; 0 = none (default)")),
    (WORKING, flag("--seed N", |o, v| number(&mut o.seed, v, 0..=u128::from(u64::MAX)),
        "other keys for the hash table, to verify a total a second time")),
    (&[Count, Against, Compare, Suite, Unique, Units], flag("--kernel NAME", |o, v| kernel(&mut o.kernel, v),
        "leaf counter: auto (default: the fastest), avx512, avx2, portable, scalar")),
    (&[Count], flag("--checkpoint FILE", |o, v| file(&mut o.checkpoint, v),
        "keep finished parts in FILE, every half second; killed at any moment, the same command goes on from there")),
    (&[Suite], flag("--max-nodes N", |o, v| number(o.max_nodes.insert(0), v, 0..=u128::MAX),
        "leave out counts above N")),
    (&[Unique, Split], flag("--memory MB",
        |o, v| number(o.memory.insert(0), v, MIN_MEGABYTES as u128..=MAX_MEGABYTES),
        "memory to stay within (default: half of what is free)")),
    (&[Units], flag("--range A..B", |o, v| some(&mut o.range, v.into()),
        "units A to B-1 only; several ranges are separated by commas")),
    (&[Merge], flag("--verified", |o, _| on(&mut o.verified),
        "demand two results with different seeds for every unit")),
    (&[Count, Against, Compare, Suite, Unique, Split], flag("--strict", |o, _| on(&mut o.strict),
        "refuse FENs whose meaning is plain but which no game could bring about, as with castling rights \
         without a rook; without it they are read as Stockfish reads them, with a warning")),
];

/// Sets what is `None` where an option is not given.
fn some<T>(place: &mut Option<T>, value: T) -> Result<(), String> {
    *place = Some(value);
    Ok(())
}

/// Reads the name of a leaf counter.
fn kernel(place: &mut Option<Kernel>, text: &str) -> Result<(), String> {
    *place = Kernel::ALL.into_iter().find(|kernel| kernel.name() == text);
    if place.is_none() && text != "auto" {
        let names = Kernel::ALL.map(Kernel::name).join(", ");
        return Err(format!("{} is none of auto, {names}", quoted(text)));
    }
    Ok(())
}

/// How much of the statistics is wanted.
fn stats(place: &mut Option<Stats>, text: &str) -> Result<(), String> {
    match text {
        "" => some(place, Stats::Wiki),
        "full" => some(place, Stats::Full),
        other => Err(format!("{} is unknown; expected --stats or --stats=full", quoted(other))),
    }
}

/// Takes the name of a file.
fn file(place: &mut Option<String>, text: &str) -> Result<(), String> {
    if text.is_empty() {
        Err("expected the name of a file".into())
    } else {
        some(place, text.into())
    }
}

/// Modes by name, as in "--unique or --split".
fn either(modes: &[Mode]) -> String {
    let names: Vec<&str> = modes.iter().map(|mode| mode.name()).collect();
    names.join(" or ")
}

/// What `tabiya perft --help` prints; options that do not go with a plain count say what they go with.
pub(super) fn help() -> String {
    let forms = MODES.map(|(_, _, form, help)| (format!("tabiya perft {form}"), help.to_string()));
    let row = |(modes, flag): &Row| match modes.contains(&Count) {
        true => (flag.form.to_string(), flag.help.to_string()),
        false => (flag.form.to_string(), format!("with {}: {}", either(modes), flag.help)),
    };
    let rows: Vec<_> = ROWS.iter().filter(|(_, flag)| !flag.help.is_empty()).map(row).collect();
    args::help(&forms, &rows)
}

impl Options {
    /// Reads the arguments behind `perft`; what would do nothing is refused.
    pub fn read(arguments: &[String]) -> Result<Options, Failure> {
        let mut options = Options::default();
        let flags = ROWS.iter().map(|(_, flag)| flag);
        let (given, words) = args::read("perft", flags, arguments, &mut options)?;
        let chosen = |name: &&str| MODES.iter().find(|mode| mode.1 == *name);
        options.mode = match given.iter().find_map(chosen) {
            Some(&(mode, ..)) => mode,
            None if words.first().is_some_and(|word| word == "bench") => Bench,
            None => Count,
        };
        let mode = options.mode;
        let given = |name| given.contains(&name);
        let fault = |reason: String| Err(Failure::Usage(reason));
        let refused = |(modes, flag): &&Row| given(flag.name()) && !modes.contains(&mode);
        if let Some((modes, flag)) = ROWS.iter().find(refused) {
            return fault(match mode {
                Count => format!("{} needs {}", flag.name(), either(modes)),
                _ => format!("{} does not go with {}", flag.name(), mode.name()),
            });
        }
        if options.game == Some(Game::Xiangqi) && options.chess960 {
            // There is no castling.
            return fault("--chess960 does not go with --game xiangqi".into());
        }
        // Elsewhere positions are told apart, or results by their seeds.
        let has_table = options.hash > 0 || options.checkpoint.is_some();
        if given("--seed") && !has_table && !matches!(mode, Unique | Split | Units) {
            return fault("--seed needs --hash".into());
        }
        match mode {
            Suite | Merge => {
                let depth = |w: &&String| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit());
                if let (Suite, Some(word)) = (mode, words.iter().find(depth)) {
                    let reason = "--suite takes no DEPTH, its files say how deep to count";
                    return fault(format!("{reason}; a file of that name is ./{word}"));
                }
                options.files = words;
            }
            Units | Bench => {
                if let Some(word) = words.get(usize::from(mode == Bench)) {
                    let form = if mode == Units { "--units FILE" } else { mode.name() };
                    return fault(format!("{} follows {form}, expected an option", quoted(word)));
                }
            }
            Count | Against | Compare | Unique | Split => {
                let [depth, rest @ ..] = words.as_slice() else {
                    return fault("DEPTH is missing: tabiya perft DEPTH".into());
                };
                // There is nothing to compare at depth 0.
                let least = u128::from(mode == Compare);
                number(&mut options.depth, depth, least..=u128::from(MAX_DEPTH))
                    .map_err(|reason| format!("DEPTH: {reason}"))?;
                if let [word, ..] = rest {
                    return fault(format!("{} follows DEPTH, expected an option", quoted(word)));
                }
            }
        }
        Ok(options)
    }

    /// The settings of the counter.
    pub fn settings<P: Offered>(&self) -> Result<Settings, Failure> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if self.threads == 0 { cores } else { self.threads };
        let available = P::kernels();
        let kernel = self.kernel.unwrap_or(available[0]);
        if !available.contains(&kernel) {
            let name = kernel.name();
            return Err(format!("--kernel: this CPU or game has no {name} kernel").into());
        }
        Ok(Settings { threads, hash_megabytes: self.hash, seed: self.seed, kernel })
    }
}
