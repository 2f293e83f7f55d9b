//! Looks for places where another program is wrong, and descends to the smallest question that shows it.

use super::ask::Asker;
use super::case::{Case, Evidence, flaw};
use super::diff::Wrong;
use super::spot::{Spot, texts};
use crate::base::rng::SplitMix64;
use crate::doctor::faults::{Diagnosis, MoveKind};
use crate::game::Position;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A position of the suites with its right counts by depth, ascending.
pub struct Task<B: Diagnosis> {
    pub position: Position<B>,
    pub counts: Vec<(u32, u128)>,
    /// Whether it has to be counted to its deepest depth before an engine is acquitted.
    pub is_due: bool,
}

/// Cases with the same evidence, the same kind of wrong move and, after moves, the same kind of last move.
pub type Group<B> = Vec<Case<B>>;

/// What the cases of a group share: the evidence, the kind of the wrong move, and that of the last move.
type Likeness = (Evidence, Option<MoveKind>, Option<MoveKind>);

/// A search for wrong places.
pub struct Walk<'t, B: Diagnosis> {
    pub tasks: &'t [Task<B>],
    begin: Instant,
    /// How long the search may take.
    limit: Duration,
    found: BTreeMap<Likeness, Group<B>>,
    /// The positions of which the moves were compared, and those due that were counted as deep as they have to be.
    pub listed: usize,
    pub counted: usize,
    /// The sequences that were compared.
    pub nodes: u128,
}

/// Larger counts are not asked of positions that are not due, nor once something is wrong.
const FEW_NODES: u128 = 30_000;

/// The plies of a line of random moves.
const PLIES: usize = 6;

/// More cases than this, or so many groups of them, end the search.
const ENOUGH: usize = 12;
const ENOUGH_GROUPS: usize = 4;

impl<'t, B: Diagnosis> Walk<'t, B> {
    pub fn new(tasks: &'t [Task<B>], limit: Duration) -> Self {
        Walk { tasks, begin: Instant::now(), limit, found: BTreeMap::new(), listed: 0, counted: 0, nodes: 0 }
    }

    /// Whether this share of the time is used up.
    fn is_past(&self, share: f64) -> bool {
        self.begin.elapsed() >= self.limit.mul_f64(share)
    }

    fn cases(&self) -> usize {
        self.found.values().map(Vec::len).sum()
    }

    fn add(&mut self, case: Case<B>) {
        let kind = |position: Option<Position<B>>, text: &str| match position {
            Some(position) if !text.is_empty() => Some(B::kind(&position, text)),
            _ => None,
        };
        let of_move = kind(case.spot.end(), &case.text);
        let last = match (case.evidence, case.spot.moves.split_last()) {
            (Evidence::AfterMoves(_), Some((last, before))) => {
                kind(Spot { moves: before.to_vec(), ..case.spot.clone() }.end(), last)
            }
            _ => None,
        };
        self.found.entry((case.evidence, of_move, last)).or_default().push(case);
    }

    /// Looks everywhere: lists, lists after random moves, then counts. Returns the groups of cases, those that should
    /// be told first.
    pub fn search(&mut self, asker: &mut Asker<'_, B>, watch: &mut dyn FnMut(usize, usize)) -> Vec<Group<B>> {
        self.list(asker, watch);
        let has_wrong_lists = !self.found.is_empty();
        if asker.takes_moves() {
            self.wander(asker, has_wrong_lists);
        }
        if asker.counts() {
            self.count(asker, watch, has_wrong_lists);
        }
        self.in_order()
    }

    /// Compares the lists of all positions.
    fn list(&mut self, asker: &mut Asker<'_, B>, watch: &mut dyn FnMut(usize, usize)) {
        for task in self.tasks {
            watch(self.listed, self.tasks.len());
            if asker.is_over() || !self.found.is_empty() && self.is_past(0.4) {
                return;
            }
            let spot = Spot::at(task.position);
            let case = |evidence, text: String| Case { evidence, spot: spot.clone(), text, depth: 1 };
            match asker.ask(&spot, 1) {
                None if asker.failure(&spot, 1).is_some() => self.add(case(Evidence::Crash, String::new())),
                None if asker.is_over() => return,
                // It can't be read.
                None => continue,
                Some(reply) => {
                    let wrong = reply.flaws(&task.position);
                    let miscounted = reply.moves.iter().find(|(_, count)| *count != 1);
                    if wrong.is_empty()
                        && let Some((text, _)) = miscounted
                    {
                        self.add(case(Evidence::Count, text.clone()));
                    }
                    for (flaw, text) in wrong {
                        self.add(case(Evidence::ByFen(flaw), text));
                    }
                }
            }
            self.listed += 1;
        }
    }

    /// Compares counts, the small ones first. If wrong lists are known already, more of them are nothing new.
    fn count(&mut self, asker: &mut Asker<'_, B>, watch: &mut dyn FnMut(usize, usize), has_wrong_lists: bool) {
        let mut counts = Vec::new();
        for (at, task) in self.tasks.iter().enumerate() {
            let most = if task.is_due { u128::MAX } else { FEW_NODES };
            let asked = task.counts.iter().filter(|(_, nodes)| *nodes <= most);
            let deepest = asked.clone().next_back();
            counts.extend(asked.map(|count| (count.1, count.0, at, Some(count) == deepest)));
        }
        counts.sort_unstable();
        for (nodes, depth, at, is_last) in counts {
            let share = if has_wrong_lists { 0.5 } else { 1.0 };
            let has_enough = self.found.len() >= ENOUGH_GROUPS || self.cases() > ENOUGH;
            if asker.is_over()
                || self.is_past(share)
                || !asker.can_count(nodes, Duration::from_secs(9))
                || !self.found.is_empty() && nodes > FEW_NODES
                || !has_wrong_lists && has_enough
            {
                return;
            }
            watch(self.counted, self.tasks.len());
            let spot = Spot::at(self.tasks[at].position);
            let reply = asker.ask(&spot, depth);
            if reply.is_some_and(|reply| reply.total == nodes && reply.sum() == nodes) {
                self.nodes += nodes;
                self.counted += usize::from(is_last);
            } else if let Some((place, left)) = descend(asker, &spot, depth)
                && let Some(case) = examine(asker, &place, left)
                && !(has_wrong_lists && matches!(case.evidence, Evidence::ByFen(_)))
            {
                self.add(case);
            }
        }
    }

    /// Compares lists after random moves.
    fn wander(&mut self, asker: &mut Asker<'_, B>, has_wrong_lists: bool) {
        let stop = (self.begin.elapsed() + self.limit.mul_f64(0.15)).min(self.limit.mul_f64(0.8));
        let mut rng = SplitMix64::new(1);
        // To ask about one move after another takes long.
        let counts = asker.counts();
        let plies = if counts { PLIES } else { 1 };
        for task in self.tasks.iter().filter(|task| task.is_due || counts) {
            let (mut spot, mut position) = (Spot::at(task.position), task.position);
            let mut list = asker.ask(&spot, 1);
            for _ in 0..plies {
                // A program that lacks a move may not make it.
                let is_listed =
                    |m: &B::Move| list.as_ref().is_some_and(|list| list.times(position.move_text(*m).as_str()) > 0);
                let moves = Vec::from_iter(position.legal_moves().into_iter().filter(is_listed));
                if moves.is_empty() || asker.is_over() || self.begin.elapsed() >= stop {
                    break;
                }
                let m = moves[(rng.next_u64() % moves.len() as u64) as usize];
                spot = spot.then(position.move_text(m).as_str());
                position = position.play_unchecked(m);
                list = asker.ask(&spot, 1);
                if list.as_ref().is_some_and(|reply| reply.flaws(&position).is_empty()) {
                    continue;
                }
                if let Some(case) = examine(asker, &spot, 1)
                    && (!has_wrong_lists || matches!(case.evidence, Evidence::AfterMoves(_)))
                {
                    self.add(case);
                }
                break;
            }
            if self.cases() > ENOUGH && !has_wrong_lists {
                return;
            }
        }
    }

    /// The groups: those that can arise in a game first, then the largest. One that is not of lists by FEN comes third
    /// at the latest.
    fn in_order(&mut self) -> Vec<Group<B>> {
        let mut groups = Vec::from_iter(std::mem::take(&mut self.found));
        let arises = |case: &Case<B>| B::arises(&case.spot.root);
        for (_, group) in &mut groups {
            // The case that is examined comes first.
            let cost = |case: &Case<B>| (!arises(case), case.spot.moves.len(), case.depth, men(case));
            let best = (0..group.len()).min_by_key(|at| cost(&group[*at])).unwrap_or(0);
            group.swap(0, best);
        }
        groups.sort_by_key(|(_, group)| (!arises(&group[0]), std::cmp::Reverse(group.len())));
        let is_by_fen = |(evidence, ..): &Likeness| matches!(evidence, Evidence::ByFen(_));
        if let Some(at) = groups.iter().position(|(likeness, _)| !is_by_fen(likeness))
            && at > 2
        {
            let other = groups.remove(at);
            groups.insert(2, other);
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }
}

/// The first place at or below a spot where a list is wrong, or else a count that nothing below explains, with the
/// plies that are left there. Where a count is wrong, the position after the move is asked about.
pub fn descend<B: Diagnosis>(asker: &mut Asker<'_, B>, spot: &Spot<B>, depth: u32) -> Option<(Spot<B>, u32)> {
    let end = spot.end()?;
    let Some(list) = asker.ask(spot, 1) else { return asker.failure(spot, 1).map(|_| (spot.clone(), 1)) };
    if !list.flaws(&end).is_empty() {
        return Some((spot.clone(), 1));
    }
    let reply = asker.ask(spot, depth);
    let moves = if depth > 1 { end.legal_moves() } else { Default::default() };
    for m in moves {
        let (text, child) = (end.move_text(m).to_string(), end.play_unchecked(m));
        let right = u128::from(child.perft(depth - 1));
        // Where there is no reply, every move may be the cause.
        if reply.as_ref().is_some_and(|reply| reply.count(&text) == right) {
            continue;
        }
        let next = if asker.takes_moves() { spot.then(&text) } else { Spot::at(child) };
        let is_right = asker.ask(&next, depth - 1).is_some_and(|reply| reply.total == right);
        if !is_right && let Some(found) = descend(asker, &next, depth - 1) {
            return Some(found);
        }
        if asker.is_over() {
            return None;
        }
    }
    (reply.is_some() || asker.failure(spot, depth).is_some()).then(|| (spot.clone(), depth))
}

/// What is wrong at a spot with the list, or the divide of so many plies.
pub fn examine<B: Diagnosis>(asker: &mut Asker<'_, B>, spot: &Spot<B>, depth: u32) -> Option<Case<B>> {
    let end = spot.end()?;
    let case = |evidence, text: String| Some(Case { evidence, spot: spot.clone(), text, depth });
    let Some(reply) = asker.ask(spot, depth) else {
        return asker.failure(spot, depth).and_then(|_| case(Evidence::Crash, String::new()));
    };
    if depth == 1
        && let Some((found, text)) = reply.flaws(&end).into_iter().next()
    {
        return examine_list(asker, spot, &end, (&text, found));
    }
    // A move that is not there, or else the first wrong one in the order in which they were printed.
    let absent = texts(&end).into_iter().filter(|text| reply.times(text) == 0);
    for text in absent.chain(reply.moves.iter().map(|(text, _)| text.clone())) {
        let child = end.parse_coordinates(&text).ok().map(|m| end.play_unchecked(m));
        if child.is_none_or(|child| reply.count(&text) != u128::from(child.perft(depth - 1))) {
            return case(Evidence::Count, text);
        }
    }
    if reply.total == reply.sum() { None } else { case(Evidence::Total, String::new()) }
}

/// What a wrong list shows: by FEN if it is wrong there, else after as few moves as are needed.
fn examine_list<B: Diagnosis>(
    asker: &mut Asker<'_, B>,
    spot: &Spot<B>,
    end: &Position<B>,
    (text, found): (&str, Wrong),
) -> Option<Case<B>> {
    let case = |evidence, spot: Spot<B>, text: &str| Some(Case { evidence, spot, text: text.into(), depth: 1 });
    if spot.moves.is_empty() {
        return case(Evidence::ByFen(found), spot.clone(), text);
    }
    let alone = Spot::at(*end);
    match asker.ask(&alone, 1) {
        None => return asker.failure(&alone, 1).and_then(|_| case(Evidence::Crash, alone.clone(), "")),
        Some(reply) => {
            if let Some((found, text)) = reply.flaws(end).into_iter().next() {
                return case(Evidence::ByFen(found), alone, &text);
            }
        }
    }
    let mut short = spot.clone();
    while short.moves.len() > 1
        && let Some(next) = short.from_second()
        && asker.ask(&next, 1).is_some_and(|reply| flaw(&reply, end, text) == Some(found))
    {
        short = next;
    }
    case(Evidence::AfterMoves(found), short, text)
}

/// How many pieces a case has.
fn men<B: Diagnosis>(case: &Case<B>) -> usize {
    let fen = case.spot.root.to_fen();
    fen.split(' ').next().unwrap_or_default().chars().filter(char::is_ascii_alphabetic).count()
}
