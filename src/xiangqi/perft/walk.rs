//! The walk of the tree down to the last two plies, which are counted together: the replies once, for a null move, and
//! corrected for each ordinary move.
//!
//! The head of `xiangqi/perft/mod.rs` explains the method with an example and the formula. Only special moves are made.
//! [`KingZone`] decides which moves are special; it may take too many, which costs time, but never too few.
//! [`ReplyDeltas`] has what an ordinary move changes. The scalar counter, which makes all moves, is the reference.

use crate::base::cpu::with_bits;
use crate::game::moves::ALL;
use crate::game::{CountSink, ListSink, Moves, Rules as _, Side};
use crate::xiangqi::board::Board;
use crate::xiangqi::board::movegen::{self, ChecksAndPins};
use crate::xiangqi::board::tables;
use crate::xiangqi::types::{Bitboard, Black, Kind, Red, Square, Us};

/// Calls `last` with each position `plies` plies below `board`, once for each sequence of moves that leads there.
pub(super) fn walk(board: &Board, plies: u32, last: &mut impl FnMut(&Board)) {
    if plies == 0 {
        return last(board);
    }
    let mut list = Moves::new();
    board.generate::<ALL, _>(&board.compute_checks_and_pins(), &mut ListSink(&mut list));
    for &m in &list {
        let mut child = *board;
        match board.side {
            Side::First => child.make_as::<Red>(m),
            Side::Second => child.make_as::<Black>(m),
        };
        walk(&child, plies - 1, last);
    }
}

/// Our legal moves: type, square and targets of each piece that can move.
struct OurMoves {
    pieces: [(Kind, Square, Bitboard); 16],
    count: usize,
    /// The union of all targets.
    reached: Bitboard,
}

impl OurMoves {
    #[inline(always)]
    fn of<U: Us>(board: &Board) -> OurMoves {
        let king = board.king(U::SIDE);
        let pins = ChecksAndPins::of::<U>(board);
        let own = board.side_set(U::SIDE);
        let mut pieces = [(Kind::King, king, Bitboard::EMPTY); 16];
        let (mut count, mut reached) = (0, Bitboard::EMPTY);
        let visit = &mut |kind: Kind, from: Square, targets: Bitboard| {
            pieces[count & 15] = (kind, from, targets);
            count += usize::from(!targets.is_empty());
            reached |= targets;
        };
        let wanted = !own;
        let selection = movegen::Selection { pieces: own, targets: wanted, merge: false };
        movegen::legal_sets::<U>(board, &pins, selection, visit);
        debug_assert!(count <= 16, "a side has at most sixteen pieces");
        OurMoves { pieces, count: count.min(16), reached }
    }
}

with_bits! {
    /// The number of replies after all moves.
    pub(super) fn perft2(board: &Board) -> u64 {
        match board.side {
            Side::First => two_plies::<Red>(board),
            Side::Second => two_plies::<Black>(board),
        }
    }
}

/// The number of replies after all moves of `U`.
#[inline(always)]
fn two_plies<U: Us>(board: &Board) -> u64 {
    let moves = OurMoves::of::<U>(board);
    if moves.count == 0 {
        return 0;
    }
    let replies = NullReplies::of::<U>(board, board.side_set(U::SIDE) | moves.reached);
    let mut total = 0;
    for &(kind, from, targets) in &moves.pieces[..moves.count] {
        let special = replies.zone.special(kind, from, targets);
        total += replies.after_ordinary(kind, from, targets - special);
        total += make_and_count::<U>(board, kind, from, special);
    }
    total
}

/// Makes the special moves of a piece one by one and counts the replies.
#[inline(always)]
fn make_and_count<U: Us>(board: &Board, kind: Kind, from: Square, special: Bitboard) -> u64 {
    let mut total = 0;
    for to in special {
        let mut child = *board;
        child.move_piece::<U>(kind, from, to);
        total += movegen::count_legal::<U::Them>(&child, &ChecksAndPins::of::<U::Them>(&child));
    }
    total
}

/// The replies of one side to a null move of the other, and how moves change their number.
struct NullReplies {
    /// The number of replies to a null move; 0 (unknown) if every move is special.
    count: i32,
    zone: KingZone,
    deltas: ReplyDeltas,
}

impl NullReplies {
    /// The replies of `U::Them`; the origins and targets of `U`'s moves are within `touched`.
    #[inline(always)]
    fn of<U: Us>(board: &Board, touched: Bitboard) -> NullReplies {
        let them = board.side_set(U::Them::SIDE);
        let king = board.king(U::Them::SIDE);
        let pins = ChecksAndPins::of::<U::Them>(board);
        debug_assert!(pins.checkers.is_empty(), "the side not to move is in check");
        let zone = KingZone::of::<U>(board, king, &pins);
        if !pins.hollow.is_empty() {
            return NullReplies { count: 0, zone, deltas: ReplyDeltas::NONE };
        }
        let wanted = !them;
        let free = them - pins.pinned;
        let mut replies = CountSink::default();
        let visit = &mut |_: Kind, _: Square, targets: Bitboard| {
            replies.0 += u64::from(targets.count());
        };
        movegen::free_pieces::<U::Them>(board, free, wanted, true, visit);
        if !pins.pinned.is_empty() {
            movegen::tested_pieces::<U::Them>(board, king, pins.pinned, wanted, visit);
        }
        let count = zone.safe_steps + replies.0 as i32;
        let deltas = ReplyDeltas::of(board, free, wanted, touched);
        NullReplies { count, zone, deltas }
    }

    /// The total number of replies to the ordinary moves of a piece of type `kind` from `from` to `targets`.
    #[inline(always)]
    fn after_ordinary(&self, kind: Kind, from: Square, targets: Bitboard) -> u64 {
        if targets.is_empty() {
            return 0;
        }
        let each = self.count + self.deltas.at(from);
        let mut sum = each * targets.count() as i32 + self.deltas.sum_over(targets);
        // The other piece types never move along a line.
        if matches!(kind, Kind::Chariot | Kind::Cannon | Kind::King | Kind::Soldier) {
            sum += self.deltas.along_lines(from, targets);
        }
        sum as u64
    }
}

/// What a chariot on `square` sees up to the first piece each way, and up to the second.
#[inline(always)]
fn see_through(square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let seen = tables::lines(square, occupied).0;
    (seen, tables::lines(square, occupied - seen).0)
}

/// Which moves of `U` are special: they must be made, because they may change what the enemy king or a piece pinned
/// to it can do.
struct KingZone {
    /// Origins of special moves: our discoverers, and the pieces that attack a step of their king.
    special_from: Bitboard,
    /// Targets of special moves, including all pieces of the replying side.
    special_to: Bitboard,
    /// Special targets of chariots and the king.
    chariot_to: Bitboard,
    cannon_to: Bitboard,
    horse_to: Bitboard,
    soldier_to: Bitboard,
    /// Number of squares to which their king can step after a null move.
    safe_steps: i32,
}

impl KingZone {
    /// The zone of `U::Them`'s king on `king`, with its `pins`.
    #[inline(always)]
    fn of<U: Us>(board: &Board, king: Square, pins: &ChecksAndPins) -> KingZone {
        let mut zone = KingZone {
            special_from: Bitboard::EMPTY,
            special_to: board.side_set(U::Them::SIDE),
            chariot_to: Bitboard::EMPTY,
            cannon_to: tables::cross(king),
            horse_to: tables::horse_back(king, board.side_set(U::SIDE)),
            soldier_to: tables::soldier_back(U::SIDE, king),
            safe_steps: 0,
        };
        if !pins.hollow.is_empty() {
            zone.special_from = Bitboard::ALL;
            return zone;
        }
        zone.add_king_lines::<U>(board, king);
        zone.add_steps::<U>(board, king);
        if !pins.pinned.is_empty() {
            zone.add_pinned(board, pins.pinned);
        }
        zone
    }

    /// The special moves among `targets` of our piece of type `kind` on `from`.
    #[inline(always)]
    fn special(&self, kind: Kind, from: Square, targets: Bitboard) -> Bitboard {
        if self.special_from.contains(from) {
            return targets;
        }
        let landing = match kind {
            Kind::Chariot | Kind::King => self.chariot_to,
            Kind::Cannon => self.cannon_to,
            Kind::Horse => self.horse_to,
            Kind::Soldier => self.soldier_to,
            Kind::Elephant | Kind::Advisor => Bitboard::EMPTY,
        };
        targets & (self.special_to | landing)
    }

    /// Adds the moves of `U` that can pin to or check the other king, or end a pin.
    #[inline(always)]
    fn add_king_lines<U: Us>(&mut self, board: &Board, king: Square) {
        let (us, them) = (board.side_set(U::SIDE), board.side_set(U::Them::SIDE));
        let occupied = us | them;
        let lined = tables::cross(king) & us;
        let cannons = board.kind_set(Kind::Cannon);
        for slider in lined & (board.kind_set(Kind::Chariot) | board.kind_set(Kind::King) | cannons) {
            let path = tables::between(king, slider);
            let blockers = path & occupied;
            // A chariot checks over no piece, a cannon over one. With one more blocker that blocker is pinned; with
            // two more, either may become pinned.
            let pinning = 1 + u32::from(cannons.contains(slider));
            let met = blockers.count();
            if met == pinning && blockers.meets(them) {
                self.special_to |= path;
                self.special_from |= Bitboard::of(slider);
            }
            if met == pinning || met == pinning + 1 {
                self.special_from |= blockers & us;
            }
        }
        // A chariot beyond two pieces changes nothing.
        self.chariot_to |= see_through(king, occupied).1;
        let horses = board.kind_set(Kind::Horse) & us;
        for horse in tables::horse_back(king, Bitboard::EMPTY) & horses {
            let leg = movegen::horse_leg(king, horse);
            self.special_from |= if leg.meets(us) { leg } else { Bitboard::of(horse) };
        }
    }

    /// Counts the safe steps of their king, and adds the moves that can allow or prevent one.
    #[inline(always)]
    fn add_steps<U: Us>(&mut self, board: &Board, king: Square) {
        let (us, them) = (board.side_set(U::SIDE), board.side_set(U::Them::SIDE));
        for step in tables::king(king) - them {
            let occupied = ((us | them) - Bitboard::of(king)) | Bitboard::of(step);
            let enemies = us - Bitboard::of(step);
            let by_sliders = self.add_sliders_at(board, step, occupied, enemies);
            let by_horses = self.add_horses_at(board, step, occupied, enemies);
            let soldiers = tables::soldier_back(U::SIDE, step);
            let attacking = soldiers & board.kind_set(Kind::Soldier) & enemies;
            self.special_from |= attacking;
            self.soldier_to |= soldiers;
            self.horse_to |= tables::horse_back(step, occupied);
            let (seen, through) = see_through(step, occupied);
            self.chariot_to |= seen;
            self.cannon_to |= through - seen;
            self.safe_steps += i32::from(!by_sliders && !by_horses && attacking.is_empty());
        }
    }

    /// Adds the moves that discover or block an attack on `step` by the chariots, cannons and the king among
    /// `enemies`. Returns whether one of them attacks it.
    #[inline(always)]
    fn add_sliders_at(&mut self, board: &Board, step: Square, occupied: Bitboard, enemies: Bitboard) -> bool {
        let cannons = board.kind_set(Kind::Cannon);
        let sliders = board.kind_set(Kind::Chariot) | board.kind_set(Kind::King) | cannons;
        let mut attacked = false;
        for slider in tables::cross(step) & enemies & sliders {
            let path = tables::between(step, slider);
            let blockers = path & occupied;
            let met = blockers.count();
            let checking = u32::from(cannons.contains(slider));
            if met <= checking {
                self.special_to |= path;
            }
            if met == checking {
                attacked = true;
                self.special_from |= Bitboard::of(slider) | blockers & enemies;
            } else if met == checking + 1 {
                self.special_from |= blockers & enemies;
            }
        }
        attacked
    }

    /// Adds the horses among `enemies` around `step`, with their legs. Returns whether one of them attacks it.
    #[inline(always)]
    fn add_horses_at(&mut self, board: &Board, step: Square, occupied: Bitboard, enemies: Bitboard) -> bool {
        let mut attacked = false;
        let horses = board.kind_set(Kind::Horse) & enemies;
        for horse in tables::horse_back(step, Bitboard::EMPTY) & horses {
            let leg = movegen::horse_leg(step, horse);
            if !leg.meets(occupied) {
                attacked = true;
                self.special_from |= Bitboard::of(horse);
                self.special_to |= leg;
            }
            self.special_from |= leg & enemies;
        }
        attacked
    }

    /// Adds the squares on which the moves of pinned pieces depend.
    fn add_pinned(&mut self, board: &Board, pinned: Bitboard) {
        // A horse's legs are part of its cross; the other squares of the cross do no harm.
        let straight = board.kind_set(Kind::Chariot) | board.kind_set(Kind::Cannon) | board.kind_set(Kind::Horse);
        for square in pinned {
            let near = if straight.contains(square) {
                tables::cross(square)
            } else if board.kind_set(Kind::Elephant).contains(square) {
                tables::eyes_of(square)
            } else {
                Bitboard::EMPTY
            };
            self.special_from |= near;
            self.special_to |= near;
        }
    }
}

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

/// How emptying or filling a square changes the number of replies, and the sliders for which two squares can matter at
/// once. Covers the unpinned horses, elephants, chariots and cannons of the replying side. Pinned pieces are not
/// covered (moves that affect them are special), nor are captures.
struct ReplyDeltas {
    /// The change in the number of replies if an own square is emptied or an empty one filled.
    delta: [i16; 128],
    /// The squares where `delta` may be nonzero.
    changed: Bitboard,
    sliders: [Slider; 4],
    count: usize,
}

impl ReplyDeltas {
    /// No changes.
    const NONE: ReplyDeltas =
        ReplyDeltas { delta: [0; 128], changed: Bitboard::EMPTY, sliders: [Slider::NONE; 4], count: 0 };

    /// The changes at the squares `touched` for the unpinned pieces `free`, whose targets are within `wanted`.
    #[inline(always)]
    fn of(board: &Board, free: Bitboard, wanted: Bitboard, touched: Bitboard) -> ReplyDeltas {
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
    fn at(&self, square: Square) -> i32 {
        i32::from(self.delta[square.index()])
    }

    /// The sum of the changes over a set of squares.
    #[inline(always)]
    fn sum_over(&self, set: Bitboard) -> i32 {
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
    fn along_lines(&self, from: Square, targets: Bitboard) -> i32 {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The null replies, the replies to all ordinary moves, and those to each special move.
    fn example(board: &Board) -> (NullReplies, u64, Vec<(String, u64)>) {
        let moves = OurMoves::of::<Red>(board);
        let touched = board.side_set(Red::SIDE) | moves.reached;
        let replies = NullReplies::of::<Red>(board, touched);
        let (mut ordinary, mut made) = (0, Vec::new());
        for &(kind, from, targets) in &moves.pieces[..moves.count] {
            let special = replies.zone.special(kind, from, targets);
            ordinary += replies.after_ordinary(kind, from, targets - special);
            for to in special {
                let count = make_and_count::<Red>(board, kind, from, Bitboard::of(to));
                made.push((format!("{from}{to}"), count));
            }
        }
        made.sort();
        (replies, ordinary, made)
    }

    #[test]
    fn the_example_in_the_documentation_is_right() {
        let start = crate::xiangqi::Position::default();
        let (replies, ordinary, made) = example(&start);
        let at = |name: &str| Square::parse(name.as_bytes()).unwrap();
        assert_eq!(replies.count, 44);
        assert_eq!(replies.deltas.at(at("b0")), -1);
        assert_eq!(replies.deltas.at(at("b2")), 1);
        assert_eq!(replies.deltas.at(at("b4")), -2);
        let to = |name| Bitboard::of(at(name));
        assert_eq!(replies.deltas.along_lines(at("b2"), to("b4")), -1);
        for (from, target, count) in [("b0", "c2", 43), ("b2", "c2", 45), ("b2", "b4", 42), ("b2", "b6", 40)] {
            let kind = start.piece_on(at(from)).unwrap().1;
            assert_eq!(replies.after_ordinary(kind, at(from), to(target)), count, "{from}{target}");
        }
        let special = [("b2b9", 41), ("b2e2", 45), ("e3e4", 44), ("h2e2", 45), ("h2h9", 41)];
        assert_eq!(made, special.map(|(m, count)| (m.to_string(), count)));
        assert_eq!((ordinary, ordinary + 216), (1_704, 1_920));
    }
}
