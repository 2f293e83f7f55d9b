//! Bit-sliced numbers: a small number on every square; plane `i` holds bit `i` of all numbers.
//!
//! Many sets are added with carry-save adders. The dot product of two such boards takes population counts.

use crate::chess::perft::simd::{Vector, majority, parity};

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
