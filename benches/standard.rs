//! The positions of the standard suites, with the counts that the benchmarks verify first.
use tabiya::game::Rules;
use tabiya::game::text::fen::Tolerance;
use tabiya::perft::suite::Entry;
use tabiya::perft::suite_reader;
use tabiya::{chess, xiangqi};

/// A game with a suite `standard.epd`.
pub trait Standard: Rules {
    /// The suite.
    const SUITE: &'static str;
}

impl Standard for chess::Board {
    const SUITE: &'static str = include_str!("../perft-suites/chess/standard.epd");
}

impl Standard for xiangqi::Board {
    const SUITE: &'static str = include_str!("../perft-suites/xiangqi/standard.epd");
}

/// Every position of a game's standard suite.
pub fn entries<B: Standard>() -> Vec<Entry<B>> {
    suite_reader::read(B::SUITE, &Tolerance::strict()).unwrap()
}
