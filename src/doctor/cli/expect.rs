//! `perft DEPTH --expect TOTALS`: which fault of a move generator gives the totals of another program.
//!
//! `crate::doctor::words` says which; this file counts what is right and prints.

use crate::base::cpu::threads;
use crate::base::lock::lock;
use crate::base::time_limit::time_limit;
use crate::cli::counts::total;
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::expect::Expected;
use crate::doctor::words::{Fitting, faults_of_divide, faults_of_totals, of_totals, read_totals};
use crate::game::Position;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// The interval between two lines of progress that no terminal shows, in milliseconds.
const LINE_INTERVAL: u64 = 60_000;

/// That of a terminal, where a line takes the place of the one before.
const INTERVAL: Duration = Duration::from_millis(500);

/// `perft DEPTH --expect TOTALS`
pub fn run<B: ProgramGame + Diagnosis>(pos: &Position<B>, options: &PerftOptions, out: &mut Stdout) -> CommandResult {
    let (counter, deepest) = (options.counter::<B>()?, options.depth);
    let readings = read_totals(&options.totals).map_err(|reason| format!("--expect: {reason}"))?;
    let found = of_totals(pos, deepest, &readings, &mut |depth| total(&counter, pos, depth))?;
    for line in found.lines {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    if !found.expected.is_empty() {
        report(&found.expected, options, out)?;
    }
    if found.is_right { Ok(()) } else { Err(Failure::Difference) }
}

/// How long to look for the fault that gives a divide.
pub(super) const DIVIDE_LIMIT: Duration = Duration::from_secs(20);

/// Names the single faults that give exactly the divide that another program printed. Returns whether there are any.
pub(super) fn name_divide<B: ProgramGame + Diagnosis>(
    pos: &Position<B>,
    depth: u32,
    counts: &BTreeMap<String, u128>,
    out: &mut Stdout,
) -> Result<bool, Failure> {
    let faults = faults_of_divide(pos, depth, counts, &after(DIVIDE_LIMIT));
    for line in faults.iter().flat_map(Fitting::lines) {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(!faults.is_empty())
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

    fn show(&self, [done, all]: [usize; 2]) {
        let interval = if self.progress.terminal { INTERVAL } else { time_limit(LINE_INTERVAL) };
        let mut last = lock(&self.last);
        if last.elapsed() < interval {
            return;
        }
        *last = Instant::now();
        let text = format!("{:3} %  {done} of {all} faults", 100 * done / all.max(1));
        if self.progress.terminal { self.progress.show(&text) } else { print_err(&text) }
    }
}

/// Finds the faults and prints them.
fn report<B: ProgramGame + Diagnosis>(
    expected: &[Expected<B>],
    options: &PerftOptions,
    out: &mut Stdout,
) -> CommandResult {
    let (start, watch) = (Instant::now(), Watch::new());
    let stop = after(Duration::from_secs(options.time.unwrap_or(60)));
    let found = faults_of_totals(expected, threads(options.threads), &stop, &|done| watch.show(done));
    watch.progress.clear();
    writeln!(out, "{}", found.before)?;
    for line in found.faults.iter().flat_map(Fitting::lines) {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    print_err(&format!("{:.1} s", start.elapsed().as_secs_f64()));
    Ok(())
}

/// Becomes true after a time.
fn after(time: Duration) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    let wait = move || {
        thread::sleep(time);
        set.store(true, Ordering::Relaxed);
    };
    // Nobody waits for this thread: it ends with the program.
    let _ = thread::Builder::new().spawn(wait);
    flag
}
