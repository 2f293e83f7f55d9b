//! `src/c_api/tabiya.h` in C and in C++, without a warning. `.ci/run c` links and runs the program.

use crate::common::{root, skip_or_fail};
use std::process::Command;

#[test]
fn the_header_is_c_and_cpp() {
    for (compiler, options) in [("gcc", &["-std=c11"][..]), ("g++", &["-std=c++17", "-x", "c++"])] {
        let mut command = Command::new(compiler);
        command.args(options).args(["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "tests/c/api.c"]);
        match command.current_dir(root()).output() {
            Ok(found) => assert!(found.status.success(), "{compiler}: {}", String::from_utf8_lossy(&found.stderr)),
            Err(_) => skip_or_fail(compiler, "the_header_is_c_and_cpp"),
        }
    }
}
