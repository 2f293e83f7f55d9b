//! The pieces on a board, as both games have them, as a macro: a set of squares for each kind, and one for each side.

/// Defines the questions about the pieces of `Board`, which has the fields `kinds`, `sides` and `side`.
macro_rules! pieces {
    () => {
        impl Board {
            /// The side to move.
            #[doc(alias = "side_to_move")]
            #[doc(alias = "turn")]
            #[inline(always)]
            pub const fn side(&self) -> Side {
                self.side
            }

            /// All pieces of a side.
            #[doc(alias = "colors")]
            #[inline(always)]
            pub const fn side_set(&self, side: Side) -> Bitboard {
                self.sides[side.index()]
            }

            /// All pieces of a kind, of both sides.
            #[inline(always)]
            pub const fn kind_set(&self, kind: Kind) -> Bitboard {
                self.kinds[kind.index()]
            }

            /// The pieces of one side and kind.
            #[inline(always)]
            pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
                self.side_set(side) & self.kind_set(kind)
            }

            /// All occupied squares.
            #[inline(always)]
            pub fn occupied(&self) -> Bitboard {
                self.sides[0] | self.sides[1]
            }

            /// The square of the king of `side`.
            #[inline(always)]
            pub fn king(&self, side: Side) -> Square {
                Square::wrapping(self.pieces(side, Kind::King).0.trailing_zeros())
            }

            /// The piece on `square`.
            #[doc(alias = "piece_at")]
            #[inline]
            pub fn piece_on(&self, square: Square) -> Option<(Side, Kind)> {
                let kind = Kind::ALL.into_iter().find(|&k| self.kind_set(k).contains(square))?;
                let side = if self.sides[0].contains(square) { Side::First } else { Side::Second };
                Some((side, kind))
            }
        }
    };
}
pub(crate) use pieces;
