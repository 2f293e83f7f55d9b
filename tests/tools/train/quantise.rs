//! The network in whole numbers, as the engine reads it.
//!
//! | bytes | what |
//! |---|---|
//! | 0–3 | `TBN2` |
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
    let mut bytes = b"TBN2".to_vec();
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

/// The weights in a file of [`file`] for a network of this shape.
pub fn weights(bytes: &[u8], shape: &Shape) -> Result<Vec<f32>, String> {
    let sizes = [shape.inputs, shape.hidden, shape.buckets].map(|size| (size as u16).to_le_bytes());
    let [_, output, output_biases, all] = shape.offsets();
    let parts = bytes.split_at_checked(12).and_then(|(head, rest)| {
        let (rows, rest) = rest.split_at_checked(2 * output_biases)?;
        let (biases, sum) = rest.split_at_checked(4 * shape.buckets)?;
        (head[..4] == *b"TBN2"
            && head[4..10] == *sizes.as_flattened()
            && sum == fnv1a(&bytes[..bytes.len().saturating_sub(8)]).to_le_bytes())
        .then_some((rows, biases))
    });
    let (rows, biases) = parts.ok_or("expected a network of the same shape")?;
    let [hidden_one, output_one] = [HIDDEN_ONE, OUTPUT_ONE].map(f32::from);
    let mut weights = Vec::with_capacity(all);
    for (i, &number) in rows.as_chunks::<2>().0.iter().enumerate() {
        let one = if i < output { hidden_one } else { output_one };
        weights.push(f32::from(i16::from_le_bytes(number)) / one);
    }
    for &number in biases.as_chunks::<4>().0 {
        weights.push(i32::from_le_bytes(number) as f32 / (hidden_one * output_one));
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::tests::SHAPE;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let all = SHAPE.offsets()[3];
        let sizes = (0..all).map(|i| (i as f32 * 0.7).sin() * LARGEST);
        let weights: Vec<f32> = sizes.collect();
        let bytes = file(&weights, &SHAPE, 250.0);
        let read = super::weights(&bytes, &SHAPE).unwrap();
        assert_eq!(read.len(), all);
        for (read, written) in read.iter().zip(&weights) {
            assert!((read - written).abs() <= 0.5 / f32::from(OUTPUT_ONE));
        }
        assert_eq!(file(&read, &SHAPE, 250.0), bytes);
        let fails = |bytes: &[u8], shape| super::weights(bytes, &shape).is_err();
        assert!(fails(&bytes, Shape { hidden: 64, ..SHAPE }));
        for cut in [0, 3, 11, 12, 20, bytes.len() - 8, bytes.len() - 1] {
            assert!(fails(&bytes[..cut], SHAPE), "{cut}");
        }
        let mut torn = bytes.clone();
        torn[40] ^= 1;
        assert!(fails(&torn, SHAPE) && fails(&[bytes, vec![0]].concat(), SHAPE));
    }
}
