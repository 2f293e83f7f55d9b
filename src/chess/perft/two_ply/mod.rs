//! Two plies at once in eight positions at once: the idea of `replies` without loops and look-ups.
//!
//! "We" (`U`) are to move, "they" reply. For an ordinary move, replies = replies to a null move + change by
//! leaving the origin + change by landing on the target. The number of our moves that land on each square
//! and the change there are both boards of small numbers (`planes`), so their products are summed for all
//! squares and all moves together; the same for origins, and for the squares that their king needs. Moves
//! that may do more (give check, touch a pin, promote, take en passant, open or close a line to where their
//! king may go) are special: they are made, and their replies counted by `eight`. Which moves are special is
//! decided for whole sets, on the safe side.
//!
//! Here is the collection of positions, which `parent` makes, and the order of the work: `king_zone` looks at their king, `null`
//! counts the replies to a null move, `moves` divides our moves into ordinary and special ones, `sums` adds
//! up the changes, `special` counts the rest. Called by `walk` two plies above the leaves.

pub mod batch;
pub mod board;
pub mod classify;
pub mod king_lines;
pub mod king_zone;
pub mod leaves;
pub mod made_moves;
pub mod move_sets;
pub mod null_replies;
pub mod sums;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use crate::chess::perft::simd::Vector;
use crate::chess::types::piece::Us;
use batch::Batch;
use board::Boards;
use classify::OurMoves;
use king_lines::KingLines;
use king_zone::KingZone;
use made_moves::MadeMoves;
use move_sets::SETS;
use null_replies::NullReplies;

/// The number of sequences of two plies from the positions of `batch`, where `U` is to move, without those
/// that begin with the moves it leaves in `made.scalar`.
#[inline(always)]
pub fn count<U: Us, V: Vector>(cpu: V::Cpu, batch: &Batch, made: &mut MadeMoves) -> u64 {
    let board = Boards::<V>::of(cpu, batch);
    let king = KingLines::of(cpu, &board);
    let zone = KingZone::of::<U>(cpu, batch, &board, &king);
    let null = NullReplies::of::<U>(cpu, &board, &king);
    let mut special = [V::zero(cpu); SETS];
    let moves = OurMoves::of::<U>(cpu, batch, &board, &king, &zone, &null, &mut special);
    let total =
        sums::landing::null_and_landing::<U, V>(cpu, &board, &moves, &null, zone.null_king_moves)
            + sums::leaving::leaving::<U, V>(cpu, &board, &moves, &null, &zone)
            - sums::king_squares::denied_king_moves::<U, V>(cpu, &board, &moves, &zone)
            + sums::unpinning::unpinned_moves::<U, V>(cpu, &board, &king, &moves)
            + moves.ep_replies;

    let ordinary = total.mask_lanes(batch.active()).reduce_sum();
    let captures = made_moves::list_scalar::<U, V>(cpu, batch, &moves, made);
    ordinary + captures + made_moves::count::<U, V>(cpu, batch, made, &special)
}
