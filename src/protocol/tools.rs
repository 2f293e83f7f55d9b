//! What a protocol borrows from the floor above, which it must not name.
//!
//! Filled in by `cli`, handed through to `session`.

/// Runs the search benchmark of the game with this name, to a depth other than the usual one if that is given,
/// and hands its output over line by line.
pub type Bench = fn(&str, Option<u32>, &mut dyn FnMut(&str));

/// What a session needs from the floor above.
#[derive(Clone, Copy, Default)]
pub struct Tools {
    /// What `bench` runs; without it the word is known and refused.
    pub bench: Option<Bench>,
}
