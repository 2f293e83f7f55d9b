//! The number of legal moves in eight positions at once.
//!
//! [`Eight`] collects positions with the same side to move; [`count`] counts their moves in the lanes of a
//! [`Vector`], without branches and look-ups. En passant captures, which are rare, are counted when a
//! position is added. Called by `walk` and `pairs` for the moves that have to be made.

use super::rays::{
    LEAPS, NORTH_EAST, NORTH_WEST, Rays, SOUTH_EAST, SOUTH_WEST, for_each_direction, leaps, rays,
    ring, step, union,
};
use super::vector::{LANES, Vector};
use crate::chess::bitboard::Bitboard;
use crate::chess::movegen;
use crate::chess::piece::{Kind, Us};
use crate::chess::position::Position;
use crate::chess::tables::{self, Cpu};
use crate::game::CountSink;

/// One side's pieces in eight positions; queens are both among `bishops` and among `rooks`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Pieces {
    pub pawns: [u64; LANES],
    pub knights: [u64; LANES],
    pub bishops: [u64; LANES],
    pub rooks: [u64; LANES],
    pub king: [u64; LANES],
}

impl Pieces {
    pub const EMPTY: Pieces = Pieces {
        pawns: [0; LANES],
        knights: [0; LANES],
        bishops: [0; LANES],
        rooks: [0; LANES],
        king: [0; LANES],
    };

    /// Writes one side of `pos` into a lane.
    #[inline(always)]
    pub fn set<U: Us>(&mut self, lane: usize, pos: &Position) {
        let own = pos.side_set(U::SIDE);
        let lane = lane & (LANES - 1);
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
            pawns: V::load(cpu, &self.pawns),
            knights: V::load(cpu, &self.knights),
            bishops: V::load(cpu, &self.bishops),
            rooks: V::load(cpu, &self.rooks),
            king: V::load(cpu, &self.king),
        }
    }
}

/// [`Pieces`] in registers.
#[derive(Clone, Copy)]
pub(super) struct Army<V> {
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

/// What castling with one rook needs: squares that must be empty, squares that must not be attacked, and the
/// rook, which must not be pinned. Without the right the first set is full.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Wing {
    pub path: [u64; LANES],
    pub king_path: [u64; LANES],
    pub rook: [u64; LANES],
}

impl Wing {
    pub const NONE: Wing = Wing { path: [!0; LANES], king_path: [0; LANES], rook: [0; LANES] };

    /// Writes the castles of `T` into a lane, and says whether there are any.
    #[inline(always)]
    pub fn set<T: Us>(wings: &mut [Wing; 2], lane: usize, pos: &Position) -> bool {
        let lane = lane & (LANES - 1);
        for wing in &mut *wings {
            wing.path[lane] = !0;
        }
        let rooks = pos.castling & T::BACK_RANK;
        for rook in rooks {
            let king = pos.king(T::SIDE);
            let wing = &mut wings[usize::from(rook > king)];
            let (path, king_path) = tables::castling_paths(king, rook);
            wing.path[lane] = path.0;
            wing.king_path[lane] = king_path.0;
            wing.rook[lane] = Bitboard::of(rook).0;
        }
        !rooks.is_empty()
    }

    #[inline(always)]
    pub fn load<V: Vector>(wings: &[Wing; 2], cpu: V::Cpu) -> [Castle<V>; 2] {
        let load = |wing: &Wing| Castle {
            path: V::load(cpu, &wing.path),
            king_path: V::load(cpu, &wing.king_path),
            rook: V::load(cpu, &wing.rook),
        };
        [load(&wings[0]), load(&wings[1])]
    }
}

/// [`Wing`] in registers.
#[derive(Clone, Copy)]
pub(super) struct Castle<V> {
    pub path: V,
    pub king_path: V,
    pub rook: V,
}

/// Up to eight positions with the same side to move.
#[repr(C, align(64))]
pub(super) struct Eight {
    own: Pieces,
    foe: Pieces,
    wings: [Wing; 2],
    /// Lanes in which a right to castle is left.
    castling: bool,
    len: usize,
}

impl Eight {
    pub const fn new() -> Self {
        Eight {
            own: Pieces::EMPTY,
            foe: Pieces::EMPTY,
            wings: [Wing::NONE; 2],
            castling: false,
            len: 0,
        }
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
        self.castling |= Wing::set::<T>(&mut self.wings, lane, pos);
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
    pub fn drain<T: Us, V: Vector>(&mut self, cpu: V::Cpu) -> u64 {
        let wings = Wing::load(&self.wings, cpu);
        let wings = self.castling.then_some(&wings);
        let counts = count::<T, V>(cpu, self.own.load(cpu), self.foe.load(cpu), wings);
        self.castling = false;
        let len = std::mem::replace(&mut self.len, 0);
        if len == LANES {
            return counts.sum();
        }
        let mut words = [0; LANES];
        counts.store(&mut words);
        words[..len].iter().sum()
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
pub(super) fn count<T: Us, V: Vector>(
    cpu: V::Cpu,
    own: Army<V>,
    foe: Army<V>,
    wings: Option<&[Castle<V>; 2]>,
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

    for wing in wings.into_iter().flatten() {
        let obstacles = wing.path & occupied | wing.king_path & danger | wing.rook & pinned;
        total = total + V::splat(cpu, 1).where_zero(obstacles | checkers);
    }
    total
}

/// The sets moved one rank forward.
#[inline(always)]
pub(super) fn forward<U: Us, V: Vector>(set: V) -> V {
    set.shift(U::FORWARD)
}

/// Squares attacked by pawns of `U`, towards the a-file and towards the h-file.
#[inline(always)]
pub(super) fn pawn_attacks<U: Us, V: Vector>(cpu: V::Cpu, pawns: V) -> (V, V) {
    if U::FORWARD > 0 {
        (step::<NORTH_WEST, V>(cpu, pawns), step::<NORTH_EAST, V>(cpu, pawns))
    } else {
        (step::<SOUTH_WEST, V>(cpu, pawns), step::<SOUTH_EAST, V>(cpu, pawns))
    }
}
