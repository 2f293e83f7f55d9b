//! `perft --against`: the descent to the position where another engine goes wrong, and engines that misbehave.
//!
//! The faulty engine is `tests/broken_engine.py`, which alters Stockfish's output. Without Python or Stockfish
//! (for xiangqi Fairy-Stockfish) these tests report that they are skipped, and fail in CI.

use crate::common::engine::Engine;
use crate::common::program::{self, Run, run, tabiya};
use crate::common::{root, skip_or_fail};
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::thread;

/// The first of these engines that is installed.
fn installed(paths: [&'static str; 2]) -> Option<&'static str> {
    paths.into_iter().find(|path| Engine::start(&mut Command::new(path)).is_ok())
}

/// The path of Stockfish and the name of Python, if both are installed. The search for them runs once, because it
/// takes longer than many of the tests.
fn peers(test: &str) -> Option<(&'static str, &'static str)> {
    static PEERS: LazyLock<(Option<&str>, Option<&str>)> = LazyLock::new(|| {
        let python = ["python3", "python"].into_iter().find(|name| {
            Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success())
        });
        (installed(["stockfish", "/usr/games/stockfish"]), python)
    });
    match *PEERS {
        (Some(stockfish), Some(python)) => return Some((stockfish, python)),
        (_, None) => skip_or_fail("Python", test),
        (None, _) => skip_or_fail("Stockfish", test),
    }
    None
}

/// The path of Fairy-Stockfish, if it is installed.
fn fairy(test: &str) -> Option<&'static str> {
    static FAIRY: LazyLock<Option<&str>> =
        LazyLock::new(|| installed(["fairy-stockfish", "/usr/games/fairy-stockfish"]));
    if FAIRY.is_none() {
        skip_or_fail("Fairy-Stockfish", test);
    }
    *FAIRY
}

/// `tabiya perft --game xiangqi` against the faulty engine around Fairy-Stockfish, which numbers ranks from 1.
fn against_xiangqi(test: &str, arguments: &[&str], how: &str) -> Option<Run> {
    let (_, python) = peers(test)?;
    let fairy = fairy(test)?;
    let script = root().join("tests/broken_engine.py");
    let command = format!("{python} '{}' {fairy} {how}", script.display());
    let mut all = vec!["perft", "--game", "xiangqi"];
    all.extend(arguments);
    all.extend(["--against", &command]);
    Some(run(&all))
}

/// `tabiya perft` against the faulty engine, with the faults in `how`; `None` if it cannot be run.
fn against(test: &str, arguments: &[&str], how: &str) -> Option<Run> {
    let (stockfish, python) = peers(test)?;
    let script = root().join("tests/broken_engine.py");
    let command = format!("{python} '{}' {stockfish} {how}", script.display());
    let mut all = vec!["perft"];
    all.extend(arguments);
    all.extend(["--against", &command]);
    Some(run(&all))
}

/// The value after `name` in the report of a difference.
fn value<'a>(run: &'a Run, name: &str) -> &'a str {
    let line = run.out.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name:?} in {run:?}")).trim()
}

fn assert_difference(run: &Run, fen: &str, path: &str, missing: &str, extra: &str) {
    assert_eq!(run.code, Some(1), "{run:?}");
    let found = ["fen:", "path:", "missing there:", "extra there:"].map(|name| value(run, name));
    assert_eq!(found, [fen, path, missing, extra], "{run:?}");
}

/// Asserts a refusal with one clear line.
fn assert_refused(run: &Run, word: &str) {
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{run:?}");
    // On a busy machine there may be messages about a slow start.
    let lines: Vec<&str> = run.err.lines().filter(|l| !l.starts_with("waiting for ")).collect();
    assert_eq!(lines.len(), 1, "{run:?}");
    assert!(lines[0].starts_with("tabiya: --against: ") && lines[0].contains(word), "{run:?}");
}

const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_correct_engine_agrees() {
    let test = "a_correct_engine_agrees";
    for how in ["", "form=plain", "form=info", "form=dash", "async", "garbage", "async garbage"] {
        let Some(run) = against(test, &["3"], how) else { return };
        assert_eq!(run.code, Some(0), "{how}: {run:?}");
        let lines: Vec<&str> = run.out.lines().collect();
        assert_eq!((lines.len(), lines[0]), (23, "a2a3: 380"), "{how}: {run:?}");
        assert_eq!(lines[20..], ["", "Nodes searched: 8902", "both engines agree"], "{how}");
    }
}

#[test]
fn the_real_engine_agrees_directly() {
    let test = "the_real_engine_agrees_directly";
    let Some((stockfish, _)) = peers(test) else { return };
    let run = run(&["perft", "5", "--fen", "kiwipete", "--against", stockfish]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("Nodes searched: 193690690\nboth engines agree\n"), "{run:?}");
}

#[test]
fn a_missing_move_is_found_plies_deep() {
    let how = format!("drop=g1f3 'fen={AFTER_E4_E5}'");
    let Some(run) = against("a_missing_move_is_found_plies_deep", &["3"], &how) else { return };
    assert_difference(&run, AFTER_E4_E5, "e2e4 e7e5", "g1f3", "none");
    assert_eq!(value(&run, "depth left:"), "1");
    assert_eq!(value(&run, "g1f3 is legal:"), "the knight on g1 goes to f3");
}

#[test]
fn an_illegal_move_is_found() {
    let how = format!("add=e8e6:1 'fen={AFTER_E4}'");
    let Some(run) = against("an_illegal_move_is_found", &["3"], &how) else { return };
    assert_difference(&run, AFTER_E4, "e2e4", "none", "e8e6");
    assert_eq!(value(&run, "e8e6 is illegal:"), "a king does not move from e8 to e6");
}

#[test]
fn both_faults_in_one_position_are_found() {
    let how = format!("drop=b1c3 add=e1e8:17 'fen={START}'");
    for form in ["stockfish", "plain", "dash"] {
        let how = format!("{how} form={form}");
        let test = "both_faults_in_one_position_are_found";
        let Some(run) = against(test, &["2"], &how) else { return };
        assert_difference(&run, START, "none", "b1c3", "e1e8");
    }
}

/// A move is printed twice, with correct counts.
#[test]
fn a_repeated_move_is_found_plies_deep() {
    let test = "a_repeated_move_is_found_plies_deep";
    let how = format!("repeat=g1f3 'fen={AFTER_E4_E5}'");
    // There is no descent below moves whose counts agree.
    let Some(run) = against(test, &["3"], &how) else { return };
    assert_eq!(run.code, Some(0), "{run:?}");
    let how = format!("{how} count=g1f3:29");
    let castling = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for (arguments, how, fen, path, m) in [
        (vec!["1"], "repeat=g1f3".to_string(), START, "none", "g1f3"),
        (vec!["3"], how, AFTER_E4_E5, "e2e4 e7e5", "g1f3"),
        // The same in another notation.
        (
            vec!["2", "--fen", castling],
            "repeat=e1g1 also=e1h1".to_string(),
            castling,
            "none",
            "e1g1",
        ),
    ] {
        let Some(run) = against(test, &arguments, &how) else { return };
        assert_difference(&run, fen, path, "none", "none");
        assert_eq!(value(&run, "printed more than once there:"), m, "{run:?}");
        assert!(!run.out.contains("move lists are identical"), "{run:?}");
    }
}

#[test]
fn an_engine_that_prints_every_depth_is_read_to_the_last() {
    let test = "an_engine_that_prints_every_depth_is_read_to_the_last";
    let Some(run) = against(test, &["3"], "deepen") else { return };
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("a2a3: 380\n"), "{run:?}");
    let how = format!("deepen drop=g1f3 'fen={AFTER_E4_E5}'");
    let Some(run) = against(test, &["3"], &how) else { return };
    assert_difference(&run, AFTER_E4_E5, "e2e4 e7e5", "g1f3", "none");
}

/// The count of one move is wrong, but every list of moves is right.
#[test]
fn a_wrong_count_without_a_wrong_move_is_reported_as_such() {
    let how = format!("count=g8f6:28 'fen={AFTER_E4}'");
    let test = "a_wrong_count_without_a_wrong_move_is_reported_as_such";
    let Some(run) = against(test, &["3"], &how) else { return };
    let after = "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2";
    assert_difference(&run, after, "e2e4 g8f6", "none", "none");
    assert!(run.out.contains("the other engine miscounts its own moves"), "{run:?}");
    // At the last ply every move has the count 1.
    let how = format!("count=g8f6:2 'fen={AFTER_E4}'");
    let Some(run) = against(test, &["2"], &how) else { return };
    assert_difference(&run, AFTER_E4, "e2e4", "none", "none");
    assert!(run.out.contains("g8f6: counted 1 here, 2 there"), "{run:?}");
}

#[test]
fn chess960_notation_is_used_with_the_other_engine() {
    let test = "chess960_notation_is_used_with_the_other_engine";
    let fen = "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1";
    for form in ["stockfish", "plain"] {
        let how = format!("form={form}");
        let Some(run) = against(test, &["3", "--fen", fen], &how) else { return };
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.out.contains("c1b1: 366") && run.out.contains("both engines agree"), "{run:?}");
    }
    let how = format!("drop=c8b8 'fen={}'", "1rk1r3/8/8/8/8/8/8/1R1K1R2 b eb - 1 1");
    let Some(run) = against(test, &["2", "--fen", fen], &how) else { return };
    // The tree does not contain the faulty position, so both agree.
    assert_eq!(run.code, Some(0), "{run:?}");
    let after = "1rk1r3/8/8/8/8/8/8/2KRR3 b eb - 1 1";
    let how = format!("drop=c8b8 'fen={after}'");
    let Some(run) = against(test, &["2", "--fen", fen], &how) else { return };
    assert_difference(&run, after, "c1b1", "c8b8", "none");
    // Standard chess in Chess960 notation.
    let how = "drop=e1h1 'fen=4k3/8/8/8/8/8/8/4K2R w H - 0 1'";
    let arguments = ["1", "--chess960", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"];
    let Some(run) = against(test, &arguments, how) else { return };
    assert_eq!((run.code, value(&run, "missing there:")), (Some(1), "e1h1"), "{run:?}");
}

#[test]
fn xiangqi_agrees_with_the_real_engine() {
    let Some(fairy) = fairy("xiangqi_agrees_with_the_real_engine") else { return };
    let game = ["perft", "--game", "xiangqi"];
    let run_with = |rest: &[&str]| run(&[&game[..], rest, &["--against", fairy]].concat());
    let run = run_with(&["4"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    // The divide has our ranks, from 0 to 9.
    assert!(run.out.starts_with("a0a1: 94417") && run.out.contains("\nb2b9: "), "{run:?}");
    assert!(run.out.ends_with("\nNodes searched: 3290240\nboth engines agree\n"), "{run:?}");
    // No move here is on the first or last rank, so the convention must be found in another way.
    let middle = "9/9/3k5/9/4n4/9/9/4N4/4K4/9 b - - 0 1";
    for fen in [middle, "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1"] {
        let run = run_with(&["3", "--fen", fen]);
        assert_eq!(run.code, Some(0), "{fen}: {run:?}");
    }
}

#[test]
fn faults_in_xiangqi_are_found_and_reported_in_our_ranks() {
    let test = "faults_in_xiangqi_are_found_and_reported_in_our_ranks";
    // The other engine's FEN of a position two plies from the start, and its notation of the moves.
    let fen = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
    let how = format!("drop=a1a2 'fen={fen}'");
    let Some(run) = against_xiangqi(test, &["3"], &how) else { return };
    assert_difference(&run, fen, "h2e2 h9g7", "a0a1", "none");
    let how = format!("add=a10a1:7 'fen={fen}'");
    let Some(run) = against_xiangqi(test, &["3"], &how) else { return };
    assert_difference(&run, fen, "h2e2 h9g7", "none", "a9a0");
    // At the root itself, where the convention for ranks is detected.
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    for form in ["stockfish", "plain", "dash"] {
        let how = format!("drop=h3e3 add=e10e9:3 form={form} 'fen={start}'");
        let Some(run) = against_xiangqi(test, &["2"], &how) else { return };
        assert_difference(&run, start, "none", "h2e2", "e9e8");
    }
    let how = format!("count=h3e3:46 'fen={start}'");
    let Some(run) = against_xiangqi(test, &["2"], &how) else { return };
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("the other engine miscounts its own moves"), "{run:?}");
}

#[test]
fn an_engine_with_our_ranks_needs_no_translation() {
    // This program itself, as a UCI engine for xiangqi.
    let own = format!("'{}'", program::own());
    let run = run(&["perft", "3", "--game", "xiangqi", "--against", &own]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.ends_with("\nNodes searched: 79666\nboth engines agree\n"), "{run:?}");
}

/// With `--divide`, our own divide comes before the report of the difference.
#[test]
fn the_divide_is_shown_with_a_difference_too() {
    let how = format!("drop=g1f3 'fen={AFTER_E4_E5}'");
    let test = "the_divide_is_shown_with_a_difference_too";
    let Some(run) = against(test, &["3", "--divide"], &how) else { return };
    assert_difference(&run, AFTER_E4_E5, "e2e4 e7e5", "g1f3", "none");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((lines[0], lines[20], lines[21]), ("a2a3: 380", "", "Nodes searched: 8902"));
}

#[test]
fn engines_are_found_in_debians_games_folder() {
    if !Path::new("/usr/games/stockfish").exists() {
        return skip_or_fail("/usr/games/stockfish", "engines_are_found_in_debians_games_folder");
    }
    let mut command = tabiya(&["perft", "2", "--against", "stockfish"]);
    let run = program::finish(program::start(command.env("PATH", "/nowhere")));
    assert_eq!(run.code, Some(0), "{run:?}");
}

/// After a second without an answer, a message says what the program waits for.
#[cfg(unix)]
#[test]
fn a_slow_engine_is_named() {
    let folder = program::Folder::new("slow");
    let own = program::own();
    let script = folder.write(
        "slow.sh",
        format!(
            "while read -r line; do case $line in\n'go perft 2') sleep 2;; esac\n\
             echo \"$line\"; done | '{own}'\n"
        ),
    );
    let fen = "7k/8/4K3/8/8/8/8/6R1 w - - 0 1";
    let command = format!("sh '{script}'");
    let run = run(&["perft", "2", "--fen", fen, "--moves", "e6f6 h8h7", "--against", &command]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let waited =
        "waiting for sh to answer go perft 2 in the position 8/7k/5K2/8/8/8/8/6R1 w - - 2 2\n";
    assert!(run.err.contains(waited), "{run:?}");
}

#[test]
fn an_engine_that_dies_is_an_error() {
    let test = "an_engine_that_dies_is_an_error";
    for word in ["uci", "isready", "position", "go"] {
        let Some(run) = against(test, &["3"], &format!("die={word}")) else { return };
        assert_refused(&run, "has ended without an answer");
    }
}

#[test]
fn an_engine_without_a_count_for_each_move_is_an_error() {
    let test = "an_engine_without_a_count_for_each_move_is_an_error";
    let Some(run) = against(test, &["3"], "form=total") else { return };
    assert_refused(&run, "does not print a count for each move");
}

/// Each of these waits for the program's full time-out, so they run in parallel.
#[test]
fn engines_that_never_answer_are_given_up() {
    let test = "engines_that_never_answer_are_given_up";
    let refused = |how, word| {
        if let Some(run) = against(test, &["3"], how) {
            assert_refused(&run, word);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| refused("silent", "does not answer uciok"));
        scope.spawn(|| refused("form=none", "does not print a count for each move"));
    });
}

/// Programs that are not engines, in parallel. Those with endless output must not fill the memory.
#[cfg(unix)]
#[test]
fn other_programs_are_refused() {
    let commands = [
        ("true", "has ended"),
        ("echo uciok", "has ended"),
        ("no-such-engine-anywhere", "cannot start no-such-engine-anywhere"),
        ("'no\nsuch'", "cannot start no?such"),
        ("/", "cannot start /"),
        ("yes", "does not answer uciok"),
        ("cat /dev/zero", "does not answer uciok"),
    ];
    thread::scope(|scope| {
        for (command, word) in commands {
            scope.spawn(move || assert_refused(&run(&["perft", "2", "--against", command]), word));
        }
    });
    let folder = program::Folder::new("against");
    let text = folder.write("text", "no program\n");
    assert_refused(&run(&["perft", "2", "--against", &text]), "cannot start");
}

/// Endless counts are cut off.
#[cfg(unix)]
#[test]
fn endless_counts_are_refused() {
    let folder = program::Folder::new("endless");
    let script = folder.write(
        "endless.sh",
        "while read line; do case $line in\n\
         uci) echo uciok;; isready) echo readyok;; go*) yes 'e2e4: 1';; esac; done\n",
    );
    let command = format!("sh '{script}'");
    assert_refused(&run(&["perft", "2", "--against", &command]), "prints counts without end");
}
