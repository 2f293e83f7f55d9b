//! What is kept from one search to the next: nothing that was judged by other settings.

use super::*;
use tabiya::{chess, xiangqi};

/// The node count and the score of a search to depth 3.
fn found(pipe: &mut Pipe) -> (Option<i64>, Option<i64>) {
    let lines = pipe.go("go depth 3");
    let last = analysis(&lines).pop().expect("a line").clone();
    (number(&last, "nodes"), number(&last, "cp"))
}

fn leave(mut pipe: Pipe) {
    pipe.send("quit");
    assert!(pipe.ended(LEAVING).is_some());
}

#[test]
fn nothing_of_other_settings_is_left_in_the_table() {
    for (variant, fen) in [("chess", chess::Position::START_FEN), ("xiangqi", xiangqi::Position::START_FEN)] {
        let value = format!("setoption name UCI_SetPositionValue value 900 + {fen}");
        let start = || {
            let mut pipe = Pipe::uci();
            pipe.send(&format!("setoption name UCI_Variant value {variant}\nposition startpos"));
            pipe
        };
        let fresh = found(&mut start());
        // The search in between, and what ends its settings.
        for (change, back) in [
            (
                "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800",
                "setoption name UCI_LimitStrength value false",
            ),
            (value.as_str(), "setoption name UCI_SetPositionValue value clearall"),
        ] {
            let mut pipe = start();
            pipe.send(change);
            pipe.go("go nodes 5000");
            pipe.send(back);
            assert_eq!(found(&mut pipe), fresh, "{variant}: {change}");
            leave(pipe);
        }
        // These change no score, so nothing is forgotten.
        let again = |between: &str| {
            let mut pipe = start();
            pipe.go("go nodes 5000");
            pipe.send(between);
            let found = found(&mut pipe);
            leave(pipe);
            found
        };
        let warm = again("isready");
        assert_ne!(warm, fresh);
        assert_eq!(again("setoption name UCI_Opponent value GM 2800 human Gary"), warm);
        assert_eq!(again("setoption name UCI_AnalyseMode value true"), warm);
        assert_eq!(again("setoption name Ponder value true"), warm);
    }
}

/// What the threads remember is forgotten with the hash table.
#[test]
fn after_a_new_hash_table_a_search_is_as_in_a_new_program() {
    for clear in ["setoption name Clear Hash", "setoption name Hash value 16", "ucinewgame"] {
        let mut pipe = Pipe::uci();
        let searched = |pipe: &mut Pipe| {
            let lines = pipe.go("position startpos\ngo depth 9");
            analysis(&lines).iter().map(|line| (number(line, "nodes"), number(line, "cp"))).collect::<Vec<_>>()
        };
        let fresh = searched(&mut pipe);
        pipe.go(&format!("position fen {MIDDLEGAME}\ngo depth 9"));
        pipe.send(clear);
        assert_eq!(searched(&mut pipe), fresh, "{clear}");
        leave(pipe);
    }
}
