//! Counting the leaves: perft without making most of the moves.
//!
//! # The idea
//!
//! Two plies above the leaves ("we" are to move, "they" reply) nearly every move of ours leaves nearly every
//! reply as it was. So their replies are counted once, to a null move; by how much one of our moves changes
//! that number depends on the square it leaves and on the square it lands on, hardly ever on both together.
//! What leaving and landing change is a small number on every square, found for all squares at once from sets,
//! and so is the number of our moves from and to a square: the sum over all moves is a product of such boards,
//! taken with population counts. Moves for which this is not the whole truth are *special*: they are made, and
//! their replies are counted. With vectors all of it is done for a batch of positions at once, one in each lane of
//! 64 bits (eight with AVX-512, four with AVX2), and the special moves of the batch are made and counted in lanes as
//! well.
//!
//! ```text
//!   plies left    position                           what is done
//!      3          a node                             its moves are listed, and made in lanes
//!      2          the batch                          replies to ordinary moves: by formula
//!      1          after a special move               replies: counted as sets, in lanes
//!      0          the leaves                         never made
//! ```
//!
//! The side to move is always White: after every move the board is turned upside down and the colours are exchanged
//! (`walk`), so that everything here is compiled for one colour, and "we" move up the board.
//!
//! # An example
//!
//! After 1.e4 e5 2.Nf3 Nc6 3.Bb5 d6 we have 32 moves, of which Bxc6+ is special, and Black 27 replies to a null move.
//!
//! ```text
//!   31 ordinary moves · 27 replies                                                                837
//!   landing        Ng5 −2, g4 −1, d4 +1, Nd4 +1, Ba6 +1 −2, Nxe5 +1                                −1
//!   leaving        the six moves of the bishop allow b7–b5                                         +6
//!   king squares   Nxe5 denies Kd7                                                                 −1
//!   unpinning      five moves of the bishop off the line give the knight on c6 five moves each    +25
//!   special        Bxc6+ is made: four replies                                                     +4
//!                                                                                                 870
//! ```
//!
//! A test in `two_ply` holds every term.
//!
//! # The formula
//!
//! For the ordinary moves of one position, with N their number and R the replies to a null move:
//!
//! ```text
//!   N · R  +  Σ moves to a square   · (replies gained − lost by landing there)     two_ply/sums/landing
//!          +  Σ moves from a square · (replies gained − lost by leaving it)        two_ply/sums/leaving
//!          −  Σ moves to a square   · (squares that their king needs, seen there)  two_ply/sums/king_squares
//!          +  Σ moves of a pinner   · (what the piece gains that it pinned)        two_ply/sums/unpinning
//!          +  en passant captures after our double steps, special ones too         two_ply/classify
//! ```
//!
//! *Landing* loses what their sliders reach behind the square and pawn pushes across it; a capture loses the
//! moves of what was taken, and gains recaptures; a square that their pawn attacks gains its capture.
//! *Leaving* gains what sliders see behind the piece, pushes of the pawn that it blocked, and steps of the king
//! that it prevented; it loses captures of the piece by pawns. Their other captures of it become plain moves.
//!
//! # Which moves are special
//!
//! Decided in `two_ply/classify` for whole sets and on the safe side, mostly as origins or targets:
//!
//! * all moves in check; en passant captures and promotions of ours;
//! * moves that give check or pin, by themselves or by leaving a line (`two_ply/king_lines`);
//! * moves of our pinned pieces; of a pinner, unless it pins a knight, or a pawn on a rank or a diagonal; and what
//!   lands on the line of a pin, for the replies of a pinned piece follow other rules;
//! * targets next to their king where it might take, and moves that open, close or cut off a line to a square
//!   it needs, where the sums cannot tell what that changes (`two_ply/king_zone`);
//! * whatever touches the path or the rook of their castling; our castling, if any of these rules holds on its four
//!   squares;
//! * moves from or to a square where one of their pawns could promote, and captures of such a pawn: promotions count
//!   four times;
//! * moves for which leaving and landing are not independent: a pawn's along the line on which a slider attacks it, or
//!   our king's where it guarded a square or blocked a pawn. (Our sliders' moves along such a line are ordinary:
//!   `two_ply/sums/leaving` corrects them.)
//!
//! `one_by_one` sorts moves by a list of its own, told in its head.
//!
//! A double step that allows en passant is ordinary; only where the capture might be illegal (the capturer is
//! pinned, or a line to their king opens) is the capture itself examined.
//!
//! # Directions and bit orders
//!
//! Bit 0 is a1, bit 7 is h1, bit 63 is h8 (little-endian rank-file mapping). Directions come in pairs, so that
//! `d ^ 1` is the way back and `d / 2` the axis; axes are files, ranks, *rising* (a1–h8) and *falling* (a8–h1)
//! diagonals. The numbers are direction and what a step adds to the square:
//!
//! ```text
//!       6  +7     0  +8     4  +9           axis 0: 0 and 1      axis 1: 2 and 3
//!       3  −1               2  +1           axis 2: 4 and 5      axis 3: 6 and 7
//!       5  −9     1  −8     7  −7
//! ```
//!
//! Towards the a-file is *west*, towards the h-file *east*, for both colours. Lane 0 is bit 0 of a lane mask.
//! Sets of moves are numbered in `lanes/moves`: 0–7 sliders by direction, 8–15 knights by leap, 16 king,
//! 17–20 pawns (single, double, west, east), 21 and 22 castling.
//!
//! # The pipeline
//!
//! ```text
//!   simd     { mod → avx512, avx2, fills, bit_sliced }   vectors of several u64 and what is built on them
//!     ↓
//!   lanes    { side_sets, castling, pawns, batch, children, legal_sets, moves }   a position in each lane
//!     ↓
//!   two_ply  { board → king_lines → king_zone, null_replies → classify → sums, made_moves }
//!     ↓
//!   collect  fills batches and adds up what they count, for the walk and for hashed perft (bulk)
//!     ↓
//!   mod      kernels and their choice, beside   walk        the tree, down to the last plies
//!                                       and     one_by_one  the same idea, one position at a time
//! ```
//!
//! Kernels: `scalar` is one position at a time, the oracle for the others; `portable` (`one_by_one`) needs no
//! vectors; `avx512` and `avx2` share all of `lanes` and `two_ply`. `columns` counts the columns of the last ply over
//! the same `simd` and `lanes`. Called by `chess::contract` as the chess form of `Rules::perft`. No allocation, no keys.
//!
//! # What was tried and lost
//!
//! Counting every child in a lane (the start of it all, about a quarter of the speed);
//! making children one at a time and copying them into lanes; a look-up per special move for its origin
//! instead of eight in one gather; separate attacks of ordinary sliders instead of taking away those of special
//! ones; a third sort of moves that change the replies of their king alone, which were counted anew without the
//! others; a branch for every set of special moves; keeping the last, incomplete group of special moves for
//! the next positions (what it saves goes into loads that wait for stores); skipping fewer or more of the
//! directions in which nothing happens; `array::map` over vectors (a tenth of the speed: the closure is not
//! compiled for the features of the CPU).
//!
//! On Zen 4 this is bound by the number of vector operations, about 3,500 for two plies in eight quiet
//! positions and 490 for eight special moves, and by stores: a vector is stored in two cycles.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

pub(in crate::chess) mod bulk;
mod collect;
pub mod columns;
mod lanes;
mod one_by_one;
mod simd;
#[cfg(test)]
mod tests;
mod two_ply;
mod walk;

use super::board::position::Position;
use super::board::tables::{self, Task};
use crate::game::Kernel;
use collect::VectorLeaves;
use one_by_one::PortableLeaves;
use simd::dispatch::{VectorTask, with_vectors};
use walk::{ScalarLeaves, Start};

/// The kernels that this CPU can run, the fastest first.
pub fn kernels() -> Vec<Kernel> {
    let mut kernels = Vec::new();
    #[cfg(target_arch = "x86_64")]
    kernels.extend(tables::Avx512::detect().map(|_| Kernel::Avx512));
    #[cfg(target_arch = "x86_64")]
    kernels.extend(tables::Avx2::detect().map(|_| Kernel::Avx2));
    kernels.extend([Kernel::Portable, Kernel::Scalar]);
    kernels
}

/// The first of [`kernels`], without a list.
pub fn fastest() -> Kernel {
    #[cfg(target_arch = "x86_64")]
    {
        if tables::Avx512::detect().is_some() {
            return Kernel::Avx512;
        }
        if tables::Avx2::detect().is_some() {
            return Kernel::Avx2;
        }
    }
    Kernel::Portable
}

/// The number of legal move sequences of exactly `depth` plies, counted by `kernel`, or by the portable one
/// if this CPU cannot run that.
pub fn perft(pos: &Position, depth: u32, kernel: Kernel) -> u64 {
    match depth {
        0 => return 1,
        1 => return tables::dispatch_counts(Start { pos, depth, leaves: ScalarLeaves }),
        _ => {}
    }
    if let Ok(nodes) = with_vectors(kernel, InVectors { pos, depth }) {
        return nodes;
    }
    match kernel {
        Kernel::Scalar => tables::dispatch_counts(Start { pos, depth, leaves: ScalarLeaves }),
        _ => tables::dispatch_counts(Start { pos, depth, leaves: PortableLeaves }),
    }
}

/// The walk with vectors.
struct InVectors<'a> {
    pos: &'a Position,
    depth: u32,
}

impl VectorTask for InVectors<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<V: simd::Vector>(self, cpu: V::Cpu) -> u64 {
        let InVectors { pos, depth } = self;
        Start { pos, depth, leaves: VectorLeaves::<V>(cpu) }.run(cpu)
    }
}
