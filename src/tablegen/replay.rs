//! What a game's small slow board must do for `book`: replay rows of moves.
//!
//! Implemented by `chess_book` and `xiangqi_book`. It knows no game.

/// What is needed of a game to replay rows.
pub(super) trait Board {
    /// The start position.
    fn start() -> Self;
    /// The key of the position.
    fn key(&self) -> u64;
    /// Plays a move that is trusted to be legal; its packed form.
    fn play(&mut self, text: &str) -> Result<u16, String>;
}
