//! The rules by which moves of xiangqi are explained.

use crate::explain::rule_table;

rule_table! {
    /// A rule of xiangqi that makes a move illegal, or that allows it.
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    /// use tabiya::explain::xiangqi::Rule;
    ///
    /// let explanation = Position::default().explain("b0d1")?;
    /// assert_eq!((explanation.legal, explanation.rule), (false, Rule::HorseLeg));
    /// assert_eq!(explanation.rule.to_string(), "horse's leg");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    Rule {
        NoPiece "no own piece";
        OwnPiece "takes an own piece";
        Edge "edge of the board";
        FlyingGeneral "flying general";
        Palace "palace";
        River "river";
        KingStep "step of the king";
        AdvisorStep "step of the advisor";
        ElephantStep "step of the elephant";
        ElephantEye "elephant's eye";
        HorseJump "jump of the horse";
        HorseLeg "horse's leg";
        SoldierStep "step of the soldier";
        SoldierSideways "soldier sideways";
        SoldierBackwards "soldier backwards";
        ChariotLine "line of the chariot";
        ChariotPath "piece in the chariot's way";
        CannonLine "line of the cannon";
        CannonPath "piece in the cannon's way";
        CannonScreen "cannon's screen";
        ChariotCheck "check by a chariot";
        CannonCheck "check by a cannon";
        HorseCheck "check by a horse";
        SoldierCheck "check by a soldier";
        Answer "answer to a check";
    }
}
