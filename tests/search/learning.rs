//! What a search leaves behind: nothing that was judged by other settings serves a later one, in either game.

use super::player::Player;
use tabiya::engine::{Engine, Limits, MIN_ELO, Value};
use tabiya::game::{Position, Searchable};
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
