//! Generates the tables of `src/tablegen` into `generated/`. A file is written only if its text has changed.
//!
//! With `TABLEGEN=check` in the environment nothing is written, and a file that differs fails the build. `EVALFILE`
//! names a chess network to build with instead of the committed one; the next build without it restores the tables.

#[path = "src/base/rng.rs"]
#[allow(dead_code)]
mod rng;
#[path = "src/tablegen/mod.rs"]
mod tablegen;

use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    for watched in ["build.rs", "src/tablegen", "src/base/rng.rs", "generated"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    for variable in ["TABLEGEN", "EVALFILE"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    if let Some(network) = tablegen::network::replacement() {
        println!("cargo::rerun-if-changed={}", network.display());
    }
    let check = env::var_os("TABLEGEN").is_some_and(|mode| mode == "check");
    let root = env::var("CARGO_MANIFEST_DIR")?;
    for (name, text) in tablegen::files()? {
        tablegen::emit::refresh(&Path::new(&root).join("generated").join(name), &text, check)?;
    }
    Ok(())
}
