//! Table generation: slow walks over the boards (`chess`, `xiangqi`), written as Rust source by `emit`.
//!
//! `build.rs` compiles this folder by path and writes `generated/`. `tests/games/tables.rs` compiles it again to
//! check that the committed files are up to date. It must not import anything from the crate.

pub mod chess;
pub mod emit;
pub mod xiangqi;

/// Name and text of every generated file.
pub fn files() -> Vec<(&'static str, String)> {
    [chess::files(), xiangqi::files()].concat()
}
