//! Counts by a program that may use few addresses (`ulimit -v`): it keeps within them, or refuses with one line.

use crate::common::own::own;
use std::process::Command;

/// The exit code, output and message of a run within so many kilobytes.
fn run_within(kilobytes: u32, arguments: &str) -> (Option<i32>, String, String) {
    let limited = format!("ulimit -v {kilobytes}; exec {} {arguments}", own());
    let output = Command::new("sh").args(["-c", &limited]).output().expect("a shell");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn distinct_positions_are_counted_in_the_memory_that_is_left() {
    let wanted = run_within(4_000_000, "perft 4 --unique").1;
    assert!(wanted.contains(" 72078 "), "{wanted}");
    for kilobytes in [60_000, 120_000] {
        for threads in [1, 2] {
            let (code, counts, message) = run_within(kilobytes, &format!("perft 4 --unique --threads {threads}"));
            assert_eq!((code, &counts), (Some(0), &wanted), "{kilobytes}: {message}");
        }
        let (code, _, message) = run_within(kilobytes, "perft 4 --unique --memory 200");
        assert_eq!((code, message.lines().count()), (Some(2), 1), "{message}");
        assert!(message.starts_with("tabiya: --memory: 200 MB requested, but only "), "{message}");
        let (code, _, message) = run_within(kilobytes, "perft 4 --hash 200");
        let refusal = "tabiya: --hash: this needs 200 MB of memory, more than it may use\n";
        assert_eq!((code, message.as_str()), (Some(2), refusal));
    }
    let (code, _, message) = run_within(22_000, "perft 4 --unique");
    assert_eq!((code, message.lines().count()), (Some(2), 1), "{message}");
}
