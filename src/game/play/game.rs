//! A game that is being played: positions and moves with their history, and how it has ended.
//!
//! [`Game`] is for programs that use the crate and for self-play; a search keeps a history of its own. The rules that
//! need the history are the game's [`Rules::verdict`](crate::game::Rules::verdict).

use crate::game::play::outcome::{GameResult, IllegalMove, Outcome, Verdict};
use crate::game::position::{Position, Rules};
use crate::game::text::fault::{Fault, NotationError};
use crate::game::text::fen::Tolerance;
use crate::game::text::movetext::{self, Start};
use crate::game::text::notation::{bare_move, is_null_move};
use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// A game: a position with the moves that led to it, for the rules about repetition.
///
/// `chess::Game` and `xiangqi::Game` are this type.
///
/// ```
/// use tabiya::chess::{Game, Outcome};
///
/// let mut game = Game::default();
/// for text in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split(' ') {
///     assert_eq!(game.outcome(), None);
///     game.play(game.position().parse_move(text)?)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Repetition));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```
/// use tabiya::game::GameResult;
/// use tabiya::xiangqi::{Game, Position};
///
/// let mut game: Game = Position::default().into();
/// let m = game.position().parse_move("C2=5")?;
/// game.play(m)?;
/// assert_eq!((game.moves(), game.start()), (&[m][..], &Position::default()));
/// assert_eq!((game.outcome(), game.result()), (None, None::<GameResult>));
/// assert_eq!((game.undo(), game.moves().len()), (Some(m), 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Game<B: Rules> {
    position: Position<B>,
    moves: Vec<B::Move>,
    /// The positions in which they were made.
    past: Vec<Position<B>>,
    trail: Vec<B::Past>,
}

impl<B: Rules> Game<B> {
    /// A game that begins at `position`.
    pub fn new(position: Position<B>) -> Self {
        Game { position, moves: Vec::new(), past: Vec::new(), trail: Vec::new() }
    }

    /// The position in which the game began.
    pub fn start(&self) -> &Position<B> {
        self.past.first().unwrap_or(&self.position)
    }

    /// The position on the board.
    pub fn position(&self) -> &Position<B> {
        &self.position
    }

    /// The moves so far.
    pub fn moves(&self) -> &[B::Move] {
        &self.moves
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If it is not legal; nothing changes then.
    pub fn play(&mut self, m: B::Move) -> Result<(), IllegalMove<B::Move>> {
        if !self.position.is_legal(m) {
            return Err(IllegalMove(m));
        }
        self.make(m);
        Ok(())
    }

    /// Makes a legal move.
    pub(crate) fn make(&mut self, m: B::Move) {
        self.trail.push(B::past(&self.position, m));
        self.past.push(self.position);
        self.moves.push(m);
        self.position.make(m);
    }

    /// Makes a null move: the side to move passes. It is kept as the default move (`Move::NONE`). No rule about
    /// repetition looks beyond it.
    ///
    /// # Errors
    /// If the side to move is in check; nothing changes then.
    ///
    /// ```
    /// let mut game = tabiya::chess::Game::default();
    /// game.play_null()?;
    /// assert_eq!(game.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves 0000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_null(&mut self) -> Result<(), IllegalMove<B::Move>> {
        let next = self.position.play_null().ok_or(IllegalMove(B::Move::default()))?;
        self.trail.push(B::past(&self.position, B::Move::default()));
        self.past.push(self.position);
        self.moves.push(B::Move::default());
        self.position = next;
        Ok(())
    }

    /// The number of moves up to the last null move, that one included.
    fn passed(&self) -> usize {
        let null = B::Move::default();
        self.moves.iter().rposition(|&m| m == null).map_or(0, |last| last + 1)
    }

    /// The position after the last null move (the first of the game if there is none), and the moves since then.
    #[cfg(feature = "search")]
    pub(crate) fn since_null(&self) -> (&Position<B>, &[B::Move]) {
        let passed = self.passed();
        (self.past.get(passed).unwrap_or(&self.position), &self.moves[passed..])
    }

    /// How often the position on the board has occurred in the game, this time included.
    ///
    /// ```
    /// let mut game = tabiya::chess::Game::default();
    /// for text in "Nf3 Nf6 Ng1 Ng8".split(' ') {
    ///     game.play_text(text)?;
    /// }
    /// assert_eq!(game.repetitions(), 2);
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn repetitions(&self) -> usize {
        let key = self.position.key();
        1 + self.trail[self.passed()..].iter().filter(|step| B::key_of(step) == key).count()
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<B::Move> {
        self.position = self.past.pop()?;
        self.trail.pop();
        self.moves.pop()
    }

    /// How the game has ended, or `None` while it goes on. The rules about repetition and the move counter apply
    /// without a claim.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        if let Some(outcome) = position.outcome() {
            return Some(outcome);
        }
        Some(match B::verdict(position, &self.trail[self.passed()..], 0)? {
            Verdict::Win => Outcome::Perpetual(position.side().flip()),
            Verdict::Loss => Outcome::Perpetual(position.side()),
            Verdict::Draw if B::plies_to_draw(position) == 0 => Outcome::MoveRule,
            Verdict::Draw => Outcome::Repetition,
            Verdict::AtMostDraw | Verdict::AtLeastDraw => return None,
        })
    }

    /// The result for the first player (White, Red), or `None` while the game goes on.
    pub fn result(&self) -> Option<GameResult> {
        Some(self.outcome()?.result(self.position.side(), B::STALEMATE_LOSES))
    }
}

impl<B: Rules> Game<B> {
    /// Reads a move as [`Position::parse_move`] does, in any notation, and makes it. `--`, `Z0` and `0000` make a null
    /// move ([`play_null`](Self::play_null)).
    ///
    /// # Errors
    /// If the text is not a legal move; nothing changes then.
    ///
    /// ```
    /// use tabiya::{chess, xiangqi};
    ///
    /// let mut game = chess::Game::default();
    /// game.play_text("e4!")?;
    /// assert!(game.play_text("Ke4").is_err());
    /// assert_eq!(game.play_text("--")?, chess::Move::NONE);
    /// assert_eq!(game.moves().len(), 2);
    ///
    /// xiangqi::Game::default().play_text("C2=5")?;
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn play_text(&mut self, text: &str) -> Result<B::Move, NotationError> {
        if is_null_move(bare_move(text)) {
            let reason = "a null move is not legal in check";
            let error = NotationError::new("move", 0, reason).with_fault(Fault::Illegal);
            return self.play_null().map(|()| B::Move::default()).map_err(|_| error);
        }
        let m = self.position().parse_move(text)?;
        self.make(m);
        Ok(m)
    }

    /// Reads the moves of a game as PGN files have them, and makes them: moves in any notation, with numbers, comments,
    /// variations, NAGs (`$1`), marks and the result. All but the moves of the main line is passed over; so are tags in
    /// front, but those that say that the game begins at another position than this one's. (`text.parse::<Game>()`
    /// begins where the tags say.)
    ///
    /// # Errors
    /// If a move is not legal, a comment or variation is not closed, a move follows the result, or the tag `FEN` gives
    /// another position. The moves before the fault have been made; the error has its offset.
    ///
    /// ```
    /// use tabiya::{chess, xiangqi};
    ///
    /// let mut game = chess::Game::default();
    /// game.play_line("1. e4 e5 {Open.} 2. Nf3 $1 Nc6 (2... d6 3. d4) 3. Bb5 !? 1/2-1/2")?;
    /// assert_eq!(game.start().san_line(game.moves())?, "1. e4 e5 2. Nf3 Nc6 3. Bb5");
    /// let error = game.play_line("a6 4. Ba9").unwrap_err();
    /// assert_eq!((error.offset, game.moves().len()), (6, 6));
    ///
    /// xiangqi::Game::default().play_line("1. C2=5 H8+7 2. H2+3 *")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "pgn")]
    #[doc(alias = "movetext")]
    pub fn play_line(&mut self, text: &str) -> Result<(), NotationError> {
        let start = Start::read(text)?;
        start.check(&self.position)?;
        self.play_moves(text, start.moves)
    }

    /// Makes the moves of `text` from byte `first` on.
    fn play_moves(&mut self, text: &str, first: usize) -> Result<(), NotationError> {
        for word in movetext::moves(&text[first..]) {
            let (at, word) = word.map_err(|error| NotationError { offset: first + error.offset, ..error })?;
            self.play_text(word).map_err(|error| NotationError { offset: first + at, ..error })?;
        }
        Ok(())
    }
}

impl<B: Rules> fmt::Display for Game<B> {
    /// Writes the game as UCI's command `position` has it, without its first words: the FEN of its start, `moves`, and
    /// the moves as coordinates.
    ///
    /// ```
    /// use tabiya::chess::Game;
    ///
    /// let game: Game = "startpos moves e2e4 e7e5".parse()?;
    /// let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5";
    /// assert_eq!(game.to_string(), text);
    /// assert_eq!(text.parse::<Game>()?, game);
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.start().to_fen();
        // As it will be read: the FEN does not say how xiangqi numbers the ranks.
        let read = Position::<B>::read_fen(&text, &mut Tolerance::lenient());
        let mut position = read.unwrap_or(*self.start());
        for (i, &m) in self.moves.iter().enumerate() {
            let before = if i == 0 { " moves " } else { " " };
            let _ = write!(text, "{before}{}", position.move_text(m));
            if m == B::Move::default() {
                position.make_null();
            } else {
                position.make(m);
            }
        }
        f.pad(&text)
    }
}

impl<B: Rules> FromStr for Game<B> {
    type Err = NotationError;

    /// Reads a FEN or `startpos`, and after the word `moves` the moves as [`play_line`](Game::play_line) does; or a
    /// game of a PGN that begins with its tags, of which `FEN` and `SetUp` say where it begins.
    ///
    /// ```
    /// use tabiya::chess::Game;
    ///
    /// let pgn = r#"
    /// [Event "An ending"]
    /// [SetUp "1"]
    /// [FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
    ///
    /// 1. O-O Kd7 {the king runs} 2. Rf7+ *"#;
    /// let game: Game = pgn.parse()?;
    /// assert_eq!(game.position().to_fen(), "8/3k1R2/8/8/8/8/8/6K1 b - - 3 2");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, NotationError> {
        if text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').starts_with('[') {
            let start = Start::read(text)?;
            let mut game = Game::new(start.position(&mut Tolerance::library())?.unwrap_or_default());
            return game.play_moves(text, start.moves).map(|()| game);
        }
        let word = text.split_whitespace().find(|word| *word == "moves");
        // It is a slice of `text`, so the difference of the pointers is its offset.
        let at = word.map_or(text.len(), |word| word.as_ptr() as usize - text.as_ptr() as usize);
        let (start, line) = (text[..at].trim(), text[at..].strip_prefix("moves").unwrap_or_default());
        let position = match start {
            "startpos" => Position::<B>::from_fen(B::START_FEN),
            fen => Position::<B>::from_fen(&Vec::from_iter(fen.split_whitespace()).join(" ")),
        };
        let mut game = Game::new(position?);
        let before = text.len() - line.len();
        game.play_line(line).map_err(|error| NotationError { offset: before + error.offset, ..error })?;
        Ok(game)
    }
}

impl<B: Rules> PartialEq for Game<B> {
    /// Whether both games began at the same position and have the same moves.
    fn eq(&self, other: &Self) -> bool {
        self.start() == other.start() && self.moves == other.moves
    }
}

impl<B: Rules> Eq for Game<B> {}

impl<B: Rules> Hash for Game<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.start(), &self.moves).hash(state);
    }
}

impl<B: Rules> fmt::Debug for Game<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game").field("start", self.start()).field("moves", &self.moves).finish()
    }
}

impl<B: Rules> From<Position<B>> for Game<B> {
    fn from(position: Position<B>) -> Self {
        Game::new(position)
    }
}

impl<B: Rules> Default for Game<B> {
    /// A game from the initial position.
    fn default() -> Self {
        Game::new(Position::<B>::default())
    }
}

#[cfg(all(feature = "chess", feature = "xiangqi"))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board as Chess;
    use crate::game::Side;
    use crate::xiangqi::Board as Xiangqi;

    /// Makes coordinate moves until the game ends.
    fn played<B: Rules>(fen: &str, moves: &str) -> Game<B> {
        let mut game = Game::new(Position::<B>::from_fen(fen).unwrap());
        for text in moves.split_whitespace() {
            assert_eq!(game.outcome(), None, "{fen} {text}");
            let m = game.position().parse_move(text).unwrap();
            game.play(m).unwrap();
        }
        game
    }

    #[test]
    fn chess_games_end_by_every_rule() {
        use Outcome::{Checkmate, InsufficientMaterial, MoveRule, Repetition, Stalemate};
        let start = Position::<Chess>::default().to_string();
        let knights = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        for (fen, moves, outcome, result) in [
            (start.as_str(), "f2f3 e7e5 g2g4 d8h4", Checkmate, GameResult::Loss),
            ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", Stalemate, GameResult::Draw),
            ("7k/8/8/8/8/8/6r1/7K w - - 0 1", "h1g2", InsufficientMaterial, GameResult::Draw),
            ("7k/8/8/8/8/8/R7/7K w - - 99 90", "a2a3", MoveRule, GameResult::Draw),
            (start.as_str(), knights, Repetition, GameResult::Draw),
        ] {
            let game: Game<Chess> = played(fen, moves);
            assert_eq!((game.outcome(), game.result()), (Some(outcome), Some(result)), "{fen}");
        }
    }

    #[test]
    fn xiangqi_games_end_by_every_rule() {
        use Outcome::{Checkmate, MoveRule, Perpetual, Repetition, Stalemate};
        for (fen, moves, outcome, result) in [
            ("3k5/9/9/9/9/9/9/4R4/R8/4K4 w - - 0 1", "a1d1", Checkmate, GameResult::Win),
            ("3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1", "", Stalemate, GameResult::Win),
            ("3k5/9/9/9/9/9/9/9/R8/5K3 w - - 119 90", "a1a2", MoveRule, GameResult::Draw),
            (
                "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1",
                "e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9",
                Perpetual(Side::RED),
                GameResult::Loss,
            ),
            (
                "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1",
                "a1a2 d9d8 a2a1 d8d9 a1a2 d9d8 a2a1 d8d9",
                Repetition,
                GameResult::Draw,
            ),
        ] {
            let game: Game<Xiangqi> = played(fen, moves);
            assert_eq!((game.outcome(), game.result()), (Some(outcome), Some(result)), "{fen}");
        }
    }

    #[test]
    fn an_illegal_move_changes_nothing_and_undo_goes_back() {
        let mut game = Game::<Chess>::default();
        let m = game.position().parse_move("e2e4").unwrap();
        game.play(m).unwrap();
        let error = game.play(m).unwrap_err();
        assert_eq!(error.to_string(), "move: e2e4 is not legal in this position");
        assert_eq!((game.moves(), game.start()), (&[m][..], &Position::<Chess>::default()));
        assert_eq!((game.undo(), game.undo()), (Some(m), None));
        assert_eq!(game.position(), &Position::<Chess>::default());
    }

    #[test]
    fn values_can_be_shared_between_threads() {
        fn assert_send_sync<T: Send + Sync>() {}
        assert_send_sync::<Game<Chess>>();
        assert_send_sync::<Game<Xiangqi>>();
        assert_send_sync::<crate::game::Moves<<Chess as crate::game::Rules>::Move>>();
    }
}
