//! The kinds of faults of a generator of chess moves. Each names the rules that may explain a move that it adds or
//! leaves out; the tests hold the explanations to that.

use crate::doctor::faults::fault_table;
use crate::explain::chess::Rule;

fault_table! {
    /// A kind of fault in a generator of chess moves.
    ChessFault by Rule {
        PinDiagonal "lets pieces leave a pin on a diagonal" [Pinned EnPassantPinned];
        PinStraight "lets pieces leave a pin on a file or rank" [Pinned EnPassantPinned];
        PinnedPawn "lets pinned pawns move" [Pinned EnPassantPinned];
        PinnedKnight "lets pinned knights move" [Pinned];
        PinLineMissing "does not move pinned pieces along the line of the pin" [AlongPin Promotion EnPassant];
        PinnedAnswersCheck "answers a check with pinned pieces" [Pinned EnPassantPinned];
        KingIntoPawn "moves the king onto a square that a pawn attacks" [KingIntoCheck KingTakesProtected];
        KingIntoKnight "moves the king onto a square that a knight attacks" [KingIntoCheck KingTakesProtected];
        KingIntoDiagonal "moves the king onto a diagonal of a bishop or queen"
            [KingIntoCheck KingTakesProtected KingAlongLine];
        KingIntoStraight "moves the king onto a file or rank of a rook or queen"
            [KingIntoCheck KingTakesProtected KingAlongLine];
        KingNextToKing "moves the king next to the other king" [KingsTouch];
        KingAlongLine "lets the king retreat along the line of a checking piece" [KingAlongLine KingTakesProtected];
        KingTakesProtected "lets the king capture protected pieces" [KingTakesProtected KingsTouch];
        PawnCheckIgnored "does not notice a check by a pawn" [CheckIgnored DoubleCheck];
        KnightCheckIgnored "does not notice a check by a knight" [CheckIgnored DoubleCheck];
        DiagonalCheckIgnored "does not notice a check on a diagonal" [CheckIgnored DoubleCheck];
        StraightCheckIgnored "does not notice a check on a file or rank" [CheckIgnored DoubleCheck];
        PawnAttacksUnseen "does not see attacks by pawns"
            [KingIntoCheck KingTakesProtected CheckIgnored DoubleCheck CastlesOutOfCheck CastlesThroughAttack
            CastlesIntoCheck];
        KnightAttacksUnseen "does not see attacks by knights"
            [KingIntoCheck KingTakesProtected CheckIgnored DoubleCheck CastlesOutOfCheck CastlesThroughAttack
            CastlesIntoCheck];
        DoubleCheckAnswered "answers a double check with another piece than the king" [DoubleCheck];
        AnyMove "does not test whether the own king is left in check"
            [Pinned CheckIgnored DoubleCheck KingIntoCheck KingAlongLine KingsTouch KingTakesProtected EnPassantPinned
            EnPassantRank EnPassantLine];
        BlockMissing "does not block checks" [BlocksCheck Promotion EnPassant];
        CaptureOfCheckerMissing "does not capture the checking piece with another piece than the king"
            [CapturesChecker Promotion EnPassant];
        DoubleStepBlockMissing "does not block a check with a double step" [BlocksCheck];
        EnPassantEvasionMissing "does not capture a checking pawn en passant" [EnPassant];
        EnPassantMissing "does not capture en passant" [EnPassant];
        EnPassantWestMissing "does not capture en passant towards the a-file" [EnPassant];
        EnPassantEastMissing "does not capture en passant towards the h-file" [EnPassant];
        EnPassantLate "captures en passant later than one move after the double step" [EnPassantLate NoDoubleStep];
        EnPassantAnyPawn "captures en passant pawns that made no double step"
            [NoDoubleStep EnPassantLate PawnCapturesNothing];
        EnPassantPinned "captures en passant with pinned pawns" [EnPassantPinned];
        EnPassantRank "captures en passant when both pawns leave the king's rank to a rook or queen" [EnPassantRank];
        EnPassantLine "captures en passant when the captured pawn shields the king on a diagonal" [EnPassantLine];
        EnPassantPawnStays "does not remove the pawn captured en passant" [];
        EnPassantPawnShields "tests the king with the pawn captured en passant still on the board"
            [EnPassantRank EnPassantLine EnPassant];
        EnPassantAlongPinMissing "does not capture en passant along the line of a pin" [EnPassant];
        EnPassantNeverSet "does not set the en passant square after a double step" [EnPassant];
        EnPassantAroundEdge "captures en passant around the edge of the board" [AroundTheEdge];
        CastlesOutOfCheckKingSide "castles king side out of check" [CastlesOutOfCheck];
        CastlesOutOfCheckQueenSide "castles queen side out of check" [CastlesOutOfCheck];
        CastlesThroughAttackKingSide "castles king side through an attacked square" [CastlesThroughAttack];
        CastlesThroughAttackQueenSide "castles queen side through an attacked square" [CastlesThroughAttack];
        CastlesIntoCheckKingSide "castles king side into check" [CastlesIntoCheck];
        CastlesIntoCheckQueenSide "castles queen side into check" [CastlesIntoCheck];
        CastlesOverPieceKingSide "castles king side over a piece" [CastlesOverPiece RookOverPiece];
        CastlesOverPieceQueenSide "castles queen side over a piece" [CastlesOverPiece RookOverPiece];
        RookPathIgnored "castles with a piece in the way of the rook alone, as on b1" [RookOverPiece];
        CastlesThroughPawn "castles through squares that a pawn attacks" [CastlesThroughAttack CastlesIntoCheck];
        CastlesThroughKing "castles through squares next to the other king" [CastlesThroughAttack CastlesIntoCheck];
        RookShields "castles in Chess960 although the rook shields the king's new square" [RookShields];
        RightKeptKingMoved "castles after the king has moved and come back" [CastlingRightLost];
        RightKeptRookMovedKingSide "castles king side after that rook has moved" [CastlingRightLost];
        RightKeptRookMovedQueenSide "castles queen side after that rook has moved" [CastlingRightLost];
        RightKeptRookTakenKingSide "castles king side with another rook after that rook was captured"
            [CastlingRightLost];
        RightKeptRookTakenQueenSide "castles queen side with another rook after that rook was captured"
            [CastlingRightLost];
        CastlesWithoutRook "castles after the rook was captured, without a rook" [CastlingRightLost];
        CastlesWithoutRight "castles whenever king and rook stand on their squares" [CastlingRightLost];
        RightLostWithOtherRook "loses both castling rights when one rook moves" [Castling];
        RightLostWithAnyRook "loses a castling right when any rook leaves the a- or h-file" [Castling];
        CastlingKingSideMissing "does not castle king side" [Castling];
        CastlingQueenSideMissing "does not castle queen side" [Castling];
        CastlingRookAttacked "does not castle when the rook is attacked" [Castling];
        CastlingRookPathAttacked "does not castle when only the rook passes an attacked square, as b1" [Castling];
        CastlingRookStays "castles with the king alone and leaves the rook" [];
        DoubleStepThroughPiece "makes double steps through a piece" [PawnBlocked];
        DoubleStepOntoPiece "makes double steps onto a piece" [PawnBlocked];
        DoubleStepMissing "does not make double steps" [DoubleStep BlocksCheck AlongPin];
        PawnStepCaptures "captures with a pawn straight ahead" [PawnBlocked];
        PawnCapturesNothing "captures with a pawn on empty squares" [PawnCapturesNothing NoDoubleStep EnPassantLate];
        PawnAroundEdge "captures with a pawn around the edge of the board" [AroundTheEdge];
        PawnWestMissing "does not capture with pawns towards the a-file"
            [PawnCapture Promotion CapturesChecker AlongPin];
        PawnEastMissing "does not capture with pawns towards the h-file"
            [PawnCapture Promotion CapturesChecker AlongPin];
        PawnOnLastRank "steps onto the last rank without promotion" [NoPromotion Promotion];
        PawnCaptureOnLastRank "captures on the last rank without promotion" [NoPromotion Promotion];
        UnderpromotionMissing "promotes to queens only" [Promotion];
        PromotionToKnightMissing "does not promote to knights" [Promotion];
        PromotionToBishopMissing "does not promote to bishops" [Promotion];
        PromotionToRookMissing "does not promote to rooks" [Promotion];
        PromotionByCaptureMissing "does not capture on the last rank" [Promotion];
        PromotionToQueenAndKnight "promotes to queens and knights only" [Promotion];
        UnderpromotionByCaptureMissing "promotes to queens only when it captures" [Promotion];
        PromotedStaysPawn "leaves a pawn on the board when it promotes" [];
        KnightAroundEdge "moves knights around the edge of the board" [AroundTheEdge];
        SlidesThroughOwn "slides through own pieces" [ThroughPiece];
        SlidesThroughEnemy "slides through pieces of the opponent" [ThroughPiece];
        SliderShortOfEdge "does not slide as far as the edge of the board" [Slide AlongPin CapturesChecker BlocksCheck];
        CapturesOwnPiece "captures own pieces"
            [OwnPiece CastlesOverPiece RookOverPiece CastlingRightLost CastlesOutOfCheck CastlesThroughAttack
            CastlesIntoCheck];
        SideNotSwitched "does not switch the side to move after a move" [];
        MoveNotMade "counts on without making the move" [];
        PieceStays "leaves a second piece on the square that it moves from" [];
        FenCastlingIgnored "does not castle, or reads no castling rights from a FEN" [];
        FenEnPassantIgnored "reads no en passant square from a FEN" [];
        FenWingsSwapped "swaps K and Q when it reads a FEN" [];
    }
}
