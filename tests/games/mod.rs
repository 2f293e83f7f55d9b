//! Tests of the rules, tables and evaluation of both games, each against an oracle that shares no code with it.

mod draws;
mod eval;
mod fens;
mod invariants;
mod library;
mod mailbox;
mod moves_xiangqi;
mod mutated;
mod notations;
mod repetition_xiangqi;
mod tablebase;
mod tables;
mod tables_xiangqi;
