//! The rules of xiangqi in the search: repetitions, the move counter, positions without a move.

use super::player::{Game, Line, Player, position};
use crate::common::{mirrored, sample};
use tabiya::base::rng::SplitMix64;
use tabiya::engine::{Limits, score};
use tabiya::game::{self, Verdict};
use tabiya::xiangqi::{self, Position, Repetition, Ruleset};

#[test]
fn a_side_without_moves_has_lost() {
    // Black, not in check, has no move after the chariot goes to the d-file.
    let pos: Position = position("4k4/9/9/9/9/9/9/9/5R3/3K1R3 w - - 0 1");
    let found = Player::new().search(pos, Limits::depth(6));
    assert!(score::mate_moves(found.score).is_some_and(|n| n > 0), "{}", found.score);
    let stalemate: Position = position("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1");
    assert!(!stalemate.in_check());
    let found = Player::new().search(stalemate, Limits::depth(6));
    assert_eq!(stalemate.legal_moves().len(), 1, "d9d8 is left");
    assert!(found.best.is_some());
}

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
fn the_search_follows_the_rules_of_the_position() {
    let mut player = Player::<xiangqi::Board>::new();
    let rules = |repetition| Ruleset { repetition, ..Ruleset::default() };
    // The side to move is saved by checks and threats of mate by turns.
    let turns: Position = position("R8/3k5/5r3/4C4/9/8P/4c4/4B4/4A4/2BAK4 b - - 0 1");
    for (repetition, lost) in [(Repetition::Asian, false), (Repetition::Chinese, true), (Repetition::Draw, false)] {
        let pos = turns.with_ruleset(rules(repetition));
        let found = player.think(pos, &[], Limits::depth(11));
        assert_eq!(found.score < 0, lost, "{repetition:?}: {}", found.score);
    }
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

#[test]
fn a_game_decided_by_repetition_is_decided_in_its_line() {
    let mut player = Player::<xiangqi::Board>::new();
    let text = include_str!("../data/repetitions_xiangqi.epd");
    let (mut decided, mut positions) = (0, 0);
    let (step, least) = sample((4, 12), (1, 60));
    for line in text.lines().filter(|line| !line.starts_with('#')).step_by(step) {
        let fields: Vec<&str> = line.split(" ;").collect();
        let cycle = fields[1].split(' ').count();
        // Before the cycle, and at some places on the way to the third occurrence.
        for played in [0, 1, cycle, 2 * cycle - 2, 2 * cycle - 1] {
            let moves = format!("{} {}", fields[1], fields[1]);
            let moves: Vec<&str> = moves.split(' ').take(played).collect();
            let game: Game<xiangqi::Board> = Game::after(position(fields[0]), &moves.join(" "));
            let found = player.after(&game, Limits::depth(7));
            positions += 1;
            for Line { moves: line, score: value, .. } in found.lines {
                if !score::is_forfeit(value) {
                    continue;
                }
                decided += 1;
                let mut end: Game<xiangqi::Board> = Game::after(position(fields[0]), &moves.join(" "));
                for &m in &line {
                    assert_eq!(end.verdict(0), None, "{fields:?} {played}: {line:?}");
                    end.play(m);
                }
                let won = (value > 0) == line.len().is_multiple_of(2);
                let wanted = if won { Verdict::Win } else { Verdict::Loss };
                assert_eq!(end.verdict(0), Some(wanted), "{fields:?} {played}: {value} {line:?}");
            }
        }
    }
    assert!(positions >= 750 / step && decided > least, "{positions} {decided}");
}
