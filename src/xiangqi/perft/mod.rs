//! The perft walk of xiangqi, and how its last two plies are counted.
//!
//! It allocates nothing and computes no keys.
//!
//! # The idea
//!
//! Two plies above the leaves only one number matters: the sum, over our moves, of the opponent's replies. Most moves
//! change few replies, so the replies are counted once for a *null move*, as if we had passed. What a move changes
//! depends on the square it leaves and the square it reaches. For sliders and for pieces that can be blocked this is
//! a table: the change in the number of replies when a square is emptied or filled. All targets of a piece are then
//! counted as a set, by population count. Only moves that can affect the safety of the other king, or a piece pinned
//! to it, are made and their replies counted ("special" moves; all others are "ordinary").
//!
//! # Example: the starting position
//!
//! Red has 44 moves, and Black has 44 replies to a null move. Why is perft(2) 1,920 and not 44 · 44 = 1,936?
//!
//! * `b0c2` and three more horse moves: the black cannon on b7 can no longer capture on b0 over the cannon on b2.
//!   Emptying b0 adds −1: 43 replies each.
//! * `b2c2` and eleven more cannon moves sideways or back: the black cannon gains b2 and b1 and loses b0, which is
//!   now its screen. Emptying b2 adds +1: 45 replies each.
//! * `b2b4`: emptying b2 adds +1, and filling b4 adds −2 (b4 and b3 are lost; b2 replaces b0 as the capture). Because
//!   the same cannon sees both squares, a correction along its file adds −1: 42 replies. `b2b3`, `b2b5` and `b2b6`
//!   leave 43, 41 and 40 in the same way.
//! * Five moves are special: the captures `b2b9` and `h2h9` (41 replies each), because captures remove replies;
//!   `b2e2` and `h2e2` (45 each), because a cannon that reaches the file or rank of the other king may check or pin;
//!   and `e3e4` (44), because the soldier is one of two pieces between the kings, and the other would be pinned if
//!   the soldier left the file.
//!
//! So the 39 ordinary moves have 39 · 44 + 4·(−1) + 12·(+1) + 2·(−1 − 2 − 3 − 4) = 1,704 replies, and the five
//! special moves 41 + 41 + 45 + 45 + 44 = 216: together 1,920. (A test in `walk` checks these figures.)
//!
//! # The formula
//!
//! For an ordinary move from `f` to `t`, with N replies to a null move:
//!
//! > replies(f, t) = N + delta(f) + delta(t) + Σ over their chariots and cannons on whose line both `f` and `t`
//! > lie: (both changed at once) − (only `f` changed) − (only `t` changed) + (nothing changed)
//!
//! The deltas come from the other side's horses (legs), elephants (eyes), chariots and cannons (lines). Advisors,
//! soldiers and the king do not depend on any square that an ordinary move changes.
//!
//! # Which moves are special, and why (`walk::KingZone`)
//!
//! * Captures: all replies of the captured piece disappear.
//! * Moves of a piece that pins an enemy piece to its king or attacks a square to which that king could step. Moves
//!   of a discoverer: a piece whose departure could check, pin or attack such a square (one of the last blockers of a
//!   line, or the leg of a horse).
//! * Moves to a line on which one of our pieces pins an enemy piece or attacks a step of their king (for a cannon
//!   also if it would with one more screen), and moves to the leg of a horse that attacks a step.
//! * By piece type: moves to a square from which the piece would attack their king or a square next to it; for a
//!   chariot (and for our king, which attacks along an open file like a chariot) also where it would face their king
//!   through one piece; for a cannon the whole file and rank of their king.
//! * Moves from or to the surroundings of a pinned enemy piece, whose moves are tested one by one.
//! * All moves, if one of our cannons faces their king over empty squares: any piece that steps between is pinned at
//!   once, so every reply depends on everything.
//!
//! To see what happens to a move, look for its squares in this list; if none matches, apply the formula.
//!
//! # The pipeline
//!
//! ```text
//! walk::walk (depth ≥ 3: make every move) ─▶ depth 2 ─▶ walk::perft2
//!    OurMoves, as sets, piece by piece ──────────────────┐
//!    NullReplies     { count,                            ├─▶ ordinary targets ─▶ after_ordinary: the formula
//!       KingZone         special from / to / by kind,    └─▶ special targets  ─▶ make_and_count:
//!       ReplyDeltas      delta by square, their sliders }                        make, count_legal
//! ```
//!
//! Squares are numbered a0 = 0, b0 = 1 … i9 = 89 (north is +9, east +1). The points of a rank are nine bits from the
//! a-file up, those of a file ten bits from rank 0 up.

mod columns;
mod walk;

use crate::game::{CheckKind, Columns, Counting, Kernel, MoveFacts, SharedHalf, Side, perft_one_by_one};
use crate::xiangqi::Position;
use crate::xiangqi::board::Board;
use crate::xiangqi::board::packed::Half;
use crate::xiangqi::types::Move;
use walk::{perft2, walk};

impl Counting for Board {
    type Half = Half;

    /// None needs special CPU instructions.
    fn kernels() -> &'static [Kernel] {
        &[Kernel::Portable, Kernel::Scalar]
    }

    /// The portable kernel counts if the game has no such kernel.
    fn perft(pos: &Position, depth: u32, kernel: Kernel) -> u64 {
        if kernel == Kernel::Scalar || depth < 2 {
            return perft_one_by_one(pos, depth);
        }
        let mut total = 0;
        walk(pos, depth - 2, &mut |pos| total += perft2(pos));
        total
    }

    fn perft2<'a>(
        root: &Position,
        _side: Side,
        kernel: Kernel,
        groups: impl Iterator<Item = SharedHalf<'a, Half>>,
        counts: &mut [u32],
    ) {
        for group in groups {
            for (place, board) in group.boards() {
                let count = if kernel == Kernel::Scalar {
                    perft_one_by_one(&root.with_board(board), 2)
                } else {
                    perft2(&board)
                };
                counts[place] = count as u32;
            }
        }
    }

    fn columns(position: &Position, depth: u32, kernel: Kernel) -> Columns {
        columns::columns(position, depth, kernel)
    }

    /// A move wins if it leaves the opponent without a legal move, in check or not.
    fn facts(position: &Position, m: Move) -> MoveFacts {
        let child = position.play_unchecked(m);
        let checkers = child.checkers();
        let direct = checkers.contains(m.to());
        MoveFacts {
            capture: position.is_capture(m),
            check: CheckKind::of(direct, checkers.count() - u32::from(direct)),
            wins: child.count_legal() == 0,
            ..MoveFacts::default()
        }
    }
}
