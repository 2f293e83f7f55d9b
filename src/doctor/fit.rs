//! Which fault of the table predicts all that was seen.
//!
//! A fault fits a case if an engine with it alone errs there, and at each place that was judged for the case exactly
//! where the program does, and nowhere else where the program is right.

use super::ask::Asker;
use super::case::{Case, Evidence, flaw};
use super::diff::Wrong;
use super::spot::{Spot, texts};
use super::walk::Group;
use crate::doctor::faults::{Diagnosis, Fault, Faults, FaultyBoard};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The list of an engine with a fault.
type List = BTreeMap<String, usize>;

/// The list that an engine has at a place; `None` if it cannot get there.
fn list_at<B: Diagnosis>(spot: &Spot<B>, faults: &Faults) -> Option<List> {
    let right = Faults::default();
    let mut board = B::sound_board(&spot.root).read(faults);
    for text in &spot.moves {
        // Engines make the moves that they are told, also those that they would not find.
        let find = |faults| board.moves(faults).into_iter().find(|m| board.move_text(*m).as_str() == text);
        let m = find(faults).or_else(|| find(&right))?;
        board = board.make(m, faults);
    }
    let mut list = List::new();
    for m in board.moves(faults) {
        *list.entry(board.move_text(m).to_string()).or_default() += 1;
    }
    Some(list)
}

/// What is wrong with a move in a list.
fn flaw_in(list: &List, is_legal: bool, text: &str) -> Option<Wrong> {
    Wrong::of_listing(is_legal, list.get(text).copied().unwrap_or(0))
}

/// Whether an engine with the fault errs at a place as the case says.
fn errs<B: Diagnosis>(case: &Case<B>, spot: &Spot<B>, text: &str, faults: &Faults) -> Option<bool> {
    let end = spot.end()?;
    let is_legal = end.parse_coordinates(text).is_ok();
    let here = flaw_in(&list_at(spot, faults)?, is_legal, text);
    match case.evidence {
        Evidence::ByFen(found) | Evidence::OnlyAfterMoves(found) => Some(here == Some(found)),
        Evidence::AfterMoves(found) => {
            let alone = flaw_in(&list_at(&Spot::at(end), faults)?, is_legal, text);
            Some(here == Some(found) && alone.is_none())
        }
        _ => None,
    }
}

/// Whether an engine with the fault errs in all of these cases.
pub fn predicts<B: Diagnosis>(fault: Fault<B::Fault>, group: &[Case<B>]) -> bool {
    let faults = Faults::of(&[fault]);
    group.iter().all(|case| errs(case, &case.spot, &case.text, &faults) == Some(true))
}

/// Whether the list of the program is that of an engine with the fault in the case, which is small, and in half of the
/// group at least. Another fault may make moves of other kinds wrong in the positions of the group.
fn is_exact<B: Diagnosis>(asker: &Asker<'_, B>, case: &Case<B>, group: &[Case<B>], faults: &Faults) -> bool {
    let is_same = |case: &Case<B>, only_kind: bool| {
        let (Some(reply), Some(list)) = (asker.answered(&case.spot, 1), list_at(&case.spot, faults)) else {
            return false;
        };
        let Some(end) = case.spot.end() else { return false };
        let kind = B::kind(&end, &case.text);
        let mut texts = reply.moves.iter().map(|(text, _)| text).chain(list.keys());
        texts.all(|text| list.contains_key(text) == (reply.times(text) > 0) || only_kind && B::kind(&end, text) != kind)
    };
    is_same(case, false) && 2 * group.iter().filter(|case| is_same(case, true)).count() >= group.len()
}

/// The one fault that fits a case and all that was judged for it; `group` are the cases that are alike. A fault of
/// making moves has to fit all `others` after moves, too.
pub fn fault_of<B: Diagnosis>(
    asker: &Asker<'_, B>,
    case: &Case<B>,
    group: &[Case<B>],
    others: &[&Group<B>],
) -> Option<Fault<B::Fault>> {
    let is_after_moves = |case: &Case<B>| matches!(case.evidence, Evidence::AfterMoves(_));
    let alike = |other: &&&Group<B>| is_after_moves(case) && other.iter().all(is_after_moves);
    let mut groups = Vec::from_iter(others.iter().filter(alike).map(|group| &group[..]));
    groups.push(group);
    let mut fits = Vec::new();
    for fault in Fault::<B::Fault>::all() {
        let faults = Faults::of(&[fault]);
        let errs = |spot: &Spot<B>, text: &str| errs(case, spot, text, &faults);
        if errs(&case.spot, &case.text) == Some(true)
            && groups.iter().all(|group| predicts(fault, group))
            && is_exact(asker, case, group, &faults)
            && asker.judged.iter().all(|(spot, text, holds)| errs(spot, text).is_none_or(|errs| errs == *holds))
        {
            fits.push((fault, faults));
        }
    }
    let mut explained = Vec::from_iter(fits.iter().map(|_| Some(0)));
    for (spot, _) in asker.asked.iter().filter(|(spot, depth)| *depth == 1 && !asker.misreads(&spot.root)) {
        let (Some(reply), Some(end)) = (asker.answered(spot, 1), spot.end()) else { continue };
        let legal = texts(&end);
        for ((_, faults), explained) in fits.iter().zip(&mut explained) {
            let Some(list) = list_at(spot, faults).filter(|_| explained.is_some()) else { continue };
            for text in list.keys().chain(legal.iter().filter(|text| !list.contains_key(*text))) {
                let Some(predicted) = flaw_in(&list, legal.contains(text), text) else { continue };
                match (flaw(&reply, &end, text) == Some(predicted), &mut *explained) {
                    (true, Some(number)) => *number += 1,
                    _ => *explained = None,
                }
            }
        }
    }
    let rated = Vec::from_iter(fits.iter().zip(explained).filter_map(|((fault, _), n)| Some((n?, *fault))));
    // The one that explains most, and of equals the one of both sides.
    let (most, best) = *rated.iter().min_by_key(|(number, fault)| (Reverse(*number), fault.side.is_some()))?;
    let is_only = rated.iter().all(|(number, fault)| *number < most || fault.kind == best.kind);
    is_only.then_some(best)
}
