//! The settings of an engine: position values, strength, contempt, randomness, pruning; and its hash table.

use super::player::{Player, position};
use tabiya::chess::{self, Move, Position};
use tabiya::engine::{Bound, Limits};
use tabiya::protocol::games::bench_positions;

/// The initial position, the move a4, which no search prefers, and the position after it.
fn after_a4() -> (Position, Move, Position) {
    let pos: Position = position(Position::START_FEN);
    let m = pos.parse_move("a2a4").unwrap();
    let mut child = pos;
    child.make(m);
    (pos, m, child)
}

#[test]
fn fixed_position_values_are_used_and_removed() {
    let mut player = Player::<chess::Board>::new();
    let (pos, m, child) = after_a4();
    assert!(player.engine.set_position_value(child.key(), Some(-900)));
    let best = player.search(pos, Limits::depth(1));
    assert_eq!(best.best, Some(m), "{best:?}");
    assert!(player.engine.set_position_value(child.key(), None));
    let best = player.search(pos, Limits::depth(1));
    assert!(best.score < 300);
}

#[test]
fn fixed_position_values_hold_at_any_depth_and_at_the_root() {
    let mut player = Player::<chess::Board>::new();
    let (pos, m, child) = after_a4();
    assert!(player.engine.set_position_value(child.key(), Some(-900)));
    for depth in [2, 5, 9] {
        let best = player.search(pos, Limits::depth(depth));
        assert_eq!((best.best, best.score), (Some(m), 900), "depth {depth}");
        let last = best.last();
        assert_eq!((last.score, &last.moves[..]), (900, &[m][..]), "depth {depth}");
    }
    // Deeper in the tree: root moves that lead to the position, also by transposition, are avoided.
    player.engine.clear_position_values();
    let mut two = pos;
    for text in ["g1f3", "g8f6"] {
        two.make(two.parse_move(text).unwrap());
    }
    let without = player.search(pos, Limits::depth(6));
    assert!(player.engine.set_position_value(two.key(), Some(-900)));
    player.engine.settings.multi_pv = 20;
    let with = player.search(pos, Limits::depth(6));
    assert!((with.score - without.score).abs() < 100, "{with:?} {without:?}");
    let knight = pos.parse_move("g1f3").unwrap();
    let avoided = with.lines.iter().rfind(|line| line.moves[0] == knight).unwrap();
    assert_eq!((avoided.score, avoided.moves.len()), (-900, 2), "{avoided:?}");
    // At the root it is the score of the best line, and no other line scores higher.
    player.engine.clear_position_values();
    player.engine.settings.multi_pv = 3;
    assert!(player.engine.set_position_value(pos.key(), Some(-321)));
    let best = player.search(pos, Limits::depth(6));
    assert!(best.lines.iter().all(|line| line.score <= -321));
    assert!(best.lines.iter().filter(|line| line.rank == 1).all(|line| line.score == -321));
    assert!(best.best.is_some_and(|m| pos.is_legal(m)));
}

#[test]
fn draws_score_minus_contempt_at_the_root() {
    let mut player = Player::<chess::Board>::new();
    for fen in ["8/8/8/3k4/8/8/8/4K3 w - - 0 1", "8/8/8/3k4/8/8/8/4K3 b - - 0 1"] {
        for contempt in [0, 25, -40] {
            player.engine.settings.levels.contempt = contempt;
            for depth in [1, 2, 5] {
                let best = player.search(position(fen), Limits::depth(depth));
                assert_eq!(best.score, -contempt, "{fen}, depth {depth}");
            }
        }
    }
    player.engine.settings.levels.contempt = 1_000_000;
    let bare = "8/8/8/3k4/8/8/8/4K3 w - - 0 1";
    assert_eq!(player.search(position(bare), Limits::depth(2)).score, -1000);
}

#[test]
fn the_hash_table_can_be_probed() {
    let mut player = Player::<chess::Board>::new();
    let pos: Position = position(bench_positions::<chess::Board>()[1]);
    player.engine.clear();
    assert_eq!(player.engine.probe(pos.key()), None);
    // No deeper: a fail high would reduce the root depth, depending on the network.
    let best = player.search(pos, Limits::depth(4));
    let entry = player.engine.probe(pos.key()).expect("the root is in the table");
    assert_eq!((entry.depth, entry.bound, entry.score), (4, Bound::Exact, best.score));
    assert_eq!(best.best.map(tabiya::game::GameMove::raw), Some(entry.m));
    // Also during a search.
    player.begin(pos, &[], Limits::infinite());
    assert!(player.engine.probe(pos.key()).is_some());
    player.stop.stop();
    player.end();
}
