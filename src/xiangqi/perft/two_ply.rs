//! The perft walk of xiangqi, and the counter that replaces its last two plies.
//!
//! At a node of depth 2 only the number of replies to each move matters, and a quiet move changes few of
//! them. [`Replies`] counts the replies to a null move once, and what each square, emptied or filled,
//! adds to that number: blocked legs and eyes, and lines of chariots and cannons. A move whose squares
//! can neither touch the safety of the replying king nor a bound piece then costs one addition, and all
//! such moves of a piece are counted as a set. Captures and the moves left over are made and counted.
//!
//! Called by `contract`; the scalar kernel, which makes every move, is the oracle of the other.

use crate::game::{CountSink, Kernel, ListSink, Side};
use crate::xiangqi::board::movegen::{self, Bonds, XiangqiList};
use crate::xiangqi::board::position::Position;
use crate::xiangqi::board::tables::{self, Cpu, SliderAttacks, Task};
use crate::xiangqi::types::bitboard::Bitboard;
use crate::xiangqi::types::piece::{Black, Kind, Red, Us};
use crate::xiangqi::types::square::Square;
use std::marker::PhantomData;

/// The number of legal move sequences of exactly `depth` plies, counted by `kernel`.
pub(in crate::xiangqi) fn perft(pos: &Position, depth: u32, kernel: Kernel) -> u64 {
    match (pos.side(), kernel) {
        (Side::First, Kernel::Scalar) => tables::dispatch(Walk::<Red, false>::new(pos, depth)),
        (Side::Second, Kernel::Scalar) => tables::dispatch(Walk::<Black, false>::new(pos, depth)),
        (Side::First, _) => tables::dispatch(Walk::<Red, true>::new(pos, depth)),
        (Side::Second, _) => tables::dispatch(Walk::<Black, true>::new(pos, depth)),
    }
}

/// One node of the walk, `U` to move; `TWO` counts the last two plies at once.
struct Walk<'a, U, const TWO: bool> {
    pos: &'a Position,
    depth: u32,
    us: PhantomData<U>,
}

impl<'a, U: Us, const TWO: bool> Walk<'a, U, TWO> {
    #[inline(always)]
    fn new(pos: &'a Position, depth: u32) -> Self {
        Walk { pos, depth, us: PhantomData }
    }
}

impl<U: Us, const TWO: bool> Task for Walk<'_, U, TWO> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Walk { pos, depth, .. } = self;
        match depth {
            0 => 1,
            1 => cpu.run(Count::<U>(pos, PhantomData)),
            2 if TWO => count_two::<U, C>(pos, cpu),
            _ => {
                let mut list = XiangqiList::new();
                let sink = &mut ListSink(&mut list);
                movegen::generate::<U, { movegen::ALL }, C, _>(pos, cpu, Bitboard::ALL, sink);
                let mut total = 0;
                for &m in &list {
                    let mut child = *pos;
                    child.make_as::<U>(m);
                    total += cpu.run(Walk::<U::Them, TWO>::new(&child, depth - 1));
                }
                total
            }
        }
    }
}

/// The number of legal moves of `U`, whoever is to move.
struct Count<'a, U>(&'a Position, PhantomData<U>);

impl<U: Us> Task for Count<'_, U> {
    type Output = u64;
    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut sink = CountSink::default();
        movegen::generate::<U, { movegen::ALL }, C, _>(self.0, cpu, Bitboard::ALL, &mut sink);
        sink.0
    }
}

/// The number of replies after all moves of `U`.
#[inline(always)]
fn count_two<U: Us, C: Cpu>(pos: &Position, cpu: C) -> u64 {
    let king = pos.king(U::SIDE);
    let bonds = Bonds::of::<U>(pos, king);
    let own = pos.side_set(U::SIDE);
    let mut movers = [(Kind::King, king, Bitboard::EMPTY); 16];
    let (mut count, mut reached) = (0, Bitboard::EMPTY);
    let visit = &mut |kind: Kind, from: Square, targets: Bitboard| {
        movers[count & 15] = (kind, from, targets);
        count += usize::from(!targets.is_empty());
        reached |= targets;
    };
    movegen::legal_sets::<U, C>(pos, cpu, king, &bonds, own, Bitboard::ALL & !own, false, visit);
    debug_assert!(count <= 16, "a side has at most sixteen pieces");
    if count == 0 {
        return 0;
    }
    let replies = Replies::of::<U, C>(pos, cpu, own | reached);
    let mut total = 0;
    for &(kind, from, targets) in &movers[..count.min(16)] {
        let (sum, left) = replies.known(kind, from, targets);
        total += sum;
        for to in left {
            let mut child = *pos;
            child.move_piece::<U>(kind, from, to);
            total += cpu.run(Count::<U::Them>(&child, PhantomData));
        }
    }
    total
}

/// A chariot or cannon of the replying side, with the occupancy of its lines. "Index" is the place on a
/// line, "free" the points of the line without pieces of its own side.
#[derive(Clone, Copy, Default)]
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
    /// The moves along the rank when its points `occupied` are occupied.
    #[inline(always)]
    fn along_rank(&self, occupied: usize) -> i32 {
        let seen = (tables::rank_line(self.file, occupied) >> self.half) as usize;
        (seen & self.rank_free).count_ones() as i32
    }

    /// The moves along the file when its points `occupied` are occupied.
    #[inline(always)]
    fn along_file(&self, occupied: usize) -> i32 {
        let seen = (tables::file_line(self.rank, occupied) >> self.half) as usize;
        (seen & self.file_free).count_ones() as i32
    }
}

/// What a chariot on `square` sees up to the first piece each way, and up to the second.
#[inline(always)]
fn see_through<C: Cpu>(cpu: C, square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let seen = cpu.lines(square, occupied).0;
    (seen, cpu.lines(square, occupied & !seen).0)
}

/// The replies of one side to the quiet moves of the other.
struct Replies {
    /// The number of replies to a null move.
    null: i32,
    /// What emptying a square of the mover, or filling an empty one, adds to that number.
    delta: [i16; 128],
    /// Where `delta` is not zero.
    changed: Bitboard,
    /// Moves from here are made and counted.
    from: Bitboard,
    /// Moves to here are made and counted; all pieces of the replying side are among them.
    to: Bitboard,
    /// Moves to here of chariots and the king are made and counted.
    chariot: Bitboard,
    /// The same for cannons.
    cannon: Bitboard,
    /// The same for horses.
    horse: Bitboard,
    /// The same for soldiers.
    soldier: Bitboard,
    sliders: [Slider; 4],
    count: usize,
}

impl Replies {
    /// Looks at the replies of `U::Them` to the moves of `U` that begin and end within `touched`.
    #[inline(always)]
    fn of<U: Us, C: Cpu>(pos: &Position, cpu: C, touched: Bitboard) -> Replies {
        let them = pos.side_set(U::Them::SIDE);
        let king = pos.king(U::Them::SIDE);
        let bonds = Bonds::of::<U::Them>(pos, king);
        debug_assert!(bonds.checkers.is_empty(), "the side not to move is in check");
        let mut replies = Replies {
            null: 0,
            delta: [0; 128],
            changed: Bitboard::EMPTY,
            from: Bitboard::EMPTY,
            to: them,
            chariot: Bitboard::EMPTY,
            cannon: tables::cross(king),
            horse: tables::horse_back(king, pos.side_set(U::SIDE)),
            soldier: tables::soldier_back(U::SIDE, king),
            sliders: [Slider::default(); 4],
            count: 0,
        };
        if !bonds.hollow.is_empty() {
            replies.from = Bitboard::ALL;
            return replies;
        }
        replies.watch_king::<U, C>(pos, cpu, king);
        replies.king_steps::<U, C>(pos, cpu, king);
        let wanted = Bitboard::ALL & !them;
        let mut count = CountSink::default();
        let visit = &mut |_: Kind, _: Square, targets: Bitboard| {
            count.0 += u64::from(targets.count());
        };
        let free = them & !bonds.bound;
        movegen::free_pieces::<U::Them, C>(pos, cpu, free, wanted, true, visit);
        if !bonds.bound.is_empty() {
            movegen::tried_pieces::<U::Them, C>(pos, cpu, king, bonds.bound, wanted, visit);
            replies.watch_bound(pos, bonds.bound);
        }
        replies.null += count.0 as i32;
        replies.weigh_leapers(pos, free, wanted);
        replies.weigh_sliders(pos, cpu, free, wanted, wanted & touched);
        replies
    }

    /// Notes the moves of `U` that can bind or check the other king, or end a bond.
    #[inline(always)]
    fn watch_king<U: Us, C: Cpu>(&mut self, pos: &Position, cpu: C, king: Square) {
        let (us, them) = (pos.side_set(U::SIDE), pos.side_set(U::Them::SIDE));
        let occupied = us | them;
        let lined = tables::cross(king) & us;
        let cannons = pos.kind_set(Kind::Cannon);
        for slider in lined & (pos.kind_set(Kind::Chariot) | pos.kind_set(Kind::King) | cannons) {
            let path = tables::between(king, slider);
            let blockers = path & occupied;
            // A chariot checks over no piece, a cannon over one; one piece more is bound, and of one
            // more than that any may become so.
            let binding = 1 + u32::from(cannons.contains(slider));
            let met = blockers.count();
            if met == binding && blockers.meets(them) {
                self.to |= path;
                self.from |= Bitboard::of(slider);
            }
            if met == binding || met == binding + 1 {
                self.from |= blockers & us;
            }
        }
        // A chariot that arrives beyond two pieces changes nothing.
        self.chariot |= see_through(cpu, king, occupied).1;
        let horses = pos.kind_set(Kind::Horse) & us;
        for horse in tables::horse_back(king, Bitboard::EMPTY) & horses {
            let leg = movegen::horse_leg(king, horse);
            self.from |= if leg.meets(us) { leg } else { Bitboard::of(horse) };
        }
    }

    /// Counts the steps of the other king and notes the moves of `U` that can allow or forbid one.
    #[inline(always)]
    fn king_steps<U: Us, C: Cpu>(&mut self, pos: &Position, cpu: C, king: Square) {
        let (us, them) = (pos.side_set(U::SIDE), pos.side_set(U::Them::SIDE));
        let cannons = pos.kind_set(Kind::Cannon);
        let lines = pos.kind_set(Kind::Chariot) | pos.kind_set(Kind::King) | cannons;
        for step in tables::king(king) & !them {
            let occupied = (us | them) & !Bitboard::of(king) | Bitboard::of(step);
            let enemies = us & !Bitboard::of(step);
            let mut attacked = false;
            for slider in tables::cross(step) & enemies & lines {
                let path = tables::between(step, slider);
                let blockers = path & occupied;
                let met = blockers.count();
                let checking = u32::from(cannons.contains(slider));
                if met <= checking {
                    self.to |= path;
                }
                if met == checking {
                    attacked = true;
                    self.from |= Bitboard::of(slider) | blockers & us;
                } else if met == checking + 1 {
                    self.from |= blockers & us;
                }
            }
            for horse in
                tables::horse_back(step, Bitboard::EMPTY) & pos.kind_set(Kind::Horse) & enemies
            {
                let leg = movegen::horse_leg(step, horse);
                if !leg.meets(occupied) {
                    attacked = true;
                    self.from |= Bitboard::of(horse);
                    self.to |= leg;
                }
                self.from |= leg & us;
            }
            let soldiers = tables::soldier_back(U::SIDE, step);
            let attacking = soldiers & pos.kind_set(Kind::Soldier) & enemies;
            attacked |= !attacking.is_empty();
            self.from |= attacking;
            self.soldier |= soldiers;
            self.horse |= tables::horse_back(step, occupied);
            let (seen, through) = see_through(cpu, step, occupied);
            self.chariot |= seen;
            self.cannon |= through & !seen;
            self.null += i32::from(!attacked);
        }
    }

    /// Notes the squares on which the moves of bound pieces depend.
    fn watch_bound(&mut self, pos: &Position, bound: Bitboard) {
        for square in bound {
            let set = Bitboard::of(square);
            let near = if (pos.kind_set(Kind::Chariot) | pos.kind_set(Kind::Cannon)).meets(set) {
                tables::cross(square)
            } else if pos.kind_set(Kind::Horse).meets(set) {
                // The legs lie on the cross; the rest of it does no harm here.
                tables::cross(square)
            } else if pos.kind_set(Kind::Elephant).meets(set) {
                tables::eyes_of(square)
            } else {
                Bitboard::EMPTY
            };
            self.from |= near;
            self.to |= near;
        }
    }

    #[inline(always)]
    fn weigh(&mut self, square: Square, change: i32) {
        self.delta[square.index()] += change as i16;
        self.changed |= Bitboard::of(square);
    }

    /// What the legs of horses and the eyes of elephants are worth.
    #[inline(always)]
    fn weigh_leapers(&mut self, pos: &Position, free: Bitboard, wanted: Bitboard) {
        let occupied = pos.occupied();
        for horse in pos.kind_set(Kind::Horse) & free {
            for (leg, targets) in tables::horse_by_leg(horse) {
                let gain = (targets & wanted).count() as i32;
                self.weigh(leg, if occupied.contains(leg) { gain } else { -gain });
            }
        }
        for elephant in pos.kind_set(Kind::Elephant) & free {
            for (eye, targets) in tables::elephant_by_eye(elephant) {
                let gain = (targets & wanted).count() as i32;
                self.weigh(eye, if occupied.contains(eye) { gain } else { -gain });
            }
        }
    }

    /// What the points `touched` of the lines of chariots and cannons are worth.
    #[inline(always)]
    fn weigh_sliders<C: Cpu>(
        &mut self,
        pos: &Position,
        cpu: C,
        free: Bitboard,
        wanted: Bitboard,
        touched: Bitboard,
    ) {
        let occupied = pos.occupied();
        let cannons = pos.kind_set(Kind::Cannon);
        for square in (pos.kind_set(Kind::Chariot) | cannons) & free {
            let (file, rank) = (square.file(), square.rank());
            let slider = Slider {
                half: if cannons.contains(square) { 16 } else { 0 },
                file: file as usize,
                rank: rank as usize,
                rank_occupied: tables::rank_bits(occupied, rank),
                rank_free: tables::rank_bits(wanted, rank),
                file_occupied: cpu.file_bits(occupied, file),
                file_free: cpu.file_bits(wanted, file),
            };
            let base = slider.along_rank(slider.rank_occupied);
            let mut points = tables::rank_bits(touched, rank);
            while points != 0 {
                let bit = points & points.wrapping_neg();
                points ^= bit;
                let change = slider.along_rank(slider.rank_occupied ^ bit) - base;
                let at = slider.rank as u32 * 9 + bit.trailing_zeros();
                self.weigh(Square::wrapping(at), change);
            }
            let base = slider.along_file(slider.file_occupied);
            let mut points = cpu.file_bits(touched, file);
            while points != 0 {
                let bit = points & points.wrapping_neg();
                points ^= bit;
                let change = slider.along_file(slider.file_occupied ^ bit) - base;
                let at = bit.trailing_zeros() * 9 + slider.file as u32;
                self.weigh(Square::wrapping(at), change);
            }
            self.sliders[self.count & 3] = slider;
            self.count += 1;
        }
    }

    /// The replies to those moves of a piece to `targets` whose number is known, and the targets left.
    #[inline(always)]
    fn known(&self, kind: Kind, from: Square, targets: Bitboard) -> (u64, Bitboard) {
        if self.from.contains(from) {
            return (0, targets);
        }
        let landing = match kind {
            Kind::Chariot | Kind::King => self.chariot,
            Kind::Cannon => self.cannon,
            Kind::Horse => self.horse,
            Kind::Soldier => self.soldier,
            Kind::Elephant | Kind::Advisor => Bitboard::EMPTY,
        };
        let left = targets & (self.to | landing);
        let known = targets & !left;
        let each = self.null + i32::from(self.delta[from.index()]);
        let mut sum = each * known.count() as i32;
        for to in known & self.changed {
            sum += i32::from(self.delta[to.index()]);
        }
        if matches!(kind, Kind::Chariot | Kind::Cannon | Kind::King | Kind::Soldier) {
            sum += self.along_lines(from, known);
        }
        (sum as u64, left)
    }

    /// Corrects the sum for moves along a line of a slider, where both squares matter to it at once.
    #[inline(always)]
    fn along_lines(&self, from: Square, targets: Bitboard) -> i32 {
        let mut sum = 0;
        let (file, rank) = (from.file() as usize, from.rank() as usize);
        for slider in &self.sliders[..self.count & 7] {
            if slider.rank == rank {
                let left = slider.rank_occupied & !(1 << file);
                let rest = slider.along_rank(slider.rank_occupied) - slider.along_rank(left);
                let mut points = tables::rank_bits(targets, rank as i32);
                while points != 0 {
                    let bit = points & points.wrapping_neg();
                    points ^= bit;
                    sum += slider.along_rank(left | bit)
                        - slider.along_rank(slider.rank_occupied | bit)
                        + rest;
                }
            }
            if slider.file == file {
                let left = slider.file_occupied & !(1 << rank);
                let rest = slider.along_file(slider.file_occupied) - slider.along_file(left);
                let on_file = targets & Bitboard::file(file as u32 & 15);
                for to in on_file {
                    let bit = 1 << to.rank();
                    sum += slider.along_file(left | bit)
                        - slider.along_file(slider.file_occupied | bit)
                        + rest;
                }
            }
        }
        sum
    }
}
