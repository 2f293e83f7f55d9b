//! The methods and conversions of [`Position`] and the small types for users of the crate, without traits.
//!
//! Inside the crate, code is generic over the traits of `game`, which `contract` implements. Each function here
//! delegates to another module.

use super::board::notation;
use super::board::position::Position;
use super::types::moves::Move;
use super::types::piece::Kind;
use super::types::square::Square;
use crate::base::text::grid;
use crate::game::notation::quoted;
use crate::game::played;
use crate::game::{
    Columns, Game, IllegalMove, MoveText, Moves, Notation, NotationError, Outcome, Rules, Side,
};
use std::fmt;
use std::str::FromStr;

impl Default for Position {
    /// The initial position.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// assert_eq!(start.legal_moves().len(), 20);
    /// ```
    fn default() -> Self {
        Position::from_fen(Position::START_FEN).expect("a legal position")
    }
}

impl fmt::Display for Position {
    /// Writes the FEN; with `{:#}` draws the board, White at the bottom, with FEN's letters.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// assert_eq!(start.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// assert_eq!(format!("{start:#}"), "\
    /// r n b q k b n r
    /// p p p p p p p p
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// P P P P P P P P
    /// R N B Q K B N R");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            let piece =
                |file, rank| Square::at(file, rank).and_then(|square| self.piece_on(square));
            let letter = |(side, kind): (Side, Kind)| char::from(kind.fen_letter(side));
            return f.pad(&grid(8, 8, |file, rank| piece(file, rank).map_or('.', letter)));
        }
        f.pad(&notation::write_fen(self))
    }
}

impl FromStr for Position {
    type Err = NotationError;

    /// Reads a FEN: the same as [`Position::from_fen`].
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// assert_eq!(Position::START_FEN.parse(), Ok(Position::default()));
    /// ```
    fn from_str(fen: &str) -> Result<Self, NotationError> {
        Position::from_fen(fen)
    }
}

impl Position {
    /// The FEN of the initial position.
    pub const START_FEN: &'static str = <Position as Notation>::START_FEN;

    /// Reads a FEN strictly: six fields or four; X-FEN and Shredder-FEN for Chess960. An obviously unreachable position
    /// (two kings of a colour, an opponent in check, castling rights without their rook) is an error that names the
    /// field. The same as `fen.parse::<Position>()`.
    ///
    /// # Errors
    /// The first fault: its field, its place and what was expected.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let kiwipete = Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")?;
    /// assert_eq!(kiwipete.perft(3), 97_862);
    ///
    /// let error = Position::from_fen("8/8/8/8/8/8/8/K7 w - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "FEN board, character 1: Black must have exactly one king");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn from_fen(fen: &str) -> Result<Self, NotationError> {
        Notation::from_fen(fen)
    }

    /// Reads a FEN and accepts what is not correct but clear, as the program does: missing fields, castling rights and en
    /// passant squares without effect, more pieces than a game can have. The second value is a warning that says what was
    /// changed or ignored.
    ///
    /// # Errors
    /// If the meaning is not clear, or the position is impossible.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let (position, warning) = Position::from_fen_lenient("4k3/8/8/8/8/8/8/4K2R w KQ")?;
    /// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// assert!(warning.is_some());
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn from_fen_lenient(fen: &str) -> Result<(Self, Option<String>), NotationError> {
        Notation::from_fen_lenient(fen)
    }

    /// All legal moves, castling and promotions included: a list without allocation that is a slice and an iterator.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// let moves = start.legal_moves();
    /// assert_eq!(moves.len(), 20);
    /// for m in moves {
    ///     assert!(start.is_legal(m));
    /// }
    /// ```
    #[inline]
    #[must_use]
    pub fn legal_moves(&self) -> Moves<Move> {
        Rules::legal_moves(self)
    }

    /// The number of legal moves, counted without writing a list.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// assert_eq!(start.count_legal(), start.legal_moves().len() as u64);
    /// ```
    #[inline]
    #[must_use]
    pub fn count_legal(&self) -> u64 {
        Rules::count_legal(self)
    }

    /// The legal captures and promotions, for a quiescence search.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// let captures = start.noisy_moves();
    /// assert_eq!(captures.len() + start.quiet_moves().len(), start.legal_moves().len());
    /// ```
    #[doc(alias = "captures")]
    #[inline]
    #[must_use]
    pub fn noisy_moves(&self) -> Moves<Move> {
        Rules::noisy_moves(self)
    }

    /// The legal moves that [`noisy_moves`](Self::noisy_moves) leaves out.
    #[inline]
    #[must_use]
    pub fn quiet_moves(&self) -> Moves<Move> {
        Rules::quiet_moves(self)
    }

    /// Whether `m` is legal here; `m` may come from another position.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let start = Position::default();
    /// let m = start.parse_move("e2e4")?;
    /// assert!(start.is_legal(m));
    /// assert!(!start.play(m)?.is_legal(m));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        Rules::is_legal(self, m)
    }

    /// Writes a legal move as UCI does: `e2e4`, `e7e8q`; castling as `e1g1`, or as `e1h1` if the position is one of
    /// Chess960 ([`is_chess960`](Self::is_chess960)).
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castle = position.parse_move("O-O")?;
    /// assert_eq!(position.move_text(castle).as_str(), "e1g1");
    /// assert_eq!(position.with_chess960(true).move_text(castle).as_str(), "e1h1");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[must_use]
    pub fn move_text(&self, m: Move) -> MoveText {
        Notation::move_text(self, m)
    }

    /// The position after a move.
    ///
    /// # Errors
    /// If the move is not legal here.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let start = Position::default();
    /// let next = start.play(start.parse_move("e2e4")?)?;
    /// assert_eq!(next.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&self, m: Move) -> Result<Position, IllegalMove<Move>> {
        played::play(self, m)
    }

    /// The position after a move that is known to be legal, such as one of [`legal_moves`](Self::legal_moves). After
    /// any other move the position is unspecified, but memory stays safe. [`make`](Self::make) does the same in place.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// let replies: usize = start.legal_moves().into_iter().map(|m| start.play_unchecked(m).legal_moves().len()).sum();
    /// assert_eq!(replies, 400);
    /// ```
    #[inline]
    #[must_use]
    pub fn play_unchecked(&self, m: Move) -> Position {
        played::after(self, m)
    }

    /// Whether the side to move is in check.
    ///
    /// ```
    /// let position: tabiya::chess::Position = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".parse()?;
    /// assert!(position.in_check());
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[doc(alias = "is_check")]
    #[inline]
    #[must_use]
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// How the game has ended on the board: checkmate, stalemate or insufficient material; `None` while it goes on.
    /// The fifty-move rule is apart ([`is_fifty_move_draw`](Self::is_fifty_move_draw)). Repetition needs the history: see [`Game`](crate::chess::Game).
    ///
    /// ```
    /// use tabiya::chess::{Outcome, Position};
    ///
    /// let mate: Position = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert_eq!(mate.outcome(), Some(Outcome::Checkmate));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        played::outcome(self)
    }

    /// The number of legal move sequences of `depth` plies, by the fastest kernel of this CPU, on one thread without a
    /// hash table. [`Perft`](crate::perft::Perft) has threads, a table and 128-bit totals.
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
    ///
    /// ```
    /// assert_eq!(tabiya::chess::Position::default().perft(5), 4_865_609);
    /// ```
    #[track_caller]
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        played::perft(self, depth)
    }

    /// Each legal move with the number of sequences of `depth` plies that begin with it. Nothing at depth 0.
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// let total: u64 = start.divide(4).map(|(_, count)| count).sum();
    /// assert_eq!(total, start.perft(4));
    /// ```
    #[track_caller]
    pub fn divide(&self, depth: u32) -> impl Iterator<Item = (Move, u64)> + use<> {
        played::divide(*self, depth)
    }

    /// Captures, checks, mates and so on among the moves of the last ply of all sequences of `depth` plies.
    ///
    /// # Panics
    /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
    ///
    /// ```
    /// let columns = tabiya::chess::Position::default().statistics(4);
    /// assert_eq!((columns.nodes, columns.captures), (197_281, 1576));
    /// ```
    #[track_caller]
    #[must_use]
    pub fn statistics(&self, depth: u32) -> Columns {
        played::statistics(self, depth)
    }
}

impl fmt::Display for Move {
    /// Writes the move in UCI's notation for ordinary chess: `e2e4`, `e7e8q`, `e1g1`. In Chess960, where castling is
    /// written as king takes rook, use the position's `move_text`.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse()?;
    /// assert_eq!(position.parse_move("O-O-O")?.to_string(), "e1c1");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(notation::write_move(*self, false).as_str())
    }
}

impl fmt::Display for Kind {
    /// Writes the English name: `knight`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Pawn => "pawn",
            Kind::Knight => "knight",
            Kind::Bishop => "bishop",
            Kind::Rook => "rook",
            Kind::Queen => "queen",
            Kind::King => "king",
        })
    }
}

impl FromStr for Kind {
    type Err = NotationError;

    /// Reads a name or a letter, in any case: `knight`, `n`, `N`.
    ///
    /// ```
    /// use tabiya::chess::Kind;
    ///
    /// assert_eq!("n".parse::<Kind>()?, Kind::Knight);
    /// assert_eq!(Kind::Queen.to_string().parse::<Kind>()?, Kind::Queen);
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let lower = text.to_ascii_lowercase();
        let named = |kind: &Kind| lower == kind.to_string() || lower.as_bytes() == [kind.letter()];
        Kind::ALL.into_iter().find(named).ok_or_else(|| {
            let reason = format!("{} is not a piece; expected p n b r q k or a name", quoted(text));
            NotationError::new("piece", 0, reason)
        })
    }
}

impl FromStr for Square {
    type Err = NotationError;

    /// Reads `a1` to `h8`.
    ///
    /// ```
    /// use tabiya::chess::Square;
    ///
    /// let e4: Square = "e4".parse()?;
    /// assert_eq!((e4.file(), e4.rank(), e4.to_string().as_str()), (4, 3, "e4"));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, NotationError> {
        Square::parse(text.as_bytes()).ok_or_else(|| {
            let reason = format!("{} is not a square from a1 to h8", quoted(text));
            NotationError::new("square", 0, reason)
        })
    }
}

impl Game<Position> {
    /// Reads a move as [`Position::parse_move`] does, and makes it.
    ///
    /// # Errors
    /// If the text is not a legal move; nothing changes then.
    ///
    /// ```
    /// let mut game = tabiya::chess::Game::default();
    /// game.play_text("e4")?;
    /// assert!(game.play_text("Ke4").is_err());
    /// assert_eq!(game.moves().len(), 1);
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn play_text(&mut self, text: &str) -> Result<Move, NotationError> {
        let m = self.position().parse_move(text)?;
        self.make(m);
        Ok(m)
    }
}
