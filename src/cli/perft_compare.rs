//! `perft DEPTH --compare FILE|-`: our divide beside one that another program has printed.
//!
//! Called by `perft`; reads the text and prints what `crate::perft::compare` finds.

use super::failure::{Failure, Outcome, warn};
use super::games::Offered;
use super::perft_options::Options;
use super::shown::counter;
use crate::base::text::decode;
use crate::perft::compare::{compare, rank_offset};
use crate::perft::count::Counter;
use crate::perft::printed::{DivideReader, PrintedMove};
use std::io::{Read, Stdout, Write};

/// Most bytes that are read: a divide has a few hundred lines.
const LONGEST: u64 = 16 << 20;

/// Reads the divide in the file `path`, or on stdin if that is `-`.
fn read(path: &str) -> Outcome<Vec<PrintedMove>> {
    let blame = |reason: String| Failure::Usage(format!("--compare: {reason}"));
    // In full: of a path the end matters most.
    let shown = if path == "-" { "stdin".to_string() } else { format!("{path:?}") };
    let mut bytes = Vec::new();
    let mut load = |source: &mut dyn Read| source.take(LONGEST + 1).read_to_end(&mut bytes);
    match path {
        "-" => load(&mut std::io::stdin()),
        _ => std::fs::File::open(path).and_then(|mut file| load(&mut file)),
    }
    .map_err(|error| blame(format!("cannot read {shown}: {error}")))?;
    if bytes.len() as u64 > LONGEST {
        return Err(blame(format!("{shown} has more than {LONGEST} bytes, expected a divide")));
    }
    let printed = DivideReader::read(&decode(&bytes));
    if printed.is_empty() {
        let expected = "expected lines with a move and a count, such as e2e4: 20";
        return Err(blame(format!("{shown} holds no divide; {expected}")));
    }
    Ok(printed)
}

/// Counts, compares, and prints the outcome.
pub(super) fn run<P: Offered>(pos: &P, options: &Options, out: &mut Stdout) -> Outcome {
    // First, as the other program may still be counting.
    let theirs = &read(&options.file)?;
    let counter: Counter<P> = counter(options)?;
    let ours = &counter.divide(pos, options.depth, None, &())?;
    let (differences, begins) = compare(pos, ours, theirs, rank_offset(pos, ours, theirs));
    if let Some(line) = begins {
        let remark = format!("there are several divides; the last one, from line {line}, is read");
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
        let times =
            if lines.len() == 2 { "twice".into() } else { format!("{} times", lines.len()) };
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        writeln!(out, "{m}: printed {times}, on lines {}", lines.join(" "))?;
    }
    for (m, ours, theirs) in &differences.differing {
        writeln!(out, "{m}: counted {ours} here, {theirs} there")?;
    }
    out.flush()?;
    Err(Failure::Difference)
}
