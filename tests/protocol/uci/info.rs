//! `info` lines: their fields, regular updates and bounds.
//!
//! Every dialogue of these tests ends with `quit`, which checks the form of every line (`pipe::check_line`).

use super::*;

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
        if lower > 0 && upper > 0 {
            break;
        }
    }
    assert!(lower > 0, "no lowerbound in {positions:?}");
    assert!(upper > 0, "no upperbound in {positions:?}");
}
