//! The positions of one ply with their weights: how many sequences lead to each.
//!
//! Used by `distinct` for its first plies, by `split` for plies that it sorts or counts by root move, and by `plan`
//! for the units of a run.

use crate::game::WideKeyed;
use crate::game::played::after;
use std::collections::HashMap;

/// A count of sequences that lead to a position.
pub trait Weight: Clone {
    /// The weight that move number `index` of a position of this weight passes on; `ply` is 0 at the root.
    fn through(&self, ply: u32, index: usize) -> Self {
        let _ = (ply, index);
        self.clone()
    }
    /// Adds another weight; `None` on overflow.
    fn add(&mut self, other: &Self) -> Option<()>;
}

/// The number of sequences, checked for overflow.
impl Weight for u64 {
    fn add(&mut self, other: &Self) -> Option<()> {
        *self = self.checked_add(*other)?;
        Some(())
    }
}

/// The number of sequences, which stops at 2¹²⁸ − 1 like the totals of runs (`quantity`).
impl Weight for u128 {
    fn add(&mut self, other: &Self) -> Option<()> {
        *self = self.saturating_add(*other);
        Some(())
    }
}

/// The number of sequences that start with each root move, as (move index, number) in ascending order; moves without
/// sequences are omitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots<N>(pub Vec<(u16, N)>);

impl<N: Weight + From<u8>> Weight for Roots<N> {
    fn through(&self, ply: u32, index: usize) -> Self {
        if ply == 0 { Roots(vec![(index as u16, 1.into())]) } else { self.clone() }
    }
    fn add(&mut self, other: &Self) -> Option<()> {
        for (root, number) in &other.0 {
            match self.0.binary_search_by_key(root, |&(root, _)| root) {
                Ok(at) => self.0[at].1.add(number)?,
                Err(at) => self.0.insert(at, (*root, number.clone())),
            }
        }
        Some(())
    }
}

/// The error message for a weight that is too large.
pub(in crate::perft) const TOO_MANY: &str = "2^64 or more sequences lead to one position";

/// The positions of one ply, in order, with or without weights.
pub struct Ply<P, W> {
    /// The positions.
    pub positions: Vec<P>,
    /// Their weights; empty if there are none.
    pub weights: Vec<W>,
    /// Number of moves that lead to them from the previous ply.
    pub arrivals: u64,
}

impl<P: WideKeyed, W: Weight> Ply<P, W> {
    /// The root only.
    pub fn new(root: &P, weight: W) -> Self {
        Ply { positions: vec![*root], weights: vec![weight], arrivals: 0 }
    }

    /// Sorted by `WideKeyed::transposition_order`, which puts related positions next to each other; the sort is
    /// stable.
    #[must_use]
    pub fn in_order(self) -> Self {
        let mut order: Vec<usize> = (0..self.positions.len()).collect();
        order.sort_by_cached_key(|&i| self.positions[i].transposition_order());
        Ply {
            positions: order.iter().map(|&i| self.positions[i]).collect(),
            weights: order.iter().filter_map(|&i| self.weights.get(i).cloned()).collect(),
            ..self
        }
    }

    /// The positions of the next ply, with transpositions merged if `keys` are given; `None` if there are more than
    /// `most`. `ply` is the current ply.
    ///
    /// # Errors
    /// If a weight overflows.
    pub fn expand(&self, keys: Option<&P::Keys>, ply: u32, most: usize) -> Result<Option<Self>, String> {
        let mut next: Self = Ply { positions: Vec::new(), weights: Vec::new(), arrivals: 0 };
        let mut known: HashMap<u128, usize> = HashMap::new();
        for (number, pos) in self.positions.iter().enumerate() {
            let keyed = keys.map(|keys| (keys, pos.wide_key(keys)));
            let list = pos.legal_moves();
            for (index, &m) in list.as_slice().iter().enumerate() {
                next.arrivals += 1;
                let weight = self.weights.get(number).map(|weight| weight.through(ply, index));
                let new = next.positions.len();
                let place =
                    keyed.map_or(new, |(keys, key)| *known.entry(pos.wide_key_after(keys, key, m)).or_insert(new));
                if place < new {
                    if let Some(weight) = weight {
                        next.weights[place].add(&weight).ok_or(TOO_MANY)?;
                    }
                } else if new == most {
                    return Ok(None);
                } else {
                    next.positions.push(after(pos, m));
                    next.weights.extend(weight);
                }
            }
        }
        Ok(Some(next))
    }
}
