//! Detects that nobody reads standard output any more, for work that writes nothing until its end; otherwise the
//! failing write shows it. Never reads or writes.

#![allow(unsafe_code, reason = "a system call")]

/// Whether the reader of standard output has closed it; `false` where the system cannot tell.
pub fn is_gone() -> bool {
    #[cfg(target_os = "linux")]
    return linux::is_gone(&std::io::stdout());
    #[cfg(not(target_os = "linux"))]
    false
}

/// The one system call that the standard library lacks. The program links the C library anyway.
#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_short, c_ulong};
    use std::os::fd::{AsFd, AsRawFd};

    const POLLERR: c_short = 0x08;
    const POLLHUP: c_short = 0x10;

    #[repr(C)]
    struct Polled {
        file: c_int,
        events: c_short,
        returned: c_short,
    }

    unsafe extern "C" {
        fn poll(files: *mut Polled, count: c_ulong, milliseconds: c_int) -> c_int;
    }

    /// [`super::is_gone`] for the writing end of any pipe or socket.
    pub fn is_gone(output: &impl AsFd) -> bool {
        let mut polled = Polled { file: output.as_fd().as_raw_fd(), events: 0, returned: 0 };
        debug_assert!(polled.file >= 0);
        // SAFETY: one entry, valid until the call returns. The timeout is 0, so it returns at once.
        let found = unsafe { poll(&raw mut polled, 1, 0) };
        found == 1 && polled.returned & (POLLERR | POLLHUP) != 0
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
        }
    }
}
