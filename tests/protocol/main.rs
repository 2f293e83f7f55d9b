//! Tests of UCI and UCCI over real pipes.

#[path = "../common/mod.rs"]
mod common;

mod dialogue;
mod hostile;
mod pipeline;
mod transport;
mod ucci;
mod ucci_pipe;
mod uci;

use common::{own, pipe};
