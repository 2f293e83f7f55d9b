//! The halves of one side that a thread has met, by number, and what each move makes of them.
//!
//! There are few halves: after seven plies of the initial position 96 million positions are made of 500 thousand. What
//! a move makes of the mover's half does not depend on the other side, but for the few moves that have variants. So
//! each half has a table of its moves, with the number of the half that each leads to, which is worked out once.

use crate::base::bits::BitSet;
use crate::base::pages::{advise_large_pages, prefetch};
use crate::game::{GameMove, Half, HashWords, Side};

/// The moves of one piece of a half.
#[derive(Clone, Copy)]
struct Row<S> {
    /// All targets that it might have.
    targets: S,
    /// The place of the first of them among the entries of all tables.
    first: u32,
}

/// No number of a half, and no table.
const NONE: u32 = u32::MAX;

/// Numbered halves of one side.
pub struct Halves<H: Half> {
    side: Side,
    words: HashWords,
    halves: Vec<H>,
    /// An open-addressing table of the numbers by hash.
    slots: Vec<u32>,
    /// For each half, its first row.
    tables: Vec<u32>,
    rows: Vec<Row<H::Set>>,
    /// The numbers of the halves after moves, as far as they are known.
    entries: Vec<u32>,
    /// For each half, the last stamp that it got, at first 0; and the next stamp.
    stamps: Vec<u32>,
    next: u32,
}

impl<H: Half> Halves<H> {
    /// No halves of `side` yet.
    pub fn new(side: Side, words: HashWords) -> Self {
        let slots = vec![NONE; 1 << 10];
        let (halves, tables, stamps) = (Vec::new(), Vec::new(), Vec::new());
        Halves { side, words, halves, slots, tables, rows: Vec::new(), entries: Vec::new(), stamps, next: 1 }
    }

    /// Forgets all, and keeps the memory for what comes next.
    pub fn clear(&mut self) {
        let Halves { halves, slots, tables, rows, entries, stamps, next, .. } = self;
        halves.clear();
        slots.fill(NONE);
        rows.clear();
        [tables, entries, stamps].into_iter().for_each(Vec::clear);
        *next = 1;
    }

    /// About how many bytes this takes.
    pub fn bytes(&self) -> usize {
        let halves = self.halves.len() * (size_of::<H>() + 2 * size_of::<u32>()) + self.slots.len() * size_of::<u32>();
        halves + self.rows.len() * size_of::<Row<H::Set>>() + self.entries.len() * size_of::<u32>()
    }

    /// The halves by number.
    pub fn all(&self) -> &[H] {
        &self.halves
    }

    /// The number of a half, which gets one if it has none.
    #[inline]
    pub fn number(&mut self, half: &H) -> u32 {
        self.number_at(self.home(half), half)
    }

    /// The number of a half for which the search begins at this slot.
    #[inline]
    pub fn number_at(&mut self, home: u32, half: &H) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = home as usize;
        loop {
            let number = self.slots[at & mask];
            if number == NONE {
                return self.add(half, at & mask);
            }
            if self.halves[number as usize] == *half {
                return number;
            }
            at += 1;
        }
    }

    /// Where the search for a half begins, modulo the number of slots. The low bits of a hash are those of a bucket.
    #[inline(always)]
    fn home(&self, half: &H) -> u32 {
        (half.hash(&self.words) >> 32) as u32
    }

    /// Prefetches the slot where the search for a half begins, and returns it.
    #[inline(always)]
    pub fn prefetch_slot(&self, half: &H) -> u32 {
        let home = self.home(half);
        prefetch(&self.slots, home as usize & (self.slots.len() - 1));
        home
    }

    /// Prefetches the half that is found at this slot.
    #[inline(always)]
    pub fn prefetch_found(&self, home: u32) {
        prefetch(&self.halves, self.slots[home as usize & (self.slots.len() - 1)] as usize);
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, half: &H, slot: usize) -> u32 {
        let number = self.halves.len() as u32;
        self.slots[slot] = number;
        push(&mut self.halves, *half);
        push(&mut self.tables, NONE);
        push(&mut self.stamps, 0);
        if 2 * self.halves.len() > self.slots.len() {
            let mask = 2 * self.slots.len() - 1;
            self.slots = Vec::with_capacity(mask + 1);
            advise_large_pages(self.slots.spare_capacity_mut());
            self.slots.resize(mask + 1, NONE);
            for (number, half) in self.halves.iter().enumerate() {
                let mut at = self.home(half) as usize;
                while self.slots[at & mask] != NONE {
                    at += 1;
                }
                self.slots[at & mask] = number as u32;
            }
        }
        number
    }

    /// The stamps of the halves, to be changed.
    #[inline(always)]
    pub fn stamps(&mut self) -> &mut [u32] {
        &mut self.stamps
    }

    /// Prefetches the stamp of a half.
    #[inline(always)]
    pub fn prefetch_stamp(&self, number: u32) {
        prefetch(&self.stamps, number as usize);
    }

    /// Prefetches an entry.
    #[inline(always)]
    pub fn prefetch_entry(&self, entry: u32) {
        prefetch(&self.entries, entry as usize);
    }

    /// The first of a row of stamps that are higher than all before.
    pub fn first_stamp(&mut self) -> u32 {
        if self.next > u32::MAX / 2 {
            self.stamps.fill(0);
            self.next = 1;
        }
        self.next
    }

    /// Takes the next stamps, which were used.
    pub fn used_stamps(&mut self, number: usize) {
        self.next += number as u32;
    }

    /// The table of a half, which has one.
    #[inline(always)]
    pub fn table(&self, number: u32, half: &H) -> Table<'_, H> {
        Table { rows: &self.rows[self.tables[number as usize] as usize..], own: half.squares() }
    }

    /// Prefetches the table of a half, of up to sixteen rows.
    #[inline(always)]
    pub fn prefetch_table(&self, number: u32) {
        let table = self.tables[number as usize];
        for row in (0..16).step_by(64 / size_of::<Row<H::Set>>()) {
            prefetch(&self.rows, table as usize + row);
        }
    }

    /// Makes the table of a half unless it has one.
    #[inline]
    pub fn make_table(&mut self, number: u32) {
        if self.tables[number as usize] == NONE {
            self.add_table(number as usize);
        }
    }

    #[cold]
    #[inline(never)]
    fn add_table(&mut self, number: usize) {
        let Halves { rows, entries, .. } = self;
        self.tables[number] = rows.len() as u32;
        self.halves[number].reach(self.side, |targets, variants| {
            push(rows, Row { targets, first: entries.len() as u32 });
            for _ in 0..targets.count() as usize * variants {
                push(entries, NONE);
            }
        });
    }

    /// The number of the half after a move of the half `from`, which has this entry.
    #[inline(always)]
    pub fn after(&mut self, from: u32, entry: u32, m: H::Move, variant: usize) -> u32 {
        match self.entries[entry as usize] {
            NONE => self.find_after(from, entry, m, variant),
            number => number,
        }
    }

    #[cold]
    #[inline(never)]
    fn find_after(&mut self, from: u32, entry: u32, m: H::Move, variant: usize) -> u32 {
        let half = self.halves[from as usize].after(m, variant);
        let number = self.number(&half);
        self.entries[entry as usize] = number;
        number
    }
}

/// Adds a value to an array that is read in no order, and so is in large pages.
#[inline(always)]
fn push<T: Copy>(values: &mut Vec<T>, value: T) {
    if values.len() == values.capacity() {
        let mut larger = Vec::with_capacity(2 * values.len().max(64));
        advise_large_pages(larger.spare_capacity_mut());
        larger.extend_from_slice(values);
        *values = larger;
    }
    values.push(value);
}

/// The table of the moves of a half.
pub struct Table<'a, H: Half> {
    rows: &'a [Row<H::Set>],
    own: H::Set,
}

impl<H: Half> Table<'_, H> {
    /// The entry of a move.
    #[inline(always)]
    pub fn entry(&self, m: H::Move, variant: usize) -> u32 {
        let (from, to) = (GameMove::from(m), GameMove::to(m));
        let row = &self.rows[self.own.below(from)];
        debug_assert!(row.targets.has(to));
        let mut place = row.targets.below(to);
        if variant != 0 {
            place += variant * row.targets.count() as usize;
        }
        row.first + place as u32
    }
}
