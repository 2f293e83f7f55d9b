//! Their king: its safe steps, and the moves of ours that can change its safety or free a bound piece.
//!
//! Called by `one_by_one` once a node. It may call too many moves special (that costs time), never too few.

use crate::xiangqi::board::movegen::{self, ChecksAndPins};
use crate::xiangqi::board::position::Position;
use crate::xiangqi::board::tables::{self, Cpu, SliderAttacks};
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::piece::{Kind, Us};
use crate::xiangqi::types::square::Square;

/// What a chariot on `square` sees up to the first piece each way, and up to the second.
#[inline(always)]
fn see_through<C: Cpu>(cpu: C, square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let seen = cpu.lines(square, occupied).0;
    (seen, cpu.lines(square, occupied & !seen).0)
}

/// Which moves of `U` are special: they must be made, because they may change what their king or a piece that
/// is bound to it can do.
pub(super) struct KingZone {
    /// Moves from here; here stand our discoverers, and what attacks a step of their king.
    pub(super) special_from: Bitboard,
    /// Moves to here; all pieces of the replying side are among them.
    pub(super) special_to: Bitboard,
    /// Moves to here of chariots and the king.
    chariot_to: Bitboard,
    /// The same for cannons.
    cannon_to: Bitboard,
    /// The same for horses.
    horse_to: Bitboard,
    /// The same for soldiers.
    soldier_to: Bitboard,
    /// Squares to which their king can step after a null move.
    pub(super) safe_steps: i32,
}

impl KingZone {
    /// The zone of the king of `U::Them` on `king`, where it is bound by `pins`.
    #[inline(always)]
    pub(super) fn of<U: Us, C: Cpu>(
        pos: &Position,
        cpu: C,
        king: Square,
        pins: &ChecksAndPins,
    ) -> KingZone {
        let mut zone = KingZone {
            special_from: Bitboard::EMPTY,
            special_to: pos.side_set(U::Them::SIDE),
            chariot_to: Bitboard::EMPTY,
            cannon_to: tables::cross(king),
            horse_to: tables::horse_back(king, pos.side_set(U::SIDE)),
            soldier_to: tables::soldier_back(U::SIDE, king),
            safe_steps: 0,
        };
        if !pins.hollow.is_empty() {
            zone.special_from = Bitboard::ALL;
            return zone;
        }
        zone.add_king_lines::<U, C>(pos, cpu, king);
        zone.add_steps::<U, C>(pos, cpu, king);
        if !pins.bound.is_empty() {
            zone.add_bound(pos, pins.bound);
        }
        zone
    }

    /// The special ones among the `targets` of our piece of `kind` on `from`.
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

    /// Notes the moves of `U` that can bind or check the other king, or end a bond.
    #[inline(always)]
    fn add_king_lines<U: Us, C: Cpu>(&mut self, pos: &Position, cpu: C, king: Square) {
        let (us, them) = (pos.side_set(U::SIDE), pos.side_set(U::Them::SIDE));
        let occupied = us | them;
        let lined = tables::cross(king) & us;
        let cannons = pos.kind_set(Kind::Cannon);
        for slider in lined & (pos.kind_set(Kind::Chariot) | pos.kind_set(Kind::King) | cannons) {
            let path = tables::between(king, slider);
            let blockers = path & occupied;
            // A chariot checks over no piece, a cannon over one; one piece more is bound, and of one
            // more than that any may become so.
            let binding = 1 + u32::from(cannons.contains(slider));
            let met = blockers.count();
            if met == binding && blockers.meets(them) {
                self.special_to |= path;
                self.special_from |= Bitboard::of(slider);
            }
            if met == binding || met == binding + 1 {
                self.special_from |= blockers & us;
            }
        }
        // A chariot that arrives beyond two pieces changes nothing.
        self.chariot_to |= see_through(cpu, king, occupied).1;
        let horses = pos.kind_set(Kind::Horse) & us;
        for horse in tables::horse_back(king, Bitboard::EMPTY) & horses {
            let leg = movegen::horse_leg(king, horse);
            self.special_from |= if leg.meets(us) { leg } else { Bitboard::of(horse) };
        }
    }

    /// Counts the safe steps of their king, and notes what can allow or forbid one.
    #[inline(always)]
    fn add_steps<U: Us, C: Cpu>(&mut self, pos: &Position, cpu: C, king: Square) {
        let (us, them) = (pos.side_set(U::SIDE), pos.side_set(U::Them::SIDE));
        for step in tables::king(king) & !them {
            let occupied = (us | them) & !Bitboard::of(king) | Bitboard::of(step);
            let enemies = us & !Bitboard::of(step);
            let by_sliders = self.add_sliders_at(pos, step, occupied, enemies);
            let by_horses = self.add_horses_at(pos, step, occupied, enemies);
            let soldiers = tables::soldier_back(U::SIDE, step);
            let attacking = soldiers & pos.kind_set(Kind::Soldier) & enemies;
            self.special_from |= attacking;
            self.soldier_to |= soldiers;
            self.horse_to |= tables::horse_back(step, occupied);
            let (seen, through) = see_through(cpu, step, occupied);
            self.chariot_to |= seen;
            self.cannon_to |= through & !seen;
            self.safe_steps += i32::from(!by_sliders && !by_horses && attacking.is_empty());
        }
    }

    /// The chariots, cannons and the king among `enemies` on the lines of `step`: what discovers or blocks
    /// their attack on it. Whether one of them attacks it.
    #[inline(always)]
    fn add_sliders_at(
        &mut self,
        pos: &Position,
        step: Square,
        occupied: Bitboard,
        enemies: Bitboard,
    ) -> bool {
        let cannons = pos.kind_set(Kind::Cannon);
        let sliders = pos.kind_set(Kind::Chariot) | pos.kind_set(Kind::King) | cannons;
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

    /// The horses among `enemies` around `step`, with their legs. Whether one of them attacks it.
    #[inline(always)]
    fn add_horses_at(
        &mut self,
        pos: &Position,
        step: Square,
        occupied: Bitboard,
        enemies: Bitboard,
    ) -> bool {
        let mut attacked = false;
        let horses = pos.kind_set(Kind::Horse) & enemies;
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

    /// Notes the squares on which the moves of bound pieces depend.
    fn add_bound(&mut self, pos: &Position, bound: Bitboard) {
        // The legs of a horse lie on its cross; the rest of that does no harm here.
        let straight =
            pos.kind_set(Kind::Chariot) | pos.kind_set(Kind::Cannon) | pos.kind_set(Kind::Horse);
        for square in bound {
            let near = if straight.contains(square) {
                tables::cross(square)
            } else if pos.kind_set(Kind::Elephant).contains(square) {
                tables::eyes_of(square)
            } else {
                Bitboard::EMPTY
            };
            self.special_from |= near;
            self.special_to |= near;
        }
    }
}
