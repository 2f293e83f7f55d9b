//! Output of counts and statistics columns, as text and as JSON.

use super::perft_options::{PerftOptions, Stats};
use super::prelude::*;
use crate::base::json::object;
use crate::game::count::columns::{NAMES, WIKI_NAMES};
use crate::game::{Columns, Position};
use crate::perft::PerftError;
use crate::perft::count::Counter;
use crate::perft::run::Divide;

/// The total of `depth` plies from `pos`.
pub(crate) fn total<B: ProgramGame>(counter: &Counter, pos: &Position<B>, depth: u32) -> Result<u128, String> {
    counter.total(pos, depth).map_err(named)
}

/// The divide of `depth` plies from `pos`.
pub(crate) fn divide<B: ProgramGame>(
    counter: &Counter,
    pos: &Position<B>,
    depth: u32,
) -> Result<Divide<B::Move>, String> {
    counter.divide(pos, depth).map_err(named)
}

/// Says why there is no total, with the argument at fault.
pub(crate) fn named(error: PerftError) -> String {
    match error {
        PerftError::Overflow | PerftError::Depth => format!("DEPTH: {error}"),
        PerftError::Memory { .. } => format!("--hash: {error}"),
        PerftError::Stopped => error.to_string(),
    }
}

/// A divide with its moves as text.
pub(crate) type NamedDivide = Divide<String, Columns<u128>>;

/// Converts a divide of `pos` to text; its moves are sorted by their text.
pub(crate) fn named_divide<B: ProgramGame, N: Copy + Into<Columns<u128>>>(
    pos: &Position<B>,
    divide: &Divide<B::Move, N>,
) -> NamedDivide {
    let mut moves = Vec::new();
    for &(m, count) in divide {
        moves.push((pos.move_text(m).to_string(), count.into()));
    }
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    Divide { moves, total: divide.total.into() }
}

/// Prints a divide in Stockfish's form; without `moves` only the total.
pub(crate) fn print_divide(counts: &NamedDivide, moves: bool, out: &mut Stdout) -> io::Result<()> {
    if moves {
        for (m, columns) in &counts.moves {
            writeln!(out, "{m}: {}", columns.nodes)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "Nodes searched: {}", counts.total.nodes)
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
        let mut line = facts(head.raw("nodes", counts.total.nodes));
        if options.divide {
            line = line.raw("divide", object(counts.moves.iter().map(|(m, n)| (m, n.nodes))));
        }
        if options.stats.is_some() {
            let columns = |numbers: &Columns<u128>| object(columns::<B>(numbers, Stats::Full));
            if options.divide {
                let rows = counts.moves.iter().map(|(m, n)| (m, columns(n)));
                line = line.raw("divide_stats", object(rows));
            }
            line = line.raw("stats", columns(&counts.total));
        }
        writeln!(out, "{line}")?;
    } else {
        if let Some(stats) = options.stats {
            if options.divide {
                divided_table::<B>(counts, stats, out)?;
            } else {
                table::<B>(counts, stats, out)?;
            }
        }
        print_divide(counts, options.divide && options.stats.is_none(), out)?;
    }
    out.flush()
}

/// The statistics columns to print, with their names.
fn columns<B: ProgramGame>(columns: &Columns<u128>, stats: Stats) -> Vec<(&'static str, u128)> {
    if stats == Stats::Wiki {
        return WIKI_NAMES.into_iter().zip(columns.wiki()).collect();
    }
    let stalemates = B::STALEMATE_LOSES.then_some(("stalemates", columns.stalemates));
    NAMES.into_iter().zip(columns.all()).chain(stalemates).collect()
}

/// Prints the statistics, one column a line.
fn table<B: ProgramGame>(counts: &NamedDivide, stats: Stats, out: &mut Stdout) -> io::Result<()> {
    let rows = columns::<B>(&counts.total, stats);
    let left = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let right = rows.iter().map(|(_, n)| n.to_string().len()).max().unwrap_or(0);
    for (name, n) in &rows {
        writeln!(out, "{:<left$}  {n:>right$}", name.replace('_', " "))?;
    }
    writeln!(out)
}

/// Prints a row of statistics for each move, and their sum.
fn divided_table<B: ProgramGame>(counts: &NamedDivide, stats: Stats, out: &mut Stdout) -> io::Result<()> {
    let total = columns::<B>(&counts.total, stats);
    write!(out, "{:6}", "")?;
    for (name, n) in &total {
        write!(out, " {name:>0$}", n.to_string().len())?;
    }
    writeln!(out)?;
    let mut rows = Vec::from_iter(counts.moves.iter().map(|(m, numbers)| (format!("{m}:"), numbers)));
    rows.push(("total".into(), &counts.total));
    for (label, numbers) in rows {
        write!(out, "{label:<6}")?;
        for ((name, n), (_, sum)) in columns::<B>(numbers, stats).iter().zip(&total) {
            write!(out, " {n:>0$}", name.len().max(sum.to_string().len()))?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}
