//! Compares a divide with one that another program has printed.
//!
//! [`compare`] compares the moves that `printed` has parsed with ours. Called by `against`, which drives the other
//! program, and by the command line for programs that cannot be driven because they have no `go perft` or do not
//! speak UCI.
//!
//! A move that is printed twice is a fault, and move generators do have that bug. But a text may also hold several
//! divides (of depths 1, 2 and 3, or of several runs), of which the last counts, and may repeat moves in a summary.
//! So the text is split at each total, and where all moves start again after a line without a move.

use super::count::Divide;
use super::printed::{PrintedMove, Target};
use crate::game::{Census, Notation};

/// The differences between two divides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Differences {
    /// Legal moves missing from the text, with our counts.
    pub missing: Vec<(String, u128)>,
    /// Moves of the text that are not legal, with their counts.
    pub extra: Vec<(String, u128)>,
    /// Moves printed more than once, with the line numbers.
    pub repeated: Vec<(String, Vec<usize>)>,
    /// Moves whose counts differ: our count, then theirs.
    pub differing: Vec<(String, u128, u128)>,
}

impl Differences {
    /// Whether there are no differences.
    pub fn is_empty(&self) -> bool {
        *self == Differences::default()
    }

    /// Whether the moves are the same, so that at most their counts differ.
    pub fn has_same_moves(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty() && self.repeated.is_empty()
    }
}

/// The legal move in our notation, if the printed ranks are ours plus `offset`.
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

/// By how much the ranks of `theirs` exceed ours: some programs number the ranks of xiangqi from 1.
pub fn rank_offset<P: Notation + Census>(
    pos: &P,
    ours: &Divide<P::Move>,
    theirs: &[PrintedMove],
) -> u32 {
    let known =
        |offset| theirs.iter().filter(|c| spell(pos, ours, c.target, offset).is_some()).count();
    u32::from(known(1) > known(0))
}

/// A printed move with a name that does not depend on how it was written.
#[derive(Clone)]
struct Named<'a> {
    name: String,
    legal: bool,
    printed: &'a PrintedMove,
}

/// Names the moves of `theirs`.
fn named<'a, P: Notation + Census>(
    pos: &P,
    ours: &Divide<P::Move>,
    theirs: &'a [PrintedMove],
    offset: u32,
) -> Vec<Named<'a>> {
    let name = |printed: &'a PrintedMove| {
        let legal = spell(pos, ours, printed.target, offset);
        let (is_legal, other) = (legal.is_some(), || printed.target.text(offset));
        let name = legal.or_else(other).unwrap_or_else(|| printed.text.clone());
        Named { name, legal: is_legal, printed }
    };
    let mut named: Vec<_> = theirs.iter().map(name).collect();
    // Some programs omit the promotion letter and print such a move four times. Only the counts show which is which.
    let promotions = ours.moves.iter().filter(|&&(m, _)| pos.facts(m).promotion);
    let mut promotions: Vec<_> =
        promotions.map(|&(m, count)| (pos.move_text(m).to_string(), count)).collect();
    promotions.sort_by(|a, b| (&a.0[..4], a.1).cmp(&(&b.0[..4], b.1)));
    for lettered in promotions.chunk_by(|a, b| a.0[..4] == b.0[..4]) {
        let is_bare = |m: &Named<'_>| !m.legal && m.name == lettered[0].0[..4];
        let mut bare: Vec<_> = (0..named.len()).filter(|&i| is_bare(&named[i])).collect();
        bare.sort_by_key(|&i| (theirs[i].section, theirs[i].count));
        for four in bare.chunk_by(|&i, &j| theirs[i].section == theirs[j].section) {
            if four.len() == lettered.len() {
                for (&i, (name, _)) in four.iter().zip(lettered) {
                    (named[i].name, named[i].legal) = (name.clone(), true);
                }
            }
        }
    }
    named
}

/// The last divide in the text.
fn last_divide<'a>(named: &[Named<'a>]) -> Vec<Named<'a>> {
    let mut last = Vec::new();
    for section in named.chunk_by(|a, b| a.printed.section == b.printed.section) {
        let mut divide = Vec::new();
        for run in section.chunk_by(|a, b| a.printed.breaks == b.printed.breaks) {
            join(&mut divide, run, false);
        }
        join(&mut last, &divide, true);
    }
    last
}

/// Appends moves that follow those of `divide`, or replaces it if they are a new divide. Repeated moves are kept as
/// repetitions, except in a summary, which follows a total.
fn join<'a>(divide: &mut Vec<Named<'a>>, next: &[Named<'a>], behind_total: bool) {
    let holds = |list: &[Named<'_>], m: &Named<'_>| list.iter().any(|other| other.name == m.name);
    let same = next.iter().all(|m| holds(divide, m)) && divide.iter().all(|m| holds(next, m));
    let again = |m: &Named<'_>| {
        divide.iter().any(|other| (&other.name, other.printed.count) == (&m.name, m.printed.count))
    };
    if same && (behind_total || next.len() > 1) {
        *divide = next.to_vec();
    } else if !(behind_total && next.iter().all(again)) {
        divide.extend_from_slice(next);
    }
}

/// Compares `theirs` with `ours`, the divide of `pos`, if the printed ranks are ours plus `offset`. Also returns the
/// line where the compared divide starts, if it is not the first one.
pub fn compare<P: Notation + Census>(
    pos: &P,
    ours: &Divide<P::Move>,
    theirs: &[PrintedMove],
    offset: u32,
) -> (Differences, Option<usize>) {
    let divide = last_divide(&named(pos, ours, theirs, offset));
    let mut differences = Differences::default();
    for (at, m) in divide.iter().enumerate() {
        if divide[..at].iter().any(|earlier| earlier.name == m.name) {
            continue;
        }
        let name = m.name.clone();
        if !m.legal {
            differences.extra.push((name.clone(), m.printed.count));
        }
        let lines = divide[at..].iter().filter(|later| later.name == m.name);
        let lines: Vec<usize> = lines.map(|later| later.printed.line).collect();
        if lines.len() > 1 {
            differences.repeated.push((name, lines));
        }
    }
    for &(m, count) in &ours.moves {
        let name = pos.move_text(m).to_string();
        let mut counts: Vec<u128> =
            divide.iter().filter(|m| m.name == name).map(|m| m.printed.count).collect();
        if counts.is_empty() {
            differences.missing.push((name.clone(), count));
        }
        counts.dedup();
        let wrong = counts.into_iter().filter(|&other| other != count);
        differences.differing.extend(wrong.map(|other| (name.clone(), count, other)));
    }
    differences.missing.sort();
    differences.differing.sort();
    let begins = divide.first().map(|m| m.printed.line);
    (differences, begins.filter(|&line| theirs.first().is_some_and(|first| first.line != line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess;

    use crate::perft::printed::DivideReader;
    use crate::xiangqi;

    fn divide<P: Notation>(pos: &P, depth: u32) -> Divide<P::Move> {
        let list = pos.legal_moves();
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
        let theirs = DivideReader::read(text);
        compare(pos, ours, &theirs, rank_offset(pos, ours, &theirs)).0
    }

    #[test]
    fn castling_is_understood_in_every_notation() {
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
            let theirs = DivideReader::read(&text);
            assert_eq!(theirs.len(), ours.moves.len(), "{text}");
            assert_eq!(differences(&pos, &ours, &text), Differences::default(), "{castling}");
        }
    }

    #[test]
    fn differing_moves_are_reported_with_both_counts() {
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

    /// The output of a program that counts `depth` plies from `pos`, with its total.
    fn printed<P: Notation>(pos: &P, depth: u32) -> String {
        let Divide { total, mut moves } = divide(pos, depth);
        moves.sort_by_key(|&(m, _)| pos.move_text(m));
        let lines: String =
            moves.iter().map(|&(m, n)| format!("{}: {n}\n", pos.move_text(m))).collect();
        format!("{lines}\nNodes searched: {total}\n")
    }

    #[test]
    fn a_move_printed_twice_is_reported() {
        let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
        let ours = divide(&pos, 2);
        let all = printed(&pos, 2);
        let (moves, total) = all.split_once("\n\n").unwrap();
        let spaced = moves.replace('\n', "\n\n");
        // The same count, another count, another notation, the same line, far away, under headings, without a total.
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
        // Three times, and an illegal move twice.
        let text = format!("{moves}\nb2b3 20\nb2b3 20\nb2b5 1\nb2b5 1");
        let found = differences(&pos, &ours, &text);
        let repeated: Vec<_> = found.repeated.iter().map(|r| (r.0.as_str(), r.1.len())).collect();
        assert_eq!(repeated, [("b2b3", 3), ("b2b5", 2)]);
        assert_eq!(found.extra, [("b2b5".to_string(), 1)]);
    }

    #[test]
    fn the_last_of_several_divides_counts() {
        let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
        let ours = divide(&pos, 3);
        let [one, two, three] = [1, 2, 3].map(|depth| printed(&pos, depth));
        let bare = |text: &str| text.split("\n\n").next().unwrap().to_string();
        for text in [
            format!("{one}{two}{three}"),
            format!("depth 1\n{one}\ndepth 2\n{two}\ndepth 3\n{three}"),
            format!("depth 1\n{}\ndepth 3\n{}\n", bare(&one), bare(&three)),
            format!("{}\n\n{}\n", bare(&three), bare(&three)),
            // In a different order.
            format!("{two}{}", three.lines().rev().collect::<Vec<_>>().join("\n")),
        ] {
            let (found, begins) = compare(&pos, &ours, &DivideReader::read(&text), 0);
            assert!(found.is_empty(), "{text}: {found:?}");
            assert!(begins.is_some_and(|line| line > 20), "{text}: {begins:?}");
        }
        // A summary that repeats moves, headings between groups of moves, a running total.
        let (first, last) = three.split_at(three.find("b1a3").unwrap());
        let totals: String =
            bare(&three).lines().map(|l| format!("{l}\nnodes so far: 7\n")).collect();
        for text in [
            format!("{three}\nlargest: e2e4 600\n"),
            format!("nodes expected: 8902\n{three}"),
            format!("Some\n{first}\nOthers\n{last}"),
            totals,
        ] {
            let (found, begins) = compare(&pos, &ours, &DivideReader::read(&text), 0);
            assert!(found.is_empty() && begins.is_none(), "{text}: {found:?} {begins:?}");
        }
        // The last one has the wrong depth.
        assert_eq!(differences(&pos, &ours, &format!("{three}{two}")).differing.len(), 20);
        let twice = format!("{two}{}a2a3: 380\n", bare(&three) + "\n");
        let found = differences(&pos, &ours, &twice);
        assert_eq!(found.repeated, [("a2a3".to_string(), vec![23, 43])], "{twice}");
        // The last one lacks a move, so it is not a divide by itself and all its moves are repetitions.
        let found = differences(&pos, &ours, &format!("{two}{}", three.replace("a2a3: 380\n", "")));
        assert_eq!(found.repeated.len(), 19);
    }

    #[test]
    fn promotions_without_letters_are_matched_by_count() {
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
        // One promotion too many, and one with a wrong count.
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
    fn ranks_of_xiangqi_may_start_at_one() {
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
