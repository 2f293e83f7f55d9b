//! Benchmarks slider lookups with every method this CPU supports, and the attackers of a square. Results are verified
//! first.

#[path = "../tests/common/mod.rs"]
mod common;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use tabiya::base::rng::SplitMix64;
use tabiya::chess::board::tables::{Cpu, Portable, SliderAttacks, Task};
use tabiya::chess::{Bitboard, Position, Square};

/// Squares, each with an occupancy.
type Questions = Vec<(Square, Bitboard)>;

fn questions() -> Questions {
    let mut rng = SplitMix64::new(0xbe_4c11);
    (0..1_024).map(|i| (Square::wrapping(i), Bitboard(rng.next_u64() & rng.next_u64()))).collect()
}

/// The total number of attacked squares, by walking over the board: every method must find it.
fn walked(questions: &Questions) -> u64 {
    let slide = |from: Square, occupied: Bitboard, (files, ranks): (i32, i32)| {
        let (mut at, mut reached) = (from, 0);
        while let Some(next) = at.step(files, ranks) {
            reached += 1;
            if occupied.contains(next) {
                break;
            }
            at = next;
        }
        reached
    };
    let ways = (-1..=1).flat_map(|f| (-1..=1).map(move |r| (f, r))).filter(|&way| way != (0, 0));
    ways.map(|way| questions.iter().map(|&(s, occupied)| slide(s, occupied, way)).sum::<u64>())
        .sum()
}

/// Looks up all questions in a function compiled for the CPU level.
struct LookUp<'a>(&'a Questions);

impl Task for LookUp<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let answers = self.0.iter().map(|&(square, occupied)| {
            u64::from(cpu.rook(square, occupied).count() + cpu.bishop(square, occupied).count())
        });
        answers.sum()
    }
}

fn method<C: Cpu>(group: &mut BenchmarkGroup<WallTime>, cpu: C, name: &str) {
    let questions = questions();
    assert_eq!(cpu.run(LookUp(&questions)), walked(&questions), "{name}");
    group.bench_function(name, |b| b.iter(|| cpu.run(LookUp(black_box(&questions)))));
}

fn sliders(c: &mut Criterion) {
    let mut group = c.benchmark_group("sliders");
    group.measurement_time(Duration::from_secs(3)).throughput(Throughput::Elements(2 * 1_024));
    method(&mut group, Portable, "portable");
    #[cfg(target_arch = "x86_64")]
    {
        use tabiya::chess::board::tables::{Pext, Popcnt};
        if let Some(cpu) = Popcnt::detect() {
            method(&mut group, cpu, "popcnt");
        }
        if let Some(cpu) = Pext::detect() {
            method(&mut group, cpu, "pext");
        }
    }
    group.finish();
}

fn attackers(c: &mut Criterion) {
    let pos = Position::from_fen(&common::standard("kiwipete").fen).unwrap();
    let all = || -> u32 {
        let pos = black_box(&pos);
        Square::all().map(|square| pos.attackers(!pos.side(), square).count()).sum()
    };
    // Each attacked square of each piece, attacked by either side.
    let expected: u32 = Square::all()
        .filter_map(|square| pos.piece_on(square).map(|(side, kind)| (side, kind, square)))
        .map(|(side, kind, square)| {
            tabiya::chess::board::attacks::attacks(side, kind, square, pos.occupied()).count()
        })
        .sum();
    assert_eq!(all(), expected);
    let mut group = c.benchmark_group("attackers");
    group.measurement_time(Duration::from_secs(3)).throughput(Throughput::Elements(64));
    group.bench_function("every square of kiwipete", |b| b.iter(all));
    group.finish();
}

criterion_group!(benches, sliders, attackers);
criterion_main!(benches);
