//! Evaluation: tapered sums of weighted features, an attack term for each king, and scaling towards draws.
//!
//! Called through `Playable::evaluate`. Each feature is written once over [`Tracer`], so that playing adds
//! weights and tuning counts features with the same code. It never looks ahead and knows no history.

mod endgame;
pub mod features;
pub mod inputs;
mod pawns;
mod scale;
pub mod see;
mod trace;
pub mod weights;

use self::features::{FEATURES, danger, feature};
use self::pawns::PawnEntry;
use self::scale::{phase, scale};
use self::trace::Sum;
use crate::chess::board::position::Position;
use crate::chess::board::tables::{self, Cpu, SliderAttacks, Task};
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::piece::{Black, Kind, Us, White};
use crate::game::Side;
use crate::game::taper::{self, Packed, Tracer};

pub use self::endgame::FADE;
pub use self::pawns::{Memo, pawn_key};
pub use self::scale::{FULL_SCALE, PHASE};
pub use self::trace::Trace;

/// The square of the danger is divided by this for the middlegame.
pub const DANGER_SQUARE: i32 = 512;
/// The danger is divided by this for the endgame.
pub const DANGER_LINEAR: i32 = 16;

/// The value of the position for the side to move, in centipawns.
#[inline]
pub fn evaluate(pos: &Position, memo: &mut Memo) -> i32 {
    tables::dispatch(Evaluate { pos, memo })
}

/// The features of a position.
pub fn trace(pos: &Position) -> Trace {
    let mut trace = Trace::new(FEATURES, phase(pos), FULL_SCALE);
    let memo = &mut Memo::default();
    tables::dispatch(Collect { pos, memo, tracer: &mut trace });
    let mut sum = Sum::default();
    tables::dispatch(Collect { pos, memo, tracer: &mut sum });
    trace.scale = scale(pos, taper::endgame(settle(&sum)));
    trace
}

struct Evaluate<'a> {
    pos: &'a Position,
    memo: &'a mut Memo,
}

impl Task for Evaluate<'_> {
    type Output = i32;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let pos = self.pos;
        if let Some(value) = endgame::known(pos) {
            return value;
        }
        let mut sum = Sum::default();
        collect(pos, cpu, self.memo, &mut sum);
        let total = settle(&sum);
        let (mg, eg) = (taper::middlegame(total), taper::endgame(total));
        let (phase, scale) = (phase(pos), scale(pos, eg));
        let value = (mg * phase + eg * (PHASE - phase) * scale / FULL_SCALE) / PHASE;
        let value = if pos.side() == Side::First { value } else { -value };
        // Without progress every advantage fades.
        value * (FADE - i32::from(pos.halfmove_clock()).min(100)) / FADE
    }
}

struct Collect<'a, T> {
    pos: &'a Position,
    memo: &'a mut Memo,
    tracer: &'a mut T,
}

impl<T: Tracer> Task for Collect<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        collect(self.pos, cpu, self.memo, self.tracer);
    }
}

/// The sum with the attacks on both kings.
#[inline(always)]
fn settle(sum: &Sum) -> Packed {
    let cost = |danger: i32| {
        let danger = danger.clamp(0, 1_200);
        ((danger / DANGER_LINEAR) << 16) + danger * danger / DANGER_SQUARE
    };
    sum.total + cost(sum.danger[0]) - cost(sum.danger[1])
}

/// What is gathered about both sides before features that need it.
struct Maps {
    /// Squares attacked by each kind.
    by: [[Bitboard; 6]; 2],
    /// Squares attacked at all.
    all: [Bitboard; 2],
    /// Squares attacked at least twice.
    twice: [Bitboard; 2],
    /// Squares around the king.
    ring: [Bitboard; 2],
}

impl Maps {
    #[inline(always)]
    fn note(&mut self, side: Side, kind: Kind, attacks: Bitboard) {
        let i = side.index();
        self.twice[i] |= self.all[i] & attacks;
        self.all[i] |= attacks;
        self.by[i][kind.index()] |= attacks;
    }
}

#[inline(always)]
fn collect<C: Cpu, T: Tracer>(pos: &Position, cpu: C, memo: &mut Memo, t: &mut T) {
    let pawns = pawns::entry(pos, memo, t);
    let mut maps = Maps {
        by: [[Bitboard::EMPTY; 6]; 2],
        all: [Bitboard::EMPTY; 2],
        twice: [Bitboard::EMPTY; 2],
        ring: [Bitboard::EMPTY; 2],
    };
    prepare::<White>(pos, &mut maps);
    prepare::<Black>(pos, &mut maps);
    pieces::<White, C, T>(pos, cpu, &mut maps, &pawns, t);
    pieces::<Black, C, T>(pos, cpu, &mut maps, &pawns, t);
    king::<White, C, T>(pos, cpu, &maps, t);
    king::<Black, C, T>(pos, cpu, &maps, t);
    threats::<White, T>(pos, &maps, t);
    threats::<Black, T>(pos, &maps, t);
    passed::<White, T>(pos, &maps, &pawns, t);
    passed::<Black, T>(pos, &maps, &pawns, t);
    match pos.side() {
        Side::First => t.add(White::SIDE, feature::TEMPO, 1),
        Side::Second => t.add(Black::SIDE, feature::TEMPO, 1),
    }
}

#[inline(always)]
fn prepare<U: Us>(pos: &Position, maps: &mut Maps) {
    let pawns = pos.pieces(U::SIDE, Kind::Pawn);
    let (west, east) = (U::pawn_attacks_west(pawns), U::pawn_attacks_east(pawns));
    let i = U::SIDE.index();
    maps.by[i][Kind::Pawn.index()] = west | east;
    maps.all[i] = west | east;
    maps.twice[i] = west & east;
    let king = pos.king(U::SIDE);
    maps.note(U::SIDE, Kind::King, tables::king(king));
    let around = tables::king(king) | Bitboard::of(king);
    maps.ring[i] = around | U::forward(around);
}

/// Knights, bishops, rooks and queens: squares, mobility, attack on the king, and what is peculiar to each.
#[inline(always)]
fn pieces<U: Us, C: Cpu, T: Tracer>(
    pos: &Position,
    cpu: C,
    maps: &mut Maps,
    pawns: &PawnEntry,
    t: &mut T,
) {
    let them = U::Them::SIDE;
    let own_pawns = pos.pieces(U::SIDE, Kind::Pawn);
    let enemy_pawns = pos.pieces(them, Kind::Pawn);
    let occupied = pos.occupied();
    let enemy_cover = maps.by[them.index()][Kind::Pawn.index()];
    let stuck = own_pawns & U::Them::forward(occupied);
    let area = !(enemy_cover | stuck | pos.pieces(U::SIDE, Kind::King));
    let ring = maps.ring[them.index()];
    let king = pos.king(U::SIDE);
    let behind = U::Them::forward(pos.kind_set(Kind::Pawn));
    let guarded = U::pawn_attacks(own_pawns);
    let strongholds = guarded & !pawns.reach[them.index()] & outpost_ranks::<U>();
    let queens = pos.kind_set(Kind::Queen);
    let straight_through = occupied ^ (queens | pos.pieces(U::SIDE, Kind::Rook));

    for (kind, mobility) in [
        (Kind::Knight, feature::KNIGHT_MOBILITY),
        (Kind::Bishop, feature::BISHOP_MOBILITY),
        (Kind::Rook, feature::ROOK_MOBILITY),
        (Kind::Queen, feature::QUEEN_MOBILITY),
    ] {
        for square in pos.pieces(U::SIDE, kind) {
            let attacks = match kind {
                Kind::Knight => tables::knight(square),
                Kind::Bishop => cpu.bishop(square, occupied ^ queens),
                Kind::Rook => cpu.rook(square, straight_through),
                _ => cpu.bishop(square, occupied) | cpu.rook(square, occupied),
            };
            maps.note(U::SIDE, kind, attacks);
            t.add(U::SIDE, feature::MATERIAL + kind.index(), 1);
            t.add(
                U::SIDE,
                feature::SQUARE + kind.index() * 64 + square.seen_by(U::SIDE).index(),
                1,
            );
            t.add(U::SIDE, mobility + (attacks & area).count() as usize, 1);
            let near = attacks & ring;
            if !near.is_empty() {
                t.danger(U::SIDE, danger::ATTACKER + kind.index() - 1, 1);
                t.danger(U::SIDE, danger::ATTACK, near.count() as i32);
            }
            let here = Bitboard::of(square);
            match kind {
                Kind::Knight | Kind::Bishop => {
                    let which = kind.index() - 1;
                    t.add(U::SIDE, feature::MINOR_KING_DISTANCE + which, square.distance(king));
                    if here.meets(strongholds) {
                        t.add(U::SIDE, feature::OUTPOST + which, 1);
                    }
                    if here.meets(behind) {
                        t.add(U::SIDE, feature::MINOR_BEHIND_PAWN, 1);
                    }
                    if kind == Kind::Bishop {
                        let colour = if Bitboard::LIGHT.contains(square) {
                            Bitboard::LIGHT
                        } else {
                            !Bitboard::LIGHT
                        };
                        t.add(U::SIDE, feature::BISHOP_PAWNS, (own_pawns & colour).count() as i32);
                    }
                }
                Kind::Rook => {
                    let file = Bitboard::file(square.file() as u32);
                    if !file.meets(own_pawns) {
                        let open = !file.meets(enemy_pawns);
                        t.add(U::SIDE, feature::ROOK_FILE + usize::from(open), 1);
                    }
                    if here.meets(U::SEVENTH_RANK) {
                        t.add(U::SIDE, feature::ROOK_SEVENTH, 1);
                    }
                }
                _ => {}
            }
        }
    }
    let bishops = pos.pieces(U::SIDE, Kind::Bishop);
    if bishops.meets(Bitboard::LIGHT) && bishops.meets(!Bitboard::LIGHT) {
        t.add(U::SIDE, feature::BISHOP_PAIR, 1);
    }
}

/// Ranks four to six, seen by `U`.
#[inline(always)]
fn outpost_ranks<U: Us>() -> Bitboard {
    let third = U::THIRD_RANK;
    let fourth = U::forward(third);
    fourth | U::forward(fourth) | U::forward(U::forward(fourth))
}

/// The king of `U`: its square, shelter, storm, and the attack on it.
#[inline(always)]
fn king<U: Us, C: Cpu, T: Tracer>(pos: &Position, cpu: C, maps: &Maps, t: &mut T) {
    let (us, them) = (U::SIDE.index(), U::Them::SIDE.index());
    let king = pos.king(U::SIDE);
    t.add(U::SIDE, feature::SQUARE + Kind::King.index() * 64 + king.seen_by(U::SIDE).index(), 1);
    let own = pos.pieces(U::SIDE, Kind::Pawn);
    let enemy = pos.pieces(U::Them::SIDE, Kind::Pawn);
    let ahead = pawns::at_or_ahead::<U>(king);
    let centre = king.file().clamp(1, 6);
    let mut bare = 0;
    for file in centre - 1..=centre + 1 {
        let column = Bitboard::file(file as u32) & ahead;
        let beside = usize::from(file != king.file());
        let shelter = pawns::first_rank::<U>(own & column);
        t.add(U::SIDE, feature::SHELTER + 8 * beside + shelter, 1);
        bare += i32::from(shelter == 0);
        let storm = pawns::first_rank::<U>(enemy & column);
        let blocked = usize::from(shelter != 0 && storm == shelter + 1);
        t.add(U::SIDE, feature::STORM + 8 * blocked + storm, 1);
    }
    let file = Bitboard::file(king.file() as u32);
    if !file.meets(own) {
        t.add(U::SIDE, feature::KING_FILE + usize::from(!file.meets(enemy)), 1);
    }

    // The rest belongs to the attacker.
    let occupied = pos.occupied();
    let weak = maps.all[them]
        & !maps.twice[us]
        & (!maps.all[us] | maps.by[us][Kind::King.index()] | maps.by[us][Kind::Queen.index()]);
    let safe = !pos.side_set(U::Them::SIDE) & (!maps.all[us] | weak & maps.twice[them]);
    let (diagonal, straight) = (cpu.bishop(king, occupied), cpu.rook(king, occupied));
    for (kind, lines) in [
        (Kind::Knight, tables::knight(king)),
        (Kind::Bishop, diagonal),
        (Kind::Rook, straight),
        (Kind::Queen, diagonal | straight),
    ] {
        let checks = lines & safe & maps.by[them][kind.index()];
        let part = danger::SAFE_CHECK + kind.index() - 1;
        t.danger(U::Them::SIDE, part, checks.count().min(2) as i32);
    }
    let weak_ring = maps.ring[us] & weak;
    t.danger(U::Them::SIDE, danger::WEAK_SQUARE, weak_ring.count() as i32);
    if pos.pieces(U::Them::SIDE, Kind::Queen).is_empty() {
        t.danger(U::Them::SIDE, danger::NO_QUEEN, 1);
    }
    let sliders = pos.side_set(U::Them::SIDE)
        & (tables::rook_lines(king) & (pos.kind_set(Kind::Rook) | pos.kind_set(Kind::Queen))
            | tables::bishop_lines(king)
                & (pos.kind_set(Kind::Bishop) | pos.kind_set(Kind::Queen)));
    let mut shields = 0;
    for slider in sliders {
        let between = tables::between(king, slider) & occupied;
        shields += i32::from(!between.is_empty() && !between.several());
    }
    t.danger(U::Them::SIDE, danger::SHIELD, shields);
    t.danger(U::Them::SIDE, danger::BARE_FILE, bare);
    t.danger(U::Them::SIDE, danger::BASE, 1);
}

/// What the pieces of `U` attack.
#[inline(always)]
fn threats<U: Us, T: Tracer>(pos: &Position, maps: &Maps, t: &mut T) {
    let (us, them) = (U::SIDE.index(), U::Them::SIDE.index());
    let enemies = pos.side_set(U::Them::SIDE);
    let victims = |set: Bitboard, kind: Kind| (set & enemies & pos.kind_set(kind)).count() as i32;
    let own_pawns = pos.pieces(U::SIDE, Kind::Pawn);
    let by_pawns = maps.by[us][Kind::Pawn.index()];
    let pawn_cover = maps.by[them][Kind::Pawn.index()];
    let pieces = enemies & !pos.kind_set(Kind::Pawn) & !pos.kind_set(Kind::King);
    for (i, kind) in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen].into_iter().enumerate() {
        t.add(U::SIDE, feature::PAWN_THREAT + i, victims(by_pawns, kind));
    }
    let empty = !pos.occupied();
    let single = U::forward(own_pawns) & empty;
    let double = U::forward(single & U::THIRD_RANK) & empty;
    let steps = (single | double) & !pawn_cover & (maps.all[us] | !maps.all[them]);
    let push = U::pawn_attacks(steps) & pieces & !by_pawns;
    t.add(U::SIDE, feature::PUSH_THREAT, push.count() as i32);

    let by_minors = maps.by[us][Kind::Knight.index()] | maps.by[us][Kind::Bishop.index()];
    let by_rooks = maps.by[us][Kind::Rook.index()];
    // A pawn guarded by a pawn is no target.
    let loose = !(pawn_cover & pos.kind_set(Kind::Pawn));
    for (i, kind) in
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen].into_iter().enumerate()
    {
        t.add(U::SIDE, feature::MINOR_THREAT + i, victims(by_minors & loose, kind));
        t.add(U::SIDE, feature::ROOK_THREAT + i, victims(by_rooks & loose, kind));
    }
    let unguarded = enemies & !maps.all[them] & !pos.kind_set(Kind::King);
    let by_king = maps.by[us][Kind::King.index()] & unguarded;
    t.add(U::SIDE, feature::KING_THREAT, by_king.count() as i32);
    let hanging = unguarded & maps.all[us] & !pos.kind_set(Kind::Pawn);
    t.add(U::SIDE, feature::HANGING, hanging.count() as i32);
    let strong = pawn_cover | maps.twice[them] & !maps.twice[us];
    let restricted = maps.all[us] & maps.all[them] & !strong;
    t.add(U::SIDE, feature::RESTRICTED, restricted.count() as i32);
    let centre = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
    let third = U::THIRD_RANK;
    let camp = third | U::Them::forward(third) | U::forward(third);
    let space = centre & camp & !own_pawns & !pawn_cover;
    t.add(U::SIDE, feature::SPACE, space.count() as i32);
}

/// Passed pawns of `U`, as far as pieces matter.
#[inline(always)]
fn passed<U: Us, T: Tracer>(pos: &Position, maps: &Maps, pawns: &PawnEntry, t: &mut T) {
    let set = pawns.passed & pos.side_set(U::SIDE);
    let them = U::Them::SIDE;
    let occupied = pos.occupied();
    for square in set {
        let rank = square.seen_by(U::SIDE).rank() as usize;
        let stop = U::forward(Bitboard::of(square));
        if !stop.meets(occupied) {
            t.add(U::SIDE, feature::PASSED_FREE + rank, 1);
            if !stop.meets(maps.all[them.index()]) {
                t.add(U::SIDE, feature::PASSED_SAFE + rank, 1);
            }
        }
        if rank >= 3
            && let Some(stop) = stop.lowest()
        {
            let own = pos.king(U::SIDE).distance(stop) as usize;
            let other = pos.king(them).distance(stop) as usize;
            t.add(U::SIDE, feature::PASSED_OWN_KING + own, 1);
            t.add(U::SIDE, feature::PASSED_THEIR_KING + other, 1);
        }
        let column = pawns::behind::<U>(square);
        let rooks = pos.kind_set(Kind::Rook) & column;
        for rook in rooks {
            if !tables::between(rook, square).meets(occupied) {
                let own = pos.side_set(U::SIDE).contains(rook);
                t.add(U::SIDE, feature::ROOK_BEHIND_PASSED + usize::from(!own), 1);
            }
        }
    }
}
