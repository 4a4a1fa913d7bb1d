//! Whether memories still say what the code says: `mem-drift`, given the memories of a place and a
//! cache to remember its answers in.
//!
//! - Private and team memories speak of the repository, and are checked against the worktree that
//!   the run stands in: two worktrees of one repository have two caches.
//! - One's own notes across repositories (the global tier) speak of no repository: a path in one is
//!   some other project's. They are judged by their age alone, and cite nothing.
//! - What a memory says is taken to have been true when its content was last written: `modified` in
//!   the file, else the history, else the file's mtime. Where the history has the blobs of the files
//!   that it cites, they decide and the time does not. Where neither is known, only what is there
//!   and what is gone is told, and nothing of what changed.

mod cache_file;
mod noted;
pub(crate) mod shown;

use std::collections::BTreeSet;

use mem_core::location::Place;
use mem_core::memory::Note;
use mem_core::{Now, Scope, project};
use mem_drift::{DriftError, NoteReport, Request};

use crate::context::{Context, ContextError};
use cache_file::CacheFile;

/// What is known of the memories of one place.
#[derive(Debug)]
pub(crate) struct Verdicts {
    place: mem_drift::Place,
    remotes: Vec<String>,
    /// Names by which memories are known to each other.
    names: Option<BTreeSet<String>>,
    cache: CacheFile,
    now: Now,
}

impl Context {
    /// The verdicts on the memories of a place. Nothing is checked yet.
    ///
    /// # Errors
    /// There is no home directory.
    pub(crate) fn verdicts(&self, place: &Place) -> Result<Verdicts, ContextError> {
        let drift_place = mem_drift::Place::of(&place.project);
        Ok(Verdicts {
            cache: CacheFile::of(&drift_place, &self.dirs()?.cache),
            remotes: project::remotes(&place.project),
            place: drift_place,
            names: None,
            now: self.now,
        })
    }
}

impl Verdicts {
    /// The same, with the memories that there are, so that links between them are checked too.
    pub(crate) fn knowing(self, all: &[Note]) -> Self {
        let names = all.iter().flat_map(noted::names).collect();
        Self {
            names: Some(names),
            ..self
        }
    }

    /// Whether there is a repository to check against.
    pub(crate) fn has_repository(&self) -> bool {
        self.place.git_dir.is_some()
    }

    /// Checks memories, and remembers the answers. One report a memory, in their order.
    ///
    /// Takes milliseconds where little changed since the last time, else about as long as searching
    /// the whole checkout once.
    ///
    /// # Errors
    /// There is a repository that cannot be read.
    pub(crate) fn checked(&self, notes: &[Note]) -> Result<Vec<NoteReport>, DriftError> {
        let drift_notes: Vec<mem_drift::Note> = notes.iter().map(noted::of).collect();
        let (here, elsewhere) = parted(notes, drift_notes);
        let cache = self.cache.read();
        let outcome = mem_drift::verify(&self.request(&here, &self.place), cache.as_deref())?;
        if let Some(bytes) = &outcome.cache {
            self.cache.write(bytes);
        }
        let mut here = outcome.report.notes.into_iter();
        let mut elsewhere = self.by_age(&elsewhere).into_iter();
        let next = |note: &Note| {
            if is_about_here(note) {
                here.next()
            } else {
                elsewhere.next()
            }
        };
        Ok(notes.iter().filter_map(next).collect())
    }

    /// What an earlier check said of memories, without looking at the checkout: for who cannot wait.
    ///
    /// `None` for a memory that was not checked as it is now, or not at the commit that is checked
    /// out. Never fails: what cannot be read is not remembered.
    pub(crate) fn remembered(&self, notes: &[Note]) -> Vec<Option<NoteReport>> {
        let drift_notes: Vec<mem_drift::Note> = notes.iter().map(noted::of).collect();
        let (here, elsewhere) = parted(notes, drift_notes);
        let known = self.cache.read().and_then(|cache| {
            mem_drift::remembered(&self.request(&here, &self.place), &cache).ok()
        });
        let mut here = known.unwrap_or_default().into_iter();
        let mut elsewhere = self.by_age(&elsewhere).into_iter();
        let mut next = |note: &Note| match is_about_here(note) {
            true => here.next().flatten(),
            false => elsewhere.next(),
        };
        notes.iter().map(&mut next).collect()
    }

    fn request<'a>(
        &'a self,
        notes: &'a [mem_drift::Note],
        place: &'a mem_drift::Place,
    ) -> Request<'a> {
        Request {
            place,
            notes,
            remotes: &self.remotes,
            known_notes: self.names.as_ref(),
            now: self.now,
        }
    }

    fn by_age(&self, notes: &[mem_drift::Note]) -> Vec<NoteReport> {
        notes
            .iter()
            .map(|note| mem_drift::by_age(note, self.now))
            .collect()
    }
}

/// Whether a memory speaks of the repository that it is kept for.
pub(crate) fn is_about_here(note: &Note) -> bool {
    note.scope != Scope::Global
}

/// Those that speak of the repository, and those that do not.
fn parted(
    notes: &[Note],
    converted: Vec<mem_drift::Note>,
) -> (Vec<mem_drift::Note>, Vec<mem_drift::Note>) {
    let (here, elsewhere): (Vec<_>, Vec<_>) = notes
        .iter()
        .zip(converted)
        .partition(|(note, _)| is_about_here(note));
    let second =
        |pairs: Vec<(&Note, mem_drift::Note)>| pairs.into_iter().map(|(_, one)| one).collect();
    (second(here), second(elsewhere))
}
