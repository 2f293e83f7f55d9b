//! Pictures of boards in SVG, for the page for browsers. The colours are in
//! `src/web/style.css`.

use crate::game::{Position, Rules};
use std::fmt::{self, Write};

/// The number of the first rank, as moves have it.
fn first_rank<B: Rules>() -> usize {
    B::SIZE.first_rank as usize
}

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

/// A picture of a position in SVG: the move `text` as an arrow, and the squares that the sentence `said` names.
pub fn picture<B: Rules>(position: &Position<B>, text: &str, said: &str) -> String {
    let mut svg = String::new();
    // Writing to a text cannot fail.
    let _ = draw(&mut svg, position, text, said);
    svg
}

fn draw<B: Rules>(svg: &mut String, position: &Position<B>, text: &str, said: &str) -> fmt::Result {
    let fen = position.to_fen();
    let rows = Vec::from_iter(fen.split(' ').next().unwrap_or_default().split('/'));
    let is_chess = rows.len() == 8;
    let (files, ranks) = (if is_chess { 8 } else { 9 }, rows.len());
    // The middle of a square.
    let at = |(file, rank): (usize, usize)| (6 + 24 * file + 12, 24 * (ranks - 1 - rank) + 12);
    write!(
        svg,
        "<svg viewBox=\"0 0 {} {}\" role=\"img\"><title>{}</title>",
        24 * files + 6,
        24 * ranks + 8,
        html(&fen)
    )?;
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
            write!(svg, "<text class=\"c\" x=\"3\" y=\"{}\">{}</text>", y + 2, rank + first_rank::<B>())?;
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
    let promotion = text.chars().last().filter(|c| is_chess && c.is_ascii_lowercase()).map(|c| c.to_ascii_uppercase());
    if let [from, to, ..] = squares::<B>(text)[..] {
        let ((x, y), (to_x, to_y)) = (at(from), at(to));
        let (dx, dy) = (to_x as f64 - x as f64, to_y as f64 - y as f64);
        let (length, angle) = (dx.hypot(dy).round() as i32, dy.atan2(dx).to_degrees().round() as i32);
        // Along the x axis, and then turned; below the pieces, and its head beside the one on the last square.
        let (tip, end) = (length - 6, length - 15);
        write!(
            svg,
            "<g class=\"a\" transform=\"translate({x} {y}) rotate({angle})\"><path d=\"M0 0H{end}\" \
             stroke-width=\"3\"/><path stroke=\"none\" d=\"M{tip} 0l-11-6v12z\"/></g>"
        )?;
    }
    for (row, pieces) in rows.iter().enumerate() {
        let mut file = 0;
        for letter in pieces.chars() {
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
    if let ([_, to, ..], Some(letter)) = (&squares::<B>(text)[..], promotion) {
        let (x, y) = at(*to);
        write!(svg, "<text class=\"p\" x=\"{x}\" y=\"{}\">{letter}</text>", y + 4)?;
    }
    svg.write_str("</svg>")
}

/// The squares in `text`, file and rank from 0, in order: `e1` in a sentence, both squares of a move `e1g1`.
fn squares<B: Rules>(text: &str) -> Vec<(usize, usize)> {
    let mut squares = Vec::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        let mut rest = word;
        let mut found = Vec::new();
        while let Some(file @ 'a'..='i') = rest.chars().next() {
            let digits = rest[1..].len() - rest[1..].trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let Ok(rank) = rest[1..=digits].parse::<usize>() else { break };
            found.extend(rank.checked_sub(first_rank::<B>()).map(|rank| (file as usize - 'a' as usize, rank)));
            rest = &rest[1 + digits..];
        }
        // `a7a8q` is a move; other words are none.
        if !found.is_empty() && rest.len() <= 1 {
            squares.extend(found);
        }
    }
    squares
}
