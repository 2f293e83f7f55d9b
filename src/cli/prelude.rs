//! What nearly every command uses: how it fails, the games, input, JSON, progress, and output.

pub(super) use super::failure::{Failure, Outcome, print_err, warn};
pub(super) use super::games::{Game, Variant, by_game};
pub(super) use super::input::{read_input, shown};
pub(super) use super::json::Object;
pub(super) use super::progress::{Progress, mnps};
pub(super) use crate::game::notation::quoted;
pub(super) use std::io::{self, Stdout, Write};
pub(super) use std::time::{Duration, Instant};
