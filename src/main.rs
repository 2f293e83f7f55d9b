//! The `tabiya` program: passes the command-line arguments to `cli::run` and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A panic in any thread ends the program: the other threads would wait for that one's result for ever.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::process::abort();
    }));
    #[cfg(target_os = "linux")]
    if closed::OUTPUT.load(std::sync::atomic::Ordering::Relaxed) {
        eprintln!("tabiya: cannot write the output: it is closed");
        return ExitCode::from(2);
    }
    tabiya::cli::run(std::env::args_os().skip(1))
}

/// Whether standard output is closed. Before `main`, Rust opens /dev/null in the place of a closed file, where a total
/// would be lost without a word; so this looks earlier still.
#[cfg(target_os = "linux")]
mod closed {
    use std::ffi::c_int;
    use std::sync::atomic::{AtomicBool, Ordering};

    const F_GETFD: c_int = 1;

    pub static OUTPUT: AtomicBool = AtomicBool::new(false);

    unsafe extern "C" {
        fn fcntl(file: c_int, command: c_int, ...) -> c_int;
    }

    extern "C" fn ask() {
        // SAFETY: a call without pointers, which fails for a file that is not open.
        let flags = unsafe { fcntl(1, F_GETFD) };
        OUTPUT.store(flags < 0, Ordering::Relaxed);
    }

    // SAFETY: the section is a list of functions that are called before `main`; `ask` needs nothing of Rust's runtime.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static BEFORE_MAIN: extern "C" fn() = ask;
}
