//! The rules of chess in the search: draws, the fifty-move rule (in both games), positions without a move.

use super::player::{Game, Player, position};
use tabiya::chess::{self, Position};
use tabiya::engine::{Limits, score};
use tabiya::game::{SearchParams, Searchable};
use tabiya::xiangqi;

#[test]
fn perpetual_check_saves_a_lost_game() {
    let mut player = Player::<chess::Board>::new();
    let pos: Position = position("6k1/n4p1p/n7/4Q3/8/7K/rr6/8 w - - 0 1");
    let best = player.search(pos, Limits::depth(14));
    assert_eq!(best.score, 0);
}

#[test]
fn repeating_a_game_position_is_a_draw() {
    let mut player = Player::new();
    // Black is a queen down and shuffles. Every white move but the repetition keeps the win.
    let start: Position = position("k7/8/8/8/8/8/1Q6/K7 w - - 0 1");
    let Game { pos, moves, .. } = Game::after(start, "b2b3 a8a7 b3b2 a7a8 b2b3 a8a7");
    let back = pos.parse_move("b3b2").unwrap();
    player.only = Some(vec![back]);
    // After b3b2 Black reaches the start position for the third time by a7a8.
    assert_eq!(player.think(start, &moves, Limits::depth(6)).score, 0);
    assert!(player.think(start, &moves, Limits::depth(8)).score > 300);
}

/// One ply before the limit: a draw, however much the side is ahead; but a mate on the last ply counts.
fn check_move_limit<B: Searchable>(ahead: &str, mate: &str) {
    let mut player = Player::<B>::new();
    assert_eq!(player.search(position(ahead), Limits::depth(6)).score, 0, "{ahead}");
    let found = player.search(position(mate), Limits::depth(6));
    assert_eq!(score::mate_moves(found.score), Some(1), "{mate}");
}

#[test]
fn the_move_limit_ends_lines() {
    check_move_limit::<chess::Board>("7k/8/8/3K4/8/8/R7/8 w - - 99 90", "7k/8/6K1/8/8/8/R7/8 w - - 99 90");
    check_move_limit::<xiangqi::Board>(
        "4k4/4a4/9/9/9/9/9/9/9/R2K4R w - - 119 90",
        "4k4/R8/9/9/9/9/9/9/9/3K4R w - - 119 90",
    );
}

#[test]
fn no_table_cutoffs_near_the_fifty_move_rule() {
    let mut player = Player::<chess::Board>::new();
    let at = |clock| position(&format!("8/8/8/3k4/8/8/R7/K7 w - - {clock} 90"));
    let mut nodes_after = |clock, table_cut_plies| {
        player.engine.params = SearchParams { table_cut_plies, ..chess::Board::PARAMS };
        assert!(player.search(at(0), Limits::depth(16)).score > 300);
        let late = player.think(at(clock), &[], Limits::depth(12));
        // Eight plies are too few to mate.
        assert_eq!(late.score == 0, clock == 92, "{late:?}");
        late.nodes()
    };
    assert_eq!(nodes_after(0, 10), nodes_after(0, 0));
    assert!(nodes_after(92, 10) > 2 * nodes_after(92, 0));
}

/// The queen's move leaves Black without a move and not in check.
#[test]
fn stalemate_is_a_draw_however_much_a_side_is_ahead() {
    let mut player = Player::<chess::Board>::new();
    let pos: Position = position("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    player.only = Some(vec![pos.parse_move("f1f7").unwrap()]);
    assert_eq!(player.search(pos, Limits::depth(4)).score, 0);
}

/// Where zugzwang decides, passing proves nothing: with kings and pawns alone, and no pawn that can move, it makes no
/// difference when null moves are tried.
#[test]
fn no_null_moves_with_pawns_alone() {
    let nodes = |fen, null_margin| {
        let mut player = Player::<chess::Board>::new();
        player.engine.params = SearchParams { null_margin, ..chess::Board::PARAMS };
        player.search(position(fen), Limits::depth(10)).nodes()
    };
    let (pawns, pieces) = ("8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1", "4k3/8/4n3/8/8/4N3/4P3/4K3 w - - 0 1");
    let usual = chess::Board::PARAMS.null_margin;
    assert_eq!(nodes(pawns, usual), nodes(pawns, 100_000));
    assert_ne!(nodes(pieces, usual), nodes(pieces, 100_000));
}
