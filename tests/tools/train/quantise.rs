//! The network in whole numbers, as the engine reads it.
//!
//! | bytes | what |
//! |---|---|
//! | 0–3 | `TBN3` |
//! | 4–5 | inputs |
//! | 6–7 | hidden size |
//! | 8–9 | neurons |
//! | 10–11 | output buckets |
//! | 12–13 | centipawns of an output of 1 |
//! | then | `i16`: weights of the hidden layer times 255, a row for each input; its biases times 255 |
//! | then | `i16`, times 1,024, for each bucket: weights of the neurons, for each those of the side to move, then those of the other side; weights of what goes straight to the output, the same; output weights of the clamped, then of the squared neurons |
//! | then | `i32`, times 260,096, for each bucket: biases of the neurons; bias of the output |
//! | last 8 | FNV-1a of all bytes before |
//!
//! All numbers are little-endian; what is said to be for each bucket is there for all buckets before the next kind
//! follows. Weights are cut off at ±1.98, so that the sums of the engine fit sixteen and thirty-two bits.

use crate::network::Shape;
use tabiya::game::network::{BIAS_ONE, HIDDEN_ONE, WEIGHT_ONE};

/// Largest weight.
pub const LARGEST: f32 = 1.98;

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The sizes in the head of a file.
fn sizes(shape: &Shape) -> [[u8; 2]; 4] {
    [shape.inputs, shape.hidden, shape.neurons, shape.buckets].map(|n| (n as u16).to_le_bytes())
}

/// What the whole number 1 stands for, for each of the weights.
fn units(shape: &Shape) -> impl Iterator<Item = f32> {
    let places = shape.places();
    let [hidden, weight] = [HIDDEN_ONE, WEIGHT_ONE].map(f32::from);
    (0..shape.all()).map(move |i| match i {
        _ if i < places.biases.end => hidden,
        _ if i < places.output.end => weight,
        _ => BIAS_ONE as f32,
    })
}

/// The file of a network.
pub fn file(weights: &[f32], shape: &Shape, scale: f32) -> Vec<u8> {
    let mut bytes = b"TBN3".to_vec();
    bytes.extend(sizes(shape).as_flattened());
    bytes.extend((scale.round() as u16).to_le_bytes());
    let mut numbers = weights.iter().zip(units(shape)).map(|(weight, one)| (weight * one).round());
    for number in numbers.by_ref().take(shape.places().output.end) {
        bytes.extend((number as i16).to_le_bytes());
    }
    for number in numbers {
        bytes.extend((number as i32).to_le_bytes());
    }
    let sum = fnv1a(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The weights in a file of [`file`] for a network of this shape.
pub fn weights(bytes: &[u8], shape: &Shape) -> Result<Vec<f32>, String> {
    let words = shape.places().output.end;
    let parts = bytes.split_at_checked(14).and_then(|(head, rest)| {
        let (small, rest) = rest.split_at_checked(2 * words)?;
        let (large, sum) = rest.split_at_checked(4 * (shape.all() - words))?;
        (head[..4] == *b"TBN3"
            && head[4..12] == *sizes(shape).as_flattened()
            && sum == fnv1a(&bytes[..bytes.len().saturating_sub(8)]).to_le_bytes())
        .then_some((small, large))
    });
    let (small, large) = parts.ok_or("expected a network of the same shape")?;
    let small = small.as_chunks().0.iter().map(|&number| f32::from(i16::from_le_bytes(number)));
    let large = large.as_chunks().0.iter().map(|&number| i32::from_le_bytes(number) as f32);
    Ok(small.chain(large).zip(units(shape)).map(|(number, one)| number / one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::tests::SHAPE;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let all = SHAPE.all();
        let sizes = (0..all).map(|i| (i as f32 * 0.7).sin() * LARGEST);
        let weights: Vec<f32> = sizes.collect();
        let bytes = file(&weights, &SHAPE, 250.0);
        let read = super::weights(&bytes, &SHAPE).unwrap();
        assert_eq!(read.len(), all);
        for (read, written) in read.iter().zip(&weights) {
            assert!((read - written).abs() <= 0.5 / f32::from(HIDDEN_ONE));
        }
        assert_eq!(file(&read, &SHAPE, 250.0), bytes);
        let fails = |bytes: &[u8], shape| super::weights(bytes, &shape).is_err();
        assert!(fails(&bytes, Shape { hidden: 64, ..SHAPE }));
        for cut in [0, 3, 13, 14, 20, bytes.len() - 8, bytes.len() - 1] {
            assert!(fails(&bytes[..cut], SHAPE), "{cut}");
        }
        let mut torn = bytes.clone();
        torn[40] ^= 1;
        assert!(fails(&torn, SHAPE) && fails(&[bytes, vec![0]].concat(), SHAPE));
    }
}
