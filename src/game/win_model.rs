//! What a score is worth in games: [`WinModel`], two numbers that a game gives for a position.
//!
//! The constants are the games' (`chess/eval/win_model.rs`); the protocols ask for a model through their `Game` and
//! show shares and scores by it. The search must never look here: its scores are those of the evaluation. Decided
//! scores, mates and the like, have no place in the model; who shows them must keep them apart.

/// A side whose score is `s` wins with probability `1 / (1 + exp((even − s) / spread))` and loses with the same of
/// `−s`; what is left is drawn. Both numbers are above 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinModel {
    /// The score, in the centipawns of the evaluation, with which half the games are won.
    pub even: f64,
    /// How slowly more becomes certain.
    pub spread: f64,
}

impl WinModel {
    /// Round numbers for a game that has no model yet; nothing was fitted. Shown centipawns are the evaluation's.
    pub const UNFITTED: WinModel = WinModel { even: 100.0, spread: 75.0 };

    /// The expected shares of wins, draws and losses in thousandths.
    pub fn shares(&self, score: i32) -> [i32; 3] {
        let share =
            |s: f64| (1000.0 / (1.0 + ((self.even - s) / self.spread).exp())).round() as i32;
        let (win, loss) = (share(f64::from(score)), share(-f64::from(score)));
        // Never below 0 draws: both are rounded up to 1001 together only if they were 1000 before, and `even > 0`
        // keeps them below.
        [win, 1000 - win - loss, loss]
    }

    /// The centipawns to be shown for a score: with 100 half the games are won.
    pub fn centipawns(&self, score: i32) -> i32 {
        (100.0 * f64::from(score) / self.even).round() as i32
    }

    /// The score nearest to shown centipawns.
    pub fn score(&self, centipawns: i32) -> i32 {
        (f64::from(centipawns) * self.even / 100.0).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Models of every kind that a game may come to have.
    fn models() -> impl Iterator<Item = WinModel> {
        [1.0, 25.0, 50.3, 99.9, 100.0, 217.4, 1000.0].into_iter().flat_map(|even| {
            [1.0, 17.7, 75.0, 211.0, 1000.0].map(|spread| WinModel { even, spread })
        })
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
                assert!(
                    model.centipawns(pair[0]) <= model.centipawns(pair[1]),
                    "{model:?} {pair:?}"
                );
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
    fn centipawns_there_and_back() {
        for model in models() {
            // As near as whole numbers of the coarser scale allow.
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

    #[test]
    fn without_a_fit_the_scale_is_the_evaluations() {
        for score in [-19_999, -333, -1, 0, 1, 77, 19_999] {
            assert_eq!(WinModel::UNFITTED.centipawns(score), score);
            assert_eq!(WinModel::UNFITTED.score(score), score);
        }
    }
}
