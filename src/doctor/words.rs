//! What is said of another program's divide or totals: the same words in the program, on the page and from C.
//!
//! First what differs ([`of_divide`], [`of_totals`]), at once; then the faults that give exactly this
//! ([`faults_of_divide`], [`faults_of_totals`]), which may take long.

use super::diff::{Node, Wrong, differences, modulo, too_few_bits, too_few_bits_of};
use super::expect::{Deciding, Expected, Findings, Stage, WEAK, deciding, find, find_by_divide, first_shown};
use super::faults::{Diagnosis, Fault, FaultKind, deed_of_sides};
use super::reading::{Habits, read};
use super::seeded::Faults;
use crate::base::text::decimal;
use crate::game::text::fault::quoted;
use crate::game::{Counting, Position};
use crate::perft::count::Divide;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long to look for a position that shows a fault.
const SHOW_LIMIT: Duration = Duration::from_secs(5);

/// The most faults that are listed where many are left.
const MOST_LISTED: usize = 10;

/// The most pairs that are listed.
const MOST_PAIRS: usize = 5;

/// The most faults that the next total is to tell apart, and the most plies of that total.
const MOST_DECIDED: usize = 8;
const DECIDING_PLIES: u32 = 3;

/// A tree of at most so many nodes is counted only to see whether a number belongs to it.
const FEW_NODES: u128 = 10_000_000;

/// The divide of another program, compared with ours.
#[derive(Default)]
pub struct Divides {
    /// What is said of it.
    pub lines: Vec<String>,
    /// What is wrong with its moves.
    pub wrong: Vec<(Wrong, String)>,
    /// Its counts, if a fault may explain them.
    pub counts: BTreeMap<String, u128>,
    /// Whether nothing is wrong.
    pub is_right: bool,
    /// Which of several divides it is.
    pub remark: Option<String>,
}

/// The totals of another program, compared with ours.
pub struct Totals<B: Counting> {
    /// What is said of them.
    pub lines: Vec<String>,
    /// What a fault must explain, if anything.
    pub expected: Vec<Expected<B>>,
    /// Whether all are right.
    pub is_right: bool,
}

/// A fault that fits, or two, with positions that show it.
pub struct Fitting<B: Diagnosis> {
    /// In one line.
    pub line: String,
    /// Each with its wrong move.
    pub shown: Vec<Node<B>>,
}

/// The faults that fit, and what else is said of them.
pub struct Explained<B: Diagnosis> {
    /// Before they are told.
    pub before: Vec<String>,
    /// The most likely one first.
    pub faults: Vec<Fitting<B>>,
    /// After them.
    pub after: Vec<String>,
    /// How much was compared.
    pub effort: String,
}

impl<B: Diagnosis> Fitting<B> {
    /// All lines.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.line.clone()];
        for node in &self.shown {
            lines.push(format!("  fen: {}", node.position.to_fen()));
            if !node.before.is_empty() {
                lines.push(format!("  path: {}", node.path().join(" ")));
            }
            lines.extend(wrongs(node).map(|line| format!("  {line}")));
        }
        lines
    }
}

/// Compares the divide in `text` with ours of `depth` plies, which `divide` gives, as well as those of other depths.
///
/// # Errors
/// If the text has no divide, or it cannot be decided what is meant; the errors of `divide`.
pub fn of_divide<B: Counting>(
    pos: &Position<B>,
    depth: u32,
    text: &str,
    divide: &mut impl FnMut(u32) -> Result<Divide<B::Move>, String>,
) -> Result<Divides, String> {
    let mut compared = |depth| {
        let ours = divide(depth)?;
        let theirs = read(pos, &ours, text, &mut Habits::default());
        let wrong = theirs.as_ref().map(|theirs| differences(pos, &ours, theirs)).unwrap_or_default();
        Ok::<_, String>((ours.total, theirs, wrong))
    };
    let (total, theirs, wrong) = compared(depth)?;
    if theirs.is_err() || !wrong.is_empty() {
        let deeper = depth + 1..depth + 1 + u32::from(total <= FEW_NODES);
        for other in (1..depth).rev().chain(deeper) {
            let (_, theirs, wrong) = compared(other)?;
            if theirs.is_ok_and(|theirs| !theirs.moves.is_empty()) && wrong.is_empty() {
                let line = format!("these are the right counts of depth {other}, not of depth {depth}");
                return Ok(Divides { lines: vec![line], ..Divides::default() });
            }
        }
    }
    let theirs = theirs?;
    let from = |line| format!("the input has several divides; using the last one, from line {line}");
    let mut found = Divides { remark: theirs.begins.map(from), ..Divides::default() };
    let (all, legal) = (theirs.moves.len(), theirs.moves.iter().filter(|m| m.legal).count());
    if 2 * legal < all {
        found.lines.push(format!("the divide is of another position: of its {all} moves {legal} are legal here"));
        found.lines.push(format!("fen: {}", pos.to_fen()));
    } else if !wrong.is_empty() {
        found.lines = vec!["the divides differ in this position:".into(), format!("fen: {}", pos.to_fen())];
        found.lines.extend(wrongs(&Node { wrong: wrong.clone(), ..Node::root_of(0, *pos) }));
        found.counts = theirs.counts();
        found.wrong = wrong;
    } else if let Some(line) = theirs.unclear_total {
        let reason = "what the total is cannot be decided; expected one, as in Nodes searched: 400";
        return Err(format!("the counts agree, but on line {line}, {reason}"));
    } else {
        found.lines = vec![format!("Nodes searched: {total}"), "both divides agree".into()];
        found.is_right = true;
    }
    Ok(found)
}

/// What is said of all that is wrong in a position.
pub fn wrongs<B: Counting>(node: &Node<B>) -> impl Iterator<Item = String> {
    let sentences = node.wrong.iter().map(|(wrong, text)| node.sentence(wrong, text));
    sentences.chain(too_few_bits_of(&node.wrong).map(modulo))
}

/// The single faults that give exactly a divide of `depth` plies.
pub fn faults_of_divide<B: Diagnosis>(
    pos: &Position<B>,
    depth: u32,
    counts: &BTreeMap<String, u128>,
    stop: &AtomicBool,
) -> Vec<Fitting<B>> {
    let found = find_by_divide::<B>(pos, depth, counts, stop).unwrap_or_default();
    let mut described = described::<B>(&found);
    described.truncate(MOST_LISTED);
    let named = described.into_iter().map(|one| Fitting {
        line: format!("this divide is that of an engine that {}", one.sentence),
        shown: shown(pos, depth, &one.faults, stop),
    });
    named.collect()
}

/// Compares totals of the last depths up to `deepest`, in one of several `readings`, with ours, which `count` gives.
///
/// # Errors
/// If there are more totals than depths; the errors of `count`.
pub fn of_totals<B: Counting>(
    pos: &Position<B>,
    deepest: u32,
    readings: &[Vec<u128>],
    count: &mut impl FnMut(u32) -> Result<u128, String>,
) -> Result<Totals<B>, String> {
    // `20,400` may be one number or two: what is nearest to the right total.
    let right = count(deepest)?;
    let distance = |totals: &&Vec<u128>| {
        let last = totals.last().copied().unwrap_or_default();
        let [more, less] = [last.max(right), last.min(right)].map(|n| n.max(1) as f64);
        (1e9 * (more / less).ln()) as u64
    };
    let too_many = || format!("totals: expected at most {deepest}, those of the last depths");
    let possible = readings.iter().filter(|totals| totals.len() as u32 <= deepest.max(1));
    let totals = possible.min_by_key(distance).ok_or_else(too_many)?;
    let mut expected = Vec::new();
    for (depth, &theirs) in (deepest + 1 - totals.len() as u32..=deepest).zip(totals) {
        expected.push(Expected { position: *pos, depth, theirs, ours: count(depth)? });
    }
    let mut lines = vec![format!("Nodes searched: {right}")];
    let differing = Vec::from_iter(expected.iter().filter(|one| one.theirs != one.ours));
    if differing.is_empty() {
        lines.push("the totals are right".into());
        return Ok(Totals { lines, expected: Vec::new(), is_right: true });
    }
    lines.extend(differing.iter().map(|one| format!("depth {}: {} is {}", one.depth, one.theirs, off(one))));
    let counts = Vec::from_iter(differing.iter().map(|one| (one.ours, one.theirs)));
    let known = match other_depth(deepest, &expected, count)? {
        Some(other) => Some(format!("that is the right total of depth {other}")),
        None => too_few_bits(&counts).map(modulo),
    };
    if known.is_some() {
        expected.clear();
    }
    lines.extend(known);
    Ok(Totals { lines, expected, is_right: false })
}

/// The depth of which the last total is the right one.
fn other_depth<B: Counting>(
    depth: u32,
    expected: &[Expected<B>],
    count: &mut impl FnMut(u32) -> Result<u128, String>,
) -> Result<Option<u32>, String> {
    let Some(last) = expected.last() else { return Ok(None) };
    // The next depth is counted at once if it has about as many nodes as their total.
    let deeper = depth + 1..depth + 1 + u32::from(last.theirs / 64 < last.ours && last.theirs <= 10 * FEW_NODES);
    for other in (1..depth).rev().chain(deeper) {
        if count(other)? == last.theirs {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// Reads totals: a list, or numbers with separators of thousands, or all that it may be.
///
/// # Errors
/// If something is no number.
pub fn read_totals(text: &str) -> Result<Vec<Vec<u128>>, String> {
    const MARKS: [Option<char>; 9] =
        [Some(','), Some(' '), Some('.'), Some('_'), Some('\''), Some('’'), Some('\u{a0}'), Some('\u{202f}'), None];
    let number = |word: &str, mark: Option<char>| {
        let mut groups = word.split(|c| Some(c) == mark);
        let first = groups.next().unwrap_or_default();
        let whole = groups.clone().all(|group| group.len() == 3) && (first.len() <= 3 || groups.next().is_none());
        let digits = if whole { word.replace(|c| Some(c) == mark, "") } else { word.to_string() };
        decimal::<u128>(&digits).ok_or_else(|| format!("{} is not a number from 0", quoted(word)))
    };
    let read = |mark: Option<char>| -> Result<Vec<u128>, String> {
        let mut totals = Vec::new();
        for part in text.trim().split(|c| matches!(c, ',' | ';') && Some(c) != mark).map(str::trim) {
            let words = match mark {
                _ if part.is_empty() => vec![part],
                Some(' ') => vec![part],
                _ => part.split_whitespace().collect(),
            };
            words.into_iter().try_for_each(|word| number(word, mark).map(|total| totals.push(total)))?;
        }
        Ok(totals)
    };
    let mut readings = Vec::<Vec<u128>>::new();
    for totals in MARKS.into_iter().filter_map(|mark| read(mark).ok()) {
        if !readings.contains(&totals) {
            readings.push(totals);
        }
    }
    if readings.is_empty() { read(None).map(|totals| vec![totals]) } else { Ok(readings) }
}

/// The faults that give these totals, or pairs of them. What tells them apart is looked for in `others` too; `watch` is
/// told how far the search has come.
pub fn faults_of_totals<B: Diagnosis>(
    expected: &[Expected<B>],
    threads: usize,
    others: &[Position<B>],
    stop: &AtomicBool,
    watch: &(dyn Fn(Stage) + Sync),
) -> Explained<B> {
    let found = find(expected, threads, stop, watch);
    let Findings { engines, compared: [singles, pairs], chance, far_off, left } = &found;
    let (is_weak, is_pair) = (*chance > WEAK, *pairs > 0);
    let (s, are) = match (expected.len(), is_weak) {
        (1, false) => ("this total", "is that"),
        (1, true) => ("this total", "may be that"),
        (_, false) => ("these totals", "are those"),
        (_, true) => ("these totals", "may be those"),
    };
    let mut said = Explained { before: Vec::new(), faults: Vec::new(), after: Vec::new(), effort: String::new() };
    if let Some(left) = left {
        said.before = unfinished::<B>(left, found.compared);
    } else if engines.is_empty() {
        said.before.push(format!("none of {singles} single faults and {pairs} pairs gives {s}"));
    }
    let described = described::<B>(engines);
    let of = described.len();
    if is_pair && of > 0 {
        // A pair is never told as firmly as a single fault.
        let tried = format!("{of} of {pairs} pairs of faults do, common faults first:");
        said.before.push(format!("no single fault gives {s}; {tried}"));
        let pairs = described.iter().take(MOST_PAIRS);
        said.faults = pairs.map(|pair| Fitting { line: format!("  {}", pair.sentence), shown: Vec::new() }).collect();
    } else {
        // In the smallest tree that differs.
        let smallest = expected.iter().filter(|one| one.theirs != one.ours).min_by_key(|one| one.ours);
        said.faults = Vec::from_iter(described.iter().map(|one| Fitting {
            line: format!("{s} {are} of an engine that {}", one.sentence),
            shown: smallest.map_or(Vec::new(), |at| shown(&at.position, at.depth, &one.faults, stop)),
        }));
    }
    if of > 0 {
        said.after.push(evidence(&found));
        let most = if is_pair { MOST_PAIRS } else { MOST_DECIDED };
        if of > 1 || is_weak || is_pair {
            said.after.extend(next_total(expected, &described[..of.min(most)], others, stop));
        }
    }
    let far = match far_off {
        0 => String::new(),
        n => format!("; {n} of them are too far off at a smaller depth"),
    };
    said.effort = format!("{singles} single faults compared{far}, {pairs} pairs");
    said
}

/// "258 too few"
pub(super) fn off<B: Counting>(one: &Expected<B>) -> String {
    let word = if one.theirs > one.ours { "many" } else { "few" };
    format!("{} too {word}", one.theirs.abs_diff(one.ours))
}

/// Becomes true after a time; where there are no threads, never.
pub(super) fn after(time: Option<Duration>) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    if let Some(time) = time {
        let set = flag.clone();
        let wait = move || {
            thread::sleep(time);
            set.store(true, Ordering::Relaxed);
        };
        // Nobody waits for this thread: it ends with the program.
        let _ = thread::Builder::new().spawn(wait);
    }
    flag
}

/// For each fault, the nearest position that shows it.
fn shown<B: Diagnosis>(pos: &Position<B>, depth: u32, faults: &Faults<B>, stop: &AtomicBool) -> Vec<Node<B>> {
    let open = faults.iter().filter(|_| !stop.load(Ordering::Relaxed));
    open.filter_map(|fault| first_shown(pos, depth, &vec![*fault], &after(Some(SHOW_LIMIT)))).collect()
}

/// How much the faults that fit are worth.
fn evidence<B: Diagnosis>(found: &Findings<B>) -> String {
    let [singles, pairs] = found.compared;
    let word = if found.chance > WEAK { "weak evidence" } else { "evidence" };
    let tried =
        if pairs > 0 { format!("{singles} single faults and {pairs} pairs") } else { format!("{singles} faults") };
    // In tenths.
    let percent = match (1_000.0 * found.chance).round() as u64 {
        0 => "less than 0.1".into(),
        low @ 1..100 => format!("{}.{}", low / 10, low % 10),
        high => ((high + 5) / 10).to_string(),
    };
    format!("{word}: with {tried} tried, one fits such a difference by chance in {percent} % of cases")
}

/// Which total to give next.
fn next_total<B: Diagnosis>(
    expected: &[Expected<B>],
    found: &[Described<B>],
    others: &[Position<B>],
    stop: &AtomicBool,
) -> Vec<String> {
    let known = Vec::from_iter(expected.iter().map(|one| (one.position.to_fen(), one.depth)));
    let given = |pos: &Position<B>, depth| known.contains(&(pos.to_fen(), depth));
    let positions = || [expected[0].position].into_iter().chain(others.iter().copied());
    let counts = (1..=DECIDING_PLIES).flat_map(|depth| positions().map(move |pos| (pos, depth)));
    let counts = counts.filter(|(pos, depth)| !given(pos, *depth) && !stop.load(Ordering::Relaxed));
    let engines = Vec::from_iter(found.iter().map(|one| one.faults.clone()));
    let decided = deciding(&engines, counts, found.len().min(2), &after(Some(SHOW_LIMIT)));
    let Some(Deciding { position, depth, right, totals }) = decided else { return Vec::new() };
    let mut lines = vec![format!("to decide, count depth {depth} of {}; {right} is right", position.to_fen())];
    lines.extend(totals.iter().zip(found).map(|(total, one)| format!("  {total} if it {}", one.sentence)));
    lines
}

/// What is known when the time is up.
fn unfinished<B: Diagnosis>(left: &[Faults<B>], [singles, pairs]: [usize; 2]) -> Vec<String> {
    let (what, of) = if pairs == 0 { ("single faults", singles) } else { ("pairs", pairs) };
    let mut lines = Vec::new();
    if pairs > 0 {
        lines.push(format!("none of {singles} single faults gives this"));
    }
    lines.push(format!("the time is up: {} of {of} {what} are not ruled out", left.len()));
    let described = described::<B>(left);
    if described.len() <= MOST_LISTED {
        lines.extend(described.iter().map(|faults| format!("  {}", faults.sentence)));
    }
    lines
}

/// Engines whose faults are of the same kinds, described together.
struct Described<B: Diagnosis> {
    faults: Faults<B>,
    sentence: String,
}

/// Describes the engines: faults of both sides before those of one, common ones before rare ones, whole ones before
/// their parts. Where only one side had the chance to show a fault, nobody knows whether the other has it too.
fn described<B: Diagnosis>(engines: &[Faults<B>]) -> Vec<Described<B>> {
    let mut all: Vec<Described<B>> = Vec::new();
    let rank = |faults: &Faults<B>| {
        let sum = |of: fn(&Fault<B::Fault>) -> usize| faults.iter().map(of).sum::<usize>();
        let [one_sided, rare] =
            [sum(|f| f.side.is_some().into()), sum(|f| (!B::Fault::COMMON.contains(&f.kind)).into())];
        (one_sided, rare, Reverse(sum(|f| f.kind.rules().len())))
    };
    for faults in engines {
        let sides = |kind| {
            let alike = engines.iter().filter(|other| faults.len() == 1 && other.len() == 1);
            let fault = alike.map(|other| other[0]).filter(move |other| other.kind == kind);
            Vec::from_iter(fault.map(|fault| fault.side))
        };
        let words = faults.iter().map(|fault| {
            let sides = match faults.len() {
                1 => sides(fault.kind),
                _ => vec![fault.side],
            };
            deed_of_sides::<B>(fault.kind, &sides)
        });
        let sentence = Vec::from_iter(words).join(", and ");
        if all.iter().all(|known| known.sentence != sentence) {
            let at = all.partition_point(|known| rank(&known.faults) <= rank(faults));
            all.insert(at, Described { faults: faults.clone(), sentence });
        }
    }
    all
}
