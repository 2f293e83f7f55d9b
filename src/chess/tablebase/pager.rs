//! The only reader of table files: a thread that opens files, checks them and reads pages, and a fixed-size cache
//! that probes read from.
//!
//! Probes come from search threads, which must stop in time even if a disk is asleep. So they never read files
//! themselves. They request a missing page from the reader thread, and wait only as long as their `patience` returns
//! true. The pager reads headers ([`Layout`]), but it does not use positions.

use super::checksum::checksum;
use super::layout::{LONGEST_HEAD, Layout, Metric};
use super::material::Material;
use super::refusal::Refusal;
use crate::base::files::reason;
use crate::base::lock::lock;
use crate::game::search::endgame_tables::Patience;
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Bytes in a page.
const PAGE: usize = 1 << 14;
/// Pages in the cache: 64 MiB, allocated when needed.
const PAGES: usize = 1 << 12;
/// Files up to this size are verified by their checksum when they are opened. All tables of up to five pieces are
/// smaller.
const VERIFIED: u64 = 32 << 20;
/// Files up to this size are cached as a whole when they are opened.
const PRELOADED: usize = 1 << 20;
/// The most files held open at a time. Systems have low limits.
const MOST_OPEN: usize = 64;
/// The most requests that may be queued before callers that do not wait stop adding to them.
const MOST_UNWAITED: usize = 64;
/// How often a waiting caller's patience is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// A file to read from, by one thread at a time.
pub struct Source {
    /// The length in bytes.
    pub len: u64,
    /// Fills a buffer with the bytes from an offset on. Errors are those of the system; it is one too if the file ends
    /// before the buffer is full.
    pub read_at: Box<dyn FnMut(u64, &mut [u8]) -> io::Result<()> + Send>,
}

impl Source {
    /// Reads an open file.
    ///
    /// # Errors
    /// Those of the system.
    pub fn of(mut file: std::fs::File) -> io::Result<Source> {
        use std::io::{Read, Seek, SeekFrom};
        let len = file.metadata()?.len();
        let read_at = move |offset, buffer: &mut [u8]| {
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(buffer)
        };
        Ok(Source { len, read_at: Box::new(read_at) })
    }
}

/// Opens a source.
pub type Opener = Box<dyn Fn() -> io::Result<Source> + Send + Sync>;

/// A table file before it is opened.
pub struct TableFile {
    /// The name shown in messages.
    pub name: String,
    /// The material, from the file name.
    pub material: Material,
    /// The type, from the file name extension.
    pub metric: Metric,
    /// How to open it.
    pub opener: Opener,
}

/// A table file that has been opened.
pub(super) struct Opened {
    pub layout: Layout,
    len: u64,
    /// For each page its slot plus one. The slot may have been reused for another page since.
    pages: Box<[AtomicU32]>,
}

struct Entry {
    file: TableFile,
    opened: OnceLock<Option<Opened>>,
    /// Reading has failed once. The file is not read again.
    broken: AtomicBool,
}

/// A page in the cache.
#[derive(Default)]
struct Slot {
    owner: Option<(usize, usize)>,
    /// Used since the clock hand last passed (CLOCK replacement).
    used: bool,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Request {
    Open(usize),
    Page(usize, usize),
}

#[derive(Default)]
struct Queue {
    /// The reader thread is working on the first one.
    requests: VecDeque<Request>,
    closed: bool,
}

struct Shared {
    entries: Vec<Entry>,
    slots: Box<[Mutex<Slot>]>,
    queue: Mutex<Queue>,
    requested: Condvar,
    served: Condvar,
    faults: Mutex<Vec<String>>,
}

/// The files, their cache and the reader thread.
pub(super) struct Pager {
    shared: Arc<Shared>,
}

impl Drop for Pager {
    fn drop(&mut self) {
        // The thread is not joined, because it may hang in a read for as long as the disk takes.
        lock(&self.shared.queue).closed = true;
        self.shared.requested.notify_all();
    }
}

impl Pager {
    /// Takes over `files`, which are then identified by their indices.
    pub fn new(files: Vec<TableFile>) -> Pager {
        Pager::with_pages(files, PAGES)
    }

    fn with_pages(files: Vec<TableFile>, pages: usize) -> Pager {
        let entry = |file| Entry { file, opened: OnceLock::new(), broken: AtomicBool::new(false) };
        let shared = Arc::new(Shared {
            entries: files.into_iter().map(entry).collect(),
            slots: (0..pages.max(1)).map(|_| Mutex::default()).collect(),
            queue: Mutex::default(),
            requested: Condvar::new(),
            served: Condvar::new(),
            faults: Mutex::default(),
        });
        let reader = Reader { shared: Arc::clone(&shared), hand: 0, open: VecDeque::new() };
        if let Err(error) = std::thread::Builder::new().name("tablebases".into()).spawn(move || reader.run()) {
            lock(&shared.faults).push(format!("cannot start the tablebase thread: {error}"));
            shared.entries.iter().for_each(|entry| entry.broken.store(true, SeqCst));
        }
        Pager { shared }
    }

    /// The faults found since the last call, one line each.
    pub fn take_faults(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.shared.faults))
    }

    /// The header of a file, which is opened now if necessary.
    pub fn open(&self, file: usize, patience: Patience<'_>) -> Result<&Opened, Refusal> {
        let entry = self.shared.entries.get(file).ok_or(Refusal::Damaged)?;
        if entry.opened.get().is_none() {
            self.wait_for(Request::Open(file), patience, || {
                entry.opened.get().is_some() || entry.broken.load(Relaxed)
            })?;
        }
        if entry.broken.load(Relaxed) {
            return Err(Refusal::Damaged);
        }
        entry.opened.get().and_then(Option::as_ref).ok_or(Refusal::Damaged)
    }

    /// Calls `take` with the `len` bytes from `offset` on.
    pub fn read<R>(
        &self,
        file: usize,
        offset: u64,
        len: usize,
        patience: Patience<'_>,
        take: impl FnOnce(&[u8]) -> R,
    ) -> Result<R, Refusal> {
        let opened = self.open(file, patience)?;
        if offset.checked_add(len as u64).is_none_or(|end| end > opened.len) {
            return Err(Refusal::Damaged);
        }
        let (page, at) = ((offset / PAGE as u64) as usize, (offset % PAGE as u64) as usize);
        if at + len <= PAGE {
            let slot = self.page(file, opened, page, patience)?;
            return slot.bytes.get(at..at + len).map(take).ok_or(Refusal::Damaged);
        }
        let mut bytes = Vec::with_capacity(len);
        let (mut page, mut at) = (page, at);
        while bytes.len() < len {
            let slot = self.page(file, opened, page, patience)?;
            let end = (at + len - bytes.len()).min(PAGE);
            bytes.extend_from_slice(slot.bytes.get(at..end).ok_or(Refusal::Damaged)?);
            (page, at) = (page + 1, 0);
        }
        Ok(take(&bytes))
    }

    /// Locks a page, which stays in the cache as long as the lock is held.
    fn page(
        &self,
        file: usize,
        opened: &Opened,
        page: usize,
        patience: Patience<'_>,
    ) -> Result<MutexGuard<'_, Slot>, Refusal> {
        loop {
            if let Some(slot) = self.cached(file, opened, page) {
                return Ok(slot);
            }
            let entry = &self.shared.entries[file];
            self.wait_for(Request::Page(file, page), patience, || {
                entry.broken.load(Relaxed) || self.cached(file, opened, page).is_some()
            })?;
            if entry.broken.load(Relaxed) {
                return Err(Refusal::Damaged);
            }
        }
    }

    fn cached(&self, file: usize, opened: &Opened, page: usize) -> Option<MutexGuard<'_, Slot>> {
        let number = opened.pages.get(page)?.load(Relaxed).checked_sub(1)?;
        let mut slot = lock(self.shared.slots.get(number as usize)?);
        if slot.owner != Some((file, page)) {
            return None;
        }
        slot.used = true;
        Some(slot)
    }

    /// Requests something from the reader thread and waits until `done`. A caller without any patience returns at
    /// once, and finds the result there later.
    fn wait_for(&self, request: Request, patience: Patience<'_>, done: impl Fn() -> bool) -> Result<(), Refusal> {
        let mut queue = lock(&self.shared.queue);
        loop {
            if done() {
                return Ok(());
            }
            let patient = patience();
            let room = patient || queue.requests.len() < MOST_UNWAITED;
            if room && !queue.requests.contains(&request) {
                queue.requests.push_back(request);
                self.shared.requested.notify_all();
            }
            if !patient {
                return Err(Refusal::TooSlow);
            }
            (queue, _) = self.shared.served.wait_timeout(queue, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The reader thread.
struct Reader {
    shared: Arc<Shared>,
    /// The clock hand: the next slot to test for replacement.
    hand: usize,
    /// The open files, the most recently used last.
    open: VecDeque<(usize, Source)>,
}

impl Reader {
    fn run(mut self) {
        let shared = Arc::clone(&self.shared);
        loop {
            let mut queue = lock(&shared.queue);
            let request = loop {
                if queue.closed {
                    return;
                }
                match queue.requests.front() {
                    Some(&request) => break request,
                    None => {
                        queue = shared.requested.wait(queue).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            };
            drop(queue);
            match request {
                Request::Open(file) => self.open_table(file),
                Request::Page(file, page) => self.fetch(file, page),
            }
            lock(&shared.queue).requests.pop_front();
            shared.served.notify_all();
        }
    }

    /// Opens and checks a table. Afterwards it is either usable or marked as broken.
    fn open_table(&mut self, file: usize) {
        let entry = &self.shared.entries[file];
        if entry.opened.get().is_some() {
            return;
        }
        let shared = Arc::clone(&self.shared);
        match self.examine(file) {
            Ok((opened, bytes)) => {
                for (page, bytes) in bytes.chunks(PAGE).enumerate() {
                    self.keep(file, page, &opened, bytes.to_vec());
                }
                _ = shared.entries[file].opened.set(Some(opened));
            }
            Err(reason) => {
                self.fail(file, &reason);
                _ = shared.entries[file].opened.set(None);
            }
        }
    }

    fn fail(&self, file: usize, reason: &str) {
        let entry = &self.shared.entries[file];
        if !entry.broken.swap(true, SeqCst) {
            lock(&self.shared.faults).push(format!("{} is not used: {reason}", entry.file.name));
        }
    }

    /// Reads the header, and the whole file unless it is too long. Also returns the bytes to cache immediately.
    fn examine(&mut self, file: usize) -> Result<(Opened, Vec<u8>), String> {
        let shared = Arc::clone(&self.shared);
        let TableFile { material, metric, .. } = shared.entries[file].file;
        let message = |error: io::Error| reason(&error);
        let source = self.source(file).map_err(message)?;
        let len = source.len;
        if len % 64 != 16 || len < 80 {
            return Err(format!("{len} bytes is not a valid table size"));
        }
        let whole = len <= VERIFIED;
        let mut bytes = vec![0; if whole { len as usize } else { LONGEST_HEAD }];
        (source.read_at)(0, &mut bytes).map_err(message)?;
        if whole {
            let (text, stored) = bytes.split_at(bytes.len() - 16);
            if checksum(text) != stored {
                return Err("its checksum is wrong".into());
            }
        }
        let layout = Layout::read(&bytes, len, material, metric)?;
        if !whole || bytes.len() > PRELOADED {
            bytes.clear();
        }
        let count = len.div_ceil(PAGE as u64) as usize;
        let pages = (0..count).map(|_| AtomicU32::new(0)).collect();
        Ok((Opened { layout, len, pages }, bytes))
    }

    /// Reads a page of an open table into the cache.
    fn fetch(&mut self, file: usize, page: usize) {
        let shared = Arc::clone(&self.shared);
        let Some(opened) = shared.entries[file].opened.get().and_then(Option::as_ref) else {
            return;
        };
        let start = page as u64 * PAGE as u64;
        let len = opened.len.saturating_sub(start).min(PAGE as u64) as usize;
        // Read before locking, so that the slot's old page stays usable while the disk works.
        let mut bytes = vec![0; len];
        let read = self.source(file).and_then(|source| (source.read_at)(start, &mut bytes));
        match read {
            Ok(()) => self.keep(file, page, opened, bytes),
            Err(error) => self.fail(file, &reason(&error)),
        }
    }

    /// Puts a page into a slot that has not been used recently.
    fn keep(&mut self, file: usize, page: usize, opened: &Opened, bytes: Vec<u8>) {
        let slots = &self.shared.slots;
        let number = loop {
            let number = self.hand;
            self.hand = (self.hand + 1) % slots.len();
            if !std::mem::take(&mut lock(&slots[number]).used) {
                break number;
            }
        };
        *lock(&slots[number]) = Slot { owner: Some((file, page)), used: true, bytes };
        if let Some(entry) = opened.pages.get(page) {
            entry.store(number as u32 + 1, Relaxed);
        }
    }

    fn source(&mut self, file: usize) -> io::Result<&mut Source> {
        match self.open.iter().position(|&(number, _)| number == file) {
            Some(at) => {
                if let Some(held) = self.open.remove(at) {
                    self.open.push_back(held);
                }
            }
            None => {
                if self.open.len() >= MOST_OPEN {
                    self.open.pop_front();
                }
                let source = (self.shared.entries[file].file.opener)()?;
                self.open.push_back((file, source));
            }
        }
        match self.open.back_mut() {
            Some((_, source)) => Ok(source),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENT: Patience<'static> = &|| true;

    /// A large file in which only the header is real. It can be read up to `readable`.
    fn synthetic(head: Vec<u8>, readable: u64) -> Source {
        let read_at = move |offset, buffer: &mut [u8]| {
            if offset >= readable {
                return Err(io::ErrorKind::NotFound.into());
            }
            for (at, byte) in (offset..).zip(buffer) {
                *byte = head.get(at as usize).copied().unwrap_or(byte_at(at));
            }
            Ok(())
        };
        Source { len: LEN, read_at: Box::new(read_at) }
    }

    const LEN: u64 = (VERIFIED + (1 << 20)) / 64 * 64 + 16;

    fn byte_at(at: u64) -> u8 {
        ((at * 0x9e37_79b9) >> 20) as u8
    }

    fn pager(pages: usize, readable: u64) -> Pager {
        // The header of KQvK.rtbw with both sides constant.
        let mut head = vec![0x71, 0xe8, 0x23, 0x5d, 1, 0, 0x66, 0x55, 0xee, 0];
        head.extend([128, 4, 128, 0]);
        let opener = Box::new(move || Ok(synthetic(head.clone(), readable)));
        let material = Material::parse("KQvK").unwrap();
        let file = TableFile { name: "KQvK.rtbw".into(), material, metric: Metric::Wdl, opener };
        Pager::with_pages(vec![file], pages)
    }

    #[test]
    fn a_small_cache_still_reads_correctly() {
        let pager = pager(3, LEN);
        let mut at = 12_345;
        for _ in 0..2_000 {
            at = (at * 69_069 + 1) % (LEN - 40);
            let wanted: Vec<u8> = (at..at + 40).map(byte_at).collect();
            if at < 100 {
                continue;
            }
            let read = pager.read(0, at, 40, PATIENT, <[u8]>::to_vec);
            assert_eq!(read, Ok(wanted), "{at}");
        }
        let behind = pager.read(0, LEN - 8, 40, PATIENT, <[u8]>::len);
        assert_eq!(behind, Err(Refusal::Damaged));
        assert_eq!(pager.take_faults(), [""; 0]);
    }

    /// XBoard ends a game at the system's words.
    #[test]
    fn a_file_that_has_gone_is_reported_in_our_own_words() {
        for readable in [0, 3 * PAGE as u64] {
            let pager = pager(3, readable);
            assert_eq!(pager.read(0, 4 * PAGE as u64, 8, PATIENT, <[u8]>::len), Err(Refusal::Damaged));
            assert_eq!(pager.take_faults(), ["KQvK.rtbw is not used: it does not exist"]);
        }
    }

    #[test]
    fn several_readers_share_a_small_cache() {
        let pager = pager(2, LEN);
        std::thread::scope(|scope| {
            for seed in 1..5u64 {
                let pager = &pager;
                scope.spawn(move || {
                    for i in 0..300 {
                        let at = 100 + (seed * 7_919_191 + i * 104_729) % (LEN - 200);
                        let read = pager.read(0, at, 8, PATIENT, |bytes| bytes[0]);
                        assert_eq!(read, Ok(byte_at(at)));
                    }
                });
            }
        });
    }
}
