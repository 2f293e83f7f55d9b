//! Training data in memory: the inputs that are on, the score and the result of each position.
//!
//! Read once from files of `datagen` and `rescore`.

use crate::record::Recorded;
use crate::records::Records;
use tabiya::game::network::{MAX_ACTIVE, NetworkInputs};
use tabiya::game::{Position, Side};

/// A position with its labels.
pub struct Sample {
    /// Inputs of the side to move and of its opponent; the first `active` of each are valid.
    pub inputs: [[u16; MAX_ACTIVE]; 2],
    pub active: u8,
    /// Result for the side to move: 0, 1, 2.
    pub result: u8,
    /// Score for the side to move.
    pub score: i16,
}

impl Sample {
    /// A sample of a position; `score` and `result` are the first player's.
    pub fn new<B: NetworkInputs>(pos: &Position<B>, score: i16, result: u8) -> Sample {
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
        let (score, result) = match us {
            Side::First => (score, result),
            Side::Second => (-score, 2 - result),
        };
        Sample { inputs, active: active as u8, result, score }
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
    pub fn read<B>(&mut self, file: &str, selection: Selection) -> Result<(), String>
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
            let sample = Sample::new(&pos, labels.score, labels.result as u8);
            if self.games.is_multiple_of(selection.holdout) {
                self.holdout.push(sample);
            } else {
                self.training.push(sample);
            }
        }
        Ok(())
    }
}
