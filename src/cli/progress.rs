//! Progress of long runs, on stderr where that is a terminal.
//!
//! Used by `cli::perft` and the files beside it.

use crate::perft::parallel::Watch;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Progress on stderr, where that is a terminal.
pub(super) struct Progress {
    terminal: bool,
}

impl Watch for Progress {
    fn is_watching(&self) -> bool {
        self.terminal
    }
    fn progress(&self, done: usize, all: usize, nodes: u128, time: Duration) {
        let seconds = time.as_secs_f64().max(1e-9);
        let share = done as f64 / all.max(1) as f64;
        let left = if done > 0 { seconds / share - seconds } else { f64::INFINITY };
        let speed = nodes as f64 / seconds / 1e6;
        let percent = 100.0 * share;
        // Nobody is hurt if stderr is closed.
        let _ =
            write!(std::io::stderr(), "\r{percent:5.1} %  {speed:.0} Mnps  {left:.0} s left\x1b[K");
    }
    fn warn(&self, message: &str) {
        let _ = writeln!(std::io::stderr(), "tabiya: {message}");
    }
}

impl Progress {
    pub(super) fn new() -> Self {
        Progress { terminal: std::io::stderr().is_terminal() }
    }

    pub(super) fn clear(&self) {
        if self.terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
