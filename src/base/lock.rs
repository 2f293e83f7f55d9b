//! Locks that outlive a panic: [`lock`] and [`into_inner`].
//!
//! Used where the data behind a lock stay whole even if a thread that held it has panicked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, whether or not a thread has panicked with this lock.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the lock holds, in the same way.
pub fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
