//! Two plies at once in eight positions at once: the idea of `replies` without loops and look-ups.
//!
//! "We" (`U`) are to move, "they" reply. For an ordinary move, replies = replies to a null move + change by
//! leaving the origin + change by landing on the target. The number of our moves that land on each square
//! and the change there are both boards of small numbers (`planes`), so their products are summed for all
//! squares and all moves together; the same for origins. Moves that may do more (give check, touch a
//! pin, change where their king may go, promote, castle, en passant) are special: they are made, and their
//! replies counted by `eight`. Which moves are special is decided for whole sets, on the safe side.
//!
//! Here is the collection of positions and the order of the work: `siege` looks at their king, `answers`
//! counts the replies to a null move, `offers` divides our moves into ordinary and special ones, `sums` adds
//! up the changes, `special` counts the rest. Called by `walk` two plies above the leaves.

use super::answers::Answers;
use super::eight::{Army, Pieces, Wing};
use super::offers::Offers;
use super::rays::{Rays, merged, on_lines, rays};
use super::siege::{Court, KingLines};
use super::special::{self, Specials};
use super::sums;
use super::vector::{LANES, Vector};
use crate::chess::bitboard::Bitboard;
use crate::chess::make::castled;
use crate::chess::moves::Move;
use crate::chess::piece::{Kind, Us};
use crate::chess::position::Position;

/// Up to eight positions with the same side to move, two plies above the leaves.
#[repr(C, align(64))]
pub(super) struct Pairs {
    pub ours: Pieces,
    pub theirs: Pieces,
    pub queens: [u64; LANES],
    /// Their castles.
    pub wings: [Wing; 2],
    /// Whether any of them may castle.
    pub castling: bool,
    /// Our castles, where the king goes, and where the rook comes from and goes.
    pub our_wings: [Wing; 2],
    pub kings_to: [[u64; LANES]; 2],
    pub rook_trips: [[u64; LANES]; 2],
    pub our_castling: bool,
    /// Lanes in which we may be able to take en passant.
    pub extra: u8,
    pub positions: [Position; LANES],
    pub len: usize,
}

impl Pairs {
    /// Room for positions; `any` is a placeholder.
    pub fn new(any: &Position) -> Self {
        Pairs {
            ours: Pieces::EMPTY,
            theirs: Pieces::EMPTY,
            queens: [0; LANES],
            wings: [Wing::NONE; 2],
            castling: false,
            our_wings: [Wing::NONE; 2],
            kings_to: [[0; LANES]; 2],
            rook_trips: [[0; LANES]; 2],
            our_castling: false,
            extra: 0,
            positions: [*any; LANES],
            len: 0,
        }
    }

    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len == LANES
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets the positions.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
        self.extra = 0;
        if std::mem::take(&mut self.castling) {
            for wing in &mut self.wings {
                wing.path = [!0; LANES];
            }
        }
        if std::mem::take(&mut self.our_castling) {
            for wing in &mut self.our_wings {
                wing.path = [!0; LANES];
            }
        }
    }

    /// The lanes in use, lane 0 in bit 0.
    #[inline(always)]
    pub fn active(&self) -> u8 {
        ((1u32 << self.len) - 1) as u8
    }

    /// The position of a lane.
    #[inline(always)]
    pub fn position(&self, lane: u8) -> &Position {
        &self.positions[usize::from(lane) & (LANES - 1)]
    }

    /// Adds the position after `m`, a legal move of `T` in `pos`. There must be room.
    #[inline(always)]
    pub fn push_after<T: Us>(&mut self, pos: &Position, m: Move) {
        let lane = self.len & (LANES - 1);
        self.positions[lane] = *pos;
        self.positions[lane].make_as::<T>(m);
        self.fill::<T::Them>(lane);
    }

    /// Adds a position in which `U` is to move. There must be room.
    #[inline(always)]
    pub fn push<U: Us>(&mut self, pos: &Position) {
        let lane = self.len & (LANES - 1);
        self.positions[lane] = *pos;
        self.fill::<U>(lane);
    }

    /// Writes the rest of a lane.
    #[inline(always)]
    fn fill<U: Us>(&mut self, lane: usize) {
        self.len += 1;
        let pos = &self.positions[lane];
        self.ours.set::<U>(lane, pos);
        self.theirs.set::<U::Them>(lane, pos);
        self.queens[lane] = (pos.kind_set(Kind::Queen) & pos.side_set(U::SIDE)).0;
        if !pos.castling.is_empty() {
            self.castling |= Wing::set::<U::Them>(&mut self.wings, lane, pos);
            if Wing::set::<U>(&mut self.our_wings, lane, pos) {
                self.our_castling = true;
                let king = pos.king(U::SIDE);
                for rook in pos.castling & U::BACK_RANK {
                    let wing = usize::from(rook > king);
                    let (king_to, rook_to) = castled(king, rook);
                    self.kings_to[wing][lane] = Bitboard::of(king_to).0;
                    self.rook_trips[wing][lane] = Bitboard::of(rook).0 ^ Bitboard::of(rook_to).0;
                }
            }
        }
        self.extra |= u8::from(!pos.en_passant.is_empty()) << lane;
    }
}

/// Both sides' pieces in registers, and the attacks of sliders.
pub(super) struct Board<V> {
    pub us: Army<V>,
    pub them: Army<V>,
    pub ours: V,
    pub theirs: V,
    pub occupied: V,
    pub empty: V,
    /// Our queens. Their attacks are apart, as they give check from more squares.
    pub queens: V,
    pub plain_attacks: Rays<V>,
    pub queen_attacks: Rays<V>,
    pub our_attacks: Rays<V>,
    pub their_attacks: Rays<V>,
}

impl<V: Vector> Board<V> {
    #[inline(always)]
    fn of(cpu: V::Cpu, pairs: &Pairs) -> Self {
        let (us, them) = (pairs.ours.load::<V>(cpu), pairs.theirs.load::<V>(cpu));
        let (ours, theirs) = (us.all(), them.all());
        let occupied = ours | theirs;
        let queens = V::load(cpu, &pairs.queens);
        let plain = on_lines(us.rooks.without(queens), us.bishops.without(queens));
        let plain_attacks = rays::<V>(cpu, plain, occupied);
        let queen_attacks = rays::<V>(cpu, [queens; 4], occupied);
        Board {
            us,
            them,
            ours,
            theirs,
            occupied,
            empty: !occupied,
            queens,
            plain_attacks,
            queen_attacks,
            our_attacks: merged(&plain_attacks, &queen_attacks),
            their_attacks: rays::<V>(cpu, on_lines(them.rooks, them.bishops), occupied),
        }
    }
}

/// The number of sequences of two plies from the positions of `pairs`, where `U` is to move, without those
/// that begin with the moves it leaves in `specials.others`.
#[inline(always)]
pub(super) fn count<U: Us, V: Vector>(cpu: V::Cpu, pairs: &Pairs, specials: &mut Specials) -> u64 {
    let board = Board::<V>::of(cpu, pairs);
    let king = KingLines::of(cpu, &board);
    let court = Court::of::<U>(cpu, pairs, &board, &king);
    let answers = Answers::of::<U>(cpu, &board, &king);
    let offers = Offers::of::<U>(cpu, pairs, &board, &king, &court, &answers);
    let total = sums::moves::<U, V>(cpu, &board, &offers, &answers, court.replies)
        + sums::leaving::<U, V>(cpu, &board, &offers, &answers)
        + sums::freeing::<U, V>(cpu, &board, &king, &offers);

    let captures = special::collect::<U, V>(cpu, pairs, &offers, specials);
    specials.list::<V>(cpu, &offers.special, pairs.active());
    let ordinary = total.only(pairs.active()).sum();
    ordinary + captures + special::count_plain::<U, V>(cpu, pairs, specials, offers.pinned)
}
