//! The `tabiya` program: passes the command-line arguments to `cli::run` and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A panic in any thread ends the program: the other threads would wait for that one's result for ever.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::process::abort();
    }));
    tabiya::cli::run(std::env::args_os().skip(1))
}
