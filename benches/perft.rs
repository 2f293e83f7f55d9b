//! Benchmarks perft on the standard positions: nodes per second of the plain walk, and the time of small counts of one
//! position, by depth and kernel. Each count is verified first.

#[path = "../tests/common/mod.rs"]
mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use tabiya::chess::Position;
use tabiya::game::Rules;

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

/// One to three plies, as programs that use the library count them, and by each kernel.
fn small(c: &mut Criterion) {
    let mut group = c.benchmark_group("small perft");
    group.sample_size(20).measurement_time(Duration::from_secs(1));
    for name in ["startpos", "kiwipete", "position3"] {
        let entry = common::standard(name);
        let pos = Position::from_fen(&entry.fen).unwrap();
        for (depth, nodes) in entry.within(LIMIT).filter(|&(depth, _)| depth <= 3) {
            assert_eq!(pos.perft(depth), nodes, "{}", entry.place());
            group.bench_function(format!("{name} {depth}"), |b| {
                b.iter(|| black_box(&pos).perft(depth));
            });
            for &kernel in Position::kernels() {
                assert_eq!(pos.perft_by(depth, kernel), nodes, "{}", entry.place());
                group.bench_function(format!("{name} {depth} {}", kernel.name()), |b| {
                    b.iter(|| black_box(&pos).perft_by(depth, kernel));
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, perft, small);
criterion_main!(benches);
