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

use super::limits::{MATE_NODES, PROOF_AHEAD};
use super::mate_facts::{LONGEST_MATE, Proof};
use super::pv::{Pv, is_mated};
use super::score::{self, Bound, MAX_PLY, Value};
use super::searcher::Searcher;
use crate::base::list::MoveList;
use crate::game::{MOST_MOVES, Moves, Position, Searchable};

/// Nodes between two checks of the time.
const CLOCK_INTERVAL: u64 = 4_096;
/// Added to the order of quiet moves, so that they come after checks.
const QUIET_OFFSET: u16 = 1_000;

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

impl<B: Searchable> Searcher<'_, B> {
    /// Runs proofs after an iteration of `depth`, and makes a proven mate the best line. Returns whether the search
    /// for a mate is over. Losses are proven once the search has seen one, and before it is said that there is no mate.
    pub(super) fn prove_mates(&mut self, depth: u32) -> bool {
        let limits = &self.shared.job.limits;
        let (Some(wanted), Some(mut proof)) = (limits.mate, self.proof.take()) else {
            return false;
        };
        let score = self.root_moves[0].score;
        let [mate, loss] = [score, -score].map(|score| mate_within(score, wanted));
        let (mut proven, before) = (false, self.nodes);
        for (goal, seen) in [(Goal::Mate, mate), (Goal::Loss, loss)] {
            let reach = match goal {
                Goal::Mate => seen.unwrap_or(depth.div_ceil(2)),
                Goal::Loss if proof.excluded[Goal::Mate as usize] >= wanted => seen.unwrap_or(depth / 2),
                Goal::Loss => seen.unwrap_or(0),
            };
            let reach = reach.min(wanted).min(LONGEST_MATE);
            while proof.excluded[goal as usize] < reach && !proven {
                match self.attempt(&mut proof, goal, seen.is_some(), depth) {
                    None => break,
                    Some(None) => proof.excluded[goal as usize] += 1,
                    Some(Some(line)) => {
                        self.set_best_line(line.as_slice());
                        if goal == Goal::Loss {
                            // The scores of other lines are not proven, and must not be higher.
                            self.completed.truncate(1);
                        }
                        self.save_lines(depth);
                        (self.reported, proven) = (false, true);
                    }
                }
            }
        }
        let [no_mate, no_loss] = proof.excluded;
        self.proof = Some(proof);
        // A loss is certain only when all lines of that length have been searched.
        let seen = mate.is_some_and(|moves| moves > no_mate)
            || loss.is_some_and(|moves| moves > no_loss && 2 * moves <= depth);
        let over =
            proven || seen && !limits.infinite || no_mate >= wanted && no_loss >= wanted && limits.is_for_mate_only();
        if over && !proven && self.reported && !self.stopped && self.nodes > before {
            // Repeat the lines with the nodes of the proofs included.
            self.report_completed_lines(true, true);
        }
        over
    }

    /// Tries to prove `goal` in one move more than is ruled out, as far as the nodes for proofs allow. Returns the line
    /// if it is proven, no line if it is ruled out.
    fn attempt(&mut self, proof: &mut Proof<B>, goal: Goal, is_seen: bool, depth: u32) -> Option<Option<Pv<B::Move>>> {
        let last = self.shared.job.limits.is_for_mate_only() && depth + 1 == MAX_PLY as u32;
        let searched = self.nodes - proof.nodes;
        let ahead = if is_seen { MATE_NODES } else { PROOF_AHEAD };
        let nodes_allowed = (searched + ahead.min(self.shared.node_limit / 4)).saturating_sub(proof.nodes);
        let nodes_allowed = if last { u64::MAX } else { nodes_allowed };
        if nodes_allowed == 0 || nodes_allowed / 2 < proof.aborted_nodes[goal as usize] {
            return None;
        }
        let (start, moves) = (self.nodes, proof.excluded[goal as usize] + 1);
        let found = Attempt { searcher: self, proof }.run(goal, moves, nodes_allowed);
        let nodes = self.nodes - start;
        proof.nodes += nodes;
        proof.aborted_nodes[goal as usize] = if found.is_none() { nodes } else { 0 };
        found
    }

    /// Makes `line`, which ends in mate, the best line.
    fn set_best_line(&mut self, line: &[B::Move]) {
        let Some(at) = self.root_moves.iter().position(|r| r.m == line[0]) else { return };
        let rank = self.root_moves[0].rank;
        self.root_moves[..=at].rotate_right(1);
        let best = &mut self.root_moves[0];
        let plies = line.len();
        let wins = !plies.is_multiple_of(2);
        best.score = if wins { score::mate_in(plies) } else { score::mated_in(plies) };
        best.bound = Bound::Exact;
        best.rank = rank;
        best.selective_depth = best.selective_depth.max(line.len());
        best.line.copy(line);
    }
}

impl<B: Searchable> Searcher<'_, B> {
    /// The messages at the end of a search for a mate with the result `score`: what is known about mates beyond that
    /// result, and what looks like a mate or like none.
    pub(super) fn mate_messages(&self, score: Value) -> Vec<String> {
        let Some(wanted) = self.shared.job.limits.mate else { return Vec::new() };
        let mut end = self.shared.job.root;
        self.root_moves[0].line.as_slice().iter().for_each(|&m| end.make(m));
        let is_stalemate = score::is_mate(score) && is_mated(&end) && !end.in_check();
        let stalemate = is_stalemate.then(|| "the line ends in stalemate, which loses".to_string());
        let forfeit = (score::is_forfeit(score) && score > 0).then(|| {
            let moves = (score::FORFEIT - score + 1) / 2;
            format!("the opponent loses by a forbidden repetition in {moves}, which is no mate")
        });
        [self.beyond_mate(score, wanted), stalemate, forfeit].into_iter().flatten().collect()
    }

    /// What is known about mates in `wanted` moves beyond the result `score`.
    fn beyond_mate(&self, score: Value, wanted: u32) -> Option<String> {
        let (shared, proof) = (self.shared, self.proof.as_ref()?);
        let [excluded, no_loss] = proof.excluded;
        let found = mate_within(score, wanted);
        if let Some(moves) = mate_within(-score, wanted) {
            let sooner = format!("a mate by the opponent in fewer than {moves} was not ruled out");
            return (moves > no_loss + 1).then_some(sooner);
        }
        let none = match excluded {
            0 => String::new(),
            moves => format!("; there is none in {moves}"),
        };
        match found {
            Some(moves) if moves <= excluded + 1 => None,
            Some(moves) => Some(format!("a mate in fewer than {moves} was not ruled out{none}")),
            None if excluded >= wanted => Some(format!("there is no mate in {wanted}")),
            None => {
                let end = match shared.node_limit {
                    _ if shared.job.signals.is_stopped() => "stopped".into(),
                    limit if shared.is_node_limit_reached() => {
                        format!("node limit {limit} is reached")
                    }
                    _ if self.completed_depth >= shared.depth_limit => {
                        format!("depth {} is reached", shared.depth_limit)
                    }
                    _ if shared.budget.hard.is_some() => "time is up".into(),
                    _ => "the search is over".into(),
                };
                Some(format!("no mate was found in {wanted}: {end}{none}"))
            }
        }
    }
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
        self.searcher.root_moves.iter().for_each(|root_move| list.push(root_move.m));
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
        defence.iter().for_each(|&m| line.push(m));
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
