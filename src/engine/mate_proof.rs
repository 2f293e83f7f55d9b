//! Mate proofs: whether there is a mate in a given number of moves, by either side, the move that forces it, and the
//! line.
//!
//! Mates in 1, 2, … moves are tried in this order, so the first one found is the shortest. All moves of both sides are
//! tried without pruning, so "no mate" is certain. The search and its proofs alternate and share their limits. A proof
//! that takes too long is aborted, and restarted once it may use at least twice as many nodes.
//!
//! Rules that end the game before the mate count for the defender. The half-move clock is considered where it can run
//! out. A position that has occurred twice in the game ends it when it occurs again. Positions within the proof need
//! not be compared: in a shortest mate each move brings the mate closer, so no position repeats. In xiangqi a
//! defender who would lose by repetition also counts as saved, as that is not mate.
//!
//! Memory is allocated when a search starts.

use super::limits::{MATE_NODES, PROOF_AHEAD};
use super::node::{Pv, RootMove, is_mated};
use super::score::{self, Bound, MAX_PLY, Value};
use super::searcher::Searcher;
use crate::base::list::MoveList;
use crate::base::pages::has_room;
use crate::game::count::packing::fold;
use crate::game::{GameMove, Half as _, MOST_MOVES, Moves, Position, Searchable};
use std::hash::{Hash as _, Hasher};

/// Nodes between two checks of the time.
const CLOCK_INTERVAL: u64 = 4_096;
/// Added to the order of quiet moves, so that they come after checks.
const QUIET_OFFSET: u16 = 1_000;

/// Longest mate that is tried, in moves; no line is longer.
const LONGEST_MATE: u32 = MAX_PLY as u32 / 2;
/// Entries of the proof's hash table, a power of two; 16 MiB.
const TABLE_ENTRIES: usize = 1 << 20;

/// The state of the proofs of one search.
pub(super) struct Proof<B: Searchable> {
    /// The longest mate that is of interest, in moves.
    wanted: u32,
    /// Proven: in this many moves or fewer the side to move does not mate; and it is not mated.
    excluded: [u32; 2],
    /// Nodes of all proofs so far.
    pub(super) nodes: u64,
    /// Nodes of the last attempt for the next number of moves of either kind, if it was aborted; else 0.
    aborted_nodes: [u64; 2],
    /// The proof is aborted when the thread has searched this many nodes.
    node_limit: u64,
    /// Whether the half-move clock may end the game before the mate.
    counter_matters: bool,
    /// Keys of the positions that have occurred at least twice in the game.
    repeated: Vec<u64>,
    table: ProofTable,
    /// By moves left: the last mating move, and the last two replies that avoided mate (killers).
    mating_moves: [B::Move; LONGEST_MATE as usize + 1],
    killers: [[B::Move; 2]; LONGEST_MATE as usize + 1],
    /// How often a reply avoided mate, by its code (history).
    reply_history: Vec<u32>,
}

impl<B: Searchable> Proof<B> {
    /// The state before the first proof of a mate in at most `wanted` moves; `trail` is the game history up to the
    /// root. `None` if there is no memory for its table.
    pub(super) fn new(wanted: u32, trail: &[B::Past]) -> Option<Box<Self>> {
        if !has_room(2 * TABLE_ENTRIES * size_of::<u128>()) {
            return None;
        }
        let mut keys: Vec<u64> = trail.iter().map(B::key_of).collect();
        keys.sort_unstable();
        let mut repeated: Vec<u64> = keys.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
        repeated.dedup();
        Some(Box::new(Proof {
            wanted,
            excluded: [0; 2],
            nodes: 0,
            aborted_nodes: [0; 2],
            node_limit: 0,
            counter_matters: false,
            repeated,
            table: ProofTable(vec![0; TABLE_ENTRIES]),
            mating_moves: [B::Move::default(); LONGEST_MATE as usize + 1],
            killers: [[B::Move::default(); 2]; LONGEST_MATE as usize + 1],
            reply_history: vec![0; B::CODES],
        }))
    }

    /// Whether the rules end the game at `pos` without mate.
    #[inline(always)]
    fn is_ended(&self, pos: &Position<B>) -> bool {
        self.counter_matters && B::verdict(pos, &[], 0).is_some()
            || !self.repeated.is_empty() && self.repeated.binary_search(&pos.key()).is_ok()
    }

    /// The hash key of `pos`. Positions with the same key have the same proof results.
    fn key(&self, pos: &Position<B>) -> u128 {
        let counter = if self.counter_matters { 1 + B::counter_state(pos) } else { 0 };
        let mut hasher = KeyHasher([1, 2]);
        (B::Half::pack(pos), counter).hash(&mut hasher);
        let [low, high] = hasher.0;
        u128::from(high) << 64 | u128::from(low)
    }
}

/// The length in moves of the mate `score` for the side to move, if it is at most `wanted`.
fn mate_within(score: Value, wanted: u32) -> Option<u32> {
    let moves = u32::try_from(score::mate_moves(score)?).ok()?;
    (1..=wanted).contains(&moves).then_some(moves)
}

/// What is proven about the root.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// The side to move mates.
    Mate,
    /// The side to move is mated.
    Loss,
}

impl<B: Searchable> Proof<B> {
    /// Runs proofs after an iteration of `depth`, and makes a proven mate the best line. Returns whether the search
    /// for a mate is over. Losses are proven once the search has seen one, and before it is said that there is no mate.
    pub(super) fn prove(&mut self, searcher: &mut Searcher<'_, B>, depth: u32) -> bool {
        let (wanted, before) = (self.wanted, searcher.nodes);
        let score = searcher.root_moves[0].score;
        let (mate, loss) = (mate_within(score, wanted), mate_within(-score, wanted));
        let mut proven = false;
        for (goal, seen) in [(Goal::Mate, mate), (Goal::Loss, loss)] {
            let unseen = match goal {
                Goal::Mate => depth.div_ceil(2),
                Goal::Loss if self.excluded[Goal::Mate as usize] >= wanted => depth / 2,
                Goal::Loss => 0,
            };
            let reach = seen.unwrap_or(unseen).min(wanted).min(LONGEST_MATE);
            while self.excluded[goal as usize] < reach && !proven {
                match self.attempt(searcher, goal, seen.is_some(), depth) {
                    None => break,
                    Some(None) => self.excluded[goal as usize] += 1,
                    Some(Some(line)) => {
                        set_best_line(&mut searcher.root_moves, line.as_slice());
                        if goal == Goal::Loss {
                            // The scores of other lines are not proven, and must not be higher.
                            searcher.completed.truncate(1);
                        }
                        searcher.save_lines(depth);
                        (searcher.reported, proven) = (false, true);
                    }
                }
            }
        }
        let limits = &searcher.shared.job.limits;
        let [no_mate, no_loss] = self.excluded;
        // A loss is certain only when all lines of that length have been searched.
        let seen = mate.is_some_and(|moves| moves > no_mate)
            || loss.is_some_and(|moves| moves > no_loss && 2 * moves <= depth);
        let over =
            proven || seen && !limits.infinite || no_mate >= wanted && no_loss >= wanted && limits.is_for_mate_only();
        if over && !proven && searcher.reported && !searcher.stopped && searcher.nodes > before {
            // Repeat the lines with the nodes of the proofs included.
            searcher.report_completed_lines(true, true);
        }
        over
    }

    /// Tries to prove `goal` in one move more than is ruled out, as far as the nodes for proofs allow. Returns the line
    /// if it is proven, no line if it is ruled out.
    fn attempt(
        &mut self,
        searcher: &mut Searcher<'_, B>,
        goal: Goal,
        is_seen: bool,
        depth: u32,
    ) -> Option<Option<Pv<B::Move>>> {
        let shared = searcher.shared;
        let before = searcher.nodes;
        let nodes_allowed = if shared.job.limits.is_for_mate_only() && depth + 1 == MAX_PLY as u32 {
            // The last chance.
            u64::MAX
        } else {
            let ahead = if is_seen { MATE_NODES } else { PROOF_AHEAD };
            (before - self.nodes + ahead.min(shared.node_limit / 4)).saturating_sub(self.nodes)
        };
        if nodes_allowed == 0 || nodes_allowed / 2 < self.aborted_nodes[goal as usize] {
            return None;
        }
        let moves = self.excluded[goal as usize] + 1;
        let found = Attempt { searcher, proof: self }.run(goal, moves, nodes_allowed);
        let nodes = searcher.nodes - before;
        self.nodes += nodes;
        self.aborted_nodes[goal as usize] = if found.is_none() { nodes } else { 0 };
        found
    }

    /// What is known about mates beyond the result `score` of the search.
    pub(super) fn beyond(&self, searcher: &Searcher<'_, B>, score: Value) -> Option<String> {
        let (shared, wanted) = (searcher.shared, self.wanted);
        let [excluded, no_loss] = self.excluded;
        if let Some(moves) = mate_within(-score, wanted) {
            let sooner = format!("a mate by the opponent in fewer than {moves} was not ruled out");
            return (moves > no_loss + 1).then_some(sooner);
        }
        let none = if excluded == 0 { String::new() } else { format!("; there is none in {excluded}") };
        if let Some(moves) = mate_within(score, wanted) {
            let fewer = format!("a mate in fewer than {moves} was not ruled out{none}");
            return (moves > excluded + 1).then_some(fewer);
        }
        if excluded >= wanted {
            return Some(format!("there is no mate in {wanted}"));
        }
        let end = if shared.job.signals.is_stopped() {
            "stopped".to_string()
        } else if shared.is_node_limit_reached() {
            format!("node limit {} is reached", shared.node_limit)
        } else if searcher.completed_depth >= shared.depth_limit {
            format!("depth {} is reached", shared.depth_limit)
        } else if shared.budget.hard.is_some() {
            "time is up".to_string()
        } else {
            "the search is over".to_string()
        };
        Some(format!("no mate was found in {wanted}: {end}{none}"))
    }
}

/// Makes `line`, which ends in mate, the best one.
fn set_best_line<M: GameMove>(root_moves: &mut [RootMove<M>], line: &[M]) {
    let Some(at) = root_moves.iter().position(|r| r.m == line[0]) else { return };
    let rank = root_moves[0].rank;
    root_moves[..=at].rotate_right(1);
    let best = &mut root_moves[0];
    let plies = line.len();
    let wins = !plies.is_multiple_of(2);
    best.score = if wins { score::mate_in(plies) } else { score::mated_in(plies) };
    best.bound = Bound::Exact;
    best.rank = rank;
    best.selective_depth = best.selective_depth.max(plies);
    best.line.copy(line);
}

/// What looks like a mate or like none in the final line of a search for a mate, which has the result `score`.
pub(super) fn odd_ending<B: Searchable>(root: &Position<B>, line: &[B::Move], score: Value) -> Option<String> {
    if score::is_forfeit(score) && score > 0 {
        let moves = (score::FORFEIT - score + 1) / 2;
        return Some(format!("the opponent loses by a forbidden repetition in {moves}, which is no mate"));
    }
    let mut end = *root;
    for &m in line {
        end.make(m);
    }
    let is_stalemate = score::is_mate(score) && is_mated(&end) && !end.in_check();
    is_stalemate.then(|| "the line ends in stalemate, which loses".to_string())
}

/// A proof in progress. Its functions return `None` if it is aborted.
struct Attempt<'a, 's, B: Searchable> {
    searcher: &'a mut Searcher<'s, B>,
    proof: &'a mut Proof<B>,
}

impl<B: Searchable> Attempt<'_, '_, B> {
    /// The line of a mate in `moves`, of the side to move or of its opponent, if there is one. Shorter mates of that
    /// side must have been ruled out.
    fn run(mut self, goal: Goal, moves: u32, nodes: u64) -> Option<Option<Pv<B::Move>>> {
        let mut pos = self.searcher.shared.job.root;
        let plies = 2 * moves - u32::from(goal == Goal::Mate);
        self.proof.node_limit = self.searcher.nodes.saturating_add(nodes);
        self.proof.counter_matters = B::plies_to_draw(&pos) < plies;
        let (mut list, mut defence) = (Moves::new(), None);
        for root_move in &self.searcher.root_moves {
            list.push(root_move.m);
        }
        if goal == Goal::Loss {
            for &m in list.as_slice() {
                if self.avoids_mate(&pos, m, moves)? {
                    return Some(None);
                }
            }
            self.proof.node_limit = u64::MAX;
            let reply = self.longest_defence(&pos, list.as_slice(), moves)??;
            pos.make(reply);
            list = pos.legal_moves();
            defence = Some(reply);
        }
        let Some(attack) = self.find(&pos, list.as_slice(), moves)? else { return Some(None) };
        // Only the line is missing, which takes few nodes: no node limit for the proof.
        self.proof.node_limit = u64::MAX;
        let mut line = Pv::new();
        if let Some(reply) = defence {
            line.push(reply);
        }
        self.extend(&mut line, pos, attack, moves)?;
        Some(Some(line))
    }

    /// Counts a node; `None` if the proof must be aborted.
    #[inline(always)]
    fn count(&mut self) -> Option<()> {
        if self.searcher.must_stop() || self.searcher.nodes >= self.proof.node_limit {
            return None;
        }
        // Leave half of the time to the search.
        let half_used = self.searcher.nodes.is_multiple_of(CLOCK_INTERVAL) && self.searcher.shared.is_half_time_over();
        (!half_used).then_some(())
    }

    /// Whether the side to move mates in `moves` or fewer; `moves` is at least 1.
    fn mates(&mut self, pos: &Position<B>, moves: u32) -> Option<bool> {
        self.count()?;
        if self.proof.is_ended(pos) {
            return Some(false);
        }
        if moves == 1 {
            let m = self.proof.mating_moves[1];
            if pos.is_legal(m) && self.loses_after(pos, m, 0)? {
                return Some(true);
            }
            return Some(self.find(pos, &pos.legal_moves(), 1)?.is_some());
        }
        let key = self.proof.key(pos);
        if let Some(known) = self.proof.table.probe(key, moves) {
            return Some(known);
        }
        let mates = self.find(pos, &pos.legal_moves(), moves)?.is_some();
        self.proof.table.store(key, moves, mates);
        Some(mates)
    }

    /// A move of `list` that mates in `moves` or fewer.
    fn find(&mut self, pos: &Position<B>, list: &[B::Move], moves: u32) -> Option<Option<B::Move>> {
        if moves == 1 {
            for &m in list {
                let mut child = *pos;
                child.make(m);
                if (B::STALEMATE_LOSES || child.in_check()) && self.is_lost(&child, 0)? {
                    self.proof.mating_moves[1] = m;
                    return Some(Some(m));
                }
            }
            return Some(None);
        }
        // Checks first, then moves that leave few replies: these are the most likely mates.
        let attack = self.proof.mating_moves[moves as usize];
        let mut ordered = MoveList::<(u16, B::Move), MOST_MOVES>::new();
        for &m in list {
            let mut child = *pos;
            child.make(m);
            let quiet = if child.in_check() { 0 } else { QUIET_OFFSET };
            let rank = if m == attack { 0 } else { quiet + child.count_legal() as u16 };
            ordered.push((rank, m));
        }
        ordered.as_mut_slice().sort_unstable_by_key(|&(rank, _)| rank);
        for &(_, m) in &ordered {
            if self.loses_after(pos, m, moves - 1)? {
                self.proof.mating_moves[moves as usize] = m;
                return Some(Some(m));
            }
        }
        Some(None)
    }

    /// Whether the opponent is lost after `m`; see [`Attempt::is_lost`].
    fn loses_after(&mut self, pos: &Position<B>, m: B::Move, moves: u32) -> Option<bool> {
        let mut child = *pos;
        child.make(m);
        self.is_lost(&child, moves)
    }

    /// Whether the side to move is mated now, or within the opponent's next `moves` moves, whatever it plays.
    fn is_lost(&mut self, pos: &Position<B>, moves: u32) -> Option<bool> {
        self.count()?;
        if self.proof.is_ended(pos) {
            return Some(false);
        }
        if moves == 0 {
            return Some(Self::has_lost(pos));
        }
        let killers = self.proof.killers[moves as usize];
        for &reply in &killers {
            if pos.is_legal(reply) && self.avoids_mate(pos, reply, moves)? {
                return Some(false);
            }
        }
        let list = pos.legal_moves();
        if list.as_slice().is_empty() {
            return Some(Self::has_lost(pos));
        }
        let mut ordered = MoveList::<(u32, B::Move), MOST_MOVES>::new();
        for &reply in list.as_slice().iter().filter(|reply| !killers.contains(reply)) {
            ordered.push((u32::MAX - self.proof.reply_history[pos.code(reply)], reply));
        }
        ordered.as_mut_slice().sort_unstable_by_key(|&(rank, _)| rank);
        for &(_, reply) in &ordered {
            if self.avoids_mate(pos, reply, moves)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether `reply` avoids mate in `moves`.
    fn avoids_mate(&mut self, pos: &Position<B>, reply: B::Move, moves: u32) -> Option<bool> {
        let mut child = *pos;
        child.make(reply);
        let avoids_mate = !self.mates(&child, moves)?;
        if avoids_mate {
            let killers = &mut self.proof.killers[moves as usize];
            if killers[0] != reply {
                *killers = [reply, killers[0]];
            }
            let history = &mut self.proof.reply_history[pos.code(reply)];
            *history = history.saturating_add(1);
        }
        Some(avoids_mate)
    }

    /// Whether the side to move is mated (or stalemated where that loses).
    fn has_lost(pos: &Position<B>) -> bool {
        is_mated(pos) && B::verdict(pos, &[], 0).is_none()
    }

    /// Adds to `line` what follows from `pos`: `attack`, which mates in `moves` and not in fewer, and the longest
    /// defence.
    fn extend(&mut self, line: &mut Pv<B::Move>, mut pos: Position<B>, mut attack: B::Move, moves: u32) -> Option<()> {
        for left in (0..moves).rev() {
            line.push(attack);
            pos.make(attack);
            if left == 0 {
                break;
            }
            let reply = self.longest_defence(&pos, &pos.legal_moves(), left)??;
            line.push(reply);
            pos.make(reply);
            let list = pos.legal_moves();
            attack = self.find(&pos, list.as_slice(), left)??;
        }
        Some(())
    }

    /// A reply of `list` after which there is no mate in fewer than `moves`.
    fn longest_defence(&mut self, pos: &Position<B>, list: &[B::Move], moves: u32) -> Option<Option<B::Move>> {
        for &reply in list {
            let mut child = *pos;
            child.make(reply);
            if moves == 1 || !self.mates(&child, moves - 1)? {
                return Some(Some(reply));
            }
        }
        Some(None)
    }
}

/// Two hashes of 64 bits: a wrong proof caused by two positions with the same key is an error that nobody would notice.
struct KeyHasher([u64; 2]);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        // Odd numbers without a pattern: 2⁶⁴ times the fractional parts of the golden ratio and of √2.
        const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0x6a09_e667_f3bc_c909];
        for (hash, factor) in self.0.iter_mut().zip(FACTORS) {
            *hash = fold(*hash ^ word, factor);
        }
    }
    fn finish(&self) -> u64 {
        self.0[0]
    }
}

/// The proof's hash table, for positions with the attacker to move. An entry has 112 bits of the key, the largest
/// number of moves proven to have no mate, and the smallest proven to have one (0 if unknown). Buckets have two
/// entries: the first is replaced by results for at least as many moves, the second always.
struct ProofTable(Vec<u128>);

impl ProofTable {
    fn at(&self, key: u128) -> [usize; 2] {
        let first = (key >> 64) as usize & (self.0.len() - 1) & !1;
        [first, first | 1]
    }

    /// The largest number of moves without a mate, and the smallest with one.
    fn read(entry: u128) -> (u32, u32) {
        (entry as u32 & 255, entry as u32 >> 8 & 255)
    }

    /// Whether there is a mate in `moves` or fewer, if known.
    fn probe(&self, key: u128, moves: u32) -> Option<bool> {
        let at = self.at(key).into_iter().find(|&at| (self.0[at] ^ key) >> 16 == 0)?;
        let (no_mate, mate) = Self::read(self.0[at]);
        if moves <= no_mate {
            Some(false)
        } else if mate > 0 && moves >= mate {
            Some(true)
        } else {
            None
        }
    }

    fn store(&mut self, key: u128, moves: u32, mates: bool) {
        let [first, second] = self.at(key);
        let known = [first, second].into_iter().find(|&at| (self.0[at] ^ key) >> 16 == 0);
        let at = known.unwrap_or_else(|| {
            let (no_mate, mate) = Self::read(self.0[first]);
            if no_mate.max(mate) <= moves { first } else { second }
        });
        let (mut no_mate, mut mate) = known.map_or((0, 0), |at| Self::read(self.0[at]));
        if mates {
            mate = if mate == 0 { moves } else { mate.min(moves) };
        } else {
            no_mate = no_mate.max(moves);
        }
        self.0[at] = key >> 16 << 16 | u128::from(mate << 8 | no_mate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use std::collections::HashMap;

    /// Every probe result follows from stored results for the same position, even after replacements.
    #[test]
    fn probe_results_follow_from_stored_ones() {
        let mut rng = SplitMix64::new(3);
        let mut known = ProofTable(vec![0; 64]);
        // Many more positions than entries; each has a shortest mate.
        let positions: Vec<(u128, u32)> = (0..200)
            .map(|_| {
                let key = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
                (key, 1 + rng.below(LONGEST_MATE as usize) as u32)
            })
            .collect();
        let (mut stored, mut recalled) = (HashMap::<u128, Vec<u32>>::new(), [0; 2]);
        for _ in 0..50_000 {
            let (key, shortest) = positions[rng.below(positions.len())];
            let moves = 1 + rng.below(LONGEST_MATE as usize) as u32;
            if let Some(mates) = known.probe(key, moves) {
                assert_eq!(mates, moves >= shortest);
                recalled[usize::from(mates)] += 1;
                let stored = &stored[&key];
                assert!(stored.iter().any(|&m| if mates { m <= moves } else { m >= moves }));
            }
            known.store(key, moves, moves >= shortest);
            stored.entry(key).or_default().push(moves);
        }
        assert!(recalled.into_iter().all(|times| times > 1_000), "{recalled:?}");
    }
}
