//! Training data in memory: the inputs that are on and the expected result of each position.
//!
//! Read once from files of `datagen` and `rescore`.

use super::network::sigmoid;
use crate::record::{Labels, Recorded};
use crate::records::Records;
use tabiya::game::{Position, Side};
use tabiya::network::{MAX_ACTIVE, NetworkInputs};

/// How the expected result of a position is made of its score and the result of its game.
#[derive(Clone, Copy)]
pub struct Target {
    /// Centipawns of an output of 1, which is an expected result of 1 / (1 + 1/e).
    pub scale: f32,
    /// Weight of the score, 0 to 1; the result has the rest.
    pub lambda: f32,
}

impl Target {
    /// The expected result for the first player.
    fn of(&self, labels: &Labels) -> f32 {
        let by_score = sigmoid(f32::from(labels.score) / self.scale);
        self.lambda * by_score + (1.0 - self.lambda) * f32::from(labels.result as u8) / 2.0
    }
}

/// A position with what the network is to say about it.
pub struct Sample {
    /// Inputs of the side to move and of its opponent; the first `active` of each are valid.
    pub inputs: [[u16; MAX_ACTIVE]; 2],
    pub active: u8,
    /// The expected result for the side to move, 0 to 1.
    pub expected: f32,
}

impl Sample {
    /// A sample of a position; `expected` is the first player's.
    pub fn new<B: NetworkInputs>(pos: &Position<B>, expected: f32) -> Sample {
        let us = pos.side();
        let mut inputs = [[0; MAX_ACTIVE]; 2];
        let mut active = 0;
        for (view, list) in [us, us.flip()].into_iter().zip(&mut inputs) {
            active = 0;
            pos.inputs(view, |input| {
                list[active] = input as u16;
                active += 1;
            });
        }
        let expected = if us == Side::First { expected } else { 1.0 - expected };
        Sample { inputs, active: active as u8, expected }
    }

    /// The inputs that are on in the view of the side to move (0) or of its opponent (1).
    pub fn on(&self, view: usize) -> &[u16] {
        &self.inputs[view][..usize::from(self.active)]
    }
}

/// Which positions of a file are used, and for what.
#[derive(Clone, Copy)]
pub struct Selection {
    /// One game in this many is held out.
    pub holdout: u64,
    /// Positions with a larger score are skipped.
    pub bound: i32,
}

/// Positions for training and positions for validation. All positions of a game are in the same part.
#[derive(Default)]
pub struct Data {
    pub training: Vec<Sample>,
    pub holdout: Vec<Sample>,
    pub games: u64,
}

impl Data {
    /// Adds the positions of a file.
    pub fn read<B>(&mut self, file: &str, selection: Selection, target: Target) -> Result<(), String>
    where
        B: Recorded + NetworkInputs,
    {
        let mut records = Records::open(file)?;
        while let Some((pos, labels)) = records.next::<B>()? {
            self.games += u64::from(labels.opens_game);
            if i32::from(labels.score).abs() > selection.bound {
                continue;
            }
            // Xiangqi: half of the positions are mirrored, so that the network learns that the board is symmetric.
            let mirrored = B::mirrored(&pos).filter(|_| pos.key() & 1 != 0);
            let pos = mirrored.unwrap_or(pos);
            let sample = Sample::new(&pos, target.of(&labels));
            if self.games.is_multiple_of(selection.holdout) {
                self.holdout.push(sample);
            } else {
                self.training.push(sample);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::chess;
    use tabiya::game::GameResult;

    /// What a network learns about the position after `fen` with 100 centipawns for White, who lost the game.
    fn expected(fen: &str, lambda: f32) -> f32 {
        let pos = chess::Position::from_fen(fen).unwrap();
        let labels = Labels { score: 100, result: GameResult::Loss, opens_game: true };
        Sample::new(&pos, Target { scale: 200.0, lambda }.of(&labels)).expected
    }

    #[test]
    fn score_and_result_are_mixed_for_the_side_to_move() {
        let [white, black] = ["w", "b"].map(|side| format!("4k3/8/8/8/8/8/4P3/4K3 {side} - - 0 1"));
        // 1 / (1 + exp(-0.5)) = 0.6225
        for (lambda, wanted) in [(1.0, 0.6225), (0.5, 0.3112), (0.0, 0.0)] {
            assert!((expected(&white, lambda) - wanted).abs() < 1e-4, "{lambda}");
            assert!((expected(&black, lambda) - (1.0 - wanted)).abs() < 1e-4, "{lambda}");
        }
    }
}
