//! Which faults can show within some plies of a position: cheap tests by sets of squares, which spare the slow
//! generator with faults most of its work.
//!
//! A test may say yes too often, never too rarely. A kind that no test names can show wherever its side moves.

use super::tables::ChessFault::{self, *};
use crate::chess::board::tables;
use crate::chess::board::{Position, placement::Placement};
use crate::chess::explain::board::{Board, WINGS};
use crate::chess::types::{Bitboard, Kind, Square};
use crate::doctor::faults::Engines;
use crate::game::Side;

/// The bits of some kinds.
const fn of(kinds: &[ChessFault]) -> Engines {
    let (mut set, mut i) = (0, 0);
    while i < kinds.len() {
        set |= 1 << kinds[i] as u32;
        i += 1;
    }
    set
}

const PIN: Engines = of(&[PinLineMissing]);
const DIAGONAL_PIN: Engines = of(&[PinDiagonal]);
const STRAIGHT_PIN: Engines = of(&[PinStraight]);
const PAWN_PIN: Engines = of(&[PinnedPawn]);
const KNIGHT_PIN: Engines = of(&[PinnedKnight]);
const KING_BY_PAWN: Engines = of(&[KingIntoPawn]);
const KING_BY_KNIGHT: Engines = of(&[KingIntoKnight]);
const KING_BY_DIAGONAL: Engines = of(&[KingIntoDiagonal]);
const KING_BY_STRAIGHT: Engines = of(&[KingIntoStraight]);
const KING_TAKES: Engines = of(&[KingTakesProtected]);
const KINGS: Engines = of(&[KingNextToKing]);
const CHECK: Engines = of(&[
    KingAlongLine,
    PawnCheckIgnored,
    KnightCheckIgnored,
    DiagonalCheckIgnored,
    StraightCheckIgnored,
    BlockMissing,
    CaptureOfCheckerMissing,
    DoubleStepBlockMissing,
    KingCaptureOfCheckerMissing,
    PinnedAnswersCheck,
]);
const DOUBLE_CHECK: Engines = of(&[DoubleCheckAnswered]);
const PAWN_UNSEEN: Engines = of(&[PawnAttacksUnseen]);
const KNIGHT_UNSEEN: Engines = of(&[KnightAttacksUnseen]);
const KING_LEFT: Engines = of(&[AnyMove]);
/// Of captures between the right squares, which are legal.
const EN_PASSANT_LEGAL: Engines = of(&[
    EnPassantEvasionMissing,
    EnPassantMissing,
    EnPassantWestMissing,
    EnPassantEastMissing,
    EnPassantPinned,
    EnPassantRank,
    EnPassantLine,
    EnPassantPawnShields,
    EnPassantAlongPinMissing,
]);
const EN_PASSANT: Engines = EN_PASSANT_LEGAL | of(&[EnPassantPawnStays, EnPassantAroundEdge]);
/// Of the side that makes the double step.
const NEVER_SET: Engines = of(&[EnPassantNeverSet]);
const PAWN_BESIDE: Engines = of(&[EnPassantLate, EnPassantAnyPawn]);
/// King side and queen side.
const CASTLING_ON: [Engines; 2] = [
    of(&[CastlesOutOfCheckKingSide, CastlesThroughAttackKingSide, CastlesIntoCheckKingSide, CastlingKingSideMissing]),
    of(&[
        CastlesOutOfCheckQueenSide,
        CastlesThroughAttackQueenSide,
        CastlesIntoCheckQueenSide,
        CastlingQueenSideMissing,
    ]),
];
/// Which attacks forbid castling.
const CASTLING_ATTACKED: Engines =
    of(&[CastlesThroughPawn, CastlesThroughKing, RookShields, CastlingRookAttacked, CastlingRookPathAttacked]);
const CASTLING: Engines = CASTLING_ATTACKED | of(&[CastlingRookStays, CastlingRookDoubled]);
const OVER_PIECE: [Engines; 2] = [of(&[CastlesOverPieceKingSide]), of(&[CastlesOverPieceQueenSide])];
const ROOK_PATH: Engines = of(&[RookPathIgnored]);
const KING_MOVED: Engines = of(&[RightKeptKingMoved]);
const ROOK_MOVED: [Engines; 2] = [of(&[RightKeptRookMovedKingSide]), of(&[RightKeptRookMovedQueenSide])];
const ROOK_TAKEN: [Engines; 2] = [of(&[RightKeptRookTakenKingSide]), of(&[RightKeptRookTakenQueenSide])];
const NO_ROOK: Engines = of(&[CastlesWithoutRook]);
const OTHER_ROOK: Engines = of(&[RightLostWithOtherRook]);
const ANY_ROOK: Engines = of(&[RightLostWithAnyRook]);
const WRONG_RIGHT: Engines = of(&[WrongRightLostWithCapture]);
const NO_RIGHT: Engines = of(&[CastlesWithoutRight]);
const PROMOTION_MISSING: Engines = of(&[
    UnderpromotionMissing,
    PromotionToKnightMissing,
    PromotionToBishopMissing,
    PromotionToRookMissing,
    PromotionByCaptureMissing,
    PromotionToQueenAndKnight,
    UnderpromotionByCaptureMissing,
]);
const PROMOTION: Engines = PROMOTION_MISSING
    | of(&[PawnOnLastRank, PawnCaptureOnLastRank, PromotionToKing, PromotedStaysPawn, PromotedForOpponent]);
const DOUBLE_STEP: Engines = of(&[DoubleStepMissing, DoubleStepTwice]);
const STEP_THROUGH: Engines = of(&[DoubleStepThroughPiece]);
const STEP_ONTO: Engines = of(&[DoubleStepOntoPiece]);
const THIRD_RANK: Engines = of(&[DoubleStepThirdRank]);
const STRAIGHT_CAPTURE: Engines = of(&[PawnStepCaptures]);
const CAPTURES_NOTHING: Engines = of(&[PawnCapturesNothing]);
const CAPTURES_OWN: Engines = of(&[PawnCapturesOwn]);
const WEST: Engines = of(&[PawnWestMissing]);
const EAST: Engines = of(&[PawnEastMissing]);
const PAWN_EDGE: Engines = of(&[PawnAroundEdge]);
const BACKWARDS: Engines = of(&[PawnBackwards]);
const KNIGHT: Engines = of(&[KnightAroundEdge, KnightJumpMissing]);
const DIAGONAL: Engines = of(&[DiagonalThroughOwn, DiagonalThroughEnemy, DiagonalDirectionMissing]);
const STRAIGHT: Engines = of(&[StraightThroughOwn, StraightThroughEnemy, StraightDirectionMissing, SliderAroundEdge]);
const SLIDER: Engines = of(&[SliderShortOfEdge, SliderCaptureMissing]);
const QUEEN: Engines = of(&[QueenDiagonalMissing, QueenStraightMissing]);
const KING_EDGE: Engines = of(&[KingAroundEdge]);
const KING_BACK: Engines = of(&[KingBackwardsMissing]);
/// Every move makes a wrong board.
const MAKING: Engines = of(&[SideNotSwitched, MoveNotMade, PieceStays]);
/// These show at the root or never.
const READING: Engines =
    of(&[FenSideIgnored, FenCastlingIgnored, FenEnPassantIgnored, FenWingsSwapped, FenSidesSwapped]);

/// Kinds that have to do with checks, pins and attacks on the king's squares.
const SAFETY: Engines = PIN
    | DIAGONAL_PIN
    | STRAIGHT_PIN
    | PAWN_PIN
    | KNIGHT_PIN
    | KING_BY_PAWN
    | KING_BY_KNIGHT
    | KING_BY_DIAGONAL
    | KING_BY_STRAIGHT
    | KING_TAKES
    | KINGS
    | CHECK
    | DOUBLE_CHECK
    | PAWN_UNSEEN
    | KNIGHT_UNSEEN
    | KING_LEFT;

/// Kinds that change nothing but when and how castling is played.
const OF_CASTLING: Engines = CASTLING
    | OVER_PIECE[0]
    | OVER_PIECE[1]
    | ROOK_PATH
    | KING_MOVED
    | ROOK_MOVED[0]
    | ROOK_MOVED[1]
    | ROOK_TAKEN[0]
    | ROOK_TAKEN[1]
    | NO_ROOK
    | OTHER_ROOK
    | ANY_ROOK
    | WRONG_RIGHT
    | NO_RIGHT
    | of(&[FenCastlingIgnored, FenWingsSwapped, FenSidesSwapped]);

/// The kinds that a test below names.
const TESTED: Engines = SAFETY
    | EN_PASSANT
    | PAWN_BESIDE
    | CASTLING_ON[0]
    | CASTLING_ON[1]
    | OF_CASTLING
    | NEVER_SET
    | MAKING
    | READING
    | PROMOTION
    | DOUBLE_STEP
    | STEP_THROUGH
    | STEP_ONTO
    | THIRD_RANK
    | STRAIGHT_CAPTURE
    | CAPTURES_NOTHING
    | CAPTURES_OWN
    | WEST
    | EAST
    | PAWN_EDGE
    | BACKWARDS
    | KNIGHT
    | DIAGONAL
    | STRAIGHT
    | SLIDER
    | QUEEN
    | KING_EDGE
    | KING_BACK;

/// See `Diagnosis::REMEMBERED`.
pub(super) const REMEMBERED: Engines =
    PAWN_BESIDE | KING_MOVED | ROOK_MOVED[0] | ROOK_MOVED[1] | ROOK_TAKEN[0] | ROOK_TAKEN[1] | NO_ROOK | OTHER_ROOK;

/// Kinds that only leave out moves, or add some that leave the king in check: no piece comes sooner to a square, and no
/// board is other than the moves make it.
const PLAIN: Engines = SAFETY
    | CASTLING_ON[0]
    | CASTLING_ON[1]
    | CASTLING_ATTACKED
    | EN_PASSANT_LEGAL
    | NEVER_SET
    | PROMOTION_MISSING
    | DOUBLE_STEP
    | WEST
    | EAST
    | QUEEN
    | KING_BACK
    | SLIDER
    | of(&[KnightJumpMissing, DiagonalDirectionMissing, StraightDirectionMissing]);

/// See `Diagnosis::mingle`.
pub(super) fn mingle(kinds: Engines) -> bool {
    let kinds = kinds & !PLAIN;
    // Castling and capturing en passant have nothing to do with each other.
    let apart = kinds & OF_CASTLING != 0 && kinds & PAWN_BESIDE != 0;
    kinds.count_ones() > if apart { 2 } else { 1 }
}

/// The last turn of a side within some plies, and how often each side moves before it.
#[derive(Clone, Copy)]
struct Turn {
    own: u32,
    other: u32,
}

impl Turn {
    /// The last turn of the side within `plies`; `moves_first` says whether it moves first.
    fn last(moves_first: bool, plies: u32) -> Option<Turn> {
        match (moves_first, plies) {
            (_, 0) | (false, 1) => None,
            (true, _) => Some(Turn { own: (plies - 1) / 2, other: (plies - 1) / 2 }),
            (false, _) => Some(Turn { own: (plies - 2) / 2, other: plies / 2 }),
        }
    }

    fn plies(self) -> u32 {
        self.own + self.other
    }

    /// Whether squares on which `own` pieces of the side and `others` of the opponent stand can all be empty at that
    /// turn, if the side needs `needed` of its moves for king or rook. A ply empties one square at most. An own piece
    /// leaves with an own move; or the opponent captures it, and leaves with another one.
    fn can_empty(self, own: u32, others: u32, needed: u32) -> bool {
        self.own >= needed && own + needed <= self.own + self.other / 2 && own + others <= self.plies()
    }
}

/// The kinds of `side` that may show within `plies` plies; see `Diagnosis::active`.
pub(super) fn kinds(pos: &Position, side: Side, plies: u32) -> Engines {
    let Some(turn) = Turn::last(side == pos.side(), plies) else { return 0 };
    let sight = |side: Side, turn| Sight { pos, side, turn, own: pos.side_set(side), them: pos.side_set(side.flip()) };
    let (ours, making) = (sight(side, turn), Turn::last(side == pos.side(), plies - 1).is_some());
    // A double step before the opponent's last turn. One that captures late is told, too: `NEVER_SET` is plain.
    let theirs = Turn::last(side != pos.side(), plies).filter(|turn| turn.other > 0);
    let captured = theirs.is_some_and(|turn| sight(side.flip(), turn).en_passant() != 0);
    let set = !TESTED | when(making, MAKING) | when(captured, NEVER_SET) | ours.castling();
    let set = set | ours.en_passant() | ours.promotion();
    if turn.plies() == 0 { set | ours.safety() | ours.steps() } else { set | ours.later() }
}

/// What the tests look at.
struct Sight<'a> {
    pos: &'a Position,
    side: Side,
    turn: Turn,
    own: Bitboard,
    them: Bitboard,
}

/// `kinds` if the condition holds.
fn when(condition: bool, kinds: Engines) -> Engines {
    if condition { kinds } else { 0 }
}

impl Sight<'_> {
    fn pieces(&self, kind: Kind) -> Bitboard {
        self.own & self.pos.kind_set(kind)
    }

    /// The squares on a rank as the side sees it.
    fn rank(&self, rank: i32) -> Bitboard {
        Bitboard::rank(if self.side == Side::First { rank } else { 7 - rank })
    }

    /// The pinned pieces between the king and sliders of a kind, or queens, on `lines`.
    fn pins(&self, lines: Bitboard, slider: Kind) -> Bitboard {
        let (pos, king) = (self.pos, self.pos.king(self.side));
        let sliders = lines & self.them & (pos.kind_set(slider) | pos.kind_set(Kind::Queen));
        let between = sliders.into_iter().map(|pinner| tables::between(king, pinner) & pos.occupied());
        let pinned = between.filter(|pieces| !pieces.is_empty() && !pieces.several() && pieces.meets(self.own));
        pinned.fold(Bitboard::EMPTY, |all, one| all | one)
    }

    /// Kinds that have to do with checks, pins and attacks on the king's squares, of the side to move.
    fn safety(&self) -> Engines {
        let (pos, own, them) = (self.pos, self.own, self.them);
        let king = pos.king(self.side);
        let straight = self.pins(tables::rook_lines(king), Kind::Rook);
        let diagonal = self.pins(tables::bishop_lines(king), Kind::Bishop);
        let pins = straight | diagonal;
        let checks = pos.checkers();
        let mut set = when(!pins.is_empty(), PIN)
            | when(!diagonal.is_empty(), DIAGONAL_PIN)
            | when(!straight.is_empty(), STRAIGHT_PIN)
            | when(pins.meets(self.pieces(Kind::Pawn)), PAWN_PIN)
            | when(pins.meets(self.pieces(Kind::Knight)), KNIGHT_PIN)
            | when(!checks.is_empty(), CHECK)
            | when(checks.several(), DOUBLE_CHECK)
            | when(checks.meets(pos.kind_set(Kind::Pawn)), PAWN_UNSEEN)
            | when(checks.meets(pos.kind_set(Kind::Knight)), KNIGHT_UNSEEN);
        let zone = tables::king(king) & !own;
        let occupied = pos.occupied() ^ Bitboard::of(king);
        let mut attacked = tables::king(pos.king(self.side.flip()));
        set |= when(attacked.meets(zone), KINGS);
        let by_pawns = (them & pos.kind_set(Kind::Pawn)).pawn_attacks(self.side.flip());
        set |= when(by_pawns.meets(zone), KING_BY_PAWN | PAWN_UNSEEN);
        let of_kind = |kind, set: Bitboard| {
            let one = |square| crate::chess::attacks(self.side.flip(), kind, square, occupied);
            (set & them).into_iter().fold(Bitboard::EMPTY, |all, square| all | one(square))
        };
        let by_knights = of_kind(Kind::Knight, pos.kind_set(Kind::Knight));
        set |= when(by_knights.meets(zone), KING_BY_KNIGHT | KNIGHT_UNSEEN);
        let queens = pos.kind_set(Kind::Queen);
        let diagonally = of_kind(Kind::Bishop, pos.kind_set(Kind::Bishop) | queens);
        set |= when(diagonally.meets(zone), KING_BY_DIAGONAL);
        let straight = of_kind(Kind::Rook, pos.kind_set(Kind::Rook) | queens);
        set |= when(straight.meets(zone), KING_BY_STRAIGHT);
        attacked |= by_pawns | by_knights | diagonally | straight;
        set |= when(attacked.meets(zone & them), KING_TAKES);
        let left = attacked.meets(zone) || !pins.is_empty() || !checks.is_empty() || pos.en_passant().is_some();
        set | when(left, KING_LEFT)
    }

    /// Kinds that have to do with where pieces step, of the side to move.
    fn steps(&self) -> Engines {
        let (own, them) = (self.own, self.them);
        let (pawns, empty) = (self.pieces(Kind::Pawn), !self.pos.occupied());
        let forward = self.side.forward();
        let [diagonal, straight] =
            [Kind::Bishop, Kind::Rook].map(|kind| !(self.pieces(kind) | self.pieces(Kind::Queen)).is_empty());
        let home = pawns & self.rank(1);
        let (front, landing) = (home.step(0, forward), home.step(0, 2 * forward));
        let through = |front: Bitboard| front.step(0, forward);
        let third = (pawns & self.rank(2)).step(0, forward) & empty;
        let (west, east) = (pawns.step(-1, forward), pawns.step(1, forward));
        let king = Bitboard::of(self.pos.king(self.side));
        let wraps = Bitboard::file(0) | Bitboard::file(7);
        when((through(front & empty) & empty).meets(landing), DOUBLE_STEP)
            | when((through(front - empty) & landing).meets(empty), STEP_THROUGH)
            | when((through(front & empty) & landing).meets(!empty), STEP_ONTO)
            | when(third.step(0, forward).meets(empty), THIRD_RANK)
            | when(pawns.step(0, forward).meets(them), STRAIGHT_CAPTURE)
            | when((west | east).meets(empty), CAPTURES_NOTHING)
            | when((west | east).meets(own), CAPTURES_OWN)
            | when(west.meets(them), WEST)
            | when(east.meets(them), EAST)
            | when(pawns.meets(wraps), PAWN_EDGE)
            | when(pawns.step(0, -forward).meets(empty), BACKWARDS)
            | when(!self.pieces(Kind::Knight).is_empty(), KNIGHT)
            | when(diagonal, DIAGONAL)
            | when(straight, STRAIGHT)
            | when(diagonal || straight, SLIDER)
            | when(!self.pieces(Kind::Queen).is_empty(), QUEEN)
            | when(king.meets(wraps), KING_EDGE)
            | when(king.step(0, -forward).meets(!own), KING_BACK)
    }

    /// The same kinds, if the opponent moves before the side's last turn. Most may show then.
    fn later(&self) -> Engines {
        let (pos, plies) = (self.pos, self.turn.plies() as i32);
        let all = PIN
            | DIAGONAL_PIN
            | STRAIGHT_PIN
            | KNIGHT_PIN
            | KING_BY_DIAGONAL
            | KING_BY_KNIGHT
            | KING_BY_STRAIGHT
            | KING_TAKES
            | CHECK
            | DOUBLE_CHECK
            | KNIGHT_UNSEEN
            | KING_LEFT
            | KNIGHT
            | DIAGONAL
            | STRAIGHT
            | SLIDER
            | QUEEN
            | KING_EDGE
            | KING_BACK;
        let of_pawns = PAWN_PIN
            | DOUBLE_STEP
            | STEP_THROUGH
            | STEP_ONTO
            | THIRD_RANK
            | STRAIGHT_CAPTURE
            | CAPTURES_NOTHING
            | CAPTURES_OWN
            | WEST
            | EAST
            | PAWN_EDGE
            | BACKWARDS;
        // Every ply brings the kings one square nearer to each other, castling two, along the rank.
        let [king, other] = [self.side, self.side.flip()].map(|side| pos.king(side));
        let castling = pos.castling().count() as i32 * if pos.is_chess960() { 6 } else { 1 };
        let (files, ranks) = ((king.file() - other.file()).abs(), (king.rank() - other.rank()).abs());
        let kings = ranks <= plies + 2 && files <= plies + 2 + castling;
        let theirs = !(self.them & pos.kind_set(Kind::Pawn)).is_empty();
        all | when(!self.pieces(Kind::Pawn).is_empty(), of_pawns)
            | when(theirs, KING_BY_PAWN | PAWN_UNSEEN)
            | when(kings, KINGS)
    }

    fn castling(&self) -> Engines {
        let (pos, turn) = (self.pos, self.turn);
        let king = pos.king(self.side);
        let count = |squares: Bitboard| ((squares & self.own).count(), (squares & self.them).count());
        let rights = pos.castling() & self.own;
        let mut set = 0;
        for rook in rights {
            let wing = usize::from(rook < king);
            let (path, _) = tables::castling_paths(king, rook);
            let (own, others) = count(path);
            let after = |needed| turn.can_empty(own, others, needed);
            // A pawn or a knight may be unseen on the king's way.
            set |= when(after(0), CASTLING_ON[wing] | CASTLING | PAWN_UNSEEN | KNIGHT_UNSEEN);
            set |= when(turn.plies() > 0 || own + others > 0, OVER_PIECE[wing]);
            let target = king.with_file([6, 2][wing]);
            let way = (tables::between(king, target) | Bitboard::of(target)) & path;
            let (own, others) = count(way);
            set |= when(turn.can_empty(own, others, 0), ROOK_PATH);
            // The king or rook goes away and comes back.
            set |= when(after(2), KING_MOVED | ROOK_MOVED[wing]);
            set |= when(turn.other > 0, NO_ROOK);
            set |= when(turn.other > 0 && turn.own > 0, ROOK_TAKEN[wing]);
            set |= when(rights.several() && after(1), OTHER_ROOK);
            set |= when(after(1), ANY_ROOK);
            set |= when(turn.other > 0, WRONG_RIGHT);
        }
        set | when(self.castles_without_right(), NO_RIGHT)
    }

    /// Whether a king and a rook may stand on their squares without a right to castle.
    fn castles_without_right(&self) -> bool {
        let (pos, turn) = (self.pos, self.turn);
        if pos.is_chess960() {
            // Where they began is not known here.
            return true;
        }
        let (king, home) = (pos.king(self.side), Square::E1.seen_by(self.side));
        let away = king.distance(home) as u32;
        WINGS.into_iter().any(|wing| {
            let rook = [Square::H1, Square::A1][wing].seen_by(self.side);
            // A right that is there must be lost first.
            let lost = if pos.castling().contains(rook) { 2 } else { 0 };
            let needed = u32::from(!self.pieces(Kind::Rook).contains(rook)).max(lost);
            let (path, _) = tables::castling_paths(home, rook);
            let own = (path & self.own).count();
            own <= turn.own + turn.other / 2 && away <= turn.own && needed <= turn.plies()
        })
    }

    fn en_passant(&self) -> Engines {
        let (pos, turn) = (self.pos, self.turn);
        let pawns = self.pieces(Kind::Pawn);
        let moves_first = self.side == pos.side();
        let set = when(moves_first && pos.en_passant().is_some(), EN_PASSANT);
        if turn.plies() == 0 {
            let beside = pawns & self.rank(4);
            let theirs = self.them & pos.kind_set(Kind::Pawn);
            return set | when((beside.step(1, 0) | beside.step(-1, 0)).meets(theirs), PAWN_BESIDE);
        }
        let own = files_on_rank(self.pos, self.side, 4, turn.own);
        let beside = own << 1 | own >> 1;
        let theirs = self.them & pos.kind_set(Kind::Pawn);
        let home = files(theirs & self.rank(6));
        let there = files_on_rank(self.pos, self.side.flip(), 3, turn.other);
        set | when(beside & home != 0, EN_PASSANT) | when(beside & there != 0, PAWN_BESIDE)
    }

    fn promotion(&self) -> Engines {
        // A pawn on its first rank needs five moves.
        let moves = self.turn.own as i32 + 1;
        let near = (1..7).filter(|rank| if *rank == 1 { moves >= 5 } else { moves >= 7 - rank });
        let near = near.fold(Bitboard::EMPTY, |set, rank| set | self.rank(rank));
        when(self.pieces(Kind::Pawn).meets(near), PROMOTION)
    }
}

/// The files of some squares, as the bits of the first rank.
fn files(set: Bitboard) -> u64 {
    (0..8).fold(0, |files, rank| files | set.0 >> (8 * rank) & 255)
}

/// The files on which `side` may have a pawn on `rank`, 3 or 4 as it sees it, after at most `moves` moves of pawns.
fn files_on_rank(pos: &Position, side: Side, rank: i32, moves: u32) -> u64 {
    let pawns = pos.pieces(side, Kind::Pawn);
    let mut all = 0;
    for from in 1..=rank {
        // The first step may be a double one.
        let needed = (rank - from - i32::from(from == 1)).max(0) as u32;
        if needed <= moves {
            let mut reached = files(pawns & Bitboard::rank(if side == Side::First { from } else { 7 - from }));
            for _ in 0..(rank - from) {
                // Each of them may be a capture.
                reached |= reached << 1 | reached >> 1;
            }
            all |= reached & 255;
        }
    }
    all
}

/// The position that is like this board, if an engine without faults can have it.
pub(super) fn position_of(board: &Board) -> Option<Position> {
    let mut castling = Bitboard::EMPTY;
    for side in Side::BOTH {
        for rook in board.rights[side.index()].into_iter().flatten() {
            let king = board.at(board.homes[side.index()].0) == Some((side, Kind::King));
            if !king || board.at(rook) != Some((side, Kind::Rook)) {
                return None;
            }
            castling |= Bitboard::of(rook);
        }
    }
    let placement = Placement {
        pieces: board.squares,
        side: board.side,
        castling,
        en_passant: board.en_passant,
        chess960: board.chess960,
        ..Placement::default()
    };
    let pos = Position::set_up(&placement).ok()?;
    // The square may be one that a sound engine does not remember.
    (pos.en_passant() == board.en_passant).then_some(pos)
}

/// Forgets rights to castle, and an e.p. square, that only a faulty engine has and that it cannot use any more.
pub(super) fn forget_useless(board: &mut Board, plies: u32) {
    for side in Side::BOTH {
        for wing in WINGS {
            if board.rights[side.index()][wing].is_some_and(|rook| !may_castle(board, side, rook, plies)) {
                board.rights[side.index()][wing] = None;
            }
        }
    }
    if board.en_passant.is_some_and(|square| !may_capture_on(board, square, plies)) {
        board.en_passant = None;
    }
}

/// Whether `side` may castle with the rook on `rook` within `plies`, or has the right without a fault.
fn may_castle(board: &Board, side: Side, rook: Square, plies: u32) -> bool {
    let home = board.homes[side.index()].0;
    if board.at(home) == Some((side, Kind::King)) && board.at(rook) == Some((side, Kind::Rook)) {
        return true;
    }
    let mut kings = Square::all().filter(|&square| board.at(square) == Some((side, Kind::King)));
    let (Some(king), None) = (kings.next(), kings.next()) else { return true };
    let Some(turn) = Turn::last(side == board.side, plies) else { return false };
    let (path, _) = tables::castling_paths(home, rook);
    let owners = path.into_iter().filter_map(|square| board.at(square));
    let (own, others): (Vec<_>, Vec<_>) = owners.partition(|&(owner, _)| owner == side);
    let away = king.distance(home) as u32;
    turn.own >= away && turn.can_empty(own.len() as u32, others.len() as u32, 0)
}

/// Whether a pawn may capture en passant on `square` within `plies`.
fn may_capture_on(board: &Board, square: Square, plies: u32) -> bool {
    // The square is on the sixth rank of the side that captures.
    let side = if square.rank() == 5 { Side::First } else { Side::Second };
    let Some(turn) = Turn::last(side == board.side, plies) else { return false };
    let victim = square.step(0, -side.forward()).and_then(|victim| board.at(victim));
    if turn.other == 0 && victim != Some((side.flip(), Kind::Pawn)) {
        return false;
    }
    Square::all().filter(|&from| board.at(from) == Some((side, Kind::Pawn))).any(|from| {
        let up = 4 - from.seen_by(side).rank();
        // The first step may be a double one.
        let needed = up - i32::from(up == 3);
        let aside = ((from.file() - square.file()).abs() - 1).max(0);
        (0..=turn.own as i32).contains(&needed) && aside <= up
    })
}
