//! Training records of chess positions, in the layout known to other engines' tools as "marlinformat".
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | occupied squares, little-endian, bit 0 = a1 |
//! | 8–23 | four bits for each occupied square from a1 upwards, low half first: kind (0 pawn to 5 king, 6 a rook that may castle), plus 8 for Black |
//! | 24 | en passant square, or 64 for none; plus 128 if Black is to move |
//! | 25 | half-move clock |
//! | 26–27 | full-move number |
//! | 28–29 | score in centipawns, from White's point of view |
//! | 30 | result: 0 Black won, 1 draw, 2 White won |
//! | 31 | 1 for the first record of a game, else 0 |
//!
//! Reading accepts any bytes and returns only legal positions.

use super::{Labels, Record, Recorded, pack_pieces, side, unpack_piece};
use tabiya::chess::{Bitboard, Board, Kind, Placement, Position, Square};
use tabiya::game::Side;

/// The code of a rook that may castle.
const CASTLING_ROOK: u8 = 6;

impl Recorded for Board {
    fn to_record(position: &Position, labels: Labels) -> Record {
        let mut record = Record::default();
        record[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
        let pieces = position.occupied().into_iter().filter_map(|square| {
            let (side, kind) = position.piece_on(square)?;
            let castles = position.castling().contains(square);
            Some((side, if castles { CASTLING_ROOK } else { kind.index() as u8 }))
        });
        record[8..24].copy_from_slice(&pack_pieces(pieces));
        let black_to_move = u8::from(position.side() == Side::Second) << 7;
        record[24] = position.en_passant().map_or(64, |square| square.index() as u8) | black_to_move;
        record[25] = position.halfmove_clock().min(255) as u8;
        record[26..28].copy_from_slice(&position.fullmove_number().to_le_bytes());
        labels.write(&mut record);
        record[31] = u8::from(labels.opens_game);
        record
    }

    fn from_record(record: &Record) -> Option<(Position, Labels)> {
        let word = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let occupied = Bitboard(u64::from_le_bytes(*record.first_chunk()?));
        if occupied.count() > 32 {
            return None;
        }
        let mut placement = Placement {
            pieces: [None; 64],
            side: side(record[24] & 128 != 0),
            castling: Bitboard::EMPTY,
            en_passant: match record[24] & 127 {
                64 => None,
                square @ 0..64 => Some(Square::wrapping(u32::from(square))),
                _ => return None,
            },
            halfmove: u16::from(record[25]),
            fullmove: word(26),
            chess960: false,
        };
        for (i, square) in occupied.into_iter().enumerate() {
            let (side, code) = unpack_piece(&record[8..24], i);
            let kind = match code {
                CASTLING_ROOK => {
                    placement.castling |= Bitboard::of(square);
                    Kind::Rook
                }
                kind => *Kind::ALL.get(usize::from(kind))?,
            };
            placement.pieces[square.index()] = Some((side, kind));
        }
        if record[31] > 1 {
            return None;
        }
        let labels = Labels::read(record, record[31] == 1)?;
        Some((Position::new(&placement).ok()?, labels))
    }
}
