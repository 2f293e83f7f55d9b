//! What is said of another program's divide or totals: the same words in the program, on the page and from C.
//!
//! First what differs ([`of_divide`], [`of_totals`]), at once; then the faults that give exactly this
//! ([`faults_of_divide`], [`faults_of_totals`]), which may take long.

use super::diff::{Wrong, differences, modulo, sentences, too_few_bits};
use super::expect::{Expected, MOST_NODES, Shown, Stop, find, find_by_divide, first_shown};
use super::faults::{Diagnosis, Fault, FaultKind};
use super::read::{grouped, read};
use super::spot::Spot;
use crate::game::Position;
use crate::game::text::fault::quoted;
use crate::perft::Divide;
use std::collections::BTreeMap;

/// The most faults that are listed.
const MOST_LISTED: usize = 10;

/// If our tree has at most so many nodes, the next depth is counted, too, to see whether the numbers belong to it.
const FEW_NODES: u128 = 10_000_000;

/// The divide of another program, compared with ours.
#[derive(Default)]
pub struct Divides {
    /// What is said of it.
    pub lines: Vec<String>,
    /// What is wrong with its moves.
    pub wrong: Vec<(Wrong, String)>,
    /// Its counts, if a fault may explain them and they are not too many to look for it.
    pub counts: BTreeMap<String, u128>,
    /// Whether nothing is wrong.
    pub is_right: bool,
    /// Which of several divides it is.
    pub remark: Option<String>,
}

/// The totals of another program, compared with ours.
pub struct Totals {
    /// What is said of them.
    pub lines: Vec<String>,
    /// What a fault must explain, if anything.
    pub expected: Vec<Expected>,
    /// Whether all are right.
    pub is_right: bool,
}

/// A fault that fits, with a position that shows it.
pub struct Fitting<B: Diagnosis> {
    /// In one line.
    pub line: String,
    pub shown: Option<Shown<B>>,
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
        if let Some((spot, wrong)) = &self.shown {
            lines.push(format!("  fen: {}", spot.end().map_or(String::new(), |end| end.to_fen())));
            if !spot.moves.is_empty() {
                lines.push(format!("  path: {}", spot.moves.join(" ")));
            }
            lines.extend(sentences(spot, wrong).into_iter().map(|line| format!("  {line}")));
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
    let theirs = read(pos, text, None)?;
    let from = |line| format!("the input has several divides; using the last one, from line {line}");
    let remark = theirs.begins.map(from);
    let mut compared = |depth| {
        let ours = divide(depth)?;
        Ok::<_, String>((ours.total, differences(pos, &ours, &theirs)))
    };
    let (total, wrong) = compared(depth)?;
    if !wrong.is_empty() && !theirs.moves.is_empty() {
        let deeper = depth + 1..depth + 1 + u32::from(total <= FEW_NODES);
        for other in (1..depth).rev().chain(deeper) {
            if compared(other)?.1.is_empty() {
                let line = format!("these are the right counts of depth {other}, not of depth {depth}");
                return Ok(Divides { lines: vec![line], remark, ..Divides::default() });
            }
        }
    }
    let mut found = Divides { remark, ..Divides::default() };
    let (all, legal) = (theirs.moves.len(), theirs.moves.iter().filter(|m| m.legal).count());
    if 2 * legal < all {
        let fen = pos.to_fen();
        return Err(format!(
            "of its {all} moves {legal} are legal in {fen}; expected its divide, without replies below the moves"
        ));
    }
    if !wrong.is_empty() {
        found.lines = vec!["the divides differ in this position:".into(), format!("fen: {}", pos.to_fen())];
        found.lines.extend(sentences(&Spot::at(*pos), &wrong));
        if total <= MOST_NODES {
            found.counts = theirs.counts();
        }
        found.wrong = wrong;
    } else {
        found.lines = vec![format!("Nodes searched: {total}"), "both divides agree".into()];
        found.is_right = true;
    }
    Ok(found)
}

/// The single faults that give exactly a divide of `depth` plies, unless `stop` ends the search.
pub fn faults_of_divide<B: Diagnosis>(
    pos: &Position<B>,
    depth: u32,
    counts: &BTreeMap<String, u128>,
    stop: Stop<'_>,
) -> Vec<Fitting<B>> {
    let found = find_by_divide::<B>(pos, depth, counts, stop);
    fitting(&found, "this divide is that of an engine that", pos, depth)
}

/// Compares totals of the last depths up to `deepest` with ours, which `count` gives.
///
/// # Errors
/// If there are more totals than depths; the errors of `count`.
pub fn of_totals(
    deepest: u32,
    totals: &[u128],
    count: &mut impl FnMut(u32) -> Result<u128, String>,
) -> Result<Totals, String> {
    if totals.len() as u32 > deepest.max(1) {
        return Err(format!("totals: expected at most {deepest}, those of the last depths"));
    }
    let mut expected = Vec::new();
    for (depth, &theirs) in (deepest + 1 - totals.len() as u32..).zip(totals) {
        expected.push(Expected { depth, theirs, ours: count(depth)? });
    }
    let right = match expected.last() {
        Some(last) => last.ours,
        None => count(deepest)?,
    };
    let mut lines = vec![format!("Nodes searched: {right}")];
    let differing = Vec::from_iter(expected.iter().filter(|one| one.theirs != one.ours));
    if differing.is_empty() {
        lines.push("the totals are right".into());
        return Ok(Totals { lines, expected: Vec::new(), is_right: true });
    }
    for &&Expected { depth, theirs, ours } in &differing {
        let word = if theirs > ours { "many" } else { "few" };
        lines.push(format!("depth {depth}: {theirs} is {} too {word}", theirs.abs_diff(ours)));
    }
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
fn other_depth(
    depth: u32,
    expected: &[Expected],
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

/// Reads totals, separated by commas or semicolons. What has the form of one number with marks of thousands, as
/// `20,400`, is one number.
///
/// # Errors
/// If something is no number.
pub fn read_totals(text: &str) -> Result<Vec<u128>, String> {
    let text = text.trim();
    if let Some(total) = grouped(text) {
        return Ok(vec![total]);
    }
    let total = |word: &str| grouped(word.trim()).ok_or_else(|| format!("{} is not a number from 0", quoted(word)));
    text.split([',', ';']).map(total).collect()
}

/// The single faults that give these totals, unless `stop` ends the search.
pub fn faults_of_totals<B: Diagnosis>(
    pos: &Position<B>,
    expected: &[Expected],
    threads: usize,
    stop: Stop<'_>,
) -> Explained<B> {
    let all = Fault::<B::Fault>::all().len();
    let s = if expected.len() == 1 { "this total" } else { "these totals" };
    let none = |before: String| Explained { before, faults: Vec::new() };
    if let Some(large) = expected.iter().find(|one| one.ours > MOST_NODES) {
        let most = (1..large.depth).rev().find(|&depth| u128::from(pos.perft(depth)) <= MOST_NODES);
        return none(format!(
            "depth {} is too large to be counted with each of {all} faults; give the total of depth {}",
            large.depth,
            most.unwrap_or(0)
        ));
    }
    let Some(found) = find(pos, expected, threads, stop) else {
        return none(format!("the time is up before all of {all} single faults were counted"));
    };
    if found.is_empty() {
        return none(format!("none of {all} single faults gives {s}"));
    }
    let depth = expected.iter().find(|one| one.theirs != one.ours).map_or(0, |one| one.depth);
    let faults = fitting(&found, "an engine that", pos, depth);
    Explained { before: format!("of {all} single faults, {} give {s}:", found.len()), faults }
}

/// The faults in words, each with the nearest position that shows it: those of both sides before those of one. Where
/// only one side had the chance to show a fault, nobody knows whether the other has it too.
fn fitting<B: Diagnosis>(found: &[Fault<B::Fault>], head: &str, pos: &Position<B>, depth: u32) -> Vec<Fitting<B>> {
    let mut kinds = Vec::new();
    for fault in found {
        if !kinds.contains(&fault.kind) {
            kinds.push(fault.kind);
        }
    }
    kinds.truncate(MOST_LISTED);
    let mut list = Vec::new();
    for kind in kinds {
        let of_kind = Vec::from_iter(found.iter().filter(|fault| fault.kind == kind));
        let sides = of_kind.iter().map(|fault| match fault.side {
            Some(side) => format!("{} only", B::SIDES[side.index()]),
            None => "both sides".into(),
        });
        let sides = Vec::from_iter(sides).join(" or ");
        let sides = if sides == "both sides" { String::new() } else { format!(" ({sides})") };
        let shown = first_shown(pos, depth, *of_kind[0]);
        list.push(Fitting { line: format!("{head} {}{sides}", kind.symptom()), shown });
    }
    list
}
