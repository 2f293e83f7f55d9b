//! The hash table for columns of statistics: all columns of a position in one cache line.
//!
//! Threads read and write entries without locks. An entry returns its columns only for
//! the position they were stored for: 84 key bits are compared, and at least 15 more select the bucket.

use super::hash_table::{HashTable, Wide, array, cache_lines, place};
use crate::base::pages::HashError;
use crate::base::pages::{CacheLine, ZeroedArray};
use crate::game::Columns;
use crate::game::columns::COUNTED;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of an entry.
const WORDS: usize = 8;

/// Bits of the part of the key that is compared in addition to the first word, then of each number, in the order of
/// `Columns::counted`. Trees of less than 10¹³ nodes fit.
const WIDTHS: [u32; 1 + COUNTED] = [20, 44, 44, 34, 38, 40, 40, 34, 32, 16, 34, 24, 22, 12, 14];

const _: () = {
    let (mut sum, mut i) = (0, 0);
    while i < WIDTHS.len() {
        sum += WIDTHS[i];
        i += 1;
    }
    assert!(sum == 64 * (WORDS as u32 - 1));
};

/// Multipliers of the words in the checksum: odd constants of Weyl sequences, unrelated to each other.
const MIX: [u64; WORDS - 1] = [
    0x9e37_79b9_7f4a_7c15,
    0xd1b5_4a32_d192_ed03,
    0xaef1_7502_108e_f2d9,
    0x8cb9_2ba7_2f3d_8dd7,
    0xda94_2042_e4dd_58b5,
    0xabcc_5167_ccad_925f,
    0xf135_7aea_2e62_a9c5,
];

/// Two cache lines, which CPUs often fetch together, with an entry in each. The first word of an entry is 64 key bits
/// XORed with a checksum of the other words, so that words of different writers never match. (This is the idea of
/// Hyatt and Mann, see `count_table`. Their XOR of all words would not do here: small numbers too often differ in the
/// same bits.) An empty entry is all zeros.
type Bucket = CacheLine<[[AtomicU64; WORDS]; 2], [AtomicU64; 0]>;

const _: () = assert!(size_of::<Bucket>() == 128);

/// A table of columns by position and depth.
pub struct ColumnTable(ZeroedArray<Bucket>, Wide<Columns<u128>>);

impl HashTable<Columns<u128>> for ColumnTable {
    fn new(megabytes: usize) -> Result<Self, HashError> {
        Ok(ColumnTable(array(cache_lines(megabytes)? / 2, megabytes)?, Wide::new(megabytes)))
    }
    fn megabytes(&self) -> usize {
        (self.0.len() * size_of::<Bucket>()) >> 20
    }
    fn large_page_megabytes(&self) -> Option<usize> {
        Some(self.0.large_page_bytes()? >> 20)
    }
    #[inline(always)]
    fn prefetch(&self, key: u128) {
        self.0.prefetch(place(key, self.0.len()));
    }
    #[inline(always)]
    fn find(&self, key: u128) -> Option<Columns<u128>> {
        for entry in &self.0[place(key, self.0.len())].0 {
            let (first, words) = load(entry);
            if first ^ check(&words) == key as u64 && words != [0; WORDS - 1] {
                let (stored, columns) = unpack(&words);
                if stored == tag(key) {
                    return Some(columns);
                }
            }
        }
        None
    }
    #[inline(always)]
    fn enter(&self, key: u128, columns: Columns<u128>) -> bool {
        let Some(words) = pack(key, &columns) else { return false };
        if words == [0; WORDS - 1] {
            return true; // would read as empty; such a position has no moves, and counting it is fast
        }
        let size = |entry: &[AtomicU64; WORDS]| unpack(&load(entry).1).1.nodes;
        let [first, second] = &self.0[place(key, self.0.len())].0;
        let entry = if size(first) <= size(second) { first } else { second };
        entry[0].store(key as u64 ^ check(&words), Ordering::Relaxed);
        for (word, to) in words.into_iter().zip(&entry[1..]) {
            to.store(word, Ordering::Relaxed);
        }
        true
    }
    fn wide(&self) -> &Wide<Columns<u128>> {
        &self.1
    }
}

/// The words of an entry except the first.
type Packed = [u64; WORDS - 1];

#[inline(always)]
fn check(words: &Packed) -> u64 {
    let sum =
        |sum: u64, (word, mix): (&u64, u64)| sum.wrapping_add((word ^ word >> 32).wrapping_mul(mix).rotate_left(29));
    words.iter().zip(MIX).fold(0, sum)
}

#[inline(always)]
fn tag(key: u128) -> u64 {
    (key >> 64) as u64 & ((1 << WIDTHS[0]) - 1)
}

/// Packs the columns; `None` if they do not fit.
#[inline(always)]
fn pack(key: u128, columns: &Columns<u128>) -> Option<Packed> {
    let mut words = [0; WORDS - 1];
    let mut at = 0;
    let mut put = |value: u64, width: u32| {
        let (word, shift) = (at as usize / 64, at % 64);
        words[word] |= value << shift;
        if shift + width > 64 {
            words[word + 1] |= value >> (64 - shift);
        }
        at += width;
    };
    put(tag(key), WIDTHS[0]);
    for (number, width) in columns.counted().into_iter().zip(&WIDTHS[1..]) {
        if number >> width != 0 {
            return None;
        }
        put(number as u64, *width);
    }
    Some(words)
}

/// The inverse of [`pack`]: the key bits and the columns.
#[inline(always)]
fn unpack(words: &Packed) -> (u64, Columns<u128>) {
    let mut at = 0;
    let mut take = |width: u32| {
        let (word, shift) = (at as usize / 64, at % 64);
        let mut value = words[word] >> shift;
        if shift + width > 64 {
            value |= words[word + 1] << (64 - shift);
        }
        at += width;
        value & ((1 << width) - 1)
    };
    let tag = take(WIDTHS[0]);
    let mut counted = [0; COUNTED];
    for (number, width) in counted.iter_mut().zip(&WIDTHS[1..]) {
        *number = u128::from(take(*width));
    }
    (tag, Columns::from_counted(counted))
}

#[inline(always)]
fn load(entry: &[AtomicU64; WORDS]) -> (u64, Packed) {
    let [first, words @ ..] = entry.each_ref().map(|word| word.load(Ordering::Relaxed));
    (first, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::perft::hash_table::WIDE_DEPTH;

    #[test]
    fn columns_are_packed_and_unpacked() {
        let mut rng = SplitMix64::new(0x5eed_1101);
        let table = ColumnTable::new(5).unwrap();
        for _ in 0..10_000 {
            let key = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            let mut counted = [0; COUNTED];
            for (number, width) in counted.iter_mut().zip(&WIDTHS[1..]) {
                *number = u128::from(rng.next_u64() >> (64 - width) >> rng.below(*width as usize));
            }
            let columns = Columns::from_counted(counted);
            assert_eq!(unpack(&pack(key, &columns).unwrap()), (tag(key), columns));
            assert_eq!(table.probe(key, 0), None);
            table.store(key, 0, columns);
            assert_eq!(table.probe(key, 0), Some(columns));
            // Every compared key bit matters, in either entry.
            let other = key ^ 1 << rng.below(64 + WIDTHS[0] as usize);
            assert_eq!(table.probe(other, 0), None);
            // A number too large for its field.
            let field = rng.below(COUNTED);
            counted[field] = 1 << WIDTHS[1 + field];
            let (key, columns) = (!key, Columns::from_counted(counted));
            table.store(key, WIDE_DEPTH - 1, columns);
            assert_eq!(table.probe(key, WIDE_DEPTH), None);
            table.store(key, WIDE_DEPTH, columns);
            assert_eq!((table.probe(key, WIDE_DEPTH), table.probe(key, WIDE_DEPTH - 1)), (Some(columns), None));
            assert_eq!(table.probe(key ^ 1 << rng.below(128), WIDE_DEPTH), None);
        }
    }

    /// Every mixture of words of two writers in one entry must be rejected.
    #[test]
    fn torn_entries_are_rejected() {
        let mut rng = SplitMix64::new(0x5eed_1102);
        let table = ColumnTable::new(5).unwrap();
        for _ in 0..2_000 {
            let mut writer = || {
                let key = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
                // Small numbers, which differ in few bits.
                let counted = [0; COUNTED].map(|_: u128| rng.below(3) as u128);
                let words = pack(key, &Columns::from_counted(counted)).unwrap();
                (key, words)
            };
            let (a, b) = (writer(), writer());
            for mixture in 1..1 << (WORDS - 1) {
                let pick = |i: usize| if mixture >> i & 1 == 0 { a.1[i] } else { b.1[i] };
                let words: Packed = std::array::from_fn(pick);
                for key in [a.0, b.0] {
                    let [entry, other] = &table.0[place(key, table.0.len())].0;
                    other.iter().for_each(|word| word.store(0, Ordering::Relaxed));
                    entry[0].store(a.0 as u64 ^ check(&a.1), Ordering::Relaxed);
                    for (word, to) in words.into_iter().zip(&entry[1..]) {
                        to.store(word, Ordering::Relaxed);
                    }
                }
                assert_eq!(table.probe(b.0, 0), None);
                assert_eq!(table.probe(a.0, 0).is_some(), words == a.1);
            }
        }
    }
}
