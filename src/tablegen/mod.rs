//! Table making: slow walks over the boards (`chess`, `xiangqi`), the bitbase of king and pawn against king
//! (`kpk`), the opening books (`book`), the trained network (`network`), and the printing of their results (`emit`).
//!
//! `build.rs` compiles this folder by path and writes `generated/`; `tests/games/tables.rs` compiles it again to
//! see that the committed files are fresh. It must not import anything from the crate.

pub mod book;
pub mod chess;
mod chess_book;
pub mod emit;
mod kpk;
pub mod network;
mod replay;
pub mod xiangqi;
mod xiangqi_book;

/// File name and text of every generated file.
///
/// # Errors
/// If there is no such network as the environment asks for.
pub fn files() -> Result<Vec<(&'static str, String)>, String> {
    let network = network::files()?;
    Ok([chess::files(), kpk::files(), network, book::files(), xiangqi::files()].concat())
}
