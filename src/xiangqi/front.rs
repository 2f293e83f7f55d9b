//! The methods and conversions of [`Position`] and the small types for users of the crate, without traits.
//!
//! Inside the crate, code is generic over the traits of `game`, which `contract` implements. Each function here
//! delegates to another module.

use super::board::position::Position;
use super::board::{chinese, notation};
use super::diagnosis::Rule;
use super::types::moves::{Move, MoveKind};
use super::types::piece::Kind;
use super::types::square::Square;
use crate::base::text::grid;
use crate::game::fault::{named, quoted};
use crate::game::notation::bare_move;
use crate::game::played;
use crate::game::{
    Columns, Diagnosis as _, Explanation, IllegalMove, MoveText, Moves, Notation, NotationError,
    Outcome, Rules, Side,
};
use std::fmt;
use std::str::FromStr;

impl Default for Position {
    /// The initial position.
    ///
    /// ```
    /// let start = tabiya::xiangqi::Position::default();
    /// assert_eq!(start.legal_moves().len(), 44);
    /// ```
    fn default() -> Self {
        Position::from_fen(Position::START_FEN).expect("a legal position")
    }
}

impl fmt::Display for Position {
    /// Writes the FEN; with `{:#}` draws the board, Red at the bottom, with FEN's letters.
    ///
    /// ```
    /// let start = tabiya::xiangqi::Position::default();
    /// assert_eq!(start.to_string(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    /// assert_eq!(format!("{start:#}"), "\
    /// r n b a k a b n r
    /// . . . . . . . . .
    /// . c . . . . . c .
    /// p . p . p . p . p
    /// . . . . . . . . .
    /// . . . . . . . . .
    /// P . P . P . P . P
    /// . C . . . . . C .
    /// . . . . . . . . .
    /// R N B A K A B N R");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            let piece =
                |file, rank| Square::at(file, rank).and_then(|square| self.piece_on(square));
            let letter = |(side, kind): (Side, Kind)| char::from(kind.fen_letter(side));
            return f.pad(&grid(9, 10, |file, rank| piece(file, rank).map_or('.', letter)));
        }
        f.pad(&notation::write_fen(self))
    }
}

impl FromStr for Position {
    type Err = NotationError;

    /// Reads a FEN: the same as [`Position::from_fen`].
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
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

    /// Reads a FEN strictly. The letters `n b` or `h e` stand for horse and elephant. A position with a piece where it
    /// can never get, or with the opponent in check, is an error that names the field. The same as
    /// `fen.parse::<Position>()`.
    ///
    /// # Errors
    /// The first fault: its field, its place and what was expected.
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    ///
    /// let position = Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1")?;
    /// assert_eq!(position.perft(1), position.legal_moves().len() as u64);
    ///
    /// let error = Position::from_fen("9/9/9/9/9/9/9/9/9/4K4 w - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "FEN board, character 1: Black must have exactly one king");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn from_fen(fen: &str) -> Result<Self, NotationError> {
        Notation::from_fen(fen)
    }

    /// Reads a FEN and accepts what is not correct but clear, as the program does, such as missing fields
    /// or a full-move number of 0. The second value is a warning that says what was changed or ignored.
    ///
    /// # Errors
    /// If the meaning is not clear, or the position is impossible.
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    ///
    /// let (position, warning) = Position::from_fen_lenient("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 0")?;
    /// assert_eq!(position.to_string(), "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
    /// assert!(warning.is_some());
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn from_fen_lenient(fen: &str) -> Result<(Self, Option<String>), NotationError> {
        Notation::from_fen_lenient(fen)
    }

    /// All legal moves: a list without allocation that is a slice and an iterator.
    ///
    /// ```
    /// let start = tabiya::xiangqi::Position::default();
    /// let moves = start.legal_moves();
    /// assert_eq!(moves.len(), 44);
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
    /// let start = tabiya::xiangqi::Position::default();
    /// assert_eq!(start.count_legal(), start.legal_moves().len() as u64);
    /// ```
    #[inline]
    #[must_use]
    pub fn count_legal(&self) -> u64 {
        Rules::count_legal(self)
    }

    /// The legal captures, for a quiescence search.
    ///
    /// ```
    /// let start = tabiya::xiangqi::Position::default();
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
    /// use tabiya::xiangqi::Position;
    ///
    /// let start = Position::default();
    /// let m = start.parse_move("h2e2")?;
    /// assert!(start.is_legal(m));
    /// assert!(!start.play(m)?.is_legal(m));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        Rules::is_legal(self, m)
    }

    /// Reads a legal move in any notation: as coordinates (`h2e2`, with ranks as [`first_rank`](Self::first_rank) has
    /// them), in ICCS (`H2-E2`, ranks 0 to 9), in WXF notation (`C2=5`), in the forms that
    /// [`parse_wxf`](Self::parse_wxf) lists, or in Chinese (`炮二平五`, as [`chinese`](Self::chinese) describes). A number in
    /// front of the move (`1.`, `1...`) and marks behind it (`! ? + # ± = N`, blanks) mean nothing.
    ///
    /// [`Notation::parse_coordinates`] reads coordinates alone.
    ///
    /// # Errors
    /// If the text is not a move, is ambiguous, or is not legal here.
    ///
    /// ```
    /// let start = tabiya::xiangqi::Position::default();
    /// for text in ["h2e2", "H2-E2", "C2=5", "1. c2.5 !?", "Che2", "炮二平五"] {
    ///     assert_eq!(start.parse_move(text)?.to_string(), "h2e2");
    /// }
    /// assert!(start.parse_move("h2h9").is_ok() && start.parse_move("h2h8").is_err());
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[doc(alias = "parse_uci")]
    pub fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let bare = bare_move(text);
        if chinese::is_chinese(bare) {
            return chinese::read(self, bare);
        }
        let square = |at: usize| bare.as_bytes().get(at..at + 2).and_then(Square::parse);
        match notation::read_move(self, bare) {
            Err(_) if square(0).is_none() || square(2).is_none() => self.parse_wxf(bare),
            result => result,
        }
    }

    /// Writes a legal move as coordinates: `h2e2`, or with ranks 1 to 10 if the position numbers them so
    /// ([`with_first_rank`](Self::with_first_rank)).
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    ///
    /// let start = Position::default();
    /// let m = start.parse_move("C2=5")?;
    /// assert_eq!(start.move_text(m).as_str(), "h2e2");
    /// assert_eq!(start.with_first_rank(1).move_text(m).as_str(), "h3e3");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[must_use]
    pub fn move_text(&self, m: Move) -> MoveText {
        Notation::move_text(self, m)
    }

    /// Explains why the move `text` is legal or illegal here: the rule, and a sentence with the pieces and squares that
    /// make it so. The text is written as coordinates.
    ///
    /// # Errors
    /// If the text is not of the form of a move.
    ///
    /// ```
    /// use tabiya::xiangqi::{Position, Rule};
    ///
    /// let explanation = Position::default().explain("b0d1")?;
    /// assert_eq!((explanation.legal, explanation.rule), (false, Rule::HorseLeg));
    /// let sentence = "the elephant on c0 blocks the leg of the horse on b0 on the way to d1";
    /// assert_eq!(explanation.to_string(), sentence);
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn explain(&self, text: &str) -> Result<Explanation<Rule>, NotationError> {
        self.explain_after(text, &[])
    }

    /// The position after a move.
    ///
    /// # Errors
    /// If the move is not legal here.
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    ///
    /// let start = Position::default();
    /// let next = start.play(start.parse_move("h2e2")?)?;
    /// assert_eq!(next.to_string(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&self, m: Move) -> Result<Position, IllegalMove<Move>> {
        played::play(self, m)
    }

    /// The position after a move that is known to be legal, such as one of [`legal_moves`](Self::legal_moves). After
    /// any other move the position is unspecified, but memory stays safe. [`make`](Self::make) does the same in place.
    ///
    /// ```
    /// let start = tabiya::xiangqi::Position::default();
    /// let replies: usize = start.legal_moves().into_iter().map(|m| start.play_unchecked(m).legal_moves().len()).sum();
    /// assert_eq!(replies, 1920);
    /// ```
    #[inline]
    #[must_use]
    pub fn play_unchecked(&self, m: Move) -> Position {
        played::after(self, m)
    }

    /// The position after a null move: the side to move passes. `None` if it is in check.
    ///
    /// ```
    /// use tabiya::xiangqi::{Position, Side};
    ///
    /// let start = Position::default();
    /// assert_eq!(start.play_null().map(|position| position.side()), Some(Side::BLACK));
    /// ```
    #[must_use]
    pub fn play_null(&self) -> Option<Position> {
        played::play_null(self)
    }

    /// A line of moves as coordinates, separated by blanks: what a search expects, the moves of a game.
    ///
    /// # Errors
    /// The first move that is not legal.
    ///
    /// ```
    /// let game: tabiya::xiangqi::Game = "startpos moves C2=5 H8+7".parse()?;
    /// assert_eq!(game.start().line_text(game.moves())?, "h2e2 h9g7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn line_text(&self, moves: &[Move]) -> Result<String, IllegalMove<Move>> {
        played::line(self, moves, |_| None, Position::move_text)
    }

    /// A line of moves in WXF notation with move numbers: `1. C2=5 H8+7`.
    ///
    /// # Errors
    /// The first move that is not legal. A null move ([`Move::NONE`]) is `--`.
    ///
    /// ```
    /// use tabiya::xiangqi::Game;
    ///
    /// let game: Game = "startpos moves h2e2 h9g7 C8=6".parse()?;
    /// assert_eq!(game.start().wxf_line(game.moves())?, "1. C2=5 H8+7 2. C8=6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wxf_line(&self, moves: &[Move]) -> Result<String, IllegalMove<Move>> {
        let text = |position: &Position, m| match m {
            Move::NONE => MoveText::new(b"--"),
            m => position.wxf(m),
        };
        played::line(self, moves, |position| Some(position.fullmove_number()), text)
    }

    /// Whether `side` has no piece that can cross the river, and so nothing to win with.
    /// [`is_material_insufficient`](Self::is_material_insufficient) is true if neither side has one.
    ///
    /// ```
    /// use tabiya::xiangqi::{Position, Side};
    ///
    /// let position: Position = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1".parse()?;
    /// assert!(position.has_insufficient_material(Side::BLACK));
    /// assert!(!position.has_insufficient_material(Side::RED));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[must_use]
    pub fn has_insufficient_material(&self, side: Side) -> bool {
        let crosses = [Kind::Soldier, Kind::Horse, Kind::Chariot, Kind::Cannon];
        crosses.into_iter().all(|kind| self.pieces(side, kind).is_empty())
    }

    /// Whether both positions have the same pieces and side to move, and so are the same for the rules on repetition.
    /// Then their [`key`](Self::key) is equal too. `==` also compares the move counters, the rules and
    /// the numbering of ranks.
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    ///
    /// let start = Position::default();
    /// assert!(start != start.with_first_rank(1) && start.same_position(&start.with_first_rank(1)));
    /// ```
    #[must_use]
    pub fn same_position(&self, other: &Position) -> bool {
        (self.kinds, self.sides, self.side) == (other.kinds, other.sides, other.side)
    }

    /// How the game has ended on the board: checkmate, stalemate (which loses) or insufficient material; `None` while
    /// it goes on. The move limit is apart ([`is_sixty_move_draw`](Self::is_sixty_move_draw)). Repetition needs the
    /// history: see [`Game`](crate::xiangqi::Game).
    ///
    /// ```
    /// use tabiya::xiangqi::{Outcome, Position};
    ///
    /// let mate: Position = "3k5/9/9/9/9/9/9/9/3RR4/4K4 b - - 0 1".parse()?;
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
    /// assert_eq!(tabiya::xiangqi::Position::default().perft(4), 3_290_240);
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
    /// let start = tabiya::xiangqi::Position::default();
    /// let total: u64 = start.divide(3).map(|(_, count)| count).sum();
    /// assert_eq!(total, start.perft(3));
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
    /// let columns = tabiya::xiangqi::Position::default().statistics(3);
    /// assert_eq!((columns.nodes, columns.captures), (79_666, 3_159));
    /// ```
    #[track_caller]
    #[must_use]
    pub fn statistics(&self, depth: u32) -> Columns {
        played::statistics(self, depth)
    }
}

impl fmt::Display for Move {
    /// Writes the move as coordinates with ranks 0 to 9: `h2e2`. For ranks 1 to 10 use the position's `move_text`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Move::NONE {
            return f.pad("0000");
        }
        f.pad(&format!("{}{}", self.from(), self.to()))
    }
}

impl fmt::Display for Kind {
    /// Writes the English name: `horse`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Soldier => "soldier",
            Kind::Horse => "horse",
            Kind::Elephant => "elephant",
            Kind::Advisor => "advisor",
            Kind::Chariot => "chariot",
            Kind::Cannon => "cannon",
            Kind::King => "king",
        })
    }
}

impl FromStr for Kind {
    type Err = NotationError;

    /// Reads a name or a letter, in any case: `horse`, `n`, `N`.
    ///
    /// ```
    /// use tabiya::xiangqi::Kind;
    ///
    /// assert_eq!("n".parse::<Kind>()?, Kind::Horse);
    /// assert_eq!(Kind::Cannon.to_string().parse::<Kind>()?, Kind::Cannon);
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let lower = text.to_ascii_lowercase();
        let named = |kind: &Kind| lower == kind.to_string() || lower.as_bytes() == [kind.letter()];
        Kind::ALL.into_iter().find(named).ok_or_else(|| {
            let reason =
                format!("{} is not a piece; expected p n b a r c k or a name", quoted(text));
            NotationError::new("piece", 0, reason)
        })
    }
}

impl FromStr for Square {
    type Err = NotationError;

    /// Reads `a0` to `i9`.
    ///
    /// ```
    /// use tabiya::xiangqi::Square;
    ///
    /// let e0: Square = "e0".parse()?;
    /// assert_eq!((e0.file(), e0.rank(), e0.to_string().as_str()), (4, 0, "e0"));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, NotationError> {
        Square::parse(text.as_bytes()).ok_or_else(|| {
            let reason = format!("{} is not a point from a0 to i9", quoted(text));
            NotationError::new("square", 0, reason)
        })
    }
}

impl fmt::Display for MoveKind {
    /// Writes the English name: `step`, or that of the piece.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            MoveKind::Step => "step",
            MoveKind::Horse => "horse",
            MoveKind::Chariot => "chariot",
            MoveKind::Cannon => "cannon",
        })
    }
}

impl FromStr for MoveKind {
    type Err = NotationError;

    /// Reads a name, in any case.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        use MoveKind::{Cannon, Chariot, Horse, Step};
        named(text, "kind of move", &[Step, Horse, Chariot, Cannon])
    }
}
