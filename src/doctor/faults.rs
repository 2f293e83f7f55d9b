//! Generators with faults on purpose.
//!
//! A game implements [`Diagnosis`]: a slow and plain generator, [`FaultyBoard`], that can have each classic fault
//! ([`FaultKind`]). It is an oracle for the real one without faults, tests the explanations of moves with one, tells
//! which fault gives a wrong total, and lists the moves of positions that no game can reach.
//!
//! A generator asks [`Faults`] for a fault last, where it would change something. What it has not asked for cannot show
//! in a position, whoever has the fault: `expect` counts only where it can.

use super::setup::Setup;
use crate::explain::Explanation;
use crate::game::{self, MoveText, NotationError, Position, Side};
use std::cell::Cell;
use std::fmt;
use std::hash::Hash;

/// A game whose generators can have faults.
pub trait Diagnosis: game::Counting {
    /// The rules by which moves are explained; `Display` names them in a few words.
    type Rule: Copy + Eq + Ord + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static;
    /// The kinds of faults.
    type Fault: FaultKind<Rule = Self::Rule>;
    /// The board of the generator with faults.
    type Faulty: FaultyBoard<Fault = Self::Fault>;
    /// What the sides are called.
    const SIDES: [&'static str; 2];
    /// The letters and names of the kinds of pieces, cheap ones first.
    const MEN: &'static [(char, &'static str)];
    /// The letters of castling rights in a FEN.
    const RIGHTS: &'static str;
    /// What an engine need not check if its own state is right.
    const UNCHECKED: &'static [Self::Fault];
    /// The EPD texts of the suite of `tabiya check`.
    const SUITE: &'static [&'static str];
    /// The EPD texts of the suites that `tabiya check` asks for in the time that is left.
    const MORE: &'static [&'static str];

    /// Explains the move `text`, legal or not. `before` holds the positions and moves that led here, the oldest first.
    ///
    /// # Errors
    /// If the text is not of the form of a move.
    fn explain(
        position: &Position<Self>,
        text: &str,
        before: &[(Position<Self>, Self::Move)],
    ) -> Result<Explanation<Self::Rule>, NotationError>;
    /// What kind of move `text` is, legal or not.
    fn kind(position: &Position<Self>, text: &str) -> MoveKind;
    /// Whether the position can arise in a game, as far as its e.p. square tells.
    fn arises(position: &Position<Self>) -> bool;
    /// The position as a board of the generator with faults, as a reader of FENs without faults has it.
    fn sound_board(position: &Position<Self>) -> Self::Faulty;
    /// Any position as such a board, also one that no game can reach.
    fn board_of(setup: &Setup) -> Self::Faulty;
}

/// What a move does besides moving a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MoveClass {
    Quiet,
    Capture,
    Castling,
    Promotion,
}

/// A kind of move.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MoveKind {
    pub class: MoveClass,
    /// In a few words: "a rook capture".
    pub words: String,
}

impl MoveKind {
    pub fn new(class: MoveClass, words: impl Into<String>) -> MoveKind {
        MoveKind { class, words: words.into() }
    }
}

impl fmt::Display for MoveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// A kind of fault in a move generator.
pub trait FaultKind: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync + 'static {
    /// The rules of the same game.
    type Rule: Copy + Eq + 'static;
    /// All kinds, in the order of their indices; at most 128.
    const ALL: &'static [Self];
    /// The king is not tested after a move.
    const ANY_MOVE: Self;
    /// The place in `ALL`.
    fn index(self) -> usize;
    /// What an engine with the fault does, without its subject: "captures en passant with a pinned pawn".
    fn symptom(self) -> &'static str;
    /// The rules by which [`Position::explain`] may explain a move that an engine with this fault adds or leaves
    /// out.
    fn rules(self) -> &'static [Self::Rule];
}

/// A fault: its kind, and the side that has it; both sides if `None`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault<K> {
    /// The kind.
    pub kind: K,
    /// The side whose moves are wrong.
    pub side: Option<Side>,
}

impl<K: FaultKind> Fault<K> {
    /// Every kind for both sides together, then for each side alone.
    pub fn all() -> Vec<Fault<K>> {
        let sides = [None, Some(Side::First), Some(Side::Second)];
        sides.iter().flat_map(|&side| K::ALL.iter().map(move |&kind| Fault { kind, side })).collect()
    }
}

/// What an engine with the fault does: "does not capture en passant as White".
pub fn symptom_of<B: Diagnosis>(fault: Fault<B::Fault>) -> String {
    let side = fault.side.map_or(String::new(), |side| format!(" as {}", B::SIDES[side.index()]));
    format!("{}{side}", fault.kind.symptom())
}

/// The faults of an engine, and which faults were asked for.
#[derive(Clone, Default, Debug)]
pub struct Faults {
    /// A bit for each kind, by side.
    has: [u128; 2],
    asked: Cell<[u128; 2]>,
}

impl Faults {
    /// Those of an engine.
    pub fn of<K: FaultKind>(faults: &[Fault<K>]) -> Faults {
        let mut has = [0; 2];
        for fault in faults {
            for side in Side::BOTH.into_iter().filter(|&side| fault.side.is_none_or(|only| only == side)) {
                has[side.index()] |= 1 << fault.kind.index();
            }
        }
        Faults { has, asked: Cell::default() }
    }

    /// What an engine need not check if its own state is right.
    pub fn unchecked<B: Diagnosis>() -> Faults {
        let faults = B::UNCHECKED.iter().map(|&kind| Fault { kind, side: None });
        Faults::of(&Vec::from_iter(faults))
    }

    /// That the king is not tested after a move, and nothing else.
    pub fn any_move<B: Diagnosis>() -> Faults {
        Faults::of(&[Fault { kind: B::Fault::ANY_MOVE, side: None }])
    }

    /// Whether `side` has the fault `kind`.
    pub fn on<K: FaultKind>(&self, kind: K, side: Side) -> bool {
        let (bit, mut asked) = (1 << kind.index(), self.asked.get());
        asked[side.index()] |= bit;
        self.asked.set(asked);
        self.has[side.index()] & bit != 0
    }

    /// The bits of what was asked for since the last time, by side.
    pub fn take_asked(&self) -> [u128; 2] {
        self.asked.take()
    }

    /// Whether any of these faults, by their bits, is there.
    pub fn has_any_of(&self, bits: [u128; 2]) -> bool {
        self.has[0] & bits[0] | self.has[1] & bits[1] != 0
    }
}

/// The board of a generator with faults: small and plain, one piece after another. It has the state that a faulty
/// engine has, such as castling rights that should be gone.
pub trait FaultyBoard: Clone + Eq + Hash + Send + Sync {
    /// The kinds of faults.
    type Fault: FaultKind;
    /// A move.
    type Move: Copy + Eq + fmt::Debug + Send + Sync;

    /// The moves that an engine generates here. A move that it generates twice is in the list twice.
    fn moves(&self, faults: &Faults) -> Vec<Self::Move>;
    /// The board after `m`.
    #[must_use]
    fn make(&self, m: Self::Move, faults: &Faults) -> Self;
    /// The board that an engine has after it has read this one from a FEN.
    #[must_use]
    fn read(&self, faults: &Faults) -> Self;
    /// The move as [`Position::move_text`](crate::game::Position::move_text) writes it.
    fn move_text(&self, m: Self::Move) -> MoveText;

    /// The number of sequences of `depth` plies.
    fn count(&self, depth: u32, faults: &Faults) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves(faults);
        match depth {
            1 => moves.len() as u64,
            _ => moves.into_iter().map(|m| self.make(m, faults).count(depth - 1, faults)).sum(),
        }
    }
}

/// Defines the kinds of faults of a game from a table: `Fault "symptom" [Rule …];`, with the rules of the game.
macro_rules! fault_table {
    (
        $(#[$doc:meta])* $faults:ident by $rules:ident { $($fault:ident $symptom:literal [$($named:ident)*];)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $faults { $(#[doc = $symptom] $fault,)* }

        impl $crate::doctor::faults::FaultKind for $faults {
            type Rule = $rules;
            const ALL: &'static [Self] = &[$($faults::$fault,)*];
            const ANY_MOVE: Self = $faults::AnyMove;
            fn index(self) -> usize {
                self as usize
            }
            fn symptom(self) -> &'static str {
                match self { $($faults::$fault => $symptom,)* }
            }
            fn rules(self) -> &'static [$rules] {
                match self { $($faults::$fault => &[$($rules::$named),*],)* }
            }
        }
    };
}
pub(super) use fault_table;
