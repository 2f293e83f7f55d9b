//! What the search needs of a game: evaluation, exchanges, endgame tables, and its parameters.

pub mod endgame_tables;
pub mod exchange;
pub mod params;
pub mod searchable;
pub mod win_model;
