//! Commands that count or search by themselves, `go perft` and `bench`: they are finished before the next line is read.

use super::*;
use crate::protocol::dialogue::output_of;

#[test]
fn go_perft_prints_the_usual_divide() {
    let mut pipe = Pipe::start();
    for threads in [1, 3] {
        pipe.send(&format!("setoption name Threads value {threads}\nposition startpos"));
        let lines = pipe.ask_block("go perft 5", "Nodes");
        assert_eq!(lines.len(), 22, "twenty moves, a blank line, the total: {lines:?}");
        assert!(lines[..20].is_sorted() && lines.contains(&"e2e4: 405385".to_string()), "{lines:?}");
        assert_eq!(&lines[20..], ["", "Nodes searched: 4865609"]);
        assert_eq!(pipe.sync(), SILENCE, "no bestmove after perft");
        assert_eq!(pipe.ask_block("go perft 0", "Nodes"), ["", "Nodes searched: 1"]);
        pipe.send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        let lines = pipe.ask_block("go perft 5", "Nodes");
        assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 193690690"));
        pipe.send(&format!("position fen {MATED}"));
        assert_eq!(pipe.ask_block("go perft 4", "Nodes"), ["", "Nodes searched: 0"]);
    }
}

#[test]
fn go_perft_with_memory_prints_the_same_divide() {
    let mut pipe = Pipe::uci();
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let xiangqi = "setoption name UCI_Variant value xiangqi";
    for (position, depth) in
        [("startpos".into(), 5), (format!("fen {kiwipete}"), 5), (format!("startpos\n{xiangqi}"), 4)]
    {
        pipe.send(&format!("position {position}"));
        let plain = pipe.ask_block(&format!("go perft {depth}"), "Nodes");
        pipe.send("setoption name PerftHash value 64");
        assert_eq!(pipe.ask_block(&format!("go perft {depth}"), "Nodes"), plain, "{position}");
        pipe.send("setoption name PerftHash value 0");
    }
}

#[test]
fn speedtest_takes_as_long_as_it_is_told() {
    let begin = Instant::now();
    let lines = output_of("speedtest 2 8 1");
    let time = begin.elapsed();
    assert!(lines.last().is_some_and(|line| line.ends_with(" nps")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("Nodes/second    : ")), "{lines:?}");
    assert!((Duration::from_millis(500)..PATIENCE).contains(&time), "{time:?}");
    let line = Pipe::uci().says_once("speedtest 2 8 long");
    assert_eq!(line, "info string ERROR: speedtest: \"long\" is not a number of threads, megabytes or seconds");
}

#[test]
fn a_perft_that_is_too_deep_is_refused() {
    for (hello, prefix) in [("uci", "string"), ("ucci", "message")] {
        let mut pipe = Pipe::start();
        pipe.ask(hello, &format!("{hello}ok"));
        for depth in ["101", "5000", "4294967295", "99999999999999999999"] {
            let refusal = format!("info {prefix} ERROR: go perft: expected a depth from 0 to 100");
            assert_eq!(pipe.says(&format!("go perft {depth}")), [refusal], "{depth}");
        }
    }
}

/// The commands as scripts pipe them in: all at once, with whatever comes next.
#[test]
fn nothing_read_later_ends_a_count_or_a_benchmark() {
    for protocol in ["uci", "ucci"] {
        let total = if protocol == "uci" { "Nodes searched: 197281" } else { "Nodes searched: 3290240" };
        for end in ["quit", "stop", "stop\nquit", "isready\nquit", "go perft 1\nquit", "ucinewgame\nquit", ""] {
            let lines = output_of(&format!("{protocol}\nposition startpos\ngo perft 4\n{end}"));
            let at = lines.iter().position(|line| line == total);
            assert!(at.is_some_and(|at| lines.get(at + 1).is_some_and(String::is_empty)), "{end}: {lines:?}");
            let lines = output_of(&format!("{protocol}\nbench 1\n{end}"));
            assert!(lines.iter().any(|line| line.ends_with(" nps")), "{end}: {lines:?}");
        }
    }
    for (text, last) in [("isready\nquit", "readyok"), ("position startpos\nd\nquit", "Checkers:"), ("eval\nquit", "")]
    {
        assert_eq!(output_of(text).last().map(String::as_str), Some(last), "{text}");
    }
    // Rounds of the most usual form, on a machine that the other tests keep busy.
    for _ in 0..sample(20, 100) {
        let lines = output_of("position startpos\ngo perft 3\nquit\n");
        assert_eq!(lines[lines.len() - 2..], ["Nodes searched: 8902", ""]);
    }
}

#[test]
fn bench_is_summed_up_in_the_words_of_stockfish_and_openbench() {
    let numbers = |words: &str| {
        let lines = output_of(words);
        let number = |start: &str| {
            let line = lines.iter().find_map(|line| line.strip_prefix(start));
            line.and_then(|rest| rest.trim_start_matches([' ', ':']).parse::<u64>().ok())
        };
        let (nodes, nps) = (number("Nodes searched"), number("Nodes/second"));
        let (Some(nodes), Some(nps)) = (nodes, nps) else { panic!("{words}: {lines:?}") };
        assert!(number("Total time (ms)").is_some(), "{words}: {lines:?}");
        assert_eq!(lines.last(), Some(&format!("{nodes} nodes {nps} nps")), "{words}");
        nodes
    };
    let usual = numbers("bench 2");
    // As Stockfish's wrappers send it: table, threads, limit, positions, what the limit counts, evaluation.
    assert_eq!(numbers("bench 16 1 2 default depth mixed"), usual);
    assert_eq!(numbers("bench 16 1 2"), usual);
    assert!(numbers("bench 1 2 50 default nodes") <= 50 * 36);
    assert!(numbers("bench 1 1 1 default movetime NNUE") > 0);
}
