//! UCCI over real pipes: scripted dialogues, each named by the rows of the requirements it stands for, hostile
//! input, and races.
//!
//! `states` has transport and states, `options` the options, `positions` positions and moves, `searches` the
//! rows about `go` and its results, `examples` the dialogues that the protocol's document prints, `hostile`
//! what no GUI should send, `races` thousands of stops and ponder hits at random moments.
//!
//! Options of the protocol that this program does not announce, because they would do nothing:
//!
//! | rows | option |
//! |---|---|
//! | UCCI-33 | `bookfiles`: the book is inside the program, and there is no common format for others |
//! | UCCI-32, 34 | `useegtb`, `egtbpaths`: there are no endgame bases |
//! | UCCI-35 | `evalapi`: the evaluation is part of the program |
//! | UCCI-39 | `promotion`: a rule of another game |
//! | UCCI-41 | `knowledge`: there is one amount of it |
//!
//! That these are accepted in silence is tested under UCCI-47.

#[path = "../common/pipe.rs"]
mod pipe;
#[path = "../common/ucci.rs"]
mod ucci;

mod examples;
mod hostile;
mod options;
mod positions;
mod races;
mod searches;
mod states;

/// Every row is in the name of a test or in the table above.
#[test]
fn every_row_has_a_test() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ucci");
    let mut tested = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for name in text.split("\nfn ucci_").skip(1) {
            let mut parts = name.split('_').peekable();
            let mut last: Option<u32> = None;
            while let Some(part) =
                parts.next_if(|part| *part == "to" || part.parse::<u32>().is_ok())
            {
                match (part.parse(), last) {
                    (Ok(row), _) => {
                        last = Some(row);
                        tested.insert(row);
                    }
                    (Err(_), Some(from)) => {
                        let to = parts.peek().and_then(|part| part.parse().ok()).unwrap_or(from);
                        tested.extend(from..=to);
                    }
                    (Err(_), None) => {}
                }
            }
        }
    }
    let missing: Vec<u32> = (1..=91).filter(|row| !tested.contains(row)).collect();
    assert_eq!(missing, [0; 0], "rows without a test");
}
