//! Targets of pawn moves in several positions at once, without en passant captures.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{forward, pawn_attacks};
use crate::chess::types::Us;

/// Targets of pawns: single steps, double steps, captures towards the a-file and captures towards the h-file.
#[derive(Clone, Copy)]
pub struct PawnTargets<V> {
    pub single: V,
    pub double: V,
    pub west: V,
    pub east: V,
}

impl<V: Vector> PawnTargets<V> {
    /// For the pawns of `U` that may step, that may capture towards the a-file, and that may capture towards the
    /// h-file.
    #[inline(always)]
    pub fn of<U: Us>(cpu: V::Cpu, [stepping, to_west, to_east]: [V; 3], empty: V, victims: V) -> Self {
        let single = forward::<U, V>(stepping) & empty;
        PawnTargets {
            single,
            double: forward::<U, V>(single & V::splat(cpu, U::THIRD_RANK.0)) & empty,
            west: pawn_attacks::<U, V>(cpu, to_west).0 & victims,
            east: pawn_attacks::<U, V>(cpu, to_east).1 & victims,
        }
    }

    /// The targets in `allowed`.
    #[inline(always)]
    pub fn within(&self, allowed: V) -> Self {
        PawnTargets {
            single: self.single & allowed,
            double: self.double & allowed,
            west: self.west & allowed,
            east: self.east & allowed,
        }
    }

    /// Moves to the last rank: straight ahead, towards the a-file, towards the h-file.
    #[inline(always)]
    pub fn promotions<U: Us>(&self, cpu: V::Cpu) -> [V; 3] {
        let last = V::splat(cpu, U::LAST_RANK.0);
        [self.single & last, self.west & last, self.east & last]
    }

    /// The number of moves in parts. A promotion counts as four moves.
    #[inline(always)]
    pub fn count_parts<U: Us>(&self, cpu: V::Cpu) -> V {
        // Single and double steps end on different squares.
        let steps = (self.single | self.double).count_parts();
        let count = steps + self.west.count_parts() + self.east.count_parts();
        let [ahead, west, east] = self.promotions::<U>(cpu);
        if (ahead | west | east).nonzero() == 0 {
            return count;
        }
        // One move of each promotion is already counted.
        let promotions = ahead.count_parts() + west.count_parts() + east.count_parts();
        count + promotions + promotions.shift(1)
    }
}
