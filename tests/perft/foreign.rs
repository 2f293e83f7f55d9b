//! Input from other programs and people: FENs of impossible positions, divides in any form, and OpenBench's
//! command for openings.
//!
//! Without Stockfish the comparison with it prints `SKIPPED` to stderr, and fails where `CI` is set. The large
//! form: `cargo test --release --test tabiya perft::foreign:: -- --ignored`.

use crate::common::engine::Engine;
use crate::common::program::{Folder, finish, run, start, tabiya};
use crate::common::{sample, skip_or_fail};
use std::io::Write;
use std::process::Stdio;
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{self, Position};
use tabiya::game::{self, text::fen::Tolerance};
use tabiya::game::{Kernel, MOST_MOVES, NotationError, Rules};
use tabiya::xiangqi;

/// Seven knights next to eight pawns, against three queens; perft 2 is 616.
const SET_UP: &str = "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1";

/// Fifteen queens a side.
const QUEENS: &str = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1";

/// 241 legal moves, which python-chess confirms.
const MANY_MOVES: &str = "nQ4QK/4Q2n/Q1Q4Q/Q4Q2/3Q4/QQ4Q1/nn2Q3/knQ4Q w - - 0 1";

fn lenient<B: Rules>(fen: &str) -> Result<(game::Position<B>, Option<String>), NotationError> {
    let mut tolerance = Tolerance::lenient();
    let pos = game::Position::<B>::read_fen(fen, &mut tolerance)?;
    Ok((pos, tolerance.warning()))
}

#[test]
fn unambiguous_faults_give_a_warning_and_are_refused_when_strict() {
    for (fen, read_as, word) in [
        (SET_UP, SET_UP, "set-up position"),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 0",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "FEN full-move number, character 31: expected a number from 1 to 9999; read as 1",
        ),
        ("4k3/8/8/8/8/8/8/R3K2r w KQkq - 0 1", "4k3/8/8/8/8/8/8/R3K2r w Q - 0 1", "\"K\""),
        ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "dropped"),
        ("4k3/8/8/8/8/8/8/R3K3 w QQ - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "repeats"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
            Position::START_FEN,
            "no pawn can have passed e3",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq e4 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            "e4",
        ),
        ("4k3/8/8/8/8/8/8/4K2R", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "read as w"),
        ("4k3/8/8/8/8/8/8/4K2R b", "4k3/8/8/8/8/8/8/4K2R b - - 0 1", "read as -"),
        ("4k3/8/8/8/8/8/8/4K2R w K", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "en passant"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 7", "4k3/8/8/8/8/8/8/4K2R w K - 7 1", "full-move"),
        // A check that the double step cannot have given: by a knight, a pawn, two pieces, or an older check.
        ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", "k7/8/8/3pP3/8/7n/5K2/8 w - - 0 1", "d6 cannot have given"),
        ("k7/8/8/3pP3/5p2/4K3/8/8 w - d6 0 1", "k7/8/8/3pP3/5p2/4K3/8/8 w - - 0 1", "dropped"),
        ("k7/8/8/3pP3/4K3/6n1/8/8 w - d6 0 1", "k7/8/8/3pP3/4K3/6n1/8/8 w - - 0 1", "dropped"),
        ("R3k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "R3k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", "dropped"),
        // If the en passant capture answers such a check it is legal, as in other programs.
        ("k7/8/r6K/3pP3/8/8/8/8 w - d6 0 1", "k7/8/r6K/3pP3/8/8/8/8 w - d6 0 1", "kept"),
        // Too many queens, and such a position with an e.p. square.
        (QUEENS, QUEENS, "eight pawns and promoted pieces"),
        ("k7/p7/8/QQQ1pP2/QQQ5/QQQ4n/QQQ2K2/8 w - e6 0 1", "k7/p7/8/QQQ1pP2/QQQ5/QQQ4n/QQQ2K2/8 w - - 0 1", "dropped"),
        // Three pieces give check.
        ("4k3/8/3N1N2/8/4R3/8/8/4K3 b - - 0 1", "4k3/8/3N1N2/8/4R3/8/8/4K3 b - - 0 1", "check"),
    ] {
        let (pos, warning) = lenient::<chess::Board>(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert_eq!(pos.to_fen(), read_as, "{fen}");
        let warning = warning.unwrap_or_else(|| panic!("{fen}: no warning"));
        assert!(warning.contains(word) && !warning.contains('\n'), "{fen}: {warning}");
        let strict = Position::read_fen(fen, &mut Tolerance::strict());
        assert!(strict.is_err(), "{fen} is refused when strict");
        assert_eq!(lenient::<chess::Board>(read_as).map(|(again, _)| again), Ok(pos), "{fen}");
    }
    // Counts by Stockfish and python-chess; the last two by python-chess only, because Stockfish leaves the king in
    // check by a knight or pawn.
    for (fen, depth, nodes) in [
        (SET_UP, 2, 616),
        ("nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", 3, 12_462),
        ("k7/8/r6K/3pP3/8/8/8/8 w - d6 0 1", 3, 518),
        ("kb6/8/8/2Pp4/8/6K1/8/8 w - d6 0 1", 3, 420),
        ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", 3, 350),
        ("k7/8/8/3pP3/5p2/4K3/8/8 w - d6 0 1", 3, 219),
    ] {
        let (pos, _) = lenient::<chess::Board>(fen).unwrap();
        for &kernel in Position::kernels() {
            assert_eq!(pos.perft_by(depth, kernel), nodes, "{fen}, {}", kernel.name());
        }
    }
    for (fen, read_as) in [
        ("3k5/9/9/9/9/9/9/9/9/4K4", "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 r - - 3 0", "3k5/9/9/9/9/9/9/9/9/4K4 w - - 3 1"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 b 7", "3k5/9/9/9/9/9/9/9/9/4K4 b - - 7 1"),
    ] {
        let (pos, warning) = lenient::<xiangqi::Board>(fen).unwrap();
        assert_eq!((pos.to_fen().as_str(), warning.is_some()), (read_as, true), "{fen}");
        let strict = xiangqi::Position::read_fen(fen, &mut Tolerance::strict());
        assert!(strict.is_err(), "{fen} is refused when strict");
    }
    for (fen, read_as) in [
        ("3k5/9/9/9/9/9/9/9/9/4K4 w 0 1", "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 r 12 34", "3k5/9/9/9/9/9/9/9/9/4K4 w - - 12 34"),
        ("3k5/9/9/9/9/9/9/9/9/4K4[] b - - 5 6", "3k5/9/9/9/9/9/9/9/9/4K4 b - - 5 6"),
        ("3k5/9/9/9/9/9/9/9/9/4K4[] b", "3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1"),
    ] {
        assert_eq!(xiangqi::Position::from_fen(fen).map(|pos| pos.to_fen()).as_deref(), Ok(read_as));
    }
    for (fen, reason) in [
        ("3k5/9/9/9/9/9/9/9/9/4K4 w 0 x", "FEN full-move number, character 29: \"x\""),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w 1x000 1", "FEN castling, character 27"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w 0 1 2", "FEN castling"),
        ("3k5/9/9/9/9/9/9/9/9/4K4[P] w", "FEN board, character 24"),
        ("[]", "FEN board"),
    ] {
        let error = xiangqi::Position::read_fen(fen, &mut Tolerance::lenient()).unwrap_err();
        assert!(error.to_string().starts_with(reason), "{fen}: {error}");
    }
    // A correct FEN gives no warning.
    assert_eq!(lenient::<chess::Board>(Position::START_FEN).unwrap().1, None);
}

#[test]
fn other_faults_are_refused_even_when_lenient() {
    for (fen, word) in [
        ("", "missing"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black must have exactly one king"),
        ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", "not to move is in check"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "a pawn cannot stand on h1"),
        ("4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 w - - 0 1", "sixteen pieces"),
        ("4k3/8/8/8/PP6/8/PPPPPPPP/4K3 w - - 0 1", "eight pawns"),
        ("4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 w - - 0 1", "White has more than sixteen pieces"),
        ("rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - - 0 1", "Black has more than sixteen pieces"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has more than eight pawns"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "neither w nor b"),
        ("4k3/8/8/8/8/8/8/4K3 w X - 0 1", "not one of K Q k q"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "neither a square nor -"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 and more", "follows the last field"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "is not a number"),
        ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "more than 8 squares"),
    ] {
        let error = lenient::<chess::Board>(fen).err().unwrap_or_else(|| panic!("{fen} is accepted"));
        assert!(error.to_string().contains(word), "{fen}: {error}");
    }
}

/// A rank of the initial array in which some or many pieces are replaced by one kind.
fn rank(pieces: [u8; 8], rng: &mut SplitMix64) -> String {
    let favourite = b"qrbn"[rng.below(4)];
    let (odd, share) = (rng.below(9), rng.below(9));
    let mut pick = |(file, usual): (usize, u8)| match usual {
        b'k' => 'k',
        _ if rng.below(8) < share || file == odd => char::from(favourite),
        _ => char::from(usual),
    };
    pieces.into_iter().enumerate().map(&mut pick).collect()
}

/// Fantasy armies on the initial squares, such as people set up: the usual pawns or other pieces, any back rank.
fn armies(rng: &mut SplitMix64) -> String {
    let mut army = || {
        let front = if rng.below(3) == 0 { rank(*b"pppppppp", rng) } else { "p".repeat(8) };
        (rank(*b"rnbqkbnr", rng), front)
    };
    let (black, white) = (army(), army());
    let [front, back] = [white.1, white.0].map(|text| text.to_ascii_uppercase());
    let side = ["w", "b"][rng.below(2)];
    format!("{}/{}/8/8/8/8/{front}/{back} {side} - - 0 1", black.0, black.1)
}

/// A FEN with any pieces on any squares; most are legal positions.
fn set_up(rng: &mut SplitMix64) -> String {
    let mut board = [b'1'; 64];
    let mut put = |letter: u8, pawn: bool, rng: &mut SplitMix64| {
        let (low, count) = if pawn { (8, 48) } else { (0, 64) };
        let at = low + rng.below(count);
        if board[at] == b'1' {
            board[at] = letter;
        }
    };
    put(b'K', false, rng);
    put(b'k', false, rng);
    if rng.below(3) == 0 {
        return armies(rng);
    }
    // One side or both may have many of a kind.
    let favourites = [b"qrbnp"[rng.below(5)], b"QRBNP"[rng.below(5)]];
    for (side, letters) in [b"qrbnp", b"QRBNP"].into_iter().enumerate() {
        for _ in 0..rng.below(14) {
            let favoured = rng.below(2) == 0;
            let letter = if favoured { favourites[side] } else { letters[rng.below(5)] };
            put(letter, letter.eq_ignore_ascii_case(&b'p'), rng);
        }
    }
    let rows: Vec<String> = board.chunks(8).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
    // Runs of empty squares become one digit.
    let mut text = rows.join("/");
    for count in (2..=8).rev() {
        text = text.replace(&"1".repeat(count), &count.to_string());
    }
    format!("{text} {} - - 0 1", ["w", "b"][rng.below(2)])
}

/// The FEN of a game after some moves, with another castling field, e.p. square or number.
fn mutated(rng: &mut SplitMix64) -> String {
    let mut pos = Position::from_fen(Position::START_FEN).unwrap();
    for _ in 0..rng.below(80) {
        let list = pos.legal_moves();
        if list.is_empty() {
            break;
        }
        pos.make(list[rng.below(list.len())]);
    }
    let fen = pos.to_fen();
    let mut fields: Vec<String> = fen.split(' ').map(String::from).collect();
    if rng.below(2) == 0 {
        let file = b"abcdefgh"[rng.below(8)];
        fields[3] = format!("{}{}", char::from(file), [3, 6, 3, 6, 4][rng.below(5)]);
    }
    if rng.below(2) == 0 {
        fields[2] = ["KQkq", "KQ", "kq", "Kq", "Q", "k", "-", "KQkqK"][rng.below(8)].to_string();
    }
    if rng.below(4) == 0 {
        fields[5] = "0".to_string();
    }
    if rng.below(4) == 0 {
        fields.truncate(1 + rng.below(6));
    }
    fields.join(" ")
}

/// Sets up and mutates FENs until `count` are accepted, and compares their perft 2 with Stockfish's.
fn compare_with_stockfish(count: usize, seed: u64, test: &str) {
    let Some(mut engine) = Engine::stockfish() else { return skip_or_fail("Stockfish", test) };
    let mut rng = SplitMix64::new(seed);
    let (mut accepted, mut warned, mut most) = (0, 0, 0);
    while accepted < count {
        let fen = if accepted % 2 == 0 { set_up(&mut rng) } else { mutated(&mut rng) };
        let Ok((pos, warning)) = lenient::<chess::Board>(&fen) else { continue };
        // Stockfish runs off the board for castling rights without a rook, and lets Black move if there is only a
        // board. Such positions are sent as we write them.
        let whole = fen.split(' ').count() == 6 && pos.to_fen().split(' ').nth(2) == fen.split(' ').nth(2);
        let own = pos.to_fen();
        let theirs = engine.perft(if whole { &fen } else { &own }, pos.is_chess960(), 2);
        assert_eq!(pos.perft(2), theirs, "{fen}: {warning:?}");
        accepted += 1;
        warned += usize::from(warning.is_some());
        most = most.max(pos.legal_moves().len());
    }
    assert!(warned > count / 10 && most > 60, "{warned} warnings, {most} moves at the most");
    println!("{accepted} positions, {warned} with a warning, {most} moves at the most");
}

#[test]
fn accepted_fens_count_as_in_stockfish() {
    compare_with_stockfish(sample(300, 1_000), 16, "accepted_fens_count_as_in_stockfish");
}

#[test]
#[ignore = "takes minutes"]
fn many_accepted_fens_count_as_in_stockfish() {
    compare_with_stockfish(10_000, 17, "many_accepted_fens_count_as_in_stockfish");
}

#[test]
fn every_kernel_agrees_on_positions_that_were_set_up() {
    let mut rng = SplitMix64::new(1616);
    let (mut accepted, mut nodes) = (0, 0);
    let count = sample(200, 600);
    while accepted < count {
        let fen = set_up(&mut rng);
        let Ok((pos, Some(_))) = lenient::<chess::Board>(&fen) else { continue };
        accepted += 1;
        let depth = if pos.perft(2) < 1_000 { 4 } else { 3 };
        let expected = pos.perft_by(depth, Kernel::Scalar);
        for &kernel in Position::kernels() {
            assert_eq!(pos.perft_by(depth, kernel), expected, "{fen}, {}", kernel.name());
        }
        nodes += expected;
    }
    assert!(nodes > 16_000 * count, "{nodes}");
    // A move list holds the 218 moves possible in a game, and more for positions with too many queens.
    const { assert!(MOST_MOVES >= 218) };
    for (fen, moves) in [(MANY_MOVES, 241), (QUEENS, 83)] {
        let (pos, _) = lenient::<chess::Board>(fen).unwrap();
        assert_eq!((pos.count_legal(), pos.legal_moves().len() as u64), (moves, moves), "{fen}");
        let expected = pos.perft_by(3, Kernel::Scalar);
        for &kernel in Position::kernels() {
            assert_eq!(pos.perft_by(3, kernel), expected, "{fen}, {}", kernel.name());
        }
    }
    let fen = "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1";
    let (pos, _) = lenient::<chess::Board>(fen).unwrap();
    assert_eq!(pos.count_legal(), 218);
}

#[test]
fn the_command_line_warns_or_refuses_when_strict() {
    let done = run(&["perft", "2", "--fen", SET_UP]);
    assert_eq!((done.code, done.out.as_str()), (Some(0), "Nodes searched: 616\n"));
    let warnings: Vec<_> = done.err.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert_eq!(warnings.len(), 1, "{}", done.err);
    assert!(warnings[0].starts_with("warning: --fen: FEN board"), "{warnings:?}");
    let strict = run(&["perft", "2", "--strict", "--fen", SET_UP]);
    assert_eq!((strict.code, strict.out.as_str()), (Some(2), ""));
    assert_eq!(strict.err.lines().count(), 1, "{}", strict.err);
    let folder = Folder::new("foreign-suite");
    let suite = folder.write("a.epd", format!("\n{SET_UP} ;D2 616\n"));
    let done = run(&["perft", "--suite", &suite]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.err.contains("line 2: FEN board"), "{}", done.err);
    assert_eq!(run(&["perft", "--suite", &suite, "--strict"]).code, Some(2));
    // The error message says that a FEN is of the other game, or what is wrong with it.
    for (fen, word) in [
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", "--game xiangqi"),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBA1ABNR w - - 0 1", "king"),
    ] {
        let done = run(&["perft", "1", "--fen", fen]);
        assert_eq!((done.code, done.err.lines().count()), (Some(2), 1), "{fen}");
        assert!(done.err.contains(word), "{}", done.err);
    }
}

#[test]
fn a_divide_of_another_program_is_compared() {
    let folder = Folder::new("foreign-divide");
    let divide = run(&["perft", "3", "--fen", "kiwipete", "--divide"]).out;
    let same = ["perft", "3", "--fen", "kiwipete", "--compare"];
    let file = folder.write("divide.txt", &divide);
    let done = run(&[&same[..], &[&file]].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.contains("both divides agree"), "{}", done.out);
    // From a pipe, in another form, with one move missing, one wrong count and one illegal move.
    let mut other: String = divide
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with("a1b1"))
        .map(|(i, line)| format!("{i}. {}\n", line.replace(": ", " = ")))
        .collect();
    other = other.replace("e1g1 = ", "O-O = ").replace("e1c1 = 1887", "e1a1 = 1888");
    other.push_str("e1e8 = 5\n");
    let mut child = start(tabiya(&[&same[..], &["-"]].concat()).stdin(Stdio::piped()));
    child.stdin.take().unwrap().write_all(other.as_bytes()).unwrap();
    let done = finish(child);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    let lines: Vec<_> = done.out.lines().skip(2).collect();
    let said = [
        "a1b1 is missing: the rook on a1 goes to b1",
        "e1e8 is not legal: a king does not move from e1 to e8",
        "e1c1 is counted as 1888 instead of 1887",
    ];
    assert_eq!(lines, said);
    // Errors: files that are not divides, and options that exclude each other.
    let empty = folder.write("empty.txt", "nothing here\n");
    let folder_itself = folder.path().to_string_lossy().into_owned();
    for bad in [&empty, "/no/such/file", &folder_itself] {
        let done = run(&[&same[..], &[bad]].concat());
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{bad}");
        assert!(done.err.starts_with("tabiya: --compare: "), "{}", done.err);
        assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    }
    for others in [&["--divide"][..], &["--against", "x"], &["--json"], &["--stats"]] {
        let done = run(&[&same[..], &[file.as_str()], others].concat());
        assert_eq!(done.code, Some(2), "{others:?}: {}", done.out);
    }
    assert_eq!(run(&["perft", "0", "--compare", &file]).code, Some(2));
}

#[test]
fn openings_for_openbench() {
    let openings = |arguments: &[&str]| -> Vec<String> {
        let done = run(arguments);
        assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.err);
        let line = |line: &str| line.strip_prefix("info string genfens ").map(String::from);
        done.out.lines().map(|text| line(text).unwrap_or_else(|| panic!("{text}"))).collect()
    };
    // As the client runs it: the command is one argument.
    let first = openings(&["genfens 20 seed 4294967297 book None ", "quit"]);
    assert_eq!(first.len(), 20);
    assert_eq!(first, openings(&["genfens 20 seed 4294967297 book None", "quit"]), "the same seed");
    assert_ne!(first, openings(&["genfens 20 seed 4294967298 book None", "quit"]), "another seed");
    for fen in &first {
        let pos = Position::from_fen(fen).unwrap();
        assert!(pos.count_legal() > 0 && pos.checkers().is_empty(), "{fen}");
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
    }
    let folder = Folder::new("foreign-book");
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    let book = folder.write(
        "book.epd",
        format!("{kiwipete} hmvc 0; fmvn 1;\n\n{} 0 1\n", Position::START_FEN.trim_end_matches(" 0 1")),
    );
    assert_eq!(openings(&[&format!("genfens 10 seed 7 book {book} extra 3"), "quit"]).len(), 10);
    // For an engine with a private network.
    let option = "setoption name EvalFile value net";
    assert_eq!(first, openings(&[option, "genfens 20 seed 4294967297 book None ", "quit"]));
    // Separate arguments are accepted too.
    assert_eq!(openings(&["genfens", "2", "seed", "1", "book", "None"]).len(), 2);
    let bad = folder.write("bad.epd", "8/8 w - -\n");
    let empty = folder.write("empty.epd", "\n");
    for command in [
        "genfens".to_string(),
        "genfens 0 seed 1 book None".to_string(),
        "genfens 5 seed -1 book None".to_string(),
        "genfens 5 seed 1".to_string(),
        "genfens 5 seed 1 book /no/such/file".to_string(),
        format!("genfens 5 seed 1 book {bad}"),
        format!("genfens 5 seed 1 book {empty}"),
    ] {
        let done = run(&[command.as_str(), "quit"]);
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{command}");
        assert_eq!(done.err.lines().count(), 1, "{command}: {}", done.err);
    }
}
