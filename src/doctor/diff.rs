//! [`diff`]: the first position in which another move generator differs from ours, and what differs there.
//!
//! `descend` follows differing counts to their cause. [`diff`] asks a function; `against` asks another engine with it.

use super::reading::{Listed, Reading};
use crate::game::{Board, Explanation, Position, Rules};
use crate::perft::MAX_DEPTH;
use crate::perft::count::Divide;
use std::collections::HashMap;
use std::convert::Infallible;

/// The differences between two divides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Differences {
    /// Legal moves that are missing there, with our counts.
    pub missing: Vec<(String, u128)>,
    /// Moves that are not legal, with their counts.
    pub extra: Vec<(String, u128)>,
    /// Moves that are there more than once, with the places in the list or the numbers of the lines, from 1.
    pub repeated: Vec<(String, Vec<usize>)>,
    /// Moves whose counts differ: our count, then theirs.
    pub differing: Vec<(String, u128, u128)>,
    /// Promotions that are there once for all pieces, without a letter.
    pub letterless: Vec<String>,
    /// A printed total that is not the sum of the counts: the sum, then the total.
    pub total: Option<(u128, u128)>,
}

impl Differences {
    /// The differences between `ours`, the divide of `pos`, and one that was printed.
    pub fn of<B: Board>(pos: &Position<B>, ours: &Divide<B::Move>, theirs: &Reading) -> Differences {
        Differences { total: theirs.total, ..Differences::between(pos, ours, &theirs.moves) }
    }

    /// The differences between `ours`, the divide of `pos`, and `theirs`.
    pub(super) fn between<B: Board>(pos: &Position<B>, ours: &Divide<B::Move>, theirs: &[Listed]) -> Differences {
        let mut differences = Differences::default();
        let mut by_name = HashMap::<&str, Vec<&Listed>>::new();
        for m in theirs {
            by_name.entry(&m.name).or_default().push(m);
        }
        for m in theirs {
            let all = &by_name[m.name.as_str()];
            if !std::ptr::eq(all[0], m) {
                continue;
            }
            if !m.legal {
                differences.extra.push((m.name.clone(), m.count));
            }
            if all.len() > 1 {
                differences.repeated.push((m.name.clone(), all.iter().map(|m| m.line).collect()));
            }
        }
        for &(m, count) in &ours.moves {
            let name = pos.move_text(m).to_string();
            let Some(all) = by_name.get(name.as_str()) else {
                differences.missing.push((name, count));
                continue;
            };
            let mut counts = Vec::from_iter(all.iter().map(|m| m.count));
            counts.dedup();
            let wrong = counts.into_iter().filter(|&other| other != count);
            differences.differing.extend(wrong.map(|other| (name.clone(), count, other)));
        }
        differences.join_promotions();
        differences.missing.sort();
        differences.differing.sort();
        differences
    }

    /// Finds the moves that are not legal, but would be with a letter, and have the counts of all letters together.
    fn join_promotions(&mut self) {
        let missing = std::mem::take(&mut self.missing);
        let is_sum = |(bare, count): &(String, u128)| {
            let lettered = missing.iter().filter(|(m, _)| m.len() > bare.len() && m.starts_with(bare));
            let counts = Vec::from_iter(lettered.map(|&(_, count)| count));
            counts.len() > 1 && counts.iter().sum::<u128>() == *count
        };
        let (bare, extra) = std::mem::take(&mut self.extra).into_iter().partition::<Vec<_>, _>(is_sum);
        self.extra = extra;
        self.letterless = bare.into_iter().map(|(bare, _)| bare).collect();
        self.missing = missing;
        self.missing.retain(|(m, _)| self.letterless.iter().all(|bare| !m.starts_with(bare)));
    }

    /// Whether there are no differences.
    pub fn is_empty(&self) -> bool {
        *self == Differences::default()
    }

    /// The bits of the type that is too small for the counts, if that is all that differs.
    pub fn too_few_bits(&self) -> Option<u32> {
        let counts = self.differing.iter().map(|&(_, ours, theirs)| (ours, theirs)).chain(self.total);
        let counts = Vec::from_iter(counts);
        too_few_bits(&counts).filter(|_| self.has_same_moves())
    }

    /// Whether the moves are the same, so that at most their counts differ.
    pub fn has_same_moves(&self) -> bool {
        let others = [self.missing.len(), self.extra.len(), self.repeated.len(), self.letterless.len()];
        others == [0; 4]
    }
}

/// The first position in which two move generators differ.
#[derive(Clone, Debug)]
pub struct Difference<B: Board> {
    /// The position.
    pub position: Position<B>,
    /// The moves that lead to it.
    pub path: Vec<String>,
    /// The plies that were counted from it.
    pub depth: u32,
    /// What differs: the moves; or only the counts, although no position below differs.
    pub found: Differences,
    /// Why the moves that differ are legal or illegal.
    pub explanations: Vec<(String, Explanation<B::Rule>)>,
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
/// use tabiya::chess::{MoveKind, Position, Rule};
/// use tabiya::doctor::diff;
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
/// let difference = diff(&start, 5, divide).expect("en passant");
/// assert_eq!((difference.path.join(" ").as_str(), difference.depth), ("a2a4 b8a6 a4a5 b7b5", 1));
/// assert_eq!(difference.found.missing, [("a5b6".to_string(), 1)]);
/// assert_eq!(difference.explanations[0].1.rule, Rule::EnPassant);
/// ```
#[track_caller]
pub fn diff<B: Board>(
    root: &Position<B>,
    depth: u32,
    mut theirs: impl FnMut(&Position<B>, u32) -> Vec<(String, u64)>,
) -> Option<Difference<B>> {
    assert!(depth <= MAX_DEPTH, "perft depth {depth}, expected at most {MAX_DEPTH}");
    let compare = |pos: &Position<B>, _: &[String], depth, ours: &Divide<B::Move>| {
        let name = |(line, (text, count)): (usize, (String, u64))| {
            let legal = pos.parse_move(&text).map(|m| pos.move_text(m).to_string());
            Listed { legal: legal.is_ok(), name: legal.unwrap_or(text), line, count: count.into() }
        };
        let theirs = if depth == 0 { Vec::new() } else { theirs(pos, depth) };
        let theirs: Vec<Listed> = (1..).zip(theirs).map(name).collect();
        Ok(Differences::between(pos, ours, &theirs))
    };
    let Ok::<_, Infallible>((_, difference)) = descend(root, depth, |pos, depth| Ok(own_divide(pos, depth)), compare);
    difference
}

/// The bits that the types of counts have, signed and unsigned.
pub(super) const BITS: [u32; 8] = [7, 8, 15, 16, 31, 32, 63, 64];

/// The bits of a type that is too small for these counts, if the right one of each pair is the other one in that type.
pub fn too_few_bits(counts: &[(u128, u128)]) -> Option<u32> {
    let fits = |bits: &u32| counts.iter().all(|&(ours, theirs)| ours >> bits != 0 && ours % (1 << bits) == theirs);
    BITS.into_iter().find(fits).filter(|_| !counts.is_empty())
}

/// Our divide, by the fastest kernel on one thread.
pub(crate) fn own_divide<B: Board>(pos: &Position<B>, depth: u32) -> Divide<B::Move> {
    let moves = Vec::from_iter(pos.divide(depth).map(|(m, count)| (m, u128::from(count))));
    Divide { total: moves.iter().map(|&(_, count)| count).sum(), moves }
}

/// Our divide of a position, and the first position below it that differs.
pub type Compared<B> = (Divide<<B as Rules>::Move>, Option<Difference<B>>);

/// Divides `root` and follows differing counts to their cause. `compare` compares our divide of a position, which has
/// been reached by some moves, with theirs.
///
/// # Errors
/// The first error of `divide` or `compare`.
pub(super) fn descend<B: Board, E>(
    root: &Position<B>,
    mut depth: u32,
    mut divide: impl FnMut(&Position<B>, u32) -> Result<Divide<B::Move>, E>,
    mut compare: impl FnMut(&Position<B>, &[String], u32, &Divide<B::Move>) -> Result<Differences, E>,
) -> Result<Compared<B>, E> {
    let mut pos = *root;
    let (mut path, mut before) = (Vec::new(), Vec::new());
    let root_divide = divide(&pos, depth)?;
    let mut ours = root_divide.clone();
    let mut above = Differences::default();
    loop {
        let mut found = compare(&pos, &path, depth, &ours)?;
        if found.has_same_moves() {
            let differs = |&&(m, _): &&(B::Move, u128)| {
                let text = pos.move_text(m).to_string();
                found.differing.iter().any(|(other, ..)| *other == text)
            };
            match ours.moves.iter().find(differs) {
                Some(&(m, _)) if depth > 1 => {
                    path.push(pos.move_text(m).to_string());
                    before.push((pos, m));
                    above = found;
                    pos.make(m);
                    depth -= 1;
                    ours = divide(&pos, depth)?;
                    continue;
                }
                None if path.is_empty() && found.total.is_none() => return Ok((root_divide, None)),
                // No move to follow: the other one contradicts itself. Unless the fault is in what it printed here, its
                // count of this position was wrong one ply above.
                _ => {
                    if let Some((parent, _)) = before.pop_if(|_| found.is_empty()) {
                        (pos, found) = (parent, above);
                        path.pop();
                        depth += 1;
                    }
                }
            }
        } else {
            found.differing.clear();
        }
        let moves = found.missing.iter().chain(&found.extra);
        let explain = |(m, _): &(String, u128)| Some((m.clone(), B::explain(&pos, m, &before).ok()?));
        let explanations = moves.filter_map(explain).collect();
        return Ok((root_divide, Some(Difference { position: pos, path, depth, found, explanations })));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves with their texts.
    type Named<B> = Vec<(String, <B as Rules>::Move)>;

    /// The divide of a generator whose moves are those of `moves`.
    fn divide<B: Board>(pos: &Position<B>, depth: u32, moves: &dyn Fn(&Position<B>) -> Named<B>) -> Vec<(String, u64)> {
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
        assert_eq!((found.path.len(), found.depth, found.found.missing.len()), (2, 1, 1));
        assert!(found.explanations.iter().all(|(_, why)| why.legal && why.rule == Rule::EnPassant), "{found:?}");
        assert!(found.found.extra.is_empty() && found.position.en_passant().is_some());
        let twice = |pos: &Position| {
            let mut moves = listed(pos);
            moves.extend(moves.first().cloned());
            moves.extend(moves.first().map(|&(_, m)| ("e1e5".to_string(), m)));
            moves
        };
        let found = diff(&pos, 2, |pos, depth| divide(pos, depth, &twice)).expect("a difference");
        assert_eq!((found.path.len(), found.depth), (0, 2));
        assert_eq!(found.found.repeated[0].1, [1, 49]);
        assert_eq!(found.found.extra.len(), 1);
        assert!(!found.explanations[0].1.legal);
        // Counts that no move below explains.
        let found = diff(&pos, 1, |pos, _| listed(pos).into_iter().map(|(text, _)| (text, 2)).collect());
        let found = found.expect("a difference").found;
        assert!(found.has_same_moves() && found.differing.len() == 48 && !found.is_empty());
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
        let texts: Vec<&str> = found.found.missing.iter().map(|(text, _)| text.as_str()).collect();
        let kings = found.position.legal_moves().into_iter().filter(|&m| found.position.moved_kind(m) == Kind::King);
        let mut sideways: Vec<String> = kings
            .filter(|m| m.from().file() != m.to().file())
            .map(|m| found.position.move_text(m).to_string())
            .collect();
        sideways.sort();
        assert!(!texts.is_empty() && texts == sideways, "{texts:?} {sideways:?}");
    }
}
