//! Makes a case small: takes away all that it does not need.

use super::ask::Asker;
use super::case::{Case, Evidence};
use super::setup::Setup;
use super::spot::Spot;
use crate::doctor::faults::Diagnosis;

/// Takes away plies, depth, pieces but for the kings, rights, the en passant square and the clock, as long as the same
/// is wrong.
pub fn shrink<B: Diagnosis>(asker: &mut Asker<'_, B>, case: &mut Case<B>) {
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
        if asker.is_over() || case.spot == before.spot && case.depth == before.depth {
            return;
        }
    }
}

/// The squares of the pieces but for the kings, cheap ones first.
pub fn by_value<B: Diagnosis>(setup: &Setup) -> Vec<(usize, char)> {
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
