//! Reads the divide in a text that another program printed, given the right one.
//!
//! Of the numbers beside the moves those are the counts that agree with the right ones for most moves; what fits
//! nothing, or cannot be told from another column, is refused and never called different.
//!
//! A move that is printed twice is a fault, and move generators do have that bug. But a text may also hold several
//! divides (of depths 1, 2 and 3, or of several runs), of which the last counts, and may repeat moves in a summary.
//! So the text is split at each total, and where all moves start again after a line without a move.

mod printed;
#[cfg(test)]
mod tests;

pub(super) use printed::{Column, Scanner, values};

use crate::game::text::fault::quoted;
use crate::game::{Counting, Fault, Position};
use crate::perft::count::Divide;
use printed::{Count, Form, Label, PrintedMove, PrintedTotal, Target};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What is known of how a program prints its divides.
#[derive(Clone, Copy, Default)]
pub struct Habits {
    /// By how much its ranks exceed ours: some number those of xiangqi from 1. `None` if each text is to tell.
    pub rank_offset: Option<u32>,
    /// The column of counts in the last text that told it.
    column: Option<Column>,
}

impl Habits {
    /// With ranks that exceed ours by so many.
    pub fn with_ranks(offset: u32) -> Habits {
        Habits { rank_offset: Some(offset), column: None }
    }
}

/// A move of another divide.
#[derive(Debug)]
pub(super) struct Listed {
    /// Its name in our notation, if it is legal.
    pub name: String,
    pub legal: bool,
    pub count: u128,
}

/// A divide that a program printed.
#[derive(Default, Debug)]
pub struct Reading {
    /// Its moves in the order in which they were printed.
    pub(super) moves: Vec<Listed>,
    /// The line where it begins, if there are others before it.
    pub begins: Option<usize>,
    /// The total, if it is not the sum of the counts: the sum, then the total.
    pub total: Option<(u128, u128)>,
    /// A line with a total of which it cannot be told what it is.
    pub unclear_total: Option<usize>,
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
    pub fn nodes(&self) -> u128 {
        self.moves.iter().fold(0, |sum, m| sum.saturating_add(m.count))
    }
}

/// What is expected of a text.
const NO_DIVIDE: &str = "expected lines of a move and a count, as in e2e4: 20";

/// Reads the divide in `text`, where `ours` is the right one of `pos`.
///
/// # Errors
/// If the text has no divide, or if it cannot be decided which moves or counts are meant.
pub fn read<B: Counting>(
    pos: &Position<B>,
    ours: &Divide<B::Move>,
    text: &str,
    habits: &mut Habits,
) -> Result<Reading, String> {
    let speller = Speller::new(pos, ours);
    let words = RefCell::new(HashMap::<String, bool>::new());
    let is_move = |word: &str| {
        let known = words.borrow().get(word).copied();
        known.unwrap_or_else(|| *words.borrow_mut().entry(word.into()).or_insert(pos.parse_move(word).is_ok()))
    };
    // Words are moves only where coordinates are not.
    let mut scanned = Scanner::scan(text, None);
    let mut offset = speller.rank_offset(&scanned.moves, *habits);
    let known = speller.legal(&scanned.moves, offset);
    if known < ours.moves.len() {
        let by_words = Scanner::scan(text, Some(&is_move));
        if scanned.moves.is_empty() || speller.legal(&by_words.moves, offset) > known {
            scanned = by_words;
            offset = speller.rank_offset(&scanned.moves, *habits);
        }
    }
    let forms = [Form::Plain, Form::String, Form::Info].map(|form| {
        let of_form = scanned.moves.iter().filter(|m| m.form == form).cloned();
        Vec::from_iter(of_form)
    });
    // Of equals the first.
    let best = forms.iter().rev().max_by_key(|moves| (speller.legal(moves, offset), !moves.is_empty()));
    let printed = best.map_or(&[][..], Vec::as_slice);
    let named = last_divide(&speller.named(printed, offset));
    let (Some(first), Some(last)) = (named.first(), named.last()) else {
        // A program that finds no move has nothing but a total.
        let is_zero = |total: &PrintedTotal| values(&total.numbers).contains(&0);
        return if ours.moves.is_empty() || scanned.totals.iter().any(is_zero) {
            Ok(Reading { rank_offset: offset, ..Reading::default() })
        } else {
            Err(format!("there is no divide; {NO_DIVIDE}"))
        };
    };
    // A word may be a move whose origin is missing.
    let ambiguous = |name: &str| pos.parse_move(name).is_err_and(|error| error.fault == Fault::Ambiguous);
    if let Some(m) = named.iter().find(|m| m.printed.target == Target::Word && !m.legal && ambiguous(&m.name)) {
        return Err(format!("line {}: {} is ambiguous", m.printed.line, quoted(&m.name)));
    }
    let column = column(&speller.right, &named, habits)?;
    let mut moves = Vec::new();
    for m in &named {
        let line = m.printed.line;
        let count = speller.count(m, column).ok_or_else(|| undecided(line))?;
        moves.push(Listed { name: m.name.clone(), legal: m.legal, count });
    }
    speller.add_letters(&mut moves);
    let begins = Some(first.printed.line).filter(|&line| printed.first().is_some_and(|first| first.line != line));
    let is_one = last.printed.section == first.printed.section;
    let behind = scanned.totals.iter().filter(|total| is_one && total.line > last.printed.line);
    let mut reading = Reading { moves, begins, rank_offset: offset, ..Reading::default() };
    let sum = reading.nodes();
    let (total, unclear) = printed_total(behind, sum, ours.total);
    // A move that is printed twice is in the sum twice.
    let names = HashSet::<&str>::from_iter(reading.moves.iter().map(|m| m.name.as_str()));
    let is_sum = names.len() == reading.moves.len();
    reading.total = total.filter(|_| is_sum).map(|total| (sum, total));
    reading.unclear_total = unclear.filter(|_| is_sum);
    Ok(reading)
}

fn undecided(line: usize) -> String {
    let expected = "expected one number for each move, as in e2e4: 20";
    format!("which number on line {line} is the count cannot be decided; {expected}")
}

/// The total that differs from the sum, and the line of one that cannot be understood.
fn printed_total<'a>(
    totals: impl Iterator<Item = &'a PrintedTotal>,
    sum: u128,
    right: u128,
) -> (Option<u128>, Option<usize>) {
    let (mut fits, mut differs, mut other) = (false, None, None);
    for PrintedTotal { line, numbers, plain } in totals {
        let values = values(numbers);
        match values[..] {
            _ if values.iter().any(|&value| value == sum || value == right) => fits = true,
            // Something else that the program tells of its count.
            _ if !plain => other = Some(*line),
            [total] if !fits && differs.is_none_or(|known| known == total) => differs = Some(total),
            _ => return (None, Some(*line)),
        }
        if fits && differs.is_some() {
            return (None, Some(*line));
        }
    }
    (differs, other.filter(|_| !fits && differs.is_none()))
}

/// Of the columns the one that fits most moves.
fn column(right: &HashMap<String, u128>, named: &[Named<'_>], habits: &mut Habits) -> Result<Column, String> {
    /// A column with what it gives for each move.
    struct Rated {
        column: Column,
        fits: usize,
        label: Label,
        counts: Vec<Option<Count>>,
    }
    let most = named.iter().map(|m| m.printed.numbers.len()).max().unwrap_or(0);
    let mut rated = Vec::<Rated>::new();
    for column in Column::all(most) {
        let counts = Vec::from_iter(named.iter().map(|m| column.of(&m.printed.numbers)));
        let values = |counts: &[Option<Count>]| Vec::from_iter(counts.iter().map(|c| c.map(|c| c.value)));
        let fitting = named.iter().zip(&counts).filter(|(m, count)| {
            count.is_some_and(|count| m.legal && right.get(m.name.as_str()) == Some(&count.value))
        });
        let fitting = HashSet::<&str>::from_iter(fitting.map(|(m, _)| m.name.as_str())).len();
        let label = counts.iter().flatten().map(|count| count.label).max();
        // A label that says that it is no count must be refuted by the counts.
        let Some(label) = label.filter(|label| *label != Label::Other || fitting > 0) else { continue };
        if rated.iter().all(|known| values(&known.counts) != values(&counts)) {
            rated.push(Rated { column, fits: fitting, label, counts });
        }
    }
    // Whether two columns have a number in common in every line.
    let kin = |a: &Rated, b: &Rated| {
        let pairs = a.counts.iter().zip(&b.counts).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
        pairs.into_iter().all(|(a, b)| a.first <= b.last && b.first <= a.last)
    };
    // The first of those with most fits, and of those the one that is a number for most moves.
    rated.sort_by_key(|r| std::cmp::Reverse((r.fits, r.counts.iter().flatten().count())));
    let line = named.first().map_or(1, |m| m.printed.line);
    let Some(best) = rated.first() else { return Err(undecided(line)) };
    let names = HashSet::<&str>::from_iter(named.iter().filter(|m| m.legal).map(|m| m.name.as_str()));
    let rival = |a: &Rated| rated.iter().filter(|b| !kin(a, b)).map(|b| b.fits).max().unwrap_or(0);
    if rated.len() == 1 || 2 * best.fits >= names.len() && best.fits > 2 * rival(best) {
        habits.column = Some(best.column);
        return Ok(best.column);
    }
    // What has the best label, if nothing else has it.
    let label = rated.iter().map(|r| r.label).min();
    let mut labelled = rated.iter().filter(|r| Some(r.label) == label);
    let first = labelled.next();
    match first.filter(|first| labelled.all(|other| other.fits < first.fits && kin(first, other))) {
        Some(only) => Ok(only.column),
        None => habits.column.ok_or_else(|| undecided(line)),
    }
}

/// Names printed moves as we do. Each text is parsed once: a file that is no divide has many.
struct Speller<'a, B: Counting> {
    pos: &'a Position<B>,
    ours: &'a Divide<B::Move>,
    /// The right counts by name.
    right: HashMap<String, u128>,
    known: RefCell<HashMap<(Target, String, u32), Option<String>>>,
}

/// A printed move with a name that does not depend on how it was written.
#[derive(Clone)]
struct Named<'a> {
    name: String,
    legal: bool,
    printed: &'a PrintedMove,
}

impl<'a, B: Counting> Speller<'a, B> {
    fn new(pos: &'a Position<B>, ours: &'a Divide<B::Move>) -> Self {
        let right = ours.moves.iter().map(|&(m, count)| (pos.move_text(m).to_string(), count)).collect();
        Speller { pos, ours, right, known: RefCell::default() }
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

    /// How many different legal moves are printed.
    fn legal(&self, theirs: &[PrintedMove], offset: u32) -> usize {
        theirs.iter().filter_map(|m| self.spell(m, offset)).collect::<HashSet<_>>().len()
    }

    /// By how much the ranks of `theirs` exceed ours.
    fn rank_offset(&self, theirs: &[PrintedMove], habits: Habits) -> u32 {
        habits.rank_offset.unwrap_or_else(|| u32::from(self.legal(theirs, 1) > self.legal(theirs, 0)))
    }

    fn named<'b>(&self, theirs: &'b [PrintedMove], offset: u32) -> Vec<Named<'b>> {
        let name = |printed: &'b PrintedMove| {
            let legal = self.spell(printed, offset);
            let (is_legal, other) = (legal.is_some(), || printed.target.text(offset));
            let name = legal.or_else(other).unwrap_or_else(|| printed.text.clone());
            Named { name, legal: is_legal, printed }
        };
        theirs.iter().map(name).collect()
    }

    /// The count of a move: the number in the column, or where it has none, the one that fits or the only one.
    fn count(&self, m: &Named<'_>, column: Column) -> Option<u128> {
        column.of(&m.printed.numbers).map(|count| count.value).or_else(|| {
            let values = values(&m.printed.numbers);
            let fits = values.iter().find(|&value| self.right.get(&m.name) == Some(value));
            fits.or(values.first().filter(|_| values.len() == 1)).copied()
        })
    }

    /// Some programs omit the promotion letter and print such a move four times. Only the counts show which is which.
    fn add_letters(&self, moves: &mut [Listed]) {
        let promotions = self.ours.moves.iter().filter(|&&(m, _)| B::facts(self.pos, m).promotion);
        let lettered = |&(m, count): &(B::Move, u128)| {
            let name = self.pos.move_text(m).to_string();
            (name[..4].to_string(), count, name)
        };
        let mut promotions = Vec::from_iter(promotions.map(lettered));
        promotions.sort_unstable();
        for lettered in promotions.chunk_by(|a, b| a.0 == b.0) {
            let is_bare = |m: &Listed| !m.legal && m.name == lettered[0].0;
            let bare = moves.iter().zip(0..).filter(|(m, _)| is_bare(m));
            let mut bare = Vec::from_iter(bare.map(|(m, i): (&Listed, usize)| (m.count, i)));
            bare.sort_unstable();
            if bare.len() == lettered.len() {
                for ((_, i), (.., name)) in bare.into_iter().zip(lettered) {
                    (moves[i].name, moves[i].legal) = (name.clone(), true);
                }
            }
        }
    }
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

/// The moves of a divide that grows.
#[derive(Default)]
struct Joined<'a> {
    moves: Vec<Named<'a>>,
    /// The numbers beside each.
    numbers: HashMap<String, HashSet<u128>>,
}

impl<'a> Joined<'a> {
    /// Appends moves that follow those of the divide, or replaces it if they are a new divide. Repeated moves are kept
    /// as repetitions, except in a summary, which follows a total.
    fn join(&mut self, next: &[Named<'a>], behind_total: bool) {
        let names = HashSet::<&str>::from_iter(next.iter().map(|m| m.name.as_str()));
        let same = names.len() == self.numbers.len() && names.iter().all(|&name| self.numbers.contains_key(name));
        let again = |m: &Named<'_>| {
            let known = self.numbers.get(&m.name);
            known.is_some_and(|all| values(&m.printed.numbers).iter().all(|value| all.contains(value)))
        };
        if same && (behind_total || next.len() > 1) {
            *self = Joined::default();
        } else if behind_total && next.iter().all(again) {
            return;
        }
        for m in next {
            self.numbers.entry(m.name.clone()).or_default().extend(values(&m.printed.numbers));
        }
        self.moves.extend_from_slice(next);
    }
}
