//! The driver of the vector kernels: collects positions two plies above the leaves in a batch, and counts the batch
//! when every lane is filled.
//!
//! Owns all buffers. The caller decides where the counts go: into one sum for the plain walk, or into one entry per
//! position for deep perft (`bulk`).

use crate::base::cpu::{Cpu, Task};
use crate::base::pages::prefetch;
use crate::chess::board::Board;
use crate::chess::board::movegen;
use crate::chess::board::packed::Half;
use crate::chess::perft::lanes::batch::Batch;
use crate::chess::perft::lanes::children::ParentLanes;
use crate::chess::perft::lanes::legal_sets::count_legal;
use crate::chess::perft::lanes::side_sets::{BISHOPS, KNIGHTS, ROOKS, SideSets};
use crate::chess::perft::simd::{MOST_LANES, Vector, load_at};
use crate::chess::perft::two_ply;
use crate::chess::perft::two_ply::made_moves::MadeMoves;
use crate::chess::perft::two_ply::tally::{AllLanes, Tally};
use crate::chess::perft::walk::{Leaves, child};
use crate::chess::types::{Move, Us, White};
use crate::game::{CountSink, Run};

/// The destination of counts.
pub trait Counts<V: Vector> {
    /// Accumulates the counts of one batch.
    type Tally: Tally<V>;
    fn tally(&self, cpu: V::Cpu) -> Self::Tally;
    /// Adds the counts of the positions that have these places.
    fn add(&mut self, tally: Self::Tally, places: &[u32]);
}

/// One sum.
impl<V: Vector> Counts<V> for u64 {
    type Tally = AllLanes<V>;
    #[inline(always)]
    fn tally(&self, cpu: V::Cpu) -> AllLanes<V> {
        AllLanes::new(cpu)
    }
    #[inline(always)]
    fn add(&mut self, tally: AllLanes<V>, _places: &[u32]) {
        *self += tally.sum();
    }
}

/// Positions waiting to be counted.
pub struct Collector {
    batch: Batch,
    made: MadeMoves,
    /// Positions after moves that were made one at a time.
    leaf_parents: Batch,
}

impl Collector {
    /// For positions of the tree below `root`, which is flipped as they are.
    #[inline(always)]
    pub fn new(root: &Board) -> Self {
        Collector { batch: Batch::new(root), made: MadeMoves::new(), leaf_parents: Batch::new(&root.flipped()) }
    }

    /// Adds the positions after each of `moves`, which are legal in `parent`; either side may be to move. Their
    /// places start at `place`.
    #[inline(always)]
    pub fn add_children<V: Vector>(
        &mut self,
        cpu: V::Cpu,
        parent: &Board,
        moves: &[Move],
        place: u32,
        counts: &mut impl Counts<V>,
    ) {
        let parent = &ParentLanes::<V>::new(cpu, parent);
        let places = (place..).step_by(V::LANES);
        for (group, place) in moves.chunks(V::LANES).zip(places) {
            self.batch.push_children(cpu, parent, group, place);
            if self.batch.is_full::<V>() {
                self.count_batch::<V>(cpu, counts);
            }
        }
    }

    /// Adds the positions of a run; `turn` flips a half if Black is to move.
    #[inline(always)]
    pub fn add_run<V: Vector>(
        &mut self,
        cpu: V::Cpu,
        run: &Run<'_, Half>,
        turn: impl Fn(&Half) -> Half,
        counts: &mut impl Counts<V>,
    ) {
        let half = turn(run.half).sets();
        let ours = SideSets::of(cpu, half.kinds);
        self.batch.prepare::<V>(&ours);
        for (i, &number) in run.numbers.iter().enumerate() {
            if let Some(&later) = run.numbers.get(i + MOST_LANES) {
                prefetch(run.halves, later as usize);
            }
            let theirs = turn(&run.halves[number as usize]).sets();
            self.batch.push_half(half.castling, &theirs, (run.first + i) as u32);
            if self.batch.is_full::<V>() {
                self.count_batch::<V>(cpu, counts);
                self.batch.prepare::<V>(&ours);
            }
        }
    }

    /// Counts the batch, in code for the kinds of pieces in it: otherwise a bare board would cost as much as a full
    /// one.
    #[inline(always)]
    fn count_batch<V: Vector>(&mut self, cpu: V::Cpu, counts: &mut impl Counts<V>) {
        const ALL: u8 = KNIGHTS | BISHOPS | ROOKS;
        let collector = self;
        match collector.batch.kinds::<V>(cpu) {
            0 | KNIGHTS => cpu.run(CountBatch::<V, _, KNIGHTS> { cpu, collector, counts }),
            ROOKS => cpu.run(CountBatch::<V, _, ROOKS> { cpu, collector, counts }),
            _ => cpu.run(CountBatch::<V, _, ALL> { cpu, collector, counts }),
        }
    }

    /// Counts all waiting positions.
    #[inline(always)]
    pub fn flush<V: Vector>(&mut self, cpu: V::Cpu, counts: &mut impl Counts<V>) {
        if !self.batch.is_empty() {
            self.count_batch::<V>(cpu, counts);
        }
        if !self.leaf_parents.is_empty() {
            cpu.run(CountLeafParents { cpu, batch: &mut self.leaf_parents, counts });
        }
    }
}

/// Counts the positions of a batch, which have only pieces of `KINDS`, except for moves that must be made one at a
/// time. The positions after those wait until every lane is filled.
struct CountBatch<'a, V: Vector, S, const KINDS: u8> {
    cpu: V::Cpu,
    collector: &'a mut Collector,
    counts: &'a mut S,
}

impl<V: Vector, S: Counts<V>, const KINDS: u8> Task for CountBatch<'_, V, S, KINDS> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let CountBatch { cpu, collector: Collector { batch, made, leaf_parents }, counts } = self;
        let mut tally = counts.tally(cpu);
        two_ply::count::<KINDS, V, _>(cpu, batch, made, &mut tally);
        counts.add(tally, batch.places::<V>());
        for &(lane, m) in &made.scalar {
            let lane = usize::from(lane);
            leaf_parents.push(&child(&batch.position(lane), m), batch.place(lane));
            if leaf_parents.is_full::<V>() {
                cpu.run(CountLeafParents { cpu, batch: &mut *leaf_parents, counts: &mut *counts });
            }
        }
        batch.advance::<V>();
    }
}

/// Counts the legal moves of positions one ply above the leaves.
struct CountLeafParents<'a, V: Vector, S> {
    cpu: V::Cpu,
    batch: &'a mut Batch,
    counts: &'a mut S,
}

impl<V: Vector, S: Counts<V>> Task for CountLeafParents<'_, V, S> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let CountLeafParents { cpu, batch, counts } = self;
        let castles = batch.castling_table.load::<White, V>(cpu, load_at(cpu, &batch.castling, 0));
        let (own, foe) = (batch.ours.load::<V>(cpu), batch.theirs.load::<V>(cpu));
        let moves = count_legal::<White, V>(cpu, &own, &foe, castles.as_ref());
        let mut tally = counts.tally(cpu);
        tally.add(moves.mask_lanes(batch.active::<V>()));
        let mut lanes = load_at::<V>(cpu, &batch.en_passant, 0).nonzero() & batch.active::<V>();
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let pos = &batch.position(lane);
            let (own, king) = (pos.side_set(White::SIDE), pos.king(White::SIDE));
            let mut captures = CountSink::default();
            movegen::en_passant::<White, _>(pos, own, king, &mut captures);
            tally.add_one(lane, captures.0);
        }
        counts.add(tally, batch.places::<V>());
        batch.advance::<V>();
    }
}

/// The leaf counter of the vector kernels for the plain walk.
#[derive(Clone, Copy)]
pub struct VectorLeaves<V: Vector>(pub V::Cpu);

impl<V: Vector> Leaves for VectorLeaves<V> {
    const PLIES: u32 = 2;
    type Memory = (Collector, u64);
    type Output = u64;
    #[inline(always)]
    fn start(self, root: &Board) -> (Collector, u64) {
        (Collector::new(root), 0)
    }
    #[inline(always)]
    fn count<C: Cpu>(self, _cpu: C, pos: &Board, (collector, _): &mut (Collector, u64)) {
        collector.batch.push(pos, 0);
    }
    #[inline(always)]
    fn count_children<C: Cpu>(self, _cpu: C, pos: &Board, moves: &[Move], (collector, nodes): &mut (Collector, u64)) {
        collector.add_children::<V>(self.0, pos, moves, 0, nodes);
    }
    #[inline(always)]
    fn finish<C: Cpu>(self, _cpu: C, (collector, nodes): &mut (Collector, u64)) -> u64 {
        collector.flush::<V>(self.0, nodes);
        *nodes
    }
}
