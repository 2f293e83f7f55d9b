//! What a suite of chess positions must contain whatever faults anybody has thought of: every kind of move followed by
//! those that depend on it, and every line of a pin or a check, for both sides.

use std::collections::BTreeSet;
use tabiya::chess::{Kind, Move, MoveKind, Position, Square};
use tabiya::game::Side;

/// The directions of a queen, the diagonal ones first.
const LINES: [(i32, i32); 8] = [(1, 1), (1, -1), (-1, -1), (-1, 1), (0, 1), (0, -1), (1, 0), (-1, 0)];
/// The pairs of pieces that give double checks, promotions aside.
const DOUBLE_CHECKS: [&str; 9] = ["bn", "bq", "br", "nq", "nr", "pq", "pr", "qq", "qr"];

/// All patterns that the suite must contain.
pub fn required() -> Vec<String> {
    let mut all = Vec::from(["fifty moves", "bare kings", "repetition"].map(String::from));
    for side in Side::BOTH {
        let mut add = |what: String| all.push(format!("{side:?} {what}"));
        for file in 0..8 {
            for way in [-1, 1].into_iter().filter(|way| (0..8).contains(&(file + way))) {
                add(format!("e.p. from file {file} {way} after the double step"));
                add(format!("pawn captures from file {file} {way}"));
            }
            for what in ["pawn step on", "double step on", "promotes on"] {
                add(format!("{what} file {file}"));
            }
        }
        for line in LINES {
            for answer in ["blocks", "takes"] {
                add(format!("pinned along {line:?} {answer}"));
            }
            add(if line.1 == 0 { format!("e.p. opens {line:?}") } else { format!("e.p. pinned along {line:?} false") });
            if line.0 != 0 && line.1 != 0 {
                add(format!("e.p. pinned along {line:?} true"));
            }
        }
        for what in ["of a checking pawn true", "of a checking pawn pinned", "under another check"] {
            add(format!("e.p. {what}"));
        }
        for pair in DOUBLE_CHECKS {
            add(format!("double check {pair}"));
        }
        for yes in [true, false] {
            for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
                add(format!("promoted {kind} moves {yes}"));
            }
            for king_side in [true, false] {
                add(format!("castled {yes} moves {king_side}"));
            }
        }
    }
    all
}

/// The direction from the king to a piece that slides along it, if the own piece on `square` alone stands between.
fn pin(pos: &Position, square: Square) -> Option<(i32, i32)> {
    let king = pos.king(pos.side());
    LINES.into_iter().find(|&(files, ranks)| {
        let squares = (1..8).map_while(|n| king.step(files * n, ranks * n));
        let mut pieces = squares.filter_map(|s| pos.piece_on(s).map(|piece| (s, piece)));
        let slider = if files == 0 || ranks == 0 { Kind::Rook } else { Kind::Bishop };
        match (pieces.next(), pieces.next()) {
            (Some((first, _)), Some((_, (owner, kind)))) => {
                first == square && owner != pos.side() && [slider, Kind::Queen].contains(&kind)
            }
            _ => false,
        }
    })
}

/// The patterns of the moves up to `depth`. `before` are the positions and moves that lead to `pos`.
pub fn patterns(pos: &Position, before: &mut Vec<(Position, Move)>, depth: u32, found: &mut BTreeSet<String>) {
    here(pos, before, found);
    for m in if depth > 1 { pos.legal_moves().into_iter().collect() } else { Vec::new() } {
        let mut child = *pos;
        child.make(m);
        before.push((*pos, m));
        patterns(&child, before, depth - 1, found);
        before.pop();
    }
}

/// The patterns of the moves in `pos`.
fn here(pos: &Position, before: &[(Position, Move)], found: &mut BTreeSet<String>) {
    let us = pos.side();
    let ahead = if us == Side::First { 1 } else { -1 };
    // As the side to move sees it.
    let seen = |(files, ranks): (i32, i32)| (files, ranks * ahead);
    let fen = pos.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let repeated = before.iter().any(|(earlier, _)| earlier.same_position(pos));
    let bare = fields[0].bytes().filter(u8::is_ascii_alphabetic).count() == 2;
    let ends =
        [(fields[4] >= "100" && fields[4].len() > 2, "fifty moves"), (repeated, "repetition"), (bare, "bare kings")];
    found.extend(ends.into_iter().filter(|end| end.0).map(|end| end.1.to_string()));
    let mut add = |what: String| {
        found.insert(format!("{us:?} {what}"));
    };
    let checkers = Vec::from_iter(pos.checkers());
    let kind = |square: Square| pos.piece_on(square).map(|(_, kind)| kind);
    let legal = |from: Square, to: Square| pos.legal_moves().into_iter().any(|m| m.from() == from && m.to() == to);
    if let [a, b] = checkers[..] {
        let mut pair = [a, b].map(|s| kind(s).map_or('?', |kind| kind.letter().into()));
        pair.sort_unstable();
        add(format!("double check {}", String::from_iter(pair)));
    }
    let last = before.last().map(|(_, m)| *m);
    if let Some(step) = last.filter(|m| m.is(MoveKind::DoublePush)) {
        let to = step.to().step(0, ahead).unwrap();
        for from in [-1, 1].into_iter().filter_map(|way| step.to().step(way, 0)) {
            if pos.piece_on(from) != Some((us, Kind::Pawn)) {
                continue;
            }
            let (is_legal, pinned) = (legal(from, to), pin(pos, from).map(seen));
            match (&checkers[..], pinned) {
                ([], Some(line)) => add(format!("e.p. pinned along {line:?} {is_legal}")),
                ([], None) if is_legal => {
                    add(format!("e.p. from file {} {} after the double step", from.file(), to.file() - from.file()));
                }
                ([], None) => add(format!("e.p. opens {:?}", ((from.file() - pos.king(us).file()).signum(), 0))),
                ([by], None) if *by == step.to() => add(format!("e.p. of a checking pawn {is_legal}")),
                ([by], Some(_)) if *by == step.to() => add("e.p. of a checking pawn pinned".into()),
                _ => add("e.p. under another check".into()),
            }
        }
    }
    if let [checker] = checkers[..] {
        let own = Square::all().filter(|&s| pos.piece_on(s).is_some_and(|(side, _)| side == us));
        for (from, line) in own.filter_map(|from| pin(pos, from).map(|line| (from, seen(line)))) {
            for to in Square::all() {
                let explained = pos.explain(&format!("{from}{to}")).unwrap();
                if explained.rule == tabiya::explain::chess::Rule::Pinned {
                    let answer = if to == checker { "takes" } else { "blocks" };
                    add(format!("pinned along {line:?} {answer}"));
                }
            }
        }
    }
    let two_ago = before.len().checked_sub(2).map(|i| before[i]);
    for m in pos.legal_moves() {
        let (from, to) = (m.from(), m.to());
        let captures = kind(to).is_some() && !m.is(MoveKind::Castle);
        if kind(from) == Some(Kind::Pawn) {
            match (to.file() - from.file(), m.is(MoveKind::DoublePush)) {
                (0, true) => add(format!("double step on file {}", to.file())),
                (0, false) => add(format!("pawn step on file {}", to.file())),
                (way, _) if captures => add(format!("pawn captures from file {} {way}", from.file())),
                _ => {}
            }
            if m.promotion().is_some() {
                add(format!("promotes on file {}", to.file()));
            }
        }
        if let Some((earlier, own)) = two_ago {
            let captured = earlier.piece_on(own.to()).is_some();
            if let Some(kind) = own.promotion().filter(|_| own.to() == from) {
                add(format!("promoted {kind} moves {captured}"));
            }
            if own.is(MoveKind::Castle) && [2, 3, 5, 6].contains(&from.file()) && from.seen_by(us).rank() == 0 {
                add(format!("castled {} moves {}", kind(from) == Some(Kind::King), own.to() > own.from()));
            }
        }
    }
}
