//! Looks for places where another program is wrong, and descends to the smallest question that shows it.

use super::ask::Asker;
use super::case::{Case, Evidence, flaw, flaws};
use super::diff::Wrong;
use super::spot::Spot;
use crate::base::rng::SplitMix64;
use crate::doctor::faults::Diagnosis;
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
type Likeness = (Evidence, String, String);

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

/// Depths with the most nodes of a count, in the order in which they are asked.
const COUNTS: [(u32, u128); 3] = [(2, 2_500), (3, 30_000), (4, 100_000)];

/// More nodes are not asked of positions that are not due.
const FEW_NODES: u128 = 30_000;

/// The plies of a line of random moves.
const PLIES: usize = 6;

/// So many cases, or groups of them, end a search by counting.
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
            Some(position) if !text.is_empty() => B::kind(&position, text),
            _ => String::new(),
        };
        let of_move = kind(case.spot.end(), &case.text);
        let last = match (case.evidence, case.spot.moves.split_last()) {
            (Evidence::AfterMoves(_), Some((last, before))) => {
                kind(Spot { moves: before.to_vec(), ..case.spot.clone() }.end(), last)
            }
            _ => String::new(),
        };
        self.found.entry((case.evidence, of_move, last)).or_default().push(case);
    }

    /// Looks everywhere: lists first, then counts, then lists after moves; these come before the counts if lists are
    /// wrong. Returns the groups of cases, those that should be told first.
    pub fn search(&mut self, asker: &mut Asker<'_, B>, watch: &mut dyn FnMut(usize, usize)) -> Vec<Group<B>> {
        self.list(asker, watch);
        let has_wrong_lists = !self.found.is_empty();
        // Making moves has its share of the time before more wrong lists are looked for.
        if has_wrong_lists && asker.takes_moves() {
            self.wander(asker);
        }
        if !has_wrong_lists || !self.is_past(0.5) {
            self.count(asker, watch, has_wrong_lists);
        }
        let is_after_moves = |(evidence, ..): &Likeness| matches!(evidence, Evidence::AfterMoves(_) | Evidence::Crash);
        if !has_wrong_lists && !self.found.keys().any(is_after_moves) && asker.takes_moves() {
            self.wander(asker);
        }
        if self.found.is_empty() {
            self.count_all(asker, watch);
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
                    let wrong = flaws(&reply, &task.position);
                    let miscounted = reply.moves.iter().find(|(_, count)| *count != 1);
                    if wrong.is_empty()
                        && let Some((text, _)) = miscounted
                    {
                        self.add(case(Evidence::Count, text.clone()));
                    }
                    for (text, flaw) in wrong.into_iter() {
                        self.add(case(Evidence::ByFen(flaw), text));
                    }
                }
            }
            self.listed += 1;
        }
    }

    /// Compares counts, the small ones first.
    fn count(&mut self, asker: &mut Asker<'_, B>, watch: &mut dyn FnMut(usize, usize), has_wrong_lists: bool) {
        for (depth, most) in COUNTS {
            let count = |task: &&Task<B>| task.counts.iter().find(|(d, n)| *d == depth && *n <= most).map(|(_, n)| *n);
            let mut tasks = Vec::from_iter(self.tasks.iter().filter(|task| count(task).is_some()));
            tasks.sort_by_key(count);
            for task in tasks {
                let right = count(&task).unwrap_or_default();
                if asker.is_over() || self.is_past(if has_wrong_lists { 0.5 } else { 0.6 }) {
                    return;
                }
                if !asker.can_count(right, Duration::from_secs(3)) {
                    break;
                }
                watch(self.counted, self.tasks.len());
                self.compare(asker, task, depth, right, has_wrong_lists);
                if !has_wrong_lists && (self.found.len() >= ENOUGH_GROUPS || self.cases() > ENOUGH) {
                    break;
                }
            }
            if !has_wrong_lists && !self.found.is_empty() {
                return;
            }
        }
    }

    /// Compares one count and returns whether it is right. If wrong lists are known already, they are nothing new.
    fn compare(
        &mut self,
        asker: &mut Asker<'_, B>,
        task: &Task<B>,
        depth: u32,
        right: u128,
        has_wrong_lists: bool,
    ) -> bool {
        let spot = Spot::at(task.position);
        let reply = asker.ask(&spot, depth);
        if reply.is_some_and(|reply| reply.total == right && reply.sum() == right) {
            self.nodes += right;
            return true;
        }
        if let Some(case) = self.descend(asker, &spot, depth)
            && !(has_wrong_lists && matches!(case.evidence, Evidence::ByFen(_)))
        {
            self.add(case);
        }
        false
    }

    /// Compares lists after random moves.
    fn wander(&mut self, asker: &mut Asker<'_, B>) {
        let has_wrong_lists = !self.found.is_empty();
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
                if list.as_ref().is_some_and(|reply| flaws(reply, &position).is_empty()) {
                    continue;
                }
                if let Some(case) = self.descend(asker, &spot, 1)
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

    /// Counts all positions as deep as they are to be, until something is wrong.
    fn count_all(&mut self, asker: &mut Asker<'_, B>, watch: &mut dyn FnMut(usize, usize)) {
        for task in self.tasks {
            let most = if task.is_due { u128::MAX } else { FEW_NODES };
            let Some(&(depth, right)) = task.counts.iter().rev().find(|(_, n)| *n <= most) else { continue };
            if asker.is_over() || self.is_past(1.0) || !asker.can_count(right, Duration::from_secs(9)) {
                return;
            }
            watch(self.counted, self.tasks.len());
            let known = self.cases();
            let is_right = self.compare(asker, task, depth, right, false);
            // What can't be read has not been counted, if the program counts at all.
            self.counted += usize::from(is_right || !asker.counts() && !asker.is_over());
            if self.cases() > known {
                return;
            }
        }
    }

    /// The smallest question below a wrong count that shows what is wrong.
    pub fn descend(&mut self, asker: &mut Asker<'_, B>, spot: &Spot<B>, depth: u32) -> Option<Case<B>> {
        let end = spot.end()?;
        let case = |evidence, text: &str, depth| {
            let (spot, text) = (spot.clone(), text.to_string());
            Some(Case { evidence, spot, text, depth })
        };
        let Some(list) = asker.ask(spot, 1) else {
            return asker.failure(spot, 1).and_then(|_| case(Evidence::Crash, "", 1));
        };
        if let Some((text, flaw)) = flaws(&list, &end).into_iter().next() {
            return self.descend_list(asker, spot, &end, (&text, flaw));
        }
        let children = || {
            let child = |&m: &B::Move| (end.move_text(m).to_string(), end.play_unchecked(m));
            Vec::from_iter(end.legal_moves().iter().map(child))
        };
        let Some(reply) = asker.ask(spot, depth) else {
            asker.failure(spot, depth)?;
            // A wrong move below may be the cause.
            for (text, child) in children() {
                for next in [Spot::at(child), spot.then(&text)] {
                    let is_right = asker
                        .ask(&next, depth - 1)
                        .is_some_and(|reply| reply.total == u128::from(child.perft(depth - 1)));
                    if !is_right && let Some(found) = self.descend(asker, &next, depth - 1) {
                        return Some(found);
                    }
                    if asker.is_over() {
                        return None;
                    }
                }
            }
            return case(Evidence::Crash, "", depth);
        };
        if depth == 1 {
            return match reply.moves.iter().find(|(_, count)| *count != 1) {
                Some((text, _)) => case(Evidence::Count, text, 1),
                None if reply.total != reply.sum() => case(Evidence::Total, "", 1),
                None => None,
            };
        }
        let mut first = None;
        for (text, child) in children() {
            let right = u128::from(child.perft(depth - 1));
            if reply.count(&text) == right {
                continue;
            }
            for next in [Spot::at(child), spot.then(&text)] {
                let is_right = asker.ask(&next, depth - 1).is_some_and(|reply| reply.total == right);
                let can_ask = next.moves.is_empty() || asker.takes_moves();
                if !is_right
                    && can_ask
                    && let Some(found) = self.descend(asker, &next, depth - 1)
                {
                    return Some(found);
                }
            }
            // The first by the order in which it was printed.
            let place = reply.moves.iter().position(|(name, _)| *name == text);
            if first.as_ref().is_none_or(|(known, _)| place < *known) {
                first = Some((place, text));
            }
            if asker.is_over() {
                return None;
            }
        }
        match first {
            Some((_, text)) => case(Evidence::Count, &text, depth),
            None if reply.total != reply.sum() => case(Evidence::Total, "", depth),
            None => None,
        }
    }

    /// What a wrong list shows: by FEN if it is wrong there, else after as few moves as are needed.
    fn descend_list(
        &mut self,
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
                if let Some((text, found)) = flaws(&reply, end).into_iter().next() {
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

    /// The groups, the largest first; one that is not of lists by FEN comes before a third of these.
    fn in_order(&mut self) -> Vec<Group<B>> {
        let mut groups = Vec::from_iter(std::mem::take(&mut self.found));
        let arises = |case: &Case<B>| B::arises(&case.spot.root);
        for (_, group) in &mut groups {
            group.sort_by_key(|case| (!arises(case), case.spot.moves.len(), case.depth, men(case)));
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

/// How many pieces a case has.
fn men<B: Diagnosis>(case: &Case<B>) -> usize {
    let fen = case.spot.root.to_fen();
    fen.split(' ').next().unwrap_or_default().chars().filter(char::is_ascii_alphabetic).count()
}
