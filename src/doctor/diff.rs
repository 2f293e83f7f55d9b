//! [`diff`]: the first position in which another move generator differs from ours, and what differs there.
//!
//! `walk` follows differing counts to their causes, for [`diff`], for `perft --against` and for `check`: each has its
//! own way to ask. [`Wrong::sentence`] is what all of them say of a wrong move.

use super::reading::{Listed, Reading};
use crate::game::count::kernel::assert_depth;
use crate::game::{Counting, Explanation, Position};
use crate::perft::count::Divide;
use std::collections::HashMap;
use std::convert::Infallible;

/// What is wrong with a move.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wrong {
    /// Legal, but missing there.
    Missing,
    /// Not legal, but generated there.
    Extra,
    /// Generated more than once.
    Repeated,
    /// A promotion that is printed once for all pieces, without a letter.
    Letterless,
    /// The printed total is not the sum of the counts: the sum, and the total.
    Total(u128, u128),
    /// Its count is wrong: our count and theirs.
    Miscounted(u128, u128),
    /// Its count is wrong, although the position after it has no legal move. The number counted there.
    Finished(u128),
    /// The program ends, or does not answer: what was seen.
    Failed(String),
}

impl Wrong {
    /// Whether the list of moves is wrong, not a count or how a move is printed.
    pub fn is_listing(&self) -> bool {
        matches!(self, Wrong::Missing | Wrong::Extra | Wrong::Repeated)
    }

    /// Whether counts are wrong, and nothing else.
    fn is_counting(&self) -> bool {
        matches!(self, Wrong::Miscounted(..) | Wrong::Total(..))
    }

    /// Its name in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Wrong::Missing => "missing",
            Wrong::Extra => "extra",
            Wrong::Repeated => "repeated",
            Wrong::Letterless => "letterless",
            Wrong::Total(..) => "total",
            Wrong::Miscounted(..) => "miscounted",
            Wrong::Finished(_) => "finished",
            Wrong::Failed(_) => "failed",
        }
    }

    /// What is said of the move `text`, which is legal or not for this reason.
    pub fn sentence<R>(&self, text: &str, why: Option<&Explanation<R>>) -> String {
        let why = why.map_or(String::new(), |why| format!(": {why}"));
        match self {
            Wrong::Missing => format!("{text} is missing{why}"),
            Wrong::Extra => format!("{text} is not legal{why}"),
            Wrong::Repeated => format!("{text} is listed more than once"),
            Wrong::Letterless => format!("{text} is printed without the letter of its promotion, once for all pieces"),
            Wrong::Total(sum, total) => format!("the total is printed as {total}, but the counts add up to {sum}"),
            Wrong::Miscounted(ours, theirs) => format!("{text} is counted as {theirs} instead of {ours}"),
            Wrong::Finished(count) => format!("{text} ends the game, but {count} sequences are counted after it"),
            Wrong::Failed(reason) => reason.clone(),
        }
    }
}

/// A position of the tree that was compared.
#[derive(Clone, Debug)]
pub struct Node<B: Counting> {
    /// The number of the position from which it was reached, of all that are compared.
    pub task: usize,
    /// The positions and moves that lead to it.
    pub before: Vec<(Position<B>, B::Move)>,
    /// The position.
    pub position: Position<B>,
    /// What is wrong in it, each with its move. Counts are wrong here only if no position below is.
    pub wrong: Vec<(Wrong, String)>,
}

impl<B: Counting> Node<B> {
    /// The root of a tree.
    pub(crate) fn root_of(task: usize, position: Position<B>) -> Node<B> {
        Node { task, before: Vec::new(), position, wrong: Vec::new() }
    }

    /// The position after a legal move.
    pub(crate) fn child(&self, m: B::Move) -> Node<B> {
        let mut before = self.before.clone();
        before.push((self.position, m));
        Node { task: self.task, before, position: self.position.play_unchecked(m), wrong: Vec::new() }
    }

    /// The moves that lead to it.
    pub fn path(&self) -> Vec<String> {
        self.before.iter().map(|(pos, m)| pos.move_text(*m).to_string()).collect()
    }

    /// The position from which it was reached.
    pub fn root(&self) -> &Position<B> {
        self.before.first().map_or(&self.position, |(root, _)| root)
    }

    /// Why the move `text` is legal or not, if that is what is wrong.
    pub fn why(&self, wrong: &Wrong, text: &str) -> Option<Explanation<B::Rule>> {
        let listed = matches!(wrong, Wrong::Missing | Wrong::Extra);
        listed.then(|| B::explain(&self.position, text, &self.before).ok()).flatten()
    }

    /// What is said of the move `text`.
    pub fn sentence(&self, wrong: &Wrong, text: &str) -> String {
        wrong.sentence(text, self.why(wrong, text).as_ref())
    }
}

/// What is wrong with the divide `theirs`, each with its move; `ours` is that of `pos`.
pub fn differences<B: Counting>(pos: &Position<B>, ours: &Divide<B::Move>, theirs: &Reading) -> Vec<(Wrong, String)> {
    let total = theirs.total.map(|(sum, total)| (Wrong::Total(sum, total), String::new()));
    between(pos, ours, &theirs.moves).into_iter().chain(total).collect()
}

fn between<B: Counting>(pos: &Position<B>, ours: &Divide<B::Move>, theirs: &[Listed]) -> Vec<(Wrong, String)> {
    let mut by_name = HashMap::<&str, Vec<&Listed>>::new();
    for m in theirs {
        by_name.entry(&m.name).or_default().push(m);
    }
    let named = ours.moves.iter().map(|&(m, count)| (pos.move_text(m).to_string(), count));
    let (mut known, mut missing): (Vec<_>, Vec<_>) = named.partition(|(m, _)| by_name.contains_key(m.as_str()));
    missing.sort();
    known.sort();
    // A move that is not legal, but would be with a letter, and has the counts of all letters together.
    let is_sum = |m: &Listed| {
        let lettered = missing.iter().filter(|(text, _)| text.len() > m.name.len() && text.starts_with(&m.name));
        let counts = Vec::from_iter(lettered.map(|&(_, count)| count));
        counts.len() > 1 && counts.iter().sum::<u128>() == m.count
    };
    let first = |m: &&Listed| std::ptr::eq(by_name[m.name.as_str()][0], *m);
    let (bare, extra): (Vec<_>, Vec<_>) = theirs.iter().filter(first).filter(|m| !m.legal).partition(|m| is_sum(m));
    missing.retain(|(text, _)| bare.iter().all(|m| !text.starts_with(&m.name)));
    let repeated = theirs.iter().filter(first).filter(|m| by_name[m.name.as_str()].len() > 1);
    let counted = known.iter().flat_map(|(text, count)| {
        let mut counts = Vec::from_iter(by_name[text.as_str()].iter().map(|m| m.count).filter(|other| other != count));
        counts.dedup();
        counts.into_iter().map(move |other| (Wrong::Miscounted(*count, other), text))
    });
    let of = |wrong: Wrong| move |m: &Listed| (wrong.clone(), m.name.clone());
    let missing = missing.iter().map(|(m, _)| (Wrong::Missing, m.clone()));
    let repeated = repeated.map(of(Wrong::Repeated));
    let letterless = bare.into_iter().map(of(Wrong::Letterless));
    let listed = missing.chain(extra.into_iter().map(of(Wrong::Extra))).chain(repeated).chain(letterless);
    listed.chain(counted.map(|(wrong, m)| (wrong, m.clone()))).collect()
}

/// What is said where all counts are right but for their type.
pub(super) fn modulo(bits: u32) -> String {
    format!("all counts are right modulo 2^{bits}: their type is too small")
}

/// The bits of the type that is too small for the counts, if that is all that is wrong.
pub(super) fn too_few_bits_of(wrong: &[(Wrong, String)]) -> Option<u32> {
    let counts = wrong.iter().map(|(wrong, _)| match *wrong {
        Wrong::Miscounted(ours, theirs) | Wrong::Total(ours, theirs) => Some((ours, theirs)),
        _ => None,
    });
    too_few_bits(&counts.collect::<Option<Vec<_>>>()?)
}

/// Finds the first position below `root` in which `theirs`, another move generator, differs.
///
/// `theirs` gives the divide of a position: each of its moves as text, and the number of sequences of that many plies
/// that begin with it. A move whose counts differ is made, and the position after it compared, until the moves are not
/// the same. The moves may be written in any notation of the game. `None` if all counts of the root agree.
///
/// # Panics
/// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
///
/// ```
/// use tabiya::chess::{MoveKind, Position};
/// use tabiya::doctor::{Wrong, diff};
///
/// /// A generator that forgets en passant.
/// fn divide(position: &Position, depth: u32) -> Vec<(String, u64)> {
///     let moves = position.legal_moves().into_iter().filter(|m| !m.is(MoveKind::EnPassant));
///     moves.map(|m| (m.to_string(), count(&position.play_unchecked(m), depth - 1))).collect()
/// }
///
/// fn count(position: &Position, depth: u32) -> u64 {
///     if depth == 0 { 1 } else { divide(position, depth).iter().map(|(_, count)| count).sum() }
/// }
///
/// let start = Position::default();
/// assert!(diff(&start, 4, divide).is_none());
/// let node = diff(&start, 5, divide).expect("en passant");
/// assert_eq!(node.path(), ["a2a4", "a7a6", "a4a5", "b7b5"]);
/// let (wrong, text) = &node.wrong[0];
/// assert_eq!((wrong, text.as_str()), (&Wrong::Missing, "a5b6"));
/// assert!(node.sentence(wrong, text).starts_with("a5b6 is missing: the pawn on a5 captures the pawn on b5"));
/// ```
#[track_caller]
pub fn diff<B: Counting>(
    root: &Position<B>,
    depth: u32,
    mut theirs: impl FnMut(&Position<B>, u32) -> Vec<(String, u64)>,
) -> Option<Node<B>> {
    assert_depth(depth);
    let mut ask = |node: &Node<B>, depth| {
        let pos = &node.position;
        let name = |(text, count): (String, u64)| {
            let legal = pos.parse_move(&text).map(|m| pos.move_text(m).to_string());
            Listed { legal: legal.is_ok(), name: legal.unwrap_or(text), count: count.into() }
        };
        let theirs: Vec<Listed> = theirs(pos, depth).into_iter().map(name).collect();
        Ok::<_, Infallible>(Some(between(pos, &own_divide(pos, depth), &theirs)))
    };
    let mut found = Vec::new();
    let Ok(_) = walk(Node::root_of(0, *root), depth, true, &mut ask, &mut found);
    found.pop()
}

/// The bits that the types of counts have, signed and unsigned.
pub(super) const BITS: [u32; 8] = [7, 8, 15, 16, 31, 32, 63, 64];

/// The bits of a type that is too small for these counts, if the right one of each pair is the other one in that type.
pub fn too_few_bits(counts: &[(u128, u128)]) -> Option<u32> {
    let fits = |bits: &u32| counts.iter().all(|&(ours, theirs)| ours >> bits != 0 && ours % (1 << bits) == theirs);
    BITS.into_iter().find(fits).filter(|_| !counts.is_empty())
}

/// Our divide, by the fastest kernel on one thread.
pub(crate) fn own_divide<B: Counting>(pos: &Position<B>, depth: u32) -> Divide<B::Move> {
    let moves = Vec::from_iter(pos.divide(depth).map(|(m, count)| (m, u128::from(count))));
    Divide { total: moves.iter().map(|&(_, count)| count).sum(), moves }
}

/// Compares the moves of `node` and, where only counts differ, the positions after them, and appends to `found` the
/// positions in which something is wrong: all of them, or the `first` one whose moves are. Returns whether anything is.
///
/// `ask` says what is wrong with the divide of a position, of so many plies; `None` if that is not known: something is,
/// but there is no answer, or no more questions may be asked.
///
/// # Errors
/// The first error of `ask`.
pub(super) fn walk<B: Counting, E>(
    mut node: Node<B>,
    depth: u32,
    first: bool,
    ask: &mut impl FnMut(&Node<B>, u32) -> Result<Option<Vec<(Wrong, String)>>, E>,
    found: &mut Vec<Node<B>>,
) -> Result<bool, E> {
    if depth == 0 {
        return Ok(false);
    }
    let Some(mut wrong) = ask(&node, depth)? else { return Ok(true) };
    let is_listed = wrong.iter().any(|(wrong, _)| !wrong.is_counting());
    if first && (is_listed || wrong.len() > 1 && too_few_bits_of(&wrong).is_some()) {
        wrong.retain(|(wrong, _)| !is_listed || !matches!(wrong, Wrong::Miscounted(..)));
        found.push(Node { wrong, ..node });
        return Ok(true);
    }
    let mut counted = Vec::new();
    for (wrong, text) in wrong {
        match wrong {
            Wrong::Miscounted(ours, theirs) => counted.push((ours, theirs, text)),
            _ => node.wrong.push((wrong, text)),
        }
    }
    if !first {
        // A small difference has fewer causes.
        counted.sort_by_key(|(ours, theirs, _)| ours.abs_diff(*theirs));
    }
    let (mut below, mut followed) = (false, true);
    for (ours, theirs, text) in counted {
        let next = node.position.parse_move(&text).ok().filter(|_| followed && depth > 1);
        let Some(m) = next else {
            node.wrong.push((Wrong::Miscounted(ours, theirs), text));
            continue;
        };
        let child = node.child(m);
        let ends = child.position.count_legal() == 0;
        match walk(child, depth - 1, first, ask, found)? {
            true if first => return Ok(true),
            true => below = true,
            // It has no moves there, and yet a count.
            false if ends => node.wrong.push((Wrong::Finished(theirs), text)),
            false => node.wrong.push((Wrong::Miscounted(ours, theirs), text)),
        }
        // One of several that no position below explains is enough.
        followed = !first;
    }
    let any = !node.wrong.is_empty();
    if any {
        found.push(node);
    }
    Ok(any || below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves with their texts.
    type Named<B> = Vec<(String, <B as crate::game::Rules>::Move)>;

    /// The divide of a generator whose moves are those of `moves`.
    fn divide<B: Counting>(
        pos: &Position<B>,
        depth: u32,
        moves: &dyn Fn(&Position<B>) -> Named<B>,
    ) -> Vec<(String, u64)> {
        let count = |m| match depth {
            1 => 1,
            _ => divide(&pos.play_unchecked(m), depth - 1, moves).iter().map(|(_, count)| count).sum(),
        };
        moves(pos).into_iter().map(|(text, m)| (text, count(m))).collect()
    }

    #[cfg(feature = "chess")]
    #[test]
    fn missing_extra_and_repeated_moves_are_found_in_chess() {
        use crate::chess::{MoveKind, Position, Rule};
        let start = Position::default();
        let listed =
            |pos: &Position| Vec::from_iter(pos.legal_moves().into_iter().map(|m| (pos.san(m).to_string(), m)));
        assert!(diff(&start, 3, |pos, depth| divide(pos, depth, &listed)).is_none(), "SAN is read");
        assert!(diff(&start, 0, |_, _| Vec::new()).is_none());
        let pos: Position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap();
        let no_en_passant = |pos: &Position| {
            let mut moves = listed(pos);
            moves.retain(|(_, m)| !m.is(MoveKind::EnPassant));
            moves
        };
        let found = diff(&pos, 3, |pos, depth| divide(pos, depth, &no_en_passant)).expect("a difference");
        assert!(found.before.len() == 2 && found.position.en_passant().is_some(), "{found:?}");
        let [(Wrong::Missing, missing)] = &found.wrong[..] else { panic!("{found:?}") };
        assert!(found.why(&Wrong::Missing, missing).is_some_and(|why| why.legal && why.rule == Rule::EnPassant));
        let twice = |pos: &Position| {
            let mut moves = listed(pos);
            moves.extend(moves.first().cloned());
            moves.extend(moves.first().map(|&(_, m)| ("e1e5".to_string(), m)));
            moves
        };
        let found = diff(&pos, 2, |pos, depth| divide(pos, depth, &twice)).expect("a difference");
        assert!(found.before.is_empty(), "{found:?}");
        let [(Wrong::Extra, extra), (Wrong::Repeated, _)] = &found.wrong[..] else { panic!("{found:?}") };
        assert_eq!(found.sentence(&Wrong::Extra, extra), "e1e5 is not legal: a king does not move from e1 to e5");
        // Counts that no move below explains.
        let found = diff(&pos, 1, |pos, _| listed(pos).into_iter().map(|(text, _)| (text, 2)).collect());
        let wrong = found.expect("a difference").wrong;
        assert!(wrong.len() == 48 && wrong.iter().all(|(wrong, _)| *wrong == Wrong::Miscounted(1, 2)), "{wrong:?}");
    }

    #[cfg(feature = "xiangqi")]
    #[test]
    fn a_missing_move_is_found_in_xiangqi() {
        use crate::xiangqi::{Kind, Position};
        let start = Position::default();
        let all = |pos: &Position| Vec::from_iter(pos.legal_moves().into_iter().map(|m| (pos.wxf(m).to_string(), m)));
        assert!(diff(&start, 2, |pos, depth| divide(pos, depth, &all)).is_none(), "WXF is read");
        let no_advance = |pos: &Position| {
            let mut moves = all(pos);
            moves.retain(|&(_, m)| pos.moved_kind(m) != Kind::King || m.from().file() == m.to().file());
            moves
        };
        let found = diff(&start, 3, |pos, depth| divide(pos, depth, &no_advance)).expect("a difference");
        assert!(found.wrong.iter().all(|(wrong, _)| *wrong == Wrong::Missing), "{found:?}");
        let texts: Vec<&str> = found.wrong.iter().map(|(_, text)| text.as_str()).collect();
        let kings = found.position.legal_moves().into_iter().filter(|&m| found.position.moved_kind(m) == Kind::King);
        let mut sideways: Vec<String> = kings
            .filter(|m| m.from().file() != m.to().file())
            .map(|m| found.position.move_text(m).to_string())
            .collect();
        sideways.sort();
        assert!(!texts.is_empty() && texts == sideways, "{texts:?} {sideways:?}");
    }
}
