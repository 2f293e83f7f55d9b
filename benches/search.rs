//! Benchmarks a fixed-depth search and its most expensive parts: evaluation and static exchange evaluation.
//!
//! The search is run twice first; its node count must not change.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tabiya::chess::{Board, Move, Position, eval};
use tabiya::game::{Moves, Searchable as _};
use tabiya::protocol::games::{Bench, bench_positions};

const DEPTH: u64 = 8;

fn positions() -> Vec<Position> {
    bench_positions::<Board>().iter().map(|fen| Position::from_fen(fen).expect("a bench position")).collect()
}

fn search(c: &mut Criterion) {
    let request = Bench { limit: Some(DEPTH), ..Bench::default() };
    let count = || request.run::<Board>(|_| {}).expect("the bench positions").nodes;
    let nodes = count();
    assert!(nodes > 36 * DEPTH);
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    group.bench_function(format!("depth {DEPTH}, {nodes} nodes"), |b| {
        b.iter(|| assert_eq!(count(), nodes));
    });
    group.finish();
}

fn evaluation(c: &mut Criterion) {
    let positions = positions();
    let sum = |memo: &mut eval::Memo| -> i32 { positions.iter().map(|pos| eval::evaluate(black_box(pos), memo)).sum() };
    let mut memo = eval::Memo::default();
    let expected = sum(&mut memo);
    c.bench_function("evaluate, 36 positions", |b| {
        b.iter(|| assert_eq!(sum(&mut memo), expected));
    });
}

fn exchanges(c: &mut Criterion) {
    let work: Vec<(Position, Moves<Move>)> = positions()
        .into_iter()
        .map(|pos| {
            let list = pos.legal_moves();
            (pos, list)
        })
        .collect();
    let count =
        || -> usize { work.iter().map(|(pos, list)| list.iter().filter(|&&m| pos.see_at_least(m, 0)).count()).sum() };
    let expected = count();
    c.bench_function("exchanges of 36 positions", |b| {
        b.iter(|| assert_eq!(count(), expected));
    });
}

criterion_group!(benches, search, evaluation, exchanges);
criterion_main!(benches);
