//! The lines through their king: pinned pieces, pieces that give a discovered check, and squares from which a slider
//! gives check.
//!
//! Here are four lines from their king `k`. Capitals are our pieces (`R` is a slider that attacks along the line, `N`
//! any other piece), small letters are theirs. All moves of `N` are special, and so are most moves of `R` on the last
//! line (see `classify`):
//!
//! ```text
//!   k  .  N  .  R        N gives discovered check by leaving
//!   k  .  N  .  n  .  R  N creates a pin by leaving
//!   k  .  n  .  N  .  R  N creates a pin by leaving
//!   k  .  n  .  R        n is pinned, R is its pinner
//! ```
//!
//! "We" and "they" as in `two_ply`.

use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::{Rays, for_each_direction, slider_attacks};
use crate::chess::perft::two_ply::board::Boards;

/// The lines through their king.
pub struct KingLines<V> {
    /// Our pieces that give check or create a pin by leaving, and our pinners by direction from their king.
    pub discoverers: V,
    pub pinners: Rays<V>,
    /// Their pinned pieces by axis, and all squares of the pin lines, including the pinners.
    pub pins: [V; 4],
    pub pin_rays: V,
    /// The attacks of a queen on the king's square.
    pub king_rays: Rays<V>,
    /// Squares from which a bishop or a rook would give check or pin.
    pub bishop_check_or_pin: V,
    pub rook_check_or_pin: V,
}

impl<V: Vector> KingLines<V> {
    /// Scans the lines of their king.
    #[inline(always)]
    pub fn of(cpu: V::Cpu, board: &Boards<V>) -> Self {
        let none = V::zero(cpu);
        let &Boards { us, ours, theirs, occupied, .. } = board;
        let (king, attacks) = (board.them.king, &board.our_attacks);
        let king_rays = slider_attacks::<V>(cpu, [king; 4], occupied);
        // Continue from the first piece. Each axis is filled in both directions at once, so the way back must be
        // removed below.
        let mut first = [none; 4];
        for line in 0..4 {
            first[line] = (king_rays[2 * line] | king_rays[2 * line + 1]) & occupied;
        }
        let far = slider_attacks::<V>(cpu, first, occupied);
        let mut found = KingLines {
            discoverers: none,
            pinners: [none; 8],
            pins: [none; 4],
            pin_rays: none,
            king_rays,
            bishop_check_or_pin: none,
            rook_check_or_pin: none,
        };
        for_each_direction!(|D| {
            let sliders = if D < 4 { us.rooks } else { us.bishops };
            // This may include the king's own square, which none of our moves can reach.
            let beyond = far[D].without(king_rays[D ^ 1]);
            let first_ours = king_rays[D] & ours;
            let first_theirs = king_rays[D] & theirs;
            let pinner = (beyond & sliders).keep_if_nonzero(first_theirs);
            let met = beyond & attacks[D ^ 1];
            found.pinners[D] = pinner;
            found.pins[D / 2] = found.pins[D / 2] | first_theirs.keep_if_nonzero(pinner);
            found.pin_rays = found.pin_rays | (king_rays[D] | beyond).keep_if_nonzero(pinner);
            found.discoverers = found.discoverers
                // k . N . R, then k . N . n . R, then k . n . N . R
                | first_ours & attacks[D ^ 1]
                | first_ours.keep_if_nonzero(met & theirs)
                | (met & ours).keep_if_nonzero(first_theirs);
            let line = king_rays[D] | beyond.keep_if_nonzero(first_theirs);
            if D < 4 {
                found.rook_check_or_pin = found.rook_check_or_pin | line;
            } else {
                found.bishop_check_or_pin = found.bishop_check_or_pin | line;
            }
        });
        found
    }

    /// All their pinned pieces.
    #[inline(always)]
    pub fn all_pinned(&self) -> V {
        let [files, ranks, rising, falling] = self.pins;
        (files | ranks) | (rising | falling)
    }
}
