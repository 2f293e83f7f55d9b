//! What `tabiya check` has found, as text, as lines and as JSON.

use crate::base::json;
use crate::base::text::counted;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::check::naming::Group;
use crate::doctor::check::speed::Speed;
use crate::doctor::diff::{Node, Wrong};
use crate::doctor::picture::squares;
use std::collections::BTreeSet;

/// What a check has found.
pub(super) struct Report<B: ProgramGame + Diagnosis> {
    pub name: String,
    /// What the engine calls itself; may be empty.
    pub id: String,
    pub groups: Vec<Group<B>>,
    /// All positions in which it is wrong.
    pub found: Vec<Node<B>>,
    /// Positions whose moves were compared, those that were counted as deep as they should be, and all.
    pub seen: usize,
    pub done: usize,
    pub all: usize,
    /// Positions of other suites.
    pub more: usize,
    pub nodes: u128,
    pub speeds: Vec<(String, Speed)>,
    /// Why the check has ended early.
    pub failure: Option<String>,
}

/// Said of what is wrong only in positions that no game reaches.
pub(super) const CANNOT_ARISE: &str = "cannot arise in a game: the king was in check before the double step";

/// What is wrong with a move, in a sentence.
pub(super) fn statement<B: ProgramGame + Diagnosis>(node: &Node<B>, wrong: &Wrong, text: &str) -> String {
    let said = node.sentence(wrong, text);
    match wrong {
        Wrong::Miscounted(..) => said + "; every position after it is right when asked alone",
        _ => said,
    }
}

/// The position of a node as a UCI command.
pub(super) fn place<B: ProgramGame + Diagnosis>(node: &Node<B>) -> String {
    let path = node.path();
    let moves = if path.is_empty() { String::new() } else { format!(" moves {}", path.join(" ")) };
    format!("position fen {}{moves}", node.root().to_fen())
}

/// The rule of a group, in a few words.
pub(super) fn heading<B: ProgramGame + Diagnosis>(group: &Group<B>) -> String {
    match (&group.explanation, &group.wrong) {
        _ if group.subject.is_some() => group.subject.unwrap_or_default().into(),
        (Some(explained), _) => explained.rule.to_string(),
        (None, Wrong::Repeated) => "a move twice".into(),
        (None, Wrong::Letterless) => "notation".into(),
        (None, Wrong::Total(..)) => "total".into(),
        (None, Wrong::Finished(_)) => "end of the game".into(),
        (None, Wrong::Failed(_)) => "no answer".into(),
        (None, _) => "count".into(),
    }
}

/// `1 fault in 412 positions`
pub(super) fn verdict<B: ProgramGame + Diagnosis>(report: &Report<B>) -> String {
    let faults = match report.groups.iter().filter(|group| group.arises).count() {
        0 => "no fault".into(),
        1 => "1 fault".into(),
        n => format!("{n} faults"),
    };
    let Report { seen, done, all, more, nodes, .. } = *report;
    match (done == all, seen == all) {
        (true, _) => format!("{faults} in {} positions, {} nodes", all + more, grouped(nodes)),
        (_, true) => format!("{faults} in {all} positions, {} of them only one ply deep", all - done),
        (_, false) => format!("{faults} in {seen} of {all} positions, only one ply deep"),
    }
}

/// Prints a line for each fault.
pub(super) fn print_lines<B: ProgramGame + Diagnosis>(report: &Report<B>, out: &mut Stdout) -> io::Result<()> {
    for group in &report.groups {
        let said = statement(&group.node, &group.wrong, &group.text);
        let deed = group.deed.as_ref().map_or(String::new(), |deed| format!("the engine {deed}: "));
        let note = if group.arises { String::new() } else { format!("; {CANNOT_ARISE}") };
        writeln!(out, "{}: {deed}{said}; {}{note}", heading(group), place(&group.node))?;
    }
    Ok(())
}

pub(super) fn print<B: ProgramGame + Diagnosis>(report: &Report<B>, out: &mut Stdout) -> io::Result<()> {
    for (number, group) in (1..).zip(&report.groups) {
        writeln!(out, "{number}. {}", heading(group))?;
        if let Some(deed) = &group.deed {
            writeln!(out, "   the engine {deed}")?;
        }
        writeln!(out, "   {}", statement(&group.node, &group.wrong, &group.text))?;
        writeln!(out, "   {}", place(&group.node))?;
        writeln!(out, "   seen from {}", counted(group.tasks.len(), "position"))?;
        if !group.arises {
            writeln!(out, "   {CANNOT_ARISE}")?;
        }
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
pub(super) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let comma = |i: usize| i > 0 && (digits.len() - i).is_multiple_of(3);
    let digit = |(i, d): (usize, char)| if comma(i) { format!(",{d}") } else { d.to_string() };
    digits.chars().enumerate().map(digit).collect()
}

pub(super) fn print_json<B: ProgramGame + Diagnosis>(report: &Report<B>, out: &mut Stdout) -> io::Result<()> {
    let fault = |group: &Group<B>| {
        let said = statement(&group.node, &group.wrong, &group.text);
        let object = Object::new()
            .string("rule", &heading(group))
            .string("fault", group.deed.as_deref().unwrap_or_default())
            .string("kind", group.wrong.kind())
            .string("move", &group.text)
            .string("text", &said)
            .string("root", &group.node.root().to_fen());
        let path = group.node.path();
        let squares = squares::<B>(&said).into_iter();
        let named =
            squares.map(|(file, rank)| format!("\"{}{}\"", char::from(b'a' + file as u8), rank + B::FIRST_RANKS[0]));
        object
            .raw("moves", json::list(path.iter().map(|m| json::escape(m))))
            .string("fen", &group.node.position.to_fen())
            .string("command", &place(&group.node))
            .raw("squares", json::list(named.collect::<BTreeSet<_>>()))
            .raw("positions", group.tasks.len())
            .raw("arises", group.arises)
    };
    let speeds = report.speeds.iter().map(|(name, speed)| (name, speed.per_second()));
    let object = Object::new()
        .string("engine", &report.name)
        .string("id", &report.id)
        .string("game", B::NAME)
        .raw("positions", report.done)
        .raw("one_ply", report.seen)
        .raw("of", report.all)
        .raw("more", report.more)
        .raw("nodes", report.nodes)
        .raw("faults", json::list(report.groups.iter().map(fault)))
        .raw("nodes_per_second", json::object(speeds))
        .string("failure", report.failure.as_deref().unwrap_or_default());
    writeln!(out, "{object}")
}
