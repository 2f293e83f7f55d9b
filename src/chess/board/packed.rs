//! Half a position, the pieces and rights of one side, for packed positions, which take 24 bytes.
//!
//! The code of a piece is 1 to 6 for its kind, and 7 for a piece with a right, which is a rook that may castle on a
//! back rank, and anywhere else a pawn that can be captured en passant, if that is legal.

use super::attacks::attacks;
use super::movegen::has_legal_en_passant;
use super::tables;
use super::{Board, castled};
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
use crate::game::Side;
use crate::game::count::packing::{self, Packing as _, Planes};

/// The code of a piece with a right.
const RIGHT: usize = 7;

/// The back ranks, where that right is to castle.
const ENDS: u64 = White::BACK_RANK.0 | Black::BACK_RANK.0;

/// The pieces and rights of one side.
pub type Half = Planes<1>;

/// The sets of a half, queens apart from bishops and rooks.
#[derive(Clone, Copy)]
pub(in crate::chess) struct Sets {
    pub kinds: [u64; 6],
    /// The rooks that may castle.
    pub castling: u64,
    /// The pawn that can be captured en passant.
    pub passed: u64,
}

impl Half {
    #[inline(always)]
    fn set(&self) -> u64 {
        let [[a], [b], [c]] = self.0;
        a | b | c
    }

    /// The squares of each kind of piece and of the pieces with a right.
    #[inline(always)]
    pub(in crate::chess) fn sets(&self) -> Sets {
        let [[a], [b], [c]] = self.0;
        let rights = a & b & c;
        let (castling, passed) = (rights & ENDS, rights & !ENDS);
        let kinds = [a & !(b | c) | passed, b & !(a | c), a & b & !c, c & !(a | b) | castling, a & !b & c, !a & b & c];
        Sets { kinds, castling, passed }
    }

    /// The half flipped vertically.
    #[inline(always)]
    pub(in crate::chess) fn flipped(&self) -> Half {
        let [[a], [b], [c]] = self.0;
        Planes([[a.swap_bytes()], [b.swap_bytes()], [c.swap_bytes()]])
    }

    /// The half without the right to castle.
    fn without_castling(self) -> Half {
        let [[a], [b], [c]] = self.0;
        let castling = self.sets().castling;
        Planes([[a ^ castling], [b ^ castling], [c]])
    }
}

impl packing::Half for Half {
    type Board = Board;
    type Move = Move;
    type Set = Bitboard;

    fn of(board: &Board, side: Side) -> Half {
        let own = board.side_set(side).0;
        let mut kinds = [0; 6];
        for kind in 0..6 {
            kinds[kind] = board.kinds[kind].0 & own;
        }
        let [pawns, knights, bishops, rooks, queens, kings] = kinds;
        let mut rights = board.castling.0 & own;
        if has_legal_en_passant(board) {
            let passed = match board.side {
                Side::First => Black::forward(board.en_passant),
                Side::Second => White::forward(board.en_passant),
            };
            rights |= passed.0 & own;
        }
        Planes([
            [pawns | bishops | queens | rights],
            [knights | bishops | kings | rights],
            [rooks | queens | kings | rights],
        ])
    }

    #[inline(always)]
    fn board([white, black]: [&Half; 2], side: Side) -> Board {
        let [first, second] = [white.sets(), black.sets()];
        let en_passant = match side {
            Side::First => White::forward(Bitboard(second.passed)),
            Side::Second => Black::forward(Bitboard(first.passed)),
        };
        let mut kinds = [Bitboard::EMPTY; 6];
        for kind in 0..6 {
            kinds[kind] = Bitboard(first.kinds[kind] | second.kinds[kind]);
        }
        Board {
            kinds,
            sides: [Bitboard(white.set()), Bitboard(black.set())],
            castling: Bitboard(first.castling | second.castling),
            en_passant,
            side,
        }
    }

    #[inline(always)]
    fn squares(&self) -> Bitboard {
        Bitboard(self.set())
    }

    #[inline(always)]
    fn lasting(self) -> Half {
        let [[a], [b], [c]] = self.0;
        let passed = a & b & c & !ENDS;
        Planes([[a], [b ^ passed], [c ^ passed]])
    }

    fn reach(&self, side: Side, mut row: impl FnMut(Bitboard, usize)) {
        let (own, Sets { kinds, castling, .. }) = (self.squares(), self.sets());
        for square in own {
            let kind = Kind::ALL.into_iter().find(|kind| Bitboard(kinds[kind.index()]).contains(square));
            match kind.unwrap_or(Kind::Pawn) {
                Kind::Pawn if side == Side::First => pawn_reach::<White>(own, square, &mut row),
                Kind::Pawn => pawn_reach::<Black>(own, square, &mut row),
                Kind::King => row(attacks(side, Kind::King, square, own) & !own | Bitboard(castling), 1),
                kind => row(attacks(side, kind, square, own) & !own, 1),
            }
        }
    }

    #[inline(always)]
    fn effect(board: &Board, m: Move) -> (usize, usize) {
        let to = m.to().index();
        if m.is_plain() {
            (0, to)
        } else if let Some(promoted) = m.promotion() {
            (promoted.index() - Kind::Knight.index(), to)
        } else if m.is(MoveKind::DoublePush) && has_enemy_pawn_beside(board, m.to()) {
            (usize::from(is_answered_en_passant(board, m)), to)
        } else if m.is(MoveKind::EnPassant) {
            // The pawn beside the capturing one.
            (0, m.to().with_rank_of(m.from()).index())
        } else {
            (0, to)
        }
    }

    fn after(self, m: Move, variant: usize) -> Half {
        let (from, to) = (m.from().index(), m.to().index());
        let code = |kind: Kind| kind.index() + 1;
        match m.kind() {
            Some(MoveKind::Castle) => {
                let (king, rook) = castled(m.from(), m.to());
                let half = self.without_castling().without(from).without(to);
                half.with(king.index(), code(Kind::King)).with(rook.index(), code(Kind::Rook))
            }
            Some(MoveKind::King) => self.without_castling().without(from).with(to, code(Kind::King)),
            Some(MoveKind::DoublePush) if variant == 1 => self.without(from).with(to, RIGHT),
            _ => self.without(from).with(to, code(m.promotion().unwrap_or(m.piece()))),
        }
    }
}

/// The row of a pawn of `U` on `square`.
fn pawn_reach<U: Us>(own: Bitboard, square: Square, row: &mut impl FnMut(Bitboard, usize)) {
    let pawn = Bitboard::of(square);
    let single = U::forward(pawn) & !own;
    let double = U::forward(single & U::THIRD_RANK) & !own;
    let variants = if U::SEVENTH_RANK.contains(square) { 4 } else { 1 + usize::from(!double.is_empty()) };
    row(single | double | U::pawn_attacks(pawn) & !own, variants);
}

/// Whether an enemy pawn is next to `square`, the target of a double step.
#[inline(always)]
fn has_enemy_pawn_beside(board: &Board, square: Square) -> bool {
    let beside = tables::king(square) & Bitboard::rank(square.rank());
    beside.meets(board.pieces(board.side.flip(), Kind::Pawn))
}

/// Whether the other side has a legal en passant capture after this double step.
#[cold]
#[inline(never)]
fn is_answered_en_passant(board: &Board, m: Move) -> bool {
    let mut child = *board;
    match board.side {
        Side::First => child.make_as::<White>(m),
        Side::Second => child.make_as::<Black>(m),
    };
    has_legal_en_passant(&child)
}
