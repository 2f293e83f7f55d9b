//! The generated files are up to date, and every look-up agrees with a walk over coordinates.
//!
//! `tablegen` is compiled again by path, to compare its output with `generated/`. The oracle for the look-ups is
//! independent of it: the geometry below.

use crate::{rng, tablegen};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use tabiya::chess::board::tables;
use tabiya::chess::{Bitboard, Kind, Square};
use tabiya::game::Side;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("generated")
}

#[test]
fn generated_files_are_fresh() {
    for (name, text) in tablegen::files() {
        let committed = fs::read_to_string(folder().join(name)).unwrap();
        assert!(committed == text, "{name} is out of date; build once and commit it");
    }
}

#[test]
fn a_stale_file_is_written_and_a_fresh_one_is_left() {
    let path = std::env::temp_dir().join(format!("tabiya-stale-{}.rs", std::process::id()));
    fs::write(&path, "old").unwrap();
    tablegen::emit::refresh(&path, "new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    tablegen::emit::refresh(&path, "new").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written);
    fs::remove_file(&path).unwrap();
}

fn coordinates(square: Square) -> (i32, i32) {
    (square.index() as i32 % 8, square.index() as i32 / 8)
}

/// The distance from `a` to `b` in files and ranks.
fn way(a: Square, b: Square) -> (i32, i32) {
    let ((a_file, a_rank), (b_file, b_rank)) = (coordinates(a), coordinates(b));
    (b_file - a_file, b_rank - a_rank)
}

/// The squares `b` for which `wanted(files, ranks)` holds.
fn where_way(a: Square, wanted: impl Fn(i32, i32) -> bool) -> Bitboard {
    let squares = Square::all().filter(|&b| {
        let (files, ranks) = way(a, b);
        wanted(files, ranks)
    });
    squares.fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
}

fn straight(files: i32, ranks: i32) -> bool {
    (files == 0) != (ranks == 0)
}

fn diagonal(files: i32, ranks: i32) -> bool {
    files != 0 && files.abs() == ranks.abs()
}

/// The squares strictly between two squares of one line: those that split the way into two parts of one direction.
fn slow_between(a: Square, b: Square) -> Bitboard {
    let (files, ranks) = way(a, b);
    if !straight(files, ranks) && !diagonal(files, ranks) {
        return Bitboard::EMPTY;
    }
    where_way(a, |f, r| {
        f * ranks == r * files && f * files + r * ranks > 0 && f * f + r * r < files * files + ranks * ranks
    })
}

#[test]
fn leapers() {
    for a in Square::all() {
        assert_eq!(tables::knight(a), where_way(a, |f, r| f * f + r * r == 5), "knight {a}");
        assert_eq!(tables::king(a), where_way(a, |f, r| (f, r) != (0, 0) && f * f <= 1 && r * r <= 1));
        assert_eq!(tables::pawn(Side::First, a), where_way(a, |f, r| f * f == 1 && r == 1), "{a}");
        assert_eq!(tables::pawn(Side::Second, a), where_way(a, |f, r| f * f == 1 && r == -1), "{a}");
    }
}

#[test]
fn between_and_line() {
    for a in Square::all() {
        assert_eq!(tables::rook_lines(a), where_way(a, straight), "rook lines of {a}");
        assert_eq!(tables::bishop_lines(a), where_way(a, diagonal), "bishop lines of {a}");
        for b in Square::all() {
            assert_eq!(tables::between(a, b), slow_between(a, b), "between {a} {b}");
            let (files, ranks) = way(a, b);
            let whole = if straight(files, ranks) || diagonal(files, ranks) {
                where_way(a, |f, r| f * ranks == r * files)
            } else {
                Bitboard::EMPTY
            };
            assert_eq!(tables::line(a, b), whole, "line {a} {b}");
        }
    }
}

/// The squares on a slider's lines, each with the squares that must be empty for the slider to reach it.
fn reaches(a: Square, lines: fn(i32, i32) -> bool) -> Vec<(Bitboard, u64)> {
    Square::all()
        .filter(|&b| {
            let (files, ranks) = way(a, b);
            lines(files, ranks)
        })
        .map(|b| (Bitboard::of(b), slow_between(a, b).0))
        .collect()
}

fn slow_attacks(reaches: &[(Bitboard, u64)], occupied: Bitboard) -> Bitboard {
    let open = reaches.iter().filter(|(_, path)| path & occupied.0 == 0);
    open.fold(Bitboard::EMPTY, |set, &(to, _)| set | to)
}

/// The squares whose occupancy matters: those between the slider and another square.
fn relevant(reaches: &[(Bitboard, u64)]) -> Bitboard {
    Bitboard(reaches.iter().fold(0, |set, (_, path)| set | path))
}

/// Compares the look-up for every subset of the relevant squares, with the other squares empty and random.
#[test]
fn slider_attacks_are_right() {
    let mut noise = rng::SplitMix64::new(0x5eed_1001);
    let mut looked_up = 0u32;
    for a in Square::all() {
        let (rook, bishop) = (reaches(a, straight), reaches(a, diagonal));
        for subset in relevant(&rook).subsets() {
            let expected = slow_attacks(&rook, subset);
            let noisy = subset | Bitboard(noise.next_u64()) & !relevant(&rook);
            assert_eq!(tables::rook(a, subset), expected, "rook {a} {subset:?}");
            assert_eq!(tables::rook(a, noisy), expected, "rook {a} {noisy:?}");
            looked_up += 1;
        }
        for subset in relevant(&bishop).subsets() {
            let expected = slow_attacks(&bishop, subset);
            let noisy = subset | Bitboard(noise.next_u64()) & !relevant(&bishop);
            assert_eq!(tables::bishop(a, subset), expected, "bishop {a} {subset:?}");
            assert_eq!(tables::bishop(a, noisy), expected, "bishop {a} {noisy:?}");
            looked_up += 1;
        }
        for _ in 0..2_000 {
            let occupied = Bitboard(noise.next_u64() & noise.next_u64());
            assert_eq!(tables::rook(a, occupied), slow_attacks(&rook, occupied), "rook {a}");
            assert_eq!(tables::bishop(a, occupied), slow_attacks(&bishop, occupied), "bishop {a}");
        }
        for occupied in [Bitboard::EMPTY, Bitboard::ALL, Bitboard::of(a)] {
            assert_eq!(tables::rook(a, occupied), slow_attacks(&rook, occupied), "rook {a}");
            assert_eq!(tables::bishop(a, occupied), slow_attacks(&bishop, occupied), "bishop {a}");
        }
    }
    // The well-known sizes of the complete tables: 102,400 for rooks and 5,248 for bishops.
    assert_eq!(looked_up, 102_400 + 5_248);
}

/// Every Zobrist key, with its name.
fn keys() -> Vec<(String, u64)> {
    let mut keys = vec![("side".to_string(), tables::side_key())];
    for square in Square::all() {
        for side in Side::BOTH {
            for kind in Kind::ALL {
                let key = tables::piece_key(side, kind, square);
                keys.push((format!("{side:?} {kind:?} {square}"), key));
            }
        }
        keys.push((format!("castling {square}"), tables::castling_key(square)));
        if square.index() < 8 {
            keys.push((format!("en passant {square}"), tables::en_passant_key(square)));
        } else {
            let file = Square::wrapping(square.index() as u32 % 8);
            assert_eq!(tables::en_passant_key(square), tables::en_passant_key(file));
        }
    }
    keys
}

/// No key is zero, no two are equal, and no three or four xor to zero: the xors of pairs are distinct, and none is a
/// key. So two positions with equal keys differ in at least five of them.
#[test]
fn zobrist_keys_have_no_small_dependence() {
    let keys = keys();
    assert_eq!(keys.len(), 1 + 768 + 64 + 8);
    let single: HashSet<u64> = keys.iter().map(|&(_, key)| key).collect();
    assert_eq!(single.len(), keys.len(), "two keys are equal");
    assert!(!single.contains(&0));
    let mut pairs = HashSet::new();
    for (i, (a_name, a)) in keys.iter().enumerate() {
        assert!((16..=48).contains(&a.count_ones()), "{a_name} has few or many ones: {a:016x}");
        for (b_name, b) in &keys[..i] {
            assert!(!single.contains(&(a ^ b)), "{a_name}, {b_name} and a third cancel out");
            assert!(pairs.insert(a ^ b), "{a_name}, {b_name} and two others cancel out");
        }
    }
}
