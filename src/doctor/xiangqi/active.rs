//! Which faults can show within some plies of a position: cheap tests, which spare the slow generator with faults most
//! of its work.
//!
//! A test may say yes too often, never too rarely. A kind that no test names can show wherever its side moves, and any
//! kind can if the opponent moves before.

use super::tables::XiangqiFault::{self, *};
use crate::doctor::faults::Engines;
use crate::game::Side;
use crate::xiangqi::board::Position;
use crate::xiangqi::board::tables;
use crate::xiangqi::types::{Bitboard, Kind};

/// The bits of some kinds.
const fn of(kinds: &[XiangqiFault]) -> Engines {
    let (mut set, mut i) = (0, 0);
    while i < kinds.len() {
        set |= 1 << kinds[i] as u32;
        i += 1;
    }
    set
}

const HORSES: Engines = of(&[HorseLegIgnored, HorseLegAtTarget, HorseWraps]);
const ELEPHANTS: Engines = of(&[ElephantEyeIgnored]);
const AT_RIVER: Engines = of(&[ElephantCrossesRiver]);
const ADVISORS: Engines = of(&[AdvisorLeavesPalace, AdvisorStraight]);
const KING_AHEAD: Engines = of(&[KingLeavesPalaceAhead]);
const KING_ASIDE: Engines = of(&[KingLeavesPalaceAside]);
/// Of soldiers on these ranks and beyond, as their side sees it, or before.
const SOLDIERS_BEFORE: Engines = of(&[SoldierSidewaysEarly, SoldierSidewaysAtRiver]);
const SOLDIERS_BEYOND: Engines = of(&[SoldierSidewaysLate, SoldierNeverSideways, SoldierBackwards, SoldierWraps]);
const SOLDIERS_LAST: Engines = of(&[SoldierStuck]);
const CHARIOTS: Engines = of(&[ChariotJumps, ChariotWraps]);
const CANNONS: Engines =
    of(&[CannonWithoutScreen, CannonTwoScreens, CannonJumps, CannonOwnScreenRefused, CannonTheirScreenRefused]);
const FACING: Engines = of(&[KingsMayFace, KingStepsToFace, PieceOpensKings]);
const BY_CHARIOT: Engines = of(&[ChariotPinIgnored, ChariotRankPinIgnored, KingShieldsLine]);
const BY_CANNON: Engines = of(&[
    CannonPinIgnored,
    CannonScreenIgnored,
    CannonCheckIgnored,
    CannonChecksOpenly,
    CannonChecksOverTwo,
    CannonScreenMayNotLeave,
]);
const BY_HORSE: Engines = of(&[HorseCheckIgnored, HorseChecksBlocked, HorseLegAtKing, HorsePinIgnored]);
const BY_SOLDIER: Engines = of(&[SoldierCheckIgnored, SoldierSideCheckIgnored, SoldierChecksBackwards]);
const IN_CHECK: Engines = of(&[CheckNotAnswered, CaptureDoesNotAnswer]);
const ATTACKED: Engines = of(&[KingIntoAttack, KingTakesProtected]);
const KING_LEFT: Engines = of(&[AnyMove]);

/// The kinds that a test below names.
const TESTED: Engines = HORSES
    | ELEPHANTS
    | AT_RIVER
    | ADVISORS
    | KING_AHEAD
    | KING_ASIDE
    | SOLDIERS_BEFORE
    | SOLDIERS_BEYOND
    | SOLDIERS_LAST
    | CHARIOTS
    | CANNONS
    | FACING
    | BY_CHARIOT
    | BY_CANNON
    | BY_HORSE
    | BY_SOLDIER
    | IN_CHECK
    | ATTACKED
    | KING_LEFT;

/// The kinds of `side` that may show within `plies` plies; see `Diagnosis::active`.
pub(super) fn kinds(pos: &Position, side: Side, plies: u32) -> Engines {
    match (side == pos.side(), plies) {
        (true, 1 | 2) => now(pos),
        (false, 1) => 0,
        _ => Engines::MAX,
    }
}

/// `kinds` if the condition holds.
fn when(condition: bool, kinds: Engines) -> Engines {
    if condition { kinds } else { 0 }
}

/// The kinds that may show in the next move.
fn now(pos: &Position) -> Engines {
    let (us, them) = (pos.side(), pos.side().flip());
    let own = |kind| pos.pieces(us, kind);
    let has = |kind| !own(kind).is_empty();
    let rank = |rank: i32| Bitboard::rank(if us == Side::First { rank } else { 9 - rank });
    let (king, other) = (pos.king(us), pos.king(them));
    let (soldiers, beyond) = (own(Kind::Soldier), !Bitboard::half_of(us));
    // Whether an enemy of this kind stands on a file or rank of the king or next to it.
    let lined = |kind| {
        let mut pieces = pos.pieces(them, kind).into_iter();
        pieces.any(|at| (at.file() - king.file()).abs() <= 1 || (at.rank() - king.rank()).abs() <= 1)
    };
    let near = |kind, most| pos.pieces(them, kind).into_iter().any(|at| at.distance(king) <= most);
    let (chariot, cannon) = (lined(Kind::Chariot), lined(Kind::Cannon));
    let (horse, soldier) = (near(Kind::Horse, 3), near(Kind::Soldier, 2));
    let facing = match (king.file() - other.file()).abs() {
        0 => (tables::between(king, other) & pos.occupied()).count() <= 1,
        apart => apart == 1,
    };
    let checked = pos.in_check();
    !TESTED
        | when(has(Kind::Horse), HORSES)
        | when(has(Kind::Elephant), ELEPHANTS)
        | when(own(Kind::Elephant).meets(rank(4)), AT_RIVER)
        | when(has(Kind::Advisor), ADVISORS)
        | when(Bitboard::of(king).meets(rank(2)), KING_AHEAD)
        | when(matches!(king.file(), 3 | 5), KING_ASIDE)
        | when(soldiers.meets(Bitboard::half_of(us)), SOLDIERS_BEFORE)
        | when(soldiers.meets(beyond), SOLDIERS_BEYOND)
        | when(soldiers.meets(rank(9)), SOLDIERS_LAST)
        | when(has(Kind::Chariot), CHARIOTS)
        | when(has(Kind::Cannon), CANNONS)
        | when(facing, FACING)
        | when(chariot, BY_CHARIOT)
        | when(cannon, BY_CANNON)
        | when(horse, BY_HORSE)
        | when(soldier, BY_SOLDIER)
        | when(checked, IN_CHECK)
        | when(chariot || cannon || horse || soldier, ATTACKED)
        | when(facing || chariot || cannon || horse || soldier || checked, KING_LEFT)
}
