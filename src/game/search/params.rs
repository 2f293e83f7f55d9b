//! The constants of the search, but for some limits of depth, grouped by heuristic. Both games use every heuristic.
//! `tests/tools/training` measures and tunes them by name.
//!
//! Chess uses [`SearchParams::COMMON`]; another game overrides what differs in
//! [`Searchable::PARAMS`](super::searchable::Searchable::PARAMS).

/// The constants of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchParams {
    // --- aspiration windows ---
    /// First half-width of an aspiration window.
    pub aspiration_width: i32,

    // --- transposition table ---
    /// No table cutoffs this close to a draw by the move counter, in plies: the stored score may be out of date.
    pub table_cut_plies: i32,

    // --- extensions and iterative reduction ---
    /// Singular extensions: minimum depth.
    pub singular_depth: i32,
    /// Singular extensions: margin per ply of depth, in 64ths of a centipawn.
    pub singular_margin: i32,
    /// Singular extensions: further margin for an extension of two plies.
    pub singular_double: i32,

    // --- razoring and reverse futility pruning ---
    /// Razoring: margin per ply.
    pub razoring_margin: i32,
    /// Reverse futility pruning: maximum depth.
    pub reverse_futility_depth: i32,
    /// Reverse futility pruning: margin per ply.
    pub reverse_futility_margin: i32,

    // --- null-move pruning ---
    /// Null move: base reduction, in plies.
    pub null_base: i32,
    /// Null move: the required static evaluation falls by this per ply of depth.
    pub null_slope: i32,
    /// Null move: required margin of the static evaluation over beta, at depth 0.
    pub null_margin: i32,
    /// Null move: evaluation surplus over beta per extra ply of reduction (at most three plies).
    pub null_lead: i32,

    // --- ProbCut ---
    /// ProbCut: margin over beta.
    pub prob_cut_margin: i32,
    /// ProbCut: the margin is smaller by this if the evaluation is improving.
    pub prob_cut_improving: i32,
    /// ProbCut: number of captures tried; two more at expected cut nodes.
    pub prob_cut_moves: i32,

    // --- move pruning ---
    /// Late move pruning: number of moves at depth 0, in 64ths.
    pub late_base: i32,
    /// Late move pruning: factor of the squared depth, in 64ths.
    pub late_slope: i32,
    /// History pruning: minimum history per ply (negated).
    pub history_margin: i32,
    /// Futility pruning: base margin.
    pub futility_base: i32,
    /// Futility pruning: margin per ply.
    pub futility_margin: i32,
    /// Futility pruning: the history divided by this is added to the margin.
    pub futility_history: i32,
    /// SEE pruning: margin for quiet moves, per ply.
    pub see_quiet_margin: i32,
    /// SEE pruning: margin for captures, per ply.
    pub see_noisy_margin: i32,
    /// SEE pruning: margin for checks, per ply; 0 = never prune checks.
    pub see_check_margin: i32,

    // --- late move reductions ---
    /// Reductions: base, in 1024ths of a ply. The other reductions are in the same unit.
    pub reduction_base: i32,
    /// Reductions: divisor of log(depth) × log(move count), in hundredths.
    pub reduction_slope: i32,
    /// Reductions: more if the evaluation is not improving.
    pub reduction_worse: i32,
    /// Reductions: more at expected cut nodes.
    pub reduction_cut: i32,
    /// Reductions: less at PV nodes, and again less if the PV flag of the node is set.
    pub reduction_pv: i32,
    /// Reductions: less for checks.
    pub reduction_check: i32,
    /// Reductions: less for killers.
    pub reduction_killer: i32,
    /// Reductions: more if the table move is a capture or promotion.
    pub reduction_noisy: i32,
    /// Reductions: divisor of the history, which is subtracted.
    pub reduction_history: i32,
    /// Reductions: less for captures.
    pub reduction_capture: i32,
    /// Reductions: less for captures that lose material (instead of `reduction_capture`).
    pub reduction_losing_capture: i32,
    /// Reductions: divisor of the capture history, which is subtracted.
    pub reduction_capture_history: i32,
    /// Reductions: more if the child nodes failed high often.
    pub reduction_cutoffs: i32,

    // --- quiescence search ---
    /// Quiescence search: futility margin.
    pub quiescence_margin: i32,
    /// Quiescence search: after this many moves only checks are tried.
    pub quiescence_moves: i32,

    // --- move ordering ---
    /// Pawn-structure history: weight, in 128ths.
    pub structure_history: i32,

    // --- history updates ---
    /// History: bonus per ply.
    pub bonus: i32,
    /// History: subtracted from every bonus.
    pub bonus_offset: i32,
    /// History: maximum bonus.
    pub bonus_limit: i32,
    /// History: a score this far above beta gives the bonus of one more ply.
    pub bonus_margin: i32,
    /// History: malus per ply.
    pub malus: i32,
    /// History: subtracted from every malus.
    pub malus_offset: i32,
    /// History: maximum malus.
    pub malus_limit: i32,
    /// Evaluation history: bonus per centipawn.
    pub evaluation_bonus: i32,
    /// Evaluation history: maximum bonus.
    pub evaluation_bonus_limit: i32,

    // --- correction history ---
    /// Correction history: weight of the pawn structure, in 128ths.
    pub correction_pawns: i32,
    /// Correction history: weight of each side's pieces, in 128ths.
    pub correction_pieces: i32,
    /// Correction history: weight of the last two moves, in 128ths.
    pub correction_moves: i32,
}

impl SearchParams {
    /// The values for chess, and the defaults of the other games.
    pub const COMMON: SearchParams = SearchParams {
        aspiration_width: 8,
        table_cut_plies: 10,
        singular_depth: 7,
        singular_margin: 64,
        singular_double: 34,
        razoring_margin: 220,
        reverse_futility_depth: 8,
        reverse_futility_margin: 75,
        null_base: 4,
        null_slope: 8,
        null_margin: 60,
        null_lead: 80,
        prob_cut_margin: 80,
        prob_cut_improving: 16,
        prob_cut_moves: 2,
        late_base: 192,
        late_slope: 64,
        history_margin: 7500,
        futility_base: 70,
        futility_margin: 60,
        futility_history: 256,
        see_quiet_margin: 60,
        see_noisy_margin: 90,
        see_check_margin: 105,
        reduction_base: 800,
        reduction_slope: 250,
        reduction_worse: 1024,
        reduction_cut: 2048,
        reduction_pv: 1024,
        reduction_check: 1024,
        reduction_killer: 1024,
        reduction_noisy: 768,
        reduction_history: 14,
        reduction_capture: 1024,
        reduction_losing_capture: 512,
        reduction_capture_history: 8,
        reduction_cutoffs: 768,
        quiescence_margin: 60,
        quiescence_moves: 2,
        structure_history: 128,
        bonus: 160,
        bonus_offset: 80,
        bonus_limit: 1700,
        bonus_margin: 100,
        malus: 180,
        malus_offset: 60,
        malus_limit: 1500,
        evaluation_bonus: 10,
        evaluation_bonus_limit: 1200,
        correction_pawns: 96,
        correction_pieces: 96,
        correction_moves: 96,
    };
}

impl SearchParams {
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
