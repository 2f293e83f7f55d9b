//! Operations on several boards at once, built on [`Vector`]: steps, attacks of sliders, leaps; and small numbers on
//! every square.
//!
//! Slider attacks are occluded fills: all sliders of a set together, one direction at a time, without table look-ups
//! (Kogge–Stone parallel prefix, after Gerd Isenberg). In one direction every attacked square has exactly one origin,
//! the nearest slider behind it, so population counts of fills are exact numbers of moves.
//!
//! Numbers are bit-sliced: plane `i` holds bit `i` of the numbers of all squares. Many sets are added with carry-save
//! adders. The dot product of two such boards takes population counts.

use crate::chess::perft::vector::{Vector, majority, parity};
use crate::chess::types::Us;

/// Direction indices. Opposite directions are neighbours: `d ^ 1`.
pub const NORTH: usize = 0;
pub const SOUTH: usize = 1;
pub const EAST: usize = 2;
pub const WEST: usize = 3;
pub const NORTH_EAST: usize = 4;
pub const SOUTH_WEST: usize = 5;
pub const NORTH_WEST: usize = 6;
pub const SOUTH_EAST: usize = 7;

/// What a step in each direction adds to the square index.
pub const DELTA: [i32; 8] = [8, -8, 1, -1, 9, -9, 7, -7];

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = NOT_A.rotate_right(1);
const NOT_AB: u64 = NOT_A & NOT_A << 1;
const NOT_GH: u64 = NOT_H & NOT_H >> 1;

/// The squares that a step in each direction can reach without wrapping around the board's edge.
pub const AVOID_WRAP: [u64; 8] = [!0, !0, NOT_A, NOT_H, NOT_A, NOT_H, NOT_H, NOT_A];

/// The eight knight leaps: what each adds to the square index, and the squares it can reach.
pub const LEAPS: [(i32, u64); 8] =
    [(17, NOT_A), (15, NOT_H), (10, NOT_AB), (6, NOT_GH), (-17, NOT_H), (-15, NOT_A), (-10, NOT_GH), (-6, NOT_AB)];

/// Repeats an expression for every direction, which is a constant inside it.
macro_rules! for_each_direction {
    (|$d:ident| $body:expr) => {{
        for_each_direction!(@ 0, $d, $body);
        for_each_direction!(@ 1, $d, $body);
        for_each_direction!(@ 2, $d, $body);
        for_each_direction!(@ 3, $d, $body);
        for_each_direction!(@ 4, $d, $body);
        for_each_direction!(@ 5, $d, $body);
        for_each_direction!(@ 6, $d, $body);
        for_each_direction!(@ 7, $d, $body);
    }};
    (@ $index:literal, $d:ident, $body:expr) => {{
        const $d: usize = $index;
        $body
    }};
}
pub(crate) use for_each_direction;

/// The sets shifted one step in direction `D`.
#[inline(always)]
pub fn step<const D: usize, V: Vector>(cpu: V::Cpu, set: V) -> V {
    let moved = set.shift(DELTA[D]);
    if AVOID_WRAP[D] == !0 { moved } else { moved & V::splat(cpu, AVOID_WRAP[D]) }
}

/// The squares attacked in direction `D` by the sliders `sliders`. `empty` are the empty squares.
#[inline(always)]
pub fn ray_attacks<const D: usize, V: Vector>(cpu: V::Cpu, sliders: V, empty: V) -> V {
    let by = DELTA[D];
    let mut open = empty;
    if AVOID_WRAP[D] != !0 {
        open = open & V::splat(cpu, AVOID_WRAP[D]);
    }
    let mut flood = sliders | open & sliders.shift(by);
    open = open & open.shift(by);
    flood = flood | open & flood.shift(2 * by);
    open = open & open.shift(2 * by);
    flood = flood | open & flood.shift(4 * by);
    step::<D, V>(cpu, flood)
}

/// The squares that queens on `squares` would attack, in each direction. A slider of the right kind on such a square
/// attacks one of `squares`.
#[inline(always)]
pub fn lines_of_sight<V: Vector>(cpu: V::Cpu, squares: V, occupied: V) -> Rays<V> {
    let empty = !occupied;
    let mut rays = [empty; 8];
    for_each_direction!(|D| rays[D] = ray_attacks::<D, V>(cpu, squares, empty));
    rays
}

/// Attacks by direction.
pub type Rays<V> = [V; 8];

/// The squares attacked in every direction, own pieces included, by the sliders of each axis: files, ranks, a1–h8
/// diagonals, a8–h1 diagonals.
#[inline(always)]
pub fn slider_attacks<V: Vector>(cpu: V::Cpu, sliders: [V; 4], occupied: V) -> Rays<V> {
    let empty = !occupied;
    let [files, ranks, rising, falling] = sliders;
    let [north, south] = V::file_attacks(cpu, files, occupied);
    let [east, west] = V::rank_attacks(cpu, ranks, occupied);
    [
        north,
        south,
        east,
        west,
        ray_attacks::<NORTH_EAST, V>(cpu, rising, empty),
        ray_attacks::<SOUTH_WEST, V>(cpu, rising, empty),
        ray_attacks::<NORTH_WEST, V>(cpu, falling, empty),
        ray_attacks::<SOUTH_EAST, V>(cpu, falling, empty),
    ]
}

/// Sliders by axis, for [`slider_attacks`].
#[inline(always)]
pub fn by_axis<V: Vector>(rooks: V, bishops: V) -> [V; 4] {
    [rooks, rooks, bishops, bishops]
}

/// The union of attacks in all directions.
#[inline(always)]
pub fn union<V: Vector>(rays: &Rays<V>) -> V {
    let [a, b, c, d, e, f, g, h] = *rays;
    ((a | b | c) | (d | e | f)) | (g | h)
}

/// The squares next to a square of each set, and the set itself.
#[inline(always)]
pub fn king_attacks<V: Vector>(cpu: V::Cpu, kings: V) -> V {
    let row = kings | step::<EAST, V>(cpu, kings) | step::<WEST, V>(cpu, kings);
    row | row.shift(8) | row.shift(-8)
}

/// The squares attacked by knights.
#[inline(always)]
pub fn knight_attacks<V: Vector>(cpu: V::Cpu, knights: V) -> V {
    let east = step::<EAST, V>(cpu, knights);
    let west = step::<WEST, V>(cpu, knights);
    let near = east | west;
    let far = step::<EAST, V>(cpu, east) | step::<WEST, V>(cpu, west);
    near.shift(16) | near.shift(-16) | far.shift(8) | far.shift(-8)
}

/// The squares that knights reach by each of [`LEAPS`].
#[inline(always)]
pub fn leaps<V: Vector>(cpu: V::Cpu, knights: V) -> [V; 8] {
    let mut sets = [knights; 8];
    for i in 0..8 {
        sets[i] = knights.shift(LEAPS[i].0) & V::splat(cpu, LEAPS[i].1);
    }
    sets
}

/// The sets shifted one rank forward.
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

/// What a capture towards the a-file and towards the h-file adds to the index of a pawn's square.
#[inline(always)]
pub fn capture_steps<U: Us>() -> [i32; 2] {
    [U::FORWARD - 1, U::FORWARD + 1]
}

/// Selects from the rising (a1–h8) and falling (a8–h1) diagonals: first the one on which pawns of `U` capture towards
/// the a-file, then the one on which they capture towards the h-file.
#[inline(always)]
pub fn pawn_axes<U: Us, V: Vector>(rising: V, falling: V) -> (V, V) {
    if U::FORWARD > 0 { (falling, rising) } else { (rising, falling) }
}

/// Bits of a number, for values up to 31. At most 23 moves reach a square and 27 leave one; landing on a square gains
/// at most 18 replies and loses at most 29.
pub const BITS: usize = 5;

/// A number from 0 to 31 on every square of several boards.
#[derive(Clone, Copy)]
pub struct BitSliced<V>(pub [V; BITS]);

impl<V: Vector> BitSliced<V> {
    #[inline(always)]
    pub fn zero(cpu: V::Cpu) -> Self {
        BitSliced([V::zero(cpu); BITS])
    }

    /// Adds 2^`bit` on the squares of each of eight sets. No sum exceeds 31 (asserted in debug builds).
    #[inline(always)]
    pub fn add(&mut self, bit: usize, sets: [V; 8]) {
        let [a, b, c, d, e, f, g, h] = sets;
        let [k, l] = [self.full_add(bit, a, b), self.full_add(bit, c, d)];
        let [m, n] = [self.full_add(bit, e, f), self.full_add(bit, g, h)];
        let [p, q] = [self.full_add(bit + 1, k, l), self.full_add(bit + 1, m, n)];
        let mut carry = self.full_add(bit + 2, p, q);
        for plane in &mut self.0[bit + 3..] {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        debug_assert!(carry.nonzero() == 0, "a number above 31");
    }

    /// Adds two three-bit numbers on every square. No sum exceeds 31.
    #[inline(always)]
    pub fn add_numbers(&mut self, a: [V; 3], b: [V; 3]) {
        let k = self.full_add(0, a[0], b[0]);
        let l = self.full_add(1, a[1], b[1]);
        let m = self.0[1] & k;
        self.0[1] = self.0[1] ^ k;
        let n = self.full_add(2, a[2], b[2]);
        let o = self.full_add(2, l, m);
        let carry = self.full_add(3, n, o);
        debug_assert!((self.0[4] & carry).nonzero() == 0, "a number above 31");
        self.0[4] = self.0[4] ^ carry;
    }

    /// Adds two sets to one plane and returns the carry to the next.
    #[inline(always)]
    fn full_add(&mut self, bit: usize, a: V, b: V) -> V {
        let kept = self.0[bit];
        self.0[bit] = parity(kept, a, b);
        majority(kept, a, b)
    }

    /// The dot product with the numbers of `other`: the products of the numbers on each square, summed over all
    /// squares.
    #[inline(always)]
    pub fn dot(&self, cpu: V::Cpu, other: &[V]) -> V {
        let mut total = V::zero(cpu);
        for (i, &a) in self.0.iter().enumerate() {
            // Large numbers are rare.
            if i < 2 || a.nonzero() != 0 {
                total = total + sum_over(cpu, other, a).shift(i as i32);
            }
        }
        total
    }
}

/// The sum of the numbers on the squares of `set`.
#[inline(always)]
pub fn sum_over<V: Vector>(cpu: V::Cpu, numbers: &[V], set: V) -> V {
    let mut total = V::zero(cpu);
    for (i, &plane) in numbers.iter().enumerate() {
        if i < 3 || plane.nonzero() != 0 {
            total = total + (plane & set).count_parts().shift(i as i32);
        }
    }
    total.sum_parts()
}

/// The number of nested sets (each a subset of the one before) that contain each square, 0 to 7.
#[inline(always)]
pub fn count_nested<V: Vector>(nested: &[V; 7]) -> [V; 3] {
    let [a, b, c, d, e, f, g] = *nested;
    [parity(parity(a, b, c), parity(d, e, f), g), b & !d | f, d]
}

/// The number of sets that contain each square, 0 to 7.
#[inline(always)]
pub fn count7<V: Vector>(sets: &[V; 7]) -> [V; 3] {
    let [a, b, c, d, e, f, g] = *sets;
    let (s, t) = (parity(a, b, c), parity(d, e, f));
    let (p, q, r) = (majority(a, b, c), majority(d, e, f), majority(s, t, g));
    [parity(s, t, g), parity(p, q, r), majority(p, q, r)]
}
