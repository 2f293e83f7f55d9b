//! The games of the program: what protocols and command line need of a game besides what counting and searching need
//! ([`ProgramGame`]), and `bench`, a deterministic search benchmark.
//!
//! To add a game, add it to [`Variant`] and `by_game`, implement [`ProgramGame`], and add it to `AnyGame` in `play`.
//!
//! `bench` searches fixed positions to a fixed depth with one thread and empty tables, which gives the same count on
//! every machine and in every run. The count of chess is the signature of a build. Only the last line of its output,
//! `N nodes N nps`, is meant for programs.

use crate::engine::{Engine, Limits, MAX_THREADS, Progress};
use crate::game::book::Format;
use crate::game::text::fault::quoted;
use crate::game::text::fen::{Tolerance, looks_like_xiangqi};
use crate::game::{NotationError, Position, Searchable};
pub use crate::xiangqi::{Repetition, Ruleset};
use crate::{chess, xiangqi};
use std::time::{Duration, Instant};

/// A game, as a value of `--game` and of `UCI_Variant`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Variant {
    /// Chess and Chess960.
    #[default]
    Chess,
    /// Xiangqi.
    Xiangqi,
}

/// Evaluates an expression with `$board` as the board of a [`Variant`].
macro_rules! by_game {
    ($game:expr, $board:ident => $value:expr) => {
        match $game {
            $crate::protocol::games::Variant::Chess => {
                type $board = $crate::chess::Board;
                $value
            }
            $crate::protocol::games::Variant::Xiangqi => {
                type $board = $crate::xiangqi::Board;
                $value
            }
        }
    };
}
pub(crate) use by_game;

/// Other values of `UCI_Variant` for chess, the last two for Chess960. They are not announced.
pub const CHESS_NAMES: [&str; 4] = ["standard", "normal", "chess960", "fischerandom"];

impl Variant {
    /// All games; the first is the default.
    pub const ALL: [Variant; 2] = [Variant::Chess, Variant::Xiangqi];

    /// The name.
    pub fn name(self) -> &'static str {
        by_game!(self, B => B::NAME)
    }

    /// The game called `name`.
    ///
    /// # Errors
    /// One line, if there is none.
    pub fn read(name: &str) -> Result<Variant, String> {
        Variant::ALL.into_iter().find(|game| game.name() == name).ok_or_else(|| {
            let all = Variant::ALL.map(Variant::name).join(" or ");
            format!("unknown game {}; expected {all}", quoted(name))
        })
    }

    /// Detects the game of a FEN.
    ///
    /// # Errors
    /// If the FEN is not a valid position of that game.
    pub fn of_fen(fen: &str) -> Result<Variant, NotationError> {
        let game = if looks_like_xiangqi(fen) { Variant::Xiangqi } else { Variant::Chess };
        by_game!(game, B => Position::<B>::read_fen(fen, &mut Tolerance::lenient()).map(|_| game))
    }
}

/// A game that the program offers.
pub trait ProgramGame: Format + Searchable {
    /// The game.
    const GAME: Variant;
    /// Its name.
    const NAME: &'static str;
    /// The numbers that programs may give to the rank nearest to the first side; the game's own comes first.
    const FIRST_RANKS: &'static [usize];
    /// The EPD text of the standard suite, whose position names `--fen` accepts.
    const STANDARD: &'static [&'static str];
    /// The positions of `bench`, a FEN in each line.
    const BENCH: &'static str;
    /// Depth to which `bench` searches each of them.
    const BENCH_DEPTH: u32;

    /// The position with moves written as in Chess960 or not, and with ranks counted from `first_rank`, one of
    /// [`FIRST_RANKS`](Self::FIRST_RANKS).
    fn adapt(position: Position<Self>, chess960: bool, first_rank: usize) -> Position<Self>;
    /// The position under these rules of xiangqi.
    fn with_rules(position: Position<Self>, _rules: Ruleset) -> Position<Self> {
        position
    }
    /// Whether castling is written as in Chess960.
    fn is_chess960(_position: &Position<Self>) -> bool {
        false
    }
    /// The number of the rank nearest to the first side in this position's notation.
    fn first_rank(_position: &Position<Self>) -> usize {
        Self::FIRST_RANKS[0]
    }
    /// The squares of the checking pieces, each after a blank.
    fn checker_names(position: &Position<Self>) -> String;
}

impl ProgramGame for chess::Board {
    const GAME: Variant = Variant::Chess;
    const NAME: &'static str = "chess";
    const FIRST_RANKS: &'static [usize] = &[1];
    const STANDARD: &'static [&'static str] = &[include_str!("../../perft-suites/chess/standard.epd")];
    const BENCH: &'static str = include_str!("bench_chess.fen");
    const BENCH_DEPTH: u32 = 12;

    fn adapt(position: chess::Position, chess960: bool, _first_rank: usize) -> chess::Position {
        position.with_chess960(chess960)
    }

    fn is_chess960(position: &chess::Position) -> bool {
        position.is_chess960()
    }

    fn checker_names(position: &chess::Position) -> String {
        position.checkers().into_iter().map(|square| format!(" {square}")).collect()
    }
}

impl ProgramGame for xiangqi::Board {
    const GAME: Variant = Variant::Xiangqi;
    const NAME: &'static str = "xiangqi";
    /// UCCI uses the first only.
    const FIRST_RANKS: &'static [usize] = &[0, 1];
    const STANDARD: &'static [&'static str] = &[include_str!("../../perft-suites/xiangqi/standard.epd")];
    const BENCH: &'static str = include_str!("bench_xiangqi.fen");
    const BENCH_DEPTH: u32 = 11;

    fn adapt(position: xiangqi::Position, _chess960: bool, first_rank: usize) -> xiangqi::Position {
        position.with_first_rank(first_rank as u8)
    }

    fn with_rules(position: xiangqi::Position, rules: Ruleset) -> xiangqi::Position {
        position.with_ruleset(rules)
    }

    fn first_rank(position: &xiangqi::Position) -> usize {
        usize::from(position.first_rank())
    }

    fn checker_names(position: &xiangqi::Position) -> String {
        let name = |square| format!(" {}", position.square_name(square));
        position.checkers().into_iter().map(name).collect()
    }
}

// --- bench ------------------------------------------------------------------------------------------

/// Hash table size in mebibytes.
pub const BENCH_HASH: u64 = 16;

/// The positions, as FENs: openings, middlegames, endgames, checks and mates, of chess promotions and Chess960 too.
pub fn bench_positions<B: ProgramGame>() -> Vec<&'static str> {
    B::BENCH.lines().collect()
}

/// What a `bench` command asks for, in numbers from 1; `None` for what is usual.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bench {
    /// Size of the hash table in megabytes.
    pub hash: Option<u64>,
    /// Search threads.
    pub threads: Option<u64>,
    /// The limit of each search.
    pub limit: Option<u64>,
    /// What the limit counts, if not plies.
    pub kind: BenchLimit,
}

/// What the limit of a benchmark counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BenchLimit {
    /// Plies.
    #[default]
    Depth,
    /// Nodes.
    Nodes,
    /// Milliseconds.
    Time,
    /// Milliseconds of all searches together.
    TotalTime,
}

impl Bench {
    /// Searches the positions of a game, to its usual depth unless another limit is requested, and passes each line of
    /// output to `say`: the nodes of each position, then the sums, the last ones in the words of Stockfish and in those
    /// that OpenBench reads. Returns the sums.
    ///
    /// # Errors
    /// If the system has not the memory or the threads that the benchmark asks for.
    pub fn run<B: ProgramGame>(&self, mut say: impl FnMut(&str)) -> Result<Progress, String> {
        let fens = bench_positions::<B>();
        let limits = match (self.kind, self.limit) {
            (_, None) => Limits::depth(B::BENCH_DEPTH),
            // Deeper than any search gets, so no real limit.
            (BenchLimit::Depth, Some(depth)) => Limits::depth(depth.min(100) as u32),
            (BenchLimit::Nodes, Some(nodes)) => Limits::nodes(nodes),
            (BenchLimit::Time, Some(time)) => Limits::movetime(Duration::from_millis(time)),
            (BenchLimit::TotalTime, Some(time)) => Limits::movetime(Duration::from_millis(time) / fens.len() as u32),
        };
        let mut engine = Engine::<B>::new();
        let (hash, threads) = (self.hash.unwrap_or(BENCH_HASH), self.threads.unwrap_or(1));
        if threads > MAX_THREADS as u64 {
            return Err(format!("expected at most {MAX_THREADS} threads"));
        }
        engine.set_hash(hash as usize).map_err(|error| error.to_string())?;
        engine.set_threads(threads as usize).map_err(|error| error.to_string())?;
        let mut sum = Progress::default();
        for fen in fens {
            engine.set_position(Position::from_fen(fen).map_err(|error| error.to_string())?, &[]);
            engine.clear();
            let begin = Instant::now();
            let nodes = engine.answer(limits)?.nodes;
            sum = Progress { nodes: sum.nodes + nodes, time: sum.time + begin.elapsed(), ..sum };
            say(&format!("{nodes:>10}  {fen}"));
        }
        let Progress { nodes, time, .. } = sum;
        let nps = sum.nps();
        say(&format!("\nTotal time (ms) : {}", time.as_millis()));
        say(&format!("Nodes searched  : {nodes}\nNodes/second    : {nps}\n"));
        say(&format!("{nodes} nodes {nps} nps"));
        Ok(sum)
    }
}
