//! What ends a game besides having no move: repetition and who is to blame for it, the move counter,
//! insufficient material.
//!
//! A step of the trail is a key and a move. Within the reach of the half-move clock nothing was captured,
//! so the judge takes the moves of a cycle back one by one and looks at the positions themselves; checks
//! and chases cost nothing until a position really recurs.
//!
//! The rules are those of the Asian Xiangqi Federation (2003) as far as their cases are clear; the diagrams
//! of its rule book are `tests/data/repetitions_xiangqi.epd`. The first of these that one side alone is
//! guilty of loses, the first that both are guilty of is a draw, and so is everything else:
//! 1. a check with every move of the cycle;
//! 2. a new attack on the same piece with every move;
//! 3. a new threat to the same piece with every move, be it a new attack or a protector that was shut out.
//!
//! A piece is threatened if it could be taken and
//! * it is neither the king nor a soldier that has not crossed the river;
//! * its attacker is neither a king nor a soldier, which may chase, and may legally take it;
//! * it could not take its attacker instead, if both are of one kind: that is an offer to exchange;
//! * nothing could legally take back, unless it is worth more than its attacker: a chariot attacked by a
//!   horse or cannon, a chariot, horse or cannon attacked by an advisor or elephant.
//!
//! An attack that stands is no chase. A check that stands is looked past: what a piece attacks and protects
//! is asked as if the king were not in check, so a check may be a chase too, and an attack that a check
//! interrupted is not new. Chases of different pieces by turns are a draw; a piece that several chase by turns
//! is chased.
//!
//! Fairy-Stockfish (pyffish 0.0.90) judges 63 of 24,000 random repetitions otherwise, and one of the rule
//! book's. The classes, with an example, who wins here and there, and why (`compare_repetitions.py` finds them):
//! * 34: a chariot or cannon that moves away along the line attacks anew there; the attack stood.
//!   `1R3R3/3k5/9/9/9/9/9/4K4/5n3/2B6 b`, f1g3 f9f3 g3f1 f3f9: draw, Black.
//! * 14: the move before the cycle must chase as well; here only moves of the cycle count.
//!   `4k4/2R6/n2a5/8P/9/9/9/9/4A4/3K5 b`, e9d9, then c8c7 a7b9 c7c8 b9a7: Red, draw.
//! * 6: an attacker chases there that is pinned and may not take; such an attack is none.
//!   `3k5/4r4/9/9/9/r1c6/3C5/4B4/9/4K4 w`, d3f3 c4g4 f3d3 g4c4: draw, Black.
//! * 6: a king protects there what it may not take back, and a pinned piece nothing; the rule book asks who
//!   can take back. `5k3/8N/5a3/9/9/5R3/9/9/5R3/4K1B2 w`, f4e4 f9f8 e4f4 f8f9: Black, draw.
//! * 1: a protector that is shut out counts there only where it was pinned; it is the rule book's appendix.
//!   `2ca1k3/4a4/b8/2P5P/2b3p2/1c7/9/B7N/2nR5/2BAK4 b`, c5e7 c6b6 e7c5 b6c6: Black, draw.
//! * 1: of one kind, a pinned piece is chased there although it may take its attacker; it is an exchange.
//!   `3k2b2/P2r1n3/9/9/5P3/6C2/9/3RB4/4r4/3RcK3 b`, d8d4, then d2c2 e1g1 c2d2 g1e1: draw, Black.
//! * 1 without a name: `5a3/9/b2k3Rb/4r3p/7C1/9/3NP4/3K1Ar2/6N2/6B2 b`, g2g7 h7h9 g7g2 h9h7: draw, Red.
//!
//! For whoever keeps a game's history, and for a search at every node.

use super::position::Position;
use crate::game::{Rules, Side, Verdict};
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::moves::Move;
use crate::xiangqi::types::piece::Kind;
use crate::xiangqi::types::square::Square;

/// Plies without capture after which the game is drawn.
const SIXTY_MOVES: u16 = 120;

/// What the judge must know of a position that was left: its key and the move that left it
/// ([`Move::NONE`] for a null move).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    key: u64,
    left_by: Move,
}

impl Step {
    /// The key of the position that was left.
    pub fn key(&self) -> u64 {
        self.key
    }
}

/// The enemy pieces that a move chases.
struct Chased {
    /// Those it attacks anew.
    attacked: Bitboard,
    /// Those it threatens anew, which include the others.
    threatened: Bitboard,
}

impl Position {
    /// Whether no side has a piece that can cross the river.
    pub fn is_material_insufficient(&self) -> bool {
        [Kind::Soldier, Kind::Horse, Kind::Chariot, Kind::Cannon]
            .into_iter()
            .all(|kind| self.kind_set(kind).is_empty())
    }

    /// Plies without capture until the move counter ends the game.
    pub fn plies_to_sixty_move_draw(&self) -> u32 {
        u32::from(SIXTY_MOVES.saturating_sub(self.halfmove))
    }

    /// Whether the move counter ends the game here; having no move on the last ply comes first.
    pub fn is_sixty_move_draw(&self) -> bool {
        self.halfmove >= SIXTY_MOVES && self.count_legal() > 0
    }

    /// The board once the piece on `from` has gone to `to` and taken what stood there. The turn is not
    /// passed: the judge asks for both sides.
    fn shifted(mut self, from: Square, to: Square) -> Position {
        let Some((side, kind)) = self.piece_on(from) else { return self };
        let (from, to) = (Bitboard::of(from), Bitboard::of(to));
        for set in self.kinds.iter_mut().chain(&mut self.sides) {
            *set &= !to;
        }
        self.kinds[kind.index()] ^= from | to;
        self.sides[side.index()] ^= from | to;
        self
    }

    /// What attacks the king of `side` once its piece on `from` has taken on `to`.
    fn exposed(&self, side: Side, from: Square, to: Square) -> Bitboard {
        let after = self.shifted(from, to);
        after.attackers(side.flip(), after.king(side))
    }

    /// Whether the piece of `side` on `from` may take on `to`, were it its turn and a check that stands none.
    fn may_take(&self, side: Side, from: Square, to: Square) -> bool {
        let standing = self.attackers(side.flip(), self.king(side));
        self.attackers(side, to).contains(from)
            && (self.exposed(side, from, to) & !standing).is_empty()
    }

    /// The pieces of `side` that threaten the enemy piece on `to`.
    fn threats(&self, side: Side, to: Square) -> Bitboard {
        let chasers = !(self.kind_set(Kind::King) | self.kind_set(Kind::Soldier));
        let mut threats = self.attackers(side, to) & chasers;
        for from in threats {
            if !self.threatens(side, from, to) {
                threats ^= Bitboard::of(from);
            }
        }
        threats
    }

    /// Whether the piece of `side` on `from`, which attacks the enemy piece on `to`, threatens it.
    fn threatens(&self, side: Side, from: Square, to: Square) -> bool {
        if !self.may_take(side, from, to) {
            return false;
        }
        let enemy = side.flip();
        let minor = self.kind_set(Kind::Advisor) | self.kind_set(Kind::Elephant);
        let medium = self.kind_set(Kind::Horse) | self.kind_set(Kind::Cannon);
        let chariots = self.kind_set(Kind::Chariot);
        if minor.contains(from) && (medium | chariots).contains(to)
            || medium.contains(from) && chariots.contains(to)
        {
            return true;
        }
        let kind = |square| self.piece_on(square).map(|(_, kind)| kind);
        if kind(from) == kind(to) && self.may_take(enemy, to, from) {
            return false;
        }
        let standing = self.attackers(side, self.king(enemy));
        let after = self.shifted(from, to);
        !after
            .attackers(enemy, to)
            .any(|back| (after.exposed(enemy, back, to) & !standing).is_empty())
    }

    /// The enemy pieces that `m`, which was played here and led to `after`, attacks anew, and all that it
    /// threatens anew.
    fn chased_by(&self, m: Move, after: &Position) -> Chased {
        let (side, enemy) = (self.side, self.side.flip());
        let at_home = after.kind_set(Kind::Soldier) & Bitboard::half_of(enemy);
        let mut chased = Chased { attacked: Bitboard::EMPTY, threatened: Bitboard::EMPTY };
        for to in after.side_set(enemy) & !(after.kind_set(Kind::King) | at_home) {
            let mut threats = after.threats(side, to);
            if threats.is_empty() {
                continue;
            }
            let anew = threats.any(|from| {
                let from = if from == m.to() { m.from() } else { from };
                !self.may_take(side, from, to)
            });
            if anew {
                chased.attacked |= Bitboard::of(to);
            }
            if anew || self.threats(side, to).is_empty() {
                chased.threatened |= Bitboard::of(to);
            }
        }
        chased
    }

    /// Who is to blame for the cycle `moves`, which has led back to this position.
    fn judge(&self, moves: &[Step]) -> Verdict {
        // All indexed by the side that moved.
        let mut checks = [true; 2];
        let mut attacked = [Bitboard::ALL; 2];
        let mut threatened = [Bitboard::ALL; 2];
        // Where each piece of the position at hand stands at the end of the cycle.
        let mut finally: [Square; 128] = std::array::from_fn(|i| Square::wrapping(i as u32));
        let mut pos = *self;
        for step in moves.iter().rev() {
            let m = step.left_by;
            if m == Move::NONE {
                return Verdict::Draw;
            }
            let mut before = pos.shifted(m.to(), m.from());
            before.side = pos.side.flip();
            let mover = before.side.index();
            checks[mover] &= pos.in_check();
            if !threatened[mover].is_empty() {
                let chased = before.chased_by(m, &pos);
                let names = |set: Bitboard| {
                    set.fold(Bitboard::EMPTY, |names, at| names | Bitboard::of(finally[at.index()]))
                };
                attacked[mover] &= names(chased.attacked);
                threatened[mover] &= names(chased.threatened);
            }
            if checks == [false; 2] && threatened == [Bitboard::EMPTY; 2] {
                return Verdict::Draw;
            }
            finally[m.from().index()] = finally[m.to().index()];
            pos = before;
        }
        let guilty = |sets: [Bitboard; 2]| sets.map(|set| !set.is_empty());
        let (us, them) = (self.side.index(), self.side.flip().index());
        for guilty in [checks, guilty(attacked), guilty(threatened)] {
            match (guilty[us], guilty[them]) {
                (true, false) => return Verdict::Loss,
                (false, true) => return Verdict::Win,
                (true, true) => return Verdict::Draw,
                (false, false) => {}
            }
        }
        Verdict::Draw
    }
}

/// How far back in `trail` the last two occurrences of `key` within reach of the clock lie, in plies.
fn occurrences(key: u64, trail: &[Step], clock: u16) -> (Option<usize>, Option<usize>) {
    let reach = trail.len().min(usize::from(clock));
    let mut found = (4..=reach).step_by(2).filter(|&back| trail[trail.len() - back].key == key);
    (found.next(), found.next())
}

impl Position {
    /// The trail's entry for this position, whose key is `key`, when `m` is about to be made.
    pub fn step(&self, key: u64, m: Move) -> Step {
        Step { key, left_by: m }
    }

    /// Whether repetition, the move counter or the material ends the game here, and for whom.
    ///
    /// `trail` holds the steps of all positions before this one, oldest first, the last `ply` of them made
    /// inside a search; `key` is this position's key. A position that occurs for the third time is judged by
    /// all moves since the first; inside the search the second occurrence is enough, if the first one lies
    /// below the root as well.
    pub fn verdict(&self, key: u64, trail: &[Step], ply: usize) -> Option<Verdict> {
        let cycle = match occurrences(key, trail, self.halfmove) {
            (Some(nearest), _) if nearest < ply => Some(nearest),
            (_, Some(second)) => Some(second),
            _ => None,
        };
        if let Some(length) = cycle {
            return Some(self.judge(&trail[trail.len() - length..]));
        }
        (self.is_sixty_move_draw() || self.is_material_insufficient()).then_some(Verdict::Draw)
    }
}
