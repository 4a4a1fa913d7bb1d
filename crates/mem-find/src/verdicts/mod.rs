//! Whether memories still say what the code says: `mem-drift`, given the memories of a place and a
//! cache to remember its answers in.
//!
//! - Private and team memories speak of the repository, and are checked against the current
//!   worktree: each worktree of a repository has a cache of its own.
//! - Global memories speak of no repository: a path in one is some other project's. They are judged by
//!   their age alone, and cite nothing.
//! - What a memory says is taken to have been true when its content was last written: `modified` in
//!   the file, else the history, else the file's mtime. Where the history has the blobs of the files
//!   that it cites, they decide and the time does not. Where neither is known, the verdicts
//!   say only what is there and what is gone.

pub mod audit;
mod cache_file;
pub mod check;
pub mod citation_moves;
mod cited_repository;
mod drift_input;
mod drift_notes;
mod note_history;

use std::collections::BTreeSet;

use mem_core::location::ProjectContext;
use mem_core::memory::{MemoryError, MemoryList, Note, ProjectMemory};
use mem_core::project::{self, Project};
use mem_core::run::HomeError;
use mem_core::{Dirs, Now, RunContext, Scope};
use mem_drift::{DriftError, DriftRequest, EarlierNames, NoteReport, OpenRepository};

use cache_file::CacheFile;
use drift_notes::DriftNotes;
use note_history::NoteHistory;

pub use cited_repository::CitedRepository;

/// git's index of a checkout that is searched within some 50 ms: about 5,000 files.
const SMALL_INDEX_BYTES_MAX: u64 = 512 * 1024;

/// What is known of the memories of one place.
#[derive(Debug)]
pub struct Verdicts {
    place: mem_drift::CheckoutPaths,
    remotes: Vec<String>,
    /// Names by which memories are known to each other.
    names: Option<BTreeSet<String>>,
    /// Names that memories had before.
    history: Option<NoteHistory>,
    cache: CacheFile,
    now: Now,
}

impl Verdicts {
    /// The verdicts on the memories of a project. Nothing is checked yet.
    pub fn for_project(project: &Project, dirs: &Dirs, now: Now) -> Self {
        let place = mem_drift::CheckoutPaths::for_project(project);
        Self {
            cache: CacheFile::for_checkout(&place, &dirs.cache, dirs.seal()),
            remotes: project::remotes(project),
            place,
            names: None,
            history: None,
            now,
        }
    }

    /// The verdicts on the memories of a place, in the directories and at the time of a run.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn for_place(place: &ProjectContext, run: &RunContext) -> Result<Self, HomeError> {
        Ok(Self::for_project(&place.project, run.dirs()?, run.now))
    }

    /// The same, with all memories that there are, so that links between them are checked too. The history is read
    /// where one leads to none of them.
    ///
    /// # Errors
    /// A memory directory cannot be listed.
    pub fn with_notes(self, all: &MemoryList, memory: &ProjectMemory) -> Result<Self, MemoryError> {
        let names = all.notes.iter().flat_map(drift_input::link_names);
        let mut names: BTreeSet<String> = names.collect();
        let unreadable = memory.unreadable_names(&all.unreadable)?;
        names.extend(unreadable.into_iter().flatten());
        Ok(Self {
            names: Some(names),
            history: Some(NoteHistory::new(memory, &all.notes)),
            ..self
        })
    }

    /// Whether there is a repository to check against.
    pub fn has_repository(&self) -> bool {
        self.place.git_dir.is_some()
    }

    /// Checks memories, and remembers the answers. One report a memory, in their order.
    ///
    /// Takes milliseconds where little changed since the last time, else about as long as searching
    /// the whole checkout once.
    ///
    /// # Errors
    /// There is a repository that cannot be read.
    pub fn check_notes(&self, notes: &[Note]) -> Result<Vec<NoteReport>, DriftError> {
        self.checked_in(None, notes)
    }

    /// As [`Verdicts::check_notes`], in a repository that may have been opened before.
    ///
    /// # Errors
    /// As for [`Verdicts::check_notes`].
    pub(crate) fn checked_in(
        &self,
        opened: Option<&OpenRepository>,
        notes: &[Note],
    ) -> Result<Vec<NoteReport>, DriftError> {
        let (reports, cache) = self.verify_notes(opened, notes)?;
        if let Some(bytes) = &cache {
            self.cache.write(bytes);
        }
        Ok(reports)
    }

    /// Whether the code says what texts say: each cites something of it, and all of that is there. Written
    /// now, they rest on what is there now. Nothing is remembered of them.
    ///
    /// # Errors
    /// As for [`Verdicts::check_notes`].
    pub fn check_texts(&self, texts: &[String]) -> Result<Vec<bool>, DriftError> {
        let note = |text: &String| mem_drift::DriftInput {
            file: "text".to_owned(),
            text: text.clone(),
            written: Some(self.now.0),
            ..mem_drift::DriftInput::default()
        };
        let notes: Vec<mem_drift::DriftInput> = texts.iter().map(note).collect();
        let reports = mem_drift::verify_notes(&self.drift_request(&notes), None)?
            .report
            .notes;
        let holds = |report: &NoteReport| {
            let mut citations = report.citations.iter();
            report.citations.len() > 1
                && citations.all(|one| one.status == mem_drift::CitationStatus::Present)
        };
        Ok(reports.iter().map(holds).collect())
    }

    /// The repository, opened ahead of a check; `None` where nobody would wait for one.
    pub(crate) fn open_repository(&self) -> Option<OpenRepository> {
        let is_wanted = self.has_repository() && self.is_small();
        is_wanted
            .then(|| OpenRepository::for_checkout(&self.place).ok())
            .flatten()
    }

    /// The same without remembering: for commands that write nothing.
    ///
    /// # Errors
    /// As for [`Verdicts::check_notes`].
    pub fn looked_up(&self, notes: &[Note]) -> Result<Vec<NoteReport>, DriftError> {
        Ok(self.verify_notes(None, notes)?.0)
    }

    /// What an earlier check said of memories, without looking at the checkout: for who cannot wait.
    ///
    /// `None` for a memory that was not checked as it is now, or not at the commit that is checked
    /// out. Never fails: what cannot be read is not remembered.
    pub fn remembered_reports(&self, notes: &[Note]) -> Vec<Option<NoteReport>> {
        let parts = DriftNotes::from_notes(notes);
        let cache = self.cache.read().unwrap_or_default();
        let known = mem_drift::cached_reports(&self.drift_request(&parts.here), &cache);
        parts.merge_reports(known.unwrap_or_default().into_iter(), self.now)
    }

    /// What is known of one memory without waiting: a check where the checkout is small, else what is
    /// remembered. Writes nothing.
    pub fn at_hand(&self, note: &Note) -> Option<NoteReport> {
        let note = std::slice::from_ref(note);
        let look_up = || self.looked_up(note).ok()?.pop();
        let found = self.is_small().then(look_up).flatten();
        found.or_else(|| self.remembered_reports(note).pop().flatten())
    }

    /// Whether the checkout can be searched while somebody waits: by the size of git's index.
    pub fn is_small(&self) -> bool {
        let index = self.place.git_dir.as_ref().map(|dir| dir.join("index"));
        let index = index.and_then(|path| path.metadata().ok());
        index.is_some_and(|index| index.len() <= SMALL_INDEX_BYTES_MAX)
    }

    /// The reports, and what is to be remembered where that is news.
    fn verify_notes(
        &self,
        opened: Option<&OpenRepository>,
        notes: &[Note],
    ) -> Result<(Vec<NoteReport>, Option<Vec<u8>>), DriftError> {
        let parts = DriftNotes::from_notes(notes);
        let (mut reports, mut news) = (Vec::new(), None);
        if !parts.here.is_empty() {
            let known = self.cache.read();
            let request = self.drift_request(&parts.here);
            let outcome = match opened {
                Some(opened) => opened.verify_notes(&request, known.as_deref()),
                None => mem_drift::verify_notes(&request, known.as_deref())?,
            };
            (reports, news) = (outcome.report.notes, outcome.cache);
        }
        let all = parts.merge_reports(reports.into_iter().map(Some), self.now);
        Ok((all.into_iter().flatten().collect(), news))
    }

    fn drift_request<'a>(&'a self, notes: &'a [mem_drift::DriftInput]) -> DriftRequest<'a> {
        DriftRequest {
            place: &self.place,
            notes,
            remotes: &self.remotes,
            known_notes: self.names.as_ref(),
            earlier_notes: self.history.as_ref().map(|one| one as &dyn EarlierNames),
            now: self.now,
        }
    }
}

/// Whether a memory speaks of the repository that it is kept for.
pub fn is_about_here(note: &Note) -> bool {
    note.scope != Scope::Global
}

/// Forgets every verdict on every checkout: they quote what memories cite, which was erased for good.
pub fn forget_verdicts(dirs: &Dirs) {
    cache_file::forget_caches(&dirs.cache);
}
