//! Tests of the rules, tables and evaluation of both games, each against an oracle that shares no code with it.
//!
//! One test program for each subject, with a module for each part of it: every test program compiles the generic
//! code that it uses again.

#[path = "../common/mod.rs"]
mod common;

// `tablegen` expects the random number generator at the root of its crate.
#[allow(dead_code)]
#[path = "../../src/base/rng.rs"]
mod rng;
#[path = "../../src/tablegen/mod.rs"]
mod tablegen;

mod draws;
mod eval;
mod fens_xiangqi;
mod hostile;
mod invariants;
mod library;
mod mailbox;
mod moves_xiangqi;
mod mutated;
mod notations;
mod repetition_xiangqi;
mod tablebase;
mod tables;
mod tables_xiangqi;
