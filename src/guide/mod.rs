//! The manual: pages that are longer than the README has room for. Nothing here is code.
//!
//! The pages are Markdown files in `src/guide`. Their transcripts are run by `tests/program/transcripts.rs`, the
//! commands of [`deep_perft`] by `tests/cluster/run.sh`, the program of [`c_and_web`] by `.ci/run c`. How the counter
//! works is described in [`crate::chess::perft`].

#[doc = include_str!("perft.md")]
pub mod perft {}

#[doc = include_str!("find_bugs.md")]
pub mod find_bugs {}

#[doc = include_str!("deep_perft.md")]
pub mod deep_perft {}

#[doc = include_str!("speed.md")]
pub mod speed {}

#[doc = include_str!("libraries.md")]
pub mod libraries {}

#[doc = include_str!("playing.md")]
pub mod playing {}

#[doc = include_str!("c_and_web.md")]
pub mod c_and_web {}

#[doc = include_str!("formats.md")]
pub mod formats {}
