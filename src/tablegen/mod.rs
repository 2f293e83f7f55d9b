//! Table generation: slow walks over the boards (`chess`, `xiangqi`), the bitbase of king and pawn against king
//! (`kpk`) and the opening books (`book`), written as Rust source by `emit`.
//!
//! `build.rs` compiles this folder by path and writes `generated/`. `tests/games/tables.rs` compiles it again to
//! check that the committed files are up to date. It must not import anything from the crate.

pub mod book;
pub mod chess;
mod chess_book;
pub mod emit;
mod kpk;
mod replay;
pub mod xiangqi;
mod xiangqi_book;

/// Name and text of every generated file.
pub fn files() -> Vec<(&'static str, String)> {
    [chess::files(), kpk::files(), book::files(), xiangqi::files()].concat()
}
