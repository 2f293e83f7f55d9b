//! The network of xiangqi. The head of `game::network` explains its file, `inputs` its inputs.
//!
//! `tests/tools/README.md` says how it was made.

use super::inputs;

crate::game::network::compile_in!("xiangqi", "XIANGQI", inputs::SETS * inputs::INPUTS);
