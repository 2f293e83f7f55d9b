//! Guesses what another program believes: the position whose moves, or counts, are those that it gives.

use super::ask::{Asker, Reply};
use super::case::Case;
use super::setup::Setup;
use super::spot::Spot;
use crate::doctor::faults::{Diagnosis, Faults, FaultyBoard, MoveClass};
use crate::game::Position;
use std::collections::BTreeSet;
use std::time::Instant;

/// A position that differs in one thing, with words for that.
pub struct Edit {
    pub words: String,
    pub setup: Setup,
    /// How likely a program errs so; less is more likely.
    rank: u32,
}

impl Edit {
    /// Whether `other` has what this changes in `setup`.
    pub fn is_of(&self, setup: &Setup, other: &Setup) -> bool {
        let men = [&setup.pieces, &self.setup.pieces, &other.pieces];
        let same_men = (0..setup.pieces.len()).all(|at| men[0][at] == men[1][at] || men[2][at] == men[1][at]);
        let rights = self.setup.rights.chars().chain(setup.rights.chars());
        let same_rights = rights.into_iter().all(|right| {
            let [here, there, is] = [setup, &self.setup, other].map(|setup| setup.rights.contains(right));
            here == there || is == there
        });
        let same_square = setup.passed == self.setup.passed || other.passed == self.setup.passed;
        self.setup.side == setup.side && same_men && same_rights && same_square
    }
}

/// The name of a kind of piece.
fn man<B: Diagnosis>(letter: char) -> &'static str {
    let lower = letter.to_ascii_lowercase();
    B::MEN.iter().find(|(man, _)| *man == lower).map_or("piece", |(_, name)| name)
}

/// The name of a piece with its side: "black rook".
pub fn piece<B: Diagnosis>(letter: char) -> String {
    let side = B::SIDES[usize::from(letter.is_ascii_lowercase())].to_lowercase();
    format!("{side} {}", man::<B>(letter))
}

/// Changes of one square: everything that may stand there instead.
fn edits_of<B: Diagnosis>(setup: &Setup, square: usize) -> Vec<Edit> {
    let old = setup.pieces[square];
    if old.is_some_and(|letter| letter.eq_ignore_ascii_case(&'k')) {
        return Vec::new();
    }
    let name = setup.name(square);
    let mut edits = Vec::new();
    if old.is_some() {
        let words = format!("with {name} empty");
        edits.push(Edit { words, setup: setup.with(square, None), rank: 3 });
    }
    for (lower, _) in B::MEN {
        for letter in [lower.to_ascii_uppercase(), *lower] {
            if old != Some(letter) {
                let place = old.map_or(String::new(), |old| format!(" in place of the {}", piece::<B>(old)));
                let words = format!("with a {} on {name}{place}", piece::<B>(letter));
                edits.push(Edit { words, setup: setup.with(square, Some(letter)), rank: 5 });
            }
        }
    }
    edits
}

/// All positions that differ in one thing.
fn edits<B: Diagnosis>(setup: &Setup) -> Vec<Edit> {
    let mut edits = Vec::from_iter((0..setup.pieces.len()).flat_map(|square| edits_of::<B>(setup, square)));
    if setup.passed.is_some() {
        let words = "without the en passant square".into();
        edits.push(Edit { words, setup: Setup { passed: None, ..setup.clone() }, rank: 1 });
    }
    if !B::RIGHTS.is_empty() {
        for square in (0..setup.pieces.len()).filter(|&square| setup.pieces[square].is_none()) {
            if setup.passed != Some(square) {
                let words = format!("with the en passant square {}", setup.name(square));
                edits.push(Edit { words, setup: Setup { passed: Some(square), ..setup.clone() }, rank: 2 });
            }
        }
    }
    edits.extend(edits_of_rights::<B>(setup));
    for right in B::RIGHTS.chars() {
        // The rook of castling stays where castling has taken it.
        let rank = if right.is_ascii_uppercase() { 0 } else { setup.pieces.len() - setup.files };
        let (corner, to) = if right.eq_ignore_ascii_case(&'k') { (rank + 7, rank + 5) } else { (rank, rank + 3) };
        let rook = setup.pieces[corner].filter(|letter| letter.eq_ignore_ascii_case(&'r'));
        if rook.is_some() && setup.pieces[to].is_none() {
            let words = format!("with the rook of {} on {}", setup.name(corner), setup.name(to));
            edits.push(Edit { words, setup: setup.with(corner, None).with(to, rook), rank: 3 });
        }
    }
    let side = if setup.side == 'w' { 'b' } else { 'w' };
    edits.push(Edit { words: "with the other side to move".into(), setup: Setup { side, ..setup.clone() }, rank: 0 });
    edits
}

/// All other castling rights.
fn edits_of_rights<B: Diagnosis>(setup: &Setup) -> Vec<Edit> {
    // In Chess960 rights may be named by files: then only rights that are there go.
    let is_usual = setup.rights.chars().all(|right| B::RIGHTS.contains(right));
    let letters = if is_usual { B::RIGHTS } else { &setup.rights };
    let mut edits = Vec::new();
    for bits in 0..1 << letters.len() {
        let rights = letters.chars().enumerate().filter(|(at, _)| bits >> at & 1 != 0);
        let rights = rights.map(|(_, right)| right).collect::<String>();
        let without = |all: &str, some: &str| all.chars().filter(|right| !some.contains(*right)).collect::<String>();
        let (added, gone) = (without(&rights, &setup.rights), without(&setup.rights, &rights));
        let s = if added.len().max(gone.len()) > 1 { "s" } else { "" };
        let words = match (added.as_str(), gone.as_str()) {
            ("", "") => continue,
            (_, "") => format!("with the castling right{s} {added}"),
            ("", _) => format!("without the castling right{s} {gone}"),
            _ => format!("with the castling right{s} {added} in place of {gone}"),
        };
        let rank = match (added.len(), gone.len()) {
            (0, _) | (1, 0) => 0,
            (1, 1) => 1,
            _ => 2,
        };
        edits.push(Edit { words, setup: Setup { rights, ..setup.clone() }, rank });
    }
    edits
}

/// The moves of the plain generator with these faults, as text.
fn list_of<B: Diagnosis>(setup: &Setup, faults: &Faults) -> BTreeSet<String> {
    let board = B::board_of(setup);
    board.moves(faults).into_iter().map(|m| board.move_text(m).to_string()).collect()
}

/// Of which positions the wrong list of a case is the right one, likely ones first; few, or none.
pub fn states_of<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &Case<B>) -> Vec<Edit> {
    let (Some((line, end)), Some(reply)) = (case.spot.line(), asker.ask(&case.spot, 1)) else { return Vec::new() };
    let setup = Setup::of(&end);
    let theirs = BTreeSet::from_iter(reply.moves.iter().map(|(text, _)| text.clone()));
    let mut all = edits::<B>(&setup);
    if let Some((last, _)) = line.last() {
        all.push(Edit { words: "before the last move".into(), setup: Setup::of(last), rank: 1 });
        if line.len() > 1 {
            let setup = Setup::of(&case.spot.root);
            all.push(Edit { words: "before all moves".into(), setup, rank: 1 });
        }
    }
    let fitting = |all: Vec<Edit>, generator: &Faults| {
        Vec::from_iter(all.into_iter().filter(|edit| list_of::<B>(&edit.setup, generator) == theirs))
    };
    let (right, unchecked) = (Faults::default(), Faults::unchecked::<B>());
    let mut fits = fitting(all, &right);
    if fits.is_empty() && !B::UNCHECKED.is_empty() {
        fits = fitting(edits::<B>(&setup), &unchecked);
        fits.retain(|edit| !edit.setup.rights.is_empty());
    }
    for depth in [2, 3] {
        if fits.len() < 2 {
            break;
        }
        let Some(reply) = asker.ask(&case.spot, depth).filter(|reply| reply.total < 60_000) else { break };
        let total = |edit: &Edit| u128::from(B::board_of(&edit.setup).count(depth, &right));
        let same = Vec::from_iter(fits.iter().map(|edit| total(edit) == reply.total));
        if same.contains(&true) {
            let mut same = same.into_iter();
            fits.retain(|_| same.next() == Some(true));
        }
    }
    fits.sort_by_key(|edit| edit.rank);
    if fits.len() > 4 && fits[0].rank >= 3 {
        return Vec::new();
    }
    let best = fits.first().map_or(0, |edit| edit.rank);
    fits.retain(|edit| edit.rank <= best.max(1));
    fits.truncate(3);
    fits
}

/// The moves of a position that leave behind what an edit changes in another one, `setup`; last those that do more than
/// move a piece.
pub fn culprits<B: Diagnosis>(position: &Position<B>, setup: &Setup, edit: &Edit) -> Vec<String> {
    let (mut quiet, mut special) = (Vec::new(), Vec::new());
    for m in position.legal_moves() {
        let text = position.move_text(m).to_string();
        let after = Setup::of(&position.play_unchecked(m));
        let Some((from, to)) = setup.squares(&text) else { continue };
        // Where a promotion is taken back, the new piece may be put on the pawn's square.
        if edit.is_of(setup, &after) || edit.is_of(setup, &after.with(from, after.pieces[to])) {
            let moves = if is_special::<B>(position, &text) { &mut special } else { &mut quiet };
            moves.push(text);
        }
    }
    quiet.extend(special);
    quiet
}

/// Whether a move does more than move a piece.
pub fn is_special<B: Diagnosis>(position: &Position<B>, text: &str) -> bool {
    B::kind(position, text).class != MoveClass::Quiet
}

/// From which move of the root on counts are wrong, by its place in the printed order, and of which positions they are.
pub fn damage<B: Diagnosis>(reply: &Reply, case: &Case<B>, wrong: &[String], stop: Instant) -> (usize, Vec<Edit>) {
    const MOST_NODES: u64 = 20_000;
    let place = |text: &String| reply.moves.iter().position(|(name, _)| name == text);
    let first = wrong.iter().filter_map(place).min().unwrap_or(0);
    let Some(end) = case.spot.end() else { return (first, Vec::new()) };
    if !(2..=3).contains(&case.depth) || end.perft(case.depth) > MOST_NODES {
        return (first, Vec::new());
    }
    let right = Faults::default();
    let fits = |edit: &Edit| {
        let board = B::board_of(&edit.setup);
        // A move that leaves the king in check there is made all the same.
        let list = board.moves(&right);
        Instant::now() < stop
            && reply.moves[first..].iter().all(|(text, count)| {
                let m = list.iter().find(|m| board.move_text(**m).as_str() == text);
                let m = m.copied().or_else(|| any_move::<B>(&board, text));
                m.is_some_and(|m| u128::from(board.make(m, &right).count(case.depth - 1, &right)) == *count)
            })
    };
    let setup = Setup::of(&end);
    let mut fits = Vec::from_iter(edits::<B>(&setup).into_iter().filter(fits));
    if fits.len() > 15 {
        fits.clear();
    }
    // Only what a move of the tree leaves behind.
    let children = end.legal_moves().into_iter().map(|m| end.play_unchecked(m));
    let places = Vec::from_iter([end].into_iter().chain(children));
    let is_left = |edit: &Edit| places.iter().any(|place| !culprits(place, &setup, edit).is_empty());
    fits.retain(is_left);
    fits.sort_by_key(|edit| edit.rank);
    fits.truncate(3);
    (first, fits)
}

/// A move that may leave the king in check.
fn any_move<B: Diagnosis>(board: &B::Faulty, text: &str) -> Option<<B::Faulty as FaultyBoard>::Move> {
    let any = Faults::any_move::<B>();
    board.moves(&any).into_iter().find(|m| board.move_text(*m).as_str() == text)
}

/// The same position reached by a move of the other side: the question, and whether the list is wrong there, too.
pub fn by_a_move<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &Case<B>) -> Option<(String, bool)> {
    let setup = Setup::of(&case.spot.root);
    let other = if setup.side == 'w' { 'b' } else { 'w' };
    let is_theirs = |letter: char| letter.is_ascii_uppercase() == (other == 'w');
    let men = Vec::from_iter(setup.men().into_iter().filter(|(_, letter)| is_theirs(*letter)));
    for (to, letter) in men {
        for from in (0..setup.pieces.len()).filter(|&from| setup.pieces[from].is_none()) {
            let mut before = setup.with(to, None).with(from, Some(letter));
            (before.side, before.passed) = (other, None);
            let Some(root) = before.position::<B>() else { continue };
            let text = format!("{}{}", setup.name(from), setup.name(to));
            let spot = Spot::at(root).then(&text);
            let mut reached = spot.end().map(|end| Setup::of(&end));
            if let Some(reached) = &mut reached {
                reached.clock = setup.clock;
            }
            if reached.as_ref() != Some(&setup) {
                continue;
            }
            if let Some(reply) = asker.ask(&spot, 1) {
                let is_wrong = super::case::flaw(&reply, &case.spot.root, &case.text).is_some();
                return Some((spot.command(), is_wrong));
            }
        }
    }
    None
}
