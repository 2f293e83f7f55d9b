//! Tests of single nodes of a search: what the rules say there, and what goes into the table and comes from it.

use super::limits::Limits;
use super::node::{Bounds, NON_PV, Node};
use super::score::{Bound, NONE};
use super::searcher::{Memory, Searcher};
use super::{Engine, Entry, deepening};
use crate::game::{Position, Searchable};
use std::ops::ControlFlow::{self, Break, Continue};

/// Does `work` with a searcher that is about to search `fen`.
fn at<B: Searchable>(fen: &str, work: impl FnOnce(&mut Searcher<'_, B>, Position<B>)) {
    let pos = Position::<B>::from_fen(fen).expect("a position");
    let mut engine = Engine::new();
    engine.set_position(pos, &[]);
    let shared = deepening::shared_data(engine.begin(Limits::depth(1), None), 1);
    let mut memory = Memory::new().expect("memory");
    work(&mut Searcher::new(&shared, &mut memory, 0, None), pos);
}

/// Makes the moves of `line` in the searcher's tree; `--` is a null move. Returns the position and the number of plies.
fn follow<B: Searchable>(
    searcher: &mut Searcher<'_, B>,
    (mut pos, mut ply): (Position<B>, usize),
    line: &str,
) -> (Position<B>, usize) {
    for text in line.split(' ') {
        let before = pos;
        let node = Node { pos: &before, ply, cut: false };
        if text == "--" {
            searcher.enter_null(node);
            pos.make_null();
        } else {
            let m = pos.parse_move(text).expect("a legal move");
            searcher.enter(node, m, pos.code(m));
            pos.make(m);
        }
        ply += 1;
    }
    (pos, ply)
}

/// What the rules say at the end of such a line, in a window around a draw.
fn judged<B: Searchable>(searcher: &Searcher<'_, B>, (pos, ply): (Position<B>, usize)) -> ControlFlow<i32, Bounds> {
    searcher.judged(Node { pos: &pos, ply, cut: false }, -100, 100)
}

/// Both sides go back and forth by way of null moves, then without.
fn check_null_moves<B: Searchable>(fen: &str, passing: &str, cycle: &str) {
    at::<B>(fen, |searcher, root| {
        // Below the root, where the second occurrence counts.
        let mut at = follow(searcher, (root, 5), passing);
        assert!(at.0.key() == root.key() && judged(searcher, at) == Continue(Bounds::NONE), "{fen} {passing}");
        at = follow(searcher, at, cycle);
        assert!(at.0.key() == root.key() && judged(searcher, at) == Break(0), "{fen} {passing} {cycle}");
    });
}

#[test]
#[cfg(feature = "chess")]
fn no_position_recurs_across_a_null_move_in_chess() {
    let fen = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    for passing in ["-- e8d8 -- d8e8", "a1a2 -- a2a1 --", "a1a2 e8d8 a2a1 -- e1e2 d8e8 e2e1 --"] {
        check_null_moves::<crate::chess::Board>(fen, passing, "a1b1 e8f8 b1a1 f8e8");
    }
}

#[test]
#[cfg(feature = "xiangqi")]
fn no_position_recurs_across_a_null_move_in_xiangqi() {
    let fen = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1";
    for passing in ["-- d9d8 -- d8d9", "a1a2 -- a2a1 --"] {
        check_null_moves::<crate::xiangqi::Board>(fen, passing, "a1a2 d9d8 a2a1 d8d9");
    }
}

/// What the null-window search of depth `depth` below `beta` returns at the end of a line, and the depth of the table's
/// entry for the position then.
#[cfg(feature = "xiangqi")]
fn searched<B: Searchable>(fen: &str, line: &str, depth: i32) -> (i32, Option<Entry>) {
    let mut result = (0, None);
    at::<B>(fen, |searcher, root| {
        let (pos, ply) = follow(searcher, (root, 1), line);
        let node = Node { pos: &pos, ply, cut: true };
        let beta = searcher.evaluate(node) + 50;
        let value = searcher.search_node::<NON_PV>(node, beta - 1, beta, depth);
        result = (value - beta, searcher.shared.job.tt.probe(pos.key()));
    });
    result
}

/// Red may take a chariot with the horse, which ProbCut tries, and has checked with every move of a cycle.
#[test]
#[cfg(feature = "xiangqi")]
fn prob_cut_stores_nothing_that_depends_on_a_repetition() {
    let fen = "4k4/1R7/9/9/7r1/8p/4r4/2N6/9/3K5 w - - 0 1";
    let search = |line| searched::<crate::xiangqi::Board>(fen, line, 6);
    let (above, entry) = search("b8a8 i4i3");
    let entry = entry.expect("ProbCut stores");
    assert!(above >= 0 && entry.bound == Bound::Lower && entry.depth == 3 && entry.eval == NONE, "{entry:?}");
    let (above, entry) = search("b8a8 i4i3 a8a9 e9e8 a9a8 e8e9");
    assert!(above >= 0 && entry.is_none(), "{entry:?}");
}

/// A mate in nine plies is none if the game is drawn in five.
#[test]
#[cfg(feature = "chess")]
fn quiescence_search_takes_no_value_from_the_table_near_the_move_limit() {
    use super::score;

    for (clock, is_taken) in [(0, true), (60, true), (95, false)] {
        at::<crate::chess::Board>(&format!("8/8/2k5/8/8/8/4Q3/4K3 w - - {clock} 80"), |searcher, pos| {
            let score = score::to_tt(score::mate_in(9), 0);
            let entry = Entry { m: 0, score, eval: NONE, depth: 9, bound: Bound::Lower, pv: false };
            searcher.shared.job.tt.store(pos.key(), entry);
            let node = Node { pos: &pos, ply: 1, cut: false };
            let value = searcher.quiescence::<NON_PV>(node, 0, 1);
            assert_eq!(score::is_mate(value), is_taken, "{clock}: {value}");
        });
    }
}
