//! What the evaluation looks at: the place of each feature in the tables of weights.
//!
//! Read by `eval`, which counts, and `weights`, which holds a value for each. Nothing is computed here.

/// Where each group of features begins in the table of weights. "Own" is the side that is credited.
pub mod feature {
    /// Soldier, horse, elephant, advisor, chariot, cannon.
    pub const MATERIAL: usize = 0;
    /// Kind and square; each rank has five squares from the edge to the central file.
    pub const SQUARE: usize = MATERIAL + 6;
    /// Horse by number of squares it reaches that are neither own pieces nor attacked by soldiers, elephants or
    /// advisors.
    pub const HORSE_MOBILITY: usize = SQUARE + 7 * 50;
    /// The same for the chariot; squares attacked by horses and cannons are left out as well.
    pub const CHARIOT_MOBILITY: usize = HORSE_MOBILITY + 9;
    /// Cannon by number of quiet moves to squares that soldiers do not attack.
    pub const CANNON_MOBILITY: usize = CHARIOT_MOBILITY + 18;
    /// Own horses, chariots, cannons, crossed soldiers for each elephant that the enemy has lost.
    pub const ELEPHANT_LOST: usize = CANNON_MOBILITY + 18;
    /// The same for each lost advisor.
    pub const ADVISOR_LOST: usize = ELEPHANT_LOST + 4;
    /// Two horses, elephants, advisors, chariots, cannons.
    pub const PAIR: usize = ADVISOR_LOST + 4;
    /// Horse and cannon together, chariot and horse, chariot and cannon.
    pub const TEAM: usize = PAIR + 5;
    /// No chariot.
    pub const NO_CHARIOT: usize = TEAM + 3;
    /// Horse, cannon for each piece on the board.
    pub const CROWD: usize = NO_CHARIOT + 1;
    /// Cannon for each own elephant and advisor.
    pub const CANNON_GUARDS: usize = CROWD + 2;
    /// Elephant guarded by the other one; advisor guarded by the other one.
    pub const LINKED: usize = CANNON_GUARDS + 1;
    /// Crossed soldier beside another one.
    pub const SOLDIERS_ABREAST: usize = LINKED + 2;
    /// Soldier that has not crossed and cannot advance.
    pub const SOLDIER_BLOCKED: usize = SOLDIERS_ABREAST + 1;
    /// Crossed soldier that a piece guards.
    pub const SOLDIER_GUARDED: usize = SOLDIER_BLOCKED + 1;
    /// Chariot on the enemy king's file or rank: line (2), pieces between (4), own ones among them (3).
    pub const CHARIOT_LINE: usize = SOLDIER_GUARDED + 1;
    /// The same for a cannon.
    pub const CANNON_LINE: usize = CHARIOT_LINE + 24;
    /// One piece between the kings: it is own.
    pub const KINGS_FACING: usize = CANNON_LINE + 24;
    /// Attacked enemy piece: by (soldier, horse, elephant, advisor, chariot, cannon, king), what (six kinds).
    pub const THREAT: usize = KINGS_FACING + 1;
    /// Attacked and not guarded enemy piece by kind (six).
    pub const HANGING: usize = THREAT + 7 * 6;
    /// Square that both attack and the enemy does not guard well.
    pub const RESTRICTED: usize = HANGING + 6;
    /// Square beyond the river that is attacked.
    pub const SPACE: usize = RESTRICTED + 1;
    /// Squares to which the king can step safely (0 to 4).
    pub const KING_STEPS: usize = SPACE + 1;
    /// Crossed soldier by distance to the enemy king (the longer of files and ranks).
    pub const SOLDIER_DISTANCE: usize = KING_STEPS + 5;
    /// The same for the horse.
    pub const HORSE_DISTANCE: usize = SOLDIER_DISTANCE + 10;
    /// Being to move.
    pub const TEMPO: usize = HORSE_DISTANCE + 10;
    /// Number of features.
    pub const COUNT: usize = TEMPO + 1;
}

/// Where each part of the attack on a king stands in the table of dangers.
pub mod danger {
    /// Soldier, horse, chariot, cannon that attacks the palace.
    pub const ATTACKER: usize = 0;
    /// Attacked square of the palace, for each attacker.
    pub const ATTACK: usize = ATTACKER + 4;
    /// Attacked square beside the king or its own, for each attacker.
    pub const NEAR: usize = ATTACK + 1;
    /// Safe check by soldier, horse, chariot, cannon.
    pub const SAFE_CHECK: usize = NEAR + 1;
    /// Square of the palace that is attacked and guarded by the king at most.
    pub const WEAK_SQUARE: usize = SAFE_CHECK + 4;
    /// Advisor missing, elephant missing.
    pub const MISSING: usize = WEAK_SQUARE + 1;
    /// The attacker has no chariot.
    pub const NO_CHARIOT: usize = MISSING + 2;
    /// Cannon with nothing between it and the king.
    pub const HOLLOW_CANNON: usize = NO_CHARIOT + 1;
    /// Cannon on the king's file or rank with more pieces between.
    pub const AIMED_CANNON: usize = HOLLOW_CANNON + 1;
    /// Piece without which a chariot or king would give check.
    pub const SHIELD: usize = AIMED_CANNON + 1;
    /// King off its central file, ranks above the first.
    pub const KING_OUT: usize = SHIELD + 1;
    /// Attacking piece (horse, chariot, cannon, soldier) beyond the river.
    pub const ACROSS: usize = KING_OUT + 2;
    /// Defending horse, chariot or cannon on its own half.
    pub const DEFENDER: usize = ACROSS + 1;
    /// Always.
    pub const BASE: usize = DEFENDER + 1;
    /// Number of parts.
    pub const COUNT: usize = BASE + 1;
}

/// Number of features.
pub const FEATURES: usize = feature::COUNT;
/// Number of parts of the attack on a king.
pub const DANGERS: usize = danger::COUNT;
