//! the three states, and the commands of each.

use super::*;

#[test]
fn the_first_command_chooses_the_protocol() {
    // Unknown words do not choose a protocol.
    let mut pipe = Pipe::start();
    let lines = pipe.ask("cxboard\nhello\nucci", "ucciok");
    assert!(lines[0].contains("unknown command"), "{lines:?}");
    assert_eq!(pipe.ask("quit", "bye"), ["bye"]);
    // The other protocol.
    let mut pipe = Pipe::start();
    pipe.ask("uci", "uciok");
    assert_eq!(pipe.says("stop"), SILENCE, "this is UCI now");
    // Before a protocol is chosen, `quit` prints no `bye`.
    for text in ["quit\n", ""] {
        let mut pipe = Pipe::start();
        pipe.send_bytes(text.as_bytes());
        pipe.close();
        assert!(pipe.ended(LEAVING).is_some_and(|status| status.success()));
        assert_eq!(pipe.rest(), SILENCE);
    }
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
fn other_commands_do_not_disturb_the_search() {
    let mut pipe = ucci();
    pipe.begin(&format!("position fen {MATE_IN_ONE}\ngo ponder time 60000 increment 0"));
    for command in ["nonsense", "position startpos", "banmoves h2e2", "setoption style risky", "d"] {
        pipe.send(command);
    }
    let lines = pipe.sync();
    let messages: Vec<_> = lines.iter().filter(|line| line.contains("message")).collect();
    assert_eq!(messages, ["info message unknown command \"nonsense\""]);
    let lines = pipe.go("stop");
    assert_eq!(legal_best(MATE_IN_ONE, &lines), "b7b9", "still the first position");
    // All commands are executed.
    assert_eq!(fen(&mut pipe), START);
    assert_ne!(legal_best(START, &pipe.go("go depth 1")), "h2e2");
}

#[test]
fn go_thinks_about_the_position_and_bestmove_does_not_change_it() {
    let mut pipe = ucci();
    pipe.send(&format!("position fen {MATE_IN_ONE}"));
    for _ in 0..3 {
        // After the move b9 would be occupied: only the same position has the same mate.
        let lines = pipe.go("go depth 3");
        assert_eq!(legal_best(MATE_IN_ONE, &lines), "b7b9");
    }
    assert_eq!(fen(&mut pipe), MATE_IN_ONE);
}

#[test]
fn a_clock_counts_for_one_search_only() {
    let mut pipe = ucci();
    pipe.send("position startpos");
    legal_best(START, &pipe.go("go time 100 increment 0"));
    pipe.send("go infinite");
    assert!(!pipe.thinks(2 * SHORT).is_empty());
    pipe.go("stop");
}

#[test]
fn batch_mode_reads_nothing_while_thinking() {
    let other = "rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
    let script = format!("position fen {START}\ngo depth 7\nposition fen {other}\nisready\ngo depth 7\nstop\nquit\n");
    // As in the document, all at once from a file.
    let mut pipe = Pipe::start();
    let options = "setoption usebook false\nsetoption batch true";
    pipe.send_bytes(format!("ucci\n{options}\n{script}").as_bytes());
    pipe.close();
    let lines = pipe.until_within("bye", Duration::from_secs(60));
    assert!(pipe.ended(LEAVING).is_some_and(|status| status.success()));
    let order: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split(' ').next())
        .filter(|word| !["info", "id", "option"].contains(word))
        .collect();
    let expected = ["ucciok", "bestmove", "readyok", "bestmove", "nobestmove", "bye"];
    assert_eq!(order, expected, "in order, and every search is finished");
    assert_eq!(lines.iter().filter(|line| line.starts_with("info depth 7 ")).count(), 2);
    // Without batch mode `stop` works at once, and the commands before it are executed too.
    let mut pipe = ucci();
    pipe.begin(&format!("position fen {START}\ngo infinite"));
    // A few iterations may come from the hash table.
    pipe.send(&format!("position fen {other}\ngo depth 40\nstop"));
    legal_best(START, &pipe.answer());
    let lines = pipe.answer();
    legal_best(other, &lines);
    assert!(lines.iter().all(|line| !line.starts_with("info depth 40 ")), "stopped too");
    assert_eq!(pipe.sync(), SILENCE, "one answer for each");
    // A search that only a command can end is ended by `stop`, even in batch mode.
    pipe.begin("setoption batch true\ngo infinite");
    legal_best(other, &pipe.go("stop"));
    // Batch mode switched off again.
    pipe.begin("setoption batch false\ngo depth 60");
    legal_best(other, &pipe.go("stop"));
}

#[test]
fn stop_while_idle_is_answered() {
    let mut pipe = ucci();
    for _ in 0..3 {
        assert_eq!(pipe.ask("stop", "nobestmove"), ["nobestmove"]);
    }
    assert_eq!(pipe.says("ponderhit\nponderhit draw"), SILENCE, "only stop is answered");
    // A `stop` that arrives after the search has ended gets its own answer.
    pipe.go("position startpos\ngo depth 1");
    assert_eq!(pipe.ask("stop", "nobestmove"), ["nobestmove"]);
}
