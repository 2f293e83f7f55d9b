//! The network of chess. The head of `game::network` explains its file, `inputs` its inputs.
//!
//! `tests/tools/README.md` says how it was made.

use super::inputs;

crate::game::network::compile_in!("chess", "CHESS", inputs::SETS * inputs::INPUTS);
