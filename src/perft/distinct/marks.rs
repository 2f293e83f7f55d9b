//! A long bit vector that threads set concurrently, with the number of set bits before any index.
//!
//! Used by `tree` and `pass`. It grows at the end without moving its contents.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words per segment.
const SEGMENT: usize = 1 << 13;

/// Words per block; set bits are counted by block.
const BLOCK: usize = 8;

/// The bit vector.
#[derive(Default)]
pub struct Marks {
    segments: Vec<Vec<AtomicU64>>,
}

impl Marks {
    /// Grows to at least `bits` bits; new bits are clear.
    pub fn grow(&mut self, bits: u64) {
        let segments = bits.div_ceil(SEGMENT as u64 * 64) as usize;
        while self.segments.len() < segments {
            self.segments.push((0..SEGMENT).map(|_| AtomicU64::new(0)).collect());
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.segments.len() * SEGMENT * 8
    }

    #[inline(always)]
    fn word(&self, word: usize) -> &AtomicU64 {
        &self.segments[word / SEGMENT][word % SEGMENT]
    }

    /// Sets a bit.
    #[inline]
    pub fn set(&self, bit: u64) {
        self.word((bit / 64) as usize).fetch_or(1 << (bit % 64), Relaxed);
    }

    /// Whether a bit is set.
    #[inline(always)]
    pub fn get(&self, bit: u64) -> bool {
        self.word((bit / 64) as usize).load(Relaxed) >> (bit % 64) & 1 != 0
    }
}

/// A finished bit vector with the number of set bits before each block.
pub struct Ranked {
    /// The bits.
    pub marks: Marks,
    ranks: Vec<u64>,
}

impl Ranked {
    /// Counts the set bits.
    pub fn new(marks: Marks) -> Ranked {
        let mut before = 0;
        let mut ranks = Vec::with_capacity(marks.segments.len() * (SEGMENT / BLOCK) + 1);
        for segment in &marks.segments {
            for block in segment.chunks(BLOCK) {
                ranks.push(before);
                before +=
                    block.iter().map(|w| u64::from(w.load(Relaxed).count_ones())).sum::<u64>();
            }
        }
        ranks.push(before);
        Ranked { marks, ranks }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.marks.bytes() + size_of_val(self.ranks.as_slice())
    }

    /// The number of set bits before `bit`.
    #[inline]
    pub fn before(&self, bit: u64) -> u64 {
        let marks = &self.marks;
        let word = (bit / 64) as usize;
        let block = word / BLOCK;
        let whole = (block * BLOCK..word).map(|w| marks.word(w).load(Relaxed).count_ones());
        let part = match bit % 64 {
            0 => 0, // `bit` may be the end of the vector
            rest => (marks.word(word).load(Relaxed) & ((1 << rest) - 1)).count_ones(),
        };
        self.ranks[block] + u64::from(whole.sum::<u32>() + part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;

    #[test]
    fn ranks_match_a_plain_count() {
        let mut rng = SplitMix64::new(0x5eed_7001);
        let bits = SEGMENT as u64 * 64 * 2 + 777;
        let mut marks = Marks::default();
        marks.grow(bits / 3);
        marks.grow(bits);
        let mut plain = vec![false; bits as usize];
        for _ in 0..100_000 {
            let bit = rng.below(bits as usize);
            plain[bit] = true;
            marks.set(bit as u64);
        }
        let ranked = Ranked::new(marks);
        let mut before = 0;
        for (bit, &set) in plain.iter().enumerate() {
            assert_eq!(ranked.marks.get(bit as u64), set);
            if bit % 61 == 0 || bit % 512 < 2 {
                assert_eq!(ranked.before(bit as u64), before, "{bit}");
            }
            before += u64::from(set);
        }
        assert_eq!(ranked.before(bits), before);
        let end = SEGMENT as u64 * 64 * 3;
        assert_eq!(ranked.before(end), before, "the end of the last segment");
    }
}
