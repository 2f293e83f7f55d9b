//! Generates the tables of `src/tablegen` into `generated/`, and selects the chess network that is compiled in.
//!
//! A generated file is written only when its text has changed. With `TABLEGEN=check` in the environment nothing is
//! written: a file that differs fails the build. `EVALFILE` names a chess network to use instead of the committed
//! one.

#[path = "src/base/checksum.rs"]
mod checksum;
#[path = "src/base/rng.rs"]
#[allow(dead_code)]
mod rng;
#[path = "src/tablegen/mod.rs"]
mod tablegen;

use checksum::fnv1a;
use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    for watched in
        ["build.rs", "src/tablegen", "src/base/checksum.rs", "src/base/rng.rs", "generated"]
    {
        println!("cargo::rerun-if-changed={watched}");
    }
    println!("cargo::rerun-if-env-changed=TABLEGEN");
    let check = env::var_os("TABLEGEN").is_some_and(|mode| mode == "check");
    let root = env::var("CARGO_MANIFEST_DIR")?;
    let root = Path::new(&root);
    for (name, text) in tablegen::files() {
        tablegen::emit::refresh(&root.join("generated").join(name), &text, check)?;
    }
    if let Err(fault) = choose_network(root) {
        println!("cargo::error={fault}");
    }
    Ok(())
}

/// Checks the chess network file and passes its path and shape on to `src/chess/eval/network.rs`, which has the
/// layout.
fn choose_network(root: &Path) -> Result<(), String> {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let (source, path) = match env::var_os("EVALFILE").filter(|path| !path.is_empty()) {
        Some(path) => ("EVALFILE", path),
        None => ("chess network", "src/chess/eval/network.bin".into()),
    };
    let path = root.join(path).display().to_string();
    println!("cargo::rerun-if-changed={path}");
    let fault = |what: &str| format!("{source}: {path}: expected a chess network file: {what}");
    let file = fs::read(&path).map_err(|error| fault(&error.to_string()))?;
    let undamaged = |(body, sum): (&[u8], &[u8; 8])| fnv1a(body) == u64::from_le_bytes(*sum);
    if !file.split_last_chunk().is_some_and(undamaged) {
        return Err(fault("wrong checksum (damaged, or another kind of file)"));
    }
    let shape = file.get(4..12).unwrap_or_default().as_chunks().0;
    let shape: Vec<u16> = shape.iter().map(|&size| u16::from_le_bytes(size)).collect();
    println!("cargo::rustc-env=TABIYA_NETWORK={path}");
    println!("cargo::rustc-env=TABIYA_NETWORK_SHAPE={shape:?}");
    Ok(())
}
