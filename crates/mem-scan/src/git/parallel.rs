//! Sharing work among threads.

use std::panic::resume_unwind;

use super::open::GitObjectError;

/// Fewer items are left to one thread.
const ITEMS_OF_ONE_THREAD: usize = 64;

/// Works on contiguous parts of some items on all cores; the results come in the order of the parts.
///
/// # Errors
/// The work on a part fails.
pub(super) fn map_parts<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&[T]) -> Result<R, GitObjectError> + Sync,
) -> Result<Vec<R>, GitObjectError> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let threads = crate::threads().min(items.len().div_ceil(ITEMS_OF_ONE_THREAD));
    let work = &work;
    std::thread::scope(|scope| {
        let mut parts = items.chunks(items.len().div_ceil(threads));
        let own = parts.next().unwrap_or_default();
        let handles: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let mut results = vec![work(own)];
        for handle in handles {
            // A part that is lost would make a scan call complete what it has not read.
            results.push(handle.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results.into_iter().collect()
    })
}
