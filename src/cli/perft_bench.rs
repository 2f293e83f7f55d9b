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
pub(super) fn run<B: ProgramGame>(out: &mut Stdout) -> Outcome {
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

/// One line about the CPU, its features and the build.
pub(crate) fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu_name(&info).or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok());
    let build = if cfg!(debug_assertions) { "with debug assertions" } else { "release" };
    format!(
        "{}; {}; tabiya {} for {} {}, {build}",
        cpu.as_deref().unwrap_or("unknown CPU"),
        features(),
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
    )
}

/// The name of the CPU in `/proc/cpuinfo`. ARM CPUs have two numbers instead: the designer's and the design's.
fn cpu_name(info: &str) -> Option<String> {
    let field = |name| {
        let mut fields = info.lines().filter_map(|line| line.split_once(':'));
        fields.find_map(|(key, value)| (key.trim() == name).then_some(value.trim()))
    };
    let arm = || Some((field("CPU implementer")?, field("CPU part")?));
    let of_arm = || arm().map(|(designer, part)| format!("ARM CPU {designer} {part}"));
    field("model name").map(String::from).or_else(of_arm)
}

/// The CPU features that the kernels use.
#[cfg(target_arch = "x86_64")]
fn features() -> String {
    macro_rules! detected {
        ($($name:tt)*) => {[$(is_x86_feature_detected!($name).then_some($name)),*]};
    }
    let all = detected!("popcnt" "bmi1" "bmi2" "avx2" "avx512f" "avx512bw" "avx512vpopcntdq" "avx512vbmi2" "gfni");
    let names: Vec<&str> = all.into_iter().flatten().collect();
    if names.is_empty() { "no special features".into() } else { names.join(" ") }
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> String {
    "no special features".into()
}

#[cfg(test)]
mod tests {
    use super::cpu_name;

    #[test]
    fn cpus_are_named_as_linux_names_them() {
        let x86 = "processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC: 7\n\nprocessor\t: 1\n";
        assert_eq!(cpu_name(x86).as_deref(), Some("AMD EPYC: 7"));
        let arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n";
        assert_eq!(cpu_name(arm).as_deref(), Some("ARM CPU 0x41 0xd0c"));
        assert_eq!(cpu_name("processor\t: 0\nCPU part\t: 0xd0c\n"), None);
        assert_eq!(cpu_name(""), None);
    }
}
