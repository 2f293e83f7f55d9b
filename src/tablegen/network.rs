//! The trained network of chess, from its file of whole numbers to tables.
//!
//! Called by `build.rs` through [`files`]. The layout of `chess_network.bin` is told in
//! `tests/tools/train/quantise.rs`, how it was made in `tests/tools/notebook/2026-11-network.md`. `EVALFILE` in the
//! environment names another file, as match runners do that test networks. A file that is not whole stops the build.

use super::emit::Source;
use std::borrow::Cow;
use std::path::PathBuf;
use std::{env, fs};

/// Inputs of a set.
const INPUTS: usize = 768;
/// Neurons that the engine computes at a time.
const LANES: usize = 16;

/// What a file begins with, and the bytes up to its first weight.
const FORMAT: &[u8] = b"TBN5";
const HEAD: usize = 14;

static CHESS: &[u8] = include_bytes!("chess_network.bin");

/// The variable of the environment that names another network; empty counts as missing.
const VARIABLE: &str = "EVALFILE";

/// The file that is to be used instead of the committed one, if any.
pub fn replacement() -> Option<PathBuf> {
    env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// File name and text of the network.
///
/// # Errors
/// If the file that the environment names cannot be read or is no network.
pub fn files() -> Result<Vec<(&'static str, String)>, String> {
    let (file, name) = match replacement() {
        None => (Cow::Borrowed(CHESS), "chess_network.bin".to_string()),
        Some(path) => {
            let name = format!("{VARIABLE}: {}", path.display());
            let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
            (Cow::Owned(bytes), name)
        }
    };
    check(&file).map_err(|reason| format!("{name}: {reason}"))?;
    Ok(vec![("chess_network.rs", source(&file))])
}

/// Whether `file` is a network and whole.
fn check(file: &[u8]) -> Result<(), String> {
    if !file.starts_with(FORMAT) {
        return Err("no network, expected a file that begins with TBN5".into());
    }
    let sum = |(body, sum): (&[u8], &[u8; 8])| fnv1a(body) == u64::from_le_bytes(*sum);
    if file.len() < HEAD + 8 || !file.split_last_chunk().is_some_and(sum) {
        return Err("the network is damaged: its checksum is wrong".into());
    }
    Ok(())
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

/// The tables as Rust source, of a file that has been checked.
///
/// # Panics
/// If the sizes that the file names are not those of its weights.
fn source(file: &[u8]) -> String {
    let (head, mut body) = file[..file.len() - 8].split_at(HEAD);
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
