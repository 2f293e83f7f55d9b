//! The walk of the tree: generate, copy and make, down to the positions two plies above the leaves. They are collected
//! in a batch, which is counted when every lane is filled.
//!
//! White is to move in every node: the board is flipped after every move, so the walk is compiled for one colour. No
//! allocation, no keys, no node counters.
//!
//! In a batch "we" are to move, always as White, and "they" reply. The idea and the formula are described in the head
//! of `mod.rs`. [`CountBatch`] has the order of the work. Each stage reads the results of the stages before it and
//! returns one struct:
//!
//! `batch` (positions) → `stages` (registers, attacks of sliders → pins and discovered checks → where their king may
//! move → their replies to a null move, without the king's) → `classify` (our moves, ordinary and special) → `sums`
//! (ordinary moves, by formula) and `special` (special moves, made in lanes).
//!
//! A kernel becomes the type of its vectors in [`Collector::add`]. Nothing outside this folder knows of them: deep
//! perft (`perft2`) hands over positions, and says whether it wants one sum or a count for each position.

#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use crate::base::cpu::{Avx2, Avx512, Avx512Bw};
use crate::base::cpu::{Cpu, CpuTask, Portable};
use crate::base::pages::prefetch;
use crate::chess::board::Board;
use crate::chess::board::movegen::{self, ALL, ChecksAndPins, count_legal, generate};
use crate::chess::board::packed::Half;
use crate::chess::perft::batch::{BISHOPS, Batch, KNIGHTS, ParentLanes, ROOKS, SideSets};
use crate::chess::perft::classify::{OurMoves, SpecialMoves};
use crate::chess::perft::pair::Pair;
use crate::chess::perft::special::{self, MoveLists, count_lane_moves};
use crate::chess::perft::stages::{Context, KingLines, KingZone, NullReplies, Pieces};
use crate::chess::perft::sums;
use crate::chess::perft::vector::{MOST_LANES, Vector, load_at};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use crate::chess::perft::{avx2::Ymm, avx512::Zmm};
use crate::chess::types::{Bitboard, Move, Us, White};
use crate::game::{CountSink, Kernel, ListSink, Moves, SharedHalf, Side};

/// The position after a legal move of White in `board`, flipped.
#[inline(always)]
fn child(board: &Board, m: Move) -> Board {
    let mut child = *board;
    child.make_as::<White>(m);
    child.flipped()
}

/// White's legal moves.
pub fn moves(board: &Board) -> Moves<Move> {
    let mut list = Moves::new();
    generate::<White, ALL, _>(board, &ChecksAndPins::of::<White>(board), Bitboard::ALL, &mut ListSink(&mut list));
    list
}

/// Calls `visit` with every position `plies` plies below `board`, in which White is to move.
pub fn walk(board: &Board, plies: u32, visit: &mut impl FnMut(&Board)) {
    if plies == 0 {
        visit(board);
        return;
    }
    for &m in &moves(board) {
        walk(&child(board, m), plies - 1, visit);
    }
}

/// Counts one position and one ply at a time: the kernel `scalar`, simple and slow, that the others are tested against.
/// `depth` is at least 1.
pub fn count_one_by_one(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    walk(&board.with_white_to_move(), depth - 1, &mut |board| {
        nodes += count_legal::<White>(board, &ChecksAndPins::of::<White>(board))
    });
    nodes
}

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
                for (lane, &place) in places.iter().enumerate() {
                    counts[place as usize] += lanes[lane] as u32;
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
    /// Those in which the side to move has the same.
    SharedHalf(&'a SharedHalf<'a, Half>),
    /// No more: all that wait are counted.
    Rest,
}

/// With this number of pieces or fewer, two lanes take longer than making every move.
const FEW_PIECES: u32 = 14;

/// Positions waiting to be counted.
pub struct Collector {
    kernel: Kernel,
    batch: Batch,
    lists: MoveLists,
    /// Positions after moves that were made one at a time.
    leaf_parents: Batch,
}

impl Collector {
    /// For positions of the tree below `root`, which is flipped as they are. If this CPU cannot run the kernel, the
    /// portable one counts.
    #[inline(always)]
    pub fn new(root: &Board, kernel: Kernel) -> Self {
        Collector {
            kernel,
            batch: Batch::new(root),
            lists: MoveLists::new(),
            leaf_parents: Batch::new(&root.flipped()),
        }
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
        if let (Positions::Children(parent, _), Counts::Sum(sum)) = (&positions, &mut *counts)
            && parent.occupied().count() <= FEW_PIECES
        {
            **sum += count_one_by_one(parent, 3);
            return;
        }
        Portable.enter(Add::<Pair> { cpu: Portable, collector, positions, counts });
    }

    /// Counts the batch. There is code of its own for endings without minor pieces: otherwise a bare board would cost
    /// as much as a full one. With two lanes it is not worth the time to compile; `const` keeps the compiler from it.
    #[inline(always)]
    fn count_batch<V: Vector>(&mut self, cpu: V::Cpu, counts: &mut Counts<'_>) {
        const ALL_KINDS: u8 = KNIGHTS | BISHOPS | ROOKS;
        let collector = self;
        if const { V::LANES > 2 } && collector.batch.kinds::<V>(cpu) & !ROOKS == 0 {
            cpu.enter(CountBatch::<V, ROOKS> { cpu, collector, counts });
        } else {
            cpu.enter(CountBatch::<V, ALL_KINDS> { cpu, collector, counts });
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
            Positions::SharedHalf(shared) => {
                let white_to_move = |half: &Half| if shared.side == Side::First { *half } else { half.flipped() };
                let half = white_to_move(shared.half).sets();
                let ours = SideSets::of(cpu, half.kinds);
                collector.batch.prepare::<V>(&ours);
                for (i, &number) in shared.numbers.iter().enumerate() {
                    if let Some(&later) = shared.numbers.get(i + MOST_LANES) {
                        prefetch(shared.halves, later as usize);
                    }
                    let theirs = white_to_move(&shared.halves[number as usize]).sets();
                    collector.batch.push_half(half.castling, &theirs, (shared.first + i) as u32);
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
        let CountBatch { cpu, collector: Collector { batch, lists, leaf_parents, .. }, counts } = self;
        let (by_formula, moves) = &cpu.enter(Formula::<V, KINDS> { cpu, batch });
        let mut lanes = [0; MOST_LANES];
        by_formula.store(&mut lanes);
        special::list_scalar::<V>(cpu, batch, moves, lists, &mut lanes);
        let apart = matches!(counts, Counts::Each(_));
        special::count::<KINDS, V>(cpu, batch, lists, moves, apart, &mut lanes);
        counts.add(&lanes, batch.places::<V>());
        for &(lane, m) in &lists.scalar {
            let lane = usize::from(lane);
            leaf_parents.push(&child(&batch.board(lane), m), batch.place(lane));
            if leaf_parents.is_full::<V>() {
                cpu.enter(CountLeafParents::<V> { cpu, batch: &mut *leaf_parents, counts: &mut *counts });
            }
        }
        batch.advance::<V>();
    }
}

/// Counts the replies to ordinary moves and finds the special ones, in a function of its own: with the special moves
/// it would have too many values for the registers.
struct Formula<'a, V: Vector, const KINDS: u8> {
    cpu: V::Cpu,
    batch: &'a Batch,
}

impl<V: Vector, const KINDS: u8> CpuTask for Formula<'_, V, KINDS> {
    type Output = (V, SpecialMoves<V>);
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> (V, SpecialMoves<V>) {
        let Formula { cpu, batch } = self;
        let pieces = &Pieces::<V>::of::<KINDS>(cpu, batch);
        let king = &KingLines::of(cpu, pieces);
        let zone = &KingZone::of(cpu, batch, pieces, king);
        let null = &NullReplies::of(cpu, pieces, king);
        let at = Context { cpu, batch, pieces, king, zone, null };
        let moves = OurMoves::of(at);
        let ordinary = &moves.ordinary;
        let replies = sums::null_and_landing(at, ordinary) + sums::leaving(at, ordinary)
            - sums::denied_king_moves(at, ordinary)
            + sums::unpinned_moves(at, ordinary)
            + moves.ep_replies;
        (replies.mask_lanes(batch.active::<V>()), moves.special)
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
        let castling_moves = batch.castling_table.load::<White, V>(cpu, load_at(cpu, &batch.castling, 0));
        let (own, foe) = (batch.ours.load::<V>(cpu), batch.theirs.load::<V>(cpu));
        let moves = count_lane_moves::<White, V>(cpu, &own, &foe, castling_moves.as_ref());
        let mut lanes = [0; MOST_LANES];
        moves.mask_lanes(batch.active::<V>()).store(&mut lanes);
        let mut en_passant = load_at::<V>(cpu, &batch.en_passant, 0).nonzero() & batch.active::<V>();
        while en_passant != 0 {
            let lane = en_passant.trailing_zeros() as usize;
            en_passant &= en_passant - 1;
            let board = &batch.board(lane);
            let (own, king) = (board.side_set(White::SIDE), board.king(White::SIDE));
            let mut captures = CountSink::default();
            movegen::en_passant::<White, _>(board, own, king, &mut captures);
            lanes[lane % MOST_LANES] += captures.0;
        }
        counts.add(&lanes, batch.places::<V>());
        batch.advance::<V>();
    }
}
