//! Why a move is legal or not: one rule after another, slow and obvious, from the pieces on their squares.

#[doc(hidden)]
pub mod mailbox;
mod rules;

pub use rules::Rule;

use crate::explain::Explanation;
use crate::game::NotationError;
use crate::xiangqi::Position;
use crate::xiangqi::board::notation::read_squares;
use crate::xiangqi::types::{Kind, Square};
use mailbox::{DIAGONAL, JUMPS, Mailbox, STRAIGHT, beyond_river, first_step, in_palace};

/// The sentence if the rules here and the generator contradict each other, which tests rule out.
pub const NO_RULE: &str = "no rule is found that it breaks";

impl Position {
    /// Explains why the move `text` is legal or illegal here: the rule, and a sentence with the pieces and squares that
    /// make it so. The text is written as coordinates (`h2e2`).
    ///
    /// # Errors
    /// If the text is not of the form of a move.
    ///
    /// ```
    /// use tabiya::explain::xiangqi::Rule;
    /// use tabiya::xiangqi::Position;
    ///
    /// let explanation = Position::default().explain("b0d1")?;
    /// let sentence = "the elephant on c0 blocks the leg of the horse on b0 on the way to d1";
    /// assert_eq!((explanation.rule, explanation.to_string().as_str()), (Rule::HorseLeg, sentence));
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn explain(&self, text: &str) -> Result<Explanation<Rule>, NotationError> {
        explain(self, text)
    }
}

/// Explains the move `text`, legal or not.
///
/// # Errors
/// If the text is not of the form of a move.
pub fn explain(pos: &Position, text: &str) -> Result<Explanation<Rule>, NotationError> {
    let (from, to) = read_squares(pos, text)?;
    let legal = pos.legal_moves().iter().any(|m| (m.from(), m.to()) == (from, to));
    let board = Mailbox::from(pos);
    let words = Words { pos, board: &board };
    let found = match board.at(from) {
        Some((side, kind)) if side == board.side => {
            let move_ = Mover { words, kind, from, to };
            if legal { Some(move_.allowed()) } else { move_.misses().or_else(|| move_.leaves_king()) }
        }
        Some(_) => Some((Rule::NoPiece, format!("{} is the opponent's", words.piece(from)))),
        None => Some((Rule::NoPiece, format!("there is no piece on {}", words.square(from)))),
    };
    let (rule, sentence) = found.unwrap_or_else(|| (Rule::NoPiece, NO_RULE.into()));
    Ok(Explanation { legal, rule, sentence })
}

type Found = (Rule, String);

/// Names for pieces and squares.
#[derive(Clone, Copy)]
struct Words<'a> {
    pos: &'a Position,
    board: &'a Mailbox,
}

impl Words<'_> {
    fn square(&self, square: Square) -> String {
        self.pos.square_name(square)
    }

    /// "the horse on b0"
    fn piece(&self, square: Square) -> String {
        match self.board.at(square) {
            Some((_, kind)) => format!("the {kind} on {}", self.square(square)),
            None => format!("the piece on {}", self.square(square)),
        }
    }

    fn file(&self, square: Square) -> String {
        format!("{}-file", &self.square(square)[..1])
    }
}

/// A move of a piece of the side to move.
struct Mover<'a> {
    words: Words<'a>,
    kind: Kind,
    from: Square,
    to: Square,
}

/// The rule about a check by a piece.
fn check_by(kind: Kind) -> Rule {
    match kind {
        Kind::King => Rule::FlyingGeneral,
        Kind::Chariot => Rule::ChariotCheck,
        Kind::Cannon => Rule::CannonCheck,
        Kind::Horse => Rule::HorseCheck,
        _ => Rule::SoldierCheck,
    }
}

impl Mover<'_> {
    fn way(&self) -> (i32, i32) {
        (self.to.file() - self.from.file(), self.to.rank() - self.from.rank())
    }

    fn mover(&self) -> String {
        self.words.piece(self.from)
    }

    fn target(&self) -> String {
        self.words.square(self.to)
    }

    fn takes(&self) -> bool {
        !self.words.board.is_empty(self.to)
    }

    /// Whether the squares are a step apart only by their numbers: the end of a rank is next to the beginning of the
    /// next one.
    fn wraps(&self) -> bool {
        let apart = self.to.index() as i32 - self.from.index() as i32;
        let steps: Vec<(i32, i32)> = match self.kind {
            Kind::Horse => JUMPS.to_vec(),
            Kind::Elephant => DIAGONAL.map(|(files, ranks)| (2 * files, 2 * ranks)).to_vec(),
            Kind::Advisor => DIAGONAL.to_vec(),
            Kind::King | Kind::Soldier => STRAIGHT.to_vec(),
            Kind::Chariot | Kind::Cannon => (1..9).flat_map(|n| [(n, 0), (-n, 0)]).collect(),
        };
        steps
            .into_iter()
            .any(|(files, ranks)| apart == files + 9 * ranks && self.from.step(files, ranks) != Some(self.to))
    }

    /// Why the piece does not move like this, whatever becomes of its king.
    fn misses(&self) -> Option<Found> {
        let Mover { words, kind, from, to } = *self;
        let board = words.board;
        let (mover, target) = (self.mover(), self.target());
        if from == to {
            return Some((Rule::NoPiece, format!("{mover} does not move")));
        }
        if board.is_of(to, board.side) {
            return Some((Rule::OwnPiece, format!("{mover} takes {} of its own side", words.piece(to))));
        }
        let way = self.way();
        let (files, ranks) = (way.0.abs(), way.1.abs());
        let moves_so = match kind {
            Kind::Soldier | Kind::King => files + ranks == 1,
            Kind::Horse => JUMPS.contains(&way),
            Kind::Elephant => (files, ranks) == (2, 2),
            Kind::Advisor => (files, ranks) == (1, 1),
            Kind::Chariot | Kind::Cannon => files == 0 || ranks == 0,
        };
        if !moves_so {
            if self.wraps() {
                return Some((Rule::Edge, format!("{mover} passes the edge of the board on its way to {target}")));
            }
            let (rule, how) = match kind {
                Kind::Soldier => (Rule::SoldierStep, "steps one square straight"),
                Kind::King => (Rule::KingStep, "steps one square along a file or rank"),
                Kind::Horse => (Rule::HorseJump, "goes one step straight and one diagonally"),
                Kind::Elephant => (Rule::ElephantStep, "steps two squares diagonally"),
                Kind::Advisor => (Rule::AdvisorStep, "steps one square diagonally"),
                Kind::Chariot => (Rule::ChariotLine, "moves along files and ranks"),
                Kind::Cannon => (Rule::CannonLine, "moves along files and ranks"),
            };
            return Some((rule, format!("{mover} cannot reach {target}: it {how}")));
        }
        match kind {
            Kind::Soldier if way.1 == -board.side.forward() => {
                Some((Rule::SoldierBackwards, format!("{mover} moves backwards")))
            }
            Kind::Soldier if way.1 == 0 && !beyond_river(board.side, from) => {
                Some((Rule::SoldierSideways, format!("{mover} moves sideways before it has crossed the river")))
            }
            Kind::King | Kind::Advisor if !in_palace(board.side, to) => {
                Some((Rule::Palace, format!("{mover} leaves the palace to {target}")))
            }
            Kind::Elephant if beyond_river(board.side, to) => {
                Some((Rule::River, format!("{mover} crosses the river to {target}")))
            }
            Kind::Elephant => {
                let eye = first_step(from, way).filter(|&eye| !board.is_empty(eye))?;
                Some((Rule::ElephantEye, format!("{} blocks the eye of {mover}", words.piece(eye))))
            }
            Kind::Horse => {
                let leg = first_step(from, way).filter(|&leg| !board.is_empty(leg))?;
                Some((Rule::HorseLeg, format!("{} blocks the leg of {mover} on the way to {target}", words.piece(leg))))
            }
            Kind::Chariot => {
                let first = *board.screens(from, to)?.first()?;
                Some((Rule::ChariotPath, format!("{mover} cannot pass {} on the way to {target}", words.piece(first))))
            }
            Kind::Cannon => self.cannon_misses(),
            _ => None,
        }
    }

    fn cannon_misses(&self) -> Option<Found> {
        let Mover { words, from, to, .. } = *self;
        let mover = self.mover();
        let screens = words.board.screens(from, to)?;
        match (self.takes(), &screens[..]) {
            (true, []) => Some((Rule::CannonScreen, format!("{mover} has no screen to take {}", words.piece(to)))),
            (true, [_]) | (false, []) => None,
            (true, many) => {
                let names: Vec<String> = many.iter().map(|&s| words.square(s)).collect();
                Some((
                    Rule::CannonScreen,
                    format!(
                        "{mover} has {} screens instead of one on the way to {}, on {}",
                        many.len(),
                        words.piece(to),
                        names.join(" and ")
                    ),
                ))
            }
            (false, [first, ..]) => Some((
                Rule::CannonPath,
                format!("{mover} passes {} without taking a piece on {}", words.piece(*first), self.target()),
            )),
        }
    }

    /// What attacks the own king after the move, and how it comes that it does.
    fn leaves_king(&self) -> Option<Found> {
        let Mover { words, kind, from, to } = *self;
        let board = words.board;
        let after = board.after(from, to);
        let checker = *after.checkers(board.side).first()?;
        let (_, by) = after.at(checker)?;
        let king = after.king(board.side)?;
        let (mover, checker_name) = (self.mover(), words.piece(checker));
        let king_name = format!("the king on {}", words.square(king));
        let rule = check_by(by);
        if kind == Kind::King {
            let along = Mailbox::between(checker, to).is_some_and(|line| line.contains(&from));
            return Some((
                rule,
                match by {
                    Kind::King => format!("{mover} would face {checker_name} on the open {}", words.file(to)),
                    Kind::Chariot if along => format!("{mover} stays on the line of {checker_name}"),
                    _ if self.takes() => format!("{mover} takes {}, which {checker_name} protects", words.piece(to)),
                    _ => format!("{mover} steps to {}, which {checker_name} attacks", self.target()),
                },
            ));
        }
        if board.checkers(board.side).contains(&checker) {
            let reason = format!("{mover} does not answer the check of {checker_name} to {king_name}");
            return Some((rule, reason));
        }
        Some((
            rule,
            match by {
                Kind::King => {
                    format!("{mover} leaves the {}, on which the kings would face each other", words.file(king))
                }
                Kind::Cannon => {
                    let line = Mailbox::between(checker, king)?;
                    if line.contains(&to) {
                        format!("{mover} becomes the screen between {checker_name} and {king_name}")
                    } else {
                        format!("{mover} leaves one screen only between {checker_name} and {king_name}")
                    }
                }
                Kind::Horse => format!("{mover} frees the leg of {checker_name}, which attacks {king_name}"),
                _ => format!("{mover} is pinned to {king_name} by {checker_name}"),
            },
        ))
    }

    /// Which rule allows a legal move.
    fn allowed(&self) -> Found {
        self.answer().or_else(|| self.unseen_check()).unwrap_or_else(|| self.moves_so())
    }

    /// How the move answers a check.
    fn answer(&self) -> Option<Found> {
        let Mover { words, kind, from, to } = *self;
        let board = words.board;
        let checker = *board.checkers(board.side).first()?;
        let (_, by) = board.at(checker)?;
        let king = board.king(board.side)?;
        let (mover, checker_name) = (self.mover(), words.piece(checker));
        if to == checker {
            return Some((Rule::Answer, format!("{mover} takes {checker_name}, which gives check")));
        }
        if kind == Kind::King {
            return Some((Rule::Answer, format!("{mover} leaves the check of {checker_name} for {}", self.target())));
        }
        Some(match by {
            Kind::Cannon if board.screens(checker, king)?.contains(&from) => {
                (Rule::CannonCheck, format!("{mover} is the screen of the check by {checker_name}, and leaves"))
            }
            Kind::Horse => (Rule::Answer, format!("{mover} blocks the leg of {checker_name}, which gives check")),
            _ => (Rule::Answer, format!("{mover} steps between {checker_name}, which gives check, and its king")),
        })
    }

    /// A piece that only seems to attack the king after the move.
    fn unseen_check(&self) -> Option<Found> {
        let Mover { words, kind, from, to } = *self;
        let board = words.board;
        let after = board.after(from, to);
        let king = after.king(board.side)?;
        let king_name = format!("the king on {}", words.square(king));
        let enemies: Vec<(Square, Kind)> = after.pieces_of(board.side.flip()).collect();
        for &(enemy, by) in &enemies {
            let name = words.piece(enemy);
            let way = (king.file() - enemy.file(), king.rank() - enemy.rank());
            if by == Kind::Horse && JUMPS.contains(&way) {
                let leg = first_step(enemy, way)?;
                let leg = words.square(leg);
                return Some((
                    Rule::HorseCheck,
                    format!("{name} does not attack {king_name}: its leg on {leg} is blocked"),
                ));
            }
            if by == Kind::Cannon && after.screens(enemy, king).is_some_and(|s| s.is_empty()) {
                return Some((Rule::CannonCheck, format!("{name} does not attack {king_name} without a screen")));
            }
            if by == Kind::Soldier && way == (0, board.side.forward()) {
                return Some((Rule::SoldierCheck, format!("{name} does not attack {king_name} behind it")));
            }
        }
        // What moves in its own special way is more likely to be missing for that.
        if self.is_special(kind) {
            return None;
        }
        let two = |&&(enemy, by): &&(Square, Kind)| {
            by == Kind::Cannon && after.screens(enemy, king).is_some_and(|s| s.len() == 2)
        };
        let (enemy, _) = enemies.iter().find(two)?;
        let name = words.piece(*enemy);
        Some((Rule::CannonCheck, format!("{name} does not attack {king_name} over two screens")))
    }

    fn is_special(&self, kind: Kind) -> bool {
        match kind {
            Kind::Soldier => self.way().1 == 0,
            Kind::Cannon => self.takes(),
            Kind::Horse => self.leg_at_target().is_some(),
            _ => false,
        }
    }

    /// A piece where the leg would be if it were next to the target.
    fn leg_at_target(&self) -> Option<Square> {
        let (files, ranks) = self.way();
        let leg = first_step(self.to, (-files, -ranks))?;
        (!self.words.board.is_empty(leg)).then_some(leg)
    }

    /// How the piece moves.
    fn moves_so(&self) -> Found {
        let Mover { words, kind, from, to } = *self;
        let (mover, target) = (self.mover(), self.target());
        let goes = if self.takes() { format!("takes {}", words.piece(to)) } else { format!("moves to {target}") };
        let leg = || words.square(first_step(from, self.way()).unwrap_or(from));
        match kind {
            Kind::Soldier if self.way().1 == 0 => {
                (Rule::SoldierSideways, format!("{mover} has crossed the river and {goes} sideways"))
            }
            Kind::Soldier => (Rule::SoldierStep, format!("{mover} {goes} ahead")),
            Kind::Horse => {
                let rule = if self.leg_at_target().is_some() { Rule::HorseLeg } else { Rule::HorseJump };
                (rule, format!("{mover} {goes}; its leg on {} is free", leg()))
            }
            Kind::Elephant => (Rule::ElephantStep, format!("{mover} {goes}; its eye on {} is free", leg())),
            Kind::Advisor => (Rule::AdvisorStep, format!("{mover} {goes} in the palace")),
            Kind::King => (Rule::KingStep, format!("{mover} {goes} in the palace, which is not attacked")),
            Kind::Chariot => (Rule::ChariotLine, format!("{mover} {goes} on an open line")),
            Kind::Cannon if self.takes() => {
                let screen = words.board.screens(from, to).and_then(|s| s.first().copied());
                let screen = screen.map_or("one screen".into(), |screen| words.piece(screen));
                (Rule::CannonScreen, format!("{mover} {goes} over {screen}"))
            }
            Kind::Cannon => (Rule::CannonLine, format!("{mover} {goes} on an open line")),
        }
    }
}
