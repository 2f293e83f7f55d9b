//! The output, which the thread that reads and a search share: whole lines, each flushed. A closed output ends the
//! program: nobody is left to be answered.

use crate::base::lock::lock;
use crate::base::patience::patience;
use crate::base::reader;
use std::io::{self, ErrorKind, Write};
use std::process::exit;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often it is checked that somebody reads, while nothing is written.
fn check_interval() -> Duration {
    patience(500)
}

/// Where a session writes.
pub struct Output(Mutex<Box<dyn Write + Send>>);

impl Output {
    /// An output that writes to `sink`.
    pub fn new(sink: impl Write + Send + 'static) -> Self {
        Output(Mutex::new(Box::new(sink)))
    }

    /// Writes one or more lines, unless `text` is empty.
    pub fn say(&self, text: &str) {
        if !text.is_empty() {
            let mut sink = lock(&self.0);
            let done = sink.write_all(format!("{text}\n").as_bytes()).and_then(|()| sink.flush());
            done.unwrap_or_else(|error| end_unheard(&error));
        }
    }
}

/// Ends the program, whose output cannot be written.
fn end_unheard(error: &io::Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        exit(0);
    }
    // If stderr is closed too, the exit code has to suffice.
    let _ = writeln!(io::stderr(), "tabiya: cannot write the output: {error}");
    exit(2);
}

/// Does `work`, which may write nothing for long. The program ends if the reader of its standard output goes meanwhile.
pub fn while_read<T>(work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (done, end) = channel::<()>();
        let watch = move || {
            while end.recv_timeout(check_interval()) == Err(RecvTimeoutError::Timeout) {
                if reader::is_gone() {
                    end_unheard(&ErrorKind::BrokenPipe.into());
                }
            }
        };
        // If the system has no thread for it, the next line that is written shows it.
        let _ = std::thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        drop(done);
        result
    })
}
