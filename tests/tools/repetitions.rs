//! Random repetitions of xiangqi: with our verdict on each, for `compare_repetitions.py`, and searched.
//!
//! Started by cargo:
//!
//! ```text
//! REPETITIONS=target/repetitions cargo test --release --test tabiya -- --ignored write_repetitions
//! COUNT=5000 DEPTH=8 cargo test --release --test tabiya decided_scores
//! ```

use crate::common::game::Game;
use crate::common::sample;
use crate::search::player::Player;
use std::fmt::Write as _;
use std::{env, fs};
use tabiya::base::rng::SplitMix64;
use tabiya::engine::{Bound, Limits, score};
use tabiya::game::Verdict;
use tabiya::xiangqi::types::moves::Move;
use tabiya::xiangqi::types::square::Square;
use tabiya::xiangqi::{Board, Position};

/// Squares of Red's elephants and advisors, as file and rank; Black's are mirrored.
const ELEPHANTS: [(usize, usize); 7] = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)];
const ADVISORS: [(usize, usize); 5] = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)];

/// A random legal position: the kings and three to eighteen other pieces.
fn random_position(rng: &mut SplitMix64) -> Position {
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
            put('k', red, 3 + rng.below(3), rng.below(3));
        }
        for _ in 0..3 + rng.below(16) {
            let letter = char::from(b"rrrcccnnnbbaappp"[rng.below(16)]);
            let (file, rank) = match letter {
                'b' => ELEPHANTS[rng.below(7)],
                'a' => ADVISORS[rng.below(5)],
                'p' => (rng.below(9), 3 + rng.below(7)),
                _ => (rng.below(9), rng.below(10)),
            };
            put(letter, rng.below(2) == 0, file, rank);
        }
        let ranks = board.iter().rev().map(|rank| rank.iter().collect::<String>());
        let mut fen = ranks.collect::<Vec<_>>().join("/");
        for empty in (1..=9).rev() {
            fen = fen.replace(&" ".repeat(empty), &empty.to_string());
        }
        fen += if rng.below(2) == 0 { " w" } else { " b" };
        if let Ok(pos) = Position::from_fen(&fen) {
            return pos;
        }
    }
}

/// The captures that the side that has just moved would have if it could move again; `None` if it gives check.
fn captures(pos: &Position) -> Option<Vec<Move>> {
    let mut passed = *pos;
    if pos.in_check() {
        return None;
    }
    passed.make_null();
    Some(passed.legal_moves().iter().copied().filter(|&m| passed.is_capture(m)).collect())
}

/// What `m` attacks: 2 for a check or a new attack, 1 for attacks that existed before, 0 for nothing.
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

/// A quiet move accepted by `wanted`: of some random ones the one that attacks most, and then one that leaves nothing
/// to capture.
fn active_move(pos: &Position, rng: &mut SplitMix64, wanted: impl Fn(Move) -> bool) -> Option<Move> {
    let all = pos.legal_moves();
    let quiet: Vec<Move> = all.iter().copied().filter(|&m| !pos.is_capture(m) && wanted(m)).collect();
    let tries = 1 + rng.below(8);
    let chosen = (0..tries).filter(|_| !quiet.is_empty()).map(|_| quiet[rng.below(quiet.len())]);
    let tried: Vec<Move> = chosen.collect();
    tried.into_iter().max_by_key(|&m| {
        let after = made(pos, m);
        let safe = !after.legal_moves().iter().any(|&reply| after.is_capture(reply));
        2 * attack(pos, m) + usize::from(safe)
    })
}

/// A random legal cycle from `start` without captures, two to four moves for each side.
fn random_cycle(start: &Position, rng: &mut SplitMix64) -> Option<Vec<Move>> {
    let each = [2, 3, 3, 4, 4, 4][rng.below(6)];
    // The displaced pieces of each side: their original and current squares.
    let mut away: [Vec<(Square, Square)>; 2] = [Vec::new(), Vec::new()];
    let mut pos = *start;
    let mut cycle = Vec::new();
    for ply in 0..2 * each {
        let mine = &mut away[ply % 2];
        let home = |m: Move| mine.iter().find(|piece| piece.1 == m.from()).map_or(m.from(), |piece| piece.0);
        // No more pieces may be displaced than moves are left to return them; the last move but one must leave one.
        let left = each - ply / 2 - 1;
        let m = active_move(&pos, rng, |m| {
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

/// A position from which a quiet move leads to `pos`, and that move.
fn before(pos: &Position, rng: &mut SplitMix64) -> Option<(Position, Move)> {
    if pos.in_check() {
        return None;
    }
    let mut passed = *pos;
    passed.make_null();
    let away = active_move(&passed, rng, |_| true)?;
    let fen = made(&passed, away).to_fen();
    let (board, _) = fen.split_once(' ')?;
    let side = if passed.to_fen().contains(" w") { "w" } else { "b" };
    let earlier = Position::from_fen(&format!("{board} {side}")).ok()?;
    let back = earlier
        .legal_moves()
        .iter()
        .copied()
        .find(|m| m.from() == away.to() && m.to() == away.from() && made(&earlier, *m).key() == pos.key())?;
    Some((earlier, back))
}

/// The number in the environment variable `name`.
fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// A position and a cycle: every one in which one side checks or newly attacks with each move, and a part of the
/// others.
fn attacking_cycle(rng: &mut SplitMix64) -> (Position, Vec<Move>) {
    loop {
        let start = random_position(rng);
        if start.is_material_insufficient() {
            continue;
        }
        let Some(cycle) = random_cycle(&start, rng) else { continue };
        let mut attacks = [2; 2];
        let mut pos = start;
        for (ply, &m) in cycle.iter().enumerate() {
            attacks[ply % 2] = attack(&pos, m).min(attacks[ply % 2]);
            pos.make(m);
        }
        // Keeps one in fifty without attacks in every move, four in fifty with old attacks only.
        if rng.below(50) < [1, 4, 50][attacks[0].max(attacks[1])] {
            return (start, cycle);
        }
    }
}

/// Writes `COUNT` repetitions to the file that `REPETITIONS` names: `FEN;moves;verdict for the side to move`. One in
/// eight is preceded by another move.
#[test]
#[ignore = "a tool: writes random repetitions to the file that REPETITIONS names"]
fn write_repetitions() {
    let path = env::var_os("REPETITIONS").expect("REPETITIONS=file to write");
    let mut rng = SplitMix64::new(number("SEED", 1));
    let mut lines = String::new();
    for _ in 0..number("COUNT", 20_000) {
        let (start, cycle) = attacking_cycle(&mut rng);
        let lead = if rng.below(8) == 0 { before(&start, &mut rng) } else { None };
        let first = lead.map_or(start, |(pos, _)| pos);
        let moves = lead.map(|(_, m)| m).into_iter().chain(cycle.iter().chain(&cycle).copied());
        write!(lines, "{};", first.to_fen()).expect("memory");
        let mut game = Game::<Board>::new(first);
        for m in moves {
            if game.verdict(0).is_none() {
                write!(lines, "{} ", game.pos.move_text(m)).expect("memory");
                game.play(m);
            }
        }
        lines.pop();
        let verdict = match game.verdict(0).expect("the third occurrence ends the game") {
            Verdict::Draw => "draw",
            Verdict::Win => "win",
            Verdict::Loss => "loss",
            bound => unreachable!("{bound:?} outside a search"),
        };
        writeln!(lines, ";{verdict}").expect("memory");
    }
    fs::write(path, lines).expect("a file that can be written");
}

/// Makes the moves as far as the game goes on; whether it goes on after them.
fn goes_on(game: &mut Game<Board>, moves: &[Move]) -> bool {
    for &m in moves {
        if game.verdict(0).is_some() {
            return false;
        }
        game.play(m);
    }
    game.verdict(0).is_none()
}

/// Searches `COUNT` random repetitions to `DEPTH`, before, inside and after the first cycle, with what the earlier
/// searches of each have left in the table.
#[test]
fn decided_scores_hold_in_the_game_of_their_line() {
    let mut rng = SplitMix64::new(number("SEED", 1));
    let depth = number("DEPTH", 6) as u32;
    let mut player = Player::new();
    let (mut forfeits, mut mates) = (0, 0);
    for _ in 0..number("COUNT", sample(30, 60)) {
        let (start, cycle) = attacking_cycle(&mut rng);
        let once = cycle.len();
        let moves = [&cycle[..], &cycle].concat();
        player.engine.clear();
        let [inside, later] = [1, 1 + once].map(|first| first + rng.below(once - 1));
        for played in [0, inside, once, later, 2 * once - 1] {
            let mut game = Game::new(start);
            if !goes_on(&mut game, &moves[..played]) {
                continue;
            }
            let found = player.think(start, &moves[..played], Limits::depth(depth));
            for line in found.lines.iter().filter(|line| line.bound == Bound::Exact && score::is_decided(line.score)) {
                let what = format!("{} {:?}: {line:?}", start.to_fen(), &moves[..played]);
                let mut end = game.clone();
                let (last, before) = line.moves.split_last().expect("a move");
                assert!(goes_on(&mut end, before), "{what}");
                end.play(*last);
                // The root's side is to move after an even number of plies.
                let won = (line.score > 0) == line.moves.len().is_multiple_of(2);
                if score::is_forfeit(line.score) {
                    forfeits += 1;
                    assert_eq!(end.verdict(0), Some(if won { Verdict::Win } else { Verdict::Loss }), "{what}");
                } else {
                    mates += 1;
                    assert_eq!(end.verdict(0), None, "{what}");
                    let is_whole = score::mate_plies(line.score).is_some_and(|n| n.abs() == line.moves.len() as i32);
                    assert!(!is_whole || !won && end.pos.count_legal() == 0, "{what}");
                }
            }
        }
    }
    println!("{forfeits} scores of games decided by repetition, {mates} of mates");
    assert!(forfeits > 0 && mates > 0);
}
