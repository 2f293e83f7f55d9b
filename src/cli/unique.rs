//! `tabiya perft DEPTH --unique`: distinct positions after each ply, a row as soon as its ply is counted.
//!
//! `crate::perft::frontier` does the counting.

use super::perft_options::PerftOptions;
use super::prelude::*;
use crate::base::json::list;
use crate::base::pages::available_megabytes;
use crate::game::{HashWords, Position};
use crate::perft::count::Counter;
use crate::perft::frontier::{Frontier, MIN_MEGABYTES, Row, Stop};

/// Assumed free memory in megabytes where the system does not report it.
const UNKNOWN_MEGABYTES: usize = 2048;

/// The memory limit in megabytes: the value of `--memory`, by default half of the free memory.
fn memory(options: &PerftOptions) -> CommandResult<usize> {
    let free = available_megabytes();
    let half = (free.unwrap_or(UNKNOWN_MEGABYTES) / 2).max(MIN_MEGABYTES);
    let memory = options.memory.unwrap_or(half);
    if let Some(free) = free
        && memory > free
    {
        let option = if options.memory.is_some() { "--memory" } else { "--unique" };
        return Err(format!("{option}: {memory} MB requested, but only {free} MB are free").into());
    }
    Ok(memory)
}

/// Runs `perft DEPTH --unique` from `root`.
pub(super) fn run<B: ProgramGame>(root: &Position<B>, options: &PerftOptions, out: &mut Stdout) -> CommandResult {
    let Counter { threads, kernel, seed, .. } = options.counter::<B>()?;
    let megabytes = memory(options)?;
    let (depth, json) = (options.depth, options.json);
    let begin = Instant::now();
    let mut rows: Vec<Row> = Vec::new();
    if !json {
        writeln!(out, "{:>3}  {:>20}  {:>30}", "ply", "distinct positions", "sequences")?;
        out.flush()?;
    }
    let mut written = Ok(());
    let memory = megabytes.saturating_mul(1 << 20);
    let frontier = Frontier { root, kernel, threads, memory, words: HashWords::new(seed), is_stopped: &|| false };
    let found = frontier.unique(depth, |row| {
        rows.push(row);
        if !json {
            let line = writeln!(out, "{:>3}  {:>20}  {:>30}", row.ply, row.positions, row.sequences);
            written = line.and_then(|()| out.flush());
        }
        written.is_ok()
    });
    written?;
    found.map_err(|stop| {
        let reason = match stop {
            Stop::Memory(needed) => {
                format!("the next ply needs about {needed} MB of memory, and may use {megabytes} MB")
            }
            Stop::Ways => "too many sequences: 2^55 or more lead to one position".into(),
            Stop::Stopped => "the count was stopped".into(),
        };
        format!("--unique: after ply {}: {reason}", rows.len() - 1)
    })?;
    let seconds = begin.elapsed().as_secs_f64();
    if json {
        let object = Object::new()
            .string("game", B::NAME)
            .string("fen", &root.to_fen())
            .raw("depth", depth)
            .raw("positions", list(rows.iter().map(|row| row.positions)))
            .raw("sequences", list(rows.iter().map(|row| row.sequences)))
            .raw("seconds", format_args!("{seconds:.6}"))
            .raw("threads", threads)
            .raw("memory_mb", megabytes)
            .raw("seed", seed);
        writeln!(out, "{object}")?;
        return Ok(out.flush()?);
    }
    let total = rows.last().map_or(0, |row| row.sequences);
    writeln!(out, "\nNodes searched: {total}")?;
    out.flush()?;
    print_err(&format!("{seconds:.3} s, threads {threads}, memory {megabytes} MB, seed {seed}"));
    Ok(())
}
