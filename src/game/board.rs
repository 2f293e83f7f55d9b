//! What a game is made of: a trait for each question ([`Rules`], [`Keyed`], [`Repetition`], [`Notation`],
//! [`Explained`]), [`Board`] for all of them, and [`Position`], a board with what a game and a search want to know
//! besides.
//!
//! A game implements each trait in the file that has the bodies. Users call the methods of `Position`, which `position`
//! has for both games.

use crate::base::bits::BitSet;
use crate::game::play::outcome::Verdict;
use crate::game::position::moves::{GameMove, Sink};
use crate::game::position::side::Side;
use crate::game::text::explain::Explanation;
use crate::game::text::fault::NotationError;
use crate::game::text::fen::{BoardSize, Tolerance};
use crate::game::text::notation::MoveText;
use std::fmt;
use std::hash::Hash;

/// A legal position of the game with this [`Board`]: `chess::Position` and `xiangqi::Position` are names for it.
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
/// let key = position.key_after(capture);
/// position.make(capture);
/// assert_eq!(position.key(), key);
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

/// The rules of a game: its moves, which of them are legal, and what a move does to a position.
///
/// Each game implements it in `board/movegen.rs`.
pub trait Rules: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// The move type of this game.
    type Move: GameMove;
    /// A set of squares.
    type Bitboard: BitSet;
    /// The checks to the side to move, and what they and the pins forbid.
    type ChecksAndPins: Copy + Eq + Hash + Send + Sync + 'static;
    /// What positions of this game have besides: how moves are written, which rules apply.
    type Extra: Copy + Eq + Hash + Send + Sync + 'static;

    /// Whether stalemate loses; otherwise it is a draw.
    const STALEMATE_LOSES: bool;

    /// The side to move.
    fn side(&self) -> Side;
    /// The checks to the side to move, and its pins, from scratch.
    fn compute_checks_and_pins(&self) -> Self::ChecksAndPins;
    /// The enemy pieces that give check.
    fn checkers(checks_and_pins: &Self::ChecksAndPins) -> Self::Bitboard;
    /// Generates the legal moves selected by `SELECT` (`ALL`, `NOISY` or `QUIET` of
    /// `position::moves`) into `sink`; with `from`, a square index, only those of the piece on that
    /// square.
    fn generate<const SELECT: u8, S: Sink<Self::Move>>(
        &self,
        checks_and_pins: &Self::ChecksAndPins,
        from: Option<usize>,
        sink: &mut S,
    );
    /// Whether `m`, any packed move, is legal.
    fn is_legal(&self, checks_and_pins: &Self::ChecksAndPins, m: Self::Move) -> bool;
    /// Makes a legal move and brings all that the position knows up to date, but for the counting of plies.
    fn make_in(position: &mut Position<Self>, m: Self::Move);
    /// Gives the other side the move; a right to capture en passant ends.
    fn pass(&mut self);
}

/// The Zobrist keys of a game.
///
/// Each game implements it in `board/zobrist.rs`.
pub trait Keyed: Rules {
    /// The key, from scratch.
    fn compute_key(&self) -> u64;
    /// The key after the legal move `m`, without making it; `key` is the key of this board.
    fn key_after(&self, key: u64, m: Self::Move) -> u64;
    /// The key after a null move; `key` is the key of this board.
    fn key_after_null(&self, key: u64) -> u64;
}

/// What ends a game although there are legal moves: repetition, move counters, and material.
///
/// Each game implements it in `board/repetition.rs`.
pub trait Repetition: Rules {
    /// One entry of the game history (the trail): what repetition detection needs from an earlier position.
    type Step: Copy + Send + Sync + 'static;

    /// The history entry of a position, before `m` (the default move for a null move) is made.
    fn step(position: &Position<Self>, m: Self::Move) -> Self::Step;
    /// The key in `step`.
    fn key_of(step: &Self::Step) -> u64;
    /// Plies until the move counter makes the game a draw, if nothing resets it.
    fn plies_to_draw(position: &Position<Self>) -> u32;
    /// Whether the rules on repetition, move counters and material end the game here, or bound its result.
    ///
    /// `trail` holds the entries of the earlier positions since the last null move, oldest first. Of these, the last
    /// `ply`, or all if there are fewer, were added by the search.
    fn verdict(position: &Position<Self>, trail: &[Self::Step], ply: usize) -> Option<Verdict>;
    /// Whether neither side has the pieces to win.
    fn is_material_insufficient(&self) -> bool;
}

/// How positions and moves are written.
///
/// Each game implements it in `board/notation.rs`.
pub trait Notation: Rules {
    /// The FEN of the initial position.
    const START_FEN: &'static str;
    /// The size of the board.
    const SIZE: BoardSize;

    /// FEN's letter of the piece on a file and rank.
    fn letter_at(&self, file: i32, rank: i32) -> Option<u8>;
    /// Reads a FEN.
    ///
    /// # Errors
    /// If the text is malformed or the position is impossible, and `tolerance` does not overlook that.
    fn read_fen(fen: &str, tolerance: &mut Tolerance) -> Result<Position<Self>, NotationError>;
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

/// Why moves are legal or not.
///
/// Each game implements it in `explain/mod.rs`.
pub trait Explained: Rules {
    /// The rules by which moves are explained; `Display` names them in a few words.
    type Rule: Copy + Eq + Ord + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static;

    /// Explains the move `text`, legal or not, as coordinates. `before` holds the positions and moves that led here,
    /// oldest first, as far as they are known; they say how a right was lost.
    ///
    /// # Errors
    /// If the text is not of the form of a move.
    fn explain(
        position: &Position<Self>,
        text: &str,
        before: &[(Position<Self>, Self::Move)],
    ) -> Result<Explanation<Self::Rule>, NotationError>;
}

/// The board of a game: pieces, side to move and rights, which is all that move generation needs.
///
/// `chess::Board` and `xiangqi::Board` implement it. It is the bound for code that is generic over both games: such
/// code takes a [`Position<B>`](Position) and calls its methods.
///
/// ```
/// use tabiya::game::{Board, Position};
///
/// /// The largest number of legal moves after one move.
/// fn most_replies<B: Board>(position: &Position<B>) -> u64 {
///     position.legal_moves().into_iter().map(|m| position.play_unchecked(m).count_legal()).max().unwrap_or(0)
/// }
///
/// assert_eq!(most_replies(&tabiya::chess::Position::default()), 20);
/// assert_eq!(most_replies(&tabiya::xiangqi::Position::default()), 45);
/// ```
pub trait Board: Rules + Keyed + Repetition + Notation + Explained {}

impl<B: Rules + Keyed + Repetition + Notation + Explained> Board for B {}
