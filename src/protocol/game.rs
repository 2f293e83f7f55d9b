//! What a protocol asks of a game beyond what the engine asks: names, books, pictures.
//!
//! [`Game`] is implemented where a game may be named, in `uci` and `ucci`; everything else here is written
//! once for all games. Called by the dialects.

use super::options::Options;
use crate::base::rng::SplitMix64;
use crate::game::book::Choice;
use crate::game::notation::FenReader;
use crate::game::{Notation, Playable, Rules, Side, WinModel};
use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

/// Environment variable that fixes the book's choices, for tests.
const SEED_VARIABLE: &str = "TABIYA_SEED";

/// A game that can be played through a protocol.
pub trait Game: Playable + Notation + Sync {
    /// Its name as a value of `UCI_Variant`.
    const VARIANT: &'static str;
    /// Whether it is played from shuffled positions as well, with moves written as `UCI_Chess960` tells.
    const CHESS960: bool;
    /// The numbers that programs give to the rank that lies nearest to the first side, beginning with the game's own.
    const FIRST_RANKS: &'static [usize];
    /// The opening book.
    type Book: OpeningBook<Self>;

    /// The position in the notation that the options ask for, with one of [`FIRST_RANKS`](Self::FIRST_RANKS).
    fn adapt(self, options: &Options, first_rank: usize) -> Self;
    /// The number that it gives to the rank nearest to the first side.
    fn first_rank(&self) -> usize {
        Self::FIRST_RANKS[0]
    }
    /// What a score is worth in games that go on from here.
    fn win_model(&self) -> WinModel {
        WinModel::UNFITTED
    }
    /// The squares of the pieces that give check, each behind a blank.
    fn checker_names(&self) -> String;
}

/// An opening book of the game `P`.
pub trait OpeningBook<P: Rules>: Sized + 'static {
    /// The book inside the program.
    fn embedded() -> Self;
    /// The book of a file, or of several where the game's books may have more.
    ///
    /// # Errors
    /// If there is no such file or it is no book; in one line.
    fn open(files: &str) -> Result<Self, String>;
    /// The number of entries.
    fn entries(&self) -> u64;
    /// A move for `pos`, drawn with `dice`.
    fn choose(&mut self, pos: &P, dice: &mut SplitMix64) -> Option<Choice<P::Move>>;
}

/// A game's book, and dice to choose from it.
pub struct Library<P: Game> {
    /// Without a book there are no moves from it.
    book: Option<P::Book>,
    dice: SplitMix64,
}

impl<P: Game> Default for Library<P> {
    fn default() -> Self {
        let fixed = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok());
        let seed = fixed.unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos() as u64)
        });
        Library { book: Some(P::Book::embedded()), dice: SplitMix64::new(seed) }
    }
}

impl<P: Game> Library<P> {
    /// Uses the book of a file, or the one inside the program if no file is named; says in one line what has
    /// become of it. If that fails, the earlier book stays.
    ///
    /// # Errors
    /// If the file is no book.
    pub fn open(&mut self, files: &str) -> Result<String, String> {
        let (name, book) = if files.is_empty() {
            ("embedded book", P::Book::embedded())
        } else {
            ("book file", P::Book::open(files)?)
        };
        let remark = format!("the {name} has {} entries", book.entries());
        self.book = Some(book);
        Ok(remark)
    }

    /// Uses no book any more, and says so in one line.
    pub fn close(&mut self) -> String {
        self.book = None;
        "there is no book".to_string()
    }

    /// A move from the book, with a remark about it.
    pub fn choose(&mut self, pos: &P) -> Option<(P::Move, String)> {
        let Choice { m, weight, total } = self.book.as_mut()?.choose(pos, &mut self.dice)?;
        Some((m, format!("book move {}, weight {weight} of {total}", pos.move_text(m))))
    }
}

/// Appends moves played from `pos`, each behind a blank; stops at the first that is not legal, which no
/// reader could make sense of.
pub fn push_line<P: Game>(out: &mut String, mut pos: P, line: &[P::Move]) {
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
pub fn best_line<P: Game>(root: &P, best: P::Move, ponder: Option<P::Move>) -> String {
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
pub fn diagram<P: Game>(pos: &P) -> String {
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
pub fn flipped<P: Game>(pos: &P) -> Option<P> {
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
pub fn evaluation<P: Game>(pos: &P) -> Option<i32> {
    (!pos.in_check()).then(|| for_first(pos, &mut Default::default()))
}

fn for_first<P: Game>(pos: &P, memo: &mut P::Memo) -> i32 {
    let own = pos.evaluate(memo);
    if pos.side() == Side::First { own } else { -own }
}

/// The board with what each man adds to the evaluation, in pawns as the win model of `pos` counts them, for the first
/// side: the difference that it makes if the man is taken off. Nothing is shown for a man without whom there is no
/// evaluation: a king, or one who stands in the way of a check.
pub fn contributions<P: Game>(pos: &P) -> String {
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
