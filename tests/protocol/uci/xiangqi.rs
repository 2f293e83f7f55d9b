//! UCI for xiangqi: `UCI_Variant` changes the game, and all of UCI works with it. The tests set ranks from 0 to 9;
//! `ranks` tests the detection. Chess is not affected.

use super::*;
use crate::protocol::ucci_pipe::{LOST, MATE_IN_ONE, MATED, START};
use tabiya::xiangqi;

const SET: &str = "setoption name XiangqiRanks value 0-9\nsetoption name UCI_Variant value xiangqi";
const CHESS_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Starts the program as a UCI engine for xiangqi.
fn xiangqi() -> Pipe {
    let mut pipe = Pipe::uci();
    assert_eq!(pipe.says(SET), SILENCE);
    pipe
}

/// Asserts that the answer and every line of analysis are legal in `fen`; returns the move.
fn legal_best(fen: &str, lines: &[String]) -> String {
    pipe::legal_best::<xiangqi::Board>(fen, lines)
}

#[test]
fn the_variant_is_a_combo_and_changes_while_idle() {
    let mut pipe = Pipe::start();
    let lines = pipe.ask("uci", "uciok");
    let announced = "option name UCI_Variant type combo default chess var chess var xiangqi";
    assert!(lines.contains(&announced.to_string()), "{lines:?}");
    assert_eq!(fen(&mut pipe), CHESS_START);
    pipe.send(SET);
    assert_eq!(fen(&mut pipe), START, "the new game begins at once");
    assert_eq!(pipe.says(SET), SILENCE, "again");
    pipe.send("position startpos moves h2e2");
    pipe.send(SET);
    assert!(fen(&mut pipe).contains(" b "), "setting the current variant changes nothing");
    pipe.send("setoption name uci_variant value CHESS");
    assert_eq!(fen(&mut pipe), CHESS_START, "and back");
    let lines = pipe.says("setoption name UCI_Variant value shogi");
    assert!(lines[0].contains("invalid value \"shogi\", expected one of chess, xiangqi"), "{lines:?}");
    assert_eq!(fen(&mut pipe), CHESS_START);
    // While it thinks, the search is ended first.
    pipe.begin("go infinite");
    pipe::replay("startpos", &[&best(&pipe.go(SET))]);
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
fn options_stay_when_the_game_changes() {
    let mut pipe = Pipe::uci();
    pipe.send("setoption name MultiPV value 3\nsetoption name Hash value 8\ndebug on");
    pipe.send("setoption name UCI_ShowWDL value true\nsetoption name Threads value 2");
    pipe.says(SET);
    let lines = pipe.go("go depth 4");
    let most = lines.iter().filter_map(|line| number(line, "multipv")).max();
    assert_eq!(most, Some(3), "{lines:?}");
    assert!(analysis(&lines).iter().all(|line| line.contains(" wdl ")), "{lines:?}");
    assert!(pipe.says("position startpos")[0].starts_with("info string position rnbakabnr/"), "debug is still on");
    // Options for chess only are unknown here, and there is a separate book.
    assert!(pipe.says("debug off\nsetoption name UCI_Chess960 value true")[0].contains("unknown option"));
    let lines = pipe.ask("uci", "uciok");
    assert!(lines.iter().all(|line| !line.contains("UCI_Chess960")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("Syzygy")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("name UCI_Variant ")), "{lines:?}");
    assert!(
        pipe.says("setoption name BookFile value /no/such/book.bin")[0]
            .starts_with("info string ERROR: option BookFile: ")
    );
}

#[test]
fn positions_and_moves() {
    let mut pipe = xiangqi();
    for (command, expected) in [
        ("startpos", START),
        ("startpos moves h2e2 h9g7", "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2"),
        ("moves a0a1", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/R8/1NBAKABNR b - - 1 1"),
        (&format!("fen {LOST}"), LOST),
        ("fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r", START),
    ] {
        assert_eq!(pipe.says(&format!("position {command}")), SILENCE, "{command}");
        assert_eq!(fen(&mut pipe), expected, "{command}");
    }
    for bad in ["startpos moves h3e3", "startpos moves e2e4", "startpos moves h10e10"] {
        let lines = pipe.says(&format!("position {bad}"));
        assert!(lines[0].starts_with("info string ERROR: position, move 1: "), "{bad}: {lines:?}");
    }
    assert!(pipe.says("position fen rnbakabnr/9/9 w")[0].starts_with("info string ERROR: position rejected: "));
    // Chess is not affected.
    pipe.send("setoption name UCI_Variant value chess\nposition startpos moves e2e4");
    assert_eq!(fen(&mut pipe), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

#[test]
fn options_for_chess_only_are_unchanged_after_a_game_of_xiangqi() {
    let mut pipe = Pipe::uci();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    pipe.send(&format!("setoption name SyzygyPath value {folder}"));
    pipe.says("setoption name Syzygy50MoveRule value false\nsetoption name UCI_Chess960 value true");
    for round in 0..2 {
        pipe.send(SET);
        legal_best(START, &pipe.go("position startpos\ngo depth 2"));
        let messages = pipe.says("setoption name UCI_Variant value chess");
        assert!(messages.iter().any(|l| l.starts_with("info string Syzygy tables: ")), "{messages:?}");
        // The mate is too far away for the fifty-move rule, but the rule is switched off.
        let lines = pipe.go("position fen 8/8/8/3k4/8/8/8/K6R w - - 88 90\ngo depth 3");
        assert!(lines.iter().any(|l| l.contains(" score cp 27999 ")), "{round}: {lines:?}");
        assert!(!lines.iter().any(|l| l.contains(" tbhits 0 ")), "{round}: {lines:?}");
        // Castling as king takes rook is Chess960 notation.
        assert_eq!(pipe.says("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1"), SILENCE, "{round}");
    }
}

#[test]
fn a_position_of_the_other_game_chooses_it() {
    let mut pipe = Pipe::uci();
    pipe.send("setoption name MultiPV value 2");
    for _ in 0..3 {
        let lines = pipe.says(&format!("position fen {START} moves h2e2 h9g7"));
        assert_eq!(lines, ["info string this is a xiangqi position; switching to xiangqi"]);
        let shown = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
        assert_eq!(fen(&mut pipe), shown);
        let lines = pipe.go("go depth 3");
        legal_best(shown, &lines);
        assert_eq!(lines.iter().filter_map(|line| number(line, "multipv")).max(), Some(2));
        // A second position of the same game gives no message, and `startpos` is that of the game.
        assert_eq!(pipe.says(&format!("position fen {START}\nposition startpos moves h2e2")), SILENCE);
        assert!(pipe.says(&format!("position fen {CHESS_START} moves e2e4"))[0].contains("this is a chess position"));
        assert_eq!(fen(&mut pipe), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    }
    // The game does not change while thinking, and a `stop` right after it still ends the running search.
    pipe.begin("go infinite");
    pipe.send(&format!("position fen {START}\nstop"));
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    pipe::replay(after, &[&best(&pipe.answer())]);
    // The message comes when the command is executed; `readyok` does not wait for that.
    assert!(pipe.until("info").concat().contains("this is a xiangqi position"));
    pipe.says(&format!("position fen {CHESS_START}"));
    for _ in 0..50 {
        pipe.send(&format!("position fen {START}\ngo infinite\nstop"));
        legal_best(START, &pipe.answer());
        pipe.send(&format!("position fen {CHESS_START}\ngo infinite\nstop"));
        pipe::replay("startpos", &[&best(&pipe.answer())]);
    }
    assert_eq!(pipe.sync(), SILENCE);
}

/// What a search does is the same in both games; here each form is tried once.
#[test]
fn go_in_all_its_forms() {
    let mut pipe = xiangqi();
    for go in [
        "go depth 5",
        "go nodes 3000",
        "go movetime 100",
        "go wtime 500 btime 500 winc 10 binc 10",
        "go wtime 500 btime 1 movestogo 5",
        "go mate 2 depth 3",
        "go searchmoves i3i4 a0a2 depth 4",
        "go infinite\nstop",
        "go ponder wtime 200 btime 200\nponderhit",
    ] {
        let lines = pipe.go(&format!("position startpos\n{go}"));
        let m = legal_best(START, &lines);
        assert!(!go.contains("searchmoves") || ["i3i4", "a0a2"].contains(&m.as_str()), "{go}: {m}");
    }
    for (fen, go, score) in [(MATE_IN_ONE, "go mate 1", "mate 1"), (LOST, "go depth 4", "mate -1")] {
        let lines = pipe.go(&format!("position fen {fen}\n{go}"));
        assert!(lines.iter().any(|line| line.contains(&format!(" score {score} "))), "{fen}: {lines:?}");
    }
    assert_eq!(best(&pipe.go(&format!("position fen {MATED}\ngo depth 4"))), "(none)");
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
        assert!(pipe.says(&format!("setoption name {bad}"))[0].contains("ERROR: option Xiangqi"), "{bad}");
    }
    // A search goes on by the rules with which it began, and the game changes with its rules.
    pipe.go(&format!("{CHECKS}\ngo infinite\nsetoption name XiangqiRepetition value asianrule\nstop"));
    assert_eq!(score(&mut pipe, "go searchmoves d1e1"), Some(-29_998));
    pipe.send("setoption name XiangqiRepetition value alwaysdraw");
    pipe.go("setoption name UCI_Variant value chess\nposition startpos\ngo depth 1");
    pipe.send("setoption name UCI_Variant value xiangqi");
    assert_eq!(check(&mut pipe), Some(0));
}
