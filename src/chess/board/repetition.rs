//! The rules that draw a chess game: repetition, fifty moves, insufficient material.
//!
//! Called through `Playable::verdict` at every node of a search, and by code that keeps a game's history.

use super::movegen;
use super::position::Position;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Kind;
use crate::game::{Side, Verdict};

/// Plies without a capture or pawn move after which the game is drawn.
const FIFTY_MOVES: u16 = 100;

impl Position {
    /// Whether neither side can mate by any sequence of legal moves: bare kings, one knight, or bishops that are all
    /// on squares of one colour.
    pub fn is_material_insufficient(&self) -> bool {
        let heavy =
            self.kind_set(Kind::Pawn) | self.kind_set(Kind::Rook) | self.kind_set(Kind::Queen);
        if !heavy.is_empty() {
            return false;
        }
        let (knights, bishops) = (self.kind_set(Kind::Knight), self.kind_set(Kind::Bishop));
        match knights.count() {
            0 => !bishops.meets(Bitboard::LIGHT) || !bishops.meets(!Bitboard::LIGHT),
            1 => bishops.is_empty(),
            _ => false,
        }
    }

    /// Whether `side` cannot mate by any sequence of legal moves, whatever the opponent does: a bare king; a knight against
    /// nothing but queens; bishops, if all bishops are on squares of one colour and there are no knights and pawns.
    /// (Against rooks, minor pieces or pawns, which can take squares from their own king, a knight can mate.) Both sides
    /// cannot if [`is_material_insufficient`](Self::is_material_insufficient), and the other way round.
    ///
    /// It is the rule for a side whose opponent has run out of time: then the game is a draw.
    ///
    /// ```
    /// use tabiya::chess::{Position, Side};
    ///
    /// let position: Position = "4k2r/8/8/8/8/8/8/4KN2 w - - 0 1".parse()?;
    /// assert!(!position.has_insufficient_material(Side::WHITE));
    /// let position: Position = "4k2q/8/8/8/8/8/8/4KN2 w - - 0 1".parse()?;
    /// assert!(position.has_insufficient_material(Side::WHITE));
    /// assert!(!position.has_insufficient_material(Side::BLACK));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn has_insufficient_material(&self, side: Side) -> bool {
        let [pawns, knights, bishops] =
            [Kind::Pawn, Kind::Knight, Kind::Bishop].map(|kind| self.kind_set(kind));
        let [own, their] = [side, side.flip()].map(|side| self.side_set(side));
        let kings_and_queens = self.kind_set(Kind::King) | self.kind_set(Kind::Queen);
        if own.meets(pawns | self.kind_set(Kind::Rook) | self.kind_set(Kind::Queen)) {
            false
        } else if own.meets(knights) {
            own.count() == 2 && (their - kings_and_queens).is_empty()
        } else if own.meets(bishops) {
            let one_colour = !bishops.meets(Bitboard::LIGHT) || !bishops.meets(!Bitboard::LIGHT);
            one_colour && (pawns | knights).is_empty()
        } else {
            true
        }
    }

    /// Whether both positions are the same in the sense of the repetition rule: the same pieces, side to move and
    /// rights to castle, and the same legal capture en passant, if there is one. Then their [`key`](Self::key) is equal
    /// too. `==` also compares the move counters, an e.p. square without a legal capture, and how castling is written.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let start = Position::default();
    /// let other: Position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 7 5".parse()?;
    /// assert!(start != other && start.same_position(&other) && start.key() == other.key());
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn same_position(&self, other: &Position) -> bool {
        let capture =
            |pos: &Position| pos.en_passant().filter(|_| movegen::has_legal_en_passant(pos));
        (self.kinds, self.sides, self.castling, self.side)
            == (other.kinds, other.sides, other.castling, other.side)
            && capture(self) == capture(other)
    }

    /// Plies without a capture or pawn move until the fifty-move rule ends the game.
    pub fn plies_to_fifty_move_draw(&self) -> u32 {
        u32::from(FIFTY_MOVES.saturating_sub(self.halfmove_clock()))
    }

    /// Whether the fifty-move rule ends the game here. Checkmate takes precedence.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock() >= FIFTY_MOVES
            && (self.checkers().is_empty() || self.count_legal() > 0)
    }
}

/// How often `key` occurs in `trail` within the half-move clock, and the distance of the nearest occurrence in plies.
fn occurrences(key: u64, trail: &[u64], clock: u16) -> (u32, usize) {
    let (mut count, mut nearest) = (0, usize::MAX);
    let reach = trail.len().min(usize::from(clock));
    let mut back = 4;
    while back <= reach {
        if trail[trail.len() - back] == key {
            count += 1;
            nearest = nearest.min(back);
        }
        back += 2;
    }
    (count, nearest)
}

impl Position {
    /// The third occurrence of a position is a draw. Inside the search the second occurrence is enough, if the first
    /// one is also below the root.
    pub(in crate::chess) fn verdict_of(
        &self,
        key: u64,
        trail: &[u64],
        ply: usize,
    ) -> Option<Verdict> {
        let (count, nearest) = occurrences(key, trail, self.halfmove_clock());
        let drawn = count >= 2
            || nearest < ply
            || self.is_fifty_move_draw()
            || self.is_material_insufficient();
        drawn.then_some(Verdict::Draw)
    }
}
