//! The farm's commands, both modes of `perft`: a count with `--checkpoint`, and `--merge FILE…`. `crate::cli::perft`
//! calls them.

use super::RunError;
use super::checkpoint::Checkpoint;
use super::merge::Merge;
use crate::base::files::path_of;
use crate::base::json::list;
use crate::cli::counts::{self, named_divide};
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::game::{Columns, Position};
use crate::perft::PerftError;
use crate::perft::count::{self, Counter, Divide};
use crate::perft::countable::Countable;
use crate::perft::frontier::Part;
use crate::perft::progress::Watch;
use crate::perft::quantity::{Quantity, total};

/// Counts for `perft DEPTH --checkpoint FILE`, also a part of the run.
pub fn count<B: ProgramGame, Q: Countable<B>>(
    counter: &Counter,
    pos: &Position<B>,
    options: &PerftOptions,
    file: &str,
    watch: &dyn Watch,
) -> Result<Divide<B::Move, Q>, String> {
    let depth = options.depth;
    let checkpoint = Checkpoint::new(path_of(file), format!("{} {depth} {}", B::NAME, pos.to_fen()));
    let what = (options.divide, options.part.unwrap_or(Part::WHOLE));
    super::run(counter, pos, depth, what, &checkpoint, watch).map_err(|fault| match fault {
        RunError::Perft(error @ PerftError::Memory { .. }) if options.hash == 0 => {
            format!("--checkpoint: {error}; --hash MB sets less")
        }
        RunError::Perft(error) => counts::named(error),
        RunError::Checkpoint(reason) => format!("--checkpoint: {reason}"),
    })
}

/// `perft DEPTH --merge FILE…`
pub fn merge(options: &PerftOptions, out: &mut Stdout) -> Outcome {
    match options.stats {
        Some(_) => merge_parts::<Columns<u128>>(options, out),
        None => merge_parts::<u128>(options, out),
    }
}

/// Merges the files, which name the game.
fn merge_parts<Q: Quantity>(options: &PerftOptions, out: &mut Stdout) -> Outcome {
    let paths = Vec::from_iter(options.files.iter().map(|file| path_of(file)));
    let merge = Merge::<Q>::read(&paths).map_err(|reason| format!("--merge: {reason}"))?;
    let name = merge.run.split(' ').next().unwrap_or_default();
    let game = Variant::read(name).map_err(|reason| format!("--merge: {reason}"))?;
    if options.game.is_some_and(|given| given != game) {
        return Err(format!("--game: the files are of {}", quoted(game.name())).into());
    }
    by_game!(game, B => print::<B, Q>(&merge, options, out))
}

/// Prints the sum of all parts of a run, or which are missing.
fn print<B: ProgramGame, Q: Quantity>(merge: &Merge<Q>, options: &PerftOptions, out: &mut Stdout) -> Outcome {
    let fault = |reason: String| Failure::Usage(format!("--merge: {reason}"));
    let mut words = merge.run.splitn(3, ' ').skip(1);
    let (depth, fen) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if depth != options.depth.to_string() {
        return Err(format!("DEPTH: {}, but the files are of depth {depth}", options.depth).into());
    }
    let pos = Position::<B>::from_fen_lenient(fen).map_err(|error| fault(error.to_string()))?.0;
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
    let (sums, moves) = (merge.sums(), pos.legal_moves());
    let depth = options.depth;
    if options.divide && merge.counts != count::counts(&pos, depth, true) {
        return Err("--divide: the parts were counted without --divide".into());
    }
    let total = total(&sums).map_err(|error| fault(error.to_string()))?;
    let moves = moves.into_iter().zip(sums).filter(|_| options.divide && depth > 0).collect();
    let facts = |object: Object| object.raw("parts", merge.of);
    counts::print::<B>(&named_divide(&pos, &Divide { moves, total }), (fen, depth), options, facts, out)?;
    Ok(())
}
