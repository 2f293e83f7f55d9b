//! Generates the tables of `src/tablegen` into `generated/`, and selects the networks that are compiled in.
//!
//! Tables are generated with the feature `program` only: other programs that depend on the crate take those in
//! `generated/` as they are. A file is written only when its text has changed. `EVALFILE` names a network of chess or
//! of xiangqi to use instead of the committed one.

#[path = "src/base/checksum.rs"]
mod checksum;
#[cfg(feature = "program")]
#[path = "src/base/rng.rs"]
#[allow(dead_code)]
mod rng;
#[cfg(feature = "program")]
#[path = "src/tablegen/mod.rs"]
mod tablegen;

use checksum::fnv1a;
use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let root = env::var("CARGO_MANIFEST_DIR")?;
    let root = Path::new(&root);
    #[cfg(feature = "program")]
    refresh_tables(&root.join("generated"))?;
    if cfg!(feature = "search")
        && let Err(fault) = choose_networks(root)
    {
        println!("cargo::error={fault}");
    }
    Ok(())
}

/// Writes the tables whose text has changed.
#[cfg(feature = "program")]
fn refresh_tables(folder: &Path) -> Result<(), Box<dyn Error>> {
    for watched in ["src/tablegen", "src/base/checksum.rs", "src/base/rng.rs", "generated"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    for (name, text) in tablegen::files() {
        tablegen::emit::refresh(&folder.join(name), &text)?;
    }
    Ok(())
}

/// The networks: whether its game is compiled, name in messages and variables, first bytes of the file, and the
/// committed file.
const NETWORKS: [(bool, &str, &[u8; 4], &str); 2] = [
    (cfg!(feature = "chess"), "chess", b"TBN5", "src/chess/eval/network.bin"),
    (cfg!(feature = "xiangqi"), "xiangqi", b"TBX5", "src/xiangqi/eval/network.bin"),
];

/// Checks the network files and passes the path and shape of each on to `eval/inputs.rs` of its game. The head of
/// `src/network/mod.rs` has the layout.
fn choose_networks(root: &Path) -> Result<(), String> {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let chosen = env::var_os("EVALFILE").filter(|path| !path.is_empty()).map(|path| root.join(path));
    let chosen = chosen.map(|path| read_network("EVALFILE", &path)).transpose()?;
    for (_, game, format, committed) in NETWORKS.into_iter().filter(|network| network.0) {
        let (path, file) = match &chosen {
            Some((path, file)) if file.starts_with(format) => (path.clone(), file.clone()),
            _ => read_network(&format!("{game} network"), &root.join(committed))?,
        };
        let shape = file.get(4..12).unwrap_or_default().as_chunks().0;
        let shape: Vec<u16> = shape.iter().map(|&size| u16::from_le_bytes(size)).collect();
        let variable = format!("cargo::rustc-env=TABIYA_{}_NETWORK", game.to_uppercase());
        println!("{variable}={path}\n{variable}_SHAPE={shape:?}");
    }
    Ok(())
}

/// The path as text and the content of a network file, which must be undamaged and of one of the games.
fn read_network(source: &str, path: &Path) -> Result<(String, Vec<u8>), String> {
    let name = path.display().to_string();
    println!("cargo::rerun-if-changed={name}");
    let fault = |what: &str| format!("{source}: {name}: expected a network file: {what}");
    let file = fs::read(path).map_err(|error| fault(&error.to_string()))?;
    let undamaged = |(body, sum): (&[u8], &[u8; 8])| fnv1a(body) == u64::from_le_bytes(*sum);
    if !file.split_last_chunk().is_some_and(undamaged) {
        return Err(fault("wrong checksum (damaged, or another kind of file)"));
    }
    if !NETWORKS.iter().any(|(_, _, format, _)| file.starts_with(*format)) {
        return Err(fault("first bytes other than TBN5 (chess) and TBX5 (xiangqi)"));
    }
    check_ranges(&file).map_err(|what| fault(&what))?;
    Ok((name, file))
}

/// Checks that the sums of a network cannot overflow. The head of `src/network/mod.rs` has the layout and the
/// ranges. A file whose length does not match its header is left to the compiler, which refuses it.
fn check_ranges(file: &[u8]) -> Result<(), String> {
    let Some(mut rest) = file.get(14..file.len() - 8) else { return Ok(()) };
    let [inputs, hidden, neurons, buckets] =
        [4, 6, 8, 10].map(|at| usize::from(u16::from_le_bytes([file[at], file[at + 1]])));
    let mut take = |bytes: usize| rest.split_off(..bytes).unwrap_or_default();
    let rows = take(inputs * hidden);
    let hidden_biases = take(2 * hidden);
    take(buckets * neurons * 2 * hidden);
    let output_weights = take(buckets * 4 * (hidden + neurons));
    let biases = take(buckets * 4 * (neurons + 1));
    if hidden == 0 || biases.is_empty() || !rest.is_empty() {
        return Ok(());
    }
    let words = |bytes: &[u8]| -> Vec<i32> {
        bytes.as_chunks().0.iter().map(|&word| i32::from(i16::from_le_bytes(word))).collect()
    };
    let mut largest = vec![0; hidden];
    for row in rows.chunks_exact(hidden) {
        for (largest, &byte) in largest.iter_mut().zip(row) {
            *largest = i32::from(byte.cast_signed()).abs().max(*largest);
        }
    }
    for (bias, weight) in words(hidden_biases).into_iter().zip(largest) {
        // At most 32 inputs are on.
        if bias.abs() + 32 * weight >= 1 << 15 {
            let found = format!("found a bias of {bias} and weights of up to {weight}");
            return Err(format!("hidden sums below 32768, {found}"));
        }
    }
    if let Some(weight) = words(output_weights).into_iter().find(|weight| weight.abs() >= 2048) {
        return Err(format!("straight and output weights below 2048, found {weight}"));
    }
    let mut biases = biases.as_chunks().0.iter().map(|&bias| i32::from_le_bytes(bias));
    match biases.find(|bias| bias.unsigned_abs() >= 1 << 26) {
        Some(bias) => Err(format!("neuron and output biases below 67108864, found {bias}")),
        None => Ok(()),
    }
}
