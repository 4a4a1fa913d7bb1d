//! From the name of a note, standing or gone, to its id: the one place that resolves it.

use std::collections::{BTreeMap, BTreeSet};

use crate::history::{self, History, HistoryError, NoteId, Version};
use crate::host_user::{HostUser, UserRecordsError};
use crate::inbox::{Inbox, InboxEntry};
use crate::location::ProjectContext;
use crate::memory::{MemoryError, ProjectMemory, split_scope};
use crate::notes::{ARCHIVE_FILE, INDEX_FILE};
use crate::run::HomeError;
use crate::store::{LocalStore, RevisionError, StoreError, Tiers};
use crate::topic::TopicFile;
use crate::{Diagnose, MemoryPath, RunContext, Scope};

/// Several notes answer to a name.
#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(Invalid, hint = "give the whole path")]
#[error("`{name}` could be {}", listed_paths(candidates))]
pub struct AmbiguousName {
    name: String,
    candidates: Vec<MemoryPath>,
}

/// No note can be told by a name.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum NameError {
    /// Several answer to it.
    #[error(transparent)]
    Ambiguous(#[from] AmbiguousName),
    /// None ever did.
    #[error(transparent)]
    Unknown(#[from] RevisionError),
    /// None of a user's ever did.
    #[error(transparent)]
    OfUser(#[from] UserRecordsError),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// A store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The history is damaged.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A memory directory cannot be listed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

fn listed_paths(paths: &[MemoryPath]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    quoted.join(" or ")
}

/// A note that a name means.
#[derive(Clone, Debug)]
pub struct NamedMemory {
    /// Its id.
    pub note: NoteId,
    /// Where it stands, or last stood.
    pub path: MemoryPath,
    /// Whether it stands under another name now: the one that was asked for is one that it had.
    pub is_former_name: bool,
}

impl NamedMemory {
    fn from_version(version: &Version) -> Self {
        Self {
            note: version.note.clone(),
            path: version.path.clone(),
            is_former_name: false,
        }
    }

    fn path(&self) -> MemoryPath {
        self.path.clone()
    }
}

/// A note, with the store and the history that know it.
#[derive(Debug)]
pub struct MemoryInStore {
    /// The store that has it, or had it.
    pub store: LocalStore,
    /// Its history.
    pub history: History,
    /// The note.
    pub named: NamedMemory,
}

/// What a person typed: a name, and the tier where they said one.
#[derive(Clone, Copy, Debug)]
struct NameQuery<'n> {
    /// The tier.
    scope: Option<Scope>,
    /// The name without it.
    name: &'n str,
}

impl RunContext {
    /// Finds the note called `name`, standing or gone: among the records of a user where one is named; else in the
    /// project's own tiers, and among one's own notes where it is not there, or where `global` or `global:NAME` says
    /// so.
    ///
    /// # Errors
    /// None or several notes answer to it; the history is damaged.
    pub fn resolve_memory(
        &self,
        user: Option<&HostUser>,
        place: &ProjectContext,
        name: &str,
        global: bool,
    ) -> Result<MemoryInStore, NameError> {
        let dirs = self.dirs()?;
        let wanted = NameQuery::from_name(name);
        let own = match (global, wanted.scope) {
            (true, _) | (_, Some(Scope::Global)) => vec![true],
            (false, Some(_)) => vec![false],
            (false, None) => vec![false, true],
        };
        let own = own.into_iter().map(|is_global| {
            let memory = ProjectMemory::new(&place.location, dirs);
            Ok((memory, self.tier_store(place, is_global)?))
        });
        let stores = match user {
            Some(user) => vec![(user.user_memory(dirs), user.user_store(dirs))],
            None => own.collect::<Result<_, HomeError>>()?,
        };
        for (memory, store) in stores {
            if let Some(history) = self.open_history(place, &store)?
                && let Some(named) = Self::find_named(&memory, &store, &history, wanted)?
            {
                return Ok(MemoryInStore {
                    store,
                    history,
                    named,
                });
            }
        }
        let unknown = RevisionError::NeverSeen(name.to_owned());
        Err(match user {
            Some(user) => UserRecordsError::about_user(user, &unknown).into(),
            None => unknown.into(),
        })
    }

    /// Finds what only waits in the inbox of the project's own tiers under a name, or was rejected there.
    ///
    /// # Errors
    /// Several paths answer to it.
    pub fn resolve_waiting_memory(
        &self,
        place: &ProjectContext,
        name: &str,
    ) -> Result<Option<(LocalStore, MemoryPath)>, NameError> {
        let wanted = NameQuery::from_name(name);
        let store = self.tier_store(place, false)?;
        let inbox = Inbox::for_paths(store.places());
        let entries = [inbox.waiting().entries, inbox.rejected().entries];
        let files = entries.iter().flatten().flat_map(InboxEntry::notes);
        let paths = files.map(|file| file.path.clone());
        let mut found: Vec<MemoryPath> = paths.filter(|path| wanted.calls_path(path)).collect();
        found.sort_unstable();
        found.dedup();
        let found = only_match(found, MemoryPath::clone, wanted)?;
        Ok(found.map(|path| (store, path)))
    }

    /// Finds the note of a store that is called `name`: its path, file name, stem or id, first
    /// among the notes that stand, then among those that are gone, the latest first; else the
    /// title, or an unambiguous beginning, of one that stands, then of one that is gone.
    ///
    /// What is gone comes last where it is not named in full, because it must not be mistaken
    /// for what is still there.
    fn find_named(
        memory: &ProjectMemory,
        store: &LocalStore,
        history: &History,
        wanted: NameQuery<'_>,
    ) -> Result<Option<NamedMemory>, NameError> {
        let snapshot = store.snapshot()?;
        let standing = snapshot.catalog().iter().filter(|(path, entry)| {
            wanted.calls_path(path)
                || (wanted.admits_path(path) && entry.note.as_str() == wanted.name)
        });
        let standing: Vec<NamedMemory> = standing
            .map(|(path, entry)| NamedMemory {
                note: entry.note,
                path,
                is_former_name: false,
            })
            .collect();
        if let Some(exact) = standing.iter().find(|one| wanted.is_path(&one.path)) {
            return Ok(Some(exact.clone()));
        }
        if let Some(found) = only_match(standing, NamedMemory::path, wanted)? {
            return Ok(Some(found));
        }
        let stands = snapshot.catalog().iter();
        let stands: BTreeSet<NoteId> = stands.map(|(_, entry)| entry.note).collect();
        let gone = DeletedMemories::from_history(history, wanted)?;
        // What stands under the name was found above.
        let of_past = |named: NamedMemory| NamedMemory {
            is_former_name: stands.contains(&named.note),
            ..named
        };
        if let Some(found) = gone.in_full() {
            return Ok(Some(of_past(found)));
        }
        let global = store.tiers() == Tiers::Global;
        let mut described = memory.candidates(wanted.name, wanted.scope)?.0;
        described.retain(|note| (note.scope == Scope::Global) == global);
        let described = described.into_iter().map(|note| NamedMemory {
            note: note.id,
            path: note.path,
            is_former_name: false,
        });
        if let Some(found) = only_match(described.collect(), NamedMemory::path, wanted)? {
            return Ok(Some(found));
        }
        let gone = gone.described_memories(history, &stands)?;
        Ok(only_match(gone, NamedMemory::path, wanted)?.map(of_past))
    }
}

/// The one that was found, if there is just one.
fn only_match<T>(
    mut found: Vec<T>,
    path: impl Fn(&T) -> MemoryPath,
    wanted: NameQuery<'_>,
) -> Result<Option<T>, AmbiguousName> {
    match found.len() {
        0 | 1 => Ok(found.pop()),
        _ => Err(AmbiguousName {
            name: wanted.name.to_owned(),
            candidates: found.iter().map(path).collect(),
        }),
    }
}

impl<'n> NameQuery<'n> {
    fn from_name(name: &'n str) -> Self {
        let (scope, name) = split_scope(name, None);
        Self { scope, name }
    }

    /// Whether a path of a store is in the tier that was named.
    fn admits_path(&self, path: &MemoryPath) -> bool {
        let is_team = path.as_str().starts_with("team/");
        match self.scope {
            None | Some(Scope::Global) => true,
            Some(Scope::Team) => is_team,
            Some(Scope::Private) => !is_team,
        }
    }

    /// Whether the name is this path, within the tier that was named.
    fn is_path(&self, path: &MemoryPath) -> bool {
        let file = match self.scope {
            Some(Scope::Team) => path.as_str().strip_prefix("team/"),
            _ => Some(path.as_str()),
        };
        let file = file.unwrap_or_default();
        self.admits_path(path) && (file == self.name || file.strip_suffix(".md") == Some(self.name))
    }

    /// Whether the name is this path, its file name or its stem.
    fn calls_path(&self, path: &MemoryPath) -> bool {
        let is_file = path.file_name() == self.name || path.stem() == self.name;
        self.is_path(path) || (self.admits_path(path) && is_file)
    }
}

/// Notes that are gone, found in the history by what they were called: a history, and the name that is looked for in
/// it.
struct DeletedMemories<'n> {
    wanted: NameQuery<'n>,
    entries: Vec<history::HistoryEntry>,
}

impl<'n> DeletedMemories<'n> {
    /// Reads the history.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    fn from_history(history: &History, wanted: NameQuery<'n>) -> Result<Self, HistoryError> {
        let entries = history.entries()?;
        Ok(Self { wanted, entries })
    }

    /// Every version that the name could mean, newest first.
    fn versions(&self) -> impl Iterator<Item = (&history::HistoryEntry, &Version)> {
        let all = self.entries.iter().flat_map(|entry| {
            let versions = entry.change.versions.iter();
            versions.map(move |version| (entry, version))
        });
        all.filter(|(_, version)| self.wanted.admits_path(&version.path))
    }

    /// The note whose path, file name, stem or id was last the name.
    fn in_full(&self) -> Option<NamedMemory> {
        let name = self.wanted.name;
        let mut versions = self.versions().map(|(_, version)| version);
        let found =
            versions.find(|one| self.wanted.calls_path(&one.path) || one.note.as_str() == name);
        found.map(NamedMemory::from_version)
    }

    /// The notes that ever had the name for a title, whatever the case; else those, none of them
    /// standing, whose last title or stem is it or begins with it.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    fn described_memories(
        &self,
        history: &History,
        standing: &BTreeSet<NoteId>,
    ) -> Result<Vec<NamedMemory>, HistoryError> {
        let name = self.wanted.name.to_lowercase();
        // By path: of notes that stood at the same one, the newest is meant.
        let (mut exact, mut begun) = (BTreeMap::new(), BTreeMap::new());
        let mut newest: BTreeMap<&NoteId, &Version> = BTreeMap::new();
        let mut told = BTreeSet::new();
        for (entry, version) in self.versions() {
            let last = *newest.entry(&version.note).or_insert(version);
            if version.sha256.is_none() || !is_topic(&version.path) || name.is_empty() {
                continue;
            }
            let bytes = history.content(entry.sequence, &version.path)?;
            let topic = TopicFile::parse(&bytes.unwrap_or_default());
            let stem = version.path.stem();
            let handles = [topic.title(stem).to_lowercase(), stem.to_lowercase()];
            let is_last = told.insert(&version.note) && !standing.contains(&version.note);
            if handles.contains(&name) {
                exact
                    .entry(&last.path)
                    .or_insert_with(|| NamedMemory::from_version(last));
            } else if is_last && handles.iter().any(|one| one.starts_with(&name)) {
                begun
                    .entry(&last.path)
                    .or_insert_with(|| NamedMemory::from_version(last));
            }
        }
        let best = if exact.is_empty() { begun } else { exact };
        Ok(best.into_values().collect())
    }
}

/// Whether a path is neither an index nor a log: those are named in full.
fn is_topic(path: &MemoryPath) -> bool {
    let is_log = path.as_str().starts_with("logs/");
    !is_log && ![INDEX_FILE, ARCHIVE_FILE].contains(&path.file_name())
}
