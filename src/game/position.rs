//! [`Position`], written once for both games, and [`Rules`], what each game says of its moves, keys and notation.
//!
//! A position owns what is known of its board: the key, the checks and the pins, which [`Position::make`] brings up to
//! date. It contains no history ([`Game`](crate::game::Game) does). What one game alone has is in `impl` blocks of that
//! game's `board`; its `mod.rs` implements `Rules`.

use crate::base::bits::BitSet;
use crate::base::text::grid;
use crate::game::moves::{ALL, GameMove, ListSink, Moves, NOISY, QUIET, Sink};
use crate::game::play::outcome::{IllegalMove, Outcome, Verdict};
use crate::game::side::Side;
use crate::game::text::fault::NotationError;
use crate::game::text::fen::{BoardSize, Tolerance};
use crate::game::text::notation::MoveText;
use std::fmt::{self, Write as _};
use std::hash::Hash;
use std::str::FromStr;

/// The largest half-move clock and full-move number.
pub const MAX_COUNTER: u16 = 9_999;

/// A legal position of the game with this board: `chess::Position` and `xiangqi::Position` are names for it.
///
/// It is a board, to which it dereferences, with the move counters and with what legality and hashing need at every
/// move: the Zobrist key, the pieces that give check, and those that are pinned. `==` and `Hash` compare the
/// move counters, the rules and how moves are written too; `same_position` and [`key`](Self::key) do not.
///
/// ```
/// use tabiya::chess::{Kind, Position, Side, Square};
///
/// let mut position: Position = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 10".parse()?;
/// assert_eq!((position.side(), position.fullmove_number(), position.halfmove_clock()), (Side::WHITE, 10, 0));
/// assert_eq!(position.piece_on(Square::E5), Some((Side::WHITE, Kind::Pawn)));
/// assert_eq!(position.pieces(Side::BLACK, Kind::Rook), [Square::A8, Square::H8].into_iter().collect());
/// assert_eq!(position.side_set(Side::WHITE) | position.side_set(Side::BLACK), position.occupied());
/// assert_eq!(position.kind_set(Kind::King).count(), 2);
/// assert_eq!((position.king(Side::BLACK), position.castling().count()), (Square::E8, 4));
/// assert_eq!(position.en_passant(), Some(Square::D6));
///
/// let capture = position.parse_move("exd6")?;
/// assert!(position.is_capture(capture));
/// let key = position.key();
/// position.make(capture);
/// assert_ne!(position.key(), key);
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
///
/// ```
/// use tabiya::xiangqi::{Kind, Position, Side, Square};
///
/// let position = Position::default();
/// assert_eq!(position.piece_on(Square::B0), Some((Side::RED, Kind::Horse)));
/// assert_eq!(position.pieces(Side::BLACK, Kind::Cannon), [Square::B7, Square::H7].into_iter().collect());
/// assert_eq!((position.king(Side::BLACK), position.kind_set(Kind::Soldier).count()), (Square::E9, 10));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position<B: Rules> {
    pub(crate) board: B,
    /// The Zobrist key of the board.
    pub(crate) key: u64,
    /// The checks to the side to move, and its pins.
    pub(crate) checks_and_pins: B::ChecksAndPins,
    pub(crate) halfmove: u16,
    pub(crate) fullmove: u16,
    pub(crate) extra: B::Extra,
}

/// The rules of a game, implemented by its board: pieces, side to move and rights, which is all that move generation
/// needs.
///
/// `chess::Board` and `xiangqi::Board` implement it. It is the bound for code that is generic over both games: such
/// code takes a [`Position<B>`](Position) and calls its methods.
///
/// ```
/// use tabiya::game::{Position, Rules};
///
/// /// The largest number of legal moves after one move.
/// fn most_replies<B: Rules>(position: &Position<B>) -> u64 {
///     position.legal_moves().into_iter().map(|m| position.play_unchecked(m).count_legal()).max().unwrap_or(0)
/// }
///
/// assert_eq!(most_replies(&tabiya::chess::Position::default()), 20);
/// assert_eq!(most_replies(&tabiya::xiangqi::Position::default()), 45);
/// ```
pub trait Rules: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// The move type of this game.
    type Move: GameMove;
    /// A set of squares.
    type Bitboard: BitSet;
    /// The checks to the side to move, and what they and the pins forbid.
    type ChecksAndPins: Copy + Eq + Hash + Send + Sync + 'static;
    /// What positions of this game have besides: how moves are written, which rules apply.
    type Extra: Copy + Eq + Hash + Send + Sync + 'static;
    /// What the rules on repetition have to know of an earlier position and the move made in it.
    type Past: Copy + Send + Sync + 'static;

    /// Whether stalemate loses; otherwise it is a draw.
    const STALEMATE_LOSES: bool;
    /// The FEN of the initial position.
    const START_FEN: &'static str;
    /// The size of the board.
    const SIZE: BoardSize;

    /// The side to move.
    fn side(&self) -> Side;
    /// The checks to the side to move, and its pins, from scratch.
    fn compute_checks_and_pins(&self) -> Self::ChecksAndPins;
    /// The Zobrist key, from scratch.
    fn compute_key(&self) -> u64;
    /// The enemy pieces that give check.
    fn checkers(checks_and_pins: &Self::ChecksAndPins) -> Self::Bitboard;
    /// Generates the legal moves selected by `SELECT` (`ALL`, `NOISY` or `QUIET` of `game::moves`) into `sink`.
    fn generate<const SELECT: u8, S: Sink<Self::Move>>(&self, checks_and_pins: &Self::ChecksAndPins, sink: &mut S);
    /// The number of legal moves.
    fn count_legal(&self, checks_and_pins: &Self::ChecksAndPins) -> u64;
    /// Whether `m`, any packed move, is legal.
    fn is_legal(&self, checks_and_pins: &Self::ChecksAndPins, m: Self::Move) -> bool;
    /// Makes a legal move and brings the key, the checks and pins, and the clock of captures up to date.
    fn make(position: &mut Position<Self>, m: Self::Move);
    /// Makes a null move: the same for a side that passes.
    fn pass(position: &mut Position<Self>);

    /// What to remember of a position before `m` (the default move for a null move) is made.
    fn past(position: &Position<Self>, m: Self::Move) -> Self::Past;
    /// The key of the position that is remembered.
    fn key_of(past: &Self::Past) -> u64;
    /// Plies until the move counter makes the game a draw, if nothing resets it.
    fn plies_to_draw(position: &Position<Self>) -> u32;
    /// Whether the rules on repetition, move counters and material end the game here, or bound its result.
    ///
    /// `trail` holds what is remembered of the positions since the last null move, the oldest first. Of these, the
    /// last `ply`, or all if there are fewer, were added by the search.
    fn verdict(position: &Position<Self>, trail: &[Self::Past], ply: usize) -> Option<Verdict>;
    /// Whether neither side has the pieces to win.
    fn is_material_insufficient(&self) -> bool;

    /// FEN's letter of the piece on a file and rank.
    fn letter_at(&self, file: i32, rank: i32) -> Option<u8>;
    /// Reads a FEN from which [`Position::read_fen`] has removed stray characters.
    ///
    /// # Errors
    /// If the text is malformed or the position is impossible, and `tolerance` does not overlook that.
    fn parse_fen(fen: &str, tolerance: &mut Tolerance) -> Result<Position<Self>, NotationError>;
    /// Writes the FEN.
    fn write_fen(position: &Position<Self>) -> String;
    /// Reads a legal move in any notation of the game.
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal or ambiguous.
    fn read_move(position: &Position<Self>, text: &str) -> Result<Self::Move, NotationError>;
    /// Reads a legal move as coordinates alone.
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal.
    fn read_coordinates(position: &Position<Self>, text: &str) -> Result<Self::Move, NotationError>;
    /// Writes a legal move as coordinates.
    fn write_move(position: &Position<Self>, m: Self::Move) -> MoveText;
}

impl<B: Rules> std::ops::Deref for Position<B> {
    type Target = B;

    #[inline(always)]
    fn deref(&self) -> &B {
        &self.board
    }
}

/// Reading and writing.
impl<B: Rules> Position<B> {
    /// The FEN of the initial position.
    pub const START_FEN: &'static str = B::START_FEN;

    /// Reads a FEN strictly, but for the full-move number 0, which is read as 1. The same as `fen.parse::<Position>()`.
    ///
    /// Chess: six fields or four; in Chess960, castling rights as the files of the rooks (`HAha`; `K` or `Q` beside one
    /// of them is the outermost rook); the empty pockets `[]` may follow the board. Xiangqi: the letters `n b` or `h e`
    /// stand for horse and elephant; the two dashes may be missing.
    ///
    /// # Errors
    /// The first fault: its field, its place and what was expected. An obviously unreachable position is an error too:
    /// two kings of a colour, an opponent in check, castling rights without their rook, `KQkq` where king and rook do
    /// not stand as in ordinary chess, a piece of xiangqi where it can never get.
    ///
    /// ```
    /// use tabiya::{chess, xiangqi};
    ///
    /// let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    /// assert_eq!(chess::Position::from_fen(fen)?.perft(3), 97_862);
    /// let position = xiangqi::Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1")?;
    /// assert_eq!(position.perft(1), position.legal_moves().len() as u64);
    ///
    /// let error = chess::Position::from_fen("8/8/8/8/8/8/8/K7 w - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "FEN board, character 1: Black must have exactly one king");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn from_fen(fen: &str) -> Result<Self, NotationError> {
        Self::read_fen(fen, &mut Tolerance::library())
    }

    /// Reads a FEN and accepts what is not correct but clear, as the program does: missing fields, castling rights and
    /// en passant squares without effect, more pieces than a game of chess can have, X-FEN's `KQkq` for Chess960. The
    /// second value is a warning that says what was changed or ignored.
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
    ///
    /// let chess960 = "4k3/8/8/8/8/8/8/4KR2 w K - 0 1";
    /// assert!(Position::from_fen(chess960).is_err());
    /// let (position, warning) = Position::from_fen_lenient(chess960)?;
    /// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4KR2 w F - 0 1");
    /// assert!(warning.is_some_and(|warning| warning.ends_with("read as Chess960")));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn from_fen_lenient(fen: &str) -> Result<(Self, Option<String>), NotationError> {
        let mut tolerance = Tolerance::lenient();
        let position = Self::read_fen(fen, &mut tolerance)?;
        Ok((position, tolerance.warning()))
    }

    #[doc(hidden)]
    /// Reads a FEN with this tolerance of faults.
    ///
    /// # Errors
    /// If the text is malformed or the position is impossible, and `tolerance` does not overlook that.
    pub fn read_fen(fen: &str, tolerance: &mut Tolerance) -> Result<Self, NotationError> {
        match tolerance.tidied(fen) {
            None => B::parse_fen(fen, tolerance),
            Some(text) => B::parse_fen(&text, tolerance).map_err(|error| tolerance.in_original(error)),
        }
    }

    /// Writes the FEN. Reading it back as strictly as the position was read gives the same position.
    #[must_use]
    pub fn to_fen(&self) -> String {
        B::write_fen(self)
    }

    /// Reads a legal move in any notation: coordinates, and what people and programs write.
    ///
    /// Chess:
    /// - coordinates: `e2e4`, `e7e8q`, castling as `e1g1` or `e1h1`; with a hyphen, an arrow, an `x` or the piece
    ///   (`e2-e4`, `e2->e4`, `Ng1-f3`, `e4xd5`), in capitals (`E2-E4`);
    /// - Standard Algebraic Notation (SAN): `e4`, `Nf3`, `exd5`, `Rad1`, `e8=Q+`, `O-O-O`; more of the origin than is
    ///   needed (`Ng1f3`), captures without `x` or with `:`, and `xd5` if one capture alone is meant;
    /// - promotions as `e8=Q`, `e8Q`, `e8(Q)`, `e8/Q`, `e7e8=Q`, the letter in lower case too;
    /// - castling with letters `O` or `o` or zeros, with hyphens or dashes of any kind or none;
    /// - figurines such as `♘f3`, and `n`, `r`, `q`, `k` for the upper-case letters (a `b` is the file).
    ///
    /// Xiangqi:
    /// - coordinates: `h2e2`, with ranks as the position numbers them; ICCS: `H2-E2`, ranks 0 to 9;
    /// - WXF notation: `C2=5`, and the forms that `parse_wxf` lists;
    /// - Chinese: `炮二平五`.
    ///
    /// A number in front (`12.e4`, `12...e5`) and marks behind (`+ # ! ?`, `e.p.`, `±`, `□`, `=`, `N`, `$14`, blanks)
    /// mean nothing; a missing or wrong mark of check is accepted. [`parse_coordinates`](Self::parse_coordinates) reads
    /// coordinates alone.
    ///
    /// # Errors
    /// If the text is not a move, or if the move is illegal here or ambiguous. The error is one line that quotes the
    /// text; for an ambiguous text it lists the moves that are meant by it.
    ///
    /// ```
    /// use tabiya::{chess, xiangqi};
    ///
    /// let pos = chess::Position::from_fen("r3k3/1P6/8/8/8/8/8/R3K2R w KQ - 0 1")?;
    /// for text in ["e1c1", "O-O-O", "0-0-0!?", "E1-C1", "15. O–O–O ±"] {
    ///     assert_eq!(pos.parse_move(text)?.to_string(), "e1c1");
    /// }
    /// assert_eq!(pos.parse_move("bxa8=Q+!")?, pos.parse_move("b7a8q")?);
    /// let error = chess::Position::from_fen("4k3/8/8/8/8/R6R/8/4K3 w - - 0 1")?.parse_move("Rd3").unwrap_err();
    /// assert_eq!(error.reason, "\"Rd3\" is ambiguous: Rad3 or Rhd3");
    ///
    /// let start = xiangqi::Position::default();
    /// for text in ["h2e2", "H2-E2", "C2=5", "1. c2.5 !?", "Che2", "炮二平五"] {
    ///     assert_eq!(start.parse_move(text)?.to_string(), "h2e2");
    /// }
    /// assert!(start.parse_move("h2h9").is_ok() && start.parse_move("h2h8").is_err());
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[doc(alias = "parse_san")]
    #[doc(alias = "parse_uci")]
    pub fn parse_move(&self, text: &str) -> Result<B::Move, NotationError> {
        B::read_move(self, text)
    }

    /// Reads a legal move in coordinate notation alone, as protocols have it: what [`move_text`](Self::move_text)
    /// writes. Castling may be written with the king's target or with the rook's square.
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal here.
    pub fn parse_coordinates(&self, text: &str) -> Result<B::Move, NotationError> {
        B::read_coordinates(self, text)
    }

    /// Writes a legal move as coordinates: `e2e4`, `e7e8q`, `h2e2`. Castling is `e1g1`, or `e1h1` in a position of
    /// Chess960; in xiangqi the ranks are numbered as the position has them.
    ///
    /// ```
    /// use tabiya::{chess, xiangqi};
    ///
    /// let position: chess::Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castle = position.parse_move("O-O")?;
    /// assert_eq!(position.move_text(castle).as_str(), "e1g1");
    /// assert_eq!(position.with_chess960(true).move_text(castle).as_str(), "e1h1");
    ///
    /// let start = xiangqi::Position::default();
    /// let m = start.parse_move("h2e2")?;
    /// assert_eq!(start.with_first_rank(1).move_text(m).as_str(), "h3e3");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[must_use]
    pub fn move_text(&self, m: B::Move) -> MoveText {
        B::write_move(self, m)
    }

    /// A line of moves as coordinates, separated by blanks, such as a principal variation.
    ///
    /// # Errors
    /// The first move that is not legal.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// let first = start.legal_moves()[0];
    /// assert_eq!(start.line_text(&[first])?, first.to_string());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn line_text(&self, moves: &[B::Move]) -> Result<String, IllegalMove<B::Move>> {
        self.line_in(moves, |_| None, Self::move_text)
    }

    /// The moves of a line in the words of `text`, separated by blanks; with move numbers, if `number` gives that of
    /// the position.
    pub(crate) fn line_in(
        &self,
        moves: &[B::Move],
        number: impl Fn(&Self) -> Option<u16>,
        text: impl Fn(&Self, B::Move) -> MoveText,
    ) -> Result<String, IllegalMove<B::Move>> {
        let (mut position, mut line) = (*self, String::new());
        for (i, &m) in moves.iter().enumerate() {
            let separator = if i == 0 { "" } else { " " };
            let _ = match (number(&position), position.side()) {
                (Some(number), Side::First) => write!(line, "{separator}{number}. "),
                (Some(number), Side::Second) if i == 0 => write!(line, "{number}... "),
                _ => write!(line, "{separator}"),
            };
            line.push_str(text(&position, m).as_str());
            let null = m == B::Move::default();
            position = if null { position.play_null().ok_or(IllegalMove(m))? } else { position.play(m)? };
        }
        Ok(line)
    }
}

/// What is known of the position.
impl<B: Rules> Position<B> {
    /// The Zobrist key. Positions that are the same for the rules on repetition have the same key.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w - - 0 1".parse()?;
    /// let moved = position.play_unchecked(position.parse_move("Rh2")?);
    /// assert_eq!(moved.key(), "4k3/8/8/8/8/8/7R/4K3 b - - 9 40".parse::<Position>()?.key());
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[doc(alias = "hash")]
    #[doc(alias = "zobrist")]
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The enemy pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> B::Bitboard {
        B::checkers(&self.checks_and_pins)
    }

    /// Whether the side to move is in check.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// assert!(!start.in_check() && start.checkers().is_empty());
    /// ```
    #[doc(alias = "is_check")]
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Plies since the last capture or, in chess, pawn move.
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove
    }

    /// The full-move number, from 1.
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove
    }

    /// How the game has ended on the board: checkmate, stalemate (which loses in xiangqi) or insufficient material;
    /// `None` while it goes on. The limit of fifty or sixty moves is not included. Repetition needs the history: see
    /// [`Game`](crate::game::Game).
    ///
    /// ```
    /// use tabiya::{chess, xiangqi};
    ///
    /// let mate: chess::Position = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert_eq!(mate.outcome(), Some(chess::Outcome::Checkmate));
    /// let mate: xiangqi::Position = "3k5/9/9/9/9/9/9/9/3RR4/4K4 b - - 0 1".parse()?;
    /// assert_eq!(mate.outcome(), Some(xiangqi::Outcome::Checkmate));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if self.count_legal() == 0 {
            return Some(if self.in_check() { Outcome::Checkmate } else { Outcome::Stalemate });
        }
        self.is_material_insufficient().then_some(Outcome::InsufficientMaterial)
    }

    /// Whether neither side can win by any sequence of legal moves. Chess: bare kings, one knight, or bishops that are
    /// all on squares of one colour. Xiangqi: no side has a piece that can cross the river.
    pub fn is_material_insufficient(&self) -> bool {
        self.board.is_material_insufficient()
    }

    #[doc(hidden)]
    /// The same with another board. The key, the checks and the pins are computed from scratch.
    #[must_use]
    pub fn with_board(&self, board: B) -> Self {
        Position { board, key: board.compute_key(), checks_and_pins: board.compute_checks_and_pins(), ..*self }
    }
}

/// Listing and making moves.
impl<B: Rules> Position<B> {
    /// All legal moves: a list without allocation that is a slice and an iterator.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// for m in start.legal_moves() {
    ///     assert!(start.is_legal(m));
    /// }
    /// ```
    #[inline]
    #[must_use]
    pub fn legal_moves(&self) -> Moves<B::Move> {
        let mut list = Moves::new();
        self.board.generate::<ALL, _>(&self.checks_and_pins, &mut ListSink(&mut list));
        list
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
    pub fn noisy_moves(&self) -> Moves<B::Move> {
        let mut list = Moves::new();
        self.board.generate::<NOISY, _>(&self.checks_and_pins, &mut ListSink(&mut list));
        list
    }

    /// The legal moves that [`noisy_moves`](Self::noisy_moves) leaves out.
    #[inline]
    #[must_use]
    pub fn quiet_moves(&self) -> Moves<B::Move> {
        let mut list = Moves::new();
        self.board.generate::<QUIET, _>(&self.checks_and_pins, &mut ListSink(&mut list));
        list
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
        self.board.count_legal(&self.checks_and_pins)
    }

    /// Whether `m` is legal here; `m` may come from another position, or from a hash table.
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
    pub fn is_legal(&self, m: B::Move) -> bool {
        self.board.is_legal(&self.checks_and_pins, m)
    }

    /// Makes `m`, which must be legal here. After any other move the position is unspecified, but memory stays safe.
    #[inline]
    pub fn make(&mut self, m: B::Move) {
        self.count_ply();
        B::make(self, m);
    }

    #[doc(hidden)]
    /// Makes a null move: the side to move, which must not be in check, passes.
    #[inline]
    pub fn make_null(&mut self) {
        self.count_ply();
        B::pass(self);
    }

    /// Adds a ply to the counters.
    #[inline(always)]
    fn count_ply(&mut self) {
        self.halfmove = (self.halfmove + 1).min(MAX_COUNTER);
        self.fullmove = (self.fullmove + self.side() as u16).min(MAX_COUNTER);
    }

    /// The position after a move.
    ///
    /// # Errors
    /// If the move is not legal here.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// let m = start.legal_moves()[0];
    /// let next = start.play(m)?;
    /// assert!(next.side() != start.side() && next.play(m).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&self, m: B::Move) -> Result<Self, IllegalMove<B::Move>> {
        if self.is_legal(m) { Ok(self.play_unchecked(m)) } else { Err(IllegalMove(m)) }
    }

    /// The position after a move that is known to be legal, such as one of [`legal_moves`](Self::legal_moves).
    /// [`make`](Self::make) does the same in place.
    ///
    /// ```
    /// let start = tabiya::chess::Position::default();
    /// let replies = |m| start.play_unchecked(m).count_legal();
    /// assert_eq!(start.legal_moves().into_iter().map(replies).sum::<u64>(), start.perft(2));
    /// ```
    #[inline]
    #[must_use]
    pub fn play_unchecked(&self, m: B::Move) -> Self {
        let mut next = *self;
        next.make(m);
        next
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
    pub fn play_null(&self) -> Option<Self> {
        let mut next = *self;
        (!self.in_check()).then(|| next.make_null())?;
        Some(next)
    }
}

impl<B: Rules> Default for Position<B> {
    /// The initial position.
    fn default() -> Self {
        Position::from_fen(B::START_FEN).expect("a legal position")
    }
}

impl<B: Rules> fmt::Display for Position<B> {
    /// Writes the FEN; with `{:#}` draws the board with FEN's letters, the last rank first.
    ///
    /// ```
    /// let start = tabiya::xiangqi::Position::default();
    /// assert_eq!(start.to_string(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    /// println!("{start:#}");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return f.pad(&self.to_fen());
        }
        f.pad(&grid(B::SIZE.files, B::SIZE.ranks, |file, rank| self.letter_at(file, rank).map_or('.', char::from)))
    }
}

impl<B: Rules> fmt::Debug for Position<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_fen())
    }
}

impl<B: Rules> FromStr for Position<B> {
    type Err = NotationError;

    /// Reads a FEN: the same as [`Position::from_fen`].
    fn from_str(fen: &str) -> Result<Self, NotationError> {
        Position::from_fen(fen)
    }
}
