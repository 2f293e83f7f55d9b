//! Output of counts and statistics columns, as text and as JSON.

use super::perft_options::{PerftOptions, Stats};
use super::prelude::*;
use crate::base::json::object;
use crate::game::count::columns::{NAMES, WIKI_NAMES};
use crate::game::{Columns, Position};
use crate::perft::PerftError;
use crate::perft::count::{Counter, Divide};
use crate::perft::countable::Countable;
use crate::perft::quantity::Quantity;

/// The total of `depth` plies from `pos`.
pub(crate) fn total<B: ProgramGame, Q: Countable<B>>(
    counter: &Counter,
    pos: &Position<B>,
    depth: u32,
) -> Result<Q, String> {
    counter.total(pos, depth).map_err(named)
}

/// The divide of `depth` plies from `pos`.
pub(crate) fn divide<B: ProgramGame, Q: Countable<B>>(
    counter: &Counter,
    pos: &Position<B>,
    depth: u32,
) -> Result<Divide<B::Move, Q>, String> {
    counter.divide(pos, depth).map_err(named)
}

/// Says why there is no total, with the argument at fault.
pub(crate) fn named(error: PerftError) -> String {
    match error {
        PerftError::Overflow => format!("DEPTH: {error}"),
        PerftError::Memory { .. } => format!("--hash: {error}"),
        PerftError::Stopped => error.to_string(),
    }
}

/// A divide with its moves as text. Each count is the number of sequences, followed by the statistics columns if
/// they were requested.
pub(crate) type NamedDivide = Divide<String, Vec<u128>>;

/// Converts a divide of `pos` to text; its moves are sorted by their text.
pub(crate) fn named_divide<B: ProgramGame, Q: Quantity>(pos: &Position<B>, divide: &Divide<B::Move, Q>) -> NamedDivide {
    let mut moves = Vec::from_iter(divide.moves.iter().map(|&(m, n)| (pos.move_text(m).to_string(), n.numbers())));
    moves.sort();
    Divide { moves, total: divide.total.numbers() }
}

/// Prints a divide in Stockfish's form; without `moves` only the total.
pub(crate) fn print_divide(counts: &NamedDivide, moves: bool, out: &mut Stdout) -> io::Result<()> {
    if moves {
        for (m, numbers) in &counts.moves {
            writeln!(out, "{m}: {}", numbers[0])?;
        }
        writeln!(out)?;
    }
    writeln!(out, "Nodes searched: {}", counts.total[0])
}

/// Prints the counts of a run from the position `fen`. `facts` adds further members to the JSON object.
pub(crate) fn print<B: ProgramGame>(
    counts: &NamedDivide,
    (fen, depth): (&str, u32),
    options: &PerftOptions,
    facts: impl FnOnce(Object) -> Object,
    out: &mut Stdout,
) -> io::Result<()> {
    if options.json {
        let head = Object::new().string("game", B::NAME).string("fen", fen).raw("depth", depth);
        let mut line = facts(head.raw("nodes", counts.total[0]));
        if options.divide {
            line = line.raw("divide", object(counts.moves.iter().map(|(m, n)| (m, n[0]))));
        }
        if options.stats.is_some() {
            let columns = |numbers: &[u128]| object(columns::<B>(numbers, Stats::Full));
            if options.divide {
                let rows = counts.moves.iter().map(|(m, n)| (m, columns(n)));
                line = line.raw("divide_stats", object(rows));
            }
            line = line.raw("stats", columns(&counts.total));
        }
        writeln!(out, "{line}")?;
    } else {
        if let Some(stats) = options.stats {
            table::<B>(counts, stats, options.divide, out)?;
        }
        print_divide(counts, options.divide && options.stats.is_none(), out)?;
    }
    out.flush()
}

/// The statistics columns to print, with their names.
fn columns<B: ProgramGame>(numbers: &[u128], stats: Stats) -> Vec<(&'static str, u128)> {
    let columns = Columns::from_numbers(numbers).unwrap_or_default();
    if stats == Stats::Wiki {
        return WIKI_NAMES.into_iter().zip(columns.wiki()).collect();
    }
    let stalemates = B::STALEMATE_LOSES.then_some(("stalemates", columns.stalemates));
    NAMES.into_iter().zip(columns.all()).chain(stalemates).collect()
}

/// The most characters of a line of a table.
const WIDTH: usize = 80;
/// The characters of its labels.
const LABEL: usize = 6;

/// Prints the statistics: one column a line, or with a divide a row for each move. Columns that do not fit the width
/// go into another table below.
fn table<B: ProgramGame>(counts: &NamedDivide, stats: Stats, divide: bool, out: &mut Stdout) -> io::Result<()> {
    let sum = columns::<B>(&counts.total, stats);
    if !divide {
        let widths = sum.iter().map(|(name, n)| (name.len(), n.to_string().len()));
        let (left, right) = widths.fold((0, 0), |(a, b), (c, d)| (a.max(c), b.max(d)));
        for (name, n) in &sum {
            writeln!(out, "{:<left$}  {n:>right$}", name.replace('_', " "))?;
        }
        return writeln!(out);
    }
    // The words of each title, the last one first: they stand on top of each other.
    let titles = Vec::from_iter(sum.iter().map(|(name, _)| Vec::from_iter(name.rsplit('_'))));
    let cells = |numbers: &[u128]| Vec::from_iter(columns::<B>(numbers, stats).iter().map(|(_, n)| n.to_string()));
    let widest =
        |(title, number): (&Vec<&str>, String)| title.iter().map(|word| word.len()).fold(number.len(), usize::max);
    let widths: Vec<usize> = titles.iter().zip(cells(&counts.total)).map(|pair| 1 + widest(pair)).collect();
    let mut begin = 0;
    while begin < widths.len() {
        let mut width = LABEL;
        let fits = |column: &&usize| {
            width += **column;
            width <= WIDTH
        };
        let end = begin + widths[begin..].iter().take_while(fits).count().max(1);
        let mut row = |label: &str, cells: &[String]| {
            let cells = cells[begin..end].iter().zip(&widths[begin..end]);
            let cells = cells.map(|(cell, &width)| format!("{cell:>width$}"));
            writeln!(out, "{}", format!("{label:<LABEL$}{}", cells.collect::<String>()).trim_end())
        };
        let tallest = titles[begin..end].iter().map(Vec::len).max().unwrap_or(0);
        for line in (0..tallest).rev() {
            let words = titles.iter().map(|title| title.get(line).map_or(String::new(), |word| (*word).to_string()));
            row("", &Vec::from_iter(words))?;
        }
        for (m, numbers) in &counts.moves {
            row(&format!("{m}:"), &cells(numbers))?;
        }
        row("total", &cells(&counts.total))?;
        writeln!(out)?;
        begin = end;
    }
    Ok(())
}
