//! Opening books: a text and sorted files, in the [`Format`] of a game, with the draw by weight.
//!
//! A line of a text has one of two forms. `WEIGHT | NAME | MOVES` is a game from the starting position; every move of
//! it gets the weight, and the name may be omitted. `MOVE WEIGHT FEN` is one move of a position, the format of
//! ElephantEye before version 2.0. Empty lines and `#` comments are ignored. Weights of the same move in a position add
//! up.
//!
//! A binary file is a list of entries of equal size, sorted by key. It is read once when it is opened, from start to
//! end, and then searched on disk. Files are untrusted: every fault is reported with its line or entry, and illegal
//! moves are skipped.

use crate::base::files;
use crate::base::rng::SplitMix64;
use crate::game::moves::GameMove;
use crate::game::position::{Position, Rules};
use crate::game::text::fault::quoted;
use crate::game::text::fen::Tolerance;
use crate::game::text::movetext;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::path::Path;
use std::sync::OnceLock;

/// More entries than any position has moves. It limits how many entries of a hostile file are read.
const MAX_CANDIDATES: u64 = 256;

/// The longest entry in bytes.
const LONGEST_ENTRY: usize = 16;

/// The largest text, far beyond any book.
const MAX_TEXT: u64 = 256 << 20;

/// An entry of a binary book: a move to play in the position with this key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The key, as the format defines it.
    pub key: u64,
    /// The move in the format's code.
    pub raw: u16,
    /// How often to play it.
    pub weight: u16,
}

pub trait Format: Rules {
    /// The text of the book inside the program.
    const OPENINGS: &'static str;
    /// What messages call a binary book.
    const BINARY: &'static str;
    const ENTRY: usize;
    /// The largest binary file in bytes, far beyond any book.
    const MAX_BYTES: u64;
    /// Whether there are text files too, and `;` separates the names of several files.
    const TEXTS: bool;

    /// Reads an entry; `None` if it has no move.
    fn entry(bytes: &[u8]) -> Option<Entry>;
    /// The key of the position, and that of its mirror image if the format takes both for one position.
    fn book_keys(pos: &Position<Self>) -> (u64, Option<u64>);
    /// The legal move for a code, which is seen in the mirror if `mirrored`.
    fn book_move(pos: &Position<Self>, raw: u16, mirrored: bool) -> Option<Self::Move>;
}

/// An opening book of the game of `B`.
#[derive(Debug)]
pub struct Book<B: Format> {
    /// What a text says; empty until the book inside the program is needed.
    text: OnceLock<Text<B::Move>>,
    files: Vec<Sorted<B>>,
}

impl<B: Format> Book<B> {
    pub fn embedded() -> Self {
        Book { text: OnceLock::new(), files: Vec::new() }
    }

    /// Opens a book file, or several where the game has texts.
    ///
    /// # Errors
    /// If a file cannot be read or is not a book, in one line.
    pub fn open(names: &str) -> Result<Self, String> {
        let (mut text, mut files) = (Text::default(), Vec::new());
        if !B::TEXTS {
            files.push(Sorted::open(&files::path_of(names))?);
        }
        let names = names.split(';').map(str::trim).filter(|name| B::TEXTS && !name.is_empty());
        for path in names.map(files::path_of) {
            let mut read = || {
                let bytes = files::read_all(files::open(&path)?.0, MAX_TEXT).map_err(files::unreadable)?;
                // Weights and keys of a binary book contain zero bytes; a text does not.
                if bytes.contains(&0) {
                    Sorted::open(&path).map(|file| files.push(file))
                } else {
                    text.read_file::<B>(&bytes)
                }
            };
            read().map_err(|reason| format!("{}: {reason}", path.display()))?;
        }
        Ok(Book { text: text.into(), files })
    }

    fn text(&self) -> &Text<B::Move> {
        self.text.get_or_init(|| {
            let mut text = Text::default();
            text.read::<B>(B::OPENINGS).expect("a book");
            text
        })
    }

    pub fn entries(&self) -> u64 {
        self.text().count() + self.files.iter().map(|file| file.entries).sum::<u64>()
    }

    /// The entries of a position, as they are in the book. A file that can no longer be read has none.
    fn entries_of(&self, pos: &Position<B>) -> Vec<(B::Move, u16)> {
        let (key, mirrored) = B::book_keys(pos);
        let found = |key, is_mirrored| {
            let entries = self.files.iter().flat_map(|file| file.entries_of(key).unwrap_or_default());
            Vec::from_iter(entries.filter_map(|entry| Some((B::book_move(pos, entry.raw, is_mirrored)?, entry.weight))))
        };
        let straight = found(key, false);
        let binary = match mirrored {
            Some(key) if straight.is_empty() => found(key, true),
            _ => straight,
        };
        [self.text().entries_of(pos), binary].concat()
    }

    /// The legal book moves of a position with their weights, each move once. Moves of weight 0 are not played.
    pub fn candidates(&self, pos: &Position<B>) -> Vec<(B::Move, u16)> {
        let mut moves: Vec<(B::Move, u16)> = Vec::new();
        for (m, weight) in self.entries_of(pos).into_iter().filter(|&(m, weight)| weight > 0 && pos.is_legal(m)) {
            match moves.iter_mut().find(|(other, _)| *other == m) {
                Some((_, sum)) => *sum = sum.saturating_add(weight),
                None => moves.push((m, weight)),
            }
        }
        moves
    }

    /// Draws one of the book's moves, with a probability proportional to its weight.
    pub fn choose(&self, pos: &Position<B>, dice: &mut SplitMix64) -> Option<Choice<B::Move>> {
        draw(&self.candidates(pos), dice)
    }
}

/// A binary book file, and the number of its entries.
#[derive(Debug)]
struct Sorted<B> {
    file: File,
    entries: u64,
    format: PhantomData<B>,
}

impl<B: Format> Sorted<B> {
    fn open(path: &Path) -> Result<Self, String> {
        let (file, bytes) = files::open(path)?;
        if bytes == 0 || bytes % B::ENTRY as u64 != 0 || bytes > B::MAX_BYTES {
            let (name, size, most) = (B::BINARY, B::ENTRY, B::MAX_BYTES >> 20);
            return Err(format!("{bytes} bytes; a {name} is a multiple of {size}, up to {most} MiB"));
        }
        let entries = bytes / B::ENTRY as u64;
        let mut reader = BufReader::with_capacity(1 << 16, &file);
        let mut last = 0;
        for at in 0..entries {
            let fault = |what| format!("entry {at} {what}; this is not a {}", B::BINARY);
            let entry = next_entry::<B>(&mut reader).map_err(files::unreadable)?;
            let key = entry.ok_or_else(|| fault("has no move"))?.key;
            if key < last {
                return Err(fault("is out of order"));
            }
            last = key;
        }
        Ok(Sorted { file, entries, format: PhantomData })
    }

    /// The entries with key `key`, found by binary search.
    fn entries_of(&self, key: u64) -> io::Result<Vec<Entry>> {
        let (mut low, mut high) = (0, self.entries);
        let mut file = &self.file;
        let mut at = |number: u64| {
            file.seek(SeekFrom::Start(number * B::ENTRY as u64))?;
            next_entry::<B>(&mut file)
        };
        while low < high {
            let middle = low + (high - low) / 2;
            match at(middle)? {
                Some(entry) if entry.key >= key => high = middle,
                _ => low = middle + 1,
            }
        }
        let mut found = Vec::new();
        for number in low..self.entries.min(low + MAX_CANDIDATES) {
            match at(number)? {
                Some(entry) if entry.key == key => found.push(entry),
                _ => break,
            }
        }
        Ok(found)
    }
}

/// Reads an entry; `None` if it has no move.
fn next_entry<B: Format>(source: &mut impl Read) -> io::Result<Option<Entry>> {
    let bytes = &mut [0; LONGEST_ENTRY][..B::ENTRY];
    source.read_exact(bytes)?;
    Ok(B::entry(bytes))
}

/// A move drawn from a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<M> {
    /// The move, legal in the position.
    pub m: M,
    pub weight: u16,
    /// The sum of the weights of all moves of the position.
    pub total: u32,
}

/// Draws one of the moves with a probability proportional to its weight; `None` if all weights are zero.
fn draw<M: Copy>(moves: &[(M, u16)], dice: &mut SplitMix64) -> Option<Choice<M>> {
    let total: u32 = moves.iter().map(|&(_, weight)| u32::from(weight)).sum();
    if total == 0 {
        return None;
    }
    let mut left = dice.below(total as usize) as u32;
    moves.iter().find_map(|&(m, weight)| {
        let chosen = left < u32::from(weight);
        left = left.wrapping_sub(u32::from(weight));
        chosen.then_some(Choice { m, weight, total })
    })
}

/// The weights of moves, by the key of their position.
#[derive(Default, Debug)]
struct Text<M>(BTreeMap<(u64, M), u16>);

impl<M: GameMove> Text<M> {
    /// Adds what a text says.
    ///
    /// # Errors
    /// The first fault with its line.
    fn read<B: Rules<Move = M>>(&mut self, text: &str) -> Result<(), String> {
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            let read = match line.split_once('|') {
                _ if line.is_empty() => Ok(()),
                // The name may be omitted.
                Some((weight, rest)) => self.read_game::<B>(weight, rest.split_once('|').map_or(rest, |parts| parts.1)),
                None => self.read_position::<B>(line),
            };
            read.map_err(|reason| format!("line {number}: {reason}"))?;
        }
        Ok(())
    }

    fn read_game<B: Rules<Move = M>>(&mut self, weight: &str, moves: &str) -> Result<(), String> {
        let weight = read_weight(weight.trim())?;
        let mut pos = Position::<B>::from_fen(B::START_FEN).map_err(|error| error.to_string())?;
        if moves.contains('|') {
            return Err("more than two |, expected WEIGHT | NAME | MOVES".to_string());
        }
        for word in movetext::moves(moves) {
            let (_, text) = word.map_err(|error| error.to_string())?;
            let m = self.add(&pos, text, weight)?;
            pos.make(m);
        }
        Ok(())
    }

    fn read_position<B: Rules<Move = M>>(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.splitn(3, char::is_whitespace).map(str::trim);
        let (Some(text), Some(weight), Some(fen)) = (words.next(), words.next(), words.next()) else {
            return Err("expected WEIGHT | NAME | MOVES or MOVE WEIGHT FEN".to_string());
        };
        let weight = read_weight(weight)?;
        let pos = Position::<B>::read_fen(fen, &mut Tolerance::lenient()).map_err(|error| error.to_string())?;
        self.add(&pos, text, weight).map(|_| ())
    }

    fn add<B: Rules<Move = M>>(&mut self, pos: &Position<B>, text: &str, weight: u16) -> Result<M, String> {
        let m = pos.parse_move(text).map_err(|error| error.to_string())?;
        let sum = self.0.entry((pos.key(), m)).or_default();
        *sum = sum.saturating_add(weight);
        Ok(m)
    }

    /// Adds what a text file says.
    fn read_file<B: Rules<Move = M>>(&mut self, bytes: &[u8]) -> Result<(), String> {
        let before = self.count();
        let text = String::from_utf8_lossy(bytes);
        self.read::<B>(text.strip_prefix('\u{feff}').unwrap_or(&text))?;
        if self.count() == before { Err("there is nothing in it".into()) } else { Ok(()) }
    }

    /// The number of moves, each once in a position.
    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn entries_of(&self, pos: &Position<impl Rules<Move = M>>) -> Vec<(M, u16)> {
        let [first, last] = [0, u16::MAX].map(|raw| (pos.key(), M::from_raw(raw)));
        self.0.range(first..=last).map(|(&(_, m), &weight)| (m, weight)).collect()
    }
}

fn read_weight(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("the weight {} is not a number up to {}", quoted(text), u16::MAX))
}

#[cfg(test)]
pub(crate) use tests::Scratch;

#[cfg(test)]
mod tests {
    use super::*;

    /// A book file in the temporary folder, which is removed at the end of a test.
    pub(crate) struct Scratch(pub std::path::PathBuf);

    impl Scratch {
        pub(crate) fn new(name: &str, bytes: &[u8]) -> Scratch {
            let path = std::env::temp_dir().join(format!("tabiya-{}-{name}", std::process::id()));
            std::fs::write(&path, bytes).unwrap();
            Scratch(path)
        }

        pub(crate) fn open<B: Format>(&self) -> Result<Book<B>, String> {
            Book::open(self.0.to_str().unwrap())
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut dice = SplitMix64::new(4);
        for _ in 0..200 {
            let choice = draw(&[('a', 0), ('b', 3), ('c', 0)], &mut dice);
            assert_eq!(choice, Some(Choice { m: 'b', weight: 3, total: 3 }));
        }
        assert_eq!(draw(&[('a', 0)], &mut dice), None);
        assert_eq!(draw::<char>(&[], &mut dice), None);
    }

    #[cfg(feature = "xiangqi")]
    mod texts {
        use super::super::*;
        use crate::xiangqi::{Board, Move, Position};

        const POSITION: &str = "b2e2 5895 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

        fn read(text: &str) -> Result<Text<Move>, String> {
            let mut book = Text::default();
            book.read::<Board>(text).map(|()| book)
        }

        fn shown(book: &Text<Move>, moves: &str) -> Vec<String> {
            let mut pos = Position::default();
            moves.split_whitespace().for_each(|text| pos.make(pos.parse_move(text).unwrap()));
            book.entries_of(&pos).iter().map(|(m, weight)| format!("{m} {weight}")).collect()
        }

        #[test]
        fn both_line_formats_are_read() {
            let text = "# a book\r\n\r\n10 | with a name | h2e2 h9g7\r\n7|b2e2\n0 | none | a3a4\n";
            let book = read(&format!("{text}{POSITION} # the same")).unwrap();
            assert_eq!(book.count(), 4);
            assert_eq!(shown(&book, ""), ["a3a4 0", "b2e2 5902", "h2e2 10"]);
            assert_eq!(shown(&book, "h2e2"), ["h9g7 10"]);
            assert_eq!(read("").map(|book| book.count()), Ok(0));
        }

        #[test]
        fn weights_add_up_to_the_largest() {
            let book = read("3 | h2e2 h9g7\n4 | h2e2 b9c7\n65535 | h2e2 h9g7").unwrap();
            assert_eq!(shown(&book, ""), ["h2e2 65535"]);
            assert_eq!(shown(&book, "h2e2").len(), 2);
            assert!(shown(&book, "h2e2").contains(&"b9c7 4".to_string()));
            assert!(shown(&book, "b2e2").is_empty());
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
                let fault = read(text).expect_err(text);
                assert!(fault.starts_with(word) && !fault.contains('\n'), "{text}: {fault}");
            }
        }
    }
}
