//! Commands that count or search by themselves, `go perft` and `bench`, and what ends them: `stop`, `quit`, the end of
//! the input.

use super::*;

#[test]
fn go_perft_prints_the_usual_divide() {
    let mut pipe = Pipe::start();
    for threads in [1, 3] {
        pipe.send(&format!("setoption name Threads value {threads}\nposition startpos"));
        let lines = pipe.ask("go perft 5", "Nodes");
        assert_eq!(lines.len(), 22, "twenty moves, a blank line, the total: {lines:?}");
        assert!(lines[..20].is_sorted() && lines.contains(&"e2e4: 405385".to_string()), "{lines:?}");
        assert_eq!(&lines[20..], ["", "Nodes searched: 4865609"]);
        assert_eq!(pipe.sync(), SILENCE, "no bestmove after perft");
        assert_eq!(pipe.ask("go perft 0", "Nodes"), ["", "Nodes searched: 1"]);
        pipe.send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        let lines = pipe.ask("go perft 5", "Nodes");
        assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 193690690"));
        pipe.send(&format!("position fen {MATED}"));
        assert_eq!(pipe.ask("go perft 4", "Nodes"), ["", "Nodes searched: 0"]);
        // A long count can be stopped, and the following commands work.
        pipe.send("position startpos\ngo perft 20");
        std::thread::sleep(SHORT);
        assert_eq!(pipe.says("stop"), ["info string perft was stopped"]);
        assert_eq!(pipe.ask("go perft 1", "Nodes").len(), 22);
    }
}

/// The deepest allowed count is begun, and can be stopped, on the smaller stacks of several threads too.
#[test]
fn a_perft_that_is_too_deep_is_refused() {
    for (hello, prefix, threads) in [("uci", "string", "name Threads value"), ("ucci", "message", "threads")] {
        let mut pipe = Pipe::start();
        pipe.ask(hello, &format!("{hello}ok"));
        for count in [1, 3] {
            pipe.send(&format!("setoption {threads} {count}\nposition startpos"));
            for depth in ["101", "5000", "4294967295", "99999999999999999999"] {
                let refusal = format!("info {prefix} ERROR: go perft: expected a depth from 0 to 100");
                assert_eq!(pipe.says(&format!("go perft {depth}")), [refusal], "{depth}");
            }
            pipe.send("go perft 100");
            std::thread::sleep(SHORT / 3);
            assert_eq!(pipe.says("stop"), [format!("info {prefix} perft was stopped")]);
        }
    }
}

/// The lines up to the exit after `quit`, `wait` after `commands`, and the time from the `quit` to the exit.
fn quit_after(commands: &str, wait: Duration, quit: &str) -> (Vec<String>, Duration) {
    let mut pipe = Pipe::start();
    pipe.send(commands);
    std::thread::sleep(wait);
    let begin = Instant::now();
    pipe.send(quit);
    let status = pipe.ended(LEAVING).expect("exit at once");
    assert!(status.success(), "{commands:?}: {status}");
    (pipe.rest(), begin.elapsed())
}

#[test]
fn quit_ends_tasks_at_once_whenever_it_comes() {
    let (none, short, long) = (Duration::ZERO, SHORT / 3, 2 * SHORT);
    let times_of = |protocol: &str, last: Option<&str>| {
        let mut times = Vec::new();
        for task in [
            "go perft 9",
            "bench 60",
            "go perft 9\ngo perft 9\nbench 60",
            "bench 60\ngo perft 9",
            "setoption name Threads value 3\ngo perft 20",
        ] {
            for (wait, quit) in [(none, "quit"), (short, "quit"), (short, "quit\nquit"), (long, "foo quit now")] {
                let (lines, time) = quit_after(&format!("{protocol}\n{task}"), wait, quit);
                assert!(lines.contains(&format!("{protocol}ok")), "{task:?}: {lines:?}");
                let results = ["Nodes searched", " nps"];
                let has_result = |line: &String| results.iter().any(|word| line.contains(word));
                assert!(!lines.iter().any(has_result), "{task:?}: {lines:?}");
                if let Some(last) = last {
                    assert_eq!(lines.last().map(String::as_str), Some(last), "{task:?}");
                    assert_eq!(lines.iter().filter(|line| *line == last).count(), 1, "{task:?}");
                }
                times.push(time);
            }
        }
        times
    };
    // They wait, so both protocols are tried at once.
    let times = std::thread::scope(|scope| {
        let uci = scope.spawn(|| times_of("uci", None));
        let ucci = times_of("ucci", Some("bye"));
        [uci.join().expect("UCI"), ucci].concat()
    });
    let time = median(times);
    println!("exit after {time:?}");
    assert!(time < Duration::from_millis(500), "{time:?}");
}

#[test]
fn the_end_of_the_input_finishes_tasks() {
    let mut pipe = Pipe::start();
    pipe.send("go perft 4\nbench 1");
    pipe.close();
    let lines = pipe.rest();
    assert!(lines.contains(&"Nodes searched: 197281".to_string()), "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.ends_with(" nps")), "{lines:?}");
    assert!(pipe.ended(LEAVING).is_some_and(|status| status.success()));
}

#[test]
fn stop_ends_a_benchmark_after_the_position() {
    let mut pipe = Pipe::start();
    let lines = pipe.ask("bench 8\nbench 8\nstop\nisready", "readyok");
    let stopped = lines.iter().filter(|line| *line == "info string bench was stopped").count();
    assert_eq!(stopped, 2, "{lines:?}");
    assert!(!lines.iter().any(|line| line.ends_with(" nps")), "{lines:?}");
    let lines = pipe.says("bench 1");
    assert!(lines.last().is_some_and(|line| line.ends_with(" nps")), "{lines:?}");
}
