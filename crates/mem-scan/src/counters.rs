//! What the threads of long work count, for whoever shows how far it has come.

use std::sync::atomic::{AtomicU64, Ordering};

/// What was done so far.
#[derive(Debug, Default)]
pub struct Counters {
    items: AtomicU64,
    bytes: AtomicU64,
}

impl Counters {
    /// So many more of whatever is counted.
    pub fn add_items(&self, items: usize) {
        self.items.fetch_add(items as u64, Ordering::Relaxed);
    }

    /// One more file or blob.
    pub fn add(&self, bytes: u64) {
        self.items.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Files, blobs, or whatever else is counted.
    pub fn items(&self) -> u64 {
        self.items.load(Ordering::Relaxed)
    }

    /// Their bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}
