//! Reads one value from one table: computes the index of a position, finds its block and decompresses the value.
//!
//! A stored value is not yet the value of the position: `probe` takes captures and en passant into account.

use super::indexing::View;
use super::layout::{Blocks, Layout, Part, Storage};
use super::pager::Pager;
use super::refusal::Refusal;
use crate::chess::board::position::Position;
use crate::game::Side;
use crate::game::endgame_tables::Patience;

/// The most steps from one block to the next. Files need very few.
const LONGEST_WALK: u32 = 1 << 12;

/// The table for a position.
#[derive(Clone, Copy)]
pub(super) struct TableRef {
    /// The index of its file.
    pub file: usize,
    /// The position's White is the table's Black.
    pub flip: bool,
}

/// The stored result for the side to move: −2 loss … 2 win.
pub(super) fn stored_wdl(
    pager: &Pager,
    found: TableRef,
    pos: &Position,
    patience: Patience<'_>,
) -> Result<i8, Refusal> {
    let layout = &pager.open(found.file, patience)?.layout;
    let (part, view, _) = part_of(layout, found, pos)?;
    let raw = value(pager, found.file, part, view, patience)?;
    if raw > 4 {
        return Err(Refusal::Damaged);
    }
    Ok(raw as i8 - 2)
}

/// The stored distance to the next capture or pawn move, in plies from 0, of a position with the result `wdl`. `None`
/// if the table stores only the other side to move.
pub(super) fn stored_dtz(
    pager: &Pager,
    found: TableRef,
    pos: &Position,
    wdl: i8,
    patience: Patience<'_>,
) -> Result<Option<i32>, Refusal> {
    let layout = &pager.open(found.file, patience)?.layout;
    let (part, view, side) = part_of(layout, found, pos)?;
    let alike = layout.material.is_symmetric() && !layout.material.has_pawns();
    if !alike && !part.has_side(side) {
        return Ok(None);
    }
    let raw = value(pager, found.file, part, view, patience)?;
    part.distance(raw, wdl).map(Some).ok_or(Refusal::Damaged)
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
