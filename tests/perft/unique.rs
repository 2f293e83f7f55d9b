//! Distinct positions: `perft DEPTH --unique`, and the module that it shares with `--split`.
//!
//! The oracle keeps every position as text in a map; it shares only the rules with the code under test.

use crate::common::program::{run, tabiya};
use crate::common::{by_build, chess_suites};
use std::collections::HashMap;
use tabiya::game::{Notation, WideKeyed};
use tabiya::perft::distinct::{Distinct, Limits};
use tabiya::{chess, xiangqi};

/// The identity of a position: the first four fields of the FEN, the en passant square only if a capture there
/// is legal.
fn identity<P: Notation>(pos: &P) -> String {
    let fen = pos.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let [pieces, side, castling, en_passant] = fields[..4] else { panic!("{fen}") };
    let without = format!("{pieces} {side} {castling} -");
    let plain = P::from_fen(&without).unwrap();
    if plain.count_legal() == pos.count_legal() {
        return without;
    }
    format!("{pieces} {side} {castling} {en_passant}")
}

/// For each ply the distinct positions in the order in which they are first reached, with their numbers of sequences.
fn oracle<P: Notation>(root: &P, depth: u32) -> Vec<Vec<(String, u64)>> {
    let mut plies = vec![vec![(*root, identity(root), 1u64)]];
    for _ in 0..depth {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut next: Vec<(P, String, u64)> = Vec::new();
        for (pos, _, weight) in plies.last().unwrap() {
            let list = pos.legal_moves();
            for &m in list.as_slice() {
                let mut child = *pos;
                child.make(m);
                let text = identity(&child);
                match places.get(&text) {
                    Some(&place) => next[place].2 += weight,
                    None => {
                        places.insert(text.clone(), next.len());
                        next.push((child, text, *weight));
                    }
                }
            }
        }
        plies.push(next);
    }
    plies.into_iter().map(|ply| ply.into_iter().map(|(_, text, n)| (text, n)).collect()).collect()
}

/// Compares positions, their order and their weights with the oracle's. Different limits for memory and for the
/// number of positions that are stored as such exercise every code path.
fn compare<P: Notation + WideKeyed + Sync>(fen: &str, depth: u32) {
    let root = P::from_fen(fen).unwrap();
    let expected = oracle(&root, depth);
    let lengths: Vec<u64> = expected.iter().map(|ply| ply.len() as u64).collect();
    for (base, memory, threads, seed) in
        [(1 << 20, 1 << 26, 1, 0), (0, 1 << 26, 2, 1), (30, 1 << 22, 3, 2), (400, 1 << 21, 2, 3)]
    {
        let keys = P::wide_keys(seed);
        let limits = Limits { threads, memory, base };
        let mut distinct = Distinct::new(&root, &keys, limits, true);
        for (ply, expected) in expected.iter().enumerate() {
            let mut found = Vec::new();
            let weights = distinct.weights();
            distinct.visit(0..distinct.parts(), |number, pos| {
                assert_eq!(number, found.len() as u64);
                found.push((identity(pos), weights[number as usize]));
            });
            assert_eq!(distinct.len(), expected.len() as u64, "{fen} ply {ply}");
            assert!(&found == expected, "{fen} ply {ply}, {limits:?}");
            if let Some(&next) = lengths.get(ply + 1) {
                assert_eq!(distinct.count_next(&()).unwrap(), next, "{fen} ply {ply}");
                distinct.advance(&()).unwrap();
            }
        }
    }
}

#[test]
fn positions_order_and_weights_are_those_of_the_oracle() {
    for entry in chess_suites().iter().filter(|entry| entry.suite == "standard") {
        compare::<chess::Position>(&entry.fen, by_build(3, 2));
    }
    // Castling rights in both notations, en passant, promotions, positions without moves.
    for entry in chess_suites().iter().filter(|entry| entry.suite != "standard").step_by(29) {
        compare::<chess::Position>(&entry.fen, 2);
    }
    // Many plies, few positions.
    compare::<chess::Position>("8/8/8/8/8/k7/8/K7 w - - 0 1", 14);
    compare::<chess::Position>("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3);
    for fen in [
        xiangqi::Position::START_FEN,
        "2bak4/4a4/4b1nr1/p3p1R1p/2r6/4c1P1P/2C6/4C4/2R1A4/2B1KAB2 w - - 9 22",
        "4k4/9/9/9/9/4P4/9/9/9/3K5 w - - 0 1",
    ] {
        compare::<xiangqi::Position>(fen, by_build(3, 2));
    }
}

/// The positions of a `--json` run.
fn positions(arguments: &[&str]) -> Vec<u64> {
    let run = run(&[&["perft"], arguments, &["--unique", "--json"]].concat());
    assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
    let list = run.out.split("\"positions\":[").nth(1).unwrap().split(']').next().unwrap();
    list.split(',').map(|n| n.parse().unwrap()).collect()
}

#[test]
fn published_and_independent_numbers() {
    // Tromp, and others: distinct positions after n plies.
    let chess = [1, 20, 400, 5_362, 72_078, 822_518, 9_417_681];
    let depth = by_build(6, 5);
    let known = &chess[..=depth];
    assert_eq!(positions(&[&depth.to_string()]), known);
    // Counted with pyffish, which identified positions by FEN.
    assert_eq!(positions(&["3", "--game", "xiangqi"]), XIANGQI);
    // Another seed for the keys, one thread.
    assert_eq!(positions(&["5", "--seed", "77", "--threads", "1"]), &chess[..6]);
    // With 16 MB the keys of a ply do not fit into memory at once.
    let kiwipete = [1, 48, 2_038, 57_548, 1_374_152];
    assert_eq!(positions(&["4", "--fen", "kiwipete", "--memory", "16"]), kiwipete);
    assert_eq!(positions(&["4", "--fen", "kiwipete", "--memory", "1024"]), kiwipete);
    assert_eq!(positions(&["0"]), [1]);
    assert_eq!(positions(&["3", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]), [1, 0, 0, 0]);
}

/// Distinct positions of xiangqi from the start position.
const XIANGQI: [u64; 4] = [1, 44, 1_920, 42_282];

#[test]
fn rows_on_stdout() {
    let run = run(&["perft", "3", "--unique"]);
    assert_eq!(run.code, Some(0));
    let rows: Vec<Vec<&str>> = run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["ply", "distinct", "positions", "sequences"]);
    assert_eq!(rows[1..5], [["0", "1", "1"], ["1", "20", "20"], ["2", "400", "400"], ["3", "5362", "8902"]]);
    assert_eq!(run.out.lines().skip(5).collect::<Vec<_>>(), ["", "Nodes searched: 8902"]);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

#[test]
fn bad_arguments_are_named() {
    for (arguments, word) in [
        (&["5", "--unique", "--memory", "1"][..], "--memory: \"1\" is not a number from 16"),
        (&["5", "--unique", "--memory", "16000000"], "MB are free"),
        (&["5", "--unique", "--memory", "x"], "--memory"),
        (&["5", "--unique", "--hash", "16"], "--hash cannot be used with --unique"),
        (&["5", "--unique", "--divide"], "--divide cannot be used with --unique"),
        (&["5", "--unique", "--split", "2"], "cannot be used with"),
        (&["5", "--memory", "100"], "--memory needs --unique or --split"),
        (&["--unique"], "DEPTH is missing"),
    ] {
        let run = run(&[&["perft"], arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}: {run:?}");
        assert!(run.err.contains(word) && run.err.lines().count() == 1, "{arguments:?}: {}", run.err);
    }
}

#[test]
fn running_out_of_memory_is_an_error_and_keeps_the_last_ply() {
    let root = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
    let keys = chess::Position::wide_keys(0);
    let limits = Limits { threads: 2, memory: 1 << 18, base: 30 };
    let mut distinct = Distinct::new(&root, &keys, limits, false);
    let mut lengths = Vec::new();
    let error = loop {
        match distinct.advance(&()) {
            Ok(()) => lengths.push(distinct.len()),
            Err(error) => break error,
        }
    };
    assert!(error.contains("MB of memory"), "{error}");
    assert_eq!(lengths, [20, 400, 5_362, 72_078][..lengths.len()]);
    assert!(lengths.len() >= 3, "{lengths:?}");
    assert_eq!(distinct.len(), lengths[lengths.len() - 1], "the last ply is still there");
    // The smallest --memory still suffices for 4 plies.
    let run = crate::common::program::finish(crate::common::program::start(&mut tabiya(&[
        "perft",
        "4",
        "--unique",
        "--memory",
        "16",
        "--threads",
        "1",
    ])));
    assert_eq!(run.code, Some(0));
}
