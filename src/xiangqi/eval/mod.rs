//! Evaluation: a tapered sum of weighted features, a danger term for each king, and scaling towards draws.
//!
//! Called through `Playable::evaluate`. Each feature is written once, generic over [`Tracer`], so that evaluation
//! (summing weights) and tuning (counting features) share the code. It is static and symmetric between left and
//! right.

pub mod features;
pub mod inputs;
mod scale;
pub mod see;
mod trace;
pub mod weights;

use self::features::{FEATURES, danger, feature};
use self::scale::{blend, phase, scale};
use self::trace::Sum;
use crate::game::Side;
use crate::game::taper::{Packed, Tracer};
use crate::xiangqi::board::position::Position;
use crate::xiangqi::board::tables::{self, Cpu, Portable, SliderAttacks, Task};
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::piece::{Black, Kind, Red, Us};
use crate::xiangqi::types::square::Square;

pub use self::scale::{FULL_SCALE, PHASE};
pub use self::trace::Trace;

/// Divisor of the squared danger in the middlegame.
pub const DANGER_SQUARE: i32 = 512;
/// Divisor of the squared danger in the endgame.
pub const DANGER_SQUARE_LATE: i32 = 1024;
/// Maximum danger.
pub const DANGER_LIMIT: i32 = 900;
/// Every ply without a capture reduces the value by one part in this many.
pub const FADE: i32 = 300;

/// The static evaluation for the side to move, in centipawns.
#[inline]
pub fn evaluate(pos: &Position) -> i32 {
    tables::dispatch(Evaluate { pos })
}

/// The features of a position.
pub fn trace(pos: &Position) -> Trace {
    let mut trace = Trace::new(FEATURES, phase(pos), FULL_SCALE);
    Portable.run(Collect { pos, tracer: &mut trace });
    let mut sum = Sum::default();
    Portable.run(Collect { pos, tracer: &mut sum });
    trace.scale = scale(pos, blend(add_dangers(&sum), trace.phase));
    trace
}

/// A key of the soldiers, elephants and advisors.
#[inline]
pub fn structure_key(pos: &Position) -> u64 {
    let slow =
        pos.kind_set(Kind::Soldier) | pos.kind_set(Kind::Elephant) | pos.kind_set(Kind::Advisor);
    // Not separated by type: nearly all squares of elephants and advisors are impossible for soldiers.
    mixed(Side::BOTH.map(|side| slow & pos.side_set(side)))
}

/// A key of the other pieces of `side`.
#[inline]
pub fn pieces_key(pos: &Position, side: Side) -> u64 {
    let own = pos.side_set(side);
    mixed(
        [Kind::Horse, Kind::Chariot, Kind::Cannon, Kind::King].map(|kind| pos.kind_set(kind) & own),
    )
}

/// A hash key of square sets.
#[inline(always)]
fn mixed<const N: usize>(sets: [Bitboard; N]) -> u64 {
    let mut key = 0x9e37_79b9_7f4a_7c15_u64;
    for set in sets {
        for word in [set.0 as u64, (set.0 >> 64) as u64] {
            key = (key ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
            key ^= key >> 32;
        }
    }
    key
}

struct Evaluate<'a> {
    pos: &'a Position,
}

impl Task for Evaluate<'_> {
    type Output = i32;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let pos = self.pos;
        let mut sum = Sum::default();
        collect(pos, cpu, &mut sum);
        let value = blend(add_dangers(&sum), phase(pos));
        let value = value * scale(pos, value) / FULL_SCALE;
        let value = if pos.side() == Side::First { value } else { -value };
        // Advantages fade if nothing is captured.
        value * (FADE - i32::from(pos.halfmove_clock()).min(120)) / FADE
    }
}

struct Collect<'a, T> {
    pos: &'a Position,
    tracer: &'a mut T,
}

impl<T: Tracer> Task for Collect<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        collect(self.pos, cpu, self.tracer);
    }
}

/// The sum including the danger of both kings.
#[inline(always)]
fn add_dangers(sum: &Sum) -> Packed {
    let cost = |danger: i32| {
        let danger = danger.clamp(0, DANGER_LIMIT);
        let square = danger * danger;
        ((square / DANGER_SQUARE_LATE) << 16) + square / DANGER_SQUARE
    };
    sum.total + cost(sum.danger[0]) - cost(sum.danger[1])
}

/// Attack maps of both sides, needed by later features.
struct Maps {
    /// Squares attacked by each piece type; a cannon attacks what is behind one piece.
    by: [[Bitboard; 7]; 2],
    /// Squares attacked at all.
    all: [Bitboard; 2],
    /// Squares attacked at least twice.
    twice: [Bitboard; 2],
    /// Squares to which each king can step.
    steps: [Bitboard; 2],
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
fn collect<C: Cpu, T: Tracer>(pos: &Position, cpu: C, t: &mut T) {
    let mut maps = Maps {
        by: [[Bitboard::EMPTY; 7]; 2],
        all: [Bitboard::EMPTY; 2],
        twice: [Bitboard::EMPTY; 2],
        steps: [Bitboard::EMPTY; 2],
    };
    guards::<Red, T>(pos, &mut maps, t);
    guards::<Black, T>(pos, &mut maps, t);
    light_pieces::<Red, C, T>(pos, cpu, &mut maps, t);
    light_pieces::<Black, C, T>(pos, cpu, &mut maps, t);
    chariots::<Red, C, T>(pos, cpu, &mut maps, t);
    chariots::<Black, C, T>(pos, cpu, &mut maps, t);
    king::<Red, C, T>(pos, cpu, &maps, t);
    king::<Black, C, T>(pos, cpu, &maps, t);
    threats::<Red, T>(pos, &maps, t);
    threats::<Black, T>(pos, &maps, t);
    match pos.side() {
        Side::First => t.add(Red::SIDE, feature::TEMPO, 1),
        Side::Second => t.add(Black::SIDE, feature::TEMPO, 1),
    }
}

/// The piece-square index of each square from Red's and from Black's point of view: five squares per rank, from the
/// edge to the centre.
static PLACES: [[u8; 128]; 2] = {
    let mut places = [[0; 128]; 2];
    let mut i = 0;
    while i < 90 {
        let (file, rank) = (i % 9, i / 9);
        let column = if file < 5 { file } else { 8 - file };
        places[0][i] = (rank * 5 + column) as u8;
        places[1][i] = ((9 - rank) * 5 + column) as u8;
        i += 1;
    }
    places
};

#[inline(always)]
fn place<U: Us, T: Tracer>(kind: Kind, square: Square, t: &mut T) {
    let at = usize::from(PLACES[U::SIDE.index()][square.index()]);
    t.add(U::SIDE, feature::SQUARE + kind.index() * 50 + at, 1);
    if kind != Kind::King {
        t.add(U::SIDE, feature::MATERIAL + kind.index(), 1);
    }
}

/// The squares of the palace of `side`.
#[inline(always)]
fn palace(side: Side) -> Bitboard {
    Bitboard::PALACES & Bitboard::half_of(side)
}

/// Features and attacks of soldiers, elephants, advisors and the king.
#[inline(always)]
fn guards<U: Us, T: Tracer>(pos: &Position, maps: &mut Maps, t: &mut T) {
    let own = pos.side_set(U::SIDE);
    let soldiers = own & pos.kind_set(Kind::Soldier);
    let crossed = soldiers & !U::HOME;
    let west = Bitboard((crossed & !Bitboard::file(0)).0 >> 1);
    let east = Bitboard((crossed & !Bitboard::file(8)).0 << 1);
    maps.note(U::SIDE, Kind::Soldier, U::forward(soldiers));
    maps.note(U::SIDE, Kind::Soldier, west);
    maps.note(U::SIDE, Kind::Soldier, east);
    for square in soldiers {
        place::<U, T>(Kind::Soldier, square, t);
    }
    let abreast = crossed & (west | east);
    t.add(U::SIDE, feature::SOLDIERS_ABREAST, abreast.count() as i32);
    let blocked = U::forward(soldiers & U::HOME) & pos.occupied();
    t.add(U::SIDE, feature::SOLDIER_BLOCKED, blocked.count() as i32);

    let occupied = pos.occupied();
    let elephants = own & pos.kind_set(Kind::Elephant);
    for square in elephants {
        place::<U, T>(Kind::Elephant, square, t);
        maps.note(U::SIDE, Kind::Elephant, tables::elephant(square, occupied));
    }
    let advisors = own & pos.kind_set(Kind::Advisor);
    for square in advisors {
        place::<U, T>(Kind::Advisor, square, t);
        maps.note(U::SIDE, Kind::Advisor, tables::advisor(square));
    }
    let by = &maps.by[U::SIDE.index()];
    let linked = usize::from(elephants.meets(by[Kind::Elephant.index()]));
    t.add(U::SIDE, feature::LINKED, linked as i32);
    let linked = usize::from(advisors.meets(by[Kind::Advisor.index()]));
    t.add(U::SIDE, feature::LINKED + 1, linked as i32);
    let king = pos.king(U::SIDE);
    place::<U, T>(Kind::King, king, t);
    maps.steps[U::SIDE.index()] = tables::king(king) & !own;
    maps.note(U::SIDE, Kind::King, tables::king(king));

    // Piece combinations.
    let enemy = pos.side_set(U::Them::SIDE);
    let count = |set: Bitboard, kind| (set & pos.kind_set(kind)).count() as i32;
    let horses = count(own, Kind::Horse);
    let chariots = count(own, Kind::Chariot);
    let cannons = count(own, Kind::Cannon);
    let elephants_lost = 2 - count(enemy, Kind::Elephant);
    let advisors_lost = 2 - count(enemy, Kind::Advisor);
    for (i, n) in [horses, chariots, cannons, crossed.count() as i32].into_iter().enumerate() {
        t.add(U::SIDE, feature::ELEPHANT_LOST + i, n * elephants_lost);
        t.add(U::SIDE, feature::ADVISOR_LOST + i, n * advisors_lost);
    }
    let pairs = [horses, elephants.count() as i32, advisors.count() as i32, chariots, cannons];
    for (i, n) in pairs.into_iter().enumerate() {
        t.add(U::SIDE, feature::PAIR + i, i32::from(n == 2));
    }
    t.add(U::SIDE, feature::TEAM, i32::from(horses > 0 && cannons > 0));
    t.add(U::SIDE, feature::TEAM + 1, i32::from(chariots > 0 && horses > 0));
    t.add(U::SIDE, feature::TEAM + 2, i32::from(chariots > 0 && cannons > 0));
    t.add(U::SIDE, feature::NO_CHARIOT, i32::from(chariots == 0));
    let crowd = occupied.count() as i32 - 16;
    t.add(U::SIDE, feature::CROWD, horses * crowd);
    t.add(U::SIDE, feature::CROWD + 1, cannons * crowd);
    let own_guards = (elephants | advisors).count() as i32;
    t.add(U::SIDE, feature::CANNON_GUARDS, cannons * own_guards);
}

/// Adds the danger to the enemy king from the attacks `attacks` of the soldiers (`which` 0), a horse (1), a chariot
/// (2) or a cannon (3).
#[inline(always)]
fn attack_palace<U: Us, T: Tracer>(pos: &Position, which: usize, attacks: Bitboard, t: &mut T) {
    let inside = attacks & palace(U::Them::SIDE);
    if !inside.is_empty() {
        let king = pos.king(U::Them::SIDE);
        let near = tables::king(king) | Bitboard::of(king);
        t.danger(U::SIDE, danger::ATTACKER + which, 1);
        t.danger(U::SIDE, danger::ATTACK, inside.count() as i32);
        t.danger(U::SIDE, danger::NEAR, (attacks & near).count() as i32);
    }
}

/// Features of horses and cannons: squares, mobility, attacks on the palace.
#[inline(always)]
fn light_pieces<U: Us, C: Cpu, T: Tracer>(pos: &Position, cpu: C, maps: &mut Maps, t: &mut T) {
    let enemy_maps = &maps.by[U::Them::SIDE.index()];
    let by_soldiers = enemy_maps[Kind::Soldier.index()];
    let by_guards = enemy_maps[Kind::Elephant.index()] | enemy_maps[Kind::Advisor.index()];
    let own = pos.side_set(U::SIDE);
    let occupied = pos.occupied();
    let king = pos.king(U::Them::SIDE);
    attack_palace::<U, T>(pos, 0, maps.by[U::SIDE.index()][Kind::Soldier.index()], t);
    for square in pos.kind_set(Kind::Soldier) & own & !U::HOME {
        t.add(U::SIDE, feature::SOLDIER_DISTANCE + square.distance(king) as usize, 1);
    }
    let area = !own & !(by_soldiers | by_guards);
    for square in pos.kind_set(Kind::Horse) & own {
        let attacks = tables::horse(square, occupied);
        place::<U, T>(Kind::Horse, square, t);
        maps.note(U::SIDE, Kind::Horse, attacks);
        t.add(U::SIDE, feature::HORSE_MOBILITY + (attacks & area).count() as usize, 1);
        t.add(U::SIDE, feature::HORSE_DISTANCE + square.distance(king) as usize, 1);
        attack_palace::<U, T>(pos, 1, attacks, t);
    }
    let area = !occupied & !by_soldiers;
    for square in pos.kind_set(Kind::Cannon) & own {
        let seen = cpu.lines(square, occupied).0;
        let through = cpu.lines(square, occupied & !seen).0 & !seen;
        place::<U, T>(Kind::Cannon, square, t);
        maps.note(U::SIDE, Kind::Cannon, through);
        let free = (seen & area).count().min(17);
        t.add(U::SIDE, feature::CANNON_MOBILITY + free as usize, 1);
        attack_palace::<U, T>(pos, 3, through, t);
    }
}

/// Features of chariots, in the same way, and lines of chariots and cannons to the king.
#[inline(always)]
fn chariots<U: Us, C: Cpu, T: Tracer>(pos: &Position, cpu: C, maps: &mut Maps, t: &mut T) {
    let enemy_maps = &maps.by[U::Them::SIDE.index()];
    let lesser = [Kind::Soldier, Kind::Elephant, Kind::Advisor, Kind::Horse, Kind::Cannon];
    let guarded = lesser.into_iter().fold(Bitboard::EMPTY, |set, k| set | enemy_maps[k.index()]);
    let own = pos.side_set(U::SIDE);
    let occupied = pos.occupied();
    let area = !own & !guarded;
    for square in pos.kind_set(Kind::Chariot) & own {
        let attacks = cpu.lines(square, occupied).0;
        place::<U, T>(Kind::Chariot, square, t);
        maps.note(U::SIDE, Kind::Chariot, attacks);
        let free = (attacks & area).count().min(17);
        t.add(U::SIDE, feature::CHARIOT_MOBILITY + free as usize, 1);
        attack_palace::<U, T>(pos, 2, attacks, t);
    }
    let king = pos.king(U::Them::SIDE);
    let lined = tables::cross(king) & own;
    for square in lined & pos.kind_set(Kind::Chariot) {
        let path = tables::between(king, square) & occupied;
        t.add(U::SIDE, feature::CHARIOT_LINE + line_index(king, square, path, own), 1);
    }
    for square in lined & pos.kind_set(Kind::Cannon) {
        let path = tables::between(king, square) & occupied;
        t.add(U::SIDE, feature::CANNON_LINE + line_index(king, square, path, own), 1);
        let part = if path.is_empty() { danger::HOLLOW_CANNON } else { danger::AIMED_CANNON };
        t.danger(U::SIDE, part, 1);
    }
}

/// The index, among 24, of a line to the king.
#[inline(always)]
fn line_index(king: Square, square: Square, path: Bitboard, own: Bitboard) -> usize {
    let rank = usize::from(king.rank() == square.rank());
    let pieces = path.count().min(3) as usize;
    let own = (path & own).count().min(2) as usize;
    rank * 12 + pieces * 3 + own
}

/// The danger to the king of `U`.
#[inline(always)]
fn king<U: Us, C: Cpu, T: Tracer>(pos: &Position, cpu: C, maps: &Maps, t: &mut T) {
    let (us, them) = (U::SIDE.index(), U::Them::SIDE.index());
    let king = pos.king(U::SIDE);
    let (own, enemy) = (pos.side_set(U::SIDE), pos.side_set(U::Them::SIDE));
    let occupied = own | enemy;
    let by = |kind: Kind| maps.by[them][kind.index()];

    let guarded = maps.all[us];
    let only_king = maps.by[us][Kind::King.index()] & !maps.twice[us];
    let weak = maps.all[them] & (!guarded | only_king);
    let safe = !enemy & (!guarded | only_king & maps.twice[them]);
    let seen = cpu.lines(king, occupied).0;
    let through = cpu.lines(king, occupied & !seen).0 & !seen;
    let horse = tables::horse_back(king, occupied);
    let soldier = tables::soldier_back(U::Them::SIDE, king);
    // A cannon reaches its checking square by a quiet move, or by capturing there over a screen.
    let cannon_moves = cannon_reach(pos, cpu, U::Them::SIDE, occupied);
    let checks = [
        soldier & by(Kind::Soldier),
        horse & by(Kind::Horse),
        seen & by(Kind::Chariot),
        through & cannon_moves,
    ];
    for (i, set) in checks.into_iter().enumerate() {
        let number = (set & safe).count().min(3) as i32;
        t.danger(U::Them::SIDE, danger::SAFE_CHECK + i, number);
    }
    let weak_squares = palace(U::SIDE) & weak;
    t.danger(U::Them::SIDE, danger::WEAK_SQUARE, weak_squares.count() as i32);
    let count = |set: Bitboard, kind| (set & pos.kind_set(kind)).count() as i32;
    t.danger(U::Them::SIDE, danger::MISSING, 2 - count(own, Kind::Advisor));
    t.danger(U::Them::SIDE, danger::MISSING + 1, 2 - count(own, Kind::Elephant));
    t.danger(U::Them::SIDE, danger::NO_CHARIOT, i32::from(count(enemy, Kind::Chariot) == 0));
    let straight = pos.kind_set(Kind::Chariot) | pos.kind_set(Kind::King);
    for slider in tables::cross(king) & enemy & straight {
        let path = tables::between(king, slider) & occupied;
        if !path.is_empty() && !path.several() {
            t.danger(U::Them::SIDE, danger::SHIELD, 1);
            if pos.kind_set(Kind::King).contains(slider) {
                t.add(U::SIDE, feature::KINGS_FACING, i32::from(path.meets(own)));
            }
        }
    }
    t.danger(U::Them::SIDE, danger::KING_OUT, i32::from(king.file() != 4));
    let home = if U::SIDE == Side::First { 0 } else { 9 };
    t.danger(U::Them::SIDE, danger::KING_OUT + 1, (king.rank() - home).abs());
    let active =
        pos.kind_set(Kind::Horse) | pos.kind_set(Kind::Chariot) | pos.kind_set(Kind::Cannon);
    let across = enemy & (active | pos.kind_set(Kind::Soldier)) & U::HOME;
    t.danger(U::Them::SIDE, danger::ACROSS, across.count() as i32);
    t.danger(U::Them::SIDE, danger::DEFENDER, (own & active & U::HOME).count() as i32);
    t.danger(U::Them::SIDE, danger::BASE, 1);
    let steps = maps.steps[us] & !maps.all[them];
    t.add(U::SIDE, feature::KING_STEPS + steps.count() as usize, 1);
}

/// The squares to which the cannons of `side` can move, with or without capturing.
#[inline(always)]
fn cannon_reach<C: Cpu>(pos: &Position, cpu: C, side: Side, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for square in pos.pieces(side, Kind::Cannon) {
        set |= cpu.lines(square, occupied).1;
    }
    set
}

/// Features of the enemy pieces attacked by `U`, and of space.
#[inline(always)]
fn threats<U: Us, T: Tracer>(pos: &Position, maps: &Maps, t: &mut T) {
    let (us, them) = (U::SIDE.index(), U::Them::SIDE.index());
    let enemies = pos.side_set(U::Them::SIDE);
    let attacked = maps.all[us] & enemies & !pos.kind_set(Kind::King);
    for square in attacked {
        let Some(victim) = Kind::ALL.into_iter().find(|&k| pos.kind_set(k).contains(square)) else {
            continue;
        };
        for &kind in &Kind::ALL {
            let by = i32::from(maps.by[us][kind.index()].contains(square));
            t.add(U::SIDE, feature::THREAT + kind.index() * 6 + victim.index(), by);
        }
        if !maps.all[them].contains(square) {
            t.add(U::SIDE, feature::HANGING + victim.index(), 1);
        }
    }
    let crossed = pos.pieces(U::SIDE, Kind::Soldier) & !U::HOME;
    t.add(U::SIDE, feature::SOLDIER_GUARDED, (crossed & maps.all[us]).count() as i32);
    let strong = maps.twice[them] & !maps.twice[us];
    let restricted = maps.all[us] & maps.all[them] & !strong;
    t.add(U::SIDE, feature::RESTRICTED, restricted.count() as i32);
    let space = maps.all[us] & !U::HOME & !maps.by[them][Kind::Soldier.index()];
    t.add(U::SIDE, feature::SPACE, (space & Bitboard::ALL).count() as i32);
}
