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

/// A line with a move.
#[derive(Clone, Debug)]
pub struct MoveLine {
    /// From 1.
    number: usize,
    /// As written.
    word: String,
    /// Two squares as file and rank, and the letter of a promotion, if it is in coordinates.
    squares: Option<([(u8, u32); 2], Option<u8>)>,
    /// What may be its count: the last number, the last one without blanks, and the first one.
    counts: [u128; 3],
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
    let line = without_colours(line);
    let line = line.trim();
    let rest = line.strip_prefix("info string").unwrap_or(line);
    let first = rest.split_whitespace().next().unwrap_or_default();
    if ["info", "bestmove", "position", "option", "id", "fen:"].contains(&first.to_lowercase().as_str()) {
        return Line::Other;
    }
    let is_fen = |word: &str| word.matches('/').count() >= 7;
    if rest.split_whitespace().any(is_fen) {
        // A divide in a line of JSON is one that can't be read.
        return if rest.starts_with('{') && rest.contains("\"moves\"") { Line::Several } else { Line::Other };
    }
    let mut moves = Vec::new();
    let mut at = 0;
    while let Some(start) = rest[at..].find(|c: char| c.is_alphanumeric() || c == '+') {
        let text = &rest[at + start..];
        let word = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"')).next().unwrap_or_default();
        match read_move(text) {
            Some((squares, length)) => {
                moves.push((at + start, at + start + length, Some(squares)));
                at += start + length;
            }
            None => {
                let bare = word.trim_end_matches([':', '.', ')']);
                if looks_like_san(bare) || looks_like_wxf(bare) {
                    moves.push((at + start, at + start + bare.len(), None));
                }
                at += start + word.len().max(1);
                while !rest.is_char_boundary(at) {
                    at += 1;
                }
            }
        }
    }
    if moves.is_empty() {
        return total_of(rest);
    }
    let numbers_after = |end: usize, to: usize| numbers(&rest[end..to]);
    if moves.len() > 1 {
        let ends = moves.iter().map(|m| m.0).skip(1).chain([rest.len()]);
        let with_numbers = moves.iter().zip(ends).filter(|(m, to)| !numbers_after(m.1, *to).joined.is_empty()).count();
        return if with_numbers > 1 { Line::Several } else { Line::Other };
    }
    let (start, end, squares) = moves[0];
    // The move comes first, perhaps behind its number or its count: a sentence about a move is no line of a divide.
    let mut words = rest[..start].split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    if !words.all(|word| word.eq_ignore_ascii_case("move")) {
        return Line::Other;
    }
    let mut found = numbers_after(end, rest.len());
    if found.joined.is_empty() && !found.has_other {
        found = numbers(&rest[..start]);
    }
    let (Some(&last), Some(&separate), Some(&first)) =
        (found.joined.last(), found.separate.last(), found.separate.first())
    else {
        return Line::Other;
    };
    Line::Move(MoveLine { number, word: rest[start..end].into(), squares, counts: [last, separate, first] })
}

/// A line without a move.
fn total_of(line: &str) -> Line {
    let words = line.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
    let words = Vec::from_iter(words.filter(|word| !word.is_empty()));
    let is_one_of = |list: &str| words.iter().any(|word| list.split(' ').any(|one| one == word));
    if !is_one_of("nodes node total totals perft leaves leaf") {
        return Line::Other;
    }
    let mut found = numbers(line);
    if is_one_of("nps second seconds sec ms time speed depth plies ply s") && found.separate.len() == 1 {
        return Line::Other;
    }
    found.joined.extend(&found.separate);
    if found.joined.is_empty() { Line::Other } else { Line::Total(found.joined) }
}

/// The whole numbers of a text.
struct Numbers {
    /// With blanks between groups of three digits.
    joined: Vec<u128>,
    /// Without.
    separate: Vec<u128>,
    /// Whether there is a number that is no count, such as a decimal.
    has_other: bool,
}

fn numbers(text: &str) -> Numbers {
    let mut found = Numbers { joined: Vec::new(), separate: Vec::new(), has_other: false };
    // Whether the number before may go on behind a blank.
    let mut goes_on = false;
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let before = &rest[..start];
        let is_part_of_word = before.ends_with(|c: char| c.is_alphanumeric());
        let is_negative = before.ends_with('-')
            && !before.ends_with("--")
            && before.len() > 1
            && before[..before.len() - 1].ends_with([' ', ':', '=', '\t']);
        let length = rest[start..].find(|c: char| !c.is_ascii_digit() && !MARKS.contains(&c));
        let word = rest[start..].get(..length.unwrap_or(rest.len() - start)).unwrap_or_default();
        let mut word = word.trim_end_matches(MARKS);
        // In `20,0.003` a comma parts two numbers.
        if grouped(word).is_none() {
            word = word.split(',').next().unwrap_or_default();
        }
        let behind = &rest[start + word.len()..];
        let is_unit =
            behind.starts_with(|c: char| c.is_alphanumeric() || c == '%') || behind.trim_start().starts_with('%');
        match grouped(word).filter(|_| !is_part_of_word && !is_unit && !is_negative) {
            Some(value) => {
                let is_blank = matches!(before, " " | "\u{a0}" | "\u{202f}");
                let is_plain = word.bytes().all(|b| b.is_ascii_digit());
                match found.joined.last_mut().filter(|_| goes_on && is_blank && is_plain && word.len() == 3) {
                    Some(last) if last.checked_mul(1_000).is_some() => *last = *last * 1_000 + value,
                    _ => {
                        found.joined.push(value);
                        goes_on = is_plain && word.len() <= 3;
                    }
                }
                found.separate.push(value);
            }
            None => {
                goes_on = false;
                found.has_other = true;
            }
        }
        rest = behind;
        if let Some(unit) = is_unit.then(|| rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())) {
            rest = &rest[unit..];
        }
    }
    found
}

const MARKS: [char; 5] = [',', '.', '\'', '_', '’'];

/// A number, or groups of three digits with one kind of mark.
pub fn grouped(word: &str) -> Option<u128> {
    let mark = word.chars().find(|c| MARKS.contains(c));
    let Some(mark) = mark else { return word.parse().ok() };
    let groups = Vec::from_iter(word.split(mark));
    let is_group = |group: &&str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    let is_first = (1..=3).contains(&groups[0].len()) && groups[0] != "0";
    if is_first && groups[1..].iter().all(is_group) { groups.concat().parse().ok() } else { None }
}

/// The text without the escape sequences that colour it on a terminal.
fn without_colours(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text += part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').get(1..).unwrap_or("");
    }
    text
}

/// Two squares and a promotion.
type Squares = ([(u8, u32); 2], Option<u8>);

/// The move in coordinates at the start of a text and its length: `e2e4`, `E2-E4`, `Ng1xf3+`, `e7-e8=Q`, `a1->b1`.
fn read_move(text: &str) -> Option<(Squares, usize)> {
    let squares = |text| {
        let (from, rest) = read_square(text)?;
        let arrow = |arrow| rest.trim_start_matches(' ').strip_prefix(arrow).map(str::trim_start);
        let rest = ["->", "=>", "→", "–", "—"].into_iter().find_map(arrow).unwrap_or(rest);
        let rest = rest.strip_prefix(['-', 'x', ':', '*', '\u{2010}', '\u{2011}']).unwrap_or(rest);
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

/// A divide of a text: its lines with moves, and the numbers of the totals behind it.
#[derive(Clone, Default)]
struct Part {
    moves: Vec<MoveLine>,
    totals: Vec<Vec<u128>>,
    /// The totals behind the moves, by the words of their lines.
    labels: BTreeMap<String, u128>,
    /// A line whose total contradicts that of another line with the same words.
    contradicts: Option<usize>,
}

/// The divides of a text: a new one begins behind a total, or where the first move comes again behind another line.
fn parts_of(text: &str) -> Result<Vec<Part>, String> {
    let (mut parts, mut part, mut is_broken) = (Vec::<Part>::new(), Part::default(), false);
    for (number, line) in (1..).zip(text.lines()) {
        match line_of(number, line) {
            Line::Several => return Err(format!("line {number} has several moves; {FORM}")),
            Line::Other => is_broken = true,
            Line::Total(numbers) => {
                let is_plain = numbers.iter().all(|n| *n == numbers[0]);
                if !part.moves.is_empty() && is_plain {
                    let label =
                        Vec::from_iter(line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()));
                    let before = part.labels.insert(label.join(" "), numbers[0]);
                    if before.is_some_and(|total| total != numbers[0]) {
                        part.contradicts = Some(number);
                    }
                }
                part.totals.push(numbers);
                is_broken = true;
            }
            Line::Move(line) => {
                let starts_again = is_broken && part.moves.first().is_some_and(|first| first.word == line.word);
                if starts_again || !part.totals.is_empty() && !part.moves.is_empty() {
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
    let mut last = parts.pop().unwrap_or_default();
    // A summary repeats some moves behind the total.
    while let Some(before) = parts.last().filter(|before| !before.moves.is_empty()) {
        let again = |line: &MoveLine| before.moves.iter().any(|m| m.word == line.word && m.counts == line.counts);
        if !last.moves.is_empty() && (last.moves.len() == before.moves.len() || !last.moves.iter().all(again)) {
            break;
        }
        last = parts.pop().unwrap_or_default();
    }
    // Some moves behind the total, without one of their own, belong to the divide.
    if let Some(before) =
        parts.last_mut().filter(|before| last.totals.is_empty() && last.moves.len() < before.moves.len() / 2)
    {
        before.moves.append(&mut last.moves);
        last = parts.pop().unwrap_or_default();
    }
    if let Some(number) = last.contradicts {
        return Err(format!("line {number} has another total than a line before it; {FORM}"));
    }
    let begins =
        parts.iter().any(|part| !part.moves.is_empty()).then(|| last.moves.first().map(|m| m.number)).flatten();
    let legal = |offset: u32| last.moves.iter().filter(|m| name_of(position, m, offset).is_some()).count();
    let offset = offset.unwrap_or_else(|| u32::from(legal(1) > legal(0)));
    if last.moves.is_empty() {
        // A program that finds no move has nothing but a total.
        let is_zero = last.totals.iter().any(|numbers| numbers.contains(&0));
        return if position.count_legal() == 0 || is_zero {
            Ok(Reading { rank_offset: offset, ..Reading::default() })
        } else {
            Err(format!("there is no divide; {FORM}"))
        };
    }
    let column = column(&last)?;
    let mut moves = Vec::new();
    for line in &last.moves {
        let count = line.counts[column];
        match name_of(position, line, offset) {
            Some(name) => moves.push(Listed { name, legal: true, count }),
            None if line.squares.is_none() => {
                let (number, word) = (line.number, quoted(&line.word));
                return Err(format!("line {number}: {word} is no legal move or not clear; {FORM}"));
            }
            None => moves.push(Listed { name: coordinates(line, offset), legal: false, count }),
        }
    }
    add_letters(position, &mut moves);
    let mut reading = Reading { moves, begins, total: None, rank_offset: offset };
    let sum = reading.sum();
    let fits = last.totals.iter().any(|numbers| numbers.contains(&sum));
    let plain =
        last.totals.iter().find_map(|numbers| numbers.first().filter(|first| numbers.iter().all(|n| n == *first)));
    let names = std::collections::BTreeSet::from_iter(reading.moves.iter().map(|m| m.name.as_str()));
    // A move that is printed twice is in the sum twice.
    let is_sum = names.len() == reading.moves.len();
    reading.total = plain.filter(|_| !fits && is_sum).map(|&total| (sum, total));
    Ok(reading)
}

/// Which of the numbers of each line is the count: that whose sum is the total, or the only one.
fn column(part: &Part) -> Result<usize, String> {
    let sum = |column: usize| part.moves.iter().fold(0u128, |sum, m| sum.saturating_add(m.counts[column]));
    let is_total = |column: &usize| part.totals.iter().any(|numbers| numbers.contains(&sum(*column)));
    if let Some(column) = (0..3).find(is_total) {
        return Ok(column);
    }
    match part.moves.iter().find(|m| m.counts != [m.counts[0]; 3]) {
        None => Ok(0),
        Some(line) => Err(format!("which number on line {} is the count can't be decided; {FORM}", line.number)),
    }
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

/// Whether most moves of a divide are replies to the one above.
pub fn has_replies<B: Counting>(position: &Position<B>, moves: &[Listed]) -> bool {
    let (mut after, mut replies) = (None, 0);
    for m in moves {
        match position.parse_coordinates(&m.name).ok().filter(|_| m.legal) {
            Some(played) => after = Some(position.play_unchecked(played)),
            None => replies += usize::from(after.is_some_and(|after| after.parse_coordinates(&m.name).is_ok())),
        }
    }
    2 * replies > moves.len()
}

/// Some programs omit the promotion letter and print such a move four times. Only the counts show which is which.
fn add_letters<B: Counting>(position: &Position<B>, moves: &mut [Listed]) {
    let promotions = position.legal_moves().into_iter().map(|m| (position.move_text(m).to_string(), m));
    let promotions = Vec::from_iter(promotions.filter(|(name, _)| name.len() > 4));
    for (bare, _) in promotions.iter().map(|(name, _)| name.split_at(4)) {
        let mut places = Vec::from_iter((0..moves.len()).filter(|&at| !moves[at].legal && moves[at].name == bare));
        let mut lettered = Vec::from_iter(promotions.iter().filter(|(name, _)| name.starts_with(bare)));
        if places.len() != lettered.len() || places.is_empty() {
            continue;
        }
        places.sort_by_key(|&at| moves[at].count);
        lettered.sort_by_key(|&&(_, m)| position.play_unchecked(m).perft(2));
        for (at, (name, _)) in places.into_iter().zip(lettered) {
            (moves[at].name, moves[at].legal) = (name.clone(), true);
        }
    }
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
        let forms: [(&str, &dyn Fn(&str, u64) -> String); 21] = [
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
            ("count first", &|m, n| format!("{n} {m}\n")),
            ("info string", &|m, n| format!("info string {m}: {n}\n")),
            ("words", &|m, n| format!("move {m} nodes {n}\n")),
            ("JSON", &|m, n| format!("{{\"move\": \"{m}\", \"nodes\": {n}}}\n")),
            ("colours", &|m, n| format!("\u{1b}[1m{m}\u{1b}[0m: {n}\n")),
            ("a share", &|m, n| format!("{m}: {n} (5.0 %)\n")),
            ("a time with its unit", &|m, n| format!("{m}: {n} 12ms\n")),
            ("CSV", &|m, n| format!("{m},{n},0.003\n")),
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
            ("b1 a3 400\n".into(), "there is no divide"),
            ("{\"fen\":\"8/8/8/8/8/8/8/8 w\",\"moves\":{\"a2a3\":380}}".into(), "line 1 has several moves"),
            (start(|m, _| format!("{m}\n")), "there is no divide"),
            ("Nf5: 20\n".into(), "is no legal move or not clear"),
            (String::new(), "there is no divide"),
        ] {
            let error = read_start(&text).expect_err(&text);
            assert!(error.contains(reason), "{text}: {error}");
        }
        let replies = start(|m, n| format!("{m}: {n}\n  e7e5: 19\n  e7e6: 19\n"));
        assert!(has_replies(&chess::Position::default(), &read_start(&replies).unwrap().moves));
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
        // Promotions without letters are told apart by their counts.
        let bare = chess::Position::from_fen("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let text: String =
            bare.divide(3).map(|(m, n)| format!("{}: {n}\n", &bare.move_text(m).as_str()[..4])).collect();
        let found = read(&bare, &text, Some(0)).unwrap();
        let right = bare.divide(3).map(|(m, n)| (bare.move_text(m).to_string(), u128::from(n)));
        assert_eq!(found.counts(), BTreeMap::from_iter(right));
        // Ranks from 1, and the moves of WXF.
        let start = xiangqi::Position::default();
        let of = |text: &str| read(&start, text, None).map(|found| (found.moves[0].name.clone(), found.rank_offset));
        assert_eq!(of("h3e3: 46\na1a2: 40\n").unwrap(), ("h2e2".into(), 1));
        assert_eq!(of("h2e2: 46\na0a1: 40\n").unwrap(), ("h2e2".into(), 0));
        assert_eq!(of("C2=5 46\nN8+7 44\n").unwrap().0, "h2e2");
    }
}
