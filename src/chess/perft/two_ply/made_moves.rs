//! Our moves that have to be made, in eight positions: listed, made in lanes, and their replies counted.
//!
//! A move that only moves a piece (or castles) is never made one at a time: eight of any of the positions are
//! made in the lanes of a vector, where `legal_count` counts the replies. The few others are left to `leaves`.
//! "We" and "they" as in `two_ply`, which calls this.

use crate::base::list::MoveList;
use crate::chess::board::attacks::attackers;
use crate::chess::board::movegen::{self, ALL, ChessList, PROMOTIONS};
use crate::chess::board::position::Position;
use crate::chess::board::tables::Cpu;
use crate::chess::perft::lanes::legal_count;
use crate::chess::perft::lanes::side_sets::SideSets;
use crate::chess::perft::simd::{MOST_LANES, Vector, compress_at, lane_mask, load_at, store_at};
use crate::chess::perft::two_ply::batch::Batch;
use crate::chess::perft::two_ply::classify::OurMoves;
use crate::chess::perft::two_ply::move_sets::{
    CASTLES, KING_SETS, SETS, SOURCES, SpecialMoves, origins,
};
use crate::chess::perft::two_ply::tally::Tally;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::moves::{Move, MoveKind};
use crate::chess::types::piece::{Kind, Us};
use crate::game::{ListSink, MOST_MOVES};

/// Moves of up to eight positions that have to be made.
pub struct MadeMoves {
    /// Moves that only move a piece and take what stands on the target, and castling: the target, where the
    /// move was found (number of its set of moves times eight, plus lane), and the origin.
    targets: [u64; CAPACITY],
    sources: [u64; CAPACITY],
    origins: [u64; CAPACITY],
    /// En passant captures, promotions, and all moves out of check: lane and move.
    pub scalar: MoveList<(u8, Move), { MOST_LANES * MOST_MOVES }>,
}

/// How many moves are listed before they are counted.
const CAPACITY: usize = 256;

impl MadeMoves {
    pub const fn new() -> Self {
        MadeMoves {
            targets: [0; CAPACITY],
            sources: [0; CAPACITY],
            origins: [0; CAPACITY],
            scalar: MoveList::new(),
        }
    }
}

/// Adds the number of replies to the moves in `special`.
#[inline(always)]
pub fn count<U: Us, V: Vector, T: Tally<V>>(
    cpu: V::Cpu,
    batch: &Batch,
    made: &mut MadeMoves,
    special: &SpecialMoves<V>,
    tally: &mut T,
) {
    let sets = &special.by_number();
    let rights = CastlingRights::of::<U>(cpu, batch);
    let mut pending = Pending::of(cpu, sets);
    while pending.any() {
        let len = list(cpu, sets, &mut pending, made);
        find_origins::<U, V>(cpu, batch, made, len);
        for at in (0..len).step_by(V::LANES) {
            let counts = make_and_count::<U, V>(cpu, batch, made, rights, at);
            let sources = load_at::<V>(cpu, &made.sources, at);
            tally.add_by_source(counts.mask_lanes(lane_mask::<V>(len - at)), sources);
        }
    }
}

/// Moves that have not been listed yet.
struct Pending<V> {
    /// The sets with members: bit `i` for set `i`.
    filled: u32,
    /// What is left of the set that is being listed, the lanes in which that is, and where it was found.
    rest: V,
    lanes: u8,
    source: V,
}

impl<V: Vector> Pending<V> {
    #[inline(always)]
    fn of(cpu: V::Cpu, sets: &[V; SETS]) -> Self {
        // Which sets have members is found out first, as a branch for every set would often be mispredicted.
        let mut filled = [0; SETS + 1];
        for (byte, set) in filled.iter_mut().zip(sets) {
            *byte = set.nonzero();
        }
        let none = V::zero(cpu);
        Pending { filled: nonzero_bytes(&filled), rest: none, lanes: 0, source: none }
    }

    #[inline(always)]
    fn any(&self) -> bool {
        self.filled | u32::from(self.lanes) != 0
    }
}

/// Lists pending moves while there is room: the lowest target of every lane, then the next ones, set by set.
/// Returns how many.
#[inline(always)]
fn list<V: Vector>(
    cpu: V::Cpu,
    sets: &[V; SETS],
    pending: &mut Pending<V>,
    made: &mut MadeMoves,
) -> usize {
    let mut len = 0;
    while len <= CAPACITY - MOST_LANES {
        if pending.lanes == 0 {
            if pending.filled == 0 {
                break;
            }
            let set = pending.filled.trailing_zeros() as usize % (SETS + 1);
            pending.filled &= pending.filled - 1;
            pending.rest = sets[set.min(SETS - 1)];
            pending.source = V::load(cpu, &SOURCES[set]);
            pending.lanes = pending.rest.nonzero();
        }
        let lowest = pending.rest & (V::zero(cpu) - pending.rest);
        compress_at(lowest, pending.lanes, &mut made.targets, len);
        compress_at(pending.source, pending.lanes, &mut made.sources, len);
        len += pending.lanes.count_ones() as usize;
        pending.rest = pending.rest ^ lowest;
        pending.lanes = pending.rest.nonzero();
    }
    len
}

/// Writes the origins of the listed moves, before any is made: they take long to find, but not to find many.
#[inline(always)]
fn find_origins<U: Us, V: Vector>(cpu: V::Cpu, batch: &Batch, made: &mut MadeMoves, len: usize) {
    let us = batch.ours.load::<V>(cpu);
    let occupied = us.all() | batch.theirs.load::<V>(cpu).all();
    for at in (0..len).step_by(V::LANES) {
        let to = load_at::<V>(cpu, &made.targets, at);
        let sources = load_at::<V>(cpu, &made.sources, at);
        let by_king = V::bit(cpu, sources.shift(-3)) & V::splat(cpu, KING_SETS);
        let kings = us.king.permute(sources).keep_if_nonzero(by_king);
        let pieces = occupied.permute(sources).keep_if_zero(by_king) | kings;
        let from = origins::<U, V>(cpu, sources, to, pieces);
        store_at(from, &mut made.origins, at);
    }
}

/// Who may castle anywhere in the batch.
#[derive(Clone, Copy)]
struct CastlingRights<V> {
    /// Whether one of our rooks has the right.
    ours: bool,
    /// Their rooks that have it, if any has.
    theirs: Option<V>,
}

impl<V: Vector> CastlingRights<V> {
    #[inline(always)]
    fn of<U: Us>(cpu: V::Cpu, batch: &Batch) -> Self {
        let rooks = load_at::<V>(cpu, &batch.castling, 0);
        let ours = (rooks & V::splat(cpu, U::BACK_RANK.0)).nonzero() != 0;
        let theirs = rooks & V::splat(cpu, U::Them::BACK_RANK.0);
        CastlingRights { ours, theirs: (theirs.nonzero() != 0).then_some(theirs) }
    }
}

/// Which bytes are not zero, byte 0 in bit 0.
#[inline(always)]
fn nonzero_bytes(bytes: &[u8; SETS + 1]) -> u32 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let mut found = 0;
    for (i, chunk) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let word = u64::from_le_bytes(*chunk);
        let tops = (((word & LOW) + LOW) | word) & !LOW;
        // The factor brings bit 8k to bit 56 + k.
        found |= ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * i)) as u32;
    }
    found
}

/// Makes eight of the listed moves from number `at` on, one in each lane, and counts the replies there.
#[inline(always)]
fn make_and_count<U: Us, V: Vector>(
    cpu: V::Cpu,
    batch: &Batch,
    made: &MadeMoves,
    rights: CastlingRights<V>,
    at: usize,
) -> V {
    let us = batch.ours.load::<V>(cpu);
    let them = batch.theirs.load::<V>(cpu);
    let from = load_at::<V>(cpu, &made.origins, at);
    let to = load_at::<V>(cpu, &made.targets, at);
    let sources = load_at::<V>(cpu, &made.sources, at);
    macro_rules! moved {
        ($set:expr) => {{
            let set = $set.permute(sources);
            set.without(from) | to.keep_if_nonzero(set & from)
        }};
    }
    let mut foe = SideSets {
        pawns: moved!(us.pawns),
        knights: moved!(us.knights),
        bishops: moved!(us.bishops),
        rooks: moved!(us.rooks),
        king: moved!(us.king),
    };
    if rights.ours {
        let set = V::bit(cpu, sources.shift(-3));
        for (i, castle) in batch.castling_table.of_side::<U>().iter().enumerate() {
            let trip = V::splat(cpu, castle.rook_from_to());
            foe.rooks = foe.rooks ^ trip.keep_if_nonzero(set & V::splat(cpu, 1 << (CASTLES + i)));
        }
    }
    let own = SideSets {
        pawns: them.pawns.permute(sources).without(to),
        knights: them.knights.permute(sources).without(to),
        bishops: them.bishops.permute(sources).without(to),
        rooks: them.rooks.permute(sources).without(to),
        king: them.king.permute(sources),
    };
    // A captured rook does not castle.
    // No closure: one that is not inlined knows nothing of the CPU's instructions.
    let castles = match rights.theirs {
        Some(rooks) => {
            batch.castling_table.load::<U::Them, V>(cpu, rooks.permute(sources).without(to))
        }
        None => None,
    };
    legal_count::count_legal::<U::Them, V>(cpu, own, foe, castles.as_ref())
}

/// Lists the moves that are more than a piece moving, and everything in lanes with a check, in `made.scalar`.
/// Adds the number of their en passant captures after double steps that `classify` leaves to this.
#[inline(always)]
pub fn list_scalar<U: Us, V: Vector, T: Tally<V>>(
    cpu: V::Cpu,
    batch: &Batch,
    moves: &OurMoves<V>,
    made: &mut MadeMoves,
    tally: &mut T,
) {
    made.scalar.clear();
    list_promotions::<U, V>(batch, moves, made);
    add_unclear_ep_replies::<U, V, T>(cpu, batch, moves, tally);
    list_evasions_and_ep::<U, V>(cpu, batch, moves, made);
}

/// Lists each promotion four times.
#[inline(always)]
fn list_promotions<U: Us, V: Vector>(batch: &Batch, moves: &OurMoves<V>, made: &mut MadeMoves) {
    let mut words = [0; MOST_LANES];
    for (set, step) in moves.promotions.into_iter().zip([0, -1, 1]) {
        let lanes = set.nonzero() & batch.active::<V>();
        if lanes == 0 {
            continue;
        }
        set.store(&mut words);
        for lane in (0..V::LANES).filter(|lane| lanes >> lane & 1 != 0) {
            for to in Bitboard(words[lane]) {
                let m = movegen::pawn_move(to, U::FORWARD + step, MoveKind::Pawn);
                for kind in PROMOTIONS {
                    made.scalar.push((lane as u8, Move::new(m.from(), to, kind)));
                }
            }
        }
    }
}

/// Adds the number of their legal en passant captures after the double steps in `ep_unclear`.
#[inline(always)]
fn add_unclear_ep_replies<U: Us, V: Vector, T: Tally<V>>(
    cpu: V::Cpu,
    batch: &Batch,
    moves: &OurMoves<V>,
    tally: &mut T,
) {
    let lanes = moves.ep_unclear.nonzero() & batch.active::<V>();
    if lanes != 0 {
        let mut words = [0; MOST_LANES];
        moves.ep_unclear.store(&mut words);
        for lane in (0..V::LANES).filter(|lane| lanes >> lane & 1 != 0) {
            for to in Bitboard(words[lane]) {
                let m = movegen::pawn_move(to, 2 * U::FORWARD, MoveKind::DoublePush);
                let pos = &batch.position::<U>(lane);
                tally.add_one(lane, ep_captures_after::<U, V::Cpu>(cpu, pos, m));
            }
        }
    }
}

/// Lists all moves out of check, and our en passant captures.
#[inline(always)]
fn list_evasions_and_ep<U: Us, V: Vector>(
    cpu: V::Cpu,
    batch: &Batch,
    moves: &OurMoves<V>,
    made: &mut MadeMoves,
) {
    let extra = load_at::<V>(cpu, &batch.en_passant, 0).nonzero();
    let mut lanes = (extra | moves.in_check) & batch.active::<V>();
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes - 1;
        let pos = &batch.position::<U>(lane);
        let mut list = ChessList::new();
        let sink = &mut ListSink(&mut list);
        if moves.in_check >> lane & 1 != 0 {
            movegen::generate::<U, ALL, V::Cpu, _>(pos, cpu, Bitboard::ALL, sink);
        } else {
            let (ours, king) = (pos.side_set(U::SIDE), pos.king(U::SIDE));
            movegen::en_passant::<U, V::Cpu, _>(pos, cpu, ours, king, sink);
        }
        for &m in &list {
            made.scalar.push((lane as u8, m));
        }
    }
}

/// The number of legal en passant captures after our double step `m`.
#[inline(always)]
fn ep_captures_after<U: Us, C: Cpu>(cpu: C, pos: &Position, m: Move) -> u64 {
    let left = Bitboard::of(m.from());
    let passed = U::forward(left);
    let king = pos.king(U::Them::SIDE);
    let mut captures = 0;
    let capturers = pos.kind_set(Kind::Pawn) & pos.side_set(U::Them::SIDE);
    for capturer in U::pawn_attacks(passed) & capturers {
        let after = (pos.occupied() & !left & !Bitboard::of(capturer)) | passed;
        let foes = pos.side_set(U::SIDE) & !left;
        captures += u64::from(!attackers(pos, cpu, king, after).meets(foes));
    }
    captures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;

    #[test]
    fn bytes_that_are_not_zero_are_found() {
        let mut rng = SplitMix64::new(0x5eed_0106);
        for _ in 0..10_000 {
            let bytes: [u8; SETS + 1] = std::array::from_fn(|_| match rng.below(4) {
                0 => rng.below(256) as u8,
                1 => 0x80,
                _ => 0,
            });
            let expected = (0..=SETS).fold(0, |set, i| set | u32::from(bytes[i] != 0) << i);
            assert_eq!(nonzero_bytes(&bytes), expected);
        }
    }
}
