//! Training data in memory: the inputs that are on, the score and the result of every position.
//!
//! Read once by `main` from files of `tabiya datagen`.

use crate::records::Records;
use tabiya::game::Side;
use tabiya::game::network::{MAX_ACTIVE, NetworkInputs};
use tabiya::game::record::Recorded;

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
    /// A position with score and result for the first player.
    pub fn new<P: NetworkInputs>(pos: &P, score: i16, result: u8) -> Sample {
        let us = pos.side();
        let mut inputs = [[0; MAX_ACTIVE]; 2];
        for (view, list) in [us, us.flip()].into_iter().zip(&mut inputs) {
            let mut rest = list.iter_mut();
            pos.inputs(view, |input| {
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
    /// Every so many games one is held out.
    pub holdout: u64,
    /// Largest score; positions with a larger one are left out.
    pub bound: i32,
}

/// Positions to learn from and positions to judge by; no game is in both.
#[derive(Default)]
pub struct Data {
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
        while let Some((pos, labels)) = records.next::<P>()? {
            self.games += u64::from(labels.opens_game);
            if i32::from(labels.score).abs() > reading.bound {
                continue;
            }
            let sample = Sample::new(&pos, labels.score, labels.result as u8);
            if self.games.is_multiple_of(reading.holdout) {
                self.holdout.push(sample);
            } else {
                self.training.push(sample);
            }
        }
        Ok(())
    }
}
