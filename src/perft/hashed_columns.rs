//! Hashed perft for columns of statistics, one position at a time.
//!
//! Called through `hashed::Countable`.

use super::column_table::ColumnTable;
use super::hashed::{Context, Countable, KeyedMoves, depth_key};
use super::quantity::Quantity;
use crate::game::{Census, Columns, Kernel, WideKeyed};

/// Columns are stored from this depth on. Their entries are large, but from here on counting takes longer than
/// fetching an entry.
const MIN_DEPTH: u32 = 2;

impl<P: Census + WideKeyed> Countable<P> for Columns<u128> {
    type Table = ColumnTable;
    fn count(pos: &P, depth: u32, kernel: Kernel) -> Self {
        pos.columns(depth, kernel).map(u128::from)
    }
    fn of_move(pos: &P, m: P::Move) -> Self {
        let mut columns = Columns::default();
        pos.facts(m).note(&mut columns);
        columns.map(u128::from)
    }
    fn count_hashed(pos: &P, depth: u32, context: &Context<'_, P, ColumnTable>) -> Self {
        if depth < MIN_DEPTH {
            return Self::count(pos, depth, context.kernel);
        }
        let key = pos.wide_key(context.keys);
        context.table.get_or(key ^ depth_key(depth), depth, || walk(pos, key, depth, context))
    }
}

/// The columns of a position that is not in the table.
fn walk<P: Census + WideKeyed>(
    pos: &P,
    key: u128,
    depth: u32,
    context: &Context<'_, P, ColumnTable>,
) -> Columns<u128> {
    if depth == MIN_DEPTH {
        return Columns::count(pos, depth, context.kernel);
    }
    let mut children = KeyedMoves::new();
    pos.keyed_moves(context.keys, key, &mut children);
    let depth_key = depth_key(depth - 1);
    for &key in children.keys.iter() {
        context.table.prefetch(key ^ depth_key);
    }
    let mut total = Columns::default();
    for (&key, &m) in children.keys.iter().zip(&children.moves) {
        total.add(context.table.get_or(key ^ depth_key, depth - 1, || {
            let mut child = *pos;
            child.make(m);
            walk(&child, key, depth - 1, context)
        }));
        if total.is_beyond() {
            break; // and so is the whole run
        }
    }
    total
}
