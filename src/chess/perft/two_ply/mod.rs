//! Two plies at once in eight positions at once: the idea of `replies` without loops and look-ups.
//!
//! "We" (`U`) are to move, "they" reply. For an ordinary move, replies = replies to a null move + change by
//! leaving the origin + change by landing on the target. The number of our moves that land on each square
//! and the change there are both boards of small numbers (`planes`), so their products are summed for all
//! squares and all moves together; the same for origins, and for the squares that their king needs. Moves
//! that may do more (give check, touch a pin, promote, take en passant, open or close a line to where their
//! king may go) are special: they are made, and their replies counted by `eight`. Which moves are special is
//! decided for whole sets, on the safe side.
//!
//! Here is the collection of positions, which `brood` makes, and the order of the work: `siege` looks at their king, `answers`
//! counts the replies to a null move, `offers` divides our moves into ordinary and special ones, `sums` adds
//! up the changes, `special` counts the rest. Called by `walk` two plies above the leaves.

pub mod classify;
pub mod king_zone;
pub mod made_moves;
pub mod null_replies;
pub mod sums;

use crate::chess::board::position::Position;
use crate::chess::perft::lanes::castling::Wings;
use crate::chess::perft::lanes::children::Brood;
use crate::chess::perft::lanes::legal_count::{Army, Pieces, ROOM, advance, first, load, store};
use crate::chess::perft::simd::fills::{Rays, on_lines, rays};
use crate::chess::perft::simd::{LANES, Vector};
use crate::chess::perft::two_ply::classify::Offers;
use crate::chess::perft::two_ply::king_zone::{Court, KingLines};
use crate::chess::perft::two_ply::made_moves::{SETS, Specials};
use crate::chess::perft::two_ply::null_replies::Answers;
use crate::chess::types::bitboard::Bitboard;
use crate::chess::types::moves::Move;
use crate::chess::types::piece::Us;

/// Positions with the same side to move, two plies above the leaves: eight of them are counted at a time.
#[repr(C, align(64))]
pub struct Pairs {
    pub ours: Pieces,
    pub theirs: Pieces,
    /// The rooks that may castle, of both sides.
    pub castling: [u64; ROOM],
    /// The square behind a pawn that has just made a double step, if a pawn of ours attacks it.
    pub en_passant: [u64; ROOM],
    pub wings: Wings,
    len: usize,
    /// For what the lanes do not hold.
    any: Position,
}

impl Pairs {
    /// Room for positions of the tree below `root`.
    pub fn new(root: &Position) -> Self {
        Pairs {
            ours: Pieces::EMPTY,
            theirs: Pieces::EMPTY,
            castling: [0; ROOM],
            en_passant: [0; ROOM],
            wings: Wings::of(root),
            len: 0,
            any: *root,
        }
    }

    /// Whether there are eight positions to be counted, and maybe more.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len >= LANES
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets the positions that have been counted.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.len = self.len.saturating_sub(LANES);
        if self.len != 0 {
            self.ours.advance();
            self.theirs.advance();
            advance(&mut self.castling);
            advance(&mut self.en_passant);
        }
    }

    /// The lanes in use, lane 0 in bit 0.
    #[inline(always)]
    pub fn active(&self) -> u8 {
        first(self.len)
    }

    /// The position of a lane, where `U` is to move.
    #[inline(always)]
    pub fn position<U: Us>(&self, lane: usize) -> Position {
        let lane = lane & (LANES - 1);
        let (ours, theirs) = (&self.ours, &self.theirs);
        let queens =
            ours.bishops[lane] & ours.rooks[lane] | theirs.bishops[lane] & theirs.rooks[lane];
        let mut pos = self.any;
        pos.kinds = [
            ours.pawns[lane] | theirs.pawns[lane],
            ours.knights[lane] | theirs.knights[lane],
            (ours.bishops[lane] | theirs.bishops[lane]) ^ queens,
            (ours.rooks[lane] | theirs.rooks[lane]) ^ queens,
            queens,
            ours.king[lane] | theirs.king[lane],
        ]
        .map(Bitboard);
        pos.sides[U::SIDE.index()] = ours.all(lane);
        pos.sides[U::Them::SIDE.index()] = theirs.all(lane);
        pos.castling = Bitboard(self.castling[lane]);
        pos.en_passant = Bitboard(self.en_passant[lane]);
        pos.side = U::SIDE;
        pos
    }

    /// Adds a position in which `U` is to move, unless it has no room, as after eight.
    #[inline(always)]
    pub fn push<U: Us>(&mut self, pos: &Position) {
        self.write::<U>(self.len, pos);
        self.len += 1;
    }

    /// Adds the positions after `moves` of `brood`; none with number `len` or above is a move. There must be
    /// room, so fewer than eight positions.
    #[inline(always)]
    pub fn push_children<T: Us, V: Vector>(
        &mut self,
        cpu: V::Cpu,
        brood: &Brood<V>,
        moves: &[Move; LANES],
        len: usize,
    ) {
        debug_assert!(!self.is_full());
        let at = self.len;
        let children = brood.children::<T>(cpu, moves);
        self.ours.store(at, &children.ours);
        self.theirs.store(at, &children.theirs);
        store(children.castling, &mut self.castling, at);
        store(children.en_passant, &mut self.en_passant, at);
        let mut rare = children.rare & first(len);
        while rare != 0 {
            let i = rare.trailing_zeros() as usize;
            rare &= rare - 1;
            let mut child = *brood.parent;
            child.make_as::<T>(moves[i & (LANES - 1)]);
            self.write::<T::Them>(at + i, &child);
        }
        self.len += len;
    }

    /// Writes a lane.
    #[inline(always)]
    fn write<U: Us>(&mut self, lane: usize, pos: &Position) {
        self.ours.set::<U>(lane, pos);
        self.theirs.set::<U::Them>(lane, pos);
        let lane = lane & (ROOM - 1);
        self.castling[lane] = pos.castling.0;
        self.en_passant[lane] = pos.en_passant.0;
    }
}

/// Both sides' pieces in registers, and the attacks of sliders.
pub struct Board<V> {
    pub us: Army<V>,
    pub them: Army<V>,
    pub ours: V,
    pub theirs: V,
    pub occupied: V,
    pub empty: V,
    /// Our queens. Their attacks are apart, as they give check from more squares.
    pub queens: V,
    /// The rooks that may castle, of both sides.
    pub castling: V,
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
        let queens = us.bishops & us.rooks;
        Board {
            us,
            them,
            ours,
            theirs,
            occupied,
            empty: !occupied,
            queens,
            castling: load(cpu, &pairs.castling, 0),
            queen_attacks: rays::<V>(cpu, [queens; 4], occupied),
            our_attacks: rays::<V>(cpu, on_lines(us.rooks, us.bishops), occupied),
            their_attacks: rays::<V>(cpu, on_lines(them.rooks, them.bishops), occupied),
        }
    }
}

/// The number of sequences of two plies from the positions of `pairs`, where `U` is to move, without those
/// that begin with the moves it leaves in `specials.others`.
#[inline(always)]
pub fn count<U: Us, V: Vector>(cpu: V::Cpu, pairs: &Pairs, specials: &mut Specials) -> u64 {
    let board = Board::<V>::of(cpu, pairs);
    let king = KingLines::of(cpu, &board);
    let court = Court::of::<U>(cpu, pairs, &board, &king);
    let answers = Answers::of::<U>(cpu, &board, &king);
    let mut special = [V::zero(cpu); SETS];
    let offers = Offers::of::<U>(cpu, pairs, &board, &king, &court, &answers, &mut special);
    let total = sums::moves::<U, V>(cpu, &board, &offers, &answers, court.replies)
        + sums::leaving::<U, V>(cpu, &board, &offers, &answers, &court)
        - sums::hindering::<U, V>(cpu, &board, &offers, &court)
        + sums::freeing::<U, V>(cpu, &board, &king, &offers)
        + offers.captures;

    let ordinary = total.only(pairs.active()).sum();
    let captures = made_moves::collect::<U, V>(cpu, pairs, &offers, specials);
    ordinary + captures + made_moves::count::<U, V>(cpu, pairs, specials, &special)
}
