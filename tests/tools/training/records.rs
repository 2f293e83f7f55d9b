//! Reads the records of a file of training data in order, for `train` and `rescore`.

use crate::record::{Labels, RECORD_BYTES, Recorded};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use tabiya::base::files::path_of;
use tabiya::game::Position;

/// An open file of training data. Errors name it.
pub struct Records<'a> {
    file: &'a str,
    reader: BufReader<File>,
    /// Complete records read so far.
    pub read: usize,
}

impl<'a> Records<'a> {
    pub fn open(file: &'a str) -> Result<Self, String> {
        let opened = File::open(path_of(file)).map_err(|error| format!("{file}: {error}"))?;
        Ok(Records { file, reader: BufReader::with_capacity(1 << 20, opened), read: 0 })
    }

    /// The next position with its labels, or `None` at the end of the file.
    pub fn next<B: Recorded>(&mut self) -> Result<Option<(Position<B>, Labels)>, String> {
        let mut record = [0; RECORD_BYTES];
        match self.reader.read_exact(&mut record) {
            Ok(()) => {}
            // A running `datagen` may have written part of a record.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", self.file)),
        }
        self.read += 1;
        let Some((pos, labels)) = B::from_record(&record) else {
            let reason = "is no training data of this game";
            return Err(format!("{}: record {} {reason}", self.file, self.read));
        };
        Ok(Some((pos, labels)))
    }
}
