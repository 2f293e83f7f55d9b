//! The search of both games through the engine's interface, in this process.

#[path = "../common/mod.rs"]
mod common;

mod chess;
mod mates;
mod tablebase;
mod xiangqi;
