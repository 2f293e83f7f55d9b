//! The win model of xiangqi: how often games are won at a given score, by the number of pieces on the board.
//!
//! Fitted to games of the engine against itself by `tests/tools/fit_win_model.py`, which prints the constants;
//! `tests/tools/notebook/2026-11-win-model.md` names the games. Fit it again whenever the network changes. Called for
//! the scores that are printed; evaluation and search must not depend on it.

use crate::game::search::win_model::FittedModel;

pub const WIN_MODEL: FittedModel = FittedModel {
    pieces: [7, 32],
    even: [391.94, 14.33, -679.11, 463.06],
    spread: [244.05, -1041.70, 2036.74, -1120.70],
};
