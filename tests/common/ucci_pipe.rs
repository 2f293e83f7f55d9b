//! The program as a UCCI engine over real pipes: start, answers, and a check of whole dialogues.
//!
//! Included by the tests of UCCI and of xiangqi together with `common/pipe.rs`, which it builds on.

#![allow(dead_code)]

pub use super::pipe::fen;
use super::pipe::{Event, LEAVING, PATIENCE, Pipe, analysis, pv, replay_in};
use tabiya::xiangqi::Position;

/// The initial position.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// An endgame with short iterations.
pub const ENDGAME: &str = "3k5/4a4/9/9/9/4p4/9/9/4A4/4K4 w - - 0 1";
/// Red mates in one ply, on b9.
pub const MATE_IN_ONE: &str = "5k3/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1";
/// Every move of Black allows mate: mated in two plies.
pub const LOST: &str = "4k4/R8/1R7/9/9/9/9/9/9/3K5 b - - 0 1";
/// Black is mated.
pub const MATED: &str = "1R3k3/R8/9/9/9/9/9/9/9/3K5 b - - 0 1";
/// Black has no move and is not in check; in xiangqi that is a loss.
pub const STALEMATED: &str = "3k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1";

/// Starts the program and completes the `ucci` handshake; times are in milliseconds, and the book is off.
pub fn ucci() -> Pipe {
    let mut pipe = Pipe::start();
    pipe.ask("ucci", "ucciok");
    pipe.send("setoption usemillisec true\nsetoption usebook false");
    pipe
}

/// The lines up to the answer of a search.
pub fn until_answer(pipe: &Pipe) -> Vec<String> {
    pipe.until_any_within(&["bestmove", "nobestmove"], PATIENCE)
}

/// Sends `go …` (or what ends a search) and returns the lines up to the answer.
pub fn answer(pipe: &mut Pipe, command: &str) -> Vec<String> {
    pipe.send(command);
    until_answer(pipe)
}

/// The last line.
pub fn last(lines: &[String]) -> &str {
    lines.last().map_or("", String::as_str)
}

/// The word after `name` in the last line that has it.
pub fn found<'a>(lines: &'a [String], name: &str) -> Option<&'a str> {
    lines.iter().rev().find_map(|line| {
        let mut words = line.split(' ').skip_while(|word| *word != name);
        words.next()?;
        words.next()
    })
}

/// The number after `name` in the last line that has it.
pub fn number(lines: &[String], name: &str) -> Option<i64> {
    found(lines, name)?.parse().ok()
}

/// The position after `moves`; panics at the first that is not legal.
pub fn replay(fen: &str, moves: &[&str]) -> Position {
    replay_in(fen, moves)
}

/// Asserts that the last line of `lines` is a legal `bestmove` in `fen`, and that the ponder move and every PV are
/// legal; returns the best move.
pub fn legal_best(fen: &str, lines: &[String]) -> String {
    let words: Vec<&str> = last(lines).split(' ').collect();
    assert_eq!(words[0], "bestmove", "{lines:?}");
    let mut moves = vec![words[1]];
    let mut rest = &words[2..];
    if let ["ponder", ponder, tail @ ..] = rest {
        moves.push(ponder);
        rest = tail;
    }
    assert!(matches!(rest, [] | ["draw"] | ["resign"]), "UCCI-66: {}", last(lines));
    replay(fen, &moves);
    for line in analysis(lines) {
        replay(fen, &pv(line));
    }
    words[1].to_string()
}

/// Asserts that a line has one of UCCI's forms.
pub fn check_line(line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(line, line.trim(), "blanks around {line:?}");
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    let well_formed = match words[..] {
        ["ucciok" | "readyok" | "nobestmove" | "bye"] => true,
        ["id", "name" | "copyright" | "author" | "user", _, ..] => true,
        ["option", _, "type", _, ..] => true,
        ["bestmove", _, ..] | ["pophash", ..] => true,
        ["info", "message", _, ..] => true,
        ["info", "currmove", m] => m.len() == 4,
        ["info", "time", time, "nodes", nodes] => is_number(time) && is_number(nodes),
        ["info", "depth", depth, "score", score] => is_number(depth) && is_number(score),
        ["info", "depth", depth, "score", score, "pv", _, ..] => is_number(depth) && is_number(score),
        _ => false,
    };
    assert!(well_formed, "not a UCCI line: {line:?}");
}

/// Asserts that every line is one of UCCI's (60 to 63), that each `go` has one answer (70), that analysis comes
/// only during a search, and that `nobestmove` without a `go` comes only for an idle `stop` (17). Only for
/// dialogues without `d`, `eval` and perft.
pub fn check_dialogue(pipe: &Pipe) {
    let (mut pending, mut stops) = (0, 0);
    for event in pipe.dialogue() {
        match event {
            Event::Sent(line) => match line.split_whitespace().next() {
                Some("go") => pending += 1,
                Some("stop") => stops += 1,
                _ => {}
            },
            Event::Received(line) => {
                check_line(&line);
                match line.split(' ').next() {
                    Some("bestmove") => {
                        assert!(pending > 0, "UCCI-70: {line:?} was not asked for");
                        pending -= 1;
                    }
                    Some("nobestmove") if pending > 0 => pending -= 1,
                    Some("nobestmove") => {
                        stops -= 1;
                        assert!(stops >= 0, "UCCI-17: {line:?} without a stop");
                    }
                    Some("info") if !line.starts_with("info message") => {
                        assert!(pending > 0, "analysis without a search: {line:?}");
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Sends `quit`, asserts a `bye` as the last line and a clean exit, and checks the whole dialogue.
pub fn quit(mut pipe: Pipe) {
    let lines = pipe.ask("quit", "bye");
    assert_eq!(last(&lines), "bye", "UCCI-73");
    let status = pipe.ended(LEAVING).expect("exit after quit");
    assert!(status.success(), "{status}");
    check_dialogue(&pipe);
}
