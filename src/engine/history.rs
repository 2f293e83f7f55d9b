//! Move ordering statistics: butterfly, continuation, capture and pawn structure history, and counter-moves; and
//! correction history, the average error of the static evaluation.
//!
//! One set per search thread, which `alpha_beta` updates. Moves are identified only by the codes that the game gives
//! them. History updates use the "gravity" formula: the value moves towards the bonus and always stays within
//! ±[`LIMIT`]. Corrections are weighted averages.

use super::score::Value;
use crate::game::{GameMove, Position, Searchable, Side};

/// Largest absolute value of a history entry.
pub(super) const LIMIT: i32 = 16_384;
/// Entries of a correction table.
const CORRECTIONS: usize = 1 << 14;
/// Corrections are stored in 1/256 centipawns.
const CORRECTION_UNIT: i32 = 256;
/// Largest absolute correction, in centipawns.
const CORRECTION_LIMIT: i32 = 96;

/// Rows of the pawn structure history.
const STRUCTURE_ROWS: usize = 1 << 9;

/// What ordering and history need to know of a node in addition to its position.
#[derive(Clone, Copy)]
pub(super) struct Context<M> {
    /// Codes of the moves one, two and four plies ago.
    pub before: [usize; 3],
    /// Killers: quiet moves that caused cutoffs in sibling nodes; the default move for none.
    pub killers: [M; 2],
    /// Squares that the opponent attacks.
    pub threats: u128,
    /// Key of the pawn structure.
    pub structure: u64,
}

/// Keys of the correction tables at a node.
#[derive(Clone, Copy)]
pub(super) struct CorrectionKeys {
    pub side: Side,
    /// The pawn structure.
    pub structure: u64,
    /// The pieces of either side.
    pub pieces: [u64; 2],
    /// Codes of the last two moves.
    pub before: [usize; 2],
}

/// Which of two squares are in the set, as a number from 0 to 3: 1 for `from`, plus 2 for `to`.
#[inline(always)]
fn threatened(threats: u128, from: usize, to: usize) -> usize {
    (threats >> from & 1) as usize + 2 * (threats >> to & 1) as usize
}

type Squares = [[i16; 128]; 128];

/// The history tables of one thread. A code is a piece and its target square (`Searchable::code`); the code after the
/// last one means "no move".
pub(super) struct History {
    /// [side][which of the two squares the opponent attacks][from][to]
    butterfly: Vec<[Squares; 4]>,
    /// [code][victim]
    capture: Vec<i16>,
    /// [code of an earlier move][code]
    continuation: Vec<i16>,
    /// [code of the move before]: the quiet move that refuted it last.
    counter: Vec<u16>,
    /// [pawn structure][code]
    structure: Vec<i16>,
    /// [side to move][pawn structure]
    structure_corrections: [Vec<i16>; 2],
    /// [side to move][whose pieces][their squares]
    piece_corrections: [[Vec<i16>; 2]; 2],
    /// [code of the last move][code of the move before it]
    move_corrections: Vec<i16>,
    codes: usize,
}

#[inline(always)]
fn apply_bonus(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

impl History {
    pub(super) fn new(codes: usize) -> Self {
        let corrections = || [vec![0; CORRECTIONS], vec![0; CORRECTIONS]];
        History {
            butterfly: vec![[[[0; 128]; 128]; 4]; 2],
            capture: vec![0; (codes + 1) * 8],
            continuation: vec![0; (codes + 1) * codes],
            counter: vec![0; codes + 1],
            structure: vec![0; STRUCTURE_ROWS * codes],
            structure_corrections: corrections(),
            piece_corrections: [corrections(), corrections()],
            move_corrections: vec![0; (codes + 1) * (codes + 1)],
            codes,
        }
    }

    pub(super) fn clear(&mut self) {
        for squares in self.butterfly.as_flattened_mut() {
            *squares = [[0; 128]; 128];
        }
        self.capture.fill(0);
        self.continuation.fill(0);
        self.counter.fill(0);
        self.structure.fill(0);
        let by_position = self.structure_corrections.iter_mut();
        for table in by_position.chain(self.piece_corrections.as_flattened_mut()) {
            table.fill(0);
        }
        self.move_corrections.fill(0);
    }

    /// The code for "no earlier move".
    pub(super) fn no_code(&self) -> usize {
        self.codes
    }

    #[inline(always)]
    pub(super) fn butterfly<M: GameMove>(&self, side: Side, threats: u128, m: M) -> i32 {
        let (from, to) = (m.from() & 127, m.to() & 127);
        i32::from(self.butterfly[side.index()][threatened(threats, from, to)][from][to])
    }

    /// Pawn structure history, scaled by `weight` / 128.
    #[inline(always)]
    pub(super) fn structure(&self, structure: u64, code: usize, weight: i32) -> i32 {
        let row = structure as usize % STRUCTURE_ROWS;
        i32::from(self.structure[row * self.codes + code]) * weight / 128
    }

    pub(super) fn update_structure(&mut self, structure: u64, code: usize, bonus: i32) {
        let row = structure as usize % STRUCTURE_ROWS;
        apply_bonus(&mut self.structure[row * self.codes + code], bonus);
    }

    #[inline(always)]
    pub(super) fn continuation(&self, before: usize, code: usize) -> i32 {
        i32::from(self.continuation[before * self.codes + code])
    }

    #[inline(always)]
    pub(super) fn capture<B: Searchable>(&self, pos: &Position<B>, m: B::Move) -> i32 {
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

    pub(super) fn update_butterfly<M: GameMove>(&mut self, side: Side, threats: u128, m: M, bonus: i32) {
        let (from, to) = (m.from() & 127, m.to() & 127);
        apply_bonus(&mut self.butterfly[side.index()][threatened(threats, from, to)][from][to], bonus);
    }

    /// Updates all histories of a quiet move.
    pub(super) fn update_quiet<B: Searchable>(
        &mut self,
        pos: &Position<B>,
        m: B::Move,
        context: &Context<B::Move>,
        bonus: i32,
    ) {
        self.update_butterfly(pos.side(), context.threats, m, bonus);
        let code = pos.code(m);
        self.update_structure(context.structure, code, bonus);
        self.update_continuations(context, code, bonus);
    }

    /// Updates the continuation history of `code` for all earlier moves in the context.
    pub(super) fn update_continuations<M>(&mut self, context: &Context<M>, code: usize, bonus: i32) {
        for before in context.before {
            self.update_continuation(before, code, bonus);
        }
    }

    pub(super) fn update_continuation(&mut self, before: usize, code: usize, bonus: i32) {
        if before != self.codes {
            apply_bonus(&mut self.continuation[before * self.codes + code], bonus);
        }
    }

    pub(super) fn update_capture<B: Searchable>(&mut self, pos: &Position<B>, m: B::Move, bonus: i32) {
        let index = pos.code(m) * 8 + (pos.victim(m) & 7);
        apply_bonus(&mut self.capture[index], bonus);
    }

    /// The correction entries of a node: by pawn structure, by each side's pieces, by the last two moves.
    #[inline(always)]
    fn corrections(&mut self, keys: &CorrectionKeys) -> [&mut i16; 4] {
        let side = keys.side.index();
        let moves = keys.before[0] * (self.codes + 1) + keys.before[1];
        let [first, second] = &mut self.piece_corrections[side];
        [
            &mut self.structure_corrections[side][keys.structure as usize % CORRECTIONS],
            &mut first[keys.pieces[0] as usize % CORRECTIONS],
            &mut second[keys.pieces[1] as usize % CORRECTIONS],
            &mut self.move_corrections[moves],
        ]
    }

    /// The correction to add to the static evaluation. `weights` are those of pawns, pieces and moves, in 128ths.
    #[inline(always)]
    pub(super) fn correction(&mut self, keys: &CorrectionKeys, weights: [i32; 3]) -> Value {
        let [pawns, first, second, moves] = self.corrections(keys);
        let of = |entry: &mut i16| Value::from(*entry);
        let (pawns, first, second, moves) = (of(pawns), of(first), of(second), of(moves));
        let sum = pawns * weights[0] + (first + second) * weights[1] + moves * weights[2];
        sum / (128 * CORRECTION_UNIT)
    }

    /// Updates the corrections after a search of `depth` plies. `error` is the search value minus the *corrected*
    /// evaluation: each table learns the full error, so with the raw evaluation their sum would overshoot.
    pub(super) fn update_correction(&mut self, keys: &CorrectionKeys, depth: i32, error: Value) {
        let weight = (depth + 1).clamp(1, 16);
        let error = error.clamp(-400, 400) * CORRECTION_UNIT;
        let limit = CORRECTION_LIMIT * CORRECTION_UNIT;
        for entry in self.corrections(keys) {
            let mixed = (Value::from(*entry) * (256 - weight) + error * weight) / 256;
            *entry = mixed.clamp(-limit, limit) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_values_stay_within_the_limit() {
        for bonus in [1, 37, 1_600, LIMIT, -1, -1_600, -LIMIT] {
            let mut value = 0;
            for _ in 0..100_000 {
                apply_bonus(&mut value, bonus);
                assert!(i32::from(value).abs() <= LIMIT);
            }
            assert_eq!(i32::from(value).signum(), bonus.signum());
        }
    }

    /// Keys of a node without earlier moves.
    fn keys(side: Side, structure: u64, pieces: [u64; 2]) -> CorrectionKeys {
        CorrectionKeys { side, structure, pieces, before: [12, 12] }
    }

    #[test]
    fn corrections_converge_to_the_error() {
        let mut history = History::new(12);
        let here = keys(Side::First, 99, [5, 6]);
        for _ in 0..500 {
            history.update_correction(&here, 10, 40);
        }
        for weights in [[128, 0, 0], [0, 64, 0], [0, 0, 128]] {
            assert!((35..=40).contains(&history.correction(&here, weights)), "{weights:?}");
        }
        // With the other side to move, or other pieces, only the move correction is shared.
        for other in [keys(Side::Second, 99, [5, 6]), keys(Side::First, 98, [7, 8])] {
            assert_eq!(history.correction(&other, [128, 64, 0]), 0);
            assert!(history.correction(&other, [0, 0, 128]) > 0);
        }
        for _ in 0..500 {
            history.update_correction(&here, 20, -100_000);
        }
        assert_eq!(history.correction(&here, [128, 0, 0]), -CORRECTION_LIMIT);
    }

    #[test]
    fn threatened_squares_select_the_history_table() {
        assert_eq!([0, 1 << 3, 1 << 5, 1 << 3 | 1 << 5].map(|set| threatened(set, 3, 5)), [0, 1, 2, 3]);
        assert_eq!(threatened(1 << 89, 89, 0), 1);
    }
}
