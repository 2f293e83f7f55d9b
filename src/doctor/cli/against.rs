//! `perft DEPTH --against CMD`: compares our divide with another engine's, down to the first position that differs, and
//! says what is wrong there.
//!
//! `crate::doctor::walk` follows the counts, `crate::doctor::finding` examines a difference; this file starts the
//! engine and prints.

use super::check::print_finding;
use super::start;
use crate::cli::counts::{self, named_divide};
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::ask::{Asker, Source};
use crate::doctor::diff::sentences;
use crate::doctor::finding::finding_of;
use crate::doctor::spot::{Line, Spot};
use crate::doctor::uci_client::{Patience, Peer, answer_limit};
use crate::doctor::walk::{descend, examine};
use crate::game::Position;

/// How long to ask on where the engines differ.
const LIMIT: Duration = Duration::from_secs(10);
/// A count may take as long as it needs: a year.
const NO_LIMIT: Duration = Duration::from_secs(365 * 24 * 3600);

/// `perft DEPTH --against "CMD"`, from the position at the end of a line.
pub fn run<B: ProgramGame + Diagnosis>(
    (line, pos): (Line<B>, &Position<B>),
    options: &PerftOptions,
    out: &mut Stdout,
) -> CommandResult {
    let (counter, depth) = (options.counter::<B>()?, options.depth);
    let with_option = |reason: String| format!("--against: {reason}");
    let wait = options.wait.map_or(answer_limit(), Duration::from_secs);
    let patience = Patience { wait, end: None };
    let start = || start::<B>(&options.command, B::is_chess960(pos), patience).map(Peer::divider);
    let mut peer = start().map_err(with_option)?;
    if B::FIRST_RANKS.len() > 1 {
        let start = Position::<B>::from_fen(B::START_FEN).map_err(|e| e.to_string())?;
        peer.learn_ranks(&start).map_err(with_option)?;
    }
    let mut asker = Asker::new(Source::Divides(peer, Box::new(start)), NO_LIMIT, Instant::now() + NO_LIMIT);
    let moves = Vec::from_iter(line.iter().map(|(position, m)| position.move_text(*m).to_string()));
    let root = Spot { root: line.first().map_or(*pos, |(root, _)| *root), moves };
    let ours = counts::divide(&counter, pos, depth)?;
    let agrees = if depth == 0 {
        true
    } else {
        let reply = asker.ask(&root, depth).ok_or_else(|| with_option(asker.last_error.clone()))?;
        let is_right = |(m, count): &(B::Move, u128)| reply.count(pos.move_text(*m).as_str()) == *count;
        reply.flaws(pos).is_empty() && reply.total == ours.total && ours.moves.iter().all(is_right)
    };
    if options.divide || agrees {
        counts::print_divide(&named_divide(pos, &ours), true, out)?;
    }
    if agrees {
        writeln!(out, "both engines agree")?;
        return Ok(out.flush()?);
    }
    let (place, left) = descend(&mut asker, &root, depth).ok_or_else(|| with_option(asker.last_error.clone()))?;
    let end = place.end().unwrap_or(*pos);
    let path = place.moves[root.moves.len()..].join(" ");
    let path = if path.is_empty() { "none" } else { &path };
    writeln!(out, "the engines differ, first in this position:\nfen: {}\npath: {path}", end.to_fen())?;
    for line in asker.ask(&place, 1).map_or(Vec::new(), |list| sentences(&place, &list.flaws(&end))) {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    (asker.wait, asker.end) = (wait, Instant::now() + LIMIT);
    if let Some(case) = examine(&mut asker, &place, left) {
        let finding = finding_of(&mut asker, &[], (&vec![case], &[]), Instant::now() + LIMIT);
        print_finding(&finding, "", out)?;
    }
    out.flush()?;
    Err(Failure::Difference)
}
