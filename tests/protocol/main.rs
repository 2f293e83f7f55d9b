//! Tests of UCI and UCCI over real pipes.

#[path = "../common/dialogue.rs"]
mod dialogue;
#[path = "../common/own.rs"]
mod own;
#[path = "../common/pipe.rs"]
mod pipe;
#[path = "../common/pipeline.rs"]
mod pipelines;
#[path = "../common/rows.rs"]
mod rows;
#[path = "../common/ucci_pipe.rs"]
mod ucci_pipe;

mod ucci;
mod uci;
