//! Lists and makes moves on the board of the generator with faults, with the faults of making them.

use super::active::forget_useless;
use super::generator::Generator;
use super::tables::ChessFault::{self, *};
use crate::chess::explain::attack::attackers;
use crate::chess::explain::board::{Board, Step, WINGS, What, castled_rook};
use crate::chess::types::{Kind, Square};
use crate::doctor::faults::{Engines, FaultyBoard, Forgotten, Switches};
use crate::game::{MoveText, Side};

/// Boards that different engines have after the same move.
struct Variants<'a> {
    switches: &'a Switches,
    boards: Vec<(Board, Engines)>,
}

impl Variants<'_> {
    /// Applies `change` for all engines but those of `kept`.
    fn change(&mut self, kept: Engines, change: impl Fn(&mut Board)) {
        for i in 0..self.boards.len() {
            let engines = self.boards[i].1;
            let (stay, go) = (engines & kept, engines & !kept);
            if go != 0 && stay != 0 {
                self.boards.push((self.boards[i].0.clone(), stay));
                self.boards[i].1 = go;
            }
            if go != 0 {
                change(&mut self.boards[i].0);
            }
        }
    }

    /// Takes a right to castle away from `side`, for all but the engines that keep it by mistake.
    fn lose_right(&mut self, side: Side, wing: usize, keep: &[ChessFault]) {
        let kept = keep.iter().map(|&fault| self.switches.on(fault, side)).fold(0, |a, b| a | b);
        self.change(kept, |board| board.rights[side.index()][wing] = None);
    }
}

impl FaultyBoard for Board {
    type Fault = ChessFault;
    type Move = Step;

    fn side(&self) -> Side {
        self.side
    }

    fn moves(&self, switches: &Switches, engines: Engines, list: &mut Vec<(Step, Engines)>) {
        Generator::new(self, switches, engines, list).run();
    }

    fn make(&self, step: Step, switches: &Switches, engines: Engines, list: &mut Vec<(Board, Engines)>) {
        let (us, them) = (self.side, self.side.flip());
        let mut board = self.clone();
        board.squares = self.pieces_after(step);
        board.side = them;
        let mut after = Variants { switches, boards: vec![(board, engines)] };
        let mover = self.at(step.from);
        match step.what {
            What::EnPassant => {
                let captured = step.to.with_rank_of(step.from);
                let stays = engines & switches.on(EnPassantPawnStays, us);
                after.change(!stays, |board| {
                    board.squares[captured.index()] = self.at(captured);
                });
            }
            What::Castle(rook, wing) => {
                if ![step.to, castled_rook(step.to, wing)].contains(&rook) {
                    after.change(!switches.on(CastlingRookDoubled, us), |board| {
                        board.squares[rook.index()] = self.at(rook);
                    });
                }
                let stays = engines & switches.on(CastlingRookStays, us);
                after.change(!stays, |board| {
                    board.squares[castled_rook(step.to, wing).index()] = None;
                    board.squares[rook.index()] = self.at(rook);
                    board.squares[step.to.index()] = mover;
                });
            }
            What::Promote(_) => {
                after.change(!switches.on(PromotedForOpponent, us), |board| {
                    let piece = &mut board.squares[step.to.index()];
                    *piece = piece.map(|(_, kind)| (them, kind));
                });
                let stays = engines & switches.on(PromotedStaysPawn, us);
                after.change(!stays, |board| board.squares[step.to.index()] = mover);
            }
            What::Plain | What::DoubleStep => {}
        }
        // A move ends the opponent's chance to be captured en passant.
        after.change(switches.on(EnPassantLate, us), |board| {
            board.en_passant = board.en_passant.filter(|square| square.seen_by(us).rank() == 2);
        });
        if step.what == What::DoubleStep {
            let passed = step.from.step(0, us.forward());
            let attacked = [-1, 1]
                .into_iter()
                .any(|files| step.to.step(files, 0).is_some_and(|s| self.at(s) == Some((them, Kind::Pawn))));
            // Without a pawn beside it the square has no effect, unless an engine keeps it until one arrives.
            let never = switches.on(EnPassantNeverSet, us);
            after.change(never, |board| board.en_passant = passed.filter(|_| attacked));
            after.change(!switches.on(EnPassantLate, them) | never, |board| board.en_passant = passed);
        }
        for wing in WINGS {
            let [moved, taken] = [
                [RightKeptRookMovedKingSide, RightKeptRookTakenKingSide],
                [RightKeptRookMovedQueenSide, RightKeptRookTakenQueenSide],
            ][wing];
            if matches!(step.what, What::Castle(..)) {
                after.lose_right(us, wing, &[]);
            } else if mover == Some((us, Kind::King)) {
                after.lose_right(us, wing, &[RightKeptKingMoved]);
            }
            if self.rights[us.index()][wing] == Some(step.from) {
                after.lose_right(us, wing, &[moved]);
                let sound = !switches.on(RightLostWithOtherRook, us);
                after.change(sound, |board| board.rights[us.index()] = [None; 2]);
            }
            if self.rights[us.index()][wing].is_some_and(|rook| {
                mover == Some((us, Kind::Rook)) && rook != step.from && rook.file() == step.from.file()
            }) {
                let sound = !switches.on(RightLostWithAnyRook, us);
                after.change(sound, |board| board.rights[us.index()][wing] = None);
            }
            if self.rights[them.index()][wing] == Some(step.to) {
                after.lose_right(them, wing, &[taken, CastlesWithoutRook, WrongRightLostWithCapture]);
                let sound = !switches.on(WrongRightLostWithCapture, them);
                after.change(sound, |board| board.rights[them.index()][1 - wing] = None);
            }
        }
        after.change(!switches.on(PieceStays, us), |board| board.squares[step.from.index()] = mover);
        after.change(!switches.on(SideNotSwitched, us), |board| board.side = us);
        after.change(!switches.on(MoveNotMade, us), |board| board.clone_from(self));
        list.append(&mut after.boards);
    }

    fn read(&self, switches: &Switches, engines: Engines, list: &mut Vec<(Self, Engines)>) {
        let mut read = Variants { switches, boards: vec![(self.clone(), engines)] };
        for side in Side::BOTH {
            let (own, other) = (self.rights[side.index()], self.rights[side.flip().index()]);
            let rooks = self.homes[side.index()].1;
            // The rook of each wing for which `right` holds.
            let of = |right: [bool; 2]| WINGS.map(|wing| rooks[wing].filter(|_| right[wing]));
            let swapped = of([own[1].is_some(), own[0].is_some()]);
            let exchanged = of([other[0].is_some(), other[1].is_some()]);
            for (fault, rights) in
                [(FenCastlingIgnored, [None; 2]), (FenWingsSwapped, swapped), (FenSidesSwapped, exchanged)]
            {
                read.change(!switches.on(fault, side), |board| board.rights[side.index()] = rights);
            }
        }
        read.change(!switches.on(FenEnPassantIgnored, self.side), |board| board.en_passant = None);
        read.change(!switches.on(FenSideIgnored, self.side), |board| board.side = self.side.flip());
        list.append(&mut read.boards);
    }

    const FORGOTTEN: &'static [Forgotten] = &[
        Forgotten::All,
        Forgotten::Captured,
        Forgotten::Colour,
        Forgotten::Moved,
        Forgotten::Target,
        Forgotten::Promotion,
        Forgotten::Rook,
        Forgotten::EnPassantPawn,
        Forgotten::EnPassantPlace,
        Forgotten::Rights,
        Forgotten::EnPassantSquare,
        Forgotten::Side,
        Forgotten::King,
    ];

    fn taken_back(&self, before: &Board, step: Step, forgotten: Forgotten) -> Board {
        let mut board = self.clone();
        if forgotten == Forgotten::All {
            return board;
        }
        let forgets = |what| what == forgotten;
        let (us, them) = (before.side, before.side.flip());
        let (from, to) = (step.from.index(), step.to.index());
        let captured = before.squares[to].filter(|_| !matches!(step.what, What::Castle(..)));
        let moved = match step.what {
            What::Promote(_) if !forgets(Forgotten::Promotion) => Some((us, Kind::Pawn)),
            _ => board.squares[to],
        };
        if let What::Castle(rook, wing) = step.what
            && !forgets(Forgotten::Rook)
        {
            board.squares[castled_rook(step.to, wing).index()] = None;
            board.squares[to] = None;
            board.squares[rook.index()] = Some((us, Kind::Rook));
        }
        if !(forgets(Forgotten::Target) && captured.is_none()) {
            board.squares[to] = match captured {
                _ if board.chess960 && matches!(step.what, What::Castle(rook, _) if rook == step.to) => {
                    board.squares[to]
                }
                Some(_) if forgets(Forgotten::Captured) => None,
                Some((side, kind)) if forgets(Forgotten::Colour) => Some((side.flip(), kind)),
                captured => captured,
            };
        }
        board.squares[from] = if forgets(Forgotten::Moved) { None } else { moved };
        if step.what == What::EnPassant && !forgets(Forgotten::EnPassantPawn) {
            let at = if forgets(Forgotten::EnPassantPlace) { to } else { step.to.with_rank_of(step.from).index() };
            board.squares[at] = Some((them, Kind::Pawn));
        }
        if !forgets(Forgotten::Rights) {
            board.rights = before.rights;
        }
        if !forgets(Forgotten::EnPassantSquare) {
            board.en_passant = before.en_passant;
        }
        if !forgets(Forgotten::Side) {
            board.side = us;
        }
        board
    }

    fn king_of(&self, side: Side) -> Option<usize> {
        self.king(side).map(Square::index)
    }

    fn king_after(&self, step: Step) -> Option<usize> {
        (self.at(step.from) == Some((self.side, Kind::King))).then_some(step.to.index())
    }

    fn is_safe(&self, step: Step, king: usize) -> bool {
        attackers(&self.pieces_after(step), Square::wrapping(king as u32), self.side.flip()).is_empty()
    }

    fn move_text(&self, step: Step) -> MoveText {
        let to = match step.what {
            What::Castle(rook, _) if self.chess960 => rook,
            _ => step.to,
        };
        let ([a, b], [c, d]) = (step.from.name(), to.name());
        match step.what {
            What::Promote(kind) => MoveText::new(&[a, b, c, d, kind.letter()]),
            _ => MoveText::new(&[a, b, c, d]),
        }
    }

    fn forget(&mut self, plies: u32) {
        forget_useless(self, plies);
    }

    fn in_tree_of(self, root: &Board) -> Board {
        Board { homes: root.homes, chess960: root.chess960, ..self }
    }
}
