//! The rules by which moves of xiangqi are explained.

use std::fmt;

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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "`Display` writes what each is")]
pub enum Rule {
    NoPiece,
    OwnPiece,
    Edge,
    FlyingGeneral,
    Palace,
    River,
    KingStep,
    AdvisorStep,
    ElephantStep,
    ElephantEye,
    HorseJump,
    HorseLeg,
    SoldierStep,
    SoldierSideways,
    SoldierBackwards,
    ChariotLine,
    ChariotPath,
    CannonLine,
    CannonPath,
    CannonScreen,
    ChariotCheck,
    CannonCheck,
    HorseCheck,
    SoldierCheck,
    Answer,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Rule::NoPiece => "no own piece",
            Rule::OwnPiece => "takes an own piece",
            Rule::Edge => "edge of the board",
            Rule::FlyingGeneral => "flying general",
            Rule::Palace => "palace",
            Rule::River => "river",
            Rule::KingStep => "step of the king",
            Rule::AdvisorStep => "step of the advisor",
            Rule::ElephantStep => "step of the elephant",
            Rule::ElephantEye => "elephant's eye",
            Rule::HorseJump => "jump of the horse",
            Rule::HorseLeg => "horse's leg",
            Rule::SoldierStep => "step of the soldier",
            Rule::SoldierSideways => "soldier sideways",
            Rule::SoldierBackwards => "soldier backwards",
            Rule::ChariotLine => "line of the chariot",
            Rule::ChariotPath => "piece in the chariot's way",
            Rule::CannonLine => "line of the cannon",
            Rule::CannonPath => "piece in the cannon's way",
            Rule::CannonScreen => "cannon's screen",
            Rule::ChariotCheck => "check by a chariot",
            Rule::CannonCheck => "check by a cannon",
            Rule::HorseCheck => "check by a horse",
            Rule::SoldierCheck => "check by a soldier",
            Rule::Answer => "answer to a check",
        })
    }
}
