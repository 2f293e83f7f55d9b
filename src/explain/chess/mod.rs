//! Explains why a move is legal or illegal, from the position alone: slow and obvious.
//!
//! An illegal move is explained by the first rule that it breaks: whose piece it is, how the piece moves, what is in
//! its way, and last the safety of the king. `castling` explains castling, `rules` names the rules, and `mailbox` is
//! what they look at, with `attack`.

#[doc(hidden)]
pub mod attack;
mod castling;
#[doc(hidden)]
pub mod mailbox;
mod rules;

pub use rules::Rule;

use crate::chess::Position;
use crate::chess::types::{Kind, Move, MoveKind, Square};
use crate::explain::Explanation;
use crate::game::{NotationError, Side};
use attack::{DIRECTIONS, JUMPS, attackers, between, direction, slides};
use mailbox::{Mailbox, Step, What};

/// The rule and its sentence.
type Reason = (Rule, String);

/// The positions and moves that led to a position, oldest first.
type History<'a> = &'a [(Position, Move)];

/// The move that a text asks for.
struct Attempt {
    from: Square,
    to: Square,
    /// The letter of a promotion.
    promotion: Option<u8>,
    /// The wing, if it is written as `O-O` or `O-O-O`.
    wing: Option<usize>,
}

/// What the classifier looks at.
struct Case<'a> {
    pos: &'a Position,
    board: Mailbox,
    us: Side,
    king: Square,
    checkers: Vec<(Square, Kind)>,
    before: History<'a>,
}

impl Position {
    /// Explains why the move `text` is legal or illegal here: the rule, and a sentence with the pieces and squares that
    /// make it so. The text is written as coordinates (`e2e4`, `e7e8q`, castling `e1g1` or `O-O`).
    ///
    /// # Errors
    /// If the text is not of the form of a move.
    ///
    /// ```
    /// use tabiya::chess::Position;
    /// use tabiya::explain::chess::Rule;
    ///
    /// let position: Position = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1".parse()?;
    /// let explanation = position.explain("e2c3")?;
    /// assert!(!explanation.legal);
    /// assert_eq!(explanation.rule, Rule::Pinned);
    /// assert_eq!(explanation.to_string(), "the knight on e2 is pinned to its king on e1 by the rook on e4");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn explain(&self, text: &str) -> Result<Explanation<Rule>, NotationError> {
        explain(self, text, &[])
    }
}

/// Explains the move `text`, legal or not. `before` holds the positions and moves that led here, the oldest first, as
/// far as they are known; they say how a right was lost.
///
/// # Errors
/// If the text is not of the form of a move.
pub fn explain(pos: &Position, text: &str, before: History<'_>) -> Result<Explanation<Rule>, NotationError> {
    let board = Mailbox::new(pos);
    let (us, king) = (pos.side(), pos.king(pos.side()));
    let checkers = attackers(&board.squares, king, us.flip());
    let case = Case { pos, board, us, king, checkers, before };
    let attempt = read(&case, text)?;
    let legal = pos.parse_move(text).or_else(|_| pos.parse_move(&attempt.text()));
    let (rule, sentence) = match legal {
        Ok(m) => case.allowed(m),
        Err(_) => case.forbidden(&attempt),
    };
    Ok(Explanation { legal: legal.is_ok(), rule, sentence })
}

/// Reads two squares with an optional letter, or castling as `O-O` or `0-0-0`.
fn read(case: &Case<'_>, text: &str) -> Result<Attempt, NotationError> {
    let castling = text.trim_end_matches(['+', '#']).replace('0', "O");
    let wing = ["O-O", "O-O-O"].iter().position(|&form| form == castling);
    if let Some(wing) = wing {
        let (home, rooks) = case.board.homes[case.us.index()];
        let to = match rooks[wing] {
            Some(rook) if case.board.chess960 => rook,
            _ => home.with_file([6, 2][wing]),
        };
        return Ok(Attempt { from: home, to, promotion: None, wing: Some(wing) });
    }
    let bytes = text.as_bytes();
    let square = |at: usize| bytes.get(at..at + 2).and_then(Square::parse);
    let letter = bytes.get(4).map(u8::to_ascii_lowercase);
    match (square(0), square(2)) {
        (Some(from), Some(to)) if bytes.len() <= 5 && letter.is_none_or(|c| c.is_ascii_alphabetic()) => {
            Ok(Attempt { from, to, promotion: letter, wing: None })
        }
        _ => {
            let form = "expected two squares such as e2e4, plus a promotion letter as in e7e8q";
            Err(NotationError::of_move(text, &format!("is not a move; {form}")))
        }
    }
}

impl Attempt {
    fn text(&self) -> String {
        let letter = self.promotion.map(char::from);
        format!("{}{}{}", self.from, self.to, letter.map_or(String::new(), |c| c.to_string()))
    }
}

/// "the knight on e2"
fn on((square, kind): (Square, Kind)) -> String {
    format!("the {} on {square}", kind)
}

/// The name of a side.
fn of(side: Side) -> &'static str {
    if side == Side::First { "White" } else { "Black" }
}

impl Case<'_> {
    /// The kind of the piece on `square`, which must not be empty.
    fn kind(&self, square: Square) -> Kind {
        self.board.at(square).map_or(Kind::Pawn, |(_, kind)| kind)
    }

    /// The piece on an occupied square, in words.
    fn piece(&self, square: Square) -> String {
        on((square, self.kind(square)))
    }

    /// Why the attempt is illegal.
    fn forbidden(&self, attempt: &Attempt) -> Reason {
        let &Attempt { from, to, promotion, wing } = attempt;
        if let Some(wing) = wing {
            let (home, rooks) = self.board.homes[self.us.index()];
            return self.may_not_castle(home, rooks[wing].unwrap_or(to), wing);
        }
        let Some((owner, kind)) = self.board.at(from) else {
            return (Rule::NoPiece, format!("there is no piece on {from}"));
        };
        if owner != self.us {
            let (other, us) = (of(owner), of(self.us));
            return (Rule::NotYours, format!("{} is {other}'s, and {us} is to move", self.piece(from)));
        }
        if let Some(reason) = self.castling(from, to) {
            return reason;
        }
        if from == to {
            return (Rule::NotItsMove, format!("{} does not move", self.piece(from)));
        }
        let victim = self.board.at(to).filter(|&(side, _)| side == self.us);
        let steps_ahead = kind == Kind::Pawn && from.file() == to.file();
        if let Some((_, victim)) = victim.filter(|_| !steps_ahead)
            && self.piece_rule(from, to, kind).is_none()
        {
            let (piece, victim) = (self.piece(from), on((to, victim)));
            return (Rule::OwnPiece, format!("{piece} captures {victim} of its own side"));
        }
        self.piece_rule(from, to, kind)
            .or_else(|| self.promotion_rule(from, to, kind, promotion))
            .or_else(|| self.king_rule(from, to))
            .unwrap_or_else(|| (Rule::NotItsMove, format!("{} cannot move to {to}", self.piece(from))))
    }

    /// What stops the piece from going to `to`, kings aside.
    fn piece_rule(&self, from: Square, to: Square, kind: Kind) -> Option<Reason> {
        let (files, ranks) = (to.file() - from.file(), to.rank() - from.rank());
        let way = direction(from, to);
        let fits = match kind {
            Kind::Pawn => return self.pawn_rule(from, to),
            Kind::Knight => JUMPS.contains(&(files, ranks)),
            Kind::King => DIRECTIONS.contains(&(files, ranks)),
            _ => way.is_some_and(|way| slides(kind, way)),
        };
        if !fits {
            let sentence = format!("a {} does not move from {from} to {to}", kind);
            return Some(if self.goes_around(from, to, kind) {
                (Rule::AroundTheEdge, around(kind, from, to))
            } else {
                (Rule::NotItsMove, sentence)
            });
        }
        if matches!(kind, Kind::Knight | Kind::King) {
            return None;
        }
        let blocker = between(from, to).find(|&s| self.board.at(s).is_some())?;
        Some((Rule::ThroughPiece, format!("{} slides through {}", self.piece(from), self.piece(blocker))))
    }

    /// Whether the move is one of the piece if the board's left and right edges were joined, as in arithmetic with
    /// square numbers.
    fn goes_around(&self, from: Square, to: Square, kind: Kind) -> bool {
        let numbers = to.index() as i32 - from.index() as i32;
        let steps: &[(i32, i32)] = match kind {
            Kind::Knight => &JUMPS,
            Kind::King => &DIRECTIONS,
            // A slider that leaves the rank arrives on the first square of the next one.
            Kind::Rook | Kind::Queen => {
                let last = if to > from { from.with_file(7) } else { from.with_file(0) };
                let clear = between(from, last).chain([last]);
                let clear = clear.filter(|&s| s != from).all(|s| self.board.at(s).is_none());
                return clear && to.index().abs_diff(last.index()) == 1;
            }
            _ => return false,
        };
        steps.iter().any(|(files, ranks)| files + 8 * ranks == numbers)
    }

    fn pawn_rule(&self, from: Square, to: Square) -> Option<Reason> {
        let ahead = self.us.forward();
        let (files, ranks) = (to.file() - from.file(), (to.rank() - from.rank()) * ahead);
        let pawn = self.piece(from);
        let blocked = |square: Square| {
            let other = self.board.at(square).map(|(_, kind)| on((square, kind)))?;
            Some((Rule::PawnBlocked, format!("{pawn} is blocked by {other}")))
        };
        match (files, ranks) {
            (0, 1) => blocked(to),
            (0, 2) if from.seen_by(self.us).rank() == 1 => {
                from.step(0, ahead).and_then(blocked).or_else(|| blocked(to))
            }
            (0, 2) => {
                let rank = if self.us == Side::First { "second" } else { "seventh" };
                Some((
                    Rule::DoubleStepRank,
                    format!("{pawn} makes a double step, which pawns do from the {rank} rank only"),
                ))
            }
            (0, ..=-1) => Some((Rule::NotItsMove, format!("{pawn} moves backwards"))),
            (-1 | 1, 1) if self.board.at(to).is_some() || self.pos.en_passant() == Some(to) => None,
            (-1 | 1, 1) => Some(self.captures_nothing(from, to)),
            _ => {
                let numbers = to.index() as i32 - from.index() as i32;
                let around_edge = files.abs() == 7 && [8 * ahead - 1, 8 * ahead + 1].contains(&numbers);
                Some(if around_edge {
                    (Rule::AroundTheEdge, around(Kind::Pawn, from, to))
                } else {
                    (Rule::NotItsMove, format!("a pawn does not move from {from} to {to}"))
                })
            }
        }
    }

    /// A pawn captures on an empty square that is not the square of a capture en passant.
    fn captures_nothing(&self, from: Square, to: Square) -> Reason {
        let beside = to.with_rank_of(from);
        let victim = self.board.at(beside) == Some((self.us.flip(), Kind::Pawn));
        if !(victim && from.seen_by(self.us).rank() == 4) {
            return (Rule::PawnCapturesNothing, format!("{} captures on {to}, where nothing stands", self.piece(from)));
        }
        let pawn = on((beside, Kind::Pawn));
        // The last move to the pawn's square is the pawn's.
        let moves = self.before.iter().rev().enumerate();
        let arrival = moves.map(|(ago, (_, m))| (ago, m)).find(|(_, m)| m.to() == beside);
        match arrival {
            Some((ago, m)) if m.is(MoveKind::DoublePush) => (
                Rule::EnPassantLate,
                format!("{pawn} can no longer be captured en passant: its double step was {} plies ago", ago + 1),
            ),
            Some((_, m)) => (
                Rule::NoDoubleStep,
                format!("{pawn} cannot be captured en passant: it came from {}, without a double step", m.from()),
            ),
            None => (
                Rule::NoDoubleStep,
                format!("{pawn} cannot be captured en passant: it has not just made a double step"),
            ),
        }
    }

    fn promotion_rule(&self, from: Square, to: Square, kind: Kind, letter: Option<u8>) -> Option<Reason> {
        let reaches = kind == Kind::Pawn && to.seen_by(self.us).rank() == 7;
        match (reaches, letter) {
            (true, None | Some(b'p')) => {
                Some((Rule::NoPromotion, format!("{} reaches the last rank and must promote", self.piece(from))))
            }
            (true, Some(b'n' | b'b' | b'r' | b'q')) | (false, None) => None,
            (true, Some(letter)) => {
                let promoted = Kind::from_fen_letter(letter).map(|(_, kind)| kind);
                let what = promoted.map_or(format!("{:?}", char::from(letter)), |kind| format!("a {kind}"));
                Some((Rule::WrongPromotion, format!("a pawn does not promote to {what}")))
            }
            (false, Some(_)) => Some((Rule::WrongPromotion, format!("{} does not promote on {to}", self.piece(from)))),
        }
    }

    /// How the move leaves the king attacked.
    fn king_rule(&self, from: Square, to: Square) -> Option<Reason> {
        let them = self.us.flip();
        let en_passant = self.kind(from) == Kind::Pawn && self.pos.en_passant() == Some(to);
        let what = if en_passant { What::EnPassant } else { What::Plain };
        let after = self.board.pieces_after(Step { from, to, what });
        let is_king = from == self.king;
        let target = if is_king { to } else { self.king };
        let found = attackers(&after, target, them);
        let old = |attacker: &&(Square, Kind)| self.checkers.iter().any(|c| c.0 == attacker.0);
        let &attacker = found.iter().find(old).or(found.first())?;
        let (mover, enemy) = (self.piece(from), on(attacker));
        let king = on((self.king, Kind::King));
        if is_king {
            let along = self.checkers.contains(&attacker)
                && !matches!(attacker.1, Kind::Pawn | Kind::Knight)
                && direction(attacker.0, from) == direction(attacker.0, to);
            return Some(if attacker.1 == Kind::King {
                (Rule::KingsTouch, format!("{mover} moves to {to}, next to {enemy}"))
            } else if self.board.at(to).is_some() {
                (Rule::KingTakesProtected, format!("{enemy} protects {}", self.piece(to)))
            } else if along {
                (Rule::KingAlongLine, format!("{mover} is in check by {enemy} and retreats along its line to {to}"))
            } else {
                (Rule::KingIntoCheck, format!("{enemy} attacks {to}"))
            });
        }
        if let [a, b, ..] = self.checkers[..] {
            return Some((
                Rule::DoubleCheck,
                format!("{king} is in double check by {} and {}, so only the king can move", on(a), on(b)),
            ));
        }
        if old(&&attacker) {
            return Some((Rule::CheckIgnored, format!("{king} stays in check by {enemy}")));
        }
        if en_passant {
            let mut without = self.board.squares;
            without[from.index()] = None;
            let captured = on((to.with_rank_of(from), Kind::Pawn));
            return Some(if attackers(&without, self.king, them).iter().any(|a| a.0 == attacker.0) {
                (
                    Rule::EnPassantPinned,
                    format!("{mover} is pinned to its king on {} by {enemy} and cannot capture en passant", self.king),
                )
            } else if self.king.rank() == from.rank() && attacker.0.rank() == from.rank() {
                (
                    Rule::EnPassantRank,
                    format!("en passant, {mover} and {captured} both leave the rank, and {enemy} attacks {king}"),
                )
            } else {
                (
                    Rule::EnPassantLine,
                    format!("{captured} shields {king} from {enemy}, so it cannot be captured en passant"),
                )
            });
        }
        Some((Rule::Pinned, format!("{mover} is pinned to its king on {} by {enemy}", self.king)))
    }

    /// Why the legal move `m` is legal.
    fn allowed(&self, m: Move) -> Reason {
        let (from, to) = (m.from(), m.to());
        if m.is(MoveKind::Castle) {
            return self.may_castle(from, to);
        }
        let mover = self.piece(from);
        let victim = self.board.at(to).map(|(_, kind)| on((to, kind)));
        let captures = victim.as_ref().map_or(format!("goes to {to}"), |v| format!("captures {v}"));
        let check = self.checkers.first().map(|&checker| on(checker));
        if m.is(MoveKind::EnPassant) {
            let captured = on((to.with_rank_of(from), Kind::Pawn));
            let ends = if check.is_some() { ", and so answers the check" } else { "" };
            return (
                Rule::EnPassant,
                format!("{mover} captures {captured} en passant, which has just made a double step{ends}"),
            );
        }
        if let Some(kind) = m.promotion() {
            let by = if victim.is_some() { format!("{mover} {captures} and") } else { mover };
            return (Rule::Promotion, format!("{by} promotes to a {}", kind));
        }
        let is_checker = self.checkers.iter().any(|c| c.0 == to);
        match (check, from == self.king) {
            (Some(_), _) if is_checker => {
                return (Rule::CapturesChecker, format!("{mover} {captures}, which gives check"));
            }
            (Some(check), true) => {
                return (Rule::KingLeavesCheck, format!("{mover} leaves the check by {check} and {captures}"));
            }
            (Some(check), false) => {
                return (Rule::BlocksCheck, format!("{mover} goes to {to} and blocks the check by {check}"));
            }
            (None, _) => {}
        }
        let mut without = self.board.squares;
        without[from.index()] = None;
        let pinner = attackers(&without, self.king, self.us.flip()).first().copied();
        match (m.kind(), pinner) {
            (Some(MoveKind::King), _) => (Rule::KingMove, format!("{mover} {captures}, which is not attacked")),
            (_, Some(pinner)) => (
                Rule::AlongPin,
                format!("{mover} is pinned by {} and stays on the line of the pin: it {captures}", on(pinner)),
            ),
            (Some(MoveKind::DoublePush), _) => (Rule::DoubleStep, format!("{mover} makes a double step to {to}")),
            (Some(MoveKind::Pawn), _) if victim.is_some() => (Rule::PawnCapture, format!("{mover} {captures}")),
            (Some(MoveKind::Pawn), _) => (Rule::PawnStep, format!("{mover} steps to {to}")),
            (Some(MoveKind::Knight), _) => (Rule::KnightMove, format!("{mover} {captures}")),
            _ => (Rule::Slide, format!("{mover} {captures}")),
        }
    }
}

fn around(name: Kind, from: Square, to: Square) -> String {
    format!("the {name} on {from} leaves the board at its edge and arrives on {to}")
}
