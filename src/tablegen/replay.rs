//! The board interface that `book` uses to replay rows of moves.
//!
//! Implemented by `chess_book` and `xiangqi_book`.

/// A board that can replay rows.
pub(super) trait Board {
    /// The starting position.
    fn start() -> Self;
    /// The key of the position.
    fn key(&self) -> u64;
    /// Makes a move, which is assumed to be legal, and returns it in packed form.
    fn play(&mut self, text: &str) -> Result<u16, String>;
}
