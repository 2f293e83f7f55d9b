//! Xiangqi ranks are numbered from 0 (Pikafish) or from 1 (Fairy-Stockfish). The program detects the convention from
//! its input and uses it in all output.

use super::*;
use crate::protocol::pipeline::legal;
use crate::protocol::ucci_pipe::START;
use tabiya::xiangqi::Position;

const SET: &str = "setoption name UCI_Variant value xiangqi";
const MIDDLE: &str = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1";

/// Rewrites a move with ranks from 0 to ranks from `first`.
fn with_ranks_from(text: &str, first: u32) -> String {
    let spell = |letter: char| match letter.to_digit(10) {
        Some(rank) => (rank + first).to_string(),
        None => letter.to_string(),
    };
    text.chars().map(spell).collect()
}

/// The legal moves of a position with ranks from `first`, in the order of a divide.
fn moves(pos: &Position, first: u32) -> Vec<String> {
    let mut moves: Vec<_> = legal(pos).iter().map(|m| with_ranks_from(m, first)).collect();
    moves.sort();
    moves
}

/// The moves of a divide.
fn divided(lines: &[String]) -> Vec<&str> {
    let names = lines.iter().filter_map(|line| Some(line.split_once(": ")?.0));
    names.filter(|name| !name.contains(' ')).collect()
}

/// Asserts that every move of a search from `pos` is legal with ranks from `first`; returns the best move.
fn check(pos: Position, first: u32, lines: &[String]) -> String {
    let play = |line: &[&str]| {
        let mut pos = pos;
        for text in line {
            let m = legal(&pos).into_iter().find(|m| with_ranks_from(m, first) == *text);
            let m = m.unwrap_or_else(|| panic!("{text} of {line:?} with ranks from {first}"));
            pos = after(pos, &m);
        }
    };
    let (answer, reply) = (best(lines), reply(lines));
    play(&[&answer].into_iter().chain(&reply).map(String::as_str).collect::<Vec<_>>());
    for line in analysis(lines) {
        play(&pv(line));
    }
    for word in [" currmove ", " currline 1 ", " refutation "] {
        for line in lines {
            if let Some((_, rest)) = line.split_once(word) {
                let texts = rest.split(' ').take_while(|text| *text != "currmovenumber");
                play(&texts.collect::<Vec<_>>());
            }
        }
    }
    answer
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn after(mut pos: Position, m: &str) -> Position {
    let m = pos.parse_move(m).unwrap();
    pos.make(m);
    pos
}

#[test]
fn before_any_move_the_convention_depends_on_how_the_game_was_chosen() {
    for (begin, first) in [
        (SET.to_string(), 1),
        (format!("{SET}\nucinewgame\nposition startpos"), 1),
        (format!("{SET}\nposition fen {START}"), 1),
        (format!("setoption name UCI_Variant value chess\nposition fen {START}"), 0),
        (format!("position fen {START}"), 0),
        (format!("position fen {START}\n{SET}"), 1),
        (format!("{SET}\nposition fen {START} moves"), 1),
        (format!("{SET}\nposition fen {}", START.replace(" - - 0 1", "")), 1),
        // UCI-Cyclone omits `position`; uci2wb omits half of the FEN, but not `moves`.
        (format!("fen {START}"), 0),
        ("startpos".to_string(), 0),
        (format!("{SET}\nucinewgame\nfen {} moves", START.replace(" w - - 0 1", " r")), 0),
        (format!("{SET}\nposition fen {} moves", START.replace(" - - 0 1", "")), 0),
        (format!("{SET}\nsetoption name XiangqiRanks value 0-9"), 0),
        (format!("setoption name XiangqiRanks value 1-10\nposition fen {START}"), 1),
        (format!("setoption name XiangqiRanks value 1-10\nfen {START}"), 1),
    ] {
        let mut pipe = Pipe::uci();
        pipe.says(&begin);
        assert_eq!(fen(&mut pipe), START, "{begin}");
        check(position(START), first, &pipe.go("go depth 3"));
        let lines = pipe.ask_block("go perft 1", "Nodes");
        assert_eq!(divided(&lines), moves(&position(START), first), "{begin}");
    }
}

#[test]
fn the_first_move_sets_the_convention_of_the_answers() {
    for (first, m) in [(0, "h2e2"), (1, "h3e3")] {
        for begin in [SET.to_string(), format!("position fen {START}")] {
            let mut pipe = Pipe::uci();
            assert!(
                pipe.says(&format!("{begin}\nposition startpos moves {m}"))
                    .iter()
                    .all(|line| line.ends_with("switching to xiangqi")),
                "{begin}, {m}"
            );
            let shown = fen(&mut pipe);
            assert!(shown.starts_with("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNB"));
            check(position(&shown), first, &pipe.go("go depth 5"));
            // The convention is kept in the next game, with a FEN that fits both, and after a game of chess.
            for next in [
                "ucinewgame\nposition startpos".to_string(),
                format!("position fen {MIDDLE}"),
                format!("setoption name UCI_Variant value chess\nposition startpos moves e2e4\n{SET}"),
            ] {
                pipe.says(&next);
                let pos = position(&fen(&mut pipe));
                check(pos, first, &pipe.go("go depth 3"));
                assert_eq!(divided(&pipe.ask_block("go perft 1", "Nodes")), moves(&pos, first), "{next}");
            }
            // A move in the other convention changes it.
            let (first, m) = [(1, "h3e3"), (0, "h2e2")][first as usize];
            assert_eq!(pipe.says(&format!("position startpos moves {m}")), SILENCE);
            assert_eq!(fen(&mut pipe), shown);
            check(position(&shown), first, &pipe.go("go depth 3"));
        }
    }
}

#[test]
fn all_squares_in_the_output_have_the_same_convention() {
    // Current moves and lines come after an eighth of a second.
    let mut pipe = Pipe::uci_with("8");
    pipe.send("setoption name UCI_ShowCurrLine value true\nsetoption name MultiPV value 3");
    assert_eq!(
        pipe.says(&format!("setoption name UCI_ShowRefutations value true\n{SET}\nposition startpos moves h3e3 h10g8")),
        SILENCE
    );
    let pos = position("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2");
    let lines = pipe.go("go movetime 400");
    check(pos, 1, &lines);
    for word in ["currmove", "currline", "refutation"] {
        assert!(lines.iter().any(|line| line.contains(word)), "{word}: {lines:?}");
    }
    let picture = pipe.ask("d", "Checkers:");
    assert!(picture.iter().any(|line| line.starts_with(" | r | n | b ") && line.ends_with("| 10")));
    assert!(picture.iter().any(|line| line.starts_with(" | R | N | B ") && line.ends_with("| 1")));
    let values = pipe.ask_block("eval", "Final");
    assert!(values.iter().any(|line| line.ends_with("| 10")), "{values:?}");
    pipe.send("position fen 3k5/9/9/9/9/9/9/9/3R5/5K3 b - - 0 1");
    assert_eq!(pipe.ask("d", "Checkers:").last().map(String::as_str), Some("Checkers: d2"));
    assert_eq!(best(&pipe.go("go depth 3 searchmoves d10e10 nonsense")), "d10e10");
    // `searchmoves` sets the convention if nothing has set it before.
    let mut pipe = Pipe::uci();
    pipe.send(SET);
    assert_eq!(best(&pipe.go("go depth 3 searchmoves h2e2")), "h2e2");
    check(position(START), 0, &pipe.go("go depth 3"));
}

#[test]
fn a_game_with_a_fault_shows_the_convention_too() {
    let mut pipe = Pipe::launch(&["--game", "xiangqi"], &[]);
    let lines = pipe.says("position startpos moves h3e3 x");
    assert!(lines.len() == 1 && lines[0].contains("move 2"), "{lines:?}");
    check(after(position(START), "h2e2"), 1, &pipe.go("go depth 3"));
}

#[test]
fn a_search_keeps_the_convention_of_its_start() {
    let mut pipe = Pipe::uci();
    pipe.begin(&format!("{SET}\nposition startpos moves h2e2\ngo infinite"));
    pipe.says("position startpos moves h3e3 h10g8");
    pipe.send("stop");
    let after = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
    check(position(after), 0, &pipe.answer());
    let pos = position(&fen(&mut pipe));
    check(pos, 1, &pipe.go("go depth 3"));
}

#[test]
fn errors_about_moves_use_the_current_convention() {
    let mut pipe = Pipe::uci();
    pipe.send(SET);
    for (line, expected) in [
        ("position startpos moves e2e4", "is not legal in this position"),
        ("position startpos moves h3e3 h11g8", "such as h3e3, files a to i and ranks 1 to 10"),
        ("position startpos moves h2e2 h10g8", "such as h2e2, files a to i and ranks 0 to 9"),
        ("position startpos moves h3e3 a0", "such as h3e3, files a to i and ranks 1 to 10"),
    ] {
        let lines = pipe.says(line);
        assert!(lines.len() == 1 && lines[0].contains(expected), "{line}: {lines:?}");
    }
    // A mistyped `position` is not taken for an omitted one, and the game stays chess.
    let mut pipe = Pipe::uci();
    for line in ["psition startpos", "position_ fen rnbakabnr/9 w", "x startpos moves h2e2"] {
        let lines = pipe.says(line);
        assert!(lines.len() == 1 && lines[0].contains("unknown command"), "{line}: {lines:?}");
    }
    assert_eq!(pipe.says("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1"), SILENCE);
    assert_eq!(fen(&mut pipe), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
}
