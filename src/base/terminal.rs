//! The width of the terminal, which the standard library does not tell.

use super::text::decimal;

/// What the variable `COLUMNS` says, or else the columns of the terminal that standard output is; `None` if neither is
/// known.
pub fn columns() -> Option<usize> {
    let set = std::env::var("COLUMNS").ok().and_then(|text| decimal(&text)).filter(|&columns| columns > 0);
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    let set = set.or_else(|| linux::columns(&std::io::stdout()));
    set
}

/// The system call, on processors whose number for it is known here.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod linux {
    use std::ffi::{c_int, c_ulong, c_ushort};
    use std::os::fd::{AsFd, AsRawFd};

    /// "Get window size".
    const TIOCGWINSZ: c_ulong = 0x5413;

    /// `struct winsize`.
    #[repr(C)]
    #[derive(Default)]
    struct Size {
        rows: c_ushort,
        columns: c_ushort,
        width: c_ushort,
        height: c_ushort,
    }

    unsafe extern "C" {
        fn ioctl(file: c_int, request: c_ulong, ...) -> c_int;
    }

    /// The columns of a terminal; `None` for what is none.
    pub fn columns(output: &impl AsFd) -> Option<usize> {
        let (mut size, file) = (Size::default(), output.as_fd().as_raw_fd());
        debug_assert!(file >= 0);
        // SAFETY: the file is open, and this request writes one `struct winsize`, which `size` is.
        let found = unsafe { ioctl(file, TIOCGWINSZ, &raw mut size) };
        (found == 0 && size.columns > 0).then_some(size.columns.into())
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn what_is_no_terminal_has_no_columns() {
            assert_eq!(super::columns(&std::fs::File::open("/dev/null").unwrap()), None);
            assert_eq!(super::columns(&std::io::pipe().unwrap().1), None);
        }
    }
}
