//! The finding of a group of cases: a case made small, what the program believes, what it depends on, and its name.

use super::ask::{Asker, Reply};
use super::case::{Case, Evidence, flaw};
use super::diff::{Wrong, too_few_bits};
use super::edits::{Edit, by_a_move, culprits, damage, is_special, spoilt_while_listing, states_of};
use super::faults::{Fault, FaultKind, Faults, FaultyBoard, symptom_of};
use super::fit::{fault_of, predicts};
use super::setup::Setup;
use super::shrink::shrink;
use super::spot::{Line, Spot, texts};
use super::vary::vary;
use super::walk::{Group, Task};
use crate::doctor::faults::Diagnosis;
use crate::game::Position;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// One thing that is wrong, told.
pub struct Finding<B: Diagnosis> {
    /// What the engine does, without its subject.
    pub symptom: String,
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
    /// Whether another one shows the same.
    fn is_like(&self, other: &Finding<B>) -> bool {
        let (head, state) = self.symptom.split_once(": ").unwrap_or((&self.symptom, ""));
        let (other_head, other_state) = other.symptom.split_once(": ").unwrap_or((&other.symptom, ""));
        let target = |finding: &Finding<B>| finding.case.spot.moves.last().map(|text| text.get(2..4).map(String::from));
        let is_same_target = !state.is_empty() && state == other_state && target(self) == target(other);
        let is_taking_back = |symptom: &str| symptom.starts_with("does not take ");
        likeness(&self.symptom) == likeness(&other.symptom)
            || head == other_head && is_taking_back(head)
            || is_same_target
    }

    /// Whether the program goes on with a board that is not the position's, so that other answers may be wrong for that
    /// reason alone.
    fn has_wrong_board(&self) -> bool {
        ["does not take ", "reads a FEN wrongly", "swaps "].iter().any(|start| self.symptom.starts_with(start))
    }

    /// The name of the evidence in JSON.
    pub fn kind(&self) -> &'static str {
        match self.case.evidence {
            Evidence::Crash => "failed",
            Evidence::ByFen(found) | Evidence::AfterMoves(found) => found.kind(),
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
    shrink(asker, &mut case);
    let (symptom, notes, fault) = match case.evidence {
        Evidence::ByFen(found) | Evidence::AfterMoves(found) => {
            of_list(asker, tasks, &case, found, (group, others), stop)
        }
        Evidence::Count => {
            let (symptom, notes) = of_count(asker, &case, stop);
            (symptom, notes, None)
        }
        Evidence::Crash => ("does not answer".into(), vary(asker, &case, stop).said, None),
        Evidence::Total => ("prints a total that is not the sum of its counts".into(), Vec::new(), None),
    };
    let rule = match case.evidence {
        Evidence::ByFen(Wrong::Repeated) | Evidence::AfterMoves(Wrong::Repeated) => "a move twice".into(),
        Evidence::ByFen(_) | Evidence::AfterMoves(_) => {
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
) -> (String, Vec<String>, Option<Fault<B::Fault>>) {
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
    let spoilt = || spoilt_while_listing(&*asker.answered(&case.spot, 1)?, case);
    let spoilt = if is_by_fen && states.is_empty() && fault.is_none() { spoilt() } else { None };
    let of_move = case.spot.end().map_or(String::new(), |end| B::kind(&end, &case.text));
    let swapped = if is_by_fen { swapped_wings(asker, case) } else { None };
    // Both directions were seen: a fault of one wing does not predict them.
    let fault = fault.filter(|fault| swapped.is_none() || fault.kind.symptom().starts_with("swaps"));
    let goes_on = states.first().map_or(String::new(), |state| format!(": it goes on {}", state.words));
    let symptom = if let Some(fault) = fault {
        symptom_of::<B>(fault)
    } else if let Some(swapped) = swapped {
        swapped
    } else if let Some((line, end)) = case.spot.line().filter(|(line, _)| !line.is_empty()) {
        let (symptom, note) = blame(case, (&line, &end), states.first(), variation.whatever_the_last_move);
        if let Some(note) = note {
            notes.insert(0, note);
        }
        format!("{symptom}{goes_on}")
    } else if matches!(reached, Some((_, false))) {
        let goes_on = if goes_on.is_empty() { format!(": {of_move}") } else { goes_on };
        format!("reads a FEN wrongly{goes_on}")
    } else if let Some((kind, note)) = spoilt {
        notes.insert(0, note);
        format!("does not take {kind} back whole")
    } else {
        match found {
            Wrong::Missing => format!("leaves out {of_move}"),
            Wrong::Repeated => format!("lists {of_move} twice"),
            _ => format!("generates {of_move} that is not legal"),
        }
    };
    (symptom, notes, fault)
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
) -> (String, Option<String>) {
    let makes = |at: usize| {
        let (before, text) = (&line[at].0, &case.spot.moves[at]);
        format!("makes {text}, {}, wrongly", B::kind(before, text))
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
            (format!("does not take {} back whole", B::kind(before, one)), Some(note))
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
fn of_count<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &Case<B>, stop: Instant) -> (String, Vec<String>) {
    let mut notes = Vec::new();
    let mut symptom = "counts wrongly, although all its lists are right".to_string();
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
        symptom = format!("counts modulo 2^{bits}: the type of its counts is too small");
    } else if let Some(words) = is {
        symptom = format!("counts {words}, although all its lists are right");
    } else if let Some(lacks) = lacking_in_key(case, &reply) {
        symptom = format!("does not have {lacks} in the key of its hash table");
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
            symptom = format!("does not take moves back whole: it goes on {}", state.words);
            // The move that leaves this behind: one of the root, or one after these.
            let setup = Setup::of(&end);
            let of = |position: &Position<B>| {
                let last = culprits(position, &setup, state).pop()?;
                Some((B::kind(position, &last), last))
            };
            let below =
                || children.iter().find_map(|(text, child)| of(child).map(|left| (left, format!(" after {text}"))));
            if let Some(((kind, last), after)) = of(&end).map(|left| (left, String::new())).or_else(below) {
                symptom = format!("does not take {kind} back whole: it goes on {}", state.words);
                notes.push(format!("{last}{after}, {kind}, leaves this behind if it is not taken back whole"));
            }
        } else if first > 0 {
            let (last, next) = (printed(first - 1), printed(first));
            let kind = B::kind(&end, &last);
            notes.push(format!("the counts are wrong from {next} on; the move before it is {last}, {kind}"));
        }
    }
    let kinds = special::<B>(case);
    if !kinds.is_empty() {
        notes.push(format!("moves in the tree: {kinds}"));
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

/// The kinds of moves in the tree of a count that are no plain moves.
fn special<B: Diagnosis>(case: &Case<B>) -> String {
    fn walk<B: Diagnosis>(position: &Position<B>, depth: u32, kinds: &mut BTreeMap<String, usize>) {
        for m in position.legal_moves() {
            let kind = B::kind(position, position.move_text(m).as_str());
            if !kind.ends_with(" move") && kind != "a pawn step" {
                *kinds.entry(kind).or_default() += 1;
            }
            if depth > 1 {
                walk(&position.play_unchecked(m), depth - 1, kinds);
            }
        }
    }
    let mut kinds = BTreeMap::new();
    if let Some(end) = case.spot.end().filter(|_| case.depth <= 3) {
        walk(&end, case.depth, &mut kinds);
    }
    let words = kinds.into_iter().map(|(kind, n)| format!("{kind} × {n}"));
    Vec::from_iter(words).join(", ")
}

/// A symptom without its squares, sides and wings: after exchanging these it is the same fault.
fn likeness(symptom: &str) -> String {
    let is_square = |word: &str| {
        let bytes = word.as_bytes();
        matches!(bytes, [b'a'..=b'i', b'0'..=b'9', ..]) || matches!(bytes, [b'K' | b'Q' | b'k' | b'q'])
    };
    let sides = ["white", "black", "White", "Black", "Red"];
    let words = symptom.replace("king side", "").replace("queen side", "");
    let words = words.split_whitespace().filter(|word| !is_square(word.trim_matches(',')) && !sides.contains(word));
    Vec::from_iter(words).join(" ")
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
    for (at, group) in groups.iter().enumerate() {
        if findings.len() == MOST_FINDINGS || at > 0 && asker.is_over() {
            break;
        }
        let is_known = |finding: &Finding<B>| finding.fault.is_some_and(|fault| predicts(fault, group));
        if findings.iter().any(is_known) {
            continue;
        }
        let left = asker.end.saturating_duration_since(Instant::now());
        let share = left / (MOST_FINDINGS - findings.len()).min(groups.len() - at) as u32;
        let others =
            Vec::from_iter(groups.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, group)| group));
        let finding =
            finding_of(asker, tasks, (group, &others), Instant::now() + share.max(Duration::from_millis(100)));
        let is_same = |known: &Finding<B>| known.is_like(&finding);
        if let Some(known) = findings.iter_mut().find(|known| is_same(known)) {
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
        found(&finding);
        findings.push(finding);
    }
    findings
}
