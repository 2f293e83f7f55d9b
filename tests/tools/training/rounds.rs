//! Rounds of training: play games with the last network, label positions off them, train from that network, and keep
//! the new network if it wins a match.
//!
//! ```text
//! cargo run --release -p tabiya-training -- rounds --dir FOLDER --hours F
//!     [--game chess|xiangqi] [--threads N] [--rounds N] [--from NETWORK] [--seed N] [--games N] [--nodes N]
//!     [--label-nodes N] [--epochs N] [--match-games N] [--match-nodes N]
//! ```
//!
//! No round begins after `--hours`, or when there are `--rounds` (no limit). The first begins with the network
//! `--from`, or the committed one. A round plays `--games` games (8000) of `--nodes` nodes (1500) with `--seed` (1)
//! plus the number of earlier rounds, labels a third of their positions, each one random move off, with
//! `--label-nodes` (5000), trains for `--epochs` (3), and, if the loss on held-out games falls, plays at most
//! `--match-games` (2000) games of `--match-nodes` nodes (10000) against the network before, from openings of its own
//! games. It keeps the network if the SPRT of 0 and 5 Elo accepts it.
//!
//! The folder has `log`, a line for each round with all that the round depends on, `plan`, the settings of all rounds,
//! and a folder for each round. What is finished there is not done again, so a command that was killed goes on where it
//! stopped, and its log and networks are those of a run without a stop, for any number of threads. Each network is
//! compiled in: this needs `cargo`, and for matches `python3` with the packages of `match.py`. The program goes on as
//! the one that has the network.

use crate::options::Options;
use crate::record::Recorded;
use crate::records::Records;
use crate::{datagen, rescore, train};
use std::env::consts::EXE_SUFFIX;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};
use tabiya::base::checksum::fnv1a;
use tabiya::base::files::path_of;
use tabiya::network::NetworkInputs;

pub const NAMES: &str = "dir hours game threads rounds from seed games nodes label-nodes epochs match-games \
    match-nodes";

/// The project's folder.
const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");
/// One in so many positions of the games is in a file of labels, and the number of these files.
const LABELS_EVERY: usize = 30;
const LABEL_FILES: usize = 10;
/// Openings of a match have scores of at most so many centipawns.
const BALANCED: i16 = 60;

/// The options, checked.
struct Plan {
    game: String,
    folder: PathBuf,
    hours: f64,
    threads: usize,
    rounds: usize,
    from: PathBuf,
    seed: usize,
    games: usize,
    nodes: usize,
    label_nodes: usize,
    epochs: usize,
    match_games: usize,
    match_nodes: usize,
}

impl Plan {
    fn of(options: &Options) -> Result<Plan, String> {
        let project = Path::new(PROJECT);
        let folder = env::current_dir().unwrap_or_default().join(path_of(options.required("dir")?));
        options.required("hours")?;
        Ok(Plan {
            game: options.game().into(),
            folder,
            hours: options.number("hours", 0.0, 0.0, 10_000.0)?,
            threads: options.threads()?,
            rounds: options.count("rounds", usize::MAX, 1, 100_000)?,
            from: options
                .text("from")
                .map_or_else(|| project.join("src").join(options.game()).join("eval/network.bin"), path_of),
            seed: options.count("seed", 1, 0, 1 << 62)?,
            games: options.count("games", 8_000, 1, 1_000_000_000)?,
            nodes: options.count("nodes", 1_500, 1, 1_000_000_000)?,
            label_nodes: options.count("label-nodes", 5_000, 1, 1_000_000_000)?,
            epochs: options.count("epochs", 3, 1, 10_000)?,
            match_games: options.count("match-games", 2_000, 2, 1_000_000)?,
            match_nodes: options.count("match-nodes", 10_000, 1, 1_000_000_000)?,
        })
    }

    /// All that the round of `seed` depends on, but for the network before.
    fn settings(&self, seed: usize) -> String {
        let Plan { game, games, nodes, label_nodes, epochs, match_games, match_nodes, .. } = self;
        format!(
            "commit {} --game {game} --seed {seed} --games {games} --nodes {nodes} --label-nodes {label_nodes} \
             --epochs {epochs} --match-games {match_games} --match-nodes {match_nodes}",
            commit()
        )
    }

    /// The file of a round; 0 is the beginning.
    fn file(&self, round: usize, name: &str) -> PathBuf {
        self.folder.join(round.to_string()).join(name)
    }
}

/// The commit that is checked out, with a mark if files have changed since.
fn commit() -> String {
    let words = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
    let said = Command::new("git").args(words).current_dir(PROJECT).output();
    let said = said.ok().filter(|said| said.status.success());
    said.map_or("unknown".into(), |said| String::from_utf8_lossy(&said.stdout).trim().into())
}

/// An error about a file.
fn fault(file: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", file.display())
}

fn text(file: &Path) -> String {
    file.to_string_lossy().into_owned()
}

/// The name of a file that is not finished.
fn part_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Writes a file as a whole: after a kill it is there with all that it has, or not at all.
fn write(file: &Path, content: &[u8]) -> Result<(), String> {
    let part = part_of(file);
    fs::write(&part, content).and_then(|()| fs::rename(&part, file)).map_err(fault(file))
}

/// Lets `make` write a file, unless it is there. `make` gets a name for the time being.
fn once(file: &Path, make: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    if file.exists() {
        return Ok(());
    }
    let part = part_of(file);
    if part.exists() {
        fs::remove_file(&part).map_err(fault(&part))?;
    }
    make(&part)?;
    fs::rename(&part, file).map_err(fault(file))
}

/// The options of a command of this program: names and values.
fn options(names: &str, parts: &[&[(&str, &str)]]) -> Result<Options, String> {
    Options::read(parts.concat().iter().flat_map(|(name, value)| [format!("--{name}"), value.to_string()]), names)
}

/// Compiles the programs `tabiya` and `training` with the network of a round.
fn build(plan: &Plan, round: usize) -> Result<(), String> {
    once(&plan.file(round, "tabiya"), |tabiya| {
        let target = plan.folder.join("target");
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--release", "--locked", "--quiet", "--bins", "-p", "tabiya", "-p", "tabiya-training"]);
        cargo.arg("--target-dir").arg(&target).env("EVALFILE", plan.file(round, "net")).current_dir(PROJECT);
        let done = cargo.status().map_err(|error| format!("cargo: {error}"))?;
        if !done.success() {
            return Err(format!("cargo: {done}"));
        }
        let built = |name: &str, to: &Path| {
            let from = target.join("release").join(name.to_string() + EXE_SUFFIX);
            fs::copy(&from, to).map(|_| ()).map_err(fault(&from))
        };
        once(&plan.file(round, "training"), |training| built("training", training))?;
        built("tabiya", tabiya)
    })
}

/// Goes on as the program with the network of a round, unless it is this one.
fn become_program_of(plan: &Plan, round: usize, hours: f64) -> Result<(), String> {
    let program = plan.file(round, "training");
    let is_same =
        |a: &Path, b: &Path| fs::canonicalize(a).ok().zip(fs::canonicalize(b).ok()).is_some_and(|(a, b)| a == b);
    if env::current_exe().is_ok_and(|this| is_same(&this, &program)) {
        return Ok(());
    }
    let mut words: Vec<_> = env::args_os().skip(1).collect();
    let at = words.iter().position(|word| word == "--hours").ok_or("--hours is missing")?;
    words[at + 1] = hours.to_string().into();
    let mut command = Command::new(&program);
    command.args(words);
    #[cfg(unix)]
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    let error = match command.status() {
        Ok(done) => std::process::exit(done.code().unwrap_or(2)),
        Err(error) => error,
    };
    Err(fault(&program)(error))
}

/// Writes the openings of a match: where the balanced ones of the games begin.
fn write_openings<B: Recorded>(plan: &Plan, games: &Path, to: &Path) -> Result<(), String> {
    let games = text(games);
    let mut records = Records::open(&games)?;
    let (mut lines, mut count) = (String::new(), 0);
    while count < plan.match_games / 2
        && let Some((pos, labels)) = records.next::<B>()?
    {
        if labels.opens_game && labels.score.abs() <= BALANCED {
            let _ = writeln!(lines, "{}", pos.to_fen());
            count += 1;
        }
    }
    fs::write(to, lines).map_err(fault(to))
}

/// Plays the network of `round` against that of `before`: the report of `match.py`.
fn play_match(plan: &Plan, round: usize, before: usize) -> Result<String, String> {
    let report = plan.file(round, "match");
    once(&report, |part| {
        let mut python = Command::new("python3");
        python.arg(Path::new(PROJECT).join("tests/tools/match.py")).args(["--game", &plan.game, "--sprt", "0", "5"]);
        for (name, program) in [("--a", round), ("--b", before)] {
            // `match.py` splits commands as a shell does.
            python.arg(name).arg(format!("'{}'", plan.file(program, "tabiya").display()));
        }
        python.arg("--openings").arg(plan.file(round, "openings.epd"));
        for (name, number) in
            [("--nodes", plan.match_nodes), ("--games", plan.match_games), ("--concurrency", plan.threads)]
        {
            python.args([name, &number.to_string()]);
        }
        let done = python.output().map_err(|error| format!("python3: {error}"))?;
        if !done.status.success() {
            let said = [done.stdout, done.stderr].concat();
            let last = String::from_utf8_lossy(&said).lines().last().unwrap_or_default().to_string();
            return Err(format!("match.py: {}: {last}", done.status));
        }
        fs::write(part, done.stdout).map_err(fault(part))
    })?;
    fs::read_to_string(&report).map_err(fault(&report))
}

/// The complete lines of the log, and the last round whose network was kept, 0 if none was.
fn read_log(log: &Path) -> Result<(String, usize), String> {
    let text = if log.exists() { fs::read_to_string(log).map_err(fault(log))? } else { String::new() };
    let kept = text.lines().zip(1..).filter(|(line, _)| line.contains(": kept, ")).last();
    let kept = kept.map_or(0, |(_, round)| round);
    Ok((text, kept))
}

/// A short name of the network of a round.
fn name(plan: &Plan, round: usize) -> Result<String, String> {
    let net = plan.file(round, "net");
    let bytes = fs::read(&net).map_err(fault(&net))?;
    Ok(format!("{:016x}", fnv1a(&bytes)))
}

/// Does a round; its line of the log. The games are those of the network that this program has, which is that of
/// `before`.
fn round<B: Recorded + NetworkInputs>(plan: &Plan, number: usize, before: usize) -> Result<String, String> {
    let seed = plan.seed + number - 1;
    let [threads, nodes, label_nodes] = [plan.threads, plan.nodes, plan.label_nodes].map(|n| n.to_string());
    let (games, net) = (plan.file(number, "games.data"), plan.file(number, "net"));
    let data = text(&games);
    let common = [("game", plan.game.as_str()), ("threads", &threads)];

    let (seed_text, games_text) = (seed.to_string(), plan.games.to_string());
    let words =
        [("out", data.as_str()), ("games", &games_text), ("nodes", &nodes), ("seed", &seed_text), ("hash", "4")];
    let (_, positions) = datagen::generate::<B>(&options(datagen::NAMES, &[&common, &words])?)?;

    let mut labels = Vec::new();
    for offset in 0..LABEL_FILES {
        let file = plan.file(number, &format!("off{offset}.data"));
        once(&file, |part| {
            let (out, every, offset) = (text(part), LABELS_EVERY.to_string(), offset.to_string());
            let words = [("data", data.as_str()), ("out", &out), ("nodes", &label_nodes), ("every", &every)];
            let more = [("offset", offset.as_str()), ("stray", "1"), ("men", "10"), ("bound", "500"), ("hash", "2")];
            rescore::run::<B>(&options(rescore::NAMES, &[&common, &words, &more])?)
        })?;
        labels.push(text(&file));
    }

    let part = part_of(&net);
    let (out, off, from) = (text(&part), labels.join(","), text(&plan.file(before, "net")));
    let epochs = plan.epochs.to_string();
    let words = [("data", data.as_str()), ("off", &off), ("out", &out), ("from", &from), ("epochs", &epochs)];
    let more = [("rate", "0.0005"), ("rows", "0.1"), ("lambda", "0.6"), ("scale", "150")];
    let losses = train::fit::<B>(&options(train::NAMES, &[&common, &words, &more])?)?;
    fs::rename(&part, &net).map_err(fault(&net))?;

    let mut verdict = "dropped, the loss does not fall".to_string();
    if losses.best < losses.start {
        once(&plan.file(number, "openings.epd"), |part| write_openings::<B>(plan, &games, part))?;
        build(plan, number)?;
        let report = play_match(plan, number, before)?;
        let kept = if report.contains("SPRT: H1 accepted") { "kept" } else { "dropped" };
        let result = report.lines().rfind(|line| line.starts_with('+') && !line.contains(';')).unwrap_or("no games");
        verdict = format!("{kept}, {result}");
    }
    Ok(format!(
        "round {number}, net {} from {}: {verdict}; held-out loss {:.6} before, {:.6} after; {positions} positions; \
         {}\n",
        name(plan, number)?,
        name(plan, before)?,
        losses.start,
        losses.best,
        plan.settings(seed)
    ))
}

/// Does rounds until the time is over.
pub fn run<B: Recorded + NetworkInputs>(options: &Options) -> Result<(), String> {
    let begin = Instant::now();
    let plan = Plan::of(options)?;
    let of = |number: usize| plan.folder.join(number.to_string());
    fs::create_dir_all(of(0)).map_err(fault(&plan.folder))?;
    once(&plan.file(0, "net"), |part| fs::copy(&plan.from, part).map(|_| ()).map_err(fault(&plan.from)))?;
    let (settings, file) = (plan.settings(plan.seed), plan.folder.join("plan"));
    once(&file, |part| fs::write(part, &settings).map_err(fault(part)))?;
    let first = fs::read_to_string(&file).map_err(fault(&file))?;
    if first != settings {
        return Err(format!("--dir: its rounds have other settings: {first}; expected {settings}, or a new folder"));
    }
    let log = plan.folder.join("log");
    loop {
        let (lines, before) = read_log(&log)?;
        let number = lines.lines().count() + 1;
        let left = Duration::from_secs_f64(plan.hours * 3_600.0).saturating_sub(begin.elapsed());
        if number > plan.rounds || left.is_zero() {
            return Ok(());
        }
        build(&plan, before)?;
        become_program_of(&plan, before, left.as_secs_f64() / 3_600.0)?;
        fs::create_dir_all(of(number)).map_err(fault(&of(number)))?;
        let line = round::<B>(&plan, number, before)?;
        print!("{line}");
        write(&log, (lines + &line).as_bytes())?;
    }
}
