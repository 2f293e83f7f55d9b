//! Detects that nobody reads standard output: its reader has gone ([`is_gone`]), or it was closed when the program
//! started ([`was_closed`]).
//!
//! `protocol` polls the first while it finishes work that writes nothing until its end; otherwise the failing write
//! shows it. Nothing shows the second: Rust opens `/dev/null` in the place of a closed output before `main`. Never
//! reads or writes.

/// Whether the reader of standard output has closed it; `false` where the system cannot tell.
pub fn is_gone() -> bool {
    #[cfg(target_os = "linux")]
    return linux::is_gone(&std::io::stdout());
    #[cfg(not(target_os = "linux"))]
    false
}

/// Whether standard output was closed when the program started, as by `>&-` in a shell; `false` where the system cannot
/// tell.
pub fn was_closed() -> bool {
    #[cfg(target_os = "linux")]
    return linux::WAS_CLOSED.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(target_os = "linux"))]
    false
}

/// The one system call that the standard library lacks. The program links the C library anyway.
#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_short, c_ulong};
    use std::os::fd::{AsFd, AsRawFd};
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    const POLLERR: c_short = 0x08;
    const POLLHUP: c_short = 0x10;
    const POLLNVAL: c_short = 0x20;

    /// See [`super::was_closed`].
    pub static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    // SAFETY: The system calls the functions of this section before `main`, with arguments that they need not read.
    // This one needs nothing that Rust prepares there, and does not unwind.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static AT_START: extern "C" fn() = {
        extern "C" fn at_start() {
            WAS_CLOSED.store(events(1) & POLLNVAL != 0, Relaxed);
        }
        at_start
    };

    /// `struct pollfd`.
    #[repr(C)]
    struct Polled {
        file: c_int,
        events: c_short,
        returned: c_short,
    }

    unsafe extern "C" {
        fn poll(files: *mut Polled, count: c_ulong, milliseconds: c_int) -> c_int;
    }

    /// What the system says of an open file or a closed one.
    fn events(file: c_int) -> c_short {
        let mut polled = Polled { file, events: 0, returned: 0 };
        debug_assert!(polled.file >= 0);
        // SAFETY: one entry, valid until the call returns. The timeout is 0, so it returns at once.
        let found = unsafe { poll(&raw mut polled, 1, 0) };
        if found == 1 { polled.returned } else { 0 }
    }

    /// [`super::is_gone`] for the writing end of any pipe or socket.
    pub fn is_gone(output: &impl AsFd) -> bool {
        events(output.as_fd().as_raw_fd()) & (POLLERR | POLLHUP) != 0
    }

    #[cfg(test)]
    mod tests {
        use super::is_gone;
        use std::io::Write;
        use std::os::unix::net::UnixStream;

        #[test]
        fn a_closed_reader_is_detected() {
            let (reader, mut writer) = std::io::pipe().unwrap();
            let (other, socket) = UnixStream::pair().unwrap();
            assert!(!is_gone(&writer) && !is_gone(&socket));
            writer.write_all(b"unread").unwrap();
            assert!(!is_gone(&writer));
            drop((reader, other));
            assert!(is_gone(&writer) && is_gone(&socket));
            let file = std::fs::File::open("/dev/null").unwrap();
            assert!(!is_gone(&file), "a file has no reader");
            assert!(!super::super::was_closed());
            assert!(super::events(1_000_000) & super::POLLNVAL != 0, "such a file is not open");
        }
    }
}
