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
    parts_of(shape, false)
}

/// Those of a file in this format or in the one before.
fn parts_of(shape: &Shape, before: bool) -> Vec<Part> {
    let Places { rows, biases, second, straight, output, second_biases, output_biases } =
        shape.places();
    let [hidden, neuron, weight] = [HIDDEN_ONE, NEURON_WEIGHT_ONE, WEIGHT_ONE].map(f32::from);
    let others = straight.start..output.end;
    let widths = [1, 2, if before { 2 } else { 1 }, 2, 4, 4];
    let ones = match before {
        true => [hidden, hidden, weight, weight, 260_096.0, 260_096.0],
        false => [hidden, hidden, neuron, weight, NEURON_BIAS_ONE as f32, BIAS_ONE as f32],
    };
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

/// The weights in a file of [`file`] for a network of this shape. One with fewer sets of inputs will do, whose rows then
/// stand for those of all sets; and one of the format before, `TBN4`, whose neurons had words for weights and are cut off
/// here.
pub fn weights(bytes: &[u8], shape: &Shape) -> Result<Vec<f32>, String> {
    read(bytes, shape).ok_or_else(|| "expected a network of the same shape".to_string())
}

fn read(bytes: &[u8], shape: &Shape) -> Option<Vec<f32>> {
    let (body, sum) = bytes.split_last_chunk()?;
    let (head, mut body) = body.split_at_checked(14)?;
    let before = match &head[..4] {
        b"TBN5" => false,
        b"TBN4" => true,
        _ => return None,
    };
    let inputs = usize::from(u16::from_le_bytes([head[4], head[5]]));
    let fits = inputs > 0
        && shape.inputs.is_multiple_of(inputs)
        && head[6..12] == sizes(shape).as_flattened()[2..]
        && fnv1a(&bytes[..bytes.len() - 8]) == u64::from_le_bytes(*sum);
    let mut weights = Vec::with_capacity(shape.all());
    for Part { places, largest, width, one } in parts_of(shape, before) {
        let count = if places.start == 0 { inputs * shape.hidden } else { places.len() };
        let (part, rest) = body.split_at_checked(width * count)?;
        body = rest;
        let numbers =
            part.chunks(width).map(|bytes| (number(bytes) / one).clamp(-largest, largest));
        weights.extend(numbers.cycle().take(places.len()));
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
        // Rows of one set stand for those of three.
        let one = Shape { inputs: SHAPE.inputs / 3, sets: 1, ..SHAPE };
        let (end, part) = (SHAPE.places().rows.end, one.places().rows.end);
        let shrunk = [&weights[..part], &weights[end..]].concat();
        let grown = super::weights(&file(&shrunk, &one, 250.0), &SHAPE).unwrap();
        assert_eq!(grown[end..], read[end..]);
        assert!((0..end).all(|i| grown[i] == read[i % part]));
        // In the format before weights of neurons were words, and larger ones too.
        let mut old = b"TBN4".to_vec();
        old.extend(&bytes[4..14]);
        let mut body = &bytes[14..];
        for (now, before) in parts(&SHAPE).into_iter().zip(parts_of(&SHAPE, true)) {
            let (part, rest) = body.split_at(now.width * now.places.len());
            body = rest;
            for bytes in part.chunks(now.width) {
                let value = number(bytes) * before.one / now.one;
                let twice = if now.width < before.width { 2.0 * value } else { value };
                old.extend(&(twice.round() as i32).to_le_bytes()[..before.width]);
            }
        }
        old.extend(fnv1a(&old).to_le_bytes());
        let second = SHAPE.places().second;
        let from_old = super::weights(&old, &SHAPE).unwrap();
        for (i, weight) in from_old.iter().enumerate() {
            let wanted = match second.contains(&i) {
                true => (2.0 * read[i]).clamp(-LARGEST_IN_NEURONS, LARGEST_IN_NEURONS),
                false => read[i],
            };
            assert!((weight - wanted).abs() < 1e-6, "{i}: {weight} {wanted}");
        }
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
