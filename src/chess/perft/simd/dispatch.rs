//! Runs a task with the vectors of a given kernel.
//!
//! It must never run a task on a CPU that lacks the instructions.

use super::Vector;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
#[cfg(target_arch = "x86_64")]
use crate::base::cpu::{Avx2, Avx512, Avx512Bw};
use crate::base::cpu::{Cpu, Task};
use crate::game::Kernel;

/// Work in lanes that is generic over the vector type.
pub trait VectorTask {
    /// The result.
    type Output;
    /// Does the work with the vectors `V`, in a function compiled for their CPU. Implementations mark it
    /// `#[inline(always)]`.
    fn run<V: Vector>(self, cpu: V::Cpu) -> Self::Output;
}

/// A task with its vectors.
struct InLanes<V: Vector, T> {
    cpu: V::Cpu,
    task: T,
}

impl<V: Vector, T: VectorTask> Task for InLanes<V, T> {
    type Output = T::Output;
    #[inline(always)]
    fn run<C: Cpu>(self, _cpu: C) -> T::Output {
        self.task.run::<V>(self.cpu)
    }
}

/// Runs `task` with the vectors of `kernel`.
///
/// # Errors
/// Returns the task if the kernel has no vectors or this CPU cannot run it.
#[inline(always)]
pub fn with_vectors<T: VectorTask>(kernel: Kernel, task: T) -> Result<T::Output, T> {
    #[cfg(target_arch = "x86_64")]
    match kernel {
        Kernel::Avx512 | Kernel::Avx512Bw => {
            if kernel == Kernel::Avx512
                && let Some(cpu) = Avx512::detect()
            {
                return Ok(cpu.run(InLanes::<avx512::Zmm<Avx512>, T> { cpu, task }));
            }
            if let Some(cpu) = Avx512Bw::detect() {
                return Ok(cpu.run(InLanes::<avx512::Zmm<Avx512Bw>, T> { cpu, task }));
            }
        }
        Kernel::Avx2 => {
            if let Some(cpu) = Avx2::detect() {
                return Ok(cpu.run(InLanes::<avx2::Ymm, T> { cpu, task }));
            }
        }
        Kernel::Portable | Kernel::Scalar => {}
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = kernel;
    Err(task)
}
