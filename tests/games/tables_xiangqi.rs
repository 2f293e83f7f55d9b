//! Xiangqi look-ups against an independent walk of the board, for every square and random occupancies.

use crate::common::walk;
use tabiya::base::rng::SplitMix64;
use tabiya::game::Side;
use tabiya::xiangqi::board::attacks;
use tabiya::xiangqi::board::tables;
use tabiya::xiangqi::{Bitboard, Kind, Square};

fn square(file: i32, rank: i32) -> Square {
    Square::at(file, rank).expect("on the board")
}

/// A board with `letter` on `at` and any other pieces on `occupied`.
fn board(at: Square, letter: u8, occupied: Bitboard) -> walk::Board {
    let mut board = [[b'.'; 9]; 10];
    for other in occupied {
        board[other.rank() as usize][other.file() as usize] = b'x';
    }
    board[at.rank() as usize][at.file() as usize] = letter;
    board
}

fn random_sets(rng: &mut SplitMix64) -> impl Iterator<Item = Bitboard> + use<'_> {
    (0..).map(|i| {
        let mut word = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        let set = match i % 3 {
            0 => word(),
            1 => word() & word(),
            _ => word() & word() & word(),
        };
        Bitboard(set) & Bitboard::ALL
    })
}

/// Whether a piece of the kind can be on `at`; advisors and elephants have no attacks from other squares.
fn can_stand(side: Side, kind: Kind, at: Square) -> bool {
    let (file, rank) = match side {
        Side::First => (at.file(), at.rank()),
        Side::Second => (at.file(), 9 - at.rank()),
    };
    match kind {
        Kind::King => (3..=5).contains(&file) && rank <= 2,
        Kind::Advisor => matches!((file, rank), (3 | 5, 0 | 2) | (4, 1)),
        Kind::Elephant => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        Kind::Soldier => rank > 4 || rank > 2 && file % 2 == 0,
        Kind::Horse | Kind::Chariot | Kind::Cannon => true,
    }
}

#[test]
fn every_piece_reaches_what_a_walk_reaches() {
    let mut rng = SplitMix64::new(5);
    for side in Side::BOTH {
        for kind in Kind::ALL {
            for at in Square::all().filter(|&at| can_stand(side, kind, at)) {
                for occupied in random_sets(&mut rng).take(400) {
                    let occupied = occupied | Bitboard::of(at);
                    let walked = walk::reach(&board(at, kind.fen_letter(side), occupied), at.file(), at.rank());
                    let walked =
                        walked.into_iter().fold(Bitboard::EMPTY, |set, (f, r)| set | Bitboard::of(square(f, r)));
                    let attacks = |kind| attacks::attacks(side, kind, at, occupied);
                    // A cannon moves like a chariot where it does not capture.
                    let found = match kind {
                        Kind::Cannon => (attacks(Kind::Chariot) - occupied) | (attacks(kind) & occupied),
                        _ => attacks(kind),
                    };
                    assert_eq!(found, walked, "{side:?} {kind:?} on {at}, {occupied:?}");
                }
            }
        }
    }
}

#[test]
fn look_ups_from_the_target_are_the_reverse_of_moves() {
    let mut rng = SplitMix64::new(6);
    for occupied in random_sets(&mut rng).take(200) {
        for to in Square::all() {
            let horses = Square::all()
                .filter(|&from| attacks::attacks(Side::First, Kind::Horse, from, occupied).contains(to))
                .fold(Bitboard::EMPTY, |set, from| set | Bitboard::of(from));
            assert_eq!(tables::horse_back(to, occupied), horses, "{to}, {occupied:?}");
        }
    }
    for side in Side::BOTH {
        for to in Square::all() {
            let soldiers = Square::all()
                .filter(|&from| tables::soldier(side, from).contains(to))
                .fold(Bitboard::EMPTY, |set, from| set | Bitboard::of(from));
            assert_eq!(tables::soldier_back(side, to), soldiers);
        }
    }
}

#[test]
fn squares_between_two_others() {
    for a in Square::all() {
        for b in Square::all() {
            let mut walked = Bitboard::EMPTY;
            let (df, dr) = (b.file() - a.file(), b.rank() - a.rank());
            if (df == 0) != (dr == 0) {
                for n in 1..df.abs().max(dr.abs()) {
                    let at = square(a.file() + n * df.signum(), a.rank() + n * dr.signum());
                    walked |= Bitboard::of(at);
                }
            }
            assert_eq!(tables::between(a, b), walked, "{a} {b}");
            assert_eq!(tables::cross(a).contains(b), (df == 0) != (dr == 0));
        }
    }
}

#[test]
fn points_of_a_file_are_gathered_and_placed_alike() {
    let mut rng = SplitMix64::new(7);
    for occupied in random_sets(&mut rng).take(500) {
        for at in Square::all() {
            let bits = tables::file_bits(occupied, at.file());
            let walked: usize =
                (0..10).map(|rank| usize::from(occupied.contains(square(at.file(), rank))) << rank).sum();
            assert_eq!(bits, walked);
            assert_eq!(tables::file_set(bits as u32, at.file()), occupied & Bitboard::file(at.file()));
            let chariot = attacks::attacks(Side::First, Kind::Chariot, at, occupied);
            assert_eq!(chariot, tables::lines(at, occupied).0);
        }
    }
}
