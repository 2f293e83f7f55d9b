//! Asks another program, and remembers what it has answered: [`Asker`].
//!
//! Every question is a place and a depth. A program is asked for a divide, or, if it has none, about one move after
//! another. Where it ends or does not answer, it is started again, and the failure is the answer.

use super::by_move::MoveByMove;
use super::diff::{Wrong, flaws};
use super::program::Divider;
use super::setup::{Misread, Setup};
use super::spot::Spot;
use crate::base::signals;
use crate::doctor::faults::Diagnosis;
use crate::game::Position;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How often in a row the other program may fail.
const MOST_FAILURES: usize = 200;
/// How many answers may be unreadable.
const MOST_UNCLEAR: usize = 20;

/// What a program has printed for a place.
#[derive(Debug)]
pub struct Reply {
    /// Its moves in order, with their counts.
    pub moves: Vec<(String, u128)>,
    /// The total that it printed, or the sum.
    pub total: u128,
}

impl Reply {
    /// What is wrong with the list.
    pub fn flaws<B: Diagnosis>(&self, position: &Position<B>) -> Vec<(Wrong, String)> {
        flaws(position, &Vec::from_iter(self.moves.iter().map(|(text, _)| text.as_str())))
    }

    /// How often a move is listed.
    pub fn times(&self, text: &str) -> usize {
        self.moves.iter().filter(|(name, _)| name == text).count()
    }

    /// The count of a move; 0 if it is not there.
    pub fn count(&self, text: &str) -> u128 {
        self.moves.iter().filter(|(name, _)| name == text).map(|(_, count)| count).sum()
    }

    /// The sum of the counts.
    pub fn sum(&self) -> u128 {
        self.moves.iter().map(|(_, count)| count).sum()
    }
}

/// Starts the other program again.
pub type Restart<'a> = Box<dyn FnMut() -> Result<Divider<'a>, String> + 'a>;

/// The program that is asked.
#[allow(clippy::large_enum_variant, reason = "there is one")]
pub enum Source<'a> {
    Divides(Divider<'a>, Restart<'a>),
    Moves(MoveByMove<'a>),
}

/// Asks a program.
pub struct Asker<'a, B: Diagnosis> {
    pub source: Source<'a>,
    /// How long one answer may take.
    pub wait: Duration,
    /// When all ends.
    pub end: Instant,
    /// The answers, by place and depth; an error where the program has failed.
    answers: HashMap<(String, u32), Result<Rc<Reply>, String>>,
    /// What was asked, in order.
    pub asked: Vec<(Spot<B>, u32)>,
    /// Where the same as in a case was asked, with the move, and whether it is wrong there.
    pub judged: Vec<(Spot<B>, String, bool)>,
    /// The sequences that it has counted.
    nodes: u128,
    /// How long it took.
    time: Duration,
    /// How often it has failed since its last answer.
    failures: usize,
    unclear: usize,
    /// What it is known to read wrongly.
    pub misread: Option<Misread>,
    /// Why there was no answer, the last time.
    pub last_error: String,
    /// Why nothing more can be asked.
    pub fatal: Option<String>,
}

impl<'a, B: Diagnosis> Asker<'a, B> {
    /// Nothing is asked yet.
    pub fn new(source: Source<'a>, wait: Duration, end: Instant) -> Self {
        let (answers, asked, judged, fatal) = (HashMap::new(), Vec::new(), Vec::new(), None);
        Asker {
            source,
            wait,
            end,
            answers,
            asked,
            judged,
            nodes: 0,
            time: Duration::ZERO,
            failures: 0,
            unclear: 0,
            misread: None,
            last_error: String::new(),
            fatal,
        }
    }

    /// Whether nothing more may be asked.
    pub fn is_over(&self) -> bool {
        self.fatal.is_some() || signals::was_interrupted() || Instant::now() >= self.end
    }

    /// Whether it can count, and not only list.
    pub fn counts(&self) -> bool {
        matches!(self.source, Source::Divides(..))
    }

    /// Whether it can be asked about a position after moves.
    pub fn takes_moves(&self) -> bool {
        match &self.source {
            Source::Divides(divider, _) => divider.takes_moves,
            Source::Moves(_) => true,
        }
    }

    /// Whether it has another position where this one is set up by its FEN.
    pub fn misreads(&self, position: &Position<B>) -> bool {
        self.misread.is_some_and(|field| Setup::of(position).is_misread(field))
    }

    /// Whether it can probably count so many nodes in a time, by what it has counted so far.
    pub fn can_count(&self, nodes: u128, time: Duration) -> bool {
        let rate = self.nodes as f64 / self.time.as_secs_f64().max(1e-3);
        (nodes as f64) < 2_000.0 + rate * time.as_secs_f64()
    }

    /// What it prints for `depth` plies; `None` if it fails there, cannot be asked that, or nothing more may be asked.
    pub fn ask(&mut self, spot: &Spot<B>, depth: u32) -> Option<Rc<Reply>> {
        let key = (spot.command(), depth);
        if let Some(known) = self.answers.get(&key) {
            return known.as_ref().ok().cloned();
        }
        let end = spot.end()?;
        let left = self.end.saturating_duration_since(Instant::now());
        if self.is_over() || !spot.moves.is_empty() && !self.takes_moves() || depth > 1 && !self.counts() {
            return None;
        }
        let begin = Instant::now();
        let answer = match &mut self.source {
            Source::Moves(asker) => asker.moves(spot).map(|moves| {
                let moves = Vec::from_iter(moves.into_iter().map(|text| (text, 1)));
                let total = moves.len() as u128;
                Reply { moves, total }
            }),
            Source::Divides(divider, _) => {
                divider.patience = Some(left.min(self.wait));
                let reading = divider.divide((&spot.root.to_fen(), &spot.moves), &end, depth);
                reading.map(|reading| {
                    let total = reading.total.map_or(reading.sum(), |(_, total)| total);
                    Reply { moves: reading.moves.into_iter().map(|m| (m.name, m.count)).collect(), total }
                })
            }
        };
        self.time += begin.elapsed();
        self.asked.push((spot.clone(), depth));
        match &answer {
            Ok(_) => self.failures = 0,
            Err(reason) => {
                self.last_error.clone_from(reason);
                if !self.recover(reason) {
                    return None;
                }
            }
        }
        let answer = answer.map(Rc::new);
        self.nodes += answer.as_ref().map_or(0, |reply| reply.total.min(u128::from(u64::MAX)));
        self.answers.insert(key, answer.clone());
        answer.ok()
    }

    /// What it has printed already.
    pub fn answered(&self, spot: &Spot<B>, depth: u32) -> Option<Rc<Reply>> {
        self.answers.get(&(spot.command(), depth)).and_then(|answer| answer.as_ref().ok().cloned())
    }

    /// What was seen where the program failed.
    pub fn failure(&self, spot: &Spot<B>, depth: u32) -> Option<&String> {
        self.answers.get(&(spot.command(), depth)).and_then(|answer| answer.as_ref().err())
    }

    /// Starts the program again. Returns whether that it failed is an answer.
    fn recover(&mut self, reason: &str) -> bool {
        self.failures += 1;
        if signals::was_interrupted() || Instant::now() >= self.end {
            return false;
        }
        let Source::Divides(divider, restart) = &mut self.source else {
            self.fatal = Some(reason.into());
            return false;
        };
        if !divider.has_failed {
            self.failures -= 1;
            self.unclear += 1;
            if self.unclear > MOST_UNCLEAR {
                self.fatal = Some(reason.into());
            }
            return false;
        }
        let next = if self.failures > MOST_FAILURES { Err(reason.into()) } else { restart() };
        match next {
            Ok(mut next) => {
                next.rank_offset = divider.rank_offset;
                *divider = next;
                true
            }
            Err(reason) => {
                self.fatal = Some(reason);
                true
            }
        }
    }
}
