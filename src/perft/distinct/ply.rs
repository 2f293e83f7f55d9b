//! The positions of one ply with their multiplicities: how often something leads to each of them.
//!
//! `distinct` keeps its first plies like that, `split` those that it puts in order and where sequences are counted
//! by root move, `plan` the units of a run.

use crate::game::WideKeyed;
use std::collections::HashMap;

/// How often something leads to a position, in numbers that can be added.
pub trait Weight: Clone {
    /// What move number `index` of a position of this weight hands on; `ply` is 0 at the root.
    fn through(&self, ply: u32, index: usize) -> Self {
        let _ = (ply, index);
        self.clone()
    }
    /// Adds another one; `None` if the sum is too large.
    fn add(&mut self, other: &Self) -> Option<()>;
}

/// The number of sequences.
impl Weight for u64 {
    fn add(&mut self, other: &Self) -> Option<()> {
        *self = self.checked_add(*other)?;
        Some(())
    }
}

/// The same modulo 2¹²⁸, like the totals of runs.
impl Weight for u128 {
    fn add(&mut self, other: &Self) -> Option<()> {
        *self = self.wrapping_add(*other);
        Some(())
    }
}

/// The number of sequences that begin with each root move, as (index of the move, number) in ascending order;
/// moves that lead nowhere are left out.
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

/// What is said where a weight becomes too large.
pub(super) const TOO_MANY: &str = "2^64 or more sequences lead to one position";

/// The positions of one ply in order, each with its weight, or without any weights.
pub struct Ply<P, W> {
    /// The positions.
    pub positions: Vec<P>,
    /// Their weights, or nothing.
    pub weights: Vec<W>,
    /// The number of moves that lead to them from the ply before.
    pub arrivals: u64,
}

impl<P: WideKeyed, W: Weight> Ply<P, W> {
    /// The root alone.
    pub fn new(root: &P, weight: W) -> Self {
        Ply { positions: vec![*root], weights: vec![weight], arrivals: 0 }
    }

    /// With relatives as neighbours, by `WideKeyed::transposition_order`; equals stay as they are.
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

    /// The positions one ply further, which are distinct if there are `keys` to tell them apart; nothing if there are
    /// more than `most`. `ply` is the present one.
    ///
    /// # Errors
    /// If a weight becomes too large.
    pub fn expand(
        &self,
        keys: Option<&P::Keys>,
        ply: u32,
        most: usize,
    ) -> Result<Option<Self>, String> {
        let mut next: Self = Ply { positions: Vec::new(), weights: Vec::new(), arrivals: 0 };
        let mut known: HashMap<u128, usize> = HashMap::new();
        for (number, pos) in self.positions.iter().enumerate() {
            let keyed = keys.map(|keys| (keys, pos.wide_key(keys)));
            let list = pos.legal_moves();
            for (index, &m) in list.as_slice().iter().enumerate() {
                next.arrivals += 1;
                let weight = self.weights.get(number).map(|weight| weight.through(ply, index));
                let new = next.positions.len();
                let place = keyed.map_or(new, |(keys, key)| {
                    *known.entry(pos.wide_key_after(keys, key, m)).or_insert(new)
                });
                if place < new {
                    if let Some(weight) = weight {
                        next.weights[place].add(&weight).ok_or(TOO_MANY)?;
                    }
                } else if new == most {
                    return Ok(None);
                } else {
                    let mut child = *pos;
                    child.make(m);
                    next.positions.push(child);
                    next.weights.extend(weight);
                }
            }
        }
        Ok(Some(next))
    }
}
