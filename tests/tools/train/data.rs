//! Training data in memory: the inputs that are on, the score and the result of every position.
//!
//! Read once by `main` from files of `tabiya datagen`.

use crate::records::Records;
use tabiya::game::Side;
use tabiya::game::network::{MAX_ACTIVE, NetworkInputs};
use tabiya::game::record::{Record, Recorded};

/// A position as the network sees it.
pub struct Sample {
    /// Inputs of the side to move and of the other side; the first `active` count.
    pub inputs: [[u16; MAX_ACTIVE]; 2],
    pub active: u8,
    /// Result for the side to move: 0, 1, 2.
    pub result: u8,
    /// Score for the side to move.
    pub score: i16,
}

impl Sample {
    /// A position with score and result for the first player, for a network of so many sets of inputs.
    pub fn new<P: NetworkInputs>(pos: &P, sets: usize, score: i16, result: u8) -> Sample {
        let us = pos.side();
        let mut inputs = [[0; MAX_ACTIVE]; 2];
        for (view, list) in [us, us.flip()].into_iter().zip(&mut inputs) {
            let mut rest = list.iter_mut();
            pos.inputs(view, sets, |input| {
                if let Some(place) = rest.next() {
                    *place = input as u16;
                }
            });
        }
        let (score, result) = match us {
            Side::First => (score, result),
            Side::Second => (-score, 2 - result),
        };
        Sample { inputs, active: pos.men() as u8, result, score }
    }

    /// The inputs that are on, for the side to move (0) or the other one (1).
    pub fn on(&self, view: usize) -> &[u16] {
        &self.inputs[view][..usize::from(self.active)]
    }
}

/// How files are read.
#[derive(Clone, Copy)]
pub struct Reading {
    /// Sets of inputs that the network has.
    pub sets: usize,
    /// Every so many games one is held out.
    pub holdout: u64,
    /// Largest score; positions with a larger one are left out.
    pub bound: i32,
    pub outlook: Outlook,
}

/// How much of what came later in its game, the result at last, counts for a position: what several searches in turn
/// say errs less than what one of them says (Richard Sutton, "Learning to predict by the methods of temporal
/// differences", 1988).
#[derive(Clone, Copy)]
pub struct Outlook {
    /// The share of what came later, from 0, which leaves the scores as they are, to 1, which leaves the result.
    pub share: f32,
    /// A score of so many centipawns is an expected result of 1 / (1 + 1 / e).
    pub scale: f32,
}

impl Outlook {
    /// The score of a position in the light of what was `expected` at the next one of its game, from 0 to 1;
    /// `expected` becomes that of this position. Both are the first player's.
    fn apply(self, score: i16, expected: &mut f32) -> i16 {
        let now = 1.0 / (1.0 + (-f32::from(score) / self.scale).exp());
        *expected = now + self.share * (*expected - now);
        // Such scores are decided, and too large for logarithms of odds.
        if self.share == 0.0 || f32::from(score).abs() > 6.0 * self.scale {
            return score;
        }
        let odds = *expected / (1.0 - *expected).max(1e-6);
        (self.scale * odds.max(1e-6).ln()).round() as i16
    }
}

/// The positions of a game with their records and their scores for the first player, and its result.
struct Game<P> {
    positions: Vec<(P, Record, i16)>,
    result: u8,
}

/// Positions to learn from and positions to judge by; no game is in both.
#[derive(Default)]
pub struct Data {
    /// The records of the positions to learn from.
    pub records: Vec<Record>,
    pub training: Vec<Sample>,
    pub holdout: Vec<Sample>,
    pub games: u64,
}

impl Data {
    /// Adds the positions of a file.
    pub fn read<P>(&mut self, file: &str, reading: Reading) -> Result<(), String>
    where
        P: Recorded + NetworkInputs,
    {
        let mut records = Records::open(file)?;
        let mut game = Game { positions: Vec::new(), result: 0 };
        while let Some((pos, labels, record)) = records.next::<P>()? {
            if labels.opens_game {
                self.add(&mut game, reading);
            }
            game.positions.push((pos, record, labels.score));
            game.result = labels.result as u8;
        }
        self.add(&mut game, reading);
        Ok(())
    }

    /// Adds the positions of a game and leaves it empty.
    fn add<P: NetworkInputs>(&mut self, game: &mut Game<P>, reading: Reading) {
        if game.positions.is_empty() {
            return;
        }
        self.games += 1;
        let held_out = self.games.is_multiple_of(reading.holdout);
        let mut expected = f32::from(game.result) / 2.0;
        let scores = game.positions.iter().rev();
        let learnt: Vec<i16> =
            scores.map(|&(.., score)| reading.outlook.apply(score, &mut expected)).collect();
        let learnt = learnt.into_iter().rev();
        for ((pos, record, score), learnt) in game.positions.drain(..).zip(learnt) {
            if i32::from(score).abs() > reading.bound {
                continue;
            }
            let sample = Sample::new(&pos, reading.sets, learnt, game.result);
            if held_out {
                self.holdout.push(sample);
            } else {
                self.training.push(sample);
                self.records.push(record);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_look_ahead_to_the_result() {
        let scores = |share, scores: &[i16], result: f32| -> Vec<i16> {
            let (outlook, mut expected) = (Outlook { share, scale: 160.0 }, result);
            let mut seen: Vec<i16> =
                scores.iter().rev().map(|&score| outlook.apply(score, &mut expected)).collect();
            seen.reverse();
            seen
        };
        let game = [10, -30, 400, 1_500, 250];
        assert_eq!(scores(0.0, &game, 0.0), game);
        // Half of 0.5 and 1 is 0.75, whose odds are 3; half of 0.5 and 0.75 has odds of 5 to 3.
        assert_eq!(scores(0.5, &[0, 0], 1.0), [82, 176]);
        assert_eq!(scores(0.5, &[0, 0], 0.0), [-82, -176]);
        assert_eq!(scores(0.5, &[0, 0, 0], 0.5), [0; 3]);
        // What is decided stays as it is, and counts for what was before it.
        assert_eq!(scores(0.9, &game, 0.0)[3], 1_500);
        assert_eq!(scores(0.5, &[0, 1_500], 0.5), [82, 1_500]);
    }
}
