//! The trained network of chess, from its file of whole numbers to tables.
//!
//! Called by `build.rs` through [`files`]. The layout of `chess_network.bin` is told in
//! `tests/tools/train/quantise.rs`, how it was made in `tests/tools/README.md`. A file that is not whole stops the
//! build.

use super::emit::Source;

/// Inputs of a set.
const INPUTS: usize = 768;
/// Neurons that the engine computes at a time.
const LANES: usize = 16;

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

/// Weights of neurons, each in a row of its own, as the engine goes through them: for each bucket and each four hidden
/// values the weights of every neuron.
fn by_quads(bytes: &[u8], neurons: usize, row: usize) -> Vec<i64> {
    let of_bucket = |bytes: &[u8]| -> Vec<i64> {
        let quads = (0..row).step_by(4);
        quads
            .flat_map(|at| (0..neurons).flat_map(move |n| (0..4).map(move |i| n * row + at + i)))
            .map(|at| i64::from(bytes[at].cast_signed()))
            .collect()
    };
    bytes.chunks(neurons * row).flat_map(of_bucket).collect()
}

/// The tables as Rust source.
///
/// # Panics
/// If the file is not what it should be.
fn source(file: &[u8]) -> String {
    let (body, sum) = file.split_last_chunk().expect("the network file ends with a checksum");
    assert_eq!(fnv1a(body), u64::from_le_bytes(*sum), "checksum of the network file");
    let (head, mut body) = body.split_at(14);
    assert_eq!(&head[..4], b"TBN5", "the network file begins with its format");
    let number = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let [inputs, hidden, neurons, buckets, scale] = [4, 6, 8, 10, 12].map(number);
    assert!(inputs > 0 && inputs.is_multiple_of(INPUTS), "inputs of the network file");
    assert!(neurons > 0 && neurons.is_multiple_of(LANES), "neurons of the network file");
    let mut take = |bytes: usize| {
        let (part, rest) = body.split_at(bytes);
        body = rest;
        part
    };
    let mut source = Source::new("The network that evaluates chess positions.");
    source.constant("Inputs of one half.", "INPUTS", inputs);
    source.constant("Size of one half of the hidden layer.", "HIDDEN", hidden);
    source.constant("Neurons of the second layer, by lanes.", "NEURON_BLOCKS", neurons / LANES);
    let doc = "Choices of the layers after the hidden one, by the number of men.";
    source.constant(doc, "BUCKETS", buckets);
    source.constant("Centipawns of an output of 1.", "SCALE", scale);
    let doc = "Weights of the hidden layer: a row for each input.";
    source.rows(doc, "ROWS", [inputs, hidden], take(inputs * hidden));
    let doc = "Biases of the hidden layer.";
    source.aligned(doc, "BIASES", "i16", &[hidden], &words(take(2 * hidden)));
    let blocks = neurons / LANES;
    let doc = "Weights of the neurons for each four hidden values.";
    let weights = by_quads(take(buckets * neurons * 2 * hidden), neurons, 2 * hidden);
    source.aligned(doc, "NEURONS", "i8", &[buckets, hidden / 2, blocks, LANES, 4], &weights);
    for (doc, name, shape) in [
        ("Weights of what goes straight to the output.", "STRAIGHT", &[buckets, 2, hidden][..]),
        (
            "Weights of the neurons' clamped and squared sums.",
            "OUTPUT",
            &[buckets, 2, blocks, LANES],
        ),
    ] {
        let weights = words(take(2 * shape.iter().product::<usize>()));
        source.aligned(doc, name, "i16", shape, &weights);
    }
    for (doc, name, shape) in [
        ("Biases of the neurons.", "NEURON_BIASES", &[buckets, blocks, LANES][..]),
        ("Biases of the output.", "OUTPUT_BIASES", &[buckets]),
    ] {
        let bytes = take(4 * shape.iter().product::<usize>()).as_chunks().0.iter();
        let texts: Vec<String> = bytes.map(|&b| i32::from_le_bytes(b).to_string()).collect();
        source.table_text(doc, name, "i32", shape, &texts);
    }
    assert!(body.is_empty(), "the network file ends with its biases");
    source.finish()
}
