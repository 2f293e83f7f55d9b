//! Progress of long runs, on stderr.
//!
//! The progress line appears on a terminal only; messages about checkpoints and warnings are always printed.

use crate::base::speed::per_second;
use crate::base::text::counted;
use crate::perft;
use crate::perft::progress::Watch;
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Interval between two reports.
const INTERVAL: Duration = Duration::from_millis(500);

/// Prints progress, checkpoint messages and warnings on stderr.
pub(crate) struct Progress {
    pub terminal: bool,
}

/// Million nodes a second.
pub(crate) fn mnps(nodes: u128, time: Duration) -> f64 {
    per_second(nodes, time) / 1e6
}

/// What the progress line says.
fn text(progress: &perft::Progress) -> String {
    let perft::Progress { done, all, nodes, time, left, .. } = *progress;
    if all == 0 {
        return format!("listing the positions to count from  {} s", time.as_secs());
    }
    let percent = 100.0 * done as f64 / all as f64;
    let left = left.map_or("?".into(), |left| format!("{:.0}", left.as_secs_f64()));
    format!("{percent:5.1} %  {:.0} Mnps  {left} s left", mnps(nodes, time))
}

impl Watch for Progress {
    fn interval(&self) -> Option<Duration> {
        self.terminal.then_some(INTERVAL)
    }
    fn progress(&self, progress: &perft::Progress) {
        self.show(&text(progress));
    }
    fn resumed(&self, done: usize, all: usize) {
        let percent = 100.0 * done as f64 / all.max(1) as f64;
        let text = match done {
            0 => format!("new checkpoint: {} to count", counted(all, "unit")),
            _ => format!("resuming from the checkpoint: {done} of {} counted ({percent:.1} %)", counted(all, "unit")),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft::frontier::Journal as _;
    use crate::perft::progress::Sums;
    use std::sync::Mutex;
    use std::thread::sleep;

    /// Keeps what the line says.
    struct Lines(Mutex<Vec<String>>);

    impl Watch for Lines {
        fn interval(&self) -> Option<Duration> {
            Some(Duration::ZERO)
        }
        fn progress(&self, progress: &perft::Progress) {
            self.0.lock().unwrap().push(text(progress));
        }
    }

    /// Before its units are known a run has neither a share that is done nor a speed.
    #[test]
    fn the_line_says_what_is_known() {
        let lines = Lines(Mutex::default());
        let sums = Sums::<u128>::new(vec![0], 0, &lines);
        let wait_for = |word: &str| {
            while !lines.0.lock().unwrap().iter().any(|line| line.contains(word)) {
                sleep(Duration::from_millis(1));
            }
        };
        sums.reporting(|| {
            wait_for("listing the positions to count from  0 s");
            sums.expect(4);
            wait_for("  0.0 %  0 Mnps  ? s left");
            sums.enter(0, vec![1 << 40]);
            wait_for(" 25.0 %  ");
        });
    }
}
