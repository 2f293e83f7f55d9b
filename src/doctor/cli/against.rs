//! `perft DEPTH --against CMD`: compares our divide with another engine's, down to the first position that differs.
//!
//! `crate::doctor::against` finds it; this file starts the engine and prints.

use super::expect::name_divide;
use super::{print_counts, start};
use crate::cli::output::{self, named_divide};
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::against::{Patience, answer_limit, find};
use crate::doctor::diff::Difference;
use crate::game::Position;

/// `perft DEPTH --against "CMD"`
pub fn run<B: ProgramGame + Diagnosis>(pos: &Position<B>, options: &PerftOptions, out: &mut Stdout) -> Outcome {
    let counter = options.counter::<B>()?;
    let with_option = |reason: String| format!("--against: {reason}");
    let patience = Patience { wait: answer_limit(), end: None };
    let peer = start::<B>(&options.command, B::is_chess960(pos), patience).map_err(with_option)?;
    let divide = |pos: &Position<B>, depth| output::divide(&counter, pos, depth);
    let mut peer = peer.divider();
    if B::FIRST_RANKS.len() > 1 {
        let start = Position::<B>::from_fen(B::START_FEN).map_err(|e| e.to_string())?;
        peer.learn_ranks(&start, &divide(&start, 1)?).map_err(with_option)?;
    }
    let ((divide, difference), theirs) = find(pos, options.depth, &mut peer, divide).map_err(with_option)?;
    if options.divide || difference.is_none() {
        output::print_divide(&named_divide(pos, &divide), true, out)?;
    }
    match &difference {
        Some(difference) => {
            print_difference(difference, out)?;
            out.flush()?;
            theirs.map_or(Ok(()), |theirs| name_divide(pos, options.depth, &theirs, out))?;
        }
        None => writeln!(out, "both engines agree")?,
    }
    out.flush()?;
    if difference.is_some() { Err(Failure::Difference) } else { Ok(()) }
}

/// Moves on one line.
fn list<'a>(moves: impl Iterator<Item = &'a String>) -> String {
    let moves: Vec<&str> = moves.map(String::as_str).collect();
    if moves.is_empty() { "none".into() } else { moves.join(" ") }
}

fn print_difference<B: ProgramGame + Diagnosis>(difference: &Difference<B>, out: &mut Stdout) -> io::Result<()> {
    let Difference { position, path, depth, found, explanations } = difference;
    let fen = position.to_fen();
    let [missing, extra] = [&found.missing, &found.extra].map(|list| list.iter().map(|(m, _)| m));
    writeln!(out, "the engines differ, first in this position:\nfen: {fen}")?;
    writeln!(out, "path: {}\ndepth left: {depth}", list(path.iter()))?;
    writeln!(out, "missing there: {}\nextra there: {}", list(missing), list(extra))?;
    for (m, explanation) in explanations {
        let legal = if explanation.legal { "legal" } else { "illegal" };
        writeln!(out, "{m} is {legal}: {explanation}")?;
    }
    if !found.repeated.is_empty() {
        let repeated = list(found.repeated.iter().map(|(m, _)| m));
        writeln!(out, "printed more than once there: {repeated}")?;
    }
    print_counts(found, out)?;
    if found.has_same_moves() && found.total.is_none() && found.too_few_bits().is_none() {
        writeln!(out, "the move lists are identical; the other engine miscounts its own moves")?;
    }
    Ok(())
}
