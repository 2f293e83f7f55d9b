//! Two plies at once in eight positions at once.
//!
//! "We" (`U`) are to move, "they" reply. The idea and the formula are told in `perft`'s head; here is the order
//! of the work. Each stage reads the ones before it and returns one struct:
//!
//! `batch` (positions, from `leaves`) → `board` (registers, attacks of sliders) → `king_lines` (pins and
//! discovered checks) → `king_zone` (where their king may go) and `null_replies` (what the others could play)
//! → `classify` (our moves, ordinary and special) → `sums` (ordinary ones, by formula) and `made_moves`
//! (special ones, made in lanes).
//!
//! Called by `leaves` alone. Nothing here knows depth, keys or the tree.

pub mod batch;
pub mod board;
pub mod classify;
pub mod context;
pub mod king_lines;
pub mod king_zone;
pub mod leaves;
pub mod made_moves;
pub mod move_sets;
pub mod null_replies;
pub mod sums;
pub mod tally;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use crate::chess::perft::simd::Vector;
use crate::chess::types::piece::Us;
use batch::Batch;
use board::Boards;
use classify::{OrdinaryMoves, OurMoves};
use context::Context;
use king_lines::KingLines;
use king_zone::KingZone;
use made_moves::MadeMoves;
use null_replies::NullReplies;
use tally::Tally;

/// Adds the number of sequences of two plies from each position of `batch`, where `U` is to move, to `tally`,
/// without those that begin with the moves it leaves in `made.scalar`. What it adds for lanes that are not in
/// use is 0.
#[inline(always)]
pub fn count<U: Us, V: Vector, T: Tally<V>>(
    cpu: V::Cpu,
    batch: &Batch,
    made: &mut MadeMoves,
    tally: &mut T,
) {
    let board = &Boards::<V>::of(cpu, batch);
    let king = &KingLines::of(cpu, board);
    let zone = &KingZone::of::<U>(cpu, batch, board, king);
    let null = &NullReplies::of::<U>(cpu, board, king);
    let at = Context { cpu, batch, board, king, zone, null };
    let moves = OurMoves::of::<U>(at);
    let by_formula = replies_to_ordinary::<U, V>(at, &moves.ordinary) + moves.ep_replies;
    tally.add(by_formula.mask_lanes(batch.active::<V>()));
    made_moves::list_scalar::<U, V, T>(cpu, batch, &moves, made, tally);
    made_moves::count::<U, V, T>(cpu, batch, made, &moves.special, tally);
}

/// The number of replies to all ordinary moves in each lane, captures en passant aside; lanes that are not in
/// use hold anything.
#[inline(always)]
fn replies_to_ordinary<U: Us, V: Vector>(at: Context<V>, moves: &OrdinaryMoves<V>) -> V {
    sums::landing::null_and_landing::<U, V>(at, moves) + sums::leaving::leaving::<U, V>(at, moves)
        - sums::king_squares::denied_king_moves::<U, V>(at, moves)
        + sums::unpinning::unpinned_moves::<U, V>(at, moves)
}
