//! The columns of perft statistics: how many move sequences end with a capture, a check and so on.
//!
//! A game counts [`Columns`] in `u64`, to a limited depth; `perft` adds them up in `u128`, with nothing but the number
//! of sequences where no statistics are asked for. The columns are those of The Grand Chess Tree; those of the Chess
//! Programming Wiki are sums of them ([`Columns::wiki`]).

use std::ops::{Add, AddAssign};

/// How a move gives check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum CheckKind {
    /// Only the piece that moved gives check.
    Direct,
    /// Only one piece gives check, and it is not the piece that moved.
    SingleDiscovered,
    /// The piece that moved gives check, and so does at least one other piece.
    DirectDiscovered,
    /// Several pieces give check, but not the piece that moved.
    DoubleDiscovered,
}

impl CheckKind {
    /// The kind of check, given whether the piece that `moved` gives check and how many `others` do; `None` for no
    /// check.
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

/// The number of sequences that end with a move of each kind. `N` is `u64` or `u128`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Columns<N = u64> {
    /// All sequences.
    pub nodes: N,
    /// Captures, en passant included.
    pub captures: N,
    /// En passant captures.
    pub en_passants: N,
    /// Castling moves.
    pub castles: N,
    /// Promotions; each choice of piece counts.
    pub promotions: N,
    /// Checks that are not mate: direct, single discovered, direct discovered, double discovered. Direct means that
    /// only the piece that moved gives check; single discovered, that exactly one other piece does; direct discovered,
    /// that both do; double discovered, that several other pieces do.
    pub checks: [N; 4],
    /// Checkmates, by the same kinds of check.
    pub mates: [N; 4],
    /// Moves that leave the opponent without a legal move and not in check. Counted only where stalemate loses
    /// (xiangqi); 0 in chess.
    pub stalemates: N,
}

/// How many numbers are counted; the other columns are sums of them.
pub const COUNTED: usize = 14;

/// The names of the fifteen columns, in order.
#[rustfmt::skip]
pub const NAMES: [&str; 15] = [
    "nodes", "captures", "enpassants", "castles", "promotions",
    "direct_checks", "single_discovered_checks", "direct_discovered_checks", "double_discovered_checks", "total_checks",
    "direct_mates", "single_discovered_mates", "direct_discovered_mates", "double_discovered_mates", "total_mates",
];

/// The names of the wiki's columns, in order.
#[rustfmt::skip]
pub const WIKI_NAMES: [&str; 9] = [
    "nodes", "captures", "en_passant", "castles", "promotions",
    "checks", "discovered_checks", "double_checks", "mates",
];

impl<N: Copy> Columns<N> {
    /// The numbers that are counted, in a fixed order.
    #[inline]
    pub fn counted(&self) -> [N; COUNTED] {
        let Columns { nodes, captures, en_passants, castles, promotions, stalemates, .. } = *self;
        let ([a, b, c, d], [e, f, g, h]) = (self.checks, self.mates);
        [nodes, captures, en_passants, castles, promotions, a, b, c, d, e, f, g, h, stalemates]
    }

    /// The columns with these counted numbers; the inverse of [`Columns::counted`].
    #[inline]
    pub fn from_counted(numbers: [N; COUNTED]) -> Self {
        let [nodes, captures, en_passants, castles, promotions, a, b, c, d, e, f, g, h, stalemates] = numbers;
        let (checks, mates) = ([a, b, c, d], [e, f, g, h]);
        Columns { nodes, captures, en_passants, castles, promotions, checks, mates, stalemates }
    }

    /// Applies `change` to every counted number.
    #[inline]
    pub fn map<M: Copy>(&self, mut change: impl FnMut(N) -> M) -> Columns<M> {
        let numbers = self.counted();
        let mut changed = [change(numbers[0]); COUNTED];
        for at in 1..COUNTED {
            changed[at] = change(numbers[at]);
        }
        Columns::from_counted(changed)
    }
}

impl<N: Copy + Add<Output = N>> Columns<N> {
    /// The fifteen columns of The Grand Chess Tree: nodes, captures, en passants, castles, promotions, checks (direct,
    /// single discovered, direct discovered, double discovered, all), mates (the same five). Checkmates are not counted
    /// among the checks. Moves counted in `stalemates` are in none of the check and mate columns.
    pub fn all(&self) -> [N; 15] {
        let ([a, b, c, d], [e, f, g, h]) = (self.checks, self.mates);
        let (checks, mates) = (a + b + c + d, e + f + g + h);
        let Columns { nodes, captures, en_passants, castles, promotions, .. } = *self;
        [nodes, captures, en_passants, castles, promotions, a, b, c, d, checks, e, f, g, h, mates]
    }

    /// The columns of the Chess Programming Wiki: nodes, captures, en passants, castles, promotions, checks, discovered
    /// checks, double checks, mates. Here a checkmate also counts as a check. Discovered checks are those by exactly
    /// one piece, which did not move; double checks are those by several pieces. Mates include stalemates where they
    /// win.
    ///
    /// ```
    /// let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    /// let columns = kiwipete.parse::<tabiya::chess::Position>()?.statistics(3);
    /// assert_eq!(columns.wiki(), [97_862, 17_102, 45, 3162, 0, 993, 0, 0, 1]);
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn wiki(&self) -> [N; 9] {
        let of = |kind: CheckKind| self.checks[kind as usize] + self.mates[kind as usize];
        let single = of(CheckKind::SingleDiscovered);
        let double = of(CheckKind::DirectDiscovered) + of(CheckKind::DoubleDiscovered);
        let Columns { nodes, captures, en_passants, castles, promotions, .. } = *self;
        let checks = of(CheckKind::Direct) + single + double;
        let [a, b, c, d] = self.mates;
        let mates = a + b + c + d + self.stalemates;
        [nodes, captures, en_passants, castles, promotions, checks, single, double, mates]
    }
}

/// Sequences alone.
impl From<u128> for Columns<u128> {
    fn from(nodes: u128) -> Self {
        Columns { nodes, ..Columns::default() }
    }
}

impl Columns<u128> {
    /// Adds `ways` times `other`. Sums and products stop at 2¹²⁸ − 1; no column exceeds the number of sequences, so a
    /// total below that is exact in all its columns.
    pub fn add_times(&mut self, other: Self, ways: u128) {
        let mut sums = self.counted();
        for (sum, number) in sums.iter_mut().zip(other.counted()) {
            *sum = sum.saturating_add(number.saturating_mul(ways));
        }
        *self = Columns::from_counted(sums);
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

/// The properties of one legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveFacts {
    /// A capture, en passant included.
    pub capture: bool,
    /// An en passant capture.
    pub en_passant: bool,
    /// A castling move.
    pub castle: bool,
    /// A promotion of any kind.
    pub promotion: bool,
    /// How it gives check, if it does.
    pub check: Option<CheckKind>,
    /// Leaves the opponent without a legal move and thereby wins: checkmate, and in xiangqi also stalemate.
    pub wins: bool,
}

impl MoveFacts {
    /// Counts the move in `columns`.
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
    fn derived_columns_are_sums_of_the_counted() {
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
    fn check_kinds_follow_the_checkers() {
        let kinds = [(true, 0), (false, 1), (true, 1), (false, 2)].map(|(m, n)| CheckKind::of(m, n));
        assert_eq!(kinds.map(|kind| kind.unwrap() as usize), [0, 1, 2, 3]);
        assert_eq!(CheckKind::of(false, 0), None);
    }
}
