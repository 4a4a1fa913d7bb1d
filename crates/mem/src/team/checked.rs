//! Asking something about many files, on all cores.

use std::num::NonZero;
use std::thread;

/// Fewer than this are asked about one after the other.
const PARALLEL_MIN: usize = 256;

/// What a question finds, in the order of the items.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    ask: impl Fn(&T) -> Option<R> + Sync,
) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    if items.len() < PARALLEL_MIN || cores == 1 {
        return items.iter().filter_map(ask).collect();
    }
    let share = items.len().div_ceil(cores);
    let ask = &ask;
    thread::scope(|scope| {
        let shares = items.chunks(share);
        let threads: Vec<_> = shares
            .map(|items| scope.spawn(move || items.iter().filter_map(ask).collect::<Vec<R>>()))
            .collect();
        let found = threads.into_iter().flat_map(|thread| match thread.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        found.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_keeps_its_order() {
        let items: Vec<usize> = (0..1_000).collect();
        let odd = in_parallel(&items, |item| (item % 2 == 1).then_some(*item));
        assert_eq!(
            odd,
            (0..1_000).filter(|item| item % 2 == 1).collect::<Vec<_>>()
        );
    }
}
