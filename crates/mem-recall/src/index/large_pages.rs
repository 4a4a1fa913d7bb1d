//! Has `unsafe` code: asks the system for large pages. An index is megabytes that are filled at once;
//! with pages of 4 KiB, a third of the time would go into faulting them in one by one.

/// A buffer for so many bytes, on large pages where it is large and the system has them.
pub(super) fn buffer(bytes: usize) -> Vec<u8> {
    let mut buffer = Vec::with_capacity(bytes);
    advise(&mut buffer);
    buffer
}

/// Less than this is not worth the call.
#[cfg(target_os = "linux")]
const LARGE_BYTES_MIN: usize = 4 << 20;

#[cfg(target_os = "linux")]
fn advise(buffer: &mut Vec<u8>) {
    use rustix::mm::{Advice, madvise};

    if buffer.capacity() < LARGE_BYTES_MIN {
        return;
    }
    let page = rustix::param::page_size();
    let spare = buffer.spare_capacity_mut();
    let before = spare.as_ptr().align_offset(page).min(spare.len());
    let bytes = (spare.len() - before) / page * page;
    let start = spare[before..].as_mut_ptr().cast();
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
fn advise(_: &mut Vec<u8>) {}

#[cfg(test)]
mod tests {
    use super::buffer;

    #[test]
    fn a_buffer_takes_what_it_was_made_for() {
        for bytes in [0, 1, 4096, (4 << 20) + 4097] {
            let mut made = buffer(bytes);
            assert!(made.is_empty() && made.capacity() >= bytes);
            let place = made.as_ptr();
            made.resize(bytes, 7);
            assert!(made.iter().all(|&byte| byte == 7));
            assert!(bytes == 0 || made.as_ptr() == place);
        }
    }
}
