//! A set of tables, and one value from one of them: computes the index of a position, finds its block and decompresses
//! the value.
//!
//! A stored value is not yet the value of the position: `probe` takes captures and en passant into account.

use super::indexing::View;
use super::layout::{Blocks, Layout, Metric, Part, Storage};
use super::material::Material;
use super::pager::{Pager, TableFile};
use super::refusal::Refusal;
use crate::chess::Position;
use crate::game::Side;
use crate::game::search::endgame_tables::Patience;
use std::collections::HashMap;

/// The most steps from one block to the next. Files need very few.
const LONGEST_WALK: u32 = 1 << 12;

/// The table for a position.
#[derive(Clone, Copy)]
struct TableRef {
    /// The index of its file.
    file: usize,
    /// The position's White is the table's Black.
    flip: bool,
}

/// A set of tables; the default is one without files. It is small: files are opened and read when they are needed, into
/// a cache of 64 MiB.
#[derive(Default)]
pub struct Tablebases {
    /// `None` if there is no file, so that an empty set starts no thread.
    pub(super) pager: Option<Pager>,
    tables: HashMap<(Material, Metric), TableRef>,
    counts: [usize; 2],
    pub(super) most_men: u32,
}

impl Tablebases {
    /// Builds a set from the given files. If two are the same table, the first one is used.
    pub fn from_files(files: Vec<TableFile>) -> Tablebases {
        let mut set = Tablebases::default();
        for (file, &TableFile { material, metric, .. }) in files.iter().enumerate() {
            if set.tables.contains_key(&(material, metric)) {
                continue;
            }
            set.tables.insert((material, metric), TableRef { file, flip: false });
            set.tables.entry((material.mirrored(), metric)).or_insert(TableRef { file, flip: true });
            set.counts[metric as usize] += 1;
            if metric == Metric::Wdl {
                set.most_men = set.most_men.max(material.men());
            }
        }
        set.pager = (!files.is_empty()).then(|| Pager::new(files));
        set
    }

    /// The numbers of WDL and DTZ tables.
    pub fn counts(&self) -> (usize, usize) {
        (self.counts[0], self.counts[1])
    }
}

/// A set of tables and how long to wait for it.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    pub tables: &'a Tablebases,
    pub patience: Patience<'a>,
}

impl Lookup<'_> {
    /// The stored result for the side to move: −2 loss … 2 win. It may be too low where a capture is best, and it
    /// ignores en passant.
    pub fn wdl(self, pos: &Position) -> Result<i8, Refusal> {
        if pos.occupied().count() <= 3 && pos.is_material_insufficient() {
            return Ok(0);
        }
        let (pager, found) = self.table(pos, Metric::Wdl)?;
        let layout = &pager.open(found.file, self.patience)?.layout;
        let (part, view, _) = part_of(layout, found, pos)?;
        match value(pager, found.file, part, view, self.patience)? {
            raw @ 0..=4 => Ok(raw as i8 - 2),
            _ => Err(Refusal::Damaged),
        }
    }

    /// The stored distance to the next capture or pawn move, in plies from 0, of a position with the result `wdl`.
    /// `None` if the table stores only the other side to move.
    pub fn dtz(self, pos: &Position, wdl: i8) -> Result<Option<i32>, Refusal> {
        let (pager, found) = self.table(pos, Metric::Dtz)?;
        let layout = &pager.open(found.file, self.patience)?.layout;
        let (part, view, side) = part_of(layout, found, pos)?;
        let alike = layout.material.is_symmetric() && !layout.material.has_pawns();
        if !alike && !part.has_side(side) {
            return Ok(None);
        }
        let raw = value(pager, found.file, part, view, self.patience)?;
        part.distance(raw, wdl).map(Some).ok_or(Refusal::Damaged)
    }

    fn table(&self, pos: &Position, metric: Metric) -> Result<(&Pager, TableRef), Refusal> {
        let material = Material::of(pos);
        let found = self.tables.tables.get(&(material, metric));
        self.tables.pager.as_ref().zip(found.copied()).ok_or(Refusal::NoTable(material, metric))
    }
}

/// The part of a table that contains the position, the view of the position, and the side to move in that view.
fn part_of<'a, 'p>(
    layout: &'a Layout,
    found: TableRef,
    pos: &'p Position,
) -> Result<(&'a Part, View<'p>, Side), Refusal> {
    let flip = found.flip || layout.material.is_symmetric() && pos.side() == Side::Second;
    let view = View { pos, flip };
    let side = if flip { pos.side().flip() } else { pos.side() };
    let file = if layout.parts.len() > 1 { view.leading_file(&layout.material) } else { 0 };
    let sides = layout.parts.get(file).ok_or(Refusal::Damaged)?;
    let part = if sides.len() > 1 { sides.get(side.index()) } else { sides.first() };
    Ok((part.ok_or(Refusal::Damaged)?, view, side))
}

fn value(pager: &Pager, file: usize, part: &Part, view: View<'_>, patience: Patience<'_>) -> Result<u16, Refusal> {
    match &part.storage {
        Storage::Single(value) => Ok(*value),
        Storage::Blocks(blocks) => {
            let index = part.numbering.index(view).ok_or(Refusal::Damaged)?;
            compressed(pager, file, blocks, index, patience)
        }
    }
}

/// Value number `index` of a compressed part.
fn compressed(pager: &Pager, file: usize, blocks: &Blocks, index: u64, patience: Patience<'_>) -> Result<u16, Refusal> {
    let span = 1u64 << blocks.span_bits;
    // Every entry of the sparse index describes the middle of its span: a block, and an offset within it.
    let entry_at = blocks.index_at + 6 * (index >> blocks.span_bits);
    let (mut block, place) = pager.read(file, entry_at, 6, patience, |b| {
        (u32::from_le_bytes([b[0], b[1], b[2], b[3]]), u16::from_le_bytes([b[4], b[5]]))
    })?;
    let mut skip = i64::from(place) + (index & (span - 1)) as i64 - (span / 2) as i64;
    // The middle of the last span may be after the last block: there are more lengths than blocks.
    let length = |block: u32| {
        if u64::from(block) >= blocks.lengths {
            return Err(Refusal::Damaged);
        }
        let at = blocks.lengths_at + 2 * u64::from(block);
        pager.read(file, at, 2, patience, |b| i64::from(u16::from_le_bytes([b[0], b[1]])) + 1)
    };
    let mut steps = 0;
    let mut step = || {
        steps += 1;
        if steps > LONGEST_WALK { Err(Refusal::Damaged) } else { Ok(()) }
    };
    while skip < 0 {
        step()?;
        block = block.checked_sub(1).ok_or(Refusal::Damaged)?;
        skip += length(block)?;
    }
    loop {
        let values = length(block)?;
        if skip < values {
            break;
        }
        step()?;
        skip -= values;
        block += 1;
    }
    if block >= blocks.count {
        return Err(Refusal::Damaged);
    }
    let at = blocks.data_at + (u64::from(block) << blocks.block_bits);
    pager
        .read(file, at, 1 << blocks.block_bits, patience, |bytes| blocks.code.value(bytes, skip as u64))?
        .ok_or(Refusal::Damaged)
}
