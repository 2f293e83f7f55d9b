//! Leaf counting: the perft walk, specialised by colour, CPU and kernel.
//!
//! `walk` goes down the tree; the kernels differ in how they count the last plies:
//!
//! * `scalar` one position at a time, the oracle for the others;
//! * `portable` two plies at once by `replies` with `changes` and `court`;
//! * `avx512` and `avx2` two plies at once in eight positions at once by `pairs` and what it names, over the
//!   operations of a `vector`. Moves that have to be made are made and counted eight at a time by `eight`.
//!
//! Called by `chess::contract` as the chess form of `Rules::perft`. No allocation, no keys.
//!
//! Tried and lost: counting every child in a lane (the start of it all, about a quarter of the speed);
//! making children one at a time and copying them into lanes; a look-up per special move for its origin
//! instead of eight in one gather; separate attacks of good sliders instead of taking away those of bad ones;
//! a third sort of moves that change the replies of their king alone, which were counted anew without the
//! others; a branch for every set of special moves; keeping the last, incomplete group of special moves for
//! the next positions (what it saves goes into loads that wait for stores); skipping fewer or more of the
//! directions in which nothing happens.
//!
//! On Zen 4 this is bound by the number of vector operations, about 3,500 for two plies in eight quiet
//! positions and 490 for eight special moves, and by stores: a vector is stored in two cycles.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

mod lanes;
mod portable;
mod simd;
mod two_ply;
mod walk;

use super::board::position::Position;
use super::board::tables;
use crate::game::Kernel;

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
    if depth == 0 {
        return 1;
    }
    #[cfg(target_arch = "x86_64")]
    match kernel {
        Kernel::Avx512 => {
            if let Some(cpu) = tables::Avx512::detect() {
                return vectors::<simd::avx512::Zmm>(pos, depth, cpu);
            }
        }
        Kernel::Avx2 => {
            if let Some(cpu) = tables::Avx2::detect() {
                return vectors::<simd::avx2::Ymms>(pos, depth, cpu);
            }
        }
        _ => {}
    }
    match kernel {
        Kernel::Scalar => tables::dispatch(walk::Start::new(pos, depth, walk::ScalarLeaves)),
        _ => tables::dispatch(walk::Start::new(pos, depth, portable::PortableLeaves)),
    }
}

/// The walk with vectors. It fills lanes with grandchildren's parents, so at depth 2 it would have one.
#[cfg(target_arch = "x86_64")]
fn vectors<V: simd::Vector>(pos: &Position, depth: u32, cpu: V::Cpu) -> u64 {
    use tables::Cpu;
    if depth <= 2 {
        cpu.run(walk::Start::new(pos, depth, portable::PortableLeaves))
    } else {
        cpu.run(walk::Start::new(pos, depth, two_ply::leaves::VectorLeaves::<V>(cpu)))
    }
}
