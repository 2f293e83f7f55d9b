//! Table making: slow walks over the board (`chess`) and the printing of their results (`emit`).
//!
//! `build.rs` compiles this folder by path and writes `generated/`; `tests/tables.rs` compiles it again to
//! see that the committed files are fresh. It must not import anything from the crate.

pub mod chess;
pub mod emit;
