//! Hostile input: every text read as a FEN or move is refused with a reason or gives a valid position or move.
//!
//! Explicit cases check the name of the wrong field. A seeded fuzzer tries a hundred thousand mutated FENs and moves,
//! and Stockfish counts a sample of the positions that were accepted.

use crate::common::engine::Engine;
use crate::common::play::{self};
use crate::common::{by_build, fen_row, sample, skip_or_fail};
use crate::games::mutated::{brief, mutate};
use pretty_assertions::assert_eq;
use tabiya::base::rng::SplitMix64;
use tabiya::chess::Position;
use tabiya::game::NotationError;

const MUTANTS: usize = by_build(50_000, 30_000);

/// The error for a FEN that must be refused; checks the form of the error.
fn refused(fen: &str) -> NotationError {
    match Position::from_fen(fen) {
        Ok(pos) => panic!("{fen:?} is read as {pos:?}"),
        Err(error) => {
            well_formed(&error, fen);
            error
        }
    }
}

/// Asserts that an error is one short line with an offset inside the text.
fn well_formed(error: &NotationError, text: &str) {
    brief(error, text);
    assert!(text.is_char_boundary(error.offset), "{text:?}: offset {}", error.offset);
    assert!(!error.reason.is_empty() && !error.field.is_empty(), "{text:?}: no reason");
}

#[test]
fn the_field_at_fault_is_named() {
    let lists: [(&str, &[&str]); 5] = [
        (
            "FEN board",
            &[
                // Ranks that are too long or too short; too few or too many ranks.
                "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/ppppppp2/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8//8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
                // Digits: two in a row, 0, 9.
                "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppppppp/80/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                // No such piece.
                "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppp*ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "w - - 0 1 8/8",
                "",
                "   ",
            ],
        ),
        (
            "FEN board",
            &[
                // Kings: none, one, three, two of a colour.
                "8/8/8/8/8/8/8/8 w - - 0 1",
                "8/8/8/8/8/8/8/K7 w - - 0 1",
                "8/8/8/8/8/8/8/k7 w - - 0 1",
                "k7/8/8/8/8/8/8/K6K w - - 0 1",
                "k6k/8/8/8/8/8/8/K7 b - - 0 1",
                // Pawns on the first or last rank.
                "k6P/8/8/8/8/8/8/K7 w - - 0 1",
                "k7/8/8/8/8/8/8/K6p w - - 0 1",
                "k6p/8/8/8/8/8/8/K7 w - - 0 1",
                "k7/8/8/8/8/8/8/K6P b - - 0 1",
                // Nine pawns; eight pawns and a second queen; more promoted pieces than missing pawns.
                "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBN1 w Qkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBQR w KQkq - 0 1",
                "k7/8/QQQQQ3/QQQQQ3/8/8/8/K7 b - - 0 1",
                "k7/pppppp2/8/8/2b1b3/8/b1b5/7K w - - 0 1",
                // Three pieces give check.
                "4r1k1/8/8/8/7b/3n4/8/4K3 w - - 0 1",
            ],
        ),
        (
            "FEN side to move",
            &[
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR wb KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR - KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
                // The side not to move is in check, including adjacent kings.
                "k6R/8/8/8/8/8/8/K7 w - - 0 1",
                "k7/1P6/8/8/8/8/8/K7 w - - 0 1",
                "k7/8/1N6/8/8/8/8/K7 w - - 0 1",
                "k7/8/8/8/8/8/8/K6r b - - 0 1",
                "8/8/8/3kK3/8/8/8/8 w - - 0 1",
                "8/8/8/3kK3/8/8/8/8 b - - 0 1",
            ],
        ),
        (
            "FEN castling",
            &[
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
                // No rook, a rook of the other side, another piece.
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1",
                "rnbqkb2/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "4k3/8/8/8/8/8/8/4K1Nr b K - 0 1",
                "4k3/8/8/8/8/8/8/4K2N w K - 0 1",
                // The king is not on its back rank, or not between the rooks.
                "r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1",
                "r6r/4k3/8/8/8/8/8/R3K2R w KQkq - 0 1",
                "r3k2r/8/8/8/8/8/8/RR4K1 w K - 0 1",
                // Files without a rook, two rooks of one wing.
                "r3k2r/8/8/8/8/8/8/R3K2R w B - 0 1",
                "r3k2r/8/8/8/8/8/8/4KR1R w FH - 0 1",
                "r3k2r/8/8/8/8/8/8/4KR1R w HF - 0 1",
                // Repeated and unknown letters.
                "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1",
                "r3k2r/8/8/8/8/8/8/R3K2R w KH - 0 1",
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkqKQkq - 0 1",
                "r3k2r/8/8/8/8/8/8/R3K2R w KX - 0 1",
                "r3k2r/8/8/8/8/8/8/R3K2R w K- - 0 1",
                "r3k2r/8/8/8/8/8/8/R3K2R w -- - 0 1",
                "r3k2r/8/8/8/8/8/8/R3K2R w 0 - 0 1",
            ],
        ),
        (
            "FEN en passant",
            &[
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
                // Not a square.
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq i6 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq E6 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e66 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -- 0 1",
                // No pawn that passed the square, another piece, a pawn of the wrong side.
                "4k3/8/8/8/3P4/8/8/4K3 w - e6 0 1",
                "4k3/8/8/3Pn3/8/8/8/4K3 w - e6 0 1",
                "4k3/8/8/3PP3/8/8/8/4K3 w - e6 0 1",
                // The rank of the wrong side, other ranks.
                "4k3/8/8/8/3Pp3/8/8/4K3 w - d3 0 1",
                "4k3/8/8/3Pp3/8/8/8/4K3 b - e6 0 1",
                "4k3/8/8/3Pp3/8/8/8/4K3 w - e5 0 1",
                "4k3/8/3Pp3/8/8/8/8/4K3 w - e7 0 1",
                "4k3/8/8/3Pp3/8/8/8/4K3 w - e8 0 1",
                // The square, or the pawn's square of origin, is occupied.
                "4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 1",
                "4k3/4n3/8/3Pp3/8/8/8/4K3 w - e6 0 1",
                // The king is in check, but neither by the pawn nor by a discovered check: by a knight, by a
                // rook or bishop on a line that the pawn did not leave, by a bishop through the passed square.
                // No game leads to such a position, and programs disagree on its moves.
                "k7/8/8/5Pp1/8/5n2/8/6K1 w - g6 0 1",
                "k7/8/8/5Pp1/8/8/8/r5K1 w - g6 0 1",
                "k7/8/8/5Pp1/8/8/8/K1r5 w - g6 0 1",
                "k7/8/8/b2Pp3/8/8/8/4K3 w - e6 0 1",
                "k1b5/8/8/3Pp3/6K1/8/8/8 w - e6 0 1",
            ],
        ),
    ];
    for (field, fens) in lists {
        for fen in fens {
            assert_eq!(refused(fen).field, field, "{fen}: {}", refused(fen));
        }
    }
}

#[test]
fn counters() {
    let board = "4k3/8/8/8/8/8/8/4K3 w - -";
    for bad in ["-1", "+5", "10000", "65536", "99999999999999999999", "1.5", "x", "0x10", "-", "--"] {
        assert_eq!(refused(&format!("{board} {bad} 1")).field, "FEN half-move clock", "{bad}");
        assert_eq!(refused(&format!("{board} 0 {bad}")).field, "FEN full-move number", "{bad}");
    }
    assert_eq!(Position::from_fen(&format!("{board} 0 0")), Position::from_fen(board));
    assert_eq!(refused(&format!("{board} 0")).field, "FEN full-move number", "one counter alone");
    for good in ["0 1", "9999 1", "0 9999", "9999 9999"] {
        assert_eq!(Position::from_fen(&format!("{board} {good}")).unwrap().to_fen(), format!("{board} {good}"));
    }
    assert_eq!(Position::from_fen(board).unwrap().to_fen(), format!("{board} 0 1"));
}

#[test]
fn counters_stop_at_their_largest_value() {
    let mut pos = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 9999 9999").unwrap();
    pos.make(pos.parse_move("e8d8").unwrap());
    assert_eq!(pos.to_fen(), "3k4/8/8/8/8/8/8/4K3 w - - 9999 9999");
    pos.make_null();
    assert_eq!(Position::from_fen(&pos.to_fen()), Ok(pos));
}

#[test]
fn text_as_a_whole() {
    let start = Position::START_FEN;
    let long = format!("{start}{}", " ".repeat(1_000));
    let huge = "k".repeat(1_000_000);
    let numbers = format!("{}1", "0".repeat(200));
    for fen in [
        format!("{start} e2e4"),
        format!("{start} ;D1 20"),
        format!("{start}\n"),
        format!("{start}\r\n"),
        format!("\u{feff}{start}"),
        format!("{start}\0"),
        start.replace('p', "♟"),
        start.replace(' ', "\u{a0}"),
        start.replace("0 1", "٠ ١"),
        start.replace('k', "к"),
        start.replace("0 1", &format!("{numbers} {numbers}")),
        "\u{1f4a9}".repeat(40),
        long,
        huge,
    ] {
        assert_eq!(refused(&fen).field, "FEN", "{:.80}", fen);
    }
    assert_eq!(refused(&format!("{start} x")).offset, start.len() + 1);
}

/// Accepted forms: blanks around and between fields, four fields, castling rights in both notations.
#[test]
fn accepted_variants() {
    let start = Position::from_fen(Position::START_FEN).unwrap();
    for fen in [
        " rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w\tKQkq   - 0 1 ",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 000 01",
    ] {
        assert_eq!(Position::from_fen(fen), Ok(start), "{fen}");
    }
    let shredder = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    assert_eq!(Position::from_fen(shredder), Ok(start.with_chess960(true)));
    assert_eq!(start.with_chess960(true).to_fen(), shredder);
    // X-FEN: the outermost rook; an inner one by its file.
    let outer = Position::from_fen("4k3/8/8/8/8/8/8/4KR1R w K - 0 1").unwrap();
    assert_eq!((outer.to_fen().as_str(), outer.is_chess960()), ("4k3/8/8/8/8/8/8/4KR1R w K - 0 1", false));
    let inner = Position::from_fen("4k3/8/8/8/8/8/8/4KR1R w F - 0 1").unwrap();
    assert_eq!((inner.to_fen().as_str(), inner.is_chess960()), ("4k3/8/8/8/8/8/8/4KR1R w F - 0 1", true));
    // A double step may give check itself or uncover one.
    for fen in [
        "k7/8/8/3Pp3/5K2/8/8/8 w - e6 0 1",
        "k2b4/8/8/3Pp1K1/8/8/8/8 w - e6 0 1",
        "k3r3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1",
        // The pawn closed the bishop's line. Many suites have this position, though no game leads to it.
        "1K6/8/8/3Pp2P/2n5/8/7b/k3q3 w - e6 0 1",
    ] {
        assert_eq!(Position::from_fen(fen).map(|pos| pos.to_fen()), Ok(fen.into()));
    }
    // An en passant square that no pawn attacks is dropped.
    let dropped = Position::from_fen("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1").unwrap();
    assert_eq!(dropped.to_fen(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
}

/// FENs to mutate and to take parts from.
fn seeds() -> Vec<String> {
    let mut seeds: Vec<String> = play::suite_positions().iter().map(Position::to_fen).collect();
    seeds.extend(play::positions(100, true, 0x5eed_2001).iter().map(Position::to_fen));
    seeds.extend(play::positions(100, false, 0x5eed_2002).iter().map(Position::to_fen));
    seeds
}

/// Asserts that an accepted position is consistent, and survives the round trip through its FEN.
fn assert_sound(pos: &Position, text: &str) {
    let list = pos.legal_moves();
    assert_eq!(pos.count_legal(), list.len() as u64, "{text:?}");
    assert!(list.len() <= 218, "{text:?}: {} moves", list.len());
    let fen = pos.to_fen();
    let again = Position::from_fen(&fen).unwrap_or_else(|e| panic!("{text:?} gives {fen}: {e}"));
    assert_eq!(again.with_chess960(pos.is_chess960()), *pos, "{text:?}");
    for &m in &list {
        let mut child = *pos;
        child.make(m);
        // Every child must be an acceptable position too.
        let fen = child.to_fen();
        assert!(Position::from_fen(&fen).is_ok(), "{text:?} by {m:?} gives {fen}");
    }
}

/// The mutants of the seeds that are accepted as positions; calls `each` with every mutant, accepted or not.
fn accepted_mutants(seed: u64, count: usize, mut each: impl FnMut(&str)) -> Vec<(String, Position)> {
    let seeds = seeds();
    let mut rng = SplitMix64::new(seed);
    let mut accepted = Vec::new();
    for _ in 0..count {
        let [seed, other] = [(); 2].map(|()| &seeds[rng.below(seeds.len())]);
        let text = mutate(seed, other, 2, &mut rng);
        each(&text);
        if let Ok(pos) = Position::from_fen(&text) {
            accepted.push((text, pos));
        }
    }
    accepted
}

#[test]
fn mutated_fens_are_refused_with_a_reason_or_sound() {
    let mut refusals = std::collections::BTreeMap::<&'static str, u32>::new();
    let accepted = accepted_mutants(0x5eed_2003, MUTANTS, |text| {
        if let Err(error) = Position::from_fen(text) {
            well_formed(&error, text);
            *refusals.entry(error.field).or_default() += 1;
        }
    });
    for (text, pos) in &accepted {
        assert_sound(pos, text);
    }
    assert!(accepted.len() > MUTANTS / 20, "only {} accepted", accepted.len());
    assert_eq!(refusals.len(), 7, "every field refuses some: {refusals:?}");
}

#[test]
fn accepted_mutants_count_like_stockfish() {
    let Some(mut engine) = Engine::stockfish() else {
        return skip_or_fail("Stockfish", "accepted_mutants_count_like_stockfish");
    };
    let seeds = seeds();
    let mut compared = 0;
    for (text, pos) in accepted_mutants(0x5eed_2004, MUTANTS / 4, |_| {}) {
        let fen = pos.to_fen();
        if !seeds.contains(&fen) {
            let theirs = engine.perft(&fen, pos.is_chess960(), 2);
            assert_eq!(pos.perft(2), theirs, "{text:?} read as {fen}");
            compared += 1;
        }
    }
    let wanted = by_build(300, 100);
    assert!(compared >= wanted, "only {compared} positions compared");
}

/// Random placements unlike any game: few pieces anywhere, random castling rights and en passant squares. Those that
/// `Position::new` accepts must have Stockfish's counts.
#[test]
fn random_placements_count_like_stockfish() {
    let Some(mut engine) = Engine::stockfish() else {
        return skip_or_fail("Stockfish", "random_placements_count_like_stockfish");
    };
    let mut rng = SplitMix64::new(0x5eed_2005);
    let (mut tried, mut compared, mut passed) = (0, 0, 0);
    while compared < sample(by_build(1_000, 400), 4_000) {
        tried += 1;
        let fen = random_placement(&mut rng);
        let pos = match Position::from_fen(&fen) {
            Ok(pos) => pos,
            Err(error) => {
                well_formed(&error, &fen);
                continue;
            }
        };
        assert_sound(&pos, &fen);
        compared += 1;
        passed += usize::from(pos.en_passant().is_some());
        let theirs = engine.perft(&pos.to_fen(), pos.is_chess960(), 2);
        assert_eq!(pos.perft(2), theirs, "{fen}");
    }
    assert!(passed > compared / 50, "{passed} of {compared} with en passant, {tried} tried");
}

fn random_placement(rng: &mut SplitMix64) -> String {
    let mut board = [b'1'; 64];
    let back = |rng: &mut SplitMix64, rank: usize| rank * 8 + rng.below(8);
    let king = if rng.below(2) == 0 { back(rng, 0) } else { rng.below(64) };
    board[king] = b'K';
    let king = if rng.below(2) == 0 { back(rng, 7) } else { rng.below(64) };
    board[king] = b'k';
    let white = rng.below(2) == 0;
    // Half the time a pawn that has just made a double step, and one that may capture it.
    let mut passed = "-".to_string();
    if rng.below(2) == 0 {
        let file = rng.below(7);
        let (file, beside) = if rng.below(2) == 0 { (file, file + 1) } else { (file + 1, file) };
        let (rank, behind, pawn, hunter) = if white { (4, 6, b'p', b'P') } else { (3, 3, b'P', b'p') };
        board[rank * 8 + file] = pawn;
        board[rank * 8 + beside] = hunter;
        passed = format!("{}{behind}", char::from(b'a' + file as u8));
    }
    for _ in 0..1 + rng.below(10) {
        let piece = b"PPPPNBRRQppppnbrrq"[rng.below(18)];
        let square = if matches!(piece, b'R' | b'r') && rng.below(2) == 0 {
            back(rng, if piece == b'R' { 0 } else { 7 })
        } else {
            rng.below(64)
        };
        if !matches!(board[square], b'K' | b'k') {
            board[square] = piece;
        }
    }
    let rights: String = (0..rng.below(4)).map(|_| char::from(b"KQkq"[rng.below(4)])).collect();
    let rows: Vec<String> =
        board.chunks(8).rev().map(|row| fen_row(row.iter().map(|&man| char::from(man)), '1')).collect();
    format!(
        "{} {} {} {passed} 0 1",
        rows.join("/"),
        if white { 'w' } else { 'b' },
        if rights.is_empty() { "-" } else { &rights }
    )
}

#[test]
fn mutated_moves_are_refused_or_legal() {
    let mut rng = SplitMix64::new(0x5eed_2006);
    let mut positions = play::positions(300, true, 0x5eed_2007);
    positions.extend(play::positions(300, false, 0x5eed_2008));
    positions.retain(|pos| pos.count_legal() > 0);
    let (mut accepted, mut tried) = (0, 0);
    while tried < MUTANTS {
        let pos = positions[rng.below(positions.len())];
        let list = pos.legal_moves();
        for _ in 0..50 {
            tried += 1;
            let mut text = pos.move_text(list[rng.below(list.len())]).to_string();
            let others = ["e1g1 e8h8", "a7a8q 0000", "(none) e2e4+", "O-O e7xd8=Q"];
            if rng.below(3) > 0 {
                text = mutate(&text, others[rng.below(4)], 2, &mut rng);
            }
            match pos.parse_move(&text) {
                Ok(m) => {
                    accepted += 1;
                    assert!(list.contains(&m), "{pos:?}: {text:?} is read as {m:?}");
                    let written = pos.move_text(m).to_string();
                    assert_eq!(pos.parse_move(&written), Ok(m), "{pos:?}: {written}");
                }
                Err(error) => {
                    assert_eq!(error.field, "move", "{text:?}");
                    well_formed(&error, &text);
                }
            }
        }
    }
    assert!(accepted > tried / 5 && accepted < tried, "{accepted} of {tried}");
}

#[test]
fn malformed_moves() {
    let pos = Position::from_fen("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    let good = ["e1g1", "e1h1", "e1c1", "b7b8q", "b7b8Q", "b7a8n"];
    let bad = [
        "b7b8", "b7b8k", "b7b8p", "b7b8qq", "e1e2q", "e1f1 ", " e1f1", "E1F1", "e1", "", "0000", "a1a1", "e1b1",
        "e8g8", "O-O", "e1g1\n", "é1g", "e1é", "e1g♔",
    ];
    for text in good.into_iter().chain(bad) {
        let read = pos.parse_coordinates(text);
        assert_eq!(read.is_ok(), good.contains(&text), "{text:?}: {read:?}");
        if let Err(error) = read {
            well_formed(&error, text);
        }
    }
}
