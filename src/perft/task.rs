//! What a run counts ([`Task`]), and what it returns ([`Divide`]).

use super::PerftError;
use crate::base::text::decimal;
use crate::game::{Columns, Counting, Position};

/// One of several equal parts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// From 0.
    pub index: usize,
    /// How many there are.
    pub of: usize,
}

/// The most parts of a run.
pub const MOST_PARTS: usize = 10_000;

impl Part {
    /// The whole run.
    pub const WHOLE: Part = Part { index: 0, of: 1 };

    /// Reads I/N, with I from 1 to N.
    pub fn read(text: &str) -> Option<Part> {
        let (number, of) = text.split_once('/')?;
        let (number, of) = (decimal::<usize>(number)?, decimal(of)?);
        ((1..=of).contains(&number) && of <= MOST_PARTS).then(|| Part { index: number - 1, of })
    }
}

/// The legal moves of a position with the number of sequences that start with each.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::perft::Perft;
///
/// let divide = Perft::new(Position::default()).divide(3)?;
/// for (m, count) in &divide {
///     println!("{m}: {count}");
/// }
/// assert_eq!((divide.moves.len(), divide.total), (20, 8902));
/// # Ok::<(), tabiya::perft::PerftError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divide<M, N = u128> {
    /// Every legal move in generator order, with its count.
    pub moves: Vec<(M, N)>,
    /// The total; at depth 0, the single empty sequence.
    pub total: N,
}

impl<M> Divide<M, Columns<u128>> {
    /// The numbers of sequences alone.
    pub(crate) fn nodes(self) -> Divide<M> {
        let moves = self.moves.into_iter().map(|(m, columns)| (m, columns.nodes)).collect();
        Divide { moves, total: self.total.nodes }
    }
}

impl<M, N> IntoIterator for Divide<M, N> {
    type Item = (M, N);
    type IntoIter = std::vec::IntoIter<(M, N)>;
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter()
    }
}

impl<'a, M, N> IntoIterator for &'a Divide<M, N> {
    type Item = &'a (M, N);
    type IntoIter = std::slice::Iter<'a, (M, N)>;
    fn into_iter(self) -> Self::IntoIter {
        self.moves.iter()
    }
}

/// What a run counts.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Plies.
    pub depth: u32,
    /// Whether each root move has counts of its own.
    pub divide: bool,
    /// Whether all columns are counted, not only the sequences.
    pub statistics: bool,
    /// The part of the run that is counted.
    pub part: Part,
}

impl Task {
    /// The sequences of `depth` plies.
    pub fn nodes(depth: u32) -> Task {
        Task { depth, divide: false, statistics: false, part: Part::WHOLE }
    }

    /// The number of counts of a unit: one, or that of the root moves. A position without moves has one too.
    pub fn counts<B: Counting>(&self, pos: &Position<B>) -> usize {
        if self.divide && self.depth > 0 { pos.legal_moves().len().max(1) } else { 1 }
    }

    /// The divide of `sums` by root move; without `divide`, only their total.
    ///
    /// # Errors
    /// If there are too many sequences.
    pub fn result<B: Counting>(
        &self,
        pos: &Position<B>,
        sums: Vec<Columns<u128>>,
    ) -> Result<Divide<B::Move, Columns<u128>>, PerftError> {
        let mut total = Columns::default();
        for &sum in &sums {
            total.add_times(sum, 1);
        }
        if total.nodes == u128::MAX {
            return Err(PerftError::Overflow);
        }
        let is_divided = self.divide && self.depth > 0;
        let moves = if is_divided { pos.legal_moves().into_iter().zip(sums).collect() } else { Vec::new() };
        Ok(Divide { moves, total })
    }
}
