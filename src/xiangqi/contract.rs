//! What xiangqi gives to the rest of the crate: the traits of `game` and, by `contract!`, the methods that both games
//! have.

use super::board::bare::Board;
use super::board::packed::{Half, Packed};
use super::board::position::Position;
use super::board::zobrist::WideKeys;
use super::board::{movegen, notation, tables};
use super::explain::Rule;
use super::perft;
use super::types::{Bitboard, Black, Move, Red, Square};
use crate::game::{Census, CheckKind, MoveFacts, WideKeyed};

crate::game::contract::contract! {
    "xiangqi", Red, 9 by 10,
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    notation::write_fen;
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
    from_fen;
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
    from_fen_lenient;
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
    explain;
    /// How the game has ended on the board: checkmate, stalemate (which loses) or insufficient material; `None` while
    /// it goes on. The move limit is not included ([`is_sixty_move_draw`](Self::is_sixty_move_draw)). Repetition needs
    /// the history: see [`Game`](crate::xiangqi::Game).
    ///
    /// ```
    /// use tabiya::xiangqi::{Outcome, Position};
    ///
    /// let mate: Position = "3k5/9/9/9/9/9/9/9/3RR4/4K4 b - - 0 1".parse()?;
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
    /// A move wins if it leaves the opponent without a legal move, in check or not.
    fn facts(&self, m: Move) -> MoveFacts {
        let mut child = *self;
        child.make(m);
        let checkers = child.checkers();
        let direct = checkers.contains(m.to());
        MoveFacts {
            capture: self.is_capture(m),
            check: CheckKind::of(direct, checkers.count() - u32::from(direct)),
            wins: child.count_legal() == 0,
            ..MoveFacts::default()
        }
    }
    fn columns(&self, depth: u32, kernel: Kernel) -> Columns {
        perft::columns::columns(self, depth, kernel)
    }
}
