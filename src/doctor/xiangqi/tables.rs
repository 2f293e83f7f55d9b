//! The kinds of faults of a generator of xiangqi moves. Each names the rules that may explain a move that it adds or
//! leaves out.

use crate::doctor::faults::fault_table;
use crate::explain::xiangqi::Rule;

fault_table! {
    /// A mistake of a generator of xiangqi moves.
    XiangqiFault by Rule {
        HorseLegIgnored "moves a horse over a piece on its leg" [HorseLeg];
        HorseLegAtTarget "looks for a horse's leg next to the target" [HorseLeg];
        HorseWraps "moves a horse over the edge of the board" [Edge];
        ElephantEyeIgnored "moves an elephant over a piece in its eye" [ElephantEye];
        ElephantCrossesRiver "moves an elephant over the river" [River];
        AdvisorLeavesPalace "moves an advisor out of the palace" [Palace];
        AdvisorStraight "moves an advisor along files and ranks" [AdvisorStep];
        KingLeavesPalaceAhead "moves the king out of the palace forwards" [Palace];
        KingLeavesPalaceAside "moves the king out of the palace sideways" [Palace];
        KingDiagonal "moves the king diagonally" [KingStep];
        SoldierSidewaysEarly "moves a soldier sideways before the river" [SoldierSideways];
        SoldierSidewaysAtRiver "moves a soldier sideways on the last rank before the river" [SoldierSideways];
        SoldierSidewaysLate "does not move a soldier sideways on the first rank beyond the river" [SoldierSideways];
        SoldierNeverSideways "never moves a soldier sideways" [SoldierSideways];
        SoldierBackwards "moves a soldier backwards" [SoldierBackwards];
        ChariotJumps "moves a chariot through a piece" [ChariotPath];
        CannonWithoutScreen "captures with a cannon without a screen" [CannonScreen];
        CannonTwoScreens "captures with a cannon over two screens" [CannonScreen];
        CannonJumps "moves a cannon over a screen without capturing" [CannonPath];
        CapturesOwn "captures an own piece" [OwnPiece];
        KingsMayFace "lets the kings face each other" [FlyingGeneral];
        KingStepsToFace "lets a king step onto the open file of the other" [FlyingGeneral];
        PieceOpensKings "lets the last piece between the kings leave" [FlyingGeneral];
        ChariotPinIgnored "lets a piece leave that shields the king from a chariot" [ChariotCheck];
        KingShieldsLine "lets the king step away from a chariot along its line" [ChariotCheck];
        CannonPinIgnored "lets one of two pieces between cannon and king leave" [CannonCheck];
        CannonScreenIgnored "lets a piece become the screen between a cannon and its king" [CannonCheck];
        CannonCheckIgnored "does not see checks by cannons" [CannonCheck];
        CannonChecksOpenly "sees a check by a cannon without a screen" [CannonCheck];
        HorseCheckIgnored "does not see checks by horses" [HorseCheck];
        HorseChecksBlocked "sees a check by a blocked horse" [HorseCheck];
        HorseLegAtKing "looks for the leg of a checking horse next to the king" [HorseCheck];
        HorsePinIgnored "lets a piece leave that blocks a horse from the king" [HorseCheck];
        SoldierCheckIgnored "does not see checks by soldiers" [SoldierCheck];
        SoldierSideCheckIgnored "does not see checks by soldiers from the side" [SoldierCheck];
        CheckNotAnswered "ignores a check unless the king moves"
            [ChariotCheck CannonCheck HorseCheck SoldierCheck FlyingGeneral];
        AnyMove "does not test whether the own king is left in check"
            [ChariotCheck CannonCheck HorseCheck SoldierCheck FlyingGeneral];
        KingIntoAttack "lets the king step onto an attacked square" [ChariotCheck CannonCheck HorseCheck SoldierCheck];
        KingTakesProtected "lets the king take a protected piece" [ChariotCheck CannonCheck HorseCheck SoldierCheck];
    }
}
