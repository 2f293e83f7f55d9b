//! Invariants of positions of both games, at every node of perft trees: keys, counts, legality, noisy and quiet moves,
//! texts of moves, FEN, attacks.
//!
//! The roots are every suite position and positions of seeded random play.

use crate::common::{by_build, play, sample, xiangqi as walks};
use pretty_assertions::assert_eq;
use std::collections::BTreeSet;
use tabiya::base::rng::SplitMix64;
use tabiya::game::{GameMove, Moves, Position, Searchable, Side};
use tabiya::{chess, xiangqi};

/// A game with positions to test.
pub trait Tested: Searchable {
    /// One of this number of nodes of a tree is checked; they are much alike.
    const ALIKE: usize;
    /// Every suite position.
    fn suite() -> Vec<Position<Self>>;
    /// Positions of seeded random play.
    fn random(count: usize, seed: u64) -> Vec<Position<Self>>;
    /// Whether two moves are of pieces of one kind.
    fn moves_the_same_kind(&self, a: Self::Move, b: Self::Move) -> bool;
    /// The position read back from its FEN.
    fn reread(position: &Position<Self>) -> Position<Self> {
        let fen = position.to_fen();
        Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }
}

impl Tested for chess::Board {
    const ALIKE: usize = 5;
    fn suite() -> Vec<chess::Position> {
        play::suite_positions()
    }
    fn random(count: usize, seed: u64) -> Vec<chess::Position> {
        let mut all = play::positions(count / 2, true, seed);
        all.extend(play::positions(count - count / 2, false, seed ^ 0x960));
        all
    }
    fn moves_the_same_kind(&self, a: Self::Move, b: Self::Move) -> bool {
        self.moved_kind(a) == self.moved_kind(b)
    }
    /// A FEN without castling rights does not show whether the game is Chess960.
    fn reread(position: &chess::Position) -> chess::Position {
        let read: chess::Position = position.to_string().parse().unwrap();
        assert!(read.is_chess960() == position.is_chess960() || position.castling().is_empty(), "{position:?}");
        read.with_chess960(position.is_chess960())
    }
}

impl Tested for xiangqi::Board {
    const ALIKE: usize = 1;
    fn suite() -> Vec<xiangqi::Position> {
        walks::suite_fens().iter().map(|fen| Position::from_fen(fen).unwrap()).collect()
    }
    fn random(count: usize, seed: u64) -> Vec<xiangqi::Position> {
        walks::random_positions(seed, count)
    }
    fn moves_the_same_kind(&self, a: Self::Move, b: Self::Move) -> bool {
        self.moved_kind(a) == self.moved_kind(b)
    }
}

/// Makes a test of each function for each game.
macro_rules! for_both_games {
    ($($test:ident)*) => {
        mod chess_positions {
            $(#[test]
            fn $test() {
                super::$test::<tabiya::chess::Board>();
            })*
        }
        mod xiangqi_positions {
            $(#[test]
            fn $test() {
                super::$test::<tabiya::xiangqi::Board>();
            })*
        }
    };
}
pub(crate) use for_both_games;

for_both_games! {
    what_a_position_owns_is_what_it_has_from_scratch
    lists_counts_selections_and_legality_agree
    is_legal_is_membership_for_every_packed_move
}

/// Visits every position at most `depth` plies below `pos`.
fn walk<B: Tested>(pos: &Position<B>, depth: u32, visit: &mut impl FnMut(&Position<B>)) {
    visit(pos);
    if depth > 0 {
        for m in pos.legal_moves() {
            let mut child = *pos;
            child.make(m);
            walk(&child, depth - 1, visit);
        }
    }
}

/// Visits the trees of all suite positions, most of them a ply less deep, and of `random` positions of random play.
pub fn trees<B: Tested>(depth: u32, random: usize, seed: u64, visit: &mut impl FnMut(&Position<B>)) {
    let less = |i: usize| u32::from(!i.is_multiple_of(sample(4, 1)));
    for (i, pos) in B::suite().iter().enumerate() {
        walk(pos, depth - less(i), visit);
    }
    for pos in B::random(random, seed).iter() {
        walk(pos, depth, visit);
    }
}

fn what_a_position_owns_is_what_it_has_from_scratch<B: Tested>() {
    let mut nodes = 0;
    trees(2, sample(10, 100), 0x5eed_0001, &mut |pos: &Position<B>| {
        nodes += 1;
        // `==` compares the key, the checks and the pins too, which reading computes from scratch.
        assert!(B::reread(pos) == *pos, "{pos:?}: key {:016x}", pos.key());
        for m in pos.legal_moves() {
            let mut child = *pos;
            child.make(m);
            assert!(child == child.with_board(*child), "{pos:?} {m:?}");
        }
        if !pos.in_check() {
            let mut passed = *pos;
            passed.make_null();
            assert!(B::reread(&passed) == passed, "null move in {pos:?}");
            // The same board, the other side to move, nothing to capture en passant.
            let (before, after) = (pos.to_fen(), passed.to_fen());
            let fields = |fen: &str| fen.split(' ').map(String::from).collect::<Vec<_>>();
            let (before, after) = (fields(&before), fields(&after));
            assert!(before[0] == after[0] && before[2] == after[2] && after[3] == "-", "{pos:?}");
            assert!(passed.side() != pos.side(), "{pos:?}");
        }
    });
    assert!(nodes > sample(15_000, 100_000), "{nodes}");
}

fn set<M: GameMove>(list: &Moves<M>) -> BTreeSet<M> {
    let set: BTreeSet<M> = list.iter().copied().collect();
    assert_eq!(set.len(), list.len(), "a move is listed twice: {list:?}", list = list.as_slice());
    set
}

/// Asserts that lists, counts, selections, legality and texts of the moves of a position agree.
pub fn check_moves<B: Tested>(pos: &Position<B>, rng: &mut SplitMix64) {
    let list = pos.legal_moves();
    assert!(pos.count_legal() == list.len() as u64, "{pos:?}: count is not the list's length");
    let (all, noisy, quiet) = (set(&list), set(&pos.noisy_moves()), set(&pos.quiet_moves()));
    assert!(noisy.is_disjoint(&quiet), "{pos:?}: both noisy and quiet");
    assert!(all == &noisy | &quiet, "{pos:?}: noisy and quiet are not all");
    for &m in &all {
        assert!(pos.is_legal(m), "{pos:?}: {m:?} is listed, but not legal");
        assert!(pos.is_noisy(m) == noisy.contains(&m), "{pos:?} {m:?}: is_noisy");
        let text = pos.move_text(m).to_string();
        assert!(pos.parse_move(&text) == Ok(m), "{pos:?}: {text} is read as another move");
        // The same squares with every other kind, as a hash collision may give.
        for code in 0..16 {
            let near = B::Move::from_raw(m.raw() & 0x0fff | code << 12);
            assert!(pos.is_legal(near) == all.contains(&near), "{pos:?}: {near:?}");
        }
    }
    for _ in 0..8 {
        let any = B::Move::from_raw(rng.next_u64() as u16);
        assert!(pos.is_legal(any) == all.contains(&any), "{pos:?}: {any:?}");
    }
}

fn lists_counts_selections_and_legality_agree<B: Tested>() {
    let mut rng = SplitMix64::new(0x5eed_0004);
    let (mut nodes, mut checked) = (0, 0);
    trees(2, sample(30, 300), 0x5eed_0005, &mut |pos: &Position<B>| {
        nodes += 1;
        if nodes % B::ALIKE == 0 {
            checked += 1;
            check_moves(pos, &mut rng);
        }
    });
    assert!(checked > sample(8_000, 50_000), "{checked}");
}

fn is_legal_is_membership_for_every_packed_move<B: Tested>() {
    let mut positions = B::suite();
    positions.extend(B::random(sample(by_build(200, 40), 1_000), 0x5eed_0006));
    for pos in &positions {
        let all = set(&pos.legal_moves());
        for raw in 0..=u16::MAX {
            let m = B::Move::from_raw(raw);
            assert!(pos.is_legal(m) == all.contains(&m), "{pos:?}: {m:?} ({raw:#06x})");
        }
    }
}

macro_rules! attackers_are_the_pieces_that_attack_the_square {
    ($test:ident, $game:ident) => {
        #[test]
        fn $test() {
            use $game::{Bitboard, Board, Square, attacks};
            for pos in Board::random(300, 0x5eed_0009) {
                let checkers = pos.attackers(pos.side().flip(), pos.king(pos.side()));
                assert_eq!((pos.checkers(), pos.in_check()), (checkers, !checkers.is_empty()), "{pos:?}");
                for side in Side::BOTH {
                    let attacked: Bitboard = Square::all().filter(|&to| !pos.attackers(side, to).is_empty()).collect();
                    assert_eq!(pos.attacked_by(side), attacked, "{side:?} {pos:?}");
                    for to in Square::all() {
                        let attackers = pos.side_set(side).into_iter().filter(|&from| {
                            let (_, kind) = pos.piece_on(from).expect("a piece");
                            attacks(side, kind, from, pos.occupied()).contains(to)
                        });
                        let attackers: Bitboard = attackers.collect();
                        assert_eq!(pos.attackers(side, to), attackers, "{side:?} {to} {pos:?}");
                    }
                }
            }
        }
    };
}
attackers_are_the_pieces_that_attack_the_square!(attackers_in_chess, chess);
attackers_are_the_pieces_that_attack_the_square!(attackers_in_xiangqi, xiangqi);
