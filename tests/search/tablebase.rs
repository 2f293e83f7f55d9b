//! Endgame tables in play: won endings are won, drawn ones are held, requested root moves and lines are searched, and
//! a sleeping disk does not lose games.
//!
//! The normal tests play with the committed tables at fixed nodes; the nightly ones with all four-piece tables in the
//! folder `TABIYA_SYZYGY`, at 100 ms a move.

use super::player::{Player, position};
use crate::common::by_build;
use crate::common::program::Folder;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use tabiya::base::rng::SplitMix64;
use tabiya::chess;
use tabiya::chess::tablebase::{Material, Metric, PATIENT, Source, TableFile, Tablebases};
use tabiya::chess::{Bitboard, Kind, Move, Position};
use tabiya::engine::{Clock, Limits, MIN_ELO, Value, score};
use tabiya::game::{EndgameTables as _, TableResult};

/// Longest wait for a best move before the test fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// A player with the tables of a list of folders, if there is one.
fn player(tables: Option<&str>) -> Player<chess::Board> {
    let mut player = Player::new();
    if let Some(list) = tables {
        let (tables, faults) = Tablebases::open(list);
        assert_eq!(faults, []);
        player.engine.set_tablebase(tables);
    }
    player
}

/// Table hits of the last search.
fn hits(player: &Player<chess::Board>) -> u64 {
    player.found().last().tablebase_hits
}

/// The score of the last line of rank 1.
fn score_of(player: &Player<chess::Board>) -> Value {
    player.found().lines.iter().rfind(|line| line.rank == 1).expect("a line").score
}

fn folder() -> String {
    crate::common::root().join("tests/data/syzygy").to_str().unwrap().into()
}

fn fen(fen: &str) -> Position {
    position(fen)
}

/// A random position of one of the tables `names` with the result `wanted` for the side to move.
fn random_with(names: &[String], wanted: i8, tables: &Tablebases, dice: &mut SplitMix64) -> Position {
    loop {
        let pos = crate::common::endings::random_position(&names[dice.below(names.len())], dice);
        if pos.count_legal() > 0 && tables.wdl(&pos, PATIENT) == Ok(wanted) {
            return pos;
        }
    }
}

/// The defender's move with the longest resistance.
fn longest_resistance(tables: &Tablebases, pos: &Position) -> Move {
    tables.judge_moves(pos, PATIENT).0[0].m
}

/// The attacker's drawing move that leaves the fewest drawing replies.
fn hardest_test(tables: &Tablebases, pos: &Position) -> Move {
    let (judged, unknown) = tables.judge_moves(pos, PATIENT);
    assert!(unknown.is_empty(), "{pos:?}");
    let best = judged[0].wdl;
    let replies = |m: Move| {
        let mut child = *pos;
        child.make(m);
        tables.judge_moves(&child, PATIENT).0.iter().filter(|reply| reply.wdl == -best).count()
    };
    judged.iter().filter(|j| j.wdl == best).map(|j| j.m).min_by_key(|&m| replies(m)).unwrap()
}

/// Plays from `start`: the player moves for the side that begins, and for the other where `other` has no move. Ends
/// with the result that `over` has for a position after so many plies.
fn play<T>(
    player: &mut Player<chess::Board>,
    start: Position,
    limits: &Limits,
    other: impl Fn(&Position) -> Option<Move>,
    mut over: impl FnMut(&Position, usize) -> Option<T>,
) -> T {
    player.engine.clear();
    let (mut pos, mut moves) = (start, Vec::new());
    loop {
        if let Some(result) = over(&pos, moves.len()) {
            return result;
        }
        let known = if pos.side() == start.side() { None } else { other(&pos) };
        let m = known.unwrap_or_else(|| player.think(start, &moves, *limits).best.expect("a move"));
        pos.make(m);
        moves.push(m);
    }
}

/// Plays a won position out. Returns the number of plies to mate, or an error if it was not won.
fn convert(
    player: &mut Player<chess::Board>,
    tables: &Tablebases,
    start: Position,
    limits: &Limits,
) -> Result<usize, String> {
    play(
        player,
        start,
        limits,
        |pos| Some(longest_resistance(tables, pos)),
        |pos, plies| {
            if pos.count_legal() == 0 {
                let won = !pos.checkers().is_empty() && pos.side() != start.side();
                return Some(if won { Ok(plies) } else { Err(format!("{start:?}: no mate {pos:?}")) });
            }
            let drawn = pos.is_fifty_move_draw() || pos.is_material_insufficient() || plies > 400;
            drawn.then(|| Err(format!("{start:?}: not won after {plies} plies: {pos:?}")))
        },
    )
}

/// Defends a drawn position for `most` plies against the hardest moves.
fn hold(
    player: &mut Player<chess::Board>,
    tables: &Tablebases,
    start: Position,
    limits: &Limits,
    most: usize,
) -> Result<(), String> {
    play(
        player,
        start,
        limits,
        |pos| Some(hardest_test(tables, pos)),
        |pos, plies| {
            let wdl = tables.wdl(pos, PATIENT).unwrap();
            if if pos.side() == start.side() { wdl < 0 } else { wdl > 0 } {
                return Some(Err(format!("{start:?}: lost after {plies} plies: {pos:?}")));
            }
            (plies >= most || pos.count_legal() == 0 || pos.is_material_insufficient()).then_some(Ok(()))
        },
    )
}

/// Endings whose successors all have committed tables too.
fn closed() -> Vec<String> {
    ["KPvK", "KQvK", "KRvK", "KQQvK", "KRRvK", "KQvKQ", "KRvKB"].map(String::from).to_vec()
}

#[test]
fn won_endings_are_won_against_the_longest_resistance() {
    let (tables, _) = Tablebases::open(&folder());
    let mut player = player(Some(&folder()));
    let mut dice = SplitMix64::new(31);
    let mut longest = 0;
    for _ in 0..by_build(40, 8) {
        let start = random_with(&closed(), 2, &tables, &mut dice);
        let plies = convert(&mut player, &tables, start, &Limits::nodes(3_000)).unwrap();
        longest = longest.max(plies);
    }
    assert!(longest > 10, "{longest}");
    assert!(hits(&player) > 0);
}

/// Promotion to a rook, bishop or knight leads to tables that are not among the committed ones. The other moves are
/// ranked all the same: a search of one node plays by rank alone.
#[test]
fn won_endings_are_won_by_rank_although_tables_are_missing() {
    let (tables, _) = Tablebases::open(&folder());
    let mut player = player(Some(&folder()));
    let mut dice = SplitMix64::new(35);
    for _ in 0..by_build(60, 12) {
        let start = random_with(&["KQPvK".into()], 2, &tables, &mut dice);
        convert(&mut player, &tables, start, &Limits::nodes(1)).unwrap();
    }
}

/// Of two promotions one gives stalemate and the other leads to a table that is missing.
#[test]
fn moves_without_a_table_are_compared_with_drawing_ones_by_the_search() {
    let files = Folder::new("syzygy-incomplete");
    for name in ["KQvK.rtbw", "KQvK.rtbz"] {
        files.write(name, std::fs::read(PathBuf::from(folder()).join(name)).unwrap());
    }
    let list = files.path().to_str().unwrap();
    let (mut player, (tables, _)) = (player(Some(list)), Tablebases::open(list));
    let pos = fen("8/k1P5/2K5/8/8/8/8/8 w - - 0 1");
    let [queen, rook] = ["c7c8q", "c7c8r"].map(|text| pos.parse_move(text).unwrap());
    for moves in [[queen, rook], [rook, queen]] {
        let ranking = tables.rank(&pos, &[], &moves, true, PATIENT).unwrap();
        let known = |m: Move| ranking.moves.iter().find(|ranked| ranked.m == m).map(|r| (r.rank, r.result)).unwrap();
        assert_eq!(known(queen), (0, Some(TableResult::Draw)));
        assert_eq!(known(rook), (0, None));
        player.only = Some(moves.to_vec());
        assert_eq!(player.search(pos, Limits::depth(5)).best, Some(rook));
    }
}

#[test]
fn drawn_endings_are_held() {
    let (tables, _) = Tablebases::open(&folder());
    let mut player = player(Some(&folder()));
    let mut dice = SplitMix64::new(32);
    let names = ["KPvK", "KQvKQ", "KRvKB", "KRvKR"].map(String::from);
    for _ in 0..by_build(30, 6) {
        let start = random_with(&names, 0, &tables, &mut dice);
        hold(&mut player, &tables, start, &Limits::nodes(2_000), 30).unwrap();
    }
}

/// A score that the search stores for a position of the tables is on their side of the bound. The search does not see
/// it by itself: after the capture it probes only at the next capture or pawn move.
#[test]
fn stored_scores_keep_to_the_bounds_of_the_tables() {
    let (tables, _) = Tablebases::open(&folder());
    let mut player = player(Some(&folder()));
    let mut stored = 0;
    for text in [
        "4k3/8/8/8/3n4/8/8/K2R3R w - - 0 1",
        "k2r3r/8/8/3N4/8/8/8/4K3 b - - 0 1",
        "8/8/3k4/3b4/8/8/P2Q4/K7 w - - 0 1",
        "4k3/8/8/2q5/3Q4/8/8/K2Q4 w - - 0 1",
    ] {
        let root = fen(text);
        for depth in 2..=6 {
            player.engine.clear();
            player.think(root, &[], Limits::depth(depth));
            for &m in &root.legal_moves() {
                let mut child = root;
                child.make(m);
                if child.occupied().count() > 4 || !root.is_capture(m) {
                    continue;
                }
                // At depth 0, captures alone are searched, and the tables are not probed.
                let entry = player.engine.probe(child.key()).filter(|entry| entry.depth > 0);
                let Some(entry) = entry else { continue };
                match tables.wdl(&child, PATIENT) {
                    Ok(-2) => assert!(entry.score <= -score::DECIDED_BOUND, "{child:?} {entry:?}"),
                    Ok(2) => assert!(entry.score >= score::DECIDED_BOUND, "{child:?} {entry:?}"),
                    _ => assert!(entry.score.abs() <= 1, "{child:?} {entry:?}"),
                }
                stored += 1;
            }
        }
    }
    assert!(stored > 12, "{stored}");
}

/// A random position of the pieces of `name` against a bare king, which is not to move and cannot capture at once.
/// Two bishops are on opposite colours.
fn against_bare_king(name: &str, dice: &mut SplitMix64) -> Position {
    loop {
        let pos = crate::common::endings::random_position(name, dice);
        let (own, them) = (pos.side(), pos.side().flip());
        let bishops = pos.pieces(own, Kind::Bishop);
        let same = bishops.several() && bishops.meets(Bitboard::LIGHT) != bishops.meets(!Bitboard::LIGHT);
        let touched = pos.side_set(own).into_iter().any(|square| square.distance(pos.king(them)) < 2);
        if !pos.side_set(them).several() && !touched && !same {
            return pos;
        }
    }
}

/// Mates bare kings without tables. The defender plays the longest resistance where `tables` has the position, and
/// the engine's own move elsewhere. Returns how many of `count` were mated within fifty moves, and the failures.
fn mate_bare_kings(
    name: &str,
    strength: Option<u32>,
    count: usize,
    seed: u64,
    tables: &Tablebases,
) -> (usize, Vec<String>) {
    let (mut player, mut dice) = (Player::new(), SplitMix64::new(seed));
    player.engine.settings.strength = strength;
    let (mut longest, mut failures) = (0, Vec::new());
    for _ in 0..count {
        let start = against_bare_king(name, &mut dice);
        let other = |pos: &Position| tables.judge_moves(pos, PATIENT).0.first().map(|judged| judged.m);
        let (end, plies) = play(&mut player, start, &Limits::nodes(5_000), other, |pos, plies| {
            let over = pos.count_legal() == 0 || pos.is_fifty_move_draw() || pos.is_material_insufficient();
            over.then_some((*pos, plies))
        });
        longest = longest.max(plies);
        if end.count_legal() > 0 || end.checkers().is_empty() {
            failures.push(format!("{start:?} ended with {end:?}"));
        }
    }
    assert_eq!(hits(&player), 0);
    println!("{name}: {} of {count} mated, longest {longest} plies", count - failures.len());
    (count - failures.len(), failures)
}

#[test]
fn bare_kings_are_mated_without_tables() {
    let (tables, _) = Tablebases::open(&folder());
    for (seed, name) in ["KQvK", "KRvK", "KBBvK"].into_iter().enumerate() {
        let count = by_build(6, 1);
        let (mated, failures) = mate_bare_kings(name, None, count, 40 + seed as u64, &tables);
        assert_eq!(mated, count, "{}", failures.join("\n"));
    }
}

#[test]
fn a_limited_player_mates_bare_kings_with_a_queen_or_a_rook() {
    let (tables, _) = Tablebases::open(&folder());
    for (seed, name) in ["KQvK", "KRvK", "KRRvK"].into_iter().enumerate() {
        for elo in [MIN_ELO, 1_500] {
            let count = by_build(6, 2);
            let (mated, failures) = mate_bare_kings(name, Some(elo), count, 60 + seed as u64, &tables);
            assert_eq!(mated, count, "{elo}: {}", failures.join("\n"));
        }
    }
}

/// Nightly: 500 won and 500 drawn four-piece endings at 100 ms a move.
#[test]
#[ignore = "three quarters of an hour; run by .ci/nightly"]
fn five_hundred_won_and_five_hundred_drawn_endings() {
    let Some(list) = std::env::var_os("TABIYA_SYZYGY") else {
        return crate::common::skip_or_fail("TABIYA_SYZYGY", "five hundred endings");
    };
    let list = list.to_str().unwrap();
    let files = std::fs::read_dir(list).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = files.filter_map(|file| file.strip_suffix(".rtbw").filter(|name| name.len() == 5).map(String::from));
    let names = Vec::from_iter(names);
    assert_eq!(names.len(), 30, "all four-piece tables");
    let ((tables, _), mut player, mut dice) = (Tablebases::open(list), player(Some(list)), SplitMix64::new(34));
    let limits = Limits::movetime(Duration::from_millis(100));
    for _ in 0..500 {
        convert(&mut player, &tables, random_with(&names, 2, &tables, &mut dice), &limits).unwrap();
        hold(&mut player, &tables, random_with(&names, 0, &tables, &mut dice), &limits, 40).unwrap();
    }
}

#[test]
fn table_wins_are_reported_unless_the_fifty_move_rule_draws() {
    let mut player = player(Some(&folder()));
    // The mate is beyond the search depth, but the table shows the win.
    player.think(fen("8/8/8/3k4/8/8/8/K6R w - - 0 1"), &[], Limits::depth(3));
    let score = score_of(&player);
    assert!(score > score::TABLEBASE_WIN - 300 && score <= score::TABLEBASE_WIN, "{score}");
    assert!(hits(&player) > 0);
    player.think(fen("8/8/8/3k4/8/8/8/K6R b - - 0 1"), &[], Limits::depth(3));
    assert!(score_of(&player) < 300 - score::TABLEBASE_WIN, "{:?}", score_of(&player));
    // The mate takes too long with 88 plies on the half-move clock.
    let spoilt = fen("8/8/8/3k4/8/8/8/K6R w - - 88 90");
    player.think(spoilt, &[], Limits::depth(3));
    assert_eq!(score_of(&player), 1);
    player.engine.settings.tablebase_probe_depth = 1;
    player.engine.settings.tablebase_probe_limit = Some(7);
    player.engine.settings.ignores_fifty_moves = true;
    player.think(spoilt, &[], Limits::depth(3));
    assert!(score_of(&player) > score::TABLEBASE_WIN - 300);
    // No probes of positions with so many pieces: no hits.
    player.engine.settings.tablebase_probe_depth = 1;
    player.engine.settings.tablebase_probe_limit = Some(2);
    player.engine.settings.ignores_fifty_moves = false;
    player.think(fen("8/8/8/3k4/8/8/8/K6R w - - 0 1"), &[], Limits::depth(3));
    assert_eq!(hits(&player), 0);
}

#[test]
fn tables_are_probed_inside_the_tree() {
    let mut player = player(Some(&folder()));
    // Five pieces at the root: capturing the bishop draws, capturing the pawn wins.
    let pos = fen("8/8/8/8/3b4/1k6/1p6/3R2K1 w - - 0 1");
    player.think(pos, &[], Limits::depth(6));
    assert!(hits(&player) > 0);
    player.engine.settings.tablebase_probe_depth = 1;
    player.engine.settings.tablebase_probe_limit = Some(0);
    player.engine.settings.ignores_fifty_moves = false;
    player.think(pos, &[], Limits::depth(6));
    assert_eq!(hits(&player), 0);
}

#[test]
fn requested_root_moves_and_lines_are_searched() {
    let mut player = player(Some(&folder()));
    // A king move is not the fastest win.
    let pos = fen("8/8/8/8/8/2k5/8/K6Q w - - 0 1");
    let list = pos.legal_moves();
    let worst = list.iter().copied().find(|m| pos.moved_kind(*m) == Kind::King);
    if let Some(worst) = worst {
        player.only = Some(vec![worst]);
        assert_eq!(player.think(pos, &[], Limits::depth(4)).best, Some(worst));
    }
    let pos = fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    player.engine.settings.multi_pv = 30;
    let found = player.think(pos, &[], Limits::depth(5));
    let lines = &found.lines[found.lines.len() - pos.count_legal() as usize..];
    assert!((1..).zip(lines).all(|(rank, line)| line.rank == rank), "a line for every move");
    assert_eq!(Some(lines[0].moves[0]), found.best);
    let scores: Vec<Value> = lines.iter().map(|line| line.score).collect();
    let (tables, _) = Tablebases::open(&folder());
    for (i, &score) in scores.iter().enumerate() {
        let mut child = pos;
        child.make(lines[i].moves[0]);
        let won = tables.wdl(&child, PATIENT) == Ok(-2);
        assert_eq!(won, score > score::TABLEBASE_WIN - 300, "{scores:?}");
        assert!(i == 0 || won <= (scores[i - 1] > score::TABLEBASE_WIN - 300), "{scores:?}");
    }
    assert!(scores.contains(&0), "some move loses the queen: {scores:?}");
}

/// A file whose reads block until the test ends.
fn asleep(gate: Arc<(Mutex<bool>, Condvar)>) -> Source {
    let read_at = move |_: u64, _: &mut [u8]| {
        let guard = gate.0.lock().unwrap();
        drop(gate.1.wait_while(guard, |awake| !*awake).unwrap());
        Err(io::ErrorKind::TimedOut.into())
    };
    Source { len: 1 << 30, read_at: Box::new(read_at) }
}

#[test]
fn a_search_does_not_wait_for_a_sleeping_disk() {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let file = |name: &str| {
        let gate = Arc::clone(&gate);
        TableFile {
            name: format!("{name}.rtbw"),
            material: Material::parse(name).unwrap(),
            metric: Metric::Wdl,
            opener: Box::new(move || Ok(asleep(Arc::clone(&gate)))),
        }
    };
    let mut player = Player::new();
    let files = ["KRvK", "KRvKB", "KRvKP", "KRBvK"].map(file);
    player.engine.set_tablebase(Tablebases::from_files(files.into()));
    // The table applies at the root, or one capture away.
    for position in ["8/8/8/3k4/8/8/8/K6R w - - 0 1", "8/8/8/8/3b4/1k6/1p6/3R2K1 w - - 0 1"] {
        for threads in [1, 3] {
            player.engine.threads = threads;
            let timed = Limits::movetime(Duration::from_millis(40));
            assert!(player.think(fen(position), &[], timed).best.is_some());
        }
        // Analysis without a clock ends with `stop`.
        player.begin(fen(position), &[], Limits::infinite());
        std::thread::sleep(Duration::from_millis(30));
        player.stop.stop();
        assert!(player.answers_within(PATIENCE), "an answer after stop");
    }
    // The remaining time is used as if there were no tables: with a clock, of which only a small part may be spent
    // waiting, and without one.
    let remaining = Duration::from_secs(40);
    let clock = Some(Clock { remaining, ..Clock::default() });
    let limits = Limits::depth(7);
    for limits in [Limits { clock, ..limits }, limits] {
        let found = player.search(fen("8/8/8/8/3b4/1k6/1p6/3R2K1 w - - 0 1"), limits);
        assert!(found.best.is_some());
        assert_eq!(found.last().depth, 7, "the search itself must go on");
    }
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
}

#[test]
fn a_damaged_table_is_reported_and_the_search_goes_on() {
    let bytes = std::fs::read(PathBuf::from(folder()).join("KRvK.rtbw")).unwrap();
    let damaged = Folder::new("syzygy-damaged");
    let mut bytes = bytes;
    bytes[100] ^= 4;
    damaged.write("KRvK.rtbw", &bytes);
    let mut player = player(Some(damaged.path().to_str().unwrap()));
    let found = player.search(fen("8/8/8/3k4/8/8/8/K6R w - - 0 1"), Limits::depth(4));
    assert!(found.best.is_some());
    assert_eq!(found.faults, ["KRvK.rtbw is not used: its checksum is wrong"]);
    assert_eq!(hits(&player), 0);
}
