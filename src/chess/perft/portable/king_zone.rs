//! The opponent's king: where it may move, and which moves of ours change that.
//!
//! "Ours" and "theirs" are as in `portable`. Nothing here looks at the opponent's other pieces, except as blockers.

use crate::base::cpu::Cpu;
use crate::chess::board::Board;
use crate::chess::board::tables;
use crate::chess::types::{Bitboard, Black, Kind, MoveKind, Square, Us, White};

/// Lines between our sliders and the squares around their king.
#[derive(Default)]
pub struct Lines {
    /// Our pieces that alone block one of our sliders from a safe square.
    pub opens: Bitboard,
    /// Squares where any piece would block the only attacker of a square.
    pub blocks: Bitboard,
    /// The same for squares with two attackers. It matters if the other attacker moves there.
    pub shared_blocks: Bitboard,
    /// Squares from which a bishop would attack a safe square.
    pub bishop_to: Bitboard,
    /// Squares from which a rook would attack a safe square.
    pub rook_to: Bitboard,
}

impl Lines {
    /// Adds the lines to a safe square: one that their king may enter (or castle across), as none of our pieces
    /// attacks it.
    #[inline(always)]
    pub fn safe<C: Cpu>(&mut self, cpu: C, square: Square, us: &OurSliders) {
        let reach = tables::bishop(square, us.occupied);
        self.bishop_to |= reach;
        if tables::bishop_lines(square).meets(us.bishops) {
            let behind = tables::bishop(square, us.occupied & !(reach & us.all));
            for slider in behind & us.bishops {
                self.opens |= tables::between(square, slider) & us.all;
            }
        }
        let reach = tables::rook(square, us.occupied);
        self.rook_to |= reach;
        if tables::rook_lines(square).meets(us.rooks) {
            let behind = tables::rook(square, us.occupied & !(reach & us.all));
            for slider in behind & us.rooks {
                self.opens |= tables::between(square, slider) & us.all;
            }
        }
    }
}

/// The squares between `square` and those of our sliders that attack it.
#[inline(always)]
fn paths<C: Cpu>(cpu: C, square: Square, us: &OurSliders) -> Bitboard {
    let mut paths = Bitboard::EMPTY;
    if tables::bishop_lines(square).meets(us.bishops) {
        for slider in tables::bishop(square, us.occupied) & us.bishops {
            paths |= tables::between(square, slider);
        }
    }
    if tables::rook_lines(square).meets(us.rooks) {
        for slider in tables::rook(square, us.occupied) & us.rooks {
            paths |= tables::between(square, slider);
        }
    }
    paths
}

/// Our pieces, our sliders (queens are in both sets), and all occupied squares.
pub struct OurSliders {
    pub all: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub occupied: Bitboard,
}

impl OurSliders {
    /// Our pieces that give a discovered check or create a pin by leaving, and our pinners.
    #[inline(always)]
    pub fn on_lines_to(&self, target: Square) -> (Bitboard, Bitboard) {
        let (mut discoverers, mut pinners) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let sliders = tables::bishop_lines(target) & self.bishops | tables::rook_lines(target) & self.rooks;
        for slider in sliders {
            let path = tables::between(target, slider) & self.occupied;
            let (ours, theirs) = (path & self.all, path & !self.all);
            if ours.is_empty() && !theirs.several() {
                pinners |= Bitboard::of(slider);
            } else if !ours.several() && !theirs.several() {
                discoverers |= ours;
            }
        }
        (discoverers, pinners)
    }
}

/// Squares attacked by at least one, two and three of our pieces.
#[derive(Clone, Copy, Default)]
pub struct Attacked {
    pub once: Bitboard,
    pub twice: Bitboard,
    pub thrice: Bitboard,
}

impl Attacked {
    #[inline(always)]
    pub fn add(&mut self, attacks: Bitboard) {
        self.thrice |= self.twice & attacks;
        self.twice |= self.once & attacks;
        self.once |= attacks;
    }
}

/// Their king, the data needed to count its moves after a move of ours, and which moves of ours change them.
pub struct KingZone<'a> {
    pub pos: &'a Board,
    /// The king's square.
    pub target: Square,
    /// The squares next to the king.
    pub ring: Bitboard,
    /// The king's path of each castling move that only an attack of ours can prevent.
    castles: [Bitboard; 2],
    /// The number of the king's replies to a null move, castling included.
    pub null_king_moves: i64,
    /// Targets and origins that are special because of castling: its path and its rook.
    pub special_to: Bitboard,
    pub special_from: Bitboard,
    /// Squares that the king needs and that none, one or two of our pieces attack.
    pub safe: Bitboard,
    pub weak: Bitboard,
    pub shared: Bitboard,
    /// The lines to these squares, and the squares from which a knight and our king attack a safe one.
    pub lines: Lines,
    pub knight_to: Bitboard,
    pub king_to: Bitboard,
}

impl<'a> KingZone<'a> {
    /// Computes where the king on `target` may move, given our attacks and their pins on ranks and files.
    #[inline(always)]
    pub fn of<C: Cpu>(
        pos: &'a Board,
        cpu: C,
        target: Square,
        our_attacks: &Attacked,
        us: &OurSliders,
        straight_pins: Bitboard,
    ) -> Self {
        let theirs = us.occupied & !us.all;
        let ring = tables::king(target);
        let mut reachable = ring & !theirs;
        let mut null_king_moves = (reachable & !our_attacks.once).count();
        let mut castles = [Bitboard::EMPTY; 2];
        let (mut special_to, mut special_from) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for rook in pos.castling & Black::BACK_RANK {
            let (path, king_path) = tables::castling_paths(target, rook);
            if path.meets(theirs) {
                continue; // their piece blocks the path: it stays there, or ours replaces it
            }
            special_to |= path | Bitboard::of(rook);
            special_from |= path;
            if !path.meets(us.occupied) && !straight_pins.contains(rook) {
                reachable |= king_path;
                castles[usize::from(rook > target)] = king_path;
                null_king_moves += u32::from(!king_path.meets(our_attacks.once));
            }
        }
        let mut lines = Lines::default();
        let safe = reachable & !our_attacks.once;
        let weak = reachable & our_attacks.once & !our_attacks.twice;
        let shared = reachable & our_attacks.twice & !our_attacks.thrice;
        let (mut knight_to, mut king_to) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for square in safe {
            lines.safe(cpu, square, us);
            knight_to |= tables::knight(square);
            king_to |= tables::king(square);
        }
        for square in weak {
            lines.blocks |= paths(cpu, square, us);
        }
        for square in shared {
            lines.shared_blocks |= paths(cpu, square, us);
        }
        KingZone {
            pos,
            target,
            ring,
            castles,
            null_king_moves: i64::from(null_king_moves),
            special_to,
            special_from,
            safe,
            weak,
            shared,
            lines,
            knight_to,
            king_to,
        }
    }

    /// The number of king moves after our move from `from` to `to`, which is not special.
    #[inline(always)]
    pub fn king_moves_after<C: Cpu>(&self, cpu: C, from: Square, to: Square, kind: MoveKind) -> i64 {
        let staying = self.pos.side_set(White::SIDE) & !Bitboard::of(from);
        let theirs = self.pos.side_set(Black::SIDE) & !Bitboard::of(to);
        let occupied = staying | theirs | Bitboard::of(to);
        // Our pieces of each kind after the move. The code of a move that is not a promotion is that of its piece.
        let mut kinds = [Bitboard::EMPTY; 6];
        for (set, all) in kinds.iter_mut().zip(self.pos.kinds) {
            *set = all & staying;
        }
        let index = if kind as usize > Kind::King.index() { 0 } else { kind as usize };
        kinds[index] |= Bitboard::of(to);
        let [pawns, knights, bishops, rooks, queens, kings] = kinds;
        let (bishops, rooks) = (bishops | queens, rooks | queens);
        let steps = self.ring & !theirs;
        let mut safe = steps | self.castles[0] | self.castles[1];
        safe &= !White::pawn_attacks(pawns);
        for square in safe {
            let attackers = tables::knight(square) & knights
                | tables::king(square) & kings
                | tables::bishop(square, occupied) & bishops
                | tables::rook(square, occupied) & rooks;
            if !attackers.is_empty() {
                safe &= !Bitboard::of(square);
            }
        }
        let castles = self.castles.map(|path| i64::from(!path.is_empty() && path & safe == path));
        i64::from((steps & safe).count()) + castles[0] + castles[1]
    }
}
