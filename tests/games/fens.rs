//! FENs of both games, right and wrong: `tests/data/fens.txt` has them with what each is read as, or why it is refused.
//! `mutated` has damaged FENs, the unit tests of `game::text::fen` those with odd characters.

use crate::common::root;
use pretty_assertions::assert_eq;
use std::{env, fs};
use tabiya::game::{Position, Rules};
use tabiya::{chess, xiangqi};

/// How the library reads a FEN and, where it refuses it, the program.
fn answer<B: Rules>(fen: &str) -> String {
    let refusal = match Position::<B>::from_fen(fen) {
        Ok(pos) => return format!("    {}\n", pos.to_fen()),
        Err(error) => error.to_string(),
    };
    match Position::<B>::from_fen_lenient(fen) {
        Ok((pos, warning)) => {
            let warning = warning.expect("a warning of what the library refuses");
            format!("    library: {refusal}\n    program: {}\n    warning: {warning}\n", pos.to_fen())
        }
        Err(error) if error.to_string() == refusal => format!("    {refusal}\n"),
        Err(error) => format!("    library: {refusal}\n    program: {error}\n"),
    }
}

#[test]
fn fens_are_read_or_refused_as_expected() {
    let path = root().join("tests/data/fens.txt");
    let text = fs::read_to_string(&path).unwrap();
    let (mut found, mut is_xiangqi) = (String::new(), false);
    for line in text.lines().filter(|line| !line.starts_with("    ")) {
        found += &format!("{line}\n");
        is_xiangqi |= line == "## xiangqi";
        if !line.is_empty() && !line.starts_with('#') {
            let answer = if is_xiangqi { answer::<xiangqi::Board> } else { answer::<chess::Board> };
            found += &answer(line);
        }
    }
    if env::var_os("TABIYA_BLESS").is_some() {
        return fs::write(path, &found).unwrap();
    }
    assert_eq!(found, text);
}

#[test]
fn long_and_foreign_texts_are_refused_with_a_short_reason() {
    let start = chess::Position::START_FEN;
    let numbers = format!("{}1", "0".repeat(200));
    for fen in [
        "".into(),
        format!("{start}\n"),
        format!("{start}\0"),
        start.replace(' ', "\u{a0}"),
        start.replace("0 1", "٠ ١"),
        start.replace('k', "к"),
        start.replace("0 1", &format!("{numbers} {numbers}")),
        format!("{start}{}", " ".repeat(1_000)),
        "k".repeat(1_000_000),
        "9".repeat(1_000_000),
    ] {
        let errors = [chess::Position::from_fen(&fen).map(drop), xiangqi::Position::from_fen(&fen).map(drop)];
        for error in errors.map(Result::unwrap_err) {
            assert!(error.field.starts_with("FEN") && fen.is_char_boundary(error.offset), "{error}");
            assert!(error.to_string().len() < 400 && !error.to_string().contains(char::is_control), "{error}");
        }
    }
}

#[test]
fn counters_stop_at_their_largest_value() {
    let mut pos = chess::Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 9999 9999").unwrap();
    pos.make(pos.parse_move("e8d8").unwrap());
    assert_eq!(pos.to_fen(), "3k4/8/8/8/8/8/8/4K3 w - - 9999 9999");
    pos.make_null();
    assert_eq!(chess::Position::from_fen(&pos.to_fen()), Ok(pos));
}

/// Soldiers behind their first squares or between them, with the counts of perft 1 to 4.
const SOLDIERS: [(&str, [u64; 4]); 4] = [
    ("3ak4/4a4/8p/9/9/9/9/9/4A4/3AK4 w - - 0 1", [4, 10, 37, 167]),
    ("3ak1b2/4a4/4b3p/2P6/9/9/4P4/P2A5/4p4/3AK1P2 w - - 0 1", [4, 34, 315, 2548]),
    ("3k1P3/p3p3p/9/1p5p1/9/9/1P5P1/9/P3P4/4K4 b - - 0 1", [6, 42, 243, 1773]),
    ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/1P1P1P1P1/1C4PC1/9/RNBAKABNR w - - 0 1", [37, 1494, 54_476, 2_099_464]),
];

/// Counts by Fairy-Stockfish, which reads such positions.
#[test]
fn soldiers_set_up_where_they_never_come_to_are_counted() {
    for (fen, counts) in SOLDIERS {
        let (position, _) = xiangqi::Position::from_fen_lenient(fen).unwrap();
        assert_eq!([1, 2, 3, 4].map(|depth| position.perft(depth)), counts, "{fen}");
    }
}

#[test]
fn malformed_moves() {
    let pos = chess::Position::from_fen("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    for good in ["e1g1", "e1h1", "e1c1", "b7b8q", "b7b8Q", "b7a8n"] {
        assert!(pos.parse_coordinates(good).is_ok(), "{good}");
    }
    for bad in [
        "b7b8", "b7b8k", "b7b8p", "b7b8qq", "e1e2q", "e1f1 ", " e1f1", "E1F1", "e1", "", "0000", "a1a1", "e1b1",
        "e8g8", "O-O", "e1g1\n", "é1g", "e1é", "e1g♔",
    ] {
        assert!(pos.parse_coordinates(bad).is_err(), "{bad:?}");
    }
    for bad in ["", "h2", "h2e2e", "j0j1", "a0a0", "é2e2", "h2ez", "H2E2"] {
        assert!(xiangqi::Position::default().parse_coordinates(bad).is_err(), "{bad}");
    }
}
