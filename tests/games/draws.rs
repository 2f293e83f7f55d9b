//! The rules that end a game without mate, tested through `Board::verdict` as search and match play call it.

use crate::common::game::{Game, position};
use crate::common::mirrored;
use tabiya::chess::{Board, Position};
use tabiya::game::{self, Side, Verdict};

const DRAW: Option<Verdict> = Some(Verdict::Draw);

/// Moves, and the verdict after them; the number is that of the last plies, which the search has made.
type Stage = (&'static str, usize, Option<Verdict>);

/// Games: what is tested, the first position, and the stages.
#[test]
fn repetitions_and_fifty_moves() {
    const NONE: Option<Verdict> = None;
    let start = Position::START_FEN;
    let games: [(&str, &str, &[Stage]); 12] = [
        (
            "the third occurrence in the game",
            start,
            &[("g1f3 g8f6 f3g1 f6g8", 0, NONE), ("g1f3 g8f6 f3g1", 0, NONE), ("f6g8", 0, DRAW)],
        ),
        ("occurrences need not be consecutive", start, &[("g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8", 0, DRAW)]),
        (
            // The position after e7e5, four plies ago, occurs again: in the game, at the root, inside the search.
            "twofold is enough inside the search",
            start,
            &[("e2e4 e7e5 g1f3 g8f6 f3g1 f6g8", 0, NONE), ("", 3, NONE), ("", 4, NONE), ("", 5, DRAW)],
        ),
        (
            "a pawn move ends repetitions",
            start,
            &[("g1f3 g8f6 f3g1 f6g8 e2e4 e7e5 g1f3 g8f6 f3g1 f6g8", 0, NONE), ("g1f3 g8f6 f3g1 f6g8", 0, DRAW)],
        ),
        (
            // White's king loses both rights with its first move, so the position before it cannot be repeated.
            "lost castling rights make another position",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            &[("e1e2 h8g8 e2e1 g8h8", 5, NONE), ("e1e2 h8g8 e2e1 g8h8", 0, NONE), ("e1e2 h8g8 e2e1 g8h8", 0, DRAW)],
        ),
        (
            // Only right after e2e4 may the black pawn on d4 capture en passant.
            "a possible en passant capture makes another position",
            "4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1",
            &[("e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1", 0, NONE), ("g8f6 g1f3 f6g8 f3g1", 0, DRAW)],
        ),
        (
            // The black pawn on d4 is pinned to its king by the rook, so d4e3 is never legal.
            "an impossible en passant capture makes no other position",
            "3k2n1/8/8/8/3p4/8/4P3/3RK1N1 w - - 0 1",
            &[("e2e4 g8f6 g1f3 f6g8 f3g1", 0, NONE), ("g8f6 g1f3 f6g8 f3g1", 0, DRAW)],
        ),
        (
            "fifty moves, and a pawn move resets the clock",
            "4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80",
            &[("", 0, NONE), ("a1a2", 0, NONE), ("e8e7", 0, DRAW), ("e2e4", 0, NONE)],
        ),
        ("a check that is no mate on the last move", "4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", &[("a1a8", 0, DRAW)]),
        // The caller finds it by the lack of moves.
        ("mate on the last of fifty moves comes first", "4k3/8/4K3/8/8/8/8/R7 w - - 99 80", &[("a1a8", 0, NONE)]),
        ("stalemate on the last of fifty moves", "k7/8/1K6/8/8/8/2Q5/8 w - - 99 80", &[("c2c7", 0, DRAW)]),
        ("the last capture leaves bare kings", "8/8/8/4k3/8/8/4p3/4K3 w - - 0 1", &[("", 0, NONE), ("e1e2", 1, DRAW)]),
    ];
    for (what, fen, parts) in games {
        let mut game = Game::<Board>::new(position(fen));
        for &(moves, ply, verdict) in parts {
            game.play_text(moves);
            assert_eq!(game.verdict(ply), verdict, "{what}: {fen} … {moves}, {ply} by the search");
        }
    }
}

/// Positions, and whether White and Black cannot mate by any moves. If neither can, the game is drawn.
#[test]
fn insufficient_material() {
    for (fen, white, black) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true, true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true, true),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true, true),
        // Bishops on squares of one colour, one a side or more (f1, c8 light; c1 dark).
        ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true, true),
        ("4k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", true, true),
        ("2b1k3/8/8/8/4B3/3B4/8/4KB2 w - - 0 1", true, true),
        // A helpmate exists for one side or both in all of these.
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false, false),
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false, true),
        ("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", false, true),
        ("4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1", false, false),
        ("4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1", false, false),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false, true),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false, true),
        ("3qk3/8/8/8/8/8/8/4K3 w - - 0 1", true, false),
        // A knight can mate against pieces that stand in the way of their king, but not against a queen.
        ("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", true, false),
        ("3rk3/8/8/8/8/8/8/4KN2 w - - 0 1", false, false),
        ("4k3/4p3/8/8/8/8/8/4KN2 w - - 0 1", false, false),
        ("3rk3/8/8/8/8/8/8/4KB2 w - - 0 1", true, false),
        ("4k3/4p3/8/8/8/8/8/4KB2 w - - 0 1", false, false),
    ] {
        let pos = Position::from_fen(fen).unwrap();
        for (pos, sides) in [(pos, [white, black]), (mirrored(&pos), [black, white])] {
            assert_eq!(Side::BOTH.map(|side| pos.has_insufficient_material(side)), sides, "{pos}");
            let drawn = (white && black).then_some(Verdict::Draw);
            assert_eq!(game::Rules::verdict(&pos, &[], 0), drawn, "{pos}");
        }
    }
}
