//! What wrong moves have in common and right ones have not: the shortest conjunction of features that separates them.
//!
//! A feature is what [`Diagnosis::features`] says of a move in its position. Rules are learnt one after another, as
//! PRISM does (Cendrowska 1987): that of at most [`MOST_FEATURES`] features which most of the wrong moves and none of
//! the right ones have, then the same for the moves that are left.

use super::by_move::anyones_moves;
use super::{Node, Wrong, texts};
use crate::doctor::faults::{Diagnosis, Feature};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The most features of a rule.
const MOST_FEATURES: usize = 3;
/// Fewer wrong moves have too much in common by chance.
const FEWEST: usize = 2;
/// The most different sets of features from which rules are tried.
const MOST_SEEDS: usize = 150;
/// The most rules. An engine that breaks more is wrong in another way.
const MOST_RULES: usize = 12;
/// The most positions whose right moves are looked at.
const MOST_POSITIONS: usize = 1_500;

/// What some of the wrong moves have in common.
pub(super) struct Common {
    /// The moves: the index of the node, and the place there.
    pub places: Vec<(usize, usize)>,
    /// What the engine does, without its subject.
    pub deed: String,
}

/// Gives each feature a bit.
#[derive(Default)]
struct Bits(BTreeMap<Feature, u32>);

impl Bits {
    fn of(&mut self, features: Vec<Feature>) -> u128 {
        let mut set = 0;
        for feature in features {
            let next = self.0.len() as u32;
            let bit = *self.0.entry(feature).or_insert(next);
            // There are fewer; one too many would not be told.
            set |= 1u128.checked_shl(bit).unwrap_or(0);
        }
        set
    }

    /// The features of a set, in the order in which they are told.
    fn told(&self, set: u128) -> Vec<&str> {
        let told = self.0.iter().filter(|&(_, &bit)| set.checked_shr(bit).unwrap_or(0) & 1 != 0);
        told.map(|(feature, _)| feature.1.as_str()).collect()
    }
}

/// The features of a move, and the rule by which it is legal or not.
fn features<B: Diagnosis>(node: &Node<B>, text: &str) -> Vec<Feature> {
    let mut features = B::features(&node.position, &node.before, text);
    if let Ok(explained) = B::explain(&node.position, text, &node.before) {
        features.push(Feature(u8::MAX, format!("({})", explained.rule)));
    }
    features
}

/// What those of `places`, moves of `found`, have in common that no right move of `found` and `right` has.
pub(super) fn rules<B: Diagnosis>(
    found: &[Node<B>],
    right: &[Node<B>],
    places: &BTreeSet<(usize, usize)>,
) -> Vec<Common> {
    let mut rules = Vec::new();
    for kind in [Wrong::Missing, Wrong::Extra] {
        let mut bits = Bits::default();
        let of_kind = places.iter().filter(|&&(index, at)| found[index].wrong[at].0 == kind);
        let mut wrong = Vec::from_iter(
            of_kind.map(|&(index, at)| ((index, at), bits.of(features(&found[index], &found[index].wrong[at].1)))),
        );
        if wrong.len() < FEWEST {
            continue;
        }
        let mut others = HashSet::new();
        for node in found.iter().chain(right).take(MOST_POSITIONS) {
            let legal = texts(&node.position);
            let moves = if kind == Wrong::Missing { legal } else { &anyones_moves(&node.position) - &legal };
            let is_wrong = |text: &String| node.wrong.iter().any(|(_, other)| other == text);
            others.extend(moves.iter().filter(|text| !is_wrong(text)).map(|text| bits.of(features(node, text))));
        }
        let others = Vec::from_iter(others);
        for _ in 0..MOST_RULES {
            let Some((set, covered)) = best(&wrong, &others) else { break };
            let verb = if kind == Wrong::Missing { "leaves out" } else { "plays illegal" };
            let told = bits.told(set);
            // Without a noun for the kind of move.
            let noun = if told.first().is_some_and(|first| LINKS.iter().all(|link| !first.starts_with(link))) {
                ""
            } else {
                "moves "
            };
            let has = |set: u128| move |&(_, features): &(_, u128)| features & set == set;
            let places = Vec::from_iter(wrong.iter().filter(|w| has(set)(w)).map(|w| w.0));
            let deed = format!("{verb} {noun}{}: all {covered} such moves", told.join(" "));
            rules.push(Common { places, deed });
            wrong.retain(|w| !has(set)(w));
        }
    }
    rules
}

/// Words with which the features begin that are no kind of move.
const LINKS: [&str; 12] =
    ["(", "over ", "through ", "of ", "from ", "to ", "in ", "after ", "while ", "with ", "along ", "not "];

/// How many wrong moves a rule has, how many features, and how often the right moves have these.
type Rank = (usize, Reverse<u32>, Reverse<usize>);

/// The set of features that most of `wrong` and none of `others` have, and how many; of equals the shortest, and then
/// that whose features are rarest among `others`.
fn best(wrong: &[((usize, usize), u128)], others: &[u128]) -> Option<(u128, usize)> {
    let mut seeds: BTreeMap<u128, usize> = BTreeMap::new();
    wrong.iter().for_each(|w| *seeds.entry(w.1).or_default() += 1);
    let wrong = Vec::from_iter(seeds);
    // Of many those that are spread over all of them.
    let step = wrong.len().div_ceil(MOST_SEEDS).max(1);
    let mut tried = HashSet::new();
    let frequency = Vec::from_iter((0..128).map(|bit| others.iter().filter(|&&other| other >> bit & 1 != 0).count()));
    let mut best: Option<(u128, Rank)> = None;
    for &(seed, _) in wrong.iter().step_by(step) {
        let bits = Vec::from_iter((0..u128::BITS).map(|bit| 1u128 << bit).filter(|bit| seed & bit != 0));
        let mut sets = vec![0u128];
        for _ in 0..MOST_FEATURES {
            let longer =
                sets.iter().flat_map(|&set| bits.iter().filter(move |&&bit| bit > set).map(move |bit| set | bit));
            let mut longer = Vec::from_iter(longer.filter(|&set| tried.insert(set)));
            longer.retain(|&set| {
                let covered = wrong.iter().filter(|w| w.0 & set == set).map(|w| w.1).sum();
                // With more features it covers no more moves.
                if covered < best.map_or(FEWEST, |(_, (known, ..))| known) {
                    return false;
                }
                let common: usize = (0..128).filter(|bit| set >> bit & 1 != 0).map(|bit| frequency[bit]).sum();
                let rank = (covered, Reverse(set.count_ones()), Reverse(common));
                let separates = others.iter().all(|other| other & set != set);
                if separates && best.is_none_or(|(_, known)| rank > known) {
                    best = Some((set, rank));
                }
                !separates
            });
            sets = longer;
        }
    }
    best.map(|(set, (covered, ..))| (set, covered))
}
