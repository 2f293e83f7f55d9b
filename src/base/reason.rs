//! Why a file cannot be read, in words of our own: [`reason`].
//!
//! XBoard takes the system's words, such as "No such file" and "Permission denied", in any line of an engine for the
//! sign that the engine could not be started, and ends the game.

use std::io::{Error, ErrorKind};

/// The error as the end of a sentence about a file or folder.
pub fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "it does not exist".into(),
        ErrorKind::PermissionDenied => "reading it is not allowed".into(),
        _ => error.to_string(),
    }
}
