//! `MoveList`: the fixed-size array that the move generators write into.
//!
//! Both games use it as `game::Moves`. It never allocates and never clears its memory.

#![allow(unsafe_code, reason = "the array is not initialised")]

use std::mem::MaybeUninit;

/// Up to `N` moves in an inline, uninitialised array.
///
/// `N` must be at least the largest number of moves of any position of the game. A push beyond it panics; it never
/// writes out of bounds. A list is not `Copy`: it has hundreds of bytes.
#[derive(Clone)]
pub struct MoveList<M: Copy, const N: usize> {
    len: usize,
    items: [MaybeUninit<M>; N],
}

impl<M: Copy, const N: usize> MoveList<M, N> {
    /// An empty list; a single store.
    #[inline(always)]
    pub const fn new() -> Self {
        MoveList { len: 0, items: [const { MaybeUninit::uninit() }; N] }
    }

    /// Appends one move.
    ///
    /// # Panics
    /// If the list already holds `N` moves.
    #[inline(always)]
    pub fn push(&mut self, item: M) {
        self.items[self.len] = MaybeUninit::new(item);
        self.len += 1;
    }

    /// Removes all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps the first `len` moves.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// The moves in the order in which they were pushed.
    #[inline(always)]
    pub fn as_slice(&self) -> &[M] {
        debug_assert!(self.len <= N);
        // SAFETY: only `push` raises `len`, after it has written that element, so the first `len` elements are
        // initialised. `MaybeUninit<M>` has the layout of `M`.
        unsafe { std::slice::from_raw_parts(self.items.as_ptr().cast::<M>(), self.len) }
    }

    /// The moves, to reorder or overwrite in place.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [M] {
        debug_assert!(self.len <= N);
        // SAFETY: as in `as_slice`; the exclusive borrow of `self` covers the array.
        unsafe { std::slice::from_raw_parts_mut(self.items.as_mut_ptr().cast::<M>(), self.len) }
    }
}

impl<M: Copy, const N: usize> Default for MoveList<M, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Copy, const N: usize> std::ops::Deref for MoveList<M, N> {
    type Target = [M];
    #[inline(always)]
    fn deref(&self) -> &[M] {
        self.as_slice()
    }
}

impl<M: Copy, const N: usize> std::ops::DerefMut for MoveList<M, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [M] {
        self.as_mut_slice()
    }
}

impl<M: Copy + PartialEq, const N: usize> PartialEq for MoveList<M, N> {
    /// Whether both lists have the same moves in the same order.
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<M: Copy + Eq, const N: usize> Eq for MoveList<M, N> {}

impl<M: Copy, const N: usize> FromIterator<M> for MoveList<M, N> {
    /// # Panics
    /// If there are more than `N` moves.
    fn from_iter<I: IntoIterator<Item = M>>(moves: I) -> Self {
        let mut list = Self::new();
        for m in moves {
            list.push(m);
        }
        list
    }
}

impl<M: Copy + std::fmt::Debug, const N: usize> std::fmt::Debug for MoveList<M, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// The moves of a [`MoveList`], by value.
#[derive(Clone)]
pub struct IntoIter<M: Copy, const N: usize> {
    list: MoveList<M, N>,
    next: usize,
}

impl<M: Copy, const N: usize> Iterator for IntoIter<M, N> {
    type Item = M;
    #[inline]
    fn next(&mut self) -> Option<M> {
        let m = self.list.as_slice().get(self.next).copied();
        self.next += usize::from(m.is_some());
        m
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len - self.next;
        (left, Some(left))
    }
}

impl<M: Copy, const N: usize> ExactSizeIterator for IntoIter<M, N> {}

impl<M: Copy, const N: usize> IntoIterator for MoveList<M, N> {
    type Item = M;
    type IntoIter = IntoIter<M, N>;
    fn into_iter(self) -> IntoIter<M, N> {
        IntoIter { list: self, next: 0 }
    }
}

impl<'a, M: Copy, const N: usize> IntoIterator for &'a MoveList<M, N> {
    type Item = &'a M;
    type IntoIter = std::slice::Iter<'a, M>;
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

#[cfg(test)]
mod tests {
    use super::MoveList;

    #[test]
    fn keeps_moves_in_order() {
        let mut list = MoveList::<u16, 8>::new();
        assert!(list.is_empty());
        for i in 0..8 {
            list.push(i * 3);
        }
        assert_eq!(list.as_slice(), [0, 3, 6, 9, 12, 15, 18, 21]);
        list.swap(0, 7);
        assert_eq!((list[0], list[7]), (21, 0));
        assert_eq!(list.iter().copied().filter(|i| i % 2 == 1).collect::<MoveList<u16, 8>>().len(), 4);
        assert_eq!(list.clone().into_iter().collect::<MoveList<u16, 8>>(), list);
        list.truncate(9);
        list.truncate(2);
        assert_eq!(list.as_slice(), [21, 3]);
        list.clear();
        assert_eq!(list, MoveList::new());
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn a_push_beyond_the_end_panics() {
        let mut list = MoveList::<u16, 2>::new();
        for i in 0..3 {
            list.push(i);
        }
    }
}
