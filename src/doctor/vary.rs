//! Makes a case small ([`shrink`]), then varies it ([`vary`]): other pieces, squares, last moves and rights, colours
//! exchanged, files mirrored. What is still wrong, and what is right, says what the fault depends on.

use super::ask::Asker;
use super::case::{Case, Evidence};
use super::edits::piece;
use super::setup::Setup;
use super::spot::{Spot, texts};
use crate::doctor::faults::Diagnosis;
use std::collections::BTreeMap;
use std::time::Instant;

/// Takes away plies, depth, pieces but for the kings, rights, the en passant square and the clock, as long as the same
/// is wrong and it is not time to `stop`.
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
    let value = |letter: char| B::MEN.iter().position(|(man, _)| *man == letter.to_ascii_lowercase());
    let mut men = setup.men();
    men.retain(|(_, letter)| !letter.eq_ignore_ascii_case(&'k'));
    men.sort_by_key(|(_, letter)| value(*letter));
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

/// The most moves that are named.
const MOST_NAMED: usize = 4;

/// A case with what is needed to vary it.
struct Variation<'c, 'a, 't, B: Diagnosis> {
    asker: &'a mut Asker<'t, B>,
    case: &'c Case<B>,
    setup: Setup,
    stop: Instant,
    varied: Varied,
}

/// What the case depends on.
#[derive(Default)]
pub struct Varied {
    /// In sentences.
    pub said: Vec<String>,
    /// The same is wrong whatever the last move is.
    pub whatever_the_last_move: bool,
}

/// What the case depends on.
pub fn vary<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &Case<B>, stop: Instant) -> Varied {
    let setup = Setup::of(&case.spot.root);
    let mut variation = Variation { asker, case, setup, stop, varied: Varied::default() };
    variation.colours_and_files();
    variation.other_moves();
    variation.rights();
    variation.men();
    variation.varied
}

/// "a, b or c"
fn either(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
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

    fn colours_and_files(&mut self) {
        let mut same = Vec::new();
        let setups = [
            ("with the colours exchanged", Some(self.setup.exchanged()), false),
            ("with the files mirrored", self.setup.mirrored(), true),
        ];
        for (words, setup, is_mirror) in setups {
            let Some(root) = setup.and_then(|setup| setup.position::<B>()) else { continue };
            let map = |text: &String| self.setup.mapped_move(text, is_mirror);
            let Some(moves) = self.case.spot.moves.iter().map(map).collect::<Option<Vec<_>>>() else { continue };
            let text = map(&self.case.text).unwrap_or_default();
            let Some(holds) = self.case.holds_at(self.asker, &Spot { root, moves }, &text) else { continue };
            same.push(format!("{words}: {}", if holds { "wrong too" } else { "right" }));
        }
        let has_castling = !self.setup.rights.is_empty() || self.is_castling();
        if !has_castling && !self.is_over() {
            let (mut wrong, mut right) = (Vec::new(), Vec::new());
            for (files, ranks) in (-8..=8).flat_map(|files| (-9..=9).map(move |ranks| (files, ranks))) {
                if (files, ranks) == (0, 0) || self.is_over() {
                    continue;
                }
                let map = |text: &String| self.setup.shifted_move(text, files, ranks);
                let root = self.setup.shifted(files, ranks).and_then(|setup| setup.position::<B>());
                let moves = self.case.spot.moves.iter().map(map).collect::<Option<Vec<_>>>();
                let text = if self.case.text.is_empty() { Some(String::new()) } else { map(&self.case.text) };
                let (Some(root), Some(moves), Some(text)) = (root, moves, text) else { continue };
                let is_same_square = Setup::of(&root).passed.is_some() == self.setup.passed.is_some();
                match self.case.holds_at(self.asker, &Spot { root, moves }, &text).filter(|_| is_same_square) {
                    Some(true) => wrong.push(text),
                    Some(false) => right.push(text),
                    None => {}
                }
            }
            match (wrong.len(), right.len()) {
                (0, 0) => {}
                (_, 0) => same.push("shifted anywhere: wrong too".into()),
                (0, _) => same.push("shifted anywhere: right".into()),
                _ => {
                    wrong.truncate(MOST_NAMED);
                    right.truncate(MOST_NAMED);
                    same.push(format!("shifted to {}: wrong too; to {}: right", either(&wrong), either(&right)));
                }
            }
        }
        if !same.is_empty() {
            self.varied.said.push(same.join("; "));
        }
    }

    fn is_castling(&self) -> bool {
        let kind = self.case.spot.end().map(|end| B::kind(&end, &self.case.text));
        kind.is_some_and(|kind| kind.starts_with("castling"))
    }

    /// Other moves in place of each move of the line.
    fn other_moves(&mut self) {
        for at in 0..self.case.spot.moves.len() {
            let before = Spot { moves: self.case.spot.moves[..at].to_vec(), ..self.case.spot.clone() };
            let Some(position) = before.end() else { return };
            let (mut wrong, mut right) = (Vec::new(), Vec::new());
            for text in texts(&position) {
                let mut spot = self.case.spot.clone();
                if text == spot.moves[at] || self.is_over() {
                    continue;
                }
                spot.moves[at].clone_from(&text);
                match self.case.holds(self.asker, &spot) {
                    Some(true) => wrong.push(text),
                    Some(false) => right.push(text),
                    None => {}
                }
            }
            let is_last = at + 1 == self.case.spot.moves.len();
            self.varied.whatever_the_last_move |= is_last && right.is_empty() && wrong.len() > 1;
            let named = |moves: &[String]| {
                let mut kinds = BTreeMap::<String, usize>::new();
                for text in moves.iter() {
                    *kinds.entry(B::kind(&position, text)).or_default() += 1;
                }
                let kinds = kinds.into_iter().map(|(kind, n)| if n > 1 { format!("{kind} × {n}") } else { kind });
                let few = &moves[..moves.len().min(MOST_NAMED)];
                let more = if moves.len() > MOST_NAMED { ", …" } else { "" };
                format!("{}{more} ({})", few.join(", "), Vec::from_iter(kinds).join(", "))
            };
            let mut parts = Vec::new();
            if !wrong.is_empty() {
                parts.push(format!("wrong too with {}", named(&wrong)));
            }
            if !right.is_empty() {
                parts.push(format!("right with {}", named(&right)));
            }
            if !parts.is_empty() {
                self.varied.said.push(format!("in place of {}: {}", self.case.spot.moves[at], parts.join("; ")));
            }
        }
    }

    /// What rights, the en passant square and the clock have to do with it.
    fn rights(&mut self) {
        let mut needs = Vec::new();
        if !self.setup.rights.is_empty() {
            needs.push(format!("the castling rights {}", self.setup.rights));
        }
        needs.extend(self.setup.passed.map(|square| format!("the en passant square {}", self.setup.name(square))));
        if self.setup.clock > 0 {
            needs.push(format!("the half-move clock {}", self.setup.clock));
        }
        if !needs.is_empty() {
            self.varied.said.push(format!("needs {}", needs.join(" and ")));
        }
        let Some(end) = self.case.spot.end().filter(|_| self.is_castling()) else { return };
        // The other wing.
        let Some((from, to)) = Setup::of(&end).squares(&self.case.text) else { return };
        let rank = from / self.setup.files * self.setup.files;
        let (corner, letter) = if to > from { (rank, 'q') } else { (rank + self.setup.files - 1, 'k') };
        let is_white = rank == 0;
        let cased = |letter: char| if is_white { letter.to_ascii_uppercase() } else { letter };
        if self.setup.pieces[corner].is_some_and(|letter| letter != cased('r')) {
            return;
        }
        let with_rook = self.setup.with(corner, Some(cased('r')));
        let with_right = Setup { rights: format!("{}{}", self.setup.rights, cased(letter)), ..with_rook.clone() };
        let word = |holds: Option<bool>| holds.map(|holds| if holds { "wrong too" } else { "right" });
        let name = self.setup.name(corner);
        let mut parts = Vec::new();
        if self.setup.pieces[corner].is_none()
            && let Some(word) = word(self.holds(&with_rook))
        {
            parts.push(format!("with a rook on {name}, too: {word}"));
        }
        if !self.setup.rights.contains(cased(letter))
            && let Some(word) = word(self.holds(&with_right))
        {
            parts.push(format!("with the castling right {} as well: {word}", cased(letter)));
        }
        if !parts.is_empty() {
            self.varied.said.push(parts.join("; "));
        }
    }

    /// What else each piece may be, and where it may stand.
    fn men(&mut self) {
        let mut men = by_value::<B>(&self.setup);
        if men.len() > MOST_MEN {
            return self.varied.said.push("needs all of these pieces".into());
        }
        men.reverse();
        let kings = ['w', 'b'].map(|side| self.setup.king(side));
        men.extend(kings.into_iter().flatten().filter_map(|square| Some((square, self.setup.pieces[square]?))));
        for (square, letter) in men {
            let is_king = letter.eq_ignore_ascii_case(&'k');
            let mut said = Vec::new();
            if !is_king {
                said.extend(self.as_another(square, letter));
            }
            let is_fixed = !self.setup.rights.is_empty() && is_king;
            if !is_fixed && !self.is_over() {
                said.extend(self.elsewhere(square, letter));
            }
            // A king is always there.
            let needs = if is_king { "with" } else { "needs" };
            let sentence = format!("{needs} the {} on {}", piece::<B>(letter), self.setup.name(square));
            if !said.is_empty() {
                self.varied.said.push(format!("{sentence}: {}", said.join("; ")));
            } else if !is_king {
                self.varied.said.push(sentence);
            }
        }
    }

    /// Which other pieces there do the same.
    fn as_another(&mut self, square: usize, letter: char) -> Option<String> {
        let (mut same, mut not) = (Vec::new(), Vec::new());
        for (lower, name) in B::MEN.iter().filter(|(lower, _)| *lower != 'k') {
            for other in [lower.to_ascii_uppercase(), *lower] {
                if other == letter || self.is_over() {
                    continue;
                }
                let is_own = other.is_ascii_uppercase() == letter.is_ascii_uppercase();
                let words = if is_own { name.to_string() } else { piece::<B>(other) };
                match self.holds(&self.setup.with(square, Some(other))) {
                    Some(true) => same.push(words),
                    Some(false) => not.push(words),
                    None => {}
                }
            }
        }
        let more = |words: Vec<String>| if words.len() > MOST_NAMED { "other pieces".into() } else { either(&words) };
        match (same.is_empty(), not.is_empty()) {
            (true, true) => None,
            (true, false) => Some(format!("right as {}", more(not))),
            (false, true) => Some(format!("wrong too as {}", more(same))),
            (false, false) => Some(format!("wrong too as {}, right as {}", either(&same), more(not))),
        }
    }

    /// Where else it may stand.
    fn elsewhere(&mut self, square: usize, letter: char) -> Option<String> {
        let mut rows = vec![(square, true)];
        let empty = Vec::from_iter((0..self.setup.pieces.len()).filter(|&at| self.setup.pieces[at].is_none()));
        let moves = self.case.spot.moves.iter().chain([&self.case.text]);
        let is_mover = moves.filter_map(|text| self.setup.squares(text)).any(|(from, _)| from == square);
        if is_mover {
            return None;
        }
        for at in empty {
            if self.is_over() {
                return None;
            }
            if let Some(holds) = self.holds(&self.setup.with(square, None).with(at, Some(letter))) {
                rows.push((at, holds));
            }
        }
        let wrong = rows.iter().filter(|(_, holds)| *holds).count();
        if rows.len() < 3 {
            return None;
        }
        if wrong == rows.len() {
            return Some("wrong on every other square".into());
        }
        if wrong == 1 {
            return Some("right on every other square".into());
        }
        let rule = self.rule(&rows, square);
        let names = |wanted: bool| {
            let squares = rows.iter().filter(|(_, holds)| *holds == wanted).map(|(at, _)| self.setup.name(*at));
            Vec::from_iter(squares)
        };
        rule.or_else(|| match (wrong, rows.len() - wrong) {
            (..=MOST_NAMED, _) => Some(format!("wrong only on {}", names(true).join(", "))),
            (_, ..=MOST_NAMED) => Some(format!("right only on {}", names(false).join(", "))),
            _ => None,
        })
    }

    /// The words for where it is wrong, if one relation to the kings or to the move parts wrong from right.
    fn rule(&self, rows: &[(usize, bool)], square: usize) -> Option<String> {
        let mut keys = Vec::new();
        for side in ['w', 'b'] {
            let king = self.setup.king(side).filter(|&king| king != square);
            keys.extend(
                king.map(|king| (king, format!("the {} king", B::SIDES[usize::from(side == 'b')].to_lowercase()))),
            );
        }
        if let Some((from, to)) = self.setup.squares(&self.case.text) {
            keys.extend([from, to].map(|at| (at, self.setup.name(at))));
        }
        let board = self.setup.with(square, None);
        for (key, name) in &keys {
            for (relation, words) in RELATIONS {
                let is_related = |at: usize| relation(&board, at, *key);
                if rows.iter().all(|&(at, holds)| is_related(at) == holds) {
                    return Some(format!("wrong only {words} {name}"));
                }
                if rows.iter().all(|&(at, holds)| is_related(at) != holds) {
                    return Some(format!("right only {words} {name}"));
                }
            }
        }
        None
    }
}

/// A relation of one square to another, and words for it.
type Relation = (fn(&Setup, usize, usize) -> bool, &'static str);

const RELATIONS: [Relation; 9] = [
    (|board, a, b| step(board, a, b).is_some_and(|(f, r, _)| r == 0 && f != 0), "on the rank of"),
    (|board, a, b| step(board, a, b).is_some_and(|(f, r, _)| f == 0 && r != 0), "on the file of"),
    (|board, a, b| step(board, a, b).is_some_and(|(f, r, _)| f != 0 && r != 0), "on a diagonal of"),
    (|board, a, b| step(board, a, b).is_some_and(|(f, r, _)| f == 0 || r == 0), "on the rank or file of"),
    (|board, a, b| sees(board, a, b) && step(board, a, b).is_some_and(|(_, r, _)| r == 0), "on the open rank of"),
    (|board, a, b| sees(board, a, b) && step(board, a, b).is_some_and(|(f, ..)| f == 0), "on the open file of"),
    (
        |board, a, b| sees(board, a, b) && step(board, a, b).is_some_and(|(f, r, _)| f != 0 && r != 0),
        "on an open diagonal of",
    ),
    (|board, a, b| step(board, a, b).is_some_and(|(.., distance)| distance == 1), "next to"),
    (
        |board, a, b| {
            let (files, ranks) = apart(board, a, b);
            (files.abs(), ranks.abs()) == (1, 2) || (files.abs(), ranks.abs()) == (2, 1)
        },
        "a knight's jump from",
    ),
];

/// How far apart two squares are.
fn apart(board: &Setup, a: usize, b: usize) -> (i32, i32) {
    let files = (b % board.files) as i32 - (a % board.files) as i32;
    (files, (b / board.files) as i32 - (a / board.files) as i32)
}

/// The step from one square to another on a line, and how many steps.
fn step(board: &Setup, a: usize, b: usize) -> Option<(i32, i32, i32)> {
    let (files, ranks) = apart(board, a, b);
    let is_line = a != b && (files == 0 || ranks == 0 || files.abs() == ranks.abs());
    is_line.then(|| (files.signum(), ranks.signum(), files.abs().max(ranks.abs())))
}

/// Whether nothing stands between two squares on a line.
fn sees(board: &Setup, a: usize, b: usize) -> bool {
    let Some((files, ranks, distance)) = step(board, a, b) else { return false };
    let way = (1..distance).map(|n| (a as i32 + n * (files + ranks * board.files as i32)) as usize);
    way.into_iter().all(|square| board.pieces[square].is_none())
}
