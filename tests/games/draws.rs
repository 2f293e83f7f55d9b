//! The rules that end a game without mate, tested through `Playable::verdict` as search and match play call it.

use crate::eval::mirrored;
use tabiya::chess::Position;
use tabiya::game::{Playable, Verdict};

/// A game with its trail, updated as a caller of `verdict` does.
struct Played {
    pos: Position,
    trail: Vec<u64>,
}

impl Played {
    fn from(fen: &str) -> Played {
        let pos = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        Played { pos, trail: Vec::new() }
    }

    fn play(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            let m = self.pos.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
            self.trail.push(self.pos.step(m));
            self.pos.make(m);
        }
    }

    /// The verdict if the last `ply` moves were made by the search.
    fn verdict(&self, ply: usize) -> Option<Verdict> {
        self.pos.verdict(&self.trail, ply)
    }
}

const DRAW: Option<Verdict> = Some(Verdict::Draw);

#[test]
fn threefold_in_the_game() {
    let mut game = Played::from(Position::START_FEN);
    let dance = "g1f3 g8f6 f3g1 f6g8";
    game.play(dance);
    assert_eq!(game.verdict(0), None, "the second occurrence is no draw in the game");
    game.play("g1f3 g8f6 f3g1");
    assert_eq!(game.verdict(0), None);
    game.play("f6g8");
    assert_eq!(game.verdict(0), DRAW, "the third occurrence");
}

#[test]
fn occurrences_need_not_be_consecutive() {
    let mut game = Played::from(Position::START_FEN);
    game.play("g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8");
    assert_eq!(game.verdict(0), DRAW, "by two different ways");
}

#[test]
fn twofold_is_enough_inside_the_search() {
    let mut game = Played::from(Position::START_FEN);
    game.play("e2e4 e7e5 g1f3 g8f6 f3g1 f6g8");
    // The position after e7e5, four plies ago, occurs again.
    assert_eq!(game.verdict(0), None);
    assert_eq!(game.verdict(3), None, "the first one is in the game");
    assert_eq!(game.verdict(4), None, "the first one is the root");
    assert_eq!(game.verdict(5), DRAW, "both were made by the search");
}

#[test]
fn a_pawn_move_or_capture_ends_repetitions() {
    let mut game = Played::from(Position::START_FEN);
    game.play("g1f3 g8f6 f3g1 f6g8 e2e4 e7e5 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(game.verdict(0), None, "only the second since e7e5");
    game.play("g1f3 g8f6 f3g1 f6g8");
    assert_eq!(game.verdict(0), DRAW);
}

#[test]
fn lost_castling_rights_make_another_position() {
    let mut game = Played::from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    // White's king loses both rights with its first move, so the position before it cannot be repeated.
    game.play("e1e2 h8g8 e2e1 g8h8");
    assert_eq!(game.verdict(5), None);
    game.play("e1e2 h8g8 e2e1 g8h8");
    assert_eq!(game.verdict(0), None, "the second with these rights");
    game.play("e1e2 h8g8 e2e1 g8h8");
    assert_eq!(game.verdict(0), DRAW);
}

#[test]
fn a_possible_en_passant_capture_makes_another_position() {
    // Only right after e2e4 may the black pawn on d4 capture en passant.
    let mut game = Played::from("4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1");
    game.play("e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1");
    assert_eq!(game.verdict(0), None, "the position with the capture is another one");
    game.play("g8f6 g1f3 f6g8 f3g1");
    assert_eq!(game.verdict(0), DRAW);
}

#[test]
fn an_impossible_en_passant_capture_makes_no_other_position() {
    // The black pawn on d4 is pinned to its king by the rook, so d4e3 is never legal.
    let mut game = Played::from("3k2n1/8/8/8/3p4/8/4P3/3RK1N1 w - - 0 1");
    game.play("e2e4 g8f6 g1f3 f6g8 f3g1");
    assert_eq!(game.verdict(0), None);
    game.play("g8f6 g1f3 f6g8 f3g1");
    assert_eq!(game.verdict(0), DRAW, "the third time, the one after e2e4 included");
}

#[test]
fn fifty_moves() {
    let mut game = Played::from("4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80");
    assert_eq!(game.verdict(0), None);
    game.play("a1a2");
    assert_eq!(game.verdict(0), None, "99 plies");
    game.play("e8e7");
    assert_eq!(game.verdict(0), DRAW, "100 plies");
    game.play("e2e4");
    assert_eq!(game.verdict(0), None, "a pawn move resets the clock");
}

#[test]
fn fifty_moves_by_a_check_that_is_no_mate() {
    let mut game = Played::from("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80");
    game.play("a1a8");
    assert!(game.pos.in_check());
    assert_eq!(game.verdict(0), DRAW);
}

#[test]
fn mate_on_the_last_of_fifty_moves_comes_first() {
    let mut game = Played::from("4k3/8/4K3/8/8/8/8/R7 w - - 99 80");
    game.play("a1a8");
    assert_eq!((game.pos.count_legal(), game.pos.halfmove_clock()), (0, 100));
    assert_eq!(game.verdict(0), None, "mate, which the caller finds by the lack of moves");
}

#[test]
fn stalemate_on_the_last_of_fifty_moves_is_a_draw_either_way() {
    let mut game = Played::from("k7/8/1K6/8/8/8/2Q5/8 w - - 99 80");
    game.play("c2c7");
    assert_eq!((game.pos.count_legal(), game.pos.in_check()), (0, false));
    assert_eq!(game.verdict(0), DRAW);
}

#[test]
fn insufficient_material() {
    for (fen, drawn) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4k1n1/8/8/8/8/8/8/4K3 b - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/4K3 w - - 0 1", true),
        // Bishops on squares of one colour, one a side or more (f1, c8 light; c1 dark).
        ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("4k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", true),
        ("2b1k3/8/8/8/4B3/3B4/8/4KB2 w - - 0 1", true),
        // A helpmate exists in all of these.
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", false),
        ("4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ("4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false),
        ("3qk3/8/8/8/8/8/8/4K3 w - - 0 1", false),
    ] {
        let pos = Position::from_fen(fen).unwrap();
        assert_eq!(pos.verdict(&[], 0), drawn.then_some(Verdict::Draw), "{fen}");
        // The same with colours and ranks swapped.
        let pos = mirrored(&pos);
        assert_eq!(pos.verdict(&[], 0).is_some(), drawn, "{pos:?}");
    }
}

#[test]
fn the_last_capture_leaves_bare_kings() {
    let mut game = Played::from("8/8/8/4k3/8/8/4p3/4K3 w - - 0 1");
    assert_eq!(game.verdict(0), None);
    game.play("e1e2");
    assert_eq!(game.verdict(1), DRAW);
}

#[test]
fn an_ordinary_position_is_no_draw() {
    let game = Played::from(Position::START_FEN);
    for ply in 0..4 {
        assert_eq!(game.verdict(ply), None);
    }
}
