//! Opening books: the embedded one, and books from files.
//!
//! A protocol calls [`OpeningBook::choose`] once before a search. Files are texts or ElephantEye's `BOOK.DAT`. They are
//! untrusted and loaded completely. Illegal moves are ignored.

mod elephant_eye;

use self::elephant_eye::Entry;
use crate::base::files;
use crate::game::book::{OpeningBook, Text};
use crate::xiangqi::board::bare::Board;
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::{Move, Square};
use std::path::Path;
use std::sync::LazyLock;

/// The book inside the program.
static EMBEDDED: LazyLock<Text<Move>> = LazyLock::new(|| {
    let mut text = Text::default();
    text.read::<Board>(include_str!("openings.txt")).expect("a book");
    text
});

/// Maximum file size, far beyond any book.
const MAX_BYTES: u64 = 256 << 20;

/// Limit on the entries of one position, more than it has moves; protects against malicious files.
const MAX_CANDIDATES: usize = 4096;

/// An opening book.
#[derive(Debug)]
pub enum Book {
    /// The one inside the program.
    Embedded,
    /// What texts say, and the entries of `BOOK.DAT`, sorted by ElephantEye's keys.
    Files(Text<Move>, Vec<Entry>),
}

impl OpeningBook<Board> for Book {
    fn embedded() -> Book {
        Book::Embedded
    }

    /// Reads several files, separated by `;`, as one book.
    fn open(files: &str) -> Result<Book, String> {
        let (mut text, mut entries) = (Text::default(), Vec::new());
        for file in files.split(';').map(str::trim).filter(|file| !file.is_empty()) {
            let path = files::path_of(file);
            read(&path, &mut text, &mut entries).map_err(|reason| format!("{}: {reason}", path.display()))?;
        }
        entries.sort_by_key(|entry| entry.key);
        Ok(Book::Files(text, entries))
    }

    fn entries(&self) -> u64 {
        match self {
            Book::Embedded => EMBEDDED.count(),
            Book::Files(text, entries) => text.count() + entries.len() as u64,
        }
    }

    fn entries_of(&mut self, pos: &Position) -> Vec<(Move, u16)> {
        let (text, entries) = match self {
            Book::Embedded => return EMBEDDED.entries_of(pos),
            Book::Files(text, entries) => (text, entries),
        };
        let legal = pos.legal_moves();
        let found = |mirrored: bool| {
            let key = elephant_eye::key(pos, mirrored);
            let same = entries[entries.partition_point(|entry| entry.key < key)..].iter();
            let seen = |square: Square| if mirrored { elephant_eye::mirror(square) } else { square };
            let m = |entry: &Entry| {
                let squares = (seen(entry.from), seen(entry.to));
                legal.iter().find(|m| (m.from(), m.to()) == squares).map(|&m| (m, entry.weight))
            };
            same.take_while(|entry| entry.key == key).take(MAX_CANDIDATES).filter_map(m).collect::<Vec<_>>()
        };
        let [mut moves, straight] = [text.entries_of(pos), found(false)];
        moves.extend(if straight.is_empty() { found(true) } else { straight });
        moves
    }
}

/// Adds a file to a book.
fn read(path: &Path, text: &mut Text<Move>, entries: &mut Vec<Entry>) -> Result<(), String> {
    let (file, _) = files::open(path)?;
    let bytes = files::read_all(file, MAX_BYTES).map_err(files::unreadable)?;
    // Weights and keys of a binary book contain zero bytes; a text does not.
    if bytes.contains(&0) {
        entries.extend(elephant_eye::read(&bytes)?);
        return Ok(());
    }
    let before = text.count();
    let read = String::from_utf8_lossy(&bytes);
    text.read::<Board>(read.strip_prefix('\u{feff}').unwrap_or(&read))?;
    if text.count() == before { Err("there is nothing in it".into()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::game::book::Choice;
    use std::collections::{HashMap, HashSet};

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

    fn candidates(pos: &Position) -> Vec<(Move, u16)> {
        Book::embedded().candidates(pos)
    }

    fn choose(pos: &Position, dice: &mut SplitMix64) -> Option<Choice<Move>> {
        Book::embedded().choose(pos, dice)
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
        assert_eq!(Book::embedded().entries(), pairs.len() as u64);
    }

    #[test]
    fn weights_add_up_over_the_rows() {
        let mut sums = HashMap::new();
        for (weight, moves) in rows() {
            *sums.entry(moves[0]).or_insert(0) += weight;
        }
        let start = after("");
        let found = candidates(&start);
        assert_eq!(found.len(), sums.len());
        for (m, weight) in found {
            assert_eq!(sums.get(start.move_text(m).as_str()), Some(&u32::from(weight)));
        }
    }

    #[test]
    fn choice_follows_the_weights_and_the_seed() {
        let start = after("");
        let draw = |seed| {
            let mut dice = SplitMix64::new(seed);
            (0..2_000).map(|_| choose(&start, &mut dice).unwrap().m).collect::<Vec<_>>()
        };
        let drawn = draw(1);
        assert_eq!(drawn, draw(1));
        assert_ne!(drawn, draw(2));
        let total: u32 = candidates(&start).iter().map(|&(_, weight)| u32::from(weight)).sum();
        for (m, weight) in candidates(&start) {
            let expected = 2_000.0 * f64::from(weight) / f64::from(total);
            let count = drawn.iter().filter(|&&other| other == m).count() as f64;
            // Five standard deviations.
            assert!((count - expected).abs() < 5.0 * expected.sqrt() + 1.0, "{m:?} {count}");
        }
        assert!(choose(&after("a3a4 i6i5 a4a5"), &mut SplitMix64::new(3)).is_none());
        // However the ranks are numbered.
        assert_eq!(candidates(&start.with_first_rank(1)), candidates(&start));
    }

    fn shown(book: &mut Book, moves: &str) -> Vec<String> {
        let pos = after(moves);
        let found = book.candidates(&pos);
        found.iter().map(|&(m, weight)| format!("{} {weight}", pos.move_text(m))).collect()
    }

    #[test]
    fn elephant_eye_entries_also_match_mirrored_positions() {
        let entry = |moves: &str, m: &str, weight| {
            let square = |at| Square::parse(&m.as_bytes()[at..at + 2]).unwrap();
            let key = elephant_eye::key(&after(moves), false);
            Entry { key, from: square(0), to: square(2), weight }
        };
        let mut list = vec![
            entry("h2e2", "h9g7", 5),
            // Illegal there: another position may have the same key.
            entry("h2e2", "a0a9", 9),
            entry("", "b2e2", 2),
        ];
        list.sort_by_key(|entry| entry.key);
        let mut book = Book::Files(Text::default(), list);
        assert_eq!(shown(&mut book, ""), ["b2e2 2"]);
        assert_eq!(shown(&mut book, "h2e2"), ["h9g7 5"]);
        assert_eq!(shown(&mut book, "b2e2"), ["b9c7 5"]);
        assert!(shown(&mut book, "a3a4").is_empty());
    }
}
