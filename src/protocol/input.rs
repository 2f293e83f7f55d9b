//! Splits the bytes of the input into lines. Memory use is bounded whatever the input.

use crate::base::files::text_of;
use std::io::{BufRead, BufReader, ErrorKind, Read};

/// Longest accepted line, in bytes. A game of 5,000 plies needs 26,000.
pub const MAX_LINE: usize = 1 << 20;

/// Splits bytes into lines at LF, CR or any mixture of the two; blank lines are skipped.
pub struct Lines<R> {
    source: BufReader<R>,
    line: Vec<u8>,
    /// Bytes of the current line, stored or not.
    length: usize,
    ended: bool,
}

/// A result of [`Lines`].
#[derive(PartialEq, Eq, Debug)]
pub enum Input {
    /// A line; the names of files in it may have bytes that are not UTF-8.
    Line(String),
    /// A line of this many bytes, more than [`MAX_LINE`], was skipped.
    TooLong(usize),
    /// End of input.
    End,
}

impl<R: Read> Lines<R> {
    /// Lines of `source`.
    pub fn new(source: R) -> Self {
        let source = BufReader::with_capacity(1 << 16, source);
        Lines { source, line: Vec::new(), length: 0, ended: false }
    }

    /// The next line. Blocks until there is input; a read error counts as end of input.
    pub fn take(&mut self) -> Input {
        while !self.ended {
            let buffer = match self.source.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => &[],
            };
            self.ended = buffer.is_empty();
            let end = buffer.iter().position(|&b| b == b'\n' || b == b'\r');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = MAX_LINE - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            self.length += part.len();
            let taken = part.len() + usize::from(end.is_some());
            self.source.consume(taken);
            if end.is_some()
                && let Some(taken) = self.end_line()
            {
                return taken;
            }
        }
        self.end_line().unwrap_or(Input::End)
    }

    /// Ends the current line; `None` if it is blank.
    fn end_line(&mut self) -> Option<Input> {
        let bytes = std::mem::take(&mut self.line);
        let length = std::mem::take(&mut self.length);
        if length > MAX_LINE {
            return Some(Input::TooLong(length));
        }
        // Some shells start a pipe with a byte order mark.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let text = text_of(bytes);
        (!text.trim().is_empty()).then_some(Input::Line(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Input> {
        let mut lines = Lines::new(bytes);
        let mut taken = Vec::new();
        loop {
            match lines.take() {
                Input::End => return taken,
                other => taken.push(other),
            }
        }
    }

    fn lines(words: &[&str]) -> Vec<Input> {
        words.iter().map(|w| Input::Line(w.to_string())).collect()
    }

    #[test]
    fn every_kind_of_line_end_is_accepted() {
        let expected = lines(&["uci", "isready", "quit"]);
        for text in [
            "uci\nisready\nquit\n",
            "uci\r\nisready\r\nquit\r\n",
            "uci\risready\rquit",
            "uci\n\risready\n\n\r\r  \t \nquit",
        ] {
            assert_eq!(all(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn invalid_bytes_are_replaced_and_the_byte_order_mark_is_dropped() {
        assert_eq!(all(b"\xef\xbb\xbfuci\n"), lines(&["uci"]));
        assert_eq!(all(b"a\xffb\0c\n"), lines(&["a\u{10ffff}b\0c"]));
        assert_eq!(all(b""), []);
    }

    #[test]
    fn a_line_too_long_is_skipped_and_the_next_one_is_whole() {
        let mut text = vec![b'x'; MAX_LINE + 5];
        text.extend_from_slice(b"\nuci\n");
        text.extend(vec![b'y'; MAX_LINE]);
        let taken = all(&text);
        assert_eq!(taken.len(), 3);
        assert_eq!(taken[0], Input::TooLong(MAX_LINE + 5));
        assert_eq!(taken[1], Input::Line("uci".to_string()));
        assert_eq!(taken[2], Input::Line("y".repeat(MAX_LINE)));
    }
}
