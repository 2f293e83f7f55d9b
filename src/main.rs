//! The `tabiya` program: passes the command-line arguments to `cli::run` and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    tabiya::cli::run(std::env::args_os().skip(1))
}
