//! UCI for xiangqi: `UCI_Variant` changes the game, and all of UCI works with it. The tests set ranks from 0 to 9;
//! `ranks` tests the detection. Chess is not affected.

use crate::pipe::{self, LEAVING, Pipe, analysis, best, dither, number, pv};
use crate::ucci_pipe::{ENDGAME, LOST, MATE_IN_ONE, MATED, START, fen};
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;
use tabiya::xiangqi::Position;

const SILENCE: [&str; 0] = [];
const SET: &str = "setoption name XiangqiRanks value 0-9\nsetoption name UCI_Variant value xiangqi";
const CHESS_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Starts the program as a UCI engine for xiangqi.
fn xiangqi() -> Pipe {
    let mut pipe = Pipe::uci();
    pipe.send(SET);
    assert_eq!(pipe.sync(), SILENCE);
    pipe
}

/// Asserts that the answer and every line of analysis are legal in `fen`; returns the move.
fn legal_best(fen: &str, lines: &[String]) -> String {
    pipe::legal_best::<Position>(fen, lines)
}

#[test]
fn uci_96_the_variant_is_a_combo_and_changes_while_idle() {
    let mut pipe = Pipe::start();
    let lines = pipe.ask("uci", "uciok");
    let announced = "option name UCI_Variant type combo default chess var chess var xiangqi";
    assert!(lines.contains(&announced.to_string()), "UCI-96: {lines:?}");
    assert_eq!(fen(&mut pipe), CHESS_START);
    pipe.send(SET);
    assert_eq!(fen(&mut pipe), START, "the new game begins at once");
    pipe.send(SET);
    assert_eq!(pipe.sync(), SILENCE, "again");
    pipe.send("position startpos moves h2e2");
    pipe.send(SET);
    assert!(fen(&mut pipe).contains(" b "), "setting the current variant changes nothing");
    pipe.send("setoption name uci_variant value CHESS");
    assert_eq!(fen(&mut pipe), CHESS_START, "and back");
    pipe.send("setoption name UCI_Variant value shogi");
    let lines = pipe.sync();
    assert!(lines[0].contains("invalid value \"shogi\", expected one of chess, xiangqi"), "{lines:?}");
    assert_eq!(fen(&mut pipe), CHESS_START);
    // UCI-28: not while thinking, but after the search.
    pipe.send("go infinite");
    pipe.until("info");
    pipe.send(SET);
    assert_eq!(fen(&mut pipe), CHESS_START);
    pipe::replay("startpos", &[&best(&pipe.ask("stop", "bestmove"))]);
    assert_eq!(fen(&mut pipe), START);
    // Back and forth many times, with a search in each.
    for _ in 0..20 {
        pipe.send(SET);
        legal_best(START, &pipe.go("position startpos\ngo depth 2"));
        pipe.send("setoption name UCI_Variant value chess");
        pipe::replay("startpos", &[&best(&pipe.go("position startpos\ngo depth 2"))]);
    }
}

#[test]
fn uci_23_options_stay_when_the_game_changes() {
    let mut pipe = Pipe::uci();
    pipe.send("setoption name MultiPV value 3\nsetoption name Hash value 8\ndebug on");
    pipe.send("setoption name UCI_ShowWDL value true\nsetoption name Threads value 2");
    pipe.send(SET);
    pipe.sync();
    let lines = pipe.go("go depth 4");
    let most = lines.iter().filter_map(|line| number(line, "multipv")).max();
    assert_eq!(most, Some(3), "UCI-23: {lines:?}");
    assert!(analysis(&lines).iter().all(|line| line.contains(" wdl ")), "UCI-23: {lines:?}");
    pipe.send("position startpos");
    assert!(pipe.sync()[0].starts_with("info string position rnbakabnr/"), "debug is still on");
    // Options for chess only are unknown here, and there is a separate book.
    pipe.send("debug off\nsetoption name UCI_Chess960 value true");
    assert!(pipe.sync()[0].contains("unknown option"));
    let lines = pipe.ask("uci", "uciok");
    assert!(lines.iter().all(|line| !line.contains("UCI_Chess960")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("Syzygy")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("name UCI_Variant ")), "{lines:?}");
    pipe.send("setoption name BookFile value /no/such/book.bin");
    assert!(pipe.sync()[0].starts_with("info string ERROR: option BookFile: "));
    pipe.quit();
}

#[test]
fn uci_13_35_positions_and_moves() {
    let mut pipe = xiangqi();
    for (command, expected) in [
        ("startpos", START),
        ("startpos moves h2e2 h9g7", "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"),
        ("moves a0a1", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/R8/1NBAKABNR b - - 1 1"),
        (&format!("fen {LOST}"), LOST),
        ("fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r", START),
    ] {
        pipe.send(&format!("position {command}"));
        assert_eq!(pipe.sync(), SILENCE, "{command}");
        assert_eq!(fen(&mut pipe), expected, "UCI-13, 35: {command}");
    }
    for bad in ["startpos moves h3e3", "startpos moves e2e4", "startpos moves h10e10"] {
        pipe.send(&format!("position {bad}"));
        let lines = pipe.sync();
        assert!(lines[0].starts_with("info string ERROR: position, move 1: "), "{bad}: {lines:?}");
    }
    pipe.send("position fen rnbakabnr/9/9 w");
    assert!(pipe.sync()[0].starts_with("info string ERROR: position rejected: "));
    // Chess is not affected.
    pipe.send("setoption name UCI_Variant value chess\nposition startpos moves e2e4");
    assert_eq!(fen(&mut pipe), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

#[test]
fn options_for_chess_only_are_unchanged_after_a_game_of_xiangqi() {
    let mut pipe = Pipe::uci();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    pipe.send(&format!("setoption name SyzygyPath value {folder}"));
    pipe.send("setoption name Syzygy50MoveRule value false\nsetoption name UCI_Chess960 value true");
    pipe.sync();
    for round in 0..2 {
        pipe.send(SET);
        legal_best(START, &pipe.go("position startpos\ngo depth 2"));
        pipe.send("setoption name UCI_Variant value chess");
        let messages = pipe.sync();
        assert!(messages.iter().any(|l| l.starts_with("info string Syzygy tables: ")), "{messages:?}");
        // The mate is too far away for the fifty-move rule, but the rule is switched off.
        let lines = pipe.go("position fen 8/8/8/3k4/8/8/8/K6R w - - 88 90\ngo depth 3");
        assert!(lines.iter().any(|l| l.contains(" score cp 27999 ")), "{round}: {lines:?}");
        assert!(!lines.iter().any(|l| l.contains(" tbhits 0 ")), "{round}: {lines:?}");
        // Castling as king takes rook is Chess960 notation.
        pipe.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1");
        assert_eq!(pipe.sync(), SILENCE, "{round}");
    }
    pipe.quit();
}

#[test]
fn a_position_of_the_other_game_chooses_it() {
    let mut pipe = Pipe::uci();
    pipe.send("setoption name MultiPV value 2");
    for _ in 0..3 {
        pipe.send(&format!("position fen {START} moves h2e2 h9g7"));
        let lines = pipe.sync();
        assert_eq!(lines, ["info string this is a xiangqi position; switching to xiangqi"]);
        let shown = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
        assert_eq!(fen(&mut pipe), shown);
        let lines = pipe.go("go depth 3");
        legal_best(shown, &lines);
        assert_eq!(lines.iter().filter_map(|line| number(line, "multipv")).max(), Some(2));
        // A second position of the same game gives no message, and `startpos` is that of the game.
        pipe.send(&format!("position fen {START}\nposition startpos moves h2e2"));
        assert_eq!(pipe.sync(), SILENCE);
        pipe.send(&format!("position fen {CHESS_START} moves e2e4"));
        assert!(pipe.sync()[0].contains("this is a chess position"));
        assert_eq!(fen(&mut pipe), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    }
    // The game does not change while thinking, and a `stop` right after it still ends the running search.
    pipe.send("go infinite");
    pipe.until("info");
    pipe.send(&format!("position fen {START}\nstop"));
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    pipe::replay(after, &[&best(&pipe.until("bestmove"))]);
    // The message comes when the command is executed; `readyok` does not wait for that.
    assert!(pipe.until("info").concat().contains("this is a xiangqi position"));
    pipe.send(&format!("position fen {CHESS_START}"));
    pipe.sync();
    for _ in 0..50 {
        pipe.send(&format!("position fen {START}\ngo infinite\nstop"));
        legal_best(START, &pipe.until("bestmove"));
        pipe.send(&format!("position fen {CHESS_START}\ngo infinite\nstop"));
        pipe::replay("startpos", &[&best(&pipe.until("bestmove"))]);
    }
    assert_eq!(pipe.sync(), SILENCE);
}

#[test]
fn uci_37_to_44_48_to_54_go_in_all_its_forms() {
    let mut pipe = xiangqi();
    pipe.send("position startpos");
    for go in [
        "go depth 5",
        "go nodes 3000",
        "go movetime 100",
        "go wtime 500 btime 500 winc 10 binc 10",
        "go wtime 500 btime 1 movestogo 5",
        "go mate 2 depth 3",
    ] {
        let lines = pipe.go(go);
        legal_best(START, &lines);
        assert!(!analysis(&lines).is_empty(), "UCI-37: {go}: {lines:?}");
    }
    let most = |lines: &[String], name| analysis(lines).iter().filter_map(|l| number(l, name)).max();
    assert_eq!(most(&pipe.go("go depth 5"), "depth"), Some(5), "UCI-48");
    assert!(most(&pipe.go("go nodes 3000"), "nodes") <= Some(3000), "UCI-49");
    let begin = Instant::now();
    pipe.go("go movetime 200");
    assert!(begin.elapsed() >= Duration::from_millis(180), "UCI-51: used to the full");
    // Each side has its own clock; `go` tests the rest of it. A search ends with an iteration, so this position has
    // short iterations.
    let mut time = |side: char, go: &str| {
        pipe::least_of_three(|| {
            let fen = ENDGAME.replacen('w', &side.to_string(), 1);
            pipe.send(&format!("ucinewgame\nposition fen {fen}"));
            pipe.sync();
            let begin = Instant::now();
            pipe.go(go);
            begin.elapsed()
        })
    };
    let short = time('w', "go wtime 1000 btime 600000");
    assert!(short < Duration::from_millis(600), "UCI-43: {short:?}");
    let short = time('b', "go wtime 600000 btime 1000");
    assert!(short < Duration::from_millis(600), "UCI-44: {short:?}");
    pipe.send(&format!("position fen {MATE_IN_ONE}"));
    let lines = pipe.go("go mate 1");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "UCI-50: {lines:?}");
    pipe.send("position startpos");
    assert_eq!(best(&pipe.go("go depth 4 searchmoves a3a4")), "a3a4", "UCI-38");
    let either = best(&pipe.go("go searchmoves i3i4 a0a2 depth 4"));
    assert!(["i3i4", "a0a2"].contains(&either.as_str()), "UCI-38: {either}");
    // UCI-42, 52: no answer before `stop`, even with a mate.
    for go in ["go infinite", "go ponder wtime 100 btime 100"] {
        pipe.send(&format!("position fen {MATE_IN_ONE}\n{go}"));
        let lines = pipe.listen(Duration::from_millis(400));
        assert!(lines.iter().all(|line| line.starts_with("info ")), "UCI-42, 52: {go}: {lines:?}");
        assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "UCI-78: {lines:?}");
        assert_eq!(legal_best(MATE_IN_ONE, &pipe.ask("stop", "bestmove")), "b7b9", "{go}");
    }
    // Pondering searches the position after the expected move only.
    pipe.send("position startpos moves h2e2\ngo ponder wtime 200 btime 200");
    let mut lines = pipe.listen(Duration::from_millis(60));
    lines.extend(pipe.ask("ponderhit", "bestmove"));
    let expected = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
    assert!(!analysis(&lines).is_empty(), "UCI-39 to 41: {lines:?}");
    assert!(best(&lines) != "(none)", "UCI-53, 54: {lines:?}");
    legal_best(expected, &lines);
    pipe.send(&format!("position fen {LOST}"));
    let lines = pipe.go("go depth 4");
    assert!(lines.iter().any(|line| line.contains(" score mate -1 ")), "UCI-78: {lines:?}");
    pipe.send(&format!("position fen {MATED}"));
    assert_eq!(best(&pipe.go("go depth 4")), "(none)");
    pipe.quit();
}

#[test]
fn uci_76_several_lines_and_expectations() {
    let mut pipe = xiangqi();
    pipe.send("setoption name MultiPV value 4\nsetoption name UCI_ShowWDL value true");
    pipe.send("position startpos moves h2e2 h9g7");
    let root = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
    let lines = pipe.go("go depth 6");
    legal_best(root, &lines);
    let last: Vec<&String> = analysis(&lines).into_iter().filter(|line| number(line, "depth") == Some(6)).collect();
    let ranks: Vec<_> = last.iter().filter_map(|line| number(line, "multipv")).collect();
    assert_eq!(ranks, [1, 2, 3, 4], "UCI-76: {last:?}");
    let firsts: std::collections::BTreeSet<_> = last.iter().map(|line| pv(line)[0]).collect();
    assert_eq!(firsts.len(), 4, "four different moves");
    pipe.send("ucinewgame\nsetoption name MultiPV value 500");
    pipe.sync();
    pipe.quit();
}

#[test]
fn commands_known_from_other_engines() {
    let mut pipe = xiangqi();
    let lines = pipe.ask("go perft 3", "Nodes");
    assert_eq!(lines.len(), 46, "44 moves, a blank line, the total");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 79666"));
    assert!(lines.contains(&"h2e2: 1564".to_string()), "{lines:?}");
    let lines = pipe.ask("d", "Checkers:");
    assert!(lines.iter().any(|line| line.starts_with(" | R | N | B ") && line.ends_with("| 0")));
    assert!(lines.contains(&"   a   b   c   d   e   f   g   h   i".to_string()), "{lines:?}");
    let lines = pipe.ask("eval", "Final");
    assert_eq!(lines.len(), 1 + 1 + 10 * 3 + 1 + 1 + 1, "{lines:?}");
    assert!(lines.last().unwrap().ends_with("(white side)"));
    pipe.send("position startpos moves h2e2\nflip");
    assert_eq!(fen(&mut pipe), "rnbakabnr/9/1c2c4/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 1 1");
    pipe.send("position fen 3k5/9/9/9/9/9/9/9/3R5/4K4 b - - 0 1");
    assert_eq!(pipe.ask("d", "Checkers:").last().map(String::as_str), Some("Checkers: d1"));
    assert_eq!(pipe.ask("eval", "Final"), ["Final evaluation: none (in check)"]);
}

#[test]
fn stops_at_random_moments_and_games_changed_between() {
    let mut pipe = Pipe::uci();
    pipe.send("setoption name XiangqiRanks value 0-9");
    let mut rng = SplitMix64::new(3);
    let begin = Instant::now();
    for round in 0..400 {
        let variant = ["chess", "xiangqi"][rng.below(2)];
        pipe.send(&format!("setoption name UCI_Variant value {variant}\nposition startpos"));
        pipe.send(["go infinite", "go ponder", "go nodes 500", "go movetime 3"][rng.below(4)]);
        dither(&mut rng);
        pipe.send("setoption name UCI_Variant value chess\nstop");
        let lines = pipe.until("bestmove");
        // The search may have ended by itself before the change; its answer is the same.
        match variant {
            "chess" => _ = pipe::replay("startpos", &[&best(&lines)]),
            _ => _ = legal_best(START, &lines),
        }
        assert_eq!(pipe.sync(), SILENCE, "round {round}");
    }
    println!("400 rounds in {:?}", begin.elapsed());
    pipe.quit();
}

#[test]
fn hostile_input_in_xiangqi() {
    let mut pipe = xiangqi();
    for line in [
        "position fen 9/9/9/9/9/9/9/9/9/9 w",
        "position fen",
        "position startpos moves 0000",
        "go depth -1 nodes 1",
        "go searchmoves e2e4 x depth 1",
        "setoption name UCI_Variant",
        "setoption name UCI_Variant value",
        "setoption name UCI_Variant value xiangqi",
        "setoption name UCI_SetPositionValue value 100 nonsense",
        "setoption name BookFile value \u{e9}\0",
        "ucci",
        "banmoves h2e2",
        "probe startpos",
        "\0\0",
    ] {
        pipe.send(line);
        pipe.listen(Duration::from_millis(20));
        pipe.sync();
    }
    pipe.send("position startpos");
    legal_best(START, &pipe.go("go depth 3"));
    pipe.send("go infinite");
    pipe.until("info");
    pipe.close();
    assert!(pipe.ended(LEAVING).is_some_and(|status| status.success()));
}

/// Red checks with every move; one more check brings the position for the third time.
const CHECKS: &str = "position fen 3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1 moves \
                      e1d1 d9e9 d1e1 e9d9 e1d1 d9e9";

#[test]
fn the_rules_on_repetition_and_the_move_limit_are_options() {
    let mut pipe = xiangqi();
    let score = |pipe: &mut Pipe, command: &str| {
        let lines = pipe.go(&format!("{command} depth 2"));
        number(analysis(&lines).last().unwrap(), "cp")
    };
    let check = |pipe: &mut Pipe| score(pipe, &format!("{CHECKS}\ngo searchmoves d1e1"));
    for (repetition, wanted) in
        [("asianrule", -29_998), ("AlwaysDraw", 0), ("chineserule", -29_998), ("alwaysdraw", 0), ("AsianRule", -29_998)]
    {
        pipe.send(&format!("setoption name XiangqiRepetition value {repetition}"));
        // The option counts for the position that is set, and for the next.
        assert!(score(&mut pipe, "go searchmoves d1e1").is_some());
        assert_eq!(check(&mut pipe), Some(wanted), "{repetition}");
        assert_eq!(score(&mut pipe, "go searchmoves d1e1"), Some(wanted), "{repetition}");
    }
    pipe.send("setoption name XiangqiRepetition value alwaysdraw");
    assert_eq!(score(&mut pipe, "go searchmoves d1e1"), Some(0));
    // One ply before the limit of 60 moves.
    let quiet = "position fen 3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 119 90\ngo searchmoves e1e2";
    for (limit, drawn) in [(60, true), (61, false), (50, true), (0, false), (60, true)] {
        pipe.send(&format!("setoption name XiangqiMoveLimit value {limit}"));
        assert_eq!(score(&mut pipe, quiet) == Some(0), drawn, "{limit}");
    }
    // Twelve checks and their replies, of which two of each do not count, and two plies.
    let twelve = ["e1d1 d9e9 d1e1 e9d9"; 6].join(" ");
    let game = format!("position fen 3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1 moves {twelve} f0f1 d9d8");
    pipe.send("setoption name XiangqiMoveLimit value 13");
    for (ten, drawn) in [(false, true), (true, false), (false, true)] {
        pipe.send(&format!("setoption name XiangqiTenChecks value {ten}"));
        assert_eq!(score(&mut pipe, &format!("{game}\ngo searchmoves e1e5")) == Some(0), drawn);
    }
    for bad in ["XiangqiRepetition value none", "XiangqiMoveLimit value 501"] {
        pipe.send(&format!("setoption name {bad}"));
        assert!(pipe.sync()[0].contains("ERROR: option Xiangqi"), "{bad}");
    }
    // A search goes on by the rules with which it began, and the game changes with its rules.
    pipe.send(&format!("{CHECKS}\ngo infinite"));
    pipe.send("setoption name XiangqiRepetition value asianrule\nstop");
    pipe.until("bestmove");
    assert_eq!(score(&mut pipe, "go searchmoves d1e1"), Some(-29_998));
    pipe.send("setoption name XiangqiRepetition value alwaysdraw");
    pipe.send("setoption name UCI_Variant value chess\nposition startpos");
    pipe.go("go depth 1");
    pipe.send("setoption name UCI_Variant value xiangqi");
    assert_eq!(check(&mut pipe), Some(0));
}
