//! Tools that make and prove the data of the tests. `README.md` in this folder lists the files and their tools.
//!
//! Short checks run with all other tests. Checks that take minutes are ignored, and run by their command. The Python
//! scripts in this folder describe their own usage.

mod diagnosis;
mod mates;
mod patterns;
mod repetitions;
