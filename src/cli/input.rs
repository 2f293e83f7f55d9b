//! Input that a command reads: a file, or standard input.

use crate::base::files::{path_of, read_all};
use std::fs::File;
use std::io;

/// The name of the file `path`, or of standard input, for output.
pub(crate) fn shown(path: &str) -> String {
    if path == "-" { "stdin".into() } else { path_of(path).display().to_string() }
}

/// Reads the file `path`, or standard input if it is `-`, of at most `most` bytes. Returns its name for messages too.
/// Pipes are read, since shells pass them as files.
///
/// # Errors
/// If it cannot be read or is longer, in one line with the name.
pub(crate) fn read_input(path: &str, most: u64) -> Result<(String, Vec<u8>), String> {
    let (name, read) = match path {
        "-" => ("stdin".to_string(), read_all(io::stdin(), most)),
        // Not `quoted`, which would cut off the end of a long path.
        _ => (format!("{:?}", path_of(path)), File::open(path_of(path)).and_then(|file| read_all(file, most))),
    };
    match read {
        Ok(bytes) => Ok((name, bytes)),
        Err(error) => Err(format!("cannot read {name}: {error}")),
    }
}
