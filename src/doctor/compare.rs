//! Compares a divide with one that another program has printed.
//!
//! [`compare`] compares the moves that `printed` has parsed with ours.
//!
//! A move that is printed twice is a fault, and move generators do have that bug. But a text may also hold several
//! divides (of depths 1, 2 and 3, or of several runs), of which the last counts, and may repeat moves in a summary.
//! So the text is split at each total, and where all moves start again after a line without a move.

use super::diff::{Differences, Listed};
use super::printed::{PrintedMove, Target, readings};
use crate::game::notation::quoted;
use crate::game::{Board, Fault, Position};
use crate::perft::count::Divide;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Names printed moves as we do. Each text is parsed once: a file that is no divide has many, read in many ways.
struct Speller<'a, B: Board> {
    pos: &'a Position<B>,
    ours: &'a Divide<B::Move>,
    known: RefCell<HashMap<(Target, String, u32), Option<String>>>,
}

impl<'a, B: Board> Speller<'a, B> {
    fn new(pos: &'a Position<B>, ours: &'a Divide<B::Move>) -> Self {
        Speller { pos, ours, known: RefCell::default() }
    }

    /// The legal move in our notation, if the printed ranks are ours plus `offset`.
    fn spell(&self, printed: &PrintedMove, offset: u32) -> Option<String> {
        let spell = || {
            let text = match printed.target {
                Target::Squares(..) => printed.target.text(offset)?,
                Target::Word => printed.text.clone(),
                Target::Castling(king_side) => {
                    let castles = self.ours.moves.iter().filter(|&&(m, _)| B::facts(self.pos, m).castle);
                    let mut texts = castles.map(|&(m, _)| self.pos.move_text(m).to_string());
                    texts.find(|text| (text.as_bytes()[2] > text.as_bytes()[0]) == king_side)?
                }
            };
            self.pos.parse_move(&text).ok().map(|m| self.pos.move_text(m).to_string())
        };
        let key = (printed.target, printed.text.clone(), offset);
        self.known.borrow_mut().entry(key).or_insert_with(spell).clone()
    }

    /// By how much the ranks of `theirs` exceed ours.
    fn rank_offset(&self, theirs: &[PrintedMove]) -> u32 {
        let known = |offset| theirs.iter().filter(|c| self.spell(c, offset).is_some()).count();
        u32::from(known(1) > known(0))
    }
}

/// By how much the ranks of `theirs` exceed ours: some programs number the ranks of xiangqi from 1.
pub fn rank_offset<B: Board>(pos: &Position<B>, ours: &Divide<B::Move>, theirs: &[PrintedMove]) -> u32 {
    Speller::new(pos, ours).rank_offset(theirs)
}

/// A printed move with a name that does not depend on how it was written.
#[derive(Clone)]
struct Named<'a> {
    name: String,
    legal: bool,
    printed: &'a PrintedMove,
}

/// Names the moves of `theirs`.
fn named<'a, B: Board>(speller: &Speller<'_, B>, theirs: &'a [PrintedMove], offset: u32) -> Vec<Named<'a>> {
    let Speller { pos, ours, .. } = speller;
    let name = |printed: &'a PrintedMove| {
        let legal = speller.spell(printed, offset);
        let (is_legal, other) = (legal.is_some(), || printed.target.text(offset));
        let name = legal.or_else(other).unwrap_or_else(|| printed.text.clone());
        Named { name, legal: is_legal, printed }
    };
    let mut named: Vec<_> = theirs.iter().map(name).collect();
    // Some programs omit the promotion letter and print such a move four times. Only the counts show which is which.
    let promotions = ours.moves.iter().filter(|&&(m, _)| B::facts(pos, m).promotion);
    let mut promotions: Vec<_> = promotions.map(|&(m, count)| (pos.move_text(m).to_string(), count)).collect();
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
    let mut last = Joined::default();
    for section in named.chunk_by(|a, b| a.printed.section == b.printed.section) {
        let mut divide = Joined::default();
        for run in section.chunk_by(|a, b| a.printed.breaks == b.printed.breaks) {
            divide.join(run, false);
        }
        last.join(&divide.moves, true);
    }
    last.moves
}

/// The moves of a divide, and for each name its counts.
#[derive(Default)]
struct Joined<'a> {
    moves: Vec<Named<'a>>,
    counts: HashMap<String, HashSet<u128>>,
}

impl<'a> Joined<'a> {
    /// Appends moves that follow those of the divide, or replaces it if they are a new divide. Repeated moves are kept
    /// as repetitions, except in a summary, which follows a total.
    fn join(&mut self, next: &[Named<'a>], behind_total: bool) {
        let names = HashSet::<&str>::from_iter(next.iter().map(|m| m.name.as_str()));
        let same = names.len() == self.counts.len() && names.iter().all(|&name| self.counts.contains_key(name));
        let again = |m: &Named<'_>| self.counts.get(&m.name).is_some_and(|all| all.contains(&m.printed.count));
        if same && (behind_total || next.len() > 1) {
            *self = Joined::default();
        } else if behind_total && next.iter().all(again) {
            return;
        }
        for m in next {
            self.counts.entry(m.name.clone()).or_default().insert(m.printed.count);
        }
        self.moves.extend_from_slice(next);
    }
}

/// Compares `theirs` with `ours`, the divide of `pos`, if the printed ranks are ours plus `offset`. Also returns the
/// line where the compared divide starts, if it is not the first one.
pub fn compare<B: Board>(
    pos: &Position<B>,
    ours: &Divide<B::Move>,
    theirs: &[PrintedMove],
    offset: u32,
) -> (Differences, Option<usize>) {
    compare_by(&Speller::new(pos, ours), theirs, offset)
}

/// [`compare`] with the names of the speller.
fn compare_by<B: Board>(speller: &Speller<'_, B>, theirs: &[PrintedMove], offset: u32) -> Compared {
    let Speller { pos, ours, .. } = speller;
    let divide = last_divide(&named(speller, theirs, offset));
    let listed = divide.iter().map(|Named { name, legal, printed }| {
        let PrintedMove { line, count, .. } = **printed;
        Listed { name: name.clone(), legal: *legal, line, count }
    });
    let mut differences = Differences::between(*pos, ours, &Vec::from_iter(listed));
    let sum = divide.iter().fold(0, |sum: u128, m| sum.saturating_add(m.printed.count));
    let ends = divide.last().filter(|last| divide.iter().all(|m| m.printed.section == last.printed.section));
    let total = ends.and_then(|last| last.printed.total);
    // A move that is printed twice is in the sum twice.
    let total = total.filter(|&total| total != sum && differences.repeated.is_empty());
    differences.total = total.map(|total| (sum, total));
    let begins = divide.first().map(|m| m.printed.line);
    (differences, begins.filter(|&line| theirs.first().is_some_and(|first| first.line != line)))
}

/// The moves of the last divide in `theirs` by our names, in the order in which they were printed.
pub(super) fn in_order<B: Board>(
    pos: &Position<B>,
    ours: &Divide<B::Move>,
    theirs: &[PrintedMove],
    offset: u32,
) -> Vec<(String, u128)> {
    let speller = Speller::new(pos, ours);
    last_divide(&named(&speller, theirs, offset)).into_iter().map(|m| (m.name, m.printed.count)).collect()
}

/// The result of [`compare`] for a text that may be read in several ways.
type Compared = (Differences, Option<usize>);

/// What is expected of a text.
const NO_DIVIDE: &str = "expected lines of a move and a count, as in e2e4: 20";

/// Compares a printed text with `ours`, the divide of `pos`: of all ways to read it the one that fits ours best.
///
/// # Errors
/// If the text has no divide, or if it cannot be decided which moves or counts are meant.
pub fn compare_text<B: Board>(pos: &Position<B>, ours: &Divide<B::Move>, text: &str) -> Result<Compared, String> {
    if text.contains('\0') {
        return Err(format!("this is no text; {NO_DIVIDE}"));
    }
    let all = ours.moves.len();
    let speller = Speller::new(pos, ours);
    let named = |(found, _): &Compared| all - found.missing.len();
    let words = RefCell::new(HashMap::<String, bool>::new());
    let is_move = |word: &str| {
        let known = words.borrow().get(word).copied();
        known.unwrap_or_else(|| {
            let is_move = pos.parse_move(word).is_ok();
            words.borrow_mut().insert(word.into(), is_move);
            is_move
        })
    };
    let by = |is_move| -> Vec<(Vec<PrintedMove>, Compared)> {
        let compared = |theirs: Vec<PrintedMove>| {
            let compared = compare_by(&speller, &theirs, speller.rank_offset(&theirs));
            (theirs, compared)
        };
        readings(text, is_move).into_iter().map(compared).collect()
    };
    let most = |readings: &[(Vec<PrintedMove>, Compared)]| {
        readings.iter().map(|(_, compared)| named(compared)).max().unwrap_or_default()
    };
    // Words are moves only where coordinates are not.
    let mut readings = by(None);
    let words = by(Some(&is_move));
    let known = most(&words);
    if known > most(&readings) || readings.iter().all(|(theirs, _)| theirs.is_empty()) {
        readings = words;
    }
    let known = most(&readings);
    readings.retain(|(theirs, compared)| !theirs.is_empty() && named(compared) == known);
    // The same differences, read in another way.
    let mut different: Vec<(Vec<PrintedMove>, Compared)> = Vec::new();
    for reading in readings {
        if different.iter().all(|(_, known)| known.0 != reading.1.0) {
            different.push(reading);
        }
    }
    let right = |(_, (found, _)): &(_, Compared)| {
        let wrong = HashSet::<&str>::from_iter(found.differing.iter().map(|(name, ..)| name.as_str()));
        all - wrong.len() - found.missing.len()
    };
    different.sort_by_cached_key(|reading| std::cmp::Reverse(right(reading)));
    if let [first, second, ..] = &different[..] {
        let best = right(first);
        if 2 * best < all || best == right(second) {
            let pair = |(a, b): &(&PrintedMove, &PrintedMove)| a.count != b.count;
            let line = first.0.iter().zip(&second.0).find(pair).map_or(1, |(a, _)| a.line);
            let reason = format!("which number on line {line} is the count cannot be decided");
            return Err(format!("{reason}; expected one number for each move, as in e2e4: 20"));
        }
    }
    let Some((theirs, compared)) = different.into_iter().next() else {
        return Err(format!("there is no divide; {NO_DIVIDE}"));
    };
    // A word may be a move whose origin is missing.
    let ambiguous = |name: &str| pos.parse_move(name).is_err_and(|error| error.fault == Fault::Ambiguous);
    match compared.0.extra.iter().find(|(name, _)| ambiguous(name)) {
        Some((name, _)) => {
            let line = theirs.iter().find(|m| m.text == *name).map_or(1, |m| m.line);
            Err(format!("line {line}: {} is ambiguous", quoted(name)))
        }
        None => Ok(compared),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess;
    use crate::game::Counting as _;

    use crate::base::rng::SplitMix64;
    use crate::doctor::printed::DivideReader;
    use crate::xiangqi;

    fn divide<B: Board>(pos: &Position<B>, depth: u32) -> Divide<B::Move> {
        let list = pos.legal_moves();
        let count = |&m: &B::Move| {
            let mut child = *pos;
            child.make(m);
            (m, u128::from(child.perft(depth - 1)))
        };
        let moves: Vec<_> = list.as_slice().iter().map(count).collect();
        Divide { total: moves.iter().map(|&(_, n)| n).sum(), moves }
    }

    fn differences<B: Board>(pos: &Position<B>, ours: &Divide<B::Move>, text: &str) -> Differences {
        let theirs = DivideReader::read(text);
        compare(pos, ours, &theirs, rank_offset(pos, ours, &theirs)).0
    }

    #[test]
    fn castling_is_understood_in_every_notation() {
        let fen = "r3k2r/P7/8/8/8/8/8/R3K2R w KQ - 0 1";
        let pos = chess::Position::from_fen(fen).unwrap();
        let ours = divide(&pos, 2);
        for (castling, other) in [("e1g1", "e1c1"), ("e1h1", "e1a1"), ("O-O", "0-0-0"), ("Ke1-g1", "E1C1")] {
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
    fn printed<B: Board>(pos: &Position<B>, depth: u32) -> String {
        let Divide { total, mut moves } = divide(pos, depth);
        moves.sort_by_key(|&(m, _)| pos.move_text(m));
        let lines: String = moves.iter().map(|&(m, n)| format!("{}: {n}\n", pos.move_text(m))).collect();
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
        let totals: String = bare(&three).lines().map(|l| format!("{l}\nnodes so far: 7\n")).collect();
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
        let largest = ours.moves.iter().filter(|(m, _)| chess::Board::facts(&pos, *m).promotion);
        let largest = largest.filter(|(m, _)| pos.move_text(*m).as_str().starts_with("a7a8"));
        let largest = largest.map(|m| m.1).max().unwrap();
        let wrong = bare.replacen(&format!("a7a8: {largest}"), "a7a8: 9999", 1);
        let found = differences(&pos, &ours, &wrong);
        assert_eq!((found.differing.len(), found.differing[0].2), (1, 9999), "{found:?}");
    }

    #[test]
    fn a_promotion_printed_once_for_all_pieces_is_named() {
        let pos = chess::Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        for depth in [1, 3] {
            let ours = divide(&pos, depth);
            let promotions =
                ours.moves.iter().filter(|(m, _)| chess::Board::facts(&pos, *m).promotion).map(|&(_, n)| n);
            let sum = promotions.sum::<u128>();
            let others = Vec::from_iter(ours.moves.iter().filter(|(m, _)| !chess::Board::facts(&pos, *m).promotion));
            let others: String = others.iter().map(|(m, n)| format!("{}: {n}\n", pos.move_text(*m))).collect();
            let found = differences(&pos, &ours, &format!("a7a8: {sum}\n{others}"));
            assert_eq!(found, Differences { letterless: vec!["a7a8".into()], ..Differences::default() });
            // A pawn that stays one on the last rank has another count.
            let found = differences(&pos, &ours, &format!("a7a8: {}\n{others}", sum - 1));
            assert_eq!((found.extra.len(), found.missing.len(), found.letterless.len()), (1, 4, 0));
        }
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

    /// The divide of `pos` with each move written by `line`, which takes its number, its text and its count.
    fn written<B: Board>(
        pos: &Position<B>,
        ours: &Divide<B::Move>,
        line: impl Fn(usize, &str, u128) -> String,
    ) -> String {
        let write = |(i, &(m, n)): (usize, &(B::Move, u128))| line(i + 1, &pos.move_text(m).to_string(), n);
        ours.moves.iter().enumerate().map(|each| write(each) + "\n").collect()
    }

    fn grouped(count: u128, separator: &str) -> String {
        let text = count.to_string();
        let groups = text.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap());
        groups.collect::<Vec<_>>().join(separator)
    }

    type Line = fn(usize, &str, u128) -> String;

    #[test]
    fn the_count_is_found_among_other_numbers() {
        let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
        let ours = divide(&pos, 4);
        let lines: [Line; 31] = [
            |_, m, n| format!("{m}: {}", grouped(n, ",")),
            |_, m, n| format!("{m}: {}", grouped(n, ".")),
            |_, m, n| format!("{m}: {}.", grouped(n, ".")),
            |_, m, n| format!("{m}: {}", grouped(n, " ")),
            |_, m, n| format!("{m} {}", grouped(n, "'")),
            |_, m, n| format!("{m} {}", grouped(n, "’")),
            |_, m, n| format!("{m} {}", grouped(n, "_")),
            |_, m, n| format!("{m} {}", grouped(n, "\u{a0}")),
            |_, m, n| format!("{m} {}", grouped(n, "\u{202f}")),
            |_, m, n| format!("{m} {}", grouped(n, "\u{2009}")),
            |i, m, n| format!("{i:>2}/20 {m} {}", grouped(n, ".")),
            |i, m, n| format!("{m} {i}/20 {}", grouped(n, " ")),
            |_, m, n| format!("{m} depth=3 nodes={n}"),
            |_, m, n| format!("{m}, depth: 3, time: 12, nodes: {n}, nps: 1200"),
            |_, m, n| format!("{m} (depth 3): {n} nodes in 12 ms"),
            |i, m, n| format!("{m} {i}/20 {n}"),
            |i, m, n| format!("[{i}/20] {n} {m}"),
            |_, m, n| format!("{m} 3.05% {n}"),
            |_, m, n| format!("{m} 3.125 % {n}"),
            |_, m, n| format!("{m} {n} 12.125 s"),
            |_, m, n| format!("{m} {n} 12.125"),
            |_, m, n| format!("{m}: {n} 400 123456"),
            |i, m, n| format!("{i} {n} {m}"),
            |i, m, n| format!("{i}) {n} {m}"),
            |_, m, n| format!("\u{1b}[32m{m}\u{1b}[0m: \u{1b}[1;33m{n}\u{1b}[0m"),
            |_, m, n| format!("{}->{} {n}", &m[..2], &m[2..]),
            |_, m, n| format!("{} -> {}: {n}", &m[..2], &m[2..]),
            |_, m, n| format!("{}→{} = {n}", &m[..2], &m[2..]),
            |_, m, n| format!("{}–{} = {n}", &m[..2], &m[2..]),
            |_, m, n| format!("{{\"move\": \"{m}\", \"depth\": 3, \"nodes\": {n}}}"),
            |i, m, n| format!("{m};{i};3;{n}"),
        ];
        for (number, line) in lines.into_iter().enumerate() {
            let text = written(&pos, &ours, line);
            let (found, _) = compare_text(&pos, &ours, &text).unwrap_or_else(|e| panic!("{e}: {text}"));
            assert_eq!(found, Differences::default(), "{number}: {text}");
            // One wrong count is found, whatever stands around it.
            let text = written(&pos, &ours, |i, m, n| line(i, m, if i == 7 { n + 1 } else { n }));
            let (found, _) = compare_text(&pos, &ours, &text).unwrap_or_else(|e| panic!("{e}: {text}"));
            let (missing, extra) = (found.missing.len(), found.extra.len());
            assert_eq!((missing, extra, found.differing.len()), (0, 0, 1), "{number}: {text}");
        }
        // With one number for a move there is no doubt, even if all are wrong.
        let text = written(&pos, &ours, |_, m, n| format!("{m}: {}", n + 1));
        assert_eq!(compare_text(&pos, &ours, &text).unwrap().0.differing.len(), 20);
    }

    #[test]
    fn what_cannot_be_decided_is_refused() {
        let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
        let ours = divide(&pos, 4);
        let lines: [Line; 5] = [
            |i, m, n| format!("{m} {i} {}", n + 1),
            |i, m, n| format!("{m} {i}/20 {}", n + 7),
            |_, m, n| format!("{m} {}", grouped(n + 1, " ")),
            |_, m, n| format!("{m} {} 12.345", n + 1),
            |i, m, n| if i % 2 == 0 { format!("{m} {n} 5") } else { format!("{m} 5 {n}") },
        ];
        for line in lines {
            let text = written(&pos, &ours, line);
            let error = compare_text(&pos, &ours, &text).unwrap_err();
            assert!(error.contains("cannot be decided") && error.contains("line 1 "), "{error}");
        }
        for text in ["", "nothing", "e2e4\n", "20\n", "Nodes searched: 400\n"] {
            assert!(compare_text(&pos, &ours, text).unwrap_err().contains("there is no divide"));
        }
    }

    /// Checks a divide in another notation: as it is, with a wrong count, with a move missing, and with an illegal one.
    fn check_notation<B: Board>(pos: &Position<B>, depth: u32, write: impl Fn(B::Move) -> String, illegal: &str) {
        let ours = divide(pos, depth);
        let forms: [fn(&str, u128) -> String; 6] = [
            |m, n| format!("{m}: {n}"),
            |m, n| format!("{m} {n}"),
            |m, n| format!("{n:>8}  {m}"),
            |m, n| format!("\"{m}\": {n},"),
            |m, n| format!("3.05% {m} -> {n} nodes"),
            |m, n| format!("[{m}] ({n})"),
        ];
        for form in forms {
            let lines: Vec<String> = ours.moves.iter().map(|&(m, n)| form(&write(m), n)).collect();
            let compared = |lines: &[String]| {
                let text = format!("{}\n\nNodes searched: {}\n", lines.join("\n"), ours.total);
                compare_text(pos, &ours, &text).unwrap_or_else(|e| panic!("{e}: {text}")).0
            };
            assert_eq!(compared(&lines), Differences::default(), "{lines:?}");
            let first = pos.move_text(ours.moves[0].0).to_string();
            let found = compared(&lines[1..]);
            assert_eq!(found.missing, [(first.clone(), ours.moves[0].1)], "{lines:?}");
            assert_eq!((found.extra.len(), found.differing.len()), (0, 0));
            let mut wrong = lines.clone();
            wrong[0] = form(&write(ours.moves[0].0), ours.moves[0].1 + 1);
            wrong.push(form(illegal, 7));
            let found = compared(&wrong);
            let expected = (first, ours.moves[0].1, ours.moves[0].1 + 1);
            assert_eq!((found.differing, found.extra), (vec![expected], vec![(illegal.into(), 7)]));
        }
    }

    #[test]
    fn divides_in_san_are_read() {
        for fen in [
            chess::Position::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/8/8/8/8/k7/8/4K2R w K - 0 1",
            "1n2k3/P1P5/8/8/8/8/8/R3K2R w KQ - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let pos = chess::Position::from_fen(fen).unwrap();
            for depth in [1, 2, 3] {
                check_notation(&pos, depth, |m| pos.san(m).to_string(), "Qh8");
                check_notation(&pos, depth, |m| format!("{}+!?", pos.san(m)), "exf8=N");
                check_notation(&pos, depth, |m| format!("1.{}", pos.san(m)), "Nxe8");
            }
        }
    }

    #[test]
    fn divides_in_the_notations_of_xiangqi_are_read() {
        for fen in [
            xiangqi::Position::START_FEN,
            "3k5/4a4/3r5/9/9/4R4/9/4B4/2C6/2C1K4 w - - 0 1",
            "3k5/9/9/4P4/4P4/9/9/9/9/4K4 w - - 0 1",
        ] {
            let pos = xiangqi::Position::from_fen(fen).unwrap();
            for depth in [1, 2] {
                check_notation(&pos, depth, |m| pos.wxf(m).to_string(), "N9+7");
                check_notation(&pos, depth, |m| pos.iccs(m).to_string(), "a9a1");
            }
        }
    }

    #[test]
    fn an_ambiguous_move_is_refused() {
        let pos = chess::Position::from_fen("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1").unwrap();
        let ours = divide(&pos, 2);
        let text = written(&pos, &ours, |_, m, n| match m {
            "b1d2" | "f1d2" => format!("Nd2: {n}"),
            m => format!("{}: {n}", pos.san(pos.parse_move(m).unwrap())),
        });
        let error = compare_text(&pos, &ours, &text).unwrap_err();
        assert!(error.contains("\"Nd2\" is ambiguous"), "{error}");
    }

    /// Each has thousands of moves that no line ends.
    #[test]
    fn what_is_no_divide_is_refused() {
        let pos = chess::Position::default();
        let ours = divide(&pos, 1);
        let mut rng = SplitMix64::new(7);
        let mut random = |letters: &[u8], length| -> String {
            (0..length).map(|_| char::from(letters[rng.below(letters.len())])).collect()
        };
        let of_bytes = Vec::from_iter(0..=255u8);
        for (text, word) in [
            (random(&of_bytes, 10_000), "this is no text"),
            (random(&of_bytes[1..], 10_000), ""),
            (random(b"abcdefgh12345678NBRQKx=+-", 10_000), ""),
            (random(b"abcdefgh12345678 ", 10_000), ""),
            ("e2e5 ".repeat(2_000), "there is no divide"),
        ] {
            match compare_text(&pos, &ours, &text) {
                Err(reason) => assert!(reason.contains(word), "{reason}"),
                // By chance some moves have a number behind them.
                Ok((found, _)) => assert!(word.is_empty() && !found.missing.is_empty(), "{word}"),
            }
        }
    }
}
