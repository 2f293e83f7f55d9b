//! The standard positions of a game, and its suite of `tabiya check`.

use super::failure::print_err;
use crate::base::signals;
use crate::game::notation::{FenReader, quoted};
use crate::perft::against::{Patience, Peer};
use crate::perft::suite::Entry;
use crate::perft::suite_reader;
pub(super) use crate::protocol::games::{Game, Variant, by_game};

/// The positions of a built-in suite, [`Variant::STANDARD`] or [`Variant::DIAGNOSIS`].
pub(super) fn suite<P: Variant>(texts: &[&str]) -> Result<Vec<Entry<P>>, String> {
    suite_reader::read(&texts.concat(), &FenReader::strict()).map_err(|e| format!("the built-in positions: {e}"))
}

/// Starts another engine to compare with, for this game. From now on a signal that ends this program ends it too.
pub(super) fn start<P: Variant>(command: &str, chess960: bool, patience: Patience) -> Result<Peer, String> {
    signals::end_groups_at_signals();
    let mut peer = Peer::start(command, patience, print_err)?;
    if chess960 {
        peer.set_option("UCI_Chess960", "true")?;
    }
    if P::GAME != Game::default() {
        peer.set_option("UCI_Variant", P::NAME)?;
    }
    Ok(peer)
}

/// The position given by a FEN or by a name in the standard suite.
pub(super) fn position<P: Variant>(text: &str, reader: &mut FenReader) -> Result<P, String> {
    if text.contains('/') {
        return P::read_fen(text, reader).map_err(|error| error.to_string());
    }
    let standard = suite::<P>(P::STANDARD)?;
    let named = |entry: &&Entry<P>| entry.title.eq_ignore_ascii_case(text);
    standard.iter().find(named).map(|entry| entry.position).ok_or_else(|| {
        let names: Vec<&str> = standard.iter().map(|entry| entry.title.as_str()).collect();
        format!("{} is neither a FEN nor one of {}", quoted(text), names.join(", "))
    })
}
