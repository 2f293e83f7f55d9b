//! Records of xiangqi positions for training.
//!
//! | bytes | what |
//! |---|---|
//! | 0–11 | occupied squares, little-endian, bit 0 = a0; bit 94: the first record of a game; bit 95: Black is to move |
//! | 12–27 | four bits for each occupied square from a0 upwards, low half first: kind (0 soldier, 1 horse, 2 elephant, 3 advisor, 4 chariot, 5 cannon, 6 king), plus 8 for Black |
//! | 28–29 | score in centipawns, little-endian, for Red |
//! | 30 | result: 0 Black has won, 1 draw, 2 Red has won |
//! | 31 | plies since the last capture, 255 for more |
//!
//! Reading accepts any bytes and returns legal positions only. The full-move number
//! is not stored.

use super::position::{Placement, Position};
use crate::game::record::{Labels, Record, Recorded, nibble, pack_nibbles};
use crate::game::{GameResult, Side};
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::piece::Kind;

/// Added to the piece code for Black.
const BLACK: u8 = 8;
const OPENS_GAME: u128 = 1 << 94;
const BLACK_TO_MOVE: u128 = 1 << 95;

impl Recorded for Position {
    fn to_record(&self, labels: Labels) -> Record {
        let mut record = Record::default();
        let mut head = self.occupied().0;
        head |= if labels.opens_game { OPENS_GAME } else { 0 };
        head |= if self.side() == Side::Second { BLACK_TO_MOVE } else { 0 };
        record[..12].copy_from_slice(&head.to_le_bytes()[..12]);
        let codes = self.occupied().into_iter().map(|square| {
            let Some((side, kind)) = self.piece_on(square) else { return 0 };
            kind.index() as u8 + if side == Side::Second { BLACK } else { 0 }
        });
        record[12..28].copy_from_slice(&pack_nibbles(codes));
        record[28..30].copy_from_slice(&labels.score.to_le_bytes());
        record[30] = labels.result as u8;
        record[31] = self.halfmove_clock().min(255) as u8;
        record
    }

    fn from_record(record: &Record) -> Option<(Self, Labels)> {
        let mut head = [0; 16];
        head[..12].copy_from_slice(&record[..12]);
        let head = u128::from_le_bytes(head);
        let occupied = Bitboard(head & !(OPENS_GAME | BLACK_TO_MOVE));
        if !(occupied & !Bitboard::ALL).is_empty() || occupied.count() > 32 {
            return None;
        }
        let side = |black: bool| if black { Side::Second } else { Side::First };
        let mut placement = Placement {
            pieces: [None; 90],
            side: side(head & BLACK_TO_MOVE != 0),
            halfmove: u16::from(record[31]),
            fullmove: 1,
        };
        for (i, square) in occupied.into_iter().enumerate() {
            let code = nibble(&record[12..28], i);
            let kind = *Kind::ALL.get(usize::from(code & 7))?;
            placement.pieces[square.index()] = Some((side(code & BLACK != 0), kind));
        }
        let labels = Labels {
            score: i16::from_le_bytes([record[28], record[29]]),
            result: GameResult::from_number(record[30])?,
            opens_game: head & OPENS_GAME != 0,
        };
        Some((Position::new(&placement).ok()?, labels))
    }
}
