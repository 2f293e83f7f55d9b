//! What the program keeps over pipes: the hash table within the memory that it may have, and from one search to the
//! next nothing that was judged by other settings.

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

/// The program may have memory for one of the tables, not for both.
#[test]
#[cfg(target_os = "linux")]
fn a_hash_table_is_freed_before_the_next_one_is_allocated() {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let limited = format!("ulimit -v 900000; exec {}", crate::own::own());
    let mut child = Command::new("sh")
        .args(["-c", &limited])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let sizes = [600, 400, 2000, 500].map(|size| format!("setoption name Hash value {size}"));
    let mut input = child.stdin.take().expect("a pipe");
    let text = format!("uci\nposition startpos\n{}\ngo depth 4\n", sizes.join("\n"));
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let output = String::from_utf8(output.stdout).expect("text");
    let faults: Vec<&str> = output.lines().filter(|line| line.contains("ERROR")).collect();
    let expected = "info string ERROR: option Hash: no memory for a hash table of 2000 MB; using \
        an empty one of 400 MB";
    assert_eq!(faults, [expected], "{output}");
    assert!(output.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{output}");
}
