//! Tests of perft: counts by every kernel, statistics and distinct positions, compared with suites, other engines and
//! slow oracles.

mod counters;
mod foreign;
mod frontier;
mod reference;
mod statistics;
mod suites;
mod unique;
