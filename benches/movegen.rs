//! Benchmarks of the move generators in nanoseconds a move, for each standard position and for all together: list,
//! count, make (with key, checks and pins), `is_legal`; for chess also attacks. Results are verified first.
//! `tabiya::guide::speed` describes what each number means and how to add another crate.

mod standard;

use criterion::{Criterion, criterion_group, criterion_main};
use standard::{Standard, entries};
use std::hint::black_box;
use std::slice;
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::board::tables;
use tabiya::chess::{self, Bitboard, Square};
use tabiya::game::{Position, Rules};
use tabiya::perft::suite::Entry;
use tabiya::xiangqi;

/// Benchmarks `run` for each of the named cases and, if there are several, for all together. `run` returns the number
/// of moves that it handled; criterion prints the time divided by that number.
fn each<T>(c: &mut Criterion, name: &str, cases: &[(String, T)], run: impl Fn(&T) -> u64) {
    let total = |cases: &[(String, T)]| cases.iter().map(|(_, case)| run(case)).sum::<u64>();
    let mut group = c.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(500));
    let single = cases.iter().map(|case| (case.0.as_str(), slice::from_ref(case)));
    let all = (cases.len() > 1).then_some(("all", cases));
    for (name, cases) in single.chain(all) {
        let moves = u32::try_from(total(cases)).unwrap();
        group.bench_function(name, |b| {
            b.iter_custom(|times| {
                let start = Instant::now();
                for _ in 0..times {
                    black_box(total(black_box(cases)));
                }
                start.elapsed() / moves
            });
        });
    }
    group.finish();
}

/// A position with its legal moves.
struct Case<B: Rules> {
    pos: Position<B>,
    moves: Vec<B::Move>,
}

fn after<B: Rules>(pos: &Position<B>, m: B::Move) -> Position<B> {
    let mut child = *pos;
    child.make(m);
    child
}

/// The cases of a game's standard positions. Moves, children and keys are verified.
fn cases<B: Rules + Standard>() -> Vec<(String, Case<B>)> {
    let read = |entry: Entry<B>| {
        let (pos, title) = (entry.position, entry.title);
        let moves = pos.legal_moves().to_vec();
        let known = |depth| entry.counts.iter().find(|c| c.0 == depth).unwrap().1 as u64;
        let replies = moves.iter().map(|&m| after(&pos, m).count_legal()).sum::<u64>();
        assert_eq!((moves.len() as u64, replies), (known(1), known(2)), "{title}");
        assert_eq!(pos.count_legal(), known(1), "{title}");
        for &m in &moves {
            assert!(pos.is_legal(m), "{title} {m:?}");
        }
        (title, Case { pos, moves })
    };
    entries::<B>().into_iter().map(read).collect()
}

/// The benchmarks of one game. Positions and lists go through `black_box`, so that they are really made.
fn movegen<B: Rules>(c: &mut Criterion, game: &str, cases: &[(String, Case<B>)]) {
    each(c, &format!("{game} list"), cases, |case| {
        let list = case.pos.legal_moves();
        black_box(&list).len() as u64
    });
    each(c, &format!("{game} count"), cases, |case| case.pos.count_legal());
    each(c, &format!("{game} make"), cases, |case| {
        for &m in &case.moves {
            let mut child = case.pos;
            child.make(m);
            black_box(&child);
        }
        case.moves.len() as u64
    });
    each(c, &format!("{game} is_legal"), cases, |case| {
        case.moves.iter().filter(|&&m| case.pos.is_legal(m)).count() as u64
    });
}

fn chess(c: &mut Criterion) {
    let cases = cases::<chess::Board>();
    movegen(c, "chess", &cases);
    for (name, Case { pos, .. }) in &cases {
        let attackers = |square| pos.attackers(pos.side(), square);
        let attacked: Bitboard = Square::all().filter(|&s| !attackers(s).is_empty()).collect();
        assert_eq!(pos.attacked_by(pos.side()), attacked, "{name}");
    }
    each(c, "chess attacks", &cases, |case| {
        black_box(case.pos.attacked_by(case.pos.side()));
        1
    });
}

fn xiangqi(c: &mut Criterion) {
    movegen(c, "xiangqi", &cases::<xiangqi::Board>());
}

/// Slider look-ups.
fn sliders(c: &mut Criterion) {
    let mut rng = SplitMix64::new(0xbe_4c11);
    let board = |i| (Square::wrapping(i), Bitboard(rng.next_u64() & rng.next_u64()));
    let boards: Vec<(Square, Bitboard)> = (0..1_024).map(board).collect();
    each(c, "sliders", &[("bishop and rook".to_string(), ())], |()| {
        let mix = |sum, &(s, occupied)| sum ^ tables::rook(s, occupied).0 ^ tables::bishop(s, occupied).0;
        black_box(boards.iter().fold(0, mix));
        2 * boards.len() as u64
    });
}

criterion_group!(benches, chess, xiangqi, sliders);
criterion_main!(benches);
