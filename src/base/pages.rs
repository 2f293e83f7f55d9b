//! Large zeroed arrays from the operating system, on large pages where available, and such pages for other memory.
//!
//! Allocating gigabytes is instant, because the system zeroes pages on first touch. On large pages a probe costs one
//! cache miss instead of a miss and a page walk. This is the only module that allocates memory directly; it is
//! independent of what the tables hold.

#![allow(unsafe_code, reason = "memory from the allocator, and advice about it")]

use super::text::readable_error;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

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

/// Requests large pages for memory that is not yet used, as far as whole ones fit.
pub fn advise_large_pages<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        let (start, bytes) = (memory.as_mut_ptr().cast::<u8>(), size_of_val(memory));
        let skipped = start.align_offset(LARGE_PAGE);
        if let Some(rest) = bytes.checked_sub(skipped).filter(|&rest| rest >= LARGE_PAGE) {
            debug_assert!(skipped < bytes);
            // SAFETY: fewer bytes are skipped than the slice has.
            let first = unsafe { memory.as_mut_ptr().cast::<u8>().add(skipped) };
            if let Some(first) = NonNull::new(first) {
                linux::advise_large_pages(first, rest / LARGE_PAGE * LARGE_PAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// A type for which all-zero bytes are a valid value, that needs no drop and that threads may share.
///
/// # Safety
/// All three properties must hold.
pub unsafe trait Zeroed: Sync + Send {}

// SAFETY: zero is a valid value, there is no destructor, and atomics may be shared.
unsafe impl Zeroed for AtomicU8 {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU16 {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU64 {}
// SAFETY: an array has the properties of its elements.
unsafe impl<T: Zeroed, const N: usize> Zeroed for [T; N] {}
// SAFETY: a structure has the properties of its fields.
unsafe impl<T: Zeroed> Zeroed for CacheLine<T> {}

/// A value that begins on a cache line, so that a single miss fetches up to 64 bytes of it.
#[repr(C, align(64))]
pub struct CacheLine<T>(pub T);

/// A fixed array of zeroed memory.
pub struct ZeroedArray<T: Zeroed> {
    /// Aligned for `T`; the `len` values start here.
    first: NonNull<T>,
    len: usize,
    source: Source,
}

/// The source of the memory, with what is needed to free it.
enum Source {
    /// A system mapping: its address and length.
    #[cfg(target_os = "linux")]
    Mapping(NonNull<u8>, usize),
    /// The allocator: address and layout of the block.
    Allocator(NonNull<u8>, Layout),
}

/// The size of a large page on x86-64 and, mostly, on 64-bit ARM.
#[cfg(any(target_os = "linux", test))]
const LARGE_PAGE: usize = 2 << 20;

// SAFETY: the array owns its memory as a `Box<[T]>` does, and `T` is `Send` and `Sync`.
unsafe impl<T: Zeroed> Send for ZeroedArray<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroed> Sync for ZeroedArray<T> {}

impl<T: Zeroed> ZeroedArray<T> {
    /// `len` zeroed values, or `None` if the system cannot provide the memory. No page is touched, so this takes the
    /// same short time for every size.
    pub fn new(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<T>()).filter(|&n| n <= isize::MAX as usize / 2)?;
        if bytes == 0 {
            // No memory is allocated; a layout of size 0 tells `drop` so.
            let source = Source::Allocator(NonNull::dangling(), Layout::new::<()>());
            return Some(ZeroedArray { first: NonNull::dangling(), len, source });
        }
        let (start, source) = Self::map(bytes).or_else(|| Self::allocate(bytes))?;
        debug_assert!(start.as_ptr().addr().is_multiple_of(align_of::<T>()));
        Some(ZeroedArray { first: start.cast(), len, source })
    }

    /// Memory from the allocator, which serves blocks of this size from fresh pages and knows that they are already
    /// zero. It does so only without an alignment request, so the block is aligned here.
    fn allocate(bytes: usize) -> Option<(NonNull<u8>, Source)> {
        let room = bytes.checked_add(align_of::<T>())?;
        let layout = Layout::from_size_align(room, 1).ok()?;
        debug_assert!(layout.size() != 0);
        // SAFETY: the size of the layout is not 0.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let skipped = block.as_ptr().align_offset(align_of::<T>());
        // Checked in release builds too: `align_offset` may give up and return `usize::MAX`, which would point
        // outside the block. One comparison per allocation costs nothing.
        assert!(skipped < align_of::<T>(), "block cannot be aligned");
        // SAFETY: `skipped` is below the alignment, which was added to the size of the block.
        let start = unsafe { block.add(skipped) };
        Some((start, Source::Allocator(block, layout)))
    }

    #[cfg(target_os = "linux")]
    fn map(bytes: usize) -> Option<(NonNull<u8>, Source)> {
        if bytes < LARGE_PAGE || !cfg!(target_pointer_width = "64") {
            return None;
        }
        // Room to start on a large page, rounded to whole large pages.
        let length = bytes.checked_add(2 * LARGE_PAGE)? / LARGE_PAGE * LARGE_PAGE;
        let mapping = linux::map(length)?;
        let skipped = mapping.as_ptr().align_offset(LARGE_PAGE);
        // Checked in release builds too, for the reason given in `allocate`.
        assert!(skipped < LARGE_PAGE, "mapping cannot be aligned");
        // SAFETY: less than one large page is skipped, and the mapping is at least that much longer than `bytes`.
        let start = unsafe { mapping.add(skipped) };
        linux::advise_large_pages(start, bytes);
        Some((start, Source::Mapping(mapping, length)))
    }

    #[cfg(not(target_os = "linux"))]
    fn map(_bytes: usize) -> Option<(NonNull<u8>, Source)> {
        None
    }
}

impl<T: Zeroed> Deref for ZeroedArray<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        debug_assert!(self.first.as_ptr().addr().is_multiple_of(align_of::<T>()));
        // SAFETY: `len` values, initially all zero bytes, which is a valid `T`; the memory is ours until `drop`.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T: Zeroed> Drop for ZeroedArray<T> {
    fn drop(&mut self) {
        match self.source {
            #[cfg(target_os = "linux")]
            Source::Mapping(mapping, length) => linux::unmap(mapping, length),
            Source::Allocator(block, layout) => {
                if layout.size() != 0 {
                    debug_assert!(layout.align() == 1);
                    // SAFETY: the block came from the allocator with this layout and is freed once.
                    unsafe { dealloc(block.as_ptr(), layout) };
                }
            }
        }
    }
}

/// The three system calls that the standard library lacks. The program links the C library anyway.
#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_void};
    use std::ptr::NonNull;

    const PROT_READ_WRITE: c_int = 0x1 | 0x2;
    const MAP_PRIVATE_ANONYMOUS: c_int = 0x02 | 0x20;
    const MADV_HUGEPAGE: c_int = 14;

    unsafe extern "C" {
        fn mmap(
            address: *mut c_void,
            length: usize,
            protection: c_int,
            flags: c_int,
            file: c_int,
            offset: i64,
        ) -> *mut c_void;
        fn munmap(address: *mut c_void, length: usize) -> c_int;
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }

    /// A new private mapping: zeroed, readable and writable.
    pub fn map(length: usize) -> Option<NonNull<u8>> {
        debug_assert!(length != 0);
        // SAFETY: a new private mapping at an address chosen by the system affects no existing memory.
        let address = unsafe { mmap(std::ptr::null_mut(), length, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0) };
        // `mmap` returns -1 (`MAP_FAILED`) on failure.
        if address.addr() == usize::MAX { None } else { NonNull::new(address.cast()) }
    }

    /// Unmaps a mapping.
    pub fn unmap(mapping: NonNull<u8>, length: usize) {
        // SAFETY: address and length of a mapping that is no longer used.
        let failed = unsafe { munmap(mapping.as_ptr().cast(), length) };
        debug_assert!(failed == 0);
    }

    /// Requests large pages. Ignored by systems without them.
    pub fn advise_large_pages(start: NonNull<u8>, length: usize) {
        debug_assert!(start.as_ptr().addr().is_multiple_of(super::LARGE_PAGE));
        // SAFETY: advice about our own mapping, which does not change its contents. Errors mean that the advice is
        // ignored.
        unsafe { madvise(start.as_ptr().cast(), length, MADV_HUGEPAGE) };
    }
}

#[cfg(test)]
mod tests {
    use super::{CacheLine, LARGE_PAGE, ZeroedArray, advise_large_pages, prefetch};
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    type Line = CacheLine<[AtomicU64; 8]>;
    const _: () = assert!(size_of::<Line>() == 64 && align_of::<Line>() == 64);

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
            let array = ZeroedArray::<Line>::new(len).unwrap();
            assert_eq!(array.len(), len);
            assert_eq!(array.as_ptr().addr() % 64, 0);
            assert!(array.iter().all(|line| line.0.iter().all(|word| word.load(Relaxed) == 0)));
            for (i, line) in array.iter().enumerate() {
                line.0[0].store(i as u64, Relaxed);
                line.0[7].store(!i as u64, Relaxed);
            }
            for (i, line) in array.iter().enumerate() {
                prefetch(&array, i);
                assert_eq!(line.0[0].load(Relaxed), i as u64);
                assert_eq!(line.0[7].load(Relaxed), !i as u64);
            }
            prefetch(&array, len);
        }
    }

    #[test]
    fn allocator_blocks_are_zero_and_aligned() {
        for bytes in [1, 64, 4096, 1 << 20] {
            let (start, source) = ZeroedArray::<Line>::allocate(bytes).unwrap();
            assert_eq!(start.as_ptr().addr() % 64, 0);
            let array = ZeroedArray::<Line> { first: start.cast(), len: bytes / 64, source };
            assert!(array.iter().all(|line| line.0.iter().all(|word| word.load(Relaxed) == 0)));
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(ZeroedArray::<Line>::new(usize::MAX / 64).is_none());
        assert!(ZeroedArray::<Line>::new(usize::MAX).is_none());
        assert!(ZeroedArray::<Line>::new(1 << 50).is_none());
    }

    #[test]
    fn threads_share_an_array() {
        let array = ZeroedArray::<AtomicU64>::new(1 << 19).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let array = &array;
                scope.spawn(move || {
                    for word in array.iter().skip(thread).step_by(4) {
                        word.store(thread as u64, Relaxed);
                    }
                });
            }
        });
        assert!(array.iter().enumerate().all(|(i, word)| word.load(Relaxed) == i as u64 % 4));
    }
}
