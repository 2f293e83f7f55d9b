//! Seeded random play from the initial position and from Chess960 positions, biased towards special moves.
//!
//! The same seed always gives the same games, on every machine.

use tabiya::base::rng::SplitMix64;
use tabiya::chess::{Bitboard, Kind, Move, MoveKind, Placement, Position};

/// A game played at random.
pub struct Game {
    /// The position it began from.
    pub start: Position,
    /// Every move with the position after it.
    pub moves: Vec<(Move, Position)>,
}

impl Game {
    /// Every position, the first one included.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        std::iter::once(self.start).chain(self.moves.iter().map(|&(_, after)| after))
    }
}

/// Plays at most `plies` moves from `start`.
pub fn game(start: Position, plies: usize, rng: &mut SplitMix64) -> Game {
    let mut game = Game { start, moves: Vec::new() };
    let mut pos = start;
    while game.moves.len() < plies {
        let Some(m) = random_move(&pos, rng) else { break };
        pos.make(m);
        game.moves.push((m, pos));
    }
    game
}

/// A legal move, if there is one: two times in three uniformly at random, otherwise by [`weight`], which favours
/// checks, en passant, castling, promotions and captures.
pub fn random_move(pos: &Position, rng: &mut SplitMix64) -> Option<Move> {
    let list = pos.legal_moves();
    if list.is_empty() {
        return None;
    }
    if rng.below(3) > 0 {
        return Some(list[rng.below(list.len())]);
    }
    let weights: Vec<usize> = list.iter().map(|&m| weight(pos, m)).collect();
    let mut ticket = rng.below(weights.iter().sum());
    let chosen = weights.iter().position(|&weight| {
        let drawn = ticket < weight;
        ticket = ticket.wrapping_sub(weight);
        drawn
    });
    chosen.map(|i| list[i])
}

fn weight(pos: &Position, m: Move) -> usize {
    let mut child = *pos;
    child.make(m);
    let mut weight = 1;
    if child.in_check() {
        weight += 8;
    }
    if child.en_passant().is_some() {
        weight += 20;
    }
    weight
        + match m.kind() {
            Some(MoveKind::EnPassant) => 40,
            Some(MoveKind::Castle) => 12,
            _ if m.promotion().is_some() => 6,
            _ if pos.is_capture(m) => 3,
            // Pawn advances lead to promotions; moves to and fro do not.
            _ if pos.moved_kind(m) == Kind::Pawn => 3,
            _ => 0,
        }
}

/// A random Chess960 initial position; half of them with different arrays for the two sides.
pub fn chess960_start(rng: &mut SplitMix64) -> Position {
    let mut start = || Position::chess960_start(rng.below(960) as u32).expect("a number below 960");
    let (white, black) = (start(), Placement::from(&start()));
    if rng.below(2) == 0 {
        return white;
    }
    let mut both = Placement::from(&white);
    both.pieces[56..].copy_from_slice(&black.pieces[56..]);
    both.castling = (white.castling() & Bitboard::rank(0)) | (black.castling & Bitboard::rank(7));
    Position::new(&both).expect("two start arrays")
}

/// `count` positions of random games: `standard` games begin from the initial position, the others from
/// random Chess960 positions. Every position with something rare is taken ([`is_rich`]), of the others one in
/// five. So more games contribute, and the hard cases for the generator have a larger share.
pub fn positions(count: usize, standard: bool, seed: u64) -> Vec<Position> {
    let mut rng = SplitMix64::new(seed);
    let initial = Position::from_fen(Position::START_FEN).unwrap();
    let mut found = Vec::new();
    while found.len() < count {
        let start = if standard { initial } else { chess960_start(&mut rng) };
        let plies = 20 + rng.below(140);
        let game = game(start, plies, &mut rng);
        found.extend(game.positions().filter(|pos| is_rich(pos) || rng.below(5) == 0));
    }
    found.truncate(count);
    found
}

/// Whether the position is a double check or allows en passant, castling or a capture that promotes.
fn is_rich(pos: &Position) -> bool {
    pos.checkers().several()
        || pos.en_passant().is_some()
        || pos.legal_moves().iter().any(|&m| m.is(MoveKind::Castle) || m.promotion().is_some() && pos.is_capture(m))
}

/// Every suite position.
pub fn suite_positions() -> Vec<Position> {
    super::chess_suites()
        .iter()
        .map(|entry| Position::from_fen(&entry.fen).unwrap_or_else(|e| panic!("{}: {e}", entry.place())))
        .collect()
}
