//! The command line of `tabiya perft`: its modes, its options, and which options each mode accepts, in two tables.
//!
//! [`PerftOptions::read`] parses the arguments for `cli::perft` and the files of the other modes. Help texts and error
//! messages are derived from the tables. Prints nothing.

use super::args::{self, Flag, Help, number, on, text};
use super::prelude::*;
use crate::base::cpu::threads;
use crate::base::pages::available_megabytes;
use crate::game::Kernel;
use crate::game::text::fen::Tolerance;
use crate::perft::MAX_DEPTH;
use crate::perft::count::Counter;
use crate::perft::frontier::{MIN_MEGABYTES, MOST_PARTS, Part};
use std::slice;

/// What `tabiya perft` does.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// Total, divide and statistics.
    #[default]
    Count,
    Against,
    Compare,
    Expect,
    Suite,
    Unique,
    Merge,
    Bench,
}

use Mode::{Against, Bench, Compare, Count, Expect, Merge, Suite, Unique};

/// How much `--stats` prints.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stats {
    /// The columns of the Chess Programming Wiki.
    Wiki,
    /// All columns.
    Full,
}

/// The parsed arguments. A field that the mode does not use has its default.
#[derive(Default)]
pub(crate) struct PerftOptions {
    pub mode: Mode,
    pub depth: u32,
    /// The files of `--suite` or `--merge`.
    pub files: Vec<String>,
    /// The file of `--compare`.
    pub file: String,
    /// The command of `--against`.
    pub command: String,
    pub game: Option<Variant>,
    /// A FEN or the name of a position, optionally followed by `moves` and moves; `None`: the initial position, or the
    /// one that the tags in `moves` give.
    pub fen: Option<String>,
    pub moves: String,
    pub divide: bool,
    pub stats: Option<Stats>,
    pub chess960: bool,
    pub json: bool,
    pub strict: bool,
    /// 0 means all cores.
    pub threads: usize,
    /// In megabytes; 0 means that every node is visited.
    pub hash: usize,
    pub seed: Option<u64>,
    /// `None` means the fastest.
    pub kernel: Option<Kernel>,
    pub checkpoint: Option<String>,
    pub part: Option<Part>,
    pub max_nodes: u128,
    /// The totals of `--expect`; the last one is that of `depth`.
    pub totals: String,
    pub explain: bool,
    /// In seconds.
    pub time: Option<u64>,
    pub memory: Option<usize>,
}

/// A mode, the arguments before the word that selects it, that word as a flag, and the arguments after it.
type ModeRow = (Mode, &'static str, Flag<PerftOptions>, &'static str);

#[rustfmt::skip]
const MODES: [ModeRow; 8] = [
    (Count, "DEPTH ", Flag("[options]", |_, _| Ok(()), "count the legal move sequences of DEPTH plies"), ""),
    (Against, "DEPTH ", Flag("--against CMD", |o, v| text(&mut o.command, v),
        "compare with another UCI engine and find the position where it goes wrong"), ""),
    (Compare, "DEPTH ", Flag("--compare FILE", |o, v| text(&mut o.file, v),
        "compare with a divide that another program printed; - reads stdin"), ""),
    (Expect, "DEPTH ", Flag("--expect TOTAL[,...]", |o, v| text(&mut o.totals, v),
        "find the fault of a move generator that counted TOTAL; several totals are those of the last depths \
         up to DEPTH"), ""),
    (Suite, "", Flag("--suite", |_, _| Ok(()), "check EPD suites of lines `FEN ;D1 20 ;D2 400`; - reads stdin"), " FILE..."),
    (Unique, "DEPTH ", Flag("--unique", |_, _| Ok(()), "count distinct positions at plies 0 to DEPTH"), ""),
    (Merge, "DEPTH ", Flag("--merge", |_, _| Ok(()),
        "check that the checkpoints of all parts of a run are there, and print their sum"), " FILE..."),
    (Bench, "", Flag("bench [--game NAME]", |_, _| Ok(()),
        "measure the speed of every kernel on the standard positions"), ""),
];

/// The command line of a mode, for help and errors.
fn form((_, before, Flag(form, ..), behind): &ModeRow) -> String {
    format!("tabiya perft {before}{form}{behind}")
}

/// Modes that start from one position, modes that count, and modes that use threads.
const ROOTED: &[Mode] = &[Count, Against, Compare, Expect, Unique];
const COUNTING: &[Mode] = &[Count, Against, Compare, Expect, Suite];
const THREADED: &[Mode] = &[Count, Against, Compare, Expect, Suite, Unique];

/// Where `--expect` counts the right total with memory: such a depth takes minutes otherwise.
const DEEP: u32 = 7;

/// More threads or megabytes than any machine has.
const MAX_THREADS: u128 = 1024;
const MAX_MEGABYTES: u128 = 1 << 24;

/// The memory of a run with a checkpoint, in megabytes, if none is given.
const DEFAULT_MEGABYTES: usize = 1024;

/// All other options, each with the modes that accept it.
#[rustfmt::skip]
const ROWS: &[(&[Mode], Flag<PerftOptions>)] = &[
    (ROOTED, Flag("--fen FEN|NAME", |o, v| text(o.fen.insert(String::new()), v),
        "root position: a FEN or the name of a standard position (default startpos); \
         `moves e2e4 ...` may follow; a FEN may also follow DEPTH without --fen")),
    (ROOTED, Flag("--moves MOVES", |o, v| text(&mut o.moves, v),
        "moves to make before counting, such as \"e2e4 e7e5\" or \"1. e4 e5 2. Nf3\", or a PGN with its tags")),
    (&[Count, Against, Compare, Expect, Suite, Unique, Merge, Bench],
        Flag("--game NAME", |o, v| Variant::read(v).map(|game| o.game = Some(game)),
        "chess (default) or xiangqi; xiangqi moves always have ranks 0 to 9, whatever the other engine \
         uses; --merge takes the game from FILE")),
    (&[Count, Against, Merge], Flag("--divide", |o, _| on(&mut o.divide),
        "print the count of each root move, in the form of Stockfish's `go perft`")),
    (&[Count, Suite, Merge], Flag("--stats[=full]", |o, v| stats(v).map(|stats| o.stats = Some(stats)),
        "count captures, en passant, castles, promotions, checks and mates of the last ply, in the \
         columns of the Chess Programming Wiki; =full: all fifteen columns, with checks and mates split by \
         kind (a checkmate counts as a mate only); with --suite: check the `;C` columns")),
    (&[Count, Against, Compare, Expect], Flag("--chess960", |o, _| on(&mut o.chess960),
        "write castling moves as king takes rook")),
    (&[Count, Suite, Unique, Merge], Flag("--json", |o, _| on(&mut o.json),
        "print one JSON object per line instead of text")),
    (THREADED, Flag("--threads N", |o, v| number(&mut o.threads, v, 0..=MAX_THREADS),
        "number of threads; 0 = all cores (default)")),
    (COUNTING, Flag("--hash MB", |o, v| number(&mut o.hash, v, 0..=MAX_MEGABYTES),
        "merge positions that several sequences reach, in about so many MB of memory (at least 16) and a little \
         for each thread; 0 = visit every node (default)")),
    (THREADED, Flag("--seed N", |o, v| number(o.seed.insert(0), v, 0..=u128::from(u64::MAX)),
        "visit the positions in a different order, to verify a total against hardware errors")),
    (&[Count, Against, Compare, Expect, Suite, Unique],
        Flag("--kernel NAME", |o, v| kernel(v).map(|kernel| o.kernel = kernel),
        "kernel that counts the last plies: auto (default, the fastest), avx512, avx512bw, avx2, portable or scalar")),
    (&[Count], Flag("--checkpoint FILE", checkpoint,
        "save finished units to FILE, every 15 seconds at the latest; after an interruption the same command resumes; \
         counts like --hash 1024 if no --hash is given")),
    (&[Count], Flag("--part I/N", |o, v| part(v).map(|part| o.part = Some(part)),
        "count the I-th of N parts of about equal size only, for runs on several machines; needs --checkpoint, and --merge \
         adds up the files")),
    (&[Expect], Flag("--time SECONDS", |o, v| number(o.time.insert(0), v, 1..=1_000_000),
        "stop looking for the fault after this time, with what is known")),
    (&[Suite], Flag("--explain", |o, _| on(&mut o.explain),
        "find the fault of the move generator that counted the suite's totals, if some are wrong")),
    (&[Suite], Flag("--max-nodes N", |o, v| number(&mut o.max_nodes, v, 0..=u128::MAX),
        "skip counts above N")),
    (&[Unique], Flag("--memory MB",
        |o, v| number(o.memory.insert(0), v, MIN_MEGABYTES as u128..=MAX_MEGABYTES),
        "memory limit in MB (default: half of the free memory, or 1024 where the system does not report it)")),
    (&[Count, Against, Compare, Expect, Suite, Unique], Flag("--strict", |o, _| on(&mut o.strict),
        "reject FENs whose meaning is clear but which no game can reach, such as castling rights without \
         a rook; by default they are read as Stockfish reads them, with a warning")),
];

/// Parses the name of a kernel; `None` for `auto`.
fn kernel(text: &str) -> Result<Option<Kernel>, String> {
    match Kernel::ALL.into_iter().find(|kernel| kernel.name() == text) {
        None if text != "auto" => {
            let names = Kernel::ALL.map(Kernel::name).join(", ");
            Err(format!("unknown kernel {}; expected auto, {names}", quoted(text)))
        }
        found => Ok(found),
    }
}

/// Parses the value of `--part`.
fn part(text: &str) -> Result<Part, String> {
    let reason = || format!("{} is no part; expected I/N with I from 1 to N, and N at most {MOST_PARTS}", quoted(text));
    Part::read(text).ok_or_else(reason)
}

/// Parses the value of `--stats`.
fn stats(text: &str) -> Result<Stats, String> {
    match text {
        "" => Ok(Stats::Wiki),
        "full" => Ok(Stats::Full),
        other => Err(format!("unknown value {}; expected --stats or --stats=full", quoted(other))),
    }
}

/// Sets the name of the checkpoint file, which need not exist.
fn checkpoint(options: &mut PerftOptions, path: &str) -> Result<(), String> {
    options.checkpoint = Some(path.into());
    if path.is_empty() { Err("expected a file name".into()) } else { Ok(()) }
}

/// The words that select these modes, as in "--unique or --merge".
fn mode_words(modes: &[Mode]) -> String {
    let rows = MODES.iter().filter(|row| modes.contains(&row.0));
    Vec::from_iter(rows.map(|row| row.2.name())).join(" or ")
}

/// What `tabiya perft --help` says. Options that a plain count does not accept name the modes that do.
pub(crate) fn help() -> Help {
    let forms = MODES.each_ref().map(|row @ &(.., Flag(_, _, help), _)| (form(row), help.to_string()));
    let row = |(modes, Flag(form, _, help)): &(&[Mode], Flag<PerftOptions>)| match modes.contains(&Count) {
        true => (form.to_string(), help.to_string()),
        false => (form.to_string(), format!("with {}: {help}", mode_words(modes))),
    };
    let options = ROWS.iter().map(row).collect();
    let flags = rows().map(|(_, flag)| flag.0).collect();
    Help { forms: forms.to_vec(), options, flags, notes: "" }
}

/// The flags of both tables, each with the modes that accept it.
fn rows() -> impl Iterator<Item = (&'static [Mode], &'static Flag<PerftOptions>)> + Clone {
    // The first mode has no word that selects it.
    let selectors = MODES.iter().skip(1).map(|row| (slice::from_ref(&row.0), &row.2));
    selectors.chain(ROWS.iter().map(|(modes, flag)| (*modes, flag)))
}

impl PerftOptions {
    /// Parses the arguments after `perft`. Options that would have no effect are errors.
    pub fn read(arguments: &[String]) -> Outcome<PerftOptions> {
        let mut options = PerftOptions { max_nodes: u128::MAX, ..PerftOptions::default() };
        let (given, words) = args::read("perft", rows().map(|row| row.1), arguments, &mut options)?;
        let mut names = given.iter().copied().chain(words.first().map(String::as_str));
        let selected = names.find_map(|name| MODES.iter().find(|row| row.2.name() == name));
        let row @ &(mode, before, ref selector, behind) = selected.unwrap_or(&MODES[0]);
        options.mode = mode;
        let fault = |reason: String| Err(Failure::Usage(reason));
        let mut refused = rows().filter(|(modes, _)| !modes.contains(&mode));
        if let Some((modes, flag)) = refused.find(|(_, flag)| given.contains(&flag.name())) {
            return fault(match mode {
                Count => format!("{} needs {}", flag.name(), mode_words(modes)),
                _ => format!("{} cannot be used with {}", flag.name(), selector.name()),
            });
        }
        if options.game == Some(Variant::Xiangqi) && options.chess960 {
            // Xiangqi has no castling.
            return fault("--chess960 cannot be used with --game xiangqi".into());
        }
        let by_frontier = options.hash > 0 || options.checkpoint.is_some();
        if options.seed.is_some() && !by_frontier && mode != Unique {
            let memory = if mode == Count { "--hash or --checkpoint" } else { "--hash" };
            return fault(format!("--seed needs {memory}"));
        }
        if options.part.is_some() && options.checkpoint.is_none() {
            return fault("--part needs --checkpoint".into());
        }
        let missing = |what: &str| format!("{what} is missing: {}", form(row));
        let (last, extra) = match (before, behind) {
            // The word `bench` is a positional argument.
            ("", "") => (selector.0, words.get(usize::from(mode == Bench))),
            ("", files) if words.is_empty() => return fault(missing(files.trim_start())),
            ("", _) => {
                let depth = |w: &&String| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit());
                if let (Suite, Some(word)) = (mode, words.iter().find(depth)) {
                    let reason = "--suite takes no DEPTH: its files give the depths";
                    return fault(format!("{reason}; for a file of that name write ./{word}"));
                }
                options.files = words;
                return Ok(options);
            }
            _ => {
                let depth = words.first().ok_or_else(|| missing("DEPTH"))?;
                // At depth 0 there is nothing to compare.
                let least = u128::from(matches!(mode, Compare | Expect));
                let unquoted = options.unquoted().unwrap_or_default();
                number(&mut options.depth, depth, least..=u128::from(MAX_DEPTH))
                    .map_err(|reason| format!("DEPTH: {reason}{unquoted}"))?;
                if !behind.is_empty() {
                    options.files = words[1..].to_vec();
                    return if options.files.is_empty() { fault(missing(behind.trim_start())) } else { Ok(options) };
                }
                match words.get(1) {
                    // A FEN needs no option; without quotes it is several words.
                    Some(word) if word.contains('/') && !given.contains(&"--fen") => {
                        options.fen = Some(words[1..].join(" "));
                        return Ok(options);
                    }
                    extra => ("DEPTH", extra),
                }
            }
        };
        match extra {
            Some(word) => {
                let hint = options.unquoted().unwrap_or(match last {
                    "DEPTH" => "; a position is given by --fen",
                    _ => "",
                });
                fault(format!("unexpected argument {} after {last}{hint}", quoted(word)))
            }
            None => Ok(options),
        }
    }

    /// What to say of an argument too many: an option whose value may have blanks has one without, so it is perhaps the
    /// rest of that value.
    fn unquoted(&self) -> Option<&'static str> {
        let one_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
        if self.fen.as_deref().is_some_and(|fen| one_word(fen) && fen.contains('/')) {
            return Some("; a FEN needs quotes: --fen \"FEN\"");
        }
        if one_word(&self.moves) {
            return Some("; several moves need quotes: --moves \"MOVES\"");
        }
        one_word(&self.command).then_some("; a command with arguments needs quotes: --against \"CMD\"")
    }

    /// The counter with these settings.
    pub fn counter<B: ProgramGame>(&self) -> Outcome<Counter> {
        if (1..MIN_MEGABYTES).contains(&self.hash) {
            warn(&format!("--hash: raised from {} to {MIN_MEGABYTES} MB, the minimum", self.hash));
        }
        let available = B::kernels();
        let kernel = self.kernel.unwrap_or(available[0]);
        if !available.contains(&kernel) {
            let (name, names) =
                (kernel.name(), Vec::from_iter(available.iter().map(|kernel| kernel.name())).join(", "));
            let reason = "is not available on this CPU or in this game";
            return Err(format!("--kernel: {name} {reason}; expected auto, {names}").into());
        }
        let plenty = available_megabytes().is_some_and(|free| free >= 2 * DEFAULT_MEGABYTES);
        let hash_megabytes = match (self.hash, &self.checkpoint) {
            (0, None) => {
                if self.mode == Expect && self.depth >= DEEP && plenty {
                    DEFAULT_MEGABYTES
                } else {
                    0
                }
            }
            (0, Some(_)) => DEFAULT_MEGABYTES,
            (megabytes, _) => megabytes,
        };
        Ok(Counter { threads: threads(self.threads), hash_megabytes, seed: self.seed.unwrap_or_default(), kernel })
    }

    /// The faults of FENs that are overlooked: none with `--strict`.
    pub fn tolerance(&self) -> Tolerance {
        let tolerance = if self.strict { Tolerance::strict() } else { Tolerance::lenient() };
        tolerance.for_chess960(self.chess960)
    }
}
