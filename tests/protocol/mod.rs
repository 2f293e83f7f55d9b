//! Tests of UCI and UCCI over real pipes.

mod dialogue;
mod hostile;
mod pipeline;
mod transport;
mod ucci;
mod uci;
