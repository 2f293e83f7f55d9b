//! Names faults that move lists do not show: of counting, of making and taking back moves in the count, of hash tables.
//!
//! The other program is asked for [`Diagnosis::PROBES`], small positions in which such faults change a count, and each
//! fault of a list is carried out on them. It is named only if it gives every number that was printed. The order of the
//! printed moves is used: what an engine does not take back changes the counts that follow. There the order below the
//! root matters too, which is not printed; of these faults the one that gives most of the small divides that are wrong
//! is named, if these are two thirds of them.

use super::{Counts, Node, Probe, Wrong, sorted, texts};
use crate::doctor::diff::BITS;
use crate::doctor::faults::{Diagnosis, Engines, Fault, FaultKind, FaultyBoard, Forgotten, Switches, deed_of};
use crate::doctor::seeded::Faults;
use crate::game::{Board, PerSide, Position, Side};
use std::collections::{BTreeSet, HashMap};

/// Carries out a fault: what it prints for a position; `None` if that cannot be known.
type Engine<B> = Box<dyn FnMut(&Probe<B>) -> Option<Counts>>;

/// A fault that is not one of a move list.
pub struct Miscount<B: Diagnosis> {
    /// What it is a fault of.
    pub subject: &'static str,
    /// What an engine with it does, without its subject.
    pub deed: String,
    /// Whether later positions are wrong by it, so that their move lists tell nothing.
    pub spoils_boards: bool,
    engine: Engine<B>,
}

impl<B: Diagnosis> Miscount<B> {
    /// Whether an engine with this fault has the same moves in the position of `node`.
    pub fn has(&mut self, node: &Node<B>) -> bool {
        let mut theirs = texts(&node.position);
        for (wrong, text) in &node.wrong {
            match wrong {
                Wrong::Missing => _ = theirs.remove(text),
                Wrong::Extra => _ = theirs.insert(text.clone()),
                Wrong::Repeated => return false,
                Wrong::Finished(_)
                | Wrong::Miscounted(..)
                | Wrong::Total(..)
                | Wrong::Letterless
                | Wrong::Failed(_) => {}
            }
        }
        let probe = Probe { node: node.clone(), depth: 1, theirs: Vec::new() };
        let predicted = (self.engine)(&probe).unwrap_or_else(|| probe.right());
        predicted.into_iter().map(|(text, _)| text).collect::<BTreeSet<_>>() == theirs
    }
}

/// A probe with its printed and its right counts, sorted.
type Compared<'a, B> = (&'a Probe<B>, Counts, Counts);

/// The fault that gives what was printed. Only where all move lists are right it may be one of making moves.
pub fn name<B: Diagnosis>(probes: &[Probe<B>], lists_are_right: bool) -> Option<Miscount<B>> {
    let compared: Vec<Compared<'_, B>> =
        probes.iter().map(|probe| (probe, sorted(&probe.theirs), sorted(&probe.right()))).collect();
    if compared.iter().all(|(_, theirs, right)| theirs == right) {
        return None;
    }
    let fits = |fault: &mut Miscount<B>| {
        compared.iter().all(|(probe, theirs, right)| match (fault.engine)(probe) {
            Some(counts) => sorted(&counts) == *theirs,
            None => theirs == right,
        })
    };
    let exact = exact(lists_are_right).into_iter().find_map(|mut fault| fits(&mut fault).then_some(fault));
    exact.or_else(|| nearest(&compared))
}

/// The fault of taking moves back that gives most of the small divides that are wrong.
fn nearest<B: Diagnosis>(compared: &[Compared<'_, B>]) -> Option<Miscount<B>> {
    let size = |counts: &Counts| counts.iter().map(|(_, n)| n).sum::<u128>();
    let small = Vec::from_iter(compared.iter().filter(|(_, _, right)| size(right) <= SMALL));
    let wrong = small.iter().filter(|(_, theirs, right)| theirs != right).count();
    let rated = of_taking_back().into_iter().map(|mut fault: Miscount<B>| {
        let (mut given, mut not) = (0, 0);
        for (probe, theirs, right) in &small {
            let counts = (fault.engine)(probe).map(|counts| sorted(&counts));
            match counts.as_ref() == Some(theirs) {
                true => given += usize::from(theirs != right),
                false => not += 1,
            }
        }
        (given, not, fault)
    });
    let (given, not, fault) = rated.reduce(|a, b| if (b.0, a.1) > (a.0, b.1) { b } else { a })?;
    (not == 0 || given >= 3 && 3 * given >= 2 * wrong && 2 * not <= wrong).then_some(fault).filter(|_| given > 0)
}

/// Most nodes of a small divide.
const SMALL: u128 = 700;

/// The faults that give exact counts, common ones first.
fn exact<B: Diagnosis>(lists_are_right: bool) -> Vec<Miscount<B>> {
    let mut all = of_counting();
    all.extend(of_lists());
    all.extend(of_tables());
    if lists_are_right {
        all.extend(of_making());
    }
    all
}

/// The count of a node that is not the sum of its moves' counts, from the position, those before it, the number of its
/// moves, and whether it is check.
type CountOf<B> = fn(&Position<B>, path: &[Position<B>], moves: usize, check: bool) -> Option<u128>;

/// How a node is counted. `path` holds the positions before it, `depth` the plies left.
struct Tree<B: Board> {
    node: CountOf<B>,
    /// Every node above the last ply counts as well.
    interior: bool,
}

impl<B: Diagnosis> Tree<B> {
    fn count(&self, pos: &Position<B>, path: &mut Vec<Position<B>>, check: bool, depth: u32) -> u128 {
        if depth == 0 {
            return 1;
        }
        let moves = pos.legal_moves();
        if let Some(count) = (self.node)(pos, path, moves.len(), check) {
            return count;
        }
        path.push(*pos);
        let count =
            |&m: &B::Move| self.count(&pos.play_unchecked(m), path, B::facts(pos, m).check.is_some(), depth - 1);
        let sum = u128::from(self.interior) + moves.iter().map(count).sum::<u128>();
        path.pop();
        sum
    }

    /// The divide of a probe, with `depth` plies instead of its own.
    fn divide(&self, probe: &Probe<B>, depth: u32) -> Counts {
        let pos = probe.node.position;
        let mut path = Vec::from_iter(probe.node.before.iter().map(|(pos, _)| *pos));
        path.push(pos);
        let count = |(m, name): (B::Move, String)| {
            (name, self.count(&pos.play_unchecked(m), &mut path, B::facts(&pos, m).check.is_some(), depth - 1))
        };
        probe.moves().into_iter().map(count).collect()
    }
}

/// The fields of a FEN.
fn field(fen: &str, at: usize) -> &str {
    fen.split(' ').nth(at).unwrap_or_default()
}

/// The pieces of a position other than kings.
fn pieces<B: Diagnosis>(pos: &Position<B>) -> Vec<char> {
    let fen = pos.to_fen();
    field(&fen, 0).chars().filter(|c| c.is_ascii_alphabetic() && !matches!(c, 'k' | 'K')).collect()
}

fn repetitions<B: Diagnosis>(pos: &Position<B>, path: &[Position<B>]) -> usize {
    let place = |pos: &Position<B>| pos.to_fen().split(' ').take(4).map(String::from).collect::<Vec<_>>();
    let here = place(pos);
    path.iter().filter(|earlier| place(earlier) == here).count()
}

/// Faults of counting alone.
fn of_counting<B: Diagnosis>() -> Vec<Miscount<B>> {
    let mut faults: Vec<Miscount<B>> = Vec::new();
    let mut add = |deed: &str, engine: Engine<B>| {
        faults.push(Miscount { subject: "counting", deed: deed.into(), spoils_boards: false, engine });
    };
    let plain: Tree<B> = Tree { node: |_, _, _, _| None, interior: false };
    add("counts the positions on the way as well, not those of the last ply alone", {
        let tree = Tree { interior: true, ..plain };
        Box::new(move |probe| Some(tree.divide(probe, probe.depth)))
    });
    add("counts the positions below each move on the way as well, not those of the last ply alone", {
        let tree: Tree<B> = Tree { node: |_, _, _, _| None, interior: true };
        Box::new(move |probe| {
            let below = u128::from(probe.depth > 1);
            Some(tree.divide(probe, probe.depth).into_iter().map(|(name, n)| (name, n - below)).collect())
        })
    });
    add(
        "counts one ply too many",
        Box::new(move |probe| {
            let tree: Tree<B> = Tree { node: |_, _, _, _| None, interior: false };
            Some(tree.divide(probe, probe.depth + 1))
        }),
    );
    add(
        "counts one ply too few",
        Box::new(move |probe| {
            let tree: Tree<B> = Tree { node: |_, _, _, _| None, interior: false };
            Some(tree.divide(probe, probe.depth.saturating_sub(1).max(1)))
        }),
    );
    add(
        "prints with each move the sum so far",
        Box::new(|probe| {
            let mut sum = 0;
            let running = |(name, count)| {
                sum += count;
                (name, sum)
            };
            Some(probe.right().into_iter().map(running).collect())
        }),
    );
    for bits in BITS {
        let deed = format!("counts modulo 2^{bits}: the type of its counts is too small");
        add(
            &deed,
            Box::new(move |probe| Some(probe.right().into_iter().map(|(name, n)| (name, n % (1 << bits))).collect())),
        );
    }
    let ends: [(&str, CountOf<B>); 14] = [
        ("counts every finished game, mate or stalemate, as one", |_, _, n, _| (n == 0).then_some(1)),
        ("counts every checkmate as one", |_, _, n, check| (n == 0 && check).then_some(1)),
        ("counts every stalemate as one", |_, _, n, check| (n == 0 && !check).then_some(1)),
        ("ends the count after fifty moves without capture or pawn move, and counts nothing there", |pos, _, _, _| {
            fifty(pos).then_some(0)
        }),
        ("ends the count after fifty moves without capture or pawn move, and counts one there", |pos, _, _, _| {
            fifty(pos).then_some(1)
        }),
        ("ends the count when a position repeats, and counts nothing there", |pos, path, _, _| {
            (repetitions(pos, path) > 0).then_some(0)
        }),
        ("ends the count when a position repeats, and counts one there", |pos, path, _, _| {
            (repetitions(pos, path) > 0).then_some(1)
        }),
        ("ends the count when a position is there for the third time, and counts nothing there", |pos, path, _, _| {
            (repetitions(pos, path) > 1).then_some(0)
        }),
        ("ends the count when a position is there for the third time, and counts one there", |pos, path, _, _| {
            (repetitions(pos, path) > 1).then_some(1)
        }),
        ("ends the count when only kings are left, and counts nothing there", |pos, _, _, _| {
            pieces(pos).is_empty().then_some(0)
        }),
        ("ends the count when only kings are left, and counts one there", |pos, _, _, _| {
            pieces(pos).is_empty().then_some(1)
        }),
        ("ends the count when nobody has the pieces to win, and counts nothing there", |pos, _, _, _| {
            insufficient(pos).then_some(0)
        }),
        ("ends the count when nobody has the pieces to win, and counts one there", |pos, _, _, _| {
            insufficient(pos).then_some(1)
        }),
        ("ends the count at every check, and counts one there", |_, _, _, check| check.then_some(1)),
    ];
    for (deed, node) in ends {
        add(deed, Box::new(move |probe| Some(Tree { node, interior: false }.divide(probe, probe.depth))));
    }
    faults
}

fn fifty<B: Diagnosis>(pos: &Position<B>) -> bool {
    field(&pos.to_fen(), 4).parse::<u32>().is_ok_and(|plies| plies >= 100)
}

fn insufficient<B: Diagnosis>(pos: &Position<B>) -> bool {
    matches!(pieces(pos)[..], [] | ['n' | 'b' | 'N' | 'B'])
}

/// Faults of the lists of moves within the count.
fn of_lists<B: Diagnosis>() -> Vec<Miscount<B>> {
    let mut faults: Vec<Miscount<B>> = Vec::new();
    let right = || Switches::new::<B::Fault>(&[]);
    // What castles into check is not tested either, if that is tested by making the move.
    let any = |alone: bool| {
        let follow = B::Fault::FOLLOW.iter().filter(|(first, _)| !alone && *first == B::Fault::ANY_MOVE);
        let kinds = follow.map(|&(_, then)| then).chain([B::Fault::ANY_MOVE]);
        Switches::new(&[kinds.map(|kind| Fault { kind, side: None }).collect()])
    };
    for (deed, kept) in [
        ("does not clear its list of moves: the moves of one position are still in it at the next", true),
        ("counts the moves of the position before as well: its list of moves begins too early", false),
    ] {
        for listed in [right(), any(true), any(false)] {
            let engine = move |probe: &Probe<B>| {
                let root = B::sound_board(&probe.node.position);
                let mut before = moves(&root, &listed).len() as u128;
                let count = |(m, name): (B::Move, String)| {
                    let child = B::sound_board(&probe.node.position.play_unchecked(m));
                    let all = before + moves(&child, &listed).len() as u128;
                    before = if kept { all } else { before };
                    (name, all)
                };
                match probe.depth {
                    1 => Some(probe.right()),
                    2 => Some(probe.moves().into_iter().map(count).collect()),
                    _ => Some(probe.theirs.clone()),
                }
            };
            let (deed, engine) = (deed.into(), Box::new(engine));
            faults.push(Miscount { subject: "list of moves", deed, spoils_boards: true, engine });
        }
    }
    for last in [any(true), any(false)] {
        let (deed, right) = ("counts in the last ply moves that leave the king in check".into(), right());
        let engine = move |probe: &Probe<B>| {
            Some(divide(probe, &right, &mut |board, depth| last_ply(board, depth, &right, &last)))
        };
        faults.push(Miscount { subject: "list of moves", deed, spoils_boards: false, engine: Box::new(engine) });
    }
    faults
}

/// The one engine of a walk.
const ONE: Engines = 1;

/// The moves of one engine.
fn moves<B: FaultyBoard>(board: &B, switches: &Switches) -> Vec<B::Move> {
    let mut list = Vec::new();
    board.moves(switches, ONE, &mut list);
    list.into_iter().map(|(m, _)| m).collect()
}

/// The board of one engine after a move.
fn made<B: FaultyBoard>(board: &B, m: B::Move, switches: &Switches) -> B {
    let mut list = Vec::new();
    board.make(m, switches, ONE, &mut list);
    list.swap_remove(0).0
}

/// The divide of a probe whose root moves are those of `switches`; `count` counts below them.
fn divide<B: Diagnosis>(
    probe: &Probe<B>,
    switches: &Switches,
    count: &mut dyn FnMut(&B::Faulty, u32) -> u128,
) -> Counts {
    let root = B::sound_board(&probe.node.position);
    let line = |m| (root.move_text(m).to_string(), count(&made(&root, m, switches), probe.depth - 1));
    moves(&root, switches).into_iter().map(line).collect()
}

/// A count whose last ply has other moves.
fn last_ply<B: FaultyBoard>(board: &B, depth: u32, switches: &Switches, last: &Switches) -> u128 {
    match depth {
        0 => 1,
        1 => moves(board, last).len() as u128,
        _ => moves(board, switches)
            .into_iter()
            .map(|m| last_ply(&made(board, m, switches), depth - 1, switches, last))
            .sum(),
    }
}

/// Faults of making moves that show only where the engine makes them itself: positions that it reads are right.
fn of_making<B: Diagnosis>() -> Vec<Miscount<B>> {
    let fault = |fault: Fault<B::Fault>| {
        let faults: Faults<B> = vec![fault];
        let switches = Switches::new(&[faults]);
        let engine = move |probe: &Probe<B>| {
            Some(divide(probe, &switches, &mut |board, depth| last_ply(board, depth, &switches, &switches)))
        };
        Miscount { subject: "making moves", deed: deed_of::<B>(fault), spoils_boards: false, engine: Box::new(engine) }
    };
    Fault::all().into_iter().map(fault).collect()
}

/// An engine that makes and takes back moves on one board, and forgets to restore something.
struct TakingBack<'a, B: FaultyBoard> {
    board: B,
    /// Where it takes the kings to be.
    kings: PerSide<Option<usize>>,
    forgotten: Forgotten,
    /// Whether it makes a move to see whether it is legal.
    tries: bool,
    /// Whether it makes the moves of the last ply.
    makes_last: bool,
    /// Whether it begins with the pieces on the last ranks.
    backwards: bool,
    right: &'a Switches,
    any: &'a Switches,
}

impl<B: FaultyBoard> TakingBack<'_, B> {
    /// The count, by the moves of the root in this order if they are given.
    fn count(&mut self, depth: u32, mut divide: Option<(&[(String, u128)], &mut Counts)>) -> u128 {
        if depth == 0 {
            return 1;
        }
        let mut list = moves(&self.board, if self.tries { self.any } else { self.right });
        let origin = |m: &B::Move| {
            let text = self.board.move_text(*m);
            let bytes = text.as_str().as_bytes();
            (bytes[1], bytes[0])
        };
        list.sort_by_key(origin);
        if self.backwards {
            list.reverse();
        }
        if let Some((order, _)) = &divide {
            // A move that is not printed was found illegal after the one before it.
            let mut last = 0;
            let place = |m: &B::Move| {
                let text = self.board.move_text(*m);
                last = order.iter().position(|(name, _)| *name == text.as_str()).unwrap_or(last);
                last
            };
            let places = Vec::from_iter(list.iter().map(place));
            let mut placed = Vec::from_iter(places.into_iter().zip(list));
            placed.sort_by_key(|(place, _)| *place);
            list = placed.into_iter().map(|(_, m)| m).collect();
        }
        let mut sum = 0;
        for m in list {
            let name = divide.is_some().then(|| self.board.move_text(m).to_string());
            if self.tries {
                let side = self.board.side();
                let king = self.board.king_after(m).or(self.kings[side]);
                let legal = king.is_none_or(|king| self.board.is_safe(m, king));
                let before = self.make(m);
                self.take_back(before, m);
                if !legal {
                    continue;
                }
            }
            let count = if depth == 1 && !self.makes_last {
                1
            } else {
                let before = self.make(m);
                let count = self.count(depth - 1, None);
                self.take_back(before, m);
                count
            };
            sum += count;
            if let (Some(name), Some((_, counts))) = (name, &mut divide) {
                counts.push((name, count));
            }
        }
        sum
    }

    /// Makes a move; returns the board and the kings before it.
    fn make(&mut self, m: B::Move) -> (B, PerSide<Option<usize>>) {
        let next = made(&self.board, m, self.right);
        let (side, kings, king) = (self.board.side(), self.kings, self.board.king_after(m));
        self.kings[side] = king.or(kings[side]);
        (std::mem::replace(&mut self.board, next), kings)
    }

    fn take_back(&mut self, (before, kings): (B, PerSide<Option<usize>>), m: B::Move) {
        self.board = self.board.taken_back(&before, m, self.forgotten);
        if !matches!(self.forgotten, Forgotten::All | Forgotten::King) {
            self.kings = kings;
        }
    }
}

/// Faults of taking moves back.
fn of_taking_back<B: Diagnosis>() -> Vec<Miscount<B>> {
    let mut faults: Vec<Miscount<B>> = Vec::new();
    let ways = [(true, true), (true, false), (false, true), (false, false)];
    for (backwards, (tries, makes_last)) in [false, true].into_iter().flat_map(|order| ways.map(|way| (order, way))) {
        for &forgotten in B::Faulty::FORGOTTEN {
            let engine = move |probe: &Probe<B>| {
                let right = Switches::new::<B::Fault>(&[]);
                let any = Switches::new(&[vec![Fault { kind: B::Fault::ANY_MOVE, side: None }]]);
                let board = B::sound_board(&probe.node.position);
                let kings = PerSide(Side::BOTH.map(|side| board.king_of(side)));
                let (right, any) = (&right, &any);
                let mut engine = TakingBack { board, kings, forgotten, tries, makes_last, backwards, right, any };
                let mut counts = Vec::new();
                engine.count(probe.depth, Some((&probe.theirs, &mut counts)));
                Some(counts)
            };
            let deed = format!("{} when it takes a move back", forgotten.deed());
            faults.push(Miscount { subject: "taking moves back", deed, spoils_boards: true, engine: Box::new(engine) });
        }
    }
    faults
}

/// Faults of a hash table, which is kept from count to count or not, and used down to one or two plies.
fn of_tables<B: Diagnosis>() -> Vec<Miscount<B>> {
    let mut faults: Vec<Miscount<B>> = Vec::new();
    for (what, lacks) in
        [("the depth", DEPTH), ("the side to move", 1), ("castling rights", 2), ("the en passant square", 3)]
    {
        for (kept, least) in [(false, 1), (false, 2), (true, 1), (true, 2)] {
            let mut table = HashMap::new();
            let engine = move |probe: &Probe<B>| {
                if !kept {
                    table.clear();
                }
                let pos = probe.node.position;
                let line =
                    |(m, name)| (name, by_table(&pos.play_unchecked(m), probe.depth - 1, &mut table, lacks, least));
                Some(probe.moves().into_iter().map(line).collect())
            };
            let deed = format!("does not have {what} in the key of its hash table");
            faults.push(Miscount { subject: "hash table", deed, spoils_boards: false, engine: Box::new(engine) });
        }
    }
    faults
}

/// The depth, in place of a field of the FEN.
const DEPTH: usize = 4;

/// A count with a table whose key lacks a field of the FEN, or the depth.
fn by_table<B: Diagnosis>(
    pos: &Position<B>,
    depth: u32,
    table: &mut HashMap<(String, u32), u128>,
    lacks: usize,
    least: u32,
) -> u128 {
    if depth == 0 {
        return 1;
    }
    let fen = pos.to_fen();
    let fields = Vec::from_iter((0..4).filter(|&at| at != lacks).map(|at| field(&fen, at)));
    let key = (fields.join(" "), if lacks == DEPTH { 0 } else { depth });
    if depth >= least
        && let Some(&count) = table.get(&key)
    {
        return count;
    }
    let count =
        pos.legal_moves().iter().map(|&m| by_table(&pos.play_unchecked(m), depth - 1, table, lacks, least)).sum();
    if depth >= least {
        table.insert(key, count);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::sample;

    /// The probes of a game, answered by `fault`.
    fn answered<B: Diagnosis>(fault: &mut Miscount<B>) -> Vec<Probe<B>> {
        let mut probes = Vec::new();
        for &(fen, moves, depth) in B::PROBES {
            let mut node = Node::root_of(0, Position::<B>::from_fen(fen).unwrap());
            for text in moves.split_whitespace() {
                node = node.child(node.position.parse_move(text).unwrap());
            }
            if node.position.perft(depth) > sample(1_000, 2_000) {
                continue;
            }
            let mut probe = Probe { node, depth, theirs: Vec::new() };
            probe.theirs = (fault.engine)(&probe).unwrap_or_else(|| probe.right());
            probes.push(probe);
        }
        probes
    }

    /// Carries out every fault; how many are named. A right engine has none.
    fn named<B: Diagnosis>(most_as_others: usize) -> usize {
        let back = of_taking_back().into_iter().take(B::Faulty::FORGOTTEN.len());
        let (mut named, mut as_others) = (0, Vec::new());
        for mut fault in of_counting::<B>().into_iter().chain(of_lists()).chain(of_tables()).chain(back) {
            let probes = answered(&mut fault);
            match name(&probes, true) {
                Some(found) if found.deed == fault.deed => named += 1,
                Some(found) => as_others.push((fault.deed, found.deed)),
                None => assert!(!probes.iter().any(Probe::is_wrong), "{}", fault.deed),
            }
        }
        assert!(as_others.len() <= most_as_others, "{as_others:?}");
        let mut right =
            Miscount { subject: "", deed: String::new(), spoils_boards: false, engine: Box::new(|_: &Probe<B>| None) };
        assert!(name(&answered(&mut right), true).is_none());
        named
    }

    #[cfg(feature = "chess")]
    #[test]
    fn faults_of_counting_are_named_in_chess() {
        let named = named::<crate::chess::Board>(6);
        assert!(named >= 35, "{named}");
    }

    #[cfg(feature = "xiangqi")]
    #[test]
    fn faults_of_counting_are_named_in_xiangqi() {
        let named = named::<crate::xiangqi::Board>(6);
        assert!(named >= 15, "{named}");
    }
}
