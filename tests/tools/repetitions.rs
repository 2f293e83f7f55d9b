//! Random repetitions of xiangqi with the verdict on each, for `compare_repetitions.py`, which asks others.
//!
//! Called by cargo only:
//!
//! ```text
//! REPETITIONS=target/repetitions cargo test --release --test tools -- --ignored write_repetitions
//! ```

use std::fmt::Write as _;
use std::{env, fs};
use tabiya::base::rng::SplitMix64;
use tabiya::game::{Notation as _, Verdict};
use tabiya::xiangqi::Position;
use tabiya::xiangqi::types::moves::Move;
use tabiya::xiangqi::types::square::Square;

/// Squares of elephants and advisors of Red, as file and rank; Black's are opposite.
const ELEPHANTS: [(usize, usize); 7] = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)];
const ADVISORS: [(usize, usize); 5] = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)];

/// A random legal position: the kings and three to eighteen others.
fn random_position(dice: &mut SplitMix64) -> Position {
    loop {
        let mut board = [[' '; 9]; 10];
        let mut put = |letter: char, red: bool, file: usize, rank: usize| {
            let rank = if red { rank } else { 9 - rank };
            let free = board[rank][file] == ' ';
            if free {
                board[rank][file] = if red { letter.to_ascii_uppercase() } else { letter };
            }
        };
        for red in [true, false] {
            put('k', red, 3 + dice.below(3), dice.below(3));
        }
        for _ in 0..3 + dice.below(16) {
            let letter = char::from(b"rrrcccnnnbbaappp"[dice.below(16)]);
            let (file, rank) = match letter {
                'b' => ELEPHANTS[dice.below(7)],
                'a' => ADVISORS[dice.below(5)],
                'p' => (dice.below(9), 3 + dice.below(7)),
                _ => (dice.below(9), dice.below(10)),
            };
            put(letter, dice.below(2) == 0, file, rank);
        }
        let ranks = board.iter().rev().map(|rank| rank.iter().collect::<String>());
        let mut fen = ranks.collect::<Vec<_>>().join("/");
        for empty in (1..=9).rev() {
            fen = fen.replace(&" ".repeat(empty), &empty.to_string());
        }
        fen += if dice.below(2) == 0 { " w" } else { " b" };
        if let Ok(pos) = Position::from_fen(&fen) {
            return pos;
        }
    }
}

/// The captures of the side that has just moved, were it its turn again; `None` if it gives check.
fn captures(pos: &Position) -> Option<Vec<Move>> {
    let mut passed = *pos;
    if pos.in_check() {
        return None;
    }
    passed.make_null();
    Some(passed.legal_moves().iter().copied().filter(|&m| passed.is_capture(m)).collect())
}

/// What `m`, played on `pos`, attacks: 2 for a check or something new, 1 for what it attacked before, or 0.
fn attack(pos: &Position, m: Move) -> usize {
    let Some(captures) = captures(&made(pos, m)) else { return 2 };
    let old = pos.legal_moves();
    let is_old = |capture: &Move| {
        let from = if capture.from() == m.to() { m.from() } else { capture.from() };
        old.iter().any(|m| m.from() == from && m.to() == capture.to())
    };
    if captures.is_empty() { 0 } else { 2 - usize::from(captures.iter().all(is_old)) }
}

fn made(pos: &Position, m: Move) -> Position {
    let mut after = *pos;
    after.make(m);
    after
}

/// A quiet move that `wanted` lets through, the best of some random ones: one that attacks and leaves nothing
/// to take.
fn lively_move(
    pos: &Position,
    dice: &mut SplitMix64,
    wanted: impl Fn(Move) -> bool,
) -> Option<Move> {
    let all = pos.legal_moves();
    let quiet: Vec<Move> =
        all.iter().copied().filter(|&m| !pos.is_capture(m) && wanted(m)).collect();
    let tries = 1 + dice.below(8);
    let chosen = (0..tries).filter(|_| !quiet.is_empty()).map(|_| quiet[dice.below(quiet.len())]);
    let tried: Vec<Move> = chosen.collect();
    tried.into_iter().max_by_key(|&m| {
        let after = made(pos, m);
        let safe = !after.legal_moves().iter().any(|&reply| after.is_capture(reply));
        2 * attack(pos, m) + usize::from(safe)
    })
}

/// A random cycle from `start`, two to four moves of each side, that is legal and takes nothing.
fn random_cycle(start: &Position, dice: &mut SplitMix64) -> Option<Vec<Move>> {
    let each = [2, 3, 3, 4, 4, 4][dice.below(6)];
    // The pieces of either side that have left home: where that is, and where they are.
    let mut away: [Vec<(Square, Square)>; 2] = [Vec::new(), Vec::new()];
    let mut pos = *start;
    let mut cycle = Vec::new();
    for ply in 0..2 * each {
        let mine = &mut away[ply % 2];
        let home = |m: Move| {
            mine.iter().find(|piece| piece.1 == m.from()).map_or(m.from(), |piece| piece.0)
        };
        // As many pieces may be away as there are moves left to bring them home; the last but one must leave one.
        let left = each - ply / 2 - 1;
        let m = lively_move(&pos, dice, |m| {
            let others = mine.iter().filter(|piece| piece.1 != m.from()).count();
            let count = others + usize::from(home(m) != m.to());
            if left < 2 { count == left } else { count <= left }
        })?;
        let piece = (home(m), m.to());
        mine.retain(|piece| piece.1 != m.from());
        if piece.0 != piece.1 {
            mine.push(piece);
        }
        pos.make(m);
        cycle.push(m);
    }
    Some(cycle)
}

/// The position before a quiet move to `pos`, and that move.
fn before(pos: &Position, dice: &mut SplitMix64) -> Option<(Position, Move)> {
    if pos.in_check() {
        return None;
    }
    let mut passed = *pos;
    passed.make_null();
    let away = lively_move(&passed, dice, |_| true)?;
    let fen = made(&passed, away).to_fen();
    let (board, _) = fen.split_once(' ')?;
    let side = if passed.to_fen().contains(" w") { "w" } else { "b" };
    let earlier = Position::from_fen(&format!("{board} {side}")).ok()?;
    let back = earlier.legal_moves().iter().copied().find(|m| {
        m.from() == away.to() && m.to() == away.from() && made(&earlier, *m).key() == pos.key()
    })?;
    Some((earlier, back))
}

/// Writes `COUNT` repetitions to the file that `REPETITIONS` names: `FEN;moves;verdict for the side to move`.
///
/// All of those in which one side checks or attacks anew with every move, some of the others. One in eight begins
/// with another move.
#[test]
#[ignore = "a tool: writes random repetitions to the file that REPETITIONS names"]
fn write_repetitions() {
    let number = |name: &str, default: u64| {
        env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let path = env::var_os("REPETITIONS").expect("REPETITIONS=file to write");
    let mut dice = SplitMix64::new(number("SEED", 1));
    let mut lines = String::new();
    let mut left = number("COUNT", 20_000);
    while left > 0 {
        let start = random_position(&mut dice);
        if start.is_material_insufficient() {
            continue;
        }
        let Some(cycle) = random_cycle(&start, &mut dice) else { continue };
        let mut attacks = [2; 2];
        let mut pos = start;
        for (ply, &m) in cycle.iter().enumerate() {
            attacks[ply % 2] = attack(&pos, m).min(attacks[ply % 2]);
            pos.make(m);
        }
        // One in fifty of those in which nobody attacks with every move.
        if dice.below(50) >= [1, 4, 50][attacks[0].max(attacks[1])] {
            continue;
        }
        let lead = if dice.below(8) == 0 { before(&start, &mut dice) } else { None };
        let first = lead.map_or(start, |(pos, _)| pos);
        let moves = lead.map(|(_, m)| m).into_iter().chain(cycle.iter().chain(&cycle).copied());
        write!(lines, "{};", first.to_fen()).expect("memory");
        let (mut pos, mut trail, mut verdict) = (first, Vec::new(), None);
        for m in moves {
            if verdict.is_none() {
                write!(lines, "{} ", pos.move_text(m)).expect("memory");
                trail.push(pos.step(pos.key(), m));
                pos.make(m);
                verdict = pos.verdict(pos.key(), &trail, 0);
            }
        }
        lines.pop();
        let verdict = match verdict.expect("the third occurrence ends the game") {
            Verdict::Draw => "draw",
            Verdict::Win => "win",
            Verdict::Loss => "loss",
        };
        writeln!(lines, ";{verdict}").expect("memory");
        left -= 1;
    }
    fs::write(path, lines).expect("a file that can be written");
}
