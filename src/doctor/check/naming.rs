//! Names the faults behind the moves that are wrong.
//!
//! A move that is missing seldom says by itself why: a horse that does not move may be pinned by a phantom. So the
//! generators with faults on purpose are asked first: a fault is a candidate if, in every position that was compared,
//! the other program is wrong at least where an engine with that fault is. The candidate that accounts for most moves
//! is named, then the one that accounts for most of the rest. What no fault accounts for is grouped by the rule that
//! explains it.

use super::common;
use super::miscount::name;
use super::{Node, Place, Probe, Task, Wrong, texts};
use crate::doctor::faults::{Diagnosis, Engines, Fault, FaultKind, FaultyBoard, Switches, deed_of};
use crate::doctor::seeded::{each, totals};
use crate::game::{Explanation, Position};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

/// Faults that walk together; one bit each.
const TOGETHER: usize = 128;

/// Moves that are wrong for the same reason.
#[derive(Clone, Debug)]
pub struct Group<B: Diagnosis> {
    /// The fault of a move list that accounts for them; `None` if only the rule that explains them is known.
    pub fault: Option<Fault<B::Fault>>,
    /// What the fault is about, if it is not one of a move list.
    pub subject: Option<&'static str>,
    /// What an engine with the fault does, without its subject.
    pub deed: Option<String>,
    /// The smallest position among them.
    pub node: Node<B>,
    /// What is wrong with its move.
    pub wrong: Wrong,
    /// The move.
    pub text: String,
    /// Why it is legal or not; `None` if that is not what is wrong.
    pub explanation: Option<Explanation<B::Rule>>,
    /// Positions of the suite in which it shows.
    pub tasks: BTreeSet<usize>,
    /// The wrong moves.
    pub places: Vec<Place>,
    /// Whether any of the positions can arise in a game. Otherwise it is no fault.
    pub arises: bool,
}

/// What is wrong where all moves are missing.
const NO_MOVE: &str = "no move at all";
/// The kind of a count that nothing below it explains.
const MISCOUNTED: &str = "miscounted";

/// The smaller the better: pieces, moves that lead to it, length.
fn size<B: Diagnosis>(node: &Node<B>) -> (usize, usize, usize) {
    let fen = node.position.to_fen();
    let board = fen.split(' ').next().unwrap_or_default();
    (board.bytes().filter(u8::is_ascii_alphabetic).count(), node.before.len(), fen.len())
}

/// The moves that are wrong in the position of `node` for each of the engines `all`; `None` for one that does not get
/// there.
fn seeded<B: Diagnosis>(
    node: &Node<B>,
    all: Engines,
    switches: &Switches,
) -> [Option<BTreeSet<(Wrong, String)>>; TOGETHER] {
    let mut boards = Vec::new();
    B::sound_board(node.root()).read(switches, all, &mut boards);
    let mut list = Vec::new();
    for (pos, m) in &node.before {
        let text = pos.move_text(*m);
        let mut next = Vec::new();
        for (board, engines) in boards {
            list.clear();
            board.moves(switches, engines, &mut list);
            for &(m, who) in list.iter().filter(|&&(m, _)| board.move_text(m) == text) {
                board.make(m, switches, who, &mut next);
            }
        }
        boards = next;
    }
    let legal = texts(&node.position);
    let mut wrong = [const { None }; TOGETHER];
    for (board, engines) in boards {
        list.clear();
        board.moves(switches, engines, &mut list);
        // The engines that list each move, and those that list it again.
        let mut listed: BTreeMap<_, _> = legal.iter().map(|text| (text.clone(), (0, 0))).collect();
        for &(m, who) in &list {
            let (once, again) = listed.entry(board.move_text(m).to_string()).or_default();
            *again |= *once & who;
            *once |= who;
        }
        each(engines, |engine| wrong[engine] = Some(BTreeSet::new()));
        for (text, (once, again)) in listed {
            let (extra, missing) = if legal.contains(&text) { (0, engines & !once) } else { (once, 0) };
            for (kind, who) in [(Wrong::Repeated, again), (Wrong::Extra, extra), (Wrong::Missing, missing)] {
                each(who, |engine| {
                    wrong[engine].as_mut().into_iter().for_each(|found| {
                        found.insert((kind.clone(), text.clone()));
                    })
                });
            }
        }
    }
    wrong
}

/// A fault that fits, with the wrong moves that it accounts for.
struct Candidate<B: Diagnosis> {
    fault: Fault<B::Fault>,
    places: BTreeSet<Place>,
    /// What an engine with it does.
    deed: String,
}

/// The faults that are not refuted by any position, with the moves that each accounts for.
fn candidates<B: Diagnosis>(found: &[Node<B>], right: &[Node<B>]) -> Vec<Candidate<B>> {
    let all = Fault::<B::Fault>::all();
    let mut fitting = Vec::new();
    for faults in all.chunks(TOGETHER) {
        let switches = Switches::new(&Vec::from_iter(faults.iter().map(|&fault| vec![fault])));
        let mut places = vec![Some(BTreeSet::new()); faults.len()];
        // Where a move list was right, a fault with another one is refuted in the same way.
        for (index, node) in found.iter().chain(right).enumerate().filter(|(_, node)| !node.has_failed()) {
            // Those that are refuted need not be asked again.
            let open = places.iter().rev().fold(0, |set, places| set << 1 | Engines::from(places.is_some()));
            for (wrong, places) in seeded(node, open, &switches).into_iter().zip(&mut places) {
                let Some(wrong) = wrong else { continue };
                let at = |m: &(Wrong, String)| node.wrong.iter().position(|other| other == m);
                let covered: Option<Vec<usize>> = wrong.iter().map(at).collect();
                match (places.as_mut(), covered) {
                    (Some(places), Some(covered)) => {
                        places.extend(covered.into_iter().map(|at| (index, at)));
                    }
                    _ => *places = None,
                }
            }
        }
        let fits = |(&fault, places): (&Fault<_>, Option<BTreeSet<Place>>)| {
            places.filter(|places| !places.is_empty()).map(|places| Candidate {
                fault,
                places,
                deed: deed_of::<B>(fault),
            })
        };
        fitting.extend(faults.iter().zip(places).filter_map(fits));
    }
    fitting
}

/// Drops the candidates that would have changed a divide of `agreed`. Where there is an illegal move for every missing
/// one, as where castling is written with another square, the count tells nothing.
fn refute<B: Diagnosis>(candidates: &mut Vec<Candidate<B>>, found: &[Node<B>], agreed: &[Task<B>]) {
    let number = |node: &Node<B>, kind: &Wrong| node.wrong.iter().filter(|(wrong, _)| wrong == kind).count();
    let balanced =
        |&&(index, _): &&Place| number(&found[index], &Wrong::Missing) == number(&found[index], &Wrong::Extra);
    let is_told = |c: &Candidate<B>| 2 * c.places.iter().filter(balanced).count() <= c.places.len();
    for task in agreed.iter().filter(|task| task.depth > 1) {
        let ours = u128::from(task.position.perft(task.depth));
        let engines: Vec<_> = candidates.iter().map(|candidate| vec![candidate.fault]).collect();
        let counts = totals(&task.position, task.depth, &engines, 1, &AtomicBool::new(false));
        let mut counts = counts.unwrap_or_default().into_iter();
        candidates.retain(|c| counts.next().is_none_or(|count| count == ours) || !is_told(c));
    }
}

/// Words of two faults that are halves of one, and of that one.
const HALVES: [(&str, &str, &str); 4] = [
    (" king side", " queen side", ""),
    (" on files and ranks", " on diagonals", ""),
    (" towards the a-file", " towards the h-file", ""),
    ("steps onto the last rank", "captures on the last rank", "moves onto the last rank"),
];

/// The fault of which `first` and `second` are the halves.
fn whole(first: &str, second: &str) -> Option<String> {
    HALVES.iter().find_map(|&(one, other, both)| {
        let replaced = |text: &str, word: &str| text.contains(word).then(|| text.replacen(word, both, 1));
        let of = |a: &str, b: &str| replaced(a, one).filter(|a| replaced(b, other).as_ref() == Some(a));
        of(first, second).or_else(|| of(second, first))
    })
}

/// Makes one candidate of two that are halves of one fault: they are chosen together or not at all.
fn join_halves<B: Diagnosis>(candidates: &mut Vec<Candidate<B>>) {
    let mut at = 0;
    while at < candidates.len() {
        let halves = |other: usize| whole(&candidates[at].deed, &candidates[other].deed).map(|deed| (other, deed));
        match (at + 1..candidates.len()).find_map(halves) {
            Some((other, deed)) => {
                let places = candidates.remove(other).places;
                candidates[at].places.extend(places);
                candidates[at].deed = deed;
            }
            None => at += 1,
        }
    }
}

/// The positions whose right moves wrong ones are compared with.
const MOST_POSITIONS: usize = 1_500;

/// More rules than this are not broken one by one.
const MOST_RULES: usize = 15;

/// Of what is left, more rules than this have one cause.
const MANY_RULES: usize = 3;

/// Groups the wrong moves of `found`; `right` are positions whose moves were right, `agreed` those of the suite whose
/// divides were, `probes` the divides that tell faults of counting apart, if they have been asked for.
pub fn groups<B: Diagnosis>(
    found: &[Node<B>],
    right: &[Node<B>],
    agreed: &[Task<B>],
    probes: &[Probe<B>],
) -> Vec<Group<B>> {
    let mut groups = all_groups(found, right, agreed, probes);
    groups.sort_by_key(|group| !group.arises);
    groups
}

/// [`groups`] in the order in which they were found.
fn all_groups<B: Diagnosis>(
    found: &[Node<B>],
    right: &[Node<B>],
    agreed: &[Task<B>],
    probes: &[Probe<B>],
) -> Vec<Group<B>> {
    let mut rest: BTreeSet<Place> = BTreeSet::new();
    for (index, node) in found.iter().enumerate() {
        rest.extend((0..node.wrong.len()).map(|at| (index, at)));
    }
    let mut groups: Vec<Group<B>> = Vec::new();
    let lists_are_right = !found.iter().flat_map(|node| &node.wrong).any(|(wrong, _)| wrong.is_listing());
    let mut miscount = name(probes, lists_are_right);
    if let Some(fault) = &mut miscount
        && (fault.spoils_boards || found.iter().all(|node| !node.has_failed() && fault.has(node)))
    {
        let places = Vec::from_iter(rest);
        let one = group(None, found, &places);
        return one
            .map(|one| Group { subject: Some(fault.subject), deed: Some(fault.deed.clone()), ..one })
            .into_iter()
            .collect();
    }
    if is_mess(found, right) {
        let places = Vec::from_iter(rest);
        let deed =
            "is wrong in most positions and by most rules: it reads, makes or takes back wrongly, or lists wrongly";
        let one = group(None, found, &places).map(|one| Group {
            subject: Some("many rules"),
            deed: Some(deed.into()),
            ..one
        });
        return one.into_iter().collect();
    }
    let mut candidates = candidates(found, right);
    refute(&mut candidates, found, agreed);
    join_halves(&mut candidates);
    loop {
        let covers = |c: &Candidate<B>| c.places.intersection(&rest).count();
        // Of equals a common fault, and the first: a fault of both sides is listed before that of one side.
        let rank = |c: &Candidate<B>| (covers(c), B::Fault::COMMON.contains(&c.fault.kind));
        let best = (0..candidates.len()).rev().max_by_key(|&i| rank(&candidates[i]));
        let Some(best) = best.filter(|&i| covers(&candidates[i]) > 0) else { break };
        let Candidate { fault, places, deed } = candidates.remove(best);
        let places: Vec<Place> = places.intersection(&rest).copied().collect();
        rest.retain(|place| !places.contains(place));
        let Some(next) = group(Some(fault), found, &places) else { continue };
        let next = Group { deed: Some(deed), ..next };
        let follows =
            |known: &Group<B>| known.fault.is_some_and(|known| B::Fault::FOLLOW.contains(&(known.kind, fault.kind)));
        let precedes =
            |known: &Group<B>| known.fault.is_some_and(|known| B::Fault::FOLLOW.contains(&(fault.kind, known.kind)));
        if let Some(known) = groups.iter_mut().find(|known| follows(known)) {
            known.tasks.extend(next.tasks);
            continue;
        }
        if let Some(known) = groups.iter_mut().find(|known| precedes(known)) {
            let tasks = std::mem::take(&mut known.tasks);
            *known = next;
            known.tasks.extend(tasks);
            continue;
        }
        groups.push(next);
    }
    let asked = found.len() + right.len();
    let of_lists = [right, &below(agreed, MOST_POSITIONS.saturating_sub(asked))].concat();
    let reachable = rest.iter().filter(|place| arises(&found[place.0])).copied().collect();
    for mut reason in common::reasons(found, &of_lists, &reachable) {
        rest.retain(|place| !reason.places.contains(place));
        // A fault that is a part of it is none.
        groups.retain(|known| {
            let has = |&&(index, at): &&Place| reason.has(&found[index], &found[index].wrong[at].1);
            let is_part = 10 * known.places.iter().filter(has).count() >= 9 * known.places.len();
            if is_part {
                reason.extend(&known.places);
            }
            !is_part
        });
        let one = group(None, found, &reason.places);
        groups.extend(one.map(|one| Group { deed: Some(reason.deed()), ..one }));
    }
    if let Some(fault) = miscount {
        let counted = |place: &&Place| {
            let wrong = &found[place.0].wrong[place.1].0;
            !wrong.is_listing() && !matches!(wrong, Wrong::Failed(_))
        };
        let places = Vec::from_iter(rest.iter().filter(counted).copied());
        rest.retain(|place| !places.contains(place));
        let one = group(None, found, &places);
        groups.extend(one.map(|one| Group { subject: Some(fault.subject), deed: Some(fault.deed), ..one }));
    }
    // Where some counts are wrong for another reason, those of finished games may be too.
    let any_miscounted = rest.iter().any(|&(index, at)| matches!(found[index].wrong[at].0, Wrong::Miscounted(..)));
    let mut kinds: Vec<(String, Vec<Place>)> = Vec::new();
    for &(index, at) in &rest {
        let node = &found[index];
        let (wrong, text) = &node.wrong[at];
        let kind = match (wrong, node.why(wrong, text)) {
            (Wrong::Missing, _) if node.has_no_move() => NO_MOVE.into(),
            (_, Some(explained)) => format!("{} {}", explained.legal, explained.rule),
            (Wrong::Finished(_), _) if !any_miscounted => "finished".into(),
            (Wrong::Failed(_), _) => "failed".into(),
            (Wrong::Repeated, _) => "repeated".into(),
            (Wrong::Total(..), _) => "total".into(),
            (Wrong::Letterless, _) => "letterless".into(),
            _ => MISCOUNTED.into(),
        };
        match kinds.iter_mut().find(|known| known.0 == kind) {
            Some(known) => known.1.push((index, at)),
            None => kinds.push((kind, vec![(index, at)])),
        }
    }
    let words = |places: &[Place], right: &[Node<B>]| common::state(found, right, &places.iter().copied().collect());
    let state = |places: &[Place]| words(places, &of_lists).map_or(String::new(), |words| format!(" {words}"));
    let is_rule = |kind: &(String, Vec<Place>)| !["failed", "total", "letterless"].contains(&kind.0.as_str());
    if kinds.iter().filter(|kind| is_rule(kind)).count() > MANY_RULES {
        let (many, others) = kinds.into_iter().partition::<Vec<_>, _>(is_rule);
        let places = Vec::from_iter(many.iter().flat_map(|(_, places)| places.iter().copied()));
        let rules = many.len();
        let deed = format!("breaks {rules} rules at once: it reads, makes or takes back wrongly{}", state(&places));
        let one = group(None, found, &places);
        groups.extend(one.map(|one| Group { subject: Some("many rules"), deed: Some(deed), ..one }));
        kinds = others;
    }
    let counted = agreed.iter().filter(|task| task.depth > 1).map(|task| Node::root_of(usize::MAX, task.position));
    let counted = Vec::from_iter(counted);
    for (kind, places) in kinds {
        let Some(one) = group(None, found, &places) else { continue };
        let deed = match kind.as_str() {
            NO_MOVE => Some(format!("has no move{}", state(&places))),
            MISCOUNTED => words(&places, &counted).map(|words| format!("counts wrongly {words}")),
            _ => None,
        };
        groups.push(Group { subject: (kind == NO_MOVE).then_some(NO_MOVE), deed, ..one });
    }
    groups
}

/// Whether most positions are wrong, by many rules: then any fault fits by chance.
fn is_mess<B: Diagnosis>(found: &[Node<B>], right: &[Node<B>]) -> bool {
    let wrong = |node: &&Node<B>| node.before.is_empty() && node.wrong.iter().any(|(wrong, _)| wrong.is_listing());
    let moves = found.iter().flat_map(|node| node.wrong.iter().map(move |(wrong, text)| (node, wrong, text)));
    let rules = moves.filter_map(|(node, wrong, text)| node.why(wrong, text));
    let rules: BTreeSet<String> = rules.map(|explained| explained.rule.to_string()).collect();
    let right = right.iter().filter(|node| node.before.is_empty()).count();
    rules.len() > MOST_RULES && found.iter().filter(wrong).count() > right
}

/// At most `most` positions a ply below those of `agreed`, whose moves the other program has counted rightly.
fn below<B: Diagnosis>(agreed: &[Task<B>], most: usize) -> Vec<Node<B>> {
    let tasks = agreed.iter().filter(|task| task.depth > 1);
    let moves = tasks.flat_map(|task| task.position.legal_moves().into_iter().map(|m| (task.position, m)));
    let all = Vec::from_iter(moves);
    let step = all.len().div_ceil(most.max(1)).max(1);
    let node = |&(pos, m): &(Position<B>, B::Move)| Node::root_of(usize::MAX, pos).child(m);
    all.iter().step_by(step).take(most).map(node).collect()
}

/// A group with its smallest position.
fn group<B: Diagnosis>(fault: Option<Fault<B::Fault>>, found: &[Node<B>], places: &[Place]) -> Option<Group<B>> {
    let rated = |&&(index, at): &&Place| {
        let node = &found[index];
        let (wrong, text) = &node.wrong[at];
        // An example that is explained by a rule of the fault comes first.
        let odd = fault.is_some_and(|fault| {
            let explained = node.why(wrong, text);
            explained.is_some_and(|explained| !fault.kind.rules().contains(&explained.rule))
        });
        (!arises(node), odd, size(node), text.clone())
    };
    let &(index, at) = places.iter().min_by_key(rated)?;
    let node = found[index].clone();
    let (wrong, text) = node.wrong[at].clone();
    let explanation = node.why(&wrong, &text);
    let tasks = places.iter().map(|&(index, _)| found[index].task).collect();
    let (deed, arises) = (fault.map(deed_of::<B>), arises(&node));
    let places = places.to_vec();
    Some(Group { fault, subject: None, deed, node, wrong, text, explanation, tasks, places, arises })
}

/// Whether the position of a node can arise in a game.
fn arises<B: Diagnosis>(node: &Node<B>) -> bool {
    !node.before.is_empty() || B::arises(&node.position)
}

/// The shortest way to show `wrong` again: the positions and moves before the position of `node`, from the last one
/// from which the other program goes wrong. `still_wrong` asks it.
///
/// # Errors
/// If the program fails.
pub fn shortened<B: Diagnosis>(
    node: &Node<B>,
    mut still_wrong: impl FnMut(&Node<B>) -> Result<bool, String>,
) -> Result<Node<B>, String> {
    for length in 0..node.before.len() {
        let before = node.before[node.before.len() - length..].to_vec();
        let shorter = Node { before, ..node.clone() };
        if still_wrong(&shorter)? {
            return Ok(shorter);
        }
    }
    Ok(node.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{self, Board, MoveKind, Position};

    #[test]
    fn what_wrong_moves_have_in_common_is_told() {
        let node = |task, fen: &str, missing: &str| {
            let missing = missing.split_whitespace().map(|m| (Wrong::Missing, m.to_string()));
            let position = Position::from_fen(fen).unwrap();
            Node { task, before: Vec::new(), position, wrong: missing.collect() }
        };
        let kings = ["4K3", "3K4", "5K2", "2K5"];
        let found = kings.iter().enumerate().flat_map(|(i, kings)| {
            let white = format!("4k3/8/8/6Pp/8/8/8/{kings} w - h6 0 1");
            let black = format!("4k3/8/8/8/6pP/8/8/{kings} b - h3 0 1");
            [node(2 * i, &white, "g5h6"), node(2 * i + 1, &black, "g4h3")]
        });
        let found = Vec::from_iter(found);
        let right = [
            node(8, "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", ""),
            node(9, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", ""),
            node(10, "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1", ""),
            node(11, "4k3/8/8/8/7p/6P1/8/4K3 w - - 0 1", ""),
        ];
        let deeds = |found: &[Node<Board>], right: &[Node<Board>]| {
            let named = groups(found, right, &[], &[]).into_iter().map(|group| group.deed.unwrap_or_default());
            named.collect::<Vec<_>>()
        };
        assert_eq!(deeds(&found, &right), ["leaves out en passant captures to the h-file: all 8 such moves"]);
        // A few moves may have anything in common, and another fault is wrong elsewhere too.
        assert_eq!(deeds(&found[..1], &right), [""]);
        assert_eq!(deeds(&found, &[]), ["does not capture en passant"]);
    }

    /// What is told of an engine that leaves out the moves of `is_missing`: of those of the suites and a ply below.
    fn told(is_missing: impl Fn(&Node<Board>, chess::Move) -> bool) -> Vec<String> {
        let lines = Board::MORE.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#'));
        let fens = lines.filter_map(|line| line.split_once(" ;")).map(|(fen, _)| fen);
        let roots = fens.filter_map(|fen| Position::from_fen(fen).ok()).filter(|pos| !pos.is_chess960());
        let (mut found, mut right) = (Vec::new(), Vec::new());
        for (task, root) in roots.enumerate() {
            let below = root.legal_moves().into_iter().step_by(3).map(|m| (vec![(root, m)], root.play_unchecked(m)));
            for (before, position) in below.chain([(Vec::new(), root)]) {
                let mut node = Node { task, before, position, wrong: Vec::new() };
                let missing = position.legal_moves().into_iter().filter(|&m| is_missing(&node, m));
                node.wrong = missing.map(|m| (Wrong::Missing, position.move_text(m).to_string())).collect();
                if node.wrong.is_empty() { &mut right } else { &mut found }.push(node);
            }
        }
        let groups = groups(&found, &right, &[], &[]).into_iter();
        let told = groups.map(|group| group.deed.unwrap_or_default());
        Vec::from_iter(told.map(|deed| deed.split([':', ',']).next().unwrap_or_default().to_string()))
    }

    /// Faults that no table has are told in one line each.
    #[test]
    fn faults_of_no_table_are_described() {
        let last = |node: &Node<Board>| node.before.last().map(|(_, m)| *m);
        let castled = |node: &Node<Board>| last(node).is_some_and(|m| m.is(MoveKind::Castle));
        let both_rights = told(|node, m| m.is(MoveKind::Castle) && castled(node));
        assert_eq!(both_rights, ["leaves out castling after castling by the opponent"]);
        let bare = |pos: &Position| pos.occupied().count() == 2;
        assert_eq!(told(|node, _| bare(&node.position)), ["has no move with bare kings"]);
        let from_a_fen = told(|node, m| m.promotion().is_some() && node.before.is_empty() && node.position.in_check());
        assert_eq!(from_a_fen, ["leaves out promotions in check in a position read from a FEN"]);
        // Two faults at once.
        let both = told(|node, m| castled(node) && m.is(MoveKind::Castle) || bare(&node.position));
        assert_eq!(both.len(), 2, "{both:?}");
    }

    /// Next to a fault of counting, which all other wrong counts have.
    #[test]
    fn a_crash_is_told() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let node = |wrong| Node { wrong, ..Node::root_of(0, position) };
        let theirs = texts(&position).into_iter().map(|text| (text, 6)).collect();
        let probes = [Probe { node: node(Vec::new()), depth: 2, theirs }];
        let found = [
            node(vec![(Wrong::Miscounted(5, 6), "e1d1".into())]),
            node(vec![(Wrong::Failed("gone".into()), String::new())]),
        ];
        let groups = groups(&found, &[], &[], &probes);
        let told = Vec::from_iter(groups.iter().map(|group| (group.subject, group.wrong.kind())));
        assert_eq!(told, [(Some("counting"), "miscounted"), (None, "failed")]);
    }

    #[test]
    fn what_cannot_arise_is_no_fault() {
        let position = Position::from_fen("6b1/8/8/3pP3/8/1K6/8/7k w - d6 0 1").unwrap();
        let wrong = vec![(Wrong::Extra, "e5d6".to_string())];
        let unreachable = Node { task: 0, before: Vec::new(), position, wrong };
        let groups = groups(&[unreachable], &[], &[], &[]);
        assert!(groups.len() == 1 && !groups[0].arises, "{groups:?}");
    }
}
