//! The network of xiangqi. The head of `game::network` explains its file, `inputs` its inputs.
//!
//! `tests/tools/README.md` says how it was made.

use super::inputs;
use crate::game::network::{Network, Rows, has_shape};

/// Inputs of one view.
const INPUTS: usize = inputs::SETS * inputs::INPUTS;

/// The network file. `build.rs` sets the path and has verified its format and checksum.
const FILE: &[u8] = include_bytes!(env!("TABIYA_XIANGQI_NETWORK"));

const _: () = assert!(
    has_shape(FILE, INPUTS),
    concat!(
        "xiangqi network (EVALFILE): expected the inputs of src/xiangqi/eval/inputs.rs and HIDDEN, NEURONS and BUCKETS of ",
        "src/game/network/mod.rs, found ",
        env!("TABIYA_XIANGQI_NETWORK_SHAPE")
    )
);

static ROWS: Rows<INPUTS> = Rows::read(FILE);

/// The network.
pub static NETWORK: Network = Network::read(FILE, &ROWS.0);
