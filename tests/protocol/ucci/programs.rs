//! What programs send or expect beyond the protocol's document.

use super::*;

#[test]
fn options_in_uci_syntax_are_accepted() {
    let mut pipe = Pipe::start();
    pipe.ask("ucci", "ucciok");
    pipe.send("setoption name usemillisec value true\nsetoption name usebook value false");
    assert_eq!(pipe.says("setoption name newgame\nsetoption name style value risky\nposition startpos"), SILENCE);
    // If the times were seconds, this would take two minutes.
    let begin = std::time::Instant::now();
    legal_best(START, &pipe.go("go time 120 movestogo 1"));
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
    let lines = pipe.says("setoption name style value wild\nsetoption name style");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().all(|line| line.contains("option style: ")), "{lines:?}");
}

#[test]
fn words_of_uci_limit_a_search() {
    let mut pipe = Pipe::start();
    pipe.ask("ucci", "ucciok");
    pipe.send("setoption usebook false\nposition startpos");
    // Milliseconds, whatever the unit of UCCI's own times: seconds would take minutes.
    for go in [
        "go movetime 300",
        "go wtime 3000 btime 3000",
        "go wtime 3000 btime 1 winc 100 binc 0 movestogo 10",
        "go mate 1",
        "go depth 3 searchmoves h2e2",
    ] {
        let begin = Instant::now();
        let lines = pipe.go(go);
        let m = legal_best(START, &lines);
        assert!(begin.elapsed() < Duration::from_secs(20), "{go}: {:?}", begin.elapsed());
        assert!(!go.contains("searchmoves") || m == "h2e2", "{go}: {m}");
        assert_eq!(lines.iter().any(|line| line.contains("no mate")), go == "go mate 1", "{lines:?}");
    }
    // UCCI's own clock comes first.
    pipe.send("setoption usemillisec true");
    legal_best(START, &pipe.go("go time 100 opptime 100 wtime 600000 btime 600000"));
}

#[test]
fn words_that_are_not_understood_are_named_once() {
    let mut pipe = ucci();
    let unread = "info message go: no limit was read, so the search takes a second";
    for (go, message) in [
        ("go movtime 500", Some("go: \"movtime 500\" is not understood and ignored")),
        ("go movtime 500", None),
        ("go time 1:00", Some("go: time expects a whole number, not \"1:00\"")),
    ] {
        let lines = pipe.go(go);
        let named = message.map(|text| format!("info message {text}"));
        let expected = Vec::from_iter(named.into_iter().chain([unread.to_string()]));
        assert_eq!(lines[..expected.len()], expected, "{go}");
    }
    let lines = pipe.go("go time 100 byomi 5");
    assert_eq!(lines[0], "info message go: \"byomi 5\" is not understood and ignored");
    pipe.begin("go infinite");
    let lines = [lines, pipe.go("stop")].concat();
    assert_eq!(lines.iter().filter(|line| line.contains("message")).count(), 1, "{lines:?}");
}

#[test]
fn perft_and_commands_for_users() {
    let mut pipe = ucci();
    let lines = pipe.ask_block("position startpos\ngo perft 3", "Nodes");
    assert_eq!(lines.len(), 46, "44 moves, a blank line, the total: {lines:?}");
    assert_eq!(last(&lines), "Nodes searched: 79666");
    let lines = pipe.ask_block("position fen x\ngo perft 3", "Nodes");
    assert!(lines[1].starts_with("info message ERROR: no position set"), "{lines:?}");
    assert_eq!(lines[2..], ["", "Nodes searched: 0"], "a total for clients that wait for one");
    let lines = pipe.ask("position startpos\nd", "Checkers:");
    assert!(lines.contains(&format!("Fen: {START}")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with(" | r | n | b | a | k ") && line.ends_with("| 9")));
    assert!(pipe.ask_block("eval", "evaluation:")[0].ends_with(" points for Red"));
    assert!(pipe.ask("help", "info")[0].contains("banmoves"));
    // `bench` runs the benchmark of xiangqi.
    let positions = pipe.says("bench 1");
    let ranks = |line: &&String| line.matches('/').count() == 9;
    assert!(positions.iter().filter(ranks).count() > 5, "{positions:?}");
    assert!(positions.iter().any(|line| line.contains(" nodes ") && line.ends_with(" nps")));
    // A count is finished before a `stop`, which then finds nothing to end.
    let lines = pipe.go("go perft 4\nstop");
    assert_eq!(lines[lines.len() - 3..], ["Nodes searched: 3290240", "", "nobestmove"], "{lines:?}");
}
