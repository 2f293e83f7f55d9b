//! The last two plies together: the replies are counted once, for a null move, and corrected for each ordinary move.
//!
//! The head of `xiangqi/perft/mod.rs` explains the method with an example and the formula. Only special moves are
//! made. The scalar counter, which makes all moves, is the reference.

mod king_zone;
mod reply_deltas;

use self::king_zone::KingZone;
use self::reply_deltas::ReplyDeltas;
use crate::base::cpu::with_bits;
use crate::game::{CountSink, Side};
use crate::xiangqi::board::Board;
use crate::xiangqi::board::movegen::{self, ChecksAndPins};
use crate::xiangqi::types::{Bitboard, Black, Kind, Red, Square, Us};

/// Our legal moves: type, square and targets of each piece that can move.
struct OurMoves {
    pieces: [(Kind, Square, Bitboard); 16],
    count: usize,
    /// The union of all targets.
    reached: Bitboard,
}

impl OurMoves {
    #[inline(always)]
    fn of<U: Us>(board: &Board) -> OurMoves {
        let king = board.king(U::SIDE);
        let pins = ChecksAndPins::of::<U>(board);
        let own = board.side_set(U::SIDE);
        let mut pieces = [(Kind::King, king, Bitboard::EMPTY); 16];
        let (mut count, mut reached) = (0, Bitboard::EMPTY);
        let visit = &mut |kind: Kind, from: Square, targets: Bitboard| {
            pieces[count & 15] = (kind, from, targets);
            count += usize::from(!targets.is_empty());
            reached |= targets;
        };
        let wanted = !own;
        let selection = movegen::Selection { pieces: own, targets: wanted, merge: false };
        movegen::legal_sets::<U>(board, &pins, selection, visit);
        debug_assert!(count <= 16, "a side has at most sixteen pieces");
        OurMoves { pieces, count: count.min(16), reached }
    }
}

with_bits! {
    /// The number of replies after all moves.
    pub(in crate::xiangqi::perft) fn perft2(board: &Board) -> u64 {
        match board.side {
            Side::First => two_plies::<Red>(board),
            Side::Second => two_plies::<Black>(board),
        }
    }
}

/// The number of replies after all moves of `U`.
#[inline(always)]
fn two_plies<U: Us>(board: &Board) -> u64 {
    let moves = OurMoves::of::<U>(board);
    if moves.count == 0 {
        return 0;
    }
    let replies = NullReplies::of::<U>(board, board.side_set(U::SIDE) | moves.reached);
    let mut total = 0;
    for &(kind, from, targets) in &moves.pieces[..moves.count] {
        let special = replies.zone.special(kind, from, targets);
        total += replies.after_ordinary(kind, from, targets - special);
        total += make_and_count::<U>(board, kind, from, special);
    }
    total
}

/// Makes the special moves of a piece one by one and counts the replies.
#[inline(always)]
fn make_and_count<U: Us>(board: &Board, kind: Kind, from: Square, special: Bitboard) -> u64 {
    let mut total = 0;
    for to in special {
        let mut child = *board;
        child.move_piece::<U>(kind, from, to);
        total += movegen::count_legal::<U::Them>(&child, &ChecksAndPins::of::<U::Them>(&child));
    }
    total
}

/// The replies of one side to a null move of the other, and how moves change their number.
struct NullReplies {
    /// The number of replies to a null move; 0 (unknown) if every move is special.
    count: i32,
    zone: KingZone,
    deltas: ReplyDeltas,
}

impl NullReplies {
    /// The replies of `U::Them`; the origins and targets of `U`'s moves are within `touched`.
    #[inline(always)]
    fn of<U: Us>(board: &Board, touched: Bitboard) -> NullReplies {
        let them = board.side_set(U::Them::SIDE);
        let king = board.king(U::Them::SIDE);
        let pins = ChecksAndPins::of::<U::Them>(board);
        debug_assert!(pins.checkers.is_empty(), "the side not to move is in check");
        let zone = KingZone::of::<U>(board, king, &pins);
        if !pins.hollow.is_empty() {
            return NullReplies { count: 0, zone, deltas: ReplyDeltas::NONE };
        }
        let wanted = !them;
        let free = them - pins.pinned;
        let mut replies = CountSink::default();
        let visit = &mut |_: Kind, _: Square, targets: Bitboard| {
            replies.0 += u64::from(targets.count());
        };
        movegen::free_pieces::<U::Them>(board, free, wanted, true, visit);
        if !pins.pinned.is_empty() {
            movegen::tested_pieces::<U::Them>(board, king, pins.pinned, wanted, visit);
        }
        let count = zone.safe_steps + replies.0 as i32;
        let deltas = ReplyDeltas::of(board, free, wanted, touched);
        NullReplies { count, zone, deltas }
    }

    /// The total number of replies to the ordinary moves of a piece of type `kind` from `from` to `targets`.
    #[inline(always)]
    fn after_ordinary(&self, kind: Kind, from: Square, targets: Bitboard) -> u64 {
        if targets.is_empty() {
            return 0;
        }
        let each = self.count + self.deltas.at(from);
        let mut sum = each * targets.count() as i32 + self.deltas.sum_over(targets);
        // The other piece types never move along a line.
        if matches!(kind, Kind::Chariot | Kind::Cannon | Kind::King | Kind::Soldier) {
            sum += self.deltas.along_lines(from, targets);
        }
        sum as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The null replies, the replies to all ordinary moves, and those to each special move.
    fn example(board: &Board) -> (NullReplies, u64, Vec<(String, u64)>) {
        let moves = OurMoves::of::<Red>(board);
        let touched = board.side_set(Red::SIDE) | moves.reached;
        let replies = NullReplies::of::<Red>(board, touched);
        let (mut ordinary, mut made) = (0, Vec::new());
        for &(kind, from, targets) in &moves.pieces[..moves.count] {
            let special = replies.zone.special(kind, from, targets);
            ordinary += replies.after_ordinary(kind, from, targets - special);
            for to in special {
                let count = make_and_count::<Red>(board, kind, from, Bitboard::of(to));
                made.push((format!("{from}{to}"), count));
            }
        }
        made.sort();
        (replies, ordinary, made)
    }

    #[test]
    fn the_example_in_the_documentation_is_right() {
        let start = crate::xiangqi::Position::default();
        let (replies, ordinary, made) = example(&start);
        let at = |name: &str| Square::parse(name.as_bytes()).unwrap();
        assert_eq!(replies.count, 44);
        assert_eq!(replies.deltas.at(at("b0")), -1);
        assert_eq!(replies.deltas.at(at("b2")), 1);
        assert_eq!(replies.deltas.at(at("b4")), -2);
        let to = |name| Bitboard::of(at(name));
        assert_eq!(replies.deltas.along_lines(at("b2"), to("b4")), -1);
        for (from, target, count) in [("b0", "c2", 43), ("b2", "c2", 45), ("b2", "b4", 42), ("b2", "b6", 40)] {
            let kind = start.piece_on(at(from)).unwrap().1;
            assert_eq!(replies.after_ordinary(kind, at(from), to(target)), count, "{from}{target}");
        }
        let special = [("b2b9", 41), ("b2e2", 45), ("e3e4", 44), ("h2e2", 45), ("h2h9", 41)];
        assert_eq!(made, special.map(|(m, count)| (m.to_string(), count)));
        assert_eq!((ordinary, ordinary + 216), (1_704, 1_920));
    }
}
