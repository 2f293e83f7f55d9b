//! Tests of the program as users and scripts run it: the command line, files, and the transcripts of the README.

mod against;
mod c_header;
mod check;
mod checkpoint;
mod compare;
mod expect;
mod parts;
mod transcripts;
