//! The switches and constants of the search, in one place and grouped by heuristic, so that each can be measured by a
//! match against the engine without it.
//!
//! [`SearchParams::COMMON`] plays chess; another game says in [`super::Playable::PARAMS`] what differs. Read by
//! `engine`, and changed by name by the tools that tune them.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:expr,)*) => {
        /// Every switch (0 or 1) and constant of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct SearchParams {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl SearchParams {
            /// What plays chess, and the rest of the games where they say nothing else.
            pub const COMMON: SearchParams = SearchParams { $($name: $default,)* };

            /// The names of all parameters.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The parameter called `name`.
            pub fn by_name(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

params! {
    // --- aspiration windows ---
    /// Aspiration windows.
    aspiration: 1,
    /// First half-width of an aspiration window.
    aspiration_width: 8,

    // --- transposition table ---
    /// The transposition table gives cut-offs.
    table_cuts: 1,
    /// But not so many plies before the move counter makes the game a draw: what it says may be too late.
    table_cut_plies: 10,
    /// Cut-offs by the table teach the history.
    table_cut_history: 1,
    /// They also teach which moves were bad.
    table_cut_malus: 1,
    /// Whether a node counts as one of a principal variation follows from those around it.
    pv_update: 1,

    // --- extensions and iterative reduction ---
    /// Check extensions.
    check_extension: 1,
    /// Internal iterative reduction.
    iterative_reduction: 1,
    /// Singular extensions.
    singular: 1,
    /// Singular search: least depth.
    singular_depth: 7,
    /// Singular search: margin for each ply, in 64ths.
    singular_margin: 64,
    /// Singular search: how much worse all others are for two plies.
    singular_double: 34,
    /// Singular search: where the table says that the move reaches beta, whether another one does as well.
    singular_again: 1,

    // --- razoring and reverse futility pruning ---
    /// Razoring.
    razoring: 1,
    /// Razoring margin for each ply.
    razoring_margin: 220,
    /// Reverse futility pruning.
    reverse_futility: 1,
    /// Reverse futility pruning: largest depth.
    reverse_futility_depth: 8,
    /// Reverse futility margin for each ply.
    reverse_futility_margin: 75,

    // --- null move pruning ---
    /// Null move pruning.
    null_move: 1,
    /// Null move: constant part of the reduction, in plies.
    null_base: 4,
    /// Null move: what the evaluation may be lower for each ply of depth.
    null_slope: 8,
    /// Null move: margin of the evaluation over beta, less `null_slope` for each ply.
    null_margin: 60,
    /// Null move: the evaluation's lead for another ply.
    null_lead: 80,
    /// No null move where the table says less than the evaluation.
    null_table: 1,
    /// Verification of null move cut-offs at great depth.
    null_verification: 1,

    // --- probability cut-offs ---
    /// Probability cut-offs by captures.
    prob_cut: 1,
    /// Probability cut-offs: margin.
    prob_cut_margin: 80,
    /// Probability cut-offs: what the margin is narrower where the evaluation improves.
    prob_cut_improving: 16,
    /// Probability cut-offs: captures tried, and two more where a cut-off is expected.
    prob_cut_moves: 2,

    // --- pruning of single moves ---
    /// Late move pruning.
    late_move_pruning: 1,
    /// Late move pruning: moves at depth 0, in 64ths.
    late_base: 192,
    /// Late move pruning: moves for each square of the depth, in 64ths.
    late_slope: 64,
    /// Pruning of quiet moves with bad history.
    history_pruning: 1,
    /// History pruning: least history for each ply.
    history_margin: 7500,
    /// Futility pruning of quiet moves.
    futility: 1,
    /// Futility: constant part of the margin.
    futility_base: 70,
    /// Futility margin for each ply.
    futility_margin: 60,
    /// Futility: a history value is divided by this and added to the margin.
    futility_history: 256,
    /// Pruning of moves that lose material.
    see_pruning: 1,
    /// SEE margin of quiet moves, for each ply.
    see_quiet_margin: 60,
    /// SEE margin of captures, for each ply.
    see_noisy_margin: 90,
    /// SEE margin of checks, for each ply; 0: they are all searched.
    see_check_margin: 105,

    // --- late move reductions ---
    /// Late move reductions.
    reductions: 1,
    /// Reductions: constant part, in 1/1024 plies.
    reduction_base: 800,
    /// Reductions: divisor of the product of logarithms, in hundredths.
    reduction_slope: 250,
    /// Reductions: added where the evaluation does not improve.
    reduction_worse: 1024,
    /// Reductions: added where a cut-off is expected.
    reduction_cut: 2048,
    /// Reductions: taken off on a principal variation, once for the node and once for its memory.
    reduction_pv: 1024,
    /// Reductions: taken off for checks.
    reduction_check: 1024,
    /// Reductions: taken off for killers.
    reduction_killer: 1024,
    /// Reductions: added where the table move is noisy.
    reduction_noisy: 768,
    /// Reductions: a history value is divided by this.
    reduction_history: 14,
    /// Reductions: taken off for captures.
    reduction_capture: 1024,
    /// Reductions: taken off for captures that lose material.
    reduction_losing_capture: 512,
    /// Reductions: the history of a capture is divided by this.
    reduction_capture_history: 8,
    /// Reductions: taken off for the others where a quiet table move is singular.
    reduction_singular: 1024,
    /// Reductions: taken off after a move that came late itself.
    reduction_after_late: 1024,
    /// Reductions: a move behind more than so many others came late itself.
    late_count: 13,
    /// Reductions: added where children were cut often.
    reduction_cutoffs: 768,
    /// Early moves whose reduction is negative are searched a ply deeper.
    negative_reductions: 1,

    // --- quiescence search ---
    /// Losing captures are left out of the quiescence search.
    quiescence_see: 1,
    /// Futility pruning in the quiescence search.
    quiescence_futility: 1,
    /// Quiescence search: what a capture may win beyond its victim.
    quiescence_margin: 60,
    /// Quiescence search: captures tried before all but checks are left out.
    quiescence_moves: 2,

    // --- what orders moves ---
    /// Butterfly history.
    history: 1,
    /// Continuation history.
    continuation: 1,
    /// Capture history.
    capture_history: 1,
    /// Killer moves and counter moves.
    killers: 1,
    /// Butterfly history tells squares that the opponent attacks from others.
    threats: 1,
    /// History by pawn structure: weight, in 128ths.
    structure_history: 128,

    // --- what histories learn ---
    /// History: bonus for each ply.
    bonus: 160,
    /// History: what every bonus is smaller.
    bonus_offset: 80,
    /// History: largest bonus.
    bonus_limit: 1700,
    /// History: a move this far above beta is learnt as one a ply deeper.
    bonus_margin: 100,
    /// History: malus for each ply.
    malus: 180,
    /// History: what every malus is smaller.
    malus_offset: 60,
    /// History: largest malus.
    malus_limit: 1500,
    /// What becomes of a late move in its second search teaches the history.
    second_search_history: 1,
    /// A node that fails low teaches that the move before was good.
    reply_history: 1,
    /// What a move changed in the evaluation teaches the history.
    evaluation_history: 1,
    /// History by evaluation: bonus for each centipawn.
    evaluation_bonus: 10,
    /// History by evaluation: largest bonus.
    evaluation_bonus_limit: 1200,

    // --- corrections of the evaluation ---
    /// Correction history.
    correction: 1,
    /// Corrections: weight of pawn structures, in 128ths.
    correction_pawns: 96,
    /// Corrections: weight of either side's pieces, in 128ths.
    correction_pieces: 96,
    /// Corrections: weight of the last two moves, in 128ths.
    correction_moves: 96,
}

/// How much of the tree is left out on suspicion. Less finds more in composed positions, later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pruning {
    /// Every move is searched to the full depth.
    None,
    /// Late moves are searched less deep; null moves settle nodes.
    Small,
    /// Margins settle nodes near the leaves as well.
    Medium,
    /// All of it.
    Large,
}

impl SearchParams {
    /// The same with as much pruning as is wanted.
    pub fn with_pruning(mut self, pruning: Pruning) -> SearchParams {
        if pruning == Pruning::Large {
            return self;
        }
        let params = &mut self;
        // What looks at single moves only: the first to miss a sacrifice.
        for switch in [
            &mut params.futility,
            &mut params.late_move_pruning,
            &mut params.see_pruning,
            &mut params.history_pruning,
            &mut params.prob_cut,
        ] {
            *switch = 0;
        }
        if pruning != Pruning::Medium {
            for switch in [&mut params.reverse_futility, &mut params.razoring] {
                *switch = 0;
            }
        }
        if pruning == Pruning::None {
            for switch in [&mut params.null_move, &mut params.reductions] {
                *switch = 0;
            }
        }
        self
    }

    /// What a good move earns at `depth`.
    #[inline(always)]
    pub fn bonus(&self, depth: i32) -> i32 {
        (self.bonus * depth - self.bonus_offset).min(self.bonus_limit)
    }

    /// What the moves before it lose.
    #[inline(always)]
    pub fn malus(&self, depth: i32) -> i32 {
        (self.malus * depth - self.malus_offset).min(self.malus_limit)
    }

    /// Whether a switch is on.
    #[inline(always)]
    pub fn on(switch: i32) -> bool {
        switch != 0
    }
}
