//! Opening books: the embedded one, and books from files.
//!
//! A protocol calls [`OpeningBook::choose`] once before a search. Files are texts or ElephantEye's `BOOK.DAT`. They are
//! untrusted and loaded completely. Illegal moves are ignored.

mod elephant_eye;
mod entry;
mod files;

use self::entry::Entry;
use self::files::Contents;
use crate::game::book::{self, OpeningBook};
use crate::xiangqi::board::position::Position;
use crate::xiangqi::types::{Move, Square};
use std::path::Path;

mod generated {
    include!("../../../generated/xiangqi_book.rs");
}

/// An opening book.
#[derive(Debug)]
pub struct Book(Source);

#[derive(Debug)]
enum Source {
    Embedded,
    /// Entries sorted by key: of texts with our keys, of `BOOK.DAT` with ElephantEye's.
    Files {
        texts: Vec<Entry<u64>>,
        elephant_eye: Vec<Entry<u32>>,
    },
}

impl OpeningBook<Position> for Book {
    fn embedded() -> Book {
        Book(Source::Embedded)
    }

    /// Reads several files, separated by `;`, as one book.
    fn open(files: &str) -> Result<Book, String> {
        let (mut texts, mut elephant_eye) = (Vec::new(), Vec::new());
        for file in files.split(';').map(str::trim).filter(|file| !file.is_empty()) {
            match files::read(Path::new(file)).map_err(|reason| format!("{file}: {reason}"))? {
                Contents::Text(entries) => texts.extend(entries),
                Contents::ElephantEye(entries) => elephant_eye.extend(entries),
            }
        }
        // Stable: entries of one position stay in the order of the files.
        texts.sort_by_key(|entry| entry.key);
        elephant_eye.sort_by_key(|entry| entry.key);
        Ok(Book(Source::Files { texts, elephant_eye }))
    }

    fn entries(&self) -> u64 {
        let count = match &self.0 {
            Source::Embedded => generated::BOOK.len(),
            Source::Files { texts, elephant_eye } => texts.len() + elephant_eye.len(),
        };
        count as u64
    }

    fn candidates(&mut self, pos: &Position) -> Vec<(Move, u16)> {
        let mut moves: Vec<(Move, u16)> = Vec::new();
        let mut add = |from: Square, to: Square, weight: u16| {
            let Ok(m) = pos.parse_move(&format!("{from}{to}")) else { return };
            match moves.iter_mut().find(|(other, _)| *other == m) {
                Some((_, sum)) => *sum = sum.saturating_add(weight),
                None => moves.push((m, weight)),
            }
        };
        match &self.0 {
            Source::Embedded => {
                for &(_, raw, weight) in book::rows(&generated::BOOK, pos.key()) {
                    // Bits 0–6 from, 7–13 to.
                    let square = |bits: u16| Square::wrapping(u32::from(bits & 127));
                    add(square(raw), square(raw >> 7), weight);
                }
            }
            Source::Files { texts, elephant_eye } => {
                entries(texts, pos.key()).iter().for_each(|e| add(e.from, e.to, e.weight));
                let found = entries(elephant_eye, elephant_eye::key(pos, false));
                found.iter().for_each(|e| add(e.from, e.to, e.weight));
                if found.is_empty() {
                    let mirror = elephant_eye::mirror;
                    let found = entries(elephant_eye, elephant_eye::key(pos, true)).iter();
                    found.for_each(|e| add(mirror(e.from), mirror(e.to), e.weight));
                }
            }
        }
        moves
    }
}

/// Limit on the entries of one position, more than it has moves; protects against malicious files.
const MAX_CANDIDATES: usize = 4096;

/// The entries of a key.
fn entries<K: Ord + Copy>(sorted: &[Entry<K>], key: K) -> &[Entry<K>] {
    let first = sorted.partition_point(|entry| entry.key < key);
    let length = sorted[first..].partition_point(|entry| entry.key == key);
    &sorted[first..first + length.min(MAX_CANDIDATES)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::game::book::Choice;
    use std::collections::{HashMap, HashSet};

    /// The rows of the book's source: weight and moves.
    fn rows() -> Vec<(u32, Vec<&'static str>)> {
        include_str!("../../tablegen/xiangqi_openings.txt")
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
    }

    fn shown(book: &mut Book, moves: &str) -> Vec<String> {
        let pos = after(moves);
        let found = book.candidates(&pos);
        found.iter().map(|&(m, weight)| format!("{} {weight}", pos.move_text(m))).collect()
    }

    #[test]
    fn entries_of_texts_add_up() {
        let mut texts = files::read_text("3 | h2e2 h9g7\n4 | h2e2 b9c7\n65535 | h2e2 h9g7").unwrap();
        texts.sort_by_key(|entry| entry.key);
        let mut book = Book(Source::Files { texts, elephant_eye: Vec::new() });
        assert_eq!(shown(&mut book, ""), ["h2e2 65535"]);
        assert_eq!(shown(&mut book, "h2e2"), ["h9g7 65535", "b9c7 4"]);
        assert!(shown(&mut book, "b2e2").is_empty());
        assert_eq!(book.entries(), 6);
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
        let mut book = Book(Source::Files { texts: Vec::new(), elephant_eye: list });
        assert_eq!(shown(&mut book, ""), ["b2e2 2"]);
        assert_eq!(shown(&mut book, "h2e2"), ["h9g7 5"]);
        assert_eq!(shown(&mut book, "b2e2"), ["b9c7 5"]);
        assert!(shown(&mut book, "a3a4").is_empty());
    }
}
