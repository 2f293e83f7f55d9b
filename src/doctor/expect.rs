//! Which fault of a move generator gives exactly the totals that another program counted.
//!
//! [`find`] counts with every single fault, then, if none fits, with pairs, and [`first_shown`] finds a way to a
//! position that shows a fault. Some number always fits something: [`Findings::chance`] says how easily, and
//! [`deciding`] which total tells the faults that fit apart.
//!
//! The smaller totals are counted first, and each of them ply by ply: an engine that is far off at a smaller depth is
//! counted no further.

use super::diff::{Node, Wrong};
use super::seeded::{Faults, Single, divides, right_total, surpluses, totals};
use crate::doctor::faults::{Diagnosis, Engines, Fault, FaultyBoard, Switches};
use crate::game::{Board, Columns, Position};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// Another program's total.
#[derive(Clone, Copy)]
pub struct Expected<B: Board> {
    /// The position that it counted from.
    pub position: Position<B>,
    /// How many plies.
    pub depth: u32,
    /// What it counted.
    pub theirs: u128,
    /// The right total.
    pub ours: u128,
}

impl<B: Board> Expected<B> {
    /// By how much the other total is too large.
    fn surplus(&self) -> i128 {
        surplus(self.theirs, self.ours)
    }
}

fn surplus(theirs: u128, ours: u128) -> i128 {
    theirs.wrapping_sub(ours) as i128
}

/// What was found.
pub struct Findings<B: Diagnosis> {
    /// The engines that give exactly the totals: single faults, or else pairs.
    pub engines: Vec<Faults<B>>,
    /// How many engines with a single fault, and with a pair, were compared.
    pub compared: [usize; 2],
    /// How likely it is that one of those compared last gives totals like these by chance, from 0 to 1.
    pub chance: f64,
    /// Engines with a single fault whose totals at a smaller depth were so far off that they were not counted further.
    pub far_off: usize,
    /// If the time was up before all were counted: the engines of those compared that were not ruled out.
    pub left: Option<Vec<Faults<B>>>,
}

/// A larger [`Findings::chance`] is weak evidence.
pub const WEAK: f64 = 0.05;

/// The least chance that a pair gives a total by chance: of 47 totals of perft 3 by 25 versions of published engines,
/// which no single fault gives, a pair fitted 28, whether it was what is wrong there or not.
const PAIR_FITS: f64 = 0.6;

/// What is being counted.
pub struct Stage {
    /// The engines.
    pub engines: usize,
    /// How many plies.
    pub depth: u32,
    /// Of the work for this depth, how much is done, and how much there is.
    pub done: [usize; 2],
}

/// A larger total takes minutes to count with many pairs of faults.
const LARGE: u128 = 10_000_000;

/// The most pairs that are counted: those whose faults add up best. Of 111 pairs drawn at random, counted three or four
/// plies deep, all were among the best 512, and all but six among the best 64.
fn most_pairs(total: u128) -> usize {
    if total > LARGE { 64 } else { 512 }
}

/// Finds the faults that give all of `expected`, of which at least one differs from the right total. `watch` is told
/// how far it has come.
pub fn find<B: Diagnosis>(
    expected: &[Expected<B>],
    threads: usize,
    stop: &AtomicBool,
    watch: &(dyn Fn(Stage) + Sync),
) -> Findings<B> {
    let mut order = Vec::from_iter(expected.iter().map(|one| one.ours).zip(0..));
    order.sort_unstable();
    let all = order.into_iter().map(|(_, at): (u128, usize)| &expected[at]).collect();
    let mut search = Search { expected: all, threads, stop, watch, left: Vec::new() };
    let mut found = Findings { engines: Vec::new(), compared: [0; 2], chance: 0.0, far_off: 0, left: None };
    if search.run(&mut found).is_none() {
        found.left = Some(search.left);
    }
    found
}

/// The engines with a single fault that print exactly the divide `theirs` of `depth` plies, at least 1; `None` if
/// `stop` was set before all were counted.
pub fn find_by_divide<B: Diagnosis>(
    pos: &Position<B>,
    depth: u32,
    theirs: &BTreeMap<String, u128>,
    stop: &AtomicBool,
) -> Option<Vec<Faults<B>>> {
    // The first has no fault. Its divide is that of all faults that do not show here: it accuses none.
    let engines = Vec::from_iter([vec![]].into_iter().chain(Fault::all().into_iter().map(|fault| vec![fault])));
    let divides = divides(pos, depth, &engines, stop)?;
    if divides.first() == Some(theirs) {
        return Some(Vec::new());
    }
    Some(engines.into_iter().zip(divides).filter(|(_, divide)| divide == theirs).map(|(faults, _)| faults).collect())
}

/// Why an engine is not counted to the full depth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Off {
    TooFar,
    TooLittle,
    /// Too many, where too few are wanted, or the other way round.
    Opposite,
}

/// Whether an engine that is off by `surplus` at a smaller depth, where `right` is right, can hardly be off by `wanted`
/// `plies` plies later, where the tree is `growth` times as large. A difference grows like the tree, but for small
/// ones, and where the engine's own tree is quite another one.
fn far_off(surplus: i128, right: u128, wanted: i128, growth: f64, plies: u32) -> Option<Off> {
    // Measured in positions with few pieces, where it varies most: of 3,650 differences of 16 or more, but smaller than
    // the right count, none but two and those of reading FENs grew by less than 1/32 of what the tree did with one more
    // ply, none of 1,000 or more by less than 1/8, or by more than six times as much.
    // Of those of 1,000 or more, only some of faults that make wrong boards changed their sign.
    const SOME: u128 = 64;
    const MANY: u128 = 1_000;
    let opposite = surplus.signum() != wanted.signum();
    let (off, wanted) = (surplus.unsigned_abs(), wanted.unsigned_abs() as f64);
    let later = off as f64 * growth;
    let margin = |of_a_ply: f64| of_a_ply.powi(plies as i32);
    let slow = margin(if off < MANY { 32.0 } else { 8.0 });
    if off >= SOME && later > wanted * slow {
        Some(Off::TooFar)
    } else if (MANY..right).contains(&off) && opposite {
        Some(Off::Opposite)
    } else if (MANY..right).contains(&off) && later * margin(16.0) < wanted {
        Some(Off::TooLittle)
    } else {
        None
    }
}

/// Whether an engine with these faults begins at another board: its tree has nothing to do with the right one.
fn misreads<B: Diagnosis>(pos: &Position<B>, faults: &Faults<B>) -> bool {
    let (root, mut boards) = (B::sound_board(pos), Vec::new());
    root.read(&Switches::new(std::slice::from_ref(faults)), 1, &mut boards);
    boards.iter().any(|(board, _)| *board != root)
}

/// A search for the faults.
struct Search<'a, B: Diagnosis> {
    /// The smallest first.
    expected: Vec<&'a Expected<B>>,
    threads: usize,
    stop: &'a AtomicBool,
    watch: &'a (dyn Fn(Stage) + Sync),
    /// The engines that are not ruled out.
    left: Vec<Faults<B>>,
}

/// Engines with the surplus of each at the full depth, and those that were not counted so far.
type Counted<B> = (Vec<(Faults<B>, i128)>, Vec<(Faults<B>, Off)>);

impl<B: Diagnosis> Search<'_, B> {
    /// Fills `found`; `None` if `stop` was set.
    fn run(&mut self, found: &mut Findings<B>) -> Option<()> {
        let Some(decisive) = self.expected.iter().position(|one| one.surplus() != 0) else { return Some(()) };
        self.left = Fault::all().into_iter().map(|fault| vec![fault]).collect();
        found.compared[0] = self.left.len();
        // A fault that changes a total that is right is none of a pair either.
        for at in 0..decisive {
            self.keep(at, &mut found.far_off)?;
        }
        let one = self.expected[decisive];
        let (mut changes, off) = self.count(one, self.left.clone())?;
        found.far_off += off.len();
        self.left = fitting(&changes, one);
        found.chance = self.chance(&changes, decisive, 0.0);
        for at in decisive + 1..self.expected.len() {
            self.keep(at, &mut found.far_off)?;
        }
        if self.left.is_empty() {
            // A small change may be the smaller part of a pair's, and of two in opposite directions the larger one.
            let part = |how| how == Off::TooLittle || how == Off::Opposite && one.ours <= LARGE;
            let parts = off.into_iter().filter(|(_, how)| part(*how)).map(|(faults, _)| faults);
            changes.extend(self.count_all(one, parts.collect())?);
            let singles: Vec<_> = changes.iter().map(|(faults, surplus)| (faults[0], *surplus)).collect();
            self.left = pairs::<B>(&singles, one);
            found.compared[1] = self.left.len();
            for at in 0..self.expected.len() {
                let counted = self.keep(at, &mut 0)?;
                if at == decisive {
                    found.chance = self.chance(&counted, at, PAIR_FITS);
                }
            }
        }
        found.engines = std::mem::take(&mut self.left);
        Some(())
    }

    /// How likely a total like that at `decisive`, of which engines gave these, is hit by chance, which is at least
    /// `least`, and the larger ones too.
    fn chance(&self, counted: &[(Faults<B>, i128)], decisive: usize, least: f64) -> f64 {
        let share = share_hit(counted.iter().map(|&(_, surplus)| surplus), self.expected[decisive].surplus());
        // Of an engine that is off by about as much in a larger tree only the size is known.
        let others = self.expected[decisive + 1..].iter().map(|one| one.surplus().unsigned_abs() as f64);
        others.filter(|&off| off > 2.0).fold(share.max(least), |chance, off| chance * 2.0 / off)
    }

    /// Keeps those engines that are left which give a total; returns them all with their surpluses.
    fn keep(&mut self, at: usize, far_off: &mut usize) -> Option<Vec<(Faults<B>, i128)>> {
        let one = self.expected[at];
        let (counted, off) = self.count(one, self.left.clone())?;
        *far_off += off.len();
        self.left = fitting(&counted, one);
        Some(counted)
    }

    /// Counts with these engines, ply by ply.
    fn count(&mut self, one: &Expected<B>, mut engines: Vec<Faults<B>>) -> Option<Counted<B>> {
        let mut off = Vec::new();
        for depth in 1..one.depth {
            if engines.is_empty() {
                break;
            }
            let counted = self.count_at(one, depth, engines)?;
            let right = right_total(&one.position, depth, self.stop)?;
            let growth = one.ours as f64 / right.max(1) as f64;
            engines = Vec::new();
            for (faults, surplus) in counted {
                match far_off(surplus, right, one.surplus(), growth, one.depth - depth) {
                    Some(how) if !misreads(&one.position, &faults) => off.push((faults, how)),
                    _ => engines.push(faults),
                }
            }
            self.left.retain(|faults| off.iter().all(|(other, _)| other != faults));
        }
        Some((self.count_all(one, engines)?, off))
    }

    /// Counts with all of these engines to the full depth.
    fn count_all(&self, one: &Expected<B>, engines: Vec<Faults<B>>) -> Option<Vec<(Faults<B>, i128)>> {
        self.count_at(one, one.depth, engines)
    }

    fn count_at(&self, one: &Expected<B>, depth: u32, engines: Vec<Faults<B>>) -> Option<Vec<(Faults<B>, i128)>> {
        let number = engines.len();
        let watch = |done, all| (self.watch)(Stage { engines: number, depth, done: [done, all] });
        let surpluses = surpluses(&one.position, depth, &engines, self.threads, self.stop, &watch)?;
        Some(engines.into_iter().zip(surpluses).collect())
    }
}

/// Of the numbers near `wanted`, the share that `surpluses` hit: how likely one of them hits a number of that size by
/// chance. The right total and `wanted` itself do not count.
pub fn share_hit(surpluses: impl Iterator<Item = i128>, wanted: i128) -> f64 {
    /// How many different ones say how near is near.
    const NEAREST: usize = 8;
    let hit: BTreeSet<i128> = surpluses.filter(|&surplus| surplus != 0 && surplus != wanted).collect();
    let mut distances = Vec::from_iter(hit.iter().map(|surplus| surplus.abs_diff(wanted)));
    distances.sort_unstable();
    let Some(&reach) = distances.get(NEAREST - 1).or(distances.last()) else { return 0.0 };
    let within = distances.iter().filter(|&&distance| distance <= reach).count();
    // The numbers from `wanted - reach` to `wanted + reach`, without `wanted`, and 0 if it is among them.
    let numbers = 2 * reach - u128::from(reach >= wanted.unsigned_abs());
    // One more of both: of 400 totals made up at random 13 % were hit, where the share was 11 % on average.
    ((within + 1) as f64 / (numbers + 1) as f64).min(1.0)
}

/// The engines that give the total.
fn fitting<B: Diagnosis>(counted: &[(Faults<B>, i128)], one: &Expected<B>) -> Vec<Faults<B>> {
    let fits = counted.iter().filter(|(_, surplus)| *surplus == one.surplus());
    fits.map(|(faults, _)| faults.clone()).collect()
}

/// Pairs of faults, those first whose changes add up to the total most nearly.
fn pairs<B: Diagnosis>(changes: &[(Fault<B::Fault>, i128)], one: &Expected<B>) -> Vec<Faults<B>> {
    // Where only one side has the chance to show the fault, the fault of that side is the fault of both.
    let repeats = |i: usize| changes[..i].iter().any(|(f, n)| f.kind == changes[i].0.kind && *n == changes[i].1);
    let effective: Vec<_> = (0..changes.len()).filter(|&i| changes[i].1 != 0 && !repeats(i)).collect();
    let mut candidates = Vec::new();
    for (at, &i) in effective.iter().enumerate() {
        for &j in effective[at + 1..].iter().filter(|&&j| changes[i].0.kind != changes[j].0.kind) {
            let (first, second) = (changes[i].1, changes[j].1);
            let rest = (first + second - one.surplus()).unsigned_abs();
            // What the faults do together is at most what one of them does.
            if rest <= first.unsigned_abs().min(second.unsigned_abs()) {
                candidates.push((rest, i, j));
            }
        }
    }
    candidates.sort_unstable();
    candidates.truncate(most_pairs(one.ours));
    candidates.iter().map(|&(_, i, j)| vec![changes[i].0, changes[j].0]).collect()
}

/// A total that tells engines apart.
pub struct Deciding<B: Board> {
    /// The position to count from.
    pub position: Position<B>,
    /// How many plies.
    pub depth: u32,
    /// What is right.
    pub right: u128,
    /// What each of the engines counts.
    pub totals: Vec<u128>,
}

/// The first of `counts`, positions and depths, at which all `engines` have different totals, none of them right; else
/// that with the most different ones, if they are more than `known`, or `None`.
pub fn deciding<B: Diagnosis>(
    engines: &[Faults<B>],
    counts: impl Iterator<Item = (Position<B>, u32)>,
    known: usize,
    stop: &AtomicBool,
) -> Option<Deciding<B>> {
    let mut best = None;
    let mut most = known;
    for (position, depth) in counts {
        let Some(totals) = totals(&position, depth, engines, 1, stop) else { break };
        let right = u128::from(position.perft(depth));
        let different = totals.iter().chain([&right]).collect::<BTreeSet<_>>().len();
        if different > most {
            most = different;
            best = Some(Deciding { position, depth, right, totals });
        }
        if most == engines.len() + 1 {
            break;
        }
    }
    best
}

/// A shortest way from `root` to a position where an engine with `faults` has other moves, within `depth` plies. `None`
/// if there is none, or if `stop` was set before it was found.
///
/// The counts lead the way: where the count below a move differs, there is such a position.
pub fn first_shown<B: Diagnosis>(
    root: &Position<B>,
    depth: u32,
    faults: &Faults<B>,
    stop: &AtomicBool,
) -> Option<Node<B>> {
    let walk = Single::new(root, depth, faults, stop);
    let (mut node, mut boards) = (Node::root_of(0, *root), Vec::new());
    B::sound_board(root).read(walk.switches(), 1, &mut boards);
    let mut board = boards.pop()?.0;
    let mut plies = (1..=depth).find(|&plies| walk.surplus(root, &board, plies) != 0)?;
    loop {
        let mut moves = Vec::new();
        board.moves(walk.switches(), 1, &mut moves);
        let pos = node.position;
        if let Some(differs) = difference(&pos, &board, &moves) {
            node.wrong.push(differs);
            return Some(node);
        }
        plies -= 1;
        if plies == 0 || stop.load(Ordering::Relaxed) {
            return None;
        }
        let child = moves.into_iter().find_map(|(step, _)| {
            let m = pos.parse_move(board.move_text(step).as_str()).ok()?;
            board.make(step, walk.switches(), 1, &mut boards);
            let (child, next) = (boards.pop()?.0, pos.play_unchecked(m));
            (walk.surplus(&next, &child, plies) != 0).then_some((m, next, child))
        });
        let m;
        (m, node.position, board) = child?;
        node.before.push((pos, m));
    }
}

/// A move that the faulty board has and the position has not, or the other way round.
fn difference<B: Diagnosis>(
    pos: &Position<B>,
    board: &B::Faulty,
    moves: &[(<B::Faulty as FaultyBoard>::Move, Engines)],
) -> Option<(Wrong, String)> {
    let mut theirs: Vec<_> = moves.iter().map(|&(m, _)| board.move_text(m)).collect();
    let mut ours: Vec<_> = pos.legal_moves().into_iter().map(|m| pos.move_text(m)).collect();
    theirs.sort();
    ours.sort();
    if theirs == ours {
        return None;
    }
    let extra = theirs.iter().find(|m| !ours.contains(m)).map(|m| (Wrong::Extra, m));
    let missing = || ours.iter().find(|m| !theirs.contains(m)).map(|m| (Wrong::Missing, m));
    let twice = || theirs.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| (Wrong::Repeated, &pair[0]));
    extra.or_else(missing).or_else(twice).map(|(wrong, m)| (wrong, m.to_string()))
}

/// The columns of the last ply that are as large as the difference, which hints at moves that are not counted, or
/// counted twice.
pub fn equal_columns(difference: u128, columns: &Columns<u128>) -> Vec<&'static str> {
    let named = crate::game::count::columns::NAMES.into_iter().zip(columns.all());
    named.filter(|&(_, n)| n == difference && n > 0).map(|(name, _)| name).collect()
}
