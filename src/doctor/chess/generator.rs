//! The generator with faults: lists the moves of each piece in turn, and tests after each whether the king is attacked.
//!
//! With all switches off it lists the legal moves and is an oracle for the real generator. A faulty engine has a switch
//! on; `who` is always the set of the engines for which something holds.

use super::tables::ChessFault::{self, *};
use crate::chess::explain::attack::{DIRECTIONS, JUMPS, attackers, direction, each_attacker, slides};
use crate::chess::explain::board::{Board, Squares, Step, WINGS, What};
use crate::chess::types::{Bitboard, Kind, Square};
use crate::doctor::faults::{Engines, Switches};
use crate::game::Side;

/// The state of one generation.
pub(super) struct Generator<'a> {
    pub(super) board: &'a Board,
    pub(super) switches: &'a Switches,
    pub(super) engines: Engines,
    pub(super) us: Side,
    king: Option<Square>,
    pub(super) checkers: Vec<(Square, Kind)>,
    pinned: Bitboard,
    /// The pieces when the king has left its square.
    without_king: Squares,
    list: &'a mut Vec<(Step, Engines)>,
}

impl<'a> Generator<'a> {
    /// A generator of the moves of `engines` on `board`.
    pub(super) fn new(
        board: &'a Board,
        switches: &'a Switches,
        engines: Engines,
        list: &'a mut Vec<(Step, Engines)>,
    ) -> Self {
        let us = board.side;
        let king = board.king(us);
        let checkers = king.map_or(Vec::new(), |king| attackers(&board.squares, king, us.flip()));
        let pinned = king.map_or(Bitboard::EMPTY, |king| pinned(&board.squares, king, us));
        let mut without_king = board.squares;
        if let Some(king) = king {
            without_king[king.index()] = None;
        }
        Generator { board, switches, engines, us, king, checkers, pinned, without_king, list }
    }

    /// Lists the moves.
    pub(super) fn run(&mut self) {
        let backwards = (0, -self.us.forward());
        for from in Square::all() {
            match self.board.at(from).filter(|&(side, _)| side == self.us) {
                Some((_, Kind::Pawn)) => self.pawn(from),
                Some((_, Kind::Knight)) => self.leaper(from, &JUMPS, ((-1, 2), KnightJumpMissing), KnightAroundEdge),
                Some((_, Kind::King)) => {
                    self.leaper(from, &DIRECTIONS, (backwards, KingBackwardsMissing), KingAroundEdge);
                }
                Some((_, kind)) => self.slider(from, kind),
                None => {}
            }
        }
        for wing in WINGS {
            self.castle(wing);
        }
    }

    /// The engines that have the fault.
    pub(super) fn on(&self, fault: ChessFault) -> Engines {
        self.switches.on(fault, self.us)
    }

    /// All engines, but only those that have the fault if it is `needed`.
    pub(super) fn on_if(&self, needed: bool, fault: ChessFault) -> Engines {
        if needed { self.on(fault) } else { !0 }
    }

    /// Adds a move for those of `who` that find the king safe after it.
    fn push(&mut self, who: Engines, from: Square, to: Square, what: What) {
        let who = who & self.engines;
        if who != 0 {
            let step = Step { from, to, what };
            let who = who & self.safe(step);
            self.add(who, step);
        }
    }

    /// Adds a move for `who`.
    pub(super) fn add(&mut self, who: Engines, step: Step) {
        if who & self.engines != 0 {
            self.list.push((step, who & self.engines));
        }
    }

    /// The engines that may move a piece to `to`: all if the square is empty or holds a piece of the opponent.
    fn may_land(&self, to: Square) -> Engines {
        match self.board.at(to) {
            Some((side, Kind::King)) if side == self.us => 0,
            Some((side, _)) if side == self.us => self.on(CapturesOwnPiece),
            _ => !0,
        }
    }

    fn pawn(&mut self, from: Square) {
        let ahead = self.us.forward();
        let is_empty = |square: Square, board: &Board| board.at(square).is_none();
        let start = from.seen_by(self.us).rank();
        if let Some(to) = from.step(0, ahead) {
            let captures = self.board.at(to).is_some_and(|(side, _)| side != self.us);
            let who = match (is_empty(to, self.board), captures) {
                (true, _) => !0,
                (_, true) => self.on(PawnStepCaptures),
                _ => 0,
            };
            self.pawn_to(who, from, to);
        }
        if let (Some(middle), Some(to), 1 | 2) = (from.step(0, ahead), from.step(0, 2 * ahead), start) {
            let onto_king = self.board.at(to) == Some((self.us, Kind::King));
            let who = !self.on(DoubleStepMissing)
                & self.on_if(start == 2, DoubleStepThirdRank)
                & self.on_if(!is_empty(middle, self.board), DoubleStepThroughPiece)
                & self.on_if(!is_empty(to, self.board), DoubleStepOntoPiece);
            let who = if onto_king { 0 } else { who };
            let what = if start == 1 { What::DoubleStep } else { What::Plain };
            self.push(who, from, to, what);
            self.push(who & self.on(DoubleStepTwice), from, to, what);
        }
        for (files, missing) in [(-1, PawnWestMissing), (1, PawnEastMissing)] {
            match from.step(files, ahead) {
                Some(to) => self.pawn_capture(from, to, missing),
                None => self.pawn_around_edge(from, files),
            }
        }
        if let Some(to) = from.step(0, -ahead).filter(|&to| is_empty(to, self.board)) {
            self.push(self.on(PawnBackwards), from, to, What::Plain);
        }
    }

    /// A capture by a pawn, also en passant.
    fn pawn_capture(&mut self, from: Square, to: Square, missing: ChessFault) {
        match self.board.at(to) {
            Some((side, Kind::King)) if side == self.us => {}
            Some((side, _)) if side == self.us => {
                self.pawn_to(self.on(PawnCapturesOwn) | self.on(CapturesOwnPiece), from, to);
            }
            Some(_) => {
                let promotes = to.seen_by(self.us).rank() == 7;
                let promotion_missing = if promotes { self.on(PromotionByCaptureMissing) } else { 0 };
                self.pawn_to(!(self.on(missing) | promotion_missing), from, to);
            }
            None => {
                let beside = self.board.at(to.with_rank_of(from));
                let on_fifth = from.seen_by(self.us).rank() == 4;
                let victim = on_fifth && beside == Some((self.us.flip(), Kind::Pawn));
                let towards = match missing {
                    PawnWestMissing => EnPassantWestMissing,
                    _ => EnPassantEastMissing,
                };
                let right = match self.board.en_passant == Some(to) {
                    true => !(self.on(EnPassantMissing) | self.on(towards)),
                    false => self.on(EnPassantAnyPawn),
                };
                let who = if victim { right } else { 0 };
                self.push(who, from, to, What::EnPassant);
                self.pawn_to(self.on(PawnCapturesNothing) & !who, from, to);
            }
        }
    }

    /// Captures of a pawn on the a-file towards the west, or on the h-file towards the east, as a shift of a set of
    /// squares makes them: they arrive at the other edge.
    fn pawn_around_edge(&mut self, from: Square, files: i32) {
        let to = from.index() as i32 + 8 * self.us.forward() + files;
        let Some(to) = (0..64).contains(&to).then(|| Square::wrapping(to as u32)) else { return };
        if self.board.at(to).is_some_and(|(side, _)| side != self.us) {
            self.pawn_to(self.on(PawnAroundEdge), from, to);
        }
        if self.board.en_passant == Some(to) {
            self.push(self.on(EnPassantAroundEdge), from, to, What::Plain);
        }
    }

    /// A pawn move without en passant, with the promotions on the last rank.
    fn pawn_to(&mut self, who: Engines, from: Square, to: Square) {
        if to.seen_by(self.us).rank() != 7 {
            return self.push(who, from, to, What::Plain);
        }
        let captures = self.board.at(to).is_some();
        let plain = if captures { PawnCaptureOnLastRank } else { PawnOnLastRank };
        let when_capturing = if captures { self.on(UnderpromotionByCaptureMissing) } else { 0 };
        let only_queens = self.on(UnderpromotionMissing) | when_capturing;
        self.push(who & self.on(plain), from, to, What::Plain);
        for (kind, missing) in [
            (Kind::Knight, PromotionToKnightMissing),
            (Kind::Bishop, PromotionToBishopMissing),
            (Kind::Rook, PromotionToRookMissing),
        ] {
            let not_knight = if kind == Kind::Knight { 0 } else { self.on(PromotionToQueenAndKnight) };
            let missing = self.on(missing) | only_queens | not_knight | self.on(plain);
            self.push(who & !missing, from, to, What::Promote(kind));
        }
        self.push(who & !self.on(plain), from, to, What::Promote(Kind::Queen));
        self.push(who & self.on(PromotionToKing), from, to, What::Promote(Kind::King));
    }

    /// The moves of a knight or king; engines with a fault leave out one step.
    fn leaper(&mut self, from: Square, steps: &[(i32, i32)], missing: ((i32, i32), ChessFault), around: ChessFault) {
        for &(files, ranks) in steps {
            let missing = if missing.0 == (files, ranks) { self.on(missing.1) } else { 0 };
            match from.step(files, ranks) {
                Some(to) => self.push(self.may_land(to) & !missing, from, to, What::Plain),
                None => self.around_edge(self.on(around), from, from, (files, ranks)),
            }
        }
    }

    /// A move that leaves the board from `last` to the left or right and comes in on the other side, as arithmetic with
    /// indices has it.
    fn around_edge(&mut self, who: Engines, from: Square, last: Square, (files, ranks): (i32, i32)) {
        let to = last.index() as i32 + 8 * ranks + files;
        if (0..64).contains(&to) {
            let to = Square::wrapping(to as u32);
            self.push(who & self.may_land(to), from, to, What::Plain);
        }
    }

    fn slider(&mut self, from: Square, kind: Kind) {
        for line @ (files, ranks) in DIRECTIONS {
            if !slides(kind, line) {
                continue;
            }
            let diagonal = files != 0 && ranks != 0;
            let [own, enemy, absent, of_queen] = match diagonal {
                true => [DiagonalThroughOwn, DiagonalThroughEnemy, DiagonalDirectionMissing, QueenDiagonalMissing],
                false => [StraightThroughOwn, StraightThroughEnemy, StraightDirectionMissing, QueenStraightMissing],
            };
            // One direction stands for all: an engine that lacks another differs in as many positions.
            let absent = if matches!(line, (0, -1) | (1, -1)) { self.on(absent) } else { 0 };
            let mut who = !(absent | if kind == Kind::Queen { self.on(of_queen) } else { 0 });
            let mut square = from;
            while who & self.engines != 0 {
                let Some(to) = square.step(files, ranks) else {
                    if line == (1, 0) || line == (-1, 0) {
                        self.around_edge(who & self.on(SliderAroundEdge), from, square, line);
                    }
                    break;
                };
                let at_edge = square != from && to.step(files, ranks).is_none();
                let short = if at_edge { self.on(SliderShortOfEdge) } else { 0 };
                let captures = self.board.at(to).is_some_and(|(side, _)| side != self.us);
                let no_capture = if captures { self.on(SliderCaptureMissing) } else { 0 };
                self.push(who & self.may_land(to) & !short & !no_capture, from, to, What::Plain);
                if let Some((side, _)) = self.board.at(to) {
                    who &= self.on(if side == self.us { own } else { enemy });
                }
                square = to;
            }
        }
    }

    /// The engines that find the king safe after a move that is not castling.
    fn safe(&self, step: Step) -> Engines {
        let Some(king) = self.king else { return !0 };
        let is_king = step.from == king;
        let is_evasion = !self.checkers.is_empty();
        if !is_king && !is_evasion && !self.pinned.contains(step.from) && step.what != What::EnPassant {
            return !0;
        }
        // What stands on the king's target plays no part.
        let (after, target) =
            if is_king { (self.without_king, step.to) } else { (self.board.pieces_after(step), king) };
        let mut excused = !0;
        let mut still_checking = 0;
        each_attacker(&after, target, self.us.flip(), |square, kind| {
            let checks = self.checkers.iter().any(|&(checker, _)| checker == square);
            still_checking += usize::from(checks);
            let excuse = match (is_king, checks) {
                (true, _) => self.excuse_of_king(step, square, kind),
                (false, true) => self.excuse_of_check(king, square, kind),
                (false, false) => self.excuse_of_pin(step, king, square),
            };
            excused &= excuse | self.on(AnyMove) | self.unseen(kind);
        });
        if !is_king && still_checking > 0 && still_checking < self.checkers.len() {
            excused |= self.on(DoubleCheckAnswered);
        }
        let safe = if excused == !0 { !self.too_strict(step, king) } else { excused };
        if step.what != What::EnPassant {
            return safe;
        }
        let mut with_victim = after;
        let victim = step.to.with_rank_of(step.from).index();
        with_victim[victim] = self.board.squares[victim];
        let shielded = if attackers(&with_victim, king, self.us.flip()).is_empty() { !0 } else { 0 };
        let who = self.on(EnPassantPawnShields);
        safe & !who | shielded & who
    }

    /// The engines that do not see attacks by pieces of this kind.
    pub(super) fn unseen(&self, kind: Kind) -> Engines {
        match kind {
            Kind::Pawn => self.on(PawnAttacksUnseen),
            Kind::Knight => self.on(KnightAttacksUnseen),
            _ => 0,
        }
    }

    /// The engines that overlook that the piece on `square` attacks the king after its move.
    fn excuse_of_king(&self, step: Step, square: Square, kind: Kind) -> Engines {
        let line = direction(square, step.to);
        let mut excuse = match (kind, line) {
            (Kind::Pawn, _) => self.on(KingIntoPawn),
            (Kind::Knight, _) => self.on(KingIntoKnight),
            (Kind::King, _) => self.on(KingNextToKing),
            (_, Some((0, _) | (_, 0))) => self.on(KingIntoStraight),
            _ => self.on(KingIntoDiagonal),
        };
        if self.board.at(step.to).is_some() {
            excuse |= self.on(KingTakesProtected);
        }
        let checks = self.checkers.iter().any(|&(checker, _)| checker == square);
        if checks && direction(square, step.from) == line && !matches!(kind, Kind::Knight | Kind::Pawn) {
            excuse |= self.on(KingAlongLine);
        }
        excuse
    }

    /// The engines that overlook that the piece on `square` still gives check.
    fn excuse_of_check(&self, king: Square, square: Square, kind: Kind) -> Engines {
        match (kind, direction(square, king)) {
            (Kind::Pawn, _) => self.on(PawnCheckIgnored),
            (Kind::Knight, _) => self.on(KnightCheckIgnored),
            (_, Some((0, _) | (_, 0))) => self.on(StraightCheckIgnored),
            _ => self.on(DiagonalCheckIgnored),
        }
    }

    /// The engines that overlook that the move opens a line from `square` to the king.
    fn excuse_of_pin(&self, step: Step, king: Square, square: Square) -> Engines {
        let straight = matches!(direction(square, king), Some((0, _) | (_, 0)));
        let answers = if self.checkers.is_empty() { 0 } else { self.on(PinnedAnswersCheck) };
        let pin = answers | if straight { self.on(PinStraight) } else { self.on(PinDiagonal) };
        let kind = self.board.at(step.from).map(|(_, kind)| kind);
        if step.what == What::EnPassant {
            // Without the captured pawn: is the capturing pawn pinned by itself?
            let mut without = self.board.squares;
            without[step.from.index()] = None;
            let pinned = attackers(&without, king, self.us.flip()).iter().any(|a| a.0 == square);
            return match (pinned, straight) {
                (true, _) => pin | self.on(PinnedPawn) | self.on(EnPassantPinned),
                (false, true) => self.on(EnPassantRank),
                (false, false) => self.on(EnPassantLine),
            };
        }
        match kind {
            Some(Kind::Pawn) => pin | self.on(PinnedPawn),
            Some(Kind::Knight) => pin | self.on(PinnedKnight),
            _ => pin,
        }
    }

    /// The engines that leave out this legal move because it has to do with a check or a pin.
    fn too_strict(&self, step: Step, king: Square) -> Engines {
        let captures = |checker: Square| step.to == checker;
        let mut missing = 0;
        if let [(checker, _)] = self.checkers[..] {
            missing |= match (step.from == king, captures(checker), step.what) {
                (true, true, _) => self.on(KingCaptureOfCheckerMissing),
                (true, false, _) => 0,
                (_, _, What::EnPassant) => self.on(EnPassantEvasionMissing),
                (_, true, _) => self.on(CaptureOfCheckerMissing),
                (_, false, What::DoubleStep) => self.on(BlockMissing) | self.on(DoubleStepBlockMissing),
                (_, false, _) => self.on(BlockMissing),
            };
        } else if step.from == king && self.checkers.iter().any(|c| captures(c.0)) {
            missing |= self.on(KingCaptureOfCheckerMissing);
        }
        if self.pinned.contains(step.from) {
            let en_passant = if step.what == What::EnPassant { self.on(EnPassantAlongPinMissing) } else { 0 };
            missing |= self.on(PinLineMissing) | en_passant;
        }
        missing
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
