//! Generates the embedded opening books: sorted tables of position key, move and weight from rows of moves.
//!
//! The rows are replayed on small slow boards (`chess_book`, `xiangqi_book`), because nothing of the crate can be used
//! here. Tests in the games' `book` modules check that keys and moves match.

use super::chess_book;
use super::emit::Source;
use super::replay::Board;
use super::xiangqi_book;
use std::collections::BTreeMap;

/// Names and texts of the generated files.
pub fn files() -> Vec<(&'static str, String)> {
    vec![
        (
            "chess_book.rs",
            book::<chess_book::Board>(
                ("openings.txt", include_str!("openings.txt")),
                "Position key, move as Polyglot books pack it, weight; sorted.",
            ),
        ),
        (
            "xiangqi_book.rs",
            book::<xiangqi_book::Board>(
                ("xiangqi_openings.txt", include_str!("xiangqi_openings.txt")),
                "Position key, move (from, and to times 128), weight; sorted.",
            ),
        ),
    ]
}

/// Builds a book from rows `weight | name | moves` with `#` comments.
fn book<B: Board>((file, rows): (&str, &str), doc: &str) -> String {
    let mut weights: BTreeMap<(u64, u16), u32> = BTreeMap::new();
    for (number, row) in rows.lines().enumerate() {
        let row = row.split('#').next().unwrap_or_default().trim();
        if row.is_empty() {
            continue;
        }
        if let Err(fault) = add_row::<B>(row, &mut weights) {
            panic!("{file}, line {}: {fault}", number + 1);
        }
    }
    let entries: Vec<String> = weights
        .iter()
        .map(|(&(key, packed), &weight)| {
            let weight = weight.min(u32::from(u16::MAX));
            format!("(0x{key:016x}, 0x{packed:04x}, {weight})")
        })
        .collect();
    let mut out = Source::new("The embedded opening book.");
    out.table_text(doc, "BOOK", "(u64, u16, u16)", &[entries.len()], &entries);
    out.finish()
}

fn add_row<B: Board>(row: &str, weights: &mut BTreeMap<(u64, u16), u32>) -> Result<(), String> {
    let parts: Vec<&str> = row.split('|').map(str::trim).collect();
    let [weight, _name, moves] = parts[..] else {
        return Err("expected weight | name | moves".to_string());
    };
    let weight: u32 = weight.parse().map_err(|_| format!("{weight:?} is not a weight"))?;
    let mut board = B::start();
    for text in moves.split_whitespace() {
        let key = board.key();
        let packed = board.play(text).map_err(|fault| format!("{text}: {fault}"))?;
        *weights.entry((key, packed)).or_default() += weight;
    }
    Ok(())
}
