//! Progress of long runs, on stderr.
//!
//! The progress line appears on a terminal only.

use crate::base::speed::per_second;
use crate::perft;
use crate::perft::progress::Reporter;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::Duration;

/// Interval between two reports.
const INTERVAL: Duration = Duration::from_millis(500);

/// The line that shows progress.
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

/// Shows how far a run is, on a terminal.
pub(crate) fn reporter() -> Reporter<impl Fn(&perft::Progress) -> ControlFlow<()>> {
    let line = Progress::new();
    Reporter::new(INTERVAL, move |progress: &perft::Progress| {
        line.show(&text(progress));
        ControlFlow::Continue(())
    })
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
    use crate::perft::run::Finished;
    use std::sync::Mutex;

    /// Before its units are known a run has neither a share that is done nor a speed.
    #[test]
    fn the_line_says_what_is_known() {
        let lines = Mutex::new(Vec::new());
        let reporter = Reporter::new(Duration::ZERO, |progress: &perft::Progress| {
            lines.lock().unwrap().push(text(progress));
            ControlFlow::Continue(())
        });
        for (units, of, nodes) in [(0, 0, 0), (0, 4, 0), (1, 4, 1 << 40)] {
            reporter.poll(Finished { units, of, nodes });
        }
        let lines = lines.into_inner().unwrap();
        assert_eq!(lines[0], "listing the positions to count from  0 s");
        assert_eq!(lines[1], "  0.0 %  0 Mnps  ? s left");
        assert!(lines[2].starts_with(" 25.0 %  "), "{lines:?}");
    }
}
