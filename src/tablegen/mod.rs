//! Table generation: slow walks over the boards (`chess`, `xiangqi`), the bitbase of king and pawn against king
//! (`kpk`), the opening books (`book`) and the trained network (`network`), written as Rust source by `emit`.
//!
//! `build.rs` compiles this folder by path and writes `generated/`. `tests/games/tables.rs` compiles it again to
//! check that the committed files are up to date. It must not import anything from the crate.

pub mod book;
pub mod chess;
mod chess_book;
pub mod emit;
mod kpk;
pub mod network;
mod replay;
pub mod xiangqi;
mod xiangqi_book;

/// Name and text of every generated file.
///
/// # Errors
/// If the network requested by the environment cannot be read.
pub fn files() -> Result<Vec<(&'static str, String)>, String> {
    let network = network::files()?;
    Ok([chess::files(), kpk::files(), network, book::files(), xiangqi::files()].concat())
}
