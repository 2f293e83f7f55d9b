//! The positions of the standard suites, with the counts that the benchmarks verify first.

use tabiya::game::Notation;
use tabiya::game::notation::FenReader;
use tabiya::perft::suite::Entry;
use tabiya::perft::suite_reader;
use tabiya::{chess, xiangqi};

/// A game with a suite `standard.epd`.
pub trait Standard: Notation {
    /// The suite.
    const SUITE: &'static str;
}

impl Standard for chess::Position {
    const SUITE: &'static str = include_str!("../perft-suites/chess/standard.epd");
}

impl Standard for xiangqi::Position {
    const SUITE: &'static str = include_str!("../perft-suites/xiangqi/standard.epd");
}

/// Every position of a game's standard suite.
pub fn entries<P: Standard>() -> Vec<Entry<P>> {
    suite_reader::read(P::SUITE, &FenReader::strict()).unwrap()
}
