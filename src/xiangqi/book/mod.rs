//! Opening books of xiangqi: the book inside the program, texts, and ElephantEye's `BOOK.DAT`.

mod elephant_eye;

use crate::game::book::{Entry, Format};
use crate::xiangqi::Position;
use crate::xiangqi::board::Board;
use crate::xiangqi::types::Move;

impl Format for Board {
    const OPENINGS: &'static str = include_str!("openings.txt");
    const BINARY: &'static str = "BOOK.DAT file";
    const ENTRY: usize = 8;
    const MAX_BYTES: u64 = 256 << 20;
    const TEXTS: bool = true;

    fn entry(bytes: &[u8]) -> Option<Entry> {
        elephant_eye::entry(bytes.try_into().ok()?)
    }

    fn book_keys(pos: &Position) -> (u64, Option<u64>) {
        let [straight, mirrored] = [false, true].map(|mirrored| u64::from(elephant_eye::key(pos, mirrored)));
        (straight, Some(mirrored))
    }

    fn book_move(pos: &Position, raw: u16, mirrored: bool) -> Option<Move> {
        let seen = |square| if mirrored { elephant_eye::mirror(square) } else { square };
        let (from, to) = elephant_eye::squares(raw)?;
        pos.legal_moves().into_iter().find(|m| (m.from(), m.to()) == (seen(from), seen(to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::game::book::{self, Scratch};
    use crate::xiangqi::types::Square;
    use std::collections::HashSet;
    use std::sync::LazyLock;

    /// The rows of the book's source: weight and moves.
    fn rows() -> Vec<(u32, Vec<&'static str>)> {
        include_str!("openings.txt")
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
            .map(|line| {
                let parts: Vec<_> = line.split('|').map(str::trim).collect();
                (parts[0].parse().unwrap(), parts[2].split_whitespace().collect())
            })
            .collect()
    }

    type Book = book::Book<Board>;

    /// The book inside the program.
    static EMBEDDED: LazyLock<Book> = LazyLock::new(Book::embedded);

    fn candidates(pos: &Position) -> Vec<(Move, u16)> {
        EMBEDDED.candidates(pos)
    }

    fn after(moves: &str) -> Position {
        let mut pos = Position::from_fen(Position::START_FEN).unwrap();
        for text in moves.split_whitespace() {
            let m = pos.parse_move(text).unwrap();
            pos.make(m);
        }
        pos
    }

    #[test]
    fn every_row_is_legal_and_found_by_key() {
        let (mut positions, mut pairs) = (HashSet::new(), HashSet::new());
        for (weight, moves) in rows() {
            let mut pos = after("");
            for text in moves {
                let m = pos.parse_move(text).unwrap();
                let found = candidates(&pos);
                let entry = found.iter().find(|entry| entry.0 == m);
                assert!(entry.is_some_and(|e| u32::from(e.1) >= weight), "{pos:?} {text}");
                positions.insert(pos.key());
                pairs.insert((pos.key(), m));
                pos.make(m);
            }
        }
        assert!(positions.len() >= 300, "{} positions", positions.len());
        // The book contains nothing else: each pair of position and move exactly once.
        assert_eq!(EMBEDDED.entries(), pairs.len() as u64);
    }

    /// The bytes of an entry of `BOOK.DAT`.
    fn entry(key: u32, from: u8, to: u8, weight: u16) -> [u8; 8] {
        let ([a, b, c, d], [w0, w1]) = (key.to_le_bytes(), weight.to_le_bytes());
        [a, b, c, d, from, to, w0, w1]
    }

    fn shown(book: &Book, moves: &str) -> Vec<String> {
        let pos = after(moves);
        let found = book.candidates(&pos);
        found.iter().map(|&(m, weight)| format!("{} {weight}", pos.move_text(m))).collect()
    }

    #[test]
    fn elephant_eye_entries_also_match_mirrored_positions() {
        let number = |text: &str| elephant_eye::number(Square::parse(text.as_bytes()).unwrap());
        let row = |moves: &str, from: &str, to: &str, weight| {
            entry(elephant_eye::key(&after(moves), false), number(from), number(to), weight)
        };
        let mut list = [
            row("h2e2", "h9", "g7", 5),
            // Illegal there: another position may have the same key.
            row("h2e2", "a0", "a9", 9),
            row("", "b2", "e2", 2),
        ];
        list.sort_by_key(|&[a, b, c, d, ..]| u32::from_le_bytes([a, b, c, d]));
        let file = Scratch::new("mirrored.dat", list.as_flattened());
        let book = file.open().unwrap();
        assert_eq!(book.entries(), 3);
        assert_eq!(shown(&book, ""), ["b2e2 2"]);
        assert_eq!(shown(&book, "h2e2"), ["h9g7 5"]);
        assert_eq!(shown(&book, "b2e2"), ["b9c7 5"]);
        assert!(shown(&book, "a3a4").is_empty());
        // Several files are one book, texts and binary ones.
        let text = Scratch::new("mirrored.txt", b"\xef\xbb\xbf7 | h2e2 h9g7\n");
        let names = format!(" {} ; {};", file.0.display(), text.0.display());
        let both = Book::open(&names).unwrap();
        assert_eq!((both.entries(), shown(&both, "h2e2")), (5, vec!["h9g7 12".to_string()]));
    }

    #[test]
    fn invalid_books_are_refused() {
        let refused = |bytes: &[u8]| {
            let file = Scratch::new("invalid.dat", bytes);
            let reason = file.open::<Board>().unwrap_err();
            reason.strip_prefix(&format!("{}: ", file.0.display())).unwrap().to_string()
        };
        let [one, two] = [entry(3, 0xa4, 0xa7, 1), entry(u32::MAX, 0xa4, 0xa7, 1)];
        let file = Scratch::new("good.dat", [one, one, two].as_flattened());
        assert_eq!(file.open::<Board>().unwrap().entries(), 3);
        assert!(refused(&[one, two].as_flattened()[1..]).contains("a BOOK.DAT file is a multiple of 8"));
        let fault = |number, what| format!("entry {number} {what}; this is not a BOOK.DAT file");
        assert_eq!(refused([two, one].as_flattened()), fault(1, "is out of order"));
        assert_eq!(refused(&entry(3, 0xa4, 0x00, 1)), fault(0, "has no move"));
        assert_eq!(refused(&entry(3, 0xff, 0xa7, 1)), fault(0, "has no move"));
        assert_eq!(refused(b""), "there is nothing in it");
    }
}
