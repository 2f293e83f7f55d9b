//! Perft statistics: the columns of the last ply, counted from sets, one position at a time.
//!
//! Most columns are population counts of move sets one ply above the leaves. Captures, promotions and castling moves
//! are counted directly. Checks are moves to squares from which that kind of piece attacks their king, and moves of
//! pieces that block one of our sliders from their king. Only moves that give check, two or three in a hundred, are
//! made, to see whether there is a reply. The simple, slow count is `game::columns_one_by_one`.

use crate::base::cpu::with_bits;
use crate::chess::board::attacks::{attacked_by, attackers};
use crate::chess::board::movegen::{
    self, ALL, ChecksAndPins, PROMOTIONS, PawnTargets, castle_is_legal, generate, pawn_move,
};
use crate::chess::board::{Board, castled, tables};
use crate::chess::perft::walk::walk;
use crate::chess::types::{Bitboard, Black, Kind, Move, MoveKind, Square, Us, White};
use crate::game::{CheckKind, Columns, CountSink, ListSink, Moves};

/// The columns of all move sequences of exactly `depth` plies, which are at least one.
pub fn columns(board: &Board, depth: u32) -> Columns {
    let mut columns = Columns::default();
    walk(&board.with_white_to_move(), depth - 1, &mut |board| count(board, &mut columns));
    columns
}

/// How the side to move can give check.
struct CheckSets {
    /// Their king.
    king: Square,
    /// Squares from which each kind of piece attacks their king.
    knight: Bitboard,
    pawn: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    /// Our pieces that alone block one of our sliders from their king.
    discoverers: Bitboard,
}

impl CheckSets {
    /// For the side to move.
    #[inline(always)]
    fn of(board: &Board) -> CheckSets {
        let king = board.king(Black::SIDE);
        let (own, occupied) = (board.side_set(White::SIDE), board.occupied());
        let queens = board.kind_set(Kind::Queen);
        let straight = tables::rook_lines(king) & (board.kind_set(Kind::Rook) | queens);
        let diagonal = tables::bishop_lines(king) & (board.kind_set(Kind::Bishop) | queens);
        let mut discoverers = Bitboard::EMPTY;
        for slider in (straight | diagonal) & own {
            let blockers = tables::between(king, slider) & occupied;
            if !blockers.several() {
                discoverers |= blockers & own;
            }
        }
        CheckSets {
            king,
            knight: tables::knight(king),
            pawn: tables::pawn(Black::SIDE, king),
            bishop: tables::bishop(king, occupied),
            rook: tables::rook(king, occupied),
            discoverers,
        }
    }

    /// The squares on which a piece that makes a move of this kind attacks their king. Not for promotions, because
    /// the pawn that leaves may open the line.
    #[inline(always)]
    fn targets(&self, kind: MoveKind) -> Bitboard {
        match kind {
            MoveKind::Pawn | MoveKind::DoublePush => self.pawn,
            MoveKind::Knight => self.knight,
            MoveKind::Bishop => self.bishop,
            MoveKind::Rook => self.rook,
            MoveKind::Queen => self.bishop | self.rook,
            _ => Bitboard::EMPTY,
        }
    }

    /// Whether `m`, a move of a piece that may give a discovered check, gives check. Not for castling, en passant and
    /// promotions.
    #[inline(always)]
    fn is_check(&self, m: Move) -> bool {
        let leaves = !tables::line(self.king, m.from()).contains(m.to());
        leaves || m.kind().is_some_and(|kind| self.targets(kind).contains(m.to()))
    }
}

/// Counts moves to sets of squares with population counts, and makes those that may give check.
struct Tally<'a> {
    board: &'a Board,
    foes: Bitboard,
    columns: &'a mut Columns,
}

impl Tally<'_> {
    /// Counts one move to each of `targets`.
    #[inline(always)]
    fn add(&mut self, targets: Bitboard) {
        self.columns.nodes += u64::from(targets.count());
        self.columns.captures += u64::from((targets & self.foes).count());
    }

    /// Counts the checks among the moves from `from` to each of `targets`.
    #[inline(always)]
    fn checks(&mut self, from: Square, targets: Bitboard, kind: MoveKind) {
        for to in targets {
            count_check(self.board, Move::new(from, to, kind), self.columns);
        }
    }

    /// The same for pawns that move by a step of `delta`.
    #[inline(always)]
    fn pawn_checks(&mut self, targets: Bitboard, delta: i32, kind: MoveKind) {
        for to in targets {
            count_check(self.board, pawn_move(to, delta, kind), self.columns);
        }
    }
}

with_bits! {
    /// Adds the columns of all legal moves.
    fn count(board: &Board, columns: &mut Columns) {
        let own = board.side_set(White::SIDE);
        let occupied = board.occupied();
        let king = board.king(White::SIDE);
        let pins = ChecksAndPins::of::<White>(board);
        let sets = CheckSets::of(board);
        let mut tally = Tally { board, foes: board.side_set(Black::SIDE), columns };

        let steps = tables::king(king) & !own;
        let castling = if pins.checkers.is_empty() { board.castling & White::BACK_RANK } else { Bitboard::EMPTY };
        if !(steps | castling).is_empty() {
            let danger = attacked_by::<Black>(board, occupied ^ Bitboard::of(king));
            tally.add(steps & !danger);
            for rook in castling {
                if castle_is_legal(king, rook, occupied, danger, pins.straight) {
                    tally.columns.nodes += 1;
                    tally.columns.castles += 1;
                    castling_check(board, rook, tally.columns);
                }
            }
        }
        if !sets.discoverers.is_empty() {
            discoverer_checks(board, &sets, tally.columns);
        }
        if pins.checkers.several() {
            return;
        }

        let evasion = match pins.checkers.lowest() {
            Some(checker) => tables::between(king, checker) | pins.checkers,
            None => Bitboard::ALL,
        };
        let targets = evasion & !own;
        for from in board.kind_set(Kind::Knight) & own & !(pins.straight | pins.diagonal) {
            let reached = tables::knight(from) & targets;
            tally.add(reached);
            if !sets.discoverers.contains(from) {
                tally.checks(from, reached & sets.knight, MoveKind::Knight);
            }
        }
        let queens = board.kind_set(Kind::Queen);
        for (sliders, kind) in [
            (board.kind_set(Kind::Bishop), MoveKind::Bishop),
            (board.kind_set(Kind::Rook), MoveKind::Rook),
            (queens, MoveKind::Queen),
        ] {
            for from in sliders & own {
                let mut reached = Bitboard::EMPTY;
                if kind != MoveKind::Rook && !pins.straight.contains(from) {
                    let pin = if pins.diagonal.contains(from) { pins.diagonal } else { Bitboard::ALL };
                    reached |= tables::bishop(from, occupied) & pin;
                }
                if kind != MoveKind::Bishop && !pins.diagonal.contains(from) {
                    let pin = if pins.straight.contains(from) { pins.straight } else { Bitboard::ALL };
                    reached |= tables::rook(from, occupied) & pin;
                }
                let reached = reached & targets;
                tally.add(reached);
                if !sets.discoverers.contains(from) {
                    tally.checks(from, reached & sets.targets(kind), kind);
                }
            }
        }
        pawns(evasion, &pins, &sets, &mut tally);
        if !board.en_passant.is_empty() {
            en_passant(board, tally.columns);
        }
    }
}

/// Adds the pawn moves, without en passant.
#[inline(always)]
fn pawns(evasion: Bitboard, pins: &ChecksAndPins, sets: &CheckSets, tally: &mut Tally<'_>) {
    let board = tally.board;
    let own = board.side_set(White::SIDE);
    let all = PawnTargets::of::<White>(board, own, evasion, pins);
    let rank = White::LAST_RANK;
    let last = [all.single & rank, all.west & rank, all.east & rank];
    for set in [all.single, all.double, all.west, all.east] {
        tally.add(set);
    }
    let pawns = board.kind_set(Kind::Pawn) & own;
    let others = if sets.discoverers.meets(pawns) {
        PawnTargets::of::<White>(board, own & !sets.discoverers, evasion, pins)
    } else {
        all
    };
    let checks = sets.pawn & !White::LAST_RANK;
    tally.pawn_checks(others.single & checks, White::FORWARD, MoveKind::Pawn);
    tally.pawn_checks(others.double & checks, 2 * White::FORWARD, MoveKind::DoublePush);
    tally.pawn_checks(others.west & checks, White::FORWARD - 1, MoveKind::Pawn);
    tally.pawn_checks(others.east & checks, White::FORWARD + 1, MoveKind::Pawn);
    if pawns.meets(White::SEVENTH_RANK) {
        // One of the four is already counted.
        let captures = u64::from(last[1].count() + last[2].count());
        let promotions = u64::from(last[0].count()) + captures;
        tally.columns.nodes += 3 * promotions;
        tally.columns.promotions += 4 * promotions;
        tally.columns.captures += 3 * captures;
        promotion_checks(board, sets, last, tally.columns);
    }
}

/// Counts checks by promotions on the squares of `last`: straight ahead, to the west and to the east.
#[inline(always)]
fn promotion_checks(board: &Board, sets: &CheckSets, last: [Bitboard; 3], columns: &mut Columns) {
    for (at, files) in [0, -1, 1].iter().enumerate() {
        let (set, delta) = (last[at], White::FORWARD + files);
        for to in set {
            let from = pawn_move(to, delta, MoveKind::Pawn).from();
            let uncovers = sets.discoverers.contains(from);
            let occupied = board.occupied() & !Bitboard::of(from);
            // The new piece attacks their king if the king's square and its own see each other along such a line.
            let straight = tables::rook(to, occupied).contains(sets.king);
            let diagonal = tables::bishop(to, occupied).contains(sets.king);
            for kind in PROMOTIONS {
                let direct = match kind {
                    MoveKind::PromoteQueen => straight || diagonal,
                    MoveKind::PromoteRook => straight,
                    MoveKind::PromoteBishop => diagonal,
                    _ => sets.knight.contains(to),
                };
                if direct || uncovers {
                    count_check(board, Move::new(from, to, kind), columns);
                }
            }
        }
    }
}

/// Counts checks by pieces that may give a discovered check, without castling, en passant and promotions.
#[inline(never)]
fn discoverer_checks(board: &Board, sets: &CheckSets, columns: &mut Columns) {
    let mut list = Moves::new();
    generate::<White, ALL, _>(board, &ChecksAndPins::of::<White>(board), sets.discoverers, &mut ListSink(&mut list));
    for &m in &list {
        let other = m.is(MoveKind::Castle) || m.is(MoveKind::EnPassant);
        if !other && m.promotion().is_none() && sets.is_check(m) {
            count_check(board, m, columns);
        }
    }
}

/// Adds en passant captures, with their checks.
#[inline(never)]
fn en_passant(board: &Board, columns: &mut Columns) {
    let mut list = Moves::new();
    let (own, king) = (board.side_set(White::SIDE), board.king(White::SIDE));
    movegen::en_passant::<White, _>(board, own, king, &mut ListSink(&mut list));
    for &m in &list {
        columns.nodes += 1;
        columns.captures += 1;
        columns.en_passants += 1;
        count_check(board, m, columns);
    }
}

/// Counts the check given by castling with `rook`, which is legal.
#[inline(always)]
fn castling_check(board: &Board, rook: Square, columns: &mut Columns) {
    let king = board.king(White::SIDE);
    let (_, rook_to) = castled(king, rook);
    if tables::rook_lines(board.king(Black::SIDE)).contains(rook_to) {
        count_check(board, Move::new(king, rook, MoveKind::Castle), columns);
    }
}

/// Counts the check that the legal move `m` gives, if it gives one.
#[inline(always)]
fn count_check(board: &Board, m: Move, columns: &mut Columns) {
    let mut child = *board;
    child.make_as::<White>(m);
    let child = child.flipped();
    let king = child.king(White::SIDE);
    let checkers = attackers(&child, king, child.occupied()) & child.side_set(Black::SIDE);
    // Castling can give check only with the rook.
    let moved = if m.is(MoveKind::Castle) { checkers } else { Bitboard::of(m.to()).flipped() };
    let Some(kind) = CheckKind::of(checkers.meets(moved), (checkers & !moved).count()) else {
        return;
    };
    if has_reply(&child, king, checkers) {
        columns.checks[kind as usize] += 1;
    } else {
        columns.mates[kind as usize] += 1;
    }
}

/// Whether the side to move, whose king on `king` is attacked by `checkers`, has a legal move.
#[inline(always)]
fn has_reply(board: &Board, king: Square, checkers: Bitboard) -> bool {
    let (own, foes) = (board.side_set(White::SIDE), board.side_set(Black::SIDE));
    let occupied = board.occupied();
    // The king does not shield the square behind it.
    let without_king = occupied ^ Bitboard::of(king);
    for to in tables::king(king) & !own {
        if !attackers(board, to, without_king).meets(foes) {
            return true;
        }
    }
    let checker = match checkers.lowest() {
        Some(checker) if !checkers.several() => checker,
        _ => return false,
    };
    // A pinned piece stays on its pin line, which meets the line of the check only at the king.
    let pins = ChecksAndPins::of::<White>(board);
    let free = own & !(pins.straight | pins.diagonal);
    let pawns = board.kind_set(Kind::Pawn);
    let evasion = tables::between(king, checker) | checkers;
    let pieces = free & !Bitboard::of(king) & !pawns;
    for to in evasion {
        if attackers(board, to, occupied).meets(pieces) {
            return true;
        }
    }
    let PawnTargets { single, double, west, east } = PawnTargets::of::<White>(board, free & pawns, evasion, &pins);
    if !(single | double | west | east).is_empty() {
        return true;
    }
    let mut captures = CountSink::default();
    if !board.en_passant.is_empty() {
        movegen::en_passant::<White, _>(board, own, king, &mut captures);
    }
    captures.0 != 0
}
