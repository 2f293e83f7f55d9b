//! `tabiya perft`: totals, divide, statistics, suites and comparison with another engine.
//!
//! `perft_options` reads the arguments. Counts go to `out` in Stockfish's form, the summary line to stderr.
//! `crate::perft` does the counting; this file picks the game and prints.

use super::counts::{self, named_divide};
use super::perft_options::{Mode, PerftOptions};
use super::prelude::*;
use super::progress_line::reporter;
use super::{perft_bench, positions, unique};
use crate::base::text::{counted, decode};
use crate::doctor::Diagnosis;
use crate::doctor::cli::{against, compare, expect};
use crate::doctor::spot::Line;
use crate::farm;
use crate::game::Position;
use crate::game::text::fen::looks_like_xiangqi;
use crate::game::text::movetext::Start;
use crate::perft::count::Counter;
use crate::perft::run::{Part, Task};
use crate::perft::suite::{self, Entry};
use crate::perft::suite_reader::{self, Suite};

/// Runs `tabiya perft` with the arguments after `perft`.
pub(super) fn run(arguments: &[String], out: &mut Stdout) -> CommandResult {
    let options = &PerftOptions::read(arguments)?;
    match options.mode {
        Mode::Merge => farm::cli::merge(options, out),
        Mode::Bench => by_game!(options.game.unwrap_or_default(), B => perft_bench::run::<B>(out)),
        _ => by_game!(options.game.unwrap_or_default(), B => run_for_game::<B>(options, out)),
    }
}

fn run_for_game<B: ProgramGame + Diagnosis>(options: &PerftOptions, out: &mut Stdout) -> CommandResult {
    if options.mode == Mode::Suite {
        return suites::<B>(options, out);
    }
    let (line, pos) = &position::<B>(options)?;
    match options.mode {
        Mode::Against => against::run((line.clone(), pos), options, out),
        Mode::Compare => compare::run(pos, options, out),
        Mode::Expect => expect::run(pos, options, out),
        Mode::Unique => unique::run(pos, options, out),
        _ => count(pos, options, out),
    }
}

/// The position that `--fen` gives, as a FEN or a name of the standard suite, after the moves in `--moves`. Without
/// `--fen`, tags in `--moves` say where the game begins. With the positions and moves on the way.
fn position<B: ProgramGame + Diagnosis>(options: &PerftOptions) -> CommandResult<(Line<B>, Position<B>)> {
    let mut tolerance = options.tolerance();
    let (option, pos) = if let Some(text) = options.fen.as_deref().map(str::trim) {
        let pos = positions::position::<B>(text, &mut tolerance).map_err(|reason| match options.game {
            None if text.contains('/') && looks_like_xiangqi(text) => format!("--fen: {}", suggest_xiangqi(text)),
            _ => format!("--fen: {reason}"),
        })?;
        ("--fen", pos)
    } else {
        let start = Start::read(&options.moves).and_then(|start| start.position::<B>(&mut tolerance));
        ("--moves", start.map_err(|error| format!("--moves: {error}"))?.unwrap_or_default())
    };
    if let Some(warning) = tolerance.warning() {
        warn(&format!("{option}: {warning}"));
    }
    let mut pos = if options.chess960 { B::adapt(pos, true, B::FIRST_RANKS[0]) } else { pos };
    let mut game = crate::game::Game::new(pos);
    let played = game.play_line(&options.moves);
    let number = game.moves().len() + 1;
    played.map_err(|error| match error.field {
        "tag" => format!("--moves: {error}"),
        _ => format!("--moves: move {number}: {}", error.reason),
    })?;
    let mut line = Vec::new();
    for &m in game.moves() {
        line.push((pos, m));
        pos = pos.play_unchecked(m);
    }
    Ok((line, pos))
}

/// The error for a FEN that is not a chess position but looks like xiangqi; it suggests `--game`.
fn suggest_xiangqi(fen: &str) -> String {
    match Variant::of_fen(fen) {
        Ok(_) => "this is a xiangqi position; use --game xiangqi".into(),
        Err(error) => format!("{error}; if this is a xiangqi position, use --game xiangqi"),
    }
}

/// `perft DEPTH`: total, divide and statistics.
fn count<B: ProgramGame>(pos: &Position<B>, options: &PerftOptions, out: &mut Stdout) -> CommandResult {
    let counter = options.counter::<B>()?;
    let (fen, depth) = (pos.to_fen(), options.depth);
    let part = options.part.unwrap_or(Part::WHOLE);
    let task = Task { depth, divide: options.divide, statistics: options.stats.is_some(), part };
    let start = Instant::now();
    let divide = match &options.checkpoint {
        Some(file) => farm::cli::count(&counter, pos, &task, options, file)?,
        None => {
            let reporter = reporter();
            counter.run(pos, &task, &|finished| reporter.poll(finished)).map_err(counts::named)?
        }
    };
    Progress::new().clear();
    let time = start.elapsed();
    let facts = |object: Object| {
        let object = object
            .seconds(time)
            .raw("threads", counter.threads)
            .string("kernel", counter.kernel.name())
            .raw("hash_mb", counter.memory());
        match options.part {
            Some(Part { index, of }) => object.raw("part", index + 1).raw("parts", of),
            None => object,
        }
    };
    match options.part {
        Some(Part { index, of }) if !options.json => {
            writeln!(out, "Part {} of {of}: {}", index + 1, divide.total.nodes)?;
            out.flush()?;
        }
        _ => counts::print::<B>(&named_divide(pos, &divide), (&fen, depth), options, facts, out)?,
    }
    if !options.json {
        summary(&counter, divide.total.nodes, time);
    }
    Ok(())
}

/// Prints time, speed and settings on stderr, so that stdout has only counts.
fn summary(counter: &Counter, nodes: u128, time: Duration) {
    let seconds = time.as_secs_f64();
    let speed = mnps(nodes, time);
    let (threads, kernel, memory) = (counter.threads, counter.kernel.name(), counter.memory());
    let hash = if memory == 0 { "every node visited".into() } else { format!("at most {memory} MB") };
    print_err(&format!("{seconds:.3} s, {speed:.0} Mnps, threads {threads}, kernel {kernel}, {hash}"));
}

/// Largest suite in bytes, far beyond any.
const MAX_SUITE: u64 = 64 << 20;

/// The suites of `perft --suite FILE…`: their files with the positions, and how many positions are refused.
struct Suites<B: ProgramGame> {
    files: Vec<(String, Vec<Entry<B>>)>,
    refused: usize,
}

/// Reads all files before any is run: a typo should not surface after an hour.
fn read_suites<B: ProgramGame>(options: &PerftOptions) -> CommandResult<Suites<B>> {
    let mut suites = Suites { files: Vec::new(), refused: 0 };
    for path in &options.files {
        let (file, bytes) = read_input(path, MAX_SUITE).map_err(|reason| format!("--suite: {reason}"))?;
        let read = suite_reader::read_all(&decode(&bytes), &options.tolerance());
        let Suite { entries, refused } = read.map_err(|e| format!("--suite: {file}, {e}"))?;
        if entries.is_empty() && refused.is_empty() {
            let reason = "contains no positions; expected lines such as FEN ;D1 20 ;D2 400";
            return Err(format!("--suite: {file} {reason}").into());
        }
        for entry in &entries {
            if let Some(warning) = &entry.warning {
                warn(&format!("{file}, line {}: {warning}", entry.line));
            }
        }
        for (line, reason) in &refused {
            print_err(&format!("tabiya: {file}, line {line} is not counted: {reason}"));
        }
        suites.refused += refused.len();
        suites.files.push((shown(path), entries));
    }
    let entries = suites.files.iter().flat_map(|(_, entries)| entries);
    if let Some(least) = entries.filter_map(Entry::least).min()
        && least > options.max_nodes
    {
        let reason = format!("{} leaves out every count; the smallest is {least}", options.max_nodes);
        return Err(format!("--max-nodes: {reason}").into());
    }
    Ok(suites)
}

/// A line for a wrong count.
fn mismatch<B: ProgramGame>(path: &str, wrong: suite::Mismatch<'_, B>, json: bool) -> String {
    let suite::Mismatch { entry, depth, column, expected, counted } = wrong;
    let fen = entry.position.to_fen();
    if json {
        let object = Object::new().string("file", path).raw("line", entry.line).string("fen", &fen);
        let object = object.raw("depth", depth).string("column", column);
        return object.raw("expected", expected).raw("counted", counted).to_string();
    }
    let column = if column == "nodes" { String::new() } else { format!("{column}: ") };
    format!("{path}:{}: depth {depth}: {column}counted {counted}, expected {expected}: {fen}", entry.line)
}

/// `perft --suite FILE…`
fn suites<B: ProgramGame + Diagnosis>(options: &PerftOptions, out: &mut Stdout) -> CommandResult {
    let counter = options.counter::<B>()?;
    let Suites { files, refused } = read_suites::<B>(options)?;
    let mut total = suite::Report::default();
    let start = Instant::now();
    for (path, entries) in &files {
        let mut lines = Vec::new();
        let statistics = options.stats.is_some();
        let count = |pos: &Position<B>, depth| {
            Ok(counter.run(pos, &Task { statistics, ..Task::nodes(depth) }, &|_| false)?.total)
        };
        let report = suite::run(entries, options.max_nodes, statistics, count, |wrong| {
            lines.push(mismatch(path, wrong, options.json));
        });
        for line in lines {
            writeln!(out, "{line}")?;
        }
        let report = report.map_err(|reason| format!("--suite: {path}, {reason}"))?;
        if !options.json {
            let (positions, compared) = (counted(report.positions, "position"), counted(report.compared, "count"));
            let suite::Report { skipped, mismatches, .. } = report;
            writeln!(out, "{path}: {positions}, {compared}, {skipped} left out, {mismatches} wrong")?;
        }
        out.flush()?;
        total.positions += report.positions;
        total.compared += report.compared;
        total.skipped += report.skipped;
        total.mismatches += report.mismatches;
        total.nodes = total.nodes.saturating_add(report.nodes);
    }
    if options.json {
        let object = Object::new()
            .raw("positions", total.positions)
            .raw("counts", total.compared)
            .raw("left_out", total.skipped)
            .raw("wrong", total.mismatches)
            .raw("not_counted", refused)
            .raw("nodes", total.nodes)
            .seconds(start.elapsed());
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "Nodes searched: {}", total.nodes)?;
    }
    out.flush()?;
    summary(&counter, total.nodes, start.elapsed());
    if total.mismatches > 0 || refused > 0 { Err(Failure::Difference) } else { Ok(()) }
}
