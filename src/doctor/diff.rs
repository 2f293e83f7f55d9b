//! What is wrong with a move or a count ([`Wrong`]), with a list of moves ([`flaws`]), or with a divide
//! ([`differences`]), and what is said of it.

use super::faults::Diagnosis;
use super::read::Reading;
use super::spot::{Spot, texts};
use crate::explain::Explanation;
use crate::game::Position;
use crate::perft::Divide;
use std::collections::BTreeSet;

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

/// What is wrong with a list of moves: what is missing first.
pub fn flaws<B: Diagnosis>(position: &Position<B>, listed: &[&str]) -> Vec<(Wrong, String)> {
    let legal = texts(position);
    let all = BTreeSet::from_iter(legal.iter().map(String::as_str).chain(listed.iter().copied()));
    let mut flaws = Vec::new();
    for text in all {
        let times = listed.iter().filter(|other| **other == text).count();
        if let Some(wrong) = Wrong::of_listing(legal.contains(text), times) {
            flaws.push((wrong, text.to_string()));
        }
    }
    flaws.sort();
    flaws
}

/// What is wrong with the divide `theirs`, each with its move; `ours` is that of `pos`.
pub fn differences<B: Diagnosis>(pos: &Position<B>, ours: &Divide<B::Move>, theirs: &Reading) -> Vec<(Wrong, String)> {
    let mut wrong = flaws(pos, &Vec::from_iter(theirs.moves.iter().map(|m| m.name.as_str())));
    let mut ours = Vec::from_iter(ours.moves.iter().map(|&(m, count)| (pos.move_text(m).to_string(), count)));
    ours.sort();
    for (name, count) in ours {
        let others = theirs.moves.iter().filter(|m| m.name == name && m.count != count);
        let mut others = Vec::from_iter(others.map(|m| m.count));
        others.dedup();
        wrong.extend(others.into_iter().map(|other| (Wrong::Miscounted(count, other), name.clone())));
    }
    wrong.extend(theirs.total.map(|(sum, total)| (Wrong::Total(sum, total), String::new())));
    wrong
}

/// What is said of all that is wrong at a spot.
pub fn sentences<B: Diagnosis>(spot: &Spot<B>, wrong: &[(Wrong, String)]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (wrong, text) in wrong {
        let why = if matches!(wrong, Wrong::Missing | Wrong::Extra) { spot.explain(text) } else { None };
        sentences.push(wrong.sentence(text, why.as_ref()));
    }
    // One wrong count may be right modulo anything.
    if wrong.len() > 1 {
        sentences.extend(too_few_bits_of(wrong).map(modulo));
    }
    sentences
}

/// What is said where what differs is right but for the type.
pub(super) fn modulo(bits: u32) -> String {
    format!("what differs is right modulo 2^{bits}: the type of the counts is too small")
}

/// The bits of the type that is too small for the counts, if that is all that is wrong.
fn too_few_bits_of(wrong: &[(Wrong, String)]) -> Option<u32> {
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
