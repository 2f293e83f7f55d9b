//! One walk over all faults of a game, for the tests of both generators with faults.

use super::faults::{Diagnosis, Fault, FaultKind, Faults, FaultyBoard};
use super::spot::{Line, texts};
use crate::game::Position;
use std::collections::{BTreeMap, BTreeSet};

/// The moves of an engine as text, in order; a move twice is there twice.
pub fn list_of<B: FaultyBoard>(board: &B, faults: &Faults) -> Vec<String> {
    let mut list = Vec::from_iter(board.moves(faults).into_iter().map(|m| board.move_text(m).to_string()));
    list.sort();
    list
}

/// The legal moves as text, in order.
pub fn legal_of<B: Diagnosis>(pos: &Position<B>) -> Vec<String> {
    texts(pos).into_iter().collect()
}

/// By each rule that explains a wrong move, the positions where.
type ByRule<B> = BTreeMap<<B as Diagnosis>::Rule, BTreeSet<String>>;

/// Walks so many plies below each position with each fault, of both sides and of each alone. Every move that a fault
/// adds has to be explained by a rule of the fault, and most of those that it leaves out; every fault has to show in
/// `least` positions.
pub fn explained<B: Diagnosis>(positions: &[(u32, Position<B>)], least: usize) -> ByRule<B>
where
    B::Rule: Ord,
{
    let mut by_rule = ByRule::<B>::new();
    let asked = Vec::from_iter(positions.iter().map(|(depth, pos)| asked_below::<B>(&B::sound_board(pos), *depth)));
    for fault in Fault::<B::Fault>::all() {
        let mut walk = Walk { fault, faults: Faults::of(&[fault]), shown: 0, others: 0, by_rule: &mut by_rule };
        for ((depth, pos), asked) in positions.iter().zip(&asked) {
            // The deep walks are for the faults that have hardly shown before.
            if walk.faults.has_any_of(*asked) && (*depth < 2 || walk.shown < least.max(3)) {
                walk.walk(pos, &B::sound_board(pos).read(&walk.faults), &mut Vec::new(), *depth);
            }
        }
        let (shown, others) = (walk.shown, walk.others);
        let least = if fault.side.is_none() { least } else { 1 };
        assert!(shown >= least && others < 2 * shown, "{fault:?}: {shown} positions, {others} other moves");
    }
    by_rule
}

/// Which faults a right engine asks for here and in so many plies below: no other one can show.
fn asked_below<B: Diagnosis>(board: &B::Faulty, depth: u32) -> [u128; 2] {
    fn walk<B: FaultyBoard>(board: &B, depth: u32, none: &Faults) {
        for m in board.moves(none) {
            if depth > 0 {
                walk(&board.make(m, none), depth - 1, none);
            }
        }
    }
    let none = Faults::default();
    walk(&board.read(&none), depth, &none);
    none.take_asked()
}

struct Walk<'a, B: Diagnosis> {
    fault: Fault<B::Fault>,
    faults: Faults,
    /// The positions that show it.
    shown: usize,
    /// Moves left out that other rules explain.
    others: usize,
    by_rule: &'a mut ByRule<B>,
}

impl<B: Diagnosis> Walk<'_, B>
where
    B::Rule: Ord,
{
    fn walk(&mut self, pos: &Position<B>, board: &B::Faulty, before: &mut Line<B>, depth: u32) {
        self.faults.take_asked();
        let steps = board.moves(&self.faults);
        let is_asked = self.faults.has_any_of(self.faults.take_asked());
        let is_same_board = before.is_empty() && *board == B::sound_board(pos);
        // What was not asked for does not show.
        if is_asked || !is_same_board {
            let (list, legal) = (list_of(board, &self.faults), legal_of(pos));
            if list != legal {
                self.shown += 1;
                self.explain(pos, &list, &legal, before);
                return;
            }
        }
        if depth == 0 {
            return;
        }
        for m in pos.legal_moves() {
            let text = pos.move_text(m);
            let Some(&step) = steps.iter().find(|step| board.move_text(**step) == text) else { continue };
            before.push((*pos, m));
            self.walk(&pos.play_unchecked(m), &board.make(step, &self.faults), before, depth - 1);
            before.pop();
        }
    }

    fn explain(&mut self, pos: &Position<B>, list: &[String], legal: &[String], before: &Line<B>) {
        let rules = self.fault.kind.rules();
        let texts = BTreeSet::from_iter(list.iter().chain(legal));
        for text in texts.into_iter().filter(|text| list.contains(text) != legal.contains(text)) {
            let explained = B::explain(pos, text, before).unwrap();
            assert_eq!(explained.legal, legal.contains(text), "{}: {text}: {explained}", pos.to_fen());
            assert!(explained.sentence.len() > 10 && !explained.sentence.ends_with('.'));
            self.by_rule.entry(explained.rule).or_default().insert(pos.to_fen());
            let fits = rules.is_empty() || rules.contains(&explained.rule);
            self.others += usize::from(!fits && explained.legal);
            assert!(fits || explained.legal, "{:?}: {text}: {explained}\n{}", self.fault, pos.to_fen());
        }
    }
}
