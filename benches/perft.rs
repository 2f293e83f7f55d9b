//! Benchmarks perft on the standard positions: nodes per second of the plain walk. Each count is verified first.

#[path = "../tests/common/mod.rs"]
mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use tabiya::chess::Position;

/// Maximum number of nodes per iteration: the deepest known count below this is measured.
const LIMIT: u64 = 6_000_000;

fn perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    for entry in common::chess_suites().iter().filter(|entry| entry.suite == "standard") {
        let pos = Position::from_fen(&entry.fen).unwrap();
        let (depth, nodes) = entry.within(LIMIT).last().unwrap();
        assert_eq!(pos.perft(depth), nodes, "{}", entry.place());
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{} {depth}", entry.name), |b| {
            b.iter(|| black_box(&pos).perft(depth));
        });
    }
    group.finish();
}

criterion_group!(benches, perft);
criterion_main!(benches);
