//! How counts and columns of statistics are printed: as text and as JSON.
//!
//! [`Found`] is what a run has counted, of whatever quantity; `cli::perft` and `cli::units` print it. Counts nothing.

use super::failure::{Outcome, warn};
use super::games::Offered;
use super::json::{Object, object};
use super::perft_options::{Options, Stats};
use crate::game::Columns;
use crate::game::columns::{NAMES, WIKI_NAMES};
use crate::perft::count::{Counter, Divide};
use crate::perft::hash_table::MIN_MEGABYTES;
use crate::perft::hashed::Countable;
use crate::perft::quantity::Quantity;
use std::io::{self, Stdout, Write};

/// A counter of a quantity, as the options ask for it.
pub(super) fn counter<P: Offered, Q: Countable<P>>(options: &Options) -> Outcome<Counter<P, Q>> {
    let settings = options.settings::<P>()?;
    let asked = settings.hash_megabytes;
    if (1..MIN_MEGABYTES).contains(&asked) {
        warn(&format!("--hash: raised from {asked} to {MIN_MEGABYTES} MB, the smallest table"));
    }
    Ok(Counter::new(settings).map_err(|reason| format!("--hash: {reason}"))?)
}

/// The texts of moves with what is counted behind each: the number of sequences, and the columns behind that.
pub(super) type Found = Divide<String, Vec<u128>>;

/// The divide of `pos` with its moves as text, in the order of that.
pub(super) fn found<P: Offered, Q: Quantity>(pos: &P, divide: &Divide<P::Move, Q>) -> Found {
    let moves = divide.moves.iter().map(|(m, n)| (pos.move_text(*m).to_string(), n.numbers()));
    let mut moves = Vec::from_iter(moves);
    moves.sort();
    Divide { moves, total: divide.total.numbers() }
}

/// Prints a divide as Stockfish does, without moves if there are to be none.
pub(super) fn divide(found: &Found, moves: bool, out: &mut Stdout) -> io::Result<()> {
    if moves {
        for (m, numbers) in &found.moves {
            writeln!(out, "{m}: {}", numbers[0])?;
        }
        writeln!(out)?;
    }
    writeln!(out, "Nodes searched: {}", found.total[0])
}

/// Prints what a run has found from the position `fen`; `facts` adds to an object of JSON what there is besides counts.
pub(super) fn print<P: Offered>(
    found: &Found,
    (fen, depth): (&str, u32),
    options: &Options,
    facts: impl FnOnce(Object) -> Object,
    out: &mut Stdout,
) -> io::Result<()> {
    if options.json {
        let head = Object::new().string("game", P::NAME).string("fen", fen).raw("depth", depth);
        let mut line = facts(head.raw("nodes", found.total[0]));
        if options.divide {
            line = line.raw("divide", object(found.moves.iter().map(|(m, n)| (m, n[0]))));
        }
        if options.stats.is_some() {
            let columns = |numbers: &[u128]| object(columns::<P>(numbers, Stats::Full));
            if options.divide {
                let rows = found.moves.iter().map(|(m, n)| (m, columns(n)));
                line = line.raw("divide_stats", object(rows));
            }
            line = line.raw("stats", columns(&found.total));
        }
        writeln!(out, "{}", line.finish())?;
    } else {
        if let Some(stats) = options.stats {
            table::<P>(found, stats, options.divide, out)?;
        }
        divide(found, options.divide && options.stats.is_none(), out)?;
    }
    out.flush()
}

/// The columns that are shown of numbers, with their names.
fn columns<P: Offered>(numbers: &[u128], stats: Stats) -> Vec<(&'static str, u128)> {
    let columns = Columns::from_numbers(numbers).unwrap_or_default();
    if stats == Stats::Wiki {
        return WIKI_NAMES.into_iter().zip(columns.wiki()).collect();
    }
    let stalemates = P::STALEMATE_WINS.then_some(("stalemates", columns.stalemates));
    NAMES.into_iter().zip(columns.all()).chain(stalemates).collect()
}

/// Prints columns: one to a line, or side by side if there are few of them or a row for each move.
fn table<P: Offered>(
    found: &Found,
    stats: Stats,
    divide: bool,
    out: &mut Stdout,
) -> io::Result<()> {
    let title = |name: &str| name.replace('_', " ");
    let sum = columns::<P>(&found.total, stats);
    let widths = sum.iter().map(|(name, n)| (name.len(), n.to_string().len()));
    if stats == Stats::Full && !divide {
        let (left, right) = widths.fold((0, 0), |(a, b), (c, d)| (a.max(c), b.max(d)));
        for (name, n) in &sum {
            writeln!(out, "{:<left$}  {n:>right$}", title(name))?;
        }
    } else {
        let widths: Vec<usize> = widths.map(|(name, n)| name.max(n) + 2).collect();
        let mut row = |label: &str, cells: &mut dyn Iterator<Item = String>| {
            let cells = cells.zip(&widths).map(|(cell, &width)| format!("{cell:>width$}"));
            writeln!(out, "{label:<6}{}", cells.collect::<String>())
        };
        row("", &mut sum.iter().map(|(name, _)| title(name)))?;
        let moves = found.moves.iter().filter(|_| divide);
        for (label, numbers) in moves.map(|(m, n)| (format!("{m}:"), n)) {
            let cells = columns::<P>(numbers, stats);
            row(&label, &mut cells.iter().map(|(_, n)| n.to_string()))?;
        }
        row("total", &mut sum.iter().map(|(_, n)| n.to_string()))?;
    }
    writeln!(out)
}
