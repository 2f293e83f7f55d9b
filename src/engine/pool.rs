//! Threads that are started once and do task after task, each with its own memory. It knows nothing of the search.
//!
//! `Engine` owns the [`Pool`] of its search threads, so that `go` neither starts threads nor allocates their memory.

use crate::base::lock::lock;
use crate::base::pages::has_room;
use std::io::{self, ErrorKind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// Stack size of a search thread, in bytes. `MAX_PLY` frames of search and as many of quiescence search need about a
/// tenth of it.
pub const STACK_BYTES: usize = 32 << 20;

/// Bytes that must be left for everything else when a thread has its stack: without memory the program aborts.
const ROOM_BESIDES: usize = 4 << 20;

/// What a thread is to do with its memory.
pub(super) type PoolTask<M> = Box<dyn FnOnce(&mut M) + Send>;

/// The memory of a thread, and the thread with the sender of its tasks, if it has been started.
struct Worker<M> {
    memory: Arc<Mutex<M>>,
    thread: Option<(Sender<PoolTask<M>>, JoinHandle<()>)>,
}

impl<M: Send + 'static> Worker<M> {
    /// The sender of the thread's tasks; `None` if it has not been started, or has panicked.
    fn tasks(&self) -> Option<&Sender<PoolTask<M>>> {
        let (tasks, thread) = self.thread.as_ref()?;
        (!thread.is_finished()).then_some(tasks)
    }

    /// Starts the thread, unless it runs, with `first_task` as its first task. Returns whether it had to be started.
    fn start(&mut self, first_task: fn(&mut M)) -> io::Result<bool> {
        if self.tasks().is_some() {
            return Ok(false);
        }
        if !has_room(STACK_BYTES + ROOM_BESIDES) {
            return Err(ErrorKind::OutOfMemory.into());
        }
        let memory = Arc::clone(&self.memory);
        let (sender, tasks) = channel::<PoolTask<M>>();
        let thread = std::thread::Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(move || {
            for task in tasks {
                task(&mut lock(&memory));
            }
        })?;
        // It cannot fail: the thread is waiting to receive.
        let _ = sender.send(Box::new(first_task));
        self.thread = Some((sender, thread));
        Ok(true)
    }
}

impl<M> Drop for Worker<M> {
    fn drop(&mut self) {
        if let Some((tasks, thread)) = self.thread.take() {
            drop(tasks);
            // An error means that the thread panicked, which has been reported.
            let _ = thread.join();
        }
    }
}

/// The memories of some threads, and those of the threads that have been started.
pub(super) struct Pool<M>(Vec<Worker<M>>);

impl<M: Send + 'static> Pool<M> {
    pub(super) fn new() -> Self {
        Pool(Vec::new())
    }

    /// Changes the number of threads. Those that stay keep their memory. There are fewer if `memory` has none. No
    /// thread may have a task.
    pub(super) fn resize(&mut self, count: usize, memory: impl Fn() -> Option<M>) {
        self.0.truncate(count);
        while self.0.len() < count
            && let Some(memory) = memory()
        {
            self.0.push(Worker { memory: Arc::new(Mutex::new(memory)), thread: None });
        }
    }

    /// The number of threads that run.
    pub(super) fn running(&self) -> usize {
        self.0.iter().filter(|worker| worker.tasks().is_some()).count()
    }

    /// Whether there is no memory for even one thread.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Starts the threads that do not run yet, from number `first` on, each with `first_task`, and waits until they
    /// are ready. If one of the others cannot be started, there are fewer.
    ///
    /// # Errors
    /// If number `first` cannot be started, or there is no memory for even one thread.
    pub(super) fn start(&mut self, first: usize, first_task: fn(&mut M)) -> io::Result<()> {
        if self.is_empty() {
            return Err(ErrorKind::OutOfMemory.into());
        }
        let mut any_started = false;
        for (number, worker) in self.0.iter_mut().enumerate().skip(first) {
            match worker.start(first_task) {
                Ok(started) => any_started |= started,
                Err(error) if number == first => return Err(error),
                Err(_) => break,
            }
        }
        if any_started {
            self.run_all(|_| ());
        }
        Ok(())
    }

    /// Gives the first thread a task, if it runs.
    pub(super) fn give(&self, task: impl FnOnce(&mut M) + Send + 'static) {
        if let Some(tasks) = self.0[0].tasks() {
            let _ = tasks.send(Box::new(task));
        }
    }

    /// The senders of the other running threads' tasks. A thread ends only when all its senders are dropped.
    pub(super) fn others(&self) -> Vec<Sender<PoolTask<M>>> {
        self.0.iter().skip(1).filter_map(|worker| worker.tasks().cloned()).collect()
    }

    /// Does `task` on the calling thread with the memory of the first one, which must be idle.
    pub(super) fn run_here<R>(&self, task: impl FnOnce(&mut M) -> R) -> R {
        task(&mut lock(&self.0[0].memory))
    }

    /// Does `task` with every memory; where there are threads, at the same time. Waits until it is done.
    pub(super) fn run_all(&self, task: fn(&mut M)) {
        let (sender, done) = channel::<()>();
        for worker in &self.0 {
            if let Some(tasks) = worker.tasks() {
                let sender = sender.clone();
                let _ = tasks.send(Box::new(move |memory| {
                    task(memory);
                    drop(sender);
                }));
            } else {
                task(&mut lock(&worker.memory));
            }
        }
        drop(sender);
        // Nothing is ever sent: the channel closes when the last thread is done.
        let _ = done.recv();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_keep_their_memory_from_task_to_task() {
        let mut pool = Pool::<Vec<u32>>::new();
        for count in [3, 1, 4] {
            pool.resize(count, || Some(Vec::new()));
            pool.start(0, |memory| memory.push(0)).unwrap();
            assert_eq!(pool.others().len(), count - 1);
            pool.run_all(|memory| memory.push(1));
        }
        // The first was there from the beginning, the others were started for the last round.
        let lengths: Vec<usize> = pool.0.iter().map(|worker| lock(&worker.memory).len()).collect();
        assert_eq!(lengths, [4, 2, 2, 2]);
    }

    #[test]
    fn there_are_as_many_threads_as_there_is_memory_for() {
        let mut pool = Pool::<u32>::new();
        assert!(pool.start(0, |_| ()).is_err());
        let left = std::cell::Cell::new(2);
        let memory = || {
            left.set(u32::checked_sub(left.get(), 1)?);
            Some(left.get())
        };
        pool.resize(3, memory);
        pool.start(0, |_| ()).unwrap();
        assert_eq!((pool.running(), pool.others().len()), (2, 1));
        pool.resize(1, || None);
        assert_eq!(pool.running(), 1);
    }

    #[test]
    fn tasks_run_without_threads_too() {
        let mut pool = Pool::<u32>::new();
        pool.resize(2, || Some(7));
        pool.run_all(|memory| *memory += 1);
        assert_eq!((pool.run_here(|memory| *memory), pool.others().len()), (8, 0));
    }

    #[test]
    #[cfg(panic = "unwind")]
    fn a_thread_that_panicked_is_started_again() {
        let mut pool = Pool::<u32>::new();
        pool.resize(1, || Some(7));
        pool.start(0, |_| ()).unwrap();
        pool.give(|_| panic!("a panic for a test"));
        while pool.running() > 0 {
            std::thread::yield_now();
        }
        pool.run_all(|memory| *memory += 1);
        pool.start(0, |memory| *memory += 1).unwrap();
        let (sender, seen) = channel();
        pool.give(move |memory| sender.send(*memory).unwrap());
        assert_eq!(seen.recv(), Ok(9));
    }
}
