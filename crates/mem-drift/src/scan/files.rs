//! The pass over all files: threads take them in batches.

use std::sync::atomic::{AtomicUsize, Ordering};

use git2::Repository;

use super::lexicon::Lexicon;
use super::marks::Marks;
use super::source::{Source, is_text};
use crate::checkout::{Checkout, Disk, Listing, Looker, MODE_LINK, MODE_SUBMODULE, open};
use crate::limits::{SCAN_FILE_BYTES_MAX, THREADS_MAX};

/// Files that a thread takes at a time.
const BATCH_FILES: usize = 128;

/// Searches all tracked files, as they are on disk (from the objects where they are not meant to
/// be there), and then the extra paths, which are on disk.
pub(crate) fn scan(
    checkout: &Checkout,
    listing: &Listing,
    extra: &[Vec<u8>],
    lexicon: &Lexicon,
) -> Marks {
    let mut marks = Marks::new(lexicon);
    if lexicon.is_empty() {
        return marks;
    }
    let total = listing.entries().len() + extra.len();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(THREADS_MAX).min(total / BATCH_FILES + 1);
    let git_dir = checkout
        .repository
        .as_ref()
        .map(|repository| repository.path().to_owned());
    let disk = checkout.disk.clone();
    let tracked = Tracked { listing, extra };
    std::thread::scope(|scope| {
        let spawn = |_| {
            scope.spawn(|| {
                let mut reader = Reader {
                    disk: disk.as_ref().map(Disk::looker),
                    git_dir: git_dir.clone(),
                    repository: None,
                    buffer: Vec::new(),
                };
                search_batches(&tracked, &next, lexicon, &mut reader)
            })
        };
        let workers: Vec<_> = (0..threads).map(spawn).collect();
        for worker in workers {
            if let Ok(found) = worker.join() {
                marks.join(&found);
            }
        }
    });
    marks
}

struct Tracked<'a> {
    listing: &'a Listing,
    extra: &'a [Vec<u8>],
}

fn search_batches(
    tracked: &Tracked<'_>,
    next: &AtomicUsize,
    lexicon: &Lexicon,
    reader: &mut Reader<'_>,
) -> Marks {
    let mut marks = Marks::new(lexicon);
    let tracked_len = tracked.listing.entries().len();
    let total = tracked_len + tracked.extra.len();
    loop {
        let start = next.fetch_add(BATCH_FILES, Ordering::Relaxed);
        if start >= total {
            return marks;
        }
        for at in start..total.min(start + BATCH_FILES) {
            let path = match at.checked_sub(tracked_len) {
                None => tracked.listing.path(at),
                Some(extra) => &tracked.extra[extra],
            };
            let source = Source::of(path);
            let is_read = source != Source::Opaque
                && match at.checked_sub(tracked_len) {
                    None => reader.tracked(tracked.listing, at),
                    Some(_) => reader.on_disk(path),
                };
            if is_read && is_text(&reader.buffer) {
                lexicon.search(&reader.buffer, source, &mut marks);
                marks.end_file(lexicon);
            }
        }
    }
}

/// One thread's way to contents.
struct Reader<'d> {
    disk: Option<Looker<'d>>,
    git_dir: Option<std::path::PathBuf>,
    repository: Option<Repository>,
    buffer: Vec<u8>,
}

impl Reader<'_> {
    fn on_disk(&mut self, path: &[u8]) -> bool {
        let buffer = &mut self.buffer;
        self.disk
            .as_mut()
            .is_some_and(|disk| disk.read(path, buffer))
    }

    fn tracked(&mut self, listing: &Listing, at: usize) -> bool {
        let entry = &listing.entries()[at];
        if matches!(entry.mode, MODE_LINK | MODE_SUBMODULE) {
            return false;
        }
        if self.disk.is_some() && !entry.is_absent {
            return self.on_disk(listing.path(at));
        }
        if self.repository.is_none() {
            self.repository = self.git_dir.as_deref().and_then(|dir| open(dir).ok());
        }
        let blob = self
            .repository
            .as_ref()
            .and_then(|repository| repository.find_blob(entry.id).ok());
        self.buffer.clear();
        let Some(blob) = blob else { return false };
        let content = blob.content();
        self.buffer
            .extend_from_slice(&content[..content.len().min(SCAN_FILE_BYTES_MAX)]);
        true
    }
}
