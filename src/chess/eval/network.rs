//! The neural network that evaluates chess positions: its shape, its integers, its file, and its incremental update.
//!
//! `eval` calls [`Accumulators`]. The arithmetic that does not depend on chess is in `game::network`, the index of an
//! input in `inputs`. `tests/tools/train` trains networks; `tests/tools/README.md` says how this one was made.
//!
//! # Shape
//!
//! The network sees the board twice: as the side to move and as its opponent see it. In each view, the view's own
//! pawns move up the board and its own king is on the files a to d. Each piece turns on one input of each view.
//!
//! ```text
//! input = ((king * 4 + class) * 12 + piece) * 64 + square
//!
//!   king     king bucket: 0 with the own king on a1, b1 or c1 of the view, 1 with it anywhere else
//!   class    0: not attacked, not defended    1: attacked    2: defended    3: attacked and defended
//!   piece    0-5: own pawn, knight, bishop, rook, queen, king    6-11: those of the opponent
//!   square   0-63: a1, b1 ... h8 of the view (ranks flipped for Black, files mirrored if its king is on e to h)
//!
//! king bucket and class together are the set of an input: 8 sets of 768 inputs (`inputs`)
//!
//!     view of the side to move             view of the opponent
//!           6,144 inputs                       6,144 inputs
//!                |                                  |         both views use the same weights
//!         128 hidden sums                    128 hidden sums        updated from an earlier position
//!                | clamp to 0..1, square            |
//!        128 hidden values                  128 hidden values
//!                |                                  |
//!                +----------------+-----------------+
//!                                 |                   from here on the weights of one of 8 output
//!                         256 hidden values           buckets: number (pieces - 1) / 4
//!                                 |
//!                +----------------+-----------------+
//!                |                                  |
//!         32 neuron sums                            |
//!          |          |                             |
//!      clamp to    square,                          | straight connection
//!        0..1     at most 1                         |
//!          |          |                             |
//!          +----+-----+                             |
//!        64 neuron values                           |
//!                |                                  |
//!                +----------------+-----------------+
//!                                 |
//!                              output                 1 = 250 centipawns for the side to move
//! ```
//!
//! Training compares the sigmoid of the output with the expected result. Sources: incremental update (NNUE, Nasu
//! 2018); clamped and squared hidden values (SCReLU); neuron sums that count both clamped and squared, a straight
//! connection and a second layer for each number of pieces (Stockfish since 2022).
//!
//! # Integers
//!
//! | number | type | 1 is stored as | range |
//! |---|---|---|---|
//! | input weight | `i8` | 255 | ±127, which is ±0.498 |
//! | hidden bias | `i16` | 255 | ±505, which is ±1.98 |
//! | hidden sum | `i16` | 255 | 32 · 127 + 505 = 4,569 |
//! | hidden value | `u8` | 127 | clamp the sum x to 0..=255, then (x² + 256) / 512 |
//! | neuron weight | `i8` | 128 | ±127, which is ±0.992 |
//! | neuron sum and bias | `i32` | 127 · 128 = 16,256 | 256 · 127 · 127, and a bias below 2²⁶ |
//! | neuron values | `i32` | 16,256 / 16 = 1,016 | x = sum / 16 clamped to 0..=1,016; x² / 1,016, at most 1,016 |
//! | output weight, straight weight | `i16` | 1,024 | ±2,028, which is ±1.98 |
//! | straight sum, output bias | `i32` | 127 · 1,024 = 130,048 | 256 · 127 · 2,028, and a bias below 2²⁶ |
//! | output | `i32` | 1,016 · 1,024 = 1,040,384 | 8 · (straight sum + bias) + 64 · 1,016 · 2,028 < 1.2 · 10⁹ |
//!
//! 255 is the largest number whose square fits 16 bits. 127 is the largest factor for AVX2, which adds two products
//! with bytes in 16 bits: 2 · 127 · 128 = 32,512. Dividing the neuron sum by 16 keeps squares, and products with the
//! output weights, within 32 bits. The training keeps the weights within their ranges; a test checks the biases.
//!
//! # File
//!
//! | bytes | content | type |
//! |---|---|---|
//! | 4 | `TBN5` | |
//! | 5 · 2 | inputs of a view, hidden values of a view, neurons, output buckets, centipawns of an output of 1 | `u16` |
//! | 6,144 · 128 | input weights: a row of hidden values for each input | `i8` |
//! | 128 · 2 | hidden biases | `i16` |
//! | 8 · 32 · 256 | neuron weights for each output bucket and neuron: side to move's view, then opponent's | `i8` |
//! | 8 · 256 · 2 | straight weights for each bucket, in the same order | `i16` |
//! | 8 · 64 · 2 | output weights for each bucket: of the clamped sums, then of the squared ones | `i16` |
//! | 8 · 32 · 4 | neuron biases for each bucket | `i32` |
//! | 8 · 4 | output biases | `i32` |
//! | 8 | FNV-1a of all bytes before | `u64` |
//!
//! All numbers are little-endian. The file is `network.bin` in this folder, or the one that `EVALFILE` names in the
//! environment of the build. For another shape, change the constants below, train a network and replace the file.

use super::inputs::{self, Orientation, Piece, class, input};
use crate::base::cpu::{Cpu, LANES, QuadWeights};
use crate::chess::board::attacks::attacked_by;
use crate::chess::board::position::Position;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::{Black, Kind, White};
use crate::chess::types::square::Square;
use crate::game::Side;
use crate::game::network::{Layers, OUTPUT_ONE, update};

/// Inputs of one view.
pub const INPUTS: usize = inputs::SETS * inputs::INPUTS;
/// Hidden values of one view.
pub const HIDDEN: usize = 128;
/// Neurons of the second layer, a multiple of [`LANES`].
pub const NEURONS: usize = 32;
/// Sets of weights of the layers after the hidden one; the number of pieces chooses one.
pub const BUCKETS: usize = 8;
/// Centipawns of an output of 1. Every network has its own.
pub const SCALE: u16 = header(12);

/// First bytes of a network file.
pub const FORMAT: &[u8; 4] = b"TBN5";
/// Bytes of a network file before the first weight.
pub const HEADER: usize = 14;
/// Bytes of a network file after the last bias.
const CHECKSUM: usize = 8;

/// Neurons in vectors.
const NEURON_BLOCKS: usize = NEURONS / LANES;

/// The network file. `build.rs` sets the path and has verified the checksum.
const FILE: &[u8] = include_bytes!(env!("TABIYA_NETWORK"));

/// A number of the file's header.
const fn header(at: usize) -> u16 {
    u16::from_le_bytes([FILE[at], FILE[at + 1]])
}

const _: () = {
    assert!(
        matches!(FILE.first_chunk(), Some(FORMAT)),
        "chess network (EVALFILE): expected a file that begins with TBN5"
    );
    assert!(
        header(4) as usize == INPUTS
            && header(6) as usize == HIDDEN
            && header(8) as usize == NEURONS
            && header(10) as usize == BUCKETS,
        concat!(
            "chess network (EVALFILE): expected INPUTS, HIDDEN, NEURONS and BUCKETS of ",
            "src/chess/eval/network.rs, found ",
            env!("TABIYA_NETWORK_SHAPE")
        )
    );
};

/// The weights. Each table starts at a cache line.
#[repr(C, align(64))]
struct Network {
    /// Input weights; each byte is an `i8`.
    rows: [[u8; HIDDEN]; INPUTS],
    biases: [i16; HIDDEN],
    neurons: [[QuadWeights<NEURON_BLOCKS>; HIDDEN / 2]; BUCKETS],
    straight: [[[i16; HIDDEN]; 2]; BUCKETS],
    output: [[[[i16; LANES]; NEURON_BLOCKS]; 2]; BUCKETS],
    neuron_biases: [[[i32; LANES]; NEURON_BLOCKS]; BUCKETS],
    output_biases: [i32; BUCKETS],
}

static NETWORK: Network = Network::read(FILE.split_at(HEADER).1);

/// Fills a table with the first numbers of `$file` and advances `$file` past them.
macro_rules! take {
    ($file:ident, $number:ty, $table:expr) => {
        let table: &mut [$number] = $table;
        let (numbers, rest) = $file.split_at(size_of_val(table));
        let numbers = numbers.as_chunks().0;
        let mut i = 0;
        while i < table.len() {
            table[i] = <$number>::from_le_bytes(numbers[i]);
            i += 1;
        }
        $file = rest;
    };
}

impl Network {
    /// Reads a network file without its header.
    const fn read(file: &[u8]) -> Network {
        let mut network = Network {
            rows: [[0; _]; _],
            biases: [0; _],
            neurons: [[[[[0; _]; _]; _]; _]; _],
            straight: [[[0; _]; _]; _],
            output: [[[[0; _]; _]; _]; _],
            neuron_biases: [[[0; _]; _]; _],
            output_biases: [0; _],
        };
        // Copied as a whole: the compiler would take ten seconds for a loop over the bytes.
        let (rows, mut file) = file.split_at(INPUTS * HIDDEN);
        network.rows = *rows.as_chunks().0.first_chunk().unwrap();
        take!(file, i16, &mut network.biases);
        // From rows of neurons to the order of `Cpu::add_products`: four weights of every neuron at a time.
        let (weights, mut file) = file.split_at(BUCKETS * NEURONS * 2 * HIDDEN);
        let mut i = 0;
        while i < weights.len() {
            let (row, at) = (i / (2 * HIDDEN), i % (2 * HIDDEN));
            let (bucket, neuron) = (row / NEURONS, row % NEURONS);
            network.neurons[bucket][at / 4][neuron / LANES][neuron % LANES][at % 4] =
                weights[i].cast_signed();
            i += 1;
        }
        take!(file, i16, network.straight.as_flattened_mut().as_flattened_mut());
        take!(file, i16, network.output.as_flattened_mut().as_flattened_mut().as_flattened_mut());
        take!(file, i32, network.neuron_biases.as_flattened_mut().as_flattened_mut());
        take!(file, i32, &mut network.output_biases);
        assert!(
            file.len() == CHECKSUM,
            "chess network (EVALFILE): its length does not match its header"
        );
        network
    }
}

/// The layers after the hidden one for a position with so many pieces.
#[inline(always)]
fn layers(pieces: u32) -> Layers<'static, HIDDEN, NEURON_BLOCKS> {
    let bucket = (pieces as usize - 1) * BUCKETS / 32;
    Layers {
        neurons: &NETWORK.neurons[bucket],
        biases: &NETWORK.neuron_biases[bucket],
        straight: &NETWORK.straight[bucket],
        output: &NETWORK.output[bucket],
        bias: NETWORK.output_biases[bucket],
    }
}

/// Plies whose hidden sums are kept; a power of two.
const PLIES: usize = 64;
/// Capacity of [`Inputs`]: one input for each square.
const MAX_INPUTS: usize = 64;

/// The pieces of a position and the squares that each side attacks: all that the inputs depend on.
#[derive(Clone, Copy)]
struct Pieces {
    kinds: [Bitboard; 6],
    sides: [Bitboard; 2],
    attacks: [Bitboard; 2],
}

impl Pieces {
    /// The empty board.
    const NONE: Pieces = Pieces {
        kinds: [Bitboard::EMPTY; 6],
        sides: [Bitboard::EMPTY; 2],
        attacks: [Bitboard::EMPTY; 2],
    };

    #[inline(always)]
    fn of<C: Cpu>(pos: &Position, cpu: C) -> Pieces {
        let occupied = pos.occupied();
        let attacks = [
            attacked_by::<White, C>(pos, cpu, occupied),
            attacked_by::<Black, C>(pos, cpu, occupied),
        ];
        Pieces { kinds: pos.kinds, sides: pos.sides, attacks }
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The squares whose inputs differ: they have another piece, or the same piece in another class.
    #[inline(always)]
    fn changed(&self, other: &Pieces) -> Bitboard {
        let differ = |a: [Bitboard; 2], b: [Bitboard; 2]| a[0] ^ b[0] | a[1] ^ b[1];
        let classes = differ(self.attacks, other.attacks) & other.occupied();
        (0..6).fold(classes | differ(self.sides, other.sides), |set, kind| {
            set | self.kinds[kind] ^ other.kinds[kind]
        })
    }

    /// The orientation of `view`. Any one will do for the empty board.
    #[inline(always)]
    fn orientation(&self, view: Side) -> Orientation {
        let king = self.kinds[Kind::King.index()] & self.sides[view.index()];
        Orientation::of(Square::wrapping(king.0.trailing_zeros()), view)
    }

    /// The piece on `square`, which is occupied.
    #[inline(always)]
    fn piece(&self, square: Square) -> Piece {
        let square = square.index();
        let bit = |set: Bitboard| (set.0 >> square) as usize & 1;
        let kind = (1..6).map(|kind| kind * bit(self.kinds[kind])).sum::<usize>();
        let kind = Kind::ALL[kind.min(5)];
        let side = if bit(self.sides[1]) == 0 { Side::First } else { Side::Second };
        Piece { side, kind, square, class: class(self.attacks, side, square) }
    }

    /// The inputs of the pieces on `squares`, in both views.
    #[inline(always)]
    fn inputs(&self, squares: Bitboard, orientations: [Orientation; 2]) -> Inputs {
        let mut inputs = Inputs { by_view: [[0; MAX_INPUTS]; 2], count: 0 };
        for square in squares {
            let piece = self.piece(square);
            for view in Side::BOTH {
                let input = input(view, orientations[view.index()], piece);
                inputs.by_view[view.index()][inputs.count] = input as u16;
            }
            inputs.count += 1;
        }
        inputs
    }
}

/// Inputs of some pieces in both views.
struct Inputs {
    by_view: [[u16; MAX_INPUTS]; 2],
    count: usize,
}

impl Inputs {
    #[inline(always)]
    fn of(&self, view: Side) -> &[u16] {
        &self.by_view[view.index()][..self.count]
    }
}

/// The hidden sums of a position, in White's view and in Black's.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Accumulator {
    sums: [[i16; HIDDEN]; 2],
    pieces: Pieces,
}

/// The hidden sums of the positions that a search thread has evaluated, one position for each ply.
///
/// A search evaluates positions that differ by a few pieces from the one at the same ply or one or two plies before.
/// So the sums of one of those are copied and updated by the rows of the pieces that differ. The pieces themselves
/// are compared, not the moves, so the sums are right for any sequence of positions.
pub struct Accumulators {
    plies: Box<[Accumulator]>,
}

impl Default for Accumulators {
    fn default() -> Self {
        let empty = Accumulator { sums: [NETWORK.biases; 2], pieces: Pieces::NONE };
        Accumulators { plies: vec![empty; PLIES].into_boxed_slice() }
    }
}

impl Accumulators {
    /// The value of the position for the side to move, in centipawns. Run it inside `dispatch_vectors`.
    #[inline(always)]
    pub(super) fn evaluate<C: Cpu>(&mut self, pos: &Position, cpu: C) -> i32 {
        let accumulator = self.accumulator(pos, Pieces::of(pos, cpu));
        let us = pos.side().index();
        let sums = [us, 1 - us].map(|side| &accumulator.sums[side]);
        let output = layers(pos.occupied().count()).output(cpu, sums);
        (i64::from(output) * i64::from(SCALE) / i64::from(OUTPUT_ONE)) as i32
    }

    /// The sums of `pos`, updated from those of the position with the fewest differences at this ply or one or two
    /// plies before.
    #[inline(always)]
    fn accumulator(&mut self, pos: &Position, pieces: Pieces) -> &Accumulator {
        let ply = 2 * usize::from(pos.fullmove_number()) + pos.side().index();
        let target = ply % PLIES;
        let (mut source, mut changed) = (target, self.plies[target].pieces.changed(&pieces));
        for back in 1..=2 {
            let other = (ply + PLIES - back) % PLIES;
            let differs = self.plies[other].pieces.changed(&pieces);
            if differs.count() < changed.count() {
                (source, changed) = (other, differs);
            }
        }
        if source != target {
            self.plies.copy_within(source..=source, target);
        }
        let accumulator = &mut self.plies[target];
        accumulator.update(&pieces, changed);
        accumulator
    }
}

impl Accumulator {
    /// Changes the sums to those of `pieces`, which differ on the squares of `changed`.
    #[inline(always)]
    fn update(&mut self, pieces: &Pieces, changed: Bitboard) {
        let [before, now] =
            [&self.pieces, pieces].map(|pieces| Side::BOTH.map(|view| pieces.orientation(view)));
        let off = self.pieces.inputs(changed & self.pieces.occupied(), before);
        let on = pieces.inputs(changed & pieces.occupied(), now);
        for view in Side::BOTH {
            let sums = &mut self.sums[view.index()];
            if before[view.index()] == now[view.index()] {
                update(&NETWORK.rows, sums, off.of(view), on.of(view));
            } else {
                // The king has crossed the middle or changed its king bucket, so every input is another one.
                *sums = NETWORK.biases;
                let all = pieces.inputs(pieces.occupied(), now);
                update(&NETWORK.rows, sums, &[], all.of(view));
            }
        }
        self.pieces = *pieces;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::checksum::fnv1a;
    use crate::base::cpu::{Portable, Task, dispatch_vectors};
    use crate::base::rng::SplitMix64;

    use crate::game::network::{HIDDEN_ONE, WEIGHT_ONE};
    use crate::game::random_play;

    struct Evaluate<'a> {
        pos: &'a Position,
        accumulators: &'a mut Accumulators,
    }

    impl Task for Evaluate<'_> {
        type Output = i32;
        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> i32 {
            self.accumulators.evaluate(self.pos, cpu)
        }
    }

    fn evaluate(pos: &Position, accumulators: &mut Accumulators) -> i32 {
        dispatch_vectors(Evaluate { pos, accumulators })
    }

    /// The reference implementation: plain loops in 64 bits.
    fn reference(pos: &Position) -> i32 {
        let us = pos.side();
        let layers = layers(pos.occupied().count());
        let mut hidden = [[0; HIDDEN]; 2];
        for (half, view) in [us, us.flip()].into_iter().enumerate() {
            for (i, value) in hidden[half].iter_mut().enumerate() {
                let mut sum = i64::from(NETWORK.biases[i]);
                inputs::each(pos, view, |input| {
                    sum += i64::from(NETWORK.rows[input][i].cast_signed());
                });
                let clamped = sum.clamp(0, i64::from(HIDDEN_ONE));
                *value = (clamped * clamped + 256) / 512;
            }
        }
        let sum_of = |weight: &dyn Fn(usize, usize) -> i64| -> i64 {
            let places = (0..2).flat_map(|half| (0..HIDDEN).map(move |i| (half, i)));
            places.map(|(half, i)| hidden[half][i] * weight(half, i)).sum()
        };
        let straight = sum_of(&|half, i| i64::from(layers.straight[half][i]));
        let mut output = 8 * (i64::from(layers.bias) + straight);
        for neuron in 0..NEURON_BLOCKS * LANES {
            let (block, lane) = (neuron / LANES, neuron % LANES);
            let weighted = sum_of(&|half, i| {
                let at = half * HIDDEN + i;
                i64::from(layers.neurons[at / 4][block][lane][at % 4])
            });
            let sum = (i64::from(layers.biases[block][lane]) + weighted).div_euclid(16);
            let squared = (sum * sum / 1016).min(1016);
            output += sum.clamp(0, 1016) * i64::from(layers.output[0][block][lane]);
            output += squared * i64::from(layers.output[1][block][lane]);
        }
        (output * i64::from(SCALE) / (1016 * 1024)) as i32
    }

    /// All positions of some random games.
    fn positions(games: u64) -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 0..games {
            let mut rng = SplitMix64::new(seed);
            positions.extend(random_play::positions(Position::default(), 200, &mut rng));
        }
        positions
    }

    #[test]
    fn the_committed_file_is_undamaged() {
        let (body, checksum) = include_bytes!("network.bin").split_last_chunk().unwrap();
        assert_eq!(fnv1a(body), u64::from_le_bytes(*checksum));
    }

    #[test]
    fn sums_fit_their_types() {
        for bucket in 0..BUCKETS {
            let layers = layers(32 * bucket as u32 / BUCKETS as u32 + 1);
            let straight = layers.straight.as_flattened();
            let output = layers.output.as_flattened().as_flattened();
            for weight in straight.iter().chain(output) {
                assert!(weight.abs() < 2 * WEIGHT_ONE, "{weight}");
            }
            for bias in layers.biases.as_flattened().iter().chain([&layers.bias]) {
                assert!(bias.abs() < 1 << 26, "{bias}");
            }
        }
        // At most 32 inputs are on; none weighs more than the largest.
        for i in 0..HIDDEN {
            let largest =
                NETWORK.rows.iter().map(|row| i32::from(row[i].cast_signed()).abs()).max().unwrap();
            assert!(32 * largest + i32::from(NETWORK.biases[i]).abs() < 1 << 15, "{i}: {largest}");
        }
    }

    #[test]
    fn updated_sums_are_those_of_the_reference() {
        let mut positions: Vec<_> =
            positions(60).into_iter().map(|pos| (pos, reference(&pos))).collect();
        let mut accumulators = Accumulators::default();
        for (pos, expected) in &positions {
            assert_eq!(evaluate(pos, &mut accumulators), *expected, "{pos:?}");
        }
        // In random order, with the sums of other games in the table.
        let mut rng = SplitMix64::new(7);
        for i in (1..positions.len()).rev() {
            positions.swap(i, rng.below(i + 1));
        }
        for (pos, expected) in &positions {
            assert_eq!(evaluate(pos, &mut accumulators), *expected, "{pos:?}");
        }
        assert!(positions.len() > 5_000);
    }

    #[test]
    fn all_cpu_levels_agree() {
        fn by<C: Cpu>(cpu: C, positions: &[Position]) -> Vec<i32> {
            let mut accumulators = Accumulators::default();
            let accumulators = &mut accumulators;
            positions.iter().map(|pos| cpu.run(Evaluate { pos, accumulators })).collect()
        }
        let positions = positions(20);
        let portable = by(Portable, &positions);
        #[cfg(target_arch = "x86_64")]
        {
            use crate::base::cpu::{Avx2, Avx512, Pext, Popcnt};
            let others = [
                Popcnt::detect().map(|cpu| by(cpu, &positions)),
                Pext::detect().map(|cpu| by(cpu, &positions)),
                Avx2::detect().map(|cpu| by(cpu, &positions)),
                Avx512::detect().map(|cpu| by(cpu, &positions)),
            ];
            assert!(others.iter().flatten().all(|values| *values == portable));
        }
        #[cfg(target_arch = "aarch64")]
        assert_eq!(by(crate::base::cpu::Neon, &positions), portable);
        let expected: Vec<i32> = positions.iter().map(reference).collect();
        assert_eq!(portable, expected);
    }
}
