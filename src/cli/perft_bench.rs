//! `tabiya perft bench`: counts the standard positions with every kernel of this CPU, without and with hash.
//!
//! Single-threaded, so that results of different machines compare. Every count is checked against the suite.

use super::positions::suite;
use super::prelude::*;
use crate::game::Kernel;
use crate::perft::count::Counter;

/// For each position, the largest known count of at most this many nodes is run.
const MAX_NODES: u128 = 1_000_000_000;

/// Memory of the last column, in megabytes.
const HASH: usize = 64;

/// Runs the benchmark and prints its table.
pub(super) fn run<B: ProgramGame>(out: &mut Stdout) -> CommandResult {
    writeln!(out, "{}", machine())?;
    writeln!(out, "one thread; million nodes per second\n")?;
    let entries = suite::<B>(B::STANDARD).map_err(Failure::Usage)?;
    let of = |kernel: Kernel| (kernel.name().to_string(), kernel, 0, (0, Duration::ZERO));
    let mut columns = Vec::from_iter(B::kernels().iter().copied().map(of));
    columns.push((format!("hash {HASH} MB"), B::kernels()[0], HASH, (0, Duration::ZERO)));
    write!(out, "{:<20}{:>5}{:>13}", "position", "depth", "nodes")?;
    for (title, ..) in &columns {
        write!(out, "{title:>13}")?;
    }
    writeln!(out)?;
    let mut wrong = 0;
    for entry in &entries {
        let Some(&(depth, nodes)) = entry.counts.iter().rfind(|&&(_, n)| n <= MAX_NODES) else {
            continue;
        };
        write!(out, "{:<20}{depth:>5}{nodes:>13}", entry.title)?;
        for &mut (_, kernel, hash_megabytes, ref mut total) in &mut columns {
            let counter = Counter { threads: 1, hash_megabytes, seed: 0, kernel };
            let start = Instant::now();
            let counted = counter.total(&entry.position, depth);
            let time = start.elapsed();
            total.0 += nodes;
            total.1 += time;
            if counted == Ok(nodes) {
                write!(out, "{:>13.0}", mnps(nodes, time))?;
            } else {
                wrong += 1;
                write!(out, "{:>13}", "WRONG")?;
            }
            out.flush()?;
        }
        writeln!(out)?;
    }
    write!(out, "{:<38}", "all")?;
    for &(.., (nodes, time)) in &columns {
        write!(out, "{:>13.0}", mnps(nodes, time))?;
    }
    writeln!(out)?;
    out.flush()?;
    if wrong > 0 { Err(Failure::Difference) } else { Ok(()) }
}

/// One line about the CPU and the build.
pub(crate) fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = info.lines().find(|line| line.starts_with("model name"));
    let cpu = named.and_then(|line| line.split_once(": ")).map_or("unknown CPU", |(_, name)| name);
    let build = if cfg!(debug_assertions) { "with debug assertions" } else { "release" };
    let (version, arch, os) = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, std::env::consts::OS);
    format!("{cpu}; tabiya {version} for {arch} {os}, {build}")
}
