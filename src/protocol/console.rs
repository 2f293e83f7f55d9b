//! How the program was started, which `cli`, the layer above, passes to the protocols, and the texts for people at a
//! terminal.

use super::games::Variant;

/// What a session needs from the layer above.
#[derive(Clone, Copy, Default)]
pub struct Console {
    /// The game to begin with in UCI.
    pub game: Variant,
    /// Whether stdin and stdout are a terminal.
    pub is_terminal: bool,
}

/// The first line on a terminal.
pub const GREETING: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"), ": type uci, ucci or help");

/// The answer to `help` on a terminal; elsewhere it is one protocol line.
pub const HELP: &str = "\
Tabiya speaks UCI, or UCCI if the first command is `ucci`. Common commands:
  position startpos moves e2e4 e7e5   set the position; also `position fen FEN`
  d                                   print the position
  eval                                print the static evaluation
  go depth 15, go movetime 5000       search; `go infinite` searches until `stop`
  go perft 6                          count the legal move sequences of 6 plies; `stop` does not end it
  setoption name Threads value 2      set an option; `uci` lists the options
  setoption name UCI_Variant value xiangqi
                                      switch to xiangqi; `chess` switches back
  bench                               run the search benchmark
  quit                                exit, like `exit`
For command-line options see `tabiya --help`.";
