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
use crate::game::network::{Aligned, centipawns, half_output, update};

/// The weights, made by `build.rs` from `src/tablegen/chess_network.bin`.
#[allow(clippy::unreadable_literal)]
mod weights {
    use super::Aligned;
    include!("../../../generated/chess_network.rs");
}

use weights::{BIASES, BUCKETS, HIDDEN, INPUTS, OUTPUT, OUTPUT_BIASES, ROWS, SCALE};

/// Classes of men, as many as the weights have.
const CLASSES: usize = INPUTS / inputs::INPUTS;

const _: () = assert!(INPUTS == CLASSES * inputs::INPUTS);
const _: () = assert!(CLASSES == 1 || CLASSES == inputs::CLASSES);

/// Plies whose sums are remembered; a power of two.
const PLIES: usize = 64;
/// Most men that two positions can have in different places: all of both.
const MOST: usize = 64;

/// The men of a position, and the squares that either side attacks: all that inputs depend on. With one class of men
/// these sets stay empty.
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
        let attacks = match CLASSES {
            1 => [Bitboard::EMPTY; 2],
            _ => [
                attacked_by::<White, C>(pos, cpu, occupied),
                attacked_by::<Black, C>(pos, cpu, occupied),
            ],
        };
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

    /// The input of the man on `square`, which is occupied.
    #[inline(always)]
    fn input(&self, view: Side, orientation: Orientation, square: usize) -> u16 {
        let bit = |set: Bitboard| (set.0 >> square) as usize & 1;
        let kind = (1..6).map(|kind| kind * bit(self.kinds[kind])).sum::<usize>();
        let kind = Kind::ALL[kind.min(5)];
        let side = if bit(self.sides[1]) == 0 { Side::First } else { Side::Second };
        let class = class(self.attacks, side, square);
        input(view, orientation, Man { side, kind, square, class }) as u16
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
        let bucket = (pos.occupied().count() as usize - 1) * BUCKETS / 32;
        let [own, other] = &OUTPUT.0[bucket];
        let halves = [half_output(&slot.sums[us], own), half_output(&slot.sums[1 - us], other)];
        centipawns(halves, OUTPUT_BIASES[bucket], SCALE as i32)
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
        for view in Side::BOTH {
            slot.update_view(&men, view, changed);
        }
        slot.men = men;
        slot
    }
}

impl Slot {
    /// Brings the sums that `view` sees up to date with `men`; the men of the slot stay what they were.
    #[inline(always)]
    fn update_view(&mut self, men: &Men, view: Side, changed: Bitboard) {
        let orientation = men.orientation(view);
        let sums = &mut self.sums[view.index()];
        let (mut off, mut on) = ([0; MOST], [0; MOST]);
        let (mut offs, mut ons) = (0, 0);
        let mut changed = changed;
        if orientation == self.men.orientation(view) {
            for square in changed & self.men.occupied() {
                off[offs] = self.men.input(view, orientation, square.index());
                offs += 1;
            }
        } else {
            // The king has crossed the middle: every input is another one.
            *sums = BIASES.0;
            changed = men.occupied();
        }
        for square in changed & men.occupied() {
            on[ons] = men.input(view, orientation, square.index());
            ons += 1;
        }
        update(&ROWS.0, sums, &off[..offs], &on[..ons]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cpu::{Portable, Task, dispatch_vectors};
    use crate::base::rng::SplitMix64;
    use crate::chess::board::movegen::ChessList;
    use crate::game::network::{HIDDEN_ONE, OUTPUT_ONE};
    use crate::game::{Notation, Rules};

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

    /// The network as it is written on paper, in exact fractions of its units.
    fn on_paper(pos: &Position) -> i32 {
        let us = pos.side();
        let bucket = (pos.occupied().count() as usize - 1) * BUCKETS / 32;
        let mut sum = 0;
        for (half, view) in [us, us.flip()].into_iter().enumerate() {
            for i in 0..HIDDEN {
                let mut hidden = i64::from(BIASES.0[i]);
                inputs::each(pos, view, CLASSES, |input| {
                    hidden += i64::from(ROWS.0[input][i]);
                });
                let clamped = hidden.clamp(0, i64::from(HIDDEN_ONE));
                sum += clamped * clamped * i64::from(OUTPUT.0[bucket][half][i]);
            }
        }
        let one = i64::from(HIDDEN_ONE) * i64::from(OUTPUT_ONE);
        let output = sum / i64::from(HIDDEN_ONE) + i64::from(OUTPUT_BIASES[bucket]);
        (output * SCALE as i64 / one) as i32
    }

    /// Positions of random games, one after the other.
    fn positions(games: u64) -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 0..games {
            let mut rng = SplitMix64::new(seed);
            let mut pos = Position::from_fen(Position::START_FEN).unwrap();
            for _ in 0..200 {
                positions.push(pos);
                let mut list = ChessList::default();
                pos.legal_moves(&mut list);
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
        assert!(OUTPUT.0.as_flattened().as_flattened().iter().all(|w| w.abs() <= 127));
        // Thirty-two men at most, of which each kind's largest weight stands for all.
        for i in 0..HIDDEN {
            let largest = ROWS.0.iter().map(|row| i32::from(row[i]).abs()).max().unwrap();
            assert!(32 * largest + i32::from(BIASES.0[i]).abs() < 1 << 15, "{i}: {largest}");
        }
    }

    #[test]
    fn sums_brought_up_to_date_are_those_on_paper() {
        let mut positions = positions(60);
        let mut accumulators = Accumulators::default();
        for pos in &positions {
            assert_eq!(evaluate(pos, &mut accumulators), on_paper(pos), "{pos:?}");
        }
        // In any order, with the remains of other games.
        let mut rng = SplitMix64::new(7);
        for i in (1..positions.len()).rev() {
            positions.swap(i, rng.below(i + 1));
        }
        for pos in &positions {
            assert_eq!(evaluate(pos, &mut accumulators), on_paper(pos), "{pos:?}");
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
