//! What is known about the positions of a batch before our own moves are classified, in four stages: the boards with
//! the attacks of all sliders, the lines through their king, where their king may move, and their replies to a null
//! move.
//!
//! Each stage reads the results of those before it and returns one struct; [`Context`] has all of them. "We" and "they"
//! as in `walk`.

use crate::chess::perft::batch::{BISHOPS, Batch, CastlingLanes, ROOKS, SideSets};
use crate::chess::perft::vector::{
    BitSliced, LanePawnTargets, Rays, Vector, by_axis, for_each_direction, forward, king_attacks, knight_attacks,
    leaps, lines_of_sight, load_at, pawn_attacks, pawn_axes, pinned_off_axis, ray_attacks, slider_attacks, union,
};
use crate::chess::types::{Black, Us, White};

/// The pieces of both sides in registers, and the attacks of all sliders.
pub struct Pieces<V> {
    pub us: SideSets<V>,
    pub them: SideSets<V>,
    pub ours: V,
    pub theirs: V,
    pub occupied: V,
    pub empty: V,
    /// Our queens. Their attacks are also stored separately, as they give check from more squares.
    pub queens: V,
    /// The rooks of both sides that may castle.
    pub castling: V,
    pub queen_attacks: Rays<V>,
    pub our_attacks: Rays<V>,
    pub their_attacks: Rays<V>,
}

impl<V: Vector> Pieces<V> {
    #[inline(always)]
    pub fn of<const KINDS: u8>(cpu: V::Cpu, batch: &Batch) -> Self {
        let us = batch.ours.load::<V>(cpu).only::<KINDS>(cpu);
        let them = batch.theirs.load::<V>(cpu).only::<KINDS>(cpu);
        let (ours, theirs) = (us.all(), them.all());
        let occupied = ours | theirs;
        let queens = us.bishops & us.rooks;
        Pieces {
            us,
            them,
            ours,
            theirs,
            occupied,
            empty: !occupied,
            queens,
            castling: load_at(cpu, &batch.castling, 0),
            queen_attacks: attacks::<KINDS, V>(cpu, queens, queens, occupied),
            our_attacks: attacks::<KINDS, V>(cpu, us.rooks, us.bishops, occupied),
            their_attacks: attacks::<KINDS, V>(cpu, them.rooks, them.bishops, occupied),
        }
    }
}

/// The attacks of sliders in positions that have only pieces of `KINDS`.
#[inline(always)]
fn attacks<const KINDS: u8, V: Vector>(cpu: V::Cpu, rooks: V, bishops: V, occupied: V) -> Rays<V> {
    let mut rays = slider_attacks::<V>(cpu, by_axis(rooks, bishops), occupied);
    // Of no sliders there are no attacks. The compiler does not see this in all instructions.
    for (d, set) in rays.iter_mut().enumerate() {
        if KINDS & (if d < 4 { ROOKS } else { BISHOPS }) == 0 {
            *set = V::zero(cpu);
        }
    }
    rays
}

/// The lines through their king: pinned pieces, pieces that give a discovered check, and squares from which a slider
/// gives check.
///
/// Here are four lines from their king `k`. Capitals are our pieces (`R` is a slider that attacks along the line, `N`
/// any other piece), small letters are theirs. All moves of `N` are special, and so are most moves of `R` on the last
/// line (see `classify`):
///
/// ```text
///   k  .  N  .  R        N gives discovered check by leaving
///   k  .  N  .  n  .  R  N creates a pin by leaving
///   k  .  n  .  N  .  R  N creates a pin by leaving
///   k  .  n  .  R        n is pinned, R is its pinner
/// ```
pub struct KingLines<V> {
    /// Our pieces that give check or create a pin by leaving, and our pinners by direction from their king.
    pub discoverers: V,
    pub pinners: Rays<V>,
    /// Their pinned pieces by axis, and all squares of the pin lines, including the pinners.
    pub pins: [V; 4],
    pub pin_rays: V,
    /// The attacks of a queen on the king's square.
    pub king_rays: Rays<V>,
    /// Squares from which a bishop or a rook would give check or pin.
    pub bishop_check_or_pin: V,
    pub rook_check_or_pin: V,
}

impl<V: Vector> KingLines<V> {
    /// Scans the lines of their king.
    #[inline(always)]
    pub fn of(cpu: V::Cpu, pieces: &Pieces<V>) -> Self {
        let none = V::zero(cpu);
        let &Pieces { us, ours, theirs, occupied, .. } = pieces;
        let (king, attacks) = (pieces.them.king, &pieces.our_attacks);
        let king_rays = slider_attacks::<V>(cpu, [king; 4], occupied);
        // Continue from the first piece. Each axis is filled in both directions at once, so the way back must be
        // removed below.
        let mut first = [none; 4];
        for line in 0..4 {
            first[line] = (king_rays[2 * line] | king_rays[2 * line + 1]) & occupied;
        }
        let far = slider_attacks::<V>(cpu, first, occupied);
        let mut found = KingLines {
            discoverers: none,
            pinners: [none; 8],
            pins: [none; 4],
            pin_rays: none,
            king_rays,
            bishop_check_or_pin: none,
            rook_check_or_pin: none,
        };
        for_each_direction!(|D| {
            let sliders = if D < 4 { us.rooks } else { us.bishops };
            // This may include the king's own square, which none of our moves can reach.
            let beyond = far[D].without(king_rays[D ^ 1]);
            let first_ours = king_rays[D] & ours;
            let first_theirs = king_rays[D] & theirs;
            let pinner = (beyond & sliders).keep_if_nonzero(first_theirs);
            let met = beyond & attacks[D ^ 1];
            found.pinners[D] = pinner;
            found.pins[D / 2] = found.pins[D / 2] | first_theirs.keep_if_nonzero(pinner);
            found.pin_rays = found.pin_rays | (king_rays[D] | beyond).keep_if_nonzero(pinner);
            found.discoverers = found.discoverers
                // k . N . R, then k . N . n . R, then k . n . N . R
                | first_ours & attacks[D ^ 1]
                | first_ours.keep_if_nonzero(met & theirs)
                | (met & ours).keep_if_nonzero(first_theirs);
            let line = king_rays[D] | beyond.keep_if_nonzero(first_theirs);
            if D < 4 {
                found.rook_check_or_pin = found.rook_check_or_pin | line;
            } else {
                found.bishop_check_or_pin = found.bishop_check_or_pin | line;
            }
        });
        found
    }

    /// All their pinned pieces.
    #[inline(always)]
    pub fn all_pinned(&self) -> V {
        let [files, ranks, rising, falling] = self.pins;
        (files | ranks) | (rising | falling)
    }
}

/// Their king's moves after a null move, and the moves of ours that change them.
///
/// A move of ours can take squares from the king by attacking them (`sums::denied_king_moves` counts them, from the
/// sets in [`DeniedFrom`]), or give it squares by no longer guarding them (`sums::leaving`, from the sets in
/// [`Guards`]). A move that changes more than that is special.
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
    pub fn of(cpu: V::Cpu, batch: &Batch, pieces: &Pieces<V>, king: &KingLines<V>) -> Self {
        let &Pieces { them, theirs, .. } = pieces;
        let attacked = Attacked::of(cpu, pieces);
        let around = king_attacks(cpu, them.king);
        let contact = around.without(theirs & attacked.twice);
        let steps = around.without(theirs);
        let safe_steps = steps.without(attacked.once);

        let castling_moves = batch.castling_table.load::<Black, V>(cpu, pieces.castling);
        let castling = Castling::of(cpu, pieces, king, &attacked, castling_moves.as_ref());
        let [a_path, h_path] = castling.paths;
        let denied = DeniedFrom::of(cpu, pieces, safe_steps, castling.paths);
        let guards = Guards::of(cpu, pieces, &attacked, steps | castling.passed, castling.passed);
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
    fn of(cpu: V::Cpu, pieces: &Pieces<V>) -> Self {
        let none = V::zero(cpu);
        let us = &pieces.us;
        let (west, east) = pawn_attacks::<White, V>(cpu, us.pawns);
        let knight = us.knights & (none - us.knights);
        let knights = us.knights ^ knight;
        let third_knight = knights & (knights - V::splat(cpu, 1)).keep_if_nonzero(knights);
        let [leaps, more_leaps] = [knight_attacks(cpu, knight), knight_attacks(cpu, knights)];
        let king = king_attacks(cpu, us.king);
        let mut number = BitSliced::zero(cpu);
        number.add(0, pieces.our_attacks);
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
        pieces: &Pieces<V>,
        king: &KingLines<V>,
        attacked: &Attacked<V>,
        castling_moves: Option<&[CastlingLanes<V>; 2]>,
    ) -> Self {
        let none = V::zero(cpu);
        let mut all = Castling { number: none, paths: [none; 2], passed: none, special_to: none, special_from: none };
        let Some(castling_moves) = castling_moves else { return all };
        let straight_pins = king.pins[0] | king.pins[1];
        for (i, castle) in castling_moves.iter().enumerate() {
            // A piece of theirs on the path stays there, or is captured and replaced by ours.
            let rook = castle.rook.keep_if_zero(castle.must_be_empty & pieces.theirs);
            let path = castle.must_be_empty.keep_if_nonzero(rook);
            all.special_to = all.special_to | path | rook;
            all.special_from = all.special_from | path;
            let passed = castle.must_be_safe.keep_if_zero(path & pieces.occupied | rook & straight_pins);
            all.passed = all.passed | passed.keep_if_nonzero(rook);
            let available = castle.available(pieces.occupied, attacked.once, straight_pins);
            all.number = all.number + available.popcount();
            all.paths[i] = castle.must_be_safe.keep_if_nonzero(available);
        }
        all
    }
}

impl<V: Vector> DeniedFrom<V> {
    #[inline(always)]
    fn of(cpu: V::Cpu, pieces: &Pieces<V>, safe_steps: V, paths: [V; 2]) -> Self {
        let none = V::zero(cpu);
        let safe_lines = lines_of_sight::<V>(cpu, safe_steps, pieces.occupied);
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
            openers: openers(cpu, pieces, &safe_lines),
        };
        let both = paths[0] | paths[1];
        if both.nonzero() != 0 {
            for (i, path) in paths.into_iter().enumerate() {
                let lines = lines_of_sight::<V>(cpu, path, pieces.occupied);
                denied.openers = denied.openers | openers(cpu, pieces, &lines);
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
fn openers<V: Vector>(cpu: V::Cpu, pieces: &Pieces<V>, lines: &Rays<V>) -> V {
    let mut blockers = V::zero(cpu);
    for_each_direction!(|D| blockers = blockers | lines[D ^ 1] & pieces.our_attacks[D] & pieces.ours);
    blockers
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
    fn of(cpu: V::Cpu, pieces: &Pieces<V>, attacked: &Attacked<V>, reachable: V, passed: V) -> Self {
        let none = V::zero(cpu);
        // Weak squares have one guard, shared ones two.
        let weak = reachable & attacked.once.without(attacked.twice);
        let shared = reachable & attacked.twice.without(attacked.thrice);
        let mut found = Guards { special_to: none, special_from: none, singly_guarded: none, sliders: None };
        if (weak | shared).nonzero() == 0 {
            return found;
        }
        let from_weak = lines_of_sight::<V>(cpu, weak, pieces.occupied);
        let from_watched = lines_of_sight::<V>(cpu, weak | shared, pieces.occupied);
        // When the only guard of a square moves, the square is unguarded, whatever the target. The exceptions are
        // queens, and sliders moving along the line: they may attack the square from their new square too. For
        // castling this is not enough, as it may need several squares. `open` are the weak squares whose guards are
        // special for such a reason.
        found.singly_guarded = weak.without(passed).keep_if_zero(attacked.third_knight);
        let open = weak.without(found.singly_guarded);
        let attacks = &pieces.our_attacks;
        // The lines from weak squares on which one of our sliders is behind the guard.
        let mut covered = none;
        let mut nearest = [none; 8];
        for_each_direction!(|D| {
            found.special_to = found.special_to | from_watched[D ^ 1] & attacks[D] & pieces.empty;
            covered = covered | from_weak[D] & attacks[D ^ 1];
            let guards = from_weak[D] & if D < 4 { pieces.us.rooks } else { pieces.us.bishops };
            let special = guards & (pieces.queens | attacks[D ^ 1]) | guards.keep_if_nonzero(open);
            found.special_from = found.special_from | special;
            nearest[D] = guards ^ special;
        });
        if union(&nearest).nonzero() != 0 {
            let singly_guarded = found.singly_guarded;
            found.sliders = Some(further_squares(cpu, pieces, nearest, from_weak, singly_guarded));
        }
        let (west, east) = pawn_attacks::<Black, V>(cpu, weak);
        let (open_west, open_east) = pawn_attacks::<Black, V>(cpu, open);
        let pawns = (west | east) & covered | open_west | open_east;
        let knights = knight_attacks(cpu, weak) & covered | knight_attacks(cpu, open);
        // When our king castles, its rook may also stop guarding a square.
        let kings = king_attacks(cpu, weak | shared);
        let us = &pieces.us;
        found.special_from = found.special_from | pawns & us.pawns | knights & us.knights | kings & us.king;
        found
    }
}

/// Of the sliders `nearest` to a guarded square, by direction from there, finds those that also guard a second and a
/// third square on the same line.
#[inline(always)]
fn further_squares<V: Vector>(
    cpu: V::Cpu,
    pieces: &Pieces<V>,
    nearest: Rays<V>,
    from_weak: Rays<V>,
    singly_guarded: V,
) -> [Rays<V>; 3] {
    let none = V::zero(cpu);
    let mut guards = [nearest, [none; 8], [none; 8]];
    let mut rays = from_weak;
    for further in &mut guards[1..] {
        for_each_direction!(|D| rays[D] = rays[D] & singly_guarded & pieces.empty);
        if union(&rays).nonzero() == 0 {
            break;
        }
        for_each_direction!(|D| {
            rays[D] = ray_attacks::<D, V>(cpu, rays[D], pieces.empty);
            further[D] = nearest[D] & rays[D];
        });
    }
    guards
}

/// Their replies to a null move. Sets of targets include squares occupied by either side.
pub struct NullReplies<V> {
    /// The number of replies, without the king's.
    pub count: V,
    /// Their sliders that may move on an axis (files, ranks, a1–h8 lines, a8–h1 lines), and their attacks.
    pub sliders: [V; 4],
    pub rays: Rays<V>,
    /// The leaps of unpinned knights.
    pub leaps: [V; 8],
    /// Unpinned pawns, their steps, and the squares they attack on each side.
    pub pawns: V,
    pub single_pushes: V,
    pub double_pushes: V,
    pub west_attacks: V,
    pub east_attacks: V,
    /// Last-rank squares that these pawns attack, or that are directly in front of them.
    pub promotion_targets: V,
    /// Our pieces in front of such a pawn, or on the target square of its double step.
    pub push_blockers: V,
    pub double_push_blockers: V,
}

impl<V: Vector> NullReplies<V> {
    /// Computes the replies.
    #[inline(always)]
    pub fn of(cpu: V::Cpu, pieces: &Pieces<V>, king: &KingLines<V>) -> Self {
        let &Pieces { them, ours, empty, .. } = pieces;
        let (slider_count, sliders, rays) = slider_replies(cpu, pieces, king);
        let pinned = king.all_pinned();
        let (knight_count, leaps) = knight_replies(cpu, pieces, them.knights.without(pinned));

        let pawns = them.pawns.without(pinned);
        let targets = LanePawnTargets::of::<Black>(cpu, [pawns; 3], empty, ours);
        let ahead = forward::<Black, V>(pawns);
        let two_ahead = forward::<Black, V>(targets.single & V::splat(cpu, Black::THIRD_RANK.0));
        let (west_attacks, east_attacks) = pawn_attacks::<Black, V>(cpu, pawns);
        let mut pawn_count = targets.count_parts::<Black>(cpu);
        if (pinned & them.pawns).nonzero() != 0 {
            pawn_count = pawn_count + pinned_pawn_replies::<V>(cpu, pieces, king);
        }
        NullReplies {
            count: (slider_count + knight_count + pawn_count).sum_parts(),
            sliders,
            rays,
            leaps,
            pawns,
            single_pushes: targets.single,
            double_pushes: targets.double,
            west_attacks,
            east_attacks,
            promotion_targets: (ahead | west_attacks | east_attacks) & V::splat(cpu, Black::LAST_RANK.0),
            push_blockers: ahead & ours,
            double_push_blockers: two_ahead & ours,
        }
    }
}

/// The number of slider moves in parts, the sliders by axis, and their attacks. A pinned slider moves along its pin
/// line.
#[inline(always)]
fn slider_replies<V: Vector>(cpu: V::Cpu, pieces: &Pieces<V>, king: &KingLines<V>) -> (V, [V; 4], Rays<V>) {
    let them = &pieces.them;
    let pinned = king.all_pinned();
    let [files, ranks, rising, falling] = pinned_off_axis(&king.pins);
    let sliders = [
        them.rooks.without(files),
        them.rooks.without(ranks),
        them.bishops.without(rising),
        them.bishops.without(falling),
    ];
    let mut attacks = pieces.their_attacks;
    if (pinned & (them.rooks | them.bishops)).nonzero() != 0 {
        attacks = slider_attacks::<V>(cpu, sliders, pieces.occupied);
    }
    let mut count = V::zero(cpu);
    for_each_direction!(|D| count = count + attacks[D].without(pieces.theirs).count_parts());
    (count, sliders, attacks)
}

/// The number of moves of the unpinned `knights` in parts, and their leaps.
#[inline(always)]
fn knight_replies<V: Vector>(cpu: V::Cpu, pieces: &Pieces<V>, knights: V) -> (V, [V; 8]) {
    let none = V::zero(cpu);
    if knights.nonzero() == 0 {
        return (none, [none; 8]);
    }
    let (mut count, leaps) = (none, leaps::<V>(cpu, knights));
    for set in leaps {
        count = count + set.without(pieces.theirs).count_parts();
    }
    (count, leaps)
}

/// The number of moves of their pinned pawns, in parts: pushes along a pin on the file, and captures of the pinner.
#[inline(always)]
fn pinned_pawn_replies<V: Vector>(cpu: V::Cpu, pieces: &Pieces<V>, king: &KingLines<V>) -> V {
    let pawns = pieces.them.pawns;
    let [files, _, rising, falling] = king.pins;
    let (west_axis, east_axis) = pawn_axes::<Black, V>(rising, falling);
    let movers = [pawns & files, pawns & west_axis, pawns & east_axis];
    LanePawnTargets::of::<Black>(cpu, movers, pieces.empty, pieces.ours).count_parts::<Black>(cpu)
}

/// The results of the stages so far. They do not change any more.
#[derive(Clone, Copy)]
pub struct Context<'a, V: Vector> {
    /// Proof that the CPU has the instructions.
    pub cpu: V::Cpu,
    /// The positions in memory.
    pub batch: &'a Batch,
    /// The positions in registers, with the attacks of all sliders.
    pub pieces: &'a Pieces<V>,
    /// The lines through their king.
    pub king: &'a KingLines<V>,
    /// Where their king may move.
    pub zone: &'a KingZone<V>,
    /// Their replies to a null move.
    pub null: &'a NullReplies<V>,
}
