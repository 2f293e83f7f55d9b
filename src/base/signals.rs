//! Groups of processes, and the signals that end this program: the system calls for them, which the standard library
//! lacks. The program links the C library anyway.
//!
//! A [`Group`] ends a program together with all that it has started, also when a signal ends this one
//! ([`end_groups_at_signals`], [`survive_a_signal`]).

#![allow(unsafe_code, reason = "system calls")]

#[cfg(unix)]
pub use unix::{Group, end_groups_at_signals, report_full_files, survive_a_signal, was_interrupted};

#[cfg(not(unix))]
pub use other::{Group, end_groups_at_signals, report_full_files, survive_a_signal, was_interrupted};

/// Where the system has neither, a program is ended alone, and a signal ends this one.
#[cfg(not(unix))]
mod other {
    pub struct Group;

    impl Group {
        pub fn of_leader(_: u32) -> Group {
            Group
        }
    }

    pub fn end_groups_at_signals() {}

    pub fn report_full_files() {}

    pub fn survive_a_signal() {}

    pub fn was_interrupted() -> bool {
        false
    }
}

/// Groups of processes, and the signals that end this program.
#[cfg(unix)]
mod unix {
    use std::ffi::c_int;
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};

    const SIGHUP: c_int = 1;
    const SIGINT: c_int = 2;
    const SIGKILL: c_int = 9;
    const SIGTERM: c_int = 15;
    const SIGXFSZ: c_int = if cfg!(any(target_arch = "mips", target_arch = "mips64")) { 31 } else { 25 };
    const SIG_DFL: usize = 0;
    const SIG_IGN: usize = 1;

    unsafe extern "C" {
        fn kill(process: c_int, signal: c_int) -> c_int;
        fn raise(signal: c_int) -> c_int;
        fn signal(signal: c_int, handler: usize) -> usize;
    }

    /// The groups to end; 0 where there is none. More programs do not run at the same time.
    static GROUPS: [AtomicI32; 64] = [const { AtomicI32::new(0) }; 64];
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    static SURVIVES: AtomicBool = AtomicBool::new(false);

    /// The processes of a group; all are killed when this is dropped.
    pub struct Group(i32);

    impl Group {
        /// The group that a process leads: the process must have been started with `process_group(0)`.
        ///
        /// # Panics
        /// If the number is not that of a process.
        pub fn of_leader(process: u32) -> Group {
            let group = i32::try_from(process).ok().filter(|&group| group > 1).expect("a number of a process");
            let _ = GROUPS.iter().any(|slot| slot.compare_exchange(0, group, SeqCst, SeqCst).is_ok());
            // A signal that came before the group was in the list has not ended it.
            if was_interrupted() {
                end(group);
            }
            Group(group)
        }
    }

    impl Drop for Group {
        fn drop(&mut self) {
            end(self.0);
            let _ = GROUPS.iter().any(|slot| slot.compare_exchange(self.0, 0, SeqCst, SeqCst).is_ok());
        }
    }

    fn end(group: i32) {
        debug_assert!(group > 1, "a group, neither all processes nor the own group");
        // SAFETY: a call without pointers, safe in a signal handler too. It may fail if the group has ended.
        unsafe { kill(-group, SIGKILL) };
    }

    extern "C" fn interrupted(number: c_int) {
        GROUPS.iter().map(|slot| slot.load(SeqCst)).filter(|&group| group != 0).for_each(end);
        if INTERRUPTED.swap(true, SeqCst) || !SURVIVES.load(SeqCst) {
            // SAFETY: both may be called in a signal handler. The signal comes when the handler has returned.
            unsafe {
                signal(number, SIG_DFL);
                raise(number);
            }
        }
    }

    /// From now on SIGHUP, SIGINT and SIGTERM end all groups before they end this program. A signal that is ignored
    /// stays so.
    pub fn end_groups_at_signals() {
        for number in [SIGHUP, SIGINT, SIGTERM] {
            let handler: extern "C" fn(c_int) = interrupted;
            debug_assert!(handler as usize > SIG_IGN);
            // SAFETY: the handler has the type that `signal` expects, and uses only atomics and calls that are safe in
            // a handler.
            unsafe {
                if signal(number, handler as usize) == SIG_IGN {
                    signal(number, SIG_IGN);
                }
            }
        }
    }

    /// From now on a write beyond the limit of a file's size fails, so that it is reported, and does not end this
    /// program.
    pub fn report_full_files() {
        // SAFETY: a call without pointers; the signal is ignored, so no handler runs.
        unsafe { signal(SIGXFSZ, SIG_IGN) };
    }

    /// The first such signal does not end this program; see [`was_interrupted`]. The second one does.
    pub fn survive_a_signal() {
        SURVIVES.store(true, SeqCst);
    }

    /// Whether such a signal has come.
    pub fn was_interrupted() -> bool {
        INTERRUPTED.load(SeqCst)
    }

    #[cfg(test)]
    mod tests {
        use super::Group;
        use std::io::Read as _;
        use std::os::unix::process::CommandExt as _;
        use std::process::{Command, Stdio};

        #[test]
        fn a_group_ends_with_all_its_processes() {
            let mut command = Command::new("sh");
            command.args(["-c", "sleep 1000 & sleep 1000"]).process_group(0).stdout(Stdio::piped());
            let mut shell = command.spawn().unwrap();
            drop(Group::of_leader(shell.id()));
            assert!(!shell.wait().unwrap().success());
            // Both children had the pipe too.
            assert_eq!(shell.stdout.take().unwrap().read(&mut [0]).unwrap(), 0);
        }
    }
}
