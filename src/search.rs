//! A blocking search API: position and limits in, best move and score out.
//!
//! For programs that use the crate, in both games. Needs the feature `search`.
//!
//! ```
//! use tabiya::chess::Position;
//! use tabiya::search::{Engine, Limits, Score};
//!
//! let position: Position = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".parse()?;
//! let found = Engine::new().search(&position, Limits::depth(10));
//! assert_eq!(found.best.map(|m| m.to_string()).as_deref(), Some("a1a8"));
//! assert_eq!(found.score, Score::Mate(1));
//! # Ok::<(), tabiya::game::NotationError>(())
//! ```

// The search itself is in `engine`, which reports from threads of its own. Here are the methods of `Engine` that wait
// for it and return what it found.

// Types are named by their modules. If they were imported, rustc would answer `tabiya::search::Position` with the path
// of a hidden module.
use crate::engine::{self, score};
use crate::game;
use std::fmt;
use std::sync::mpsc;
use std::time::Duration;

pub use crate::base::pages::HashError;
pub use crate::engine::{Clock, Engine, Limits, StopHandle, ThreadsError};

/// The static evaluation of a position, without a search, for the side to move; `None` in check, where it has no
/// meaning. It is that of the network, on the scale of the scores of a search. Captures on the board are not resolved.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::search::{Score, evaluate};
///
/// let up_a_queen: Position = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse()?;
/// assert!(matches!(evaluate(&up_a_queen), Some(Score::Centipawns(300..))));
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
pub fn evaluate<B: game::Searchable>(position: &game::Position<B>) -> Option<Score> {
    if position.in_check() {
        return None;
    }
    let value = B::evaluate(position, &mut B::Memo::default());
    Some(Score::Centipawns(position.win_model().centipawns(value)))
}

/// The score of a position, from the point of view of the side to move.
///
/// ```
/// use tabiya::search::Score;
///
/// assert_eq!(Score::Centipawns(31).to_string(), "+0.31");
/// assert_eq!(Score::Mate(-2).to_string(), "#-2");
/// assert_eq!(Score::Decided(7).to_string(), "won in 7 plies");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Score {
    /// An advantage in centipawns: 100 means that the engine wins half of its games against itself.
    Centipawns(i32),
    /// Mate in so many moves; if negative, the side to move is mated in so many. 0: it is mated already.
    Mate(i32),
    /// The game is won (or, if negative, lost) after so many plies by a tablebase, or in xiangqi by the rules about
    /// repetition.
    Decided(i32),
}

impl Score {
    /// From the engine's number; `model` is that of the root.
    fn of(value: score::Value, model: game::WinModel) -> Score {
        if let Some(moves) = score::mate_moves(value) {
            return Score::Mate(moves);
        }
        if score::is_decided(value) {
            let base = if score::is_forfeit(value) { score::FORFEIT } else { score::TABLEBASE_WIN };
            return Score::Decided((base - value.abs()) * value.signum());
        }
        Score::Centipawns(model.centipawns(value))
    }
}

impl fmt::Display for Score {
    /// `+0.31`, `#3`, `#-2`, `won in 7 plies`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match *self {
            Score::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            Score::Mate(moves) => format!("#{moves}"),
            Score::Decided(plies) if plies < 0 => format!("lost in {} plies", -plies),
            Score::Decided(plies) => format!("won in {plies} plies"),
        })
    }
}

/// A line of play with its score. [`moves`](Self::moves) as text: `line_text` of the position (both games), `san_line`
/// (chess), `wxf_line` (xiangqi).
///
/// ```
/// use tabiya::chess::Game;
/// use tabiya::search::{Engine, Limits};
///
/// let mut engine = Engine::new();
/// engine.set_lines(2);
/// engine.search_with(&Game::default(), Limits::depth(3), |line| {
///     println!("{} depth {} {} {:?}", line.rank, line.depth, line.score, line.moves);
/// });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<M> {
    /// The score of the first move.
    pub score: Score,
    /// The moves expected from both sides.
    pub moves: Vec<M>,
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Rank among the best lines, from 1.
    pub rank: u32,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub time: Duration,
}

impl<M: Copy> Line<M> {
    /// From what the engine reports; `model` is that of the root.
    fn of(info: &engine::Info<'_, M>, model: game::WinModel) -> Self {
        Line {
            score: Score::of(info.score, model),
            moves: info.pv.to_vec(),
            depth: info.depth,
            rank: info.multi_pv,
            nodes: info.progress.nodes,
            time: info.progress.time,
        }
    }
}

/// The result of a search.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::search::{Engine, Limits};
///
/// let start = Position::default();
/// let found = Engine::new().search(&start, Limits::depth(4));
/// assert_eq!(found.best, found.line.first().copied());
/// assert!(found.depth == 4 && found.nodes > 0);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<M> {
    /// The best move, or `None` if there is no legal move.
    pub best: Option<M>,
    /// Its score; the score of the position if there is no legal move.
    pub score: Score,
    /// The moves expected from both sides, the best move first.
    pub line: Vec<M>,
    /// Depth of the last iteration that was reported, in plies.
    pub depth: u32,
    /// Nodes searched, by all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

/// Sends the lines of a search to the thread that waits for its end.
struct Lines<M> {
    sender: mpsc::Sender<Line<M>>,
    model: game::WinModel,
}

impl<M: Copy + Send> engine::Listener<M> for Lines<M> {
    fn hear(&mut self, event: &engine::Event<'_, M>) {
        if let engine::Event::Line(info) = event {
            // The receiver waits until the search ends.
            let _ = self.sender.send(Line::of(info, self.model));
        }
    }
}

impl<B: game::Searchable> Engine<B> {
    /// Sets the number of best lines that are reported (MultiPV).
    pub fn set_lines(&mut self, lines: usize) {
        self.settings.multi_pv = lines;
    }

    /// Searches a position. Without a limit only a [`StopHandle`] ends the search.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tabiya::chess::Position;
    /// use tabiya::search::{Engine, Limits};
    ///
    /// let found = Engine::new().search(&Position::default(), Limits::movetime(Duration::from_millis(20)));
    /// println!("{} {} {:?}", found.score, found.nodes, found.line);
    /// ```
    pub fn search(&mut self, position: &game::Position<B>, limits: Limits) -> Found<B::Move> {
        self.search_with(&game::Game::new(*position), limits, |_| {})
    }

    /// Searches the position of a game, whose earlier positions count for repetitions. Calls `progress` on this thread
    /// with each new line, and with the line of the last depth again when the search ends.
    ///
    /// ```
    /// use tabiya::chess::Game;
    /// use tabiya::search::{Engine, Limits};
    ///
    /// let mut game = Game::default();
    /// game.play(game.position().parse_move("e4")?)?;
    /// let found = Engine::new().search_with(&game, Limits::nodes(10_000), |line| {
    ///     println!("depth {} {} {:?}", line.depth, line.score, line.moves);
    /// });
    /// game.play(found.best.expect("a legal move"))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search_with(
        &mut self,
        game: &game::Game<B>,
        limits: Limits,
        progress: impl FnMut(&Line<B::Move>),
    ) -> Found<B::Move> {
        self.search_moves(game, &game.position().legal_moves(), limits, progress)
    }

    /// The same with these moves alone; illegal ones are ignored. Without a legal one the result has no move.
    ///
    /// ```
    /// use tabiya::chess::Game;
    /// use tabiya::search::{Engine, Limits};
    ///
    /// let game = Game::default();
    /// let moves = ["a2a3", "h2h3"].map(|text| game.position().parse_move(text).expect("a legal move"));
    /// let found = Engine::new().search_moves(&game, &moves, Limits::depth(3), |_| {});
    /// assert!(found.best.is_some_and(|best| moves.contains(&best)));
    /// ```
    pub fn search_moves(
        &mut self,
        game: &game::Game<B>,
        moves: &[B::Move],
        limits: Limits,
        mut progress: impl FnMut(&Line<B::Move>),
    ) -> Found<B::Move> {
        let (sender, lines) = mpsc::channel();
        let model = game.position().win_model();
        // No repetition reaches beyond a null move.
        let (start, played) = game.since_null();
        self.set_position(*start, played);
        self.go(limits, Some(moves), Box::new(Lines { sender, model }));
        let mut found = Found {
            best: None,
            score: Score::Centipawns(0),
            line: Vec::new(),
            depth: 0,
            nodes: 0,
            time: Duration::ZERO,
        };
        // The channel closes when the search is over.
        for line in lines {
            progress(&line);
            found.nodes = line.nodes;
            found.time = line.time;
            if line.rank == 1 {
                found.score = line.score;
                (found.line, found.depth) = (line.moves, line.depth);
            }
        }
        let answer = self.wait();
        found.best = answer.and_then(|answer| answer.best);
        // Without a move there is only the score of the line.
        if let Some(answer) = answer.filter(|answer| answer.best.is_some()) {
            found.score = Score::of(answer.score, model);
        }
        found
    }
}

#[cfg(all(test, feature = "chess", feature = "xiangqi"))]
mod tests {
    use super::*;
    use crate::{chess, xiangqi};

    #[test]
    fn positions_without_a_move_have_the_score_of_a_lost_or_drawn_game() {
        for (fen, score) in [
            ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Score::Mate(0)),
            ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", Score::Centipawns(0)),
        ] {
            let found = Engine::new().search(&fen.parse::<chess::Position>().unwrap(), Limits::depth(2));
            assert_eq!((found.best, found.score), (None, score), "{fen}");
        }
        let stalemate: xiangqi::Position = "3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1".parse().unwrap();
        let found = Engine::new().search(&stalemate, Limits::depth(2));
        assert_eq!((found.best, found.score), (None, Score::Mate(0)));
    }

    #[test]
    fn another_thread_stops_an_endless_search() {
        let mut engine = Engine::new();
        let stop = engine.stop_handle();
        let mut depth = 0;
        let game = chess::Game::default();
        let found = engine.search_with(&game, Limits::default(), |line| {
            depth = line.depth;
            if depth >= 4 {
                stop.stop();
            }
        });
        assert!(found.best.is_some() && depth >= 4 && found.nodes > 0);
    }

    #[test]
    fn a_stop_counts_for_its_own_search_only() {
        let mut engine = Engine::new();
        let start = xiangqi::Position::default();
        let stop = engine.stop_handle();
        for _ in 0..50 {
            let next = engine.stop_handle();
            next.stop();
            assert!(engine.search(&start, Limits::infinite()).best.is_some());
            // Too late for its own search, and without effect on the next one.
            next.stop();
            stop.stop();
            assert_eq!(engine.search(&start, Limits::depth(2)).depth, 2);
        }
    }
}
