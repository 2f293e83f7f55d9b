//! The rules, tables and evaluation of both games, each compared with something that shares no code with it.
//!
//! One program for a subject, a module for each room of it, here as beside this folder: every program of tests
//! compiles what it uses of the engine again.

#[path = "../common/mod.rs"]
mod common;

// The table maker names the generator of random numbers at the root of its crate.
#[allow(dead_code)]
#[path = "../../src/base/rng.rs"]
mod rng;
#[path = "../../src/tablegen/mod.rs"]
mod tablegen;

mod draws;
mod eval;
mod eval_xiangqi;
mod hostile;
mod invariants;
mod invariants_xiangqi;
mod mutated;
mod repetition_xiangqi;
mod tablebase;
mod tables;
mod tables_xiangqi;
