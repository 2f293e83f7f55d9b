//! Makes the moves of one node, one move in each lane.
//!
//! White is to move in the children, so Black is to move in the parent. En passant captures and castling, which are
//! rare, are left to the caller.

use crate::chess::board::Board;
use crate::chess::perft::lanes::side_sets::SideSets;
use crate::chess::perft::simd::fills::{forward, pawn_attacks};
use crate::chess::perft::simd::{MOST_LANES, Vector};
use crate::chess::types::{Black, Move, MoveKind, Us, White};
use crate::game::{GameMove, Side};

/// A node with its sets copied to every lane.
pub struct ParentLanes<V> {
    /// The node, flipped if necessary so that Black is to move, and the mask that flips the squares of its moves.
    pub position: Board,
    flip_mask: u16,
    /// The pieces of the side to move in the node, and those of the other side.
    movers: SideSets<V>,
    others: SideSets<V>,
    castling: V,
}

/// Positions after a move. "We" are now to move.
pub struct Children<V> {
    pub ours: SideSets<V>,
    pub theirs: SideSets<V>,
    pub castling: V,
    pub en_passant: V,
    /// Lanes whose move is castling or en passant. Their positions are invalid.
    pub scalar_lanes: u8,
}

/// Move kinds after which a pawn, a knight and so on is on the target square: bit `k` for kind `k`.
const PAWN: u64 = of(&[MoveKind::Pawn, MoveKind::DoublePush]);
const KNIGHT: u64 = of(&[MoveKind::Knight, MoveKind::PromoteKnight]);
const QUEEN: u64 = of(&[MoveKind::Queen, MoveKind::PromoteQueen]);
const BISHOP: u64 = QUEEN | of(&[MoveKind::Bishop, MoveKind::PromoteBishop]);
const ROOK: u64 = QUEEN | of(&[MoveKind::Rook, MoveKind::PromoteRook]);
const KING: u64 = of(&[MoveKind::King]);
const DOUBLE: u64 = of(&[MoveKind::DoublePush]);
const SCALAR: u64 = of(&[MoveKind::EnPassant, MoveKind::Castle]);

const fn of(kinds: &[MoveKind]) -> u64 {
    let (mut set, mut i) = (0, 0);
    while i < kinds.len() {
        set |= 1 << kinds[i] as u64;
        i += 1;
    }
    set
}

/// The bits of a move that change when the board is flipped: the ranks of its squares.
const RANKS: u16 = 0o70 | 0o70 << 6;

impl<V: Vector> ParentLanes<V> {
    /// Either side may be to move in `parent`.
    #[inline(always)]
    pub fn new(cpu: V::Cpu, parent: &Board) -> Self {
        let flips = parent.side() != Black::SIDE;
        let position = if flips { parent.flipped() } else { *parent };
        ParentLanes {
            position,
            flip_mask: if flips { RANKS } else { 0 },
            movers: sets(cpu, &position, Black::SIDE),
            others: sets(cpu, &position, White::SIDE),
            castling: V::splat(cpu, position.castling.0),
        }
    }

    /// Moves of the parent as moves of [`ParentLanes::position`], one per lane. The remaining entries are arbitrary.
    #[inline(always)]
    pub fn flipped(&self, moves: &[Move]) -> [Move; MOST_LANES] {
        let mut flipped = [Move::NONE; MOST_LANES];
        for (lane, m) in flipped.iter_mut().zip(moves) {
            *lane = Move::from_raw(m.raw() ^ self.flip_mask);
        }
        flipped
    }

    /// The positions after legal moves of [`ParentLanes::position`], one in each lane.
    #[inline(always)]
    pub fn children(&self, cpu: V::Cpu, moves: &[Move; MOST_LANES]) -> Children<V> {
        let ParentLanes { movers, others, castling, .. } = *self;
        let moves = V::widen(cpu, &moves.map(GameMove::raw));
        let (from, to) = (V::bit(cpu, moves), V::bit(cpu, moves.shift(-6)));
        let kind = V::bit(cpu, moves.shift(-12));
        macro_rules! arrived {
            ($kinds:expr) => {
                to.keep_if_nonzero(kind & V::splat(cpu, $kinds))
            };
        }
        let theirs = SideSets {
            pawns: movers.pawns.without(from) | arrived!(PAWN),
            knights: movers.knights.without(from) | arrived!(KNIGHT),
            bishops: movers.bishops.without(from) | arrived!(BISHOP),
            rooks: movers.rooks.without(from) | arrived!(ROOK),
            king: movers.king.without(from) | arrived!(KING),
        };
        let home = V::splat(cpu, Black::BACK_RANK.0).keep_if_nonzero(from & movers.king);
        let passed = forward::<Black, V>(from).keep_if_nonzero(kind & V::splat(cpu, DOUBLE));
        let (west, east) = pawn_attacks::<Black, V>(cpu, passed);
        Children {
            ours: others.without(to),
            theirs,
            castling: castling.without(from | to | home),
            en_passant: passed.keep_if_nonzero((west | east) & others.pawns),
            scalar_lanes: (kind & V::splat(cpu, SCALAR)).nonzero(),
        }
    }
}

/// The pieces of one side, copied to every lane.
#[inline(always)]
fn sets<V: Vector>(cpu: V::Cpu, pos: &Board, side: Side) -> SideSets<V> {
    SideSets::of(cpu, pos.kinds.map(|set| (set & pos.side_set(side)).0))
}
