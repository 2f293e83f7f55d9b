//! What the search needs of a game: evaluation, endgame tables, and its parameters.

pub mod endgame_tables;
pub mod params;
pub mod searchable;
pub mod win_model;
