//! Progress of long runs, on stderr.
//!
//! The progress line appears on a terminal only; messages about checkpoints and warnings are always printed.

use crate::perft::progress::{Status, Watch};
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Prints progress, checkpoint messages and warnings on stderr.
pub(super) struct Progress {
    pub terminal: bool,
}

/// Million nodes a second.
pub(super) fn mnps(nodes: u128, time: Duration) -> f64 {
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
    fn resumed(&self, done: usize, all: usize, seeds: &BTreeSet<u64>) {
        let percent = 100.0 * done as f64 / all.max(1) as f64;
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        let (s, seeds) = (if seeds.len() == 1 { "" } else { "s" }, seeds.join(", "));
        let _ = match done {
            0 => writeln!(std::io::stderr(), "new checkpoint: {all} parts to count"),
            _ => writeln!(
                std::io::stderr(),
                "resuming from the checkpoint: {done} of {all} parts counted ({percent:.1} %), seed{s} {seeds}"
            ),
        };
    }
    fn warn(&self, message: &str) {
        super::failure::warn(message);
    }
}

impl Progress {
    pub(super) fn new() -> Self {
        Progress { terminal: std::io::stderr().is_terminal() }
    }

    /// Shows `text` in place of what was shown before.
    pub(super) fn show(&self, text: &str) {
        if self.terminal {
            // Ignore a closed stderr.
            let _ = write!(std::io::stderr(), "\r{text}\x1b[K");
        }
    }

    pub(super) fn clear(&self) {
        self.show("");
    }
}
