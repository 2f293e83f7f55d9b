//! Everything that is known about the positions of a batch before our own moves are classified.

use crate::chess::perft::lanes::batch::Batch;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::two_ply::board::Boards;
use crate::chess::perft::two_ply::king_lines::KingLines;
use crate::chess::perft::two_ply::king_zone::KingZone;
use crate::chess::perft::two_ply::null_replies::NullReplies;

/// The results of the stages so far. They do not change any more.
#[derive(Clone, Copy)]
pub struct Context<'a, V: Vector> {
    /// Proof that the CPU has the instructions.
    pub cpu: V::Cpu,
    /// The positions in memory.
    pub batch: &'a Batch,
    /// The positions in registers, with the attacks of all sliders.
    pub board: &'a Boards<V>,
    /// The lines through their king.
    pub king: &'a KingLines<V>,
    /// Where their king may move.
    pub zone: &'a KingZone<V>,
    /// Their replies to a null move.
    pub null: &'a NullReplies<V>,
}
