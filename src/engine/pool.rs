//! Threads that are started once and do task after task, each with its own memory. It knows nothing of the search.
//!
//! `Engine` owns the [`Pool`] of its search threads, so that `go` neither starts threads nor allocates their memory.
//! Each thread has a [`Seat`]: there it gets its tasks, and others wait there until it is done.

use crate::base::lock::lock;
use crate::base::pages::has_room;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Stack size of a search thread, in bytes. `MAX_PLY` frames of search and as many of quiescence search need about a
/// tenth of it.
pub const STACK_BYTES: usize = 32 << 20;

/// Bytes that must be left for others when a thread has its stack: where they end, so does the program.
const ROOM_BESIDES: usize = 4 << 20;

/// What a thread is to do with its memory.
type Task<M> = Box<dyn FnOnce(&mut M) + Send>;

enum State<M> {
    Idle,
    Given(Task<M>),
    Busy,
    /// The thread is to end.
    Leaving,
    /// The thread has panicked, which only a debug build survives.
    Gone,
}

/// The place of a thread, with its memory.
pub(super) struct Seat<M> {
    memory: Mutex<M>,
    state: Mutex<State<M>>,
    changed: Condvar,
}

impl<M> Seat<M> {
    fn set(&self, state: State<M>) {
        *lock(&self.state) = state;
        self.changed.notify_all();
    }

    /// Gives the thread, which must be idle, a task.
    pub(super) fn give(&self, task: impl FnOnce(&mut M) + Send + 'static) {
        self.set(State::Given(Box::new(task)));
    }

    /// Waits until the thread has no task.
    pub(super) fn wait(&self) {
        let mut state = lock(&self.state);
        while matches!(*state, State::Given(_) | State::Busy) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Does the task `task` on the calling thread.
    fn run(&self, task: impl FnOnce(&mut M)) {
        task(&mut lock(&self.memory));
    }

    /// The next task; `None` if there will be no more.
    fn next_task(&self) -> Option<Task<M>> {
        let mut state = lock(&self.state);
        loop {
            match std::mem::replace(&mut *state, State::Busy) {
                State::Given(task) => return Some(task),
                State::Leaving => return None,
                other => *state = other,
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Does tasks until there will be no more.
    fn serve(&self) {
        /// Frees the seat, even if the task panics.
        struct Done<'a, M>(&'a Seat<M>);
        impl<M> Drop for Done<'_, M> {
            fn drop(&mut self) {
                self.0.set(if std::thread::panicking() { State::Gone } else { State::Idle });
            }
        }
        while let Some(task) = self.next_task() {
            let _done = Done(self);
            self.run(task);
        }
    }
}

/// A seat and its thread, if that has been started.
struct Place<M> {
    seat: Arc<Seat<M>>,
    thread: Option<JoinHandle<()>>,
}

impl<M: Send + 'static> Place<M> {
    fn has_thread(&self) -> bool {
        self.thread.is_some() && !matches!(*lock(&self.seat.state), State::Gone)
    }

    /// Starts the thread, unless it runs, with `first_task` as its first task.
    fn start(&mut self, first_task: fn(&mut M)) -> io::Result<()> {
        if !self.has_thread() {
            if !has_room(STACK_BYTES + ROOM_BESIDES) {
                return Err(ErrorKind::OutOfMemory.into());
            }
            self.seat.set(State::Idle);
            let seat = Arc::clone(&self.seat);
            let thread = std::thread::Builder::new().name("search".into()).stack_size(STACK_BYTES);
            self.thread = Some(thread.spawn(move || seat.serve())?);
            self.seat.give(first_task);
        }
        Ok(())
    }
}

impl<M> Drop for Place<M> {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.seat.wait();
            self.seat.set(State::Leaving);
            // An error is a panic, which a debug build has survived.
            let _ = thread.join();
        }
    }
}

/// Some seats, and a thread for each of them that has been started.
pub(super) struct Pool<M>(Vec<Place<M>>);

impl<M: Send + 'static> Pool<M> {
    pub(super) fn new() -> Self {
        Pool(Vec::new())
    }

    /// Changes the number of seats. Those that stay keep their memory. There are fewer if `memory` has none.
    pub(super) fn resize(&mut self, count: usize, memory: impl Fn() -> Option<M>) {
        self.0.truncate(count);
        while self.0.len() < count
            && let Some(memory) = memory()
        {
            let (memory, state) = (Mutex::new(memory), Mutex::new(State::Idle));
            let seat = Arc::new(Seat { memory, state, changed: Condvar::new() });
            self.0.push(Place { seat, thread: None });
        }
    }

    /// The number of threads that run.
    pub(super) fn running(&self) -> usize {
        self.0.iter().filter(|place| place.has_thread()).count()
    }

    /// Whether there is no seat.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Starts the threads that do not run yet, from number `first` on, each with `first_task`, and waits until they
    /// are ready. If one of the others cannot be started, there are fewer.
    ///
    /// # Errors
    /// If number `first` cannot be started, or there is no seat at all.
    pub(super) fn start(&mut self, first: usize, first_task: fn(&mut M)) -> io::Result<()> {
        if self.is_empty() {
            return Err(ErrorKind::OutOfMemory.into());
        }
        let mut started = self.0.iter_mut().skip(first).map(|place| place.start(first_task));
        let result = started.next().unwrap_or(Ok(()));
        let _ = result.is_ok() && started.all(|started| started.is_ok());
        self.wait();
        result
    }

    /// The seat of the first thread.
    pub(super) fn first(&self) -> &Seat<M> {
        &self.0[0].seat
    }

    /// The seats of the other threads that run.
    pub(super) fn others(&self) -> Vec<Arc<Seat<M>>> {
        let running = self.0.iter().skip(1).filter(|place| place.has_thread());
        running.map(|place| Arc::clone(&place.seat)).collect()
    }

    /// Does `task` on the calling thread with the memory of the first one, which must be idle.
    pub(super) fn run_here(&self, task: impl FnOnce(&mut M)) {
        self.first().run(task);
    }

    /// Waits until no thread has a task.
    pub(super) fn wait(&self) {
        for place in &self.0 {
            place.seat.wait();
        }
    }

    /// Does `task` with every memory; where there are threads, at the same time.
    pub(super) fn run_all(&self, task: fn(&mut M)) {
        for place in &self.0 {
            if place.has_thread() {
                place.seat.give(task);
            } else {
                place.seat.run(task);
            }
        }
        self.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn threads_keep_their_memory_from_task_to_task() {
        let mut pool = Pool::<Vec<u32>>::new();
        for count in [3, 1, 4] {
            pool.resize(count, || Some(Vec::new()));
            pool.start(0, |memory| memory.push(0)).unwrap();
            assert_eq!(pool.others().len(), count - 1);
            pool.run_all(|memory| memory.push(1));
        }
        let (sender, lengths) = channel();
        for place in &pool.0 {
            let sender = sender.clone();
            place.seat.give(move |memory| sender.send(memory.len()).unwrap());
        }
        pool.wait();
        // The first was there from the beginning, the others were started for the last round.
        let mut lengths: Vec<usize> = lengths.try_iter().collect();
        lengths.sort_unstable();
        assert_eq!(lengths, [2, 2, 2, 4]);
    }

    #[test]
    fn there_are_as_many_seats_as_there_is_memory_for() {
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
        let mut seen = 0;
        pool.run_here(|memory| seen = *memory);
        assert_eq!((seen, pool.others().len()), (8, 0));
    }

    #[test]
    #[cfg(panic = "unwind")]
    fn a_thread_that_panicked_is_started_again() {
        let mut pool = Pool::<u32>::new();
        pool.resize(1, || Some(7));
        pool.start(0, |_| ()).unwrap();
        pool.first().give(|_| panic!("a panic for a test"));
        pool.wait();
        pool.run_all(|memory| *memory += 1);
        pool.start(0, |memory| *memory += 1).unwrap();
        let (sender, seen) = channel();
        pool.first().give(move |memory| sender.send(*memory).unwrap());
        assert_eq!(seen.recv(), Ok(9));
    }
}
