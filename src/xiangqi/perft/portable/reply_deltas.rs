//! How emptying or filling a square changes the number of replies.
//!
//! Covers the unpinned horses, elephants, chariots and cannons of the replying side. Pinned pieces are not covered
//! (moves that affect them are special), nor are captures.

use crate::xiangqi::board::Board;
use crate::xiangqi::board::tables;
use crate::xiangqi::types::{Bitboard, Kind, Square};

/// A chariot or cannon of the replying side with the occupancy of its lines. `file` and `rank` are its indices on the
/// lines; `…_free` are the points of a line without own pieces.
#[derive(Clone, Copy)]
struct Slider {
    /// 0 for a chariot, 16 for a cannon: the half of a table entry.
    half: u32,
    file: usize,
    rank: usize,
    rank_occupied: usize,
    rank_free: usize,
    file_occupied: usize,
    file_free: usize,
}

impl Slider {
    /// An unused array element.
    const NONE: Slider =
        Slider { half: 0, file: 0, rank: 0, rank_occupied: 0, rank_free: 0, file_occupied: 0, file_free: 0 };

    #[inline(always)]
    fn of(square: Square, is_cannon: bool, occupied: Bitboard, wanted: Bitboard) -> Slider {
        let (file, rank) = (square.file(), square.rank());
        Slider {
            half: if is_cannon { 16 } else { 0 },
            file: file as usize,
            rank: rank as usize,
            rank_occupied: tables::rank_bits(occupied, rank),
            rank_free: tables::rank_bits(wanted, rank),
            file_occupied: tables::file_bits(occupied, file),
            file_free: tables::file_bits(wanted, file),
        }
    }

    /// The number of moves along the rank with the given occupancy.
    #[inline(always)]
    fn along_rank(&self, occupied: usize) -> i32 {
        let seen = (tables::rank_line(self.file, occupied) >> self.half) as usize;
        (seen & self.rank_free).count_ones() as i32
    }

    /// The number of moves along the file with the given occupancy.
    #[inline(always)]
    fn along_file(&self, occupied: usize) -> i32 {
        let seen = (tables::file_line(self.rank, occupied) >> self.half) as usize;
        (seen & self.file_free).count_ones() as i32
    }
}

/// The points of a line, each as index and bit.
#[inline(always)]
fn points(mut line: usize) -> impl Iterator<Item = (u32, usize)> {
    std::iter::from_fn(move || {
        let bit = line & line.wrapping_neg();
        line ^= bit;
        (bit != 0).then(|| (bit.trailing_zeros(), bit))
    })
}

/// The change in the number of replies by square, and the sliders for which two squares can matter at once.
pub(super) struct ReplyDeltas {
    /// The change in the number of replies if an own square is emptied or an empty one filled.
    delta: [i16; 128],
    /// The squares where `delta` may be nonzero.
    changed: Bitboard,
    sliders: [Slider; 4],
    count: usize,
}

impl ReplyDeltas {
    /// No changes.
    pub(super) const NONE: ReplyDeltas =
        ReplyDeltas { delta: [0; 128], changed: Bitboard::EMPTY, sliders: [Slider::NONE; 4], count: 0 };

    /// The changes at the squares `touched` for the unpinned pieces `free`, whose targets are within `wanted`.
    #[inline(always)]
    pub(super) fn of(board: &Board, free: Bitboard, wanted: Bitboard, touched: Bitboard) -> ReplyDeltas {
        let mut deltas = ReplyDeltas::NONE;
        deltas.add_leapers(board, free, wanted);
        let cannons = board.kind_set(Kind::Cannon);
        for square in (board.kind_set(Kind::Chariot) | cannons) & free {
            let slider = Slider::of(square, cannons.contains(square), board.occupied(), wanted);
            deltas.add_slider(slider, wanted & touched);
        }
        deltas
    }

    /// The change in the number of replies if `square` is emptied or filled.
    #[inline(always)]
    pub(super) fn at(&self, square: Square) -> i32 {
        i32::from(self.delta[square.index()])
    }

    /// The sum of the changes over a set of squares.
    #[inline(always)]
    pub(super) fn sum_over(&self, set: Bitboard) -> i32 {
        (set & self.changed).into_iter().map(|square| self.at(square)).sum()
    }

    #[inline(always)]
    fn add(&mut self, square: Square, change: i32) {
        self.delta[square.index()] += change as i16;
        self.changed |= Bitboard::of(square);
    }

    /// Adds the legs of horses and the eyes of elephants.
    #[inline(always)]
    fn add_leapers(&mut self, board: &Board, free: Bitboard, wanted: Bitboard) {
        let occupied = board.occupied();
        for horse in board.kind_set(Kind::Horse) & free {
            for (leg, targets) in tables::horse_by_leg(horse) {
                let gain = (targets & wanted).count() as i32;
                self.add(leg, if occupied.contains(leg) { gain } else { -gain });
            }
        }
        for elephant in board.kind_set(Kind::Elephant) & free {
            for (eye, targets) in tables::elephant_by_eye(elephant) {
                let gain = (targets & wanted).count() as i32;
                self.add(eye, if occupied.contains(eye) { gain } else { -gain });
            }
        }
    }

    /// Adds the points `touched` of the lines of a chariot or cannon.
    #[inline(always)]
    fn add_slider(&mut self, slider: Slider, touched: Bitboard) {
        let base = slider.along_rank(slider.rank_occupied);
        for (point, bit) in points(tables::rank_bits(touched, slider.rank as i32)) {
            let change = slider.along_rank(slider.rank_occupied ^ bit) - base;
            self.add(Square::wrapping(slider.rank as u32 * 9 + point), change);
        }
        let base = slider.along_file(slider.file_occupied);
        for (point, bit) in points(tables::file_bits(touched, slider.file as i32)) {
            let change = slider.along_file(slider.file_occupied ^ bit) - base;
            self.add(Square::wrapping(point * 9 + slider.file as u32), change);
        }
        debug_assert!(self.count < 4, "a side has two chariots and two cannons at most");
        self.sliders[self.count & 3] = slider;
        self.count += 1;
    }

    /// The correction for moves along a line of a slider, where both squares affect it at once.
    #[inline(always)]
    pub(super) fn along_lines(&self, from: Square, targets: Bitboard) -> i32 {
        let mut sum = 0;
        let (file, rank) = (from.file() as usize, from.rank() as usize);
        for slider in &self.sliders[..self.count.min(4)] {
            if slider.rank == rank {
                let left = slider.rank_occupied & !(1 << file);
                let rest = slider.along_rank(slider.rank_occupied) - slider.along_rank(left);
                for (_, bit) in points(tables::rank_bits(targets, rank as i32)) {
                    sum += slider.along_rank(left | bit) - slider.along_rank(slider.rank_occupied | bit) + rest;
                }
            }
            if slider.file == file {
                let left = slider.file_occupied & !(1 << rank);
                let rest = slider.along_file(slider.file_occupied) - slider.along_file(left);
                let on_file = targets & Bitboard::file(from.file());
                for to in on_file {
                    let bit = 1 << to.rank();
                    sum += slider.along_file(left | bit) - slider.along_file(slider.file_occupied | bit) + rest;
                }
            }
        }
        sum
    }
}
