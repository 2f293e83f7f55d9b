//! The rules by which moves of chess are explained.

use crate::explain::rule_table;

rule_table! {
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
    Rule {
        NoPiece "no piece on the square";
        NotYours "a piece of the opponent moves";
        OwnPiece "capture of an own piece";
        NotItsMove "not a move of this piece";
        AroundTheEdge "a move around the edge of the board";
        ThroughPiece "a slider through a piece";
        PawnBlocked "a pawn onto or through a piece";
        DoubleStepRank "a double step not from the start rank";
        PawnCapturesNothing "a pawn captures on an empty square";
        EnPassantLate "en passant one move too late";
        NoDoubleStep "en passant without a double step";
        WrongPromotion "a wrong promotion piece";
        NoPromotion "a pawn on the last rank does not promote";
        KingIntoCheck "the king moves into check";
        KingAlongLine "the king retreats along the line of a check";
        KingsTouch "king next to king";
        KingTakesProtected "the king captures a protected piece";
        Pinned "leaves a pin";
        CheckIgnored "a check is not answered";
        DoubleCheck "a double check is not answered by the king";
        EnPassantPinned "a pinned pawn captures en passant";
        EnPassantRank "en passant opens the rank: both pawns leave it";
        EnPassantLine "en passant opens a line: the captured pawn shielded the king";
        CastlesOutOfCheck "castling out of check";
        CastlesThroughAttack "castling through an attacked square";
        CastlesIntoCheck "castling into check";
        CastlesOverPiece "castling over a piece";
        RookOverPiece "castling with a piece in the rook's way";
        CastlingRightLost "castling with the right lost";
        RookShields "castling away a rook that shields the king";
        PawnStep "a step of a pawn";
        DoubleStep "a double step";
        PawnCapture "a capture by a pawn";
        EnPassant "en passant";
        Promotion "promotion";
        KnightMove "a move of a knight";
        Slide "a move of a bishop, rook or queen";
        KingMove "a move of the king";
        Castling "castling";
        AlongPin "a pinned piece stays on the line of its pin";
        CapturesChecker "capture of the piece that gives check";
        BlocksCheck "a piece blocks a check";
        KingLeavesCheck "the king leaves a check";
    }
}
