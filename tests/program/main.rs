//! The program as people and scripts use it: its command line, its files, and what the README promises.

#[path = "../common/mod.rs"]
mod common;

mod against;
mod checkpoint;
mod cli;
mod datagen;
mod readme;
mod units;
