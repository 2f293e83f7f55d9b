//! FENs of xiangqi as other programs write them: what is read, with which warning, and which square an error names.
use tabiya::xiangqi::Position;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

/// The position that a FEN is read as, and the warning.
fn read(fen: &str) -> (String, Option<String>) {
    let (position, warning) = Position::from_fen_lenient(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    (position.to_fen(), warning)
}

#[test]
fn other_letters_mean_the_same_pieces() {
    let start = format!("{START} w - - 0 1");
    // Without a warning: horse `H` or `M`, elephant `E`, king `G`, the empty hands of Fairy-Stockfish.
    for (from, to) in [("nN", "hH"), ("nN", "mM"), ("bB", "eE"), ("kK", "gG"), ("", "")] {
        let letter = |c: char| from.find(c).map_or(c, |at| to.as_bytes()[at].into());
        let board: String = START.chars().map(letter).collect();
        for fen in [format!("{board} w - - 0 1"), format!("{board}[] r"), format!("{board}[-] w")] {
            assert_eq!(read(&fen), (start.clone(), None), "{fen}");
            assert_eq!(Position::from_fen(&fen), Ok(Position::default()), "{fen}");
        }
    }
    // `S` by its place, `X` by the other letters. A strict reader refuses both.
    for (pairs, warnings) in [
        ([("a", "s"), ("", "")], 1),
        ([("p", "s"), ("", "")], 1),
        ([("b", "x"), ("", "")], 1),
        ([("r", "x"), ("", "")], 1),
        ([("b", "x"), ("a", "s")], 2),
        ([("r", "x"), ("p", "s")], 2),
    ] {
        let mut board = START.to_string();
        for (from, to) in pairs {
            board = board.replace(from, to).replace(&from.to_uppercase(), &to.to_uppercase());
        }
        let fen = format!("{board} w - - 0 1");
        let (read, warning) = read(&fen);
        assert_eq!(read, start, "{fen}");
        let warning = warning.expect("a warning");
        assert_eq!(warning.matches("may be").count(), warnings, "{fen}: {warning}");
        assert!(Position::from_fen(&fen).is_err(), "{fen}");
    }
    // Advisors and soldiers with one letter, in one FEN.
    let both = START.replace(['a', 'p'], "s").replace(['A', 'P'], "S");
    assert_eq!(read(&format!("{both} w")).0, start);
}

#[test]
fn sides_and_a_slash_behind_the_board() {
    for (side, wanted, warns) in
        [("w", "w", false), ("r", "w", false), ("W", "w", true), ("R", "w", true), ("B", "b", true)]
    {
        for slash in ["", "/"] {
            let fen = format!("{START}{slash} {side} - - 0 1");
            let (read, warning) = read(&fen);
            assert_eq!(read, format!("{START} {wanted} - - 0 1"), "{fen}");
            assert_eq!(warning.is_some(), warns || slash == "/", "{fen}");
            assert_eq!(Position::from_fen(&fen).is_err(), warns || slash == "/", "{fen}");
        }
    }
    for fen in [format!("{START}// w"), format!("{START}/9 w"), format!("{START} x")] {
        assert!(Position::from_fen_lenient(&fen).is_err(), "{fen}");
    }
}

/// Soldiers behind their first squares or between them, with the counts of perft 1 to 4.
const SOLDIERS: [(&str, [u64; 4]); 4] = [
    ("3ak4/4a4/8p/9/9/9/9/9/4A4/3AK4 w - - 0 1", [4, 10, 37, 167]),
    ("3ak1b2/4a4/4b3p/2P6/9/9/4P4/P2A5/4p4/3AK1P2 w - - 0 1", [4, 34, 315, 2548]),
    ("3k1P3/p3p3p/9/1p5p1/9/9/1P5P1/9/P3P4/4K4 b - - 0 1", [6, 42, 243, 1773]),
    ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/1P1P1P1P1/1C4PC1/9/RNBAKABNR w - - 0 1", [37, 1494, 54_476, 2_099_464]),
];

#[test]
fn soldiers_set_up_where_they_never_come_to_are_counted() {
    // Counts by Fairy-Stockfish, which reads such positions.
    for (fen, counts) in SOLDIERS {
        let error = Position::from_fen(fen).unwrap_err();
        assert!(error.reason.contains("soldier cannot stand on"), "{fen}: {error}");
        let (position, warning) = Position::from_fen_lenient(fen).unwrap();
        assert!(warning.unwrap().contains("accepted as a set-up position"), "{fen}");
        assert_eq!(position.to_fen(), fen);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(position.perft(depth), count, "{fen} {depth}");
        }
    }
}

#[test]
fn errors_name_the_square() {
    for (fen, offset, reason) in [
        ("4k4/9/9/9/9/9/9/9/4A4/A3K4 w", 22, "Red's advisor cannot stand on a0"),
        ("4k4/9/9/9/9/9/9/9/4B4/3K5 w", 19, "Red's elephant cannot stand on e1"),
        ("4k4/9/9/9/4K4/9/9/9/9/9 w", 11, "Red's king cannot stand on e5"),
        ("3k5/4k4/9/9/9/9/9/9/9/4K4 w", 5, "Black must have exactly one king; the one on e8 is too many"),
        ("4k4/9/9/9/9/9/9/9/9/9 w", 0, "Red must have exactly one king"),
        ("3k5/R8/9/R8/9/9/R8/9/9/4K4 w", 16, "Red has more than 2 chariots; the one on a3 is too many"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", 21, "the kings face each other; Red's is on e0"),
        ("3k5/9/9/3R5/9/9/9/9/9/4K4 w", 26, "the side that is not to move is in check"),
    ] {
        let error = Position::from_fen_lenient(fen).unwrap_err();
        assert_eq!((error.offset, error.reason.as_str()), (offset, reason), "{fen}");
    }
}

#[test]
fn both_letter_sets_and_shorter_fens_are_read() {
    let start = Position::from_fen(Position::START_FEN).unwrap();
    let board = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR";
    for rest in ["w - - 0 1", "r - - 0 1", "w - -", "r"] {
        assert_eq!(Position::from_fen(&format!("{board} {rest}")), Ok(start), "{rest}");
    }
    assert_eq!(start.to_fen(), Position::START_FEN);
}

#[test]
fn impossible_positions_are_refused_with_field_and_offset() {
    let cases = [
        ("", "FEN board", 0),
        ("9/9 w - - 0 1", "FEN board", 3),
        ("4k4/9/9/9/9/9/9/9/9/4K4/9 w - - 0 1", "FEN board", 23),
        ("4k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "FEN board", 2),
        ("4k31/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "FEN board", 3),
        ("4k3/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "FEN board", 3),
        ("4q4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "FEN board", 1),
        ("4k4/9/9/9/9/9/9/9/9/9 w - - 0 1", "FEN board", 0),
        ("4k4/9/9/9/9/9/9/9/9/3KK4 w - - 0 1", "FEN board", 22),
        ("4k4/9/9/9/9/9/3K5/9/9/9 w - - 0 1", "FEN board", 15),
        ("4k4/9/9/9/9/9/9/9/9/2K6 w - - 0 1", "FEN board", 21),
        ("4k4/9/9/9/9/9/9/9/3A5/3K5 w - - 0 1", "FEN board", 19),
        ("4k4/9/9/9/9/9/9/9/1B7/3K5 w - - 0 1", "FEN board", 19),
        ("4k4/9/2B6/9/9/9/9/9/9/3K5 w - - 0 1", "FEN board", 7),
        ("4k4/9/9/9/9/9/1P7/9/9/3K5 w - - 0 1", "FEN board", 15),
        ("4k4/9/9/9/9/9/9/P8/9/3K5 w - - 0 1", "FEN board", 16),
        ("4k4/9/9/9/9/PPP6/9/9/9/3K5 w - - 0 1", "FEN board", 13),
        ("4k4/9/9/PPPPPP3/9/9/9/9/9/3K5 w - - 0 1", "FEN board", 13),
        ("4k4/9/9/9/RRR6/9/9/9/9/3K5 w - - 0 1", "FEN board", 12),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "FEN board", 21),
        ("4k4/9/9/9/4R4/9/9/9/9/3K5 w - - 0 1", "FEN side to move", 26),
        ("4k4/9/9/9/9/9/9/9/9/3K5", "FEN side to move", 23),
        ("4k4/9/9/9/9/9/9/9/9/3K5 x", "FEN side to move", 24),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w KQ - 0 1", "FEN castling", 26),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - e3 0 1", "FEN en passant", 28),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - x 1", "FEN half-move clock", 30),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - +1 1", "FEN half-move clock", 30),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 10000 1", "FEN half-move clock", 30),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 99999", "FEN full-move number", 32),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0", "FEN full-move number", 31),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves", "FEN", 34),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 é", "FEN", 34),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w\n", "FEN", 25),
    ];
    for (fen, field, offset) in cases {
        let error = Position::from_fen(fen).expect_err(fen);
        assert_eq!((error.field, error.offset), (field, offset), "{fen}: {error}");
    }
    assert_eq!(Position::from_fen(&"9".repeat(1_000_000)).unwrap_err().field, "FEN");
}
