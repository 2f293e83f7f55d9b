//! the options, and their effects.

use super::*;
use std::collections::BTreeSet;

#[test]
fn option_lines() {
    let mut pipe = Pipe::start();
    let lines = pipe.ask("ucci", "ucciok");
    let options: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("option ")).collect();
    let mut names = BTreeSet::new();
    for option in &options {
        let words: Vec<&str> = option.split(' ').collect();
        let (name, kind) = (words[0], words[2]);
        assert_eq!(words[1], "type", "no word `name`: {option}");
        assert!(name.bytes().all(|b| b.is_ascii_lowercase()), "{option}");
        assert!(names.insert(name), "once only: {option}");
        let default = words.len().checked_sub(2).map(|at| words[at]);
        match kind {
            "button" => assert_eq!(words.len(), 3, "{option}"),
            "check" => {
                assert_eq!((words.len(), default), (5, Some("default")), "{option}");
                assert!(["true", "false"].contains(&words[4]), "{option}");
            }
            "spin" => {
                assert_eq!((words.len(), words[3], words[5]), (9, "min", "max"), "{option}");
                assert_eq!(default, Some("default"), "the default last: {option}");
                let number = |at: usize| words[at].parse::<i64>().expect("a number");
                assert!(number(4) <= number(8) && number(8) <= number(6), "{option}");
            }
            "combo" => {
                assert_eq!(default, Some("default"), "the default last: {option}");
                let vars: Vec<&str> = words[3..words.len() - 2].chunks(2).map(|pair| pair[1]).collect();
                assert!(words[3..words.len() - 2].chunks(2).all(|pair| pair[0] == "var"));
                assert!(vars.contains(words.last().unwrap()), "{option}");
            }
            "string" => assert_eq!(words[3], "default", "{option}"),
            _ => panic!("{option}"),
        }
    }
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
fn debug_says_more() {
    let mut pipe = ucci();
    let lines = pipe.go("position startpos\ngo depth 3");
    assert!(lines.iter().all(|line| !line.contains("message")), "off by default");
    pipe.send("setoption debug true\nposition startpos");
    assert!(last(&pipe.sync()).starts_with("info message position "));
    let lines = pipe.go("go depth 3");
    assert!(lines.iter().any(|line| line.starts_with("info message seldepth ")), "{lines:?}");
    assert_eq!(lines[0], "info message search up to depth 3");
    // Options that were not announced are no error.
    assert_eq!(pipe.says("setoption nonsense 1"), ["info message unknown option \"nonsense\""]);
    assert_eq!(pipe.says("setoption debug false\nposition startpos"), SILENCE);
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
fn usebook() {
    let mut pipe = Pipe::start();
    pipe.ask("ucci", "ucciok");
    // On by default: a book move comes without a search and with a message.
    let lines = pipe.go("position startpos\ngo time 60000 increment 0");
    let best = legal_best(START, &lines);
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[0].starts_with(&format!("info message book move {best}, ")), "{lines:?}");
    // Some programs accept no move without a score before it.
    let scored = lines.iter().find(|line| line.starts_with("info depth 1 score ")).expect("a score");
    assert!(scored.ends_with(&format!(" pv {best}")), "{lines:?}");
    // `banmoves` applies to book moves too.
    pipe.send(&format!("banmoves {best}"));
    for _ in 0..8 {
        assert_ne!(legal_best(START, &pipe.go("go depth 1")), best);
    }
    // No book moves when analysing.
    pipe.begin("position startpos\ngo infinite");
    let lines = pipe.go("stop");
    assert!(lines.iter().all(|line| !line.contains("book")), "{lines:?}");
    // Off: it searches even in a book position. Out of book it always searches.
    for setting in ["usebook false\nposition startpos", "usebook true\nposition startpos moves a3a4 a6a5"] {
        let lines = pipe.go(&format!("setoption {setting}\ngo depth 3"));
        assert!(lines.iter().any(|line| line.starts_with("info depth 3 ")), "{lines:?}");
    }
}

#[test]
fn bookfiles() {
    let folder = std::env::temp_dir().join(format!("tabiya books {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let (lines, positions, binary) = (path("lines.txt"), path("one move.txt"), path("BOOK.DAT"));
    std::fs::write(&lines, "# ours\n1 | an edge soldier | a3a4 i6i5\n").unwrap();
    // An unusual first elephant move of Black, in the format of ElephantEye 1.
    let after = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/P8/2P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1";
    std::fs::write(&positions, format!("g9i7 40000 {after}\n")).unwrap();
    // The key of the initial position as in ElephantEye's BOOK.DAT, which has b2e2 with weight 1473; here with another
    // move and weight.
    let mut entry = 86_398_677u32.to_le_bytes().to_vec();
    entry.extend([0xc3, 0xb3, 7, 0]);
    std::fs::write(&binary, entry).unwrap();

    let mut pipe = Pipe::start();
    let announced = pipe.ask("ucci", "ucciok");
    let line = "option bookfiles type string default <embedded>";
    assert!(announced.iter().any(|l| l == line), "{announced:?}");
    let message = |pipe: &mut Pipe, files: &str| {
        let line = pipe.says_once(&format!("setoption bookfiles {files}"));
        line.clone()
    };
    let played = |pipe: &mut Pipe, position: &str| {
        let lines = pipe.go(&format!("position {position}\ngo depth 1"));
        let best = last(&lines).split(' ').nth(1).unwrap().to_string();
        (best, lines.iter().any(|line| line.contains("book move")))
    };
    let book = |m: &str| (m.to_string(), true);
    let files = format!("{lines};{positions}");
    assert_eq!(message(&mut pipe, &files), "info message the book file has 3 entries");
    assert_eq!(played(&mut pipe, "startpos"), book("a3a4"));
    let replies: BTreeSet<_> = (0..40).map(|_| played(&mut pipe, "startpos moves a3a4").0).collect();
    assert!(replies.contains("g9i7"), "40000 to 1: {replies:?}");
    assert!(!played(&mut pipe, "startpos moves a3a4 i6i5").1, "the line ends");
    assert_eq!(message(&mut pipe, &binary), "info message the book file has 1 entries");
    assert_eq!(played(&mut pipe, "startpos"), book("a0a1"));
    // An invalid or missing book file leaves the earlier book in use.
    let broken = path("broken.txt");
    std::fs::write(&broken, "1 | a3a4\nwhat is\n").unwrap();
    for (files, word) in [(&broken, "line 2: expected"), (&path("none"), "cannot be read")] {
        let error = message(&mut pipe, files);
        assert!(error.contains(word) && error.ends_with("keeping the earlier book"), "{error}");
        assert_eq!(played(&mut pipe, "startpos"), book("a0a1"));
    }
    // Empty: no book. Then the embedded book again.
    for empty in ["", "<empty>"] {
        assert_eq!(message(&mut pipe, empty), "info message no opening book is used");
        assert!(!played(&mut pipe, "startpos").1, "{empty:?}");
    }
    assert!(message(&mut pipe, "<embedded>").contains("the embedded book has "));
    assert!(played(&mut pipe, "startpos").1);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn hashsize() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    for size in ["0", "1", "64", "0"] {
        pipe.go("go depth 4");
        assert_ne!(pipe.ask("probe startpos", "pophash"), ["pophash"]);
        assert_eq!(pipe.says(&format!("setoption hashsize {size}")), SILENCE, "{size}");
        assert_eq!(pipe.ask("probe startpos", "pophash"), ["pophash"], "a new table");
    }
    for bad in ["-1", "many", "99999999999", ""] {
        let lines = pipe.says(&format!("setoption hashsize {bad}"));
        assert!(last(&lines).starts_with("info message ERROR: option hashsize"), "{bad:?}: {lines:?}");
    }
    // More memory than there is: refused or allocated, and the program plays on.
    pipe.says("setoption hashsize 131072");
    legal_best(START, &pipe.go("go depth 2"));
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
fn idle_leaves_processor_time_to_others() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    // A busy machine only makes the share smaller.
    for (idle, most) in [("large", 0.5), ("medium", 0.75), ("small", 0.95)] {
        pipe.begin(&format!("setoption idle {idle}\ngo infinite"));
        let (start, before) = (Instant::now(), pipe.processor_time());
        std::thread::sleep(Duration::from_millis(300));
        if let (Some(before), Some(after)) = (before, pipe.processor_time()) {
            let share = (after - before).as_secs_f64() / start.elapsed().as_secs_f64();
            println!("idle {idle}: {:.0} % of a processor", 100.0 * share);
            assert!(share < most, "{idle}: {share}");
        }
        let stopped = Instant::now();
        legal_best(START, &pipe.go("stop"));
        assert!(stopped.elapsed() < LEAVING, "stop works");
    }
}

#[test]
fn pruning() {
    let mut pipe = ucci();
    pipe.send("position fen r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 4");
    // The less pruning, the larger the tree at the same depth.
    let nodes = ["large", "medium", "small", "none"].map(|pruning| {
        pipe.send(&format!("setoption pruning {pruning}\nsetoption newgame"));
        number(&pipe.go("go depth 4"), "nodes").expect("nodes")
    });
    println!("nodes of depth 4 with pruning large, medium, small, none: {nodes:?}");
    assert!(nodes.is_sorted() && nodes[0] * 2 < nodes[3], "{nodes:?}");
}

#[test]
fn randomness() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    let openings = |pipe: &mut Pipe, randomness: &str| -> BTreeSet<String> {
        pipe.send(&format!("setoption randomness {randomness}"));
        (0..12)
            .map(|_| {
                pipe.send("setoption newgame");
                legal_best(START, &pipe.go("go depth 4"))
            })
            .collect()
    };
    assert_eq!(openings(&mut pipe, "none").len(), 1, "the best move only");
    assert!(openings(&mut pipe, "large").len() > 1, "others too");
    assert_eq!(openings(&mut pipe, "none").len(), 1, "and back");
    // A mate in one is still found.
    pipe.send(&format!("setoption randomness large\nposition fen {}", MATE_IN_ONE));
    for _ in 0..8 {
        let lines = pipe.go("go depth 3");
        assert_eq!(found(&lines, "bestmove"), Some("b7b9"));
    }
}

#[test]
fn old_names_of_options() {
    let mut pipe = Pipe::start();
    let announced = pipe.ask("ucci", "ucciok");
    for old in ["selectivity", "loadbook"] {
        assert!(!announced.iter().any(|line| line.contains(old)), "{old}");
    }
    pipe.says("setoption usebook false\nsetoption debug true\nposition startpos");
    for set in ["selectivity large", "name Selectivity value LARGE"] {
        let expected = ["info message option randomness is large"];
        assert_eq!(pipe.says(&format!("setoption {set}")), expected);
    }
    let line = pipe.says_once("setoption debug false\nsetoption selectivity huge");
    assert!(line.starts_with("info message ERROR: option randomness: invalid value \"huge\""), "{line}");
    // `loadbook`, which old GUIs sent before each game, is `newgame`.
    pipe.go("go depth 4");
    assert_ne!(pipe.ask("probe startpos", "pophash"), ["pophash"]);
    assert_eq!(pipe.ask("setoption loadbook\nprobe startpos", "pophash"), ["pophash"]);
}

#[test]
fn style() {
    let mut pipe = ucci();
    // A dead draw, so the score is the draw score for the side to move.
    pipe.send("position fen 4k4/4a4/9/9/9/9/9/9/4A4/3K5 w - - 0 1");
    let mut worth = |style: &str| {
        pipe.send(&format!("setoption style {style}\nsetoption newgame"));
        number(&pipe.go("go depth 3"), "score").expect("a score")
    };
    let [solid, normal, risky] = ["solid", "normal", "risky"].map(&mut worth);
    assert_eq!(normal, 0);
    assert!(solid > 0 && risky < 0 && solid == -risky, "{solid} {risky}");
}

/// What was searched in another style, with random errors or with other pruning does not serve a later search.
#[test]
fn nothing_of_other_settings_is_left_in_the_table() {
    let found = |pipe: &mut Pipe| {
        let lines = pipe.go("go depth 4");
        (number(&lines, "score"), number(&lines, "nodes"), last(&lines).to_string())
    };
    let start = || {
        let mut pipe = ucci();
        pipe.send("position startpos");
        pipe
    };
    let fresh = found(&mut start());
    assert!(fresh.0.is_some() && fresh.1.is_some(), "{fresh:?}");
    for (option, other, usual) in
        [("style", "risky", "normal"), ("randomness", "large", "none"), ("pruning", "none", "large")]
    {
        let mut pipe = start();
        pipe.go(&format!("setoption {option} {other}\ngo depth 4"));
        pipe.send(&format!("setoption {option} {usual}"));
        assert_eq!(found(&mut pipe), fresh, "{option}");
    }
}

#[test]
fn newgame_clears_the_table() {
    let mut pipe = ucci();
    let first = pipe.go("position startpos\ngo depth 6");
    assert_ne!(pipe.ask("probe startpos", "pophash"), ["pophash"]);
    pipe.send("setoption newgame");
    assert_eq!(pipe.ask("probe startpos", "pophash"), ["pophash"]);
    let again = pipe.go("go depth 6");
    let moves =
        |lines: &[String]| -> Vec<String> { lines.iter().filter(|line| line.contains("depth")).cloned().collect() };
    assert_eq!(moves(&first), moves(&again), "the table is cleared");
    assert_eq!(number(&first, "nodes"), number(&again, "nodes"));
}

#[test]
fn the_form_of_setoption() {
    let mut pipe = ucci();
    for fine in [
        "setoption usebook false",
        "setoption style risky",
        "setoption STYLE Normal",
        "setoption   style \t solid  ",
        "setoption newgame",
        "setoption debug off",
        "setoption pruning large",
    ] {
        assert_eq!(pipe.says(fine), SILENCE, "{fine}");
    }
    for (bad, reason) in [
        ("setoption", "setoption: expected the name of an option"),
        ("setoption style wild", "option style: invalid value \"wild\", expected one of normal, solid"),
        ("setoption style", "option style: invalid value \"\""),
        ("setoption threads 1 2", "option threads: invalid value \"1 2\""),
        ("setoption batch value true", "option batch: invalid value \"value true\""),
    ] {
        let line = pipe.says_once(bad);
        assert!(line.starts_with(&format!("info message ERROR: {reason}")), "{bad}: {line}");
        check_ucci_line(&line);
    }
}

#[test]
fn options_that_were_not_announced_are_no_error() {
    let mut pipe = ucci();
    let announced = pipe.ask("ucci", "ucciok");
    for (row, name) in [(32, "useegtb"), (34, "egtbpaths"), (35, "evalapi"), (39, "promotion"), (41, "knowledge")] {
        let start = format!("option {name} ");
        let promised = announced.iter().any(|line| line.starts_with(&start));
        assert!(!promised, "{row}: {name} would do nothing");
    }
    // All output of a search except its time.
    let thought = |pipe: &mut Pipe| -> (Vec<String>, Option<i64>) {
        let lines = pipe.go("setoption newgame\nposition startpos\ngo depth 6");
        legal_best(START, &lines);
        let without_time = |line: &&String| !line.starts_with("info time ");
        (lines.iter().filter(without_time).cloned().collect(), number(&lines, "nodes"))
    };
    let before = thought(&mut pipe);
    for option in [
        "useegtb true",
        "egtbpaths c:\\egtb;d:\\egtb",
        "evalapi libeval.so",
        "promotion false",
        "knowledge large",
        "repetition asianrule",
        "drawmoves 60",
        "名称 值",
    ] {
        assert_eq!(pipe.says(&format!("setoption {option}")), SILENCE, "{option}");
        assert_eq!(thought(&mut pipe), before, "{option} does nothing");
    }
}

/// The rules are those of UCI's options; here the names alone are tried.
#[test]
fn the_rules_are_options() {
    let mut pipe = Pipe::start();
    pipe.ask("ucci", "ucciok");
    pipe.send("setoption usebook false");
    let only_check = |pipe: &mut Pipe| {
        let start = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
        pipe.send(&format!("position fen {start} moves e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1"));
        number(&pipe.go("go depth 2"), "score").expect("a score")
    };
    for (value, wins) in [("asianrule", true), ("alwaysdraw", false), ("chineserule", true)] {
        pipe.send(&format!("setoption repetition {value}"));
        assert_eq!(only_check(&mut pipe) > 8_000, wins, "{value}");
    }
    let near_limit = |pipe: &mut Pipe| {
        pipe.send("position fen 4k4/4a4/9/9/9/9/9/9/9/R2K4R w - - 99 60");
        number(&pipe.go("go depth 2"), "score").expect("a score")
    };
    assert!(near_limit(&mut pipe) > 0);
    pipe.send("setoption drawmoves 50");
    assert_eq!(near_limit(&mut pipe), 0);
    pipe.send("setoption tenchecks true\nsetoption drawmoves 0");
    assert!(near_limit(&mut pipe) > 0);
}
