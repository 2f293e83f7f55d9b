//! The methods and conversions of [`Position`] and the small types for users of the crate, without traits.
//!
//! Inside the crate, code is generic over the traits of `game`, which `contract` implements. Each function here
//! delegates to another module.

use super::board::notation::{self, FenStyle};
use super::board::position::Position;
use super::diagnosis::Rule;
use super::types::moves::{Move, MoveKind};
use super::types::piece::Kind;
use super::types::square::Square;
use crate::base::text::grid;
use crate::game::fault::{named, quoted};
use crate::game::played;
use crate::game::{
    Columns, Diagnosis, Explanation, Game, IllegalMove, MoveText, Moves, Notation, NotationError,
    Outcome, Rules, Side,
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
        f.pad(&notation::write_fen(self, FenStyle::default()))
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

    /// Writes the FEN in another style: with the e.p. square always or only if a capture is legal, with castling rights
    /// as X-FEN or Shredder-FEN.
    #[must_use]
    pub fn fen_as(&self, style: FenStyle) -> String {
        notation::write_fen(self, style)
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

    /// Explains why the move `text` is legal or illegal here: the rule, and a sentence with the pieces and squares that
    /// make it so. The text is written as coordinates (`e2e4`, `e7e8q`, castling `e1g1` or `O-O`).
    ///
    /// # Errors
    /// If the text is not of the form of a move.
    ///
    /// ```
    /// use tabiya::chess::{Position, Rule};
    ///
    /// let position: Position = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1".parse()?;
    /// let explanation = position.explain("e2c3")?;
    /// assert!(!explanation.legal);
    /// assert_eq!(explanation.rule, Rule::Pinned);
    /// assert_eq!(explanation.to_string(), "the knight on e2 is pinned to its king on e1 by the rook on e4");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn explain(&self, text: &str) -> Result<Explanation<Rule>, NotationError> {
        self.explain_after(text, &[])
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

    /// The position after a null move: the side to move passes. `None` if it is in check.
    ///
    /// ```
    /// use tabiya::chess::{Position, Side};
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
    /// let game: tabiya::chess::Game = "startpos moves e4 e5 Nf3".parse()?;
    /// assert_eq!(game.start().line_text(game.moves())?, "e2e4 e7e5 g1f3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn line_text(&self, moves: &[Move]) -> Result<String, IllegalMove<Move>> {
        played::line(self, moves, |_| None, Position::move_text)
    }

    /// A line of moves in SAN with move numbers, as PGN has it.
    ///
    /// # Errors
    /// The first move that is not legal. A null move ([`Move::NONE`]) is `--`.
    ///
    /// ```
    /// use tabiya::chess::Game;
    ///
    /// let game: Game = "startpos moves e2e4 e7e5 g1f3".parse()?;
    /// assert_eq!(game.start().san_line(game.moves())?, "1. e4 e5 2. Nf3");
    /// let second = game.start().play(game.moves()[0])?;
    /// assert_eq!(second.san_line(&game.moves()[1..])?, "1... e5 2. Nf3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "variation_san")]
    pub fn san_line(&self, moves: &[Move]) -> Result<String, IllegalMove<Move>> {
        played::line(self, moves, |position| Some(position.fullmove_number()), Position::san)
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

impl FromStr for MoveKind {
    type Err = NotationError;

    /// Reads a name, in any case.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        named(text, "kind of move", &MoveKind::ALL)
    }
}

impl fmt::Display for MoveKind {
    /// Writes the English name: of the piece, or `double step`, `en passant`, `castling`, `promotion to knight`.
    ///
    /// ```
    /// use tabiya::chess::MoveKind;
    ///
    /// assert_eq!(MoveKind::EnPassant.to_string(), "en passant");
    /// assert_eq!("castling".parse(), Ok(MoveKind::Castle));
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            MoveKind::Pawn => "pawn",
            MoveKind::Knight => "knight",
            MoveKind::Bishop => "bishop",
            MoveKind::Rook => "rook",
            MoveKind::Queen => "queen",
            MoveKind::King => "king",
            MoveKind::DoublePush => "double step",
            MoveKind::EnPassant => "en passant",
            MoveKind::Castle => "castling",
            MoveKind::PromoteKnight => "promotion to knight",
            MoveKind::PromoteBishop => "promotion to bishop",
            MoveKind::PromoteRook => "promotion to rook",
            MoveKind::PromoteQueen => "promotion to queen",
        })
    }
}

/// The rules of FIDE on draws. [`outcome`](Self::outcome) is simpler: it ends the game as soon as a player could claim a
/// draw, as programs do that let engines play.
impl Game<Position> {
    /// The draw that the side to move can claim: the position has occurred three times, or fifty moves have passed without
    /// a capture or pawn move. `None` if the game is over already.
    ///
    /// ```
    /// use tabiya::chess::{Game, Outcome};
    ///
    /// let mut game = Game::default();
    /// for text in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split(' ') {
    ///     game.play_text(text)?;
    /// }
    /// let last = game.position().parse_move("Ng8")?;
    /// assert_eq!((game.claimable_draw(), game.claimable_draw_by(last)), (None, Some(Outcome::Repetition)));
    /// game.play_text("Ng8")?;
    /// assert_eq!((game.claimable_draw(), game.automatic_outcome()), (Some(Outcome::Repetition), None));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[doc(alias = "can_claim_draw")]
    pub fn claimable_draw(&self) -> Option<Outcome> {
        if self.automatic_outcome().is_some() {
            return None;
        }
        self.draw_after(3, 100)
    }

    /// The draw that the side to move can claim by writing down the legal move `m` without making it.
    pub fn claimable_draw_by(&self, m: Move) -> Option<Outcome> {
        let mut next = self.clone();
        next.play(m).ok()?;
        next.claimable_draw()
    }

    /// How the game has ended without a claim: checkmate, stalemate, insufficient material, the fifth occurrence of a
    /// position, or seventy-five moves without a capture or pawn move.
    pub fn automatic_outcome(&self) -> Option<Outcome> {
        self.position().outcome().or_else(|| self.draw_after(5, 150))
    }

    /// The draw after so many occurrences of the position, or plies on the clock.
    fn draw_after(&self, occurrences: usize, plies: u16) -> Option<Outcome> {
        if self.repetitions() >= occurrences {
            return Some(Outcome::Repetition);
        }
        (self.position().halfmove_clock() >= plies).then_some(Outcome::MoveRule)
    }
}
