//! Seeded random xiangqi positions.

use super::xiangqi_suites;
use tabiya::base::rng::SplitMix64;
use tabiya::xiangqi::Position;

/// The FENs of all suites.
pub fn suite_fens() -> Vec<String> {
    xiangqi_suites().into_iter().map(|entry| entry.fen).collect()
}

/// `wanted` positions at the ends of seeded random walks from the suites' positions.
pub fn random_positions(seed: u64, wanted: usize) -> Vec<Position> {
    let fens = suite_fens();
    let mut rng = SplitMix64::new(seed);
    let mut found = Vec::new();
    while found.len() < wanted {
        // Half of the walks are long and begin at the initial position, to reach all phases of the game.
        let (fen, longest) = if rng.below(2) == 0 {
            (Position::START_FEN.to_string(), 160)
        } else {
            (fens[rng.below(fens.len())].clone(), 40)
        };
        let mut pos = Position::from_fen(&fen).expect("a suite position");
        for _ in 0..1 + rng.below(longest) {
            let list = pos.legal_moves();
            if list.is_empty() {
                break;
            }
            pos.make(list[rng.below(list.len())]);
        }
        found.push(pos);
    }
    found
}
