//! Hostile and unlucky input over real pipes: nothing of it may crash the program, make it hang, or cost it
//! the search. Failures that fill the issue trackers of other engines.

use crate::pipe::{Event, LEAVING, Pipe, best, check_line, median, replay};
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;

/// Alive, idle, and able to play.
fn assert_plays(pipe: &mut Pipe) {
    pipe.sync();
    pipe.send("position startpos moves e2e4");
    let lines = pipe.go("go depth 2");
    replay("startpos", &["e2e4", &best(&lines)]);
}

#[test]
fn the_end_of_the_input_is_quit() {
    let mut times = Vec::new();
    // Idle, before and after `uci`, and with the last line unfinished.
    for text in ["", "\n", "uci\n", "uci", "isready"] {
        let mut pipe = Pipe::start();
        pipe.send_bytes(text.as_bytes());
        let closed = Instant::now();
        pipe.close();
        let status = pipe.ended(LEAVING).unwrap_or_else(|| panic!("still there after {text:?}"));
        times.push(closed.elapsed());
        assert!(status.success());
        let lines = pipe.listen(Duration::from_millis(100));
        let expected = if text.starts_with("uci") { "uciok" } else { "readyok" };
        assert_eq!(text.len() < 3, lines.is_empty(), "{text:?}: {lines:?}");
        assert!(lines.last().is_none_or(|line| line == expected), "{text:?}: {lines:?}");
    }
    // Thinking, with one thread and with several, in every mode.
    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go movetime 60000", "go depth 60"]
    {
        for threads in [1, 2] {
            let mut pipe = Pipe::uci();
            pipe.send(&format!("setoption name Threads value {threads}\n{go}"));
            pipe.until("info");
            let closed = Instant::now();
            pipe.close();
            let status = pipe.ended(LEAVING).unwrap_or_else(|| panic!("still there after {go:?}"));
            times.push(closed.elapsed());
            assert!(status.success(), "{go}");
            pipe.check_dialogue();
        }
    }
    let time = median(times);
    assert!(time < Duration::from_secs(1), "{time:?} from the end of the input to the exit");
}

#[test]
fn random_bytes_are_survived() {
    let mut pipe = Pipe::uci();
    let mut rng = SplitMix64::new(7);
    for round in 0..300 {
        let length = rng.below(400);
        let mut bytes: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
        if round % 3 == 0 {
            bytes.extend_from_slice(b"\0\0\0");
        }
        bytes.push(b'\n');
        pipe.send_bytes(&bytes);
    }
    assert_plays(&mut pipe);
    for event in pipe.dialogue() {
        if let Event::Received(line) = event {
            check_line(&line);
        }
    }
}

#[test]
fn random_sentences_of_known_words_are_survived() {
    let words = [
        "uci",
        "debug",
        "on",
        "off",
        "isready",
        "setoption",
        "name",
        "value",
        "Hash",
        "1",
        "-1",
        "0",
        "MultiPV",
        "Clear",
        "register",
        "later",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "0000",
        "a1a1",
        "e7e8q",
        "8/8/8/8/8/8/8/8",
        "w",
        "KQkq",
        "-",
        "go",
        "depth",
        "searchmoves",
        "ponder",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "nodes",
        "mate",
        "movetime",
        "infinite",
        "stop",
        "ponderhit",
        "99999999999999999999",
        "Threads",
        "2",
        "UCI_Elo",
        "UCI_Opponent",
        "UCI_SetPositionValue",
        "clearall",
        "Move",
        "Overhead",
        "OwnBook",
        "true",
        "flip",
        "eval",
        "\t",
        "\u{e9}",
        "\0",
    ];
    let mut pipe = Pipe::uci();
    let mut rng = SplitMix64::new(11);
    for _ in 0..2_000 {
        let line: Vec<&str> =
            (0..1 + rng.below(9)).map(|_| words[rng.below(words.len())]).collect();
        pipe.send(&line.join(" "));
    }
    // Whatever goes on now, this ends it.
    pipe.send("stop");
    pipe.listen(Duration::from_millis(700));
    pipe.send("setoption name MultiPV value 1\nsetoption name UCI_SetPositionValue value clearall");
    pipe.send("setoption name OwnBook value false\ndebug off");
    assert_plays(&mut pipe);
}

#[test]
fn lines_of_megabytes_are_dropped_without_harm() {
    let mut pipe = Pipe::uci();
    for start in ["", "position startpos moves ", "go searchmoves ", "setoption name Hash value "] {
        let mut line = start.to_string().into_bytes();
        line.extend(std::iter::repeat_n(b"e2e4 ", 1_000_000).flatten());
        line.push(b'\n');
        pipe.send_bytes(&line);
        let lines = pipe.sync();
        assert!(lines.iter().any(|l| l.contains("is ignored")), "{start:?}: {lines:?}");
    }
    // The same without any end, then one: still a single line.
    pipe.send_bytes(&[b'x'; 3 << 20]);
    pipe.send_bytes(b"\n");
    assert_plays(&mut pipe);
    // Long lines that are still taken.
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
    assert_plays(&mut pipe);
}

#[test]
fn a_flood_while_thinking_does_not_drown_stop() {
    let mut pipe = Pipe::uci();
    pipe.send("position startpos\ngo infinite");
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
    let left = pipe.sync();
    assert!(left.iter().all(|l| !l.starts_with("bestmove")), "{left:?}");
    assert_plays(&mut pipe);
}

#[test]
fn hostile_positions_are_refused_or_searched() {
    let mut pipe = Pipe::uci();
    for fen in [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "kk6/8/8/8/8/8/8/KK6 w - - 0 1",
        "k7/8/8/8/8/8/8/K6P w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99999999999 1",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K2R b K - 0 1 extra words",
        "4k2R/8/8/8/8/8/8/4K3 w - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/k6K w - - 0 1",
        "\u{265a}/8/8/8/8/8/8/K7 w - - 0 1",
    ] {
        pipe.send(&format!("position fen {fen}"));
        let lines = pipe.sync();
        assert_eq!(lines.len(), 1, "{fen:?}: {lines:?}");
        assert!(lines[0].starts_with("info string position is ignored"), "{lines:?}");
    }
    // Legal, and strange.
    for fen in [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 99 9999",
        "k7/8/8/8/8/8/8/K7 w - - 100 200",
        "8/8/8/8/8/8/8/K1k5 w - -",
    ] {
        pipe.send(&format!("position fen {fen}"));
        assert_eq!(pipe.sync(), [] as [&str; 0], "{fen}");
        let lines = pipe.go("go depth 3");
        replay(fen, &[&best(&lines)]);
    }
    pipe.quit();
}

#[test]
fn a_reader_that_does_not_read_cannot_keep_the_program_alive() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // More answers than a pipe holds: the program must wait for its reader, who never comes.
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all("uci\n".repeat(200).as_bytes()).expect("the program reads");
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("can be waited for").is_none(), "it waits for its reader");
    drop(input);
    let start = Instant::now();
    let patience = 3 * LEAVING;
    while child.try_wait().expect("can be waited for").is_none() && start.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
    let left = child.try_wait().expect("can be waited for").is_some();
    let _ = child.kill();
    let _ = child.wait();
    assert!(left, "stuck on a full pipe");
}

#[test]
fn a_reader_that_goes_away_does_not_leave_an_orphan() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    for go in ["go infinite\n", "go perft 20\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        drop(child.stdout.take());
        let mut text = String::from("uci\n");
        text.push_str(go);
        input.write_all(text.as_bytes()).expect("the program reads");
        // Its stdin stays open: only the broken output can tell it.
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("the program can be waited for") {
                break Some(status);
            }
            if start.elapsed() > LEAVING {
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        if status.is_none() {
            let _ = child.kill();
        }
        let _ = child.wait();
        assert!(status.is_some(), "{go:?} runs on for nobody");
    }
}
