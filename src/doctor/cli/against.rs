//! `perft DEPTH --against CMD`: compares our divide with another engine's, down to the first position that differs.
//!
//! `crate::doctor::diff` follows the counts; this file starts the engine and prints.

use super::expect::{DIVIDE_LIMIT, name_divide};
use super::start;
use crate::cli::counts::{self, named_divide};
use crate::cli::perft_options::PerftOptions;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::check::naming::groups;
use crate::doctor::check::{Checker, Task};
use crate::doctor::diff::{Node, Wrong, differences, too_few_bits_of, walk};
use crate::doctor::program::Divider;
use crate::doctor::reading::Reading;
use crate::doctor::uci_client::{Patience, answer_limit};
use crate::doctor::words::wrongs;
use crate::game::{Position, Rules};
use crate::perft::count::Divide;

/// `perft DEPTH --against "CMD"`
pub fn run<B: ProgramGame + Diagnosis>(pos: &Position<B>, options: &PerftOptions, out: &mut Stdout) -> Outcome {
    let counter = options.counter::<B>()?;
    let with_option = |reason: String| format!("--against: {reason}");
    let patience = Patience { wait: answer_limit(), end: None };
    let peer = start::<B>(&options.command, B::is_chess960(pos), patience).map_err(with_option)?;
    let divide = |pos: &Position<B>, depth| counts::divide(&counter, pos, depth);
    let mut peer = peer.divider();
    if B::FIRST_RANKS.len() > 1 {
        let start = Position::<B>::from_fen(B::START_FEN).map_err(|e| e.to_string())?;
        peer.learn_ranks(&start, &divide(&start, 1)?).map_err(with_option)?;
    }
    let ((ours, theirs), node) = find(pos, options.depth, &mut peer, divide).map_err(with_option)?;
    if options.divide || node.is_none() {
        counts::print_divide(&named_divide(pos, &ours), true, out)?;
    }
    let Some(node) = node else {
        writeln!(out, "both engines agree")?;
        return Ok(out.flush()?);
    };
    let (fen, path) = (node.position.to_fen(), node.path());
    let path_text = if path.is_empty() { "none".into() } else { path.join(" ") };
    writeln!(out, "the engines differ, first in this position:\nfen: {fen}\npath: {path_text}")?;
    writeln!(out, "depth left: {}", options.depth as usize - path.len())?;
    for line in wrongs(&node) {
        writeln!(out, "{line}")?;
    }
    let is_count = |(wrong, _): &(Wrong, String)| matches!(wrong, Wrong::Miscounted(..));
    if node.wrong.iter().all(is_count) && too_few_bits_of(&node.wrong).is_none() {
        writeln!(out, "the move lists are identical; the other engine miscounts its own moves")?;
    }
    out.flush()?;
    if !name_divide(pos, options.depth, &theirs.counts(), out)? {
        describe(pos, options.depth, (&ours, &theirs), peer, out)?;
    }
    Err(Failure::Difference)
}

/// Says which faults fit all that is wrong below `root`, whose divides are ours and theirs.
fn describe<B: Diagnosis>(
    root: &Position<B>,
    depth: u32,
    (ours, theirs): (&Divide<B::Move>, &Reading),
    other: Divider<'_>,
    out: &mut Stdout,
) -> Outcome {
    let mut checker = Checker::new(other, Some(Instant::now() + DIVIDE_LIMIT));
    // What has been found before the engine fails, or the time is up, is told.
    let _ = checker.check(&Task { position: *root, depth });
    let counts = theirs.counts();
    let is_right = |&&(m, count): &&(B::Move, u128)| counts.get(root.move_text(m).as_str()) == Some(&count);
    let below = |&(m, _): &(B::Move, u128)| Task { position: root.play_unchecked(m), depth: depth - 1 };
    let agreed = Vec::from_iter(ours.moves.iter().filter(is_right).map(below));
    let positions = checker.found.len() + checker.right.len();
    for deed in groups(&checker.found, &checker.right, &agreed, &[]).into_iter().filter_map(|group| group.deed) {
        writeln!(out, "in {positions} positions compared, what is wrong fits an engine that {deed}")?;
    }
    Ok(out.flush()?)
}

/// Our divide of a position and theirs.
type Both<B> = (Divide<<B as Rules>::Move>, Reading);

/// Divides `root` on both sides and follows differing counts to their cause. Returns both divides of the root, and the
/// first position whose moves are not the same on both sides, if any.
///
/// # Errors
/// If the other engine fails.
fn find<B: Diagnosis>(
    root: &Position<B>,
    depth: u32,
    other: &mut Divider<'_>,
    divide: impl Fn(&Position<B>, u32) -> Result<Divide<B::Move>, String>,
) -> Result<(Both<B>, Option<Node<B>>), String> {
    let (root_fen, mut of_root, mut found) = (root.to_fen(), None, Vec::new());
    let mut ask = |node: &Node<B>, depth| {
        let ours = divide(&node.position, depth)?;
        let theirs = other.divide((&root_fen, &node.path()), &node.position, depth, &ours)?;
        let wrong = differences(&node.position, &ours, &theirs);
        of_root.get_or_insert((ours, theirs));
        Ok::<_, String>(Some(wrong))
    };
    walk(Node::root_of(0, *root), depth, true, &mut ask, &mut found)?;
    let both = match of_root {
        Some(both) => both,
        // There is nothing to ask about.
        None => (divide(root, depth)?, Reading::default()),
    };
    Ok((both, found.pop()))
}
