//! Which single faults of a move generator give exactly the totals, or the divide, that another program has counted.
//!
//! `Counts` remembers of every board below a position what is right there, and which faults the plain generator has
//! asked for on the way: an engine that has none of these counts the same.

use super::diff::{Wrong, flaws};
use super::faults::{Diagnosis, Fault, Faults, FaultyBoard};
use super::spot::Spot;
use crate::base::lock::lock;
use crate::game::Position;
use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Larger counts are not made with every fault: they would take minutes.
pub const MOST_NODES: u128 = 5_000_000;

/// Another program's total, and the right one.
#[derive(Clone, Copy)]
pub struct Expected {
    pub depth: u32,
    pub theirs: u128,
    pub ours: u128,
}

/// Is told how many of how many faults were tried; returns whether to stop.
pub type Stop<'a> = &'a (dyn Fn([usize; 2]) -> bool + Sync);

/// What engines count below a position.
struct Counts<B: Diagnosis> {
    board: B::Faulty,
    depth: u32,
    /// By board and plies left: the right count, and the faults asked for here and below.
    right: HashMap<(B::Faulty, u32), (u64, [u128; 2])>,
}

fn either([a, b]: [u128; 2], [c, d]: [u128; 2]) -> [u128; 2] {
    [a | c, b | d]
}

impl<B: Diagnosis> Counts<B> {
    fn new(position: &Position<B>, depth: u32) -> Self {
        let board = B::sound_board(position);
        let mut counts = Counts { board: board.clone(), depth, right: HashMap::new() };
        counts.fill(board, depth);
        counts
    }

    /// Enters a board and all that are reached from it in `depth` plies.
    fn fill(&mut self, board: B::Faulty, depth: u32) -> (u64, [u128; 2]) {
        if depth == 0 {
            return (1, [0; 2]);
        }
        let key = (board, depth);
        if let Some(&known) = self.right.get(&key) {
            return known;
        }
        let none = Faults::default();
        let moves = key.0.moves(&none);
        let (mut count, mut asked) = (moves.len() as u64, [0; 2]);
        if depth > 1 {
            count = 0;
            for m in moves {
                let (below, asked_below) = self.fill(key.0.make(m, &none), depth - 1);
                count += below;
                asked = either(asked, asked_below);
            }
        }
        asked = either(asked, none.take_asked());
        self.right.insert(key, (count, asked));
        (count, asked)
    }

    /// What an engine with these faults counts after each of its moves.
    fn divide(&self, faults: &Faults) -> BTreeMap<String, u128> {
        let mut divide = BTreeMap::new();
        if self.depth > 0 {
            let (board, mut known) = (self.board.read(faults), HashMap::new());
            for m in board.moves(faults) {
                let count = self.count(board.make(m, faults), self.depth - 1, faults, &mut known);
                *divide.entry(board.move_text(m).to_string()).or_default() += u128::from(count);
            }
        }
        divide
    }

    fn total(&self, faults: &Faults) -> u128 {
        if self.depth == 0 { 1 } else { self.divide(faults).values().sum() }
    }

    /// What an engine with these faults counts; `known` holds its counts.
    fn count(&self, board: B::Faulty, depth: u32, faults: &Faults, known: &mut HashMap<(B::Faulty, u32), u64>) -> u64 {
        if depth == 0 {
            return 1;
        }
        let key = (board, depth);
        match self.right.get(&key) {
            Some(&(count, asked)) if !faults.has_any_of(asked) => return count,
            // Nearly all other boards of the last ply come only once.
            None if depth == 1 => return key.0.moves(faults).len() as u64,
            _ => {}
        }
        if let Some(&count) = known.get(&key) {
            return count;
        }
        let moves = key.0.moves(faults);
        let mut count = moves.len() as u64;
        if depth > 1 {
            count = moves.into_iter().map(|m| self.count(key.0.make(m, faults), depth - 1, faults, known)).sum();
        }
        known.insert(key, count);
        count
    }
}

/// The faults that fit, in order; `None` if `stop` ended the search.
fn filter<B: Diagnosis>(
    faults: &[Fault<B::Fault>],
    threads: usize,
    stop: Stop<'_>,
    fits: &(dyn Fn(&Faults) -> bool + Sync),
) -> Option<Vec<Fault<B::Fault>>> {
    let (next, is_stopped, found) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&fault) = faults.get(at) else { return };
            if stop([at, faults.len()]) {
                return is_stopped.store(true, Ordering::Relaxed);
            }
            if fits(&Faults::of(&[fault])) {
                lock(&found).push(at);
            }
        }
    };
    if threads > 1 {
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
    } else {
        work();
    }
    if is_stopped.into_inner() {
        return None;
    }
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_unstable();
    Some(found.into_iter().map(|at| faults[at]).collect())
}

/// The single faults that give all of these totals, at least one of which is wrong; `None` if `stop` ended the search.
pub fn find<B: Diagnosis>(
    position: &Position<B>,
    expected: &[Expected],
    threads: usize,
    stop: Stop<'_>,
) -> Option<Vec<Fault<B::Fault>>> {
    let mut left = Fault::all();
    for one in expected {
        let counts = Counts::new(position, one.depth);
        left = filter::<B>(&left, threads, stop, &|faults| counts.total(faults) == one.theirs)?;
    }
    Some(left)
}

/// The single faults that give exactly a divide of `depth` plies that is not the right one; none if `stop` ended the
/// search.
pub fn find_by_divide<B: Diagnosis>(
    position: &Position<B>,
    depth: u32,
    theirs: &BTreeMap<String, u128>,
    stop: Stop<'_>,
) -> Vec<Fault<B::Fault>> {
    let counts = Counts::new(position, depth);
    // That of all faults that do not show here.
    if counts.divide(&Faults::default()) == *theirs {
        return Vec::new();
    }
    filter::<B>(&Fault::all(), 1, stop, &|faults| counts.divide(faults) == *theirs).unwrap_or_default()
}

/// What engines with a fault each count.
pub fn divides_of<B: Diagnosis>(
    position: &Position<B>,
    depth: u32,
    faults: &[Fault<B::Fault>],
) -> Vec<BTreeMap<String, u128>> {
    let counts = Counts::<B>::new(position, depth);
    faults.iter().map(|&fault| counts.divide(&Faults::of(&[fault]))).collect()
}

/// At most so many positions are looked at for one that shows a fault.
const MOST_SHOWN: usize = 50_000;

/// A place with all that is wrong there.
pub type Shown<B> = (Spot<B>, Vec<(Wrong, String)>);

/// The nearest position below one in which an engine with a fault has other moves.
pub fn first_shown<B: Diagnosis>(position: &Position<B>, depth: u32, fault: Fault<B::Fault>) -> Option<Shown<B>> {
    let faults = Faults::of(&[fault]);
    let board = B::sound_board(position).read(&faults);
    let mut left = MOST_SHOWN;
    (0..depth).find_map(|plies| shown_after(&Spot::at(*position), (position, &board), plies, &faults, &mut left))
}

fn shown_after<B: Diagnosis>(
    spot: &Spot<B>,
    (position, board): (&Position<B>, &B::Faulty),
    plies: u32,
    faults: &Faults,
    left: &mut usize,
) -> Option<Shown<B>> {
    *left = left.checked_sub(1)?;
    let moves = board.moves(faults);
    let names = Vec::from_iter(moves.iter().map(|&m| board.move_text(m).to_string()));
    if plies == 0 {
        let wrong = flaws(position, &Vec::from_iter(names.iter().map(String::as_str)));
        return (!wrong.is_empty()).then(|| (spot.clone(), wrong));
    }
    for m in position.legal_moves() {
        let text = position.move_text(m);
        if let Some(at) = names.iter().position(|name| name == text.as_str()) {
            let after = (&position.play_unchecked(m), &board.make(moves[at], faults));
            let found = shown_after(&spot.then(text.as_str()), after, plies - 1, faults, left);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}
