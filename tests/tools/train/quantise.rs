//! The network in whole numbers, as the engine reads it.
//!
//! | bytes | what |
//! |---|---|
//! | 0–3 | `TBN1` |
//! | 4–5 | inputs |
//! | 6–7 | hidden size |
//! | 8–9 | output buckets |
//! | 10–11 | centipawns of an output of 1 |
//! | then | `i16`: weights of the hidden layer times 255, a row for each input; its biases times 255; the output weights times 64, for each bucket those of the side to move, then those of the other side |
//! | then | `i32`: output biases times 255 · 64, one for each bucket |
//! | last 8 | FNV-1a of all bytes before |
//!
//! All numbers are little-endian. Weights are cut off at ±1.98, so that a clamped sum times an output weight fits
//! sixteen bits: 255 · 127 < 32,768.

use crate::network::Shape;
use tabiya::game::network::{HIDDEN_ONE, OUTPUT_ONE};

/// Largest weight.
pub const LARGEST: f32 = 1.98;

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The file of a network.
pub fn file(weights: &[f32], shape: &Shape, scale: f32) -> Vec<u8> {
    let [_, output, output_biases, all] = shape.offsets();
    let [hidden_one, output_one] = [HIDDEN_ONE, OUTPUT_ONE].map(f32::from);
    let mut bytes = b"TBN1".to_vec();
    for number in [shape.inputs, shape.hidden, shape.buckets, scale.round() as usize] {
        bytes.extend((number as u16).to_le_bytes());
    }
    for (i, weight) in weights[..output_biases].iter().enumerate() {
        let one = if i < output { hidden_one } else { output_one };
        bytes.extend(((weight * one).round() as i16).to_le_bytes());
    }
    for bias in &weights[output_biases..all] {
        bytes.extend(((bias * hidden_one * output_one).round() as i32).to_le_bytes());
    }
    let sum = fnv1a(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}
