//! Benchmarks perft on the standard positions: nodes per second of the plain walk, and the time of small counts of one
//! position, by depth and kernel. Each count is verified first.

mod standard;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use standard::entries;
use std::hint::black_box;
use std::time::Duration;
use tabiya::chess::Board;
use tabiya::game::Counting as _;
use tabiya::perft::suite::Entry;

/// Maximum number of nodes per iteration: the deepest known count below this is measured.
const LIMIT: u128 = 6_000_000;

/// The counts of at most [`LIMIT`] nodes.
fn small_counts(entry: &Entry<Board>) -> impl Iterator<Item = (u32, u64)> {
    entry.counts.iter().filter(|count| count.1 <= LIMIT).map(|&(depth, nodes)| (depth, nodes as u64))
}

fn perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    for entry in entries::<Board>() {
        let (pos, title) = (entry.position, &entry.title);
        let (depth, nodes) = small_counts(&entry).last().unwrap();
        assert_eq!(pos.perft(depth), nodes, "{title}");
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{title} {depth}"), |b| {
            b.iter(|| black_box(&pos).perft(depth));
        });
    }
    group.finish();
}

/// One to three plies, as programs that use the library count them, and by each kernel.
fn small(c: &mut Criterion) {
    let mut group = c.benchmark_group("small perft");
    group.sample_size(20).measurement_time(Duration::from_secs(1));
    for entry in entries::<Board>() {
        let (pos, title) = (entry.position, entry.title.as_str());
        if !["startpos", "kiwipete", "position3"].contains(&title) {
            continue;
        }
        for (depth, nodes) in small_counts(&entry).filter(|&(depth, _)| depth <= 3) {
            assert_eq!(pos.perft(depth), nodes, "{title}");
            group.bench_function(format!("{title} {depth}"), |b| {
                b.iter(|| black_box(&pos).perft(depth));
            });
            for &kernel in Board::kernels() {
                assert_eq!(pos.perft_by(depth, kernel), nodes, "{title}");
                group.bench_function(format!("{title} {depth} {}", kernel.name()), |b| {
                    b.iter(|| black_box(&pos).perft_by(depth, kernel));
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, perft, small);
criterion_main!(benches);
