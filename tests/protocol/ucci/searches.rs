//! Clocks and pondering in UCCI, `info` lines, and that an idle program is idle.

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
fn moves_that_take_no_time_are_not_named() {
    let mut pipe = ucci_with("8");
    pipe.send("position startpos\ngo infinite");
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
fn idle_takes_no_processor_time() {
    let mut pipe = ucci();
    let idle_while = |pipe: &Pipe, when: &str| {
        let Some(before) = pipe.processor_time() else { return };
        assert_eq!(pipe.listen(Duration::from_millis(250)), SILENCE, "silent {when}");
        let spent = pipe.processor_time().expect("the program runs") - before;
        assert_eq!(spent, Duration::ZERO, "{when}");
    };
    pipe.sync();
    idle_while(&pipe, "after ucciok");
    // No thinking after an answer without a command.
    let lines = pipe.go("setoption ponder true\nsetoption threads 2\nposition startpos\ngo time 1000 increment 0");
    assert!(found(&lines, "ponder").is_some(), "{lines:?}");
    pipe.sync();
    std::thread::sleep(SHORT);
    idle_while(&pipe, "after bestmove");
    // A ponder search that is finished waits without using the CPU, too.
    pipe.begin(&format!("position fen {MATE_IN_ONE}\ngo ponder time 60000 increment 0"));
    let spent = (0..120)
        .find(|_| {
            let Some(before) = pipe.processor_time() else { return true };
            std::thread::sleep(Duration::from_millis(250));
            pipe.processor_time() == Some(before)
        })
        .is_some();
    assert!(spent, "the program never becomes idle");
    pipe.go("ponderhit");
}
