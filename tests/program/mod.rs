//! Tests of the program as users and scripts run it: the command line, files, and the transcripts of the README.

mod against;
mod beyond;
mod c_header;
mod check;
mod checkpoint;
mod cli;
mod compare;
mod expect;
mod help;
#[cfg(target_os = "linux")]
mod memory;
mod parts;
mod streams;
mod suites;
mod transcripts;
