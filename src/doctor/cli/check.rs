//! `tabiya check ENGINE`: says in words what is wrong with another program's move generator, and how fast it is.
//!
//! `crate::doctor::check` does the work; this file reads the options, starts the program and prints. Faults are printed
//! on stderr as they are found, so that a run that is broken off has not been in vain; the report goes to stdout.

use super::page;
use super::report::{Report, place, print, print_json, print_lines, statement};
use super::start;
use crate::base::signals;
use crate::cli::args::{self, Flag, number, on, text};
use crate::cli::positions::suite;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::check::by_move::{Asker, Method};
use crate::doctor::check::naming::{groups, shortened};
use crate::doctor::check::speed::{self, Speed};
use crate::doctor::check::{Checker, Task};
use crate::doctor::diff::{Node, own_divide};
use crate::doctor::program::{Divider, by_command};
use crate::doctor::uci_client::{Patience, Peer, answer_limit};
use crate::game::Position;
use std::collections::BTreeSet;
use std::fs;
use std::mem::take;

/// What is on the command line.
#[derive(Default)]
pub struct Options {
    game: Variant,
    chess960: bool,
    command: bool,
    json: bool,
    quiet: bool,
    /// The file for the page.
    report: String,
    no_speed: bool,
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
    Flag("--time SECONDS", |o, v| number(o.time.insert(0), v, 1..=1_000_000), "stop after this time with what is known (default 50)"),
    Flag("--wait SECONDS", |o, v| number(o.wait.insert(0), v, 1..=1_000_000), "give up an engine that does not answer for so long"),
    Flag("--max-nodes N", |o, v| number(o.max_nodes.insert(0), v, 1..=u128::MAX), "leave out positions that need more nodes, for slow programs"),
    Flag("--no-speed", |o, _| on(&mut o.no_speed), "do not compare speeds"),
    Flag("--quiet", |o, _| on(&mut o.quiet), "print one line for each fault, and no speeds"),
    Flag("--report FILE", |o, v| text(&mut o.report, v), "also write the report to FILE, as a page of HTML with pictures"),
    Flag("--json", |o, _| on(&mut o.json), "print one JSON object"),
];

/// What `tabiya check --help` adds to its options.
pub const NOTES: &str = "
ENGINE is a UCI engine with go perft. An engine without it is asked about one
move after another, if it obeys go searchmoves or refuses illegal moves in
position ... moves; only the first two plies of each position are checked then.
If it does neither, its moves cannot be found out.
Exit code: 0 no fault; 1 faults; 2 the engine or the command line fails, or the
time was too short to try all.
";

/// Runs `tabiya check` with the arguments after `check`.
pub fn run(arguments: &[String], out: &mut Stdout) -> Outcome {
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

/// The positions to check, by growing cost, with the nodes of each.
fn tasks<B: ProgramGame + Diagnosis>(options: &Options) -> Result<Vec<Task<B>>, String> {
    let mut tasks = Vec::new();
    for entry in suite::<B>(B::SUITE)? {
        if B::is_chess960(&entry.position) && !options.chess960 {
            continue;
        }
        let mut counts = entry.counts.iter().rev();
        let deepest = counts.find(|(_, nodes)| options.max_nodes.is_none_or(|most| *nodes <= most));
        let position =
            if options.chess960 { B::adapt(entry.position, true, B::FIRST_RANKS[0]) } else { entry.position };
        tasks.extend(deepest.map(|&(depth, nodes)| (nodes, Task { position, depth })));
    }
    tasks.sort_by_key(|&(nodes, _)| nodes);
    Ok(tasks.into_iter().map(|(_, task)| task).collect())
}

/// More nodes are not asked of a position of the other suites.
const FEW_NODES: u128 = 30_000;

/// The positions of the project's other suites, shallow ones first.
fn more_tasks<B: ProgramGame + Diagnosis>(options: &Options) -> Result<Vec<Task<B>>, String> {
    let most = options.max_nodes.unwrap_or(FEW_NODES).min(FEW_NODES);
    let mut tasks = Vec::new();
    for entry in suite::<B>(B::MORE)? {
        if B::is_chess960(&entry.position) && !options.chess960 {
            continue;
        }
        let position =
            if options.chess960 { B::adapt(entry.position, true, B::FIRST_RANKS[0]) } else { entry.position };
        let deepest = entry.counts.iter().rev().find(|&&(_, nodes)| nodes <= most);
        tasks.extend(deepest.map(|&(depth, nodes)| ((depth.min(3), nodes), Task { position, depth })));
    }
    tasks.sort_by_key(|&(cost, _)| cost);
    Ok(tasks.into_iter().map(|(_, task)| task).collect())
}

/// A check under way, as far as the person who waits for it is concerned.
struct Watch<'a> {
    options: &'a Options,
    end: Instant,
    progress: Progress,
    shown: BTreeSet<String>,
}

impl Watch<'_> {
    /// How long the next answer may take.
    fn patience(&self) -> Duration {
        let left = self.end.saturating_duration_since(Instant::now()).max(Duration::from_millis(10));
        self.options.wait.map_or(left, |wait| left.min(Duration::from_secs(wait)))
    }

    /// Starts the engine.
    fn start<B: ProgramGame + Diagnosis>(&self, engine: &str) -> Result<Peer, String> {
        start::<B>(engine, self.options.chess960, Patience { wait: self.patience(), end: Some(self.end) })
    }

    fn is_over(&self) -> bool {
        signals::was_interrupted() || Instant::now() >= self.end
    }

    /// Prints what is new in `nodes`, and the progress on a terminal.
    fn show<B: ProgramGame + Diagnosis>(&mut self, nodes: &[Node<B>], done: usize, all: usize) {
        for node in nodes {
            for (wrong, text) in &node.wrong {
                let said = statement(node, wrong, text);
                let kind = node.why(wrong, text).map_or(format!("{wrong:?}"), |e| format!("{} {}", e.legal, e.rule));
                if self.shown.insert(kind) && !self.options.quiet {
                    self.progress.clear();
                    print_err(&format!("found: {said}; {}", place(node)));
                }
            }
        }
        let (percent, kinds) = (100 * done / all.max(1), self.shown.len());
        let found = if kinds == 0 { String::new() } else { format!(", {kinds} found") };
        self.progress.show(&format!("{percent:3} %  {done} of {all} positions{found}"));
    }
}

fn check<B: ProgramGame + Diagnosis>(engine: &str, options: &Options, out: &mut Stdout) -> Outcome {
    let tasks = tasks::<B>(options)?;
    if !options.report.is_empty() {
        // Refused now, not when all is done; an older report stays until then.
        let opened = fs::OpenOptions::new().append(true).create(true).open(&options.report);
        opened.map_err(|reason| format!("--report: cannot write {:?}: {reason}", options.report))?;
    }
    let time = options.time.unwrap_or(50);
    let end = Instant::now() + Duration::from_secs(time);
    signals::end_groups_at_signals();
    let mut watch = Watch { options, end, progress: Progress::new(), shown: BTreeSet::new() };
    let of_engine = |reason: String| format!("check: {reason}");
    let report = if options.command {
        let mut program = by_command(engine).map_err(|e| format!("--command: {e}"))?;
        prepare::<B>(&mut program, &watch).map_err(of_engine)?;
        // From now on there is something to report.
        signals::survive_a_signal();
        let again = Box::new(|| by_command(engine));
        by_divides::<B>(program, again, &tasks, &mut watch)
    } else {
        let mut peer = watch.start::<B>(engine).map_err(of_engine)?.divider();
        match prepare::<B>(&mut peer, &watch) {
            Ok(()) => {
                signals::survive_a_signal();
                let patience = Patience { wait: answer_limit(), end: Some(end) };
                let again = move || start::<B>(engine, options.chess960, patience).map(Peer::divider);
                by_divides::<B>(peer, Box::new(again), &tasks, &mut watch)
            }
            Err(reason) => {
                // It may still be thinking about that.
                drop(peer);
                let patience = Patience { wait: watch.patience(), end: Some(end) };
                let asker = Asker::new(|| start::<B>(engine, options.chess960, patience), Some(end));
                let asker = asker.map_err(|other| of_engine(format!("{reason}; {other}")))?;
                signals::survive_a_signal();
                by_moves::<B>(asker, &reason, &tasks, &mut watch)
            }
        }
    };
    watch.progress.clear();
    if !options.report.is_empty() {
        let page = page::page(&report).map_err(|e| e.to_string());
        let written = page.and_then(|page| fs::write(&options.report, page).map_err(|e| e.to_string()));
        written.map_err(|reason| format!("--report: cannot write {:?}: {reason}", options.report))?;
    }
    match (options.json, options.quiet) {
        (true, _) => print_json(&report, out)?,
        (false, true) => print_lines(&report, out)?,
        (false, false) => print(&report, out)?,
    }
    out.flush()?;
    let Report { groups, done, all, failure, .. } = report;
    match failure {
        Some(reason) => Err(of_engine(reason).into()),
        None if groups.iter().any(|group| group.arises) => Err(Failure::Difference),
        None if done < all => {
            Err(format!("--time: {done} of {all} positions were tried to their full depth within {time} s").into())
        }
        None => Ok(()),
    }
}

/// Asks for a first divide, which also tells how the ranks are numbered.
fn prepare<B: ProgramGame + Diagnosis>(other: &mut Divider<'_>, watch: &Watch<'_>) -> Result<(), String> {
    // Its first divide is the smallest.
    other.patience = Some(watch.patience().min(answer_limit() / 2));
    let start = Position::<B>::from_fen(B::START_FEN).map_err(|e| e.to_string())?;
    if B::FIRST_RANKS.len() > 1 {
        other.learn_ranks(&start, &own_divide(&start, 1))
    } else {
        other.divide((B::START_FEN, &[]), &start, 1, &own_divide(&start, 1)).map(|_| ())
    }
}

/// Checks a program that prints divides: one ply everywhere first, which a slow engine gets done too.
fn by_divides<'a, B: ProgramGame + Diagnosis>(
    other: Divider<'a>,
    again: Box<dyn FnMut() -> Result<Divider<'a>, String> + 'a>,
    tasks: &[Task<B>],
    watch: &mut Watch<'_>,
) -> Report<B> {
    let mut checker = Checker::new(other, Some(watch.end));
    checker.restart = Some(again);
    let one_ply = Vec::from_iter(tasks.iter().map(|task| Task { depth: 1, ..*task }));
    let mut failure = all_tasks(&mut checker, &one_ply, watch).err();
    let (seen, found, right) = (checker.done, take(&mut checker.found), take(&mut checker.right));
    checker.done = 0;
    if failure.is_none() {
        checker.other.patience = Some(watch.patience());
        failure = checker.probe(watch.options.max_nodes.unwrap_or(u128::MAX)).err().filter(|_| !watch.is_over());
    }
    if failure.is_none() {
        failure = all_tasks(&mut checker, tasks, watch).err();
    }
    // Of the others one ply is known.
    let done = checker.done;
    checker.done = tasks.len();
    if failure.is_none() && !watch.is_over() {
        failure = more_tasks::<B>(watch.options).and_then(|more| all_tasks(&mut checker, &more, watch)).err();
    }
    let (more, nodes) = (checker.done - tasks.len(), checker.nodes);
    checker.found.extend(found.into_iter().filter(|node| node.task >= done));
    checker.right.extend(right.into_iter().filter(|node| node.task >= done));
    let mut groups = groups(&checker.found, &checker.right, &checker.agreed, &checker.probes);
    if failure.is_none() && checker.other.takes_moves {
        for group in groups.iter_mut().filter(|_| !watch.is_over()) {
            let (wrong, text) = (group.wrong.clone(), group.text.clone());
            let still_wrong = |node: &Node<B>| Ok(checker.wrong_in(node)?.contains(&(wrong.clone(), text.clone())));
            if group.wrong.is_listing() {
                match shortened(&group.node, still_wrong) {
                    Ok(node) => group.node = node,
                    Err(reason) => failure = Some(reason),
                }
            }
        }
    }
    let mut speeds = Vec::new();
    if failure.is_none() && !watch.options.no_speed && !watch.options.quiet && !watch.is_over() {
        checker.other.patience = Some(watch.patience());
        match compared_speeds::<B>(&mut checker.other, watch) {
            Ok(compared) => speeds = compared,
            // What has been found is worth more than a speed that took too long.
            Err(reason) if !watch.is_over() => failure = Some(format!("no speed: {reason}")),
            Err(_) => {}
        }
    }
    let failure = if signals::was_interrupted() { Some("ended by a signal".into()) } else { failure };
    let (name, id, found) = (checker.other.name, checker.other.id, checker.found);
    Report { name, id, groups, found, seen, done, all: tasks.len(), more, nodes, speeds, failure }
}

/// Checks all of the tasks, until the time is up.
fn all_tasks<B: ProgramGame + Diagnosis>(
    checker: &mut Checker<'_, B>,
    tasks: &[Task<B>],
    watch: &mut Watch<'_>,
) -> Result<(), String> {
    for task in tasks {
        if checker.is_over() {
            break;
        }
        checker.other.patience = Some(watch.patience());
        let known = checker.found.len();
        let result = checker.check(task);
        // Positions of its tree may have been left out.
        checker.done -= usize::from(result.is_ok() && checker.is_over());
        watch.show(&checker.found[known..], checker.done, tasks.len());
        if !checker.is_over() {
            result?;
        }
    }
    Ok(())
}

/// Checks an engine without `go perft`, or whose divide cannot be read, for this `reason`.
fn by_moves<B: ProgramGame + Diagnosis>(
    mut asker: Asker<'_, B>,
    reason: &str,
    tasks: &[Task<B>],
    watch: &mut Watch<'_>,
) -> Report<B> {
    let (name, id) = (asker.name().to_string(), asker.id().to_string());
    let way = match asker.method() {
        Method::SearchMoves => "go searchmoves",
        Method::Refusal => "position ... moves",
    };
    if !watch.options.quiet {
        print_err(&format!("{reason}; asking about one move after another, by {way}"));
    }
    let (mut done, mut failure) = ([0; 2], None);
    'all: for (pass, done) in done.iter_mut().enumerate() {
        for (index, task) in tasks.iter().enumerate() {
            if watch.is_over() {
                break 'all;
            }
            let known = asker.found.len();
            let result = match pass {
                0 => asker.check(index, task.position),
                _ if task.depth < 2 => Ok(()),
                _ => asker.check_after(index, task.position),
            };
            *done += usize::from(result.is_ok() && !watch.is_over());
            watch.show(&asker.found[known..], *done, tasks.len());
            if let Err(reason) = result {
                failure = (!watch.is_over()).then_some(reason);
                break 'all;
            }
        }
    }
    let failure = if signals::was_interrupted() { Some("ended by a signal".into()) } else { failure };
    let ([seen, done], nodes) = (done, u128::from(asker.asked));
    let groups = groups(&asker.found, &asker.right, &[], &[]);
    let found = asker.found;
    Report { name, id, groups, found, seen, done, all: tasks.len(), more: 0, nodes, speeds: Vec::new(), failure }
}

/// The speeds of the other program, of this one, and of the best known engine if it is installed and not the other.
fn compared_speeds<B: ProgramGame + Diagnosis>(
    other: &mut Divider<'_>,
    watch: &Watch<'_>,
) -> Result<Vec<(String, Speed)>, String> {
    let positions: Vec<Position<B>> = suite::<B>(B::STANDARD)?.iter().take(3).map(|entry| entry.position).collect();
    let (theirs, depths) = speed::of_other(other, &positions)?;
    let name = other.name.rsplit(['/', '\\']).next().unwrap_or(&other.name).to_string();
    let mut speeds = vec![(name.clone(), theirs)];
    speeds.push(("tabiya".into(), speed::at_depths(None, &positions, &depths)?));
    if name != B::RIVAL
        && let Ok(mut rival) = watch.start::<B>(B::RIVAL).map(Peer::divider)
        && prepare::<B>(&mut rival, watch).is_ok()
        && let Ok(speed) = speed::at_depths(Some(&mut rival), &positions, &depths)
    {
        speeds.push((B::RIVAL.into(), speed));
    }
    Ok(speeds)
}
