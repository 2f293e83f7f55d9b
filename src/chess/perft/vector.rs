//! Several boards at once, one in each lane of a vector: the operations that a kind of vector must provide
//! ([`Vector`]), and what is built on them: steps, attacks, targets of pawns, and small numbers on every square.
//!
//! [`Vector`] is implemented in `avx512`, `avx2` and `pair`. Lane `i` of every vector belongs to position `i`. No
//! operation mixes lanes except [`Vector::permute`] and [`Vector::compress`].
//!
//! Slider attacks are occluded fills: all sliders of a set together, in each direction, without table look-ups
//! (Kogge–Stone parallel prefix, after Gerd Isenberg). In one direction every attacked square has exactly one origin,
//! the nearest slider behind it, so population counts of fills are exact numbers of moves.
//!
//! Numbers are bit-sliced: plane `i` holds bit `i` of the numbers of all squares. Many sets are added with carry-save
//! adders. The dot product of two such boards takes population counts.

use crate::base::cpu::Cpu;
use crate::chess::types::Us;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// The most lanes that a vector has. Buffers that are loaded or stored have room for this many words.
pub const MOST_LANES: usize = 8;

/// One word for each of several positions, usually a set of squares.
///
/// Values come only from functions that take a [`Vector::Cpu`], the proof that the CPU has the instructions. So any
/// code that holds a value may use it.
pub trait Vector:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    /// Proof that the CPU has the instructions.
    type Cpu: Cpu;
    /// The number of lanes, at most [`MOST_LANES`].
    const LANES: usize;

    /// The same word in every lane.
    fn splat(cpu: Self::Cpu, word: u64) -> Self;
    /// Loads one word per lane, from the front.
    fn load(cpu: Self::Cpu, words: &[u64; MOST_LANES]) -> Self;
    /// Writes the words of the lanes to the front. The other words do not change.
    fn store(self, words: &mut [u64; MOST_LANES]);
    /// Every word shifted towards higher bits, or towards lower bits if `by` is negative. `by` must be known to the
    /// compiler.
    fn shift(self, by: i32) -> Self;
    /// The number of members of every set, in parts. Parts may be added and shifted as long as none exceeds 255: at
    /// most 31 sets, or numbers up to 31 times eight. [`Vector::sum_parts`] makes one number of them.
    fn count_parts(self) -> Self;
    /// The sum of the parts of every lane.
    fn sum_parts(self) -> Self;
    /// The product of the low 32 bits of each word.
    fn times(self, other: Self) -> Self;
    /// The lanes that are not zero, lane 0 in bit 0.
    fn nonzero(self) -> u8;
    /// `self` in lanes where `test` is zero, otherwise zero.
    fn keep_if_zero(self, test: Self) -> Self;
    /// A word per lane with only bit `square` set, where `square` is the low six bits of the lane of `squares`.
    fn bit(cpu: Self::Cpu, squares: Self) -> Self;
    /// Lane `i` of the result is lane `lanes[i]` of `self`. Higher bits of `lanes[i]` are ignored.
    fn permute(self, lanes: Self) -> Self;
    /// `self` in these lanes (lane 0 in bit 0), otherwise zero.
    fn mask_lanes(self, lanes: u8) -> Self;
    /// `self` in lanes where `a` is less than `b` (unsigned), otherwise zero.
    fn keep_if_less(self, a: Self, b: Self) -> Self;
    /// The highest member of every set, as a set.
    fn highest(self) -> Self;
    /// Loads one number per lane, from the front.
    fn widen(cpu: Self::Cpu, numbers: &[u16; MOST_LANES]) -> Self;
    /// Looks up one word per lane in a table, by the low eleven bits of `index`.
    fn gather(cpu: Self::Cpu, table: &[u64; 2048], index: Self) -> Self;
    /// Writes the words of these lanes (lane 0 in bit 0) consecutively. The words after them may be overwritten with
    /// arbitrary values.
    fn compress(self, lanes: u8, words: &mut [u64; MOST_LANES]);
    /// Squares attacked by `rooks` to the north and to the south, own pieces included. Rooks must be members of
    /// `occupied`; lanes where they are not have arbitrary results.
    fn file_attacks(cpu: Self::Cpu, rooks: Self, occupied: Self) -> [Self; 2];
    /// The same to the east and to the west.
    fn rank_attacks(cpu: Self::Cpu, rooks: Self, occupied: Self) -> [Self; 2];

    /// Empty sets.
    #[inline(always)]
    fn zero(cpu: Self::Cpu) -> Self {
        Self::splat(cpu, 0)
    }
    /// The number of members of every set.
    #[inline(always)]
    fn popcount(self) -> Self {
        self.count_parts().sum_parts()
    }
    /// The members of `self` that are not in `other`.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }
    /// `self` in lanes where `test` is not zero, otherwise zero.
    #[inline(always)]
    fn keep_if_nonzero(self, test: Self) -> Self {
        self ^ self.keep_if_zero(test)
    }
}

/// Implements an operator of a vector of one register by an intrinsic of two registers.
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
macro_rules! operator {
    ([$($generics:tt)*] $vector:ty, $new:path, $trait:ident, $method:ident, $intrinsic:ident) => {
        impl<$($generics)*> std::ops::$trait for $vector {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: a vector is made from the token of its CPU only, the proof that it has the instructions.
                $new(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
pub(crate) use operator;

/// The sum bit of a full adder: squares in one or three of the sets.
#[inline(always)]
pub fn parity<V: Vector>(a: V, b: V, c: V) -> V {
    a ^ b ^ c
}

/// The carry bit of a full adder: squares in at least two of the sets.
#[inline(always)]
pub fn majority<V: Vector>(a: V, b: V, c: V) -> V {
    a & b | c & (a | b)
}

/// The squares of `a` in `mask`, and those of `b` outside it.
#[inline(always)]
pub fn select<V: Vector>(mask: V, a: V, b: V) -> V {
    mask & a | b.without(mask)
}

/// A mask of the first `len` lanes, or of all if there are fewer; lane 0 in bit 0.
#[inline(always)]
pub fn lane_mask<V: Vector>(len: usize) -> u8 {
    ((1u32 << len.min(V::LANES)) - 1) as u8
}

/// Loads the words from index `at` on. There must be eight.
#[inline(always)]
pub fn load_at<V: Vector>(cpu: V::Cpu, words: &[u64], at: usize) -> V {
    debug_assert!(at + MOST_LANES <= words.len(), "eight words from {at} on of {}", words.len());
    match words.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(words) => V::load(cpu, words),
        // Never reached. A panic here would make every caller spill registers.
        None => V::zero(cpu),
    }
}

/// Stores the words from index `at` on. There must be room for eight.
#[inline(always)]
pub fn store_at<V: Vector>(set: V, words: &mut [u64], at: usize) {
    debug_assert!(at + MOST_LANES <= words.len(), "room for eight from {at} on of {}", words.len());
    if let Some(words) = words.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        set.store(words);
    }
}

/// Writes the words of these lanes of `set` from index `at` on, followed by arbitrary words. There must be room for
/// eight.
#[inline(always)]
pub fn compress_at<V: Vector>(set: V, lanes: u8, words: &mut [u64], at: usize) {
    debug_assert!(at + MOST_LANES <= words.len(), "room for eight from {at} on of {}", words.len());
    if let Some(words) = words.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        set.compress(lanes, words);
    }
}

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

/// Targets of pawns: single steps, double steps, captures towards the a-file and captures towards the h-file.
#[derive(Clone, Copy)]
pub struct LanePawnTargets<V> {
    pub single: V,
    pub double: V,
    pub west: V,
    pub east: V,
}

impl<V: Vector> LanePawnTargets<V> {
    /// For the pawns of `U` that may step, that may capture towards the a-file, and that may capture towards the
    /// h-file.
    #[inline(always)]
    pub fn of<U: Us>(cpu: V::Cpu, [stepping, to_west, to_east]: [V; 3], empty: V, victims: V) -> Self {
        let single = forward::<U, V>(stepping) & empty;
        LanePawnTargets {
            single,
            double: forward::<U, V>(single & V::splat(cpu, U::THIRD_RANK.0)) & empty,
            west: pawn_attacks::<U, V>(cpu, to_west).0 & victims,
            east: pawn_attacks::<U, V>(cpu, to_east).1 & victims,
        }
    }

    /// The targets in `allowed`.
    #[inline(always)]
    pub fn within(&self, allowed: V) -> Self {
        LanePawnTargets {
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

/// The pieces that may not move along each axis (files, ranks, a1–h8 lines, a8–h1 lines), because they are pinned on
/// another one.
#[inline(always)]
pub fn pinned_off_axis<V: Vector>(pins: &[V; 4]) -> [V; 4] {
    let [files, ranks, rising, falling] = *pins;
    let (straight, diagonal) = (files | ranks, rising | falling);
    [ranks | diagonal, files | diagonal, straight | falling, straight | rising]
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
