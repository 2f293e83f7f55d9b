//! `perft DEPTH --compare FILE|-`: compares our divide with one that another program printed.
//!
//! Reads the text; what is said of it comes from `crate::doctor::words`.

use crate::base::text::decode;
use crate::cli::counts::divide;
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::words::{Fitting, faults_of_divide, of_divide};
use crate::game::Position;

/// Largest input in bytes; a divide has a few hundred lines.
const MAX_BYTES: u64 = 1 << 20;

/// How long to look for the fault that gives the divide.
const LIMIT: Duration = Duration::from_secs(20);

/// Counts, compares and prints the result.
pub fn run<B: ProgramGame + Diagnosis>(pos: &Position<B>, options: &PerftOptions, out: &mut Stdout) -> CommandResult {
    // Read first: the other program may still be counting.
    let (name, theirs) = read_input(&options.file, MAX_BYTES).map_err(|reason| format!("--compare: {reason}"))?;
    let (text, depth, counter) = (decode(&theirs), options.depth, options.counter::<B>()?);
    if text.contains('\0') {
        return Err(format!("--compare: {name}: this is no text; expected lines such as e2e4: 20").into());
    }
    if text.trim().is_empty() {
        return Err(format!("--compare: {name}: there is no text; what a program prints on stderr needs 2>&1").into());
    }
    let found = of_divide(pos, depth, &text, &mut |depth| divide(&counter, pos, depth));
    let found = found.map_err(|reason| format!("--compare: {name}: {reason}"))?;
    if let Some(remark) = found.remark {
        warn(&format!("--compare: {remark}"));
    }
    for line in found.lines {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    if !found.counts.is_empty() {
        let start = Instant::now();
        let faults = faults_of_divide(pos, depth, &found.counts, &|_| start.elapsed() > LIMIT);
        for line in faults.iter().flat_map(Fitting::lines) {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
    }
    if found.is_right { Ok(()) } else { Err(Failure::Difference) }
}
