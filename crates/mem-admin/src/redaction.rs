//! Removing content for good: a note or a text, from the files, the inbox and every version of every store, from what
//! is remembered of remotes and sessions, and from what attached stores left.

use std::collections::BTreeSet;
use std::io;

use mem_agent::session::redact as sessions;
use mem_agent::session::search_index::remove_session_index;
use mem_agent::session::source::writing_author;
use mem_core::erasure::{ErasureError, TracePatterns};
use mem_core::history::Proof;
use mem_core::host_user::HostUser;
use mem_core::inbox::RedactedEntries;
use mem_core::location::ProjectContext;
use mem_core::name_resolution::{MemoryInStore, NameError};
use mem_core::run::HomeError;
use mem_core::spellings::TextSpellings;
use mem_core::state_file::StateError;
use mem_core::store::{
    ChangeMetadata, DirectoryKind, LocalStore, Redaction, RedactionPlan, StoreError, spellings,
};
use mem_core::{Diagnose, MemoryPath, RunContext, Scope, notes, unsaved_text};
use mem_find::verdicts::forget_verdicts;
use mem_stores::attached::redaction::{self, TextTraces};
use mem_stores::attached::{AttachmentFile, CopyError};
use mem_team::erase::{self, ForgetError, ForgetRequest, RemainingTraces};
use mem_vault::master_key::KeySourceError;
use mem_vault::remove_leftovers;

/// Content cannot be removed, or not everywhere.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum RedactError {
    /// An index was named, which is the list of all other notes.
    #[error("`{0}` is an index, not a note")]
    #[diagnose(
        Invalid,
        hint = "`mem redact --text -` removes a text, which it reads from standard input, from the indexes and their \
                history"
    )]
    Index(MemoryPath),
    /// No note can be told by the name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// A store refuses, or cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is remembered of a remote cannot be cleaned.
    #[error(transparent)]
    Forget(#[from] ForgetError),
    /// What is kept of a session cannot be cleaned.
    #[error(transparent)]
    State(#[from] StateError),
    /// What an attached store left cannot be cleaned.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// What killed runs left cannot be removed.
    #[error(transparent)]
    Leftovers(#[from] KeySourceError),
    /// Transcripts cannot be searched for it.
    #[error(transparent)]
    Search(#[from] ErasureError),
    /// The system refuses.
    #[error(transparent)]
    #[diagnose(Io)]
    Io(#[from] io::Error),
}

/// What is to be removed, and where.
#[derive(Clone, Copy, Debug)]
pub struct RedactRequest<'a> {
    /// A note by its name, or a text.
    pub what: RedactSubject<'a>,
    /// Only in the records of this user of a host.
    pub user: Option<&'a HostUser>,
    /// The note is one of the person's own across repositories.
    pub is_global: bool,
}

/// A note, or a text.
#[derive(Clone, Copy, Debug)]
pub enum RedactSubject<'a> {
    /// The name of a note.
    Note(&'a str),
    /// A text that can be told from others: [`LocalStore::is_redactable`].
    Text(&'a str),
}

/// One store and what is to be removed from it.
#[derive(Debug)]
pub struct StoreRedaction {
    /// The store.
    pub store: LocalStore,
    what: Redaction,
    /// What that changes.
    pub planned: RedactionPlan,
    /// Where the note stands, or stood.
    path: Option<MemoryPath>,
}

impl StoreRedaction {
    fn new(
        store: LocalStore,
        what: Redaction,
        path: Option<MemoryPath>,
        run: &RunContext,
    ) -> Result<Self, RedactError> {
        let planned = store.plan_redaction(run.now, &what)?;
        Ok(Self {
            store,
            what,
            planned,
            path,
        })
    }

    /// Takes it out of what is remembered of remotes as well. Adds what those may have still.
    fn forget_shared(
        &self,
        text: Option<&TextSpellings>,
        remaining: &mut RemainingTraces,
    ) -> Result<(), RedactError> {
        let what = match (text, &self.path) {
            (Some(text), _) => ForgetRequest::Text(text),
            (None, Some(path)) => ForgetRequest::Path(path),
            (None, None) => return Ok(()),
        };
        let clean = |path: &MemoryPath, bytes: &[u8]| self.planned.clean_content(path, bytes);
        let here = erase::forget_texts(&self.store, what, &clean)?;
        let files = self.planned.files.iter().map(|plan| &plan.path);
        let scopes = files.chain(&self.path);
        let scopes: BTreeSet<Scope> = scopes
            .map(|path| self.store.tiers().scope_of(path))
            .collect();
        for scope in here.shared {
            if scopes.contains(&scope) || self.cleans_version_of(scope)? {
                remaining.shared.insert(scope);
            }
        }
        remaining.in_names.extend(here.in_names);
        Ok(())
    }

    /// Whether a version of a scope holds what goes: it may have been shared before the file changed.
    fn cleans_version_of(&self, scope: Scope) -> Result<bool, StoreError> {
        let Some(history) = self.store.open_history()? else {
            return Ok(false);
        };
        let holds = |sequence, path: &MemoryPath| {
            let content = history.content(sequence, path).ok().flatten();
            content.is_some_and(|bytes| self.planned.clean_content(path, &bytes).is_some())
        };
        let mut entries = history.own_entries().map_while(Result::ok);
        Ok(entries.any(|entry| {
            let paths = entry.change.versions.iter().map(|version| &version.path);
            let mut paths = paths.filter(|path| self.store.tiers().scope_of(path) == scope);
            paths.any(|path| holds(entry.sequence, path))
        }))
    }
}

/// Whether a line holds a trace of what is removed.
pub type TraceFinder<'a> = Box<dyn Fn(&[u8]) -> bool + 'a>;

/// What is to be redacted, and what else holds it.
pub struct MemoryRedaction {
    /// The stores that it is in.
    pub tasks: Vec<StoreRedaction>,
    /// The text, unless a note is meant.
    pub text: Option<TextSpellings>,
    /// How many files change.
    pub files: usize,
    /// How many writes in the inbox are cleaned, and how many are removed.
    pub waiting: RedactedEntries,
    /// Whether attached stores and what is kept of sessions lose the text, too: they are no user's.
    has_others: bool,
    /// How many files of sessions are cleaned.
    pub sessions: usize,
    /// How many texts are cleaned that could not be written to their memories.
    pub unsaved: usize,
    /// What attached stores have of it.
    pub attached: TextTraces,
    /// Files that hold the text and stay as they are.
    pub left: Vec<String>,
}

impl MemoryRedaction {
    /// Looks for everything that is to be changed; changes nothing.
    ///
    /// # Errors
    /// No note has the name; a store, an inbox or the state of sessions cannot be read.
    pub fn plan(
        request: RedactRequest<'_>,
        place: &ProjectContext,
        run: &RunContext,
    ) -> Result<Self, RedactError> {
        let (tasks, text) = match request.what {
            RedactSubject::Note(name) => (vec![of_name(name, request, place, run)?], None),
            RedactSubject::Text(text) => {
                let tasks = of_text(text, request.user, place, run)?;
                (tasks, Some(spellings(text)))
            }
        };
        let has_others = request.user.is_none();
        let (sessions, unsaved, attached) = match &text {
            Some(text) if has_others => (
                sessions::count_files(run.dirs()?, text)?,
                unsaved_text::redact_texts(run.dirs()?, text, true)?,
                redaction::redact_text(
                    &AttachmentFile::for_place(place, run)?,
                    text,
                    true,
                    run.now,
                )?,
            ),
            _ => (0, 0, TextTraces::default()),
        };
        let (mut files, mut waiting, mut left) = (0, RedactedEntries::default(), Vec::new());
        for StoreRedaction { store, planned, .. } in &tasks {
            files += planned.files.len();
            waiting.cleaned += planned.waiting.cleaned;
            waiting.removed += planned.waiting.removed;
            let paths = planned.left.iter().map(MemoryPath::as_str);
            let paths = paths.map(|path| store.places().root.join(path));
            left.extend(paths.map(|path| path.to_string_lossy().into_owned()));
        }
        Ok(Self {
            tasks,
            text,
            files,
            waiting,
            has_others,
            sessions,
            unsaved,
            attached,
            left,
        })
    }

    /// The note that goes whole, with all its versions; `None` where a text is meant, or what only waits in the inbox.
    pub fn whole_note(&self) -> Option<&MemoryPath> {
        let [task] = self.tasks.as_slice() else {
            return None;
        };
        let is_note = matches!(task.what, Redaction::Note(_));
        let mut files = task.planned.files.iter();
        let standing = files.find(|plan| plan.new.is_none()).map(|plan| &plan.path);
        standing.or(task.path.as_ref()).filter(|_| is_note)
    }

    /// The files that change, each within its directory.
    pub fn paths(&self) -> Vec<&str> {
        let files = self.tasks.iter().flat_map(|task| &task.planned.files);
        files.map(|plan| plan.path.as_str()).collect()
    }

    /// Files first, then what is remembered of remotes, then the history: its proof is the last.
    ///
    /// # Errors
    /// As [`MemoryRedaction::plan`], or something cannot be written: what went before is clean.
    pub fn carry_out(
        &self,
        place: &ProjectContext,
        run: &RunContext,
    ) -> Result<(Proof, RemainingTraces), RedactError> {
        let (mut remaining, mut sum) = (RemainingTraces::default(), Proof::default());
        for task in &self.tasks {
            let order = ChangeMetadata::new("redact", writing_author(run), run.now);
            let order = order.clearing_folders();
            task.store.redact_files(&order, &task.what)?;
            task.forget_shared(self.text.as_ref(), &mut remaining)?;
            let proof = task.store.redact_history(&task.what, run.now)?;
            sum.objects += proof.objects;
            sum.hits += proof.hits;
            sum.rewritten += proof.rewritten;
            sum.names += proof.names;
        }
        if let Some(text) = self.text.as_ref().filter(|_| self.has_others) {
            redaction::redact_text(
                &AttachmentFile::for_place(place, run)?,
                text,
                false,
                run.now,
            )?;
            sessions::redact_files(run.dirs()?, text)?;
            unsaved_text::redact_texts(run.dirs()?, text, false)?;
            // Transcripts are not changed: what is indexed of them goes.
            remove_session_index(run.dirs()?)?;
        }
        remove_leftovers(run)?;
        // They quote what memories cite, which was erased for good.
        forget_verdicts(run.dirs()?);
        Ok((sum, remaining))
    }

    /// The files whose names may come from the text, and may as well not: a person has to look at them.
    ///
    /// # Errors
    /// A store cannot be read.
    pub fn names_to_check(&self) -> Result<Vec<MemoryPath>, RedactError> {
        let mut paths = Vec::new();
        let Some(text) = &self.text else {
            return Ok(paths);
        };
        for task in &self.tasks {
            let snapshot = task.store.snapshot()?;
            snapshot.require_readable()?;
            let files = snapshot.walk().files.keys();
            paths.extend(
                files
                    .filter(|path| {
                        let mut names = path.as_str().split('/');
                        names.any(|name| text.is_perhaps_in_name(name))
                    })
                    .cloned(),
            );
        }
        Ok(paths)
    }

    /// Tells a line of a transcript that holds the text; or what a note says, or its name.
    ///
    /// # Errors
    /// What is looked for is too much.
    pub fn trace_finder(&self) -> Result<TraceFinder<'_>, RedactError> {
        if let Some(text) = &self.text {
            return Ok(Box::new(|bytes| text.is_in(bytes)));
        }
        let mut traces = TracePatterns::default();
        for plan in self.tasks.iter().flat_map(|task| &task.planned.files) {
            if plan.new.is_none() {
                traces.add_content(plan.old.as_deref().unwrap_or_default());
                traces.add_name(plan.path.file_name());
            }
        }
        Ok(Box::new(traces.finder()?))
    }
}

/// What there is to do for a note.
fn of_name(
    name: &str,
    request: RedactRequest<'_>,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<StoreRedaction, RedactError> {
    let (user, is_global) = (request.user, request.is_global);
    let (store, what, path) = match run.resolve_memory(user, place, name, is_global) {
        // What a colleague wrote may never have left the inbox.
        Err(error @ NameError::Unknown(_)) if user.is_none() && !is_global => {
            let (store, path) = run.resolve_waiting_memory(place, name)?.ok_or(error)?;
            (store, Redaction::Waiting(path.clone()), path)
        }
        found => {
            let MemoryInStore { store, named, .. } = found?;
            (store, Redaction::Note(named.note), named.path)
        }
    };
    if notes::is_index(&path) {
        return Err(RedactError::Index(path));
    }
    StoreRedaction::new(store, what, Some(path), run)
}

/// What there is to do for a text: in the records of one user, or everywhere, theirs too.
fn of_text(
    text: &str,
    user: Option<&HostUser>,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Vec<StoreRedaction>, RedactError> {
    let dirs = run.dirs()?;
    let mut stores = match user {
        Some(user) => vec![user.user_store(dirs)],
        None => {
            let mut stores = vec![run.tier_store(place, false)?, run.tier_store(place, true)?];
            stores.extend(HostUser::user_stores(dirs)?);
            stores
        }
    };
    // Files that no command has recorded yet have no history, and hold it all the same.
    stores.retain(|store| store.places().root.is_dir() || store.places().state.is_dir());
    let tasks = stores.into_iter().map(|store| {
        let what = match DirectoryKind::from_root(&store.places().root, dirs) {
            DirectoryKind::Host => Redaction::Text(text.to_owned()),
            DirectoryKind::Elsewhere => Redaction::OwnText(text.to_owned()),
        };
        StoreRedaction::new(store, what, None, run)
    });
    tasks.collect()
}
