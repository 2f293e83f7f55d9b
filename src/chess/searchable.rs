//! The trait `Searchable` of `game` for the chess [`Position`], mostly by delegation.

use crate::chess::board::position::Position;
use crate::chess::eval::{self, Memo};
use crate::chess::types::{Kind, Move};
use crate::game::network::NetworkInputs as _;
use crate::game::win_model::FittedModel;
use crate::game::{SearchParams, Searchable, Side};

impl Searchable for Position {
    type Memo = Memo;
    #[cfg(feature = "tablebases")]
    type Tables = crate::chess::tablebase::Tablebases;
    #[cfg(not(feature = "tablebases"))]
    type Tables = crate::game::NoTables;

    const PARAMS: SearchParams = SearchParams::COMMON;
    const WIN_MODEL: FittedModel = eval::win_model::WIN_MODEL;
    const CODES: usize = 2 * 6 * 64;

    #[inline]
    fn is_noisy(&self, m: Move) -> bool {
        self.is_capture(m) || m.promotion().is_some()
    }
    #[inline(always)]
    fn code(&self, m: Move) -> usize {
        (self.side().index() * 6 + m.piece().index()) << 6 | m.to().index()
    }
    #[inline]
    fn victim(&self, m: Move) -> usize {
        self.taken(m).map_or(0, |kind| 1 + kind.index())
    }
    #[inline]
    fn gain(&self, m: Move) -> i32 {
        self.material_gain(m)
    }
    #[inline]
    fn see_at_least(&self, m: Move, limit: i32) -> bool {
        Position::see_at_least(self, m, limit)
    }
    #[inline]
    fn evaluate(&self, memo: &mut Memo) -> i32 {
        eval::evaluate(self, memo)
    }
    fn piece_count(&self) -> u32 {
        self.occupied().count()
    }
    #[inline]
    fn structure_key(&self) -> u64 {
        eval::structure_key(self)
    }
    #[inline]
    fn pieces_key(&self, side: Side) -> u64 {
        eval::pieces_key(self, side)
    }
    #[inline]
    fn threats(&self, memo: &Memo) -> u128 {
        let (them, known) = (self.side().flip(), memo.pieces(self.ply()));
        let is_known = known.kinds == self.kinds && known.sides == self.sides;
        let set = if is_known { known.attacks[them.index()] } else { self.attacked_by(them) };
        u128::from(set.0)
    }
    #[inline]
    fn null_is_risky(&self) -> bool {
        // Zugzwang is likely only when a side has nothing but king and pawns.
        let pieces = self.side_set(self.side());
        (pieces & !(self.kind_set(Kind::Pawn) | self.kind_set(Kind::King))).is_empty()
    }
}
