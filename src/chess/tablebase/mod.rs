//! Syzygy endgame tablebases: results (WDL) and distances (DTZ) of all positions with few pieces, read from files.
//!
//! [`Tablebases`] lists folders, opens files when they are first needed, and probes whole positions for `cli::probe`
//! and the engine. The format is Ronald de Man's. The reader is safe code that trusts no file: a damaged file is
//! reported once, and never causes a wrong index, an endless loop or a panic.
//!
//! Files from low to high level: `refusal`, `material`, `checksum`, `cursor`, `pairs`, `indexing`, `layout` (the
//! contents of a file), `pager` (the reader thread), `table` (one stored value), `probe` (the value of a position),
//! `ranking` (for the search).

mod checksum;
mod cursor;
mod indexing;
mod layout;
mod material;
mod pager;
mod pairs;
mod probe;
mod ranking;
mod refusal;
mod table;

pub use checksum::checksum;
pub use layout::Metric;
pub use material::{MOST_MEN, Material};
pub use pager::{Opener, Source, TableFile};
pub use refusal::Refusal;

use crate::base::reason::reason;
use crate::chess::board::position::Position;
use crate::chess::eval::kpk;
use crate::chess::types::Move;
use crate::game::endgame_tables::{Patience, TableFault};
use crate::game::notation::quoted;
use pager::Pager;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use table::TableRef;

/// Waits forever: for programs without a clock.
pub const PATIENT: Patience<'static> = &|| true;

/// The files for one material.
#[derive(Clone, Copy, Default)]
struct Pair {
    wdl: Option<TableRef>,
    dtz: Option<TableRef>,
}

/// A set of tables. It is small: files are opened and read when they are needed, into a cache of 64 MiB.
pub struct Tablebases {
    /// `None` if there is no file, so that an empty set starts no thread.
    pager: Option<Pager>,
    pairs: HashMap<u64, Pair>,
    counts: [usize; 2],
    most_men: u32,
}

impl Default for Tablebases {
    /// A set without files.
    fn default() -> Self {
        Tablebases { pager: None, pairs: HashMap::new(), counts: [0; 2], most_men: 0 }
    }
}

/// A legal move with its tablebase values, from the point of view of the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The move.
    pub m: Move,
    /// The result, −2 to 2.
    pub wdl: i8,
    /// The distance in plies, including this move, to the next capture or pawn move (this move, if it is one) or to
    /// mate. `None` without a DTZ table.
    pub dtz: Option<i32>,
}

impl Tablebases {
    /// Opens the tables in a list of folders separated by `;` (or by `:` on systems where paths do not contain it).
    /// If two folders contain the same table, the first one is used. Also returns what is wrong with the list, one
    /// line each; everything that can be read is still used.
    pub fn open(list: &str) -> (Tablebases, Vec<TableFault>) {
        let mut faults = Vec::new();
        let mut files: Vec<TableFile> = Vec::new();
        for folder in folders(list) {
            if let Err(reason) = scan(&folder, &mut files, &mut faults) {
                let shown = quoted(&folder.to_string_lossy());
                faults.push(TableFault::Absent(format!("no tables from {shown}: {reason}")));
            }
        }
        (Tablebases::from_files(files), faults)
    }

    /// Builds a set from the given files. If two are the same table, the first one is used.
    pub fn from_files(files: Vec<TableFile>) -> Tablebases {
        let mut tables = Tablebases::default();
        for (number, file) in files.iter().enumerate() {
            let material = file.material;
            let own = tables.pairs.entry(material.key()).or_default();
            let place = match file.metric {
                Metric::Wdl => &mut own.wdl,
                Metric::Dtz => &mut own.dtz,
            };
            if place.is_some() {
                continue;
            }
            *place = Some(TableRef { file: number, flip: false });
            tables.counts[usize::from(file.metric == Metric::Dtz)] += 1;
            if file.metric == Metric::Wdl {
                tables.most_men = tables.most_men.max(material.men());
            }
            if !material.is_symmetric() {
                let other = tables.pairs.entry(material.mirrored().key()).or_default();
                let place = match file.metric {
                    Metric::Wdl => &mut other.wdl,
                    Metric::Dtz => &mut other.dtz,
                };
                place.get_or_insert(TableRef { file: number, flip: true });
            }
        }
        tables.pager = (!files.is_empty()).then(|| Pager::new(files));
        tables
    }

    /// The most pieces of any WDL table; 0 without tables.
    pub fn most_men(&self) -> u32 {
        self.most_men
    }

    /// The numbers of WDL and DTZ tables.
    pub fn counts(&self) -> (usize, usize) {
        (self.counts[0], self.counts[1])
    }

    /// The faults found in files since the last call, one line each.
    pub fn take_faults(&self) -> Vec<String> {
        self.pager.as_ref().map_or(Vec::new(), Pager::take_faults)
    }

    /// The result for the side to move with a half-move clock of 0: −2 loss, −1 blessed loss (a draw by the
    /// fifty-move rule), 0 draw, 1 cursed win (a draw by the fifty-move rule), 2 win. Bare kings, a lone minor piece,
    /// and king and pawn against king need no file.
    ///
    /// # Errors
    /// If there is no answer.
    pub fn wdl(&self, pos: &Position, patience: Patience<'_>) -> Result<i8, Refusal> {
        probe::wdl(&TableLookup { tables: self, patience }, pos)
    }

    /// The distance in plies to the next capture or pawn move under best play: positive for a win, negative for a
    /// loss, 0 for a draw, and beyond 100 if the fifty-move rule makes it a draw. As the format allows, it may be one
    /// ply too small where that does not matter.
    ///
    /// # Errors
    /// If there is no answer.
    pub fn dtz(&self, pos: &Position, patience: Patience<'_>) -> Result<i32, Refusal> {
        probe::dtz(&TableLookup { tables: self, patience }, pos)
    }

    /// All legal moves, best first: by result, then the fastest win or the slowest loss. Either all moves have
    /// distances or none.
    ///
    /// # Errors
    /// If a position after some move has no result.
    pub fn judge_moves(&self, pos: &Position, patience: Patience<'_>) -> Result<Vec<Judged>, Refusal> {
        let moves = pos.legal_moves();
        let mut judged = self.judge(pos, &moves, patience)?;
        judged.sort_by_key(|judged| (-judged.wdl, judged.dtz));
        Ok(judged)
    }

    /// The same for some legal moves, in their order.
    fn judge(&self, pos: &Position, moves: &[Move], patience: Patience<'_>) -> Result<Vec<Judged>, Refusal> {
        let lookup = TableLookup { tables: self, patience };
        let mut judged = Vec::with_capacity(moves.len());
        for &m in moves.iter() {
            let mut child = *pos;
            child.make(m);
            let wdl = -probe::wdl(&lookup, &child)?;
            judged.push(Judged { m, wdl, dtz: None });
        }
        let distances: Result<Vec<i32>, Refusal> =
            judged.iter().map(|judged| probe::dtz_of_move(&lookup, pos, judged.m, judged.wdl)).collect();
        match distances {
            Ok(distances) => {
                for (judged, distance) in judged.iter_mut().zip(distances) {
                    judged.dtz = Some(distance);
                }
            }
            Err(Refusal::TooSlow) => return Err(Refusal::TooSlow),
            Err(_) => {}
        }
        Ok(judged)
    }

    fn pair(&self, pos: &Position) -> Option<Pair> {
        self.pairs.get(&Material::of(pos).key()).copied()
    }
}

/// A set of tables and how long to wait for it.
struct TableLookup<'a> {
    tables: &'a Tablebases,
    patience: Patience<'a>,
}

impl probe::Lookup for TableLookup<'_> {
    fn wdl(&self, pos: &Position) -> Result<i8, Refusal> {
        if pos.occupied().count() <= 3 {
            if pos.is_material_insufficient() {
                return Ok(0);
            }
            if let Some(wins) = kpk::wins(pos) {
                let strong = kpk::strong_side(pos) == Some(pos.side());
                return Ok(if !wins {
                    0
                } else if strong {
                    2
                } else {
                    -2
                });
            }
        }
        match (self.tables.pair(pos).and_then(|pair| pair.wdl), &self.tables.pager) {
            (Some(found), Some(pager)) => table::stored_wdl(pager, found, pos, self.patience),
            _ => Err(Refusal::NoTable),
        }
    }

    fn dtz(&self, pos: &Position, wdl: i8) -> Result<Option<i32>, Refusal> {
        match (self.tables.pair(pos).and_then(|pair| pair.dtz), &self.tables.pager) {
            (Some(found), Some(pager)) => table::stored_dtz(pager, found, pos, wdl, self.patience),
            _ => Err(Refusal::NoTable),
        }
    }
}

/// Splits a list of folders.
fn folders(list: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for part in list.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        // A colon may be part of a name; on Windows it follows the drive letter.
        if cfg!(windows) || Path::new(part).is_dir() {
            folders.push(PathBuf::from(part));
        } else {
            folders.extend(part.split(':').filter(|part| !part.is_empty()).map(PathBuf::from));
        }
    }
    folders
}

/// Adds the tables in a folder. Other files are ignored.
fn scan(folder: &Path, files: &mut Vec<TableFile>, faults: &mut Vec<TableFault>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| reason(&error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let before = files.len();
    for path in paths {
        let (Some(stem), Some(extension)) = (path.file_stem(), path.extension()) else { continue };
        let metric = [Metric::Wdl, Metric::Dtz].into_iter().find(|m| extension == m.extension());
        let Some(metric) = metric else { continue };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(material) = stem.to_str().and_then(Material::parse) else {
            let fault = format!("{} is not used: this is not a table name", quoted(&name));
            faults.push(TableFault::Unusable(fault));
            continue;
        };
        let len = fs::metadata(&path).map_or(0, |data| data.len());
        if len % 64 != 16 || len < 80 {
            let fault = format!("{name} is not used: {len} bytes is not a valid table size");
            faults.push(TableFault::Unusable(fault));
            continue;
        }
        let opener = Box::new(move || fs::File::open(&path).map(|file| Box::new(file) as Box<dyn Source>));
        files.push(TableFile { name, material, metric, opener });
    }
    if files.len() == before { Err("it contains none".into()) } else { Ok(()) }
}
