//! Threads that draw work items from a shared counter. The calling thread is one of the workers, and the only one where
//! no other can be started.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

/// Runs `work` once on each of at most `threads` threads. Compiled once for all kinds of work.
pub fn on_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Runs `work` for 0 … `number` − 1, distributed over at most `threads` threads.
pub fn spread(threads: usize, number: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    on_threads(threads.min(number), &|| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= number {
                return;
            }
            work(index);
        }
    });
}
