//! What the evaluation looks at: the place of each feature in the tables of weights.
//!
//! Read by `eval` and `pawns`, which count, and `weights`, which holds a value for each. Nothing is computed
//! here.

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
