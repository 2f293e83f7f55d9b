//! The rules that draw a chess game: repetition, fifty moves, insufficient material.
//!
//! Called through `Playable::verdict` at every node of a search, and by code that keeps a game's history.

use super::position::Position;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::Kind;
use crate::game::Verdict;

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
