//! What the files of this room hand to each other: an entry of a book file.

use crate::xiangqi::types::square::Square;

/// What to play in the position of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry<K> {
    pub key: K,
    pub from: Square,
    pub to: Square,
    pub weight: u16,
}
