//! Computes the index of a position within its table.
//!
//! Pieces are numbered group by group; a group is a set of identical pieces. The first group is special. Without
//! pawns it is three different pieces or both kings, moved by the symmetries of the board so that the first of them
//! is in the triangle a1-d1-d4. With pawns it is the pawns of one side, mirrored so that the leading pawn (the one
//! closest to the edge files, then to the second rank) is on the files a to d. The file stores the order in which the
//! groups are multiplied. All of this is Ronald de Man's format; the small tables are computed here from its
//! definition.

use super::material::Material;
use crate::chess::Position;
use crate::chess::types::Kind;
use crate::game::Side;
use std::sync::LazyLock;

/// The most pieces in a table, as an array length.
pub(super) const MEN: usize = super::material::MOST_MEN as usize;

/// The small tables of the format.
struct Tables {
    /// `choose[k][n]`: the number of ways to choose `k` of `n`.
    choose: [[u64; 64]; MEN],
    /// The ten squares of the triangle a1-d1-d4: first those below the diagonal, rank by rank, then the diagonal.
    triangle: [u8; 64],
    /// The 28 squares below the diagonal, rank by rank.
    below: [u8; 64],
    /// Pairs of kings, by the number of the first in the triangle and the square of the second.
    kings: [[u16; 64]; 10],
    /// The order of pawns: 47 is the leading one on a2, then h2, a3 …
    pawn_rank: [u8; 64],
    /// The first number of the pawns of one side, by their number less one and the square of the leading one.
    leading_first: [[u64; 64]; MEN - 2],
    /// The numbers of the pawns of one side, by their number less one and the file of the leading one.
    leading_sizes: [[u64; 4]; MEN - 2],
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// Numbers squares in the given order; the others get 255.
fn numbered(squares: impl Iterator<Item = u8>) -> [u8; 64] {
    let mut table = [0xff; 64];
    for (number, square) in (0..).zip(squares) {
        table[usize::from(square)] = number;
    }
    table
}

impl Tables {
    fn new() -> Tables {
        let mut choose = [[0; 64]; MEN];
        choose[0] = [1; 64];
        for k in 1..MEN {
            for n in 1..64 {
                choose[k][n] = choose[k - 1][n - 1] + choose[k][n - 1];
            }
        }
        let quarter = || (0..32).filter(|square| square & 7 < 4);
        let triangle =
            quarter().filter(|&s| above_diagonal(s) < 0).chain(quarter().filter(|&s| above_diagonal(s) == 0));
        let triangle = triangle.collect::<Vec<u8>>();
        let mut kings = [[0xffff; 64]; 10];
        let mut next = 0;
        // Pairs with both kings on the diagonal come last.
        for both_on_diagonal in [false, true] {
            for (&first, row) in triangle.iter().zip(&mut kings) {
                for (second, number) in (0..).zip(row) {
                    let [one, other] = [first, second].map(above_diagonal);
                    let apart = (first & 7).abs_diff(second & 7) > 1 || (first >> 3).abs_diff(second >> 3) > 1;
                    let mirrored = one == 0 && other > 0;
                    if apart && !mirrored && (one == 0 && other == 0) == both_on_diagonal {
                        (*number, next) = (next, next + 1);
                    }
                }
            }
        }
        assert!(u64::from(next) == KING_PAIRS);
        let pawns = (0..4).flat_map(|file| (1..7).flat_map(move |rank| [8 * rank + file, 8 * rank + 7 - file]));
        let pawn_rank = numbered(pawns.collect::<Vec<u8>>().into_iter().rev());
        let (mut leading_first, mut leading_sizes) = ([[0; 64]; MEN - 2], [[0; 4]; MEN - 2]);
        for k in 0..MEN - 2 {
            for (file, size) in leading_sizes[k].iter_mut().enumerate() {
                for square in (8 + file..56).step_by(8) {
                    leading_first[k][square] = *size;
                    // The other pawns are on squares of lower rank.
                    *size += choose[k][usize::from(pawn_rank[square])];
                }
            }
        }
        let below = numbered((0..64).filter(|&square| above_diagonal(square) < 0));
        let triangle = numbered(triangle.into_iter());
        Tables { choose, triangle, below, kings, pawn_rank, leading_first, leading_sizes }
    }
}

/// How far a square is above the diagonal a1-h8; negative if below.
fn above_diagonal(square: u8) -> i32 {
    i32::from(square >> 3) - i32::from(square & 7)
}

const KING_PAIRS: u64 = 462;
/// The number of placements of three different pieces, by how many of the first ones are on the diagonal.
const THREE: [u64; 4] = [6 * 63 * 62, 4 * 28 * 62, 4 * 7 * 28, 4 * 7 * 6];
const TRIPLES: u64 = THREE[0] + THREE[1] + THREE[2] + THREE[3];

/// A piece as encoded in files: 1 pawn to 6 king, plus 8 for the second side.
pub(super) fn man(code: u8) -> Option<(Side, Kind)> {
    let kind = *Kind::ALL.get((code & 7).checked_sub(1)? as usize)?;
    Some((if code & 8 == 0 { Side::First } else { Side::Second }, kind))
}

/// The side with the leading pawns: the one with fewer pawns, or White if both have equally many.
fn leading_side(material: &Material) -> Side {
    let [white, black] = Side::BOTH.map(|side| material.count(side, Kind::Pawn));
    if black > 0 && (white == 0 || black < white) { Side::Second } else { Side::First }
}

/// A position with its colours as they are or swapped, so that it matches the table.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub pos: &'a Position,
    /// Swap the colours and mirror the ranks.
    pub flip: bool,
}

impl View<'_> {
    /// The squares of the pieces of `side` (of the table) and `kind`.
    fn squares(&self, side: Side, kind: Kind) -> impl Iterator<Item = u8> {
        let (side, mask) = if self.flip { (side.flip(), 56) } else { (side, 0) };
        self.pos.pieces(side, kind).into_iter().map(move |square| square.index() as u8 ^ mask)
    }

    /// The file, a to d, of the leading pawn in a table with pawns. It selects the part of the table.
    pub fn leading_file(&self, material: &Material) -> usize {
        let pawns = self.squares(leading_side(material), Kind::Pawn);
        let lead = pawns.max_by_key(|&s| TABLES.pawn_rank[usize::from(s & 63)]).unwrap_or(0);
        usize::from((lead & 7).min(7 - (lead & 7)))
    }
}

/// The kind of the first group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lead {
    ThreePieces,
    Kings,
    Pawns,
}

/// The numbering of the positions in one part of a table.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    men: [u8; MEN],
    count: usize,
    lead: Lead,
    /// Length and factor of each group. The first `used` are in use.
    groups: [(usize, u64); MEN],
    used: usize,
    /// The second group is the other side's pawns.
    other_pawns: bool,
    size: u64,
}

impl Numbering {
    /// Builds the numbering from the pieces in the file's order, and from the places in the product of the first
    /// group and, if both sides have pawns, of the second one. `file` is 0 for tables without pawns.
    ///
    /// # Errors
    /// If the list does not match the material in the file's name, or a place is after the last group.
    pub fn new(
        material: &Material,
        men: &[u8],
        places: (u8, Option<u8>),
        file: usize,
    ) -> Result<Numbering, &'static str> {
        const MISMATCH: &str = "its list of pieces does not match its name";
        let count = men.len();
        if count > MEN || count != material.men() as usize {
            return Err(MISMATCH);
        }
        for side in Side::BOTH {
            for kind in Kind::ALL {
                let found = men.iter().filter(|&&code| man(code) == Some((side, kind))).count();
                if found != usize::from(material.count(side, kind)) {
                    return Err(MISMATCH);
                }
            }
        }
        let side = leading_side(material);
        let pawns = usize::from(material.count(side, Kind::Pawn));
        let (lead, first) = if pawns > 0 {
            (Lead::Pawns, pawns)
        } else if material.has_single_man() {
            (Lead::ThreePieces, 3)
        } else {
            (Lead::Kings, 2)
        };
        // The groups in the order of the list.
        let mut lengths = vec![first];
        let mut at = first;
        while at < count {
            let length = men[at..].iter().take_while(|&&code| code == men[at]).count();
            if men[..at].contains(&men[at]) || men[at + length..].contains(&men[at]) {
                return Err(MISMATCH);
            }
            lengths.push(length);
            at += length;
        }
        let other_pawns = lead == Lead::Pawns && material.count(side.flip(), Kind::Pawn) > 0;
        let kind_at = |i: usize| men.get(i).and_then(|&code| man(code));
        let fits = match lead {
            Lead::Pawns => {
                (0..pawns).all(|i| kind_at(i) == Some((side, Kind::Pawn)))
                    && (!other_pawns || kind_at(pawns) == Some((side.flip(), Kind::Pawn)))
            }
            Lead::Kings => (0..2).all(|i| kind_at(i).is_some_and(|(_, kind)| kind == Kind::King)),
            Lead::ThreePieces => (0..3).all(|i| men.iter().filter(|&&m| m == men[i]).count() == 1),
        };
        if !fits || other_pawns != places.1.is_some() {
            return Err(MISMATCH);
        }
        let mut padded = [0; MEN];
        padded[..count].copy_from_slice(men);
        let mut numbering =
            Numbering { men: padded, count, lead, groups: [(0, 0); MEN], used: lengths.len(), other_pawns, size: 0 };
        numbering.multiply(&lengths, places, file)?;
        Ok(numbering)
    }

    /// Computes the factor of each group: the product of the sizes of the groups before it, in the file's order.
    fn multiply(
        &mut self,
        lengths: &[usize],
        (first, second): (u8, Option<u8>),
        file: usize,
    ) -> Result<(), &'static str> {
        let groups = lengths.len();
        let (first, second) = (usize::from(first), second.map(usize::from));
        if first >= groups || second.is_some_and(|place| place >= groups || place == first) {
            return Err("its order of groups is out of range");
        }
        let special = 1 + usize::from(second.is_some());
        let mut free = 64 - lengths[..special].iter().sum::<usize>();
        let mut rest = special..groups;
        let mut product: u64 = 1;
        for place in 0..groups {
            let (group, size) = if place == first {
                let size = match self.lead {
                    Lead::ThreePieces => TRIPLES,
                    Lead::Kings => KING_PAIRS,
                    Lead::Pawns => TABLES.leading_sizes[lengths[0] - 1][file],
                };
                (0, size)
            } else if second == Some(place) {
                (1, TABLES.choose[lengths[1]][48 - lengths[0]])
            } else {
                let group = rest.next().ok_or("its order of groups is out of range")?;
                let size = TABLES.choose[lengths[group]][free];
                free -= lengths[group];
                (group, size)
            };
            self.groups[group] = (lengths[group], product);
            product = product.checked_mul(size).ok_or("it would have too many positions")?;
        }
        self.size = product;
        Ok(())
    }

    /// The number of positions.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The index of a position. It is below [`Numbering::size`] for every position of this part of the table.
    pub fn index(&self, view: View<'_>) -> Option<u64> {
        let mut squares = [0u8; MEN];
        let mut filled = 0;
        while filled < self.count {
            let (side, kind) = man(self.men[filled])?;
            let before = filled;
            for square in view.squares(side, kind) {
                *squares[..self.count].get_mut(filled)? = square;
                filled += 1;
            }
            if filled == before {
                return None;
            }
        }
        let squares = &mut squares[..self.count];
        let first = match self.lead {
            Lead::Pawns => leading_pawns(squares, self.groups[0].0),
            Lead::ThreePieces => {
                normalise(squares, 3);
                three_pieces(squares[0], squares[1], squares[2])
            }
            Lead::Kings => {
                normalise(squares, 2);
                u64::from(
                    TABLES.kings[usize::from(*TABLES.triangle.get(usize::from(squares[0]))? % 10)]
                        [usize::from(squares[1])],
                )
            }
        };
        let mut index = first * self.groups[0].1;
        let mut start = self.groups[0].0;
        for (group, &(length, factor)) in self.groups[..self.used].iter().enumerate().skip(1) {
            let (before, rest) = squares.split_at_mut(start);
            let own = &mut rest[..length];
            own.sort_unstable();
            // Pawns are never on the first rank.
            let lowest = if group == 1 && self.other_pawns { 8 } else { 0 };
            let mut number = 0;
            for (i, &square) in own.iter().enumerate() {
                let taken = before.iter().filter(|&&s| s < square).count();
                let place = usize::from(square).checked_sub(taken + lowest)?;
                number += TABLES.choose[i + 1][place];
            }
            index += number * factor;
            start += length;
        }
        (index < self.size).then_some(index)
    }
}

/// The index of the leading pawns, after mirroring the board so that the first is on the files a to d.
fn leading_pawns(squares: &mut [u8], pawns: usize) -> u64 {
    let rank = |square: u8| TABLES.pawn_rank[usize::from(square & 63)];
    let lead = (0..pawns).max_by_key(|&i| rank(squares[i])).unwrap_or(0);
    squares.swap(0, lead);
    if squares[0] & 4 != 0 {
        for square in squares.iter_mut() {
            *square ^= 7;
        }
    }
    squares[1..pawns].sort_unstable_by_key(|&square| rank(square));
    let mut number = TABLES.leading_first[pawns - 1][usize::from(squares[0])];
    for (i, &square) in squares[1..pawns].iter().enumerate() {
        number += TABLES.choose[i + 1][usize::from(rank(square))];
    }
    number
}

/// Transforms the board so that the first piece is in the triangle a1-d1-d4. If the first pieces are on the diagonal,
/// the next of the `leading` pieces must be below it.
fn normalise(squares: &mut [u8], leading: usize) {
    let mask = if squares[0] & 4 != 0 { 7 } else { 0 } | if squares[0] & 32 != 0 { 56 } else { 0 };
    for square in squares.iter_mut() {
        *square ^= mask;
    }
    let off = squares[..leading].iter().map(|&s| above_diagonal(s)).find(|&above| above != 0);
    if off.is_some_and(|above| above > 0) {
        for square in squares.iter_mut() {
            *square = *square >> 3 | (*square & 7) << 3;
        }
    }
}

/// The index of three different pieces after `normalise`.
fn three_pieces(a: u8, b: u8, c: u8) -> u64 {
    let u = u64::from;
    let (b_less, c_less) = (u(u8::from(b > a)), u(u8::from(c > a)) + u(u8::from(c > b)));
    let below = |s: u8| u(TABLES.below[usize::from(s)]);
    if above_diagonal(a) != 0 {
        return (u(TABLES.triangle[usize::from(a)]) * 63 + u(b) - b_less) * 62 + u(c) - c_less;
    }
    let start = THREE[0];
    if above_diagonal(b) != 0 {
        return start + (u(a >> 3) * 28 + below(b)) * 62 + u(c) - c_less;
    }
    let start = start + THREE[1];
    let b = u(b >> 3) - b_less;
    if above_diagonal(c) != 0 {
        return start + (u(a >> 3) * 7 + b) * 28 + below(c);
    }
    start + THREE[2] + (u(a >> 3) * 7 + b) * 6 + u(c >> 3) - c_less
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbering(name: &str, men: &[u8]) -> Numbering {
        Numbering::new(&Material::parse(name).unwrap(), men, (0, None), 0).unwrap()
    }

    #[test]
    fn indices_of_three_pieces_are_below_the_size_and_mirror_images_share_one() {
        let numbering = numbering("KQvK", &[6, 5, 14]);
        assert_eq!(numbering.size(), 31_332);
        let mut seen = vec![0u8; 31_332];
        for a in 0..64u8 {
            for b in 0..64 {
                for c in 0..64 {
                    if a == b || b == c || a == c {
                        continue;
                    }
                    let mut squares = [a, b, c];
                    normalise(&mut squares, 3);
                    seen[three_pieces(squares[0], squares[1], squares[2]) as usize] += 1;
                }
            }
        }
        // Four mirror images if all three are on a diagonal, otherwise eight.
        assert!(seen.iter().all(|&n| n == 8 || n == 4));
        assert_eq!(seen.iter().filter(|&&n| n == 4).count(), 4 * 7 * 6);
    }

    #[test]
    fn there_are_462_pairs_of_kings() {
        let mut numbers: Vec<u16> = TABLES.kings.iter().flatten().copied().filter(|&n| n != 0xffff).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..462).collect::<Vec<u16>>());
    }

    #[test]
    fn lists_of_pieces_must_match_the_name() {
        let check =
            |name: &str, men: &[u8], places| Numbering::new(&Material::parse(name).unwrap(), men, places, 0).is_ok();
        assert!(check("KQvK", &[6, 5, 14], (0, None)));
        assert!(!check("KQvK", &[6, 4, 14], (0, None)));
        assert!(!check("KQvK", &[6, 5], (0, None)));
        assert!(!check("KQvK", &[6, 5, 14], (1, None)));
        assert!(!check("KQvK", &[6, 5, 14], (0, Some(0))));
        assert!(check("KQQvK", &[6, 14, 5, 5], (1, None)) == check("KQQvK", &[14, 6, 5, 5], (1, None)));
        assert!(!check("KQQQvK", &[6, 5, 14, 5, 5], (1, None)));
        assert!(check("KPvKP", &[1, 9, 6, 14], (0, Some(1))));
        assert!(!check("KPvKP", &[1, 9, 6, 14], (0, None)));
        assert!(!check("KPvKP", &[9, 1, 6, 14], (0, Some(1))));
        assert!(!check("KPvKP", &[1, 9, 6, 14], (1, Some(1))));
        assert!(check("KPvK", &[1, 6, 14], (2, None)));
        assert!(!check("KPvK", &[1, 0, 14], (2, None)));
    }

    /// Tables of five to seven pieces are too large to keep. Their indices are tested without them.
    #[test]
    fn indices_of_large_tables_match_python_chess() {
        let text = include_str!("../../../tests/data/syzygy_index.tsv");
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines.len(), 600);
        for line in lines {
            let [name, men, first, second, fen, file, number, size] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let material = Material::parse(name).unwrap();
            let men: Vec<u8> = men.chars().map(|c| c.to_digit(16).unwrap() as u8).collect();
            let places = (first.parse().unwrap(), second.parse().ok());
            let file: usize = file.parse().unwrap();
            let numbering = Numbering::new(&material, &men, places, file).unwrap();
            let pos = Position::from_fen(fen).unwrap();
            let view = View { pos: &pos, flip: false };
            assert_eq!(numbering.size().to_string(), size, "{line}");
            assert_eq!(numbering.index(view).unwrap().to_string(), number, "{line}");
            if material.has_pawns() {
                assert_eq!(view.leading_file(&material), file, "{line}");
            }
        }
    }

    #[test]
    fn the_leading_pawn_is_on_the_outer_file() {
        let material = Material::parse("KPPvK").unwrap();
        for (fen, file) in [
            ("8/8/4k3/8/8/1P6/4P3/K7 w - - 0 1", 1),
            ("8/8/4k3/8/8/3P4/4P3/K7 w - - 0 1", 3),
            ("8/7P/4k3/8/8/8/1P6/K7 w - - 0 1", 0),
        ] {
            let pos = Position::from_fen(fen).unwrap();
            assert_eq!(View { pos: &pos, flip: false }.leading_file(&material), file, "{fen}");
        }
    }
}
