//! The columns of perft statistics: how many sequences end with a move of each kind.
//!
//! A game counts [`Columns`] by its `Census`, a depth-limited call in `u64`; `perft` adds them up in `u128`.
//! The columns are those of The Grand Chess Tree; the chess programming wiki's are sums of them
//! ([`Columns::wiki`]). Nothing here knows a game.

use std::ops::{Add, AddAssign};

/// How a move gives check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum CheckKind {
    /// By the piece that moved, alone.
    Direct,
    /// By exactly one piece that did not move.
    SingleDiscovered,
    /// By the piece that moved and by others.
    DirectDiscovered,
    /// By two pieces or more, none of which moved.
    DoubleDiscovered,
}

impl CheckKind {
    /// From whether the piece that `moved` gives check, and how many `others` do.
    #[inline]
    pub const fn of(moved: bool, others: u32) -> Option<CheckKind> {
        match (moved, others) {
            (false, 0) => None,
            (true, 0) => Some(CheckKind::Direct),
            (false, 1) => Some(CheckKind::SingleDiscovered),
            (true, _) => Some(CheckKind::DirectDiscovered),
            (false, _) => Some(CheckKind::DoubleDiscovered),
        }
    }
}

/// How many sequences end with a move of each kind. `N` is `u64` or `u128`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Columns<N = u64> {
    /// All of them.
    pub nodes: N,
    /// Captures, en passant included.
    pub captures: N,
    /// En passant captures.
    pub en_passants: N,
    /// Castling moves.
    pub castles: N,
    /// Promotions, each piece counted for itself.
    pub promotions: N,
    /// Checks that can be answered, by [`CheckKind`].
    pub checks: [N; 4],
    /// Checks that cannot be answered, by [`CheckKind`].
    pub mates: [N; 4],
    /// Moves that leave the opponent without a move though not in check. Counted where that loses (xiangqi);
    /// 0 elsewhere.
    pub stalemates: N,
}

/// Numbers that are counted one by one; the others are sums.
pub const COUNTED: usize = 14;

/// Their names, in the order of [`Columns::counted`].
pub const COUNTED_NAMES: [&str; COUNTED] = [
    "nodes",
    "captures",
    "enpassants",
    "castles",
    "promotions",
    "direct_checks",
    "single_discovered_checks",
    "direct_discovered_checks",
    "double_discovered_checks",
    "direct_mates",
    "single_discovered_mates",
    "direct_discovered_mates",
    "double_discovered_mates",
    "stalemates",
];

/// The names of the fifteen columns, in order.
pub const NAMES: [&str; 15] = [
    "nodes",
    "captures",
    "enpassants",
    "castles",
    "promotions",
    "direct_checks",
    "single_discovered_checks",
    "direct_discovered_checks",
    "double_discovered_checks",
    "total_checks",
    "direct_mates",
    "single_discovered_mates",
    "direct_discovered_mates",
    "double_discovered_mates",
    "total_mates",
];

/// The names of the wiki's columns, in order.
pub const WIKI_NAMES: [&str; 9] = [
    "nodes",
    "captures",
    "en_passant",
    "castles",
    "promotions",
    "checks",
    "discovered_checks",
    "double_checks",
    "mates",
];

impl<N: Copy> Columns<N> {
    /// The numbers that are counted, in a fixed order.
    #[inline]
    pub fn counted(&self) -> [N; COUNTED] {
        let Columns { nodes, captures, en_passants, castles, promotions, stalemates, .. } = *self;
        let ([a, b, c, d], [e, f, g, h]) = (self.checks, self.mates);
        [nodes, captures, en_passants, castles, promotions, a, b, c, d, e, f, g, h, stalemates]
    }

    /// The columns of which [`Columns::counted`] gives these numbers.
    #[inline]
    pub fn from_counted(numbers: [N; COUNTED]) -> Self {
        let [nodes, captures, en_passants, castles, promotions, a, b, c, d, e, f, g, h, stalemates] =
            numbers;
        let (checks, mates) = ([a, b, c, d], [e, f, g, h]);
        Columns { nodes, captures, en_passants, castles, promotions, checks, mates, stalemates }
    }

    /// The same in other numbers.
    #[inline]
    pub fn map<M: Copy>(&self, change: impl FnMut(N) -> M) -> Columns<M> {
        Columns::from_counted(self.counted().map(change))
    }
}

impl Columns<u128> {
    /// The fifteen columns of [`NAMES`]. A check that mates is among the mates only, and what is among
    /// `stalemates` is in none of them but `nodes` and the moves' own.
    pub fn all(&self) -> [u128; 15] {
        let ([a, b, c, d], [e, f, g, h]) = (self.checks, self.mates);
        let (checks, mates) = (a + b + c + d, e + f + g + h);
        let Columns { nodes, captures, en_passants, castles, promotions, .. } = *self;
        [nodes, captures, en_passants, castles, promotions, a, b, c, d, checks, e, f, g, h, mates]
    }

    /// The wiki's columns, [`WIKI_NAMES`]: there a check that mates is a check as well, discovered checks
    /// are those by exactly one piece that did not move, double checks those by several pieces, and mates
    /// are all moves that end the game by leaving no answer and win it.
    pub fn wiki(&self) -> [u128; 9] {
        let of = |kind: CheckKind| self.checks[kind as usize] + self.mates[kind as usize];
        let single = of(CheckKind::SingleDiscovered);
        let double = of(CheckKind::DirectDiscovered) + of(CheckKind::DoubleDiscovered);
        let Columns { nodes, captures, en_passants, castles, promotions, .. } = *self;
        let checks = of(CheckKind::Direct) + single + double;
        let mates = self.mates.iter().sum::<u128>() + self.stalemates;
        [nodes, captures, en_passants, castles, promotions, checks, single, double, mates]
    }
}

impl<N: Copy + Add<Output = N>> AddAssign for Columns<N> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        let other = other.counted();
        let mut at = 0;
        *self = self.map(|n| {
            at += 1;
            n + other[at - 1]
        });
    }
}

/// What one legal move is and does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveFacts {
    /// Takes a piece, en passant included.
    pub capture: bool,
    /// An en passant capture.
    pub en_passant: bool,
    /// A castling move.
    pub castle: bool,
    /// A promotion of any kind.
    pub promotion: bool,
    /// Leaves the opponent's king attacked, in this way.
    pub check: Option<CheckKind>,
    /// Leaves the opponent without a move and wins by it: after a check (chess), or in any case (xiangqi).
    pub wins: bool,
}

impl MoveFacts {
    /// Adds the move to `columns`.
    pub fn note(self, columns: &mut Columns) {
        columns.nodes += 1;
        columns.captures += u64::from(self.capture);
        columns.en_passants += u64::from(self.en_passant);
        columns.castles += u64::from(self.castle);
        columns.promotions += u64::from(self.promotion);
        match self.check {
            Some(kind) if self.wins => columns.mates[kind as usize] += 1,
            Some(kind) => columns.checks[kind as usize] += 1,
            None => columns.stalemates += u64::from(self.wins),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_of_their_parts() {
        let numbers: [u128; COUNTED] = std::array::from_fn(|i| 1 << i);
        let columns = Columns::from_counted(numbers);
        assert_eq!(columns.counted(), numbers);
        let all = columns.all();
        assert_eq!((all[0], all[4], all[5], all[9]), (1, 1 << 4, 1 << 5, 0b1111 << 5));
        assert_eq!((all[10], all[14]), (1 << 9, 0b1111 << 9));
        let wiki = columns.wiki();
        assert_eq!((wiki[5], wiki[6]), (0b1111_1111 << 5, 1 << 6 | 1 << 10));
        assert_eq!((wiki[7], wiki[8]), (0b11 << 7 | 0b11 << 11, 0b1_1111 << 9));
        let mut twice = columns;
        twice += columns;
        assert_eq!(twice.counted(), numbers.map(|n| 2 * n));
    }

    #[test]
    fn checks_are_told_apart_by_who_gives_them() {
        let kinds =
            [(true, 0), (false, 1), (true, 1), (false, 2)].map(|(m, n)| CheckKind::of(m, n));
        assert_eq!(kinds.map(|kind| kind.unwrap() as usize), [0, 1, 2, 3]);
        assert_eq!(CheckKind::of(false, 0), None);
    }
}
