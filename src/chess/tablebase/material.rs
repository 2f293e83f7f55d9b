//! `Material`: the number of pieces of each kind on both sides, and the file names of tables.
//!
//! Nothing here depends on files or squares.

use crate::chess::Position;
use crate::chess::types::Kind;
use crate::game::Side;
use std::fmt;

/// The most pieces in a table, kings included.
pub const MOST_MEN: u32 = 7;

/// Letters in the order of file names, strongest first, with their kinds.
const LETTERS: [(u8, Kind); 5] =
    [(b'Q', Kind::Queen), (b'R', Kind::Rook), (b'B', Kind::Bishop), (b'N', Kind::Knight), (b'P', Kind::Pawn)];

/// The pieces of both sides without the kings, which are always present.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material {
    /// Counts by side, then kind (pawn, knight, bishop, rook, queen).
    counts: [[u8; 5]; 2],
}

impl Material {
    /// The material of a position.
    pub fn of(pos: &Position) -> Material {
        let count = |side, kind| pos.pieces(side, kind).count() as u8;
        Material { counts: Side::BOTH.map(|side| std::array::from_fn(|kind| count(side, Kind::ALL[kind]))) }
    }

    /// Reads a name such as `KQPvKR`, whose first side is the table's White. `None` for anything that is not a table
    /// name: other letters, another order, two pieces, or more than [`MOST_MEN`].
    pub fn parse(name: &str) -> Option<Material> {
        let (first, second) = name.split_once('v')?;
        let mut counts = [[0; 5]; 2];
        for (text, counts) in [first, second].into_iter().zip(&mut counts) {
            let mut rank = 0;
            for letter in text.strip_prefix('K')?.bytes() {
                let at = LETTERS.iter().position(|&(l, _)| l == letter).filter(|&at| at >= rank)?;
                rank = at;
                let count = &mut counts[LETTERS[at].1.index()];
                *count = u8::min(*count + 1, 100);
            }
        }
        let material = Material { counts };
        (3..=MOST_MEN).contains(&material.men()).then_some(material)
    }

    /// The number of pieces of a kind that a side has. Kings always count as one.
    pub fn count(&self, side: Side, kind: Kind) -> u8 {
        self.counts[side.index()].get(kind.index()).copied().unwrap_or(1)
    }

    /// All pieces, kings included.
    pub fn men(&self) -> u32 {
        2 + self.counts.iter().flatten().map(|&count| u32::from(count)).sum::<u32>()
    }

    /// The same material with the sides swapped.
    #[must_use]
    pub fn mirrored(self) -> Material {
        let [first, second] = self.counts;
        Material { counts: [second, first] }
    }

    /// The same material as files are named: the side with more pieces first, or else the one with stronger pieces.
    #[must_use]
    pub fn stronger_first(self) -> Material {
        let [first, second] = self.counts.map(|[p, n, b, r, q]| [p + n + b + r + q, q, r, b, n]);
        if first < second { self.mirrored() } else { self }
    }

    /// Whether both sides have the same material.
    pub fn is_symmetric(&self) -> bool {
        self.counts[0] == self.counts[1]
    }

    /// Whether there are pawns.
    pub fn has_pawns(&self) -> bool {
        self.counts[0][0] + self.counts[1][0] > 0
    }

    /// Whether some piece other than a king is the only one of its side and kind.
    pub fn has_single_man(&self) -> bool {
        self.counts.iter().flatten().any(|&count| count == 1)
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in Side::BOTH {
            f.write_str(if side == Side::First { "K" } else { "vK" })?;
            for (letter, kind) in LETTERS {
                for _ in 0..self.count(side, kind) {
                    write!(f, "{}", char::from(letter))?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_bad_ones_are_rejected() {
        for name in ["KPvK", "KQRBNPvK", "KRPvKR", "KQQvKQQ", "KPPvKPPP"] {
            assert_eq!(Material::parse(name).map(|m| m.to_string()).as_deref(), Some(name));
        }
        for bad in ["", "KvK", "QvK", "KQ", "KQvKvK", "KNBvK", "KXvK", "KQvk", "KQQQQQQvK", "KQvQ"] {
            assert_eq!(Material::parse(bad), None, "{bad}");
        }
        assert_eq!(Material::parse(&format!("K{}vK", "Q".repeat(500))), None);
    }

    #[test]
    fn material_of_a_position_counts_its_pieces() {
        let pos = Position::from_fen("8/8/8/4k3/8/2r5/PP6/K6R w - - 0 1").unwrap();
        let material = Material::of(&pos);
        assert_eq!(material.to_string(), "KRPPvKR");
        assert_eq!(material.mirrored().to_string(), "KRvKRPP");
        for name in ["KRPPvKR", "KQvK", "KBBvKQ", "KQPvKRR", "KQRvKQP", "KNPvKNP"] {
            let material = Material::parse(name).unwrap();
            assert_eq!([material, material.mirrored()].map(|m| m.stronger_first().to_string()), [name; 2]);
        }
        assert_eq!((material.men(), material.has_pawns(), material.is_symmetric()), (6, true, false));
        assert_ne!(material, material.mirrored());
        assert!(material.has_single_man());
        assert!(!Material::parse("KNNvKRR").unwrap().has_single_man());
    }
}
