//! The farm's commands, both modes of `perft`: a count with `--checkpoint`, and `--merge FILE…`. `crate::cli::perft`
//! calls them.

use super::checkpoint::Checkpoint;
use super::merge::Merge;
use super::recorder::{Found, Recorder, width};
use crate::base::files::path_of;
use crate::base::json::list;
use crate::base::text::counted;
use crate::cli::counts::{self, named_divide};
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::cli::progress_line::reporter;
use crate::game::{Columns, Position};
use crate::perft::PerftError;
use crate::perft::count::Counter;
use crate::perft::run::{Divide, Finished, Ledger, Part, Task};
use std::sync::Once;

/// Counts for `perft DEPTH --checkpoint FILE`, also a part of the run: saves what is counted, and takes from the file
/// what an earlier run has counted.
pub fn count<B: ProgramGame>(
    counter: &Counter,
    pos: &Position<B>,
    task: &Task,
    options: &PerftOptions,
    file: &str,
) -> Result<Divide<B::Move, Columns<u128>>, String> {
    let named = |error| match error {
        PerftError::Memory { .. } if options.hash == 0 => format!("--checkpoint: {error}; --hash MB sets less"),
        error => counts::named(error),
    };
    counter.check(task.depth).map_err(named)?;
    let Task { depth, statistics, part: Part { index, of }, .. } = *task;
    let (counts, columns) = (task.counts(pos), width(statistics));
    let (part, seed, memory) = (index + 1, counter.seed, counter.memory());
    let fields = format!("columns={columns}\tcounts={counts}\tseed={seed}\tpart={part}/{of}\tmemory={memory}");
    let checkpoint = Checkpoint::new(path_of(file), format!("{} {depth} {}", B::NAME, pos.to_fen()));
    let mut found = Found::new(counts, statistics);
    let saved = checkpoint.open(&fields, |run, line| found.read(run, line));
    let saved = saved.map_err(|reason| format!("--checkpoint: {reason}"))?;
    if saved.torn {
        warn("the last line of the checkpoint is incomplete; its unit is counted again");
    }
    let Found { known, sums, total, .. } = found;
    let known_units = known.len();
    if let Some(total) = total {
        // A run of few plies has no units.
        print_resumed(known_units.max(1), known_units.max(1));
        return task.result(pos, total).map_err(named);
    }
    let (recorder, reporter, resumed) = (Recorder::new(saved, statistics, warn), reporter(), Once::new());
    let record = |unit: usize, counts: &[Columns<u128>]| recorder.record(unit, counts);
    let poll = |finished: Finished| {
        if finished.of > 0 {
            resumed.call_once(|| print_resumed(known_units, finished.of));
        }
        reporter.poll(finished)
    };
    let ledger = Ledger::new(known, sums, &record, &poll);
    let count = || -> Result<_, PerftError> {
        counter.count_into(pos, task, &ledger)?;
        let sums = ledger.into_sums()?;
        Ok((task.result(pos, sums.clone())?, sums))
    };
    match count() {
        Err(error) => {
            recorder.discard();
            Err(named(error))
        }
        Ok((divide, sums)) => match recorder.finish(&sums) {
            // The file is the result of a part.
            Err(reason) if task.part != Part::WHOLE => Err(format!("--checkpoint: {reason}")),
            Err(reason) => {
                warn(&reason);
                Ok(divide)
            }
            Ok(()) => Ok(divide),
        },
    }
}

/// Says with how many of about `all` units a run starts.
fn print_resumed(done: usize, all: usize) {
    let units = counted(all, "unit");
    if done == 0 {
        return print_err(&format!("new checkpoint: {units} to count"));
    }
    let percent = 100.0 * done as f64 / all.max(1) as f64;
    print_err(&format!("resuming from the checkpoint: {done} of {units} counted ({percent:.1} %)"));
}

/// `perft DEPTH --merge FILE…`; the files name the game.
pub fn merge(options: &PerftOptions, out: &mut Stdout) -> CommandResult {
    let paths = Vec::from_iter(options.files.iter().map(|file| path_of(file)));
    let merge = Merge::read(&paths, options.stats.is_some()).map_err(|reason| format!("--merge: {reason}"))?;
    let name = merge.run.split(' ').next().unwrap_or_default();
    let game = Variant::read(name).map_err(|reason| format!("--merge: {reason}"))?;
    if options.game.is_some_and(|given| given != game) {
        return Err(format!("--game: the files are of {}", quoted(game.name())).into());
    }
    by_game!(game, B => print::<B>(&merge, options, out))
}

/// Prints the sum of all parts of a run, or which are missing.
fn print<B: ProgramGame>(merge: &Merge, options: &PerftOptions, out: &mut Stdout) -> CommandResult {
    let usage = |reason: String| Failure::Usage(format!("--merge: {reason}"));
    let mut words = merge.run.splitn(3, ' ').skip(1);
    let (depth, fen) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if depth != options.depth.to_string() {
        return Err(format!("DEPTH: {}, but the files are of depth {depth}", options.depth).into());
    }
    let pos = Position::<B>::from_fen_lenient(fen).map_err(|error| usage(error.to_string()))?.0;
    let missing = merge.missing();
    if !missing.is_empty() {
        if options.json {
            writeln!(out, "{}", Object::new().raw("parts", merge.of).raw("missing", list(missing.iter())))?;
        } else {
            let parts = Vec::from_iter(missing.iter().map(|number| format!("{number}/{}", merge.of)));
            writeln!(out, "missing: {}", parts.join(" "))?;
        }
        out.flush()?;
        let (lack, of, first) = (missing.len(), merge.of, missing[0]);
        print_err(&format!(
            "tabiya: parts missing or not finished: {lack} of {of}; to count one: tabiya perft {depth} \
             --part {first}/{of} --checkpoint FILE, with the other options of the other parts",
        ));
        return Err(Failure::Difference);
    }
    let depth = options.depth;
    let task = Task { divide: options.divide, ..Task::nodes(depth) };
    if options.divide && merge.counts != task.counts(&pos) {
        return Err("--divide: the parts were counted without --divide".into());
    }
    let divide = task.result(&pos, merge.sums()).map_err(|error| usage(error.to_string()))?;
    let facts = |object: Object| object.raw("parts", merge.of);
    counts::print::<B>(&named_divide(&pos, &divide), (fen, depth), options, facts, out)?;
    Ok(())
}
