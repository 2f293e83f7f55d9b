//! Counts of positions by every kernel, and the statistics and distinct positions beside them, compared with suites,
//! other engines and slow walks.

#[path = "../common/mod.rs"]
mod common;

mod counters;
mod foreign;
mod reference;
mod reference_xiangqi;
mod statistics;
mod suites;
mod suites_xiangqi;
mod unique;
