//! What the search needs from a game in addition to [`Counting`]: evaluation, exchanges, codes of moves.
//!
//! Each game implements it in `eval/mod.rs`.

use crate::game::count::counting::Counting;
use crate::game::position::Position;
use crate::game::search::endgame_tables::EndgameTables;
use crate::game::search::params::SearchParams;
use crate::game::search::win_model::{FittedModel, WinModel};
use crate::game::side::Side;

/// A board whose positions [`search::Engine`](crate::search::Engine) can search: the bound for code that is generic
/// over both games and searches. Needs the feature `search`.
///
/// ```
/// use tabiya::game::{Position, Searchable};
/// use tabiya::search::{Engine, Limits};
/// use tabiya::{chess, xiangqi};
///
/// fn nodes<B: Searchable>(position: &Position<B>) -> u64 {
///     Engine::new().search(position, Limits::depth(2)).nodes
/// }
///
/// println!("{} {}", nodes(&chess::Position::default()), nodes(&xiangqi::Position::default()));
/// ```
pub trait Searchable: Counting {
    /// What a search thread keeps between evaluations, such as the sums of a network.
    type Memo: Default + Send + 'static;
    /// The endgame tablebases of this game; `NoTables` if it has none.
    type Tables: EndgameTables<Self>;
    /// The search constants of this game.
    const PARAMS: SearchParams;
    /// The win models of this game.
    const WIN_MODEL: FittedModel;
    /// The number of values of [`Searchable::code`].
    const CODES: usize;
    /// The moving piece (with its side) and the target square as one number below `CODES`, to index history tables.
    fn code(&self, m: Self::Move) -> usize;
    /// The type of the piece that the legal move `m` captures, 1 to 7; 0 for no capture.
    fn victim(&self, m: Self::Move) -> usize;
    /// The material that the legal move `m` gains immediately, promotion included, in centipawns.
    fn gain(&self, m: Self::Move) -> i32;
    /// Whether the static exchange evaluation (SEE) of the legal move `m` is at least `limit` centipawns. Both sides
    /// capture with their least valuable piece and may stop at any time.
    fn see_at_least(&self, m: Self::Move, limit: i32) -> bool;
    /// The static evaluation for the side to move, in centipawns; its absolute value is below 20,000. The side to
    /// move must not be in check.
    fn evaluate(position: &Position<Self>, memo: &mut Self::Memo) -> i32;
    /// Number of pieces on the board.
    fn piece_count(&self) -> u32;
    /// The expected results at a score in this position. It must not affect the search.
    fn win_model(&self) -> WinModel {
        Self::WIN_MODEL.with_pieces(self.piece_count())
    }
    /// A key of the slow part of the position (chess: pawns; xiangqi: soldiers, elephants, advisors); equal for
    /// positions that differ only elsewhere.
    fn structure_key(&self) -> u64;
    /// A key of `side`'s other pieces.
    fn pieces_key(&self, side: Side) -> u64;
    /// The squares that the opponent attacks (`memo` may have them from the evaluation), as a bit set indexed like
    /// [`GameMove::from`](crate::game::GameMove::from) and `to`; 0 in a game that does not supply them (xiangqi).
    fn threats(position: &Position<Self>, memo: &Self::Memo) -> u128;
    /// Whether zugzwang is likely, so that null-move pruning is unsafe.
    fn null_is_risky(&self) -> bool;
    /// Whether one side can force a mate that every player knows, which a search of limited strength must not miss
    /// (chess: a queen or rook against a bare king).
    fn is_basic_mate(&self) -> bool {
        false
    }
    /// The rules by which positions are judged, as a number, 0 for the usual ones. Scores found under other rules are
    /// not valid.
    fn rules_code(_position: &Position<Self>) -> u32 {
        0
    }
    /// A number that is the same where the move counter is as near to a draw, and stays so by the same moves.
    fn counter_state(position: &Position<Self>) -> u64 {
        Self::plies_to_draw(position).into()
    }
    /// Whether the legal move `m` is one of `noisy_moves`.
    fn is_noisy(&self, m: Self::Move) -> bool;
}

#[cfg(all(feature = "chess", feature = "xiangqi"))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess, xiangqi};

    const FITTED: [&FittedModel; 2] = [&chess::Board::WIN_MODEL, &xiangqi::Board::WIN_MODEL];

    #[test]
    fn piece_counts_are_clamped() {
        for fitted in FITTED {
            let [fewest, most] = fitted.pieces;
            assert!(2 <= fewest && fewest < most && most <= 32, "{fitted:?}");
            for pieces in 0..=fewest {
                assert_eq!(fitted.with_pieces(pieces), fitted.with_pieces(fewest));
            }
            for pieces in most..=64 {
                assert_eq!(fitted.with_pieces(pieces), fitted.with_pieces(most));
            }
        }
    }
}
