//! The hidden sums of a network, updated from position to position.
//!
//! Each game's `eval` keeps [`Accumulators`] for each search thread and fills [`Pieces`]; the head of `network`
//! explains the network.

use super::layers::{OUTPUT_ONE, update};
use super::{HIDDEN, MAX_ACTIVE, NetworkInputs, Orientation, SquareOf};
use crate::base::bits::BitSet;
use crate::base::cpu::Cpu;
use crate::game::Position;
use crate::game::side::Side;

/// Plies whose hidden sums are kept; a power of two.
const PLIES: usize = 64;

/// The pieces of a position and the squares that each side attacks: all that the inputs depend on.
#[derive(Clone, Copy)]
pub struct Pieces<B: NetworkInputs> {
    /// The pieces of each kind.
    pub kinds: B::Kinds,
    /// The pieces of each side.
    pub sides: [B::Squares; 2],
    /// Squares that each side attacks. Only those with a piece on them matter.
    pub attacks: [B::Squares; 2],
}

#[derive(Clone, Copy)]
pub struct Piece<B: NetworkInputs> {
    pub side: Side,
    pub kind: usize,
    pub square: SquareOf<B>,
    /// 0: neither attacked nor defended, 1: attacked, 2: defended, 3: both.
    pub class: usize,
}

impl<B: NetworkInputs> Default for Pieces<B> {
    /// The empty board.
    fn default() -> Self {
        Pieces { kinds: B::Kinds::default(), sides: Default::default(), attacks: Default::default() }
    }
}

impl<B: NetworkInputs> Pieces<B> {
    #[inline(always)]
    pub fn occupied(&self) -> B::Squares {
        self.sides[0] | self.sides[1]
    }

    /// The squares whose inputs differ: they have another piece, or the same piece in another class.
    #[inline(always)]
    fn changed(&self, other: &Self) -> B::Squares {
        let differ = |a: [B::Squares; 2], b: [B::Squares; 2]| a[0] ^ b[0] | a[1] ^ b[1];
        let mut changed = differ(self.attacks, other.attacks) & other.occupied() | differ(self.sides, other.sides);
        let (kinds, others) = (self.kinds.as_ref(), other.kinds.as_ref());
        for kind in 0..kinds.len() {
            changed = changed | kinds[kind] ^ others[kind];
        }
        changed
    }

    #[inline(always)]
    pub fn orientation(&self, view: Side) -> Orientation {
        let kinds = self.kinds.as_ref();
        B::orientation(kinds[kinds.len() - 1] & self.sides[view.index()], view)
    }

    /// The piece on `square`, which is occupied.
    #[inline(always)]
    pub fn piece(&self, square: SquareOf<B>) -> Piece<B> {
        let bit = |set: B::Squares| usize::from(set.contains(square));
        let mut kind = 0;
        for (at, &set) in self.kinds.as_ref().iter().enumerate() {
            kind += at * bit(set);
        }
        let side = if bit(self.sides[1]) == 0 { Side::First } else { Side::Second };
        let class = bit(self.attacks[side.flip().index()]) + 2 * bit(self.attacks[side.index()]);
        Piece { side, kind, square, class }
    }

    /// The inputs of the pieces on `squares`, in both views.
    #[inline(always)]
    fn inputs(&self, squares: B::Squares, orientations: [Orientation; 2]) -> Inputs {
        let mut inputs = Inputs { by_view: [[0; MAX_ACTIVE]; 2], count: 0 };
        for square in squares.squares() {
            let piece = self.piece(square);
            for view in Side::BOTH {
                let input = B::input(view, orientations[view.index()], piece);
                inputs.by_view[view.index()][inputs.count] = input as u16;
            }
            inputs.count += 1;
        }
        inputs
    }
}

/// Inputs of some pieces in both views.
struct Inputs {
    by_view: [[u16; MAX_ACTIVE]; 2],
    count: usize,
}

impl Inputs {
    #[inline(always)]
    fn of(&self, view: Side) -> &[u16] {
        &self.by_view[view.index()][..self.count]
    }
}

/// The hidden sums of a position, in the first side's view and in the second's.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Accumulator<B: NetworkInputs> {
    sums: [[i16; HIDDEN]; 2],
    pieces: Pieces<B>,
}

/// The hidden sums of the positions that a search thread has evaluated, one position for each ply.
///
/// A search evaluates positions that differ by a few pieces from the one at the same ply or one or two plies before.
/// So the sums of one of those are copied and updated by the rows of the pieces that differ. The pieces themselves
/// are compared, not the moves, so the sums are right for any sequence of positions.
pub struct Accumulators<B: NetworkInputs> {
    plies: Box<[Accumulator<B>]>,
}

impl<B: NetworkInputs> Default for Accumulators<B> {
    fn default() -> Self {
        let empty = Accumulator { sums: [B::network().biases; 2], pieces: Pieces::default() };
        Accumulators { plies: vec![empty; PLIES].into_boxed_slice() }
    }
}

/// Plies since the start of the game, by the position's counter.
#[inline(always)]
fn ply<B: NetworkInputs>(pos: &Position<B>) -> usize {
    2 * usize::from(pos.fullmove_number()) + pos.side().index()
}

impl<B: NetworkInputs> Accumulators<B> {
    /// The value of the position for the side to move, in centipawns. Run it inside `dispatch_vectors`.
    #[inline(always)]
    pub fn evaluate<C: Cpu>(&mut self, pos: &Position<B>, cpu: C) -> i32 {
        let pieces = pos.network_pieces();
        let count = pieces.occupied().count();
        let accumulator = self.accumulator(ply(pos), pieces);
        let us = pos.side().index();
        let sums = [&accumulator.sums[us], &accumulator.sums[1 - us]];
        let network = B::network();
        let output = network.layers(count).output(cpu, sums);
        (i64::from(output) * i64::from(network.scale) / i64::from(OUTPUT_ONE)) as i32
    }

    /// The pieces of the last position at the ply of `pos` that was evaluated, with their attacks.
    #[inline(always)]
    pub fn pieces(&self, pos: &Position<B>) -> &Pieces<B> {
        &self.plies[ply(pos) % PLIES].pieces
    }

    /// The sums of `pieces`, updated from those of the position with the fewest differences at this ply or one or two
    /// plies before.
    #[inline(always)]
    fn accumulator(&mut self, ply: usize, pieces: Pieces<B>) -> &Accumulator<B> {
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
            self.plies[target] = self.plies[source];
        }
        let accumulator = &mut self.plies[target];
        accumulator.update(&pieces, changed);
        accumulator
    }
}

impl<B: NetworkInputs> Accumulator<B> {
    /// Changes the sums to those of `pieces`, which differ on the squares of `changed`.
    #[inline(always)]
    fn update(&mut self, pieces: &Pieces<B>, changed: B::Squares) {
        let network = B::network();
        let of = |pieces: &Pieces<B>| [pieces.orientation(Side::First), pieces.orientation(Side::Second)];
        let (before, now) = (of(&self.pieces), of(pieces));
        let off = self.pieces.inputs(changed & self.pieces.occupied(), before);
        let on = pieces.inputs(changed & pieces.occupied(), now);
        for view in Side::BOTH {
            let sums = &mut self.sums[view.index()];
            if before[view.index()] == now[view.index()] {
                update(network.rows, sums, off.of(view), on.of(view));
            } else {
                // The orientation has changed, so every input is another one.
                *sums = network.biases;
                let all = pieces.inputs(pieces.occupied(), now);
                update(network.rows, sums, &[], all.of(view));
            }
        }
        self.pieces = *pieces;
    }
}
