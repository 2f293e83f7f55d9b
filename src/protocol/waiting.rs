//! What waits for the answer of the search in progress: [`Waiting`], a queue that knows what lies ahead.
//!
//! `session` puts in what cannot be obeyed beside a search and takes it out, in order, once that has answered.
//! A `stop` or `ponderhit` means every search asked for before it, so it also waits behind those that have not
//! begun yet, and they find it here when they begin. Nothing here decides what has to wait.

use std::collections::VecDeque;

/// Something that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Held {
    /// A line that is to be obeyed.
    Line(String),
    /// A `stop` that has ended the search in progress; it means the searches in front of it as well.
    Stop,
    /// The same for `ponderhit`; true if a draw was offered with it.
    PonderHit(bool),
}

/// Lines, stops and ponder hits in the order in which they came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Waiting {
    queue: VecDeque<Held>,
    stops: usize,
    hits: usize,
    draws: usize,
}

impl Waiting {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Puts something behind all that waits. A stop or a hit behind nothing means nothing and is left out.
    pub fn push(&mut self, held: Held) {
        if !matches!(held, Held::Line(_)) && self.is_empty() {
            return;
        }
        self.count(&held, usize::wrapping_add);
        self.queue.push_back(held);
    }

    /// Takes out the first line; stops and hits in front of it have no more searches to wait for.
    pub fn pop(&mut self) -> Option<String> {
        loop {
            let held = self.queue.pop_front()?;
            self.count(&held, usize::wrapping_sub);
            if let Held::Line(line) = held {
                return Some(line);
            }
        }
    }

    /// Puts a line back to where [`pop`](Self::pop) took it from.
    pub fn put_back(&mut self, line: String) {
        self.queue.push_front(Held::Line(line));
    }

    /// Whether a `stop` waits: a search that was taken from the front is to be ended at once.
    pub fn has_stop(&self) -> bool {
        self.stops > 0
    }

    /// Whether a `ponderhit` waits for the searches in front of it, and whether one offers a draw.
    pub fn ponder_hit(&self) -> Option<bool> {
        (self.hits > 0).then_some(self.draws > 0)
    }

    fn count(&mut self, held: &Held, step: fn(usize, usize) -> usize) {
        match held {
            Held::Line(_) => {}
            Held::Stop => self.stops = step(self.stops, 1),
            Held::PonderHit(draw) => {
                self.hits = step(self.hits, 1);
                self.draws = step(self.draws, usize::from(*draw));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Held {
        Held::Line(text.to_string())
    }

    #[test]
    fn a_stop_means_every_line_in_front_of_it_and_none_behind() {
        let mut waiting = Waiting::default();
        for held in [Held::Stop, Held::PonderHit(true)] {
            waiting.push(held);
            assert!(waiting.is_empty(), "behind nothing");
        }
        for held in [line("a"), line("b"), Held::Stop, Held::PonderHit(false), line("c")] {
            waiting.push(held);
        }
        for (text, stop, hit) in
            [("a", true, Some(false)), ("b", true, Some(false)), ("c", false, None)]
        {
            assert_eq!(waiting.pop().as_deref(), Some(text));
            assert_eq!((waiting.has_stop(), waiting.ponder_hit()), (stop, hit), "{text}");
        }
        assert_eq!(waiting.pop(), None);
        assert_eq!(waiting, Waiting::default());
    }

    #[test]
    fn a_draw_offer_is_seen_until_its_hit_is_passed() {
        let mut waiting = Waiting::default();
        for held in [line("a"), Held::PonderHit(true), line("b"), Held::PonderHit(false)] {
            waiting.push(held);
        }
        assert_eq!(waiting.pop().as_deref(), Some("a"));
        assert_eq!(waiting.ponder_hit(), Some(true));
        assert_eq!(waiting.pop().as_deref(), Some("b"));
        assert_eq!(waiting.ponder_hit(), Some(false));
        waiting.put_back("b".to_string());
        assert_eq!(waiting.pop().as_deref(), Some("b"));
        assert_eq!(waiting.pop(), None);
        assert!(waiting.is_empty());
    }
}
