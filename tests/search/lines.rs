//! What a search reports, in both games: mates and their lines, several lines, lines of a stopped search, and the same
//! nodes in every run. Positions come from `tests/data`, the suites and `protocol::games`.

use super::player::{Game, Line, Player, ends_in_mate, is_mated, position};
use crate::common::{mates, sample};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{self, Position};
use tabiya::engine::{Bound, Limits, score};
use tabiya::game::{self, Searchable, Verdict};
use tabiya::protocol::games::{Bench, bench_positions};
use tabiya::xiangqi;

/// Every mate is found by a mate limit, and a search to `deep` plies reports none that is too short. The file has at
/// least `least` mates, and that search finds at least `seen` of them.
fn check_mates<B: Searchable>(file: &str, (least, seen): (usize, usize), deep: impl Fn(u32) -> u32) {
    let mut player = Player::<B>::new();
    let collection = mates::<B>(file);
    assert!(collection.len() >= least);
    let (step, mut found_too) = (sample(4, 1), 0);
    for &(pos, moves) in collection.iter().step_by(step) {
        let fen = pos.to_fen();
        let limits = Limits { mate: Some(moves), ..Limits::nodes(20_000_000) };
        let found = player.search(pos, limits);
        assert_eq!(score::mate_moves(found.score), Some(moves as i32), "{fen}");
        assert_eq!(found.shortest_mate(), Some(moves as i32), "{fen}");
        let last = found.last();
        assert_eq!(last.moves.len(), 2 * moves as usize - 1, "{fen}");
        assert!(ends_in_mate(&pos, last), "{fen}");
        assert_eq!(Some(last.moves[0]), found.best);
        let shortest = player.search(pos, Limits::depth(deep(moves))).shortest_mate();
        assert!(shortest.is_none_or(|n| n >= moves as i32), "{fen}: {shortest:?}");
        found_too += usize::from(shortest.is_some());
    }
    assert!(found_too >= seen / step, "{found_too} of {}", collection.len() / step);
}

#[test]
fn mates_are_found_and_no_reported_mate_is_too_short() {
    check_mates::<chess::Board>("mates.epd", (100, 50), |_| 8);
}

#[test]
fn xiangqi_mates_are_found_and_no_reported_mate_is_too_short() {
    // Pruning can miss quiet mate threats for a while.
    check_mates::<xiangqi::Board>("mates_xiangqi.epd", (70, 67), |moves| 2 * moves + 14);
}

/// Lines are legal, none goes on after the end of the game, and a mate score has a line that ends in mate.
fn check_lines<B: Searchable>(positions: Vec<game::Position<B>>) {
    let mut player = Player::<B>::new();
    let mut lines = 0;
    for (round, pos) in positions.into_iter().enumerate() {
        let fen = pos.to_fen();
        player.engine.settings.multi_pv = 1 + round % 3;
        let found = player.search(pos, Limits::depth(8));
        assert!(found.best.map_or(pos.count_legal() == 0, |m| pos.is_legal(m)), "{fen}: {:?}", found.best);
        for line in found.lines {
            if line.depth == 0 {
                assert!(line.moves.is_empty() && pos.count_legal() == 0, "{fen}");
                continue;
            }
            assert!(!line.moves.is_empty());
            lines += 1;
            let mut game = Game::new(pos);
            for (played, &m) in line.moves.iter().enumerate() {
                let verdict = if played > 0 { game.verdict(played) } else { None };
                let goes_on = matches!(verdict, None | Some(Verdict::AtMostDraw | Verdict::AtLeastDraw));
                assert!(goes_on, "{fen}: {line:?} goes on after move {played}");
                game.play(m);
            }
            if score::mate_plies(line.score) == Some(line.moves.len() as i32) {
                assert!(is_mated(&game.pos), "{fen}: {line:?}");
            }
        }
    }
    assert!(lines > 400);
}

#[test]
fn lines_are_legal_and_end_with_the_game() {
    let mut rng = SplitMix64::new(5);
    let random = |_| {
        let mut pos = Position::default();
        for _ in 0..rng.below(90) {
            let list = pos.legal_moves();
            if list.is_empty() {
                break;
            }
            pos.make(list[rng.below(list.len())]);
        }
        pos
    };
    check_lines((0..60).map(random).collect());
    check_lines(crate::common::xiangqi::random_positions(14, 60));
}

/// One thread searches the same nodes every time.
fn check_counts<B: Searchable>(positions: &[game::Position<B>], depth: u32) {
    let mut player = Player::<B>::new();
    let mut count = || {
        let search = |&pos: &game::Position<B>| {
            let found = player.search(pos, Limits::depth(depth));
            (found.best, found.score, found.nodes())
        };
        positions.iter().map(search).collect::<Vec<_>>()
    };
    assert_eq!(count(), count());
}

#[test]
fn one_thread_searches_the_same_nodes_every_time() {
    check_counts::<chess::Board>(
        &bench_positions::<chess::Board>()[..8].iter().map(|fen| position(fen)).collect::<Vec<_>>(),
        9,
    );
    let fens = crate::common::xiangqi::suite_fens();
    let fens = fens.iter().step_by(7).take(12);
    check_counts::<xiangqi::Board>(&fens.map(|fen| position(fen)).collect::<Vec<_>>(), 8);
    let request = Bench { limit: Some(5), ..Bench::default() };
    let bench = || request.run::<chess::Board>(|_| {}).unwrap().nodes;
    assert_eq!(bench(), bench());
}

#[test]
fn stopped_searches_report_lines_of_one_depth_and_all_nodes() {
    let mut player = Player::<chess::Board>::new();
    let (mut unfinished, mut too_few) = (0, 0);
    for lines in [1, 2, 3, 5] {
        player.engine.settings.multi_pv = lines;
        for (i, fen) in bench_positions::<chess::Board>().iter().take(8).enumerate() {
            for nodes in [1_000, 2_500, 5_000, 9_000, 20_000] {
                let nodes = nodes + 100 * i as u64;
                let pos: Position = position(fen);
                let lines = lines.min(pos.legal_moves().len());
                let best = player.search(pos, Limits::nodes(nodes));
                let found = &best.lines;
                // Few nodes may not be enough for the first root moves of depth 1.
                let Some(first) = found.len().checked_sub(lines) else {
                    assert!(found.iter().all(|line| line.depth == 1), "{fen}: {found:?}");
                    too_few += 1;
                    continue;
                };
                let last = &found[first..];
                let ranks: Vec<u32> = last.iter().map(|line| line.rank).collect();
                assert_eq!(ranks, Vec::from_iter(1..=lines as u32), "{fen}");
                assert!(last.iter().all(|line| line.depth == last[0].depth), "{fen}: {last:?}");
                assert!(last.iter().all(|line| line.nodes == nodes), "{fen}: {last:?}");
                assert!(last.is_sorted_by(|a, b| a.score >= b.score), "{fen}: {last:?}");
                let others = |(i, line): (usize, &Line<_>)| last[..i].iter().all(|l| l.moves[0] != line.moves[0]);
                assert!(last.iter().enumerate().all(others), "{fen}: {last:?}");
                assert_eq!(best.best, Some(last[0].moves[0]), "{fen}: {last:?}");
                assert!(best.ponder.is_none() || last[0].moves.len() < 2 || best.ponder == Some(last[0].moves[1]));
                let deepest = found.iter().map(|line| line.depth).max();
                let shown = found.iter().filter(|line| Some(line.depth) == deepest).count();
                unfinished += usize::from(shown > lines);
            }
        }
    }
    assert!(unfinished > 20 && too_few < 8, "{unfinished} {too_few}");
}

#[test]
fn works_with_the_smallest_table_and_many_threads() {
    let mut player = Player::<chess::Board>::new();
    player.engine.set_hash(1).unwrap();
    assert!(player.engine.set_hash(usize::MAX).is_err());
    for threads in [1, 2, 5] {
        player.engine.threads = threads;
        for fen in &bench_positions::<chess::Board>()[..6] {
            let pos: Position = position(fen);
            let found = player.search(pos, Limits::nodes(60_000));
            let last = found.last();
            Game::new(pos).play_all(&last.moves);
            // The move played must match the last report, whichever thread found it.
            assert_eq!(found.best, last.moves.first().copied());
            assert!(last.bound != Bound::Exact || found.score == last.score);
        }
    }
}
