//! Training data in memory: the inputs that are on, the score and the result of every position.
//!
//! Read once by `main` from files of `tabiya datagen`.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use tabiya::game::Side;
use tabiya::game::network::{MAX_ACTIVE, NetworkInputs};
use tabiya::game::record::{RECORD_BYTES, Record, Recorded};

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
    /// A position with score and result for the first player, for a network of so many king buckets.
    pub fn new<P: NetworkInputs>(pos: &P, king_buckets: usize, score: i16, result: u8) -> Sample {
        let us = pos.side();
        let mut inputs = [[0; MAX_ACTIVE]; 2];
        for (view, list) in [us, us.flip()].into_iter().zip(&mut inputs) {
            let mut rest = list.iter_mut();
            pos.inputs(view, king_buckets, |input| {
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
    /// Adds the positions of a file whose scores are at most `bound`; every `holdout`th game is held out.
    pub fn read<P>(
        &mut self,
        file: &str,
        king_buckets: usize,
        holdout: u64,
        bound: i32,
    ) -> Result<(), String>
    where
        P: Recorded + NetworkInputs,
    {
        let fault = |error: std::io::Error| format!("{file}: {error}");
        let mut reader = BufReader::with_capacity(1 << 20, File::open(file).map_err(fault)?);
        let mut record = [0; RECORD_BYTES];
        for number in 1.. {
            match reader.read_exact(&mut record) {
                Ok(()) => {}
                // A run that is going on may have written a part of a record.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
                Err(error) => return Err(fault(error)),
            }
            let Some((pos, labels)) = P::from_record(&record) else {
                return Err(format!("{file}: record {number} is no training data of this game"));
            };
            self.games += u64::from(labels.opens_game);
            if i32::from(labels.score).abs() > bound {
                continue;
            }
            let sample = Sample::new(&pos, king_buckets, labels.score, labels.result as u8);
            if self.games.is_multiple_of(holdout) {
                self.holdout.push(sample);
            } else {
                self.training.push(sample);
                self.records.push(record);
            }
        }
        Ok(())
    }
}
