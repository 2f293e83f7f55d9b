//! The rules that differ between federations and programs: repetition and the move limit.
//!
//! A position carries its [`Ruleset`], as it carries the numbers of its ranks, so that games, searches and programs
//! judge alike. `repetition` and `move_limit` read it; plain perft does not.

/// How the third occurrence of a position is judged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Repetition {
    /// By the Asian rules: who checks with every move loses; then who chases one piece with every move.
    #[default]
    Asian,
    /// By the Chinese rules: who checks with every move loses; then who attacks with every move, by checks, threats of
    /// mate and chases of any pieces, also by turns.
    Chinese,
    /// As a draw, whoever is to blame.
    Draw,
}

/// The rules on repetition and the move limit.
///
/// ```
/// use tabiya::xiangqi::{Game, Outcome, Position, Repetition, Ruleset, Side};
///
/// let start: Position = "3k5/9/9/9/9/9/9/9/4R4/5K3 w".parse()?;
/// let outcome = |ruleset: Ruleset| {
///     let mut game = Game::new(start.with_ruleset(ruleset));
///     for text in "e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9".split(' ') {
///         game.play_text(text).expect("a legal move");
///     }
///     game.outcome()
/// };
/// assert_eq!(outcome(Ruleset::default()), Some(Outcome::Perpetual(Side::RED)));
/// let draw = Ruleset { repetition: Repetition::Draw, ..Ruleset::default() };
/// assert_eq!(outcome(draw), Some(Outcome::Repetition));
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ruleset {
    /// How repetitions are judged.
    pub repetition: Repetition,
    /// The moves of both sides without a capture after which the game is drawn: 60; 0 means no limit.
    pub move_limit: u16,
    /// Whether only ten checks of each side since the last capture count towards the limit; further ones, and the
    /// replies to them, do not.
    pub ten_checks: bool,
}

impl Default for Ruleset {
    fn default() -> Self {
        Ruleset::DEFAULT
    }
}

impl Ruleset {
    /// The Asian rules, 60 moves, every check counts.
    pub const DEFAULT: Ruleset = Ruleset { repetition: Repetition::Asian, move_limit: 60, ten_checks: false };

    /// The rules as a number, 0 for the default.
    #[cfg(feature = "search")]
    pub(in crate::xiangqi) fn code(self) -> u32 {
        let limit = u32::from(self.move_limit ^ Ruleset::DEFAULT.move_limit);
        self.repetition as u32 | u32::from(self.ten_checks) << 8 | limit << 16
    }
}

/// What the move limit counts besides the half-move clock; zero unless [`Ruleset::ten_checks`] is set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::xiangqi) struct CheckCount {
    /// The checks of each side since the last capture.
    pub checks: [u8; 2],
    /// The plies that do not count.
    pub free: u16,
}

impl CheckCount {
    pub const NONE: CheckCount = CheckCount { checks: [0; 2], free: 0 };
}
