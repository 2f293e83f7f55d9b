//! What a search leaves behind: nothing that was judged by other settings serves a later one, in either game.

use super::player::{Player, position};
use tabiya::engine::{Bound, Engine, Limits, MIN_ELO, Value};
use tabiya::game::{GameMove as _, Position, Searchable};
use tabiya::protocol::games::bench_positions;
use tabiya::xiangqi::{Repetition, Ruleset};
use tabiya::{chess, xiangqi};

/// The answer and the nodes of a search with what the engine remembers.
fn go<B: Searchable>(player: &mut Player<B>, pos: Position<B>, limits: Limits) -> (Option<B::Move>, Value, u64) {
    let found = player.think(pos, &[], limits);
    (found.best, found.score, found.nodes())
}

/// Changes a setting, for the first search of a test.
type Change<B> = fn(&mut Engine<B>);

/// Settings that change what a score means, each with its name.
fn changes<B: Searchable>() -> [(&'static str, Change<B>); 3] {
    [
        ("strength", |engine| engine.settings.strength = Some(MIN_ELO)),
        ("params", |engine| engine.params.null_margin = 30_000),
        ("fifty moves", |engine| engine.settings.ignores_fifty_moves = true),
    ]
}

fn check<B: Searchable>() {
    let start = Position::<B>::from_fen(B::START_FEN).unwrap();
    let fresh = go(&mut Player::<B>::new(), start, Limits::depth(6));
    for (name, change) in changes::<B>() {
        for prepared in [false, true] {
            let mut player = Player::<B>::new();
            let (settings, params) = (player.engine.settings, player.engine.params);
            change(&mut player.engine);
            go(&mut player, start, Limits::nodes(20_000));
            (player.engine.settings, player.engine.params) = (settings, params);
            if prepared {
                player.engine.prepare();
            }
            assert_eq!(go(&mut player, start, Limits::depth(6)), fresh, "{name}, then without");
            // The other way round: a limited engine must not use what a whole one has seen.
            let mut limited = Player::<B>::new();
            change(&mut limited.engine);
            let expected = go(&mut limited, start, Limits::depth(2));
            change(&mut player.engine);
            let found = go(&mut player, start, Limits::depth(2));
            // Evaluations with an error differ from search to search.
            if name != "strength" {
                assert_eq!(found, expected, "without, then {name}");
            }
        }
    }
    // With the same settings nothing is forgotten, and settings that change no score do not matter.
    let mut player = Player::<B>::new();
    go(&mut player, start, Limits::depth(6));
    player.engine.settings.multi_pv = 2;
    player.engine.settings.ponder = true;
    player.engine.settings.multi_pv = 1;
    player.engine.prepare();
    assert!(player.engine.probe(start.key()).is_some());
    let (_, _, nodes) = go(&mut player, start, Limits::depth(6));
    assert!(nodes < fresh.2, "{nodes} of {}", fresh.2);
}

#[test]
fn scores_of_other_settings_are_forgotten() {
    check::<chess::Board>();
    check::<xiangqi::Board>();
}

/// The rules of xiangqi belong to the position.
#[test]
fn scores_by_other_rules_are_forgotten() {
    let start = xiangqi::Position::default();
    let usual = start.ruleset();
    let fresh = go(&mut Player::new(), start, Limits::depth(6));
    for rules in [
        Ruleset { repetition: Repetition::Chinese, ..usual },
        Ruleset { repetition: Repetition::Draw, ..usual },
        Ruleset { move_limit: 50, ..usual },
        Ruleset { move_limit: 0, ..usual },
        Ruleset { ten_checks: true, ..usual },
    ] {
        let mut player = Player::new();
        go(&mut player, start.with_ruleset(rules), Limits::depth(7));
        assert_eq!(go(&mut player, start, Limits::depth(6)), fresh, "{rules:?}, then the usual");
        let expected = go(&mut Player::new(), start.with_ruleset(rules), Limits::depth(6));
        let found = go(&mut player, start.with_ruleset(rules), Limits::depth(6));
        assert_eq!(found, expected, "the usual, then {rules:?}");
    }
}

/// A search of some root moves says nothing about the position.
fn check_root_moves<B: Searchable>() {
    let start = Position::<B>::from_fen(B::START_FEN).unwrap();
    let all = start.legal_moves();
    for only in [&all[..1], &all[1..]] {
        let mut player = Player::<B>::new();
        player.only = Some(only.to_vec());
        go(&mut player, start, Limits::depth(4));
        assert_eq!(player.engine.probe(start.key()), None);
        // The depth is not less for that.
        let depth_of = |&m: &B::Move| {
            let mut child = start;
            child.make(m);
            player.engine.probe(child.key()).map_or(0, |entry| entry.depth)
        };
        assert!(all.as_slice().iter().map(depth_of).max() >= Some(3));
        go(&mut player, start, Limits::depth(4));
        assert!(player.engine.probe(start.key()).is_some());
    }
}

#[test]
fn a_search_of_some_root_moves_is_not_stored_as_the_positions() {
    check_root_moves::<chess::Board>();
    check_root_moves::<xiangqi::Board>();
}

#[test]
fn a_hash_table_without_memory_leaves_one_of_the_old_size() {
    let mut player = Player::<chess::Board>::new();
    for size in [3, 1, 20] {
        player.engine.set_hash(size).unwrap();
        for impossible in [1 << 42, usize::MAX / 2] {
            let error = player.engine.set_hash(impossible).unwrap_err();
            assert_eq!((error.megabytes, player.engine.hash_size()), (impossible, size));
        }
        let found = go(&mut player, chess::Position::default(), Limits::depth(4));
        assert!(found.0.is_some());
    }
}

#[test]
fn the_hash_table_can_be_probed() {
    let mut player = Player::<chess::Board>::new();
    let pos: chess::Position = position(bench_positions::<chess::Board>()[1]);
    player.engine.clear();
    assert_eq!(player.engine.probe(pos.key()), None);
    // No deeper: a fail high would reduce the root depth, depending on the network.
    let best = player.search(pos, Limits::depth(4));
    let entry = player.engine.probe(pos.key()).expect("the root is in the table");
    assert_eq!((entry.depth, entry.bound, entry.score), (4, Bound::Exact, best.score));
    assert_eq!(best.best.map(|m| m.raw()), Some(entry.m));
    // Also during a search.
    player.begin(pos, &[], Limits::infinite());
    assert!(player.engine.probe(pos.key()).is_some());
    player.stop.stop();
    player.end();
}
