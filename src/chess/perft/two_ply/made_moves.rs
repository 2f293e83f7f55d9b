//! Our moves that have to be made, in eight positions: listed, made in lanes, and their replies counted.
//!
//! A move that only moves a piece (or castles) is never made one at a time: eight of any of the positions are
//! made in the lanes of a vector, where `eight` counts the replies. The few others are left to `walk`.
//! "We" and "they" as in `batch`, which calls this.

use crate::base::list::MoveList;
use crate::chess::board::attacks::attackers;
use crate::chess::board::movegen::{self, ALL, PROMOTIONS};
use crate::chess::board::position::Position;
use crate::chess::board::tables::Cpu;
use crate::chess::perft::lanes::legal_count;
use crate::chess::perft::lanes::side_sets::SideSets;
use crate::chess::perft::simd::{LANES, Vector, compress_at, lane_mask, load_at, store_at};
use crate::chess::perft::two_ply::batch::Batch;
use crate::chess::perft::two_ply::classify::OurMoves;
use crate::chess::perft::two_ply::move_sets::{CASTLES, KING_SETS, SETS, SOURCES, origins};
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::moves::{Move, MoveKind};
use crate::chess::types::piece::{Kind, Us};
use crate::game::ListSink;

/// Moves of up to eight positions that have to be made.
pub struct MadeMoves {
    /// Moves that only move a piece and take what stands on the target, and castling: the target, where the
    /// move was found (number of its set of moves times eight, plus lane), and the origin.
    targets: [u64; CAPACITY],
    sources: [u64; CAPACITY],
    origins: [u64; CAPACITY],
    /// En passant captures, promotions, and all moves out of check: lane and move.
    pub scalar: MoveList<(u8, Move), { LANES * 256 }>,
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

/// The number of replies to the moves in `sets`.
#[inline(always)]
pub fn count<U: Us, V: Vector>(
    cpu: V::Cpu,
    batch: &Batch,
    made: &mut MadeMoves,
    sets: &[V; SETS],
) -> u64 {
    // Which sets have members is found out lane_mask, as a branch for every set would often be mispredicted.
    let mut filled = [0; SETS + 1];
    for (byte, set) in filled.iter_mut().zip(sets) {
        *byte = set.nonzero();
    }
    let mut filled = nonzero_bytes(&filled);
    let us = batch.ours.load::<V>(cpu);
    let occupied = us.all() | batch.theirs.load::<V>(cpu).all();
    let castling = load_at::<V>(cpu, &batch.castling, 0);
    let may_castle = (castling & V::splat(cpu, U::BACK_RANK.0)).nonzero() != 0;
    let castling = castling & V::splat(cpu, U::Them::BACK_RANK.0);
    let castling = (castling.nonzero() != 0).then_some(castling);
    let mut total = V::zero(cpu);
    let mut rest = V::zero(cpu);
    let mut source = rest;
    let mut lanes = 0;
    while filled | u32::from(lanes) != 0 {
        // List the lowest target of every lane, then the next ones.
        let mut len = 0;
        while len <= CAPACITY - LANES {
            if lanes == 0 {
                if filled == 0 {
                    break;
                }
                let set = filled.trailing_zeros() as usize % (SETS + 1);
                filled &= filled - 1;
                rest = sets[set.min(SETS - 1)];
                source = V::load(cpu, &SOURCES[set]);
                lanes = rest.nonzero();
            }
            let lowest = rest & (V::zero(cpu) - rest);
            compress_at(lowest, lanes, &mut made.targets, len);
            compress_at(source, lanes, &mut made.sources, len);
            len += lanes.count_ones() as usize;
            rest = rest ^ lowest;
            lanes = rest.nonzero();
        }
        // Origins lane_mask: they take long to find, but not to find many.
        for at in (0..len).step_by(LANES) {
            let to = load_at::<V>(cpu, &made.targets, at);
            let sources = load_at::<V>(cpu, &made.sources, at);
            let by_king = V::bit(cpu, sources.shift(-3)) & V::splat(cpu, KING_SETS);
            let kings = us.king.permute(sources).keep_if_nonzero(by_king);
            let pieces = occupied.permute(sources).keep_if_zero(by_king) | kings;
            let from = origins::<U, V>(cpu, sources, to, pieces);
            store_at(from, &mut made.origins, at);
        }
        for at in (0..len).step_by(LANES) {
            let counts = make_and_count::<U, V>(cpu, batch, made, castling, may_castle, at);
            total = total + counts.mask_lanes(lane_mask(len - at));
        }
    }
    total.reduce_sum()
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

/// The number of replies to the listed moves from number `at` on; the rooks `castling` have the right, and
/// `may_castle` says whether one of ours has.
#[inline(always)]
fn make_and_count<U: Us, V: Vector>(
    cpu: V::Cpu,
    batch: &Batch,
    made: &MadeMoves,
    castling: Option<V>,
    may_castle: bool,
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
    if may_castle {
        let set = V::bit(cpu, sources.shift(-3));
        for (geometry, castle) in batch.castling_table.of_side::<U>().iter().enumerate() {
            let trip = V::splat(cpu, castle.rook_from_to());
            foe.rooks =
                foe.rooks ^ trip.keep_if_nonzero(set & V::splat(cpu, 1 << (CASTLES + geometry)));
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
    let castles = castling.and_then(|rooks| {
        batch.castling_table.load::<U::Them, V>(cpu, rooks.permute(sources).without(to))
    });
    legal_count::count_legal::<U::Them, V>(cpu, own, foe, castles.as_ref())
}

/// Lists the moves that are more than a piece moving, and everything in lanes with a check.
/// Returns the number of their en passant captures after double steps that `moves` leaves to this.
#[inline(always)]
pub fn list_scalar<U: Us, V: Vector>(
    cpu: V::Cpu,
    batch: &Batch,
    moves: &OurMoves<V>,
    made: &mut MadeMoves,
) -> u64 {
    made.scalar.clear();
    let &OurMoves { promotions, ep_unclear: passing, in_check, .. } = moves;
    let active = batch.active();
    let mut words = [0; LANES];
    for (set, step) in promotions.into_iter().zip([0, -1, 1]) {
        let lanes = set.nonzero() & active;
        if lanes == 0 {
            continue;
        }
        set.store(&mut words);
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
            for to in Bitboard(words[lane]) {
                let m = movegen::pawn_move(to, U::FORWARD + step, MoveKind::Pawn);
                for kind in PROMOTIONS {
                    made.scalar.push((lane as u8, Move::new(m.from(), to, kind)));
                }
            }
        }
    }

    let mut captures = 0;
    let lanes = passing.nonzero() & active;
    if lanes != 0 {
        passing.store(&mut words);
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
            for to in Bitboard(words[lane]) {
                let m = movegen::pawn_move(to, 2 * U::FORWARD, MoveKind::DoublePush);
                captures += ep_captures_after::<U, V::Cpu>(cpu, &batch.position::<U>(lane), m);
            }
        }
    }

    let extra = load_at::<V>(cpu, &batch.en_passant, 0).nonzero();
    let mut lanes = (extra | in_check) & active;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes - 1;
        let pos = &batch.position::<U>(lane);
        let king = pos.king(U::SIDE);
        let mut list = MoveList::<Move, 256>::new();
        if in_check >> lane & 1 != 0 {
            movegen::generate::<U, ALL, V::Cpu, _>(
                pos,
                cpu,
                Bitboard::ALL,
                &mut ListSink(&mut list),
            );
        } else {
            let ours = pos.side_set(U::SIDE);
            movegen::en_passant::<U, V::Cpu, _>(pos, cpu, ours, king, &mut ListSink(&mut list));
        }
        for &m in &list {
            made.scalar.push((lane as u8, m));
        }
    }
    captures
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
