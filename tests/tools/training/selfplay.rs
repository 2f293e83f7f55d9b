//! Self-play: games of the engine against itself for training data, and matches between two sets of search
//! parameters. Games have random openings and a few hundred to a few thousand nodes per move, and are adjudicated when
//! the result is clear.
//!
//! A game depends only on its seed, the parameters and the conditions: hash table and history are cleared before it.
//! Nothing here prints or writes files.

use tabiya::base::rng::SplitMix64;
use tabiya::engine::score::is_decided;
use tabiya::engine::{Engine, HashError, Limits, Value};
use tabiya::game::random_play::random_line;
use tabiya::game::{Game, GameResult, Position, Rules, SearchParams, Searchable, Side};

/// Openings whose first score is larger than this are discarded, as the game is already decided.
const LOPSIDED: Value = 300;
/// A game is adjudicated as won when this many searches in a row, of both sides, see the same side ahead by
/// `WINNING`.
const WINNING: Value = 1_000;
const WINNING_PLIES: u32 = 6;
/// A game is adjudicated as drawn when this many searches in a row have a score of at most `EVEN` for either side, at
/// least `DRAW_MIN_PLIES` plies after the opening.
const EVEN: Value = 10;
const EVEN_PLIES: u32 = 12;
const DRAW_MIN_PLIES: usize = 70;
/// Longer games are drawn.
const MAX_GAME_PLIES: usize = 400;
/// Hard node limit of a search, as a multiple of the soft one.
const HARD_NODES_FACTOR: u64 = 5;

/// Conditions of self-play games.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// Random moves at the start; half of the games have one more.
    pub random_plies: usize,
    /// Soft node limit of a search: no new iteration starts after it. In a [`Duel`] it is the hard limit too.
    pub nodes: u64,
}

impl Conditions {
    /// Hard node limit of searches for training data.
    fn hard_nodes(&self) -> u64 {
        self.nodes.saturating_mul(HARD_NODES_FACTOR)
    }
}

/// A finished game.
pub struct PlayedGame<B: Rules> {
    /// The quiet positions, with their scores for the first player: not in check, the best move neither a capture nor
    /// a promotion, and no decided score.
    pub positions: Vec<(Position<B>, i16)>,
    /// The result for the first player.
    pub result: GameResult,
}

/// Adjudication: counts consecutive searches that agree on the result.
#[derive(Default)]
struct Adjudicator {
    /// The side that is ahead, as the sign of the score (0 for neither), and the number of consecutive searches that
    /// agree.
    ahead: (Value, u32),
    even: u32,
}

impl Adjudicator {
    /// Adds a score for the first player. Returns the result of the game if it is clear by now.
    fn add(&mut self, score: Value, plies: usize) -> Option<GameResult> {
        let side = if score.abs() >= WINNING { score.signum() } else { 0 };
        let before = if self.ahead.0 == side { self.ahead.1 } else { 0 };
        self.ahead = (side, before + 1);
        self.even = if score.abs() <= EVEN && plies >= DRAW_MIN_PLIES { self.even + 1 } else { 0 };
        if side != 0 && (is_decided(score) || self.ahead.1 >= WINNING_PLIES) {
            Some(if side > 0 { GameResult::Win } else { GameResult::Loss })
        } else if self.even >= EVEN_PLIES {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

/// An engine with a hash table of `megabytes` mebibytes.
///
/// # Errors
/// If there is no memory for the table.
pub fn player<B: Searchable>(megabytes: usize) -> Result<Engine<B>, HashError> {
    let mut engine = Engine::new();
    engine.set_hash(megabytes).map(|()| engine)
}

/// The best move after `moves` and its score for the side to move; `None` without a legal move. No iteration starts
/// after `soft_nodes`, and the search is stopped after `hard_nodes`. Call it on a thread with a stack of
/// [`tabiya::engine::STACK_BYTES`].
pub fn think<B: Searchable>(
    engine: &mut Engine<B>,
    start: Position<B>,
    moves: &[B::Move],
    [soft_nodes, hard_nodes]: [u64; 2],
) -> Option<(B::Move, Value)> {
    engine.set_position(start, moves);
    let nodes = Limits::nodes(hard_nodes);
    let answer = engine.search_here(Limits { soft_nodes: Some(soft_nodes), ..nodes })?;
    Some((answer.best?, answer.score))
}

/// Self-play of one player, who plays both sides.
pub struct SelfPlay<B: Searchable> {
    engine: Engine<B>,
    start: Position<B>,
    conditions: Conditions,
}

/// A match between two players with different search parameters.
pub struct Duel<B: Searchable> {
    engines: [Engine<B>; 2],
    start: Position<B>,
    conditions: Conditions,
}

impl<B: Searchable> SelfPlay<B> {
    /// A player that starts games at `start` and has a hash table of `megabytes` mebibytes.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(start: Position<B>, conditions: Conditions, megabytes: usize) -> Result<Self, HashError> {
        Ok(SelfPlay { engine: player(megabytes)?, start, conditions })
    }

    /// Plays the game of `seed`. Tries the openings of its random sequence until one is not lopsided and its game has
    /// a quiet position. Call it on a thread with a stack of [`tabiya::engine::STACK_BYTES`].
    pub fn game(&mut self, seed: u64) -> PlayedGame<B> {
        let mut rng = SplitMix64::new(seed);
        let SelfPlay { engine, start, conditions } = self;
        loop {
            if let Some(moves) = random_line(*start, conditions.random_plies, &mut rng) {
                engine.clear();
                let nodes = [conditions.nodes, conditions.hard_nodes()];
                let search = |_, moves: &[_]| think(engine, *start, moves, nodes);
                if let Some(game) = play(*start, &moves, search) {
                    return game;
                }
            }
        }
    }
}

impl<B: Searchable> Duel<B> {
    /// Two players that start games at `start` and have a hash table of `megabytes` mebibytes each.
    ///
    /// # Errors
    /// If there is no memory for the tables.
    pub fn new(start: Position<B>, conditions: Conditions, megabytes: usize) -> Result<Self, HashError> {
        let engines = [player(megabytes)?, player(megabytes)?];
        Ok(Duel { engines, start, conditions })
    }

    /// Sets the search parameters of both players.
    pub fn set_params(&mut self, params: [SearchParams; 2]) {
        for (engine, params) in self.engines.iter_mut().zip(params) {
            engine.params = params;
        }
    }

    /// Plays two games with the opening of `seed` and colours reversed; the first player has the first move in the
    /// first game. Returns the half-points of the first player, 0 to 4. Call it on a thread with a stack of
    /// [`tabiya::engine::STACK_BYTES`].
    pub fn pair(&mut self, seed: u64) -> u32 {
        let mut rng = SplitMix64::new(seed);
        loop {
            let moves = random_line(self.start, self.conditions.random_plies, &mut rng);
            let Some(moves) = moves else { continue };
            if let Some(first) = self.one_game(&moves, 0)
                && let Some(second) = self.one_game(&moves, 1)
            {
                return first as u32 + 2 - second as u32;
            }
        }
    }

    /// The result, for the side that moves first, of the game after `opening` in which player number `first` has that
    /// side.
    fn one_game(&mut self, opening: &[B::Move], first: usize) -> Option<GameResult> {
        let Duel { engines, start, conditions } = self;
        engines.iter_mut().for_each(Engine::clear);
        // A soft limit would give more nodes to the player with the larger iterations.
        let search =
            |side: Side, moves: &[_]| think(&mut engines[side.index() ^ first], *start, moves, [conditions.nodes; 2]);
        play(*start, opening, search).map(|game| game.result)
    }
}

/// Plays the game on from `opening` to the end. `search` gives the move and score for a side. `None` if the opening is
/// lopsided or the game has no quiet position.
fn play<B: Searchable>(
    start: Position<B>,
    opening: &[B::Move],
    mut search: impl FnMut(Side, &[B::Move]) -> Option<(B::Move, Value)>,
) -> Option<PlayedGame<B>> {
    let mut game = Game::new(start);
    for &m in opening {
        game.play(m).ok()?;
    }
    let mut positions = Vec::new();
    let mut adjudicator = Adjudicator::default();
    let result = loop {
        if let Some(result) = game.result() {
            break result;
        }
        let plies = game.moves().len();
        if plies >= MAX_GAME_PLIES {
            break GameResult::Draw;
        }
        let pos = *game.position();
        let (m, score) = search(pos.side(), game.moves())?;
        if plies == opening.len() && score.abs() > LOPSIDED {
            return None;
        }
        let score = if pos.side() == Side::First { score } else { -score };
        if !pos.in_check() && !pos.is_noisy(m) && !is_decided(score) {
            positions.push((pos, score as i16));
        }
        if let Some(result) = adjudicator.add(score, plies - opening.len()) {
            break result;
        }
        game.play(m).ok()?;
    };
    (!positions.is_empty()).then_some(PlayedGame { positions, result })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::chess::Position;

    fn notes(scores: &[(Value, usize)]) -> Vec<Option<GameResult>> {
        let mut adjudicator = Adjudicator::default();
        scores.iter().map(|&(score, plies)| adjudicator.add(score, plies)).collect()
    }

    #[test]
    fn only_clear_games_are_adjudicated() {
        let sixth = |score| notes(&[(score, 9); 6])[5];
        assert_eq!(sixth(WINNING), Some(GameResult::Win));
        assert_eq!(sixth(-WINNING), Some(GameResult::Loss));
        assert_eq!(sixth(WINNING - 1), None);
        assert!(notes(&[(WINNING, 9); 6])[..5].iter().all(Option::is_none));
        // The count restarts when the other side, or neither, is ahead.
        let swing = [1_000, 1_000, 1_000, -1_000, 1_000, 1_000, 1_000, 0, 1_000, 1_000, 1_000];
        assert!(notes(&swing.map(|score| (score, 9))).iter().all(Option::is_none));
        assert_eq!(notes(&[(31_990, 9)]), [Some(GameResult::Win)]);
        assert_eq!(notes(&[(-31_990, 9)]), [Some(GameResult::Loss)]);
        assert_eq!(notes(&[(EVEN, DRAW_MIN_PLIES); 12])[11], Some(GameResult::Draw));
        assert!(notes(&[(EVEN, DRAW_MIN_PLIES); 11]).iter().all(Option::is_none));
        assert!(notes(&[(0, DRAW_MIN_PLIES - 1); 40]).iter().all(Option::is_none));
    }

    /// The half-points of `first` against `second` in `pairs` pairs of games.
    fn points(first: SearchParams, second: SearchParams, pairs: u64) -> u32 {
        let conditions = Conditions { random_plies: 8, nodes: 1_000 };
        let start = Position::from_fen(Position::START_FEN).unwrap();
        let mut duel = Duel::new(start, conditions, 1).unwrap();
        duel.set_params([first, second]);
        (0..pairs).map(|seed| duel.pair(seed)).sum()
    }

    #[test]
    fn equal_players_draw_and_handicapped_ones_lose() {
        let with_stack = std::thread::Builder::new().stack_size(tabiya::engine::STACK_BYTES);
        let test = with_stack.spawn(|| {
            let whole = tabiya::chess::Board::PARAMS;
            assert_eq!(points(whole, whole, 6), 12);
            // No null moves, no reductions, no pruning of late moves.
            let weak = SearchParams {
                null_margin: 30_000,
                reduction_base: 0,
                reduction_slope: 1 << 20,
                late_base: 1 << 20,
                ..whole
            };
            let (strong, weak) = (points(whole, weak, 40), points(weak, whole, 40));
            assert!(strong > 88, "{strong} of 160");
            assert_eq!(strong + weak, 160, "the same games from the other side");
        });
        test.unwrap().join().unwrap();
    }
}
