//! What `tabiya check` has found, as text, as lines and as JSON.

use crate::base::json;
use crate::cli::prelude::*;
use crate::doctor::Diagnosis;
use crate::doctor::finding::Finding;

/// What a check has found.
pub(super) struct Report<B: ProgramGame + Diagnosis> {
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
        (_, true) => format!("{faults} in {all} positions, {counted} of them counted as deep as they should be"),
        (_, false) => format!("{faults} in {listed} of {all} positions, only one ply deep"),
    }
}

/// Prints a line for each fault.
pub(super) fn print_lines<B: ProgramGame + Diagnosis>(report: &Report<B>, out: &mut Stdout) -> io::Result<()> {
    for finding in &report.findings {
        let note = if finding.arises { String::new() } else { format!("; {CANNOT_ARISE}") };
        writeln!(out, "the engine {}: {}; {}{note}", finding.symptom, finding.sentence, finding.command())?;
    }
    Ok(())
}

/// Prints a finding in full, with a number or another head.
pub(super) fn print_finding<B: ProgramGame + Diagnosis>(
    finding: &Finding<B>,
    head: &str,
    out: &mut Stdout,
) -> io::Result<()> {
    writeln!(out, "{head}the engine {}", finding.symptom)?;
    writeln!(out, "   {}", finding.sentence)?;
    writeln!(out, "   {}", finding.command())?;
    for note in &finding.notes {
        writeln!(out, "   - {note}")?;
    }
    Ok(())
}

pub(super) fn print<B: ProgramGame + Diagnosis>(report: &Report<B>, out: &mut Stdout) -> io::Result<()> {
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
pub(super) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let comma = |i: usize| i > 0 && (digits.len() - i).is_multiple_of(3);
    let digit = |(i, d): (usize, char)| if comma(i) { format!(",{d}") } else { d.to_string() };
    digits.chars().enumerate().map(digit).collect()
}

pub(super) fn print_json<B: ProgramGame + Diagnosis>(report: &Report<B>, out: &mut Stdout) -> io::Result<()> {
    let strings = |texts: &[String]| json::list(texts.iter().map(|text| json::escape(text)));
    let fault = |finding: &Finding<B>| {
        let spot = &finding.case.spot;
        Object::new()
            .string("rule", &finding.rule)
            .string("fault", &finding.symptom)
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
