//! The command line of the built program, over pipes: what `tabiya perft` prints, and every kind of bad input.
//!
//! Counts go to stdout, everything else to stderr; exit code 0, 1 (a count differs) or 2 (bad input).

use crate::common::engine::Engine;
use crate::common::program::{self, Folder, output, run};
use crate::common::{by_build, chess_suites, skip_or_fail, standard};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn totals_and_nothing_else_on_stdout() {
    let known = [1u64, 20, 400, 8_902, 197_281, 4_865_609, 119_060_324];
    for (depth, nodes) in known.into_iter().enumerate() {
        let run = run(&["perft", &depth.to_string()]);
        assert_eq!((run.code, run.out), (Some(0), format!("Nodes searched: {nodes}\n")));
        assert_eq!(run.err.lines().count(), 1, "one summary line on stderr: {}", run.err);
        for word in ["threads", "kernel", "every node visited"] {
            assert!(run.err.contains(word), "{word} in {}", run.err);
        }
    }
}

#[test]
fn every_setting_gives_the_same_total() {
    for settings in [
        &["--threads", "1"][..],
        &["--threads=3", "--hash=17"],
        &["--hash", "16", "--seed", "18446744073709551615"],
        &["--kernel", "scalar", "--threads", "2"],
        &["--kernel", "portable", "--hash", "16", "--seed", "7"],
        &["--kernel=auto", "--threads=0", "--hash=0", "--game=chess"],
    ] {
        let arguments = [&["perft", "5", "--fen", "kiwipete"], settings].concat();
        assert_eq!(output(&arguments), "Nodes searched: 193690690\n", "{settings:?}");
    }
}

#[test]
fn divide_has_the_form_of_stockfish() {
    let text = output(&["perft", "2", "--divide"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 22);
    assert_eq!(lines[0], "a2a3: 20");
    assert_eq!(lines[20..], ["", "Nodes searched: 400"]);
    assert!(lines[..20].is_sorted() && text.ends_with('\n'));
    // At depth 0 there are no moves to print.
    assert_eq!(output(&["perft", "0", "--divide"]), "\nNodes searched: 1\n");

    let Some(mut stockfish) = Engine::stockfish() else {
        return skip_or_fail("Stockfish", "divide_has_the_form_of_stockfish");
    };
    for entry in chess_suites().iter().step_by(9) {
        let chess960 = entry.suite.ends_with("960");
        let mut arguments = vec!["perft", "3", "--divide", "--fen", &entry.fen];
        arguments.extend(chess960.then_some("--chess960"));
        let theirs = stockfish.divide(&entry.fen, chess960, 3);
        let total: u64 = theirs.iter().map(|(_, n)| n).sum();
        let lines: String = theirs.iter().map(|(m, n)| format!("{m}: {n}\n")).collect();
        let expected = format!("{lines}\nNodes searched: {total}\n");
        assert_eq!(output(&arguments), expected, "{}", entry.place());
    }
}

#[test]
fn positions_by_name_and_by_fen() {
    let mut names = 0;
    for entry in chess_suites().iter().filter(|entry| entry.suite == "standard") {
        let (depth, nodes) = entry.within(5_000_000).last().unwrap();
        let expected = format!("Nodes searched: {nodes}\n");
        let depth = depth.to_string();
        let upper = entry.name.to_uppercase();
        for text in [&entry.name, &upper, &entry.fen] {
            assert_eq!(output(&["perft", &depth, "--fen", text]), expected, "{}", entry.place());
        }
        names += 1;
    }
    assert!(names >= 6, "{names} names");
    // Options may be anywhere, and a FEN may have blanks around it.
    let padded = format!(" {KIWIPETE} ");
    assert_eq!(output(&["perft", "--fen", &padded, "2"]), "Nodes searched: 2039\n");
}

/// The columns of the chess programming wiki's page "Perft Results".
#[test]
fn statistics_are_the_published_ones() {
    // nodes, captures, e.p., castles, promotions, checks, discovered checks, double checks, mates
    let published: [(&str, &str, [u64; 9]); 5] = [
        ("startpos", "4", [197_281, 1_576, 0, 0, 0, 469, 0, 0, 8]),
        ("startpos", "5", [4_865_609, 82_719, 258, 0, 0, 27_351, 6, 0, 347]),
        ("kiwipete", "4", [4_085_603, 757_163, 1_929, 128_013, 15_172, 25_523, 42, 6, 43]),
        ("position3", "5", [674_624, 52_051, 1_165, 0, 0, 52_950, 1_292, 3, 0]),
        ("startpos", "6", [119_060_324, 2_812_008, 5_248, 0, 0, 809_099, 329, 46, 10_828]),
    ];
    // Too many for a build with assertions.
    let tested = by_build(5, 4);
    for (name, depth, expected) in &published[..tested] {
        let text = output(&["perft", depth, "--fen", name, "--stats"]);
        let (rows, rest) = text.split_once("\n\n").unwrap();
        let heads = ["nodes", "captures", "en passant", "castles", "promotions", "checks"];
        let heads = heads.iter().chain(&["discovered checks", "double checks", "mates"]);
        let read = |(line, head): (&str, &&str)| row(line, head)[0];
        assert_eq!(rows.lines().count(), 9, "{text}");
        assert_eq!(Vec::from_iter(rows.lines().zip(heads).map(read)), expected, "{name} depth {depth}");
        assert_eq!(rest, format!("Nodes searched: {}\n", expected[0]));
        assert!(rows.lines().all(|line| line.len() <= 40), "{text}");
    }
}

/// The numbers of a row of the statistics table.
fn row(line: &str, label: &str) -> Vec<u64> {
    let cells = line.strip_prefix(label).unwrap_or_else(|| panic!("no {label}: {line}"));
    cells.split_whitespace().map(|cell| cell.parse().unwrap()).collect()
}

/// Statistics of kiwipete divided by moves: so many tables, none wider than 80 characters, of 48 rows each and their
/// total, which is the sum.
fn divided(depth: &str, stats: &str, tables: usize) -> Vec<u64> {
    let text = output(&["perft", depth, "--fen", "kiwipete", stats, "--divide"]);
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    let parts: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(parts.len(), tables + 1, "{text}");
    let mut totals = Vec::new();
    for table in &parts[..tables] {
        // The titles, which have up to three words, stand on top.
        let lines: Vec<&str> = table.lines().skip_while(|line| line.starts_with(' ')).collect();
        assert_eq!(lines.len(), 48 + 1, "{table}");
        let total = row(lines[48], "total");
        let mut sum = vec![0; total.len()];
        for line in &lines[..48] {
            let (label, _) = line.split_once(' ').unwrap();
            assert!(label.ends_with(':') && (5..=6).contains(&label.len()), "{line}");
            row(line, label).iter().zip(&mut sum).for_each(|(n, sum)| *sum += n);
        }
        assert_eq!(sum, total);
        totals.extend(sum);
    }
    totals
}

#[test]
fn divided_statistics_add_up() {
    assert_eq!(divided("3", "--stats", 1), [97_862, 17_102, 45, 3_162, 0, 993, 0, 0, 1]);
    assert_eq!(divided("4", "--stats", 2)[..5], [4_085_603, 757_163, 1_929, 128_013, 15_172]);
    let full = divided("2", "--stats=full", 2);
    assert_eq!((full.len(), full[0], full[9]), (15, 2_039, 3));
    assert_eq!(output(&["perft", "0", "--stats"]).lines().last(), Some("Nodes searched: 1"));
}

/// All fifteen columns, one to a line, or a row for each move.
#[test]
fn full_statistics_distinguish_checks() {
    let text = output(&["perft", "4", "--fen", "kiwipete", "--stats=full"]);
    let numbers: Vec<u64> =
        text.lines().take(15).map(|line| line.rsplit(' ').next().unwrap().parse().unwrap()).collect();
    let mates = [43, 0, 0, 0, 43];
    let checks = [25_432, 42, 6, 0, 25_480];
    assert_eq!(numbers[..5], [4_085_603, 757_163, 1_929, 128_013, 15_172]);
    assert_eq!((&numbers[5..10], &numbers[10..]), (&checks[..], &mates[..]));
    assert!(text.contains("\nsingle discovered checks "), "{text}");
    assert!(text.ends_with("\n\nNodes searched: 4085603\n"), "{text}");
    // At depth 1 the columns describe the moves themselves.
    let text = output(&["perft", "1", "--fen", "kiwipete", "--stats"]);
    assert!(text.starts_with("nodes              48\ncaptures            8\n"), "{text}");
}

/// The subset of JSON that the program writes: objects, strings and numbers.
#[derive(Debug, PartialEq)]
enum Json {
    Number(f64),
    Text(String),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// One whole line.
    fn line(text: &str) -> Json {
        let line = text.strip_suffix('\n').expect("a whole line");
        let mut rest = line;
        let value = Json::read(&mut rest);
        assert_eq!(rest, "", "something follows the value in {line}");
        value
    }

    fn read(rest: &mut &str) -> Json {
        match rest.as_bytes().first() {
            Some(b'"') => Json::Text(string(rest)),
            Some(b'{') => {
                *rest = &rest[1..];
                let mut members = Vec::new();
                while !rest.starts_with('}') {
                    if !members.is_empty() {
                        *rest = rest.strip_prefix(',').expect("a comma");
                    }
                    let name = string(rest);
                    *rest = rest.strip_prefix(':').expect("a colon");
                    assert!(members.iter().all(|(other, _)| *other != name), "{name} twice");
                    members.push((name, Json::read(rest)));
                }
                *rest = &rest[1..];
                Json::Object(members)
            }
            _ => {
                let end = rest.find([',', '}']).unwrap_or(rest.len());
                let (number, after) = rest.split_at(end);
                *rest = after;
                assert!(number.bytes().all(|b| b.is_ascii_digit() || b == b'.'), "{number:?}");
                assert!(number == "0" || number.starts_with("0.") || !number.starts_with('0'));
                Json::Number(number.parse().unwrap())
            }
        }
    }

    fn get(&self, name: &str) -> &Json {
        let Json::Object(members) = self else { panic!("{self:?} has no members") };
        let found = members.iter().find(|(other, _)| other == name);
        &found.unwrap_or_else(|| panic!("no {name} in {self:?}")).1
    }

    fn number(&self, name: &str) -> u64 {
        let Json::Number(n) = self.get(name) else { panic!("{name} is no number") };
        *n as u64
    }

    fn members(&self) -> &[(String, Json)] {
        let Json::Object(members) = self else { panic!("{self:?} has no members") };
        members
    }
}

fn string(rest: &mut &str) -> String {
    *rest = rest.strip_prefix('"').unwrap_or_else(|| panic!("no string at {rest}"));
    let mut value = String::new();
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => {
                *rest = &rest[at + 1..];
                return value;
            }
            '\\' => match letters.next().unwrap().1 {
                'u' => {
                    let digits: String = letters.by_ref().take(4).map(|(_, c)| c).collect();
                    let code = u32::from_str_radix(&digits, 16).unwrap();
                    value.push(char::from_u32(code).unwrap());
                }
                c @ ('"' | '\\') => value.push(c),
                c => panic!("escape {c:?}"),
            },
            c => {
                assert!(c >= ' ', "a bare control character");
                value.push(c);
            }
        }
    }
    panic!("an open string");
}

#[test]
fn json_is_one_valid_line() {
    let plain = Json::line(&output(&["perft", "4", "--json", "--threads", "1"]));
    assert_eq!(plain.number("nodes"), 197_281);
    assert_eq!((plain.number("depth"), plain.number("threads")), (4, 1));
    assert_eq!(*plain.get("game"), Json::Text("chess".into()));
    assert_eq!(*plain.get("fen"), Json::Text(standard("startpos").fen));
    assert!(plain.members().iter().all(|(name, _)| name != "divide" && name != "stats"));

    let fen = ["perft", "3", "--json", "--fen", "kiwipete"];
    let divided = Json::line(&output(&[&fen[..], &["--divide", "--hash", "17"]].concat()));
    let sum: u64 = divided
        .get("divide")
        .members()
        .iter()
        .map(|(_, n)| match n {
            Json::Number(n) => *n as u64,
            other => panic!("{other:?}"),
        })
        .sum();
    assert_eq!((sum, divided.number("hash_mb")), (97_862, 17));
    assert_eq!(divided.get("divide").members().len(), 48);
    assert_eq!(divided.get("divide").number("e1g1"), 2_059);

    let full = Json::line(&output(&[&fen[..], &["--divide", "--stats"]].concat()));
    let stats = full.get("stats");
    let names = ["nodes", "captures", "enpassants", "castles", "promotions", "total_checks"];
    let values: Vec<u64> = names.iter().map(|name| stats.number(name)).collect();
    assert_eq!(values, [97_862, 17_102, 45, 3_162, 0, 992]);
    assert_eq!((stats.number("double_discovered_checks"), stats.number("total_mates")), (0, 1));
    assert_eq!(stats.members().len(), 15);
    let rows = full.get("divide_stats").members();
    assert_eq!(rows.iter().map(|(_, row)| row.number("total_checks")).sum::<u64>(), 992);
    assert!(rows.iter().all(|(_, row)| row.members().len() == 15));
    assert_eq!(full.get("divide"), divided.get("divide"));
    // Depth 0 has no moves, but the same form.
    let none = Json::line(&output(&["perft", "0", "--json", "--divide", "--stats"]));
    assert_eq!((none.number("nodes"), none.get("divide").members().len()), (1, 0));
}

#[test]
fn chess960_writes_castling_as_king_takes_rook() {
    let castles = |arguments: &[&str]| {
        let text = output(&[&["perft", "1", "--divide"], arguments].concat());
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("e1")).collect();
        lines.join(" ")
    };
    assert_eq!(castles(&["--fen", "kiwipete"]), "e1c1: 1 e1d1: 1 e1f1: 1 e1g1: 1");
    assert_eq!(castles(&["--fen", "kiwipete", "--chess960"]), "e1a1: 1 e1d1: 1 e1f1: 1 e1h1: 1");
    // Where the standard notation is ambiguous, the Chess960 notation is used without the option.
    assert!(castles(&["--fen", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1"]).contains("e1g1"));
}

#[test]
fn suites_pass_and_their_faults_are_named() {
    let suites = ["standard", "tricky", "chess960", "diagnosis", "diagnosis960"];
    let files = suites.map(|n| format!("perft-suites/chess/{n}.epd"));
    let mut arguments = vec!["perft", "--max-nodes", "100000", "--suite"];
    arguments.extend(files.iter().map(String::as_str));
    let text = output(&arguments);
    let within = chess_suites().iter().flat_map(|e| e.within(100_000).collect::<Vec<_>>()).count();
    for file in &files {
        let line = text.lines().find(|line| line.starts_with(file.as_str())).unwrap();
        assert!(line.ends_with(" 0 wrong"), "{line}");
    }
    arguments.push("--json");
    let json = Json::line(&output(&arguments));
    assert_eq!((json.number("counts"), json.number("wrong")), (within as u64, 0));

    let folder = Folder::new("suites");
    let wrong = folder.write("wrong.epd", format!("# a comment\n{KIWIPETE} ;D1 48 ;D2 2040 ;D3 1\n"));
    let right = folder.write("right.epd", format!("{KIWIPETE} ;D1 48\n"));
    let mixed = folder.write("mixed.epd", format!("{KIWIPETE}; D1 48;\nk7/8/8/8/8/8/8/K7 w - - D1 3"));
    let found = run(&["perft", "--suite", &wrong, &right, "--max-nodes", "2040"]);
    assert_eq!(found.code, Some(1), "{found:?}");
    let first = format!("{wrong}:2: depth 2: counted 2039, expected 2040: {KIWIPETE}");
    let third = format!("{wrong}:2: depth 3: counted 97862, expected 1: {KIWIPETE}");
    let lines: Vec<&str> = found.out.lines().collect();
    assert_eq!(lines[..2], [first, third]);
    assert_eq!(lines[2], format!("{wrong}: 1 position, 3 counts, 0 left out, 2 wrong"));
    assert_eq!(lines[3], format!("{right}: 1 position, 1 count, 0 left out, 0 wrong"));
    assert_eq!(lines[4], format!("Nodes searched: {}", 48 + 2039 + 97_862 + 48));
    // Wrong counts above the limit are skipped, but it is an error if all counts are above it.
    let limited = |files: &[&str], most: &str| run(&[&["perft", "--max-nodes", most, "--suite"], files].concat());
    let found = limited(&[&right, &mixed], "47");
    assert_eq!(found.code, Some(0), "{found:?}");
    let lines: Vec<&str> = found.out.lines().collect();
    assert_eq!(lines[0], format!("{right}: 0 positions, 0 counts, 1 left out, 0 wrong"));
    assert_eq!(lines[1], format!("{mixed}: 1 position, 1 count, 1 left out, 0 wrong"));
    limited(&[&right], "47").assert_refused(&["47 leaves out every count; the smallest is 48"]);
    limited(&[&right, &right], "0").assert_refused(&["--max-nodes: 0"]);
    for empty in ["", "\n# a comment\n\n", "\u{feff}", " \r\n\u{1a}"] {
        let empty = folder.write("empty.epd", empty);
        limited(&[&right, &empty], "100").assert_refused(&["contains no positions"]);
    }
    // As JSON, the mismatches are lines of their own.
    let found = run(&["perft", "--suite", &wrong, "--json", "--max-nodes", "2040"]);
    assert_eq!(found.code, Some(1));
    let lines: Vec<Json> = found.out.split_inclusive('\n').map(Json::line).collect();
    assert_eq!(["line", "depth", "counted"].map(|name| lines[0].number(name)), [2, 2, 2_039]);
    assert_eq!(lines.last().unwrap().number("wrong"), 2);
}

/// A text in the encodings that Windows programs write.
fn encodings(text: &str) -> Vec<Vec<u8>> {
    let windows = text.replace('\n', "\r\n");
    let marked = format!("\u{feff}{windows}");
    let utf16 = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![windows.into_bytes(), marked.into_bytes(), utf16]
}

#[test]
fn suites_and_divides_in_windows_encodings_are_read() {
    let folder = Folder::new("encodings");
    let suite = format!("{KIWIPETE} ;D1 48\n{KIWIPETE} ;D2 2039\n");
    for bytes in encodings(&suite) {
        let file = folder.write("suite.epd", bytes);
        let found = output(&["perft", "--suite", &file]);
        assert!(found.starts_with(&format!("{file}: 2 positions, 2 counts, 0 left")), "{found}");
    }
    let divide = output(&["perft", "2", "--divide"]);
    for bytes in encodings(&divide) {
        let file = folder.write("divide.txt", bytes);
        assert!(output(&["perft", "2", "--compare", &file]).ends_with("both divides agree\n"));
    }
}

#[test]
fn a_move_that_is_printed_twice_is_a_difference() {
    let folder = Folder::new("twice");
    let divide = output(&["perft", "2", "--divide"]);
    let compare = |text: &str| {
        let file = folder.write("divide.txt", text);
        run(&["perft", "2", "--compare", &file])
    };
    let found = compare(&format!("a2a3: 20\n{divide}"));
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.out.ends_with("w KQkq - 0 1\na2a3 is listed more than once\n"), "{found:?}");
    let found = compare(&divide.replace("b2b3: 20", "b2b3: 20\nb2-b3 21\nb2b3: 20"));
    assert_eq!(found.code, Some(1), "{found:?}");
    let end = "b2b3 is listed more than once\nb2b3 is counted as 21 instead of 20\n";
    assert!(found.out.ends_with(end), "{found:?}");
    // Several divides are not an error; a message names the one that is used.
    let found = compare(&format!("{}{divide}", output(&["perft", "1", "--divide"])));
    assert_eq!(found.code, Some(0), "{found:?}");
    assert!(found.err.contains("using the last one, from line 23"), "{found:?}");
    assert_eq!(found.err.lines().count(), 1, "{found:?}");
}

#[test]
fn bad_arguments_are_refused_in_one_line() {
    let huge = "9".repeat(60);
    let long = "x".repeat(100_000);
    let dashes = format!("--{long}");
    let cases: &[(&[&str], &str)] = &[
        (&["pefrt", "3"], "unknown command \"pefrt\"; did you mean perft?"),
        (&["--perft"], "unknown command \"--perft\"; did you mean perft?"),
        (&["-v"], "unknown command \"-v\"; expected perft, check, bench"),
        (&["help", "benhc"], "unknown command \"benhc\"; did you mean bench?"),
        (&[""], "\"\""),
        (&[&long], "\"xxxx"),
        (&["--version", "extra"], "unexpected argument \"extra\" after --version"),
        (&["-V", "extra"], "unexpected argument \"extra\" after -V"),
        (&["perft"], "DEPTH is missing: tabiya perft DEPTH [options]"),
        (&["perft", "--unique"], "DEPTH is missing: tabiya perft DEPTH --unique"),
        (&["perft", "3", "4"], "unexpected argument \"4\" after DEPTH"),
        (&["perft", "-1"], "DEPTH: \"-1\""),
        (&["perft", "-"], "DEPTH: \"-\""),
        (&["perft", "+1"], "DEPTH: \"+1\""),
        (&["perft", ""], "DEPTH: \"\""),
        (&["perft", "six"], "DEPTH: \"six\""),
        (&["perft", "1.0"], "DEPTH: \"1.0\""),
        (&["perft", "101"], "DEPTH: \"101\""),
        (&["perft", &huge], "DEPTH: \"9999"),
        (&["perft", &long], "DEPTH: \"xxxx"),
        (&["perft", "٣"], "DEPTH: \"٣\""),
        (&["perft", "1\n2"], "DEPTH: \"1\\n2\""),
        (&["perft", "1", "--dvide"], "unknown option \"--dvide\" for perft; did you mean --div"),
        (&["perft", "1", "--fne=x"], "unknown option \"--fne\" for perft; did you mean --fen?"),
        (&["perft", "1", "-fen", "x"], "unknown option \"-fen\" for perft; did you mean --fen?"),
        (&["perft", "1", "--check", "x"], "did you mean --checkpoint?"),
        (&["perft", "1", "--nodes", "3"], "unknown option \"--nodes\" for perft"),
        (&["perft", "1", &dashes], "\"--xxxx"),
        (&["perft", "1", "--", "--json"], "unexpected argument \"--json\" after DEPTH"),
        (&["check", "''"], "the name of the program is empty"),
        (&["completions", "bash"], "unknown command \"completions\"; expected perft"),
        (&["help", "--man"], "unknown command \"--man\"; expected perft"),
        (&["x"], "expected perft, check, bench, probe, genfens, help or --version"),
        (&["perft", "1", "--\u{7}=3"], "\"--\\u{7}\""),
        (&["perft", "1", "--divide", "--divide"], "--divide is given twice"),
        (&["perft", "1", "--threads", "1", "--threads=1"], "--threads is given twice"),
        (&["perft", "1", "--divide=yes"], "--divide takes no value"),
        (&["perft", "1", "--fen"], "--fen needs a value: --fen FEN|NAME"),
        (&["perft", "1", "--checkpoint", "--hash", "8"], "--checkpoint needs a value"),
        (&["perft", "1", "--threads", "-1"], "--threads: \"-1\""),
        (&["perft", "1", "--threads", "1025"], "--threads: \"1025\""),
        (&["perft", "1", "--threads="], "--threads: \"\""),
        (&["perft", "1", "--hash", "big"], "--hash: \"big\""),
        (&["perft", "1", "--hash", "16777216"], "--hash: this needs 16777216 MB of memory"),
        (&["perft", "1", "--hash", "99999999"], "--hash: \"99999999\""),
        (&["perft", "1", "--hash", &huge], "--hash: \"9999"),
        (&["perft", "1", "--seed", "18446744073709551616"], "--seed: \"1844"),
        (&["perft", "1", "--seed", "1"], "--seed needs --hash or --checkpoint"),
        (&["perft", "1", "--seed", "1", "--hash", "0"], "--seed needs --hash or --checkpoint"),
        (&["perft", "1", "--against", "x", "--seed", "1"], "--seed needs --hash"),
        (&["perft", "1", "--kernel", "fast"], "unknown kernel \"fast\"; expected auto, avx512"),
        (&["perft", "1", "--game", "xiangqi", "--kernel", "avx512"], "avx512 is not available"),
        (&["perft", "1", "--game", "xiangqi", "--chess960"], "--chess960 cannot be used with"),
        (&["perft", "1", "--game", "go"], "--game: unknown game \"go\""),
        (&["perft", "1", "--fen="], "--fen: \"\""),
        (&["perft", "1", "--fen", "kiwipeet"], "--fen: \"kiwipeet\""),
        (&["perft", "1", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "--fen: FEN"),
        (&["perft", "1", "--fen", "9/8/8/8/8/8/8/8 w - - 0 1"], "--fen: FEN"),
        (&["perft", "1", "--fen", "\n/\u{1b}[31m"], "--fen: FEN"),
        (&["perft", "1", "--fen", &long], "--fen: \"xxxx"),
        (&["perft", "1", "--fen", "moves e2e4"], "--fen: \"moves e2e4\""),
        (&["perft", "1", "--fen", "startpos moves e2e4 e7e9"], "--fen: move 2: \"e7e9\" is not a move"),
        (&["perft", "1", "--fen", "startpos e2e4"], "--fen: \"startpos e2e4\""),
        (&["perft", "1", "--moves", "e2e4 e2e4 x"], "--moves: move 2: \"e2e4\" is not legal"),
        (&["perft", "1", "--moves", &long], "--moves: move 1: \"xxxx"),
        (&["perft", "1", "--game", "xiangqi", "--moves", "h2e2 h2e2"], "--moves: move 2: \"h2e2\""),
        (&["perft", "1", "--stats=foo"], "unknown value \"foo\"; expected --stats or --stats=full"),
        (&["perft", "1", "--stats="], "--stats: the value is empty"),
        (&["perft", "1", "--checkpoint", ""], "--checkpoint: expected a file name"),
        (&["perft", "1", "--against", ""], "--against: the command is empty"),
        (&["perft", "1", "--against", "'x"], "--against: the command has an open quote"),
        (&["perft", "0", "--compare", "x"], "DEPTH: \"0\""),
        (&["perft", "bench", "3"], "unexpected argument \"3\" after bench [--game NAME]"),
        (&["perft", "--suite"], "FILE... is missing: tabiya perft --suite FILE..."),
        (&["perft", "--suite=x"], "--suite takes no value"),
        (&["perft", "3", "--suite", "x"], "--suite takes no DEPTH"),
        (&["perft", "--suite", "x", "--max-nodes", "many"], "--max-nodes: \"many\""),
        (&["perft", "--suite", "no/such\nfile"], "cannot read \"no/such\\nfile\""),
        (&["perft", "--suite", "src"], "cannot read \"src\""),
        (&["perft", "4", "--fen", "8/8/8/8/8/8/8/K1k5", "w", "-", "-", "0", "1"], "a FEN needs quotes: --fen \"FEN\""),
        (&["perft", "--fen", "8/8/8/8/8/8/8/K1k5", "w", "-", "-", "0", "1", "4"], "\"w\" is not a number from 0 to"),
        (&["perft", "--fen", "8/8/8/8/8/8/8/K1k5", "w", "-", "-", "0", "1", "4"], "a FEN needs quotes"),
        (
            &["perft", "4", "--moves", "e2e4", "e7e5"],
            "unexpected argument \"e7e5\" after DEPTH; several moves need quotes",
        ),
        (&["perft", "4", "--against", "engine", "uci"], "a command with arguments needs quotes: --against \"CMD\""),
        (
            &["perft", "4", "--fen", "kiwipete", "5"],
            "unexpected argument \"5\" after DEPTH; a position is given by --fen",
        ),
        (&["bench", "--game", "go"], "--game: unknown game \"go\""),
        (&["bench", "0"], "bench DEPTH: \"0\""),
        (&["bench", "4", "5"], "unexpected argument \"5\" after DEPTH"),
        (&["bench", "--hash", "1"], "unknown option \"--hash\" for bench; see tabiya bench --help"),
        (&["probe", "--syzigy", "x"], "unknown option \"--syzigy\" for probe; did you mean"),
    ];
    for (arguments, word) in cases {
        run(arguments).assert_refused(&[word]);
    }
}

/// Every mode of perft with every option of its help: it works, or the refusal names it. The marks are an
/// independent copy of the program's table.
#[test]
fn every_option_works_or_is_refused_in_every_mode() {
    let folder = Folder::new("modes");
    let divide = folder.write("divide", output(&["perft", "1", "--divide"]));
    let suite = folder.write("suite.epd", format!("{KIWIPETE} ;D1 48\n"));
    let part = folder.text("part");
    run(&["perft", "2", "--divide", "--part", "1/1", "--checkpoint", &part]);
    let columns = folder.text("columns");
    run(&["perft", "2", "--stats", "--checkpoint", &columns]);
    let checkpoint = folder.text("checkpoint");
    let own = format!("'{}'", program::own());
    let modes: [&[&str]; 8] = [
        &["1"],
        &["1", "--against", &own],
        &["1", "--compare", &divide],
        &["1", "--expect", "20"],
        &["--suite", &suite],
        &["2", "--unique"],
        &["2", "--merge", &part],
        &["bench"],
    ];
    let marks: [(&[&str], &str); 19] = [
        (&["--fen", "startpos"], "++++-+--"),
        (&["--moves", ""], "++++-+--"),
        (&["--game", "chess"], "++++++++"),
        (&["--divide"], "++----+-"),
        // The merge needs a part with statistics.
        (&["--stats"], "+---+---"),
        (&["--chess960"], "++++----"),
        (&["--json"], "+---+++-"),
        (&["--threads", "1"], "++++++--"),
        (&["--hash", "16"], "+++++---"),
        // The first five need --hash as well.
        (&["--seed", "1"], "-----+--"),
        (&["--kernel", "scalar"], "++++++--"),
        (&["--checkpoint", &checkpoint], "+-------"),
        // This needs --checkpoint as well.
        (&["--part", "1/1"], "--------"),
        (&["--strict"], "++++++--"),
        (&["--wait", "9"], "-+------"),
        (&["--time", "9"], "---+----"),
        (&["--explain"], "----+---"),
        (&["--max-nodes", "99"], "----+---"),
        (&["--memory", "16"], "-----+--"),
    ];
    assert_eq!(run(&["perft", "2", "--merge", &columns, "--stats"]).code, Some(0));
    for (i, mode) in modes.into_iter().enumerate() {
        let of_mode = |options: &[&str]| run(&[&["perft"], mode, options].concat());
        for (option, marks) in marks {
            match marks.as_bytes()[i] {
                // This would take minutes.
                b'+' if mode == ["bench"] => {}
                b'+' => assert_eq!(of_mode(option).code, Some(0), "{mode:?} {option:?}"),
                _ => of_mode(option).assert_refused(&[option[0]]),
            }
        }
        let seeded = of_mode(&["--hash", "16", "--seed", "1"]);
        assert_eq!(seeded.code, Some(if "+++++---".as_bytes()[i] == b'+' { 0 } else { 2 }));
        for other in &modes[1..7] {
            let chooser = other.iter().position(|word| word.starts_with("--")).unwrap();
            // The first option chooses the mode.
            if i > 0 && i < 7 && mode != *other {
                let both = of_mode(&other[chooser..]);
                both.assert_refused(&[other[chooser]]);
            }
        }
    }
    // The help must have the same options, so that a new one cannot be forgotten here.
    let help = output(&["perft", "--help"]);
    let rows = help.lines().filter_map(|line| line.strip_prefix("  --"));
    let known: Vec<&str> = rows.map(|row| row.split([' ', '[']).next().unwrap()).collect();
    assert_eq!(known, marks.map(|(option, _)| &option[0][2..]));
    let forms = help.lines().filter(|line| line.starts_with("  tabiya perft "));
    let chosen = forms.flat_map(|line| line.split(' ').find_map(|word| word.strip_prefix("--")));
    let all = ["against", "compare", "expect", "suite", "unique", "merge"];
    assert_eq!(chosen.collect::<Vec<_>>(), all);
}

/// Moves after `--fen` or in `--moves`, in every mode that begins with a position.
#[test]
fn moves_lead_to_the_position() {
    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let castled = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 1 1";
    let cannons = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2";
    let start = standard("startpos").fen;
    let behind = format!("  {start}  moves\te2e4 e7e5 ");
    for (fen, arguments) in [
        (after, &["--moves", "e2e4 e7e5"][..]),
        (after, &["--fen", "startpos moves e2e4 e7e5"]),
        (after, &["--fen", "startpos moves e2e4", "--moves", " e7e5 "]),
        (after, &["--fen", &behind]),
        (&start, &["--fen", "startpos moves", "--moves="]),
        (castled, &["--fen", "kiwipete moves e1g1"]),
        (castled, &["--fen", "kiwipete", "--moves", "e1h1"]),
        (cannons, &["--game", "xiangqi", "--moves", "h2e2 h9g7"]),
    ] {
        let json = Json::line(&output(&[&["perft", "1", "--json"], arguments].concat()));
        assert_eq!(*json.get("fen"), Json::Text(fen.into()), "{arguments:?}");
    }
    let folder = Folder::new("moves");
    let own = format!("'{}'", program::own());
    let divide = folder.write("divide", output(&["perft", "2", "--divide", "--fen", after]));
    let [checkpoint, part] = ["checkpoint", "part"].map(|name| folder.text(name));
    for mode in [
        &["--divide"][..],
        &["--stats"],
        &["--unique"],
        &["--part", "1/2", "--checkpoint", &part],
        &["--against", &own],
        &["--compare", &divide],
        &["--checkpoint", &checkpoint],
    ] {
        let played = output(&[&["perft", "2", "--moves", "e2e4 e7e5"], mode].concat());
        assert_eq!(played, output(&[&["perft", "2", "--fen", after], mode].concat()), "{mode:?}");
    }
}

/// The manual's script for perftree. It gets a depth, a FEN and possibly moves, and must print moves and counts
/// separated by blanks, an empty line and the total.
#[cfg(unix)]
#[test]
fn the_script_for_perftree_works() {
    let page = std::fs::read_to_string(crate::common::root().join("src/guide/perft.md")).unwrap();
    let line = page.lines().find(|line| line.contains("--moves \"$3\"")).expect("the script");
    let own = program::own();
    let programs = std::path::Path::new(&own).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let script = |arguments: &[&str]| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", line, "perft.sh"]).args(arguments).env("PATH", &path);
        let run = program::finish(program::start(&mut shell));
        assert_eq!(run.code, Some(0), "{run:?}");
        run.out
    };
    let fen = "7k/8/5K2/8/8/8/8/6R1 b - - 0 1";
    assert_eq!(script(&["1", fen]), "h8h7 1\n\n1\n");
    assert_eq!(script(&["1", "7k/8/4K3/8/8/8/8/6R1 w - - 0 1", "e6f6"]), "h8h7 1\n\n1\n");
}

#[test]
fn little_memory_is_raised_with_a_warning() {
    for (megabytes, warnings) in [("0", 0), ("1", 1), ("15", 1), ("16", 0), ("17", 0)] {
        let run = run(&["perft", "3", "--hash", megabytes]);
        assert_eq!((run.code, run.out.as_str()), (Some(0), "Nodes searched: 8902\n"), "{run:?}");
        assert_eq!(run.err.lines().count(), 1 + warnings, "{run:?}");
        assert_eq!(run.err.starts_with("warning: --hash: raised from "), warnings > 0, "{run:?}");
    }
}

#[test]
fn bad_suite_files_are_refused_before_anything_is_run() {
    let folder = Folder::new("bad-suites");
    let good = folder.write("good.epd", format!("{KIWIPETE} ;D1 48\n"));
    let garbage: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    for (name, content, word) in [
        ("bytes.epd", garbage, "bytes.epd"),
        ("nul.epd", vec![0; 1_000], "contains no positions"),
        ("no-counts.epd", format!("{KIWIPETE}\n").into(), "line 1"),
        ("late.epd", format!("{KIWIPETE} ;D1 48\n{KIWIPETE} ;D2\n").into(), "line 2"),
        ("long.epd", vec![b'x'; 1_000_000], "line 1"),
        ("control.epd", b"\x1b[31m/8 ;D1 3".to_vec(), "line 1"),
    ] {
        let bad = folder.write(name, content);
        run(&["perft", "--suite", &good, &bad]).assert_refused(&[word]);
    }
}

/// The last line is for programs: `N nodes N nps`; the nodes are the same in every run.
#[test]
fn the_search_benchmark_is_repeatable_for_every_game() {
    let nodes = |arguments: &[&str]| {
        let text = output(arguments);
        let last: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
        assert!(matches!(last[..], [_, "nodes", _, "nps"]), "{text}");
        let total: u64 = last[0].parse().unwrap();
        let parts = text.lines().take_while(|l| !l.is_empty()).map(|l| l.split_whitespace().next().unwrap());
        let sum: u64 = parts.map(|nodes| nodes.parse::<u64>().unwrap()).sum();
        assert_eq!(sum, total);
        total
    };
    let chess = nodes(&["bench", "4"]);
    assert_eq!(nodes(&["bench", "4", "--game", "chess"]), chess);
    let xiangqi = nodes(&["bench", "4", "--game=xiangqi"]);
    assert_eq!(nodes(&["bench", "--game", "xiangqi", "4"]), xiangqi);
    assert_ne!(chess, xiangqi);
}

/// Help fits a terminal; the help of a command is about that command only.
#[test]
fn help_and_version() {
    let first = output(&["--help"]);
    assert!(first.lines().count() <= 24, "{first}");
    for other in [&["-h"][..], &["help"], &["help", "help"], &["help", "-h"]] {
        assert_eq!(output(other), first);
    }
    let mut pages = vec![first];
    for name in ["perft", "check", "bench", "probe", "genfens"] {
        let form = format!("  tabiya {name} ");
        let page = output(&["help", name]);
        assert!(page.starts_with("usage:\n") && page.contains(&form), "{page}");
        for other in [&[name, "--help"][..], &[name, "-h"], &[name, "3", "--help"], &["-h", name]] {
            assert_eq!(output(other), page, "{other:?}");
        }
        assert!(pages[0].contains(&form), "{name}");
        assert_eq!(page.contains("--kernel"), name == "perft");
        pages.push(page);
    }
    assert!(pages.concat().lines().all(|line| line.len() <= 80), "{pages:?}");
    for option in ["--version", "-V"] {
        assert_eq!(output(&[option]), format!("tabiya {}\n", env!("CARGO_PKG_VERSION")));
    }
}
