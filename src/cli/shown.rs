//! How counts and columns of statistics are printed: as text and as JSON.
//!
//! [`Shown`] is what `cli::perft` and `cli::units` ask of a quantity besides counting it; its two forms are here
//! so that the subcommands are written once. Prints what it is given and counts nothing.

use super::failure::{Failure, warn};
use super::games::Offered;
use super::json::Object;
use super::perft_options::{Options, Stats};
use crate::game::Columns;
use crate::game::columns::{NAMES, WIKI_NAMES};
use crate::perft::count::{Counter, Divide, Settings};
use crate::perft::hash_table::MIN_MEGABYTES;
use crate::perft::hashed::Countable;
use std::io::Write;

/// A quantity that the command line can print.
pub(super) trait Shown<P: Offered>: Countable<P> {
    /// Prints rows by move (where `--divide` asks for them) and the sum, but not the line with the nodes.
    fn text(
        pos: &P,
        divide: &Divide<P::Move, Self>,
        options: &Options,
        out: &mut impl Write,
    ) -> Result<(), Failure>;
    /// Adds to an object of JSON what there is besides counts.
    fn json(pos: &P, divide: &Divide<P::Move, Self>, options: &Options, object: Object) -> Object;
}

impl<P: Offered> Shown<P> for u128 {
    fn text(
        pos: &P,
        divide: &Divide<P::Move, Self>,
        options: &Options,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        if options.divide {
            for &(m, n) in &divide.moves {
                writeln!(out, "{}: {n}", pos.move_text(m))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
    fn json(
        _pos: &P,
        _divide: &Divide<P::Move, Self>,
        _options: &Options,
        object: Object,
    ) -> Object {
        object
    }
}

/// A counter of such a quantity.
pub(super) fn counter<P: Offered, Q: Shown<P>>(
    settings: Settings,
) -> Result<Counter<P, Q>, Failure> {
    let asked = settings.hash_megabytes;
    if (1..MIN_MEGABYTES).contains(&asked) {
        warn(&format!("--hash: raised from {asked} to {MIN_MEGABYTES} MB, the smallest table"));
    }
    Ok(Counter::new(settings).map_err(|reason| format!("--hash: {reason}"))?)
}

/// All columns of a game with their names.
fn all<P: Offered>(columns: &Columns<u128>) -> Vec<(&'static str, u128)> {
    let mut all: Vec<_> = NAMES.into_iter().zip(columns.all()).collect();
    if P::STALEMATE_WINS {
        all.push(("stalemates", columns.stalemates));
    }
    all
}

impl<P: Offered> Shown<P> for Columns<u128> {
    fn text(
        pos: &P,
        divide: &Divide<P::Move, Self>,
        options: &Options,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let full = options.stats == Some(Stats::Full);
        let numbers = |columns: &Columns<u128>| match full {
            true => all::<P>(columns),
            false => WIKI_NAMES.into_iter().zip(columns.wiki()).collect(),
        };
        let sum = numbers(&divide.total);
        if full && !options.divide {
            // Too many to stand side by side for a single row.
            let [name_width, width] = [
                |cell: &(&str, u128)| cell.0.len(),
                |cell: &(&str, u128)| cell.1.to_string().len(),
            ]
            .map(|len| sum.iter().map(len).max().unwrap_or(0));
            for (name, n) in sum {
                writeln!(out, "{:<name_width$}  {n:>width$}", name.replace('_', " "))?;
            }
            return Ok(writeln!(out)?);
        }
        let widths: Vec<usize> =
            sum.iter().map(|(name, n)| name.len().max(n.to_string().len()) + 2).collect();
        let line = |label: &str, cells: Vec<String>| {
            let cells: String =
                cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}")).collect();
            format!("{label:<6}{cells}")
        };
        let names = sum.iter().map(|(name, _)| name.replace('_', " ")).collect();
        writeln!(out, "{}", line("", names))?;
        let cells =
            |numbers: Vec<(&str, u128)>| numbers.into_iter().map(|(_, n)| n.to_string()).collect();
        for (m, columns) in divide.moves.iter().filter(|_| options.divide) {
            let label = format!("{}:", pos.move_text(*m));
            writeln!(out, "{}", line(&label, cells(numbers(columns))))?;
        }
        writeln!(out, "{}", line("total", cells(sum)))?;
        Ok(writeln!(out)?)
    }

    fn json(
        pos: &P,
        divide: &Divide<P::Move, Self>,
        options: &Options,
        mut object: Object,
    ) -> Object {
        let numbers = |columns: &Columns<u128>| {
            let add = |object: Object, (name, n): (&str, u128)| object.raw(name, n);
            all::<P>(columns).into_iter().fold(Object::new(), add).finish()
        };
        if options.divide {
            let add = |object: Object, (m, columns): &(P::Move, Columns<u128>)| {
                object.raw(pos.move_text(*m).as_str(), numbers(columns))
            };
            let rows = divide.moves.iter().fold(Object::new(), add);
            object = object.raw("divide_stats", rows.finish());
        }
        object.raw("stats", numbers(&divide.total))
    }
}
