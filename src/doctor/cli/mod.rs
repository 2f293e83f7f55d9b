//! The doctor's commands: `check`, and three modes of `perft`, `against`, `compare` and `expect`. They read options,
//! start programs and print; `crate::cli` lists them.

pub mod against;
pub mod check;
pub mod compare;
pub mod expect;

use super::uci_client::{Patience, Peer};
use crate::base::signals;
use crate::cli::prelude::*;

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
