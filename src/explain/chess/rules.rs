//! The rules by which moves of chess are explained.

use std::fmt;

/// A rule of chess that makes a move illegal, or that allows it. The first half is broken by illegal moves, the
/// rest, from `PawnStep` on, allows legal ones.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::explain::chess::Rule;
///
/// let position: Position = "r3k2r/8/8/8/8/8/5p2/R3K2R w KQkq - 0 1".parse()?;
/// let explanation = position.explain("e1g1")?;
/// assert_eq!((explanation.legal, explanation.rule), (false, Rule::CastlesOutOfCheck));
/// assert_eq!(explanation.rule.to_string(), "castling out of check");
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "`Display` writes what each is")]
pub enum Rule {
    NoPiece,
    NotYours,
    OwnPiece,
    NotItsMove,
    AroundTheEdge,
    ThroughPiece,
    PawnBlocked,
    DoubleStepRank,
    PawnCapturesNothing,
    EnPassantLate,
    NoDoubleStep,
    WrongPromotion,
    NoPromotion,
    KingIntoCheck,
    KingAlongLine,
    KingsTouch,
    KingTakesProtected,
    Pinned,
    CheckIgnored,
    DoubleCheck,
    EnPassantPinned,
    EnPassantRank,
    EnPassantLine,
    CastlesOutOfCheck,
    CastlesThroughAttack,
    CastlesIntoCheck,
    CastlesOverPiece,
    RookOverPiece,
    CastlingRightLost,
    RookShields,
    PawnStep,
    DoubleStep,
    PawnCapture,
    EnPassant,
    Promotion,
    KnightMove,
    Slide,
    KingMove,
    Castling,
    AlongPin,
    CapturesChecker,
    BlocksCheck,
    KingLeavesCheck,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Rule::NoPiece => "no piece on the square",
            Rule::NotYours => "a piece of the opponent moves",
            Rule::OwnPiece => "capture of an own piece",
            Rule::NotItsMove => "not a move of this piece",
            Rule::AroundTheEdge => "a move around the edge of the board",
            Rule::ThroughPiece => "a slider through a piece",
            Rule::PawnBlocked => "a pawn onto or through a piece",
            Rule::DoubleStepRank => "a double step not from the start rank",
            Rule::PawnCapturesNothing => "a pawn captures on an empty square",
            Rule::EnPassantLate => "en passant one move too late",
            Rule::NoDoubleStep => "en passant without a double step",
            Rule::WrongPromotion => "a wrong promotion piece",
            Rule::NoPromotion => "a pawn on the last rank does not promote",
            Rule::KingIntoCheck => "the king moves into check",
            Rule::KingAlongLine => "the king retreats along the line of a check",
            Rule::KingsTouch => "king next to king",
            Rule::KingTakesProtected => "the king captures a protected piece",
            Rule::Pinned => "leaves a pin",
            Rule::CheckIgnored => "a check is not answered",
            Rule::DoubleCheck => "a double check is not answered by the king",
            Rule::EnPassantPinned => "a pinned pawn captures en passant",
            Rule::EnPassantRank => "en passant opens the rank: both pawns leave it",
            Rule::EnPassantLine => "en passant opens a line: the captured pawn shielded the king",
            Rule::CastlesOutOfCheck => "castling out of check",
            Rule::CastlesThroughAttack => "castling through an attacked square",
            Rule::CastlesIntoCheck => "castling into check",
            Rule::CastlesOverPiece => "castling over a piece",
            Rule::RookOverPiece => "castling with a piece in the rook's way",
            Rule::CastlingRightLost => "castling with the right lost",
            Rule::RookShields => "castling away a rook that shields the king",
            Rule::PawnStep => "a step of a pawn",
            Rule::DoubleStep => "a double step",
            Rule::PawnCapture => "a capture by a pawn",
            Rule::EnPassant => "en passant",
            Rule::Promotion => "promotion",
            Rule::KnightMove => "a move of a knight",
            Rule::Slide => "a move of a bishop, rook or queen",
            Rule::KingMove => "a move of the king",
            Rule::Castling => "castling",
            Rule::AlongPin => "a pinned piece stays on the line of its pin",
            Rule::CapturesChecker => "capture of the piece that gives check",
            Rule::BlocksCheck => "a piece blocks a check",
            Rule::KingLeavesCheck => "the king leaves a check",
        })
    }
}
