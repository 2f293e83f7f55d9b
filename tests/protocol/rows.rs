//! Finds the requirements ("rows") of a protocol that no assertion names.
//!
//! The message of an assertion names the rows that it checks: `"UCI-05, 10 to 12: …"`. Whether the assertion is a good
//! one, only a reader can judge.

use std::collections::BTreeSet;
use std::path::Path;

/// The rows from 1 to `last`, but those of `untested`, that no message in `tests/protocol/FOLDER` or of the tests of
/// both protocols names; `prefix` is that of the rows.
pub fn without_assertion(folder: &str, prefix: &str, last: u32, untested: &[u32]) -> Vec<u32> {
    let both = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/protocol");
    let folder = std::fs::read_dir(both.join(folder)).expect("the folder of the tests");
    let files = folder.map(|entry| entry.expect("an entry").path()).chain([both.join("transport.rs")]);
    let named: BTreeSet<u32> =
        files.flat_map(|file| rows_in_messages(&std::fs::read_to_string(file).expect("a text"), prefix)).collect();
    (1..=last).filter(|row| !named.contains(row) && !untested.contains(row)).collect()
}

/// The rows that messages name: `PREFIX-05, 10` or `PREFIX-05 to 10, PREFIX-12`, outside comments.
fn rows_in_messages(text: &str, prefix: &str) -> BTreeSet<u32> {
    let start = format!("{prefix}-");
    let mut rows = BTreeSet::new();
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
        for (at, _) in line.match_indices(&start) {
            // `UCI-` must not be part of a longer word.
            if line[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) {
                continue;
            }
            let label = line[at + start.len()..].split([':', '"', '}']).next().unwrap_or_default();
            // Numbers, and `a to b`, up to the first word that is neither.
            let (mut latest, mut from) = (0, None);
            for word in label.split([' ', ',']).filter(|word| !word.is_empty()) {
                match word.parse() {
                    Ok(row) => {
                        rows.extend(from.take().unwrap_or(row)..=row);
                        latest = row;
                    }
                    Err(_) if word == "to" => from = Some(latest),
                    Err(_) => break,
                }
            }
        }
    }
    rows
}

#[test]
fn messages_name_single_rows_and_ranges() {
    let text = "assert!(x, \"ABC-01, 03 to 05: yes\");\nassert!(x, \"XABC-08, ABC-09, ABC-12: {x}\"); // ABC-10";
    assert_eq!(Vec::from_iter(rows_in_messages(text, "ABC")), [1, 3, 4, 5, 9, 12]);
}
