//! `perft --against`: the descent to the position where another engine goes wrong, and engines that misbehave.
//!
//! The faulty engine is `tests/broken_engine.py`, which alters Stockfish's output. Without Python or Stockfish
//! (for xiangqi Fairy-Stockfish) these tests report that they are skipped, and fail in CI.

use crate::common::engine::Engine;
use crate::common::program::{self, Run, run, tabiya};
use crate::common::{root, sample, skip_or_fail};
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::thread;

/// The first of these engines that is installed.
fn installed(paths: [&'static str; 2]) -> Option<&'static str> {
    paths.into_iter().find(|path| Engine::start(&mut Command::new(path)).is_ok())
}

/// The name of Python, and the path of Stockfish or, for xiangqi, of Fairy-Stockfish; `None` if they are not installed.
/// The search for them runs once, because it takes longer than many of the tests.
fn peers(xiangqi: bool, test: &str) -> Option<(&'static str, &'static str)> {
    static PEERS: LazyLock<[Option<&str>; 3]> = LazyLock::new(|| {
        let python = ["python3", "python"]
            .into_iter()
            .find(|name| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success()));
        let stockfish = installed(["stockfish", "/usr/games/stockfish"]);
        [python, stockfish, installed(["fairy-stockfish", "/usr/games/fairy-stockfish"])]
    });
    let names = ["Python", "Stockfish", "Fairy-Stockfish"];
    let at = 1 + usize::from(xiangqi);
    if let Some(missing) = [0, at].into_iter().find(|&i| PEERS[i].is_none()) {
        skip_or_fail(names[missing], test);
    }
    PEERS[0].zip(PEERS[at])
}

/// `tabiya perft` against the faulty engine, with the faults in `how`; `None` if it cannot be run. The engine for
/// xiangqi numbers ranks from 1.
fn against(test: &str, arguments: &[&str], how: &str) -> Option<Run> {
    Some(run(&[&["perft"], arguments, &["--against", &broken(test, arguments, how)?]].concat()))
}

/// The command that starts it.
fn broken(test: &str, arguments: &[&str], how: &str) -> Option<String> {
    let (python, engine) = peers(arguments.contains(&"xiangqi"), test)?;
    let script = root().join("tests/broken_engine.py");
    Some(format!("{python} '{}' {engine} {how}", script.display()))
}

/// The report of a difference, with the beginning of what is said of it.
fn report(fen: &str, path: &str, said: &str) -> String {
    format!("fen: {fen}\npath: {path}\n{said}")
}

const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_correct_engine_agrees() {
    let test = "a_correct_engine_agrees";
    // The pauses are longer than that after which an engine that prints all counts first is taken to print no total.
    let hows = ["", "form=plain", "form=info", "form=dash", "async", "garbage", "async garbage pause", "deepen"];
    thread::scope(|scope| {
        for how in hows {
            scope.spawn(move || {
                let Some(run) = against(test, &["3"], how) else { return };
                assert_eq!(run.code, Some(0), "{how}: {run:?}");
                let lines: Vec<&str> = run.out.lines().collect();
                assert_eq!((lines.len(), lines[0]), (23, "a2a3: 380"), "{how}: {run:?}");
                assert_eq!(lines[20..], ["", "Nodes searched: 8902", "both engines agree"], "{how}");
            });
        }
    });
    // The real engine itself.
    let Some((_, stockfish)) = peers(false, test) else { return };
    let (depth, nodes) = sample(("4", 4_085_603), ("5", 193_690_690));
    let run = run(&["perft", depth, "--fen", "kiwipete", "--against", stockfish]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains(&format!("Nodes searched: {nodes}\nboth engines agree\n")), "{run:?}");
}

/// Every kind of fault: the position, the way to it, and what is said of it.
#[test]
fn differences_are_found_plies_deep() {
    let castling = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let castled = "1rk1r3/8/8/8/8/8/8/2KRR3 b eb - 1 1";
    let rooks = "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1";
    let standard = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let shredder = "4k3/8/8/8/8/8/8/4K2R w H - 0 1";
    let xiangqi = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let horse = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
    let of_xiangqi = |depth| [depth, "--game", "xiangqi"];
    let at = |fen: &str, faults: &str| format!("{faults} 'fen={fen}'");
    let none = "none";
    let miscounts = "although all its lists are right";
    let modulo = "the engine counts modulo 2^8: the type of its counts is too small";
    let deep = report(AFTER_E4_E5, "e2e4 e7e5", "g1f3 is missing: the knight on g1 goes to f3\n");
    let twice = "g1f3 is listed more than once\n";
    let both = report(START, none, "b1c3 is missing: the knight on b1 goes to c3\ne1e8 is not legal: ");
    #[rustfmt::skip]
    let cases: &[(&[&str], String, String, &[&str])] = &[
        (&["3"], at(AFTER_E4_E5, "drop=g1f3"),
            deep.clone(), &[]),
        (&["3"], at(AFTER_E4_E5, "deepen drop=g1f3"), deep.clone(), &[]),
        // With `--divide`, our own divide comes before the report.
        (&["3", "--divide"], at(AFTER_E4_E5, "drop=g1f3"),
            deep, &["a2a3: 380\n", "\n\nNodes searched: 8902\n"]),
        (&["3"], at(AFTER_E4, "add=e8e6:1"),
            report(AFTER_E4, "e2e4", "e8e6 is not legal: a king does not move from e8 to e6\n"), &[]),
        (&["2"], at(START, "drop=b1c3 add=e1e8:17 form=stockfish"), both.clone(), &[]),
        (&["2"], at(START, "drop=b1c3 add=e1e8:17 form=plain"), both.clone(), &[]),
        (&["2"], at(START, "drop=b1c3 add=e1e8:17 form=dash"), both, &[]),
        // A move is printed twice, with correct counts, with a wrong one, and in another notation.
        (&["1"], "repeat=g1f3".into(), report(START, none, twice), &[]),
        (&["3"], at(AFTER_E4_E5, "repeat=g1f3 count=g1f3:29"),
            report(AFTER_E4_E5, "e2e4 e7e5", twice), &[]),
        (&["2", "--fen", castling], "repeat=e1g1 also=e1h1".into(),
            report(castling, none, "e1g1 is listed more than once\n"), &[]),
        // The count of one move is wrong, but every list of moves is right. At the last ply every move has the count 1.
        (&["3"], at(AFTER_E4, "count=g8f6:28"),
            report(AFTER_E4, "e2e4", "the engine counts wrongly, "), &[miscounts]),
        (&["2"], at(AFTER_E4, "count=g8f6:2"),
            report(AFTER_E4, "e2e4", "the engine counts "), &[miscounts]),
        // Counts in too small a type, with a total and without.
        (&["3"], "bits=8".into(), String::new(), &["prints a total modulo 2^"]),
        (&["3"], "bits=8 form=plain".into(), report(START, none, ""), &[modulo]),
        // Chess960, and standard chess in its notation.
        (&["2", "--fen", rooks], at(castled, "drop=c8b8"),
            report(castled, "c1b1", "c8b8 is missing"), &[]),
        (&["1", "--chess960", "--fen", standard], at(shredder, "drop=e1h1"),
            report(shredder, none, "e1h1 is missing"), &[]),
        // The other engine's notation of FENs and moves; ours in the report. At the root its ranks are detected.
        (&of_xiangqi("3"), at(horse, "drop=a1a2"),
            report(horse, "h2e2 h9g7", "a0a1 is missing"), &[]),
        (&of_xiangqi("3"), at(horse, "add=a10a1:7"),
            report(horse, "h2e2 h9g7", "a9a0 is not legal"), &[]),
        (&of_xiangqi("2"), at(xiangqi, "drop=h3e3 add=e10e9:3 form=stockfish"),
            report(xiangqi, none, ""), &["h2e2 is missing: "]),
        (&of_xiangqi("2"), at(xiangqi, "drop=h3e3 add=e10e9:3 form=plain"),
            report(xiangqi, none, ""), &["h2e2 is missing: "]),
        (&of_xiangqi("2"), at(xiangqi, "drop=h3e3 add=e10e9:3 form=dash"),
            report(xiangqi, none, ""), &["h2e2 is missing: "]),
        (&of_xiangqi("2"), at(xiangqi, "count=h3e3:46"), String::new(), &[miscounts]),
    ];
    // Each engine waits for its peers most of the time.
    thread::scope(|scope| {
        for part in cases.chunks(4) {
            scope.spawn(move || {
                for (arguments, how, expected, more) in part {
                    let run = against("differences_are_found_plies_deep", arguments, how);
                    let Some(run) = run else { continue };
                    assert_eq!(run.code, Some(1), "{arguments:?} {how}: {run:?}");
                    for text in more.iter().chain([&expected.as_str()]) {
                        let out = &run.out;
                        assert!(out.contains(text), "{arguments:?} {how}: no {text:?} in {out}");
                    }
                    let miscounted = run.out.contains(miscounts);
                    assert_eq!(miscounted, more.contains(&miscounts), "{how}: {}", run.out);
                }
            });
        }
    });
}

/// There is no descent below moves whose counts agree, nor to positions outside the tree.
#[test]
fn faults_that_change_no_count_are_not_looked_for() {
    let rooks = ["3", "--fen", "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1"];
    let elsewhere = "drop=c8b8 'fen=1rk1r3/8/8/8/8/8/8/1R1K1R2 b eb - 1 1'";
    let repeated = format!("repeat=g1f3 'fen={AFTER_E4_E5}'");
    for (arguments, how, total) in [
        (&["3"][..], repeated.as_str(), "Nodes searched: 8902"),
        (&rooks, "form=stockfish", "c1b1: 366"),
        (&rooks, "form=plain", "c1b1: 366"),
        (&rooks, elsewhere, "c1b1: 366"),
    ] {
        let test = "faults_that_change_no_count_are_not_looked_for";
        let Some(run) = against(test, arguments, how) else { return };
        assert_eq!(run.code, Some(0), "{how}: {run:?}");
        assert!(run.out.contains(total) && run.out.contains("both engines agree"), "{run:?}");
    }
}

#[test]
fn xiangqi_agrees_with_the_real_engine() {
    let Some((_, fairy)) = peers(true, "xiangqi_agrees_with_the_real_engine") else { return };
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
fn an_engine_with_our_ranks_needs_no_translation() {
    // This program itself, as a UCI engine for xiangqi.
    let own = format!("'{}'", program::own());
    let run = run(&["perft", "3", "--game", "xiangqi", "--against", &own]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.ends_with("\nNodes searched: 79666\nboth engines agree\n"), "{run:?}");
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

/// After a second without an answer, here a tenth of it, a message says what the program waits for.
#[cfg(unix)]
#[test]
fn a_slow_engine_is_named() {
    let folder = program::Folder::new("slow");
    let own = program::own();
    let script = folder.write(
        "slow.sh",
        format!(
            "while read -r line; do case $line in\n'go perft 2') sleep 0.5;; esac\n\
             echo \"$line\"; done | '{own}'\n"
        ),
    );
    let fen = "7k/8/4K3/8/8/8/8/6R1 w - - 0 1";
    let command = format!("sh '{script}'");
    let mut program = tabiya(&["perft", "2", "--fen", fen, "--moves", "e6f6 h8h7", "--against", &command]);
    let run = program::finish(program::start(program.env("TABIYA_TIME_LIMIT_DIVISOR", "10")));
    assert_eq!(run.code, Some(0), "{run:?}");
    // The engine is given the moves of the root, too.
    let waited = format!("waiting for sh to answer go perft 2 in the position {fen} moves e6f6 h8h7\n");
    assert!(run.err.contains(&waited), "{run:?}");
}

/// Engines that misbehave, and programs that are none; those with endless output must not fill the memory. The program
/// waits two tenths of a second where no answer comes, two seconds where others come first.
#[test]
fn what_is_no_engine_is_given_up() {
    let test = "what_is_no_engine_is_given_up";
    let folder = program::Folder::new("against");
    let text = folder.write("text", "no program\n");
    let mute = folder.write("mute", "echo uciok; echo 'no book' >&2; sleep 100\n");
    let mute = format!("sh '{mute}'");
    let engines = [
        ("die=uci", "1", "has ended without an answer"),
        ("die=isready", "1", "has ended without an answer"),
        ("die=position", "1", "has ended without an answer"),
        ("die=go", "1", "has ended without an answer"),
        ("form=total", "1", "does not print a count for each move"),
        ("silent", "100", "does not answer uciok within 0.1 s"),
        ("form=none", "4", "does not print a count for each move"),
        ("stderr", "4", "; there are moves with counts on its stderr; expected on stdout"),
    ];
    let others = [
        ("true", "1", "has ended"),
        ("echo uciok", "1", "has ended"),
        ("no-such-engine-anywhere", "1", "cannot start no-such-engine-anywhere"),
        ("'no\nsuch'", "1", "cannot start no?such"),
        ("/", "1", "cannot start /"),
        ("yes", "100", "does not answer uciok"),
        ("cat /dev/zero", "100", "does not answer uciok"),
        (&text, "1", "cannot start"),
        (&mute, "100", "; the last line on its stderr is \"no book\""),
    ];
    let engines = engines.map(|(how, divisor, word)| (broken(test, &["2"], how), divisor, word));
    let others = others.map(|(command, divisor, word)| (cfg!(unix).then(|| command.to_string()), divisor, word));
    thread::scope(|scope| {
        for (command, divisor, word) in engines.into_iter().chain(others) {
            let Some(command) = command else { continue };
            scope.spawn(move || {
                let mut program = tabiya(&["perft", "2", "--against", &command]);
                let run = program::finish(program::start(program.env("TABIYA_TIME_LIMIT_DIVISOR", divisor)));
                run.assert_refused(&["--against: ", word]);
            });
        }
    });
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
    run(&["perft", "2", "--against", &command]).assert_refused(&["--against: ", "prints without end"]);
}
