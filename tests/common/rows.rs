//! Finds the requirements that the tests of a protocol claim to check, and tests that claim one without an assertion.
//!
//! Included by `tests/protocol`. A test claims the numbers in its name (`uci_05_10_to_12_…`). Each number must be
//! in the message of an assertion (`"UCI-05, 10: …"`) of the test, or of a function of the same file that it calls.
//! Comments do not count. Whether the assertion is a good one, only a reader can judge.

#![allow(dead_code)]

use std::collections::BTreeSet;
use std::path::Path;

/// A function of a test file.
struct Function<'a> {
    name: &'a str,
    is_test: bool,
    body: &'a str,
}

/// The rows that the names of the tests in `tests/FOLDER` claim; `prefix` is that of the rows, in capitals.
///
/// # Panics
/// With a list of the tests that claim a row without an assertion.
pub fn asserted_rows(folder: &str, prefix: &str) -> BTreeSet<u32> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let (mut rows, mut faults) = (BTreeSet::new(), Vec::new());
    for entry in std::fs::read_dir(folder).expect("the folder of the tests") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a text");
        let (claimed, unasserted) = rows_of_file(&text, prefix);
        rows.extend(claimed);
        faults.extend(unasserted);
    }
    assert!(faults.is_empty(), "claimed and not asserted:\n{}", faults.join("\n"));
    rows
}

/// The rows that one file claims, and a message for every test with a missing assertion.
fn rows_of_file(text: &str, prefix: &str) -> (BTreeSet<u32>, Vec<String>) {
    let functions = functions(text);
    let (mut rows, mut faults) = (BTreeSet::new(), Vec::new());
    let start = format!("{}_", prefix.to_lowercase());
    for function in &functions {
        let Some(name) = function.name.strip_prefix(&start) else { continue };
        let claimed = rows_in_name(name);
        let mut asserted = rows_in_messages(function.body, prefix);
        for called in functions.iter().filter(|f| !f.is_test) {
            if function.body.contains(&format!("{}(", called.name)) {
                asserted.extend(rows_in_messages(called.body, prefix));
            }
        }
        let missing: Vec<_> = claimed.difference(&asserted).collect();
        if !function.is_test {
            faults.push(format!("{} is no test", function.name));
        } else if !missing.is_empty() {
            faults.push(format!("{}: {missing:?}", function.name));
        }
        rows.extend(claimed);
    }
    (rows, faults)
}

/// The top-level functions of a file formatted by rustfmt.
fn functions(text: &str) -> Vec<Function<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find("\nfn ") {
        let begin = at + next + 4;
        let end = text[begin..].find("\n}\n").map_or(text.len(), |length| begin + length);
        let name = text[begin..].split(['(', '<']).next().unwrap_or_default();
        let above = text[..begin].lines().rev().skip(1);
        let is_test = above.take_while(|line| line.starts_with("#[")).any(|line| line == "#[test]");
        found.push(Function { name, is_test, body: &text[begin + name.len()..end] });
        at = end;
    }
    found
}

/// The rows in a name such as `05_10_to_12_that_it_flies`.
fn rows_in_name(name: &str) -> BTreeSet<u32> {
    rows_in_words(name.split('_'))
}

/// Numbers, and `a to b`, up to the first word that is neither.
fn rows_in_words<'a>(words: impl Iterator<Item = &'a str>) -> BTreeSet<u32> {
    let (mut rows, mut last, mut range) = (BTreeSet::new(), None, false);
    for word in words {
        match (word.parse::<u32>(), last) {
            (Ok(row), Some(from)) if range => rows.extend(from..=row),
            (Ok(row), _) => _ = rows.insert(row),
            (Err(_), Some(_)) if word == "to" && !range => {
                range = true;
                continue;
            }
            _ => break,
        }
        (last, range) = (word.parse().ok(), false);
    }
    rows
}

/// The rows that messages name: `PREFIX-05, 10` or `PREFIX-05 to 10, PREFIX-12`, outside comments.
fn rows_in_messages(body: &str, prefix: &str) -> BTreeSet<u32> {
    let start = format!("{prefix}-");
    let code = body.lines().map(|line| line.split("// ").next().unwrap_or_default());
    let mut rows = BTreeSet::new();
    for line in code {
        for (at, _) in line.match_indices(&start) {
            // `UCI-` must not be part of a longer word.
            if line[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) {
                continue;
            }
            let label = line[at + start.len()..].split([':', '"', '}']).next().unwrap_or_default();
            rows.extend(rows_in_words(label.split([' ', ',']).filter(|word| !word.is_empty())));
        }
    }
    rows
}

#[test]
fn claims_without_an_assertion_are_found() {
    let text = r#"
#[test]
fn abc_01_03_to_05_all_is_asserted() {
    assert!(true, "ABC-01, 03 to 05: yes");
}

#[test]
fn abc_07_by_what_it_calls() {
    helper();
}

fn helper() {
    assert!(true, "ABC-07");
}

#[test]
fn abc_08_09_10_a_comment_is_no_assertion() {
    assert!(true, "XABC-08, ABC-09: {x}"); // ABC-10
}

fn abc_11_without_its_attribute() {
    assert!(true, "ABC-11");
}
"#;
    let (rows, faults) = rows_of_file(text, "ABC");
    assert_eq!(Vec::from_iter(rows), [1, 3, 4, 5, 7, 8, 9, 10, 11]);
    let expected = ["abc_08_09_10_a_comment_is_no_assertion: [8, 10]", "abc_11_without_its_attribute is no test"];
    assert_eq!(faults, expected);
}
