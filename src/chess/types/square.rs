//! Squares of the 8×8 board, a1 = 0, b1 = 1 … h8 = 63.

use crate::game::Side;
use crate::game::position::type_macros::square;

square! {
    /// A square; a1 by default. The index is always below 64: tables are indexed with it unchecked.
    ///
    /// ```
    /// use tabiya::chess::Square;
    ///
    /// assert_eq!("e4".parse(), Ok(Square::E4));
    /// assert_eq!(Square::at(4, 3), Some(Square::E4));
    /// assert_eq!(Square::E4.step(1, 2), Some(Square::F6));
    /// assert_eq!(Square::H1.step(1, 0), None);
    /// ```
    8 by 8, 63, b'1':
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl Square {
    /// 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square on the same rank and another file (0 to 7, taken modulo 8).
    #[inline(always)]
    #[must_use]
    pub const fn with_file(self, file: i32) -> Square {
        Square(self.0 & 56 | (file & 7) as u8)
    }

    /// The square on the same file and the rank of `other`.
    #[inline(always)]
    #[must_use]
    pub const fn with_rank_of(self, other: Square) -> Square {
        Square(self.0 & 7 | other.0 & 56)
    }

    /// The square as `side` sees it when it looks at the board from its own first rank: flipped vertically for Black.
    #[inline(always)]
    #[must_use]
    pub const fn seen_by(self, side: Side) -> Square {
        match side {
            Side::First => self,
            Side::Second => Square(self.0 ^ 56),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::Square;

    #[test]
    fn names_round_trip_and_bad_ones_are_rejected() {
        for square in Square::all() {
            assert_eq!(Square::parse(&square.name()), Some(square));
        }
        for bad in ["", "a", "a0", "a9", "i1", "A1", "a1 ", "é"] {
            assert_eq!(Square::parse(bad.as_bytes()), None, "{bad:?}");
        }
    }

    #[test]
    fn steps_stop_at_the_edge() {
        let h8 = Square::parse(b"h8").unwrap();
        assert_eq!(h8.step(-7, -7), Square::parse(b"a1"));
        assert_eq!(h8.step(1, 0), None);
        assert_eq!(h8.step(0, 1), None);
    }
}
