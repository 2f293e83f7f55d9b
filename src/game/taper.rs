//! A middlegame and an endgame value in one number, so that both are added at once.
//!
//! Used by the evaluations of all games; knows nothing of pieces.

/// `eg << 16` plus `mg`. Sums and multiples keep both parts apart as long as each fits sixteen bits.
pub type Packed = i32;

/// Packs one weight.
pub const fn pack((mg, eg): (i16, i16)) -> Packed {
    ((eg as i32) << 16) + mg as i32
}

/// The middlegame part.
pub const fn middlegame(packed: Packed) -> i32 {
    packed as i16 as i32
}

/// The endgame part.
pub const fn endgame(packed: Packed) -> i32 {
    ((packed + 0x8000) >> 16) as i16 as i32
}

/// Packs a table of weights.
pub const fn pack_all<const N: usize>(weights: &[(i16, i16); N]) -> [Packed; N] {
    let mut packed = [0; N];
    let mut i = 0;
    while i < N {
        packed[i] = pack(weights[i]);
        i += 1;
    }
    packed
}
