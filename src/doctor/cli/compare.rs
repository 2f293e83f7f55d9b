//! `perft DEPTH --compare FILE|-`: compares our divide with one that another program printed.
//!
//! Reads the text and prints the differences that `crate::doctor::reading` and `diff` find.

use super::expect::name_divide;
use super::print_counts;
use crate::base::text::decode;
use crate::cli::output::divide;
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::diff::Differences;
use crate::doctor::reading::{Habits, Reading, read};
use crate::game::Position;

/// Largest input in bytes; a divide has a few hundred lines.
const MAX_BYTES: u64 = 1 << 20;

/// A deeper divide is tried too if ours has at most so many nodes.
const FEW_NODES: u128 = 10_000_000;

/// Counts, compares and prints the result.
pub fn run<B: ProgramGame + Diagnosis>(pos: &Position<B>, options: &PerftOptions, out: &mut Stdout) -> Outcome {
    // Read first: the other program may still be counting.
    let (name, theirs) = read_input(&options.file, MAX_BYTES).map_err(|reason| format!("--compare: {reason}"))?;
    let (text, depth, counter) = (decode(&theirs), options.depth, options.counter::<B>()?);
    if text.contains('\0') {
        return Err(format!("--compare: {name}: this is no text; expected lines such as e2e4: 20").into());
    }
    if text.trim().is_empty() {
        return Err(format!("--compare: {name}: there is no text; what a program prints on stderr needs 2>&1").into());
    }
    // The text, read as a divide of so many plies, and how it differs.
    let compared = |depth| {
        let ours = divide::<B, u128>(&counter, pos, depth)?;
        let theirs = read(pos, &ours, &text, &mut Habits::default());
        let differences = theirs.as_ref().map(|theirs| Differences::of(pos, &ours, theirs)).unwrap_or_default();
        Ok::<_, String>((ours.total, theirs, differences))
    };
    let (total, theirs, differences) = compared(depth)?;
    if theirs.is_err() || !differences.is_empty() {
        let deeper = depth + 1..depth + 1 + u32::from(total <= FEW_NODES);
        for other in (1..depth).rev().chain(deeper) {
            let (_, theirs, differences) = compared(other)?;
            if theirs.is_ok_and(|theirs| !theirs.moves.is_empty()) && differences.is_empty() {
                writeln!(out, "these are the right counts of depth {other}, not of depth {depth}")?;
                out.flush()?;
                return Err(Failure::Difference);
            }
        }
    }
    let theirs = theirs.map_err(|reason| format!("--compare: {name}: {reason}"))?;
    let Reading { moves, begins, unclear_total, .. } = &theirs;
    if let Some(line) = begins {
        let remark = format!("the input has several divides; using the last one, from line {line}");
        warn(&format!("--compare: {remark}"));
    }
    let legal = moves.iter().filter(|m| m.legal).count();
    if 2 * legal < moves.len() {
        let all = moves.len();
        writeln!(out, "the divide is of another position: of its {all} moves {legal} are legal here")?;
        writeln!(out, "fen: {}", pos.to_fen())?;
        out.flush()?;
        return Err(Failure::Difference);
    }
    if differences.is_empty() {
        if let Some(line) = unclear_total {
            let reason = "what the total is cannot be decided; expected one, as in Nodes searched: 400";
            return Err(format!("--compare: {name}: the counts agree, but on line {line}, {reason}").into());
        }
        writeln!(out, "Nodes searched: {total}\nboth divides agree")?;
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
    for (m, _) in differences.missing.iter().chain(&differences.extra) {
        if let Ok(explanation) = B::explain(pos, m, &[]) {
            let legal = if explanation.legal { "legal" } else { "illegal" };
            writeln!(out, "{m} is {legal}: {explanation}")?;
        }
    }
    out.flush()?;
    name_divide(pos, depth, &theirs, out)?;
    out.flush()?;
    Err(Failure::Difference)
}
