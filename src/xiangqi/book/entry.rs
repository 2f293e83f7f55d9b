//! The book entry type shared by the files of this folder.

use crate::xiangqi::types::Square;

/// A book move for the position with the given key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry<K> {
    pub key: K,
    pub from: Square,
    pub to: Square,
    pub weight: u16,
}
