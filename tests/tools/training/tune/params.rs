//! The search parameters by name.

use tabiya::game::SearchParams;

macro_rules! numbers {
    ($($name:ident),*) => {
        /// The names of all parameters.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The parameter called `name`.
        pub fn by_name<'a>(params: &'a mut SearchParams, name: &str) -> Option<&'a mut i32> {
            // Refuses to compile where one is left out.
            let SearchParams { $($name),* } = params;
            match name {
                $(stringify!($name) => Some($name),)*
                _ => None,
            }
        }
    };
}

numbers! {
    aspiration_width, table_cut_plies, singular_depth, singular_margin, singular_double, razoring_margin,
    reverse_futility_depth, reverse_futility_margin, null_base, null_slope, null_margin, null_lead, prob_cut_margin,
    prob_cut_improving, prob_cut_moves, late_base, late_slope, history_margin, futility_base, futility_margin,
    futility_history, see_quiet_margin, see_noisy_margin, see_check_margin, reduction_base, reduction_slope,
    reduction_worse, reduction_cut, reduction_pv, reduction_check, reduction_killer, reduction_noisy,
    reduction_history, reduction_capture, reduction_losing_capture, reduction_capture_history, reduction_cutoffs,
    quiescence_margin, quiescence_moves, structure_history, bonus, bonus_offset, bonus_limit, bonus_margin, malus,
    malus_offset, malus_limit, evaluation_bonus, evaluation_bonus_limit, correction_pawns, correction_pieces,
    correction_moves
}
