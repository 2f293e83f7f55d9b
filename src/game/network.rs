//! What a position is to a neural network: the inputs that are on, as each side sees them.
//!
//! Each game names its inputs (`eval/inputs.rs`); networks are trained by `tests/tools/train`. Nothing here
//! knows a weight.

use super::playable::Playable;
use super::side::Side;

/// Most inputs that are ever on for one side: one for each man.
pub const MAX_ACTIVE: usize = 32;

/// A game whose positions can be put before a network of shape (inputs → hidden) × 2 → 1.
pub trait NetworkInputs: Playable {
    /// Inputs of one half of the network: a kind of own or enemy piece on a square.
    const INPUTS: usize;
    /// Hands over the inputs that are on, each below [`NetworkInputs::INPUTS`], as `view` sees the board.
    fn inputs(&self, view: Side, on: impl FnMut(usize));
    /// Men on the board.
    fn men(&self) -> u32;
}
