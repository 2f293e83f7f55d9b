//! What ends a game besides having no move: repetition and who is to blame for it, the move counter,
//! insufficient material.
//!
//! A step of the trail is a key and a move. Within the reach of the half-move clock nothing was captured,
//! so the judge takes the moves of a cycle back one by one and looks at the positions themselves; checks
//! and chases cost nothing until a position really recurs.
//!
//! The rules are the Asian ones as far as their cases are clear:
//! * who checks with every move of the cycle loses, unless both do;
//! * otherwise who chases the same piece with every move loses, unless both do;
//! * everything else is a draw, so is alternating between check and chase, and chasing by turns.
//!
//! A move chases a piece if it makes a legal capture of it possible that was not possible before.
//! Not chased are: the king; a soldier that has not crossed the river; what kings or soldiers attack; a
//! piece that can be retaken, except a chariot attacked by a horse or cannon; a piece that could itself
//! take its attacker of the same kind.
//!
//! For whoever keeps a game's history, and for a search at every node.

use super::movegen::XiangqiList;
use super::position::Position;
use crate::game::{Rules, Side, Verdict};
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::moves::{Move, MoveKind};
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

impl Position {
    /// Whether no side has a piece that can cross the river.
    pub fn is_material_insufficient(&self) -> bool {
        [Kind::Soldier, Kind::Horse, Kind::Chariot, Kind::Cannon]
            .into_iter()
            .all(|kind| self.kind_set(kind).is_empty())
    }

    /// Whether the move counter ends the game here; having no move on the last ply comes first.
    pub fn is_sixty_move_draw(&self) -> bool {
        self.halfmove >= SIXTY_MOVES && self.count_legal() > 0
    }

    /// The same position with the other side to move; only the judge may look at it.
    fn with_turn(mut self, side: Side) -> Position {
        self.side = side;
        self
    }

    /// The position before `m`, which took nothing and led here.
    fn before(&self, m: Move) -> Position {
        let mut pos = *self;
        pos.side = self.side.flip();
        let squares = Bitboard::of(m.from()) | Bitboard::of(m.to());
        if let Some((side, kind)) = self.piece_on(m.to()) {
            pos.kinds[kind.index()] ^= squares;
            pos.sides[side.index()] ^= squares;
        }
        pos
    }

    /// The enemy pieces that `m`, played here, chases.
    fn chased_by(&self, m: Move) -> Bitboard {
        let mut after = *self;
        after.make(m);
        let enemy = after.side;
        let threatening = after.with_turn(self.side);
        let mut captures = XiangqiList::new();
        threatening.noisy_moves(&mut captures);
        let mut chased = Bitboard::EMPTY;
        for &capture in &captures {
            let Some((_, victim)) = after.piece_on(capture.to()) else { continue };
            let chaser = threatening.moved_kind(capture);
            let home = Bitboard::half_of(enemy);
            let exempt = matches!(chaser, Kind::King | Kind::Soldier)
                || victim == Kind::King
                || victim == Kind::Soldier && home.contains(capture.to());
            if exempt || self.could_take(m, capture) {
                continue;
            }
            // The same kind that could take its attacker offers an exchange, it does not flee.
            let back = Move::new(capture.to(), capture.from(), MoveKind::of(victim));
            if chaser == victim && after.is_legal(back) {
                continue;
            }
            let lesser = matches!(chaser, Kind::Horse | Kind::Cannon) && victim == Kind::Chariot;
            if lesser || !threatening.is_retaken(capture) {
                chased |= Bitboard::of(capture.to());
            }
        }
        chased
    }

    /// Whether `capture`, possible after `m`, was possible before it.
    fn could_take(&self, m: Move, capture: Move) -> bool {
        let from = if capture.from() == m.to() { m.from() } else { capture.from() };
        self.is_legal(Move::new(from, capture.to(), capture.kind()))
    }

    /// Whether the opponent can legally take back what makes `capture`.
    fn is_retaken(&self, capture: Move) -> bool {
        let mut after = *self;
        after.make(capture);
        let mut answers = XiangqiList::new();
        after.noisy_moves(&mut answers);
        answers.iter().any(|answer| answer.to() == capture.to())
    }

    /// Who is to blame for the cycle `moves`, which has led back to this position.
    fn judge(&self, moves: &[Step]) -> Verdict {
        // Both indexed by the side that moved.
        let mut checks = [true; 2];
        let mut chased = [Bitboard::ALL; 2];
        // Where each piece of the position at hand stands at the end of the cycle.
        let mut finally: [Square; 128] = std::array::from_fn(|i| Square::wrapping(i as u32));
        let mut pos = *self;
        for step in moves.iter().rev() {
            let m = step.left_by;
            if m == Move::NONE {
                return Verdict::Draw;
            }
            let before = pos.before(m);
            let mover = before.side.index();
            checks[mover] &= pos.in_check();
            if !chased[mover].is_empty() {
                let mut names = Bitboard::EMPTY;
                for square in before.chased_by(m) {
                    names |= Bitboard::of(finally[square.index()]);
                }
                chased[mover] &= names;
            }
            finally[m.from().index()] = finally[m.to().index()];
            pos = before;
        }
        let (us, them) = (self.side.index(), self.side.flip().index());
        let blame = |guilty: [bool; 2]| match (guilty[us], guilty[them]) {
            (true, false) => Some(Verdict::Loss),
            (false, true) => Some(Verdict::Win),
            (true, true) => Some(Verdict::Draw),
            (false, false) => None,
        };
        blame(checks).or_else(|| blame(chased.map(|set| !set.is_empty()))).unwrap_or(Verdict::Draw)
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
