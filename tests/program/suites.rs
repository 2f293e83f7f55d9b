//! `perft --suite` with files of other programs, and with positions that cannot be counted.

use crate::common::program::{Folder, finish, run, start, tabiya};
use std::io::Write;
use std::process::Stdio;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Twenty white pieces.
const MANY: &str = "4k3/8/8/8/QQ6/QQQQ4/PPPPPPPP/RNBQKBNR w - - 0 1";

#[test]
fn files_of_other_programs_are_run() {
    let folder = Folder::new("formats");
    let kings = "8/8/8/8/8/8/8/k1K5 w - - 0 1";
    for (number, text) in [
        format!("id start\nepd {START}\nperft 1 20\nperft 3 8902\n\nid kings\nepd {kings}\nperft 2 7\n"),
        format!("{START} bm Qxf7#; D1 20; am #1; D3 8902;\n{kings}; D2 7; id \"kings\"\n"),
        format!("{START},D1 20,D3 8902\n{kings} | D2 7\n"),
        format!("{START}\n\tD1 20\n\tD3 8902\n{kings}\tD2 7\n"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.write("suite", &text);
        let right = run(&["perft", "--suite", &file]);
        assert_eq!(right.code, Some(0), "{number}: {right:?}");
        assert!(right.out.contains(" 3 counts, 0 left out, 0 wrong\n"), "{number}: {right:?}");
        let file = folder.write("suite", text.replace("8902", "8903"));
        let wrong = run(&["perft", "--suite", &file]);
        assert_eq!(wrong.code, Some(1), "{number}: {wrong:?}");
        assert!(wrong.out.contains("depth 3: counted 8902, expected 8903"), "{number}: {wrong:?}");
        assert!(wrong.out.contains(" 3 counts, 0 left out, 1 wrong\n"), "{number}: {wrong:?}");
    }
}

#[test]
fn a_position_that_cannot_be_counted_does_not_stop_the_others() {
    let folder = Folder::new("too-many");
    let text = format!("{START} ;D1 20\n{MANY} ;D1 20 ;D2 20\n{START} ;D2 400\n");
    let file = folder.write("suite", text);
    let found = run(&["perft", "--suite", &file]);
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.out.contains("2 positions, 2 counts, 0 left out, 0 wrong"), "{found:?}");
    assert!(found.out.ends_with("Nodes searched: 420\n"), "{found:?}");
    let reason = ", line 2 is not counted: FEN board, ";
    let named = found.err.lines().filter(|line| line.contains(reason)).collect::<Vec<_>>();
    assert_eq!(named.len(), 1, "{found:?}");
    assert!(named[0].ends_with("White has more than sixteen pieces"), "{found:?}");
    let strict = run(&["perft", "--suite", &file, "--strict"]);
    assert_eq!((strict.code, strict.out.as_str()), (Some(2), ""), "{strict:?}");
    let json = run(&["perft", "--suite", &file, "--json"]);
    assert_eq!(json.code, Some(1), "{json:?}");
    assert!(json.out.contains("\"wrong\":0,\"not_counted\":1,"), "{json:?}");
    let one = run(&["perft", "--suite", &folder.write("one", format!("{START} ;D1 20\n"))]);
    assert!(one.out.contains(": 1 position, 1 count, 0 left out, 0 wrong\n"), "{one:?}");
    // A file with no other position is no success either.
    let file = folder.write("suite", format!("{MANY} ;D1 20\n"));
    assert_eq!(run(&["perft", "--suite", &file]).code, Some(1));
}

#[test]
fn a_suite_may_come_from_stdin_or_have_any_line_ends_and_any_name() {
    let text = format!("# name: first\n{START} ;D1 20\n\n{START} ;D2 400\n");
    let counts = "2 positions, 2 counts, 0 left out, 0 wrong\n";
    let mut child = start(tabiya(&["perft", "--suite", "-"]).stdin(Stdio::piped()));
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let found = finish(child);
    assert!(found.code == Some(0) && found.out.starts_with(&format!("stdin: {counts}")), "{found:?}");
    let folder = Folder::new("ends");
    for ends in ["\r", "\r\n"] {
        let file = folder.write("suite", text.replace('\n', ends));
        let found = run(&["perft", "--suite", &file]);
        assert!(found.code == Some(0) && found.out.contains(counts), "{ends:?}: {found:?}");
    }
    folder.write("-suite", &text);
    let command = |words: &[&str]| finish(start(tabiya(words).current_dir(folder.path())));
    command(&["perft", "--suite", "-suite"]).assert_refused(&["unknown option"]);
    assert!(command(&["perft", "--suite", "--", "-suite"]).out.contains(counts));
    for other in [format!("{{\"fen\": \"{START}\", \"D1\": 20}}"), format!("fen,depth,nodes\n{START},1,20")] {
        let file = folder.write("suite", other);
        run(&["perft", "--suite", &file]).assert_refused(&["line 1: ", "expected a line such as FEN ;D1 20 ;D2 400"]);
    }
}

/// A device that never ends is read up to a limit.
#[cfg(unix)]
#[test]
fn endless_files_are_refused() {
    run(&["perft", "1", "--compare", "/dev/zero"]).assert_refused(&["cannot read \"/dev/zero\": it has more than"]);
    run(&["perft", "--suite", "/dev/zero"]).assert_refused(&["cannot read \"/dev/zero\": it has more than"]);
}
