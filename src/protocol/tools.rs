//! What a protocol borrows from the floor above, which it must not name, and what it says to people.
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
    /// A person sits at a terminal, both ways.
    pub is_terminal: bool,
}

/// What a person at a terminal sees first.
pub const GREETING: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"), ": uci, ucci or help");

/// What `help` shows on a terminal; otherwise it is one line of the protocol.
pub const HELP: &str = "\
Tabiya speaks UCI, and UCCI if `ucci` is the first word. What people need most:
  position startpos moves e2e4 e7e5   set the position; `position fen <FEN>` for any other
  d                                   show the position
  eval                                its static evaluation
  go depth 15, go movetime 5000       search; `go infinite` until `stop`
  go perft 6                          count the move sequences of 6 plies, for each move
  setoption name Threads value 2      set an option; `uci` lists them
  setoption name UCI_Variant value xiangqi
                                      play xiangqi; `chess` brings chess back
  bench                               search fixed positions and show nodes and speed
  quit                                leave; so does `exit`
The command line has more: see `tabiya --help`.";
