//! What is wrong with a move or a count ([`Wrong`]), what is said of it, and the [`differences`] of two divides.

use super::faults::Diagnosis;
use super::read::{Listed, Reading};
use crate::explain::Explanation;
use crate::game::{Counting, Position};
use crate::perft::Divide;

/// What is wrong with a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wrong {
    /// Legal, but missing there.
    Missing,
    /// Not legal, but generated there.
    Extra,
    /// Generated more than once.
    Repeated,
    /// The printed total is not the sum of the counts: the sum, and the total.
    Total(u128, u128),
    /// Its count is wrong: our count and theirs.
    Miscounted(u128, u128),
}

impl Wrong {
    /// What is wrong with a move that is listed so many times, if anything.
    pub fn of_listing(is_legal: bool, times: usize) -> Option<Wrong> {
        match (is_legal, times) {
            (true, 0) => Some(Wrong::Missing),
            (false, 1..) => Some(Wrong::Extra),
            (true, 2..) => Some(Wrong::Repeated),
            _ => None,
        }
    }

    /// Whether the list of moves is wrong, not a count or how a move is printed.
    pub fn is_listing(&self) -> bool {
        matches!(self, Wrong::Missing | Wrong::Extra | Wrong::Repeated)
    }

    /// Its name in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Wrong::Missing => "missing",
            Wrong::Extra => "extra",
            Wrong::Repeated => "repeated",
            Wrong::Total(..) => "total",
            Wrong::Miscounted(..) => "miscounted",
        }
    }

    /// What is said of the move `text`, which is legal or not for this reason.
    pub fn sentence<R>(&self, text: &str, why: Option<&Explanation<R>>) -> String {
        let why = why.map_or(String::new(), |why| format!(": {why}"));
        match self {
            Wrong::Missing => format!("{text} is missing{why}"),
            Wrong::Extra => format!("{text} is not legal{why}"),
            Wrong::Repeated => format!("{text} is listed more than once"),
            Wrong::Total(sum, total) => format!("the total is printed as {total}, but the counts add up to {sum}"),
            Wrong::Miscounted(ours, theirs) => format!("{text} is counted as {theirs} instead of {ours}"),
        }
    }
}

/// A position of the tree that was compared.
#[derive(Clone, Debug)]
pub struct Node<B: Counting> {
    /// The positions and moves that lead to it.
    pub before: Vec<(Position<B>, B::Move)>,
    /// The position.
    pub position: Position<B>,
    /// What is wrong in it, each with its move. Counts are wrong here only if no position below is.
    pub wrong: Vec<(Wrong, String)>,
}

impl<B: Counting> Node<B> {
    /// The root of a tree.
    pub(crate) fn root_of(position: Position<B>) -> Node<B> {
        Node { before: Vec::new(), position, wrong: Vec::new() }
    }

    /// The position after a legal move.
    pub(crate) fn child(&self, m: B::Move) -> Node<B> {
        let mut before = self.before.clone();
        before.push((self.position, m));
        Node { before, position: self.position.play_unchecked(m), wrong: Vec::new() }
    }

    /// The moves that lead to it.
    pub fn path(&self) -> Vec<String> {
        self.before.iter().map(|(pos, m)| pos.move_text(*m).to_string()).collect()
    }

    /// The position from which it was reached.
    pub fn root(&self) -> &Position<B> {
        self.before.first().map_or(&self.position, |(root, _)| root)
    }
}

impl<B: Diagnosis> Node<B> {
    /// Why the move `text` is legal or not, if that is what is wrong.
    pub fn why(&self, wrong: &Wrong, text: &str) -> Option<Explanation<B::Rule>> {
        let listed = matches!(wrong, Wrong::Missing | Wrong::Extra);
        listed.then(|| B::explain(&self.position, text, &self.before).ok()).flatten()
    }

    /// What is said of the move `text`.
    pub fn sentence(&self, wrong: &Wrong, text: &str) -> String {
        wrong.sentence(text, self.why(wrong, text).as_ref())
    }
}

/// What is wrong with the divide `theirs`, each with its move; `ours` is that of `pos`.
pub fn differences<B: Counting>(pos: &Position<B>, ours: &Divide<B::Move>, theirs: &Reading) -> Vec<(Wrong, String)> {
    let total = theirs.total.map(|(sum, total)| (Wrong::Total(sum, total), String::new()));
    between(pos, ours, &theirs.moves).into_iter().chain(total).collect()
}

fn between<B: Counting>(pos: &Position<B>, ours: &Divide<B::Move>, theirs: &[Listed]) -> Vec<(Wrong, String)> {
    let mut ours = Vec::from_iter(ours.moves.iter().map(|&(m, count)| (pos.move_text(m).to_string(), count)));
    ours.sort();
    let of = |name: &str| Vec::from_iter(theirs.iter().filter(|m| m.name == name));
    let missing = ours.iter().filter(|(name, _)| of(name).is_empty()).map(|(name, _)| (Wrong::Missing, name.clone()));
    let mut wrong = Vec::from_iter(missing);
    let first = |m: &&Listed| of(&m.name).first().is_some_and(|first| std::ptr::eq(*first, *m));
    wrong.extend(theirs.iter().filter(first).filter(|m| !m.legal).map(|m| (Wrong::Extra, m.name.clone())));
    let repeated = theirs.iter().filter(first).filter(|m| of(&m.name).len() > 1);
    wrong.extend(repeated.map(|m| (Wrong::Repeated, m.name.clone())));
    for (name, count) in &ours {
        let mut others = Vec::from_iter(of(name).iter().map(|m| m.count).filter(|other| other != count));
        others.dedup();
        wrong.extend(others.into_iter().map(|other| (Wrong::Miscounted(*count, other), name.clone())));
    }
    wrong
}

/// What is said where all counts are right but for their type.
pub(super) fn modulo(bits: u32) -> String {
    format!("all counts are right modulo 2^{bits}: their type is too small")
}

/// The bits of the type that is too small for the counts, if that is all that is wrong.
pub(super) fn too_few_bits_of(wrong: &[(Wrong, String)]) -> Option<u32> {
    let counts = wrong.iter().map(|(wrong, _)| match *wrong {
        Wrong::Miscounted(ours, theirs) | Wrong::Total(ours, theirs) => Some((ours, theirs)),
        _ => None,
    });
    too_few_bits(&counts.collect::<Option<Vec<_>>>()?)
}

/// The bits that the types of counts have, signed and unsigned.
pub(super) const BITS: [u32; 8] = [7, 8, 15, 16, 31, 32, 63, 64];

/// The bits of a type that is too small for these counts, if the right one of each pair is the other one in that type.
pub fn too_few_bits(counts: &[(u128, u128)]) -> Option<u32> {
    let fits = |bits: &u32| counts.iter().all(|&(ours, theirs)| ours >> bits != 0 && ours % (1 << bits) == theirs);
    BITS.into_iter().find(fits).filter(|_| !counts.is_empty())
}
