//! Perft with statistics: what kind of move each leaf is reached by.
//!
//! The columns are those of the chess programming wiki's perft tables. Every leaf is made and looked at,
//! so this walk is far slower than counting.

use super::parallel::{self, Job, Watch};
use crate::game::{Census, MoveBuffer, MoveFacts};
use std::ops::AddAssign;

/// How many of the leaves were reached by a move of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// All leaves.
    pub nodes: u128,
    /// Captures, en passant included.
    pub captures: u128,
    /// En passant captures.
    pub en_passant: u128,
    /// Castling moves.
    pub castles: u128,
    /// Promotions, each piece counted for itself.
    pub promotions: u128,
    /// Moves that give check in any way.
    pub checks: u128,
    /// Checks by exactly one piece that did not move.
    pub discovered_checks: u128,
    /// Checks by two pieces at once.
    pub double_checks: u128,
    /// Checks that end the game.
    pub mates: u128,
}

impl Statistics {
    /// The columns in their usual order, with short names.
    pub fn columns(&self) -> [(&'static str, u128); 9] {
        [
            ("nodes", self.nodes),
            ("captures", self.captures),
            ("en_passant", self.en_passant),
            ("castles", self.castles),
            ("promotions", self.promotions),
            ("checks", self.checks),
            ("discovered_checks", self.discovered_checks),
            ("double_checks", self.double_checks),
            ("mates", self.mates),
        ]
    }

    fn note(&mut self, facts: MoveFacts) {
        let one = u128::from;
        self.nodes += 1;
        self.captures += one(facts.capture);
        self.en_passant += one(facts.en_passant);
        self.castles += one(facts.castle);
        self.promotions += one(facts.promotion);
        self.checks += one(facts.check);
        self.discovered_checks += one(facts.discovered_check);
        self.double_checks += one(facts.double_check);
        self.mates += one(facts.mate);
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.captures += other.captures;
        self.en_passant += other.en_passant;
        self.castles += other.castles;
        self.promotions += other.promotions;
        self.checks += other.checks;
        self.discovered_checks += other.discovered_checks;
        self.double_checks += other.double_checks;
        self.mates += other.mates;
    }
}

/// Statistics of the last plies of all sequences of `depth` plies, for each legal move of `pos`, counted by
/// `threads` threads.
///
/// Empty at depth 0, where no move is made.
pub fn divide<P: Census + Sync>(
    pos: &P,
    depth: u32,
    threads: usize,
    watch: &dyn Watch,
) -> Vec<(P::Move, Statistics)> {
    if depth == 0 {
        return Vec::new();
    }
    if depth == 1 {
        let mut list = P::List::default();
        pos.legal_moves(&mut list);
        return list.as_slice().iter().map(|&m| (m, walk(pos, &[m], 1))).collect();
    }
    let plan = parallel::plan(pos, depth);
    let work = |pos: &P| {
        let mut list = P::List::default();
        pos.legal_moves(&mut list);
        walk(pos, list.as_slice(), plan.unit_depth)
    };
    let job = Job { threads, known: vec![None; plan.units.len()], keep: None, watch };
    let parts = parallel::run(&plan, job, work, |s: &Statistics| s.nodes);
    let mut rows: Vec<_> = plan.moves.iter().map(|&m| (m, Statistics::default())).collect();
    for (unit, part) in plan.units.iter().zip(parts) {
        rows[unit.root].1 += part;
    }
    rows
}

/// Statistics of the sequences of `depth` plies that begin with one of `moves`.
fn walk<P: Census>(pos: &P, moves: &[P::Move], depth: u32) -> Statistics {
    let mut sum = Statistics::default();
    for &m in moves {
        if depth == 1 {
            sum.note(pos.facts(m));
            continue;
        }
        let mut child = *pos;
        child.make(m);
        let mut list = P::List::default();
        child.legal_moves(&mut list);
        sum += walk(&child, list.as_slice(), depth - 1);
    }
    sum
}
