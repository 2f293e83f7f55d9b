//! The file that saves the finished units of a long run: a header and a line of results for each unit, in the form of
//! `records`.
//!
//! It is always replaced as a whole: written to a new file, synced to disk, then renamed. A kill at any moment leaves
//! either the old or the new file. The checksums of the lines detect damage, and the header a file of another run.

use super::quantity::Quantity;
use super::records::{UnitResult, seal, unseal};
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::{fs, io};

/// The first field of the header, and the version of the file.
const TITLE: &str = "tabiya-checkpoint";
const VERSION: &str = "version=4";
/// How older files begin.
const OLD_TITLE: &str = "tabiya perft checkpoint";

/// A checkpoint file and the run it belongs to.
pub struct Checkpoint {
    path: PathBuf,
    run: String,
}

/// What is in a checkpoint besides the counts.
pub struct Saved<'a> {
    /// The checkpoint.
    pub file: &'a Checkpoint,
    /// The whole text of the file, to which the lines of further units are added.
    pub text: String,
    /// The seeds of the runs that counted the units.
    pub seeds: BTreeSet<u64>,
    /// The checksum of the header, and those of the units.
    run: u64,
    units: Vec<u64>,
}

impl Saved<'_> {
    /// The line of a unit.
    pub fn line<Q: Quantity>(&self, unit: usize, seed: u64, seconds: f64, counted: Q) -> String {
        UnitResult::of(unit as u64, self.units[unit], self.run, seed, seconds, counted).line()
    }
}

impl Checkpoint {
    /// The checkpoint at `path` of the run with the one-line name `run`: game, position and depth.
    pub fn new(path: PathBuf, run: String) -> Self {
        Checkpoint { path, run }
    }

    fn fault(&self, what: impl std::fmt::Display) -> String {
        format!("{}: {what}", self.path.display())
    }

    /// Reads what earlier runs have finished of the units with these checksums: nothing if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged or belongs to another run.
    pub fn read<Q: Quantity>(&self, units: Vec<u64>) -> Result<(Vec<Option<Q>>, Saved<'_>), String> {
        let (columns, all) = (Q::NAMES.len(), units.len());
        let run = &self.run;
        let mut header = format!("{TITLE}\t{VERSION}\t{run}\tcolumns={columns}\tunits={all}");
        let (run, mut results) = (seal(&mut header, 0), vec![None; all]);
        let mut saved = Saved { file: self, text: header, seeds: BTreeSet::new(), run, units };
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok((results, saved)),
            Err(e) => return Err(self.fault(e)),
        };
        let damaged = || self.fault("the checkpoint is damaged; delete it to start anew");
        let Some(lines) = text.strip_prefix(&saved.text) else {
            let first = text.lines().next().unwrap_or_default();
            return Err(if !first.starts_with(TITLE) && !first.starts_with(OLD_TITLE) {
                self.fault("the file is no perft checkpoint")
            } else if !first.starts_with(&format!("{TITLE}\t{VERSION}\t")) {
                self.fault("the checkpoint is of another version; delete it to start anew")
            } else if let Some((fields, _)) = unseal(first) {
                let other = fields[2..].join(" ");
                self.fault(format_args!("the checkpoint is of another run: {other}"))
            } else {
                damaged()
            });
        };
        for line in lines.lines() {
            let read = || {
                let result = UnitResult::read(line).ok()?.filter(|result| result.run == run)?;
                let unit = usize::try_from(result.number).ok()?;
                let known = saved.units.get(unit) == Some(&result.unit);
                known.then_some((unit, result.seed, result.quantity()?))
            };
            let (unit, seed, counted) = read().ok_or_else(damaged)?;
            results[unit] = Some(counted);
            saved.seeds.insert(seed);
        }
        saved.text = text;
        Ok((results, saved))
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// If the file cannot be written; the old one is still intact.
    pub fn write(&self, text: &str) -> Result<(), String> {
        let mut beside = self.path.clone().into_os_string();
        beside.push(".new");
        let write = || -> io::Result<()> {
            let mut new = fs::File::create(&beside)?;
            new.write_all(text.as_bytes())?;
            new.sync_all()?;
            fs::rename(&beside, &self.path)
        };
        write().map_err(|e| {
            // Remove the incomplete file if possible.
            let _ = fs::remove_file(&beside);
            self.fault(e)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Checkpoint, Saved};
    use crate::game::Columns;
    use crate::perft::quantity::Quantity;
    use std::path::PathBuf;

    fn at(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("tabiya-{}-{name}", std::process::id()))
    }

    /// Adds a line to the text of `saved`.
    fn with<Q: Quantity>(mut saved: Saved<'_>, unit: usize, seed: u64, counted: Q) -> String {
        saved.text += &saved.line(unit, seed, 0.25, counted);
        saved.text
    }

    #[test]
    fn results_round_trip() {
        let path = at("whole");
        let file = Checkpoint::new(path.clone(), "chess 6 startpos".into());
        let read = || file.read::<u128>(vec![3, 4, 5]).unwrap();
        assert_eq!((read().0, read().1.seeds.len()), (vec![None; 3], 0));
        for (unit, seed, count) in [(2, 5, u128::MAX), (0, u64::MAX, 7)] {
            file.write(&with(read().1, unit, seed, count)).unwrap();
            assert_eq!(read().0[unit], Some(count));
        }
        assert_eq!(read().0, [Some(7), None, Some(u128::MAX)]);
        assert!(read().1.seeds.iter().eq(&[5, u64::MAX]));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn columns_are_not_mistaken_for_counts() {
        let path = at("columns");
        let file = Checkpoint::new(path.clone(), "chess 6 startpos".into());
        let columns = Columns::from_counted(std::array::from_fn(|i| u128::MAX - i as u128));
        let (counts, all) = (|| file.read::<u128>(vec![0, 1]), || file.read::<Columns<u128>>(vec![0, 1]));
        file.write(&with(all().unwrap().1, 0, 0, columns)).unwrap();
        assert_eq!(all().unwrap().0, [Some(columns), None]);
        assert!(counts().is_err_and(|e| e.contains("another run")));
        std::fs::remove_file(&path).unwrap();
        file.write(&with(counts().unwrap().1, 0, 0, 123u128)).unwrap();
        assert!(all().is_err_and(|e| e.contains("another run")));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let path = at("damaged");
        let file = Checkpoint::new(path.clone(), "chess 6 startpos".into());
        let with_units = |file: &Checkpoint, units: &[u64]| {
            file.read::<u128>(units.to_vec()).map(|(results, saved)| (results, saved.text))
        };
        let refused = |word: &str, file: &Checkpoint, units: &[u64]| {
            let error = with_units(file, units).unwrap_err();
            assert!(error.contains(word), "{error}");
        };
        let text = with(file.read::<u128>(vec![0, 1]).unwrap().1, 0, 0, 123u128);
        file.write(&text).unwrap();
        refused("another run", &file, &[0, 1, 2]);
        refused("damaged", &file, &[7, 1]);
        refused("another run", &Checkpoint::new(path.clone(), "chess 7 startpos".into()), &[0, 1]);
        // Only whole lines may be missing, and the last line feed.
        let header = text.find('\n').unwrap() + 1;
        for cut in 0..text.len() {
            std::fs::write(&path, &text[..cut]).unwrap();
            let whole = cut == header || cut == text.len() - 1;
            assert_eq!(with_units(&file, &[0, 1]).is_ok(), whole, "cut at {cut}");
        }
        for (content, word) in [
            (text.replace("123", "124"), "damaged"),
            ("tabiya perft checkpoint, version 3\nchess 6 startpos\n".into(), "another version"),
            ("\u{1}".into(), "no perft checkpoint"),
        ] {
            std::fs::write(&path, content).unwrap();
            refused(word, &file, &[0, 1]);
        }
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(with_units(&file, &[0, 1]).is_err());
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(with_units(&file, &[0, 1]).is_err() && file.write(&text).is_err());
        std::fs::remove_dir(path).unwrap();
    }
}
