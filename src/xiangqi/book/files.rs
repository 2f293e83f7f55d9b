//! Book files: the text format, and detection of the format.
//!
//! A line of a text book has one of two forms. `WEIGHT | NAME | MOVES` is a game from the starting position; every move
//! of it gets the weight, and the name may be omitted. `MOVE WEIGHT FEN` is one move of a position, the format of
//! ElephantEye before version 2.0. Empty lines and `#` comments are ignored. Weights of the same move in a position add
//! up. Files are untrusted, and every fault is reported with its line.

use super::elephant_eye;
use super::entry::Entry;
use crate::base::reason::reason;
use crate::game::Notation;
use crate::game::notation::{FenReader, quoted};
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::Move;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Maximum file size, far beyond any book.
const MAX_BYTES: u64 = 256 << 20;

/// The contents of a book file.
#[derive(Debug)]
pub(super) enum Contents {
    /// Entries with our own keys.
    Text(Vec<Entry<u64>>),
    /// Entries with ElephantEye's keys.
    ElephantEye(Vec<Entry<u32>>),
}

/// Reads a book file.
///
/// # Errors
/// If the file cannot be read or is not a book; the message is one line without the file name.
pub(super) fn read(path: &Path) -> Result<Contents, String> {
    let fault = |error: std::io::Error| format!("the file cannot be read: {}", reason(&error));
    // Checked before opening, because opening a pipe would block until it has a writer.
    let about = fs::metadata(path).map_err(fault)?;
    if !about.is_file() {
        return Err("this is not a regular file".to_string());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(fault)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(fault)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("more than {} MB; no book is so large", MAX_BYTES >> 20));
    }
    // Weights and keys of a binary book contain zero bytes; a text does not.
    if bytes.contains(&0) {
        return Ok(Contents::ElephantEye(elephant_eye::read(&bytes)?));
    }
    let text = String::from_utf8_lossy(&bytes);
    let entries = read_text(text.strip_prefix('\u{feff}').unwrap_or(&text))?;
    if entries.is_empty() { Err("there is nothing in it".into()) } else { Ok(Contents::Text(entries)) }
}

/// Reads a text.
pub(super) fn read_text(text: &str) -> Result<Vec<Entry<u64>>, String> {
    let mut entries = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let read = match line.split_once('|') {
            _ if line.is_empty() => Ok(()),
            Some((weight, rest)) => {
                // The name may be omitted.
                let moves = rest.split_once('|').map_or(rest, |(_, moves)| moves);
                read_game(weight, moves, &mut entries)
            }
            None => read_position(line).map(|entry| entries.push(entry)),
        };
        read.map_err(|reason| format!("line {}: {reason}", number + 1))?;
    }
    Ok(entries)
}

/// `WEIGHT | NAME | MOVES`
fn read_game(weight: &str, moves: &str, entries: &mut Vec<Entry<u64>>) -> Result<(), String> {
    let weight = read_weight(weight.trim())?;
    let mut pos = Position::from_fen(Position::START_FEN).map_err(|error| error.to_string())?;
    if moves.contains('|') {
        return Err("more than two |, expected WEIGHT | NAME | MOVES".to_string());
    }
    for text in moves.split_whitespace() {
        let m = pos.parse_move(text).map_err(|error| error.to_string())?;
        entries.push(entry(&pos, m, weight));
        pos.make(m);
    }
    Ok(())
}

/// `MOVE WEIGHT FEN`
fn read_position(line: &str) -> Result<Entry<u64>, String> {
    let mut words = line.splitn(3, char::is_whitespace).map(str::trim);
    let (Some(text), Some(weight), Some(fen)) = (words.next(), words.next(), words.next()) else {
        return Err("expected WEIGHT | NAME | MOVES or MOVE WEIGHT FEN".to_string());
    };
    let weight = read_weight(weight)?;
    let pos = Position::read_fen(fen, &mut FenReader::lenient()).map_err(|error| error.to_string())?;
    let m = pos.parse_move(text).map_err(|error| error.to_string())?;
    Ok(entry(&pos, m, weight))
}

fn read_weight(text: &str) -> Result<u16, String> {
    let expected = || format!("the weight {} is not a number up to {}", quoted(text), u16::MAX);
    text.parse().map_err(|_| expected())
}

fn entry(pos: &Position, m: Move, weight: u16) -> Entry<u64> {
    Entry { key: pos.key(), from: m.from(), to: m.to(), weight }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITION: &str = "b2e2 5895 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    #[test]
    fn both_line_formats_are_read() {
        let text =
            format!("# a book\r\n\r\n10 | with a name | h2e2 h9g7\r\n7|b2e2\n{POSITION} # the same\n0 | none | a3a4");
        let entries = read_text(&text).unwrap();
        let weights: Vec<u16> = entries.iter().map(|entry| entry.weight).collect();
        assert_eq!(weights, [10, 10, 7, 5895, 0]);
        assert_eq!((entries[2].key, entries[2].to), (entries[3].key, entries[3].to));
        assert_ne!(entries[0].key, entries[1].key);
        assert_eq!(read_text("").map(|entries| entries.len()), Ok(0));
    }

    #[test]
    fn faults_are_reported_with_their_line() {
        for (text, word) in [
            ("# fine\nwhat is", "line 2: expected WEIGHT | NAME | MOVES or MOVE WEIGHT FEN"),
            ("x | a | h2e2", "line 1: the weight \"x\" is not a number up to 65535"),
            ("65536 | a | h2e2", "line 1: the weight"),
            ("-1 | a | h2e2", "line 1: the weight"),
            ("1 | a | h2e2 h2e2", "line 1: "),
            ("1 | a | b | h2e2", "line 1: more than two |"),
            ("b2e2 1 9/9/9 w", "line 1: FEN"),
            ("a0i9 1 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "line 1: "),
            ("b2e2 1", "line 1: expected"),
        ] {
            let fault = read_text(text).expect_err(text);
            assert!(fault.starts_with(word) && !fault.contains('\n'), "{text}: {fault}");
        }
    }
}
