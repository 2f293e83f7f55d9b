//! Searches that are cut off in the middle of an iteration, in both games: a mate is reported only if it is proved,
//! whoever mates, and no move is played that has just been refuted while another one is left.
//!
//! Every reported mate is proved by a mate search, or refuted by the known length of the mate; its line ends in mate.

use super::player::{Found, Player, ends_in_mate, is_mated, position};
use crate::common::mates;
use std::collections::HashMap;
use tabiya::base::rng::SplitMix64;
use tabiya::engine::{Bound, Limits, score};
use tabiya::game::{Position, Searchable};
use tabiya::{chess, xiangqi};

/// Longest mate, in moves, that is proved if it is reported: longer proofs take too long.
const LONGEST: u32 = 5;

/// The mates, in moves, that a search has reported for the position.
fn reported<M>(found: &Found<M>) -> impl Iterator<Item = i32> {
    let exact = found.lines.iter().filter(|line| line.rank == 1 && line.bound == Bound::Exact);
    exact.filter_map(|line| score::mate_moves(line.score))
}

/// Whether there is the mate in `moves` moves, against the side to move if it is negative; `None` if the proof takes
/// too long.
fn is_mate<B: Searchable>(solver: &mut Player<B>, pos: Position<B>, moves: i32) -> Option<bool> {
    let length = moves.unsigned_abs();
    if length > LONGEST {
        return None;
    }
    let found = solver.search(pos, Limits { mate: Some(length), ..Limits::nodes(5_000_000) });
    let denied = format!("there is no mate in {length}");
    let seen = score::mate_moves(found.score).filter(|seen| seen.unsigned_abs() <= length);
    match seen {
        _ if pos.count_legal() == 0 => Some(is_mated(&pos) && moves == 0),
        Some(seen) => Some((seen > 0) == (moves > 0)),
        None if found.messages.contains(&denied) => Some(false),
        None => None,
    }
}

/// Searches `count` positions, known mates and those up to four random moves later, with every limit and number of
/// threads. Returns how many mates were proved, and how many proofs took too long.
fn check<B: Searchable>(files: [&str; 2], count: usize, nodes: &[u64], seed: u64) -> [usize; 2] {
    let known: Vec<(Position<B>, u32)> = files.iter().flat_map(|file| mates(file)).collect();
    let mut rng = SplitMix64::new(seed);
    let (mut player, mut solver) = (Player::<B>::new(), Player::<B>::new());
    player.engine.set_hash(1).expect("memory");
    solver.engine.set_hash(1).expect("memory");
    let mut done = [0; 2];
    for _ in 0..count {
        let (mut pos, moves) = known[rng.below(known.len())];
        let mut shortest = Some(moves as i32);
        for _ in 0..rng.below(5) {
            let list = pos.legal_moves();
            if !list.is_empty() {
                pos.make(list[rng.below(list.len())]);
                shortest = None;
            }
        }
        let (fen, mut proved) = (pos.to_fen(), HashMap::new());
        for (threads, &nodes) in [1, 2].into_iter().flat_map(|threads| nodes.iter().map(move |nodes| (threads, nodes)))
        {
            player.engine.threads = threads;
            let found = player.search(pos, Limits::nodes(nodes));
            for line in found.lines.iter().filter(|line| line.bound == Bound::Exact) {
                if let Some(plies) = score::mate_plies(line.score) {
                    assert_eq!(line.moves.len(), plies.unsigned_abs() as usize, "{fen}: {line:?}");
                    assert!(ends_in_mate(&pos, line), "{fen}: {line:?}");
                }
            }
            for moves in reported(&found).filter(|&moves| moves != 0) {
                let what = format!("{fen}: mate {moves} with {nodes} nodes, {threads} threads: {found:?}");
                assert!(shortest.is_none_or(|shortest| moves >= shortest), "{what}");
                match *proved.entry(moves).or_insert_with(|| is_mate(&mut solver, pos, moves)) {
                    Some(is_mate) => assert!(is_mate, "{what}"),
                    None => done[1] += 1,
                }
                done[0] += 1;
            }
        }
    }
    done
}

#[test]
fn no_mate_is_reported_that_is_not_proved() {
    let [proved, open] = check::<chess::Board>(["mates.epd", "problems.epd"], 60, &[300, 1_000], 1);
    assert!(proved > 50 && open < proved / 4, "{proved} {open}");
    let [proved, open] = check::<xiangqi::Board>(["mates_xiangqi.epd", "problems_xiangqi.epd"], 40, &[300, 1_000], 2);
    assert!(proved > 30 && open < proved / 4, "{proved} {open}");
}

/// `cargo test --release --test tabiya -- --ignored --nocapture thousands_of`
#[test]
#[ignore = "minutes; run by .ci/nightly"]
fn thousands_of_searches_report_no_mate_that_is_not_proved() {
    let nodes = [100, 200, 300, 500, 700, 1_000, 2_000, 5_000];
    let [proved, open] = check::<chess::Board>(["mates.epd", "problems.epd"], 3_000, &nodes, 3);
    println!("chess: {proved} mates proved or refuted by their length, {open} proofs took too long");
    let [proved, open] = check::<xiangqi::Board>(["mates_xiangqi.epd", "problems_xiangqi.epd"], 3_000, &nodes, 4);
    println!("xiangqi: {proved} mates proved or refuted by their length, {open} proofs took too long");
}

/// Searches that ended with a loss that only one move had been tried for.
#[test]
fn a_loss_of_the_first_move_is_not_that_of_the_position() {
    let check = |fen: &str, nodes: u64, shortest: i32| {
        let pos: chess::Position = position(fen);
        for threads in [1, 2] {
            let mut player = Player::new();
            player.engine.threads = threads;
            let found = player.search(pos, Limits::nodes(nodes));
            let wrong =
                reported(&found).find(|&moves| moves.signum() != shortest.signum() || moves.abs() < shortest.abs());
            assert_eq!(wrong, None, "{fen}: {found:?}");
            let last = found.last();
            assert_eq!(last.moves.first().copied(), found.best, "{fen}: {found:?}");
        }
    };
    check("k7/8/1Kp5/8/8/5p2/8/1R6 b - - 0 1", 20_000, -9);
    check("1kr5/ppn5/6n1/2PN1p1r/Q3pBq1/5bP1/3R1P2/4R1K1 w - - 0 1", 300, 8);
    let fen = "4kab1r/r2na4/9/P3p1p2/2PC2bnp/4P3N/5c2P/4c4/5C3/R1BAKABR1 w - - 3 32";
    let found = Player::new().search(position::<xiangqi::Board>(fen), Limits::nodes(400));
    assert_eq!(reported(&found).find(|&moves| moves < 0), None, "{found:?}");
}

/// The move of the last iteration mates its own side at once; every other one is better.
#[test]
fn a_move_that_was_just_refuted_is_not_played() {
    let pos: chess::Position = position("r4rk1/1p5R/p2pqp2/P7/3p1p1Q/3P3R/1P4PP/6K1 w - - 0 1");
    // From 380 to 500 nodes the last iteration has tried this move only.
    for nodes in [380, 420, 460, 500, 540] {
        let found = Player::new().search(pos, Limits::nodes(nodes));
        let mut next = pos;
        next.make(found.best.expect("a move"));
        let mates = |m: &chess::Move| {
            let mut after = next;
            after.make(*m);
            is_mated(&after)
        };
        assert!(!next.legal_moves().iter().any(mates), "{nodes} nodes: {found:?}");
        assert_eq!(reported(&found).next(), None, "{found:?}");
        assert!(found.last().moves.first().copied() == found.best && pos.is_legal(found.best.expect("a move")));
    }
}
