//! [`diff`]: the first position in which another move generator differs from ours, and what differs there.
//!
//! `first_difference` follows differing counts to their causes, for [`diff`] and for `perft --against`: each has its
//! own way to ask. [`Wrong::sentence`] is what all of them say of a wrong move.

use super::faults::Diagnosis;
use super::read::{Listed, Reading};
use crate::explain::Explanation;
use crate::game::count::kernel::assert_depth;
use crate::game::{Counting, Position};
use crate::perft::Divide;
use std::convert::Infallible;

/// What is wrong with a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wrong {
    /// Legal, but missing there.
    Missing,
    /// Not legal, but generated there.
    Extra,
    /// Generated more than once.
    Repeated,
    /// The printed total is not the sum of the counts: the sum, and the total.
    Total(u128, u128),
    /// Its count is wrong: our count and theirs.
    Miscounted(u128, u128),
}

impl Wrong {
    /// What is wrong with a move that is listed so many times, if anything.
    pub fn of_listing(is_legal: bool, times: usize) -> Option<Wrong> {
        match (is_legal, times) {
            (true, 0) => Some(Wrong::Missing),
            (false, 1..) => Some(Wrong::Extra),
            (true, 2..) => Some(Wrong::Repeated),
            _ => None,
        }
    }

    /// Whether the list of moves is wrong, not a count or how a move is printed.
    pub fn is_listing(&self) -> bool {
        matches!(self, Wrong::Missing | Wrong::Extra | Wrong::Repeated)
    }

    /// Its name in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Wrong::Missing => "missing",
            Wrong::Extra => "extra",
            Wrong::Repeated => "repeated",
            Wrong::Total(..) => "total",
            Wrong::Miscounted(..) => "miscounted",
        }
    }

    /// What is said of the move `text`, which is legal or not for this reason.
    pub fn sentence<R>(&self, text: &str, why: Option<&Explanation<R>>) -> String {
        let why = why.map_or(String::new(), |why| format!(": {why}"));
        match self {
            Wrong::Missing => format!("{text} is missing{why}"),
            Wrong::Extra => format!("{text} is not legal{why}"),
            Wrong::Repeated => format!("{text} is listed more than once"),
            Wrong::Total(sum, total) => format!("the total is printed as {total}, but the counts add up to {sum}"),
            Wrong::Miscounted(ours, theirs) => format!("{text} is counted as {theirs} instead of {ours}"),
        }
    }
}

/// A position of the tree that was compared.
#[derive(Clone, Debug)]
pub struct Node<B: Counting> {
    /// The positions and moves that lead to it.
    pub before: Vec<(Position<B>, B::Move)>,
    /// The position.
    pub position: Position<B>,
    /// What is wrong in it, each with its move. Counts are wrong here only if no position below is.
    pub wrong: Vec<(Wrong, String)>,
}

impl<B: Counting> Node<B> {
    /// The root of a tree.
    pub(crate) fn root_of(position: Position<B>) -> Node<B> {
        Node { before: Vec::new(), position, wrong: Vec::new() }
    }

    /// The position after a legal move.
    pub(crate) fn child(&self, m: B::Move) -> Node<B> {
        let mut before = self.before.clone();
        before.push((self.position, m));
        Node { before, position: self.position.play_unchecked(m), wrong: Vec::new() }
    }

    /// The moves that lead to it.
    pub fn path(&self) -> Vec<String> {
        self.before.iter().map(|(pos, m)| pos.move_text(*m).to_string()).collect()
    }

    /// The position from which it was reached.
    pub fn root(&self) -> &Position<B> {
        self.before.first().map_or(&self.position, |(root, _)| root)
    }
}

impl<B: Diagnosis> Node<B> {
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
    let mut ours = Vec::from_iter(ours.moves.iter().map(|&(m, count)| (pos.move_text(m).to_string(), count)));
    ours.sort();
    let of = |name: &str| Vec::from_iter(theirs.iter().filter(|m| m.name == name));
    let missing = ours.iter().filter(|(name, _)| of(name).is_empty()).map(|(name, _)| (Wrong::Missing, name.clone()));
    let mut wrong = Vec::from_iter(missing);
    let first = |m: &&Listed| of(&m.name).first().is_some_and(|first| std::ptr::eq(*first, *m));
    wrong.extend(theirs.iter().filter(first).filter(|m| !m.legal).map(|m| (Wrong::Extra, m.name.clone())));
    let repeated = theirs.iter().filter(first).filter(|m| of(&m.name).len() > 1);
    wrong.extend(repeated.map(|m| (Wrong::Repeated, m.name.clone())));
    for (name, count) in &ours {
        let mut others = Vec::from_iter(of(name).iter().map(|m| m.count).filter(|other| other != count));
        others.dedup();
        wrong.extend(others.into_iter().map(|other| (Wrong::Miscounted(*count, other), name.clone())));
    }
    wrong
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
        Ok::<_, Infallible>(between(pos, &own_divide(pos, depth), &theirs))
    };
    let Ok(found) = first_difference(Node::root_of(*root), depth, &mut ask);
    found
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

/// Compares the moves of `node` and, where only counts differ, the positions after them, down to the first position in
/// which a list is wrong, or a count that nothing below explains. `None` if nothing is wrong.
///
/// `ask` says what is wrong with the divide of a position, of so many plies.
///
/// # Errors
/// The first error of `ask`.
pub(super) fn first_difference<B: Counting, E>(
    node: Node<B>,
    depth: u32,
    ask: &mut impl FnMut(&Node<B>, u32) -> Result<Vec<(Wrong, String)>, E>,
) -> Result<Option<Node<B>>, E> {
    if depth == 0 {
        return Ok(None);
    }
    let mut wrong = ask(&node, depth)?;
    let is_listed = wrong.iter().any(|(wrong, _)| wrong.is_listing());
    if is_listed || wrong.len() > 1 && too_few_bits_of(&wrong).is_some() {
        wrong.retain(|(wrong, _)| !is_listed || !matches!(wrong, Wrong::Miscounted(..)));
        return Ok(Some(Node { wrong, ..node }));
    }
    for (wrong, text) in &wrong {
        let is_count = matches!(wrong, Wrong::Miscounted(..)) && depth > 1;
        if let Some(m) = node.position.parse_move(text).ok().filter(|_| is_count)
            && let Some(found) = first_difference(node.child(m), depth - 1, ask)?
        {
            return Ok(Some(found));
        }
    }
    Ok((!wrong.is_empty()).then_some(Node { wrong, ..node }))
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
        use crate::chess::{MoveKind, Position};
        use crate::explain::chess::Rule;
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
