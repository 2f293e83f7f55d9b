//! Direct checks in lanes: tests positions after a move that may give check for a reply.
//!
//! Filled by `batch_columns`. There are two tests, each for a vector of positions: whether the king is in check and
//! has a legal step; and, if it is in check and has none, whether another piece can end the check. Castling cannot
//! end a check, and none of the moves that come here allows en passant.

use crate::chess::perft::lanes::legal_sets::{KingDanger, LegalSets};
use crate::chess::perft::lanes::pawns::PawnTargets;
use crate::chess::perft::lanes::side_sets::{SideBatch, SideSets};
use crate::chess::perft::simd::fills::{knight_attacks, union};
use crate::chess::perft::simd::{Vector, compress_at, lane_mask};
use crate::chess::types::Black;

/// Positions after a move of one side, collected until a vector is full.
#[repr(C, align(64))]
struct Queue {
    /// The side to move, and the side that has just moved.
    own: SideBatch,
    foe: SideBatch,
    len: usize,
}

impl Queue {
    const EMPTY: Queue = Queue { own: SideBatch::EMPTY, foe: SideBatch::EMPTY, len: 0 };

    /// Adds the positions of these lanes (lane 0 in bit 0). The queue must hold fewer positions than a vector has
    /// lanes.
    #[inline(always)]
    fn push<V: Vector>(&mut self, own: &SideSets<V>, foe: &SideSets<V>, lanes: u8) {
        debug_assert!(self.len < V::LANES);
        for (batch, sets) in [(&mut self.own, own), (&mut self.foe, foe)] {
            compress_at(sets.pawns, lanes, &mut batch.pawns, self.len);
            compress_at(sets.knights, lanes, &mut batch.knights, self.len);
            compress_at(sets.bishops, lanes, &mut batch.bishops, self.len);
            compress_at(sets.rooks, lanes, &mut batch.rooks, self.len);
            compress_at(sets.king, lanes, &mut batch.king, self.len);
        }
        self.len += lanes.count_ones() as usize;
    }

    /// Removes and returns the positions of one vector, or all if there are fewer, with the lanes in use.
    #[inline(always)]
    fn take<V: Vector>(&mut self, cpu: V::Cpu) -> (SideSets<V>, SideSets<V>, u8) {
        let taken = (self.own.load(cpu), self.foe.load(cpu), lane_mask::<V>(self.len));
        self.len = self.len.saturating_sub(V::LANES);
        if self.len != 0 {
            self.own.advance::<V>();
            self.foe.advance::<V>();
        }
        taken
    }
}

/// Direct checks, and how many of them are mate.
#[derive(Clone, Copy, Default)]
pub struct Found {
    pub checks: u64,
    pub mates: u64,
}

/// Positions waiting to be tested.
pub struct CheckQueues {
    made: Queue,
    cornered: Queue,
}

impl CheckQueues {
    pub const EMPTY: CheckQueues = CheckQueues { made: Queue::EMPTY, cornered: Queue::EMPTY };

    /// Adds positions after a move that may give check.
    #[inline(always)]
    pub fn push<V: Vector>(&mut self, cpu: V::Cpu, own: &SideSets<V>, foe: &SideSets<V>, lanes: u8, found: &mut Found) {
        self.made.push(own, foe, lanes);
        if self.made.len >= V::LANES {
            self.test_kings::<V>(cpu, found);
        }
    }

    /// Tests all remaining positions.
    #[inline(always)]
    pub fn flush<V: Vector>(&mut self, cpu: V::Cpu, found: &mut Found) {
        self.test_kings::<V>(cpu, found);
        self.test_other_replies::<V>(cpu, found);
    }

    /// Tests whether the king is in check and has a legal step.
    #[inline(always)]
    fn test_kings<V: Vector>(&mut self, cpu: V::Cpu, found: &mut Found) {
        let (own, foe, lanes) = self.made.take::<V>(cpu);
        let king = KingDanger::of::<Black>(cpu, &own, &foe);
        let checked = (king.danger & own.king).nonzero() & lanes;
        found.checks += u64::from(checked.count_ones());
        let cornered = checked & !king.steps.nonzero();
        if cornered != 0 {
            self.cornered.push(&own, &foe, cornered);
            if self.cornered.len >= V::LANES {
                self.test_other_replies::<V>(cpu, found);
            }
        }
    }

    /// Tests whether a piece can capture the checker or block the check. The king has no legal step.
    #[inline(always)]
    fn test_other_replies<V: Vector>(&mut self, cpu: V::Cpu, found: &mut Found) {
        let (own, foe, lanes) = self.cornered.take::<V>(cpu);
        let king = KingDanger::of::<Black>(cpu, &own, &foe);
        let legal = LegalSets::of::<Black>(cpu, &own, &foe, &king);
        let PawnTargets { single, double, west, east } = legal.pawns;
        let pieces = (union(&legal.rays) | knight_attacks(cpu, legal.knights)) & legal.targets;
        let replies = pieces | (single | double) | (west | east);
        found.mates += u64::from((lanes & !replies.nonzero()).count_ones());
    }
}
