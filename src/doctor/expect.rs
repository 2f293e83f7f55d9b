//! Which single faults of a move generator give exactly the totals, or the divide, that another program has counted.
//!
//! `Tree` counts with one fault after another. It knows of each position which faults the plain generator has asked
//! for: where a fault was not asked for, the right count is that of the engine.

use super::diff::{Node, Wrong};
use super::faults::{Diagnosis, Fault, Faults, FaultyBoard};
use super::spot::texts;
use crate::base::lock::lock;
use crate::game::{Position, Rules};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Larger counts are not made with every fault: they would take minutes.
pub const MOST_NODES: u128 = 5_000_000;

/// Another program's total.
#[derive(Clone, Copy)]
pub struct Expected<B: Rules> {
    /// The position that it counted from.
    pub position: Position<B>,
    /// How many plies.
    pub depth: u32,
    /// What it counted.
    pub theirs: u128,
    /// The right total.
    pub ours: u128,
}

/// A board of a tree.
struct Place<B: Diagnosis> {
    board: B::Faulty,
    /// The moves with the places after them; empty before the last ply.
    moves: Vec<(<B::Faulty as FaultyBoard>::Move, usize)>,
    right: u64,
    /// The faults asked for here, and here and below.
    here: [u128; 2],
    below: [u128; 2],
}

/// All boards within some plies of a position, each once.
struct Tree<'s, B: Diagnosis> {
    places: Vec<Place<B>>,
    depth: u32,
    stop: &'s AtomicBool,
}

/// What is known of an engine with one fault.
struct Known<B: Diagnosis> {
    faults: Faults,
    /// Its counts by place, and those of other boards.
    counts: Vec<Option<u64>>,
    others: HashMap<(B::Faulty, u32), u64>,
}

fn either([a, b]: [u128; 2], [c, d]: [u128; 2]) -> [u128; 2] {
    [a | c, b | d]
}

impl<'s, B: Diagnosis> Tree<'s, B> {
    /// The tree of `depth` plies; `None` if `stop` was set.
    fn new(position: &Position<B>, depth: u32, stop: &'s AtomicBool) -> Option<Self> {
        let mut tree = Tree { places: Vec::new(), depth, stop };
        tree.add(B::sound_board(position), depth, &Faults::default(), &mut HashMap::new());
        (!stop.load(Ordering::Relaxed)).then_some(tree)
    }

    /// Adds a board with all below; returns its place.
    fn add(
        &mut self,
        board: B::Faulty,
        depth: u32,
        none: &Faults,
        known: &mut HashMap<(B::Faulty, u32), usize>,
    ) -> usize {
        if let Some(&place) = known.get(&(board.clone(), depth)) {
            return place;
        }
        none.take_asked();
        let list = board.moves(none);
        let mut place =
            Place { board: board.clone(), moves: Vec::new(), right: list.len() as u64, here: [0; 2], below: [0; 2] };
        if depth > 1 && !self.stop.load(Ordering::Relaxed) {
            let children = Vec::from_iter(list.into_iter().map(|m| (m, board.make(m, none))));
            place.here = none.take_asked();
            place.right = 0;
            for (m, child) in children {
                let at = self.add(child, depth - 1, none, known);
                place.right += self.places[at].right;
                place.below = either(place.below, self.places[at].below);
                place.moves.push((m, at));
            }
        } else {
            place.here = none.take_asked();
        }
        place.below = either(place.below, place.here);
        self.places.push(place);
        known.insert((board, depth), self.places.len() - 1);
        self.places.len() - 1
    }

    /// What an engine with these faults counts.
    fn total(&self, faults: Faults) -> u128 {
        if self.depth == 0 { 1 } else { self.divide(faults).values().sum() }
    }

    /// The same by move; nothing at depth 0.
    fn divide(&self, faults: Faults) -> BTreeMap<String, u128> {
        if self.depth == 0 {
            return BTreeMap::new();
        }
        let root = &self.places[self.places.len() - 1];
        let mut known = Known { faults, counts: vec![None; self.places.len()], others: HashMap::new() };
        let board = root.board.read(&known.faults);
        let mut divide = BTreeMap::new();
        for m in board.moves(&known.faults) {
            let count = self.after(&board, m, root, self.depth, &mut known);
            *divide.entry(board.move_text(m).to_string()).or_default() += u128::from(count);
        }
        divide
    }

    /// The count of the board after a move that the engine makes on `board`, which is that of `place` or not.
    fn after(
        &self,
        board: &B::Faulty,
        m: <B::Faulty as FaultyBoard>::Move,
        place: &Place<B>,
        depth: u32,
        known: &mut Known<B>,
    ) -> u64 {
        if depth == 1 {
            return 1;
        }
        let next = board.make(m, &known.faults);
        match place.moves.iter().find(|&&(other, at)| other == m && self.places[at].board == next) {
            Some(&(_, at)) => self.count(at, depth - 1, known),
            None => self.count_other(next, depth - 1, known),
        }
    }

    /// The count of a place.
    fn count(&self, at: usize, depth: u32, known: &mut Known<B>) -> u64 {
        let place = &self.places[at];
        if !known.faults.has_any_of(place.below) || self.stop.load(Ordering::Relaxed) {
            return place.right;
        }
        if let Some(count) = known.counts[at] {
            return count;
        }
        let count = if !known.faults.has_any_of(place.here) {
            place.moves.iter().map(|&(_, child)| self.count(child, depth - 1, known)).sum()
        } else {
            let moves = place.board.moves(&known.faults);
            match depth {
                1 => moves.len() as u64,
                _ => moves.into_iter().map(|m| self.after(&place.board, m, place, depth, known)).sum(),
            }
        };
        known.counts[at] = Some(count);
        count
    }

    /// The count of a board that is not in the tree.
    fn count_other(&self, board: B::Faulty, depth: u32, known: &mut Known<B>) -> u64 {
        if depth < 2 || self.stop.load(Ordering::Relaxed) {
            return board.count(depth.min(1), &known.faults);
        }
        let key = (board, depth);
        if let Some(&count) = known.others.get(&key) {
            return count;
        }
        let mut count = 0;
        for m in key.0.moves(&known.faults) {
            count += self.count_other(key.0.make(m, &known.faults), depth - 1, known);
        }
        known.others.insert(key, count);
        count
    }
}

/// Calls `fits` for each fault on `threads` threads; those for which it is true. `watch` is told how many are done.
fn filter<B: Diagnosis>(
    faults: &[Fault<B::Fault>],
    threads: usize,
    stop: &AtomicBool,
    watch: &(dyn Fn([usize; 2]) + Sync),
    fits: &(dyn Fn(Fault<B::Fault>) -> bool + Sync),
) -> Vec<Fault<B::Fault>> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(&fault) = faults.get(next.fetch_add(1, Ordering::Relaxed))
            && !stop.load(Ordering::Relaxed)
        {
            if fits(fault) && !stop.load(Ordering::Relaxed) {
                lock(&found).push(fault);
            }
            watch([next.load(Ordering::Relaxed).min(faults.len()), faults.len()]);
        }
    };
    if threads > 1 {
        thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    } else {
        work();
    }
    let found = found.into_inner().unwrap_or_default();
    faults.iter().filter(|fault| found.contains(fault)).copied().collect()
}

/// The single faults that give all of these totals, at least one of which is wrong; `None` if `stop` was set before all
/// were counted.
pub fn find<B: Diagnosis>(
    expected: &[Expected<B>],
    threads: usize,
    stop: &AtomicBool,
    watch: &(dyn Fn([usize; 2]) + Sync),
) -> Option<Vec<Fault<B::Fault>>> {
    let mut left = Fault::all();
    let mut expected = Vec::from_iter(expected);
    expected.sort_by_key(|one| one.ours);
    for one in expected {
        let tree = Tree::new(&one.position, one.depth, stop)?;
        let fits = |fault| tree.total(Faults::of(&[fault])) == one.theirs;
        left = filter::<B>(&left, threads, stop, watch, &fits);
    }
    (!stop.load(Ordering::Relaxed)).then_some(left)
}

/// The single faults that give exactly a divide of `depth` plies that is not the right one.
pub fn find_by_divide<B: Diagnosis>(
    position: &Position<B>,
    depth: u32,
    theirs: &BTreeMap<String, u128>,
    stop: &AtomicBool,
) -> Vec<Fault<B::Fault>> {
    let Some(tree) = Tree::new(position, depth, stop) else { return Vec::new() };
    // That of all faults that do not show here.
    if tree.divide(Faults::default()) == *theirs {
        return Vec::new();
    }
    filter::<B>(&Fault::all(), 1, stop, &|_| {}, &|fault| tree.divide(Faults::of(&[fault])) == *theirs)
}

/// What engines with a fault each count.
pub fn divides_of<B: Diagnosis>(
    position: &Position<B>,
    depth: u32,
    faults: &[Fault<B::Fault>],
) -> Vec<BTreeMap<String, u128>> {
    let stop = AtomicBool::new(false);
    let tree = Tree::<B>::new(position, depth, &stop);
    tree.map_or(Vec::new(), |tree| faults.iter().map(|&fault| tree.divide(Faults::of(&[fault]))).collect())
}

/// At most so many positions are looked at for one that shows a fault.
const MOST_SHOWN: usize = 50_000;

/// The nearest position below one in which an engine with a fault has other moves.
pub fn first_shown<B: Diagnosis>(position: &Position<B>, depth: u32, fault: Fault<B::Fault>) -> Option<Node<B>> {
    let faults = Faults::of(&[fault]);
    let board = B::sound_board(position).read(&faults);
    let mut left = MOST_SHOWN;
    (0..depth).find_map(|plies| shown_after(&Node::root_of(*position), &board, plies, &faults, &mut left))
}

fn shown_after<B: Diagnosis>(
    node: &Node<B>,
    board: &B::Faulty,
    plies: u32,
    faults: &Faults,
    left: &mut usize,
) -> Option<Node<B>> {
    *left = left.checked_sub(1)?;
    let moves = board.moves(faults);
    let text = |m: &<B::Faulty as FaultyBoard>::Move| board.move_text(*m).to_string();
    if plies > 0 {
        let made = |m: &B::Move| {
            let name = node.position.move_text(*m);
            let theirs = moves.iter().find(|other| text(other) == name.as_str())?;
            shown_after(&node.child(*m), &board.make(*theirs, faults), plies - 1, faults, left)
        };
        return node.position.legal_moves().iter().find_map(made);
    }
    let (theirs, legal) = (Vec::from_iter(moves.iter().map(text)), texts(&node.position));
    let all = BTreeSet::from_iter(theirs.iter().chain(&legal));
    let times = |name: &String| theirs.iter().filter(|other| *other == name).count();
    let wrong = |name: &&String| Wrong::of_listing(legal.contains(*name), times(name));
    let wrong = Vec::from_iter(all.into_iter().filter_map(|name| Some((wrong(&name)?, name.clone()))));
    (!wrong.is_empty()).then(|| Node { wrong, ..node.clone() })
}
