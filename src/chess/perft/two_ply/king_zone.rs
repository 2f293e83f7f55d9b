//! Where their king may move in the positions of a batch, and which of our moves might change that.
//!
//! The king's replies to a null move are counted here. A move of ours can take squares from the king by attacking
//! them (counted by `sums::king_squares` from the sets in [`DeniedFrom`]), or give it squares by no longer guarding
//! them (counted by `sums::leaving` from the sets in [`Guards`]). A move that changes more than that is special. "We"
//! and "they" as in `two_ply`.

use crate::chess::perft::lanes::batch::Batch;
use crate::chess::perft::lanes::castling::CastlingLanes;
use crate::chess::perft::simd::Vector;
use crate::chess::perft::simd::bit_sliced::BitSliced;
use crate::chess::perft::simd::fills::{
    Rays, for_each_direction, king_attacks, knight_attacks, lines_of_sight, pawn_attacks, ray_attacks, union,
};
use crate::chess::perft::two_ply::board::Boards;
use crate::chess::perft::two_ply::king_lines::KingLines;
use crate::chess::types::{Black, White};

/// Their king's moves after a null move, and the moves of ours that change them.
pub struct KingZone<V> {
    /// The number of the king's replies to a null move, castling included.
    pub null_king_moves: V,
    /// Targets and origins that make any move special, except those in `contact`.
    pub special_to: V,
    pub special_from: V,
    /// Squares next to the king, except those with a piece of theirs that we attack twice. On all others the king
    /// captures, or might capture, the piece that lands there.
    pub contact: V,
    /// Targets that make a move of our king special.
    pub king_special_to: V,
    /// Squares to which the king may step, and for each legal castling move the squares that the king passes.
    pub safe_steps: V,
    pub castling_paths: [V; 2],
    /// The squares from which we would attack these.
    pub denied_from: DeniedFrom<V>,
    /// Squares to which the king could step if their only guard (a knight, pawn or slider whose moves need not be
    /// special) left. Then the sliders among these guards, by direction from the guarded square; the second and third
    /// set hold those that also guard a second and a third square on the same line.
    pub singly_guarded: V,
    pub slider_guards: Option<[Rays<V>; 3]>,
}

/// Squares from which one of our pieces would attack a square that their king needs.
pub struct DeniedFrom<V> {
    /// For rooks and bishops: the squares from which they attack a safe step, by direction from that step; and the
    /// squares from which they attack the king's path of each castling move.
    pub safe_lines: Rays<V>,
    pub rook_to_path: [V; 2],
    pub bishop_to_path: [V; 2],
    /// By kind of piece, for all needed squares together.
    pub rook: V,
    pub bishop: V,
    pub knight: V,
    pub pawn: V,
    /// Our pieces that alone block one of our sliders from such a square. If they leave, the slider attacks it.
    openers: V,
}

impl<V: Vector> KingZone<V> {
    /// Computes where their king may move, and which of our moves change that.
    #[inline(always)]
    pub fn of(cpu: V::Cpu, batch: &Batch, board: &Boards<V>, king: &KingLines<V>) -> Self {
        let &Boards { them, theirs, .. } = board;
        let attacked = Attacked::of(cpu, board);
        let around = king_attacks(cpu, them.king);
        let contact = around.without(theirs & attacked.twice);
        let steps = around.without(theirs);
        let safe_steps = steps.without(attacked.once);

        let castles = batch.castling_table.load::<Black, V>(cpu, board.castling);
        let castling = Castling::of(cpu, board, king, &attacked, castles.as_ref());
        let [a_path, h_path] = castling.paths;
        let denied = DeniedFrom::of(cpu, board, safe_steps, castling.paths);
        let guards = Guards::of(cpu, board, &attacked, steps | castling.passed, castling.passed);
        KingZone {
            null_king_moves: safe_steps.popcount() + castling.number,
            special_to: castling.special_to | guards.special_to,
            special_from: castling.special_from | denied.openers | guards.special_from,
            contact,
            king_special_to: king_attacks(cpu, safe_steps | a_path | h_path),
            safe_steps,
            castling_paths: castling.paths,
            denied_from: denied,
            singly_guarded: guards.singly_guarded,
            slider_guards: guards.sliders,
        }
    }
}

/// Squares that we attack at least once, twice and three times. A third knight is not counted.
struct Attacked<V> {
    once: V,
    twice: V,
    thrice: V,
    /// The third knight and all further ones. If there is any, the numbers of attackers may be too small.
    third_knight: V,
}

impl<V: Vector> Attacked<V> {
    #[inline(always)]
    fn of(cpu: V::Cpu, board: &Boards<V>) -> Self {
        let none = V::zero(cpu);
        let us = &board.us;
        let (west, east) = pawn_attacks::<White, V>(cpu, us.pawns);
        let knight = us.knights & (none - us.knights);
        let knights = us.knights ^ knight;
        let third_knight = knights & (knights - V::splat(cpu, 1)).keep_if_nonzero(knights);
        let [leaps, more_leaps] = [knight_attacks(cpu, knight), knight_attacks(cpu, knights)];
        let king = king_attacks(cpu, us.king);
        let mut number = BitSliced::zero(cpu);
        number.add(0, board.our_attacks);
        number.add(0, [west, east, leaps, more_leaps, king, none, none, none]);
        let [one, two, four, eight, _] = number.0;
        let more = four | eight;
        let (once, twice, thrice) = (one | two | more, two | more, one & two | more);
        Attacked { once, twice, thrice, third_knight }
    }
}

/// Their castling moves.
struct Castling<V> {
    /// The number of legal castling moves, and for each of them the squares that the king passes.
    number: V,
    paths: [V; 2],
    /// The squares that the king would pass, for castling moves that only our attacks can prevent.
    passed: V,
    /// Targets and origins of ours that may prevent or allow castling: its path and its rook.
    special_to: V,
    special_from: V,
}

impl<V: Vector> Castling<V> {
    #[inline(always)]
    fn of(
        cpu: V::Cpu,
        board: &Boards<V>,
        king: &KingLines<V>,
        attacked: &Attacked<V>,
        castles: Option<&[CastlingLanes<V>; 2]>,
    ) -> Self {
        let none = V::zero(cpu);
        let mut all = Castling { number: none, paths: [none; 2], passed: none, special_to: none, special_from: none };
        let Some(castles) = castles else { return all };
        let straight_pins = king.pins[0] | king.pins[1];
        for (i, castle) in castles.iter().enumerate() {
            // A piece of theirs on the path stays there, or is captured and replaced by ours.
            let rook = castle.rook.keep_if_zero(castle.must_be_empty & board.theirs);
            let path = castle.must_be_empty.keep_if_nonzero(rook);
            all.special_to = all.special_to | path | rook;
            all.special_from = all.special_from | path;
            let passed = castle.must_be_safe.keep_if_zero(path & board.occupied | rook & straight_pins);
            all.passed = all.passed | passed.keep_if_nonzero(rook);
            let available = castle.available(board.occupied, attacked.once, straight_pins);
            all.number = all.number + available.popcount();
            all.paths[i] = castle.must_be_safe.keep_if_nonzero(available);
        }
        all
    }
}

impl<V: Vector> DeniedFrom<V> {
    #[inline(always)]
    fn of(cpu: V::Cpu, board: &Boards<V>, safe_steps: V, paths: [V; 2]) -> Self {
        let none = V::zero(cpu);
        let safe_lines = lines_of_sight::<V>(cpu, safe_steps, board.occupied);
        let (west, east) = pawn_attacks::<Black, V>(cpu, safe_steps);
        let [rook, bishop] = by_kind(&safe_lines);
        let mut denied = DeniedFrom {
            safe_lines,
            rook_to_path: [none; 2],
            bishop_to_path: [none; 2],
            rook,
            bishop,
            knight: knight_attacks(cpu, safe_steps),
            pawn: west | east,
            openers: openers(cpu, board, &safe_lines),
        };
        let both = paths[0] | paths[1];
        if both.nonzero() != 0 {
            for (i, path) in paths.into_iter().enumerate() {
                let lines = lines_of_sight::<V>(cpu, path, board.occupied);
                denied.openers = denied.openers | openers(cpu, board, &lines);
                let [rook, bishop] = by_kind(&lines);
                (denied.rook_to_path[i], denied.bishop_to_path[i]) = (rook, bishop);
                denied.rook = denied.rook | rook;
                denied.bishop = denied.bishop | bishop;
            }
            let (west, east) = pawn_attacks::<Black, V>(cpu, both);
            denied.knight = denied.knight | knight_attacks(cpu, both);
            denied.pawn = denied.pawn | west | east;
        }
        denied
    }
}

/// The union of the rook lines and that of the bishop lines.
#[inline(always)]
fn by_kind<V: Vector>(lines: &Rays<V>) -> [V; 2] {
    let [a, b, c, d, e, f, g, h] = *lines;
    [a | b | (c | d), e | f | (g | h)]
}

/// Our pieces that alone block one of our sliders from a square at the origin of `lines`.
#[inline(always)]
fn openers<V: Vector>(cpu: V::Cpu, board: &Boards<V>, lines: &Rays<V>) -> V {
    let mut pieces = V::zero(cpu);
    for_each_direction!(|D| pieces = pieces | lines[D ^ 1] & board.our_attacks[D] & board.ours);
    pieces
}

/// Our pieces that alone guard a square which their king could otherwise enter.
struct Guards<V> {
    /// Targets that may block a guard, and guards whose leaving no formula describes.
    special_to: V,
    special_from: V,
    /// The remaining guards, as in [`KingZone`].
    singly_guarded: V,
    sliders: Option<[Rays<V>; 3]>,
}

impl<V: Vector> Guards<V> {
    /// `reachable` are the squares that their king might step to or castle across, `passed` those on castling paths.
    #[inline(always)]
    fn of(cpu: V::Cpu, board: &Boards<V>, attacked: &Attacked<V>, reachable: V, passed: V) -> Self {
        let none = V::zero(cpu);
        // Weak squares have one guard, shared ones two.
        let weak = reachable & attacked.once.without(attacked.twice);
        let shared = reachable & attacked.twice.without(attacked.thrice);
        let mut found = Guards { special_to: none, special_from: none, singly_guarded: none, sliders: None };
        if (weak | shared).nonzero() == 0 {
            return found;
        }
        let from_weak = lines_of_sight::<V>(cpu, weak, board.occupied);
        let from_watched = lines_of_sight::<V>(cpu, weak | shared, board.occupied);
        // When the only guard of a square moves, the square is unguarded, whatever the target. The exceptions are
        // queens, and sliders moving along the line: they may attack the square from their new square too. For
        // castling this is not enough, as it may need several squares. `open` are the weak squares whose guards are
        // special for such a reason.
        found.singly_guarded = weak.without(passed).keep_if_zero(attacked.third_knight);
        let open = weak.without(found.singly_guarded);
        let attacks = &board.our_attacks;
        // The lines from weak squares on which one of our sliders is behind the guard.
        let mut covered = none;
        let mut nearest = [none; 8];
        for_each_direction!(|D| {
            found.special_to = found.special_to | from_watched[D ^ 1] & attacks[D] & board.empty;
            covered = covered | from_weak[D] & attacks[D ^ 1];
            let guards = from_weak[D] & if D < 4 { board.us.rooks } else { board.us.bishops };
            let special = guards & (board.queens | attacks[D ^ 1]) | guards.keep_if_nonzero(open);
            found.special_from = found.special_from | special;
            nearest[D] = guards ^ special;
        });
        if union(&nearest).nonzero() != 0 {
            let singly_guarded = found.singly_guarded;
            found.sliders = Some(further_squares(cpu, board, nearest, from_weak, singly_guarded));
        }
        let (west, east) = pawn_attacks::<Black, V>(cpu, weak);
        let (open_west, open_east) = pawn_attacks::<Black, V>(cpu, open);
        let pawns = (west | east) & covered | open_west | open_east;
        let knights = knight_attacks(cpu, weak) & covered | knight_attacks(cpu, open);
        // When our king castles, its rook may also stop guarding a square.
        let kings = king_attacks(cpu, weak | shared);
        let us = &board.us;
        found.special_from = found.special_from | pawns & us.pawns | knights & us.knights | kings & us.king;
        found
    }
}

/// Of the sliders `nearest` to a guarded square, by direction from there, finds those that also guard a second and a
/// third square on the same line.
#[inline(always)]
fn further_squares<V: Vector>(
    cpu: V::Cpu,
    board: &Boards<V>,
    nearest: Rays<V>,
    from_weak: Rays<V>,
    singly_guarded: V,
) -> [Rays<V>; 3] {
    let none = V::zero(cpu);
    let mut guards = [nearest, [none; 8], [none; 8]];
    let mut rays = from_weak;
    for further in &mut guards[1..] {
        for_each_direction!(|D| rays[D] = rays[D] & singly_guarded & board.empty);
        if union(&rays).nonzero() == 0 {
            break;
        }
        for_each_direction!(|D| {
            rays[D] = ray_attacks::<D, V>(cpu, rays[D], board.empty);
            further[D] = nearest[D] & rays[D];
        });
    }
    guards
}
