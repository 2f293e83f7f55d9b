//! Syzygy endgame tablebases: results (WDL) and distances (DTZ) of all positions with few pieces, read from files.
//!
//! [`Tablebases`] lists folders, opens files when they are first needed, and probes whole positions for `cli::probe`
//! and the engine. The format is Ronald de Man's. The reader is safe code that trusts no file: a damaged file is
//! reported once, and never causes a wrong index, an endless loop or a panic.
//!
//! Files from low to high level: `refusal`, `material`, `checksum`, `cursor`, `pairs`, `indexing`, `layout` (the
//! contents of a file), `pager` (the reader thread), `table` (the set of tables, and one stored value), `probe` (the
//! value of a position), `ranking` (for the search).

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

pub use table::Tablebases;

use crate::base::files::{path_of, reason};
use crate::chess::Position;
use crate::chess::types::Move;
use crate::game::search::endgame_tables::{Patience, TableFault};
use crate::game::text::fault::quoted;
use std::fs;
use std::path::{Path, PathBuf};
use table::Lookup;

/// Waits forever: for programs without a clock.
pub const PATIENT: Patience<'static> = &|| true;

/// A legal move with its tablebase values, from the point of view of the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The move.
    pub m: Move,
    /// The result, −2 to 2.
    pub wdl: i8,
    /// The distance in plies, including this move, to the next capture or pawn move (this move, if it is one) or to
    /// mate. `None` if a table for it is missing.
    pub dtz: Option<i32>,
}

impl Tablebases {
    /// The result for the side to move with a half-move clock of 0: −2 loss, −1 blessed loss (a draw by the
    /// fifty-move rule), 0 draw, 1 cursed win (a draw by the fifty-move rule), 2 win. Bare kings and a lone minor piece
    /// need no file.
    ///
    /// # Errors
    /// If there is no answer.
    pub fn wdl(&self, pos: &Position, patience: Patience<'_>) -> Result<i8, Refusal> {
        probe::wdl(Lookup { tables: self, patience }, pos)
    }

    /// The distance in plies to the next capture or pawn move under best play: positive for a win, negative for a
    /// loss, 0 for a draw, and beyond 100 if the fifty-move rule makes it a draw. As the format allows, it may be one
    /// ply too small where that does not matter.
    ///
    /// # Errors
    /// If there is no answer.
    pub fn dtz(&self, pos: &Position, patience: Patience<'_>) -> Result<i32, Refusal> {
        probe::dtz(Lookup { tables: self, patience }, pos)
    }

    /// The legal moves, best first: by result, then the fastest win or the slowest loss, then those without a distance.
    /// Those that have no result follow, with the reason.
    pub fn judge_moves(&self, pos: &Position, patience: Patience<'_>) -> (Vec<Judged>, Vec<(Move, Refusal)>) {
        let (mut judged, mut unknown) = (Vec::new(), Vec::new());
        for &m in pos.legal_moves().iter() {
            match self.judge(pos, m, patience) {
                Ok(values) => judged.push(values),
                Err(refusal) => unknown.push((m, refusal)),
            }
        }
        judged.sort_by_key(|judged| (-judged.wdl, judged.dtz.is_none(), judged.dtz));
        (judged, unknown)
    }

    /// The values of a legal move.
    fn judge(&self, pos: &Position, m: Move, patience: Patience<'_>) -> Result<Judged, Refusal> {
        let lookup = Lookup { tables: self, patience };
        let wdl = -probe::wdl(lookup, &pos.play_unchecked(m))?;
        match probe::dtz_of_move(lookup, pos, m, wdl) {
            Err(Refusal::TooSlow) => Err(Refusal::TooSlow),
            dtz => Ok(Judged { m, wdl, dtz: dtz.ok() }),
        }
    }
}

fn folders(list: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for part in list.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        // A colon may be part of a name; on Windows it follows the drive letter.
        if cfg!(windows) || path_of(part).is_dir() {
            folders.push(path_of(part));
        } else {
            folders.extend(part.split(':').filter(|part| !part.is_empty()).map(path_of));
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
        let opener = Box::new(move || Source::of(fs::File::open(&path)?));
        files.push(TableFile { name, material, metric, opener });
    }
    if files.len() == before { Err("it contains none".into()) } else { Ok(()) }
}
