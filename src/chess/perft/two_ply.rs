//! Two plies at once for all positions of a batch.
//!
//! "We" are to move, "they" reply; in a batch we are always White. The idea and the formula are described in the head
//! of `mod.rs`; here is the order of the work. Each stage reads the results of the stages before it and returns one
//! struct:
//!
//! `batch` (positions) → `stages` (registers, attacks of sliders → pins and discovered checks → where their king may
//! move → their replies to a null move, without the king's) → `classify` (our moves, ordinary and special) → `sums`
//! (ordinary moves, by formula) and `special` (special moves, made in lanes).
//!
//! Nothing here depends on the depth, on keys or on the tree.

use crate::base::cpu::{Cpu, CpuTask};
use crate::chess::perft::batch::Batch;
use crate::chess::perft::classify::{OrdinaryMoves, OurMoves, SpecialMoves};
use crate::chess::perft::special::{self, MadeMoves};
use crate::chess::perft::stages::{Boards, Context, KingLines, KingZone, NullReplies};
use crate::chess::perft::sums;
use crate::chess::perft::vector::{MOST_LANES, Vector};

/// The number of sequences of two plies from each position of `batch`, without those that begin with the moves left
/// in `made.scalar`. Unless they are wanted `apart`, only the sum of all lanes is right. Unused lanes count 0. Besides
/// kings and pawns the positions have only pieces of `KINDS`.
#[inline(always)]
pub fn count<const KINDS: u8, V: Vector>(
    cpu: V::Cpu,
    batch: &Batch,
    made: &mut MadeMoves,
    apart: bool,
) -> [u64; MOST_LANES] {
    let (by_formula, moves) = &cpu.enter(Formula::<V, KINDS> { cpu, batch });
    let mut lanes = [0; MOST_LANES];
    by_formula.store(&mut lanes);
    special::list_scalar::<V>(cpu, batch, moves, made, &mut lanes);
    special::count::<KINDS, V>(cpu, batch, made, moves, apart, &mut lanes);
    lanes
}

/// Counts the replies to ordinary moves and finds the special ones, in a function of its own: with the special moves
/// it would have too many values for the registers.
struct Formula<'a, V: Vector, const KINDS: u8> {
    cpu: V::Cpu,
    batch: &'a Batch,
}

impl<V: Vector, const KINDS: u8> CpuTask for Formula<'_, V, KINDS> {
    type Output = (V, SpecialMoves<V>);
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> (V, SpecialMoves<V>) {
        let Formula { cpu, batch } = self;
        let board = &Boards::<V>::of::<KINDS>(cpu, batch);
        let king = &KingLines::of(cpu, board);
        let zone = &KingZone::of(cpu, batch, board, king);
        let null = &NullReplies::of(cpu, board, king);
        let at = Context { cpu, batch, board, king, zone, null };
        let moves = OurMoves::of(at);
        let replies = replies_to_ordinary(at, &moves.ordinary) + moves.ep_replies;
        (replies.mask_lanes(batch.active::<V>()), moves.special)
    }
}

/// The number of replies to all ordinary moves in each lane, without en passant captures. Unused lanes hold arbitrary
/// values.
#[inline(always)]
fn replies_to_ordinary<V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>) -> V {
    sums::null_and_landing(at, moves) + sums::leaving(at, moves) - sums::denied_king_moves(at, moves)
        + sums::unpinned_moves(at, moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cpu::Portable;
    use crate::chess::Position;
    use crate::chess::perft::batch::{BISHOPS, KNIGHTS, ROOKS};
    use crate::chess::perft::classify::SETS;
    use crate::chess::perft::geometry::NORTH_EAST;
    use crate::chess::perft::pair::Pair;

    #[test]
    fn the_example_in_the_perft_docs_is_right() {
        let fen = "r1bqkbnr/ppp2ppp/2np4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4";
        let pos = Position::from_fen(fen).unwrap();
        let mut batch = Batch::new(&pos);
        batch.push(&pos, 0);
        let cpu = Portable;
        let board = &Boards::<Pair>::of::<{ KNIGHTS | BISHOPS | ROOKS }>(cpu, &batch);
        let king = &KingLines::of(cpu, board);
        let zone = &KingZone::of(cpu, &batch, board, king);
        let null = &NullReplies::of(cpu, board, king);
        let at = Context { cpu, batch: &batch, board, king, zone, null };
        let OurMoves { ordinary, special, ep_replies } = &OurMoves::of(at);
        let word = |set: Pair| {
            let mut words = [0; MOST_LANES];
            set.store(&mut words);
            words[0]
        };
        let number = |numbers: Pair| word(numbers) as i64;
        let moves: i64 =
            sums::moves_to(cpu, ordinary).0.iter().rev().fold(0, |sum, &plane| 2 * sum + number(plane.popcount()));
        let replies = number(null.count + zone.null_king_moves);
        assert_eq!((moves, replies), (31, 27));
        let landing = number(sums::null_and_landing(at, ordinary)) - moves * replies;
        assert_eq!(landing, -1);
        assert_eq!(number(sums::leaving(at, ordinary)), 6);
        assert_eq!(number(sums::denied_king_moves(at, ordinary)), 1);
        assert_eq!(number(sums::unpinned_moves(at, ordinary)), 25);
        assert_eq!(number(*ep_replies), 0);
        // Bxc6+, a slider move to the north-east.
        let mut expected = [0; SETS];
        expected[NORTH_EAST] = 1 << 42;
        assert_eq!(special.sets.map(word), expected);
        let after = Position::from_fen("r1bqkbnr/ppp2ppp/2Bp4/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4").unwrap();
        assert_eq!((after.count_legal(), pos.perft(2)), (4, 870));
    }
}
