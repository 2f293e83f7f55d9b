//! A long row of bits that many threads may set, and the number of set bits before any place in it.
//!
//! Used by `tree` and `pass`. The row grows at its end without moving what is there.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words of a segment.
const SEGMENT: usize = 1 << 13;

/// Words whose set bits are counted together.
const BLOCK: usize = 8;

/// The row.
#[derive(Default)]
pub struct Marks {
    segments: Vec<Vec<AtomicU64>>,
}

impl Marks {
    /// Makes room for `bits` bits in all; new ones are clear.
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

/// A row that does not change any more, with the number of set bits before each block.
pub struct Ranked {
    /// The row.
    pub marks: Marks,
    ranks: Vec<u64>,
}

impl Ranked {
    /// Counts the bits of a row.
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

    /// The number of set bits before `bit` of the row.
    #[inline]
    pub fn before(&self, bit: u64) -> u64 {
        let marks = &self.marks;
        let word = (bit / 64) as usize;
        let block = word / BLOCK;
        let whole = (block * BLOCK..word).map(|w| marks.word(w).load(Relaxed).count_ones());
        let part = match bit % 64 {
            0 => 0, // there may be no such word
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
    fn ranks_are_what_counting_gives() {
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
