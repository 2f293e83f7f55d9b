//! Points of the 9×10 board, called squares as in chess: a0 = 0, b0 = 1 … i0 = 8, a1 = 9 … i9 = 89.

use crate::game::position::type_macros::square;

square! {
    /// A square. Its index is always below 128, and tables by square have 128 rows, so no lookup can be out of bounds.
    /// Indices from 90 on are not on the board; no piece is ever there.
    ///
    /// ```
    /// use tabiya::xiangqi::Square;
    ///
    /// assert_eq!("e0".parse(), Ok(Square::E0));
    /// assert_eq!(Square::at(4, 9), Some(Square::E9));
    /// assert_eq!(Square::E0.step(1, 2), Some(Square::F2));
    /// assert_eq!(Square::I0.step(1, 0), None);
    /// ```
    9 by 10, 127, b'0':
    A0 B0 C0 D0 E0 F0 G0 H0 I0
    A1 B1 C1 D1 E1 F1 G1 H1 I1
    A2 B2 C2 D2 E2 F2 G2 H2 I2
    A3 B3 C3 D3 E3 F3 G3 H3 I3
    A4 B4 C4 D4 E4 F4 G4 H4 I4
    A5 B5 C5 D5 E5 F5 G5 H5 I5
    A6 B6 C6 D6 E6 F6 G6 H6 I6
    A7 B7 C7 D7 E7 F7 G7 H7 I7
    A8 B8 C8 D8 E8 F8 G8 H8 I8
    A9 B9 C9 D9 E9 F9 G9 H9 I9
}

impl Square {
    /// 0 to 89; up to 127 if unpacked from an invalid packed move.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }

    /// Reads the square at the start of a text, with ranks numbered from `first_rank`; also returns the rest.
    pub(in crate::xiangqi) fn read(text: &[u8], first_rank: u8) -> Option<(Square, &[u8])> {
        let (file, rank, rest) = match text {
            [file @ b'a'..=b'i', b'1', b'0', rest @ ..] => (file, 10, rest),
            [file @ b'a'..=b'i', rank @ b'0'..=b'9', rest @ ..] => (file, rank - b'0', rest),
            _ => return None,
        };
        let square = Square::at(i32::from(file - b'a'), i32::from(rank) - i32::from(first_rank))?;
        Some((square, rest))
    }
}

#[cfg(test)]
mod tests {
    use crate::xiangqi::Square;

    #[test]
    fn names_round_trip_and_bad_names_are_refused() {
        for square in Square::all() {
            assert_eq!(Square::parse(&square.name()), Some(square));
        }
        for bad in ["", "a", "a10", "j0", "A1", "a1 ", "é", "a:"] {
            assert_eq!(Square::parse(bad.as_bytes()), None, "{bad:?}");
        }
    }

    #[test]
    fn files_and_ranks_of_every_index() {
        for index in 0..128 {
            let square = Square::wrapping(index);
            assert_eq!((square.file(), square.rank()), ((index % 9) as i32, (index / 9) as i32));
        }
    }

    #[test]
    fn steps_stop_at_the_edge() {
        let i9 = Square::parse(b"i9").unwrap();
        assert_eq!(i9.step(-8, -9), Square::parse(b"a0"));
        assert_eq!(i9.step(1, 0), None);
        assert_eq!(i9.step(0, 1), None);
    }
}
