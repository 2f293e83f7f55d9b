//! The win model of chess: how often games are won at a given score, by the number of pieces on the board.
//!
//! Fitted to games of the engine against itself by `tests/tools/fit_win_model.py`, which prints the constants;
//! `tests/tools/notebook/2026-11-win-model.md` names the games. Fit it again whenever the network changes. Called for
//! the scores that are printed; evaluation and search must not depend on it.

use crate::game::search::win_model::FittedModel;

pub const WIN_MODEL: FittedModel = FittedModel {
    pieces: [5, 32],
    even: [371.30, -896.72, 1077.55, -474.04],
    spread: [128.38, -455.56, 833.22, -439.83],
};
