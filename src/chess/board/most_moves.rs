//! The most moves that a side's men can ever have, whatever may be captured and promoted: [`Men`].
//!
//! An upper bound, for positions that were set up with more queens and rooks than any game could bring about;
//! `position` refuses those whose moves might not fit a list. Only called when such a position is read.
//!
//! Sliding moves are counted line by line. On a line of `n` squares with `m` own men an empty (or enemy) square
//! is reached at most from either side, so there are at most `2 (n - m)` moves along it, or `n - m` if only
//! one of the men slides that way. Distributing all men over the eight ranks as well as possible bounds the
//! moves along ranks; so do the files, and the fifteen diagonals of either direction.

use std::sync::OnceLock;

/// Most men of a side.
const MEN: usize = 16;

/// The men of a side besides its king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Men {
    pub queens: usize,
    pub rooks: usize,
    pub bishops: usize,
    pub knights: usize,
    pub pawns: usize,
}

/// For every number of men on the board and of sliders among them, the most moves along a family of lines.
type Lines = [[usize; MEN + 1]; MEN + 1];

/// The most moves along parallel lines of these lengths.
fn along(lengths: &[usize]) -> Lines {
    const NONE: usize = usize::MAX;
    let mut best = [[NONE; MEN + 1]; MEN + 1];
    best[0][0] = 0;
    for &length in lengths {
        let mut next = [[NONE; MEN + 1]; MEN + 1];
        for (men, sliders) in (0..=MEN).flat_map(|men| (0..=men).map(move |s| (men, s))) {
            if best[men][sliders] == NONE {
                continue;
            }
            for more in 0..=length.min(MEN - men) {
                for sliding in 0..=more {
                    let moves = best[men][sliders] + sliding.min(2) * (length - more);
                    let cell = &mut next[men + more][sliders + sliding];
                    *cell = if *cell == NONE { moves } else { moves.max(*cell) };
                }
            }
        }
        best = next;
    }
    best.map(|row| row.map(|moves| if moves == NONE { 0 } else { moves }))
}

/// The most moves along all ranks, and along all diagonals of one direction.
fn lines() -> &'static [Lines; 2] {
    static LINES: OnceLock<[Lines; 2]> = OnceLock::new();
    LINES.get_or_init(|| [along(&[8; 8]), along(&[1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1])])
}

impl Men {
    /// An upper bound of the number of moves that a side with these men, at most fifteen, has in any position
    /// of a tree: after any captures and promotions.
    pub fn most_moves(self) -> usize {
        let [straight, diagonal] = lines();
        let castling = if self.rooks > 0 { 2 } else { 0 };
        let mut most = 0;
        // A pawn becomes a queen, who can do what a rook or bishop can; as a knight it would have fewer moves
        // than as a pawn about to promote, which has three squares and four choices for each.
        for promoted in 0..=self.pawns {
            for queens in 0..=self.queens + promoted {
                for rooks in 0..=self.rooks {
                    for bishops in 0..=self.bishops {
                        for knights in 0..=self.knights {
                            for pawns in 0..=self.pawns - promoted {
                                let men = 1 + queens + rooks + bishops + knights + pawns;
                                let sliding = 2 * straight[men][queens + rooks]
                                    + 2 * diagonal[men][queens + bishops];
                                let others = 8 + castling + 8 * knights + 12 * pawns;
                                most = most.max(sliding + others);
                            }
                        }
                    }
                }
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::types::moves::MOST_MOVES;

    fn men(queens: usize, rooks: usize, bishops: usize, knights: usize, pawns: usize) -> Men {
        Men { queens, rooks, bishops, knights, pawns }
    }

    #[test]
    fn small_cases_are_exact() {
        // A king, and with it a queen, a rook, a bishop, a knight: each at its best, and the king too.
        assert_eq!(men(0, 0, 0, 0, 0).most_moves(), 8);
        assert_eq!(men(0, 0, 0, 1, 0).most_moves(), 16);
        assert_eq!(men(0, 1, 0, 0, 0).most_moves(), 8 + 2 + 14);
        assert_eq!(men(0, 0, 1, 0, 0).most_moves(), 8 + 14);
        assert_eq!(men(1, 0, 0, 0, 0).most_moves(), 8 + 28);
        // What people set up fits a list; what could not be held is seen.
        assert!(men(0, 0, 0, 7, 8).most_moves() <= MOST_MOVES);
        assert!(men(3, 0, 0, 0, 8).most_moves() <= MOST_MOVES);
        assert!(men(15, 0, 0, 0, 0).most_moves() > MOST_MOVES);
    }
}
