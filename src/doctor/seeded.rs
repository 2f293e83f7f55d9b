//! Counts the trees of many engines with seeded faults in one walk.
//!
//! Generic over [`Diagnosis`]. What is computed is by how much each engine's count differs from the right one. Of the
//! right tree every position is looked at once, however it is reached: the difference of an engine there is the sum
//! of those below the legal moves, plus what it counts below moves that it has by mistake, less what it leaves out.
//! [`Diagnosis::active`] says where no fault can show; there nothing is looked at. What lies below a wrong move is
//! counted by the generator with faults, down to positions that a sound engine could have, too: they are counted by the
//! fast generator, and only differences are added.

use crate::base::cpu;
use crate::base::lock::lock;
use crate::base::pages::ZeroedArray;
use crate::doctor::faults::{Diagnosis, Engines, Fault, FaultKind as _, FaultyBoard, Switches};
use crate::game::{PerSide, Position};
use crate::perft::parallel;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The faults of one engine.
pub type Faults<B> = Vec<Fault<<B as Diagnosis>::Fault>>;

/// An engine without faults, which is on the way with all the others.
const SOUND: Engines = 1 << MOST_ENGINES;

/// The most engines of one walk.
const MOST_ENGINES: usize = Engines::BITS as usize - 1;

/// The counts of `engines`: `common`, plus the difference of each engine that has another count. They may be
/// differences from the right count, too.
struct Counts {
    engines: Engines,
    common: i128,
    differences: Vec<(u8, i128)>,
}

impl Counts {
    /// The same for all of `engines`.
    fn equal(engines: Engines, common: i128) -> Counts {
        Counts { engines, common, differences: Vec::new() }
    }

    fn of(&self, engine: usize) -> i128 {
        let differs = self.differences.iter().find(|&&(other, _)| usize::from(other) == engine);
        if self.engines >> engine & 1 == 0 { 0 } else { self.common + differs.map_or(0, |&(_, n)| n) }
    }
}

/// A sum of [`Counts`].
struct Sum {
    engines: Engines,
    common: i128,
    differences: [i128; MOST_ENGINES],
}

impl Sum {
    fn zero(engines: Engines) -> Sum {
        Sum { engines, common: 0, differences: [0; MOST_ENGINES] }
    }

    /// Adds what `some` engines count.
    fn add(&mut self, some: Engines, counts: &Counts, sign: i128) {
        let some = some & counts.engines & self.engines;
        if 2 * some.count_ones() > self.engines.count_ones() {
            self.common += sign * counts.common;
            each(self.engines & !some, |engine| self.differences[engine] -= sign * counts.common);
        } else if counts.common != 0 {
            each(some, |engine| self.differences[engine] += sign * counts.common);
        }
        for &(engine, difference) in counts.differences.iter().filter(|&&(engine, _)| some >> engine & 1 != 0) {
            self.differences[usize::from(engine)] += sign * difference;
        }
    }

    fn counts(&self) -> Counts {
        let mut differences = Vec::new();
        each(self.engines, |engine| {
            if self.differences[engine] != 0 {
                differences.push((engine as u8, self.differences[engine]));
            }
        });
        Counts { engines: self.engines, common: self.common, differences }
    }
}

/// Calls `action` with each member.
pub(super) fn each(mut engines: Engines, mut action: impl FnMut(usize)) {
    while engines != 0 {
        action(engines.trailing_zeros() as usize);
        engines &= engines - 1;
    }
}

/// Two different hashes of 64 bits.
struct TwoHashes([u64; 2]);

impl TwoHashes {
    fn add(&mut self, word: u64) {
        for (hash, factor) in self.0.iter_mut().zip([0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93]) {
            let product = u128::from(*hash ^ word) * u128::from(factor ^ *hash << 1);
            *hash = product as u64 ^ (product >> 64) as u64 ^ word.rotate_left(32);
        }
    }
}

impl Hasher for TwoHashes {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }
    fn write_u128(&mut self, word: u128) {
        self.add(word as u64);
        self.add((word >> 64) as u64);
    }
    fn finish(&self) -> u64 {
        self.0[0]
    }
}

/// Two hashes of a position or board, a depth and the engines that are counted.
type Key = [u64; 2];

fn key<T: Hash + ?Sized>(position: &T, depth: u32, engines: Engines) -> Key {
    let mut hashes = TwoHashes([u64::from(depth), 1]);
    hashes.write_u128(engines);
    position.hash(&mut hashes);
    hashes.0
}

/// The shares of the memory with a lock each.
const SHARES: usize = 64;

/// How many differences are remembered; 32 bytes each.
const MOST_REMEMBERED: usize = 1 << 23;

/// What was counted before, for all threads.
struct Memory {
    /// Where no engine differs: one of the hashes, at the place that the other one gives.
    equal: ZeroedArray<AtomicU64>,
    counts: Vec<Mutex<HashMap<Key, Arc<Counts>>>>,
    /// How many differences `counts` has.
    size: AtomicUsize,
}

impl Memory {
    /// For a walk of `depth` plies: about 32 moves in each position above the last ply.
    fn new(depth: u32) -> Memory {
        let bits = (5 * depth).saturating_sub(4).min(24);
        Memory {
            equal: ZeroedArray::new(1 << bits).expect("128 MB at most"),
            counts: (0..SHARES).map(|_| Mutex::default()).collect(),
            size: AtomicUsize::new(0),
        }
    }

    fn place(&self, key: Key) -> &AtomicU64 {
        &self.equal[key[0] as usize & (self.equal.len() - 1)]
    }

    fn share(&self, key: Key) -> &Mutex<HashMap<Key, Arc<Counts>>> {
        &self.counts[(key[0] >> 32) as usize % SHARES]
    }

    fn get(&self, key: Key, nothing: &Arc<Counts>) -> Option<Arc<Counts>> {
        if self.place(key).load(Ordering::Relaxed) == key[1] {
            return Some(nothing.clone());
        }
        lock(self.share(key)).get(&key).cloned()
    }

    /// Remembers the counts of `depth` plies. What is cheap to count again must leave room.
    fn put(&self, key: Key, depth: u32, counts: &Arc<Counts>) {
        if counts.common == 0 && counts.differences.is_empty() {
            return self.place(key).store(key[1], Ordering::Relaxed);
        }
        let room = MOST_REMEMBERED >> 3u32.saturating_sub(depth);
        if self.size.fetch_add(counts.differences.len() + 2, Ordering::Relaxed) < room {
            lock(self.share(key)).insert(key, counts.clone());
        } else {
            self.size.fetch_sub(counts.differences.len() + 2, Ordering::Relaxed);
        }
    }
}

/// A part of a walk that a thread can do before the others need it.
enum Task<B: Diagnosis> {
    Differences(Position<B>, u32, Engines),
    Count(B::Faulty, u32, Engines),
}

/// One walk.
struct Walk<'a, B: Diagnosis> {
    root: B::Faulty,
    switches: Switches,
    /// The kinds that any engine has.
    kinds: PerSide<Engines>,
    /// The engines whose faults [`mingle`](Diagnosis::mingle).
    mingled: Engines,
    memory: Memory,
    /// No engine, no difference.
    nothing: Arc<Counts>,
    stop: &'a AtomicBool,
}

impl<'a, B: Diagnosis> Walk<'a, B> {
    fn new(pos: &Position<B>, depth: u32, engines: &[Faults<B>], stop: &'a AtomicBool) -> Self {
        let mut kinds = PerSide([0; 2]);
        let switches = Switches::new(engines);
        for fault in engines.iter().flatten() {
            for side in crate::game::Side::BOTH.into_iter().filter(|&side| switches.on(fault.kind, side) != 0) {
                kinds[side] |= 1 << fault.kind.index();
            }
        }
        let engines = engines.iter().map(|faults| faults.iter().fold(0, |set, fault| set | 1 << fault.kind.index()));
        let mingled = engines.enumerate().filter(|&(_, kinds)| B::mingle(kinds)).fold(0, |set, (i, _)| set | 1 << i);
        Walk {
            root: B::sound_board(pos),
            switches,
            kinds,
            mingled,
            memory: Memory::new(depth),
            nothing: Arc::new(Counts::equal(0, 0)),
            stop,
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Those of `engines` that may differ within `depth` plies, and their switches for the next move: nothing is
    /// remembered that cannot show. `None` if there are none.
    fn active(&self, pos: &Position<B>, depth: u32, engines: Engines) -> Option<(Engines, Switches)> {
        if depth == 0 {
            return None;
        }
        let kinds = B::active(pos, depth);
        let mut active = self.mingled;
        for side in crate::game::Side::BOTH {
            each(kinds[side] & self.kinds[side], |kind| active |= self.switches.on(B::Fault::ALL[kind], side));
        }
        let kinds = PerSide(kinds.0.map(|kinds| kinds | !B::REMEMBERED));
        (active & engines != 0).then(|| (active & engines, self.switches.only(kinds, self.mingled)))
    }

    /// The right count.
    fn right(&self, pos: &Position<B>, depth: u32) -> i128 {
        /// Deeper trees may have more transpositions than can be counted one by one.
        const FAST: u32 = 4;
        if depth <= FAST {
            return i128::from(pos.perft(depth));
        }
        let key = key(&**pos, depth, SOUND);
        if let Some(known) = self.memory.get(key, &self.nothing) {
            return known.common;
        }
        let moves = pos.legal_moves().into_iter();
        let sum = moves.map(|m| if self.stopped() { 0 } else { self.right(&pos.play_unchecked(m), depth - 1) }).sum();
        if !self.stopped() {
            self.memory.put(key, depth, &Arc::new(Counts::equal(SOUND, sum)));
        }
        sum
    }

    /// What `engines` have on the board of `pos`, a position of the right tree, other than the right moves and the
    /// right boards after them: boards that engines have, with sign 1, and those that they lack, with sign -1. The
    /// first set are the engines that have or lack the board, the second set those to count there.
    fn changes(
        &self,
        pos: &Position<B>,
        engines: Engines,
        switches: &Switches,
    ) -> Vec<(B::Faulty, Engines, Engines, i128)> {
        let board = B::sound_board(pos).in_tree_of(&self.root);
        let (mut moves, mut boards, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        board.moves(switches, engines | SOUND, &mut moves);
        for (m, who) in moves {
            // Below a wrong move other faults may show, too.
            let switches = if who & SOUND == 0 { &self.switches } else { switches };
            board.make(m, switches, who, &mut boards);
            for (child, who) in boards.drain(..) {
                match (who & SOUND == 0, engines & !who) {
                    (true, _) => changes.push((child, who, who, 1)),
                    (false, 0) => {}
                    (false, missing) => changes.push((child, missing, engines, -1)),
                }
            }
        }
        changes
    }

    /// By how much the counts of `engines` differ from the right ones, `depth` plies below a position of the right
    /// tree.
    fn differences(&self, pos: &Position<B>, depth: u32, engines: Engines) -> Arc<Counts> {
        let active = if self.stopped() { None } else { self.active(pos, depth, engines) };
        let Some((engines, switches)) = active else { return self.nothing.clone() };
        let key = key(&**pos, depth, engines);
        if let Some(known) = self.memory.get(key, &self.nothing) {
            return known;
        }
        let mut sum = Sum::zero(engines);
        if depth == 1 {
            let one = Counts::equal(engines, 1);
            let mut moves = Vec::new();
            let board = B::sound_board(pos).in_tree_of(&self.root);
            board.moves(&switches, engines | SOUND, &mut moves);
            for (_, who) in moves {
                match (who & SOUND == 0, engines & !who) {
                    (true, _) => sum.add(who, &one, 1),
                    (false, 0) => {}
                    (false, missing) => sum.add(missing, &one, -1),
                }
            }
        } else {
            for m in pos.legal_moves() {
                sum.add(engines, &self.differences(&pos.play_unchecked(m), depth - 1, engines), 1);
            }
            for (child, who, counted, sign) in self.changes(pos, engines, &switches) {
                sum.add(who, &self.count(child, depth - 1, counted), sign);
            }
        }
        let counts = Arc::new(sum.counts());
        if !self.stopped() {
            self.memory.put(key, depth, &counts);
        }
        counts
    }

    /// The counts of `engines`, `depth` plies below a board.
    fn count(&self, mut board: B::Faulty, depth: u32, engines: Engines) -> Arc<Counts> {
        if depth == 0 {
            return Arc::new(Counts::equal(engines, 1));
        }
        if engines & self.mingled == 0 {
            board.forget(depth);
        }
        let mut sum = Sum::zero(engines);
        if let Some(pos) = B::position_of(&board) {
            sum.common = self.right(&pos, depth);
            sum.add(engines, &self.differences(&pos, depth, engines), 1);
            return Arc::new(sum.counts());
        }
        let key = key(&board, depth, engines);
        if let Some(known) = self.memory.get(key, &self.nothing) {
            return known;
        }
        let (mut moves, mut boards) = (Vec::new(), Vec::new());
        board.moves(&self.switches, engines, &mut moves);
        let one = Counts::equal(engines, 1);
        for (m, who) in moves {
            if depth == 1 {
                sum.add(who, &one, 1);
            } else if !self.stopped() {
                board.make(m, &self.switches, who, &mut boards);
                for (child, who) in boards.drain(..) {
                    sum.add(who, &self.count(child, depth - 1, who), 1);
                }
            }
        }
        let counts = Arc::new(sum.counts());
        if !self.stopped() {
            self.memory.put(key, depth, &counts);
        }
        counts
    }

    /// The boards that `engines` have of the root, but for those that have it as it is, and these engines.
    fn roots(&self, engines: Engines) -> (Vec<(B::Faulty, Engines)>, Engines) {
        let mut boards = Vec::new();
        self.root.read(&self.switches, engines | SOUND, &mut boards);
        let sound = boards.iter().fold(0, |all, &(_, who)| if who & SOUND == 0 { all } else { who & !SOUND });
        boards.retain(|&(_, who)| who & SOUND == 0);
        (boards, sound)
    }

    /// By how much the counts of `engines` differ from the right ones, `depth` plies below the root `pos`.
    fn total(&self, pos: &Position<B>, depth: u32, engines: Engines) -> Counts {
        let mut sum = Sum::zero(engines);
        let (boards, sound) = self.roots(engines);
        sum.add(sound, &self.differences(pos, depth, sound), 1);
        for (board, who) in boards {
            sum.add(who, &self.count(board, depth, who), 1);
            sum.add(who, &Counts::equal(who, self.right(pos, depth)), -1);
        }
        sum.counts()
    }

    /// Collects what `differences` will need, `plies` plies below `pos`.
    fn tasks(&self, pos: &Position<B>, depth: u32, engines: Engines, plies: u32, tasks: &mut Vec<Task<B>>) {
        let Some((active, switches)) = self.active(pos, depth, engines) else { return };
        if plies == 0 || depth < 3 {
            tasks.push(Task::Differences(*pos, depth, engines));
        } else {
            for m in pos.legal_moves() {
                self.tasks(&pos.play_unchecked(m), depth - 1, active, plies - 1, tasks);
            }
            let changes = self.changes(pos, active, &switches).into_iter();
            tasks.extend(changes.map(|(board, _, counted, _)| Task::Count(board, depth - 1, counted)));
        }
    }

    fn run(&self, task: &Task<B>) {
        match task {
            Task::Differences(pos, depth, engines) => drop(self.differences(pos, *depth, *engines)),
            Task::Count(board, depth, engines) => drop(self.count(board.clone(), *depth, *engines)),
        }
    }
}

/// By how much the totals of `engines` at `depth` differ from the right total, on `threads` threads. `None` if `stop`
/// was set before all were counted. `progress` is told how many tasks of how many are done.
pub fn surpluses<B: Diagnosis>(
    pos: &Position<B>,
    depth: u32,
    engines: &[Faults<B>],
    threads: usize,
    stop: &AtomicBool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Option<Vec<i128>> {
    let threads = cpu::threads(threads);
    let walks = engines.len().div_ceil(MOST_ENGINES).max(1);
    let (mut surpluses, size) = (Vec::new(), engines.len().div_ceil(walks).max(1));
    for (number, engines) in engines.chunks(size).enumerate() {
        let walk = Walk::new(pos, depth, engines, stop);
        let all = Engines::MAX >> (Engines::BITS as usize - engines.len());
        let (boards, sound) = walk.roots(all);
        let mut tasks = Vec::from_iter(boards.into_iter().map(|(board, who)| Task::Count(board, depth, who)));
        walk.tasks(pos, depth, sound, 2, &mut tasks);
        let done = AtomicUsize::new(0);
        parallel::spread(threads, tasks.len(), |task| {
            walk.run(&tasks[task]);
            progress(number * tasks.len() + done.fetch_add(1, Ordering::Relaxed) + 1, walks * tasks.len());
        });
        let counts = walk.total(pos, depth, all);
        surpluses.extend((0..engines.len()).map(|engine| counts.of(engine)));
    }
    (!stop.load(Ordering::Relaxed)).then_some(surpluses)
}

/// The divides of `engines`: of each its moves with their counts. `None` if `stop` was set before all were counted.
pub fn divides<B: Diagnosis>(
    pos: &Position<B>,
    depth: u32,
    engines: &[Faults<B>],
    stop: &AtomicBool,
) -> Option<Vec<BTreeMap<String, u128>>> {
    let mut all = Vec::new();
    for engines in engines.chunks(MOST_ENGINES) {
        let walk = Walk::new(pos, depth, engines, stop);
        let mut divides = vec![BTreeMap::<String, u128>::new(); engines.len()];
        let (mut boards, mut children) = (Vec::new(), Vec::new());
        walk.root.read(&walk.switches, Engines::MAX >> (Engines::BITS as usize - engines.len()), &mut boards);
        for (board, who) in boards {
            let mut moves = Vec::new();
            board.moves(&walk.switches, who, &mut moves);
            for (m, who) in moves {
                let text = board.move_text(m).to_string();
                board.make(m, &walk.switches, who, &mut children);
                for (child, who) in children.drain(..) {
                    let counts = walk.count(child, depth - 1, who);
                    each(who, |engine| *divides[engine].entry(text.clone()).or_default() += counts.of(engine) as u128);
                }
            }
        }
        all.extend(divides);
    }
    (!stop.load(Ordering::Relaxed)).then_some(all)
}

/// A walk with one engine.
pub struct Single<'a, B: Diagnosis>(Walk<'a, B>);

impl<'a, B: Diagnosis> Single<'a, B> {
    /// A walk of at most `depth` plies from `pos` with an engine with these faults. All counts are 0 once `stop` is
    /// set.
    pub fn new(pos: &Position<B>, depth: u32, faults: &Faults<B>, stop: &'a AtomicBool) -> Self {
        Single(Walk::new(pos, depth, std::slice::from_ref(faults), stop))
    }

    /// The engine's switches; it is the first one.
    pub fn switches(&self) -> &Switches {
        &self.0.switches
    }

    /// By how much the engine's count of `depth` plies from `board` differs from the right one from `pos`.
    pub fn surplus(&self, pos: &Position<B>, board: &B::Faulty, depth: u32) -> i128 {
        let same = B::position_of(board).filter(|other| key(other, 0, 0) == key(&**pos, 0, 0));
        match same {
            Some(_) => self.0.differences(pos, depth, 1).of(0),
            None => self.0.count(board.clone(), depth, 1).of(0) - self.0.right(pos, depth),
        }
    }
}

/// The totals of `engines` at `depth`, on `threads` threads. `None` if `stop` was set before all were counted.
pub fn totals<B: Diagnosis>(
    pos: &Position<B>,
    depth: u32,
    engines: &[Faults<B>],
    threads: usize,
    stop: &AtomicBool,
) -> Option<Vec<u128>> {
    let right = right_total(pos, depth, stop)?;
    let surpluses = surpluses(pos, depth, engines, threads, stop, &|_, _| {})?;
    Some(surpluses.into_iter().map(|surplus| right.wrapping_add_signed(surplus)).collect())
}

/// The right total, by a walk that counts a position once however it is reached. `None` if `stop` was set.
pub fn right_total<B: Diagnosis>(pos: &Position<B>, depth: u32, stop: &AtomicBool) -> Option<u128> {
    let right = Walk::new(pos, depth, &[], stop).right(pos, depth);
    (!stop.load(Ordering::Relaxed)).then_some(right as u128)
}
