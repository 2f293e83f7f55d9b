//! A wrong answer that can be asked about again: [`Case`]. It holds in another place if the same thing is wrong there.

use super::ask::{Asker, Reply};
use super::diff::Wrong;
use super::spot::Spot;
use crate::doctor::faults::Diagnosis;
use crate::game::Position;

/// What is wrong, by the question that shows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Evidence {
    /// It fails.
    Crash,
    /// The list is wrong where the position is set up by its FEN.
    ByFen(Wrong),
    /// The list is right by FEN, and wrong after moves.
    AfterMoves(Wrong),
    /// The list is wrong after moves; the position cannot be set up, because the program misreads its FEN.
    OnlyAfterMoves(Wrong),
    /// All lists are right, but a count is not the sum of its own counts of the positions after the moves.
    Count,
    /// The total is not the sum of the counts.
    Total,
}

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Case<B: Diagnosis> {
    pub evidence: Evidence,
    pub spot: Spot<B>,
    /// The move that is wrong there; empty if it is not a move.
    pub text: String,
    /// The depth of the question.
    pub depth: u32,
}

/// What is wrong with one move.
pub fn flaw<B: Diagnosis>(reply: &Reply, position: &Position<B>, text: &str) -> Option<Wrong> {
    Wrong::of_listing(position.parse_coordinates(text).is_ok(), reply.times(text))
}

impl<B: Diagnosis> Case<B> {
    /// The same as far as it is evidence although the program misreads FENs.
    pub fn despite_misreading(mut self, asker: &Asker<'_, B>) -> Option<Case<B>> {
        if asker.misreads(&self.spot.root) {
            return None;
        }
        if let Evidence::AfterMoves(found) = self.evidence
            && self.spot.end().is_some_and(|end| asker.misreads(&end))
        {
            self.evidence = Evidence::OnlyAfterMoves(found);
        }
        Some(self)
    }

    /// Whether the same is wrong at another place, with another move: `None` if it can't be compared. What is found is
    /// kept for the name.
    pub fn holds_at(&self, asker: &mut Asker<'_, B>, spot: &Spot<B>, text: &str) -> Option<bool> {
        let holds = self.compare_at(asker, spot, text)?;
        asker.judged.push((spot.clone(), text.into(), holds));
        Some(holds)
    }

    fn compare_at(&self, asker: &mut Asker<'_, B>, spot: &Spot<B>, text: &str) -> Option<bool> {
        let end = spot.end()?;
        if asker.misreads(&spot.root) {
            return None;
        }
        if B::arises(&self.spot.root) && !B::arises(&spot.root) {
            return None;
        }
        let is_legal = end.parse_coordinates(text).is_ok();
        match self.evidence {
            Evidence::Crash => {
                let reply = asker.ask(spot, self.depth);
                let has_failed = asker.failure(spot, self.depth).is_some();
                (reply.is_some() || has_failed).then_some(has_failed)
            }
            Evidence::Total => asker.ask(spot, self.depth).map(|reply| reply.total != reply.sum()),
            Evidence::Count => {
                let m = end.parse_coordinates(text).ok()?;
                let reply = asker.ask(spot, self.depth)?;
                if self.depth == 1 {
                    return Some(reply.count(text) != 1);
                }
                let alone = asker.ask(&Spot::at(end.play_unchecked(m)), self.depth - 1)?.total;
                if asker.takes_moves() && asker.ask(&spot.then(text), self.depth - 1)?.total != alone {
                    return None;
                }
                Some(reply.count(text) != alone)
            }
            Evidence::ByFen(found) | Evidence::AfterMoves(found) | Evidence::OnlyAfterMoves(found) => {
                if is_legal != (found != Wrong::Extra) {
                    return None;
                }
                let reply = asker.ask(spot, 1)?;
                let holds = flaw(&reply, &end, text) == Some(found);
                if !matches!(self.evidence, Evidence::AfterMoves(_)) {
                    return Some(holds);
                }
                // It has to be right by FEN.
                let alone = asker.ask(&Spot::at(end), 1)?;
                match flaw(&alone, &end, text) {
                    Some(_) if holds => None,
                    _ => Some(holds),
                }
            }
        }
    }

    /// The same with the case's own move.
    pub fn holds(&self, asker: &mut Asker<'_, B>, spot: &Spot<B>) -> Option<bool> {
        self.holds_at(asker, spot, &self.text)
    }
}
