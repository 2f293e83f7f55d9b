//! Hostile and faulty input over real pipes: the program must not crash, hang, or abandon its search. Such bugs are
//! common in the issue trackers of other engines.

use super::Uci;
use crate::dialogue::{self, assert_plays};
use crate::pipe::{LEAVING, Pipe, best, replay};
use std::time::{Duration, Instant};

#[test]
fn the_end_of_the_input_ends_endless_searches() {
    // Before and after `uci`, and with the last line unfinished.
    for text in ["", "\n", "uci\n", "uci", "isready"] {
        let mut pipe = Pipe::start();
        pipe.send_bytes(text.as_bytes());
        pipe.close();
        let status = pipe.ended(LEAVING).unwrap_or_else(|| panic!("no exit after {text:?}"));
        assert!(status.success());
        let lines = pipe.rest();
        let expected = if text.starts_with("uci") { "uciok" } else { "readyok" };
        assert_eq!(text.len() < 3, lines.is_empty(), "{text:?}: {lines:?}");
        assert!(lines.last().is_none_or(|line| line == expected), "{text:?}: {lines:?}");
    }
    dialogue::the_end_of_the_input::<Uci>(&[
        "go infinite",
        "go infinite depth 60",
        "go",
        "go searchmoves e2e4 d2d4",
        "go ponder wtime 1000 btime 1000",
        "go ponder movetime 60000",
    ]);
}

#[test]
fn random_bytes_are_survived() {
    dialogue::random_bytes::<Uci>();
}

#[test]
fn random_sentences_of_known_words_are_survived() {
    #[rustfmt::skip]
    let words = [
        "uci", "debug", "on", "off", "isready", "setoption", "name", "value", "Hash", "1", "-1", "0", "MultiPV",
        "Clear", "register", "later", "ucinewgame", "position", "startpos", "fen", "moves", "e2e4", "e7e5",
        "0000", "a1a1", "e7e8q", "8/8/8/8/8/8/8/8", "w", "KQkq", "-", "go", "depth", "searchmoves", "ponder",
        "wtime", "btime", "winc", "binc", "movestogo", "nodes", "mate", "movetime", "infinite", "stop",
        "ponderhit", "99999999999999999999", "Threads", "2", "UCI_Elo", "UCI_Opponent", "UCI_SetPositionValue",
        "clearall", "Move", "Overhead", "OwnBook", "true", "flip", "eval", "\t", "\u{e9}", "\0",
    ];
    dialogue::random_sentences::<Uci>(&words, 11, |pipe| {
        // This ends any running search, and the count waits for that.
        pipe.send("stop\nposition startpos\ngo perft 1");
        pipe.until_within("Nodes", Duration::from_secs(120));
        pipe.send("setoption name UCI_SetPositionValue value clearall\ndebug off");
        pipe.send("setoption name MultiPV value 1\nsetoption name OwnBook value false");
    });
}

#[test]
fn lines_of_megabytes_are_dropped_without_harm() {
    let mut pipe = Pipe::uci();
    let starts = ["", "position startpos moves ", "go searchmoves ", "setoption name Hash value "];
    dialogue::lines_of_megabytes::<Uci>(&mut pipe, &starts, "e2e4");
    // Long lines that are accepted: a game of 8,000 plies.
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(2_000);
    pipe.send(&format!("position startpos moves {shuffle}"));
    let lines = pipe.go("go depth 2");
    replay("startpos", &[&best(&lines)]);
    let unknown = "x".repeat(500_000);
    let lines = pipe.ask(&unknown, "info");
    assert!(lines[0].len() < 200, "an error quotes a little only");
    pipe.send(&format!("setoption name BookFile value {unknown}"));
    pipe.send(&format!("setoption name {unknown} value 1"));
    pipe.send(&format!("position fen {unknown}"));
    assert!(pipe.sync().iter().all(|line| line.len() < 300));
    assert_plays::<Uci>(&mut pipe);
}

#[test]
fn a_flood_while_thinking_does_not_drown_stop() {
    let mut pipe = Pipe::uci();
    pipe.send("setoption name Hash value 1\nposition startpos\ngo infinite");
    pipe.until("info");
    let mut flood = String::new();
    for i in 0..50_000 {
        flood.push_str(["position startpos moves d2d4\n", "ucinewgame\n", "go depth 1\n"][i % 3]);
    }
    pipe.send_bytes(flood.as_bytes());
    let stopped = Instant::now();
    let lines = pipe.ask("stop", "bestmove");
    assert!(stopped.elapsed() < LEAVING, "{:?}", stopped.elapsed());
    replay("startpos", &[&best(&lines)]);
    // All commands are answered.
    for _ in 0..50_000 / 3 {
        replay("startpos", &["d2d4", &best(&pipe.until("bestmove"))]);
    }
    assert_eq!(pipe.sync(), [] as [&str; 0]);
    assert_plays::<Uci>(&mut pipe);
}

#[test]
fn hostile_positions_are_refused_or_searched() {
    let mut pipe = Pipe::uci();
    let refused = [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "kk6/8/8/8/8/8/8/KK6 w - - 0 1",
        "k7/8/8/8/8/8/8/K6P w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 0",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K2R b K - 0 1 extra words",
        "4k2R/8/8/8/8/8/8/4K3 w - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/k6K w - - 0 1",
        "\u{265a}/8/8/8/8/8/8/K7 w - - 0 1",
    ];
    dialogue::refused_positions::<Uci>(&mut pipe, &refused);
    let strange = [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 99 9999",
        "k7/8/8/8/8/8/8/K7 w - - 100 200",
        "8/8/8/8/8/8/8/K1k5 w - -",
    ];
    dialogue::strange_positions::<Uci>(&mut pipe, &strange);
    pipe.quit();
}

#[test]
fn a_reader_that_does_not_read_cannot_keep_the_program_alive() {
    use std::io::Write;
    for command in ["uci\n", "bench 1\n", "go perft 2\n"] {
        let mut child = dialogue::spawn();
        // More answers than a pipe holds: the program waits for a reader, which never comes.
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(command.repeat(400).as_bytes()).expect("the program reads");
        let output = child.stdout.take();
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().expect("can be waited for").is_none(), "it waits for its reader");
        input.write_all(b"quit\n").expect("the program reads");
        assert!(dialogue::leaves(child, 3 * LEAVING), "stuck on a full pipe");
        drop(output);
    }
}

#[test]
fn a_slow_reader_gets_all_output() {
    use std::io::{Read, Write};
    let mut child = dialogue::spawn();
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all("uci\n".repeat(200).as_bytes()).expect("the program reads");
    // The search outlasts any plausible time-out for a reader that does not read.
    input.write_all(b"go movetime 6500\ngo depth 3 searchmoves a2a3\n").expect("it reads");
    drop(input);
    std::thread::sleep(Duration::from_millis(6500));
    let mut text = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    assert!(dialogue::leaves(child, LEAVING));
    let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((count("uciok"), count("bestmove ")), (200, 2));
    assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove a2a3")));
}

#[test]
fn the_program_exits_when_its_output_is_closed() {
    let silent = if cfg!(target_os = "linux") { "go perft 20" } else { "go infinite" };
    dialogue::no_orphan::<Uci>(&["go infinite", "go depth 60", "bench 60", silent]);
}
