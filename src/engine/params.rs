//! The search's switches and constants, in one place, so that each heuristic can be measured by a match
//! against the engine without it.
//!
//! Set at the start of a search and read-only from then on. The defaults are what plays.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:expr,)*) => {
        /// Every switch (0 or 1) and constant of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
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
    /// Aspiration windows.
    aspiration: 1,
    /// First half-width of an aspiration window.
    aspiration_width: 14,
    /// Null move pruning.
    null_move: 1,
    /// Null move: constant part of the reduction, in plies.
    null_base: 3,
    /// Verification of null move cut-offs at great depth.
    null_verification: 1,
    /// Late move reductions.
    reductions: 1,
    /// Reductions: constant part, in 1/1024 plies.
    reduction_base: 800,
    /// Reductions: divisor of the product of logarithms, in hundredths.
    reduction_slope: 225,
    /// Reductions: added where a cut-off is expected.
    reduction_cut: 2048,
    /// Reductions: added where the evaluation does not improve.
    reduction_worse: 1024,
    /// Reductions: a history value is divided by this.
    reduction_history: 14,
    /// Reverse futility pruning.
    reverse_futility: 1,
    /// Reverse futility margin for each ply.
    reverse_futility_margin: 75,
    /// Razoring.
    razoring: 1,
    /// Razoring margin for each ply.
    razoring_margin: 220,
    /// Futility pruning of quiet moves.
    futility: 1,
    /// Futility margin for each ply.
    futility_margin: 85,
    /// Late move pruning.
    late_move_pruning: 1,
    /// Pruning of moves that lose material.
    see_pruning: 1,
    /// SEE margin of quiet moves, for each ply.
    see_quiet_margin: 60,
    /// SEE margin of captures, for each ply.
    see_noisy_margin: 90,
    /// Pruning of quiet moves with bad history.
    history_pruning: 1,
    /// Butterfly history.
    history: 1,
    /// Continuation history.
    continuation: 1,
    /// Capture history.
    capture_history: 1,
    /// Killer moves and counter moves.
    killers: 1,
    /// Internal iterative reduction.
    iterative_reduction: 1,
    /// Singular extensions.
    singular: 1,
    /// Check extensions.
    check_extension: 1,
    /// Correction history.
    correction: 1,
    /// Corrections: weight of pawn structures, in 128ths.
    correction_pawns: 96,
    /// Corrections: weight of either side's pieces, in 128ths.
    correction_pieces: 96,
    /// Corrections: weight of the last two moves, in 128ths.
    correction_moves: 96,
    /// Butterfly history tells squares that the opponent attacks from others.
    threats: 1,
    /// History by pawn structure: weight, in 128ths.
    structure_history: 128,
    /// Reverse futility pruning: largest depth.
    reverse_futility_depth: 8,
    /// Cut-offs by the table teach the history.
    table_cut_history: 1,
    /// A node that fails low teaches that the move before was good.
    reply_history: 1,
    /// What a move changed in the evaluation teaches the history.
    evaluation_history: 1,
    /// Singular search: margin for each ply, in 64ths.
    singular_margin: 128,
    /// Singular search: how much worse all others are for two plies.
    singular_double: 24,
    /// Singular search: least depth.
    singular_depth: 7,
    /// Null move: margin of the evaluation over beta, less 20 for each ply.
    null_margin: 120,
    /// Null move: the evaluation's lead for another ply.
    null_lead: 200,
    /// Late move pruning: moves at depth 0, in 64ths.
    late_base: 192,
    /// Late move pruning: moves for each square of the depth, in 64ths.
    late_slope: 64,
    /// History pruning: least history for each ply.
    history_margin: 7500,
    /// Futility: constant part of the margin.
    futility_base: 100,
    /// Probability cut-offs: margin.
    prob_cut_margin: 170,
    /// Quiescence search: what a capture may win beyond its victim.
    quiescence_margin: 150,
    /// Reductions: taken off on a principal variation, once for the node and once for its memory.
    reduction_pv: 1024,
    /// Reductions: taken off for checks.
    reduction_check: 1024,
    /// Reductions: taken off for killers.
    reduction_killer: 1024,
    /// Reductions: added where the table move is noisy.
    reduction_noisy: 768,
    /// Reductions: added where children were cut often.
    reduction_cutoffs: 768,
    /// History: bonus for each ply.
    bonus: 160,
    /// History: largest bonus.
    bonus_limit: 1700,
    /// History: malus for each ply.
    malus: 180,
    /// History: largest malus.
    malus_limit: 1500,
    /// Losing captures are left out of the quiescence search.
    quiescence_see: 1,
    /// Futility pruning in the quiescence search.
    quiescence_futility: 1,
    /// Probability cut-offs by captures.
    prob_cut: 1,
    /// The transposition table gives cut-offs.
    table_cuts: 1,
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

impl Params {
    /// The default with as much pruning as is wanted.
    pub fn with_pruning(pruning: Pruning) -> Params {
        let mut params = Params::default();
        if pruning == Pruning::Large {
            return params;
        }
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
        params
    }

    /// What a good move earns at `depth`.
    #[inline(always)]
    pub(super) fn bonus(&self, depth: i32) -> i32 {
        (self.bonus * depth - 80).min(self.bonus_limit)
    }

    /// What the moves before it lose.
    #[inline(always)]
    pub(super) fn malus(&self, depth: i32) -> i32 {
        (self.malus * depth - 60).min(self.malus_limit)
    }

    /// Whether a switch is on.
    #[inline(always)]
    pub(super) fn on(switch: i32) -> bool {
        switch != 0
    }
}
