//! Comparing a divide with the one that another program has printed, whatever its form.
//!
//! [`Reader`] finds the moves and counts in lines of text, [`compare`] sets them beside our own. Called by
//! `against`, which drives the other program, and by the command line for programs that cannot be driven, because
//! they have no `go perft` or speak no UCI. The text is another program's: nothing in it may panic, and what is
//! no move with a count is passed over.
//!
//! A move that is printed twice is a fault, as generators have it. But a text may hold several divides (of depths 1,
//! 2 and 3, or of several runs), of which the last one counts, and may name moves again in a summary. So a text is
//! cut where a total is printed, and where all moves begin again behind a line that has none.

use super::count::Divide;
use crate::game::{Census, Notation};

/// A move as it was written, and the count beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Line of the text, from 1.
    pub line: usize,
    /// How many totals were printed before it.
    pub section: usize,
    /// How many lines without a move were read before it.
    pub breaks: usize,
    /// What was written.
    pub text: String,
    /// What is meant.
    pub target: Target,
    /// The count.
    pub count: u128,
}

/// A move read without a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// From file and rank to file and rank, with the letter of a promotion.
    Squares([(u8, u32); 2], Option<u8>),
    /// Castling, to the side of the higher files if true.
    Castling(bool),
}

impl Target {
    /// The move in coordinate form, if it is no castling and the ranks of the text are ours plus `offset`.
    fn text(self, offset: u32) -> Option<String> {
        let Target::Squares(squares, promotion) = self else { return None };
        let mut text = String::new();
        for (file, rank) in squares {
            text.push(char::from(file));
            text.push_str(&rank.checked_sub(offset)?.to_string());
        }
        text.extend(promotion.map(char::from));
        Some(text)
    }
}

/// Where two divides differ.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Differences {
    /// Legal moves that are not in the text, with our counts.
    pub missing: Vec<(String, u128)>,
    /// Moves of the text that are not legal, with its counts.
    pub extra: Vec<(String, u128)>,
    /// Moves that are printed more than once, with the lines.
    pub repeated: Vec<(String, Vec<usize>)>,
    /// Moves with our count and then the other one.
    pub differing: Vec<(String, u128, u128)>,
}

impl Differences {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Differences::default()
    }
}

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// It holds moves with their counts.
    Moves,
    /// It ends a divide: Stockfish's `Nodes searched: N` and its relatives.
    Total(u128),
    /// It says nothing that is of use here.
    Other,
}

/// Reads a text line by line.
#[derive(Default)]
pub struct Reader {
    /// What was found.
    pub found: Vec<Counted>,
    lines: usize,
    section: usize,
    breaks: usize,
}

impl Reader {
    /// Reads a whole text.
    pub fn read(text: &str) -> Vec<Counted> {
        let mut reader = Reader::default();
        text.lines().for_each(|line| _ = reader.take(line));
        reader.found
    }

    /// Finds every move with a count in the next line: the number behind it, or if there is none the one in
    /// front of it. What a search reports (`info …`, `bestmove …`) is left out.
    pub fn take(&mut self, line: &str) -> Line {
        self.lines += 1;
        let known = self.found.len();
        let line = line.strip_prefix("info string").unwrap_or(line);
        let word = line.split_whitespace().next();
        let mut kind = Line::Other;
        if !matches!(word, Some("info" | "bestmove" | "position")) {
            self.take_moves(line);
            if self.found.len() > known {
                return Line::Moves;
            }
            if let Some(total) = read_total(line) {
                self.section += 1;
                kind = Line::Total(total);
            }
        }
        self.breaks += 1;
        kind
    }

    fn take_moves(&mut self, line: &str) {
        let (mut open, mut before) = (None, None);
        let mut alone = true;
        let known = self.found.len();
        for token in tokens(line) {
            match (token, open.take()) {
                (Token::Move(text, target), held) => {
                    alone &= held.is_none() && self.found.len() == known;
                    open = Some((text, target));
                }
                (Token::Number(count), Some((text, target))) => self.push(text, target, count),
                (Token::Number(count), None) => before = Some(count),
            }
        }
        if let (Some((text, target)), Some(count), true) = (open, before, alone) {
            self.push(text, target, count);
        }
    }

    fn push(&mut self, text: &str, target: Target, count: u128) {
        let Reader { lines: line, section, breaks, .. } = *self;
        self.found.push(Counted { line, section, breaks, text: text.into(), target, count });
    }
}

/// The number in a line without a move that ends a divide.
fn read_total(line: &str) -> Option<u128> {
    let line = line.trim_start().to_ascii_lowercase();
    if !line.contains("nodes") && !line.starts_with("total") {
        return None;
    }
    let number = |token| if let Token::Number(n) = token { Some(n) } else { None };
    tokens(&line).find_map(number)
}

/// What a text shows at some place.
enum Token<'a> {
    Move(&'a str, Target),
    Number(u128),
}

/// The moves and numbers of a line.
fn tokens(line: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            // A word begins where letters and digits do.
            rest = rest.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
            if rest.is_empty() {
                return None;
            }
            if let Some((target, length)) = read_move(rest) {
                let (text, tail) = rest.split_at(length);
                rest = tail;
                return Some(Token::Move(text, target));
            }
            let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
            let (word, tail) = rest.split_at(length);
            rest = tail;
            if !word.bytes().all(|b| b.is_ascii_digit()) {
                continue;
            }
            // Thousands may be set off, and `1.` numbers a line.
            let mut digits = String::from(word);
            while let Some(group) = group(rest) {
                digits.push_str(group);
                rest = &rest[1 + group.len()..];
            }
            if rest.starts_with('.') {
                continue;
            }
            if let Ok(number) = digits.parse() {
                return Some(Token::Number(number));
            }
        }
    })
}

/// Three digits behind a separator.
fn group(text: &str) -> Option<&str> {
    let digits = text.strip_prefix([',', '_', '\''])?;
    let length = digits.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(digits.len());
    let digits = &digits[..length];
    (length == 3 && digits.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

/// The move with which a text begins, and its length: `e2e4`, `E2-E4`, `Ng1xf3+`, `e7e8q`, `e7-e8=Q`,
/// `h10h9`, `O-O`.
fn read_move(text: &str) -> Option<(Target, usize)> {
    for (castling, king_side) in [("O-O-O", false), ("0-0-0", false), ("O-O", true), ("0-0", true)]
    {
        if let Some(tail) = text.strip_prefix(castling)
            && ends_word(tail)
        {
            return Some((Target::Castling(king_side), castling.len()));
        }
    }
    // A piece may stand in front: its letter is no file, or a square follows.
    let squares = |text| {
        let (from, rest) = read_square(text)?;
        let rest = rest.strip_prefix(['-', 'x', ':', '*']).unwrap_or(rest);
        let (to, rest) = read_square(rest)?;
        Some(([from, to], rest))
    };
    let piece = text.strip_prefix(|c: char| c.is_ascii_uppercase());
    let (squares, rest) = squares(text).or_else(|| squares(piece?))?;
    let promotion = |text: &str| -> Option<u8> {
        let letter = text.bytes().next()?.to_ascii_lowercase();
        (matches!(letter, b'n' | b'b' | b'r' | b'q') && ends_word(&text[1..])).then_some(letter)
    };
    let marked = rest.strip_prefix(['=', '/', '(']);
    let (promotion, rest) = match marked.and_then(|rest| Some((promotion(rest)?, rest))) {
        Some((letter, rest)) => (Some(letter), &rest[1..]),
        None => match promotion(rest) {
            Some(letter) => (Some(letter), &rest[1..]),
            None => (None, rest),
        },
    };
    ends_word(rest).then_some((Target::Squares(squares, promotion), text.len() - rest.len()))
}

/// Whether no word goes on here.
fn ends_word(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_alphanumeric())
}

/// A file from a to i and a rank of one digit or two.
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

/// The legal move that is meant, in our own words, if the ranks of the text are ours plus `offset`.
fn spell<P: Notation + Census>(
    pos: &P,
    ours: &Divide<P::Move>,
    target: Target,
    offset: u32,
) -> Option<String> {
    let text = match target {
        Target::Squares(..) => target.text(offset)?,
        Target::Castling(king_side) => {
            let castles = ours.moves.iter().filter(|&&(m, _)| pos.facts(m).castle);
            let mut texts = castles.map(|&(m, _)| pos.move_text(m).to_string());
            texts.find(|text| (text.as_bytes()[2] > text.as_bytes()[0]) == king_side)?
        }
    };
    pos.parse_move(&text).ok().map(|m| pos.move_text(m).to_string())
}

/// What the ranks of `theirs` have to be lowered by: some programs count those of xiangqi from 1.
pub fn rank_offset<P: Notation + Census>(
    pos: &P,
    ours: &Divide<P::Move>,
    theirs: &[Counted],
) -> u32 {
    let known =
        |offset| theirs.iter().filter(|c| spell(pos, ours, c.target, offset).is_some()).count();
    u32::from(known(1) > known(0))
}

/// A move of the text and its name in our words, by which it is known again in whatever way it is written.
#[derive(Clone, Copy)]
struct Named<'a> {
    name: &'a str,
    legal: bool,
    counted: &'a Counted,
}

/// The names of `theirs`, and whether they are those of legal moves.
fn names<P: Notation + Census>(
    pos: &P,
    ours: &Divide<P::Move>,
    theirs: &[Counted],
    offset: u32,
) -> Vec<(String, bool)> {
    let name = |counted: &Counted| match spell(pos, ours, counted.target, offset) {
        Some(name) => (name, true),
        None => (counted.target.text(offset).unwrap_or_else(|| counted.text.clone()), false),
    };
    let mut names: Vec<_> = theirs.iter().map(name).collect();
    // Some programs leave out the letters of promotions, and print such a move four times. Which is which only
    // their counts tell.
    let promotions = ours.moves.iter().filter(|&&(m, _)| pos.facts(m).promotion);
    let mut promotions: Vec<_> =
        promotions.map(|&(m, count)| (pos.move_text(m).to_string(), count)).collect();
    promotions.sort_by(|a, b| (&a.0[..4], a.1).cmp(&(&b.0[..4], b.1)));
    for lettered in promotions.chunk_by(|a, b| a.0[..4] == b.0[..4]) {
        let mut bare: Vec<_> = (0..names.len())
            .filter(|&i| names[i] == (lettered[0].0[..4].to_string(), false))
            .collect();
        bare.sort_by_key(|&i| (theirs[i].section, theirs[i].count));
        for four in bare.chunk_by(|&i, &j| theirs[i].section == theirs[j].section) {
            if four.len() == lettered.len() {
                for (&i, (name, _)) in four.iter().zip(lettered) {
                    names[i] = (name.clone(), true);
                }
            }
        }
    }
    names
}

/// The last divide of those that a text may hold.
fn last_divide<'a>(named: &[Named<'a>]) -> Vec<Named<'a>> {
    let mut last = Vec::new();
    for section in named.chunk_by(|a, b| a.counted.section == b.counted.section) {
        let mut divide = Vec::new();
        for run in section.chunk_by(|a, b| a.counted.breaks == b.counted.breaks) {
            join(&mut divide, run, false);
        }
        join(&mut last, &divide, true);
    }
    last
}

/// Adds moves that follow those of `divide`, in its place if they are another divide. What is printed again
/// stays beside what it repeats, except in a summary, which follows a total.
fn join<'a>(divide: &mut Vec<Named<'a>>, next: &[Named<'a>], behind_total: bool) {
    let holds = |list: &[Named<'_>], m: &Named<'_>| list.iter().any(|other| other.name == m.name);
    let same = next.iter().all(|m| holds(divide, m)) && divide.iter().all(|m| holds(next, m));
    let again = |m: &Named<'_>| {
        divide.iter().any(|other| (other.name, other.counted.count) == (m.name, m.counted.count))
    };
    if same && (behind_total || next.len() > 1) {
        *divide = next.to_vec();
    } else if !(behind_total && next.iter().all(again)) {
        divide.extend(next);
    }
}

/// Sets `theirs` beside `ours`, the divide of `pos`, if their ranks are ours plus `offset`. Also says on which
/// line the divide begins that was compared, if it is not the first one.
pub fn compare<P: Notation + Census>(
    pos: &P,
    ours: &Divide<P::Move>,
    theirs: &[Counted],
    offset: u32,
) -> (Differences, Option<usize>) {
    let names = names(pos, ours, theirs, offset);
    let named: Vec<_> = names
        .iter()
        .zip(theirs)
        .map(|((name, legal), counted)| Named { name, legal: *legal, counted })
        .collect();
    let divide = last_divide(&named);
    let mut differences = Differences::default();
    for (at, m) in divide.iter().enumerate() {
        if divide[..at].iter().any(|earlier| earlier.name == m.name) {
            continue;
        }
        let name = m.name.to_string();
        if !m.legal {
            differences.extra.push((name.clone(), m.counted.count));
        }
        let lines = divide[at..].iter().filter(|later| later.name == m.name);
        let lines: Vec<usize> = lines.map(|later| later.counted.line).collect();
        if lines.len() > 1 {
            differences.repeated.push((name, lines));
        }
    }
    for &(m, count) in &ours.moves {
        let name = pos.move_text(m).to_string();
        let mut counts: Vec<u128> =
            divide.iter().filter(|m| m.name == name).map(|m| m.counted.count).collect();
        if counts.is_empty() {
            differences.missing.push((name.clone(), count));
        }
        counts.dedup();
        let wrong = counts.into_iter().filter(|&other| other != count);
        differences.differing.extend(wrong.map(|other| (name.clone(), count, other)));
    }
    differences.missing.sort();
    differences.differing.sort();
    let begins = divide.first().map(|m| m.counted.line);
    (differences, begins.filter(|&line| theirs.first().is_some_and(|first| first.line != line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess;
    use crate::game::MoveBuffer;
    use crate::xiangqi;

    fn found(text: &str) -> Vec<(String, u128)> {
        Reader::read(text).into_iter().map(|c| (c.text, c.count)).collect()
    }

    fn divide<P: Notation>(pos: &P, depth: u32) -> Divide<P::Move> {
        let mut list = P::List::default();
        pos.legal_moves(&mut list);
        let count = |&m: &P::Move| {
            let mut child = *pos;
            child.make(m);
            (m, u128::from(child.perft(depth - 1)))
        };
        let moves: Vec<_> = list.as_slice().iter().map(count).collect();
        Divide { total: moves.iter().map(|&(_, n)| n).sum(), moves }
    }

    fn differences<P: Notation + Census>(
        pos: &P,
        ours: &Divide<P::Move>,
        text: &str,
    ) -> Differences {
        let theirs = Reader::read(text);
        compare(pos, ours, &theirs, rank_offset(pos, ours, &theirs)).0
    }

    #[test]
    fn moves_and_counts_are_found_in_every_form() {
        for line in [
            "e2e4: 20",
            "e2e4 20",
            "1. e2e4 = 20",
            " 12) e2e4 -> 20 (5.0 %)",
            "info string e2e4: 20",
            "e2e4\t20",
            "20 e2e4",
            "e2e4,20,0.003",
            "move e2e4 nodes 20",
            "{\"move\": \"e2e4\", \"nodes\": 20}",
            "[ 3/20] e2e4 20",
        ] {
            assert_eq!(found(line), [("e2e4".to_string(), 20)], "{line:?}");
        }
        assert_eq!(found("1. e2-e4 = 20"), [("e2-e4".to_string(), 20)]);
        assert_eq!(found("Ng1xf3+ 1,234,567"), [("Ng1xf3".to_string(), 1_234_567)]);
        assert_eq!(found("b7-b8=Q: 1'234"), [("b7-b8=Q".to_string(), 1234)]);
        assert_eq!(found("O-O-O: 7"), [("O-O-O".to_string(), 7)]);
        assert_eq!(found("a2a3: 1 b2b3: 2\r\nc2c3 3").len(), 3);
        for line in [
            "",
            "Nodes searched: 400",
            "info depth 3 currmove e2e4 currmovenumber 20",
            "bestmove e2e4 ponder e7e5",
            "position startpos moves e2e4 20",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "e2e4",
            "e2e4e5: 20",
            "time 12.5",
            "e2e4: 999999999999999999999999999999999999999999",
            "ä2e4: 3 e2ä4: 4 é",
        ] {
            assert_eq!(found(line), [], "{line:?}");
        }
    }

    #[test]
    fn castling_and_promotions_are_understood_however_they_are_written() {
        let fen = "r3k2r/P7/8/8/8/8/8/R3K2R w KQ - 0 1";
        let pos = chess::Position::from_fen(fen).unwrap();
        let ours = divide(&pos, 2);
        for (castling, other) in
            [("e1g1", "e1c1"), ("e1h1", "e1a1"), ("O-O", "0-0-0"), ("Ke1-g1", "E1C1")]
        {
            let mut text = String::new();
            for &(m, count) in &ours.moves {
                let shown = match pos.move_text(m).to_string() {
                    m if m == "e1g1" => castling.to_string(),
                    m if m == "e1c1" => other.to_string(),
                    m => m,
                };
                text.push_str(&format!("{shown}: {count}\n"));
            }
            let theirs = Reader::read(&text);
            assert_eq!(theirs.len(), ours.moves.len(), "{text}");
            assert_eq!(differences(&pos, &ours, &text), Differences::default(), "{castling}");
        }
    }

    #[test]
    fn what_differs_is_named_with_both_counts() {
        let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
        let ours = divide(&pos, 3);
        let mut text: String = ours
            .moves
            .iter()
            .filter(|&&(m, _)| pos.move_text(m).to_string() != "a2a3")
            .map(|&(m, n)| format!("{}: {}\n", pos.move_text(m), if n == 600 { 601 } else { n }))
            .collect();
        text.push_str("e2e5: 3\n");
        let differences = differences(&pos, &ours, &text);
        assert_eq!(differences.missing, [("a2a3".to_string(), 380)]);
        assert_eq!(differences.extra, [("e2e5".to_string(), 3)]);
        assert_eq!(differences.differing, [("e2e4".to_string(), 600, 601)]);
        assert!(!differences.is_empty());
    }

    /// What a program prints that counts `depth` plies below `pos`, and its total.
    fn printed<P: Notation>(pos: &P, depth: u32) -> String {
        let Divide { total, mut moves } = divide(pos, depth);
        moves.sort_by_key(|&(m, _)| pos.move_text(m));
        let lines: String =
            moves.iter().map(|&(m, n)| format!("{}: {n}\n", pos.move_text(m))).collect();
        format!("{lines}\nNodes searched: {total}\n")
    }

    #[test]
    fn a_move_that_is_printed_twice_is_named() {
        let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
        let ours = divide(&pos, 2);
        let all = printed(&pos, 2);
        let (moves, total) = all.split_once("\n\n").unwrap();
        let spaced = moves.replace('\n', "\n\n");
        // The same count, another one, another notation, the same line, far away, under headings, no total.
        for (text, lines) in [
            (format!("{all}a2a3: 20\n").replace(&format!("\n{total}"), ""), [1, 21]),
            (format!("a2a3: 20\n{all}"), [1, 0]),
            (format!("{moves}\na2a3: 21\n\n{total}"), [1, 21]),
            (format!("{moves}\na2-a3 = 20\n{total}"), [1, 21]),
            (format!("{moves} a2a3: 20\n{total}"), [1, 20]),
            (format!("Pawns\n{moves}\nKnights\na2a3: 20\n{total}"), [2, 23]),
            (format!("{spaced}\n\na2a3: 20\n\n{total}"), [1, 41]),
        ] {
            let found = differences(&pos, &ours, &text);
            assert_eq!(found.repeated.len(), 1, "{text}: {found:?}");
            let (name, found_lines) = &found.repeated[0];
            assert_eq!((name.as_str(), found_lines.len()), ("a2a3", 2), "{text}");
            assert!(found.missing.is_empty() && found.extra.is_empty(), "{text}: {found:?}");
            if lines[1] != 0 {
                assert_eq!(found_lines[..], lines, "{text}");
            }
            let wrong: Vec<_> = found.differing.iter().map(|d| d.2).collect();
            assert_eq!(wrong, if text.contains("a2a3: 21") { vec![21] } else { vec![] });
        }
        // Three times, and twice a move that is none.
        let text = format!("{moves}\nb2b3 20\nb2b3 20\nb2b5 1\nb2b5 1");
        let found = differences(&pos, &ours, &text);
        let repeated: Vec<_> = found.repeated.iter().map(|r| (r.0.as_str(), r.1.len())).collect();
        assert_eq!(repeated, [("b2b3", 3), ("b2b5", 2)]);
        assert_eq!(found.extra, [("b2b5".to_string(), 1)]);
    }

    #[test]
    fn of_several_divides_the_last_one_counts() {
        let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
        let ours = divide(&pos, 3);
        let [one, two, three] = [1, 2, 3].map(|depth| printed(&pos, depth));
        let bare = |text: &str| text.split("\n\n").next().unwrap().to_string();
        for text in [
            format!("{one}{two}{three}"),
            format!("depth 1\n{one}\ndepth 2\n{two}\ndepth 3\n{three}"),
            format!("depth 1\n{}\ndepth 3\n{}\n", bare(&one), bare(&three)),
            format!("{}\n\n{}\n", bare(&three), bare(&three)),
            // The order may be another one.
            format!("{two}{}", three.lines().rev().collect::<Vec<_>>().join("\n")),
        ] {
            let (found, begins) = compare(&pos, &ours, &Reader::read(&text), 0);
            assert!(found.is_empty(), "{text}: {found:?}");
            assert!(begins.is_some_and(|line| line > 20), "{text}: {begins:?}");
        }
        // A summary names moves again, headings stand between kinds of moves, totals go on and on.
        let (first, last) = three.split_at(three.find("b1a3").unwrap());
        let totals: String =
            bare(&three).lines().map(|l| format!("{l}\nnodes so far: 7\n")).collect();
        for text in [
            format!("{three}\nlargest: e2e4 600\n"),
            format!("nodes expected: 8902\n{three}"),
            format!("Some\n{first}\nOthers\n{last}"),
            totals,
        ] {
            let (found, begins) = compare(&pos, &ours, &Reader::read(&text), 0);
            assert!(found.is_empty() && begins.is_none(), "{text}: {found:?} {begins:?}");
        }
        // The last one is wrong, or another depth.
        assert_eq!(differences(&pos, &ours, &format!("{three}{two}")).differing.len(), 20);
        let twice = format!("{two}{}a2a3: 380\n", bare(&three) + "\n");
        let found = differences(&pos, &ours, &twice);
        assert_eq!(found.repeated, [("a2a3".to_string(), vec![23, 43])], "{twice}");
        // The last one lacks a move: no divide of its own, so that all the others are printed twice.
        let found = differences(&pos, &ours, &format!("{two}{}", three.replace("a2a3: 380\n", "")));
        assert_eq!(found.repeated.len(), 19);
    }

    #[test]
    fn promotions_without_letters_are_known_by_their_counts() {
        let pos = chess::Position::from_fen("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let ours = divide(&pos, 3);
        let bare: String = printed(&pos, 3)
            .lines()
            .map(|line| match line.split_once(": ") {
                Some((m, count)) if m.len() == 5 => format!("{}: {count}\n", &m[..4]),
                _ => format!("{line}\n"),
            })
            .collect();
        assert_eq!(bare.matches("a7a8: ").count(), 4);
        assert_eq!(differences(&pos, &ours, &bare), Differences::default());
        assert_eq!(differences(&pos, &ours, &format!("{bare}{bare}")), Differences::default());
        // One too many, and one wrong.
        let found = differences(&pos, &ours, &format!("a7a8: 7\n{bare}"));
        assert_eq!((found.repeated.len(), found.extra.len(), found.missing.len()), (1, 1, 4));
        let largest = ours.moves.iter().filter(|(m, _)| pos.facts(*m).promotion);
        let largest = largest.filter(|(m, _)| pos.move_text(*m).as_str().starts_with("a7a8"));
        let largest = largest.map(|m| m.1).max().unwrap();
        let wrong = bare.replacen(&format!("a7a8: {largest}"), "a7a8: 9999", 1);
        let found = differences(&pos, &ours, &wrong);
        assert_eq!((found.differing.len(), found.differing[0].2), (1, 9999), "{found:?}");
    }

    #[test]
    fn ranks_of_xiangqi_may_begin_at_one() {
        let pos = xiangqi::Position::from_fen(xiangqi::Position::START_FEN).unwrap();
        let ours = divide(&pos, 2);
        for offset in [0, 1] {
            let text: String = ours
                .moves
                .iter()
                .map(|&(m, n)| {
                    let text = pos.move_text(m).to_string();
                    let b = text.as_bytes();
                    let rank = |b: u8| u32::from(b - b'0') + offset;
                    let (from, to) = (char::from(b[0]), char::from(b[2]));
                    format!("{from}{}{to}{}: {n}\n", rank(b[1]), rank(b[3]))
                })
                .collect();
            assert_eq!(differences(&pos, &ours, &text), Differences::default(), "{text}");
        }
    }
}
