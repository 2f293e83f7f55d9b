//! The number of legal moves in eight positions at once.
//!
//! [`Eight`] collects positions with the same side to move; [`count`] counts their moves in the lanes of a
//! [`Vector`], without branches and look-ups. En passant captures, which are rare, are counted when a
//! position is added. Called by `walk` and `special` for the moves that have to be made; `pairs` keeps its
//! positions in [`Pieces`] too.

use crate::chess::board::movegen;
use crate::chess::board::position::Position;
use crate::chess::board::tables::Cpu;
use crate::chess::perft::lanes::castling::{Castle, Wings};
use crate::chess::perft::simd::fills::{
    LEAPS, NORTH_EAST, NORTH_WEST, Rays, SOUTH_EAST, SOUTH_WEST, for_each_direction, leaps, rays,
    ring, step, union,
};
use crate::chess::perft::simd::{LANES, Vector};
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::{Kind, Us};
use crate::game::CountSink;

/// One side's pieces in eight positions; queens are both among `bishops` and among `rooks`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Pieces {
    pub pawns: [u64; ROOM],
    pub knights: [u64; ROOM],
    pub bishops: [u64; ROOM],
    pub rooks: [u64; ROOM],
    pub king: [u64; ROOM],
}

/// Eight positions, and eight that wait for their turn.
pub const ROOM: usize = 2 * LANES;

impl Pieces {
    pub const EMPTY: Pieces = Pieces {
        pawns: [0; ROOM],
        knights: [0; ROOM],
        bishops: [0; ROOM],
        rooks: [0; ROOM],
        king: [0; ROOM],
    };

    /// Writes one side of `pos` into a lane.
    #[inline(always)]
    pub fn set<U: Us>(&mut self, lane: usize, pos: &Position) {
        let own = pos.side_set(U::SIDE);
        let lane = lane & (ROOM - 1);
        let queens = pos.kind_set(Kind::Queen);
        self.pawns[lane] = (pos.kind_set(Kind::Pawn) & own).0;
        self.knights[lane] = (pos.kind_set(Kind::Knight) & own).0;
        self.bishops[lane] = ((pos.kind_set(Kind::Bishop) | queens) & own).0;
        self.rooks[lane] = ((pos.kind_set(Kind::Rook) | queens) & own).0;
        self.king[lane] = (pos.kind_set(Kind::King) & own).0;
    }

    #[inline(always)]
    pub fn load<V: Vector>(&self, cpu: V::Cpu) -> Army<V> {
        Army {
            pawns: load(cpu, &self.pawns, 0),
            knights: load(cpu, &self.knights, 0),
            bishops: load(cpu, &self.bishops, 0),
            rooks: load(cpu, &self.rooks, 0),
            king: load(cpu, &self.king, 0),
        }
    }

    /// Writes eight positions from a lane on.
    #[inline(always)]
    pub fn store<V: Vector>(&mut self, lane: usize, army: &Army<V>) {
        store(army.pawns, &mut self.pawns, lane);
        store(army.knights, &mut self.knights, lane);
        store(army.bishops, &mut self.bishops, lane);
        store(army.rooks, &mut self.rooks, lane);
        store(army.king, &mut self.king, lane);
    }

    /// All pieces in a lane.
    #[inline(always)]
    pub fn all(&self, lane: usize) -> Bitboard {
        let lane = lane & (ROOM - 1);
        let sliders = self.bishops[lane] | self.rooks[lane];
        Bitboard(self.pawns[lane] | self.knights[lane] | sliders | self.king[lane])
    }

    /// Forgets the first eight positions.
    #[inline(always)]
    pub fn advance(&mut self) {
        for words in
            [&mut self.pawns, &mut self.knights, &mut self.bishops, &mut self.rooks, &mut self.king]
        {
            advance(words);
        }
    }
}

/// Moves the second eight words to the front.
#[inline(always)]
pub fn advance(words: &mut [u64; ROOM]) {
    let (front, rest) = words.split_at_mut(LANES);
    front.copy_from_slice(rest);
}

/// [`Pieces`] in registers.
#[derive(Clone, Copy)]
pub struct Army<V> {
    pub pawns: V,
    pub knights: V,
    pub bishops: V,
    pub rooks: V,
    pub king: V,
}

impl<V: Vector> Army<V> {
    #[inline(always)]
    pub fn all(&self) -> V {
        (self.pawns | self.knights | self.bishops) | (self.rooks | self.king)
    }
}

/// Up to eight positions with the same side to move.
#[repr(C, align(64))]
pub struct Eight {
    own: Pieces,
    foe: Pieces,
    /// The rooks that may castle.
    castling: [u64; ROOM],
    len: usize,
}

impl Eight {
    pub const fn new() -> Self {
        Eight { own: Pieces::EMPTY, foe: Pieces::EMPTY, castling: [0; ROOM], len: 0 }
    }

    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len == LANES
    }

    /// Adds a position in which `T` is to move, and returns the number of its en passant captures. There must
    /// be room.
    #[inline(always)]
    pub fn push<T: Us, C: Cpu>(&mut self, cpu: C, pos: &Position) -> u64 {
        let lane = self.len & (LANES - 1);
        self.len += 1;
        self.own.set::<T>(lane, pos);
        self.foe.set::<T::Them>(lane, pos);
        self.castling[lane] = pos.castling.0;
        if pos.en_passant.is_empty() {
            return 0;
        }
        let mut captures = CountSink::default();
        let own = pos.side_set(T::SIDE);
        movegen::en_passant::<T, C, _>(pos, cpu, own, pos.king(T::SIDE), &mut captures);
        captures.0
    }

    /// The number of legal moves in all positions, en passant captures aside; then there are none.
    #[inline(always)]
    pub fn drain<T: Us, V: Vector>(&mut self, cpu: V::Cpu, wings: &Wings) -> u64 {
        let castles = wings.load::<T, V>(cpu, load(cpu, &self.castling, 0));
        let counts = count::<T, V>(cpu, self.own.load(cpu), self.foe.load(cpu), castles.as_ref());
        let len = std::mem::take(&mut self.len);
        counts.only(first(len)).sum()
    }
}

/// The first `len` lanes, lane 0 in bit 0.
#[inline(always)]
pub fn first(len: usize) -> u8 {
    ((1u32 << len.min(LANES)) - 1) as u8
}

/// Eight words from number `at` on.
#[inline(always)]
pub fn load<V: Vector>(cpu: V::Cpu, words: &[u64], at: usize) -> V {
    match words.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(words) => V::load(cpu, words),
        None => V::zero(cpu),
    }
}

/// The same for writing; nothing is written where there is no room.
#[inline(always)]
pub fn store<V: Vector>(set: V, words: &mut [u64], at: usize) {
    if let Some(words) = words.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        set.store(words);
    }
}

/// What binds a side: as `movegen::Bonds`, in lanes.
struct Bonds<V> {
    checkers: V,
    /// Squares between the king and sliders that give check.
    paths: V,
    /// Pinned pieces by line: files, ranks, a1–h8 lines, a8–h1 lines.
    pinned: [V; 4],
}

/// `lines` are the attacks of a queen on the king's square, `attacks` those of the foe's sliders.
#[inline(always)]
fn bonds<V: Vector>(
    cpu: V::Cpu,
    lines: &Rays<V>,
    attacks: &Rays<V>,
    own: V,
    empty: V,
    foe: &Army<V>,
) -> Bonds<V> {
    let none = V::zero(cpu);
    let mut bonds = Bonds { checkers: none, paths: none, pinned: [none; 4] };
    for_each_direction!(|D| {
        // Between king and slider both have passed; at a lone piece between them both have ended.
        let met = lines[D] & attacks[D ^ 1];
        let sliders = if D < 4 { foe.rooks } else { foe.bishops };
        bonds.checkers = bonds.checkers | lines[D] & sliders;
        bonds.paths = bonds.paths | met & empty;
        bonds.pinned[D / 2] = bonds.pinned[D / 2] | met & own;
    });
    bonds
}

/// The number of legal moves of `T` in each lane, en passant captures aside.
#[inline(always)]
pub fn count<T: Us, V: Vector>(
    cpu: V::Cpu,
    own: Army<V>,
    foe: Army<V>,
    castles: Option<&[Castle<V>; 2]>,
) -> V {
    let own_all = own.all();
    let foe_all = foe.all();
    let occupied = own_all | foe_all;
    let empty = !occupied;

    // The king: it does not hide squares behind itself from an attack.
    let foe_lines = [foe.rooks, foe.rooks, foe.bishops, foe.bishops];
    let attacks = rays::<V>(cpu, foe_lines, occupied ^ own.king);
    let (foe_west, foe_east) = pawn_attacks::<T::Them, V>(cpu, foe.pawns);
    let danger =
        union(&attacks) | leaps(cpu, foe.knights) | foe_west | foe_east | ring(cpu, foe.king);
    let mut total = ring(cpu, own.king).without(own_all | danger).count();

    // Checks and pins.
    let lines = rays::<V>(cpu, [own.king; 4], occupied);
    let bonds = bonds(cpu, &lines, &attacks, own_all, empty, &foe);
    let (king_west, king_east) = pawn_attacks::<T, V>(cpu, own.king);
    let checkers =
        bonds.checkers | leaps(cpu, own.king) & foe.knights | (king_west | king_east) & foe.pawns;
    let several = checkers & (checkers - V::splat(cpu, 1));
    let evasion = bonds.paths | checkers | V::splat(cpu, !0).where_zero(checkers);
    let evasion = evasion.where_zero(several.where_any(checkers));
    let targets = evasion.without(own_all);
    let [file_pins, rank_pins, rising_pins, falling_pins] = bonds.pinned;
    let straight_pins = file_pins | rank_pins;
    let diagonal_pins = rising_pins | falling_pins;
    let pinned = straight_pins | diagonal_pins;

    let movers = [
        own.rooks.without(pinned ^ file_pins),
        own.rooks.without(pinned ^ rank_pins),
        own.bishops.without(pinned ^ rising_pins),
        own.bishops.without(pinned ^ falling_pins),
    ];
    for set in rays::<V>(cpu, movers, occupied) {
        total = total + (set & targets).count();
    }
    let knights = own.knights.without(pinned);
    if knights.nonzero() != 0 {
        for (by, entered) in LEAPS {
            total = total + (knights.shift(by) & V::splat(cpu, entered) & targets).count();
        }
    }

    // Pawns: a pinned one may stay on its line.
    let pushers = own.pawns.without(pinned ^ file_pins);
    let single = forward::<T, V>(pushers) & empty;
    let double = forward::<T, V>(single & V::splat(cpu, T::THIRD_RANK.0)) & empty;
    let (west_line, east_line) =
        if T::FORWARD > 0 { (falling_pins, rising_pins) } else { (rising_pins, falling_pins) };
    let prey = foe_all & evasion;
    let west = pawn_attacks::<T, V>(cpu, own.pawns.without(pinned ^ west_line)).0 & prey;
    let east = pawn_attacks::<T, V>(cpu, own.pawns.without(pinned ^ east_line)).1 & prey;
    let single = single & evasion;
    // A single push and a double push end on different squares.
    total = total + (single | double & evasion).count() + west.count() + east.count();
    if (own.pawns & V::splat(cpu, T::SEVENTH_RANK.0)).nonzero() != 0 {
        let last = V::splat(cpu, T::LAST_RANK.0);
        let more = (single & last).count() + (west & last).count() + (east & last).count();
        total = total + more + more.shift(1);
    }

    if let Some(castles) = castles {
        for castle in castles {
            total = total + castle.ready(occupied, danger, pinned).where_zero(checkers).count();
        }
    }
    total
}

/// The sets moved one rank forward.
#[inline(always)]
pub fn forward<U: Us, V: Vector>(set: V) -> V {
    set.shift(U::FORWARD)
}

/// Squares attacked by pawns of `U`, towards the a-file and towards the h-file.
#[inline(always)]
pub fn pawn_attacks<U: Us, V: Vector>(cpu: V::Cpu, pawns: V) -> (V, V) {
    if U::FORWARD > 0 {
        (step::<NORTH_WEST, V>(cpu, pawns), step::<NORTH_EAST, V>(cpu, pawns))
    } else {
        (step::<SOUTH_WEST, V>(cpu, pawns), step::<SOUTH_EAST, V>(cpu, pawns))
    }
}
