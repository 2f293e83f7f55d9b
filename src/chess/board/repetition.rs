//! The rules that draw a chess game: repetition, fifty moves, insufficient material.

use super::Board;
use super::movegen;
use crate::chess::types::{Bitboard, Kind, Move};
use crate::game::{Game, Outcome, Position, Side, Verdict};

/// Plies without a capture or pawn move after which the game is drawn.
const FIFTY_MOVES: u16 = 100;

/// The third occurrence of a position is a draw. Inside the search the second occurrence is enough, if the first one is
/// also below the root.
pub(in crate::chess) fn verdict(pos: &Position<Board>, trail: &[u64], ply: usize) -> Option<Verdict> {
    let (count, nearest) = occurrences(pos.key(), trail, pos.halfmove_clock());
    let drawn = count >= 2 || nearest < ply || pos.is_fifty_move_draw() || pos.is_material_insufficient();
    drawn.then_some(Verdict::Draw)
}

/// Bare kings, one knight, or bishops on squares of one colour.
pub(in crate::chess) fn is_material_insufficient(board: &Board) -> bool {
    let heavy = board.kind_set(Kind::Pawn) | board.kind_set(Kind::Rook) | board.kind_set(Kind::Queen);
    if !heavy.is_empty() {
        return false;
    }
    let (knights, bishops) = (board.kind_set(Kind::Knight), board.kind_set(Kind::Bishop));
    match knights.count() {
        0 => !bishops.meets(Bitboard::LIGHT) || !bishops.meets(!Bitboard::LIGHT),
        1 => bishops.is_empty(),
        _ => false,
    }
}

impl Position<Board> {
    /// Whether `side` cannot mate by any sequence of legal moves, whatever the opponent does: a bare king; a knight
    /// against nothing but queens; bishops, if all bishops are on squares of one colour and there are no knights and
    /// pawns. (Against rooks, minor pieces or pawns, which can take squares from their own king, a knight can mate.)
    /// Both sides cannot if [`is_material_insufficient`](Self::is_material_insufficient), and the other way round.
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
        let [pawns, knights, bishops] = [Kind::Pawn, Kind::Knight, Kind::Bishop].map(|kind| self.kind_set(kind));
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
    pub fn same_position(&self, other: &Self) -> bool {
        let capture = |pos: &Self| pos.en_passant().filter(|_| movegen::has_legal_en_passant(pos));
        (self.kinds, self.sides, self.castling, self.side) == (other.kinds, other.sides, other.castling, other.side)
            && capture(self) == capture(other)
    }

    /// Plies without a capture or pawn move until the fifty-move rule ends the game.
    pub fn plies_to_fifty_move_draw(&self) -> u32 {
        u32::from(FIFTY_MOVES.saturating_sub(self.halfmove_clock()))
    }

    /// Whether the fifty-move rule ends the game here. Checkmate takes precedence.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock() >= FIFTY_MOVES && (self.checkers().is_empty() || self.count_legal() > 0)
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

/// The rules of FIDE on draws. [`outcome`](Self::outcome) is simpler: it ends the game as soon as a player could claim
/// a draw, as programs do that let engines play.
impl Game<Board> {
    /// The draw that the side to move can claim: the position has occurred three times, or fifty moves have passed
    /// without a capture or pawn move. `None` if the game is over already.
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

    /// The draw after this number of occurrences of the position, or of plies on the clock.
    fn draw_after(&self, occurrences: usize, plies: u16) -> Option<Outcome> {
        if self.repetitions() >= occurrences {
            return Some(Outcome::Repetition);
        }
        (self.position().halfmove_clock() >= plies).then_some(Outcome::MoveRule)
    }
}
