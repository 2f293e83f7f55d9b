//! How single squares change the number of the opponent's replies, without the king's moves.
//!
//! [`ReplyDeltas`] is filled while `portable` looks at the opponent's pieces, and read for every move of ours.
//! [`Scratch`] is its memory, kept from node to node. "Ours" and "theirs" as in `portable`.

use crate::base::cpu::Cpu;
use crate::chess::board::Board;
use crate::chess::board::tables;
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
use crate::game::Moves;

/// How the number of their replies changes when one of our pieces leaves its square.
#[derive(Clone, Copy, Default)]
pub struct LeaveDelta {
    /// The change, whatever the target.
    pub change: i8,
    /// The part of `change` that comes from `slider`.
    pub gain: i8,
    /// One of their sliders that attacks our piece.
    pub slider: Square,
    /// The line between that slider and our piece. Moves along it need [`LeaveDelta::along`]. May be empty.
    pub line: Bitboard,
    /// Their pawns that attack our piece. `change` already subtracts their captures, so capturing such a pawn must
    /// not subtract its capture again.
    pub capturers: Bitboard,
    /// Targets for which the changes by leaving and by landing are not independent. Moves to them are special.
    pub entangled: Bitboard,
}

impl LeaveDelta {
    /// What a move along `line` to `to` adds to `change`. Moving towards the slider, or capturing it, uncovers
    /// nothing; moving away from it uncovers only the squares up to `to`.
    #[inline(always)]
    pub fn along(&self, from: Square, to: Square) -> i64 {
        let away = tables::beyond(self.slider, from).contains(to);
        let kept = if away { tables::between(from, to).count() as i64 + 1 } else { 0 };
        kept - i64::from(self.gain)
    }
}

/// Memory that one walk reuses at every node instead of clearing it.
pub struct Scratch {
    /// The change when one of our pieces lands on a square.
    pub land: [i8; 64],
    /// The change when one of our pieces leaves a square. Entries are written before they are read for members of
    /// `ReplyDeltas::touched`, and never read for other squares.
    pub leave: [LeaveDelta; 64],
    /// Our pieces other than pawns with the squares they attack.
    pub pieces: [(Square, MoveKind, Bitboard); 16],
    /// The moves whose replies were not counted.
    pub special: Moves<Move>,
}

impl Scratch {
    #[inline(always)]
    pub fn new() -> Self {
        Scratch {
            land: [0; 64],
            leave: [LeaveDelta::default(); 64],
            pieces: [(Square::wrapping(0), MoveKind::Pawn, Bitboard::EMPTY); 16],
            special: Moves::new(),
        }
    }
}

/// How single squares change the number of their replies, without the king's moves.
pub struct ReplyDeltas<'a> {
    pub scratch: &'a mut Scratch,
    /// Squares with a value in `Scratch::land`: empty squares that their sliders attack, and squares of captures.
    pub land_squares: Bitboard,
    /// Our pieces that change something by leaving.
    pub touched: Bitboard,
    /// Squares where landing blocks a pawn's single or double step (the union of two disjoint sets).
    pub push_blocks: Bitboard,
    /// The squares that block both the single and the double step of a pawn.
    pub double_push_blocks: Bitboard,
    /// Empty squares that their pawns attack towards the a-file, and towards the h-file.
    pub pawn_attacks: [Bitboard; 2],
}

impl<'a> ReplyDeltas<'a> {
    /// No changes yet.
    #[inline(always)]
    pub fn new(scratch: &'a mut Scratch) -> Self {
        scratch.land = [0; 64];
        ReplyDeltas {
            scratch,
            land_squares: Bitboard::EMPTY,
            touched: Bitboard::EMPTY,
            push_blocks: Bitboard::EMPTY,
            double_push_blocks: Bitboard::EMPTY,
            pawn_attacks: [Bitboard::EMPTY; 2],
        }
    }

    /// The entry of one of our pieces. It is reset at the first access.
    #[inline(always)]
    pub fn leave_delta_mut(&mut self, from: Square) -> &mut LeaveDelta {
        let entry = &mut self.scratch.leave[from.index() & 63];
        if !self.touched.contains(from) {
            *entry = LeaveDelta::default();
        }
        self.touched |= Bitboard::of(from);
        entry
    }

    /// The entry of a member of `touched`.
    #[inline(always)]
    pub fn leave_delta(&self, from: Square) -> &LeaveDelta {
        debug_assert!(self.touched.contains(from), "only pieces whose leaving matters have an entry");
        &self.scratch.leave[from.index() & 63]
    }

    /// Adds one of their unpinned sliders, which attacks `reach`. `behind` returns its attacks after our pieces in
    /// `reach` are removed.
    #[inline(always)]
    pub fn slider(
        &mut self,
        from: Square,
        reach: Bitboard,
        ours: Bitboard,
        theirs: Bitboard,
        behind: impl FnOnce() -> Bitboard,
    ) {
        let open = reach & !theirs;
        self.land_squares |= open & !ours;
        for to in open & !ours {
            self.scratch.land[to.index() & 63] -= (open & tables::beyond(from, to)).count() as i8;
        }
        let seen = open & ours;
        if !seen.is_empty() {
            let behind = behind() & !theirs;
            for piece in seen {
                let gain = (behind & tables::beyond(from, piece)).count() as i8;
                let line = tables::line(from, piece);
                let entry = self.leave_delta_mut(piece);
                entry.change += gain;
                if entry.line.is_empty() {
                    (entry.line, entry.slider, entry.gain) = (line, from, gain);
                } else {
                    entry.entangled |= entry.line | line;
                }
            }
        }
    }

    /// Adds their unpinned pawns. Returns the squares on which they would promote: moves that touch those are
    /// special.
    #[inline(always)]
    pub fn pawns(&mut self, free: Bitboard, ours: Bitboard, occupied: Bitboard) -> Bitboard {
        let empty = !occupied;
        let ahead = Black::forward(free);
        let (west, east) = (Black::pawn_attacks_west(free), Black::pawn_attacks_east(free));
        let single = ahead & empty;
        let two_ahead = Black::forward(single & Black::THIRD_RANK);
        let double = two_ahead & empty;
        self.push_blocks = single | double;
        self.double_push_blocks = White::forward(double);
        self.pawn_attacks = [west & empty, east & empty];
        for blocker in ahead & ours {
            let square = Bitboard::of(blocker);
            let next = Black::forward(square & Black::THIRD_RANK);
            let entry = self.leave_delta_mut(blocker);
            entry.change += 1 + i8::from(next.meets(empty));
            entry.entangled |= White::forward(square) | next;
        }
        for blocker in two_ahead & ours {
            let passed = White::forward(Bitboard::of(blocker));
            let entry = self.leave_delta_mut(blocker);
            entry.change += 1;
            entry.entangled |= passed | White::forward(passed);
        }
        for victim in (west | east) & ours {
            let capturers = White::pawn_attacks(Bitboard::of(victim)) & free;
            let entry = self.leave_delta_mut(victim);
            entry.change -= capturers.count() as i8;
            entry.capturers |= capturers;
        }
        (ahead | west | east) & Black::LAST_RANK
    }

    /// The sum of the changes by landing on each of `targets`.
    #[inline(always)]
    pub fn landings(&self, targets: Bitboard) -> i64 {
        let [west, east] = self.pawn_attacks;
        let pawns = (targets & west).count() + (targets & east).count();
        let blocked = (targets & self.push_blocks).count() + (targets & self.double_push_blocks).count();
        let mut sum = i64::from(pawns) - i64::from(blocked);
        for to in targets & self.land_squares {
            sum += i64::from(self.scratch.land[to.index() & 63]);
        }
        sum
    }
}

/// How the number of replies changes when we capture their piece on `square`. The piece must not be pinned, and a
/// recapture by a pawn must not promote.
#[inline(always)]
pub fn capture_change<C: Cpu>(pos: &Board, cpu: C, square: Square, their_free: Bitboard) -> i8 {
    let (theirs, occupied) = (pos.side_set(Black::SIDE), pos.occupied());
    let pawns = pos.kind_set(Kind::Pawn);
    let queens = pos.kind_set(Kind::Queen);
    let (bishops, rooks) = (pos.kind_set(Kind::Bishop) | queens, pos.kind_set(Kind::Rook) | queens);
    let victim = Bitboard::of(square);
    let (bishop, rook) = (tables::bishop(square, occupied), tables::rook(square, occupied));
    let knight = tables::knight(square);
    let gained =
        White::pawn_attacks(victim) & pawns | knight & pos.kind_set(Kind::Knight) | bishop & bishops | rook & rooks;
    let lost = if pawns.meets(victim) {
        let single = Black::forward(victim) & !occupied;
        let double = Black::forward(single & Black::THIRD_RANK) & !occupied;
        let captures = Black::pawn_attacks(victim) & pos.side_set(White::SIDE);
        let each = if victim.meets(Black::SEVENTH_RANK) { 4 } else { 1 };
        each * (single | captures).count() + double.count()
    } else {
        let mut reach = Bitboard::EMPTY;
        if pos.kind_set(Kind::Knight).meets(victim) {
            reach |= knight;
        }
        if bishops.meets(victim) {
            reach |= bishop;
        }
        if rooks.meets(victim) {
            reach |= rook;
        }
        (reach & !theirs).count()
    };
    (gained & their_free).count() as i8 - lost as i8
}

/// The targets of their piece on `square` if it is not pinned, given the pieces of both sides.
#[inline(always)]
pub fn reach_of<C: Cpu>(pos: &Board, cpu: C, square: Square, ours: Bitboard, theirs: Bitboard) -> Bitboard {
    let piece = Bitboard::of(square);
    let (occupied, queens) = (ours | theirs, pos.kind_set(Kind::Queen));
    if pos.kind_set(Kind::Pawn).meets(piece) {
        let single = Black::forward(piece) & !occupied;
        let double = Black::forward(single & Black::THIRD_RANK) & !occupied;
        return single | double | Black::pawn_attacks(piece) & ours;
    }
    let mut reach = Bitboard::EMPTY;
    if pos.kind_set(Kind::Knight).meets(piece) {
        reach |= tables::knight(square);
    }
    if (pos.kind_set(Kind::Bishop) | queens).meets(piece) {
        reach |= tables::bishop(square, occupied);
    }
    if (pos.kind_set(Kind::Rook) | queens).meets(piece) {
        reach |= tables::rook(square, occupied);
    }
    reach & !theirs
}
