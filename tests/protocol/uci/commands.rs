//! UCI dialogues about options, positions, the specification's example, and commands that users of other engines know.

use super::*;

#[test]
fn tablebases_are_found_and_used_and_faults_are_reported() {
    let mut pipe = Pipe::uci();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let position = "position fen 8/8/8/3k4/8/8/8/K6R w - - 0 1";
    let hits = |lines: &[String]| {
        let last = lines.iter().rev().find(|l| l.contains(" tbhits ")).expect("an info line").clone();
        last.split(' ').skip_while(|w| *w != "tbhits").nth(1).unwrap().parse::<u64>().unwrap()
    };
    pipe.send(position);
    assert_eq!(hits(&pipe.go("go depth 3")), 0, "no tables yet");
    let messages = pipe.says("setoption name SyzygyPath value /no/such/folder");
    assert!(messages[0] == "info string no tables from \"/no/such/folder\": it does not exist", "{messages:?}");
    let messages = pipe.says(&format!("setoption name SyzygyPath value /no/such/folder;{folder}"));
    assert!(messages.iter().any(|l| l.starts_with("info string Syzygy tables: 14 ")), "{messages:?}");
    let lines = pipe.go("go depth 3");
    assert!(hits(&lines) > 0, "{lines:?}");
    assert!(lines.iter().any(|l| l.contains(" score cp 27999 ")), "{lines:?}");
    pipe.send("setoption name SyzygyProbeLimit value 2");
    assert_eq!(hits(&pipe.go("go depth 3")), 0);
    assert!(pipe.says("setoption name SyzygyProbeLimit value 8")[0].contains("a number from 0 to 7"));
    pipe.send("setoption name SyzygyProbeLimit value 7\nsetoption name SyzygyPath value <empty>");
    assert_eq!(hits(&pipe.go("go depth 3")), 0);
}

#[test]
fn option_lines() {
    let mut pipe = Pipe::start();
    let lines = pipe.ask("uci", "uciok");
    for name in ["NalimovPath", "NalimovCache", "UCI_ShredderbasesPath"] {
        let announced = lines.iter().any(|line| line.contains(&format!("name {name} type ")));
        assert!(!announced, "{name} would do nothing");
    }
    // `options` lists the options and tests what they set. Here: only the attributes of the five forms.
    for line in lines.iter().filter(|line| line.starts_with("option ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|w| *w == "type").expect("a type");
        let number = |i: usize| words[i].parse::<i64>().expect("a number");
        match (words[at + 1], words.len() - at) {
            ("spin", 8) => {
                assert_eq!((words[at + 2], words[at + 4], words[at + 6]), ("default", "min", "max"));
                let (default, min, max) = (number(at + 3), number(at + 5), number(at + 7));
                assert!(min <= default && default <= max, "{line}");
            }
            ("check", 4) => assert!(["true", "false"].contains(&words[at + 3]), "{line}"),
            ("button", 2) => {}
            ("string", n) => assert!(n >= 4 && words[at + 2] == "default", "{line}"),
            ("combo", n) => {
                let (default, vars) = (words[at + 3], &words[at + 4..]);
                assert!(n >= 8 && words[at + 2] == "default", "{line}");
                let pairs = vars.chunks(2);
                assert!(pairs.clone().all(|pair| pair.len() == 2 && pair[0] == "var"), "{line}");
                assert!(pairs.clone().any(|pair| pair[1] == default), "{line}");
            }
            _ => panic!("{line}"),
        }
    }
}

#[test]
fn blanks_tabs_and_unknown_words() {
    let mut pipe = Pipe::uci();
    pipe.send("\t debug \t  on  ");
    let lines = pipe.ask("position startpos", "info");
    assert!(lines[0].starts_with("info string"), "debug is on: {lines:?}");
    pipe.send("\tdebug\toff\t");
    assert_eq!(pipe.ask("foo isready", "readyok"), ["readyok"]);
    assert_eq!(pipe.ask("\u{a0}\x0b isready\x0c", "readyok"), ["readyok"]);
    pipe.send("joho debug on");
    assert_eq!(pipe.ask("position startpos", "info").len(), 1, "joho debug on");
    let lines = pipe.go("debug off\nposition \t startpos   moves\te2e4    e7e5 \ngo \t depth    1");
    assert!(best(&lines).len() >= 4);
    let lines = pipe.ask("nothing of this is known", "info");
    assert!(lines[0].starts_with("info string unknown command"), "{lines:?}");
}

#[test]
fn misplaced_commands_change_nothing() {
    let mut pipe = Pipe::uci();
    for idle in ["stop", "ponderhit", "stop", "ponderhit", "stop"] {
        pipe.send(idle);
    }
    assert_eq!(pipe.sync(), SILENCE, "idle stop and ponderhit");
    // While thinking: the search continues unchanged, and what is set applies to the next one.
    pipe.begin("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo infinite");
    for misplaced in
        ["position fen 7k/8/8/8/8/8/8/K5R1 b - - 0 1", "setoption name MultiPV value 5", "ponderhit", "register later"]
    {
        pipe.send(misplaced);
    }
    let lines = pipe.sync();
    assert!(lines.iter().all(|line| line.starts_with("info ")), "{lines:?}");
    let lines = pipe.go("stop");
    assert!(best(&lines).starts_with(['a', 'g']), "the first position was searched");
    assert!(lines.iter().all(|line| number(line, "multipv").unwrap_or(1) == 1), "it had one line");
    assert_eq!(best(&pipe.go("go depth 1")), "h8h7", "the second");
    assert_eq!(pipe.sync(), SILENCE);
    let lines = pipe.go("position startpos\ngo depth 2");
    assert!(lines.iter().any(|line| line.contains(" multipv 5 ")), "MultiPV was set");
}

#[test]
fn debug_mode() {
    let mut pipe = Pipe::uci();
    assert_eq!(pipe.says("position startpos moves e2e4\nstop"), SILENCE, "off at first");
    assert!(pipe.says("debug on\nposition startpos moves e2e4")[0].starts_with("info string"));
    // Switching while thinking works at once.
    let lines = pipe.says("debug off\ngo infinite\nposition startpos");
    assert!(lines.iter().all(|l| !l.contains("string")), "{lines:?}");
    let lines = pipe.says("debug on\nposition startpos moves e2e4");
    assert!(lines.iter().any(|line| line.starts_with("info string position")), "{lines:?}");
    pipe.go("stop");
}

#[test]
fn debug_mode_does_not_report_a_refused_option_as_set() {
    let mut pipe = Pipe::uci();
    pipe.says("debug on");
    for (option, fault) in [
        ("MultiPV value 0", "MultiPV: invalid value \"0\", expected a number from 1 to "),
        ("BookFile value /no/such/book.bin", "BookFile: "),
        ("UCI_SetPositionValue value often", "UCI_SetPositionValue: expected a number, clear or clearall"),
        ("UCI_SetPositionValue value 5 8/8", "UCI_SetPositionValue: FEN board"),
    ] {
        let lines = pipe.says(&format!("setoption name {option}"));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with(&format!("info string ERROR: option {fault}")), "{lines:?}");
    }
    assert_eq!(pipe.says("setoption name MultiPV value 2"), ["info string option MultiPV is 2"]);
}

#[test]
fn debug_mode_describes_the_limits() {
    let mut pipe = Pipe::uci();
    pipe.says("debug on\nposition startpos");
    for (go, message) in [
        ("go depth 2", "search up to depth 2"),
        ("go nodes 100 movetime 500 searchmoves e2e4", "search up to 100 nodes or 500 ms; 1 of 20 moves"),
        (
            "go wtime 100 btime 90 winc 1 movestogo 5",
            "search up to its share of the clock; clock 100 ms for 5 moves, increment 1 ms, \
             move overhead 10 ms",
        ),
    ] {
        assert_eq!(pipe.go(go)[0], format!("info string {message}"));
    }
    pipe.send("setoption name UCI_Opponent value GM 2800 human Gary Kasparov");
    let message = "info string option UCI_Opponent is GM 2800 human Gary Kasparov";
    assert_eq!(pipe.sync(), [message]);
    // No Rust debug output: braces, `Some`, `None`.
    let mut lines = pipe.go("setoption name UCI_ShowWDL value true\ngo infinite\nucinewgame\ngo ponder depth 2\nstop");
    lines.extend(pipe.answer());
    let strings: Vec<_> = lines.iter().filter(|line| line.starts_with("info string")).collect();
    assert!(strings.len() >= 3, "{lines:?}");
    let dumps = |line: &&String| ["{", "Some", "None"].iter().any(|word| line.contains(word));
    assert!(!strings.iter().any(dumps), "{strings:?}");
}

/// GUIs show lines that begin with `info string ERROR` to the user, but not other messages.
#[test]
fn faults_begin_with_error_and_other_messages_do_not() {
    let mut pipe = Pipe::uci();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    for fault in [
        "position fen x",
        "go depth 1",
        "go perft 1",
        "flip",
        "position",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "go depth 1 searchmoves e7e5 e2e5 e2e4",
        "setoption",
        "setoption name NoSuchOption value 1",
        "setoption name Hash value 0",
        "setoption name Ponder value maybe",
        "setoption name UCI_Variant value go",
        "setoption name BookFile value /no/such/book",
        "setoption name UCI_SetPositionValue value x",
        "setoption name UCI_SetPositionValue value 1 x",
        &format!("setoption name UCI_Opponent value {}", "x".repeat(2 << 20)),
    ] {
        let search = fault.starts_with("go depth");
        let lines = if search { pipe.go(fault) } else { pipe.ask(&format!("{fault}\nisready"), "readyok") };
        let errors = lines.iter().filter(|line| line.starts_with("info string ERROR: ")).count();
        let strings = lines.iter().filter(|line| line.starts_with("info string")).count();
        assert!(errors > 0 && errors == strings, "{fault:.60}: {lines:?}");
    }
    pipe.send("position startpos");
    for command in [
        "nonsense",
        "help",
        "compiler",
        "position fen 4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 0",
        "setoption name BookFile value",
        &format!("setoption name SyzygyPath value {folder}"),
        "position fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1",
    ] {
        let lines = pipe.says(command);
        assert!(lines[0].starts_with("info string "), "{command}: {lines:?}");
        assert!(lines.iter().all(|line| !line.contains("ERROR")), "{command}: {lines:?}");
    }
}

#[test]
fn isready_is_answered_after_the_earlier_commands() {
    // A table is allocated and cleared, and commands with visible output.
    let mut pipe = Pipe::uci();
    for (task, done) in [
        ("setoption name Hash value 256\nucinewgame\nsetoption name Hash value 0", "info string ERROR: option Hash"),
        ("setoption name Threads value 4\nposition fen nonsense", "info string ERROR: position rejected"),
        ("position startpos moves e2e4\nd", "Checkers:"),
        ("setoption name Hash value 16\neval", "Final evaluation"),
        ("bench 1", "info string"),
    ] {
        let lines = pipe.ask(&format!("{task}\nisready"), "readyok");
        let shown = |line: &String| line.starts_with(done) || task == "bench 1" && line.ends_with(" nps");
        assert!(lines.iter().any(shown), "{task} before readyok: {lines:?}");
    }
}

#[test]
fn setoption() {
    let mut pipe = Pipe::uci();
    // MultiPV n shows n lines.
    let lines_at = |pipe: &mut Pipe, setting: &str| {
        assert_eq!(pipe.says(setting), SILENCE, "{setting}");
        let lines = pipe.go("go depth 2");
        lines.iter().filter_map(|line| pipe::number(line, "multipv")).max().unwrap_or(1)
    };
    assert_eq!(lines_at(&mut pipe, "setoption name MultiPV value 3"), 3);
    assert_eq!(lines_at(&mut pipe, "setoption name mULTIpv value 2"), 2);
    assert_eq!(lines_at(&mut pipe, "setoption foo name MultiPV  value   4  "), 4);
    assert_eq!(lines_at(&mut pipe, "setoption name MultiPV value 1"), 1);
    for fine in [
        "setoption name Clear Hash",
        "setoption name clear   HASH",
        "setoption name hASH value 8",
        "setoption name Move Overhead value 100",
        "setoption name UCI_Opponent value GM 2800 human Gary Kasparov",
        "setoption name UCI_EngineAbout value x",
        "setoption name Ponder value TRUE",
    ] {
        assert_eq!(pipe.says(fine), SILENCE, "{fine}");
    }
    // `name` and `value` are in no name, default or choice of this program.
    let lines = pipe.ask("uci", "uciok");
    let options: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("option name ")).collect();
    for option in &options {
        let divides = option.split([' ', '\t']).any(|word| ["name", "value"].contains(&word));
        assert!(!divides, "{option}");
    }
    // A line has no second option; the whole rest is the value of the first one.
    let second = "setoption name UCI_Opponent value none none computer X name MultiPV value 3";
    assert_eq!(lines_at(&mut pipe, second), 1, "{second}");
    assert!(
        pipe.says("setoption name Hash value 8 name MultiPV value 3")[0]
            .contains("invalid value \"8 name MultiPV value 3\"")
    );
    // The running search continues unchanged.
    pipe.begin("position startpos\ngo infinite");
    pipe.send("setoption name MultiPV value 3");
    let mut lines = pipe.listen(SHORT);
    lines.extend(pipe.go("stop"));
    assert!(lines.iter().all(|line| number(line, "multipv").unwrap_or(1) == 1), "{lines:?}");
    assert_eq!(lines_at(&mut pipe, "setoption name MultiPV value 1"), 1);
    // The program has options of its own besides those of the protocol; each can be set.
    let standard = ["Hash", "Clear Hash", "Ponder", "OwnBook", "MultiPV"];
    let own = options.iter().filter_map(|option| {
        let (name, kind) = option.split_once(" type ")?;
        let numbers = kind.starts_with("spin ").then(|| kind.split(' ').nth(2)).flatten()?;
        (!standard.contains(&name) && !name.starts_with("UCI_")).then_some((name, numbers))
    });
    let own: Vec<_> = own.collect();
    assert!(own.len() >= 2, "{options:?}");
    for (name, default) in own {
        assert_eq!(pipe.says(&format!("setoption name {name} value {default}")), SILENCE, "{name}");
        assert!(
            pipe.says(&format!("setoption name {name} value -1"))[0].contains(&format!("option {name}: ")),
            "{name}"
        );
    }
    // Errors give the option's name and range, and the option does not change.
    for (bad, reason) in [
        ("setoption name Hash value 0", "option Hash: invalid value \"0\", expected a number from 1 to"),
        ("setoption name Hash value lots", "option Hash"),
        ("setoption name Hash", "option Hash"),
        ("setoption name Ponder value 7", "expected true or false"),
        ("setoption name Threads value -1", "option Threads"),
        ("setoption name UCI_Elo value 99999", "option UCI_Elo"),
        ("setoption name Nonsense value 1", "unknown option \"Nonsense\""),
        ("setoption", "expected the name"),
        ("setoption value 3", "expected the name"),
    ] {
        let line = pipe.says_once(bad);
        assert!(line.contains(reason), "{bad}: {line}");
    }
}

#[test]
fn register_is_accepted_in_silence() {
    let mut pipe = Pipe::uci();
    for rest in [" later", " name DimaBest code 123456789", " name Some Body", " code 4", ""] {
        assert_eq!(pipe.says(&format!("register{rest}")), SILENCE, "{rest}");
    }
}

#[test]
fn new_games() {
    let mut pipe = Pipe::uci();
    // Never sent before the first search.
    let lines = pipe.go("go depth 7");
    pipe::replay("startpos", &[&best(&lines)]);
    assert!(!pipe::analysis(&lines).is_empty(), "it plays without ucinewgame");
    // Within a game the table is kept; `ucinewgame` must clear it.
    let later = pipe.go("go depth 7");
    // `readyok` comes after the work of `ucinewgame`, and after a message.
    pipe.send("setoption name Hash value 512\nsetoption name Hash value 16");
    let ready = pipe.ask("ucinewgame\nsetoption name None value 1\nisready", "readyok");
    assert_eq!(ready.len(), 2, "the message, then readyok: {ready:?}");
    let again = pipe.go("go depth 7");
    let strip = |lines: &[String]| -> Vec<(Option<i64>, Vec<String>)> {
        pipe::analysis(lines)
            .iter()
            .map(|l| (pipe::number(l, "nodes"), pipe::pv(l).iter().map(|m| m.to_string()).collect()))
            .collect()
    };
    assert_eq!(strip(&lines), strip(&again), "the table is cleared");
    assert_ne!(strip(&lines), strip(&later), "without ucinewgame the table is kept");
    for command in ["setoption name Clear Hash", "setoption name Hash value 16", "ucinewgame"] {
        pipe.send(command);
        assert_eq!(strip(&lines), strip(&pipe.go("go depth 7")), "{command} clears the table and the histories");
    }
}

#[test]
fn position_in_all_its_forms() {
    let mut pipe = Pipe::uci();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let open = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let castled = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 1 1";
    assert_eq!(fen(&mut pipe), start, "before any position");
    for (command, expected) in [
        ("position startpos moves e2e4 e7e5", open),
        ("position startpos", start),
        ("position moves e2e4 e7e5", open),
        ("position startpos moves", start),
        (&format!("position fen {kiwipete}"), kiwipete),
        (&format!("position fen {kiwipete} moves e1g1"), castled),
        (&format!("position  fen  {} \t moves", open.replace(' ', "  ")), open),
        ("position startpos foo moves e2e4 e7e5", open),
        ("position fen 8/P6k/8/8/8/8/7K/8 w - - moves a7a8n", "N7/7k/8/8/8/8/7K/8 b - - 0 1"),
    ] {
        pipe.send(command);
        let reported = usize::from(command.contains("foo"));
        assert_eq!(pipe.sync().len(), reported, "{command}");
        assert_eq!(fen(&mut pipe), expected, "{command}");
        let lines = pipe.go("go depth 1");
        pipe::replay(expected, &[&best(&lines)]);
        assert!(lines.len() > 1, "that position is analysed: {lines:?}");
    }
    // An illegal move is reported, and the rest of the moves are dropped.
    for (command, expected, at) in [
        ("position startpos moves e2e4 e7e5 e1e3 d2d4", open, "move 3: \"e1e3\""),
        ("position startpos moves e2e4 e7e5 0001", open, "move 3"),
        ("position startpos moves e2e4 e7e5 O-O", open, "move 3"),
        ("position startpos moves e2e5 e2e4 e7e5", start, "move 1"),
    ] {
        let line = pipe.says_once(command);
        assert!(line.starts_with("info string") && line.contains(at), "{line}");
        assert_eq!(fen(&mut pipe), expected, "{command}");
    }
    // An invalid position is reported, and the old one kept.
    pipe.send(&format!("position fen {kiwipete}"));
    for bad in ["8/8/8/8/8/8/8/8 w - - 0 1", "", "startpos", "rnbqkbnr/pppppppp", &"8/".repeat(99)] {
        let line = pipe.says_once(&format!("position fen {bad} moves e2e4"));
        assert!(line.starts_with("info string ERROR: position rejected"), "{line}");
        assert_eq!(fen(&mut pipe), kiwipete, "{bad:?}");
    }
}

#[test]
fn the_example_dialogue() {
    let mut pipe = Pipe::start();
    let lines = pipe.ask("uci", "uciok");
    let words =
        ["id name Tabiya ", "id author ", "option name Hash type spin default ", "option name Clear Hash type button"];
    let places = words.map(|start| lines.iter().position(|line| line.starts_with(start)));
    assert!(places[0].is_some() && places.is_sorted(), "{lines:?}");
    for kind in ["check", "spin", "combo", "string"] {
        let of_kind = lines.iter().filter(|line| line.contains(&format!(" type {kind}")));
        let form = format!(" type {kind} default ");
        assert!(of_kind.clone().count() > 0 && of_kind.clone().all(|line| line.contains(&form)), "{lines:?}");
    }
    // A GUI that only reads the options quits here.
    let mut other = Pipe::uci();
    other.send("quit");
    assert!(other.ended(LEAVING).is_some_and(|status| status.success()));
    let hash = "setoption name Hash value 32\nsetoption name NalimovCache value 1";
    let lines = pipe.says(&format!(r"{hash}{}setoption name NalimovPath value d:\tb;c\tb", '\n'));
    let told = |line: &String, name: &str| line.starts_with("info string") && line.contains(name);
    assert!(lines.len() == 2 && told(&lines[0], "NalimovCache") && told(&lines[1], "NalimovPath"), "{lines:?}");
    let commands = "ucinewgame\nsetoption name UCI_AnalyseMode value true\nposition startpos moves e2e4 e7e5";
    assert_eq!(pipe.says(commands), SILENCE, "all commands are accepted");
    pipe.send("go infinite");
    let seen = pipe.listen_until(PATIENCE, |lines| analysis(lines).len() >= 4);
    assert!(seen.iter().all(|line| info_fields(line).is_ok()), "{seen:?}");
    std::thread::sleep(SHORT);
    let lines = pipe.go("stop");
    let root = pipe::replay("startpos", &["e2e4", "e7e5"]).to_string();
    legal_best::<tabiya::chess::Board>(&root, &lines);
    assert_eq!(pipe.sync(), SILENCE, "one answer, ready for more, and silent");
}

#[test]
fn commands_known_from_other_engines() {
    let mut pipe = Pipe::start();
    // Any command may come first.
    assert_eq!(fen(&mut pipe), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    pipe.send("position startpos moves e2e4\nflip");
    assert_eq!(fen(&mut pipe), "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    pipe.send("flip");
    assert_eq!(fen(&mut pipe), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    let lines = pipe.ask_block("eval", "Final");
    assert!(lines.last().unwrap().ends_with(" (white side)"), "{lines:?}");
    // Every rank has four lines; kings have no value to show.
    assert_eq!(lines.len(), 1 + 1 + 8 * 3 + 1 + 1 + 1, "{lines:?}");
    let [pieces, values] = [&lines[2], &lines[3]];
    assert_eq!(pieces.matches(" r ").count(), 2, "{lines:?}");
    assert_eq!(values.matches('-').count(), 7, "Black's pieces have negative values: {lines:?}");
    pipe.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    let lines = pipe.ask("d", "Checkers:");
    assert_eq!(lines.last().map(String::as_str), Some("Checkers: e2"));
    assert_eq!(pipe.ask_block("eval", "Final"), ["Final evaluation: none (in check)"]);
    assert!(pipe.ask("compiler", "info")[0].starts_with("info string tabiya"));
    assert!(pipe.ask("help", "info")[0].contains("ponderhit"));
}
