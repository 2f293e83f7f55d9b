//! Counts the trees of many engines with seeded faults in one walk, and finds where a fault first shows.
//!
//! Generic over [`Diagnosis`]. Where all engines have the same moves, a position is counted once for all of them; a
//! position that only some engines reach is counted for these. Positions that were counted before are remembered.

use super::parallel;
use crate::base::cpu;
use crate::game::diagnosis::{Diagnosis, Engines, Fault, FaultyBoard, Switches};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The faults of one engine of the game `P`.
pub type Faults<P> = Vec<Fault<<P as Diagnosis>::Fault>>;

/// How many counts a walk remembers.
const MOST_REMEMBERED: usize = 1 << 20;

/// The counts of a set of engines: `common`, plus the difference of each engine that has another count.
struct Counts {
    common: i128,
    differences: Vec<(u8, i128)>,
}

/// A sum of [`Counts`].
struct Sum {
    common: i128,
    differences: [i128; Engines::BITS as usize],
}

impl Sum {
    const ZERO: Sum = Sum { common: 0, differences: [0; Engines::BITS as usize] };

    /// Adds what `some` of the `engines` count.
    fn add(&mut self, some: Engines, engines: Engines, counts: &Counts) {
        if 2 * some.count_ones() > engines.count_ones() {
            self.common += counts.common;
            each(engines & !some, |engine| self.differences[engine] -= counts.common);
        } else {
            each(some, |engine| self.differences[engine] += counts.common);
        }
        for &(engine, difference) in &counts.differences {
            self.differences[usize::from(engine)] += difference;
        }
    }

    fn counts(&self) -> Counts {
        let differences = (0..).zip(self.differences).filter(|&(_, difference)| difference != 0);
        Counts { common: self.common, differences: differences.collect() }
    }
}

/// Calls `action` with each member.
pub(super) fn each(mut engines: Engines, mut action: impl FnMut(usize)) {
    while engines != 0 {
        action(engines.trailing_zeros() as usize);
        engines &= engines - 1;
    }
}

/// One walk.
struct Walk<'a> {
    switches: Switches,
    remembered: HashMap<(u64, u64, u32, Engines), Rc<Counts>>,
    stop: &'a AtomicBool,
}

impl Walk<'_> {
    fn count<B: FaultyBoard>(&mut self, board: &B, depth: u32, engines: Engines) -> Rc<Counts> {
        let [a, b] = [0u8, 1].map(|seed| {
            let mut hasher = DefaultHasher::new();
            (seed, board).hash(&mut hasher);
            hasher.finish()
        });
        let key = (a, b, depth, engines);
        if let Some(counts) = self.remembered.get(&key) {
            return counts.clone();
        }
        let mut sum = Sum::ZERO;
        if depth == 0 {
            sum.common = 1;
        } else if !self.stop.load(Ordering::Relaxed) {
            let one = Counts { common: 1, differences: Vec::new() };
            let (mut moves, mut boards) = (Vec::new(), Vec::new());
            board.moves(&self.switches, engines, &mut moves);
            for (m, who) in moves {
                if depth == 1 {
                    sum.add(who, engines, &one);
                    continue;
                }
                board.make(m, &self.switches, who, &mut boards);
                for (child, who) in boards.drain(..) {
                    let counts = self.count(&child, depth - 1, who);
                    sum.add(who, engines, &counts);
                }
            }
        }
        let counts = Rc::new(sum.counts());
        if self.remembered.len() < MOST_REMEMBERED {
            self.remembered.insert(key, counts.clone());
        }
        counts
    }
}

/// The totals of `engines` at `depth`, on `threads` threads. `None` if `stop` was set before all were counted.
pub fn totals<P: Diagnosis>(
    pos: &P,
    depth: u32,
    engines: &[Faults<P>],
    threads: usize,
    stop: &AtomicBool,
) -> Option<Vec<u128>> {
    let threads = cpu::threads(threads);
    let walks = engines.len().div_ceil(Engines::BITS as usize).max(1).next_multiple_of(threads);
    let counts = parallel::map(threads, walks, |first| {
        // Engines with similar faults are neighbours and cost the same; every walk gets some of all.
        let faults: Vec<_> = engines.iter().skip(first).step_by(walks).cloned().collect();
        let all = Engines::MAX.checked_shr(Engines::BITS - faults.len() as u32).unwrap_or_default();
        let mut walk = Walk { switches: Switches::new(&faults), remembered: HashMap::new(), stop };
        let mut boards = Vec::new();
        pos.faulty_board().read(&walk.switches, all, &mut boards);
        let mut sum = Sum::ZERO;
        for (board, who) in boards {
            let counts = walk.count(&board, depth, who);
            sum.add(who, all, &counts);
        }
        (0..faults.len()).map(|engine| (sum.common + sum.differences[engine]) as u128).collect::<Vec<u128>>()
    });
    let totals = (0..engines.len()).map(|i| counts[i % walks][i / walks]).collect();
    (!stop.load(Ordering::Relaxed)).then_some(totals)
}
