//! Words that are not understood: each is named once, and a `go` whose limit could not be read says so each time.

use super::*;

/// The messages before the answer, without the word that begins each.
fn messages(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}

const UNREAD: &str = "go: no limit was read, so the search takes a second";

#[test]
fn words_that_are_not_understood_are_named_once() {
    let mut pipe = Pipe::uci();
    for (line, message) in [
        (
            "position startpos e2e4 e7e5",
            "position: \"e2e4 e7e5\" is not understood and ignored; the word moves must come before \
             the moves",
        ),
        ("position startpos move e2e4", "position: \"move e2e4\" is not understood and ignored"),
        (
            "position startpos e7e5 moves e2e4",
            "position: \"e7e5\" is not understood and ignored; the word moves must come before the \
             moves",
        ),
        (
            "position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
            "position: the word fen before the FEN is missing",
        ),
        ("debug yes", "debug: expected on or off"),
    ] {
        pipe.send(line);
        assert_eq!(messages(&pipe.sync()), [message], "{line}");
        pipe.send(line);
        let again = usize::from(line.starts_with("debug"));
        assert_eq!(pipe.sync().len(), again, "{line}: each word once");
    }
    assert_eq!(pipe::fen(&mut pipe).split(' ').nth(1), Some("b"), "1. e2e4 was played");
    pipe.send("position startpos");
    for (go, message) in [
        ("go depth 1 movetime=100", "go: \"movetime=100\" is not understood and ignored"),
        ("go nodes 1 wtime 1:00", "go: wtime expects a whole number, not \"1:00\""),
        ("go nodes 1 btime", "go: btime expects a whole number"),
        ("go depth 1 searchmoves A2A3", "go: \"A2A3\" is not understood and ignored"),
        ("go mvoetime 100 depth 1 foo 7", "go: \"mvoetime 100\" is not understood and ignored"),
        ("go movetime 1.5 depth 1", "go: movetime expects a whole number; \"1.5\" is read as 1"),
        ("go depth 1 mate infinit 3", "go: mate expects a whole number, not \"infinit\""),
    ] {
        let first = pipe.go(go);
        assert_eq!(messages(&first).first(), Some(&message), "{go}");
        assert_eq!(messages(&pipe.go(go)), SILENCE, "{go}: each word once");
    }
    for (words, unknown) in
        [("1 deep x", "deep"), ("16 1 100 current nodes", "current"), ("1 1 5 default perft", "perft")]
    {
        let line = pipe.says_once(&format!("bench {words}"));
        let fault = format!("bench: \"{unknown}\" is not one of depth, nodes, movetime, default");
        assert_eq!(line, format!("info string ERROR: {fault}"));
    }
}

#[test]
fn a_go_whose_limit_cannot_be_read_is_answered_soon() {
    let mut pipe = Pipe::uci();
    for go in ["go depth5", "go dept 5", "go depth5", "go wtime 1:00 btime 1:00", "go 5"] {
        let lines = pipe.go(go);
        assert!(messages(&lines).contains(&UNREAD), "{go}: {lines:?}");
        replay("startpos", &[&best(&lines)]);
    }
    // Clock times with a decimal point are read, with one remark.
    let mut pipe = Pipe::uci();
    let remark = "go: wtime expects a whole number; \"300.0\" is read as 300";
    for remarks in [&[remark][..], &[]] {
        let lines = pipe.go("go wtime 300.0 btime 300.0 winc 0.5 binc 0.5");
        assert_eq!(messages(&lines), remarks);
    }
    assert_eq!(pipe.says("go perft"), ["info string ERROR: go perft: expected a depth from 0 to 100"]);
    // Nothing is said of what is meant.
    for go in ["go", "go infinite", "go ponder", "go infinite searchmoves e2e4"] {
        pipe.begin(go);
        let lines = pipe.go("stop");
        assert_eq!(messages(&lines), SILENCE, "{go}");
    }
    for go in ["go depth 2", "go depth 2 searchmoves e2e4", "go movetime 1", "go wtime 1 btime 1"] {
        assert_eq!(messages(&pipe.go(go)), SILENCE, "{go}");
    }
}

#[test]
fn words_are_remembered_across_games_and_their_number_is_bounded() {
    let mut pipe = Pipe::uci();
    assert_eq!(
        pipe.says("position startpos foo\nsetoption name UCI_Variant value xiangqi\nposition startpos foo").len(),
        1
    );
    pipe.send("setoption name UCI_Variant value chess");
    for i in 0..1000 {
        pipe.send(&format!("position startpos word{i}"));
    }
    assert!((100..=300).contains(&pipe.sync().len()));
    let mut pipe = Pipe::uci();
    let lines = pipe.says("position foo fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1");
    let message = "position: \"foo\" is not understood and ignored";
    assert_eq!(messages(&lines), [message, "this is a xiangqi position; switching to xiangqi"]);
}

#[test]
fn commands_and_options_that_were_meant_are_suggested() {
    let mut pipe = Pipe::uci();
    for (line, message) in [
        ("perft 5", "unknown command \"perft 5\"; did you mean go perft 5?"),
        ("infinite", "unknown command \"infinite\"; did you mean go infinite?"),
        ("postion startpos", "unknown command \"postion startpos\"; did you mean position?"),
        ("nonsense", "unknown command \"nonsense\""),
        ("x", "unknown command \"x\""),
        ("setoption name Hsh value 3", "ERROR: unknown option \"Hsh\"; did you mean Hash?"),
        ("setoption name Nonsense value x", "ERROR: unknown option \"Nonsense\""),
        ("setoption name SizygyPath value x", "ERROR: unknown option \"SizygyPath\"; did you mean SyzygyPath?"),
    ] {
        assert_eq!(messages(&pipe.says(line)), [message], "{line}");
    }
}

#[test]
fn null_moves_and_missing_letters_in_games() {
    let mut pipe = Pipe::uci();
    for (game, fen) in [
        ("startpos moves e2e4 0000 d2d4", "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2"),
        ("startpos moves 0000 0000", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2 2"),
    ] {
        pipe.send(&format!("position {game}"));
        assert_eq!(pipe::fen(&mut pipe), fen, "{game}");
    }
    for (game, fault) in [
        ("startpos moves 0000 e2e4", "move 2: \"e2e4\" is not legal in this position"),
        ("startpos moves f2f3 e7e5 g2g4 d8h4 0000", "move 5: \"0000\" is a null move, illegal in check"),
        (
            "fen 8/P6k/8/8/8/8/7K/8 w - - 0 1 moves a7a8",
            "move 1: \"a7a8\" lacks the letter of the promotion; expected one such as a7a8q",
        ),
    ] {
        let line = pipe.says_once(&format!("position {game}"));
        assert_eq!(line, format!("info string ERROR: position, {fault}; the rest is ignored"));
    }
    // Nothing is repeated across a null move: for the search this game begins after it.
    pipe.send("position startpos moves g1f3 g8f6 f3g1 f6g8 0000 e7e5");
    assert!(pipe.go("go depth 2").last().is_some_and(|line| line.starts_with("bestmove ")));
}

#[test]
fn finished_games_are_won_drawn_or_lost_for_certain() {
    let mut pipe = Pipe::uci();
    pipe.send("setoption name UCI_ShowWDL value true");
    for (fen, wdl) in [
        ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", " wdl 0 1000 0 "),
        ("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", " wdl 0 0 1000 "),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", " wdl 0 1000 0 "),
    ] {
        let lines = pipe.go(&format!("position fen {fen}\ngo depth 2"));
        assert!(lines.iter().filter(|line| line.contains(" score ")).all(|line| line.contains(wdl)), "{lines:?}");
        assert!(lines[0].contains(wdl), "{lines:?}");
    }
}
