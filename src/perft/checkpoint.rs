//! The file that saves the finished units of a long run.
//!
//! A text file that is always replaced as a whole: written to a new file, synced to disk, then renamed. A kill at any
//! moment leaves either the old or the new file. A checksum at the end detects damage, and the run's name at the
//! beginning detects a file of another run. Called by `count`.

use super::quantity::Quantity;
use crate::base::checksum::fnv1a;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::str::FromStr;
use std::{fs, io};

const TITLE: &str = "tabiya perft checkpoint, version 3";

/// The contents of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents<Q> {
    /// The result of each unit, if finished.
    pub results: Vec<Option<Q>>,
    /// The seeds of the runs that counted them.
    pub seeds: BTreeSet<u64>,
}

impl<Q: Quantity> Contents<Q> {
    /// No results for `units` units.
    pub fn new(units: usize) -> Self {
        Contents { results: vec![None; units], seeds: BTreeSet::new() }
    }
}

/// A checkpoint file and the run it belongs to.
pub struct Checkpoint {
    path: PathBuf,
    run: String,
}

impl Checkpoint {
    /// The checkpoint at `path` of the run with the one-line name `run`: game, position and depth.
    pub fn new(path: PathBuf, run: String) -> Self {
        Checkpoint { path, run }
    }

    /// The name of the run, including what it counts.
    fn run_of<Q: Quantity>(&self) -> String {
        format!("{}{}", self.run, Q::NAME)
    }

    fn fault(&self, what: impl std::fmt::Display) -> String {
        format!("{}: {what}", self.path.display())
    }

    /// Reads what earlier runs have finished of `units` units; nothing if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged or belongs to another run.
    pub fn read<Q: Quantity>(&self, units: usize) -> Result<Contents<Q>, String> {
        let mut contents = Contents::new(units);
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(contents),
            Err(e) => return Err(self.fault(e)),
        };
        let no_checkpoint = || self.fault("the file is no perft checkpoint");
        let damaged = || self.fault("the checkpoint is damaged; delete it to start anew");
        let body = text.strip_prefix(TITLE).ok_or_else(no_checkpoint)?;
        let (body, sum) = body.rsplit_once("sum ").ok_or_else(damaged)?;
        if sum.trim_end() != checksum(body) {
            return Err(damaged());
        }
        let mut lines = body.lines().skip(1);
        let (run, count) = (lines.next(), lines.next());
        if run != Some(&self.run_of::<Q>()) || count != Some(&format!("units {units}")) {
            let other = run.unwrap_or_default();
            return Err(self.fault(format_args!("the checkpoint is of another run: {other}")));
        }
        let seeds = lines.next().and_then(|line| line.strip_prefix("seeds ")).map(numbers);
        contents.seeds = seeds.flatten().ok_or_else(damaged)?;
        for line in lines {
            let (unit, counted) = line.split_once(' ').ok_or_else(damaged)?;
            let unit: usize = unit.parse().map_err(|_| damaged())?;
            let slot = contents.results.get_mut(unit).ok_or_else(damaged)?;
            let counted: Option<Vec<u128>> = numbers(counted);
            *slot = Some(counted.and_then(|n| Q::from_numbers(&n)).ok_or_else(damaged)?);
        }
        Ok(contents)
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// If the file cannot be written; the old one is still intact.
    pub fn write<Q: Quantity>(&self, contents: &Contents<Q>) -> Result<(), String> {
        let Contents { results, seeds } = contents;
        let (run, units, seeds) = (self.run_of::<Q>(), results.len(), text(seeds));
        let mut body = format!("\n{run}\nunits {units}\nseeds {seeds}\n");
        for (unit, counted) in results.iter().enumerate() {
            if let Some(counted) = counted {
                let _ = writeln!(body, "{unit} {}", text(counted.numbers()));
            }
        }
        let whole = format!("{TITLE}{body}sum {}\n", checksum(&body));
        let mut beside = self.path.clone().into_os_string();
        beside.push(".new");
        let write = || -> io::Result<()> {
            let mut new = fs::File::create(&beside)?;
            new.write_all(whole.as_bytes())?;
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

/// Numbers separated by blanks.
fn text(numbers: impl IntoIterator<Item = impl ToString>) -> String {
    let texts: Vec<String> = numbers.into_iter().map(|n| n.to_string()).collect();
    texts.join(" ")
}

/// The inverse of [`text`].
fn numbers<N: FromStr, C: FromIterator<N>>(text: &str) -> Option<C> {
    text.split(' ').map(|n| n.parse().ok()).collect()
}

fn checksum(text: &str) -> String {
    format!("{:016x}", fnv1a(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{Checkpoint, Contents};
    use crate::game::Columns;
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    fn contents<Q>(results: impl Into<Vec<Option<Q>>>) -> Contents<Q> {
        Contents { results: results.into(), seeds: BTreeSet::from([0]) }
    }

    fn at(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("tabiya-{}-{name}", std::process::id()))
    }

    #[test]
    fn contents_round_trip() {
        let path = at("whole");
        let file = Checkpoint::new(path.clone(), "chess 6 startpos".into());
        assert_eq!(file.read::<u128>(3).unwrap(), Contents::new(3));
        for seeds in [vec![5], vec![5, u64::MAX], vec![0, 5, u64::MAX]] {
            let results = vec![Some(7u128), None, Some(u128::MAX)];
            let contents = Contents { results, seeds: seeds.into_iter().collect() };
            file.write(&contents).unwrap();
            assert_eq!(file.read(3).unwrap(), contents);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn columns_are_not_mistaken_for_counts() {
        let path = at("columns");
        let file = Checkpoint::new(path.clone(), "chess 6 startpos".into());
        let columns = Columns::from_counted(std::array::from_fn(|i| u128::MAX - i as u128));
        file.write(&contents([Some(columns), None])).unwrap();
        assert_eq!(file.read(2).unwrap().results, [Some(columns), None]);
        assert!(file.read::<u128>(2).unwrap_err().contains("another run"));
        file.write(&contents([Some(123u128), None])).unwrap();
        assert!(file.read::<Columns<u128>>(2).unwrap_err().contains("another run"));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let path = at("damaged");
        let file = Checkpoint::new(path.clone(), "chess 6 startpos".into());
        file.write(&contents([Some(123u128), None])).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(file.read::<u128>(3).unwrap_err().contains("another run"));
        let other = Checkpoint::new(path.clone(), "chess 7 startpos".into());
        assert!(other.read::<u128>(2).unwrap_err().contains("another run"));
        for cut in 0..text.len() {
            std::fs::write(&path, &text[..cut]).unwrap();
            // Only the last line feed may be missing.
            assert_eq!(file.read::<u128>(2).is_ok(), cut == text.len() - 1, "cut at {cut}");
        }
        std::fs::write(&path, text.replace("123", "124")).unwrap();
        assert!(file.read::<u128>(2).unwrap_err().contains("damaged"));
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(file.read::<u128>(2).is_err());
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(file.read::<u128>(2).is_err() && file.write(&contents([None::<u128>])).is_err());
        std::fs::remove_dir(path).unwrap();
    }
}
