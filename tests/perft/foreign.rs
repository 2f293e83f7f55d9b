//! Positions that no game leads to, as programs and people set them up: they are counted right. `tests/data/fens.txt`
//! says which are read.
//!
//! Without Stockfish the comparison with it prints `SKIPPED` to stderr, and fails where `CI` is set. The large
//! form: `cargo test --release --test tabiya perft::foreign:: -- --ignored`.

use crate::common::engine::Engine;
use crate::common::{sample, skip_or_fail};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::Position;
use tabiya::game::{Kernel, MOST_MOVES};

/// Fifteen queens a side.
const QUEENS: &str = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1";

/// 241 legal moves, which python-chess confirms.
const MANY_MOVES: &str = "nQ4QK/4Q2n/Q1Q4Q/Q4Q2/3Q4/QQ4Q1/nn2Q3/knQ4Q w - - 0 1";

/// Counts by Stockfish and python-chess; the last two by python-chess only, because Stockfish leaves the king in check
/// by a knight or pawn.
#[test]
fn positions_that_no_game_leads_to_are_counted_right() {
    for (fen, depth, nodes) in [
        ("nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1", 2, 616),
        ("nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", 3, 12_462),
        ("k7/8/r6K/3pP3/8/8/8/8 w - d6 0 1", 3, 518),
        ("kb6/8/8/2Pp4/8/6K1/8/8 w - d6 0 1", 3, 420),
        ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", 3, 350),
        ("k7/8/8/3pP3/5p2/4K3/8/8 w - d6 0 1", 3, 219),
    ] {
        let (pos, _) = Position::from_fen_lenient(fen).unwrap();
        for &kernel in Position::kernels() {
            assert_eq!(pos.perft_by(depth, kernel), nodes, "{fen}, {}", kernel.name());
        }
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
        let Ok((pos, warning)) = Position::from_fen_lenient(&fen) else { continue };
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
        let Ok((pos, Some(_))) = Position::from_fen_lenient(&fen) else { continue };
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
        let (pos, _) = Position::from_fen_lenient(fen).unwrap();
        assert_eq!((pos.count_legal(), pos.legal_moves().len() as u64), (moves, moves), "{fen}");
        let expected = pos.perft_by(3, Kernel::Scalar);
        for &kernel in Position::kernels() {
            assert_eq!(pos.perft_by(3, kernel), expected, "{fen}, {}", kernel.name());
        }
    }
    let fen = "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1";
    let (pos, _) = Position::from_fen_lenient(fen).unwrap();
    assert_eq!(pos.count_legal(), 218);
}
