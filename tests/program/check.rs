//! `tabiya check`: every seeded fault of both games is found and named, right engines raise no alarm, and engines that
//! misbehave get a line.
//!
//! The faulty engines are those of `tests/common/faulty.rs`; as programs they are this test program itself, which runs
//! the test `faulty_engine`.

use crate::common::engine::Engine as OtherEngine;
use crate::common::faulty::{self, Engine};
use crate::common::program::{self, Folder, Run, finish, start, tabiya};
use crate::common::{sample, skip_or_fail};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
#[cfg(target_os = "linux")]
use std::{
    io::{BufRead, BufReader},
    time::{Duration, Instant},
};
use tabiya::doctor::ask::{Asker, Source};
use tabiya::doctor::faults::{Diagnosis, Fault, FaultKind as _};
use tabiya::doctor::finding::{Finding, findings};
use tabiya::doctor::program::{Divider, Question};
use tabiya::doctor::walk::{Task, Walk};
use tabiya::game::text::fen::Tolerance;
use tabiya::perft::{suite, suite_reader};
use tabiya::{chess, xiangqi};

/// Not a test: an engine, if the environment says so.
#[test]
#[ignore = "an engine that other tests start"]
fn faulty_engine() {
    faulty::serve_environment();
}

/// `tabiya check` of the engine that `words` describe.
fn check(words: &str, arguments: &[&str]) -> Run {
    let command = faulty::command("program::check::faulty_engine");
    let game = words.split([' ', ':']).next().unwrap();
    let mut all = vec!["check", &command, "--game", game];
    for (option, value) in [("--time", "3000"), ("--max-nodes", "3000")] {
        if !arguments.contains(&option) {
            all.extend([option, value]);
        }
    }
    all.extend(arguments);
    finish(start(tabiya(&all).env(faulty::WORDS, words)))
}

/// A faulty engine without the process around it.
fn direct<B: Diagnosis>(faults: &str) -> Divider<'static> {
    let mut engine = Engine::<B>::new(faults);
    Divider::new("faulty", true, move |Question { fen, moves, depth, .. }| {
        engine.position(&format!("fen {fen} moves {moves}"));
        let counts = engine.divide(depth);
        let total: u64 = counts.iter().map(|&(_, count)| count).sum();
        let lines: String = counts.iter().map(|(m, count)| format!("{m}: {count}\n")).collect();
        Ok(format!("{lines}Nodes searched: {total}\n"))
    })
}

/// The positions of some suites.
fn tasks<B: Diagnosis>(texts: &[&str]) -> Vec<Task<B>> {
    let entries = suite_reader::read::<B>(&texts.concat(), &Tolerance::strict()).unwrap();
    let task = |entry: suite::Entry<B>| {
        let counts = Vec::from_iter(entry.counts.into_iter().filter(|(_, nodes)| *nodes <= 3_000));
        Task { position: entry.position, counts, is_due: true }
    };
    let mut tasks = Vec::from_iter(entries.into_iter().map(task));
    tasks.sort_by_key(|task| task.counts.last().map(|(_, nodes)| *nodes));
    tasks
}

/// What is told of an engine with these faults.
fn told<B: Diagnosis>(tasks: &[Task<B>], faults: &str) -> Vec<Finding<B>> {
    let again = faults.to_string();
    let source = Source::Divides(direct::<B>(faults), Box::new(move || Ok(direct::<B>(&again))));
    let hour = Duration::from_secs(3600);
    let mut asker = Asker::new(source, hour, Instant::now() + hour);
    let groups = Walk::new(tasks, hour).search(&mut asker, &mut |_, _| {});
    findings(&mut asker, tasks, &groups, |_| {})
}

/// Engines with each kind of fault: all are found, and most are named in the first two rows.
fn most_are_named<B: Diagnosis>(tasks: &[Task<B>], step: usize, least: f64) {
    let faults =
        Vec::from_iter(Fault::<B::Fault>::all().into_iter().filter(|fault| fault.side.is_none()).step_by(step));
    let (next, named, others) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(fault) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let told = told::<B>(tasks, &format!("{:?}", fault.kind));
                    if told.iter().take(2).any(|finding| finding.symptom.words == fault.kind.symptom()) {
                        named.fetch_add(1, Ordering::Relaxed);
                    } else {
                        let symptoms = Vec::from_iter(told.iter().map(|finding| finding.symptom.words.clone()));
                        let line = format!("{:?} ({}): {symptoms:#?}", fault.kind, fault.kind.symptom());
                        others.lock().unwrap_or_else(PoisonError::into_inner).push(line);
                    }
                }
            });
        }
    });
    let others = others.into_inner().unwrap_or_else(PoisonError::into_inner);
    let share = named.into_inner() as f64 / faults.len() as f64;
    println!("{share:.2} of {} are named; not named are\n{}", faults.len(), others.join("\n"));
    assert!(share >= least, "{share}:\n{}", others.join("\n"));
}

#[test]
fn most_faults_are_named() {
    let usual = include_str!("../../perft-suites/chess/diagnosis.epd");
    let (step, least) = sample((10, 0.9), (1, 0.7));
    most_are_named::<chess::Board>(&tasks(&[usual]), step, least);
    let xiangqi = include_str!("../../perft-suites/xiangqi/diagnosis.epd");
    most_are_named::<xiangqi::Board>(&tasks(&[xiangqi]), step, least);
}

/// A handful of engines, end to end: what is said of each.
#[test]
fn faults_are_described() {
    for (words, parts) in [
        (
            "xiangqi HorseChecksBlocked",
            &[
                "1. the engine sees a check by a blocked horse\n",
                " is missing: ",
                "\n   position fen ",
                "\n1 fault in ",
            ][..],
        ),
        (
            "chess RightKeptRookMovedKingSide",
            &["castles king side after that rook has moved", "\n   after ", " moves "],
        ),
        ("chess FenWingsSwapped", &["swaps K and Q when it reads a FEN\n"]),
        ("chess PieceStays", &["leaves a second piece on the square that it moves from\n"]),
        ("xiangqi:ends", &["counts a position where the game has ended as 1", "go perft 2"]),
    ] {
        let run = check(words, &[]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(parts.iter().all(|part| run.out.contains(part)), "{words}: {}", run.out);
        // Also on stderr as it was found.
        assert!(run.err.lines().any(|line| line.starts_with("found: ")), "{run:?}");
    }
}

#[test]
fn several_faults_are_told_apart() {
    let run = check("xiangqi HorseLegIgnored ElephantCrossesRiver CannonTwoScreens", &["--json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    for symptom in [
        "\"fault\":\"moves a horse over a piece on its leg\"",
        "\"fault\":\"moves an elephant over the river\"",
        "\"fault\":\"captures with a cannon over two screens\"",
    ] {
        assert_eq!(run.out.matches(symptom).count(), 1, "{symptom}: {run:?}");
    }
    assert_eq!((run.out.matches("\"rule\":").count(), run.out.lines().count()), (3, 1), "{run:?}");
}

#[test]
fn right_engines_raise_no_alarm() {
    std::thread::scope(|scope| {
        for words in ["chess", "xiangqi", "chess:searchmoves", "xiangqi:refusal"] {
            scope.spawn(move || {
                let run = check(words, &["--max-nodes", sample("12", "500")]);
                assert_eq!(run.code, Some(0), "{words}: {run:?}");
                assert!(run.out.starts_with("no fault in "), "{words}: {run:?}");
            });
        }
    });
    let own = format!("'{}'", program::own());
    for (engine, game, most) in [
        (Some(own.as_str()), "chess", "25"),
        (OtherEngine::stockfish().map(|_| "stockfish"), "chess", "12"),
        (OtherEngine::fairy_stockfish().map(|_| "fairy-stockfish"), "xiangqi", "1000"),
        (OtherEngine::fairy_stockfish().map(|_| "fairy-stockfish"), "chess", "6"),
    ] {
        let Some(engine) = engine else {
            skip_or_fail("an engine", "right_engines_raise_no_alarm");
            continue;
        };
        let most = sample(most, "1000000000");
        let mut all = vec!["check", engine, "--game", game, "--time", "3000", "--max-nodes", most];
        all.extend(["--chess960"].iter().filter(|_| game == "chess"));
        let run = program::run(&all);
        assert_eq!(run.code, Some(0), "{engine}: {run:?}");
        assert!(run.out.starts_with("no fault in "), "{engine}: {run:?}");
    }
}

#[test]
fn engines_without_perft_are_asked_move_by_move() {
    std::thread::scope(|scope| {
        for manner in ["searchmoves", "refusal"] {
            for fault in ["chess PinnedKnight", "chess EnPassantMissing"] {
                scope.spawn(move || {
                    let words = fault.replacen(' ', &format!(":{manner} "), 1);
                    let run = check(&words, &["--json", "--max-nodes", sample("80", "1000")]);
                    assert_eq!(run.code, Some(1), "{words}: {run:?}");
                    assert!(run.err.contains(" answers go perft 1 with bestmove "), "{run:?}");
                    assert!(run.err.contains("; asking about one move after another, by "), "{run:?}");
                    assert_eq!(run.out.matches("\"rule\":").count(), 1, "{words}: {run:?}");
                });
            }
        }
        scope.spawn(|| {
            let run = check("xiangqi:searchmoves ElephantEyeIgnored", &["--max-nodes", sample("80", "1000")]);
            assert!(run.out.starts_with("1. the engine moves an elephant over"), "{run:?}");
        });
        scope.spawn(|| {
            // Nothing can be decided.
            let run = check("chess:blind", &[]);
            assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{run:?}");
            assert!(run.err.contains("its moves cannot be found out"), "{run:?}");
        });
    });
}

/// An engine for xiangqi without `go perft` whose ranks are numbered from 1.
#[cfg(unix)]
#[test]
fn ranks_from_one_are_learned_move_by_move() {
    if OtherEngine::fairy_stockfish().is_none() {
        return skip_or_fail("Fairy-Stockfish", "ranks_from_one_are_learned_move_by_move");
    }
    let folder = Folder::new("ranks");
    let no_perft = "while read -r line; do case $line in 'go perft'*) echo go depth 1;; *) echo \"$line\";; esac; done";
    let script = folder.write("ranks.sh", format!("({no_perft}) | PATH=$PATH:/usr/games fairy-stockfish\n"));
    let command = format!("sh '{script}'");
    let run = program::run(&["check", &command, "--game", "xiangqi", "--max-nodes", "20", "--time", "3000"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.starts_with("no fault in ") && run.err.contains(" answers go perft 1 with "), "{run:?}");
}

/// Where the game is over engines answer with any of many words, or not at all.
#[test]
fn an_answer_that_is_no_move_accuses_nobody() {
    let words = ["a1a1", "h1h1", "a8a8", "null", "none", "0000", "", "silence", "again"];
    let (most, step) = sample(("6", 2), ("60", 1));
    let games = ["chess", "xiangqi"];
    thread::scope(|scope| {
        for manner in ["searchmoves", "refusal"] {
            scope.spawn(move || {
                // An engine must say something to `searchmoves` an illegal move.
                let (first, end) = if manner == "searchmoves" { (0, 7) } else { (step - 1, 9) };
                for (at, word) in words.iter().enumerate().take(end).skip(first).step_by(step) {
                    let game = games[usize::from(at % 4 == 3)];
                    let chess960 = &["--chess960"][..usize::from(game == "chess" && at % 2 == 0)];
                    let run = check(&format!("{game}:{manner}:{word}"), &[&["--max-nodes", most], chess960].concat());
                    assert_eq!(run.code, Some(0), "{manner} {word}: {run:?}");
                    assert!(run.out.starts_with("no fault in "), "{manner} {word}: {run:?}");
                }
            });
        }
    });
    let run = check("chess:refusal:a1a1 PinnedKnight", &["--max-nodes", sample("80", "500"), "--json"]);
    assert_eq!(run.out.matches("\"rule\":").count(), 1, "{run:?}");
}

/// Debian's engines without perft that tell whether a move is legal.
#[test]
fn real_engines_without_perft_raise_no_alarm() {
    let (most, engines) = sample(("6", 1..3), ("200", 0..3));
    let all = [("ethereal-chess", "--quiet"), ("ethereal-chess", "--chess960"), ("glaurung", "--quiet")];
    thread::scope(|scope| {
        for (engine, mode) in all.into_iter().take(engines.end).skip(engines.start) {
            scope.spawn(move || {
                let run = program::run(&["check", engine, "--max-nodes", most, "--time", "3000", mode]);
                if run.err.contains("cannot start") {
                    return skip_or_fail(engine, "real_engines_without_perft_raise_no_alarm");
                }
                assert_eq!(run.code, Some(0), "{engine}: {run:?}");
            });
        }
    });
}

/// This program as one that prints a divide, with and without the moves.
#[cfg(unix)]
#[test]
fn programs_that_print_a_divide_are_run_for_each_position() {
    let own = program::own();
    for command in [
        format!("'{own}' perft {{depth}} --divide --fen \"{{fen}}\" --moves \"{{moves}}\""),
        format!("'{own}' perft {{depth}} --divide --fen \"{{fen}}\""),
    ] {
        let arguments = ["check", "--command", &command, "--max-nodes", sample("20", "300")];
        let run = program::run(&arguments);
        assert_eq!(run.code, Some(0), "{command}: {run:?}");
        assert!(run.out.starts_with("no fault in "), "{command}: {run:?}");
    }
    let folder = Folder::new("command");
    // Castling is missing.
    let script = folder.write(
        "my-perft.sh",
        format!(
            "'{own}' perft \"$1\" --divide --fen \"$2\" --moves \"$3\" 2>/dev/null \
             | grep -v -e '^e[18][gc][18]' -e Nodes\n"
        ),
    );
    let command = format!("sh '{script}' {{depth}} \"{{fen}}\" \"{{moves}}\"");
    let run = program::run(&["check", "--command", &command, "--max-nodes", sample("20", "300")]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("castl"), "{run:?}");
}

/// One clear line for programs that are no engines, and for engines that end or never answer.
#[cfg(unix)]
#[test]
fn what_does_not_answer_gets_one_line() {
    let folder = Folder::new("check");
    let answers = |name: &str, to_go: &str| {
        let text = format!(
            "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;;\n\
             go*) {to_go};; quit) exit;; esac; done\n"
        );
        format!("sh '{}'", folder.write(name, text))
    };
    let dies = answers("dies", "exit");
    let hangs = answers("hangs", "sleep 100");
    let nonsense = answers("nonsense", "echo hello");
    let aside = "echo 'a2a3: 1' >&2";
    let mute = format!("sh '{}'", folder.write("mute", "echo uciok; echo 'no book' >&2; sleep 100\n"));
    let once = |name: &str, text: &str| format!("sh '{}' {{depth}} {{fen}}", folder.write(name, format!("{text}\n")));
    let (slow, misplaced_once) = (once("slow", "sleep 100"), once("misplaced-once", aside));
    let cases: [(&[&str], &str); 12] = [
        (&["true"], "has ended"),
        (&["no-such-engine-anywhere"], "cannot start no-such-engine-anywhere"),
        (&[&dies], "has ended without an answer"),
        (&[&hangs, "--wait", "1"], "not answer"),
        (&[&hangs, "--time", "1"], "not answer"),
        (&[&nonsense, "--wait", "1"], "not answer"),
        (&[&mute, "--wait", "1"], "; the last line on its stderr is \"no book\""),
        (&["--command", "false {depth} {fen}"], "ends with exit status: 1 for depth 1"),
        (&["--command", "echo {depth} {fen}"], "prints no divide for depth 1"),
        (&["--command", &slow, "--wait", "1"], "has not ended within 1.0 s for depth 1"),
        (&["--command", &misplaced_once], "; there are moves with counts on its stderr; expected on stdout"),
        (&["--command", "echo {depth}"], "the command has no {fen}"),
    ];
    thread::scope(|scope| {
        for (arguments, word) in cases {
            scope.spawn(move || {
                let run = program::run(&[&["check"], arguments].concat());
                run.assert_refused(&[word]);
                // Seconds have one decimal, whatever was left of the time.
                let mut times = run.err.split(" within ").skip(1).filter_map(|rest| rest.split_once(" s"));
                assert!(
                    times.all(|(time, _)| time.rsplit_once('.').is_some_and(|(_, rest)| rest.len() == 1)),
                    "{run:?}"
                );
                let is_aside = arguments.iter().any(|word| word.contains("misplaced"));
                assert_eq!(run.err.contains("moves with counts on its stderr"), is_aside, "{run:?}");
            });
        }
    });
}

/// An engine that ends in the middle is started again, and that it has ended is told.
#[cfg(unix)]
#[test]
fn an_engine_that_ends_in_the_middle_is_started_again() {
    let folder = Folder::new("middle");
    let engine = faulty::command("program::check::faulty_engine");
    let script = folder.write(
        "dies.sh",
        format!("n=0; while [ $n -lt 400 ] && read -r line; do echo \"$line\"; n=$((n+1)); done | {engine}\n"),
    );
    let command = format!("sh '{script}'");
    let arguments = ["check", &command, "--game", "xiangqi"];
    let run = finish(start(tabiya(&arguments).env(faulty::WORDS, "xiangqi HorseLegIgnored")));
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("the engine moves a horse over a piece on its leg\n"), "{run:?}");
    assert!(run.out.contains("   sh has ended without an answer") && run.out.contains(" faults in 128 "), "{run:?}");
}

/// An engine that does not know the game.
#[test]
fn an_engine_of_another_game_is_told() {
    let command = faulty::command("program::check::faulty_engine");
    let run = finish(start(tabiya(&["check", &command, "--game", "xiangqi"]).env(faulty::WORDS, "chess")));
    assert!(run.code == Some(2) && run.err.contains("it has no UCI_Variant with xiangqi"), "{run:?}");
}

#[test]
fn bad_arguments_are_refused() {
    for (arguments, word) in [
        (&["check"][..], "ENGINE is missing"),
        (&["check", "a", "b"], "put ENGINE and its arguments in quotes"),
        (&["check", "a", "--game", "go"], "unknown game"),
        (&["check", "a", "--time", "0"], "is not a number from 1"),
        (&["check", "a", "--chess960", "--game", "xiangqi"], "there is no Chess960 in this game"),
        (&["check", "a", "--max-nodes", "0"], "is not a number from 1"),
    ] {
        program::run(arguments).assert_refused(&[word]);
    }
}

/// The processes whose command line has the word, after those that were killed have had time to end.
#[cfg(target_os = "linux")]
fn processes_with(word: &str) -> Vec<String> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let folders = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = folders.filter_map(|folder| std::fs::read_to_string(folder.path().join("cmdline")).ok());
        let found = Vec::from_iter(lines.filter(|line| line.contains(word)));
        if found.is_empty() || Instant::now() > deadline {
            return found;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Engines that hang, fork and die leave no process behind, nor does a check that a signal ends, which prints what it
/// knows.
#[cfg(target_os = "linux")]
#[test]
fn no_process_is_left_behind() {
    let folder = Folder::new("left");
    // A number of seconds that is nobody else's, for each engine.
    let seconds = |number: u32| format!("{number}{:07}", std::process::id());
    let engine = |number: u32, to_go: &str| {
        let sleep = format!("sleep {}", seconds(number));
        let text = format!(
            "{sleep} & (sh -c '{sleep}' &)\nwhile read -r line; do case $line in uci) echo uciok;;\n\
             isready) echo readyok;; go*) {to_go};; esac; done\n{sleep}\n",
            to_go = to_go.replace("SLEEP", &sleep)
        );
        folder.write(&number.to_string(), text)
    };
    let engines = [engine(1, "SLEEP"), engine(2, "exit"), engine(3, "kill -SEGV $$"), engine(4, "echo x")];
    thread::scope(|scope| {
        for (number, script) in (1..).zip(&engines) {
            scope.spawn(move || {
                let ways: [&[&str]; 2] =
                    [&[&format!("sh '{script}'")], &["--command", &format!("sh '{script}' {{fen}} {{depth}}")]];
                for way in ways {
                    let run = program::run(&[&["check", "--wait", "1"], way].concat());
                    assert_eq!(run.code, Some(2), "{run:?}");
                    assert_eq!(processes_with(&seconds(number)), [""; 0], "{run:?}");
                }
            });
        }
    });
    // The right engine behind a script, with another process beside it.
    let beside = format!("sleep {} & {}\n", seconds(5), faulty::command("program::check::faulty_engine"));
    let script = format!("sh '{}'", folder.write("beside", beside));
    let words = "chess PinnedKnight EnPassantMissing CastlingKingSideMissing";
    let mut child = start(tabiya(&["check", &script]).env(faulty::WORDS, words));
    // On a busy machine a message about a slow start may come before.
    let mut messages = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(messages.any(|line| line.starts_with("found: ")));
    let killed = std::process::Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(killed.success());
    let ended = messages.any(|line| line.contains("ended by a signal"));
    let run = finish(child);
    // How much is known depends on the moment of the signal.
    assert!(run.code == Some(2) && run.out.starts_with("1. the engine ") && ended, "{run:?}");
    assert_eq!(processes_with(&seconds(5)), [""; 0], "{run:?}");
}

/// A crash is told with the question, the signal and the end of stderr, without the note after a panic.
#[cfg(unix)]
#[test]
fn a_crash_is_told_with_all_that_is_known() {
    let folder = Folder::new("crash");
    let crash = "printf \"thread 'main' died at a.rs:1:\\nindex out of bounds\\nnote: run with\\n\" >&2; kill -ABRT $$";
    let once = folder.write("once.sh", format!("{crash}\n"));
    let text = format!(
        "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) {crash};; esac; done\n"
    );
    let engine = format!("sh '{}'", folder.write("engine.sh", text));
    let once = format!("sh '{once}' {{depth}} {{fen}}");
    for (arguments, question) in [(&[engine.as_str()][..], "go perft 1"), (&["--command", &once], "for depth 1")] {
        let run = program::run(&[&["check"], arguments].concat());
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        run.assert_refused(&["signal: 6", question, fen, "died at a.rs:1: | index out of bounds"]);
        assert!(!run.err.contains("note:"), "{run:?}");
    }
}

/// A slow engine is asked one ply deep everywhere before its time is over, and is not acquitted.
#[cfg(unix)]
#[test]
fn a_slow_engine_gets_less_to_do() {
    let folder = Folder::new("slow");
    let engine = faulty::command("program::check::faulty_engine");
    let slow = "while read -r line; do case $line in go*[2-9]) sleep 0.3;; esac; echo \"$line\"; done";
    let script = format!("sh '{}'", folder.write("slow.sh", format!("{slow} | {engine}\n")));
    let arguments = ["check", &script, "--time", "4", "--game", "xiangqi"];
    let run = finish(start(tabiya(&arguments).env(faulty::WORDS, "xiangqi")));
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.out.starts_with("no fault in ") && run.out.contains(" of them counted as deep as"), "{run:?}");
    assert!(run.err.contains("--time: ") && run.err.contains("within 4 s"), "{run:?}");
}

#[test]
fn a_quiet_check_prints_one_line_for_each_fault() {
    let run = check("xiangqi HorseChecksBlocked", &["--quiet"]);
    assert_eq!((run.code, run.err.as_str(), run.out.lines().count()), (Some(1), "", 1), "{run:?}");
    for part in ["the engine sees a check by a blocked horse: ", " is missing: ", "; position fen "] {
        assert!(run.out.contains(part), "{part}: {run:?}");
    }
    let run = check("xiangqi", &["--quiet"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""));
}

/// What "no fault" means in numbers: the manual's table agrees with that of the suites, and that one with the suites.
#[test]
fn the_manual_says_in_numbers_what_no_fault_means() {
    let read = |path: &str| std::fs::read_to_string(crate::common::root().join(path)).unwrap();
    let (manual, readme) = (read("src/guide/find_bugs.md"), read("perft-suites/README.md"));
    // A kind of fault, and for each suite the positions that show it: both sides, the first side, the second.
    let rows = readme.lines().filter(|line| line.contains("`) | "));
    let rows = rows.map(|row| {
        let (kind, cells) = row.rsplit_once('`').unwrap();
        let cells = cells.split('|').filter(|cell| cell.contains('/'));
        let numbers = |cell: &str| Vec::from_iter(cell.split('/').map(|n| n.trim().parse::<usize>().unwrap()));
        (kind.rsplit_once('`').unwrap().1.to_string(), Vec::from_iter(cells.map(numbers)))
    });
    let rows = Vec::from_iter(rows);
    for (name, suites, columns) in [
        ("chess", &["chess/diagnosis.epd"][..], 2),
        ("`--chess960`", &["chess/diagnosis.epd", "chess/diagnosis960.epd"], 2),
        ("`--game xiangqi`", &["xiangqi/diagnosis.epd"], 1),
    ] {
        let (mut positions, mut kinds, mut fewest) = (0, 0, [usize::MAX; 3]);
        let texts = Vec::from_iter(suites.iter().map(|suite| read(&format!("perft-suites/{suite}"))));
        positions += texts.iter().map(|text| text.matches(" ;c0 \"").count() - 1).sum::<usize>();
        for (kind, cells) in rows.iter().filter(|(_, cells)| cells.len() == columns) {
            for (cell, text) in cells.iter().zip(&texts) {
                let names = |line: &&str| line.split(['"', ' ']).any(|word| word == kind);
                assert_eq!(text.lines().filter(names).count(), cell[0], "{kind}: perft-suites/README.md is old");
            }
            let sum = |at: usize| cells.iter().take(suites.len()).map(|cell| cell[at]).sum::<usize>();
            if sum(0) > 0 {
                kinds += 1;
                fewest = std::array::from_fn(|at| fewest[at].min(sum(at)));
            }
        }
        let [both, first, second] = fewest;
        let row = format!("| {name} | {positions} | {kinds} | {both} | {first} | {second} |");
        assert!(manual.lines().any(|line| line == row), "the manual lacks the row {row}");
    }
}
