//! Proofs of the mates in `tests/data`: all moves of both sides are tried, without pruning. The half-move clock starts
//! at 0, so move-count draws and repetitions do not matter within five moves.
//!
//! Candidates come from `harvest_mates.py`. Started by cargo:
//!
//! ```text
//! cargo test --release --test tabiya -- --nocapture every_mate
//! MATES=candidates.epd cargo test --release --test tabiya -- --ignored --nocapture prove_candidates
//! ```

use crate::common::{by_build, fen_row, mates, sample};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use tabiya::base::rng::SplitMix64;
use tabiya::game::{Half as _, PackedOf, Position, Rules, Searchable, Side};
use tabiya::{chess, xiangqi};

/// A mate prover for one game, with its results so far.
struct Prover<B: Searchable> {
    /// By position, side to move and number of moves: whether the side to move mates within them.
    known: HashMap<(PackedOf<B>, Side, u32), bool>,
}

fn children<B: Rules>(pos: &Position<B>) -> Vec<Position<B>> {
    let made = |&m: &B::Move| {
        let mut child = *pos;
        child.make(m);
        child
    };
    pos.legal_moves().as_slice().iter().map(made).collect()
}

impl<B: Searchable> Prover<B> {
    fn new() -> Self {
        Prover { known: HashMap::new() }
    }

    /// Whether the side to move is checkmated, or stalemated where that loses.
    fn is_mated(pos: &Position<B>) -> bool {
        (B::STALEMATE_LOSES || pos.in_check()) && pos.count_legal() == 0
    }

    /// Whether the side to move mates in at most `moves` moves against any defence.
    fn mates_within(&mut self, pos: &Position<B>, moves: u32) -> bool {
        if moves == 0 {
            return false;
        }
        let mut tried = children(pos);
        if moves == 1 {
            return tried.iter().any(Self::is_mated);
        }
        let entry = (B::Half::pack(pos), pos.side(), moves);
        if let Some(&answer) = self.known.get(&entry) {
            return answer;
        }
        // Moves with few replies first. The order affects only the time.
        tried.sort_by_cached_key(|child| (child.count_legal(), !child.in_check()));
        let answer = tried.iter().any(|child| self.is_lost_within(child, moves));
        self.known.insert(entry, answer);
        answer
    }

    /// Whether the side to move is mated by move number `moves` of the opponent at the latest, where the move just made
    /// is number 1.
    fn is_lost_within(&mut self, pos: &Position<B>, moves: u32) -> bool {
        let replies = children(pos);
        if replies.is_empty() {
            return Self::is_mated(pos);
        }
        moves > 1 && replies.iter().all(|next| self.mates_within(next, moves - 1))
    }

    /// The number of moves in which the side to move mates, if at most `most`.
    fn shortest(&mut self, pos: &Position<B>, most: u32) -> Option<u32> {
        (1..=most).find(|&moves| self.mates_within(pos, moves))
    }

    /// The moves that begin a mate in at most `moves` moves.
    fn keys(&mut self, pos: &Position<B>, moves: u32) -> Vec<B::Move> {
        let all = pos.legal_moves();
        let tried = all.as_slice().iter().copied().zip(children(pos));
        tried.filter(|(_, child)| self.is_lost_within(child, moves)).map(|(m, _)| m).collect()
    }
}

/// Proves the mates of one suite in up to `most` moves; returns their number.
fn prove<B: Searchable>(file: &str, most: u32) -> usize {
    let mut proven = 0;
    for (pos, moves) in mates::<B>(file).into_iter().filter(|&(_, moves)| moves <= most) {
        // A new prover for every position bounds the memory.
        let found = Prover::new().shortest(&pos, moves);
        assert_eq!(found, Some(moves), "{file}: {}", pos.to_fen());
        proven += 1;
    }
    println!("{file}: {proven} mates in up to {most} proven");
    proven
}

#[test]
fn every_mate_of_the_suites_is_the_shortest() {
    // The long ones take too long in a build with assertions.
    let most = by_build(sample(4, u32::MAX), 3);
    assert_eq!(prove::<chess::Board>("problems.epd", most), by_build(sample(84, 87), 79));
    assert_eq!(prove::<xiangqi::Board>("problems_xiangqi.epd", most), 52);
    let proven = prove::<chess::Board>("mates.epd", most);
    assert_eq!(proven, by_build(sample(120, 160), 80));
    let proven = prove::<xiangqi::Board>("mates_xiangqi.epd", most);
    assert_eq!(proven, by_build(90, 75));
}

/// Reads the file that `MATES` names, lines `FEN ;mate N` of either game. Prints the proven mates from 2 to 5 moves
/// (xiangqi: 2 to 4) with the proven number.
#[test]
#[ignore = "a tool: proves the candidates in the file that MATES names"]
fn prove_candidates() {
    let path = std::env::var_os("MATES").expect("MATES=file of lines `FEN ;mate N`");
    let text = fs::read_to_string(Path::new(&path)).expect("a file that can be read");
    let mut proven: Vec<(u32, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let fen = line.split(" ;").next().unwrap_or_default();
        let shortest = match (chess::Position::from_fen(fen), xiangqi::Position::from_fen(fen)) {
            (Ok(pos), _) => Prover::new().shortest(&pos, 5),
            (_, Ok(pos)) => Prover::new().shortest(&pos, 4),
            (Err(error), _) => panic!("{fen}: {error}"),
        };
        match shortest {
            Some(moves @ 2..) => proven.push((moves, fen.to_string())),
            _ => eprintln!("no: {line}"),
        }
    }
    proven.sort();
    proven.dedup();
    for (moves, fen) in proven {
        println!("{fen} ;mate {moves}");
    }
}

/// A random position of xiangqi with few pieces, if it is legal.
fn sparse_position(rng: &mut SplitMix64) -> Option<xiangqi::Position> {
    let mut board = [' '; 90];
    let any = |_: usize| true;
    let palace = |at: usize| (3..6).contains(&(at % 9)) && !(3..7).contains(&(at / 9));
    // The FEN is refused if an elephant or advisor is on a square that it cannot reach.
    for (letters, most, place) in [
        ("K", 1, &palace as &dyn Fn(usize) -> bool),
        ("k", 1, &palace),
        ("a", 2, &palace),
        ("A", 1, &palace),
        ("RNCP", 4, &any),
        ("rncpb", 3, &any),
    ] {
        for _ in 0..1 + rng.below(most) {
            let piece = letters.as_bytes()[rng.below(letters.len())] as char;
            let at = rng.below(90);
            if board[at] == ' ' && place(at) {
                board[at] = piece;
            }
        }
    }
    let rows: Vec<String> = board.chunks(9).map(|row| fen_row(row.iter().copied(), ' ')).collect();
    xiangqi::Position::from_fen(&format!("{} w - - 0 1", rows.join("/"))).ok()
}

/// Prints positions of xiangqi with few pieces and a single key move that neither captures nor checks.
#[test]
#[ignore = "a tool: finds mates of xiangqi with quiet keys"]
fn find_quiet_keys() {
    let mut rng = SplitMix64::new(2026);
    let mut missing = [0, 0, 40, 12];
    while missing != [0; 4] {
        let Some(pos) = sparse_position(&mut rng) else { continue };
        let mut prover = Prover::<xiangqi::Board>::new();
        let Some(moves @ 2..) = prover.shortest(&pos, 3) else { continue };
        let [key] = prover.keys(&pos, moves)[..] else { continue };
        let mut child = pos;
        child.make(key);
        let quiet = !pos.is_noisy(key) && !child.in_check() && child.count_legal() > 2;
        if quiet && missing[moves as usize] > 0 {
            missing[moves as usize] -= 1;
            println!("{} ;mate {moves}", pos.to_fen());
        }
    }
}
