//! The features of the evaluation: the index of each in the tables of weights.
//!
//! Used by `eval`, which counts them, and `weights`, which has a value for each.

/// Start index of each group of features in the table of weights. "Own" is the side that gets the credit.
pub mod feature {
    /// Soldier, horse, elephant, advisor, chariot, cannon.
    pub const MATERIAL: usize = 0;
    /// Piece type and square; each rank has five squares from the edge to the central file.
    pub const SQUARE: usize = MATERIAL + 6;
    /// Horse by the number of squares it reaches that are neither own pieces nor attacked by soldiers, elephants or
    /// advisors.
    pub const HORSE_MOBILITY: usize = SQUARE + 7 * 50;
    /// Chariot in the same way; squares attacked by horses and cannons are excluded too.
    pub const CHARIOT_MOBILITY: usize = HORSE_MOBILITY + 9;
    /// Cannon by the number of quiet moves to squares not attacked by soldiers.
    pub const CANNON_MOBILITY: usize = CHARIOT_MOBILITY + 18;
    /// Own horses, chariots, cannons and crossed soldiers, for each elephant the enemy has lost.
    pub const ELEPHANT_LOST: usize = CANNON_MOBILITY + 18;
    /// The same for each advisor lost.
    pub const ADVISOR_LOST: usize = ELEPHANT_LOST + 4;
    /// Two horses, elephants, advisors, chariots, cannons.
    pub const PAIR: usize = ADVISOR_LOST + 4;
    /// Horse and cannon together, chariot and horse, chariot and cannon.
    pub const TEAM: usize = PAIR + 5;
    /// No chariot.
    pub const NO_CHARIOT: usize = TEAM + 3;
    /// Horse, cannon, for each piece on the board.
    pub const CROWD: usize = NO_CHARIOT + 1;
    /// Cannon, for each own elephant and advisor.
    pub const CANNON_GUARDS: usize = CROWD + 2;
    /// Elephant defended by the other elephant; advisor defended by the other advisor.
    pub const LINKED: usize = CANNON_GUARDS + 1;
    /// Crossed soldier next to another one.
    pub const SOLDIERS_ABREAST: usize = LINKED + 2;
    /// Soldier that has not crossed and cannot advance.
    pub const SOLDIER_BLOCKED: usize = SOLDIERS_ABREAST + 1;
    /// Defended crossed soldier.
    pub const SOLDIER_GUARDED: usize = SOLDIER_BLOCKED + 1;
    /// Chariot on the enemy king's file or rank: by line (2), pieces between (4), and own ones among them (3).
    pub const CHARIOT_LINE: usize = SOLDIER_GUARDED + 1;
    /// The same for a cannon.
    pub const CANNON_LINE: usize = CHARIOT_LINE + 24;
    /// A single piece between the kings, and it is own.
    pub const KINGS_FACING: usize = CANNON_LINE + 24;
    /// Attacked enemy piece, by attacker (soldier, horse, elephant, advisor, chariot, cannon, king) and victim (six
    /// types).
    pub const THREAT: usize = KINGS_FACING + 1;
    /// Attacked and undefended enemy piece, by type (six).
    pub const HANGING: usize = THREAT + 7 * 6;
    /// Square attacked by both sides that the enemy does not defend well.
    pub const RESTRICTED: usize = HANGING + 6;
    /// Attacked square beyond the river.
    pub const SPACE: usize = RESTRICTED + 1;
    /// Number of safe steps of the king (0 to 4).
    pub const KING_STEPS: usize = SPACE + 1;
    /// Crossed soldier by distance to the enemy king (maximum of file and rank distance).
    pub const SOLDIER_DISTANCE: usize = KING_STEPS + 5;
    /// The same for the horse.
    pub const HORSE_DISTANCE: usize = SOLDIER_DISTANCE + 10;
    /// Side to move.
    pub const TEMPO: usize = HORSE_DISTANCE + 10;
    /// Number of features.
    pub const COUNT: usize = TEMPO + 1;
}

/// Index of each king-attack term in the table of dangers.
pub mod danger {
    /// Soldier, horse, chariot, cannon that attacks the palace.
    pub const ATTACKER: usize = 0;
    /// Attacked square of the palace, for each attacker.
    pub const ATTACK: usize = ATTACKER + 4;
    /// Attacked square next to the king, or the king's square, for each attacker.
    pub const NEAR: usize = ATTACK + 1;
    /// Safe check by soldier, horse, chariot, cannon.
    pub const SAFE_CHECK: usize = NEAR + 1;
    /// Palace square that is attacked and defended at most by the king.
    pub const WEAK_SQUARE: usize = SAFE_CHECK + 4;
    /// Advisor missing, elephant missing.
    pub const MISSING: usize = WEAK_SQUARE + 1;
    /// The attacker has no chariot.
    pub const NO_CHARIOT: usize = MISSING + 2;
    /// Cannon with nothing between it and the king.
    pub const HOLLOW_CANNON: usize = NO_CHARIOT + 1;
    /// Cannon on the king's file or rank with at least one piece between.
    pub const AIMED_CANNON: usize = HOLLOW_CANNON + 1;
    /// Single piece that blocks a check by a chariot or king.
    pub const SHIELD: usize = AIMED_CANNON + 1;
    /// King off the central file; ranks above the first.
    pub const KING_OUT: usize = SHIELD + 1;
    /// Attacking piece (horse, chariot, cannon, soldier) beyond the river.
    pub const ACROSS: usize = KING_OUT + 2;
    /// Defending horse, chariot or cannon on its own half.
    pub const DEFENDER: usize = ACROSS + 1;
    /// Constant term.
    pub const BASE: usize = DEFENDER + 1;
    /// Number of terms.
    pub const COUNT: usize = BASE + 1;
}

/// Number of features.
pub const FEATURES: usize = feature::COUNT;
/// Number of king-attack terms.
pub const DANGERS: usize = danger::COUNT;
