//! The finding of a group of cases: a case made small, what the program believes, what it depends on, and its name.

use super::ask::{Asker, Reply};
use super::case::{Case, Evidence, flaw};
use super::diff::{Wrong, too_few_bits};
use super::edits::{Edit, by_a_move, culprits, damage, is_special, spoilt_while_listing, states_of};
use super::faults::{Fault, FaultKind, Faults, FaultyBoard, symptom_of};
use super::fit::{fault_of, predicts};
use super::setup::{Misread, Setup};
use super::spot::{Line, Spot, texts};
use super::vary::{shrink, vary};
use super::walk::{Group, Task};
use crate::doctor::faults::Diagnosis;
use crate::game::Position;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// What is wrong, but for the kind of move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// A move is listed or left out wrongly.
    Lists(Wrong),
    /// A move is made wrongly.
    Makes,
    /// Moves are not taken back whole.
    TakesBack,
    /// A FEN is read wrongly.
    Reads,
    Counts,
    Fails,
}

/// The symptom with what it is made of.
struct Symptom {
    what: What,
    /// The kind of move that is to blame, or another word for it.
    of: String,
    /// In which state the engine goes on, in words.
    state: Option<String>,
    /// The field of FENs that is read wrongly.
    misread: Option<Misread>,
    words: String,
}

impl Symptom {
    fn new(what: What, of: impl Into<String>, words: impl Into<String>) -> Symptom {
        Symptom { what, of: of.into(), state: None, misread: None, words: words.into() }
    }
}

/// One thing that is wrong, told.
pub struct Finding<B: Diagnosis> {
    /// What the engine does, without its subject.
    pub symptom: String,
    what: What,
    of: String,
    state: Option<String>,
    misread: Option<Misread>,
    /// The rule that the wrong move is about, or what else is wrong.
    pub rule: String,
    /// What is wrong with the move.
    pub sentence: String,
    pub case: Case<B>,
    /// The fault of the table.
    pub fault: Option<Fault<B::Fault>>,
    /// What else is known.
    pub notes: Vec<String>,
    /// How many places showed it.
    pub seen: usize,
    /// Whether a game can reach the position.
    pub arises: bool,
}

impl<B: Diagnosis> Finding<B> {
    /// Whether another one shows the same, perhaps of the other side or wing.
    fn is_like(&self, other: &Finding<B>) -> bool {
        let target = |finding: &Finding<B>| finding.case.spot.moves.last().map(|text| text.get(2..4).map(String::from));
        let is_same_target = self.state.is_some() && self.state == other.state && target(self) == target(other);
        let fault = |finding: &Finding<B>| finding.fault.map(|fault| without_wing(fault.kind.symptom()));
        if self.fault.is_some() || other.fault.is_some() {
            return fault(self) == fault(other);
        }
        let is_same_kind = without_wing(&self.of) == without_wing(&other.of);
        self.what == other.what && (is_same_kind || self.what == What::TakesBack) || is_same_target
    }

    /// Whether the program goes on with a board that is not the position's, so that other answers may be wrong for that
    /// reason alone.
    fn has_wrong_board(&self) -> bool {
        self.what == What::TakesBack || self.what == What::Reads && self.misread.is_none()
    }

    /// Whether another finding may follow from this one, of a move that is made wrongly: an engine that makes moves to
    /// see whether they are legal lists such moves wrongly too.
    fn may_cause(&self, other: &Finding<B>) -> bool {
        let is_same = |word: &&str| self.of.contains(word) && other.of.contains(word);
        self.what == What::Makes
            && matches!(other.what, What::Lists(_))
            && ["captur", "castling", "promotion"].iter().any(is_same)
    }

    /// The name of the evidence in JSON.
    pub fn kind(&self) -> &'static str {
        match self.case.evidence {
            Evidence::Crash => "failed",
            Evidence::ByFen(found) | Evidence::AfterMoves(found) | Evidence::OnlyAfterMoves(found) => found.kind(),
            Evidence::Count => "miscounted",
            Evidence::Total => "total",
        }
    }

    /// The question that shows it.
    pub fn command(&self) -> String {
        let go = if self.case.depth > 1 { format!("; go perft {}", self.case.depth) } else { String::new() };
        format!("{}{go}", self.case.spot.command())
    }
}

/// The finding of a group, within a time.
pub fn finding_of<B: Diagnosis>(
    asker: &mut Asker<'_, B>,
    tasks: &[Task<B>],
    (group, others): (&Group<B>, &[&Group<B>]),
    stop: Instant,
) -> Finding<B> {
    asker.judged.clear();
    let mut case = group[0].clone();
    let arises = B::arises(&case.spot.root);
    shrink(asker, &mut case, stop);
    let (symptom, notes, fault) = match case.evidence {
        Evidence::ByFen(found) | Evidence::AfterMoves(found) | Evidence::OnlyAfterMoves(found) => {
            of_list(asker, tasks, &case, found, (group, others), stop)
        }
        Evidence::Count => {
            let (symptom, notes) = of_count(asker, &case, stop);
            (symptom, notes, None)
        }
        Evidence::Crash => (Symptom::new(What::Fails, "", "does not answer"), vary(asker, &case, stop).said, None),
        Evidence::Total => {
            let words = "prints a total that is not the sum of its counts";
            (Symptom::new(What::Counts, words, words), Vec::new(), None)
        }
    };
    let rule = match case.evidence {
        Evidence::ByFen(Wrong::Repeated) | Evidence::AfterMoves(Wrong::Repeated) => "a move twice".into(),
        Evidence::ByFen(_) | Evidence::AfterMoves(_) | Evidence::OnlyAfterMoves(_) => {
            case.spot.explain(&case.text).map_or("a move".into(), |why| why.rule.to_string())
        }
        Evidence::Count => "count".into(),
        Evidence::Total => "total".into(),
        Evidence::Crash => "no answer".into(),
    };
    let sentence = sentence_of(asker, &case);
    let Symptom { what, of, state, misread, words } = symptom;
    Finding { symptom: words, what, of, state, misread, rule, sentence, case, fault, notes, seen: group.len(), arises }
}

/// What is wrong with the move of a case.
pub fn sentence_of<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &Case<B>) -> String {
    let text = &case.text;
    let why = case.spot.explain(text);
    let listed = |found: Wrong| found.sentence(text, why.as_ref());
    let reply = asker.ask(&case.spot, case.depth);
    let count = reply.as_ref().map_or(0, |reply| reply.count(text));
    match case.evidence {
        Evidence::ByFen(found) => listed(found),
        Evidence::AfterMoves(found) => {
            let end = case.spot.end().map_or(String::new(), |end| end.to_fen());
            format!("after {}, {}; right where {end} is set up", case.spot.moves.join(" "), listed(found))
        }
        Evidence::OnlyAfterMoves(found) => format!("after {}, {}", case.spot.moves.join(" "), listed(found)),
        Evidence::Count if case.depth == 1 => listed(Wrong::Miscounted(1, count)),
        Evidence::Count => {
            let child = case.spot.then(text).end();
            let alone = child.and_then(|child| asker.ask(&Spot::at(child), case.depth - 1)).map_or(0, |r| r.total);
            format!("perft {} counts {count} for {text}, and {alone} where the position after it is set up", case.depth)
        }
        Evidence::Total => {
            let [sum, total] = reply.map_or([0, 0], |reply| [reply.sum(), reply.total]);
            listed(Wrong::Total(sum, total))
        }
        Evidence::Crash => asker.failure(&case.spot, case.depth).cloned().unwrap_or_default(),
    }
}

/// The symptom and the notes of a wrong list.
fn of_list<B: Diagnosis>(
    asker: &mut Asker<'_, B>,
    tasks: &[Task<B>],
    case: &Case<B>,
    found: Wrong,
    (group, others): (&Group<B>, &[&Group<B>]),
    stop: Instant,
) -> (Symptom, Vec<String>, Option<Fault<B::Fault>>) {
    let states = states_of(asker, case);
    let mut notes = Vec::new();
    let is_by_fen = matches!(case.evidence, Evidence::ByFen(_));
    let reached = if is_by_fen && asker.takes_moves() { by_a_move(asker, case) } else { None };
    match &reached {
        Some((command, false)) => notes.push(format!("right after {command}: it reads the FEN wrongly")),
        Some((_, true)) => notes.push("wrong too where a move leads to the position".into()),
        None => {}
    }
    if is_by_fen {
        notes.extend(contrast(asker, tasks, case, found));
    }
    let variation = vary(asker, case, stop);
    notes.extend(variation.said);
    let fault = fault_of(asker, case, group, others);
    if !states.is_empty() {
        let words = Vec::from_iter(states.iter().map(|edit| edit.words.clone()));
        notes.insert(0, format!("its moves are those of the position {}", words.join(", or ")));
    }
    // If the time is up nobody has asked whether a FEN is read wrongly.
    let spoilt = match (is_by_fen && fault.is_none() && !asker.is_over(), states.first()) {
        (false, _) => None,
        (true, None) => asker.answered(&case.spot, 1).and_then(|reply| spoilt_while_listing(&reply, case)),
        (true, Some(state)) => spoilt_by_castling(case, state),
    };
    let of_move = case.spot.end().map_or(String::new(), |end| B::kind(&end, &case.text));
    let swapped = if is_by_fen { swapped_wings(asker, case) } else { None };
    // Both directions were seen: a fault of one wing does not predict them.
    let fault = fault.filter(|fault| swapped.is_none() || fault.kind.symptom().starts_with("swaps"));
    let state = states.first().map(|state| state.words.clone());
    let goes_on = state.as_ref().map_or(String::new(), |words| format!(": it goes on {words}"));
    let reads_wrongly = matches!(reached, Some((_, false)));
    let setup = Setup::of(&case.spot.root);
    let misread = match states.first().filter(|_| reads_wrongly) {
        _ if swapped.is_some() => Some(Misread::Wings),
        Some(state) if state.setup.passed != setup.passed => Some(Misread::EnPassant),
        Some(state) if state.setup.rights != setup.rights => Some(Misread::Rights),
        _ => None,
    };
    let line = case.spot.line().filter(|(line, _)| !line.is_empty());
    let mut symptom = if let Some(fault) = fault {
        let what = if misread.is_some() || reads_wrongly { What::Reads } else { What::Lists(found) };
        Symptom::new(what, of_move, symptom_of::<B>(fault))
    } else if let Some(swapped) = swapped {
        Symptom::new(What::Reads, of_move, swapped)
    } else if let Some((line, end)) = line.filter(|_| matches!(case.evidence, Evidence::AfterMoves(_))) {
        let (symptom, note) = blame(case, (&line, &end), states.first(), variation.whatever_the_last_move);
        if let Some(note) = note {
            notes.insert(0, note);
        }
        Symptom { words: format!("{}{goes_on}", symptom.words), ..symptom }
    } else if reads_wrongly {
        let goes_on = if goes_on.is_empty() { format!(": {of_move}") } else { goes_on };
        Symptom::new(What::Reads, of_move, format!("reads a FEN wrongly{goes_on}"))
    } else if let Some((kind, note)) = spoilt {
        notes.insert(0, note);
        let words = format!("does not take {kind} back whole");
        Symptom::new(What::TakesBack, kind, words)
    } else {
        let end = case.spot.end().map(|end| Setup::of(&end));
        let to_passed =
            end.is_some_and(|end| end.passed.is_some() && end.squares(&case.text).map(|s| s.1) == end.passed);
        let to = if to_passed && !of_move.contains("en passant") { " to the en passant square" } else { "" };
        // A piece that it has lost.
        let origin = setup.squares(&case.text).map(|(from, _)| from);
        let is_lost = states.first().zip(origin).is_some_and(|(state, from)| state.setup.pieces[from].is_none());
        let words = match found {
            Wrong::Missing if is_lost && is_by_fen => format!("leaves out {of_move}{goes_on}"),
            Wrong::Missing => format!("leaves out {of_move}{to}"),
            Wrong::Repeated => format!("lists {of_move}{to} twice"),
            _ => format!("generates {of_move}{to} that is not legal"),
        };
        Symptom::new(What::Lists(found), of_move, words)
    };
    (symptom.state, symptom.misread) = (state, misread);
    (symptom, notes, fault)
}

/// The kind of castling, and a note, if a list is that of a position which castling leaves behind. It is tried, because
/// the right to it is needed, though another move is wrong.
fn spoilt_by_castling<B: Diagnosis>(case: &Case<B>, state: &Edit) -> Option<(String, String)> {
    let (root, setup) = (&case.spot.root, Setup::of(&case.spot.root));
    let is_castling = |text: &String| B::kind(root, text).starts_with("castling");
    if setup.rights.is_empty() || state.setup.pieces == setup.pieces || is_castling(&case.text) {
        return None;
    }
    let castling = culprits(root, &setup, state).into_iter().find(is_castling)?;
    let note = format!("{castling} can be made there, and leaves this behind if it is not taken back whole");
    Some((B::kind(root, &castling), note))
}

/// The symptom of a program that reads the right to castle on one wing as that on the other: with both rooks and one
/// right it castles on the other wing only, whichever the right is.
fn swapped_wings<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &Case<B>) -> Option<String> {
    let setup = Setup::of(&case.spot.root);
    let king = setup.king(setup.side).filter(|_| B::kind(&case.spot.root, &case.text).starts_with("castling"))?;
    let cased = |letter: char| if setup.side == 'w' { letter.to_ascii_uppercase() } else { letter };
    let rank = king / setup.files * setup.files;
    let name = |file: usize| format!("{}{}", setup.name(king), setup.name(rank + file));
    for (right, own, other) in [('k', name(6), name(2)), ('q', name(2), name(6))] {
        let rook = Some(cased('r'));
        let rooks = setup.with(rank, rook).with(rank + setup.files - 1, rook);
        let root = Setup { rights: cased(right).to_string(), ..rooks }.position::<B>()?;
        let reply = asker.ask(&Spot::at(root), 1)?;
        if root.parse_coordinates(&own).is_err() || reply.times(&own) > 0 || reply.times(&other) == 0 {
            return None;
        }
    }
    Some(format!("swaps {} and {} when it reads a FEN", cased('k'), cased('q')))
}

/// Which move of a line a wrong list is due to, and a note.
fn blame<B: Diagnosis>(
    case: &Case<B>,
    (line, end): (&Line<B>, &Position<B>),
    state: Option<&Edit>,
    whatever_the_last_move: bool,
) -> (Symptom, Option<String>) {
    let makes = |at: usize| {
        let (before, text) = (&line[at].0, &case.spot.moves[at]);
        let kind = B::kind(before, text);
        let words = format!("makes {text}, {kind}, wrongly");
        Symptom::new(What::Makes, kind, words)
    };
    let last = line.len() - 1;
    let Some(state) = state else { return (makes(last), None) };
    let setup = Setup::of(end);
    // The move by which what it goes on with ought to have gone.
    let ends = Vec::from_iter(line.iter().skip(1).map(|(position, _)| Setup::of(position)).chain([setup.clone()]));
    let kept = (0..line.len()).rev().find(|&at| {
        let before = Setup::of(&line[at].0);
        state.is_of(&setup, &before) && !state.is_of(&setup, &ends[at])
    });
    if let Some(at) = kept {
        return (makes(at), None);
    }
    // What a move leaves behind that can be made before, but was only tried.
    let before = &line[last].0;
    let tried = culprits(before, &setup, state);
    let is_tried = whatever_the_last_move || state.setup.pieces != setup.pieces;
    match tried.last().filter(|_| is_tried && !tried.contains(&case.spot.moves[last])) {
        Some(one) if is_special::<B>(before, one) => {
            let note = format!("{one} can be made there, and leaves this behind if it is not taken back whole");
            let kind = B::kind(before, one);
            let words = format!("does not take {kind} back whole");
            (Symptom::new(What::TakesBack, kind, words), Some(note))
        }
        _ => (makes(last), None),
    }
}

/// In how many positions of the suites moves of this kind are wrong, by the rule that they are about.
fn contrast<B: Diagnosis>(asker: &mut Asker<'_, B>, tasks: &[Task<B>], case: &Case<B>, found: Wrong) -> Option<String> {
    let kind = B::kind(&case.spot.root, &case.text);
    let any = Faults::any_move::<B>();
    let mut rules = BTreeMap::<String, [usize; 2]>::new();
    for task in tasks {
        let spot = Spot::at(task.position);
        let Some(reply) = asker.answered(&spot, 1) else { continue };
        let legal = texts(&task.position);
        let board = B::sound_board(&task.position);
        let mut moves = BTreeSet::from_iter(board.moves(&any).into_iter().map(|m| board.move_text(m).to_string()));
        moves.extend(legal.iter().cloned());
        moves.extend(reply.moves.iter().map(|(text, _)| text.clone()));
        for text in moves {
            if legal.contains(&text) == (found == Wrong::Extra) || B::kind(&task.position, &text) != kind {
                continue;
            }
            let Some(why) = spot.explain(&text) else { continue };
            let [wrong, all] = rules.entry(why.rule.to_string()).or_default();
            *wrong += usize::from(flaw(&reply, &task.position, &text) == Some(found));
            *all += 1;
        }
    }
    let named = |is_wrong: bool| {
        let mut rules = Vec::from_iter(rules.iter().filter(|(_, [wrong, _])| (*wrong > 0) == is_wrong));
        rules.sort_by_key(|(_, [_, all])| std::cmp::Reverse(*all));
        rules.truncate(4);
        let words = rules.into_iter().map(|(rule, [wrong, all])| {
            if is_wrong { format!("{rule} ({wrong} of {all})") } else { format!("{rule} ({all})") }
        });
        Vec::from_iter(words).join(", ")
    };
    let (wrong, right) = (named(true), named(false));
    let right = if right.is_empty() { right } else { format!("; right: {right}") };
    (!wrong.is_empty()).then(|| format!("{kind} in the suites, by rule: wrong: {wrong}{right}"))
}

/// The symptom and the notes of a count that contradicts the program's own.
fn of_count<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &Case<B>, stop: Instant) -> (Symptom, Vec<String>) {
    let mut notes = Vec::new();
    let counts = |words: String| Symptom::new(What::Counts, words.clone(), words);
    let mut symptom = counts("counts wrongly, although all its lists are right".into());
    let (Some(reply), Some(end)) = (asker.ask(&case.spot, case.depth), case.spot.end()) else {
        return (symptom, notes);
    };
    let children = end.legal_moves().into_iter().map(|m| (end.move_text(m).to_string(), end.play_unchecked(m)));
    let children = Vec::from_iter(children);
    let right = |text: &str| {
        let child = children.iter().find(|(name, _)| name == text);
        child.map_or(0, |(_, child)| u128::from(child.perft(case.depth - 1)))
    };
    let mut wrong = Vec::from_iter(reply.moves.iter().map(|(text, _)| text.clone()));
    wrong.extend(children.iter().map(|(text, _)| text.clone()).filter(|text| reply.times(text) == 0));
    wrong.retain(|text| reply.count(text) != right(text));
    let any = Faults::any_move::<B>();
    // What all wrong counts have in common.
    let numbers = |text: &String| {
        let ours = right(text);
        let child = children.iter().find(|(name, _)| name == text).map(|(_, child)| child);
        let deeper = child.map_or(0, |child| child.perft(case.depth));
        let pseudo = child.map_or(0, |child| B::sound_board(child).moves(&any).len());
        [
            (ours == 0).then_some(("a position where the game has ended as 1", 1)),
            Some(("nothing there", 0)),
            Some(("twice the right number", 2 * ours)),
            Some(("the square of the right number", ours.saturating_mul(ours))),
            Some(("one more than the right number", ours + 1)),
            Some(("one less than the right number", ours.wrapping_sub(1))),
            Some(("the moves of the position itself", children.len() as u128)),
            Some(("moves that leave the king in check, too", pseudo as u128)),
            Some(("one ply too deep", u128::from(deeper))),
            Some(("1 in place of the right number", 1)),
        ]
    };
    let is = (0..10).find_map(|at| {
        let fits = |text: &&String| numbers(text)[at].is_some_and(|(_, number)| number == reply.count(text));
        wrong.iter().take(12).all(|text| fits(&text)).then(|| numbers(&case.text)[at].map(|(words, _)| words)).flatten()
    });
    let pairs = Vec::from_iter(wrong.iter().map(|text| (right(text), reply.count(text))));
    if let Some(bits) = too_few_bits(&pairs) {
        symptom = counts(format!("counts modulo 2^{bits}: the type of its counts is too small"));
    } else if let Some(words) = is {
        symptom = counts(format!("counts {words}, although all its lists are right"));
    } else if let Some(lacks) = lacking_in_key(case, &reply) {
        symptom = counts(format!("does not have {lacks} in the key of its hash table"));
    }
    if case.depth > 1 && !wrong.is_empty() {
        let (first, states) = damage(&reply, case, &wrong, stop);
        let all = reply.moves.len();
        let few = wrong.iter().take(6).cloned().collect::<Vec<_>>().join(" ");
        notes.push(format!("wrong at {} of {all} moves: {few}", wrong.len()));
        let printed = |at: usize| reply.moves.get(at).map_or(String::new(), |(text, _)| text.clone());
        if let Some(state) = states.first() {
            let words = Vec::from_iter(states.iter().map(|edit| edit.words.clone())).join(", or ");
            notes.push(format!("from {} on the counts are those of the position {words}", printed(first)));
            let taken = |kind: &str| {
                let words = format!("does not take {kind} back whole: it goes on {}", state.words);
                Symptom { state: Some(state.words.clone()), ..Symptom::new(What::TakesBack, kind, words) }
            };
            symptom = taken("moves");
            // The move that leaves this behind: one of the root, or one after these.
            let setup = Setup::of(&end);
            let of = |position: &Position<B>| {
                let last = culprits(position, &setup, state).pop()?;
                Some((B::kind(position, &last), last))
            };
            let below =
                || children.iter().find_map(|(text, child)| of(child).map(|left| (left, format!(" after {text}"))));
            if let Some(((kind, last), after)) = of(&end).map(|left| (left, String::new())).or_else(below) {
                symptom = taken(&kind);
                notes.push(format!("{last}{after}, {kind}, leaves this behind if it is not taken back whole"));
            }
        } else if first > 0 {
            let (last, next) = (printed(first - 1), printed(first));
            let kind = B::kind(&end, &last);
            notes.push(format!("the counts are wrong from {next} on; the move before it is {last}, {kind}"));
        }
    }
    notes.extend(vary(asker, case, stop).said);
    (symptom, notes)
}

/// What the key of a hash table lacks with which the count of a case is what was printed.
fn lacking_in_key<B: Diagnosis>(case: &Case<B>, reply: &Reply) -> Option<&'static str> {
    const MOST_NODES: u64 = 100_000;
    let end = case.spot.end().filter(|end| case.depth > 2 && end.perft(case.depth) <= MOST_NODES)?;
    let parts = ["the side to move", "castling rights", "the en passant square", "the depth"];
    (0..parts.len()).find_map(|lacks| {
        let fits = |(least, is_reversed): (u32, bool)| {
            let mut table = HashMap::new();
            reply.moves.iter().all(|(text, count)| {
                let child = end.parse_coordinates(text).ok().map(|m| end.play_unchecked(m));
                let hashed = |child| by_table(&child, case.depth - 1, (lacks, least, is_reversed), &mut table);
                child.map(hashed) == Some(*count)
            })
        };
        let ways = [(1, false), (2, false), (1, true), (2, true)];
        ways.into_iter().any(fits).then_some(parts[lacks])
    })
}

/// A count with a table that is used down to `least` plies, and whose key lacks a field of the FEN, or the depth.
fn by_table<B: Diagnosis>(
    position: &Position<B>,
    depth: u32,
    how @ (lacks, least, is_reversed): (usize, u32, bool),
    table: &mut HashMap<(String, u32), u128>,
) -> u128 {
    if depth == 0 {
        return 1;
    }
    let fen = position.to_fen();
    let fields = fen.split(' ').take(4).enumerate().filter(|(at, _)| *at != lacks + 1);
    let fields = Vec::from_iter(fields.map(|(_, field)| field));
    let key = (fields.join(" "), if lacks == 3 { 0 } else { depth });
    if let Some(&count) = table.get(&key).filter(|_| depth >= least) {
        return count;
    }
    let mut moves = Vec::from_iter(position.legal_moves());
    if is_reversed {
        moves.reverse();
    }
    let count = moves.into_iter().map(|m| by_table(&position.play_unchecked(m), depth - 1, how, table)).sum();
    if depth >= least {
        table.insert(key, count);
    }
    count
}

/// The name of a fault or of a kind of move without the wing of castling.
fn without_wing(name: &str) -> String {
    name.replace(" king side", "").replace(" queen side", "")
}

/// At most so many are told.
const MOST_FINDINGS: usize = 3;

/// The findings of the groups, within the time that is left. A group that shows what another one has shown is not told
/// again.
pub fn findings<B: Diagnosis>(
    asker: &mut Asker<'_, B>,
    tasks: &[Task<B>],
    groups: &[Group<B>],
    mut found: impl FnMut(&Finding<B>),
) -> Vec<Finding<B>> {
    let mut findings: Vec<Finding<B>> = Vec::new();
    let (mut groups, mut at) = (groups.to_vec(), 0);
    while at < groups.len() && findings.len() < MOST_FINDINGS && (at == 0 || !asker.is_over()) {
        let group = &groups[at];
        let others =
            Vec::from_iter(groups.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, group)| group));
        let left = asker.end.saturating_duration_since(Instant::now());
        let share = left / (MOST_FINDINGS - findings.len()).min(groups.len() - at) as u32;
        at += 1;
        let is_known = |finding: &Finding<B>| finding.fault.is_some_and(|fault| predicts(fault, group));
        if findings.iter().any(is_known) {
            continue;
        }
        let finding =
            finding_of(asker, tasks, (group, &others), Instant::now() + share.max(Duration::from_millis(100)));
        if let Some(known) = findings.iter_mut().find(|known| known.is_like(&finding)) {
            known.seen += finding.seen;
            continue;
        }
        // What may follow from a wrong board has no place of its own, unless it is a fault of the table.
        if findings.iter().any(Finding::has_wrong_board) && finding.fault.is_none() {
            continue;
        }
        if finding.has_wrong_board() {
            findings.retain(|known| known.fault.is_some());
        }
        if finding.misread.is_some() && asker.misread.is_none() {
            // From now on only what does not depend on this is evidence, also in the same group.
            asker.misread = finding.misread;
            findings.retain(|known| !asker.misreads(&known.case.spot.root));
            let usable = |group: &Group<B>| {
                Vec::from_iter(group.iter().filter_map(|case| case.clone().despite_misreading(asker)))
            };
            groups = groups[at - 1..].iter().map(usable).filter(|group| !group.is_empty()).collect();
            at = 0;
        }
        found(&finding);
        findings.push(finding);
    }
    // The cause before what follows from it.
    let cause = |at: &usize| findings[..*at].iter().any(|earlier| findings[*at].may_cause(earlier));
    if let Some(at) = (0..findings.len()).find(cause) {
        findings[..=at].rotate_right(1);
    }
    findings
}
