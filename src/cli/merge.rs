//! `tabiya perft DEPTH --merge FILE…`: the sum of all parts of a run.
//!
//! `crate::perft::merge` reads the files.

use super::json::list;
use super::output::{self, named_divide};
use super::perft_options::Options;
use super::prelude::*;
use crate::perft::count::Divide;
use crate::perft::merge::Merge;
use crate::perft::quantity::Quantity;

/// Runs `perft DEPTH --merge FILE…`.
pub(super) fn run<P: Variant, Q: Quantity>(merge: &Merge<Q>, options: &Options, out: &mut Stdout) -> Outcome {
    let fault = |reason: String| Failure::Usage(format!("--merge: {reason}"));
    let mut words = merge.run.splitn(3, ' ').skip(1);
    let (depth, fen) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if depth != options.depth.to_string() {
        return Err(format!("DEPTH: {}, but the files are of depth {depth}", options.depth).into());
    }
    let pos = P::from_fen_lenient(fen).map_err(|error| fault(error.to_string()))?.0;
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
            "tabiya: {lack} of {of} parts are missing or not finished; to count one: tabiya perft {depth} \
             --part {first}/{of} --checkpoint FILE, with the other options of the other parts",
        ));
        return Err(Failure::Difference);
    }
    let (sums, moves) = (merge.sums(), pos.legal_moves());
    let (roots, depth) = (moves.len(), options.depth);
    if options.divide && merge.counts != roots && depth > 0 {
        return Err("--divide: the parts were counted without --divide".into());
    }
    let mut total = Q::default();
    sums.iter().for_each(|&sum| total.add(sum));
    let total = total.exact().map_err(|error| fault(error.to_string()))?;
    let moves = moves.into_iter().zip(sums).filter(|_| options.divide && depth > 0).collect();
    let facts = |object: Object| object.raw("parts", merge.of);
    output::print::<P>(&named_divide(&pos, &Divide { moves, total }), (fen, depth), options, facts, out)?;
    Ok(())
}
