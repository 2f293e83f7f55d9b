//! The network in whole numbers, as the engine reads it.
//!
//! | bytes | what |
//! |---|---|
//! | 0–3 | `TBN5` |
//! | 4–5 | inputs |
//! | 6–7 | hidden size |
//! | 8–9 | neurons |
//! | 10–11 | output buckets |
//! | 12–13 | centipawns of an output of 1 |
//! | then | `i8`: weights of the hidden layer times 255, a row for each input |
//! | then | `i16`: its biases times 255 |
//! | then | `i8`, times 128: weights of the neurons, for each bucket and neuron those of the side to move, then those of the other side |
//! | then | `i16`, times 1,024: for each bucket weights of what goes straight to the output, in the same order; for each bucket output weights of the clamped, then of the squared neurons |
//! | then | `i32`, times 16,256: biases of the neurons for each bucket |
//! | then | `i32`, times 130,048: biases of the output |
//! | last 8 | FNV-1a of all bytes before |
//!
//! All numbers are little-endian. Weights are cut off so that they fit their bytes and the sums of the engine sixteen and
//! thirty-two bits: at ±0.498 in the hidden layer, at ±0.992 in the neurons, at ±1.98 elsewhere.

use crate::network::{Places, Shape};
use std::ops::Range;
use tabiya::base::checksum::fnv1a;
use tabiya::game::network::{BIAS_ONE, HIDDEN_ONE, NEURON_BIAS_ONE, NEURON_WEIGHT_ONE, WEIGHT_ONE};

/// Largest weight of those that are no bytes.
pub const LARGEST: f32 = 1.98;
/// Largest weight of the hidden layer.
pub const LARGEST_IN_ROWS: f32 = 127.0 / HIDDEN_ONE as f32;
/// Largest weight of the neurons.
pub const LARGEST_IN_NEURONS: f32 = 127.0 / NEURON_WEIGHT_ONE as f32;

/// Weights that are written alike.
pub struct Part {
    pub places: Range<usize>,
    /// The largest of them.
    pub largest: f32,
    /// Bytes of a number.
    width: usize,
    /// What stands for 1.
    one: f32,
}

/// The parts of a file, one behind the other, that of the rows first.
pub fn parts(shape: &Shape) -> Vec<Part> {
    let Places { rows, biases, second, straight, output, second_biases, output_biases } =
        shape.places();
    let [hidden, neuron, weight] = [HIDDEN_ONE, NEURON_WEIGHT_ONE, WEIGHT_ONE].map(f32::from);
    let others = straight.start..output.end;
    let widths = [1, 2, 1, 2, 4, 4];
    let ones = [hidden, hidden, neuron, weight, NEURON_BIAS_ONE as f32, BIAS_ONE as f32];
    let free = f32::INFINITY;
    let largest = [LARGEST_IN_ROWS, LARGEST, LARGEST_IN_NEURONS, LARGEST, free, free];
    let places = [rows, biases, second, others, second_biases, output_biases];
    let parts = places.into_iter().zip(largest).zip(widths.into_iter().zip(ones));
    parts.map(|((places, largest), (width, one))| Part { places, largest, width, one }).collect()
}

/// The sizes in the head of a file.
fn sizes(shape: &Shape) -> [[u8; 2]; 4] {
    [shape.inputs, shape.hidden, shape.neurons, shape.buckets].map(|n| (n as u16).to_le_bytes())
}

/// The file of a network.
pub fn file(weights: &[f32], shape: &Shape, scale: f32) -> Vec<u8> {
    let mut bytes = b"TBN5".to_vec();
    bytes.extend(sizes(shape).as_flattened());
    bytes.extend((scale.round() as u16).to_le_bytes());
    for Part { places, width, one, .. } in parts(shape) {
        for weight in &weights[places] {
            let number = ((weight * one).round() as i32).to_le_bytes();
            bytes.extend(&number[..width]);
        }
    }
    let sum = fnv1a(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// A little-endian number with a sign.
fn number(bytes: &[u8]) -> f32 {
    let mut word = [0; 4];
    word[4 - bytes.len()..].copy_from_slice(bytes);
    (i32::from_le_bytes(word) >> (32 - 8 * bytes.len())) as f32
}

/// The weights in a file of [`file`] for a network of this shape.
pub fn weights(bytes: &[u8], shape: &Shape) -> Result<Vec<f32>, String> {
    read(bytes, shape).ok_or_else(|| "expected a network of the same shape".to_string())
}

fn read(bytes: &[u8], shape: &Shape) -> Option<Vec<f32>> {
    let (body, sum) = bytes.split_last_chunk()?;
    let (head, mut body) = body.split_at_checked(14)?;
    let fits = head[..4] == *b"TBN5"
        && head[4..12] == *sizes(shape).as_flattened()
        && fnv1a(&bytes[..bytes.len() - 8]) == u64::from_le_bytes(*sum);
    let mut weights = Vec::with_capacity(shape.all());
    for Part { places, width, one, .. } in parts(shape) {
        let (part, rest) = body.split_at_checked(width * places.len())?;
        body = rest;
        weights.extend(part.chunks(width).map(|bytes| number(bytes) / one));
    }
    (fits && body.is_empty()).then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::tests::SHAPE;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let all = SHAPE.all();
        let Places { rows, second, .. } = SHAPE.places();
        let largest = |i| match i {
            _ if rows.contains(&i) => LARGEST_IN_ROWS,
            _ if second.contains(&i) => LARGEST_IN_NEURONS,
            _ => LARGEST,
        };
        let weights: Vec<f32> = (0..all).map(|i| (i as f32 * 0.7).sin() * largest(i)).collect();
        let bytes = file(&weights, &SHAPE, 250.0);
        let read = super::weights(&bytes, &SHAPE).unwrap();
        assert_eq!(read.len(), all);
        for Part { places, one, .. } in parts(&SHAPE) {
            for (read, written) in read[places.clone()].iter().zip(&weights[places]) {
                assert!((read - written).abs() <= 0.501 / one);
            }
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
