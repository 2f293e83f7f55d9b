//! Counting by frontier: packed positions, groups, passes and parts, against slow ways and each other.

use crate::common::{chess_suites, sample};
use crate::perft::counters::positions;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tabiya::base::bits::BitSet;
use tabiya::game::count::packing::HashWords;
use tabiya::game::{Columns, Counting, GameMove, Half, Kernel, PackedOf, Packing, Position, Side};
use tabiya::perft::frontier::{Frontier, MIN_DEPTH, Stop};
use tabiya::perft::run::{Finished, Ledger, Part, Task};
use tabiya::{chess, xiangqi};

/// The identity of a position: the first four fields of the FEN, the en passant square only if a capture there
/// is legal.
fn identity<B: Counting>(pos: &Position<B>) -> String {
    let fen = pos.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let [pieces, side, castling, en_passant] = fields[..4] else { panic!("{fen}") };
    let without = format!("{pieces} {side} {castling} -");
    let plain = Position::<B>::from_fen_lenient(&without).unwrap().0;
    if plain.count_legal() == pos.count_legal() {
        return without;
    }
    format!("{pieces} {side} {castling} {en_passant}")
}

/// Positions below `root`, without repetitions.
fn below<B: Counting>(root: &Position<B>, depth: u32) -> Vec<Position<B>> {
    let mut found = vec![*root];
    if depth > 0 {
        for m in root.legal_moves() {
            let mut child = *root;
            child.make(m);
            found.extend(below(&child, depth - 1));
        }
    }
    found
}

/// Packed positions can be unpacked; what a half becomes by a move, and what the other half loses, are the halves of
/// the position after it, and a half is within reach of all its moves. Collects the texts and packed forms of the
/// positions.
fn check_packing<B: Counting>(positions: &[Position<B>], pairs: &mut HashSet<(String, PackedOf<B>)>) {
    for pos in positions {
        let (packed, side) = (B::Half::pack(pos), pos.side());
        pairs.insert((identity(pos), packed));
        let again = pos.with_board(B::Half::unpack(&packed, side));
        assert_eq!(identity(&again), identity(pos), "{}", pos.to_fen());
        let halves = B::Half::split(&packed);
        let [own, rest] = [side, side.flip()].map(|side| halves[side.index()]);
        for side in [Side::First, Side::Second] {
            assert_eq!(B::Half::pieces(&packed, side), halves[side.index()].squares().count() as usize);
        }
        let mut rows = Vec::new();
        own.reach(side, |targets, variants| rows.push((targets, variants)));
        for m in pos.legal_moves() {
            let mut child = *pos;
            child.make(m);
            let (variant, victim) = B::Half::effect(pos, m);
            let (targets, variants) = rows[own.squares().below(GameMove::from(m))];
            assert!(targets.has(GameMove::to(m)) && variant < variants, "{} {m:?}", pos.to_fen());
            let rest = if rest.squares().has(victim) { rest.lasting().without(victim) } else { rest.lasting() };
            let after = own.after(m, variant);
            let halves = if side == Side::First { [&after, &rest] } else { [&rest, &after] };
            assert!(B::Half::join(halves) == B::Half::pack(&child), "{} {m:?}", pos.to_fen());
        }
    }
}

/// Asserts that no text has two packed forms, and no packed form two texts.
fn assert_one_to_one<K: Copy + Eq + std::hash::Hash>(pairs: &HashSet<(String, K)>) {
    let (mut texts, mut forms) = (HashMap::new(), HashMap::new());
    for (text, form) in pairs {
        *texts.entry(text).or_insert(0) += 1;
        forms.entry(form).or_insert_with(Vec::new).push(text);
    }
    assert!(texts.values().all(|&n| n == 1));
    let twice = forms.values().find(|texts| texts.len() > 1);
    assert!(twice.is_none(), "{twice:?}");
}

#[test]
fn packed_positions_are_the_positions() {
    // Sides are not packed, so each side has a map of its own.
    let mut pairs = [HashSet::new(), HashSet::new()];
    for entry in chess_suites().iter().step_by(3) {
        let root = chess::Position::from_fen(&entry.fen).unwrap();
        for pos in below(&root, 1) {
            check_packing(&[pos], &mut pairs[pos.side().index()]);
        }
    }
    for pos in positions(2_000, 0x5eed_6401) {
        check_packing(&[pos], &mut pairs[pos.side().index()]);
    }
    pairs.iter().for_each(assert_one_to_one);
    let mut pairs = HashSet::new();
    let start = xiangqi::Position::default();
    check_packing(
        &below(&start, 2).into_iter().filter(|pos| pos.side() == start.side()).collect::<Vec<_>>(),
        &mut pairs,
    );
    assert_one_to_one(&pairs);
}

/// The sums by root move, or one, of all parts, and the number of units.
fn count<B: Counting>(frontier: &Frontier<'_, B>, task: Task, parts: usize) -> Result<(Sums, usize), Stop> {
    let mut sums = vec![Columns::default(); task.counts(frontier.root)];
    let units = AtomicUsize::new(0);
    for index in 0..parts {
        let record = |_: usize, _: &[Columns<u128>]| _ = units.fetch_add(1, Relaxed);
        let ledger = Ledger::new(BTreeSet::new(), sums, &record, &|_| false);
        frontier.count(&Task { part: Part { index, of: parts }, ..task }, &ledger)?;
        sums = ledger.into_sums().unwrap();
    }
    Ok((sums, units.into_inner()))
}

type Sums = Vec<Columns<u128>>;

/// Counts with much and with hardly any memory, with one thread and several, as a whole and in parts.
fn compare<B: Counting>(root: &Position<B>, depth: u32, total: u128) {
    let all = [(1, 1 << 26, 1), (3, 1 << 26, 1), (2, 1 << 17, 1), (1, 1 << 15, 1), (2, 1 << 26, 3), (2, 1 << 17, 5)];
    for (i, (threads, memory, parts)) in all.into_iter().enumerate() {
        let kernels = B::kernels();
        let (kernel, words) = (kernels[i % kernels.len()], HashWords::new(i as u64));
        let frontier = Frontier { root, kernel, threads, memory, words, is_stopped: &|| false };
        let name = format!("{} depth {depth}, {threads} threads, {memory} bytes, {parts} parts", root.to_fen());
        match count(&frontier, Task::nodes(depth), parts) {
            Ok((sums, _)) => assert_eq!(sums, [total.into()], "{name}"),
            // Only if there is hardly any memory.
            Err(stop) => assert!(matches!(stop, Stop::Memory(_)) && memory < 1 << 20, "{name}: {stop:?}"),
        }
    }
}

#[test]
fn passes_parts_and_threads_count_like_the_plain_walk() {
    for (i, pos) in positions(sample(25, 60), 0x5eed_6402).into_iter().enumerate() {
        let depth = MIN_DEPTH + u32::from(i % 8 == 0);
        compare(&pos, depth, u128::from(pos.perft_by(depth, Kernel::Portable)));
    }
    for (name, depth) in [("position3", 6), ("kiwipete", 4), ("position4", 4), ("position5", 4)] {
        let entry = crate::common::standard(name);
        let pos = chess::Position::from_fen(&entry.fen).unwrap();
        compare(&pos, depth, u128::from(pos.perft(depth)));
    }
    let start = xiangqi::Position::default();
    compare(&start, 4, 3_290_240);
    // A side of one piece has few groups: with little memory the children of one are merged in shares.
    let pos = chess::Position::from_fen("4k3/8/8/8/8/8/8/RBNRKQN1 w - - 0 1").unwrap();
    compare(&pos, 7, u128::from(pos.perft(7)));
}

/// Many passes are needed to count with little memory, which shows in the number of units.
#[test]
fn little_memory_means_many_passes() {
    let root = chess::Position::default();
    let words = HashWords::new(7);
    let units = |memory| {
        let frontier = Frontier {
            root: &root,
            kernel: chess::Position::kernels()[0],
            threads: 2,
            memory,
            words,
            is_stopped: &|| false,
        };
        let (sums, units) = count(&frontier, Task::nodes(6), 1).unwrap();
        assert_eq!(sums, [119_060_324.into()], "{memory} bytes");
        units
    };
    assert!(units(1 << 14) > 3 * units(1 << 26));
    let hardly =
        Frontier { root: &root, kernel: Kernel::Portable, threads: 1, memory: 1 << 10, words, is_stopped: &|| false };
    let Err(Stop::Memory(megabytes)) = count(&hardly, Task::nodes(8), 1) else { panic!("it is not enough") };
    assert!((1..100).contains(&megabytes), "{megabytes}");
}

#[test]
fn finished_passes_are_left_out() {
    // One side has its king only: no partition is for what is left of it.
    for (fen, depth) in [("k7/8/8/8/8/8/8/KQR5 w - - 0 1", sample(8, 9)), (chess::Position::START_FEN, 6)] {
        let root = chess::Position::from_fen(fen).unwrap();
        let (kernel, words) = (Kernel::Portable, HashWords::new(3));
        let (recorded, expected) = (Mutex::new(BTreeSet::new()), Mutex::new(BTreeSet::new()));
        let frontier = Frontier { root: &root, kernel, threads: 2, memory: 1 << 17, words, is_stopped: &|| false };
        let run = |known: BTreeSet<usize>| {
            let record = |unit: usize, _: &[Columns<u128>]| assert!(recorded.lock().unwrap().insert(unit));
            let poll = |finished: Finished| {
                expected.lock().unwrap().insert(finished.of);
                false
            };
            let ledger = Ledger::new(known, vec![Columns::default()], &record, &poll);
            frontier.count(&Task::nodes(depth), &ledger).unwrap();
        };
        run(BTreeSet::new());
        let mut units = std::mem::take(&mut *recorded.lock().unwrap());
        assert!(expected.lock().unwrap().contains(&units.len()), "{expected:?} of {}", units.len());
        run(units.clone());
        assert!(recorded.lock().unwrap().is_empty(), "{fen}");
        // A unit that is missing is counted again, and no other.
        let missing = units.pop_last();
        run(units);
        assert_eq!(Vec::from_iter(recorded.into_inner().unwrap()), Vec::from_iter(missing), "{fen}");
    }
}

/// Divides and columns by frontier are those of each move alone.
#[test]
fn divides_and_columns_count_like_each_move_alone() {
    for (fen, depth) in [("kiwipete", 5), ("position3", 6), ("position4", 5)] {
        let root = chess::Position::from_fen(&crate::common::standard(fen).fen).unwrap();
        let (kernel, words) = (chess::Position::kernels()[0], HashWords::new(1));
        let frontier = Frontier { root: &root, kernel, threads: 2, memory: 1 << 20, words, is_stopped: &|| false };
        let expected = Vec::from_iter(root.divide(depth).map(|(_, n)| Columns::from(u128::from(n))));
        let divide = Task { divide: true, ..Task::nodes(depth) };
        assert_eq!(count(&frontier, divide, 2).unwrap().0, expected, "{fen}");
        let expected = root.statistics(depth - 1).map(u128::from);
        let statistics = Task { statistics: true, ..Task::nodes(depth - 1) };
        assert_eq!(count(&frontier, statistics, 2).unwrap().0, [expected], "{fen}");
    }
}

/// Every distinct position comes up once: the rows are those of a map of all positions.
#[test]
fn distinct_positions_come_up_once() {
    fn compare<B: Counting>(fen: &str, depth: u32) {
        let root = Position::<B>::from_fen(fen).unwrap();
        let mut plies = vec![HashMap::from([(B::Half::pack(&root), (root, 1_u128))])];
        for ply in 0..depth as usize {
            let mut next = HashMap::new();
            for (pos, ways) in plies[ply].values() {
                for m in pos.legal_moves() {
                    let child = pos.play_unchecked(m);
                    next.entry(B::Half::pack(&child)).or_insert((child, 0)).1 += ways;
                }
            }
            plies.push(next);
        }
        for threads in [1, 3] {
            let (kernel, words) = (B::kernels()[0], HashWords::new(threads as u64));
            let frontier = Frontier { root: &root, kernel, threads, memory: 1 << 26, words, is_stopped: &|| false };
            let mut rows = Vec::new();
            let found = frontier.unique(depth, |row| {
                rows.push((row.positions, row.sequences));
                true
            });
            assert_eq!(found, Ok(()));
            let expected = plies.iter().map(|ply| (ply.len() as u64, ply.values().map(|(_, ways)| ways).sum()));
            assert_eq!(rows, Vec::from_iter(expected), "{fen}");
        }
    }
    for entry in chess_suites().iter().filter(|entry| entry.suite == "standard") {
        compare::<chess::Board>(&entry.fen, 3);
    }
    // Castling rights in both notations, en passant, promotions, positions without moves.
    for entry in chess_suites().iter().filter(|entry| entry.suite != "standard").step_by(29) {
        compare::<chess::Board>(&entry.fen, 2);
    }
    // Many plies, few positions.
    compare::<chess::Board>("8/8/8/8/8/k7/8/K7 w - - 0 1", 14);
    compare::<chess::Board>("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3);
    compare::<xiangqi::Board>(xiangqi::Position::START_FEN, 3);
    compare::<xiangqi::Board>("4k4/9/9/9/9/4P4/9/9/9/3K5 w - - 0 1", 8);
}
