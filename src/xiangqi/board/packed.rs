//! Half a position, the pieces of one side, for packed positions, which take 32 bytes. The code of a piece is 1 to 7
//! for its type.

use super::Board;
use super::attacks::attacks;
use super::tables;
use crate::game::count::packing::{self, Packing as _, Planes};
use crate::game::{GameMove, Side};
use crate::xiangqi::types::{Bitboard, Kind, Move};

pub type Half = Planes<2>;

impl Half {
    /// The planes as sets of squares.
    #[inline(always)]
    fn sets(&self) -> [u128; 3] {
        let set = |[low, high]: [u64; 2]| u128::from(low) | u128::from(high) << 64;
        [set(self.0[0]), set(self.0[1]), set(self.0[2])]
    }

    /// The pieces by type.
    #[inline(always)]
    fn kinds(&self) -> [u128; 7] {
        let [a, b, c] = self.sets();
        let (not_a, not_b) = (b & !a, a & !b);
        [not_b & !c, not_a & !c, a & b & !c, c & !(a | b), not_b & c, not_a & c, a & b & c]
    }
}

impl packing::Half for Half {
    type Board = Board;
    type Move = Move;
    type Set = Bitboard;

    fn of(board: &Board, side: Side) -> Half {
        let own = board.side_set(side).0;
        let mut planes = [[0; 2]; 3];
        for (kind, set) in board.kinds.iter().enumerate() {
            let set = set.0 & own;
            for (bit, plane) in planes.iter_mut().enumerate() {
                if (kind + 1) >> bit & 1 != 0 {
                    plane[0] |= set as u64;
                    plane[1] |= (set >> 64) as u64;
                }
            }
        }
        Planes(planes)
    }

    #[inline(always)]
    fn board([red, black]: [&Half; 2], side: Side) -> Board {
        let (first, second, mut kinds) = (red.kinds(), black.kinds(), [Bitboard::EMPTY; 7]);
        for (kind, set) in kinds.iter_mut().enumerate() {
            *set = Bitboard(first[kind] | second[kind]);
        }
        Board { kinds, sides: [red.squares(), black.squares()], side }
    }

    #[inline(always)]
    fn squares(&self) -> Bitboard {
        let [a, b, c] = self.sets();
        Bitboard(a | b | c)
    }

    #[inline(always)]
    fn lasting(self) -> Half {
        self
    }

    fn reach(&self, side: Side, mut row: impl FnMut(Bitboard, usize)) {
        let own = self.squares();
        for square in own {
            let targets = match Kind::ALL[self.code(square.index()) - 1] {
                // It may capture wherever the other side has a screen.
                Kind::Cannon => tables::cross(square),
                kind => attacks(side, kind, square, own),
            };
            row(targets - own, 1);
        }
    }

    #[inline(always)]
    fn effect(_board: &Board, m: Move) -> (usize, usize) {
        (0, m.to().index())
    }

    fn after(self, m: Move, _variant: usize) -> Half {
        let from = GameMove::from(m);
        self.without(from).with(GameMove::to(m), self.code(from))
    }
}
