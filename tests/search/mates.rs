//! Mate searches (`go mate N`) through the engine interface, on composed problems with quiet keys, for both games:
//! the shortest mate and its line are found, mates that do not exist are ruled out, and other limits of the search
//! are respected.
//!
//! Mates from games, which mostly begin with checks, are in `lines.rs`.

use super::player::{Found, Game, Player, ends_in_mate, is_mated};
use crate::common::mates;
use std::time::Duration;
use tabiya::engine::{Clock, Limits, score};
use tabiya::game::{GameMove as _, Position, Rules, Searchable};
use tabiya::{chess, xiangqi};

/// Morphy's problem: only 1.Ra6 mates in 2.
const MORPHY: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

fn mate(moves: u32) -> Limits {
    Limits { mate: Some(moves), ..Limits::default() }
}

/// Checks that the line of a mate in `moves` has the right length, is legal and ends in mate.
fn check_mate<B: Searchable>(pos: &Position<B>, reports: &Found<B::Move>, moves: u32) {
    let (fen, line) = (pos.to_fen(), reports.line());
    assert_eq!(score::mate_moves(line.score), Some(moves as i32), "{fen}: {reports:?}");
    assert_eq!(line.moves.len(), 2 * moves as usize - 1, "{fen}: {line:?}");
    assert!(ends_in_mate(pos, line), "{fen}: {line:?}");
    assert_eq!(reports.shortest_mate(), Some(moves as i32), "{fen}: {reports:?}");
}

/// For every problem of a file: the mate in N is found, also with a limit of N + 1, and there is none in N − 1.
fn solve_all<B: Searchable>(file: &str, min_count: usize) {
    let mut solver = Player::<B>::new();
    let problems = mates::<B>(file);
    assert!(problems.len() >= min_count);
    for (pos, moves) in problems {
        let fen = pos.to_fen();
        for wanted in [moves, moves + 1] {
            let reports = solver.search(pos, mate(wanted));
            check_mate(&pos, &reports, moves);
            assert!(reports.messages.is_empty(), "{fen}: {:?}", reports.messages);
        }
        let reports = solver.search(pos, mate(moves - 1));
        assert!(reports.shortest_mate().is_none_or(|n| n >= moves as i32), "{fen}: {reports:?}");
        assert_eq!(reports.messages, [format!("there is no mate in {}", moves - 1)], "{fen}");
    }
}

#[test]
fn composed_problems_are_solved() {
    solve_all::<chess::Board>("problems.epd", 60);
}

#[test]
fn composed_xiangqi_problems_are_solved() {
    solve_all::<xiangqi::Board>("problems_xiangqi.epd", 40);
}

/// For every short problem: after the key, the opponent's loss is proven, in exactly as many moves as are left.
fn prove_losses<B: Searchable>(file: &str, longest: u32, min_count: usize) {
    let mut solver = Player::<B>::new();
    let mut proven = 0;
    for (mut pos, moves) in mates::<B>(file) {
        if !(2..=longest).contains(&moves) {
            continue;
        }
        let key = solver.search(pos, mate(moves)).line().moves[0];
        pos.make(key);
        let (fen, left) = (pos.to_fen(), moves - 1);
        for wanted in [left, left + 1] {
            let reports = solver.search(pos, mate(wanted));
            let line = reports.line();
            assert_eq!(line.score, score::mated_in(2 * left as usize), "{fen}: {reports:?}");
            assert_eq!(line.moves.len(), 2 * left as usize, "{fen}: {line:?}");
            assert!(ends_in_mate(&pos, line), "{fen}: {line:?}");
            let mut game = Game::new(pos);
            game.play_all(&line.moves);
            assert_eq!(reports.stalemate, !game.pos.in_check(), "{fen}: {line:?}");
            assert!(reports.messages.is_empty(), "{fen}: {:?}", reports.messages);
        }
        if left > 1 {
            let reports = solver.search(pos, mate(left - 1));
            let said = format!("there is no mate in {}", left - 1);
            assert_eq!(reports.messages, [said], "{fen}: {reports:?}");
            assert!(score::mate_moves(reports.line().score).is_none_or(|n| n <= -(left as i32)));
        }
        proven += 1;
    }
    assert!(proven >= min_count, "{proven}");
}

#[test]
fn losses_are_proven() {
    prove_losses::<chess::Board>("problems.epd", 4, 20);
    prove_losses::<xiangqi::Board>("problems_xiangqi.epd", 3, 15);
}

/// A loss that one of the root moves avoids is none, and several lines do not contradict it.
#[test]
fn a_loss_needs_every_move_to_lose() {
    // Mated in one whatever it plays; and with an escape.
    let lost: chess::Position = "8/8/8/8/8/6k1/r7/7K w - - 0 1".parse().unwrap();
    let saved: chess::Position = "8/8/8/8/8/6k1/r7/6K1 w - - 0 1".parse().unwrap();
    let mut solver = Player::new();
    for lines in [1, 3] {
        solver.engine.settings.multi_pv = lines;
        let reports = solver.search(lost, mate(1));
        assert_eq!((reports.line().score, reports.messages.len()), (score::mated_in(2), 0));
        let best = reports.line().score;
        assert!(reports.lines.iter().rfind(|l| l.rank == 2).is_none_or(|l| l.score <= best));
        let reports = solver.search(saved, mate(1));
        assert_eq!(reports.messages, ["there is no mate in 1"]);
    }
    // Under other limits too, and an infinite search still waits for its end.
    let limits = Limits { nodes: Some(100_000), ..mate(2) };
    assert_eq!(solver.search(lost, limits).line().score, score::mated_in(2));
    solver.begin(lost, &[], Limits { infinite: true, ..mate(2) });
    std::thread::sleep(Duration::from_millis(100));
    assert!(solver.engine.is_searching());
    solver.stop.stop();
    assert_eq!(solver.end().line().score, score::mated_in(2));
}

// --- draw and repetition rules ---------------------------------------------------------------------------

/// Reference by brute force: whether the side to move mates within `moves` moves. Any end of the game by the rules
/// saves the defender. The first `root` steps of `trail` are the game.
fn mates_within<B: Searchable>(pos: &Position<B>, trail: &mut Vec<B::Past>, root: usize, moves: u32) -> bool {
    let all = pos.legal_moves();
    moves > 0
        && all.as_slice().iter().any(|&m| after(pos, m, trail, root, |pos, trail| is_lost(pos, trail, root, moves - 1)))
}

fn is_lost<B: Searchable>(pos: &Position<B>, trail: &mut Vec<B::Past>, root: usize, moves: u32) -> bool {
    if is_mated(pos) {
        return true;
    }
    let all = pos.legal_moves();
    let replies = all.as_slice();
    moves > 0
        && !replies.is_empty()
        && replies.iter().all(|&m| after(pos, m, trail, root, |pos, trail| mates_within(pos, trail, root, moves)))
}

/// Applies `then` to the position after `m`; false if the rules end the game there.
fn after<B: Searchable>(
    pos: &Position<B>,
    m: B::Move,
    trail: &mut Vec<B::Past>,
    root: usize,
    then: impl FnOnce(&Position<B>, &mut Vec<B::Past>) -> bool,
) -> bool {
    trail.push(B::past(pos, m));
    let mut child = *pos;
    child.make(m);
    let ended = B::verdict(&child, trail, trail.len() - root).is_some();
    let answer = !ended && then(&child, trail);
    trail.pop();
    answer
}

/// The same position with another half-move clock.
fn with_counter<B: Rules>(pos: &Position<B>, counter: u32) -> Position<B> {
    let fen = pos.to_fen();
    let mut fields: Vec<_> = fen.split(' ').map(String::from).collect();
    fields[4] = counter.to_string();
    Position::<B>::from_fen(&fields.join(" ")).unwrap()
}

/// Checks mates in 2 with the half-move clock near `limit`, the number of plies that ends the game.
fn check_counter<B: Searchable>(file: &str, limit: u32, problems: usize) {
    let mut solver = Player::<B>::new();
    let mut answers = [0; 2];
    let twos = mates::<B>(file).into_iter().filter(|&(_, moves)| moves == 2);
    for (pos, _) in twos.take(problems) {
        for left in 0..=4 {
            let pos = with_counter(&pos, limit - left);
            for moves in 1..=3 {
                let has_mate = mates_within(&pos, &mut Vec::new(), 0, moves);
                let reports = solver.search(pos, mate(moves));
                let fen = pos.to_fen();
                if has_mate {
                    assert!(reports.messages.is_empty(), "{fen}: {:?}", reports.messages);
                    let length = reports.line().moves.len() as u32;
                    check_mate(&pos, &reports, length.div_ceil(2));
                } else {
                    assert_eq!(reports.messages, [format!("there is no mate in {moves}")], "{fen}");
                }
                answers[usize::from(has_mate)] += 1;
            }
        }
    }
    assert!(answers[0] > 3 * problems && answers[1] > 3 * problems, "{answers:?}");
}

#[test]
fn the_move_counter_may_save_the_defender() {
    check_counter::<chess::Board>("problems.epd", 100, 6);
    check_counter::<xiangqi::Board>("problems_xiangqi.epd", 120, 6);
}

/// The move back, if it is legal and not a capture.
fn back<B: Searchable>(pos: &Position<B>, m: B::Move) -> Option<B::Move> {
    let all = pos.legal_moves();
    let moves = all.as_slice();
    moves.iter().copied().find(|b| (b.from(), b.to()) == (m.to(), m.from()) && pos.victim(*b) == 0)
}

/// A game that starts at `pos` and plays `key`, a reply and both moves back, twice.
fn game_that_repeats<B: Searchable>(pos: &Position<B>, key: B::Move) -> Option<Vec<B::Move>> {
    let mut first = *pos;
    first.make(key);
    let all = first.legal_moves();
    all.as_slice().iter().find_map(|&reply| {
        let mut third = first;
        third.make(reply);
        let key_back = back(&third, key)?;
        let mut fourth = third;
        fourth.make(key_back);
        let reply_back = back(&fourth, reply)?;
        let mut end = fourth;
        end.make(reply_back);
        (end.key() == pos.key()).then(|| [key, reply, key_back, reply_back].repeat(2))
    })
}

fn check_repetitions<B: Searchable>(file: &str, min_count: u32) {
    let mut solver = Player::<B>::new();
    let (mut denied, mut others) = (0, 0);
    for (pos, moves) in mates::<B>(file).into_iter().filter(|&(_, moves)| moves == 2) {
        let key = solver.search(pos, mate(moves)).line().moves[0];
        let Some(game) = game_that_repeats(&pos, key) else { continue };
        let (mut end, mut trail) = (pos, Vec::new());
        for &m in &game {
            trail.push(B::past(&end, m));
            end.make(m);
        }
        // The key would bring its position for the third time.
        let root = trail.len();
        let has_mate = mates_within(&end, &mut trail, root, moves);
        let reports = solver.think(pos, &game, mate(moves));
        if has_mate {
            others += 1;
            check_mate(&end, &reports, moves);
            assert_ne!(reports.line().moves[0], key);
        } else {
            denied += 1;
            assert_eq!(reports.messages, [format!("there is no mate in {moves}")], "{}", pos.to_fen());
        }
    }
    assert!(denied >= min_count, "{denied} {others}");
}

#[test]
fn a_key_that_repeats_a_third_time_does_not_mate() {
    check_repetitions::<chess::Board>("problems.epd", 5);
    check_repetitions::<xiangqi::Board>("problems_xiangqi.epd", 2);
}

// --- options and limits ----------------------------------------------------------------------------------

fn morphy() -> (chess::Position, chess::Move) {
    let pos = chess::Position::from_fen(MORPHY).unwrap();
    (pos, pos.parse_move("a1a6").unwrap())
}

#[test]
fn only_the_allowed_root_moves_count() {
    let (pos, key) = morphy();
    let mut solver = Player::new();
    let others: Vec<_> = pos.legal_moves().iter().copied().filter(|&m| m != key).collect();
    solver.only = Some(others);
    let reports = solver.search(pos, mate(2));
    assert_eq!(reports.messages, ["there is no mate in 2"]);
    assert_ne!(reports.best, Some(key));
    solver.only = Some(vec![key]);
    check_mate(&pos, &solver.search(pos, mate(2)), 2);
}

#[test]
fn the_mate_is_first_with_several_lines_and_threads() {
    for (threads, lines) in [(1, 3), (2, 1), (2, 4)] {
        let mut solver = Player::new();
        solver.engine.threads = threads;
        solver.engine.settings.multi_pv = lines;
        for (pos, moves) in mates::<chess::Board>("problems.epd").into_iter().step_by(5) {
            let reports = solver.search(pos, mate(moves));
            check_mate(&pos, &reports, moves);
            let last = reports.line().depth;
            let shown = lines.min(pos.legal_moves().len());
            let end = &reports.lines[reports.lines.len() - shown..];
            assert!(end.iter().all(|line| line.depth == last), "{end:?}");
            let ranks: Vec<_> = end.iter().map(|line| line.rank as usize).collect();
            assert_eq!(ranks, (1..=shown).collect::<Vec<_>>());
            let mut firsts: Vec<_> = end.iter().map(|line| line.moves[0]).collect();
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), shown);
        }
    }
}

#[test]
fn proofs_help_within_other_limits() {
    let minute = Duration::from_secs(60);
    let clock = Clock { remaining: minute, ..Clock::default() };
    let (pos, _) = morphy();
    let mut solver = Player::new();
    for limits in [
        Limits { nodes: Some(5_000), ..mate(2) },
        Limits { depth: Some(3), ..mate(2) },
        Limits { movetime: Some(minute), ..mate(2) },
        Limits { clock: Some(clock), ..mate(2) },
        Limits { clock: Some(clock), ..mate(u32::MAX) },
        Limits { depth: Some(3), nodes: Some(5_000), movetime: Some(minute), ..mate(9) },
    ] {
        let reports = solver.search(pos, limits);
        check_mate(&pos, &reports, 2);
        assert!(reports.messages.is_empty(), "{limits:?}: {:?}", reports.messages);
    }
    // Searches that only `stop` may end wait for it, even after the mate is found.
    for limits in [
        Limits { infinite: true, ..mate(2) },
        Limits { ponder: true, ..mate(2) },
        Limits { ponder: true, clock: Some(clock), ..mate(3) },
    ] {
        solver.begin(pos, &[], limits);
        std::thread::sleep(Duration::from_millis(100));
        assert!(!solver.answers_within(Duration::ZERO));
        solver.stop.stop();
        check_mate(&pos, &solver.end(), 2);
    }
}

/// The number after the last "none in" of a message, or 0.
fn excluded(message: &str) -> u32 {
    message.rsplit_once("there is none in ").map_or(0, |(_, moves)| moves.parse().unwrap())
}

#[test]
fn the_message_without_a_mate_has_the_reason_and_the_proven_length() {
    let start = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
    let mut solver = Player::new();
    for nodes in [1, 50, 1_000, 30_000] {
        for moves in [9, 119, 200, u32::MAX] {
            let reports = solver.search(start, Limits { nodes: Some(nodes), ..mate(moves) });
            let used = reports.lines.iter().map(|line| line.nodes).max().unwrap();
            assert!(used <= nodes, "{used} of {nodes}");
            let [message] = &reports.messages[..] else { panic!("{reports:?}") };
            let begin = format!("no mate was found in {moves}: node limit {nodes} is reached");
            assert!(message.starts_with(&begin), "{message}");
            assert!(nodes < 1_000 || excluded(message) >= 1, "{message}");
            assert!(nodes < 30_000 || excluded(message) >= 2, "{message}");
        }
    }
    let reports = solver.search(start, Limits { depth: Some(4), ..mate(9) });
    assert_eq!(reports.messages, ["no mate was found in 9: depth 4 is reached; there is none in 2"]);
    let reports = solver.search(start, Limits { depth: Some(4), ..mate(2) });
    assert_eq!((&reports.messages[..], reports.line().depth), (&["there is no mate in 2".into()][..], 4));
    let movetime = Some(Duration::from_millis(50));
    let reports = solver.search(start, Limits { movetime, ..mate(9) });
    assert!(reports.messages[0].starts_with("no mate was found in 9: time is up"), "{reports:?}");
    for limits in [mate(30), Limits { infinite: true, ..mate(8) }] {
        let text = format!("no mate was found in {}: stopped", limits.mate.unwrap());
        solver.begin(start, &[], limits);
        std::thread::sleep(Duration::from_millis(200));
        solver.stop.stop();
        let reports = solver.end();
        assert!(reports.messages[0].starts_with(&text), "{reports:?}");
    }
}
