//! The doctor's commands: `check` with its `report` and `page`, and three modes of `perft`, `against`, `compare` and
//! `expect`. They read options, start programs and print; `crate::cli` lists them.

pub mod against;
pub mod check;
pub mod compare;
pub mod expect;
mod page;
mod report;

use super::against::{Patience, Peer};
use super::diff::Differences;
use crate::base::signals;
use crate::cli::prelude::*;

/// Prints what differs besides the lists of moves.
fn print_counts(differences: &Differences, out: &mut Stdout) -> io::Result<()> {
    for (m, ours, theirs) in &differences.differing {
        writeln!(out, "{m}: counted {ours} here, {theirs} there")?;
    }
    for m in &differences.letterless {
        writeln!(out, "{m}: printed without the letter of its promotion, once for all pieces")?;
    }
    if let Some(bits) = differences.too_few_bits() {
        writeln!(out, "modulo 2^{bits} the counts are the same: the type of the other ones is too small")?;
    }
    if let Some((sum, total)) = differences.total {
        writeln!(out, "the total is printed as {total}, but the counts add up to {sum}")?;
    }
    Ok(())
}

/// Starts another engine to compare with, for this game. From now on a signal that ends this program ends it too.
fn start<B: ProgramGame>(command: &str, chess960: bool, patience: Patience) -> Result<Peer, String> {
    signals::end_groups_at_signals();
    let mut peer = Peer::start(command, patience, print_err)?;
    if chess960 {
        peer.set_option("UCI_Chess960", "true")?;
    }
    if B::GAME != Variant::default() {
        peer.set_game(B::NAME)?;
    }
    Ok(peer)
}
