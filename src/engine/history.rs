//! What earlier cut-offs teach about moves: butterfly, continuation and capture history, counter moves,
//! and how far the evaluation was off for a pawn structure.
//!
//! One set per search thread; `search` updates it, `ordering` reads it. Knows moves only by the numbers
//! that the game gives them. Updates follow the "gravity" form: a value is pulled towards the bonus and
//! can never leave ±[`LIMIT`].

use super::score::Score;
use crate::game::{GameMove, Playable, Side};

/// Bound of every history value.
pub(super) const LIMIT: i32 = 16_384;
/// Entries of the correction table for each side.
const STRUCTURES: usize = 1 << 14;
/// A correction is kept in 1/256 centipawns, and is at most this many centipawns.
const CORRECTION_UNIT: i32 = 256;
const CORRECTION_LIMIT: i32 = 96;

type Squares = [[i16; 128]; 128];

/// The tables of one thread.
pub(super) struct History {
    /// By side, from, to.
    butterfly: [Box<Squares>; 2],
    /// By code and victim.
    capture: Vec<i16>,
    /// By code of an earlier move and code of the move; the row after the last belongs to "no move".
    continuation: Vec<i16>,
    /// The quiet move that refuted the move of a code last.
    counter: Vec<u16>,
    correction: [Vec<i16>; 2],
    codes: usize,
}

#[inline(always)]
fn pull(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

impl History {
    pub(super) fn new(codes: usize) -> Self {
        let squares = || vec![[0; 128]; 128].into_boxed_slice().try_into().ok();
        let empty = || squares().unwrap_or_else(|| Box::new([[0; 128]; 128]));
        History {
            butterfly: [empty(), empty()],
            capture: vec![0; (codes + 1) * 8],
            continuation: vec![0; (codes + 1) * codes],
            counter: vec![0; codes + 1],
            correction: [vec![0; STRUCTURES], vec![0; STRUCTURES]],
            codes,
        }
    }

    pub(super) fn clear(&mut self) {
        for table in &mut self.butterfly {
            **table = [[0; 128]; 128];
        }
        self.capture.fill(0);
        self.continuation.fill(0);
        self.counter.fill(0);
        for table in &mut self.correction {
            table.fill(0);
        }
    }

    /// The code that stands for "no earlier move".
    pub(super) fn no_code(&self) -> usize {
        self.codes
    }

    #[inline(always)]
    pub(super) fn butterfly<M: GameMove>(&self, side: Side, m: M) -> i32 {
        i32::from(self.butterfly[side.index()][m.from() & 127][m.to() & 127])
    }

    #[inline(always)]
    pub(super) fn continuation(&self, before: usize, code: usize) -> i32 {
        i32::from(self.continuation[before * self.codes + code])
    }

    #[inline(always)]
    pub(super) fn capture<P: Playable>(&self, pos: &P, m: P::Move) -> i32 {
        i32::from(self.capture[pos.code(m) * 8 + (pos.victim(m) & 7)])
    }

    #[inline(always)]
    pub(super) fn counter(&self, before: usize) -> u16 {
        self.counter[before]
    }

    pub(super) fn set_counter(&mut self, before: usize, raw: u16) {
        if before != self.codes {
            self.counter[before] = raw;
        }
    }

    pub(super) fn update_butterfly<M: GameMove>(&mut self, side: Side, m: M, bonus: i32) {
        pull(&mut self.butterfly[side.index()][m.from() & 127][m.to() & 127], bonus);
    }

    pub(super) fn update_continuation(&mut self, before: usize, code: usize, bonus: i32) {
        if before != self.codes {
            pull(&mut self.continuation[before * self.codes + code], bonus);
        }
    }

    pub(super) fn update_capture<P: Playable>(&mut self, pos: &P, m: P::Move, bonus: i32) {
        let index = pos.code(m) * 8 + (pos.victim(m) & 7);
        pull(&mut self.capture[index], bonus);
    }

    /// What to add to an evaluation of this pawn structure.
    #[inline(always)]
    pub(super) fn correction(&self, side: Side, structure: u64) -> Score {
        let value = self.correction[side.index()][structure as usize % STRUCTURES];
        Score::from(value) / CORRECTION_UNIT
    }

    /// Learns that a search of `depth` plies found `error` more than the evaluation.
    pub(super) fn update_correction(
        &mut self,
        side: Side,
        structure: u64,
        depth: i32,
        error: Score,
    ) {
        let entry = &mut self.correction[side.index()][structure as usize % STRUCTURES];
        let weight = (depth + 1).clamp(1, 16);
        let error = error.clamp(-400, 400) * CORRECTION_UNIT;
        let mixed = (Score::from(*entry) * (256 - weight) + error * weight) / 256;
        let limit = CORRECTION_LIMIT * CORRECTION_UNIT;
        *entry = mixed.clamp(-limit, limit) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_never_leave_their_bounds() {
        for bonus in [1, 37, 1_600, LIMIT, -1, -1_600, -LIMIT] {
            let mut value = 0;
            for _ in 0..100_000 {
                pull(&mut value, bonus);
                assert!(i32::from(value).abs() <= LIMIT);
            }
            assert_eq!(i32::from(value).signum(), bonus.signum());
        }
    }

    #[test]
    fn corrections_move_towards_the_error() {
        let mut history = History::new(12);
        for _ in 0..500 {
            history.update_correction(Side::First, 99, 10, 40);
        }
        assert!((35..=40).contains(&history.correction(Side::First, 99)));
        assert_eq!(history.correction(Side::Second, 99), 0);
        for _ in 0..500 {
            history.update_correction(Side::First, 99, 20, -100_000);
        }
        assert_eq!(history.correction(Side::First, 99), -CORRECTION_LIMIT);
    }
}
