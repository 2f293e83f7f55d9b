//! The generator with faults: lists the moves of each piece in turn, and tests after each whether the king is attacked.
//!
//! Without a fault it lists the legal moves and is an oracle for the real generator. A fault is asked for last, and
//! only where it matters: what was never asked for cannot show (see `faults`).

use super::tables::ChessFault::{self, *};
use crate::chess::types::{Bitboard, Kind, Square};
use crate::doctor::faults::Faults;
use crate::explain::chess::attack::{DIRECTIONS, JUMPS, attackers, direction, each_attacker, slides};
use crate::explain::chess::mailbox::{Mailbox, Squares, Step, WINGS, What};
use crate::game::Side;

/// The state of one generation.
pub(super) struct Generator<'a> {
    pub(super) board: &'a Mailbox,
    faults: &'a Faults,
    pub(super) us: Side,
    king: Option<Square>,
    pub(super) checkers: Vec<(Square, Kind)>,
    pinned: Bitboard,
    /// The pieces when the king has left its square.
    without_king: Squares,
    list: Vec<Step>,
}

impl<'a> Generator<'a> {
    /// A generator of the moves of an engine with these faults on `board`.
    pub(super) fn new(board: &'a Mailbox, faults: &'a Faults) -> Self {
        let us = board.side;
        let king = board.king(us);
        let checkers = king.map_or(Vec::new(), |king| attackers(&board.squares, king, us.flip()));
        let pinned = king.map_or(Bitboard::EMPTY, |king| pinned(&board.squares, king, us));
        let mut without_king = board.squares;
        if let Some(king) = king {
            without_king[king.index()] = None;
        }
        Generator { board, faults, us, king, checkers, pinned, without_king, list: Vec::new() }
    }

    /// Lists the moves.
    pub(super) fn run(mut self) -> Vec<Step> {
        for from in Square::all() {
            match self.board.at(from).filter(|&(side, _)| side == self.us) {
                Some((_, Kind::Pawn)) => self.pawn(from),
                Some((_, Kind::Knight)) => self.knight(from),
                Some((_, Kind::King)) => self.king_steps(from),
                Some((_, kind)) => self.slider(from, kind),
                None => {}
            }
        }
        for wing in WINGS {
            self.castle(wing);
        }
        self.list
    }

    /// Whether the engine has the fault.
    pub(super) fn on(&self, fault: ChessFault) -> bool {
        self.faults.on(fault, self.us)
    }

    /// Adds a move.
    pub(super) fn add(&mut self, step: Step) {
        self.list.push(step);
    }

    /// Adds a move if the engine finds the king safe after it.
    fn push(&mut self, from: Square, to: Square, what: What) {
        let step = Step { from, to, what };
        if self.is_safe(step) {
            self.add(step);
        }
    }

    /// The same unless the engine has a fault by which it leaves the move out.
    fn push_unless(&mut self, missing: &[ChessFault], from: Square, to: Square, what: What) {
        let step = Step { from, to, what };
        if self.is_safe(step) && !self.has_any(missing) {
            self.add(step);
        }
    }

    /// Whether the engine has any of the faults; all are asked for.
    fn has_any(&self, faults: &[ChessFault]) -> bool {
        let mut any = false;
        for &fault in faults {
            any |= self.on(fault);
        }
        any
    }

    /// Whether a piece may move to `to`: the square is empty or holds a piece of the opponent.
    fn may_land(&self, to: Square) -> bool {
        match self.board.at(to) {
            Some((side, Kind::King)) if side == self.us => false,
            Some((side, _)) if side == self.us => self.on(CapturesOwnPiece),
            _ => true,
        }
    }

    fn pawn(&mut self, from: Square) {
        let ahead = self.us.forward();
        let is_empty = |square: Square, board: &Mailbox| board.at(square).is_none();
        if let Some(to) = from.step(0, ahead) {
            let captures = self.board.at(to).is_some_and(|(side, _)| side != self.us);
            if is_empty(to, self.board) || captures && self.on(PawnStepCaptures) {
                self.pawn_to(from, to, &[]);
            }
        }
        if let (Some(middle), Some(to), 1) =
            (from.step(0, ahead), from.step(0, 2 * ahead), from.seen_by(self.us).rank())
        {
            let onto_king = self.board.at(to) == Some((self.us, Kind::King));
            let may = !onto_king
                && (is_empty(middle, self.board) || self.on(DoubleStepThroughPiece))
                && (is_empty(to, self.board) || self.on(DoubleStepOntoPiece));
            if may {
                self.push_unless(&[DoubleStepMissing], from, to, What::DoubleStep);
            }
        }
        for (files, missing) in [(-1, PawnWestMissing), (1, PawnEastMissing)] {
            match from.step(files, ahead) {
                Some(to) => self.pawn_capture(from, to, missing),
                None => self.pawn_around_edge(from, files),
            }
        }
    }

    /// A capture by a pawn, also en passant.
    fn pawn_capture(&mut self, from: Square, to: Square, missing: ChessFault) {
        match self.board.at(to) {
            Some((side, Kind::King)) if side == self.us => {}
            Some((side, _)) if side == self.us => {
                if self.on(CapturesOwnPiece) {
                    self.pawn_to(from, to, &[]);
                }
            }
            Some(_) => {
                let promotes = to.seen_by(self.us).rank() == 7;
                let both = [missing, PromotionByCaptureMissing];
                self.pawn_to(from, to, &both[..1 + usize::from(promotes)]);
            }
            None => {
                let beside = self.board.at(to.with_rank_of(from));
                let on_fifth = from.seen_by(self.us).rank() == 4;
                let victim = on_fifth && beside == Some((self.us.flip(), Kind::Pawn));
                let towards = match missing {
                    PawnWestMissing => EnPassantWestMissing,
                    _ => EnPassantEastMissing,
                };
                if victim && self.board.en_passant == Some(to) {
                    self.push_unless(&[EnPassantMissing, towards], from, to, What::EnPassant);
                    if self.has_any(&[EnPassantMissing, towards]) && self.on(PawnCapturesNothing) {
                        self.pawn_to(from, to, &[]);
                    }
                } else if victim && self.on(EnPassantAnyPawn) {
                    self.push(from, to, What::EnPassant);
                } else if self.on(PawnCapturesNothing) {
                    self.pawn_to(from, to, &[]);
                }
            }
        }
    }

    /// Captures of a pawn on the a-file towards the west, or on the h-file towards the east, as a shift of a set of
    /// squares makes them: they arrive at the other edge.
    fn pawn_around_edge(&mut self, from: Square, files: i32) {
        let to = from.index() as i32 + 8 * self.us.forward() + files;
        let Some(to) = (0..64).contains(&to).then(|| Square::wrapping(to as u32)) else { return };
        if self.board.at(to).is_some_and(|(side, _)| side != self.us) && self.on(PawnAroundEdge) {
            self.pawn_to(from, to, &[]);
        }
        if self.board.en_passant == Some(to) && self.on(EnPassantAroundEdge) {
            self.push(from, to, What::Plain);
        }
    }

    /// A pawn move without en passant, with the promotions on the last rank. An engine with one of the faults `missing`
    /// leaves it out.
    fn pawn_to(&mut self, from: Square, to: Square, missing: &[ChessFault]) {
        if to.seen_by(self.us).rank() != 7 {
            return self.push_unless(missing, from, to, What::Plain);
        }
        if !self.is_safe(Step { from, to, what: What::Promote(Kind::Queen) }) || self.has_any(missing) {
            return;
        }
        let captures = self.board.at(to).is_some();
        let plain = if captures { PawnCaptureOnLastRank } else { PawnOnLastRank };
        let is_plain = self.on(plain);
        if is_plain {
            self.add(Step { from, to, what: What::Plain });
        }
        let only_queens = self.on(UnderpromotionMissing) || captures && self.on(UnderpromotionByCaptureMissing);
        for (kind, missing) in [
            (Kind::Knight, PromotionToKnightMissing),
            (Kind::Bishop, PromotionToBishopMissing),
            (Kind::Rook, PromotionToRookMissing),
        ] {
            let is_missing = self.on(missing) || kind != Kind::Knight && self.on(PromotionToQueenAndKnight);
            if !is_plain && !only_queens && !is_missing {
                self.add(Step { from, to, what: What::Promote(kind) });
            }
        }
        if !is_plain {
            self.add(Step { from, to, what: What::Promote(Kind::Queen) });
        }
    }

    fn king_steps(&mut self, from: Square) {
        for (files, ranks) in DIRECTIONS {
            if let Some(to) = from.step(files, ranks)
                && self.may_land(to)
            {
                self.push(from, to, What::Plain);
            }
        }
    }

    fn knight(&mut self, from: Square) {
        for (files, ranks) in JUMPS {
            // Arithmetic with indices brings a jump over the edge in on the other side.
            let index = from.index() as i32 + 8 * ranks + files;
            let around = (0..64).contains(&index).then(|| Square::wrapping(index as u32));
            let on_board = from.step(files, ranks);
            if let Some(to) = on_board.or(around)
                && (on_board.is_some() || self.on(KnightAroundEdge))
                && self.may_land(to)
            {
                self.push(from, to, What::Plain);
            }
        }
    }

    fn slider(&mut self, from: Square, kind: Kind) {
        for line @ (files, ranks) in DIRECTIONS {
            if !slides(kind, line) {
                continue;
            }
            let mut square = from;
            while let Some(to) = square.step(files, ranks) {
                if self.may_land(to) {
                    let at_edge = square != from && to.step(files, ranks).is_none();
                    self.push_unless(if at_edge { &[SliderShortOfEdge] } else { &[] }, from, to, What::Plain);
                }
                if let Some((side, _)) = self.board.at(to)
                    && !self.on(if side == self.us { SlidesThroughOwn } else { SlidesThroughEnemy })
                {
                    break;
                }
                square = to;
            }
        }
    }

    /// Whether the engine finds the king safe after a move that is not castling.
    fn is_safe(&self, step: Step) -> bool {
        let Some(king) = self.king else { return true };
        let is_king = step.from == king;
        let is_evasion = !self.checkers.is_empty();
        if !is_king && !is_evasion && !self.pinned.contains(step.from) && step.what != What::EnPassant {
            return true;
        }
        // What stands on the king's target plays no part.
        let (after, target) =
            if is_king { (self.without_king, step.to) } else { (self.board.pieces_after(step), king) };
        if step.what == What::EnPassant && self.on(EnPassantPawnShields) {
            let mut with_victim = after;
            let victim = step.to.with_rank_of(step.from).index();
            with_victim[victim] = self.board.squares[victim];
            return attackers(&with_victim, king, self.us.flip()).is_empty();
        }
        let (mut is_excused, mut still_checking) = (true, 0);
        each_attacker(&after, target, self.us.flip(), |square, kind| {
            let checks = self.checkers.iter().any(|&(checker, _)| checker == square);
            still_checking += usize::from(checks);
            // All are asked for.
            let is_unseen = self.is_unseen(kind);
            let is_overlooked = match (is_king, checks) {
                (true, _) => self.overlooks_attack(step, square, kind),
                (false, true) => self.overlooks_check(king, square, kind),
                (false, false) => self.overlooks_pin(step, king, square),
            };
            is_excused &= is_overlooked || is_unseen;
        });
        if !is_excused && !is_king && still_checking > 0 && still_checking < self.checkers.len() {
            is_excused = self.on(DoubleCheckAnswered);
        }
        is_excused && !self.is_too_strict(step, king) || !is_excused && self.on(AnyMove)
    }

    /// Whether the engine does not see attacks by pieces of this kind.
    pub(super) fn is_unseen(&self, kind: Kind) -> bool {
        match kind {
            Kind::Pawn => self.on(PawnAttacksUnseen),
            Kind::Knight => self.on(KnightAttacksUnseen),
            _ => false,
        }
    }

    /// Whether the engine overlooks that the piece on `square` attacks the king after its move.
    fn overlooks_attack(&self, step: Step, square: Square, kind: Kind) -> bool {
        let line = direction(square, step.to);
        let into = match (kind, line) {
            (Kind::Pawn, _) => KingIntoPawn,
            (Kind::Knight, _) => KingIntoKnight,
            (Kind::King, _) => KingNextToKing,
            (_, Some((0, _) | (_, 0))) => KingIntoStraight,
            _ => KingIntoDiagonal,
        };
        let captures = self.board.at(step.to).is_some();
        let checks = self.checkers.iter().any(|&(checker, _)| checker == square);
        let retreats = checks && direction(square, step.from) == line && !matches!(kind, Kind::Knight | Kind::Pawn);
        self.on(into) || captures && self.on(KingTakesProtected) || retreats && self.on(KingAlongLine)
    }

    /// Whether the engine overlooks that the piece on `square` still gives check.
    fn overlooks_check(&self, king: Square, square: Square, kind: Kind) -> bool {
        match (kind, direction(square, king)) {
            (Kind::Pawn, _) => self.on(PawnCheckIgnored),
            (Kind::Knight, _) => self.on(KnightCheckIgnored),
            (_, Some((0, _) | (_, 0))) => self.on(StraightCheckIgnored),
            _ => self.on(DiagonalCheckIgnored),
        }
    }

    /// Whether the engine overlooks that the move opens a line from `square` to the king.
    fn overlooks_pin(&self, step: Step, king: Square, square: Square) -> bool {
        let straight = matches!(direction(square, king), Some((0, _) | (_, 0)));
        let kind = self.board.at(step.from).map(|(_, kind)| kind);
        let mut is_pinned = true;
        if step.what == What::EnPassant {
            // Without the captured pawn: is the capturing pawn pinned by itself?
            let mut without = self.board.squares;
            without[step.from.index()] = None;
            is_pinned = attackers(&without, king, self.us.flip()).iter().any(|a| a.0 == square);
        }
        if !is_pinned {
            return self.on(if straight { EnPassantRank } else { EnPassantLine });
        }
        let answers = !self.checkers.is_empty() && self.on(PinnedAnswersCheck);
        answers
            || self.on(if straight { PinStraight } else { PinDiagonal })
            || kind == Some(Kind::Pawn) && self.on(PinnedPawn)
            || kind == Some(Kind::Knight) && self.on(PinnedKnight)
            || step.what == What::EnPassant && self.on(EnPassantPinned)
    }

    /// Whether the engine leaves out this legal move because it has to do with a check or a pin.
    fn is_too_strict(&self, step: Step, king: Square) -> bool {
        let captures = |checker: Square| step.to == checker;
        let is_of_check = match self.checkers[..] {
            [(checker, _)] if step.from != king => match (captures(checker), step.what) {
                (_, What::EnPassant) => self.on(EnPassantEvasionMissing),
                (true, _) => self.on(CaptureOfCheckerMissing),
                (false, What::DoubleStep) => self.has_any(&[BlockMissing, DoubleStepBlockMissing]),
                (false, _) => self.on(BlockMissing),
            },
            _ => false,
        };
        let is_of_pin = self.pinned.contains(step.from)
            && (self.on(PinLineMissing) || step.what == What::EnPassant && self.on(EnPassantAlongPinMissing));
        is_of_check || is_of_pin
    }
}

/// The pieces of `us` that alone shield its king on `king` from a piece of the opponent.
fn pinned(squares: &Squares, king: Square, us: Side) -> Bitboard {
    let mut pinned = Bitboard::EMPTY;
    for line @ (files, ranks) in DIRECTIONS {
        let way = (1..8).map_while(|n| king.step(files * n, ranks * n));
        let mut pieces = way.filter_map(|square| squares[square.index()].map(|piece| (square, piece)));
        if let (Some((square, (owner, _))), Some((_, (other, kind)))) = (pieces.next(), pieces.next())
            && (owner, other) == (us, us.flip())
            && slides(kind, line)
        {
            pinned |= Bitboard::of(square);
        }
    }
    pinned
}
