//! The program as a UCCI engine over real pipes, for the tests of UCCI and of xiangqi.

use crate::common::pipe::{self, Pipe};
use tabiya::xiangqi::{self, Position};

/// The initial position.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// An endgame with short iterations.
pub const ENDGAME: &str = "3k5/4a4/9/9/9/4p4/9/9/4A4/4K4 w - - 0 1";
/// Red mates in one ply, on b9.
pub const MATE_IN_ONE: &str = "5k3/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1";
/// Every move of Black allows mate: mated in two plies.
pub const LOST: &str = "4k4/R8/1R7/9/9/9/9/9/9/3K5 b - - 0 1";
/// Black is mated.
pub const MATED: &str = "1R3k3/R8/9/9/9/9/9/9/9/3K5 b - - 0 1";

/// Starts the program and completes the `ucci` handshake; times are in milliseconds, and the book is off.
pub fn ucci() -> Pipe {
    ucci_with("1")
}

/// The same with limits of time that are divided by `haste`, such as that before the first report of a search's current
/// move.
pub fn ucci_with(haste: &str) -> Pipe {
    let mut pipe = Pipe::start_with(&[("TABIYA_HASTE", haste)]);
    pipe.ask("ucci", "ucciok");
    pipe.send("setoption usemillisec true\nsetoption usebook false");
    pipe
}

/// The last line.
pub fn last(lines: &[String]) -> &str {
    lines.last().map_or("", String::as_str)
}

/// The word after `name` in the last line that has it.
pub fn found<'a>(lines: &'a [String], name: &str) -> Option<&'a str> {
    lines.iter().rev().find_map(|line| {
        let mut words = line.split(' ').skip_while(|word| *word != name);
        words.next()?;
        words.next()
    })
}

/// The number after `name` in the last line that has it.
pub fn number(lines: &[String], name: &str) -> Option<i64> {
    found(lines, name)?.parse().ok()
}

/// The position after `moves`; panics at the first that is not legal.
pub fn replay(fen: &str, moves: &[&str]) -> Position {
    pipe::replay_in(fen, moves)
}

/// [`pipe::legal_best`] of xiangqi.
pub fn legal_best(fen: &str, lines: &[String]) -> String {
    pipe::legal_best::<xiangqi::Board>(fen, lines)
}
