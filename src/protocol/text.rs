//! What all protocols write alike: lines of moves, the board, the evaluation man by man.
//!
//! Called by `session` and the dialects; once for all games.

use super::variant::Variant;
use crate::game::Side;
use crate::game::notation::FenReader;
use std::fmt::Write as _;

/// Appends moves played from `pos`, each behind a blank; stops at the first that is not legal, which no
/// reader could make sense of.
pub fn push_line<P: Variant>(out: &mut String, mut pos: P, line: &[P::Move]) {
    for &m in line {
        if !pos.is_legal(m) {
            break;
        }
        let _ = write!(out, " {}", pos.move_text(m));
        pos.make(m);
    }
}

/// The line that answers a search with the move `best`, and with the reply `ponder` if that is worth thinking
/// about: legal, and the game goes on behind it.
pub fn best_line<P: Variant>(root: &P, best: P::Move, ponder: Option<P::Move>) -> String {
    let mut out = format!("bestmove {}", root.move_text(best));
    let mut pos = *root;
    pos.make(best);
    if let Some(ponder) = ponder.filter(|&m| pos.is_legal(m)) {
        let text = pos.move_text(ponder);
        pos.make(ponder);
        if pos.count_legal() > 0 {
            let _ = write!(out, " ponder {text}");
        }
    }
    out
}

/// A picture of the position with its FEN and key.
pub fn diagram<P: Variant>(pos: &P) -> String {
    let fen = pos.to_fen();
    let rows: Vec<&str> = fen.split(' ').next().unwrap_or("").split('/').collect();
    let files = cells(rows[0]).len();
    let rule = format!(" +{}\n", "---+".repeat(files));
    let mut out = format!("\n{rule}");
    for (i, row) in rows.iter().enumerate() {
        for cell in cells(row) {
            let _ = write!(out, " | {cell}");
        }
        let _ = write!(out, " | {}\n{rule}", pos.first_rank() + rows.len() - 1 - i);
    }
    let names: Vec<String> = ('a'..).take(files).map(String::from).collect();
    let _ = writeln!(out, "   {}\n", names.join("   "));
    let _ = writeln!(out, "Fen: {fen}\nKey: {:016X}", pos.key());
    let _ = write!(out, "Checkers:{}", pos.checker_names());
    out
}

/// The position with the colours exchanged.
pub fn flipped<P: Variant>(pos: &P) -> Option<P> {
    let fen = pos.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, side, castling, en_passant, counters @ ..] = &fields[..] else { return None };
    let swap = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    let board: Vec<String> =
        board.split('/').rev().map(|r| r.chars().map(swap).collect()).collect();
    let side = if *side == "w" { "b" } else { "w" };
    let castling: String = castling.chars().map(swap).collect();
    let en_passant = en_passant.replace('3', "#").replace('6', "3").replace('#', "6");
    let (board, counters) = (board.join("/"), counters.join(" "));
    let flipped = format!("{board} {side} {castling} {en_passant} {counters}");
    P::read_fen(&flipped, &mut FenReader::lenient()).ok()
}

/// The static evaluation for the first side, in the evaluation's centipawns; `None` in check.
pub fn evaluation<P: Variant>(pos: &P) -> Option<i32> {
    (!pos.in_check()).then(|| for_first(pos, &mut Default::default()))
}

fn for_first<P: Variant>(pos: &P, memo: &mut P::Memo) -> i32 {
    let own = pos.evaluate(memo);
    if pos.side() == Side::First { own } else { -own }
}

/// The board with what each man adds to the evaluation, in pawns as the win model of `pos` counts them, for the first
/// side: the difference that it makes if the man is taken off. Nothing is shown for a man without whom there is no
/// evaluation: a king, or one who stands in the way of a check.
pub fn contributions<P: Variant>(pos: &P) -> String {
    let fen = pos.to_fen();
    let mut fields = fen.split(' ');
    let (board, side) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
    let rows: Vec<Vec<char>> = board.split('/').map(cells).collect();
    let memo = &mut P::Memo::default();
    let (whole, model) = (for_first(pos, memo), pos.win_model());
    let mut worth = |row: usize, file: usize| {
        let mut rows = rows.clone();
        rows[row][file] = ' ';
        let board: Vec<String> = rows.iter().map(|row| row_text(row)).collect();
        let fen = format!("{} {side} - - 0 1", board.join("/"));
        let rest = P::read_fen(&fen, &mut FenReader::lenient()).ok()?;
        (!rest.in_check()).then(|| model.centipawns(whole - for_first(&rest, memo)))
    };
    let rule = format!(" +{}\n", "-------+".repeat(rows[0].len()));
    let mut out = rule.clone();
    for (row, men) in rows.iter().enumerate() {
        let names: String = men.iter().map(|man| format!("   {man}   |")).collect();
        let values: String = (0..men.len())
            .map(|file| match (men[file] != ' ').then(|| worth(row, file)).flatten() {
                Some(value) => format!("{:^+7.2}|", f64::from(value) / 100.0),
                None => format!("{:7}|", ""),
            })
            .collect();
        let rank = pos.first_rank() + rows.len() - 1 - row;
        let _ = write!(out, " |{names}\n |{values} {rank}\n{rule}");
    }
    let files: String = ('a'..).take(rows[0].len()).map(|file| format!("    {file}   ")).collect();
    let _ = write!(out, " {}", files.trim_end());
    out
}

/// The squares of a row of a FEN, blank where nobody stands.
fn cells(row: &str) -> Vec<char> {
    row.chars()
        .flat_map(|c| match c.to_digit(10) {
            Some(empty) => vec![' '; empty as usize],
            None => vec![c],
        })
        .collect()
}

/// The row of a FEN for its squares.
fn row_text(cells: &[char]) -> String {
    let same = |a: &char, b: &char| (*a == ' ') == (*b == ' ');
    let run = |cells: &[char]| match cells[0] {
        ' ' => cells.len().to_string(),
        _ => cells.iter().collect(),
    };
    cells.chunk_by(same).map(run).collect()
}
