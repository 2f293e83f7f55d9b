//! The header of a Syzygy file: its parts, how each is indexed and compressed, and the offsets of their data.
//!
//! Every offset is checked against the length of the file before anything is read from it. Data that no generator
//! writes is reported as an error in one line.

use super::cursor::Cursor;
use super::indexing::Numbering;
use super::material::Material;
use super::pairs::Code;
use crate::game::Side;

/// The longest header: eight parts with the largest number of symbols, and maps of the largest distances.
pub(super) const LONGEST_HEAD: usize = 1 << 19;
/// The length of the checksum after the data.
pub(super) const CHECKSUM: u64 = 16;

/// The type of a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Metric {
    /// Win, draw or loss, with the fifty-move rule: `.rtbw`.
    Wdl,
    /// Distance to the next capture or pawn move: `.rtbz`.
    Dtz,
}

impl Metric {
    /// The file name extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Metric::Wdl => "rtbw",
            Metric::Dtz => "rtbz",
        }
    }

    const fn magic(self) -> [u8; 4] {
        match self {
            Metric::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Metric::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// How the values of a part are stored.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// All positions have this value.
    Single(u16),
    /// The values are in blocks.
    Blocks(Blocks),
}

/// The offsets of compressed values in the file.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub code: Code,
    /// A block has `1 << block_bits` bytes.
    pub block_bits: u32,
    /// An entry of the sparse index covers `1 << span_bits` positions.
    pub span_bits: u32,
    /// The number of blocks with data.
    pub count: u32,
    /// The number of entries in the table of block lengths, a few more than there are blocks.
    pub lengths: u64,
    /// Offsets in the file: the sparse index (six bytes per entry), the numbers of values minus one (two bytes per
    /// block), and the data.
    pub index_at: u64,
    pub lengths_at: u64,
    pub data_at: u64,
}

/// The values for one side to move and, with pawns, for one file of the leading pawn.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub numbering: Numbering,
    pub storage: Storage,
    /// DTZ only.
    pub flags: u8,
    /// DTZ only: the maps from stored values to distances, in the file's order: wins, losses, cursed wins, blessed
    /// losses.
    maps: Option<[Vec<u16>; 4]>,
}

/// Bits of [`Part::flags`].
const SECOND_SIDE: u8 = 1;
const MAPPED: u8 = 2;
const WIN_PLIES: u8 = 4;
const LOSS_PLIES: u8 = 8;
const WIDE: u8 = 16;
const SINGLE: u8 = 128;

impl Part {
    /// Whether the part contains the positions with the table's `side` to move.
    pub fn has_side(&self, side: Side) -> bool {
        (self.flags & SECOND_SIDE != 0) == (side == Side::Second)
    }

    /// The distance in plies, minus one, for the stored number `raw` and the result `wdl`.
    pub fn distance(&self, raw: u16, wdl: i8) -> Option<i32> {
        let mut value = i32::from(raw);
        if let Some(maps) = &self.maps {
            let map = match wdl {
                2 => 0,
                -2 => 1,
                1 => 2,
                _ => 3,
            };
            value = i32::from(*maps[map].get(usize::from(raw))?);
        }
        let in_plies = match wdl {
            2 => self.flags & WIN_PLIES != 0,
            -2 => self.flags & LOSS_PLIES != 0,
            _ => false,
        };
        Some(if in_plies { value } else { 2 * value })
    }
}

/// All parts of a table.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub material: Material,
    /// By file of the leading pawn (one entry without pawns), then by side to move (one entry if the table is
    /// symmetric, or if only one side is stored, as in DTZ tables).
    pub parts: Vec<Vec<Part>>,
}

const SPLIT: u8 = 1;
const HAS_PAWNS: u8 = 2;

impl Layout {
    /// Reads the header of a file of `len` bytes.
    ///
    /// # Errors
    /// If it is not the header of a table with this material.
    pub fn read(head: &[u8], len: u64, material: Material, metric: Metric) -> Result<Layout, &'static str> {
        let mut cursor = Cursor::new(head);
        if cursor.bytes(4)? != metric.magic() {
            return Err("it does not start with the magic number of its type");
        }
        let kind = cursor.u8()?;
        let pawns = material.has_pawns();
        if (kind & HAS_PAWNS != 0) != pawns {
            return Err("its header does not match its name");
        }
        // DTZ tables store only one side to move.
        let sides = if metric == Metric::Wdl && !material.is_symmetric() { 2 } else { 1 };
        if metric == Metric::Wdl && (kind & SPLIT != 0) != (sides == 2) {
            return Err("its header does not match its name");
        }
        let files = if pawns { 4 } else { 1 };
        let mut numberings = Vec::new();
        for file in 0..files {
            numberings.push(numberings_of(&mut cursor, &material, sides, file)?);
        }
        cursor.even();
        let mut parts = Vec::new();
        for numberings in numberings {
            let mut by_side = Vec::new();
            for numbering in numberings {
                by_side.push(part(&mut cursor, numbering, metric)?);
            }
            parts.push(by_side);
        }
        let mut layout = Layout { material, parts };
        if metric == Metric::Dtz {
            layout.read_maps(&mut cursor)?;
        }
        layout.place(cursor.place(), len)?;
        Ok(layout)
    }

    fn read_maps(&mut self, cursor: &mut Cursor<'_>) -> Result<(), &'static str> {
        for part in self.parts.iter_mut().flatten() {
            let alike = self.material.is_symmetric() && self.material.has_pawns();
            if alike && part.flags & SECOND_SIDE != 0 {
                return Err("it stores the wrong side to move");
            }
            if part.flags & MAPPED == 0 {
                continue;
            }
            let wide = part.flags & WIDE != 0;
            if wide {
                cursor.even();
            }
            let mut maps: [Vec<u16>; 4] = Default::default();
            for map in &mut maps {
                let count = if wide { cursor.u16()? } else { u16::from(cursor.u8()?) };
                for _ in 0..count {
                    map.push(if wide { cursor.u16()? } else { u16::from(cursor.u8()?) });
                }
            }
            part.maps = Some(maps);
        }
        cursor.even();
        Ok(())
    }

    /// Computes the offsets of every part: all sparse indices, then all lengths, then all data.
    fn place(&mut self, head: u64, len: u64) -> Result<(), &'static str> {
        const SHORT: &str = "it is shorter than its header says";
        let mut at = head;
        let mut advance = |count: u64, size: u64| {
            let start = at;
            at = at.checked_add(count.checked_mul(size)?)?;
            (at <= len.saturating_sub(CHECKSUM)).then_some(start)
        };
        let mut blocks: Vec<(&Numbering, &mut Blocks)> = self
            .parts
            .iter_mut()
            .flatten()
            .filter_map(|part| match &mut part.storage {
                Storage::Single(_) => None,
                Storage::Blocks(blocks) => Some((&part.numbering, blocks)),
            })
            .collect();
        for (numbering, blocks) in &mut blocks {
            let entries = numbering.size().div_ceil(1 << blocks.span_bits);
            blocks.index_at = advance(entries, 6).ok_or(SHORT)?;
        }
        for (_, blocks) in &mut blocks {
            blocks.lengths_at = advance(blocks.lengths, 2).ok_or(SHORT)?;
        }
        for (_, blocks) in &mut blocks {
            let start = advance(0, 0).ok_or(SHORT)?;
            advance(start.wrapping_neg() % 64, 1).ok_or(SHORT)?;
            blocks.data_at = advance(u64::from(blocks.count), 1 << blocks.block_bits).ok_or(SHORT)?;
        }
        Ok(())
    }
}

/// The piece lists for one file of the leading pawn, for both sides to move.
fn numberings_of(
    cursor: &mut Cursor<'_>,
    material: &Material,
    sides: usize,
    file: usize,
) -> Result<Vec<Numbering>, &'static str> {
    use crate::chess::types::piece::Kind::Pawn;
    let both_have_pawns = Side::BOTH.iter().all(|&side| material.count(side, Pawn) > 0);
    // Each byte has one half for each side to move.
    let first = cursor.u8()?;
    let second = if both_have_pawns { Some(cursor.u8()?) } else { None };
    let men = cursor.bytes(material.men() as usize)?;
    let half = |side: usize, byte: u8| if side == 0 { byte & 15 } else { byte >> 4 };
    (0..sides)
        .map(|side| {
            let men: Vec<u8> = men.iter().map(|&byte| half(side, byte)).collect();
            let places = (half(side, first), second.map(|byte| half(side, byte)));
            Numbering::new(material, &men, places, file)
        })
        .collect()
}

/// The code of one part. Its offsets are not known yet.
fn part(cursor: &mut Cursor<'_>, numbering: Numbering, metric: Metric) -> Result<Part, &'static str> {
    let flags = cursor.u8()?;
    if flags & SINGLE != 0 {
        let value = u16::from(cursor.u8()?);
        // The byte is meaningful only in WDL tables. In DTZ tables all distances are then the smallest one.
        let value = if metric == Metric::Wdl { value } else { 0 };
        return Ok(Part { numbering, storage: Storage::Single(value), flags, maps: None });
    }
    let block_bits = u32::from(cursor.u8()?);
    let span_bits = u32::from(cursor.u8()?);
    if !(1..=15).contains(&block_bits) || !(1..=32).contains(&span_bits) {
        return Err("its blocks have an impossible size");
    }
    let padding = u64::from(cursor.u8()?);
    let count = cursor.u32()?;
    let code = Code::read(cursor)?;
    let blocks = Blocks {
        code,
        block_bits,
        span_bits,
        count,
        lengths: u64::from(count) + padding,
        index_at: 0,
        lengths_at: 0,
        data_at: 0,
    };
    Ok(Part { numbering, storage: Storage::Blocks(blocks), flags, maps: None })
}
