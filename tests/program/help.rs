//! Help texts, and positions and moves as people write them.

use crate::common::program::{finish, output, run, start, tabiya};
use std::process::Command;

/// The script of all checks says what it does, and does nothing.
#[cfg(unix)]
#[test]
fn the_script_of_all_checks_explains_itself() {
    let script = crate::common::root().join(".ci/run");
    let run = finish(start(Command::new("bash").arg(&script).arg("--help")));
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(run.out.starts_with("All checks for a change: ") && run.out.contains("`.ci/run --list`"), "{run:?}");
    assert!(run.out.lines().count() < 15, "only the head is printed: {run:?}");
}

#[test]
fn help_fits_a_narrow_terminal() {
    for command in ["", "perft", "check", "bench", "probe", "genfens"] {
        let mut help = tabiya(&[command, "--help"][usize::from(command.is_empty())..]);
        let text = |columns: &str, help: &mut Command| finish(start(help.env("COLUMNS", columns))).out;
        let (narrow, usual) = (text("40", &mut help), text("200", &mut help));
        assert!(narrow.lines().all(|line| line.len() <= 40), "{narrow}");
        assert!(usual.lines().all(|line| line.len() <= 80), "{usual}");
        // The same words: none is broken.
        assert!(narrow.split_whitespace().eq(usual.split_whitespace()), "{narrow}");
    }
}

#[test]
fn a_pgn_is_read_with_its_tags() {
    let moves = "1. e4 {A comment [%clk 0:01:00].} e5 2. Nf3 *\n";
    let tags = "[Event \"A [small] \\\"open\\\"\"]\n[Site \"?\"]\n[Result \"*\"]\n\n";
    let plain = output(&["perft", "2", "--divide", "--moves", moves]);
    assert_eq!(output(&["perft", "2", "--divide", "--moves", &format!("{tags}{moves}")]), plain);
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let ending = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. O-O Kd7 *");
    let after = output(&["perft", "3", "--fen", fen, "--moves", "e1g1 e8d7"]);
    assert_eq!(output(&["perft", "3", "--moves", &ending]), after);
    assert_eq!(output(&["perft", "3", "--moves", &ending, "--fen", fen]), after);
    let xiangqi = ["perft", "2", "--game", "xiangqi", "--moves", "[Game \"Chinese Chess\"]\n1. C2=5 H8+7 *"];
    assert_eq!(output(&xiangqi), output(&["perft", "2", "--game", "xiangqi", "--moves", "h2e2 h9g7"]));
    let shredder = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/4KR2 w K - 0 1\"]\n1. O-O *";
    assert_eq!(run(&["perft", "1", "--moves", shredder]).code, Some(0));
    for (arguments, reason) in [
        (&["--moves", &ending, "--fen", "startpos"][..], "--moves: tag, character 19: FEN is another position"),
        (&["--moves", "[SetUp \"1\"] 1. e4"], "--moves: tag, character 9: SetUp is 1, but there is no FEN"),
        (&["--moves", "[FEN \"8/8\"] 1. e4"], "--moves: FEN board, character 10: "),
        (&["--moves", "[Event \"x"], "--moves: tag, character 1: expected a tag such as [Event \"name\"]"),
        (&["--moves", "1. e4 e5 1-0\n\n[Event \"x\"]\n1. d4"], "\"[Event\" follows the result 1-0"),
    ] {
        run(&[&["perft", "1"], arguments].concat()).assert_refused(&[reason]);
    }
}

#[test]
fn a_fen_may_follow_the_depth() {
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let split = Vec::from_iter(fen.split(' '));
    let total = "Nodes searched: 2812\n";
    assert_eq!(output(&["perft", "3", fen]), total);
    assert_eq!(output(&[&["perft", "3"], &split[..]].concat()), total);
    assert_eq!(output(&[&["perft", "--hash", "8", "3"], &split[..4]].concat()), total);
    assert_eq!(output(&["perft", "2", &format!("{fen} moves b4b1"), "--moves", "c7c5"]), {
        output(&["perft", "2", "--fen", fen, "--moves", "b4b1 c7c5"])
    });
    for (arguments, reason) in [
        (&["perft", "3", "kiwipete"][..], "\"kiwipete\" after DEPTH; did you mean --fen kiwipete?"),
        (&["perft", "3", "open-game", "--game", "xiangqi"], "after DEPTH; did you mean --fen open-game?"),
        (&["perft", "3", "open-game"], "after DEPTH; a position is given by --fen"),
        (&["perft", "3", "--stats", "full"], "\"full\" after DEPTH; did you mean --stats=full?"),
        (&["perft", "3", "full"], "after DEPTH; a position is given by --fen"),
        (&["perft", "3", fen, "--fen", fen], "unexpected argument"),
        (&["perft", "3", "8/8/8"], "--fen: FEN"),
    ] {
        run(arguments).assert_refused(&[reason]);
    }
}

#[test]
fn moves_are_read_in_any_notation() {
    let plain = output(&["perft", "2", "--divide", "--moves", "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1"]);
    for moves in [
        "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O",
        "1.e4 e5 2.Nf3! Nc6 3.Bb5 Nf6?! 4.0-0",
        "e2-e4 e7-e5 Ng1-f3 Nc6 f1b5 Nf6 e1h1",
        "1. e4 e5 {Open.} 2. Nf3 ! (2. f4 exf4 {taken}) 2... Nc6 $1 3. Bb5 Nf6 ?! 4. O-O 1/2-1/2",
    ] {
        assert_eq!(output(&["perft", "2", "--divide", "--moves", moves]), plain, "{moves}");
        let behind = format!("startpos moves {moves}");
        assert_eq!(output(&["perft", "2", "--divide", "--fen", &behind]), plain, "{moves}");
    }
    let xiangqi = |moves| output(&["perft", "2", "--divide", "--game", "xiangqi", "--moves", moves]);
    assert_eq!(xiangqi("C2=5 h8+7"), xiangqi("h2e2 h9g7"));
    assert_eq!(xiangqi("1. H2-E2 H9-G7"), xiangqi("h2e2 h9g7"));
    run(&["perft", "1", "--moves", "1. e4 (1. d4"]).assert_refused(&["--moves: move 2: the variation is not closed"]);
    let chess960 = run(&["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4KR2 w K - 0 1"]);
    assert!(chess960.err.contains("warning: --fen: FEN castling") && chess960.code == Some(0), "{}", chess960.err);
    let meant = run(&["perft", "1", "--chess960", "--fen", "4k3/8/8/8/8/8/8/4KR2 w K - 0 1"]);
    assert!(!meant.err.contains("warning") && meant.out == chess960.out, "{}", meant.err);
    let run = run(&["perft", "2", "--moves", "1. e4 e5 2. Nd3"]);
    assert!(run.err.contains("--moves: move 3: \"Nd3\" is not legal"), "{}", run.err);
}
