//! Output that all protocols share: lines of moves, the diagram and the evaluation piece by piece.

use super::games::ProgramGame;
use crate::engine::{Bound, Info, Progress};
use crate::game::text::fen::Tolerance;
use crate::game::{Position, Side};
use crate::perft::count::Divide;
use std::fmt::Write as _;

/// The name of the program.
pub const NAME: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"));
/// What the program is.
pub const ABOUT: &str = concat!(
    "Tabiya ",
    env!("CARGO_PKG_VERSION"),
    ", a table-driven engine for chess and xiangqi, MIT or Apache-2.0 licence"
);

/// The result of searching one ply, the book move `m`: the evaluation of the position after it.
pub fn book_info<'a, B: ProgramGame>(root: &Position<B>, line: &'a [B::Move; 1]) -> Info<'a, B::Move> {
    let mut after = *root;
    after.make(line[0]);
    let score = if after.in_check() { 0 } else { -B::evaluate(&after, &mut Default::default()) };
    Info {
        depth: 1,
        selective_depth: 1,
        multi_pv: 1,
        score,
        bound: Bound::Exact,
        progress: Progress { nodes: 1, ..Progress::default() },
        tablebase_hits: 0,
        pv: line,
        repeated: false,
        last: true,
    }
}

/// The moves of a line played from `pos`, each after a blank, up to the first illegal one.
pub fn moves<B: ProgramGame>(mut pos: Position<B>, line: &[B::Move]) -> String {
    let mut out = String::new();
    for &m in line {
        if !pos.is_legal(m) {
            break;
        }
        let _ = write!(out, " {}", pos.move_text(m));
        pos.make(m);
    }
    out
}

/// The `bestmove` line, with `ponder` if that reply is legal and does not end the game.
pub fn best_line<B: ProgramGame>(root: &Position<B>, best: B::Move, ponder: Option<B::Move>) -> String {
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

/// A divide of `pos` in Stockfish's form, sorted by the text of the moves, with an empty line at the end.
pub fn divide<B: ProgramGame>(pos: &Position<B>, divide: &Divide<B::Move>) -> String {
    let mut moves = Vec::from_iter(divide.moves.iter().map(|&(m, count)| (pos.move_text(m).to_string(), count)));
    moves.sort();
    let lines: String = moves.iter().map(|(text, count)| format!("{text}: {count}\n")).collect();
    format!("{lines}\nNodes searched: {}\n", divide.total)
}

/// A diagram of the position, with its FEN, key and checkers.
pub fn diagram<B: ProgramGame>(pos: &Position<B>) -> String {
    let fen = pos.to_fen();
    let rows: Vec<&str> = fen.split(' ').next().unwrap_or("").split('/').collect();
    let files = cells(rows[0]).len();
    let rule = format!(" +{}\n", "---+".repeat(files));
    let mut out = format!("\n{rule}");
    for (i, row) in rows.iter().enumerate() {
        for cell in cells(row) {
            let _ = write!(out, " | {cell}");
        }
        let _ = write!(out, " | {}\n{rule}", B::first_rank(pos) + rows.len() - 1 - i);
    }
    let names: Vec<String> = ('a'..).take(files).map(String::from).collect();
    let _ = writeln!(out, "   {}\n", names.join("   "));
    let _ = writeln!(out, "Fen: {fen}\nKey: {:016X}", pos.key());
    let _ = write!(out, "Checkers:{}", B::checker_names(pos));
    out
}

/// The position with the colours exchanged.
pub fn flipped<B: ProgramGame>(pos: &Position<B>) -> Option<Position<B>> {
    let fen = pos.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, side, castling, en_passant, counters @ ..] = &fields[..] else { return None };
    let swap = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    let board: Vec<String> = board.split('/').rev().map(|r| r.chars().map(swap).collect()).collect();
    let side = if *side == "w" { "b" } else { "w" };
    let castling: String = castling.chars().map(swap).collect();
    let en_passant = en_passant.replace('3', "#").replace('6', "3").replace('#', "6");
    let (board, counters) = (board.join("/"), counters.join(" "));
    let flipped = format!("{board} {side} {castling} {en_passant} {counters}");
    Position::<B>::read_fen(&flipped, &mut Tolerance::lenient()).ok()
}

/// The static evaluation in internal centipawns from White's or Red's point of view; `None` in check.
pub fn evaluation<B: ProgramGame>(pos: &Position<B>) -> Option<i32> {
    (!pos.in_check()).then(|| evaluate_for_first(pos, &mut Default::default()))
}

fn evaluate_for_first<B: ProgramGame>(pos: &Position<B>, memo: &mut B::Memo) -> i32 {
    let own = B::evaluate(pos, memo);
    if pos.side() == Side::First { own } else { -own }
}

/// The board with the contribution of each piece to the evaluation, in pawns on the scale of the win model of `pos`,
/// from White's or Red's point of view: the difference that removing the piece makes. Nothing is printed for a piece
/// that cannot be removed: a king, or a piece that shields the king of the side to move from check.
pub fn contributions<B: ProgramGame>(pos: &Position<B>) -> String {
    let fen = pos.to_fen();
    let mut fields = fen.split(' ');
    let (board, side) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
    let rows: Vec<Vec<char>> = board.split('/').map(cells).collect();
    let memo = &mut B::Memo::default();
    let (whole, model) = (evaluate_for_first(pos, memo), pos.win_model());
    let mut value_of = |row: usize, file: usize| {
        let mut rows = rows.clone();
        rows[row][file] = ' ';
        let board: Vec<String> = rows.iter().map(|row| row_text(row)).collect();
        let fen = format!("{} {side} - - 0 1", board.join("/"));
        let rest = Position::<B>::read_fen(&fen, &mut Tolerance::lenient()).ok()?;
        (!rest.in_check()).then(|| model.centipawns(whole - evaluate_for_first(&rest, memo)))
    };
    let rule = format!(" +{}\n", "-------+".repeat(rows[0].len()));
    let mut out = rule.clone();
    for (row, pieces) in rows.iter().enumerate() {
        let names: String = pieces.iter().map(|piece| format!("   {piece}   |")).collect();
        let values: String = (0..pieces.len())
            .map(|file| match (pieces[file] != ' ').then(|| value_of(row, file)).flatten() {
                Some(value) => format!("{:^+7.2}|", f64::from(value) / 100.0),
                None => format!("{:7}|", ""),
            })
            .collect();
        let rank = B::first_rank(pos) + rows.len() - 1 - row;
        let _ = write!(out, " |{names}\n |{values} {rank}\n{rule}");
    }
    let files: String = ('a'..).take(rows[0].len()).map(|file| format!("    {file}   ")).collect();
    let _ = write!(out, " {}", files.trim_end());
    out
}

/// The squares of a row of a FEN; blank for an empty square.
fn cells(row: &str) -> Vec<char> {
    row.chars()
        .flat_map(|c| match c.to_digit(10) {
            Some(empty) => vec![' '; empty as usize],
            None => vec![c],
        })
        .collect()
}

/// The row of a FEN for these squares.
fn row_text(cells: &[char]) -> String {
    let same = |a: &char, b: &char| (*a == ' ') == (*b == ' ');
    let run = |cells: &[char]| match cells[0] {
        ' ' => cells.len().to_string(),
        _ => cells.iter().collect(),
    };
    cells.chunk_by(same).map(run).collect()
}
