//! Has `unsafe` code: asks the system for large pages. An index is megabytes that are filled at once;
//! with pages of 4 KiB, a third of the time would go into faulting them in one by one.

/// So many zeros, on large pages where they are many and the system has them. None of them is touched.
pub(super) fn allocate_zeros(bytes: usize) -> Vec<u8> {
    let mut zeros = vec![0; bytes];
    advise_large_pages(&mut zeros);
    zeros
}

/// Less than this is not worth the call.
#[cfg(target_os = "linux")]
const LARGE_BYTES_MIN: usize = 4 << 20;

#[cfg(target_os = "linux")]
fn advise_large_pages(buffer: &mut [u8]) {
    use rustix::mm::{Advice, madvise};

    if buffer.len() < LARGE_BYTES_MIN {
        return;
    }
    let page = rustix::param::page_size();
    let before = buffer.as_ptr().align_offset(page).min(buffer.len());
    let bytes = (buffer.len() - before) / page * page;
    let start = buffer[before..].as_mut_ptr().cast();
    #[expect(
        unsafe_code,
        reason = "the advice covers whole pages inside the buffer's own allocation, and changes no content"
    )]
    // SAFETY: as the reason says. It is advice: where it is not taken, nothing is different.
    let advised = unsafe { madvise(start, bytes, Advice::LinuxHugepage) };
    // A system without large pages reads into small ones.
    let _ = advised;
}

#[cfg(not(target_os = "linux"))]
fn advise_large_pages(_: &mut [u8]) {}

#[cfg(test)]
mod tests {
    use super::allocate_zeros;

    #[test]
    fn zeros_are_as_many_as_asked_for() {
        for bytes in [0, 1, 4096, (4 << 20) + 4097] {
            let zeros = allocate_zeros(bytes);
            assert_eq!(zeros.len(), bytes);
            assert!(zeros.iter().all(|&byte| byte == 0));
        }
    }
}
