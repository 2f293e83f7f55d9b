//! The win model of chess: how often games are won with a score, by the number of pieces on the board.
//!
//! Fitted to games of the engine against itself by `tests/tools/fit_win_model.py`, which prints the first three
//! constants; `tests/tools/notebook/2026-11-win-model.md` names the games. Fit it again whenever the network changes.
//! Called for the scores that are printed; evaluation and search must not depend on it.

use crate::chess::board::position::Position;
use crate::game::win_model::WinModel;
use std::ops::RangeInclusive;

/// The range of piece counts with enough positions in the games. Counts outside it are clamped.
const PIECES: [u32; 2] = [5, 32];
/// The score with which half the games are won: a polynomial in pieces / 32, the constant term first.
const EVEN: [f64; 4] = [394.08, -962.06, 1055.62, -431.76];
/// The spread of the logistic curve in centipawns: likewise.
const SPREAD: [f64; 4] = [55.08, 12.53, 5.74, -15.45];

/// Limits of the polynomials' values, the same as in the fit.
const EVENS: RangeInclusive<f64> = 25.0..=1000.0;
const SPREADS: RangeInclusive<f64> = 10.0..=1000.0;

/// The model for a position.
pub fn win_model(pos: &Position) -> WinModel {
    with_pieces(pos.occupied().count())
}

fn with_pieces(pieces: u32) -> WinModel {
    let x = f64::from(pieces.clamp(PIECES[0], PIECES[1])) / 32.0;
    let at = |coefficients: [f64; 4], limits: RangeInclusive<f64>| {
        let value = coefficients.into_iter().rev().fold(0.0, |sum, c| sum * x + c);
        value.clamp(*limits.start(), *limits.end())
    };
    WinModel { even: at(EVEN, EVENS), spread: at(SPREAD, SPREADS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_games_are_won_with_100_centipawns() {
        for pieces in 0..=64 {
            let model = with_pieces(pieces);
            assert!(EVENS.contains(&model.even) && SPREADS.contains(&model.spread), "{pieces}");
            // Scores are whole numbers, so the nearest one is off by at most half a step.
            let even = model.even.round() as i32;
            let [step, share] = [100.0 / model.even, 250.0 / model.spread];
            let [shown, win] = [model.centipawns(even), model.shares(even)[0]];
            assert!(f64::from((shown - 100).abs()) <= 0.5 * step + 0.5, "{pieces} pieces: {shown}");
            assert!(f64::from((win - 500).abs()) <= 0.5 * share + 0.5, "{pieces} pieces: {win}");
        }
    }

    #[test]
    fn piece_counts_are_clamped() {
        for pieces in 0..=PIECES[0] {
            assert_eq!(with_pieces(pieces), with_pieces(PIECES[0]));
        }
        for pieces in PIECES[1]..=64 {
            assert_eq!(with_pieces(pieces), with_pieces(PIECES[1]));
        }
        let start = Position::from_fen(Position::START_FEN).unwrap();
        assert_eq!(win_model(&start), with_pieces(32));
    }

    #[test]
    fn the_limits_change_nothing_that_was_fitted() {
        for pieces in PIECES[0]..=PIECES[1] {
            let model = with_pieces(pieces);
            assert!(*EVENS.start() < model.even && model.even < *EVENS.end(), "{pieces} pieces");
            assert!(
                *SPREADS.start() < model.spread && model.spread < *SPREADS.end(),
                "{pieces} pieces"
            );
        }
    }
}
