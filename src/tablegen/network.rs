//! The trained network of chess, from its file of whole numbers to tables.
//!
//! Called by `build.rs` through [`files`]. The layout of `chess_network.bin` is told in
//! `tests/tools/train/quantise.rs`, how it was made in `tests/tools/README.md`. A file that is not whole stops the
//! build.

use super::emit::Source;

/// Inputs of one half of a network that tells no classes of men apart.
const INPUTS: usize = 768;

static CHESS: &[u8] = include_bytes!("chess_network.bin");

/// File name and text of the network.
pub fn files() -> Vec<(&'static str, String)> {
    vec![("chess_network.rs", source(CHESS))]
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn words(bytes: &[u8]) -> Vec<i64> {
    bytes.as_chunks().0.iter().map(|&pair| i64::from(i16::from_le_bytes(pair))).collect()
}

/// The tables as Rust source.
///
/// # Panics
/// If the file is not what it should be.
fn source(file: &[u8]) -> String {
    let (body, sum) = file.split_last_chunk().expect("the network file ends with a checksum");
    assert_eq!(fnv1a(body), u64::from_le_bytes(*sum), "checksum of the network file");
    let (head, body) = body.split_at(12);
    assert_eq!(&head[..4], b"TBN2", "the network file begins with its format");
    let number = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let [inputs, hidden, buckets, scale] = [4, 6, 8, 10].map(number);
    assert!(inputs > 0 && inputs.is_multiple_of(INPUTS), "inputs of the network file");
    let (rows, rest) = body.split_at(2 * inputs * hidden);
    let (biases, rest) = rest.split_at(2 * hidden);
    let (output, output_biases) = rest.split_at(4 * buckets * hidden);
    let output_biases: Vec<i64> =
        output_biases.as_chunks().0.iter().map(|&b| i64::from(i32::from_le_bytes(b))).collect();
    let mut source = Source::new("The network that evaluates chess positions.");
    source.constant("Inputs of one half.", "INPUTS", inputs);
    source.constant("Size of one half of the hidden layer.", "HIDDEN", hidden);
    source.constant("Choices of output weights, by the number of men.", "BUCKETS", buckets);
    source.constant("Centipawns of an output of 1.", "SCALE", scale);
    let doc = "Weights of the hidden layer: a row for each input.";
    source.aligned_i16(doc, "ROWS", &[inputs, hidden], &words(rows));
    source.aligned_i16("Biases of the hidden layer.", "BIASES", &[hidden], &words(biases));
    let doc = "Output weights of each bucket: for the side to move, for the other side.";
    source.aligned_i16(doc, "OUTPUT", &[buckets, 2, hidden], &words(output));
    let texts: Vec<String> = output_biases.iter().map(i64::to_string).collect();
    source.table_text("Output biases.", "OUTPUT_BIASES", "i32", &[buckets], &texts);
    source.finish()
}
