//! What is said of another program's divide or totals: the same words in the program, on the page and from C.
//!
//! First what differs ([`of_divide`], [`of_totals`]), at once; then the faults that give exactly this
//! ([`faults_of_divide`], [`faults_of_totals`]), which may take long.

use super::diff::{Node, Wrong, differences, modulo, too_few_bits, too_few_bits_of};
use super::expect::{Expected, MOST_NODES, find, find_by_divide, first_shown};
use super::faults::{Diagnosis, Fault, FaultKind};
use super::read::{grouped, has_replies, read};
use crate::game::text::fault::quoted;
use crate::game::{Counting, Position};
use crate::perft::Divide;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// The most faults that are listed.
const MOST_LISTED: usize = 10;

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

/// A fault that fits, with positions that show it.
pub struct Fitting<B: Diagnosis> {
    /// In one line.
    pub line: String,
    /// Each with its wrong move.
    pub shown: Vec<Node<B>>,
}

/// The faults that fit, and what else is said of them.
pub struct Explained<B: Diagnosis> {
    /// Before they are told.
    pub before: String,
    /// The most likely one first.
    pub faults: Vec<Fitting<B>>,
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
pub fn of_divide<B: Diagnosis>(
    pos: &Position<B>,
    depth: u32,
    text: &str,
    divide: &mut impl FnMut(u32) -> Result<Divide<B::Move>, String>,
) -> Result<Divides, String> {
    let mut compared = |depth| {
        let ours = divide(depth)?;
        let theirs = read(pos, text, None);
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
    if has_replies(pos, &theirs.moves) {
        return Err(
            "there are replies below the moves; expected the moves of the position alone, as in e2e4: 20".into()
        );
    }
    let from = |line| format!("the input has several divides; using the last one, from line {line}");
    let mut found = Divides { remark: theirs.begins.map(from), ..Divides::default() };
    let (all, legal) = (theirs.moves.len(), theirs.moves.iter().filter(|m| m.legal).count());
    if 2 * legal < all {
        found.lines.push(format!("the divide is of another position: of its {all} moves {legal} are legal here"));
        found.lines.push(format!("fen: {}", pos.to_fen()));
    } else if !wrong.is_empty() {
        found.lines = vec!["the divides differ in this position:".into(), format!("fen: {}", pos.to_fen())];
        found.lines.extend(wrongs(&Node { wrong: wrong.clone(), ..Node::root_of(*pos) }));
        found.counts = theirs.counts();
        found.wrong = wrong;
    } else {
        found.lines = vec![format!("Nodes searched: {total}"), "both divides agree".into()];
        found.is_right = true;
    }
    Ok(found)
}

/// What is said of all that is wrong in a position.
pub fn wrongs<B: Diagnosis>(node: &Node<B>) -> impl Iterator<Item = String> {
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
    if u128::from(pos.perft(depth.min(4))) > MOST_NODES || depth > 4 && u128::from(pos.perft(depth)) > MOST_NODES {
        return Vec::new();
    }
    let found = find_by_divide::<B>(pos, depth, counts, stop);
    fitting(&found, "this divide is that of an engine that", pos, depth)
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

/// Reads totals: a list of numbers behind commas, semicolons or blanks, each perhaps with marks of thousands. What may
/// be a list or one number is read both ways.
///
/// # Errors
/// If something is no number.
pub fn read_totals(text: &str) -> Result<Vec<Vec<u128>>, String> {
    let number = |word: &str| grouped(word).ok_or_else(|| format!("{} is not a number from 0", quoted(word)));
    let mut readings = Vec::new();
    let lists: [&[char]; 3] = [&[',', ';', ' '], &[';', ' '], &[',', ';']];
    for separators in lists {
        let words = text.trim().split(separators).map(str::trim);
        let is_blank_list = separators.contains(&' ');
        let words = words.filter(|word| !word.is_empty() || !is_blank_list || !text.contains(", "));
        // Blanks may stand between groups of digits.
        let words = words.map(|word| word.replace([' ', '\u{a0}', '\u{202f}'], ","));
        let totals = words.map(|word| number(&word)).collect::<Result<Vec<_>, _>>();
        if let Ok(totals) = totals.clone()
            && !readings.contains(&totals)
        {
            readings.push(totals);
        } else if readings.is_empty() && separators == lists[2] {
            totals?;
        }
    }
    Ok(readings)
}

/// The single faults that give these totals. `watch` is told how many of how many were counted.
pub fn faults_of_totals<B: Diagnosis>(
    expected: &[Expected<B>],
    threads: usize,
    stop: &AtomicBool,
    watch: &(dyn Fn([usize; 2]) + Sync),
) -> Explained<B> {
    let all = Fault::<B::Fault>::all().len();
    let s = if expected.len() == 1 { "this total" } else { "these totals" };
    let none = |before: String| Explained { before, faults: Vec::new() };
    if let Some(large) = expected.iter().find(|one| one.ours > MOST_NODES) {
        let most = (1..large.depth).rev().find(|&depth| u128::from(large.position.perft(depth)) <= MOST_NODES);
        let most = most.unwrap_or(0);
        return none(format!(
            "depth {} is too large to be counted with each of {all} faults; give the total of depth {most}",
            large.depth
        ));
    }
    let Some(found) = find(expected, threads, stop, watch) else {
        return none(format!("the time is up before all of {all} single faults were counted"));
    };
    // In the smallest tree that differs.
    let smallest = expected.iter().filter(|one| one.theirs != one.ours).min_by_key(|one| one.ours);
    let Some(smallest) = smallest.filter(|_| !found.is_empty()) else {
        return none(format!("none of {all} single faults gives {s}"));
    };
    let faults = fitting(&found, "an engine that", &smallest.position, smallest.depth);
    Explained { before: format!("of {all} single faults, {} give {s}:", found.len()), faults }
}

/// "258 too few"
pub(super) fn off<B: Counting>(one: &Expected<B>) -> String {
    let word = if one.theirs > one.ours { "many" } else { "few" };
    format!("{} too {word}", one.theirs.abs_diff(one.ours))
}

/// The faults in words, each with the nearest position that shows it: common ones before rare ones, whole ones before
/// their parts. Where only one side had the chance to show a fault, nobody knows whether the other has it too.
fn fitting<B: Diagnosis>(found: &[Fault<B::Fault>], head: &str, pos: &Position<B>, depth: u32) -> Vec<Fitting<B>> {
    let mut kinds = Vec::from_iter(found.iter().map(|fault| fault.kind));
    kinds.sort_by_key(|kind| (!B::Fault::COMMON.contains(kind), std::cmp::Reverse(kind.rules().len())));
    kinds.dedup();
    kinds.truncate(MOST_LISTED);
    let told = kinds.into_iter().map(|kind| {
        let of_kind = Vec::from_iter(found.iter().filter(|fault| fault.kind == kind));
        let sides = of_kind.iter().map(|fault| match fault.side {
            Some(side) => format!("{} only", B::SIDES[side.index()]),
            None => "both sides".into(),
        });
        let sides = Vec::from_iter(sides).join(" or ");
        let sides = if sides == "both sides" { String::new() } else { format!(" ({sides})") };
        let shown = first_shown(pos, depth, *of_kind[0]);
        Fitting { line: format!("{head} {}{sides}", kind.symptom()), shown: shown.into_iter().collect() }
    });
    told.collect()
}
