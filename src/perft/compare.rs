//! Comparing a divide with the one that another program has printed, whatever its form.
//!
//! [`read`] finds the moves and counts in a text, [`compare`] sets them beside our own. Called by the command
//! line for engines that cannot be driven by `against`, because they have no `go perft` or speak no UCI. The
//! text is another program's: nothing in it may panic, and what is no move with a count is passed over.

use super::count::Divide;
use crate::game::{Census, Notation};

/// A move as it was written, and the count beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Line of the text, from 1.
    pub line: usize,
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

/// Where two divides differ.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Differences {
    /// Legal moves that are not in the text, with our counts.
    pub missing: Vec<(String, u128)>,
    /// Moves of the text that are not legal, as they are written there, with its counts.
    pub extra: Vec<(String, u128)>,
    /// Moves with our count and then the other one.
    pub differing: Vec<(String, u128, u128)>,
}

impl Differences {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty() && self.differing.is_empty()
    }
}

/// What a text shows at some place.
enum Token<'a> {
    Move(&'a str, Target),
    Number(u128),
}

/// Finds every move with a count: on the same line, the number behind it, or if there is none the one in
/// front of it. Other lines are left out, and so is what a search reports (`info …`, `bestmove …`).
pub fn read(text: &str) -> Vec<Counted> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.strip_prefix("info string").unwrap_or(line);
        if matches!(line.split_whitespace().next(), Some("info" | "bestmove" | "position")) {
            continue;
        }
        let (mut open, mut before) = (None, None);
        let mut alone = true;
        for token in tokens(line) {
            match (token, open.take()) {
                (Token::Move(text, target), held) => {
                    alone &= held.is_none()
                        && found.last().is_none_or(|c: &Counted| c.line != number + 1);
                    open = Some((text, target));
                }
                (Token::Number(count), Some((text, target))) => {
                    let text = String::from(text);
                    found.push(Counted { line: number + 1, text, target, count });
                }
                (Token::Number(count), None) => before = Some(count),
            }
        }
        if let (Some((text, target)), Some(count), true) = (open, before, alone) {
            let text = String::from(text);
            found.push(Counted { line: number + 1, text, target, count });
        }
    }
    found
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
        Target::Squares(squares, promotion) => {
            let mut text = String::new();
            for (file, rank) in squares {
                text.push(char::from(file));
                text.push_str(&rank.checked_sub(offset)?.to_string());
            }
            text.extend(promotion.map(char::from));
            text
        }
        Target::Castling(king_side) => {
            let castles = ours.moves.iter().filter(|&&(m, _)| pos.facts(m).castle);
            let mut texts = castles.map(|&(m, _)| pos.move_text(m).to_string());
            texts.find(|text| (text.as_bytes()[2] > text.as_bytes()[0]) == king_side)?
        }
    };
    pos.parse_move(&text).ok().map(|m| pos.move_text(m).to_string())
}

/// Sets `theirs` beside `ours`, the divide of `pos`.
///
/// # Errors
/// If a move is counted twice, and not with the same result: then it is not clear what to compare with.
pub fn compare<P: Notation + Census>(
    pos: &P,
    ours: &Divide<P::Move>,
    theirs: &[Counted],
) -> Result<Differences, String> {
    // Some programs count the ranks of xiangqi from 1.
    let known =
        |offset| theirs.iter().filter(|c| spell(pos, ours, c.target, offset).is_some()).count();
    let offset = u32::from(known(1) > known(0));
    let mut seen: Vec<(String, &Counted)> = Vec::new();
    let mut differences = Differences::default();
    for counted in theirs {
        let legal = spell(pos, ours, counted.target, offset);
        let name = legal.clone().unwrap_or_else(|| counted.text.clone());
        if let Some((_, earlier)) = seen.iter().find(|(known, _)| *known == name) {
            if earlier.count != counted.count {
                let Counted { line, count, .. } = counted;
                let (before, other) = (earlier.line, earlier.count);
                return Err(format!(
                    "{name} has {other} on line {before} and {count} on line {line}, expected one divide"
                ));
            }
            continue;
        }
        if legal.is_none() {
            differences.extra.push((name.clone(), counted.count));
        }
        seen.push((name, counted));
    }
    for &(m, count) in &ours.moves {
        let name = pos.move_text(m).to_string();
        match seen.iter().find(|(known, _)| *known == name) {
            None => differences.missing.push((name, count)),
            Some((_, theirs)) if theirs.count != count => {
                differences.differing.push((name, count, theirs.count));
            }
            Some(_) => {}
        }
    }
    differences.missing.sort();
    differences.differing.sort();
    Ok(differences)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess;
    use crate::game::MoveBuffer;
    use crate::xiangqi;

    fn found(text: &str) -> Vec<(String, u128)> {
        read(text).into_iter().map(|c| (c.text, c.count)).collect()
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
            let theirs = read(&text);
            assert_eq!(theirs.len(), ours.moves.len(), "{text}");
            assert_eq!(compare(&pos, &ours, &theirs), Ok(Differences::default()), "{castling}");
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
        let differences = compare(&pos, &ours, &read(&text)).unwrap();
        assert_eq!(differences.missing, [("a2a3".to_string(), 380)]);
        assert_eq!(differences.extra, [("e2e5".to_string(), 3)]);
        assert_eq!(differences.differing, [("e2e4".to_string(), 600, 601)]);
        assert!(!differences.is_empty());
        // Twice the same is no matter, twice something else is.
        text.push_str("b2b3 420\nb2-b3 420\n");
        assert!(compare(&pos, &ours, &read(&text)).is_ok());
        text.push_str("b2b3 421\n");
        assert!(compare(&pos, &ours, &read(&text)).unwrap_err().contains("b2b3"));
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
            assert_eq!(compare(&pos, &ours, &read(&text)), Ok(Differences::default()), "{text}");
        }
    }
}
