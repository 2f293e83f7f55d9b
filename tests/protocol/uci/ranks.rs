//! Ranks of xiangqi that are numbered from 1, in everything that a search prints. `tests/transcripts/uci_ranks.txt`
//! tests which games have them.

use super::*;
use crate::protocol::pipeline::legal;
use tabiya::xiangqi::Position;

/// Asserts that every move of a search from `pos` is legal with ranks from 1.
fn check(pos: Position, lines: &[String]) {
    let from_one = |m: &str| -> String {
        m.chars().map(|c| c.to_digit(10).map_or(c.to_string(), |rank| (rank + 1).to_string())).collect()
    };
    let play = |line: &[&str]| {
        let mut pos = pos;
        for text in line {
            let m = legal(&pos).into_iter().find(|m| from_one(m) == *text);
            let m = m.unwrap_or_else(|| panic!("{text} of {line:?} with ranks from 1"));
            let m = pos.parse_move(&m).unwrap();
            pos.make(m);
        }
    };
    let (answer, reply) = (best(lines), reply(lines));
    play(&[&answer].into_iter().chain(&reply).map(String::as_str).collect::<Vec<_>>());
    for line in analysis(lines) {
        play(&pv(line));
    }
    for line in lines {
        if let Some((_, rest)) = line.split_once(" currmove ") {
            let texts = rest.split(' ').take_while(|text| *text != "currmovenumber");
            play(&texts.collect::<Vec<_>>());
        }
    }
}

#[test]
fn all_moves_of_a_search_have_the_same_ranks() {
    // Current moves come after an eighth of a second.
    let mut pipe = Pipe::uci_with("8");
    pipe.send(
        "setoption name UCI_Variant value xiangqi\nsetoption name MultiPV value 3\nposition startpos moves h3e3 h10g8",
    );
    let pos = Position::from_fen("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2").unwrap();
    let lines = pipe.go("go movetime 400");
    check(pos, &lines);
    assert!(lines.iter().any(|line| line.contains("currmove")), "{lines:?}");
}
