//! The piece sets of one side in several positions, in memory and in registers.

use crate::chess::board::Board;
use crate::chess::perft::simd::{MOST_LANES, Vector, load_at, store_at};
use crate::chess::types::{Bitboard, Us};

/// The pieces of one side in several positions. Queens are in both `bishops` and `rooks`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct SideBatch {
    pub pawns: [u64; ROOM],
    pub knights: [u64; ROOM],
    pub bishops: [u64; ROOM],
    pub rooks: [u64; ROOM],
    pub king: [u64; ROOM],
}

/// Kinds of pieces besides kings and pawns, as bits of a set; a queen is both a bishop and a rook.
pub const KNIGHTS: u8 = 1;
pub const BISHOPS: u8 = 2;
pub const ROOKS: u8 = 4;

/// Room for the positions of one vector, and for as many that are waiting.
pub const ROOM: usize = 2 * MOST_LANES;

impl SideBatch {
    pub const EMPTY: SideBatch =
        SideBatch { pawns: [0; ROOM], knights: [0; ROOM], bishops: [0; ROOM], rooks: [0; ROOM], king: [0; ROOM] };

    /// Writes one side of `pos` into a lane.
    #[inline(always)]
    pub fn set<U: Us>(&mut self, lane: usize, pos: &Board) {
        let own = pos.side_set(U::SIDE);
        self.write(lane, pos.kinds.map(|set| (set & own).0));
    }

    /// Writes the sets of one side, by kind, into a lane.
    #[inline(always)]
    pub fn write(&mut self, lane: usize, [pawns, knights, bishops, rooks, queens, king]: [u64; 6]) {
        let lane = lane & (ROOM - 1);
        self.pawns[lane] = pawns;
        self.knights[lane] = knights;
        self.bishops[lane] = bishops | queens;
        self.rooks[lane] = rooks | queens;
        self.king[lane] = king;
    }

    #[inline(always)]
    pub fn load<V: Vector>(&self, cpu: V::Cpu) -> SideSets<V> {
        SideSets {
            pawns: load_at(cpu, &self.pawns, 0),
            knights: load_at(cpu, &self.knights, 0),
            bishops: load_at(cpu, &self.bishops, 0),
            rooks: load_at(cpu, &self.rooks, 0),
            king: load_at(cpu, &self.king, 0),
        }
    }

    /// Writes the positions of a vector, starting at a lane.
    #[inline(always)]
    pub fn store<V: Vector>(&mut self, lane: usize, sets: &SideSets<V>) {
        store_at(sets.pawns, &mut self.pawns, lane);
        store_at(sets.knights, &mut self.knights, lane);
        store_at(sets.bishops, &mut self.bishops, lane);
        store_at(sets.rooks, &mut self.rooks, lane);
        store_at(sets.king, &mut self.king, lane);
    }

    /// All pieces in a lane.
    #[inline(always)]
    pub fn all(&self, lane: usize) -> Bitboard {
        let lane = lane & (ROOM - 1);
        let sliders = self.bishops[lane] | self.rooks[lane];
        Bitboard(self.pawns[lane] | self.knights[lane] | sliders | self.king[lane])
    }

    /// Removes the positions of one vector.
    #[inline(always)]
    pub fn advance<V: Vector>(&mut self) {
        for words in [&mut self.pawns, &mut self.knights, &mut self.bishops, &mut self.rooks, &mut self.king] {
            advance::<V, _>(words);
        }
    }
}

/// Moves the words after those of one vector to the front.
#[inline(always)]
pub fn advance<V: Vector, W: Copy>(words: &mut [W; ROOM]) {
    words.copy_within(V::LANES..2 * V::LANES, 0);
}

/// [`SideBatch`] in registers.
#[derive(Clone, Copy)]
pub struct SideSets<V> {
    pub pawns: V,
    pub knights: V,
    pub bishops: V,
    pub rooks: V,
    pub king: V,
}

impl<V: Vector> SideSets<V> {
    /// The sets of one side, by kind, in every lane.
    #[inline(always)]
    pub fn of(cpu: V::Cpu, sets: [u64; 6]) -> Self {
        let [pawns, knights, bishops, rooks, queens, king] = sets;
        let [pawns, knights, bishops, rooks, king] =
            [pawns, knights, bishops | queens, rooks | queens, king].map(|set| V::splat(cpu, set));
        SideSets { pawns, knights, bishops, rooks, king }
    }

    #[inline(always)]
    pub fn all(&self) -> V {
        (self.pawns | self.knights | self.bishops) | (self.rooks | self.king)
    }

    /// The same sets; the compiler then knows that the kinds not in `KINDS` are missing, and leaves out all code for
    /// them.
    #[inline(always)]
    pub fn only<const KINDS: u8>(self, cpu: V::Cpu) -> Self {
        let none = V::zero(cpu);
        SideSets {
            knights: if KINDS & KNIGHTS != 0 { self.knights } else { none },
            bishops: if KINDS & BISHOPS != 0 { self.bishops } else { none },
            rooks: if KINDS & ROOKS != 0 { self.rooks } else { none },
            ..self
        }
    }

    /// Lane `i` of the result is lane `lanes[i]` of `self`.
    #[inline(always)]
    pub fn permute(&self, lanes: V) -> Self {
        SideSets {
            pawns: self.pawns.permute(lanes),
            knights: self.knights.permute(lanes),
            bishops: self.bishops.permute(lanes),
            rooks: self.rooks.permute(lanes),
            king: self.king.permute(lanes),
        }
    }

    /// The pieces after one on `square` is captured. Kings never are.
    #[inline(always)]
    pub fn without(&self, square: V) -> Self {
        SideSets {
            pawns: self.pawns.without(square),
            knights: self.knights.without(square),
            bishops: self.bishops.without(square),
            rooks: self.rooks.without(square),
            king: self.king,
        }
    }

    /// The pieces after one moves from `from` to `to`.
    #[inline(always)]
    pub fn moved(&self, from: V, to: V) -> Self {
        // Not a closure: a closure that is not inlined is not compiled for the CPU's instructions.
        macro_rules! moved {
            ($set:expr) => {
                $set.without(from) | to.keep_if_nonzero($set & from)
            };
        }
        SideSets {
            pawns: moved!(self.pawns),
            knights: moved!(self.knights),
            bishops: moved!(self.bishops),
            rooks: moved!(self.rooks),
            king: moved!(self.king),
        }
    }
}
