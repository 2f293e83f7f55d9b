//! Splits the bytes of the input into lines. Memory use is bounded whatever the input.

use crate::base::files::text_of;
use std::io::{BufRead, BufReader, ErrorKind, Read};

/// Longest accepted line, in bytes. A game of 5,000 plies needs 26,000.
pub const MAX_LINE: usize = 1 << 20;

/// Splits bytes into lines at LF, CR or any mixture of the two; blank lines are skipped. A line that is too long is
/// skipped too, with a message as the error. Names of files in a line may have bytes that are not UTF-8.
pub struct Lines {
    source: Box<dyn BufRead>,
    line: Vec<u8>,
    /// Bytes of the current line, stored or not.
    length: usize,
    ended: bool,
}

impl Lines {
    /// Lines of `source`.
    pub fn new(source: impl Read + 'static) -> Self {
        let source = Box::new(BufReader::with_capacity(1 << 16, source));
        Lines { source, line: Vec::new(), length: 0, ended: false }
    }

    /// Ends the current line; `None` if it is blank.
    fn end_line(&mut self) -> Option<Result<String, String>> {
        let bytes = std::mem::take(&mut self.line);
        let length = std::mem::take(&mut self.length);
        if length > MAX_LINE {
            return Some(Err(format!("skipped a line of {length} bytes; the limit is {MAX_LINE}")));
        }
        // Some shells start a pipe with a byte order mark.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let text = text_of(bytes);
        (!text.trim().is_empty()).then_some(Ok(text))
    }
}

impl Iterator for Lines {
    type Item = Result<String, String>;

    /// Blocks until there is a line; a read error counts as the end of the input.
    fn next(&mut self) -> Option<Self::Item> {
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
                && let Some(line) = self.end_line()
            {
                return Some(line);
            }
        }
        self.end_line()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &'static [u8]) -> Vec<Result<String, String>> {
        Lines::new(bytes).collect()
    }

    fn lines(words: &[&str]) -> Vec<Result<String, String>> {
        words.iter().map(|w| Ok(w.to_string())).collect()
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
        let taken: Vec<_> = Lines::new(std::io::Cursor::new(text)).collect();
        let skipped = format!("skipped a line of {} bytes; the limit is {MAX_LINE}", MAX_LINE + 5);
        assert_eq!(taken, [Err(skipped), Ok("uci".to_string()), Ok("y".repeat(MAX_LINE))]);
    }
}
