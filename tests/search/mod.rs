//! Tests of the search of both games through the public engine interface, in this process.

mod chess;
mod cut_off;
mod learning;
mod limits;
mod lines;
mod mates;
pub mod player;
mod tablebase;
mod xiangqi;
