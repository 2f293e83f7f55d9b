//! The network that evaluates chess positions, and the sums of its hidden layer, kept from one position to the next.
//!
//! Called by `eval`. Searches evaluate positions that differ by a few men from one evaluated shortly before, at the
//! same ply or one or two plies up; the sums of that one are brought up to date by the rows of the men that differ
//! (an efficiently updatable network, Nasu 2018). Nobody has to tell what moves were made, so the sums are right for
//! any sequence of positions whatever.

use super::inputs::{self, Man, Orientation, class, input};
use crate::base::cpu::Cpu;
use crate::chess::board::attacks::attacked_by;
use crate::chess::board::position::Position;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::{Black, Kind, White};
use crate::chess::types::square::Square;
use crate::game::Side;
use crate::game::network::{Aligned, Layers, OUTPUT_ONE, rows, update};

/// The weights, made by `build.rs` from `src/tablegen/chess_network.bin`.
#[allow(clippy::unreadable_literal, clippy::type_complexity, long_running_const_eval)]
mod weights {
    use super::{Aligned, rows};
    include!("../../../generated/chess_network.rs");
}

use weights::{BIASES, BUCKETS, HIDDEN, INPUTS, NEURON_BLOCKS, ROWS, SCALE};

/// The layers after the hidden one for a position with so many men.
#[inline(always)]
fn layers(men: u32) -> Layers<'static, HIDDEN, NEURON_BLOCKS> {
    let bucket = (men as usize - 1) * BUCKETS / 32;
    Layers {
        neurons: &weights::NEURONS.0[bucket],
        biases: &weights::NEURON_BIASES[bucket],
        straight: &weights::STRAIGHT.0[bucket],
        output: &weights::OUTPUT.0[bucket],
        bias: weights::OUTPUT_BIASES[bucket],
    }
}

const _: () = assert!(INPUTS == inputs::SETS * inputs::INPUTS);

/// Plies whose sums are remembered; a power of two.
const PLIES: usize = 64;
/// Most men that two positions can have in different places: all of both.
const MOST: usize = 64;

/// The men of a position, and the squares that either side attacks: all that inputs depend on. With one set of inputs
/// the squares stay empty.
#[derive(Clone, Copy)]
struct Men {
    kinds: [Bitboard; 6],
    sides: [Bitboard; 2],
    attacks: [Bitboard; 2],
}

impl Men {
    /// The empty board.
    const NONE: Men = Men {
        kinds: [Bitboard::EMPTY; 6],
        sides: [Bitboard::EMPTY; 2],
        attacks: [Bitboard::EMPTY; 2],
    };

    #[inline(always)]
    fn of<C: Cpu>(pos: &Position, cpu: C) -> Men {
        let occupied = pos.occupied();
        let attacks = [
            attacked_by::<White, C>(pos, cpu, occupied),
            attacked_by::<Black, C>(pos, cpu, occupied),
        ];
        Men { kinds: pos.kinds, sides: pos.sides, attacks }
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The squares whose inputs differ: there is another man, or the same in another class.
    #[inline(always)]
    fn changed(&self, other: &Men) -> Bitboard {
        let differ = |a: [Bitboard; 2], b: [Bitboard; 2]| a[0] ^ b[0] | a[1] ^ b[1];
        let classes = differ(self.attacks, other.attacks) & other.occupied();
        (0..6).fold(classes | differ(self.sides, other.sides), |set, kind| {
            set | self.kinds[kind] ^ other.kinds[kind]
        })
    }

    /// How `view` sees the board; anyhow for the empty one, which looks the same from everywhere.
    #[inline(always)]
    fn orientation(&self, view: Side) -> Orientation {
        let king = self.kinds[Kind::King.index()] & self.sides[view.index()];
        Orientation::of(Square::wrapping(king.0.trailing_zeros()), view)
    }

    /// The man on `square`, which is occupied.
    #[inline(always)]
    fn man(&self, square: Square) -> Man {
        let square = square.index();
        let bit = |set: Bitboard| (set.0 >> square) as usize & 1;
        let kind = (1..6).map(|kind| kind * bit(self.kinds[kind])).sum::<usize>();
        let kind = Kind::ALL[kind.min(5)];
        let side = if bit(self.sides[1]) == 0 { Side::First } else { Side::Second };
        Man { side, kind, square, class: class(self.attacks, side, square) }
    }

    /// The inputs of the men on `squares`, as White and as Black see the board.
    #[inline(always)]
    fn inputs(&self, squares: Bitboard, orientations: [Orientation; 2]) -> Inputs {
        let mut inputs = Inputs { seen: [[0; MOST]; 2], count: 0 };
        for square in squares {
            let man = self.man(square);
            for view in Side::BOTH {
                let input = input(view, orientations[view.index()], man);
                inputs.seen[view.index()][inputs.count] = input as u16;
            }
            inputs.count += 1;
        }
        inputs
    }
}

/// Inputs of some men.
struct Inputs {
    seen: [[u16; MOST]; 2],
    count: usize,
}

impl Inputs {
    /// As `view` sees them.
    #[inline(always)]
    fn of(&self, view: Side) -> &[u16] {
        &self.seen[view.index()][..self.count]
    }
}

/// A position's men and its sums, as White and as Black see them.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Slot {
    sums: [[i16; HIDDEN]; 2],
    men: Men,
}

/// What one search thread remembers of the positions it has evaluated.
pub struct Accumulators {
    slots: Box<[Slot]>,
}

impl Default for Accumulators {
    fn default() -> Self {
        Accumulators {
            slots: vec![Slot { sums: [BIASES.0; 2], men: Men::NONE }; PLIES].into_boxed_slice(),
        }
    }
}

impl Accumulators {
    /// The value of the position for the side to move, in centipawns. To be run for the widest vectors there are.
    #[inline(always)]
    pub(super) fn evaluate<C: Cpu>(&mut self, pos: &Position, cpu: C) -> i32 {
        let slot = self.bring_up_to_date(pos, Men::of(pos, cpu));
        let us = pos.side().index();
        let output =
            layers(pos.occupied().count()).output(cpu, [us, 1 - us].map(|side| &slot.sums[side]));
        (i64::from(output) * SCALE as i64 / i64::from(OUTPUT_ONE)) as i32
    }

    /// The sums of `pos` with its `men`, from those of the most alike of the positions at its ply and the two before.
    #[inline(always)]
    fn bring_up_to_date(&mut self, pos: &Position, men: Men) -> &Slot {
        let ply = 2 * usize::from(pos.fullmove_number()) + pos.side().index();
        let target = ply % PLIES;
        let (mut source, mut changed) = (target, self.slots[target].men.changed(&men));
        for back in 1..=2 {
            let other = (ply + PLIES - back) % PLIES;
            let differs = self.slots[other].men.changed(&men);
            if differs.count() < changed.count() {
                (source, changed) = (other, differs);
            }
        }
        if source != target {
            self.slots.copy_within(source..=source, target);
        }
        let slot = &mut self.slots[target];
        slot.update(&men, changed);
        slot
    }
}

impl Slot {
    /// Makes this the slot of `men`, of whom those on the squares of `changed` are not what they were.
    #[inline(always)]
    fn update(&mut self, men: &Men, changed: Bitboard) {
        let [before, now] =
            [&self.men, men].map(|men| Side::BOTH.map(|view| men.orientation(view)));
        let off = self.men.inputs(changed & self.men.occupied(), before);
        let on = men.inputs(changed & men.occupied(), now);
        for view in Side::BOTH {
            let sums = &mut self.sums[view.index()];
            if before[view.index()] == now[view.index()] {
                update(&ROWS.0, sums, off.of(view), on.of(view));
            } else {
                // The king has crossed the middle or left its bucket: every input is another one.
                *sums = BIASES.0;
                update(&ROWS.0, sums, &[], men.inputs(men.occupied(), now).of(view));
            }
        }
        self.men = *men;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cpu::{LANES, Portable, Task, dispatch_vectors};
    use crate::base::rng::SplitMix64;

    use crate::game::Notation;
    use crate::game::network::{HIDDEN_ONE, WEIGHT_ONE};

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

    /// The network as it is written on paper, number by number.
    fn on_paper(pos: &Position) -> i32 {
        let us = pos.side();
        let layers = layers(pos.occupied().count());
        let mut hidden = [[0; HIDDEN]; 2];
        for (half, view) in [us, us.flip()].into_iter().enumerate() {
            for (i, value) in hidden[half].iter_mut().enumerate() {
                let mut sum = i64::from(BIASES.0[i]);
                inputs::each(pos, view, |input| {
                    sum += i64::from(ROWS.0[input][i]);
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
            let weighed = sum_of(&|half, i| {
                let at = half * HIDDEN + i;
                i64::from(layers.neurons[at / 4][block][lane][at % 4])
            });
            let sum = (i64::from(layers.biases[block][lane]) + weighed).div_euclid(16);
            let squared = (sum * sum / 1016).min(1016);
            output += sum.clamp(0, 1016) * i64::from(layers.output[0][block][lane]);
            output += squared * i64::from(layers.output[1][block][lane]);
        }
        (output * SCALE as i64 / (1016 * 1024)) as i32
    }

    /// Positions of random games, one after the other.
    fn positions(games: u64) -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 0..games {
            let mut rng = SplitMix64::new(seed);
            let mut pos = Position::from_fen(Position::START_FEN).unwrap();
            for _ in 0..200 {
                positions.push(pos);
                let list = pos.legal_moves();
                if list.is_empty() {
                    break;
                }
                pos.make(list[rng.below(list.len())]);
            }
        }
        positions
    }

    #[test]
    fn the_weights_keep_within_sixteen_and_thirty_two_bits() {
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
        // Thirty-two men at most, of which each kind's largest weight stands for all.
        for i in 0..HIDDEN {
            let largest = ROWS.0.iter().map(|row| i32::from(row[i]).abs()).max().unwrap();
            assert!(32 * largest + i32::from(BIASES.0[i]).abs() < 1 << 15, "{i}: {largest}");
        }
    }

    #[test]
    fn sums_brought_up_to_date_are_those_on_paper() {
        let mut positions: Vec<_> =
            positions(60).into_iter().map(|pos| (pos, on_paper(&pos))).collect();
        let mut accumulators = Accumulators::default();
        for (pos, expected) in &positions {
            assert_eq!(evaluate(pos, &mut accumulators), *expected, "{pos:?}");
        }
        // In any order, with the remains of other games.
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
    fn every_level_of_cpu_gives_the_same() {
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
        let paper: Vec<i32> = positions.iter().map(on_paper).collect();
        assert_eq!(portable, paper);
    }
}
