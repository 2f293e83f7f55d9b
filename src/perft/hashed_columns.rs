//! Columns of statistics with a hash table, one position after the other.
//!
//! Called through `hashed::Hashable`; knows no game.

use super::column_table::ColumnTable;
use super::hashed::{Context, Hashable, MAX_MOVES, depth_keys};
use super::quantity::Countable;
use crate::base::list::MoveList;
use crate::game::{Census, Columns, MoveBuffer, WideKeyed};

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
    let mut list = P::List::default();
    pos.legal_moves(&mut list);
    let moves = list.as_slice();
    let mut entries = MoveList::<u128, MAX_MOVES>::new();
    let mut keys = MoveList::<u128, MAX_MOVES>::new();
    pos.wide_keys_after(context.keys, key, moves, |key| {
        let entry = key ^ depth_keys[depth as usize - 1];
        context.table.prefetch(entry);
        keys.push(key);
        entries.push(entry);
    });
    let mut total = Columns::default();
    for ((&key, &entry), &m) in keys.iter().zip(entries.iter()).zip(moves) {
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
