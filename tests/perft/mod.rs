//! Tests of perft: counts by every kernel and statistics, compared with suites, other engines and slow oracles.

mod counters;
mod foreign;
mod frontier;
mod reference;
mod statistics;
mod suites;
