//! The enemy king: its safe steps, and our moves that can affect its safety or a pinned piece.
//!
//! It may classify too many moves as special, which costs time, but never too few.

use crate::xiangqi::board::Board;
use crate::xiangqi::board::movegen::{self, ChecksAndPins};
use crate::xiangqi::board::tables;
use crate::xiangqi::types::{Bitboard, Kind, Square, Us};

/// What a chariot on `square` sees up to the first piece each way, and up to the second.
#[inline(always)]
fn see_through(square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let seen = tables::lines(square, occupied).0;
    (seen, tables::lines(square, occupied - seen).0)
}

/// Which moves of `U` are special: they must be made, because they may change what the enemy king or a piece pinned
/// to it can do.
pub(super) struct KingZone {
    /// Origins of special moves: our discoverers, and the pieces that attack a step of their king.
    pub(super) special_from: Bitboard,
    /// Targets of special moves, including all pieces of the replying side.
    pub(super) special_to: Bitboard,
    /// Special targets of chariots and the king.
    chariot_to: Bitboard,
    cannon_to: Bitboard,
    horse_to: Bitboard,
    soldier_to: Bitboard,
    /// Number of squares to which their king can step after a null move.
    pub(super) safe_steps: i32,
}

impl KingZone {
    /// The zone of `U::Them`'s king on `king`, with its `pins`.
    #[inline(always)]
    pub(super) fn of<U: Us>(board: &Board, king: Square, pins: &ChecksAndPins) -> KingZone {
        let mut zone = KingZone {
            special_from: Bitboard::EMPTY,
            special_to: board.side_set(U::Them::SIDE),
            chariot_to: Bitboard::EMPTY,
            cannon_to: tables::cross(king),
            horse_to: tables::horse_back(king, board.side_set(U::SIDE)),
            soldier_to: tables::soldier_back(U::SIDE, king),
            safe_steps: 0,
        };
        if !pins.hollow.is_empty() {
            zone.special_from = Bitboard::ALL;
            return zone;
        }
        zone.add_king_lines::<U>(board, king);
        zone.add_steps::<U>(board, king);
        if !pins.pinned.is_empty() {
            zone.add_pinned(board, pins.pinned);
        }
        zone
    }

    /// The special moves among `targets` of our piece of type `kind` on `from`.
    #[inline(always)]
    pub(super) fn special(&self, kind: Kind, from: Square, targets: Bitboard) -> Bitboard {
        if self.special_from.contains(from) {
            return targets;
        }
        let landing = match kind {
            Kind::Chariot | Kind::King => self.chariot_to,
            Kind::Cannon => self.cannon_to,
            Kind::Horse => self.horse_to,
            Kind::Soldier => self.soldier_to,
            Kind::Elephant | Kind::Advisor => Bitboard::EMPTY,
        };
        targets & (self.special_to | landing)
    }

    /// Adds the moves of `U` that can pin to or check the other king, or end a pin.
    #[inline(always)]
    fn add_king_lines<U: Us>(&mut self, board: &Board, king: Square) {
        let (us, them) = (board.side_set(U::SIDE), board.side_set(U::Them::SIDE));
        let occupied = us | them;
        let lined = tables::cross(king) & us;
        let cannons = board.kind_set(Kind::Cannon);
        for slider in lined & (board.kind_set(Kind::Chariot) | board.kind_set(Kind::King) | cannons) {
            let path = tables::between(king, slider);
            let blockers = path & occupied;
            // A chariot checks over no piece, a cannon over one. With one more blocker that blocker is pinned; with
            // two more, either may become pinned.
            let pinning = 1 + u32::from(cannons.contains(slider));
            let met = blockers.count();
            if met == pinning && blockers.meets(them) {
                self.special_to |= path;
                self.special_from |= Bitboard::of(slider);
            }
            if met == pinning || met == pinning + 1 {
                self.special_from |= blockers & us;
            }
        }
        // A chariot beyond two pieces changes nothing.
        self.chariot_to |= see_through(king, occupied).1;
        let horses = board.kind_set(Kind::Horse) & us;
        for horse in tables::horse_back(king, Bitboard::EMPTY) & horses {
            let leg = movegen::horse_leg(king, horse);
            self.special_from |= if leg.meets(us) { leg } else { Bitboard::of(horse) };
        }
    }

    /// Counts the safe steps of their king, and adds the moves that can allow or prevent one.
    #[inline(always)]
    fn add_steps<U: Us>(&mut self, board: &Board, king: Square) {
        let (us, them) = (board.side_set(U::SIDE), board.side_set(U::Them::SIDE));
        for step in tables::king(king) - them {
            let occupied = ((us | them) - Bitboard::of(king)) | Bitboard::of(step);
            let enemies = us - Bitboard::of(step);
            let by_sliders = self.add_sliders_at(board, step, occupied, enemies);
            let by_horses = self.add_horses_at(board, step, occupied, enemies);
            let soldiers = tables::soldier_back(U::SIDE, step);
            let attacking = soldiers & board.kind_set(Kind::Soldier) & enemies;
            self.special_from |= attacking;
            self.soldier_to |= soldiers;
            self.horse_to |= tables::horse_back(step, occupied);
            let (seen, through) = see_through(step, occupied);
            self.chariot_to |= seen;
            self.cannon_to |= through - seen;
            self.safe_steps += i32::from(!by_sliders && !by_horses && attacking.is_empty());
        }
    }

    /// Adds the moves that discover or block an attack on `step` by the chariots, cannons and the king among
    /// `enemies`. Returns whether one of them attacks it.
    #[inline(always)]
    fn add_sliders_at(&mut self, board: &Board, step: Square, occupied: Bitboard, enemies: Bitboard) -> bool {
        let cannons = board.kind_set(Kind::Cannon);
        let sliders = board.kind_set(Kind::Chariot) | board.kind_set(Kind::King) | cannons;
        let mut attacked = false;
        for slider in tables::cross(step) & enemies & sliders {
            let path = tables::between(step, slider);
            let blockers = path & occupied;
            let met = blockers.count();
            let checking = u32::from(cannons.contains(slider));
            if met <= checking {
                self.special_to |= path;
            }
            if met == checking {
                attacked = true;
                self.special_from |= Bitboard::of(slider) | blockers & enemies;
            } else if met == checking + 1 {
                self.special_from |= blockers & enemies;
            }
        }
        attacked
    }

    /// Adds the horses among `enemies` around `step`, with their legs. Returns whether one of them attacks it.
    #[inline(always)]
    fn add_horses_at(&mut self, board: &Board, step: Square, occupied: Bitboard, enemies: Bitboard) -> bool {
        let mut attacked = false;
        let horses = board.kind_set(Kind::Horse) & enemies;
        for horse in tables::horse_back(step, Bitboard::EMPTY) & horses {
            let leg = movegen::horse_leg(step, horse);
            if !leg.meets(occupied) {
                attacked = true;
                self.special_from |= Bitboard::of(horse);
                self.special_to |= leg;
            }
            self.special_from |= leg & enemies;
        }
        attacked
    }

    /// Adds the squares on which the moves of pinned pieces depend.
    fn add_pinned(&mut self, board: &Board, pinned: Bitboard) {
        // A horse's legs are part of its cross; the other squares of the cross do no harm.
        let straight = board.kind_set(Kind::Chariot) | board.kind_set(Kind::Cannon) | board.kind_set(Kind::Horse);
        for square in pinned {
            let near = if straight.contains(square) {
                tables::cross(square)
            } else if board.kind_set(Kind::Elephant).contains(square) {
                tables::eyes_of(square)
            } else {
                Bitboard::EMPTY
            };
            self.special_from |= near;
            self.special_to |= near;
        }
    }
}
