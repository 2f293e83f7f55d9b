//! A move generator with faults on purpose: plain, slow, one piece after another.
//!
//! Each [`XiangqiFault`] is a mistake that authors of generators make. Without faults this is one more oracle for the
//! real generator. A faulty generator may reach impossible positions (a king taken, an elephant beyond the river); it
//! goes on counting, as the programs that it imitates do. A fault is asked for last, and only where it matters.

use super::tables::XiangqiFault;
use crate::doctor::faults::{Faults, FaultyBoard};
use crate::explain::xiangqi::mailbox::{DIAGONAL, JUMPS, Mailbox, STRAIGHT, beyond_river, first_step, in_palace};
use crate::game::{MoveText, Side};
use crate::xiangqi::types::{Kind, Square};

use XiangqiFault as F;

/// A move.
pub type Step = (Square, Square);

impl FaultyBoard for Mailbox {
    type Fault = XiangqiFault;
    type Move = Step;

    fn moves(&self, faults: &Faults) -> Vec<Step> {
        let view = View { board: self, faults };
        let before = self.king(self.side).map_or(Vec::new(), |king| view.attackers(king));
        let (mut targets, mut list) = (Vec::new(), Vec::new());
        for (from, kind) in self.pieces_of(self.side) {
            view.targets(from, kind, &mut targets);
            for to in targets.drain(..) {
                let may_land = match self.at(to) {
                    Some((owner, Kind::King)) if owner == self.side => false,
                    Some((owner, _)) if owner == self.side => view.on(F::CapturesOwn),
                    _ => true,
                };
                if may_land && (view.allows((from, to), kind, &before) || view.on(F::AnyMove)) {
                    list.push((from, to));
                }
            }
        }
        list
    }

    fn make(&self, (from, to): Step, _faults: &Faults) -> Mailbox {
        self.after(from, to)
    }

    fn read(&self, _faults: &Faults) -> Mailbox {
        self.clone()
    }

    fn move_text(&self, (from, to): Step) -> MoveText {
        MoveText::new(&[from.name(), to.name()].concat())
    }
}

/// A board as an engine sees it.
struct View<'a> {
    board: &'a Mailbox,
    faults: &'a Faults,
}

impl View<'_> {
    /// Whether the engine has a fault of the side to move.
    fn on(&self, fault: F) -> bool {
        self.faults.on(fault, self.board.side)
    }

    /// Whether nothing stands on a horse's leg.
    fn is_free(&self, leg: Option<Square>) -> bool {
        leg.is_none_or(|leg| self.board.is_empty(leg))
    }

    /// Appends the squares to which the engine moves the piece on `from`, whatever becomes of its king.
    fn targets(&self, from: Square, kind: Kind, found: &mut Vec<Square>) {
        match kind {
            Kind::Soldier => self.soldier(from, found),
            Kind::Horse => self.horse(from, found),
            Kind::Elephant => self.elephant(from, found),
            Kind::Advisor => self.advisor(from, found),
            Kind::King => self.king(from, found),
            Kind::Chariot => {
                for way in STRAIGHT {
                    self.chariot(from, way, found);
                }
            }
            Kind::Cannon => {
                for way in STRAIGHT {
                    self.cannon(from, way, found);
                }
            }
        }
    }

    fn soldier(&self, from: Square, found: &mut Vec<Square>) {
        let (side, ahead) = (self.board.side, self.board.side.forward());
        found.extend(from.step(0, ahead));
        let sideways = || match if side == Side::First { from.rank() } else { 9 - from.rank() } {
            0..=3 => self.on(F::SoldierSidewaysEarly),
            4 => self.on(F::SoldierSidewaysEarly) || self.on(F::SoldierSidewaysAtRiver),
            5 => !self.on(F::SoldierSidewaysLate) && !self.on(F::SoldierNeverSideways),
            _ => !self.on(F::SoldierNeverSideways),
        };
        for files in [-1, 1] {
            if let Some(to) = from.step(files, 0)
                && sideways()
            {
                found.push(to);
            }
        }
        if beyond_river(side, from) {
            found.extend(from.step(0, -ahead).filter(|_| self.on(F::SoldierBackwards)));
        }
    }

    fn horse(&self, from: Square, found: &mut Vec<Square>) {
        for way in JUMPS {
            let to = match from.step(way.0, way.1) {
                Some(to) => to,
                None => match wrapped(from, way.0, way.1).filter(|_| self.on(F::HorseWraps)) {
                    Some(to) => to,
                    None => continue,
                },
            };
            let here = self.is_free(first_step(from, way));
            let there = self.is_free(first_step(to, (-way.0, -way.1)));
            let is_free = if here != there && self.on(F::HorseLegAtTarget) { there } else { here };
            if is_free || self.on(F::HorseLegIgnored) {
                found.push(to);
            }
        }
    }

    fn elephant(&self, from: Square, found: &mut Vec<Square>) {
        for way in DIAGONAL.map(|(files, ranks)| (2 * files, 2 * ranks)) {
            let (Some(eye), Some(to)) = (first_step(from, way), from.step(way.0, way.1)) else {
                continue;
            };
            if (self.board.is_empty(eye) || self.on(F::ElephantEyeIgnored))
                && (!beyond_river(self.board.side, to) || self.on(F::ElephantCrossesRiver))
            {
                found.push(to);
            }
        }
    }

    fn advisor(&self, from: Square, found: &mut Vec<Square>) {
        let steps = DIAGONAL.iter().chain(if self.on(F::AdvisorStraight) { &STRAIGHT[..] } else { &[] });
        let to = steps.filter_map(|&(files, ranks)| from.step(files, ranks));
        found.extend(to.filter(|&to| in_palace(self.board.side, to) || self.on(F::AdvisorLeavesPalace)));
    }

    fn king(&self, from: Square, found: &mut Vec<Square>) {
        for &(files, ranks) in STRAIGHT.iter().chain(if self.on(F::KingDiagonal) { &DIAGONAL[..] } else { &[] }) {
            let leaves = if ranks == 0 { F::KingLeavesPalaceAside } else { F::KingLeavesPalaceAhead };
            let to = from.step(files, ranks);
            found.extend(to.filter(|&to| in_palace(self.board.side, to) || self.on(leaves)));
        }
    }

    fn chariot(&self, from: Square, (files, ranks): (i32, i32), found: &mut Vec<Square>) {
        let (mut at, mut jumped) = (from, false);
        while let Some(next) = at.step(files, ranks) {
            found.push(next);
            if !self.board.is_empty(next) {
                if jumped || !self.on(F::ChariotJumps) {
                    return;
                }
                jumped = true;
            }
            at = next;
        }
    }

    fn cannon(&self, from: Square, (files, ranks): (i32, i32), found: &mut Vec<Square>) {
        let mut at = from;
        let mut screens = 0;
        while let Some(next) = at.step(files, ranks) {
            at = next;
            let is_empty = self.board.is_empty(next);
            let reaches = match screens {
                0 => is_empty || self.on(F::CannonWithoutScreen),
                1 if is_empty => self.on(F::CannonJumps),
                1 => true,
                2 if !is_empty => self.on(F::CannonTwoScreens),
                _ => false,
            };
            if reaches {
                found.push(next);
            }
            if !is_empty {
                screens += 1;
            }
        }
    }

    /// The enemies that the engine sees attack the king on `king`, of the side to move. The other king attacks along an
    /// open file. On the board after a move, the side to move is still the one that moved.
    fn attackers(&self, king: Square) -> Vec<Square> {
        let (board, side) = (self.board, self.board.side);
        let sees = |&(from, kind): &(Square, Kind)| {
            let screens = board.screens(from, king).map(|screens| screens.len());
            match (kind, screens) {
                (Kind::Chariot, Some(0)) => true,
                (Kind::King, Some(0)) => from.file() == king.file() && !self.on(F::KingsMayFace),
                (Kind::Cannon, Some(0)) => self.on(F::CannonChecksOpenly),
                (Kind::Cannon, Some(1)) => !self.on(F::CannonCheckIgnored),
                (Kind::Horse, _) => self.horse_sees(from, king),
                (Kind::Soldier, _) => {
                    let (files, ranks) = (king.file() - from.file(), king.rank() - from.rank());
                    let seen = match (files.abs(), ranks * side.flip().forward()) {
                        (0, 1) => true,
                        (1, 0) => !self.on(F::SoldierSideCheckIgnored),
                        _ => false,
                    };
                    seen && !self.on(F::SoldierCheckIgnored)
                }
                _ => false,
            }
        };
        board.pieces_of(side.flip()).filter(sees).map(|(from, _)| from).collect()
    }

    fn horse_sees(&self, from: Square, king: Square) -> bool {
        let way = (king.file() - from.file(), king.rank() - from.rank());
        if !JUMPS.contains(&way) {
            return false;
        }
        let here = self.is_free(first_step(from, way));
        let there = self.is_free(first_step(king, (-way.0, -way.1)));
        let is_free = if here != there && self.on(F::HorseLegAtKing) { there } else { here };
        (is_free || self.on(F::HorseChecksBlocked)) && !self.on(F::HorseCheckIgnored)
    }

    /// Whether the engine takes a move of a `kind` of piece for legal, if the piece can make it. `before` are the
    /// attackers of the king before the move.
    fn allows(&self, (from, to): Step, kind: Kind, before: &[Square]) -> bool {
        let board = self.board;
        let after = Mailbox { side: board.side, ..board.after(from, to) };
        let Some(king) = after.king(board.side) else { return true };
        let view = View { board: &after, ..*self };
        let mut is_refused = false;
        for checker in view.attackers(king) {
            let gave_check = before.contains(&checker);
            let by = after.at(checker).map(|(_, kind)| kind);
            let is_overlooked = if kind == Kind::King {
                let along = Mailbox::between(checker, to).is_some_and(|line| line.contains(&from));
                let attacked = || self.on(F::KingIntoAttack) || !board.is_empty(to) && self.on(F::KingTakesProtected);
                match by {
                    Some(Kind::King) => self.on(F::KingStepsToFace),
                    Some(Kind::Chariot) if along && gave_check => attacked() || self.on(F::KingShieldsLine),
                    _ => attacked(),
                }
            } else {
                // Only what the move itself has uncovered.
                !gave_check
                    && match by {
                        Some(Kind::King) => self.on(F::PieceOpensKings),
                        Some(Kind::Chariot) => self.on(F::ChariotPinIgnored),
                        Some(Kind::Cannon) => {
                            let line = Mailbox::between(checker, king);
                            if line.is_some_and(|line| line.contains(&to)) {
                                self.on(F::CannonScreenIgnored)
                            } else {
                                self.on(F::CannonPinIgnored)
                            }
                        }
                        Some(Kind::Horse) => self.on(F::HorsePinIgnored),
                        _ => false,
                    }
            };
            is_refused |= !is_overlooked;
        }
        !is_refused || kind != Kind::King && !before.is_empty() && self.on(F::CheckNotAnswered)
    }
}

/// The square that a step over the edge reaches if a square is only a number.
fn wrapped(from: Square, files: i32, ranks: i32) -> Option<Square> {
    let index = from.index() as i32 + files + 9 * ranks;
    (0..90).contains(&index).then(|| Square::wrapping(index as u32))
}
