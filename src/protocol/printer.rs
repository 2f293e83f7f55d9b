//! Prints what the engine reports, as lines of the protocol.
//!
//! Made by `session`, called from the search thread. It never changes the session's state.

use super::console::Console;
use super::dialect::{Answer, Dialect, MoveOf, View};
use crate::base::lock::lock;
use crate::engine::{Bound, Info, Progress, Report, Score, score};
use crate::game::Playable;
use std::sync::{Arc, Mutex};

/// Prints the engine's reports. Called from the search thread.
pub(super) struct Printer<D: Dialect> {
    pub console: Arc<Console>,
    pub search: Mutex<Search<D::Position>>,
}

/// State of the printer for the current search.
#[derive(Clone, Copy)]
pub(super) struct Search<P> {
    pub view: View<P>,
    /// See [`Answer::scores`].
    pub scores: [Option<Score>; 2],
    /// The search looks for a mate.
    for_mate: bool,
    /// The first PV ends in stalemate and is reported as a mate, because stalemate loses.
    stalemate: bool,
}

impl<P> Search<P> {
    /// A search that has not reported anything.
    pub fn new(view: View<P>, for_mate: bool) -> Self {
        Search { view, scores: [None; 2], for_mate, stalemate: false }
    }
}

/// Whether a line that is reported as a mate ends in stalemate.
fn ends_in_stalemate<P: Playable>(root: &P, info: &Info<'_, P::Move>) -> bool {
    let mut pos = *root;
    info.pv.iter().for_each(|&m| pos.make(m));
    score::is_mate(info.score) && pos.count_legal() == 0 && !pos.in_check()
}

impl<D: Dialect> Printer<D> {
    /// Runs `work` on the state of the current search; the lock is held only for that.
    pub fn with_search<T>(&self, work: impl FnOnce(&mut Search<D::Position>) -> T) -> T {
        work(&mut lock(&self.search))
    }

    fn view(&self) -> View<D::Position> {
        self.with_search(|search| search.view)
    }
}

impl<D: Dialect> Report<D::Position> for Printer<D> {
    fn lines_per_info(&self) -> usize {
        D::LINES_PER_INFO
    }
    fn info(&self, info: &Info<'_, MoveOf<D>>) {
        let view = self.with_search(|search| {
            if info.multi_pv == 1 && info.bound == Bound::Exact && !info.repeated {
                search.scores = [Some(info.score), search.scores[0]];
            }
            if info.multi_pv == 1 && info.bound == Bound::Exact && search.for_mate {
                search.stalemate = ends_in_stalemate(&search.view.root, info);
            }
            search.view
        });
        self.console.say_thinking(&D::info(&view, info));
    }
    fn progress(&self, progress: &Progress) {
        self.console.say_thinking(&D::progress(&self.view(), progress));
    }
    fn current_move(&self, depth: u32, m: MoveOf<D>, number: u32) {
        self.console.say_thinking(&D::current_move(&self.view(), depth, m, number));
    }
    fn current_line(&self, cpu: u32, line: &[MoveOf<D>]) {
        self.console.say_thinking(&D::current_line(&self.view(), cpu, line));
    }
    fn refutation(&self, m: MoveOf<D>, line: &[MoveOf<D>]) {
        let line: Vec<_> = std::iter::once(m).chain(line.iter().copied()).collect();
        self.console.say_thinking(&D::refutation(&self.view(), &line));
    }
    fn message(&self, text: &str) {
        self.console.say_thinking(&D::remark(text));
    }
    fn fault(&self, text: &str) {
        self.console.say_thinking(&D::fault(text));
    }
    fn best(&self, best: Option<MoveOf<D>>, ponder: Option<MoveOf<D>>, score: Score) {
        let search = self.with_search(|search| *search);
        let Search { view, scores, .. } = search;
        if search.for_mate && search.stalemate {
            self.message("the line ends in stalemate, which loses");
        }
        if search.for_mate && score::is_forfeit(score) && score > 0 {
            let moves = (score::FORFEIT - score + 1) / 2;
            self.message(&format!("the opponent loses by a forbidden repetition in {moves}, which is no mate"));
        }
        let answer = Answer { best, ponder, scores, draw_offered: self.console.is_draw_offered() };
        self.console.answer(&D::best(&view.root, &answer));
    }
}
