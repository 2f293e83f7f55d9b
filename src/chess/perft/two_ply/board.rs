//! The positions of a batch in registers, with the attacks of all sliders: the first stage.

use crate::chess::perft::lanes::batch::Batch;
use crate::chess::perft::lanes::side_sets::{BISHOPS, ROOKS, SideSets};
use crate::chess::perft::simd::fills::{Rays, by_axis, slider_attacks};
use crate::chess::perft::simd::{Vector, load_at};

/// The pieces of both sides in registers, and the attacks of all sliders.
pub struct Boards<V> {
    pub us: SideSets<V>,
    pub them: SideSets<V>,
    pub ours: V,
    pub theirs: V,
    pub occupied: V,
    pub empty: V,
    /// Our queens. Their attacks are also stored separately, as they give check from more squares.
    pub queens: V,
    /// The rooks of both sides that may castle.
    pub castling: V,
    pub queen_attacks: Rays<V>,
    pub our_attacks: Rays<V>,
    pub their_attacks: Rays<V>,
}

impl<V: Vector> Boards<V> {
    #[inline(always)]
    pub fn of<const KINDS: u8>(cpu: V::Cpu, batch: &Batch) -> Self {
        let us = batch.ours.load::<V>(cpu).only::<KINDS>(cpu);
        let them = batch.theirs.load::<V>(cpu).only::<KINDS>(cpu);
        let (ours, theirs) = (us.all(), them.all());
        let occupied = ours | theirs;
        let queens = us.bishops & us.rooks;
        Boards {
            us,
            them,
            ours,
            theirs,
            occupied,
            empty: !occupied,
            queens,
            castling: load_at(cpu, &batch.castling, 0),
            queen_attacks: attacks::<KINDS, V>(cpu, queens, queens, occupied),
            our_attacks: attacks::<KINDS, V>(cpu, us.rooks, us.bishops, occupied),
            their_attacks: attacks::<KINDS, V>(cpu, them.rooks, them.bishops, occupied),
        }
    }
}

/// The attacks of sliders in positions that have only pieces of `KINDS`.
#[inline(always)]
fn attacks<const KINDS: u8, V: Vector>(cpu: V::Cpu, rooks: V, bishops: V, occupied: V) -> Rays<V> {
    let mut rays = slider_attacks::<V>(cpu, by_axis(rooks, bishops), occupied);
    // Of no sliders there are no attacks. The compiler does not see this in all instructions.
    for (d, set) in rays.iter_mut().enumerate() {
        if KINDS & (if d < 4 { ROOKS } else { BISHOPS }) == 0 {
            *set = V::zero(cpu);
        }
    }
    rays
}
