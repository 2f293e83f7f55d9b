//! Compares children and origins computed in lanes with those computed one position at a time, on every backend.
//!
//! `tests/perft/counters.rs` compares whole counts.

use crate::base::rng::SplitMix64;
use crate::chess::board::Position;
use crate::chess::perft::lanes::batch::Batch;
use crate::chess::perft::lanes::children::ParentLanes;
use crate::chess::perft::lanes::moves::{CASTLES, KING, MoveSets, SETS, origins};
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::fills::LEAPS;
use crate::chess::perft::simd::tests::{
    Check, for_each_backend, for_each_position, members, random_words, walk, words,
};
use crate::chess::types::Move;
use crate::game::Side;

#[derive(Clone, Copy)]
struct Origins;

impl Check for Origins {
    fn check<V: Vector>(self, cpu: V::Cpu) {
        let mut rng = SplitMix64::new(0x5eed_0103);
        for _ in 0..500 {
            let occupied = random_words(&mut rng)[0];
            for from in members(occupied) {
                let origin = |set: usize, to: u64, pieces: u64| {
                    let (source, to) = (V::splat(cpu, 8 * set as u64 + 5), V::splat(cpu, to));
                    words(origins::<V>(cpu, source, to, V::splat(cpu, pieces)))[0]
                };
                for set in 0..8 {
                    let targets = walk(from, set, occupied) & !occupied;
                    for to in members(targets) {
                        assert_eq!(origin(set, 1 << to, occupied), 1 << from);
                    }
                }
                for (i, (by, entered)) in LEAPS.into_iter().enumerate() {
                    let bit = 1u64 << from;
                    let to = if by > 0 { bit << by } else { bit >> -by } & entered;
                    if to != 0 {
                        assert_eq!(origin(8 + i, to, occupied), bit);
                    }
                }
                for set in [16, 21, 22] {
                    assert_eq!(origin(set, 1 << rng.below(64), 1 << from), 1 << from);
                }
                for (i, step) in [8, 16, 7, 9].into_iter().enumerate() {
                    if from + step < 64 {
                        assert_eq!(origin(17 + i, 1 << (from + step), !0), 1 << from);
                    }
                }
            }
        }
    }
}

#[test]
fn origins_are_found_from_targets() {
    for_each_backend(Origins);
}

#[derive(Clone, Copy)]
struct Children;

impl Children {
    fn compare<V: Vector>(cpu: V::Cpu, parent: &Position, moves: &[Move]) {
        let parent_lanes = ParentLanes::<V>::new(cpu, parent);
        let flipped = if parent.side() == Side::First { parent.flipped() } else { **parent };
        let mut batch = Batch::new(&flipped);
        let mut made = Vec::new();
        for group in moves.chunks(V::LANES) {
            batch.push_children(cpu, &parent_lanes, group, 0);
            made.extend(group.iter().map(|&m| {
                let mut child = **parent;
                child.make(m);
                if child.side() == Side::First { child } else { child.flipped() }
            }));
            while batch.is_full::<V>() {
                for (lane, child) in made.drain(..V::LANES).enumerate() {
                    assert_eq!(batch.position(lane), child);
                }
                batch.advance::<V>();
            }
        }
        for (lane, child) in made.into_iter().enumerate() {
            assert_eq!(batch.position(lane), child);
        }
    }
}

impl Check for Children {
    fn check<V: Vector>(self, cpu: V::Cpu) {
        for_each_position(30, |pos| {
            let list = pos.legal_moves();
            Self::compare::<V>(cpu, pos, &list);
        });
    }
}

#[test]
fn children_made_in_lanes_match_those_made_one_by_one() {
    for_each_backend(Children);
}

#[test]
fn move_sets_are_numbered_as_documented() {
    let moves = MoveSets {
        sliders: [0, 1, 2, 3, 4, 5, 6, 7],
        leaps: [8, 9, 10, 11, 12, 13, 14, 15],
        king: KING,
        pawns: [17, 18, 19, 20],
        castles: [CASTLES, CASTLES + 1],
    };
    assert_eq!(moves.by_number(), std::array::from_fn::<usize, SETS, _>(|number| number));
}
