//! Files whose names are any bytes, and output that nobody reads or that cannot be written.

use crate::common::program::{self, Folder, run, tabiya};
use std::io::{BufRead, BufReader};
#[cfg(unix)]
use {crate::common::program::output, std::io::Write, std::process::Stdio};

#[cfg(unix)]
#[test]
fn names_of_files_need_not_be_utf8() {
    use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt};
    let folder = Folder::new("bytes");
    let at = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    let named = |first: &[&str], name: &[u8]| {
        let words = Vec::from_iter(first.iter().map(|word| OsStr::new(word).to_owned()));
        run(&[&words[..], &[at(name).into_os_string()]].concat())
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n";
    fs::write(at(b"su\xe9te"), start).unwrap();
    fs::write(at(b"div\xefde"), output(&["perft", "1", "--divide"])).unwrap();
    for (words, name, out) in [
        (&["perft", "--suite"][..], b"su\xe9te", "1 position, 1 count, 0 left out, 0 wrong"),
        (&["perft", "1", "--compare"], b"div\xefde", "both divides agree"),
        (&["perft", "3", "--checkpoint"], b"ch\xe9ck", "8902"),
        (&["genfens", "1", "seed", "1", "book"], b"su\xe9te", "info string genfens "),
    ] as [(_, &[u8], _); 4]
    {
        let found = named(words, name);
        assert!(found.code == Some(0) && found.out.contains(out), "{words:?}: {found:?}");
        assert!(at(name).exists(), "{words:?}");
    }
    for words in [&["perft", "--suite"][..], &["perft", "1", "--compare"], &["perft", "3", "--against"], &["check"]] {
        named(words, b"n\xf6ne").assert_refused(&["n"]);
    }
    run(&[OsStr::from_bytes(b"per\xfft\n")]).assert_refused(&["unknown command \"per\\xfft\\n\""]);
    // In UCI too.
    fs::write(at(b"b\xf6\xf6k"), [0; 32]).unwrap();
    let mut child = tabiya::<&str>(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for (option, name) in [("BookFile", &b"b\xf6\xf6k"[..]), ("SyzygyPath", b"")] {
        let path = at(name);
        let line = [b"setoption name ", option.as_bytes(), b" value ", path.as_os_str().as_bytes(), b"\n"].concat();
        input.write_all(&line).unwrap();
    }
    drop(input);
    let text = program::finish(child).out;
    assert!(text.contains("info string the book file has 2 entries\n"), "{text}");
}

/// The reader closes the pipe after one line or at once: exit code 0 and no error message.
#[test]
fn a_reader_that_closes_the_pipe_early_is_no_error() {
    let folder = Folder::new("closed");
    let part = folder.text("part");
    run(&["perft", "4", "--divide", "--checkpoint", &part]);
    for (arguments, lines) in [
        (&["perft", "5", "--divide", "--fen", "kiwipete"][..], 0),
        (&["perft", "2", "--divide"], 1),
        (&["perft", "4", "--unique"], 1),
        (&["perft", "4", "--merge", &part, "--divide"], 1),
        (&["perft", "--suite", "perft-suites/chess/tricky.epd", "--max-nodes", "100000"], 0),
        (&["perft", "bench"], 1),
        (&["bench"], 1),
        (&["probe", "8/8/8/8/8/2k5/8/K7 w - - 0 1"], 0),
        (&["genfens", "100", "seed", "1", "book", "None"], 1),
        (&["--help"], 0),
        (&["perft", "--help"], 0),
        (&["--version"], 0),
    ] {
        let mut child = program::start(&mut tabiya(arguments));
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        for _ in 0..lines {
            reader.read_line(&mut line).unwrap();
        }
        drop(reader);
        let run = program::finish(child);
        assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
        assert!(!run.err.contains("tabiya:") && run.err.lines().count() <= 1, "{run:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_reported() {
    let spoken = [("", "uci\n"), ("", "ucci\n"), ("", "go depth 3\nisready\n"), ("--game xiangqi", "d\nquit\n")];
    let commands = ["perft 3", "perft 2 --unique", "bench 1", "--help", "--version", "help perft"];
    let silent = commands.map(|words| (words, ""));
    for (words, input) in silent.into_iter().chain(spoken) {
        for output in [">/dev/full", ">&-"] {
            let script = format!("exec \"$0\" {words} {output}");
            let mut command = std::process::Command::new("sh");
            command.args(["-c", &script]).arg(program::own()).current_dir(crate::common::root());
            let mut child = program::start(command.stdin(Stdio::piped()));
            // The program may have ended already.
            let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
            let run = program::finish(child);
            assert_eq!(run.code, Some(2), "{script} {input:?}: {run:?}");
            let line = "tabiya: cannot write the output: ";
            assert!(run.err.starts_with(line) && run.err.lines().count() == 1, "{script} {input:?}: {run:?}");
        }
    }
}

/// `ulimit -f`: the system ends a program that writes more, unless it wants an error.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow_is_reported() {
    let folder = Folder::new("limit");
    let (file, output) = (folder.text("checkpoint"), folder.text("output"));
    let part = format!("perft 3 --part 1/1 --checkpoint '{file}'");
    for (words, reason) in
        [(part.as_str(), "--checkpoint: "), (&format!("perft 3 --divide >'{output}'"), "cannot write the output: ")]
    {
        let script = format!("ulimit -f 0; exec '{}' {words}", program::own());
        let run = program::finish(program::start(std::process::Command::new("sh").args(["-c", &script])));
        assert_eq!(run.code, Some(2), "{words}: {run:?}");
        assert!(run.err.starts_with(&format!("tabiya: {reason}")) && run.err.lines().count() == 1, "{words}: {run:?}");
    }
}
