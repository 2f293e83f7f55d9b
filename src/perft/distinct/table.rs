//! A set of 128-bit keys with a value each, which holds as much of the key space as memory allows.
//!
//! The set is divided into many small hash tables by low key bits, so that threads work independently and each table
//! stays within reach of the caches. Each table accepts the keys whose high half is in a range. When it is full it
//! gives up the upper end of its range; those keys are left for a later pass. Used by `pass`.

/// A 128-bit key.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Key {
    low: u64,
    high: u64,
}

impl Key {
    /// Splits the key into two words. Zero marks an empty slot, so it becomes 1: one key of 2^128 is replaced by
    /// another.
    #[inline(always)]
    pub fn new(key: u128) -> Key {
        let low = if key == 0 { 1 } else { key as u64 };
        Key { low, high: (key >> 64) as u64 }
    }

    /// The index of the key's table among `tables`, a power of two.
    #[inline(always)]
    pub fn table(self, tables: usize) -> usize {
        self.low as usize & (tables - 1)
    }
}

/// A slot of a table.
#[derive(Clone, Copy, Default)]
pub struct Slot<V> {
    key: Key,
    value: V,
}

/// A range of high key halves, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    low: u64,
    high: u64,
}

impl Span {
    const ALL: Span = Span { low: 0, high: u64::MAX };
    const NONE: Span = Span { low: 1, high: 0 };

    /// Whether the high half of `key` is in the range.
    #[inline(always)]
    pub fn contains(self, key: Key) -> bool {
        (self.low..=self.high).contains(&key.high)
    }

    /// The share of the key space.
    pub fn share(self) -> f64 {
        if self == Span::NONE { 0.0 } else { ((self.high - self.low) as f64 + 1.0) / u64::MAX as f64 }
    }
}

/// One hash table.
pub struct Table<V> {
    slots: Vec<Slot<V>>,
    used: usize,
    /// The keys accepted in this pass.
    pub span: Span,
    /// The keys still to be done, including this pass.
    pub left: Span,
}

impl<V: Copy + Default> Table<V> {
    /// A table without slots, with all keys still to be done.
    pub fn new() -> Self {
        Table { slots: Vec::new(), used: 0, span: Span::NONE, left: Span::ALL }
    }

    /// Prepares a pass that takes the first of `passes` equal parts of the keys still to be done.
    ///
    /// # Errors
    /// If `slots` slots cannot be allocated.
    pub fn begin(&mut self, slots: usize, passes: u64) -> Result<(), String> {
        if self.slots.len() < slots {
            self.slots = Vec::new();
            let refused = |_| "there is not enough memory for the keys of positions".to_string();
            self.slots.try_reserve_exact(slots).map_err(refused)?;
        }
        self.slots.clear();
        self.slots.resize(slots, Slot::default());
        self.used = 0;
        self.span = self.left;
        if passes > 1 && self.left != Span::NONE {
            self.span.high = self.left.low + (self.left.high - self.left.low) / passes;
        }
        Ok(())
    }

    /// Ends a pass. Returns the number of keys found and the share of the key space that was taken.
    pub fn end(&mut self) -> (u64, f64) {
        let share = self.span.share();
        if self.span.high == self.left.high {
            self.left = Span::NONE;
        } else {
            self.left.low = self.span.high + 1;
        }
        self.span = Span::NONE;
        (self.used as u64, share)
    }

    /// The values of the keys found in this pass.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.slots.iter().filter(|slot| slot.key != Key::default()).map(|slot| &slot.value)
    }

    /// The first slot of a key.
    #[inline(always)]
    fn home(&self, key: Key) -> usize {
        (((key.low >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    /// Reads a key's first slot ahead of `enter`, so that several cache misses overlap.
    #[inline(always)]
    pub fn touch(&self, key: Key) -> u64 {
        self.slots[self.home(key)].key.low
    }

    /// Enters a key: `first` creates the value of a new key, `again` updates an existing one. Keys outside the span
    /// are ignored.
    #[inline(always)]
    pub fn enter(&mut self, key: Key, first: impl FnOnce() -> V, again: impl FnOnce(&mut V)) {
        if !self.span.contains(key) {
            return; // the span has shrunk since the key was computed
        }
        let mut at = self.home(key);
        loop {
            let slot = &mut self.slots[at];
            if slot.key == key {
                return again(&mut slot.value);
            }
            if slot.key == Key::default() {
                *slot = Slot { key, value: first() };
                self.used += 1;
                if self.used * 16 > self.slots.len() * 15 {
                    self.shrink();
                }
                return;
            }
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
    }

    /// Gives up the upper quarter of the span.
    #[cold]
    fn shrink(&mut self) {
        self.span.high = self.span.low + (self.span.high - self.span.low) / 4 * 3;
        let empty = vec![Slot::default(); self.slots.len()];
        let old = std::mem::replace(&mut self.slots, empty);
        self.used = 0;
        for slot in old.into_iter().filter(|slot| slot.key != Key::default()) {
            self.enter(slot.key, || slot.value, |_| ());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use std::collections::HashMap;

    /// With far too few slots, every key is found in exactly one pass, with the sum of its values.
    #[test]
    fn keys_that_do_not_fit_are_found_in_later_passes() {
        let mut rng = SplitMix64::new(0x5eed_7002);
        let mut next = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        let keys: Vec<u128> = (0..5_000).map(|_| next()).chain([0, 1 << 64]).collect();
        let stream: Vec<(u128, u64)> = (0..20_000).map(|i| (keys[i * 7 % keys.len()], i as u64)).collect();
        let mut expected: HashMap<u128, u64> = HashMap::new();
        stream.iter().for_each(|&(key, n)| *expected.entry(key).or_default() += n);
        for (slots, passes) in [(64, 1), (1_000, 1), (1_000, 9), (6_000, 1), (6_000, 2)] {
            let mut table = Table::<u64>::new();
            let (mut found, mut sums, mut rounds) = (0, Vec::new(), 0);
            while table.left.share() > 0.0 {
                table.begin(slots, passes).unwrap();
                for &(key, n) in &stream {
                    let key = Key::new(key);
                    std::hint::black_box(table.touch(key));
                    table.enter(key, || n, |value| *value += n);
                }
                sums.extend(table.values().copied());
                found += table.end().0;
                rounds += 1;
            }
            let mut all: Vec<u64> = expected.values().copied().collect();
            all.sort();
            sums.sort();
            assert_eq!((found, &sums), (expected.len() as u64, &all), "{slots} {passes}");
            assert_eq!(rounds > 1, slots < 5_000 || passes > 1, "{rounds}");
        }
    }
}
