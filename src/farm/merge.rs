//! `perft DEPTH --merge FILE…`: the sum of all parts of a run, each of which is a finished checkpoint.

use super::checkpoint::{TITLE, VERSION, next_line, read_lines, unseal};
use super::recorder::{Found, width};
use crate::base::files::open;
use crate::base::text::decimal;
use crate::game::Columns;
use crate::perft::run::Part;
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::Path;

/// The parts of a run that are there.
pub struct Merge {
    /// The game, the depth and the position.
    pub run: String,
    /// The number of counts of a part: 1, or that of root moves of a divide.
    pub counts: usize,
    /// The counts of each part by its number, from 1; `None` if it is not finished.
    pub parts: BTreeMap<usize, Option<Vec<Columns<u128>>>>,
    /// The number of all parts.
    pub of: usize,
    /// What the headers of all parts must say alike.
    common: String,
}

/// The header of a checkpoint.
struct Header {
    run: String,
    columns: usize,
    counts: usize,
    part: Part,
    common: String,
    checksum: u64,
}

impl Header {
    fn read(line: &str) -> Option<Header> {
        let (fields, checksum) = unseal(line)?;
        let [TITLE, VERSION, run, columns, counts, seed, of_part, _memory] = fields[..] else { return None };
        let part = Part::read(of_part.strip_prefix("part=")?)?;
        Some(Header {
            run: run.into(),
            columns: decimal(columns.strip_prefix("columns=")?)?,
            counts: decimal(counts.strip_prefix("counts=")?)?,
            part,
            common: format!("{run}, {columns}, {counts}, {seed}, parts={}", part.of),
            checksum,
        })
    }
}

impl Merge {
    /// Reads the parts in these files, which were counted with or without `statistics`.
    ///
    /// # Errors
    /// In one line: a file that cannot be read or belongs to another run, or two files of one part that differ.
    pub fn read(paths: &[impl AsRef<Path>], statistics: bool) -> Result<Merge, String> {
        let mut merge: Option<Merge> = None;
        for path in paths {
            let path = path.as_ref();
            let in_file = |reason: String| format!("{path:?}: {reason}");
            let mut input = BufReader::new(open(path).map_err(in_file)?.0);
            let first = next_line(&mut input).map_err(|error| in_file(error.to_string()))?;
            if first.length == 0 || !first.is_whole && first.text.starts_with(TITLE) {
                // A run that was killed early.
                continue;
            }
            let header = Header::read(&first.text);
            let header = header.ok_or_else(|| in_file("the file is not a perft checkpoint".into()))?;
            let Header { run, columns, counts, part, common, checksum } = header;
            let Part { index, of } = part;
            if columns != width(statistics) {
                let how = if columns == 1 { "without --stats" } else { "with --stats; give --stats" };
                return Err(in_file(format!("this was counted {how}")));
            }
            let parts = BTreeMap::new();
            let merge = merge.get_or_insert_with(|| Merge { run, counts, parts, of, common: common.clone() });
            if common != merge.common {
                return Err(in_file(format!("this is of another run: {common}; the first file: {}", merge.common)));
            }
            let mut found = Found::new(counts, statistics);
            read_lines(&mut input, |line| found.read(checksum, line)).map_err(in_file)?;
            match merge.parts.insert(index + 1, found.total.clone()) {
                Some(Some(before)) if found.total.as_ref().is_some_and(|found| *found != before) => {
                    return Err(in_file(format!("two files of part {} of {of} differ", index + 1)));
                }
                // One of the two may be unfinished.
                Some(before @ Some(_)) => merge.parts.insert(index + 1, before),
                _ => None,
            };
        }
        merge.ok_or_else(|| "no file has the header of a part".into())
    }

    /// The numbers of the parts that are missing or not finished.
    pub fn missing(&self) -> Vec<usize> {
        (1..=self.of).filter(|number| !matches!(self.parts.get(number), Some(Some(_)))).collect()
    }

    /// The sums of all parts.
    pub fn sums(&self) -> Vec<Columns<u128>> {
        let mut sums = vec![Columns::default(); self.counts];
        for counts in self.parts.values().flatten() {
            for (sum, &count) in sums.iter_mut().zip(counts) {
                sum.add_times(count, 1);
            }
        }
        sums
    }
}
