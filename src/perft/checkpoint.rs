//! The file that keeps the finished units of a long run.
//!
//! A text file, replaced as a whole: first written beside its place, brought to the disk, then renamed, so
//! that a kill at any moment leaves the old or the new one. A checksum at the end tells damage; the run's
//! name at the beginning tells a file of another run. Called by `count`.

use super::parallel::Keep;
use super::quantity::Record;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::{fs, io};

const TITLE: &str = "tabiya perft checkpoint, version 3";

/// A checkpoint file and the run it belongs to.
pub struct Checkpoint {
    path: PathBuf,
    run: String,
}

impl Checkpoint {
    /// The checkpoint at `path` of the run with the (one-line) name `run`: game, position and depth.
    pub fn new(path: PathBuf, run: String) -> Self {
        Checkpoint { path, run }
    }

    /// The name of the run, and what it counts.
    fn run_of<Q: Record>(&self) -> String {
        format!("{}{}", self.run, Q::NAME)
    }

    fn fault(&self, what: impl std::fmt::Display) -> String {
        format!("{}: {what}", self.path.display())
    }

    /// What earlier runs have finished of the `units` units; nothing if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged or belongs to another run.
    pub fn read<Q: Record + Clone>(&self, units: usize) -> Result<Found<Q>, String> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => {
                return Ok(Found { results: vec![None; units], seeds: Vec::new() });
            }
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
        let seeds =
            lines.next().and_then(|line| line.strip_prefix("seeds ")).ok_or_else(damaged)?;
        let seeds: Result<_, _> = seeds.split(' ').map(str::parse).collect();
        let mut found = Found { results: vec![None; units], seeds: seeds.map_err(|_| damaged())? };
        for line in lines {
            let (unit, count) = line.split_once(' ').ok_or_else(damaged)?;
            let unit: usize = unit.parse().map_err(|_| damaged())?;
            let slot = found.results.get_mut(unit).ok_or_else(damaged)?;
            *slot = Some(Q::from_text(count).ok_or_else(damaged)?);
        }
        Ok(found)
    }
}

/// What a checkpoint holds.
#[derive(Debug, PartialEq, Eq)]
pub struct Found<Q> {
    /// The result of each unit that is finished.
    pub results: Vec<Option<Q>>,
    /// The seeds of the runs that have counted them, in ascending order.
    pub seeds: Vec<u64>,
}

/// Writes the checkpoint of a run.
pub struct Keeper<'a> {
    file: &'a Checkpoint,
    seeds: String,
}

impl<'a> Keeper<'a> {
    /// For a run with `seed` that goes on from what runs with the seeds `earlier` have left.
    pub fn new(file: &'a Checkpoint, earlier: &[u64], seed: u64) -> Self {
        let mut seeds = [earlier, &[seed]].concat();
        seeds.sort_unstable();
        seeds.dedup();
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        Keeper { file, seeds: seeds.join(" ") }
    }
}

impl<Q: Record> Keep<Q> for Keeper<'_> {
    /// Replaces the file; if that fails, the old one is still there.
    fn keep(&self, results: &[Option<Q>]) -> Result<(), String> {
        let Keeper { file, seeds } = self;
        let (run, units) = (file.run_of::<Q>(), results.len());
        let mut body = format!("\n{run}\nunits {units}\nseeds {seeds}\n");
        for (unit, count) in results.iter().enumerate() {
            if let Some(count) = count {
                let _ = writeln!(body, "{unit} {}", count.to_text());
            }
        }
        let text = format!("{TITLE}{body}sum {}\n", checksum(&body));
        let mut beside = file.path.clone().into_os_string();
        beside.push(".new");
        let write = || -> io::Result<()> {
            let mut new = fs::File::create(&beside)?;
            new.write_all(text.as_bytes())?;
            new.sync_all()?;
            fs::rename(&beside, &file.path)
        };
        write().map_err(|e| {
            // Nothing half-written stays behind, as far as that is in our hands.
            let _ = fs::remove_file(&beside);
            file.fault(e)
        })
    }
}

/// FNV-1a, 64 bits: enough against damage, not against intent.
fn checksum(text: &str) -> String {
    let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests {
    use super::{Checkpoint, Keep, Keeper};
    use crate::game::Columns;
    use std::path::PathBuf;

    fn keeper(file: &Checkpoint) -> Keeper<'_> {
        Keeper::new(file, &[], 0)
    }

    fn at(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("tabiya-{}-{name}", std::process::id()))
    }

    #[test]
    fn what_was_written_is_read_back() {
        let path = at("whole");
        let file = Checkpoint::new(path.clone(), "chess 6 startpos".into());
        let found = file.read::<u128>(3).unwrap();
        assert_eq!((found.results, found.seeds), (vec![None, None, None], vec![]));
        let results = [Some(7u128), None, Some(u128::MAX)];
        for (seed, seeds) in
            [(5, vec![5]), (u64::MAX, vec![5, u64::MAX]), (0, vec![0, 5, u64::MAX])]
        {
            let earlier = file.read::<u128>(3).unwrap().seeds;
            Keeper::new(&file, &earlier, seed).keep(&results).unwrap();
            let found = file.read(3).unwrap();
            assert_eq!((&found.results[..], found.seeds), (&results[..], seeds));
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn columns_are_kept_whole_and_apart_from_counts() {
        let path = at("columns");
        let file = Checkpoint::new(path.clone(), "chess 6 startpos".into());
        let columns = Columns::from_counted(std::array::from_fn(|i| u128::MAX - i as u128));
        keeper(&file).keep(&[Some(columns), None]).unwrap();
        assert_eq!(file.read(2).unwrap().results, [Some(columns), None]);
        assert!(file.read::<u128>(2).unwrap_err().contains("another run"));
        keeper(&file).keep(&[Some(123u128), None]).unwrap();
        assert!(file.read::<Columns<u128>>(2).unwrap_err().contains("another run"));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn damage_and_strangers_are_refused() {
        let path = at("damaged");
        let file = Checkpoint::new(path.clone(), "chess 6 startpos".into());
        keeper(&file).keep(&[Some(123u128), None]).unwrap();
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
        assert!(file.read::<u128>(2).is_err() && keeper(&file).keep(&[None::<u128>]).is_err());
        std::fs::remove_dir(path).unwrap();
    }
}
