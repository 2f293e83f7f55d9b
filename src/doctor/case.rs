//! A wrong answer that can be asked about again: [`Case`]. It holds in another place if the same thing is wrong there.

use super::ask::{Asker, Reply};
use super::spot::{Spot, texts};
use crate::doctor::faults::Diagnosis;
use crate::game::Position;

/// What is wrong with a move in a list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flaw {
    Missing,
    Extra,
    Twice,
}

/// What is wrong, by the question that shows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symptom {
    /// It fails.
    Crash,
    /// The list is wrong where the position is set up by its FEN.
    ByFen(Flaw),
    /// The list is right by FEN, and wrong after moves.
    AfterMoves(Flaw),
    /// All lists are right, but a count is not the sum of its own counts of the positions after the moves.
    Count,
    /// The total is not the sum of the counts.
    Total,
}

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Case<B: Diagnosis> {
    pub symptom: Symptom,
    pub spot: Spot<B>,
    /// The move that is wrong there; empty if it is not a move.
    pub text: String,
    /// The depth of the question.
    pub depth: u32,
}

/// What is wrong with a list.
pub fn flaws<B: Diagnosis>(reply: &Reply, position: &Position<B>) -> Vec<(String, Flaw)> {
    let legal = texts(position);
    let missing = legal.iter().filter(|text| reply.times(text) == 0).map(|text| (text.clone(), Flaw::Missing));
    let mut flaws = Vec::from_iter(missing);
    for (text, _) in &reply.moves {
        let flaw = match legal.contains(text) {
            false => Flaw::Extra,
            true if reply.times(text) > 1 => Flaw::Twice,
            true => continue,
        };
        if !flaws.contains(&(text.clone(), flaw)) {
            flaws.push((text.clone(), flaw));
        }
    }
    flaws
}

/// What is wrong with one move.
pub fn flaw<B: Diagnosis>(reply: &Reply, position: &Position<B>, text: &str) -> Option<Flaw> {
    let is_legal = position.parse_coordinates(text).is_ok();
    match (is_legal, reply.times(text)) {
        (true, 0) => Some(Flaw::Missing),
        (false, 1..) => Some(Flaw::Extra),
        (true, 2..) => Some(Flaw::Twice),
        _ => None,
    }
}

impl<B: Diagnosis> Case<B> {
    /// Whether the same is wrong at another place, with another move: `None` if it can't be compared. What is found is
    /// kept as evidence.
    pub fn holds_at(&self, asker: &mut Asker<'_, B>, spot: &Spot<B>, text: &str) -> Option<bool> {
        let holds = self.compare_at(asker, spot, text)?;
        asker.judged.push((spot.clone(), text.into(), holds));
        Some(holds)
    }

    fn compare_at(&self, asker: &mut Asker<'_, B>, spot: &Spot<B>, text: &str) -> Option<bool> {
        let end = spot.end()?;
        if B::arises(&self.spot.root) && !B::arises(&spot.root) {
            return None;
        }
        let is_legal = end.parse_coordinates(text).is_ok();
        match self.symptom {
            Symptom::Crash => {
                let reply = asker.ask(spot, self.depth);
                let has_failed = asker.failure(spot, self.depth).is_some();
                (reply.is_some() || has_failed).then_some(has_failed)
            }
            Symptom::Total => asker.ask(spot, self.depth).map(|reply| reply.total != reply.sum()),
            Symptom::Count => {
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
            Symptom::ByFen(found) | Symptom::AfterMoves(found) => {
                if is_legal != (found != Flaw::Extra) {
                    return None;
                }
                let reply = asker.ask(spot, 1)?;
                let holds = flaw(&reply, &end, text) == Some(found);
                if matches!(self.symptom, Symptom::ByFen(_)) {
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
