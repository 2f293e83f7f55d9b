//! UCI dialogues about `go`: limits, pondering, analysis lines, scores, options that change a search, Chess960 and the
//! opening book.

use super::*;

const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

fn at(pipe: &mut Pipe, position: &str) {
    pipe.send(&format!("position fen {position}"));
}

fn timed<T>(body: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = body();
    (result, start.elapsed())
}

#[test]
fn analysis_lines() {
    let mut pipe = Pipe::uci();
    at(&mut pipe, MIDDLEGAME);
    let lines = pipe.go("go depth 7");
    let found = analysis(&lines);
    assert!(found.len() >= 7, "{lines:?}");
    let mut last_nodes = 0;
    for line in &found {
        assert_eq!(line.split(" pv ").count(), 2, "{line}");
        let value = |name: &str| number(line, name).unwrap_or_else(|| panic!("{name}: {line}"));
        assert!((1..=7).contains(&value("depth")), "{line}");
        assert!(value("seldepth") >= 1, "{line}");
        assert!(value("time") >= 0, "{line}");
        assert!(value("nodes") >= last_nodes, "{line}");
        last_nodes = value("nodes");
        assert!(value("nps") >= 0, "{line}");
        assert!((0..=1000).contains(&value("hashfull")), "{line}");
        assert_eq!(value("tbhits"), 0, "{line}");
        assert_eq!(value("multipv"), 1, "{line}");
        assert!(value("cp").abs() < 2000, "{line}");
        let line_of_play = pv(line);
        replay(MIDDLEGAME, &line_of_play);
        let promotes = |m: &str| m.len() == 5 && m.ends_with(['n', 'b', 'r', 'q']);
        let form = line_of_play.iter().all(|m| m.len() == 4 || promotes(m));
        assert!(form && !line_of_play.is_empty(), "legal moves in their form: {line}");
    }
    let exact: Vec<_> = found.iter().filter(|l| !l.contains("bound")).collect();
    let last = exact.last().expect("an exact score");
    assert_eq!(pv(last)[0], best(&lines), "the answer is the last exact line's first move");
    assert_eq!(number(last, "depth"), Some(7));
}

#[test]
fn limits_end_the_search() {
    let mut pipe = Pipe::uci();
    for nodes in [1, 500, 5_000, 12_345] {
        at(&mut pipe, MIDDLEGAME);
        let lines = pipe.go(&format!("go nodes {nodes}"));
        let last = *analysis(&lines).last().expect("a line");
        assert_eq!(number(last, "nodes"), Some(nodes), "all of them: {last}");
        assert_eq!(pv(last)[0], best(&lines), "{lines:?}");
    }
    at(&mut pipe, START);
    let (lines, _) = timed(|| pipe.go("go depth 3"));
    assert!(analysis(&lines).iter().all(|l| number(l, "depth") <= Some(3)));
    let lines = pipe.go("go nodes 5000");
    let nodes = analysis(&lines).iter().filter_map(|l| number(l, "nodes")).max();
    assert!(nodes <= Some(5000), "{nodes:?}");
    // In any order, and unknown words are skipped; the first limit that is reached ends the search.
    for go in [
        "go nodes 100000000 depth 2",
        "go depth 2 nodes 100000000",
        "go foo depth 2 bar",
        "go depth 2 wtime 100000 btime 100000",
        "go searchmoves e2e4 d2d4 depth 2",
        "go depth 2 searchmoves e2e4 d2d4",
        "go depth x depth 2",
        "go depth 0",
        "go depth -7",
        "go nodes 0",
        "go nodes -1",
        "go movetime 0",
        "go movetime -100",
        "go depth 2 infinit",
    ] {
        let lines = pipe.go(go);
        replay(START, &[&best(&lines)]);
        assert!(!analysis(&lines).is_empty(), "{go}");
    }
}

#[test]
fn searchmoves() {
    let mut pipe = Pipe::uci();
    at(&mut pipe, START);
    for (go, allowed) in [
        ("go searchmoves a2a3 depth 4", &["a2a3"][..]),
        ("go searchmoves a2a3 h2h3 depth 4", &["a2a3", "h2h3"]),
        ("go depth 4 searchmoves a2a3 h2h3", &["a2a3", "h2h3"]),
        ("go searchmoves a2a3 e2e5 nodes 2000", &["a2a3"]), // an illegal move is left out
    ] {
        let lines = pipe.go(go);
        assert!(allowed.contains(&best(&lines).as_str()), "{go}: {lines:?}");
        for line in analysis(&lines) {
            assert!(allowed.contains(&pv(line)[0]), "{line}");
        }
    }
    // Only the null move: there is no move to search.
    assert_eq!(best(&pipe.go("go searchmoves 0000 depth 3")), "(none)");
}

#[test]
fn clocks() {
    let mut pipe = Pipe::uci();
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    for (position, go, most) in [
        (START, "go wtime 1000 btime 1000", 600),
        (START, "go wtime 1000", 600),
        (black, "go btime 1000", 600),
        (black, "go wtime 600000 btime 1000", 600), // the own clock counts
        (START, "go wtime 1000 btime 600000", 600),
        (START, "go btime 1000", 600), // the only clock there is
        (START, "go wtime 1000 winc 10000 btime 1000 binc 10000", 1000),
        (black, "go binc 100 btime 300 winc 9000 wtime 90000", 300),
        (START, "go wtime 1000 btime 1000 movestogo 1", 1000),
        (START, "go movestogo 40 wtime 1000 btime 1000", 600),
        (START, "go wtime 1000 btime 1000 movestogo 0", 600),
        (START, "go wtime 1000 btime 1000 movestogo -3", 600),
        (START, "go wtime 0 btime 0", 100),
        (START, "go wtime -12 btime -500 winc -1 binc 0", 100),
        (START, "go wtime 1 btime 1 movestogo 1", 100),
        (START, "go wtime 99999999999999999999999 depth 2", 5000),
        (START, "go wtime 1000 btime 1000 ponder 3 depth 1", 0),
    ] {
        at(&mut pipe, position);
        if go.contains("ponder") {
            pipe.send(go);
            assert_eq!(pipe.listen(SHORT).iter().filter(|l| l.starts_with("best")).count(), 0);
            pipe.go("ponderhit");
            continue;
        }
        // The tolerance is for a busy machine; a real bug would exceed the time by far, and every time.
        let most = Duration::from_millis(most + 250);
        let (lines, time) = quickest(most, || pipe.go(go));
        replay(position, &[&best(&lines)]);
        assert!(lines.iter().any(|l| l.contains(" score ")), "{go}: at least one score");
        assert!(time < most, "{go}: {time:?}");
    }
}

#[test]
fn infinite_lasts_until_stop() {
    let mut times = Vec::new();
    let mut pipe = Pipe::uci();
    for position in [START, MATE_IN_ONE, MATED_IN_ONE, ONE_MOVE, MATED, STALEMATE] {
        for go in ["go infinite", "go", "go infinite depth 1", "go infinite wtime 1 btime 1"] {
            at(&mut pipe, position);
            pipe.send(go);
            pipe.thinks(SHORT / 3);
            let (lines, time) = timed(|| pipe.go("stop"));
            times.push(time);
            let none = position == MATED || position == STALEMATE;
            assert_eq!(best(&lines) == "(none)", none, "{position}");
        }
    }
    let time = median(times);
    assert!(time < Duration::from_millis(50), "{time:?} from stop to bestmove");
}

#[test]
fn pondering() {
    let (mut pipe, mut times) = (Pipe::uci(), Vec::new());
    // Also without the Ponder option. Only `ponderhit` or `stop` ends it.
    for position in [START, MATE_IN_ONE, MATED_IN_ONE, ONE_MOVE, MATED, STALEMATE] {
        for go in [
            "go ponder wtime 100 btime 100",
            "go wtime 1000 btime 1000 winc 10 binc 10 ponder",
            "go ponder depth 1",
            "go ponder movetime 10",
            "go ponder nodes 10",
        ] {
            for end in ["ponderhit", "stop"] {
                at(&mut pipe, position);
                pipe.send(go);
                pipe.thinks(Duration::from_millis(15));
                let (lines, time) = timed(|| pipe.go(end));
                times.push(time);
                let none = position == MATED || position == STALEMATE;
                assert_eq!(best(&lines) == "(none)", none, "{position}");
            }
        }
    }
    let time = median(times);
    assert!(time < Duration::from_millis(100), "{time:?} to bestmove");
    // Movetime counts from the hit.
    at(&mut pipe, MIDDLEGAME);
    let mut hits = Vec::new();
    for _ in 0..3 {
        pipe.send("go ponder movetime 200");
        std::thread::sleep(Duration::from_millis(220));
        hits.push(timed(|| pipe.go("ponderhit")).1);
    }
    let time = median(hits);
    assert!((160..400).contains(&time.as_millis()), "{time:?} after the hit");
    // No thinking after the answer.
    assert_eq!(pipe.listen(SHORT), SILENCE);
    // The last move of the list is the expected one, so Black's replies to it are searched.
    let expected = ["e2e4", "e7e5", "g1f3"];
    pipe.send(&format!("position startpos moves {}\ngo ponder movetime 50", expected.join(" ")));
    let mut lines = pipe.listen(SHORT);
    lines.extend(pipe.go("ponderhit"));
    let after = replay(START, &expected).to_fen();
    assert!(!analysis(&lines).is_empty(), "{lines:?}");
    for line in analysis(&lines) {
        let legal = tabiya::chess::Position::from_fen(&after).is_ok_and(|pos| pos.parse_move(pv(line)[0]).is_ok());
        assert!(legal, "{line} is no line of {after}");
    }
    legal_best::<tabiya::chess::Board>(&after, &lines);
    // After `ponderhit` a search without limits continues until `stop`, as after a plain `go`.
    pipe.send("go ponder\nponderhit");
    pipe.thinks(SHORT);
    pipe.go("stop");
}

#[test]
fn positions_without_a_move() {
    let mut pipe = Pipe::uci();
    for (position, score) in [(MATED, "score mate 0"), (STALEMATE, "score cp 0")] {
        at(&mut pipe, position);
        for go in ["go depth 5", "go wtime 100 btime 100", "go movetime 50", "go mate 2", "go nodes 5"] {
            let lines = pipe.go(go);
            assert_eq!(lines.len(), 2, "{lines:?}");
            assert!(lines[0].starts_with("info depth 0 ") && lines[0].contains(score), "{lines:?}");
            assert_eq!(lines[1], "bestmove (none)", "and no reply is expected");
        }
    }
}

/// Which mates are found is tested in `tests/search`.
#[test]
fn mates() {
    let mut pipe = Pipe::uci();
    for (position, moves) in [(MATE_IN_ONE, 1i64), (MATE_IN_TWO, 2), (MATED_IN_ONE, -1)] {
        at(&mut pipe, position);
        for go in
            ["go depth 10".to_string(), format!("go mate {}", moves.abs()), format!("go mate {}", moves.abs() + 1)]
        {
            let lines = pipe.go(&go);
            let found = analysis(&lines);
            let last = found.iter().rfind(|l| !l.contains("bound")).expect("an exact line");
            // A plain search may find a mate one move longer than the shortest, but never one for the wrong side.
            let seen = number(last, "mate").unwrap_or_else(|| panic!("{last}"));
            let longest = moves.abs() + i64::from(go == "go depth 10");
            let is_right = seen.signum() == moves.signum() && (moves.abs()..=longest).contains(&seen.abs());
            assert!(is_right, "{go}: {last}");
            let plies = if seen > 0 { 2 * seen - 1 } else { -2 * seen };
            let (line, end) = (pv(last), replay(position, &pv(last)));
            let mated = end.count_legal() == 0 && !end.checkers().is_empty();
            assert!(line.len() as i64 <= plies, "{last}");
            assert_eq!(line.len() as i64 == plies, mated, "{last}");
        }
    }
    assert!(pipe.go("position startpos\ngo mate 2").contains(&"info string there is no mate in 2".to_string()));
}

#[test]
fn a_decided_game_does_not_flood_the_reader() {
    let mut pipe = Pipe::uci();
    for (go, lines) in [("go infinite", 1), ("go ponder wtime 60000 btime 60000", 3)] {
        pipe.send(&format!("setoption name MultiPV value {lines}"));
        at(&mut pipe, MATE_IN_ONE);
        let begin = Instant::now();
        pipe.send(go);
        let found = pipe.listen(Duration::from_millis(200));
        // A hundred lines at once, one a millisecond, and the lines at the end.
        let allowed = 100 + begin.elapsed().as_millis() as usize + lines;
        assert!(found.len() <= allowed, "{} lines", found.len());
        let deepest = analysis(&found).iter().filter_map(|l| number(l, "depth")).max();
        // The last depth is always shown.
        assert!(lines > 1 || deepest > Some(100), "{deepest:?}");
        pipe.go("stop");
    }
}

#[test]
fn expected_replies_are_legal_and_never_end_the_game() {
    let mut pipe = Pipe::uci();
    for position in [START, MIDDLEGAME, MATE_IN_ONE, MATE_IN_TWO, MATED_IN_ONE, ONE_MOVE] {
        at(&mut pipe, position);
        let lines = pipe.go("go depth 5");
        let (answer, expected) = (best(&lines), reply(&lines));
        let mut moves = vec![answer.as_str()];
        moves.extend(expected.as_deref());
        let end = replay(position, &moves);
        assert!(expected.is_none() || end.count_legal() > 0, "{lines:?}");
        // When pondering on that reply, every PV begins in the position after it.
        if expected.is_some() {
            let root = end.to_fen();
            let start = if position == START { START.into() } else { format!("fen {position}") };
            pipe.send(&format!("position {start} moves {}\ngo ponder depth 5", moves.join(" ")));
            let mut lines = pipe.listen(Duration::from_millis(60));
            lines.extend(pipe.go("ponderhit"));
            assert!(!analysis(&lines).is_empty(), "{lines:?}");
            legal_best::<tabiya::chess::Board>(&root, &lines);
        }
    }
}

#[test]
fn several_lines() {
    let mut pipe = Pipe::uci();
    pipe.send("setoption name MultiPV value 4");
    at(&mut pipe, MIDDLEGAME);
    let lines = pipe.go("go depth 5");
    let found = analysis(&lines);
    let deepest: Vec<_> = found.iter().filter(|l| number(l, "depth") == Some(5) && !l.contains("bound")).collect();
    let ranks: Vec<_> = deepest.iter().filter_map(|l| number(l, "multipv")).collect();
    assert!(ranks.ends_with(&[1, 2, 3, 4]), "consecutive, best first: {ranks:?}");
    let last = &deepest[deepest.len() - 4..];
    let mut first_moves: Vec<_> = last.iter().map(|l| pv(l)[0]).collect();
    assert_eq!(first_moves[0], best(&lines));
    let scores: Vec<_> = last.iter().filter_map(|l| number(l, "cp")).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    first_moves.sort_unstable();
    first_moves.dedup();
    assert_eq!(first_moves.len(), 4, "four different moves");
    // More lines than moves.
    at(&mut pipe, ONE_MOVE);
    let lines = pipe.go("go depth 3");
    assert!(analysis(&lines).iter().all(|l| number(l, "multipv") == Some(1)));
}

#[test]
fn current_moves_appear_after_a_second_and_count_from_one() {
    let mut pipe = Pipe::uci_with("4");
    at(&mut pipe, MIDDLEGAME);
    pipe.send("go infinite");
    let early = pipe.listen(Duration::from_millis(100));
    assert!(early.iter().all(|l| !l.contains("currmove")), "not in the first second, here a quarter of it");
    let lines = pipe.listen_until(PATIENCE, |lines| lines.iter().filter(|l| l.contains(" currmove ")).count() >= 3);
    let current: Vec<_> = lines.iter().filter(|l| l.contains(" currmove ")).collect();
    assert!(!current.is_empty(), "{lines:?}");
    for line in current {
        let text = line.split(' ').skip_while(|w| *w != "currmove").nth(1).expect("a move");
        replay(MIDDLEGAME, &[text]);
        assert!(number(line, "currmovenumber") >= Some(1), "{line}");
    }
    assert!(lines.iter().all(|l| !l.contains("currline") && !l.contains("refutation")));
    pipe.go("stop");
}

#[test]
fn current_lines_and_refutations_only_when_asked_for() {
    let mut pipe = Pipe::uci_with("8");
    at(&mut pipe, MIDDLEGAME);
    let lines = pipe.go("go movetime 400");
    let shown = |line: &String| ["info currline ", "info refutation "].iter().any(|start| line.starts_with(start));
    assert!(!lines.iter().any(shown), "not unless asked for: {lines:?}");
}

#[test]
fn limited_strength() {
    let mut pipe = Pipe::uci();
    at(&mut pipe, MIDDLEGAME);
    let nodes = |lines: &[String]| analysis(lines).iter().filter_map(|l| number(l, "nodes")).max();
    pipe.send("setoption name UCI_Elo value 800");
    let free = nodes(&pipe.go("go movetime 200"));
    pipe.send("setoption name UCI_LimitStrength value true");
    let limited = nodes(&pipe.go("go movetime 200"));
    assert!(limited < free, "{limited:?} nodes limited, {free:?} free");
    pipe.send("setoption name UCI_LimitStrength value false");
    let again = nodes(&pipe.go("go movetime 200"));
    assert!(limited < again, "{limited:?} nodes limited, {again:?} free");
}

#[test]
fn values_of_positions_can_be_set() {
    let mut pipe = Pipe::uci();
    // Black has one move; the position after it is given a value.
    let after = "8/8/8/8/8/8/7k/K2q4 w - - 1 2";
    let score = |pipe: &mut Pipe| {
        at(pipe, after);
        let lines = pipe.go("go depth 1");
        analysis(&lines).iter().filter_map(|l| number(l, "cp")).next_back()
    };
    let natural = score(&mut pipe);
    let child = replay(after, &["a1a2"]).to_fen();
    let other = replay(after, &["a1b2"]).to_fen();
    for (value, plus) in [(777, ""), (-333, "+ ")] {
        for fen in [&child, &other] {
            pipe.send(&format!("setoption name UCI_SetPositionValue value {value} {plus}{fen}"));
        }
        assert_eq!(score(&mut pipe), Some(value), "White's view");
    }
    // Deeper than at a leaf, and for the position itself.
    at(&mut pipe, after);
    let deep = pipe.go("go depth 12");
    let last = *analysis(&deep).last().expect("a line");
    assert_eq!(number(last, "cp"), Some(-333), "deeper: {last}");
    pipe.send(&format!("setoption name UCI_SetPositionValue value 55 {after}"));
    assert_eq!(score(&mut pipe), Some(55), "at the root");
    pipe.send(&format!("setoption name UCI_SetPositionValue value clear {after}"));
    pipe.send(&format!("setoption name UCI_SetPositionValue value clear + {child}"));
    pipe.send(&format!("setoption name UCI_SetPositionValue value clear {other}"));
    assert_eq!(score(&mut pipe), natural, "clear");
    pipe.send(&format!("setoption name UCI_SetPositionValue value 50 {child}"));
    pipe.send("setoption name UCI_SetPositionValue value clearall");
    assert_eq!(score(&mut pipe), natural, "clearall");
    pipe.send("setoption name UCI_SetPositionValue value nonsense");
    let lines = pipe.says("setoption name UCI_SetPositionValue value 5 no fen");
    assert!(lines.len() == 2 && lines.iter().all(|l| l.contains("UCI_SetPositionValue")), "{lines:?}");
}

/// The shares of wins, draws and losses that a line expects.
fn shares(line: &str) -> Vec<i64> {
    line.split(' ').skip_while(|w| *w != "wdl").skip(1).take(3).map(|w| w.parse().expect("a number")).collect()
}

#[test]
fn expected_results_are_shown_when_asked_for() {
    let mut pipe = Pipe::uci();
    pipe.send("setoption name UCI_ShowWDL value true");
    for position in [MIDDLEGAME, MATE_IN_ONE, MATED_IN_ONE] {
        at(&mut pipe, position);
        for line in analysis(&pipe.go("go depth 3")) {
            let shares = shares(line);
            assert!(shares.len() == 3 && shares.iter().sum::<i64>() == 1000, "{line}");
        }
    }
    // Half of the games are won with 100 centipawns.
    for (position, sign) in [(START, 1), (MIDDLEGAME, 1), ("8/8/8/8/8/8/7k/K2q4 w - - 1 2", -1)] {
        let value = 100 * sign;
        pipe.send(&format!("setoption name UCI_SetPositionValue value {value} {position}"));
        at(&mut pipe, position);
        let lines = pipe.go("go depth 1");
        let line = *analysis(&lines).last().expect("a line");
        // The score may differ by rounding to the evaluation's units.
        assert!((number(line, "cp").expect("a score") - value).abs() <= 2, "{line}");
        assert!((485..=515).contains(&shares(line)[if sign > 0 { 0 } else { 2 }]), "{line}");
    }
}

#[test]
fn chess960_castling_is_king_takes_rook() {
    let mut pipe = Pipe::uci();
    let ordinary = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    at(&mut pipe, ordinary);
    assert_eq!(best(&pipe.go("go depth 1 searchmoves e1g1")), "e1g1");
    pipe.send("setoption name UCI_Chess960 value true");
    at(&mut pipe, ordinary);
    assert_eq!(best(&pipe.go("go depth 1 searchmoves e1h1")), "e1h1");
    let shredder = "rk3r2/pppppppp/8/8/8/8/PPPPPPPP/RK3R2 w FAfa - 0 1";
    pipe.send(&format!("position fen {shredder} moves b1f1"));
    assert_eq!(best(&pipe.go("go depth 1 searchmoves b8a8")), "b8a8");
    pipe.send(&format!("position fen {shredder} moves b1f1 b8a8"));
    let lines = pipe.ask("d", "Checkers:");
    let fen = lines.iter().find_map(|l| l.strip_prefix("Fen: "));
    let castled = "2kr1r2/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 w - - 2 2";
    assert_eq!(fen, Some(castled));
    pipe.send("setoption name UCI_Chess960 value false");
    at(&mut pipe, ordinary);
    assert_eq!(best(&pipe.go("go depth 1 searchmoves e1g1")), "e1g1");
}

#[test]
fn own_book() {
    let mut pipe = Pipe::start_with(&[("TABIYA_SEED", "1")]);
    let in_book = |lines: &[String]| lines.iter().any(|l| l.starts_with("info string book move"));
    at(&mut pipe, START);
    assert!(!in_book(&pipe.go("go depth 1")), "not unless asked for");
    let lines = pipe.go("setoption name OwnBook value true\ngo wtime 60000 btime 60000");
    assert!(in_book(&lines) && lines.len() == 3, "{lines:?}");
    replay(START, &[&best(&lines)]);
    // A score before the move, for programs that need one.
    assert!(lines[1].starts_with("info depth 1 seldepth 1 multipv 1 score cp "), "{lines:?}");
    assert!(lines[1].ends_with(&format!(" pv {}", best(&lines))), "{lines:?}");
    // A whole opening until the program is out of book; random, but with a fixed seed.
    let (mut moves, mut plies) = (Vec::new(), 0);
    loop {
        pipe.send(&format!("position startpos moves {}", moves.join(" ")));
        let lines = pipe.go("go depth 1");
        if !in_book(&lines) {
            break;
        }
        moves.push(best(&lines));
        plies += 1;
    }
    assert!((8..=40).contains(&plies), "{moves:?}");
    let replayed: Vec<&str> = moves.iter().map(String::as_str).collect();
    replay(START, &replayed);
    // Not when analysing.
    at(&mut pipe, START);
    for go in ["go infinite", "go ponder wtime 9 btime 9", "go"] {
        pipe.send(go);
        assert!(pipe.listen(SHORT).iter().all(|l| !l.contains("book")), "{go}");
        pipe.go("stop");
    }
    assert!(!in_book(&pipe.go("go mate 1 depth 1")));
    assert!(!in_book(&pipe.go("go depth 1 searchmoves a2a3")));
    pipe.send("setoption name UCI_AnalyseMode value true");
    assert!(!in_book(&pipe.go("go depth 1")));
    pipe.send("setoption name UCI_AnalyseMode value false\nsetoption name OwnBook value false");
    assert!(!in_book(&pipe.go("go depth 1")));
}

#[test]
fn book_files_are_used_and_hostile_ones_refused() {
    let folder = std::env::temp_dir().join(format!("tabiya-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let good = folder.join("a good Book.bin");
    let mut bytes = 0x463b_9618_1691_fc9c_u64.to_be_bytes().to_vec(); // the initial position
    bytes.extend([0x00, 0x40, 0, 1, 0, 0, 0, 0]); // b1a1: not legal
    bytes.extend(0x463b_9618_1691_fc9c_u64.to_be_bytes());
    bytes.extend([0x02, 0x18, 0, 1, 0, 0, 0, 0]); // a2 to a4: row 1 file 0, row 3 file 0
    std::fs::write(&good, &bytes).expect("a file");
    let partial = folder.join("partial.bin");
    std::fs::write(&partial, [1; 17]).expect("a file");
    let mut pipe = Pipe::uci();
    pipe.send("setoption name OwnBook value true");
    assert!(pipe.says(&format!("setoption name BookFile value {}", good.display()))[0].contains("2 entries"));
    at(&mut pipe, START);
    let lines = pipe.go("go depth 1");
    assert_eq!(best(&lines), "a2a4", "{lines:?}");
    let missing = folder.join("missing.bin");
    for bad in [&partial, &missing, &folder, &"/dev/null".into(), &"\u{1}\0".into()] {
        let line = pipe.says_once(&format!("setoption name BookFile value {}", bad.display()));
        assert!(line.contains("option BookFile"), "{line}");
        assert_eq!(best(&pipe.go("go depth 1")), "a2a4", "the earlier book stays");
    }
    for empty in ["<empty>", ""] {
        assert!(pipe.says(&format!("setoption name BookFile value {empty}"))[0].contains("embedded book"));
    }
    assert!(pipe.go("go depth 1").len() == 3, "the embedded book answers");
    std::fs::remove_dir_all(&folder).expect("cleaned up");
}

#[test]
fn threads_and_hash_sizes() {
    let mut pipe = Pipe::uci();
    for (threads, hash) in [(2, 1), (4, 64), (1, 16)] {
        pipe.send(&format!("setoption name Threads value {threads}\nsetoption name Hash value {hash}"));
        at(&mut pipe, MIDDLEGAME);
        let lines = pipe.go("go movetime 100");
        for line in analysis(&lines) {
            replay(MIDDLEGAME, &pv(line));
        }
        replay(MIDDLEGAME, &[&best(&lines)]);
    }
    // More than any machine has: refused, or allocated without being touched; in both cases the program plays on.
    let lines = pipe.says("setoption name Hash value 131072");
    assert!(lines.len() <= 1, "{lines:?}");
    assert!(pipe.go("setoption name Hash value 16\ngo depth 2").len() > 1);
    assert!(pipe.ended(Duration::ZERO).is_none());
}
