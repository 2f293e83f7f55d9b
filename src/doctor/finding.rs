//! The finding of a group of cases: a case made small, what the program believes, what it depends on, and its name.

use super::ask::Asker;
use super::case::{Case, Evidence, flaw};
use super::diff::{Wrong, too_few_bits};
use super::edits::{Edit, by_a_move, culprits, damage, is_special, states_of};
use super::faults::{Fault, FaultKind, Faults, FaultyBoard, MoveClass, MoveKind, symptom_of};
use super::fit::{fault_of, predicts};
use super::setup::{Misread, Setup};
use super::spot::{Spot, texts};
use super::vary::{shrink, vary};
use super::walk::{Group, Task};
use crate::doctor::faults::Diagnosis;
use crate::game::Position;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// What is wrong, but for the kind of move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// A move is listed or left out wrongly.
    Lists(Wrong),
    /// A move is made wrongly.
    Makes,
    /// Moves are not unmade fully.
    Unmakes,
    /// A FEN is read wrongly.
    Reads,
    Counts,
    Fails,
}

/// What the engine does, in words, with what they are made of.
pub struct Symptom {
    /// Without its subject.
    pub words: String,
    what: What,
    /// The kind of move that is to blame, if one is.
    of: Option<MoveKind>,
    /// In which state the engine goes on, in words.
    state: Option<String>,
    /// The field of FENs that is read wrongly.
    misread: Option<Misread>,
}

impl Symptom {
    fn new(what: What, of: Option<MoveKind>, words: impl Into<String>) -> Symptom {
        Symptom { words: words.into(), what, of, state: None, misread: None }
    }
}

/// One thing that is wrong, told.
pub struct Finding<B: Diagnosis> {
    pub symptom: Symptom,
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
        let (one, two) = (&self.symptom, &other.symptom);
        if self.fault.is_some() || other.fault.is_some() {
            let name = |finding: &Finding<B>| finding.fault.map(|fault| without_wing(fault.kind.symptom()));
            return name(self) == name(other);
        }
        let is_same_kind = match (&one.of, &two.of) {
            (Some(a), Some(b)) => a == b || a.class == MoveClass::Castling && b.class == MoveClass::Castling,
            _ => one.words == two.words,
        };
        let target = |finding: &Finding<B>| finding.case.spot.moves.last().map(|text| text.get(2..4).map(String::from));
        one.what == two.what && (is_same_kind || one.what == What::Unmakes)
            || one.state.is_some() && one.state == two.state && target(self) == target(other)
    }

    /// Whether the program goes on with a board that is not the position's, so that other answers may be wrong for that
    /// reason alone.
    fn has_wrong_board(&self) -> bool {
        let Symptom { what, misread, .. } = &self.symptom;
        *what == What::Unmakes || *what == What::Reads && misread.is_none()
    }

    /// Whether another finding may follow from this one, of a move that is made wrongly: an engine that makes moves to
    /// see whether they are legal lists such moves wrongly too.
    fn may_cause(&self, other: &Finding<B>) -> bool {
        let class = |finding: &Finding<B>| finding.symptom.of.as_ref().map(|kind| kind.class);
        self.symptom.what == What::Makes
            && matches!(other.symptom.what, What::Lists(_))
            && class(self) == class(other)
            && class(self) != Some(MoveClass::Quiet)
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
        Evidence::Crash => (Symptom::new(What::Fails, None, "does not answer"), vary(asker, &case, stop).said, None),
        Evidence::Total => {
            let reply = asker.ask(&case.spot, case.depth);
            let words = match reply.and_then(|reply| too_few_bits(&[(reply.sum(), reply.total)])) {
                Some(bits) => format!("prints a total modulo 2^{bits}: its type is too small"),
                None => "prints a total that is not the sum of its counts".into(),
            };
            (Symptom::new(What::Counts, None, words), Vec::new(), None)
        }
    };
    let rule = match case.evidence {
        Evidence::ByFen(Wrong::Repeated)
        | Evidence::AfterMoves(Wrong::Repeated)
        | Evidence::OnlyAfterMoves(Wrong::Repeated) => "a move twice".into(),
        Evidence::ByFen(_) | Evidence::AfterMoves(_) | Evidence::OnlyAfterMoves(_) => {
            case.spot.explain(&case.text).map_or("a move".into(), |why| why.rule.to_string())
        }
        Evidence::Count => "count".into(),
        Evidence::Total => "total".into(),
        Evidence::Crash => "no answer".into(),
    };
    let sentence = sentence_of(asker, &case);
    Finding { symptom, rule, sentence, case, fault, notes, seen: group.len(), arises }
}

/// What is wrong with the move of a case.
fn sentence_of<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &Case<B>) -> String {
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

/// The symptom and the notes of a wrong list, and the fault of the table that predicts it.
fn of_list<B: Diagnosis>(
    asker: &mut Asker<'_, B>,
    tasks: &[Task<B>],
    case: &Case<B>,
    found: Wrong,
    (group, others): (&Group<B>, &[&Group<B>]),
    stop: Instant,
) -> (Symptom, Vec<String>, Option<Fault<B::Fault>>) {
    let is_by_fen = matches!(case.evidence, Evidence::ByFen(_));
    let states = states_of(asker, case);
    let state = states.first();
    let mut notes = Vec::new();
    if state.is_some() {
        let words = Vec::from_iter(states.iter().map(|edit| edit.words.as_str())).join(", or ");
        notes.push(format!("its moves are those of the position {words}"));
    }
    let reached = if is_by_fen && asker.takes_moves() { by_a_move(asker, case) } else { None };
    let reads_wrongly = matches!(reached, Some((_, false)));
    match reached {
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
    let setup = Setup::of(&case.spot.root);
    let has_as_many = |state: &&Edit| state.setup.rights.len() == setup.rights.len();
    let swaps_rights = is_by_fen && state.filter(has_as_many).is_some_and(|state| state.setup.rights != setup.rights);
    // If the time is up nobody has asked whether a FEN is read wrongly.
    let may_be_spoilt = is_by_fen && !reads_wrongly && !asker.is_over();
    let spoilt = state.filter(|_| may_be_spoilt).and_then(|state| spoilt_by_castling(case, state));
    let of_move = B::kind(&case.spot.end().unwrap_or(case.spot.root), &case.text);
    let goes_on = state.map_or(String::new(), |state| format!(": it goes on {}", state.words));
    let (mut symptom, note) = if let Some(fault) = fault {
        let what = if reads_wrongly { What::Reads } else { What::Lists(found) };
        (Symptom::new(what, Some(of_move), symptom_of::<B>(fault)), None)
    } else if matches!(case.evidence, Evidence::AfterMoves(_)) {
        let (symptom, note) = blame(case, state, variation.whatever_the_last_move);
        (Symptom { words: symptom.words + &goes_on, ..symptom }, note)
    } else if reads_wrongly || swaps_rights {
        let goes_on = if goes_on.is_empty() { format!(": {of_move}") } else { goes_on };
        (Symptom::new(What::Reads, Some(of_move), format!("reads a FEN wrongly{goes_on}")), None)
    } else if let Some((kind, note)) = spoilt {
        let words = format!("does not unmake {kind} fully");
        (Symptom::new(What::Unmakes, Some(kind), words), Some(note))
    } else {
        let words = words_of_list(case, found, &of_move.words, state.filter(|_| is_by_fen));
        (Symptom::new(What::Lists(found), Some(of_move), words), None)
    };
    if let Some(note) = note {
        notes.insert(0, note);
    }
    symptom.misread = match state.filter(|_| reads_wrongly) {
        _ if swaps_rights => Some(Misread::Wings),
        Some(state) if state.setup.passed != setup.passed => Some(Misread::EnPassant),
        Some(state) if state.setup.rights != setup.rights => Some(Misread::Rights),
        _ => None,
    };
    symptom.state = state.map(|state| state.words.clone());
    (symptom, notes, fault)
}

/// What is wrong with a list, where the generator is to blame.
fn words_of_list<B: Diagnosis>(case: &Case<B>, found: Wrong, of_move: &str, state: Option<&Edit>) -> String {
    let squares = Setup::of(&case.spot.root).squares(&case.text);
    // A piece that the program has lost.
    if let (Wrong::Missing, Some(state), Some((from, _))) = (found, state, squares)
        && state.setup.pieces[from].is_none()
    {
        return format!("leaves out {of_move}: it goes on {}", state.words);
    }
    let passed = case.spot.end().and_then(|end| Setup::of(&end).passed);
    let is_to_passed = passed.is_some() && squares.map(|(_, to)| to) == passed && !of_move.contains("en passant");
    let to = if is_to_passed { " to the en passant square" } else { "" };
    match found {
        Wrong::Missing => format!("leaves out {of_move}{to}"),
        Wrong::Repeated => format!("lists {of_move}{to} twice"),
        _ => format!("generates {of_move}{to} where it is not legal"),
    }
}

/// The kind of castling, and a note, if a list is that of a position which castling leaves behind. It is tried, because
/// the right to it is needed, though another move is wrong.
fn spoilt_by_castling<B: Diagnosis>(case: &Case<B>, state: &Edit) -> Option<(MoveKind, String)> {
    let (root, setup) = (&case.spot.root, Setup::of(&case.spot.root));
    let is_castling = |text: &String| B::kind(root, text).class == MoveClass::Castling;
    if setup.rights.is_empty() || state.setup.pieces == setup.pieces || is_castling(&case.text) {
        return None;
    }
    let castling = culprits(root, &setup, state).into_iter().find(is_castling)?;
    let note = format!("{castling} can be made there, and leaves this behind if it is not unmade fully");
    Some((B::kind(root, &castling), note))
}

/// Which move of a line a wrong list is due to, and a note.
fn blame<B: Diagnosis>(
    case: &Case<B>,
    state: Option<&Edit>,
    whatever_the_last_move: bool,
) -> (Symptom, Option<String>) {
    let Some((line, end)) = case.spot.line().filter(|(line, _)| !line.is_empty()) else {
        return (Symptom::new(What::Makes, None, "makes a move wrongly"), None);
    };
    let makes = |at: usize| {
        let (text, kind) = (&case.spot.moves[at], B::kind(&line[at].0, &case.spot.moves[at]));
        let words = format!("makes {text}, {kind}, wrongly");
        Symptom::new(What::Makes, Some(kind), words)
    };
    let last = line.len() - 1;
    let Some(state) = state else { return (makes(last), None) };
    // The move by which what it goes on with ought to have gone.
    let setup = Setup::of(&end);
    let mut after = setup.clone();
    for at in (0..line.len()).rev() {
        let before = Setup::of(&line[at].0);
        if state.is_of(&setup, &before) && !state.is_of(&setup, &after) {
            return (makes(at), None);
        }
        after = before;
    }
    // What a move leaves behind that can be made before, but was only tried.
    let before = &line[last].0;
    let tried = culprits(before, &setup, state);
    let may_be_tried = whatever_the_last_move || state.setup.pieces != setup.pieces;
    match tried.last() {
        Some(one) if may_be_tried && !tried.contains(&case.spot.moves[last]) && is_special::<B>(before, one) => {
            let note = format!("{one} can be made there, and leaves this behind if it is not unmade fully");
            let kind = B::kind(before, one);
            let words = format!("does not unmake {kind} fully");
            (Symptom::new(What::Unmakes, Some(kind), words), Some(note))
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

/// A move of a position with a wrong count.
struct Miscount<B: Diagnosis> {
    text: String,
    child: Position<B>,
    right: u128,
    theirs: u128,
}

/// What all wrong counts have in common.
fn common_error<B: Diagnosis>(wrong: &[Miscount<B>], depth: u32) -> Option<String> {
    let pairs = Vec::from_iter(wrong.iter().map(|one| (one.right, one.theirs)));
    if let Some(bits) = too_few_bits(&pairs) {
        return Some(format!("counts modulo 2^{bits}: the type of its counts is too small"));
    }
    let words = if pairs.iter().all(|pair| *pair == (0, 1)) {
        "a position where the game has ended as 1"
    } else if pairs.iter().all(|(_, theirs)| *theirs == 0) {
        "nothing there"
    } else if pairs.iter().all(|(right, theirs)| *theirs == 2 * right) {
        "twice the right number"
    } else if wrong.iter().all(|one| one.theirs == u128::from(one.child.perft(depth))) {
        "one ply too deep"
    } else {
        return None;
    };
    Some(format!("counts {words}, although all its lists are right"))
}

/// The symptom and the notes of a count that contradicts the program's own.
fn of_count<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &Case<B>, stop: Instant) -> (Symptom, Vec<String>) {
    let counts = |words: String| Symptom::new(What::Counts, None, words);
    let unknown = counts("counts wrongly, although all its lists are right".into());
    let (Some(reply), Some(end)) = (asker.ask(&case.spot, case.depth), case.spot.end()) else {
        return (unknown, Vec::new());
    };
    let mut wrong = Vec::new();
    for m in end.legal_moves() {
        let (text, child) = (end.move_text(m).to_string(), end.play_unchecked(m));
        let (right, theirs) = (u128::from(child.perft(case.depth - 1)), reply.count(&text));
        if theirs != right {
            wrong.push(Miscount { text, child, right, theirs });
        }
    }
    let known = if wrong.is_empty() { None } else { common_error(&wrong, case.depth) };
    let (mut symptom, mut notes) = (known.map_or(unknown, counts), Vec::new());
    if case.depth > 1 && !wrong.is_empty() {
        let few = Vec::from_iter(wrong.iter().take(6).map(|one| one.text.as_str())).join(" ");
        notes.push(format!("wrong at {} of {} moves: {few}", wrong.len(), end.count_legal()));
        let (first, states) = damage(&reply, case, &Vec::from_iter(wrong.into_iter().map(|one| one.text)), stop);
        let printed = |at: usize| reply.moves.get(at).map_or("", |(text, _)| text);
        if let Some(state) = states.first() {
            let words = Vec::from_iter(states.iter().map(|edit| edit.words.clone())).join(", or ");
            notes.push(format!("from {} on the counts are those of the position {words}", printed(first)));
            let culprit = culprit_near(&end, state);
            let of_move = culprit.as_ref().map_or("moves", |(kind, _)| &kind.words);
            let words = format!("does not unmake {of_move} fully: it goes on {}", state.words);
            let of = culprit.as_ref().map(|(kind, _)| kind.clone());
            symptom = Symptom { state: Some(state.words.clone()), ..Symptom::new(What::Unmakes, of, words) };
            if let Some((kind, path)) = &culprit {
                notes.push(format!("{path}, {kind}, leaves this behind if it is not unmade fully"));
            }
        } else if first > 0 {
            let (last, next) = (printed(first - 1), printed(first));
            let kind = B::kind(&end, last);
            notes.push(format!("the counts are wrong from {next} on; the move before it is {last}, {kind}"));
        }
    }
    notes.extend(vary(asker, case, stop).said);
    (symptom, notes)
}

/// A move of a position, or else one after each of its moves, that leaves behind what an edit changes: its kind, and
/// the move itself.
fn culprit_near<B: Diagnosis>(position: &Position<B>, edit: &Edit) -> Option<(MoveKind, String)> {
    let setup = Setup::of(position);
    if let Some(last) = culprits(position, &setup, edit).pop() {
        return Some((B::kind(position, &last), last));
    }
    for m in position.legal_moves() {
        let child = position.play_unchecked(m);
        if let Some(last) = culprits(&child, &setup, edit).pop() {
            return Some((B::kind(&child, &last), format!("{last} after {}", position.move_text(m))));
        }
    }
    None
}

/// The name of a fault without the wing of castling.
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
        if finding.symptom.misread.is_some() && asker.misread.is_none() {
            // From now on only what does not depend on this is evidence, also in the same group.
            asker.misread = finding.symptom.misread;
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
