//! Perft does not allocate, and a search only when it begins.
//!
//! The global allocator here counts allocations, per thread and in total. These tests are a separate program, because
//! the allocator serves a whole program and would count other tests too.

#[path = "common/watchdog.rs"]
mod watchdog;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use tabiya::chess::{self, Position};
use tabiya::engine::{Engine, Event, Limits, Listener};
use tabiya::game::{self, Searchable};
use tabiya::xiangqi;

struct Counting;

thread_local! {
    /// Allocations by this thread, because tests run in parallel.
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// Allocations by all threads.
static ALL_CALLS: AtomicU64 = AtomicU64::new(0);

fn count() {
    ALL_CALLS.fetch_add(1, SeqCst);
    CALLS.with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call is passed to the system's allocator unchanged. The counter neither allocates nor has a
// destructor, so it may be used at any time in a thread's life.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the promises of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocations by `work` on this thread.
fn calls<T>(work: impl FnOnce() -> T) -> u64 {
    let before = CALLS.get();
    black_box(work());
    CALLS.get() - before
}

const FENS: [&str; 4] = [
    Position::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];
const COUNTS: [u64; 4] = [197_281, 4_085_603, 422_333, 43_238];

#[test]
fn perft_does_not_allocate() {
    for &kernel in Position::kernels() {
        for (fen, expected) in FENS.into_iter().zip(COUNTS) {
            let pos = Position::from_fen(fen).unwrap();
            let _ = pos.perft_by(2, kernel); // the first call detects the CPU's features
            let mut nodes = 0;
            let calls = calls(|| {
                for depth in 0..4 {
                    let _ = pos.perft_by(depth, kernel);
                }
                nodes = pos.perft_by(4, kernel);
            });
            assert_eq!((nodes, calls), (expected, 0), "{fen} by {}", kernel.name());
        }
    }
}

/// Records the nodes of a search, and the allocations by its first thread when it first reports and when it last does;
/// allocates nothing.
#[derive(Default)]
struct Calls {
    nodes: Mutex<u64>,
    first: Mutex<Option<u64>>,
    last: Mutex<u64>,
}

/// Writes the calls so far with every line.
struct Recorder(Arc<Calls>);

impl<M> Listener<M> for Recorder {
    fn hear(&mut self, event: &Event<'_, M>) {
        if let Event::Line(info) = event {
            *self.0.nodes.lock().unwrap() = info.progress.nodes;
            self.0.first.lock().unwrap().get_or_insert(CALLS.get());
            *self.0.last.lock().unwrap() = CALLS.get();
        }
    }
}

/// A search allocates when it begins, and never again.
fn check_search<B: Searchable>(mate: Option<u32>, lines: usize) {
    let _watchdog = watchdog::Watchdog::default();
    let log = Arc::new(Calls::default());
    let mut engine = Engine::<B>::new();
    engine.settings.multi_pv = lines;
    engine.set_position(game::Position::<B>::from_fen(B::START_FEN).unwrap(), &[]);
    let before = ALL_CALLS.load(SeqCst);
    engine.go(Limits { mate, ..Limits::nodes(300_000) }, None, Box::new(Recorder(Arc::clone(&log))));
    engine.wait();
    let nodes = *log.nodes.lock().unwrap();
    let all = ALL_CALLS.load(SeqCst) - before;
    let later = *log.last.lock().unwrap() - log.first.lock().unwrap().unwrap();
    assert!(nodes > 200_000 && all < 2_000, "{all} calls for {nodes} nodes");
    assert_eq!(later, 0, "between iterations, or per node; mate {mate:?}, {lines} lines");
}

#[test]
fn a_search_allocates_only_when_it_begins() {
    for (mate, lines) in [(None, 1), (None, 30), (Some(20), 1)] {
        check_search::<chess::Board>(mate, lines);
        check_search::<xiangqi::Board>(mate, lines);
    }
}
