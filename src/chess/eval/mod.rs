//! Evaluation: tapered sums of weighted features, an attack term for each king, and scaling towards draws.
//!
//! Called through `Playable::evaluate`. Each feature is written once over [`Tracer`], so that playing adds
//! weights and tuning counts features with the same code. It never looks ahead and knows no history.

mod pawns;
pub mod see;
pub mod weights;

use crate::chess::board::position::Position;
use crate::chess::board::tables::{self, Cpu, SliderAttacks, Task};
use crate::chess::eval::pawns::PawnEntry;
use crate::chess::eval::weights::{DANGER, WEIGHTS};
use crate::chess::types::bitboard::{Bitboard, FILE_A, FILE_H};
use crate::chess::types::piece::{Black, Kind, Us, White};
use crate::chess::types::square::Square;
use crate::game::Side;
use crate::game::taper::{Packed, endgame, middlegame, pack_all};

pub use crate::chess::eval::pawns::{Memo, pawn_key};

/// Where each group of features begins in the table of weights.
pub mod feature {
    /// Pawn, knight, bishop, rook, queen.
    pub const MATERIAL: usize = 0;
    /// Kind and square, a1 first, as White sees the board.
    pub const SQUARE: usize = MATERIAL + 5;
    /// Knight by number of squares it reaches.
    pub const KNIGHT_MOBILITY: usize = SQUARE + 6 * 64;
    /// The same for the bishop.
    pub const BISHOP_MOBILITY: usize = KNIGHT_MOBILITY + 9;
    /// The same for the rook.
    pub const ROOK_MOBILITY: usize = BISHOP_MOBILITY + 14;
    /// The same for the queen.
    pub const QUEEN_MOBILITY: usize = ROOK_MOBILITY + 15;
    /// Passed pawn by rank.
    pub const PASSED: usize = QUEEN_MOBILITY + 28;
    /// Passed pawn by rank whose next square is empty.
    pub const PASSED_FREE: usize = PASSED + 8;
    /// Passed pawn by rank whose next square is empty and not attacked.
    pub const PASSED_SAFE: usize = PASSED_FREE + 8;
    /// Passed pawn beyond the third rank: steps of the own king to the square before it.
    pub const PASSED_OWN_KING: usize = PASSED_SAFE + 8;
    /// The same for the other king.
    pub const PASSED_THEIR_KING: usize = PASSED_OWN_KING + 8;
    /// Rook behind a passed pawn of its side; of the other side.
    pub const ROOK_BEHIND_PASSED: usize = PASSED_THEIR_KING + 8;
    /// Pawn without own pawns beside it; on a file without enemy pawns before it.
    pub const ISOLATED: usize = ROOK_BEHIND_PASSED + 2;
    /// Pawn with an own pawn before it.
    pub const DOUBLED: usize = ISOLATED + 2;
    /// Pawn that cannot be guarded by pawns and cannot advance; without an enemy pawn before it.
    pub const BACKWARD: usize = DOUBLED + 1;
    /// Pawn guarded by a pawn, by rank.
    pub const GUARDED: usize = BACKWARD + 2;
    /// Pawn with a neighbour beside it, by rank.
    pub const PHALANX: usize = GUARDED + 8;
    /// Two bishops.
    pub const BISHOP_PAIR: usize = PHALANX + 8;
    /// Own pawns on the squares of a bishop's colour.
    pub const BISHOP_PAWNS: usize = BISHOP_PAIR + 1;
    /// Rook on a file without own pawns; without any pawns.
    pub const ROOK_FILE: usize = BISHOP_PAWNS + 1;
    /// Rook on the seventh rank.
    pub const ROOK_SEVENTH: usize = ROOK_FILE + 2;
    /// Knight, bishop guarded by a pawn where no enemy pawn can drive it away.
    pub const OUTPOST: usize = ROOK_SEVENTH + 1;
    /// Knight or bishop behind an own pawn.
    pub const MINOR_BEHIND_PAWN: usize = OUTPOST + 2;
    /// Distance of knight, bishop to the own king.
    pub const MINOR_KING_DISTANCE: usize = MINOR_BEHIND_PAWN + 1;
    /// Rank of the own pawn on the king's file (0: none), on the files beside it.
    pub const SHELTER: usize = MINOR_KING_DISTANCE + 2;
    /// Rank, seen from the king, of the enemy pawn on the king's file and those beside it; then the same
    /// for pawns that are blocked by a pawn.
    pub const STORM: usize = SHELTER + 16;
    /// King on a file without own pawns; without any pawns.
    pub const KING_FILE: usize = STORM + 16;
    /// Pawn attacks knight, bishop, rook, queen.
    pub const PAWN_THREAT: usize = KING_FILE + 2;
    /// Pawn can attack a piece by a safe step.
    pub const PUSH_THREAT: usize = PAWN_THREAT + 4;
    /// Knight or bishop attacks pawn, knight, bishop, rook, queen.
    pub const MINOR_THREAT: usize = PUSH_THREAT + 1;
    /// Rook attacks pawn, knight, bishop, rook, queen.
    pub const ROOK_THREAT: usize = MINOR_THREAT + 5;
    /// King attacks a piece or pawn that is not guarded.
    pub const KING_THREAT: usize = ROOK_THREAT + 5;
    /// Attacked piece that is not guarded.
    pub const HANGING: usize = KING_THREAT + 1;
    /// Square that the enemy attacks without guarding it well, and that is guarded here.
    pub const RESTRICTED: usize = HANGING + 1;
    /// Safe square behind the own pawns in the centre.
    pub const SPACE: usize = RESTRICTED + 1;
    /// Being to move.
    pub const TEMPO: usize = SPACE + 1;
    /// Number of features.
    pub const COUNT: usize = TEMPO + 1;
}

/// Where each part of the attack on a king stands in the table of dangers.
pub mod danger {
    /// Knight, bishop, rook, queen that attacks the king's surroundings.
    pub const ATTACKER: usize = 0;
    /// Attacked square around the king, for each attacker.
    pub const ATTACK: usize = ATTACKER + 4;
    /// Safe check by knight, bishop, rook, queen.
    pub const SAFE_CHECK: usize = ATTACK + 1;
    /// Square around the king that only the king and the queen guard, and that is attacked.
    pub const WEAK_SQUARE: usize = SAFE_CHECK + 4;
    /// The attacker has no queen.
    pub const NO_QUEEN: usize = WEAK_SQUARE + 1;
    /// A piece that stands between the king and an enemy slider.
    pub const SHIELD: usize = NO_QUEEN + 1;
    /// Missing shelter: files at and beside the king without an own pawn before it.
    pub const BARE_FILE: usize = SHIELD + 1;
    /// Always.
    pub const BASE: usize = BARE_FILE + 1;
    /// Number of parts.
    pub const COUNT: usize = BASE + 1;
}

/// Number of features.
pub const FEATURES: usize = feature::COUNT;
/// Number of parts of the attack on a king.
pub const DANGERS: usize = danger::COUNT;
/// The square of the danger is divided by this for the middlegame.
pub const DANGER_SQUARE: i32 = 512;
/// The danger is divided by this for the endgame.
pub const DANGER_LINEAR: i32 = 16;
/// Game phase of the full set of pieces.
pub const PHASE: i32 = 24;
/// Scale of an endgame that is won as it stands.
pub const FULL_SCALE: i32 = 64;

/// Every ply without progress takes one part in so many from the value.
pub const FADE: i32 = 220;

/// The weights as the sums use them.
static PACKED: [Packed; FEATURES] = pack_all(&WEIGHTS);

/// Receives features. Playing adds up weights; tuning notes the counts.
pub trait Tracer {
    /// Notes `count` occurrences of a feature for `U`.
    fn add<U: Us>(&mut self, feature: usize, count: i32);
    /// Notes `count` occurrences of a part of the attack by `U`.
    fn danger<U: Us>(&mut self, part: usize, count: i32);
    /// Notes a sum that was made earlier from features of both sides.
    fn add_sum(&mut self, sum: Packed);
    /// Whether sums made earlier may be used.
    const CACHES: bool;
}

/// Adds up weights.
#[derive(Default)]
pub(in crate::chess) struct Sum {
    pub(in crate::chess) total: Packed,
    danger: [i32; 2],
}

impl Tracer for Sum {
    const CACHES: bool = true;
    #[inline(always)]
    fn add<U: Us>(&mut self, feature: usize, count: i32) {
        let value = PACKED[feature] * count;
        self.total += if matches!(U::SIDE, Side::First) { value } else { -value };
    }
    #[inline(always)]
    fn danger<U: Us>(&mut self, part: usize, count: i32) {
        self.danger[U::SIDE.index()] += i32::from(DANGER[part]) * count;
    }
    #[inline(always)]
    fn add_sum(&mut self, sum: Packed) {
        self.total += sum;
    }
}

/// What a tuner must know of a position: `White's counts - Black's counts` for every feature, the parts of
/// the attack of either side, phase and scale.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Count of each feature, White's minus Black's.
    pub counts: Vec<i16>,
    /// Count of each part of the attack by White, by Black.
    pub dangers: [[i16; DANGERS]; 2],
    /// Game phase, 0 to [`PHASE`].
    pub phase: i32,
    /// Scale of the endgame value, up to [`FULL_SCALE`].
    pub scale: i32,
}

impl Tracer for Trace {
    const CACHES: bool = false;
    fn add<U: Us>(&mut self, feature: usize, count: i32) {
        self.counts[feature] += if U::SIDE == Side::First { count as i16 } else { -count as i16 };
    }
    fn danger<U: Us>(&mut self, part: usize, count: i32) {
        self.dangers[U::SIDE.index()][part] += count as i16;
    }
    fn add_sum(&mut self, _sum: Packed) {}
}

/// The value of the position for the side to move, in centipawns.
#[inline]
pub fn evaluate(pos: &Position, memo: &mut Memo) -> i32 {
    tables::dispatch(Evaluate { pos, memo })
}

/// The features of a position.
pub fn trace(pos: &Position) -> Trace {
    let mut trace = Trace {
        counts: vec![0; FEATURES],
        dangers: [[0; DANGERS]; 2],
        phase: phase(pos),
        scale: FULL_SCALE,
    };
    let memo = &mut Memo::default();
    tables::dispatch(Collect { pos, memo, tracer: &mut trace });
    let mut sum = Sum::default();
    tables::dispatch(Collect { pos, memo, tracer: &mut sum });
    trace.scale = scale(pos, endgame(settle(&sum)));
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
        let mut sum = Sum::default();
        collect(pos, cpu, self.memo, &mut sum);
        let total = settle(&sum);
        let (mg, eg) = (middlegame(total), endgame(total));
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

/// How many pieces are left, from 0 (none) to 24 (all).
fn phase(pos: &Position) -> i32 {
    let count = |kind| pos.kind_set(kind).count() as i32;
    let minors = count(Kind::Knight) + count(Kind::Bishop);
    (minors + 2 * count(Kind::Rook) + 4 * count(Kind::Queen)).min(PHASE)
}

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

/// How much of an endgame advantage can be made good; `eg` tells whose it is.
fn scale(pos: &Position, eg: i32) -> i32 {
    let strong = if eg >= 0 { Side::First } else { Side::Second };
    let weak = strong.flip();
    let count = |side, kind| pos.pieces(side, kind).count() as i32;
    let pawns = pos.pieces(strong, Kind::Pawn);
    let worth = |side| {
        3 * (count(side, Kind::Knight) + count(side, Kind::Bishop))
            + 5 * count(side, Kind::Rook)
            + 9 * count(side, Kind::Queen)
    };
    let (ours, theirs) = (worth(strong), worth(weak));
    let bishops = pos.pieces(strong, Kind::Bishop);
    if pawns.is_empty() {
        if ours <= 3 {
            return 0;
        }
        // Two knights cannot force mate; a minor piece more is seldom enough.
        if ours == 6 && count(strong, Kind::Knight) == 2 && count(weak, Kind::Pawn) == 0 {
            return 0;
        }
        if ours - theirs <= 3 {
            return if theirs <= 3 && ours - theirs < 3 { 4 } else { 12 };
        }
        return FULL_SCALE;
    }
    // A bishop that does not guard the corner where its rook pawns promote.
    let edge = if (pawns & !FILE_A).is_empty() {
        Some(0)
    } else if (pawns & !FILE_H).is_empty() {
        Some(7)
    } else {
        None
    };
    if let Some(file) = edge {
        let last = if strong == Side::First { 7 } else { 0 };
        let corner = Square::at(file, last).unwrap_or(pos.king(weak));
        let helpless = bishops.is_empty() || bishops.meets(LIGHT) != LIGHT.contains(corner);
        if ours == 3 * bishops.count() as i32
            && !bishops.several()
            && helpless
            && pawns::distance(pos.king(weak), corner) <= 1
        {
            return 0;
        }
    }
    let opposed = count(strong, Kind::Bishop) == 1 && count(weak, Kind::Bishop) == 1 && {
        let both = pos.kind_set(Kind::Bishop) & LIGHT;
        both.count() == 1
    };
    if opposed {
        return if ours == 3 && theirs == 3 { 28 } else { 46 };
    }
    (44 + 5 * pawns.count() as i32).min(FULL_SCALE)
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
        Side::First => t.add::<White>(feature::TEMPO, 1),
        Side::Second => t.add::<Black>(feature::TEMPO, 1),
    }
}

/// The square as White would see it.
#[inline(always)]
pub(in crate::chess) fn relative<U: Us>(square: Square) -> usize {
    square.index() ^ if matches!(U::SIDE, Side::First) { 0 } else { 56 }
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
            t.add::<U>(feature::MATERIAL + kind.index(), 1);
            t.add::<U>(feature::SQUARE + kind.index() * 64 + relative::<U>(square), 1);
            t.add::<U>(mobility + (attacks & area).count() as usize, 1);
            let near = attacks & ring;
            if !near.is_empty() {
                t.danger::<U>(danger::ATTACKER + kind.index() - 1, 1);
                t.danger::<U>(danger::ATTACK, near.count() as i32);
            }
            let here = Bitboard::of(square);
            match kind {
                Kind::Knight | Kind::Bishop => {
                    let which = kind.index() - 1;
                    t.add::<U>(feature::MINOR_KING_DISTANCE + which, pawns::distance(square, king));
                    if here.meets(strongholds) {
                        t.add::<U>(feature::OUTPOST + which, 1);
                    }
                    if here.meets(behind) {
                        t.add::<U>(feature::MINOR_BEHIND_PAWN, 1);
                    }
                    if kind == Kind::Bishop {
                        let colour = if LIGHT.contains(square) { LIGHT } else { !LIGHT };
                        t.add::<U>(feature::BISHOP_PAWNS, (own_pawns & colour).count() as i32);
                    }
                }
                Kind::Rook => {
                    let file = Bitboard::file(square.file() as u32);
                    if !file.meets(own_pawns) {
                        let open = !file.meets(enemy_pawns);
                        t.add::<U>(feature::ROOK_FILE + usize::from(open), 1);
                    }
                    if here.meets(U::SEVENTH_RANK) {
                        t.add::<U>(feature::ROOK_SEVENTH, 1);
                    }
                }
                _ => {}
            }
        }
    }
    let bishops = pos.pieces(U::SIDE, Kind::Bishop);
    if bishops.meets(LIGHT) && bishops.meets(!LIGHT) {
        t.add::<U>(feature::BISHOP_PAIR, 1);
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
    t.add::<U>(feature::SQUARE + Kind::King.index() * 64 + relative::<U>(king), 1);
    let own = pos.pieces(U::SIDE, Kind::Pawn);
    let enemy = pos.pieces(U::Them::SIDE, Kind::Pawn);
    let ahead = pawns::at_or_ahead::<U>(king);
    let centre = king.file().clamp(1, 6);
    let mut bare = 0;
    for file in centre - 1..=centre + 1 {
        let column = Bitboard::file(file as u32) & ahead;
        let beside = usize::from(file != king.file());
        let shelter = pawns::first_rank::<U>(own & column);
        t.add::<U>(feature::SHELTER + 8 * beside + shelter, 1);
        bare += i32::from(shelter == 0);
        let storm = pawns::first_rank::<U>(enemy & column);
        let blocked = usize::from(shelter != 0 && storm == shelter + 1);
        t.add::<U>(feature::STORM + 8 * blocked + storm, 1);
    }
    let file = Bitboard::file(king.file() as u32);
    if !file.meets(own) {
        t.add::<U>(feature::KING_FILE + usize::from(!file.meets(enemy)), 1);
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
        t.danger::<U::Them>(part, checks.count().min(2) as i32);
    }
    let weak_ring = maps.ring[us] & weak;
    t.danger::<U::Them>(danger::WEAK_SQUARE, weak_ring.count() as i32);
    if pos.pieces(U::Them::SIDE, Kind::Queen).is_empty() {
        t.danger::<U::Them>(danger::NO_QUEEN, 1);
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
    t.danger::<U::Them>(danger::SHIELD, shields);
    t.danger::<U::Them>(danger::BARE_FILE, bare);
    t.danger::<U::Them>(danger::BASE, 1);
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
        t.add::<U>(feature::PAWN_THREAT + i, victims(by_pawns, kind));
    }
    let empty = !pos.occupied();
    let single = U::forward(own_pawns) & empty;
    let double = U::forward(single & U::THIRD_RANK) & empty;
    let steps = (single | double) & !pawn_cover & (maps.all[us] | !maps.all[them]);
    let push = U::pawn_attacks(steps) & pieces & !by_pawns;
    t.add::<U>(feature::PUSH_THREAT, push.count() as i32);

    let by_minors = maps.by[us][Kind::Knight.index()] | maps.by[us][Kind::Bishop.index()];
    let by_rooks = maps.by[us][Kind::Rook.index()];
    // A pawn guarded by a pawn is no target.
    let loose = !(pawn_cover & pos.kind_set(Kind::Pawn));
    for (i, kind) in
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen].into_iter().enumerate()
    {
        t.add::<U>(feature::MINOR_THREAT + i, victims(by_minors & loose, kind));
        t.add::<U>(feature::ROOK_THREAT + i, victims(by_rooks & loose, kind));
    }
    let unguarded = enemies & !maps.all[them] & !pos.kind_set(Kind::King);
    let by_king = maps.by[us][Kind::King.index()] & unguarded;
    t.add::<U>(feature::KING_THREAT, by_king.count() as i32);
    let hanging = unguarded & maps.all[us] & !pos.kind_set(Kind::Pawn);
    t.add::<U>(feature::HANGING, hanging.count() as i32);
    let strong = pawn_cover | maps.twice[them] & !maps.twice[us];
    let restricted = maps.all[us] & maps.all[them] & !strong;
    t.add::<U>(feature::RESTRICTED, restricted.count() as i32);
    let centre = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
    let third = U::THIRD_RANK;
    let camp = third | U::Them::forward(third) | U::forward(third);
    let space = centre & camp & !own_pawns & !pawn_cover;
    t.add::<U>(feature::SPACE, space.count() as i32);
}

/// Passed pawns of `U`, as far as pieces matter.
#[inline(always)]
fn passed<U: Us, T: Tracer>(pos: &Position, maps: &Maps, pawns: &PawnEntry, t: &mut T) {
    let set = pawns.passed & pos.side_set(U::SIDE);
    let them = U::Them::SIDE;
    let occupied = pos.occupied();
    for square in set {
        let rank = relative::<U>(square) >> 3;
        let stop = U::forward(Bitboard::of(square));
        if !stop.meets(occupied) {
            t.add::<U>(feature::PASSED_FREE + rank, 1);
            if !stop.meets(maps.all[them.index()]) {
                t.add::<U>(feature::PASSED_SAFE + rank, 1);
            }
        }
        if rank >= 3
            && let Some(stop) = stop.lowest()
        {
            let own = pawns::distance(pos.king(U::SIDE), stop) as usize;
            let other = pawns::distance(pos.king(them), stop) as usize;
            t.add::<U>(feature::PASSED_OWN_KING + own, 1);
            t.add::<U>(feature::PASSED_THEIR_KING + other, 1);
        }
        let column = pawns::behind::<U>(square);
        let rooks = pos.kind_set(Kind::Rook) & column;
        for rook in rooks {
            if !tables::between(rook, square).meets(occupied) {
                let own = pos.side_set(U::SIDE).contains(rook);
                t.add::<U>(feature::ROOK_BEHIND_PASSED + usize::from(!own), 1);
            }
        }
    }
}
