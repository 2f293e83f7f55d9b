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

use super::{Labels, Record, Recorded, pack_pieces, side, unpack_piece};
use tabiya::game::Side;
use tabiya::xiangqi::{Bitboard, Board, Kind, Placement, Position};

const OPENS_GAME: u128 = 1 << 94;
const BLACK_TO_MOVE: u128 = 1 << 95;

impl Recorded for Board {
    fn to_record(position: &Position, labels: Labels) -> Record {
        let mut record = Record::default();
        let mut head = position.occupied().0;
        head |= if labels.opens_game { OPENS_GAME } else { 0 };
        head |= if position.side() == Side::Second { BLACK_TO_MOVE } else { 0 };
        record[..12].copy_from_slice(&head.to_le_bytes()[..12]);
        let pieces = position.occupied().into_iter().filter_map(|square| position.piece_on(square));
        let pieces = pieces.map(|(side, kind)| (side, kind.index() as u8));
        record[12..28].copy_from_slice(&pack_pieces(pieces));
        labels.write(&mut record);
        record[31] = position.halfmove_clock().min(255) as u8;
        record
    }

    fn from_record(record: &Record) -> Option<(Position, Labels)> {
        let mut head = [0; 16];
        head[..12].copy_from_slice(&record[..12]);
        let head = u128::from_le_bytes(head);
        let occupied = Bitboard(head & !(OPENS_GAME | BLACK_TO_MOVE));
        if !(occupied - Bitboard::ALL).is_empty() || occupied.count() > 32 {
            return None;
        }
        let mut placement = Placement {
            pieces: [None; 90],
            side: side(head & BLACK_TO_MOVE != 0),
            halfmove: u16::from(record[31]),
            fullmove: 1,
        };
        for (i, square) in occupied.into_iter().enumerate() {
            let (side, code) = unpack_piece(&record[12..28], i);
            placement.pieces[square.index()] = Some((side, *Kind::ALL.get(usize::from(code))?));
        }
        let labels = Labels::read(record, head & OPENS_GAME != 0)?;
        Some((Position::new(&placement).ok()?, labels))
    }
}
