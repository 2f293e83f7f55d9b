//! Counting two plies at once: the replies to all moves of a position, mostly without making a move.
//!
//! Most moves hardly change what the opponent can do. So the replies to a null move are counted once, the
//! king's apart from the others', and a few sets and a small table say by how much one of our pieces that
//! leaves a square or lands on it deltas the others': it opens or closes the lines of sliders, blocks or
//! frees pawns, gives them something to capture or takes it away; a captured piece loses its own moves.
//! So each move is one of three sorts:
//!
//! * *ordinary*: replies = null replies + change by leaving `from` + change by landing on `to`, summed
//!   for whole target sets by population counts;
//! * *king-changing*: it deltas nothing else than which squares their king may enter or castle across: as
//!   before, but the king's moves are counted anew, square by square;
//! * *special*: it gives check, touches a pin or makes one, promotes, castles, allows or is an en passant
//!   capture, or `from` and `to` change the same line or pawn: it is made and its replies are counted.
//!
//! "We" are the side to move (`U`), "they" reply. Called by `walk` at depth 2; never recurses.

pub mod deltas;
pub mod king_zone;

use crate::chess::board::movegen::{self, ALL, Bonds, PROMOTIONS, PawnTargets};
use crate::chess::board::position::Position;
use crate::chess::board::tables::Task;
use crate::chess::board::tables::{self, Cpu, SliderAttacks};
use crate::chess::perft::portable::deltas::{ReplyDeltas, Scratch, capture_change, reach_of};
use crate::chess::perft::portable::king_zone::{KingZone, Lines, OurSliders, paths};
use crate::chess::perft::walk::{LeafCounter, Parent};
use crate::chess::types::bitboard::{Bitboard, FILE_A, FILE_H};
use crate::chess::types::moves::{Move, MoveKind};
use crate::chess::types::piece::{Kind, Us};
use crate::chess::types::square::Square;
use crate::game::{CountSink, ListSink};
use std::marker::PhantomData;

/// Two plies at once by `replies`, on any CPU.
#[derive(Clone, Copy)]
pub struct PortableLeaves;

impl LeafCounter for PortableLeaves {
    const TWO_PLIES: bool = true;
    type Buffers = Scratch;
    fn buffers(_root: &Position) -> Scratch {
        Scratch::new()
    }
    #[inline(always)]
    fn perft2<U: Us, C: Cpu>(self, cpu: C, pos: &Position, scratch: &mut Scratch) -> u64 {
        cpu.run(Grandparent::<U> { pos, scratch, us: PhantomData })
    }
}

/// Two plies above the leaves: most moves are counted together, the special ones are made.
struct Grandparent<'a, U> {
    pos: &'a Position,
    scratch: &'a mut Scratch,
    us: PhantomData<U>,
}

impl<U: Us> Task for Grandparent<'_, U> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut nodes = count::<U, C>(self.pos, cpu, self.scratch);
        for &m in &self.scratch.special {
            let mut child = *self.pos;
            child.make_as::<U>(m);
            nodes += cpu.run(Parent::<U::Them> { pos: &child, us: PhantomData });
        }
        nodes
    }
}

/// Squares attacked by at least one, two and three of our pieces.
#[derive(Clone, Copy, Default)]
struct Attacked {
    once: Bitboard,
    twice: Bitboard,
    thrice: Bitboard,
}

impl Attacked {
    #[inline(always)]
    fn add(&mut self, attacks: Bitboard) {
        self.thrice |= self.twice & attacks;
        self.twice |= self.once & attacks;
        self.once |= attacks;
    }
}

/// Our pieces other than pawns, as they are found.
struct OurPieces<'a> {
    list: &'a mut [(Square, MoveKind, Bitboard); 16],
    count: usize,
    attacked: Attacked,
}

impl OurPieces<'_> {
    #[inline(always)]
    fn add(&mut self, from: Square, kind: MoveKind, reach: Bitboard) {
        self.attacked.add(reach);
        // A side has sixteen pieces at most; the mask only spares the masks check.
        self.list[self.count & 15] = (from, kind, reach);
        self.count += 1;
    }
}

/// Which moves are not ordinary.
#[derive(Clone, Copy)]
struct SpecialMasks {
    /// Targets and origins that make a move special.
    special_to: Bitboard,
    special_from: Bitboard,
    /// Targets and origins that make a move change what their king may do, and nothing else.
    king_changed_to: Bitboard,
    king_changed_from: Bitboard,
}

/// The sum so far and what it is made from.
struct TwoPlySum<'a> {
    deltas: ReplyDeltas<'a>,
    zone: KingZone<'a>,
    /// Our pieces that pin one of theirs.
    pinners: Bitboard,
    /// Replies to the null move: by the king, by the others.
    king_replies: i64,
    other_replies: i64,
    total: i64,
}

impl TwoPlySum<'_> {
    /// All moves of one piece to `targets`.
    #[inline(always)]
    fn piece<U: Us, C: Cpu>(
        &mut self,
        cpu: C,
        from: Square,
        kind: MoveKind,
        targets: Bitboard,
        masks: SpecialMasks,
    ) {
        let touched = self.deltas.touched.contains(from);
        let mut special = targets & masks.special_to;
        if masks.special_from.contains(from) {
            special = targets;
        }
        if touched {
            special |= targets & self.deltas.leave_delta(from).entangled;
        }
        if self.pinners.contains(from) {
            special |= self.unpin::<U, C>(cpu, from, targets & !special);
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
        self.total += i64::from((counted & !king_changed).count()) * self.king_replies;
        for to in king_changed {
            self.total += self.zone.king_moves_after::<U, C>(cpu, from, to, kind);
        }
        for to in special {
            self.deltas.scratch.special.push(Move::new(from, to, kind));
        }
    }

    /// One of ours that pins one of theirs goes to `targets`: adds what the freed piece gains, and returns
    /// the targets for which that is not all.
    #[inline(always)]
    fn unpin<U: Us, C: Cpu>(&mut self, cpu: C, from: Square, targets: Bitboard) -> Bitboard {
        let KingZone { pos, target, .. } = self.zone;
        let (ours, theirs) = (pos.side_set(U::SIDE), pos.side_set(U::Them::SIDE));
        let Some(freed) = (tables::between(target, from) & theirs).lowest() else {
            return targets;
        };
        // Promotions count four times, and a freed rook may castle.
        let promoting = pos.kind_set(Kind::Pawn) & U::Them::SEVENTH_RANK;
        if (promoting | pos.castling).contains(freed) {
            return targets;
        }
        let line = tables::line(target, from);
        let bound = (reach_of::<U, C>(pos, cpu, freed, ours, theirs) & line).count();
        for to in targets & !line {
            let arrived = Bitboard::of(to);
            let ours = (ours & !Bitboard::of(from)) | arrived;
            let free = reach_of::<U, C>(pos, cpu, freed, ours, theirs & !arrived).count();
            self.total += i64::from(free) - i64::from(bound);
        }
        targets & line
    }

    /// All pawn moves by one kind of step, which adds `delta` to the square's index.
    #[inline(always)]
    fn pawns<U: Us, C: Cpu>(
        &mut self,
        cpu: C,
        targets: Bitboard,
        delta: i32,
        kind: MoveKind,
        masks: SpecialMasks,
    ) {
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
        self.total +=
            i64::from(counted.count()) * self.other_replies + self.deltas.landings(counted);
        self.total += i64::from((counted & !king_changed).count()) * self.king_replies;
        for to in king_changed {
            self.total += self.zone.king_moves_after::<U, C>(cpu, from(to), to, kind);
        }
        for to in special {
            self.deltas.scratch.special.push(Move::new(from(to), to, kind));
        }
    }
}

/// The set with every index `delta` higher; what falls off the board is lost.
#[inline(always)]
fn shift(set: Bitboard, delta: i32) -> Bitboard {
    Bitboard(if delta > 0 { set.0 << delta } else { set.0 >> -delta })
}

/// The number of sequences of two plies from `pos`, where `U` is to move, without those that begin with
/// the moves it puts into `scratch.special`.
#[inline(always)]
pub fn count<U: Us, C: Cpu>(pos: &Position, cpu: C, scratch: &mut Scratch) -> u64 {
    let (ours, theirs) = (pos.side_set(U::SIDE), pos.side_set(U::Them::SIDE));
    let occupied = ours | theirs;
    let (king, target) = (pos.king(U::SIDE), pos.king(U::Them::SIDE));
    scratch.special.clear();
    let bonds = Bonds::of::<U>(pos, king);
    if !bonds.checkers.is_empty() {
        // In check there are few moves, and little of what follows holds.
        let mut list = ListSink(&mut scratch.special);
        movegen::generate::<U, ALL, C, _>(pos, cpu, Bitboard::ALL, &mut list);
        return 0;
    }
    let pawns = pos.kind_set(Kind::Pawn);
    let knights = pos.kind_set(Kind::Knight);
    let queens = pos.kind_set(Kind::Queen);
    let bishops = pos.kind_set(Kind::Bishop) | queens;
    let rooks = pos.kind_set(Kind::Rook) | queens;

    // Their side: replies to a null move, and how single squares change them.
    let pins = Bonds::of::<U::Them>(pos, target);
    let pinned = pins.straight | pins.diagonal;
    scratch.land = [0; 64];
    let mut deltas = ReplyDeltas {
        scratch,
        land_squares: Bitboard::EMPTY,
        touched: Bitboard::EMPTY,
        push_blocks: Bitboard::EMPTY,
        double_push_blocks: Bitboard::EMPTY,
        pawn_attacks: [Bitboard::EMPTY; 2],
    };
    let mut replies = CountSink::default();
    let mut attacked = U::Them::pawn_attacks(pawns & theirs) | tables::king(target);
    for from in knights & theirs {
        let reach = tables::knight(from);
        attacked |= reach;
        if !pinned.contains(from) {
            replies.0 += u64::from((reach & !theirs).count());
        }
    }
    for from in bishops & theirs {
        let reach = cpu.bishop(from, occupied);
        attacked |= reach;
        if !pinned.contains(from) {
            replies.0 += u64::from((reach & !theirs).count());
            let behind = || cpu.bishop(from, occupied & !(reach & ours));
            deltas.slider(from, reach, ours, theirs, behind);
        } else if pins.diagonal.contains(from) {
            replies.0 += u64::from((reach & pins.diagonal & !theirs).count());
        }
    }
    for from in rooks & theirs {
        let reach = cpu.rook(from, occupied);
        attacked |= reach;
        if !pinned.contains(from) {
            replies.0 += u64::from((reach & !theirs).count());
            let behind = || cpu.rook(from, occupied & !(reach & ours));
            deltas.slider(from, reach, ours, theirs, behind);
        } else if pins.straight.contains(from) {
            replies.0 += u64::from((reach & pins.straight & !theirs).count());
        }
    }
    movegen::pawns::<U::Them, ALL, _>(pos, theirs, Bitboard::ALL, &pins, &mut replies);
    let promoting = deltas.pawns::<U>(pawns & theirs & !pinned, ours, occupied);

    // Our side: what we attack, how often, and from where.
    let mut our_attacks = Attacked::default();
    our_attacks.add(U::pawn_attacks_west(pawns & ours));
    our_attacks.add(U::pawn_attacks_east(pawns & ours));
    let mut pieces =
        OurPieces { list: &mut deltas.scratch.pieces, count: 0, attacked: our_attacks };
    for from in knights & ours {
        pieces.add(from, MoveKind::Knight, tables::knight(from));
    }
    for from in bishops & ours & !queens {
        pieces.add(from, MoveKind::Bishop, cpu.bishop(from, occupied));
    }
    for from in rooks & ours & !queens {
        pieces.add(from, MoveKind::Rook, cpu.rook(from, occupied));
    }
    for from in queens & ours {
        pieces.add(from, MoveKind::Queen, cpu.bishop(from, occupied) | cpu.rook(from, occupied));
    }
    pieces.add(king, MoveKind::King, tables::king(king));
    let OurPieces { attacked: our_attacks, count, .. } = pieces;

    // Their king: where it may go, and what would change that.
    let ring = tables::king(target);
    let mut zone = ring & !theirs;
    let mut king_replies = (zone & !our_attacks.once).count();
    let mut king_zone = KingZone { pos, target, ring, castles: [Bitboard::EMPTY; 2] };
    let mut special_to = pinned | promoting;
    let mut special_from = promoting;
    for rook in pos.castling & U::Them::BACK_RANK {
        let (path, king_path) = tables::castling_paths(target, rook);
        if path.meets(theirs) {
            continue; // one of theirs stands in the way, and will stay there or be replaced by ours
        }
        special_to |= path | Bitboard::of(rook);
        special_from |= path;
        if !path.meets(occupied) && !pins.straight.contains(rook) {
            zone |= king_path;
            king_zone.castles[usize::from(rook > target)] = king_path;
            king_replies += u32::from(!king_path.meets(our_attacks.once));
        }
    }
    let sliders = OurSliders { all: ours, bishops: bishops & ours, rooks: rooks & ours, occupied };
    let mut lines = Lines::default();
    let safe = zone & !our_attacks.once;
    let weak = zone & our_attacks.once & !our_attacks.twice;
    let shared = zone & our_attacks.twice & !our_attacks.thrice;
    let (mut knight_to, mut king_to) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for square in safe {
        lines.safe(cpu, square, &sliders);
        knight_to |= tables::knight(square);
        king_to |= tables::king(square);
    }
    for square in weak {
        lines.blocks |= paths(cpu, square, &sliders);
    }
    for square in shared {
        lines.shared_blocks |= paths(cpu, square, &sliders);
    }
    let (discoverers, pinners) = sliders.on_lines_to(target);
    special_from |= discoverers;

    // A slider gives check from a line to their king, and pins their first piece from behind it.
    let reach = cpu.bishop(target, occupied);
    let bishop_lines = reach | cpu.bishop(target, occupied & !(reach & theirs));
    let reach = cpu.rook(target, occupied);
    let rook_lines = reach | cpu.rook(target, occupied & !(reach & theirs));

    // Captures: the victim's replies are gone, and its square is open to their other pieces.
    let capturable = our_attacks.once & theirs & !special_to;
    deltas.land_squares |= capturable;
    for square in capturable {
        deltas.scratch.land[square.index() & 63] =
            capture_change::<U, C>(pos, cpu, square, theirs & !pinned);
    }

    let masks = SpecialMasks {
        special_to,
        special_from,
        king_changed_to: ring | lines.blocks,
        king_changed_from: lines.opens,
    };
    let for_kind = [
        (Bitboard::EMPTY, Bitboard::EMPTY),
        (tables::knight(target), knight_to),
        (bishop_lines, lines.bishop_to),
        (rook_lines, lines.rook_to),
        (bishop_lines | rook_lines, lines.bishop_to | lines.rook_to),
        (Bitboard::EMPTY, king_to),
    ];
    let mut sum = TwoPlySum {
        deltas,
        zone: king_zone,
        pinners,
        king_replies: i64::from(king_replies),
        other_replies: replies.0 as i64,
        total: 0,
    };
    let pinned_ours = bonds.straight | bonds.diagonal;
    for i in 0..count.min(16) {
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
            masks.king_changed_to |= lines.shared_blocks;
        }
        if reach.meets(weak) {
            masks.king_changed_to = Bitboard::ALL;
        }
        sum.piece::<U, C>(cpu, from, kind, targets, masks);
    }
    for rook in pos.castling & U::BACK_RANK {
        if movegen::castle_is_legal(king, rook, occupied, attacked, bonds.straight) {
            sum.deltas.scratch.special.push(Move::new(king, rook, MoveKind::Castle));
        }
    }

    let targets = PawnTargets::of::<U>(pos, ours, Bitboard::ALL, &bonds);
    let mut masks = masks;
    masks.special_to |= U::Them::pawn_attacks(Bitboard::of(target));
    masks.king_changed_to |= U::Them::pawn_attacks(safe);
    masks.king_changed_from |= U::Them::pawn_attacks(weak | shared);
    let last = U::LAST_RANK;
    let (ahead, ahead_west, ahead_east) = (U::FORWARD, U::FORWARD - 1, U::FORWARD + 1);
    sum.pawns::<U, C>(cpu, targets.single & !last, ahead, MoveKind::Pawn, masks);
    sum.pawns::<U, C>(cpu, targets.west & !last, ahead_west, MoveKind::Pawn, masks);
    sum.pawns::<U, C>(cpu, targets.east & !last, ahead_east, MoveKind::Pawn, masks);
    sum.pawns::<U, C>(cpu, targets.double, 2 * ahead, MoveKind::DoublePush, masks);
    // Their pawns may take en passant what stops beside them. (Of special moves all replies are counted.)
    let capturers = pawns & theirs;
    let beside = Bitboard((capturers & !FILE_H).0 << 1) | Bitboard((capturers & !FILE_A).0 >> 1);
    for to in targets.double & beside {
        let m = movegen::pawn_move(to, 2 * ahead, MoveKind::DoublePush);
        if !sum.deltas.scratch.special.contains(&m) {
            let mut child = *pos;
            child.make_as::<U>(m);
            let mut captures = CountSink::default();
            let all = child.side_set(U::Them::SIDE);
            movegen::en_passant::<U::Them, C, _>(&child, cpu, all, target, &mut captures);
            sum.total += captures.0 as i64;
        }
    }

    let special = &mut sum.deltas.scratch.special;
    if (targets.single | targets.west | targets.east).meets(last) {
        for kind in PROMOTIONS {
            for (set, delta) in
                [(targets.single, ahead), (targets.west, ahead_west), (targets.east, ahead_east)]
            {
                for to in set & last {
                    special.push(movegen::pawn_move(to, delta, kind));
                }
            }
        }
    }
    if !pos.en_passant.is_empty() {
        movegen::en_passant::<U, C, _>(pos, cpu, ours, king, &mut ListSink(special));
    }
    sum.total as u64
}
