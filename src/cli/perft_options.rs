//! The command line of `tabiya perft`: its modes, each with a table of the options that it takes.
//!
//! [`PerftOptions::read`] parses the arguments for `cli::perft` and the files of the other modes. Help texts and
//! refusals come from the tables. Prints nothing.

use super::args::{self, Flag, number, on, text};
use super::prelude::*;
use crate::base::cpu::threads;
use crate::base::pages::available_megabytes;
use crate::game::Kernel;
use crate::game::text::fen::Tolerance;
use crate::perft::MAX_DEPTH;
use crate::perft::count::Counter;
use crate::perft::frontier::MIN_MEGABYTES;
use crate::perft::run::{MOST_PARTS, Part};

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
    /// A FEN or the name of a position; `None`: the initial position, or the one that the tags in `moves` give.
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
    /// In seconds.
    pub time: Option<u64>,
    /// How long the other engine may take to answer `uci` or `isready`, in seconds.
    pub wait: Option<u64>,
    pub memory: Option<usize>,
}

/// Where `--expect` counts the right total with memory: such a depth takes minutes otherwise.
const DEEP: u32 = 7;

/// More threads or megabytes than any machine has.
const MAX_THREADS: u128 = 1024;
const MAX_MEGABYTES: u128 = 1 << 24;

/// The memory of a run with a checkpoint, in megabytes, if none is given.
const DEFAULT_MEGABYTES: usize = 1024;

type Options = Flag<PerftOptions>;

const FEN: Options = Flag(
    "--fen FEN|NAME",
    |o, v| text(o.fen.insert(String::new()), v),
    "root position: a FEN or the name of a standard position (default startpos)",
);
const MOVES: Options = Flag(
    "--moves MOVES",
    |o, v| text(&mut o.moves, v),
    "moves to make before counting, such as \"e2e4 e7e5\" or \"1. e4 e5 2. Nf3\", or a PGN with its tags",
);
const GAME: Options = Flag(
    "--game NAME",
    |o, v| Variant::read(v).map(|game| o.game = Some(game)),
    "chess (default) or xiangqi; xiangqi moves always have ranks 0 to 9, whatever the other engine uses; \
     --merge takes the game from FILE",
);
const DIVIDE: Options = Flag(
    "--divide",
    |o, _| on(&mut o.divide),
    "print the count of each root move, in the form of Stockfish's `go perft`",
);
const STATS: Options = Flag(
    "--stats[=full]",
    |o, v| stats(v).map(|stats| o.stats = Some(stats)),
    "count captures, en passant, castles, promotions, checks and mates of the last ply, in the columns of the \
     Chess Programming Wiki; =full: all fifteen columns, with checks and mates split by kind (a checkmate counts \
     as a mate only); with --suite: check the `;C` columns",
);
const CHESS960: Options = Flag("--chess960", |o, _| on(&mut o.chess960), "write castling moves as king takes rook");
const JSON: Options = Flag("--json", |o, _| on(&mut o.json), "print one JSON object per line instead of text");
const THREADS: Options = Flag(
    "--threads N",
    |o, v| number(&mut o.threads, v, 0..=MAX_THREADS),
    "number of threads; 0 = all cores (default)",
);
const HASH: Options = Flag(
    "--hash MB",
    |o, v| number(&mut o.hash, v, 0..=MAX_MEGABYTES),
    "merge positions that several sequences reach, in about MB megabytes (at least 16), and a little more \
     for each thread; 0 = visit every node (default)",
);
const SEED: Options = Flag(
    "--seed N",
    |o, v| number(o.seed.insert(0), v, 0..=u128::from(u64::MAX)),
    "visit the positions in a different order, to verify a total against hardware errors",
);
const KERNEL: Options = Flag(
    "--kernel NAME",
    |o, v| kernel(v).map(|kernel| o.kernel = kernel),
    "kernel that counts the last plies: auto (default, the fastest), avx512, avx512bw, avx2, portable or scalar",
);
const CHECKPOINT: Options = Flag(
    "--checkpoint FILE",
    |o, v| checkpoint(v).map(|file| o.checkpoint = Some(file)),
    "save finished units to FILE at least every 15 seconds; the same command resumes after an interruption; \
     without --hash, counts as with --hash 1024",
);
const PART: Options = Flag(
    "--part I/N",
    |o, v| part(v).map(|part| o.part = Some(part)),
    "count only the I-th of N parts of about equal size, to share a run among machines; needs --checkpoint; \
     --merge adds up the files",
);
const TIME: Options = Flag(
    "--time SECONDS",
    |o, v| number(o.time.insert(0), v, 1..=1_000_000),
    "stop looking for the fault after this time (default 60)",
);
const WAIT: Options = Flag(
    "--wait SECONDS",
    |o, v| number(o.wait.insert(0), v, 1..=1_000_000),
    "give up an engine that does not answer uci or isready within this time (default 10)",
);
const MAX_NODES: Options =
    Flag("--max-nodes N", |o, v| number(&mut o.max_nodes, v, 0..=u128::MAX), "skip counts above N");
const MEMORY: Options = Flag(
    "--memory MB",
    |o, v| number(o.memory.insert(0), v, MIN_MEGABYTES as u128..=MAX_MEGABYTES),
    "memory limit in MB (default: half of the free memory, or 1024 where the system does not report it)",
);
const STRICT: Options = Flag(
    "--strict",
    |o, _| on(&mut o.strict),
    "reject FENs whose meaning is clear but which no game can reach, such as castling rights without a rook; \
     by default they are read as Stockfish reads them, with a warning",
);

/// A mode: its command line, the option that selects it, what it does, and the options that it takes.
struct ModeRow {
    mode: Mode,
    /// After `tabiya perft`.
    line: &'static str,
    selector: &'static str,
    about: &'static str,
    options: &'static [Options],
}

#[rustfmt::skip]
const MODES: [ModeRow; 8] = [
    ModeRow {
        mode: Count, line: "DEPTH [options]", selector: "",
        about: "count the legal move sequences of DEPTH plies",
        options: &[FEN, MOVES, GAME, DIVIDE, STATS, CHESS960, JSON, THREADS, HASH, SEED, KERNEL, CHECKPOINT, PART, STRICT],
    },
    ModeRow {
        mode: Against, line: "DEPTH --against CMD", selector: "--against",
        about: "compare with another UCI engine and find the position where it goes wrong",
        options: &[
            Flag("--against CMD", |o, v| text(&mut o.command, v), ""),
            FEN, MOVES, GAME, DIVIDE, CHESS960, THREADS, HASH, SEED, KERNEL, WAIT, STRICT,
        ],
    },
    ModeRow {
        mode: Compare, line: "DEPTH --compare FILE", selector: "--compare",
        about: "compare with a divide that another program printed; - reads stdin",
        options: &[
            Flag("--compare FILE", |o, v| text(&mut o.file, v), ""),
            FEN, MOVES, GAME, CHESS960, THREADS, HASH, SEED, KERNEL, STRICT,
        ],
    },
    ModeRow {
        mode: Expect, line: "DEPTH --expect TOTAL[,...]", selector: "--expect",
        about: "find the fault of a move generator that counted TOTAL; several totals are those of the last depths \
                up to DEPTH",
        options: &[
            Flag("--expect TOTAL[,...]", |o, v| text(&mut o.totals, v), ""),
            FEN, MOVES, GAME, CHESS960, THREADS, HASH, SEED, KERNEL, TIME, STRICT,
        ],
    },
    ModeRow {
        mode: Suite, line: "--suite FILE...", selector: "--suite",
        about: "check EPD suites of lines `FEN ;D1 20 ;D2 400`; - reads stdin",
        options: &[
            Flag("--suite", |_, _| Ok(()), ""),
            GAME, STATS, JSON, THREADS, HASH, SEED, KERNEL, MAX_NODES, STRICT,
        ],
    },
    ModeRow {
        mode: Unique, line: "DEPTH --unique", selector: "--unique",
        about: "count distinct positions at plies 0 to DEPTH",
        options: &[
            Flag("--unique", |_, _| Ok(()), ""),
            FEN, MOVES, GAME, JSON, THREADS, SEED, KERNEL, MEMORY, STRICT,
        ],
    },
    ModeRow {
        mode: Merge, line: "DEPTH --merge FILE...", selector: "--merge",
        about: "check that the checkpoints of all parts of a run are there, and print their sum",
        options: &[Flag("--merge", |_, _| Ok(()), ""), GAME, DIVIDE, STATS, JSON],
    },
    ModeRow {
        mode: Bench, line: "bench [--game NAME]", selector: "bench",
        about: "measure the speed of every kernel on the standard positions",
        options: &[GAME],
    },
];

impl ModeRow {
    fn takes(&self, name: &str) -> bool {
        self.options.iter().any(|flag| flag.name() == name)
    }
}

/// The modes that take an option, by what selects them, as in "--unique or --merge".
fn modes_with(name: &str) -> String {
    let rows = MODES.iter().filter(|row| row.takes(name));
    Vec::from_iter(rows.map(|row| row.selector)).join(" or ")
}

/// What `tabiya perft --help` prints. Options that a plain count does not take name the modes that do.
pub(crate) fn help() -> String {
    let forms = Vec::from_iter(MODES.iter().map(|row| (format!("tabiya perft {}", row.line), row.about.into())));
    let mut names = Vec::new();
    let mut options = Vec::new();
    for row in &MODES {
        for flag in row.options {
            let name = flag.name();
            if name == row.selector || names.contains(&name) {
                continue;
            }
            names.push(name);
            let (form, help) = flag.row();
            let help = if MODES[0].takes(name) { help } else { format!("with {}: {help}", modes_with(name)) };
            options.push((form, help));
        }
    }
    args::help(&forms, &options, "")
}

/// Parses the name of a kernel; `None` for `auto`.
fn kernel(text: &str) -> Result<Option<Kernel>, String> {
    let found = Kernel::ALL.into_iter().find(|kernel| kernel.name() == text);
    if found.is_none() && text != "auto" {
        let names = Kernel::ALL.map(Kernel::name).join(", ");
        return Err(format!("unknown kernel {}; expected auto, {names}", quoted(text)));
    }
    Ok(found)
}

/// Parses the value of `--part`.
fn part(text: &str) -> Result<Part, String> {
    let Some(part) = Part::read(text) else {
        let expected = format!("expected I/N with I from 1 to N, and N at most {MOST_PARTS}");
        return Err(format!("{} is not a part; {expected}", quoted(text)));
    };
    Ok(part)
}

/// Parses the value of `--stats`.
fn stats(text: &str) -> Result<Stats, String> {
    match text {
        "" => Ok(Stats::Wiki),
        "full" => Ok(Stats::Full),
        other => Err(format!("unknown value {}; expected --stats or --stats=full", quoted(other))),
    }
}

/// The name of the checkpoint file, which need not exist.
fn checkpoint(path: &str) -> Result<String, String> {
    if path.is_empty() { Err("expected a file name".into()) } else { Ok(path.into()) }
}

impl PerftOptions {
    /// Parses the arguments after `perft`. Options that would have no effect are errors.
    pub fn read(arguments: &[String]) -> CommandResult<PerftOptions> {
        let mut options = PerftOptions { max_nodes: u128::MAX, ..PerftOptions::default() };
        let all = MODES.iter().flat_map(|row| row.options);
        let (given, mut words) = args::read("perft", all, arguments, &mut options)?;
        let selects = |row: &&ModeRow, name: &str| row.selector == name;
        let mut names = given.iter().copied().chain(words.first().map(String::as_str));
        let row = names.find_map(|name| MODES.iter().find(|row| selects(row, name))).unwrap_or(&MODES[0]);
        options.mode = row.mode;
        if let Some(name) = given.iter().find(|name| !row.takes(name)) {
            return Err(match row.mode {
                Count => format!("{name} needs {}", modes_with(name)),
                _ => format!("{name} cannot be used with {}", row.selector),
            }
            .into());
        }
        options.check_pairs()?;
        let missing = |what: &str| Err(format!("{what} is missing: tabiya perft {}", row.line).into());
        if !matches!(row.mode, Suite | Bench) {
            let Some(depth) = words.first() else { return missing("DEPTH") };
            // At depth 0 there is nothing to compare.
            let least = u128::from(matches!(row.mode, Compare | Expect));
            number(&mut options.depth, depth, least..=u128::from(MAX_DEPTH))
                .map_err(|reason| format!("DEPTH: {reason}"))?;
        }
        if matches!(row.mode, Suite | Merge) {
            options.files = words.split_off(usize::from(row.mode == Merge));
            if options.files.is_empty() {
                return missing("FILE...");
            }
        } else if let Some(word) = words.get(1) {
            let (after, hint) = match row.mode {
                Bench => (row.line, ""),
                _ => ("DEPTH", "; a position is given by --fen, and values with blanks need quotes"),
            };
            return Err(format!("unexpected argument {} after {after}{hint}", quoted(word)).into());
        }
        Ok(options)
    }

    /// Refuses options that have no effect, or no meaning, beside or without others.
    fn check_pairs(&self) -> CommandResult {
        if self.game == Some(Variant::Xiangqi) && self.chess960 {
            return Err("--chess960 cannot be used with --game xiangqi".into());
        }
        if self.seed.is_some() && self.hash == 0 && self.checkpoint.is_none() && self.mode != Unique {
            let memory = if self.mode == Count { "--hash or --checkpoint" } else { "--hash" };
            return Err(format!("--seed needs {memory}").into());
        }
        if self.part.is_some() && self.checkpoint.is_none() {
            return Err("--part needs --checkpoint".into());
        }
        Ok(())
    }

    /// The counter with these settings.
    pub fn counter<B: ProgramGame>(&self) -> CommandResult<Counter> {
        if (1..MIN_MEGABYTES).contains(&self.hash) {
            warn(&format!("--hash: raised from {} to {MIN_MEGABYTES} MB, the minimum", self.hash));
        }
        let available = B::kernels();
        let kernel = self.kernel.unwrap_or(available[0]);
        if !available.contains(&kernel) {
            let names = Vec::from_iter(available.iter().map(|kernel| kernel.name())).join(", ");
            let reason = "is not available on this CPU or in this game";
            return Err(format!("--kernel: {} {reason}; expected auto, {names}", kernel.name()).into());
        }
        let mut hash_megabytes = self.hash;
        if self.hash == 0 {
            let plenty = available_megabytes().is_some_and(|free| free >= 2 * DEFAULT_MEGABYTES);
            if self.checkpoint.is_some() || self.mode == Expect && self.depth >= DEEP && plenty {
                hash_megabytes = DEFAULT_MEGABYTES;
            }
        }
        Ok(Counter { threads: threads(self.threads), hash_megabytes, seed: self.seed.unwrap_or_default(), kernel })
    }

    /// The faults of FENs that are overlooked: none with `--strict`.
    pub fn tolerance(&self) -> Tolerance {
        let tolerance = if self.strict { Tolerance::strict() } else { Tolerance::lenient() };
        tolerance.for_chess960(self.chess960)
    }
}
