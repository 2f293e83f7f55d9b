//! `tabiya check ENGINE`: says in words what is wrong with another program's move generator.
//!
//! This file reads the options, starts the program and prints. `walk` looks for wrong places and `finding` says what
//! they show. Faults are printed on stderr as they are found, so that a run that is broken off has not been in vain;
//! the report goes to stdout.

use super::start;
use crate::base::{json, signals};
use crate::cli::args::{self, Flag, number, on};
use crate::cli::positions::suite;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::ask::{Asker, Source};
use crate::doctor::by_move::{Method, MoveByMove};
use crate::doctor::finding::{Finding, findings};
use crate::doctor::program::{Divider, by_command};
use crate::doctor::uci_client::{Patience, Peer, answer_limit};
use crate::doctor::walk::{Task, Walk};
use crate::game::Position;
use crate::perft::suite::Entry;

/// What is on the command line.
#[derive(Default)]
pub struct Options {
    game: Variant,
    chess960: bool,
    command: bool,
    json: bool,
    quiet: bool,
    /// Seconds for all.
    time: Option<u64>,
    /// Seconds for one answer.
    wait: Option<u64>,
    max_nodes: Option<u128>,
}

#[rustfmt::skip]
pub const FLAGS: &[Flag<Options>] = &[
    Flag("--game NAME", |o, v| Variant::read(v).map(|game| o.game = game), "chess (default) or xiangqi"),
    Flag("--chess960", |o, _| on(&mut o.chess960), "Chess960 too: castling as king takes rook, UCI_Chess960 on"),
    Flag("--command", |o, _| on(&mut o.command), "ENGINE is a command that prints a divide and ends, such as 'my-perft {depth} \"{fen}\" \"{moves}\"'; it is run once for each position. Without {moves} it gets the position after the moves"),
    Flag("--time SECONDS", |o, v| number(o.time.insert(0), v, 1..=1_000_000), "stop after SECONDS and report what was found (default 20)"),
    Flag("--wait SECONDS", |o, v| number(o.wait.insert(0), v, 1..=1_000_000), "maximum wait for one answer (default 10)"),
    Flag("--max-nodes N", |o, v| number(o.max_nodes.insert(0), v, 1..=u128::MAX), "skip counts above N nodes, for slow programs"),
    Flag("--quiet", |o, _| on(&mut o.quiet), "print one line for each fault"),
    Flag("--json", |o, _| on(&mut o.json), "print one JSON object"),
];

/// What `tabiya check --help` adds to its options.
pub const NOTES: &str = "
ENGINE is a UCI engine with go perft. An engine without it is asked about one
move after another, if it obeys go searchmoves or refuses illegal moves in
position ... moves; then only lists of moves are checked, and no counts.
Engines that do neither cannot be checked.
Exit code: 0 no fault; 1 faults; 2 the engine or the command line fails, or the
time was too short to try all.
";

/// Runs `tabiya check` with the arguments after `check`.
pub fn run(arguments: &[String], out: &mut Stdout) -> CommandResult {
    let mut options = Options::default();
    let (_, words) = args::read("check", FLAGS.iter(), arguments, &mut options)?;
    let [engine] = &words[..] else {
        return Err(match words.get(1) {
            Some(extra) => {
                let extra = quoted(extra);
                format!("check: unexpected argument {extra}; put ENGINE and its arguments in quotes")
            }
            None => "check: ENGINE is missing; expected a UCI engine, or with --command a command".into(),
        }
        .into());
    };
    if options.chess960 && options.game != Variant::Chess {
        return Err("--chess960: there is no Chess960 in this game".into());
    }
    by_game!(options.game, B => check::<B>(engine, &options, out))
}

/// The positions to check: those that are due, then the others, each by growing cost.
fn tasks<B: ProgramGame + Diagnosis>(options: &Options) -> Result<Vec<Task<B>>, String> {
    let mut tasks = Vec::new();
    for (texts, is_due) in [(B::SUITE, true), (B::MORE, false)] {
        for Entry { position, mut counts, .. } in suite::<B>(texts)? {
            counts.retain(|(_, nodes)| options.max_nodes.is_none_or(|most| *nodes <= most));
            if counts.is_empty() || B::is_chess960(&position) && !options.chess960 {
                continue;
            }
            let position = if options.chess960 { B::adapt(position, true, B::FIRST_RANKS[0]) } else { position };
            tasks.push(Task { position, counts, is_due });
        }
    }
    tasks.sort_by_key(|task| (!task.is_due, task.counts.last().map(|(_, nodes)| *nodes)));
    Ok(tasks)
}

fn check<B: ProgramGame + Diagnosis>(engine: &str, options: &Options, out: &mut Stdout) -> CommandResult {
    let tasks = tasks::<B>(options)?;
    let time = Duration::from_secs(options.time.unwrap_or(20));
    let (wait, end) = (options.wait.map_or(answer_limit(), Duration::from_secs), Instant::now() + time);
    signals::end_groups_at_signals();
    let of_engine = |reason: String| format!("check: {reason}");
    let source = source::<B>(engine, options, Patience { wait, end: Some(end) }).map_err(of_engine)?;
    let (name, id) = match &source {
        Source::Divides(divider, _) => (divider.name.clone(), divider.id.clone()),
        Source::Moves(asker) => (asker.name().to_string(), asker.id().to_string()),
    };
    // From now on there is something to report.
    signals::survive_a_signal();
    let mut asker = Asker::new(source, wait, end);
    let progress = Progress::new();
    let mut walk = Walk::new(&tasks, time.mul_f64(0.75));
    let groups = walk.search(&mut asker, &mut |done, all| {
        progress.show(&format!("{:3} %  {done} of {all} positions", 100 * done / all.max(1)));
    });
    let found = |finding: &Finding<B>| {
        if !options.quiet {
            progress.clear();
            print_err(&format!("found: {}; {}", finding.sentence, finding.command()));
        }
    };
    let findings = findings(&mut asker, &tasks, &groups, found);
    progress.clear();
    let (listed, counted, all) = (walk.listed, walk.counted, tasks.len());
    let is_done = if asker.counts() { counted == all } else { listed == all };
    let failure = if signals::was_interrupted() { Some("ended by a signal".into()) } else { asker.fatal.take() };
    let report = Report { name, id, findings, listed, counted, all, nodes: walk.nodes, failure };
    match (options.json, options.quiet) {
        (true, _) => print_json(&report, out)?,
        (false, true) => print_lines(&report, out)?,
        (false, false) => print(&report, out)?,
    }
    out.flush()?;
    match report.failure {
        Some(reason) => Err(of_engine(reason).into()),
        None if report.findings.iter().any(|finding| finding.arises) => Err(Failure::Difference),
        None if !is_done => {
            let (time, error) = (time.as_secs(), asker.last_error);
            Err(if Instant::now() < end && !error.is_empty() {
                format!("check: {listed} of {all} positions could be compared; the last error was: {error}").into()
            } else {
                format!("--time: {counted} of {all} positions were counted as deep as they should be within {time} s")
                    .into()
            })
        }
        None => Ok(()),
    }
}

/// Starts the program and finds out how to ask it.
fn source<'a, B: ProgramGame + Diagnosis>(
    engine: &'a str,
    options: &'a Options,
    patience: Patience,
) -> Result<Source<'a>, String> {
    if options.command {
        let mut program = by_command(engine).map_err(|e| format!("--command: {e}"))?;
        prepare::<B>(&mut program, patience)?;
        return Ok(Source::Divides(program, Box::new(|| by_command(engine))));
    }
    let start_again = move || start::<B>(engine, options.chess960, patience);
    let mut peer = start_again()?.divider();
    match prepare::<B>(&mut peer, patience) {
        Ok(()) => Ok(Source::Divides(peer, Box::new(move || start_again().map(Peer::divider)))),
        Err(reason) => {
            // It may still be thinking about that.
            drop(peer);
            let asker = MoveByMove::new::<B>(start_again).map_err(|other| format!("{reason}; {other}"))?;
            let way = match asker.method() {
                Method::SearchMoves => "go searchmoves",
                Method::Refusal => "position ... moves",
            };
            if !options.quiet {
                print_err(&format!("{reason}; asking about one move after another, by {way}"));
            }
            Ok(Source::Moves(asker))
        }
    }
}

/// Asks for a first divide, which also tells how the ranks are numbered.
fn prepare<B: ProgramGame + Diagnosis>(other: &mut Divider<'_>, patience: Patience) -> Result<(), String> {
    other.patience = Some(patience.deadline().saturating_duration_since(Instant::now()));
    let start = Position::<B>::from_fen(B::START_FEN).map_err(|e| e.to_string())?;
    if B::FIRST_RANKS.len() > 1 {
        other.learn_ranks(&start)
    } else {
        other.divide((B::START_FEN, &[]), &start, 1).map(|_| ())
    }
}

/// What a check has found.
struct Report<B: ProgramGame + Diagnosis> {
    pub name: String,
    /// What the engine calls itself; may be empty.
    pub id: String,
    pub findings: Vec<Finding<B>>,
    /// Positions whose moves were compared, those that were counted as deep as they should be, and all.
    pub listed: usize,
    pub counted: usize,
    pub all: usize,
    pub nodes: u128,
    /// Why the check has ended early.
    pub failure: Option<String>,
}

/// Said of what is wrong only in positions that no game reaches.
const CANNOT_ARISE: &str = "cannot arise in a game: the king was in check before the double step";

/// `1 fault in 412 positions`
fn verdict<B: ProgramGame + Diagnosis>(report: &Report<B>) -> String {
    let faults = match report.findings.iter().filter(|finding| finding.arises).count() {
        0 => "no fault".into(),
        1 => "1 fault".into(),
        n => format!("{n} faults"),
    };
    let Report { listed, counted, all, nodes, .. } = *report;
    match (counted == all, listed == all) {
        _ if !report.findings.is_empty() => format!("{faults} in {listed} positions"),
        (true, _) => format!("{faults} in {all} positions, {} nodes", grouped(nodes)),
        (_, true) if counted == 0 => format!("{faults} in {all} positions, one ply deep"),
        (_, true) => format!("{faults} in {all} positions, {counted} of them counted as deep as they should be"),
        (_, false) => format!("{faults} in {listed} of {all} positions, only one ply deep"),
    }
}

/// Prints a line for each fault.
fn print_lines<B: ProgramGame + Diagnosis>(report: &Report<B>, out: &mut Stdout) -> io::Result<()> {
    for finding in &report.findings {
        let note = if finding.arises { String::new() } else { format!("; {CANNOT_ARISE}") };
        writeln!(out, "the engine {}: {}; {}{note}", finding.symptom.words, finding.sentence, finding.command())?;
    }
    Ok(())
}

/// Prints a finding in full, with a number or another head.
pub(super) fn print_finding<B: ProgramGame + Diagnosis>(
    finding: &Finding<B>,
    head: &str,
    out: &mut Stdout,
) -> io::Result<()> {
    writeln!(out, "{head}the engine {}", finding.symptom.words)?;
    writeln!(out, "   {}", finding.sentence)?;
    writeln!(out, "   {}", finding.command())?;
    for note in &finding.notes {
        writeln!(out, "   - {note}")?;
    }
    Ok(())
}

fn print<B: ProgramGame + Diagnosis>(report: &Report<B>, out: &mut Stdout) -> io::Result<()> {
    for (number, finding) in (1..).zip(&report.findings) {
        print_finding(finding, &format!("{number}. "), out)?;
        writeln!(out, "   seen {}", if finding.seen == 1 { "once".into() } else { format!("{} times", finding.seen) })?;
        if !finding.arises {
            writeln!(out, "   {CANNOT_ARISE}")?;
        }
    }
    writeln!(out, "{}", verdict(report))
}

/// A number with commas.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let comma = |i: usize| i > 0 && (digits.len() - i).is_multiple_of(3);
    let digit = |(i, d): (usize, char)| if comma(i) { format!(",{d}") } else { d.to_string() };
    digits.chars().enumerate().map(digit).collect()
}

fn print_json<B: ProgramGame + Diagnosis>(report: &Report<B>, out: &mut Stdout) -> io::Result<()> {
    let strings = |texts: &[String]| json::list(texts.iter().map(|text| json::escape(text)));
    let fault = |finding: &Finding<B>| {
        let spot = &finding.case.spot;
        Object::new()
            .string("rule", &finding.rule)
            .string("fault", &finding.symptom.words)
            .string("kind", finding.kind())
            .string("move", &finding.case.text)
            .string("text", &finding.sentence)
            .raw("notes", strings(&finding.notes))
            .string("root", &spot.root.to_fen())
            .raw("moves", strings(&spot.moves))
            .string("fen", &spot.end().map_or(String::new(), |end| end.to_fen()))
            .raw("depth", finding.case.depth)
            .string("command", &spot.command())
            .raw("seen", finding.seen)
            .raw("arises", finding.arises)
    };
    let object = Object::new()
        .string("engine", &report.name)
        .string("id", &report.id)
        .string("game", B::NAME)
        .raw("positions", report.counted)
        .raw("one_ply", report.listed)
        .raw("of", report.all)
        .raw("nodes", report.nodes)
        .raw("faults", json::list(report.findings.iter().map(fault)))
        .string("failure", report.failure.as_deref().unwrap_or_default());
    writeln!(out, "{object}")
}
