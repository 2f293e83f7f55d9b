//! Tools that make and prove the data of the tests; `README.md` in this folder says which file is whose.
//!
//! Short checks run with all other tests; what takes minutes is ignored and run by its command. The scripts beside
//! this file are for python3 and say how they are called.

#[path = "../common/mod.rs"]
mod common;

mod mates;
