//! Hostile and faulty input: the program must not crash, hang, or abandon its search.

use super::Ucci;
use crate::dialogue::{self, assert_plays};
use crate::pipe::LEAVING;
use crate::ucci_pipe::{START, answer, last, legal_best, ucci, until_answer};
use std::time::{Duration, Instant};

#[test]
fn the_end_of_the_input_ends_endless_searches() {
    dialogue::the_end_of_the_input::<Ucci>(&[
        "go infinite",
        "go",
        "go ponder",
        "go ponder time 1000 increment 0",
        "setoption batch true\ngo infinite",
    ]);
}

#[test]
fn random_bytes_are_survived() {
    dialogue::random_bytes::<Ucci>();
}

#[test]
fn random_sentences_of_known_words_are_survived() {
    #[rustfmt::skip]
    let words = [
        "ucci", "isready", "setoption", "position", "banmoves", "go", "stop", "ponderhit", "probe", "help",
        "fen", "startpos", "moves", "h2e2", "h9g7", "a0a9", "0000", "9/9/9/9/9/9/9/9/9/9", START, "w", "b", "-",
        "depth", "infinite", "nodes", "time", "movestogo", "increment", "opptime", "oppmovestogo",
        "oppincrement", "ponder", "draw", "0", "1", "2", "-1", "99999999999999999999", "-99999999999999999999",
        "usemillisec", "debug", "hashsize", "threads", "idle", "pruning", "randomness", "style", "newgame",
        "true", "false", "none", "small", "large", "solid", "risky", "value", "name",
        "\t", "\u{e9}", "\0", "炮二平五",
    ];
    dialogue::random_sentences::<Ucci>(&words, 12, |pipe| {
        // This ends any running search.
        pipe.send("stop");
        pipe.until_within("nobestmove", Duration::from_secs(120));
        pipe.send("stop\nsetoption batch false\nsetoption idle none");
        pipe.send("setoption threads 1\nsetoption newgame");
        pipe.listen(Duration::from_millis(700));
    });
}

#[test]
fn lines_of_megabytes_are_dropped_without_harm() {
    let mut pipe = ucci();
    let starts = ["", "position startpos moves ", "banmoves ", "probe startpos moves ", "setoption style "];
    dialogue::lines_of_megabytes::<Ucci>(&mut pipe, &starts, "h2e2");
    // Long lines that are accepted: a game of 8,000 plies.
    let shuffle = "h0g2 h9g7 g2h0 g7h9 ".repeat(2_000);
    pipe.send(&format!("position startpos moves {shuffle}"));
    answer(&mut pipe, "go depth 2");
    let unknown = "x".repeat(500_000);
    for line in [&unknown, &format!("setoption {unknown} 1"), &format!("setoption style {unknown}")] {
        pipe.send(line);
    }
    pipe.send(&format!("position fen {unknown}\nbanmoves {unknown}\nposition startpos moves {unknown}"));
    assert!(pipe.sync().iter().all(|line| line.len() < 300), "an error quotes a little only");
    assert_plays::<Ucci>(&mut pipe);
}

#[test]
fn a_flood_while_thinking_does_not_drown_stop() {
    let mut pipe = ucci();
    pipe.send("setoption hashsize 1\nposition startpos\ngo infinite");
    pipe.until("info");
    let mut flood = String::new();
    for i in 0..12_000 {
        flood.push_str(["position startpos moves h2e2\n", "setoption newgame\n", "go depth 1\n"][i % 3]);
    }
    pipe.send_bytes(flood.as_bytes());
    let stopped = Instant::now();
    let lines = answer(&mut pipe, "stop");
    assert!(stopped.elapsed() < LEAVING, "{:?}", stopped.elapsed());
    legal_best(START, &lines);
    // All commands are answered.
    for _ in 0..12_000 / 3 {
        let lines = until_answer(&pipe);
        crate::ucci_pipe::replay("startpos", &["h2e2", lines[lines.len() - 1].split(' ').nth(1).unwrap()]);
    }
    assert_plays::<Ucci>(&mut pipe);
}

#[test]
fn strange_positions_are_refused_or_searched() {
    let mut pipe = ucci();
    let refused = [
        "",
        "9/9/9/9/9/9/9/9/9/9 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "k8/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/B8/4K4 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/9/RRR1K4 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/9/3RK4 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/9/4K4 w - - -1 0",
        "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 more words",
        "\u{5c07}8/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        &"9/".repeat(500),
    ];
    dialogue::refused_positions::<Ucci>(&mut pipe, &refused);
    let strange = [
        "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 119 9999",
        "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 500 9999",
        "3akab2/9/4b4/9/9/9/9/4B4/4A4/2BAK4 b",
    ];
    dialogue::strange_positions::<Ucci>(&mut pipe, &strange);
    assert_plays::<Ucci>(&mut pipe);
}

#[test]
fn the_program_exits_when_its_output_is_closed() {
    dialogue::no_orphan::<Ucci>(&[
        "go infinite",
        "setoption batch true\ngo depth 200",
        "go ponder time 1 increment 0",
        "go time 600000 movestogo 1",
    ]);
}

#[test]
fn perft_and_commands_for_users() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    let lines = pipe.ask("go perft 3", "Nodes");
    assert_eq!(lines.len(), 46, "44 moves, a blank line, the total: {lines:?}");
    assert_eq!(last(&lines), "Nodes searched: 79666");
    let lines = pipe.ask("position fen x\ngo perft 3", "Nodes");
    assert!(lines[1].starts_with("info message ERROR: no position set"), "{lines:?}");
    assert_eq!(lines[2..], ["", "Nodes searched: 0"], "a total for clients that wait for one");
    let lines = pipe.ask("position startpos\nd", "Checkers:");
    assert!(lines.contains(&format!("Fen: {START}")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with(" | r | n | b | a | k ") && line.ends_with("| 9")));
    assert!(pipe.ask("eval", "evaluation:")[0].ends_with(" points for Red"));
    assert!(pipe.ask("help", "info")[0].contains("banmoves"));
    // `bench` runs the benchmark of xiangqi.
    let positions = pipe.ask("bench 1\nisready", "readyok");
    let ranks = |line: &&String| line.matches('/').count() == 9;
    assert!(positions.iter().filter(ranks).count() > 5, "{positions:?}");
    assert!(positions.iter().any(|line| line.contains(" nodes ") && line.ends_with(" nps")));
    // A long count can be stopped; such a `stop` is not an idle one.
    pipe.send("go perft 20");
    std::thread::sleep(Duration::from_millis(150));
    let lines = pipe.ask("stop\nisready", "readyok");
    assert!(lines.contains(&"info message perft was stopped".to_string()), "{lines:?}");
    pipe.send("stop");
    assert_eq!(last(&until_answer(&pipe)), "nobestmove");
}
