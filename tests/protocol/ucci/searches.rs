//! Clocks and pondering in UCCI, `info` lines, threads, and that an idle program is idle.

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
        let lines = pipe.go("ponderhit");
        let is_soon = hit.elapsed() < most;
        // The reported time counts from `go ponder`.
        assert!(number(&lines, "time") >= Some(600), "{lines:?}");
        is_soon
    });
    assert!(is_thought_over, "it thinks on after the hit");
    // A hit without pondering has no effect.
    pipe.begin("position startpos\ngo infinite");
    pipe.send("ponderhit");
    pipe.thinks(SHORT);
    legal_best(START, &pipe.go("stop"));
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

#[test]
fn seconds_unless_usemillisec() {
    let mut pipe = Pipe::start();
    let lines = pipe.ask("ucci", "ucciok");
    let announced = lines.iter().any(|line| line.starts_with("option usemillisec type check "));
    assert!(announced);
    pipe.send("setoption usebook false\nposition startpos");
    // One second, and a thousandth of it.
    let timed = |pipe: &mut Pipe, go: &str| {
        let start = Instant::now();
        legal_best(START, &pipe.go(go));
        start.elapsed()
    };
    let second = timed(&mut pipe, "go time 1");
    assert!(second > Duration::from_millis(300), "seconds at first: {second:?}");
    pipe.send("setoption usemillisec true");
    let (_, brief) = pipe::quickest(Duration::from_millis(300), || timed(&mut pipe, "go time 1"));
    assert!(brief < Duration::from_millis(300), "milliseconds now: {brief:?}");
    pipe.send("setoption usemillisec false");
    let second = timed(&mut pipe, "go time 1");
    assert!(second > Duration::from_millis(300), "seconds again: {second:?}");
}

#[test]
fn threads() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    let mut thinking = |threads: &str| {
        assert_eq!(pipe.says(&format!("setoption threads {threads}")), SILENCE, "{threads}");
        legal_best(START, &pipe.go("go depth 5"));
        pipe.begin("go infinite");
        pipe.listen(Duration::from_millis(100));
        let threads = pipe.threads();
        pipe.go("stop");
        threads
    };
    let counts = ["1", "2", "3", "0", "1"].map(&mut thinking);
    if let [Some(one), Some(two), Some(three), Some(own), Some(again)] = counts {
        assert_eq!((two, three, again), (one + 1, one + 2, one), "{counts:?}");
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        assert!((one..one + cores).contains(&own), "the program decides: {counts:?}");
    }
    pipe.send("setoption threads 1000");
    assert!(last(&pipe.sync()).starts_with("info message ERROR: option threads"));
}
