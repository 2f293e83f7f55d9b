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
use tabiya::doctor::check::naming::groups;
use tabiya::doctor::check::{Checker, Task};
use tabiya::doctor::diff::Node;
use tabiya::doctor::faults::{Diagnosis, Fault, FaultKind};
use tabiya::doctor::program::{Divider, Question};
use tabiya::game::text::fen::Tolerance;
use tabiya::game::{Board, Side};
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
    let command = faulty::command("check::faulty_engine");
    let game = words.split([' ', ':']).next().unwrap();
    let mut all = vec!["check", &command, "--game", game, "--no-speed"];
    if !arguments.contains(&"--time") {
        all.extend(["--time", "3000"]);
    }
    all.extend(arguments);
    finish(start(tabiya(&all).env(faulty::WORDS, words)))
}

/// A faulty engine without the process around it.
fn direct<B: Diagnosis>(faults: &str) -> Divider<'static> {
    forgetful::<B>(faults, |_| false)
}

/// The same that loses its last move when it counts below positions of some FENs.
fn forgetful<B: Diagnosis>(faults: &str, forgets: impl Fn(&str) -> bool + 'static) -> Divider<'static> {
    let mut engine = Engine::<B>::new(faults);
    Divider::new("faulty", true, move |Question { fen, moves, depth, .. }| {
        engine.position(&format!("fen {fen} moves {moves}"));
        let mut counts = engine.divide(depth);
        counts.truncate(counts.len().saturating_sub(usize::from(depth > 1 && forgets(fen))));
        let total: u64 = counts.iter().map(|&(_, count)| count).sum();
        let lines: String = counts.iter().map(|(m, count)| format!("{m}: {count}\n")).collect();
        Ok(format!("{lines}Nodes searched: {total}\n"))
    })
}

/// What is named for an engine with one fault, if it is not exactly that fault.
fn misnamed<B: Diagnosis>(tasks: &[Task<B>], fault: Fault<B::Fault>) -> Option<String> {
    let word = match fault.side {
        None => format!("{:?}", fault.kind),
        Some(side) => format!("{:?}:{}", fault.kind, side.index()),
    };
    let mut checker = Checker::new(direct::<B>(&word), None);
    for task in tasks {
        checker.check(task).unwrap();
    }
    let groups = groups(&checker.found, &checker.right, &checker.agreed, &[]);
    let right = match &groups[..] {
        [group] => {
            let rules = fault.kind.rules();
            let explained = group.explanation.as_ref();
            let is_named = explained.is_none_or(|e| rules.is_empty() || rules.contains(&e.rule));
            group.fault == Some(fault) && is_named
        }
        _ => false,
    };
    let named = groups.iter().map(|g| {
        let explained = g.explanation.as_ref().map_or(String::new(), |e| e.sentence.clone());
        (g.fault, &g.text, &g.wrong, explained)
    });
    let named: Vec<_> = named.collect();
    (!right).then(|| format!("{fault:?}: {named:?}"))
}

/// The tasks of a diagnosis suite with their nodes.
fn tasks<B: Board>(text: &str) -> Vec<(Task<B>, u128)> {
    let entries = suite_reader::read::<B>(text, &Tolerance::strict()).unwrap();
    let task = |entry: &suite::Entry<B>| {
        let &(depth, nodes) = entry.counts.last().unwrap();
        (Task { position: entry.position, depth }, nodes)
    };
    entries.iter().map(task).collect()
}

/// Checks the engines with each of the faults, on two threads. The positions with few nodes, a tenth of all nodes, name
/// most of the faults; the whole suite must name the others.
fn all_are_named<B: Diagnosis>(tasks: &[(Task<B>, u128)], faults: &[Fault<B::Fault>]) {
    let most = sample(1_000, 0);
    let small = Vec::from_iter(tasks.iter().filter(|task| task.1 <= most).map(|task| task.0));
    let all = Vec::from_iter(tasks.iter().map(|task| task.0));
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(&fault) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = misnamed(&small, fault).and_then(|_| misnamed(&all, fault));
                    wrong.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), faults.len(), wrong.join("\n"));
}

/// Every kind of fault, of both sides together; in the normal run a fifth of them, from all over the table.
fn every_kind<B: Diagnosis>() -> Vec<Fault<B::Fault>> {
    Fault::all().into_iter().filter(|fault| fault.side.is_none()).step_by(sample(5, 1)).collect()
}

#[test]
fn every_fault_of_xiangqi_is_found_and_named() {
    let suite = include_str!("../../perft-suites/xiangqi/diagnosis.epd");
    all_are_named::<xiangqi::Board>(&tasks(suite), &every_kind::<xiangqi::Board>());
}

#[test]
fn every_fault_of_chess_is_found_and_named() {
    let usual = tasks(include_str!("../../perft-suites/chess/diagnosis.epd"));
    let mut all = usual.clone();
    all.extend(tasks(include_str!("../../perft-suites/chess/diagnosis960.epd")));
    // In Chess960 a king that takes its own rook is written as castling is.
    let faults = every_kind::<chess::Board>().into_iter();
    let (own, others): (Vec<_>, Vec<_>) =
        faults.partition(|fault| fault.kind == tabiya::doctor::chess::ChessFault::CapturesOwnPiece);
    all_are_named::<chess::Board>(&usual, &own);
    all_are_named::<chess::Board>(&all, &others);
}

/// A fault of both sides is refuted by positions of one side whose moves are right.
#[test]
fn right_moves_refute_faults() {
    let tasks = tasks::<xiangqi::Board>(include_str!("../../perft-suites/xiangqi/diagnosis.epd"));
    let mut checker = Checker::new(direct::<xiangqi::Board>("ElephantCrossesRiver:1"), None);
    tasks.iter().for_each(|(task, _)| checker.check(task).unwrap());
    let named = |right: &[Node<xiangqi::Board>]| groups(&checker.found, right, &[], &[])[0].fault.unwrap().side;
    assert_eq!((named(&checker.right), named(&[])), (Some(Side::Second), None));
}

/// An engine that spoils its board while it counts has the moves when it lists them.
#[test]
fn moves_that_are_lost_in_a_count_are_wrong_counts() {
    let is_near = |fen: &str| {
        let ranks = Vec::from_iter(fen.split(['/', ' ']));
        ranks[1].contains('P') || ranks[6].contains('p')
    };
    let mut checker = Checker::<chess::Board>::new(forgetful::<chess::Board>("", is_near), None);
    for (task, _) in tasks::<chess::Board>(include_str!("../../perft-suites/chess/diagnosis.epd")) {
        checker.check(&task).unwrap();
    }
    let wrong = Vec::from_iter(checker.found.iter().flat_map(|node| &node.wrong));
    assert!(wrong.len() > 10 && wrong.iter().all(|(wrong, _)| wrong.kind() == "miscounted"), "{wrong:?}");
    let groups = groups(&checker.found, &checker.right, &checker.agreed, &[]);
    let deeds = Vec::from_iter(groups.iter().filter_map(|group| group.deed.as_deref()));
    assert!(
        matches!(deeds[..], [deed] if deed.starts_with("counts wrongly while a pawn is a step from promotion")),
        "{deeds:?}"
    );
}

#[test]
fn a_fault_is_explained_with_its_smallest_position() {
    let run = check("xiangqi HorseChecksBlocked", &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    let head = ["1. check by a horse", "   the engine sees a check by a blocked horse"];
    assert_eq!(lines[..2], head, "{run:?}");
    assert!(lines[2].contains(" is missing: the horse on ") && lines[2].ends_with(" is blocked"));
    assert!(lines[3].starts_with("   position fen "), "{run:?}");
    assert!(lines.last().unwrap().starts_with("1 fault in "), "{run:?}");
    // Also on stderr as it was found.
    assert!(run.err.lines().any(|line| line.starts_with("found: ")), "{run:?}");
}

#[test]
fn a_state_that_is_lost_in_making_moves_is_shown_with_its_moves() {
    let run = check("chess RightKeptRookMovedKingSide", &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let place = run.out.lines().find(|line| line.contains("position fen")).unwrap();
    assert!(place.contains(" moves "), "{run:?}");
}

#[test]
fn finished_positions_that_are_counted_are_one_fault() {
    let run = check("xiangqi:ends", &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines[..2],
        ["1. counting", "   the engine counts every finished game, mate or stalemate, as one"],
        "{run:?}"
    );
    assert!(run.out.lines().last().unwrap().contains(" in 123 positions, "), "{run:?}");
}

#[test]
fn several_faults_are_told_apart() {
    let run = check("xiangqi HorseLegIgnored ElephantCrossesRiver:1 CannonTwoScreens", &["--json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    for deed in [
        "\"fault\":\"moves a horse over a piece on its leg\"",
        "\"fault\":\"moves an elephant over the river as Black\"",
        "\"fault\":\"captures with a cannon over two screens\"",
    ] {
        assert_eq!(run.out.matches(deed).count(), 1, "{deed}: {run:?}");
    }
    assert_eq!((run.out.matches("\"rule\":").count(), run.out.lines().count()), (3, 1), "{run:?}");
}

#[test]
fn right_engines_raise_no_alarm() {
    std::thread::scope(|scope| {
        for words in ["chess", "xiangqi", "chess:searchmoves", "xiangqi:refusal"] {
            scope.spawn(move || {
                let run = check(words, &["--max-nodes", "500"]);
                assert_eq!(run.code, Some(0), "{words}: {run:?}");
                assert!(run.out.starts_with("no fault in "), "{words}: {run:?}");
            });
        }
    });
    let own = format!("'{}'", program::own());
    for (engine, game) in [
        (Some(own.as_str()), "chess"),
        (OtherEngine::stockfish().map(|_| "stockfish"), "chess"),
        (OtherEngine::fairy_stockfish().map(|_| "fairy-stockfish"), "xiangqi"),
        (OtherEngine::fairy_stockfish().map(|_| "fairy-stockfish"), "chess"),
    ] {
        let Some(engine) = engine else {
            skip_or_fail("an engine", "right_engines_raise_no_alarm");
            continue;
        };
        let mut all = vec!["check", engine, "--game", game, "--no-speed", "--time", "3000"];
        all.extend(["--chess960"].iter().filter(|_| game == "chess"));
        let run = program::run(&all);
        assert_eq!(run.code, Some(0), "{engine}: {run:?}");
        assert!(run.out.starts_with("no fault in "), "{engine}: {run:?}");
    }
}

#[test]
fn speeds_are_compared() {
    // A slow engine is not asked about deep trees, which the best known engine would have to count too.
    let command = faulty::command("check::faulty_engine");
    let arguments = ["check", &command, "--max-nodes", "60", "--time", "3000"];
    let run = finish(start(tabiya(&arguments).env(faulty::WORDS, "chess")));
    assert_eq!(run.code, Some(0), "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "nodes a second:", "{run:?}");
    assert!(lines[2].trim_start().starts_with("tabiya "), "{run:?}");
}

#[test]
fn engines_without_perft_are_asked_move_by_move() {
    std::thread::scope(|scope| {
        for manner in ["searchmoves", "refusal"] {
            for fault in ["chess PinnedKnight", "chess CastlingRookStays"] {
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
            assert!(run.out.starts_with("1. elephant's eye\n   the engine moves an elephant over"), "{run:?}");
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
    let most = sample("8", "60");
    let games = ["chess", "xiangqi"];
    thread::scope(|scope| {
        for manner in ["searchmoves", "refusal"] {
            scope.spawn(move || {
                // An engine must say something to `searchmoves` an illegal move.
                let words = &words[..if manner == "searchmoves" { 7 } else { 9 }];
                for (at, word) in words.iter().enumerate() {
                    let game = games[usize::from(at % 4 == 3)];
                    let chess960 = &["--chess960"][..usize::from(game == "chess" && at % 2 == 0)];
                    let run = check(&format!("{game}:{manner}:{word}"), &[&["--max-nodes", most], chess960].concat());
                    assert_eq!(run.code, Some(0), "{manner} {word}: {run:?}");
                    assert!(run.out.starts_with("no fault in "), "{manner} {word}: {run:?}");
                }
            });
        }
    });
    let run = check("chess:refusal:a1a1 PinnedKnight", &["--max-nodes", "500", "--json"]);
    assert_eq!(run.out.matches("\"rule\":").count(), 1, "{run:?}");
}

/// Debian's engines without perft that tell whether a move is legal.
#[test]
fn real_engines_without_perft_raise_no_alarm() {
    let most = sample("20", "200");
    thread::scope(|scope| {
        for (engine, mode) in
            [("ethereal-chess", "--no-speed"), ("ethereal-chess", "--chess960"), ("glaurung", "--no-speed")]
        {
            scope.spawn(move || {
                let run = program::run(&["check", engine, "--max-nodes", most, "--time", "3000", mode]);
                if run.err.contains("cannot start") {
                    return skip_or_fail(engine, "real_engines_without_perft_raise_no_alarm");
                }
                assert_eq!(run.code, Some(0), "{engine}: {run:?}");
                assert!(run.out.starts_with("no fault in "), "{engine}: {run:?}");
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
        let arguments = ["check", "--command", &command, "--no-speed", "--max-nodes", sample("100", "300")];
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
    let run = program::run(&["check", "--command", &command, "--no-speed", "--max-nodes", sample("100", "300")]);
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
    let engine = faulty::command("check::faulty_engine");
    let script = folder.write(
        "dies.sh",
        format!("n=0; while [ $n -lt 200 ] && read -r line; do echo \"$line\"; n=$((n+1)); done | {engine}\n"),
    );
    let command = format!("sh '{script}'");
    let arguments = ["check", &command, "--game", "xiangqi"];
    let run = finish(start(tabiya(&arguments).env(faulty::WORDS, "xiangqi HorseLegIgnored")));
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.starts_with("1. horse's leg\n") && run.out.contains("2. no answer\n"), "{run:?}");
    assert!(run.out.contains("   sh has ended without an answer") && run.out.contains("2 faults in 123 "), "{run:?}");
}

/// An engine that does not know the game.
#[test]
fn an_engine_of_another_game_is_told() {
    let command = faulty::command("check::faulty_engine");
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
    let beside = format!("sleep {} & {}\n", seconds(5), faulty::command("check::faulty_engine"));
    let script = format!("sh '{}'", folder.write("beside", beside));
    let mut child = start(tabiya(&["check", &script]).env(faulty::WORDS, "chess PinnedKnight"));
    // On a busy machine a message about a slow start may come before.
    let mut messages = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(messages.any(|line| line.starts_with("found: ")));
    let killed = std::process::Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(killed.success());
    let ended = messages.any(|line| line.contains("ended by a signal"));
    let run = finish(child);
    // How much is known depends on the moment of the signal.
    assert!(run.code == Some(2) && run.out.contains("is pinned to its king") && ended, "{run:?}");
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

/// What is known is printed although the speeds cannot be compared.
#[cfg(unix)]
#[test]
fn a_failing_comparison_of_speeds_leaves_the_report() {
    let folder = Folder::new("speed");
    // It ends at the fifth divide of the start position: the first two try whether it prints totals, the third is
    // one of the small positions, the fourth of a suite.
    let engine = faulty::command("check::faulty_engine");
    let script = folder.write(
        "speed.sh",
        format!(
            "n=0; while read -r line; do case $line in *rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR*) s=1;;\n\
             position*) s=0;; 'go perft 1') n=$((n+s)); [ $n = 5 ] && exit;; esac; echo \"$line\"; done | {engine}\n"
        ),
    );
    let arguments = ["check", &format!("sh '{script}'"), "--max-nodes", "60"];
    let run = finish(start(tabiya(&arguments).env(faulty::WORDS, "chess")));
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.out.starts_with("no fault in ") && run.err.contains("no speed: "), "{run:?}");
}

/// A slow engine is asked one ply deep everywhere before its time is over, and is not acquitted.
#[cfg(unix)]
#[test]
fn a_slow_engine_gets_less_to_do() {
    let folder = Folder::new("slow");
    let engine = faulty::command("check::faulty_engine");
    let slow = "while read -r line; do case $line in go*[2-9]) sleep 0.3;; esac; echo \"$line\"; done";
    let script = format!("sh '{}'", folder.write("slow.sh", format!("{slow} | {engine}\n")));
    let arguments = ["check", &script, "--time", "4", "--game", "xiangqi"];
    let run = finish(start(tabiya(&arguments).env(faulty::WORDS, "xiangqi")));
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.out.starts_with("no fault in ") && run.out.contains("only one ply deep"), "{run:?}");
    assert!(run.err.contains("--time: ") && run.err.contains("within 4 s"), "{run:?}");
}

#[test]
fn a_quiet_check_prints_one_line_for_each_fault() {
    let run = check("xiangqi HorseChecksBlocked", &["--quiet"]);
    assert_eq!((run.code, run.err.as_str(), run.out.lines().count()), (Some(1), "", 1), "{run:?}");
    for part in ["check by a horse: the engine sees a check by a blocked horse: ", " is missing: ", "; position fen "] {
        assert!(run.out.contains(part), "{part}: {run:?}");
    }
    let run = check("xiangqi", &["--quiet"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""));
}

/// The page has a picture, the sentence and the command for each fault; JSON has the same.
#[test]
fn a_report_is_a_page_with_pictures() {
    let folder = Folder::new("report");
    let file = folder.text("report.html");
    let run = check("chess CastlingRookStays", &["--report", &file, "--json", "--max-nodes", "1000"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let page = std::fs::read_to_string(&file).unwrap();
    let faults = run.out.matches("\"rule\":").count();
    assert!(faults > 0, "{run:?}");
    for tag in ["<svg ", "</svg>", "<g class=\"a\"", "<pre>position fen ", "<section>", "</section>"] {
        assert_eq!(page.matches(tag).count(), faults, "{tag}: {page}");
    }
    assert!(!page.contains("http") && page.ends_with("</html>\n"), "no other file is needed");
    assert_eq!(page.matches("<details><summary>All ").count(), faults, "{page}");
    for member in ["\"command\":\"position fen ", "\"squares\":[\""] {
        assert_eq!(run.out.matches(member).count(), faults, "{member}: {run:?}");
    }
    let xiangqi = check("xiangqi HorseChecksBlocked", &["--report", &file]);
    assert_eq!(xiangqi.code, Some(1), "{xiangqi:?}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("<text x="));
    program::run(&["check", "true", "--report", "/no/such/folder/page.html"])
        .assert_refused(&["--report: cannot write"]);
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
