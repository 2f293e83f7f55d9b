//! `tabiya perft DEPTH --unique`: distinct positions after each ply, a row as soon as its ply is counted.
//!
//! `crate::perft::unique` does the counting.

use super::json::list;
use super::perft_options::Options;
use super::prelude::*;
use crate::perft::distinct::MIN_MEGABYTES;
use crate::perft::hash_table::available_megabytes;
use crate::perft::unique::{Row, Unique};

/// Assumed free memory in megabytes where the system does not report it.
const UNKNOWN_MEGABYTES: usize = 2048;

/// The memory limit in megabytes: the value of `--memory`, by default half of the free memory.
pub(super) fn memory(options: &Options) -> Outcome<usize> {
    let free = available_megabytes();
    let half = (free.unwrap_or(UNKNOWN_MEGABYTES) / 2).max(MIN_MEGABYTES);
    let memory = options.memory.unwrap_or(half);
    match free {
        Some(free) if memory > free => {
            Err(format!("--memory: {memory} MB requested, but only {free} MB are free").into())
        }
        _ => Ok(memory),
    }
}

/// Runs `perft DEPTH --unique` from `root`.
pub(super) fn run<P: Variant>(root: &P, options: &Options, out: &mut Stdout) -> Outcome {
    let settings = options.settings::<P>()?;
    let memory = memory(options)?;
    let (depth, json) = (options.depth, options.json);
    let begin = Instant::now();
    let watch = Progress::new();
    let (threads, seed) = (settings.threads, settings.seed);
    let keys = P::wide_keys(seed);
    let mut unique = Unique::new(root, &keys, depth, settings, memory);
    let mut rows: Vec<Row> = Vec::new();
    if !json {
        writeln!(out, "{:>3}  {:>20}  {:>30}", "ply", "distinct positions", "sequences")?;
        out.flush()?;
    }
    for ply in 0..=depth {
        let row = unique.row(ply, &watch);
        watch.clear();
        let known = ply.saturating_sub(1);
        let row = row.map_err(|reason| format!("--unique: after {known} plies: {reason}"))?;
        if !json {
            writeln!(out, "{:>3}  {:>20}  {:>30}", row.ply, row.positions, row.sequences)?;
            out.flush()?;
        }
        rows.push(row);
    }
    let seconds = begin.elapsed().as_secs_f64();
    if json {
        let object = Object::new()
            .string("game", P::NAME)
            .string("fen", &root.to_fen())
            .raw("depth", depth)
            .raw("positions", list(rows.iter().map(|row| row.positions)))
            .raw("sequences", list(rows.iter().map(|row| row.sequences)))
            .raw("seconds", format_args!("{seconds:.6}"))
            .raw("threads", threads)
            .raw("memory_mb", memory)
            .raw("seed", seed);
        writeln!(out, "{object}")?;
        return Ok(out.flush()?);
    }
    let total = rows.last().map_or(0, |row| row.sequences);
    writeln!(out, "\nNodes searched: {total}")?;
    out.flush()?;
    print_err(&format!("{seconds:.3} s, threads {threads}, memory {memory} MB, seed {seed}"));
    Ok(())
}
