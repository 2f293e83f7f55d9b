//! Generates the xiangqi tables by slow walks over the board.
//!
//! This code is not an independent reference, so `tests/games/tables_xiangqi.rs` compares the lookups with a coordinate
//! walk of its own.
//!
//! Squares are `rank * 9 + file`. Tables by square have 128 rows, and tables by rank or file have 16, although only
//! 90, 10 and 9 of them are used: an index masked to seven or four bits then needs no bounds check.

use super::emit::Source;
use crate::rng::SplitMix64;

const FILES: i32 = 9;
const RANKS: i32 = 10;
const SQUARES: usize = 90;
const ROWS: usize = 128;
const LINES: usize = 16;

const STRAIGHT: [(i32, i32); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Seed of the Zobrist keys. Changing it changes only the keys.
const ZOBRIST_SEED: u64 = 0x7ab1_7a00_0000_0002;

/// Name and text of every generated xiangqi file.
pub fn files() -> Vec<(&'static str, String)> {
    vec![("xiangqi_leapers.rs", leapers()), ("xiangqi_lines.rs", lines()), ("xiangqi_zobrist.rs", zobrist())]
}

fn step(square: usize, (df, dr): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % FILES + df, square as i32 / FILES + dr);
    ((0..FILES).contains(&file) && (0..RANKS).contains(&rank)).then_some((rank * FILES + file) as usize)
}

fn set(squares: impl IntoIterator<Item = Option<usize>>) -> u128 {
    squares.into_iter().flatten().fold(0, |set, square| set | 1 << square)
}

fn in_palace(square: usize) -> bool {
    (3..=5).contains(&(square % 9)) && !(3..=6).contains(&(square / 9))
}

fn same_half(a: usize, b: usize) -> bool {
    (a < 45) == (b < 45)
}

/// Whether `square` is one of the seven elephant points of each half.
fn elephant_point(square: usize) -> bool {
    let (file, rank) = (square % 9, (square / 9).min(9 - square / 9));
    matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2))
}

/// Whether `square` is an advisor point: a corner or the centre of a palace.
fn advisor_point(square: usize) -> bool {
    in_palace(square) && (square % 9 + (square / 9).min(9 - square / 9)) % 2 == 1
}

/// The two squares a horse reaches over the leg one step `way` from it.
fn over_leg(square: usize, way: (i32, i32)) -> [Option<usize>; 2] {
    let (df, dr) = way;
    let side = if df == 0 { (1, 0) } else { (0, 1) };
    [1, -1].map(|turn| step(square, (2 * df + turn * side.0, 2 * dr + turn * side.1)))
}

/// For every square and every state of its four neighbours, the union of `value` over the unblocked `ways`. Bit `i`
/// of the state means that neighbour `i` is occupied.
fn by_neighbours(ways: [(i32, i32); 4], value: impl Fn(usize, (i32, i32)) -> u128) -> Vec<u128> {
    let mut table = vec![0; ROWS * 16];
    for square in 0..SQUARES {
        for state in 0..16 {
            for (i, &way) in ways.iter().enumerate() {
                if state >> i & 1 == 0 && step(square, way).is_some() {
                    table[square * 16 + state] |= value(square, way);
                }
            }
        }
    }
    table
}

fn by_square(value: impl Fn(usize) -> u128) -> Vec<u128> {
    (0..ROWS).map(|s| if s < SQUARES { value(s) } else { 0 }).collect()
}

fn table_u128(out: &mut Source, doc: &str, name: &str, shape: &[usize], values: &[u128]) {
    let texts: Vec<String> = values.iter().map(|v| format!("{v:#x}")).collect();
    out.table_text(doc, name, "u128", shape, &texts);
}

/// The targets of a soldier of `side` (0 = Red) on `square`: forward, and sideways beyond the river.
fn soldier(side: usize, square: usize) -> u128 {
    let forward = if side == 0 { (0, 1) } else { (0, -1) };
    let crossed = (square < 45) == (side == 1);
    let sideways = [(1, 0), (-1, 0)].map(|way| if crossed { step(square, way) } else { None });
    set([step(square, forward), sideways[0], sideways[1]])
}

fn leapers() -> String {
    let mut out = Source::new("Moves of the pieces that step or leap.");
    let by_state = [ROWS, 16];
    let horse = by_neighbours(STRAIGHT, |s, way| set(over_leg(s, way)));
    table_u128(
        &mut out,
        "Horse moves by square and occupied legs (bits: south, west, east, north).",
        "HORSE",
        &by_state,
        &horse,
    );
    let horse_back = by_neighbours(DIAGONAL, |s, (df, dr)| set([step(s, (2 * df, dr)), step(s, (df, 2 * dr))]));
    table_u128(
        &mut out,
        "Squares from which a horse attacks a square, by that square and its occupied diagonal neighbours.",
        "HORSE_BACK",
        &by_state,
        &horse_back,
    );
    let elephant = by_neighbours(DIAGONAL, |s, (df, dr)| {
        set([step(s, (2 * df, 2 * dr)).filter(|&to| elephant_point(s) && elephant_point(to) && same_half(s, to))])
    });
    table_u128(
        &mut out,
        "Elephant moves by square and occupied eyes (south-west, south-east, north-west, north-east).",
        "ELEPHANT",
        &by_state,
        &elephant,
    );
    let steps = |ways: [(i32, i32); 4], allowed: fn(usize) -> bool| {
        by_square(|s| {
            let reach = ways.map(|way| step(s, way));
            set(reach.map(|to| to.filter(|&to| allowed(s) && allowed(to) && same_half(s, to))))
        })
    };
    table_u128(&mut out, "Advisor moves by square.", "ADVISOR", &[ROWS], &steps(DIAGONAL, advisor_point));
    table_u128(&mut out, "King moves by square.", "KING", &[ROWS], &steps(STRAIGHT, in_palace));
    let soldiers = [0, 1].map(|side| by_square(|s| soldier(side, s))).concat();
    table_u128(&mut out, "Soldier moves by side and square.", "SOLDIER", &[2, ROWS], &soldiers);
    let back = [0, 1].map(|side| {
        by_square(|to| (0..SQUARES).filter(|&s| soldier(side, s) >> to & 1 != 0).fold(0, |b, s| b | 1 << s))
    });
    table_u128(
        &mut out,
        "Squares from which a soldier of a side attacks a square.",
        "SOLDIER_BACK",
        &[2, ROWS],
        &back.concat(),
    );
    out.finish()
}

/// What a chariot (low half) and a cannon (high half) on point `at` of a line of `length` points see with occupancy
/// `occupied`. The chariot sees up to and including the first piece; the cannon sees the empty points before it and
/// the next piece behind it.
fn line(at: i32, length: i32, occupied: u32) -> u32 {
    let (mut chariot, mut cannon) = (0, 0);
    for way in [1, -1] {
        let mut screens = 0;
        let mut to = at + way;
        while (0..length).contains(&to) && screens < 2 {
            let bit = 1 << to;
            let met = occupied & bit != 0;
            if screens == 0 {
                chariot |= bit;
            }
            if met == (screens == 1) {
                cannon |= bit;
            }
            screens += i32::from(met);
            to += way;
        }
    }
    chariot | cannon << 16
}

fn lines() -> String {
    let mut out = Source::new("Chariots and cannons along ranks and files; squares between two others.");
    for (name, what, length) in [("RANK", "rank", FILES), ("FILE", "file", RANKS)] {
        let states = 1usize << length;
        let entries: Vec<String> = (0..LINES * states)
            .map(|i| ((i / states) as i32, (i % states) as u32))
            .map(|(at, occ)| if at < length { line(at, length, occ) } else { 0 })
            .map(|entry| format!("{entry:#x}"))
            .collect();
        let doc = format!(
            "Points of a {what} that a chariot (low half) and a cannon (high half) see, by place and occupancy."
        );
        out.table_text(&doc, name, "u32", &[LINES, states], &entries);
    }
    let spread: Vec<u64> = (0..128u64).map(|m| (0..7).fold(0, |set, i| set | (m >> i & 1) << (9 * i))).collect();
    out.table_u64("Seven points of the first file laid out on the board.", "SPREAD", &[128], &spread);
    let ray = |s: usize, way: (i32, i32)| {
        let mut squares = Vec::new();
        let mut at = s;
        while let Some(next) = step(at, way) {
            squares.push(next);
            at = next;
        }
        squares
    };
    let cross = by_square(|s| set(STRAIGHT.into_iter().flat_map(|way| ray(s, way)).map(Some)));
    table_u128(&mut out, "Rank and file of a square, without it.", "CROSS", &[ROWS], &cross);
    let mut between = vec![0u128; ROWS * ROWS];
    for from in 0..SQUARES {
        for way in STRAIGHT {
            let mut path = 0;
            for to in ray(from, way) {
                between[from * ROWS + to] = path;
                path |= 1 << to;
            }
        }
    }
    table_u128(
        &mut out,
        "Squares strictly between two squares of one rank or file, else none.",
        "BETWEEN",
        &[ROWS, ROWS],
        &between,
    );
    out.finish()
}

/// The Zobrist keys, in the order in which they are drawn. There are eight rows for seven kinds and 128 for 90 squares.
fn zobrist() -> String {
    let mut out = Source::new("Zobrist keys.");
    let mut rng = SplitMix64::new(ZOBRIST_SEED);
    let keys: Vec<u64> = (0..2 * 8 * 128).map(|_| rng.next_u64()).collect();
    out.table_u64("By side, kind and square.", "PIECE_KEYS", &[2, 8, 128], &keys);
    out.table_u64("Black to move.", "SIDE_KEY", &[1], &[rng.next_u64()]);
    out.finish()
}
