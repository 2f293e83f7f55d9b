//! Games of the engine against itself, for training data, and against itself with other parameters: random openings, a
//! few thousand nodes a move, and an early end where the result is clear.
//!
//! Called by `cli::datagen` and by the programs of `tests/tools`. A game depends on its seed, the parameters and the
//! conditions alone: table and history are empty when it begins. Nothing here prints or writes.

use super::limits::Limits;
use super::report::{Info, Report};
use super::score::{Score, is_decided};
use super::{Engine, HashError};
use crate::base::lock::lock;
use crate::base::rng::SplitMix64;
use crate::game::record::GameResult;
use crate::game::{Game, Playable, Rules, SearchParams, Side};
use std::sync::{Arc, Mutex};

/// Openings whose first score is larger than this are given up: such games are decided before they begin.
const LOPSIDED: Score = 300;
/// A game is won when so many searches in turn, of both sides, see the same side ahead by `WINNING`.
const WINNING: Score = 1_000;
const WINNING_PLIES: u32 = 6;
/// A game is drawn when so many searches in turn see no more than `EVEN` for either side, `LATE` plies or more after
/// the opening.
const EVEN: Score = 10;
const EVEN_PLIES: u32 = 12;
const LATE: usize = 70;
/// A game that is so long is drawn.
const LONGEST: usize = 400;
/// A search may take so many times the nodes after which no iteration is begun.
const HARD: u64 = 5;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// Random moves at the beginning; every other game has one more.
    pub random_plies: usize,
    /// Nodes of a search after which no further iteration is begun; a search of a [`Duel`] ends with them.
    pub nodes: u64,
}

impl Conditions {
    /// Nodes after which a search of a game for training data ends.
    fn most(&self) -> u64 {
        self.nodes.saturating_mul(HARD)
    }
}

/// A game that was played.
pub struct PlayedGame<P> {
    /// The quiet positions: not in check, the best move neither capture nor promotion, no mate in sight. Each
    /// with its score for the first player.
    pub positions: Vec<(P, i16)>,
    /// How it has ended.
    pub result: GameResult,
}

/// The answer of the last search.
struct Answer<M>(Mutex<(Option<M>, Score)>);

impl<P: Playable> Report<P> for Answer<P::Move> {
    fn info(&self, _info: &Info<'_, P::Move>) {}
    fn best(&self, best: Option<P::Move>, _ponder: Option<P::Move>, score: Score) {
        *lock(&self.0) = (best, score);
    }
}

/// Searches in turn that agree, for ending a game early.
#[derive(Default)]
struct Agreement {
    /// Side that is ahead, as the sign of its score, and searches that said so.
    ahead: (Score, u32),
    even: u32,
}

impl Agreement {
    /// Takes note of a score for the first player; the result of the game if it is clear by now.
    fn note(&mut self, score: Score, plies: usize) -> Option<GameResult> {
        let side = if score.abs() >= WINNING { score.signum() } else { 0 };
        let before = if self.ahead.0 == side { self.ahead.1 } else { 0 };
        self.ahead = (side, before + 1);
        self.even = if score.abs() <= EVEN && plies >= LATE { self.even + 1 } else { 0 };
        if side != 0 && (is_decided(score) || self.ahead.1 >= WINNING_PLIES) {
            Some(if side > 0 { GameResult::Win } else { GameResult::Loss })
        } else if self.even >= EVEN_PLIES {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

/// An engine that answers at once.
pub struct Player<P: Playable> {
    engine: Engine<P>,
    answer: Arc<Answer<P::Move>>,
}

impl<P: Playable> Player<P> {
    /// A player with a table of `megabytes`.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(megabytes: usize) -> Result<Self, HashError> {
        let answer = Arc::new(Answer(Mutex::new((None, 0))));
        let mut engine = Engine::new(Arc::clone(&answer) as Arc<dyn Report<P>>);
        engine.resize_hash(megabytes)?;
        Ok(Player { engine, answer })
    }

    /// Forgets everything learnt about earlier positions.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// The best move after `moves` and its score for the side to move, on a thread with a stack of
    /// [`super::STACK_BYTES`]: no iteration is begun after `nodes`, and the last one is given up after `most`.
    pub fn search(
        &mut self,
        start: P,
        moves: &[P::Move],
        nodes: u64,
        most: u64,
    ) -> Option<(P::Move, Score)> {
        self.engine.set_position(start, moves);
        self.engine.search(Limits {
            nodes: Some(most),
            soft_nodes: Some(nodes),
            ..Limits::default()
        });
        let (best, score) = *lock(&self.answer.0);
        Some((best?, score))
    }
}

/// One player, who plays both sides of one game after the other.
pub struct SelfPlay<P: Playable> {
    player: Player<P>,
    start: P,
    conditions: Conditions,
}

/// Two players whose searches have different parameters.
pub struct Duel<P: Playable> {
    players: [Player<P>; 2],
    start: P,
    conditions: Conditions,
}

/// `plies` random moves from `pos`, or one more as often as not; `None` if the game ends on the way.
pub fn random_line<P: Rules>(
    mut pos: P,
    plies: usize,
    rng: &mut SplitMix64,
) -> Option<Vec<P::Move>> {
    let mut moves = Vec::new();
    for _ in 0..plies + rng.below(2) {
        let list = pos.legal_moves();
        let all = list.as_slice();
        let m = (!all.is_empty()).then(|| all[rng.below(all.len())])?;
        moves.push(m);
        pos.make(m);
    }
    Some(moves)
}

impl<P: Playable> SelfPlay<P> {
    /// A player who begins games at `start` and has a table of `megabytes`.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(start: P, conditions: Conditions, megabytes: usize) -> Result<Self, HashError> {
        Ok(SelfPlay { player: Player::new(megabytes)?, start, conditions })
    }

    /// Plays the game of `seed`, on a thread with a stack of [`super::STACK_BYTES`]: openings of its random
    /// sequence until one is neither lopsided nor leads to a game without a quiet position.
    pub fn game(&mut self, seed: u64) -> PlayedGame<P> {
        let mut rng = SplitMix64::new(seed);
        let SelfPlay { player, start, conditions } = self;
        loop {
            if let Some(moves) = random_line(*start, conditions.random_plies, &mut rng) {
                player.new_game();
                let (nodes, most) = (conditions.nodes, conditions.most());
                let search = |_, moves: &[_]| player.search(*start, moves, nodes, most);
                if let Some(game) = play(*start, &moves, search) {
                    return game;
                }
            }
        }
    }
}

impl<P: Playable> Duel<P> {
    /// Two players who begin games at `start` and have a table of `megabytes` each.
    ///
    /// # Errors
    /// If there is no memory for the tables.
    pub fn new(start: P, conditions: Conditions, megabytes: usize) -> Result<Self, HashError> {
        let players = [Player::new(megabytes)?, Player::new(megabytes)?];
        Ok(Duel { players, start, conditions })
    }

    /// Gives each player its parameters.
    pub fn set_params(&mut self, params: [SearchParams; 2]) {
        for (player, params) in self.players.iter_mut().zip(params) {
            player.engine.settings.params = params;
        }
    }

    /// Plays two games with the opening of `seed`, on a thread with a stack of [`super::STACK_BYTES`]; the first
    /// player begins the first of them. The half-points of the first player, 0 to 4.
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

    /// The game after `opening` in which the player with the number `first` is the first player.
    fn one_game(&mut self, opening: &[P::Move], first: usize) -> Option<GameResult> {
        let Duel { players, start, conditions } = self;
        players.iter_mut().for_each(Player::new_game);
        let nodes = conditions.nodes;
        // To finish iterations would give more nodes to the player whose iterations are larger.
        let search = |side: Side, moves: &[_]| {
            players[side.index() ^ first].search(*start, moves, nodes, nodes)
        };
        play(*start, opening, search).map(|game| game.result)
    }
}

/// Plays on after `opening` to the end, with the move and score that `search` gives for a side; `None` if the opening
/// is lopsided or no position of the game is quiet.
fn play<P: Playable>(
    start: P,
    opening: &[P::Move],
    mut search: impl FnMut(Side, &[P::Move]) -> Option<(P::Move, Score)>,
) -> Option<PlayedGame<P>> {
    let mut game = Game::new(start);
    for &m in opening {
        game.play(m).ok()?;
    }
    let mut positions = Vec::new();
    let mut agreement = Agreement::default();
    let result = loop {
        if let Some(result) = game.result() {
            break result;
        }
        let plies = game.moves().len();
        if plies >= LONGEST {
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
        if let Some(result) = agreement.note(score, plies - opening.len()) {
            break result;
        }
        game.play(m).ok()?;
    };
    (!positions.is_empty()).then_some(PlayedGame { positions, result })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::game::Notation;

    fn notes(scores: &[(Score, usize)]) -> Vec<Option<GameResult>> {
        let mut agreement = Agreement::default();
        scores.iter().map(|&(score, plies)| agreement.note(score, plies)).collect()
    }

    #[test]
    fn clear_games_end_early_and_others_do_not() {
        let sixth = |score| notes(&[(score, 9); 6])[5];
        assert_eq!(sixth(WINNING), Some(GameResult::Win));
        assert_eq!(sixth(-WINNING), Some(GameResult::Loss));
        assert_eq!(sixth(WINNING - 1), None);
        assert!(notes(&[(WINNING, 9); 6])[..5].iter().all(Option::is_none));
        // The other side ahead, or nobody, begins anew.
        let swing = [1_000, 1_000, 1_000, -1_000, 1_000, 1_000, 1_000, 0, 1_000, 1_000, 1_000];
        assert!(notes(&swing.map(|score| (score, 9))).iter().all(Option::is_none));
        assert_eq!(notes(&[(31_990, 9)]), [Some(GameResult::Win)]);
        assert_eq!(notes(&[(-31_990, 9)]), [Some(GameResult::Loss)]);
        assert_eq!(notes(&[(EVEN, LATE); 12])[11], Some(GameResult::Draw));
        assert!(notes(&[(EVEN, LATE); 11]).iter().all(Option::is_none));
        assert!(notes(&[(0, LATE - 1); 40]).iter().all(Option::is_none));
    }

    /// The half-points of `first` against `second` in some pairs of games.
    fn points(first: SearchParams, second: SearchParams, pairs: u64) -> u32 {
        let conditions = Conditions { random_plies: 8, nodes: 1_000 };
        let start = Position::from_fen(Position::START_FEN).unwrap();
        let mut duel = Duel::new(start, conditions, 1).unwrap();
        duel.set_params([first, second]);
        (0..pairs).map(|seed| duel.pair(seed)).sum()
    }

    #[test]
    fn equal_players_are_level_and_handicapped_ones_lose() {
        let with_stack = std::thread::Builder::new().stack_size(crate::engine::STACK_BYTES);
        let test = with_stack.spawn(|| {
            let whole = Position::PARAMS;
            assert_eq!(points(whole, whole, 6), 12);
            let mut weak = whole;
            for name in ["history", "quiescence_see", "null_move", "reductions"] {
                *weak.by_name(name).unwrap() = 0;
            }
            let (strong, weak) = (points(whole, weak, 15), points(weak, whole, 15));
            assert!(strong > 36, "{strong} of 60");
            assert_eq!(strong + weak, 60, "the same games from the other side");
        });
        test.unwrap().join().unwrap();
    }
}
