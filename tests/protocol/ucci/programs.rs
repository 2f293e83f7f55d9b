//! What programs send or expect beyond the protocol's document.

use crate::pipe::Pipe;
use crate::ucci_pipe::{START, answer, last, legal_best, quit};

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
fn a_book_move_comes_with_a_score() {
    let mut pipe = Pipe::start();
    pipe.ask("ucci", "ucciok");
    pipe.send("setoption usemillisec true\nposition startpos");
    let lines = answer(&mut pipe, "go time 10000 increment 0");
    legal_best(START, &lines);
    let scored = lines.iter().find(|line| line.starts_with("info depth 0 score ")).unwrap();
    let m = last(&lines).split(' ').nth(1).unwrap();
    assert!(scored.ends_with(&format!(" pv {m}")), "{lines:?}");
    quit(pipe);
}
