//! Eight positions one ply above the leaves, one in each lane of a vector: their sets, their castling, how they
//! are made from their parents, and how many legal moves they have. Over `simd`; used by `two_ply`. Nothing
//! here may look two plies ahead.

pub mod castling;
pub mod children;
pub mod leaf_batch;
pub mod legal_count;
pub mod legal_sets;
pub mod side_sets;
