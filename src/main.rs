//! The `tabiya` program: hands the arguments to `cli::run` and turns its answer into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    tabiya::cli::run(std::env::args_os().skip(1))
}
