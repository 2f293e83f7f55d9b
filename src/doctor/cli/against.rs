//! `perft DEPTH --against CMD`: compares our divide with another engine's, down to the first position that differs, and
//! says what is wrong there.
//!
//! `crate::doctor::diff` follows the counts, `crate::doctor::finding` examines a difference; this file starts the
//! engine and prints.

use super::check::print_finding;
use super::start;
use crate::cli::counts::{self, named_divide};
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::ask::{Asker, Source};
use crate::doctor::diff::{Node, Wrong, differences, first_difference, too_few_bits_of};
use crate::doctor::finding::finding_of;
use crate::doctor::program::Divider;
use crate::doctor::spot::{Line, Spot};
use crate::doctor::uci_client::{Patience, Peer, answer_limit};
use crate::doctor::walk::Walk;
use crate::doctor::words::wrongs;
use crate::game::{Position, Rules};
use crate::perft::Divide;

/// How long to ask on where the engines differ.
const LIMIT: Duration = Duration::from_secs(10);
/// Deeper counts are not asked about.
const MOST_PLIES: u32 = 4;

/// `perft DEPTH --against "CMD"`, from the position at the end of a line.
pub fn run<B: ProgramGame + Diagnosis>(
    (line, pos): (Line<B>, &Position<B>),
    options: &PerftOptions,
    out: &mut Stdout,
) -> CommandResult {
    let counter = options.counter::<B>()?;
    let with_option = |reason: String| format!("--against: {reason}");
    let wait = options.wait.map_or(answer_limit(), Duration::from_secs);
    let patience = Patience { wait, end: None };
    let start = || start::<B>(&options.command, B::is_chess960(pos), patience).map(Peer::divider);
    let divide = |pos: &Position<B>, depth| counts::divide(&counter, pos, depth);
    let mut peer = start().map_err(with_option)?;
    if B::FIRST_RANKS.len() > 1 {
        let start = Position::<B>::from_fen(B::START_FEN).map_err(|e| e.to_string())?;
        peer.learn_ranks(&start).map_err(with_option)?;
    }
    let plies = line.len();
    let root = Node { before: line, position: *pos, wrong: Vec::new() };
    let (ours, node) = find(root, options.depth, &mut peer, divide).map_err(with_option)?;
    if options.divide || node.is_none() {
        counts::print_divide(&named_divide(pos, &ours), true, out)?;
    }
    let Some(node) = node else {
        writeln!(out, "both engines agree")?;
        return Ok(out.flush()?);
    };
    let (fen, path) = (node.position.to_fen(), node.path().split_off(plies));
    let path_text = if path.is_empty() { "none".into() } else { path.join(" ") };
    let left = options.depth - path.len() as u32;
    writeln!(out, "the engines differ, first in this position:\nfen: {fen}\npath: {path_text}")?;
    writeln!(out, "depth left: {left}")?;
    for line in wrongs(&node) {
        writeln!(out, "{line}")?;
    }
    let is_count = |(wrong, _): &(Wrong, String)| matches!(wrong, Wrong::Miscounted(..));
    if node.wrong.iter().all(is_count) && too_few_bits_of(&node.wrong).is_none() {
        writeln!(out, "the move lists are identical; the other engine miscounts its own moves")?;
    }
    out.flush()?;
    let spot = Spot { root: *node.root(), moves: node.path() };
    let mut asker = Asker::new(Source::Divides(peer, Box::new(start)), wait, Instant::now() + LIMIT);
    let case = Walk::new(&[], LIMIT).descend(&mut asker, &spot, left.min(MOST_PLIES));
    if let Some(case) = case {
        let finding = finding_of(&mut asker, &[], (&vec![case], &[]), Instant::now() + LIMIT);
        print_finding(&finding, "", out)?;
    }
    out.flush()?;
    Err(Failure::Difference)
}

/// Divides `root` on both sides and follows differing counts to their cause. Returns our divide of the root, and the
/// first position whose moves are not the same on both sides, if any.
///
/// # Errors
/// If the other engine fails.
fn find<B: Diagnosis>(
    root: Node<B>,
    depth: u32,
    other: &mut Divider<'_>,
    divide: impl Fn(&Position<B>, u32) -> Result<Divide<<B as Rules>::Move>, String>,
) -> Result<(Divide<B::Move>, Option<Node<B>>), String> {
    let (position, root_fen, mut of_root) = (root.position, root.root().to_fen(), None);
    let mut ask = |node: &Node<B>, depth| {
        let ours = divide(&node.position, depth)?;
        let theirs = other.divide((&root_fen, &node.path()), &node.position, depth)?;
        let wrong = differences(&node.position, &ours, &theirs);
        of_root.get_or_insert(ours);
        Ok::<_, String>(wrong)
    };
    let node = first_difference(root, depth, &mut ask)?;
    // At depth 0 there is nothing to ask about.
    let ours = of_root.map_or_else(|| divide(&position, depth), Ok)?;
    Ok((ours, node))
}
