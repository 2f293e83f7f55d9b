//! A move generator with faults on purpose: plain, slow, one piece after another.
//!
//! Each [`XiangqiFault`] is a mistake that authors of generators make. Without faults this is one more oracle for the
//! real generator. A faulty generator may reach impossible positions (a king taken, an elephant beyond the river); it
//! goes on counting, as the programs that it imitates do.
//!
//! Many engines walk together: where the faulty ones differ from the rest, a condition is the set of the engines for
//! which it holds.

use super::tables::XiangqiFault;
use crate::doctor::faults::{Engines, FaultyBoard, Forgotten, Switches};
use crate::game::{MoveText, Side};
use crate::xiangqi::explain::board::{Board, DIAGONAL, JUMPS, STRAIGHT, beyond_river, first_step, in_palace};
use crate::xiangqi::types::{Kind, Square};

use XiangqiFault as F;

/// A move.
pub type Step = (Square, Square);

impl FaultyBoard for Board {
    type Fault = XiangqiFault;
    type Move = Step;

    fn side(&self) -> Side {
        self.side
    }

    fn moves(&self, switches: &Switches, engines: Engines, list: &mut Vec<(Step, Engines)>) {
        let view = View { board: self, switches, engines };
        let before = self.king(self.side).map_or(Vec::new(), |king| view.attackers(king));
        let mut targets = Vec::new();
        for (from, kind) in self.pieces_of(self.side) {
            view.targets(from, kind, &mut targets);
            for (to, who) in targets.drain(..) {
                let who = who & engines & (view.allowing((from, to), kind, &before) | view.on(F::AnyMove));
                if who != 0 {
                    list.push(((from, to), who));
                }
            }
        }
    }

    fn make(&self, (from, to): Step, _switches: &Switches, engines: Engines, list: &mut Vec<(Self, Engines)>) {
        list.push((self.after(from, to), engines));
    }

    const FORGOTTEN: &'static [Forgotten] = &[
        Forgotten::All,
        Forgotten::Captured,
        Forgotten::Colour,
        Forgotten::Moved,
        Forgotten::Target,
        Forgotten::Side,
        Forgotten::King,
    ];

    fn taken_back(&self, before: &Board, (from, to): Step, forgotten: Forgotten) -> Board {
        let mut board = self.clone();
        if forgotten == Forgotten::All {
            return board;
        }
        let forgets = |what| what == forgotten;
        let captured = before.at(to);
        board.pieces[from.index()] = if forgets(Forgotten::Moved) { None } else { board.at(to) };
        if !(forgets(Forgotten::Target) && captured.is_none()) {
            board.pieces[to.index()] = match captured {
                Some(_) if forgets(Forgotten::Captured) => None,
                Some((side, kind)) if forgets(Forgotten::Colour) => Some((side.flip(), kind)),
                captured => captured,
            };
        }
        if !forgets(Forgotten::Side) {
            board.side = before.side;
        }
        board
    }

    fn king_of(&self, side: Side) -> Option<usize> {
        self.king(side).map(Square::index)
    }

    fn king_after(&self, (from, to): Step) -> Option<usize> {
        (self.at(from) == Some((self.side, Kind::King))).then_some(to.index())
    }

    fn is_safe(&self, (from, to): Step, king: usize) -> bool {
        let board = &Board { side: self.side, ..self.after(from, to) };
        let view = View { board, switches: &Switches::new::<F>(&[]), engines: 1 };
        view.attackers(Square::wrapping(king as u32)).is_empty()
    }

    fn move_text(&self, (from, to): Step) -> MoveText {
        MoveText::new(&[from.name(), to.name()].concat())
    }
}

/// A board as some engines see it.
struct View<'a> {
    board: &'a Board,
    switches: &'a Switches,
    engines: Engines,
}

impl View<'_> {
    /// The engines with a fault of the side to move.
    fn on(&self, fault: F) -> Engines {
        self.switches.on(fault, self.board.side)
    }

    /// The engines without it.
    fn off(&self, fault: F) -> Engines {
        !self.on(fault)
    }

    /// All engines, but only those that have the fault if it is `needed`.
    fn on_if(&self, needed: bool, fault: F) -> Engines {
        if needed { self.on(fault) } else { !0 }
    }

    /// All engines if nothing stands on a horse's leg, else none.
    fn free(&self, leg: Option<Square>) -> Engines {
        if leg.is_none_or(|leg| self.board.is_empty(leg)) { !0 } else { 0 }
    }

    /// Appends the squares to which the piece on `from` moves, whatever becomes of its king, with the engines that
    /// move it there.
    fn targets(&self, from: Square, kind: Kind, found: &mut Vec<(Square, Engines)>) {
        match kind {
            Kind::Soldier => self.soldier(from, found),
            Kind::Horse => self.horse(from, found),
            Kind::Elephant => self.elephant(from, found),
            Kind::Advisor => self.advisor(from, found),
            Kind::King => self.king(from, found),
            Kind::Chariot => STRAIGHT.iter().for_each(|&way| self.chariot(from, way, found)),
            Kind::Cannon => STRAIGHT.iter().for_each(|&way| self.cannon(from, way, found)),
        }
        for (to, who) in found.iter_mut() {
            *who &= match self.board.at(*to) {
                Some((owner, Kind::King)) if owner == self.board.side => 0,
                Some((owner, _)) if owner == self.board.side => self.on(F::CapturesOwn),
                _ => self.engines,
            };
        }
    }

    fn soldier(&self, from: Square, found: &mut Vec<(Square, Engines)>) {
        let (side, ahead) = (self.board.side, self.board.side.forward());
        found.extend(from.step(0, ahead).map(|to| (to, !0)));
        let sideways = match if side == Side::First { from.rank() } else { 9 - from.rank() } {
            0..=3 => self.on(F::SoldierSidewaysEarly),
            4 => self.on(F::SoldierSidewaysEarly) | self.on(F::SoldierSidewaysAtRiver),
            5 => self.off(F::SoldierSidewaysLate),
            9 => self.off(F::SoldierStuck),
            _ => !0,
        } & self.off(F::SoldierNeverSideways);
        for files in [-1, 1] {
            match from.step(files, 0) {
                Some(to) => found.push((to, sideways)),
                None => {
                    let to = wrapped(from, files, 0);
                    found.extend(to.map(|to| (to, sideways & self.on(F::SoldierWraps))));
                }
            }
        }
        if beyond_river(side, from) {
            found.extend(from.step(0, -ahead).map(|to| (to, self.on(F::SoldierBackwards))));
        }
    }

    fn horse(&self, from: Square, found: &mut Vec<(Square, Engines)>) {
        for way in JUMPS {
            let (to, who) = match from.step(way.0, way.1) {
                Some(to) => (to, !0),
                None => match wrapped(from, way.0, way.1) {
                    Some(to) => (to, self.on(F::HorseWraps)),
                    None => continue,
                },
            };
            let here = self.free(first_step(from, way)) & self.off(F::HorseLegAtTarget);
            let there = self.free(first_step(to, (-way.0, -way.1))) & self.on(F::HorseLegAtTarget);
            found.push((to, who & (here | there | self.on(F::HorseLegIgnored))));
        }
    }

    fn elephant(&self, from: Square, found: &mut Vec<(Square, Engines)>) {
        for way in DIAGONAL.map(|(files, ranks)| (2 * files, 2 * ranks)) {
            let (Some(eye), Some(to)) = (first_step(from, way), from.step(way.0, way.1)) else {
                continue;
            };
            let who = self.on_if(!self.board.is_empty(eye), F::ElephantEyeIgnored);
            found.push((to, who & self.on_if(beyond_river(self.board.side, to), F::ElephantCrossesRiver)));
        }
    }

    fn advisor(&self, from: Square, found: &mut Vec<(Square, Engines)>) {
        let ways = DIAGONAL.iter().map(|&way| (way, !0));
        let straight = STRAIGHT.iter().map(|&way| (way, self.on(F::AdvisorStraight)));
        for ((files, ranks), who) in ways.chain(straight) {
            let Some(to) = from.step(files, ranks) else { continue };
            found.push((to, who & self.on_if(!in_palace(self.board.side, to), F::AdvisorLeavesPalace)));
        }
    }

    fn king(&self, from: Square, found: &mut Vec<(Square, Engines)>) {
        let ways = STRAIGHT.iter().map(|&way| (way, !0));
        let diagonal = DIAGONAL.iter().map(|&way| (way, self.on(F::KingDiagonal)));
        for ((files, ranks), who) in ways.chain(diagonal) {
            let Some(to) = from.step(files, ranks) else { continue };
            let leaves = if ranks == 0 { F::KingLeavesPalaceAside } else { F::KingLeavesPalaceAhead };
            found.push((to, who & self.on_if(!in_palace(self.board.side, to), leaves)));
        }
    }

    fn chariot(&self, from: Square, (files, ranks): (i32, i32), found: &mut Vec<(Square, Engines)>) {
        let (mut at, mut who, mut jumped) = (from, !0, false);
        loop {
            let next = at.step(files, ranks).or_else(|| {
                who &= self.on(F::ChariotWraps);
                wrapped(at, files, ranks)
            });
            // After a lap it would be where another direction leads.
            let lap = |next: &Square| files != 0 && next.file() == from.file();
            let Some(next) = next.filter(|next| !lap(next) && who != 0) else { return };
            found.push((next, who));
            if !self.board.is_empty(next) {
                who &= if jumped { 0 } else { self.on(F::ChariotJumps) };
                jumped = true;
            }
            at = next;
        }
    }

    fn cannon(&self, from: Square, (files, ranks): (i32, i32), found: &mut Vec<(Square, Engines)>) {
        let mut at = from;
        let mut screens = Vec::new();
        while let Some(next) = at.step(files, ranks) {
            at = next;
            let empty = self.board.is_empty(next);
            let who = match screens[..] {
                [] if empty => !0,
                [] => self.on(F::CannonWithoutScreen),
                [_] if empty => self.on(F::CannonJumps),
                [screen] if self.board.is_of(screen, self.board.side) => self.off(F::CannonOwnScreenRefused),
                [_] => self.off(F::CannonTheirScreenRefused),
                [_, _] if !empty => self.on(F::CannonTwoScreens),
                _ => 0,
            };
            found.push((next, who));
            if !empty {
                screens.push(next);
            }
        }
    }

    /// The enemies that attack the king on `king`, of the side to move, each with the engines that see it. The other
    /// king attacks along an open file. On the board after a move, the side to move is still the one that moved.
    fn attackers(&self, king: Square) -> Vec<(Square, Engines)> {
        let (board, side) = (self.board, self.board.side);
        let mut found = Vec::new();
        for (from, kind) in board.pieces_of(side.flip()) {
            let screens = board.screens(from, king).map(|screens| screens.len());
            let who = match (kind, screens) {
                (Kind::Chariot, Some(0)) => !0,
                (Kind::King, Some(0)) if from.file() == king.file() => self.off(F::KingsMayFace),
                (Kind::Cannon, Some(0)) => self.on(F::CannonChecksOpenly),
                (Kind::Cannon, Some(1)) => self.off(F::CannonCheckIgnored),
                (Kind::Cannon, Some(2)) => self.on(F::CannonChecksOverTwo),
                (Kind::Horse, _) => self.horse_sees(from, king),
                (Kind::Soldier, _) => {
                    let (files, ranks) = (king.file() - from.file(), king.rank() - from.rank());
                    let seen = match (files.abs(), ranks * side.flip().forward()) {
                        (0, 1) => !0,
                        (1, 0) => self.off(F::SoldierSideCheckIgnored),
                        (0, -1) => self.on(F::SoldierChecksBackwards),
                        _ => 0,
                    };
                    seen & self.off(F::SoldierCheckIgnored)
                }
                _ => 0,
            };
            if who & self.engines != 0 {
                found.push((from, who & self.engines));
            }
        }
        found
    }

    fn horse_sees(&self, from: Square, king: Square) -> Engines {
        let way = (king.file() - from.file(), king.rank() - from.rank());
        if !JUMPS.contains(&way) {
            return 0;
        }
        let here = self.free(first_step(from, way)) & self.off(F::HorseLegAtKing);
        let there = self.free(first_step(king, (-way.0, -way.1))) & self.on(F::HorseLegAtKing);
        (here | there | self.on(F::HorseChecksBlocked)) & self.off(F::HorseCheckIgnored)
    }

    /// The engines that take a move of a `kind` of piece for legal, if the piece can make it. `before` are the
    /// attackers of the king before the move.
    fn allowing(&self, (from, to): Step, kind: Kind, before: &[(Square, Engines)]) -> Engines {
        let board = self.board;
        let after = Board { side: board.side, ..board.after(from, to) };
        let (Some(king_before), Some(king)) = (board.king(board.side), after.king(board.side)) else {
            return self.engines;
        };
        let view = View { board: &after, ..*self };
        let mut refused = 0;
        for (checker, seen) in view.attackers(king) {
            let gave_check = before.iter().find(|b| b.0 == checker).map_or(0, |b| b.1);
            let by = after.at(checker).map(|(_, kind)| kind);
            let overlooked = if kind == Kind::King {
                let attacked =
                    self.on(F::KingIntoAttack) | if board.is_empty(to) { 0 } else { self.on(F::KingTakesProtected) };
                let along = Board::between(checker, to).is_some_and(|line| line.contains(&from));
                match by {
                    Some(Kind::King) => self.on(F::KingStepsToFace),
                    Some(Kind::Chariot) if along => attacked | self.on(F::KingShieldsLine) & gave_check,
                    _ => attacked,
                }
            } else {
                // Only what the move itself has uncovered.
                !gave_check
                    & match by {
                        Some(Kind::King) => self.on(F::PieceOpensKings),
                        Some(Kind::Chariot) if checker.rank() == king.rank() => {
                            self.on(F::ChariotPinIgnored) | self.on(F::ChariotRankPinIgnored)
                        }
                        Some(Kind::Chariot) => self.on(F::ChariotPinIgnored),
                        Some(Kind::Cannon) => {
                            let line = Board::between(checker, king);
                            match line.is_some_and(|line| line.contains(&to)) {
                                true => self.on(F::CannonScreenIgnored),
                                false => self.on(F::CannonPinIgnored),
                            }
                        }
                        Some(Kind::Horse) => self.on(F::HorsePinIgnored),
                        _ => 0,
                    }
            };
            refused |= seen & !overlooked;
        }
        if kind == Kind::King {
            return self.engines & !refused;
        }
        let in_check = before.iter().fold(0, |set, (_, seen)| set | seen);
        for &(checker, seen) in before {
            if checker == to {
                refused |= seen & self.on(F::CaptureDoesNotAnswer);
            } else if board.at(checker).is_some_and(|(_, kind)| kind == Kind::Cannon)
                && board.screens(checker, king_before).is_some_and(|s| s.contains(&from))
            {
                refused |= seen & self.on(F::CannonScreenMayNotLeave);
            }
        }
        self.engines & !(refused & !(in_check & self.on(F::CheckNotAnswered)))
    }
}

/// The square that a step over the edge reaches if a square is only a number.
fn wrapped(from: Square, files: i32, ranks: i32) -> Option<Square> {
    let index = from.index() as i32 + files + 9 * ranks;
    (0..90).contains(&index).then(|| Square::wrapping(index as u32))
}
