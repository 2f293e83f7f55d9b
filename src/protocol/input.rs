//! The input thread: reads stdin, splits lines, and deals at once with what must not wait.
//!
//! Every line is given its number here. `stop` ends the search here, `isready` is answered here while a search
//! runs; all the rest goes to the session in order, the end of the input as well. Nothing here waits for the
//! search, and no input makes it hold more than a fixed amount of memory.

use super::console::{Console, Line};
use std::io::{BufRead, BufReader, ErrorKind, Read};

/// The answer to `isready`, the same in both protocols.
pub const READY: &str = "readyok";

/// Longest line that is taken, in bytes. A game of 5,000 plies needs 26,000.
pub const MAX_LINE: usize = 1 << 20;

/// Splits bytes into lines at LF, CR or any mixture of the two; blank lines are left out.
pub struct Lines<R> {
    source: BufReader<R>,
    line: Vec<u8>,
    /// Bytes of the present line, kept or not.
    length: usize,
    ended: bool,
}

/// One result of [`Lines`].
#[derive(PartialEq, Eq, Debug)]
pub enum Taken {
    /// A line; bytes that are not UTF-8 are replaced.
    Line(String),
    /// A line of so many bytes, more than [`MAX_LINE`], was left out.
    TooLong(usize),
    /// There is no more input.
    End,
}

impl<R: Read> Lines<R> {
    /// Lines of `source`.
    pub fn new(source: R) -> Self {
        let source = BufReader::with_capacity(1 << 16, source);
        Lines { source, line: Vec::new(), length: 0, ended: false }
    }

    /// The next line. Waits for input; an error of the source counts as its end.
    pub fn take(&mut self) -> Taken {
        while !self.ended {
            let ahead = match self.source.fill_buf() {
                Ok(ahead) => ahead,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => &[],
            };
            self.ended = ahead.is_empty();
            let end = ahead.iter().position(|&b| b == b'\n' || b == b'\r');
            let part = &ahead[..end.unwrap_or(ahead.len())];
            let room = MAX_LINE - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            self.length += part.len();
            let taken = part.len() + usize::from(end.is_some());
            self.source.consume(taken);
            if end.is_some()
                && let Some(taken) = self.cut()
            {
                return taken;
            }
        }
        self.cut().unwrap_or(Taken::End)
    }

    /// Ends the present line; `None` if it is blank.
    fn cut(&mut self) -> Option<Taken> {
        let bytes = std::mem::take(&mut self.line);
        let length = std::mem::take(&mut self.length);
        if length > MAX_LINE {
            return Some(Taken::TooLong(length));
        }
        // Some shells begin a pipe with a byte order mark.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let text = String::from_utf8_lossy(bytes);
        (!text.trim().is_empty()).then(|| Taken::Line(text.into_owned()))
    }
}

/// The first word of a line that is a command.
pub fn command_of(line: &str, is_command: fn(&str) -> bool) -> Option<&str> {
    line.split_whitespace().find(|word| is_command(word))
}

/// Why there is nothing more to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last {
    /// The program was told to leave.
    Quit,
    /// The input has ended.
    End,
}

/// Reads `source` to its end or to `quit`. On a terminal `exit` and the end of the input are `quit`: there a
/// person wants to leave. The body of the input thread; `is_command` tells which words some protocol has as a
/// command.
pub fn listen(
    source: impl Read,
    console: &Console,
    is_command: fn(&str) -> bool,
    is_terminal: bool,
) -> Last {
    let mut lines = Lines::new(source);
    let mut number = 0;
    let quit = || {
        console.quit();
        Last::Quit
    };
    loop {
        let text = match lines.take() {
            Taken::Line(text) => text,
            Taken::TooLong(length) => {
                console.report_too_long(length);
                continue;
            }
            Taken::End if is_terminal => return quit(),
            Taken::End => {
                console.end();
                return Last::End;
            }
        };
        if is_terminal && text.trim() == "exit" {
            return quit();
        }
        number += 1;
        match command_of(&text, is_command) {
            Some("quit") => return quit(),
            Some("isready") if console.ready_now(READY) => continue,
            Some("stop") => _ = console.stop(number),
            _ => {}
        }
        console.enqueue(Line { number, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Taken> {
        let mut lines = Lines::new(bytes);
        let mut taken = Vec::new();
        loop {
            match lines.take() {
                Taken::End => return taken,
                other => taken.push(other),
            }
        }
    }

    fn lines(words: &[&str]) -> Vec<Taken> {
        words.iter().map(|w| Taken::Line(w.to_string())).collect()
    }

    #[test]
    fn every_newline_of_the_world_ends_a_line() {
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
    fn strange_bytes_are_replaced_and_the_mark_is_dropped() {
        assert_eq!(all(b"\xef\xbb\xbfuci\n"), lines(&["uci"]));
        assert_eq!(all(b"a\xffb\0c\n"), lines(&["a\u{fffd}b\0c"]));
        assert_eq!(all(b""), []);
    }

    #[test]
    fn a_line_too_long_is_left_out_and_the_next_one_is_whole() {
        let mut text = vec![b'x'; MAX_LINE + 5];
        text.extend_from_slice(b"\nuci\n");
        text.extend(vec![b'y'; MAX_LINE]);
        let taken = all(&text);
        assert_eq!(taken.len(), 3);
        assert_eq!(taken[0], Taken::TooLong(MAX_LINE + 5));
        assert_eq!(taken[1], Taken::Line("uci".to_string()));
        assert_eq!(taken[2], Taken::Line("y".repeat(MAX_LINE)));
    }

    #[test]
    fn commands_are_found_behind_unknown_words_only() {
        let command = |line| command_of(line, crate::protocol::is_command);
        assert_eq!(command(" \t stop "), Some("stop"));
        assert_eq!(command("foo bar isready"), Some("isready"));
        assert_eq!(command("quit now"), Some("quit"));
        assert_eq!(command("go ponder stop"), Some("go"));
        assert_eq!(command("setoption name X value quit"), Some("setoption"));
        assert_eq!(command("d stop"), Some("d"));
        assert_eq!(command("STOP"), None);
    }
}
