//! Counting leaves takes nothing from the heap, nor does a search for its nodes.
//!
//! An allocator that counts every call for memory, per thread and of all threads together. It serves the whole
//! program, and other tests would be counted with these, so this is a program of its own.

#[path = "common/watchdog.rs"]
mod watchdog;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use tabiya::chess::Position;
use tabiya::engine::{Engine, Info, Limits, Report};
use tabiya::game::{Notation, Playable, Rules};
use tabiya::xiangqi;

struct Counting;

thread_local! {
    /// Calls for memory made by this thread: other tests run beside this one.
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// Calls of all threads.
static ALL_CALLS: AtomicU64 = AtomicU64::new(0);

fn count() {
    ALL_CALLS.fetch_add(1, SeqCst);
    CALLS.with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call is handed to the system's allocator unchanged; the counter neither allocates nor has a
// destructor, so it may be touched at any time of a thread's life.
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

/// How often `work` asks for memory.
fn calls<T>(work: impl FnOnce() -> T) -> u64 {
    let before = CALLS.get();
    black_box(work());
    CALLS.get() - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(calls(|| Box::new(1)), 1);
    assert_eq!(calls(|| vec![0u8; 64]), 1);
    assert_eq!(calls(|| 1 + 1), 0);
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
    for (fen, expected) in FENS.into_iter().zip(COUNTS) {
        let pos = Position::from_fen(fen).unwrap();
        let _ = pos.perft(2); // the CPU's features are found out once a process
        let mut nodes = 0;
        let calls = calls(|| nodes = pos.perft(4));
        assert_eq!((nodes, calls), (expected, 0), "{fen}");
    }
}

/// Whatever counts the leaves.
#[test]
fn no_kernel_allocates() {
    for kernel in Position::kernels() {
        for (fen, expected) in FENS.into_iter().zip(COUNTS) {
            let pos = Position::from_fen(fen).unwrap();
            pos.perft_by(2, kernel);
            let mut nodes = 0;
            let calls = calls(|| {
                for depth in 0..4 {
                    pos.perft_by(depth, kernel);
                }
                nodes = pos.perft_by(4, kernel);
            });
            assert_eq!((nodes, calls), (expected, 0), "{fen} by {}", kernel.name());
        }
    }
}

/// Nor does anything else that a search calls at every node.
#[test]
fn generation_make_and_keys_do_not_allocate() {
    for fen in FENS {
        let pos = Position::from_fen(fen).unwrap();
        pos.count_legal();
        let calls = calls(|| {
            let (all, noisy) = (pos.legal_moves(), pos.noisy_moves());
            let mut mixed = pos.key() ^ all.len() as u64 ^ noisy.len() as u64;
            for &m in &all {
                let mut child = pos;
                mixed ^= pos.key_after(mixed, m);
                child.make(m);
                mixed ^= u64::from(child.in_check()) ^ u64::from(pos.is_legal(m));
                mixed ^= u64::from(child.verdict(mixed, &[], 0).is_some());
                mixed ^= pos.move_text(m).as_str().len() as u64;
            }
            mixed
        });
        assert_eq!(calls, 0, "{fen}");
    }
}

/// Nor on the larger board; evaluation and the judge of repetitions are included.
#[test]
fn xiangqi_does_not_allocate() {
    let mut pos = xiangqi::Position::from_fen(xiangqi::Position::START_FEN).unwrap();
    let mut trail = Vec::with_capacity(16);
    for text in "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0 c7b9".split(' ') {
        let m = pos.parse_move(text).unwrap();
        trail.push(pos.step(pos.key(), m));
        pos.make(m);
    }
    let calls = calls(|| {
        let (all, noisy, quiet) = (pos.legal_moves(), pos.noisy_moves(), pos.quiet_moves());
        let mut mixed = pos.key() ^ (all.len() + noisy.len() + quiet.len()) as u64;
        assert!(pos.verdict(pos.key(), &trail, 0).is_some());
        for &m in all.as_slice() {
            let mut child = pos;
            mixed ^= pos.key_after(mixed, m) ^ pos.code(m) as u64 ^ pos.gain(m) as u64;
            mixed ^= u64::from(pos.see_at_least(m, 1)) ^ u64::from(pos.is_legal(m));
            child.make(m);
            mixed ^= u64::from(Playable::in_check(&child)) ^ child.evaluate(&mut ()) as u64;
            mixed ^= child.structure_key() ^ child.count_legal();
        }
        mixed
    });
    assert_eq!(calls, 0);
}

/// Hears of a search's nodes, and takes nothing from the heap for it.
#[derive(Default)]
struct Nodes(Mutex<u64>);

impl<P: Playable> Report<P> for Nodes {
    fn info(&self, info: &Info<'_, P::Move>) {
        *self.0.lock().unwrap() = info.nodes;
    }
    fn best(&self, _best: Option<P::Move>, _ponder: Option<P::Move>, _score: i32) {}
}

/// What a search of `nodes` takes from the heap, and its nodes; with `mate` for a mate in so many moves.
fn searched<P: Playable + Notation>(nodes: u64, mate: Option<u32>) -> (u64, u64) {
    let _watchdog = watchdog::Watchdog::default();
    let log = Arc::new(Nodes::default());
    let mut engine = Engine::new(Arc::clone(&log) as Arc<dyn Report<P>>);
    let start = P::from_fen(P::START_FEN).unwrap();
    let mut run = |nodes| {
        engine.new_game();
        engine.set_position(start, &[]);
        let before = ALL_CALLS.load(SeqCst);
        engine.go(Limits { mate, ..Limits::nodes(nodes) });
        engine.wait();
        ALL_CALLS.load(SeqCst) - before
    };
    run(100);
    (run(nodes), *log.0.lock().unwrap())
}

/// Memory is taken when a search begins and between its iterations, never for nodes.
#[test]
fn a_search_does_not_allocate_for_its_nodes() {
    for mate in [None, Some(20)] {
        let chess = searched::<Position>(300_000, mate);
        for (calls, nodes) in [chess, searched::<xiangqi::Position>(300_000, mate)] {
            assert!(nodes > 200_000 && calls < 1_500, "{calls} calls for {nodes} nodes");
        }
    }
}
