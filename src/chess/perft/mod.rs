//! Chess perft: counts the leaves without making most of the moves.
//!
//! # The idea
//!
//! Take a position two plies above the leaves: we are to move, they reply. Almost every move of ours leaves almost
//! all of their replies unchanged. So we count their replies once, after a null move, and correct that number for
//! each of our moves. The correction depends on the square that the move leaves and on the square it lands on, but
//! hardly ever on both together. So it splits into two boards of small numbers: what leaving each square changes, and
//! what landing on each square changes. Bitboard operations compute such a board for all squares at once. They also
//! compute how many of our moves start on each square and how many end there. The sum over all moves is then a
//! dot product of two boards, which takes a few population counts.
//!
//! The moves that this does not describe are *special*: they are made, and their replies are counted. All others are
//! *ordinary*.
//!
//! All of this is done for a batch of positions at once, one position in each 64-bit lane (eight lanes
//! with AVX-512, four with AVX2, two on any other CPU). The special moves of a batch are made and counted in lanes too.
//!
//! ```text
//!   plies left    position                           what is done
//!      3          a node                             its moves are generated, and made in lanes
//!      2          the batch                          replies to ordinary moves: by formula
//!      1          after a special move               replies: counted as sets, in lanes
//!      0          the leaves                         never made
//! ```
//!
//! White is to move in every node of the walk and in every batch: after a move the board is flipped vertically and the
//! colours are swapped. So the code is compiled for one colour, and "we" move up the board. Black moves in two places,
//! where no flip is made: from a parent to the children that fill a batch (`batch::ParentLanes` flips the parent
//! instead), and in the replies to a special move (`special`). Hence the root as a batch sees it is flipped for an odd
//! number of plies (`Counting::perft`).
//!
//! # An example
//!
//! After 1.e4 e5 2.Nf3 Nc6 3.Bb5 d6 we have 32 moves, of which only Bxc6+ is special. Black has 27 replies to a null
//! move.
//!
//! ```text
//!   31 ordinary moves · 27 replies                                                                837
//!   landing        Ng5 −2, g4 −1, d4 +1, Nd4 +1, Ba6 +1 −2, Nxe5 +1                                −1
//!   leaving        each of the six bishop moves allows b7–b5                                       +6
//!   king squares   Nxe5 takes Kd7 away                                                             −1
//!   unpinning      five bishop moves off the pin line give the knight on c6 five moves each       +25
//!   special        Bxc6+ is made: four replies                                                     +4
//!                                                                                                 870
//! ```
//!
//! A test checks every term.
//!
//! # The formula
//!
//! For the ordinary moves of one position, with N their number and R the number of replies to a null move, the first
//! four lines are `sums`, and the last is in `classify`:
//!
//! ```text
//!   N · R  +  Σ moves to a square   · (replies gained − lost by landing there)         null_and_landing
//!          +  Σ moves from a square · (replies gained − lost by leaving it)            leaving
//!          −  Σ moves to a square   · (squares their king needs, attacked from there)  denied_king_moves
//!          +  Σ moves of a pinner   · (moves gained by the piece it pinned)            unpinned_moves
//!          +  en passant captures after our double steps, including special ones       en_passant_replies
//! ```
//!
//! *Landing* on an empty square takes away their slider moves to the squares behind it and their pawn pushes across
//! it. If one of their pawns attacks the square, it gains a capture. A capture of ours takes away all moves of the
//! captured piece and allows recaptures.
//!
//! *Leaving* a square gives their sliders the squares behind it. It unblocks a pawn of theirs that our piece stood in
//! front of, and it lets their king step onto a square that our piece alone guarded. It takes away their pawns'
//! captures of our piece. Captures by their other pieces become quiet moves, so their number does not change.
//!
//! # Which moves are special
//!
//! `classify` decides this for whole sets, mostly by origin or target square. It errs on the safe side: a
//! move that might break the formula is special.
//!
//! * All moves when we are in check; our en passant captures and promotions.
//! * Moves that give check or create a pin, either directly or by leaving a line (`stages::KingLines`).
//! * Moves of our pinned pieces. Moves of a pinner, unless the pinned piece is a knight, or a pawn pinned along a
//!   rank or a diagonal. Moves onto a pin line, because the replies of a pinned piece follow other rules.
//! * Moves to a square next to their king where the king might capture; moves that open, close or block a line to a
//!   square that their king needs, if the sums cannot express the change (`stages::KingZone`).
//! * Moves that touch the path or the rook of their castling. Our castling, if any of these rules applies to one of
//!   its four squares.
//! * Moves from or to a square on which one of their pawns could promote, and captures of such a pawn: a promotion
//!   counts as four moves.
//! * Moves for which leaving and landing are not independent: a pawn move along the line on which a slider attacks
//!   the pawn, and a king move from a square where the king guarded a square or blocked a pawn. (Moves of our sliders
//!   along such a line are ordinary: `sums::leaving` corrects for them.)
//!
//! A double step that allows en passant is ordinary. The capture itself is tested only where it might be illegal,
//! because the capturing pawn is pinned or a line to their king opens.
//!
//! # Directions and bit order
//!
//! Bit 0 is a1, bit 7 is h1, bit 63 is h8 (little-endian rank-file mapping). Directions come in pairs: `d ^ 1` is the
//! opposite direction and `d / 2` the axis. The axes are files, ranks, *rising* diagonals (a1–h8) and *falling*
//! diagonals (a8–h1). In the diagram each direction is followed by what one step adds to the square index:
//!
//! ```text
//!       6  +7     0  +8     4  +9           axis 0: 0 and 1      axis 1: 2 and 3
//!       3  −1               2  +1           axis 2: 4 and 5      axis 3: 6 and 7
//!       5  −9     1  −8     7  −7
//! ```
//!
//! *West* is towards the a-file and *east* towards the h-file, for both colours. Lane 0 is bit 0 of a lane mask. Move
//! sets are numbered in `classify`: 0–7 sliders by direction, 8–15 knights by leap, 16 king, 17–20 pawns (single
//! step, double step, capture west, capture east), 21 and 22 castling.
//!
//! # The pipeline
//!
//! ```text
//!   mod       the kernels; one count from the root
//!     ↓
//!   walk      the tree down to the last plies; batches are filled, counted and added up; here a kernel becomes a type
//!     ↓       of vectors
//!   stages → classify → sums, special                    two plies of a batch, one stage after the other
//!     ↓
//!   batch     the positions, and the children of a node
//!     ↓
//!   vector    { avx512, avx2, pair }                     eight, four or two boards; steps, attacks, numbers on squares
//! ```
//!
//! `tabiya perft 6` from the initial position, call by call, through 14 files. (With `--hash`, `perft::frontier` does
//! otherwise.)
//!
//! ```text
//!   plies  file                     call
//!          main.rs                  cli::run
//!          cli/mod.rs               command → COMMANDS: perft::run
//!          cli/perft.rs             run → run_for_game → count
//!          perft/count.rs           Counter::run → count_into → count_plainly
//!   1, 2                            count_plainly: the positions after two plies are 400 units
//!          perft/run.rs             spread: threads draw the units;  Ledger: adds up their counts
//!          perft/count.rs           count_below: Counting::perft of each unit, depth 4
//!          chess/perft/mod.rs       perft
//!   3      chess/perft/walk.rs      walk: generates, makes and flips, one move at a time
//!   4                               Collector::add → Add::run, with the vectors of the kernel
//!          chess/perft/batch.rs     Batch::push_children makes the moves of a node in lanes
//!   5, 6   chess/perft/walk.rs      count_batch → CountBatch::run when every lane is filled, and for the lanes that
//!                                   are left when the walk of the unit is over (`Positions::Rest`)
//!                                   Formula::run: ordinary moves, by formula:
//!          chess/perft/stages.rs      Pieces → KingLines → KingZone → NullReplies
//!          chess/perft/classify.rs    OurMoves
//!          chess/perft/sums.rs        null_and_landing, leaving, denied_king_moves, unpinned_moves
//!          chess/perft/special.rs   list_scalar: the moves that cannot be made in lanes; they fill a batch of
//!                                   their own (CountLeafParents)
//!                                   count: special moves made in lanes, their replies by count_lane_moves
//!          chess/perft/vector.rs    dot, sum_over: the innermost loops
//!          chess/perft/avx512.rs    the instructions, such as count_parts
//! ```
//!
//! Apart from these calls, `cli/perft_options.rs` reads the options, `by_game!` of `protocol/games.rs` picks the game,
//! `game/count/counting.rs` declares `Counting`, and `Cpu::enter` of `base/cpu.rs` calls a function that is compiled
//! for the CPU.
//!
//! There are five kernels. `avx512`, `avx512bw`, `avx2` and `portable` are one formula with four kinds of vectors.
//! `scalar` counts one position and one ply at a time and serves as the oracle for the others. `columns` counts the
//! statistics of the last ply, one position at a time. With few pieces left `portable` counts like `scalar`.
//! `Position::perft` allocates no memory, and the walk computes no keys.
//!
//! Endings without minor pieces have a copy of the formula of their own, from which the compiler leaves out what
//! depends on those pieces (`Collector::count_batch`).
//!
//! # What limits the speed
//!
//! On Zen 4 the limits are the number of vector operations, about 3,500 for two plies in eight quiet positions and
//! 490 for eight special moves, and the number of stores: storing a vector takes two cycles. What was tried and was
//! slower is in `tests/tools/notebook`.

#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
mod avx512;
mod batch;
mod classify;
mod columns;
mod pair;
mod special;
mod stages;
mod sums;
#[cfg(test)]
mod tests;
mod vector;
mod walk;

use super::board::Board;
use super::board::packed::Half;
use super::types::{Bitboard, Move, MoveKind};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use crate::base::cpu::{Avx2, Avx512Bw};
use crate::chess::Position;
use crate::game::{CheckKind, Columns, Counting, Kernel, MoveFacts, SharedHalf, Side, columns_one_by_one};
use walk::{Collector, Counts, Positions, count_one_by_one, moves, walk};

impl Counting for Board {
    type Half = Half;

    fn kernels() -> &'static [Kernel] {
        const KERNELS: &[Kernel] = &[Kernel::Avx512, Kernel::Avx512Bw, Kernel::Avx2, Kernel::Portable, Kernel::Scalar];
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        if Avx512Bw::detect().is_some() {
            return KERNELS;
        }
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        if Avx2::detect().is_some() {
            return &KERNELS[2..];
        }
        &KERNELS[3..]
    }

    fn perft(position: &Position, depth: u32, kernel: Kernel) -> u64 {
        if depth == 0 {
            return 1;
        }
        if depth == 1 || kernel == Kernel::Scalar {
            return count_one_by_one(position, depth);
        }
        let root = &position.with_white_to_move();
        // The board is flipped once more for every ply.
        let two_above_the_leaves = if depth.is_multiple_of(2) { *root } else { root.flipped() };
        let mut collector = Collector::new(&two_above_the_leaves, kernel);
        let mut nodes = 0;
        let mut counts = Counts::Sum(&mut nodes);
        if depth == 2 {
            collector.push(root);
        } else {
            walk(root, depth - 3, &mut |board| collector.add(Positions::Children(board, &moves(board)), &mut counts));
        }
        collector.add(Positions::Rest, &mut counts);
        nodes
    }

    fn perft2<'a>(
        root: &Position,
        side: Side,
        kernel: Kernel,
        groups: impl Iterator<Item = SharedHalf<'a, Half>>,
        counts: &mut [u32],
    ) {
        if kernel == Kernel::Scalar {
            for group in groups {
                for (place, board) in group.boards() {
                    counts[place] = count_one_by_one(&board, 2) as u32;
                }
            }
            return;
        }
        // The boards are flipped if Black is to move.
        let mut collector = match side {
            Side::First => Collector::new(root, kernel),
            Side::Second => Collector::new(&root.flipped(), kernel),
        };
        let mut counts = Counts::Each(counts);
        for group in groups {
            collector.add(Positions::SharedHalf(&group), &mut counts);
        }
        collector.add(Positions::Rest, &mut counts);
    }

    fn columns(position: &Position, depth: u32, kernel: Kernel) -> Columns {
        if depth == 0 || kernel == Kernel::Scalar {
            columns_one_by_one(position, depth)
        } else {
            columns::columns(position, depth)
        }
    }

    fn facts(position: &Position, m: Move) -> MoveFacts {
        let child = position.play_unchecked(m);
        let checkers = child.checkers();
        // Castling can give check only with the rook.
        let moved = if m.is(MoveKind::Castle) { checkers } else { Bitboard::of(m.to()) };
        MoveFacts {
            capture: position.is_capture(m),
            en_passant: m.is(MoveKind::EnPassant),
            castle: m.is(MoveKind::Castle),
            promotion: m.promotion().is_some(),
            check: CheckKind::of(checkers.meets(moved), (checkers & !moved).count()),
            wins: !checkers.is_empty() && child.count_legal() == 0,
        }
    }
}
