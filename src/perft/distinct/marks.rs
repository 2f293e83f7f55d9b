//! A long bit vector that threads set concurrently, with the number of set bits before any index. Only the parts in
//! use take memory.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words per segment.
const SEGMENT: usize = 1 << 13;

/// Words per block; set bits are counted by block.
const BLOCK: usize = 8;

/// The bit vector.
pub struct Marks {
    segments: Vec<OnceLock<Vec<AtomicU64>>>,
}

impl Marks {
    /// At most `bits` bits, all clear.
    pub fn new(bits: u64) -> Self {
        let segments = bits.div_ceil(SEGMENT as u64 * 64);
        Marks { segments: (0..segments).map(|_| OnceLock::new()).collect() }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.segments.iter().filter(|segment| segment.get().is_some()).count() * SEGMENT * 8
    }

    #[inline(always)]
    fn word(&self, word: usize) -> u64 {
        let segment = self.segments[word / SEGMENT].get();
        segment.map_or(0, |words| words[word % SEGMENT].load(Relaxed))
    }

    /// Sets a bit.
    #[inline]
    pub fn set(&self, bit: u64) {
        let word = (bit / 64) as usize;
        let empty = || (0..SEGMENT).map(|_| AtomicU64::new(0)).collect();
        let segment = self.segments[word / SEGMENT].get_or_init(empty);
        segment[word % SEGMENT].fetch_or(1 << (bit % 64), Relaxed);
    }

    /// Whether a bit is set.
    #[inline(always)]
    pub fn get(&self, bit: u64) -> bool {
        self.word((bit / 64) as usize) >> (bit % 64) & 1 != 0
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
        // Nothing is set behind the last segment in use.
        let used = marks.segments.iter().rposition(|segment| segment.get().is_some());
        let words = used.map_or(0, |last| (last + 1) * SEGMENT);
        let (mut ranks, mut before) = (Vec::with_capacity(words / BLOCK + 1), 0);
        for block in (0..words).step_by(BLOCK) {
            ranks.push(before);
            let set = (block..block + BLOCK).map(|word| u64::from(marks.word(word).count_ones()));
            before += set.sum::<u64>();
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
        if block >= self.ranks.len() {
            return self.ranks[self.ranks.len() - 1];
        }
        let whole = (block * BLOCK..word).map(|word| marks.word(word).count_ones());
        let part = match bit % 64 {
            0 => 0, // `bit` may be the end of the vector
            rest => (marks.word(word) & ((1 << rest) - 1)).count_ones(),
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
        let marks = Marks::new(bits * 3);
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
        for segments in [3, 5] {
            let end = SEGMENT as u64 * 64 * segments;
            assert_eq!(ranked.before(end), before, "the end of a segment");
        }
        assert_eq!((ranked.marks.segments.len(), ranked.marks.bytes()), (7, 3 * SEGMENT * 8));
    }
}
