//! The win, draw and loss shares expected at a score: [`WinModel`], two parameters that depend on the number of
//! pieces, and [`FittedModel`], the polynomials that give them.
//!
//! Each game has the coefficients in its `eval/win_model.rs`. The protocols use the model to show WDL shares and
//! scores. The search must not use it: its scores are those of the evaluation. The model does not apply to decided
//! scores (mates and the like); callers must handle those separately.

/// A side with score `s` wins with probability `1 / (1 + exp((even − s) / spread))`, loses with the same probability
/// for `−s`, and draws otherwise. Both parameters are above 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinModel {
    /// The score at which half the games are won, in centipawns of the evaluation.
    pub even: f64,
    /// The width of the transition, in centipawns: a larger value means a flatter curve.
    pub spread: f64,
}

impl WinModel {
    /// The expected wins, draws and losses per mille.
    pub fn shares(&self, score: i32) -> [i32; 3] {
        let share = |s: f64| (1000.0 / (1.0 + ((self.even - s) / self.spread).exp())).round() as i32;
        let (win, loss) = (share(f64::from(score)), share(-f64::from(score)));
        // The draw share is never negative: rounding could raise the sum of win and loss to 1001 only if it were 1000
        // before, and `even > 0` keeps it below that.
        [win, 1000 - win - loss, loss]
    }

    /// The centipawns to show for a score: 100 means that half the games are won.
    pub fn centipawns(&self, score: i32) -> i32 {
        (100.0 * f64::from(score) / self.even).round() as i32
    }

    /// The score closest to the shown `centipawns`.
    pub fn score(&self, centipawns: i32) -> i32 {
        (f64::from(centipawns) * self.even / 100.0).round() as i32
    }
}

/// The win models of a game, as `tests/tools/fit_win_model.py` prints them.
#[derive(Debug)]
pub struct FittedModel {
    /// The range of piece counts with enough positions in the games. Counts outside it are clamped.
    pub pieces: [u32; 2],
    /// [`WinModel::even`]: a polynomial in pieces / 32, the constant term first.
    pub even: [f64; 4],
    /// [`WinModel::spread`]: likewise.
    pub spread: [f64; 4],
}

impl FittedModel {
    /// The model for a number of pieces on the board, kings included.
    pub fn with_pieces(&self, pieces: u32) -> WinModel {
        let x = f64::from(pieces.clamp(self.pieces[0], self.pieces[1])) / 32.0;
        let at = |coefficients: [f64; 4]| coefficients.into_iter().rev().fold(0.0, |sum, c| sum * x + c);
        WinModel { even: at(self.even), spread: at(self.spread) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Models with extreme and ordinary parameters.
    fn models() -> impl Iterator<Item = WinModel> {
        [1.0, 25.0, 50.3, 99.9, 100.0, 217.4, 1000.0]
            .into_iter()
            .flat_map(|even| [1.0, 17.7, 75.0, 211.0, 1000.0].map(|spread| WinModel { even, spread }))
    }

    #[test]
    fn shares_are_symmetric_and_sum_to_a_thousand() {
        for model in models() {
            for score in (0..400).chain((400..20_000).step_by(97)) {
                let [win, draw, loss] = model.shares(score);
                assert_eq!(win + draw + loss, 1000, "{model:?} {score}");
                assert!(win >= loss && loss >= 0 && draw >= 0, "{model:?} {score}");
                assert_eq!(model.shares(-score), [loss, draw, win], "{model:?} {score}");
            }
        }
    }

    #[test]
    fn shares_and_centipawns_grow_with_the_score() {
        for model in models() {
            for pair in (-3_000..=3_000).collect::<Vec<_>>().windows(2) {
                let [before, after] = [pair[0], pair[1]].map(|score| model.shares(score));
                assert!(before[0] <= after[0] && before[2] >= after[2], "{model:?} {pair:?}");
                assert!(model.centipawns(pair[0]) <= model.centipawns(pair[1]), "{model:?} {pair:?}");
            }
        }
    }

    #[test]
    fn half_the_games_are_won_with_100_centipawns() {
        for model in models().filter(|model| model.even.fract() == 0.0 && model.spread > 1.0) {
            let even = model.even as i32;
            assert_eq!((model.shares(even)[0], model.centipawns(even)), (500, 100), "{model:?}");
            assert_eq!(model.score(100), even, "{model:?}");
        }
    }

    #[test]
    fn centipawns_round_trip() {
        for model in models() {
            // The rounding error of the coarser scale.
            let coarse = (100.0 / model.even).max(model.even / 100.0) / 2.0 + 0.5;
            for number in -2_000..=2_000 {
                let shown = model.centipawns(model.score(number));
                let score = model.score(model.centipawns(number));
                assert!(f64::from((shown - number).abs()) <= coarse, "{model:?} {number}");
                assert!(f64::from((score - number).abs()) <= coarse, "{model:?} {number}");
                if model.even >= 100.0 {
                    assert_eq!(shown, number, "{model:?}");
                } else {
                    assert_eq!(score, number, "{model:?}");
                }
                assert_eq!(model.centipawns(-number), -model.centipawns(number), "{model:?}");
                assert_eq!(model.score(-number), -model.score(number), "{model:?}");
            }
            for extreme in [i32::MIN, i32::MAX] {
                let (shown, score) = (model.centipawns(extreme), model.score(extreme));
                assert_eq!((shown.signum(), score.signum()), (extreme.signum(), extreme.signum()));
            }
        }
    }
}
