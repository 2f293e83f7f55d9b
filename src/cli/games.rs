//! The standard positions of a game, and its suite of `tabiya check`.

use crate::game::notation::{FenReader, quoted};
use crate::perft::suite::Entry;
use crate::perft::suite_reader;
pub(super) use crate::protocol::games::{Game, Variant, by_game};

/// The positions of the standard suite.
pub(super) fn standard<P: Variant>() -> Result<Vec<Entry<P>>, String> {
    suite_reader::read(P::STANDARD, &FenReader::strict()).map_err(|e| format!("the built-in positions: {e}"))
}

/// The positions of the suite of `tabiya check`.
pub(super) fn diagnosis<P: Variant>() -> Result<Vec<Entry<P>>, String> {
    let mut entries = Vec::new();
    for text in P::DIAGNOSIS {
        let read = suite_reader::read(text, &FenReader::strict());
        entries.extend(read.map_err(|e| format!("the built-in positions: {e}"))?);
    }
    Ok(entries)
}

/// The position given by a FEN or by a name in the standard suite.
pub(super) fn position<P: Variant>(text: &str, reader: &mut FenReader) -> Result<P, String> {
    if text.contains('/') {
        return P::read_fen(text, reader).map_err(|error| error.to_string());
    }
    let standard = standard::<P>()?;
    let named = |entry: &&Entry<P>| entry.title.eq_ignore_ascii_case(text);
    standard.iter().find(named).map(|entry| entry.position).ok_or_else(|| {
        let names: Vec<&str> = standard.iter().map(|entry| entry.title.as_str()).collect();
        format!("{} is neither a FEN nor one of {}", quoted(text), names.join(", "))
    })
}
