//! The file that saves the finished units of a long run: a header line that names the run, then a line for each unit.
//!
//! Lines are only added, and each ends with a checksum. A kill at any moment leaves whole lines and perhaps the
//! beginning of one, which the next run cuts off. The file is locked while a run uses it. It is untrusted: only a
//! regular file is opened, nothing is read beyond the first line that is wrong, and a file that is refused is not
//! changed. What the lines say is up to the run.

use crate::base::checksum::fnv1a;
use crate::base::files::open_to_continue;
use std::fmt::{Display, Write as _};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// The first field of the header.
pub const TITLE: &str = "tabiya-checkpoint";
/// The second field: the version of the file.
pub const VERSION: &str = "version=4";

/// The longest line that is read; ours are far shorter.
const LONGEST: u64 = 1 << 20;

/// Appends the checksum to the line that starts at byte `start` of `text`, ends the line, and returns the checksum:
/// 64-bit FNV-1a, as 16 hexadecimal digits after a tab, of everything before that tab.
pub fn seal(text: &mut String, start: usize) -> u64 {
    let sum = fnv1a(&text.as_bytes()[start..]);
    let _ = writeln!(text, "\t{sum:016x}");
    sum
}

/// The fields of a line without its checksum, and the checksum; `None` if the line is damaged.
pub fn unseal(line: &str) -> Option<(Vec<&str>, u64)> {
    let (body, sum) = line.rsplit_once('\t')?;
    let sum = hexadecimal(sum)?;
    (fnv1a(body.as_bytes()) == sum).then(|| (body.split('\t').collect(), sum))
}

/// Parses a checksum.
fn hexadecimal(text: &str) -> Option<u64> {
    let digits = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    let whole = text.len() == 16 && text.bytes().all(digits);
    whole.then(|| u64::from_str_radix(text, 16).ok()).flatten()
}

/// A line of a file.
pub struct SavedLine {
    /// Without its end. Bytes that are not UTF-8, which no line of ours has, are replaced.
    pub text: String,
    /// Whether it has an end. The last line has none if a run was killed while it wrote it.
    pub is_whole: bool,
    /// In bytes; 0 at the end of the file.
    pub length: u64,
}

/// Reads a line. One that is far too long is read in pieces, each of which is damaged.
pub fn next_line(input: &mut impl BufRead) -> io::Result<SavedLine> {
    let mut bytes = Vec::new();
    let length = input.take(LONGEST).read_until(b'\n', &mut bytes)? as u64;
    let is_whole = bytes.ends_with(b"\n") || length == LONGEST;
    // A file that went through Windows has other line ends.
    let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string();
    Ok(SavedLine { text, is_whole, length })
}

/// Reads the lines after the header, and passes each to `read`, which returns whether it is one of this run, and whole.
/// Returns the bytes of the whole lines, and whether an incomplete one follows, which is left out.
///
/// # Errors
/// In one line without the file name: if the file cannot be read, or a line before the last one is damaged.
pub fn read_lines(input: &mut impl BufRead, mut read: impl FnMut(&str) -> bool) -> Result<(u64, bool), String> {
    let (mut length, mut number) = (0, 1);
    loop {
        number += 1;
        let line = next_line(input).map_err(|error| error.to_string())?;
        if !line.is_whole {
            return Ok((length, line.length > 0));
        }
        if !read(&line.text) {
            return Err(format!("line {number} is damaged; delete this line to count its unit again"));
        }
        length += line.length;
    }
}

/// The name of a checkpoint file, and the run it belongs to.
pub struct Checkpoint {
    path: PathBuf,
    run: String,
}

/// A checkpoint file that a run adds to. It is locked until this is dropped.
pub struct Saved<'a> {
    path: &'a Path,
    file: File,
    /// Whether this run has made the file.
    made: bool,
    /// The length of the file up to the last line that is known to be whole.
    end: u64,
    /// What is to be written after that.
    unsaved: String,
    /// The checksum of the header, which identifies the run.
    pub run: u64,
    /// Whether the last line of an earlier run was incomplete, and is left out.
    pub torn: bool,
}

impl Checkpoint {
    /// The checkpoint at `path` of the run with the one-line name `run`: game, position and depth.
    pub fn new(path: PathBuf, run: String) -> Self {
        Checkpoint { path, run }
    }

    fn message(&self, what: impl Display) -> String {
        format!("{}: {what}", self.path.display())
    }

    /// Opens the file, or makes it, for a run whose header has these further fields. Passes the checksum of the header
    /// and each line of earlier runs to `read`, which returns whether the line is one of this run, and whole.
    ///
    /// # Errors
    /// If the file cannot be read or written, is in use, is damaged or belongs to another run.
    pub fn open(&self, fields: &str, mut read: impl FnMut(u64, &str) -> bool) -> Result<Saved<'_>, String> {
        let made = !self.path.exists();
        let file = open_to_continue(&self.path).map_err(|reason| self.message(reason))?;
        let mut header = format!("{TITLE}\t{VERSION}\t{}\t{fields}", self.run);
        let run = seal(&mut header, 0);
        let mut saved = Saved { path: &self.path, file, made, end: 0, unsaved: String::new(), run, torn: false };
        let mut input = BufReader::new(&saved.file);
        let first = next_line(&mut input).map_err(|error| self.message(error))?;
        if first.is_whole && first.text == header.trim_end() {
            saved.end = first.length;
        } else if first.length == 0
            || !first.is_whole && first.text.starts_with(TITLE) && header.starts_with(&first.text)
        {
            // A new file, or a run was killed while it wrote the header.
            saved.unsaved = header;
        } else {
            return Err(self.foreign(&first.text, &header));
        }
        let rest = read_lines(&mut input, |line| read(run, line)).map_err(|reason| self.message(reason))?;
        saved.end += rest.0;
        saved.torn = rest.1;
        // Fail now rather than after hours if the file cannot be written.
        match saved.file.set_len(saved.end).map_err(|error| self.message(error)).and_then(|()| saved.append("")) {
            Ok(()) => Ok(saved),
            Err(reason) => {
                saved.discard();
                Err(reason)
            }
        }
    }

    /// Says what is wrong with a file whose first line is not the header of this run.
    fn foreign(&self, first: &str, header: &str) -> String {
        if !first.starts_with(TITLE) {
            self.message("the file is not a perft checkpoint")
        } else if !first.starts_with(&format!("{TITLE}\t{VERSION}\t")) {
            self.message("the checkpoint is of another version; delete it to start anew")
        } else if let Some((fields, _)) = unseal(first) {
            // All fields but the title, the version and the checksum.
            let ours = header.split('\t').skip(2);
            let pairs = fields[2..].iter().zip(ours).filter(|(theirs, ours)| **theirs != *ours);
            let mut pairs = Vec::from_iter(pairs.map(|(theirs, ours)| format!("{theirs} instead of {ours}")));
            if pairs.is_empty() {
                pairs = vec!["other fields".into()];
            }
            self.message(format_args!("the checkpoint is of another run: it has {}", pairs.join(", ")))
        } else {
            self.message("line 1 is damaged; delete the checkpoint to start anew")
        }
    }
}

impl Saved<'_> {
    /// Removes the file of a run that cannot be counted, if this run has made it.
    pub fn discard(&self) {
        if self.made {
            let _ = fs::remove_file(self.path);
        }
    }

    /// Adds whole lines to the file, and waits until they are on the disk. After an error the next call writes them
    /// too.
    ///
    /// # Errors
    /// If the file cannot be written, or is no longer there.
    pub fn append(&mut self, lines: &str) -> Result<(), String> {
        self.unsaved += lines;
        let mut write = || -> io::Result<()> {
            fs::metadata(self.path)?;
            self.file.seek(SeekFrom::Start(self.end))?;
            self.file.write_all(self.unsaved.as_bytes())?;
            self.file.sync_data()
        };
        write().map_err(|error| format!("{}: {error}", self.path.display()))?;
        self.end += self.unsaved.len() as u64;
        self.unsaved.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Checkpoint, LONGEST, seal};
    use std::path::PathBuf;
    use std::{env, fs, process};

    /// A checkpoint whose file is removed at the end.
    struct Scratch(Checkpoint);

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0.path);
        }
    }

    fn at(name: &str) -> PathBuf {
        env::temp_dir().join(format!("tabiya-{}-{name}", process::id()))
    }

    fn scratch(name: &str) -> Scratch {
        Scratch(Checkpoint::new(at(name), "chess 6 startpos".into()))
    }

    impl Scratch {
        /// What a run reads in these bytes, and whether a line was torn; then it adds the line `added`.
        fn run(&self, bytes: &[u8], added: &str) -> Result<(Vec<String>, bool), String> {
            fs::write(&self.0.path, bytes).unwrap();
            let mut lines = Vec::new();
            let read = |_, line: &str| {
                lines.push(line.to_string());
                line.starts_with("part ") && line.ends_with('!')
            };
            let mut saved = self.0.open("columns=1", read)?;
            saved.append(added)?;
            let torn = saved.torn;
            Ok((lines, torn))
        }

        fn bytes(&self) -> Vec<u8> {
            fs::read(&self.0.path).unwrap()
        }
    }

    /// The file of a run with two parts.
    fn whole() -> String {
        let mut text = "tabiya-checkpoint\tversion=4\tchess 6 startpos\tcolumns=1".to_string();
        seal(&mut text, 0);
        text + "part 1!\npart ♚2!\n"
    }

    #[test]
    fn a_file_cut_anywhere_is_continued_with_its_whole_lines() {
        let (file, whole) = (scratch("cut"), whole());
        let title = "tabiya-checkpoint".len();
        for cut in (0..=whole.len()).filter(|&cut| cut == 0 || cut >= title) {
            let (lines, torn) = file.run(&whole.as_bytes()[..cut], "part 3!\n").unwrap();
            let text = String::from_utf8(file.bytes()).unwrap();
            let kept = Vec::from_iter(text.lines().skip(1));
            assert_eq!(kept[..kept.len() - 1], lines, "cut at {cut}");
            assert!(text.ends_with("!\npart 3!\n") || lines.is_empty(), "cut at {cut}");
            // An incomplete header is written again.
            let ends = Vec::from_iter(whole.match_indices('\n').map(|(at, _)| at));
            assert_eq!(torn, cut > ends[0] && ends.iter().all(|end| cut != end + 1), "cut at {cut}");
        }
        // Too little to know that it is ours.
        assert!(file.run(b"tab", "").unwrap_err().ends_with("the file is not a perft checkpoint"));
        assert_eq!(file.bytes(), b"tab");
    }

    #[test]
    fn line_ends_of_windows_are_read() {
        let (file, whole) = (scratch("windows"), whole());
        let other = whole.replace('\n', "\r\n");
        let (lines, torn) = file.run(other.as_bytes(), "part 3!\n").unwrap();
        assert_eq!((lines.len(), torn), (2, false));
        assert_eq!(file.run(&file.bytes(), "").unwrap().0, ["part 1!", "part ♚2!", "part 3!"]);
    }

    #[test]
    fn damage_names_its_line_and_changes_nothing() {
        let (file, whole) = (scratch("damage"), whole());
        let long = "x".repeat(LONGEST as usize + 1);
        let with = |bytes: &[u8]| [whole.as_bytes(), bytes, b"part 3!\n"].concat();
        for (bytes, line) in [
            (with(b"\xff\xfe\n"), "line 4 is damaged"),
            (with(b"part 4?\n"), "line 4 is damaged"),
            (with(b"\n"), "line 4 is damaged"),
            (with(long.as_bytes()), "line 4 is damaged"),
            (whole.replace("part 1", "\0art 1").into(), "line 2 is damaged"),
            (whole.replacen("chess 6", "chess 7", 1).into(), "line 1 is damaged"),
            (long.clone().into(), "not a perft checkpoint"),
            (vec![0xff; 100], "not a perft checkpoint"),
        ] {
            let error = file.run(&bytes, "part 9!\n").unwrap_err();
            assert!(error.contains(line), "{error}");
            assert!(file.bytes() == bytes, "{line}: the file was changed");
        }
        let other = Checkpoint::new(file.0.path.clone(), "chess 7 startpos".into());
        fs::write(&file.0.path, &whole).unwrap();
        let error = other.open("columns=1", |_, _| true).err().unwrap();
        let reason = "the checkpoint is of another run: it has chess 6 startpos instead of chess 7 startpos";
        assert!(error.ends_with(reason), "{error}");
    }

    #[test]
    fn what_could_not_be_written_is_written_later() {
        let file = scratch("later");
        let mut saved = file.0.open("columns=1", |_, _| true).unwrap();
        assert!(file.0.open("columns=1", |_, _| true).is_err_and(|error| error.contains("another process")));
        let (path, away) = (&file.0.path, at("away"));
        fs::rename(path, &away).unwrap();
        assert!(saved.append("part 1!\n").is_err_and(|error| error.starts_with(&path.display().to_string())));
        fs::rename(&away, path).unwrap();
        saved.append("part ♚2!\n").unwrap();
        assert_eq!(String::from_utf8(file.bytes()), Ok(whole()));
    }
}
