//! Progress of long runs, on stderr.
//!
//! The progress line appears on a terminal only; messages about checkpoints and warnings are always printed.

use crate::perft::progress::{Status, Watch};
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Prints progress, checkpoint messages and warnings on stderr.
pub(crate) struct Progress {
    pub terminal: bool,
}

/// Million nodes a second.
pub(crate) fn mnps(nodes: u128, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6
}

impl Watch for Progress {
    fn is_watching(&self) -> bool {
        self.terminal
    }
    fn progress(&self, status: &Status) {
        let Status { done, all, nodes, time, left } = *status;
        let percent = 100.0 * done as f64 / all.max(1) as f64;
        let speed = mnps(nodes, time);
        let left = left.map_or("?".into(), |left| format!("{:.0}", left.as_secs_f64()));
        self.show(&format!("{percent:5.1} %  {speed:.0} Mnps  {left} s left"));
    }
    fn resumed(&self, done: usize, all: usize) {
        let percent = 100.0 * done as f64 / all.max(1) as f64;
        let text = match done {
            0 => format!("new checkpoint: {all} units to count"),
            _ => format!("resuming from the checkpoint: {done} of {all} units counted ({percent:.1} %)"),
        };
        let _ = writeln!(std::io::stderr(), "{text}");
    }
    fn warn(&self, message: &str) {
        super::failure::warn(message);
    }
}

impl Progress {
    pub(crate) fn new() -> Self {
        Progress { terminal: std::io::stderr().is_terminal() }
    }

    /// Shows `text` in place of what was shown before.
    pub(crate) fn show(&self, text: &str) {
        if self.terminal {
            // Ignore a closed stderr.
            let _ = write!(std::io::stderr(), "\r{text}\x1b[K");
        }
    }

    pub(crate) fn clear(&self) {
        self.show("");
    }
}
