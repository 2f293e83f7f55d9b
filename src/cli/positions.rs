//! The standard positions of a game.

use crate::game::Position;
use crate::game::text::fault::quoted;
use crate::game::text::fen::Tolerance;
use crate::perft::suite::Entry;
use crate::perft::suite_reader;
use crate::protocol::games::ProgramGame;

/// The positions of a built-in suite, such as [`ProgramGame::STANDARD`].
pub(crate) fn suite<B: ProgramGame>(texts: &[&str]) -> Result<Vec<Entry<B>>, String> {
    suite_reader::read(&texts.concat(), &Tolerance::strict()).map_err(|e| format!("the built-in positions: {e}"))
}

/// The position given by a FEN or by a name in the standard suite.
pub(crate) fn position<B: ProgramGame>(text: &str, tolerance: &mut Tolerance) -> Result<Position<B>, String> {
    if text.contains('/') {
        return Position::<B>::read_fen(text, tolerance).map_err(|error| error.to_string());
    }
    if text == "startpos" {
        return Position::<B>::from_fen(B::START_FEN).map_err(|error| error.to_string());
    }
    let standard = suite::<B>(B::STANDARD)?;
    if let Some(entry) = standard.iter().find(|entry| entry.title.eq_ignore_ascii_case(text)) {
        return Ok(entry.position);
    }
    let names: Vec<&str> = standard.iter().map(|entry| entry.title.as_str()).collect();
    Err(format!("{} is neither a FEN nor one of {}", quoted(text), names.join(", ")))
}
