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

/// The errors in the output for `text` of a program that may use so many kilobytes of addresses. The output must end
/// with the answer of a search.
#[cfg(target_os = "linux")]
fn faults_within(kilobytes: u32, text: &str) -> Vec<String> {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let limited = format!("ulimit -v {kilobytes}; exec {}", crate::common::own::own());
    let mut child = Command::new("sh")
        .args(["-c", &limited])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{text}: {}", output.status);
    let output = String::from_utf8(output.stdout).expect("text");
    let mut lines = output.lines().rev().filter(|line| *line != "bye");
    assert!(lines.next().is_some_and(|line| line.starts_with("bestmove ")), "{text}: {output}");
    output.lines().filter(|line| line.contains("ERROR")).map(String::from).collect()
}

/// The program may have memory for one of the tables, not for both.
#[test]
#[cfg(target_os = "linux")]
fn a_hash_table_is_freed_before_the_next_one_is_allocated() {
    let sizes = [600, 400, 2000, 500].map(|size| format!("setoption name Hash value {size}"));
    let faults = faults_within(900_000, &format!("uci\nposition startpos\n{}\ngo depth 4\n", sizes.join("\n")));
    let expected = "info string ERROR: option Hash: no memory for a hash table of 2000 MB; using \
        an empty one of 400 MB";
    assert_eq!(faults, [expected]);
}

/// Whatever is not there, memory or stacks: the number of threads stays, and the search goes on with it.
#[test]
#[cfg(target_os = "linux")]
fn threads_without_memory_are_refused() {
    for kilobytes in [400_000, 1_000_000] {
        let fault = "option Threads: no memory for 256 search threads; keeping";
        let text = "uci\nsetoption name Threads value 256\nsetoption name Threads value 2\nisready\n\
            setoption name Threads value 256\nposition startpos\ngo depth 4\n";
        let faults = faults_within(kilobytes, text);
        assert_eq!(faults, [1, 2].map(|kept| format!("info string ERROR: {fault} {kept}")), "{kilobytes}");
        // The other game's threads need more memory.
        let text = "setoption name Threads value 3\nsetoption name UCI_Variant value xiangqi\n\
            setoption name Threads value 256\nposition startpos\ngo depth 4\n";
        assert_eq!(faults_within(kilobytes, text), [format!("info string ERROR: {fault} 3")], "{kilobytes}");
        let text = "ucci\nsetoption threads 256\nsetoption usebook false\nposition startpos\ngo depth 4\n";
        let fault = fault.replace("Threads", "threads");
        assert_eq!(faults_within(kilobytes, text), [format!("info message ERROR: {fault} 1")], "{kilobytes}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_search_for_a_mate_goes_on_without_memory_for_proofs() {
    let text = format!("setoption name Hash value 1\nisready\nposition fen {MATE_IN_ONE}\ngo mate 1\n");
    assert_eq!(faults_within(76_000, &text), ["info string ERROR: no memory for proofs of mates"]);
    assert_eq!(faults_within(400_000, &text), [""; 0]);
}
