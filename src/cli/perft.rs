//! The `perft` subcommand: totals, divide, statistics, suites and comparison with another engine.
//!
//! Counts go to `out` in Stockfish's form; the summary goes to stderr. All counting is done by
//! `crate::perft`; this file reads arguments, picks the game and prints.

use super::args::{self, Args};
use super::failure::Failure;
use super::games::{Game, Offered, game, standard};
use super::json::Object;
use super::perft_options::{FLAGS, OPTIONS, exclude, settings};
use super::progress::Progress;
use super::shown::{Shown, counter, wants_columns};
use super::{perft_bench, perft_compare, unique, units};
use crate::chess;
use crate::game::notation::{FenReader, looks_like_xiangqi, quoted};
use crate::game::{Columns, Notation};
use crate::perft::MAX_DEPTH;
use crate::perft::against::{self, Comparison, Difference, Peer};
use crate::perft::checkpoint::Checkpoint;
use crate::perft::count::{Counter, Divide, Settings};
use crate::perft::suite::{self, Entry};
use crate::xiangqi;
use std::io::Write;
use std::time::{Duration, Instant};

/// Runs `tabiya perft` with the arguments behind that word.
pub(super) fn run(arguments: &[String], out: &mut (impl Write + Send)) -> Result<(), Failure> {
    let args = Args::read(arguments, FLAGS, OPTIONS)?;
    // The game of these is that of the file.
    if args.value("--units").is_some() {
        return units::count(&args, out);
    }
    if args.value("--merge").is_some() {
        return units::merge(&args, out);
    }
    exclude(&args, "perft without --units", &["--range"])?;
    exclude(&args, "perft without --merge", &["--verified"])?;
    match game(&args)? {
        Game::Chess => play::<chess::Position>(&args, out),
        Game::Xiangqi => play::<xiangqi::Position>(&args, out),
    }
}

fn play<P: Offered>(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    if P::NAME == xiangqi::Position::NAME {
        // There is no castling.
        exclude(args, "--game xiangqi", &["--chess960"])?;
    }
    if args.words() == ["bench"] {
        let mut others: Vec<&'static str> = [FLAGS, OPTIONS].concat();
        others.retain(|option| *option != "--game");
        others.push("--stats");
        exclude(args, "perft bench", &others)?;
        return perft_bench::run::<P>(out);
    }
    let columns = wants_columns(args)?;
    let settings = settings::<P>(args)?;
    if args.flag("--suite") {
        let others = [
            "--fen",
            "--against",
            "--compare",
            "--divide",
            "--chess960",
            "--checkpoint",
            "--unique",
            "--split",
        ];
        exclude(args, "--suite", &others)?;
        return match columns {
            true => suites::<P, Columns<u128>>(&counter(settings)?, args, out),
            false => suites::<P, u128>(&counter(settings)?, args, out),
        };
    }
    exclude(args, "perft DEPTH", &["--max-nodes"])?;
    let depth = match args.words() {
        [depth] => args::number("DEPTH", depth, 0..=u128::from(MAX_DEPTH))? as u32,
        [] => return Err(Failure::Usage("DEPTH is missing: tabiya perft DEPTH".into())),
        [_, extra, ..] => {
            let reason = format!("{} follows DEPTH, expected an option", quoted(extra));
            return Err(Failure::Usage(reason));
        }
    };
    let pos = position::<P>(args)?;
    if let Some(path) = args.value("--compare") {
        let others = [
            "--against",
            "--divide",
            "--stats",
            "--json",
            "--checkpoint",
            "--unique",
            "--split",
            "--memory",
        ];
        exclude(args, "--compare", &others)?;
        args::number("--compare: DEPTH", &depth.to_string(), 1..=u128::from(MAX_DEPTH))?;
        // First, as the other program may still be counting.
        let theirs = perft_compare::read(path)?;
        let ours = counter::<P, u128>(settings)?.divide(&pos, depth, None, &()).unwrap_or_default();
        return perft_compare::run(&pos, &ours, &theirs, out);
    }
    if args.flag("--unique") {
        return unique::run(&pos, depth, settings, args, out);
    }
    if args.value("--split").is_some() {
        return units::split(&pos, depth, args, out);
    }
    exclude(args, "perft DEPTH without --unique or --split", &["--memory"])?;
    match args.value("--against") {
        Some(command) => {
            exclude(args, "--against", &["--divide", "--stats", "--json", "--checkpoint"])?;
            compare(&counter(settings)?, &pos, depth, command, out)
        }
        None if columns => count::<P, Columns<u128>>(&counter(settings)?, &pos, depth, args, out),
        None => count::<P, u128>(&counter(settings)?, &pos, depth, args, out),
    }
}

/// The position that `--fen` gives, as FEN or by its name in the standard suite.
fn position<P: Offered>(args: &Args) -> Result<P, Failure> {
    let text = args.value("--fen").unwrap_or("startpos").trim();
    let pos = if text == "startpos" {
        P::from_fen(P::START_FEN)
    } else if text.contains('/') {
        let mut reader = reader(args);
        let read = P::read_fen(text, &mut reader);
        match (&read, reader.warning()) {
            (Ok(_), Some(warning)) => warn(&format!("--fen: {warning}")),
            (Err(_), _) if args.value("--game").is_none() => other_game(text)?,
            _ => {}
        }
        read
    } else {
        let standard = standard::<P>()?;
        match standard.iter().find(|entry| entry.title.eq_ignore_ascii_case(text)) {
            Some(entry) => Ok(entry.position),
            None => {
                let names: Vec<&str> = standard.iter().map(|e| e.title.as_str()).collect();
                let (shown, names) = (quoted(text), names.join(", "));
                let reason = format!("--fen: {shown} is no FEN and none of the names {names}");
                return Err(Failure::Usage(reason));
            }
        }
    };
    let pos = pos.map_err(|e| Failure::Usage(format!("--fen: {e}")))?;
    Ok(if args.flag("--chess960") { pos.with_chess960() } else { pos })
}

/// How FENs are to be read.
fn reader(args: &Args) -> FenReader {
    if args.flag("--strict") { FenReader::strict() } else { FenReader::lenient() }
}

/// A line on stderr about something that is done all the same.
fn warn(text: &str) {
    // Nobody is hurt if stderr is closed.
    let _ = writeln!(std::io::stderr(), "tabiya: {text}");
}

/// Blames `--game` for a FEN that is none of chess but looks like one of xiangqi.
fn other_game(fen: &str) -> Result<(), Failure> {
    if !looks_like_xiangqi(fen) {
        return Ok(());
    }
    let reason = match xiangqi::Position::read_fen(fen, &mut FenReader::lenient()) {
        Ok(_) => "a position of xiangqi, expected --game xiangqi".to_string(),
        Err(error) => format!("{error}; it looks like xiangqi, which needs --game xiangqi"),
    };
    Err(Failure::Usage(format!("--fen: {reason}")))
}

/// `perft DEPTH`: total, divide, statistics.
fn count<P: Offered, Q: Shown<P>>(
    counter: &Counter<P, Q>,
    pos: &P,
    depth: u32,
    args: &Args,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let watch = Progress::new();
    if args.value("--checkpoint") == Some("") {
        return Err(Failure::Usage("--checkpoint: expected the name of a file".into()));
    }
    let file = args
        .value("--checkpoint")
        .map(|path| Checkpoint::new(path.into(), format!("{} {depth} {}", P::NAME, pos.to_fen())));
    let start = Instant::now();
    let mut divide = counter
        .divide(pos, depth, file.as_ref(), &watch)
        .map_err(|reason| Failure::Usage(format!("--checkpoint: {reason}")))?;
    watch.clear();
    let time = start.elapsed();
    divide.moves.sort_by_key(|&(m, _)| pos.move_text(m));
    if args.flag("--json") {
        writeln!(out, "{}", json(counter, pos, depth, &divide, args, time))?;
        return Ok(out.flush()?);
    }
    Q::text(pos, &divide, args, out)?;
    writeln!(out, "Nodes searched: {}", divide.total.nodes())?;
    out.flush()?;
    summary(counter, divide.total.nodes(), time);
    Ok(())
}

fn json<P: Offered, Q: Shown<P>>(
    counter: &Counter<P, Q>,
    pos: &P,
    depth: u32,
    divide: &Divide<P::Move, Q>,
    args: &Args,
    time: Duration,
) -> String {
    let mut object = Object::new()
        .string("game", P::NAME)
        .string("fen", &pos.to_fen())
        .raw("depth", depth)
        .raw("nodes", divide.total.nodes())
        .raw("seconds", format_args!("{:.6}", time.as_secs_f64()))
        .raw("threads", counter.settings().threads)
        .string("kernel", counter.settings().kernel.name())
        .raw("hash_mb", counter.hash_megabytes());
    if args.flag("--divide") {
        let moves = divide.moves.iter().fold(Object::new(), |object, (m, n)| {
            object.raw(pos.move_text(*m).as_str(), n.nodes())
        });
        object = object.raw("divide", moves.finish());
    }
    Q::json(pos, divide, args, object).finish()
}

/// Time, speed and settings, on stderr so that stdout holds counts only.
fn summary<P: Offered, Q: Shown<P>>(counter: &Counter<P, Q>, nodes: u128, time: Duration) {
    let seconds = time.as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    let Settings { threads, kernel, .. } = counter.settings();
    let hash = match counter.hash_megabytes() {
        0 => "no hash".to_string(),
        megabytes => {
            let large = match counter.large_page_megabytes() {
                None => "",
                Some(large) if large >= megabytes / 2 => ", large pages",
                Some(_) => ", small pages",
            };
            format!("hash {megabytes} MB{large}")
        }
    };
    let kernel = kernel.name();
    let _ = writeln!(
        std::io::stderr(),
        "{seconds:.3} s, {speed:.0} Mnps, threads {threads}, kernel {kernel}, {hash}"
    );
}

/// `perft --suite FILE…`
fn suites<P: Offered, Q: Shown<P>>(
    counter: &Counter<P, Q>,
    args: &Args,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let reader = reader(args);
    if args.words().is_empty() {
        return Err(Failure::Usage("--suite needs the name of at least one file".into()));
    }
    let max_nodes = args.number("--max-nodes", u128::MAX, 0..=u128::MAX)?;
    // All files are read before any is run: a typing error should not show after an hour.
    let mut files = Vec::new();
    for path in args.words() {
        // In full: of a path the end matters most.
        let shown = format!("{path:?}");
        let text = std::fs::read_to_string(path)
            .map_err(|e| Failure::Usage(format!("--suite: cannot read {shown}: {e}")))?;
        let entries: Vec<Entry<P>> = suite::read_with(&text, &reader)
            .map_err(|e| Failure::Usage(format!("--suite: {shown}, {e}")))?;
        for Entry { line, warning, .. } in &entries {
            if let Some(warning) = warning {
                warn(&format!("{shown}, line {line}: {warning}"));
            }
        }
        files.push((path, entries));
    }
    let mut total = suite::Report::default();
    let start = Instant::now();
    for (path, entries) in &files {
        let mut lines = Vec::new();
        let count = |pos: &P, depth| counter.total(pos, depth);
        let report = suite::run(entries, max_nodes, count, |wrong| {
            let fen = wrong.entry.position.to_fen();
            let suite::Mismatch { entry, depth, column, expected, counted } = wrong;
            lines.push(if args.flag("--json") {
                Object::new()
                    .string("file", path)
                    .raw("line", entry.line)
                    .string("fen", &fen)
                    .raw("depth", depth)
                    .string("column", column)
                    .raw("expected", expected)
                    .raw("counted", counted)
                    .finish()
            } else {
                let column = if column == "nodes" { "" } else { &format!("{column}: ") };
                format!(
                    "{path}:{}: depth {depth}: {column}counted {counted}, expected {expected}: {fen}",
                    entry.line
                )
            });
        });
        for line in lines {
            writeln!(out, "{line}")?;
        }
        if !args.flag("--json") {
            let suite::Report { positions, compared, skipped, mismatches, .. } = report;
            writeln!(
                out,
                "{path}: {positions} positions, {compared} counts, {skipped} left out, {mismatches} wrong"
            )?;
        }
        out.flush()?;
        total.positions += report.positions;
        total.compared += report.compared;
        total.skipped += report.skipped;
        total.mismatches += report.mismatches;
        total.nodes += report.nodes;
    }
    if args.flag("--json") {
        let object = Object::new()
            .raw("positions", total.positions)
            .raw("counts", total.compared)
            .raw("left_out", total.skipped)
            .raw("wrong", total.mismatches)
            .raw("nodes", total.nodes)
            .raw("seconds", format_args!("{:.6}", start.elapsed().as_secs_f64()));
        writeln!(out, "{}", object.finish())?;
    } else {
        writeln!(out, "Nodes searched: {}", total.nodes)?;
    }
    out.flush()?;
    summary(counter, total.nodes, start.elapsed());
    if total.mismatches > 0 { Err(Failure::Difference) } else { Ok(()) }
}

/// `perft DEPTH --against "CMD"`
fn compare<P: Offered>(
    counter: &Counter<P>,
    pos: &P,
    depth: u32,
    command: &str,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let blame = |reason: String| Failure::Usage(format!("--against: {reason}"));
    let mut peer = Peer::start(command).map_err(blame)?;
    if pos.is_chess960() {
        peer.set_option("UCI_Chess960", "true").map_err(blame)?;
    }
    let divide = |pos: &P, depth| counter.divide(pos, depth, None, &()).unwrap_or_default();
    if let Some(variant) = P::VARIANT {
        peer.set_option("UCI_Variant", variant).map_err(blame)?;
        let start = P::from_fen(P::START_FEN).map_err(|e| Failure::Usage(e.to_string()))?;
        let moves = divide(&start, 1).moves;
        let ours: Vec<_> = moves.iter().map(|&(m, _)| start.move_text(m).to_string()).collect();
        peer.learn_ranks(P::START_FEN, &ours).map_err(blame)?;
    }
    match against::compare(pos, depth, &mut peer, divide).map_err(blame)? {
        Comparison::Agree(mut divide) => {
            divide.moves.sort_by_key(|&(m, _)| pos.move_text(m));
            for &(m, n) in &divide.moves {
                writeln!(out, "{}: {n}", pos.move_text(m))?;
            }
            writeln!(out, "\nNodes searched: {}", divide.total)?;
            writeln!(out, "both engines agree")?;
            Ok(out.flush()?)
        }
        Comparison::Differ(difference) => {
            explain(&difference, out)?;
            out.flush()?;
            Err(Failure::Difference)
        }
    }
}

fn explain(difference: &Difference, out: &mut impl Write) -> Result<(), Failure> {
    let list = |moves: &[String]| if moves.is_empty() { "none".into() } else { moves.join(" ") };
    writeln!(out, "the engines differ, first in this position:")?;
    writeln!(out, "fen: {}", difference.fen)?;
    writeln!(out, "path: {}", list(&difference.path))?;
    writeln!(out, "depth left: {}", difference.depth)?;
    writeln!(out, "missing there: {}", list(&difference.missing))?;
    writeln!(out, "extra there: {}", list(&difference.extra))?;
    for (m, ours, theirs) in &difference.miscounted {
        writeln!(out, "{m}: counted {ours} here, {theirs} there")?;
    }
    if difference.missing.is_empty() && difference.extra.is_empty() {
        writeln!(
            out,
            "the move lists are the same; the other engine counts its own moves wrongly"
        )?;
    }
    Ok(())
}
