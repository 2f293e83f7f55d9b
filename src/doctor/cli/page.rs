//! `tabiya check --report FILE`: the report as one page of HTML, with a picture of the board for each fault.
//!
//! The page needs no other file: the pieces are shapes in SVG, drawn here. It follows the reader's choice of light or
//! dark, and the width of the window.

use super::report::{Report, grouped, heading, place, squares, statement, verdict};
use crate::cli::games::ProgramGame;
use crate::doctor::Diagnosis;
use crate::doctor::check::naming::Group;
use std::fmt::{self, Write};

const STYLE: &str = "
:root { color-scheme: light dark; --back: #fff; --text: #1b1b1b; --soft: #666; --line: #d5d5d5; --code: #f3f3f3;
  --light: #eedfc4; --dark: #b88b62; --named: #d9a400; --arrow: #c22525; --good: #1c7a37; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --back: #16181b; --text: #e6e6e6; --soft: #9a9a9a; --line: #3a3d42;
  --code: #24272c; --light: #b9a88b; --dark: #79593d; --arrow: #ff5a4d; --good: #67c587; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
section { display: flex; flex-wrap: wrap; gap: 1rem 1.5rem; padding: 1.2rem 0; border-top: 1px solid var(--line); }
section > svg { flex: 0 1 19rem; min-width: 14rem; height: auto; align-self: flex-start; }
section > div { flex: 1 1 20rem; min-width: 0; }
p { margin: .4rem 0; } .soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); }
pre { background: var(--code); padding: .6rem; border-radius: .3rem; white-space: pre-wrap; margin: .6rem 0; }
td { padding: .15rem 1.2rem .15rem 0; } td + td { text-align: right; font-variant-numeric: tabular-nums; }
.l { fill: var(--light); } .d { fill: var(--dark); } .n { fill: var(--named); fill-opacity: .55; }
.w { fill: #fff; stroke: #222; } .b { fill: #222; stroke: #eee; } .w, .b { stroke-width: .7; stroke-linejoin: round; }
.a { stroke: var(--arrow); fill: var(--arrow); opacity: .85; } .g { stroke: #4a3520; stroke-width: .5; fill: none; }
.c { fill: var(--soft); font: 5px system-ui, sans-serif; text-anchor: middle; }
.f { fill: #f7e9cf; stroke: currentColor; } .r { color: #b3261e; } .k { color: #1b1b1b; }
.f + text { fill: currentColor; font: bold 10px system-ui, sans-serif; text-anchor: middle; }
";

/// The pieces of chess in a square of 24 by 24.
#[rustfmt::skip]
const SHAPES: [(char, &str); 6] = [
    ('p', "M7 21h10v-2.5q-3-2.5-3.2-6.5h-3.6q-.2 4-3.2 6.5z M12 12.5a4 4 0 1 1 .01 0z"),
    ('n', "M7 21h11.5q1.5-13-6-16.5l-2.5-2v3q-5 3.5-5.5 8.5l3 1.5 3-2q.5 3.5-3 7.5z"),
    ('b', "M6 21h12v-2.5h-3.5l-1-2.5h-3l-1 2.5h-3.5z M12 16.5q-6-2.5-4.5-7 1-3 4.5-5.5 3.5 2.5 4.5 5.5 1.5 4.5-4.5 7z
           M12 4a1.5 1.5 0 1 1 .01 0z"),
    ('r', "M5.5 21h13v-3h-2v-8h2v-6h-3v2h-2v-2h-3v2h-2v-2h-3v6h2v8h-2z"),
    ('q', "M6 21h12v-3l2.5-11-4.5 5-4-8-4 8-4.5-5 2.5 11z M12 4a1.4 1.4 0 1 1 .01 0z M3.5 7a1.3 1.3 0 1 1 .01 0z
           M20.5 7a1.3 1.3 0 1 1 .01 0z"),
    ('k', "M6.5 21h11v-3q4.5-3 3-7-3-4-8.5 0-5.5-4-8.5 0-1.5 4 3 7z M11 9v-2.5h-2v-2h2v-2h2v2h2v2h-2v2.5z"),
];

/// Text in HTML.
fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A picture of the position of a fault: its move as an arrow, and the squares that its sentence names.
fn picture<B: ProgramGame + Diagnosis>(group: &Group<B>, said: &str) -> Result<String, fmt::Error> {
    let fen = group.node.position.to_fen();
    let rows = Vec::from_iter(fen.split(' ').next().unwrap_or_default().split('/'));
    let is_chess = rows.len() == 8;
    let (files, ranks) = (if is_chess { 8 } else { 9 }, rows.len());
    // The middle of a square.
    let at = |(file, rank): (usize, usize)| (6 + 24 * file + 12, 24 * (ranks - 1 - rank) + 12);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\"><title>{}</title>",
        24 * files + 6,
        24 * ranks + 7,
        html(&fen)
    );
    let area = format!("width=\"{}\" height=\"{}\"", 24 * files, 24 * ranks);
    write!(svg, "<rect class=\"l\" x=\"6\" y=\"0\" {area}/>")?;
    for (file, rank) in (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank))) {
        let (x, y) = at((file, rank));
        if is_chess && (file + rank).is_multiple_of(2) {
            write!(svg, "<rect class=\"d\" x=\"{}\" y=\"{}\" width=\"24\" height=\"24\"/>", x - 12, y - 12)?;
        }
        if rank == 0 {
            write!(svg, "<text class=\"c\" x=\"{x}\" y=\"{}\">{}</text>", y + 18, char::from(b'a' + file as u8))?;
        }
        if file == 0 {
            write!(svg, "<text class=\"c\" x=\"3\" y=\"{}\">{}</text>", y + 2, rank + B::FIRST_RANKS[0])?;
        }
    }
    if !is_chess {
        // The lines of the board, the river, and the palaces.
        for rank in 0..ranks {
            let (x, y) = at((0, rank));
            write!(svg, "<path class=\"g\" d=\"M{x} {y}h192\"/>")?;
        }
        for file in 0..files {
            let (x, y) = at((file, 9));
            let line = if file % 8 == 0 { "v216" } else { "v96m0 24v96" };
            write!(svg, "<path class=\"g\" d=\"M{x} {y}{line}\"/>")?;
        }
        for rank in [2, 9] {
            let (x, y) = at((3, rank));
            write!(svg, "<path class=\"g\" d=\"M{x} {y}l48 48m0-48l-48 48\"/>")?;
        }
    }
    let mut named = squares::<B>(said);
    named.retain(|&(file, rank)| file < files && rank < ranks);
    named.sort_unstable();
    named.dedup();
    for &square in &named {
        let (x, y) = at(square);
        write!(svg, "<rect class=\"n\" x=\"{}\" y=\"{}\" width=\"24\" height=\"24\"/>", x - 12, y - 12)?;
    }
    for (row, text) in rows.iter().enumerate() {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let (x, y) = at((file, ranks - 1 - row));
            file += 1;
            let kind = letter.to_ascii_lowercase();
            match SHAPES.iter().find(|(name, _)| is_chess && *name == kind) {
                Some((_, shape)) => {
                    let side = if letter == kind { "b" } else { "w" };
                    let (x, y) = (x - 12, y - 12);
                    write!(svg, "<path class=\"{side}\" transform=\"translate({x} {y})\" d=\"{shape}\"/>")?;
                }
                None => {
                    let side = if letter == kind { "k" } else { "r" };
                    let circle = format!("<circle class=\"f\" cx=\"{x}\" cy=\"{y}\" r=\"9.5\"/>");
                    let name = format!("<text x=\"{x}\" y=\"{}\">{}</text>", y + 4, letter.to_ascii_uppercase());
                    write!(svg, "<g class=\"{side}\">{circle}{name}</g>")?;
                }
            }
        }
    }
    if let [from, to, ..] = squares::<B>(&group.text)[..] {
        let ((x, y), (to_x, to_y)) = (at(from), at(to));
        let (dx, dy) = (to_x as f64 - x as f64, to_y as f64 - y as f64);
        let length = dx.hypot(dy).max(1.0);
        let angle = dy.atan2(dx).to_degrees();
        // Along the x axis, and then turned.
        let end = length - 9.0;
        write!(
            svg,
            "<g class=\"a\" transform=\"translate({x} {y}) rotate({angle:.1})\"><path d=\"M0 0H{end:.1}\" \
             stroke-width=\"3\"/><path stroke=\"none\" d=\"M{length:.1} 0l-11-6v12z\"/></g>"
        )?;
    }
    svg += "</svg>";
    Ok(svg)
}

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
        writeln!(page, "<section>{}\n<div><h2>{number}. {}</h2>", picture(group, &said)?, html(&heading(group)))?;
        if let Some(deed) = &group.deed {
            writeln!(page, "<p>The engine {}.</p>", html(deed))?;
        }
        writeln!(page, "<p>{}</p>\n<pre>{}</pre>", html(&said), html(&place(&group.node)))?;
        let n = group.tasks.len();
        let s = if n == 1 { "" } else { "s" };
        writeln!(page, "<p class=\"soft\">Seen from {n} position{s}.</p></div></section>")?;
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
