//! The state of a repository as one number: what answers depend on.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::checkout::{Checkout, Disk, Listing};
use crate::limits::THREADS_MAX;

/// References that count.
const REFERENCES_MAX: usize = 10_000;

/// `HEAD`, references, what is tracked, and what the system says of every tracked file and of
/// every folder: a new file changes its folder.
pub(crate) fn stamp(checkout: &Checkout, listing: &Listing) -> u64 {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    checkout.head.map(|id| id.as_bytes().to_vec()).hash(&mut hasher);
    checkout.is_shallow.hash(&mut hasher);
    references(checkout, &mut hasher);
    for (at, entry) in listing.entries().iter().enumerate() {
        listing.path(at).hash(&mut hasher);
        entry.id.as_bytes().hash(&mut hasher);
        entry.is_absent.hash(&mut hasher);
    }
    if let Some(disk) = &checkout.disk {
        disk.root().hash(&mut hasher);
        on_disk(disk, listing).hash(&mut hasher);
    }
    hasher.finish()
}

fn references(checkout: &Checkout, hasher: &mut DefaultHasher) {
    let references = checkout.repository.as_ref().and_then(|repository| repository.references().ok());
    for reference in references.into_iter().flatten().flatten().take(REFERENCES_MAX) {
        reference.name_bytes().hash(hasher);
        reference.target().map(|id| id.as_bytes().to_vec()).hash(hasher);
    }
}

/// Threads share the files; the order of their results is that of the files.
fn on_disk(disk: &Disk, listing: &Listing) -> Vec<u64> {
    let folders = listing.folders().all();
    let files = listing.entries().len();
    let total = files + folders.len() + 1;
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let share = total.div_ceil(threads).max(1);
    let part = |start: usize| {
        let mut hasher = DefaultHasher::new();
        let mut looker = disk.looker();
        for at in start..total.min(start + share) {
            let path = match at.checked_sub(files) {
                None => listing.path(at),
                Some(0) => b".",
                Some(folder) => &folders[folder - 1],
            };
            looker.state(path).hash(&mut hasher);
        }
        hasher.finish()
    };
    std::thread::scope(|scope| {
        let part = &part;
        let starts = (0..total).step_by(share);
        let workers: Vec<_> = starts.map(|start| scope.spawn(move || part(start))).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    })
}
