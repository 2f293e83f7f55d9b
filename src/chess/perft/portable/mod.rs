//! Two plies at once on any CPU, one position at a time. The idea is the one described in `perft`, with loops over
//! pieces.
//!
//! Each move belongs to one of three classes:
//!
//! * *ordinary*: replies = replies to a null move + change by leaving `from` + change by landing on `to`, summed for
//!   whole target sets with population counts (`deltas` holds the changes);
//! * *king-changing*: apart from that, it only changes which squares their king may enter or castle across. It is
//!   counted like an ordinary move, but the king's moves are counted again, square by square (`king_zone`);
//! * *special*: it gives check, touches or creates a pin, promotes, castles, captures en passant, or `from` and `to`
//!   affect the same line or pawn. It is made, and its replies are counted.
//!
//! "We" are the side to move, always White (see `walk`); "they" reply. It never recurses.
//!
//! The formula of `two_ply` with a single lane would make this file superfluous, but takes 1.4 to 3.9 times as long.

pub mod deltas;
pub mod king_zone;
pub mod null_replies;

use crate::base::cpu::Cpu;
use crate::base::cpu::Task;
use crate::chess::board::Board;
use crate::chess::board::movegen::{self, ALL, ChecksAndPins, PROMOTIONS, PawnTargets};
use crate::chess::board::tables;
use crate::chess::perft::portable::deltas::{ReplyDeltas, Scratch, capture_change, reach_of};
use crate::chess::perft::portable::king_zone::{Attacked, KingZone, Lines, OurSliders};
use crate::chess::perft::portable::null_replies::{NullReplies, View};
use crate::chess::perft::walk::{Leaves, count_moves};
use crate::chess::types::{Bitboard, Black, FILE_A, FILE_H, Kind, Move, MoveKind, Square, Us, White};
use crate::game::{CountSink, ListSink, Moves};

/// The leaf counter of the `portable` kernel.
#[derive(Clone, Copy)]
pub struct PortableLeaves;

impl Leaves for PortableLeaves {
    const PLIES: u32 = 2;
    type Memory = (Scratch, u64);
    type Output = u64;
    #[inline(always)]
    fn start(self, _root: &Board) -> (Scratch, u64) {
        (Scratch::new(), 0)
    }
    #[inline(always)]
    fn count<C: Cpu>(self, cpu: C, pos: &Board, (scratch, nodes): &mut (Scratch, u64)) {
        *nodes += perft2(cpu, pos, scratch);
    }
    #[inline(always)]
    fn finish<C: Cpu>(self, _cpu: C, (_, nodes): &mut (Scratch, u64)) -> u64 {
        *nodes
    }
}

/// The number of sequences of two plies from `pos`.
#[inline(always)]
pub fn perft2<C: Cpu>(cpu: C, pos: &Board, scratch: &mut Scratch) -> u64 {
    cpu.run(Grandparent { pos, scratch })
}

/// A position two plies above the leaves. Most moves are counted together; the special ones are made.
struct Grandparent<'a> {
    pos: &'a Board,
    scratch: &'a mut Scratch,
}

impl Task for Grandparent<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut nodes = count(self.pos, cpu, self.scratch);
        for &m in &self.scratch.special {
            let mut child = *self.pos;
            child.make_as::<White>(m);
            // Flipping the board for so few moves would cost a twentieth of the time.
            nodes += count_moves::<Black>(&child);
        }
        nodes
    }
}

/// Our pieces other than pawns, collected one by one.
struct OurPieces<'a> {
    list: &'a mut [(Square, MoveKind, Bitboard); 16],
    count: usize,
    attacked: Attacked,
}

impl OurPieces<'_> {
    #[inline(always)]
    fn add(&mut self, from: Square, kind: MoveKind, reach: Bitboard) {
        self.attacked.add(reach);
        // A side has at most sixteen pieces. The mask only avoids the bounds check.
        self.list[self.count & 15] = (from, kind, reach);
        self.count += 1;
    }
}

/// Selects the moves that are not ordinary.
#[derive(Clone, Copy)]
struct SpecialMasks {
    /// Targets and origins of special moves.
    special_to: Bitboard,
    special_from: Bitboard,
    /// Targets and origins of moves that change only what their king may do.
    king_changed_to: Bitboard,
    king_changed_from: Bitboard,
}

/// The sum so far, and the data it is computed from.
struct TwoPlySum<'a> {
    deltas: ReplyDeltas<'a>,
    zone: KingZone<'a>,
    /// Our pieces that pin one of their pieces.
    pinners: Bitboard,
    /// Replies to a null move without the king's, which are in `zone`.
    other_replies: i64,
    total: i64,
}

impl TwoPlySum<'_> {
    /// Counts all moves of one piece to `targets`.
    #[inline(always)]
    fn piece<C: Cpu>(&mut self, cpu: C, from: Square, kind: MoveKind, targets: Bitboard, masks: SpecialMasks) {
        let touched = self.deltas.touched.contains(from);
        let mut special = targets & masks.special_to;
        if masks.special_from.contains(from) {
            special = targets;
        }
        if touched {
            special |= targets & self.deltas.leave_delta(from).entangled;
        }
        if self.pinners.contains(from) {
            special |= self.unpin(cpu, from, targets & !special);
        }
        let counted = targets & !special;
        let mut each = self.other_replies;
        if touched {
            let leave = self.deltas.leave_delta(from);
            each += i64::from(leave.change);
            self.total += i64::from((counted & leave.capturers).count());
            for to in counted & leave.line {
                self.total += leave.along(from, to);
            }
        }
        let mut king_changed = masks.king_changed_to;
        if masks.king_changed_from.contains(from) {
            king_changed = Bitboard::ALL;
        }
        king_changed &= counted;
        self.total += i64::from(counted.count()) * each + self.deltas.landings(counted);
        self.total += i64::from((counted & !king_changed).count()) * self.zone.null_king_moves;
        for to in king_changed {
            self.total += self.zone.king_moves_after(cpu, from, to, kind);
        }
        for to in special {
            self.deltas.scratch.special.push(Move::new(from, to, kind));
        }
    }

    /// Moves one of our pinners to `targets`: adds the moves that the unpinned piece gains, and returns the targets
    /// for which this does not describe the whole change.
    #[inline(always)]
    fn unpin<C: Cpu>(&mut self, cpu: C, from: Square, targets: Bitboard) -> Bitboard {
        let KingZone { pos, target, .. } = self.zone;
        let (ours, theirs) = (pos.side_set(White::SIDE), pos.side_set(Black::SIDE));
        let Some(freed) = (tables::between(target, from) & theirs).lowest() else {
            return targets;
        };
        // Promotions count four times, and an unpinned rook may castle.
        let promoting = pos.kind_set(Kind::Pawn) & Black::SEVENTH_RANK;
        if (promoting | pos.castling).contains(freed) {
            return targets;
        }
        let line = tables::line(target, from);
        let pinned_moves = (reach_of(pos, cpu, freed, ours, theirs) & line).count();
        for to in targets & !line {
            let arrived = Bitboard::of(to);
            let ours = (ours & !Bitboard::of(from)) | arrived;
            let free_moves = reach_of(pos, cpu, freed, ours, theirs & !arrived).count();
            self.total += i64::from(free_moves) - i64::from(pinned_moves);
        }
        targets & line
    }

    /// Counts all pawn moves of one kind of step, which adds `delta` to the square index.
    #[inline(always)]
    fn pawns<C: Cpu>(&mut self, cpu: C, targets: Bitboard, delta: i32, kind: MoveKind, masks: SpecialMasks) {
        if targets.is_empty() {
            return;
        }
        let from = |to: Square| Square::wrapping((to.index() as i32 - delta) as u32);
        let arriving = |set: Bitboard| shift(set, delta) & targets;
        let mut special = targets & masks.special_to | arriving(masks.special_from);
        let king_changed = targets & masks.king_changed_to | arriving(masks.king_changed_from);
        for to in arriving(self.deltas.touched) & !special {
            let leave = self.deltas.leave_delta(from(to));
            if leave.entangled.contains(to) {
                special |= Bitboard::of(to);
                continue;
            }
            self.total += i64::from(leave.change) + i64::from(leave.capturers.contains(to));
            if leave.line.contains(to) {
                self.total += leave.along(from(to), to);
            }
        }
        let counted = targets & !special;
        let king_changed = king_changed & counted;
        self.total += i64::from(counted.count()) * self.other_replies + self.deltas.landings(counted);
        self.total += i64::from((counted & !king_changed).count()) * self.zone.null_king_moves;
        for to in king_changed {
            self.total += self.zone.king_moves_after(cpu, from(to), to, kind);
        }
        for to in special {
            self.deltas.scratch.special.push(Move::new(from(to), to, kind));
        }
    }
}

/// The set shifted up by `delta`. Squares that leave the board are dropped.
#[inline(always)]
fn shift(set: Bitboard, delta: i32) -> Bitboard {
    Bitboard(if delta > 0 { set.0 << delta } else { set.0 >> -delta })
}

/// The number of sequences of two plies from `pos`, without those that begin with the moves that it puts into
/// `scratch.special`.
#[inline(always)]
fn count<C: Cpu>(pos: &Board, cpu: C, scratch: &mut Scratch) -> u64 {
    scratch.special.clear();
    let our_pins = ChecksAndPins::of::<White>(pos);
    if !our_pins.checkers.is_empty() {
        // In check there are few moves, and most of the formula does not hold.
        let mut list = ListSink(&mut scratch.special);
        movegen::generate::<White, ALL, _>(pos, &our_pins, Bitboard::ALL, &mut list);
        return 0;
    }
    let view = &View::of(pos);
    let mut deltas = ReplyDeltas::new(scratch);
    let null = NullReplies::of(view, cpu, &mut deltas);
    let (pieces, our_attacks) = find_pieces(view, cpu, &mut deltas.scratch.pieces);
    let sliders = OurSliders {
        all: view.ours,
        bishops: view.bishops & view.ours,
        rooks: view.rooks & view.ours,
        occupied: view.occupied,
    };
    let straight_pins = view.pins.straight;
    let zone = KingZone::of(pos, cpu, view.target, &our_attacks, &sliders, straight_pins);
    let (discoverers, pinners) = sliders.on_lines_to(view.target);
    let masks = SpecialMasks {
        special_to: view.pinned | null.promotion_targets | zone.special_to,
        special_from: null.promotion_targets | zone.special_from | discoverers,
        king_changed_to: zone.ring | zone.lines.blocks,
        king_changed_from: zone.lines.opens,
    };
    add_captures(view, cpu, our_attacks.once & !masks.special_to, &mut deltas);
    let mut sum = TwoPlySum { deltas, zone, pinners, other_replies: null.count, total: 0 };
    add_pieces(view, cpu, &our_pins, null.attacked, masks, pieces, &mut sum);
    for rook in pos.castling & White::BACK_RANK {
        let straight = our_pins.straight;
        if movegen::castle_is_legal(view.king, rook, view.occupied, null.attacked, straight) {
            sum.deltas.scratch.special.push(Move::new(view.king, rook, MoveKind::Castle));
        }
    }
    let targets = PawnTargets::of::<White>(pos, view.ours, Bitboard::ALL, &our_pins);
    add_pawns(cpu, &targets, masks, &mut sum);
    add_ep_replies(view, cpu, targets.double, &mut sum);
    let special = &mut sum.deltas.scratch.special;
    list_promotions(&targets, special);
    if !pos.en_passant.is_empty() {
        movegen::en_passant::<White, _>(pos, view.ours, view.king, &mut ListSink(special));
    }
    sum.total as u64
}

/// Lists our pieces other than pawns with the squares they attack. Returns their number, and the squares that we
/// attack with the number of attackers.
#[inline(always)]
fn find_pieces<C: Cpu>(view: &View, cpu: C, list: &mut [(Square, MoveKind, Bitboard); 16]) -> (usize, Attacked) {
    let &View { ours, occupied, queens, .. } = view;
    let mut attacked = Attacked::default();
    attacked.add(White::pawn_attacks_west(view.pawns & ours));
    attacked.add(White::pawn_attacks_east(view.pawns & ours));
    let mut pieces = OurPieces { list, count: 0, attacked };
    for from in view.knights & ours {
        pieces.add(from, MoveKind::Knight, tables::knight(from));
    }
    for from in view.bishops & ours & !queens {
        pieces.add(from, MoveKind::Bishop, tables::bishop(from, occupied));
    }
    for from in view.rooks & ours & !queens {
        pieces.add(from, MoveKind::Rook, tables::rook(from, occupied));
    }
    for from in queens & ours {
        pieces.add(from, MoveKind::Queen, tables::bishop(from, occupied) | tables::rook(from, occupied));
    }
    pieces.add(view.king, MoveKind::King, tables::king(view.king));
    (pieces.count, pieces.attacked)
}

/// Captures: the replies of the captured piece are gone, and their other pieces may recapture.
#[inline(always)]
fn add_captures<C: Cpu>(view: &View, cpu: C, targets: Bitboard, deltas: &mut ReplyDeltas) {
    let capturable = targets & view.theirs;
    deltas.land_squares |= capturable;
    for square in capturable {
        deltas.scratch.land[square.index() & 63] = capture_change(view.pos, cpu, square, view.theirs & !view.pinned);
    }
}

/// Counts all moves of our pieces other than pawns, the first `pieces` of the list. `attacked` are the squares that
/// they attack.
#[inline(always)]
fn add_pieces<C: Cpu>(
    view: &View,
    cpu: C,
    our_pins: &ChecksAndPins,
    attacked: Bitboard,
    masks: SpecialMasks,
    pieces: usize,
    sum: &mut TwoPlySum,
) {
    let &View { ours, theirs, occupied, king, target, .. } = view;
    // A slider gives check from a line to their king. From behind their first piece on such a line it pins that
    // piece.
    let reach = tables::bishop(target, occupied);
    let bishop_lines = reach | tables::bishop(target, occupied & !(reach & theirs));
    let reach = tables::rook(target, occupied);
    let rook_lines = reach | tables::rook(target, occupied & !(reach & theirs));
    let (weak, shared) = (sum.zone.weak, sum.zone.shared);
    let Lines { shared_blocks, bishop_to, rook_to, .. } = sum.zone.lines;
    let for_kind = [
        (Bitboard::EMPTY, Bitboard::EMPTY),
        (tables::knight(target), sum.zone.knight_to),
        (bishop_lines, bishop_to),
        (rook_lines, rook_to),
        (bishop_lines | rook_lines, bishop_to | rook_to),
        (Bitboard::EMPTY, sum.zone.king_to),
    ];
    let pinned_ours = our_pins.straight | our_pins.diagonal;
    for i in 0..pieces.min(16) {
        let (from, kind, reach) = sum.deltas.scratch.pieces[i];
        let mut targets = reach & !ours;
        if kind as usize == Kind::King.index() {
            targets &= !attacked;
        } else if pinned_ours.contains(from) {
            targets &= tables::line(king, from);
        }
        if targets.is_empty() {
            continue;
        }
        let (special_to, king_changed_to) = for_kind[kind as usize];
        let mut masks = masks;
        masks.special_to |= special_to;
        masks.king_changed_to |= king_changed_to;
        if reach.meets(shared) {
            masks.king_changed_to |= shared_blocks;
        }
        if reach.meets(weak) {
            masks.king_changed_to = Bitboard::ALL;
        }
        sum.piece(cpu, from, kind, targets, masks);
    }
}

/// Counts all our pawn moves except promotions and en passant captures.
#[inline(always)]
fn add_pawns<C: Cpu>(cpu: C, targets: &PawnTargets, mut masks: SpecialMasks, sum: &mut TwoPlySum) {
    masks.special_to |= Black::pawn_attacks(Bitboard::of(sum.zone.target));
    masks.king_changed_to |= Black::pawn_attacks(sum.zone.safe);
    masks.king_changed_from |= Black::pawn_attacks(sum.zone.weak | sum.zone.shared);
    let last = White::LAST_RANK;
    let (ahead, ahead_west, ahead_east) = (White::FORWARD, White::FORWARD - 1, White::FORWARD + 1);
    sum.pawns(cpu, targets.single & !last, ahead, MoveKind::Pawn, masks);
    sum.pawns(cpu, targets.west & !last, ahead_west, MoveKind::Pawn, masks);
    sum.pawns(cpu, targets.east & !last, ahead_east, MoveKind::Pawn, masks);
    sum.pawns(cpu, targets.double, 2 * ahead, MoveKind::DoublePush, masks);
}

/// Double steps that allow en passant: a pawn of theirs next to the target may capture. (All replies to special moves
/// are counted anyway.)
#[inline(always)]
fn add_ep_replies<C: Cpu>(view: &View, cpu: C, double_pushes: Bitboard, sum: &mut TwoPlySum) {
    let capturers = view.pawns & view.theirs;
    let beside = Bitboard((capturers & !FILE_H).0 << 1) | Bitboard((capturers & !FILE_A).0 >> 1);
    for to in double_pushes & beside {
        let m = movegen::pawn_move(to, 2 * White::FORWARD, MoveKind::DoublePush);
        if !sum.deltas.scratch.special.contains(&m) {
            let mut child = *view.pos;
            child.make_as::<White>(m);
            let mut captures = CountSink::default();
            let all = child.side_set(Black::SIDE);
            movegen::en_passant::<Black, _>(&child, all, view.target, &mut captures);
            sum.total += captures.0 as i64;
        }
    }
}

/// Lists every promotion move, four for each target.
#[inline(always)]
fn list_promotions(targets: &PawnTargets, special: &mut Moves<Move>) {
    let last = White::LAST_RANK;
    let (ahead, ahead_west, ahead_east) = (White::FORWARD, White::FORWARD - 1, White::FORWARD + 1);
    if (targets.single | targets.west | targets.east).meets(last) {
        for kind in PROMOTIONS {
            for (set, delta) in [(targets.single, ahead), (targets.west, ahead_west), (targets.east, ahead_east)] {
                for to in set & last {
                    special.push(movegen::pawn_move(to, delta, kind));
                }
            }
        }
    }
}
