//! An end for waits inside this process, such as `Engine::wait`, which have none of their own.

#![allow(dead_code)]

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Far more than a test with a watchdog needs.
const PATIENCE: Duration = Duration::from_secs(600);

/// Aborts the tests unless it is dropped in time. A thread that hangs cannot be ended otherwise.
pub struct Watchdog(#[expect(dead_code, reason = "dropped, never used")] Sender<()>);

impl Default for Watchdog {
    fn default() -> Watchdog {
        let (sender, receiver) = channel();
        let test = std::thread::current().name().unwrap_or("a test").to_string();
        std::thread::spawn(move || {
            if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("{test} has not ended within {PATIENCE:?}");
                std::process::abort();
            }
        });
        Watchdog(sender)
    }
}
