//! Lists and makes moves on the board of the generator with faults, with the faults of making them.

use super::generator::Generator;
use super::tables::ChessFault::{self, *};
use crate::chess::types::Kind;
use crate::doctor::faults::{Faults, FaultyBoard};
use crate::explain::chess::mailbox::{Mailbox, Step, WINGS, What, castled_rook};
use crate::game::{MoveText, Side};

impl FaultyBoard for Mailbox {
    type Fault = ChessFault;
    type Move = Step;

    fn moves(&self, faults: &Faults) -> Vec<Step> {
        Generator::new(self, faults).run()
    }

    fn make(&self, step: Step, faults: &Faults) -> Mailbox {
        let (us, them) = (self.side, self.side.flip());
        let mut board = self.clone();
        board.squares = self.pieces_after(step);
        board.side = them;
        let mover = self.at(step.from);
        match step.what {
            What::EnPassant if faults.on(EnPassantPawnStays, us) => {
                let captured = step.to.with_rank_of(step.from);
                board.squares[captured.index()] = self.at(captured);
            }
            What::Castle(rook, wing) => {
                let to = castled_rook(step.to, wing);
                if faults.on(CastlingRookStays, us) {
                    board.squares[to.index()] = None;
                    board.squares[rook.index()] = self.at(rook);
                    board.squares[step.to.index()] = mover;
                }
            }
            What::Promote(_) if faults.on(PromotedStaysPawn, us) => board.squares[step.to.index()] = mover,
            What::EnPassant | What::Promote(_) | What::Plain | What::DoubleStep => {}
        }
        // A move ends the opponent's chance to be captured en passant.
        if board.en_passant.is_some_and(|square| square.seen_by(us).rank() != 2) && !faults.on(EnPassantLate, us) {
            board.en_passant = None;
        }
        if step.what == What::DoubleStep {
            let passed = step.from.step(0, us.forward());
            let attacked = [-1, 1]
                .into_iter()
                .any(|files| step.to.step(files, 0).is_some_and(|s| self.at(s) == Some((them, Kind::Pawn))));
            // Without a pawn beside it the square has no effect, unless an engine keeps it until one arrives.
            if (attacked || faults.on(EnPassantLate, them)) && !faults.on(EnPassantNeverSet, us) {
                board.en_passant = passed;
            }
        }
        update_rights(self, step, faults, &mut board);
        if faults.on(PieceStays, us) {
            board.squares[step.from.index()] = mover;
        }
        if faults.on(SideNotSwitched, us) {
            board.side = us;
        }
        if faults.on(MoveNotMade, us) { self.clone() } else { board }
    }

    fn read(&self, faults: &Faults) -> Mailbox {
        let mut board = self.clone();
        for side in Side::BOTH {
            let (rights, rooks) = (&mut board.rights[side.index()], self.homes[side.index()].1);
            if faults.on(FenWingsSwapped, side) {
                // The rook of each wing, if the FEN has the right of the other one.
                *rights = WINGS.map(|wing| if rights[1 - wing].is_some() { rooks[wing] } else { None });
            }
            if faults.on(FenCastlingIgnored, side) {
                *rights = [None; 2];
            }
        }
        if faults.on(FenEnPassantIgnored, self.side) {
            board.en_passant = None;
        }
        board
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
}

/// The castling rights on `after`, the board after a move on `before`.
fn update_rights(before: &Mailbox, step: Step, faults: &Faults, after: &mut Mailbox) {
    let (us, them) = (before.side, before.side.flip());
    let mover = before.at(step.from);
    for wing in WINGS {
        let [moved, taken] = [
            [RightKeptRookMovedKingSide, RightKeptRookTakenKingSide],
            [RightKeptRookMovedQueenSide, RightKeptRookTakenQueenSide],
        ][wing];
        let [ours, theirs] = [us, them].map(|side| before.rights[side.index()][wing]);
        if ours.is_some() {
            let castles = matches!(step.what, What::Castle(..));
            let king_moves = mover == Some((us, Kind::King));
            if castles || king_moves && !faults.on(RightKeptKingMoved, us) {
                after.rights[us.index()][wing] = None;
            }
            if ours == Some(step.from) {
                if !faults.on(moved, us) {
                    after.rights[us.index()][wing] = None;
                }
                if faults.on(RightLostWithOtherRook, us) {
                    after.rights[us.index()] = [None; 2];
                }
            }
            let is_other_rook = mover == Some((us, Kind::Rook))
                && ours.is_some_and(|rook| rook != step.from && rook.file() == step.from.file());
            if is_other_rook && faults.on(RightLostWithAnyRook, us) {
                after.rights[us.index()][wing] = None;
            }
        }
        if theirs == Some(step.to) && !faults.on(taken, them) && !faults.on(CastlesWithoutRook, them) {
            after.rights[them.index()][wing] = None;
        }
    }
}
