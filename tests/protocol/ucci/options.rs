//! Options of UCCI whose effects are times, threads, processor time, or many searches.

use super::*;

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
fn ponder_changes_the_time_only() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    for on in ["true", "false"] {
        pipe.send(&format!("setoption ponder {on}"));
        legal_best(START, &pipe.go("go time 500 increment 0"));
        assert_eq!(pipe.listen(Duration::from_millis(200)), SILENCE, "{on}");
    }
    // A move gets a fifth more time. A search ends with an iteration and the machine may be busy, so all is
    // tried up to five times.
    let positions = [
        START,
        "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 4",
        ENDGAME,
        "3k1a3/4a4/9/9/2p6/6P2/9/9/4A4/3AK4 w - - 0 1",
        "2bak4/4a4/4b4/9/9/9/2n6/4B4/4A4/2BAK4 w - - 0 1",
        "3ak4/4a4/9/9/9/9/2c6/4B4/4A4/2BAK4 w - - 0 1",
        "3k1a3/4a4/4b4/9/4p4/9/9/4B4/4A4/2BAK4 w - - 0 1",
        "2bak4/4a4/4b4/9/9/9/2r6/4B4/4A4/2BAK4 w - - 0 1",
    ];
    let mut spent = || {
        let mut sums = [Duration::ZERO; 2];
        for fen in positions {
            let mut least = [Duration::MAX; 2];
            for round in 0..sample(2, 6) {
                let on = round % 2;
                pipe.send(&format!("setoption newgame\nsetoption ponder {}", on == 1));
                pipe.send(&format!("position fen {fen}"));
                let begin = Instant::now();
                pipe.go(&format!("go time {} increment 0", sample(1_500, 3_000)));
                least[on] = least[on].min(begin.elapsed());
            }
            sums = [sums[0] + least[0], sums[1] + least[1]];
        }
        println!("without and with ponder: {sums:?}");
        sums[1].as_secs_f64() / sums[0].as_secs_f64()
    };
    assert!((0..5).any(|_| spent() > 1.06), "the time does not change");
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

#[test]
fn newgame_clears_the_table() {
    let mut pipe = ucci();
    let found = |pipe: &mut Pipe| {
        let lines = pipe.go("position startpos\ngo depth 4");
        (number(&lines, "score"), number(&lines, "nodes"), last(&lines).to_string())
    };
    let fresh = found(&mut pipe);
    pipe.go("go depth 6\nsetoption newgame");
    assert_eq!(found(&mut pipe), fresh);
}
