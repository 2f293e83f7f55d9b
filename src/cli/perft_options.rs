//! The options of `tabiya perft`, and the settings that they ask for.
//!
//! Used by `cli::perft` and the files beside it that hold a part of the subcommand. Prints nothing.

use super::args::Args;
use super::failure::Failure;
use super::games::Offered;
use crate::game::Kernel;
use crate::game::notation::quoted;
use crate::perft::count::Settings;

/// Options without a value.
pub(super) const FLAGS: &[&str] = &[
    "--divide",
    "--stats=",
    "--json",
    "--chess960",
    "--suite",
    "--strict",
    "--unique",
    "--verified",
];

/// Options with one.
pub(super) const OPTIONS: &[&str] = &[
    "--fen",
    "--game",
    "--against",
    "--compare",
    "--max-nodes",
    "--threads",
    "--hash",
    "--seed",
    "--kernel",
    "--checkpoint",
    "--memory",
    "--split",
    "--units",
    "--range",
    "--merge",
];

/// More threads or megabytes than any machine has.
const MAX_THREADS: u128 = 1024;
pub(super) const MAX_MEGABYTES: u128 = 1 << 24;

/// The settings that the arguments ask for.
pub(super) fn settings<P: Offered>(args: &Args) -> Result<Settings, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = match args.number("--threads", 0, 0..=MAX_THREADS)? as usize {
        0 => cores,
        n => n,
    };
    let available = P::kernels();
    let kernel = match args.value("--kernel").unwrap_or("auto") {
        "auto" => available[0],
        name => {
            let Some(kernel) = Kernel::ALL.into_iter().find(|k| k.name() == name) else {
                let names: Vec<&str> = Kernel::ALL.map(Kernel::name).to_vec();
                let (shown, names) = (quoted(name), names.join(", "));
                let reason = format!("--kernel: {shown} is none of auto, {names}");
                return Err(Failure::Usage(reason));
            };
            if !available.contains(&kernel) {
                let reason = format!("--kernel: this CPU or game has no {name} kernel");
                return Err(Failure::Usage(reason));
            }
            kernel
        }
    };
    let seed = args.number("--seed", 0, 0..=u128::from(u64::MAX))? as u64;
    let hash_megabytes = args.number("--hash", 0, 0..=MAX_MEGABYTES)? as usize;
    Ok(Settings { threads, hash_megabytes, seed, kernel })
}

/// Refuses options that mean nothing beside `name`.
pub(super) fn exclude(args: &Args, name: &str, others: &[&'static str]) -> Result<(), Failure> {
    match args.first_of(others) {
        Some(other) => Err(Failure::Usage(format!("{other} does not go with {name}"))),
        None => Ok(()),
    }
}
