//! Benchmarks of single positions: listing, counting, noisy moves, legality, make, keys. Counts are verified first.

#[path = "../tests/common/mod.rs"]
mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use tabiya::chess::{Move, Position};
use tabiya::game::Moves;

/// The standard positions with the first two counts of each, verified against their suite.
fn positions() -> Vec<(Position, u64, u64)> {
    let entries = common::chess_suites().into_iter().filter(|entry| entry.suite == "standard");
    entries
        .map(|entry| {
            let pos = Position::from_fen(&entry.fen).unwrap();
            let known = |depth| entry.counts.iter().find(|c| c.0 == depth).unwrap().1;
            assert_eq!(pos.count_legal(), known(1), "{}", entry.place());
            (pos, known(1), known(2))
        })
        .collect()
}

fn movegen(c: &mut Criterion) {
    let positions = positions();
    let moves: u64 = positions.iter().map(|&(_, one, _)| one).sum();
    let mut group = c.benchmark_group("movegen");
    group.measurement_time(Duration::from_secs(3)).throughput(Throughput::Elements(moves));

    let list = || -> usize {
        let mut sum = 0;
        for (pos, ..) in black_box(&positions) {
            let list = pos.legal_moves();
            sum += black_box(&list).len();
        }
        sum
    };
    assert_eq!(list() as u64, moves);
    group.bench_function("list", |b| b.iter(list));

    let count = || black_box(&positions).iter().map(|(pos, ..)| pos.count_legal()).sum::<u64>();
    assert_eq!(count(), moves);
    group.bench_function("count", |b| b.iter(count));

    let lists: Vec<(Position, Moves<Move>)> =
        positions.iter().map(|(pos, ..)| (*pos, pos.legal_moves())).collect();
    let legal = || -> u64 {
        let every = black_box(&lists).iter();
        every.map(|(pos, list)| list.iter().filter(|&&m| pos.is_legal(m)).count() as u64).sum()
    };
    assert_eq!(legal(), moves);
    group.bench_function("is_legal", |b| b.iter(legal));

    let noisy = || -> usize {
        let mut sum = 0;
        for (pos, ..) in black_box(&positions) {
            let list = pos.noisy_moves();
            sum += black_box(&list).len();
        }
        sum
    };
    let takes = |(pos, list): &(Position, Moves<Move>)| {
        list.iter().filter(|&&m| pos.is_capture(m) || m.promotion().is_some()).count()
    };
    let expected: usize = lists.iter().map(takes).sum();
    assert_eq!(noisy(), expected);
    group.throughput(Throughput::Elements(expected as u64));
    group.bench_function("noisy", |b| b.iter(noisy));
    group.finish();
}

fn make(c: &mut Criterion) {
    let positions = positions();
    let lists: Vec<(Position, Moves<Move>)> =
        positions.iter().map(|(pos, ..)| (*pos, pos.legal_moves())).collect();
    let moves: u64 = positions.iter().map(|&(_, one, _)| one).sum();
    let mut group = c.benchmark_group("make");
    group.measurement_time(Duration::from_secs(3)).throughput(Throughput::Elements(moves));

    // Verify the positions made: the children's moves must add up to the known count of depth 2.
    let child = |pos: &Position, m: Move| {
        let mut child = *pos;
        child.make(m);
        child
    };
    let replies: u64 = lists
        .iter()
        .map(|(pos, list)| list.iter().map(|&m| child(pos, m).count_legal()).sum::<u64>())
        .sum();
    assert_eq!(replies, positions.iter().map(|&(.., two)| two).sum::<u64>());

    group.bench_function("copy and make", |b| {
        b.iter(|| {
            for (pos, list) in black_box(&lists) {
                for &m in list {
                    black_box(child(pos, m));
                }
            }
        });
    });

    let keys: Vec<u64> = lists.iter().map(|(pos, _)| pos.key()).collect();
    for ((pos, list), &key) in lists.iter().zip(&keys) {
        assert!(list.iter().all(|&m| pos.key_after(key, m) == child(pos, m).key()));
    }
    group.bench_function("key_after", |b| {
        b.iter(|| {
            for ((pos, list), &key) in black_box(&lists).iter().zip(&keys) {
                for &m in list {
                    black_box(pos.key_after(key, m));
                }
            }
        });
    });
    group.bench_function("key from scratch", |b| {
        b.iter(|| black_box(&lists).iter().fold(0, |mixed, (pos, _)| mixed ^ pos.key()));
    });
    group.finish();
}

criterion_group!(benches, movegen, make);
criterion_main!(benches);
