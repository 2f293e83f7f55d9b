//! Chess positions against an oracle: the mailbox of `common/mailbox.rs` makes the same moves as `Position`, so that a
//! difference between the piece sets and an array of piece codes is found. And what chess alone has in its keys.

use crate::common::mailbox::{self, Mailbox, Step};
use crate::common::{by_build, sample};
use crate::games::invariants::{Tested, trees};
use std::collections::HashMap;
use tabiya::chess::{self, Bitboard, Kind, Move, MoveKind, Position, Square};
use tabiya::game::{self, Side};

/// The identity of a position for repetitions: pieces, castling rights, en passant square and side, no counters.
type Identity = ([u64; 8], u64, u64, bool);

fn identity(pos: &Position) -> Identity {
    let mut sets = [0; 8];
    for (set, kind) in sets.iter_mut().zip(Kind::ALL) {
        *set = pos.kind_set(kind).0;
    }
    sets[6] = pos.side_set(Side::First).0;
    sets[7] = pos.side_set(Side::Second).0;
    let takes = pos.legal_moves().iter().any(|m| m.is(MoveKind::EnPassant));
    let passed = pos.en_passant().filter(|_| takes).map_or(0, |square| Bitboard::of(square).0);
    (sets, pos.castling().0, passed, pos.side() == Side::First)
}

#[test]
fn keys_are_equal_exactly_where_positions_are() {
    let mut keys: HashMap<Identity, u64> = HashMap::new();
    let mut identities: HashMap<u64, Identity> = HashMap::new();
    let mut met_again = 0;
    trees(2, sample(by_build(200, 120), 600), 0x5eed_0002, &mut |pos: &Position| {
        let key = pos.key();
        let identity = identity(pos);
        met_again += usize::from(keys.contains_key(&identity));
        assert!(*keys.entry(identity).or_insert(key) == key, "two keys for {pos:?}");
        assert!(*identities.entry(key).or_insert(identity) == identity, "one key for two: {pos:?}");
    });
    assert!(met_again > sample(300, 1_000) && keys.len() > 50_000, "{met_again} {}", keys.len());
}

/// Asserts that the colour and piece sets are disjoint and complete and that `piece_on` agrees with them.
fn check_sets(pos: &Position) {
    let (white, black) = (pos.side_set(Side::First), pos.side_set(Side::Second));
    assert!(!white.meets(black), "{pos:?}: a square of both sides");
    let mut union = Bitboard::EMPTY;
    for kind in Kind::ALL {
        assert!(!union.meets(pos.kind_set(kind)), "{pos:?}: two kinds on a square");
        union |= pos.kind_set(kind);
    }
    assert!(union == white | black && union == pos.occupied(), "{pos:?}: kinds and sides differ");
    assert!((pos.castling() & !pos.kind_set(Kind::Rook)).is_empty(), "{pos:?}: no rook to castle");
}

/// The mailbox's piece code: kind 1 to 6, plus 8 for Black, 0 for an empty square.
fn code(piece: Option<(Side, Kind)>) -> u8 {
    piece.map_or(mailbox::EMPTY, |(side, kind)| {
        kind.index() as u8 + 1 + if side == Side::First { 0 } else { mailbox::BLACK }
    })
}

fn step(m: Move) -> Step {
    Step {
        from: Move::from(m).index(),
        to: Move::to(m).index(),
        becomes: m.promotion().map_or(mailbox::EMPTY, |kind| kind.index() as u8 + 1),
        castles: m.is(MoveKind::Castle),
    }
}

fn same_state(pos: &Position, oracle: &Mailbox) {
    for square in Square::all() {
        let (ours, theirs) = (code(pos.piece_on(square)), oracle.board[square.index()]);
        assert!(ours == theirs, "{pos:?}: {square} holds {ours}, in the mailbox {theirs}");
        let right = oracle.rights[square.index()];
        assert!(pos.castling().contains(square) == right, "{pos:?}: right of {square}\n{oracle:?}");
    }
    let side = if pos.side() == Side::First { 0 } else { mailbox::BLACK };
    assert!(side == oracle.side, "{pos:?}: side to move");
    assert!(u32::from(pos.halfmove_clock()) == oracle.halfmove, "{pos:?}: half-move clock");
    assert!(u32::from(pos.fullmove_number()) == oracle.fullmove, "{pos:?}: full-move number");
    assert!(pos.in_check() == oracle.in_check(), "{pos:?}: check");
    // The position keeps the en passant square only if a pawn attacks it.
    let ready = oracle.passed.filter(|&square| {
        let rank = if oracle.side == 0 { square - 8 } else { square + 8 };
        let pawn = mailbox::PAWN + oracle.side;
        (rank % 8 > 0 && oracle.board[rank - 1] == pawn) || (rank % 8 < 7 && oracle.board[rank + 1] == pawn)
    });
    assert!(pos.en_passant().map(Square::index) == ready, "{pos:?}: en passant\n{oracle:?}");
}

fn walk_both(pos: &Position, oracle: &Mailbox, depth: u32) -> u64 {
    check_sets(pos);
    same_state(pos, oracle);
    let list = pos.legal_moves();
    let mut ours: Vec<(Step, Move)> = list.iter().map(|&m| (step(m), m)).collect();
    ours.sort();
    let steps: Vec<Step> = ours.iter().map(|&(step, _)| step).collect();
    let theirs = oracle.legal();
    assert!(steps == theirs, "{pos:?}: {:?}", only_once(&steps, &theirs));
    let mut nodes = 1;
    for (step, m) in ours {
        let facts = game::Counting::facts(pos, m);
        assert!(facts.capture == oracle.captures(step), "{pos:?} {m:?}: capture");
        assert!(facts.castle == step.castles, "{pos:?} {m:?}: castle");
        if depth > 0 {
            let mut child = *pos;
            child.make(m);
            let after = oracle.after(step);
            assert!(facts.check.is_some() == after.in_check(), "{pos:?} {m:?}: check");
            nodes += walk_both(&child, &after, depth - 1);
        }
    }
    nodes
}

fn only_once(a: &[Step], b: &[Step]) -> Vec<String> {
    let lone = |a: &[Step], b: &[Step], who: &str| -> Vec<String> {
        a.iter().filter(|x| !b.contains(x)).map(|x| format!("{who} alone: {x:?}")).collect()
    };
    [lone(a, b, "position"), lone(b, a, "mailbox")].concat()
}

#[test]
fn mailbox_and_piece_sets_never_diverge() {
    let mut positions = chess::Board::suite();
    positions.extend(chess::Board::random(by_build(100, 30), 0x5eed_0008));
    let mut nodes = 0;
    for pos in &positions {
        nodes += walk_both(pos, &Mailbox::from_fen(&pos.to_fen()), 2);
    }
    assert!(nodes > 50_000, "{nodes}");
}
