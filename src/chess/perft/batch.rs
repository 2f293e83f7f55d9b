//! Positions collected until every lane of a vector is filled, in memory and in registers: the pieces of both sides,
//! castling, and the positions after the moves of a node.
//!
//! White is to move in a batch, so "we" move up the board; Black has moved from the parent to its children. `walk`
//! fills a batch with single positions or with the children of a node, and the stages of the formula read it.
//!
//! While a castling right is left, king and rook are on the squares they had at the root. So each castling move needs
//! the same squares in all positions of a tree, and a position only stores which rooks still have the right.

use crate::chess::board::packed::Sets;
use crate::chess::board::{Board, castled, tables};
use crate::chess::perft::vector::{MOST_LANES, Vector, forward, lane_mask, load_at, pawn_attacks, store_at};
use crate::chess::types::{Bitboard, Black, Move, MoveKind, Us, White};
use crate::game::{GameMove, Side};

/// The pieces of one side in several positions. Queens are in both `bishops` and `rooks`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct SideBatch {
    pub pawns: [u64; ROOM],
    pub knights: [u64; ROOM],
    pub bishops: [u64; ROOM],
    pub rooks: [u64; ROOM],
    pub king: [u64; ROOM],
}

/// Kinds of pieces besides kings and pawns, as bits of a set; a queen is both a bishop and a rook.
pub const KNIGHTS: u8 = 1;
pub const BISHOPS: u8 = 2;
pub const ROOKS: u8 = 4;

/// Room for the positions of one vector, and for as many that are waiting.
pub const ROOM: usize = 2 * MOST_LANES;

impl SideBatch {
    pub const EMPTY: SideBatch =
        SideBatch { pawns: [0; ROOM], knights: [0; ROOM], bishops: [0; ROOM], rooks: [0; ROOM], king: [0; ROOM] };

    /// Writes the sets of one side, by kind, into a lane.
    #[inline(always)]
    pub fn write(&mut self, lane: usize, [pawns, knights, bishops, rooks, queens, king]: [u64; 6]) {
        let lane = lane & (ROOM - 1);
        self.pawns[lane] = pawns;
        self.knights[lane] = knights;
        self.bishops[lane] = bishops | queens;
        self.rooks[lane] = rooks | queens;
        self.king[lane] = king;
    }

    #[inline(always)]
    pub fn load<V: Vector>(&self, cpu: V::Cpu) -> SideSets<V> {
        SideSets {
            pawns: load_at(cpu, &self.pawns, 0),
            knights: load_at(cpu, &self.knights, 0),
            bishops: load_at(cpu, &self.bishops, 0),
            rooks: load_at(cpu, &self.rooks, 0),
            king: load_at(cpu, &self.king, 0),
        }
    }

    /// Writes the positions of a vector, starting at a lane.
    #[inline(always)]
    pub fn store<V: Vector>(&mut self, lane: usize, sets: &SideSets<V>) {
        store_at(sets.pawns, &mut self.pawns, lane);
        store_at(sets.knights, &mut self.knights, lane);
        store_at(sets.bishops, &mut self.bishops, lane);
        store_at(sets.rooks, &mut self.rooks, lane);
        store_at(sets.king, &mut self.king, lane);
    }

    /// All pieces in a lane.
    #[inline(always)]
    pub fn all(&self, lane: usize) -> Bitboard {
        let lane = lane & (ROOM - 1);
        let sliders = self.bishops[lane] | self.rooks[lane];
        Bitboard(self.pawns[lane] | self.knights[lane] | sliders | self.king[lane])
    }

    /// Removes the positions of one vector.
    #[inline(always)]
    pub fn advance<V: Vector>(&mut self) {
        for words in [&mut self.pawns, &mut self.knights, &mut self.bishops, &mut self.rooks, &mut self.king] {
            advance::<V, _>(words);
        }
    }
}

/// Moves the words after those of one vector to the front.
#[inline(always)]
pub fn advance<V: Vector, W: Copy>(words: &mut [W; ROOM]) {
    for lane in 0..V::LANES {
        words[lane] = words[V::LANES + lane];
    }
}

/// [`SideBatch`] in registers: queens are in `bishops` and in `rooks`.
#[derive(Clone, Copy)]
pub struct SideSets<V> {
    pub pawns: V,
    pub knights: V,
    pub bishops: V,
    pub rooks: V,
    pub king: V,
}

impl<V: Vector> SideSets<V> {
    /// The sets of one side, by kind, in every lane.
    #[inline(always)]
    pub fn of(cpu: V::Cpu, sets: [u64; 6]) -> Self {
        let [pawns, knights, bishops, rooks, queens, king] = sets;
        SideSets {
            pawns: V::splat(cpu, pawns),
            knights: V::splat(cpu, knights),
            bishops: V::splat(cpu, bishops | queens),
            rooks: V::splat(cpu, rooks | queens),
            king: V::splat(cpu, king),
        }
    }

    #[inline(always)]
    pub fn all(&self) -> V {
        (self.pawns | self.knights | self.bishops) | (self.rooks | self.king)
    }

    /// The same sets; the compiler then knows that the kinds not in `KINDS` are missing, and leaves out all code for
    /// them.
    #[inline(always)]
    pub fn only<const KINDS: u8>(self, cpu: V::Cpu) -> Self {
        let none = V::zero(cpu);
        SideSets {
            knights: if KINDS & KNIGHTS != 0 { self.knights } else { none },
            bishops: if KINDS & BISHOPS != 0 { self.bishops } else { none },
            rooks: if KINDS & ROOKS != 0 { self.rooks } else { none },
            ..self
        }
    }

    /// Lane `i` of the result is lane `lanes[i]` of `self`.
    #[inline(always)]
    pub fn permute(&self, lanes: V) -> Self {
        SideSets {
            pawns: self.pawns.permute(lanes),
            knights: self.knights.permute(lanes),
            bishops: self.bishops.permute(lanes),
            rooks: self.rooks.permute(lanes),
            king: self.king.permute(lanes),
        }
    }

    /// The pieces after one on `square` is captured. Kings never are.
    #[inline(always)]
    pub fn without(&self, square: V) -> Self {
        SideSets {
            pawns: self.pawns.without(square),
            knights: self.knights.without(square),
            bishops: self.bishops.without(square),
            rooks: self.rooks.without(square),
            king: self.king,
        }
    }

    /// The pieces after one moves from `from` to `to`.
    #[inline(always)]
    pub fn moved(&self, from: V, to: V) -> Self {
        SideSets {
            pawns: moved(self.pawns, from, to),
            knights: moved(self.knights, from, to),
            bishops: moved(self.bishops, from, to),
            rooks: moved(self.rooks, from, to),
            king: moved(self.king, from, to),
        }
    }
}

/// The set after a piece moves from `from` to `to`, if it is a member.
#[inline(always)]
fn moved<V: Vector>(set: V, from: V, to: V) -> V {
    set.without(from) | to.keep_if_nonzero(set & from)
}

/// The squares of one castling move. All sets are empty if the root does not have the right.
#[derive(Clone, Copy, Default)]
pub struct CastlingGeometry {
    /// The rook.
    rook: u64,
    /// Squares that must be empty, and squares that must not be attacked.
    must_be_empty: u64,
    must_be_safe: u64,
    /// The target squares of the king and the rook.
    pub king_to: u64,
    pub rook_to: u64,
}

/// The castling moves of a tree: by side, then towards the a-file and towards the h-file.
pub struct CastlingTable([[CastlingGeometry; 2]; 2]);

impl CastlingTable {
    /// The castling moves of the tree below `root`.
    pub fn of(root: &Board) -> Self {
        let mut castling_table = CastlingTable([[CastlingGeometry::default(); 2]; 2]);
        for side in Side::BOTH {
            let king = root.king(side);
            for rook in root.castling & root.side_set(side) {
                let (must_be_empty, must_be_safe) = tables::castling_paths(king, rook);
                let (king_to, rook_to) = castled(king, rook);
                castling_table.0[side.index()][usize::from(rook > king)] = CastlingGeometry {
                    rook: Bitboard::of(rook).0,
                    must_be_empty: must_be_empty.0,
                    must_be_safe: must_be_safe.0,
                    king_to: Bitboard::of(king_to).0,
                    rook_to: Bitboard::of(rook_to).0,
                };
            }
        }
        castling_table
    }

    /// The castling moves of `T`.
    #[inline(always)]
    pub fn of_side<T: Us>(&self) -> &[CastlingGeometry; 2] {
        &self.0[T::SIDE.index()]
    }

    /// The castling moves of `T` in several positions in which the rooks `castling`, of either side, have the right.
    /// `None` if there is no right in any of them.
    #[inline(always)]
    pub fn load<T: Us, V: Vector>(&self, cpu: V::Cpu, castling: V) -> Option<[CastlingLanes<V>; 2]> {
        let rooks = castling & V::splat(cpu, T::BACK_RANK.0);
        if rooks.nonzero() == 0 {
            return None;
        }
        let [a, h] = self.of_side::<T>();
        Some([a.load(cpu, rooks), h.load(cpu, rooks)])
    }
}

impl CastlingGeometry {
    /// The rook's origin and target, or nothing if it does not move.
    #[inline(always)]
    pub fn rook_from_to(&self) -> u64 {
        self.rook ^ self.rook_to
    }

    #[inline(always)]
    fn load<V: Vector>(&self, cpu: V::Cpu, rooks: V) -> CastlingLanes<V> {
        CastlingLanes {
            rook: rooks & V::splat(cpu, self.rook),
            must_be_empty: V::splat(cpu, self.must_be_empty),
            must_be_safe: V::splat(cpu, self.must_be_safe),
        }
    }
}

/// One castling move in several positions.
#[derive(Clone, Copy)]
pub struct CastlingLanes<V> {
    /// The rook, in lanes that have the right. It must not be pinned.
    pub rook: V,
    /// Squares that must be empty, and squares that must not be attacked.
    pub must_be_empty: V,
    pub must_be_safe: V,
}

impl<V: Vector> CastlingLanes<V> {
    /// The rook, in lanes where castling is possible. Does not test whether the king is in check.
    #[inline(always)]
    pub fn available(&self, occupied: V, danger: V, pinned: V) -> V {
        self.rook.keep_if_zero(self.must_be_empty & occupied | self.must_be_safe & danger | self.rook & pinned)
    }
}

/// Positions of one tree with White to move.
#[repr(C, align(64))]
pub struct Batch {
    pub ours: SideBatch,
    pub theirs: SideBatch,
    /// The rooks of both sides that may castle.
    pub castling: [u64; ROOM],
    /// The square behind a pawn that has just made a double step, if one of our pawns attacks it.
    pub en_passant: [u64; ROOM],
    pub castling_table: CastlingTable,
    /// The index of each position's count, for callers that count each position on its own.
    places: [u32; ROOM],
    len: usize,
    /// The root, flipped as all positions here are. It supplies what the lanes do not hold.
    root: Board,
}

impl Batch {
    /// An empty batch for positions of the tree below `root`, which is flipped as they are.
    #[inline(always)]
    pub fn new(root: &Board) -> Self {
        Batch {
            ours: SideBatch::EMPTY,
            theirs: SideBatch::EMPTY,
            castling: [0; ROOM],
            en_passant: [0; ROOM],
            castling_table: CastlingTable::of(root),
            places: [0; ROOM],
            len: 0,
            root: *root,
        }
    }

    /// Whether every lane is filled. There may be more positions.
    #[inline(always)]
    pub fn is_full<V: Vector>(&self) -> bool {
        self.len >= V::LANES
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes the positions of one vector, which have been counted.
    #[inline(always)]
    pub fn advance<V: Vector>(&mut self) {
        self.len = self.len.saturating_sub(V::LANES);
        if self.len != 0 {
            self.ours.advance::<V>();
            self.theirs.advance::<V>();
            advance::<V, _>(&mut self.castling);
            advance::<V, _>(&mut self.en_passant);
            advance::<V, _>(&mut self.places);
        }
    }

    /// The lanes in use, lane 0 in bit 0.
    #[inline(always)]
    pub fn active<V: Vector>(&self) -> u8 {
        lane_mask::<V>(self.len)
    }

    /// The kinds of pieces, besides kings and pawns, in any lane.
    #[inline(always)]
    pub fn kinds<V: Vector>(&self, cpu: V::Cpu) -> u8 {
        let (ours, theirs) = (self.ours.load::<V>(cpu), self.theirs.load::<V>(cpu));
        let knights = (ours.knights | theirs.knights).nonzero() != 0;
        let bishops = (ours.bishops | theirs.bishops).nonzero() != 0;
        let rooks = (ours.rooks | theirs.rooks).nonzero() != 0;
        (u8::from(knights) * KNIGHTS) | (u8::from(bishops) * BISHOPS) | (u8::from(rooks) * ROOKS)
    }

    /// The board in a lane, with White to move.
    #[inline(always)]
    pub fn board(&self, lane: usize) -> Board {
        let lane = lane & (ROOM - 1);
        let (ours, theirs) = (&self.ours, &self.theirs);
        let queens = ours.bishops[lane] & ours.rooks[lane] | theirs.bishops[lane] & theirs.rooks[lane];
        let mut board = self.root;
        board.kinds = [
            Bitboard(ours.pawns[lane] | theirs.pawns[lane]),
            Bitboard(ours.knights[lane] | theirs.knights[lane]),
            Bitboard((ours.bishops[lane] | theirs.bishops[lane]) ^ queens),
            Bitboard((ours.rooks[lane] | theirs.rooks[lane]) ^ queens),
            Bitboard(queens),
            Bitboard(ours.king[lane] | theirs.king[lane]),
        ];
        board.sides = [ours.all(lane), theirs.all(lane)];
        board.castling = Bitboard(self.castling[lane]);
        board.en_passant = Bitboard(self.en_passant[lane]);
        board.side = White::SIDE;
        board
    }

    /// The places of the positions that are counted next.
    #[inline(always)]
    pub fn places<V: Vector>(&self) -> &[u32] {
        &self.places[..self.len.min(V::LANES)]
    }

    /// The place of a lane.
    #[inline(always)]
    pub fn place(&self, lane: usize) -> u32 {
        self.places[lane & (ROOM - 1)]
    }

    /// Adds a position with White to move. The batch must not be full.
    #[inline(always)]
    pub fn push(&mut self, board: &Board, place: u32) {
        self.places[self.len & (ROOM - 1)] = place;
        self.write(self.len, board);
        self.len += 1;
    }

    /// Writes our pieces into the lanes of the next positions, up to a whole vector of them.
    #[inline(always)]
    pub fn prepare<V: Vector>(&mut self, ours: &SideSets<V>) {
        self.ours.store(self.len & (MOST_LANES - 1), ours);
    }

    /// Adds a position in a lane that has our pieces, with our castling rooks and what Black has. The batch must not be
    /// full.
    #[inline(always)]
    pub fn push_half(&mut self, castling: u64, theirs: &Sets, place: u32) {
        let lane = self.len & (ROOM - 1);
        self.places[lane] = place;
        self.theirs.write(lane, theirs.kinds);
        self.castling[lane] = castling | theirs.castling;
        self.en_passant[lane] = White::forward(Bitboard(theirs.passed)).0;
        self.len += 1;
    }

    /// Adds the positions after each of `moves` in `parent`, at most one per lane. The batch must not be full.
    #[inline(always)]
    pub fn push_children<V: Vector>(&mut self, cpu: V::Cpu, parent: &ParentLanes<V>, moves: &[Move]) {
        debug_assert!(!self.is_full::<V>() && moves.len() <= V::LANES);
        let at = self.len & (MOST_LANES - 1);
        let len = moves.len().min(V::LANES);
        let moves = &parent.flipped(moves);
        let children = parent.children(cpu, moves);
        self.ours.store(at, &children.ours);
        self.theirs.store(at, &children.theirs);
        store_at(children.castling, &mut self.castling, at);
        store_at(children.en_passant, &mut self.en_passant, at);
        let mut scalar_lanes = children.scalar_lanes & lane_mask::<V>(len);
        while scalar_lanes != 0 {
            let i = scalar_lanes.trailing_zeros() as usize;
            scalar_lanes &= scalar_lanes - 1;
            let mut child = parent.position;
            child.make_as::<Black>(moves[i & (MOST_LANES - 1)]);
            self.write(at + i, &child);
        }
        self.len += len;
    }

    /// Writes a lane.
    #[inline(always)]
    fn write(&mut self, lane: usize, board: &Board) {
        let lane = lane & (ROOM - 1);
        self.ours.write(lane, kinds_of(board, White::SIDE));
        self.theirs.write(lane, kinds_of(board, Black::SIDE));
        self.castling[lane] = board.castling.0;
        self.en_passant[lane] = board.en_passant.0;
    }
}

/// A node with its sets copied to every lane. White is to move in its children, so Black is to move in the node. En
/// passant captures and castling, which are rare, are left to [`Batch::push_children`].
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
const PAWN_ARRIVES: u64 = set_of(&[MoveKind::Pawn, MoveKind::DoublePush]);
const KNIGHT_ARRIVES: u64 = set_of(&[MoveKind::Knight, MoveKind::PromoteKnight]);
const QUEEN_ARRIVES: u64 = set_of(&[MoveKind::Queen, MoveKind::PromoteQueen]);
const BISHOP_ARRIVES: u64 = QUEEN_ARRIVES | set_of(&[MoveKind::Bishop, MoveKind::PromoteBishop]);
const ROOK_ARRIVES: u64 = QUEEN_ARRIVES | set_of(&[MoveKind::Rook, MoveKind::PromoteRook]);
const KING_ARRIVES: u64 = set_of(&[MoveKind::King]);
const DOUBLE_STEP: u64 = set_of(&[MoveKind::DoublePush]);
const SCALAR: u64 = set_of(&[MoveKind::EnPassant, MoveKind::Castle]);

const fn set_of(kinds: &[MoveKind]) -> u64 {
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
            movers: SideSets::of(cpu, kinds_of(&position, Black::SIDE)),
            others: SideSets::of(cpu, kinds_of(&position, White::SIDE)),
            castling: V::splat(cpu, position.castling.0),
        }
    }

    /// Moves of the parent as moves of [`ParentLanes::position`], one per lane. The remaining entries are arbitrary.
    #[inline(always)]
    pub fn flipped(&self, moves: &[Move]) -> [Move; MOST_LANES] {
        let mut flipped = [Move::NONE; MOST_LANES];
        for (lane, m) in moves.iter().enumerate().take(MOST_LANES) {
            flipped[lane] = Move::from_raw(m.raw() ^ self.flip_mask);
        }
        flipped
    }

    /// The positions after legal moves of [`ParentLanes::position`], one in each lane.
    #[inline(always)]
    pub fn children(&self, cpu: V::Cpu, moves: &[Move; MOST_LANES]) -> Children<V> {
        let ParentLanes { movers, others, castling, .. } = *self;
        let mut raw = [0; MOST_LANES];
        for lane in 0..MOST_LANES {
            raw[lane] = moves[lane].raw();
        }
        let moves = V::widen(cpu, &raw);
        let (from, to) = (V::bit(cpu, moves), V::bit(cpu, moves.shift(-6)));
        let kind = V::bit(cpu, moves.shift(-12));
        let theirs = SideSets {
            pawns: movers.pawns.without(from) | arrived(cpu, to, kind, PAWN_ARRIVES),
            knights: movers.knights.without(from) | arrived(cpu, to, kind, KNIGHT_ARRIVES),
            bishops: movers.bishops.without(from) | arrived(cpu, to, kind, BISHOP_ARRIVES),
            rooks: movers.rooks.without(from) | arrived(cpu, to, kind, ROOK_ARRIVES),
            king: movers.king.without(from) | arrived(cpu, to, kind, KING_ARRIVES),
        };
        let home = V::splat(cpu, Black::BACK_RANK.0).keep_if_nonzero(from & movers.king);
        let passed = forward::<Black, V>(from).keep_if_nonzero(kind & V::splat(cpu, DOUBLE_STEP));
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

/// The target square of a move, in lanes where its kind is one of `kinds`.
#[inline(always)]
fn arrived<V: Vector>(cpu: V::Cpu, to: V, kind: V, kinds: u64) -> V {
    to.keep_if_nonzero(kind & V::splat(cpu, kinds))
}

/// The pieces of one side, by kind.
#[inline(always)]
fn kinds_of(board: &Board, side: Side) -> [u64; 6] {
    let own = board.side_set(side);
    let mut kinds = [0; 6];
    for kind in 0..6 {
        kinds[kind] = (board.kinds[kind] & own).0;
    }
    kinds
}
