//! Runs the built `tabiya` as a child process with a time limit.
//!
//! A program that hangs is killed and fails the test.

pub use super::own::own;
use super::root;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs, process};

/// The time-out of a run, for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    /// What was run, for messages.
    #[expect(dead_code, reason = "only shown")]
    pub what: String,
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    /// Asserts a refusal: exit code 2, nothing on stdout, and one line on stderr, for people, that has all the words.
    /// Messages about a slow start or about what a checkpoint holds may come before it.
    #[track_caller]
    pub fn assert_refused(&self, words: &[&str]) {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{self:?}");
        let others = |line: &&str| line.starts_with("waiting for ") || line.contains("checkpoint");
        let lines = Vec::from_iter(self.err.lines().filter(|line| line.starts_with("tabiya: ") || !others(line)));
        let [line] = lines[..] else { panic!("not one line: {self:?}") };
        assert!(line.starts_with("tabiya: ") && self.err.ends_with('\n'), "{self:?}");
        assert!(!line.contains(char::is_control) && !line.contains("panicked"), "{self:?}");
        for word in words {
            assert!(line.contains(word), "no {word:?}: {self:?}");
        }
    }
}

/// `tabiya` with arguments, in the project's root, with an empty stdin.
pub fn tabiya<S: AsRef<OsStr>>(arguments: &[S]) -> Command {
    let mut command = Command::new(own());
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs `tabiya` to its end.
pub fn run<S: AsRef<OsStr>>(arguments: &[S]) -> Run {
    let words = arguments.iter().map(|word| format!("{:.200}", word.as_ref().to_string_lossy()));
    Run { what: Vec::from_iter(words).join(" "), ..finish(start(&mut tabiya(arguments))) }
}

/// The stdout of a run of `tabiya` that must succeed.
#[track_caller]
pub fn output<S: AsRef<OsStr>>(arguments: &[S]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, Some(0), "{run:?}");
    run.out
}

/// Starts a command with both outputs piped.
pub fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Reads both outputs of a child to their end and waits for it.
///
/// # Panics
/// If it does not end in time; the child is killed first.
pub fn finish(mut child: Child) -> Run {
    let out = child.stdout.take().map(reader);
    let err = child.stderr.take().map(reader);
    let status = wait(&mut child);
    // Another program may hold the pipes open after the end of this one.
    let text = |output: Option<Receiver<String>>| {
        output.map_or(String::new(), |text| text.recv_timeout(PATIENCE).expect("all of the output"))
    };
    Run { what: String::new(), code: status.code(), out: text(out), err: text(err) }
}

/// Waits for a child.
///
/// # Panics
/// If it does not end in time; the child is killed first.
pub fn wait(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("the program did not end within {PATIENCE:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn reader(mut pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, text) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        let _ = sender.send(String::from_utf8(bytes).expect("the program writes UTF-8"));
    });
    text
}

/// A folder for one test's files, removed when dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// A new, empty folder; `name` is part of its name, for debugging.
    pub fn new(name: &str) -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (process, number) = (process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(format!("tabiya-test-{process}-{number}-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A path in it.
    pub fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A path in it as text.
    pub fn text(&self, name: &str) -> String {
        self.at(name).to_str().expect("the temporary folder has a UTF-8 name").to_string()
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.at(name), content).unwrap();
        self.text(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
