//! Moves, positions, the game's history, banned moves.

use super::*;

#[test]
fn moves_have_four_characters_and_ranks_from_0() {
    let mut pipe = ucci();
    assert_eq!(pipe.says("position startpos moves a0a1 i9i8 h2h9 i8h8"), SILENCE, "ranks 0 to 9");
    assert!(fen(&mut pipe).starts_with("rnbakabC1/7r1/"));
    for bad in ["H2E2", "h2-e2", "h3e3", "h10e10", "h2e2q", "0000", "j0j1", "h2", "C2=5", "炮二平五"] {
        let line = pipe.says_once(&format!("position startpos moves {bad}"));
        assert!(line.starts_with("info message ERROR: position, move 1: "), "{line}");
        assert_eq!(fen(&mut pipe), START, "{bad}");
    }
    // Every move that the program writes has this form.
    let lines = pipe.go("go depth 6");
    for word in lines.iter().flat_map(|line| line.split(' ').skip_while(|w| *w != "pv").skip(1)) {
        let b = word.as_bytes();
        let square = |at: usize| matches!(b[at], b'a'..=b'i') && b[at + 1].is_ascii_digit();
        assert!(b.len() == 4 && square(0) && square(2), "{word}");
    }
    legal_best(START, &lines);
}

#[test]
fn the_five_positions_of_the_document() {
    let mut pipe = ucci();
    let capture = "rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
    for (command, expected) in [
        (format!("fen {START}"), START),
        (format!("fen {START} moves h2e2"), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"),
        (
            format!("fen {START} moves h2e2 h7e7"),
            "rnbakabnr/9/1c2c4/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2",
        ),
        (format!("fen {capture}"), capture),
        (format!("fen {capture} moves d9e8"), "rnb1kabnr/4a4/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR w - - 1 3"),
    ] {
        assert_eq!(pipe.says(&format!("position {command}")), SILENCE, "{command}");
        assert_eq!(fen(&mut pipe), expected, "{command}");
        legal_best(expected, &pipe.go("go depth 4"));
    }
    // The whole game from the start leads to the same board.
    pipe.send("position startpos moves h2e2 h7e7 e2e6 d9e8");
    let shown = fen(&mut pipe);
    let board = "rnb1kabnr/4a4/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/";
    assert!(shown.starts_with(board), "{shown}");
}

#[test]
fn position_in_all_its_forms() {
    let mut pipe = ucci();
    let moved = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
    for (command, expected) in [
        ("position startpos", START),
        (&format!("position fen {START}"), START),
        (&format!("position fen {START} moves h2e2 h9g7"), moved),
        ("position startpos moves h2e2 h9g7", moved),
        ("position \t startpos  moves\th2e2   h9g7 ", moved),
        ("position startpos moves", START),
        ("position startpos and so on moves h2e2 h9g7", moved),
        // The other letters for horse and elephant, `r` for Red, fewer fields.
        ("position fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r", START),
        ("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -", START),
    ] {
        pipe.send(command);
        let reported = usize::from(command.contains("and so on"));
        assert_eq!(pipe.sync().len(), reported, "{command}");
        assert_eq!(fen(&mut pipe), expected, "{command}");
    }
    // An invalid position is reported, and the old one kept.
    pipe.send("position startpos moves h2e2 h9g7");
    for bad in [
        "",
        "startpos",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9 w - - 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR x - - 0 1",
        "9/9/9/9/9/9/9/9/9/9 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let line = pipe.says_once(&format!("position fen {bad} moves h2e2"));
        assert!(line.starts_with("info message ERROR: position rejected: "), "{line}");
        assert_eq!(fen(&mut pipe), moved, "{bad:?}");
    }
    // The list of moves ends at the first illegal one.
    pipe.send("position startpos moves h2e2 h9g7 e2e9 h0g2");
    assert!(last(&pipe.sync()).starts_with("info message ERROR: position, move 3: \"e2e9\""));
    assert_eq!(fen(&mut pipe), moved);
}

#[test]
fn the_history_counts() {
    // Red gives check with every move, and Black always has one reply. Perpetual check loses.
    let start = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
    let cycle = ["e1d1", "d9e9", "d1e1", "e9d9"];
    let mut pipe = ucci();
    // The score of the check that continues the cycle, with all other moves banned.
    let mut forced = |fen: &str, before: &[&str]| {
        let pos = replay(fen, before);
        let others = crate::protocol::pipeline::legal(&pos).into_iter().filter(|text| text != cycle[2]);
        pipe.send(&format!("setoption newgame\nposition fen {fen} moves {}", before.join(" ")));
        let lines = pipe.go(&format!("banmoves {}\ngo depth 6", Vec::from_iter(others).join(" ")));
        assert_eq!(found(&lines, "bestmove"), Some(cycle[2]), "{lines:?}");
        number(&lines, "score").expect("a score")
    };
    let moves = [&cycle[..], &cycle[..2]].concat();
    // After one more check, the forced reply repeats a position for the third time. The same check in the same position
    // has a good score without the history, or with too little of it.
    let third = forced(start, &moves);
    let fresh = forced(&replay(start, &moves).to_string(), &[]);
    let early = forced(start, &moves[..2]);
    assert!(third < -8_000 && fresh > -3_000 && early > -3_000, "{third} {fresh} {early}");
    // Without banned moves the program plays another move, because it is winning.
    let lines = pipe.go(&format!("setoption newgame\nposition fen {start} moves {}\ngo depth 6", moves.join(" ")));
    assert_ne!(found(&lines, "bestmove"), Some(cycle[2]), "the move that loses");
    assert!(number(&lines, "score") > Some(0), "{lines:?}");
}

#[test]
fn banned_moves_are_not_played() {
    let board = "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w - - 0 1";
    let history = ["h6i4", "i9h9", "i4h6", "h9i9"];
    let mut pipe = ucci();
    // The document's example.
    pipe.send(&format!("position fen {board} moves {}", history.join(" ")));
    assert_eq!(pipe.says("banmoves h6i4"), SILENCE);
    let shown = fen(&mut pipe);
    for depth in 1..=6 {
        let lines = pipe.go(&format!("go depth {depth}"));
        assert_ne!(legal_best(&shown, &lines), "h6i4");
    }
    // Bans the best move again and again, until no move is left.
    pipe.send("position startpos\nsetoption newgame");
    let mut banned = Vec::new();
    for _ in 0..44 {
        let lines = pipe.go("go depth 2");
        let best = legal_best(START, &lines);
        assert!(!banned.contains(&best), "{best} is banned");
        pipe.send(&format!("banmoves {best}"));
        banned.push(best);
    }
    assert_eq!(last(&pipe.go("go depth 2")), "nobestmove", "all are banned");
    // The next position lifts the ban, even if it is the same one.
    let lines = pipe.go("position startpos\nsetoption newgame\ngo depth 2");
    assert_eq!(legal_best(START, &lines), banned[0], "lifted");
    // Several at once, in a search with a clock; invalid moves are reported.
    let lines = pipe.says(&format!("banmoves {} nonsense h2h3x {}", banned[0], banned[1]));
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().all(|line| line.starts_with("info message ERROR: banmoves: ")), "{lines:?}");
    let lines = pipe.go("go time 500 movestogo 1");
    assert!(!banned[..2].contains(&legal_best(START, &lines)));
}
