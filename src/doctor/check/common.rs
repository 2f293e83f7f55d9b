//! What wrong moves have in common and right ones have not: short conjunctions of features that separate them.
//!
//! A feature is what [`Diagnosis::features`] says of a move in its position; the rule by which it is legal or not is
//! one too. Reasons are learnt one after another, as PRISM does (Cendrowska 1987): that of at most [`MOST_FEATURES`]
//! features which most of the wrong moves and hardly any right ones have, then the same for the moves that are left. A
//! reason has to account for a large share of the wrong moves of some rule; a few moves have something in common by
//! chance.

use super::by_move::anyones_moves;
use super::{Node, Place, Wrong, texts};
use crate::doctor::faults::{Diagnosis, Feature, Order};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The most features of a reason.
const MOST_FEATURES: usize = 3;
/// Fewer wrong moves have too much in common by chance.
const FEWEST: usize = 2;
/// A reason has to account for one in so many of the wrong moves of a rule.
const SHARE: usize = 3;
/// Of a rule that has other reasons too, so many moves are enough where no right move has the features; for each cost
/// above that of [`FEW_FEATURES`], so many times as many.
const FEW_MOVES: usize = 4;
const FEW_FEATURES: usize = 2;
/// What the features of a reason may cost at most where some right moves have them too.
const LIKELY: usize = 4;
/// The most reasons. An engine that has more is wrong in another way.
const MOST_REASONS: usize = 12;

/// Features that some of the wrong moves have in common, those of them that are rules apart.
pub(super) struct Reason {
    features: Vec<Feature>,
    rules: Vec<Feature>,
    /// Whether the moves are missing, illegal, or some of them this and some that.
    kinds: Vec<Wrong>,
    /// The moves, with others that are a consequence.
    pub places: Vec<Place>,
    /// How many wrong and how many right moves have the features.
    covered: usize,
    right: usize,
}

impl Reason {
    /// Whether it accounts for a wrong move for sure: by a rule, or because no right move has its features.
    pub fn has<B: Diagnosis>(&self, node: &Node<B>, text: &str) -> bool {
        let features = features(node, text);
        let mut wanted = self.features.iter().chain(self.rules.first());
        (self.right == 0 || !self.rules.is_empty()) && wanted.all(|feature| features.contains(feature))
    }

    /// Adds moves that have its features.
    pub fn extend(&mut self, places: &[Place]) {
        self.places.extend(places);
        self.covered += places.len();
    }

    /// What the engine does, without its subject.
    pub fn deed(&self) -> String {
        let mut nouns = self.features.iter().filter(|feature| feature.order == Order::Move);
        let others = self.features.iter().filter(|feature| feature.order != Order::Move);
        let mut words = vec![match self.kinds[..] {
            [Wrong::Missing] => "leaves out",
            [_] => "plays illegal",
            _ => "leaves out or adds",
        }];
        words.push(nouns.next_back().map_or("moves", |noun| &noun.words));
        words.extend(others.map(|feature| feature.words.as_ref()));
        let rules = Vec::from_iter(self.rules.iter().map(|rule| rule.words.as_ref())).join("; ");
        let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
        let share = match self.right {
            0 => format!("all {}", self.covered),
            right => format!("{} of {}", self.covered, self.covered + right),
        };
        format!("{}{rules}: {share} such moves", words.join(" "))
    }
}

/// A set of moves by their numbers.
#[derive(Clone, Default)]
struct Set(Vec<u64>);

impl Set {
    /// The numbers below `end`.
    fn below(end: usize) -> Set {
        let mut set = Set::default();
        (0..end).for_each(|number| set.insert(number));
        set
    }

    fn insert(&mut self, index: usize) {
        self.0.resize(self.0.len().max(index / 64 + 1), 0);
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn has(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    fn and(&self, other: &Set) -> Set {
        Set(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn without(&self, other: &Set) -> Set {
        let others = other.0.iter().chain(std::iter::repeat(&0));
        Set(self.0.iter().zip(others).map(|(a, b)| a & !b).collect())
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// The wrong and the right moves that have a feature.
#[derive(Clone, Default)]
struct Column {
    wrong: Set,
    right: Set,
}

/// Moves that are all missing, or all illegal, with what can be said of them and of those that are right; or positions.
struct Table {
    places: Vec<Place>,
    /// The positions of `places`; those in which the program has no move at all count as one.
    positions: Vec<usize>,
    columns: BTreeMap<Feature, Column>,
    /// Sets of wrong moves, such as those of one rule; a reason has to account for a share of one of them.
    scopes: Vec<Set>,
}

/// Some features, and the moves that have all of them.
#[derive(Clone, Default)]
struct Conjunction<'a> {
    features: Vec<&'a Feature>,
    moves: Column,
}

impl<'a> Conjunction<'a> {
    fn and(&self, (feature, column): (&'a Feature, &Column)) -> Conjunction<'a> {
        let features = Vec::from_iter(self.features.iter().copied().chain([feature]));
        let moves = match self.features.is_empty() {
            true => column.clone(),
            false => Column { wrong: self.moves.wrong.and(&column.wrong), right: self.moves.right.and(&column.right) },
        };
        Conjunction { features, moves }
    }

    fn cost(&self) -> usize {
        self.features.iter().map(|feature| usize::from(feature.cost)).sum()
    }
}

impl Table {
    fn new<B: Diagnosis>(
        found: &[Node<B>],
        wrong: Vec<(Place, Vec<Feature>)>,
        right: impl Iterator<Item = Vec<Feature>>,
    ) -> Table {
        let mut columns = BTreeMap::<Feature, Column>::new();
        for (number, (_, features)) in wrong.iter().enumerate() {
            features.iter().for_each(|f| columns.entry(f.clone()).or_default().wrong.insert(number));
        }
        for (number, features) in right.enumerate() {
            for feature in features {
                columns.entry(feature).and_modify(|column| column.right.insert(number));
            }
        }
        let rules = columns.iter().filter(|(feature, _)| feature.order == Order::Rule);
        let scopes = rules.map(|(_, column)| column.wrong.clone()).collect();
        let places = Vec::from_iter(wrong.into_iter().map(|(place, _)| place));
        let position = |&(index, _): &Place| if found[index].has_no_move() { usize::MAX } else { index };
        Table { positions: places.iter().map(position).collect(), places, columns, scopes }
    }

    /// The moves of `places` that are wrong in this way, and those that are right in `found` and `right`.
    fn of_moves<B: Diagnosis>(kind: &Wrong, found: &[Node<B>], right: &[Node<B>], places: &BTreeSet<Place>) -> Table {
        let of_kind = places.iter().filter(|place| found[place.0].wrong[place.1].0 == *kind);
        let wrong = of_kind.map(|&(index, at)| ((index, at), features(&found[index], &found[index].wrong[at].1)));
        let wrong = Vec::from_iter(wrong);
        let any = wrong.len() >= FEWEST;
        let answered = found.iter().chain(right).filter(|node| any && !node.has_failed());
        let others = answered.flat_map(|node| {
            let legal = texts(&node.position);
            let moves = if *kind == Wrong::Missing { legal } else { &anyones_moves(&node.position) - &legal };
            let is_right = |text: &String| node.wrong.iter().all(|(_, other)| other != text);
            moves.into_iter().filter(is_right).map(|text| features(node, &text))
        });
        Table::new(found, wrong, others)
    }

    /// The positions of `places`, and the others of `found` and those of `right`.
    fn of_positions<B: Diagnosis>(found: &[Node<B>], right: &[Node<B>], places: &BTreeSet<Place>) -> Table {
        let state = |node: &Node<B>| {
            let moves = node.position.legal_moves();
            let texts = moves.iter().map(|&m| node.position.move_text(m));
            let of_moves = texts.flat_map(|text| B::features(&node.position, &node.before, text.as_str()));
            let of_position = of_moves.filter_map(|feature| match feature.order {
                Order::Move => {
                    let are = if feature.words.starts_with("castling") { "is" } else { "are" };
                    let words = format!("where {} {are} possible", feature.words).into();
                    Some(Feature { order: Order::Possible, words, ..feature })
                }
                order if order.is_of_position() => Some(feature),
                _ => None,
            });
            Vec::from_iter(of_position.collect::<BTreeSet<Feature>>())
        };
        let (mut wrong, mut others) = (Vec::new(), Vec::new());
        let all = found.iter().chain(right).enumerate();
        for (index, node) in all.filter(|(_, node)| !node.has_failed() && node.position.count_legal() > 0) {
            match places.range((index, 0)..(index + 1, 0)).next() {
                Some(&place) => wrong.push((place, state(node))),
                None => others.push(state(node)),
            }
        }
        Table::new(found, wrong, others.into_iter()).whole()
    }

    /// The same with one scope, and each wrong place for itself.
    fn whole(mut self) -> Table {
        self.positions = Vec::from_iter(0..self.places.len());
        self.scopes = vec![Set::below(self.places.len())];
        self
    }

    /// Whether the moves are of at least two positions.
    fn is_spread(&self, moves: &Set) -> bool {
        let mut positions = (0..self.places.len()).filter(|&i| moves.has(i)).map(|i| self.positions[i]);
        positions.next().is_some_and(|first| positions.any(|other| other != first))
    }

    /// The conjunction with few right moves that accounts for most of the moves of `rest`.
    fn best(&self, rest: &Set) -> Option<Conjunction<'_>> {
        let mut best: Option<((usize, Reverse<usize>), Conjunction<'_>)> = None;
        for scope in &self.scopes {
            let (all, left) = (scope.len(), scope.and(rest));
            let least = left.len().div_ceil(SHARE).max(FEWEST);
            let is_share = |moves: usize, right: usize, cost: usize| {
                let few = FEW_MOVES.pow(1 + cost.saturating_sub(FEW_FEATURES) as u32);
                moves >= all.div_ceil(2 * SHARE) || right == 0 && moves >= few
            };
            let of_scope = |moves: &Set| moves.and(&left).len() >= least;
            let columns = Vec::from_iter(self.columns.iter().filter(|(_, column)| of_scope(&column.wrong)));
            let mut sets = vec![(0, Conjunction::default())];
            for _ in 0..MOST_FEATURES {
                let mut longer = Vec::new();
                for (next, set) in sets {
                    for (i, column) in columns.iter().enumerate().skip(next) {
                        let set = set.and(*column);
                        let (covered, right) = (set.moves.wrong.and(rest).len(), set.moves.right.len());
                        // A feature more has to bring a twentieth more moves. Of equals that with the rarest features.
                        let most = covered * 100_000 / (36 + 2 * set.cost());
                        let exact = covered as f64 / (covered + right).max(1) as f64;
                        let rating = (most as f64 * exact.powi(4)) as usize;
                        let common = set.features.iter().map(|&feature| self.columns[feature].right.len()).sum();
                        let rating = (rating, Reverse(common));
                        let known = best.as_ref().map(|best| best.0);
                        if !of_scope(&set.moves.wrong) || known.is_some_and(|known| most < known.0) {
                            continue;
                        }
                        let most_cost = if right == 0 { 1 + covered / 2 } else { (1 + covered / 4).min(LIKELY) };
                        let is_no_chance = set.cost() <= most_cost
                            && is_share(set.moves.wrong.and(&left).len(), right, set.cost())
                            && self.is_spread(&set.moves.wrong.and(rest));
                        if right > 0 {
                            longer.push((i + 1, set.clone()));
                        }
                        if 2 * right <= covered && is_no_chance && known.is_none_or(|known| rating > known) {
                            best = Some((rating, set));
                        }
                    }
                }
                sets = longer;
            }
        }
        best.map(|(_, set)| set)
    }
}

/// What those of `places`, moves of `found`, have in common that few right moves of `found` and `right` have.
pub(super) fn reasons<B: Diagnosis>(found: &[Node<B>], right: &[Node<B>], places: &BTreeSet<Place>) -> Vec<Reason> {
    let mut all: Vec<Reason> = Vec::new();
    for kind in [Wrong::Missing, Wrong::Extra] {
        let table = Table::of_moves(&kind, found, right, places);
        let mut rest = Set::below(table.places.len());
        for _ in 0..MOST_REASONS {
            let Some(set) = table.best(&rest) else { break };
            let covered = set.moves.wrong.and(&rest);
            rest = rest.without(&covered);
            let places = (0..table.places.len()).filter(|&i| covered.has(i)).map(|i| table.places[i]).collect();
            let (rules, features) = set.features.into_iter().cloned().partition(|f: &Feature| f.order == Order::Rule);
            let (covered, right) = (covered.len(), set.moves.right.len());
            all.push(Reason { features, rules, kinds: vec![kind.clone()], places, covered, right });
        }
    }
    // What differs by the rule alone has one cause, and so have promotions that are missing and the same moves without
    // promotion.
    let mut merged: Vec<Reason> = Vec::new();
    let text = |place: &Place| found[place.0].wrong[place.1].1.as_str();
    for told in all {
        let in_place_of = |other: &Reason| {
            let stands = |place: &Place, of: &Place| place.0 == of.0 && text(of).starts_with(text(place));
            told.places.iter().all(|place| other.places.iter().any(|of| stands(place, of)))
        };
        let same = |other: &&mut Reason| {
            !told.features.is_empty() && told.right + other.right == 0 && other.features == told.features
        };
        if merged.iter().any(in_place_of) {
            let known = merged.iter_mut().find(|other| in_place_of(other));
            known.into_iter().for_each(|known| known.places.extend(&told.places));
        } else if let Some(known) = merged.iter_mut().find(same) {
            known.places.extend(told.places);
            known.rules.extend(told.rules);
            known.kinds.extend(told.kinds);
            known.kinds.dedup();
            known.covered += told.covered;
        } else {
            merged.push(told);
        }
    }
    merged
}

/// What the positions of `places` have in common that few others of `found` and `right` have: "after castling by the
/// opponent, in 9 of 10 such positions".
pub(super) fn state<B: Diagnosis>(found: &[Node<B>], right: &[Node<B>], places: &BTreeSet<Place>) -> Option<String> {
    let table = Table::of_positions(found, right, places);
    let set = table.scopes.first().and_then(|all| table.best(all))?;
    let words = Vec::from_iter(set.features.iter().map(|feature| feature.words.as_ref())).join(" ");
    let (wrong, right) = (set.moves.wrong.len(), set.moves.right.len());
    Some(format!("{words}, in {wrong} of {} such positions", wrong + right))
}

/// The features of a move, and the rule by which it is legal or not.
fn features<B: Diagnosis>(node: &Node<B>, text: &str) -> Vec<Feature> {
    let mut features = B::features(&node.position, &node.before, text);
    if let Ok(explained) = B::explain(&node.position, text, &node.before) {
        features.push(Feature { order: Order::Rule, cost: 1, words: explained.rule.to_string().into() });
    }
    features
}
