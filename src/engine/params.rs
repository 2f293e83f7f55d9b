//! The search's switches and constants, in one place, so that each heuristic can be measured by a match
//! against the engine without it.
//!
//! Set at the start of a search and read-only from then on. Those of [`Params::of`] are what plays.

use crate::game::Playable;

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:expr,)*) => {
        /// Every switch (0 or 1) and constant of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// What plays chess, and another game where it says nothing else.
            const COMMON: Params = Params { $($name: $default,)* };

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
    aspiration_width: 8,
    /// Null move pruning.
    null_move: 1,
    /// Null move: constant part of the reduction, in plies.
    null_base: 4,
    /// Null move: what the evaluation may be lower for each ply of depth.
    null_slope: 8,
    /// No null move where the table says less than the evaluation.
    null_table: 1,
    /// Verification of null move cut-offs at great depth.
    null_verification: 1,
    /// Late move reductions.
    reductions: 1,
    /// Reductions: constant part, in 1/1024 plies.
    reduction_base: 800,
    /// Reductions: divisor of the product of logarithms, in hundredths.
    reduction_slope: 250,
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
    futility_margin: 60,
    /// Late move pruning.
    late_move_pruning: 1,
    /// Pruning of moves that lose material.
    see_pruning: 1,
    /// SEE margin of quiet moves, for each ply.
    see_quiet_margin: 60,
    /// SEE margin of captures, for each ply.
    see_noisy_margin: 90,
    /// SEE margin of checks, for each ply; 0: they are all searched.
    see_check_margin: 105,
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
    /// They also teach which moves were bad.
    table_cut_malus: 1,
    /// What becomes of a late move in its second search teaches the history.
    second_search_history: 1,
    /// A node that fails low teaches that the move before was good.
    reply_history: 1,
    /// What a move changed in the evaluation teaches the history.
    evaluation_history: 1,
    /// Singular search: margin for each ply, in 64ths.
    singular_margin: 64,
    /// Singular search: how much worse all others are for two plies.
    singular_double: 34,
    /// Singular search: least depth.
    singular_depth: 7,
    /// Singular search: where the table says that the move reaches beta, whether another one does as well.
    singular_again: 1,
    /// Null move: margin of the evaluation over beta, less `null_slope` for each ply.
    null_margin: 60,
    /// Null move: the evaluation's lead for another ply.
    null_lead: 80,
    /// Late move pruning: moves at depth 0, in 64ths.
    late_base: 192,
    /// Late move pruning: moves for each square of the depth, in 64ths.
    late_slope: 64,
    /// History pruning: least history for each ply.
    history_margin: 7500,
    /// Futility: constant part of the margin.
    futility_base: 70,
    /// Probability cut-offs: margin.
    prob_cut_margin: 80,
    /// Probability cut-offs: captures tried, and two more where a cut-off is expected.
    prob_cut_moves: 2,
    /// Quiescence search: captures tried before all but checks are left out.
    quiescence_moves: 2,
    /// Quiescence search: what a capture may win beyond its victim.
    quiescence_margin: 60,
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
    /// Reductions: taken off for the others where a quiet table move is singular.
    reduction_singular: 1024,
    /// Reductions: taken off after a move that came late itself.
    reduction_after_late: 1024,
    /// Early moves whose reduction is negative are searched a ply deeper.
    negative_reductions: 1,
    /// Whether a node counts as one of a principal variation follows from those around it.
    pv_update: 1,
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
    /// Probability cut-offs: what the margin is narrower where the evaluation improves.
    prob_cut_improving: 16,
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
    /// What plays the game `P`.
    pub fn of<P: Playable>() -> Params {
        let mut params = Params::COMMON;
        for (name, value) in P::PARAMS {
            let param = params.by_name(name);
            debug_assert!(param.is_some(), "{name} is no parameter");
            param.into_iter().for_each(|param| *param = *value);
        }
        params
    }

    /// The same with as much pruning as is wanted.
    pub fn with_pruning(mut self, pruning: Pruning) -> Params {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess, xiangqi};

    /// Whether all parameters that the game `P` names exist and are not what they are anyway.
    fn names_what_differs<P: Playable>() -> bool {
        let mut common = Params::COMMON;
        P::PARAMS.iter().all(|(name, value)| common.by_name(name).is_some_and(|p| p != value))
    }

    #[test]
    fn games_name_parameters_that_differ() {
        assert!(names_what_differs::<chess::Position>());
        assert!(names_what_differs::<xiangqi::Position>());
        assert_eq!(Params::of::<chess::Position>(), Params::COMMON);
        for (name, value) in xiangqi::Position::PARAMS {
            let mut params = Params::of::<xiangqi::Position>();
            assert_eq!(params.by_name(name), Some(&mut value.clone()), "{name}");
        }
    }
}
