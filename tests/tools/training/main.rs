//! Training: games of the engine against itself, deeper searches of their positions, networks, and the tuning of the
//! search.
//!
//! ```text
//! cargo run --release -p tabiya-training -- COMMAND [--name value…]
//! ```
//!
//! | command | what it does | its options |
//! |---|---|---|
//! | `datagen` | plays games and writes their positions as training data | head of `datagen.rs` |
//! | `rescore` | searches positions of such data again with more nodes | head of `rescore.rs` |
//! | `rounds` | games, labels, training and a match, again and again | head of `rounds.rs` |
//! | `train` | fits a network to such data | head of `train/mod.rs` |
//! | `match`, `screen`, `spsa` | play and tune different search parameters | head of `tune/mod.rs` |
//!
//! `README.md` one folder up describes the whole procedure. All commands take `--game chess|xiangqi`. A fault is one
//! line on stderr and exit code 2. `record` has the layout of the data, `selfplay` plays the games.

mod datagen;
mod options;
mod record;
mod records;
mod rescore;
mod rounds;
mod selfplay;
#[cfg(test)]
mod tests;
mod train;
mod tune;

use options::Options;
use std::process::ExitCode;
use tabiya::{chess, xiangqi};

/// Calls a function that is generic over games for the game of the options.
macro_rules! of_game {
    ($options:expr, $function:path) => {{
        use $function as function;
        let options = $options;
        match options.game() {
            "chess" => function::<chess::Board>(options),
            "xiangqi" => function::<xiangqi::Board>(options),
            other => Err(format!("--game: {other:?}, expected chess or xiangqi")),
        }
    }};
}

/// Runs a command with the words after it.
fn run(mut words: impl Iterator<Item = String>) -> Result<(), String> {
    let command = words.next().unwrap_or_default();
    let mut read = |names| Options::read(&mut words, names);
    match command.as_str() {
        "datagen" => of_game!(&read(datagen::NAMES)?, datagen::run),
        "rescore" => of_game!(&read(rescore::NAMES)?, rescore::run),
        "rounds" => of_game!(&read(rounds::NAMES)?, rounds::run),
        "train" => of_game!(&read(train::NAMES)?, train::run),
        "match" => of_game!(&read(tune::NAMES)?, tune::compare),
        "screen" => of_game!(&read(tune::NAMES)?, tune::screen),
        "spsa" => of_game!(&read(tune::NAMES)?, tune::spsa),
        _ => Err(format!("{command:?}: expected datagen, rescore, rounds, train, match, screen or spsa")),
    }
}

fn main() -> ExitCode {
    match run(options::words()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("training: {reason}");
            ExitCode::from(2)
        }
    }
}
