//! How a command of the command line ends when it does not end well.
//!
//! Returned by every subcommand, told and turned into an exit code by `cli`. Nothing here prints.

use std::io;

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

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}
