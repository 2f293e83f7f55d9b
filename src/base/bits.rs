//! Bitboards of any word size: the [`BitSet`] trait and the `bit_set!` macro, which defines a square-set type.
//!
//! Chess uses it over `u64`, xiangqi over `u128`. Independent of the games: a square is whatever index type the macro
//! is given.

/// The operations on square sets that move generators and sinks use.
pub trait BitSet: Copy {
    type Square: Copy;
    fn count(self) -> u32;
    fn is_empty(self) -> bool;
    fn contains(self, square: Self::Square) -> bool;
    /// The squares in ascending order, by bit scan.
    fn squares(self) -> impl Iterator<Item = Self::Square>;
    /// Whether the square with this index is in the set.
    fn has(self, index: usize) -> bool;
    /// The number of squares in the set whose index is less than this.
    fn below(self, index: usize) -> usize;
}

/// The squares of a set in ascending order: what a set gives as an [`IntoIterator`].
#[derive(Clone, Debug)]
pub struct Squares<S>(pub(crate) S);

/// Defines a newtype `$name` over the unsigned word `$word`: a set of `$square` values.
///
/// `$square` must have `const fn index(self) -> usize` and `const fn wrapping(u32) -> Self`, its inverse for an index
/// of a set bit.
#[doc(hidden)]
#[macro_export]
macro_rules! bit_set {
    ($(#[$meta:meta])* $name:ident, $word:ty, $square:ty) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[repr(transparent)]
        pub struct $name(pub $word);

        impl $name {
            /// The empty set.
            pub const EMPTY: Self = Self(0);

            /// The set that contains only `square`.
            #[inline(always)]
            pub const fn of(square: $square) -> Self {
                Self((1 as $word) << square.index())
            }

            /// Whether the set is empty.
            #[inline(always)]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether the sets have a square in common.
            #[inline(always)]
            pub const fn meets(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Whether `square` is in the set.
            #[inline(always)]
            pub const fn contains(self, square: $square) -> bool {
                self.0 >> square.index() & 1 != 0
            }

            /// Adds `square`.
            #[inline(always)]
            pub const fn insert(&mut self, square: $square) {
                self.0 |= Self::of(square).0;
            }

            /// Takes `square` out.
            #[inline(always)]
            pub const fn remove(&mut self, square: $square) {
                self.0 &= !Self::of(square).0;
            }

            /// Number of squares in the set.
            #[inline(always)]
            pub const fn count(self) -> u32 {
                self.0.count_ones()
            }

            /// Whether the set has at least two squares.
            #[inline(always)]
            pub const fn several(self) -> bool {
                self.0 & self.0.wrapping_sub(1) != 0
            }

            /// The square with the lowest index, or `None` if the set is empty.
            #[inline(always)]
            pub const fn lowest(self) -> Option<$square> {
                if self.0 == 0 { None } else { Some(<$square>::wrapping(self.0.trailing_zeros())) }
            }

            /// The set without its lowest square; the empty set stays empty.
            #[inline(always)]
            pub const fn without_lowest(self) -> Self {
                Self(self.0 & self.0.wrapping_sub(1))
            }

            /// All subsets, each once, the empty set first (carry-rippler enumeration).
            pub fn subsets(self) -> impl Iterator<Item = Self> {
                let mask = self.0;
                let mut next = Some(0);
                ::std::iter::from_fn(move || {
                    let subset = next?;
                    let following = (subset as $word).wrapping_sub(mask) & mask;
                    next = (following != 0).then_some(following);
                    Some(Self(subset))
                })
            }
        }

        impl IntoIterator for $name {
            type Item = $square;
            type IntoIter = $crate::base::bits::Squares<$name>;
            /// The squares in ascending order.
            #[inline(always)]
            fn into_iter(self) -> Self::IntoIter {
                $crate::base::bits::Squares(self)
            }
        }

        impl Iterator for $crate::base::bits::Squares<$name> {
            type Item = $square;
            #[inline(always)]
            fn next(&mut self) -> Option<$square> {
                let square = self.0.lowest()?;
                self.0 = self.0.without_lowest();
                Some(square)
            }
            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.0.count() as usize, Some(self.0.count() as usize))
            }
        }

        impl ExactSizeIterator for $crate::base::bits::Squares<$name> {}

        impl $crate::base::bits::BitSet for $name {
            type Square = $square;
            #[inline(always)]
            fn count(self) -> u32 {
                self.0.count_ones()
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self.0 == 0
            }
            #[inline(always)]
            fn contains(self, square: $square) -> bool {
                self.0 >> square.index() & 1 != 0
            }
            #[inline(always)]
            fn squares(self) -> impl Iterator<Item = $square> {
                self.into_iter()
            }
            #[inline(always)]
            fn has(self, index: usize) -> bool {
                self.0 >> index & 1 != 0
            }
            #[inline(always)]
            fn below(self, index: usize) -> usize {
                (self.0 & (((1 as $word) << index) - 1)).count_ones() as usize
            }
        }

        $crate::bit_set!(@operator $name, BitAnd, bitand, BitAndAssign, bitand_assign, &);
        $crate::bit_set!(@operator $name, BitOr, bitor, BitOrAssign, bitor_assign, |);
        $crate::bit_set!(@operator $name, BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

        impl ::std::ops::Sub for $name {
            type Output = Self;
            /// The members of this set that the other does not have.
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }
        }

        impl ::std::ops::SubAssign for $name {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }

        impl From<$square> for $name {
            fn from(square: $square) -> Self {
                Self::of(square)
            }
        }

        impl FromIterator<$square> for $name {
            fn from_iter<I: IntoIterator<Item = $square>>(squares: I) -> Self {
                squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_set().entries(*self).finish()
            }
        }
    };
    (@operator $name:ident, $op:ident, $fn:ident, $assign:ident, $assign_fn:ident, $symbol:tt) => {
        impl ::std::ops::$op for $name {
            type Output = Self;
            #[inline(always)]
            fn $fn(self, other: Self) -> Self {
                Self(self.0 $symbol other.0)
            }
        }
        impl ::std::ops::$assign for $name {
            #[inline(always)]
            fn $assign_fn(&mut self, other: Self) {
                *self = *self $symbol other;
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::BitSet;

    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct Point(u8);
    impl Point {
        const fn index(self) -> usize {
            self.0 as usize
        }
        const fn wrapping(bit: u32) -> Self {
            Point(bit as u8)
        }
    }
    crate::bit_set!(Wide, u128, Point);

    #[test]
    fn set_algebra_and_scan() {
        let a = Wide::of(Point(3)) | Wide::of(Point(89)) | Wide::of(Point(127));
        assert_eq!(a.into_iter().collect::<Vec<_>>(), [Point(3), Point(89), Point(127)]);
        assert!(a.several() && !Wide::of(Point(89)).several() && !Wide::EMPTY.several());
        assert!(a.contains(Point(89)) && !a.contains(Point(88)));
        assert_eq!((a - Wide::of(Point(3))).lowest(), Some(Point(89)));
        assert_eq!(Wide::EMPTY.lowest(), None);
        assert!(Wide::EMPTY.is_empty() && !a.is_empty());
        assert!(a.meets(Wide::of(Point(89))) && !a.meets(Wide::of(Point(88))));
        assert_eq!(a.count(), 3);
        assert_eq!([3, 4, 89, 90, 127].map(|index| BitSet::below(a, index)), [0, 1, 1, 2, 2]);
        assert!(BitSet::has(a, 89) && !BitSet::has(a, 88));
        // Iterating does not change the set.
        let mut squares = a.into_iter();
        assert_eq!((squares.len(), squares.next(), squares.len()), (3, Some(Point(3)), 2));
        assert_eq!(a.count(), 3);
    }

    #[test]
    fn subsets_are_complete_and_distinct() {
        let set = Wide(0b1011 << 60);
        let all: std::collections::HashSet<Wide> = set.subsets().collect();
        assert_eq!(all.len(), 8);
        assert!(all.iter().all(|s| s.0 & !set.0 == 0));
        assert_eq!(Wide::EMPTY.subsets().count(), 1);
    }
}
