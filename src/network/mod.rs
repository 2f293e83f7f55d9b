//! Small, efficiently updatable neural networks: the shape, the integers and the file of both games' networks.
//!
//! Each game defines its inputs (`eval/inputs.rs`), has its weights in `eval/network.bin`, and evaluates positions with
//! [`Accumulators`]. `accumulators` updates the hidden sums, `layers` has the arithmetic after them.
//! `tests/tools/training` trains networks; `tests/tools/README.md` says how.
//!
//! # Shape
//!
//! The network sees the board twice: as the side to move and as its opponent see it. In each view, the view's own
//! soldiers or pawns move up the board. Each piece turns on one input of each view.
//!
//! ```text
//! input = ((king * 4 + class) * pieces + piece) * squares + square
//!
//!   king     king bucket: by the square of the view's own king (chess 2, xiangqi 2)
//!   class    0: not attacked, not defended    1: attacked    2: defended    3: attacked and defended
//!   piece    own pieces by kind, then those of the opponent (chess 12, xiangqi 14)
//!   square   of the view (chess 64, xiangqi 90)
//!
//! king bucket and class together are the set of an input: 8 sets of 768 inputs in chess, 8 of 1,260 in xiangqi
//!
//!     view of the side to move             view of the opponent
//!          I = 6,144 or 10,080                 I inputs
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
//!                              output                 for the side to move; the file says how many centipawns 1 is
//! ```
//!
//! Training compares the sigmoid of the output with that of a search's score. Sources: incremental update (NNUE, Nasu
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
//! | neuron values | `i32` | 16,256 / 16 = 1,016 | x = sum / 16: clamped to 0..=1,016; squared, x² / 1,016, at most 1,016 |
//! | output weight, straight weight | `i16` | 1,024 | ±2,028, which is ±1.98 |
//! | straight sum, output bias | `i32` | 127 · 1,024 = 130,048 | 256 · 127 · 2,028, and a bias below 2²⁶ |
//! | output | `i32` | 1,016 · 1,024 = 1,040,384 | 8 · (straight sum + bias) + 64 · 1,016 · 2,028 < 1.2 · 10⁹ |
//!
//! 255 is the largest number whose square fits 16 bits. 127 is the largest factor for AVX2, which adds two products
//! with bytes in 16 bits: 2 · 127 · 128 = 32,512. Dividing the neuron sum by 16 keeps squares, and products with the
//! output weights, within 32 bits. The training keeps the weights within their ranges, and `build.rs` refuses a file
//! whose sums could overflow.
//!
//! # File
//!
//! | bytes | content | type |
//! |---|---|---|
//! | 4 | the game: `TBN5` for chess, `TBX5` for xiangqi | |
//! | 5 · 2 | inputs I of a view, hidden values of a view, neurons, output buckets, centipawns of an output of 1 | `u16` |
//! | I · 128 | input weights: a row of hidden values for each input | `i8` |
//! | 128 · 2 | hidden biases | `i16` |
//! | 8 · 32 · 256 | neuron weights for each output bucket and neuron: side to move's view, then opponent's | `i8` |
//! | 8 · 256 · 2 | straight weights for each bucket, in the same order | `i16` |
//! | 8 · 64 · 2 | output weights for each bucket: of the clamped sums, then of the squared ones | `i16` |
//! | 8 · 32 · 4 | neuron biases for each bucket | `i32` |
//! | 8 · 4 | output biases | `i32` |
//! | 8 | FNV-1a of all bytes before | `u64` |
//!
//! All numbers are little-endian. `EVALFILE` in the environment of the build names a file to use instead of the
//! committed one of its game. For another shape, change the constants below or the game's inputs, train networks and
//! replace the files.

mod accumulators;
mod layers;
pub mod products;

pub use self::accumulators::{Accumulators, Piece, Pieces};
use self::layers::Layers;
pub use self::layers::{BIAS_ONE, HIDDEN_ONE, NEURON_BIAS_ONE, NEURON_WEIGHT_ONE, OUTPUT_ONE, WEIGHT_ONE};
use self::products::{LANES, QuadWeights};
use crate::base::bits::BitSet;
use crate::base::cpu::{Cpu, CpuTask, dispatch_vectors};
use crate::game::{Position, Searchable, Side};
use std::ops::{BitAnd, BitOr, BitXor};

/// Hidden values of one view.
pub const HIDDEN: usize = 128;
/// Neurons of the second layer, a multiple of [`LANES`].
pub const NEURONS: usize = 32;
/// Sets of weights of the layers after the hidden one; the number of pieces chooses one.
pub const BUCKETS: usize = 8;
/// Classes of pieces: neither attacked nor defended, attacked, defended, both.
pub const CLASSES: usize = 4;
/// Sets of inputs of one view, in every game: two king buckets times the classes.
pub const SETS: usize = 2 * CLASSES;
/// Most pieces of a position, and so most inputs that are on in one view.
pub const MAX_ACTIVE: usize = 32;

/// Bytes of a network file before the first weight.
pub const HEADER: usize = 14;
/// Bytes of a network file after the last bias.
const CHECKSUM: usize = 8;
/// Neurons in vectors.
const NEURON_BLOCKS: usize = NEURONS / LANES;

/// A square of the game `B`.
pub type SquareOf<B> = <<B as NetworkInputs>::Squares as BitSet>::Square;

/// How a view sees the board: all that the inputs of its pieces depend on besides the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orientation {
    /// How the board is flipped and mirrored, as the game's [`NetworkInputs::seen`] has it.
    pub turn: usize,
    /// The first input of the king's bucket.
    pub first: usize,
}

impl Orientation {
    /// The orientation of a view of `B` with its king in `bucket`.
    #[inline(always)]
    pub fn new<B: NetworkInputs>(turn: usize, bucket: usize) -> Orientation {
        Orientation { turn, first: bucket * CLASSES * B::INPUTS }
    }
}

/// A game that is evaluated by a network.
pub trait NetworkInputs: Searchable {
    /// First bytes of a network file.
    const FORMAT: &[u8; 4];
    const SQUARES: usize;
    /// Inputs of a set: one for each owner, kind of piece and square.
    const INPUTS: usize;
    type Squares: BitSet
        + Default
        + Send
        + BitAnd<Output = Self::Squares>
        + BitOr<Output = Self::Squares>
        + BitXor<Output = Self::Squares>;
    /// A set of squares for each kind of piece; the king is the last kind.
    type Kinds: Copy + Default + Send + AsRef<[Self::Squares]>;

    fn network() -> &'static Network;
    /// All that the inputs depend on.
    fn network_pieces(&self) -> Pieces<Self>;
    /// The orientation of `view`, whose king is the only member of `king`. Any one will do for the empty set.
    fn orientation(king: Self::Squares, view: Side) -> Orientation;
    /// The number of a square in views with [`Orientation::turn`] `turn`.
    fn seen(turn: usize, square: SquareOf<Self>) -> usize;
    /// The network's `value` for the side to move, corrected by what the network does not know.
    fn corrected(position: &Position<Self>, value: i32) -> i32;

    /// The input of a piece in `view`: the number of its set times [`NetworkInputs::INPUTS`] plus its number in the
    /// set.
    #[inline(always)]
    fn input(view: Side, orientation: Orientation, piece: Piece<Self>) -> usize {
        let other = usize::from(piece.side != view);
        let in_set =
            other * (Self::INPUTS / 2) + piece.kind * Self::SQUARES + Self::seen(orientation.turn, piece.square);
        orientation.first + piece.class * Self::INPUTS + in_set
    }
    /// The position with left and right exchanged, if the rules are the same for both: training uses it for half of the
    /// positions.
    fn mirrored(_position: &Position<Self>) -> Option<Position<Self>> {
        None
    }
    /// Calls `on` with the inputs that are on in `view`, one for each piece.
    fn inputs(&self, view: Side, mut on: impl FnMut(usize)) {
        let pieces = self.network_pieces();
        let orientation = pieces.orientation(view);
        for square in pieces.occupied().squares() {
            on(Self::input(view, orientation, pieces.piece(square)));
        }
    }
}

/// Limit of the network's values. Values so far above the most valuable piece have no meaning.
const LARGEST: i32 = 10_000;

/// The value of the position for the side to move, in centipawns.
#[inline]
pub fn evaluate<B: NetworkInputs>(pos: &Position<B>, memo: &mut Accumulators<B>) -> i32 {
    dispatch_vectors(Evaluate { pos, memo })
}

struct Evaluate<'a, B: NetworkInputs> {
    pos: &'a Position<B>,
    memo: &'a mut Accumulators<B>,
}

impl<B: NetworkInputs> CpuTask for Evaluate<'_, B> {
    type Output = i32;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Evaluate { pos, memo } = self;
        let value = memo.evaluate(pos, cpu).clamp(-LARGEST, LARGEST);
        B::corrected(pos, value)
    }
}

/// The input weights of a game with `INPUTS` inputs of a view, each a row for the hidden sums. Each byte is an `i8`.
#[repr(C, align(64))]
pub struct Rows<const INPUTS: usize>(pub [[u8; HIDDEN]; INPUTS]);

impl<const INPUTS: usize> Rows<INPUTS> {
    /// Reads them from a network file that [`has_shape`] with `INPUTS` inputs.
    pub const fn read(file: &[u8]) -> Self {
        // Copied as a whole: the compiler would take ten seconds for a loop over the bytes.
        let (rows, _) = file.split_at(HEADER).1.split_at(INPUTS * HIDDEN);
        Rows(*rows.as_chunks().0.first_chunk().unwrap())
    }
}

/// The weights of a network. Each table starts at a cache line.
#[repr(C, align(64))]
pub struct Network {
    biases: [i16; HIDDEN],
    neurons: [[QuadWeights<NEURON_BLOCKS>; HIDDEN / 2]; BUCKETS],
    straight: [[[i16; HIDDEN]; 2]; BUCKETS],
    output: [[[[i16; LANES]; NEURON_BLOCKS]; 2]; BUCKETS],
    neuron_biases: [[[i32; LANES]; NEURON_BLOCKS]; BUCKETS],
    output_biases: [i32; BUCKETS],
    rows: &'static [[u8; HIDDEN]],
    /// Centipawns of an output of 1. Every network has its own.
    pub scale: u16,
}

/// A number of a file's header.
const fn header(file: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([file[at], file[at + 1]])
}

/// Whether the file is of a network with `inputs` inputs of a view and the constants of this module.
pub const fn has_shape(file: &[u8], inputs: usize) -> bool {
    header(file, 4) as usize == inputs
        && header(file, 6) as usize == HIDDEN
        && header(file, 8) as usize == NEURONS
        && header(file, 10) as usize == BUCKETS
}

/// Fills `table` with the first numbers of `file` and returns the rest.
const fn fill_i16<'a>(file: &'a [u8], table: &mut [i16]) -> &'a [u8] {
    let (numbers, rest) = file.split_at(size_of_val(table));
    let (numbers, mut i) = (numbers.as_chunks().0, 0);
    while i < table.len() {
        table[i] = i16::from_le_bytes(numbers[i]);
        i += 1;
    }
    rest
}

/// The same for numbers of 32 bits.
const fn fill_i32<'a>(file: &'a [u8], table: &mut [i32]) -> &'a [u8] {
    let (numbers, rest) = file.split_at(size_of_val(table));
    let (numbers, mut i) = (numbers.as_chunks().0, 0);
    while i < table.len() {
        table[i] = i32::from_le_bytes(numbers[i]);
        i += 1;
    }
    rest
}

impl Network {
    /// Reads a network file, whose input weights are `rows`.
    pub const fn read(file: &[u8], rows: &'static [[u8; HIDDEN]]) -> Network {
        let mut network = Network {
            rows,
            scale: header(file, 12),
            biases: [0; _],
            neurons: [[[[[0; _]; _]; _]; _]; _],
            straight: [[[0; _]; _]; _],
            output: [[[[0; _]; _]; _]; _],
            neuron_biases: [[[0; _]; _]; _],
            output_biases: [0; _],
        };
        let file = file.split_at(HEADER + rows.len() * HIDDEN).1;
        let file = fill_i16(file, &mut network.biases);
        // From rows of neurons to the order of `add_products`: four weights of every neuron at a time.
        let (weights, file) = file.split_at(BUCKETS * NEURONS * 2 * HIDDEN);
        let mut i = 0;
        while i < weights.len() {
            let (row, at) = (i / (2 * HIDDEN), i % (2 * HIDDEN));
            let (bucket, neuron) = (row / NEURONS, row % NEURONS);
            network.neurons[bucket][at / 4][neuron / LANES][neuron % LANES][at % 4] = weights[i].cast_signed();
            i += 1;
        }
        let file = fill_i16(file, network.straight.as_flattened_mut().as_flattened_mut());
        let file = fill_i16(file, network.output.as_flattened_mut().as_flattened_mut().as_flattened_mut());
        let file = fill_i32(file, network.neuron_biases.as_flattened_mut().as_flattened_mut());
        let file = fill_i32(file, &mut network.output_biases);
        assert!(file.len() == CHECKSUM, "network (EVALFILE): the length of the file does not match its header");
        network
    }

    /// The layers after the hidden one for a position with this many pieces.
    #[inline(always)]
    fn layers(&self, pieces: u32) -> Layers<'_, HIDDEN, NEURON_BLOCKS> {
        let bucket = (pieces as usize - 1) * BUCKETS / MAX_ACTIVE;
        Layers {
            neurons: &self.neurons[bucket],
            biases: &self.neuron_biases[bucket],
            straight: &self.straight[bucket],
            output: &self.output[bucket],
            bias: self.output_biases[bucket],
        }
    }
}

#[cfg(all(feature = "chess", feature = "xiangqi"))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::checksum::fnv1a;
    use crate::base::cpu::Portable;
    use crate::base::rng::SplitMix64;
    use crate::base::sample;
    use crate::game::random_play;
    use crate::{chess, xiangqi};

    struct Raw<'a, B: NetworkInputs> {
        pos: &'a Position<B>,
        accumulators: &'a mut Accumulators<B>,
    }

    impl<B: NetworkInputs> CpuTask for Raw<'_, B> {
        type Output = i32;
        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> i32 {
            self.accumulators.evaluate(self.pos, cpu)
        }
    }

    fn evaluate<B: NetworkInputs>(pos: &Position<B>, accumulators: &mut Accumulators<B>) -> i32 {
        dispatch_vectors(Raw { pos, accumulators })
    }

    /// The reference implementation: plain loops in 64 bits.
    fn reference<B: NetworkInputs>(pos: &Position<B>) -> i32 {
        let (us, network) = (pos.side(), B::network());
        let layers = network.layers(pos.piece_count());
        let mut hidden = [[0; HIDDEN]; 2];
        for (half, view) in [us, us.flip()].into_iter().enumerate() {
            for (i, value) in hidden[half].iter_mut().enumerate() {
                let mut sum = i64::from(network.biases[i]);
                pos.inputs(view, |input| sum += i64::from(network.rows[input][i].cast_signed()));
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
        (output * i64::from(network.scale) / (1016 * 1024)) as i32
    }

    /// All positions of some random games.
    fn positions<B: NetworkInputs>(games: u64) -> Vec<Position<B>> {
        let mut positions = Vec::new();
        for seed in 0..games {
            let mut rng = SplitMix64::new(seed);
            positions.extend(random_play::positions(Position::<B>::default(), 200, &mut rng));
        }
        positions
    }

    #[test]
    fn the_committed_files_are_undamaged() {
        let chess: &[u8] = include_bytes!("../chess/eval/network.bin");
        let xiangqi: &[u8] = include_bytes!("../xiangqi/eval/network.bin");
        for (file, format) in [(chess, chess::Board::FORMAT), (xiangqi, xiangqi::Board::FORMAT)] {
            let (body, checksum) = file.split_last_chunk().unwrap();
            assert_eq!(fnv1a(body), u64::from_le_bytes(*checksum));
            assert!(file.starts_with(format));
        }
    }

    fn check_inputs<B: NetworkInputs>() {
        for pos in positions::<B>(20) {
            let pieces = pos.piece_count() as usize;
            for view in Side::BOTH {
                let mut all = Vec::new();
                pos.inputs(view, |input| all.push(input));
                assert!(all.iter().all(|&input| input < SETS * B::INPUTS), "{pos:?}");
                let mut places: Vec<usize> = all.iter().map(|input| input % B::INPUTS).collect();
                places.sort_unstable();
                places.dedup();
                assert_eq!((all.len(), places.len()), (pieces, pieces), "{pos:?}");
            }
        }
    }

    #[test]
    fn every_piece_has_one_input() {
        check_inputs::<chess::Board>();
        check_inputs::<xiangqi::Board>();
    }

    fn check_ranges<B: NetworkInputs>() {
        let network = B::network();
        for bucket in 0..BUCKETS {
            let layers = network.layers((MAX_ACTIVE * bucket / BUCKETS + 1) as u32);
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
            let largest = network.rows.iter().map(|row| i32::from(row[i].cast_signed()).abs()).max().unwrap();
            assert!(32 * largest + i32::from(network.biases[i]).abs() < 1 << 15, "{i}: {largest}");
        }
    }

    #[test]
    fn sums_fit_their_types() {
        check_ranges::<chess::Board>();
        check_ranges::<xiangqi::Board>();
    }

    fn check_updates<B: NetworkInputs>() {
        let mut positions: Vec<(Position<B>, i32)> =
            positions(sample(20, 60)).into_iter().map(|pos| (pos, reference(&pos))).collect();
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
        assert!(positions.len() > sample(1_500, 5_000));
    }

    #[test]
    fn updated_sums_are_those_of_the_reference() {
        check_updates::<chess::Board>();
        check_updates::<xiangqi::Board>();
    }

    fn check_levels<B: NetworkInputs>() {
        fn by<B: NetworkInputs, C: Cpu>(cpu: C, positions: &[Position<B>]) -> Vec<i32> {
            let mut accumulators = Accumulators::default();
            let accumulators = &mut accumulators;
            positions.iter().map(|pos| cpu.enter(Raw { pos, accumulators })).collect()
        }
        let positions: Vec<Position<B>> = positions(20);
        let portable = by(Portable, &positions);
        #[cfg(target_arch = "x86_64")]
        {
            use crate::base::cpu::Popcnt;
            #[cfg(feature = "vectors")]
            use crate::base::cpu::{Avx2, Avx512, Avx512Bw};
            let others = [
                Popcnt::detect().map(|cpu| by(cpu, &positions)),
                #[cfg(feature = "vectors")]
                Avx2::detect().map(|cpu| by(cpu, &positions)),
                #[cfg(feature = "vectors")]
                Avx512::detect().map(|cpu| by(cpu, &positions)),
                #[cfg(feature = "vectors")]
                Avx512Bw::detect().map(|cpu| by(cpu, &positions)),
            ];
            assert!(others.iter().flatten().all(|values| *values == portable));
        }
        #[cfg(all(target_arch = "aarch64", feature = "vectors"))]
        assert_eq!(by(crate::base::cpu::Neon, &positions), portable);
        let expected: Vec<i32> = positions.iter().map(reference).collect();
        assert_eq!(portable, expected);
    }

    #[test]
    fn all_cpu_levels_agree() {
        check_levels::<chess::Board>();
        check_levels::<xiangqi::Board>();
    }
}
