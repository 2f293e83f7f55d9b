//! Tests of single nodes of a search: what the rules say there, and what goes into the table and comes from it.

use super::limits::Limits;
use super::node::{Bounds, Node};
use super::searcher::{Memory, Searcher};
use super::{Engine, worker};
use crate::game::{Notation, Searchable};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

/// Does `work` with a searcher that is about to search `fen`.
fn at<P: Searchable + Notation>(fen: &str, work: impl FnOnce(&mut Searcher<'_, P>, P)) {
    let pos = P::from_fen(fen).expect("a position");
    let mut engine = Engine::new();
    engine.set_position(pos, &[]);
    let job = engine.begin(Limits::depth(1), Arc::new(())).expect("a position is set");
    let shared = worker::share(job, 1);
    let mut memory = Memory::new();
    work(&mut Searcher::new(&shared, &mut memory, 0), pos);
}

/// Makes the moves of `line` in the searcher's tree; `--` is a null move. Returns the position and the number of plies.
fn follow<P: Searchable + Notation>(
    searcher: &mut Searcher<'_, P>,
    (mut pos, mut ply): (P, usize),
    line: &str,
) -> (P, usize) {
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
fn judged<P: Searchable>(searcher: &Searcher<'_, P>, (pos, ply): (P, usize)) -> ControlFlow<i32, Bounds> {
    searcher.judged(Node { pos: &pos, ply, cut: false }, -100, 100)
}

/// Both sides go back and forth by way of null moves, then without.
fn check_null_moves<P: Searchable + Notation>(fen: &str, passing: &str, cycle: &str) {
    at::<P>(fen, |searcher, root| {
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
        check_null_moves::<crate::chess::Position>(fen, passing, "a1b1 e8f8 b1a1 f8e8");
    }
}

#[test]
#[cfg(feature = "xiangqi")]
fn no_position_recurs_across_a_null_move_in_xiangqi() {
    let fen = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1";
    for passing in ["-- d9d8 -- d8d9", "a1a2 -- a2a1 --"] {
        check_null_moves::<crate::xiangqi::Position>(fen, passing, "a1a2 d9d8 a2a1 d8d9");
    }
}
