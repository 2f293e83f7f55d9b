//! `perft DEPTH --compare FILE|-`: compares our divide with one that another program printed.
//!
//! Reads the text and prints the differences that `crate::doctor::compare` finds.

use super::print_counts;
use crate::base::text::decode;
use crate::cli::output::divide;
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::compare::compare_text;
use crate::game::Position;

/// Largest input in bytes; a divide has a few hundred lines.
const MAX_BYTES: u64 = 1 << 20;

/// Counts, compares and prints the result.
pub fn run<B: ProgramGame + Diagnosis>(pos: &Position<B>, options: &PerftOptions, out: &mut Stdout) -> Outcome {
    // Read first: the other program may still be counting.
    let (name, theirs) = read_input(&options.file, MAX_BYTES).map_err(|reason| format!("--compare: {reason}"))?;
    let ours = &divide::<B, u128>(&options.counter::<B>()?, pos, options.depth)?;
    let compared = compare_text(pos, ours, &decode(&theirs));
    let (differences, begins) = compared.map_err(|reason| format!("--compare: {name}: {reason}"))?;
    if let Some(line) = begins {
        let remark = format!("the input has several divides; using the last one, from line {line}");
        warn(&format!("--compare: {remark}"));
    }
    if differences.is_empty() {
        writeln!(out, "Nodes searched: {}\nboth divides agree", ours.total)?;
        return Ok(out.flush()?);
    }
    writeln!(out, "the divides differ in this position:\nfen: {}", pos.to_fen())?;
    for (m, count) in &differences.missing {
        writeln!(out, "{m}: missing there, counted {count} here")?;
    }
    for (m, count) in &differences.extra {
        writeln!(out, "{m}: not legal here, counted {count} there")?;
    }
    for (m, lines) in &differences.repeated {
        let times = if lines.len() == 2 { "twice".into() } else { format!("{} times", lines.len()) };
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        writeln!(out, "{m}: printed {times}, on lines {}", lines.join(" "))?;
    }
    print_counts(&differences, out)?;
    out.flush()?;
    Err(Failure::Difference)
}
