//! Their replies to a null move, without the king's, and the view of the position that all stages use.
//!
//! "We" and "they" as in `portable`. While counting, it records in `deltas` how single squares
//! change the number of replies.

use crate::base::cpu::Cpu;
use crate::chess::board::Board;
use crate::chess::board::movegen::{self, ALL, ChecksAndPins};
use crate::chess::board::tables;
use crate::chess::perft::portable::deltas::ReplyDeltas;
use crate::chess::types::{Bitboard, Black, Kind, Square, Us, White};
use crate::game::CountSink;

/// A position as the stages see it. "We" are to move.
pub struct View<'a> {
    pub pos: &'a Board,
    pub ours: Bitboard,
    pub theirs: Bitboard,
    pub occupied: Bitboard,
    /// The squares of our king and their king.
    pub king: Square,
    pub target: Square,
    /// Pieces of both sides. Queens are in both `bishops` and `rooks`.
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    /// Their pins, and all squares of the pin lines. A piece of theirs on such a square is pinned.
    pub pins: ChecksAndPins,
    pub pinned: Bitboard,
}

impl<'a> View<'a> {
    #[inline(always)]
    pub fn of(pos: &'a Board) -> Self {
        let (ours, theirs) = (pos.side_set(White::SIDE), pos.side_set(Black::SIDE));
        let (king, target) = (pos.king(White::SIDE), pos.king(Black::SIDE));
        let queens = pos.kind_set(Kind::Queen);
        let pins = ChecksAndPins::of::<Black>(pos);
        let pinned = pins.straight | pins.diagonal;
        View {
            pos,
            ours,
            theirs,
            occupied: ours | theirs,
            king,
            target,
            pawns: pos.kind_set(Kind::Pawn),
            knights: pos.kind_set(Kind::Knight),
            bishops: pos.kind_set(Kind::Bishop) | queens,
            rooks: pos.kind_set(Kind::Rook) | queens,
            queens,
            pins,
            pinned,
        }
    }
}

/// Their replies to a null move, without the king's.
pub struct NullReplies {
    pub count: i64,
    /// The squares that they attack.
    pub attacked: Bitboard,
    /// Last-rank squares that their unpinned pawns attack, or that are directly in front of them.
    pub promotion_targets: Bitboard,
}

impl NullReplies {
    /// Counts the replies, and records in `deltas` how single squares change their number.
    #[inline(always)]
    pub fn of<C: Cpu>(view: &View, cpu: C, deltas: &mut ReplyDeltas) -> Self {
        let &View { ours, theirs, occupied, ref pins, pinned, pawns, .. } = view;
        let mut replies = CountSink::default();
        let mut attacked = Black::pawn_attacks(pawns & theirs) | tables::king(view.target);
        for from in view.knights & theirs {
            let reach = tables::knight(from);
            attacked |= reach;
            if !pinned.contains(from) {
                replies.0 += u64::from((reach & !theirs).count());
            }
        }
        for from in view.bishops & theirs {
            let reach = tables::bishop(from, occupied);
            attacked |= reach;
            if !pinned.contains(from) {
                replies.0 += u64::from((reach & !theirs).count());
                let behind = || tables::bishop(from, occupied & !(reach & ours));
                deltas.slider(from, reach, ours, theirs, behind);
            } else if pins.diagonal.contains(from) {
                replies.0 += u64::from((reach & pins.diagonal & !theirs).count());
            }
        }
        for from in view.rooks & theirs {
            let reach = tables::rook(from, occupied);
            attacked |= reach;
            if !pinned.contains(from) {
                replies.0 += u64::from((reach & !theirs).count());
                let behind = || tables::rook(from, occupied & !(reach & ours));
                deltas.slider(from, reach, ours, theirs, behind);
            } else if pins.straight.contains(from) {
                replies.0 += u64::from((reach & pins.straight & !theirs).count());
            }
        }
        movegen::pawns::<Black, ALL, _>(view.pos, theirs, Bitboard::ALL, pins, &mut replies);
        let promotion_targets = deltas.pawns(pawns & theirs & !pinned, ours, occupied);
        NullReplies { count: replies.0 as i64, attacked, promotion_targets }
    }
}
