//! `go` in all its modes, `info`, answers, `probe`.

use super::*;

const SHORT: Duration = Duration::from_millis(200);
/// Black has a chariot more.
const WORSE: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 0 1";

#[test]
fn ponder_counts_on_the_clock_only() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    // In any order, and together with clocks.
    for go in ["go ponder time 300 increment 0", "go time 300 increment 0 ponder"] {
        pipe.send(go);
        pipe.thinks(Duration::from_millis(400));
        let hit = Instant::now();
        legal_best(START, &pipe.go("ponderhit"));
        assert!(hit.elapsed() < LEAVING, "the clock runs from the hit");
    }
    // In the other modes `ponder` has no effect: these searches end by themselves.
    for go in ["go ponder depth 3", "go ponder nodes 500"] {
        legal_best(START, &pipe.go(go));
    }
    assert_eq!(pipe.sync(), SILENCE);
}

#[test]
fn depth_and_infinite() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    for depth in [1, 2, 5, 7] {
        let lines = pipe.go(&format!("go depth {depth}"));
        legal_best(START, &lines);
        assert_eq!(number(&lines, "depth"), Some(depth));
    }
    // Infinite, in each of its spellings: until `stop`…
    for go in ["go infinite", "go depth infinite", "go", "go draw infinite"] {
        pipe.send(go);
        let lines = pipe.listen(SHORT / 2);
        assert!(!lines.is_empty(), "{go}");
        assert!(lines.iter().all(|line| line.starts_with("info ")), "{go}: {lines:?}");
        legal_best(START, &pipe.go("stop"));
    }
    // … or until a mate for either side is found.
    let lines = pipe.go(&format!("position fen {MATE_IN_ONE}\ngo infinite"));
    assert_eq!(legal_best(MATE_IN_ONE, &lines), "b7b9");
    assert_eq!(number(&lines, "score"), Some(9_999));
    let lines = pipe.go(&format!("position fen {LOST}\ngo infinite"));
    legal_best(LOST, &lines);
    assert_eq!(number(&lines, "score"), Some(-9_998));
    // A drawn position has no mate: at any depth the search waits for `stop`.
    let drawn = "4k4/4a4/9/9/9/9/9/9/4A4/3K5 w - - 0 1";
    pipe.send(&format!("position fen {drawn}\ngo infinite"));
    pipe.thinks(SHORT);
    legal_best(drawn, &pipe.go("stop"));
}

#[test]
fn depth_0_is_the_static_score() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    for go in ["go depth 0", "go draw depth 0", "go ponder depth 0", "go depth -7"] {
        let lines = pipe.go(go);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("info depth 0 score "), "{lines:?}");
        assert_eq!(lines[1], "nobestmove");
    }
    let score = |pipe: &mut Pipe, fen: &str| {
        pipe.send(&format!("position fen {fen}"));
        number(&pipe.go("go depth 0"), "score")
    };
    let (worse, better) = (WORSE, WORSE.replace(" w ", " b "));
    let [worse, better] = [worse, &better].map(|fen| score(&mut pipe, fen).expect("a score"));
    assert!(worse < -100 && better > 100, "seen from the side to move");
    assert_eq!(score(&mut pipe, MATED), Some(-10_000));
    // In check there is no static evaluation.
    let lines = pipe.go("position fen 3k5/9/9/9/9/9/9/9/3R5/5K3 b - - 0 1\ngo depth 0");
    assert!(lines[0].starts_with("info message "), "{lines:?}");
    assert_eq!(last(&lines), "nobestmove");
}

#[test]
fn nodes() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    for nodes in [1, 100, 5_000, 50_000] {
        let lines = pipe.go(&format!("setoption newgame\ngo nodes {nodes}"));
        legal_best(START, &lines);
        let searched = number(&lines, "nodes").expect("nodes");
        assert_eq!(searched, nodes, "the last line counts all of them");
    }
}

#[test]
fn clocks_in_all_their_forms() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    // Each answers within its time; the opponent's clock has no effect.
    for (go, most) in [
        ("go time 200", 200),
        ("go time 200 movestogo 1", 200),
        ("go time 2000 movestogo 40", 2_000),
        ("go time 1000 increment 10", 1_000),
        ("go time 1000 increment 0 opptime 5 oppincrement 0", 1_000),
        ("go time 1000 increment 10 opptime 600000 oppmovestogo 3", 1_000),
        ("go opptime 1 increment 10 time 1000", 1_000),
        ("go draw time 1000 increment 0 opptime 1000 oppincrement 0", 1_000),
        ("go time 1 increment 0", 200),
        ("go time 0 increment 0", 200),
        ("go time -500 increment 0", 200),
        ("go time 100 movestogo 0 increment -3", 200),
        ("go depth 2 time 99999999999999999999 increment 99999999999999999999", 10_000),
        ("go opptime 300", 300),
    ] {
        let (_, time) = pipe::quickest(Duration::from_millis(most), || legal_best(START, &pipe.go(go)));
        assert!(time < Duration::from_millis(most), "{go}: {time:?}");
    }
    // More moves to the time control give less time for one; an increment adds to it.
    pipe.send(&format!("position fen {ENDGAME}"));
    let mut time = |go: &str| {
        pipe.send("setoption newgame");
        let begin = Instant::now();
        pipe.go(go);
        begin.elapsed()
    };
    // A busy machine makes a time longer.
    let plain = pipe::least_of_three(|| time("go time 600 increment 0"));
    for go in ["go time 600 movestogo 2", "go time 600 increment 400"] {
        let long = time(go);
        assert!(long > 3 * plain, "{go}: {long:?}, without {plain:?}");
    }
    // With neither of them the time is for one move.
    let alone = time("go time 600");
    assert!(alone > 3 * plain, "{alone:?} for one move, {plain:?} for one of many");
    let twenty = pipe::least_of_three(|| time("go time 600 movestogo 20"));
    let two = time("go time 600 movestogo 2");
    assert!(two > 3 * twenty, "{two:?} for one of two moves, {twenty:?} for one of twenty");
    pipe.send("position startpos");
    // `time` is the clock of the side to move, Red or Black.
    pipe.send("position startpos moves h2e2");
    let begin = Instant::now();
    pipe.go("go time 300 increment 0 opptime 600000 oppincrement 0");
    assert!(begin.elapsed() < LEAVING);
}

#[test]
fn draws_and_resignations() {
    let mut pipe = ucci();
    let mut offer = |fen: &str, go: &str| -> String {
        pipe.send(&format!("position fen {fen}"));
        let lines = pipe.go(go);
        legal_best(fen, &lines);
        match last(&lines).rsplit(' ').next() {
            Some(word @ ("draw" | "resign")) => word.to_string(),
            _ => String::new(),
        }
    };
    let better = WORSE.replace(" w ", " b ");
    assert_eq!(offer(WORSE, "go draw depth 5"), "draw", "accepted when worse");
    assert_eq!(offer(WORSE, "go depth 5"), "", "no offer");
    assert_eq!(offer(&better, "go draw depth 5"), "", "refused when better");
    let drawn = "4k4/4a4/9/9/9/9/9/9/4A4/3K5 w - - 0 1";
    assert_eq!(offer(drawn, "go draw depth 5"), "draw", "accepted in a dead draw");
    assert_eq!(offer(drawn, "go depth 5"), "", "too early to offer a draw");
    let long = drawn.replace("0 1", "100 90");
    assert_eq!(offer(&long, "go depth 5"), "draw", "an offer of its own");
    assert_eq!(offer(LOST, "go depth 5"), "resign");
    assert_eq!(offer(LOST, "go draw depth 5"), "draw", "a draw is better than a loss");
    assert_eq!(offer(MATE_IN_ONE, "go draw depth 5"), "");
    // An offer is for one search only.
    assert_eq!(offer(WORSE, "go depth 5"), "");
}

#[test]
fn info_lines() {
    let mut pipe = ucci_with("8");
    pipe.send("position startpos\ngo infinite");
    // Long enough for lines that come only once a second, here an eighth of it.
    let mut lines = pipe.listen(Duration::from_millis(700));
    lines.extend(pipe.go("stop"));
    for line in &lines {
        check_ucci_line(line);
    }
    legal_best(START, &lines);
    let begin = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert!(begin("info time ") > 2, "{lines:?}");
    assert!(begin("info depth ") > 2);
    assert!(begin("info currmove ") > 0);
    let depths: Vec<i64> = lines
        .iter()
        .filter(|line| line.starts_with("info depth"))
        .filter_map(|line| number(std::slice::from_ref(line), "depth"))
        .collect();
    assert!(depths.is_sorted(), "{depths:?}");
    // Errors are reported to the user.
    assert!(pipe.ask("banmoves x", "info")[0].starts_with("info message ERROR: banmoves: "));
    // A horse more or less is about 100 points.
    let with = "2bakab2/9/2n3n2/p1p1p1p1p/9/9/P1P1P1P1P/2N3N2/9/2BAKAB2 w - - 0 1";
    let without = with.replace("2n3n2", "6n2");
    let mut score = |fen: &str| {
        pipe.send(&format!("position fen {fen}"));
        number(&pipe.go("go depth 0"), "score").expect("a score")
    };
    let worth = score(&without) - score(with);
    assert!((60..=160).contains(&worth), "a horse is worth {worth}");
}

#[test]
fn a_decided_game_does_not_flood_the_reader() {
    let mut pipe = ucci_with("8");
    for debug in ["off", "on"] {
        pipe.send(&format!("setoption debug {debug}\nposition fen {MATE_IN_ONE}"));
        let begin = Instant::now();
        pipe.send("go ponder time 60000 increment 0");
        let mut lines = pipe.listen(Duration::from_millis(200));
        // A hundred lines at once, one a millisecond, the last three; and the `debug` output about the command.
        let allowed = 100 + begin.elapsed().as_millis() as usize + 3 + 5;
        assert!(lines.len() <= allowed, "{} lines", lines.len());
        lines.extend(pipe.go("stop"));
        legal_best(MATE_IN_ONE, &lines);
    }
    // There are no `currmove` lines for moves that take no time.
    pipe.send("setoption debug off\nposition startpos\ngo infinite");
    let begin = Instant::now();
    let lines = pipe.listen(Duration::from_millis(500));
    let named = lines.iter().filter(|line| line.starts_with("info currmove ")).count();
    // One in twenty milliseconds.
    let most = begin.elapsed().as_millis() as usize / 20 + 5;
    assert!((1..=most).contains(&named), "{named} moves, {most} at the most");
    pipe.go("stop");
}

#[test]
fn ponderhit() {
    let mut pipe = ucci();
    pipe.begin("position startpos moves b0c2 b9c7\ngo ponder time 1000 increment 0");
    pipe.thinks(SHORT);
    let lines = pipe.go("ponderhit");
    legal_best("r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1CN4C1/9/R1BAKABNR w", &lines);
    // With a draw offer, accepted or not.
    for (fen, word) in [(WORSE.to_string(), "draw"), (WORSE.replace(" w ", " b "), "")] {
        pipe.begin(&format!("position fen {fen}\ngo ponder time 1000 increment 0"));
        let lines = pipe.go("ponderhit draw");
        legal_best(&fen, &lines);
        assert_eq!(last(&lines).ends_with(" draw"), !word.is_empty(), "{lines:?}");
    }
    // Time before the hit counts. A move gets about a quarter of a second of 8.
    let most = Duration::from_millis(100);
    let is_thought_over = (0..5).any(|_| {
        pipe.send("position startpos moves b0c2 b9c7\ngo ponder time 8000 increment 0");
        pipe.thinks(Duration::from_millis(650));
        let hit = Instant::now();
        pipe.go("ponderhit");
        hit.elapsed() < most
    });
    assert!(is_thought_over, "it thinks on after the hit");
    // A hit without pondering has no effect.
    pipe.begin("position startpos\ngo infinite");
    pipe.send("ponderhit");
    pipe.thinks(SHORT);
    legal_best(START, &pipe.go("stop"));
}

#[test]
fn bestmove_names_the_expected_reply() {
    let mut pipe = ucci();
    let lines = pipe.go("position startpos\ngo depth 6");
    let line = lines.iter().rev().find(|line| line.contains(" pv ")).expect("a line");
    let pv: Vec<&str> = line.split(' ').skip_while(|word| *word != "pv").skip(1).collect();
    assert_eq!(found(&lines, "bestmove"), Some(pv[0]));
    assert_eq!(found(&lines, "ponder"), pv.get(1).copied());
    // There is none if the game ends.
    pipe.send(&format!("position fen {MATE_IN_ONE}"));
    assert_eq!(last(&pipe.go("go depth 4")), "bestmove b7b9");
}

#[test]
fn positions_without_a_move() {
    let mut pipe = ucci();
    for fen in [MATED, STALEMATED] {
        pipe.send(&format!("position fen {fen}"));
        for go in ["go depth 5", "go infinite", "go time 1000 increment 0", "go nodes 9", "go draw depth 1"] {
            let lines = pipe.go(go);
            assert_eq!(last(&lines), "nobestmove", "{fen} {go}");
            assert_eq!(number(&lines, "score"), Some(-10_000), "either loses");
        }
        // But not before `ponderhit` or `stop`.
        pipe.send("go ponder time 1000 increment 0");
        pipe.thinks(SHORT);
        assert_eq!(last(&pipe.go("ponderhit")), "nobestmove");
    }
    assert_eq!(pipe.sync(), SILENCE);
}

#[test]
fn probe_shows_the_table_entry() {
    let mut pipe = ucci();
    assert_eq!(pipe.ask("probe startpos", "pophash"), ["pophash"], "nothing yet");
    let lines = pipe.go("position startpos\ngo depth 7");
    let best = legal_best(START, &lines);
    let score = number(&lines, "score").expect("a score");
    let exact = |depth| {
        let value = format!("{score} depth {depth}");
        format!("pophash bestmove {best} lowerbound {value} upperbound {value}")
    };
    let entry = pipe.ask("probe startpos", "pophash");
    // After a score above its window, the search repeats with up to three plies less.
    assert!((4..=7).any(|depth| entry == [exact(depth)]), "{entry:?}");
    assert_eq!(pipe.ask(&format!("probe fen {START}"), "pophash"), entry);
    // Positions of the tree have legal moves and sensible bounds.
    let mut bounds = 0;
    for first in ["h2e2", "b0c2", "c3c4", "a3a4", "h0g2", "c0e2", "g3g4", "i0i1"] {
        let lines = pipe.ask(&format!("probe startpos moves {first}"), "pophash");
        assert_eq!(lines.len(), 1, "{lines:?}");
        if let Some(reply) = found(&lines, "bestmove") {
            replay("startpos", &[first, reply]);
        }
        bounds += usize::from(lines[0].contains("bound "));
    }
    assert!(bounds > 0, "the tree is in the table");
    // A mate score counts from the probed position.
    pipe.go(&format!("position fen {MATE_IN_ONE}\ngo depth 3"));
    let lines = pipe.ask(&format!("probe fen {MATE_IN_ONE}"), "pophash");
    assert_eq!(number(&lines, "lowerbound"), Some(9_999), "{lines:?}");
    // While thinking: a probe neither disturbs the search nor changes the position.
    pipe.begin("position startpos\ngo infinite");
    for _ in 0..20 {
        let lines = pipe.ask("probe startpos moves h2e2", "pophash");
        assert!(lines.iter().all(|line| !line.contains("bestmove ") || line.starts_with("pophash")));
    }
    legal_best(START, &pipe.go("stop"));
    // An invalid position is reported, and answered like an unknown one.
    let lines = pipe.ask("probe fen nonsense", "pophash");
    assert!(lines[0].starts_with("info message ERROR: probe rejected: "), "{lines:?}");
    assert_eq!(last(&lines), "pophash");
}
