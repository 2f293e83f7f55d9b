//! Makes a case small ([`shrink`]), then varies it ([`vary`]): other pieces, squares, last moves and rights, colours
//! exchanged, files mirrored. What is still wrong, and what is right, says what the fault depends on.

use super::ask::Asker;
use super::case::{Case, Evidence};
use super::edits::piece;
use super::setup::Setup;
use super::spot::{Spot, texts};
use crate::doctor::faults::{Diagnosis, MoveClass};
use std::collections::BTreeMap;
use std::time::Instant;

/// Takes away plies, depth, pieces but for the kings, rights, the en passant square and the clock, as long as the same
/// is wrong. It is not begun again after `stop`.
pub fn shrink<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &mut Case<B>, stop: Instant) {
    loop {
        let before = case.clone();
        shorten(asker, case);
        for (square, _) in by_value::<B>(&Setup::of(&case.spot.root)) {
            let setup = Setup::of(&case.spot.root);
            keep_if_wrong(asker, case, &setup.with(square, None));
        }
        for right in Setup::of(&case.spot.root).rights.chars() {
            let setup = Setup::of(&case.spot.root);
            let rights = setup.rights.replace(right, "");
            keep_if_wrong(asker, case, &Setup { rights, ..setup });
        }
        let setup = Setup::of(&case.spot.root);
        keep_if_wrong(asker, case, &Setup { passed: None, ..setup });
        let setup = Setup::of(&case.spot.root);
        keep_if_wrong(asker, case, &Setup { clock: 0, ..setup });
        if asker.is_over() || Instant::now() >= stop || case.spot == before.spot && case.depth == before.depth {
            return;
        }
    }
}

/// The squares of the pieces but for the kings, cheap ones first.
fn by_value<B: Diagnosis>(setup: &Setup) -> Vec<(usize, char)> {
    let all = setup.men();
    let mut men = Vec::new();
    for (kind, _) in B::MEN.iter().filter(|(kind, _)| *kind != 'k') {
        men.extend(all.iter().filter(|(_, letter)| letter.eq_ignore_ascii_case(kind)));
    }
    men
}

/// Takes the setup in place of the root if the same is wrong there.
fn keep_if_wrong<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &mut Case<B>, setup: &Setup) {
    let Some(root) = setup.position::<B>().filter(|root| *root != case.spot.root) else { return };
    let spot = Spot { root, moves: case.spot.moves.clone() };
    if case.holds(asker, &spot) == Some(true) {
        case.spot = spot;
    }
}

/// Leaves out moves of the line, and plies of the depth.
fn shorten<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &mut Case<B>) {
    let least = usize::from(matches!(case.evidence, Evidence::AfterMoves(_)));
    while case.spot.moves.len() > least
        && let Some(next) = case.spot.from_second()
        && case.holds(asker, &next) == Some(true)
    {
        case.spot = next;
    }
    // One ply, and two, from the middle.
    for plies in [1, 2] {
        let mut at = 0;
        while at + plies <= case.spot.moves.len() {
            let mut next = case.spot.clone();
            next.moves.drain(at..at + plies);
            if next.moves.len() >= least && case.holds(asker, &next) == Some(true) {
                case.spot = next;
            } else {
                at += 1;
            }
        }
    }
    while case.depth > 1 {
        let shallow = Case { depth: case.depth - 1, ..case.clone() };
        if shallow.holds(asker, &case.spot) != Some(true) {
            break;
        }
        *case = shallow;
    }
}

/// The most pieces besides the kings that are varied.
const MOST_MEN: usize = 5;

/// The most squares that are named.
const MOST_SQUARES: usize = 8;

/// A case with what is needed to vary it.
struct Variation<'c, 'a, 't, B: Diagnosis> {
    asker: &'a mut Asker<'t, B>,
    case: &'c Case<B>,
    setup: Setup,
    stop: Instant,
}

/// What the case depends on.
pub struct Varied {
    /// In sentences.
    pub said: Vec<String>,
    /// The same is wrong whatever the last move is.
    pub whatever_the_last_move: bool,
}

/// What the case depends on.
pub fn vary<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &Case<B>, stop: Instant) -> Varied {
    let setup = Setup::of(&case.spot.root);
    let mut variation = Variation { asker, case, setup, stop };
    let mut said = Vec::new();
    // Without time nothing was taken away, and nobody knows what is needed.
    if variation.is_over() {
        return Varied { said, whatever_the_last_move: false };
    }
    said.extend(variation.colours_and_files());
    let mut whatever_the_last_move = false;
    for at in 0..case.spot.moves.len() {
        let (sentence, is_any) = variation.other_moves(at);
        said.extend(sentence);
        whatever_the_last_move = is_any;
    }
    said.extend(variation.needs());
    said.extend(variation.other_wing());
    said.extend(variation.men());
    Varied { said, whatever_the_last_move }
}

/// "a, b or c"
fn either(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn word(holds: bool) -> &'static str {
    if holds { "wrong too" } else { "right" }
}

impl<B: Diagnosis> Variation<'_, '_, '_, B> {
    fn is_over(&self) -> bool {
        self.asker.is_over() || Instant::now() >= self.stop
    }

    /// Whether the same is wrong with another setup.
    fn holds(&mut self, setup: &Setup) -> Option<bool> {
        let spot = Spot { root: setup.position::<B>()?, moves: self.case.spot.moves.clone() };
        if Setup::of(&spot.root).rights != setup.rights {
            return None;
        }
        self.case.holds(self.asker, &spot)
    }

    /// Whether the same is wrong with the colours exchanged, and with the files mirrored.
    fn colours_and_files(&mut self) -> Option<String> {
        let mut same = Vec::new();
        for (words, setup, is_mirror) in [
            ("with the colours exchanged", Some(self.setup.exchanged()), false),
            ("with the files mirrored", self.setup.mirrored(), true),
        ] {
            let Some(root) = setup.and_then(|setup| setup.position::<B>()) else { continue };
            let map = |text: &String| self.setup.flipped_move(text, is_mirror);
            let Some(moves) = self.case.spot.moves.iter().map(map).collect::<Option<Vec<_>>>() else { continue };
            let text = map(&self.case.text).unwrap_or_default();
            if let Some(holds) = self.case.holds_at(self.asker, &Spot { root, moves }, &text) {
                same.push(format!("{words}: {}", word(holds)));
            }
        }
        (!same.is_empty()).then(|| same.join("; "))
    }

    /// Which kinds of moves do the same in place of a move of the line, and whether all do.
    fn other_moves(&mut self, at: usize) -> (Option<String>, bool) {
        let before = Spot { moves: self.case.spot.moves[..at].to_vec(), ..self.case.spot.clone() };
        let Some(position) = before.end() else { return (None, false) };
        let (mut wrong, mut right) = (BTreeMap::<String, usize>::new(), BTreeMap::<String, usize>::new());
        for text in texts(&position) {
            let mut spot = self.case.spot.clone();
            if text == spot.moves[at] || self.is_over() {
                continue;
            }
            spot.moves[at].clone_from(&text);
            if let Some(holds) = self.case.holds(self.asker, &spot) {
                let kinds = if holds { &mut wrong } else { &mut right };
                *kinds.entry(B::kind(&position, &text).words).or_default() += 1;
            }
        }
        let is_any = right.is_empty() && wrong.values().sum::<usize>() > 1;
        let mut parts = Vec::new();
        for (words, kinds) in [("wrong too with", wrong), ("right with", right)] {
            let kinds = kinds.into_iter().map(|(kind, n)| if n > 1 { format!("{kind} × {n}") } else { kind });
            let kinds = Vec::from_iter(kinds).join(", ");
            if !kinds.is_empty() {
                parts.push(format!("{words} {kinds}"));
            }
        }
        let sentence = || format!("in place of {}: {}", self.case.spot.moves[at], parts.join("; "));
        ((!parts.is_empty()).then(sentence), is_any)
    }

    /// Which rights, en passant square and clock it needs.
    fn needs(&self) -> Option<String> {
        let mut needs = Vec::new();
        if !self.setup.rights.is_empty() {
            needs.push(format!("the castling rights {}", self.setup.rights));
        }
        if let Some(square) = self.setup.passed {
            needs.push(format!("the en passant square {}", self.setup.name(square)));
        }
        if self.setup.clock > 0 {
            needs.push(format!("the half-move clock {}", self.setup.clock));
        }
        (!needs.is_empty()).then(|| format!("needs {}", needs.join(" and ")))
    }

    /// Of castling: whether the same is wrong with the rook and the right of the other wing, too.
    fn other_wing(&mut self) -> Option<String> {
        let end = self.case.spot.end()?;
        if B::kind(&end, &self.case.text).class != MoveClass::Castling {
            return None;
        }
        let (from, to) = self.setup.squares(&self.case.text)?;
        let rank = from / self.setup.files * self.setup.files;
        let (corner, letter) = if to > from { (rank, 'q') } else { (rank + self.setup.files - 1, 'k') };
        let cased = |letter: char| if rank == 0 { letter.to_ascii_uppercase() } else { letter };
        if self.setup.pieces[corner].is_some_and(|letter| letter != cased('r')) {
            return None;
        }
        let with_rook = self.setup.with(corner, Some(cased('r')));
        let with_right = Setup { rights: format!("{}{}", self.setup.rights, cased(letter)), ..with_rook.clone() };
        let mut parts = Vec::new();
        if self.setup.pieces[corner].is_none()
            && let Some(holds) = self.holds(&with_rook)
        {
            parts.push(format!("with a rook on {}, too: {}", self.setup.name(corner), word(holds)));
        }
        if !self.setup.rights.contains(cased(letter))
            && let Some(holds) = self.holds(&with_right)
        {
            parts.push(format!("with the castling right {} as well: {}", cased(letter), word(holds)));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// What else each piece may be, and where it may stand.
    fn men(&mut self) -> Vec<String> {
        let mut men = by_value::<B>(&self.setup);
        if men.len() > MOST_MEN {
            return vec!["needs all of these pieces".into()];
        }
        men.reverse();
        let mut sentences = Vec::new();
        for (square, letter) in men {
            let said = [self.as_another(square, letter), self.elsewhere(square, letter)];
            let said = Vec::from_iter(said.into_iter().flatten()).join("; ");
            let colon = if said.is_empty() { "" } else { ": " };
            let name = self.setup.name(square);
            sentences.push(format!("needs the {} on {name}{colon}{said}", piece::<B>(letter)));
        }
        for (side, letter) in [('w', 'K'), ('b', 'k')] {
            // A king with rights to castle cannot leave its square.
            if let Some(square) = self.setup.king(side).filter(|_| self.setup.rights.is_empty())
                && let Some(said) = self.elsewhere(square, letter)
            {
                sentences.push(format!("with the {} on {}: {said}", piece::<B>(letter), self.setup.name(square)));
            }
        }
        sentences
    }

    /// Which other pieces there do the same.
    fn as_another(&mut self, square: usize, letter: char) -> Option<String> {
        let (mut wrong, mut right) = (Vec::new(), Vec::new());
        for (lower, name) in B::MEN.iter().filter(|(lower, _)| *lower != 'k') {
            for other in [lower.to_ascii_uppercase(), *lower] {
                if other == letter || self.is_over() {
                    continue;
                }
                let is_own = other.is_ascii_uppercase() == letter.is_ascii_uppercase();
                let words = if is_own { name.to_string() } else { piece::<B>(other) };
                match self.holds(&self.setup.with(square, Some(other))) {
                    Some(true) => wrong.push(words),
                    Some(false) => right.push(words),
                    None => {}
                }
            }
        }
        if right.len() > 4 {
            right = vec!["other pieces".into()];
        }
        match (wrong.is_empty(), right.is_empty()) {
            (true, true) => None,
            (true, false) => Some(format!("right as {}", either(&right))),
            (false, true) => Some(format!("wrong too as {}", either(&wrong))),
            (false, false) => Some(format!("wrong too as {}, right as {}", either(&wrong), either(&right))),
        }
    }

    /// On which squares it does the same, if they are few or almost all; `None` if its square does not matter.
    fn elsewhere(&mut self, square: usize, letter: char) -> Option<String> {
        let moves = self.case.spot.moves.iter().chain([&self.case.text]);
        if moves.filter_map(|text| self.setup.squares(text)).any(|(from, _)| from == square) {
            return None;
        }
        let (mut wrong, mut right) = (vec![self.setup.name(square)], Vec::new());
        for at in 0..self.setup.pieces.len() {
            if self.is_over() {
                return None;
            }
            if self.setup.pieces[at].is_none()
                && let Some(holds) = self.holds(&self.setup.with(square, None).with(at, Some(letter)))
            {
                let squares = if holds { &mut wrong } else { &mut right };
                squares.push(self.setup.name(at));
            }
        }
        match (wrong.len(), right.len()) {
            (_, 0) | (1, 1) => None,
            (1, _) => Some("right on every other square".into()),
            (..=MOST_SQUARES, _) => Some(format!("wrong only on {}", wrong.join(", "))),
            (_, ..=MOST_SQUARES) => Some(format!("right only on {}", right.join(", "))),
            _ => None,
        }
    }
}
