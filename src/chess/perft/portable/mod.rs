//! Counting two plies at once: the replies to all moves of a position, mostly without making a move.
//!
//! Most moves hardly change what the opponent can do. So the replies to a null move are counted once, the
//! king's apart from the others', and a few sets and a small table say by how much one of our pieces that
//! leaves a square or lands on it changes the others': it opens or closes the lines of sliders, blocks or
//! frees pawns, gives them something to capture or takes it away; a captured piece loses its own moves.
//! So each move is one of three sorts:
//!
//! * *ordinary*: replies = null replies + change by leaving `from` + change by landing on `to`, summed
//!   for whole target sets by population counts;
//! * *courtly*: it changes nothing else than which squares their king may enter or castle across: as
//!   before, but the king's moves are counted anew, square by square;
//! * *special*: it gives check, touches a pin or makes one, promotes, castles, allows or is an en passant
//!   capture, or `from` and `to` change the same line or pawn: it is made and its replies are counted.
//!
//! "We" are the side to move (`U`), "they" reply. Called by `walk` at depth 2; never recurses.

pub mod deltas;
pub mod king_zone;

use crate::chess::board::movegen::{self, ALL, Bonds, PROMOTIONS, PawnTargets};
use crate::chess::board::position::Position;
use crate::chess::board::tables::{self, Cpu};
use crate::chess::perft::portable::deltas::{Changes, Scratch, capture_change, reach_of};
use crate::chess::perft::portable::king_zone::{Court, Lines, Sliders, paths};
use crate::chess::types::bitboard::{Bitboard, FILE_A, FILE_H};
use crate::chess::types::moves::{Move, MoveKind};
use crate::chess::types::piece::{Kind, Us};
use crate::chess::types::square::Square;
use crate::game::{CountSink, ListSink};

/// Squares attacked by at least one, two and three of our pieces.
#[derive(Clone, Copy, Default)]
struct Danger {
    once: Bitboard,
    twice: Bitboard,
    thrice: Bitboard,
}

impl Danger {
    #[inline(always)]
    fn add(&mut self, attacks: Bitboard) {
        self.thrice |= self.twice & attacks;
        self.twice |= self.once & attacks;
        self.once |= attacks;
    }
}

/// Our pieces other than pawns, as they are found.
struct Pieces<'a> {
    list: &'a mut [(Square, MoveKind, Bitboard); 16],
    count: usize,
    danger: Danger,
}

impl Pieces<'_> {
    #[inline(always)]
    fn add(&mut self, from: Square, kind: MoveKind, reach: Bitboard) {
        self.danger.add(reach);
        // A side has sixteen pieces at most; the mask only spares the bounds check.
        self.list[self.count & 15] = (from, kind, reach);
        self.count += 1;
    }
}

/// Which moves are not ordinary.
#[derive(Clone, Copy)]
struct Bounds {
    /// Targets and origins that make a move special.
    special_to: Bitboard,
    special_from: Bitboard,
    /// Targets and origins that make a move courtly.
    courtly_to: Bitboard,
    courtly_from: Bitboard,
}

/// The sum so far and what it is made from.
struct Tally<'a> {
    changes: Changes<'a>,
    court: Court<'a>,
    /// Our pieces that pin one of theirs.
    pinners: Bitboard,
    /// Replies to the null move: by the king, by the others.
    king_replies: i64,
    other_replies: i64,
    total: i64,
}

impl Tally<'_> {
    /// All moves of one piece to `targets`.
    #[inline(always)]
    fn piece<U: Us, C: Cpu>(
        &mut self,
        cpu: C,
        from: Square,
        kind: MoveKind,
        targets: Bitboard,
        bounds: Bounds,
    ) {
        let touched = self.changes.touched.contains(from);
        let mut special = targets & bounds.special_to;
        if bounds.special_from.contains(from) {
            special = targets;
        }
        if touched {
            special |= targets & self.changes.left(from).tied;
        }
        if self.pinners.contains(from) {
            special |= self.unpin::<U, C>(cpu, from, targets & !special);
        }
        let counted = targets & !special;
        let mut each = self.other_replies;
        if touched {
            let leave = self.changes.left(from);
            each += i64::from(leave.change);
            self.total += i64::from((counted & leave.hunters).count());
            for to in counted & leave.line {
                self.total += leave.along(from, to);
            }
        }
        let mut courtly = bounds.courtly_to;
        if bounds.courtly_from.contains(from) {
            courtly = Bitboard::ALL;
        }
        courtly &= counted;
        self.total += i64::from(counted.count()) * each + self.changes.landings(counted);
        self.total += i64::from((counted & !courtly).count()) * self.king_replies;
        for to in courtly {
            self.total += self.court.moves::<U, C>(cpu, from, to, kind);
        }
        for to in special {
            self.changes.scratch.special.push(Move::new(from, to, kind));
        }
    }

    /// One of ours that pins one of theirs goes to `targets`: adds what the freed piece gains, and returns
    /// the targets for which that is not all.
    #[inline(always)]
    fn unpin<U: Us, C: Cpu>(&mut self, cpu: C, from: Square, targets: Bitboard) -> Bitboard {
        let Court { pos, target, .. } = self.court;
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
        bounds: Bounds,
    ) {
        if targets.is_empty() {
            return;
        }
        let from = |to: Square| Square::wrapping((to.index() as i32 - delta) as u32);
        let arriving = |set: Bitboard| shift(set, delta) & targets;
        let mut special = targets & bounds.special_to | arriving(bounds.special_from);
        let courtly = targets & bounds.courtly_to | arriving(bounds.courtly_from);
        for to in arriving(self.changes.touched) & !special {
            let leave = self.changes.left(from(to));
            if leave.tied.contains(to) {
                special |= Bitboard::of(to);
                continue;
            }
            self.total += i64::from(leave.change) + i64::from(leave.hunters.contains(to));
            if leave.line.contains(to) {
                self.total += leave.along(from(to), to);
            }
        }
        let counted = targets & !special;
        let courtly = courtly & counted;
        self.total +=
            i64::from(counted.count()) * self.other_replies + self.changes.landings(counted);
        self.total += i64::from((counted & !courtly).count()) * self.king_replies;
        for to in courtly {
            self.total += self.court.moves::<U, C>(cpu, from(to), to, kind);
        }
        for to in special {
            self.changes.scratch.special.push(Move::new(from(to), to, kind));
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
    let mut changes = Changes {
        scratch,
        sight: Bitboard::EMPTY,
        touched: Bitboard::EMPTY,
        blocks: Bitboard::EMPTY,
        blocks_twice: Bitboard::EMPTY,
        bait: [Bitboard::EMPTY; 2],
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
            changes.slider(from, reach, ours, theirs, behind);
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
            changes.slider(from, reach, ours, theirs, behind);
        } else if pins.straight.contains(from) {
            replies.0 += u64::from((reach & pins.straight & !theirs).count());
        }
    }
    movegen::pawns::<U::Them, ALL, _>(pos, theirs, Bitboard::ALL, &pins, &mut replies);
    let promoting = changes.pawns::<U>(pawns & theirs & !pinned, ours, occupied);

    // Our side: what we attack, how often, and from where.
    let mut danger = Danger::default();
    danger.add(U::pawn_attacks_west(pawns & ours));
    danger.add(U::pawn_attacks_east(pawns & ours));
    let mut pieces = Pieces { list: &mut changes.scratch.pieces, count: 0, danger };
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
    let Pieces { danger, count, .. } = pieces;

    // Their king: where it may go, and what would change that.
    let ring = tables::king(target);
    let mut zone = ring & !theirs;
    let mut king_replies = (zone & !danger.once).count();
    let mut court = Court { pos, target, ring, castles: [Bitboard::EMPTY; 2] };
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
            court.castles[usize::from(rook > target)] = king_path;
            king_replies += u32::from(!king_path.meets(danger.once));
        }
    }
    let sliders = Sliders { all: ours, bishops: bishops & ours, rooks: rooks & ours, occupied };
    let mut lines = Lines::default();
    let safe = zone & !danger.once;
    let weak = zone & danger.once & !danger.twice;
    let shared = zone & danger.twice & !danger.thrice;
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
    let (shields, pinners) = sliders.on_lines_to(target);
    special_from |= shields;

    // A slider gives check from a line to their king, and pins their first piece from behind it.
    let reach = cpu.bishop(target, occupied);
    let bishop_lines = reach | cpu.bishop(target, occupied & !(reach & theirs));
    let reach = cpu.rook(target, occupied);
    let rook_lines = reach | cpu.rook(target, occupied & !(reach & theirs));

    // Captures: the victim's replies are gone, and its square is open to their other pieces.
    let prey = danger.once & theirs & !special_to;
    changes.sight |= prey;
    for square in prey {
        changes.scratch.land[square.index() & 63] =
            capture_change::<U, C>(pos, cpu, square, theirs & !pinned);
    }

    let bounds = Bounds {
        special_to,
        special_from,
        courtly_to: ring | lines.blocks,
        courtly_from: lines.opens,
    };
    let for_kind = [
        (Bitboard::EMPTY, Bitboard::EMPTY),
        (tables::knight(target), knight_to),
        (bishop_lines, lines.bishop_to),
        (rook_lines, lines.rook_to),
        (bishop_lines | rook_lines, lines.bishop_to | lines.rook_to),
        (Bitboard::EMPTY, king_to),
    ];
    let mut tally = Tally {
        changes,
        court,
        pinners,
        king_replies: i64::from(king_replies),
        other_replies: replies.0 as i64,
        total: 0,
    };
    let bound = bonds.straight | bonds.diagonal;
    for i in 0..count.min(16) {
        let (from, kind, reach) = tally.changes.scratch.pieces[i];
        let mut targets = reach & !ours;
        if kind as usize == Kind::King.index() {
            targets &= !attacked;
        } else if bound.contains(from) {
            targets &= tables::line(king, from);
        }
        if targets.is_empty() {
            continue;
        }
        let (special_to, courtly_to) = for_kind[kind as usize];
        let mut bounds = bounds;
        bounds.special_to |= special_to;
        bounds.courtly_to |= courtly_to;
        if reach.meets(shared) {
            bounds.courtly_to |= lines.shared_blocks;
        }
        if reach.meets(weak) {
            bounds.courtly_to = Bitboard::ALL;
        }
        tally.piece::<U, C>(cpu, from, kind, targets, bounds);
    }
    for rook in pos.castling & U::BACK_RANK {
        if movegen::castle_is_legal(king, rook, occupied, attacked, bonds.straight) {
            tally.changes.scratch.special.push(Move::new(king, rook, MoveKind::Castle));
        }
    }

    let targets = PawnTargets::of::<U>(pos, ours, Bitboard::ALL, &bonds);
    let mut bounds = bounds;
    bounds.special_to |= U::Them::pawn_attacks(Bitboard::of(target));
    bounds.courtly_to |= U::Them::pawn_attacks(safe);
    bounds.courtly_from |= U::Them::pawn_attacks(weak | shared);
    let last = U::LAST_RANK;
    let (ahead, ahead_west, ahead_east) = (U::FORWARD, U::FORWARD - 1, U::FORWARD + 1);
    tally.pawns::<U, C>(cpu, targets.single & !last, ahead, MoveKind::Pawn, bounds);
    tally.pawns::<U, C>(cpu, targets.west & !last, ahead_west, MoveKind::Pawn, bounds);
    tally.pawns::<U, C>(cpu, targets.east & !last, ahead_east, MoveKind::Pawn, bounds);
    tally.pawns::<U, C>(cpu, targets.double, 2 * ahead, MoveKind::DoublePush, bounds);
    // Their pawns may take en passant what stops beside them. (Of special moves all replies are counted.)
    let hunters = pawns & theirs;
    let beside = Bitboard((hunters & !FILE_H).0 << 1) | Bitboard((hunters & !FILE_A).0 >> 1);
    for to in targets.double & beside {
        let m = movegen::pawn_move(to, 2 * ahead, MoveKind::DoublePush);
        if !tally.changes.scratch.special.contains(&m) {
            let mut child = *pos;
            child.make_as::<U>(m);
            let mut captures = CountSink::default();
            let all = child.side_set(U::Them::SIDE);
            movegen::en_passant::<U::Them, C, _>(&child, cpu, all, target, &mut captures);
            tally.total += captures.0 as i64;
        }
    }

    let special = &mut tally.changes.scratch.special;
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
    tally.total as u64
}
