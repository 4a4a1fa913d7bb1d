//! Counters of long work, which threads add to while a display reads them.

use std::sync::atomic::{AtomicU64, Ordering};

/// What was done so far.
#[derive(Debug, Default)]
pub struct Counters {
    items: AtomicU64,
    bytes: AtomicU64,
}

impl Counters {
    /// Counts this number of items without bytes.
    pub fn add_items(&self, items: usize) {
        self.items.fetch_add(items as u64, Ordering::Relaxed);
    }

    /// Counts one file or blob of this many bytes.
    pub fn add(&self, bytes: u64) {
        self.items.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Files, blobs or other items.
    pub fn items(&self) -> u64 {
        self.items.load(Ordering::Relaxed)
    }

    /// Their bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}
