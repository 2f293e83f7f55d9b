//! `tabiya check --report FILE`: the report as one page of HTML, with a picture of the board for each fault.
//!
//! The page needs no other file. It follows the reader's choice of light or
//! dark, and the width of the window.

use super::report::{CANNOT_ARISE, Report, grouped, heading, place, statement, verdict};
use crate::base::text::counted;
use crate::cli::perft_bench::machine;
use crate::doctor::Diagnosis;
use crate::doctor::picture::{html, picture};
use crate::protocol::games::ProgramGame;
use std::fmt::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

/// Also that of the page for browsers.
const STYLE: &str = include_str!("../../web/style.css");

/// The page.
pub(super) fn page<B: ProgramGame + Diagnosis>(report: &Report<B>) -> Result<String, fmt::Error> {
    let name = html(if report.id.is_empty() { &report.name } else { &report.id });
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>tabiya check: {name}</title>\n<style>{STYLE}</style></head>\n<body>\n<h1>{name}</h1>\n"
    );
    let class = if report.groups.is_empty() { "good" } else { "bad" };
    writeln!(page, "<p class=\"{class}\"><strong>{}</strong></p>", verdict(report))?;
    let (game, nodes) = (B::NAME, grouped(report.nodes));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (command, date, machine) = (html(&report.name), date(now.as_secs() / 86_400), html(&machine()));
    writeln!(page, "<p class=\"soft\">{command}: {game}, {nodes} nodes, on {date}<br>{machine}, one thread</p>")?;
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
        let note = if group.arises { String::new() } else { format!(" It {CANNOT_ARISE}.") };
        writeln!(page, "<p class=\"soft\">Seen from {}.{note}</p>", counted(group.tasks.len(), "position"))?;
        writeln!(page, "<details><summary>All {} moves</summary>", group.places.len())?;
        for &(index, at) in &group.places {
            let node = &report.found[index];
            let (wrong, text) = &node.wrong[at];
            let said = statement(node, wrong, text);
            writeln!(page, "<p>{}<br><code>{}</code></p>", html(&said), html(&place(node)))?;
        }
        writeln!(page, "</details></div></section>")?;
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

/// The date that many days after 1 January 1970, such as 2026-11-28. After Howard Hinnant, "chrono-Compatible Low-Level
/// Date Algorithms".
fn date(days: u64) -> String {
    // Days since 1 March of the year 0, in eras of 400 years.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, year) = (day - (153 * month + 2) / 5 + 1, era * 400 + year);
    let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_days() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (365, "1971-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_785, "2026-11-28"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
