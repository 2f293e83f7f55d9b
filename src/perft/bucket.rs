//! The contract between a hash table and what it keeps: a bucket of entries that threads share without locks.
//!
//! `hashed` chooses a bucket by the key and asks it; plain counts and columns of statistics have buckets of
//! their own, in `hashed` and in `column_entries`. Nothing here is about a game.

/// A cache line or a few, with what was counted in some positions.
pub trait Bucket: Default + Send + Sync {
    /// What was counted.
    type Quantity;
    /// Bits of the key's upper half that are compared; those above choose the bucket.
    const TAG_BITS: u32;
    /// Reads a word, so that the bucket is fetched.
    fn touch(&self) -> u64;
    /// What was stored for `key`.
    fn probe(&self, key: u128) -> Option<Self::Quantity>;
    /// Keeps what was counted, in place of the smallest of the bucket: what took long to count is worth
    /// keeping.
    fn store(&self, key: u128, counted: Self::Quantity);
}
