//! Generates the chess tables by slow walks over the board.
//!
//! This code is not an independent reference, so `tests/games/tables.rs` compares the lookups with a coordinate walk of
//! its own.

use super::emit::Source;
use crate::rng::SplitMix64;

const ROOK_STEPS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT_STEPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// Seed of the Zobrist keys. Changing it changes only the keys.
const ZOBRIST_SEED: u64 = 0x7ab1_7a00_0000_0001;

/// Name and text of every generated chess file.
pub fn files() -> Vec<(&'static str, String)> {
    vec![
        ("chess_leapers.rs", leapers()),
        ("chess_rays.rs", rays()),
        ("chess_sliders.rs", sliders()),
        ("chess_zobrist.rs", zobrist()),
    ]
}

fn step(square: usize, (df, dr): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + df, square as i32 / 8 + dr);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

fn leaps(square: usize, steps: &[(i32, i32)]) -> u64 {
    steps.iter().filter_map(|&s| step(square, s)).fold(0, |set, to| set | 1 << to)
}

/// The squares reached by sliding from `square` in one direction up to and including the first occupied square.
fn slide(square: usize, way: (i32, i32), occupied: u64) -> u64 {
    let mut reached = 0;
    let mut at = square;
    while let Some(next) = step(at, way) {
        reached |= 1 << next;
        if occupied >> next & 1 != 0 {
            break;
        }
        at = next;
    }
    reached
}

fn slides(square: usize, ways: &[(i32, i32)], occupied: u64) -> u64 {
    ways.iter().fold(0, |set, &way| set | slide(square, way, occupied))
}

fn leapers() -> String {
    let mut out = Source::new("Attacks that need no occupied squares.");
    let each = |steps: &[(i32, i32)]| (0..64).map(|s| leaps(s, steps)).collect::<Vec<_>>();
    let lines = |ways: &[(i32, i32)]| (0..64).map(|s| slides(s, ways, 0)).collect::<Vec<_>>();
    let both = [BISHOP_STEPS, ROOK_STEPS].concat();
    let (knights, kings) = (each(&KNIGHT_STEPS), each(&KING_STEPS));
    let reach = [vec![0; 64], knights, lines(&BISHOP_STEPS), lines(&ROOK_STEPS), lines(&both), kings].concat();
    out.table_u64("Attacks on the empty board by kind (none of pawns) and square.", "REACH", &[6, 64], &reach);
    let pawns = [each(&[(-1, 1), (1, 1)]), each(&[(-1, -1), (1, -1)])].concat();
    out.table_u64("Pawn attacks by side and square.", "PAWN", &[2, 64], &pawns);
    let castling: Vec<String> = (0..64).map(|i| format!("{:?}", castling(i / 8, i % 8))).collect();
    out.table_text(
        "By file of king and rook: files that must be empty to castle (but for king and rook), files that \
         must not be attacked.",
        "CASTLING",
        "(u8, u8)",
        &[8, 8],
        &castling,
    );
    out.finish()
}

/// The files from `a` to `b`, without `a` itself.
fn files_from(a: usize, b: usize) -> u8 {
    (0..8).filter(|&f| f != a && f >= a.min(b) && f <= a.max(b)).fold(0, |set, f| set | 1 << f)
}

fn castling(king: usize, rook: usize) -> (u8, u8) {
    let (king_to, rook_to) = if rook > king { (6, 5) } else { (2, 3) };
    let king_path = files_from(king, king_to) | 1 << king_to;
    let rook_path = files_from(rook, rook_to) | 1 << rook_to;
    ((king_path | rook_path) & !(1 << king | 1 << rook), king_path)
}

fn rays() -> String {
    let mut out = Source::new("Squares on a line with two others.");
    let [mut between, mut line] = [const { [0u64; 4096] }; 2];
    for from in 0..64 {
        for ways in [ROOK_STEPS, BISHOP_STEPS] {
            for (df, dr) in ways {
                let whole = slide(from, (df, dr), 0) | slide(from, (-df, -dr), 0) | 1 << from;
                for to in (0..64).filter(|&to| slide(from, (df, dr), 0) >> to & 1 != 0) {
                    between[from * 64 + to] = slide(from, (df, dr), 1 << to) & !(1 << to);
                    line[from * 64 + to] = whole;
                }
            }
        }
    }
    out.table_u64("Squares strictly between two squares of one line, else none.", "BETWEEN", &[64, 64], &between);
    out.table_u64("The whole line through two squares, else none.", "LINE", &[64, 64], &line);
    out.finish()
}

fn sliders() -> String {
    let mut out = Source::new("The lines of sliders, for hyperbola quintessence.");
    let lines: Vec<u64> =
        (0..64).flat_map(|s| [(0, 1), (1, 1), (1, -1)].map(|(df, dr)| slides(s, &[(df, dr), (-df, -dr)], 0))).collect();
    out.table_u64("File, diagonal and anti-diagonal of a square, without the square.", "LINES", &[64, 3], &lines);
    let ranks: Vec<String> = (0..8)
        .flat_map(|file| (0..64u64).map(move |inner| slides(file, &ROOK_STEPS[..2], inner << 1)))
        .map(|attacks| format!("0x{:02x}", attacks & 0xff))
        .collect();
    out.table_text(
        "Attacks along a rank by file and occupancy of the six inner squares.",
        "RANK",
        "u8",
        &[8, 64],
        &ranks,
    );
    out.finish()
}

/// The Zobrist keys, in the order in which they are drawn.
fn zobrist() -> String {
    let mut out = Source::new("Zobrist keys.");
    let mut rng = SplitMix64::new(ZOBRIST_SEED);
    let mut table = |doc: &str, name: &str, shape: &[usize]| {
        let keys: Vec<u64> = (0..shape.iter().product()).map(|_| rng.next_u64()).collect();
        out.table_u64(doc, name, shape, &keys);
    };
    table("By side, kind and square.", "PIECE_KEYS", &[2, 6, 64]);
    table("By square of a rook that may castle.", "CASTLING_KEYS", &[64]);
    table("By file of a legal en passant capture.", "EN_PASSANT_KEYS", &[8]);
    table("Black to move.", "SIDE_KEY", &[1]);
    out.finish()
}
