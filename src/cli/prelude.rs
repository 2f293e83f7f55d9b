//! What nearly every command uses: how it fails, the games, input, JSON, progress, and output.

pub(crate) use super::args::{read_input, shown};
pub(crate) use super::failure::{CommandResult, Failure, print_err, warn};
pub(crate) use super::progress_line::{Progress, mnps};
pub(crate) use crate::base::json::Object;
pub(crate) use crate::game::text::fault::quoted;
pub(crate) use crate::protocol::games::{ProgramGame, Variant, by_game};
pub(crate) use std::io::{self, Stdout, Write};
pub(crate) use std::time::{Duration, Instant};
