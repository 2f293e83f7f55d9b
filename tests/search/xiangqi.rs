//! The rules of xiangqi in the search: repetitions, the move counter, positions without a move.

use super::player::{Game, Player, position};
use crate::common::mirrored;
use tabiya::base::rng::SplitMix64;
use tabiya::engine::{Limits, score};
use tabiya::game::{self, Verdict};
use tabiya::xiangqi::{self, Position};

/// Red checks with every move, and Black always has a single reply.
const CHECKS: &str = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
const ONCE: &str = "e1d1 d9e9 d1e1 e9d9 ";

#[test]
fn perpetual_check_is_a_loss_in_the_search() {
    let mut player = Player::<xiangqi::Board>::new();
    // After one more check the forced reply brings the start position for the third time.
    let game: Game<xiangqi::Board> = Game::after(position(CHECKS), &format!("{ONCE}e1d1 d9e9"));
    let check = game.pos.parse_move("d1e1").unwrap();
    player.only = Some(vec![check]);
    let found = player.after(&game, Limits::depth(6));
    assert_eq!(found.score, -score::forfeit_in(2));
    // Table entries from this game must not affect other games.
    let fresh = player.think(game.pos, &[], Limits::depth(8));
    assert!(fresh.score > 500, "{}", fresh.score);
    let found = player.think(game.start, &game.moves, Limits::depth(8));
    assert!(found.score > 500 && found.best != Some(check), "{}", found.score);
    // The checked side wins by going on.
    let game: Game<xiangqi::Board> = Game::after(position(CHECKS), &format!("{ONCE}e1d1 d9e9 d1e1"));
    let found = player.after(&game, Limits::depth(6));
    assert_eq!(found.score, score::forfeit_in(1));
}

#[test]
fn the_engine_does_not_lose_by_perpetual_check() {
    // Red cannot win and would like to give perpetual check.
    let fen = "2b1k4/4a4/4b4/9/9/9/9/3r1p3/4p4/3R1K3 w - - 0 1";
    for fen in [CHECKS, fen] {
        let mut player = Player::<xiangqi::Board>::new();
        let mut game: Game<xiangqi::Board> = Game::new(position(fen));
        let red = game.pos.side();
        let mut dice = SplitMix64::new(3);
        for _ in 0..60 {
            if game.pos.count_legal() == 0 {
                break;
            }
            if let Some(verdict) = game.verdict(0) {
                let own = if game.pos.side() == red { Verdict::Loss } else { Verdict::Win };
                assert_ne!(verdict, own, "{:?}", game.moves);
                break;
            }
            let list = game.pos.legal_moves();
            let m = if game.pos.side() == red {
                player.think(game.start, &game.moves, Limits::depth(6)).best.unwrap()
            } else {
                list[dice.below(list.len())]
            };
            game.play(m);
        }
    }
}

#[test]
fn a_lost_position_is_saved_by_a_permitted_repetition() {
    // Mate threats alternate with checks, which is allowed.
    for fen in [
        "2b1kab2/4a3r/2n1r3n/p1p3p1p/7R1/9/P1P3P1P/2c1C4/5R3/2BAKABN1 w - - 0 1",
        "R8/3k5/5r3/4C4/9/8P/4c4/4B4/4A4/2BAK4 b - - 0 1",
        "9/3R5/3Ck4/9/9/9/9/9/5KN2/4r4 b - - 0 1",
    ] {
        let mut player = Player::<xiangqi::Board>::new();
        let mut game: Game<xiangqi::Board> = Game::new(position(fen));
        let value = game::Searchable::evaluate(&game.pos, &mut Default::default());
        assert!(value < -100, "{fen}: {value}");
        let found = player.search(game.start, Limits::depth(11));
        assert_eq!(found.score, 0, "{fen}");
        for &m in &found.last().moves {
            assert_eq!(game.verdict(0), None);
            game.play(m);
        }
        let verdict = game.verdict(found.last().moves.len());
        assert_eq!(verdict, Some(Verdict::Draw), "{fen}: {:?}", game.moves);
    }
}

#[test]
fn a_chase_and_a_check_through_one_position_save_a_lost_side() {
    // All other moves of Black allow a mate. Each cycle alone would lose.
    let mut player = Player::<xiangqi::Board>::new();
    for black in ["3aka3", "3ak1b2", "2baka3"] {
        for soldiers in ["9", "p8", "P7p"] {
            for red in ["3AK4", "2BAK4", "3AK1B2"] {
                let fen = format!("{black}/4n4/9/{soldiers}/9/9/2C6/9/6r2/{red} b");
                let pos: Position = position(&fen);
                for pos in [mirrored(&pos), pos] {
                    let found = player.search(pos, Limits::depth(10));
                    assert!(!score::is_decided(found.score), "{pos}: {}", found.score);
                }
            }
        }
    }
}
