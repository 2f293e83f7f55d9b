//! How a command of the command line ends when it does not end well, and the lines on stderr that say so.
//!
//! A [`Failure`] is returned by every subcommand, told and turned into an exit code by `cli`.

use std::io::{self, Write};

/// How a command ended, if not well.
#[derive(Debug)]
pub(super) enum Failure {
    /// Wrong arguments, unreadable input: exit code 2, the text on stderr.
    Usage(String),
    /// The command did its work and found a difference: exit code 1. It has said so already.
    Difference,
    /// Standard output is closed or full.
    Output(io::Error),
}

/// How a command ends.
pub(super) type Outcome<T = ()> = Result<T, Failure>;

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Failure::Usage(reason)
    }
}

impl From<&str> for Failure {
    fn from(reason: &str) -> Self {
        Failure::Usage(reason.into())
    }
}

/// A line on stderr: one, whatever names of files and programs hold.
pub(super) fn tell(text: &str) {
    let text: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    // If stderr is closed, the exit code has to do.
    let _ = writeln!(io::stderr(), "{text}");
}

/// A line about something that is done all the same.
pub(super) fn warn(text: &str) {
    tell(&format!("warning: {text}"));
}
