//! Distinct positions kept as positions: the first plies, and the plain form that the others are tested by.
//!
//! Used by `distinct` for its first plies, and by `split` for those that it puts in order and where sequences
//! are counted by root move.

use crate::game::{MoveBuffer, WideKeyed};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// How often something leads to a position, in numbers that can be added.
pub trait Weight: Clone {
    /// What move number `index` of a position of this weight hands on; `ply` is 0 at the root.
    fn through(&self, ply: u32, index: usize) -> Self;
    /// Adds another one; `None` if the sum is too large.
    fn add(&mut self, other: &Self) -> Option<()>;
}

/// The number of sequences.
impl Weight for u64 {
    fn through(&self, _ply: u32, _index: usize) -> Self {
        *self
    }
    fn add(&mut self, other: &Self) -> Option<()> {
        *self = self.checked_add(*other)?;
        Some(())
    }
}

/// The number of sequences that begin with each root move, as (index of the move, number) in ascending order;
/// moves that lead nowhere are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots(pub Vec<(u16, u64)>);

impl Weight for Roots {
    fn through(&self, ply: u32, index: usize) -> Self {
        if ply == 0 { Roots(vec![(index as u16, 1)]) } else { self.clone() }
    }
    fn add(&mut self, other: &Self) -> Option<()> {
        for &(root, number) in &other.0 {
            match self.0.binary_search_by_key(&root, |&(root, _)| root) {
                Ok(at) => self.0[at].1 = self.0[at].1.checked_add(number)?,
                Err(at) => self.0.insert(at, (root, number)),
            }
        }
        Some(())
    }
}

/// The distinct positions of one ply in order, each with its weight, or without any weights.
pub struct Base<P, W> {
    /// The positions.
    pub positions: Vec<P>,
    /// Their weights, or nothing.
    pub weights: Vec<W>,
}

impl<P: WideKeyed, W: Weight> Base<P, W> {
    /// The root alone.
    pub fn new(root: &P, weight: W) -> Self {
        Base { positions: vec![*root], weights: vec![weight] }
    }

    /// With relatives as neighbours, by `WideKeyed::transposition_order`; equals stay as they are.
    #[must_use]
    pub fn in_order(self) -> Self {
        let mut order: Vec<usize> = (0..self.positions.len()).collect();
        order.sort_by_cached_key(|&i| self.positions[i].transposition_order());
        Base {
            positions: order.iter().map(|&i| self.positions[i]).collect(),
            weights: order.iter().filter_map(|&i| self.weights.get(i).cloned()).collect(),
        }
    }

    /// The positions one ply further, and the number of moves that lead there; nothing if there are more than
    /// `most` positions. `ply` is the present one.
    ///
    /// # Errors
    /// If a weight becomes too large.
    pub fn expand(
        &self,
        keys: &P::Keys,
        ply: u32,
        most: usize,
    ) -> Result<Option<(Self, u64)>, String> {
        let mut next = Base { positions: Vec::new(), weights: Vec::new() };
        let mut numbers: HashMap<u128, usize> = HashMap::new();
        let mut moves = 0;
        for (number, pos) in self.positions.iter().enumerate() {
            let key = pos.wide_key(keys);
            let mut list = P::List::default();
            pos.legal_moves(&mut list);
            for (index, &m) in list.as_slice().iter().enumerate() {
                moves += 1;
                let weight = self.weights.get(number).map(|weight| weight.through(ply, index));
                match numbers.entry(pos.wide_key_after(keys, key, m)) {
                    Entry::Vacant(place) => {
                        if next.positions.len() == most {
                            return Ok(None);
                        }
                        place.insert(next.positions.len());
                        let mut child = *pos;
                        child.make(m);
                        next.positions.push(child);
                        next.weights.extend(weight);
                    }
                    Entry::Occupied(place) => {
                        if let Some(weight) = weight {
                            let sum = next.weights[*place.get()].add(&weight);
                            sum.ok_or("2^64 or more sequences lead to one position")?;
                        }
                    }
                }
            }
        }
        Ok(Some((next, moves)))
    }
}
