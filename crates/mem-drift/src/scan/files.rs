//! The pass over all files: threads take them in batches.

use std::sync::atomic::{AtomicUsize, Ordering};

use git2::Repository;

use super::lexicon::Lexicon;
use super::marks::Marks;
use super::source::{SourceKind, is_text};
use crate::checkout::{
    Checkout, Disk, FileReader, MODE_LINK, MODE_SUBMODULE, TrackedFiles, open_repository,
};
use crate::limits::{SCAN_FILE_BYTES_MAX, THREADS_MAX};

/// Files that a thread takes at a time.
const BATCH_FILES: usize = 128;

/// What is searched: tracked files, as they are on disk (from the objects where they are not meant to
/// be there), and then extra paths, which are on disk.
#[derive(Clone, Copy)]
pub(crate) struct SearchedFiles<'a> {
    /// All tracked files.
    pub(crate) listing: &'a TrackedFiles,
    /// Those that are searched, by their places; `None`: all.
    pub(crate) chosen: Option<&'a [usize]>,
    /// Files that are not tracked. They are numbered after the tracked ones.
    pub(crate) extra: &'a [Vec<u8>],
}

impl SearchedFiles<'_> {
    fn tracked_len(&self) -> usize {
        self.chosen
            .map_or(self.listing.entries().len(), <[usize]>::len)
    }

    /// The number of the file that comes so late.
    fn file_number(&self, turn: usize) -> usize {
        match (turn.checked_sub(self.tracked_len()), self.chosen) {
            (Some(extra), _) => self.listing.entries().len() + extra,
            (None, Some(chosen)) => chosen[turn],
            (None, None) => turn,
        }
    }
}

/// Searches files.
pub(crate) fn scan_files(
    checkout: &Checkout,
    searched: SearchedFiles<'_>,
    lexicon: &Lexicon,
) -> Marks {
    let mut marks = Marks::new(lexicon);
    if lexicon.is_empty() {
        return marks;
    }
    let total = searched.tracked_len() + searched.extra.len();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(THREADS_MAX).min(total / BATCH_FILES + 1);
    let git_dir = checkout
        .repository
        .as_ref()
        .map(|repository| repository.path().to_owned());
    let disk = checkout.disk.clone();
    std::thread::scope(|scope| {
        let spawn = |_| {
            scope.spawn(|| {
                let mut reader = ContentReader {
                    disk: disk.as_ref().map(Disk::file_looker),
                    git_dir: git_dir.clone(),
                    repository: None,
                    buffer: Vec::new(),
                };
                search_batches(&searched, &next, lexicon, &mut reader)
            })
        };
        let workers: Vec<_> = (0..threads).map(spawn).collect();
        for worker in workers {
            if let Ok(found) = worker.join() {
                marks.merge_marks(&found);
            }
        }
    });
    marks
}

fn search_batches(
    searched: &SearchedFiles<'_>,
    next: &AtomicUsize,
    lexicon: &Lexicon,
    reader: &mut ContentReader<'_>,
) -> Marks {
    let mut marks = Marks::new(lexicon);
    let tracked_len = searched.listing.entries().len();
    let total = searched.tracked_len() + searched.extra.len();
    loop {
        let start = next.fetch_add(BATCH_FILES, Ordering::Relaxed);
        if start >= total {
            return marks;
        }
        for turn in start..total.min(start + BATCH_FILES) {
            let at = searched.file_number(turn);
            let path = match at.checked_sub(tracked_len) {
                None => searched.listing.path_at(at),
                Some(extra) => &searched.extra[extra],
            };
            let source = SourceKind::from_path(path);
            let is_read = source != SourceKind::Opaque
                && match at.checked_sub(tracked_len) {
                    None => reader.read_tracked(searched.listing, at),
                    Some(_) => reader.on_disk(path),
                };
            if is_read && is_text(&reader.buffer) {
                lexicon.mark_words(&reader.buffer, source, &mut marks);
                marks.end_file(lexicon, at);
            }
        }
    }
}

/// One thread's way to contents.
struct ContentReader<'d> {
    disk: Option<FileReader<'d>>,
    git_dir: Option<std::path::PathBuf>,
    repository: Option<Repository>,
    buffer: Vec<u8>,
}

impl ContentReader<'_> {
    fn on_disk(&mut self, path: &[u8]) -> bool {
        let buffer = &mut self.buffer;
        self.disk
            .as_mut()
            .is_some_and(|disk| disk.read(path, buffer))
    }

    fn read_tracked(&mut self, listing: &TrackedFiles, at: usize) -> bool {
        let entry = &listing.entries()[at];
        if matches!(entry.mode, MODE_LINK | MODE_SUBMODULE) {
            return false;
        }
        if self.disk.is_some() && !entry.is_absent {
            return self.on_disk(listing.path_at(at));
        }
        if self.repository.is_none() {
            self.repository = self
                .git_dir
                .as_deref()
                .and_then(|dir| open_repository(dir).ok());
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
