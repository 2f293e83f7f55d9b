//! The network in whole numbers, as the engine reads it.
//!
//! | bytes | what |
//! |---|---|
//! | 0–3 | `TBN4` |
//! | 4–5 | inputs |
//! | 6–7 | hidden size |
//! | 8–9 | neurons |
//! | 10–11 | output buckets |
//! | 12–13 | centipawns of an output of 1 |
//! | then | `i8`: weights of the hidden layer times 255, a row for each input |
//! | then | `i16`: its biases times 255 |
//! | then | `i16`, times 1,024, for each bucket: weights of the neurons, for each those of the side to move, then those of the other side; weights of what goes straight to the output, the same; output weights of the clamped, then of the squared neurons |
//! | then | `i32`, times 260,096, for each bucket: biases of the neurons; bias of the output |
//! | last 8 | FNV-1a of all bytes before |
//!
//! All numbers are little-endian; what is said to be for each bucket is there for all buckets before the next kind
//! follows. Weights are cut off at ±1.98, so that the sums of the engine fit sixteen and thirty-two bits, those of the
//! hidden layer at ±0.498.

use crate::network::{Places, Shape};
use tabiya::game::network::{BIAS_ONE, HIDDEN_ONE, WEIGHT_ONE};

/// Largest weight.
pub const LARGEST: f32 = 1.98;
/// Largest weight of the hidden layer.
pub const LARGEST_IN_ROWS: f32 = 127.0 / HIDDEN_ONE as f32;

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
    let mut bytes = b"TBN4".to_vec();
    bytes.extend(sizes(shape).as_flattened());
    bytes.extend((scale.round() as u16).to_le_bytes());
    let mut numbers = weights.iter().zip(units(shape)).map(|(weight, one)| (weight * one).round());
    let Places { rows, output, .. } = shape.places();
    for number in numbers.by_ref().take(rows.end) {
        bytes.extend((number as i8).to_le_bytes());
    }
    for number in numbers.by_ref().take(output.end - rows.end) {
        bytes.extend((number as i16).to_le_bytes());
    }
    for number in numbers {
        bytes.extend((number as i32).to_le_bytes());
    }
    let sum = fnv1a(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The weights in a file of [`file`] for a network of this shape. One with fewer sets of inputs will do, whose rows then
/// stand for those of all sets; and one of the format before, `TBN3`, whose rows were `i16` and are cut off here.
pub fn weights(bytes: &[u8], shape: &Shape) -> Result<Vec<f32>, String> {
    let parts = bytes.split_at_checked(14).and_then(|(head, rest)| {
        let width = match &head[..4] {
            b"TBN4" => 1,
            b"TBN3" => 2,
            _ => return None,
        };
        let inputs = usize::from(u16::from_le_bytes([head[4], head[5]]));
        let Places { rows, output, .. } = shape.places();
        let (in_rows, rest) = rest.split_at_checked(width * inputs * shape.hidden)?;
        let (small, rest) = rest.split_at_checked(2 * (output.end - rows.end))?;
        let (large, sum) = rest.split_at_checked(4 * (shape.all() - output.end))?;
        (inputs > 0
            && shape.inputs.is_multiple_of(inputs)
            && head[6..12] == sizes(shape).as_flattened()[2..]
            && sum == fnv1a(&bytes[..bytes.len().saturating_sub(8)]).to_le_bytes())
        .then_some((width, in_rows, small, large))
    });
    let (width, in_rows, small, large) = parts.ok_or("expected a network of the same shape")?;
    let words = |bytes: &[u8]| -> Vec<f32> {
        bytes.as_chunks().0.iter().map(|&word| f32::from(i16::from_le_bytes(word))).collect()
    };
    let largest = f32::from(i8::MAX);
    let in_rows = match width {
        1 => in_rows.iter().map(|&byte| f32::from(byte.cast_signed())).collect(),
        _ => words(in_rows),
    };
    let rows = in_rows.iter().map(|number| number.clamp(-largest, largest)).cycle();
    let rows = rows.take(shape.places().rows.end);
    let large = large.as_chunks().0.iter().map(|&number| i32::from_le_bytes(number) as f32);
    let numbers = rows.chain(words(small)).chain(large);
    Ok(numbers.zip(units(shape)).map(|(number, one)| number / one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::tests::SHAPE;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let all = SHAPE.all();
        let rows = SHAPE.places().rows;
        let largest = |i| if rows.contains(&i) { LARGEST_IN_ROWS } else { LARGEST };
        let weights: Vec<f32> = (0..all).map(|i| (i as f32 * 0.7).sin() * largest(i)).collect();
        let bytes = file(&weights, &SHAPE, 250.0);
        let read = super::weights(&bytes, &SHAPE).unwrap();
        assert_eq!(read.len(), all);
        for (read, written) in read.iter().zip(&weights) {
            assert!((read - written).abs() <= 0.5 / f32::from(HIDDEN_ONE));
        }
        assert_eq!(file(&read, &SHAPE, 250.0), bytes);
        // Rows of one set, of the format before, stand for those of three.
        let one = Shape { inputs: SHAPE.inputs / 3, sets: 1, ..SHAPE };
        let (end, part) = (SHAPE.places().rows.end, one.places().rows.end);
        let shrunk = [&weights[..part], &weights[end..]].concat();
        let mut old = file(&shrunk, &one, 250.0);
        let wide: Vec<u8> = old[14..14 + part]
            .iter()
            .flat_map(|&byte| (2 * i16::from(byte.cast_signed())).to_le_bytes())
            .collect();
        old.splice(14..14 + part, wide);
        old[3] = b'3';
        old.truncate(old.len() - 8);
        old.extend(fnv1a(&old).to_le_bytes());
        let grown = super::weights(&old, &SHAPE).unwrap();
        assert_eq!(grown[end..], read[end..]);
        for (i, weight) in grown[..end].iter().enumerate() {
            let wanted = (2.0 * read[i % part]).clamp(-LARGEST_IN_ROWS, LARGEST_IN_ROWS);
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
