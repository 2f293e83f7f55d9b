//! `go` in UCI: lines of analysis, clocks, endless searches, pondering, several lines, limited strength.

use super::*;

fn at(pipe: &mut Pipe, position: &str) {
    pipe.send(&format!("position fen {position}"));
}

fn timed<T>(body: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = body();
    (result, start.elapsed())
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
    // After `ponderhit` a search without limits continues until `stop`, as after a plain `go`.
    pipe.send("go ponder\nponderhit");
    pipe.thinks(SHORT);
    pipe.go("stop");
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
    pipe.go("stop");
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

/// What the threads remember is forgotten with the hash table.
#[test]
fn after_a_new_hash_table_a_search_is_as_in_a_new_program() {
    for clear in ["setoption name Clear Hash", "setoption name Hash value 16", "ucinewgame"] {
        let mut pipe = Pipe::uci();
        let searched = |pipe: &mut Pipe| {
            let lines = pipe.go("position startpos\ngo depth 9");
            analysis(&lines).iter().map(|line| (number(line, "nodes"), number(line, "cp"))).collect::<Vec<_>>()
        };
        let fresh = searched(&mut pipe);
        pipe.go(&format!("position fen {MIDDLEGAME}\ngo depth 9"));
        pipe.send(clear);
        assert_eq!(searched(&mut pipe), fresh, "{clear}");
    }
}
