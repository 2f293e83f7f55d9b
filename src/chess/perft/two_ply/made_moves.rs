//! Our special moves in the positions of a batch: lists them, makes them in lanes and counts the replies.
//!
//! A move that only moves a piece (captures included), or castles, is never made on its own. Such moves of all
//! positions are made in the lanes of vectors (`lanes::moves`), and `legal_sets` counts the replies. The few other
//! moves are left to `collect`. "We" and "they" as in `two_ply`.

use crate::base::list::MoveList;
use crate::chess::board::Board;
use crate::chess::board::attacks::attackers;
use crate::chess::board::movegen::ChecksAndPins;
use crate::chess::board::movegen::{self, ALL, PROMOTIONS};
use crate::chess::perft::lanes::batch::Batch;
use crate::chess::perft::lanes::legal_sets::count_legal;
use crate::chess::perft::lanes::moves::{MoveQueue, Pending};
use crate::chess::perft::simd::{MOST_LANES, Vector, lane_mask, load_at};
use crate::chess::perft::two_ply::classify::SpecialMoves;
use crate::chess::perft::two_ply::tally::Tally;
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Us, White};
use crate::game::{ListSink, MOST_MOVES, Moves};
use std::hint::black_box;

/// The special moves of the positions of a batch.
pub struct MadeMoves {
    /// Moves that only move a piece, captures included, and castling.
    queue: MoveQueue,
    /// En passant captures, promotions, and all check evasions, each with its lane.
    pub scalar: MoveList<(u8, Move), { MOST_LANES * MOST_MOVES }>,
}

impl MadeMoves {
    pub const fn new() -> Self {
        MadeMoves { queue: MoveQueue::new(), scalar: MoveList::new() }
    }
}

/// Adds the number of replies to the special moves that can be made in lanes.
#[inline(always)]
pub fn count<const KINDS: u8, V: Vector, T: Tally<V>>(
    cpu: V::Cpu,
    batch: &Batch,
    made: &mut MadeMoves,
    special: &SpecialMoves<V>,
    tally: &mut T,
) {
    let queue = &mut made.queue;
    let rooks = load_at::<V>(cpu, &batch.castling, 0);
    let we_castle = (rooks & V::splat(cpu, White::BACK_RANK.0)).nonzero() != 0;
    let they_castle = (rooks & V::splat(cpu, Black::BACK_RANK.0)).nonzero() != 0;
    let mut pending = Pending::of(cpu, &special.sets);
    while pending.any() {
        let len = queue.list(cpu, batch, &mut pending);
        for at in (0..len).step_by(V::LANES) {
            // The compiler would load the whole batch before the loop, only to write it to the stack.
            let batch = black_box(batch);
            let after = queue.make::<V>(cpu, batch, at, we_castle);
            // A captured rook cannot castle. (Not a closure: a closure that is not inlined is not compiled for the
            // CPU's instructions.)
            let castles = if they_castle {
                let rooks = rooks.permute(after.sources).without(after.to);
                batch.castling_table.load::<Black, V>(cpu, rooks)
            } else {
                None
            };
            let (own, foe) = (after.them.only::<KINDS>(cpu), after.us.only::<KINDS>(cpu));
            let counts = count_legal::<Black, V>(cpu, &own, &foe, castles.as_ref());
            tally.add_by_source(counts.mask_lanes(lane_mask::<V>(len - at)), after.sources);
        }
    }
}

/// Lists in `made.scalar` the moves that cannot be made in lanes, and all moves of lanes in check. Adds the number of
/// their en passant captures after the double steps that `classify` leaves to this function.
#[inline(always)]
pub fn list_scalar<V: Vector, T: Tally<V>>(
    cpu: V::Cpu,
    batch: &Batch,
    moves: &SpecialMoves<V>,
    made: &mut MadeMoves,
    tally: &mut T,
) {
    made.scalar.clear();
    list_promotions::<V>(batch, moves, made);
    add_unclear_ep_replies::<V, T>(batch, moves, tally);
    list_evasions_and_ep::<V>(cpu, batch, moves, made);
}

/// Lists every promotion move, four for each target.
#[inline(always)]
fn list_promotions<V: Vector>(batch: &Batch, moves: &SpecialMoves<V>, made: &mut MadeMoves) {
    let mut words = [0; MOST_LANES];
    for (set, step) in moves.promotions.into_iter().zip([0, -1, 1]) {
        let lanes = set.nonzero() & batch.active::<V>();
        if lanes == 0 {
            continue;
        }
        set.store(&mut words);
        for lane in (0..V::LANES).filter(|lane| lanes >> lane & 1 != 0) {
            for to in Bitboard(words[lane]) {
                let m = movegen::pawn_move(to, White::FORWARD + step, MoveKind::Pawn);
                for kind in PROMOTIONS {
                    made.scalar.push((lane as u8, Move::new(m.from(), to, kind)));
                }
            }
        }
    }
}

/// Adds the number of their legal en passant captures after the double steps in `ep_unclear`.
#[inline(always)]
fn add_unclear_ep_replies<V: Vector, T: Tally<V>>(batch: &Batch, moves: &SpecialMoves<V>, tally: &mut T) {
    let lanes = moves.ep_unclear.nonzero() & batch.active::<V>();
    if lanes != 0 {
        let mut words = [0; MOST_LANES];
        moves.ep_unclear.store(&mut words);
        for lane in (0..V::LANES).filter(|lane| lanes >> lane & 1 != 0) {
            for to in Bitboard(words[lane]) {
                let m = movegen::pawn_move(to, 2 * White::FORWARD, MoveKind::DoublePush);
                let pos = &batch.position(lane);
                tally.add_one(lane, ep_captures_after(pos, m));
            }
        }
    }
}

/// Lists all check evasions, and our en passant captures.
#[inline(always)]
fn list_evasions_and_ep<V: Vector>(cpu: V::Cpu, batch: &Batch, moves: &SpecialMoves<V>, made: &mut MadeMoves) {
    let extra = load_at::<V>(cpu, &batch.en_passant, 0).nonzero();
    let mut lanes = (extra | moves.in_check) & batch.active::<V>();
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes - 1;
        let pos = &batch.position(lane);
        let mut list = Moves::new();
        let sink = &mut ListSink(&mut list);
        if moves.in_check >> lane & 1 != 0 {
            movegen::generate::<White, ALL, _>(pos, &ChecksAndPins::of::<White>(pos), Bitboard::ALL, sink);
        } else {
            let (ours, king) = (pos.side_set(White::SIDE), pos.king(White::SIDE));
            movegen::en_passant::<White, _>(pos, ours, king, sink);
        }
        for &m in &list {
            made.scalar.push((lane as u8, m));
        }
    }
}

/// The number of legal en passant captures after our double step `m`.
#[inline(always)]
fn ep_captures_after(pos: &Board, m: Move) -> u64 {
    let left = Bitboard::of(m.from());
    let passed = White::forward(left);
    let king = pos.king(Black::SIDE);
    let mut captures = 0;
    let capturers = pos.kind_set(Kind::Pawn) & pos.side_set(Black::SIDE);
    for capturer in White::pawn_attacks(passed) & capturers {
        let after = (pos.occupied() & !left & !Bitboard::of(capturer)) | passed;
        let foes = pos.side_set(White::SIDE) & !left;
        captures += u64::from(!attackers(pos, king, after).meets(foes));
    }
    captures
}
