//! What programs send or expect beyond the protocol's document.

use crate::pipe::Pipe;
use crate::ucci_pipe::{START, answer, last, legal_best, quit, ucci};
use std::time::{Duration, Instant};

#[test]
fn options_in_uci_syntax_are_accepted() {
    let mut pipe = Pipe::start();
    pipe.ask("ucci", "ucciok");
    pipe.send("setoption name usemillisec value true\nsetoption name usebook value false");
    pipe.send("setoption name newgame\nsetoption name style value risky\nposition startpos");
    assert_eq!(pipe.sync(), [] as [&str; 0]);
    // If the times were seconds, this would take two minutes.
    let begin = std::time::Instant::now();
    legal_best(START, &answer(&mut pipe, "go time 120 movestogo 1"));
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
    pipe.send("setoption name style value wild\nsetoption name style");
    let lines = pipe.sync();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().all(|line| line.contains("option style: ")), "{lines:?}");
    quit(pipe);
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
        let lines = answer(&mut pipe, go);
        let m = legal_best(START, &lines);
        assert!(begin.elapsed() < Duration::from_secs(20), "{go}: {:?}", begin.elapsed());
        assert!(!go.contains("searchmoves") || m == "h2e2", "{go}: {m}");
        assert_eq!(lines.iter().any(|line| line.contains("no mate")), go == "go mate 1", "{lines:?}");
    }
    // UCCI's own clock comes first.
    pipe.send("setoption usemillisec true");
    legal_best(START, &answer(&mut pipe, "go time 100 opptime 100 wtime 600000 btime 600000"));
    quit(pipe);
}

#[test]
fn words_that_are_not_understood_are_named_once() {
    let mut pipe = ucci();
    let endless = "info message go: no limit was read, so the search goes on until stop";
    for (go, message) in [
        ("go movtime 500", Some("go: \"movtime 500\" is not understood and ignored")),
        ("go movtime 500", None),
        ("go time 1:00", Some("go: time expects a whole number, not \"1:00\"")),
        ("go byoyomi", Some("go: \"byoyomi\" is not understood and ignored")),
    ] {
        pipe.send(go);
        let named = message.map(|text| format!("info message {text}"));
        for expected in named.into_iter().chain([endless.to_string()]) {
            assert_eq!(pipe.until("info"), [expected], "{go}");
        }
        answer(&mut pipe, "stop");
    }
    let lines = answer(&mut pipe, "go time 100 byomi 5");
    assert_eq!(lines[0], "info message go: \"byomi 5\" is not understood and ignored");
    assert!(!lines.contains(&endless.to_string()));
    for go in ["go", "go infinite"] {
        pipe.send(go);
        pipe.until("info");
        let lines = answer(&mut pipe, "stop");
        assert!(!lines.iter().any(|line| line.contains("message")), "{go}: {lines:?}");
    }
    quit(pipe);
}

#[test]
fn a_book_move_comes_with_a_score() {
    let mut pipe = Pipe::start();
    pipe.ask("ucci", "ucciok");
    pipe.send("setoption usemillisec true\nposition startpos");
    let lines = answer(&mut pipe, "go time 10000 increment 0");
    legal_best(START, &lines);
    let scored = lines.iter().find(|line| line.starts_with("info depth 1 score ")).unwrap();
    let m = last(&lines).split(' ').nth(1).unwrap();
    assert!(scored.ends_with(&format!(" pv {m}")), "{lines:?}");
    quit(pipe);
}
