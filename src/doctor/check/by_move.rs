//! Checks an engine that has no `go perft`: it is asked about one move after another.
//!
//! An engine tells whether it takes a move for legal in one of two ways ([`Method`]); which of them it can be trusted
//! with is tried on moves that are known to be legal and illegal. Where neither works, nothing can be decided. It is
//! asked about the legal moves of each position and about those that an engine with a known fault would add, and after
//! one move about those that only a fault of making moves would add or leave out.

use super::{Node, Wrong, texts};
use crate::base::signals;
use crate::doctor::faults::{Diagnosis, Engines, Fault, FaultKind as _, FaultyBoard, MOST_KINDS, Switches};
use crate::doctor::program::respell;
use crate::doctor::uci_client::Peer;
use crate::game::Position;
use std::collections::BTreeSet;
use std::time::Instant;

/// How an engine without `go perft` tells whether a move is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// It answers `go depth 1 searchmoves M` with `bestmove M` if M is legal.
    SearchMoves,
    /// It ignores an illegal move in `position … moves M`, so that its own side is still to move.
    Refusal,
}

/// Asks an engine about moves.
pub struct Asker<'a, B: Diagnosis> {
    start: Box<dyn FnMut() -> Result<Peer, String> + 'a>,
    engine: Peer,
    rank_offset: u32,
    method: Method,
    /// It does not answer where the game is over.
    is_mute: bool,
    /// The start position after a move.
    second_ply: String,
    /// When to stop.
    end: Option<Instant>,
    /// Questions asked.
    pub asked: u64,
    /// Positions in which the engine is wrong.
    pub found: Vec<Node<B>>,
    /// Positions in which it is right about all moves that anyone would make.
    pub right: Vec<Node<B>>,
}

impl<'a, B: Diagnosis> Asker<'a, B> {
    /// Finds out how the engine that `start` starts tells whether a move is legal.
    ///
    /// # Errors
    /// If it does not tell, or fails.
    pub fn new(mut start: impl FnMut() -> Result<Peer, String> + 'a, end: Option<Instant>) -> Result<Self, String> {
        let (engine, start_engine) = (start()?, Box::new(start));
        let start = Position::<B>::from_fen(B::START_FEN).map_err(|e| e.to_string())?;
        let legal: Vec<String> = texts(&start).into_iter().collect();
        // Moves of the other side: not even a faulty generator makes them.
        let illegal: Vec<String> = texts(&start.play_unchecked(start.legal_moves()[0]))
            .into_iter()
            .filter(|text| !legal.contains(text))
            .collect();
        let few = |list: &[String]| [list[0].clone(), list[list.len() / 2].clone()];
        let (legal, illegal) = (few(&legal), few(&illegal));
        let (found, right) = (Vec::new(), Vec::new());
        let method = Method::SearchMoves;
        let mut asker = Asker {
            start: start_engine,
            engine,
            rank_offset: 0,
            method,
            is_mute: false,
            second_ply: String::new(),
            end,
            asked: 0,
            found,
            right,
        };
        for offset in [0, 1] {
            asker.rank_offset = offset;
            asker.second_ply = format!("position startpos moves {}", respell(&legal[0], offset));
            for method in [Method::SearchMoves, Method::Refusal] {
                asker.method = method;
                let mut works = true;
                for (list, wanted) in [(&legal, true), (&illegal, false)] {
                    for text in list {
                        works = works && asker.accepts(&start, &[], text)? == Some(wanted);
                    }
                }
                if works {
                    return Ok(asker);
                }
            }
        }
        Err(format!(
            "{} has no go perft, does not obey go searchmoves and does not refuse illegal moves; \
             its moves cannot be found out. For a program that prints a divide by another command there is --command",
            asker.engine.name()
        ))
    }

    /// What to call the engine.
    #[must_use]
    pub fn name(&self) -> &str {
        self.engine.name()
    }

    /// What the engine calls itself; may be empty.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.engine.id
    }

    /// Which way it tells.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Whether the engine takes `text` for legal after `path` from `root`; `None` if it cannot be told.
    fn accepts(
        &mut self,
        root: &Position<B>,
        path: &[(Position<B>, B::Move)],
        text: &str,
    ) -> Result<Option<bool>, String> {
        self.asked += 1;
        let offset = self.rank_offset;
        let mut moves: Vec<String> = path.iter().map(|(pos, m)| respell(pos.move_text(*m).as_str(), offset)).collect();
        let spelt = respell(text, offset);
        let position = format!("position fen {}", root.to_fen());
        let tail = |moves: &[String]| match moves.is_empty() {
            true => String::new(),
            false => format!(" moves {}", moves.join(" ")),
        };
        let pos = path.last().map_or(*root, |(pos, m)| pos.play_unchecked(*m));
        let (before, go) = (position.clone() + &tail(&moves), format!("go depth 1 searchmoves {spelt}"));
        let mut is_over = pos.count_legal() == 0;
        if self.method == Method::SearchMoves {
            return Ok(self.best_move(&before, &go, is_over)?.map(|best| best == spelt));
        }
        is_over |= pos.parse_move(text).is_ok_and(|m| pos.play_unchecked(m).count_legal() == 0);
        // An engine that refuses the whole command keeps the position before the move.
        self.engine.send(&before)?;
        moves.push(spelt);
        let Some(best) = self.best_move(&(position + &tail(&moves)), "go depth 1", is_over)? else { return Ok(None) };
        // Where the game is over engines answer `(none)`, `0000`, `a1a1`, …: only a move of either side tells.
        let is_best = |text: &String| respell(text, offset) == best;
        Ok(match texts(&pos).iter().any(is_best) {
            true => Some(false),
            false => replies(&pos, text).iter().any(is_best).then_some(true),
        })
    }

    /// Whether the engine is wrong about `text`. Where the game is over some engines repeat the answer that they gave
    /// last, so it is asked again after a move of White and after one of Black.
    fn is_wrong(&mut self, node: &Node<B>, text: &str, is_legal: bool) -> Result<bool, String> {
        for between in ["", "position startpos", &self.second_ply.clone()] {
            if !between.is_empty() {
                self.engine.best_move(between, "go depth 1", false)?;
            }
            if self.accepts(node.root(), &node.before, text)? != Some(!is_legal) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Asks for a move. Where the game is over an engine may say nothing. Then it starts again, because an answer that
    /// came too late would be taken for the next one, and is asked no more where the game is over.
    fn best_move(&mut self, position: &str, go: &str, is_over: bool) -> Result<Option<String>, String> {
        let best = if is_over && self.is_mute { None } else { self.engine.best_move(position, go, is_over)? };
        if best.is_none() && !self.is_mute {
            (self.is_mute, self.engine) = (true, (self.start)()?);
        }
        Ok(best)
    }

    /// Asks about the moves of a position of the suite.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn check(&mut self, task: usize, position: Position<B>) -> Result<(), String> {
        self.ask(Node::root_of(task, position), &anyones_moves(&position))
    }

    /// Asks about the moves one ply below a position of the suite.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn check_after(&mut self, task: usize, position: Position<B>) -> Result<(), String> {
        for (m, candidates) in after_faults(&position) {
            let node = Node::root_of(task, position).child(m);
            if !self.wrong(&node, &candidates)?.is_empty() {
                let all = anyones_moves(&node.position);
                self.ask(node, &all)?;
            }
        }
        Ok(())
    }

    /// The candidates that the engine is wrong about.
    fn wrong(&mut self, node: &Node<B>, candidates: &BTreeSet<String>) -> Result<Vec<(Wrong, String)>, String> {
        let legal = texts(&node.position);
        let mut wrong = Vec::new();
        for text in candidates {
            if signals::was_interrupted() || self.end.is_some_and(|end| Instant::now() >= end) {
                break;
            }
            let is_legal = legal.contains(text);
            if self.is_wrong(node, text, is_legal)? {
                wrong.push((if is_legal { Wrong::Missing } else { Wrong::Extra }, text.clone()));
            }
        }
        Ok(wrong)
    }

    /// Asks about all candidates in a position and keeps it.
    fn ask(&mut self, mut node: Node<B>, candidates: &BTreeSet<String>) -> Result<(), String> {
        node.wrong = self.wrong(&node, candidates)?;
        let kept = if node.wrong.is_empty() { &mut self.right } else { &mut self.found };
        kept.push(node);
        Ok(())
    }
}

/// The switches of one engine for every kind of fault of both sides, the board of these engines, and their moves.
fn engines<B: Diagnosis>(pos: &Position<B>) -> (Switches, B::Faulty, Vec<BoardMove<B>>) {
    let kinds = B::Fault::ALL.iter().map(|&kind| vec![Fault { kind, side: None }]);
    let (switches, board, mut list) = (Switches::new(&Vec::from_iter(kinds)), B::sound_board(pos), Vec::new());
    board.moves(&switches, !0 >> (MOST_KINDS - B::Fault::ALL.len()), &mut list);
    (switches, board, list)
}

type BoardMove<B> = (<<B as Diagnosis>::Faulty as FaultyBoard>::Move, Engines);

/// The legal moves and those that an engine with a known fault would add.
pub(super) fn anyones_moves<B: Diagnosis>(pos: &Position<B>) -> BTreeSet<String> {
    let (_, board, list) = engines(pos);
    let mut moves = texts(pos);
    moves.extend(list.iter().map(|&(m, _)| board.move_text(m).to_string()));
    moves
}

/// The moves that any engine has after the move `text`, legal or not.
fn replies<B: Diagnosis>(pos: &Position<B>, text: &str) -> BTreeSet<String> {
    let (switches, board, list) = engines(pos);
    let (mut boards, mut replies) = (Vec::new(), Vec::new());
    for &(m, who) in list.iter().filter(|&&(m, _)| board.move_text(m).as_str() == text) {
        board.make(m, &switches, who, &mut boards);
    }
    boards.iter().for_each(|(board, who)| board.moves(&switches, *who, &mut replies));
    replies.iter().map(|&(m, _)| board.move_text(m).to_string()).collect()
}

/// The legal moves after which faults of making moves show, with the moves that they add or leave out then.
fn after_faults<B: Diagnosis>(pos: &Position<B>) -> Vec<(B::Move, BTreeSet<String>)> {
    let (switches, board, list) = engines(pos);
    let after = |&m: &B::Move| {
        let text = pos.move_text(m);
        let mut boards = Vec::new();
        for &(other, who) in list.iter().filter(|&&(other, _)| board.move_text(other) == text) {
            board.make(other, &switches, who, &mut boards);
        }
        (m, state_faults(&boards))
    };
    pos.legal_moves().iter().map(after).filter(|(_, moves)| !moves.is_empty()).collect()
}

/// The moves that only some of the boards after a move have.
fn state_faults<B: FaultyBoard>(boards: &[(B, Engines)]) -> BTreeSet<String> {
    let correct = Switches::new::<B::Fault>(&[]);
    let texts = |(board, _): &(B, Engines)| {
        let mut list = Vec::new();
        board.moves(&correct, 1, &mut list);
        list.iter().map(|&(m, _)| board.move_text(m).to_string()).collect()
    };
    let lists: Vec<BTreeSet<String>> = boards.iter().map(texts).collect();
    let all = lists.iter().flatten().cloned().collect::<BTreeSet<String>>();
    all.into_iter().filter(|text| lists.iter().any(|list| !list.contains(text))).collect()
}
