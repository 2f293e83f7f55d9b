//! The tests that use the crate from outside, in one program: every test program compiles the generic code that it uses
//! again. A test that needs a process of its own starts the program.

mod common;

// `tablegen` expects the random number generator at the root of its crate.
#[allow(dead_code)]
#[path = "../src/base/rng.rs"]
mod rng;
#[path = "../src/tablegen/mod.rs"]
mod tablegen;

mod games;
mod perft;
mod program;
mod protocol;
mod search;
mod tools;
