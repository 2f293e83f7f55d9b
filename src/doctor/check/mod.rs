//! Checks another program's move generator on many positions and names the rules that it breaks.
//!
//! [`Checker`] asks for the divides of a suite and follows every difference down to the positions whose move lists
//! differ ([`Node`]). `naming` groups what it has found by fault and by rule, `common` says what wrong moves have in
//! common that no known fault explains, `miscount` knows the faults that no move list shows. `by_move` finds faults of
//! engines that have no `go perft`; `speed` compares speeds. Does not print.

pub mod by_move;
mod common;
pub mod miscount;
pub mod naming;
pub mod speed;

use super::diff::{Node, Wrong, differences, own_divide, walk};
use super::program::Divider;
use super::reading::Reading;
use crate::base::signals;
use crate::doctor::faults::Diagnosis;
use crate::game::{Board, Position};
use crate::perft::count::Divide;
use std::collections::BTreeSet;
use std::mem::take;
use std::time::Instant;

/// How many divides a single position of the suite may cost when its counts differ.
const MOST_QUESTIONS: u32 = 60;
/// As before, after [`MANY_QUESTIONS`]: the faults that show are known by then.
const FEW_QUESTIONS: u32 = 8;
/// How often the other program is started again.
const MOST_FAILURES: usize = 50;
/// How many divides may be asked for in search of faults before there are few for each position.
const MANY_QUESTIONS: u32 = 2_000;

/// A position of the suite.
#[derive(Clone, Copy, Debug)]
pub struct Task<B: Board> {
    /// The position.
    pub position: Position<B>,
    /// The depth that the other program is asked for.
    pub depth: u32,
}

impl<B: Diagnosis> Node<B> {
    /// Whether the program has failed here.
    fn has_failed(&self) -> bool {
        self.wrong.iter().any(|(wrong, _)| matches!(wrong, Wrong::Failed(_)))
    }

    /// Whether the program has no move here, although there are legal ones.
    fn has_no_move(&self) -> bool {
        self.wrong.iter().filter(|(wrong, _)| *wrong == Wrong::Missing).count() as u64 == self.position.count_legal()
            && !self.wrong.is_empty()
    }
}

/// A wrong move: the index of its node, and its place there.
type Place = (usize, usize);

/// Moves with their counts.
pub type Counts = Vec<(String, u128)>;

/// A position that the other program has counted.
#[derive(Clone, Debug)]
pub struct Probe<B: Diagnosis> {
    /// The position, and the moves that lead to it.
    pub node: Node<B>,
    /// How many plies were counted.
    pub depth: u32,
    /// What was printed, in order.
    pub theirs: Counts,
}

impl<B: Diagnosis> Probe<B> {
    /// The legal moves with their names, in the order in which they were printed.
    fn moves(&self) -> Vec<(B::Move, String)> {
        let named = |&m: &B::Move| (m, self.node.position.move_text(m).to_string());
        let mut moves = Vec::from_iter(self.node.position.legal_moves().iter().map(named));
        moves.sort_by_key(|(_, name)| self.place(name));
        moves
    }

    fn place(&self, name: &str) -> usize {
        self.theirs.iter().position(|(other, _)| other == name).unwrap_or(usize::MAX)
    }

    /// Whether what was printed is wrong.
    pub fn is_wrong(&self) -> bool {
        sorted(&self.theirs) != sorted(&self.right())
    }

    /// The right counts, in the order of the printed ones.
    fn right(&self) -> Counts {
        let count = |m| u128::from(self.node.position.play_unchecked(m).perft(self.depth - 1));
        self.moves().into_iter().map(|(m, name)| (name, count(m))).collect()
    }
}

/// Counts in an order that does not depend on who printed them.
fn sorted(counts: &Counts) -> Counts {
    let mut sorted = counts.clone();
    sorted.sort();
    sorted
}

/// The legal moves as text.
fn texts<B: Diagnosis>(pos: &Position<B>) -> BTreeSet<String> {
    pos.legal_moves().iter().map(|&m| pos.move_text(m).to_string()).collect()
}

/// Starts the other program again.
type Restart<'a> = Box<dyn FnMut() -> Result<Divider<'a>, String> + 'a>;

/// A check under way.
pub struct Checker<'a, B: Diagnosis> {
    /// The other program.
    pub other: Divider<'a>,
    /// Starts it again when it has ended.
    pub restart: Option<Restart<'a>>,
    /// How often it has failed.
    failures: usize,
    /// When to stop.
    pub end: Option<Instant>,
    /// Positions in which it is wrong.
    pub found: Vec<Node<B>>,
    /// Positions whose move lists are right, with the moves that lead to them.
    pub right: Vec<Node<B>>,
    /// Positions of the suite whose divides were right.
    pub agreed: Vec<Task<B>>,
    /// The game's probes.
    pub probes: Vec<Probe<B>>,
    /// Nodes of the suite that it has counted.
    pub nodes: u128,
    /// Positions of the suite that are done.
    pub done: usize,
    /// Questions left for this position of the suite, and those asked about all.
    questions: u32,
    asked: u32,
    /// It has been seen to count sequences after a position without a legal move.
    counts_on: bool,
}

impl<'a, B: Diagnosis> Checker<'a, B> {
    /// Nothing is asked yet.
    pub fn new(other: Divider<'a>, end: Option<Instant>) -> Self {
        let (found, right, agreed, probes, nodes, done) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), 0, 0);
        let (questions, asked, counts_on, restart, failures) = (0, 0, false, None, 0);
        Checker {
            other,
            restart,
            failures,
            end,
            found,
            right,
            agreed,
            probes,
            nodes,
            done,
            questions,
            asked,
            counts_on,
        }
    }

    /// Whether the time is up, or a signal has come.
    pub fn is_over(&self) -> bool {
        signals::was_interrupted() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Compares the next position of the suite. Appends what is wrong to `found`.
    ///
    /// # Errors
    /// If the other program fails.
    pub fn check(&mut self, task: &Task<B>) -> Result<(), String> {
        self.questions = if self.asked < MANY_QUESTIONS { MOST_QUESTIONS } else { FEW_QUESTIONS };
        if !self.examine(Node::root_of(self.done, task.position), task.depth)? {
            self.agreed.push(*task);
        }
        self.done += 1;
        Ok(())
    }

    /// What is wrong with the move list in the position of `node`, whatever the counts.
    ///
    /// # Errors
    /// If the other program fails.
    pub fn wrong_in(&mut self, node: &Node<B>) -> Result<Vec<(Wrong, String)>, String> {
        let ours = own_divide(&node.position, 1);
        let theirs = self.divide(node, &ours, 1)?;
        Ok(theirs.map_or(Vec::new(), |theirs| differences(&node.position, &ours, &theirs)))
    }

    /// Asks for the divides of the game's probes that have at most `most` nodes, and looks for what is wrong below
    /// those that differ.
    ///
    /// # Errors
    /// If the other program fails, or the time is up; those that have been answered are kept.
    pub fn probe(&mut self, most: u128) -> Result<(), String> {
        let mut questions = Vec::from(B::PROBES);
        questions.sort_by_key(|question| question.2);
        for (fen, moves, depth) in questions {
            let mut node = Node::root_of(usize::MAX, Position::<B>::from_fen(fen).map_err(|e| e.to_string())?);
            for text in moves.split_whitespace() {
                node = node.child(node.position.parse_move(text).map_err(|e| e.to_string())?);
            }
            if self.is_over() {
                return Err("the time was up before all small positions were counted".into());
            }
            let ours = own_divide(&node.position, depth);
            if ours.total > most {
                continue;
            }
            self.questions = MOST_QUESTIONS;
            let Some(theirs) = self.divide(&node, &ours, depth)? else {
                self.examine_failure(&node, depth, &ours)?;
                continue;
            };
            let theirs = theirs.moves.into_iter().map(|m| (m.name, m.count)).collect();
            let probe = Probe { node: node.clone(), depth, theirs };
            let is_wrong = probe.is_wrong();
            self.probes.push(probe);
            // An engine that makes moves wrongly is elsewhere after some.
            if is_wrong && (moves.is_empty() || self.found.is_empty()) {
                self.questions = FEW_QUESTIONS;
                self.examine(node, depth)?;
            }
        }
        Ok(())
    }

    /// Their divide of a position, of which `ours` is the right one; `None` if the program fails, which is kept, and
    /// can be started again.
    fn divide(&mut self, node: &Node<B>, ours: &Divide<B::Move>, depth: u32) -> Result<Option<Reading>, String> {
        let (root, path) = match self.other.takes_moves {
            true => (node.root(), node.path()),
            false => (&node.position, Vec::new()),
        };
        let reason = match self.other.divide((&root.to_fen(), &path), &node.position, depth, ours) {
            Ok(reading) => {
                self.nodes += reading.nodes();
                return Ok(Some(reading));
            }
            Err(reason) => reason,
        };
        self.failures += 1;
        let is_last = self.failures > MOST_FAILURES || self.is_over();
        let Some(restart) = self.restart.as_mut().filter(|_| self.other.has_failed && !is_last) else {
            return Err(reason);
        };
        let mut other = restart()?;
        (other.habits, other.patience) = (self.other.habits, self.other.patience);
        self.other = other;
        self.found.push(Node { wrong: vec![(Wrong::Failed(reason), String::new())], ..node.clone() });
        Ok(None)
    }

    /// Looks below a position in which the program has failed for a wrong move that is the cause, as castling with a
    /// rook that is not there. If there is one, the failure is forgotten.
    fn examine_failure(&mut self, node: &Node<B>, depth: u32, ours: &Divide<B::Move>) -> Result<(), String> {
        let failure = self.found.len() - 1;
        if depth == 1 || self.failures > MOST_FAILURES / 2 {
            return Ok(());
        }
        let mut moves = ours.moves.iter().filter(|(_, count)| *count > 0);
        let mut is_wrong = self.examine(node.clone(), 1)?;
        while !is_wrong
            && self.questions > 0
            && let Some(&(m, _)) = moves.next()
        {
            is_wrong = self.examine(node.child(m), depth - 1)?;
        }
        let is_found = |node: &Node<B>| !node.has_failed();
        if self.found[failure + 1..].iter().any(is_found) {
            self.found.remove(failure);
        }
        Ok(())
    }

    /// Compares the moves of a position and, where only their counts differ, the positions after them. Returns whether
    /// any fault was found.
    fn examine(&mut self, node: Node<B>, depth: u32) -> Result<bool, String> {
        let mut found = take(&mut self.found);
        let is_wrong = walk(node, depth, false, &mut |node, depth| self.compare(node, depth), &mut found);
        found.append(&mut self.found);
        self.found = found;
        is_wrong
    }

    /// What is wrong with their divide of a position; `None` if no more may be asked, or there is no answer.
    fn compare(&mut self, node: &Node<B>, depth: u32) -> Result<Option<Vec<(Wrong, String)>>, String> {
        let is_root = node.before.is_empty();
        if self.questions == 0 || !is_root && self.is_over() {
            return Ok(None);
        }
        let ours = own_divide(&node.position, depth);
        let ends = ours.moves.is_empty() && !is_root;
        if ends && self.counts_on {
            return Ok(Some(Vec::new()));
        }
        self.questions -= 1;
        self.asked += u32::from(!is_root);
        let Some(theirs) = self.divide(node, &ours, depth)? else {
            self.examine_failure(node, depth, &ours)?;
            return Ok(None);
        };
        let mut wrong = differences(&node.position, &ours, &theirs);
        if depth > 1 && wrong.iter().any(|(wrong, _)| *wrong == Wrong::Missing) {
            // A move that is there if only moves are listed is lost while others are counted.
            let listed = self.wrong_in(node)?;
            for (m, count) in ours.moves {
                let missing = (Wrong::Missing, node.position.move_text(m).to_string());
                let lost = wrong.iter().position(|wrong| *wrong == missing && !listed.contains(wrong));
                match lost {
                    Some(at) if count == 0 => _ = wrong.remove(at),
                    Some(at) => wrong[at].0 = Wrong::Miscounted(count, 0),
                    None => {}
                }
            }
        }
        if wrong.iter().all(|(wrong, _)| matches!(wrong, Wrong::Miscounted(..))) {
            self.right.push(node.clone());
        }
        self.counts_on |= ends && wrong.is_empty();
        Ok(Some(wrong))
    }
}
