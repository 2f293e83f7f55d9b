//! Random repetitions of xiangqi: with our verdict on each, for `compare_repetitions.py`, and searched.
//!
//! Started by cargo:
//!
//! ```text
//! REPETITIONS=target/repetitions cargo test --release --test tabiya -- --ignored write_repetitions
//! COUNT=5000 DEPTH=8 cargo test --release --test tabiya decided_scores
//! ```

use crate::common::sample;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::{env, fs};
use tabiya::base::rng::SplitMix64;
use tabiya::engine::{Bound, Engine, Event, Limits, Listener, Value, score};
use tabiya::game::{Rules as _, Verdict};
use tabiya::xiangqi::board::repetition::Past;
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
        let (mut pos, mut trail, mut verdict) = (first, Vec::new(), None);
        for m in moves {
            if verdict.is_none() {
                write!(lines, "{} ", pos.move_text(m)).expect("memory");
                trail.push(Board::past(&pos, m));
                pos.make(m);
                verdict = Board::verdict(&pos, &trail, 0);
            }
        }
        lines.pop();
        let verdict = match verdict.expect("the third occurrence ends the game") {
            Verdict::Draw => "draw",
            Verdict::Win => "win",
            Verdict::Loss => "loss",
            bound => unreachable!("{bound:?} outside a search"),
        };
        writeln!(lines, ";{verdict}").expect("memory");
    }
    fs::write(path, lines).expect("a file that can be written");
}

/// Lines with their scores.
type Lines = Arc<Mutex<Vec<(Vec<Move>, Value)>>>;

/// Keeps every line with a decided score.
struct Recorder(Lines);

impl Listener<Move> for Recorder {
    fn hear(&mut self, event: &Event<'_, Move>) {
        if let Event::Line(info) = event
            && info.bound == Bound::Exact
            && score::is_decided(info.score)
        {
            self.0.lock().unwrap().push((info.pv.to_vec(), info.score));
        }
    }
}

/// A game in progress: position, trail, and how the rules on repetition have ended it.
#[derive(Clone)]
struct Game {
    pos: Position,
    trail: Vec<Past>,
    verdict: Option<Verdict>,
}

impl Game {
    /// The game as far as it goes on.
    fn new(start: Position, moves: &[Move]) -> Game {
        let mut game = Game { pos: start, trail: Vec::new(), verdict: None };
        moves.iter().all(|&m| game.play(m));
        game
    }

    /// Makes a move, unless the game is over.
    fn play(&mut self, m: Move) -> bool {
        if self.verdict.is_none() {
            self.trail.push(Board::past(&self.pos, m));
            self.pos.make(m);
            self.verdict = Board::verdict(&self.pos, &self.trail, 0);
            return true;
        }
        false
    }

    /// What is wrong with a decided score and its line.
    fn fault(mut self, line: &[Move], value: Value) -> Option<String> {
        if !line.iter().all(|&m| self.play(m)) {
            return Some(format!("goes on after {:?}", self.verdict));
        }
        // The root's side is to move after an even number of plies.
        let won = (value > 0) == line.len().is_multiple_of(2);
        let decided = if won { Verdict::Win } else { Verdict::Loss };
        if self.verdict != score::is_forfeit(value).then_some(decided) {
            return Some(format!("ends with {:?}", self.verdict));
        }
        let mates = score::mate_plies(value).is_some_and(|plies| plies.abs() == line.len() as i32);
        (mates && (won || self.pos.count_legal() > 0)).then(|| "is no mate".to_string())
    }
}

/// Searches `COUNT` random repetitions to `DEPTH`, before, inside and after the first cycle, with what the earlier
/// searches of each have left in the table.
#[test]
fn decided_scores_hold_in_the_game_of_their_line() {
    let mut rng = SplitMix64::new(number("SEED", 1));
    let depth = number("DEPTH", 6) as u32;
    let lines = Arc::new(Lines::default());
    let mut engine = Engine::new();
    let (mut forfeits, mut mates, mut faults) = (0, 0, 0);
    for _ in 0..number("COUNT", sample(30, 60)) {
        let (start, cycle) = attacking_cycle(&mut rng);
        let once = cycle.len();
        let moves = [&cycle[..], &cycle].concat();
        engine.clear();
        let [inside, later] = [1, 1 + once].map(|first| first + rng.below(once - 1));
        for played in [0, inside, once, later, 2 * once - 1] {
            let game = Game::new(start, &moves[..played]);
            if game.verdict.is_some() {
                continue;
            }
            engine.set_position(start, &moves[..played]);
            engine.go(Limits::depth(depth), None, Box::new(Recorder(Arc::clone(&lines))));
            engine.wait();
            for (line, value) in lines.lock().unwrap().drain(..) {
                let kind = if score::is_forfeit(value) { &mut forfeits } else { &mut mates };
                *kind += 1;
                if let Some(fault) = game.clone().fault(&line, value) {
                    println!("{} {:?} {value} {line:?}: {fault}", start.to_fen(), &moves[..played]);
                    faults += 1;
                }
            }
        }
    }
    println!("{forfeits} scores of games decided by repetition, {mates} of mates");
    assert!(faults == 0 && forfeits > 0 && mates > 0, "{faults} faults");
}
