//! Columns of statistics with a hash table, one position after the other.
//!
//! Called through `hashed::Hashable`; knows no game.

use super::column_table::ColumnTable;
use super::hashed::{Context, Hashable, KeyedMoves, depth_keys};
use super::quantity::Countable;
use crate::game::{Census, Columns, WideKeyed};

/// The least depth at which columns are kept. Their entries are large, but from here on they take longer to
/// count than to fetch.
const MIN_DEPTH: u32 = 2;

impl<P: Census + WideKeyed> Hashable<P> for Columns<u128> {
    type Table = ColumnTable;
    fn count_hashed(pos: &P, depth: u32, context: &Context<'_, P, ColumnTable>) -> Self {
        let key = pos.wide_key(context.keys);
        let depth_keys = depth_keys(depth);
        let entry = key ^ depth_keys[depth as usize];
        if depth >= MIN_DEPTH
            && let Some(columns) = context.table.probe(entry)
        {
            return columns;
        }
        let columns = walk(pos, key, depth, &depth_keys, context);
        if depth >= MIN_DEPTH {
            context.table.store(entry, columns);
        }
        columns
    }
}

/// What is counted in a position that the table does not know.
fn walk<P: Census + WideKeyed>(
    pos: &P,
    key: u128,
    depth: u32,
    depth_keys: &[u128],
    context: &Context<'_, P, ColumnTable>,
) -> Columns<u128> {
    if depth <= MIN_DEPTH {
        return Countable::count(pos, depth, context.kernel);
    }
    let mut children = KeyedMoves::new();
    pos.keyed_moves(context.keys, key, &mut children);
    let depth_key = depth_keys[depth as usize - 1];
    for &key in children.keys.iter() {
        context.table.prefetch(key ^ depth_key);
    }
    let mut total = Columns::default();
    for (&key, &m) in children.keys.iter().zip(&children.moves) {
        let entry = key ^ depth_key;
        total += match context.table.probe(entry) {
            Some(columns) => columns,
            None => {
                let mut child = *pos;
                child.make(m);
                let columns = walk(&child, key, depth - 1, depth_keys, context);
                context.table.store(entry, columns);
                columns
            }
        };
    }
    total
}
