//! Converts networks to integers and back: the file that the engine reads.
//!
//! The layout of the file and what stands for 1 are in the head of `src/network/mod.rs`. Training keeps
//! weights within ±0.498 in the hidden layer, ±0.992 in the neurons and ±1.98 elsewhere, so that they and the
//! engine's sums fit their integer types. The biases of neurons and outputs have no limit; they stay far below theirs.

use super::network::{Places, Shape};
use std::ops::Range;
use tabiya::base::checksum::fnv1a;
use tabiya::network::{BIAS_ONE, HEADER, HIDDEN_ONE, NEURON_BIAS_ONE, NEURON_WEIGHT_ONE, NetworkInputs, WEIGHT_ONE};

/// Largest straight weight, output weight and hidden bias.
pub const LARGEST: f32 = 1.98;
/// Largest weight of an input.
pub const LARGEST_IN_ROWS: f32 = 127.0 / HIDDEN_ONE as f32;
/// Largest weight of a neuron.
pub const LARGEST_IN_NEURONS: f32 = 127.0 / NEURON_WEIGHT_ONE as f32;

/// Weights that are stored in the same way.
pub struct Part {
    pub places: Range<usize>,
    /// Limit of their absolute value.
    pub largest: f32,
    /// Bytes of an integer.
    width: usize,
    /// The integer for 1.
    one: f32,
}

/// The parts of a file in their order; the first one is the weights of the inputs.
pub fn parts(shape: &Shape) -> Vec<Part> {
    let Places { rows, biases, second, straight, output, second_biases, output_biases } = shape.places();
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

/// The shape in the header of a file.
fn sizes(shape: &Shape) -> [u16; 4] {
    [shape.inputs, shape.hidden, shape.neurons, shape.buckets].map(|size| size as u16)
}

/// The file of a network; `scale` is the centipawns of an output of 1.
pub fn file<B: NetworkInputs>(weights: &[f32], shape: &Shape, scale: f32) -> Vec<u8> {
    let mut bytes = B::FORMAT.to_vec();
    let [inputs, hidden, neurons, buckets] = sizes(shape);
    for number in [inputs, hidden, neurons, buckets, scale.round() as u16] {
        bytes.extend(number.to_le_bytes());
    }
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

/// A signed little-endian number.
fn number(bytes: &[u8]) -> f32 {
    let mut word = [0; 4];
    word[4 - bytes.len()..].copy_from_slice(bytes);
    (i32::from_le_bytes(word) >> (32 - 8 * bytes.len())) as f32
}

/// The weights in a network file of this shape.
///
/// # Errors
/// If the file is damaged, of another format or of another shape.
pub fn weights<B: NetworkInputs>(bytes: &[u8], shape: &Shape) -> Result<Vec<f32>, String> {
    let damaged = || "expected a network file of this version, undamaged".to_string();
    let (body, sum) = bytes.split_last_chunk().ok_or_else(damaged)?;
    let (head, mut body) = body.split_at_checked(HEADER).ok_or_else(damaged)?;
    let checksum = fnv1a(&bytes[..bytes.len() - sum.len()]);
    if !head.starts_with(B::FORMAT) || checksum != u64::from_le_bytes(*sum) {
        return Err(damaged());
    }
    let found = head[B::FORMAT.len()..].as_chunks().0.iter().map(|&size| u16::from_le_bytes(size));
    let (found, expected): (Vec<u16>, _) = (found.take(4).collect(), sizes(shape));
    if found != expected {
        let what = "inputs, hidden values, neurons and buckets";
        return Err(format!("expected a network with {what} {expected:?}, found {found:?}"));
    }
    let mut weights = Vec::with_capacity(shape.all());
    for Part { places, width, one, .. } in parts(shape) {
        let (part, rest) = body.split_at_checked(width * places.len()).ok_or_else(damaged)?;
        body = rest;
        weights.extend(part.chunks(width).map(|bytes| number(bytes) / one));
    }
    if body.is_empty() { Ok(weights) } else { Err(damaged()) }
}

#[cfg(test)]
mod tests {
    use super::super::network::tests::SHAPE;
    use super::*;
    use tabiya::chess::Board;

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
        let bytes = file::<Board>(&weights, &SHAPE, 250.0);
        let read = super::weights::<Board>(&bytes, &SHAPE).unwrap();
        assert_eq!(read.len(), all);
        for Part { places, one, .. } in parts(&SHAPE) {
            for (read, written) in read[places.clone()].iter().zip(&weights[places]) {
                assert!((read - written).abs() <= 0.501 / one);
            }
        }
        assert_eq!(file::<Board>(&read, &SHAPE, 250.0), bytes);
        let other = super::weights::<Board>(&bytes, &Shape { hidden: 64, ..SHAPE }).unwrap_err();
        assert!(other.contains("expected a network") && other.ends_with("[12, 64, 4, 2], found [12, 32, 4, 2]"));
        let fails = |bytes: &[u8], shape| super::weights::<Board>(bytes, &shape).is_err();
        for cut in [0, 3, 13, 14, 20, bytes.len() - 8, bytes.len() - 1] {
            assert!(fails(&bytes[..cut], SHAPE), "{cut}");
        }
        let mut torn = bytes.clone();
        torn[40] ^= 1;
        assert!(fails(&torn, SHAPE) && fails(&[bytes, vec![0]].concat(), SHAPE));
    }
}
