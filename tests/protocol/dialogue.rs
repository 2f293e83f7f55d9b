//! What both protocols have: the words that the tests in `transport`, `hostile` and `pipeline` need to try either of
//! them.

use crate::common::pipe::{LEAVING, Pipe};
use tabiya::game;

/// A protocol, playing the game that it begins with.
pub trait Dialogue: Sized {
    /// That game.
    type Board: game::Rules;
    /// The command that opens it, and the last line of the answer.
    const HELLO: [&'static str; 2];
    /// The program's last line before it exits, if the protocol has one.
    const FAREWELL: Option<&'static str>;
    /// The answer of a search without a move.
    const NO_MOVE: &'static str;
    /// A first move, and two moves of each side that lead back.
    const MOVE: &'static str;
    const SHUFFLE: &'static str;
    /// The commands that clear the hash table, and make it small.
    const NEW_GAME: &'static str;
    const SMALL_HASH: &'static str;
    /// Searches that only a command ends.
    const ENDLESS: &'static [&'static str];
    /// Commands that run on until they are stopped or have printed something.
    const LASTING: &'static [&'static str];
    /// All words, for random sentences.
    const WORDS: &'static [&'static str];
    /// How lines of megabytes begin.
    const BEGINNINGS: &'static [&'static str];
    /// Commands with a word of any length.
    const LONG: &'static [&'static str];
    /// Positions to search; the last one has no move.
    const POSITIONS: &'static [&'static str];

    /// Starts the program and completes the handshake. Moves come from the search only, not from a book.
    fn start() -> Pipe;
    /// The command that sets the number of threads.
    fn threads(count: usize) -> String;
}

/// Makes a test of each function for each protocol.
macro_rules! for_both_protocols {
    ($($(#[$attribute:meta])* $test:ident)*) => {
        mod uci {
            $(#[test]
            $(#[$attribute])*
            fn $test() {
                super::$test::<crate::protocol::uci::Uci>();
            })*
        }
        mod ucci {
            $(#[test]
            $(#[$attribute])*
            fn $test() {
                super::$test::<crate::protocol::ucci::Ucci>();
            })*
        }
    };
}
pub(crate) use for_both_protocols;

/// Asserts that the program is alive and idle, and that it finds a legal move.
pub fn assert_plays<D: Dialogue>(pipe: &mut Pipe) {
    let start = <D::Board as game::Rules>::START_FEN;
    pipe.says(&format!("position fen {start} moves"));
    crate::common::pipe::legal_best::<D::Board>(start, &pipe.go("go depth 2"));
}

/// Sends `text` and closes the input; returns the program's output. Asserts a clean exit.
pub fn output_of(text: &str) -> Vec<String> {
    let mut pipe = Pipe::start();
    pipe.send_bytes(text.as_bytes());
    pipe.close();
    let lines = pipe.rest();
    assert!(pipe.ended(LEAVING).is_some_and(|status| status.success()), "{text}");
    lines
}
