//! Collects positions two plies above the leaves in a batch, and counts the batch when every lane is filled.
//!
//! This is where a kernel becomes the type of its vectors. Nothing outside knows of them: the walk and deep perft
//! (`perft2`) hand over positions, and say whether they want one sum or a count for each position.

#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use crate::base::cpu::{Avx2, Avx512, Avx512Bw};
use crate::base::cpu::{Cpu, CpuTask, Portable};
use crate::base::pages::prefetch;
use crate::chess::board::Board;
use crate::chess::board::movegen;
use crate::chess::board::packed::Half;
use crate::chess::perft::batch::{BISHOPS, Batch, KNIGHTS, ParentLanes, ROOKS, SideSets};
use crate::chess::perft::legal::count_lane_moves;
use crate::chess::perft::pair::Pair;
use crate::chess::perft::special::MadeMoves;
use crate::chess::perft::two_ply;
use crate::chess::perft::vector::{MOST_LANES, Vector, load_at};
use crate::chess::perft::walk::child;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use crate::chess::perft::{avx2::Ymm, avx512::Zmm};
use crate::chess::types::{Move, Us, White};
use crate::game::{CountSink, Kernel, Run, Side};

/// Where counts go.
pub enum Counts<'a> {
    /// All into one sum.
    Sum(&'a mut u64),
    /// The count of each position to its place.
    Each(&'a mut [u32]),
}

impl Counts<'_> {
    /// Adds the counts of the lanes, which belong to the positions with these places. For a sum, it does not matter in
    /// which lane a count is.
    #[inline(always)]
    fn add(&mut self, lanes: &[u64; MOST_LANES], places: &[u32]) {
        match self {
            Counts::Sum(sum) => **sum += lanes.iter().sum::<u64>(),
            Counts::Each(counts) => {
                for (&place, &count) in places.iter().zip(lanes) {
                    counts[place as usize] += count as u32;
                }
            }
        }
    }
}

/// Positions for a [`Collector`].
pub enum Positions<'a> {
    /// Those after each of these moves, which are legal in a position with either side to move. For sums only: they
    /// have no places.
    Children(&'a Board, &'a [Move]),
    /// Those of a run.
    Run(&'a Run<'a, Half>),
    /// No more: all that wait are counted.
    Rest,
}

/// Positions waiting to be counted.
pub struct Collector {
    kernel: Kernel,
    batch: Batch,
    made: MadeMoves,
    /// Positions after moves that were made one at a time.
    leaf_parents: Batch,
}

impl Collector {
    /// For positions of the tree below `root`, which is flipped as they are. If this CPU cannot run the kernel, the
    /// portable one counts.
    #[inline(always)]
    pub fn new(root: &Board, kernel: Kernel) -> Self {
        Collector { kernel, batch: Batch::new(root), made: MadeMoves::new(), leaf_parents: Batch::new(&root.flipped()) }
    }

    /// Adds the first position. White is to move.
    pub fn push(&mut self, board: &Board) {
        self.batch.push(board, 0);
    }

    /// Adds positions, and counts whenever every lane is filled.
    pub fn add(&mut self, positions: Positions<'_>, counts: &mut Counts<'_>) {
        let collector = self;
        match collector.kernel {
            #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
            Kernel::Avx512 => {
                if let Some(cpu) = Avx512::detect() {
                    return cpu.enter(Add::<Zmm<Avx512>> { cpu, collector, positions, counts });
                }
            }
            #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
            Kernel::Avx512Bw => {
                if let Some(cpu) = Avx512Bw::detect() {
                    return cpu.enter(Add::<Zmm<Avx512Bw>> { cpu, collector, positions, counts });
                }
            }
            #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
            Kernel::Avx2 => {
                if let Some(cpu) = Avx2::detect() {
                    return cpu.enter(Add::<Ymm> { cpu, collector, positions, counts });
                }
            }
            _ => {}
        }
        Portable.enter(Add::<Pair> { cpu: Portable, collector, positions, counts });
    }

    /// Counts the batch. There is code of its own for endings without minor pieces: otherwise a bare board would cost
    /// as much as a full one.
    #[inline(always)]
    fn count_batch<V: Vector>(&mut self, cpu: V::Cpu, counts: &mut Counts<'_>) {
        const ALL: u8 = KNIGHTS | BISHOPS | ROOKS;
        let collector = self;
        if V::LANES > 2 && collector.batch.kinds::<V>(cpu) & !ROOKS == 0 {
            cpu.enter(CountBatch::<V, ROOKS> { cpu, collector, counts });
        } else {
            cpu.enter(CountBatch::<V, ALL> { cpu, collector, counts });
        }
    }
}

/// [`Collector::add`] with the vectors of a kernel.
struct Add<'a, 'b, V: Vector> {
    cpu: V::Cpu,
    collector: &'a mut Collector,
    positions: Positions<'a>,
    counts: &'a mut Counts<'b>,
}

impl<V: Vector> CpuTask for Add<'_, '_, V> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let Add { cpu, collector, positions, counts } = self;
        match positions {
            Positions::Children(parent, moves) => {
                let parent = &ParentLanes::<V>::new(cpu, parent);
                for group in moves.chunks(V::LANES) {
                    collector.batch.push_children(cpu, parent, group);
                    if collector.batch.is_full::<V>() {
                        collector.count_batch::<V>(cpu, counts);
                    }
                }
            }
            Positions::Run(run) => {
                let white_to_move = |half: &Half| if run.side == Side::First { *half } else { half.flipped() };
                let half = white_to_move(run.half).sets();
                let ours = SideSets::of(cpu, half.kinds);
                collector.batch.prepare::<V>(&ours);
                for (i, &number) in run.numbers.iter().enumerate() {
                    if let Some(&later) = run.numbers.get(i + MOST_LANES) {
                        prefetch(run.halves, later as usize);
                    }
                    let theirs = white_to_move(&run.halves[number as usize]).sets();
                    collector.batch.push_half(half.castling, &theirs, (run.first + i) as u32);
                    if collector.batch.is_full::<V>() {
                        collector.count_batch::<V>(cpu, counts);
                        collector.batch.prepare::<V>(&ours);
                    }
                }
            }
            Positions::Rest => {
                if !collector.batch.is_empty() {
                    collector.count_batch::<V>(cpu, counts);
                }
                if !collector.leaf_parents.is_empty() {
                    cpu.enter(CountLeafParents::<V> { cpu, batch: &mut collector.leaf_parents, counts });
                }
            }
        }
    }
}

/// Counts the positions of a batch, which have only pieces of `KINDS`, except for moves that must be made one at a
/// time. The positions after those wait until every lane is filled.
struct CountBatch<'a, 'b, V: Vector, const KINDS: u8> {
    cpu: V::Cpu,
    collector: &'a mut Collector,
    counts: &'a mut Counts<'b>,
}

impl<V: Vector, const KINDS: u8> CpuTask for CountBatch<'_, '_, V, KINDS> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let CountBatch { cpu, collector: Collector { batch, made, leaf_parents, .. }, counts } = self;
        let apart = matches!(counts, Counts::Each(_));
        let lanes = two_ply::count::<KINDS, V>(cpu, batch, made, apart);
        counts.add(&lanes, batch.places::<V>());
        for &(lane, m) in &made.scalar {
            let lane = usize::from(lane);
            leaf_parents.push(&child(&batch.position(lane), m), batch.place(lane));
            if leaf_parents.is_full::<V>() {
                cpu.enter(CountLeafParents::<V> { cpu, batch: &mut *leaf_parents, counts: &mut *counts });
            }
        }
        batch.advance::<V>();
    }
}

/// Counts the legal moves of positions one ply above the leaves.
struct CountLeafParents<'a, 'b, V: Vector> {
    cpu: V::Cpu,
    batch: &'a mut Batch,
    counts: &'a mut Counts<'b>,
}

impl<V: Vector> CpuTask for CountLeafParents<'_, '_, V> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) {
        let CountLeafParents { cpu, batch, counts } = self;
        let castles = batch.castling_table.load::<White, V>(cpu, load_at(cpu, &batch.castling, 0));
        let (own, foe) = (batch.ours.load::<V>(cpu), batch.theirs.load::<V>(cpu));
        let moves = count_lane_moves::<White, V>(cpu, &own, &foe, castles.as_ref());
        let mut lanes = [0; MOST_LANES];
        moves.mask_lanes(batch.active::<V>()).store(&mut lanes);
        let mut en_passant = load_at::<V>(cpu, &batch.en_passant, 0).nonzero() & batch.active::<V>();
        while en_passant != 0 {
            let lane = en_passant.trailing_zeros() as usize;
            en_passant &= en_passant - 1;
            let board = &batch.position(lane);
            let (own, king) = (board.side_set(White::SIDE), board.king(White::SIDE));
            let mut captures = CountSink::default();
            movegen::en_passant::<White, _>(board, own, king, &mut captures);
            lanes[lane % MOST_LANES] += captures.0;
        }
        counts.add(&lanes, batch.places::<V>());
        batch.advance::<V>();
    }
}
