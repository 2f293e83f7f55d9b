//! Large zeroed arrays, on large pages where available, and such pages for other memory.
//!
//! Allocating gigabytes is instant, because the system zeroes pages on first touch. On large pages a probe costs one
//! cache miss instead of a miss and a page walk. This is the only module that allocates memory directly.

#![allow(unsafe_code, reason = "memory from the allocator, and advice about it")]

use super::text::readable_error;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// There is no memory for a hash table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HashError {
    /// The requested size in megabytes of 2²⁰ bytes.
    pub megabytes: usize,
}

impl fmt::Display for HashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a hash table of {} MB", self.megabytes)
    }
}

readable_error!(HashError);

/// Whether the system has room for `bytes` more: asked before allocations that would end the program if it had not.
pub fn has_room(bytes: usize) -> bool {
    let mut block = Vec::<u8>::new();
    let reserved = block.try_reserve_exact(bytes).is_ok();
    // Otherwise the compiler may leave out a block that is never used.
    std::hint::black_box(block.as_ptr());
    reserved
}

impl From<HashError> for String {
    fn from(error: HashError) -> String {
        error.to_string()
    }
}

/// Available memory in megabytes: what the system has, and at most what this process may still use of its address
/// space (`ulimit -v`). `None` where the system does not report it in a file (all but Linux).
pub fn available_megabytes() -> Option<usize> {
    let number = |file: &str, start: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let rest = text.lines().find_map(|line| line.strip_prefix(start))?.to_string();
        rest.split_whitespace().next()?.parse::<usize>().ok()
    };
    let kilobytes = number("/proc/meminfo", "MemAvailable:")?;
    // In bytes; the word `max` if there is no limit.
    let limit = number("/proc/self/limits", "Max address space").unwrap_or(isize::MAX as usize);
    let used = number("/proc/self/status", "VmSize:").unwrap_or(0) << 10;
    Some((kilobytes >> 10).min(limit.saturating_sub(used) >> 20))
}

/// Prefetches a value into the nearest cache; does nothing if `index` is out of range.
#[inline(always)]
pub fn prefetch<T>(values: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(value) = values.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        debug_assert!(index < values.len());
        // SAFETY: a prefetch is only a hint, and the address is that of a value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, index);
}

/// The size of a large page on x86-64 and, mostly, on 64-bit ARM.
const LARGE_PAGE: usize = 2 << 20;

/// Requests large pages for memory that is not yet used, as far as whole ones fit. Systems without them ignore it.
pub fn advise_large_pages<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        use std::ffi::{c_int, c_void};
        // The system call that the standard library lacks. The program links the C library anyway.
        unsafe extern "C" {
            fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
        }
        const MADV_HUGEPAGE: c_int = 14;
        let (start, bytes) = (memory.as_mut_ptr().cast::<u8>(), size_of_val(memory));
        let skipped = start.align_offset(LARGE_PAGE);
        if let Some(rest) = bytes.checked_sub(skipped).filter(|&rest| rest >= LARGE_PAGE) {
            debug_assert!(skipped < bytes);
            // SAFETY: fewer bytes are skipped than the slice has. Advice does not change the contents of memory, and an
            // error means that it is ignored.
            unsafe { madvise(start.add(skipped).cast(), rest / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// Four pairs of words on a cache line, so that a single miss fetches them all.
#[repr(C, align(64))]
pub struct CacheLine(pub [[AtomicU64; 2]; 4]);

/// A fixed array of cache lines, zero at first.
pub struct ZeroedLines {
    /// The `len` lines start here.
    first: NonNull<CacheLine>,
    len: usize,
    /// The memory that they are in.
    block: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it owns its memory as a `Box<[CacheLine]>` does, and atomics may be shared.
unsafe impl Send for ZeroedLines {}
// SAFETY: as above.
unsafe impl Sync for ZeroedLines {}

impl ZeroedLines {
    /// `len` lines, or `None` if the system cannot provide the memory. No page of a large array is touched, so this
    /// takes the same short time for every size.
    pub fn new(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<CacheLine>())?;
        // The allocator serves large blocks from fresh pages and knows that they are zero already. It does so only
        // without an alignment request, so the lines are aligned here.
        let align = if bytes < LARGE_PAGE { align_of::<CacheLine>() } else { LARGE_PAGE };
        let layout = Layout::from_size_align(bytes.checked_add(align)?, 1).ok()?;
        debug_assert!(layout.size() != 0);
        // SAFETY: the size of the layout is not 0.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let skipped = block.as_ptr().align_offset(align);
        // Checked in release builds too: `align_offset` may give up and return `usize::MAX`, which would point
        // outside the block. One comparison per allocation costs nothing.
        assert!(skipped < align, "block cannot be aligned");
        // SAFETY: `skipped` is below the alignment, which was added to the size of the block.
        let first = unsafe { block.add(skipped) };
        // SAFETY: the block has room for `len` lines from there on, and nothing else refers to it.
        advise_large_pages(unsafe {
            std::slice::from_raw_parts_mut(first.cast::<MaybeUninit<CacheLine>>().as_ptr(), len)
        });
        Some(ZeroedLines { first: first.cast(), len, block, layout })
    }
}

impl Deref for ZeroedLines {
    type Target = [CacheLine];

    #[inline(always)]
    fn deref(&self) -> &[CacheLine] {
        debug_assert!(self.first.is_aligned());
        // SAFETY: `len` lines, initially all zero bytes, which are valid atomics; the memory is ours until `drop`.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl Drop for ZeroedLines {
    fn drop(&mut self) {
        debug_assert!(self.layout.align() == 1);
        // SAFETY: the block came from the allocator with this layout and is freed once.
        unsafe { dealloc(self.block.as_ptr(), self.layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::{CacheLine, LARGE_PAGE, ZeroedLines, advise_large_pages, prefetch};
    use std::sync::atomic::Ordering::Relaxed;

    const _: () = assert!(size_of::<CacheLine>() == 64 && align_of::<CacheLine>() == 64);

    #[test]
    fn advice_changes_nothing() {
        for len in [0, 1, LARGE_PAGE / 8, LARGE_PAGE, 3 * LARGE_PAGE + 1] {
            let mut values = Vec::with_capacity(len);
            values.push(7_u64);
            advise_large_pages(values.spare_capacity_mut());
            values.extend(1..len as u64);
            assert_eq!(values[0], 7);
            assert!((1..len).all(|i| values[i] == i as u64));
        }
    }

    #[test]
    fn arrays_of_any_size_are_zero_aligned_and_writable() {
        for len in [0, 1, 63, 1000, LARGE_PAGE / 64 - 1, LARGE_PAGE / 64, 100_000] {
            let array = ZeroedLines::new(len).unwrap();
            assert_eq!(array.len(), len);
            assert_eq!(array.as_ptr().addr() % 64, 0);
            assert!(array.iter().all(|line| line.0.as_flattened().iter().all(|word| word.load(Relaxed) == 0)));
            for (i, line) in array.iter().enumerate() {
                line.0[0][0].store(i as u64, Relaxed);
                line.0[3][1].store(!i as u64, Relaxed);
            }
            for (i, line) in array.iter().enumerate() {
                prefetch(&array, i);
                assert_eq!(line.0[0][0].load(Relaxed), i as u64);
                assert_eq!(line.0[3][1].load(Relaxed), !i as u64);
            }
            prefetch(&array, len);
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(ZeroedLines::new(usize::MAX / 64).is_none());
        assert!(ZeroedLines::new(usize::MAX).is_none());
        assert!(ZeroedLines::new(1 << 50).is_none());
    }
}
