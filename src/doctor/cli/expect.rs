//! `perft DEPTH --expect TOTALS`: which fault of a move generator gives the totals of another program.
//!
//! `crate::doctor::words` says which; this file counts what is right and prints.

use crate::base::cpu::threads;
use crate::cli::counts::total;
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::words::{Fitting, faults_of_totals, of_totals, read_totals};
use crate::game::Position;

/// `perft DEPTH --expect TOTALS`
pub fn run<B: ProgramGame + Diagnosis>(pos: &Position<B>, options: &PerftOptions, out: &mut Stdout) -> CommandResult {
    let counter = options.counter::<B>()?;
    let totals = read_totals(&options.totals).map_err(|reason| format!("--expect: {reason}"))?;
    let found = of_totals(options.depth, &totals, &mut |depth| total(&counter, pos, depth))
        .map_err(|reason| format!("--expect: {reason}"))?;
    for line in found.lines {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    if !found.expected.is_empty() {
        let (start, progress) = (Instant::now(), Progress::new());
        let limit = Duration::from_secs(options.time.unwrap_or(60));
        let stop = |[done, all]: [usize; 2]| {
            progress.show(&format!("{:3} %  {done} of {all} faults", 100 * done / all));
            start.elapsed() > limit
        };
        let found = faults_of_totals(pos, &found.expected, threads(options.threads), &stop);
        progress.clear();
        writeln!(out, "{}", found.before)?;
        for line in found.faults.iter().flat_map(Fitting::lines) {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
        print_err(&format!("{:.1} s", start.elapsed().as_secs_f64()));
    }
    if found.is_right { Ok(()) } else { Err(Failure::Difference) }
}
