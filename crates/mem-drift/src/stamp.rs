//! The state of a repository as one number: what answers depend on.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use mem_core::limits::IGNORE_FILE_BYTES_MAX;
use mem_core::{project, regular_file};

use crate::checkout::{Checkout, Disk, State, TrackedFile, TrackedFiles};
use crate::limits::THREADS_MAX;

/// References that count.
const REFERENCES_MAX: usize = 10_000;

/// A state, and what it tells about the files.
pub(crate) struct RepositoryStamp {
    /// The state.
    pub(crate) number: u64,
    /// The state without what the system says of files: `HEAD`, references, what is tracked, and what git ignores.
    pub(crate) base: u64,
    /// What the system says of every tracked file, in the order of the listing, each as one number.
    pub(crate) states: Vec<u64>,
    /// The tracked files, by their places, that are not what the index last saw, or not there.
    pub(crate) edited: Vec<usize>,
}

/// `HEAD`, references, what is tracked, and what the system says of every tracked file and of
/// every folder: a new file changes its folder.
pub(crate) fn stamp_repository(checkout: &Checkout, listing: &TrackedFiles) -> RepositoryStamp {
    let (mut edited, mut states) = (Vec::new(), Vec::new());
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    checkout
        .head
        .map(|id| id.as_bytes().to_vec())
        .hash(&mut hasher);
    checkout.is_shallow.hash(&mut hasher);
    hash_references(checkout, &mut hasher);
    for (at, entry) in listing.entries().iter().enumerate() {
        listing.path_at(at).hash(&mut hasher);
        entry.id.as_bytes().hash(&mut hasher);
        entry.is_absent.hash(&mut hasher);
    }
    let mut base = hasher.clone();
    match &checkout.disk {
        Some(disk) => {
            disk.root().hash(&mut hasher);
            let exclude = project::exclude_file(&disk.root().join(".git"));
            let exclude = regular_file::read_unlinked(&exclude, IGNORE_FILE_BYTES_MAX);
            exclude.ok().hash(&mut base);
            for part in on_disk(disk, listing) {
                part.states.hash(&mut hasher);
                part.ignore_files.hash(&mut base);
                edited.extend(part.edited);
                states.extend(part.states);
            }
            // Folders come last.
            states.truncate(listing.entries().len());
        }
        None => states.extend(
            listing
                .entries()
                .iter()
                .map(|entry| hash_value(&entry.id.as_bytes())),
        ),
    }
    let base = base.finish();
    base.hash(&mut hasher);
    RepositoryStamp {
        number: hasher.finish(),
        base,
        states,
        edited,
    }
}

fn hash_references(checkout: &Checkout, hasher: &mut DefaultHasher) {
    let references = checkout
        .repository
        .as_ref()
        .and_then(|repository| repository.references().ok());
    for reference in references
        .into_iter()
        .flatten()
        .flatten()
        .take(REFERENCES_MAX)
    {
        reference.name_bytes().hash(hasher);
        reference
            .target()
            .map(|id| id.as_bytes().to_vec())
            .hash(hasher);
    }
}

/// What a thread saw of its share.
struct StampShare {
    states: Vec<u64>,
    edited: Vec<usize>,
    /// Of every folder.
    ignore_files: Vec<Option<State>>,
}

fn hash_value(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Threads share the files, and the folders after them; the order of their results is that of both.
fn on_disk(disk: &Disk, listing: &TrackedFiles) -> Vec<StampShare> {
    let folders = listing.folders().all();
    let files = listing.entries().len();
    let total = files + folders.len() + 1;
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(THREADS_MAX);
    let share = total.div_ceil(threads).max(1);
    let part = |start: usize| {
        let (mut looker, mut ignore_looker) = (disk.file_looker(), disk.file_looker());
        let (mut states, mut edited) = (Vec::with_capacity(share), Vec::new());
        let mut ignore_files = Vec::new();
        for at in start..total.min(start + share) {
            let path = match at.checked_sub(files) {
                None => listing.path_at(at),
                Some(0) => b".",
                Some(folder) => &folders[folder - 1],
            };
            let state = looker.read_state(path);
            let entry = listing.entries().get(at);
            if entry.is_none() {
                let file = [path, &b"/.gitignore"[..]].concat();
                ignore_files.push(ignore_looker.read_state(&file));
            }
            states.push(match entry {
                // Its content is that of the object.
                Some(entry) if entry.is_absent => hash_value(&entry.id.as_bytes()),
                _ => hash_value(&state),
            });
            if entry.is_some_and(|entry| is_edited(entry, state.as_ref())) {
                edited.push(at);
            }
        }
        StampShare {
            states,
            edited,
            ignore_files,
        }
    };
    std::thread::scope(|scope| {
        let part = &part;
        let starts = (0..total).step_by(share);
        let workers: Vec<_> = starts
            .map(|start| scope.spawn(move || part(start)))
            .collect();
        workers
            .into_iter()
            .filter_map(|worker| worker.join().ok())
            .collect()
    })
}

/// Whether a file that is meant to be on disk differs from what the index last saw of it.
fn is_edited(entry: &TrackedFile, state: Option<&State>) -> bool {
    let is_same = || {
        state.is_some_and(|state| {
            entry.stat.is_some_and(|(size, seconds, nanoseconds)| {
                (i64::from(size), i64::from(seconds)) == (state[1] & 0xffff_ffff, state[2])
                    && (i64::from(nanoseconds) == state[3] || nanoseconds == 0)
            })
        })
    };
    !entry.is_absent && !is_same()
}
