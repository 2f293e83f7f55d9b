//! Which fault of a move generator gives exactly the totals that another program counted.
//!
//! [`find`] counts with every single fault, then, if none fits, with pairs, and [`first_shown`] finds the shortest way
//! to a position that shows a fault. Generic; called by `cli::perft_expect`.

use super::seeded::{Faults, totals};
use crate::game::Columns;
use crate::game::diagnosis::{Diagnosis, Explanation, Fault, FaultyBoard, Switches};
use crate::game::played::after;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Another program's total.
#[derive(Clone, Copy)]
pub struct Expected<P> {
    /// The position that it counted from.
    pub position: P,
    /// How many plies.
    pub depth: u32,
    /// What it counted.
    pub theirs: u128,
    /// The right total.
    pub ours: u128,
}

impl<P> Expected<P> {
    /// By how much the other total is too large.
    fn surplus(&self) -> i128 {
        surplus(self.theirs, self.ours)
    }
}

fn surplus(theirs: u128, ours: u128) -> i128 {
    theirs.wrapping_sub(ours) as i128
}

/// What was found.
pub struct Findings<P: Diagnosis> {
    /// The engines that give exactly the totals: single faults, or else pairs.
    pub engines: Vec<Faults<P>>,
    /// How many engines with a single fault, and with a pair, were compared.
    pub compared: [usize; 2],
    /// Engines whose totals one ply earlier were so far off that they were not counted further.
    pub far_off: usize,
    /// Whether the time was up before all were counted.
    pub unfinished: bool,
}

/// The most pairs that are counted: those whose faults add up best.
const MOST_PAIRS: usize = 512;

/// Finds the faults that give all of `expected`, of which at least one differs from the right total.
pub fn find<P: Diagnosis>(expected: &[Expected<P>], threads: usize, stop: &AtomicBool) -> Findings<P> {
    let mut found = Findings { engines: Vec::new(), compared: [0; 2], far_off: 0, unfinished: false };
    found.unfinished = search(&mut found, expected, threads, stop).is_none();
    found
}

/// Fills `found`; `None` if `stop` was set.
fn search<P: Diagnosis>(
    found: &mut Findings<P>,
    expected: &[Expected<P>],
    threads: usize,
    stop: &AtomicBool,
) -> Option<()> {
    let differing = expected.iter().filter(|one| one.surplus() != 0);
    let Some(decisive) = differing.min_by_key(|one| one.ours) else { return Some(()) };
    let mut others: Vec<&Expected<P>> = expected.iter().filter(|one| !std::ptr::eq(*one, decisive)).collect();
    others.sort_by_key(|one| one.ours);
    let singles = Fault::all();
    found.compared[0] = singles.len();
    let surpluses = surpluses(decisive, &singles, threads, stop)?;
    found.far_off = surpluses.iter().filter(|surplus| surplus.is_none()).count();
    let changes: Vec<(Fault<P::Fault>, i128)> =
        singles.into_iter().zip(surpluses).filter_map(|(fault, n)| Some((fault, n?))).collect();
    let fits = changes.iter().filter(|change| change.1 == decisive.surplus());
    found.engines = keep(fits.map(|change| vec![change.0]).collect(), &others, threads, stop)?;
    if found.engines.is_empty() {
        let pairs = pairs::<P>(&changes, decisive.surplus());
        found.compared[1] = pairs.len();
        found.engines = keep(pairs, &[&[decisive], &others[..]].concat(), threads, stop)?;
    }
    Some(())
}

/// By how much an engine with each fault is off; `None` for an engine that is too far off one ply earlier to be
/// counted. `None` altogether if `stop` was set.
fn surpluses<P: Diagnosis>(
    one: &Expected<P>,
    faults: &[Fault<P::Fault>],
    threads: usize,
    stop: &AtomicBool,
) -> Option<Vec<Option<i128>>> {
    let pos = &one.position;
    let engines: Vec<Faults<P>> = faults.iter().map(|&fault| vec![fault]).collect();
    let mut near: Vec<bool> = vec![true; engines.len()];
    if one.depth > 2 {
        let right = u128::from(pos.perft(one.depth - 1));
        let earlier = totals(pos, one.depth - 1, &engines, threads, stop)?;
        // A difference grows with every ply, by about the number of moves.
        let limit = one.surplus().unsigned_abs();
        near = earlier.iter().map(|&n| surplus(n, right).unsigned_abs() <= limit).collect();
    }
    let counted: Vec<Faults<P>> = engines.into_iter().zip(&near).filter(|(_, near)| **near).map(|(e, _)| e).collect();
    let mut counts = totals(pos, one.depth, &counted, threads, stop)?.into_iter();
    let all = near.iter().map(|near| if *near { counts.next() } else { None });
    Some(all.map(|total| total.map(|total| surplus(total, one.ours))).collect())
}

/// Keeps the engines that give all of `expected`; `None` if `stop` was set.
fn keep<P: Diagnosis>(
    mut engines: Vec<Faults<P>>,
    expected: &[&Expected<P>],
    threads: usize,
    stop: &AtomicBool,
) -> Option<Vec<Faults<P>>> {
    for one in expected {
        if engines.is_empty() {
            break;
        }
        let counts = totals(&one.position, one.depth, &engines, threads, stop)?;
        let kept = engines.into_iter().zip(counts).filter(|(_, total)| *total == one.theirs);
        engines = kept.map(|(faults, _)| faults).collect();
    }
    Some(engines)
}

/// Pairs of faults, those first whose changes add up to `wanted` most nearly.
fn pairs<P: Diagnosis>(changes: &[(Fault<P::Fault>, i128)], wanted: i128) -> Vec<Faults<P>> {
    // Where only one side has the chance to show the fault, the fault of that side is the fault of both.
    let repeats = |i: usize| changes[..i].iter().any(|(f, n)| f.kind == changes[i].0.kind && *n == changes[i].1);
    let effective: Vec<_> = (0..changes.len()).filter(|&i| changes[i].1 != 0 && !repeats(i)).collect();
    let mut candidates = Vec::new();
    for (at, &i) in effective.iter().enumerate() {
        for &j in effective[at + 1..].iter().filter(|&&j| changes[i].0.kind != changes[j].0.kind) {
            candidates.push(((changes[i].1 + changes[j].1 - wanted).unsigned_abs(), i, j));
        }
    }
    candidates.sort_unstable();
    candidates.truncate(MOST_PAIRS);
    candidates.iter().map(|&(_, i, j)| vec![changes[i].0, changes[j].0]).collect()
}

/// A position that shows a fault.
pub struct Shown<P: Diagnosis> {
    /// The moves that lead to it.
    pub path: Vec<String>,
    /// The position.
    pub position: P,
    /// A move that differs, with its explanation; `None` if the engine lists a legal move more than once.
    pub differs: (String, Option<Explanation<P::Rule>>),
}

/// The shortest way from `root` to a position where an engine with `faults` has other moves, within `depth` plies.
pub fn first_shown<P: Diagnosis>(root: &P, depth: u32, faults: &Faults<P>, until: Instant) -> Option<Shown<P>> {
    let switches = Switches::new(std::slice::from_ref(faults));
    let mut boards = Vec::new();
    root.faulty_board().read(&switches, 1, &mut boards);
    let mut level: Vec<_> = boards.into_iter().map(|(board, _)| (*root, board, Vec::new())).collect();
    for ply in 0..depth {
        let (mut next, mut seen) = (Vec::new(), HashSet::new());
        for (pos, board, before) in level {
            let mut moves = Vec::new();
            board.moves(&switches, 1, &mut moves);
            if let Some(differs) = difference(&pos, &board, &moves, &before) {
                let path = before.iter().map(|(pos, m): &(P, P::Move)| pos.move_text(*m).to_string());
                return Some(Shown { path: path.collect(), position: pos, differs });
            }
            if ply + 1 == depth || Instant::now() > until {
                continue;
            }
            let mut boards = Vec::new();
            for (step, _) in moves {
                let Ok(m) = pos.parse_move(board.move_text(step).as_str()) else { continue };
                board.make(step, &switches, 1, &mut boards);
                if let Some((child, _)) = boards.pop().filter(|(child, _)| seen.insert(child.clone())) {
                    let mut history = before.clone();
                    history.push((pos, m));
                    next.push((after(&pos, m), child, history));
                }
            }
        }
        level = next;
    }
    None
}

/// A move that the faulty board has and the position has not, or the other way round.
fn difference<P: Diagnosis>(
    pos: &P,
    board: &P::Board,
    moves: &[(<P::Board as FaultyBoard>::Move, u128)],
    before: &[(P, P::Move)],
) -> Option<(String, Option<Explanation<P::Rule>>)> {
    let mut theirs: Vec<_> = moves.iter().map(|&(m, _)| board.move_text(m)).collect();
    let mut ours: Vec<_> = pos.legal_moves().into_iter().map(|m| pos.move_text(m)).collect();
    theirs.sort();
    ours.sort();
    if theirs == ours {
        return None;
    }
    let extra = theirs.iter().find(|m| !ours.contains(m));
    let Some(text) = extra.or_else(|| ours.iter().find(|m| !theirs.contains(m))) else {
        let twice = theirs.windows(2).find(|pair| pair[0] == pair[1]);
        return Some((twice.map_or(String::new(), |pair| pair[0].to_string()), None));
    };
    let explanation = pos.explain_after(text.as_str(), before).ok();
    Some((text.to_string(), explanation))
}

/// The columns of the last ply that are as large as the difference, which hints at moves that are not counted, or
/// counted twice.
pub fn equal_columns(difference: u128, columns: &Columns<u128>) -> Vec<&'static str> {
    let named = crate::game::columns::NAMES.into_iter().zip(columns.all());
    named.filter(|&(_, n)| n == difference && n > 0).map(|(name, _)| name).collect()
}
