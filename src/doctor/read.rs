//! Reads the divide in a text that another program has printed.
//!
//! A line of a divide has one move, first, and its count, the last whole number. Numbers may have marks between groups
//! of three digits (`1,234`, `1.234`, `1'234`, `1_234`, `1 234`). A total is on a line that says nodes, total, perft or
//! leaves. Of several divides the last counts. What can't be read for certain is refused, and never called different.

use crate::game::text::fault::quoted;
use crate::game::{Counting, Position};
use std::collections::BTreeMap;

/// What is expected of a text.
const FORM: &str = "expected lines of one move and its count, as in e2e4: 20";

/// A move of another divide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Its name in our notation, if it is legal.
    pub name: String,
    pub legal: bool,
    pub count: u128,
}

/// A divide that a program printed.
#[derive(Default, Debug)]
pub struct Reading {
    /// Its moves in the order in which they were printed.
    pub moves: Vec<Listed>,
    /// The line where it begins, if there are other divides before it.
    pub begins: Option<usize>,
    /// The total, if it is not the sum of the counts: the sum, then the total.
    pub total: Option<(u128, u128)>,
    /// By how much the ranks exceed ours.
    pub rank_offset: u32,
}

impl Reading {
    /// The counts by the names of their moves.
    pub fn counts(&self) -> BTreeMap<String, u128> {
        let mut counts = BTreeMap::new();
        for m in &self.moves {
            *counts.entry(m.name.clone()).or_default() += m.count;
        }
        counts
    }

    /// The sum of the counts.
    pub fn sum(&self) -> u128 {
        self.moves.iter().fold(0, |sum, m| sum.saturating_add(m.count))
    }
}

/// Two squares as file and rank, and the letter of a promotion.
type Squares = ([(u8, u32); 2], Option<u8>);

/// A line with a move.
#[derive(Clone, Debug)]
pub struct MoveLine {
    /// From 1.
    number: usize,
    /// As written.
    word: String,
    /// If it is in coordinates.
    squares: Option<Squares>,
    /// The last number.
    count: u128,
    /// Whether there is no other number that could be meant.
    is_certain: bool,
}

/// What a line is.
#[derive(Clone, Debug)]
pub enum Line {
    Move(MoveLine),
    /// All numbers of a line with a total.
    Total(Vec<u128>),
    /// Several moves with numbers.
    Several,
    Other,
}

/// Reads a line.
pub fn line_of(number: usize, line: &str) -> Line {
    let line = line.trim();
    let line = line.strip_prefix("info string").unwrap_or(line);
    let (first, is_fen) = (line.split_whitespace().next(), line.matches('/').count() >= 7);
    if matches!(first, Some("info" | "bestmove")) || is_fen {
        return Line::Other;
    }
    let (mut found, mut behind, mut is_alone) = (None, String::new(), true);
    for word in line.split(|c: char| c.is_whitespace() || c == '"') {
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '+');
        match (move_of(word), &found) {
            (Some(m), None) => {
                behind += &word[m.0.len()..];
                found = Some(m);
            }
            (Some(_), Some(_)) => is_alone = false,
            // The move comes first: a sentence about a move is no line of a divide.
            (None, None) if word.contains(char::is_alphabetic) && !word.eq_ignore_ascii_case("move") => break,
            (None, None) => {}
            (None, Some(_)) => behind += &format!(" {word}"),
        }
    }
    let Some((word, squares)) = found else {
        // Nor is it a total.
        let is_sentence = line.split_whitespace().any(|word| move_of(word).is_some());
        return if is_sentence { Line::Other } else { total_of(line) };
    };
    let (numbers, is_certain) = numbers(&behind);
    match numbers.last() {
        None => Line::Other,
        Some(_) if !is_alone => Line::Several,
        Some(&count) => Line::Move(MoveLine { number, word: word.into(), squares, count, is_certain }),
    }
}

/// The move at the start of a word, as written.
fn move_of(word: &str) -> Option<(&str, Option<Squares>)> {
    if let Some((squares, length)) = read_move(word) {
        return Some((&word[..length], Some(squares)));
    }
    let bare = word.split([':', ',', ';']).next()?.trim_end_matches([')', '.']);
    (looks_like_san(bare) || looks_like_wxf(bare)).then_some((bare, None))
}

/// A line without a move.
fn total_of(line: &str) -> Line {
    let words = line.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
    let words = Vec::from_iter(words);
    let has_one_of = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let (numbers, _) = numbers(line);
    let is_total = has_one_of(&["nodes", "node", "total", "perft", "leaves", "leaf"]);
    let is_other = numbers.len() == 1 && has_one_of(&["nps", "second", "seconds", "sec", "s", "ms", "time", "depth"]);
    if is_total && !is_other && !numbers.is_empty() { Line::Total(numbers) } else { Line::Other }
}

/// The whole numbers of a text, and whether there is exactly one, without blanks between its groups of digits.
fn numbers(text: &str) -> (Vec<u128>, bool) {
    let (mut found, mut has_blanks) = (Vec::<u128>::new(), false);
    // Whether the number before may go on behind a blank.
    let mut goes_on = false;
    for word in text.split(|c: char| c.is_whitespace() || ":=>;()[]{}|".contains(c)) {
        let word = word.trim_matches([',', '.']);
        if word.is_empty() {
            continue;
        }
        let is_plain = word.bytes().all(|b| b.is_ascii_digit());
        match (grouped(word), found.last_mut()) {
            (Some(value), Some(last)) if goes_on && is_plain && word.len() == 3 && *last < u128::MAX / 1_000 - 1 => {
                *last = 1_000 * *last + value;
                has_blanks = true;
            }
            (Some(value), _) => {
                found.push(value);
                goes_on = is_plain && word.len() <= 3;
            }
            (None, _) => goes_on = false,
        }
    }
    let is_certain = found.len() == 1 && !has_blanks;
    (found, is_certain)
}

/// A number, or groups of three digits with one kind of mark.
pub fn grouped(word: &str) -> Option<u128> {
    const MARKS: [char; 6] = [',', '.', '\'', '_', '’', ' '];
    let groups = match word.chars().find(|c| MARKS.contains(c)) {
        Some(mark) => Vec::from_iter(word.split(mark)),
        None => vec![word],
    };
    let are_digits = groups.iter().all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    let are_groups = groups.len() == 1
        || groups[0].len() <= 3 && groups[0] != "0" && groups[1..].iter().all(|group| group.len() == 3);
    if are_digits && are_groups { groups.concat().parse().ok() } else { None }
}

/// The move in coordinates at the start of a word and its length: `e2e4`, `E2-E4`, `Ng1xf3+`, `e7-e8=Q`, `a1->b1`.
fn read_move(text: &str) -> Option<(Squares, usize)> {
    let squares = |text| {
        let (from, rest) = read_square(text)?;
        let rest = rest.strip_prefix("->").or(rest.strip_prefix(['-', 'x'])).unwrap_or(rest);
        let (to, rest) = read_square(rest)?;
        Some(([from, to], rest))
    };
    // A piece letter may come first, if it is not itself the file of a square.
    let piece = text.strip_prefix(|c: char| c.is_ascii_uppercase());
    let (squares, rest) = squares(text).or_else(|| squares(piece?))?;
    let marked = rest.strip_prefix(['=', '/', '(']).unwrap_or(rest);
    let letter = marked.bytes().next().map(|letter| letter.to_ascii_lowercase());
    let letter = letter.filter(|letter| b"nbrqkp".contains(letter) && ends_word(&marked[1..]));
    let rest = if letter.is_some() { &marked[1..] } else { rest };
    ends_word(rest).then_some(((squares, letter), text.len() - rest.len()))
}

/// Whether the word has ended here.
fn ends_word(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_alphanumeric())
}

/// A square: a file from a to i and a rank of one or two digits.
fn read_square(text: &str) -> Option<((u8, u32), &str)> {
    let file = text.bytes().next()?.to_ascii_lowercase();
    if !(b'a'..=b'i').contains(&file) {
        return None;
    }
    let rest = &text[1..];
    let length = if rest.starts_with("10") { 2 } else { 1 };
    let rank = rest.get(..length)?.bytes().all(|b| b.is_ascii_digit()).then(|| &rest[..length])?;
    Some(((file, rank.parse().ok()?), &rest[length..]))
}

/// Whether a word has the form of a move in SAN.
fn looks_like_san(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    if ["O-O", "O-O-O", "0-0", "0-0-0"].contains(&word) {
        return true;
    }
    let word = word.strip_suffix(['Q', 'R', 'B', 'N']).map_or(word, |word| word.trim_end_matches('='));
    let rest = word.strip_prefix(['K', 'Q', 'R', 'B', 'N']).unwrap_or(word);
    let (rest, rank) = rest.split_at_checked(rest.len().saturating_sub(1)).unwrap_or((rest, ""));
    let Some(rest) = rest.strip_suffix(|c| ('a'..='h').contains(&c)) else { return false };
    let rest = rest.strip_suffix('x').unwrap_or(rest);
    let origin = |b: u8| matches!(b, b'a'..=b'h' | b'1'..=b'8');
    matches!(rank.as_bytes(), [b'1'..=b'8']) && rest.len() <= 2 && rest.bytes().all(origin)
}

/// Whether a word has the form of a move in WXF.
fn looks_like_wxf(word: &str) -> bool {
    let [piece, file, direction, to] = *word.as_bytes() else { return false };
    let named = piece.is_ascii_alphabetic() && matches!(file, b'1'..=b'9' | b'+' | b'-' | b'.');
    let placed = matches!(piece, b'+' | b'-') && file.is_ascii_alphabetic();
    (named || placed) && matches!(direction, b'+' | b'-' | b'=' | b'.') && to.is_ascii_digit()
}

/// A divide of a text: its lines with moves, and its totals.
#[derive(Default)]
struct Part {
    moves: Vec<MoveLine>,
    /// All numbers of the lines with totals.
    totals: Vec<u128>,
    /// The number on the first such line behind the moves that has one alone.
    total: Option<u128>,
    /// Whether there is a total behind the moves.
    has_ended: bool,
}

/// The divides of a text: a new one begins behind a total, or where the first move comes again behind another line.
fn parts_of(text: &str) -> Result<Vec<Part>, String> {
    let (mut parts, mut part, mut is_broken) = (Vec::new(), Part::default(), false);
    for (number, line) in (1..).zip(text.lines()) {
        match line_of(number, line) {
            Line::Several => return Err(format!("line {number} has several moves; {FORM}")),
            Line::Other => is_broken = true,
            Line::Total(numbers) => {
                if !part.moves.is_empty() {
                    part.has_ended = true;
                    part.total = part.total.or(if numbers.len() == 1 { Some(numbers[0]) } else { None });
                }
                part.totals.extend(numbers);
                is_broken = true;
            }
            Line::Move(line) => {
                let starts_again = is_broken && part.moves.first().is_some_and(|first| first.word == line.word);
                if starts_again || part.has_ended {
                    parts.push(std::mem::take(&mut part));
                }
                part.moves.push(line);
                is_broken = false;
            }
        }
    }
    parts.push(part);
    Ok(parts)
}

/// Reads the divide in `text`, printed for `position`. `offset` is by how much the ranks exceed ours, if that is known.
///
/// # Errors
/// If the text has no divide, or if it can't be decided which moves or counts are meant.
pub fn read<B: Counting>(position: &Position<B>, text: &str, offset: Option<u32>) -> Result<Reading, String> {
    let mut parts = parts_of(text)?;
    let last = parts.pop().unwrap_or_default();
    let legal = |offset: u32| last.moves.iter().filter(|m| name_of(position, m, offset).is_some()).count();
    let offset = offset.unwrap_or_else(|| u32::from(legal(1) > legal(0)));
    let Some(first) = last.moves.first() else {
        // A program that finds no move has nothing but a total.
        return if position.count_legal() == 0 || last.totals.contains(&0) {
            Ok(Reading { rank_offset: offset, ..Reading::default() })
        } else {
            Err(format!("there is no divide; {FORM}"))
        };
    };
    if !last.has_ended && parts.iter().any(|part| part.has_ended) {
        return Err(format!("line {} has a move behind the total; {FORM}", first.number));
    }
    let mut reading = Reading { rank_offset: offset, ..Reading::default() };
    if !parts.is_empty() {
        reading.begins = Some(first.number);
    }
    for line in &last.moves {
        let (number, word) = (line.number, &line.word);
        let legal = name_of(position, line, offset);
        let name = legal.clone().unwrap_or_else(|| coordinates(line, offset));
        if legal.is_none() && line.squares.is_none() {
            return Err(format!("line {number}: {} is no legal move or not clear; {FORM}", quoted(word)));
        }
        let is_again = reading.moves.iter().any(|m| m.name == name);
        if legal.is_none() && is_again && position.parse_move(&format!("{name}q")).is_ok() {
            return Err(format!("line {number}: {word} comes again; expected promotions with their letter"));
        }
        reading.moves.push(Listed { name, legal: legal.is_some(), count: line.count });
    }
    let sum = reading.sum();
    if !last.totals.contains(&sum) {
        if let Some(line) = last.moves.iter().find(|m| !m.is_certain) {
            return Err(format!("which number on line {} is the count can't be decided; {FORM}", line.number));
        }
        // A move that is printed twice is in the sum twice.
        if reading.counts().len() == reading.moves.len() {
            reading.total = last.total.map(|total| (sum, total));
        }
    }
    Ok(reading)
}

/// The legal move of a line in our notation, if its ranks are ours plus `offset`.
fn name_of<B: Counting>(position: &Position<B>, line: &MoveLine, offset: u32) -> Option<String> {
    let text = if line.squares.is_some() { coordinates(line, offset) } else { line.word.clone() };
    position.parse_move(&text).ok().map(|m| position.move_text(m).to_string())
}

/// A move in coordinates, with our ranks.
fn coordinates(line: &MoveLine, offset: u32) -> String {
    let Some((squares, promotion)) = line.squares else { return line.word.clone() };
    let mut text = String::new();
    for (file, rank) in squares {
        text.push(char::from(file));
        text += &rank.checked_sub(offset).map_or("?".into(), |rank| rank.to_string());
    }
    text.extend(promotion.map(char::from));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess, xiangqi};

    /// The divide of the start position, in a form, with its total.
    fn start(form: impl Fn(&str, u64) -> String) -> String {
        let position = chess::Position::default();
        let moves = position.legal_moves().into_iter().map(|m| form(position.move_text(m).as_str(), 380));
        moves.collect::<String>()
    }

    fn read_start(text: &str) -> Result<Reading, String> {
        read(&chess::Position::default(), text, Some(0))
    }

    /// Forms that are read.
    #[test]
    fn printed_forms() {
        let forms: [(&str, &dyn Fn(&str, u64) -> String); 19] = [
            ("Stockfish", &|m, n| format!("{m}: {n}\n")),
            ("blanks", &|m, n| format!("  {m}   {n}\n")),
            ("dash", &|m, n| format!("{m} - {n}\n")),
            ("arrow", &|m, n| format!("{m} -> {n}\n")),
            ("equals", &|m, n| format!("{m}={n}\n")),
            ("tab", &|m, n| format!("{m}\t{n}\n")),
            ("ordinal", &|m, n| format!("1. {m} {n}\n")),
            ("counter", &|m, n| format!("[ 3/20] {m} {n}\n")),
            ("hyphen in the move", &|m, n| format!("{}-{}: {n}\n", &m[..2], &m[2..])),
            ("capitals", &|m, n| format!("{}: {n}\n", m.to_uppercase())),
            ("info string", &|m, n| format!("info string {m}: {n}\n")),
            ("words", &|m, n| format!("move {m} nodes {n}\n")),
            ("JSON", &|m, n| format!("{{\"move\": \"{m}\", \"nodes\": {n}}}\n")),
            ("a share", &|m, n| format!("{m}: {n} (5.0 %)\n")),
            ("a time with its unit", &|m, n| format!("{m}: {n} 12ms\n")),
            ("CSV", &|m, n| format!("{m},{n}\n")),
            ("CR LF", &|m, n| format!("{m}: {n}\r\n")),
            ("two lines", &|m, n| format!("{m}: {n}\n\n")),
            ("a speed", &|m, n| format!("{m}: {n}\nspeed: 5\n")),
        ];
        for (name, form) in forms {
            for total in ["", "\nNodes searched: 7600\n", "\nTotal 7,600\n", "perft(3) = 7600\n", "leaves: 7 600\n"] {
                let text = start(form) + total;
                let found = read_start(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(found.moves.len() == 20 && found.moves.iter().all(|m| m.legal && m.count == 380), "{name}");
                assert!(found.total.is_none() && found.begins.is_none(), "{name} {total}: {found:?}");
            }
        }
        // Marks of thousands.
        for (text, count) in
            [("1,234,567", 1_234_567), ("1.234", 1_234), ("1'234", 1_234), ("1_234", 1_234), ("12 345", 12_345)]
        {
            let text = start(|m, _| format!("{m}: {text}\n"));
            match read_start(&(text.clone() + &format!("Nodes: {}\n", 20 * count))) {
                Ok(found) => assert!(found.moves.iter().all(|m| m.count == count), "{text}"),
                Err(error) => panic!("{text}: {error}"),
            }
        }
    }

    /// What can't be read for certain is refused.
    #[test]
    fn refused_forms() {
        for (text, reason) in [
            (start(|m, n| format!("{m}: {n} 12\n")), "which number on line 1 is the count can't be decided"),
            (start(|m, _| format!("{m}: 20 400\n")), "which number on line 1 is the count can't be decided"),
            ("a2a3: 1 b2b3: 2\n".into(), "line 1 has several moves"),
            ("b1 a3 400\n".into(), "line 1 has several moves"),
            ("{\"fen\":\"8/8/8/8/8/8/8/8 w\",\"moves\":{\"a2a3\":380}}".into(), "there is no divide"),
            (start(|m, _| format!("{m}\n")), "there is no divide"),
            (start(|m, n| format!("{n} {m}\n")), "there is no divide"),
            (start(|m, n| format!("{m}: {n}\n")) + "Nodes: 7600\ne2e4: 380\n", "line 22 has a move behind the total"),
            ("Nf5: 20\n".into(), "is no legal move or not clear"),
            ("info depth 1 nodes 0 pv e2e4\nbestmove e2e4\n".into(), "there is no divide"),
            (String::new(), "there is no divide"),
        ] {
            let error = read_start(&text).expect_err(&text);
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn the_last_divide_counts() {
        let plain = |count: u64| start(|m, _| format!("{m}: {count}\n"));
        let twice = format!("{}\nNodes searched: 400\n{}\nNodes searched: 7600\n", plain(20), plain(380));
        let found = read_start(&twice).unwrap();
        assert!(found.begins == Some(23) && found.sum() == 7_600, "{found:?}");
        // Without totals, and with a summary behind the total.
        let found = read_start(&format!("depth 2\n{}depth 3\n{}", plain(20), plain(380))).unwrap();
        assert!(found.begins == Some(23) && found.sum() == 7_600, "{found:?}");
        let found = read_start(&format!("{}\nNodes searched: 7600\nlargest: e2e4 380\n", plain(380))).unwrap();
        assert!(found.begins.is_none() && found.sum() == 7_600, "{found:?}");
        // A sentence about a move in the middle is neither a move nor a total.
        let found =
            read_start(&plain(380).replacen("e2e4", "Debug: Move e2e4 has 7 nodes at depth 2\ne2e4", 1)).unwrap();
        assert!(found.begins.is_none() && found.sum() == 7_600 && found.total.is_none(), "{found:?}");
        // A move twice, an illegal one, and a wrong total.
        let found = read_start(&(plain(380) + "a2a3: 380\ne1e8: 7\n")).unwrap();
        let names = Vec::from_iter(found.moves.iter().filter(|m| !m.legal).map(|m| m.name.as_str()));
        assert!(found.moves.len() == 22 && names == ["e1e8"], "{found:?}");
        let found = read_start(&(plain(380) + "Nodes searched: 7601\n")).unwrap();
        assert_eq!(found.total, Some((7_600, 7_601)));
    }

    #[test]
    fn moves_of_both_games_in_their_notations() {
        let castling = chess::Position::from_fen("r3k2r/P7/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        for (text, name) in [
            ("O-O", "e1g1"),
            ("0-0-0", "e1c1"),
            ("e1h1", "e1g1"),
            ("Ke1-g1", "e1g1"),
            ("axb8=N", "?"),
            ("Rh8+", "h1h8"),
        ] {
            let found = read(&castling, &format!("{text}: 5\n"), Some(0));
            match name {
                "?" => assert!(found.is_err(), "{text}"),
                _ => assert_eq!(found.unwrap().moves[0].name, name, "{text}"),
            }
        }
        // Promotions without letters can't be told apart.
        let bare = chess::Position::from_fen("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let error = read(&bare, "a7a8: 5\na7a8: 5\ne1e2: 5\n", Some(0)).unwrap_err();
        assert_eq!(error, "line 2: a7a8 comes again; expected promotions with their letter");
        let found = read(&bare, "a7a8: 5\ne1e2: 5\n", Some(0)).unwrap();
        assert!(!found.moves[0].legal && found.moves[1].legal, "{found:?}");
        // Ranks from 1, and the moves of WXF.
        let start = xiangqi::Position::default();
        let of = |text: &str| read(&start, text, None).map(|found| (found.moves[0].name.clone(), found.rank_offset));
        assert_eq!(of("h3e3: 46\na1a2: 40\n").unwrap(), ("h2e2".into(), 1));
        assert_eq!(of("h2e2: 46\na0a1: 40\n").unwrap(), ("h2e2".into(), 0));
        assert_eq!(of("C2=5 46\nN8+7 44\n").unwrap().0, "h2e2");
    }
}
