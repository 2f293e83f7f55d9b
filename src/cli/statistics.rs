//! Statistics as text.
//!
//! Used by `cli::perft` and `cli::units`. Prints what it is given and counts nothing.

use super::failure::Failure;
use super::games::Offered;
use crate::perft::census::Statistics;
use std::io::Write;

/// Statistics as a table with one row a move and one for the sum.
pub(super) fn table<P: Offered>(
    pos: &P,
    rows: &[(P::Move, Statistics)],
    sum: &Statistics,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let columns = sum.columns();
    let widths = columns.map(|(name, n)| name.len().max(n.to_string().len()) + 2);
    let line = |label: &str, cells: [String; 9]| {
        let cells: String =
            cells.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        format!("{label:<6}{cells}")
    };
    writeln!(out, "{}", line("", columns.map(|(name, _)| name.replace('_', " "))))?;
    for (m, s) in rows {
        let label = format!("{}:", pos.move_text(*m));
        writeln!(out, "{}", line(&label, s.columns().map(|(_, n)| n.to_string())))?;
    }
    writeln!(out, "{}", line("total", columns.map(|(_, n)| n.to_string())))?;
    Ok(writeln!(out)?)
}
