//! `tabiya check ENGINE`: says in words what is wrong with another program's move generator, and how fast it is.
//!
//! `crate::perft::check` does the work; this file reads the options, starts the program and prints. Faults are printed
//! on stderr as they are found, so that a run that is broken off has not been in vain; the report goes to stdout.

use super::args::{self, Flag, number, on};
use super::games::{start, suite};
use super::json;
use super::prelude::*;
use crate::game::diagnosis::{Fault, FaultKind as _};
use crate::perft::against::{Peer, answer_limit};
use crate::perft::check::by_move::{Asker, Method};
use crate::perft::check::naming::{Group, explain, groups, is_mate, shortened};
use crate::perft::check::speed::{self, Speed};
use crate::perft::check::{Checker, Node, Task, Wrong};
use crate::perft::diff::own_divide;
use crate::perft::program::{Divider, by_command};
use std::collections::BTreeSet;

/// What is on the command line.
#[derive(Default)]
pub(super) struct Options {
    game: Game,
    chess960: bool,
    command: bool,
    json: bool,
    no_speed: bool,
    /// Seconds; 0 for no limit.
    time: u64,
    /// Seconds for one answer.
    wait: Option<u64>,
    max_nodes: Option<u128>,
}

#[rustfmt::skip]
pub(super) const FLAGS: &[Flag<Options>] = &[
    Flag("--game NAME", |o, v| Game::read(v).map(|game| o.game = game), "chess (default) or xiangqi"),
    Flag("--chess960", |o, _| on(&mut o.chess960), "Chess960 too: castling as king takes rook, UCI_Chess960 on"),
    Flag("--command", |o, _| on(&mut o.command), "ENGINE is a command that prints a divide and ends, such as 'my-perft {depth} \"{fen}\" \"{moves}\"'; it is run once for each position. Without {moves} it gets the position after the moves"),
    Flag("--time SECONDS", |o, v| number(&mut o.time, v, 1..=1_000_000), "stop after this time with what is known"),
    Flag("--wait SECONDS", |o, v| number(o.wait.insert(0), v, 1..=1_000_000), "give up an engine that does not answer for so long (default 60)"),
    Flag("--max-nodes N", |o, v| number(o.max_nodes.insert(0), v, 1..=u128::MAX), "leave out positions that need more nodes, for slow programs"),
    Flag("--no-speed", |o, _| on(&mut o.no_speed), "do not compare speeds"),
    Flag("--json", |o, _| on(&mut o.json), "print one JSON object"),
];

/// What `tabiya check --help` adds to its options.
pub(super) const NOTES: &str = "
ENGINE is a UCI engine with go perft. An engine without it is asked about one
move after another, if it obeys go searchmoves or refuses illegal moves in
position ... moves; only the first two plies of each position are checked then.
If it does neither, its moves cannot be found out.
Exit code: 0 no fault; 1 faults; 2 the engine or the command line fails.
";

/// Runs `tabiya check` with the arguments after `check`.
pub(super) fn run(arguments: &[String], out: &mut Stdout) -> Outcome {
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
    if options.chess960 && options.game != Game::Chess {
        return Err("--chess960: there is no Chess960 in this game".into());
    }
    by_game!(options.game, P => check::<P>(engine, &options, out))
}

/// The positions to check, by growing cost, with the nodes of each.
fn tasks<P: Variant>(options: &Options) -> Result<Vec<Task<P>>, String> {
    let mut tasks = Vec::new();
    for entry in suite::<P>(P::DIAGNOSIS)? {
        if entry.position.is_chess960() && !options.chess960 {
            continue;
        }
        let mut counts = entry.counts.iter().rev();
        let deepest = counts.find(|(_, nodes)| options.max_nodes.is_none_or(|most| *nodes <= most));
        let position = if options.chess960 { entry.position.adapt(true, P::FIRST_RANKS[0]) } else { entry.position };
        tasks.extend(deepest.map(|&(depth, nodes)| (nodes, Task { position, depth })));
    }
    tasks.sort_by_key(|&(nodes, _)| nodes);
    Ok(tasks.into_iter().map(|(_, task)| task).collect())
}

/// What a check has found.
struct Report<P: Variant> {
    name: String,
    groups: Vec<Group<P>>,
    done: usize,
    all: usize,
    nodes: u128,
    speeds: Vec<(String, Speed)>,
    /// Why the check has ended early.
    failure: Option<String>,
}

/// A check under way, as far as the person who waits for it is concerned.
struct Watch<'a> {
    options: &'a Options,
    end: Option<Instant>,
    progress: Progress,
    shown: BTreeSet<String>,
}

impl Watch<'_> {
    /// How long the next answer may take.
    fn patience(&self) -> Duration {
        let wait = Duration::from_secs(self.options.wait.unwrap_or(60));
        let left = |end: Instant| end.saturating_duration_since(Instant::now());
        self.end.map_or(wait, |end| left(end).min(wait)).max(Duration::from_millis(10))
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Prints what is new in `nodes`, and the progress on a terminal.
    fn show<P: Variant>(&mut self, nodes: &[Node<P>], done: usize, all: usize) {
        for node in nodes {
            for (wrong, text) in &node.wrong {
                let said = statement(node, wrong, text);
                let kind =
                    explain(node, wrong, text).map_or(format!("{wrong:?}"), |e| format!("{} {}", e.legal, e.rule));
                if self.shown.insert(kind) {
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

/// What is wrong with a move, in a sentence.
fn statement<P: Variant>(node: &Node<P>, wrong: &Wrong, text: &str) -> String {
    let explained = explain(node, wrong, text).map_or(String::new(), |e| format!(": {e}"));
    match wrong {
        Wrong::Missing => format!("{text} is missing{explained}"),
        Wrong::Extra => format!("{text} is not legal{explained}"),
        Wrong::Repeated => format!("{text} is generated more than once"),
        Wrong::Finished(count) => {
            let end = if is_mate(node, text) { "checkmates" } else { "stalemates" };
            format!("{text} {end}, but sequences that go on are counted after it: {count}")
        }
        Wrong::Miscounted(ours, theirs) => {
            format!("{text} is counted as {theirs} instead of {ours}; all moves after it are right")
        }
    }
}

/// The position of a node as a UCI command.
fn place<P: Variant>(node: &Node<P>) -> String {
    let path = node.path();
    let moves = if path.is_empty() { String::new() } else { format!(" moves {}", path.join(" ")) };
    format!("position fen {}{moves}", node.root().to_fen())
}

fn check<P: Variant>(engine: &str, options: &Options, out: &mut Stdout) -> Outcome {
    let tasks = tasks::<P>(options)?;
    let end = (options.time > 0).then(|| Instant::now() + Duration::from_secs(options.time));
    let mut watch = Watch { options, end, progress: Progress::new(), shown: BTreeSet::new() };
    let of_engine = |reason: String| format!("check: {reason}");
    let report = if options.command {
        let mut program = by_command(engine).map_err(|e| format!("--command: {e}"))?;
        prepare::<P>(&mut program, &watch).map_err(of_engine)?;
        by_divides::<P>(program, &tasks, &mut watch)
    } else {
        let mut peer = start::<P>(engine, options.chess960).map_err(of_engine)?.divider();
        match prepare::<P>(&mut peer, &watch) {
            Ok(()) => by_divides::<P>(peer, &tasks, &mut watch),
            Err(reason) => {
                // It may still be thinking about that.
                drop(peer);
                let asker = Asker::new(|| start::<P>(engine, options.chess960), end);
                let asker = asker.map_err(|other| of_engine(format!("{reason}; {other}")))?;
                Ok(by_moves::<P>(asker, &tasks, &mut watch))
            }
        }
    };
    watch.progress.clear();
    let report = report.map_err(of_engine)?;
    match options.json {
        true => print_json(&report, out)?,
        false => print(&report, out)?,
    }
    out.flush()?;
    match report.failure {
        Some(reason) => Err(of_engine(reason).into()),
        None if report.groups.is_empty() => Ok(()),
        None => Err(Failure::Difference),
    }
}

/// Asks for a first divide, which also tells how the ranks are numbered.
fn prepare<P: Variant>(other: &mut Divider<'_>, watch: &Watch<'_>) -> Result<(), String> {
    // Its first divide is the smallest.
    other.patience = Some(watch.patience().min(answer_limit() / 2));
    let start = P::from_fen(P::START_FEN).map_err(|e| e.to_string())?;
    if P::FIRST_RANKS.len() > 1 {
        other.learn_ranks(&start, &own_divide(&start, 1))
    } else {
        other.divide(P::START_FEN, &[], 1).map(|_| ())
    }
}

/// Checks a program that prints divides.
fn by_divides<P: Variant>(other: Divider<'_>, tasks: &[Task<P>], watch: &mut Watch<'_>) -> Result<Report<P>, String> {
    let mut failure = None;
    let mut checker = Checker::new(other, watch.end);
    for task in tasks {
        if checker.is_over() {
            break;
        }
        checker.other.patience = Some(watch.patience());
        let known = checker.found.len();
        let result = checker.check(task);
        watch.show(&checker.found[known..], checker.done, tasks.len());
        if let Err(reason) = result {
            // Its time was up before its patience.
            failure = (!checker.is_over()).then_some(reason);
            break;
        }
    }
    let (done, nodes) = (checker.done, checker.nodes);
    let mut groups = groups(&checker.found, &checker.right);
    if failure.is_none() && checker.other.takes_moves {
        for group in groups.iter_mut().filter(|_| !watch.is_over()) {
            let (wrong, text) = (group.wrong.clone(), group.text.clone());
            let still_wrong = |node: &Node<P>| Ok(checker.wrong_in(node)?.contains(&(wrong.clone(), text.clone())));
            if matches!(group.wrong, Wrong::Missing | Wrong::Extra | Wrong::Repeated) {
                group.node = shortened(&group.node, still_wrong)?;
            }
        }
    }
    let mut speeds = Vec::new();
    if failure.is_none() && !watch.options.no_speed && !watch.is_over() {
        checker.other.patience = Some(watch.patience());
        speeds = compared_speeds::<P>(&mut checker.other, watch)?;
    }
    let name = checker.other.name;
    Ok(Report { name, groups, done, all: tasks.len(), nodes, speeds, failure })
}

/// Checks an engine without `go perft`.
fn by_moves<P: Variant>(mut asker: Asker<'_, P>, tasks: &[Task<P>], watch: &mut Watch<'_>) -> Report<P> {
    let name = asker.name().to_string();
    let way = match asker.method() {
        Method::SearchMoves => "go searchmoves",
        Method::Refusal => "position ... moves",
    };
    print_err(&format!("{name} has no go perft; asking about one move after another, by {way}"));
    let (mut done, mut failure) = (0, None);
    for (index, task) in tasks.iter().enumerate() {
        if watch.is_over() {
            break;
        }
        let known = asker.found.len();
        let result = asker.check(index, task);
        done += usize::from(result.is_ok());
        watch.show(&asker.found[known..], done, tasks.len());
        if let Err(reason) = result {
            failure = Some(reason);
            break;
        }
    }
    let nodes = u128::from(asker.asked);
    let groups = groups(&asker.found, &asker.right);
    Report { name, groups, done, all: tasks.len(), nodes, speeds: Vec::new(), failure }
}

/// The speeds of the other program, of this one, and of the best known engine if it is installed and not the other.
fn compared_speeds<P: Variant>(other: &mut Divider<'_>, watch: &Watch<'_>) -> Result<Vec<(String, Speed)>, String> {
    let positions: Vec<P> = suite::<P>(P::STANDARD)?.iter().take(3).map(|entry| entry.position).collect();
    let (theirs, depths) = speed::of_other(other, &positions)?;
    let name = other.name.rsplit(['/', '\\']).next().unwrap_or(&other.name).to_string();
    let mut speeds = vec![(name.clone(), theirs)];
    // On one thread and without a hash table.
    let own = |pos: &P, depth| Ok(u128::from(pos.perft(depth)));
    speeds.push(("tabiya".into(), speed::at_depths(&positions, &depths, own)?));
    if name != P::RIVAL
        && let Ok(mut rival) = start::<P>(P::RIVAL, false).map(Peer::divider)
        && prepare::<P>(&mut rival, watch).is_ok()
        && let Ok(speed) = speed::at_depths(&positions, &depths, |pos: &P, depth| speed::nodes(&mut rival, pos, depth))
    {
        speeds.push((P::RIVAL.into(), speed));
    }
    Ok(speeds)
}

/// The rule of a group, in a few words.
fn heading<P: Variant>(group: &Group<P>) -> String {
    match (&group.explanation, &group.wrong) {
        (Some(explained), _) => explained.rule.to_string(),
        (None, Wrong::Repeated) => "a move twice".into(),
        (None, Wrong::Finished(_)) => "end of the game".into(),
        (None, _) => "count".into(),
    }
}

/// What an engine with the fault of a group does.
fn deed<P: Variant>(group: &Group<P>) -> Option<String> {
    let Fault { kind, side } = group.fault?;
    let side = side.map_or(String::new(), |side| format!(" as {}", P::SIDES[side.index()]));
    Some(format!("{}{side}", kind.deed()))
}

/// `1 fault in 412 positions`
fn verdict<P: Variant>(report: &Report<P>) -> String {
    let faults = match report.groups.len() {
        0 => "no fault".into(),
        1 => "1 fault".into(),
        n => format!("{n} faults"),
    };
    let Report { done, all, .. } = *report;
    match done == all {
        true => format!("{faults} in {all} positions"),
        false => format!("{faults} in {done} of {all} positions"),
    }
}

fn print<P: Variant>(report: &Report<P>, out: &mut Stdout) -> io::Result<()> {
    for (number, group) in (1..).zip(&report.groups) {
        writeln!(out, "{number}. {}", heading(group))?;
        if let Some(deed) = deed(group) {
            writeln!(out, "   the engine {deed}")?;
        }
        writeln!(out, "   {}", statement(&group.node, &group.wrong, &group.text))?;
        writeln!(out, "   {}", place(&group.node))?;
        let n = group.tasks.len();
        writeln!(out, "   seen from {n} position{}", if n == 1 { "" } else { "s" })?;
    }
    if !report.speeds.is_empty() {
        writeln!(out, "nodes a second:")?;
        let width = report.speeds.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, speed) in &report.speeds {
            writeln!(out, "   {name:width$}  {:>14}", grouped(speed.per_second()))?;
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

fn print_json<P: Variant>(report: &Report<P>, out: &mut Stdout) -> io::Result<()> {
    let fault = |group: &Group<P>| {
        let kind = match group.wrong {
            Wrong::Missing => "missing",
            Wrong::Extra => "extra",
            Wrong::Repeated => "repeated",
            Wrong::Finished(_) => "finished",
            Wrong::Miscounted(..) => "miscounted",
        };
        let object = Object::new()
            .string("rule", &heading(group))
            .string("fault", &deed(group).unwrap_or_default())
            .string("kind", kind)
            .string("move", &group.text)
            .string("text", &statement(&group.node, &group.wrong, &group.text))
            .string("root", &group.node.root().to_fen());
        let path = group.node.path();
        object
            .raw("moves", json::list(path.iter().map(|m| json::escape(m))))
            .string("fen", &group.node.position.to_fen())
            .raw("positions", group.tasks.len())
    };
    let speeds = report.speeds.iter().map(|(name, speed)| (name, speed.per_second()));
    let object = Object::new()
        .string("engine", &report.name)
        .string("game", P::NAME)
        .raw("positions", report.done)
        .raw("of", report.all)
        .raw("nodes", report.nodes)
        .raw("faults", json::list(report.groups.iter().map(fault)))
        .raw("nodes_per_second", json::object(speeds));
    writeln!(out, "{object}")
}
