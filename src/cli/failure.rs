//! How a command fails, and lines on stderr.
//!
//! Every subcommand returns a [`CommandResult`]; `cli` prints the [`Failure`] and turns it into an exit code.

use crate::base::files::is_byte;
use std::io::{self, Write};

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad arguments or input: exit code 2, with this text on stderr.
    Usage(String),
    /// The command found a difference, which it has printed: exit code 1.
    Difference,
    /// Standard output is closed or cannot be written.
    Output(io::Error),
}

/// The result of a command.
pub(crate) type CommandResult<T = ()> = Result<T, Failure>;

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

/// Prints one line on stderr. Control characters and bytes that are not UTF-8, which names of files may contain, become
/// `?`.
pub(crate) fn print_err(text: &str) {
    let text: String = text.chars().map(|c| if c.is_control() || is_byte(c) { '?' } else { c }).collect();
    // If stderr is closed, the exit code has to suffice.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints a warning on stderr; the command continues.
pub(crate) fn warn(text: &str) {
    print_err(&format!("warning: {text}"));
}
