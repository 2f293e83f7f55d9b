//! Counts two plies below each of many positions, for deep perft.
//!
//! The counters are those of the plain walk, but every position has its own entry in an array of counts.

use crate::base::cpu::{Cpu, Task, dispatch_counts};
use crate::chess::board::packed::Half;
use crate::chess::board::{Board, Position};
use crate::chess::perft::portable::{deltas::Scratch, perft2};
use crate::chess::perft::walk::{ScalarLeaves, Start};
use crate::game::{BulkPerft2, Kernel, Run, Side};

/// Counts two plies below many positions of one tree.
pub struct Bulk {
    kernel: Kernel,
    scratch: Scratch,
    #[cfg(feature = "vectors")]
    lanes: lanes::Lanes,
}

impl BulkPerft2<Board> for Bulk {
    type Count = u32;

    #[inline(always)]
    fn new(root: &Position, kernel: Kernel) -> Self {
        #[cfg(not(feature = "vectors"))]
        let _ = root;
        Bulk {
            kernel,
            scratch: Scratch::new(),
            #[cfg(feature = "vectors")]
            lanes: lanes::Lanes::new(root, kernel),
        }
    }

    fn add(&mut self, run: &Run<'_, Half>, counts: &mut [u32]) {
        #[cfg(feature = "vectors")]
        if self.lanes.add(run, counts) {
            return;
        }
        for (place, board) in run.boards() {
            counts[place] += self.count(&board);
        }
    }

    fn flush(&mut self, counts: &mut [u32]) {
        #[cfg(feature = "vectors")]
        self.lanes.flush(counts);
        let _ = counts;
    }
}

impl Bulk {
    /// Counts one position, without vectors.
    fn count(&mut self, board: &Board) -> u32 {
        struct One<'a>(&'a mut Bulk, &'a Board);
        impl Task for One<'_> {
            type Output = u64;
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) -> u64 {
                let One(Bulk { kernel, scratch, .. }, pos) = self;
                match (kernel, pos.side()) {
                    (Kernel::Scalar, _) => cpu.run(Start { pos, depth: 2, leaves: ScalarLeaves }),
                    (_, Side::First) => perft2(cpu, pos, scratch),
                    (_, Side::Second) => perft2(cpu, &pos.flipped(), scratch),
                }
            }
        }
        dispatch_counts(One(self, board)) as u32
    }
}

/// Positions that wait until every lane of a vector is filled.
#[cfg(feature = "vectors")]
mod lanes {
    use super::{Board, Half, Kernel, Run, Side};
    use crate::chess::perft::collect::{Collector, Counts};
    use crate::chess::perft::simd::Vector;
    use crate::chess::perft::simd::dispatch::{VectorTask, with_vectors};
    use crate::chess::perft::two_ply::tally::EachLane;

    pub struct Lanes {
        kernel: Kernel,
        /// The side to move in the waiting positions, and the root, flipped as they are.
        us: Side,
        root: Board,
        collector: Collector,
    }

    impl Lanes {
        #[inline(always)]
        pub fn new(root: &Board, kernel: Kernel) -> Self {
            Lanes { kernel, us: Side::First, root: *root, collector: Collector::new(root) }
        }

        /// Adds positions; `false` if this CPU or this kernel has no vectors.
        #[inline(always)]
        pub fn add(&mut self, run: &Run<'_, Half>, counts: &mut [u32]) -> bool {
            self.turn(run.side);
            with_vectors(self.kernel, Add { collector: &mut self.collector, run, counts }).is_ok()
        }

        /// Counts all waiting positions. Without vectors there are none.
        #[inline(always)]
        pub fn flush(&mut self, counts: &mut [u32]) {
            let _ = with_vectors(self.kernel, Flush { collector: &mut self.collector, counts });
        }

        /// The next positions have `us` to move.
        #[inline(always)]
        fn turn(&mut self, us: Side) {
            if us != self.us {
                self.us = us;
                self.root = self.root.flipped();
                self.collector = Collector::new(&self.root);
            }
        }
    }

    /// One count per position, indexed by place.
    impl<V: Vector> Counts<V> for &mut [u32] {
        type Tally = EachLane;
        #[inline(always)]
        fn tally(&self, _cpu: V::Cpu) -> EachLane {
            EachLane::default()
        }
        #[inline(always)]
        fn add(&mut self, tally: EachLane, places: &[u32]) {
            for (&place, &count) in places.iter().zip(&tally.0) {
                self[place as usize] += count as u32;
            }
        }
    }

    struct Add<'a> {
        collector: &'a mut Collector,
        run: &'a Run<'a, Half>,
        counts: &'a mut [u32],
    }

    impl VectorTask for Add<'_> {
        type Output = ();
        #[inline(always)]
        fn run<V: Vector>(self, cpu: V::Cpu) {
            let Add { collector, run, mut counts } = self;
            match run.side {
                Side::First => collector.add_run::<V>(cpu, run, Half::clone, &mut counts),
                Side::Second => collector.add_run::<V>(cpu, run, Half::flipped, &mut counts),
            }
        }
    }

    struct Flush<'a> {
        collector: &'a mut Collector,
        counts: &'a mut [u32],
    }

    impl VectorTask for Flush<'_> {
        type Output = ();
        #[inline(always)]
        fn run<V: Vector>(self, cpu: V::Cpu) {
            let Flush { collector, mut counts } = self;
            collector.flush::<V>(cpu, &mut counts);
        }
    }
}
