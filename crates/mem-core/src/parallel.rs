//! Doing something with many items, on all cores.

use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Fewer items than this are done one after the other: a thread costs more.
const ITEMS_MIN: usize = 64;
/// Shares for each core.
const SHARES: usize = 8;

/// What each of some neighbouring items comes to, in their order. The first error of a share ends it.
///
/// # Errors
/// That of the first item that has one, in their order, among those that were reached.
pub fn map_parallel<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let shares = map_chunks(items, |share| {
        share.iter().map(&work).collect::<Result<Vec<R>, E>>()
    });
    let mut all = Vec::with_capacity(items.len());
    for share in shares {
        all.append(&mut share?);
    }
    Ok(all)
}

/// What a share of neighbouring items comes to, some shares for each core, in their order.
pub fn map_chunks<'t, T: Sync, R: Send>(
    items: &'t [T],
    work: impl Fn(&'t [T]) -> R + Sync,
) -> Vec<R> {
    if items.len() < ITEMS_MIN || cores() == 1 {
        return vec![work(items)];
    }
    let cores = cores();
    let shares: Vec<&'t [T]> = items.chunks(items.len().div_ceil(cores * SHARES)).collect();
    // Whoever is done takes the next one: items, and cores, differ in what they take.
    let next = AtomicUsize::new(0);
    let take = || {
        let mut results = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(share) = shares.get(at) else { break };
            results.push((at, work(share)));
        }
        results
    };
    let mut results = thread::scope(|scope| {
        let threads: Vec<_> = (1..cores.min(shares.len()))
            .map(|_| scope.spawn(take))
            .collect();
        let mut results = take();
        for thread in threads {
            match thread.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// How many there are. Asked once: the answer takes several files to read.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order_and_the_first_error_counts() {
        let items: Vec<usize> = (0..1_000).collect();
        let doubled = map_parallel(&items, |item| Ok::<_, ()>(item * 2)).unwrap();
        assert_eq!(doubled, (0..1_000).map(|n| n * 2).collect::<Vec<_>>());
        let failed = map_parallel(&items, |item| match item {
            250 | 999 => Err(*item),
            _ => Ok(()),
        });
        assert_eq!(failed, Err(250));
        assert!(
            map_parallel(&[], |_: &u8| Ok::<_, ()>(()))
                .unwrap()
                .is_empty()
        );
    }
}
