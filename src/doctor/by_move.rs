//! Checks an engine that has no `go perft`: it is asked about one move after another.
//!
//! An engine tells whether it takes a move for legal in one of two ways ([`Method`]); which of them it can be trusted
//! with is tried on moves that are known to be legal and illegal. Where neither works, nothing can be decided. It is
//! asked about the legal moves of each position and about those that an engine with a known fault would add.

use super::spot::{Line, Spot, texts};
use crate::doctor::faults::{Diagnosis, Fault, FaultKind as _, Faults, FaultyBoard as _};
use crate::doctor::program::respell;
use crate::doctor::uci_client::Peer;
use crate::game::Position;
use std::collections::BTreeSet;

/// How an engine without `go perft` tells whether a move is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// It answers `go depth 1 searchmoves M` with `bestmove M` if M is legal.
    SearchMoves,
    /// It ignores an illegal move in `position … moves M`, so that its own side is still to move.
    Refusal,
}

/// Asks an engine about moves.
pub struct MoveByMove<'a> {
    start: Box<dyn FnMut() -> Result<Peer, String> + 'a>,
    engine: Peer,
    rank_offset: u32,
    method: Method,
    /// It does not answer where the game is over.
    is_mute: bool,
    /// The start position after a move.
    second_ply: String,
}

impl<'a> MoveByMove<'a> {
    /// Finds out how the engine that `start` starts tells whether a move is legal.
    ///
    /// # Errors
    /// If it does not tell, or fails.
    pub fn new<B: Diagnosis>(mut start: impl FnMut() -> Result<Peer, String> + 'a) -> Result<Self, String> {
        let engine = start()?;
        let position = Position::<B>::from_fen(B::START_FEN).map_err(|e| e.to_string())?;
        let legal = texts(&position);
        // Moves of the other side: not even a faulty generator makes them.
        let illegal = texts(&position.play_unchecked(position.legal_moves()[0]));
        let illegal = BTreeSet::from_iter(illegal.difference(&legal).cloned());
        let mut known = Vec::new();
        for (list, is_legal) in [(&legal, true), (&illegal, false)] {
            known.extend(list.iter().step_by(list.len() / 2 + 1).map(|text| (text, is_legal)));
        }
        let mut asker = MoveByMove {
            start: Box::new(start),
            engine,
            rank_offset: 0,
            method: Method::SearchMoves,
            is_mute: false,
            second_ply: String::new(),
        };
        for offset in [0, 1] {
            asker.rank_offset = offset;
            asker.second_ply = format!("position startpos moves {}", respell(known[0].0, offset));
            for method in [Method::SearchMoves, Method::Refusal] {
                asker.method = method;
                let mut works = true;
                for &(text, is_legal) in &known {
                    works = works && asker.accepts(&position, &[], text)? == Some(is_legal);
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
    fn accepts<B: Diagnosis>(
        &mut self,
        root: &Position<B>,
        path: &[(Position<B>, B::Move)],
        text: &str,
    ) -> Result<Option<bool>, String> {
        let offset = self.rank_offset;
        let mut moves: Vec<String> = path.iter().map(|(pos, m)| respell(pos.move_text(*m).as_str(), offset)).collect();
        let spelt = respell(text, offset);
        let position = format!("position fen {}", root.to_fen());
        let tail =
            |moves: &[String]| if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
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
        Ok(if texts(&pos).iter().any(is_best) {
            Some(false)
        } else {
            replies(&pos, text).iter().any(is_best).then_some(true)
        })
    }

    /// Whether the engine is wrong about `text`. Where the game is over some engines repeat the answer that they gave
    /// last, so it is asked again after a move of White and after one of Black.
    fn is_wrong<B: Diagnosis>(
        &mut self,
        (root, line): (&Position<B>, &Line<B>),
        text: &str,
        is_legal: bool,
    ) -> Result<bool, String> {
        for between in ["", "position startpos", &self.second_ply.clone()] {
            if !between.is_empty() {
                self.engine.best_move(between, "go depth 1", false)?;
            }
            if self.accepts(root, line, text)? != Some(!is_legal) {
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

    /// The moves that it takes for legal, of the legal ones and those of anyone with a fault.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn moves<B: Diagnosis>(&mut self, spot: &Spot<B>) -> Result<Vec<String>, String> {
        let Some((line, end)) = spot.line() else { return Ok(Vec::new()) };
        let legal = texts(&end);
        let mut moves = Vec::new();
        for text in anyones_moves(&end) {
            let is_legal = legal.contains(&text);
            if self.is_wrong((&spot.root, &line), &text, is_legal)? != is_legal {
                moves.push(text);
            }
        }
        Ok(moves)
    }
}

/// The legal moves and those that an engine with a known fault would add.
fn anyones_moves<B: Diagnosis>(pos: &Position<B>) -> BTreeSet<String> {
    let (board, mut moves) = (B::sound_board(pos), texts(pos));
    for &kind in B::Fault::ALL {
        let faults = Faults::of(&[Fault { kind, side: None }]);
        moves.extend(board.moves(&faults).into_iter().map(|m| board.move_text(m).to_string()));
    }
    moves
}

/// The moves that any engine has after the move `text`, legal or not.
fn replies<B: Diagnosis>(pos: &Position<B>, text: &str) -> BTreeSet<String> {
    let (board, mut replies) = (B::sound_board(pos), BTreeSet::new());
    for &kind in B::Fault::ALL {
        let faults = Faults::of(&[Fault { kind, side: None }]);
        for m in board.moves(&faults).into_iter().filter(|m| board.move_text(*m).as_str() == text) {
            let next = board.make(m, &faults);
            replies.extend(next.moves(&faults).into_iter().map(|m| next.move_text(m).to_string()));
        }
    }
    replies
}
