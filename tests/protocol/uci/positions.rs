//! Positions as other programs send them: FENs that no game can reach, `position` without a position, and FENs that
//! are invalid in both games. Also the greeting on a terminal.

use super::*;

const SET_UP: &str = "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1";

#[test]
fn a_fen_with_unambiguous_faults_is_searched_with_a_warning() {
    let mut pipe = Pipe::uci();
    for (fen, word) in [
        (SET_UP, "set-up position"),
        ("4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 0", "full-move number"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1", "dropped"),
    ] {
        let line = pipe.says_once(&format!("position fen {fen}"));
        assert!(line.starts_with("info string position: FEN "), "{line}");
        assert!(line.contains(word), "{fen}: {line}");
        assert_ne!(best(&pipe.go("go depth 3")), "(none)", "{fen}");
    }
    pipe.send(&format!("position fen {SET_UP}"));
    assert_eq!(pipe.ask_block("go perft 2", "Nodes").last().unwrap(), "Nodes searched: 616");
}

#[test]
fn after_a_refused_position_nothing_is_searched() {
    let mut pipe = Pipe::uci();
    for (position, reason) in [
        ("position", "expected startpos or fen FEN"),
        ("position fen 4k3/8/8/8/8/8/8/8 w - - 0 1", "White must have exactly one king"),
        // A FEN that is invalid in both games gets the message of the game that it looks like.
        ("position fen 3k5/9/9/9/9/9/9/9/9/RRR1K4 w - - 0 1", "chariots"),
    ] {
        let line = pipe.says_once(position);
        assert!(line.starts_with("info string ERROR: position rejected: "), "{line}");
        assert!(line.contains(reason), "{position}: {line}");
        for go in ["go depth 3", "go infinite", "go ponder", "go movetime 100"] {
            let lines = pipe.go(go);
            assert_eq!(lines.len(), 2, "{position}, {go}: {lines:?}");
            assert!(lines[0].starts_with("info string ERROR: no position set"), "{lines:?}");
            assert_eq!(lines[1], "bestmove (none)", "{position}, {go}");
        }
        let lines = pipe.says("go perft 2\nflip");
        let reason = |line: &String| line.starts_with("info string ERROR: no position set");
        assert!(reason(&lines[0]) && reason(&lines[4]), "{position}: {lines:?}");
        assert_eq!(lines[1..4], ["", "Nodes searched: 0", ""], "{position}: a total for clients that wait for one");
        // A queued position is checked when it is executed.
        pipe.send(&format!("position startpos\ngo infinite\nstop\n{position}\ngo depth 1"));
        assert_ne!(best(&pipe.answer()), "(none)");
        assert_eq!(best(&pipe.answer()), "(none)");
    }
    assert_ne!(best(&pipe.go("position moves e2e4\ngo depth 2")), "(none)");
}

#[test]
fn a_pipe_gets_no_greeting() {
    // There, `exit` is unknown, and `help` prints one line of the protocol.
    let mut pipe = Pipe::start();
    let lines = pipe.says("exit\nhelp");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("unknown command \"exit\""), "{lines:?}");
    assert!(lines[1].starts_with("info string commands: "), "{lines:?}");
    pipe.send("quit");
    assert!(pipe.ended(PATIENCE).is_some_and(|status| status.success()));
}

/// `script` runs the program in a pseudo-terminal. Other systems have a `script` with other options, or none.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_a_greeting() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let program = crate::common::own::own();
    let child = Command::new("script")
        .args(["-qec", &program, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        assert!(std::env::var_os("CI").is_none(), "script is missing");
        return eprintln!("SKIPPED a_terminal_gets_a_greeting: script is missing");
    };
    child.stdin.take().unwrap().write_all(b"help\nexit\n").unwrap();
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("still running after exit");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains(": type uci, ucci or help"), "{text}");
    assert!(text.contains("position startpos moves e2e4 e7e5"), "{text}");
    assert!(output.status.success());
}

#[test]
fn moves_of_a_game_are_read_in_any_notation() {
    let mut pipe = Pipe::uci();
    let mut check = |before: &str, games: &[&str]| {
        pipe.send(before);
        pipe.send(&format!("position {}", games[0]));
        let (wanted, lines) = (fen(&mut pipe), pipe.sync());
        assert_eq!(lines, SILENCE);
        for game in &games[1..] {
            assert_eq!(pipe.says(&format!("position startpos\nposition {game}")), SILENCE, "{game}");
            assert_eq!(fen(&mut pipe), wanted, "{game}");
        }
    };
    check(
        "ucinewgame",
        &[
            "startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1",
            "startpos moves e4 e5 Nf3 Nc6 Bc4 Nf6 O-O",
            "startpos moves 1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. 0-0",
            "startpos moves 1.e2-e4 e7-e5 2.Ng1-f3 b8c6 3.Bc4!? Nf6 4.e1h1",
        ],
    );
    check(
        "ucinewgame",
        &["fen 8/P7/8/8/8/8/8/k1K5 w - - 0 1 moves a7a8n", "fen 8/P7/8/8/8/8/8/k1K5 w - - 0 1 moves a8=N"],
    );
    for ranks in ["0-9", "auto"] {
        check(
            &format!("setoption name UCI_Variant value xiangqi\nsetoption name XiangqiRanks value {ranks}"),
            &[
                "startpos moves h2e2 h9g7 h0g2",
                "startpos moves C2=5 H8+7 H2+3",
                "startpos moves 1. C2=5 h9g7 2. H2+3",
                "startpos moves H2-E2 H9-G7 H0-G2",
                "startpos moves 炮二平五 馬8進7 馬二進三",
            ],
        );
    }
    check(
        "setoption name XiangqiRanks value 1-10",
        &["startpos moves h3e3 h10g8 h1g3", "startpos moves C2=5 H8+7 H2+3", "startpos moves H2-E2 H9-G7 H0-G2"],
    );
}

#[test]
fn a_wrong_move_in_any_notation_is_named_and_ends_the_game() {
    let mut pipe = Pipe::uci();
    for (game, fault) in [
        ("startpos moves e2e4 e7e4 g1f3", "move 2: \"e7e4\" is not legal"),
        ("startpos moves e4 e5 Nf4 Nc6", "move 3: \"Nf4\" is not legal"),
        ("startpos moves e4 hello", "move 2: \"hello\" is not a move"),
        ("fen 4k3/8/8/8/8/R6R/8/4K3 w - - 0 1 moves Rd3", "move 1: \"Rd3\" is ambiguous"),
    ] {
        let line = pipe.says_once(&format!("position {game}"));
        assert!(line.starts_with(&format!("info string ERROR: position, {fault}")), "{line}");
    }
    // Which game is meant by moves that only the other one has.
    let mut pipe = Pipe::start();
    let lines = pipe.says("position startpos moves C2=5 H8+7");
    assert!(lines.len() == 1 && lines[0].contains("these are moves of xiangqi"), "{lines:?}");
}

/// A game of 400 moves in coordinates is read as fast as the session reads lines; in SAN it takes no longer than a GUI
/// would wait.
#[test]
fn long_games_are_read_fast() {
    let mut pipe = Pipe::uci();
    for (cycle, most) in [("g1f3 g8f6 f3g1 f6g8", 3000), ("Nf3 Nf6 Ng1 Ng8", 3000)] {
        let game = vec![cycle; 100].join(" ");
        let begin = Instant::now();
        for _ in 0..100 {
            pipe.send(&format!("position startpos moves {game}"));
        }
        assert_eq!(pipe.sync(), SILENCE);
        println!("100 games of 400 moves {cycle}: {:?}", begin.elapsed());
        assert!(begin.elapsed() < Duration::from_millis(most), "{cycle}: {:?}", begin.elapsed());
    }
}
