//! The win model of chess: what a score is worth in games, by the number of men on the board.
//!
//! Fitted to games of the engine against itself by `tests/tools/fit_win_model.py`, which prints the first three
//! constants as they stand here; `tests/tools/notebook/2026-11-win-model.md` says which games they were. To be fitted
//! again whenever the network changes. Called by `protocol` for what it shows; no evaluation and no search may depend
//! on it.

use crate::chess::board::position::Position;
use crate::game::win_model::WinModel;
use std::ops::RangeInclusive;

/// The numbers of men that the games had enough positions of. Others count as the nearest of these.
const MEN: [u32; 2] = [5, 32];
/// The score with which half the games are won: coefficients of the powers of men / 32, from the constant up.
const EVEN: [f64; 4] = [394.08, -962.06, 1055.62, -431.76];
/// How slowly more becomes certain: the same.
const SPREAD: [f64; 4] = [55.08, 12.53, 5.74, -15.45];

/// Where the polynomials may lead; the fit keeps to the same limits.
const EVENS: RangeInclusive<f64> = 25.0..=1000.0;
const SPREADS: RangeInclusive<f64> = 10.0..=1000.0;

/// The model for a position.
pub fn win_model(pos: &Position) -> WinModel {
    with_men(pos.occupied().count())
}

fn with_men(men: u32) -> WinModel {
    let x = f64::from(men.clamp(MEN[0], MEN[1])) / 32.0;
    let at = |coefficients: [f64; 4], limits: RangeInclusive<f64>| {
        let value = coefficients.into_iter().rev().fold(0.0, |sum, c| sum * x + c);
        value.clamp(*limits.start(), *limits.end())
    };
    WinModel { even: at(EVEN, EVENS), spread: at(SPREAD, SPREADS) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    #[test]
    fn half_the_games_are_won_with_100_centipawns() {
        for men in 0..=64 {
            let model = with_men(men);
            assert!(EVENS.contains(&model.even) && SPREADS.contains(&model.spread), "{men}");
            // The whole score next to that of half the games: as near as a step of one can be.
            let even = model.even.round() as i32;
            let [step, share] = [100.0 / model.even, 250.0 / model.spread];
            let [shown, win] = [model.centipawns(even), model.shares(even)[0]];
            assert!(f64::from((shown - 100).abs()) <= 0.5 * step + 0.5, "{men} men: {shown}");
            assert!(f64::from((win - 500).abs()) <= 0.5 * share + 0.5, "{men} men: {win}");
        }
    }

    #[test]
    fn men_beyond_the_games_count_as_the_nearest() {
        for men in 0..=MEN[0] {
            assert_eq!(with_men(men), with_men(MEN[0]));
        }
        for men in MEN[1]..=64 {
            assert_eq!(with_men(men), with_men(MEN[1]));
        }
        let start = Position::from_fen(Position::START_FEN).unwrap();
        assert_eq!(win_model(&start), with_men(32));
    }

    #[test]
    fn the_limits_change_nothing_that_was_fitted() {
        for men in MEN[0]..=MEN[1] {
            let model = with_men(men);
            assert!(*EVENS.start() < model.even && model.even < *EVENS.end(), "{men} men");
            assert!(*SPREADS.start() < model.spread && model.spread < *SPREADS.end(), "{men} men");
        }
    }
}
