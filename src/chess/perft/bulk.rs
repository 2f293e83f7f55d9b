//! Counting two plies below many positions, each on its own: what hashed perft asks for.
//!
//! The same counters as in the plain walk, `two_ply` and `portable`, but every position has a place in an
//! array of counts, so that a table can keep what it counts. Called through `game::BulkPerft2`; knows no
//! table and no key.

use crate::chess::board::position::Position;
use crate::chess::board::tables::{self, Cpu, Task};
use crate::chess::perft::lanes::children::ParentLanes;
use crate::chess::perft::lanes::side_sets::ROOM;
use crate::chess::perft::portable::{PortableLeaves, deltas::Scratch};
use crate::chess::perft::simd::dispatch::{VectorTask, with_vectors};
use crate::chess::perft::simd::{MOST_LANES, Vector};
use crate::chess::perft::two_ply::leaves::VectorBuffers;
use crate::chess::perft::two_ply::{self, tally::EachLane};
use crate::chess::perft::walk::{LeafCounter, ScalarLeaves};
use crate::chess::types::moves::Move;
use crate::chess::types::piece::{Black, Us, White};
use crate::game::{BulkPerft2, Kernel, Side};
use std::marker::PhantomData;

/// Counts two plies below many positions of one tree.
pub struct Bulk {
    kernel: Kernel,
    /// The side to move in the positions that wait.
    side: Side,
    vectors: VectorBulk,
    scratch: Scratch,
}

/// The buffers of the vector counter, and whose counts its lanes are.
struct VectorBulk {
    buffers: VectorBuffers,
    /// For each position of the batch, and for each made move's position, the place of its count.
    places: [u32; ROOM],
    made_places: [u32; MOST_LANES],
}

impl BulkPerft2<Position> for Bulk {
    fn new(root: &Position, kernel: Kernel) -> Self {
        let buffers = VectorBuffers::new(root);
        let vectors = VectorBulk { buffers, places: [0; ROOM], made_places: [0; MOST_LANES] };
        Bulk { kernel, side: root.side(), vectors, scratch: Scratch::new() }
    }

    fn add_children(
        &mut self,
        parent: &Position,
        moves: &[Move],
        first: usize,
        counts: &mut [u32],
        before: impl FnMut(),
    ) {
        if moves.is_empty() {
            return;
        }
        self.side = parent.side().flip();
        let children = Children { bulk: self, parent, moves, first, counts, before };
        match parent.side() {
            Side::First => children.count::<White>(),
            Side::Second => children.count::<Black>(),
        }
    }

    fn flush(&mut self, counts: &mut [u32]) {
        match self.side {
            Side::First => self.flush_as::<White>(counts),
            Side::Second => self.flush_as::<Black>(counts),
        }
    }
}

impl Bulk {
    fn flush_as<U: Us>(&mut self, counts: &mut [u32]) {
        let bulk = &mut self.vectors;
        // Where there are no vectors nothing waits.
        let _ = with_vectors(self.kernel, Flush::<U> { bulk, counts, us: PhantomData });
    }
}

/// Counting what waits in lanes.
struct Flush<'a, U> {
    bulk: &'a mut VectorBulk,
    counts: &'a mut [u32],
    us: PhantomData<U>,
}

impl<U: Us> VectorTask for Flush<'_, U> {
    type Output = ();
    fn run<V: Vector>(self, cpu: V::Cpu) {
        self.bulk.flush::<U, V>(cpu, self.counts);
    }
}

/// Moves of one position whose children are to be counted; the first one's count has place `first`.
struct Children<'a, B> {
    bulk: &'a mut Bulk,
    parent: &'a Position,
    moves: &'a [Move],
    first: usize,
    counts: &'a mut [u32],
    before: B,
}

impl<B: FnMut()> Children<'_, B> {
    /// By the kernel that was asked for, or by the portable one if this CPU cannot run that.
    fn count<T: Us>(self) {
        let kernel = self.bulk.kernel;
        let task = CountChildren::<T, B> { children: self, us: PhantomData };
        with_vectors(kernel, task).unwrap_or_else(tables::dispatch);
    }
}

/// Counting children one at a time, or in lanes where there are vectors.
struct CountChildren<'a, T, B> {
    children: Children<'a, B>,
    us: PhantomData<T>,
}

impl<T: Us, B: FnMut()> Task for CountChildren<'_, T, B> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Children { bulk, parent, moves, first, counts, mut before } = self.children;
        for (count, &m) in counts[first..].iter_mut().zip(moves) {
            let mut child = *parent;
            child.make_as::<T>(m);
            before();
            let nodes = match bulk.kernel {
                Kernel::Scalar => ScalarLeaves.perft2::<T::Them, C>(cpu, &child, &mut ()),
                _ => PortableLeaves.perft2::<T::Them, C>(cpu, &child, &mut bulk.scratch),
            };
            *count += nodes as u32;
        }
    }
}

impl<T: Us, B: FnMut()> VectorTask for CountChildren<'_, T, B> {
    type Output = ();
    fn run<V: Vector>(self, cpu: V::Cpu) {
        cpu.run(InLanes::<T, V, B> { cpu, children: self.children, us: PhantomData });
    }
}

/// Counting children in lanes, with those of other parents.
struct InLanes<'a, T, V: Vector, B> {
    cpu: V::Cpu,
    children: Children<'a, B>,
    us: PhantomData<T>,
}

impl<T: Us, V: Vector, B: FnMut()> Task for InLanes<'_, T, V, B> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let Children { bulk, parent, moves, first, counts, mut before } = self.children;
        let bulk = &mut bulk.vectors;
        let parent = ParentLanes::<V>::new::<T>(self.cpu, parent);
        let mut place = first as u32;
        for group in moves.chunks(V::LANES) {
            let mut lanes = [Move::NONE; MOST_LANES];
            for (i, &m) in group.iter().enumerate() {
                lanes[i] = m;
                bulk.places[(bulk.buffers.batch.len() + i) % ROOM] = place;
                place += 1;
            }
            bulk.buffers.batch.push_children::<T, V>(self.cpu, &parent, &lanes, group.len());
            if bulk.buffers.batch.is_full::<V>() {
                before();
                bulk.count_batch::<T::Them, V>(self.cpu, counts);
            }
        }
    }
}

impl VectorBulk {
    /// Counts up to eight positions of the batch, but for moves that have to be made one by one: those wait
    /// until a vector is full.
    fn count_batch<U: Us, V: Vector>(&mut self, cpu: V::Cpu, counts: &mut [u32]) {
        cpu.run(CountBatch::<U, V> { cpu, bulk: self, counts, us: PhantomData });
    }

    /// Counts what waits, with lanes left over.
    fn flush<U: Us, V: Vector>(&mut self, cpu: V::Cpu, counts: &mut [u32]) {
        if !self.buffers.batch.is_empty() {
            self.count_batch::<U, V>(cpu, counts);
        }
        self.count_made::<U::Them, V>(cpu, counts);
    }

    /// Counts the legal moves of the positions after made moves, where `U` is to move.
    fn count_made<U: Us, V: Vector>(&mut self, cpu: V::Cpu, counts: &mut [u32]) {
        cpu.run(CountMade::<U, V> { cpu, bulk: self, counts, us: PhantomData });
    }
}

/// [`VectorBulk::count_batch`] with the CPU's instructions.
struct CountBatch<'a, U, V: Vector> {
    cpu: V::Cpu,
    bulk: &'a mut VectorBulk,
    counts: &'a mut [u32],
    us: PhantomData<U>,
}

impl<U: Us, V: Vector> Task for CountBatch<'_, U, V> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let CountBatch { cpu: lanes, bulk, counts, .. } = self;
        let VectorBuffers { batch, made, .. } = &mut bulk.buffers;
        let mut each = EachLane::default();
        two_ply::count::<U, V, _>(lanes, batch, made, &mut each);
        for (&place, &count) in bulk.places.iter().zip(&each.0).take(batch.len()) {
            counts[place as usize] += count as u32;
        }
        for i in 0..bulk.buffers.made.scalar.len() {
            let (lane, m) = bulk.buffers.made.scalar[i];
            let VectorBuffers { batch, leaf_parents, .. } = &mut bulk.buffers;
            let lane = usize::from(lane);
            let mut child = batch.position::<U>(lane);
            child.make_as::<U>(m);
            let place = bulk.places[lane % ROOM];
            bulk.made_places[leaf_parents.len() % MOST_LANES] = place;
            counts[place as usize] += leaf_parents.push::<U::Them, C>(cpu, &child) as u32;
            if leaf_parents.is_full::<V>() {
                bulk.count_made::<U::Them, V>(lanes, counts);
            }
        }
        bulk.buffers.batch.advance::<V>();
        bulk.places.copy_within(V::LANES..2 * V::LANES, 0);
    }
}

/// [`VectorBulk::count_made`] with the CPU's instructions.
struct CountMade<'a, U, V: Vector> {
    cpu: V::Cpu,
    bulk: &'a mut VectorBulk,
    counts: &'a mut [u32],
    us: PhantomData<U>,
}

impl<U: Us, V: Vector> Task for CountMade<'_, U, V> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let VectorBuffers { batch, leaf_parents, .. } = &mut self.bulk.buffers;
        let mut each = [0; MOST_LANES];
        let len = leaf_parents.len();
        leaf_parents.flush_each::<U, V>(self.cpu, &batch.castling_table).store(&mut each);
        for (&place, &count) in self.bulk.made_places.iter().zip(&each).take(len) {
            self.counts[place as usize] += count as u32;
        }
    }
}
