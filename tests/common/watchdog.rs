//! A time-out for waits inside the test process that have none, such as `Engine::wait`.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// The time-out, far more than any test needs.
const PATIENCE: Duration = Duration::from_secs(600);

/// Aborts the test process unless it is dropped in time. There is no other way to end a thread that hangs.
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
