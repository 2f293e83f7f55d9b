//! Opening books of chess: the book inside the program, and Polyglot `.bin` files.

use crate::chess::Position;
use crate::chess::board::Board;
use crate::chess::types::{Kind, Move, Square};
use crate::game::Side;
use crate::game::book::{Entry, Format};

impl Format for Board {
    const OPENINGS: &'static str = include_str!("openings.txt");
    const BINARY: &'static str = "Polyglot book";
    const ENTRY: usize = 16;
    const MAX_BYTES: u64 = 4 << 30;
    const TEXTS: bool = false;

    /// The numbers are big-endian; the last four bytes, for learning, are ignored.
    fn entry(bytes: &[u8]) -> Option<Entry> {
        let &[a, b, c, d, e, f, g, h, m0, m1, w0, w1, ..] = bytes else { return None };
        let key = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        Some(Entry { key, raw: u16::from_be_bytes([m0, m1]), weight: u16::from_be_bytes([w0, w1]) })
    }

    fn book_keys(pos: &Position) -> (u64, Option<u64>) {
        (polyglot_key(pos), None)
    }

    /// The code has to file, to rank, from file, from rank, promotion, three bits each. Castling may be written as the
    /// king capturing its rook, as the format specifies, or with the king's two squares, as in some books.
    fn book_move(pos: &Position, raw: u16, _mirrored: bool) -> Option<Move> {
        let [to, from] = [raw, raw >> 6].map(|bits| Square::wrapping(u32::from(bits & 63)));
        let promotion = ["", "n", "b", "r", "q"].get(usize::from(raw >> 12 & 7))?;
        pos.parse_move(&format!("{from}{to}{promotion}")).ok()
    }
}

/// The 781 keys of the Polyglot format, the same in every program that reads it: 12 pieces (black pawn, white pawn,
/// black knight … white king) with 64 squares each, 4 castling rights (K Q k q), 8 en passant files, White to move.
static KEYS: [u64; 781] = {
    let words = include_bytes!("polyglot_keys.bin").as_chunks().0;
    let (mut keys, mut i) = ([0; 781], 0);
    while i < keys.len() {
        keys[i] = u64::from_be_bytes(words[i]);
        i += 1;
    }
    keys
};

/// The key of a position as the Polyglot format defines it.
pub fn polyglot_key(pos: &Position) -> u64 {
    let mut key = 0;
    for side in Side::BOTH {
        for kind in Kind::ALL {
            // Black comes first.
            let row = 2 * kind.index() + usize::from(side == Side::First);
            for square in pos.pieces(side, kind) {
                key ^= KEYS[64 * row + square.index()];
            }
        }
    }
    for rook in pos.castling() {
        let side = if rook.rank() == 0 { Side::First } else { Side::Second };
        let wing = usize::from(rook < pos.king(side));
        key ^= KEYS[768 + 2 * side.index() + wing];
    }
    // Set only if a pawn can make the capture (pseudo-legally), as the format requires.
    if let Some(square) = pos.en_passant() {
        key ^= KEYS[772 + square.file() as usize];
    }
    if pos.side() == Side::First { key ^ KEYS[780] } else { key }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::game::book::{self, Scratch};
    use std::collections::HashSet;
    use std::path::Path;

    type Book = book::Book<Board>;

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

    fn after(moves: &str) -> Position {
        let mut pos = Position::from_fen(Position::START_FEN).unwrap();
        for text in moves.split_whitespace() {
            let m = pos.parse_move(text).unwrap();
            pos.make(m);
        }
        pos
    }

    #[test]
    fn every_row_is_legal_and_found_under_the_key_of_its_positions() {
        let book = Book::embedded();
        let (mut positions, mut pairs) = (HashSet::new(), HashSet::new());
        for (weight, moves) in rows() {
            let mut pos = after("");
            for text in moves {
                let m = pos.parse_move(text).unwrap();
                let found = book.candidates(&pos);
                let entry = found.iter().find(|entry| entry.0 == m);
                assert!(entry.is_some_and(|e| u32::from(e.1) >= weight), "{pos:?} {text}");
                positions.insert(pos.key());
                pairs.insert((pos.key(), m));
                pos.make(m);
            }
        }
        assert!(positions.len() >= 400, "{} positions", positions.len());
        // The book contains nothing else: each pair of position and move exactly once.
        assert_eq!(book.entries(), pairs.len() as u64);
    }

    #[test]
    fn choice_follows_the_weights_and_the_seed() {
        let (start, book) = (after(""), Book::embedded());
        let draw = |seed| {
            let mut dice = SplitMix64::new(seed);
            (0..2_000).map(|_| book.choose(&start, &mut dice).unwrap().m).collect::<Vec<_>>()
        };
        let drawn = draw(1);
        assert_eq!(drawn, draw(1));
        assert_ne!(drawn, draw(2));
        for (m, weight) in book.candidates(&start) {
            let total = book.choose(&start, &mut SplitMix64::new(0)).unwrap().total;
            let expected = 2_000.0 * f64::from(weight) / f64::from(total);
            let count = drawn.iter().filter(|&&other| other == m).count() as f64;
            // Five standard deviations.
            assert!((count - expected).abs() < 5.0 * expected.sqrt() + 1.0, "{m:?} {count}");
        }
        assert!(book.choose(&after("h2h4 a7a5 h1h3 a8a6"), &mut SplitMix64::new(3)).is_none());
    }

    #[test]
    fn polyglot_keys_are_those_of_the_format() {
        // The examples from the format's description.
        for (moves, key) in [
            ("", 0x463b_9618_1691_fc9c_u64),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(polyglot_key(&after(moves)), key, "{moves}");
        }
    }

    fn packed(entries: &[(u64, u16, u16)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &(key, raw, weight) in entries {
            bytes.extend(key.to_be_bytes());
            bytes.extend(raw.to_be_bytes());
            bytes.extend(weight.to_be_bytes());
            bytes.extend([0; 4]);
        }
        bytes
    }

    fn raw(from: &str, to: &str, promotion: u16) -> u16 {
        let index = |text: &str| Square::parse(text.as_bytes()).unwrap().index() as u16;
        promotion << 12 | index(from) << 6 | index(to)
    }

    #[test]
    fn polyglot_files_are_searched() {
        let start = after("");
        let castling = after("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
        let promotion = Position::from_fen("8/P6k/8/8/8/8/7K/8 w - - 0 1").unwrap();
        let mut entries = vec![
            (polyglot_key(&start), raw("e2", "e4", 0), 3),
            (polyglot_key(&start), raw("d2", "d4", 0), 1),
            (polyglot_key(&start), raw("a2", "a3", 0), 0),
            (polyglot_key(&start), raw("e2", "e5", 0), 9),
            (polyglot_key(&castling), raw("e1", "h1", 0), 1),
            (polyglot_key(&promotion), raw("a7", "a8", 4), 2),
            (polyglot_key(&promotion), raw("a7", "a8", 0), 2),
            (polyglot_key(&promotion), raw("a7", "a8", 7), 2),
        ];
        entries.extend((0..500).map(|i| (i * 0x0080_0000_0000_0001, 0, 1)));
        entries.sort_by_key(|entry| entry.0);
        let file = Scratch::new("good.bin", &packed(&entries));
        let book: Book = file.open().unwrap();
        assert_eq!(book.entries(), 508);
        let texts = |pos: &Position| -> Vec<(String, u16)> {
            let found = book.candidates(pos);
            found.iter().map(|&(m, w)| (pos.move_text(m).to_string(), w)).collect()
        };
        // Entries with weight zero and illegal moves are skipped.
        assert_eq!(texts(&start), [("e2e4".to_string(), 3), ("d2d4".to_string(), 1)]);
        assert_eq!(texts(&castling), [("e1g1".to_string(), 1)]);
        assert_eq!(texts(&promotion), [("a7a8q".to_string(), 2)]);
        assert_eq!(texts(&after("a2a3")), []);
    }

    #[test]
    fn hostile_files_are_refused() {
        let open = |name: &str, bytes: &[u8]| {
            let file = Scratch::new(name, bytes);
            file.open::<Board>().err()
        };
        assert!(open("empty.bin", b"").unwrap().contains("0 bytes"));
        assert!(open("odd.bin", &[7; 33]).unwrap().contains("33 bytes"));
        let unsorted = packed(&[(5, 1, 1), (9, 1, 1), (4, 1, 1)]);
        assert!(open("unsorted.bin", &unsorted).unwrap().contains("entry 2"));
        assert!(open("zeros.bin", &[0; 64]).is_none());
        let refused = |path: &Path| Book::open(path.to_str().unwrap()).unwrap_err();
        assert_eq!(refused(&std::env::temp_dir()), "this is not a regular file");
        let missing = "the file cannot be read: it does not exist";
        assert_eq!(refused(Path::new("/there/is/no/such/book.bin")), missing);
        // A file that shrinks after it was opened has no moves any more.
        let file = Scratch::new("shrinks.bin", &packed(&[(polyglot_key(&after("")), 1, 1)]));
        let book: Book = file.open().unwrap();
        std::fs::write(&file.0, b"").unwrap();
        assert_eq!(book.candidates(&after("")), []);
    }
}
