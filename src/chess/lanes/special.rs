//! Our moves that have to be made, in eight positions: listed, made in lanes, and their replies counted.
//!
//! A move that only moves a piece (or castles) is never made one at a time: eight of any of the positions are
//! made in the lanes of a vector, where `eight` counts the replies. The few others are left to `walk`.
//! "We" and "they" as in `pairs`, which calls this.

use super::eight::{self, Army, Castle, Wing};
use super::offers::Offers;
use super::pairs::Pairs;
use super::rays::origins;
use super::vector::{LANES, Vector};
use crate::base::list::MoveList;
use crate::chess::attacks::attackers;
use crate::chess::bitboard::Bitboard;
use crate::chess::movegen::{self, ALL, PROMOTIONS};
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Kind, Us};
use crate::chess::position::Position;
use crate::chess::square::Square;
use crate::chess::tables::{self, Cpu};
use crate::game::ListSink;

/// Moves of up to eight positions that have to be made.
pub(super) struct Specials {
    /// Moves that only move a piece and take what stands on the target: the target, where the move is from
    /// (number of its set of moves times eight, plus lane), and the kind.
    squares: [u8; PLAIN + 16],
    sources: [u8; PLAIN + 16],
    kinds: [u8; PLAIN + 16],
    len: usize,
    /// The sets of moves.
    words: [[u64; LANES]; SETS],
    /// En passant captures, promotions, and all moves out of check: lane and move.
    pub others: MoveList<(u8, Move), PLAIN>,
}

/// The most that eight positions can have.
const PLAIN: usize = LANES * 256;

/// Sets of special moves: sliders of one kind by direction, queens by direction, knights by leap, king,
/// pawns by step (single, double, towards the a-file, towards the h-file), castling towards the a-file and
/// towards the h-file (the king's target).
pub(super) const SETS: usize = 31;
/// Sets of sliders of one kind, of queens, of knights, of the king, of pawns and of castling begin here.
pub(super) const QUEENS: usize = 8;
pub(super) const KNIGHTS: usize = 16;
pub(super) const KING: usize = 24;
pub(super) const PAWNS: usize = 25;
pub(super) const CASTLES: usize = 29;
/// The set of double steps.
pub(super) const DOUBLE: usize = PAWNS + 1;

/// What moves in each set.
const KINDS: [MoveKind; SETS] = {
    use MoveKind::*;
    let mut kinds = [Pawn; SETS];
    let mut i = 0;
    while i < KING {
        kinds[i] = match i {
            0..4 => Rook,
            4..8 => Bishop,
            8..16 => Queen,
            _ => Knight,
        };
        i += 1;
    }
    kinds[KING] = King;
    kinds[CASTLES] = King;
    kinds[CASTLES + 1] = King;
    kinds
};

impl Specials {
    pub const fn new() -> Self {
        Specials {
            squares: [0; PLAIN + 16],
            sources: [0; PLAIN + 16],
            kinds: [0; PLAIN + 16],
            len: 0,
            words: [[0; LANES]; SETS],
            others: MoveList::new(),
        }
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
        self.others.clear();
    }

    /// Lists the targets in the sets, without a branch that depends on what stands where.
    #[inline(always)]
    pub fn list<V: Vector>(&mut self, cpu: V::Cpu, sets: &[V; SETS], active: u8) {
        let mut filled = [0u64; SETS.div_ceil(8)];
        for (i, set) in sets.iter().enumerate() {
            set.store(&mut self.words[i]);
            filled[i / 8] |= u64::from(set.nonzero() & active) << (8 * (i % 8));
        }
        let mut len = 0;
        for (block, mut bits) in filled.into_iter().enumerate() {
            while bits != 0 {
                let source = 64 * block + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let set = source / LANES % SETS;
                let mut word = self.words[set][source % LANES];
                loop {
                    let end = len & (PLAIN - 1);
                    if let Some(room) = self.squares[end..].first_chunk_mut() {
                        V::members(cpu, word, room);
                    }
                    self.sources[end..][..16].fill(source as u8);
                    self.kinds[end..][..16].fill(KINDS[set] as u8);
                    let count = word.count_ones() as usize;
                    if count <= 16 {
                        len += count;
                        break;
                    }
                    // A direction with so many targets takes a board full of sliders.
                    len += 16;
                    for _ in 0..16 {
                        word &= word - 1;
                    }
                }
            }
        }
        self.len = len.min(PLAIN);
    }
}

/// The number of replies to the plain moves of `specials`.
#[inline(always)]
pub(super) fn count_plain<U: Us, V: Vector>(
    cpu: V::Cpu,
    pairs: &Pairs,
    specials: &Specials,
    pinned: V,
) -> u64 {
    let us = pairs.ours.load::<V>(cpu);
    let them = pairs.theirs.load::<V>(cpu);
    let occupied = us.all() | them.all();
    let wings = Wing::load::<V>(&pairs.wings, cpu);
    let mut total = V::zero(cpu);
    for at in (0..specials.len).step_by(LANES) {
        let square = bytes::<V>(cpu, &specials.squares, at);
        let sources = bytes::<V>(cpu, &specials.sources, at);
        let kind = bytes::<V>(cpu, &specials.kinds, at);
        let set = sources.shift(-3);
        let to = V::bit(cpu, square);
        let pieces = occupied.pick(sources);
        let king = V::splat(cpu, MoveKind::King as u64);
        let pieces = pieces ^ (pieces ^ us.king.pick(sources)).where_equal(kind, king);
        let from = origins::<U, V>(cpu, set, square, to, pieces);
        let mut wanted = u8::MAX >> (LANES - (specials.len - at).min(LANES));
        let bound = (from & pinned.pick(sources)).nonzero();
        if bound & wanted != 0 {
            wanted &= !leave_pins::<U, V>(pairs, specials, at, from, bound & wanted);
        }

        let queen = to.where_equal(kind, V::splat(cpu, MoveKind::Queen as u64));
        let mut foe = Army {
            pawns: to.where_equal(kind, V::splat(cpu, MoveKind::Pawn as u64)),
            knights: to.where_equal(kind, V::splat(cpu, MoveKind::Knight as u64)),
            bishops: to.where_equal(kind, V::splat(cpu, MoveKind::Bishop as u64)) | queen,
            rooks: to.where_equal(kind, V::splat(cpu, MoveKind::Rook as u64)) | queen,
            king: to.where_equal(kind, king),
        };
        foe.pawns = foe.pawns | us.pawns.pick(sources).without(from);
        foe.knights = foe.knights | us.knights.pick(sources).without(from);
        foe.bishops = foe.bishops | us.bishops.pick(sources).without(from);
        foe.rooks = foe.rooks | us.rooks.pick(sources).without(from);
        foe.king = foe.king | us.king.pick(sources).without(from);
        if pairs.our_castling {
            for (wing, trip) in pairs.rook_trips.iter().enumerate() {
                let trip = V::load(cpu, trip).pick(sources);
                foe.rooks =
                    foe.rooks ^ trip.where_equal(set, V::splat(cpu, (CASTLES + wing) as u64));
            }
        }
        let own = Army {
            pawns: them.pawns.pick(sources).without(to),
            knights: them.knights.pick(sources).without(to),
            bishops: them.bishops.pick(sources).without(to),
            rooks: them.rooks.pick(sources).without(to),
            king: them.king.pick(sources),
        };
        let castles =
            [castle_after(cpu, &wings[0], sources, to), castle_after(cpu, &wings[1], sources, to)];
        let castles = pairs.castling.then_some(&castles);
        let counts = eight::count::<U::Them, V>(cpu, own, foe, castles);
        total = total + if wanted == u8::MAX { counts } else { counts.only(wanted) };
    }
    total.sum()
}

/// One byte for each lane, from number `at` on.
#[inline(always)]
fn bytes<V: Vector>(cpu: V::Cpu, bytes: &[u8], at: usize) -> V {
    match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) => V::widen(cpu, bytes),
        None => V::zero(cpu),
    }
}

/// A castle of theirs after our moves to `to`; a captured rook does not castle.
#[inline(always)]
fn castle_after<V: Vector>(cpu: V::Cpu, castle: &Castle<V>, sources: V, to: V) -> Castle<V> {
    let rook = castle.rook.pick(sources);
    let path = castle.path.pick(sources) | V::splat(cpu, !0).where_any(rook & to);
    Castle { path, king_path: castle.king_path.pick(sources), rook }
}

/// Which of the plain moves from number `at` on, those in the lanes `bound`, leave a pin.
#[inline(never)]
fn leave_pins<U: Us, V: Vector>(
    pairs: &Pairs,
    specials: &Specials,
    at: usize,
    from: V,
    bound: u8,
) -> u8 {
    let mut origins = [0; LANES];
    from.store(&mut origins);
    let mut illegal = 0;
    for (i, origin) in origins.into_iter().enumerate().filter(|(i, _)| bound >> i & 1 != 0) {
        let pos = pairs.position(specials.sources[at + i]);
        let to = Square::wrapping(u32::from(specials.squares[at + i]));
        let from = Square::wrapping(origin.trailing_zeros());
        let legal = tables::line(pos.king(U::SIDE), from).contains(to);
        illegal |= u8::from(!legal) << i;
    }
    illegal
}

/// Lists the moves that are more than a piece moving, and everything in lanes with a check.
/// Returns the number of their en passant captures after our special double steps.
#[inline(always)]
pub(super) fn collect<U: Us, V: Vector>(
    cpu: V::Cpu,
    pairs: &Pairs,
    offers: &Offers<V>,
    specials: &mut Specials,
) -> u64 {
    specials.clear();
    let &Offers { promotions, passing, pinned, checked, .. } = offers;
    let active = pairs.active();
    let (mut pins, mut words) = ([0; LANES], [0; LANES]);
    pinned.store(&mut pins);
    let leaves_pin = |lane: usize, from: Square, to: Square| {
        pins[lane] >> from.index() & 1 != 0
            && !tables::line(pairs.positions[lane].king(U::SIDE), from).contains(to)
    };

    for (set, step) in promotions.into_iter().zip([0, -1, 1]) {
        let lanes = set.nonzero() & active;
        if lanes == 0 {
            continue;
        }
        set.store(&mut words);
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
            for to in Bitboard(words[lane]) {
                let m = movegen::pawn_move(to, U::FORWARD + step, MoveKind::Pawn);
                if !leaves_pin(lane, m.from(), to) {
                    for kind in PROMOTIONS {
                        specials.others.push((lane as u8, Move::new(m.from(), to, kind)));
                    }
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
                if !leaves_pin(lane, m.from(), to) {
                    captures += taken_in_passing::<U, V::Cpu>(cpu, &pairs.positions[lane], m);
                }
            }
        }
    }

    let mut lanes = (pairs.extra | checked) & active;
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes - 1;
        let pos = &pairs.positions[lane];
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
