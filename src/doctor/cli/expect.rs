//! `perft DEPTH --expect TOTALS` and `perft --suite FILE --explain`: which fault of a move generator gives the totals
//! of another program.
//!
//! `crate::doctor::expect` finds the faults; this file counts what is right and prints.

use crate::base::lock::lock;
use crate::base::patience::patience;
use crate::cli::games::suite;
use crate::cli::output::total;
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::diff::too_few_bits;
use crate::doctor::expect::{
    Deciding, Expected, Findings, Stage, WEAK, deciding, equal_columns, find, find_by_divide, first_shown,
};
use crate::doctor::faults::{Fault, FaultKind, deed_of_sides};
use crate::doctor::reading::Reading;
use crate::doctor::seeded::Faults;
use crate::game::{Board, Explanation, Position};
use crate::perft::count::Counter;
use crate::perft::suite::Entry;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// How long to look for a position that shows a fault.
const SHOW_LIMIT: Duration = Duration::from_secs(5);

/// The interval between two lines of progress that no terminal shows, in milliseconds.
const LINE_INTERVAL: u64 = 60_000;

/// That of a terminal, where a line takes the place of the one before.
const INTERVAL: Duration = Duration::from_millis(500);

/// The most faults that are listed when the time is up.
const MOST_LISTED: usize = 10;

/// The most pairs that are listed.
const MOST_PAIRS: usize = 5;

/// The most faults that the next total is to tell apart, and the most plies of that total.
const MOST_DECIDED: usize = 8;
const DECIDING_PLIES: u32 = 3;

/// Counts of a suite that are larger are left out if a smaller one is wrong: a walk with faults is slow.
const LARGE: u128 = 1_000_000;

/// `perft DEPTH --expect TOTALS`
pub fn run<B: ProgramGame + Diagnosis>(pos: &Position<B>, options: &PerftOptions, out: &mut Stdout) -> Outcome {
    let (counter, deepest) = (options.counter::<B>()?, options.depth);
    // `20,400` may be one number or two: what is nearest to the right total.
    let right: u128 = total(&counter, pos, deepest)?;
    let distance = |totals: &&Vec<u128>| {
        let last = totals.last().copied().unwrap_or_default();
        let [more, less] = [last.max(right), last.min(right)].map(|n| n.max(1) as f64);
        (1e9 * (more / less).ln()) as u64
    };
    let possible = options.totals.iter().filter(|totals| totals.len() as u32 <= deepest.max(1));
    let totals = possible.min_by_key(distance).ok_or("--expect: there are more totals than depths")?;
    let mut expected = Vec::new();
    for (depth, &theirs) in (deepest + 1 - totals.len() as u32..=deepest).zip(totals) {
        let ours = total(&counter, pos, depth)?;
        expected.push(Expected { position: *pos, depth, theirs, ours });
    }
    let differing: Vec<&Expected<B>> = expected.iter().filter(|e| e.theirs != e.ours).collect();
    writeln!(out, "Nodes searched: {right}")?;
    if differing.is_empty() {
        writeln!(out, "the totals are right")?;
        return Ok(out.flush()?);
    }
    for one in &differing {
        writeln!(out, "depth {}: {} is {}", one.depth, one.theirs, off(one))?;
    }
    out.flush()?;
    if let Some(depth) = other_depth(&counter, pos, deepest, &expected)? {
        writeln!(out, "that is the right total of depth {depth}")?;
        out.flush()?;
        return Err(Failure::Difference);
    }
    let counts = Vec::from_iter(differing.iter().map(|one| (one.ours, one.theirs)));
    match too_few_bits(&counts) {
        Some(bits) => writeln!(out, "that is right modulo 2^{bits}: the type of the count is too small")?,
        None => report(&expected, options, out)?,
    }
    out.flush()?;
    Err(Failure::Difference)
}

/// The depth of which the last total is the right one.
fn other_depth<B: ProgramGame>(
    counter: &Counter,
    pos: &Position<B>,
    depth: u32,
    expected: &[Expected<B>],
) -> Outcome<Option<u32>> {
    let Some(last) = expected.last() else { return Ok(None) };
    // The next depth is counted at once if it has about as many nodes as their total.
    let deeper = depth + 1..depth + 1 + u32::from(last.theirs / 64 < last.ours && last.theirs <= 100 * LARGE);
    for other in (1..depth).rev().chain(deeper) {
        if total::<B, u128>(counter, pos, other)? == last.theirs {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// After `perft --suite`: the fault that gives the counts of `entries`.
pub fn explain_suite<B: ProgramGame + Diagnosis>(
    entries: &[&Entry<B>],
    options: &PerftOptions,
    out: &mut Stdout,
) -> Outcome {
    let counter = options.counter::<B>()?;
    let mut expected = Vec::new();
    for entry in entries {
        for &(depth, theirs) in entry.counts.iter().filter(|count| count.1 <= options.max_nodes) {
            // Of a wrong count nobody knows how large the right one is, but it is not larger by much.
            if depth > 0 && theirs <= options.max_nodes.min(100 * LARGE) {
                let ours = total(&counter, &entry.position, depth)?;
                expected.push(Expected { position: entry.position, depth, theirs, ours });
            }
        }
    }
    let wrong = expected.iter().filter(|one| one.theirs != one.ours);
    let limit = wrong.map(|one| one.ours).min().unwrap_or_default().max(LARGE);
    expected.retain(|one| one.ours <= limit);
    if expected.iter().all(|one| one.theirs == one.ours) {
        writeln!(out, "the counts that are wrong are too large to look for their fault")?;
        return Ok(out.flush()?);
    }
    report(&expected, options, out)
}

/// How long to look for the fault that gives a divide.
const DIVIDE_LIMIT: Duration = Duration::from_secs(20);

/// Names the single faults that give exactly the divide that another program printed, and explains its moves.
pub(super) fn name_divide<B: ProgramGame + Diagnosis>(
    pos: &Position<B>,
    depth: u32,
    theirs: &Reading,
    out: &mut Stdout,
) -> Outcome {
    let mut counts = BTreeMap::new();
    for m in &theirs.moves {
        *counts.entry(m.name.clone()).or_default() += m.count;
    }
    let found = find_by_divide::<B>(pos, depth, &counts, &after(Some(DIVIDE_LIMIT)));
    for one in described::<B>(&found.unwrap_or_default()).iter().take(MOST_LISTED) {
        writeln!(out, "this divide is that of an engine that {}", one.sentence)?;
    }
    Ok(())
}

/// "258 too few"
fn off<B: Board>(one: &Expected<B>) -> String {
    let word = if one.theirs > one.ours { "many" } else { "few" };
    format!("{} too {word}", one.theirs.abs_diff(one.ours))
}

/// Becomes true after a time.
fn after(time: Option<Duration>) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    if let Some(time) = time {
        let flag = flag.clone();
        // Nobody waits for this thread: it ends with the program.
        thread::spawn(move || {
            thread::sleep(time);
            flag.store(true, Ordering::Relaxed);
        });
    }
    flag
}

/// Shows how far the search has come: all the time on a terminal, once a minute elsewhere.
struct Watch {
    progress: Progress,
    last: Mutex<Instant>,
}

impl Watch {
    fn new() -> Self {
        Watch { progress: Progress::new(), last: Mutex::new(Instant::now()) }
    }

    fn show(&self, Stage { engines, depth, done: [done, all] }: Stage) {
        let interval = if self.progress.terminal { INTERVAL } else { patience(LINE_INTERVAL) };
        let mut last = lock(&self.last);
        if last.elapsed() < interval {
            return;
        }
        *last = Instant::now();
        let text = format!("{:3} %  depth {depth}, {engines} faults", 100 * done / all.max(1));
        match self.progress.terminal {
            true => self.progress.show(&text),
            false => print_err(&text),
        }
    }
}

/// Finds the faults and prints them.
fn report<B: ProgramGame + Diagnosis>(expected: &[Expected<B>], options: &PerftOptions, out: &mut Stdout) -> Outcome {
    let (start, watch) = (Instant::now(), Watch::new());
    let stop = after(options.time.map(Duration::from_secs));
    let found = find(expected, options.threads, &stop, &|stage| watch.show(stage));
    watch.progress.clear();
    let Findings { engines, compared: [singles, pairs], chance, far_off, left } = &found;
    let weak = *chance > WEAK;
    let (s, are) = match (expected.len(), weak) {
        (1, false) => ("this total", "is that"),
        (1, true) => ("this total", "may be that"),
        (_, false) => ("these totals", "are those"),
        (_, true) => ("these totals", "may be those"),
    };
    if let Some(left) = left {
        unfinished::<B>(left, found.compared, out)?;
    } else if engines.is_empty() {
        writeln!(out, "none of {singles} single faults and {pairs} pairs gives {s}")?;
        columns(expected, options, out)?;
    }
    let described = described::<B>(engines);
    if *pairs > 0 && !described.is_empty() {
        // A pair is never told as firmly as a single fault.
        writeln!(
            out,
            "no single fault gives {s}; {} of {pairs} pairs of faults do, common faults first:",
            described.len()
        )?;
        described.iter().take(MOST_PAIRS).try_for_each(|pair| writeln!(out, "  {}", pair.sentence))?;
    } else {
        for faults in &described {
            writeln!(out, "{s} {are} of an engine that {}", faults.sentence)?;
            show(expected, faults, out)?;
        }
    }
    if !described.is_empty() {
        evidence(&found, out)?;
        let most = if *pairs > 0 { MOST_PAIRS } else { MOST_DECIDED };
        if described.len() > 1 || weak || *pairs > 0 {
            next_total(expected, &described[..described.len().min(most)], out)?;
        }
    }
    out.flush()?;
    let seconds = start.elapsed().as_secs_f64();
    let far = match far_off {
        0 => String::new(),
        n => format!("; {n} of them are too far off at a smaller depth"),
    };
    print_err(&format!("{seconds:.1} s, {singles} single faults compared{far}, {pairs} pairs"));
    Ok(())
}

/// Says how much the faults that fit are worth.
fn evidence<B: Diagnosis>(found: &Findings<B>, out: &mut Stdout) -> Outcome {
    let [singles, pairs] = found.compared;
    let word = if found.chance > WEAK { "weak evidence" } else { "evidence" };
    let tried =
        if pairs > 0 { format!("{singles} single faults and {pairs} pairs") } else { format!("{singles} faults") };
    let percent = match 100.0 * found.chance {
        low if low < 0.1 => "less than 0.1".into(),
        low if low < 10.0 => format!("{low:.1}"),
        high => format!("{high:.0}"),
    };
    writeln!(out, "{word}: with {tried} tried, one fits such a difference by chance in {percent} % of cases")?;
    Ok(())
}

/// Says which total to give next.
fn next_total<B: ProgramGame + Diagnosis>(
    expected: &[Expected<B>],
    found: &[Described<B>],
    out: &mut Stdout,
) -> Outcome {
    let root = expected[0].position;
    let mut positions = vec![root];
    for entry in suite::<B>(B::STANDARD)?.into_iter().chain(suite::<B>(B::SUITE)?) {
        if B::is_chess960(&entry.position) == B::is_chess960(&root) {
            positions.push(entry.position);
        }
    }
    let known = Vec::from_iter(expected.iter().map(|one| (one.position.to_fen(), one.depth)));
    let given = |pos: &Position<B>, depth| known.contains(&(pos.to_fen(), depth));
    let counts = (1..=DECIDING_PLIES).flat_map(|depth| positions.iter().map(move |pos| (*pos, depth)));
    let counts = counts.filter(|(pos, depth)| !given(pos, *depth));
    let engines = Vec::from_iter(found.iter().map(|one| one.faults.clone()));
    let decided = deciding(&engines, counts, found.len().min(2), &after(Some(SHOW_LIMIT)));
    let Some(Deciding { position, depth, right, totals }) = decided else { return Ok(()) };
    writeln!(out, "to decide, count depth {depth} of {}; {right} is right", position.to_fen())?;
    for (total, one) in totals.iter().zip(found) {
        writeln!(out, "  {total} if it {}", one.sentence)?;
    }
    Ok(())
}

/// Says what is known when the time is up.
fn unfinished<B: ProgramGame + Diagnosis>(
    left: &[Faults<B>],
    [singles, pairs]: [usize; 2],
    out: &mut Stdout,
) -> Outcome {
    let (what, of) = match pairs {
        0 => ("single faults", singles),
        _ => ("pairs", pairs),
    };
    if pairs > 0 {
        writeln!(out, "none of {singles} single faults gives this")?;
    }
    writeln!(out, "the time is up: {} of {of} {what} are not ruled out", left.len())?;
    let described = described::<B>(left);
    if described.len() <= MOST_LISTED {
        for faults in described {
            writeln!(out, "  {}", faults.sentence)?;
        }
    }
    Ok(())
}

/// Engines whose faults are of the same kinds, described together.
struct Described<B: ProgramGame + Diagnosis> {
    faults: Faults<B>,
    sentence: String,
}

/// Describes the engines: faults of both sides before those of one, common ones before rare ones, whole ones before
/// their parts. Where only one side had the chance to show a fault, nobody knows whether the other has it too.
fn described<B: ProgramGame + Diagnosis>(engines: &[Faults<B>]) -> Vec<Described<B>> {
    let mut all: Vec<Described<B>> = Vec::new();
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
            all.push(Described { faults: faults.clone(), sentence });
        }
    }
    all.sort_by_key(|one| {
        let sum = |of: fn(&Fault<B::Fault>) -> usize| one.faults.iter().map(of).sum::<usize>();
        let [one_sided, rare] =
            [sum(|f| f.side.is_some().into()), sum(|f| (!B::Fault::COMMON.contains(&f.kind)).into())];
        (one_sided, rare, Reverse(sum(|f| f.kind.rules().len())))
    });
    all
}

/// Prints the shortest way to a position that shows the fault, in the smallest tree that differs.
fn show<B: ProgramGame + Diagnosis>(expected: &[Expected<B>], described: &Described<B>, out: &mut Stdout) -> Outcome {
    let wrong = expected.iter().filter(|one| one.theirs != one.ours);
    let Some(smallest) = wrong.min_by_key(|one| one.ours) else { return Ok(()) };
    for fault in &described.faults {
        let stop = after(Some(SHOW_LIMIT));
        let found = first_shown(&smallest.position, smallest.depth, &vec![*fault], &stop);
        let Some(shown) = found else { continue };
        let fen = shown.position.to_fen();
        writeln!(out, "  fen: {fen}")?;
        if !shown.path.is_empty() {
            writeln!(out, "  path: {}", shown.path.join(" "))?;
        }
        let (text, explanation) = shown.differs;
        match explanation {
            Some(Explanation { legal, sentence, .. }) => {
                let (what, legal) = if legal { ("missing", "legal") } else { ("extra", "illegal") };
                writeln!(out, "  {what}: {text}, {legal}: {sentence}")?;
            }
            None => writeln!(out, "  twice: {text}")?,
        }
    }
    Ok(())
}

/// Prints the columns of the last ply that are as large as the difference, where no fault fits.
fn columns<B: ProgramGame + Diagnosis>(expected: &[Expected<B>], options: &PerftOptions, out: &mut Stdout) -> Outcome {
    let counter = options.counter::<B>()?;
    for one in expected.iter().filter(|one| one.theirs != one.ours) {
        let columns = total(&counter, &one.position, one.depth)?;
        let names = equal_columns(one.theirs.abs_diff(one.ours), &columns);
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| name.replace('_', " ")).collect();
            let (depth, off) = (one.depth, off(one));
            writeln!(out, "depth {depth}: {off}, the number of {} of the last ply", names.join(", of "))?;
        }
    }
    Ok(())
}
