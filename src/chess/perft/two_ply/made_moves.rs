//! Our moves that have to be made, in eight positions: listed, made in lanes, and their replies counted.
//!
//! A move that only moves a piece (or castles) is never made one at a time: eight of any of the positions are
//! made in the lanes of a vector, where `eight` counts the replies. The few others are left to `walk`.
//! "We" and "they" as in `pairs`, which calls this.

use crate::base::list::MoveList;
use crate::chess::board::attacks::attackers;
use crate::chess::board::movegen::{self, ALL, PROMOTIONS};
use crate::chess::board::position::Position;
use crate::chess::board::tables::Cpu;
use crate::chess::perft::lanes::legal_count::{self, Army, first, load, store};
use crate::chess::perft::simd::fills::origins;
use crate::chess::perft::simd::{LANES, Vector};
use crate::chess::perft::two_ply::Pairs;
use crate::chess::perft::two_ply::classify::Offers;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::moves::{Move, MoveKind};
use crate::chess::types::piece::{Kind, Us};
use crate::game::ListSink;

/// Moves of up to eight positions that have to be made.
pub struct Specials {
    /// Moves that only move a piece and take what stands on the target, and castling: the target, where the
    /// move was found (number of its set of moves times eight, plus lane), and the origin.
    targets: [u64; CAPACITY],
    sources: [u64; CAPACITY],
    origins: [u64; CAPACITY],
    /// En passant captures, promotions, and all moves out of check: lane and move.
    pub others: MoveList<(u8, Move), { LANES * 256 }>,
}

/// How many moves are listed before they are counted.
const CAPACITY: usize = 256;

/// Sets of special moves: sliders by direction, knights by leap, king, pawns by step (single, double, towards
/// the a-file, towards the h-file), castling towards the a-file and towards the h-file (the king's target).
pub const SETS: usize = 23;
/// Sets of knights, of the king, of pawns and of castling begin here.
pub const KNIGHTS: usize = 8;
pub const KING: usize = 16;
pub const PAWNS: usize = 17;
pub const CASTLES: usize = 21;
/// The sets of the king's moves: bit `i` for set `i`.
const KING_SETS: u64 = 1 << KING | 3 << CASTLES;

impl Specials {
    pub const fn new() -> Self {
        Specials {
            targets: [0; CAPACITY],
            sources: [0; CAPACITY],
            origins: [0; CAPACITY],
            others: MoveList::new(),
        }
    }
}

/// The number of replies to the moves in `sets`.
#[inline(always)]
pub fn count<U: Us, V: Vector>(
    cpu: V::Cpu,
    pairs: &Pairs,
    specials: &mut Specials,
    sets: &[V; SETS],
) -> u64 {
    // Which sets have members is found out first, as a branch for every set would often be mispredicted.
    let mut filled = [0; SETS + 1];
    for (byte, set) in filled.iter_mut().zip(sets) {
        *byte = set.nonzero();
    }
    let mut filled = nonzero_bytes(&filled);
    let us = pairs.ours.load::<V>(cpu);
    let occupied = us.all() | pairs.theirs.load::<V>(cpu).all();
    let castling = load::<V>(cpu, &pairs.castling, 0);
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
            pack(lowest, lanes, &mut specials.targets, len);
            pack(source, lanes, &mut specials.sources, len);
            len += lanes.count_ones() as usize;
            rest = rest ^ lowest;
            lanes = rest.nonzero();
        }
        // Origins first: they take long to find, but not to find many.
        for at in (0..len).step_by(LANES) {
            let to = load::<V>(cpu, &specials.targets, at);
            let sources = load::<V>(cpu, &specials.sources, at);
            let by_king = V::bit(cpu, sources.shift(-3)) & V::splat(cpu, KING_SETS);
            let kings = us.king.pick(sources).where_any(by_king);
            let pieces = occupied.pick(sources).where_zero(by_king) | kings;
            let from = origins::<U, V>(cpu, sources, to, pieces);
            store(from, &mut specials.origins, at);
        }
        for at in (0..len).step_by(LANES) {
            let counts = count_eight::<U, V>(cpu, pairs, specials, castling, may_castle, at);
            total = total + counts.only(first(len - at));
        }
    }
    total.sum()
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

/// The sources of every set of moves, for each lane.
static SOURCES: [[u64; LANES]; SETS + 1] = {
    let mut sources = [[0; LANES]; SETS + 1];
    let mut i = 0;
    while i < LANES * (SETS + 1) {
        sources[i / LANES][i % LANES] = i as u64;
        i += 1;
    }
    sources
};

/// Writes these lanes of `set` from number `at` on, and something behind them.
#[inline(always)]
fn pack<V: Vector>(set: V, lanes: u8, words: &mut [u64; CAPACITY], at: usize) {
    if let Some(words) = words.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        set.pack(lanes, words);
    }
}

/// The number of replies to the listed moves from number `at` on; the rooks `castling` have the right, and
/// `may_castle` says whether one of ours has.
#[inline(always)]
fn count_eight<U: Us, V: Vector>(
    cpu: V::Cpu,
    pairs: &Pairs,
    specials: &Specials,
    castling: Option<V>,
    may_castle: bool,
    at: usize,
) -> V {
    let us = pairs.ours.load::<V>(cpu);
    let them = pairs.theirs.load::<V>(cpu);
    let from = load::<V>(cpu, &specials.origins, at);
    let to = load::<V>(cpu, &specials.targets, at);
    let sources = load::<V>(cpu, &specials.sources, at);
    macro_rules! moved {
        ($set:expr) => {{
            let set = $set.pick(sources);
            set.without(from) | to.where_any(set & from)
        }};
    }
    let mut foe = Army {
        pawns: moved!(us.pawns),
        knights: moved!(us.knights),
        bishops: moved!(us.bishops),
        rooks: moved!(us.rooks),
        king: moved!(us.king),
    };
    if may_castle {
        let set = V::bit(cpu, sources.shift(-3));
        for (wing, castle) in pairs.wings.of_side::<U>().iter().enumerate() {
            let trip = V::splat(cpu, castle.rook_trip());
            foe.rooks = foe.rooks ^ trip.where_any(set & V::splat(cpu, 1 << (CASTLES + wing)));
        }
    }
    let own = Army {
        pawns: them.pawns.pick(sources).without(to),
        knights: them.knights.pick(sources).without(to),
        bishops: them.bishops.pick(sources).without(to),
        rooks: them.rooks.pick(sources).without(to),
        king: them.king.pick(sources),
    };
    // A captured rook does not castle.
    let castles = castling
        .and_then(|rooks| pairs.wings.load::<U::Them, V>(cpu, rooks.pick(sources).without(to)));
    legal_count::count::<U::Them, V>(cpu, own, foe, castles.as_ref())
}

/// Lists the moves that are more than a piece moving, and everything in lanes with a check.
/// Returns the number of their en passant captures after double steps that `offers` leaves to this.
#[inline(always)]
pub fn collect<U: Us, V: Vector>(
    cpu: V::Cpu,
    pairs: &Pairs,
    offers: &Offers<V>,
    specials: &mut Specials,
) -> u64 {
    specials.others.clear();
    let &Offers { promotions, passing, checked, .. } = offers;
    let active = pairs.active();
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
                    specials.others.push((lane as u8, Move::new(m.from(), to, kind)));
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
                captures += taken_in_passing::<U, V::Cpu>(cpu, &pairs.position::<U>(lane), m);
            }
        }
    }

    let extra = load::<V>(cpu, &pairs.en_passant, 0).nonzero();
    let mut lanes = (extra | checked) & active;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes - 1;
        let pos = &pairs.position::<U>(lane);
        let king = pos.king(U::SIDE);
        let mut list = MoveList::<Move, 256>::new();
        if checked >> lane & 1 != 0 {
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
            specials.others.push((lane as u8, m));
        }
    }
    captures
}

/// The number of legal en passant captures after our double step `m`.
#[inline(always)]
fn taken_in_passing<U: Us, C: Cpu>(cpu: C, pos: &Position, m: Move) -> u64 {
    let left = Bitboard::of(m.from());
    let passed = U::forward(left);
    let king = pos.king(U::Them::SIDE);
    let mut captures = 0;
    let hunters = pos.kind_set(Kind::Pawn) & pos.side_set(U::Them::SIDE);
    for hunter in U::pawn_attacks(passed) & hunters {
        let after = (pos.occupied() & !left & !Bitboard::of(hunter)) | passed;
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
