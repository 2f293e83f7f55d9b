//! What ends a game other than having no legal move: repetition (and which side is to blame), the move counter,
//! insufficient material.
//!
//! A history entry ([`Past`]) is a key and a move. Since the last capture no piece has left the board, so a cycle is
//! judged by taking its moves back one by one and examining the positions. Checks and chases cost nothing until a
//! position actually recurs.
//!
//! The rules are those of the Asian Xiangqi Federation (2003) as far as their cases are clear; the diagrams of its
//! rule book are in `tests/data/repetitions_xiangqi.epd`. The offences are tested in this order. If only one side
//! commits the first offence found, it loses; if both do, the game is a draw. Everything else is a draw.
//! 1. a check with every move of the cycle;
//! 2. a new attack on the same piece with every move;
//! 3. a new threat to the same piece with every move: a new attack, or cutting off a defender.
//!
//! A piece is threatened if it can be captured and
//! * it is neither the king nor a soldier that has not crossed the river;
//! * its attacker may legally capture it, and is neither a king nor a soldier (these are allowed to chase);
//! * it could not capture its attacker in turn, if both are of the same type: that is an offer to exchange;
//! * no piece could legally recapture, unless the piece is more valuable than its attacker: a chariot attacked by a
//!   horse or cannon; a chariot, horse or cannon attacked by an advisor or elephant.
//!
//! An existing attack is not a chase. An existing check is ignored: attacks and defences are computed as if the king
//! were not in check. So a check can also be a chase, and an attack that a check interrupted is not new. Chasing
//! different pieces in turn is a draw; a piece that several pieces chase in turn is chased.
//!
//! An attack counts as new for each attacker: if another piece attacked the same one before, and attacks it still, the
//! new attack is one all the same. So an attack that changes hands is a chase: `3c1k3/9/3R5/9/9/9/3cR4/9/4A4/3K1A3
//! w`, d0e0 d9e9 e0d0 e9d9 loses for Red, whose king frees one chariot or the other to take the cannon on d3.
//! Fairy-Stockfish and others draw. The rule book asks what each move attacks, not whether that was safe before,
//! and its diagram `2c1kab2/4a4/4b4/9/9/9/P1p5P/2r1N2C1/4A1c2/3ACK3 b` (g1g2 e2d4 g2g1 d4e2: Red loses) has a verdict
//! only so: of 150 cycles it alone would be a draw if a piece that is attacked could not be attacked anew.
//!
//! By the Chinese rules ([`Repetition::Chinese`]; articles 26 and 27 of 2011) a side loses that checks with every move
//! while the other does not; then one that attacks with every move while the other does not. An attack is a check, a
//! chase (a new threat as above, to any piece), or a threat to mate by checks within two moves, as long as it stands;
//! longer threats are not seen. Attacks of different kinds and on different pieces add up: check and chase by turns is
//! forbidden, and chases against threats of mate are a draw. Kings and soldiers may chase; that a soldier's chases
//! count where both sides attack with every move is left out.
//!
//! Fairy-Stockfish (pyffish 0.0.90) judges 63 of 24,000 random repetitions differently, and one of the rule book's.
//! The differences by class, each with an example, the winner here and there, and the reason
//! (`compare_repetitions.py` finds them):
//! * 34: there, a chariot or cannon that moves away along the line makes a new attack; here, the attack already
//!   existed. `1R3R3/3k5/9/9/9/9/9/4K4/5n3/2B6 b`, f1g3 f9f3 g3f1 f3f9: draw, Black.
//! * 14: there, the move before the cycle must chase as well; here, only moves of the cycle count.
//!   `4k4/2R6/n2a5/8P/9/9/9/9/4A4/3K5 b`, e9d9, then c8c7 a7b9 c7c8 b9a7: Red, draw.
//! * 6: there, a pinned attacker that may not capture can chase; here, that is not an attack.
//!   `3k5/4r4/9/9/9/r1c6/3C5/4B4/9/4K4 w`, d3f3 c4g4 f3d3 g4c4: draw, Black.
//! * 6: there, a king defends a piece even where it may not recapture, and a pinned piece defends nothing; the rule
//!   book asks which pieces can recapture. `5k3/8N/5a3/9/9/5R3/9/9/5R3/4K1B2 w`, f4e4 f9f8 e4f4 f8f9: Black, draw.
//! * 1: there, cutting off a defender counts only if it was pinned; this is from the appendix of the rule book.
//!   `2ca1k3/4a4/b8/2P5P/2b3p2/1c7/9/B7N/2nR5/2BAK4 b`, c5e7 c6b6 e7c5 b6c6: Black, draw.
//! * 1: there, a pinned piece is chased by one of its own type although it may capture its attacker; here, it is an
//!   exchange. `3k2b2/P2r1n3/9/9/5P3/6C2/9/3RB4/4r4/3RcK3 b`, d8d4, then d2c2 e1g1 c2d2 g1e1: draw, Black.
//! * 1 unclassified: `5a3/9/b2k3Rb/4r3p/7C1/9/3NP4/3K1Ar2/6N2/6B2 b`, g2g7 h7h9 g7g2 h9h7: draw, Red.
//!
//! Called for the game history and by the search at every node.

use super::Board;
use crate::game::{Position, Side, Verdict};
use crate::xiangqi::types::{Bitboard, Kind, Move, Repetition, Square};

/// The most moves of a threat of mate, each of which gives check.
const THREAT_MOVES: u32 = 2;

/// What repetition has to know of an earlier position: its key, and the move that was made there ([`Move::NONE`] for a
/// null move). The moves of a cycle are taken back to see who checked and chased.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Past {
    pub key: u64,
    pub made: Move,
}

/// A third occurrence is judged by all moves since the first. Inside the search a second occurrence is a draw if
/// the first is also below the root and neither side alone is to blame. If one is, the game is not decided: the
/// same moves once more lose, but a cycle with another offence, or against another piece, makes the whole a draw.
/// All else that side could do, it could have done at the first occurrence, so the result is at most a draw for it.
pub(in crate::xiangqi) fn verdict(pos: &Position<Board>, trail: &[Past], ply: usize) -> Option<Verdict> {
    let judge = |length: usize| {
        let cycle = &trail[trail.len() - length..];
        match pos.ruleset().repetition {
            Repetition::Asian => pos.judge(cycle),
            Repetition::Chinese => pos.judge_by_chinese_rules(cycle),
            Repetition::Draw => Verdict::Draw,
        }
    };
    match occurrences(pos.key(), trail, pos.halfmove_clock()) {
        (_, Some(second)) => return Some(judge(second)),
        (Some(nearest), _) if nearest < ply => {
            return Some(match judge(nearest) {
                Verdict::Loss => Verdict::AtMostDraw,
                Verdict::Win => Verdict::AtLeastDraw,
                draw => draw,
            });
        }
        _ => {}
    }
    (pos.is_sixty_move_draw() || pos.is_material_insufficient()).then_some(Verdict::Draw)
}

/// The enemy pieces that a move chases.
struct Chased {
    /// Pieces under a new attack.
    attacked: Bitboard,
    /// Pieces under a new threat; these include the attacked ones.
    threatened: Bitboard,
}

impl Board {
    /// The board with the piece on `from` moved to `to`, capturing what is there. The side to move is not changed,
    /// because both sides are examined.
    fn shifted(mut self, from: Square, to: Square) -> Board {
        let Some((side, kind)) = self.piece_on(from) else { return self };
        let (from, to) = (Bitboard::of(from), Bitboard::of(to));
        for set in self.kinds.iter_mut().chain(&mut self.sides) {
            *set -= to;
        }
        self.kinds[kind.index()] ^= from | to;
        self.sides[side.index()] ^= from | to;
        self
    }

    /// The attackers of `side`'s king after its piece on `from` has captured on `to`.
    fn exposed(&self, side: Side, from: Square, to: Square) -> Bitboard {
        let after = self.shifted(from, to);
        after.attackers(side.flip(), after.king(side))
    }

    /// Whether the piece of `side` on `from` may legally capture on `to` if it were that side's turn, ignoring an
    /// existing check.
    fn may_take(&self, side: Side, from: Square, to: Square) -> bool {
        let checkers = self.attackers(side.flip(), self.king(side));
        self.attackers(side, to).contains(from) && (self.exposed(side, from, to) - checkers).is_empty()
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
        if minor.contains(from) && (medium | chariots).contains(to) || medium.contains(from) && chariots.contains(to) {
            return true;
        }
        let kind = |square| self.piece_on(square).map(|(_, kind)| kind);
        if kind(from) == kind(to) && self.may_take(enemy, to, from) {
            return false;
        }
        let checkers = self.attackers(side, self.king(enemy));
        let after = self.shifted(from, to);
        !after.attackers(enemy, to).into_iter().any(|back| (after.exposed(enemy, back, to) - checkers).is_empty())
    }

    /// The enemy pieces that `m`, which was made here and led to `after`, newly attacks, and those that it newly
    /// threatens.
    fn chased_by(&self, m: Move, after: &Board) -> Chased {
        let (side, enemy) = (self.side, self.side.flip());
        let uncrossed = after.kind_set(Kind::Soldier) & Bitboard::half_of(enemy);
        let mut chased = Chased { attacked: Bitboard::EMPTY, threatened: Bitboard::EMPTY };
        for to in after.side_set(enemy) - (after.kind_set(Kind::King) | uncrossed) {
            let threats = after.threats(side, to);
            if threats.is_empty() {
                continue;
            }
            let anew = threats.into_iter().any(|from| {
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

    /// The board with the other side to move.
    fn passed(mut self) -> Board {
        self.side = self.side.flip();
        self
    }

    /// The board before the quiet move `m`.
    fn taken_back(&self, m: Move) -> Board {
        self.shifted(m.to(), m.from()).passed()
    }
}

impl Position<Board> {
    /// The result of the cycle `moves`, which has led back to this position, by the Asian rules.
    fn judge(&self, moves: &[Past]) -> Verdict {
        // All indexed by the side that moved.
        let mut checks = [true; 2];
        let mut attacked = [Bitboard::ALL; 2];
        let mut threatened = [Bitboard::ALL; 2];
        // For each piece of `pos`, its square at the end of the cycle.
        let mut final_square: [Square; 128] = std::array::from_fn(|i| Square::wrapping(i as u32));
        let mut pos = self.board;
        for step in moves.iter().rev() {
            let m = step.made;
            let before = pos.taken_back(m);
            let mover = before.side.index();
            checks[mover] &= pos.king_is_in_check();
            if !threatened[mover].is_empty() {
                let chased = before.chased_by(m, &pos);
                let names = |set: Bitboard| {
                    set.into_iter().fold(Bitboard::EMPTY, |names, at| names | Bitboard::of(final_square[at.index()]))
                };
                attacked[mover] &= names(chased.attacked);
                threatened[mover] &= names(chased.threatened);
            }
            if checks == [false; 2] && threatened == [Bitboard::EMPTY; 2] {
                return Verdict::Draw;
            }
            final_square[m.from().index()] = final_square[m.to().index()];
            pos = before;
        }
        let guilty = |sets: [Bitboard; 2]| sets.map(|set| !set.is_empty());
        self.verdict_on([checks, guilty(attacked), guilty(threatened)])
    }

    /// The same by the Chinese rules.
    fn judge_by_chinese_rules(&self, moves: &[Past]) -> Verdict {
        let (mut checks, mut attacks) = ([true; 2], [true; 2]);
        let mut pos = self.board;
        for step in moves.iter().rev() {
            let m = step.made;
            let before = pos.taken_back(m);
            let mover = before.side.index();
            let check = pos.king_is_in_check();
            checks[mover] &= check;
            if attacks[mover] && !check {
                attacks[mover] = !before.chased_by(m, &pos).threatened.is_empty()
                    || self.with_board(pos.passed()).mates_by_checks(THREAT_MOVES);
            }
            if attacks == [false; 2] {
                return Verdict::Draw;
            }
            pos = before;
        }
        self.verdict_on([checks, attacks])
    }

    /// The verdict on offences, each indexed by side, the graver ones first.
    fn verdict_on<const N: usize>(&self, offences: [[bool; 2]; N]) -> Verdict {
        let (us, them) = (self.side().index(), self.side().flip().index());
        for guilty in offences {
            match (guilty[us], guilty[them]) {
                (true, false) => return Verdict::Loss,
                (false, true) => return Verdict::Win,
                (true, true) => return Verdict::Draw,
                (false, false) => {}
            }
        }
        Verdict::Draw
    }

    /// Whether the side to move mates within this number of moves, giving check with each.
    fn mates_by_checks(&self, moves: u32) -> bool {
        self.legal_moves().into_iter().any(|m| {
            let next = self.play_unchecked(m);
            next.in_check() && {
                let mut replies = next.legal_moves().into_iter().map(|reply| next.play_unchecked(reply));
                replies.len() == 0 || moves > 1 && replies.all(|next| next.mates_by_checks(moves - 1))
            }
        })
    }
}

/// How many plies ago `key` last occurred in `trail`, and the time before that, within `clock` plies.
fn occurrences(key: u64, trail: &[Past], clock: u16) -> (Option<usize>, Option<usize>) {
    let reach = trail.len().min(usize::from(clock));
    let mut found = (4..=reach).step_by(2).filter(|&back| trail[trail.len() - back].key == key);
    (found.next(), found.next())
}
