//! The program under test.

/// The path of the built program; or `TABIYA_PROGRAM`, for example a script that runs it in an emulator. Its file name
/// must be `tabiya`.
pub fn own() -> String {
    std::env::var("TABIYA_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_tabiya").into())
}
