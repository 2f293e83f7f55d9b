//! `info` lines: their fields, regular updates and bounds.
//!
//! Every dialogue of these tests ends with `quit`, which checks the form of every line (`pipe::check_line`).

use super::*;
use std::collections::BTreeSet;

/// Whether a line has a number for each of the fields.
fn has(line: &str, fields: &[&str]) -> bool {
    fields.iter().all(|name| number(line, name).is_some())
}

#[test]
fn figures_come_regularly() {
    let mut pipe = Pipe::uci_with("8");
    pipe.send(&format!("position fen {MIDDLEGAME}\ngo infinite"));
    // Not only at the end of an iteration, which may take minutes.
    let between = |lines: &[String]| {
        let figures = |line: &&String| !line.contains(" pv ") && has(line, &["nodes", "hashfull", "nps"]);
        lines.iter().filter(figures).count()
    };
    let lines = pipe.listen_until(Duration::from_secs(6), |lines| between(lines) >= 3);
    assert!(between(&lines) >= 3, "nodes, hashfull and nps in six seconds: {lines:?}");
    let nodes: Vec<i64> = lines.iter().filter_map(|line| number(line, "nodes")).collect();
    assert!(nodes.is_sorted() && nodes.len() >= 3, "{nodes:?}");
}

#[test]
fn every_line_is_made_of_known_fields() {
    let mut pipe = Pipe::uci_with("8");
    let mut kinds = BTreeSet::new();
    for (setting, position, go) in [
        ("MultiPV value 1", MIDDLEGAME, "go depth 8"),
        ("MultiPV value 3", MIDDLEGAME, "go depth 5"),
        ("UCI_ShowWDL value true", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go depth 4"),
        ("MultiPV value 1", "R6k/6pp/8/8/8/8/8/K7 b - - 0 1", "go depth 4"),
        ("UCI_ShowWDL value false", MIDDLEGAME, "go movetime 400"),
    ] {
        pipe.send(&format!("setoption name {setting}\nposition fen {position}"));
        for line in pipe.go(go).iter().filter(|line| line.starts_with("info ")) {
            let fields = info_fields(line);
            let fields = fields.unwrap_or_else(|fault| panic!("{fault}: {line}"));
            if fields.contains(&"pv") {
                let together = ["depth", "seldepth", "score", "time", "nodes"];
                let complete = together.iter().all(|name| fields.contains(name));
                assert!(complete, "{line}");
            }
            if fields.contains(&"seldepth") {
                assert!(fields.contains(&"depth"), "{line}");
            }
            assert_eq!(fields.contains(&"multipv"), fields.contains(&"pv"), "{line}");
            let words: Vec<&str> = line.split(' ').collect();
            kinds.extend(fields.iter().map(|name| name.to_string()));
            kinds.extend(["cp", "mate"].into_iter().filter(|k| words.contains(k)).map(String::from));
        }
    }
    for seen in ["pv", "multipv", "cp", "mate", "wdl", "currmove"] {
        assert!(kinds.contains(seen), "no {seen} among {kinds:?}");
    }
    // `string` runs to the end of the line, whatever words follow.
    for text in ["xyzzy depth 3 score cp 5 pv e2e4", "xyzzy string readyok"] {
        let lines = pipe.ask(text, "info");
        let quoted = lines[0].starts_with("info string ") && lines[0].ends_with(&format!("{text:?}"));
        assert!(lines.len() == 1 && quoted, "{lines:?}");
    }
    let lines = pipe.says("help");
    assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{lines:?}");
}

#[test]
fn bounds_are_named_and_move_the_right_way() {
    let (mut lower, mut upper) = (0, 0);
    // Positions whose scores change at high depths; each search stops as soon as both bounds were seen.
    let positions = [
        "2r3k1/1q1nbppp/r3p3/3pP3/pPpP4/P1Q2N2/2RN1PPP/2R4K b - b3 0 23",
        "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ];
    for position in positions {
        let mut pipe = Pipe::uci_with("8");
        pipe.send(&format!("position fen {position}\ngo infinite"));
        let start = Instant::now();
        let mut lines = Vec::new();
        while (lower == 0 || upper == 0) && start.elapsed() < PATIENCE / 2 {
            let Some(line) = pipe.line(PATIENCE / 2) else { break };
            lower += usize::from(line.contains(" lowerbound "));
            upper += usize::from(line.contains(" upperbound "));
            lines.push(line);
        }
        lines.extend(pipe.go("stop"));
        legal_best::<tabiya::chess::Board>(position, &lines);
        // The aspiration window widens each time, so a repeated bound at the same depth moves on.
        let scored: Vec<&String> = analysis(&lines);
        for pair in scored.windows(2) {
            let same = |name| number(pair[0], name) == number(pair[1], name);
            let [before, after] = [pair[0], pair[1]].map(|line| number(line, "cp"));
            let both = |bound: &str| pair.iter().all(|line| line.contains(bound));
            if same("depth") && before.is_some() && after.is_some() {
                assert!(!both(" lowerbound ") || before < after, "{pair:?}");
                assert!(!both(" upperbound ") || before > after, "{pair:?}");
            }
        }
        for line in scored.iter().filter(|line| line.contains("bound")) {
            let words: Vec<&str> = line.split(' ').collect();
            let at = words.iter().position(|word| word.ends_with("bound")).expect("a bound");
            assert!(words[at - 2] == "cp" || words[at - 2] == "mate", "{line}");
        }
        if lower > 0 && upper > 0 {
            break;
        }
    }
    assert!(lower > 0, "no lowerbound in {positions:?}");
    assert!(upper > 0, "no upperbound in {positions:?}");
}
