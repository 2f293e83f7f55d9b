//! What the squares, square sets, kinds of pieces and packed moves of both games have in common, as macros: each game
//! calls them in its `types` and adds its own.

/// Defines `Square`, a newtype of `u8` whose index has the bits of `$mask`, with a constant for each name. `$one` is
/// the name of the first rank. Left to the game: `index`.
macro_rules! square {
    (
        $(#[$meta:meta])*
        $files:literal by $ranks:literal, $mask:literal, $one:literal: $($name:ident)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct Square(u8);

        impl Square {
            /// The square on `file` (0 = a) and `rank` (0 = the first side's back rank), if it is on the board.
            pub const fn at(file: i32, rank: i32) -> Option<Square> {
                if file >= 0 && file < $files && rank >= 0 && rank < $ranks {
                    Some(Square((rank * $files + file) as u8))
                } else {
                    None
                }
            }

            /// The square with this [`index`](Self::index), if there is one: `None` from the number of squares on.
            pub const fn from_index(index: usize) -> Option<Square> {
                if index < $files * $ranks { Some(Square(index as u8)) } else { None }
            }

            /// The square whose index is the low bits of `index`.
            #[doc(hidden)]
            #[inline(always)]
            pub const fn wrapping(index: u32) -> Square {
                Square((index & $mask) as u8)
            }

            /// For `bit_set!`: the square of a set bit. The mask adds no latency, and it keeps the type's guarantee
            /// whatever the caller does.
            #[inline(always)]
            pub(crate) const fn from_scan(bit: u32) -> Square {
                debug_assert!(bit <= $mask);
                Square((bit & $mask) as u8)
            }

            /// All squares, in order.
            pub fn all() -> impl Iterator<Item = Square> {
                (0..$files * $ranks).map(Square::wrapping)
            }

            /// The file, from 0 for the a-file.
            #[inline(always)]
            pub const fn file(self) -> i32 {
                (self.0 % $files) as i32
            }

            /// The rank, from 0 for the first side's back rank.
            #[inline(always)]
            pub const fn rank(self) -> i32 {
                (self.0 / $files) as i32
            }

            /// The square `files` to the right and `ranks` up, if it is on the board.
            pub const fn step(self, files: i32, ranks: i32) -> Option<Square> {
                Square::at(self.file() + files, self.rank() + ranks)
            }

            /// The larger of the distances to `other` in files and ranks.
            #[inline(always)]
            pub fn distance(self, other: Square) -> i32 {
                (self.file() - other.file()).abs().max((self.rank() - other.rank()).abs())
            }

            /// Reads a name.
            pub fn parse(text: &[u8]) -> Option<Square> {
                let [file, rank] = *text else { return None };
                Square::at(i32::from(file) - i32::from(b'a'), i32::from(rank) - i32::from($one))
            }

            /// The two characters of its name.
            pub const fn name(self) -> [u8; 2] {
                [b'a' + self.file() as u8, $one + self.rank() as u8]
            }
        }

        /// The squares by name.
        #[allow(missing_docs)]
        impl Square {
            $(pub const $name: Square = {
                let name = stringify!($name).as_bytes();
                let [file, rank] = *name.first_chunk::<2>().expect("a name");
                Square::at((file - b'A') as i32, (rank - $one) as i32).expect("on the board")
            };)*
        }

        impl std::fmt::Display for Square {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(std::str::from_utf8(&self.name()).unwrap_or_default())
            }
        }

        impl std::fmt::Debug for Square {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }

        impl std::str::FromStr for Square {
            type Err = crate::game::NotationError;

            /// Reads a name.
            fn from_str(text: &str) -> Result<Self, crate::game::NotationError> {
                Square::parse(text.as_bytes()).ok_or_else(|| {
                    let last = Square::wrapping($files * $ranks - 1);
                    let reason = format!("is not a square from {} to {last}", Square::default());
                    crate::game::NotationError::of("square", text, &reason)
                })
            }
        }
    };
}
pub(crate) use square;

/// Defines `Bitboard`, a set of `Square`s in a `$word`.
macro_rules! bitboard {
    ($(#[$meta:meta])* $files:literal by $ranks:literal, $word:ty) => {
        crate::bit_set! { $(#[$meta])* Bitboard, $word, Square }

        impl Bitboard {
            const A_FILE: $word = {
                let (mut set, mut rank) = (0, 0);
                while rank < $ranks {
                    set |= 1 << ($files * rank);
                    rank += 1;
                }
                set
            };
            const FIRST_RANK: $word = (1 << $files) - 1;

            /// All squares of the board.
            pub const ALL: Bitboard = Bitboard(Self::A_FILE * Self::FIRST_RANK);

            /// A file, from 0 for the a-file, as [`Square::file`] counts. No squares if the board has no such file.
            pub const fn file(file: i32) -> Bitboard {
                if file >= 0 && file < $files { Bitboard(Self::A_FILE << file) } else { Bitboard::EMPTY }
            }

            /// A rank, from 0 for the first side's back rank, as [`Square::rank`] counts. No squares if the board has
            /// no such rank.
            pub const fn rank(rank: i32) -> Bitboard {
                if rank >= 0 && rank < $ranks { Bitboard(Self::FIRST_RANK << ($files * rank)) } else { Bitboard::EMPTY }
            }

            /// The set moved `files` to the right and `ranks` up: each square that [`Square::step`] finds from one of
            /// the set. What would leave the board is dropped.
            #[doc(alias = "shift")]
            #[inline]
            #[must_use]
            pub const fn step(self, files: i32, ranks: i32) -> Bitboard {
                if files.unsigned_abs() >= $files || ranks.unsigned_abs() >= $ranks {
                    return Bitboard::EMPTY;
                }
                const RANK: $word = Bitboard::FIRST_RANK;
                // The squares of the first rank that stay on it.
                let stay = RANK & if files > 0 { RANK >> files } else { RANK << -files };
                let stay = self.0 & stay * Self::A_FILE;
                let distance = $files * ranks + files;
                let moved = if distance > 0 { stay << distance } else { stay >> -distance };
                Bitboard(moved & Self::ALL.0)
            }
        }

        impl std::ops::Not for Bitboard {
            type Output = Self;
            /// The squares of the board that the set does not have.
            #[inline(always)]
            fn not(self) -> Self {
                Self(self.0 ^ Self::ALL.0)
            }
        }

        impl std::fmt::Display for Bitboard {
            /// Draws the set, the last rank first: `x` for a member, `.` for another square.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let holds = |file, rank| Square::at(file, rank).is_some_and(|s| self.contains(s));
                let letter = |file, rank| if holds(file, rank) { 'x' } else { '.' };
                f.pad(&crate::base::text::grid($files, $ranks, letter))
            }
        }

        impl std::str::FromStr for Bitboard {
            type Err = crate::game::NotationError;

            /// Reads what `Display` writes; blanks and line ends do not matter.
            fn from_str(text: &str) -> Result<Self, crate::game::NotationError> {
                let cells = crate::base::text::read_grid(text, $files * $ranks).ok_or_else(|| {
                    let reason = format!("is not a drawing of {} squares, x or .", $files * $ranks);
                    crate::game::NotationError::of("set of squares", text, &reason)
                })?;
                let place = |s: &Square| $files * ($ranks - 1 - s.rank()) + s.file();
                Ok(Square::all().filter(|square| cells[place(square) as usize]).collect())
            }
        }
    };
}
pub(crate) use bitboard;

/// Defines the enumeration `Kind` with a letter, as in FENs, and a name for each value. `$letters` describes the
/// letters, and letters before `=>` are read as another one.
macro_rules! kinds {
    (
        $(#[$meta:meta])* $letters:literal, { $($other:literal => $same:literal,)* }
        $($(#[$doc:meta])* $kind:ident $letter:literal $text:literal;)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// All kinds, in order.
            pub const ALL: [Kind; [$($letter),*].len()] = [$(Kind::$kind),*];

            /// The place in `ALL`.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The letter, lower case.
            pub const fn letter(self) -> u8 {
                [$($letter),*][self as usize]
            }

            /// The FEN letter: upper case for the first side.
            pub const fn fen_letter(self, side: Side) -> u8 {
                match side {
                    Side::First => self.letter().to_ascii_uppercase(),
                    Side::Second => self.letter(),
                }
            }

            /// Reads a FEN letter.
            pub fn from_fen_letter(letter: u8) -> Option<(Side, Kind)> {
                let lower = match letter.to_ascii_lowercase() {
                    $($other => $same,)*
                    lower => lower,
                };
                let kind = Kind::ALL.into_iter().find(|kind| kind.letter() == lower)?;
                Some((if letter.is_ascii_uppercase() { Side::First } else { Side::Second }, kind))
            }
        }

        impl std::fmt::Display for Kind {
            /// Writes the English name.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad([$($text),*][self.index()])
            }
        }

        impl std::str::FromStr for Kind {
            type Err = crate::game::NotationError;

            /// Reads a name or a letter, in any case.
            fn from_str(text: &str) -> Result<Self, crate::game::NotationError> {
                let lower = text.to_ascii_lowercase();
                let is_meant =
                    |kind: &Kind| lower == kind.to_string() || lower.as_bytes() == [kind.letter()];
                Kind::ALL.into_iter().find(is_meant).ok_or_else(|| {
                    let reason = concat!("is not a piece; expected ", $letters, " or a name");
                    crate::game::NotationError::of("piece", text, reason)
                })
            }
        }
    };
}
pub(crate) use kinds;

/// Defines `Move`, packed into sixteen bits: origin and target with `$bits` each, and a `MoveKind`.
macro_rules! packed_move {
    ($(#[$meta:meta])* $bits:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct Move(u16);

        impl Move {
            /// No move, and the null move.
            pub const NONE: Move = Move(0);

            /// Packs a move.
            #[inline(always)]
            pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
                let squares = from.index() as u16 | (to.index() as u16) << $bits;
                Move(squares | (kind as u16) << (2 * $bits))
            }

            /// The origin square.
            #[inline(always)]
            pub const fn from(self) -> Square {
                Square::wrapping(self.0 as u32)
            }

            /// The target square; for castling the square of the rook.
            #[inline(always)]
            pub const fn to(self) -> Square {
                Square::wrapping((self.0 >> $bits) as u32)
            }

            /// The bits of the kind.
            #[inline(always)]
            pub const fn code(self) -> u16 {
                self.0 >> (2 * $bits)
            }
        }

        impl crate::game::GameMove for Move {
            #[inline(always)]
            fn from(self) -> usize {
                Move::from(self).index()
            }
            #[inline(always)]
            fn to(self) -> usize {
                Move::to(self).index()
            }
            #[inline(always)]
            fn raw(self) -> u16 {
                self.0
            }
            #[inline(always)]
            fn from_raw(raw: u16) -> Self {
                Move(raw)
            }
        }

        impl std::fmt::Debug for Move {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use packed_move;

#[cfg(all(feature = "chess", feature = "xiangqi"))]
#[cfg(test)]
mod tests {
    use crate::base::rng::SplitMix64;

    /// The tests of one game's sets.
    macro_rules! sets {
        ($name:ident, $game:ident) => {
            #[test]
            fn $name() {
                use crate::$game::{Bitboard, Square};
                let mut rng = SplitMix64::new(17);
                for _ in 0..200 {
                    let members: Vec<Square> = Square::all().filter(|_| rng.below(3) == 0).collect();
                    let set: Bitboard = members.iter().copied().collect();
                    let others: Vec<Square> = Square::all().filter(|square| !members.contains(square)).collect();
                    assert_eq!((!set).into_iter().collect::<Vec<_>>(), others);
                    let (files, ranks) = (rng.below(23) as i32 - 11, rng.below(23) as i32 - 11);
                    let moved: Bitboard = members.iter().filter_map(|square| square.step(files, ranks)).collect();
                    assert_eq!(set.step(files, ranks), moved, "{set}\n{files} {ranks}");
                    let mut changed = set;
                    others.iter().for_each(|&square| changed.insert(square));
                    assert_eq!(changed, Bitboard::ALL);
                    others.iter().for_each(|&square| changed.remove(square));
                    assert_eq!(changed, set);
                    assert_eq!(Bitboard::ALL - set, !set);
                }
                for number in [i32::MIN, -64, -11, -1, 0, 1, 7, 8, 9, 10, 31, 63, 64, 128, i32::MAX] {
                    let on =
                        |part: fn(Square) -> i32| Square::all().filter(|&s| part(s) == number).collect::<Bitboard>();
                    assert_eq!(Bitboard::file(number), on(Square::file));
                    assert_eq!(Bitboard::rank(number), on(Square::rank));
                    assert_eq!(
                        Bitboard::ALL.step(number, 0).count() > 0,
                        number.unsigned_abs() < Bitboard::rank(0).count()
                    );
                    assert_eq!(
                        Bitboard::ALL.step(0, number).count() > 0,
                        number.unsigned_abs() < Bitboard::file(0).count()
                    );
                }
                for (index, square) in Square::all().enumerate() {
                    assert_eq!((Square::from_index(index), square.index()), (Some(square), index));
                }
                let beyond = Square::all().count();
                assert_eq!([beyond, 255, 256, usize::MAX].map(Square::from_index), [None; 4]);
            }
        };
    }
    sets!(sets_of_chess_have_the_squares_of_their_members, chess);
    sets!(sets_of_xiangqi_have_the_squares_of_their_members, xiangqi);
}
