//! The constants of the search, but for some limits of depth, grouped by heuristic, so that a match can measure and
//! tune them by name. Both games use every heuristic.
//!
//! Chess uses [`SearchParams::COMMON`]; another game overrides what differs in
//! [`Searchable::PARAMS`](super::searchable::Searchable::PARAMS).

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:expr,)*) => {
        /// Every constant of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct SearchParams {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl SearchParams {
            /// The values for chess, and the defaults of the other games.
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
    /// How much is pruned without proof: a [`Pruning`] as a number.
    pruning: 3,

    // --- aspiration windows ---
    /// First half-width of an aspiration window.
    aspiration_width: 8,

    // --- transposition table ---
    /// No table cutoffs this close to a draw by the move counter, in plies: the stored score may be out of date.
    table_cut_plies: 10,

    // --- extensions and iterative reduction ---
    /// Singular extensions: minimum depth.
    singular_depth: 7,
    /// Singular extensions: margin per ply of depth, in 64ths of a centipawn.
    singular_margin: 64,
    /// Singular extensions: further margin for an extension of two plies.
    singular_double: 34,

    // --- razoring and reverse futility pruning ---
    /// Razoring: margin per ply.
    razoring_margin: 220,
    /// Reverse futility pruning: maximum depth.
    reverse_futility_depth: 8,
    /// Reverse futility pruning: margin per ply.
    reverse_futility_margin: 75,

    // --- null-move pruning ---
    /// Null move: base reduction, in plies.
    null_base: 4,
    /// Null move: the required static evaluation falls by this per ply of depth.
    null_slope: 8,
    /// Null move: required margin of the static evaluation over beta, at depth 0.
    null_margin: 60,
    /// Null move: evaluation surplus over beta per extra ply of reduction (at most three plies).
    null_lead: 80,

    // --- ProbCut ---
    /// ProbCut: margin over beta.
    prob_cut_margin: 80,
    /// ProbCut: the margin is smaller by this if the evaluation is improving.
    prob_cut_improving: 16,
    /// ProbCut: number of captures tried; two more at expected cut nodes.
    prob_cut_moves: 2,

    // --- move pruning ---
    /// Late move pruning: number of moves at depth 0, in 64ths.
    late_base: 192,
    /// Late move pruning: factor of the squared depth, in 64ths.
    late_slope: 64,
    /// History pruning: minimum history per ply (negated).
    history_margin: 7500,
    /// Futility pruning: base margin.
    futility_base: 70,
    /// Futility pruning: margin per ply.
    futility_margin: 60,
    /// Futility pruning: the history divided by this is added to the margin.
    futility_history: 256,
    /// SEE pruning: margin for quiet moves, per ply.
    see_quiet_margin: 60,
    /// SEE pruning: margin for captures, per ply.
    see_noisy_margin: 90,
    /// SEE pruning: margin for checks, per ply; 0 = never prune checks.
    see_check_margin: 105,

    // --- late move reductions ---
    /// Reductions: base, in 1024ths of a ply. The other reductions are in the same unit.
    reduction_base: 800,
    /// Reductions: divisor of log(depth) × log(move count), in hundredths.
    reduction_slope: 250,
    /// Reductions: more if the evaluation is not improving.
    reduction_worse: 1024,
    /// Reductions: more at expected cut nodes.
    reduction_cut: 2048,
    /// Reductions: less at PV nodes, and again less if the PV flag of the node is set.
    reduction_pv: 1024,
    /// Reductions: less for checks.
    reduction_check: 1024,
    /// Reductions: less for killers.
    reduction_killer: 1024,
    /// Reductions: more if the table move is a capture or promotion.
    reduction_noisy: 768,
    /// Reductions: divisor of the history, which is subtracted.
    reduction_history: 14,
    /// Reductions: less for captures.
    reduction_capture: 1024,
    /// Reductions: less for captures that lose material (instead of `reduction_capture`).
    reduction_losing_capture: 512,
    /// Reductions: divisor of the capture history, which is subtracted.
    reduction_capture_history: 8,
    /// Reductions: more if the child nodes failed high often.
    reduction_cutoffs: 768,

    // --- quiescence search ---
    /// Quiescence search: futility margin.
    quiescence_margin: 60,
    /// Quiescence search: after this many moves only checks are tried.
    quiescence_moves: 2,

    // --- move ordering ---
    /// Pawn-structure history: weight, in 128ths.
    structure_history: 128,

    // --- history updates ---
    /// History: bonus per ply.
    bonus: 160,
    /// History: subtracted from every bonus.
    bonus_offset: 80,
    /// History: maximum bonus.
    bonus_limit: 1700,
    /// History: a score this far above beta gives the bonus of one more ply.
    bonus_margin: 100,
    /// History: malus per ply.
    malus: 180,
    /// History: subtracted from every malus.
    malus_offset: 60,
    /// History: maximum malus.
    malus_limit: 1500,
    /// Evaluation history: bonus per centipawn.
    evaluation_bonus: 10,
    /// Evaluation history: maximum bonus.
    evaluation_bonus_limit: 1200,

    // --- correction history ---
    /// Correction history: weight of the pawn structure, in 128ths.
    correction_pawns: 96,
    /// Correction history: weight of each side's pieces, in 128ths.
    correction_pieces: 96,
    /// Correction history: weight of the last two moves, in 128ths.
    correction_moves: 96,
}

/// How much the search prunes without proof. Less pruning solves more composed positions but takes longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pruning {
    /// No pruning and no reductions: every move is searched to full depth.
    None,
    /// Late move reductions and null-move pruning only.
    Small,
    /// Also razoring and reverse futility pruning.
    Medium,
    /// Everything. What prunes single moves, and ProbCut, is the first to miss a sacrifice.
    Large,
}

impl SearchParams {
    /// These parameters with only the heuristics up to the level `pruning`.
    pub fn with_pruning(self, pruning: Pruning) -> SearchParams {
        SearchParams { pruning: pruning as i32, ..self }
    }

    /// Whether the heuristics of `level` are on.
    #[inline(always)]
    pub fn prunes(&self, level: Pruning) -> bool {
        self.pruning >= level as i32
    }

    /// The history bonus of a good move at `depth`.
    #[inline(always)]
    pub fn bonus(&self, depth: i32) -> i32 {
        (self.bonus * depth - self.bonus_offset).min(self.bonus_limit)
    }

    /// The history malus of the moves tried before it at `depth`.
    #[inline(always)]
    pub fn malus(&self, depth: i32) -> i32 {
        (self.malus * depth - self.malus_offset).min(self.malus_limit)
    }
}
