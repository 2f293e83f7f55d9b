//! What chess gives to the rest of the crate: the traits of `game` and, by `contract!`, the methods that both games
//! have.

use super::board::bare::Board;
use super::board::packed::{Half, Packed};
use super::board::position::Position;
use super::board::zobrist::WideKeys;
use super::board::{movegen, notation, tables};
use super::explain::Rule;
use super::perft;
use super::types::{Bitboard, Black, Move, MoveKind, Square, White};
use crate::game::{Census, CheckKind, MoveFacts, WideKeyed};

crate::game::contract::contract! {
    "chess", White, 8 by 8,
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    |position| notation::write_fen(position, notation::FenStyle::default());
    /// Reads a FEN strictly: six fields or four; in Chess960, castling rights as the files of the rooks (`HAha`; `K` or
    /// `Q` beside one of them is the outermost rook). An obviously unreachable position (two kings of a colour, an
    /// opponent in check, castling rights without their rook) is an error that names the field, and so is `KQkq` where
    /// king and rook do not stand as in ordinary chess. The same as `fen.parse::<Position>()`.
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
    from_fen;
    /// Reads a FEN and accepts what is not correct but clear, as the program does: missing fields, castling rights and
    /// en passant squares without effect, more pieces than a game can have, X-FEN's `KQkq` for Chess960. The second
    /// value is a warning that says what was changed or ignored.
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
    from_fen_lenient;
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
    explain;
    /// How the game has ended on the board: checkmate, stalemate or insufficient material; `None` while it goes on. The
    /// fifty-move rule is not included ([`is_fifty_move_draw`](Self::is_fifty_move_draw)). Repetition needs the
    /// history: see [`Game`](crate::chess::Game).
    ///
    /// ```
    /// use tabiya::chess::{Outcome, Position};
    ///
    /// let mate: Position = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1".parse()?;
    /// assert_eq!(mate.outcome(), Some(Outcome::Checkmate));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    outcome;
}

impl WideKeyed for Position {
    type Keys = WideKeys;

    fn wide_keys(seed: u64) -> WideKeys {
        WideKeys::new(seed)
    }
    fn wide_key(&self, keys: &WideKeys) -> u128 {
        self.key_by(keys)
    }
}

impl Census for Position {
    fn facts(&self, m: Move) -> MoveFacts {
        let mut child = *self;
        child.make(m);
        let checkers = child.checkers();
        // Castling can give check only with the rook.
        let moved = if m.is(MoveKind::Castle) { checkers } else { Bitboard::of(m.to()) };
        MoveFacts {
            capture: self.is_capture(m),
            en_passant: m.is(MoveKind::EnPassant),
            castle: m.is(MoveKind::Castle),
            promotion: m.promotion().is_some(),
            check: CheckKind::of(checkers.meets(moved), (checkers & !moved).count()),
            wins: !checkers.is_empty() && child.count_legal() == 0,
        }
    }
    fn columns(&self, depth: u32, kernel: Kernel) -> Columns {
        perft::columns::columns(self, depth, kernel)
    }
}
