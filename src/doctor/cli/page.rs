//! `tabiya check --report FILE`: the report as one page of HTML, with a picture of the board for each fault.
//!
//! The page needs no other file. It follows the reader's choice of light or
//! dark, and the width of the window.

use super::report::{CANNOT_ARISE, Report, grouped, heading, place, statement, verdict};
use crate::cli::games::ProgramGame;
use crate::doctor::Diagnosis;
use crate::doctor::picture::{html, picture};
use std::fmt::{self, Write};

/// Also that of the page for browsers.
const STYLE: &str = include_str!("../../web/style.css");

/// The page.
pub(super) fn page<B: ProgramGame + Diagnosis>(report: &Report<B>) -> Result<String, fmt::Error> {
    let name = html(&report.name);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>tabiya check: {name}</title>\n<style>{STYLE}</style></head>\n<body>\n<h1>{name}</h1>\n"
    );
    let class = if report.groups.is_empty() { "good" } else { "bad" };
    writeln!(page, "<p class=\"{class}\"><strong>{}</strong></p>", verdict(report))?;
    let (game, nodes) = (B::NAME, grouped(report.nodes));
    let version = env!("CARGO_PKG_VERSION");
    writeln!(page, "<p class=\"soft\">{game}, {nodes} nodes, checked by tabiya {version}</p>")?;
    if let Some(failure) = &report.failure {
        writeln!(page, "<p class=\"bad\">The check ended early: {}</p>", html(failure))?;
    }
    for (number, group) in (1..).zip(&report.groups) {
        let said = statement(&group.node, &group.wrong, &group.text);
        writeln!(
            page,
            "<section>{}\n<div><h2>{number}. {}</h2>",
            picture(&group.node.position, &group.text, &said),
            html(&heading(group))
        )?;
        if let Some(deed) = &group.deed {
            writeln!(page, "<p>The engine {}.</p>", html(deed))?;
        }
        writeln!(page, "<p>{}</p>\n<pre>{}</pre>", html(&said), html(&place(&group.node)))?;
        let n = group.tasks.len();
        let s = if n == 1 { "" } else { "s" };
        let note = if group.arises { String::new() } else { format!(" It {CANNOT_ARISE}.") };
        writeln!(page, "<p class=\"soft\">Seen from {n} position{s}.{note}</p></div></section>")?;
    }
    if !report.speeds.is_empty() {
        writeln!(page, "<section><div><h2>Nodes a second</h2><table>")?;
        for (name, speed) in &report.speeds {
            writeln!(page, "<tr><td>{}</td><td>{}</td></tr>", html(name), grouped(speed.per_second()))?;
        }
        writeln!(page, "</table></div></section>")?;
    }
    page += "</body></html>\n";
    Ok(page)
}
