//! Generators with faults on purpose.
//!
//! A game implements [`Diagnosis`]: a slow and plain generator, [`FaultyBoard`], with a switch for each classic fault
//! ([`FaultKind`]). It is an oracle for the real one when all switches are off, tests the explanations of moves when
//! one is on, and tells which fault gives a wrong total.
//!
//! Most positions of a tree have the same moves whatever the fault. So many engines walk the tree together: a switch is
//! the set of the [`Engines`] that have the fault, a move the set of the engines that generate it.

use crate::game::{self, MoveText, PerSide, Position, Side};
use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

/// A game whose generators can be seeded with faults.
pub trait Diagnosis: game::Counting {
    /// The kinds of faults.
    type Fault: FaultKind<Rule = Self::Rule>;
    /// The board of the generator with faults.
    type Faulty: FaultyBoard<Fault = Self::Fault>;
    /// What the sides are called.
    const SIDES: [&'static str; 2];
    /// Small positions, moves from there, and depths, whose divides tell faults of counting, of taking moves back and
    /// of hash tables apart.
    const PROBES: &'static [(&'static str, &'static str, u32)];
    /// The EPD texts of the suite of `tabiya check`.
    const SUITE: &'static [&'static str];
    /// The EPD texts of the suites that `tabiya check` asks for in the time that is left.
    const MORE: &'static [&'static str];
    /// The engine that others are compared with in speed.
    const RIVAL: &'static str;

    /// What can be said of a move, legal or not, in its position, to which `before` leads.
    fn features(position: &Position<Self>, before: &[(Position<Self>, Self::Move)], text: &str) -> Vec<Feature>;
    /// Whether the position can arise in a game, as far as its e.p. square tells.
    fn arises(position: &Position<Self>) -> bool;
    /// The position as a board of the generator with faults, as a reader of FENs without faults has it.
    fn sound_board(position: &Position<Self>) -> Self::Faulty;
    /// The position from which a generator without faults has exactly the tree that it has from `board`; `None` if
    /// there is none, or none that can be had cheaply.
    fn position_of(board: &Self::Faulty) -> Option<Position<Self>>;
    /// The kinds of faults of each side, by their bits, that may change a list of moves within `plies` plies, at least
    /// 1, below a position. A kind too many costs time, a kind too few makes a count wrong.
    fn active(position: &Position<Self>, plies: u32) -> PerSide<Engines>;
    /// The kinds by which an engine remembers what a sound one does not.
    const REMEMBERED: Engines;
    /// Whether of an engine with all of these kinds one may bring about what another one needs to show: then any of
    /// them may show sooner than [`active`](Self::active) says.
    fn mingle(kinds: Engines) -> bool;
}

/// Something that can be said of a move.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Feature {
    /// Its place in a sentence.
    pub order: Order,
    /// How unlikely it is that a generator goes wrong by it, from 1.
    pub cost: u8,
    /// The words, as in "of a pawn".
    pub words: Cow<'static, str>,
}

/// The order in which features are told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Order {
    /// The kind of move, which stands in place of "moves".
    Move,
    Piece,
    Side,
    Pin,
    Origin,
    Target,
    Check,
    Last,
    History,
    Rights,
    Square,
    Draw,
    /// The kinds of moves that are possible in the position.
    Possible,
    /// The rule by which the move is legal or not.
    Rule,
}

impl Order {
    /// Whether it is one of features that all moves of a position share.
    pub fn is_of_position(self) -> bool {
        matches!(self, Order::Check | Order::Last | Order::History | Order::Rights | Order::Square | Order::Draw)
    }
}

/// A kind of fault in a move generator. Its switch exists for each side.
pub trait FaultKind: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync + 'static {
    /// The rules of the same game.
    type Rule: Copy + Eq + 'static;
    /// All kinds, in the order of their indices; at most [`MOST_KINDS`].
    const ALL: &'static [Self];
    /// The king is not tested after a move.
    const ANY_MOVE: Self;
    /// Faults, each with one that follows from it where moves are made to see whether they are legal.
    const FOLLOW: &'static [(Self, Self)];
    /// Those that authors make most often.
    const COMMON: &'static [Self];
    /// The place in `ALL`.
    fn index(self) -> usize;
    /// What an engine with the fault does, without its subject: "captures en passant with a pinned pawn".
    fn deed(self) -> &'static str;
    /// The rules by which [`Position::explain`] may explain a move that an engine with this fault adds or leaves
    /// out.
    fn rules(self) -> &'static [Self::Rule];
}

/// Room for the kinds of any game.
pub const MOST_KINDS: usize = 128;

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
pub fn deed_of<B: Diagnosis>(fault: Fault<B::Fault>) -> String {
    let side = fault.side.map_or(String::new(), |side| format!(" as {}", B::SIDES[side.index()]));
    format!("{}{side}", fault.kind.deed())
}

/// What engines with the fault do, with their sides unless they are both: "does not capture en passant (White only)".
pub fn deed_of_sides<B: Diagnosis>(kind: B::Fault, sides: &[Option<Side>]) -> String {
    let name = |side: &Option<Side>| match side {
        Some(side) => format!("{} only", B::SIDES[side.index()]),
        None => "both sides".into(),
    };
    match sides {
        [None] => kind.deed().into(),
        _ => format!("{} ({})", kind.deed(), Vec::from_iter(sides.iter().map(name)).join(" or ")),
    }
}

/// A set of at most 128 engines, one bit each.
pub type Engines = u128;

/// Which engines have which faults.
#[derive(Clone)]
pub struct Switches {
    engines: Arc<[PerSide<Engines>; MOST_KINDS]>,
    /// The kinds that are on for each side, of all engines but those that have theirs `always` on.
    kinds: PerSide<Engines>,
    always: Engines,
}

impl Switches {
    /// The switches of engines with these faults: engine `i`, bit `i` of [`Engines`], has the faults of `engines[i]`.
    pub fn new<K: FaultKind>(engines: &[Vec<Fault<K>>]) -> Switches {
        let mut switches = [PerSide([0; 2]); MOST_KINDS];
        for (engine, faults) in engines.iter().enumerate() {
            for fault in faults {
                for side in Side::BOTH.into_iter().filter(|&s| fault.side.is_none_or(|only| only == s)) {
                    switches[fault.kind.index()][side] |= 1 << engine;
                }
            }
        }
        Switches { engines: Arc::new(switches), kinds: PerSide([Engines::MAX; 2]), always: 0 }
    }

    /// The same with only these kinds on for each side, but for the engines in `always`.
    pub fn only(&self, kinds: PerSide<Engines>, always: Engines) -> Switches {
        Switches { engines: self.engines.clone(), kinds, always }
    }

    /// The engines that have the fault `kind` when `side` is to move.
    pub fn on<K: FaultKind>(&self, kind: K, side: Side) -> Engines {
        let engines = self.engines[kind.index()][side];
        if self.kinds[side] >> kind.index() & 1 != 0 { engines } else { engines & self.always }
    }
}

/// The board of a generator with faults: small and plain, one piece after another. It has the state that a faulty
/// engine has, such as castling rights that should be gone.
pub trait FaultyBoard: Clone + Eq + Hash + Send + Sync {
    /// The kinds of faults.
    type Fault: FaultKind;
    /// A move.
    type Move: Copy + Eq + fmt::Debug;

    /// The side to move.
    fn side(&self) -> Side;
    /// Appends the moves that any of `engines` generates here, each with those engines (never none). A move that an
    /// engine generates twice is in the list twice.
    fn moves(&self, switches: &Switches, engines: Engines, list: &mut Vec<(Self::Move, Engines)>);
    /// Appends the boards after `m`, each with those of `engines` that have it: one board for all of them unless a
    /// fault of making moves tells them apart.
    fn make(&self, m: Self::Move, switches: &Switches, engines: Engines, list: &mut Vec<(Self, Engines)>);
    /// Appends the boards that `engines` have after they have read this one from a FEN, as in [`make`](Self::make).
    fn read(&self, _switches: &Switches, engines: Engines, list: &mut Vec<(Self, Engines)>) {
        list.push((self.clone(), engines));
    }
    /// What an engine may forget when it takes a move back.
    const FORGOTTEN: &'static [Forgotten];
    /// This board after an engine has taken back `m`, which it made on `before`, and forgotten something. Other moves
    /// may have left their traces since.
    fn taken_back(&self, before: &Self, m: Self::Move, forgotten: Forgotten) -> Self;
    /// The index of the square of a side's king.
    fn king_of(&self, side: Side) -> Option<usize>;
    /// The index of the king's new square, if `m` moves the king.
    fn king_after(&self, m: Self::Move) -> Option<usize>;
    /// Whether the opponent does not attack the square with the index `king` after `m`.
    fn is_safe(&self, m: Self::Move, king: usize) -> bool;
    /// The move as [`Position::move_text`](crate::game::Position::move_text) writes it.
    fn move_text(&self, m: Self::Move) -> MoveText;
    /// Forgets what only an engine with a fault remembers, where it can have no effect on the next `plies` plies of any
    /// engine whose faults do not [`mingle`](Diagnosis::mingle).
    fn forget(&mut self, plies: u32) {
        let _ = plies;
    }
    /// The same board as one of the tree that begins at `root`.
    fn in_tree_of(self, root: &Self) -> Self {
        let _ = root;
        self
    }
}

/// What an engine forgets when it takes a move back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forgotten {
    /// Everything.
    All,
    /// The captured piece.
    Captured,
    /// The colour of the captured piece.
    Colour,
    /// The moved piece, which is nowhere then.
    Moved,
    /// To empty the target.
    Target,
    /// That the moved piece was a pawn before its promotion.
    Promotion,
    /// The castling rook.
    Rook,
    /// The pawn captured en passant.
    EnPassantPawn,
    /// That this pawn was not on the target.
    EnPassantPlace,
    /// Castling rights.
    Rights,
    /// The en passant square.
    EnPassantSquare,
    /// The side to move.
    Side,
    /// The square of the king, which the engine remembers beside the board.
    King,
}

impl Forgotten {
    /// What the engine does, without its subject.
    pub fn deed(self) -> &'static str {
        match self {
            Forgotten::All => "restores nothing",
            Forgotten::Captured => "does not put back the captured piece",
            Forgotten::Colour => "puts back the captured piece in the wrong colour",
            Forgotten::Moved => "does not put back the moved piece",
            Forgotten::Target => "leaves the moved piece on its target as well",
            Forgotten::Promotion => "does not turn a promoted piece back into a pawn",
            Forgotten::Rook => "does not put back the castling rook",
            Forgotten::EnPassantPawn => "does not put back the pawn captured en passant",
            Forgotten::EnPassantPlace => "puts back the pawn captured en passant on the wrong square",
            Forgotten::Rights => "does not restore castling rights",
            Forgotten::EnPassantSquare => "does not restore the en passant square",
            Forgotten::Side => "does not restore the side to move",
            Forgotten::King => "does not restore the square of the king that it remembers",
        }
    }
}

/// Defines the kinds of faults of a game from three tables: `Fault "deed" [Rule …];`, with the rules of the game,
/// `Fault Fault;`, of which the second follows from the first, and those that are common.
macro_rules! fault_table {
    (
        $(#[$doc:meta])* $faults:ident by $rules:ident { $($fault:ident $deed:literal [$($named:ident)*];)* }
        follow { $($first:ident $then:ident;)* }
        common { $($common:ident)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $faults { $(#[doc = $deed] $fault,)* }

        impl $crate::doctor::faults::FaultKind for $faults {
            type Rule = $rules;
            const ALL: &'static [Self] = &[$($faults::$fault,)*];
            const ANY_MOVE: Self = $faults::AnyMove;
            const COMMON: &'static [Self] = &[$($faults::$common),*];
            const FOLLOW: &'static [(Self, Self)] = &[$(($faults::$first, $faults::$then)),*];
            fn index(self) -> usize {
                self as usize
            }
            fn deed(self) -> &'static str {
                match self { $($faults::$fault => $deed,)* }
            }
            fn rules(self) -> &'static [$rules] {
                match self { $($faults::$fault => &[$($rules::$named),*],)* }
            }
        }
    };
}
pub(super) use fault_table;
